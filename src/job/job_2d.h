/* What the baseline side and the 2D kernels share: cores, jobs as structure of arrays, the
 * rings of EPA, and the table of one variant's entry point.
 *
 * A job is one pair of valid shapes, of any kinds. The kernels work in the frame of A, scaled by a power of
 * two so that the larger core or the distance of the two origins is in [1/2, 1); A - B is the Minkowski
 * difference; n always points from A to B. */
#ifndef WP_JOB_JOB_2D_H
#define WP_JOB_JOB_2D_H

#include "job/job.h"
#include "shape/core_2d.h"

/* Jobs of like size that are gathered before the kernels run on them. */
#define WP2D_JOB_MAX 64

/* GJK steps of one pair. */
#define WP2D_GJK_STEP_MAX 64

/* Vertices of EPA's ring: 128 of the difference of two polygons, and room for corners of parallel edges,
 * which may differ by rounding alone; it takes as many steps at most. Pairs that need more are left to the
 * strong path. */
#define WP2D_RING_MAX 144

/* Rounding of radii against each other, against the cores and of the bound itself, relative to their sum:
 * three times half the spacing of floats. */
#define WP2D_RADIUS_ROUNDING 1.9e-7f

/* Depth in kernel units below which a pair without area, two segments say, is left to the strong path. */
#define WP2D_FLAT_DEPTH 1e-6f

/* Floats of both points that a manifold may have: the numbers of a wp2d_manifold_point each, in its order, and two unused. */
#define WP2D_POINT_FLOATS 11
#define WP2D_POINTS_FLOATS 24

/* What pack gives of one job: for A, then for B, a row of four floats of the body and one of the core. A body is its position
 * and its rotation. The positions are as the caller has them if points are floats and counted from there, otherwise zero and
 * the way from A to B; an invalid position is not a number there. A core is its radius, its bound, and the bits of the number
 * of vertices; the fourth float is unused. */
enum wp2d_job_side { WP2D_SIDE_A, WP2D_SIDE_B, WP2D_SIDE_COUNT };

/* What the kernels give of one job, in world lengths: the numbers of a wp2d_row, in its order. Points are counted from
 * where the positions are, or relative to the position of A. */
enum wp2d_job_output {
	WP2D_OUTPUT_SEPARATION,
	WP2D_OUTPUT_NORMAL,
	WP2D_OUTPUT_POINT_A = WP2D_OUTPUT_NORMAL + 2,
	WP2D_OUTPUT_POINT_B = WP2D_OUTPUT_POINT_A + 2,
	WP2D_OUTPUT_LOWER = WP2D_OUTPUT_POINT_B + 2,
	WP2D_OUTPUT_UPPER,
	WP2D_OUTPUT_STATUS, /* as in `status` */
	WP2D_OUTPUT_ITERATIONS,
	WP2D_OUTPUT_COUNT
};

/* And where requested, and of circles with a manifold: points in the frames of their bodies. */
enum wp2d_job_detail { WP2D_DETAIL_LOCAL_A, WP2D_DETAIL_LOCAL_B = 2, WP2D_DETAIL_COUNT = 4 };

/* Rows of numbers, one of each job, that a pass of the kernels over circles leaves to the next one. Turns are as the bodies have them;
 * the origin is A's position and with the separation in world lengths, the rest in kernel units and in world axes. */
enum wp2d_circle_row {
	WP2D_CIRCLE_ORIGIN,
	WP2D_CIRCLE_TURN_A = WP2D_CIRCLE_ORIGIN + 2,
	WP2D_CIRCLE_TURN_B = WP2D_CIRCLE_TURN_A + 2,
	WP2D_CIRCLE_OFFSET = WP2D_CIRCLE_TURN_B + 2, /* from A to B */
	WP2D_CIRCLE_SCALE = WP2D_CIRCLE_OFFSET + 2,
	WP2D_CIRCLE_APART,   /* length of the offset; not a number where the job is left to the strong path */
	WP2D_CIRCLE_INVERSE, /* of that */
	WP2D_CIRCLE_SEPARATION,
	WP2D_CIRCLE_A, /* points of the answer, from A's position on */
	WP2D_CIRCLE_B = WP2D_CIRCLE_A + 2,
	WP2D_CIRCLE_ROWS = WP2D_CIRCLE_B + 2
};

typedef struct wp2d_jobs {
	uint32_t count;
	uint32_t query; /* wp_query */
	float max_separation;
	bool are_circles;      /* every core is the origin of its body */
	bool has_float_points; /* points are floats, counted from where the positions are */
	bool wants_details, wants_manifolds;
	float *rows; /* where outputs go: `output`, or rows of results of the caller's */
	/* The first of rows of points of the caller's that follow one another, where kernels write those of blocks of circles that
	 * all have one; NULL: none do. */
	unsigned char *point_rows;
	size_t points_stride;
	/* Of the kernels, zeros before: not 0 where they left a job open, and bits of circles that have a point that is not
	 * written. */
	uint32_t open, unwritten[WP2D_JOB_MAX / 32];
	uint32_t row[WP2D_JOB_MAX];     /* within the call */
	double origin[WP2D_JOB_MAX][3]; /* position of A, where points are not floats, and a number unused */
	WP_VECTORS float body[4 * WP2D_SIDE_COUNT * WP2D_JOB_MAX];
	/* Circles have only radii, others the rest. */
	WP_VECTORS float radius[WP2D_SIDE_COUNT][WP2D_JOB_MAX];
	WP_VECTORS float core_row[4 * WP2D_SIDE_COUNT * WP2D_JOB_MAX];
	const wp2d_core *core[WP2D_SIDE_COUNT][WP2D_JOB_MAX];
	WP_VECTORS float output[WP2D_OUTPUT_COUNT * WP2D_JOB_MAX];
	WP_VECTORS float detail[WP2D_DETAIL_COUNT * WP2D_JOB_MAX];
	/* Of manifolds, counted as the points of outputs; of circles only how many: their point is the contact, which has a
	 * detail then. */
	union {
		WP_VECTORS float points[WP2D_POINTS_FLOATS * WP2D_JOB_MAX];
		WP_VECTORS float circles[WP2D_CIRCLE_ROWS * WP2D_JOB_MAX]; /* [row][job] */
	};
	WP_VECTORS int32_t point_count[WP2D_JOB_MAX];
	WP_VECTORS int32_t status[WP2D_JOB_MAX]; /* wp_status bits; 0: left to the strong path */
	WP_VECTORS int32_t iterations[WP2D_JOB_MAX];
} wp2d_jobs;

/* The vertices of one side in lanes, [vertex][lane], scaled. */
typedef struct wp2d_lane_core {
	WP_VECTORS float x[WP2D_VERTEX_MAX * WP_WIDTH_MAX];
	WP_VECTORS float y[WP2D_VERTEX_MAX * WP_WIDTH_MAX];
} wp2d_lane_core;

/* EPA's polygons, one per lane, [slot][lane]: each vertex, the edge from it to the next, which `next` names.
 */
typedef struct wp2d_rings {
	WP_VECTORS float x[WP2D_RING_MAX * WP_WIDTH_MAX];
	WP_VECTORS float y[WP2D_RING_MAX * WP_WIDTH_MAX];
	WP_VECTORS float rank[WP2D_RING_MAX * WP_WIDTH_MAX]; /* distance of the edge from the origin */
	WP_VECTORS int32_t id[WP2D_RING_MAX * WP_WIDTH_MAX]; /* vertex of A << 16 | vertex of B */
	WP_VECTORS int32_t next[WP2D_RING_MAX * WP_WIDTH_MAX];
} wp2d_rings;

/* What a kernel needs besides the jobs; nothing of it outlives the call. */
typedef struct wp2d_scratch {
	wp2d_lane_core core[3]; /* of A and of B in the frame of A; for manifolds also of B in its own */
	wp2d_rings rings;
} wp2d_scratch;

typedef struct wp2d_kernels {
	uint32_t width; /* pairs in lanes */
	/* Answer every job, and make its manifold if requested, or leave it to the strong path. Overwrites `scratch`. */
	void (*solve)(wp2d_jobs *jobs, wp2d_scratch *scratch, wp_kernel_work *work);
	/* The same for jobs whose cores are the origins of their bodies. */
	void (*solve_circles)(wp2d_jobs *jobs);
	/* As of wp_kernels. */
	bool (*is_exact)(void);
} wp2d_kernels;

/* All that a 2D batch keeps in its workspace. */
typedef struct wp2d_memory {
	wp2d_jobs buckets[WP2D_BUCKET_COUNT];
	wp2d_scratch scratch;
} wp2d_memory;

#endif
