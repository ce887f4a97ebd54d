/* From rows to jobs: what the kernels take of a pair, in the bucket of its kinds. */
#ifndef WP_BATCH_PACK_H
#define WP_BATCH_PACK_H

#include "batch/call.h"
#include "batch/workspace.h"

/* Positions of a job, in the numbers of its inputs. */
typedef struct wp_positions {
	float a[3], b[3];
} wp_positions;

/* Read number by number: what is copied as eight bytes and four cannot be loaded as floats soon after. */
WP_INLINE wp_positions wp_float_positions(const char *a, const char *b)
{
	wp_positions at;
	for (size_t k = 0; k < 3; k++) {
		float x, y;
		memcpy(&x, a + k * sizeof x, sizeof x);
		memcpy(&y, b + k * sizeof y, sizeof y);
		at.a[k] = x;
		at.b[k] = y;
	}
	return at;
}

/* Of positions in double: B is relative to A, and points are counted from A when they are written. One that is not `inside` is
 * not a number there. */
WP_INLINE wp_positions wp_relative_positions(const double a[3], const double b[3], bool inside)
{
	wp_positions at = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
	for (int k = 0; k < 3; k++)
		at.b[k] = inside ? (float)(b[k] - a[k]) : WP_NAN;
	return at;
}

/* Whether pairs that spheres prove far enough apart are answered by that; a distance is to be exact, however large. */
WP_INLINE bool wp_spheres_suffice(wp_query query, wp_job_method method)
{
	return query != WP_QUERY_DISTANCE && method != WP_JOB_GJK_EPA;
}

/* What kernels take of the positions of a pair: each with the bound of its core. */
typedef struct wp_places {
	wp_quad a, b;
} wp_places;

WP_INLINE wp_places wp_places_of(const wp_positions *at, const wp_core *core_a, const wp_core *core_b)
{
	return (wp_places){wp_quad_of(at->a[0], at->a[1], at->a[2], core_a->bound),
		wp_quad_of(at->b[0], at->b[1], at->b[2], core_b->bound)};
}

/* Whether the spheres around two shapes are further apart than `limit`, by more than rounding; not where a number is
 * NaN. The slack is taken from the distance, which is known before the sizes are. */
WP_INLINE bool wp_are_apart(const wp_places *at, const wp_core *core_a, const wp_core *core_b, float limit)
{
	const wp_quad way = wp_quad_sub(at->b, at->a), square = wp_quad_mul(way, way);
	const float x2 = wp_quad_get(square, 0), y2 = wp_quad_get(square, 1), z2 = wp_quad_get(square, 2);
	const float bounds = core_a->bound + core_b->bound, radii = core_a->radius + core_b->radius;
	const float reach = (bounds + radii) + limit;
	return ((x2 + y2) + z2) * (1.0f - 2.0f * WP_APART_SLACK) > reach * reach;
}

/* Write the inputs of a job, rows at once, as kernels load them. */
WP_INLINE void wp_pack_input(float *input, const wp_places *at, const void *rotation_a, const void *rotation_b)
{
	memcpy(input + 4 * WP_INPUT_ROTATION_A, rotation_a, 4 * sizeof(float));
	memcpy(input + 4 * WP_INPUT_ROTATION_B, rotation_b, 4 * sizeof(float));
	memcpy(input + 4 * WP_INPUT_POSITION_A, &at->a, sizeof at->a);
	memcpy(input + 4 * WP_INPUT_POSITION_B, &at->b, sizeof at->b);
}

/* Give lanes past the last job of a bucket a core to read. */
WP_INLINE void wp_pad_cores(wp_running *running, uint32_t count)
{
	for (uint32_t i = count; i % WP_WIDTH_MAX != 0; i++) {
		running->core_a[i] = running->core_a[0];
		running->core_b[i] = running->core_b[0];
	}
}

/* Make rows jobs in the buckets of their core kinds, those far apart in their own, until a bucket is to run, whose number
 * `*full` then is, or WP_NO_BUCKET. Rows are those from number `at` on of the call's list, up to `count`, or of all rows.
 * Returns the first that is not packed: where none is full and it is below `count`, its body or shape is invalid, or
 * custom. Kernels leave to the strong path what else is invalid or out of their range. */
uint32_t wp_pack_rows(const wp_call *call, uint32_t at, uint32_t count, wp_buckets *buckets, uint32_t *full);

#endif
