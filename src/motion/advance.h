/* Conservative advancement over batches of contacts: rows of a call on their way, in 3D or in 2D. What casts and
 * directed depths share. */
#ifndef WP_MOTION_ADVANCE_H
#define WP_MOTION_ADVANCE_H

#include "batch/read.h"
#include "batch/workspace.h"
#include "batch/write.h"

/* Results that go to contacts; points in the frames of bodies only where they are wanted. */
WP_INLINE wp_results wp_cast_results_of(wp_cast_contact *to, bool with_details)
{
	wp_results results = {.separation.data = &to->separation,
		.normal.data = to->normal,
		.point_a.data = to->point[0],
		.point_b.data = to->point[1],
		.lower.data = &to->lower,
		.upper.data = &to->upper,
		.status.data = &to->status,
		.iterations.data = &to->iterations,
		.point_real = WP_REAL_DOUBLE};
	if (with_details) {
		results.local_a = (wp_float_column){to->local[0], sizeof *to};
		results.local_b = (wp_float_column){to->local[1], sizeof *to};
	}
	wp_stride_results(&results, sizeof *to);
	return results;
}

/* Whether results in 3D are an array of wp_row, and nothing else. */
WP_INLINE bool wp_cast_copies(const wp_call *call)
{
	const wp_results *const r = &call->results;
	return call->dimension == WP_3D && wp_are_rows(r) && r->point_real == WP_REAL_FLOAT && r->overlap.data == NULL &&
	       !wp_wants_details(r);
}

/* Put row `row` of the call at place `i` of the cast, on its way by motions with strides. True where it has two bodies. A
 * motion that leads nowhere spoils the pose, which the contact then refuses by name. */
bool wp_cast_read_row(const wp_call *call, uint32_t row, const wp_motions *motions_a, const wp_motions *motions_b,
	wp_cast_memory *cast, uint32_t i);

/* Move both bodies of a row to a fraction. */
void wp_cast_move(const wp_call *call, wp_cast_memory *cast, uint32_t i, double fraction);

/* Move a row on to where balls around its shapes meet, before any contact, unless it is not valid. */
void wp_cast_start(const wp_call *call, wp_cast_memory *cast, uint32_t i);

/* One step of the first `count` rows in cast->open. Returns how many stay open: those come first then, and after them the
 * others, decided. A row that hits nothing keeps the answer it has, or the last contact. */
uint32_t wp_cast_step(
	wp_workspace *workspace, const wp_call *call, uint32_t count, bool keeps_answer, wp_statistics *work);

/* Whether rounding of where the bodies of a decided, valid row are, in double, is more than the contract allows where they are
 * nearest or where the row ends: since they come from that far, or go that far side by side. */
bool wp_cast_is_doubtful(const wp_call *call, const wp_cast_memory *cast, uint32_t i);

/* Go on with a row by contacts of the strong path, from where it is, until it is decided. Overwrites cast->open. */
void wp_cast_run_strongly(wp_workspace *workspace, const wp_call *call, uint32_t i, wp_statistics *work);

/* The radius of the ball around a body's origin that holds its shape. */
double wp_cast_ball(const wp_call *call, const wp_cast_body *body);

/* Which body of a row is a half-space; -1: none. */
int wp_cast_half_space(const wp_call *call, const wp_cast_memory *cast, uint32_t i);

/* The answer of a row, points counted from the position of A. */
void wp_cast_output(const wp_call *call, const wp_cast_memory *cast, uint32_t i, wp_output *output);

#endif
