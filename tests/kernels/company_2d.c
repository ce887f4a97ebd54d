/* The same as company.c of pairs of the plane.
 *   company_2d [--pairs N] [--first I] [--seed S] [--expect DIGEST] */
#include "kernels/company.h"
#include "support/gen_2d.h"

enum {
	PAIRS = 64,     /* of a question */
	CORPUS = 256,   /* of which they are chosen */
	ROWS_MAX = 200, /* of a batch whose pairs come more than once */
	QUESTIONS = 4,  /* about a corpus */
	BODIES = 2 * PAIRS
};

typedef enum query_kind { OVERLAP, DISTANCE, CONTACT, MANIFOLD, CAST, QUERIES } query_kind;

static const char *const query_names[QUERIES] = {"overlap", "distance", "contact", "manifold", "cast"};

typedef struct question {
	query_kind kind;
	bool is_turning, has_doubles;
	wp_contact_options contact;
	uint32_t point_max;
} question;

typedef struct world {
	const wp2d_shape_table *table;
	uint32_t shape[BODIES];
	const wp2d_shape *shapes[BODIES];
	wp2d_pose poses[BODIES], ends[BODIES];
	double positions[BODIES][2];
	float translations[BODIES][2];
} world;

typedef struct answer {
	wp2d_row row;
	float local_a[2], local_b[2], fraction;
	uint32_t overlap; /* of which one byte is written */
	uint32_t count;
	wp2d_manifold_point points[WP2D_MANIFOLD_POINT_MAX];
	double point_a[2], point_b[2];
} answer;

typedef struct rows {
	uint32_t count, pair[ROWS_MAX], body[2][ROWS_MAX];
	answer answers[ROWS_MAX];
} rows;

/* ---- batches at random -------------------------------------------------------------------------- */

/* Vertices decide to which bucket a pair goes. */
static uint32_t class_of(const gen_2d_pair *pair)
{
	uint32_t class = 0;
	for (int i = 0; i < 2; i++)
		class = 100 * class + 10 * pair->shape[i].kind +
		        (pair->shape[i].kind == WP2D_SHAPE_POLYGON ? pair->shape[i].vertex_count : 0);
	return class;
}

/* Pairs of one class, of one scenario, or any. */
static void make_world(gen_random *random, const gen_2d_pair *corpus, bool has_doubles, world *w)
{
	const gen_2d_pair *const model = &corpus[gen_below(random, CORPUS)];
	const uint32_t by = gen_below(random, 3);
	const double offset = has_doubles && chance(random, 2) ? gen_range(random, -1e4, 1e4) : 0;
	uint32_t fit[CORPUS], count = 0;
	for (uint32_t i = 0; i < CORPUS; i++)
		if (by == 0 || (by == 1 ? class_of(&corpus[i]) == class_of(model) : corpus[i].scenario == model->scenario))
			fit[count++] = i;
	for (uint32_t i = 0; i < BODIES; i++) {
		const uint32_t pair = fit[gen_below(random, count)];
		const gen_2d_pair *const p = &corpus[i % 2 ? w->shape[i - 1] / 2 : pair];
		w->shape[i] = i % 2 ? w->shape[i - 1] + 1 : 2 * pair;
		w->shapes[i] = &p->shape[i % 2];
		w->poses[i] = p->pose[i % 2];
	}
	for (uint32_t i = 0; i < BODIES; i++) {
		const wp2d_pose *const self = &w->poses[i], *const other = &w->poses[i ^ 1];
		const double reach = i % 2 ? gen_range(random, 0, 2.5) : 0;
		w->ends[i] = chance(random, 3) ? *self : *other;
		for (int k = 0; k < 2; k++) {
			const double way = reach * ((double)other->position[k] - (double)self->position[k]),
						 aside = (double)other->position[1 - k] - (double)self->position[1 - k];
			w->ends[i].position[k] = (float)((double)self->position[k] + way + gen_range(random, -0.2, 0.2) * aside);
			w->translations[i][k] = w->ends[i].position[k] - self->position[k];
			w->positions[i][k] = (double)self->position[k] + offset;
		}
	}
}

static question make_question(gen_random *random)
{
	static const float lengths[] = {0.0f, 1e-3f, 0.02f, 0.3f, 1e30f};
	question q = {.kind = gen_below(random, QUERIES)};
	q.is_turning = chance(random, 2);
	q.has_doubles = chance(random, 4);
	q.contact.max_separation = lengths[gen_below(random, 5)];
	q.point_max = 1 + gen_below(random, WP2D_MANIFOLD_POINT_MAX);
	return q;
}

/* ---- asking ------------------------------------------------------------------------------------- */

/* Each output is a bit of the number. */
static wp2d_results results_of(const question *q, uint32_t outputs, answer *a)
{
	const size_t s = sizeof *a;
	wp2d_results r = {.point_real = q->has_doubles ? WP_REAL_DOUBLE : WP_REAL_FLOAT};
	r.separation = (wp_float_column){outputs & 1 ? &a->row.separation : NULL, s};
	r.normal = (wp_float_column){outputs & 2 ? a->row.normal : NULL, s};
	r.point_a.data = !(outputs & 4) ? NULL : q->has_doubles ? (void *)a->point_a : (void *)a->row.point_a;
	r.point_b.data = !(outputs & 4) ? NULL : q->has_doubles ? (void *)a->point_b : (void *)a->row.point_b;
	r.point_a.stride = r.point_b.stride = s;
	r.lower = (wp_float_column){outputs & 8 ? &a->row.lower : NULL, s};
	r.upper = (wp_float_column){outputs & 8 ? &a->row.upper : NULL, s};
	r.status = (wp_uint32_column){outputs & 16 ? &a->row.status : NULL, s};
	r.iterations = (wp_uint32_column){outputs & 32 ? &a->row.iterations : NULL, s};
	r.local_a = (wp_float_column){outputs & 64 ? a->local_a : NULL, s};
	r.local_b = (wp_float_column){outputs & 64 ? a->local_b : NULL, s};
	r.overlap = (wp_uint8_column){outputs & 128 ? (uint8_t *)&a->overlap : NULL, s};
	return r;
}

/* What a call with fewer outputs leaves at zero. */
static answer selected(uint32_t outputs, const answer *from)
{
	answer a = *from;
	if (!(outputs & 1))
		a.row.separation = 0;
	if (!(outputs & 2))
		memset(a.row.normal, 0, sizeof a.row.normal);
	if (!(outputs & 4)) {
		memset(a.row.point_a, 0, sizeof a.row.point_a);
		memset(a.row.point_b, 0, sizeof a.row.point_b);
		memset(a.point_a, 0, sizeof a.point_a);
		memset(a.point_b, 0, sizeof a.point_b);
	}
	if (!(outputs & 8))
		a.row.lower = a.row.upper = 0;
	if (!(outputs & 16))
		a.row.status = 0;
	if (!(outputs & 32))
		a.row.iterations = 0;
	if (!(outputs & 64)) {
		memset(a.local_a, 0, sizeof a.local_a);
		memset(a.local_b, 0, sizeof a.local_b);
	}
	if (!(outputs & 128))
		a.overlap = 0;
	return a;
}

static wp_error ask(
	const world *w, const question *q, uint32_t outputs, wp_workspace *workspace, rows *r, size_t first, size_t count)
{
	wp2d_batch batch = {.shapes = w->table,
		.a = {.rotation = {w->poses[0].rotation, sizeof(wp2d_pose)}, .shape = {w->shape, 0}, .count = BODIES},
		.pair_a = {r->body[0], 0},
		.pair_b = {r->body[1], 0},
		.first = first,
		.count = count};
	batch.a.position_real = q->has_doubles ? WP_REAL_DOUBLE : WP_REAL_FLOAT;
	batch.a.position.data = q->has_doubles ? (const void *)w->positions[0] : (const void *)w->poses[0].position;
	batch.a.position.stride = q->has_doubles ? sizeof w->positions[0] : sizeof(wp2d_pose);
	const wp2d_results results = results_of(q, outputs, r->answers);
	if (q->kind == OVERLAP)
		return wp2d_overlap(workspace, &batch, &results, NULL);
	if (q->kind == DISTANCE)
		return wp2d_distance(workspace, &batch, &results, NULL);
	if (q->kind == CONTACT)
		return wp2d_contact(workspace, &batch, &q->contact, &results, NULL);
	if (q->kind == CAST) {
		const wp2d_motions motions = {
			{w->translations[0], 0}, {q->is_turning ? w->ends[0].rotation : NULL, sizeof(wp2d_pose)}};
		return wp2d_cast(workspace, &batch, &motions, NULL, &results,
			&(wp_float_column){&r->answers->fraction, sizeof(answer)}, NULL);
	}
	const wp2d_manifolds manifolds = {.count = {&r->answers->count, sizeof(answer)},
		.points = {r->answers->points, sizeof(answer)},
		.point_max = q->point_max};
	return wp2d_contact_manifold(workspace, &batch, &q->contact, &results, &manifolds, NULL);
}

static bool ask_rows(
	const world *w, const question *q, uint32_t outputs, wp_workspace *workspace, rows *r, size_t range)
{
	memset(r->answers, 0, r->count * sizeof *r->answers);
	for (uint32_t i = 0; i < r->count; i++) {
		r->body[0][i] = 2 * r->pair[i];
		r->body[1][i] = 2 * r->pair[i] + 1;
	}
	bool is_fine = true;
	for (size_t first = 0; first < r->count && is_fine; first += range)
		is_fine = ask(w, q, outputs, workspace, r, first, r->count - first < range ? r->count - first : range) == WP_OK;
	for (uint32_t i = 0; i < r->count; i++)
		company_widen(&r->answers[i].overlap);
	return is_fine;
}

/* The same pair by the call for one pair; false where there is none. */
static bool ask_pair(const world *w, const question *q, wp_workspace *workspace, uint32_t pair, answer *a)
{
	const uint32_t b[2] = {2 * pair, 2 * pair + 1};
	const wp2d_shape *const shape_a = w->shapes[b[0]], *const shape_b = w->shapes[b[1]];
	const wp2d_pose *const at_a = &w->poses[b[0]], *const at_b = &w->poses[b[1]];
	memset(a, 0, sizeof *a);
	if (q->has_doubles)
		return false;
	switch (q->kind) {
	case OVERLAP:
		return wp2d_overlap_pair(workspace, shape_a, at_a, shape_b, at_b, &a->row) == WP_OK;
	case DISTANCE:
		return wp2d_distance_pair(workspace, shape_a, at_a, shape_b, at_b, &a->row) == WP_OK;
	case CONTACT:
		return wp2d_contact_pair(workspace, shape_a, at_a, shape_b, at_b, &q->contact, &a->row) == WP_OK;
	case MANIFOLD:
		return wp2d_contact_manifold_pair(workspace, shape_a, at_a, shape_b, at_b, &q->contact, &a->row, a->points,
				   q->point_max, &a->count) == WP_OK;
	default:
		return q->is_turning && wp2d_cast_pair(workspace, shape_a, at_a, shape_b, at_b, &w->ends[b[0]], &w->ends[b[1]],
									&a->row, &a->fraction) == WP_OK;
	}
}

/* ---- batches ------------------------------------------------------------------------------------ */

static void choose_rows(gen_random *random, rows *r)
{
	r->count = PAIRS;
	company_shuffle(random, r->pair, PAIRS);
	if (chance(random, 2))
		return;
	r->count = 1 + gen_below(random, ROWS_MAX);
	for (uint32_t i = 0; i < r->count; i++)
		r->pair[i] = gen_below(random, PAIRS);
}

static bool try_question(gen_random *random, uint64_t first, const world *w, const question *q)
{
	gen_random company; /* how many variants there are must not choose the next pairs */
	static answer alone[PAIRS];
	static rows r;
	bool is_fine = true;
	for (uint32_t i = 0; i < PAIRS && is_fine; i++) {
		const company_place p = {first, query_names[q->kind], 0, "by the call for one pair"};
		answer a;
		r.count = 1;
		r.pair[0] = i;
		is_fine = ask_rows(w, q, ~0u, company_workspaces[1], &r, 1);
		alone[i] = r.answers[0];
		company_count_row(q->kind, alone[i].row.status);
		if (!ask_pair(w, q, company_workspaces[i % 2], i, &a))
			continue;
		company_compare(&p, i, "row", &alone[i].row, &a.row, sizeof a.row);
		company_compare(&p, i, "points", &alone[i].count, &a.count, sizeof a.count + sizeof a.points);
		company_compare(&p, i, "fraction", &alone[i].fraction, &a.fraction, sizeof a.fraction);
	}
	company_add(alone, sizeof alone);
	gen_seed(&company, gen_bits(random));
	for (int v = 0; v < company_count && is_fine; v++) {
		const company_place p = {first, query_names[q->kind], 0, company_names[v]};
		const uint32_t outputs = chance(&company, 2) ? ~0u : (uint32_t)gen_bits(&company);
		choose_rows(&company, &r);
		is_fine = ask_rows(
			w, q, outputs, company_workspaces[v], &r, chance(&company, 2) ? r.count : 1 + gen_below(&company, r.count));
		for (uint32_t i = 0; i < r.count; i++) {
			const answer expected = selected(outputs, &alone[r.pair[i]]);
			company_compare(&p, r.pair[i], "answer", &expected, &r.answers[i], sizeof expected);
		}
	}
	return is_fine;
}

static bool try_batch(uint64_t seed, uint64_t batch)
{
	static world w;
	static gen_2d_pair corpus[CORPUS];
	static wp2d_shape shapes[2 * CORPUS];
	gen_random random;
	gen_seed(&random, seed * UINT64_C(1000003) + batch);
	for (uint32_t i = 0; i < CORPUS; i++) {
		gen_2d(seed + 100, batch * CORPUS + i, &corpus[i]);
		memcpy(&shapes[2 * i], corpus[i].shape, sizeof corpus[i].shape);
	}
	const size_t size = wp2d_shape_table_size(shapes, 2 * CORPUS);
	void *const memory = block(size);
	bool is_fine = wp2d_shape_table_build(shapes, 2 * CORPUS, memory, size, &w.table, NULL) == WP_OK;
	for (int i = 0; i < QUESTIONS && is_fine; i++) {
		const question q = make_question(&random);
		make_world(&random, corpus, q.has_doubles, &w);
		is_fine = try_question(&random, batch * PAIRS, &w, &q);
	}
	block_free(memory);
	return is_fine;
}

int main(int argc, char **argv)
{
	static const company_program program = {"company_2d", "Pairs of the plane alone and in any company, bit for bit.",
		query_names, QUERIES, PAIRS, try_batch};
	return company_run(&program, argc, argv);
}
