/* Feature ids under motion: random pairs near each other, whose second body moves along a line by a millionth of their
 * size a frame, or stays where it is up to the last digit of its pose. A point's ids may change where its features do, and
 * not otherwise: the ids of all frames of a pair are the same, unless the contact has another normal, or a point is as far
 * from a vertex or an edge as decides whether it is on it.
 *
 *   feature_motion [--pairs N] [--first I] [--seed S] [--half-spaces] [--points N]
 *
 * N may end in k or M. The judge measures in double, from the points and the shapes alone. */
#include "core/contract.h"
#include "progress.h"
#include "support/block.h"
#include "support/gen.h"
#include "support/number.h"
#include "support/sequence.h"
#include "support/shape_core.h"
#include "support/vector.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FRAMES 12
#define CHUNK 1024
#define MAX_SEPARATION 0.02f
#define FAILURES_PRINTED_MAX 20

/* A frame's motion, in units of L. */
#define STEP 1e-6

/* A point may be on a feature or not at distances from it between these, in units of L: manifolds decide by
 * WP_CONTRACT_FEATURE of it, or a tenth of it on faces that lean. Of two points within the last, which is dropped is
 * decided by the same distances. Normals and witness points of cylinders, cones and ellipsoids are known to
 * WP_CONTRACT_SMOOTH_POINT, and with them where lines along their sides are. */
#define SURELY_ON 3e-7
#define SURELY_OFF 5e-5
#define SMOOTH_SURELY_OFF 1e-3

/* Sine of the angle between edges that are nearly parallel: where they cross is known to the tolerance over it. */
#define PARALLEL 0.1

/* The witness points join a patch that is less deep by this, in units of L + |separation|. */
#define WITNESS_DEEPER 2e-5

/* Points that add less than this times the span to the area, in units of L, are left out. */
#define APART 2e-5

/* Points are the same, whatever their ids, that are no further from each other in their body. */
#define SAME_PLACE 2e-5

typedef struct settings {
	sequence seq;
	uint32_t points;
	bool half_spaces;
} settings;

typedef struct answer {
	wp_row row;
	uint32_t count;
	wp_manifold_point points[WP_MANIFOLD_POINT_MAX];
} answer;

/* How one pair moves. */
typedef enum motion { MOTION_LINE, MOTION_NOISE, MOTION_COUNT } motion;

typedef struct tally {
	uint64_t pairs, points, chosen, changed, broken;
} tally;

typedef struct judge {
	settings set;
	tally tallies[MOTION_COUNT][WP_SHAPE_KIND_COUNT][WP_SHAPE_KIND_COUNT]; /* [lower][higher] */
	uint64_t broken;
	wp_pose poses[2 * FRAMES * CHUNK];
	uint32_t shape[2 * FRAMES * CHUNK], pair[FRAMES * CHUNK][2];
	answer answers[FRAMES * CHUNK];
} judge;

/* ---- motion ------------------------------------------------------------------------------------- */

static double size_of(const wp_shape_table *table, size_t pair)
{
	const double a = (double)wp_shape_table_bound(table, 2 * pair),
				 b = (double)wp_shape_table_bound(table, 2 * pair + 1);
	return isinf(a) ? b : isinf(b) ? a : fmax(a, b);
}

/* A float so many steps of its own spacing on. */
static float stepped(float value, int32_t steps)
{
	int32_t bits;
	memcpy(&bits, &value, sizeof bits);
	if ((bits & 0x7fffffff) < 0x01000000)
		return value;
	bits += steps;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static void move(gen_random *random, motion how, double size, uint32_t frame, const wp_pose *from, v3 way, wp_pose *to)
{
	*to = *from;
	if (frame == 0)
		return;
	if (how == MOTION_LINE) {
		const double along = STEP * size * frame;
		to->position[0] = (float)((double)from->position[0] + along * way.x);
		to->position[1] = (float)((double)from->position[1] + along * way.y);
		to->position[2] = (float)((double)from->position[2] + along * way.z);
		return;
	}
	for (int i = 0; i < 3; i++)
		to->position[i] = stepped(from->position[i], (int32_t)gen_below(random, 3) - 1);
	for (int i = 0; i < 4; i++)
		to->rotation[i] = stepped(from->rotation[i], (int32_t)gen_below(random, 3) - 1);
}

/* ---- judging ------------------------------------------------------------------------------------ */

#define VERTEX_MAX 64

/* The vertices of a shape's core that ids number, and which two of them have an edge between them: of a hull any. */
static uint32_t vertices_of(const wp_shape *s, v3 at[VERTEX_MAX])
{
	uint32_t count = 0;
	switch ((wp_shape_kind)s->kind) {
	case WP_SHAPE_CAPSULE:
		at[count++] = v3_of(0, -(double)s->half_height, 0);
		at[count++] = v3_of(0, (double)s->half_height, 0);
		return count;
	case WP_SHAPE_BOX:
		for (; count < 8; count++)
			at[count] = v3_of((double)s->half_extents[0] * (count & 1 ? 1 : -1),
				(double)s->half_extents[1] * (count & 2 ? 1 : -1), (double)s->half_extents[2] * (count & 4 ? 1 : -1));
		return count;
	case WP_SHAPE_SEGMENT:
	case WP_SHAPE_TRIANGLE:
		for (; count < (s->kind == WP_SHAPE_SEGMENT ? 2u : 3u); count++)
			at[count] = v3_of_floats(s->points[count]);
		return count;
	case WP_SHAPE_HULL:
		for (; count < wp_hull_vertex_count(s->hull) && count < VERTEX_MAX; count++) {
			float v[3];
			wp_hull_vertex(s->hull, count, v);
			at[count] = v3_of_floats(v);
		}
		return count;
	case WP_SHAPE_POINT:
	case WP_SHAPE_SPHERE:
	case WP_SHAPE_CYLINDER:
	case WP_SHAPE_CONE:
	case WP_SHAPE_ELLIPSOID:
	case WP_SHAPE_CUSTOM:
	case WP_SHAPE_HALF_SPACE:
	case WP_SHAPE_KIND_COUNT:
		break;
	}
	return 0;
}

static double distance_to_segment(v3 p, v3 from, v3 to)
{
	const v3 e = v3_sub(to, from), d = v3_sub(p, from);
	const double length2 = v3_dot(e, e), share = length2 > 0 ? fmin(fmax(v3_dot(d, e) / length2, 0), 1) : 0;
	return v3_length(v3_sub(d, v3_scale(e, share)));
}

/* Where a distance decides nothing for sure. */
typedef struct band {
	double on, off;
} band;

static bool is_turned(const wp_shape *s) { return s->kind == WP_SHAPE_CYLINDER || s->kind == WP_SHAPE_CONE; }

static band band_of(const wp_shape shape[2], double size)
{
	const double off = shape_core_is_smooth(&shape[0]) || shape_core_is_smooth(&shape[1]) ? SMOOTH_SURELY_OFF
	                                                                                      : SURELY_OFF;
	return (band){SURELY_ON * size, off * size};
}

static bool is_between(double distance, band b) { return distance > b.on && distance < b.off; }

/* Whether a point of a shape is so far from a vertex, an edge, or the rim of a cap that it may count as on it or not. */
static bool is_doubtful(const wp_shape *s, const wp_pose *pose, const float local[3], v3 outward, band b)
{
	v3 at[VERTEX_MAX];
	const v3 turned = m3_apply_inverse(m3_of_quaternion(pose->rotation), outward);
	const v3 p = v3_sub(v3_of_floats(local), v3_scale(turned, (double)s->radius));
	const uint32_t count = vertices_of(s, at);
	for (uint32_t i = 0; i < count; i++) {
		if (is_between(v3_length(v3_sub(p, at[i])), b))
			return true;
		for (uint32_t k = 0; k < i; k++)
			if (is_between(distance_to_segment(p, at[k], at[i]), b))
				return true;
	}
	if (!is_turned(s))
		return false;
	/* Vertices of the cap's polygon, or of the line along the side. */
	const double share = sqrt(p.x * p.x + p.z * p.z), end = fabs(fabs(p.y) - (double)s->half_height);
	for (int k = 0; k < 8; k++) {
		const double c[9] = {
			1, 0.70710678118654752, 0, -0.70710678118654752, -1, -0.70710678118654752, 0, 0.70710678118654752, 1};
		const double r = (double)s->base_radius, x = r * c[k], z = r * c[(k + 6) % 8];
		const double to_x = r * c[k + 1], to_z = r * c[(k + 7) % 8];
		const v3 q = v3_of(p.x, 0, p.z);
		if (is_between(distance_to_segment(q, v3_of(x, 0, z), v3_of(to_x, 0, to_z)), b) ||
			is_between(v3_length(v3_sub(q, v3_of(x, 0, z))), b))
			return true;
	}
	return is_between(end, b) || is_between(share, b) || is_between(fabs(share - (double)s->base_radius), b);
}

/* The direction of the edge, or of the line along a side, that an id names, world axes; zero where it names none. */
static v3 edge_of(const wp_shape *s, const wp_pose *pose, uint32_t id, const float local[3])
{
	v3 at[VERTEX_MAX], way = v3_of(0, 0, 0);
	const uint32_t count = vertices_of(s, at), i = id & 0xffff, k = id >> 16;
	if (id == WP_FEATURE_FACE)
		return way;
	if (i < count && k < count)
		way = v3_sub(at[k], at[i]);
	if (is_turned(s) && k >= 2 * WP_CAP_VERTEX_COUNT) {
		const v3 out = v3_unit(v3_of((double)local[0], 0, (double)local[2]));
		const double inwards = s->kind == WP_SHAPE_CONE ? (double)s->base_radius : 0;
		way = v3_of(-inwards * out.x, 2 * (double)s->half_height, -inwards * out.z);
	}
	return m3_apply(m3_of_quaternion(pose->rotation), v3_unit(way));
}

/* A direction as it is seen along the normal. */
static v3 seen(v3 way, v3 normal) { return v3_unit(v3_sub(way, v3_scale(normal, v3_dot(way, normal)))); }

/* Whether a point is where two edges cross that are nearly parallel, seen along the normal: a little motion takes it far
 * along them. */
static bool is_slipping(const wp_manifold_point *p, const wp_shape shape[2], const wp_pose pose[2], v3 normal)
{
	const v3 a = seen(edge_of(&shape[0], &pose[0], p->feature_a, p->local_a), normal);
	const v3 b = seen(edge_of(&shape[1], &pose[1], p->feature_b, p->local_b), normal);
	return v3_dot(a, a) > 0 && v3_dot(b, b) > 0 && v3_length(v3_cross(a, b)) < PARALLEL;
}

/* Whether the witness points are as much deeper than the patch as makes them a point of it, or not. */
static bool is_witness_doubtful(const answer *r, double size)
{
	double least = INFINITY;
	for (uint32_t k = 0; k < r->count; k++)
		if (r->points[k].feature_a != WP_FEATURE_FACE || r->points[k].feature_b != WP_FEATURE_FACE)
			least = fmin(least, (double)r->points[k].separation);
	const double deeper = (least - (double)r->row.separation) / (size + fabs((double)r->row.separation));
	return deeper > WITNESS_DEEPER / 2 && deeper < WITNESS_DEEPER * 2;
}

/* Cosine between the normal and the face of a shape that may lean much. */
static double lean_of(const wp_shape *s, const wp_pose *pose, v3 normal)
{
	const v3 t = m3_apply_inverse(m3_of_quaternion(pose->rotation), normal);
	if (s->kind == WP_SHAPE_TRIANGLE) {
		const v3 a = v3_of_floats(s->points[0]);
		const v3 across = v3_cross(v3_sub(v3_of_floats(s->points[1]), a), v3_sub(v3_of_floats(s->points[2]), a));
		return fabs(v3_dot(v3_unit(across), t));
	}
	v3 along = v3_of(0, 2 * (double)s->half_height, 0);
	if (s->kind == WP_SHAPE_SEGMENT)
		along = v3_sub(v3_of_floats(s->points[1]), v3_of_floats(s->points[0]));
	else if (s->kind == WP_SHAPE_CONE)
		along = v3_sub(along, v3_scale(v3_unit(v3_of(t.x, 0, t.z)), (double)s->base_radius));
	else if (s->kind != WP_SHAPE_CAPSULE && s->kind != WP_SHAPE_CYLINDER)
		return 1;
	return v3_length(v3_cross(v3_unit(along), t));
}

/* Whether a face leans by as much as makes it one to clip, or not. */
static bool is_lean_doubtful(const wp_shape *s, const wp_pose *pose, v3 normal)
{
	return fabs(lean_of(s, pose, normal) - WP_CONTRACT_LEAN) < SMOOTH_SURELY_OFF;
}

/* Whether a point adds as much to the area of others as makes it one of them, or not. */
static bool is_area_doubtful(const answer *r, uint32_t k, double size)
{
	const v3 p = v3_of_floats(r->points[k].local_a);
	double span = 0;
	for (uint32_t i = 1; i < r->count; i++)
		span = fmax(span, v3_length(v3_sub(v3_of_floats(r->points[i].local_a), v3_of_floats(r->points[0].local_a))));
	for (uint32_t i = 0; i < r->count; i++)
		for (uint32_t j = 0; j < i; j++) {
			const v3 q = v3_of_floats(r->points[i].local_a), to = v3_of_floats(r->points[j].local_a);
			const double area = v3_length(v3_cross(v3_sub(q, to), v3_sub(p, to)));
			if (i != k && j != k && area > APART / 3 * size * span && area < APART * 3 * size * span)
				return true;
		}
	return false;
}

/* Whether cap and side of a cylinder or a cone look as much along the normal. */
static bool is_between_faces(const wp_shape *s, const wp_pose *pose, v3 outward)
{
	if (!is_turned(s))
		return false;
	const v3 t = m3_apply_inverse(m3_of_quaternion(pose->rotation), outward);
	const double out = sqrt(t.x * t.x + t.z * t.z), height = 2 * (double)s->half_height,
				 radius = (double)s->base_radius;
	const double length = sqrt(height * height + radius * radius);
	const double side = s->kind == WP_SHAPE_CONE ? (height * out + radius * t.y) / length : out;
	return fabs(side - (s->kind == WP_SHAPE_CONE ? -t.y : fabs(t.y))) < SMOOTH_SURELY_OFF;
}

/* Whether some point of an answer may have these ids or others, or be left out or not. */
static bool is_answer_doubtful(const answer *r, const wp_shape shape[2], const wp_pose pose[2], double size)
{
	const v3 n = v3_of_floats(r->row.normal);
	const band b = band_of(shape, size);
	if (is_lean_doubtful(&shape[0], &pose[0], n) || is_lean_doubtful(&shape[1], &pose[1], n))
		return true;
	if (is_witness_doubtful(r, size) || is_between_faces(&shape[0], &pose[0], n) ||
		is_between_faces(&shape[1], &pose[1], v3_scale(n, -1)))
		return true;
	for (uint32_t k = 0; k < r->count; k++) {
		const wp_manifold_point *const p = &r->points[k];
		if (fabs((double)p->separation - (double)MAX_SEPARATION) < b.off)
			return true;
		if (is_slipping(p, shape, pose, n) || is_area_doubtful(r, k, size))
			return true;
		for (uint32_t i = 0; i < k; i++)
			if (v3_length(v3_sub(v3_of_floats(p->local_a), v3_of_floats(r->points[i].local_a))) < b.off)
				return true;
		if (is_doubtful(&shape[0], &pose[0], p->local_a, n, b) ||
			is_doubtful(&shape[1], &pose[1], p->local_b, v3_scale(n, -1), b))
			return true;
	}
	return false;
}

static bool has_ids(const answer *r, const wp_manifold_point *p)
{
	for (uint32_t k = 0; k < r->count; k++)
		if (r->points[k].feature_a == p->feature_a && r->points[k].feature_b == p->feature_b)
			return true;
	return false;
}

static bool has_place(const answer *r, const wp_manifold_point *p, double size)
{
	for (uint32_t k = 0; k < r->count; k++)
		if (v3_length(v3_sub(v3_of_floats(r->points[k].local_a), v3_of_floats(p->local_a))) < SAME_PLACE * size)
			return true;
	return false;
}

typedef enum difference { SAME, CHOSEN_OTHERWISE, CHANGED } difference;

/* A patch with more corners than there is room for may choose others; corners that are chosen again keep their ids. */
static difference compare(const answer *a, const answer *b, uint32_t most, double size)
{
	const bool is_full = a->count == most && b->count == most;
	difference found = a->count == b->count ? SAME : CHANGED;
	for (uint32_t k = 0; k < a->count && found != CHANGED; k++)
		if (!has_ids(b, &a->points[k]))
			found = is_full && !has_place(b, &a->points[k], size) ? CHOSEN_OTHERWISE : CHANGED;
	return found;
}

/* Whether the contact is another: of several normals that are as good, or further off or deeper than the motion can have
 * made it but for a half-space that is turned far away. */
static bool is_other_contact(const answer *a, const answer *b, double size)
{
	const double turned = v3_dot(v3_of_floats(a->row.normal), v3_of_floats(b->row.normal));
	const double moved = fabs((double)a->row.separation - (double)b->row.separation);
	return turned < 1 - 1e-8 || moved > 2 * FRAMES * STEP * size || ((a->count == 0) != (b->count == 0));
}

/* Whether one answer has the witness points for what another names: of cylinders and cones rounding may decide whether
 * lines along their sides meet there. */
static bool is_witness_of_line(const answer *a, const answer *b, const wp_shape shape[2])
{
	const wp_manifold_point *const p = &a->points[0], *const q = &b->points[0];
	const bool is_named_once = (p->feature_a == WP_FEATURE_FACE && p->feature_b == WP_FEATURE_FACE) !=
	                           (q->feature_a == WP_FEATURE_FACE && q->feature_b == WP_FEATURE_FACE);
	return (is_turned(&shape[0]) || is_turned(&shape[1])) && a->count == 1 && b->count == 1 && is_named_once;
}

static void print_answer(const answer *r)
{
	for (uint32_t k = 0; k < r->count; k++) {
		const wp_manifold_point *const p = &r->points[k];
		printf("    %08x %08x at %.9g %.9g %.9g, %.9g\n", p->feature_a, p->feature_b, (double)p->local_a[0],
			(double)p->local_a[1], (double)p->local_a[2], (double)p->separation);
	}
}

static void judge_pair(
	judge *j, const wp_shape_table *table, const gen_corpus *corpus, uint64_t first, size_t pair, motion how)
{
	const wp_shape *const shape = &corpus->shapes[2 * pair];
	const uint32_t low = shape[0].kind < shape[1].kind ? 0 : 1;
	tally *const seen = &j->tallies[how][shape[low].kind][shape[1 - low].kind];
	const answer *const r = &j->answers[FRAMES * pair];
	const double size = size_of(table, pair);
	if (r[0].count == 0)
		return;
	seen->pairs++;
	seen->points += r[0].count;
	for (uint32_t f = 1; f < FRAMES; f++) {
		const difference found = compare(&r[0], &r[f], j->set.points, size);
		seen->chosen += found == CHOSEN_OTHERWISE;
		if (found != CHANGED)
			continue;
		seen->changed++;
		const wp_pose *const before = &j->poses[2 * FRAMES * pair], *const after = before + 2 * (size_t)f;
		if (is_other_contact(&r[0], &r[f], size) || is_witness_of_line(&r[0], &r[f], shape) ||
			is_answer_doubtful(&r[0], shape, before, size) || is_answer_doubtful(&r[f], shape, after, size))
			return;
		seen->broken++;
		if (j->broken++ < FAILURES_PRINTED_MAX) {
			printf("pair %" PRIu64 " of seed %" PRIu64 " (%s), %s %s: other ids in frame %u of %s\n", first + pair,
				j->set.seq.seed, gen_construction_name((gen_construction)corpus->constructions[pair]),
				wp_shape_kind_name(shape[0].kind), wp_shape_kind_name(shape[1].kind), f,
				how == MOTION_LINE ? "a line" : "noise");
			print_answer(&r[0]);
			print_answer(&r[f]);
		}
		return;
	}
}

/* ---- running ------------------------------------------------------------------------------------ */

static void check_call(wp_error error)
{
	if (error == WP_OK)
		return;
	fprintf(stderr, "feature_motion: %s\n", wp_error_text(error));
	exit(2);
}

static void run_motion(judge *j, wp_workspace *workspace, const wp_shape_table *table, const gen_corpus *corpus,
	uint64_t first, motion how)
{
	for (size_t i = 0; i < corpus->count; i++) {
		gen_random random;
		gen_seed(&random, j->set.seq.seed * 0x9e3779b97f4a7c15u + first + i);
		const v3 way = gen_direction(&random);
		const double size = size_of(table, i);
		for (uint32_t f = 0; f < FRAMES; f++) {
			const size_t row = FRAMES * i + f;
			j->poses[2 * row] = corpus->poses[2 * i];
			move(&random, how, size, f, &corpus->poses[2 * i + 1], way, &j->poses[2 * row + 1]);
			for (size_t side = 0; side < 2; side++) {
				j->shape[2 * row + side] = (uint32_t)(2 * i + side);
				j->pair[row][side] = (uint32_t)(2 * row + side);
			}
		}
	}
	const wp_batch batch = {.shapes = table,
		.a = {.position = {j->poses[0].position, sizeof(wp_pose)},
			.rotation = {j->poses[0].rotation, sizeof(wp_pose)},
			.shape = {j->shape},
			.count = 2 * FRAMES * corpus->count},
		.pair_a = {&j->pair[0][0], sizeof j->pair[0]},
		.pair_b = {&j->pair[0][1], sizeof j->pair[0]},
		.count = FRAMES * corpus->count};
	wp_results results = wp_results_of_rows(&j->answers[0].row);
	results.separation.stride = results.normal.stride = results.point_a.stride = results.point_b.stride =
		results.lower.stride = results.upper.stride = results.status.stride = results.iterations.stride = sizeof(
			answer);
	const wp_manifolds manifolds = {.count = {&j->answers[0].count, sizeof(answer)},
		.points = {j->answers[0].points, sizeof(answer)},
		.point_max = j->set.points};
	check_call(wp_contact_manifold(
		workspace, &batch, &(wp_contact_options){.max_separation = MAX_SEPARATION}, &results, &manifolds, NULL));
	for (size_t i = 0; i < corpus->count; i++)
		judge_pair(j, table, corpus, first, i, how);
}

static void run_chunk(judge *j, wp_workspace *workspace, uint64_t first, size_t count)
{
	const gen_options options = {.seed = j->set.seq.seed,
		.vertex_max = 24,
		.smooth = GEN_SMOOTH_HALF,
		.half_spaces = j->set.half_spaces,
		.constructions = 1u << GEN_NEAR | 1u << GEN_FACE_ON_FACE | 1u << GEN_EDGE_ON_EDGE | 1u << GEN_VERTEX_IN_PLANE |
	                     1u << GEN_EXACT_TOUCH | 1u << GEN_FEW_VERTICES | 1u << GEN_TIP_ON_TIP};
	gen_corpus corpus;
	const wp_shape_table *table;
	if (!gen_corpus_make(&options, first, count, &corpus)) {
		fputs("feature_motion: a pair cannot be made\n", stderr);
		exit(2);
	}
	const size_t size = wp_shape_table_size(2 * count);
	void *const memory = block(size);
	check_call(wp_shape_table_build(corpus.shapes, 2 * count, memory, size, &table, NULL));
	for (int how = 0; how < MOTION_COUNT; how++)
		run_motion(j, workspace, table, &corpus, first, (motion)how);
	block_free(memory);
	gen_corpus_free(&corpus);
}

static void print_summary(const judge *j)
{
	printf(
		"%-6s %-22s %10s %10s %9s %9s %9s\n", "motion", "kinds", "touching", "points", "chosen", "changed", "broken");
	for (int how = 0; how < MOTION_COUNT; how++)
		for (int a = 0; a < WP_SHAPE_KIND_COUNT; a++)
			for (int b = a; b < WP_SHAPE_KIND_COUNT; b++) {
				const tally *const t = &j->tallies[how][a][b];
				char name[64];
				snprintf(name, sizeof name, "%s %s", wp_shape_kind_name((wp_shape_kind)a),
					wp_shape_kind_name((wp_shape_kind)b));
				if (t->pairs != 0)
					printf("%-6s %-22s %10" PRIu64 " %10" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 "\n",
						how == MOTION_LINE ? "line" : "noise", name, t->pairs, t->points, t->chosen, t->changed,
						t->broken);
			}
	printf("%" PRIu64 " pairs from %" PRIu64 " of seed %" PRIu64 ": %" PRIu64
		   " whose ids changed without their features\n",
		j->set.seq.pairs, j->set.seq.first, j->set.seq.seed, j->broken);
}

static const option_row options[] = {
	OPTION_HALF_SPACES(settings),
	{.name = "points",
		.argument = "N",
		.help = "most points of a manifold, 1 to 8 (default 8)",
		.read = option_count,
		.offset = offsetof(settings, points),
		.least = 1,
		.most = WP_MANIFOLD_POINT_MAX},
	{.name = NULL},
};

int main(int argc, char **argv)
{
	static judge j = {.set = {.seq = {.pairs = 100000, .seed = 1}, .points = WP_MANIFOLD_POINT_MAX}};
	sequence_parse("feature_motion", "Feature ids of pairs that move a little; 100k where --pairs is not given.",
		options, &j.set, &j.set.seq, argc, argv);
	void *const memory = block(WP_WORKSPACE_SIZE);
	wp_workspace *workspace;
	check_call(wp_workspace_init(memory, WP_WORKSPACE_SIZE, WP_VARIANT_AUTO, &workspace));
	progress bar = progress_start(j.set.seq.pairs);
	for (uint64_t done = 0; done < j.set.seq.pairs; done += CHUNK) {
		const uint64_t left = j.set.seq.pairs - done;
		run_chunk(&j, workspace, j.set.seq.first + done, left < CHUNK ? (size_t)left : CHUNK);
		progress_step(&bar, done);
	}
	progress_end(&bar);
	print_summary(&j);
	block_free(memory);
	return j.broken != 0;
}
