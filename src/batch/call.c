#include "batch/call.h"
#include "batch/workspace.h"
#include "job/directions.h"
#include "shape/shape_2d.h"

/* ---- the arguments ------------------------------------------------------------------------------ */

bool wp_is_table(const wp_shape_table *shapes, size_t dimension)
{
	const uint64_t magic = dimension == WP_3D ? WP_SHAPE_TABLE_MAGIC : WP2D_SHAPE_TABLE_MAGIC;
	return wp_is_aligned(shapes, WP_ALIGNMENT) && shapes->magic == magic;
}

static bool is_real(uint32_t real) { return real == WP_REAL_FLOAT || real == WP_REAL_DOUBLE; }

static bool is_no_view(const wp_bodies *b)
{
	return b->position == NULL && b->rotation == NULL && b->shape == NULL && b->position_stride == 0 &&
	       b->rotation_stride == 0 && b->shape_stride == 0 && b->count == 0 && b->position_real == 0;
}

bool wp_has_one_view(const wp_batch *batch) { return is_no_view(&batch->b); }

static bool is_short_position(const wp_bodies *bodies, size_t dimension)
{
	return wp_is_short(bodies->position, bodies->position_stride, wp_point_size(bodies->position_real, dimension));
}

static size_t rotation_size(size_t dimension) { return wp_rotation_numbers(dimension) * sizeof(float); }

static wp_error check_bodies_of_b(const wp_bodies *a, const wp_bodies *b, size_t dimension)
{
	if (b->position == NULL)
		return WP_ERROR_BODIES_B_POSITION;
	if (b->rotation == NULL)
		return WP_ERROR_BODIES_B_ROTATION;
	if (b->position_real != a->position_real)
		return WP_ERROR_BODIES_B_REAL;
	if (is_short_position(b, dimension))
		return WP_ERROR_BODIES_B_POSITION_STRIDE;
	if (wp_is_short(b->rotation, b->rotation_stride, rotation_size(dimension)))
		return WP_ERROR_BODIES_B_ROTATION_STRIDE;
	return wp_is_short(b->shape, b->shape_stride, sizeof(uint32_t)) ? WP_ERROR_BODIES_B_SHAPE_STRIDE : WP_OK;
}

static wp_error check_bodies(const wp_bodies *a, const wp_bodies *b, size_t dimension)
{
	if (!is_real(a->position_real))
		return WP_ERROR_BODIES_A_REAL;
	if (a->position == NULL)
		return WP_ERROR_BODIES_A_POSITION;
	if (a->rotation == NULL)
		return WP_ERROR_BODIES_A_ROTATION;
	if (is_short_position(a, dimension))
		return WP_ERROR_BODIES_A_POSITION_STRIDE;
	if (wp_is_short(a->rotation, a->rotation_stride, rotation_size(dimension)))
		return WP_ERROR_BODIES_A_ROTATION_STRIDE;
	if (wp_is_short(a->shape, a->shape_stride, sizeof(uint32_t)))
		return WP_ERROR_BODIES_A_SHAPE_STRIDE;
	return is_no_view(b) ? WP_OK : check_bodies_of_b(a, b, dimension);
}

/* Two arrays whose starts are one index apart are columns of one array of pairs, so they are not packed. */
static wp_error check_pairs(const wp_batch *batch)
{
	const uint32_t *const a = batch->pair_a, *const b = batch->pair_b;
	const size_t stride = batch->pair_stride, end = batch->first + batch->count;
	const bool are_beside = a != NULL && b != NULL && (b == a + 1 || a == b + 1);
	const bool is_short = wp_is_short(a, stride, sizeof *a) || wp_is_short(b, stride, sizeof *b);
	return is_short || (stride == 0 && are_beside && end > 1) ? WP_ERROR_PAIR_STRIDE : WP_OK;
}

wp_error wp_check_motions(const wp_motions *a, const wp_motions *b, size_t dimension)
{
	const size_t way = dimension * sizeof(float), rotation = rotation_size(dimension);
	return a != NULL && wp_is_short(a->translation, a->translation_stride, way) ? WP_ERROR_MOTIONS_A_TRANSLATION_STRIDE
	     : a != NULL && wp_is_short(a->rotation, a->rotation_stride, rotation)  ? WP_ERROR_MOTIONS_A_ROTATION_STRIDE
	     : b != NULL && wp_is_short(b->translation, b->translation_stride, way) ? WP_ERROR_MOTIONS_B_TRANSLATION_STRIDE
	     : b != NULL && wp_is_short(b->rotation, b->rotation_stride, rotation)  ? WP_ERROR_MOTIONS_B_ROTATION_STRIDE
	                                                                            : WP_OK;
}

static wp_error check_method(const wp_batch *batch, bool takes_methods)
{
	const float margin = batch->method_margin;
	const uint32_t directions = batch->method_directions;
	if (batch->method >= WP_METHOD_COUNT)
		return WP_ERROR_METHOD;
	if (batch->method == WP_METHOD_CORE && !(margin >= 0.0f && margin <= WP_COORDINATE_MAX))
		return WP_ERROR_METHOD_MARGIN;
	const bool in_range = directions >= WP_METHOD_DIRECTIONS_MIN && directions <= WP_METHOD_DIRECTIONS_MAX;
	if (batch->method == WP_METHOD_SAMPLED && !in_range)
		return WP_ERROR_METHOD_DIRECTIONS;
	return batch->method != WP_METHOD_AUTO && !takes_methods ? WP_ERROR_METHOD_QUERY : WP_OK;
}

static wp_error check_results(const wp_results *r, size_t dimension)
{
	const size_t number = sizeof(float), vector = dimension * sizeof(float), word = sizeof(uint32_t);
	const size_t point = wp_point_size(r->point_real, dimension);
	const bool has_tangents = dimension == WP_3D;
	return wp_is_short(r->separation, r->separation_stride, number)               ? WP_ERROR_RESULTS_SEPARATION_STRIDE
	     : wp_is_short(r->normal, r->normal_stride, vector)                       ? WP_ERROR_RESULTS_NORMAL_STRIDE
	     : wp_is_short(r->point_a, r->point_a_stride, point)                      ? WP_ERROR_RESULTS_POINT_A_STRIDE
	     : wp_is_short(r->point_b, r->point_b_stride, point)                      ? WP_ERROR_RESULTS_POINT_B_STRIDE
	     : wp_is_short(r->lower, r->lower_stride, number)                         ? WP_ERROR_RESULTS_LOWER_STRIDE
	     : wp_is_short(r->upper, r->upper_stride, number)                         ? WP_ERROR_RESULTS_UPPER_STRIDE
	     : wp_is_short(r->status, r->status_stride, word)                         ? WP_ERROR_RESULTS_STATUS_STRIDE
	     : wp_is_short(r->iterations, r->iterations_stride, word)                 ? WP_ERROR_RESULTS_ITERATIONS_STRIDE
	     : wp_is_short(r->local_a, r->local_a_stride, vector)                     ? WP_ERROR_RESULTS_LOCAL_A_STRIDE
	     : wp_is_short(r->local_b, r->local_b_stride, vector)                     ? WP_ERROR_RESULTS_LOCAL_B_STRIDE
	     : has_tangents && wp_is_short(r->tangent_1, r->tangent_1_stride, vector) ? WP_ERROR_RESULTS_TANGENT_1_STRIDE
	     : has_tangents && wp_is_short(r->tangent_2, r->tangent_2_stride, vector) ? WP_ERROR_RESULTS_TANGENT_2_STRIDE
	     : wp_is_short(r->fraction, r->fraction_stride, number)                   ? WP_ERROR_RESULTS_FRACTION_STRIDE
	                                                                              : WP_OK;
}

wp_error wp_check_call(
	const wp_workspace *workspace, const wp_batch *batch, const wp_results *results, const wp_request *request)
{
	const size_t dimension = request->dimension;
	wp_error error = workspace == NULL                  ? WP_ERROR_NULL_WORKSPACE
	               : batch == NULL                      ? WP_ERROR_NULL_BATCH
	               : results == NULL                    ? WP_ERROR_NULL_RESULTS
	               : !wp_workspace_is_made(workspace)   ? WP_ERROR_WORKSPACE_INVALID
	               : !(request->max_separation >= 0.0f) ? WP_ERROR_MAX_SEPARATION
	               : !is_real(results->point_real)      ? WP_ERROR_RESULTS_REAL
	               : batch->first + batch->count < batch->first || batch->count > UINT32_MAX
	                   ? WP_ERROR_PAIR_RANGE
	                   : check_method(batch, request->takes_methods);
	if (error != WP_OK || batch->count == 0)
		return error;
	if (batch->shapes == NULL)
		return WP_ERROR_NULL_BATCH_SHAPES;
	if (!wp_is_table(batch->shapes, dimension))
		return WP_ERROR_SHAPE_TABLE_INVALID;
	error = check_bodies(&batch->a, &batch->b, dimension);
	if (error == WP_OK)
		error = check_pairs(batch);
	if (error == WP_OK && wp_is_short(batch->cache, batch->cache_stride, sizeof(wp_cache)))
		error = WP_ERROR_CACHE_STRIDE;
	return error == WP_OK ? check_results(results, dimension) : error;
}

/* ---- the call ----------------------------------------------------------------------------------- */

static wp_bodies with_strides(const wp_bodies *bodies, size_t dimension)
{
	wp_bodies b = *bodies;
	b.position_stride = wp_or_packed(b.position_stride, wp_point_size(b.position_real, dimension));
	b.rotation_stride = wp_or_packed(b.rotation_stride, rotation_size(dimension));
	b.shape_stride = wp_or_packed(b.shape_stride, sizeof(uint32_t));
	return b;
}

static void fill_results(wp_results *r, size_t dimension)
{
	const size_t vector = dimension * sizeof(float), point = wp_point_size(r->point_real, dimension);
	r->separation_stride = wp_or_packed(r->separation_stride, sizeof(float));
	r->normal_stride = wp_or_packed(r->normal_stride, vector);
	r->point_a_stride = wp_or_packed(r->point_a_stride, point);
	r->point_b_stride = wp_or_packed(r->point_b_stride, point);
	r->lower_stride = wp_or_packed(r->lower_stride, sizeof(float));
	r->upper_stride = wp_or_packed(r->upper_stride, sizeof(float));
	r->status_stride = wp_or_packed(r->status_stride, sizeof(uint32_t));
	r->iterations_stride = wp_or_packed(r->iterations_stride, sizeof(uint32_t));
	r->overlap_stride = wp_or_packed(r->overlap_stride, sizeof(uint8_t));
	r->local_a_stride = wp_or_packed(r->local_a_stride, vector);
	r->local_b_stride = wp_or_packed(r->local_b_stride, vector);
	r->tangent_1_stride = wp_or_packed(r->tangent_1_stride, vector);
	r->tangent_2_stride = wp_or_packed(r->tangent_2_stride, vector);
	r->fraction_stride = wp_or_packed(r->fraction_stride, sizeof(float));
	if (dimension == WP_2D)
		r->tangent_1 = r->tangent_2 = NULL;
}

static wp_point_rows with_point_strides(const wp_point_rows *rows, size_t dimension)
{
	wp_point_rows m = *rows;
	const size_t point = dimension == WP_3D ? sizeof(wp_manifold_point) : sizeof(wp2d_manifold_point);
	m.count_stride = wp_or_packed(m.count_stride, sizeof(uint32_t));
	m.points_stride = wp_or_packed(m.points_stride, m.point_max * point);
	return m;
}

wp_call wp_make_call(const wp_batch *batch, const wp_results *results, const wp_request *request)
{
	const size_t dimension = request->dimension;
	wp_call call = {.dimension = dimension,
		.shapes = batch->shapes,
		.core_count = batch->shapes->count,
		.a = with_strides(&batch->a, dimension),
		.b = with_strides(wp_has_one_view(batch) ? &batch->a : &batch->b, dimension),
		.pair_a = batch->pair_a,
		.pair_b = batch->pair_b,
		.pair_stride = wp_or_packed(batch->pair_stride, sizeof(uint32_t)),
		.first = batch->first,
		.cache = batch->cache,
		.cache_stride = wp_or_packed(batch->cache_stride, sizeof(wp_cache)),
		.results = *results,
		.query = request->query,
		.max_separation = request->max_separation,
		.method = (wp_job_method)batch->method,
		.margin = batch->method_margin,
		.manifolds = with_point_strides(&request->manifolds, dimension),
		.tracked = request->tracked};
	if (dimension == WP_3D)
		call.cores = batch->shapes->cores;
	else
		call.cores_2d = batch->shapes->cores_2d;
	if (batch->method == WP_METHOD_SAMPLED)
		call.directions = wp_directions_of(batch->method_directions);
	call.tracked.index_stride = wp_or_packed(call.tracked.index_stride, sizeof(uint32_t));
	fill_results(&call.results, dimension);
	return call;
}

const wp_batch *wp_batch_of_2d(const wp2d_batch *batch, wp_batch *memory)
{
	if (batch == NULL)
		return NULL;
	/* A 2D table begins with a 3D one; whether it is a table at all is checked later. */
	*memory = (wp_batch){.shapes = (const wp_shape_table *)(const void *)batch->shapes,
		.a = batch->a,
		.b = batch->b,
		.pair_a = batch->pair_a,
		.pair_b = batch->pair_b,
		.pair_stride = batch->pair_stride,
		.first = batch->first,
		.count = batch->count};
	return memory;
}
