/* What a compound holds, and whether memory holds one. A checksum can be forged, so all that queries rely on is checked for
 * itself: then no query reads outside, and every walk ends. */
#include "batch/read.h"
#include "compound/compound.h"
#include "core/environment.h"
#include "core/length.h"
#include "motion/mount.h"

size_t wp_compound_byte_size(const wp_compound *compound) { return (size_t)compound->byte_size; }

size_t wp_compound_child_count(const wp_compound *compound) { return compound->child_count; }

void wp_compound_bounds(const wp_compound *compound, float lower[3], float upper[3])
{
	memcpy(lower, compound->lower, sizeof compound->lower);
	memcpy(upper, compound->upper, sizeof compound->upper);
}

void wp_compound_child_at(const wp_compound *compound, size_t index, wp_compound_child *child)
{
	const wp_compound_view view = wp_compound_view_of(compound);
	*child = wp_compound_part_at(&view, index)->child;
}

/* ---- poses -------------------------------------------------------------------------------------- */

void wp_compound_child_pose(const wp_compound *compound, size_t index, const double position[3],
	const float rotation[4], double child_position[3], float child_rotation[4])
{
	wp_compound_child child;
	wp_compound_child_at(compound, index, &child);
	const wp_environment before = wp_environment_enter();
	wp_mount_place(&child, wp_d3_at(position), wp_dq_of_rotation(rotation), child_position, child_rotation);
	wp_environment_leave(before);
}

/* ---- memory ------------------------------------------------------------------------------------- */

static bool is_header(const wp_compound *c)
{
	uint32_t depth = 0;
	return c->magic == WP_COMPOUND_MAGIC && c->version == WP_COMPOUND_VERSION && c->child_count >= 1 &&
	       c->child_count <= WP_COMPOUND_CHILD_MAX &&
	       c->node_count == wp_compound_count_nodes(c->child_count, &depth) && c->depth == depth &&
	       c->byte_size == wp_compound_lay_out(c->child_count, c->node_count).end && c->reserved == 0;
}

static bool is_box(const float lower[3], const float upper[3])
{
	bool is = true;
	for (int k = 0; k < 3; k++)
		is &= wp_is_coordinate(lower[k]) && wp_is_coordinate(upper[k]) && lower[k] <= upper[k];
	return is;
}

/* Whether a box holds another one. */
static bool holds(const float lower[3], const float upper[3], const float lower_in[3], const float upper_in[3])
{
	bool is = true;
	for (int k = 0; k < 3; k++)
		is &= lower[k] <= lower_in[k] && upper[k] >= upper_in[k];
	return is;
}

/* Children with poses and boxes, each with a place of its own. */
static bool are_parts(const wp_compound_view *view)
{
	const wp_compound *const c = view->compound;
	bool fine = true;
	for (uint32_t i = 0; i < c->child_count; i++) {
		const wp_compound_part *const part = &view->parts[i];
		fine &= is_box(part->lower, part->upper) && wp_compound_pose_holds(&part->child);
		fine &= !wp_is_negative(part->reach) && part->reach <= c->reach;
		fine &= view->places[i] < c->child_count && view->sources[view->places[i]] == i;
	}
	return fine && wp_is_coordinate(c->reach);
}

/* Whether a node of the tree that build.c makes of so many children is at its place, and its box holds what is in it. */
static bool is_node(const wp_compound_view *view, uint32_t index, uint32_t first, uint32_t count, uint32_t next)
{
	const wp_compound_node *const node = &view->nodes[index];
	if (!is_box(node->lower, node->upper))
		return false;
	if (count > WP_COMPOUND_LEAF) {
		if (node->count != 0 || node->first != next)
			return false;
		const wp_compound_node *const a = &view->nodes[next], *const b = &view->nodes[next + 1];
		return holds(node->lower, node->upper, a->lower, a->upper) &&
		       holds(node->lower, node->upper, b->lower, b->upper);
	}
	bool fine = node->first == first && node->count == count;
	for (uint32_t i = first; i < first + count; i++)
		fine &= holds(node->lower, node->upper, view->parts[i].lower, view->parts[i].upper);
	return fine;
}

typedef struct range {
	uint32_t node, first, count;
} range;

static bool is_tree(const wp_compound_view *view)
{
	const wp_compound *const c = view->compound;
	range stack[WP_COMPOUND_DEPTH_MAX + 1];
	uint32_t waiting = 0, next = 1;
	stack[waiting++] = (range){0, 0, c->child_count};
	while (waiting != 0) {
		const range r = stack[--waiting];
		if (!is_node(view, r.node, r.first, r.count, next))
			return false;
		if (r.count <= WP_COMPOUND_LEAF)
			continue;
		const uint32_t half = r.count / 2;
		stack[waiting++] = (range){next + 1, r.first + half, r.count - half};
		stack[waiting++] = (range){next, r.first, half};
		next += 2;
	}
	return memcmp(c->lower, view->nodes[0].lower, sizeof c->lower) == 0 &&
	       memcmp(c->upper, view->nodes[0].upper, sizeof c->upper) == 0;
}

wp_error wp_compound_from_memory(const void *memory, size_t size, const wp_compound **compound)
{
	if (compound == NULL)
		return WP_ERROR_NULL_COMPOUND;
	*compound = NULL;
	if (memory == NULL)
		return WP_ERROR_NULL_MEMORY;
	if (!wp_is_aligned(memory, WP_ALIGNMENT))
		return WP_ERROR_MEMORY_MISALIGNED;
	const wp_compound *const found = memory;
	if (size < sizeof *found || !is_header(found) || found->byte_size > size ||
		found->checksum != wp_compound_checksum(found))
		return WP_ERROR_COMPOUND_CORRUPT;
	const wp_compound_view view = wp_compound_view_of(found);
	const wp_environment before = wp_environment_enter();
	const bool intact = are_parts(&view) && is_tree(&view);
	wp_environment_leave(before);
	if (!intact)
		return WP_ERROR_COMPOUND_CORRUPT;
	*compound = found;
	return WP_OK;
}

/* ---- shapes ------------------------------------------------------------------------------------- */

/* Whether the shape of a child is as large as when its compound was built, or smaller. */
static bool fits(const wp_compound_part *part, const wp_shape_table *shapes)
{
	wp_compound_part now;
	return wp_compound_part_of(&part->child, shapes, &now) == WP_OK && now.reach <= part->reach &&
	       holds(part->lower, part->upper, now.lower, now.upper);
}

wp_error wp_compound_check(const wp_compound *compound, const wp_shape_table *shapes, size_t *bad_child)
{
	if (compound == NULL)
		return WP_ERROR_NULL_COMPOUND;
	if (shapes == NULL)
		return WP_ERROR_NULL_SHAPES;
	if (!wp_is_table(shapes, WP_3D))
		return WP_ERROR_SHAPE_TABLE_INVALID;
	const wp_compound_view view = wp_compound_view_of(compound);
	const wp_environment before = wp_environment_enter();
	uint32_t i = 0;
	while (i < compound->child_count && fits(wp_compound_part_at(&view, i), shapes))
		i++;
	wp_environment_leave(before);
	if (i == compound->child_count)
		return WP_OK;
	if (bad_child != NULL)
		*bad_child = i;
	return WP_ERROR_COMPOUND_SHAPE;
}
