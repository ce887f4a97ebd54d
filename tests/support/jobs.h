/* Jobs as the kernels see them, for the tests of their layers, and every point of a job's Minkowski
 * difference in double. To be included after the kernels' headers: its arrays have their arguments' names. */
#ifndef TESTS_SUPPORT_JOBS_H
#define TESTS_SUPPORT_JOBS_H

#include "support/lane_types.h"
#include "wide/job/lanes.h"

#define JOBS 24
#define VERTICES_MAX 160

/* A hull's vertices as the kernels read them: padded to the widest vector with vertex 0. */
typedef struct test_hull {
	uint32_t count, padded;
	WP_VECTORS float x[3 * VERTICES_MAX];
} test_hull;

static inline void pad_hull(test_hull *hull)
{
	for (uint32_t axis = 0; axis < 3; axis++)
		for (uint32_t i = hull->count; i < hull->padded; i++)
			hull->x[axis * hull->padded + i] = hull->x[axis * hull->padded];
}

static inline v3 hull_vertex(const test_hull *hull, int32_t i)
{
	const float *const x = hull->x + i;
	return v3_of((double)x[0], (double)x[hull->padded], (double)x[2 * hull->padded]);
}

static wp_jobs jobs;
static test_hull hulls_a[JOBS], hulls_b[JOBS];
static wp_core cores_a[JOBS], cores_b[JOBS];
static const wp_core *core_a[JOBS], *core_b[JOBS];

/* Rotation and translation of B in A's frame, and the scale, to a job without radii. */
static inline void set_pose(int job, const float q[4], v3 translation, float scale)
{
	const m3 m = m3_of_quaternion(q);
	const double rows[12] = {
		m.x.x, m.y.x, m.z.x, translation.x, m.x.y, m.y.y, m.z.y, translation.y, m.x.z, m.y.z, m.z.z, translation.z};
	float *const pose = jobs.pose + 16 * job;
	for (int i = 0; i < 12; i++)
		pose[i] = (float)rows[i];
	pose[12] = pose[15] = jobs.scale[job] = scale;
	pose[13] = pose[14] = 0.0f;
}

static inline void set_hulls(int job)
{
	cores_a[job] = (wp_core){.vertices = hulls_a[job].x, .count = hulls_a[job].count, .padded = hulls_a[job].padded};
	cores_b[job] = (wp_core){.vertices = hulls_b[job].x, .count = hulls_b[job].count, .padded = hulls_b[job].padded};
	core_a[job] = &cores_a[job];
	core_b[job] = &cores_b[job];
	jobs.core_a = core_a;
	jobs.core_b = core_b;
}

static inline v3 transform(int job, v3 p)
{
	const float *const x = jobs.pose + 16 * job, *const y = x + 4, *const z = y + 4;
	return v3_of((double)x[0] * p.x + (double)x[1] * p.y + (double)x[2] * p.z,
		(double)y[0] * p.x + (double)y[1] * p.y + (double)y[2] * p.z,
		(double)z[0] * p.x + (double)z[1] * p.y + (double)z[2] * p.z);
}

/* A point of A's frame, in B's frame. */
static inline v3 to_frame_of_b(int job, v3 p)
{
	const float *const x = jobs.pose + 16 * job, *const y = x + 4, *const z = y + 4;
	const v3 d = v3_sub(p, v3_of((double)x[3], (double)y[3], (double)z[3]));
	return v3_of((double)x[0] * d.x + (double)y[0] * d.y + (double)z[0] * d.z,
		(double)x[1] * d.x + (double)y[1] * d.y + (double)z[1] * d.z,
		(double)x[2] * d.x + (double)y[2] * d.y + (double)z[2] * d.z);
}

/* Core point of an id, in the shape's frame, scaled. Extents are scaled in floats: denormal ones round. */
static inline v3 core_point(bool side_b, int job, int32_t id)
{
	const float scale = jobs.scale[job];
	if ((side_b ? jobs.kind_b : jobs.kind_a) == WP_CORE_HULL)
		return v3_scale(hull_vertex(side_b ? &hulls_b[job] : &hulls_a[job], id), (double)scale);
	float(*const half)[WP_JOB_MAX] = side_b ? jobs.half_b : jobs.half_a;
	const float x = half[0][job] * scale, y = half[1][job] * scale, z = half[2][job] * scale;
	return v3_of((double)(id & 1 ? -x : x), (double)(id & 2 ? -y : y), (double)(id & 4 ? -z : z));
}

static inline int32_t core_point_count(bool side_b, int job)
{
	if ((side_b ? jobs.kind_b : jobs.kind_a) != WP_CORE_HULL)
		return 8;
	return (int32_t)(side_b ? jobs.core_b : jobs.core_a)[job]->count;
}

static inline v3 difference_point(int job, int32_t id)
{
	const float *const pose = jobs.pose + 16 * job;
	const v3 origin = v3_of((double)pose[3], (double)pose[7], (double)pose[11]);
	const v3 b = v3_add(transform(job, core_point(true, job, id & 0xffff)), origin);
	return v3_sub(core_point(false, job, id >> 16), b);
}

static inline double farthest_difference(int job, v3 n)
{
	double most = -INFINITY;
	for (int32_t i = 0; i < core_point_count(false, job); i++)
		for (int32_t k = 0; k < core_point_count(true, job); k++)
			most = fmax(most, v3_dot(difference_point(job, i << 16 | k), n));
	return most;
}

#endif
