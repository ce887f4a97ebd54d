/* Triangles of a mesh whose boxes meet a box. A walk down the tree finds them in ascending order, so that where it stopped
 * is the number of a triangle, and any later walk may go on from it. */
#include "core/environment.h"
#include "mesh/mesh.h"

typedef struct walk {
	wp_mesh_view view;
	wp_quad lower, upper; /* of the box; the fourth place is zero */
	uint32_t cursor;      /* triangles before it are done */
	uint32_t *found;      /* [capacity] */
	size_t capacity, count;
	uint32_t waiting[WP_NODE_WIDTH * WP_MESH_DEPTH_MAX]; /* children to visit, the next one last */
	uint32_t waiting_count;
} walk;

/* Look at the triangles of a leaf from the cursor on. False when the caller's array is full. */
static bool take_leaf(walk *w, uint32_t leaf)
{
	const uint32_t first = wp_child_index(leaf), end = first + wp_child_count(leaf);
	for (uint32_t triangle = first > w->cursor ? first : w->cursor; triangle < end; triangle++) {
		if (!wp_triangle_meets(&w->view, triangle, w->lower, w->upper))
			continue;
		if (w->count == w->capacity) {
			w->cursor = triangle;
			return false;
		}
		w->found[w->count++] = triangle;
	}
	return true;
}

uint64_t wp_node_meets(const wp_mesh_node *node, wp_quad lower, wp_quad upper)
{
	const wp_quad zero = wp_quad_set(0.0f), beyond = wp_quad_set((float)(WP_CELL_MAX + 1));
	const wp_quad inverse = wp_quad_of_inverses(wp_node_exponents(node));
	const wp_quad from = wp_quad_mul(wp_quad_sub(lower, wp_node_lower(node)), inverse);
	const wp_quad to = wp_quad_mul(wp_quad_sub(upper, wp_node_lower(node)), inverse);
	const uint32_t below = wp_quad_bits(wp_quad_above(zero, to)), within = wp_quad_bits(wp_quad_above(beyond, from));
	if ((below & 7) != 0 || (within & 7) != 7)
		return 0;
	int32_t first[4], last[4];
	wp_quad_truncate(wp_quad_max(from, zero), first);
	wp_quad_truncate(wp_quad_min(to, wp_quad_set((float)WP_CELL_MAX)), last);
	wp_octet met = wp_octet_set(0xff);
	for (int k = 0; k < 3; k++) {
		met = wp_octet_and(met, wp_octet_at_least(wp_octet_read(node->last[k]), wp_octet_set((uint8_t)first[k])));
		met = wp_octet_and(met, wp_octet_at_least(wp_octet_set((uint8_t)last[k]), wp_octet_read(node->first[k])));
	}
	return wp_octet_bits(met) & (WP_OCTET_BITS >> 8 * (WP_NODE_WIDTH - node->count));
}

static void push(walk *w, const wp_mesh_node *node, uint64_t chosen)
{
	for (; chosen != 0; chosen &= ~wp_child_bit(wp_highest_child(chosen))) {
		const uint32_t child = node->child[wp_highest_child(chosen)];
		wp_child_prefetch(&w->view, child);
		w->waiting[w->waiting_count++] = child;
	}
}

/* First triangle below a child. */
static uint32_t first_triangle(const walk *w, uint32_t child)
{
	while (!wp_child_is_leaf(child))
		child = w->view.nodes[wp_child_index(child)].child[0];
	return wp_child_index(child);
}

/* Begin a walk at the cursor: the way down to it, and at each step what comes after it. */
static void begin(walk *w)
{
	uint32_t child = 0;
	while (!wp_child_is_leaf(child)) {
		const wp_mesh_node *const node = &w->view.nodes[wp_child_index(child)];
		uint32_t i = node->count - 1u;
		while (i > 0 && first_triangle(w, node->child[i]) > w->cursor)
			i--;
		const uint64_t met = wp_node_meets(node, w->lower, w->upper);
		push(w, node, met & (~(uint64_t)0 << 8 * i << 7 << 1));
		if ((met & wp_child_bit(i)) == 0)
			return;
		child = node->child[i];
	}
	w->waiting[w->waiting_count++] = child;
}

static void run(walk *w)
{
	w->waiting_count = 0;
	if (w->cursor == 0)
		w->waiting[w->waiting_count++] = 0;
	else
		begin(w);
	while (w->waiting_count != 0) {
		const uint32_t child = w->waiting[--w->waiting_count];
		if (wp_child_is_leaf(child)) {
			if (!take_leaf(w, child))
				return;
			continue;
		}
		const wp_mesh_node *const node = &w->view.nodes[wp_child_index(child)];
		push(w, node, wp_node_meets(node, w->lower, w->upper));
	}
	w->cursor = w->view.mesh->triangle_count;
}

static bool is_box(const float lower[3], const float upper[3])
{
	return lower[0] <= upper[0] && lower[1] <= upper[1] && lower[2] <= upper[2];
}

wp_error wp_mesh_overlap_box(const wp_mesh *mesh, const float lower[3], const float upper[3], uint32_t *cursor,
	uint32_t *triangles, size_t capacity, size_t *count)
{
	if (count == NULL)
		return WP_ERROR_NULL_COUNT;
	*count = 0;
	const wp_error error = mesh == NULL                       ? WP_ERROR_NULL_MESH
	                     : lower == NULL                      ? WP_ERROR_NULL_LOWER
	                     : upper == NULL                      ? WP_ERROR_NULL_UPPER
	                     : cursor == NULL                     ? WP_ERROR_NULL_CURSOR
	                     : triangles == NULL && capacity != 0 ? WP_ERROR_NULL_TRIANGLES
	                                                          : WP_OK;
	if (error != WP_OK)
		return error;
	walk w;
	w.view = wp_mesh_view_of(mesh);
	w.lower = wp_quad_of(lower[0], lower[1], lower[2], 0.0f);
	w.upper = wp_quad_of(upper[0], upper[1], upper[2], 0.0f);
	w.cursor = *cursor;
	w.found = triangles;
	w.capacity = capacity;
	w.count = 0;
	const wp_environment before = wp_environment_enter();
	const bool valid = is_box(lower, upper);
	if (valid && w.cursor < mesh->triangle_count)
		run(&w);
	wp_environment_leave(before);
	if (!valid)
		return WP_ERROR_MESH_BOX;
	*cursor = w.cursor;
	*count = w.count;
	return WP_OK;
}
