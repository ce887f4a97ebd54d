/* A compound made of its children: their boxes, then a tree that halves them, then their order. */
#include "batch/read.h"
#include "compound/compound.h"
#include "core/environment.h"
#include "core/length.h"
#include "shape/vertices.h"

/* ---- children ----------------------------------------------------------------------------------- */

bool wp_compound_pose_holds(const wp_compound_child *child)
{
	bool inside = wp_rotation_holds(child->rotation, WP_3D);
	for (int k = 0; k < 3; k++)
		inside &= wp_is_coordinate(child->position[k]);
	return inside;
}

/* How far a core reaches along an axis of its own frame, from its origin on, both ways. */
static void reach_along(const wp_core *core, wp_d3 axis, double *low, double *high)
{
	if (core->kind != WP_CORE_HULL) {
		*high = (wp_abs(axis.x) * (double)core->half[0] + wp_abs(axis.y) * (double)core->half[1]) +
		        wp_abs(axis.z) * (double)core->half[2];
		*low = -*high;
		return;
	}
	*low = *high = wp_d3_dot(axis, wp_core_vertex(core, 0));
	for (uint32_t i = 1; i < core->count; i++) {
		const double at = wp_d3_dot(axis, wp_core_vertex(core, i));
		*low = at < *low ? at : *low;
		*high = at > *high ? at : *high;
	}
}

wp_error wp_compound_part_of(const wp_compound_child *child, const wp_shape_table *shapes, wp_compound_part *part)
{
	if (!wp_compound_pose_holds(child))
		return WP_ERROR_COMPOUND_POSE;
	const wp_core *const core = wp_core_of_table(shapes, child->shape);
	if (core == NULL || core->kind == WP_CORE_HALF_SPACE)
		return WP_ERROR_COMPOUND_SHAPE;
	const wp_d33 axes = wp_d33_of_rotation(child->rotation);
	part->child = *child;
	part->reach = wp_sum_up(core->bound, core->radius);
	bool inside = wp_is_coordinate(part->reach);
	for (int k = 0; k < 3; k++) {
		const double at = (double)child->position[k], radius = (double)core->radius;
		double low, high;
		reach_along(core, axes.row[k], &low, &high);
		part->lower[k] = wp_round_down(at + (low - radius));
		part->upper[k] = -wp_round_down(-(at + (high + radius)));
		inside &= wp_is_coordinate(part->lower[k]) && wp_is_coordinate(part->upper[k]);
	}
	return inside ? WP_OK : WP_ERROR_COMPOUND_POSE;
}

/* ---- the tree ----------------------------------------------------------------------------------- */

uint32_t wp_compound_count_nodes(uint32_t child_count, uint32_t *depth)
{
	/* Nodes of one level have `least` children or one more. */
	uint32_t least = child_count, level = 1, above = 0;
	for (; least > WP_COMPOUND_LEAF; least /= 2) {
		above += level;
		level *= 2;
		++*depth;
	}
	*depth += 1;
	const uint32_t more = child_count - least * level;
	if (least != WP_COMPOUND_LEAF || more == 0)
		return above + level;
	++*depth;
	return above + level + 2 * more;
}

static double middle_of(const wp_compound_part *part, int axis)
{
	return (double)part->lower[axis] + (double)part->upper[axis];
}

/* Whether child `i` comes before child `j` along an axis. */
static bool is_before(const wp_compound_part *parts, int axis, uint32_t i, uint32_t j)
{
	const double at = middle_of(&parts[i], axis), other = middle_of(&parts[j], axis);
	return at != other ? at < other : i < j;
}

static void sift_down(const wp_compound_part *parts, int axis, uint32_t *sources, uint32_t root, uint32_t count)
{
	const uint32_t moved = sources[root];
	for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
		if (child + 1 < count && is_before(parts, axis, sources[child], sources[child + 1]))
			child++;
		if (!is_before(parts, axis, moved, sources[child]))
			break;
		sources[root] = sources[child];
	}
	sources[root] = moved;
}

/* Heapsort: bounded for any children, and it takes no memory. */
static void sort_along(const wp_compound_part *parts, int axis, uint32_t *sources, uint32_t count)
{
	for (uint32_t root = count / 2; root-- > 0;)
		sift_down(parts, axis, sources, root, count);
	for (uint32_t end = count; end-- > 1;) {
		const uint32_t last = sources[0];
		sources[0] = sources[end];
		sources[end] = last;
		sift_down(parts, axis, sources, 0, end);
	}
}

/* The box of children, and the axis along which their middles spread most. */
static int box_children(const wp_compound_part *parts, const uint32_t *sources, uint32_t count, wp_compound_node *node)
{
	double low[3], high[3];
	for (int k = 0; k < 3; k++) {
		const wp_compound_part *const first = &parts[sources[0]];
		low[k] = high[k] = middle_of(first, k);
		node->lower[k] = first->lower[k];
		node->upper[k] = first->upper[k];
	}
	for (uint32_t i = 1; i < count; i++) {
		const wp_compound_part *const part = &parts[sources[i]];
		for (int k = 0; k < 3; k++) {
			const double middle = middle_of(part, k);
			node->lower[k] = part->lower[k] < node->lower[k] ? part->lower[k] : node->lower[k];
			node->upper[k] = part->upper[k] > node->upper[k] ? part->upper[k] : node->upper[k];
			low[k] = middle < low[k] ? middle : low[k];
			high[k] = middle > high[k] ? middle : high[k];
		}
	}
	int widest = 0;
	for (int k = 1; k < 3; k++)
		widest = high[k] - low[k] > high[widest] - low[widest] ? k : widest;
	return widest;
}

/* Children that wait for their node. */
typedef struct range {
	uint32_t node, first, count;
} range;

static void build_tree(const wp_compound_part *parts, uint32_t *sources, uint32_t child_count, wp_compound_node *nodes)
{
	range stack[WP_COMPOUND_DEPTH_MAX + 1];
	uint32_t waiting = 0, next = 1;
	stack[waiting++] = (range){0, 0, child_count};
	while (waiting != 0) {
		const range r = stack[--waiting];
		wp_compound_node *const node = &nodes[r.node];
		const int axis = box_children(parts, sources + r.first, r.count, node);
		if (r.count <= WP_COMPOUND_LEAF) {
			node->first = r.first;
			node->count = r.count;
			continue;
		}
		const uint32_t half = r.count / 2;
		sort_along(parts, axis, sources + r.first, r.count);
		node->first = next;
		node->count = 0;
		stack[waiting++] = (range){next + 1, r.first + half, r.count - half};
		stack[waiting++] = (range){next, r.first, half};
		next += 2;
	}
}

/* Bring the parts, which are in the caller's order, into the order of the tree, and note the place of each. */
static void order_parts(wp_compound_part *parts, const uint32_t *sources, uint32_t *places, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		places[i] = UINT32_MAX;
	for (uint32_t start = 0; start < count; start++) {
		if (places[start] != UINT32_MAX)
			continue;
		const wp_compound_part first = parts[start];
		uint32_t at = start;
		for (; sources[at] != start; at = sources[at]) {
			parts[at] = parts[sources[at]];
			places[sources[at]] = at;
		}
		parts[at] = first;
		places[start] = at;
	}
}

/* ---- the call ----------------------------------------------------------------------------------- */

static uint64_t size_of(size_t child_count)
{
	uint32_t depth = 0;
	const uint32_t count = (uint32_t)child_count;
	return wp_compound_lay_out(count, wp_compound_count_nodes(count, &depth)).end;
}

size_t wp_compound_size(size_t child_count)
{
	if (child_count == 0 || child_count > WP_COMPOUND_CHILD_MAX)
		return 0;
	const uint64_t size = size_of(child_count);
	return size <= SIZE_MAX ? (size_t)size : 0;
}

static wp_error check(const wp_compound_child *children, size_t child_count, const wp_shape_table *shapes,
	const void *memory, size_t memory_size)
{
	if (children == NULL)
		return WP_ERROR_NULL_CHILDREN;
	if (wp_compound_size(child_count) == 0)
		return WP_ERROR_COMPOUND_COUNT;
	if (shapes == NULL)
		return WP_ERROR_NULL_SHAPES;
	if (!wp_is_table(shapes, WP_3D))
		return WP_ERROR_SHAPE_TABLE_INVALID;
	if (memory == NULL)
		return WP_ERROR_NULL_MEMORY;
	if (!wp_is_aligned(memory, WP_ALIGNMENT))
		return WP_ERROR_MEMORY_MISALIGNED;
	return memory_size < wp_compound_size(child_count) ? WP_ERROR_MEMORY_TOO_SMALL : WP_OK;
}

static wp_error fill(const wp_compound_child *children, const wp_shape_table *shapes, wp_compound *made,
	wp_compound_layout layout, size_t *bad_child)
{
	char *const bytes = (char *)made;
	wp_compound_node *const nodes = (wp_compound_node *)(void *)(bytes + layout.nodes);
	wp_compound_part *const parts = (wp_compound_part *)(void *)(bytes + layout.parts);
	uint32_t *const sources = (uint32_t *)(void *)(bytes + layout.sources);
	uint32_t *const places = (uint32_t *)(void *)(bytes + layout.places);
	for (uint32_t i = 0; i < made->child_count; i++) {
		const wp_error error = wp_compound_part_of(&children[i], shapes, &parts[i]);
		if (error != WP_OK) {
			if (bad_child != NULL)
				*bad_child = i;
			return error;
		}
		sources[i] = i;
		made->reach = parts[i].reach > made->reach ? parts[i].reach : made->reach;
	}
	build_tree(parts, sources, made->child_count, nodes);
	order_parts(parts, sources, places, made->child_count);
	memcpy(made->lower, nodes[0].lower, sizeof made->lower);
	memcpy(made->upper, nodes[0].upper, sizeof made->upper);
	made->checksum = wp_compound_checksum(made);
	return WP_OK;
}

wp_error wp_compound_build(const wp_compound_child *children, size_t child_count, const wp_shape_table *shapes,
	void *memory, size_t memory_size, const wp_compound **compound, size_t *bad_child)
{
	if (compound == NULL)
		return WP_ERROR_NULL_COMPOUND;
	*compound = NULL;
	wp_error error = check(children, child_count, shapes, memory, memory_size);
	if (error != WP_OK)
		return error;
	const size_t size = wp_compound_size(child_count);
	wp_compound *const made = memory;
	memset(made, 0, size);
	made->magic = WP_COMPOUND_MAGIC;
	made->version = WP_COMPOUND_VERSION;
	made->byte_size = size;
	made->child_count = (uint32_t)child_count;
	made->node_count = wp_compound_count_nodes(made->child_count, &made->depth);
	const wp_environment before = wp_environment_enter();
	error = fill(children, shapes, made, wp_compound_lay_out(made->child_count, made->node_count), bad_child);
	wp_environment_leave(before);
	if (error == WP_OK)
		*compound = made;
	return error;
}
