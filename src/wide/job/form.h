/* The forms of smooth cores, and what searches see of them. */
#ifndef WP_WIDE_JOB_FORM_H
#define WP_WIDE_JOB_FORM_H

#include "job/job.h"
#include "wide/lane/vec3.h"

/* The forms of cores; meaningless of hulls. */
WP_INLINE vi wp_forms_of(const wp_core *const core[WP_WIDTH])
{
	WP_VECTOR_ALIGN int32_t form[WP_WIDTH];
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		form[lane] = (int32_t)core[lane]->count;
	return vi_load(form);
}

/* The largest ball that rolls freely inside an ellipsoid has the least radius of curvature there is: the ellipsoid is the
 * sum of that ball and what is left (Blaschke, "Kreis und Kugel", 1916). Searches see what is left, which is flatter, and
 * count the ball with the radius: where no more than the balls overlap there is a gap for GJK. A sphere leaves a point. */
WP_INLINE vf wp_ball_of(vf3 half, vi form)
{
	const vf least = vf_min(vf_min(half.x, half.y), half.z), most = vf_max(vf_max(half.x, half.y), half.z);
	const vm is_round = vm_and(vi_eq(form, vi_set(WP_FORM_ELLIPSOID)), vf_gt(most, vf_zero()));
	return vf_select(is_round, vf_mul(least, vf_div(least, vf_select(is_round, most, vf_set(1.0f)))), vf_zero());
}

#endif
