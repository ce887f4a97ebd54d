/* Many rays at one surface: their columns, and what is answered without a look at the surface. */
#ifndef WP_MESH_RAY_ROWS_H
#define WP_MESH_RAY_ROWS_H

#include "core/base.h"
#include "widephase/mesh.h"

typedef struct wp_ray_rows {
	const char *start, *way;
	char *hit;
	size_t start_stride, way_stride, hit_stride, count, next; /* the row that begins next */
} wp_ray_rows;

wp_error wp_ray_rows_set(wp_ray_rows *rows, const wp_const_float_column *start, const wp_const_float_column *way,
	size_t count, const wp_mesh_hit_column *hit);

/* Read the next row, `next` - 1 then, that may meet something, and answer those before it. False if there is none. */
bool wp_ray_rows_next(wp_ray_rows *rows, double start[3], double way[3]);

void wp_ray_rows_write(const wp_ray_rows *rows, size_t row, const wp_mesh_hit *hit);

#endif
