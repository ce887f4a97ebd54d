/* One call: its arguments checked, then its views with every default filled in. In 3D or in 2D, whose vectors
 * have two numbers; the rooms behind it read the dimension here. */
#ifndef WP_BATCH_CALL_H
#define WP_BATCH_CALL_H

#include "core/base.h"
#include "job/job.h"
#include "job/job_2d.h"
#include "shape/shape.h"
#include "shape/shape_2d.h"
#include "widephase/2d.h"
#include "widephase/cast.h"
#include "widephase/manifold.h"
#include "widephase/query.h"
#include "widephase/track.h"

/* Numbers of a position, and of a rotation: a quaternion, in 2D a cosine and a sine. */
#define WP_3D 3
#define WP_2D 2
WP_INLINE size_t wp_rotation_numbers(size_t dimension) { return dimension == WP_3D ? 4 : 2; }

/* Bytes of a position or a point of this wp_real. */
WP_INLINE size_t wp_point_size(uint32_t real, size_t dimension)
{
	return dimension * (real == WP_REAL_DOUBLE ? sizeof(double) : sizeof(float));
}

/* The columns of wp_results, which `point_real` follows: the number of them, for code that lists each by its name. */
#define WP_RESULT_COLUMNS ((sizeof(wp_results) - sizeof(size_t)) / sizeof(wp_float_column))

/* Where the manifolds of a call go; `points` NULL where none are requested. */
typedef struct wp_point_rows {
	uint32_t *count;
	unsigned char *points;              /* of each row wp_manifold_point, in 2D wp2d_manifold_point */
	size_t count_stride, points_stride; /* never 0 */
	uint32_t point_max;
	uint32_t left_out; /* bytes of a wp_manifold_point that are not written, its first ones */
} wp_point_rows;

/* Where a call keeps what it learns of its pairs; `pairs` NULL where it does not. */
typedef struct wp_tracked_rows {
	wp_tracked *pairs;
	wp_persistent_manifold *manifolds;
	wp_tracked_anchor *anchors;     /* NULL: no points are reused */
	wp_tracked_polytope *polytopes; /* NULL: none are kept */
	size_t count;
	const uint32_t *index;
	size_t index_stride; /* never 0 */
	float merging, reuse_error;
	wp_track_changes *changes; /* NULL: not requested */
} wp_tracked_rows;

struct wp_call;

/* What may change the contacts of a bucket before their manifolds are made: normal, separation and points in the outputs and
 * details of the jobs, and the status. */
typedef void wp_turn_contacts(const struct wp_call *call, wp_jobs *jobs);

typedef struct wp_call {
	size_t dimension; /* WP_3D or WP_2D */
	const wp_shape_table *shapes;
	union { /* of `shapes` */
		const wp_core *cores;
		const wp2d_core *cores_2d;
	};
	uint64_t core_count;
	wp_bodies a, b;                        /* strides never 0 */
	wp_const_uint32_column pair_a, pair_b; /* strides never 0 */
	size_t first;                          /* row 0 of the call is this row of the batch */
	const uint32_t *list;                  /* the rows that are answered, ascending but for tracked pairs; NULL: all */
	wp_cache *cache;
	size_t cache_stride;      /* never 0 */
	wp_results results;       /* strides never 0; its caches are above */
	wp_float_column fraction; /* of casts; the stride is never 0 */
	wp_query query;
	float max_separation;
	wp_method_choice by;
	wp_point_rows manifolds;
	wp_tracked_rows tracked;
	bool counts_rows;            /* statistics are requested */
	wp_turn_contacts *turn;      /* NULL: contacts stay as they are */
	struct wp_mesh_memory *mesh; /* of `turn` */
	const struct wp_compound_child *const
		*mounts;          /* of casts, see motion/mount.h; NULL: bodies have shapes themselves */
	uint32_t marks_doubt; /* of casts: WP_CAST_DOUBTFUL (motion/gap.h), or 0 */
} wp_call;

/* Whether a call makes manifolds. */
WP_INLINE bool wp_makes_points(const wp_call *call)
{
	return call->manifolds.points != NULL || call->tracked.pairs != NULL;
}

/* The tracked pair of a row that had one when its index was first read; any pair if it has been written over since. */
WP_INLINE size_t wp_tracked_of_row(const wp_call *call, uint32_t row)
{
	const wp_tracked_rows *const t = &call->tracked;
	const size_t own = call->first + row;
	const size_t at = t->index != NULL ? wp_read_index(wp_offset(t->index, own * t->index_stride)) : own;
	return at < t->count ? at : 0;
}

/* Results whose outputs, all that wp_row has, are fields of one struct: bytes from row to row. */
WP_INLINE void wp_stride_results(wp_results *r, size_t stride)
{
	r->separation.stride = r->normal.stride = r->point_a.stride = r->point_b.stride = stride;
	r->lower.stride = r->upper.stride = r->status.stride = r->iterations.stride = stride;
}

/* What a caller requests of a batch. */
typedef struct wp_request {
	size_t dimension;
	wp_query query;
	float max_separation;
	wp_method_choice by;     /* all zero: the automatic method */
	wp_point_rows manifolds; /* strides of 0: packed */
	wp_tracked_rows tracked; /* strides of 0: packed */
} wp_request;

/* Contacts by these options; NULL: all zero. */
WP_INLINE wp_request wp_request_of_contact(size_t dimension, const wp_contact_options *options)
{
	wp_request request = {.dimension = dimension, .query = WP_QUERY_CONTACT};
	if (options != NULL)
		request.max_separation = options->max_separation;
	return request;
}

/* WP_OK, or what is wrong with the arguments. */
wp_error wp_check_call(
	const wp_workspace *workspace, const wp_batch *batch, const wp_results *results, const wp_request *request);

/* The same of a batch whose bodies of A alone are looked at. */
wp_error wp_check_bodies_of(const wp_batch *batch, const wp_request *request);

/* The same of a batch whose bodies of B alone are looked at, without shapes of the table. */
wp_error wp_check_bodies_of_b(const wp_batch *batch, const wp_request *request);

/* Whether this is a shape table of the dimension. */
WP_INLINE bool wp_is_table(const wp_shape_table *shapes, size_t dimension)
{
	const uint64_t magic = dimension == WP_3D ? WP_SHAPE_TABLE_MAGIC : WP2D_SHAPE_TABLE_MAGIC;
	return wp_is_aligned(shapes, WP_ALIGNMENT) && shapes->magic == magic;
}

/* The strides of motions, of which either may be NULL. */
wp_error wp_check_motions(const wp_motions *a, const wp_motions *b, size_t dimension);

/* Bodies whose strides are never 0, with numbers of 32 bits. */
wp_bodies wp_bodies_with_strides(const wp_bodies *bodies, size_t dimension);

/* Motions whose strides are never 0; NULL: none. */
wp_motions wp_motions_with_strides(const wp_motions *motions, size_t dimension);

/* Whether B's bodies are A's: the view of B is all zero. */
bool wp_has_one_view(const wp_batch *batch);

/* Of arguments that pass the check, and a batch that is not empty. */
wp_call wp_make_call(const wp_batch *batch, const wp_results *results, const wp_request *request);

/* A 2D batch as the 3D one that has its fields; NULL stays NULL. */
const wp_batch *wp_batch_of_2d(const wp2d_batch *batch, wp_batch *memory);

#endif
