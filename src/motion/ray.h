/* Rays: casts of a point or a sphere against a shape that does not turn. Kernels answer them in closed form, all at one kind of
 * shape together. */
#ifndef WP_MOTION_RAY_H
#define WP_MOTION_RAY_H

#include "motion/advance.h"

/* Put rows among the rays of their kinds that wait, of which there are fewer than WP_RAY_MAX: from `row` on, which is before
 * `end`, until there are so many of a kind, or a row is not a ray. Returns the row after the last one, whose kind is set:
 * WP_RAY_KIND_COUNT if it is not a ray, is invalid, or has no closed form. Motions of A and B have strides. */
uint64_t wp_ray_take(const wp_call *call, uint64_t row, uint64_t end, const wp_motions *const motions[2],
	wp_cast_memory *cast, wp_ray_kind *kind);

/* Answer the rays of a kind that wait, and write their rows. Rows that are open in cast->ray_ends are left: they are invalid,
 * they touch at the start, or no closed form finds the nearest points; they are proven free up to their times. */
void wp_ray_run(wp_workspace *workspace, const wp_call *call, const wp_motions *const motions[2], wp_ray_kind kind,
	wp_statistics *statistics);

/* A body of a single ray. */
typedef struct wp_ray_body {
	const wp_core *core; /* NULL: there is none */
	const float *position, *rotation;
	const float *way; /* how far it moves; NULL: nowhere */
	const float *end; /* rotation at the end; NULL: as before */
} wp_ray_body;

/* Answer a single ray: of A and B. False where it is none, or stays open. */
bool wp_ray_one(wp_workspace *workspace, const wp_ray_body body[2], float *fraction, wp_row *row);

/* Whether a ray is open, after wp_ray_run. */
WP_INLINE bool wp_ray_is_open(const wp_ray_ends *ends, uint32_t i)
{
	uint32_t status;
	memcpy(&status, &ends->output[WP_OUTPUT_COUNT * i + WP_OUTPUT_STATUS], sizeof status);
	return status == 0;
}

#endif
