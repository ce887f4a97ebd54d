/* From rows to triangles: those whose boxes meet the body's, down the tree of a mesh. */
#include "mesh_contact/internal.h"

/* Triangles that a walk brings at once. */
#define PART 64

static void walk_tree(wp_mesh_walk *walk, const wp_mesh_box *box)
{
	const wp_mesh *const mesh = walk->row->mesh;
	const wp_mesh_view view = wp_mesh_view_of(mesh);
	for (uint32_t cursor = 0; cursor < mesh->triangle_count;) {
		uint32_t found[PART];
		size_t count = 0;
		(void)wp_mesh_overlap_box(mesh, box->lower, box->upper, &cursor, found, PART, &count);
		walk->call->statistics->triangles += count;
		for (size_t i = 0; i < count; i++) {
			const wp_mesh_triangle_row *const t = &view.triangles[found[i]];
			wp_d3 corner[3];
			for (int k = 0; k < 3; k++)
				corner[k] = wp_d3_of_floats(view.vertices[wp_row_corner(t, k)]);
			wp_mesh_take(walk, found[i], corner);
		}
	}
}

void wp_mesh_walk_row(const wp_mesh_call *call, const wp_mesh_row *row)
{
	const double max_separation = (double)call->call.max_separation;
	const wp_mesh_box box = wp_mesh_box_around(row, max_separation);
	wp_mesh_walk walk = {
		.call = call, .row = row, .axes = wp_d33_of_rotation(row->rotation), .max_separation = max_separation};
	wp_mesh_open(&walk);
	if (row->field != NULL)
		wp_mesh_walk_cells(&walk, &box);
	else
		walk_tree(&walk, &box);
	wp_mesh_close(&walk);
}
