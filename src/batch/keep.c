#include "batch/keep.h"
#include "batch/cache.h"
#include "batch/persist.h"
#include "core/contract.h"
#include "core/double3.h"

_Static_assert(sizeof(wp_tracked) == 64, "one cache line a pair");
_Static_assert(sizeof(wp_cache) == 8 * sizeof(float) && offsetof(wp_cache, axis) == 4 * sizeof(float) &&
				   offsetof(wp_cache, count) == 7 * sizeof(float),
	"a plane is kept where a cache is: its normal as A sees it is the axis, and a size counts no vertices");

_Static_assert(sizeof(wp_found_points) == (size_t)WP_KEPT_FOUND_BYTES &&
				   offsetof(wp_found_points, places) == (size_t)WP_KEPT_PLACES &&
				   offsetof(wp_found_points, points) == (size_t)WP_KEPT_POINTS,
	"kernels give points as a manifold keeps them");

/* ---- events ------------------------------------------------------------------------------------- */

static void report_change(size_t row, wp_track_changes *changes)
{
	if (changes == NULL)
		return;
	if (changes->count < changes->capacity)
		changes->rows[changes->count] = (uint32_t)row;
	changes->count++;
}

wp_error wp_keep_begin(wp_track_changes *changes, size_t first, size_t count)
{
	if (changes == NULL)
		return WP_OK;
	if (first > UINT32_MAX - count)
		return WP_ERROR_PAIR_RANGE;
	changes->count = 0;
	return WP_OK;
}

void wp_keep_count(wp_tracked *pair, uint32_t count, size_t row, wp_track_changes *changes)
{
	const bool had = pair->count != 0, has = count != 0;
	pair->event = has && !had ? WP_TRACK_BEGAN : had && !has ? WP_TRACK_ENDED : 0;
	pair->count = (uint16_t)count;
	if (had != has)
		report_change(row, changes);
}

static void set_count(const wp_call *call, uint32_t row, wp_tracked *pair, uint32_t count)
{
	wp_keep_count(pair, count, call->first + row, call->tracked.changes);
}

/* ---- points ------------------------------------------------------------------------------------- */

static const float *output_of(const wp_jobs *jobs, uint32_t job)
{
	return jobs->output + (size_t)WP_OUTPUT_COUNT * job;
}

static const float *detail_of(const wp_jobs *jobs, uint32_t job)
{
	return jobs->detail + (size_t)WP_DETAIL_COUNT * job;
}

/* How the shapes of a job lie: the inputs of half-spaces are turned about. */
typedef struct placement {
	const wp_core *a, *b;
	const float *rotation_a, *rotation_b;
	wp_d3 way; /* from the position of A to the position of B */
} placement;

static placement placement_of(const wp_jobs *jobs, uint32_t job)
{
	const float *const input = wp_input_of_job(jobs, job);
	const float *const first = input + 4 * WP_INPUT_ROTATION_A, *const second = input + 4 * WP_INPUT_ROTATION_B;
	const wp_d3 at = wp_d3_of_floats(input + 4 * WP_INPUT_POSITION_B);
	placement p = {jobs->core_a[job], jobs->core_b[job], first, second, at};
	if (jobs->kind_a != WP_CORE_HALF_SPACE)
		return p;
	/* The other shape's inputs come first, and its position is in the frame of the half-space. */
	p.way = wp_dq_turn(wp_dq_of_rotation(second), at);
	if (p.a->kind == WP_CORE_HALF_SPACE) {
		p.rotation_a = second;
		p.rotation_b = first;
	} else {
		p.way = wp_d3_negate(p.way);
	}
	return p;
}

/* Whether the way between two bodies is long for their sizes: the position of a half-space may be far from what touches it, and
 * points may be requested of shapes that are further apart than they are large. Most are nearer than one of them is. */
static bool is_long_way(const wp_jobs *jobs, uint32_t job)
{
	const wp_core *const a = jobs->core_a[job], *const b = jobs->core_b[job];
	const float separation = output_of(jobs, job)[WP_OUTPUT_SEPARATION];
	return jobs->kind_a == WP_CORE_HALF_SPACE ||
	       (separation > a->bound && separation > (a->bound + a->radius) + (b->bound + b->radius));
}

/* Arms of all points, from where they are in their bodies. */
WP_NOINLINE void turn_arms(const wp_jobs *jobs, uint32_t job, wp_persistent_manifold *manifold)
{
	const placement p = placement_of(jobs, job);
	for (uint32_t k = 0; k < manifold->count; k++) {
		wp_keep_arm(wp_dq_of_rotation(p.rotation_a), manifold->places[k].local_a, manifold->points[k].arm_a);
		wp_keep_arm(wp_dq_of_rotation(p.rotation_b), manifold->places[k].local_b, manifold->points[k].arm_b);
	}
}

/* A point as kernels give it: where it is in both bodies, then as it is now; the arm on B is counted from A, by `way`, and the age
 * is any. */
WP_INLINE const unsigned char *found_place(const unsigned char *found, uint32_t k)
{
	return found + WP_KEPT_PLACES + (size_t)WP_KEPT_POINT_BYTES * k;
}
WP_INLINE const unsigned char *found_point(const unsigned char *found, uint32_t k)
{
	return found + WP_KEPT_POINTS + (size_t)WP_KEPT_POINT_BYTES * k;
}

#define ROW_BYTES sizeof(wp_quad)

WP_INLINE void put_row(void *to, wp_quad row) { memcpy(to, &row, sizeof row); }

WP_INLINE wp_quad arm_on_b(wp_quad way, const unsigned char *point)
{
	return wp_quad_sub(wp_quad_read(point + ROW_BYTES), way);
}

/* Point `k` of those found in the place of point `at` of a manifold. */
WP_INLINE_LARGE void put_found(
	wp_quad way, const unsigned char *found, uint32_t k, uint32_t age, wp_persistent_manifold *manifold, uint32_t at)
{
	const unsigned char *const place = found_place(found, k), *const point = found_point(found, k);
	unsigned char *const to_place = (unsigned char *)&manifold->places[at];
	unsigned char *const to_point = (unsigned char *)&manifold->points[at];
	put_row(to_place, wp_quad_read(place));
	put_row(to_place + ROW_BYTES, wp_quad_read(place + ROW_BYTES));
	put_row(to_point, wp_quad_read(point));
	put_row(to_point + ROW_BYTES, arm_on_b(way, point));
	manifold->points[at].age = age;
}

static uint32_t older(uint32_t age) { return age + (age != UINT32_MAX); }

/* The last numbers of the first rows of all points, or of the second ones. */
WP_INLINE wp_quad last_numbers(const unsigned char *rows)
{
	const wp_quad a = wp_quad_read(rows), b = wp_quad_read(rows + WP_KEPT_POINT_BYTES);
	const wp_quad c = wp_quad_read(rows + 2 * WP_KEPT_POINT_BYTES), d = wp_quad_read(rows + 3 * WP_KEPT_POINT_BYTES);
	const wp_quad ab = WP_QUAD_MIX(a, b, 2, 3, 2, 3), cd = WP_QUAD_MIX(c, d, 2, 3, 2, 3);
	return WP_QUAD_MIX(ab, cd, 1, 3, 1, 3);
}

WP_INLINE wp_quad last_number(const unsigned char *row)
{
	float number;
	memcpy(&number, row + 3 * sizeof number, sizeof number);
	return wp_quad_set(number);
}

/* Sets of old points, four bits for each new point. */
#define SET_BITS 4
#define SET_OF(sets, k) ((sets) >> SET_BITS * (k) & ((1u << SET_BITS) - 1))
#define EACH_SET 0x1111u
#define IN_ORDER 0x8421u /* each new point is the old one of its number */

_Static_assert(WP_PERSISTENT_POINT_MAX == SET_BITS && sizeof(wp_quad) == SET_BITS * sizeof(float), "a bit a point");

/* Of each new point the old ones that have its features. Rows past the last point are read, but not compared. */
WP_INLINE uint32_t find_features(const wp_persistent_manifold *old, const unsigned char *found, uint32_t count)
{
	const unsigned char *const places = (const unsigned char *)old->places;
	const wp_quad a = last_numbers(places), b = last_numbers(places + ROW_BYTES);
	uint32_t sets = 0;
	for (uint32_t k = 0; k < WP_PERSISTENT_POINT_MAX; k++) {
		const unsigned char *const place = found_place(found, k);
		const wp_quad_mask same_a = wp_quad_same(a, last_number(place));
		const wp_quad_mask same_b = wp_quad_same(b, last_number(place + ROW_BYTES));
		sets |= wp_quad_bits(wp_quad_both(same_a, same_b)) << SET_BITS * k;
	}
	return sets & ((1u << old->count) - 1) * EACH_SET & ((1u << SET_BITS * count) - 1);
}

/* Whether features tell no old point twice. `taken`: all old points that go on. */
static bool are_told_once(uint32_t sets, uint32_t count, uint32_t *taken)
{
	uint32_t twice = 0;
	*taken = 0;
	for (uint32_t k = 0; k < count; k++) {
		const uint32_t known = SET_OF(sets, k);
		twice |= (known & (known - 1)) | (known & *taken);
		*taken |= known;
	}
	return twice == 0;
}

/* How far new point `k` is from old ones that are not taken. */
static void measure_left(const wp_persistent_manifold *old, const unsigned char *found, uint32_t k, uint32_t taken,
	double moved2[WP_PERSISTENT_POINT_MAX])
{
	wp_persistent_place place;
	memcpy(&place, found_place(found, k), sizeof place);
	for (uint32_t at = 0; at < old->count; at++)
		if ((taken >> at & 1) == 0)
			moved2[at] = wp_persist_moved_squared(&old->places[at], &place);
}

/* Pair up the points of both frames that features leave, the nearest first, up to `merging`. Returns the sets with these. */
static uint32_t match_left(float merging, const wp_persistent_manifold *old, const unsigned char *found, uint32_t count,
	uint32_t sets, uint32_t *taken)
{
	double moved2[WP_PERSISTENT_POINT_MAX][WP_PERSISTENT_POINT_MAX];
	if (*taken == (1u << old->count) - 1)
		return sets;
	for (uint32_t k = 0; k < count; k++)
		if (SET_OF(sets, k) == 0)
			measure_left(old, found, k, *taken, moved2[k]);
	for (;;) {
		double least = (double)merging * (double)merging;
		uint32_t best = 0; /* bit SET_BITS * k + at: new point k is old point `at` */
		for (uint32_t k = 0; k < count; k++) {
			for (uint32_t at = 0; SET_OF(sets, k) == 0 && at < old->count; at++) {
				if ((*taken >> at & 1) != 0 || !(best == 0 ? moved2[k][at] <= least : moved2[k][at] < least))
					continue;
				least = moved2[k][at];
				best = 1u << (SET_BITS * k + at);
			}
		}
		if (best == 0)
			return sets;
		sets |= best;
		*taken |= 1u << wp_lowest_bit(best) % SET_BITS;
	}
}

/* Move what stays of old points that go on to the first places. Returns how many they are. */
static uint32_t close_gaps(uint32_t taken, wp_persistent_manifold *manifold)
{
	uint32_t total = 0;
	for (uint32_t set = taken; set != 0; set &= set - 1, total++) {
		const uint32_t old = wp_lowest_bit(set);
		if (old == total)
			continue;
		memcpy(manifold->impulses[total], manifold->impulses[old], sizeof manifold->impulses[old]);
		manifold->points[total].age = manifold->points[old].age;
	}
	return total;
}

/* Old points that go on stay in their order, new ones come after them. */
static void take_matched(wp_quad way, const unsigned char *found, uint32_t count, uint32_t sets, uint32_t taken,
	wp_persistent_manifold *manifold)
{
	uint32_t total = close_gaps(taken, manifold);
	for (uint32_t k = 0; k < count; k++) {
		const uint32_t known = SET_OF(sets, k);
		if (known != 0) {
			const uint32_t at = wp_count_bits(taken & (known - 1));
			put_found(way, found, k, older(manifold->points[at].age), manifold, at);
		} else {
			memset(manifold->impulses[total], 0, sizeof manifold->impulses[total]);
			put_found(way, found, k, 0, manifold, total++);
		}
	}
	manifold->count = total;
}

/* New points in the place of the old ones, where several have the same features. */
static void match_alike(
	float merging, wp_quad way, const unsigned char *found, uint32_t count, wp_persistent_manifold *manifold)
{
	wp_persist_point points[WP_PERSISTENT_POINT_MAX];
	for (uint32_t k = 0; k < count; k++) {
		memset(&points[k], 0, sizeof points[k]);
		memcpy(&points[k].place, found_place(found, k), sizeof points[k].place);
		memcpy(&points[k].now, found_point(found, k), ROW_BYTES);
		const wp_quad arm = arm_on_b(way, found_point(found, k));
		memcpy(points[k].now.arm_b, &arm, sizeof points[k].now.arm_b);
	}
	wp_persist_replace(manifold, points, count, merging);
}

/* Whether each new point is one old point, and each old point is one of them. A set of two bits keeps one of them where one is
 * taken away, and where two are, because the set before it is empty. */
WP_INLINE bool are_the_same(uint32_t sets, uint32_t count, uint32_t old_count)
{
	const uint32_t each = EACH_SET & ((1u << SET_BITS * count) - 1);
	const uint32_t two = sets | sets >> 2 * SET_BITS, all = two | two >> SET_BITS;
	return (sets & (sets - each)) == 0 && SET_OF(all, 0) == (1u << count) - 1 && old_count == count;
}

/* New points in the place of old ones, of which some are others. */
WP_NOINLINE void replace_points(float merging, wp_quad way, const unsigned char *found, uint32_t count, uint32_t sets,
	wp_persistent_manifold *manifold)
{
	uint32_t taken;
	if (!are_told_once(sets, count, &taken)) {
		match_alike(merging, way, found, count, manifold);
		return;
	}
	sets = match_left(merging, manifold, found, count, sets, &taken);
	take_matched(way, found, count, sets, taken, manifold);
}

/* New points in the place of the old ones. Of most pairs in most frames they are these, and mostly in their order. */
WP_INLINE void renew_points(
	float merging, wp_quad way, const unsigned char *found, uint32_t count, wp_persistent_manifold *manifold)
{
	uint32_t sets = find_features(manifold, found, count);
	if (sets == (IN_ORDER & ((1u << SET_BITS * count) - 1))) {
		for (uint32_t k = 0; k < count; k++)
			put_found(way, found, k, older(manifold->points[k].age), manifold, k);
		manifold->count = count;
	} else if (are_the_same(sets, count, manifold->count)) {
		for (uint32_t k = 0; k < count; k++, sets &= sets - 1) {
			const uint32_t at = wp_lowest_bit(sets) % SET_BITS;
			put_found(way, found, k, older(manifold->points[at].age), manifold, at);
		}
	} else {
		replace_points(merging, way, found, count, sets, manifold);
	}
}

/* A pair without points has no old ones, whatever its manifold holds. */
static void forget_old_points(const wp_tracked *pair, wp_persistent_manifold *manifold)
{
	if (pair->count == 0 || manifold->count > WP_PERSISTENT_POINT_MAX)
		manifold->count = 0;
}

/* Keep the answer of a solved job. Kernels leave any number as the separation of an invalid one. */
static void keep_answer(wp_tracked *pair, const wp_jobs *jobs, uint32_t job)
{
	const float separation = output_of(jobs, job)[WP_OUTPUT_SEPARATION];
	if (wp_has_feature(jobs, job))
		wp_cache_write(jobs, job, &pair->known);
	else
		pair->known = (wp_cache){.count = 0};
	pair->status = (uint32_t)jobs->status[job];
	pair->separation = pair->status & WP_STATUS_INVALID ? WP_NAN : separation;
}

/* ---- planes ------------------------------------------------------------------------------------- */

/* The proof that shapes are so far apart, or overlap by no more, along a normal. */
typedef struct proof {
	wp_d3 normal;
	float lower;
} proof;

/* A unit vector in the frame of a body, and a number. Half-spaces are bounded along their own axis alone, so for them it is exact. */
static wp_quad see_normal(const wp_core *core, const float rotation[4], wp_d3 normal, float beside)
{
	const double world[3] = {normal.x, normal.y, normal.z};
	float local[3];
	wp_to_local(rotation, world, local);
	if (core->kind == WP_CORE_HALF_SPACE) {
		local[0] = local[2] = 0.0f;
		local[1] = local[1] < 0.0f ? -1.0f : 1.0f;
	}
	return wp_quad_of(local[0], local[1], local[2], beside);
}

/* The shape with the smaller bound is the one that may turn against the plane: never a half-space. */
static bool does_a_turn(const wp_core *a, const wp_core *b)
{
	return b->kind == WP_CORE_HALF_SPACE || (a->kind != WP_CORE_HALF_SPACE && a->bound < b->bound);
}

static float lever_of(const wp_core *a, const wp_core *b, float reach)
{
	const bool is_a = does_a_turn(a, b);
	const float bound = is_a ? a->bound : b->bound, least = WP_KEPT_LEVER_MIN * reach;
	const float lever = bound > least ? bound : least;
	return is_a ? -lever : lever;
}

/* Have the last bit of a lever tell boxes, by lengthening it. */
static void mark_boxes(float *lever, bool are_boxes)
{
	uint32_t bits;
	memcpy(&bits, lever, sizeof bits);
	bits = are_boxes ? bits | WP_LEVER_OF_BOXES : (bits + WP_LEVER_OF_BOXES) & ~WP_LEVER_OF_BOXES;
	memcpy(lever, &bits, sizeof bits);
}

static float reach_of(const placement *p) { return (p->a->bound + p->a->radius) + (p->b->bound + p->b->radius); }

/* A plane as it is kept: the normal in B's frame, how far apart the shapes are along it from their own origins, less all that
 * rounding may have done to that; the normal in A's frame, and the size of both shapes. */
typedef struct plane {
	wp_quad in_b, in_a;
} plane;

static void forget_plane(wp_tracked *pair) { pair->lever = 0.0f; }

/* Keep the plane of a proof. False where the pair is too small or too large. */
static bool keep_plane(
	const wp_call *call, uint32_t row, const placement *p, const proof *found, wp_tracked *pair, plane *kept)
{
	const float reach = reach_of(p);
	const double size = wp_abs(p->way.x) + wp_abs(p->way.y) + wp_abs(p->way.z) + (double)reach;
	if (!(reach >= WP_KEPT_REACH_MIN) || !(size <= (double)WP_COORDINATE_MAX))
		return false;
	const double own = (double)found->lower - wp_d3_dot(found->normal, p->way) - (double)WP_KEPT_SLACK * size;
	kept->in_b = see_normal(p->b, p->rotation_b, found->normal, wp_round_down(own));
	kept->in_a = see_normal(p->a, p->rotation_a, found->normal, reach);
	bool inside;
	pair->body[0] = wp_body_of_row(call->pair_a.data, call->pair_a.stride, call->first + row, call->a.count, &inside);
	pair->body[1] = wp_body_of_row(call->pair_b.data, call->pair_b.stride, call->first + row, call->b.count, &inside);
	pair->shape[0] = wp_serial_of_shape(call->shapes, (uint32_t)(p->a - call->cores));
	pair->shape[1] = wp_serial_of_shape(call->shapes, (uint32_t)(p->b - call->cores));
	pair->lever = lever_of(p->a, p->b, reach);
	return true;
}

/* ---- anchors ------------------------------------------------------------------------------------ */

/* The place of a body in another and a number, and the rotation between them. */
typedef struct seen_pose {
	wp_quad position, rotation;
} seen_pose;

WP_INLINE seen_pose pose_of(const placement *p, bool turns_a, float beside)
{
	const wp_dq a = wp_dq_of_rotation(p->rotation_a), b = wp_dq_of_rotation(p->rotation_b);
	const wp_d3 at = turns_a ? wp_dq_turn_back(b, wp_d3_negate(p->way)) : wp_dq_turn_back(a, p->way);
	const double w = a.w * b.w + wp_d3_dot(a.v, b.v);
	const wp_d3 v = wp_d3_sub(wp_d3_sub(wp_d3_scale(b.v, a.w), wp_d3_scale(a.v, b.w)), wp_d3_cross(a.v, b.v));
	const double unit = 1.0 / wp_sqrt(wp_d3_dot(v, v) + w * w);
	return (seen_pose){wp_quad_of((float)at.x, (float)at.y, (float)at.z, beside),
		wp_quad_of((float)(v.x * unit), (float)(v.y * unit), (float)(v.z * unit), (float)(w * unit))};
}

#define SMOOTH_SIZE ((float)(WP_CONTRACT_SMOOTH_POINT / WP_CONTRACT_MANIFOLD))

/* Whether the points of a solved job may be kept: its bracket is as narrow as promised, so the gap along the normal is its
 * separation. */
static bool may_keep(const wp_call *call, uint32_t status)
{
	return call->tracked.reuse_error > 0.0f && !(status & (WP_STATUS_STRONG | WP_STATUS_WIDE_BRACKET));
}

/* Keep the plane and the poses of a pair that touches. */
WP_NOINLINE void keep_anchor(
	const wp_call *call, const wp_jobs *jobs, uint32_t job, wp_tracked *pair, wp_tracked_anchor *anchor)
{
	const placement p = placement_of(jobs, job);
	const float reach = reach_of(&p);
	if (!(reach >= WP_REUSE_REACH_MIN))
		return;
	const float *const output = output_of(jobs, job);
	/* First, because its square root and quotients take long. Boxes need none. */
	const bool are_boxes = p.a->kind == WP_CORE_BOX && p.b->kind == WP_CORE_BOX;
	seen_pose pose = {wp_quad_set(0.0f), wp_quad_set(0.0f)};
	if (!are_boxes)
		pose = pose_of(&p, does_a_turn(p.a, p.b), output[WP_OUTPUT_UPPER]);
	const double separation = (double)output[WP_OUTPUT_SEPARATION];
	const bool is_smooth = wp_is_smooth((int)p.a->kind, (int)p.b->kind);
	const double promised = is_smooth ? WP_CONTRACT_SMOOTH : WP_CONTRACT;
	const double lower = separation - promised * ((double)reach + wp_abs(separation));
	const proof found = {wp_d3_of_floats(output + WP_OUTPUT_NORMAL), wp_round_down(lower)};
	plane kept;
	if (!keep_plane(call, jobs->row[job], &p, &found, pair, &kept))
		return;
	mark_boxes(&pair->lever, are_boxes);
	memcpy(anchor->plane, &kept, sizeof anchor->plane);
	/* Points are as exact as shapes are large and far apart. Rounding of smooth shapes counts as if they were so much
	 * larger. */
	const float size = reach + wp_abs_float(output[WP_OUTPUT_SEPARATION]);
	anchor->plane[7] = is_smooth ? SMOOTH_SIZE * size : size;
	put_row(anchor->position, pose.position);
	put_row(anchor->rotation, pose.rotation);
}

/* ---- jobs --------------------------------------------------------------------------------------- */

/* Keep what else there is of a job whose points are renewed. */
WP_INLINE void keep_rest(const wp_call *call, const wp_jobs *jobs, uint32_t job, uint32_t at)
{
	wp_tracked *const pair = &call->tracked.pairs[at];
	wp_persistent_manifold *const manifold = &call->tracked.manifolds[at];
	if (is_long_way(jobs, job))
		turn_arms(jobs, job, manifold);
	memcpy(manifold->normal, output_of(jobs, job) + WP_OUTPUT_NORMAL, sizeof manifold->normal);
	keep_answer(pair, jobs, job);
	forget_plane(pair);
	if (may_keep(call, pair->status))
		keep_anchor(call, jobs, job, pair, &call->tracked.anchors[at]);
	set_count(call, jobs->row[job], pair, manifold->count);
}

WP_INLINE wp_quad way_of(const wp_jobs *jobs, uint32_t job)
{
	return wp_quad_read(wp_input_of_job(jobs, job) + 4 * WP_INPUT_POSITION_B);
}

/* Request the features of a pair's points, which the first branch of renew_points waits for. */
WP_INLINE void prefetch_features(const wp_persistent_manifold *manifold)
{
	wp_prefetch_write(manifold->places);
	wp_prefetch_write(&manifold->places[WP_PERSISTENT_POINT_MAX / 2]);
}

void wp_keep_contacts(const wp_call *call, const wp_jobs *jobs, const int32_t *list, uint32_t count,
	const unsigned char *found, const int32_t *points)
{
	wp_persistent_manifold *next = &call->tracked.manifolds[jobs->cache_of[list[0]]];
	for (uint32_t k = 0; k < count; k++) {
		const uint32_t job = (uint32_t)list[k], at = jobs->cache_of[job];
		wp_persistent_manifold *const manifold = next;
		next = &call->tracked.manifolds[jobs->cache_of[list[k + 1 < count ? k + 1 : k]]];
		prefetch_features(next);
		forget_old_points(&call->tracked.pairs[at], manifold);
		renew_points(call->tracked.merging, way_of(jobs, job), found + (size_t)WP_KEPT_FOUND_BYTES * k,
			(uint32_t)points[k], manifold);
		keep_rest(call, jobs, job, at);
	}
}

/* Whether the first old point has these features, and no other one. */
WP_INLINE bool is_first_alone(const wp_persistent_manifold *old, uint32_t feature_a, uint32_t feature_b)
{
	uint32_t known = 0;
	for (uint32_t at = 0; at < old->count; at++)
		known |= (uint32_t)(old->places[at].feature_a == feature_a && old->places[at].feature_b == feature_b) << at;
	return known == 1;
}

/* The contact of a solved job in the place of the first old point, whose features it has. */
WP_INLINE void put_contact(
	const wp_jobs *jobs, uint32_t job, uint32_t feature_a, uint32_t feature_b, wp_persistent_manifold *manifold)
{
	const float *const output = output_of(jobs, job), *const detail = detail_of(jobs, job);
	wp_persistent_place *const place = &manifold->places[0];
	wp_persistent_point *const now = &manifold->points[0];
	unsigned char *const to_place = (unsigned char *)place, *const to_point = (unsigned char *)now;
	const uint32_t age = older(now->age);
	/* Whole rows: the last numbers follow. */
	put_row(to_place, wp_quad_read(detail + WP_DETAIL_LOCAL_A));
	put_row(to_place + ROW_BYTES, wp_quad_read(detail + WP_DETAIL_LOCAL_B));
	put_row(to_point, wp_quad_read(output + WP_OUTPUT_POINT_A));
	put_row(to_point + ROW_BYTES, wp_quad_sub(wp_quad_read(output + WP_OUTPUT_POINT_B), way_of(jobs, job)));
	place->feature_a = feature_a;
	place->feature_b = feature_b;
	now->separation = output[WP_OUTPUT_SEPARATION];
	now->age = age;
	manifold->count = 1;
}

/* The only point in the place of all old ones. Places past it are read, but not compared. */
WP_NOINLINE void renew_alone(
	const wp_call *call, wp_quad way, const wp_found_points *found, wp_persistent_manifold *manifold)
{
	renew_points(call->tracked.merging, way, (const unsigned char *)found, 1, manifold);
}

/* The contact of a solved job in the place of all old points. */
static void renew_contact(const wp_call *call, const wp_jobs *jobs, uint32_t job, uint32_t feature_a,
	uint32_t feature_b, wp_persistent_manifold *manifold)
{
	const float *const output = output_of(jobs, job), *const detail = detail_of(jobs, job);
	wp_found_points found = {.places = {{.feature_a = feature_a, .feature_b = feature_b}}};
	found.points[0].separation = output[WP_OUTPUT_SEPARATION];
	memcpy(found.points[0].arm_a, output + WP_OUTPUT_POINT_A, sizeof found.points[0].arm_a);
	memcpy(found.points[0].arm_b, output + WP_OUTPUT_POINT_B, sizeof found.points[0].arm_b);
	memcpy(found.places[0].local_a, detail + WP_DETAIL_LOCAL_A, sizeof found.places[0].local_a);
	memcpy(found.places[0].local_b, detail + WP_DETAIL_LOCAL_B, sizeof found.places[0].local_b);
	renew_alone(call, way_of(jobs, job), &found, manifold);
}

void wp_keep_contact(const wp_call *call, const wp_jobs *jobs, uint32_t job, uint32_t feature_a, uint32_t feature_b)
{
	const uint32_t at = jobs->cache_of[job];
	wp_persistent_manifold *const manifold = &call->tracked.manifolds[at];
	forget_old_points(&call->tracked.pairs[at], manifold);
	if (is_first_alone(manifold, feature_a, feature_b))
		put_contact(jobs, job, feature_a, feature_b, manifold);
	else
		renew_contact(call, jobs, job, feature_a, feature_b, manifold);
	keep_rest(call, jobs, job, at);
}

/* The pair of a row has no points. A new one's manifold may hold another pair's. */
static void drop_points(const wp_call *call, uint32_t row, size_t at)
{
	call->tracked.manifolds[at].count = 0;
	set_count(call, row, &call->tracked.pairs[at], 0);
}

void wp_keep_apart(const wp_call *call, const wp_jobs *jobs, uint32_t job)
{
	const size_t at = jobs->cache_of[job];
	wp_tracked *const pair = &call->tracked.pairs[at];
	const float *const output = output_of(jobs, job);
	const proof found = {wp_d3_of_floats(output + WP_OUTPUT_NORMAL), output[WP_OUTPUT_LOWER]};
	plane kept;
	keep_answer(pair, jobs, job);
	forget_plane(pair);
	/* The strong path's rows are few, and its proofs need not be along the normal. */
	if ((pair->status & (WP_STATUS_BEYOND | WP_STATUS_STRONG)) == WP_STATUS_BEYOND) {
		const placement p = placement_of(jobs, job);
		if (keep_plane(call, jobs->row[job], &p, &found, pair, &kept))
			memcpy(&pair->known, &kept, sizeof pair->known);
	}
	drop_points(call, jobs->row[job], at);
}

/* ---- rows alone --------------------------------------------------------------------------------- */

/* The contact of a row in double, as its only point. */
static wp_found_points point_of_output(const wp_input *input, const wp_output *output)
{
	wp_found_points found = {.places = {{.feature_a = WP_FEATURE_FACE, .feature_b = WP_FEATURE_FACE}}};
	wp_persistent_place *const place = &found.places[0];
	wp_persistent_point *const now = &found.points[0];
	const wp_d3 way = wp_d3_sub(wp_d3_at(input->b.position), wp_d3_at(input->a.position));
	now->separation = output->separation;
	memcpy(place->local_a, output->local_a, sizeof place->local_a);
	memcpy(place->local_b, output->local_b, sizeof place->local_b);
	wp_d3_put_floats(wp_d3_at(output->point_a), now->arm_a);
	wp_d3_put_floats(wp_d3_sub(wp_d3_at(output->point_b), way), now->arm_b);
	return found;
}

void wp_keep_strong_row(const wp_call *call, uint32_t row, const wp_input *input, const wp_output *output)
{
	const size_t at = wp_tracked_of_row(call, row);
	wp_tracked *const pair = &call->tracked.pairs[at];
	pair->known = (wp_cache){.count = 0};
	pair->separation = output->separation;
	pair->status = output->status;
	forget_plane(pair);
	if (!wp_is_near(call, output->status, output->separation)) {
		drop_points(call, row, at);
		return;
	}
	wp_persistent_manifold *const manifold = &call->tracked.manifolds[at];
	const wp_found_points found = point_of_output(input, output);
	forget_old_points(pair, manifold);
	renew_alone(call, wp_quad_set(0.0f), &found, manifold);
	memcpy(manifold->normal, output->normal, sizeof manifold->normal);
	set_count(call, row, pair, manifold->count);
}
