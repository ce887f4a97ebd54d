#include "batch/manifold.h"
#include "batch/keep.h"

_Static_assert(WP_MANIFOLD_POINT_MAX == WP_POINT_MAX && WP_FACE_VERTEX_MAX == WP_FACE_CORNER_MAX &&
				   WP_CAP_VERTEX_COUNT == WP_CAP_CORNERS && WP_CAP_VERTEX_COUNT == WP_MANIFOLD_POINT_MAX,
	"limits of the public header");
_Static_assert(
	sizeof(wp_manifold_point) == WP_POINT_BYTES && offsetof(wp_manifold_point, feature_b) == 14 * sizeof(float),
	"kernels give the numbers of a point in its order");
_Static_assert(
	offsetof(wp_manifold_point, local_a) == WP_POINT_WORLD_BYTES &&
		sizeof(wp_solver_point) == WP_POINT_BYTES - WP_POINT_WORLD_BYTES &&
		offsetof(wp_solver_point, separation) == offsetof(wp_manifold_point, separation) - WP_POINT_WORLD_BYTES,
	"a point for solvers is the last numbers of a point");

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
	if (call->tracked.pairs != NULL) {
		double from[3];
		wp_read_origin(call, jobs, job, from);
		for (int i = 0; i < 3; i++)
			origin[i] -= from[i];
	}
	to[WP_OUTPUT_SEPARATION] = output->separation;
	to[WP_OUTPUT_FEATURE_A] = to[WP_OUTPUT_FEATURE_B] = 0.0f;
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

static unsigned char *points_of_row(const wp_call *call, uint32_t row)
{
	return call->manifolds.points + (call->first + row) * call->manifolds.points_stride;
}

/* Write point `k` of a row, as much of it as is requested. */
static void write_point(const wp_call *call, uint32_t row, uint32_t k, const wp_manifold_point *point)
{
	const size_t left_out = call->manifolds.left_out, size = sizeof *point - left_out;
	memcpy(points_of_row(call, row) + k * size, (const unsigned char *)point + left_out, size);
}

/* Whether the points of a job's contact, which the strong path has, are where they are already: there they were rounded once, as
 * those of the row were, from whatever its positions are. */
static bool has_world_contact(const wp_jobs *jobs, uint32_t job) { return jobs->state[job] == WP_JOB_STRONG; }

/* Any other point is on an edge or a corner of one face at least. */
static bool is_contact(const wp_manifold_point *point)
{
	return point->feature_a == WP_FEATURE_FACE && point->feature_b == WP_FEATURE_FACE;
}

/* Write the points of a job that are counted from a position. */
static void move_points(const wp_call *call, const wp_jobs *jobs, uint32_t job, const float *from, uint32_t count)
{
	const bool is_contact_there = has_world_contact(jobs, job);
	double origin[3];
	wp_read_origin(call, jobs, job, origin);
	for (uint32_t k = 0; k < count; k++) {
		wp_manifold_point point;
		memcpy(&point, from + (size_t)WP_POINT_NUMBERS * k, sizeof point);
		if (!is_contact_there || !is_contact(&point)) {
			wp_move_point(origin, point.point_a);
			wp_move_point(origin, point.point_b);
		}
		write_point(call, jobs->row[job], k, &point);
	}
}

/* The features of a job's only point, the contact. */
typedef struct only_point {
	uint32_t feature_a, feature_b;
} only_point;

_Static_assert(offsetof(wp_manifold_point, point_b) == offsetof(wp_manifold_point, point_a) + 3 * sizeof(float) &&
				   offsetof(wp_manifold_point, local_b) == offsetof(wp_manifold_point, local_a) + 3 * sizeof(float) &&
				   WP_OUTPUT_POINT_B == WP_OUTPUT_POINT_A + 3 && WP_DETAIL_LOCAL_B == WP_DETAIL_LOCAL_A + 3,
	"the points of A and of B are copied together");

/* Both points of a contact, moved. */
WP_NOINLINE void put_moved_points(
	unsigned char *to, const wp_call *call, const wp_jobs *jobs, uint32_t job, const float points[6])
{
	float moved[6];
	memcpy(moved, points, sizeof moved);
	if (!has_world_contact(jobs, job)) {
		double origin[3];
		wp_read_origin(call, jobs, job, origin);
		wp_move_point(origin, moved);
		wp_move_point(origin, moved + 3);
	}
	memcpy(to, moved, sizeof moved);
}

/* Six numbers, by stores that overlap. */
WP_INLINE void put_two_points(unsigned char *to, const float points[6])
{
	memcpy(to, points, 4 * sizeof *points);
	memcpy(to + 2 * sizeof *points, points + 2, 4 * sizeof *points);
}

/* Write it. */
WP_INLINE void write_only_point(const wp_call *call, const wp_jobs *jobs, uint32_t job, bool has_floats, only_point of)
{
	const float *const output = jobs->output + (size_t)WP_OUTPUT_COUNT * job;
	const float *const detail = jobs->detail + (size_t)WP_DETAIL_COUNT * job;
	unsigned char *to = points_of_row(call, jobs->row[job]);
	if (call->manifolds.left_out == 0) {
		if (has_floats)
			put_two_points(to, output + WP_OUTPUT_POINT_A);
		else
			put_moved_points(to, call, jobs, job, output + WP_OUTPUT_POINT_A);
		to += WP_POINT_WORLD_BYTES;
	}
	put_two_points(to, detail + WP_DETAIL_LOCAL_A);
	memcpy(to + offsetof(wp_solver_point, separation), output + WP_OUTPUT_SEPARATION, sizeof *output);
	memcpy(to + offsetof(wp_solver_point, feature_a), &of, sizeof of);
	write_count(call, jobs->row[job], 1);
}

/* The contact is the only point of a job. */
WP_INLINE void put_only_point(const wp_call *call, const wp_jobs *jobs, uint32_t job, bool has_floats, only_point of)
{
	if (call->tracked.pairs != NULL)
		wp_keep_contact(call, jobs, job, of.feature_a, of.feature_b);
	else
		write_only_point(call, jobs, job, has_floats, of);
}

/* What kernels give of a pair where a side has no faces. */
static const only_point of_no_face = {WP_FEATURE_FACE, WP_FEATURE_FACE};

/* A job without points. */
static void write_none(const wp_call *call, const wp_jobs *jobs, uint32_t job)
{
	if (call->tracked.pairs != NULL)
		wp_keep_apart(call, jobs, job);
	else
		write_count(call, jobs->row[job], 0);
}

static void take_point(const double position_a[3], const double from[3], float to[3])
{
	for (int i = 0; i < 3; i++)
		to[i] = (float)(position_a[i] + from[i]);
}

void wp_write_manifold_of_strong_row(
	const wp_call *call, uint32_t row, const double position_a[3], const wp_output *output)
{
	if (!wp_is_near(call, output->status, output->separation)) {
		write_count(call, row, 0);
		return;
	}
	wp_manifold_point point = {
		.separation = output->separation, .feature_a = WP_FEATURE_FACE, .feature_b = WP_FEATURE_FACE};
	take_point(position_a, output->point_a, point.point_a);
	take_point(position_a, output->point_b, point.point_b);
	memcpy(point.local_a, output->local_a, sizeof point.local_a);
	memcpy(point.local_b, output->local_b, sizeof point.local_b);
	write_point(call, row, 0, &point);
	write_count(call, row, 1);
}

/* ---- which kernel makes which ------------------------------------------------------------------- */

_Static_assert(WP_FORM_COUNT == 4, "of smooth cores ellipsoids alone have no faces");

WP_INLINE bool has_no_face(const wp_core *core, bool is_segment)
{
	return is_segment || core->kind == WP_CORE_SEGMENT
	         ? !(core->half[1] > 0.0f)
	         : core->kind == WP_CORE_SMOOTH && core->count == WP_FORM_ELLIPSOID;
}

static float lesser(float a, float b) { return a < b ? a : b; }

static float greater(float a, float b) { return a > b ? a : b; }

static float least_half(const wp_core *box) { return lesser(lesser(box->half[0], box->half[1]), box->half[2]); }

/* Lengths of a pair up to this are as narrow as tolerances are. */
static float sliver_of(const wp_core *a, const wp_core *b)
{
	return WP_PATCH_SLIVER * greater(a->bound + a->radius, b->bound + b->radius);
}

/* Whether a core is a sharp box, and none of its sides as narrow beside `other`. */
static bool is_plain_box(const wp_core *box, const wp_core *other)
{
	return box->kind == WP_CORE_BOX && box->radius == 0.0f && least_half(box) > sliver_of(box, other);
}

static wp_clip_class class_of_cores(const wp_core *a, const wp_core *b)
{
	const bool is_capsule_a = a->kind == WP_CORE_SEGMENT, is_capsule_b = b->kind == WP_CORE_SEGMENT;
	if (is_capsule_a && is_capsule_b)
		return WP_CLIP_CAPSULES;
	if ((!is_capsule_a && !is_plain_box(a, b)) || (!is_capsule_b && !is_plain_box(b, a)))
		return WP_CLIP_ANY;
	return is_capsule_a || is_capsule_b ? WP_CLIP_BOX_CAPSULE : WP_CLIP_BOXES;
}

/* The group of a job: kernels clip only jobs of one group together, and the group chooses the kernel. In a bucket of forms
 * boxes and segments have faces of their own. A half-space may be on either side. Kernels of a class of cores rely on poses
 * that closed forms have found fit. */
static uint32_t group_of(const wp_jobs *jobs, uint32_t job, const wp_core *a, const wp_core *b)
{
	if (jobs->kind_a == WP_CORE_HALF_SPACE)
		return (a->kind == WP_CORE_HALF_SPACE ? b->kind : a->kind) * WP_CLIP_CLASS_COUNT + WP_CLIP_HALF_SPACE;
	const wp_clip_class found = jobs->state[job] == WP_JOB_STRONG ? WP_CLIP_ANY : class_of_cores(a, b);
	return (a->kind * WP_CORE_KIND_COUNT + b->kind) * WP_CLIP_CLASS_COUNT + (uint32_t)found;
}

/* What the jobs of a bucket are known to be. */
typedef enum bucket_kind { ANY_KINDS, SEGMENTS, BOXES, HULLS, BOX_AND_SEGMENT, SEGMENT_AND_BOX } bucket_kind;

WP_INLINE bool is_segment_and_box(bucket_kind kind) { return kind == BOX_AND_SEGMENT || kind == SEGMENT_AND_BOX; }

/* Whether both cores are so simple that kernels of their class take them; not of boxes that are no plain ones. */
WP_INLINE wp_clip_class class_of_kind(const wp_core *a, const wp_core *b, bucket_kind kind)
{
	if (kind == BOXES)
		return a->radius == 0.0f && b->radius == 0.0f && lesser(least_half(a), least_half(b)) > sliver_of(a, b)
		         ? WP_CLIP_BOXES
		         : WP_CLIP_ANY;
	const wp_core *const box = kind == BOX_AND_SEGMENT ? a : b;
	if (is_segment_and_box(kind))
		return box->radius == 0.0f && least_half(box) > sliver_of(a, b) ? WP_CLIP_BOX_CAPSULE : WP_CLIP_ANY;
	return kind == SEGMENTS ? WP_CLIP_CAPSULES : WP_CLIP_ANY;
}

/* The group in a bucket of known kinds. */
WP_INLINE_LARGE uint32_t group_of_known(
	const wp_jobs *jobs, uint32_t job, const wp_core *a, const wp_core *b, bucket_kind kind)
{
	const uint32_t of_alike = kind == SEGMENTS ? WP_CORE_SEGMENT : kind == BOXES ? WP_CORE_BOX : WP_CORE_HULL;
	const uint32_t of_a = kind == BOX_AND_SEGMENT ? WP_CORE_BOX : kind == SEGMENT_AND_BOX ? WP_CORE_SEGMENT : of_alike;
	const uint32_t of_b = kind == BOX_AND_SEGMENT ? WP_CORE_SEGMENT : kind == SEGMENT_AND_BOX ? WP_CORE_BOX : of_alike;
	const wp_clip_class found = class_of_kind(a, b, kind);
	const bool is_strong = jobs->state[job] == WP_JOB_STRONG;
	return (of_a * WP_CORE_KIND_COUNT + of_b) * WP_CLIP_CLASS_COUNT + (uint32_t)(is_strong ? WP_CLIP_ANY : found);
}

/* Whether one of both is a point, a sphere or an ellipsoid. */
WP_INLINE bool is_without_face(const wp_core *a, const wp_core *b, bucket_kind kind)
{
	if (kind == BOXES || kind == HULLS)
		return false;
	return (kind != BOX_AND_SEGMENT && has_no_face(a, kind != ANY_KINDS)) ||
	       (kind != SEGMENT_AND_BOX && has_no_face(b, kind != ANY_KINDS));
}

/* Jobs that have points for kernels to find. */
typedef struct near_jobs {
	WP_VECTORS int32_t job[WP_JOB_MAX];
	uint32_t group[WP_JOB_MAX], count;
	uint32_t others; /* 0: all are of the first one's group */
} near_jobs;

/* Whether kernels have found that the contact is the only point. */
WP_INLINE bool has_only_point(const wp_jobs *jobs, uint32_t job, only_point *of)
{
	const float *const output = jobs->output + (size_t)WP_OUTPUT_COUNT * job;
	uint32_t feature[2];
	memcpy(feature, output + WP_OUTPUT_FEATURE_A, sizeof feature);
	*of = (only_point){feature[0] ^ WP_ONLY_POINT, feature[1] ^ WP_ONLY_POINT};
	return feature[0] != 0;
}

/* Others get none, and those with a point, a sphere or an ellipsoid the contact. */
WP_INLINE_LARGE void list_near_of(const wp_call *call, const wp_jobs *jobs, near_jobs *near, bucket_kind kind)
{
	const bool has_floats = wp_has_float_points(call);
	uint32_t count = 0, others = 0;
	only_point of;
	for (uint32_t i = 0, total = jobs->count; i < total; i++) {
		const float separation = jobs->output[(size_t)WP_OUTPUT_COUNT * i + WP_OUTPUT_SEPARATION];
		const wp_core *const a = jobs->core_a[i], *const b = jobs->core_b[i];
		if (!wp_is_near(call, (uint32_t)jobs->status[i], separation)) {
			write_none(call, jobs, i);
		} else if (kind == SEGMENTS && has_only_point(jobs, i, &of)) {
			put_only_point(call, jobs, i, has_floats, of);
		} else if (is_without_face(a, b, kind)) {
			put_only_point(call, jobs, i, has_floats, of_no_face);
		} else {
			const uint32_t group = kind == ANY_KINDS ? group_of(jobs, i, a, b) : group_of_known(jobs, i, a, b, kind);
			near->job[count] = (int32_t)i;
			near->group[count++] = group;
			others |= group ^ near->group[0];
		}
	}
	near->count = count;
	near->others = others;
}

static void list_near(const wp_call *call, const wp_jobs *jobs, near_jobs *near)
{
	if (jobs->kind_a == WP_CORE_SEGMENT && jobs->kind_b == WP_CORE_SEGMENT)
		list_near_of(call, jobs, near, SEGMENTS);
	else if (jobs->kind_a == WP_CORE_BOX && jobs->kind_b == WP_CORE_BOX)
		list_near_of(call, jobs, near, BOXES);
	else if (jobs->kind_a == WP_CORE_HULL && jobs->kind_b == WP_CORE_HULL)
		list_near_of(call, jobs, near, HULLS);
	else if (jobs->kind_a == WP_CORE_BOX && jobs->kind_b == WP_CORE_SEGMENT)
		list_near_of(call, jobs, near, BOX_AND_SEGMENT);
	else if (jobs->kind_a == WP_CORE_SEGMENT && jobs->kind_b == WP_CORE_BOX)
		list_near_of(call, jobs, near, SEGMENT_AND_BOX);
	else
		list_near_of(call, jobs, near, ANY_KINDS);
}

/* Move the jobs of the first one's group to another list. Returns how many they are. */
static uint32_t take_alike(near_jobs *near, int32_t alike[WP_JOB_MAX])
{
	const uint32_t group = near->group[0], before = near->count;
	uint32_t count = 0, rest = 0;
	for (uint32_t i = 0; i < before; i++) {
		if (near->group[i] == group) {
			alike[count++] = near->job[i];
		} else {
			near->job[rest] = near->job[i];
			near->group[rest++] = near->group[i];
		}
	}
	near->count = rest;
	return count;
}

/* Lanes past the last job of the last block do what its first one does. */
static void repeat_first(int32_t *list, uint32_t count, uint32_t width)
{
	const uint32_t start = count - count % width;
	for (uint32_t i = count; i % width != 0; i++)
		list[i] = list[start];
}

/* Sort jobs by their corners of one side; those with as many stay in order. */
static void sort_by_corners(const int32_t corners[WP_JOB_MAX], int32_t *list, uint32_t count)
{
	uint32_t start[WP_FACE_CORNER_MAX + 2] = {0};
	int32_t sorted[WP_JOB_MAX];
	for (uint32_t i = 0; i < count; i++)
		start[corners[list[i]] + 1]++;
	for (uint32_t k = 1; k < WP_FACE_CORNER_MAX + 2; k++)
		start[k] += start[k - 1];
	for (uint32_t i = 0; i < count; i++)
		sorted[start[corners[list[i]]]++] = list[i];
	memcpy(list, sorted, count * sizeof *list);
}

/* Faces of up to so many corners are small: about half of the faces of hulls. */
#define SMALL_CORNERS 5

/* Of jobs in the order of the corners of one side put those with a small face on the other side first, from the most corners to
 * the fewest, then the others, from the fewest to the most: so neighbours are alike on both sides. */
static void part_by_size(const int32_t corners[WP_JOB_MAX], int32_t *list, uint32_t count)
{
	int32_t parted[WP_JOB_MAX];
	uint32_t small = 0;
	for (uint32_t i = 0; i < count; i++)
		small += corners[list[i]] <= SMALL_CORNERS;
	uint32_t before = small, after = small;
	for (uint32_t i = 0; i < count; i++)
		parted[corners[list[i]] <= SMALL_CORNERS ? --before : after++] = list[i];
	memcpy(list, parted, count * sizeof *list);
}

/* Those for what is left of a list. */
static const wp_kernels *kernels_of_block(const wp_kernels *kernels, const wp_kernels *half, uint32_t left)
{
	return left <= WP_HALF_JOBS ? half : kernels;
}

/* Find the faces of hulls, and put jobs together whose faces have similar numbers of corners: lanes go round their faces as
 * often as the one with most of them, and round both faces for each pair of edges. One lane has the same order, which is the
 * order of the changes of a frame. */
static void sort_hulls(const wp_jobs *jobs, const wp_kernels *kernels, const wp_kernels *half, int32_t *list,
	uint32_t count, wp_manifold_scratch *scratch)
{
	const bool is_hull_a = jobs->core_a[list[0]]->kind == WP_CORE_HULL;
	const bool is_hull_b = jobs->core_b[list[0]]->kind == WP_CORE_HULL;
	if (!is_hull_a && !is_hull_b)
		return;
	repeat_first(list, count, kernels->width);
	for (uint32_t at = 0; at < count; at += kernels->width)
		kernels_of_block(kernels, half, count - at)->manifolds->find_faces(jobs, list + at, scratch);
	if (is_hull_a)
		sort_by_corners(scratch->corners[0], list, count);
	if (is_hull_b)
		sort_by_corners(scratch->corners[1], list, count);
	if (is_hull_a && is_hull_b)
		part_by_size(scratch->corners[0], list, count);
}

/* ---- blocks ------------------------------------------------------------------------------------- */

/* Most pairs have up to so many points. */
#define PREFETCHED_POINTS 4

/* Request the memory of a row's points: kernels write them all at once, and would wait for each line that is in no cache near by. */
WP_INLINE void prefetch_points(const unsigned char *first, const wp_point_rows *to)
{
	const size_t count = to->point_max < PREFETCHED_POINTS ? to->point_max : PREFETCHED_POINTS;
	const size_t size = (sizeof(wp_manifold_point) - to->left_out) * count;
	for (size_t at = 0; at < size; at += WP_ALIGNMENT)
		wp_prefetch_write(first + at);
	wp_prefetch_write(first + size - 1);
}

/* Make and write the manifolds of a block where kernels write the points of rows. */
static void run_in_place(const wp_call *call, const wp_jobs *jobs, wp_clip *clip, const int32_t *list, uint32_t count,
	uint32_t width, wp_manifold_scratch *scratch)
{
	const wp_point_rows to = call->manifolds;
	const size_t before = WP_POINT_WORLD_BYTES - to.left_out;
	const uint32_t *const row = jobs->row;
	unsigned char *const points = to.points + call->first * to.points_stride + before;
	char *const counts = (char *)to.count + call->first * to.count_stride;
	scratch->is_kept = false;
	scratch->has_world = before != 0;
	for (uint32_t k = 0; k < count; k++) {
		scratch->to[k] = points + row[list[k]] * to.points_stride;
		prefetch_points(scratch->to[k] - before, &to);
	}
	for (uint32_t k = count; k < width; k++)
		scratch->to[k] = scratch->to[0];
	clip(jobs, list, to.point_max, scratch);
	for (uint32_t k = 0; k < count; k++) {
		const int32_t points_there = scratch->count[k];
		memcpy(counts + row[list[k]] * to.count_stride, &points_there, sizeof points_there);
	}
}

/* The same where points are moved first. */
static void run_apart(const wp_call *call, const wp_jobs *jobs, wp_clip *clip, const int32_t *list, uint32_t count,
	uint32_t width, wp_manifold_scratch *scratch)
{
	const size_t apart = WP_POINT_MAX * WP_POINT_NUMBERS;
	scratch->is_kept = false;
	scratch->has_world = true;
	for (uint32_t k = 0; k < width; k++)
		scratch->to[k] = (unsigned char *)(scratch->point + (k < count ? apart * k : 0)) + WP_POINT_WORLD_BYTES;
	clip(jobs, list, call->manifolds.point_max, scratch);
	for (uint32_t k = 0; k < count; k++) {
		const uint32_t job = (uint32_t)list[k], points = (uint32_t)scratch->count[k];
		move_points(call, jobs, job, scratch->point + apart * k, points);
		write_count(call, jobs->row[job], points);
	}
}

/* The same of tracked pairs. */
static void run_kept(const wp_call *call, const wp_jobs *jobs, wp_clip *clip, const int32_t *list, uint32_t count,
	wp_manifold_scratch *scratch)
{
	scratch->is_kept = true;
	clip(jobs, list, WP_KEPT_POINT_MAX, scratch);
	wp_keep_contacts(call, jobs, list, count, (const unsigned char *)scratch->kept, scratch->count);
}

/* Make and write the manifolds of jobs of one group. */
static void run_alike(const wp_call *call, const wp_jobs *jobs, const wp_kernels *kernels, const wp_kernels *half,
	uint32_t group, int32_t *alike, uint32_t count, wp_manifold_scratch *scratch)
{
	const uint32_t found = group % WP_CLIP_CLASS_COUNT;
	const bool in_place = wp_has_float_points(call) || call->manifolds.left_out != 0;
	const bool is_tracked = call->tracked.pairs != NULL;
	if (found == WP_CLIP_ANY)
		sort_hulls(jobs, kernels, half, alike, count, scratch);
	repeat_first(alike, count, kernels->width);
	for (uint32_t at = 0; at < count; at += kernels->width) {
		const wp_kernels *const chosen = kernels_of_block(kernels, half, count - at);
		wp_clip *const clip = chosen->manifolds->clip[found];
		const uint32_t block = count - at < chosen->width ? count - at : chosen->width;
		if (is_tracked)
			run_kept(call, jobs, clip, alike + at, block, scratch);
		else if (in_place)
			run_in_place(call, jobs, clip, alike + at, block, chosen->width, scratch);
		else
			run_apart(call, jobs, clip, alike + at, block, chosen->width, scratch);
	}
}

void wp_write_manifolds(const wp_call *call, const wp_jobs *jobs, const wp_kernels *kernels, const wp_kernels *half,
	wp_manifold_scratch *scratch)
{
	near_jobs near;
	WP_VECTORS int32_t alike[WP_JOB_MAX];
	list_near(call, jobs, &near);
	/* Jobs of a bucket are mostly of one group: then one list serves for both. */
	if (near.count != 0 && near.others == 0) {
		run_alike(call, jobs, kernels, half, near.group[0], near.job, near.count, scratch);
		return;
	}
	while (near.count != 0) {
		const uint32_t group = near.group[0], count = take_alike(&near, alike);
		run_alike(call, jobs, kernels, half, group, alike, count, scratch);
	}
}
