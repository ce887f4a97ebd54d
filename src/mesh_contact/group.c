/* Rows go down the trees of their meshes some at a time, a step each in turn: what the next step of a row reads is fetched
 * while the others take theirs. Each row finds its triangles in ascending order, as it would alone. Rows with height fields wait
 * with them while their samples come. */
#include "mesh_contact/far.h"

/* More than what places within a node, and how far they are, are rounded by, relative to how far it reaches: triangles in a leaf
 * that is far are far by themselves, as another tree would find them. */
#define BOX_ROUNDING 0x1p-19f

static wp_mesh_memory *memory_of(const wp_mesh_call *call) { return &call->workspace->mesh; }

/* A row on its way down. The fourth places of quads are zero. */
typedef struct descent {
	wp_mesh_descent *row;
	wp_mesh_view view;
	wp_quad lower, upper; /* of its box */
	wp_mesh_reach reach;
} descent;

static wp_quad corner_of(const float v[3]) { return wp_quad_of(v[0], v[1], v[2], 0.0f); }

static void take_leaf(const descent *under_way, uint32_t leaf)
{
	wp_mesh_descent *const d = under_way->row;
	const uint32_t first = wp_child_index(leaf), end = first + wp_child_count(leaf);
	if (d->count + WP_LEAF_MAX > WP_DESCENT_FOUND) {
		d->is_long = true;
		return;
	}
	for (uint32_t triangle = first; triangle < end; triangle++) {
		wp_quad least, most;
		wp_triangle_box(&under_way->view, triangle, &least, &most);
		if (!wp_quad_boxes_meet(least, most, under_way->lower, under_way->upper))
			continue;
		const bool is_near = !wp_mesh_is_far(&under_way->reach, least, most);
		d->found[d->count] = triangle;
		d->count += is_near;
		d->missed += !is_near;
	}
}

/* The boxes of a node's children. */
typedef struct children {
	wp_quad lower, cell, slack; /* slack: more than what places within the node are rounded by */
} children;

static children children_of(const wp_mesh_node *node)
{
	const wp_quad lower = wp_node_lower(node);
	const wp_quad cell = wp_quad_of(wp_power_of_exponent(node->exponent[0]), wp_power_of_exponent(node->exponent[1]),
		wp_power_of_exponent(node->exponent[2]), 0.0f);
	const wp_quad size = wp_quad_add(wp_quad_abs(lower), wp_quad_scale(cell, (float)(WP_CELL_MAX + 1)));
	return (children){lower, cell, wp_quad_scale(size, BOX_ROUNDING)};
}

static bool is_child_far(const descent *d, const wp_mesh_node *node, const children *of, uint32_t i)
{
	const wp_quad first = wp_quad_of(
		(float)node->first[0][i], (float)node->first[1][i], (float)node->first[2][i], 0.0f);
	const wp_quad last = wp_quad_of((float)node->last[0][i], (float)node->last[1][i], (float)node->last[2][i], 0.0f);
	const wp_quad end = wp_quad_add(last, wp_quad_set(1.0f));
	const wp_quad least = wp_quad_sub(wp_quad_add(of->lower, wp_quad_mul(first, of->cell)), of->slack);
	const wp_quad most = wp_quad_add(wp_quad_add(of->lower, wp_quad_mul(end, of->cell)), of->slack);
	return wp_mesh_is_far(&d->reach, least, most);
}

/* Inner nodes are looked into rather than measured: few of them that meet the body's box are far from the body. */
static void push_children(const descent *under_way, const wp_mesh_node *node)
{
	wp_mesh_descent *const d = under_way->row;
	uint64_t met = wp_node_meets(node, under_way->lower, under_way->upper);
	if (d->waiting_count + WP_NODE_WIDTH > WP_DESCENT_WAITING) {
		d->is_long = true;
		return;
	}
	const children boxes = children_of(node);
	for (; met != 0; met &= ~wp_child_bit(wp_highest_child(met))) {
		const uint32_t i = wp_highest_child(met), child = node->child[i];
		if (wp_child_is_leaf(child) && is_child_far(under_way, node, &boxes, i))
			continue;
		wp_child_prefetch(&under_way->view, child);
		d->waiting[d->waiting_count++] = child;
	}
}

/* One step. False if the row has found all of its triangles, or there is no room for them. */
static bool step(const descent *under_way)
{
	const wp_mesh_view *const view = &under_way->view;
	wp_mesh_descent *const d = under_way->row;
	if (d->has_leaf) {
		take_leaf(under_way, d->leaf);
		d->has_leaf = false;
		return !d->is_long;
	}
	if (d->waiting_count == 0)
		return false;
	const uint32_t child = d->waiting[--d->waiting_count];
	if (wp_child_is_leaf(child)) {
		/* The third corner is nearly always one of another triangle's. */
		wp_leaf_prefetch(view, child, 2);
		d->leaf = child;
		d->has_leaf = true;
	} else {
		push_children(under_way, &view->nodes[wp_child_index(child)]);
	}
	return !d->is_long;
}

static void descend(wp_mesh_memory *memory, double max_separation)
{
	descent under_way[WP_DESCENTS];
	uint32_t order[WP_DESCENTS], count = 0;
	for (uint32_t i = 0; i < memory->descent_count; i++) {
		order[count] = i;
		count += memory->descent[i].row.mesh != NULL;
	}
	for (uint32_t k = 0; k < count; k++) {
		const uint32_t i = order[k];
		wp_mesh_descent *const d = &memory->descent[i];
		under_way[i].row = d;
		under_way[i].view = wp_mesh_view_of(d->row.mesh);
		under_way[i].lower = corner_of(d->lower);
		under_way[i].upper = corner_of(d->upper);
		under_way[i].reach = wp_mesh_reach_of(&d->row, max_separation);
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

/* Answer a row that has found its triangles, or had no room for them and goes down alone. */
static void answer(const wp_mesh_call *call, const wp_mesh_descent *d)
{
	if (d->row.field != NULL) {
		wp_mesh_box box;
		memcpy(box.lower, d->lower, sizeof box.lower);
		memcpy(box.upper, d->upper, sizeof box.upper);
		wp_mesh_walk_row_in(call, &d->row, &box);
		return;
	}
	if (!d->is_long) {
		call->statistics->triangles += d->missed;
		call->statistics->beyond += d->missed;
	}
	if (wp_mesh_is_round(d->row.core))
		wp_mesh_measure_row(call, d);
	else
		wp_mesh_judge_row(call, d);
}

void wp_mesh_run_group(const wp_mesh_call *call)
{
	wp_mesh_memory *const memory = memory_of(call);
	descend(memory, (double)call->call.max_separation);
	for (uint32_t i = 0; i < memory->descent_count; i++)
		answer(call, &memory->descent[i]);
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
	if (row->field != NULL) {
		wp_mesh_fetch_cells(row->field, &box);
		return;
	}
	d->has_leaf = d->is_long = false;
	d->count = d->missed = 0;
	d->waiting_count = 1;
	d->waiting[0] = 0;
}
