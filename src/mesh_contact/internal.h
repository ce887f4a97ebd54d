/* Contacts of convex shapes with meshes: what the files of this room share. A height field is a mesh whose triangles are
 * made where they are read.
 *
 * walk.c finds the triangles of a row whose boxes meet its body's, in height fields by cells.c. candidate.c has kernels leave out
 * most of them, and puts the others into the ring. When the ring is full, touch.c has a closed
 * form answer sharp boxes on triangles, and ring.c has the kernels for all pairs answer the others, as pairs of the body and one
 * triangle. Between the contacts and their points, rule.c turns normals that no surface has, with soup.c where triangles meet that
 * share no vertices. Spheres and capsules need no ring: round.c measures their triangles. Rows with meshes go down their trees
 * some at a time, by group.c. patch.c merges the points of a row by normal, with prism.c for a row that has none, reduce.c keeps
 * few of many, and write.c writes it. Neither the size of the ring nor the order of triangles changes a bit. */
#ifndef WP_MESH_CONTACT_INTERNAL_H
#define WP_MESH_CONTACT_INTERNAL_H

#include "batch/call.h"
#include "batch/read.h"
#include "batch/workspace.h"
#include "mesh/surface.h"
#include "widephase/mesh.h"
#include "widephase/mesh_track.h"

/* Sine of an angle that is none: between a normal and the plane across a feature's neighbour, and for which corners of a
 * triangle are as far along a normal. */
#define WP_RULE_LEAN 1e-3

/* Normals that differ by less are one. */
#define WP_RULE_SAME 3e-3

/* How far outside of a triangle a point may be and still be above it, relative to the larger of triangle and body. */
#define WP_RULE_ASIDE 1e-5

/* The same in a soup for corners that were rounded, relative to the largest coordinate: four times half a unit in the last
 * place. */
#define WP_RULE_ROUNDING 0x1p-22

/* Triangles around a corner, at most. A contact at a corner of more triangles keeps its normal. */
#define WP_RULE_SECTORS 4096

/* Share of the body's size by which boxes and planes are taken larger: some ten times their rounding. */
#define WP_WALK_SLACK 1e-6

/* What a row is told besides its patches. */
typedef struct wp_mesh_summary {
	float separation, normal[3];
	uint32_t status, triangle_count, patch_count;
} wp_mesh_summary;

struct wp_mesh_call;

/* Where a frame keeps what it learns of its rows: how it answers a row, and keeps its answer, or that it is invalid; or how a
 * call answers rows with compounds, which keeps nothing. Programs without these have no code of them. */
typedef struct wp_mesh_frame {
	void (*run_row)(const struct wp_mesh_call *call, uint32_t row);
	void (*keep_row)(const struct wp_mesh_call *call, uint32_t row, const wp_mesh_summary *summary,
		const wp_mesh_patch *patches); /* NULL: nothing is kept, as for the next one */
	void (*keep_invalid)(const struct wp_mesh_call *call, uint32_t row, uint32_t status);
	wp_mesh_tracked_pairs tracked; /* the stride never 0, patch_max too */
	float merging;
	bool queries_all;
	wp_track_changes *changes; /* NULL: not requested */
	const wp_compound *const *compounds;
	uint64_t compound_count;
	wp_uint32_column children; /* of each point of each patch its child; the stride never 0 */
	uint32_t *kept_children;   /* [pairs][patch_max][WP_MESH_POINT_MAX] of kept points their children; NULL: none */
} wp_mesh_frame;

/* One call. */
typedef struct wp_mesh_call {
	wp_workspace *workspace;
	wp_call call; /* rows, bodies and shapes of A, as the caller gives them */
	const wp_mesh *const *meshes;
	const wp_height_field *const *fields;
	uint64_t mesh_count, field_count;
	uint32_t flags, count;   /* of options; of rows */
	wp_mesh_results results; /* strides never 0, patch_max too */
	wp_mesh_statistics *statistics;
	const wp_mesh_frame *frame; /* NULL: nothing is kept */
} wp_mesh_call;

/* The call with its ring of another capacity, 1 .. WP_MESH_RING, which changes no bit. */
wp_error wp_mesh_contact_in(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_mesh_options *options,
	const wp_mesh_results *results, wp_mesh_statistics *statistics, uint32_t capacity);

/* The call, and what is kept of its rows; `frame` may be NULL. */
wp_error wp_mesh_run_call(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_mesh_options *options,
	const wp_mesh_results *results, wp_mesh_statistics *statistics, uint32_t capacity, const wp_mesh_frame *frame);

/* Most patches wanted of a row, where 0 stands for the usual number. */
uint32_t wp_mesh_patch_max(uint32_t told);

/* The batch as one of convex bodies, whose shapes of B are meshes instead. */
wp_batch wp_mesh_plain_batch(const wp_mesh_batch *batch);

/* Answer a row, whose body is convex. */
void wp_mesh_run_row(const wp_mesh_call *call, uint32_t row);

/* Find the mesh or the height field of a body of B. False where there is none. */
bool wp_mesh_find_surface(const wp_mesh_call *call, uint32_t body, wp_mesh_row *row);

/* Read a row: both sides, zero before, and the body in the mesh's axes. Returns why it is invalid, or 0. */
uint32_t wp_mesh_read_row(const wp_mesh_call *call, uint32_t row, wp_side *a, wp_side *b, wp_mesh_row *read);

/* The same in two parts: the sides with the mesh of a row that is zero before, and the body in the mesh's axes. */
uint32_t wp_mesh_read_sides(const wp_mesh_call *call, uint32_t row, wp_side *a, wp_side *b, wp_mesh_row *read);
void wp_mesh_place_row(const wp_mesh_call *call, const wp_side *a, const wp_side *b, wp_mesh_row *read);

/* Find a box around another one, up to `more` larger on each side, that the box of no triangle of the row's mesh meets. False
 * where there is none, or it would take too long. */
bool wp_mesh_grow_empty(const wp_mesh_row *row, const wp_mesh_box *body, double more, wp_mesh_box *empty);

/* The body's farthest point along a direction, rounding included, in the mesh's axes from the body's origin on. */
wp_d3 wp_mesh_support(const wp_mesh_row *row, wp_d3 direction);

/* The body's box in the mesh's frame, grown by max_separation and rounded outwards. */
wp_mesh_box wp_mesh_box_around(const wp_mesh_row *row, double max_separation);

/* A valid row on its way through triangles. */
typedef struct wp_mesh_walk {
	const wp_mesh_call *call;
	const wp_mesh_row *row;
	wp_mesh_row *open; /* its place in the ring */
	double max_separation;
	uint32_t waiting; /* triangles that were found and not yet judged, in the columns of the cull */
	uint64_t met;     /* of these, a bit each: the box of the triangle meets the body's */
	bool is_round;    /* the body is a sphere or a capsule, which need no ring */
	wp_surface surface;
} wp_mesh_walk;

/* Whether a body with this core is a sphere or a capsule. */
WP_INLINE bool wp_mesh_is_round(const wp_core *core) { return core->kind == WP_CORE_SEGMENT; }

/* Whether it is a sphere. */
WP_INLINE bool wp_mesh_is_ball(const wp_core *core) { return wp_mesh_is_round(core) && core->half[1] == 0.0f; }

WP_INLINE double wp_mesh_sum_of_abs(wp_d3 v) { return wp_abs(v.x) + wp_abs(v.y) + wp_abs(v.z); }

/* By how much more than it is a body is taken, so that what it does not reach then is surely far from it: of its size; of its
 * distance from the mesh's origin, since places are rounded; of a box beside it; and of what is so small that its square is not
 * a number. */
#define WP_MESH_FAR_SLACK 0x1p-16
#define WP_MESH_FAR_ROUNDING 0x1p-20
#define WP_MESH_FAR_SLOPE 0x1p-18f
#define WP_MESH_FAR_GUARD 1e-30

/* How far around a body triangles may count; `size`: of what is compared with them. */
WP_INLINE double wp_mesh_far_more(const wp_mesh_row *row, double max_separation, double size)
{
	return max_separation + WP_MESH_FAR_SLACK * size + WP_MESH_FAR_ROUNDING * wp_mesh_sum_of_abs(row->origin);
}

/* The square of the radius of the ball that holds the body and so much around it, or more. */
WP_INLINE float wp_mesh_far_reach2(const wp_mesh_row *row, double more)
{
	const double ball = row->reach + more;
	return -wp_round_down(-(ball * ball + WP_MESH_FAR_GUARD));
}

WP_INLINE wp_mesh_walk wp_mesh_walk_of(const wp_mesh_call *call, const wp_mesh_row *row)
{
	return (wp_mesh_walk){.call = call,
		.row = row,
		.max_separation = (double)call->call.max_separation,
		.is_round = wp_mesh_is_round(row->core),
		.surface = wp_surface_of(row->mesh, row->field)};
}

/* Find the triangles of a row, and run the ring whenever it is full. */
void wp_mesh_walk_row(const wp_mesh_call *call, const wp_mesh_row *row);

/* The same where the box around the body is known. */
void wp_mesh_walk_row_in(const wp_mesh_call *call, const wp_mesh_row *row, const wp_mesh_box *box);

/* The same part of it for a height field: the cells below the body. */
void wp_mesh_walk_cells(wp_mesh_walk *walk, const wp_mesh_box *box);

/* Fetch the samples of these cells from memory. */
void wp_mesh_fetch_cells(const wp_height_field *field, const wp_mesh_box *box);

/* Begin a row: it gets a place among the rows of the ring. */
void wp_mesh_open(wp_mesh_walk *walk);

/* Let kernels leave out most of those that wait, up to WP_CULL_MAX, and put the others into the ring, unless one faces away or is
 * surely too far. */
void wp_mesh_judge_waiting(wp_mesh_walk *walk);

/* End a row: no triangle of it waits any more. */
void wp_mesh_close(wp_mesh_walk *walk);

/* Make the core of a candidate's triangle. */
void wp_mesh_put_triangle(wp_mesh_memory *memory, uint32_t candidate);

/* Of a row with a sphere or a capsule: begin it, measure triangles that wait, end it. */
void wp_mesh_open_round(wp_mesh_walk *walk);
void wp_mesh_measure_waiting(wp_mesh_walk *walk);
void wp_mesh_close_round(wp_mesh_walk *walk);

/* Let a triangle of it wait to be measured. Returns its place, where the caller puts its corners. */
WP_INLINE uint32_t wp_mesh_next_round(wp_mesh_walk *walk, uint32_t triangle)
{
	if (walk->waiting == WP_MEASURE_MAX)
		wp_mesh_measure_waiting(walk);
	walk->call->workspace->mesh.found[walk->waiting] = triangle;
	return walk->waiting++;
}

/* Put a row among those that go down the trees of meshes in turn, or whose samples of height fields are on their way; and answer
 * these. */
void wp_mesh_push_row(const wp_mesh_call *call, const wp_mesh_row *row);
void wp_mesh_run_group(const wp_mesh_call *call);

/* Such a row alone goes down its tree, with the triangles that meet a box. */
void wp_mesh_find_round(const wp_mesh_walk *walk, const float lower[3], const float upper[3]);

/* Answer a row that has found its triangles: of a sphere or a capsule, and of another body. */
void wp_mesh_measure_row(const wp_mesh_call *call, const wp_mesh_descent *descent);
void wp_mesh_judge_row(const wp_mesh_call *call, const wp_mesh_descent *descent);

/* Answer the candidates in the ring, and write the rows that ended. */
void wp_mesh_run_ring(const wp_mesh_call *call);

/* Whether a core is a box without a radius, and the candidates in the ring with such bodies, answered as far as a closed form
 * goes; the others are listed. */
bool wp_mesh_is_sharp_box(const wp_core *core);
void wp_mesh_touch_boxes(const wp_mesh_call *call);

/* From an edge of a triangle towards its far corner, across the edge and as long: to the left of the edge as seen from the front,
 * to its right if the face was turned. `far` goes from a place on the edge to that corner. */
WP_INLINE wp_d3 wp_mesh_inward(wp_d3 face, wp_d3 edge, wp_d3 far)
{
	const wp_d3 left = wp_d3_cross(face, edge);
	return wp_d3_dot(left, far) < 0 ? wp_d3_negate(left) : left;
}

/* Whether a normal does not come from behind a triangle: at the border of the mesh it may not; elsewhere not from behind all
 * triangles around a feature, as at a valley seen from below. */
WP_INLINE bool wp_mesh_is_from_front(wp_d3 normal, wp_d3 face) { return wp_d3_dot(normal, face) >= -WP_RULE_LEAN; }

/* Whether a triangle shows its back to where its face is turned to, as those of two sides may. */
WP_INLINE bool wp_mesh_shows_back(const wp_surface *surface, uint32_t triangle, wp_d3 face)
{
	wp_d3 v[3];
	return wp_d3_dot(wp_surface_normal(surface, triangle, v), face) < 0;
}

/* A contact of a triangle, by whose normal it is judged. */
typedef struct wp_mesh_judged {
	const wp_surface *surface;
	uint32_t triangle;
	wp_d3 normal, face; /* from the triangle to the body: of the contact, of the triangle */
	double slack;       /* places that are no further apart are one */
	bool is_soup;       /* borders are none where other triangles lie along them */
	wp_d3 witness;      /* of a soup: where the contact is on the triangle, in the mesh's frame */
} wp_mesh_judged;

/* Whether the contact's feature of the triangle may have its normal: it leans towards no neighbour. */
bool wp_mesh_allows(const wp_mesh_judged *judged);

/* The same where that feature is known: edge `edge` of the triangle, or its corner `corner`. */
bool wp_mesh_edge_allows(const wp_mesh_judged *judged, uint32_t edge);
bool wp_mesh_corner_allows(const wp_mesh_judged *judged, uint32_t corner);

/* What else is needed of a contact with a mesh whose borders may be none: `place` is where it is on the triangle, from the
 * body's origin on. */
void wp_mesh_judge_as_soup(const wp_mesh_row *row, wp_d3 place, wp_mesh_judged *judged);

/* What is to be said against a normal. */
typedef enum wp_mesh_objection {
	WP_MESH_NO_OBJECTION,
	WP_MESH_LEANS,        /* towards another triangle */
	WP_MESH_FROM_BEHIND,  /* from behind all triangles around an edge or a corner */
	WP_MESH_BEHIND_BORDER /* from behind at a border, and towards none */
} wp_mesh_objection;

/* That at a place on the border of a soup's triangle, for all others that lie there. */
wp_mesh_objection wp_mesh_soup_objects(const wp_mesh_judged *judged, wp_d3 place);

/* Whether a candidate's contact, of which the witness is known, may have its normal; `surface` is the row's. */
bool wp_mesh_keeps(
	const wp_mesh_call *call, const wp_mesh_row *row, const wp_surface *surface, const wp_mesh_candidate *c);

/* How a contact that comes from behind its triangle may stay. */
wp_mesh_stay wp_mesh_stay_of(const wp_mesh_memory *memory, const wp_mesh_row *row, const wp_mesh_candidate *c);

/* Whether a contact from the front overlaps, leans towards a neighbour, and has the body's centre in front of all neighbours: then
 * the body is below them without touching them. */
bool wp_mesh_is_below_neighbours(const wp_mesh_row *row, const wp_mesh_candidate *c);

/* Let a spot be the body's lowest point of those that are straight above or below a candidate's triangle, along a unit direction.
 * False where the body is aside of it: nothing is written. */
bool wp_mesh_find_lowest(const wp_mesh_row *row, const wp_mesh_candidate *c, const wp_d3 *up, wp_mesh_spot *spot);

/* Give the triangle's normal to the contacts of a bucket that do not keep theirs: the wp_turn_contacts of the ring, and
 * the same without a rule. */
void wp_mesh_turn(const wp_call *call, wp_jobs *jobs);
void wp_mesh_leave(const wp_call *call, wp_jobs *jobs);

/* The patches of a row: none yet; with one more candidate's, and whether that has any point; with the points of a contact, of
 * which there is one at least; all of them. */
void wp_mesh_begin_patches(wp_mesh_memory *memory);
bool wp_mesh_collect(wp_mesh_memory *memory, const wp_mesh_row *row, uint32_t candidate, double max_separation);
void wp_mesh_add_contact(
	wp_mesh_memory *memory, const wp_mesh_row *row, const wp_mesh_candidate *c, wp_mesh_spot *spot, uint32_t count);
void wp_mesh_finish_patches(wp_mesh_memory *memory, const wp_mesh_row *row);

/* Note whether the body touches a candidate's triangle, and whether it passes it: all points are behind though it does not.
 * Returns how many points there are, of one that it passes none. */
uint32_t wp_mesh_note_points(wp_mesh_memory *memory, const wp_mesh_row *row, const wp_mesh_candidate *c,
	const wp_mesh_spot *spot, uint32_t count);

/* Whether a contact is the one to stay if no other overlaps, so far, and none of its own points, of which there may be none. One
 * that overlaps goes first, then one from the front, then the deepest. And remember it with its nearest points, unless it may
 * not stay. */
bool wp_mesh_may_be_last(const wp_mesh_memory *memory, const wp_mesh_row *row, const wp_mesh_candidate *c,
	const wp_mesh_spot *spot, uint32_t count);
void wp_mesh_keep_last(wp_mesh_memory *memory, const wp_mesh_row *row, const wp_mesh_candidate *c,
	const wp_mesh_spot *witness, bool has_points);

/* The least separation of spots; infinite of none. */
double wp_mesh_least_separation(const wp_mesh_spot *spot, uint32_t count);

/* A number that tells most triangles from others. */
WP_INLINE float wp_mesh_slant_of(wp_d3 face) { return (float)face.x; }

/* Which of two contacts is first: the deeper one; of some that are as deep by their normals, then by slants, and by the sums of
 * the corners of their triangles. */
bool wp_mesh_is_first(const wp_mesh_row *row, const wp_mesh_lead *a, const wp_mesh_lead *b);

/* The cell of a normal. */
uint64_t wp_mesh_cell_of(wp_d3 normal);

/* Add spots of a contact, of which there are some, to a patch; and `lead` if that contact leads it, as the first one does, or
 * NULL. Keep only the deepest spots whose contacts are deeper than `least`; the deepest one of the lead where
 * there is none. */
void wp_mesh_add_spots(wp_mesh_patch_spots *patch, const wp_mesh_row *row, const wp_mesh_spot *spot, uint32_t count,
	const wp_mesh_lead *lead);
void wp_mesh_leave_deepest(wp_mesh_patch_spots *patch, const wp_mesh_row *row, float least);

/* Add the patches of a child, which are finished, to its compound's row, whose other children come one after the other. */
void wp_mesh_gather_patches(wp_mesh_memory *memory, const wp_mesh_row *child);

/* List the patches of a row, the deepest first: each cell joins the deepest one that has its normal; if there is none, it is one
 * itself, as long as they are few. */
void wp_mesh_merge_cells(
	wp_mesh_memory *memory, const wp_mesh_row *row, wp_mesh_cells *cells, const wp_mesh_cells *end);

/* Leave up to WP_MESH_POINT_MAX spots: the deepest, the farthest from it, then those that add most to the area. Returns how
 * many they are. */
uint32_t wp_mesh_reduce(const wp_mesh_row *row, wp_d3 normal, wp_mesh_spot *spot, uint32_t count);

/* Points nearer than this share of the body's size are one. */
#define WP_MESH_SPOT_APART 1e-5

/* Write a row with what was collected, or an invalid one, and count it; in a frame keep it, too. */
void wp_mesh_write_row(const wp_mesh_call *call, const wp_mesh_row *row);
void wp_mesh_write_invalid(const wp_mesh_call *call, uint32_t row, uint32_t status);

/* Write a row with a compound with what was gathered. */
void wp_mesh_write_whole(const wp_mesh_call *call, const wp_mesh_whole *whole);

/* Write a row that has what was kept of its pair, and count it. */
void wp_mesh_write_kept(
	const wp_mesh_call *call, uint32_t row, const wp_mesh_summary *summary, const wp_mesh_tracked_patch *patches);

/* The tracked pair of a row of a frame, as its index is now; it may be none. */
size_t wp_mesh_tracked_of_row(const wp_mesh_call *call, uint32_t row);

/* What wp_tracked.lever says of a pair with a mesh, as a sum. */
#define WP_MESH_KEPT_BOX 1.0f    /* a box that no triangle meets is in wp_tracked.known */
#define WP_MESH_KEPT_ANSWER 2.0f /* the answer of the poses in the anchor is in its pair and patches */

/* A body of several convex shapes, in a row of a frame. */
typedef struct wp_mesh_tracked_whole {
	uint32_t number; /* that another one and convex shapes hardly have */
	double reach;    /* how far it reaches from its origin */
	/* A box of the mesh's frame that holds those in which triangles are searched, as long as its shapes are within its bounds;
	 * whether they are; and to query the row: false where it is invalid. */
	wp_mesh_box (*box_around)(const struct wp_mesh_tracked_whole *whole);
	bool (*is_in_bounds)(const struct wp_mesh_tracked_whole *whole);
	bool (*run)(const struct wp_mesh_tracked_whole *whole);
	const wp_mesh_call *call;
	const void *row; /* what these read */
} wp_mesh_tracked_whole;

/* Answer a valid row of a frame, with such a body, by what was kept of its pair, or query it. */
void wp_mesh_track_whole(const wp_mesh_call *call, size_t at, const wp_side *a, const wp_side *b, wp_mesh_row *row,
	const wp_mesh_tracked_whole *whole);

/* Read a row of a frame, whose body is convex; answer it by what was kept, or find its triangles. */
void wp_mesh_track_row(const wp_mesh_call *call, uint32_t row);

/* A frame whose bodies are convex: its arguments checked, and made a call of a ring of another capacity. */
wp_error wp_mesh_begin_frame(wp_mesh_frame *frame, const wp_mesh_track_options *options,
	const wp_mesh_tracked_pairs *tracked, const wp_mesh_results *results, wp_track_changes *changes);
wp_error wp_mesh_run_frame(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_mesh_track_options *options,
	const wp_mesh_results *results, wp_mesh_statistics *statistics, uint32_t capacity, const wp_mesh_frame *frame);

/* The child of a point of the row that is written; 0 where its body is convex. */
WP_INLINE uint32_t wp_mesh_child_of(const wp_mesh_memory *memory, uint32_t patch, uint32_t point)
{
	return memory->is_whole ? memory->patch[patch]->spot[point].child : 0;
}

/* What a wp_mesh_frame has of keep.c. */
void wp_mesh_keep_row(
	const wp_mesh_call *call, uint32_t row, const wp_mesh_summary *summary, const wp_mesh_patch *patches);
void wp_mesh_keep_invalid(const wp_mesh_call *call, uint32_t row, uint32_t status);

#endif
