/* Rows go down the trees of their meshes some at a time, a step each in turn: what the next step of a row reads is fetched
 * while the others take theirs. Each row finds its triangles in ascending order, as it would alone. Rows with height fields wait
 * with them while their samples come. */
#include "mesh_contact/internal.h"

/* More than what places within a node are rounded by, relative to how far it reaches. */
#define BOX_ROUNDING 0x1p-21f

static wp_mesh_memory *memory_of(const wp_mesh_call *call) { return &call->workspace->mesh; }

/* A row on its way down. The fourth places of quads are zero. */
typedef struct descent {
	wp_mesh_descent *row;
	wp_mesh_view view;
	wp_quad lower, upper; /* of its box */
	/* What boxes are told by that the body is far from, which meet its own: the ball around a sphere; of other bodies the box
	 * around them in their own axes, by x, y and z of each axis, the same without signs, and how far the body reaches along each. */
	bool is_ball;
	float reach2;
	wp_quad middle, axis[3], slope[3], reach;
} descent;

static wp_quad corner_of(const float v[3]) { return wp_quad_of(v[0], v[1], v[2], 0.0f); }

WP_INLINE bool misses_ball(const descent *d, wp_quad least, wp_quad most)
{
	const wp_quad below = wp_quad_sub(least, d->middle), above = wp_quad_sub(d->middle, most);
	const wp_quad gap = wp_quad_max(wp_quad_max(below, above), wp_quad_set(0.0f)), square = wp_quad_mul(gap, gap);
	return (wp_quad_get(square, 0) + wp_quad_get(square, 1)) + wp_quad_get(square, 2) > d->reach2;
}

WP_INLINE wp_quad along_axes(const wp_quad axis[3], wp_quad v)
{
	const wp_quad x = wp_quad_scale(axis[0], wp_quad_get(v, 0)), y = wp_quad_scale(axis[1], wp_quad_get(v, 1));
	return wp_quad_add(wp_quad_add(x, y), wp_quad_scale(axis[2], wp_quad_get(v, 2)));
}

WP_INLINE bool misses_box(const descent *d, wp_quad least, wp_quad most)
{
	const wp_quad middle = wp_quad_scale(wp_quad_add(least, most), 0.5f);
	const wp_quad half = wp_quad_scale(wp_quad_sub(most, least), 0.5f);
	const wp_quad away = wp_quad_abs(along_axes(d->axis, wp_quad_sub(middle, d->middle)));
	const wp_quad reach = wp_quad_add(along_axes(d->slope, half), d->reach);
	return (wp_quad_bits(wp_quad_above(away, reach)) & 7) != 0;
}

/* Whether a box that meets the body's box is surely far from the body. The fourth places of its corners are of no meaning. */
WP_INLINE bool is_far(const descent *d, wp_quad least, wp_quad most)
{
	return d->is_ball ? misses_ball(d, least, most) : misses_box(d, least, most);
}

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
		const bool is_near = !is_far(under_way, least, most);
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
	return is_far(d, least, most);
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

/* What is told of how far the body reaches. */
static void set_reach(const wp_mesh_row *row, double max_separation, descent *d)
{
	const wp_core *const core = row->core;
	const double more = wp_mesh_far_more(row, max_separation, row->reach + max_separation);
	const double out = (double)core->radius + more;
	const wp_d3 *const axis = row->axes.row;
	d->middle = wp_quad_of((float)row->origin.x, (float)row->origin.y, (float)row->origin.z, 0.0f);
	d->is_ball = wp_mesh_is_ball(core);
	d->reach2 = wp_mesh_far_reach2(row, more);
	d->reach = wp_quad_of((float)((double)core->half[0] + out), (float)((double)core->half[1] + out),
		(float)((double)core->half[2] + out), 0.0f);
	for (int k = 0; k < 3; k++) {
		d->axis[k] = wp_quad_of((float)axis[k].x, (float)axis[k].y, (float)axis[k].z, 0.0f);
		d->slope[k] = wp_quad_add(wp_quad_abs(d->axis[k]), wp_quad_set(WP_MESH_FAR_SLOPE));
	}
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
		set_reach(&d->row, max_separation, &under_way[i]);
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
