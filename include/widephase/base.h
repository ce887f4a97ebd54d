/* widephase: errors, version, symbol visibility, columns, kernel variants.
 *
 * Conventions used by every header of this folder:
 *  - any consistent length unit; right-handed axes; quaternions are (x, y, z, w);
 *  - a pose is a rotation followed by a translation, from the shape's own frame to the world;
 *  - a pointer parameter must not be NULL unless its description says "may be NULL";
 *  - the library allocates nothing and keeps no global state; memory is the caller's. */
#ifndef WIDEPHASE_BASE_H
#define WIDEPHASE_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Marks each call of the library as exported from shared libraries. Callers need not use it. On Windows a program that uses
 * the DLL may define WP_SHARED, which saves a jump in each call. */
#if defined(_WIN32) && defined(WP_SHARED)
#ifdef WP_BUILDING
#define WP_API __declspec(dllexport)
#else
#define WP_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define WP_API __attribute__((visibility("default")))
#else
#define WP_API
#endif

/* The null pointer of either language, for inline functions of these headers: some compilers warn of NULL in C++. */
#ifdef __cplusplus
#define WP_NULL nullptr
#else
#define WP_NULL NULL
#endif

/* Version of these headers. */
#define WP_VERSION_MAJOR 0
#define WP_VERSION_MINOR 1
#define WP_VERSION_PATCH 0

/* The same as one number, to compare. */
#define WP_VERSION_NUMBER (WP_VERSION_MAJOR * 10000 + WP_VERSION_MINOR * 100 + WP_VERSION_PATCH)

/* Version of the library that was linked, as "major.minor.patch". Static storage, never NULL. */
WP_API const char *wp_version(void);

/* The same as one number: the WP_VERSION_NUMBER of the headers that the library was compiled with. */
WP_API uint32_t wp_version_number(void);

/* What stays the same from version to version. A program runs with every version of the library that has the major and
 * minor numbers of its headers; from 1.0 on, also with all later ones of that major number. A new minor version may add
 * members at the end of structs that describe a call; they do nothing while they are zero: wp_bodies, wp_batch, wp_results,
 * wp_contact_options, wp_statistics, wp_pair, wp_motions, wp_manifolds, wp_tracked_pairs, wp_track_options,
 * wp_track_changes, wp2d_batch, wp2d_manifolds, wp_mesh_batch, wp_mesh_options, wp_mesh_results, wp_mesh_statistics,
 * wp_mesh_distance_options, wp_mesh_tracked_pairs, wp_mesh_track_options, wp_compound_batch, wp_compound_patches,
 * wp_compound_distance_options, wp_compound_statistics, wp_bounds. All other structs are frozen, since arrays of them lie in callers'
 * memory: their members and sizes stay the same, from 1.0 on within a major number. wp_workspace_init passes the version of
 * the program's headers to the library, which refuses a version whose structs it does not know (WP_ERROR_VERSION). */

/* ---- columns ------------------------------------------------------------------------------------ */

/* A column is an array that a call reads or writes where it lies: element i is i times `stride` bytes behind `data`. So it
 * may be an array of its own, or a member of the structs of another array. A stride of 0 means tightly packed: {array, 0},
 * or {array}, is a column of packed elements, {&array->member, sizeof *array} a column of members. Elements need no
 * alignment. A stride that is smaller than an element is an error that names the column (as
 * WP_ERROR_RESULTS_NORMAL_STRIDE). The comment at each column describes its element, and what happens without data. */

/* A column of floats that are read: an element is one float, a vector or a quaternion. */
typedef struct wp_const_float_column {
	const float *data; /* the first element; borrowed, as all data of columns is */
	size_t stride;     /* bytes from element to element; 0 = tightly packed */
} wp_const_float_column;

/* A column of indices that are read: an element is one index, or the three of a triangle. */
typedef struct wp_const_uint32_column {
	const uint32_t *data; /* the first element */
	size_t stride;        /* bytes from element to element; 0 = tightly packed */
} wp_const_uint32_column;

/* A column of vectors that are read, of floats or doubles as the wp_real beside the column selects. */
typedef struct wp_const_real_column {
	const void *data; /* the first element */
	size_t stride;    /* bytes from element to element; 0 = tightly packed */
} wp_const_real_column;

/* A column of floats that are written: an element is one float or a vector. */
typedef struct wp_float_column {
	float *data;   /* the first element */
	size_t stride; /* bytes from element to element; 0 = tightly packed */
} wp_float_column;

/* A column of words that are written. */
typedef struct wp_uint32_column {
	uint32_t *data; /* the first element */
	size_t stride;  /* bytes from element to element; 0 = tightly packed */
} wp_uint32_column;

/* A column of bytes that are written. */
typedef struct wp_uint8_column {
	uint8_t *data; /* the first element */
	size_t stride; /* bytes from element to element; 0 = tightly packed */
} wp_uint8_column;

/* A column of vectors that are written, of floats or doubles as the wp_real beside the column selects. */
typedef struct wp_real_column {
	void *data;    /* the first element */
	size_t stride; /* bytes from element to element; 0 = tightly packed */
} wp_real_column;

/* The type of the numbers in a column of vectors. */
typedef enum wp_real {
	WP_REAL_FLOAT = 0, /* float */
	WP_REAL_DOUBLE = 1 /* for large worlds: differences are taken in double, then rounded once */
} wp_real;

/* ---- errors ------------------------------------------------------------------------------------- */

/* Result of a call. Misuse of the call is an error; a bad row of a batch is not: it gets WP_STATUS_INVALID in its
 * status, and every other row still gets its answer. */
typedef enum wp_error {
	WP_OK = 0,                      /* done; rows that could not be answered have WP_STATUS_INVALID */
	WP_ERROR_NULL_NAME,             /* name is NULL */
	WP_ERROR_NULL_VARIANT,          /* variant is NULL */
	WP_ERROR_NULL_MEMORY,           /* memory is NULL */
	WP_ERROR_NULL_WORKSPACE,        /* workspace is NULL */
	WP_ERROR_NULL_INPUT,            /* input is NULL */
	WP_ERROR_NULL_VERTICES,         /* input->vertices.data is NULL */
	WP_ERROR_NULL_FACE_SIZES,       /* input->face_sizes is NULL */
	WP_ERROR_NULL_FACE_INDICES,     /* input->face_indices is NULL */
	WP_ERROR_NULL_HULL,             /* hull is NULL */
	WP_ERROR_NULL_SHAPES,           /* shapes is NULL */
	WP_ERROR_NULL_SHAPE,            /* shape is NULL */
	WP_ERROR_NULL_TABLE,            /* table is NULL */
	WP_ERROR_NULL_BATCH,            /* batch is NULL */
	WP_ERROR_NULL_BATCH_SHAPES,     /* batch->shapes is NULL */
	WP_ERROR_NULL_RESULTS,          /* results is NULL */
	WP_ERROR_NULL_SHAPE_A,          /* shape_a is NULL */
	WP_ERROR_NULL_POSE_A,           /* pose_a is NULL */
	WP_ERROR_NULL_SHAPE_B,          /* shape_b is NULL */
	WP_ERROR_NULL_POSE_B,           /* pose_b is NULL */
	WP_ERROR_NULL_ROW,              /* row is NULL */
	WP_ERROR_NULL_ROWS,             /* rows is NULL */
	WP_ERROR_NULL_PAIR,             /* pair is NULL */
	WP_ERROR_NULL_PAIR_SHAPES,      /* pair->shapes is NULL */
	WP_ERROR_PAIR_POSITION_A,       /* pair->position_a is NULL */
	WP_ERROR_PAIR_ROTATION_A,       /* pair->rotation_a is NULL */
	WP_ERROR_PAIR_POSITION_B,       /* pair->position_b is NULL */
	WP_ERROR_PAIR_ROTATION_B,       /* pair->rotation_b is NULL */
	WP_ERROR_PAIR_REAL,             /* pair->position_real is not a wp_real */
	WP_ERROR_NULL_FRACTION,         /* fraction is NULL */
	WP_ERROR_NULL_DIRECTION,        /* direction is NULL */
	WP_ERROR_NULL_DIRECTION_DATA,   /* direction->data is NULL */
	WP_ERROR_NULL_MANIFOLDS,        /* manifolds is NULL */
	WP_ERROR_NULL_MANIFOLDS_COUNT,  /* manifolds->count.data is NULL */
	WP_ERROR_NULL_MANIFOLDS_POINTS, /* manifolds->points.data is NULL */
	WP_ERROR_NULL_POINTS,           /* points is NULL */
	WP_ERROR_NULL_COUNT,            /* count is NULL */
	WP_ERROR_NULL_MANIFOLD,         /* manifold is NULL */
	WP_ERROR_NULL_NORMAL,           /* normal is NULL */
	WP_ERROR_NULL_POINT,            /* point is NULL */
	WP_ERROR_NULL_THRESHOLDS,       /* thresholds is NULL */
	WP_ERROR_NULL_POSITION_A,       /* position_a is NULL */
	WP_ERROR_NULL_ROTATION_A,       /* rotation_a is NULL */
	WP_ERROR_NULL_POSITION_B,       /* position_b is NULL */
	WP_ERROR_NULL_ROTATION_B,       /* rotation_b is NULL */
	WP_ERROR_NULL_MASS,             /* mass is NULL */
	WP_ERROR_MEMORY_TOO_SMALL,      /* caller memory is smaller than the matching size function returns */
	WP_ERROR_MEMORY_MISALIGNED,     /* caller memory is not aligned to WP_ALIGNMENT */
	WP_ERROR_WORKSPACE_INVALID,     /* not made by wp_workspace_init, or moved since */
	WP_ERROR_SHAPE_TABLE_INVALID, /* not a table made by wp_shape_table_build or _init, in 2D by wp2d_shape_table_... */
	WP_ERROR_SHAPE_INDEX,         /* index is not below the count of the shape table */
	WP_ERROR_SHAPE,               /* the shape is invalid: *reason says what is wrong with it */
	WP_ERROR_VARIANT_UNKNOWN,     /* the number names no variant */
	WP_ERROR_VARIANT_NOT_BUILT,   /* the variant is not in this build */
	WP_ERROR_VARIANT_NOT_SUPPORTED, /* this machine (CPU or operating system) cannot run the variant */
	WP_ERROR_BODIES_A_POSITION,     /* batch->a.position.data is NULL */
	WP_ERROR_BODIES_A_ROTATION,     /* batch->a.rotation.data is NULL */
	WP_ERROR_BODIES_A_REAL,         /* batch->a.position_real is not a wp_real */
	WP_ERROR_BODIES_B_POSITION,     /* batch->b.position.data is NULL while b has other fields, or meshes */
	WP_ERROR_BODIES_B_ROTATION,     /* batch->b.rotation.data is NULL while batch->b.position.data is set */
	WP_ERROR_BODIES_B_REAL,         /* batch->b.position_real is not a wp_real, or differs from a.position_real */
	WP_ERROR_PAIR_RANGE,            /* first + count overflows, or exceeds the bodies; count or a row is 2^32 or more */
	WP_ERROR_MAX_SEPARATION,        /* options->max_separation is NaN or negative */
	WP_ERROR_RESULTS_REAL,          /* results->point_real is not a wp_real */
	WP_ERROR_MANIFOLDS_POINT_MAX, /* manifolds->point_max is above WP_MANIFOLD_POINT_MAX, in 2D WP2D_MANIFOLD_POINT_MAX */
	WP_ERROR_HULL_VERTEX_COUNT,   /* vertex count is 0 or above WP_HULL_VERTEX_MAX */
	WP_ERROR_HULL_VERTEX,         /* a vertex is not finite or beyond WP_COORDINATE_MAX */
	WP_ERROR_HULL_FACE,           /* a face has fewer than 3 vertices, or an index out of range */
	WP_ERROR_HULL_FACE_REPEATS,   /* a face has a vertex twice */
	WP_ERROR_HULL_FACE_WINDING,   /* a face is clockwise seen from outside, and others are not */
	WP_ERROR_HULL_FACE_PLANE,     /* the vertices of a face are not in one plane */
	WP_ERROR_HULL_FACE_CONVEX,    /* a vertex is outside a face, or a face is not convex */
	WP_ERROR_HULL_FACE_OPEN,      /* an edge of a face has no face on its other side */
	WP_ERROR_HULL_FACES,          /* faces overlap each other, lie apart, or have no area at all */
	WP_ERROR_HULL_CORRUPT,        /* a hull blob fails its checks */
	WP_ERROR_HULL_COOK,           /* qhull could not build a hull (widephase-cook only) */
	WP_ERROR_POSE,                /* a pose is not finite or beyond WP_COORDINATE_MAX, or its rotation is invalid */
	WP_ERROR_NORMAL,              /* a normal is not finite or not of unit length */
	WP_ERROR_THRESHOLD,           /* a threshold is NaN or negative */
	WP_ERROR_CONTACT_POINT,       /* a contact point is not finite or beyond WP_COORDINATE_MAX, or there are too many */
	WP_ERROR_PERSISTENT_MANIFOLD,      /* a persistent manifold of more than WP_PERSISTENT_POINT_MAX points */
	WP_ERROR_MAX_VERTICES,             /* max_vertices is below 4 */
	WP_ERROR_HULL_VOLUME,              /* a hull whose faces enclose no volume */
	WP_ERROR_NULL_METHOD,              /* method is NULL */
	WP_ERROR_METHOD,                   /* method->method is not a wp_method */
	WP_ERROR_METHOD_MARGIN,            /* method->margin is NaN, negative or beyond WP_COORDINATE_MAX, and used */
	WP_ERROR_METHOD_DIRECTIONS,        /* method->directions is out of its range, and used */
	WP_ERROR_PAIR_A_STRIDE,            /* batch->pair_a.stride is smaller than an index, or 0 although pair_a and pair_b
	                                 * are one index apart and there is more than one row */
	WP_ERROR_PAIR_B_STRIDE,            /* batch->pair_b.stride is smaller than an index, or 0 as above */
	WP_ERROR_BODIES_A_POSITION_STRIDE, /* batch->a.position.stride is smaller than a position */
	WP_ERROR_BODIES_A_ROTATION_STRIDE, /* batch->a.rotation.stride is smaller than a rotation */
	WP_ERROR_BODIES_A_SHAPE_STRIDE,    /* batch->a.shape.stride is smaller than an index */
	WP_ERROR_BODIES_B_POSITION_STRIDE, /* batch->b.position.stride is smaller than a position */
	WP_ERROR_BODIES_B_ROTATION_STRIDE, /* batch->b.rotation.stride is smaller than a rotation */
	WP_ERROR_BODIES_B_SHAPE_STRIDE,    /* batch->b.shape.stride is smaller than an index */
	WP_ERROR_RESULTS_CACHE_STRIDE,     /* results->cache.stride is smaller than a wp_cache */
	WP_ERROR_RESULTS_SEPARATION_STRIDE,    /* results->separation.stride is smaller than a float */
	WP_ERROR_RESULTS_NORMAL_STRIDE,        /* results->normal.stride is smaller than a vector */
	WP_ERROR_RESULTS_POINT_A_STRIDE,       /* results->point_a.stride is smaller than a point of point_real */
	WP_ERROR_RESULTS_POINT_B_STRIDE,       /* results->point_b.stride is smaller than a point of point_real */
	WP_ERROR_RESULTS_LOWER_STRIDE,         /* results->lower.stride is smaller than a float */
	WP_ERROR_RESULTS_UPPER_STRIDE,         /* results->upper.stride is smaller than a float */
	WP_ERROR_RESULTS_STATUS_STRIDE,        /* results->status.stride is smaller than a uint32_t */
	WP_ERROR_RESULTS_ITERATIONS_STRIDE,    /* results->iterations.stride is smaller than a uint32_t */
	WP_ERROR_RESULTS_LOCAL_A_STRIDE,       /* results->local_a.stride is smaller than a vector */
	WP_ERROR_RESULTS_LOCAL_B_STRIDE,       /* results->local_b.stride is smaller than a vector */
	WP_ERROR_RESULTS_TANGENT_1_STRIDE,     /* results->tangent_1.stride is smaller than a vector */
	WP_ERROR_RESULTS_TANGENT_2_STRIDE,     /* results->tangent_2.stride is smaller than a vector */
	WP_ERROR_FRACTION_STRIDE,              /* fraction->stride is smaller than a float */
	WP_ERROR_MANIFOLDS_COUNT_STRIDE,       /* manifolds->count.stride is smaller than a uint32_t */
	WP_ERROR_MANIFOLDS_POINTS_STRIDE,      /* manifolds->points.stride is smaller than the points of a row */
	WP_ERROR_MOTIONS_A_TRANSLATION_STRIDE, /* motions_a->translation.stride is smaller than a translation */
	WP_ERROR_MOTIONS_A_ROTATION_STRIDE,    /* motions_a->rotation.stride is smaller than a rotation */
	WP_ERROR_MOTIONS_B_TRANSLATION_STRIDE, /* motions_b->translation.stride is smaller than a translation */
	WP_ERROR_MOTIONS_B_ROTATION_STRIDE,    /* motions_b->rotation.stride is smaller than a rotation */
	WP_ERROR_DIRECTION_STRIDE,             /* direction->stride is smaller than a direction */
	WP_ERROR_HULL_VERTEX_STRIDE,           /* input->vertices.stride is smaller than a vertex */
	WP_ERROR_POINT_STRIDE,                 /* point_stride is smaller than a point */
	WP_ERROR_NULL_OPTIONS,                 /* options is NULL */
	WP_ERROR_NULL_TRACKED,                 /* tracked is NULL */
	WP_ERROR_NULL_TRACKED_PAIRS,           /* tracked->pairs is NULL */
	WP_ERROR_NULL_TRACKED_MANIFOLDS,       /* tracked->manifolds is NULL */
	WP_ERROR_NULL_TRACKED_ANCHORS,         /* tracked->anchors is NULL, and options->reuse_error is above 0 */
	WP_ERROR_NULL_PAIRS,                   /* pairs is NULL */
	WP_ERROR_NULL_POOL,                    /* pool is NULL */
	WP_ERROR_NULL_CHANGES_ROWS,            /* changes->rows is NULL, and changes->capacity is not 0 */
	WP_ERROR_TRACKED_COUNT,                /* tracked->count is 2^32 or more */
	WP_ERROR_TRACKED_INDEX_STRIDE,         /* tracked->index.stride is smaller than an index */
	WP_ERROR_TRACKED_INDEX,                /* an index names no pair of the pool that is in use */
	WP_ERROR_POOL_CAPACITY,                /* the capacity of a pool is above what indices can name */
	WP_ERROR_REUSE_ERROR,                  /* options->reuse_error is NaN or negative */
	WP_ERROR_MERGING,                      /* options->merging is NaN or negative */
	WP_ERROR_VARIANT_ARITHMETIC, /* the compiler changed the arithmetic of the variant, by a flag such as Clang's
	                                  -funsafe-math-optimizations: its bits would differ from other builds */
	WP_ERROR_VERSION,            /* the program was compiled with headers of another version, whose structs this library
	                                  does not know */
	WP_ERROR_NULL_MESH,          /* mesh is NULL */
	WP_ERROR_NULL_LOWER,         /* lower is NULL */
	WP_ERROR_NULL_UPPER,         /* upper is NULL */
	WP_ERROR_NULL_CURSOR,        /* cursor is NULL */
	WP_ERROR_NULL_TRIANGLES,     /* triangles is NULL, and capacity is not 0 */
	WP_ERROR_NULL_START,         /* start is NULL, or has no data */
	WP_ERROR_NULL_WAY,           /* way is NULL, or has no data */
	WP_ERROR_NULL_HIT,           /* hit is NULL, or has no data */
	WP_ERROR_MESH_CORRUPT,       /* a mesh blob fails its checks */
	WP_ERROR_MESH_BOX,           /* a box is NaN, or its lower corner above its upper one */
	WP_ERROR_MESH_RAY,           /* a start or a way is not finite or beyond WP_COORDINATE_MAX */
	WP_ERROR_MESH_VERTEX,        /* a vertex of a mesh is not finite or beyond WP_COORDINATE_MAX */
	WP_ERROR_MESH_INDEX,         /* a triangle of a mesh has an index out of range */
	WP_ERROR_MESH_COUNT,         /* more triangles or distinct vertices than WP_MESH_TRIANGLE_MAX */
	WP_ERROR_MESH_EMPTY,         /* no triangle, or none with an area */
	WP_ERROR_MESH_MEMORY,        /* no memory for a mesh (widephase-cook only) */
	WP_ERROR_MESH_VERTEX_STRIDE, /* input->vertices.stride is smaller than a vertex */
	WP_ERROR_MESH_TRIANGLE_STRIDE,  /* input->triangles.stride is smaller than three indices */
	WP_ERROR_NULL_MESHES,           /* batch->meshes is NULL, and batch->mesh_count is not 0 */
	WP_ERROR_MESH_FLAGS,            /* options->flags has a bit that is not a wp_mesh_flag */
	WP_ERROR_MESH_PATCH_MAX,        /* results->patch_max is above WP_MESH_PATCH_MAX */
	WP_ERROR_NULL_PATCH_COUNT,      /* results->patches has data, and results->patch_count has none */
	WP_ERROR_PATCH_COUNT_STRIDE,    /* results->patch_count.stride is smaller than a uint32_t */
	WP_ERROR_PATCHES_STRIDE,        /* results->patches.stride is smaller than the patches of a row */
	WP_ERROR_TRIANGLE_COUNT_STRIDE, /* results->triangle_count.stride is smaller than a uint32_t */
	WP_ERROR_NULL_HEIGHT_FIELD,     /* field is NULL */
	WP_ERROR_NULL_HEIGHT_FIELDS,    /* batch->height_fields is NULL, and batch->height_field_count is not 0 */
	WP_ERROR_NULL_HEIGHT_SAMPLES,   /* field->samples is NULL */
	WP_ERROR_HEIGHT_COUNT,    /* fewer than two columns or rows of samples, or more cells than WP_HEIGHT_CELL_MAX */
	WP_ERROR_HEIGHT_FORMAT,   /* field->format is no wp_height_format, or field->flags has a bit of no wp_height_flag */
	WP_ERROR_HEIGHT_STRIDE,   /* field->row_stride is smaller than a row of samples */
	WP_ERROR_HEIGHT_SPACING,  /* a spacing is not finite and positive, or leads beyond WP_COORDINATE_MAX */
	WP_ERROR_HEIGHT_SCALE,    /* scale is 0, it or offset not finite, or a sample could be beyond WP_COORDINATE_MAX */
	WP_ERROR_HEIGHT_SAMPLE,   /* a sample is no hole, and not finite or beyond WP_COORDINATE_MAX */
	WP_ERROR_TRIANGLE_STRIDE, /* triangle->stride is smaller than a uint32_t */
	WP_ERROR_MAX_DISTANCE,    /* options->max_distance is NaN or negative */
	WP_ERROR_NULL_CHILDREN,   /* children is NULL */
	WP_ERROR_NULL_COMPOUND,   /* compound is NULL */
	WP_ERROR_NULL_COMPOUNDS,  /* batch->compounds is NULL, and batch->compound_count is not 0 */
	WP_ERROR_NULL_PATCHES,    /* patches is NULL */
	WP_ERROR_NULL_COMPOUND_PATCHES,     /* patches->patches.data is NULL */
	WP_ERROR_NULL_COMPOUND_PATCH_COUNT, /* patches->patch_count.data is NULL */
	WP_ERROR_COMPOUND_COUNT,            /* a compound has no child, or more than WP_COMPOUND_CHILD_MAX */
	WP_ERROR_COMPOUND_POSE, /* the pose of a child is not finite or leads beyond WP_COORDINATE_MAX, or its rotation is invalid */
	WP_ERROR_COMPOUND_SHAPE, /* the shape of a child is not in the table, invalid, a half-space, or larger than it was */
	WP_ERROR_COMPOUND_CORRUPT,            /* a compound blob fails its checks */
	WP_ERROR_COMPOUND_PATCH_MAX,          /* patches->patch_max is above WP_COMPOUND_PATCH_MAX */
	WP_ERROR_PAIR_COUNT_STRIDE,           /* patches->pair_count.stride is smaller than a uint32_t */
	WP_ERROR_COMPOUND_PATCH_COUNT_STRIDE, /* patches->patch_count.stride is smaller than a uint32_t */
	WP_ERROR_COMPOUND_PATCHES_STRIDE,     /* patches->patches.stride is smaller than the patches of a row */
	WP_ERROR_CHILD_A_STRIDE,              /* children->a.stride is smaller than a uint32_t */
	WP_ERROR_CHILD_B_STRIDE,              /* children->b.stride is smaller than a uint32_t */
	WP_ERROR_NULL_MESH_ANCHORS,           /* tracked->anchors is NULL, of pairs with meshes */
	WP_ERROR_NULL_TRACKED_PATCHES,        /* tracked->patches is NULL */
	WP_ERROR_TRACKED_PATCH_MAX, /* tracked->patch_max is above WP_MESH_PATCH_MAX, or results->patch_max another number */
	WP_ERROR_MANIFOLDS_BOTH_POINTS,          /* manifolds->points and manifolds->solver_points both have data */
	WP_ERROR_MANIFOLDS_SOLVER_POINTS_STRIDE, /* manifolds->solver_points.stride is smaller than the points of a row */
	WP_ERROR_START_STRIDE,                   /* start->stride is smaller than a vector */
	WP_ERROR_WAY_STRIDE,                     /* way->stride is smaller than a vector */
	WP_ERROR_HIT_STRIDE,                     /* hit->stride is smaller than a wp_mesh_hit */
	WP_ERROR_NULL_TRACKED_CHILDREN,          /* tracked_children is NULL */
	WP_ERROR_NULL_BOUNDS,                    /* bounds is NULL, or a column of it has no data */
	WP_ERROR_BOUNDS_STRIDE,                  /* a stride of bounds is smaller than a vector of bounds->real */
	WP_ERROR_BOUNDS_REAL,                    /* bounds->real is not a wp_real */
	WP_ERROR_NULL_COMPOUND_ANCHORS,          /* tracked->anchors is NULL, of pairs with compounds */
	WP_ERROR_NULL_COMPOUND_ROOM,             /* tracked->room is NULL */
	WP_ERROR_COMPOUND_TRACKED_MAX, /* tracked->patch_max is above WP_COMPOUND_TRACKED_MAX, or patches->patch_max another number */
	WP_ERROR_SHAPE_MASS, /* a shape whose mass has no formula here: a half-space, a support function, or an ellipsoid, a
	                                  triangle or a hull with a radius */
	WP_ERROR_SHAPE_VOLUME,   /* a shape, or all of a compound, without a volume */
	WP_ERROR_DENSITY,        /* a density is NaN, infinite or negative */
	WP_ERROR_DENSITY_STRIDE, /* density->stride is smaller than a float */
	WP_ERROR_COUNT           /* how many there are; not an error */
} wp_error;

/* One English sentence for an error, without a trailing stop; "unknown error" for any other number. Static storage, never
 * NULL. */
WP_API const char *wp_error_text(wp_error error);

/* ---- memory and variants ------------------------------------------------------------------------ */

/* Alignment, in bytes, of every block of memory the caller hands in. */
#define WP_ALIGNMENT 64

/* The builds of the kernels. All give the same bits for the same pair. WP_VARIANT_AUTO is not a variant: it selects the
 * fastest one that this machine runs. */
typedef enum wp_variant {
	WP_VARIANT_AUTO = 0, /* the fastest that this machine runs */
	WP_VARIANT_SCALAR,   /* one pair at a time, on every machine */
	WP_VARIANT_SSE2,     /* 4 pairs in lanes */
	WP_VARIANT_AVX2,     /* 8 pairs in lanes */
	WP_VARIANT_AVX512,   /* 16 pairs in lanes; needs AVX-512 F, BW, DQ and VL */
	WP_VARIANT_NEON,     /* 4 pairs in lanes, AArch64 */
	WP_VARIANT_WASM,     /* 4 pairs in lanes, WebAssembly SIMD128 */
	WP_VARIANT_COUNT     /* how many there are, the first one included; not a variant */
} wp_variant;

/* Lower-case name ("auto", "scalar", "sse2", ...), or "unknown". Static storage, never NULL. */
WP_API const char *wp_variant_name(wp_variant variant);

/* Write the variant of this name to *variant. An unknown name returns WP_ERROR_VARIANT_UNKNOWN and leaves *variant
 * alone. */
WP_API wp_error wp_variant_from_name(const char *name, wp_variant *variant);

/* WP_OK when this build holds the variant and this CPU and operating system run it; otherwise the
 * error that wp_workspace_init would give. WP_VARIANT_AUTO stands for wp_variant_best(). */
WP_API wp_error wp_variant_available(wp_variant variant);

/* The variant that WP_VARIANT_AUTO resolves to on this machine. */
WP_API wp_variant wp_variant_best(void);

/* Pairs that the variant works on at once: 1, 4, 8 or 16; 0 for WP_VARIANT_AUTO and unknown numbers. */
WP_API uint32_t wp_variant_width(wp_variant variant);

#ifdef __cplusplus
}
#endif

#endif
