/* Whether memory holds a mesh as widephase-cook writes it. A checksum can be forged, so everything that queries rely on is
 * checked for itself: then no query reads outside, and every walk ends. */
#include "core/environment.h"
#include "mesh/mesh.h"

/* Whether the header is one that the cook writes: the parts then lie inside byte_size. */
static bool is_header(const wp_mesh *mesh)
{
	if (mesh->magic != WP_MESH_MAGIC || mesh->version != WP_MESH_VERSION)
		return false;
	const bool counts = mesh->triangle_count >= 1 && mesh->triangle_count <= WP_MESH_TRIANGLE_MAX &&
	                    mesh->vertex_count >= 3 && mesh->vertex_count <= WP_MESH_TRIANGLE_MAX &&
	                    mesh->node_count >= 1 && mesh->node_count <= mesh->triangle_count &&
	                    mesh->source_count >= mesh->triangle_count;
	return counts && mesh->byte_size == wp_mesh_lay_out(mesh).end;
}

/* Whether what lies between a part's end and the next one is zero. */
static bool is_gap(const wp_mesh *mesh, uint64_t end, uint64_t next)
{
	const unsigned char *const bytes = (const unsigned char *)mesh;
	unsigned char any = 0;
	for (uint64_t at = end; at < next; at++)
		any |= bytes[at];
	return any == 0;
}

static bool are_gaps(const wp_mesh *mesh)
{
	const wp_mesh_layout layout = wp_mesh_lay_out(mesh);
	const uint64_t triangles = mesh->triangle_count;
	return is_gap(mesh, layout.nodes + mesh->node_count * (uint64_t)sizeof(wp_mesh_node), layout.triangles) &&
	       is_gap(mesh, layout.triangles + triangles * sizeof(wp_mesh_triangle_row), layout.vertices) &&
	       is_gap(mesh, layout.vertices + mesh->vertex_count * (uint64_t)(3 * sizeof(float)), layout.sources) &&
	       is_gap(mesh, layout.sources + triangles * sizeof(uint32_t), layout.end);
}

static bool are_vertices(const wp_mesh_view *view)
{
	bool fine = true;
	for (uint32_t i = 0; i < view->mesh->vertex_count; i++) {
		for (int k = 0; k < 3; k++)
			fine &= wp_is_coordinate(view->vertices[i][k]);
	}
	return fine;
}

/* ---- triangles ---------------------------------------------------------------------------------- */

static const float *corner_of(const wp_mesh_view *view, const wp_mesh_triangle_row *row, uint32_t corner)
{
	return view->vertices[wp_row_corner(row, (int)(corner % 3))];
}

static bool normal_of(const wp_mesh_view *view, const wp_mesh_triangle_row *row, wp_d3 *normal)
{
	return wp_triangle_normal(corner_of(view, row, 0), corner_of(view, row, 1), corner_of(view, row, 2), normal);
}

/* Corners and neighbours in range; a corner of its own for each. */
static bool are_indices(const wp_mesh_view *view)
{
	const uint32_t triangles = view->mesh->triangle_count, vertices = view->mesh->vertex_count;
	bool fine = true;
	for (uint32_t i = 0; i < triangles; i++) {
		const wp_mesh_triangle_row *const row = &view->triangles[i];
		for (int k = 0; k < 3; k++) {
			fine &= wp_row_corner(row, k) < vertices && (k == 0 || row->corner[k] <= WP_TRIANGLE_CORNER);
			fine &= wp_edge_kind_of(row->edge[k]) == WP_EDGE_BOUNDARY
			          ? row->edge[k] == wp_edge_word(WP_EDGE_BOUNDARY, 0, 0)
			          : wp_edge_neighbour(row->edge[k]) < triangles && wp_edge_number(row->edge[k]) < 3;
		}
		fine &= view->sources[i] < view->mesh->source_count;
	}
	return fine;
}

/* Whether an edge of a triangle is its neighbour's, the other way round. Of the two triangles the first computes the
 * kind. */
static bool is_edge(const wp_mesh_view *view, uint32_t triangle, uint32_t k, const wp_d3 *normal)
{
	const wp_mesh_triangle_row *const row = &view->triangles[triangle];
	const uint32_t word = row->edge[k], kind = wp_edge_kind_of(word);
	if (kind == WP_EDGE_BOUNDARY)
		return true;
	const uint32_t neighbour = wp_edge_neighbour(word), number = wp_edge_number(word);
	const wp_mesh_triangle_row *const other = &view->triangles[neighbour];
	if (neighbour == triangle || other->edge[number] != wp_edge_word(kind, k, triangle))
		return false;
	if (wp_row_corner(row, (int)k) != wp_row_corner(other, (int)((number + 1) % 3)) ||
		wp_row_corner(row, (int)((k + 1) % 3)) != wp_row_corner(other, (int)number))
		return false;
	if (neighbour < triangle)
		return true;
	wp_d3 other_normal;
	return normal_of(view, other, &other_normal) &&
	       kind == wp_kind_of_edge(corner_of(view, row, k), corner_of(view, row, k + 1),
					   corner_of(view, other, number + 2), *normal, other_normal);
}

static bool are_triangles(const wp_mesh_view *view)
{
	for (uint32_t i = 0; i < view->mesh->triangle_count; i++) {
		const wp_mesh_triangle_row *const row = &view->triangles[i];
		wp_d3 normal;
		if (!normal_of(view, row, &normal))
			return false;
		bool has_side = false;
		for (uint32_t k = 0; k < 3; k++) {
			const uint32_t kind = wp_edge_kind_of(row->edge[k]);
			if (!is_edge(view, i, k, &normal))
				return false;
			has_side |= kind == WP_EDGE_CONVEX || kind == WP_EDGE_BOUNDARY;
		}
		if (has_side && (row->corner[0] & WP_TRIANGLE_FACE_ONLY) != 0)
			return false;
	}
	return true;
}

/* ---- the tree ----------------------------------------------------------------------------------- */

/* A node on the way down: its children so far, and the box of all triangles below those. */
typedef struct level {
	const wp_mesh_node *node;
	uint32_t next;
	wp_mesh_box box;
} level;

typedef struct descent {
	wp_mesh_view view;
	uint32_t nodes, triangles; /* met so far: nodes and triangles come in this order */
	uint32_t depth, deepest;
	level levels[WP_MESH_DEPTH_MAX];
} descent;

/* Go down to a node, which is the next one in memory. */
static bool enter(descent *d, uint32_t index)
{
	if (index != d->nodes || index >= d->view.mesh->node_count || d->depth == WP_MESH_DEPTH_MAX)
		return false;
	const wp_mesh_node *const node = &d->view.nodes[index];
	bool fine = node->count >= 1 && node->count <= WP_NODE_WIDTH;
	for (int k = 0; k < 3; k++)
		fine &= wp_is_coordinate(node->lower[k]) && node->exponent[k] >= WP_CELL_EXPONENT_MIN &&
		        node->exponent[k] <= WP_CELL_EXPONENT_MAX;
	for (uint32_t i = node->count; fine && i < WP_NODE_WIDTH; i++) {
		fine = node->child[i] == 0;
		for (int k = 0; k < 3; k++)
			fine &= node->first[k][i] == WP_CELL_MAX && node->last[k][i] == 0;
	}
	d->nodes++;
	d->levels[d->depth++] = (level){.node = node};
	d->deepest = d->depth > d->deepest ? d->depth : d->deepest;
	return fine;
}

static bool box_of_leaf(descent *d, uint32_t leaf, wp_mesh_box *box)
{
	const uint32_t first = wp_child_index(leaf), count = wp_child_count(leaf);
	if (first != d->triangles || count > d->view.mesh->triangle_count - first)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const wp_mesh_triangle_row *const row = &d->view.triangles[first + i];
		const wp_mesh_box own = wp_mesh_box_of(
			corner_of(&d->view, row, 0), corner_of(&d->view, row, 1), corner_of(&d->view, row, 2));
		if (i == 0)
			*box = own;
		else
			wp_mesh_box_add(box, &own);
	}
	d->triangles += count;
	return true;
}

/* Whether the child that was looked at has the cells of its box; and add that box to the node's. */
static bool take_child(level *top, const wp_mesh_box *box)
{
	bool fine = true;
	for (int k = 0; k < 3; k++) {
		const float lower = top->node->lower[k], inverse = wp_cell_inverse(top->node->exponent[k]);
		fine &= wp_cell_of(box->lower[k], lower, inverse) == top->node->first[k][top->next];
		fine &= wp_cell_of(box->upper[k], lower, inverse) == top->node->last[k][top->next];
	}
	if (top->next == 0)
		top->box = *box;
	else
		wp_mesh_box_add(&top->box, box);
	top->next++;
	return fine;
}

/* Whether a node that has all its children begins where their boxes do, with the cells of their box. */
static bool is_tight(const level *top)
{
	bool fine = true;
	for (int k = 0; k < 3; k++)
		fine &= top->node->lower[k] == top->box.lower[k] &&
		        top->node->exponent[k] == wp_cell_exponent(top->box.lower[k], top->box.upper[k]);
	return fine;
}

static bool is_tree(const wp_mesh_view *view)
{
	descent d = {.view = *view};
	if (!enter(&d, 0))
		return false;
	for (;;) {
		level *const top = &d.levels[d.depth - 1];
		wp_mesh_box box;
		if (top->next == top->node->count) {
			if (!is_tight(top))
				return false;
			box = top->box;
			if (--d.depth == 0)
				break;
			if (!take_child(&d.levels[d.depth - 1], &box))
				return false;
		} else if (!wp_child_is_leaf(top->node->child[top->next])) {
			if (!enter(&d, top->node->child[top->next]))
				return false;
		} else if (!box_of_leaf(&d, top->node->child[top->next], &box) || !take_child(top, &box)) {
			return false;
		}
	}
	bool fine = d.nodes == view->mesh->node_count && d.triangles == view->mesh->triangle_count &&
	            d.deepest == view->mesh->depth;
	for (int k = 0; k < 3; k++)
		fine &= view->mesh->lower[k] == d.levels[0].box.lower[k] && view->mesh->upper[k] == d.levels[0].box.upper[k];
	return fine;
}

wp_error wp_mesh_from_memory(const void *memory, size_t size, const wp_mesh **mesh)
{
	if (mesh == NULL)
		return WP_ERROR_NULL_MESH;
	*mesh = NULL;
	if (memory == NULL)
		return WP_ERROR_NULL_MEMORY;
	if (!wp_is_aligned(memory, WP_ALIGNMENT))
		return WP_ERROR_MEMORY_MISALIGNED;
	const wp_mesh *const found = memory;
	if (size < sizeof *found || !is_header(found) || found->byte_size > size)
		return WP_ERROR_MESH_CORRUPT;
	if (found->checksum != wp_mesh_checksum(found))
		return WP_ERROR_MESH_CORRUPT;
	const wp_mesh_view view = wp_mesh_view_of(found);
	const wp_environment before = wp_environment_enter();
	const bool intact = are_gaps(found) && are_vertices(&view) && are_indices(&view) && are_triangles(&view) &&
	                    is_tree(&view);
	wp_environment_leave(before);
	if (!intact)
		return WP_ERROR_MESH_CORRUPT;
	*mesh = found;
	return WP_OK;
}
