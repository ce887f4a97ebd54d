#include "batch/manifold.h"
#include "batch/keep.h"

_Static_assert(WP_MANIFOLD_POINT_MAX == WP_POINT_MAX && WP_FACE_VERTEX_MAX == WP_FACE_CORNER_MAX &&
				   WP_CAP_VERTEX_COUNT == WP_CAP_CORNERS && WP_CAP_VERTEX_COUNT == WP_MANIFOLD_POINT_MAX,
	"limits that callers are told");
_Static_assert(sizeof(wp_manifold_point) == 15 * sizeof(float) && 15 <= WP_POINT_FLOATS,
	"kernels give the numbers of a point in its order");

/* ---- what the strong path found ----------------------------------------------------------------- */

void wp_keep_output(
	const wp_call *call, const double position_a[3], const wp_output *output, wp_jobs *jobs, uint32_t job)
{
	float *const to = jobs->output + (size_t)WP_OUTPUT_COUNT * job;
	float *const detail = jobs->detail + (size_t)WP_DETAIL_COUNT * job;
	jobs->status[job] = (int32_t)output->status;
	if (output->status & WP_STATUS_INVALID)
		return;
	double origin[3] = {position_a[0], position_a[1], position_a[2]};
	if (!wp_has_float_points(call)) {
		double from[3];
		wp_read_origin(call, jobs, job, from);
		for (int i = 0; i < 3; i++)
			origin[i] -= from[i];
	}
	to[WP_OUTPUT_SEPARATION] = output->separation;
	for (int i = 0; i < 3; i++) {
		to[WP_OUTPUT_NORMAL + i] = output->normal[i];
		to[WP_OUTPUT_POINT_A + i] = (float)(origin[i] + output->point_a[i]);
		to[WP_OUTPUT_POINT_B + i] = (float)(origin[i] + output->point_b[i]);
		detail[WP_DETAIL_LOCAL_A + i] = output->local_a[i];
		detail[WP_DETAIL_LOCAL_B + i] = output->local_b[i];
	}
}

/* ---- writing ------------------------------------------------------------------------------------ */

static void write_count(const wp_call *call, uint32_t row, uint32_t count)
{
	const wp_point_rows *const m = &call->manifolds;
	memcpy((char *)m->count + (call->first + row) * m->count_stride, &count, sizeof count);
}

/* A point that is counted from a position, moved to where that is. */
static void move_point(const double origin[3], wp_manifold_point *point)
{
	for (int i = 0; i < 3; i++) {
		point->point_a[i] = (float)(origin[i] + (double)point->point_a[i]);
		point->point_b[i] = (float)(origin[i] + (double)point->point_b[i]);
	}
}

static unsigned char *points_of_row(const wp_call *call, uint32_t row)
{
	return call->manifolds.points + (call->first + row) * call->manifolds.points_stride;
}

/* The points of a job as kernels give them. */
static void write_points_of_job(
	const wp_call *call, const wp_jobs *jobs, uint32_t job, const float *from, uint32_t count)
{
	if (call->tracked.pairs != NULL) {
		wp_keep_contact(call, jobs, job, from, count);
		return;
	}
	unsigned char *to = points_of_row(call, jobs->row[job]);
	if (wp_has_float_points(call)) {
		for (const float *const end = from + (size_t)WP_POINT_FLOATS * count; from < end; from += WP_POINT_FLOATS) {
			memcpy(to, from, sizeof(wp_manifold_point));
			to += sizeof(wp_manifold_point);
		}
	} else {
		double origin[3];
		wp_read_origin(call, jobs, job, origin);
		for (uint32_t k = 0; k < count; k++) {
			wp_manifold_point point;
			memcpy(&point, from + (size_t)WP_POINT_FLOATS * k, sizeof point);
			move_point(origin, &point);
			memcpy(to + k * sizeof point, &point, sizeof point);
		}
	}
	write_count(call, jobs->row[job], count);
}

/* What kernels give of a pair where a side has no faces: the contact itself. */
static void write_witness(const wp_call *call, const wp_jobs *jobs, uint32_t job)
{
	const float *const output = jobs->output + (size_t)WP_OUTPUT_COUNT * job;
	const float *const detail = jobs->detail + (size_t)WP_DETAIL_COUNT * job;
	wp_manifold_point point = {
		.separation = output[WP_OUTPUT_SEPARATION], .feature_a = WP_FEATURE_FACE, .feature_b = WP_FEATURE_FACE};
	memcpy(point.point_a, output + WP_OUTPUT_POINT_A, sizeof point.point_a);
	memcpy(point.point_b, output + WP_OUTPUT_POINT_B, sizeof point.point_b);
	memcpy(point.local_a, detail + WP_DETAIL_LOCAL_A, sizeof point.local_a);
	memcpy(point.local_b, detail + WP_DETAIL_LOCAL_B, sizeof point.local_b);
	float numbers[WP_POINT_FLOATS];
	memcpy(numbers, &point, sizeof point);
	write_points_of_job(call, jobs, job, numbers, 1);
}

/* Points of bodies in double are rounded once as they are relative to A, as kernels give them. */
static void take_point(const wp_call *call, const double position_a[3], const double from[3], float to[3])
{
	for (int i = 0; i < 3; i++)
		to[i] = wp_has_float_points(call) ? (float)(position_a[i] + from[i])
		                                  : (float)(position_a[i] + (double)(float)from[i]);
}

void wp_write_manifold_of_single(const wp_call *call, uint32_t row, const double position_a[3], const wp_output *output)
{
	if (!wp_is_near(call, output->status, output->separation)) {
		write_count(call, row, 0);
		return;
	}
	wp_manifold_point point = {
		.separation = output->separation, .feature_a = WP_FEATURE_FACE, .feature_b = WP_FEATURE_FACE};
	take_point(call, position_a, output->point_a, point.point_a);
	take_point(call, position_a, output->point_b, point.point_b);
	memcpy(point.local_a, output->local_a, sizeof point.local_a);
	memcpy(point.local_b, output->local_b, sizeof point.local_b);
	memcpy(points_of_row(call, row), &point, sizeof point);
	write_count(call, row, 1);
}

/* The jobs that have points; others get none. Returns how many they are. */
static uint32_t list_near(const wp_call *call, const wp_jobs *jobs, int32_t list[WP_JOB_MAX])
{
	uint32_t total = 0;
	for (uint32_t i = 0; i < jobs->count; i++) {
		const float separation = jobs->output[(size_t)WP_OUTPUT_COUNT * i + WP_OUTPUT_SEPARATION];
		if (wp_is_near(call, (uint32_t)jobs->status[i], separation))
			list[total++] = (int32_t)i;
		else if (call->tracked.pairs != NULL)
			wp_keep_apart(call, jobs, i);
		else
			write_count(call, jobs->row[i], 0);
	}
	return total;
}

/* What kernels give of the points of a block. */
static void write_block(
	const wp_call *call, const wp_jobs *jobs, const int32_t *list, uint32_t count, const wp_manifold_scratch *scratch)
{
	for (uint32_t k = 0; k < count; k++)
		write_points_of_job(call, jobs, (uint32_t)list[k], scratch->point + (size_t)WP_POINT_MAX * WP_POINT_FLOATS * k,
			(uint32_t)scratch->count[k]);
}

static bool has_no_face(const wp_core *core)
{
	return core->kind == WP_CORE_SMOOTH && core->count == WP_FORM_ELLIPSOID;
}

/* Give listed jobs with an ellipsoid the contact, and take them from the list. Returns how many are left. */
static uint32_t write_faceless(const wp_call *call, const wp_jobs *jobs, int32_t *list, uint32_t total)
{
	uint32_t rest = 0;
	for (uint32_t i = 0; i < total; i++) {
		const int32_t job = list[i];
		if (has_no_face(jobs->core_a[job]) || has_no_face(jobs->core_b[job]))
			write_witness(call, jobs, (uint32_t)job);
		else
			list[rest++] = job;
	}
	return rest;
}

/* What tells jobs of a bucket apart that kernels do not clip together: in a bucket of forms boxes and segments have faces
 * of their own. Of a half-space it is no matter which side it is. */
static uint32_t kinds_of(const wp_jobs *jobs, int32_t job)
{
	const uint32_t a = jobs->core_a[job]->kind, b = jobs->core_b[job]->kind;
	if (a == WP_CORE_HALF_SPACE || b == WP_CORE_HALF_SPACE)
		return a == WP_CORE_HALF_SPACE ? b : a;
	return a * WP_CORE_KIND_COUNT + b;
}

/* Move the jobs that are alike the first one to another list. Returns how many they are. */
static uint32_t take_alike(const wp_jobs *jobs, int32_t *list, uint32_t *total, int32_t alike[WP_JOB_MAX])
{
	const uint32_t kinds = kinds_of(jobs, list[0]), before = *total;
	uint32_t count = 0, rest = 0;
	for (uint32_t i = 0; i < before; i++) {
		const int32_t job = list[i];
		if (kinds_of(jobs, job) == kinds)
			alike[count++] = job;
		else
			list[rest++] = job;
	}
	*total = rest;
	return count;
}

void wp_write_manifolds(
	const wp_call *call, const wp_jobs *jobs, wp_clip *clip, uint32_t width, wp_manifold_scratch *scratch)
{
	int32_t list[WP_JOB_MAX], alike[WP_JOB_MAX];
	const uint32_t near = list_near(call, jobs, list);
	uint32_t total = write_faceless(call, jobs, list, near);
	while (total != 0) {
		const uint32_t count = take_alike(jobs, list, &total, alike);
		for (uint32_t at = 0; at < count; at += width) {
			const uint32_t block = count - at < width ? count - at : width;
			clip(jobs, alike + at, block, call->manifolds.point_max, scratch);
			write_block(call, jobs, alike + at, block, scratch);
		}
	}
}
