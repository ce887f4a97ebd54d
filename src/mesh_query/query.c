/* The calls: arguments checked, rows under way as many as there are places, in rounds. */
#include "core/environment.h"
#include "mesh_query/internal.h"

/* Triangles of a row in a round: further ones are often left out after it. Of a cast fewer: its keys are near its answers; and of a
 * child: its answer leaves out triangles of others. */
#define PER_ROUND 4
#define PER_ROUND_OF_CAST 2
#define PER_ROUND_OF_CHILD 1

/* ---- rows --------------------------------------------------------------------------------------- */

/* Each open row has one at most, and a compound whose children are to come. */
wp_mesh_query_answer *wp_mesh_query_new_answer(const wp_mesh_ask *ask, uint32_t number, uint32_t place)
{
	wp_mesh_query_memory *const memory = &ask->workspace->asked;
	uint32_t at = place;
	while (memory->answer[at].bodies != 0)
		at = at < WP_MESH_QUERY_ROWS ? at + 1 : 0;
	wp_mesh_query_answer *const answer = &memory->answer[at];
	*answer = (wp_mesh_query_answer){.row = number};
	answer->bodies = 1;
	answer->choice.limit = ask->query == WP_MESH_QUERY_DISTANCE ? ask->max_distance
	                     : ask->query == WP_MESH_QUERY_CAST     ? 1
	                                                            : 0;
	answer->choice.lowest = WP_INFINITY;
	return answer;
}

void wp_mesh_query_leave(const wp_mesh_ask *ask, wp_mesh_query_answer *answer)
{
	if (--answer->bodies == 0)
		wp_mesh_query_write_row(ask, answer);
}

void wp_mesh_query_begin_row(const wp_mesh_ask *ask, uint32_t number, uint32_t place)
{
	wp_mesh_asked *const row = &ask->workspace->asked.row[place];
	wp_side a = {0}, b = {0};
	wp_mesh_query_ways ways;
	memset(row, 0, sizeof *row);
	uint32_t invalid = wp_mesh_read_row(&ask->rows, number, &a, &b, &row->body);
	if (invalid == 0)
		invalid = wp_mesh_query_read_ways(ask, &a, &b, &ways);
	if (invalid != 0) {
		wp_mesh_query_write_invalid(ask, number, invalid);
		return;
	}
	row->answer = wp_mesh_query_new_answer(ask, number, place);
	wp_mesh_query_put_motion(ask, &a, &b, &ways, row);
	wp_mesh_query_begin_body(ask, place);
	wp_mesh_query_leave(ask, row->answer);
}

/* Begin a row, or the next child of one. False where no more of that row is to come. */
static bool begin_next(const wp_mesh_ask *ask, uint32_t number, uint32_t place)
{
	if (ask->frame != NULL)
		return ask->frame->begin(ask, number, place);
	wp_mesh_query_begin_row(ask, number, place);
	return false;
}

/* Whether a body's triangles are to be asked now. Of the children of a compound that goes straight first those of the one that may
 * hit the soonest: the answer leaves out most of the others. */
static bool is_next(const wp_mesh_ask *ask, const wp_mesh_asked *row)
{
	const wp_mesh_query_memory *const memory = &ask->workspace->asked;
	const bool waits = ask->query == WP_MESH_QUERY_CAST && row->body.part != NULL && !row->motion.is_bent;
	for (uint32_t place = 0; waits && place < WP_MESH_QUERY_ROWS; place++) {
		const wp_mesh_asked *const other = &memory->row[place];
		if (other->is_open && other->answer == row->answer && other->found_count != 0 &&
			other->found[0].key < row->found[0].key)
			return false;
	}
	return true;
}

/* Triangles of a row that go into the ring in one round. */
static uint32_t per_round(const wp_mesh_ask *ask, const wp_mesh_asked *row)
{
	return row->body.part != NULL           ? PER_ROUND_OF_CHILD
	     : ask->query == WP_MESH_QUERY_CAST ? PER_ROUND_OF_CAST
	                                        : PER_ROUND;
}

static bool has_none(const wp_mesh_ask *ask)
{
	for (uint32_t place = 0; place < WP_MESH_QUERY_ROWS; place++)
		if (ask->workspace->asked.row[place].is_open)
			return false;
	return true;
}

static void run_rows(const wp_mesh_ask *ask, uint32_t count)
{
	wp_mesh_query_memory *const memory = &ask->workspace->asked;
	uint32_t next = 0;
	do {
		for (uint32_t place = 0; place < WP_MESH_QUERY_ROWS; place++)
			while (!memory->row[place].is_open && next < count)
				next += begin_next(ask, next, place) ? 0 : 1;
		for (uint32_t place = 0; place < WP_MESH_QUERY_ROWS; place++)
			if (memory->row[place].is_open && is_next(ask, &memory->row[place]))
				(void)wp_mesh_query_push_found(ask, place, per_round(ask, &memory->row[place]));
		wp_mesh_query_run_ring(ask);
		for (uint32_t place = 0; place < WP_MESH_QUERY_ROWS; place++) {
			wp_mesh_asked *const row = &memory->row[place];
			if (!row->is_open || row->found_count != 0)
				continue;
			row->is_open = false;
			wp_mesh_query_leave(ask, row->answer);
		}
	} while (next < count || !has_none(ask));
}

/* ---- the calls ---------------------------------------------------------------------------------- */

static wp_error check(const wp_workspace *workspace, const wp_mesh_batch *batch, const wp_mesh_query_request *r,
	const wp_results *results, const wp_request *request)
{
	if (workspace == NULL)
		return WP_ERROR_NULL_WORKSPACE;
	if (batch == NULL)
		return WP_ERROR_NULL_BATCH;
	const wp_batch plain = wp_mesh_plain_batch(batch);
	const wp_error error = wp_check_call(workspace, &plain, results, request);
	if (error != WP_OK)
		return error;
	if (!wp_is_length(r->max_distance))
		return WP_ERROR_MAX_DISTANCE;
	if (batch->count == 0)
		return WP_OK;
	if (batch->meshes == NULL && batch->mesh_count != 0)
		return WP_ERROR_NULL_MESHES;
	if (batch->height_fields == NULL && batch->height_field_count != 0)
		return WP_ERROR_NULL_HEIGHT_FIELDS;
	if (batch->b.position.data == NULL)
		return WP_ERROR_BODIES_B_POSITION;
	if (r->triangle != NULL && WP_IS_SHORT(*r->triangle, sizeof(uint32_t)))
		return WP_ERROR_TRIANGLE_STRIDE;
	if (r->child != NULL && WP_IS_SHORT(*r->child, sizeof(uint32_t)))
		return WP_ERROR_CHILD_A_STRIDE;
	if (r->fraction != NULL && WP_IS_SHORT(*r->fraction, sizeof(float)))
		return WP_ERROR_FRACTION_STRIDE;
	return wp_check_motions(r->motions_a, r->motions_b, WP_3D);
}

/* The memory of the calls: no row is open. */
static void begin(wp_mesh_query_memory *memory, uint32_t capacity)
{
	memory->table = (wp_shape_table){
		.magic = WP_SHAPE_TABLE_MAGIC, .count = WP_MESH_QUERY_RING + WP_MESH_QUERY_ROWS, .cores = memory->core};
	memory->count = 0;
	memory->capacity = capacity;
	for (uint32_t i = 0; i < WP_MESH_QUERY_ROWS; i++)
		memory->row[i].is_open = false;
	memset(memory->answer, 0, sizeof memory->answer);
	memset(memory->mount, 0, sizeof memory->mount);
	for (uint32_t i = 0; i < WP_MESH_QUERY_RING + WP_MESH_QUERY_ROWS; i++)
		memory->core[i] = (wp_core){.kind = WP_CORE_INVALID};
}

static void run(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_mesh_query_request *r,
	const wp_results *results, const wp_request *request, wp_mesh_statistics *statistics, uint32_t capacity,
	wp_mesh_query_frame *frame)
{
	const wp_batch plain = wp_mesh_plain_batch(batch);
	wp_mesh_statistics unused = {0};
	wp_mesh_ask ask = {.workspace = workspace,
		.query = r->query,
		.rows = {.workspace = workspace,
			.call = wp_make_call(&plain, results, request),
			.meshes = batch->meshes,
			.fields = batch->height_fields,
			.mesh_count = batch->mesh_count,
			.field_count = batch->height_field_count},
		/* Compared in the environment of the call: in the caller's, the smallest floats may be zero. */
		.max_distance = (double)(r->max_distance != 0.0f ? r->max_distance : WP_INFINITY),
		.motions = {wp_motions_with_strides(r->motions_a, WP_3D), wp_motions_with_strides(r->motions_b, WP_3D)},
		.statistics = statistics != NULL ? statistics : &unused,
		.frame = frame};
	if (r->triangle != NULL)
		ask.triangle = (wp_uint32_column){r->triangle->data, wp_or_packed(r->triangle->stride, sizeof(uint32_t))};
	if (frame != NULL && r->child != NULL)
		frame->child = (wp_uint32_column){r->child->data, wp_or_packed(r->child->stride, sizeof(uint32_t))};
	if (r->fraction != NULL)
		ask.rows.call.fraction = (wp_float_column){r->fraction->data, wp_or_packed(r->fraction->stride, sizeof(float))};
	begin(&workspace->asked, capacity);
	run_rows(&ask, (uint32_t)batch->count);
}

wp_error wp_mesh_query_run(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_mesh_query_request *r,
	const wp_results *results, wp_mesh_statistics *statistics, uint32_t capacity, wp_mesh_query_frame *frame)
{
	const wp_query query = r->query == WP_MESH_QUERY_OVERLAP ? WP_QUERY_OVERLAP : WP_QUERY_DISTANCE;
	const wp_request request = {.dimension = WP_3D, .query = query};
	const wp_environment before = wp_environment_enter();
	const wp_error error = check(workspace, batch, r, results, &request);
	if (error == WP_OK && batch->count != 0)
		run(workspace, batch, r, results, &request, statistics, capacity, frame);
	wp_environment_leave(before);
	return error;
}

wp_error wp_mesh_overlap_in(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_results *results,
	const wp_uint32_column *triangle, wp_mesh_statistics *statistics, uint32_t capacity)
{
	const wp_mesh_query_request r = {.query = WP_MESH_QUERY_OVERLAP, .triangle = triangle};
	return wp_mesh_query_run(workspace, batch, &r, results, statistics, capacity, NULL);
}

wp_error wp_mesh_overlap(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_results *results,
	const wp_uint32_column *triangle, wp_mesh_statistics *statistics)
{
	return wp_mesh_overlap_in(workspace, batch, results, triangle, statistics, WP_MESH_QUERY_RING);
}

wp_error wp_mesh_distance_in(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_mesh_distance_options *options, const wp_results *results, const wp_uint32_column *triangle,
	wp_mesh_statistics *statistics, uint32_t capacity)
{
	const wp_mesh_query_request r = {.query = WP_MESH_QUERY_DISTANCE,
		.max_distance = options != NULL ? options->max_distance : 0.0f,
		.triangle = triangle};
	return wp_mesh_query_run(workspace, batch, &r, results, statistics, capacity, NULL);
}

wp_error wp_mesh_distance(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_mesh_distance_options *options,
	const wp_results *results, const wp_uint32_column *triangle, wp_mesh_statistics *statistics)
{
	return wp_mesh_distance_in(workspace, batch, options, results, triangle, statistics, WP_MESH_QUERY_RING);
}

wp_error wp_mesh_cast_in(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_results *results, const wp_float_column *fraction,
	const wp_uint32_column *triangle, wp_mesh_statistics *statistics, uint32_t capacity)
{
	const wp_mesh_query_request r = {.query = WP_MESH_QUERY_CAST,
		.motions_a = motions_a,
		.motions_b = motions_b,
		.fraction = fraction,
		.triangle = triangle};
	return wp_mesh_query_run(workspace, batch, &r, results, statistics, capacity, NULL);
}

wp_error wp_mesh_cast(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_results *results, const wp_float_column *fraction,
	const wp_uint32_column *triangle, wp_mesh_statistics *statistics)
{
	return wp_mesh_cast_in(
		workspace, batch, motions_a, motions_b, results, fraction, triangle, statistics, WP_MESH_QUERY_RING);
}
