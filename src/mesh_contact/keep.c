/* What a frame leaves for the next one of a pair with a mesh: its answer, and the history of its points. */
#include "batch/keep.h"
#include "mesh_contact/internal.h"

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

/* The points of a row in both frames, and which of them are the same. Sets of points are bits by their numbers. */
typedef struct matching {
	const wp_mesh_tracked_patch *old;
	const wp_mesh_patch *found;
	const uint32_t *old_children; /* [POINTS]; NULL: all bodies are convex */
	const wp_mesh_memory *memory; /* has the children of found points */
	uint32_t old_left, left;      /* points of both frames that are not matched */
	uint32_t
		alike[WP_MESH_PATCH_MAX]; /* of each found patch, the old points that may be its own without a common key */
	uint32_t known[POINTS];       /* the old point that a matched point is */
} matching;

static const wp_mesh_point *old_point(const matching *m, uint32_t number)
{
	return &m->old[number / WP_MESH_POINT_MAX].found.points[number % WP_MESH_POINT_MAX];
}

static const wp_mesh_point *found_point(const matching *m, uint32_t number)
{
	return &m->found[number / WP_MESH_POINT_MAX].points[number % WP_MESH_POINT_MAX];
}

static uint32_t points_of_patch(uint32_t patch, uint32_t count)
{
	return ((1u << (count <= WP_MESH_POINT_MAX ? count : WP_MESH_POINT_MAX)) - 1) << WP_MESH_POINT_MAX * patch;
}

static uint32_t child_of(const matching *m, uint32_t number)
{
	return wp_mesh_child_of(m->memory, number / WP_MESH_POINT_MAX, number % WP_MESH_POINT_MAX);
}

/* Whether an old point and a found one are of the same features: of the triangle, and of the body or its child. */
static bool have_one_key(const matching *m, uint32_t old, uint32_t found)
{
	const wp_mesh_point *const a = old_point(m, old), *const b = found_point(m, found);
	return a->triangle == b->triangle && a->feature_a == b->feature_a && a->feature_b == b->feature_b &&
	       (m->old_children == NULL || m->old_children[old] == child_of(m, found));
}

static double moved_squared(const wp_mesh_point *from, const wp_mesh_point *to)
{
	return wp_persist_moved(from->local_a, to->local_a, from->local_b, to->local_b);
}

static matching matching_of(const wp_mesh_call *call, const wp_mesh_tracked_patch *old, uint32_t old_count,
	const uint32_t *old_children, const wp_mesh_patch *found, uint32_t count)
{
	matching m = {.old = old, .found = found, .old_children = old_children, .memory = &call->workspace->mesh};
	for (uint32_t o = 0; o < old_count; o++)
		m.old_left |= points_of_patch(o, old[o].found.point_count);
	for (uint32_t n = 0; n < count; n++)
		m.left |= points_of_patch(n, found[n].point_count);
	return m;
}

static void pair_up(matching *m, uint32_t old, uint32_t found)
{
	m->known[found] = old;
	m->old_left &= ~(1u << old);
	m->left &= ~(1u << found);
}

/* The old points that are left and have the key of a point. */
static uint32_t olds_with_key(const matching *m, uint32_t found)
{
	uint32_t same = 0;
	for (uint32_t set = m->old_left; set != 0; set &= set - 1)
		if (have_one_key(m, wp_lowest_bit(set), found))
			same |= set & (0 - set);
	return same;
}

static uint32_t olds_alike(const matching *m, uint32_t found)
{
	return m->alike[found / WP_MESH_POINT_MAX] & m->old_left;
}

/* Pair up points with old ones, the nearest first, up to `limit` apart. Of equals, the first ones. */
static void match_nearest(matching *m, uint32_t (*olds_for)(const matching *m, uint32_t found), double limit)
{
	for (;;) {
		double least = limit * limit;
		uint32_t best = POINTS, best_old = POINTS;
		for (uint32_t news = m->left; news != 0; news &= news - 1) {
			const uint32_t n = wp_lowest_bit(news);
			for (uint32_t olds = olds_for(m, n); olds != 0; olds &= olds - 1) {
				const double moved = moved_squared(old_point(m, wp_lowest_bit(olds)), found_point(m, n));
				if (best == POINTS ? moved <= least : moved < least) {
					least = moved;
					best = n;
					best_old = wp_lowest_bit(olds);
				}
			}
		}
		if (best == POINTS)
			return;
		pair_up(m, best_old, best);
	}
}

/* Pair up points by keys alone, as most are in most frames. False where keys do not decide, since one occurs twice. */
static bool match_keys(matching *m)
{
	const uint32_t all = m->old_left;
	uint32_t taken = 0, matched = 0;
	for (uint32_t news = m->left; news != 0; news &= news - 1) {
		const uint32_t n = wp_lowest_bit(news), same = olds_with_key(m, n);
		if ((same & (same - 1)) != 0 || (same & taken) != 0)
			return false;
		taken |= same;
		if (same == 0)
			continue;
		m->known[n] = wp_lowest_bit(same);
		matched |= 1u << n;
	}
	m->old_left = all & ~taken;
	m->left &= ~matched;
	return true;
}

/* Find the old points that a patch may have without a common key: not a wall's, of a floor. */
static void find_alike(matching *m)
{
	for (uint32_t n = 0; n < WP_MESH_PATCH_MAX; n++) {
		if ((m->left & points_of_patch(n, WP_MESH_POINT_MAX)) == 0)
			continue;
		const wp_d3 normal = wp_d3_of_floats(m->found[n].normal);
		for (uint32_t o = 0; o < WP_MESH_PATCH_MAX; o++) {
			const uint32_t points = m->old_left & points_of_patch(o, WP_MESH_POINT_MAX);
			if (points != 0 && wp_d3_dot(wp_d3_of_floats(m->old[o].found.normal), normal) > WP_KEEP_SAME_COSINE)
				m->alike[n] |= points;
		}
	}
}

static void match(matching *m, double merging)
{
	if (!match_keys(m))
		match_nearest(m, olds_with_key, (double)WP_INFINITY);
	if (m->left == 0 || m->old_left == 0)
		return;
	find_alike(m);
	match_nearest(m, olds_alike, merging);
}

/* ---- patches ------------------------------------------------------------------------------------ */

/* The history of a point, `is_old`: of one that goes on. */
static wp_mesh_tracked_point history_of(const matching *m, uint32_t found, bool is_old)
{
	if (!is_old)
		return (wp_mesh_tracked_point){.age = 0};
	const uint32_t old = m->known[found];
	wp_mesh_tracked_point point = m->old[old / WP_MESH_POINT_MAX].points[old % WP_MESH_POINT_MAX];
	point.age += point.age != UINT32_MAX;
	return point;
}

/* Patches in the place of the old ones. */
static void replace_patches(const wp_mesh_call *call, size_t at, const wp_mesh_patch *patches, uint32_t count)
{
	const wp_mesh_frame *const frame = call->frame;
	const uint32_t patch_max = frame->tracked.patch_max, before = frame->tracked.pairs[at].count;
	wp_mesh_tracked_patch *const to = &frame->tracked.patches[at * patch_max];
	const wp_mesh_tracked_anchor *const anchor = &frame->tracked.anchors[at];
	const wp_dq turn_a = wp_dq_of_rotation(anchor->rotation_a), turn_b = wp_dq_of_rotation(anchor->rotation_b);
	uint32_t *const children = frame->kept_children != NULL ? frame->kept_children + at * patch_max * WP_MESH_POINT_MAX
	                                                        : NULL;
	matching m = matching_of(call, to, before <= patch_max ? before : 0, children, patches, count);
	const uint32_t all = m.left;
	match(&m, (double)frame->merging);
	wp_mesh_tracked_point points[POINTS];
	for (uint32_t set = all; set != 0; set &= set - 1) {
		const uint32_t n = wp_lowest_bit(set);
		points[n] = history_of(&m, n, (m.left >> n & 1u) == 0);
		wp_keep_arm(turn_a, found_point(&m, n)->local_a, points[n].arm_a);
		wp_keep_arm(turn_b, found_point(&m, n)->local_b, points[n].arm_b);
	}
	/* All old ones were read: now they are written over. */
	for (uint32_t i = 0; i < count; i++) {
		to[i].found = patches[i];
		memset(to[i].points, 0, sizeof to[i].points);
		memcpy(to[i].points, &points[WP_MESH_POINT_MAX * i], patches[i].point_count * sizeof *points);
	}
	for (uint32_t n = 0; children != NULL && n < count * WP_MESH_POINT_MAX; n++)
		children[n] = (all >> n & 1u) != 0 ? child_of(&m, n) : 0;
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
	/* Its index may have been written over since the row was read. */
	if (at >= call->frame->tracked.count)
		return;
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
