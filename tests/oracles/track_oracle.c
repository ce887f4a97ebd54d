/* Frames of tracked pairs of random shapes under random motions, and planes that meet hostile poses.
 *
 *   track_oracle [--pairs N] [--first I] [--seed S] [--planes N]
 *
 * N may end in k or M. Each pair goes through FRAMES frames, by one of the motions of track_motion.h. The rows of
 * GEN_CONSTRUCTION_COUNT * TRACK_MOTION_COUNT pairs are one batch, whose options, roles and kinds of positions depend on its
 * number. Each frame is judged by wp_contact without a limit, of the same poses, and of every eighth batch by the reference:
 *  - a row that is WP_TRACK_KEPT is apart by what it says at least, and by more than max_separation;
 *  - one that is WP_TRACK_REUSED has a bracket that holds the truth, its separation and its deepest point's are within reuse_error
 *    of that, and its points are the last frame's with arms turned to the present poses, whose ends have not slid apart;
 *  - any other row has the bits of wp_contact_manifold from the same cache.
 * In every eighth batch all variants write the same bytes. Planes are judged by track_planes.h. Ends with tables, and 1 where
 * a promise was broken; the pair is printed in hex. */
#include "core/contract.h"
#include "progress.h"
#include "support/block.h"
#include "support/gen.h"
#include "support/number.h"
#include "support/sequence.h"
#include "track_motion.h"
#include "track_planes.h"
#include "widephase/widephase.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 12
#define CHUNK (GEN_CONSTRUCTION_COUNT * TRACK_MOTION_COUNT)
#define CLOSE_LOOK 8 /* every so many batches the reference and all variants answer too */
#define REPORTED_MAX 20

typedef struct settings {
	sequence seq;
	uint64_t planes;
} settings;

typedef struct tally {
	uint64_t frames, broken, apart, kept, near, reused;
	uint64_t proven;  /* with other bits than a query has */
	double error_max; /* of a reused separation, over reuse_error */
} tally;

/* What all pairs of a chunk keep. */
typedef struct memory {
	wp_tracked pairs[CHUNK];
	wp_persistent_manifold manifolds[CHUNK];
	wp_tracked_anchor anchors[CHUNK];
	wp_tracked_polytope polytopes[CHUNK];
	wp_row rows[CHUNK];
} memory;

/* One batch. */
typedef struct chunk {
	gen_corpus corpus;
	wp_shape_table *table;
	track_body bodies[2 * CHUNK];
	uint32_t pairs[CHUNK][2];
	wp_batch batch;
	wp_track_options options;
	bool looks_closely;
	bool proves; /* has polytopes */
	memory now, before, other;
	wp_row truth[CHUNK], queried[CHUNK];
	wp_cache caches[CHUNK];
	uint32_t counts[CHUNK];
	wp_manifold_point points[CHUNK][WP_PERSISTENT_POINT_MAX];
	float float_positions[2 * CHUNK][3];
	track_body asked[2 * CHUNK]; /* where the bodies were when their pair was queried last */
} chunk;

typedef struct judge {
	settings set;
	wp_workspace *workspace[WP_VARIANT_COUNT];
	tally tallies[TRACK_MOTION_COUNT];
	uint64_t reported;
} judge;

static void stop_on(wp_error error)
{
	if (error == WP_OK)
		return;
	fprintf(stderr, "track_oracle: %s\n", wp_error_text(error));
	exit(2);
}

/* ---- a chunk ------------------------------------------------------------------------------------ */

/* Which pairs, roles, lengths and numbers a batch has. */
static void choose(uint64_t number, gen_options *corpus, chunk *c, bool *is_swapped, bool *has_doubles)
{
	static const float limits[] = {0.0f, 1e-3f, 0.02f, 0.3f, INFINITY},
					   errors[] = {0.0f, 1e-6f, 1e-3f, 0.01f, 0.1f, INFINITY};
	uint64_t state = corpus->seed + 0x632be59bd9b4e019u * (number + 1);
	gen_random random;
	gen_seed(&random, gen_splitmix(&state));
	corpus->smooth = gen_below(&random, 2) ? GEN_SMOOTH_ALL : GEN_SMOOTH_NONE;
	corpus->half_spaces = gen_below(&random, 3) == 0;
	c->options.max_separation = limits[gen_below(&random, 5)];
	c->options.reuse_error = errors[gen_below(&random, 6)];
	c->options.merging = gen_below(&random, 2) ? 0.02f : 0.0f;
	c->looks_closely = number % CLOSE_LOOK == 0;
	*is_swapped = gen_below(&random, 2);
	*has_doubles = gen_below(&random, 2);
	c->proves = gen_below(&random, 2);
}

static void make_batch(size_t count, bool is_swapped, bool has_doubles, chunk *c)
{
	for (uint32_t i = 0; i < count; i++) {
		c->pairs[i][is_swapped] = 2 * i;
		c->pairs[i][!is_swapped] = 2 * i + 1;
	}
	c->batch = (wp_batch){.shapes = c->table,
		.a = {.position = {c->float_positions},
			.rotation = {c->bodies[0].rotation, sizeof *c->bodies},
			.count = 2 * count},
		.pair_a = {&c->pairs[0][0], sizeof c->pairs[0]},
		.pair_b = {&c->pairs[0][1], sizeof c->pairs[0]},
		.count = count};
	if (has_doubles) {
		c->batch.a.position.data = c->bodies[0].position;
		c->batch.a.position.stride = sizeof *c->bodies;
		c->batch.a.position_real = WP_REAL_DOUBLE;
	}
}

static void make_chunk(const judge *j, uint64_t first, size_t count, chunk *c)
{
	gen_options options = {.seed = j->set.seq.seed, .vertex_max = 20};
	bool is_swapped, has_doubles;
	const wp_shape_table *built;
	choose(first / CHUNK, &options, c, &is_swapped, &has_doubles);
	if (!gen_corpus_make(&options, first, count, &c->corpus)) {
		fputs("track_oracle: a pair cannot be made\n", stderr);
		exit(2);
	}
	const size_t size = wp_shape_table_size(2 * count);
	c->table = block(size);
	stop_on(wp_shape_table_build(c->corpus.shapes, 2 * count, c->table, size, &built, NULL));
	for (size_t i = 0; i < 2 * count; i++) {
		memcpy(c->bodies[i].rotation, c->corpus.poses[i].rotation, sizeof c->bodies[i].rotation);
		for (int k = 0; k < 3; k++)
			c->bodies[i].position[k] = (double)c->corpus.poses[i].position[k];
	}
	make_batch(count, is_swapped, has_doubles, c);
	memset(&c->now, 0, sizeof c->now);
}

/* Half-spaces have no size. */
static double size_of(const chunk *c, uint32_t shape)
{
	const float bound = wp_shape_table_bound(c->table, shape);
	return isinf(bound) ? 0 : (double)bound;
}

/* Where floats are requested, bodies are where floats place them. */
static void place_bodies(chunk *c)
{
	const bool has_floats = c->batch.a.position_real == WP_REAL_FLOAT;
	for (size_t i = 0; i < 2 * c->batch.count; i++) {
		for (int k = 0; k < 3; k++) {
			c->float_positions[i][k] = gen_rounded(c->bodies[i].position[k]);
			if (has_floats)
				c->bodies[i].position[k] = (double)c->float_positions[i][k];
		}
	}
}

static void move_bodies(const judge *j, uint64_t first, uint32_t frame, chunk *c)
{
	for (uint32_t i = 0; i < c->batch.count; i++) {
		uint64_t state = (j->set.seq.seed ^ 0x9e3779b97f4a7c15u * (first + i + 1)) + frame;
		gen_random random;
		gen_seed(&random, gen_splitmix(&state));
		const double size = size_of(c, 2 * i) + size_of(c, 2 * i + 1);
		const float *const n = c->truth[i].normal;
		const double sign = c->pairs[i][0] == 2 * i ? 1 : -1;
		track_move(
			&random, track_motion_of(first + i), frame, size, v3_scale(v3_of_floats(n), sign), &c->bodies[2 * i]);
	}
}

/* ---- asking ------------------------------------------------------------------------------------- */

static void ask_frame(wp_workspace *workspace, const chunk *c, memory *m)
{
	const wp_tracked_pairs tracked = {.pairs = m->pairs,
		.manifolds = m->manifolds,
		.anchors = m->anchors,
		.count = c->batch.count,
		.polytopes = c->proves ? m->polytopes : NULL};
	const wp_results results = wp_results_of_rows(m->rows);
	stop_on(wp_track(workspace, &c->batch, &c->options, &tracked, &results, NULL, NULL));
}

/* The truth, and the answer of a query from the same cache. */
static void ask_queries(wp_workspace *workspace, chunk *c)
{
	wp_results results = wp_results_of_rows(c->truth);
	stop_on(wp_contact(workspace, &c->batch, &(wp_contact_options){.max_separation = INFINITY}, &results, NULL));
	for (size_t i = 0; i < c->batch.count; i++)
		c->caches[i] = c->before.pairs[i].known;
	results = wp_results_of_rows(c->queried);
	results.cache.data = c->caches;
	const wp_manifolds manifolds = {
		.count = {c->counts}, .points = {c->points[0]}, .point_max = WP_PERSISTENT_POINT_MAX};
	stop_on(wp_contact_manifold(workspace, &c->batch,
		&(wp_contact_options){.max_separation = c->options.max_separation}, &results, &manifolds, NULL));
}

/* Whether all variants write the bytes of the first one. */
static bool is_same_by_all(const judge *j, chunk *c)
{
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		if (j->workspace[v] == NULL)
			continue;
		memcpy(&c->other, &c->before, sizeof c->other);
		ask_frame(j->workspace[v], c, &c->other);
		if (memcmp(&c->other, &c->now, sizeof c->now) != 0)
			return false;
	}
	return true;
}

/* ---- judging ------------------------------------------------------------------------------------ */

/* One row as it is judged. */
typedef struct subject {
	const chunk *c;
	const wp_tracked *pair;
	const wp_persistent_manifold *manifold, *old;
	const wp_row *row, *truth;
	const track_body *a, *b;
	double size;         /* of both shapes */
	double lower, upper; /* of the truth */
} subject;

static subject subject_of(const chunk *c, size_t i, bool asks_reference)
{
	const uint32_t *const p = c->pairs[i];
	subject s = {c, &c->now.pairs[i], &c->now.manifolds[i], &c->before.manifolds[i], &c->now.rows[i], &c->truth[i],
		&c->bodies[p[0]], &c->bodies[p[1]], size_of(c, p[0]) + size_of(c, p[1]), (double)c->truth[i].lower,
		(double)c->truth[i].upper};
	wp_reference_row row;
	if (asks_reference &&
		wp_reference_contact_pair(&c->corpus.shapes[p[0]], s.a->position, s.a->rotation, &c->corpus.shapes[p[1]],
			s.b->position, s.b->rotation, &row) == WP_OK &&
		!(row.status & (WP_STATUS_INVALID | WP_STATUS_ITERATION_CAP))) {
		s.lower = fmax(s.lower, row.lower);
		s.upper = fmin(s.upper, row.upper);
	}
	return s;
}

static const char *judge_kept(const subject *s, tally *t)
{
	const double said = (double)s->row->separation;
	t->kept++;
	if (!(said <= s->upper))
		return "a pair that is kept apart is apart by what it says";
	if (!(s->row->separation > s->c->options.max_separation))
		return "a pair that is kept apart is beyond max_separation";
	if (s->row->lower != s->row->separation || !isinf(s->row->upper) || s->pair->count != 0 ||
		s->row->status != (WP_STATUS_SEPARATED | WP_STATUS_BEYOND) || s->row->iterations != 0)
		return "the row of a pair that is kept apart is as track.h says";
	return fabs(v3_length(v3_of_floats(s->row->normal)) - 1) <= WP_CONTRACT_UNIT ? NULL : "normals are unit";
}

/* How far an arm is from the turned local point, of the length that it may be off by. */
static double arm_error(const track_body *body, const float local[3], const float arm[3])
{
	const v3 l = v3_of_floats(local), turned = m3_apply(m3_of_quaternion(body->rotation), l);
	return v3_length(v3_sub(turned, v3_of_floats(arm))) - 4e-6 * v3_length(l) - 1e-44;
}

static const char *judge_points(const subject *s)
{
	const v3 n = v3_of_floats(s->row->normal), from = v3_of(s->a->position[0], s->a->position[1], s->a->position[2]);
	const v3 way = v3_sub(v3_of(s->b->position[0], s->b->position[1], s->b->position[2]), from);
	for (uint32_t k = 0; k < s->pair->count; k++) {
		const wp_persistent_point *const p = &s->manifold->points[k];
		const wp_persistent_place *const place = &s->manifold->places[k];
		if (memcmp(place, &s->old->places[k], sizeof *place) != 0 ||
			memcmp(s->manifold->impulses[k], s->old->impulses[k], sizeof s->old->impulses[k]) != 0 ||
			p->age != s->old->points[k].age + 1)
			return "points that are reused are the last frame's";
		if (!(arm_error(s->a, place->local_a, p->arm_a) <= 0 && arm_error(s->b, place->local_b, p->arm_b) <= 0))
			return "arms are local points turned";
		const v3 arm_a = v3_of_floats(p->arm_a), arm_b = v3_of_floats(p->arm_b);
		const double gap = v3_dot(n, v3_add(way, v3_sub(arm_b, arm_a)));
		const double most = v3_length(way) + v3_length(arm_a) + v3_length(arm_b);
		if (!(fabs(gap - (double)p->separation) <= 2e-6 * most + 1e-44))
			return "separations of points are those along the normal";
		const v3 across = v3_sub(v3_add(way, v3_sub(arm_b, arm_a)), v3_scale(n, gap));
		const double slide = fmax((double)s->c->options.merging, (double)s->c->options.reuse_error);
		/* Squares are compared, of lengths up to both ends' distance. */
		const double apart = fabs(gap) + slide, off = 1e-6 * apart * fmin(apart / slide, 1e3) + 4e-6 * most;
		if (slide < 1e18 && slide > 1e-18 && !(v3_length(across) <= slide * (1 + 1e-5) + off))
			return "both ends of a point that is reused have not slid apart";
	}
	return NULL;
}

static const char *judge_reused(const subject *s, tally *t)
{
	const wp_row *const row = s->row;
	const double error = (double)s->c->options.reuse_error, said = (double)row->separation;
	t->reused++;
	if ((double)row->lower > s->upper || (double)row->upper < s->lower)
		return "the bracket of a row that is reused holds the truth";
	if (!(row->lower <= row->separation && row->separation <= row->upper))
		return "the separation is within its bracket";
	if (isfinite(error))
		t->error_max = fmax(t->error_max, fmax(said - s->upper, s->lower - said) / error);
	if (said - s->upper > error || s->lower - said > error)
		return "the separation of a row that is reused is within reuse_error";
	double least = INFINITY;
	for (uint32_t k = 0; k < s->pair->count; k++)
		least = fmin(least, (double)s->manifold->points[k].separation);
	if (least - s->upper > error || s->lower - least > error)
		return "the deepest point that is reused is within reuse_error";
	const uint32_t state = row->lower > 0 ? WP_STATUS_SEPARATED
	                     : row->upper < 0 ? WP_STATUS_PENETRATING
	                                      : WP_STATUS_TOUCHING;
	if (row->status != (state | WP_STATUS_WIDE_BRACKET) || row->separation > s->c->options.max_separation ||
		s->pair->count == 0 || s->pair->count != s->old->count || s->manifold->count != s->old->count)
		return "the row of a pair that is reused is as track.h says";
	if (!(fabs(v3_length(v3_of_floats(row->normal)) - 1) <= WP_CONTRACT_UNIT))
		return "normals are unit";
	return judge_points(s);
}

/* Whether a point of a query is among those that are kept. */
static bool is_kept(const wp_persistent_manifold *m, const wp_manifold_point *point)
{
	for (uint32_t k = 0; k < m->count; k++) {
		const wp_persistent_point *const p = &m->points[k];
		const wp_persistent_place *const place = &m->places[k];
		if (memcmp(place->local_a, point->local_a, sizeof place->local_a) == 0 &&
			memcmp(place->local_b, point->local_b, sizeof place->local_b) == 0 &&
			memcmp(&p->separation, &point->separation, sizeof p->separation) == 0 &&
			place->feature_a == point->feature_a && place->feature_b == point->feature_b)
			return true;
	}
	return false;
}

static const char *unlike_query(
	const subject *s, const wp_row *queried, const wp_manifold_point *points, uint32_t count)
{
	if (memcmp(s->row, queried, sizeof *queried) != 0)
		return "a row that is queried has the bits of wp_contact_manifold";
	if (s->pair->count != count || (count != 0 && s->manifold->count != count))
		return "a pair that is queried has the points of wp_contact_manifold";
	for (uint32_t k = 0; k < count; k++)
		if (!is_kept(s->manifold, &points[k]))
			return "points of a pair that is queried have the bits of wp_contact_manifold";
	return NULL;
}

static const char *judge_queried(
	const subject *s, const wp_row *queried, const wp_manifold_point *points, uint32_t count)
{
	const char *const broken = unlike_query(s, queried, points, count);
	if (broken != NULL)
		return broken;
	for (uint32_t k = 0; k < count; k++) {
		const wp_persistent_point *const p = &s->manifold->points[k];
		const wp_persistent_place *const place = &s->manifold->places[k];
		if (!(arm_error(s->a, place->local_a, p->arm_a) <= 4e-6 * s->size &&
				arm_error(s->b, place->local_b, p->arm_b) <= 4e-6 * s->size))
			return "arms of new points are local points turned";
	}
	return NULL;
}

/* A depth that a polytope proves again need not have the bits of a query. */
static const char *judge_proven(const subject *s, tally *t)
{
	const wp_row *const row = s->row;
	const uint32_t *const p = s->c->pairs[s->row - s->c->now.rows];
	const double said = (double)row->separation, e = fmax(size_of(s->c, p[0]), size_of(s->c, p[1])) + fabs(said);
	t->proven++;
	if ((double)row->lower > s->upper || (double)row->upper < s->lower)
		return "the bracket of a depth that is proven again holds the truth";
	if (!(row->lower <= row->separation && row->separation <= row->upper) ||
		(double)row->upper - (double)row->lower > WP_CONTRACT * e)
		return "the bracket of a depth that is proven again is as query.h says";
	const uint32_t state = row->lower > 0 ? WP_STATUS_SEPARATED
	                     : row->upper < 0 ? WP_STATUS_PENETRATING
	                                      : WP_STATUS_TOUCHING;
	if (row->status != state)
		return "the status of a depth that is proven again is that of its bracket";
	if (s->pair->count == 0 || s->manifold->count != s->pair->count)
		return "a pair whose depth is proven again has points";
	return fabs(v3_length(v3_of_floats(row->normal)) - 1) <= WP_CONTRACT_UNIT ? NULL : "normals are unit";
}

static const char *judge_row(chunk *c, size_t i, bool same, tally *t)
{
	const uint32_t event = c->now.pairs[i].event;
	const bool is_known = (event & (WP_TRACK_KEPT | WP_TRACK_REUSED)) != 0;
	subject s = subject_of(c, i, c->looks_closely && is_known);
	/* A depth that is proven again may have the bits of the query's row, but other features, and so other points. */
	const bool is_proven = c->proves && !is_known &&
	                       unlike_query(&s, &c->queried[i], c->points[i], c->counts[i]) != NULL;
	if (is_proven)
		s = subject_of(c, i, true);
	const bool had = c->before.pairs[i].count != 0, has = s.pair->count != 0;
	t->frames++;
	t->apart += !has;
	t->near += has;
	if (!same)
		return "all variants write the same bytes";
	if (memcmp(&s.pair->separation, &s.row->separation, sizeof(float)) != 0 || s.pair->status != s.row->status)
		return "a pair has the separation and status of its row";
	if (((event & WP_TRACK_BEGAN) != 0) != (has && !had) || ((event & WP_TRACK_ENDED) != 0) != (had && !has))
		return "pairs begin and end to touch when they have points";
	const char *const broken = event == WP_TRACK_KEPT   ? judge_kept(&s, t)
	                         : event == WP_TRACK_REUSED ? judge_reused(&s, t)
	                         : is_known                 ? "events are one of four"
	                         : is_proven                ? judge_proven(&s, t)
	                                                    : judge_queried(&s, &c->queried[i], c->points[i], c->counts[i]);
	return broken;
}

/* ---- reporting ---------------------------------------------------------------------------------- */

static void print_shape(const wp_shape *s)
{
	printf("  kind %u radius %a half_height %a half_extents %a %a %a base_radius %a\n", (unsigned)s->kind,
		(double)s->radius, (double)s->half_height, (double)s->half_extents[0], (double)s->half_extents[1],
		(double)s->half_extents[2], (double)s->base_radius);
	for (int i = 0; i < 3 && (s->kind == WP_SHAPE_SEGMENT || s->kind == WP_SHAPE_TRIANGLE); i++)
		printf("    point %a %a %a\n", (double)s->points[i][0], (double)s->points[i][1], (double)s->points[i][2]);
	for (size_t i = 0; s->kind == WP_SHAPE_HULL && i < wp_hull_vertex_count(s->hull); i++) {
		float v[3];
		wp_hull_vertex(s->hull, i, v);
		printf("    vertex %a %a %a\n", (double)v[0], (double)v[1], (double)v[2]);
	}
}

static void print_body(const char *when, const track_body *body)
{
	const float *const q = body->rotation;
	printf("  %s: position %a %a %a rotation %a %a %a %a\n", when, body->position[0], body->position[1],
		body->position[2], (double)q[0], (double)q[1], (double)q[2], (double)q[3]);
}

static void report(judge *j, const chunk *c, size_t i, uint64_t index, uint32_t frame, const char *promise)
{
	const wp_row *const row = &c->now.rows[i], *const truth = &c->truth[i];
	if (j->reported++ >= REPORTED_MAX)
		return;
	printf("broken: %s, by pair %" PRIu64 " of seed %" PRIu64
		   " in frame %u (%s, %s), event %u, max_separation %g, reuse_error "
		   "%g\n  separation %a in %a .. %a, status %x; truth %a in %a .. %a, status %x\n",
		promise, index, j->set.seq.seed, frame, gen_construction_name((gen_construction)c->corpus.constructions[i]),
		track_motion_name(track_motion_of(index)), c->now.pairs[i].event, (double)c->options.max_separation,
		(double)c->options.reuse_error, (double)row->separation, (double)row->lower, (double)row->upper, row->status,
		(double)truth->separation, (double)truth->lower, (double)truth->upper, truth->status);
	for (int side = 0; side < 2; side++) {
		const uint32_t body = c->pairs[i][side];
		print_shape(&c->corpus.shapes[body]);
		print_body("then", &c->asked[body]);
		print_body("now", &c->bodies[body]);
	}
}

static void print_tally(const char *name, const tally *t)
{
	printf("%-12s %10" PRIu64 " %8" PRIu64 " %9.2f %9.2f %9.2f %10.3g\n", name, t->frames, t->broken,
		100 * (double)t->kept / fmax(1, (double)t->apart), 100 * (double)t->reused / fmax(1, (double)t->near),
		100 * (double)t->proven / fmax(1, (double)t->near), t->error_max);
}

static uint64_t print_summary(const judge *j)
{
	tally all = {0};
	printf(
		"%-12s %10s %8s %9s %9s %9s %10s\n", "motion", "frames", "broken", "kept %", "reused %", "proven %", "error");
	for (int m = 0; m < TRACK_MOTION_COUNT; m++) {
		const tally *const t = &j->tallies[m];
		print_tally(track_motion_name((track_motion)m), t);
		all.frames += t->frames;
		all.broken += t->broken;
		all.apart += t->apart;
		all.kept += t->kept;
		all.near += t->near;
		all.reused += t->reused;
		all.proven += t->proven;
		all.error_max = fmax(all.error_max, t->error_max);
	}
	print_tally("all", &all);
	return all.broken;
}

/* ---- the whole ---------------------------------------------------------------------------------- */

static void judge_frame(judge *j, chunk *c, uint64_t first, uint32_t frame)
{
	place_bodies(c);
	memcpy(&c->before, &c->now, sizeof c->now);
	ask_frame(j->workspace[WP_VARIANT_AUTO], c, &c->now);
	ask_queries(j->workspace[WP_VARIANT_AUTO], c);
	const bool same = !c->looks_closely || is_same_by_all(j, c);
	for (size_t i = 0; i < c->batch.count; i++) {
		tally *const t = &j->tallies[track_motion_of(first + i)];
		const char *const broken = judge_row(c, i, same, t);
		t->broken += broken != NULL;
		if (broken != NULL)
			report(j, c, i, first + i, frame, broken);
		if (!(c->now.pairs[i].event & (WP_TRACK_KEPT | WP_TRACK_REUSED)))
			memcpy(&c->asked[2 * i], &c->bodies[2 * i], 2 * sizeof *c->bodies);
	}
}

static void judge_chunk(judge *j, chunk *c, uint64_t first, size_t count)
{
	make_chunk(j, first, count, c);
	for (uint32_t frame = 0; frame < FRAMES; frame++) {
		if (frame != 0)
			move_bodies(j, first, frame, c);
		judge_frame(j, c, first, frame);
	}
	block_free(c->table);
	gen_corpus_free(&c->corpus);
}

static const option_row options[] = {
	{.name = "planes",
		.argument = "N",
		.help = "how many poses planes meet besides (default 1M)",
		.read = option_whole,
		.offset = offsetof(settings, planes),
		.possible = "a number"},
	{.name = NULL},
};

int main(int argc, char **argv)
{
	static judge j = {.set = {.seq = {.pairs = 10000, .seed = 1}, .planes = 1000000}};
	static chunk c;
	sequence_parse("track_oracle",
		"Frames of tracked pairs against queries and proofs; 10k pairs where --pairs is not given.", options, &j.set,
		&j.set.seq, argc, argv);
	for (uint32_t v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++)
		if (wp_variant_available((wp_variant)v) == WP_OK)
			stop_on(wp_workspace_init(block(WP_WORKSPACE_SIZE), WP_WORKSPACE_SIZE, (wp_variant)v, &j.workspace[v]));
	progress bar = progress_start(j.set.seq.pairs);
	for (uint64_t done = 0, count; done < j.set.seq.pairs; done += count) {
		const uint64_t first = j.set.seq.first + done, room = CHUNK - first % CHUNK, left = j.set.seq.pairs - done;
		count = left < room ? left : room;
		judge_chunk(&j, &c, first, (size_t)count);
		progress_step(&bar, done + count);
	}
	progress_end(&bar);
	const uint64_t broken = print_summary(&j);
	return track_planes_judge(j.workspace[WP_VARIANT_AUTO], j.set.seq.seed, j.set.planes) + broken != 0;
}
