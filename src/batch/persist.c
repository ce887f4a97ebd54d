/* Contact points kept from frame to frame. In double throughout, where neither squares of coordinates nor far
 * positions lose anything; the manifold is written only after all input was found sound. */
#include "batch/persist.h"
#include "core/base.h"
#include "core/contract.h"
#include "core/double3.h"
#include "core/environment.h"
#include "core/length.h"

/* Bullet's gContactBreakingThreshold, a share of the smaller shape's size. */
#define THRESHOLD_SHARE 0.02f

/* What the square of the largest distance of four points adds to their area. */
#define EXTENT_SHARE 1e-2

#define CANDIDATE_MAX WP_MANIFOLD_POINT_MAX

_Static_assert(WP_PERSISTENT_POINT_MAX < CANDIDATE_MAX, "room for one point more");

/* Where the bodies are: everything of unit length is normalised. */
typedef struct placement {
	double rotation_a[4], rotation_b[4];
	double offset[3]; /* from A's position to B's */
	double normal[3];
} placement;

/* `local` turned by a unit quaternion. */
static void turn(const double q[4], const float local[3], double out[3])
{
	const wp_dq unit = {wp_d3_at(q), q[3], 2.0};
	wp_d3_put(wp_dq_turn(unit, wp_d3_of((double)local[0], (double)local[1], (double)local[2])), out);
}

/* `count` numbers, made a vector of length 1; false where they are not nearly that already. */
static bool read_unit(const float *numbers, int count, double *unit)
{
	double square = 0.0;
	for (int i = 0; i < count; i++) {
		if (!wp_is_coordinate(numbers[i]))
			return false;
		square += (double)numbers[i] * (double)numbers[i];
	}
	const double length = wp_sqrt(square);
	if (!(length >= 1.0 - WP_CONTRACT_ROTATION && length <= 1.0 + WP_CONTRACT_ROTATION))
		return false;
	for (int i = 0; i < count; i++)
		unit[i] = (double)numbers[i] / length;
	return true;
}

void wp_persist_take(const wp_persistent_manifold *manifold, uint32_t at, wp_persist_point *point)
{
	point->now = manifold->points[at];
	point->place = manifold->places[at];
	memcpy(point->impulse, manifold->impulses[at], sizeof point->impulse);
}

void wp_persist_put(wp_persistent_manifold *manifold, uint32_t at, const wp_persist_point *point)
{
	manifold->points[at] = point->now;
	manifold->places[at] = point->place;
	memcpy(manifold->impulses[at], point->impulse, sizeof point->impulse);
}

/* The pointers that the calls share. */
static wp_error find_null(const wp_persistent_manifold *manifold, const wp_pose *pose_a, const wp_pose *pose_b,
	const wp_persistent_thresholds *thresholds)
{
	return manifold == NULL   ? WP_ERROR_NULL_MANIFOLD
	     : pose_a == NULL     ? WP_ERROR_NULL_POSE_A
	     : pose_b == NULL     ? WP_ERROR_NULL_POSE_B
	     : thresholds == NULL ? WP_ERROR_NULL_THRESHOLDS
	                          : WP_OK;
}

/* All arguments that the calls share, judged. */
static wp_error read_call(const wp_persistent_manifold *manifold, const wp_pose *pose_a, const wp_pose *pose_b,
	const float normal[3], const wp_persistent_thresholds *thresholds, placement *place)
{
	if (manifold->count > WP_PERSISTENT_POINT_MAX)
		return WP_ERROR_PERSISTENT_MANIFOLD;
	if (!wp_are_coordinates(pose_a->position) || !wp_are_coordinates(pose_b->position) ||
		!read_unit(pose_a->rotation, 4, place->rotation_a) || !read_unit(pose_b->rotation, 4, place->rotation_b))
		return WP_ERROR_POSE;
	for (int i = 0; i < 3; i++)
		place->offset[i] = (double)pose_b->position[i] - (double)pose_a->position[i];
	if (!read_unit(normal, 3, place->normal))
		return WP_ERROR_NORMAL;
	const bool is_sound = wp_is_length(thresholds->breaking) && wp_is_length(thresholds->sideways) &&
	                      wp_is_length(thresholds->merging);
	return is_sound ? WP_OK : WP_ERROR_THRESHOLD;
}

static void set_normal(wp_persistent_manifold *manifold, const placement *place)
{
	for (int i = 0; i < 3; i++)
		manifold->normal[i] = (float)place->normal[i];
}

/* Arms of a point from its local points, and the way from its end on A to that on B. Out of line, so that all who read
 * the arms find them rounded: GCC 12 is known to drop a conversion to float and back. */
WP_NOINLINE void find_arms(const placement *place, wp_persist_point *point, double way[3])
{
	double a[3], b[3];
	turn(place->rotation_a, point->place.local_a, a);
	turn(place->rotation_b, point->place.local_b, b);
	for (int i = 0; i < 3; i++) {
		point->now.arm_a[i] = (float)a[i];
		point->now.arm_b[i] = (float)b[i];
		way[i] = place->offset[i] + b[i] - a[i];
	}
}

static bool read_point(const placement *place, const wp_manifold_point *from, wp_persist_point *point)
{
	if (!wp_are_coordinates(from->local_a) || !wp_are_coordinates(from->local_b) || !wp_is_coordinate(from->separation))
		return false;
	double way[3];
	point->now.separation = from->separation;
	point->now.age = 0;
	point->place.feature_a = from->feature_a;
	point->place.feature_b = from->feature_b;
	memset(point->impulse, 0, sizeof point->impulse);
	memcpy(point->place.local_a, from->local_a, sizeof point->place.local_a);
	memcpy(point->place.local_b, from->local_b, sizeof point->place.local_b);
	find_arms(place, point, way);
	return true;
}

WP_NOINLINE float threshold_of(float size) { return THRESHOLD_SHARE * size; }

wp_persistent_thresholds wp_persistent_thresholds_of(float size)
{
	const wp_environment before = wp_environment_enter();
	const float length = threshold_of(size);
	wp_environment_leave(before);
	return (wp_persistent_thresholds){.breaking = length, .sideways = length, .merging = length};
}

WP_NOINLINE void subtract(const double a[3], const double b[3], float out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = (float)(a[i] - b[i]);
}

wp_error wp_persistent_poses(const double position_a[3], const float rotation_a[4], const double position_b[3],
	const float rotation_b[4], wp_pose *pose_a, wp_pose *pose_b)
{
	const wp_error error = position_a == NULL ? WP_ERROR_NULL_POSITION_A
	                     : rotation_a == NULL ? WP_ERROR_NULL_ROTATION_A
	                     : position_b == NULL ? WP_ERROR_NULL_POSITION_B
	                     : rotation_b == NULL ? WP_ERROR_NULL_ROTATION_B
	                     : pose_a == NULL     ? WP_ERROR_NULL_POSE_A
	                     : pose_b == NULL     ? WP_ERROR_NULL_POSE_B
	                                          : WP_OK;
	if (error != WP_OK)
		return error;
	const wp_environment before = wp_environment_enter();
	subtract(position_b, position_a, pose_b->position);
	memset(pose_a->position, 0, sizeof pose_a->position);
	/* The rotations may be in place already. */
	memmove(pose_a->rotation, rotation_a, sizeof pose_a->rotation);
	memmove(pose_b->rotation, rotation_b, sizeof pose_b->rotation);
	wp_environment_leave(before);
	return WP_OK;
}

/* ---- refresh ------------------------------------------------------------------------------------ */

/* Whether a point still holds at these poses. Comparisons with NaN, which a point spoilt by its owner gives, are
 * false. */
static bool refresh_point(const placement *place, const wp_persistent_thresholds *thresholds, wp_persist_point *point)
{
	double way[3], sideways = 0.0;
	find_arms(place, point, way);
	const double separation = wp_dot3(way, place->normal);
	for (int i = 0; i < 3; i++) {
		const double slide = way[i] - separation * place->normal[i];
		sideways += slide * slide;
	}
	point->now.separation = (float)separation;
	wp_persist_age(&point->now);
	return separation <= (double)thresholds->breaking &&
	       sideways <= (double)thresholds->sideways * (double)thresholds->sideways;
}

WP_NOINLINE wp_error refresh(wp_persistent_manifold *manifold, const wp_pose *pose_a, const wp_pose *pose_b,
	const float normal[3], const wp_persistent_thresholds *thresholds)
{
	static const float any[3] = {0.0f, 1.0f, 0.0f};
	const bool is_needless = normal == NULL && manifold->count == 0;
	placement place;
	const float *const used = is_needless ? any : normal != NULL ? normal : manifold->normal;
	const wp_error error = read_call(manifold, pose_a, pose_b, used, thresholds, &place);
	if (error != WP_OK || is_needless)
		return error;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < manifold->count; i++) {
		wp_persist_point point;
		wp_persist_take(manifold, i, &point);
		if (refresh_point(&place, thresholds, &point))
			wp_persist_put(manifold, kept++, &point);
	}
	manifold->count = kept;
	if (normal != NULL)
		set_normal(manifold, &place);
	return WP_OK;
}

wp_error wp_persistent_refresh(wp_persistent_manifold *manifold, const wp_pose *pose_a, const wp_pose *pose_b,
	const float normal[3], const wp_persistent_thresholds *thresholds)
{
	wp_error error = find_null(manifold, pose_a, pose_b, thresholds);
	if (error != WP_OK)
		return error;
	const wp_environment before = wp_environment_enter();
	error = refresh(manifold, pose_a, pose_b, normal, thresholds);
	wp_environment_leave(before);
	return error;
}

/* ---- reduction ---------------------------------------------------------------------------------- */

/* Twice the signed area, across the normal, that the ways from p to q and from r to s span. */
static double spanned(const placement *place, const float p[3], const float q[3], const float r[3], const float s[3])
{
	double first[3], second[3], area[3];
	for (int i = 0; i < 3; i++) {
		first[i] = (double)q[i] - (double)p[i];
		second[i] = (double)s[i] - (double)r[i];
	}
	wp_cross3(first, second, area);
	const double along = wp_dot3(area, place->normal);
	return along < 0.0 ? -along : along;
}

static double larger(double a, double b) { return a > b ? a : b; }

/* What four points hold: the area of their hull, and a little for their extent. A convex quadrilateral has half the
 * product of its diagonals; where one point lies among the others, their triangle has more than any such product. */
static double worth(const placement *place, const float *const p[4])
{
	double area = spanned(place, p[1], p[2], p[1], p[3]), extent = 0.0;
	for (int i = 1; i < 4; i++) {
		const int j = i % 3 + 1, k = j % 3 + 1;
		area = larger(area, larger(spanned(place, p[0], p[i], p[j], p[k]), spanned(place, p[0], p[i], p[0], p[j])));
		extent = larger(extent, larger(wp_distance_squared(p[0], p[i]), wp_distance_squared(p[j], p[k])));
	}
	return 0.5 * area + EXTENT_SHARE * extent;
}

static uint32_t members_of(uint32_t set)
{
	uint32_t count = 0;
	for (; set != 0; set &= set - 1)
		count++;
	return count;
}

static uint32_t deepest_of(const wp_persist_point *points, uint32_t count)
{
	uint32_t deepest = 0;
	for (uint32_t i = 1; i < count; i++)
		deepest = points[i].now.separation < points[deepest].now.separation ? i : deepest;
	return deepest;
}

/* Keep the deepest of 5 to CANDIDATE_MAX points and the three that are worth most with it, all in their order. */
static void reduce(const placement *place, wp_persist_point *points, uint32_t count)
{
	const uint32_t deepest = deepest_of(points, count);
	double most = -1.0;
	uint32_t best = 0;
	for (uint32_t set = 1; set < 1u << count; set++) {
		if (members_of(set) != WP_PERSISTENT_POINT_MAX || (set >> deepest & 1u) == 0)
			continue;
		const float *p[WP_PERSISTENT_POINT_MAX];
		for (uint32_t i = 0, n = 0; i < count; i++)
			if (set >> i & 1u)
				p[n++] = points[i].now.arm_a;
		const double value = worth(place, p);
		best = value > most ? set : best;
		most = value > most ? value : most;
	}
	for (uint32_t i = 0, n = 0; i < count; i++)
		if (best >> i & 1u)
			points[n++] = points[i];
}

/* ---- new points --------------------------------------------------------------------------------- */

static bool has_features_of(const wp_persistent_place *a, const wp_persistent_place *b)
{
	return a->feature_a == b->feature_a && a->feature_b == b->feature_b;
}

static void keep_history(const wp_persistent_manifold *manifold, uint32_t old, wp_persist_point *point)
{
	memcpy(point->impulse, manifold->impulses[old], sizeof point->impulse);
	point->now.age = manifold->points[old].age;
}

/* Pairs up new points with old ones, nearest first: points of the same features, or of any features within a distance.
 * Bits of `taken` are old points that are spoken for, `known[i]` is the old point that new point i is. */
static void match(const wp_persistent_manifold *old, const wp_persist_point *points, uint32_t count, bool by_features,
	double limit, uint32_t *taken, uint32_t *known)
{
	for (;;) {
		double least = limit * limit;
		uint32_t best = WP_PERSISTENT_POINT_MAX, best_old = WP_PERSISTENT_POINT_MAX;
		for (uint32_t n = 0; n < count; n++) {
			for (uint32_t o = 0; o < old->count && known[n] == WP_PERSISTENT_POINT_MAX; o++) {
				if ((*taken >> o & 1u) || (by_features && !has_features_of(&old->places[o], &points[n].place)))
					continue;
				const double moved = wp_persist_moved_squared(&old->places[o], &points[n].place);
				if (best == WP_PERSISTENT_POINT_MAX ? moved <= least : moved < least) {
					least = moved;
					best = n;
					best_old = o;
				}
			}
		}
		if (best == WP_PERSISTENT_POINT_MAX)
			return;
		known[best] = best_old;
		*taken |= 1u << best_old;
	}
}

/* Old points that go on, in their order, then the new ones. */
static void replace(wp_persistent_manifold *manifold, wp_persist_point *points, uint32_t count, const uint32_t *known)
{
	wp_persist_point kept[WP_PERSISTENT_POINT_MAX];
	uint32_t n = 0;
	for (uint32_t o = 0; o <= WP_PERSISTENT_POINT_MAX; o++) {
		for (uint32_t i = 0; i < count; i++) {
			if (known[i] != o)
				continue;
			if (o < WP_PERSISTENT_POINT_MAX) {
				keep_history(manifold, o, &points[i]);
				wp_persist_age(&points[i].now);
			}
			kept[n++] = points[i];
		}
	}
	for (uint32_t i = 0; i < n; i++)
		wp_persist_put(manifold, i, &kept[i]);
	manifold->count = n;
}

void wp_persist_replace(wp_persistent_manifold *manifold, wp_persist_point *points, uint32_t count, float merging)
{
	uint32_t taken = 0, known[WP_PERSISTENT_POINT_MAX];
	for (uint32_t i = 0; i < WP_PERSISTENT_POINT_MAX; i++)
		known[i] = WP_PERSISTENT_POINT_MAX;
	match(manifold, points, count, true, (double)WP_INFINITY, &taken, known);
	match(manifold, points, count, false, (double)merging, &taken, known);
	replace(manifold, points, count, known);
}

WP_NOINLINE wp_error update(wp_persistent_manifold *manifold, const wp_pose *pose_a, const wp_pose *pose_b,
	const float normal[3], const wp_manifold_point *points, uint32_t count, const wp_persistent_thresholds *thresholds)
{
	placement place;
	wp_persist_point fresh[CANDIDATE_MAX];
	const wp_error error = read_call(manifold, pose_a, pose_b, normal, thresholds, &place);
	if (error != WP_OK)
		return error;
	if (count > CANDIDATE_MAX)
		return WP_ERROR_CONTACT_POINT;
	for (uint32_t i = 0; i < count; i++)
		if (!read_point(&place, &points[i], &fresh[i]))
			return WP_ERROR_CONTACT_POINT;
	if (count > WP_PERSISTENT_POINT_MAX) {
		reduce(&place, fresh, count);
		count = WP_PERSISTENT_POINT_MAX;
	}
	wp_persist_replace(manifold, fresh, count, thresholds->merging);
	set_normal(manifold, &place);
	return WP_OK;
}

wp_error wp_persistent_update(wp_persistent_manifold *manifold, const wp_pose *pose_a, const wp_pose *pose_b,
	const float normal[3], const wp_manifold_point *points, uint32_t count, const wp_persistent_thresholds *thresholds)
{
	wp_error error = find_null(manifold, pose_a, pose_b, thresholds);
	if (error != WP_OK)
		return error;
	if (normal == NULL)
		return WP_ERROR_NULL_NORMAL;
	if (points == NULL && count != 0)
		return WP_ERROR_NULL_POINTS;
	if (count == 0) {
		manifold->count = 0;
		return WP_OK;
	}
	const wp_environment before = wp_environment_enter();
	error = update(manifold, pose_a, pose_b, normal, points, count, thresholds);
	wp_environment_leave(before);
	return error;
}

WP_NOINLINE wp_error add(wp_persistent_manifold *manifold, const wp_pose *pose_a, const wp_pose *pose_b,
	const float normal[3], const wp_manifold_point *point, const wp_persistent_thresholds *thresholds)
{
	placement place;
	wp_persist_point points[WP_PERSISTENT_POINT_MAX + 1], fresh;
	const wp_error error = read_call(manifold, pose_a, pose_b, normal, thresholds, &place);
	if (error != WP_OK)
		return error;
	if (!read_point(&place, point, &fresh))
		return WP_ERROR_CONTACT_POINT;
	if (!(fresh.now.separation <= thresholds->breaking))
		return WP_OK;
	set_normal(manifold, &place);
	uint32_t taken = 0, known = WP_PERSISTENT_POINT_MAX;
	match(manifold, &fresh, 1, false, (double)thresholds->merging, &taken, &known);
	if (known < manifold->count) {
		keep_history(manifold, known, &fresh);
		wp_persist_put(manifold, known, &fresh);
		return WP_OK;
	}
	if (manifold->count < WP_PERSISTENT_POINT_MAX) {
		wp_persist_put(manifold, manifold->count++, &fresh);
		return WP_OK;
	}
	for (uint32_t i = 0; i < WP_PERSISTENT_POINT_MAX; i++)
		wp_persist_take(manifold, i, &points[i]);
	points[WP_PERSISTENT_POINT_MAX] = fresh;
	reduce(&place, points, WP_PERSISTENT_POINT_MAX + 1);
	for (uint32_t i = 0; i < WP_PERSISTENT_POINT_MAX; i++)
		wp_persist_put(manifold, i, &points[i]);
	return WP_OK;
}

wp_error wp_persistent_add(wp_persistent_manifold *manifold, const wp_pose *pose_a, const wp_pose *pose_b,
	const float normal[3], const wp_manifold_point *point, const wp_persistent_thresholds *thresholds)
{
	wp_error error = find_null(manifold, pose_a, pose_b, thresholds);
	if (error == WP_OK)
		error = normal == NULL ? WP_ERROR_NULL_NORMAL : point == NULL ? WP_ERROR_NULL_POINT : WP_OK;
	if (error != WP_OK)
		return error;
	const wp_environment before = wp_environment_enter();
	error = add(manifold, pose_a, pose_b, normal, point, thresholds);
	wp_environment_leave(before);
	return error;
}
