/* A pair has the same bits alone and in any company. Batch after batch of pairs at random: each pair is asked alone, by scalar,
 * and then beside others by every variant of the machine, in any order, in ranges of any size, more than once, with any choice of
 * outputs; by the calls for one pair, too. Batches of a few kinds and constructions alone fill whole blocks of lanes with them,
 * and pairs that move from frame to frame take the ways of caches and of tracked pairs. A plain program; exits with 1 where
 * bits differ.
 *   company [--pairs N] [--first I] [--seed S] [--expect DIGEST] */
#include "kernels/company.h"
#include "support/gen.h"

#include <stdbool.h>
#include <stdlib.h>

enum {
	PAIRS = 64,     /* of a question */
	CORPUS = 384,   /* of which they are chosen */
	ROWS_MAX = 200, /* of a batch whose pairs come more than once */
	FRAMES = 5,     /* of pairs that are kept */
	QUESTIONS = 6,  /* about a corpus, each with pairs of its own */
	BODIES = 2 * PAIRS,
	TABLE = 2 * CORPUS + 2 /* the corpus, a point and a ball */
};

typedef enum query_kind { OVERLAP, DISTANCE, CONTACT, MANIFOLD, CAST, DEPTH, METHOD, TRACK, QUERIES } query_kind;

static const char *const query_names[QUERIES] = {
	"overlap", "distance", "contact", "manifold", "cast", "depth along", "method", "track"};

/* What is asked of all pairs of a batch. */
typedef struct question {
	query_kind kind;
	int frames; /* more than one: of caches or tracked pairs */
	bool has_caches, has_polytopes, has_anchors, is_turning, has_doubles;
	wp_contact_options contact;
	wp_method_options method;
	wp_track_options track;
	uint32_t point_max;
} question;

/* A batch: its pairs, as bodies 2 i and 2 i + 1. */
typedef struct world {
	const wp_shape_table *table;
	const wp_shape *shapes;
	uint32_t shape[BODIES];
	wp_pose poses[FRAMES][BODIES];
	double positions[FRAMES][BODIES][3];
	float translations[BODIES][3];
	wp_pose ends[BODIES]; /* of casts */
	float direction[3];
} world;

/* Every output, zero where it was not requested. */
typedef struct answer {
	wp_row row;
	float local_a[3], local_b[3], tangents[2][3], fraction;
	uint32_t overlap;       /* of which one byte is written */
	uint32_t count, unused; /* no padding, which machines have in different places */
	wp_manifold_point points[WP_MANIFOLD_POINT_MAX];
	wp_solver_point solver_points[WP_MANIFOLD_POINT_MAX];
	double point_a[3], point_b[3];
} answer;

/* What is kept of all pairs. */
typedef struct kept {
	wp_cache caches[PAIRS];
	wp_tracked pairs[PAIRS];
	wp_persistent_manifold manifolds[PAIRS];
	wp_tracked_anchor anchors[PAIRS];
	wp_tracked_polytope polytopes[PAIRS];
} kept;

/* Which outputs a call requests: bits. */
enum {
	OUT_SEPARATION,
	OUT_NORMAL,
	OUT_POINTS,
	OUT_BOUNDS,
	OUT_STATUS,
	OUT_ITERATIONS,
	OUT_LOCALS,
	OUT_TANGENTS,
	OUT_OVERLAP,
	OUT_FRACTION,
	OUT_SOLVER,
	OUT_COUNT
};

/* ---- batches at random -------------------------------------------------------------------------- */

/* Which pairs of a corpus: of one class of kinds, of two, or any. */
static void choose_pairs(gen_random *random, const gen_corpus *corpus, uint32_t chosen[PAIRS])
{
	const uint32_t classes = gen_below(random, 3);
	uint32_t kinds[2][2];
	for (uint32_t c = 0; c < 2; c++) {
		const uint32_t pair = gen_below(random, CORPUS);
		for (uint32_t side = 0; side < 2; side++)
			kinds[c][side] = corpus->shapes[2 * pair + side].kind;
	}
	uint32_t fit[CORPUS], count = 0;
	for (uint32_t i = 0; i < CORPUS; i++) {
		bool is_fit = classes == 0;
		for (uint32_t c = 0; c < classes; c++)
			is_fit |= corpus->shapes[2 * i].kind == kinds[c][0] && corpus->shapes[2 * i + 1].kind == kinds[c][1];
		if (is_fit)
			fit[count++] = i;
	}
	for (uint32_t i = 0; i < PAIRS; i++)
		chosen[i] = count >= PAIRS ? fit[i * count / PAIRS] : fit[i % count];
}

/* Each frame all bodies but a few move by up to a part of their pair's size. */
static void move_bodies(gen_random *random, world *w)
{
	static const double parts[] = {0, 1e-6, 1e-4, 1e-3, 4e-3, 2e-2, 0.2};
	const double part = parts[gen_below(random, 7)], turn = parts[gen_below(random, 7)];
	for (uint32_t i = 0; i < BODIES; i++) {
		const float bound_a = wp_shape_table_bound(w->table, w->shape[i]),
					bound_b = wp_shape_table_bound(w->table, w->shape[i ^ 1]);
		const double size = (double)(bound_a < bound_b ? bound_a : bound_b);
		const bool is_still = chance(random, 6), is_gone = chance(random, 40);
		for (int f = 1; f < FRAMES; f++) {
			const wp_pose *const from = &w->poses[f - 1][i];
			wp_pose *const to = &w->poses[f][i];
			*to = *from;
			for (int k = 0; k < 3 && !is_still; k++)
				to->position[k] += (float)((is_gone ? 3.0 : part) * size * gen_range(random, -1, 1));
			for (int k = 0; k < 4 && !is_still; k++)
				to->rotation[k] += (float)(turn * gen_range(random, -1, 1));
			double squared = 0;
			for (int k = 0; k < 4; k++)
				squared += (double)to->rotation[k] * (double)to->rotation[k];
			for (int k = 0; k < 4 && !is_still && squared > 0.1; k++)
				to->rotation[k] = (float)((double)to->rotation[k] / __builtin_sqrt(squared));
		}
	}
}

static void make_world(gen_random *random, const gen_corpus *corpus, world *w)
{
	uint32_t chosen[PAIRS];
	choose_pairs(random, corpus, chosen);
	const bool has_rays = chance(random, 4);
	const double offset = chance(random, 2) ? 0 : gen_range(random, -1e4, 1e4);
	for (uint32_t i = 0; i < BODIES; i++) {
		w->shape[i] = 2 * chosen[i / 2] + i % 2;
		w->poses[0][i] = corpus->poses[2 * chosen[i / 2] + i % 2];
		if (has_rays && i % 2 == gen_below(random, 4) % 2)
			w->shape[i] = 2 * CORPUS + gen_below(random, 2);
	}
	move_bodies(random, w);
	for (uint32_t i = 0; i < BODIES; i++) {
		const wp_pose *const self = &w->poses[0][i], *const other = &w->poses[0][i ^ 1];
		const double reach = i % 2 ? gen_range(random, 0, 2.5) : 0;
		w->ends[i] = chance(random, 3) ? *self : *other;
		for (uint32_t k = 0; k < 3; k++) {
			const uint32_t next = (k + 1) % 3;
			const double way = reach * ((double)other->position[k] - (double)self->position[k]),
						 aside = (double)other->position[next] - (double)self->position[next];
			w->ends[i].position[k] = (float)((double)self->position[k] + way + gen_range(random, -0.2, 0.2) * aside);
			w->translations[i][k] = w->ends[i].position[k] - self->position[k];
			for (int f = 0; f < FRAMES; f++)
				w->positions[f][i][k] = (double)w->poses[f][i].position[k] + offset;
		}
	}
	for (int k = 0; k < 3; k++)
		w->direction[k] = (float)gen_range(random, -1, 1);
}

/* Lengths are parts of a size. Each number is drawn by a statement of its own: the order within an initializer is the
 * compiler's choice. */
static question make_question(gen_random *random, float size)
{
	const float lengths[] = {0.0f, 1e-3f * size, 0.02f * size, 0.3f * size, 1e30f};
	question q = {.kind = gen_below(random, QUERIES), .frames = 1};
	if (chance(random, 3))
		q.kind = TRACK;
	q.contact.max_separation = lengths[gen_below(random, 5)];
	q.point_max = 1 + gen_below(random, WP_MANIFOLD_POINT_MAX);
	q.method.method = gen_below(random, WP_METHOD_COUNT);
	q.method.directions = 6 + gen_below(random, 40);
	q.method.margin = lengths[gen_below(random, 4)];
	q.is_turning = chance(random, 2);
	q.has_doubles = chance(random, 4);
	q.has_caches = q.kind <= MANIFOLD && chance(random, 2);
	if (q.kind == TRACK) {
		const float errors[] = {0.0f, 1e-4f * size, 1e-3f * size, 4e-3f * size, 0.02f * size, 0.1f * size};
		q.track.max_separation = lengths[gen_below(random, 4)];
		q.track.merging = lengths[gen_below(random, 4)];
		q.track.reuse_error = errors[gen_below(random, 6)];
		q.has_anchors = q.track.reuse_error > 0;
		q.has_polytopes = chance(random, 2);
	}
	q.frames = q.has_caches || q.kind == TRACK ? FRAMES : 1;
	return q;
}

/* ---- asking ------------------------------------------------------------------------------------- */

static bool wants(uint32_t outputs, int output) { return outputs >> output & 1; }

static wp_results results_of(const question *q, uint32_t outputs, answer *a, wp_cache *caches)
{
	const size_t s = sizeof *a;
	wp_results r = {.point_real = q->has_doubles ? WP_REAL_DOUBLE : WP_REAL_FLOAT, .cache = {caches, 0}};
	if (wants(outputs, OUT_SEPARATION))
		r.separation = (wp_float_column){&a->row.separation, s};
	if (wants(outputs, OUT_NORMAL))
		r.normal = (wp_float_column){a->row.normal, s};
	if (wants(outputs, OUT_POINTS)) {
		r.point_a.data = q->has_doubles ? (void *)a->point_a : (void *)a->row.point_a;
		r.point_b.data = q->has_doubles ? (void *)a->point_b : (void *)a->row.point_b;
		r.point_a.stride = r.point_b.stride = s;
	}
	if (wants(outputs, OUT_BOUNDS)) {
		r.lower = (wp_float_column){&a->row.lower, s};
		r.upper = (wp_float_column){&a->row.upper, s};
	}
	if (wants(outputs, OUT_STATUS))
		r.status = (wp_uint32_column){&a->row.status, s};
	if (wants(outputs, OUT_ITERATIONS))
		r.iterations = (wp_uint32_column){&a->row.iterations, s};
	if (wants(outputs, OUT_LOCALS)) {
		r.local_a = (wp_float_column){a->local_a, s};
		r.local_b = (wp_float_column){a->local_b, s};
	}
	if (wants(outputs, OUT_TANGENTS)) {
		r.tangent_1 = (wp_float_column){a->tangents[0], s};
		r.tangent_2 = (wp_float_column){a->tangents[1], s};
	}
	if (wants(outputs, OUT_OVERLAP))
		r.overlap = (wp_uint8_column){(uint8_t *)&a->overlap, s};
	return r;
}

/* What a call with fewer outputs leaves at zero. */
static answer selected(const question *q, uint32_t outputs, const answer *from)
{
	answer a = *from;
	if (!wants(outputs, OUT_SEPARATION))
		memset(&a.row.separation, 0, sizeof a.row.separation);
	if (!wants(outputs, OUT_NORMAL))
		memset(a.row.normal, 0, sizeof a.row.normal);
	if (!wants(outputs, OUT_POINTS)) {
		memset(a.row.point_a, 0, sizeof a.row.point_a);
		memset(a.row.point_b, 0, sizeof a.row.point_b);
		memset(a.point_a, 0, sizeof a.point_a);
		memset(a.point_b, 0, sizeof a.point_b);
	}
	if (!wants(outputs, OUT_BOUNDS)) {
		memset(&a.row.lower, 0, sizeof a.row.lower);
		memset(&a.row.upper, 0, sizeof a.row.upper);
	}
	if (!wants(outputs, OUT_STATUS))
		a.row.status = 0;
	if (!wants(outputs, OUT_ITERATIONS))
		a.row.iterations = 0;
	if (!wants(outputs, OUT_LOCALS)) {
		memset(a.local_a, 0, sizeof a.local_a);
		memset(a.local_b, 0, sizeof a.local_b);
	}
	if (!wants(outputs, OUT_TANGENTS))
		memset(a.tangents, 0, sizeof a.tangents);
	if (!wants(outputs, OUT_OVERLAP))
		a.overlap = 0;
	if (!wants(outputs, OUT_FRACTION))
		a.fraction = 0;
	if (q->kind == MANIFOLD && wants(outputs, OUT_SOLVER)) {
		for (uint32_t i = 0; i < a.count; i++) {
			const wp_manifold_point *const p = &a.points[i];
			memcpy(&a.solver_points[i], p->local_a, sizeof a.solver_points[i]);
		}
		memset(a.points, 0, sizeof a.points);
	}
	return a;
}

_Static_assert(sizeof(wp_manifold_point) - offsetof(wp_manifold_point, local_a) == sizeof(wp_solver_point),
	"a solver's point is the end of a manifold's");

/* Rows of a batch: the pair of each, and answers in their order. */
typedef struct rows {
	uint32_t count, pair[ROWS_MAX], body[2][ROWS_MAX];
	answer answers[ROWS_MAX];
	wp_cache caches[ROWS_MAX];
} rows;

static wp_error ask(const world *w, const question *q, int frame, uint32_t outputs, wp_workspace *workspace, kept *k,
	rows *r, size_t first, size_t count)
{
	wp_batch batch = {.shapes = w->table,
		.a = {.rotation = {w->poses[frame][0].rotation, sizeof(wp_pose)}, .shape = {w->shape, 0}, .count = BODIES},
		.pair_a = {r->body[0], 0},
		.pair_b = {r->body[1], 0},
		.first = first,
		.count = count};
	batch.a.position_real = q->has_doubles ? WP_REAL_DOUBLE : WP_REAL_FLOAT;
	batch.a.position.data = q->has_doubles ? (const void *)w->positions[frame][0]
	                                       : (const void *)w->poses[frame][0].position;
	batch.a.position.stride = q->has_doubles ? sizeof w->positions[0][0] : sizeof(wp_pose);
	const wp_results results = results_of(q, outputs, r->answers, q->has_caches ? r->caches : NULL);
	if (q->kind == OVERLAP)
		return wp_overlap(workspace, &batch, &results, NULL);
	if (q->kind == DISTANCE)
		return wp_distance(workspace, &batch, &results, NULL);
	if (q->kind == CONTACT)
		return wp_contact(workspace, &batch, &q->contact, &results, NULL);
	if (q->kind == METHOD)
		return wp_contact_by_method(workspace, &batch, &q->contact, &q->method, &results, NULL);
	if (q->kind == DEPTH) {
		static float directions[ROWS_MAX][3];
		for (uint32_t i = 0; i < ROWS_MAX; i++)
			memcpy(directions[i], w->direction, sizeof directions[i]);
		return wp_depth_along(workspace, &batch, &(wp_const_float_column){directions[0], 0}, &results, NULL);
	}
	if (q->kind == CAST) {
		const wp_motions motions = {
			{w->translations[0], 0}, {q->is_turning ? w->ends[0].rotation : NULL, sizeof(wp_pose)}};
		const wp_float_column fraction = {wants(outputs, OUT_FRACTION) ? &r->answers->fraction : NULL, sizeof(answer)};
		return wp_cast(workspace, &batch, &motions, NULL, &results, &fraction, NULL);
	}
	if (q->kind == TRACK) {
		const wp_tracked_pairs tracked = {k->pairs, k->manifolds, q->has_anchors ? k->anchors : NULL, PAIRS,
			{r->pair, 0}, q->has_polytopes ? k->polytopes : NULL};
		return wp_track(workspace, &batch, &q->track, &tracked, &results, NULL, NULL);
	}
	wp_manifolds manifolds = {.count = {&r->answers->count, sizeof(answer)}, .point_max = q->point_max};
	if (wants(outputs, OUT_SOLVER))
		manifolds.solver_points = (wp_solver_point_column){r->answers->solver_points, sizeof(answer)};
	else
		manifolds.points = (wp_manifold_point_column){r->answers->points, sizeof(answer)};
	return wp_contact_manifold(workspace, &batch, &q->contact, &results, &manifolds, NULL);
}

/* A frame of rows whose pairs are set, in ranges of a size at most. */
static bool ask_rows(const world *w, const question *q, int frame, uint32_t outputs, wp_workspace *workspace, kept *k,
	rows *r, size_t range)
{
	memset(r->answers, 0, r->count * sizeof *r->answers);
	for (uint32_t i = 0; i < r->count; i++) {
		r->body[0][i] = 2 * r->pair[i];
		r->body[1][i] = 2 * r->pair[i] + 1;
		r->caches[i] = k->caches[r->pair[i]];
	}
	bool is_fine = true;
	for (size_t first = 0; first < r->count; first += range)
		is_fine &= ask(w, q, frame, outputs, workspace, k, r, first,
					   r->count - first < range ? r->count - first : range) == WP_OK;
	for (uint32_t i = 0; i < r->count; i++) {
		k->caches[r->pair[i]] = r->caches[i];
		company_widen(&r->answers[i].overlap);
	}
	return is_fine;
}

/* The same pair by the call for one prepared pair; false where there is none for the query. */
static bool ask_prepared(
	const world *w, const question *q, int frame, wp_workspace *workspace, uint32_t pair, wp_cache *cache, answer *a)
{
	const uint32_t b[2] = {2 * pair, 2 * pair + 1};
	const wp_pose *const poses = w->poses[frame];
	wp_pair p = {.shapes = w->table,
		.shape_a = w->shape[b[0]],
		.shape_b = w->shape[b[1]],
		.position_a = poses[b[0]].position,
		.rotation_a = poses[b[0]].rotation,
		.position_b = poses[b[1]].position,
		.rotation_b = poses[b[1]].rotation,
		.position_real = WP_REAL_FLOAT};
	if (q->has_doubles) {
		p.position_a = w->positions[frame][b[0]];
		p.position_b = w->positions[frame][b[1]];
		p.position_real = WP_REAL_DOUBLE;
	}
	cache = q->has_caches ? cache : NULL;
	memset(a, 0, sizeof *a);
	switch (q->kind) {
	case OVERLAP:
		return wp_overlap_prepared(workspace, &p, cache, &a->row) == WP_OK;
	case DISTANCE:
		return wp_distance_prepared(workspace, &p, cache, &a->row) == WP_OK;
	case CONTACT:
		return wp_contact_prepared(workspace, &p, &q->contact, cache, &a->row) == WP_OK;
	case MANIFOLD:
		return wp_contact_manifold_prepared(
				   workspace, &p, &q->contact, cache, &a->row, a->points, q->point_max, &a->count) == WP_OK;
	case DEPTH:
		return wp_depth_along_prepared(workspace, &p, w->direction, &a->row) == WP_OK;
	case CAST: {
		const wp_motions motions[2] = {{{w->translations[b[0]], 0}, {q->is_turning ? w->ends[b[0]].rotation : NULL, 0}},
			{{w->translations[b[1]], 0}, {q->is_turning ? w->ends[b[1]].rotation : NULL, 0}}};
		return wp_cast_prepared(workspace, &p, &motions[0], &motions[1], &a->row, &a->fraction) == WP_OK;
	}
	default:
		return false;
	}
}

/* The same pair by the call for shapes without a table. */
static bool ask_shapes(const world *w, const question *q, wp_workspace *workspace, uint32_t pair, answer *a)
{
	const wp_shape *const shape_a = &w->shapes[w->shape[2 * pair]], *const shape_b = &w->shapes[w->shape[2 * pair + 1]];
	const wp_pose *const at_a = &w->poses[0][2 * pair], *const at_b = &w->poses[0][2 * pair + 1];
	memset(a, 0, sizeof *a);
	switch (q->kind) {
	case OVERLAP:
		return wp_overlap_pair(workspace, shape_a, at_a, shape_b, at_b, &a->row) == WP_OK;
	case DISTANCE:
		return wp_distance_pair(workspace, shape_a, at_a, shape_b, at_b, &a->row) == WP_OK;
	case CONTACT:
		return wp_contact_pair(workspace, shape_a, at_a, shape_b, at_b, &q->contact, &a->row) == WP_OK;
	case MANIFOLD:
		return wp_contact_manifold_pair(workspace, shape_a, at_a, shape_b, at_b, &q->contact, &a->row, a->points,
				   q->point_max, &a->count) == WP_OK;
	case DEPTH:
		return wp_depth_along_pair(workspace, shape_a, at_a, shape_b, at_b, w->direction, &a->row) == WP_OK;
	case CAST:
		return q->is_turning && wp_cast_pair(workspace, shape_a, at_a, shape_b, at_b, &w->ends[2 * pair],
									&w->ends[2 * pair + 1], &a->row, &a->fraction) == WP_OK;
	default:
		return false;
	}
}

/* ---- comparing ---------------------------------------------------------------------------------- */

static void compare_kept(const company_place *p, const question *q, const kept *alone, const kept *beside)
{
	for (uint32_t i = 0; i < PAIRS; i++) {
		company_compare(p, i, "cache", &alone->caches[i], &beside->caches[i], sizeof(wp_cache));
		if (q->kind != TRACK)
			continue;
		company_compare(p, i, "tracked pair", &alone->pairs[i], &beside->pairs[i], sizeof(wp_tracked));
		company_compare(p, i, "manifold", &alone->manifolds[i], &beside->manifolds[i], sizeof(wp_persistent_manifold));
		company_compare(p, i, "anchor", &alone->anchors[i], &beside->anchors[i], sizeof(wp_tracked_anchor));
		company_compare(p, i, "polytope", &alone->polytopes[i], &beside->polytopes[i], sizeof(wp_tracked_polytope));
	}
}

/* ---- batches ------------------------------------------------------------------------------------ */

static void choose_rows(gen_random *random, const question *q, rows *r)
{
	r->count = PAIRS;
	company_shuffle(random, r->pair, PAIRS);
	if (q->frames > 1 || chance(random, 2))
		return;
	r->count = 1 + gen_below(random, ROWS_MAX);
	for (uint32_t i = 0; i < r->count; i++)
		r->pair[i] = gen_below(random, PAIRS);
}

typedef struct truths {
	answer answers[FRAMES][PAIRS];
	kept kept[FRAMES];
} truths;

/* All pairs alone, by scalar, with all outputs; and by the calls for one pair. */
static bool ask_alone(uint64_t first, const world *w, const question *q, truths *t)
{
	static rows r;
	static kept k, one;
	const uint32_t all = (1u << OUT_COUNT) - 1 - (1u << OUT_SOLVER);
	wp_workspace *const scalar = company_workspaces[1];
	memset(&k, 0, sizeof k);
	memset(&one, 0, sizeof one);
	for (int f = 0; f < q->frames; f++) {
		for (uint32_t i = 0; i < PAIRS; i++) {
			r.count = 1;
			r.pair[0] = i;
			if (!ask_rows(w, q, f, all, scalar, &k, &r, 1))
				return false;
			t->answers[f][i] = r.answers[0];
			company_count_row(q->kind, r.answers[0].row.status);
			answer a;
			const company_place p = {first, query_names[q->kind], f, "by a prepared pair"},
								s = {first, query_names[q->kind], f, "by a pair of shapes"};
			const wp_row *const expected = &r.answers[0].row;
			if (ask_prepared(w, q, f, company_workspaces[i % 2], i, &one.caches[i], &a)) {
				if (!q->has_doubles) /* the points of its row are floats */
					company_compare(&p, i, "row", expected, &a.row, sizeof a.row);
				company_compare(&p, i, "fraction", &r.answers[0].fraction, &a.fraction, sizeof a.fraction);
				company_compare(&p, i, "points", &r.answers[0].count, &a.count, sizeof a.count + sizeof a.points);
				company_compare(&p, i, "cache", &k.caches[i], &one.caches[i], sizeof one.caches[i]);
			}
			if (f == 0 && !q->has_doubles && ask_shapes(w, q, company_workspaces[i % 2], i, &a)) {
				company_compare(&s, i, "row", expected, &a.row, sizeof a.row);
				company_compare(&s, i, "fraction", &r.answers[0].fraction, &a.fraction, sizeof a.fraction);
				company_compare(&s, i, "points", &r.answers[0].count, &a.count, sizeof a.count + sizeof a.points);
			}
		}
		t->kept[f] = k;
		company_add(t->answers[f], sizeof t->answers[f]);
		company_add(&k, sizeof k);
	}
	return true;
}

/* One question about a batch, by every variant. */
static bool try_question(gen_random *random, uint64_t first, const world *w, const question *q)
{
	gen_random company; /* how many variants there are must not choose the next pairs */
	static truths t;
	static rows r;
	static kept k;
	bool is_fine = ask_alone(first, w, q, &t);
	gen_seed(&company, gen_bits(random));
	for (int v = 0; v < company_count && is_fine; v++) {
		const uint32_t outputs = chance(&company, 2) ? (1u << OUT_COUNT) - 1 : (uint32_t)gen_bits(&company);
		memset(&k, 0, sizeof k);
		for (int f = 0; f < q->frames && is_fine; f++) {
			choose_rows(&company, q, &r);
			const size_t range = chance(&company, 2) ? r.count : 1 + gen_below(&company, r.count);
			const company_place p = {first, query_names[q->kind], f, company_names[v]};
			is_fine = ask_rows(w, q, f, outputs, company_workspaces[v], &k, &r, range);
			for (uint32_t i = 0; i < r.count; i++) {
				const answer expected = selected(q, outputs, &t.answers[f][r.pair[i]]);
				company_compare(&p, r.pair[i], "answer", &expected, &r.answers[i], sizeof expected);
			}
			if (q->frames > 1)
				compare_kept(&p, q, &t.kept[f], &k);
		}
	}
	return is_fine;
}

/* A corpus, and batches of its pairs. */
static bool try_batch(uint64_t seed, uint64_t batch)
{
	static world w;
	static wp_shape shapes[TABLE];
	static const uint32_t vertices[] = {4, 6, 8, 12, 24, 64};
	gen_random random;
	gen_seed(&random, seed * UINT64_C(1000003) + batch);
	gen_options options = {.seed = gen_bits(&random) >> 16};
	options.vertex_max = vertices[gen_below(&random, 6)];
	options.smooth = chance(&random, 2) ? GEN_SMOOTH_NONE : chance(&random, 2) ? GEN_SMOOTH_HALF : GEN_SMOOTH_ALL;
	options.half_spaces = chance(&random, 10);
	if (!chance(&random, 3))
		for (uint32_t i = 0, count = 1 + gen_below(&random, 3); i < count; i++)
			options.constructions |= 1u << gen_below(&random,
										 chance(&random, 2) ? GEN_VERTEX_IN_PLANE + 1 : GEN_CONSTRUCTION_COUNT);
	gen_corpus corpus;
	if (!gen_corpus_make(&options, 0, CORPUS, &corpus))
		return false;
	memcpy(shapes, corpus.shapes, 2 * CORPUS * sizeof *shapes);
	shapes[2 * CORPUS] = wp_shape_point();
	shapes[2 * CORPUS + 1] = wp_shape_sphere(0.125f);
	const size_t size = wp_shape_table_size(TABLE);
	void *const memory = block(size);
	bool is_fine = wp_shape_table_build(shapes, TABLE, memory, size, &w.table, NULL) == WP_OK;
	w.shapes = shapes;
	for (int i = 0; i < QUESTIONS && is_fine; i++) {
		make_world(&random, &corpus, &w);
		const float bound = wp_shape_table_bound(w.table, w.shape[gen_below(&random, BODIES)]);
		const question q = make_question(&random, bound < 1e20f ? bound : 1.0f); /* a half-space has none */
		is_fine = try_question(&random, batch * PAIRS, &w, &q);
	}
	block_free(memory);
	gen_corpus_free(&corpus);
	return is_fine;
}

int main(int argc, char **argv)
{
	static const company_program program = {
		"company", "Pairs alone and in any company, bit for bit.", query_names, QUERIES, PAIRS, try_batch};
	return company_run(&program, argc, argv);
}
