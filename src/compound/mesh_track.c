/* Frames of tracked pairs of compounds and meshes: a compound is one body, which has one answer and one box without triangles. */
#include "compound/internal.h"
#include "mesh_contact/internal.h"

/* Of the size of children: by how much the box around a compound is taken larger, some times what the boxes around its children
 * are. */
#define BOX_SLACK (4 * WP_WALK_SLACK)

/* Of the coordinates of a box, and of the positions it follows from: some times their rounding in double. */
#define BOX_ROUNDING 0x1p-48

/* How far along the axes of the mesh a box of the compound's frame reaches from its middle, both ways. */
static wp_d3 half_in_mesh(const wp_d3 side[3])
{
	wp_d3 half = wp_d3_zero();
	for (int k = 0; k < 3; k++)
		half = wp_d3_add(half, wp_d3_of(wp_abs(side[k].x), wp_abs(side[k].y), wp_abs(side[k].z)));
	return half;
}

/* A box of the mesh's frame that holds those in which triangles of the children are searched, as long as the children are in
 * their boxes of the compound. */
static wp_mesh_box box_around(const wp_mesh_tracked_whole *whole)
{
	const wp_compound_mesh_row *const r = whole->row;
	const wp_compound *const c = r->compound;
	const wp_dq turn_a = wp_dq_of_rotation(r->a.rotation), turn_b = wp_dq_of_rotation(r->b.rotation);
	const wp_d3 position = wp_d3_at(r->a.position), way = wp_d3_sub(position, wp_d3_at(r->b.position));
	double middle[3], half[3];
	wp_d3 side[3];
	for (int k = 0; k < 3; k++) {
		double along[3] = {0, 0, 0};
		along[k] = ((double)c->upper[k] - (double)c->lower[k]) / 2;
		side[k] = wp_dq_turn_back(turn_b, wp_dq_turn(turn_a, wp_d3_at(along)));
		middle[k] = ((double)c->lower[k] + (double)c->upper[k]) / 2;
	}
	wp_d3_put(wp_dq_turn_back(turn_b, wp_d3_add(way, wp_dq_turn(turn_a, wp_d3_at(middle)))), middle);
	wp_d3_put(half_in_mesh(side), half);
	const double size = whole->reach + (double)c->reach,
				 far = wp_mesh_sum_of_abs(position) + wp_mesh_sum_of_abs(way) + size;
	const double more = (double)whole->call->call.max_separation + BOX_SLACK * size + BOX_ROUNDING * far;
	wp_mesh_box box;
	for (int k = 0; k < 3; k++) {
		box.lower[k] = wp_round_down(middle[k] - half[k] - more);
		box.upper[k] = -wp_round_down(-(middle[k] + half[k] + more));
	}
	return box;
}

/* They may have been replaced by larger ones. */
static bool is_in_bounds(const wp_mesh_tracked_whole *whole)
{
	const wp_compound_mesh_row *const r = whole->row;
	return wp_compound_check(r->compound, whole->call->call.shapes, NULL) == WP_OK;
}

static bool run_whole(const wp_mesh_tracked_whole *whole)
{
	const wp_compound_mesh_row *const r = whole->row;
	return wp_compound_run_mesh_row(whole->call, r->compound, &r->a, &r->b, &r->row);
}

static void track_compound(const wp_mesh_call *call, size_t at, wp_compound_mesh_row *r)
{
	const wp_mesh_tracked_whole whole = {.number = wp_compound_number(r->compound, call->call.shapes),
		.reach = wp_compound_reach_of_box(r->compound->lower, r->compound->upper),
		.box_around = box_around,
		.is_in_bounds = is_in_bounds,
		.run = run_whole,
		.call = call,
		.row = r};
	wp_mesh_track_whole(call, at, &r->a, &r->b, &r->row, &whole);
}

static void run_row(const wp_mesh_call *call, uint32_t number)
{
	const wp_mesh_frame *const frame = call->frame;
	const size_t at = wp_mesh_tracked_of_row(call, number);
	wp_compound_mesh_row r;
	if (at >= frame->tracked.count ||
		!wp_compound_read_mesh_row(call, frame->compounds, frame->compound_count, number, &r))
		wp_mesh_track_row(call, number);
	else if (r.invalid == 0)
		track_compound(call, at, &r);
	else
		wp_mesh_write_invalid(call, number, r.invalid | WP_STATUS_INVALID);
}

wp_error wp_compound_mesh_track_in(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_compound *const *compounds, size_t compound_count, const wp_mesh_track_options *options,
	const wp_mesh_tracked_pairs *tracked, uint32_t *tracked_children, const wp_mesh_results *results,
	const wp_uint32_column *children, wp_track_changes *changes, wp_mesh_statistics *statistics, uint32_t capacity)
{
	wp_mesh_frame frame;
	wp_error error = wp_mesh_begin_frame(&frame, options, tracked, results, changes);
	if (error != WP_OK)
		return error;
	if (tracked_children == NULL)
		return WP_ERROR_NULL_TRACKED_CHILDREN;
	if (compounds == NULL && compound_count != 0)
		return WP_ERROR_NULL_COMPOUNDS;
	frame.run_row = run_row;
	frame.compounds = compounds;
	frame.compound_count = compound_count;
	frame.kept_children = tracked_children;
	error = wp_compound_name_children(&frame, children, frame.tracked.patch_max);
	return error == WP_OK ? wp_mesh_run_frame(workspace, batch, options, results, statistics, capacity, &frame) : error;
}

wp_error wp_compound_mesh_track(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_compound *const *compounds, size_t compound_count, const wp_mesh_track_options *options,
	const wp_mesh_tracked_pairs *tracked, uint32_t *tracked_children, const wp_mesh_results *results,
	const wp_uint32_column *children, wp_track_changes *changes, wp_mesh_statistics *statistics)
{
	return wp_compound_mesh_track_in(workspace, batch, compounds, compound_count, options, tracked, tracked_children,
		results, children, changes, statistics, WP_MESH_RING);
}
