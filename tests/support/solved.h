/* Blocks of jobs given to a closed form, its answers, and whether its points lie on the cores. To be
 * included after the kernels' headers. */
#ifndef TESTS_SUPPORT_SOLVED_H
#define TESTS_SUPPORT_SOLVED_H

#include "support/solids.h"
#include "wide/job/answer.h"

static WP_VECTORS float witness_a[3][WP_JOB_MAX], witness_b[3][WP_JOB_MAX];

/* The jobs of a block, as if they had been prepared. */
static inline wp_prepared prepared_block(uint32_t at)
{
	wp_prepared p = {.half_a = vf3_load(jobs.half_a[0] + at, jobs.half_a[1] + at, jobs.half_a[2] + at),
		.half_b = vf3_load(jobs.half_b[0] + at, jobs.half_b[1] + at, jobs.half_b[2] + at),
		.scale = vf_load(jobs.scale + at),
		.radius_a = vf_load(jobs.radius_a + at),
		.radius_b = vf_load(jobs.radius_b + at),
		.fit = vm_all(),
		.terms = &wp_exact_terms};
	vf translation[3];
	for (int i = 0; i < 3; i++) {
		const vf4 row = vf4_load(jobs.pose + 16 * at + 4 * i, 4);
		p.rotation.row[i] = vf3_set(row.x, row.y, row.z);
		translation[i] = row.w;
	}
	p.translation = vf3_set(translation[0], translation[1], translation[2]);
	return p;
}

static inline void keep_solved(uint32_t at, const wp_solved *s)
{
	vf3_store(jobs.direction[0] + at, jobs.direction[1] + at, jobs.direction[2] + at, s->n);
	vf3_store(witness_a[0] + at, witness_a[1] + at, witness_a[2] + at, s->witness.a);
	vf3_store(witness_b[0] + at, witness_b[1] + at, witness_b[2] + at, s->witness.b);
	vf_store(jobs.core_lower + at, s->core_lower);
	vf_store(jobs.core_upper + at, s->core_upper);
	vi_store(jobs.state + at, s->state);
}

/* Give all jobs to `solve`, which returns the lanes that are done, and mark those that it leaves. Returns how
 * many they are. */
static inline uint32_t solve_jobs(vm (*solve)(const wp_prepared *p, wp_solved *s), bool left[JOBS])
{
	uint32_t count = 0;
	for (uint32_t at = 0; at < JOBS; at += WP_WIDTH) {
		const wp_prepared p = prepared_block(at);
		wp_solved s;
		const uint32_t done = vm_bits(solve(&p, &s));
		keep_solved(at, &s);
		for (uint32_t lane = 0; lane < WP_WIDTH && at + lane < JOBS; lane++)
			count += left[at + lane] = !(done >> lane & 1);
	}
	return count;
}

static inline v3 point_of(float (*field)[WP_JOB_MAX], int job)
{
	return v3_of((double)field[0][job], (double)field[1][job], (double)field[2][job]);
}

/* How far a point lies outside of a box of that half size, the scale not applied. */
static inline double outside_box(float (*half)[WP_JOB_MAX], int job, v3 p)
{
	const double scale = (double)jobs.scale[job];
	return fmax(fmax(fabs(p.x) - scale * (double)half[0][job], fabs(p.y) - scale * (double)half[1][job]),
		fabs(p.z) - scale * (double)half[2][job]);
}

/* How far a point of A's frame lies outside of a core that is no hull. */
static inline double outside_a(int job, v3 p) { return outside_box(jobs.half_a, job, p); }

static inline double outside_b(int job, v3 p) { return outside_box(jobs.half_b, job, to_frame_of_b(job, p)); }

#endif
