/* Overlaps, distances and casts of compounds and meshes: each child is a body of its own, and all children of a row share what
 * is known of its answer, so that a child is left alone as soon as it cannot have it. */
#include "compound/internal.h"
#include "mesh_query/internal.h"

/* A row with a compound, of which children are to come. */
struct wp_mesh_query_whole {
	wp_compound_mesh_row read; /* counted from `position` on */
	double position[3];
	wp_compound_view view;
	wp_mesh_query_ways ways;
	uint32_t next;                /* child */
	wp_mesh_query_answer *answer; /* NULL: there is no such row */
};

/* Whether all children have shapes that meshes have answers of. */
static bool have_answers(const wp_mesh_ask *ask, const wp_compound_view *view)
{
	bool have = true;
	for (uint32_t i = 0; i < view->compound->child_count; i++) {
		const wp_core *const core = wp_core_of_table(ask->rows.call.shapes, view->parts[i].child.shape);
		have &= core != NULL && core->kind < WP_CORE_HALF_SPACE;
	}
	return have;
}

/* Begin a row. False where it has no children to come: it is written, or its body is convex. */
static bool begin_whole(const wp_mesh_ask *ask, uint32_t number, uint32_t place)
{
	const wp_mesh_query_frame *const frame = ask->frame;
	struct wp_mesh_query_whole *const whole = frame->whole;
	wp_compound_mesh_row *const r = &whole->read;
	if (!wp_compound_read_mesh_row(&ask->rows, frame->compounds, frame->compound_count, number, r)) {
		wp_mesh_query_begin_row(ask, number, place);
		return false;
	}
	if (r->invalid == 0) {
		whole->view = wp_compound_view_of(r->compound);
		r->invalid = have_answers(ask, &whole->view) ? 0 : WP_STATUS_INVALID_SHAPE_A;
	}
	if (r->invalid == 0)
		r->invalid = wp_mesh_query_read_ways(ask, &r->a, &r->b, &whole->ways);
	if (r->invalid != 0) {
		wp_mesh_query_write_invalid(ask, number, r->invalid);
		return false;
	}
	wp_compound_count_from_a(&r->a, &r->b, whole->position);
	whole->next = 0;
	whole->answer = wp_mesh_query_new_answer(ask, number, place);
	return true;
}

/* A child of a compound that turns goes with it; its points are counted from the compound's position on. */
static void begin_child(const wp_mesh_ask *ask, const struct wp_mesh_query_whole *whole, uint32_t place)
{
	wp_mesh_asked *const row = &ask->workspace->asked.row[place];
	const wp_side *const a = &whole->read.a, *const b = &whole->read.b;
	wp_side side;
	memset(row, 0, sizeof *row);
	row->answer = whole->answer;
	row->body = whole->read.row;
	row->body.part = &wp_compound_part_at(&whole->view, whole->next)->child;
	row->body.child = whole->next;
	wp_compound_place_child(row->body.part, a, &side);
	wp_mesh_place_row(&ask->rows, &side, b, &row->body);
	const wp_side *const from = whole->ways.body_turns ? a : &side;
	for (int k = 0; k < 3; k++)
		row->body.position[k] = whole->position[k] + from->position[k];
	wp_mesh_query_put_motion(ask, from, b, &whole->ways, row);
	wp_mesh_query_begin_body(ask, place);
}

/* Whether a child after those that have begun may have the answer: none does where one of them touches already, but that the
 * least separation counts of casts. */
static bool has_more(const wp_mesh_ask *ask, const struct wp_mesh_query_whole *whole)
{
	return !wp_mesh_query_is_least(ask, &whole->answer->choice) && whole->next < whole->view.compound->child_count;
}

static bool begin(const wp_mesh_ask *ask, uint32_t number, uint32_t place)
{
	struct wp_mesh_query_whole *const whole = ask->frame->whole;
	if (whole->answer == NULL && !begin_whole(ask, number, place))
		return false;
	begin_child(ask, whole, place);
	whole->next++;
	if (has_more(ask, whole))
		return true;
	wp_mesh_query_leave(ask, whole->answer);
	whole->answer = NULL;
	return false;
}

/* ---- the calls ---------------------------------------------------------------------------------- */

wp_error wp_compound_mesh_ask(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_compound *const *compounds,
	size_t compound_count, const wp_mesh_query_request *request, const wp_results *results,
	wp_mesh_statistics *statistics, uint32_t capacity)
{
	struct wp_mesh_query_whole whole = {.answer = NULL};
	wp_mesh_query_frame frame = {
		.begin = begin, .compounds = compounds, .compound_count = compound_count, .whole = &whole};
	if (compounds == NULL && compound_count != 0)
		return WP_ERROR_NULL_COMPOUNDS;
	return wp_mesh_query_run(workspace, batch, request, results, statistics, capacity, &frame);
}

wp_error wp_compound_mesh_overlap(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_compound *const *compounds, size_t compound_count, const wp_results *results,
	const wp_uint32_column *child, const wp_uint32_column *triangle, wp_mesh_statistics *statistics)
{
	const wp_mesh_query_request r = {.query = WP_MESH_QUERY_OVERLAP, .child = child, .triangle = triangle};
	return wp_compound_mesh_ask(
		workspace, batch, compounds, compound_count, &r, results, statistics, WP_MESH_QUERY_RING);
}

wp_error wp_compound_mesh_distance(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_compound *const *compounds, size_t compound_count, const wp_mesh_distance_options *options,
	const wp_results *results, const wp_uint32_column *child, const wp_uint32_column *triangle,
	wp_mesh_statistics *statistics)
{
	const wp_mesh_query_request r = {.query = WP_MESH_QUERY_DISTANCE,
		.max_distance = options != NULL ? options->max_distance : 0.0f,
		.child = child,
		.triangle = triangle};
	return wp_compound_mesh_ask(
		workspace, batch, compounds, compound_count, &r, results, statistics, WP_MESH_QUERY_RING);
}

wp_error wp_compound_mesh_cast(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_compound *const *compounds,
	size_t compound_count, const wp_motions *motions_a, const wp_motions *motions_b, const wp_results *results,
	const wp_float_column *fraction, const wp_uint32_column *child, const wp_uint32_column *triangle,
	wp_mesh_statistics *statistics)
{
	const wp_mesh_query_request r = {.query = WP_MESH_QUERY_CAST,
		.motions_a = motions_a,
		.motions_b = motions_b,
		.fraction = fraction,
		.child = child,
		.triangle = triangle};
	return wp_compound_mesh_ask(
		workspace, batch, compounds, compound_count, &r, results, statistics, WP_MESH_QUERY_RING);
}
