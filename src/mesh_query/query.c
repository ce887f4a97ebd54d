/* The calls: arguments checked, rows under way as many as there are places, in rounds. */
#include "core/environment.h"
#include "mesh_query/internal.h"

/* Triangles of a row in a round: further ones are often left out after it. */
#define PER_ROUND 4

/* ---- rows --------------------------------------------------------------------------------------- */

/* The room that answers of a body leave: a few times what they may be off. */
static double share_of(const wp_core *core)
{
	return core->kind == WP_CORE_SMOOTH ? 2 * WP_CONTRACT_SMOOTH_WIDE : 4 * WP_CONTRACT;
}

/* Where the body of a row is. One that turns on its way is the ball around it. */
static void box_row(wp_mesh_asked *row)
{
	const wp_mesh_box box = wp_mesh_box_around(&row->body, 0);
	double origin[3];
	wp_d3_put(row->body.origin, origin);
	for (int k = 0; k < 3; k++) {
		const double reach = (1 + WP_WALK_SLACK) * row->body.reach;
		row->lower[k] = row->motion.body_turns ? wp_round_down(origin[k] - reach) : box.lower[k];
		row->upper[k] = row->motion.body_turns ? -wp_round_down(-(origin[k] + reach)) : box.upper[k];
	}
	row->axes = wp_d33_of_rotation(row->body.rotation);
}

/* Begin a row at a place. Where it is answered at once, it is written. */
static void begin_row(const wp_mesh_ask *ask, uint32_t number, uint32_t place)
{
	wp_mesh_asked *const row = &ask->workspace->asked.row[place];
	wp_side a = {0}, b = {0};
	memset(row, 0, sizeof *row);
	uint32_t invalid = wp_mesh_read_row(&ask->rows, number, &a, &b, &row->body);
	if (invalid == 0)
		invalid = wp_asked_read_motion(ask, &a, &b, row);
	if (invalid != 0) {
		wp_asked_write_invalid(ask, number, invalid);
		return;
	}
	if (ask->query == WP_ASKED_CAST && wp_asked_cast_point(ask, row)) {
		wp_asked_write_row(ask, row);
		return;
	}
	box_row(row);
	row->share = share_of(row->body.core);
	row->limit = ask->query == WP_ASKED_DISTANCE ? ask->max_distance : ask->query == WP_ASKED_CAST ? 1 : 0;
	row->proven = row->limit;
	row->lowest = WP_INFINITY;
	row->is_open = true;
	wp_asked_walk(ask, place);
}

/* Put the next triangles of a row into the ring, as long as there is room. */
static void push_some(const wp_mesh_ask *ask, uint32_t place)
{
	wp_asked_memory *const memory = &ask->workspace->asked;
	wp_mesh_asked *const row = &memory->row[place];
	uint32_t next = 0;
	for (uint32_t pushed = 0; next < row->found_count && pushed < PER_ROUND; next++) {
		if (!wp_asked_counts(ask, row, &row->found[next]))
			continue;
		if (memory->count == memory->capacity)
			break;
		wp_asked_push(ask, place, &row->found[next]);
		pushed++;
	}
	row->found_count -= next;
	memmove(row->found, row->found + next, row->found_count * sizeof *row->found);
}

static bool has_none(const wp_mesh_ask *ask)
{
	for (uint32_t place = 0; place < WP_ASKED_ROWS; place++)
		if (ask->workspace->asked.row[place].is_open)
			return false;
	return true;
}

static void run_rows(const wp_mesh_ask *ask, uint32_t count)
{
	wp_asked_memory *const memory = &ask->workspace->asked;
	uint32_t next = 0;
	do {
		for (uint32_t place = 0; place < WP_ASKED_ROWS; place++)
			while (!memory->row[place].is_open && next < count)
				begin_row(ask, next++, place);
		for (uint32_t place = 0; place < WP_ASKED_ROWS; place++)
			if (memory->row[place].is_open)
				push_some(ask, place);
		wp_asked_run_ring(ask);
		for (uint32_t place = 0; place < WP_ASKED_ROWS; place++) {
			wp_mesh_asked *const row = &memory->row[place];
			if (!row->is_open || row->found_count != 0)
				continue;
			wp_asked_write_row(ask, row);
			row->is_open = false;
		}
	} while (next < count || !has_none(ask));
}

/* ---- the calls ---------------------------------------------------------------------------------- */

/* What a call asks besides its batch. */
typedef struct wanted {
	wp_asked_query query;
	float max_distance;
	const wp_motions *motions_a, *motions_b;
	const wp_float_column *fraction;
	const wp_uint32_column *triangle;
} wanted;

static wp_error check(const wp_workspace *workspace, const wp_mesh_batch *batch, const wanted *w,
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
	if (!(w->max_distance >= 0.0f))
		return WP_ERROR_MAX_DISTANCE;
	if (batch->count == 0)
		return WP_OK;
	if (batch->meshes == NULL && batch->mesh_count != 0)
		return WP_ERROR_NULL_MESHES;
	if (batch->height_fields == NULL && batch->height_field_count != 0)
		return WP_ERROR_NULL_HEIGHT_FIELDS;
	if (batch->b.position.data == NULL)
		return WP_ERROR_BODIES_B_POSITION;
	if (w->triangle != NULL && WP_IS_SHORT(*w->triangle, sizeof(uint32_t)))
		return WP_ERROR_TRIANGLE_STRIDE;
	if (w->fraction != NULL && WP_IS_SHORT(*w->fraction, sizeof(float)))
		return WP_ERROR_FRACTION_STRIDE;
	return wp_check_motions(w->motions_a, w->motions_b, WP_3D);
}

/* The memory of the calls: no row is open. */
static void begin(wp_asked_memory *memory, uint32_t capacity)
{
	memory->table = (wp_shape_table){
		.magic = WP_SHAPE_TABLE_MAGIC, .count = WP_ASKED_RING + WP_ASKED_ROWS, .cores = memory->core};
	memory->count = 0;
	memory->capacity = capacity;
	for (uint32_t i = 0; i < WP_ASKED_ROWS; i++)
		memory->row[i].is_open = false;
	for (uint32_t i = 0; i < WP_ASKED_RING + WP_ASKED_ROWS; i++)
		memory->core[i] = (wp_core){.kind = WP_CORE_INVALID};
}

static void run(wp_workspace *workspace, const wp_mesh_batch *batch, const wanted *w, const wp_results *results,
	const wp_request *request, wp_mesh_statistics *statistics, uint32_t capacity)
{
	const wp_batch plain = wp_mesh_plain_batch(batch);
	wp_mesh_statistics unused = {0};
	wp_mesh_ask ask = {.workspace = workspace,
		.query = w->query,
		.rows = {.workspace = workspace,
			.call = wp_make_call(&plain, results, request),
			.meshes = batch->meshes,
			.fields = batch->height_fields,
			.mesh_count = batch->mesh_count,
			.field_count = batch->height_field_count},
		.max_distance = (double)w->max_distance,
		.motions = {wp_motions_with_strides(w->motions_a, WP_3D), wp_motions_with_strides(w->motions_b, WP_3D)},
		.statistics = statistics != NULL ? statistics : &unused};
	if (w->triangle != NULL)
		ask.triangle = (wp_uint32_column){w->triangle->data, wp_or_packed(w->triangle->stride, sizeof(uint32_t))};
	if (w->fraction != NULL)
		ask.rows.call.fraction = (wp_float_column){w->fraction->data, wp_or_packed(w->fraction->stride, sizeof(float))};
	begin(&workspace->asked, capacity);
	run_rows(&ask, (uint32_t)batch->count);
}

static wp_error check_and_run(wp_workspace *workspace, const wp_mesh_batch *batch, const wanted *w,
	const wp_results *results, wp_mesh_statistics *statistics, uint32_t capacity)
{
	const wp_query query = w->query == WP_ASKED_OVERLAP ? WP_QUERY_OVERLAP : WP_QUERY_DISTANCE;
	const wp_request request = {.dimension = WP_3D, .query = query};
	const wp_environment before = wp_environment_enter();
	const wp_error error = check(workspace, batch, w, results, &request);
	if (error == WP_OK && batch->count != 0)
		run(workspace, batch, w, results, &request, statistics, capacity);
	wp_environment_leave(before);
	return error;
}

wp_error wp_mesh_overlap_in(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_results *results,
	const wp_uint32_column *triangle, wp_mesh_statistics *statistics, uint32_t capacity)
{
	const wanted w = {.query = WP_ASKED_OVERLAP, .triangle = triangle};
	return check_and_run(workspace, batch, &w, results, statistics, capacity);
}

wp_error wp_mesh_overlap(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_results *results,
	const wp_uint32_column *triangle, wp_mesh_statistics *statistics)
{
	return wp_mesh_overlap_in(workspace, batch, results, triangle, statistics, WP_ASKED_RING);
}

wp_error wp_mesh_distance_in(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_mesh_distance_options *options, const wp_results *results, const wp_uint32_column *triangle,
	wp_mesh_statistics *statistics, uint32_t capacity)
{
	wanted w = {.query = WP_ASKED_DISTANCE, .max_distance = WP_INFINITY, .triangle = triangle};
	if (options != NULL && options->max_distance != 0.0f)
		w.max_distance = options->max_distance;
	return check_and_run(workspace, batch, &w, results, statistics, capacity);
}

wp_error wp_mesh_distance(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_mesh_distance_options *options,
	const wp_results *results, const wp_uint32_column *triangle, wp_mesh_statistics *statistics)
{
	return wp_mesh_distance_in(workspace, batch, options, results, triangle, statistics, WP_ASKED_RING);
}

wp_error wp_mesh_cast_in(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_results *results, const wp_float_column *fraction,
	const wp_uint32_column *triangle, wp_mesh_statistics *statistics, uint32_t capacity)
{
	const wanted w = {.query = WP_ASKED_CAST,
		.motions_a = motions_a,
		.motions_b = motions_b,
		.fraction = fraction,
		.triangle = triangle};
	return check_and_run(workspace, batch, &w, results, statistics, capacity);
}

wp_error wp_mesh_cast(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_results *results, const wp_float_column *fraction,
	const wp_uint32_column *triangle, wp_mesh_statistics *statistics)
{
	return wp_mesh_cast_in(
		workspace, batch, motions_a, motions_b, results, fraction, triangle, statistics, WP_ASKED_RING);
}
