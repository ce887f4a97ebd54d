/* widephase: the batch queries and their one-pair forms.
 *
 * A call takes a workspace, a table of shapes, the bodies that have them, and the pairs of bodies, row by row; each row of
 * the results is the answer for one pair. Contacts of all pairs (position of three floats, rotation of four):
 *
 *     wp_batch batch = {.shapes = table,
 *         .a = {.position = {bodies[0].position, sizeof *bodies}, .rotation = {bodies[0].rotation, sizeof *bodies},
 *             .shape = {&bodies[0].shape, sizeof *bodies}, .count = body_count},
 *         .pair_a = {&pairs[0].a, sizeof *pairs}, .pair_b = {&pairs[0].b, sizeof *pairs}, .count = pair_count};
 *     wp_results results = {.separation = {separations}, .normal = {normals[0]}, .status = {statuses}};
 *     wp_error error = wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = 0.02f}, &results, NULL);
 *
 * `separation` is signed: > 0 a gap, < 0 an overlap (its depth is -separation). `normal` is a unit
 * vector in the world frame, from A to B. `point_a` and `point_b` are the witness points in the world
 * frame, each on the surface of its shape, and point_a + separation * normal is point_b within the
 * accuracy of the contract, for gaps and overlaps alike. `status` holds what is proven, or why a row is invalid.
 *
 * The order of this file: bodies and pairs, caches, results, statuses, statistics; the options of contacts and the batch
 * queries; the queries of one pair; and at the end the contract, what is promised of every answer: accuracy, determinism,
 * bounds on the work.
 *
 * All queries have the same order of arguments: the workspace; the batch, or the pair; what the query needs besides
 * (options, motions, a direction); where the answers go; the statistics. */
#ifndef WIDEPHASE_QUERY_H
#define WIDEPHASE_QUERY_H

#include "widephase/base.h"
#include "widephase/shape.h"
#include "widephase/workspace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- bodies and pairs --------------------------------------------------------------------------- */

/* Bodies as an engine holds them, by columns; all of them may live in one array of structs. Nothing is copied or kept beyond
 * the call. */
typedef struct wp_bodies {
	wp_const_real_column position;  /* [..][3] of position_real: world position of the shape's origin */
	wp_const_float_column rotation; /* [..][4] unit quaternion x, y, z, w; normalised inside, refused where its
	                                    length is further than 1e-2 from 1 */
	wp_const_uint32_column shape;   /* [..] index into the shape table; no data: body i has shape i */
	size_t count;           /* bodies in the columns; a row that takes one beyond them, or one whose number is not
	                                    below 2^32 - 1, gets WP_STATUS_INVALID */
	uint32_t position_real; /* a wp_real */
} wp_bodies;

/* The pairs of a batch. Row r, first <= r < first + count, pairs body pair_a[r] of `a` with body pair_b[r] of `b`, and its
 * outputs go to row r of the results.
 *
 * So worker threads can share one batch and its results: each takes a copy of the batch with its own first and count, and
 * has a workspace and statistics of its own (wp_statistics describes how to join them). Ranges may be of any size and end
 * anywhere. Calls for ranges that share no row may run at the same time, and the rows have the same bits as by one call for
 * all of them. tests/examples has threads.c, openmp.c and tasks.c, the callback for items [start, end) that schedulers of
 * engines have.
 *
 * A stride of 0 is an error where pair_a and pair_b start one index apart, as in an array of pairs, and there is more than
 * one row. */
typedef struct wp_batch {
	const wp_shape_table *shapes;  /* of both bodies; borrowed */
	wp_bodies a;                   /* the bodies of which pair_a names one */
	wp_bodies b;                   /* all zero: the same bodies as a */
	wp_const_uint32_column pair_a; /* [..] body of A for each row; no data: row r takes body r */
	wp_const_uint32_column pair_b; /* [..] body of B for each row; no data: row r takes body r */
	size_t first;                  /* first row */
	size_t count;                  /* number of rows, below 2^32; 0 is legal */
} wp_batch;

/* ---- results ------------------------------------------------------------------------------------ */

/* What a query found out about a pair, from which the next query of that pair may start: 32 bytes of plain data, kept by
 * the caller, one for each pair that lives on. It may be moved and copied. All zero means that nothing is known: the row
 * has the same bits as without a cache.
 *
 * If little has moved since, a row that takes 3 to 12 steps without a cache takes 1 or 2. If much has moved, or if the
 * cache is of another pair or another query or holds random bytes, it costs time and nothing else: every promise of the
 * contract holds for any contents. The same cache in gives the same bits out.
 *
 * Rows solved in closed form, without GJK (two boxes, two capsules, half-spaces, ...), leave it as it was, and so do rows
 * with a cylinder, cone or ellipsoid, which have no vertices to remember. Invalid rows and rows of the strong path empty
 * it. The contents are private and may change with the version; the size is frozen (base.h). */
typedef struct wp_cache {
	uint32_t vertex[4]; /* vertices of the nearest feature, or of a tetrahedron around the origin: A << 16 | B */
	float axis[3];      /* from A to B, unit, in the frame of A; zero: none */
	uint32_t count;     /* of vertices; 0 if nothing, or the axis alone, is known */
} wp_cache;

/* A column of caches, which are read, then written. */
typedef struct wp_cache_column {
	wp_cache *data; /* the first element */
	size_t stride;  /* bytes from element to element; 0 = tightly packed */
} wp_cache_column;

/* Where results go. Any column may be without data: then that output is not computed or written. So the outputs can be
 * separate arrays or members of one struct. They must not overlap the inputs. */
typedef struct wp_results {
	wp_float_column separation;  /* [..] > 0 gap, < 0 overlap, as each query describes */
	wp_float_column normal;      /* [..][3] unit, world axes, from A to B; zero where the query has none */
	wp_real_column point_a;      /* [..][3] of point_real: witness point on A, world frame */
	wp_real_column point_b;      /* [..][3] of point_real: witness point on B, world frame */
	wp_float_column lower;       /* [..] proven lower bound of the separation */
	wp_float_column upper;       /* [..] proven upper bound of the separation */
	wp_uint32_column status;     /* [..] wp_status bits */
	wp_uint32_column iterations; /* [..] support evaluations of both shapes that the row took; 0 where it was solved
	                                 in closed form, or its cache holds a proof of an overlap */
	wp_uint8_column overlap;     /* [..] 1 unless the shapes are proven apart; 0 in an invalid row */
	wp_float_column local_a;     /* [..][3] point_a in the frame of its own body, which costs no digits far
	                                 from the origin: what engines keep from frame to frame */
	wp_float_column local_b;     /* [..][3] point_b in the frame of its own body */
	wp_float_column tangent_1;   /* [..][3] first tangent of the normal, as wp_tangents; zero for a zero normal */
	wp_float_column tangent_2;   /* [..][3] the second tangent, in the same way */
	wp_cache_column cache; /* [..] of each row's pair: read, then written. No two rows may share one, nor may it overlap
	                                 other results. wp_cast, wp_depth_along, wp_track and 2D queries leave it alone */
	uint32_t point_real;   /* a wp_real; WP_REAL_DOUBLE keeps points exact far from the origin */
} wp_results;

/* Two unit vectors across a normal, for friction: tangent_1 x tangent_2 = normal, each at right angles to
 * the others within 1e-6. `normal` must be unit within 1e-6, or zero: then both tangents are zero. No normal
 * is singular; as the normal turns, the tangents turn with it, except across the plane z = 0, where they jump: keep the friction
 * of a frame for the next one as a vector in world axes, not by its parts along the tangents.
 * Method: Duff et al. 2017, Building an Orthonormal Basis, Revisited, listing 3. */
WP_API void wp_tangents(const float normal[3], float tangent_1[3], float tangent_2[3]);

/* One row as a struct, for one-pair calls and for callers who like arrays of structs. Frozen (base.h). */
typedef struct wp_row {
	/* As the array of that name in wp_results; vectors in world axes, points in the world frame. */
	float separation;
	float normal[3];
	float point_a[3];
	float point_b[3];
	float lower;
	float upper;
	uint32_t status;
	uint32_t iterations;
} wp_row;

/* Results that fill an array of wp_row. `rows` may be NULL (then all outputs are off). */
static inline wp_results wp_results_of_rows(wp_row *rows)
{
	const size_t size = sizeof *rows;
	if (rows == WP_NULL) {
		const wp_results none = {{WP_NULL, 0}, {WP_NULL, 0}, {WP_NULL, 0}, {WP_NULL, 0}, {WP_NULL, 0}, {WP_NULL, 0},
			{WP_NULL, 0}, {WP_NULL, 0}, {WP_NULL, 0}, {WP_NULL, 0}, {WP_NULL, 0}, {WP_NULL, 0}, {WP_NULL, 0},
			{WP_NULL, 0}, WP_REAL_FLOAT};
		return none;
	} else {
		const wp_results all = {{&rows->separation, size}, {rows->normal, size}, {rows->point_a, size},
			{rows->point_b, size}, {&rows->lower, size}, {&rows->upper, size}, {&rows->status, size},
			{&rows->iterations, size}, {WP_NULL, 0}, {WP_NULL, 0}, {WP_NULL, 0}, {WP_NULL, 0}, {WP_NULL, 0},
			{WP_NULL, 0}, WP_REAL_FLOAT};
		return all;
	}
}

/* Bits of a row's status. Exactly one of the first three is set in a valid row. */
typedef enum wp_status {
	WP_STATUS_SEPARATED = 1 << 0,           /* lower > 0: the shapes are proven apart */
	WP_STATUS_TOUCHING = 1 << 1,            /* the bracket [lower, upper] contains 0 */
	WP_STATUS_PENETRATING = 1 << 2,         /* upper < 0: the shapes are proven to overlap; wp_overlap and
	                                    wp_distance: a common point was found */
	WP_STATUS_BEYOND = 1 << 3,              /* contact: proven further apart than max_separation; separation and
	                                    lower hold that proof along normal, upper is infinite or a valid
	                                    bound, and the points are not the nearest ones. Of meshes and
	                                    compounds separation and upper are infinite, vectors zero */
	WP_STATUS_STRONG = 1 << 4,              /* solved by the double-precision path */
	WP_STATUS_ITERATION_CAP = 1 << 5,       /* a loop ended at its cap; the bracket is still valid */
	WP_STATUS_CAPACITY = 1 << 6,            /* the polytope outgrew its buffers; the bracket is still valid */
	WP_STATUS_DEGENERATE = 1 << 7,          /* the Minkowski difference has no volume and contains the origin;
	                                    the normal is the flat's, or at right angles to the line, or
	                                    A's local +Y for two coincident points */
	WP_STATUS_WIDE_BRACKET = 1 << 8,        /* upper - lower is wider than the accuracy contract; wp_cast: or a long way
	                                            costs as much (cast.h) */
	WP_STATUS_INVALID = 1 << 9,             /* separation, lower and upper are NaN, vectors are zero; at least
	                                    one reason below is set */
	WP_STATUS_HIT = 1 << 10,                /* wp_cast: the shapes touch at `fraction` */
	WP_STATUS_INVALID_BODY_A = 1 << 16,     /* pair_a[row] is not below a.count */
	WP_STATUS_INVALID_SHAPE_A = 1 << 17,    /* shape index outside the table, or an invalid shape; both
	                                           A and B for two half-spaces */
	WP_STATUS_INVALID_POSITION_A = 1 << 18, /* NaN, infinite, or beyond WP_COORDINATE_MAX */
	WP_STATUS_INVALID_ROTATION_A = 1 << 19, /* NaN, infinite, zero or far from unit length */
	WP_STATUS_INVALID_BODY_B = 1 << 20,     /* pair_b[row] is not below the count of its bodies */
	WP_STATUS_INVALID_SHAPE_B = 1 << 21,    /* the same for B */
	WP_STATUS_INVALID_POSITION_B = 1 << 22, /* the same for B */
	WP_STATUS_INVALID_ROTATION_B = 1 << 23, /* the same for B */
	WP_STATUS_INVALID_TRACKED = 1 << 24     /* wp_track and other frames: the row's index is not below tracked->count */
} wp_status;

/* Largest magnitude of a coordinate or length that is accepted; results stay representable. */
#define WP_COORDINATE_MAX 1e30f

/* The status as words joined by '|' ("separated|strong"), cut to `size` bytes with a closing NUL.
 * Returns the length it would have uncut, like snprintf. `text` may be NULL if size is 0. */
WP_API size_t wp_status_text(uint32_t status, char *text, size_t size);

/* Bytes that hold any status text. */
#define WP_STATUS_TEXT_MAX 320

/* Counts over the rows of a call, added to what is there: zero it once, pass it to every call. To join the statistics of
 * several threads, add up all fields but three: of gjk_iterations_max and epa_iterations_max take the largest, of
 * first_invalid_row the least of those whose `invalid` is not 0. */
typedef struct wp_statistics {
	uint64_t rows;                             /* all, invalid ones included */
	uint64_t separated, touching, penetrating; /* rows of that status; each valid row counts in one */
	/* Rows with the status of that name. */
	uint64_t beyond, strong, iteration_cap, capacity, degenerate, wide_bracket, invalid;
	uint64_t gjk_iterations, gjk_iterations_max; /* total, and most for one row; of casts and depths for one search */
	uint64_t epa_rows;                           /* rows for which EPA ran, there searches */
	uint64_t epa_iterations, epa_iterations_max; /* as for GJK */
	uint64_t lanes_issued, lanes_live;           /* lanes of all kernel steps, and those that held a pair in need
	                                      of the step: live / issued is the lane utilisation */
	uint64_t first_invalid_row;                  /* least of all calls; meaningless while invalid is 0 */
} wp_statistics;

/* ---- queries ------------------------------------------------------------------------------------ */

/* Options of contacts: of wp_contact, of wp_contact_manifold, and of their forms in 2D and for one pair. NULL stands for all
 * zero: contacts of the shapes that touch or overlap. */
typedef struct wp_contact_options {
	float max_separation; /* the speculative distance, >= 0, in the unit of lengths: contacts are made up to this
	                               separation. A pair that is proven further apart ends early (WP_STATUS_BEYOND).
	                               Infinity: the exact separation of all pairs, however far apart */
} wp_contact_options;

/* Batch queries. `statistics` may be NULL. On an error nothing is written.
 *
 * wp_overlap: do the shapes share a point? Cheapest; stops at the first proof. WP_STATUS_PENETRATING then means that a
 * common point was found, within the accuracy of the contract. separation, lower and upper hold whatever was proven by
 * then: for a gap separation = lower, and upper is infinite or a valid bound; otherwise separation = upper. normal is the
 * separating direction that was found for a gap, otherwise zero; points are zero.
 *
 * wp_distance: separation >= 0, witness points, normal. Where the shapes overlap, the status is WP_STATUS_PENETRATING,
 * separation and lower are 0, upper is 0 or the doubt that is left, normal is zero, and point_a = point_b is a point in
 * both shapes within the accuracy of the contract. Where the bracket holds 0 (WP_STATUS_TOUCHING), lower is 0 and the rest
 * is as for a gap.
 *
 * wp_contact: signed separation, normal and witness points, up to options->max_separation. `options` may be NULL. */
WP_API wp_error wp_overlap(
	wp_workspace *workspace, const wp_batch *batch, const wp_results *results, wp_statistics *statistics);
WP_API wp_error wp_distance(
	wp_workspace *workspace, const wp_batch *batch, const wp_results *results, wp_statistics *statistics);
WP_API wp_error wp_contact(wp_workspace *workspace, const wp_batch *batch, const wp_contact_options *options,
	const wp_results *results, wp_statistics *statistics);

/* Where boxes of bodies go. Both columns have data; they must not overlap the inputs. */
typedef struct wp_bounds {
	wp_real_column lower; /* [..][3] of `real`: the least corner, world frame */
	wp_real_column upper; /* [..][3] of `real`: the greatest corner */
	uint32_t real;        /* a wp_real; WP_REAL_DOUBLE keeps boxes close far from the origin */
} wp_bounds;

/* Boxes of bodies, for the broadphase: of bodies first to first + count - 1 of batch->a, with sides along the axes of the world,
 * body for body. Each holds its body and max_separation / 2 more on each side, so that the boxes of bodies overlap that contacts
 * up to options->max_separation are made of, within their accuracy (`options` may be NULL). Doubles are off by no more than 1e-13
 * of how far the position is along that axis and how far the body reaches from it. Floats are these rounded outwards: no more
 * than two units in the last place off where that is more. Of a custom shape the box is as its support function is, or at its
 * bound where the function fails. A half-space's is infinite. Any other body that would make its row invalid has lower =
 * infinity and upper = -infinity, a box that overlaps none. Bodies with compounds have wp_compound_bodies_bounds (compound.h),
 * bodies with meshes and height fields wp_mesh_bodies_bounds (mesh.h). Pairs are not used, and no workspace is: any number of
 * threads may call it. By supports along the axes.
 *
 * `count` is a number of bodies: a batch that also has pairs counts those. Errors: as for wp_contact; more bodies than batch->a
 * has (WP_ERROR_PAIR_RANGE); of `bounds` WP_ERROR_NULL_BOUNDS, _BOUNDS_STRIDE and _BOUNDS_REAL. On an error nothing is
 * written. */
WP_API wp_error wp_bodies_bounds(const wp_batch *batch, const wp_contact_options *options, const wp_bounds *bounds);

/* ---- one pair ----------------------------------------------------------------------------------- */

/* A pose: rotation (unit quaternion x, y, z, w), then translation. */
typedef struct wp_pose {
	float position[3]; /* of the shape's origin, world frame */
	float rotation[4]; /* unit quaternion x, y, z, w, as in wp_bodies */
} wp_pose;

/* One pair, with the bits that the batch call gives for it. A bad shape or pose gives
 * WP_STATUS_INVALID with its reason in *row; the return value is about the call itself. `options` may be NULL. */
WP_API wp_error wp_overlap_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, wp_row *row);
WP_API wp_error wp_distance_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, wp_row *row);
WP_API wp_error wp_contact_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, const wp_contact_options *options, wp_row *row);

/* One pair of shapes of a table. The calls above validate their shapes each time, and of a hull all bytes, which may take
 * longer than the query; shapes of a table are validated once. All pointers are borrowed, for one call. */
typedef struct wp_pair {
	const wp_shape_table *shapes; /* of both shapes */
	uint32_t shape_a;             /* index in the table; one out of range gives WP_STATUS_INVALID_SHAPE_A */
	uint32_t shape_b;             /* the same for B */
	const void *position_a;       /* [3] of position_real, as in wp_bodies: of shape A */
	const float *rotation_a;      /* [4] as in wp_bodies */
	const void *position_b;       /* of shape B */
	const float *rotation_b;      /* of shape B */
	uint32_t position_real;       /* a wp_real, of both positions */
} wp_pair;

/* One pair of shapes of a table, with the bits that the batch call gives for it with the same cache. `cache` is read, then
 * written, as results->cache is; it may be NULL. A bad index, position or rotation gives WP_STATUS_INVALID with its reason
 * in *row; the return value is about the call itself. The points of *row are rounded to float. `options` may be NULL. */
WP_API wp_error wp_overlap_prepared(wp_workspace *workspace, const wp_pair *pair, wp_cache *cache, wp_row *row);
WP_API wp_error wp_distance_prepared(wp_workspace *workspace, const wp_pair *pair, wp_cache *cache, wp_row *row);
WP_API wp_error wp_contact_prepared(
	wp_workspace *workspace, const wp_pair *pair, const wp_contact_options *options, wp_cache *cache, wp_row *row);

#ifdef __cplusplus
}
#endif

/* ---- the contract ------------------------------------------------------------------------------- */

/* What is promised of every answer.
 *
 * Accuracy. L is the larger bounding radius of the two shapes about their own origins
 * (wp_shape_table_bound), e = L + |true separation|:
 *  - |separation - truth| <= 3e-6 e, and <= 1e-6 e for 99.9 % of pairs;
 *  - the gap between the two support planes along `normal` is the separation within 3e-6 e, so that a
 *    normal proves its separation, even where several normals are equally right;
 *  - `lower` <= truth <= `upper`, and upper - lower <= 3e-6 e unless WP_STATUS_WIDE_BRACKET is set.
 *
 * If one shape or both are a cylinder, a cone, an ellipsoid or custom:
 *  - 1e-5 replaces 3e-6 in all three, and 1e-6; where WP_STATUS_WIDE_BRACKET is set, as for cones or cylinders on one axis,
 *    whose nearest planes are a circle, all three hold within 1e-4 (custom shapes that are round about one centre may have
 *    a wider bracket);
 *  - witness points are on their shapes, and point_a + separation * normal is point_b, within 1e-4 e;
 *  - normals are within 1 degree of the true one where no other comes near and |separation| > 0.01 L.
 *
 * For a half-space and another shape, L is the other shape's bounding radius, or the half-space's rounding radius if that is
 * larger. The distance of the half-space's position does not matter up to 1e9 L. Beyond, the rounding of double, 1e-15 of
 * that distance, is in the bracket, and WP_STATUS_WIDE_BRACKET is set where it is wider than above. `normal` is the
 * half-space's own.
 *
 * Lengths near the smallest floats add their spacing, 2^-149, to each bound.
 * All arithmetic is in the frame of A, so distance from the world origin costs only the rounding of
 * the inputs and of the world coordinates that come out.
 *
 * Determinism. The bits of a row depend on that pair's shapes and poses, the query, its options
 * and the pair's cache if it has one. They do not depend on the variant, the place in the batch, the neighbours, how a
 * batch is split, the thread, the compiler, or the caller's rounding mode and flush-to-zero state (both are set to the IEEE
 * default during a call and put back).
 *
 * Bounded. Every row ends, for any input: it takes at most 64 steps of GJK and 62 of EPA in lanes; if these leave it to the
 * double-precision path, at most 512 and 1021 more there, and with a smooth core 770 after that. A step looks at every
 * vertex of both shapes once. Most rows take 3 to 12 steps, rows with a smooth core, which is never a polytope, 10 to 40.
 * WP_METHOD_SAMPLED takes as many as it has directions, as many again for each hull with faces, and 7.
 *
 * Methods: half-spaces, some pairs of boxes and segments, and points and spheres against cylinders, cones and ellipsoids, in
 * closed form; GJK (Gilbert, Johnson, Keerthi 1988; van den Bergen 2003, ch. 4) and EPA (van den Bergen 2001), in lanes. Rows
 * that none of these settles within the accuracy above are solved again in double precision before they are returned
 * (WP_STATUS_STRONG). */

#endif
