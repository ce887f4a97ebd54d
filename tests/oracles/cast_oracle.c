/* Casts and directed depths of random pairs against the oracle of support/motion.h, bits of all variants against
 * scalar.
 *
 *   cast_oracle [--pairs N] [--first I] [--seed S] [--smooth] [--half-spaces] [--out FOLDER]
 *
 * N may end in k or M. With --smooth three of four boxes are cylinders, cones and ellipsoids, and of all pairs those
 * with one are judged; with --half-spaces one shape of each pair is one. Of a cast that hits at f: no contact before f
 * that is deeper than the contract allows, and
 * |f - truth| <= 1e-4, the truth being when shapes first touch, or, where they come within the contract of touching
 * before or part again, any time between. Of one that misses: no contact deeper than that. Of a directed depth: the
 * distance is as near to the truth as cast.h says. Pairs that break a promise are written as text captures. Ends with
 * a table, and 1 where there are such. */
#include "capture.h"
#include "core/contract.h"
#include "progress.h"
#include "support/block.h"
#include "support/cast_table.h"
#include "support/certify.h"
#include "support/gen.h"
#include "support/motion.h"
#include "support/sequence.h"
#include "support/shape_core.h"
#include "support/trial.h"
#include "widephase/widephase.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of lengths that are denormal numbers. */
#define ROUNDING 1e-44

#define FAILURES_WRITTEN_MAX 50

/* What a pose in floats may be off by, of the sizes. */
#define POSE_ROUNDING 2e-7

/* Each construction comes with each scenario, and those turn by turn with no, one or both bodies turning. */
#define CHUNK (GEN_CONSTRUCTION_COUNT * CAST_SCENARIO_COUNT)

typedef struct settings {
	sequence seq;
	bool smooth;
	const char *out;
	bool half_spaces;
} settings;

typedef struct judge {
	settings set;
	wp_workspace *workspace[WP_VARIANT_COUNT];
	cast_table casts;
	cast_tally depths;
	uint64_t judged, asked, written;
} judge;

/* The queries of one chunk, and the answers: [0] of scalar, [1] of another variant. */
typedef struct chunk {
	gen_corpus corpus;
	motion motions[2 * CHUNK];
	float direction[CHUNK][3];
	uint32_t pairs[CHUNK][2];
	bool same[CHUNK];
	wp_row rows[2][CHUNK], depths[2][CHUNK];
	float fractions[2][CHUNK];
} chunk;

/* ---- motions ------------------------------------------------------------------------------------ */

static void store(v3 v, float to[3])
{
	to[0] = gen_rounded(v.x);
	to[1] = gen_rounded(v.y);
	to[2] = gen_rounded(v.z);
}

/* A rotation at the end: any, a little further, half a turn, each now and then off unit length. */
static void turn(gen_random *random, motion *m)
{
	const float *const p = m->start.rotation;
	const uint32_t choice = gen_below(random, 4);
	const v3 axis = gen_direction(random);
	const double angle = choice == 0 ? 0 : gen_magnitude(random, 1e-3, 1), off = gen_below(random, 8) == 0 ? 9e-3 : 0;
	const double length = 1 + gen_range(random, -off, off), w = choice == 0 ? 0 : 1;
	const double x = axis.x * (choice == 0 ? 1 : angle / 2), y = axis.y * (choice == 0 ? 1 : angle / 2),
				 z = axis.z * (choice == 0 ? 1 : angle / 2);
	if (choice == 3) {
		gen_rotation(random, m->rotation);
		return;
	}
	const double px = (double)p[0], py = (double)p[1], pz = (double)p[2], pw = (double)p[3];
	const double size = sqrt((x * x + y * y + z * z + w * w) * (px * px + py * py + pz * pz + pw * pw)) / length;
	m->rotation[0] = gen_rounded((w * px + x * pw + y * pz - z * py) / size);
	m->rotation[1] = gen_rounded((w * py + y * pw + z * px - x * pz) / size);
	m->rotation[2] = gen_rounded((w * pz + z * pw + x * py - y * px) / size);
	m->rotation[3] = gen_rounded((w * pw - x * px - y * py - z * pz) / size);
}

/* The normal of a pair where it is, and its separation. */
static v3 normal_of(const wp_shape shapes[2], const wp_pose poses[2], double *separation)
{
	const v3 a = v3_of_floats(poses[0].position), b = v3_of_floats(poses[1].position);
	const double position_a[3] = {a.x, a.y, a.z}, position_b[3] = {b.x, b.y, b.z};
	wp_reference_row row;
	wp_reference_contact_pair(
		&shapes[0], position_a, poses[0].rotation, &shapes[1], position_b, poses[1].rotation, &row);
	*separation = row.separation;
	return v3_of(row.normal[0], row.normal[1], row.normal[2]);
}

static void make_motions(
	gen_random *random, cast_scenario s, wp_shape shapes[2], const wp_pose poses[2], double size, motion m[2])
{
	double separation;
	if (s == CAST_RAY)
		shapes[0] = gen_below(random, 2) ? wp_shape_point() : wp_shape_sphere(gen_rounded(0.05 * size));
	const v3 normal = normal_of(shapes, poses, &separation), some = gen_direction(random);
	const v3 across = v3_unit(v3_cross(normal, some));
	const double when = gen_range(random, 0, 1), speed = size * gen_magnitude(random, 0.1, 10);
	const double gap = size * gen_magnitude(random, 1e-9, 1e-2) * (gen_below(random, 2) ? 1 : -1);
	v3 at = v3_of_floats(poses[1].position), way = v3_of(0, 0, 0), both = v3_of(0, 0, 0);
	const v3 inwards = v3_unit(v3_sub(some, v3_scale(normal, 1.2)));
	switch (s) {
	case CAST_MEET:
		way = v3_scale(inwards, speed);
		break;
	case CAST_FOLLOW:
		way = v3_scale(inwards, speed);
		both = v3_scale(gen_direction(random), 3 * speed);
		break;
	case CAST_FAST:
		way = v3_scale(inwards, fmin(size * gen_magnitude(random, 30, 1000), 1e29));
		break;
	case CAST_RAY:
		way = v3_scale(v3_sub(v3_scale(some, 0.3), normal), 3 * speed);
		break;
	case CAST_GLANCE:
		at = v3_add(at, v3_scale(normal, gap - separation));
		way = v3_scale(across, speed);
		break;
	case CAST_SLIDE:
		way = v3_scale(across, speed);
		break;
	case CAST_LEAVE:
		way = v3_scale(v3_unit(v3_add(some, v3_scale(normal, 1.01))), speed);
		break;
	case CAST_SLOW:
		way = v3_scale(some, 1e-3 * speed);
		break;
	case CAST_WANDER:
		way = v3_scale(some, speed);
		both = v3_scale(gen_direction(random), speed);
		break;
	default:
		break;
	}
	const bool from_start = s == CAST_SLIDE || s == CAST_LEAVE || s == CAST_SLOW;
	m[0].start = poses[0];
	m[1].start = poses[1];
	store(both, m[0].translation);
	store(v3_add(both, way), m[1].translation);
	store(from_start ? at : v3_sub(at, v3_scale(way, when)), m[1].start.position);
}

/* Half-spaces have none. */
static double size_of(const wp_shape_table *table, uint32_t shape)
{
	const float bound = wp_shape_table_bound(table, shape);
	return isinf(bound) ? 0 : (double)bound;
}

static void make_chunk(const judge *j, uint64_t first, size_t count, chunk *c, wp_shape_table **table)
{
	const gen_options options = {.seed = j->set.seq.seed,
		.vertex_max = 20,
		.smooth = j->set.smooth ? GEN_SMOOTH_ALL : GEN_SMOOTH_NONE,
		.half_spaces = j->set.half_spaces};
	const size_t size = wp_shape_table_size(2 * count);
	const wp_shape_table *built;
	if (!gen_corpus_make(&options, first, count, &c->corpus)) {
		fputs("cast_oracle: a pair cannot be made\n", stderr);
		exit(2);
	}
	*table = block(size);
	wp_shape_table_build(c->corpus.shapes, 2 * count, *table, size, &built, NULL);
	for (uint32_t i = 0; i < count; i++) {
		const uint64_t index = first + i, turn_number = index / GEN_CONSTRUCTION_COUNT;
		uint64_t state = j->set.seq.seed ^ 0x9e3779b97f4a7c15u * (index + 1);
		gen_random random;
		gen_seed(&random, gen_splitmix(&state));
		const double bounds = size_of(built, 2 * i) + size_of(built, 2 * i + 1);
		motion *const m = &c->motions[2 * i];
		make_motions(
			&random, cast_scenario_of(turn_number), &c->corpus.shapes[2 * i], &c->corpus.poses[2 * i], bounds, m);
		const uint32_t who = cast_turning_of(turn_number);
		for (uint32_t side = 0; side < 2; side++) {
			memcpy(m[side].rotation, m[side].start.rotation, sizeof m[side].rotation);
			if (who >> side & 1)
				turn(&random, &m[side]);
			c->pairs[i][side] = 2 * i + side;
		}
		store(v3_scale(gen_direction(&random), gen_magnitude(&random, 1e-3, 1e3)), c->direction[i]);
		c->same[i] = true;
	}
	wp_shape_table_build(c->corpus.shapes, 2 * count, *table, size, &built, NULL);
}

/* ---- asking ------------------------------------------------------------------------------------- */

static void ask(wp_workspace *workspace, const wp_shape_table *table, size_t count, chunk *c, int set)
{
	const motion *const m = c->motions;
	const size_t stride = sizeof *m;
	const wp_motions motions = {.translation = {m->translation, stride}, .rotation = {m->rotation, stride}};
	wp_batch batch = {.shapes = table,
		.a = {.position = {m->start.position, stride}, .rotation = {m->start.rotation, stride}, .count = 2 * count},
		.pair_a = {&c->pairs[0][0], sizeof c->pairs[0]},
		.pair_b = {&c->pairs[0][1], sizeof c->pairs[0]},
		.count = count};
	const wp_results results = wp_results_of_rows(c->rows[set]);
	wp_error error = wp_cast(
		workspace, &batch, &motions, NULL, &results, &(wp_float_column){c->fractions[set], 0}, NULL);
	/* Depths where gen.h put the pairs: more of them overlap there. */
	const wp_results depths = wp_results_of_rows(c->depths[set]);
	batch.a.position.data = c->corpus.poses->position;
	batch.a.rotation.data = c->corpus.poses->rotation;
	batch.a.position.stride = batch.a.rotation.stride = sizeof *c->corpus.poses;
	error = error != WP_OK
	          ? error
	          : wp_depth_along(workspace, &batch, &(wp_const_float_column){c->direction[0], 0}, &depths, NULL);
	if (error != WP_OK) {
		fprintf(stderr, "cast_oracle: %s\n", wp_error_text(error));
		exit(2);
	}
}

static void ask_all(const judge *j, const wp_shape_table *table, size_t count, chunk *c)
{
	memset(c->rows, 0, sizeof c->rows);
	memset(c->depths, 0, sizeof c->depths);
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		if (j->workspace[v] == NULL)
			continue;
		const int set = v != WP_VARIANT_SCALAR;
		ask(j->workspace[v], table, count, c, set);
		for (size_t i = 0; i < count && set; i++)
			c->same[i] = c->same[i] && memcmp(&c->rows[0][i], &c->rows[1][i], sizeof c->rows[0][i]) == 0 &&
			             memcmp(&c->fractions[0][i], &c->fractions[1][i], sizeof c->fractions[0][i]) == 0 &&
			             memcmp(&c->depths[0][i], &c->depths[1][i], sizeof c->depths[0][i]) == 0;
	}
}

/* ---- judging ------------------------------------------------------------------------------------ */

/* How far separations may be off, of size plus distance. */
static double contract_of(const motion_pair *pair, const wp_row *row)
{
	return !pair->smooth                        ? WP_CONTRACT
	     : row->status & WP_STATUS_WIDE_BRACKET ? WP_CONTRACT_SMOOTH_WIDE
	                                            : WP_CONTRACT_SMOOTH;
}

/* The promise that a cast breaks, or NULL. */
static const char *judge_cast(judge *j, const motion_pair *pair, const wp_row *row, float fraction, cast_tally *t)
{
	const double f = (double)fraction, slack = contract_of(pair, row) * pair->size + ROUNDING + pair->rounding;
	const bool hit = row->status & WP_STATUS_HIT, capped = row->status & WP_STATUS_ITERATION_CAP;
	if (row->status & WP_STATUS_INVALID || !(f >= 0 && f <= 1) || (!hit && f != 1))
		return "valid rows have a fraction, misses a fraction of 1";
	t->hits += hit;
	t->misses += !hit;
	t->capped += capped;
	const motion_touch at = motion_first_touch(pair, 0);
	j->asked += at.asked;
	t->at_start += at.hit == 0;
	if (!at.gave_up && !hit && isinf(at.hit))
		return NULL;
	if (!at.gave_up && hit && f <= at.hit + 1e-7 && at.hit - f <= CAST_FRACTION_ERROR) {
		t->error_max = fmax(t->error_max, fabs(at.hit - f));
		return NULL;
	}
	/* Near touches: when it is at the latest, and when it could be. */
	const motion_touch deep = motion_first_touch(pair, -slack), close = motion_first_touch(pair, slack);
	j->asked += deep.asked + close.asked;
	t->undecided += at.gave_up || deep.gave_up || close.gave_up;
	if (at.refuted || deep.refuted || close.refuted)
		return "where the reference touches, its oracle does";
	if (hit ? f > deep.hit + 1e-7 : isfinite(deep.hit))
		return hit ? "no contact before the fraction" : "a miss has no contact";
	if (hit && f < close.free - CAST_FRACTION_ERROR) {
		if (!capped)
			return "a hit is within 1e-4 of the first touch";
		t->capped_max = fmax(t->capped_max, fmin(1, close.free) - f);
		return NULL;
	}
	t->either++;
	return NULL;
}

/* Where a body is at a fraction of its motion, in floats. */
static wp_pose pose_at(const motion *m, double fraction)
{
	wp_pose pose;
	double q[4], length2 = 0, same = 0;
	for (int i = 0; i < 4; i++)
		same += (double)m->start.rotation[i] * (double)m->rotation[i];
	for (int i = 0; i < 4; i++) {
		q[i] = (1 - fraction) * (double)m->start.rotation[i] + copysign(fraction, same) * (double)m->rotation[i];
		length2 += q[i] * q[i];
	}
	for (int i = 0; i < 4; i++)
		pose.rotation[i] = (float)(q[i] / sqrt(length2));
	for (int i = 0; i < 3; i++)
		pose.position[i] = (float)((double)m->start.position[i] + fraction * (double)m->translation[i]);
	return pose;
}

/* A hit's row is the contact of the poses there. The fraction is a float, of ways that may be long. */
static const char *check_hit(const motion_pair *pair, const wp_row *row, double fraction)
{
	if (!(row->status & WP_STATUS_HIT) || row->status & WP_STATUS_WIDE_BRACKET)
		return NULL;
	const wp_pose a = pose_at(&pair->motion[0], fraction), b = pose_at(&pair->motion[1], fraction);
	certify_pair p = certify_prepare(pair->shape[0], &a, pair->shape[1], &b, row);
	double off = POSE_ROUNDING * (p.length + p.far) + p.rounding;
	for (int side = 0; side < 2; side++)
		off += 0x1p-24 * v3_length(v3_of_floats(pair->motion[side].translation));
	p.contract += off;
	p.point_contract += off;
	return certify_contact(&p, row);
}

/* For a smooth pair: decided by the oracle's bounds where B is, and where it is reported free. */
static const char *judge_smooth_depth(
	const motion_pair *pair, const wp_row *row, const float direction[3], cast_tally *t)
{
	const double said = (double)row->separation;
	double lower, upper;
	t->pairs++;
	bool decided = motion_bounds(pair, 0, v3_of(0, 0, 0), &lower, &upper);
	const double slack = contract_of(pair, row) * (pair->size + fabs(said)) + ROUNDING;
	const bool is_gap = said >= lower - slack && said <= upper + slack;
	t->undecided += !decided;
	if (lower > slack || !(row->status & WP_STATUS_PENETRATING)) {
		t->misses++;
		return upper < -slack ? "an overlap has a depth along" : is_gap ? NULL : "a gap is the contact's";
	}
	t->hits++;
	t->capped += (row->status & WP_STATUS_ITERATION_CAP) != 0;
	/* What touches within the accuracy may be told as a contact. */
	if (upper > -slack && is_gap) {
		t->either++;
		return NULL;
	}
	decided = motion_bounds(pair, 0, v3_scale(v3_unit(v3_of_floats(direction)), -said), &lower, &upper) && decided;
	if (upper < -slack)
		return "moved by its depth along, B is free";
	if (lower > slack && !(row->status & WP_STATUS_ITERATION_CAP))
		return "a depth along is within the contract";
	if (decided)
		t->error_max = fmax(t->error_max, fmax(0, fmax(fabs(lower), fabs(upper)) - ROUNDING) / (pair->size - said));
	return NULL;
}

/* What a depth along says besides: its normal and its points. Rows of pairs that touch are contacts, and no way out is
 * infinite. */
static const char *check_depth(
	const motion_pair *pair, const wp_pose poses[2], const wp_row *row, const float direction[3])
{
	const v3 u = v3_unit(v3_of_floats(direction));
	const certify_pair p = certify_prepare(pair->shape[0], &poses[0], pair->shape[1], &poses[1], row);
	if (!(row->status & WP_STATUS_PENETRATING) || row->upper != 0 || !isfinite(row->separation))
		return NULL;
	return certify_depth_along(&p, row, (double[3]){u.x, u.y, u.z});
}

static const char *judge_depth(const motion_pair *pair, const wp_row *row, const float direction[3], cast_tally *t)
{
	if (row->status & WP_STATUS_INVALID || isnan(row->separation))
		return "valid pairs have a depth along";
	if (pair->smooth)
		return judge_smooth_depth(pair, row, direction, t);
	v3 normal;
	const double separation = motion_separation(pair, 0, &normal);
	const double slack = WP_CONTRACT * (pair->size + fabs(separation)) + ROUNDING + pair->rounding;
	t->pairs++;
	if (separation > slack || !(row->status & WP_STATUS_PENETRATING)) {
		t->misses++;
		return separation < -slack                                ? "an overlap has a depth along"
		     : fabs((double)row->separation - separation) > slack ? "a gap is the contact's"
		                                                          : NULL;
	}
	const v3 u = v3_unit(v3_of_floats(direction)), n = v3_of_floats(row->normal);
	const double truth = motion_depth_along(pair, u), said = -(double)row->separation, lean = v3_dot(n, u);
	if (isinf(truth)) {
		t->hits++;
		return isinf(said) && said > 0 && row->lower == row->separation ? NULL : "no way leads out";
	}
	const double rounding = ROUNDING + (pair->space >= 0 && lean > 0 ? (ROUNDING + pair->rounding) / lean : 0);
	const double error = fmax(0, fabs(said - truth) - rounding) / (pair->size + truth);
	t->hits++;
	t->capped += (row->status & WP_STATUS_ITERATION_CAP) != 0;
	/* What touches within the accuracy may be told as a contact. */
	if (separation > -slack && fabs((double)row->separation - separation) <= slack) {
		t->either++;
		return NULL;
	}
	if (said < truth && error * lean > WP_CONTRACT)
		return "moved by its depth along, B is free";
	if (error * lean > WP_CONTRACT) {
		if (!(row->status & WP_STATUS_ITERATION_CAP))
			return "a depth along is within the contract";
		t->capped_max = fmax(t->capped_max, error);
		return NULL;
	}
	t->error_max = fmax(t->error_max, error * lean);
	return NULL;
}

/* What was answered, and a file that `widephase collide --query cast`, or depth-along, replays. */
static void report(judge *j, const chunk *c, size_t i, uint64_t index, const char *promise, bool is_depth)
{
	const wp_row *const row = is_depth ? &c->depths[0][i] : &c->rows[0][i];
	const motion *const m = &c->motions[2 * i];
	char status[WP_STATUS_TEXT_MAX], path[512], remark[512];
	trial t = {.shape = {c->corpus.shapes[2 * i], c->corpus.shapes[2 * i + 1]}, .pose = {m[0].start, m[1].start}};
	capture_motion moves = {.translation_a = {0}};
	wp_status_text(row->status, status, sizeof status);
	printf("broken: %s, by pair %" PRIu64 " of seed %" PRIu64 " (%s, %s)\n"
		   "  %s: fraction %.9g separation %.9g normal %.9g %.9g %.9g\n",
		promise, index, j->set.seq.seed, gen_construction_name((gen_construction)c->corpus.constructions[i]),
		is_depth ? "depth along" : cast_scenario_name(cast_scenario_of(index / GEN_CONSTRUCTION_COUNT)), status,
		is_depth ? 0 : (double)c->fractions[0][i], (double)row->separation, (double)row->normal[0],
		(double)row->normal[1], (double)row->normal[2]);
	if (j->written++ >= FAILURES_WRITTEN_MAX)
		return;
	memcpy(moves.translation_a, m[0].translation, sizeof moves.translation_a);
	memcpy(moves.rotation_a, m[0].rotation, sizeof moves.rotation_a);
	memcpy(moves.translation_b, m[1].translation, sizeof moves.translation_b);
	memcpy(moves.rotation_b, m[1].rotation, sizeof moves.rotation_b);
	if (is_depth) {
		memcpy(t.pose, &c->corpus.poses[2 * i], sizeof t.pose);
		memset(moves.translation_a, 0, sizeof moves.translation_a);
		memcpy(moves.translation_b, c->direction[i], sizeof moves.translation_b);
	}
	snprintf(path, sizeof path, "%s/broken-cast-%" PRIu64 "-%" PRIu64 ".pairs", j->set.out, j->set.seq.seed, index);
	snprintf(remark, sizeof remark, "broken: %s; pair %" PRIu64 " of seed %" PRIu64, promise, index, j->set.seq.seed);
	printf("  %s %s\n", trial_write(&t, &moves, path, remark) ? "written to" : "cannot write", path);
}

static void judge_row(judge *j, chunk *c, size_t i, uint64_t index)
{
	const wp_shape *const shapes = &c->corpus.shapes[2 * i];
	const motion *const m = &c->motions[2 * i];
	motion still[2] = {{.start = c->corpus.poses[2 * i]}, {.start = c->corpus.poses[2 * i + 1]}};
	cast_tally *const t = cast_table_find(&j->casts, index / GEN_CONSTRUCTION_COUNT);
	motion_pair moving, standing;
	for (int side = 0; side < 2; side++)
		memcpy(still[side].rotation, still[side].start.rotation, sizeof still[side].rotation);
	if (!motion_pair_make(&shapes[0], &m[0], &shapes[1], &m[1], &moving) ||
		!motion_pair_make(&shapes[0], &still[0], &shapes[1], &still[1], &standing))
		exit(2);
	j->judged++;
	t->pairs++;
	const char *cast = !c->same[i] ? "all variants give the same bits"
	                               : judge_cast(j, &moving, &c->rows[0][i], c->fractions[0][i], t);
	cast = cast ? cast : check_hit(&moving, &c->rows[0][i], (double)c->fractions[0][i]);
	const char *depth = judge_depth(&standing, &c->depths[0][i], c->direction[i], &j->depths);
	depth = depth ? depth : check_depth(&standing, &c->corpus.poses[2 * i], &c->depths[0][i], c->direction[i]);
	if (cast != NULL) {
		t->broken++;
		report(j, c, i, index, cast, false);
	}
	if (depth != NULL) {
		j->depths.broken++;
		report(j, c, i, index, depth, true);
	}
	motion_pair_free(&moving);
	motion_pair_free(&standing);
}

static bool is_smooth(const wp_shape shapes[2])
{
	return shape_core_is_smooth(&shapes[0]) || shape_core_is_smooth(&shapes[1]);
}

/* ---- the whole ---------------------------------------------------------------------------------- */

static uint64_t print_summary(const judge *j)
{
	const uint64_t broken = cast_table_print(&j->casts) + j->depths.broken;
	cast_tally_print("depth along", &j->depths);
	printf("%.1f separations evaluated per cast; %" PRIu64 " broken\n", (double)j->asked / (double)j->judged, broken);
	return broken;
}

static const option_row options[] = {
	{.name = "smooth",
		.help = "judge pairs with cylinders, cones and ellipsoids alone",
		.offset = offsetof(settings, smooth)},
	OPTION_HALF_SPACES(settings),
	OPTION_OUT(settings),
	{.name = NULL},
};

int main(int argc, char **argv)
{
	static judge j = {.set = {.seq = {.pairs = 10000, .seed = 1}, .out = "."}};
	static chunk c;
	sequence_parse("cast_oracle", "Casts of random pairs against an oracle; 10k where --pairs is not given.", options,
		&j.set, &j.set.seq, argc, argv);
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++)
		if (wp_variant_available((wp_variant)v) == WP_OK)
			wp_workspace_init(block(WP_WORKSPACE_SIZE), WP_WORKSPACE_SIZE, (wp_variant)v, &j.workspace[v]);
	progress bar = progress_start(j.set.seq.pairs);
	for (uint64_t done = 0; done < j.set.seq.pairs; done += CHUNK) {
		const uint64_t left = j.set.seq.pairs - done;
		const size_t count = left < CHUNK ? (size_t)left : CHUNK;
		wp_shape_table *table;
		make_chunk(&j, j.set.seq.first + done, count, &c, &table);
		ask_all(&j, table, count, &c);
		for (size_t i = 0; i < count; i++)
			if (!j.set.smooth || is_smooth(&c.corpus.shapes[2 * i]))
				judge_row(&j, &c, i, j.set.seq.first + done + i);
		block_free(table);
		gen_corpus_free(&c.corpus);
		progress_step(&bar, done + count);
	}
	progress_end(&bar);
	return print_summary(&j) != 0;
}
