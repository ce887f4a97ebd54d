/* Boxes of bodies with shapes or compounds: down the tree of the compound, past nodes that the children found so far reach
 * beyond. */
#include "compound/internal.h"
#include "core/environment.h"
#include "motion/bounds.h"
#include "motion/mount.h"

#define STACK_MAX (WP_COMPOUND_DEPTH_MAX + 1)

/* By how much more a child may reach out of its box in the world than out of the box in the compound's frame, relative to its
 * size: its rotation was rounded to floats. */
#define TURN_ROUNDING 1e-6

/* A compound on its way down its tree. */
typedef struct search {
	const wp_shape_table *shapes;
	wp_compound_view view;
	wp_dq rotation;
	wp_d33 axes;
	double rounding; /* TURN_ROUNDING of the largest child */
	wp_extent extent;
} search;

/* Let the extent hold a child. False where its shape does not fit. */
static bool hold_child(search *s, const wp_compound_part *part)
{
	const wp_core *const core = wp_compound_core_of_part(part, s->shapes);
	if (core == NULL)
		return false;
	double place[3];
	float turned[4];
	wp_mount_place(&part->child, wp_d3_zero(), s->rotation, place, turned);
	const wp_d33 axes = wp_d33_of_rotation(turned);
	for (int k = 0; k < 3; k++) {
		const double high = wp_core_reach(core, axes.row[k]) + (double)core->radius;
		const double low = wp_core_reach(core, wp_d3_negate(axes.row[k])) + (double)core->radius;
		wp_extent_hold(&s->extent, k, place[k] + high, low - place[k]);
	}
	return true;
}

static bool holds_box(const search *s, const float lower[3], const float upper[3])
{
	return wp_extent_holds_box(&s->extent, &s->axes, wp_d3_of_floats(lower), wp_d3_of_floats(upper), s->rounding);
}

/* Find the extent of all children. False where a shape does not fit. */
static bool find_extent(search *s)
{
	uint32_t waiting[STACK_MAX], count = 0;
	waiting[count++] = 0;
	while (count != 0) {
		const wp_compound_node *const node = &s->view.nodes[waiting[--count]];
		if (holds_box(s, node->lower, node->upper))
			continue;
		if (node->count == 0) {
			waiting[count++] = node->first + 1;
			waiting[count++] = node->first;
			continue;
		}
		for (uint32_t i = node->first; i < node->first + node->count; i++) {
			const wp_compound_part *const part = &s->view.parts[i];
			if (!holds_box(s, part->lower, part->upper) && !hold_child(s, part))
				return false;
		}
	}
	return true;
}

static void put_compound(
	const wp_bounds_rows *rows, const wp_shape_table *shapes, const wp_compound *compound, const wp_side *side)
{
	search s = {.shapes = shapes,
		.view = wp_compound_view_of(compound),
		.rotation = wp_dq_of_rotation(side->rotation),
		.axes = wp_d33_of_rotation(side->rotation),
		.rounding = TURN_ROUNDING * (double)compound->reach,
		.extent = wp_extent_of_nothing()};
	/* A child's origin may be as far outside of its box as it is large. */
	const double size = wp_compound_reach_of_box(compound->lower, compound->upper) + 2 * (double)compound->reach;
	if (find_extent(&s))
		wp_bounds_put(rows, side->body, side->position, &s.extent, 0, size);
	else
		wp_bounds_put_none(rows, side->body);
}

static void put_body(const wp_bounds_rows *rows, const wp_call *call, const wp_compound_batch *batch, size_t body)
{
	wp_side side = {.body = (uint32_t)body, .has_body = true};
	const uint32_t invalid = wp_read_side(call, WP_3D, call->a.position_real, &call->a, &side);
	if (invalid == 0) {
		wp_bounds_put_core(rows, &call->cores[side.shape], &side);
		return;
	}
	const wp_compound *compound = NULL;
	if (invalid == WP_STATUS_INVALID_SHAPE_A) {
		const uint32_t shape = wp_shape_of_body(&call->a, side.body, side.body * call->a.shape.stride);
		if (shape >= WP_COMPOUND)
			compound = wp_compound_at(batch->compounds, batch->compound_count, shape - WP_COMPOUND);
	}
	if (compound != NULL)
		put_compound(rows, call->shapes, compound, &side);
	else
		wp_bounds_put_none(rows, body);
}

wp_error wp_compound_bodies_bounds(
	const wp_compound_batch *batch, const wp_contact_options *options, const wp_bounds *bounds)
{
	const wp_request request = wp_request_of_contact(WP_3D, options);
	if (batch == NULL)
		return WP_ERROR_NULL_BATCH;
	const wp_batch plain = {.shapes = batch->shapes, .a = batch->a, .first = batch->first, .count = batch->count};
	wp_error error = wp_check_bodies_of(&plain, &request);
	if (error == WP_OK)
		error = wp_bounds_check(bounds, batch->first, batch->count, batch->a.count);
	if (error != WP_OK || batch->count == 0)
		return error;
	if (batch->compounds == NULL && batch->compound_count != 0)
		return WP_ERROR_NULL_COMPOUNDS;
	const wp_environment before = wp_environment_enter();
	const wp_results nowhere = {.separation = {.data = NULL}};
	const wp_call call = wp_make_call(&plain, &nowhere, &request);
	const wp_bounds_rows rows = wp_bounds_rows_of(bounds, call.max_separation);
	for (size_t body = batch->first; body < batch->first + batch->count; body++)
		put_body(&rows, &call, batch, body);
	wp_environment_leave(before);
	return WP_OK;
}
