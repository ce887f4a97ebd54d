/* What the queries share: how a call is checked, and its defaults filled in. */
#ifndef WP_SRC_BATCH_H
#define WP_SRC_BATCH_H

#include "pack.h"
#include "widephase/cast.h"

wp_error wp_check_call(const wp_workspace *workspace, const wp_batch *batch, const wp_results *results,
	float max_separation, bool takes_methods);

/* What that checks of any batch: the bodies of both sides, the pairs, and everything else. `dimension` is 2 in the plane,
 * else 3; `end` is one past the last row. */
wp_error wp_check_bodies(const wp_bodies *a, const wp_bodies *b, size_t dimension);
wp_error wp_check_pairs(const uint32_t *pair_a, const uint32_t *pair_b, size_t stride, size_t end);
wp_error wp_check_ranges(
	const wp_workspace *workspace, size_t first, size_t count, uint32_t point_real, float max_separation);

/* The strides of motions, of which either may be NULL. */
wp_error wp_check_motions(const wp_motions *a, const wp_motions *b, size_t dimension);

/* The pointers that all calls of one pair share, and all casts of one. */
wp_error wp_check_pair(
	const void *shape_a, const void *pose_a, const void *shape_b, const void *pose_b, const void *row);
wp_error wp_check_cast_pair(const void *shape_a, const void *start_a, const void *shape_b, const void *start_b,
	const void *fraction, const void *row);

/* Bytes of a rotation: a quaternion, in the plane a cosine and a sine. */
WP_INLINE size_t wp_rotation_size(size_t dimension) { return (dimension == 3 ? 4 : 2) * sizeof(float); }

/* Whether bodies are all zero, which stands for those of the other side. */
bool wp_is_no_view(const wp_bodies *b);

/* Whether B's bodies are A's. */
bool wp_has_one_view(const wp_batch *batch);

/* Of arguments that pass the check, and a batch that is not empty. */
wp_call wp_make_call(const wp_batch *batch, const wp_results *results, wp_query query, float max_separation);

/* Count a row of the batch by its status. */
void wp_count_row(wp_statistics *statistics, uint64_t row, uint32_t status);

/* Add steps and lanes of contacts that are no rows of the caller's. */
void wp_add_work(wp_statistics *to, const wp_statistics *work);

/* One pair as a batch of one, with a shape table of two; it points into itself and at its arguments. */
typedef struct wp_pair {
	_Alignas(WP_ALIGNMENT) float small[2][WP_SMALL_CORE_FLOATS];
	wp_core cores[2];
	wp_shape_table table;
	uint32_t shape[2];
	wp_batch batch;
} wp_pair;
void wp_pair_make(
	wp_pair *pair, const wp_shape *shape_a, const wp_pose *pose_a, const wp_shape *shape_b, const wp_pose *pose_b);

#endif
