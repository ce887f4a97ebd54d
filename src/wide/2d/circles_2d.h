/* Two circles in closed form. Their cores are the origins of their bodies, so all that there is between them is
 * the way from one to the other, in world axes; it takes no step of GJK, and no rounding but its own. */
#ifndef WP_WIDE_2D_CIRCLES_2D_H
#define WP_WIDE_2D_CIRCLES_2D_H

#include "wide/2d/manifold_2d.h"

/* Rounding of the offset's length besides the rounding of any gap, and of what is taken from it, relative to it: twice half
 * the spacing of floats. */
#define WP2D_CENTRES_ROUNDING 1.2e-7f

WP_INLINE void wp2d_load_circles(wp2d_block *b, const wp2d_jobs *jobs, const wp2d_inputs *in)
{
	const vf reach = vf_max(in->radius_a, in->radius_b);
	const vf size = vf_max(reach, vf_max(vf_abs(in->offset.x), vf_abs(in->offset.y)));
	b->origin = in->position_a;
	b->frame = (vf2){vf_set(1.0f), vf_zero()};
	b->turn = vf2_unit(in->turn_b, b->frame);
	b->scale = wp_scale_of(size);
	b->translation = vf2_scale(in->offset, b->scale);
	b->radius_a = vf_mul(in->radius_a, b->scale);
	b->radius_b = vf_mul(in->radius_b, b->scale);
	b->reach = vf_mul(reach, b->scale);
	b->fit = vm_and(in->valid, wp_is_in_range(size));
	wp2d_set_limits(b, jobs);
}

/* What GJK would end with: a vertex that is the whole difference. */
WP_INLINE void wp2d_solve_centres(wp2d_solved *s, wp2d_block *b)
{
	const vf apart = vf2_length(b->translation);
	b->rounding = vf_mul(apart, vf_set(WP2D_CENTRES_ROUNDING));
	s->n = vf2_unit_of(b->translation, apart, (vf2){vf_zero(), vf_set(1.0f)});
	s->core_lower = s->core_upper = apart;
	s->beyond = vf_gt(apart, b->limit);
	s->inside = s->depth = vm_false();
	s->a = vf2_zero();
	s->b = s->between = b->translation;

	/* Of circles about one centre the strong path knows the normal. */
	s->failed = vm_or(vm_not(b->fit), vm_not(vf_gt(apart, vf_set(WP2D_FLAT_DEPTH))));
}

WP_INLINE void wp2d_solve_circles(wp2d_jobs *jobs, uint32_t at)
{
	wp2d_block b;
	wp2d_solved s;
	const wp2d_inputs in = wp2d_load_inputs(jobs, at);
	wp2d_load_circles(&b, jobs, &in);
	wp2d_solve_centres(&s, &b);
	const wp2d_answer answer = wp2d_answer_of(jobs, &b, &s);
	wp2d_result result = wp2d_result_of(jobs, &b, &answer);

	/* The block is in world axes, so A's own are still to come. */
	result.local_a = vf2_turn_back(vf2_unit(in.turn_a, b.frame), result.local_a);
	wp2d_store_result(jobs, at, &result, vi_zero());
	if (jobs->wants_manifolds)
		wp2d_store_witness_count(jobs, at, &result);
}

#endif
