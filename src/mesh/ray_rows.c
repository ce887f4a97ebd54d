/* Many rays at one surface: their columns, and what is answered without a look at the surface. */
#include "mesh/ray_rows.h"
#include "mesh/way.h"

wp_error wp_ray_rows_set(wp_ray_rows *rows, const wp_const_float_column *start, const wp_const_float_column *way,
	size_t count, const wp_mesh_hit_column *hit)
{
	const wp_error error = start == NULL || (start->data == NULL && count != 0)       ? WP_ERROR_NULL_START
	                     : way == NULL || (way->data == NULL && count != 0)           ? WP_ERROR_NULL_WAY
	                     : hit == NULL || (hit->data == NULL && count != 0)           ? WP_ERROR_NULL_HIT
	                     : wp_is_short(start->data, start->stride, 3 * sizeof(float)) ? WP_ERROR_START_STRIDE
	                     : wp_is_short(way->data, way->stride, 3 * sizeof(float))     ? WP_ERROR_WAY_STRIDE
	                     : wp_is_short(hit->data, hit->stride, sizeof(wp_mesh_hit))   ? WP_ERROR_HIT_STRIDE
	                                                                                  : WP_OK;
	if (error != WP_OK)
		return error;
	*rows = (wp_ray_rows){
		.start = (const char *)start->data,
		.way = (const char *)way->data,
		.hit = (char *)hit->data,
		.start_stride = wp_or_packed(start->stride, 3 * sizeof(float)),
		.way_stride = wp_or_packed(way->stride, 3 * sizeof(float)),
		.hit_stride = wp_or_packed(hit->stride, sizeof(wp_mesh_hit)),
		.count = count,
	};
	return WP_OK;
}

void wp_ray_rows_write(const wp_ray_rows *rows, size_t row, const wp_mesh_hit *hit)
{
	memcpy(rows->hit + row * rows->hit_stride, hit, sizeof *hit);
}

bool wp_ray_rows_next(wp_ray_rows *rows, double start[3], double way[3])
{
	while (rows->next < rows->count) {
		float from[3], along[3];
		const size_t row = rows->next++;
		memcpy(from, rows->start + row * rows->start_stride, sizeof from);
		memcpy(along, rows->way + row * rows->way_stride, sizeof along);
		wp_mesh_hit miss = {.triangle = WP_MESH_MISS};
		if (!wp_are_coordinates(from) || !wp_are_coordinates(along)) {
			miss.fraction = WP_NAN;
		} else if (wp_is_way(along)) {
			wp_d3_put(wp_d3_of_floats(from), start);
			wp_d3_put(wp_d3_of_floats(along), way);
			return true;
		}
		wp_ray_rows_write(rows, row, &miss);
	}
	return false;
}
