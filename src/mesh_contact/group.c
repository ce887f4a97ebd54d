/* Spheres and capsules go down the trees of their meshes some rows at a time, a step each in turn: what the next step of a row
 * reads is fetched while the others take theirs. Each row finds its triangles in ascending order, as it would alone. */
#include "mesh_contact/internal.h"

static wp_mesh_memory *memory_of(const wp_mesh_call *call) { return &call->workspace->mesh; }

/* A row on its way down. */
typedef struct descent {
	wp_mesh_descent *row;
	wp_mesh_view view;
} descent;

static bool triangle_meets(const wp_mesh_view *view, const wp_mesh_descent *box, uint32_t triangle)
{
	const wp_mesh_triangle_row *const row = &view->triangles[triangle];
	const float *const a = view->vertices[wp_row_corner(row, 0)];
	const float *const b = view->vertices[wp_row_corner(row, 1)];
	const float *const c = view->vertices[wp_row_corner(row, 2)];
	bool meets = true;
	for (int k = 0; k < 3; k++) {
		meets &= (a[k] <= box->upper[k]) | (b[k] <= box->upper[k]) | (c[k] <= box->upper[k]);
		meets &= (a[k] >= box->lower[k]) | (b[k] >= box->lower[k]) | (c[k] >= box->lower[k]);
	}
	return meets;
}

static void fetch_vertices(const wp_mesh_view *view, uint32_t leaf)
{
	const uint32_t first = wp_child_index(leaf), end = first + wp_child_count(leaf);
	for (uint32_t triangle = first; triangle < end; triangle++)
		for (int k = 0; k < 3; k++)
			wp_prefetch((const char *)view->vertices[wp_row_corner(&view->triangles[triangle], k)]);
}

static void take_leaf(const wp_mesh_view *view, wp_mesh_descent *d, uint32_t leaf)
{
	const uint32_t first = wp_child_index(leaf), end = first + wp_child_count(leaf);
	if (d->count + WP_LEAF_MAX > WP_DESCENT_FOUND) {
		d->is_long = true;
		return;
	}
	for (uint32_t triangle = first; triangle < end; triangle++) {
		d->found[d->count] = triangle;
		d->count += triangle_meets(view, d, triangle);
	}
}

static void push_children(const wp_mesh_view *view, wp_mesh_descent *d, const wp_mesh_node *node)
{
	uint64_t met = wp_node_meets(node, d->lower, d->upper);
	if (d->waiting_count + WP_NODE_WIDTH > WP_DESCENT_WAITING) {
		d->is_long = true;
		return;
	}
	for (; met != 0; met &= ~wp_child_bit(wp_highest_child(met))) {
		const uint32_t child = node->child[wp_highest_child(met)];
		wp_child_prefetch(view, child);
		d->waiting[d->waiting_count++] = child;
	}
}

/* One step. False if the row has found all of its triangles, or there is no room for them. */
static bool step(const descent *under_way)
{
	const wp_mesh_view *const view = &under_way->view;
	wp_mesh_descent *const d = under_way->row;
	if (d->has_leaf) {
		take_leaf(view, d, d->leaf);
		d->has_leaf = false;
		return !d->is_long;
	}
	if (d->waiting_count == 0)
		return false;
	const uint32_t child = d->waiting[--d->waiting_count];
	if (wp_child_is_leaf(child)) {
		fetch_vertices(view, child);
		d->leaf = child;
		d->has_leaf = true;
	} else {
		push_children(view, d, &view->nodes[wp_child_index(child)]);
	}
	return !d->is_long;
}

static void descend(wp_mesh_memory *memory)
{
	descent under_way[WP_DESCENTS];
	uint32_t order[WP_DESCENTS], count = memory->descent_count;
	for (uint32_t i = 0; i < count; i++) {
		under_way[i] = (descent){&memory->descent[i], wp_mesh_view_of(memory->descent[i].row.mesh)};
		order[i] = i;
	}
	while (count != 0) {
		uint32_t left = 0;
		for (uint32_t i = 0; i < count; i++) {
			order[left] = order[i];
			left += step(&under_way[order[i]]);
		}
		count = left;
	}
}

void wp_mesh_run_group(const wp_mesh_call *call)
{
	wp_mesh_memory *const memory = memory_of(call);
	descend(memory);
	for (uint32_t i = 0; i < memory->descent_count; i++)
		wp_mesh_measure_row(call, &memory->descent[i]);
	memory->descent_count = 0;
}

void wp_mesh_push_row(const wp_mesh_call *call, const wp_mesh_row *row)
{
	wp_mesh_memory *const memory = memory_of(call);
	if (memory->descent_count == WP_DESCENTS)
		wp_mesh_run_group(call);
	wp_mesh_descent *const d = &memory->descent[memory->descent_count++];
	d->row = *row;
	const wp_mesh_box box = wp_mesh_box_around(row, (double)call->call.max_separation);
	memcpy(d->lower, box.lower, sizeof d->lower);
	memcpy(d->upper, box.upper, sizeof d->upper);
	d->has_leaf = d->is_long = false;
	d->count = 0;
	d->waiting_count = 1;
	d->waiting[0] = 0;
}
