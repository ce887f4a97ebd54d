/* Two circles in closed form. Their cores are the origins of their bodies, so all that there is between them is
 * the way from one to the other, in world axes; it takes no step of GJK, and no rounding but its own. */
#ifndef WP_WIDE_2D_CIRCLES_2D_H
#define WP_WIDE_2D_CIRCLES_2D_H

#include "wide/2d/manifold_2d.h"

/* Rounding of the offset's length besides the rounding of any gap, and of what is taken from it, relative to it: twice half
 * the spacing of floats. */
#define WP2D_CENTRES_ROUNDING 1.2e-7f

WP_INLINE void wp2d_load_circles(wp2d_block *b, const wp2d_jobs *jobs, uint32_t at, const wp2d_bodies *in)
{
	const vf radius_a = vf_load(jobs->radius[WP2D_SIDE_A] + at), radius_b = vf_load(jobs->radius[WP2D_SIDE_B] + at);
	const vf reach = vf_max(radius_a, radius_b);
	const vf size = vf_max(reach, vf_max(vf_abs(in->offset.x), vf_abs(in->offset.y)));
	b->origin = in->position_a;
	b->in_world = true;
	b->scale = wp_scale_of(size);
	b->translation = vf2_scale(in->offset, b->scale);
	b->radius_a = vf_mul(radius_a, b->scale);
	b->radius_b = vf_mul(radius_b, b->scale);
	b->reach = vf_mul(reach, b->scale);
	b->fit = vm_and(in->valid, wp_is_in_range(size));
	wp2d_set_limits(b, jobs);
}

/* What GJK would end with: a vertex that is the whole difference. */
WP_INLINE void wp2d_solve_centres(wp2d_solved *s, wp2d_block *b)
{
	const vf apart = vf2_length(b->translation);
	b->rounding = vf_mul(apart, vf_set(WP2D_CENTRES_ROUNDING));
	s->core_lower = s->core_upper = apart;
	s->beyond = vf_gt(apart, b->limit);
	s->inside = s->depth = vm_false();
	s->a = vf2_zero();
	s->b = s->between = b->translation;

	/* The strong path has the normal of circles about one centre. */
	const vf least = vf_set(WP2D_FLAT_DEPTH);
	s->n = vf2_scale(b->translation, vf_div(vf_set(1.0f), vf_max(apart, least)));
	s->failed = vm_or(vm_not(b->fit), vf_not_gt(apart, least));
}

/* The contact, which stands whatever the numbers: with u = 2^-24, the gap g of the centres, the sum r of the radii, and e, the
 * sum of the larger radius and the separation's size, the bracket is at most 16 u g + 7 u r wide, and translation and
 * normal * g differ by 5 u g at most; both are less than the contract, 50 u e, as g <= 2 e and r <= 2 e. Only the proof that a
 * pair is beyond may fail. */
WP_INLINE wp2d_answer wp2d_contact_of_circles(const wp2d_block *b, const wp2d_solved *s, float max_separation)
{
	const vf radii = vf_add(b->radius_a, b->radius_b), apart = s->core_upper, rounding = wp2d_rounding_of(b, apart);
	const vf separation = vf_sub(apart, radii), upper = vf_add(separation, rounding);
	const vf lower = vf_sub(vf_sub(wp2d_credible_lower(s, apart), radii), rounding);
	const vm unproven = vm_andnot(s->beyond, vf_gt(lower, vf_mul(vf_set(max_separation), b->scale)));
	wp2d_answer answer = wp2d_answer_between(b, s, separation, lower, upper);
	answer.status = vi_select(vm_or(s->failed, unproven), vi_zero(), answer.status);
	return answer;
}

/* The local points. The block is in world axes: both bodies' own are still to come. */
WP_INLINE void wp2d_add_points_of_circles(
	wp2d_result *result, const wp2d_jobs *jobs, wp2d_block *b, const wp2d_bodies *in, const wp2d_answer *answer)
{
	const vf2 unturned = {vf_set(1.0f), vf_zero()};
	b->turn = vf2_unit(in->turn_b, unturned);
	wp2d_add_local_points(result, jobs, b, answer);
	result->local_a = vf2_turn_back(vf2_unit(in->turn_a, unturned), result->local_a);
}

/* The manifolds of a block that all have their contact as a point, to rows of the caller's, in the order of a
 * wp2d_manifold_point; stores overlap where that saves one. */
WP_INLINE void wp2d_put_points_of_circles(const wp2d_jobs *jobs, uint32_t at, const wp2d_result *r)
{
	const int number = sizeof(float);
	unsigned char *to[WP_WIDTH];
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		to[lane] = jobs->point_rows + (at + lane) * jobs->points_stride;
	vf4_put(to, 0, (vf4){r->a.x, r->a.y, r->b.x, r->b.y});
	vf4_put(to, 4 * number, (vf4){r->local_a.x, r->local_a.y, r->local_b.x, r->local_b.y});
	vf4_put(to, 7 * number, (vf4){r->local_b.y, r->separation, vf_zero(), vf_zero()});
}

WP_INLINE void wp2d_solve_circle_block(wp2d_jobs *jobs, uint32_t at)
{
	wp2d_block b;
	wp2d_solved s;
	const wp2d_bodies in = wp2d_load_bodies(jobs, at);
	wp2d_load_circles(&b, jobs, at, &in);
	wp2d_solve_centres(&s, &b);
	const wp2d_answer answer = jobs->query == WP_QUERY_CONTACT ? wp2d_contact_of_circles(&b, &s, jobs->max_separation)
	                                                           : wp2d_answer_of(jobs, &b, &s);
	wp2d_result result = wp2d_result_of(jobs, &b, &answer);
	wp2d_store_result(jobs, at, &result, vi_zero());
	/* The manifold of circles is the contact, which is there already, or nothing. */
	uint32_t points = 0;
	if (jobs->wants_manifolds) {
		const vm has_point = wp2d_has_points(jobs, &result);
		vi_store(jobs->point_count + at, vi_select(has_point, vi_set(1), vi_zero()));
		points = vm_bits(has_point);
	}
	if (points == 0 && !jobs->wants_details)
		return;
	wp2d_add_points_of_circles(&result, jobs, &b, &in, &answer);
	if (points == WP_ALL_LANES && jobs->point_rows != NULL && at + WP_WIDTH <= jobs->count) {
		wp2d_put_points_of_circles(jobs, at, &result);
		points = 0;
	}
	jobs->unwritten[at / 32] |= points << at % 32;
	if (points != 0 || jobs->wants_details)
		wp2d_store_local_points(jobs, at, &result);
}

#endif
