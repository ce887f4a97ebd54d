/* Overlaps, distances and casts of convex shapes and meshes: what the files of this room share.
 *
 * A row has the best answer of all pairs of its body and one triangle, and of answers that are as good, the first
 * triangle's. walk.c goes down the tree, the nearest children first, and look.c notes the triangles that may be it, by what
 * key.c proves of them. query.c puts the nearest of these of all rows under way into the ring, ring.c has the kernels answer it,
 * and whatever is proven worse than the best answer is left out. What is proven leaves room for the error of answers, so the
 * best one is never left out, and neither the size of the ring nor the order changes a bit. A height field has no tree: which
 * of its cells are looked at, by cells.c, does not depend on answers. A row with a compound has several bodies, its children,
 * which share its answer: what is known of one leaves out triangles of all. */
#ifndef WP_MESH_QUERY_INTERNAL_H
#define WP_MESH_QUERY_INTERNAL_H

#include "core/contract.h"
#include "mesh_contact/internal.h"
#include "motion/choice.h"
#include "widephase/cast.h"

struct wp_mesh_ask;

/* How each body of a row goes: of casts, else nowhere. */
typedef struct wp_mesh_query_ways {
	wp_mesh_query_place body, mesh; /* without their positions */
	bool body_turns, mesh_turns;
} wp_mesh_query_ways;

/* How a call answers rows with compounds, whose children are bodies of their own. Programs without it have no code of it. */
typedef struct wp_mesh_query_frame {
	/* Begin a row at a place, or the next child of the row under way. False where none is left of it. */
	bool (*begin)(const struct wp_mesh_ask *ask, uint32_t row, uint32_t place);
	const wp_compound *const *compounds;
	uint64_t compound_count;
	wp_uint32_column child;            /* the stride never 0 */
	struct wp_mesh_query_whole *whole; /* the row under way */
} wp_mesh_query_frame;

typedef enum wp_mesh_query_kind {
	WP_MESH_QUERY_OVERLAP, /* an answer is 0, or infinity where a triangle is apart */
	WP_MESH_QUERY_DISTANCE,
	WP_MESH_QUERY_CAST /* an answer is a fraction, or infinity */
} wp_mesh_query_kind;

/* One call. */
typedef struct wp_mesh_ask {
	wp_workspace *workspace;
	wp_mesh_query_kind query;
	wp_mesh_call rows;     /* whose results and statistics are not used */
	double max_distance;   /* of distances */
	wp_motions motions[2]; /* of casts: of A and B, with strides */
	wp_uint32_column triangle;
	wp_mesh_statistics *statistics;
	wp_mesh_query_frame *frame; /* NULL: all bodies are convex */
} wp_mesh_ask;

/* What a call asks besides its batch. */
typedef struct wp_mesh_query_request {
	wp_mesh_query_kind query;
	float max_distance;
	const wp_motions *motions_a, *motions_b;
	const wp_float_column *fraction;
	const wp_uint32_column *triangle, *child;
} wp_mesh_query_request;

/* What the answer of a triangle in a box of the mesh's frame is at least, or of this triangle. A triangle may also lower the
 * row's limit. */
double wp_mesh_query_key_of_box(
	const wp_mesh_ask *ask, const wp_mesh_asked *row, const double lower[3], const double upper[3]);
double wp_mesh_query_key_of_triangle(
	const wp_mesh_ask *ask, wp_mesh_asked *row, const wp_surface *surface, uint32_t triangle);

/* By how much sizes grow so that no answer of a triangle with that half diagonal is sooner than what is proven. */
double wp_mesh_query_growth(const wp_mesh_asked *row, double half);

/* The box of a triangle. */
WP_INLINE void wp_mesh_query_box_of(const wp_d3 corner[3], double lower[3], double upper[3])
{
	double at[3][3];
	for (int i = 0; i < 3; i++)
		wp_d3_put(corner[i], at[i]);
	for (int k = 0; k < 3; k++) {
		lower[k] = upper[k] = at[0][k];
		for (int i = 1; i < 3; i++) {
			lower[k] = at[i][k] < lower[k] ? at[i][k] : lower[k];
			upper[k] = at[i][k] > upper[k] ? at[i][k] : upper[k];
		}
	}
}

/* How far apart two planes across a direction keep body and triangle. */
WP_INLINE double wp_mesh_query_gap_along(const wp_d3 corner[3], wp_d3 unit, wp_d3 farthest)
{
	double least = wp_d3_dot(unit, corner[0]);
	for (int i = 1; i < 3; i++) {
		const double at = wp_d3_dot(unit, corner[i]);
		least = at < least ? at : least;
	}
	return least - wp_d3_dot(unit, farthest);
}

/* The corners of a triangle from the body's origin on, and its box. */
WP_INLINE void wp_mesh_query_read_triangle(const wp_mesh_asked *row, const wp_surface *surface, uint32_t triangle,
	wp_d3 corner[3], double lower[3], double upper[3])
{
	wp_d3 v[3];
	wp_surface_corners(surface, triangle, v);
	wp_mesh_query_box_of(v, lower, upper);
	for (int i = 0; i < 3; i++)
		corner[i] = wp_d3_sub(v[i], row->body.origin);
}

/* The same of casts, which lower no limit: when the body may first touch what is in a box of the mesh's frame, with how much
 * larger that was taken; or a triangle. */
double wp_mesh_query_entry_of_box(
	const wp_mesh_asked *row, const double lower[3], const double upper[3], double *grown);
double wp_mesh_query_entry_of_triangle(const wp_mesh_asked *row, const wp_surface *surface, uint32_t triangle);

/* Whether a core is a box or a segment, which has edges along its axes. */
WP_INLINE bool wp_mesh_query_has_axes(const wp_core *core)
{
	return core->kind == WP_CORE_BOX || (core->kind == WP_CORE_SEGMENT && core->half[1] > 0.0f);
}

/* When a box or a segment on its straight way, or where it stays, first meets a triangle, by its own axes and by those across an
 * edge of both; corners from the body's origin on, the body grown. Beyond `limit` no more axes are asked. */
double wp_mesh_query_entry_of_axes(const wp_mesh_asked *row, const wp_d3 corner[3], double grown, double limit);

/* The box of a child of a node, grown by what its cells were rounded by. */
void wp_mesh_query_box_of_child(const wp_mesh_node *node, uint32_t i, double lower[3], double upper[3]);

/* Whether a triangle may still be the row's answer, or be as good. */
bool wp_mesh_query_counts(const wp_mesh_ask *ask, const wp_mesh_asked *row, const wp_mesh_found *found);

/* Whether no answer is better than the best one: of casts there may be, by its separation. */
WP_INLINE bool wp_mesh_query_is_least(const wp_mesh_ask *ask, const wp_choice *choice)
{
	return ask->query != WP_MESH_QUERY_CAST && wp_choice_is_least(choice);
}

/* Whether an overlap is known that no triangle to come of this body is lower than. */
WP_INLINE bool wp_mesh_query_is_settled(const wp_mesh_asked *row)
{
	const wp_choice *const choice = &row->answer->choice;
	return choice->has_best && choice->order[0] <= row->body.child;
}

/* Take the answer of a triangle of the row, if it is better than the best one. */
void wp_mesh_query_take(const wp_mesh_ask *ask, const wp_mesh_asked *row, const wp_mesh_query_triangle *asked,
	const wp_cast_contact *contact, double value);

/* Move triangles that a row has found into the ring, the nearest first, while there is room: so many at most. Those before them that
 * count no more are dropped. Returns how many the ring got. */
uint32_t wp_mesh_query_push_found(const wp_mesh_ask *ask, uint32_t place, uint32_t most);

/* Answer the triangles in the ring: each row keeps the best one. */
void wp_mesh_query_run_ring(const wp_mesh_ask *ask);

/* Find the triangles of the row at that place. The ring is empty, before and after. */
void wp_mesh_query_walk(const wp_mesh_ask *ask, uint32_t row);

/* The same for a height field: its cells below the body, those along its way, or from the nearest ones outwards. */
void wp_mesh_query_walk_cells(const wp_mesh_ask *ask, uint32_t row, const wp_surface *surface);

/* Note a triangle of the row at that place, unless it is proven not to be the answer. */
void wp_mesh_query_look_at(const wp_mesh_ask *ask, uint32_t row, const wp_surface *surface, uint32_t triangle);

/* Begin a row whose body is convex at a place. One that is answered at once is written. */
void wp_mesh_query_begin_row(const wp_mesh_ask *ask, uint32_t number, uint32_t place);

/* An answer for the bodies of a row that are to come, until it is left; the first one begins at that place. */
wp_mesh_query_answer *wp_mesh_query_new_answer(const wp_mesh_ask *ask, uint32_t number, uint32_t place);

/* Begin a body at a place, which has its row, its motion and its answer. */
void wp_mesh_query_begin_body(const wp_mesh_ask *ask, uint32_t place);

/* One of its bodies is done: the row of the last one is written. */
void wp_mesh_query_leave(const wp_mesh_ask *ask, wp_mesh_query_answer *answer);

/* Read how a valid row moves. Returns why that is invalid, or 0. */
uint32_t wp_mesh_query_read_ways(const wp_mesh_ask *ask, const wp_side *a, const wp_side *b, wp_mesh_query_ways *ways);

/* Let a body go so, from the place of `a` on. A child of a compound that turns goes with it: there `a` is the compound. */
void wp_mesh_query_put_motion(
	const wp_mesh_ask *ask, const wp_side *a, const wp_side *b, const wp_mesh_query_ways *ways, wp_mesh_asked *row);

/* Write a row that is answered, or an invalid one, and count it. */
void wp_mesh_query_write_row(const wp_mesh_ask *ask, const wp_mesh_query_answer *answer);
void wp_mesh_query_write_invalid(const wp_mesh_ask *ask, uint32_t row, uint32_t status);

/* Answer all rows, by a ring that takes so many triangles, 1 .. WP_MESH_QUERY_RING, which changes no bit; `frame` may be NULL. */
wp_error wp_mesh_query_run(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_mesh_query_request *r,
	const wp_results *results, wp_mesh_statistics *statistics, uint32_t capacity, wp_mesh_query_frame *frame);
wp_error wp_mesh_overlap_in(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_results *results,
	const wp_uint32_column *triangle, wp_mesh_statistics *statistics, uint32_t capacity);
wp_error wp_mesh_distance_in(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_mesh_distance_options *options, const wp_results *results, const wp_uint32_column *triangle,
	wp_mesh_statistics *statistics, uint32_t capacity);
wp_error wp_mesh_cast_in(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_results *results, const wp_float_column *fraction,
	const wp_uint32_column *triangle, wp_mesh_statistics *statistics, uint32_t capacity);

/* The place of a triangle that is nearest to a point; no numbers where that is not known. */
wp_d3 wp_mesh_query_nearest_to(const wp_d3 corner[3], wp_d3 point);

/* The place on the edges of a triangle that is nearest to the origin. False where the face is nearer. */
bool wp_mesh_nearest_place(const wp_d3 corner[3], wp_d3 *place);

#endif
