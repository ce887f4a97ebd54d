/* Rays: casts of a point or a sphere against a shape that does not turn. Kernels answer them in closed form, all at one kind of
 * shape together. */
#ifndef WP_MOTION_RAY_H
#define WP_MOTION_RAY_H

#include "motion/advance.h"

/* The bodies of A or of B, which of them each row has, and how they move: at a stride of 0 nowhere. */
typedef struct wp_ray_side {
	wp_bodies bodies;
	wp_const_uint32_column pair;
	wp_motions motions;
} wp_ray_side;

/* Motions with strides. */
wp_ray_side wp_ray_side_of(const wp_bodies *bodies, const wp_const_uint32_column *pair, const wp_motions *motions);

/* No list has a row that is not a ray, is invalid, or has no closed form. */
#define WP_RAY_NO_LIST WP_RAY_LISTS

/* Rows that are looked at together: as many as are answered together. */
typedef struct wp_ray_rows {
	wp_waiting_rays rays; /* all rows */
	uint32_t list[WP_RAY_MAX];
	bool are_one_list; /* all rows are rays of one list */
} wp_ray_rows;

/* Look at `count` rows from `row` on, up to WP_RAY_MAX, as if no body turned. */
void wp_ray_look(const wp_call *call, const wp_ray_side sides[2], uint32_t row, uint32_t count, wp_ray_rows *rows);

/* Find the lists of rows that were looked at where bodies may turn. */
void wp_ray_look_at_turns(const wp_ray_side sides[2], wp_ray_rows *rows);

/* Put row number `k` of those that were looked at on its list. True where that has WP_RAY_MAX rays, and is to be run. */
WP_INLINE bool wp_ray_wait(const wp_ray_rows *rows, uint32_t k, wp_waiting_rays *to)
{
	const wp_waiting_rays *const from = &rows->rays;
	const uint32_t i = to->count++;
	to->row[i] = from->row[k];
	for (int side = 0; side < 2; side++) {
		to->body[side][i] = from->body[side][k];
		to->core[side][i] = from->core[side][k];
	}
	return i + 1 == WP_RAY_MAX;
}

/* Answer rays of a list, and write their rows; `copies`: results are an array of wp_row. False where `may_turn` is set and bodies
 * turn: then nothing is answered. cast->ray_ends has a bit for each ray that is open: it is invalid, it touches at the start, or
 * no closed form finds the nearest points; it is proven free up to its time there. What is written of it is of no use. */
bool wp_ray_run(wp_workspace *workspace, const wp_call *call, const wp_ray_side sides[2], uint32_t list, bool may_turn,
	bool copies, wp_waiting_rays *rays, wp_statistics *statistics);

/* A body of a ray, in the caller's memory. */
typedef struct wp_ray_body {
	const wp_core *core;        /* NULL: there is none */
	const void *position;       /* three floats, in batches that have them three doubles */
	const void *rotation, *way; /* four floats, and three: how far it moves; NULL: nowhere */
	const void *end;            /* rotation at the end; NULL: as before */
} wp_ray_body;

/* Answer a single ray: of A and B, positions in float. False where it is none, or stays open. */
bool wp_ray_one(wp_workspace *workspace, const wp_ray_body body[2], float *fraction, wp_row *row);

#endif
