/* A closed form in one lane by quads beside the same in lanes: both must give the same bits. To be included after the kernels'
 * headers. */
#ifndef TESTS_SUPPORT_ONE_LANE_H
#define TESTS_SUPPORT_ONE_LANE_H

#include "support/check.h"
#include "wide/job/one.h"

#if WP_ONE_LANE_QUADS

/* What the job at hand is prepared to be, in quads; its frame is of no matter to a closed form. */
static inline wp_one_prepared one_prepared(const wp_prepared *p)
{
	wp_one_prepared one = {.translation = wp_quad_of_vf3(p->translation),
		.core_a = wp_quad_of(p->half_a.x, p->half_a.y, p->half_a.z, p->radius_a),
		.core_b = wp_quad_of(p->half_b.x, p->half_b.y, p->half_b.z, p->radius_b),
		.scale = p->scale,
		.radius_a = p->radius_a,
		.radius_b = p->radius_b,
		.fit = p->fit,
		.terms = p->terms};
	for (int i = 0; i < 3; i++) {
		one.rotation.row[i] = wp_quad_of_vf3(p->rotation.row[i]);
		one.rotation.column[i] = wp_quad_of_vf3(vf33_axis(&p->rotation, i));
	}
	return one;
}

static inline bool same_bits(const float *a, const float *b, size_t count)
{
	return memcmp(a, b, count * sizeof *a) == 0;
}

static inline bool same_vector(vf3 a, wp_quad b)
{
	const float left[3] = {a.x, a.y, a.z}, right[3] = {wp_quad_get(b, 0), wp_quad_get(b, 1), wp_quad_get(b, 2)};
	return same_bits(left, right, 3);
}

/* Of a job that is solved both ways, and is done by that or not. */
static inline void check_same_solved(bool done, const wp_solved *s, bool one_done, const wp_one_solved *one)
{
	CHECK(done == one_done, "done %d and %d", done, one_done);
	CHECK(s->state == one->state, "states %d and %d", s->state, one->state);
	CHECK(same_bits(&s->core_lower, &one->core_lower, 1) && same_bits(&s->core_upper, &one->core_upper, 1),
		"brackets %a to %a and %a to %a", (double)s->core_lower, (double)s->core_upper, (double)one->core_lower,
		(double)one->core_upper);
	const vf3 n = vf3_of_quad(one->n);
	CHECK(same_vector(s->n, one->n), "normals %a %a %a and %a %a %a", (double)s->n.x, (double)s->n.y, (double)s->n.z,
		(double)n.x, (double)n.y, (double)n.z);
	CHECK(same_vector(s->witness.a, one->a) && same_vector(s->witness.b, one->b) &&
			  same_vector(s->witness.between, one->between),
		"other witness points");
}

#endif

#endif
