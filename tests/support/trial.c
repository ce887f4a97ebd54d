#include "trial.h"

#include "block.h"
#include "capture.h"
#include "certify.h"
#include "gen_random.h"
#include "half_space_oracle.h"
#include "oracle.h"
#include "smooth_oracle.h"
#include "shape_core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- judging ------------------------------------------------------------------------------------ */

static const char *judge_truth(const certify_pair *p, const trial_rows *rows, double truth, double doubt, double *error)
{
	const wp_row *contact = &rows->row[TRIAL_CONTACT];
	const double off = fmax(fabs((double)contact->separation - truth) - doubt, 0), unit = p->length + fabs(truth);
	if (error != NULL && unit > 1e-30)
		*error = fmax(*error, off / unit);
	const double most = certify_contract_of(p->shape[0], p->shape[1], contact->status) * unit + 0x1p-147;
	if (off > most)
		return "the separation is the true one";
	for (int q = 0; q < TRIAL_QUERIES + TRIAL_CACHES; q++) {
		const wp_row *row = q < TRIAL_QUERIES ? &rows->row[q] : &rows->warm[q - TRIAL_QUERIES];
		const double seen = q == TRIAL_DISTANCE ? fmax(truth, 0) : truth;
		if (q >= TRIAL_QUERIES && fmax(fabs((double)row->separation - truth) - doubt, 0) > most)
			return "the separation with a cache is the true one";
		/* The truth is only known up to its own rounding. */
		const double slack = doubt + 1e-9 * unit + 0x1p-147;
		if ((double)row->lower > seen + slack || (double)row->upper < seen - slack)
			return "the bracket holds the truth";
	}
	for (int m = WP_METHOD_AUTO + 1; m < WP_METHOD_COUNT; m++) {
		const wp_row *row = &rows->by_method[m];
		const double slack = doubt + 1e-9 * unit + 0x1p-147;
		if (row->status != 0 && ((double)row->lower > truth + slack || (double)row->upper < truth - slack))
			return "the bracket of each method holds the truth";
	}
	return NULL;
}

static const char *judge_by_oracle(const trial *t, const certify_pair *p, const trial_rows *rows, double *error)
{
	oracle_shape *shape[2];
	oracle_pose pose[2];
	for (int i = 0; i < 2; i++) {
		shape[i] = oracle_shape_new(&t->shape[i]);
		pose[i].position = v3_of(
			(double)t->pose[i].position[0], (double)t->pose[i].position[1], (double)t->pose[i].position[2]);
		memcpy(pose[i].rotation, t->pose[i].rotation, sizeof pose[i].rotation);
	}
	oracle_answer answer;
	const char *broken = NULL;
	if (shape[0] != NULL && shape[1] != NULL && oracle_solve(shape[0], &pose[0], shape[1], &pose[1], &answer))
		broken = judge_truth(p, rows, answer.separation, answer.doubt, error);
	oracle_shape_free(shape[0]);
	oracle_shape_free(shape[1]);
	return broken;
}

static bool has_smooth(const trial *t)
{
	return shape_core_is_smooth(&t->shape[0]) || shape_core_is_smooth(&t->shape[1]);
}

/* Pairs that branch and bound does not end with are not judged. */
static const char *judge_by_smooth_oracle(const trial *t, const certify_pair *p, const trial_rows *rows, double *error)
{
	double lower, upper;
	const double tolerance = 3e-7 * (p->length + fabs((double)rows->row[TRIAL_CONTACT].separation));
	if (!smooth_oracle_solve(&t->shape[0], &t->pose[0], &t->shape[1], &t->pose[1], tolerance, &lower, &upper))
		return NULL;
	return judge_truth(p, rows, (lower + upper) / 2, (upper - lower) / 2, error);
}

static bool has_half_space(const trial *t)
{
	return t->shape[0].kind == WP_SHAPE_HALF_SPACE || t->shape[1].kind == WP_SHAPE_HALF_SPACE;
}

static const char *judge_by_lowest_point(const trial *t, const certify_pair *p, const trial_rows *rows, double *error)
{
	const double truth = half_space_separation(&t->shape[0], &t->pose[0], &t->shape[1], &t->pose[1]);
	return judge_truth(p, rows, truth, 1e-15 * (p->far + p->length), error);
}

static const char *judge_by_reference(const trial *t, const certify_pair *p, const trial_rows *rows, double *error)
{
	double position[2][3];
	for (int i = 0; i < 6; i++)
		position[i / 3][i % 3] = (double)t->pose[i / 3].position[i % 3];
	wp_reference_row row;
	if (wp_reference_contact_pair(&t->shape[0], position[0], t->pose[0].rotation, &t->shape[1], position[1],
			t->pose[1].rotation, &row) != WP_OK ||
		row.status & WP_STATUS_INVALID)
		return "the reference answers";
	/* Its own bracket bounds how sure it is. */
	return judge_truth(p, rows, row.separation, fmax(row.upper - row.lower, 0), error);
}

/* Closed forms and GJK with EPA share nothing; other methods bracket the same truth. */
static const char *judge_methods(const certify_pair *p, const trial_rows *rows)
{
	const wp_row *const closed = &rows->row[TRIAL_CONTACT], *const searched = &rows->by_method[WP_METHOD_GJK_EPA];
	for (int m = WP_METHOD_AUTO + 1; m < WP_METHOD_COUNT; m++)
		if (closed->lower > rows->by_method[m].upper || rows->by_method[m].lower > closed->upper)
			return "the brackets of all methods meet";
	const double apart = fabs((double)closed->separation - (double)searched->separation);
	const double most = certify_contract_of(p->shape[0], p->shape[1], closed->status) +
	                    certify_contract_of(p->shape[0], p->shape[1], searched->status);
	if (apart > most * (p->length + fabs((double)closed->separation)) + 0x1p-147)
		return "closed forms and GJK with EPA give the same separation";
	return certify_contact(p, searched);
}

static const char *judge_manifold(const certify_pair *p, const trial_rows *rows)
{
	const wp_row *row = &rows->row[TRIAL_MANIFOLD];
	if (memcmp(row, &rows->row[TRIAL_CONTACT_NEAR], sizeof *row) != 0)
		return "the contact of a manifold is the contact";
	return certify_manifold(p, row, TRIAL_NEAR, rows->points, rows->point_count);
}

const char *trial_judge(const trial *t, const trial_rows *rows, unsigned against, double *error)
{
	const wp_row *contact = &rows->row[TRIAL_CONTACT];
	const certify_pair p = certify_prepare(&t->shape[0], &t->pose[0], &t->shape[1], &t->pose[1], contact);
	if (error != NULL)
		*error = 0;
	const char *broken = certify_contact(&p, contact);
	broken = broken ? broken : certify_near(&p, &rows->row[TRIAL_CONTACT_NEAR], TRIAL_NEAR, contact);
	broken = broken ? broken : judge_manifold(&p, rows);
	broken = broken ? broken : certify_distance(&p, &rows->row[TRIAL_DISTANCE], contact);
	broken = broken ? broken : certify_overlap(&p, &rows->row[TRIAL_OVERLAP], contact);
	for (int q = 0; q < TRIAL_QUERIES && broken == NULL; q++)
		broken = certify_details(&p, &rows->row[q], rows->details[q], q != TRIAL_OVERLAP);
	for (int i = 0; i < TRIAL_CACHES && broken == NULL; i++)
		broken = certify_contact(&p, &rows->warm[i]);
	if (broken == NULL && against & TRIAL_METHODS)
		broken = judge_methods(&p, rows);
	if (broken == NULL && has_half_space(t))
		broken = judge_by_lowest_point(t, &p, rows, error);
	else if (broken == NULL && against & TRIAL_ORACLE)
		broken = has_smooth(t) ? judge_by_smooth_oracle(t, &p, rows, error) : judge_by_oracle(t, &p, rows, error);
	if (broken == NULL && against & TRIAL_REFERENCE)
		broken = judge_by_reference(t, &p, rows, error);
	return broken;
}

wp_error trial_ask(
	wp_workspace *workspace, const wp_batch *batch, int query, trial_rows *rows, wp_statistics *statistics)
{
	wp_results r = wp_results_of_rows(&rows->row[query]);
	r.local_a.data = rows->details[query][0];
	r.local_b.data = rows->details[query][1];
	r.tangent_1.data = rows->details[query][2];
	r.tangent_2.data = rows->details[query][3];
	r.separation.stride = r.normal.stride = r.point_a.stride = r.point_b.stride = r.lower.stride = r.upper.stride =
		r.status.stride = r.iterations.stride = r.local_a.stride = r.local_b.stride = r.tangent_1.stride =
			r.tangent_2.stride = sizeof *rows;
	if (query == TRIAL_MANIFOLD) {
		const wp_manifolds manifolds = {.count = {&rows->point_count, sizeof *rows},
			.points = {rows->points, sizeof *rows},
			.point_max = WP_MANIFOLD_POINT_MAX};
		return wp_contact_manifold(
			workspace, batch, &(wp_contact_options){.max_separation = TRIAL_NEAR}, &r, &manifolds, statistics);
	}
	return query == TRIAL_OVERLAP ? wp_overlap(workspace, batch, &r, statistics)
	     : query == TRIAL_DISTANCE
	         ? wp_distance(workspace, batch, &r, statistics)
	         : wp_contact(workspace, batch,
				   &(wp_contact_options){.max_separation = query == TRIAL_CONTACT ? INFINITY : TRIAL_NEAR}, &r,
				   statistics);
}

/* Contents of a cache: one of three kinds, any bytes, any vertices of small hulls, any corners of boxes. */
static wp_cache any_cache(const wp_pose *a, const wp_pose *b)
{
	gen_random random;
	uint32_t bits[2][sizeof *a / sizeof(uint32_t)];
	uint64_t seed = 0;
	memcpy(bits[0], a, sizeof bits[0]);
	memcpy(bits[1], b, sizeof bits[1]);
	for (size_t i = 0; i < 2 * sizeof bits[0] / sizeof bits[0][0]; i++)
		seed = (seed ^ bits[i % 2][i / 2]) * 0x100000001b3u;
	gen_seed(&random, seed);
	const uint32_t below[] = {UINT32_MAX, 32, 8};
	const uint32_t limit = below[gen_below(&random, 3)];
	wp_cache cache = {.count = limit == UINT32_MAX ? gen_below(&random, 8) : 1 + gen_below(&random, 4)};
	for (int i = 0; i < 4; i++)
		cache.vertex[i] = limit == UINT32_MAX ? (uint32_t)gen_bits(&random)
		                                      : gen_below(&random, limit) << 16 | gen_below(&random, limit);
	const v3 axis = gen_direction(&random);
	cache.axis[0] = gen_rounded(axis.x);
	cache.axis[1] = gen_rounded(axis.y);
	cache.axis[2] = gen_rounded(axis.z);
	return cache;
}

wp_error trial_ask_warm(wp_workspace *workspace, const wp_batch *batch, wp_cache *caches, trial_rows *rows)
{
	for (size_t i = 0; i < batch->count; i++) {
		const uint32_t *const a = (const uint32_t *)((const char *)batch->pair_a.data + i * batch->pair_a.stride);
		const uint32_t *const b = (const uint32_t *)((const char *)batch->pair_b.data + i * batch->pair_b.stride);
		const wp_pose *const poses = batch->a.position.data;
		caches[i] = any_cache(&poses[*a], &poses[*b]);
	}
	wp_error error = WP_OK;
	for (int i = 0; i < TRIAL_CACHES && error == WP_OK; i++) {
		wp_results r = wp_results_of_rows(&rows->warm[i]);
		r.separation.stride = r.normal.stride = r.point_a.stride = r.point_b.stride = r.lower.stride = r.upper.stride =
			r.status.stride = r.iterations.stride = sizeof *rows;
		r.cache.data = caches;
		error = wp_contact(workspace, batch, &(wp_contact_options){.max_separation = INFINITY}, &r, NULL);
	}
	return error;
}

/* Of shapes about 1 in size, which most are; others are shrunk as far as may be, or hardly. */
#define MARGIN 0.03f
#define DIRECTIONS 40

wp_error trial_ask_methods(wp_workspace *workspace, const wp_batch *batch, trial_rows *rows)
{
	wp_error error = WP_OK;
	for (uint32_t m = WP_METHOD_AUTO + 1; m < WP_METHOD_COUNT && error == WP_OK; m++) {
		const wp_contact_options options = {.max_separation = INFINITY};
		const wp_method_options method = {m, DIRECTIONS, MARGIN};
		wp_results r = wp_results_of_rows(&rows->by_method[m]);
		r.separation.stride = r.normal.stride = r.point_a.stride = r.point_b.stride = r.lower.stride = r.upper.stride =
			r.status.stride = r.iterations.stride = sizeof *rows;
		error = wp_contact_by_method(workspace, batch, &options, &method, &r, NULL);
	}
	return error;
}

static void run(wp_workspace *w, const trial *t, trial_rows *rows)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1024];
	const wp_shape_table *table;
	wp_batch batch = {.a = {.position = {t->pose[0].position, sizeof(wp_pose)},
						  .rotation = {t->pose[0].rotation, sizeof(wp_pose)},
						  .count = 2},
		.pair_a = {(const uint32_t[]){0}},
		.pair_b = {(const uint32_t[]){1}},
		.count = 1};
	memset(rows, 0, sizeof *rows);
	if (wp_shape_table_build(t->shape, 2, memory, sizeof memory, &table, NULL) != WP_OK)
		return;
	batch.shapes = table;
	for (int q = 0; q < TRIAL_QUERIES; q++)
		trial_ask(w, &batch, q, rows, NULL);
	wp_cache cache;
	trial_ask_warm(w, &batch, &cache, rows);
	trial_ask_methods(w, &batch, rows);
}

const char *trial_check(const trial *t, unsigned against)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[WP_WORKSPACE_SIZE];
	trial_rows scalar, other;
	const char *broken = NULL;
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT && broken == NULL; v++) {
		wp_workspace *w;
		if (wp_workspace_init(memory, sizeof memory, (wp_variant)v, &w) != WP_OK)
			continue;
		run(w, t, v == WP_VARIANT_SCALAR ? &scalar : &other);
		if (v == WP_VARIANT_SCALAR)
			broken = trial_judge(t, &scalar, against, NULL);
		else if (memcmp(&scalar, &other, sizeof scalar) != 0)
			broken = "all variants give the same bits";
	}
	return broken;
}

static size_t vertex_count(const wp_shape *s) { return s->kind == WP_SHAPE_HULL ? wp_hull_vertex_count(s->hull) : 8; }

bool trial_suits_oracle(const trial *t) { return vertex_count(&t->shape[0]) * vertex_count(&t->shape[1]) <= 400; }

/* ---- shrinking ---------------------------------------------------------------------------------- */

static bool is_pair_valid(const trial *t)
{
	for (int i = 0; i < 2; i++)
		if (t->shape[i].kind == WP_SHAPE_HULL && t->shape[i].hull == NULL)
			return false;
	return true;
}

/* Keep the simpler pair if it breaks the same promise. */
static bool try_simpler(trial *t, const trial *simpler, const char *promise, unsigned against)
{
	if (memcmp(t, simpler, sizeof *t) == 0 || !is_pair_valid(simpler))
		return false;
	const char *broken = trial_check(simpler, against);
	if (broken == NULL || strcmp(broken, promise) != 0)
		return false;
	*t = *simpler;
	return true;
}

/* The hull without one vertex, or with all numbers rounded. */
static const wp_hull *changed_hull(const wp_hull *hull, size_t without, float (*change)(float))
{
	const size_t count = wp_hull_vertex_count(hull);
	float(*vertices)[3] = malloc(count * sizeof *vertices);
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (i == without)
			continue;
		wp_hull_vertex(hull, i, vertices[kept]);
		for (int k = 0; k < 3 && change != NULL; k++)
			vertices[kept][k] = change(vertices[kept][k]);
		kept++;
	}
	const wp_hull_input input = {.vertices = {vertices[0]}, .vertex_count = kept};
	const size_t size = wp_hull_size(kept, 0, 0);
	const wp_hull *made = NULL;
	void *memory = kept > 0 ? block_or_null(size) : NULL;
	if (memory != NULL && wp_hull_build(&input, memory, size, &made, NULL) != WP_OK)
		made = NULL;
	if (made == NULL)
		block_free(memory);
	free(vertices);
	return made;
}

static float keep_bits(float value, uint32_t mask)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	bits &= mask;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static float keep_12_bits(float value) { return keep_bits(value, 0xfffff000u); }
static float keep_4_bits(float value) { return keep_bits(value, 0xfff80000u); }
static float drop(float value) { return value * 0.0f; }

/* The numbers of a shape and its pose. */
#define NUMBERS 18

static float *number_of(trial *t, int i)
{
	wp_shape *s = &t->shape[i / NUMBERS % 2];
	wp_pose *p = &t->pose[i / NUMBERS % 2];
	const int k = i % NUMBERS;
	return k == 17 ? &s->base_radius
	     : k < 3   ? &p->position[k]
	     : k < 7   ? &p->rotation[k - 3]
	     : k < 10  ? &s->half_extents[k - 7]
	     : k == 10 ? &s->half_height
	     : k == 11 ? &s->radius
	               : &s->points[(k - 12) / 3][(k - 12) % 3];
}

static bool shrink_numbers(trial *t, const char *promise, unsigned against)
{
	static float (*const changes[])(float) = {drop, keep_4_bits, keep_12_bits};
	bool better = false;
	for (int i = 0; i < 2 * NUMBERS; i++)
		for (size_t c = 0; c < sizeof changes / sizeof changes[0]; c++) {
			trial simpler = *t;
			*number_of(&simpler, i) = changes[c](*number_of(&simpler, i));
			if (try_simpler(t, &simpler, promise, against)) {
				better = true;
				break;
			}
		}
	return better;
}

static bool shrink_poses(trial *t, const char *promise, unsigned against)
{
	bool better = false;
	trial simpler = *t;
	for (int k = 0; k < 3; k++) {
		simpler.pose[1].position[k] -= simpler.pose[0].position[k];
		simpler.pose[0].position[k] = 0;
	}
	better |= try_simpler(t, &simpler, promise, against);
	for (int i = 0; i < 2; i++) {
		simpler = *t;
		memcpy(simpler.pose[i].rotation, (const float[4]){0, 0, 0, 1}, sizeof simpler.pose[i].rotation);
		better |= try_simpler(t, &simpler, promise, against);
	}
	return better;
}

static bool shrink_hull(trial *t, int side, const char *promise, unsigned against)
{
	static float (*const changes[])(float) = {keep_4_bits, keep_12_bits};
	bool better = false;
	for (size_t i = 0; t->shape[side].kind == WP_SHAPE_HULL && i < wp_hull_vertex_count(t->shape[side].hull);) {
		trial simpler = *t;
		simpler.shape[side].hull = changed_hull(t->shape[side].hull, i, NULL);
		const bool kept = try_simpler(t, &simpler, promise, against);
		better |= kept;
		i += !kept;
	}
	for (size_t c = 0; t->shape[side].kind == WP_SHAPE_HULL && c < sizeof changes / sizeof changes[0]; c++) {
		trial simpler = *t;
		simpler.shape[side].hull = changed_hull(t->shape[side].hull, SIZE_MAX, changes[c]);
		if (c == 0 || !better)
			better |= try_simpler(t, &simpler, promise, against);
	}
	return better;
}

void trial_shrink(trial *t, const char *promise, unsigned against)
{
	/* Rounding a hull that is rounded already goes on for ever otherwise. */
	for (int round = 0; round < 8; round++) {
		bool better = shrink_hull(t, 0, promise, against);
		better |= shrink_hull(t, 1, promise, against);
		better |= shrink_poses(t, promise, against);
		better |= shrink_numbers(t, promise, against);
		if (!better)
			break;
	}
}

/* ---- writing ------------------------------------------------------------------------------------ */

/* A shape as a record; segments and triangles become hulls of their points. */
static capture_shape record_of(const wp_shape *s, float (*vertices)[3], uint32_t *count)
{
	const uint32_t first = *count;
	switch ((wp_shape_kind)s->kind) {
	case WP_SHAPE_CAPSULE:
		return (capture_shape){CAPTURE_CAPSULE, {s->radius, s->half_height}, 0, 0};
	case WP_SHAPE_BOX:
		return (capture_shape){
			CAPTURE_BOX, {s->half_extents[0], s->half_extents[1], s->half_extents[2], s->radius}, 0, 0};
	case WP_SHAPE_SEGMENT:
	case WP_SHAPE_TRIANGLE:
		*count += s->kind == WP_SHAPE_SEGMENT ? 2 : 3;
		memcpy(vertices[first], s->points, (*count - first) * sizeof vertices[0]);
		return (capture_shape){CAPTURE_HULL, {0, 0, 0, s->radius}, first, *count - first};
	case WP_SHAPE_HULL:
		for (size_t i = 0; i < wp_hull_vertex_count(s->hull); i++)
			wp_hull_vertex(s->hull, i, vertices[(*count)++]);
		return (capture_shape){CAPTURE_HULL, {0, 0, 0, s->radius}, first, *count - first};
	case WP_SHAPE_CYLINDER:
		return (capture_shape){CAPTURE_CYLINDER, {s->base_radius, s->half_height, 0, s->radius}, 0, 0};
	case WP_SHAPE_CONE:
		return (capture_shape){CAPTURE_CONE, {s->base_radius, s->half_height, 0, s->radius}, 0, 0};
	case WP_SHAPE_ELLIPSOID:
		return (capture_shape){
			CAPTURE_ELLIPSOID, {s->half_extents[0], s->half_extents[1], s->half_extents[2], s->radius}, 0, 0};
	case WP_SHAPE_HALF_SPACE:
		return (capture_shape){CAPTURE_HALF_SPACE, {0, 0, 0, s->radius}, 0, 0};
	case WP_SHAPE_POINT:
	case WP_SHAPE_SPHERE:
	case WP_SHAPE_CUSTOM: /* in no trial */
	case WP_SHAPE_KIND_COUNT:
		break;
	}
	return (capture_shape){CAPTURE_SPHERE, {s->radius}, 0, 0};
}

bool trial_write(const trial *t, const capture_motion *motion, const char *path, const char *remark)
{
	float(*vertices)[3] = malloc((vertex_count(&t->shape[0]) + vertex_count(&t->shape[1])) * sizeof *vertices);
	uint32_t count = 0;
	if (vertices == NULL)
		return false;
	capture_shape shapes[2];
	capture_pair pair = {.a = 0, .b = 1};
	for (int i = 0; i < 2; i++)
		shapes[i] = record_of(&t->shape[i], vertices, &count);
	memcpy(pair.position_a, t->pose[0].position, sizeof pair.position_a);
	memcpy(pair.rotation_a, t->pose[0].rotation, sizeof pair.rotation_a);
	memcpy(pair.position_b, t->pose[1].position, sizeof pair.position_b);
	memcpy(pair.rotation_b, t->pose[1].rotation, sizeof pair.rotation_b);
	const capture_contents contents = {shapes, (const float(*)[3])vertices, &pair, 2, count, 1, motion, NULL};
	const bool written = capture_text_write(path, &contents, remark);
	free(vertices);
	return written;
}
