/* What the baseline side and the kernels share, and all a kernel ever sees: jobs as structure of
 * arrays, the scratch of the polytopes, and the table of one variant's entry points.
 *
 * A job is one pair of valid shapes. Jobs of one bucket have the same core kinds on both sides. The
 * kernels work in the frame of A, scaled by a power of two so that the larger core or the distance of
 * the two origins is in [1/2, 1); A - B is the Minkowski difference; n always points from A to B. */
#ifndef WP_JOB_JOB_H
#define WP_JOB_JOB_H

#include "core/checksum.h"
#include "shape/core.h"

typedef enum wp_query { WP_QUERY_OVERLAP, WP_QUERY_DISTANCE, WP_QUERY_CONTACT, WP_QUERY_COUNT } wp_query;

/* How contacts are found; batch/contact_by_method.c asserts that these are the wp_method. */
typedef enum wp_job_method { WP_JOB_AUTOMATIC, WP_JOB_GJK_EPA, WP_JOB_CORE, WP_JOB_SAMPLED } wp_job_method;

/* Directions that are looked along: `count` unit vectors. Every other direction is within an angle of one of them; of
 * the largest such angle the cosine, rounded down, and the sine, rounded up. */
typedef struct wp_directions {
	const float (*at)[3];
	uint32_t count;
	float cosine, sine, cosine2; /* the last is the first squared, so that no kernel does it in one lane */
} wp_directions;

/* The kernels of one variant for methods. */
typedef struct wp_method_kernels {
	const void *table; /* a wp_method_table of wide/job/method_table.h */
} wp_method_kernels;

/* Tables of no more lanes. */
#define WP_METHOD_LANE_MAX 16

/* The method of a call, and what it needs; all zero: the automatic one. */
typedef struct wp_method_choice {
	wp_job_method method;
	float margin;                           /* WP_JOB_CORE: by how much cores are shrunk, at most */
	wp_directions directions;               /* WP_JOB_SAMPLED */
	const wp_method_kernels *const *tables; /* [WP_METHOD_LANE_MAX + 1], by lanes */
} wp_method_choice;

/* Where a job's cores stand after GJK, then EPA. */
typedef enum wp_job_state {
	WP_JOB_GAP,    /* feature of 1 to 3 vertices nearest to the origin, direction, bracket */
	WP_JOB_BEYOND, /* proven further apart than the limit */
	WP_JOB_INSIDE, /* the simplex of 1 to 4 vertices holds the origin (within the touch tolerance) */
	WP_JOB_DEPTH,  /* face of the difference nearest to the origin, direction, bracket */
	WP_JOB_STRONG  /* left to the strong path */
} wp_job_state;

/* Where a cache has what, in 32-bit words; cache.c asserts that wp_cache is so. */
enum wp_cache_word {
	WP_CACHE_VERTEX = 0, /* up to four ids, as in `vertex` of the jobs */
	WP_CACHE_AXIS = 4,
	WP_CACHE_COUNT = 7, /* of vertices */
	WP_CACHE_WORDS = 8
};

/* What is kept of a polytope; track.c asserts that a wp_tracked_polytope is so. Whatever happened since, this holds of it: where
 * two shapes lie so, the faces of a closed surface in their difference, wound outwards, are so far from the origin as `room`, all
 * but two. If it is not 0, the origin is within the surface, whatever rounding did. Kernels read it as rows of four numbers. */
typedef struct wp_kept_polytope {
	uint32_t vertex[4]; /* ids as in `vertex` of the jobs: the corners of one of the two; the third one of the other */
	float position[3];  /* of B in A's frame, scaled */
	float room;         /* scaled */
	float rotation[4];  /* from B's frame to A's */
	uint32_t shape[2];  /* the names of both shapes */
	uint32_t
		edge; /* the corner of the first face where the edge begins that both have; WP_POLYTOPE_ALONE: there is no other */
	float scale;
} wp_kept_polytope;

#define WP_POLYTOPE_ROW 16
#define WP_POLYTOPE_ROWS 4
#define WP_POLYTOPE_CORNERS 4 /* of both faces */
_Static_assert(sizeof(wp_kept_polytope) == WP_POLYTOPE_ROW * WP_POLYTOPE_ROWS, "rows of four numbers");

/* The number of a corner that no face has. */
#define WP_POLYTOPE_ALONE 3

/* The vertex_count of a job that was answered without a feature, in closed form. */
#define WP_NO_FEATURE (-1)

/* Status bits that kernels set; pack.c asserts that they are bits of wp_status. */
enum {
	WP_JOB_SEPARATED = 1 << 0,
	WP_JOB_TOUCHING = 1 << 1,
	WP_JOB_PENETRATING = 1 << 2,
	WP_JOB_PROVEN_BEYOND = 1 << 3,
	WP_JOB_ITERATION_CAP = 1 << 5,
	WP_JOB_WIDE_BRACKET = 1 << 8,
	WP_JOB_HIT = 1 << 10
};

/* What pack gives of one job besides its cores: rows of four floats, together in memory. A half-space, whichever side it is,
 * has the rows of B: in the place of a position the other shape's in its frame, and of a bound its radius. */
enum wp_job_input {
	WP_INPUT_ROTATION_A, /* x, y, z, w */
	WP_INPUT_ROTATION_B,
	WP_INPUT_POSITION_A, /* world axes, from where the caller counts its points; bounding radius of A's core */
	WP_INPUT_POSITION_B, /* in the same way; bounding radius of B's core */
	WP_INPUT_COUNT
};

/* Pairs of earlier frames that are examined together, at most. */
#define WP_KEPT_MAX 64

/* Where a tracked pair has what, in bytes: rows of four numbers. track.c asserts that a wp_tracked is so. */
enum wp_tracked_byte {
	WP_TRACKED_PLANE = 0,  /* see wp_kept_byte */
	WP_TRACKED_NAMES = 32, /* bodies of A and B, then their shapes */
	WP_TRACKED_TOLD =
		48, /* the bound of the core that turns, < 0 where that is A's, 0 where no plane is kept; separation,
	                          status, and in one word what WP_TOLD_EVENT and WP_TOLD_COUNT say */
	WP_TRACKED_BYTES = 64
};

/* The bit of the bound of the core that turns that tells a pair of boxes with points: rounded to be longer, it has room for it. */
#define WP_LEVER_OF_BOXES 1u

/* Places of two halves of a word: the first one in memory, and the second. */
enum { WP_TOLD_EVENT = WP_IS_BIG_ENDIAN ? 16 : 0, WP_TOLD_COUNT = 16 - WP_TOLD_EVENT };

/* Events that kernels set; track.c asserts that wp_track_event has the same. */
enum { WP_JOB_KEPT = 1 << 2, WP_JOB_REUSED = 1 << 3 };

/* What is kept of a pair, in bytes from its plane on: rows of four floats. track.c asserts that a wp_tracked_anchor is so. */
enum wp_kept_byte {
	WP_KEPT_NORMAL_B =
		0, /* the kept normal in B's frame; how far apart the shapes are along it, without the positions */
	WP_KEPT_NORMAL_A = 16, /* in A's frame; bounds and radii of both shapes, summed. The rows below are for pairs that
	                           touched alone, as they were when an upper bound of their separation was found: */
	WP_KEPT_POSITION = 32, /* of the body with the smaller core in the frame of the other; that bound */
	WP_KEPT_ROTATION = 48,
};

#define WP_KEPT_POINT_MAX 4

/* What is kept of the points of a pair, in bytes: rows of four numbers. track.c asserts that a wp_persistent_manifold is so. */
enum wp_kept_point_byte {
	WP_KEPT_PLACES = 0,        /* of each: where it is in A, and its feature there; the same in B */
	WP_KEPT_POINTS = 128,      /* of each: its arm on A and its separation; its arm on B and its age */
	WP_KEPT_FOUND_BYTES = 256, /* what is found of points: these two */
	WP_KEPT_COUNT = 304,       /* the normal, and how many points there are */
	WP_KEPT_POINT_BYTES = 32,  /* in either */
	WP_KEPT_MANIFOLD_BYTES = 320
};

/* Numbers or rows of numbers in the caller's memory, so many bytes apart and of any alignment; or none. */
typedef struct wp_kept_column {
	const unsigned char *data;
	size_t stride;
} wp_kept_column;

/* Where position, in float, rotation and shape of a body are: anywhere, or in this order in 32 bytes, or with the shape between
 * the others. */
enum wp_body_row { WP_BODY_COLUMNS, WP_BODY_SHAPE_LAST, WP_BODY_SHAPE_BETWEEN };

/* The bodies of one side of the rows of a frame. */
typedef struct wp_kept_side {
	wp_kept_column named; /* the body of each row; none: bodies follow one another, from `first` on */
	uint32_t first, body_count;
	wp_kept_column position, rotation;
	wp_kept_column shape; /* none: body r has shape r */
	uint32_t row;         /* wp_body_row */
} wp_kept_side;

/* Under which conditions points are reused. */
typedef struct wp_reuse_limits {
	float error;          /* how far the separation may be from either end of its bracket */
	float max_separation; /* and how large */
	float slide2;         /* square of how far both ends of a point may be apart across the normal */
	float lean2;          /* and of how far apart the normals may be that both bodies carry */
	const wp_core *cores; /* of the shapes */
} wp_reuse_limits;

/* Rows of a frame whose pairs something is kept of. */
typedef struct wp_kept_rows {
	wp_kept_side side[2]; /* of A and of B */
	const float *way[3]; /* from A's position to B's, NaN where one is invalid; NULL: as the positions, in float, are */
	uint32_t shape_count;
	wp_kept_column serial; /* of the shapes, which they are known by in what is kept; none: their indices */
	unsigned char *pairs;  /* see wp_tracked_byte */
	unsigned char *anchors, *manifolds; /* see wp_kept_byte and wp_kept_point_byte */
	const unsigned char *polytopes;     /* wp_kept_polytope; NULL: none are kept */
	wp_reuse_limits limits;
	uint32_t points;               /* of each pair; 0: any number */
	bool are_boxes;                /* both shapes of each pair */
	const uint32_t *row, *tracked; /* rows, ascending, and their places in `pairs`; the last repeated up to the lanes */
} wp_kept_rows;

/* A block of pairs whose depths kept polytopes are to bound, in the lanes `wanted`: how both bodies are turned, the way from A's
 * position to B's, the slack of the pair, and the upper bound of its separation, which is enough if it is no more than that. */
typedef struct wp_deep_pairs {
	uint32_t wanted;
	const uint32_t *tracked, *shape[2], *known_by[2]; /* [lanes]; what the shapes are known by in what is kept */
	WP_VECTORS float turn[2][4][WP_WIDTH_MAX], way[3][WP_WIDTH_MAX];
	WP_VECTORS float slack[WP_WIDTH_MAX], enough[WP_WIDTH_MAX], upper[WP_WIDTH_MAX];
} wp_deep_pairs;

/* The kernel for kept polytopes of pairs that touched, apart from others because only pairs that have one need it. */
typedef struct wp_kept_polytope_table {
	/* Lower the upper bounds to what the polytopes prove, where that is enough. */
	void (*bound)(const wp_kept_rows *rows, wp_deep_pairs *pairs);
} wp_kept_polytope_table;

/* What is told of a pair of which enough is known, where it is requested. */
enum wp_known_output {
	WP_KNOWN_SEPARATION,
	WP_KNOWN_LOWER,
	WP_KNOWN_UPPER,
	WP_KNOWN_STATUS,
	WP_KNOWN_NORMAL,
	WP_KNOWN_OUTPUT_COUNT = WP_KNOWN_NORMAL + 4
};

/* What kernels give of one job, together in memory: where each number stands, in the order of a wp_row. */
enum wp_job_output {
	WP_OUTPUT_SEPARATION = 0,
	WP_OUTPUT_NORMAL = 1,
	WP_OUTPUT_POINT_A = 4,
	WP_OUTPUT_POINT_B = 7,
	WP_OUTPUT_LOWER = 10,
	WP_OUTPUT_UPPER = 11,
	WP_OUTPUT_STATUS = 12,     /* its bits */
	WP_OUTPUT_ITERATIONS = 13, /* its bits */
	/* Where points are wanted and the contact is the only one: its features, WP_ONLY_POINT bits flipped; otherwise 0. */
	WP_OUTPUT_FEATURE_A = 14,
	WP_OUTPUT_FEATURE_B = 15,
	WP_OUTPUT_COUNT = 16
};

/* No feature has this bit alone, so no feature with it flipped is 0. */
#define WP_ONLY_POINT 0x80000000u

/* What they give instead for a job that is swept: four rows of four floats, of vectors in world axes. */
enum wp_job_sweep {
	WP_SWEEP_NORMAL = 0, /* of the plane that B comes to at last, from A to B; zero: none. Then the steps */
	WP_SWEEP_CLIP = 4,   /* of a plane that it came to before, in the same way */
	WP_SWEEP_ON_A = 8,   /* where they touch: a point of A's core, from A's position */
	WP_SWEEP_ON_B = 12   /* one of B's, from B's */
};

/* Outputs that few callers request, in the same way. */
enum wp_job_detail {
	WP_DETAIL_LOCAL_A = 0,
	WP_DETAIL_LOCAL_B = 3,
	WP_DETAIL_TANGENT_1 = 6,
	WP_DETAIL_TANGENT_2 = 9,
	WP_DETAIL_COUNT = 12
};

/* On which terms a bucket is solved, as its kinds of cores decide. */
typedef struct wp_terms {
	bool smooth;            /* a core is; vertices of the difference are places, and have no ids that last */
	float gap_tolerance;    /* GJK's bracket at its end */
	float gap_rebound;      /* by which its distance may grow: twice that */
	float gap_slack;        /* bounds that differ by less are as good */
	float depth_tolerance;  /* EPA's */
	float full_tolerance;   /* the same, once a polytope is full */
	float bracket_max;      /* of an answer, in units of L + |separation|; wider ones go to the strong path */
	float residual_max;     /* how far witness points are from where the separation puts them, in the same units */
	float common_tolerance; /* in units of L: points of overlapping cores that count as one */
	float common_good2;     /* the square of half of it: points so near need no better weights */
	float point_rounding;   /* of points of cores, relative to their size */
	float kernel_rounding;
	int32_t face_max, vertex_max; /* of a polytope */
} wp_terms;

/* Which vertex of a hull of WP_FARTHEST_PADDED is farthest along a direction, of several the first. They lie as in a wp_core.
 * Vectors of eight search such hulls for kernels of one lane. */
#define WP_FARTHEST_PADDED 32
typedef uint32_t wp_find_farthest(const float *vertices, float x, float y, float z);

struct wp_jobs;
struct wp_scratch;
struct wp_kernel_work;

/* Whether blocks of eight lanes take less time for so many jobs than blocks of sixteen, of which half of one would be dead. */
WP_INLINE bool wp_fill_half(uint32_t count) { return count <= 3 * WP_HALF_JOBS && ((count - 1) & WP_HALF_JOBS) == 0; }

/* Search the jobs of a list, which closed forms have prepared and left: GJK, EPA and witness points; or EPA alone, those whose
 * cores overlap. The kinds are those of cores with a search of their own. */
typedef void wp_search_list(struct wp_jobs *jobs, const int32_t *list, uint32_t total, struct wp_scratch *scratch,
	int kind_a, int kind_b, struct wp_kernel_work *work);

typedef struct wp_search_kernels {
	wp_search_list *search, *expand;
} wp_search_kernels;

typedef struct wp_jobs {
	/* Filled by pack. */
	uint32_t count;
	uint32_t kind_a, kind_b;
	uint32_t query;          /* wp_query */
	uint32_t wants_details;  /* 1 where any wp_job_detail is requested */
	uint32_t wants_tangents; /* 1 where tangents are among them */
	uint32_t wants_points;   /* 1 where manifolds are made of the contacts */
	float max_separation;
	uint32_t method;                                /* wp_job_method */
	float margin;                                   /* WP_JOB_CORE: by how much cores are shrunk, at most */
	wp_directions directions;                       /* WP_JOB_SAMPLED */
	const float *input[WP_JOB_MAX / WP_CHUNK_JOBS]; /* of each chunk, for each of its jobs the rows of wp_job_input */
	const wp_core *const *core_a, *const *core_b;   /* [count], then any up to a multiple of WP_WIDTH_MAX */
	const uint32_t *row;                            /* [count], of the call, ascending */
	const unsigned char *cache;                     /* the caller's caches, any bytes; NULL: the bucket is cold. */
	const uint32_t *cache_of; /* [count]; job j has its cache cache_stride * cache_of[j] bytes on */
	size_t cache_stride;
	/* The kept polytope of job j, cache_of[j] of them on; NULL: none is kept. The shapes of a call, and the names that they are
	 * known by; NULL: their indices. */
	unsigned char *polytopes;
	const wp_core *shapes;
	const uint32_t *serials;

	wp_find_farthest *find_farthest; /* for one lane; NULL: it has no better way than its own */
	const wp_search_kernels *few;    /* one lane's, for WP_FEW_SEARCHED jobs; NULL: their own, as with methods */
	const wp_search_kernels *half;   /* for sixteen lanes, if half of them are dead; NULL: their own, as with methods */
	const void *methods; /* the wp_method_table (wide/job/method_table.h) of its kernels; NULL: the method needs none */
	/* For a sweep: four floats per job, the direction that B moves in, unit, world axes, and how far. */
	const float *way;

	/* Chosen by the kernel. */
	const wp_terms *terms;

	/* Made by GJK and EPA, scaled, in A's frame. */
	WP_VECTORS float direction[3][WP_JOB_MAX]; /* n, unit; before GJK where it looks first, of any length */
	WP_VECTORS int32_t vertex[4][WP_JOB_MAX];  /* support vertices: id in A << 16 | id in B. The fourth of
	                                                     a depth, if the bucket is warm, makes a tetrahedron
	                                                     around the origin with the face, or is the first */
	WP_VECTORS int32_t vertex_count[WP_JOB_MAX];
	WP_VECTORS int32_t state[WP_JOB_MAX];  /* wp_job_state */
	WP_VECTORS int32_t status[WP_JOB_MAX]; /* wp_status bits so far */

	/* Made with witness points: world axes and lengths. */
	WP_VECTORS float output[WP_OUTPUT_COUNT * WP_JOB_MAX]; /* of each job its wp_job_output */
	WP_VECTORS float detail[WP_DETAIL_COUNT * WP_JOB_MAX]; /* of each job its wp_job_detail, where wanted */

	/* The rest is of no use once the answers of the kernels are written: the strong path then has its memory here.
	 *
	 * Made by GJK and EPA, too. */
	WP_VECTORS float core_lower[WP_JOB_MAX]; /* bracket of the cores' separation */
	WP_VECTORS float core_upper[WP_JOB_MAX];
	WP_VECTORS int32_t gjk_steps[WP_JOB_MAX];
	WP_VECTORS int32_t epa_steps[WP_JOB_MAX];

	/* Made by prepare. */
	WP_VECTORS float half_a[3][WP_JOB_MAX]; /* box extents; zero for hulls */
	WP_VECTORS float half_b[3][WP_JOB_MAX];
	WP_VECTORS float radius_a[WP_JOB_MAX];
	WP_VECTORS float radius_b[WP_JOB_MAX];
	WP_VECTORS float reach[WP_JOB_MAX];      /* larger bounding radius, rounding radius included */
	WP_VECTORS float origin[3][WP_JOB_MAX];  /* position of A, to count points from */
	WP_VECTORS float scale[WP_JOB_MAX];      /* power of two from world to kernel lengths */
	WP_VECTORS float rounding[WP_JOB_MAX];   /* kernel rounding of this pair, scaled */
	WP_VECTORS float frame_a[9][WP_JOB_MAX]; /* rotation of A: local to world, row by row */
	/* For each job, together in memory: B in A's frame as three rows of rotation and scaled translation;
	 * then scale and both radii once more, and the scale of hulls, which is less where they are shrunk. */
	WP_VECTORS float pose[16 * WP_JOB_MAX];

	/* Of WP_JOB_CORE: by how much each core was shrunk and rounded again, and what is left of hulls, a share. */
	WP_VECTORS float margin_a[WP_JOB_MAX];
	WP_VECTORS float margin_b[WP_JOB_MAX];
	WP_VECTORS float share[WP_JOB_MAX];

	/* Instead of `vertex` where a core is smooth: support vertices have no ids there, but a place, w = a - b, and A's
	 * point a. */
	union {
		WP_VECTORS float place[4][3][WP_JOB_MAX];
		/* Given with half-spaces, which have no support vertices: four floats per job, the direction down to the surface, unit,
		 * in the frame of the other shape, and a number unused. */
		WP_VECTORS float down[4 * WP_JOB_MAX];
	};
	WP_VECTORS float place_a[4][3][WP_JOB_MAX];
} wp_jobs;

/* The inputs of a job, and of those behind it in its chunk. */
WP_INLINE const float *wp_input_of_job(const wp_jobs *jobs, uint32_t job)
{
	return jobs->input[job / WP_CHUNK_JOBS] + (size_t)4 * WP_INPUT_COUNT * (job % WP_CHUNK_JOBS);
}

/* Bytes of the jobs that last, the first ones. */
#define WP_JOBS_LAST offsetof(wp_jobs, core_lower)

/* Slots of the largest polytope, and one more, the last, which takes what lanes write that have nothing to write. */
#define WP_FACE_SLOTS (WP_SMOOTH_FACE_MAX + 1)
#define WP_VERTEX_SLOTS (WP_SMOOTH_VERTEX_MAX + 1)

_Static_assert(
	WP_EPA_FACE_MAX < WP_FACE_SLOTS && WP_EPA_VERTEX_MAX < WP_VERTEX_SLOTS, "the last slot is no polytope's");

/* EPA's polytopes, one per lane: element [slot][lane]. */
typedef struct wp_polytopes {
	WP_VECTORS float plane[4 * WP_FACE_SLOTS * WP_WIDTH_MAX];    /* normal and distance from the origin */
	WP_VECTORS float rank[WP_FACE_SLOTS * WP_WIDTH_MAX];         /* distance of a face that may be expanded */
	WP_VECTORS int32_t corners[WP_FACE_SLOTS * WP_WIDTH_MAX];    /* three vertex slots, a byte each */
	WP_VECTORS float vertex[4 * WP_VERTEX_SLOTS * WP_WIDTH_MAX]; /* x, y, z, bits of the id */
} wp_polytopes;

/* Points of A under the vertices of a difference with a smooth core: coordinate [row][3][lane], where the row is the
 * vertex's id. GJK needs one for each step, since no vertex stays for longer, EPA one for each slot. */
#define WP_POINT_ROWS (WP_GJK_STEP_MAX + 2)
typedef struct wp_points_a {
	WP_VECTORS float at[3 * WP_POINT_ROWS * WP_WIDTH_MAX];
} wp_points_a;

_Static_assert(WP_POINT_ROWS >= WP_VERTEX_SLOTS, "EPA has a row for each slot");

/* The vertices of the hulls that lanes work on, [vertex][lane]. */
typedef struct wp_lane_hulls {
	WP_VECTORS float x[WP_LANE_HULL_MAX * WP_WIDTH_MAX];
	WP_VECTORS float y[WP_LANE_HULL_MAX * WP_WIDTH_MAX];
	WP_VECTORS float z[WP_LANE_HULL_MAX * WP_WIDTH_MAX];
} wp_lane_hulls;

/* What a kernel needs besides the jobs; nothing of it outlives the call. */
typedef struct wp_scratch {
	union {
		wp_polytopes polytopes;
		wp_points_a points_b; /* of sweeps, which have no polytopes: the same of B */
	};
	wp_lane_hulls hulls[2], staged_hulls[2]; /* of A and of B */
	wp_points_a points_a;
	wp_points_a staged_points_a; /* the last: the first WP_START_ROWS rows of it, see WP_SCRATCH_SIZE */
} wp_scratch;

/* Rows for the points of A where a search starts. */
#define WP_START_ROWS 16

/* Bytes of a scratch that are used. */
#define WP_SCRATCH_SIZE (offsetof(wp_scratch, staged_points_a) + sizeof(float[3 * WP_START_ROWS * WP_WIDTH_MAX]))

/* Faces opposite each other, one per lane, across the normal: corner k, and the edge from it to the next, at
 * [k][lane]. A face with fewer corners than another has its first one again past its last, and edges there that have no
 * direction. */
typedef struct wp_lane_polygons {
	WP_VECTORS float u[WP_FACE_CORNER_MAX * WP_WIDTH_MAX];
	WP_VECTORS float v[WP_FACE_CORNER_MAX * WP_WIDTH_MAX];
	WP_VECTORS float
		inward_u[WP_FACE_CORNER_MAX * WP_WIDTH_MAX]; /* across the edge, unit; zero where it has no length */
	WP_VECTORS float inward_v[WP_FACE_CORNER_MAX * WP_WIDTH_MAX];
	WP_VECTORS int32_t vertex[WP_FACE_CORNER_MAX * WP_WIDTH_MAX]; /* number of the corner's vertex */
	WP_VECTORS int32_t edge[WP_FACE_CORNER_MAX * WP_WIDTH_MAX];   /* feature of the edge; -1 past the last */
	/* Of rounded shapes alone: the edge's direction, zero where it has no length; its length; the sine of how it rises
	 * towards the other shape. */
	WP_VECTORS float along_u[WP_FACE_CORNER_MAX * WP_WIDTH_MAX];
	WP_VECTORS float along_v[WP_FACE_CORNER_MAX * WP_WIDTH_MAX];
	WP_VECTORS float length[WP_FACE_CORNER_MAX * WP_WIDTH_MAX];
	WP_VECTORS float sine[WP_FACE_CORNER_MAX * WP_WIDTH_MAX];
} wp_lane_polygons;

/* Points that a manifold may have, [candidate][lane]. */
typedef struct wp_lane_candidates {
	WP_VECTORS float u[WP_CANDIDATE_MAX * WP_WIDTH_MAX];
	WP_VECTORS float v[WP_CANDIDATE_MAX * WP_WIDTH_MAX];
	WP_VECTORS float height[WP_CANDIDATE_MAX * WP_WIDTH_MAX];     /* of A's surface */
	WP_VECTORS float separation[WP_CANDIDATE_MAX * WP_WIDTH_MAX]; /* infinite where it is none */
	WP_VECTORS float weight[WP_CANDIDATE_MAX * WP_WIDTH_MAX];     /* how much it is preferred; 0 where it is none */
} wp_lane_candidates;

/* Numbers of one point of a manifold, in the order of a wp_manifold_point. */
#define WP_POINT_NUMBERS 15
#define WP_POINT_BYTES (4 * WP_POINT_NUMBERS)

/* Bytes of its first numbers, the points in world axes, which may be left out. */
#define WP_POINT_WORLD_BYTES 24

/* What making the manifolds of a block takes, and the manifolds. */
typedef struct wp_manifold_scratch {
	wp_lane_polygons polygons[2]; /* of A and of B */
	union {
		WP_VECTORS float
			corner[4 * WP_FACE_CORNER_MAX * WP_WIDTH_MAX]; /* of faces of hulls, [k][lane]: x, y, z, vertex */
		wp_lane_candidates candidates;                     /* after that */
	};
	int32_t face[2][WP_JOB_MAX], corners[2][WP_JOB_MAX]; /* of jobs with hulls as A and B: which face, its corners */
	WP_VECTORS int32_t count[WP_WIDTH_MAX];              /* points of each lane */
	/* Where they go, one behind the other: the local points of the first one. Of any alignment. */
	unsigned char *to[WP_WIDTH_MAX];
	bool has_world; /* their points in world axes go before these */
	bool is_kept;   /* or they go where points to be kept are */
	union {
		float point[WP_WIDTH_MAX * WP_POINT_MAX * WP_POINT_NUMBERS]; /* points to be moved */
		/* Of each lane, points to be kept: what a kept manifold begins with (wp_kept_point_byte). */
		WP_VECTORS float kept[WP_WIDTH_MAX * WP_KEPT_FOUND_BYTES / 4];
	};
} wp_manifold_scratch;

/* Work done by one kernel call, added up. */
typedef struct wp_kernel_work {
	uint64_t lanes_issued, lanes_live;
} wp_kernel_work;

/* Make the manifolds of the solved contacts job[0 .. width), whose cores are of the same kinds and class; their outputs and
 * details are there. `job` is aligned as vectors are; lanes without a job do what the first one does. Up to `most` points each,
 * by scratch->count and scratch->to. */
typedef void wp_clip(const wp_jobs *jobs, const int32_t *job, uint32_t most, wp_manifold_scratch *scratch);

/* Find the faces of the hulls of such jobs, in scratch->face and scratch->corners. */
typedef void wp_find_faces(const wp_jobs *jobs, const int32_t *job, wp_manifold_scratch *scratch);

/* How manifolds are made, by the kinds of cores: those with names of shapes for these alone. */
typedef enum wp_clip_class {
	WP_CLIP_ANY,
	WP_CLIP_BOXES,       /* sharp boxes that are no slivers */
	WP_CLIP_CAPSULES,    /* segments, rounded or not, that have a length */
	WP_CLIP_BOX_CAPSULE, /* a sharp box that is no sliver, and such a segment, whichever is A */
	WP_CLIP_HALF_SPACE,  /* A or B is a half-space */
	WP_CLIP_CLASS_COUNT
} wp_clip_class;

/* Entry points for manifolds. */
typedef struct wp_manifold_kernels {
	wp_find_faces *find_faces; /* before WP_CLIP_ANY where a side is a hull */
	wp_clip *clip[WP_CLIP_CLASS_COUNT];
} wp_manifold_kernels;

/* Rays that are answered together. */
#define WP_RAY_MAX 32

/* The shapes of rays, or their balls: which body each has, and its core. Lists are as long as whole vectors of lanes need: past the
 * last ray it is repeated. */
typedef struct wp_ray_bodies {
	const uint32_t *body;
	const wp_core *const *core;
	wp_kept_column position, rotation, way; /* of bodies; how far they move, world axes */
	wp_kept_column end;                     /* rotation at the end; no data: not looked at */
} wp_ray_bodies;

/* Rays of one kind. The shape does not turn; a ball comes to it. Positions and rotations are as the caller has them: what is
 * out of range is left open. */
typedef struct wp_rays {
	uint32_t count;
	bool has_doubles; /* positions are in `start`, not those of the bodies */
	bool is_shape_a;
	wp_ray_bodies shape, ball;
	unsigned char
		*row[WP_RAY_MAX]; /* where the row of each ray is, of any alignment; past the last, a place to write to */
	WP_VECTORS double start[6][WP_RAY_MAX]; /* of the shape and the ball */
} wp_rays;

/* A wp_row: the outputs of a job, without the padding. */
#define WP_RAY_ROW_BYTES (4 * (WP_OUTPUT_ITERATIONS + 1))

/* Where rays end. Rows of open rays are of no use. */
typedef struct wp_ray_ends {
	bool turns;    /* a body's rotation at the end is, bit by bit, not the one at the start: the rest is of no use */
	uint32_t open; /* a bit for each ray */
	WP_VECTORS float fraction[WP_RAY_MAX]; /* rounded down */
	WP_VECTORS double time[WP_RAY_MAX];    /* an open ray is free up to there */
	WP_VECTORS double gap[WP_RAY_MAX];
	WP_VECTORS double normal[3][WP_RAY_MAX];         /* from the shape to the ball, world axes */
	unsigned char row[WP_RAY_MAX][WP_RAY_ROW_BYTES]; /* for rows that are not written in place */
} wp_ray_ends;

/* Triangles that are tested at once. */
#define WP_CULL_MAX 64

/* A body of a row, and triangles of its mesh, which a test is to leave out. Places are from the body's origin on. */
typedef struct wp_cull {
	WP_VECTORS float place[9][WP_CULL_MAX]; /* x, y, z of each corner of a triangle, in the mesh's axes */
	float centre[3];                        /* a place inside the body, in the mesh's axes */
	float size;        /* the sum of its coordinates, and 2^-24 of the sum of the body's origin's */
	float axis[3][3];  /* of the body, in the mesh's axes */
	float half[3];     /* of a box around its core, in its own axes */
	float round;       /* its radius, and the limit */
	float reach;       /* of the ball around it, and the limit */
	bool has_box;      /* the core is more than a point */
	bool has_ball;     /* it is less than the box, so that the ball around it may miss what the box meets */
	bool is_two_sided; /* triangles behind which it is are tested too */
} wp_cull;

/* Where the side of a box and a triangle may have a corner in common: where each edge of the triangle comes into the side and
 * leaves it, and the corners of the side. */
#define WP_TOUCH_PLACES 10

/* Boxes and triangles, one pair per lane: in the axes of a mesh, from the box's centre on. */
typedef struct wp_box_triangles {
	WP_VECTORS float corner[9][WP_WIDTH_MAX]; /* x, y, z of each corner */
	WP_VECTORS float face[3][WP_WIDTH_MAX];   /* unit normal of the triangle, towards the box's centre */
	WP_VECTORS float axis[9][WP_WIDTH_MAX];   /* x, y, z of each axis of the box */
	WP_VECTORS float half[3][WP_WIDTH_MAX];
	float max_separation;
} wp_box_triangles;

/* How far a pair is answered. */
typedef enum wp_touch_state {
	WP_TOUCH_OPEN,  /* left to the kernels for all pairs */
	WP_TOUCH_APART, /* farther than the limit */
	WP_TOUCH_MET    /* the contact, with points that prove it */
} wp_touch_state;

/* Points along a normal, on the box. */
typedef struct wp_touch_places {
	WP_VECTORS float at[WP_TOUCH_PLACES][3][WP_WIDTH_MAX];        /* in the box's axes */
	WP_VECTORS float separation[WP_TOUCH_PLACES][WP_WIDTH_MAX];   /* infinite where it is none */
	WP_VECTORS int32_t feature[WP_TOUCH_PLACES][2][WP_WIDTH_MAX]; /* of the box, of the triangle */
} wp_touch_places;

typedef struct wp_box_touches {
	WP_VECTORS int32_t state[WP_WIDTH_MAX]; /* wp_touch_state */
	WP_VECTORS float separation[WP_WIDTH_MAX];
	WP_VECTORS float normal[3][WP_WIDTH_MAX]; /* unit, from the triangle to the box, in the axes of the mesh */
	WP_VECTORS int32_t is_face[WP_WIDTH_MAX]; /* not 0: it is the triangle's */
	wp_touch_places own;                      /* along the normal */
	wp_touch_places face;                     /* along the triangle's */
	bool has_face;                            /* the latter are there; otherwise all normals are the triangles' */
} wp_box_touches;

/* Triangles that a sphere or a capsule is measured against at once. */
#define WP_MEASURE_MAX 64

/* Features of a triangle: its face, the edges k from corner k to the next one, and the corners. */
enum wp_measure_feature { WP_MEASURE_FACE = 0, WP_MEASURE_EDGE = 1, WP_MEASURE_CORNER = 4 };

/* The core of a sphere or a capsule, and triangles, in the frame of a mesh. */
typedef struct wp_measure {
	WP_VECTORS double corner[9][WP_MEASURE_MAX]; /* x, y, z of each corner of a triangle */
	double origin[3];                            /* the middle of the core */
	double along[3];                             /* from there to an end of a capsule's segment */
	double most;                                 /* distances up to which triangles are near */
	bool is_two_sided;                           /* triangles are near from both sides */
} wp_measure;

/* What is found of each triangle that is near. */
typedef struct wp_measured {
	WP_VECTORS double face[3][WP_MEASURE_MAX]; /* unit normal towards the middle of the core */
	double normal[3][WP_MEASURE_MAX];          /* unit, from the triangle to the core */
	double distance[WP_MEASURE_MAX];           /* of the core along it, < 0 for a segment that crosses the triangle */
	double place[WP_MEASURE_MAX];              /* of the nearest place on the core, from -1 to 1 along the segment */
	double feature[WP_MEASURE_MAX];  /* of the triangle, that is nearest: a wp_measure_feature, and which one */
	double longest2[WP_MEASURE_MAX]; /* the square of the longest edge */
	uint64_t near,
		behind; /* a bit per triangle: it is no further than `most`; it faces away from the middle of the core */
} wp_measured;

/* Entry points for bodies against triangles. */
typedef struct wp_mesh_kernels {
	/* Find the contacts of a block of boxes and triangles, one for each lane. */
	void (*touch_boxes)(const wp_box_triangles *pairs, wp_box_touches *touches);
	/* Measure `count` triangles against a sphere or a capsule. Reads past the last, and writes past it, up to the lanes of
	 * doubles. */
	void (*measure_ball)(const wp_measure *measure, uint32_t count, wp_measured *measured);
	void (*measure_segment)(const wp_measure *measure, uint32_t count, wp_measured *measured);
} wp_mesh_kernels;

/* Entry points for closed forms. */
typedef struct wp_closed_kernels {
	/* Prepare every job of a bucket, answer what has a closed form, list the rest. Returns how many are listed. Shapes that will
	 * be shrunk are separated by the boxes around them, as hulls and smooth cores are, since GJK is what they are shrunk for. */
	uint32_t (*solve)(wp_jobs *jobs, int32_t list[WP_JOB_MAX]);
	/* The same without closed forms: all jobs that are fit are listed. */
	uint32_t (*prepare)(wp_jobs *jobs, int32_t list[WP_JOB_MAX]);
	/* Answer all jobs of a bucket, of any kinds, which spheres prove further apart than the query requests. */
	void (*solve_spheres)(wp_jobs *jobs);
	/* Of the first `count` rows, which pairs were apart, find those that the kept planes prove further apart than the limit: a bit
	 * each. What is kept of these is renewed, and `known` gets what is told of all, wp_known_output each up to `count` rounded up
	 * to the lanes, if it is not NULL. */
	uint64_t (*bound_kept)(const wp_kept_rows *rows, uint32_t count, float *known);
	/* In the same way find the pairs that touched and may reuse their points; in their manifolds all that changes is
	 * written. */
	uint64_t (*reuse_points)(const wp_kept_rows *rows, uint32_t count, float *known);
	/* Of `count` triangles, a bit each, which the body's centre is surely behind, and which others are surely farther from the body
	 * than the limit, along their normals, the axes of the box, or seen from the ball. Reads past the last, up to the lanes. */
	void (*cull_triangles)(const wp_cull *cull, uint32_t count, uint64_t *behind, uint64_t *beyond);
	/* The same across edges of both, for a body with a box. */
	void (*cull_edges)(const wp_cull *cull, uint32_t count, uint64_t *beyond);
} wp_closed_kernels;

/* Answer rays of one kind, in closed form and in double. May write past the last, up to the lanes. */
typedef void wp_cast_rays(const wp_rays *rays, wp_ray_ends *ends);

typedef struct wp_kernels {
	uint32_t width;
	/* Run every job of the bucket through prepare, GJK, EPA and witness points. Where a core is smooth, kind_a and kind_b are
	 * WP_CORE_HULL, or WP_CORE_SMOOTH for any other core. Jobs that end in WP_JOB_STRONG have no outputs. Overwrites
	 * `scratch`. */
	void (*solve)(wp_jobs *jobs, wp_scratch *scratch, wp_kernel_work *work);
	/* Guess of every job of a bucket, of the kinds of `solve`, where B first touches A on its way: its wp_job_sweep in
	 * `output`. Overwrites `scratch`. */
	void (*sweep)(wp_jobs *jobs, wp_scratch *scratch, wp_kernel_work *work);
	/* Answer every job of a bucket of half-spaces: kind_b is WP_CORE_HULL, or WP_CORE_SMOOTH for any other core. */
	void (*solve_half_space)(wp_jobs *jobs);
	const wp_closed_kernels *closed;
	const wp_manifold_kernels *manifolds;
	wp_cast_rays *const *cast_rays; /* [WP_RAY_KIND_COUNT] */
	const wp_mesh_kernels *meshes;
	wp_find_farthest *find_farthest;   /* of eight lanes alone, else NULL */
	wp_find_checksum *find_checksum;   /* the same */
	const wp_search_kernels *searches; /* of eight lanes and of one, else NULL */
	/* Whether the compiler left the arithmetic of these kernels as it is written; to be called with rounding to nearest. */
	bool (*is_exact)(void);
} wp_kernels;

#endif
