#include "casts_2d.h"

#include "core/contract.h"
#include "progress.h"
#include "support/block.h"
#include "support/cast_table.h"
#include "support/gen_random.h"
#include "support/gen_2d.h"
#include "support/motion_2d.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rounding of a fraction to float, and of places on the way there. */
#define FRACTION_ROUNDING 1.3e-7

/* Of lengths that are denormal numbers. */
#define ROUNDING 1e-44

#define FAILURES_PRINTED_MAX 50

/* Each way of gen_2d.h comes with each scenario, and those turn by turn with no, one or both bodies
 * turning. */
#define CHUNK (GEN_2D_SCENARIO_COUNT * CAST_SCENARIO_COUNT * 4)

/* The queries of one chunk, and the answers: [0] of scalar, [1] of another variant. */
typedef struct chunk {
	gen_2d_pair pair[CHUNK];
	wp2d_shape shapes[2 * CHUNK];
	motion_2d motions[2 * CHUNK];
	uint32_t pairs[CHUNK][2];
	bool same[CHUNK];
	wp2d_row rows[2][CHUNK];
	float fractions[2][CHUNK];
} chunk;

typedef struct judge {
	sequence set;
	wp_workspace *const *workspace;
	cast_table table;
	uint64_t asked, printed;
} judge;

/* ---- motions ------------------------------------------------------------------------------------ */

static v2 plus(v2 u, v2 v, double factor) { return (v2){u.x + factor * v.x, u.y + factor * v.y}; }

static v2 direction(gen_random *random)
{
	const v3 any = gen_direction(random);
	return v2_unit((v2){any.x, any.y});
}

static void store(v2 v, float to[2])
{
	to[0] = gen_rounded(v.x);
	to[1] = gen_rounded(v.y);
}

/* A rotation at the end: any, a little further, half a turn, each now and then off unit length. */
static void turn(gen_random *random, motion_2d *m)
{
	const v2 from = {(double)m->start.rotation[0], (double)m->start.rotation[1]};
	const uint32_t choice = gen_below(random, 4);
	const double angle = gen_magnitude(random, 1e-3, 1), little = gen_below(random, 2) ? angle : -angle;
	const v2 by = choice == 0 ? (v2){-1, 0} : choice == 3 ? direction(random) : v2_unit((v2){1, little});
	const double off = gen_below(random, 8) == 0 ? 9e-3 : 0, length = 1 + gen_range(random, -off, off);
	store(plus((v2){0, 0}, v2_unit(v2_turned(by, from)), length), m->rotation);
}

/* What the ways of a pair go by: where it stands still, and numbers drawn for it. */
typedef struct stand {
	double size, separation, speed, gap;
	v2 normal, some;
} stand;

/* Where B goes, where both go besides, and where B is put. */
typedef struct ways {
	v2 way, both, at;
} ways;

static ways choose_ways(gen_random *random, cast_scenario s, const stand *p, v2 at)
{
	const v2 nowhere = {0, 0}, across = {-p->normal.y, p->normal.x};
	const v2 inwards = v2_unit(plus(p->some, p->normal, -1.2));
	ways w = {.at = at};
	switch (s) {
	case CAST_MEET:
		w.way = plus(nowhere, inwards, p->speed);
		break;
	case CAST_FOLLOW:
		w.way = plus(nowhere, inwards, p->speed);
		w.both = plus(nowhere, direction(random), 3 * p->speed);
		break;
	case CAST_FAST:
		w.way = plus(nowhere, inwards, fmin(p->size * gen_magnitude(random, 30, 1000), 1e29));
		break;
	case CAST_RAY:
		w.way = plus(plus(nowhere, p->some, 0.9 * p->speed), p->normal, -3 * p->speed);
		break;
	case CAST_GLANCE:
		w.at = plus(at, p->normal, p->gap - p->separation);
		w.way = plus(nowhere, across, p->speed);
		break;
	case CAST_SLIDE:
		w.way = plus(nowhere, across, p->speed);
		break;
	case CAST_LEAVE:
		w.way = plus(nowhere, v2_unit(plus(p->some, p->normal, 1.01)), p->speed);
		break;
	case CAST_SLOW:
		w.way = plus(nowhere, p->some, 1e-3 * p->speed);
		break;
	case CAST_WANDER:
		w.way = plus(nowhere, p->some, p->speed);
		w.both = plus(nowhere, direction(random), p->speed);
		break;
	default:
		break;
	}
	return w;
}

static void make_motions(gen_random *random, uint64_t number, gen_2d_pair *p, motion_2d m[2])
{
	const uint64_t turn_number = number / GEN_2D_SCENARIO_COUNT;
	const cast_scenario s = cast_scenario_of(turn_number);
	oracle_2d_shape shape[2];
	if (s == CAST_RAY)
		p->shape[0] = wp2d_shape_circle(0);
	for (int k = 0; k < 2; k++) {
		shape[k] = oracle_2d_of_shape(&p->shape[k]);
		m[k] = (motion_2d){.start = p->pose[k]};
		memcpy(m[k].rotation, p->pose[k].rotation, sizeof m[k].rotation);
	}
	stand stands = {.size = oracle_2d_bound(&shape[0]) + oracle_2d_bound(&shape[1])};
	if (s == CAST_RAY && gen_below(random, 2))
		p->shape[0].radius = gen_rounded(0.05 * stands.size);
	motion_2d_pair still;
	double normal[2] = {0, 1};
	motion_2d_make(shape, m, &still);
	stands.separation = motion_2d_separation(&still, 0, normal);
	stands.normal = (v2){normal[0], normal[1]};
	stands.some = direction(random);
	const double when = gen_range(random, 0, 1);
	stands.speed = fmin(stands.size * gen_magnitude(random, 0.1, 10), 1e29);
	stands.gap = stands.size * gen_magnitude(random, 1e-9, 1e-2);
	stands.gap *= gen_below(random, 2) ? 1 : -1;
	const v2 at = {(double)p->pose[1].position[0], (double)p->pose[1].position[1]};
	const ways w = choose_ways(random, s, &stands, at);
	const bool from_start = s == CAST_SLIDE || s == CAST_LEAVE || s == CAST_SLOW;
	store(w.both, m[0].translation);
	store(plus(w.both, w.way, 1), m[1].translation);
	store(from_start ? w.at : plus(w.at, w.way, -when), m[1].start.position);
	for (int k = 0; k < 2; k++)
		if (cast_turning_of(turn_number) >> k & 1)
			turn(random, &m[k]);
}

static void make_chunk(const judge *j, uint64_t first, size_t count, chunk *c)
{
	for (uint32_t i = 0; i < count; i++) {
		uint64_t state = j->set.seed ^ 0x9e3779b97f4a7c15u * (first + i + 1);
		gen_random random;
		gen_seed(&random, gen_splitmix(&state));
		gen_2d(j->set.seed, first + i, &c->pair[i]);
		make_motions(&random, first + i, &c->pair[i], &c->motions[2 * i]);
		for (uint32_t k = 0; k < 2; k++) {
			c->shapes[2 * i + k] = c->pair[i].shape[k];
			c->pairs[i][k] = 2 * i + k;
		}
		c->same[i] = true;
	}
}

/* ---- asking ------------------------------------------------------------------------------------- */

static void ask(wp_workspace *workspace, const wp2d_shape_table *table, size_t count, chunk *c, int set)
{
	const motion_2d *const m = c->motions;
	const size_t stride = sizeof *m;
	const wp2d_motions motions = {.translation = {m->translation, stride}, .rotation = {m->rotation, stride}};
	const wp2d_batch batch = {.shapes = table,
		.a = {.position = {m->start.position, stride}, .rotation = {m->start.rotation, stride}, .count = 2 * count},
		.pair_a = {&c->pairs[0][0], sizeof c->pairs[0]},
		.pair_b = {&c->pairs[0][1], sizeof c->pairs[0]},
		.count = count};
	const wp2d_results results = wp2d_results_of_rows(c->rows[set]);
	const wp_error error = wp2d_cast(
		workspace, &batch, &motions, NULL, &results, &(wp_float_column){c->fractions[set], 0}, NULL);
	if (error != WP_OK) {
		fprintf(stderr, "oracle_2d: %s\n", wp_error_text(error));
		exit(2);
	}
}

static void ask_all(const judge *j, size_t count, chunk *c)
{
	const size_t size = wp2d_shape_table_size(c->shapes, 2 * count);
	void *const memory = block(size);
	const wp2d_shape_table *table;
	wp_shape_report report;
	if (wp2d_shape_table_build(c->shapes, 2 * count, memory, size, &table, &report) != WP_OK ||
		report.invalid_count != 0) {
		fprintf(stderr, "oracle_2d: shape %zu is refused: %s\n", report.first_invalid, report.reason);
		exit(2);
	}
	memset(c->rows, 0, sizeof c->rows);
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		if (j->workspace[v] == NULL)
			continue;
		const int set = v != WP_VARIANT_SCALAR;
		ask(j->workspace[v], table, count, c, set);
		for (size_t i = 0; i < count && set; i++)
			c->same[i] = c->same[i] && memcmp(&c->rows[0][i], &c->rows[1][i], sizeof c->rows[0][i]) == 0 &&
			             memcmp(&c->fractions[0][i], &c->fractions[1][i], sizeof c->fractions[0][i]) == 0;
	}
	block_free(memory);
}

/* ---- judging ------------------------------------------------------------------------------------ */

/* Whether a hit reports the separation of the shapes at its fraction. */
static bool tells_separation(const motion_2d_pair *pair, const wp2d_row *row, double fraction)
{
	double normal[2];
	const double truth = motion_2d_separation(pair, fraction, normal);
	const double allowed = WP_CONTRACT * (pair->size + fabs(truth)) + FRACTION_ROUNDING * pair->speed + ROUNDING;
	return fabs((double)row->separation - truth) <= allowed;
}

/* The promise that a cast breaks, or NULL. */
static const char *judge_cast(judge *j, const motion_2d_pair *pair, const wp2d_row *row, float fraction, cast_tally *t)
{
	const double f = (double)fraction, slack = WP_CONTRACT * pair->size + ROUNDING;
	const bool hit = row->status & WP_STATUS_HIT, capped = row->status & WP_STATUS_ITERATION_CAP;
	if (row->status & WP_STATUS_INVALID || !(f >= 0 && f <= 1) || (!hit && f != 1))
		return "valid rows have a fraction, misses a fraction of 1";
	t->hits += hit;
	t->misses += !hit;
	t->capped += capped;
	if (hit && !tells_separation(pair, row, f))
		return "a hit tells the separation at its fraction";
	const motion_2d_touch at = motion_2d_first_touch(pair, 0);
	j->asked += at.asked;
	t->at_start += at.hit == 0;
	if (!at.gave_up && !hit && isinf(at.hit))
		return NULL;
	if (!at.gave_up && hit && f <= at.hit + FRACTION_ROUNDING && at.hit - f <= CAST_FRACTION_ERROR) {
		t->error_max = fmax(t->error_max, fabs(at.hit - f));
		return NULL;
	}
	/* Near touches: when it is at the latest, and when it could be. */
	const motion_2d_touch deep = motion_2d_first_touch(pair, -slack), close = motion_2d_first_touch(pair, slack);
	j->asked += deep.asked + close.asked;
	t->undecided += at.gave_up || deep.gave_up || close.gave_up;
	if (hit ? f > deep.hit + FRACTION_ROUNDING : isfinite(deep.hit))
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

static void judge_row(judge *j, const chunk *c, size_t i, uint64_t number)
{
	const oracle_2d_shape shape[2] = {oracle_2d_of_shape(&c->shapes[2 * i]), oracle_2d_of_shape(&c->shapes[2 * i + 1])};
	const wp2d_row *const row = &c->rows[0][i];
	const uint64_t turn_number = number / GEN_2D_SCENARIO_COUNT;
	cast_tally *const t = cast_table_find(&j->table, turn_number);
	motion_2d_pair pair;
	motion_2d_make(shape, &c->motions[2 * i], &pair);
	t->pairs++;
	const char *promise = judge_cast(j, &pair, row, c->fractions[0][i], t);
	if (promise == NULL && !c->same[i])
		promise = "the same bits from every variant";
	if (promise == NULL)
		return;
	t->broken++;
	if (j->printed++ < FAILURES_PRINTED_MAX)
		printf("broken: %s, by pair %" PRIu64 " of seed %" PRIu64 " (%s%s): status %x, fraction %.9g, "
			   "separation %.9g\n",
			promise, number, j->set.seed, cast_scenario_name(cast_scenario_of(turn_number)),
			cast_turning_of(turn_number) != 0 ? " turning" : "", row->status, (double)c->fractions[0][i],
			(double)row->separation);
}

/* ---- the table ---------------------------------------------------------------------------------- */

static bool print_summary(const judge *j)
{
	const uint64_t broken = cast_table_print(&j->table);
	printf("%.1f separations evaluated per cast; %" PRIu64 " broken promises\n",
		(double)j->asked / fmax(1, (double)j->set.pairs), broken);
	return broken == 0;
}

bool casts_2d_judge(const sequence *settings, wp_workspace *const workspaces[WP_VARIANT_COUNT])
{
	static judge j;
	static chunk c;
	j = (judge){.set = *settings, .workspace = workspaces};
	progress bar = progress_start(settings->pairs);
	for (uint64_t done = 0; done < settings->pairs; done += CHUNK) {
		const uint64_t left = settings->pairs - done;
		const size_t count = left < CHUNK ? (size_t)left : CHUNK;
		make_chunk(&j, settings->first + done, count, &c);
		ask_all(&j, count, &c);
		for (size_t i = 0; i < count; i++)
			judge_row(&j, &c, i, settings->first + done + i);
		progress_step(&bar, done + count);
	}
	progress_end(&bar);
	return print_summary(&j);
}
