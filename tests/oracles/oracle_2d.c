/* Random 2D pairs against the oracle of support/oracle_2d.h, and bits of all variants against
 * scalar.
 *
 *   oracle_2d [--casts] [--pairs N] [--first I] [--seed S]
 *
 * N may end in k or M. With --casts the pairs move, and casts_2d.h says what is judged. Else, of every
 * row: the separation and its bracket within the contract of 2d.h, the normal by the gap between its
 * support lines, witness points on their shapes and along the normal, overlaps found, points of manifolds on
 * their shapes. Broken promises are printed with the number of their pair. Ends with a table, and 1 where
 * there are such. */
#include "core/contract.h"
#include "casts_2d.h"
#include "progress.h"
#include "support/block.h"
#include "support/gen_2d.h"
#include "support/oracle_2d.h"
#include "support/sequence.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How much deeper a contact may be than all points of its manifold. */
#define MANIFOLD_DEEPER 3e-5

/* Of lengths that are denormal numbers. */
#define ROUNDING 1e-44

/* The rounding of points in floats, which are far from the origin. */
#define FLOAT_ROUNDING 1.3e-7

#define CHUNK 1024
#define FAILURES_PRINTED_MAX 50

static const char *const scenario_names[GEN_2D_SCENARIO_COUNT] = {
	"anywhere", "edge on edge", "along normal", "identical", "inside", "grid", "extreme", "far away", "far vertex"};

enum { OVERLAP, DISTANCE, CONTACT, SPECULATIVE, QUERIES };

static const char *const query_names[QUERIES] = {"overlap", "distance", "contact", "speculative"};

/* All outputs of a query for a chunk. */
typedef struct answers {
	wp2d_row row[CHUNK];
	float local[2][CHUNK][2];
	uint8_t overlap[CHUNK];
	uint32_t count[CHUNK];
	wp2d_manifold_point points[CHUNK][WP2D_MANIFOLD_POINT_MAX];
} answers;

typedef struct tally {
	uint64_t rows, strong, touching, wide, iterations;
	uint64_t asked, rough; /* answers with a separation, and how many have an error above WP_CONTRACT_TYPICAL */
	double worst;          /* error of the separation, in units of e */
} tally;

typedef struct judge {
	sequence set;
	wp_workspace *workspace[WP_VARIANT_COUNT];
	gen_2d_pair pair[CHUNK];
	answers scalar[QUERIES], other;
	tally tallies[GEN_2D_SCENARIO_COUNT];
	uint64_t failures;
} judge;

/* ---- asking ------------------------------------------------------------------------------------- */

/* The pairs of a chunk as one batch; the table is to be freed. */
static wp2d_batch batch_of(const judge *j, size_t count, void **memory)
{
	static wp2d_shape shapes[2 * CHUNK];
	for (size_t i = 0; i < 2 * count; i++)
		shapes[i] = j->pair[i / 2].shape[i % 2];
	const size_t size = wp2d_shape_table_size(shapes, 2 * count);
	const wp2d_shape_table *table;
	wp_shape_report report;
	*memory = block(size);
	if (wp2d_shape_table_build(shapes, 2 * count, *memory, size, &table, &report) != WP_OK ||
		report.invalid_count != 0) {
		fprintf(stderr, "shape %zu is refused: %s\n", report.first_invalid, report.reason);
		exit(2);
	}
	static uint32_t even[CHUNK], odd[CHUNK];
	for (uint32_t i = 0; i < CHUNK; i++) {
		even[i] = 2 * i;
		odd[i] = 2 * i + 1;
	}
	static wp2d_pose poses[2 * CHUNK];
	for (size_t i = 0; i < 2 * count; i++)
		poses[i] = j->pair[i / 2].pose[i % 2];
	return (wp2d_batch){.shapes = table,
		.pair_a = {even},
		.pair_b = {odd},
		.count = count,
		.a = {.position = {poses[0].position, sizeof(wp2d_pose)},
			.rotation = {poses[0].rotation, sizeof(wp2d_pose)},
			.count = 2 * count}};
}

/* The reach of speculative contacts. */
#define REACH 0.02f

static void ask(wp_workspace *workspace, const wp2d_batch *batch, int query, answers *out)
{
	memset(out, 0, sizeof *out);
	wp2d_results results = wp2d_results_of_rows(out->row);
	results.local_a.data = out->local[0][0];
	results.local_b.data = out->local[1][0];
	results.overlap.data = out->overlap;
	const wp2d_manifolds manifolds = {.count = {out->count}, .points = {out->points[0]}};
	const wp_error error = query == OVERLAP ? wp2d_overlap(workspace, batch, &results, NULL)
	                     : query == DISTANCE
	                         ? wp2d_distance(workspace, batch, &results, NULL)
	                         : wp2d_contact_manifold(workspace, batch,
								   &(wp_contact_options){.max_separation = query == CONTACT ? INFINITY : REACH},
								   &results, &manifolds, NULL);
	if (error != WP_OK) {
		fprintf(stderr, "%s\n", wp_error_text(error));
		exit(2);
	}
}

/* ---- judging ------------------------------------------------------------------------------------ */

/* One pair, and what is true of it. */
typedef struct truth {
	const gen_2d_pair *pair;
	uint64_t number;
	int query;
	oracle_2d_shape shape[2]; /* where they are */
	double separation, unit;  /* e */
} truth;

static void fail(judge *j, const truth *t, const char *what, double value, double limit)
{
	if (++j->failures <= FAILURES_PRINTED_MAX)
		printf("pair %" PRIu64 ", %s, %s: %s: %.9g, limit %.9g; truth %.12g, e %.9g\n", t->number,
			scenario_names[t->pair->scenario], query_names[t->query], what, value, limit, t->separation, t->unit);
}

static void expect_below(judge *j, const truth *t, const char *what, double value, double limit)
{
	if (!(value <= limit + ROUNDING))
		fail(j, t, what, value, limit);
}

/* Where the shapes are, as seen from the position of A, and what is true there. */
static truth truth_of(const gen_2d_pair *pair, uint64_t number)
{
	truth t = {.pair = pair, .number = number};
	double bound = 0;
	for (int k = 0; k < 2; k++) {
		const wp2d_pose *const p = &pair->pose[k], *const origin = &pair->pose[0];
		const double rotation[2] = {(double)p->rotation[0], (double)p->rotation[1]};
		const double position[2] = {
			(double)p->position[0] - (double)origin->position[0], (double)p->position[1] - (double)origin->position[1]};
		t.shape[k] = oracle_2d_of_shape(&pair->shape[k]);
		bound = fmax(bound, oracle_2d_bound(&t.shape[k]));
		oracle_2d_move(&t.shape[k], rotation, position);
	}
	t.separation = oracle_2d_separation(&t.shape[0], &t.shape[1]);
	t.unit = bound + fabs(t.separation);
	return t;
}

/* A point in a body's own frame, where it is as seen from the position of A. */
static void place_local(const gen_2d_pair *pair, int k, const float local[2], double at[2])
{
	oracle_2d_shape one = {.points = {{(double)local[0], (double)local[1]}}, .count = 1};
	const wp2d_pose *const p = &pair->pose[k], *const origin = &pair->pose[0];
	const double rotation[2] = {(double)p->rotation[0], (double)p->rotation[1]};
	const double position[2] = {
		(double)p->position[0] - (double)origin->position[0], (double)p->position[1] - (double)origin->position[1]};
	oracle_2d_move(&one, rotation, position);
	at[0] = one.points[0].x;
	at[1] = one.points[0].y;
}

/* Both points on their shapes, and one along the normal from the other. */
static void judge_points(judge *j, const truth *t, const float local_a[2], const float local_b[2],
	const float normal[2], double separation, double limit)
{
	double a[2], b[2];
	place_local(t->pair, 0, local_a, a);
	place_local(t->pair, 1, local_b, b);
	expect_below(j, t, "point of A off its surface", fabs(oracle_2d_outside(&t->shape[0], a)), limit);
	expect_below(j, t, "point of B off its surface", fabs(oracle_2d_outside(&t->shape[1], b)), limit);
	const double x = b[0] - a[0] - separation * (double)normal[0], y = b[1] - a[1] - separation * (double)normal[1];
	expect_below(j, t, "points not along the normal", hypot(x, y), 2 * limit);
}

/* Points in the world are the local ones, rounded. */
static void judge_world(judge *j, const truth *t, const float world[2], int k, const float local[2], double limit)
{
	double at[2];
	place_local(t->pair, k, local, at);
	for (int i = 0; i < 2; i++) {
		const double origin = (double)t->pair->pose[0].position[i];
		expect_below(j, t, "point in the world is not the local one", fabs((double)world[i] - origin - at[i]),
			limit + FLOAT_ROUNDING * (fabs(origin) + fabs(at[i])));
	}
}

static void judge_gap(judge *j, const truth *t, const answers *a, size_t i)
{
	const wp2d_row *const r = &a->row[i];
	const double limit = WP_CONTRACT * t->unit, normal[2] = {(double)r->normal[0], (double)r->normal[1]};
	expect_below(j, t, "error", fabs((double)r->separation - t->separation), limit);
	expect_below(j, t, "length of the normal", fabs(hypot(normal[0], normal[1]) - 1), WP_CONTRACT_UNIT);
	expect_below(
		j, t, "gap along the normal", fabs(oracle_2d_gap(&t->shape[0], &t->shape[1], normal) - t->separation), limit);
	judge_points(j, t, a->local[0][i], a->local[1][i], r->normal, (double)r->separation, limit);
	judge_world(j, t, r->point_a, 0, a->local[0][i], limit);
	judge_world(j, t, r->point_b, 1, a->local[1][i], limit);
	const double error = fabs((double)r->separation - t->separation) / t->unit;
	tally *const into = &j->tallies[t->pair->scenario];
	into->asked++;
	into->rough += fabs((double)r->separation - t->separation) > WP_CONTRACT_TYPICAL * t->unit + ROUNDING;
	into->worst = t->unit > 1e-37 ? fmax(into->worst, error) : into->worst;
}

static void judge_bracket(judge *j, const truth *t, const wp2d_row *r)
{
	const double exact = t->query == DISTANCE && t->separation < 0 ? 0 : t->separation;
	const bool wide = (r->status & WP_STATUS_WIDE_BRACKET) != 0;
	expect_below(j, t, "lower bound", (double)r->lower, exact);
	expect_below(j, t, "upper bound below the truth by", exact - (double)r->upper, 0);
	if (t->query >= DISTANCE && !wide && !(r->status & WP_STATUS_BEYOND))
		expect_below(j, t, "width of the bracket", (double)r->upper - (double)r->lower, WP_CONTRACT * t->unit);
	j->tallies[t->pair->scenario].wide += wide;
}

static void judge_manifold(judge *j, const truth *t, const answers *a, size_t i, float reach)
{
	const uint32_t count = a->count[i];
	const wp2d_row *const r = &a->row[i];
	const double limit = WP_CONTRACT_MANIFOLD * t->unit;
	double deepest = INFINITY;
	if (r->status & WP_STATUS_BEYOND) {
		expect_below(j, t, "points of a manifold beyond reach", count, 0);
		return;
	}
	/* Of a contact as far as the reach, rounding decides which of its points are within. */
	if (count > WP2D_MANIFOLD_POINT_MAX || (count == 0 && r->separation <= reach)) {
		fail(j, t, "points of a manifold", count, WP2D_MANIFOLD_POINT_MAX);
		return;
	}
	for (uint32_t k = 0; k < count; k++) {
		const wp2d_manifold_point *const p = &a->points[i][k];
		judge_points(j, t, p->local_a, p->local_b, r->normal, (double)p->separation, limit);
		judge_world(j, t, p->point_a, 0, p->local_a, limit);
		judge_world(j, t, p->point_b, 1, p->local_b, limit);
		expect_below(j, t, "separation of a point", (double)p->separation, (double)reach);
		deepest = fmin(deepest, (double)p->separation);
	}
	if (count != 0)
		expect_below(j, t, "deepest point", fabs(deepest - (double)r->separation), MANIFOLD_DEEPER * t->unit);
}

/* A point of both shapes. */
static void judge_common(judge *j, const truth *t, const answers *a, size_t i)
{
	const double limit = WP_CONTRACT * t->unit;
	for (int k = 0; k < 2; k++) {
		double at[2];
		place_local(t->pair, k, a->local[k][i], at);
		expect_below(j, t, "common point outside of A", oracle_2d_outside(&t->shape[0], at), limit);
		expect_below(j, t, "common point outside of B", oracle_2d_outside(&t->shape[1], at), limit);
	}
}

static void judge_state(judge *j, const truth *t, const answers *a, size_t i)
{
	const uint32_t status = a->row[i].status, states = WP_STATUS_SEPARATED | WP_STATUS_TOUCHING | WP_STATUS_PENETRATING;
	const uint32_t state = status & states;
	if (state == 0 || (state & (state - 1)) != 0 || (status & ~states & 0xffff8000u) != 0)
		fail(j, t, "status", status, 0);
	if (a->overlap[i] != !(status & WP_STATUS_SEPARATED))
		fail(j, t, "overlap", a->overlap[i], 0);
	if (status & WP_STATUS_SEPARATED && !(t->separation > 0))
		fail(j, t, "an overlap is dropped", (double)a->row[i].separation, t->separation);
	if (status & WP_STATUS_PENETRATING)
		expect_below(j, t, "no overlap", t->separation,
			t->query == CONTACT || t->query == SPECULATIVE ? 0 : WP_CONTRACT * t->unit);
}

static void judge_row(judge *j, truth *t, size_t i)
{
	tally *const into = &j->tallies[t->pair->scenario];
	for (t->query = OVERLAP; t->query < QUERIES; t->query++) {
		const answers *const a = &j->scalar[t->query];
		const wp2d_row *const r = &a->row[i];
		judge_state(j, t, a, i);
		judge_bracket(j, t, r);
		const bool common = t->query == DISTANCE && r->normal[0] == 0 && r->normal[1] == 0;
		if (common)
			judge_common(j, t, a, i);
		else if (t->query != OVERLAP && !(r->status & WP_STATUS_BEYOND))
			judge_gap(j, t, a, i);
		else if (t->query == SPECULATIVE)
			expect_below(j, t, "not beyond", (double)REACH, t->separation);
		if (t->query >= CONTACT)
			judge_manifold(j, t, a, i, t->query == CONTACT ? INFINITY : REACH);
	}
	const wp2d_row *const contact = &j->scalar[CONTACT].row[i];
	into->rows++;
	into->strong += (contact->status & WP_STATUS_STRONG) != 0;
	into->touching += (contact->status & WP_STATUS_TOUCHING) != 0;
	into->iterations += contact->iterations;
}

static void compare_variants(judge *j, const wp2d_batch *batch, uint64_t first)
{
	for (uint32_t v = WP_VARIANT_SCALAR + 1; v < WP_VARIANT_COUNT; v++) {
		if (j->workspace[v] == NULL)
			continue;
		for (int query = 0; query < QUERIES; query++) {
			ask(j->workspace[v], batch, query, &j->other);
			if (memcmp(&j->other, &j->scalar[query], sizeof j->other) == 0)
				continue;
			printf("pairs from %" PRIu64 ", %s: %s differs from scalar\n", first, query_names[query],
				wp_variant_name((wp_variant)v));
			j->failures++;
		}
	}
}

static void judge_chunk(judge *j, uint64_t first, size_t count)
{
	void *memory;
	for (size_t i = 0; i < count; i++)
		gen_2d(j->set.seed, first + i, &j->pair[i]);
	const wp2d_batch batch = batch_of(j, count, &memory);
	for (int query = 0; query < QUERIES; query++)
		ask(j->workspace[WP_VARIANT_SCALAR], &batch, query, &j->scalar[query]);
	compare_variants(j, &batch, first);
	for (size_t i = 0; i < count; i++) {
		truth t = truth_of(&j->pair[i], first + i);
		judge_row(j, &t, i);
	}
	block_free(memory);
}

/* ---- the program -------------------------------------------------------------------------------- */

/* Returns whether every promise was kept. */
static bool print_summary(const judge *j)
{
	uint64_t asked = 0, rough = 0;
	printf(
		"%-14s %10s %9s %9s %9s %7s %12s\n", "scenario", "pairs", "strong", "touching", "wide", "steps", "worst error");
	for (int s = 0; s < GEN_2D_SCENARIO_COUNT; s++) {
		const tally *const t = &j->tallies[s];
		asked += t->asked;
		rough += t->rough;
		printf("%-14s %10" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %7.2f %10.2g e\n", scenario_names[s],
			t->rows, t->strong, t->touching, t->wide, (double)t->iterations / fmax(1, (double)t->rows), t->worst);
	}
	printf("%" PRIu64 " of %" PRIu64 " answers have an error above %g e\n", rough, asked, WP_CONTRACT_TYPICAL);
	printf("%" PRIu64 " broken promises\n", j->failures);
	return j->failures == 0 && (double)rough <= (1 - WP_CONTRACT_TYPICAL_SHARE) * (double)asked;
}

typedef struct options_given {
	sequence set;
	bool casts;
} options_given;

static const option_row options[] = {
	{.name = "casts", .help = "judge casts of the pairs", .offset = offsetof(options_given, casts)},
	{.name = NULL},
};

int main(int argc, char **argv)
{
	static judge j;
	options_given given = {.set = {.pairs = 100000, .seed = 1}};
	sequence_parse("oracle_2d", "Random 2D pairs against an oracle; 100k where --pairs is not given.", options, &given,
		&given.set, argc, argv);
	j.set = given.set;
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++)
		if (wp_variant_available((wp_variant)v) == WP_OK)
			wp_workspace_init(block(WP_WORKSPACE_SIZE), WP_WORKSPACE_SIZE, (wp_variant)v, &j.workspace[v]);
	if (given.casts)
		return !casts_2d_judge(&j.set, j.workspace);
	progress bar = progress_start(j.set.pairs);
	for (uint64_t done = 0; done < j.set.pairs; done += CHUNK) {
		const uint64_t left = j.set.pairs - done;
		judge_chunk(&j, j.set.first + done, left < CHUNK ? (size_t)left : CHUNK);
		progress_step(&bar, done + (left < CHUNK ? left : CHUNK));
	}
	progress_end(&bar);
	return !print_summary(&j);
}
