#include "batch/call.h"
#include "batch/workspace.h"

/* ---- the arguments ------------------------------------------------------------------------------ */

static bool is_real(uint32_t real) { return real == WP_REAL_FLOAT || real == WP_REAL_DOUBLE; }

static bool is_no_view(const wp_bodies *b)
{
	return b->position.data == NULL && b->rotation.data == NULL && b->shape.data == NULL && b->position.stride == 0 &&
	       b->rotation.stride == 0 && b->shape.stride == 0 && b->count == 0 && b->position_real == 0;
}

bool wp_has_one_view(const wp_batch *batch) { return is_no_view(&batch->b); }

static bool is_short_position(const wp_bodies *bodies, size_t dimension)
{
	return WP_IS_SHORT(bodies->position, wp_point_size(bodies->position_real, dimension));
}

static size_t rotation_size(size_t dimension) { return wp_rotation_numbers(dimension) * sizeof(float); }

static wp_error check_bodies_of_b(const wp_bodies *a, const wp_bodies *b, size_t dimension)
{
	if (b->position.data == NULL)
		return WP_ERROR_BODIES_B_POSITION;
	if (b->rotation.data == NULL)
		return WP_ERROR_BODIES_B_ROTATION;
	if (b->position_real != a->position_real)
		return WP_ERROR_BODIES_B_REAL;
	if (is_short_position(b, dimension))
		return WP_ERROR_BODIES_B_POSITION_STRIDE;
	if (WP_IS_SHORT(b->rotation, rotation_size(dimension)))
		return WP_ERROR_BODIES_B_ROTATION_STRIDE;
	return WP_IS_SHORT(b->shape, sizeof(uint32_t)) ? WP_ERROR_BODIES_B_SHAPE_STRIDE : WP_OK;
}

static wp_error check_bodies(const wp_bodies *a, const wp_bodies *b, size_t dimension)
{
	if (!is_real(a->position_real))
		return WP_ERROR_BODIES_A_REAL;
	if (a->position.data == NULL)
		return WP_ERROR_BODIES_A_POSITION;
	if (a->rotation.data == NULL)
		return WP_ERROR_BODIES_A_ROTATION;
	if (is_short_position(a, dimension))
		return WP_ERROR_BODIES_A_POSITION_STRIDE;
	if (WP_IS_SHORT(a->rotation, rotation_size(dimension)))
		return WP_ERROR_BODIES_A_ROTATION_STRIDE;
	if (WP_IS_SHORT(a->shape, sizeof(uint32_t)))
		return WP_ERROR_BODIES_A_SHAPE_STRIDE;
	return is_no_view(b) ? WP_OK : check_bodies_of_b(a, b, dimension);
}

/* Two arrays whose starts are one index apart are columns of one array of pairs, so they are not packed. */
static wp_error check_pairs(const wp_batch *batch)
{
	const wp_const_uint32_column *const a = &batch->pair_a, *const b = &batch->pair_b;
	const bool has_more = batch->first + batch->count > 1;
	const bool are_beside = a->data != NULL && b->data != NULL && (b->data == a->data + 1 || a->data == b->data + 1);
	const bool needs_stride = are_beside && has_more;
	return WP_IS_SHORT(*a, sizeof *a->data) || (needs_stride && a->stride == 0) ? WP_ERROR_PAIR_A_STRIDE
	     : WP_IS_SHORT(*b, sizeof *b->data) || (needs_stride && b->stride == 0) ? WP_ERROR_PAIR_B_STRIDE
	                                                                            : WP_OK;
}

wp_error wp_check_motions(const wp_motions *a, const wp_motions *b, size_t dimension)
{
	const size_t way = dimension * sizeof(float), rotation = rotation_size(dimension);
	return a != NULL && WP_IS_SHORT(a->translation, way)   ? WP_ERROR_MOTIONS_A_TRANSLATION_STRIDE
	     : a != NULL && WP_IS_SHORT(a->rotation, rotation) ? WP_ERROR_MOTIONS_A_ROTATION_STRIDE
	     : b != NULL && WP_IS_SHORT(b->translation, way)   ? WP_ERROR_MOTIONS_B_TRANSLATION_STRIDE
	     : b != NULL && WP_IS_SHORT(b->rotation, rotation) ? WP_ERROR_MOTIONS_B_ROTATION_STRIDE
	                                                       : WP_OK;
}

_Static_assert(WP_RESULT_COLUMNS == 14, "each has its strides here");

/* Those of `overlap` are never short. */
static wp_error check_results(const wp_results *r, size_t dimension)
{
	const size_t number = sizeof(float), vector = dimension * sizeof(float), word = sizeof(uint32_t);
	const size_t point = wp_point_size(r->point_real, dimension);
	const bool has_tangents = dimension == WP_3D, has_caches = has_tangents;
	return WP_IS_SHORT(r->separation, number)                    ? WP_ERROR_RESULTS_SEPARATION_STRIDE
	     : WP_IS_SHORT(r->normal, vector)                        ? WP_ERROR_RESULTS_NORMAL_STRIDE
	     : WP_IS_SHORT(r->point_a, point)                        ? WP_ERROR_RESULTS_POINT_A_STRIDE
	     : WP_IS_SHORT(r->point_b, point)                        ? WP_ERROR_RESULTS_POINT_B_STRIDE
	     : WP_IS_SHORT(r->lower, number)                         ? WP_ERROR_RESULTS_LOWER_STRIDE
	     : WP_IS_SHORT(r->upper, number)                         ? WP_ERROR_RESULTS_UPPER_STRIDE
	     : WP_IS_SHORT(r->status, word)                          ? WP_ERROR_RESULTS_STATUS_STRIDE
	     : WP_IS_SHORT(r->iterations, word)                      ? WP_ERROR_RESULTS_ITERATIONS_STRIDE
	     : WP_IS_SHORT(r->local_a, vector)                       ? WP_ERROR_RESULTS_LOCAL_A_STRIDE
	     : WP_IS_SHORT(r->local_b, vector)                       ? WP_ERROR_RESULTS_LOCAL_B_STRIDE
	     : has_tangents && WP_IS_SHORT(r->tangent_1, vector)     ? WP_ERROR_RESULTS_TANGENT_1_STRIDE
	     : has_tangents && WP_IS_SHORT(r->tangent_2, vector)     ? WP_ERROR_RESULTS_TANGENT_2_STRIDE
	     : has_caches && WP_IS_SHORT(r->cache, sizeof(wp_cache)) ? WP_ERROR_RESULTS_CACHE_STRIDE
	                                                             : WP_OK;
}

static bool is_range(const wp_batch *batch)
{
	return batch->first + batch->count >= batch->first && batch->count <= UINT32_MAX;
}

static wp_error check_shapes(const wp_shape_table *shapes, size_t dimension)
{
	return shapes == NULL                  ? WP_ERROR_NULL_BATCH_SHAPES
	     : !wp_is_table(shapes, dimension) ? WP_ERROR_SHAPE_TABLE_INVALID
	                                       : WP_OK;
}

wp_error wp_check_call(
	const wp_workspace *workspace, const wp_batch *batch, const wp_results *results, const wp_request *request)
{
	const size_t dimension = request->dimension;
	wp_error error = workspace == NULL                      ? WP_ERROR_NULL_WORKSPACE
	               : batch == NULL                          ? WP_ERROR_NULL_BATCH
	               : results == NULL                        ? WP_ERROR_NULL_RESULTS
	               : !wp_workspace_is_made(workspace)       ? WP_ERROR_WORKSPACE_INVALID
	               : !wp_is_length(request->max_separation) ? WP_ERROR_MAX_SEPARATION
	               : !is_real(results->point_real)          ? WP_ERROR_RESULTS_REAL
	               : !is_range(batch)                       ? WP_ERROR_PAIR_RANGE
	                                                        : WP_OK;
	if (error != WP_OK || batch->count == 0)
		return error;
	error = check_shapes(batch->shapes, dimension);
	if (error == WP_OK)
		error = check_bodies(&batch->a, &batch->b, dimension);
	if (error == WP_OK)
		error = check_pairs(batch);
	return error == WP_OK ? check_results(results, dimension) : error;
}

wp_error wp_check_bodies_of(const wp_batch *batch, const wp_request *request)
{
	const wp_bodies none = {.count = 0};
	const wp_error error = batch == NULL                          ? WP_ERROR_NULL_BATCH
	                     : !wp_is_length(request->max_separation) ? WP_ERROR_MAX_SEPARATION
	                     : !is_range(batch)                       ? WP_ERROR_PAIR_RANGE
	                     : batch->count == 0                      ? WP_OK
	                                                              : check_shapes(batch->shapes, request->dimension);
	return error == WP_OK && batch->count != 0 ? check_bodies(&batch->a, &none, request->dimension) : error;
}

wp_error wp_check_bodies_of_b(const wp_batch *batch, const wp_request *request)
{
	return !wp_is_length(request->max_separation) ? WP_ERROR_MAX_SEPARATION
	     : !is_range(batch)                       ? WP_ERROR_PAIR_RANGE
	     : batch->count == 0                      ? WP_OK
	     : !is_real(batch->b.position_real)       ? WP_ERROR_BODIES_B_REAL
	                                              : check_bodies_of_b(&batch->b, &batch->b, request->dimension);
}

/* ---- the call ----------------------------------------------------------------------------------- */

wp_bodies wp_bodies_with_strides(const wp_bodies *bodies, size_t dimension)
{
	wp_bodies b = *bodies;
	/* Bodies have numbers of 32 bits, and those of rows without names are the rows'. */
	b.count = b.count < UINT32_MAX ? b.count : UINT32_MAX;
	b.position.stride = wp_or_packed(b.position.stride, wp_point_size(b.position_real, dimension));
	b.rotation.stride = wp_or_packed(b.rotation.stride, rotation_size(dimension));
	b.shape.stride = wp_or_packed(b.shape.stride, sizeof(uint32_t));
	return b;
}

wp_motions wp_motions_with_strides(const wp_motions *motions, size_t dimension)
{
	wp_motions m = {.translation.data = NULL};
	if (motions != NULL)
		m = *motions;
	m.translation.stride = wp_or_packed(m.translation.stride, dimension * sizeof(float));
	m.rotation.stride = wp_or_packed(m.rotation.stride, rotation_size(dimension));
	return m;
}

static wp_const_uint32_column with_index_stride(wp_const_uint32_column column)
{
	return (wp_const_uint32_column){column.data, wp_or_packed(column.stride, sizeof *column.data)};
}

static void fill_results(wp_results *r, size_t dimension)
{
	const size_t vector = dimension * sizeof(float), point = wp_point_size(r->point_real, dimension);
	r->separation.stride = wp_or_packed(r->separation.stride, sizeof(float));
	r->normal.stride = wp_or_packed(r->normal.stride, vector);
	r->point_a.stride = wp_or_packed(r->point_a.stride, point);
	r->point_b.stride = wp_or_packed(r->point_b.stride, point);
	r->lower.stride = wp_or_packed(r->lower.stride, sizeof(float));
	r->upper.stride = wp_or_packed(r->upper.stride, sizeof(float));
	r->status.stride = wp_or_packed(r->status.stride, sizeof(uint32_t));
	r->iterations.stride = wp_or_packed(r->iterations.stride, sizeof(uint32_t));
	r->overlap.stride = wp_or_packed(r->overlap.stride, sizeof(uint8_t));
	r->local_a.stride = wp_or_packed(r->local_a.stride, vector);
	r->local_b.stride = wp_or_packed(r->local_b.stride, vector);
	r->tangent_1.stride = wp_or_packed(r->tangent_1.stride, vector);
	r->tangent_2.stride = wp_or_packed(r->tangent_2.stride, vector);
	r->cache.stride = wp_or_packed(r->cache.stride, sizeof(wp_cache));
	if (dimension == WP_2D) {
		r->tangent_1.data = r->tangent_2.data = NULL;
		r->cache.data = NULL;
	}
}

static wp_point_rows with_point_strides(const wp_point_rows *rows, size_t dimension)
{
	wp_point_rows m = *rows;
	const size_t point = dimension == WP_3D ? sizeof(wp_manifold_point) - m.left_out : sizeof(wp2d_manifold_point);
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
		.a = wp_bodies_with_strides(&batch->a, dimension),
		.b = wp_bodies_with_strides(wp_has_one_view(batch) ? &batch->a : &batch->b, dimension),
		.pair_a = with_index_stride(batch->pair_a),
		.pair_b = with_index_stride(batch->pair_b),
		.first = batch->first,
		.results = *results,
		.query = request->query,
		.max_separation = request->max_separation,
		.by = request->by,
		.manifolds = with_point_strides(&request->manifolds, dimension),
		.tracked = request->tracked};
	if (dimension == WP_3D)
		call.cores = batch->shapes->cores;
	else
		call.cores_2d = batch->shapes->cores_2d;
	call.tracked.index_stride = wp_or_packed(call.tracked.index_stride, sizeof(uint32_t));
	fill_results(&call.results, dimension);
	call.cache = call.results.cache.data;
	call.cache_stride = call.results.cache.stride;
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
		.first = batch->first,
		.count = batch->count};
	return memory;
}
