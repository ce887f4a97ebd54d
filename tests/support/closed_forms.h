/* Jobs for the closed forms, and what those say of them. To be included after their headers. */
#ifndef TESTS_SUPPORT_CLOSED_FORMS_H
#define TESTS_SUPPORT_CLOSED_FORMS_H

#include "support/solids.h"
#include "wide/answer.h"

static WP_VECTORS float witness_a[3][WP_JOB_MAX], witness_b[3][WP_JOB_MAX];

/* A block of jobs as prepare would give it. */
static inline wp_prepared prepared_block(uint32_t at)
{
	wp_prepared p = {.half_a = vf3_load(jobs.half_a[0] + at, jobs.half_a[1] + at, jobs.half_a[2] + at),
		.half_b = vf3_load(jobs.half_b[0] + at, jobs.half_b[1] + at, jobs.half_b[2] + at),
		.scale = vf_load(jobs.scale + at), .radius_a = vf_zero(), .radius_b = vf_zero(), .fit = vm_all()};
	vf translation[3];
	for (int i = 0; i < 3; i++) {
		const vf4 row = vf4_load(jobs.pose + 16 * at + 4 * i, 4);
		p.rotation.row[i] = vf3_set(row.x, row.y, row.z);
		translation[i] = row.w;
	}
	p.translation = vf3_set(translation[0], translation[1], translation[2]);
	return p;
}

/* Keep what is said of a block. */
static inline void keep_solved(uint32_t at, const wp_solved *s)
{
	vf3_store(jobs.direction[0] + at, jobs.direction[1] + at, jobs.direction[2] + at, s->n);
	vf3_store(witness_a[0] + at, witness_a[1] + at, witness_a[2] + at, s->a);
	vf3_store(witness_b[0] + at, witness_b[1] + at, witness_b[2] + at, s->b);
	vf_store(jobs.core_lower + at, s->core_lower);
	vf_store(jobs.core_upper + at, s->core_upper);
	vi_store(jobs.state + at, s->state);
}

static inline v3 point_of(float (*field)[WP_JOB_MAX], int job)
{
	return v3_of((double)field[0][job], (double)field[1][job], (double)field[2][job]);
}

/* How far a point of A's frame lies outside of A. */
static inline double outside_a(int job, v3 p)
{
	return fmax(fmax(fabs(p.x) - (double)jobs.half_a[0][job], fabs(p.y) - (double)jobs.half_a[1][job]),
		fabs(p.z) - (double)jobs.half_a[2][job]);
}

static inline double outside_b(int job, v3 p)
{
	const float *const pose = jobs.pose + 16 * job;
	const v3 d = v3_sub(p, v3_of((double)pose[3], (double)pose[7], (double)pose[11]));
	double most = -INFINITY;
	for (int j = 0; j < 3; j++) {
		const v3 axis = v3_of((double)pose[j], (double)pose[4 + j], (double)pose[8 + j]);
		most = fmax(most, fabs(v3_dot(d, axis)) - (double)jobs.half_b[j][job]);
	}
	return most;
}

#endif
