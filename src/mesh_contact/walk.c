/* From rows to triangles: those whose boxes meet the body's, down the tree of a mesh. */
#include "mesh_contact/internal.h"

/* Triangles that a walk brings at once. */
#define PART 64

static void walk_tree(wp_mesh_walk *walk, const wp_mesh_box *box)
{
	const wp_mesh *const mesh = walk->row->mesh;
	const wp_mesh_view *const view = &walk->surface.view;
	const wp_d3 origin = walk->row->origin;
	wp_cull *const cull = &walk->call->workspace->mesh.cull;
	for (uint32_t cursor = 0; cursor < mesh->triangle_count;) {
		uint32_t found[PART];
		size_t count = 0;
		(void)wp_mesh_overlap_box(mesh, box->lower, box->upper, &cursor, found, PART, &count);
		walk->call->statistics->triangles += count;
		for (size_t i = 0; i < count; i++) {
			const wp_mesh_triangle_row *const t = &view->triangles[found[i]];
			const uint32_t at = wp_mesh_next(walk, found[i]);
			for (int k = 0; k < 3; k++) {
				const float *const corner = view->vertices[wp_row_corner(t, k)];
				cull->place[3 * k][at] = (float)((double)corner[0] - origin.x);
				cull->place[3 * k + 1][at] = (float)((double)corner[1] - origin.y);
				cull->place[3 * k + 2][at] = (float)((double)corner[2] - origin.z);
			}
		}
	}
}

void wp_mesh_walk_row(const wp_mesh_call *call, const wp_mesh_row *row)
{
	const wp_mesh_box box = wp_mesh_box_around(row, (double)call->call.max_separation);
	wp_mesh_walk walk = wp_mesh_walk_of(call, row);
	wp_mesh_open(&walk);
	if (row->field != NULL)
		wp_mesh_walk_cells(&walk, &box);
	else if (walk.is_round)
		wp_mesh_find_round(&walk, box.lower, box.upper);
	else
		walk_tree(&walk, &box);
	wp_mesh_close(&walk);
}
