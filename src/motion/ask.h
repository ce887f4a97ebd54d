/* Contacts of rows on their way, where their bodies are. */
#ifndef WP_MOTION_ASK_H
#define WP_MOTION_ASK_H

#include "batch/chunk.h"
#include "batch/pack.h"
#include "motion/advance.h"

/* The index of a body that a row does not have. */
#define WP_NO_BODY UINT32_MAX

/* Make row `i`, which has both bodies and shapes, job `job` of those that run, number `row`. A position out of range is not a
 * number there. */
WP_INLINE void wp_cast_put_job(wp_workspace *workspace, const wp_call *call, uint32_t i, uint32_t job, uint32_t row)
{
	const wp_cast_memory *const cast = &workspace->cast;
	wp_running *const running = &workspace->running;
	const wp_cast_body *const a = &cast->body[2 * i], *const b = a + 1;
	const wp_core *const core_a = &call->cores[a->shape], *const core_b = &call->cores[b->shape];
	wp_positions at = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
	bool inside = true;
	for (int k = 0; k < 3; k++) {
		inside &= wp_abs(a->position[k]) <= (double)WP_COORDINATE_MAX;
		inside &= wp_abs(b->position[k]) <= (double)WP_COORDINATE_MAX;
		at.b[k] = (float)(b->position[k] - a->position[k]);
	}
	at.b[0] = inside ? at.b[0] : WP_NAN;
	running->core_a[job] = core_a;
	running->core_b[job] = core_b;
	running->row[job] = row;
	const wp_places places = wp_places_of(&at, core_a, core_b);
	wp_pack_input(wp_input_of_running(&workspace->buckets, job), &places, a->rotation, b->rotation);
}

/* The contacts of the first `count` rows in cast->open, in that order. */
void wp_cast_ask(wp_workspace *workspace, const wp_call *call, uint32_t count, wp_statistics *work);

/* The contact of the first row in cast->open by the strong path. */
void wp_cast_ask_strongly(wp_workspace *workspace, const wp_call *call, wp_statistics *work);

#endif
