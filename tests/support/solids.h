/* Jobs of all kinds of core, half of those with volume overlapping, and the exact depth of their differences by
 * brute force. */
#ifndef TESTS_SUPPORT_SOLIDS_H
#define TESTS_SUPPORT_SOLIDS_H

#include "support/jobs.h"

static inline void make_solid_hull(test_hull *hull, uint64_t *seed, uint32_t count)
{
	hull->count = count;
	hull->padded = (count + WP_WIDTH_MAX - 1) / WP_WIDTH_MAX * WP_WIDTH_MAX;
	for (uint32_t axis = 0; axis < 3; axis++)
		for (uint32_t i = 0; i < count; i++)
			hull->x[axis * hull->padded + i] = (float)random_between(seed, -0.5, 0.5);
	pad_hull(hull);
}

/* Half an extent of a core: of a segment, which is a box along Y, or of a box. */
static inline float random_half(uint64_t *seed, uint32_t kind, int axis)
{
	const bool extends = kind == WP_CORE_BOX || (kind == WP_CORE_SEGMENT && axis == 1);
	return extends ? (float)random_between(seed, 0.1, 0.5) : 0.0f;
}

/* Jobs of sizes up to 1, of hulls of up to `vertex_max` vertices. */
static inline void make_solids(uint64_t seed, uint32_t kind_a, uint32_t kind_b, uint32_t vertex_max)
{
	memset(&jobs, 0, sizeof jobs);
	jobs.count = JOBS;
	jobs.terms = &wp_exact_terms;
	jobs.kind_a = kind_a;
	jobs.kind_b = kind_b;
	jobs.query = WP_QUERY_CONTACT;
	jobs.max_separation = __builtin_inff();
	for (int job = 0; job < JOBS; job++) {
		float q[4];
		for (int i = 0; i < 4; i++)
			q[i] = (float)random_between(&seed, -1, 1);
		const double x = random_between(&seed, -0.6, 0.6), y = random_between(&seed, -0.6, 0.6);
		set_pose(job, q, v3_of(x, y, random_between(&seed, -0.6, 0.6)), 1.0f);
		for (int axis = 0; axis < 3; axis++) {
			jobs.half_a[axis][job] = random_half(&seed, kind_a, axis);
			jobs.half_b[axis][job] = random_half(&seed, kind_b, axis);
		}
		make_solid_hull(&hulls_a[job], &seed, 4 + random_below(&seed, vertex_max - 3));
		make_solid_hull(&hulls_b[job], &seed, 4 + random_below(&seed, vertex_max - 3));
		set_hulls(job);
	}
}

static inline v3 direction_of(int job)
{
	return v3_of((double)jobs.direction[0][job], (double)jobs.direction[1][job], (double)jobs.direction[2][job]);
}

/* Smallest distance of a supporting plane through three points of the difference from the origin: the
 * depth, where it is positive. */
static inline double exact_depth(int job)
{
	static v3 p[4096];
	int count = 0;
	for (int32_t i = 0; i < core_point_count(false, job); i++)
		for (int32_t k = 0; k < core_point_count(true, job); k++)
			p[count++] = difference_point(job, i << 16 | k);
	double depth = INFINITY;
	for (int i = 0; i < count; i++)
		for (int j = 0; j < i; j++)
			for (int k = 0; k < j; k++) {
				const v3 cross = v3_cross(v3_sub(p[j], p[i]), v3_sub(p[k], p[i]));
				const double length = v3_length(cross);
				if (length < 1e-9)
					continue;
				v3 n = v3_scale(cross, 1 / length);
				double d = v3_dot(n, p[i]), most = -INFINITY, least = INFINITY;
				for (int m = 0; m < count && (most <= d + 1e-9 || least >= d - 1e-9); m++) {
					const double value = v3_dot(n, p[m]);
					most = fmax(most, value);
					least = fmin(least, value);
				}
				if (most <= d + 1e-9)
					depth = fmin(depth, d);
				if (least >= d - 1e-9)
					depth = fmin(depth, -d);
			}
	return depth;
}

#endif
