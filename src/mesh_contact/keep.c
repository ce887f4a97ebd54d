/* What a frame leaves for the next one of a pair with a mesh: its answer, and the history of its points. */
#include "batch/keep.h"
#include "mesh_contact/internal.h"

/* Cosine of the angle between normals of patches up to which their points may be the same: 25 degrees. */
#define SAME_COSINE 0.9

/* Points of a row, by numbers: WP_MESH_POINT_MAX for each patch. */
#define POINTS (WP_MESH_PATCH_MAX * WP_MESH_POINT_MAX)
_Static_assert(POINTS <= 32, "points of a row are bits of a word");

size_t wp_mesh_tracked_of_row(const wp_mesh_call *call, uint32_t row)
{
	const wp_const_uint32_column *const index = &call->frame->tracked.index;
	const size_t at = call->call.first + row;
	return index->data != NULL ? wp_read_once(wp_offset(index->data, at * index->stride)) : at;
}

/* ---- points of two frames ----------------------------------------------------------------------- */

/* The points of a row in both frames, and which of them are the same. */
typedef struct matching {
	const wp_mesh_tracked_patch *old;
	const wp_mesh_patch *found;
	uint32_t old_count, count; /* patches */
	uint32_t taken;            /* a bit for each old point that is spoken for */
	uint32_t known[POINTS];    /* the old point that a point is, or POINTS */
} matching;

static const wp_mesh_point *old_point(const matching *m, uint32_t number)
{
	const wp_mesh_patch *const patch = &m->old[number / WP_MESH_POINT_MAX].found;
	return &patch->points[number % WP_MESH_POINT_MAX];
}

static const wp_mesh_point *found_point(const matching *m, uint32_t number)
{
	return &m->found[number / WP_MESH_POINT_MAX].points[number % WP_MESH_POINT_MAX];
}

static bool has_old(const matching *m, uint32_t number)
{
	return number % WP_MESH_POINT_MAX < m->old[number / WP_MESH_POINT_MAX].found.point_count;
}

static bool has_found(const matching *m, uint32_t number)
{
	return number % WP_MESH_POINT_MAX < m->found[number / WP_MESH_POINT_MAX].point_count;
}

static bool has_key_of(const wp_mesh_point *a, const wp_mesh_point *b)
{
	return a->triangle == b->triangle && a->feature_a == b->feature_a && a->feature_b == b->feature_b;
}

static double distance_squared(const float a[3], const float b[3])
{
	const wp_d3 way = wp_d3_sub(wp_d3_of_floats(a), wp_d3_of_floats(b));
	return wp_d3_dot(way, way);
}

/* How far a point is from where it was, in the body that it moved less in: a corner that slides stays in its own. */
static double moved_squared(const wp_mesh_point *from, const wp_mesh_point *to)
{
	const double on_a = distance_squared(from->local_a, to->local_a);
	const double on_b = distance_squared(from->local_b, to->local_b);
	return on_a < on_b ? on_a : on_b;
}

/* Whether points of two patches may be the same without a common key: not of a floor and a wall. */
static bool are_alike(const matching *m, uint32_t old, uint32_t found)
{
	const wp_d3 before = wp_d3_of_floats(m->old[old / WP_MESH_POINT_MAX].found.normal);
	return wp_d3_dot(before, wp_d3_of_floats(m->found[found / WP_MESH_POINT_MAX].normal)) > SAME_COSINE;
}

/* The pair of an old and a new point that are left and may be the same, and have moved least. */
typedef struct nearest {
	double moved2;
	uint32_t old, found; /* POINTS: there is none */
} nearest;

static nearest nearest_of(const matching *m, bool by_key, double limit2)
{
	nearest best = {limit2, POINTS, POINTS};
	for (uint32_t n = 0; n < WP_MESH_POINT_MAX * m->count; n++) {
		if (!has_found(m, n) || m->known[n] != POINTS)
			continue;
		for (uint32_t o = 0; o < WP_MESH_POINT_MAX * m->old_count; o++) {
			if (!has_old(m, o) || (m->taken >> o & 1u) != 0)
				continue;
			if (by_key ? !has_key_of(old_point(m, o), found_point(m, n)) : !are_alike(m, o, n))
				continue;
			const double moved2 = moved_squared(old_point(m, o), found_point(m, n));
			if (best.old == POINTS ? moved2 <= best.moved2 : moved2 < best.moved2)
				best = (nearest){moved2, o, n};
		}
	}
	return best;
}

/* Pair up new points with old ones, the nearest first. */
static void match(matching *m, bool by_key, double limit)
{
	for (;;) {
		const nearest best = nearest_of(m, by_key, limit * limit);
		if (best.old == POINTS)
			return;
		m->known[best.found] = best.old;
		m->taken |= 1u << best.old;
	}
}

/* Whether all points are the old ones, in their order, by keys of which no two are the same: so most are in most frames. */
static bool match_in_order(matching *m)
{
	if (m->old_count != m->count)
		return false;
	for (uint32_t n = 0; n < WP_MESH_POINT_MAX * m->count; n++) {
		if (has_found(m, n) != has_old(m, n))
			return false;
		if (!has_found(m, n))
			continue;
		if (!has_key_of(old_point(m, n), found_point(m, n)))
			return false;
		for (uint32_t i = 0; i < n; i++)
			if (has_found(m, i) && has_key_of(found_point(m, i), found_point(m, n)))
				return false;
	}
	for (uint32_t n = 0; n < POINTS; n++)
		m->known[n] = n;
	return true;
}

/* ---- patches ------------------------------------------------------------------------------------ */

static void turn_arm(const float rotation[4], const float local[3], float arm[3])
{
	const wp_d3 turned = wp_dq_turn(wp_dq_of_rotation(rotation), wp_d3_of_floats(local));
	arm[0] = (float)turned.x;
	arm[1] = (float)turned.y;
	arm[2] = (float)turned.z;
}

/* The history of each point of a row, before the old ones are written over. */
static void gather_history(const matching *m, wp_mesh_tracked_point points[POINTS])
{
	memset(points, 0, WP_MESH_POINT_MAX * m->count * sizeof *points);
	for (uint32_t n = 0; n < WP_MESH_POINT_MAX * m->count; n++) {
		const uint32_t o = m->known[n];
		if (!has_found(m, n) || o == POINTS)
			continue;
		points[n] = m->old[o / WP_MESH_POINT_MAX].points[o % WP_MESH_POINT_MAX];
		points[n].age += points[n].age != UINT32_MAX;
	}
}

/* Patches in the place of the old ones. */
static void replace_patches(const wp_mesh_call *call, size_t at, const wp_mesh_patch *patches, uint32_t count)
{
	const wp_mesh_frame *const frame = call->frame;
	const uint32_t patch_max = frame->tracked.patch_max, before = frame->tracked.pairs[at].count;
	const wp_mesh_tracked_anchor *const anchor = &frame->tracked.anchors[at];
	wp_mesh_tracked_patch *const to = &frame->tracked.patches[at * patch_max];
	matching m = {.old = to, .found = patches, .old_count = before <= patch_max ? before : 0, .count = count};
	for (uint32_t n = 0; n < POINTS; n++)
		m.known[n] = POINTS;
	if (!match_in_order(&m)) {
		match(&m, true, (double)WP_INFINITY);
		match(&m, false, (double)frame->merging);
	}
	wp_mesh_tracked_point points[POINTS];
	gather_history(&m, points);
	for (uint32_t i = 0; i < count; i++) {
		to[i].found = patches[i];
		memcpy(to[i].points, &points[WP_MESH_POINT_MAX * i], sizeof to[i].points);
		for (uint32_t k = 0; k < patches[i].point_count; k++) {
			turn_arm(anchor->rotation_a, patches[i].points[k].local_a, to[i].points[k].arm_a);
			turn_arm(anchor->rotation_b, patches[i].points[k].local_b, to[i].points[k].arm_b);
		}
	}
}

/* ---- rows --------------------------------------------------------------------------------------- */

static void keep_state(
	const wp_mesh_call *call, uint32_t row, size_t at, float separation, uint32_t status, uint32_t count)
{
	wp_tracked *const pair = &call->frame->tracked.pairs[at];
	pair->separation = separation;
	pair->status = status;
	wp_keep_count(pair, count, call->call.first + row, call->frame->changes);
}

void wp_mesh_keep_row(
	const wp_mesh_call *call, uint32_t row, const wp_mesh_summary *summary, const wp_mesh_patch *patches)
{
	const size_t at = wp_mesh_tracked_of_row(call, row);
	if (summary->patch_count != 0)
		replace_patches(call, at, patches, summary->patch_count);
	call->frame->tracked.anchors[at].triangle_count = summary->triangle_count;
	call->frame->tracked.pairs[at].lever += WP_MESH_KEPT_ANSWER;
	keep_state(call, row, at, summary->separation, summary->status, summary->patch_count);
}

void wp_mesh_keep_invalid(const wp_mesh_call *call, uint32_t row, uint32_t status)
{
	const size_t at = wp_mesh_tracked_of_row(call, row);
	if (at >= call->frame->tracked.count)
		return;
	call->frame->tracked.pairs[at].lever = 0.0f;
	keep_state(call, row, at, WP_NAN, status, 0);
}
