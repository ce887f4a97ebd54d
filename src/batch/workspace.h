/* What a workspace holds. */
#ifndef WP_BATCH_WORKSPACE_H
#define WP_BATCH_WORKSPACE_H

#include "core/base.h"
#include "core/double3.h"
#include "job/job.h"
#include "job/job_2d.h"
#include "shape/shape.h"
#include "strong/strong.h"
#include "strong/strong_2d.h"
#include "widephase/2d.h"
#include "widephase/compound.h"
#include "widephase/mesh.h"
#include "widephase/query.h"
#include "widephase/workspace.h"

#define WP_WORKSPACE_MAGIC 0x776964657068617aull

/* Jobs that wait for their bucket to fill, a part of it. */
typedef struct wp_chunk {
	WP_VECTORS float input[4 * WP_INPUT_COUNT * WP_CHUNK_JOBS]; /* of each job its rows of wp_job_input */
	const wp_core *core_a[WP_CHUNK_JOBS], *core_b[WP_CHUNK_JOBS];
	uint32_t row[WP_CHUNK_JOBS]; /* within the call */
} wp_chunk;

/* Buckets of pairs without a smooth core, by both kinds; then of those with one, for which it only matters which side is
 * a hull; then of half-spaces, against hulls or other shapes, whichever side they are; then of pairs of any kinds but those
 * that spheres prove far enough apart. */
#define WP_PLAIN_KINDS WP_CORE_SMOOTH
#define WP_PLAIN_BUCKETS (WP_PLAIN_KINDS * WP_PLAIN_KINDS)
#define WP_HALF_SPACE_BUCKETS (WP_PLAIN_BUCKETS + 3)
#define WP_APART_BUCKET (WP_HALF_SPACE_BUCKETS + 2)
#define WP_BUCKET_COUNT (WP_APART_BUCKET + 1)
#define WP_NO_BUCKET WP_BUCKET_COUNT

_Static_assert(WP_CORE_SMOOTH + 1 == WP_CORE_HALF_SPACE && WP_CORE_HALF_SPACE + 1 == WP_CORE_KIND_COUNT,
	"the plain kinds come first");

/* Chunks, which all buckets share, but for the first, see wp_buckets. Of a batch of all kinds, buckets of WP_JOB_MAX jobs and of
 * none and all between wait together: half of what all would need if full. */
#define WP_CHUNK_COUNT 64

/* Chunks whose numbers follow one another follow one another in memory, too, as hardware expects, but only so many: the next
 * ones are before them. */
#define WP_CHUNK_GROUP 4

/* Batches of casts, meshes and compounds have few rows, and take no more chunks than these, the first in number: what is before
 * their groups is left alone. Up to 64 rows of nine kinds are never in more; of more kinds the fullest bucket runs early. */
#define WP_FEW_CHUNKS 12

_Static_assert(WP_CHUNK_COUNT % WP_CHUNK_GROUP == 0 && WP_FEW_CHUNKS % WP_CHUNK_GROUP == 0, "groups are whole");

/* How many jobs wait in each bucket stands apart from them: whoever looks for the buckets that are not empty reads few cache
 * lines. */
typedef struct wp_buckets {
	/* Where the next job goes, which has room: at `place` in the last chunk. Of an empty bucket this is the last place of the first
	 * chunk, from where the job moves to a chunk that the bucket takes: so only a full chunk is looked for. */
	uint32_t place[WP_BUCKET_COUNT];
	int32_t before[WP_BUCKET_COUNT]; /* jobs in the chunks before, so that all are before + place */
	wp_chunk *last[WP_BUCKET_COUNT];
	uint8_t chunk[WP_BUCKET_COUNT][WP_JOB_MAX / WP_CHUNK_JOBS]; /* which chunks a bucket has, in order */
	uint64_t free;    /* set of chunks that may be taken: never empty between rows */
	wp_chunk *chunks; /* [WP_CHUNK_COUNT], the first group last */
} wp_buckets;

/* The jobs of a bucket that is run, from all of its chunks: what kernels take besides inputs. */
typedef struct wp_running {
	const wp_core *core_a[WP_JOB_MAX], *core_b[WP_JOB_MAX];
	uint32_t row[WP_JOB_MAX]; /* within the call */
} wp_running;

WP_INLINE uint32_t wp_bucket_of_kinds(uint32_t kind_a, uint32_t kind_b)
{
	if (kind_a < WP_PLAIN_KINDS && kind_b < WP_PLAIN_KINDS)
		return WP_PLAIN_KINDS * kind_a + kind_b;
	if (kind_a == WP_CORE_HALF_SPACE || kind_b == WP_CORE_HALF_SPACE)
		return WP_HALF_SPACE_BUCKETS + (kind_a == WP_CORE_HULL || kind_b == WP_CORE_HULL ? 1u : 0u);
	return WP_PLAIN_BUCKETS + (kind_a == WP_CORE_HULL ? 1u : kind_b == WP_CORE_HULL ? 2u : 0u);
}

/* The kinds of a bucket's jobs for the kernels. Half-spaces are kind_a there, whichever side they are on. */
WP_INLINE void wp_kinds_of_bucket(uint32_t index, uint32_t *kind_a, uint32_t *kind_b)
{
	if (index < WP_PLAIN_BUCKETS) {
		*kind_a = index / WP_PLAIN_KINDS;
		*kind_b = index % WP_PLAIN_KINDS;
		return;
	}
	if (index == WP_APART_BUCKET) {
		*kind_a = *kind_b = WP_CORE_SMOOTH;
		return;
	}
	if (index >= WP_HALF_SPACE_BUCKETS) {
		*kind_a = WP_CORE_HALF_SPACE;
		*kind_b = index == WP_HALF_SPACE_BUCKETS ? WP_CORE_SMOOTH : WP_CORE_HULL;
		return;
	}
	*kind_a = index == WP_PLAIN_BUCKETS + 1 ? WP_CORE_HULL : WP_CORE_SMOOTH;
	*kind_b = index == WP_PLAIN_BUCKETS + 2 ? WP_CORE_HULL : WP_CORE_SMOOTH;
}

/* The kinds of the bucket that a pair without a half-space would go to, without its number: beside a smooth core there are smooth
 * ones and hulls alone. */
WP_INLINE void wp_kinds_of_pair(uint32_t own_a, uint32_t own_b, bool is_apart, uint32_t *kind_a, uint32_t *kind_b)
{
	const bool is_plain = own_a < WP_PLAIN_KINDS && own_b < WP_PLAIN_KINDS;
	*kind_a = !is_apart && (is_plain || own_a == WP_CORE_HULL) ? own_a : WP_CORE_SMOOTH;
	*kind_b = !is_apart && (is_plain || own_b == WP_CORE_HULL) ? own_b : WP_CORE_SMOOTH;
}

/* Rows of a cast on their way together. */
#define WP_CAST_ROWS 256

/* A body of a cast, where it is looked at. In 2D, the numbers that it does not use are zero. */
typedef struct wp_cast_body {
	double position[3];
	float rotation[4];
	uint32_t shape;
} wp_cast_body;

/* How it moves: from where, how far, and how it turns. A directed depth comes from `start` back along `way`. */
typedef struct wp_cast_path {
	double start[3], way[3];
	union {
		struct { /* in 3D: from which rotation to which, about which axis */
			double axis[3];
			double turn;            /* product of the rotations' lengths and the sine of half the angle between them */
			double fastest, change; /* how fast it turns at most, and how much faster at most; radians a cast */
			float from[4], to[4];
		};
		struct {           /* in 2D */
			wp_d2 from_2d; /* rotation at the start, of length 1 */
			wp_d2 half; /* cosine, >= 0, and sine of half the angle it turns by; the sine of one that does not is 0 */
		};
	};
} wp_cast_path;

/* A contact with points that lose nothing: of A and of B, in world axes and in the frames of their bodies. */
typedef struct wp_cast_contact {
	double point[2][3];
	float local[2][3];
	float separation, lower, upper, normal[3];
	uint32_t status, iterations;
} wp_cast_contact;

/* Rays of one kind, with the shape on the same side, that wait for others. */
typedef struct wp_waiting_rays {
	uint32_t count;
	uint32_t row[WP_RAY_MAX];           /* within the call */
	uint32_t body[2][WP_RAY_MAX];       /* of A and of B */
	const wp_core *core[2][WP_RAY_MAX]; /* of A and of B */
} wp_waiting_rays;

/* By kinds: those whose shape is A, then those whose shape is B. */
#define WP_RAY_LISTS (2 * WP_RAY_KIND_COUNT)

typedef struct wp_cast_memory {
	wp_cast_body body[2 * WP_CAST_ROWS]; /* of A and B in turn */
	uint32_t pair[2 * WP_CAST_ROWS];     /* both bodies of each row, or an index that is none */
	uint32_t open[WP_CAST_ROWS];         /* all places: rows that are not decided yet come first */
	uint32_t open_pair[2 * WP_CAST_ROWS];
	wp_cast_contact answer[WP_CAST_ROWS]; /* of rows that are decided */
	double fraction[WP_CAST_ROWS];        /* where the bodies are */
	bool is_valid
		[WP_CAST_ROWS]; /* nothing is wrong with it: contacts name what is, so that others stay where they are read */
	bool is_clear[WP_CAST_ROWS]; /* proven free from there to the end */
	uint32_t row[WP_CAST_ROWS], steps[WP_CAST_ROWS], status[WP_CAST_ROWS], iterations[WP_CAST_ROWS];
	union {                                    /* steps, sweeps and rays take turns */
		wp_cast_contact contact[WP_CAST_ROWS]; /* of the open rows, in their order */
		float way[4 * WP_CAST_ROWS];           /* of the rows of a sweep, as kernels take it */
		struct {
			wp_waiting_rays waiting[WP_RAY_LISTS];
			wp_rays rays; /* of one list */
			wp_ray_ends ray_ends;
		};
	};
	wp_cast_path path[2 * WP_CAST_ROWS]; /* the last: calls of few rows leave its end alone, see WP_CAST_OF_FEW */
} wp_cast_memory;

/* Bytes that casts of up to `rows` rows need: no more places are taken, the first ones. */
#define WP_CAST_OF_FEW(rows) (offsetof(wp_cast_memory, path) + 2 * (rows) * sizeof(wp_cast_path))

/* Rows of a frame that are looked at together: so few that what is read of their pairs stays in the fastest cache. */
#define WP_TRACK_ROWS 48

/* Rows that something is kept of are answered by whole vectors of any variant; others join those that fill none. */
#define WP_KEPT_LANES 16
_Static_assert(WP_TRACK_ROWS + WP_KEPT_LANES == WP_KEPT_MAX, "they wait while others are listed");

/* Lists of rows of which something is kept: of those without points, of those with one point, two, and so on, and of the same
 * numbers of points between two boxes; and the open rows, which are queried: one list of rows that are looked at together, and of
 * rows that waited. */
#define WP_TRACK_BOXES WP_KEPT_POINT_MAX /* so many lists further on */
#define WP_TRACK_OPEN (1 + 2 * WP_KEPT_POINT_MAX)
#define WP_TRACK_LISTS (WP_TRACK_OPEN + 1)
#define WP_TRACK_LIST_MAX (WP_TRACK_ROWS + WP_TRACK_OPEN * WP_KEPT_LANES)

/* Rows of a call, and their tracked pairs where there is an index. */
typedef struct wp_kept_list {
	WP_VECTORS uint32_t row[WP_TRACK_LIST_MAX];
	WP_VECTORS uint32_t tracked[WP_TRACK_LIST_MAX];
} wp_kept_list;

typedef struct wp_track_memory {
	wp_kept_list lists[WP_TRACK_LISTS];
	uint32_t counts[WP_TRACK_LISTS];
	uint32_t most;                                               /* points of pairs that may keep them */
	bool writes;                                                 /* results are requested */
	WP_VECTORS float way[3 * WP_KEPT_MAX];                       /* of the pairs of a list, see wp_kept_rows */
	WP_VECTORS float known[WP_KNOWN_OUTPUT_COUNT * WP_KEPT_MAX]; /* for each pair of a list: wp_known_output */
} wp_track_memory;

/* Triangles of meshes that wait for contacts with their rows' bodies, and rows that have some there. A build may have others,
 * with a workspace as large as that takes: no bit depends on them, nor on those of the other rings below. */
#ifndef WP_MESH_RING
#define WP_MESH_RING 96
#define WP_MESH_ROWS 32
#endif

/* Normals of a row that points are collected for at a time: of contacts as they are, and as many of turned ones. */
#define WP_MESH_CELLS 10

/* Points of a patch before it is reduced: of a wide one the farthest in each of some directions, the deepest, and one of its
 * lead. */
#define WP_MESH_WAYS 8
#define WP_MESH_DEEPEST 7
#define WP_MESH_SPOTS (WP_MESH_WAYS + WP_MESH_DEEPEST + 1)

/* A row with a mesh: its body in the mesh's axes, from the body's origin on. */
typedef struct wp_mesh_row {
	uint32_t row;   /* within the call */
	uint32_t first; /* of its candidates in the ring */
	uint32_t end;
	bool is_ended; /* all of its triangles have come */
	const wp_core *core;
	const wp_mesh *mesh;
	const wp_height_field *field; /* NULL: a mesh */
	wp_dq turn;                   /* of the mesh, to world axes */
	wp_dq body_turn;              /* of the body, to the mesh's axes */
	wp_d3 origin;                 /* of the body, in the mesh's frame */
	wp_d3 centre;                 /* a point inside the body */
	double position[3];           /* of the body */
	double reach;                 /* bounding radius of the body, rounding included */
	float rotation[4];            /* body_turn, as kernels get it */
	wp_d33 axes;                  /* the same as a matrix */
	/* Of a body that is a child of a compound: which one, its number there, the whole among those under way, and that it is the
	 * last one to come; NULL: it is none. */
	const wp_compound_child *part;
	uint32_t child, whole;
	bool is_last;
} wp_mesh_row;

/* A row with a compound, of which some children are in the ring, or come: as of its own body. */
typedef struct wp_mesh_whole {
	uint32_t row;
	wp_dq turn;
	wp_d3 origin;
	double position[3], reach;
	const wp_mesh *mesh; /* as soon as a child has come, like the next one */
	const wp_height_field *field;
} wp_mesh_whole;

/* As many as may have children in the ring, and the next one. */
#define WP_MESH_WHOLES (WP_MESH_ROWS + 1)

/* What becomes of a candidate. */
typedef enum wp_mesh_outcome {
	WP_MESH_APART, /* nothing within max_separation */
	WP_MESH_KEPT,  /* the contact as it is */
	WP_MESH_FACE   /* the triangle's normal, and the body's face along it */
} wp_mesh_outcome;

/* How a contact without points may stay where a row has no other. */
typedef enum wp_mesh_stay {
	WP_MESH_GOES,       /* the body is behind the surface there */
	WP_MESH_STAYS,      /* as it is */
	WP_MESH_STAYS_ABOVE /* with the triangle's normal, at the body's lowest point above or below the triangle */
} wp_mesh_stay;

/* One triangle of one row, and its contact. Vectors are in the mesh's axes, places from the body's origin on. */
typedef struct wp_mesh_candidate {
	uint32_t triangle, status;
	wp_mesh_outcome outcome;
	bool is_answered;      /* by a closed form for bodies on triangles, with its points */
	bool is_face;          /* of such a one: its normal is the triangle's, and its witness is unknown */
	bool witness_is_above; /* the deepest point of the body is above or below the triangle */
	bool is_turned;        /* the normal was another one */
	bool has_witness;      /* the contact might have kept its normal: its witness points are a point besides */
	wp_d3 corner[3];
	wp_d3 face;   /* unit normal of the triangle, towards the body */
	wp_d3 normal; /* unit, from the triangle to the body */
	wp_d3 found;  /* the same before it was turned */
	wp_d3 witness;
	float witness_local[3]; /* in the body's frame */
	double separation;      /* of the witness points */
	float miss2;            /* by how much, squared, these are not straight along the normal from each other */
} wp_mesh_candidate;

/* A point that a closed form finds. */
typedef struct wp_mesh_touch_point {
	float local[3]; /* in the body's frame */
	float separation;
	uint32_t feature_a, feature_b;
} wp_mesh_touch_point;

/* The points of a candidate, by whom it is answered. */
typedef struct wp_mesh_points {
	uint32_t count;
	union {
		wp_manifold_point manifold[WP_MANIFOLD_POINT_MAX];
		wp_mesh_touch_point touch[WP_TOUCH_PLACES];
	};
} wp_mesh_points;

/* A point of a patch: where it is on the body. */
typedef struct wp_mesh_spot {
	wp_d3 at;
	float local[3]; /* in the body's frame */
	float slant;    /* of its triangle */
	double separation;
	uint32_t triangle, feature_a, feature_b;
	union {
		float contact;  /* separation of its contact, until all contacts of the row have come */
		uint32_t child; /* of a compound; not set where the body is none */
	};
} wp_mesh_spot;

/* What there is of a contact besides its spots. */
typedef struct wp_mesh_lead {
	wp_d3 normal; /* as a candidate's */
	double separation;
	uint32_t triangle; /* WP_MESH_MISS: several have it */
	float slant;       /* of the triangle */
} wp_mesh_lead;

/* Points whose normals are about the same. A patch with more points than there is room for is wide, and has the farthest point
 * in each of its directions, at the number of the direction, the deepest ones, the first one first, and the deepest of its
 * lead. */
typedef struct wp_mesh_patch_spots {
	wp_mesh_lead lead; /* the deepest contact */
	uint64_t cell;     /* of the first normal */
	uint32_t count;
	bool is_wide;
	uint8_t axis[2];               /* of a wide one: two that are not along its normals */
	double farthest[WP_MESH_WAYS]; /* of a wide one: how far each point is along its direction */
	wp_mesh_spot spot[WP_MESH_SPOTS];
} wp_mesh_patch_spots;

/* The patches of a row while its points are collected, one for each cell of normals. */
typedef struct wp_mesh_cells {
	wp_mesh_patch_spots patch[WP_MESH_CELLS];
	uint32_t count;
	float over; /* infinity, or where there were more: the least separation that a lead of those has */
} wp_mesh_cells;

/* The place of a triangle's core: the middle of its box, from the body's origin on, in the mesh's axes. */
typedef struct wp_mesh_place {
	float position[3], rotation[4];
	uint32_t shape;
} wp_mesh_place;

/* Rows that go down the trees of their meshes in turn; children that wait, and triangles found. */
#define WP_DESCENTS 8
#define WP_DESCENT_WAITING 64
#define WP_DESCENT_FOUND 192

typedef struct wp_mesh_descent {
	wp_mesh_row row;
	float lower[3], upper[3]; /* a box around the body, in the frame of its mesh */
	uint32_t missed;          /* triangles whose boxes meet that box and are far from the body */
	bool has_leaf;            /* the vertices of one are on their way */
	bool is_long;             /* there was no room: the row goes down alone */
	uint32_t leaf, waiting_count, count;
	uint32_t waiting[WP_DESCENT_WAITING];
	uint32_t found[WP_DESCENT_FOUND];
} wp_mesh_descent;

typedef struct wp_mesh_memory {
	wp_mesh_descent descent[WP_DESCENTS];
	uint32_t descent_count;
	wp_core core[WP_MESH_RING + WP_MESH_ROWS]; /* of triangles, then of bodies */
	WP_VECTORS float small[WP_MESH_RING][WP_SMALL_CORE_FLOATS];
	wp_mesh_place place[WP_MESH_RING + WP_MESH_ROWS];
	uint32_t body[WP_MESH_RING]; /* of each candidate its body among the places */
	wp_mesh_candidate candidate[WP_MESH_RING];
	wp_mesh_points points[WP_MESH_RING];
	uint32_t open[WP_MESH_RING], open_count; /* candidates that closed forms leave to the kernels for all pairs */
	wp_mesh_row row[WP_MESH_ROWS];
	uint32_t count, row_count; /* of candidates and rows in the ring */
	bool is_in_row;            /* the first of these rows has had others of its candidates in the ring before */
	/* Triangles of the row that is walked through, found and not yet judged; if its body is a sphere or a capsule, measured. */
	union {
		wp_cull cull;
		struct {
			wp_measure measure;
			wp_measured measured;
		};
	};
	uint32_t found[WP_CULL_MAX];
	uint32_t capacity; /* candidates that the ring takes, up to WP_MESH_RING */
	bool is_soup;      /* borders of meshes are none where other triangles lie along them */
	/* Of the row whose points are collected. */
	wp_mesh_cells cells[2]; /* of contacts that keep their normal or are a face's, and of turned ones */
	uint32_t triangle_count, status;
	uint32_t
		passed_count; /* of these triangles: with points alone that are behind them though the body does not touch them */
	bool touches;     /* the body touches a triangle */
	bool overlaps;    /* one of the first ones does */
	/* Of the row that is written: the deepest first. */
	wp_mesh_patch_spots *patch[WP_MESH_PATCH_MAX];
	uint32_t patch_count;
	/* The deepest contact of those without a point, where there is any, those from the front first: it stays if none has
	 * one. */
	bool has_last;
	bool last_has_points; /* its triangle has points that do not overlap */
	wp_mesh_stay last_stay;
	wp_mesh_spot last;
	wp_mesh_candidate last_of;
	/* Rows with compounds, in turn; and the patches of those children of the first one that have them. */
	wp_mesh_whole whole[WP_MESH_WHOLES];
	uint32_t whole_count; /* all that have begun, modulo WP_MESH_WHOLES */
	bool is_whole;        /* such a row is written */
	wp_mesh_cells gathered;
	uint32_t gathered_count, gathered_status; /* triangles with a point, and bits of contacts */
} wp_mesh_memory;

/* What closed forms for bodies on triangles take and give. */
typedef struct wp_touch_memory {
	wp_box_triangles pairs;
	wp_box_touches touches;
} wp_touch_memory;

/* Triangles of meshes that wait for an answer of another query, rows under way, triangles that a row has found and that wait
 * for a place, and parts of a motion of which each has a ball of its own. */
#ifndef WP_MESH_QUERY_RING
#define WP_MESH_QUERY_RING 64
#define WP_MESH_QUERY_ROWS 16
#endif
#define WP_MESH_QUERY_FOUND 32
#define WP_MESH_QUERY_PARTS 16

/* A triangle of a row, and what its answer is at least: a distance, or a fraction. */
typedef struct wp_mesh_found {
	double key;
	uint32_t triangle;
} wp_mesh_found;

/* One of both bodies of a row, or a triangle, as a batch knows bodies: from the position of A on, in world axes. */
typedef struct wp_mesh_query_place {
	double position[3];
	float rotation[4];
	uint32_t shape;
	float way[3], end[4]; /* of casts: where it goes */
} wp_mesh_query_place;

/* How the body of a row moves beside its mesh. */
typedef struct wp_mesh_query_motion {
	wp_mesh_query_place mesh; /* where it is, and where it goes */
	bool body_turns, mesh_turns;
	bool is_mounted; /* the body is a child of a compound that turns */
	bool is_bent;    /* its way beside the mesh is not straight, since one of these turns */
	wp_d3 way;       /* of the body in the mesh's frame, which does not turn */
	double span;     /* both positions are no further apart on the way */
	/* Balls that hold the body in the mesh's frame, one for each part of the time, where its way is bent. */
	wp_d3 centre[WP_MESH_QUERY_PARTS];
	double reach[WP_MESH_QUERY_PARTS];
} wp_mesh_query_motion;

/* The best of the answers of a row of bodies that have several parts, see motion/choice.h. */
typedef struct wp_choice {
	double limit; /* no parts count of which the answer is larger */
	/* The best answer. */
	bool has_best;
	double value, separation;
	uint32_t order[2]; /* both children, or the child and the number of the triangle: the lowest of those as good */
	wp_cast_contact contact; /* points from the position of A on, local ones in the frames of the parts */
	/* Of all answers. */
	float lowest;           /* proven lower bound; of casts the least key of those with WP_CAST_DOUBTFUL */
	uint32_t lowest_status; /* of those with that bound */
	uint32_t invalid;       /* why the parts below have no answer, or 0 */
	uint32_t spoilt[2];
	double spoilt_key;
} wp_choice;

/* What is known of a row: of its body, or of all children of its compound. */
typedef struct wp_mesh_query_answer {
	uint32_t row;    /* within the call */
	uint32_t bodies; /* under way, and one for those that are to come; 0: it is no row's */
	wp_choice choice;
	/* Of the best answer. */
	uint32_t triangle;
	const wp_compound_child *part; /* the child; NULL: the body has a shape itself */
	wp_d3 middle;       /* of the triangle's core, in the mesh's frame: from where its local points are counted */
	double position[3]; /* from where points are counted */
} wp_mesh_query_answer;

/* A row under way, or a child of its compound. */
typedef struct wp_mesh_asked {
	bool is_open;
	wp_mesh_row body;
	wp_mesh_query_motion motion;
	float lower[3], upper[3];                 /* of the body where it starts, in the mesh's frame */
	double share;                             /* of the size of body and triangle, by which answers may be off */
	double proven;                            /* the limit by this body alone, answers aside */
	wp_mesh_found found[WP_MESH_QUERY_FOUND]; /* the least first */
	uint32_t found_count;
	wp_mesh_query_answer *answer;
} wp_mesh_asked;

/* A triangle in the ring. */
typedef struct wp_mesh_query_triangle {
	uint32_t row; /* place of its row */
	uint32_t triangle;
	double key;
	wp_d3 middle;
} wp_mesh_query_triangle;

/* Beside the memory of casts, which queries of meshes use, of no more rows at once than are in the ring. */
typedef struct wp_mesh_query_memory {
	wp_shape_table table;                                  /* of the cores */
	wp_core core[WP_MESH_QUERY_RING + WP_MESH_QUERY_ROWS]; /* of triangles, then of bodies */
	WP_VECTORS float small[WP_MESH_QUERY_RING][WP_SMALL_CORE_FLOATS];
	wp_mesh_query_place place[WP_MESH_QUERY_RING + WP_MESH_QUERY_ROWS];
	wp_mesh_query_triangle asked[WP_MESH_QUERY_RING];
	uint32_t body[WP_MESH_QUERY_RING];                      /* of each triangle its body among the places */
	const wp_compound_child *mount[2 * WP_MESH_QUERY_RING]; /* of each pair as wp_cast_mounted has them */
	wp_cast_contact contact[WP_MESH_QUERY_RING];
	float fraction[WP_MESH_QUERY_RING];
	wp_mesh_asked row[WP_MESH_QUERY_ROWS];
	wp_mesh_query_answer
		answer[WP_MESH_QUERY_ROWS + 1]; /* one more: of a compound whose next children have no place yet */
	uint32_t count;                     /* triangles in the ring */
	uint32_t capacity;                  /* that it takes, up to WP_MESH_QUERY_RING */
} wp_mesh_query_memory;

/* Pairs of children of compounds that wait for an answer, rows under way, and pairs that a row has found and that wait for a
 * place. */
#ifndef WP_COMPOUND_RING
#define WP_COMPOUND_RING 64
#define WP_COMPOUND_ROWS 16
#endif
#define WP_COMPOUND_FOUND 32

/* A pair of children of a row, by the caller's indices and by places in the trees; what its answer is at least: a distance, or
 * a fraction. */
typedef struct wp_compound_found {
	double key;
	uint32_t child[2], place[2];
} wp_compound_found;

/* One body of a row: a compound, or a shape of the table, which is its own only child. */
typedef struct wp_compound_side {
	const wp_compound *compound; /* NULL: a shape */
	const wp_core *core;         /* of a shape */
	wp_mesh_query_place place;   /* from the position of A on */
	float lower[3], upper[3];    /* box of a shape in its own frame; of one that turns, the box of its ball */
	double reach;                /* largest bounding radius of its children */
	bool turns;
} wp_compound_side;

/* Body B in the frame of A, and its way there. */
typedef struct wp_compound_stand {
	wp_d33 turn;  /* from the frame of B to the frame of A */
	wp_d3 offset; /* of B's origin */
	wp_d3 way;    /* of B beside A, in this part of the time, as if A did not turn */
} wp_compound_stand;

/* Parts of the time of a cast in which compounds turn. */
#define WP_COMPOUND_PARTS 16

/* Where such a part begins, and how far at most a place in the frame of A and of B comes by turning until it ends: relative to
 * its distance from the origin. */
typedef struct wp_compound_turn {
	wp_compound_stand stand;
	double chord[2];
} wp_compound_turn;

/* A row under way. */
typedef struct wp_compound_row {
	bool is_open;
	uint32_t row;       /* within the call */
	size_t tracked;     /* its pair, in a frame; the caller's index is read once */
	double position[3]; /* of A */
	wp_compound_side side[2];
	wp_compound_stand stand; /* where both start; of bodies that do not turn the whole way */
	bool turns;              /* a compound does: each part of the time has a place of its own */
	double rounding;         /* of places in the frame of A, and more */
	uint32_t found_count;
	wp_choice choice;
	uint32_t place[2];                          /* of the children of the best answer, in the trees */
	double pruned;                              /* the least key that was above the limit */
	double far;                                 /* the least square of a distance that was too large before any key */
	uint32_t pair_count, patch_count;           /* pairs with points, and patches written */
	wp_compound_found found[WP_COMPOUND_FOUND]; /* the least first; the last field, which is not made zero */
} wp_compound_row;

/* Beside the memory of casts, which casts of compounds use, in the same way. */
typedef struct wp_compound_memory {
	wp_mesh_query_place place[2 * WP_COMPOUND_RING]; /* of each pair its children; of those that turn their bodies */
	const wp_compound_child
		*mount[2 * WP_COMPOUND_RING]; /* the children of such bodies; NULL: what is there is the child */
	wp_compound_found pair[WP_COMPOUND_RING];
	uint32_t of_row[WP_COMPOUND_RING]; /* place of its row */
	wp_cast_contact contact[WP_COMPOUND_RING];
	float fraction[WP_COMPOUND_RING];
	wp_manifold_point point[WP_COMPOUND_RING][WP_COMPOUND_POINT_MAX];
	uint32_t point_count[WP_COMPOUND_RING];
	wp_compound_row row[WP_COMPOUND_ROWS];
	wp_compound_turn part[WP_COMPOUND_PARTS]; /* of the row that is walked, if it turns */
	uint32_t count;                           /* pairs in the ring */
	uint32_t capacity;                        /* that it takes, up to WP_COMPOUND_RING */
} wp_compound_memory;

/* Bytes of the pool: a memory is where it begins, and chunks are where it ends. Casts, meshes and compounds leave all chunks
 * alone but the few; rows of a whole frame wait together. */
#define WP_LARGER(a, b) ((a) > (b) ? (a) : (b))
#define WP_POOL_OF(bytes, chunks) ((bytes) + (chunks) * sizeof(wp_chunk))
#define WP_POOL_OF_CAST WP_POOL_OF(sizeof(wp_cast_memory), WP_FEW_CHUNKS)
#define WP_POOL_OF_MESH WP_POOL_OF(sizeof(wp_mesh_memory), WP_FEW_CHUNKS)
#define WP_POOL_OF_TRACK WP_POOL_OF(sizeof(wp_track_memory) + sizeof(uint32_t[WP_JOB_MAX]), WP_CHUNK_COUNT)
#define WP_POOL_OF_ASKED                                                                                          \
	WP_POOL_OF(                                                                                                   \
		WP_CAST_OF_FEW(WP_MESH_QUERY_RING) + WP_LARGER(sizeof(wp_mesh_query_memory), sizeof(wp_compound_memory)), \
		WP_FEW_CHUNKS)
#define WP_POOL_SIZE \
	WP_LARGER(WP_LARGER(WP_POOL_OF_CAST, WP_POOL_OF_MESH), WP_LARGER(WP_POOL_OF_ASKED, WP_POOL_OF_TRACK))

/* Before the chunks: rounded up to vectors, with as much to spare for what is before `asked`. */
#define WP_POOL_BELOW                                                                                         \
	((WP_POOL_SIZE - WP_CHUNK_COUNT * sizeof(wp_chunk)) / WP_ALIGNMENT_OF_VECTORS * WP_ALIGNMENT_OF_VECTORS + \
		2 * WP_ALIGNMENT_OF_VECTORS)

_Static_assert(
	WP_COMPOUND_RING <= WP_MESH_QUERY_RING && WP_MESH_QUERY_RING <= WP_CAST_ROWS, "so many rows are cast at once");
_Static_assert(WP_CAST_ROWS <= WP_JOB_MAX, "all rows of a sweep are jobs at once");
_Static_assert(WP_CAST_ROWS <= WP_FEW_CHUNKS * WP_CHUNK_JOBS, "and their inputs are in few chunks");

struct wp_workspace {
	uint64_t magic;
	uint32_t version; /* of the headers that the program's structs are of: one that wp_knows_version */
	const wp_kernels *kernels;
	const wp_kernels *few;                             /* for WP_FEW_JOBS or less */
	const wp_kernels *half;                            /* where jobs fill half of the lanes */
	const wp_search_kernels *few_searches;             /* of few, where the caller names no variant; or NULL */
	wp_find_farthest *find_farthest;                   /* with few, or NULL */
	wp_find_checksum *find_checksum;                   /* the same */
	const wp2d_kernels *kernels_2d, *few_2d, *half_2d; /* the same in 2D */
	wp_variant variant;
	wp_buckets buckets;
	wp_running running;
	union { /* a pool: what is under way where it begins, and jobs that wait where it ends */
		wp_cast_memory cast;
		wp_mesh_memory mesh;
		struct {
			wp_track_memory track;
			uint32_t tracked[WP_JOB_MAX]; /* the tracked pairs of the jobs */
		};
		struct {
			unsigned char casts_of_few[WP_CAST_OF_FEW(WP_MESH_QUERY_RING)];
			union {
				wp_mesh_query_memory asked;
				wp_compound_memory compound;
			};
		};
		struct {
			unsigned char below[WP_POOL_BELOW];
			wp_chunk chunks[WP_CHUNK_COUNT]; /* the first group last */
		};
	};
	wp_scratch *scratch;           /* of the kernels */
	wp_manifold_scratch *manifold; /* the same memory */
	wp_touch_memory *touch;        /* the same memory, between batches */
	wp_strong_memory *strong;      /* the same memory and, before it, what of the jobs is of no more use */
	wp2d_memory *memory_2d;        /* the memory of jobs and scratch, since no call has both dimensions */
	wp_jobs jobs;                  /* last, before the scratch */
};

/* Where the scratch is, in bytes from the workspace. */
WP_INLINE size_t wp_scratch_offset(void) { return wp_round_up(sizeof(wp_workspace), WP_ALIGNMENT); }

/* Whether wp_workspace_init_of made it, and made it here: a copy would point at the scratch of another. */
WP_INLINE bool wp_workspace_is_made(const wp_workspace *workspace)
{
	return workspace->magic == WP_WORKSPACE_MAGIC && workspace->scratch == wp_offset(workspace, wp_scratch_offset());
}

/* The kernels for so many jobs. */
WP_INLINE const wp_kernels *wp_kernels_for(const wp_workspace *workspace, uint32_t count)
{
	return count <= WP_FEW_JOBS ? workspace->few : wp_fill_half(count) ? workspace->half : workspace->kernels;
}

#endif
