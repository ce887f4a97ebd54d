#include "batch/keep.h"
#include "batch/cache.h"
#include "batch/persist.h"
#include "core/contract.h"
#include "core/double3.h"

_Static_assert(sizeof(wp_tracked) == 64, "one cache line a pair");
_Static_assert(sizeof(wp_cache) == 8 * sizeof(float) && offsetof(wp_cache, axis) == 4 * sizeof(float) &&
				   offsetof(wp_cache, count) == 7 * sizeof(float),
	"a plane is kept where a cache is: its normal as A sees it is the axis, and a size counts no vertices");

/* What of a wp_manifold_point kernels give where. */
enum { POINT_A = 0, POINT_B = 3, LOCAL_A = 6, LOCAL_B = 9, SEPARATION = 12, FEATURES = 13 };

/* ---- events ------------------------------------------------------------------------------------- */

static void report_change(size_t row, wp_track_changes *changes)
{
	if (changes == NULL)
		return;
	if (changes->count < changes->capacity)
		changes->rows[changes->count] = (uint32_t)row;
	changes->count++;
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

static wp_d3 d3_of_floats(const float v[3]) { return wp_d3_of((double)v[0], (double)v[1], (double)v[2]); }

static void put_floats(wp_d3 v, float to[3])
{
	to[0] = (float)v.x;
	to[1] = (float)v.y;
	to[2] = (float)v.z;
}

static const float *output_of(const wp_jobs *jobs, uint32_t job)
{
	return jobs->output + (size_t)WP_OUTPUT_COUNT * job;
}

/* A place in a body, in world axes from its origin. */
static void turn_arm(const float rotation[4], const float local[3], float arm[3])
{
	put_floats(wp_dq_turn(wp_dq_of_rotation(rotation), d3_of_floats(local)), arm);
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
	const wp_d3 at = d3_of_floats(input + 4 * WP_INPUT_POSITION_B);
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
 * points may be requested of shapes that are further apart than they are large. */
static bool is_long_way(const wp_jobs *jobs, uint32_t job)
{
	const wp_core *const a = jobs->core_a[job], *const b = jobs->core_b[job];
	const float reach = (a->bound + a->radius) + (b->bound + b->radius);
	return jobs->kind_a == WP_CORE_HALF_SPACE || output_of(jobs, job)[WP_OUTPUT_SEPARATION] > reach;
}

static void turn_arms(const wp_jobs *jobs, uint32_t job, const wp_persistent_place *place, wp_persistent_point *point)
{
	const placement p = placement_of(jobs, job);
	turn_arm(p.rotation_a, place->local_a, point->arm_a);
	turn_arm(p.rotation_b, place->local_b, point->arm_b);
}

/* Three numbers in the place of four, and the fourth. */
WP_INLINE void put_four(unsigned char *to, wp_quad three, const void *fourth)
{
	memcpy(to, &three, sizeof three);
	memcpy(to + 3 * sizeof(float), fourth, sizeof(float));
}

#define IN_FOUR(type, field) (offsetof(type, field) == 0 || offsetof(type, field) == 4 * sizeof(float))
_Static_assert(IN_FOUR(wp_persistent_point, arm_a) && IN_FOUR(wp_persistent_point, arm_b) &&
				   IN_FOUR(wp_persistent_place, local_a) && IN_FOUR(wp_persistent_place, local_b) &&
				   sizeof(wp_persistent_point) == 8 * sizeof(float) && sizeof(wp_persistent_place) == 8 * sizeof(float),
	"two rows of four numbers each");

/* What was found of a point, in all but its age: kernels give points in world axes, from A; `way` is from A to B. */
WP_INLINE void take_found(wp_quad way, const float *from, wp_persistent_point *now, wp_persistent_place *place)
{
	const uint32_t age = now->age;
	unsigned char *const point = (unsigned char *)now, *const at = (unsigned char *)place;
	put_four(point + offsetof(wp_persistent_point, arm_a), wp_quad_read(from + POINT_A), from + SEPARATION);
	put_four(point + offsetof(wp_persistent_point, arm_b), wp_quad_sub(wp_quad_read(from + POINT_B), way), &age);
	put_four(at + offsetof(wp_persistent_place, local_a), wp_quad_read(from + LOCAL_A), from + FEATURES);
	put_four(at + offsetof(wp_persistent_place, local_b), wp_quad_read(from + LOCAL_B), from + FEATURES + 1);
}

static uint64_t both_features(uint32_t a, uint32_t b) { return (uint64_t)b << 32 | a; }

/* Whether the points are the old ones, in their order, by features alone, of which no two are the same. */
static bool are_old_points(const wp_persistent_manifold *old, const float *from, uint32_t count)
{
	uint64_t features[WP_PERSISTENT_POINT_MAX];
	bool same = true;
	if (old->count != count)
		return false;
	for (uint32_t k = 0; k < count; k++) {
		const wp_persistent_place *const before = &old->places[k];
		uint32_t found[2];
		memcpy(found, from + (size_t)WP_POINT_NUMBERS * k + FEATURES, sizeof found);
		features[k] = both_features(found[0], found[1]);
		same &= features[k] == both_features(before->feature_a, before->feature_b);
		for (uint32_t i = 0; i < k; i++)
			same &= features[i] != features[k];
	}
	return same;
}

/* Of `count` points, a bit for each that has the features of the one at `place`. */
static uint32_t find_features(const wp_persistent_place *places, uint32_t count, const wp_persistent_place *place)
{
	uint32_t found = 0;
	for (uint32_t i = 0; i < count; i++) {
		const bool is_it = places[i].feature_a == place->feature_a && places[i].feature_b == place->feature_b;
		found |= (uint32_t)is_it << i;
	}
	return found;
}

static bool is_one_at_most(uint32_t set) { return (set & (set - 1)) == 0; }

/* Match each new point to an old one by features alone, as a set of one or none. False if features do not decide: some occur
 * twice, or points of both frames are left, which places may match. */
static bool match_features(const wp_persistent_manifold *old, const wp_persist_point *points, uint32_t count,
	uint32_t known[WP_PERSISTENT_POINT_MAX], uint32_t *taken)
{
	uint32_t matched = 0;
	*taken = 0;
	for (uint32_t i = 0; i < count; i++) {
		known[i] = find_features(old->places, old->count, &points[i].place);
		if (!is_one_at_most(known[i]) || (known[i] & *taken) != 0)
			return false;
		*taken |= known[i];
		matched += known[i] != 0;
	}
	return matched == count || matched == old->count;
}

/* What was found of a point, in the place of what it was; its history goes on. */
static void go_on(wp_persistent_manifold *manifold, uint32_t at, wp_persist_point *found)
{
	found->now.age = manifold->points[at].age;
	wp_persist_age(&found->now);
	memcpy(found->impulse, manifold->impulses[at], sizeof found->impulse);
	wp_persist_put(manifold, at, found);
}

/* Old points that go on stay in their order, new ones come after them. */
static void take_matched(wp_persistent_manifold *manifold, wp_persist_point *points, uint32_t count,
	const uint32_t known[WP_PERSISTENT_POINT_MAX], uint32_t taken)
{
	for (uint32_t i = 0; i < count; i++)
		if (known[i] != 0)
			go_on(manifold, wp_lowest_bit(known[i]), &points[i]);
	uint32_t total = 0;
	for (uint32_t set = taken; set != 0; set &= set - 1, total++) {
		if (wp_lowest_bit(set) == total)
			continue;
		wp_persist_point kept;
		wp_persist_take(manifold, wp_lowest_bit(set), &kept);
		wp_persist_put(manifold, total, &kept);
	}
	for (uint32_t i = 0; i < count; i++)
		if (known[i] == 0)
			wp_persist_put(manifold, total++, &points[i]);
	manifold->count = total;
}

/* New points in the place of the old ones. */
static void replace_points(
	const wp_call *call, wp_persistent_manifold *manifold, wp_persist_point *points, uint32_t count)
{
	uint32_t known[WP_PERSISTENT_POINT_MAX], taken;
	if (match_features(manifold, points, count, known, &taken))
		take_matched(manifold, points, count, known, taken);
	else
		wp_persist_replace(manifold, points, count, call->tracked.merging);
}

/* A pair without points has no old ones, whatever its manifold holds. */
static void forget_old_points(const wp_tracked *pair, wp_persistent_manifold *manifold)
{
	if (pair->count == 0 || manifold->count > WP_PERSISTENT_POINT_MAX)
		manifold->count = 0;
}

/* The points of a job in the place of the old ones: of most pairs in most frames they are these. */
static void keep_points(const wp_call *call, const wp_jobs *jobs, uint32_t job, const float *from, uint32_t found,
	wp_persistent_manifold *to)
{
	const uint32_t count = found < WP_PERSISTENT_POINT_MAX ? found : WP_PERSISTENT_POINT_MAX;
	const bool is_long = is_long_way(jobs, job), are_old = are_old_points(to, from, count);
	const wp_quad way = wp_quad_read(wp_input_of_job(jobs, job) + 4 * WP_INPUT_POSITION_B);
	wp_persist_point points[WP_PERSISTENT_POINT_MAX];
	for (uint32_t k = 0; k < count; k++) {
		points[k].now.age = 0;
		wp_persistent_point *const now = are_old ? &to->points[k] : &points[k].now;
		wp_persistent_place *const place = are_old ? &to->places[k] : &points[k].place;
		take_found(way, from + (size_t)WP_POINT_NUMBERS * k, now, place);
		if (is_long)
			turn_arms(jobs, job, place, now);
		if (are_old)
			wp_persist_age(now);
	}
	if (are_old)
		return;
	for (uint32_t k = 0; k < count; k++)
		memset(points[k].impulse, 0, sizeof points[k].impulse);
	replace_points(call, to, points, count);
}

/* Keep the answer of a solved job. Kernels leave any number as the separation of an invalid one. */
static void keep_answer(wp_tracked *pair, const wp_jobs *jobs, uint32_t job)
{
	const float separation = output_of(jobs, job)[WP_OUTPUT_SEPARATION];
	pair->known = wp_has_feature(jobs, job) ? wp_cache_of_job(jobs, job) : (wp_cache){.count = 0};
	pair->status = (uint32_t)jobs->status[job];
	pair->separation = pair->status & WP_STATUS_INVALID ? WP_NAN : separation;
}

/* ---- planes ------------------------------------------------------------------------------------- */

/* The proof that shapes are so far apart, or overlap by no more, along a normal. */
typedef struct proof {
	wp_d3 normal;
	float lower;
} proof;

/* A unit vector in the frame of a body. Half-spaces are bounded along their own axis alone, so for them it is exact. */
static void see_normal(const wp_core *core, const float rotation[4], wp_d3 normal, float local[3])
{
	const double world[3] = {normal.x, normal.y, normal.z};
	wp_to_local(rotation, world, local);
	if (core->kind == WP_CORE_HALF_SPACE) {
		local[0] = local[2] = 0.0f;
		local[1] = local[1] < 0.0f ? -1.0f : 1.0f;
	}
}

/* The shape with the smaller bound is the one that may turn against the plane: never a half-space. */
static float lever_of(const wp_core *a, const wp_core *b, float reach)
{
	const bool turns_a = b->kind == WP_CORE_HALF_SPACE || (a->kind != WP_CORE_HALF_SPACE && a->bound < b->bound);
	const float bound = turns_a ? a->bound : b->bound, least = WP_KEPT_LEVER_MIN * reach;
	const float lever = bound > least ? bound : least;
	return turns_a ? -lever : lever;
}

static float reach_of(const placement *p) { return (p->a->bound + p->a->radius) + (p->b->bound + p->b->radius); }

/* A plane as it is kept: the normal in B's frame, how far apart the shapes are along it from their own origins, less all that
 * rounding may have done to that; the normal in A's frame, and the size of both shapes. */
typedef struct plane {
	float number[8];
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
	see_normal(p->b, p->rotation_b, found->normal, kept->number);
	kept->number[3] = wp_round_down(own);
	see_normal(p->a, p->rotation_a, found->normal, kept->number + 4);
	kept->number[7] = reach;
	bool inside;
	pair->body[0] = wp_body_of_row(call->pair_a.data, call->pair_a.stride, call->first + row, call->a.count, &inside);
	pair->body[1] = wp_body_of_row(call->pair_b.data, call->pair_b.stride, call->first + row, call->b.count, &inside);
	pair->shape[0] = wp_serial_of_shape(call->shapes, (uint32_t)(p->a - call->cores));
	pair->shape[1] = wp_serial_of_shape(call->shapes, (uint32_t)(p->b - call->cores));
	pair->lever = lever_of(p->a, p->b, reach);
	return true;
}

/* ---- anchors ------------------------------------------------------------------------------------ */

/* Rotations from a body to another, and the place of one in the other. */
static void keep_pose(const placement *p, bool turns_a, wp_tracked_anchor *anchor)
{
	const wp_dq a = wp_dq_of_rotation(p->rotation_a), b = wp_dq_of_rotation(p->rotation_b);
	const wp_d3 at = turns_a ? wp_dq_turn_back(b, wp_d3_negate(p->way)) : wp_dq_turn_back(a, p->way);
	const double w = a.w * b.w + wp_d3_dot(a.v, b.v);
	const wp_d3 v = wp_d3_sub(wp_d3_sub(wp_d3_scale(b.v, a.w), wp_d3_scale(a.v, b.w)), wp_d3_cross(a.v, b.v));
	const double unit = 1.0 / wp_sqrt(wp_d3_dot(v, v) + w * w);
	put_floats(at, anchor->position);
	put_floats(wp_d3_scale(v, unit), anchor->rotation);
	anchor->rotation[3] = (float)(w * unit);
}

#define SMOOTH_SIZE ((float)(WP_CONTRACT_SMOOTH_POINT / WP_CONTRACT_MANIFOLD))

/* Whether the points of a solved job may be kept: its bracket is as narrow as promised, so the gap along the normal is its
 * separation. */
static bool may_keep(const wp_call *call, uint32_t status)
{
	return call->tracked.reuse_error > 0.0f && !(status & (WP_STATUS_STRONG | WP_STATUS_WIDE_BRACKET));
}

/* Keep the plane and the poses of a pair that touches. */
static void keep_anchor(
	const wp_call *call, const wp_jobs *jobs, uint32_t job, wp_tracked *pair, wp_tracked_anchor *anchor)
{
	const placement p = placement_of(jobs, job);
	if (!(reach_of(&p) >= WP_REUSE_REACH_MIN))
		return;
	const float *const output = output_of(jobs, job);
	const double separation = (double)output[WP_OUTPUT_SEPARATION];
	const bool is_smooth = wp_is_smooth((int)p.a->kind, (int)p.b->kind);
	const double promised = is_smooth ? WP_CONTRACT_SMOOTH : WP_CONTRACT;
	const double lower = separation - promised * ((double)reach_of(&p) + wp_abs(separation));
	const proof found = {d3_of_floats(output + WP_OUTPUT_NORMAL), wp_round_down(lower)};
	plane kept;
	if (!keep_plane(call, jobs->row[job], &p, &found, pair, &kept))
		return;
	memcpy(anchor->plane, kept.number, sizeof anchor->plane);
	/* Points are as exact as shapes are large and far apart. Rounding of smooth shapes counts as if they were so much
	 * larger. */
	const float size = kept.number[7] + wp_abs_float(output[WP_OUTPUT_SEPARATION]);
	anchor->plane[7] = is_smooth ? SMOOTH_SIZE * size : size;
	anchor->position[3] = output[WP_OUTPUT_UPPER];
	keep_pose(&p, pair->lever < 0.0f, anchor);
}

/* ---- jobs --------------------------------------------------------------------------------------- */

void wp_keep_contact(const wp_call *call, const wp_jobs *jobs, uint32_t job, const float *from, uint32_t count)
{
	const uint32_t at = jobs->cache_of[job];
	wp_tracked *const pair = &call->tracked.pairs[at];
	wp_persistent_manifold *const manifold = &call->tracked.manifolds[at];
	forget_old_points(pair, manifold);
	keep_points(call, jobs, job, from, count, manifold);
	memcpy(manifold->normal, output_of(jobs, job) + WP_OUTPUT_NORMAL, sizeof manifold->normal);
	keep_answer(pair, jobs, job);
	forget_plane(pair);
	if (may_keep(call, pair->status))
		keep_anchor(call, jobs, job, pair, &call->tracked.anchors[at]);
	set_count(call, jobs->row[job], pair, manifold->count);
}

/* A pair has no points any more. */
static void drop_points(const wp_call *call, uint32_t row, wp_tracked *pair)
{
	if (pair->count != 0)
		call->tracked.manifolds[wp_tracked_of_row(call, row)].count = 0;
	set_count(call, row, pair, 0);
}

void wp_keep_apart(const wp_call *call, const wp_jobs *jobs, uint32_t job)
{
	wp_tracked *const pair = &call->tracked.pairs[jobs->cache_of[job]];
	const float *const output = output_of(jobs, job);
	const proof found = {d3_of_floats(output + WP_OUTPUT_NORMAL), output[WP_OUTPUT_LOWER]};
	plane kept;
	keep_answer(pair, jobs, job);
	forget_plane(pair);
	/* The strong path's rows are few, and its proofs need not be along the normal. */
	if ((pair->status & (WP_STATUS_BEYOND | WP_STATUS_STRONG)) == WP_STATUS_BEYOND) {
		const placement p = placement_of(jobs, job);
		if (keep_plane(call, jobs->row[job], &p, &found, pair, &kept))
			memcpy(&pair->known, kept.number, sizeof pair->known);
	}
	drop_points(call, jobs->row[job], pair);
}

/* ---- rows alone --------------------------------------------------------------------------------- */

/* The contact of a row in double, as its only point. */
static wp_persist_point point_of_output(const wp_input *input, const wp_output *output)
{
	wp_persist_point point = {.now = {.separation = output->separation},
		.place = {.feature_a = WP_FEATURE_FACE, .feature_b = WP_FEATURE_FACE}};
	const wp_d3 way = wp_d3_sub(wp_d3_at(input->b.position), wp_d3_at(input->a.position));
	memcpy(point.place.local_a, output->local_a, sizeof point.place.local_a);
	memcpy(point.place.local_b, output->local_b, sizeof point.place.local_b);
	put_floats(wp_d3_at(output->point_a), point.now.arm_a);
	put_floats(wp_d3_sub(wp_d3_at(output->point_b), way), point.now.arm_b);
	return point;
}

void wp_keep_single(const wp_call *call, uint32_t row, const wp_input *input, const wp_output *output)
{
	const size_t at = wp_tracked_of_row(call, row);
	wp_tracked *const pair = &call->tracked.pairs[at];
	pair->known = (wp_cache){.count = 0};
	pair->separation = output->separation;
	pair->status = output->status;
	forget_plane(pair);
	if (!wp_is_near(call, output->status, output->separation)) {
		drop_points(call, row, pair);
		return;
	}
	wp_persistent_manifold *const manifold = &call->tracked.manifolds[at];
	wp_persist_point point = point_of_output(input, output);
	forget_old_points(pair, manifold);
	replace_points(call, manifold, &point, 1);
	memcpy(manifold->normal, output->normal, sizeof manifold->normal);
	set_count(call, row, pair, manifold->count);
}
