/* Caches: rows that start from them keep every promise whatever is in them, and take fewer steps where it fits. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "core/contract.h"
#include "scene.h"
#include "support/block.h"
#include "support/certify.h"
#include "support/gen.h"
#include "support/unit.h"
#include "support/vector.h"
#include "widephase/widephase.h"

enum { PAIRS = 2600, VERTEX_MAX = 40 };

enum { OVERLAP, DISTANCE, CONTACT, CONTACT_NEAR, QUERIES };

static const float near = 0.02f;

static gen_corpus corpus;
static wp_batch batch;
static wp_workspace *workspace;
static wp_row rows[QUERIES][PAIRS], again[PAIRS];
static wp_cache caches[PAIRS], before[PAIRS];
static wp_pose moved[2 * PAIRS];

static wp_error ask_with(wp_cache_column known, const wp_batch *b, int query, wp_row *out, wp_statistics *statistics)
{
	wp_results results = wp_results_of_rows(out);
	results.cache = known;
	return query == OVERLAP ? wp_overlap(workspace, b, &results, statistics)
	     : query == DISTANCE
	         ? wp_distance(workspace, b, &results, statistics)
	         : wp_contact(workspace, b, &(wp_contact_options){.max_separation = query == CONTACT ? INFINITY : near},
				   &results, statistics);
}

static wp_error ask(const wp_batch *b, int query, wp_row *out, wp_statistics *statistics)
{
	return ask_with((wp_cache_column){NULL, 0}, b, query, out, statistics);
}

static wp_error ask_warm(wp_cache *known, const wp_batch *b, int query, wp_row *out)
{
	return ask_with((wp_cache_column){known, 0}, b, query, out, NULL);
}

/* Body i of the batch is shape and pose i of the corpus. */
static void set_up(void)
{
	static uint32_t pairs[2 * PAIRS];
	const gen_options options = {.seed = 20250321, .vertex_max = VERTEX_MAX};
	cr_assert(gen_corpus_make(&options, 0, PAIRS, &corpus));
	const size_t size = wp_shape_table_size(2 * PAIRS);
	void *memory = block(size);
	for (uint32_t i = 0; i < 2 * PAIRS; i++)
		pairs[i] = i;
	batch = (wp_batch){.a = {.position = {corpus.poses[0].position, sizeof(wp_pose)},
						   .rotation = {corpus.poses[0].rotation, sizeof(wp_pose)},
						   .count = 2 * PAIRS},
		.pair_a = {pairs, 2 * sizeof *pairs},
		.pair_b = {pairs + 1, 2 * sizeof *pairs},
		.count = PAIRS};
	cr_assert_eq(wp_shape_table_build(corpus.shapes, 2 * PAIRS, memory, size, &batch.shapes, NULL), WP_OK);
	workspace = workspace_of(WP_VARIANT_AUTO);
}

/* Every pose a little off. */
static void move(gen_random *random, double way)
{
	for (size_t i = 0; i < 2 * PAIRS; i++) {
		moved[i] = corpus.poses[i];
		const double bound = (double)wp_shape_table_bound(batch.shapes, (uint32_t)i);
		for (int k = 0; k < 3; k++)
			moved[i].position[k] += (float)(way * bound * gen_range(random, -1, 1));
		for (int k = 0; k < 4; k++)
			moved[i].rotation[k] += (float)(way * gen_range(random, -1, 1));
		const float *const q = moved[i].rotation;
		const float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
		for (int k = 0; k < 4; k++)
			moved[i].rotation[k] /= length;
	}
}

static wp_batch at_poses(const wp_pose *poses)
{
	wp_batch b = batch;
	b.a.position.data = poses[0].position;
	b.a.rotation.data = poses[0].rotation;
	return b;
}

/* What rows of all queries promise. */
static void certify_rows(const wp_pose *poses, const char *what)
{
	for (size_t i = 0; i < PAIRS; i++) {
		const wp_row *const contact = &rows[CONTACT][i];
		const certify_pair p = certify_prepare(
			&corpus.shapes[2 * i], &poses[2 * i], &corpus.shapes[2 * i + 1], &poses[2 * i + 1], contact);
		const char *broken = certify_contact(&p, contact);
		broken = broken ? broken : certify_near(&p, &rows[CONTACT_NEAR][i], near, contact);
		broken = broken ? broken : certify_distance(&p, &rows[DISTANCE][i], contact);
		broken = broken ? broken : certify_overlap(&p, &rows[OVERLAP][i], contact);
		if (broken != NULL)
			cr_assert_fail("%s, pair %zu (%s): broken: %s", what, i,
				gen_construction_name((gen_construction)corpus.constructions[i]), broken);
	}
}

/* ---- any contents ------------------------------------------------------------------------------- */

Test(warm, empty_caches_change_no_bits)
{
	set_up();
	for (int q = 0; q < QUERIES; q++) {
		memset(caches, 0, sizeof caches);
		cr_assert_eq(ask(&batch, q, rows[q], NULL), WP_OK);
		cr_assert_eq(ask_warm(caches, &batch, q, again), WP_OK);
		cr_assert_eq(memcmp(rows[q], again, sizeof again), 0, "query %d", q);
	}
}

static uint32_t random_word(gen_random *random) { return (uint32_t)(gen_bits(random) >> 32); }

static void fill_with_bytes(gen_random *random, wp_cache *c)
{
	uint32_t words[sizeof *c / 4];
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		words[i] = random_word(random);
	memcpy(c, words, sizeof *c);
}

/* Vertices that shapes may have, any of them. */
static void fill_with_vertices(gen_random *random, wp_cache *c)
{
	*c = (wp_cache){.count = 1 + random_word(random) % 4};
	for (uint32_t i = 0; i < c->count; i++)
		c->vertex[i] = random_word(random) % VERTEX_MAX << 16 | random_word(random) % VERTEX_MAX;
}

/* The corners of two boxes, or of hulls of eight; flats and repetitions are frequent. */
static void fill_with_corners(gen_random *random, wp_cache *c)
{
	*c = (wp_cache){.count = 3 + random_word(random) % 2};
	for (uint32_t i = 0; i < c->count; i++)
		c->vertex[i] = (random_word(random) & 7) << 16 | (random_word(random) & 7);
}

static void fill_with_axis(gen_random *random, wp_cache *c)
{
	static const float odd[] = {0.0f, 1.0f, -1.0f, 1e-30f, 1e30f, INFINITY, NAN, 0.57735026f, -0.70710677f};
	*c = (wp_cache){.count = random_word(random) % 8 == 0};
	for (int k = 0; k < 3; k++)
		c->axis[k] = odd[random_word(random) % (sizeof odd / sizeof odd[0])];
}

static void fill_with_direction(gen_random *random, wp_cache *c)
{
	float length = 0.0f;
	*c = (wp_cache){.count = 0};
	for (int k = 0; k < 3; k++) {
		c->axis[k] = (float)gen_range(random, -1, 1);
		length += c->axis[k] * c->axis[k];
	}
	for (int k = 0; k < 3; k++)
		c->axis[k] /= sqrtf(length);
}

/* 10 rounds of 4 queries: 104 000 rows. */
Test(warm, any_contents_keep_the_contract)
{
	static void (*const fill[])(gen_random *, wp_cache *) = {
		fill_with_bytes, fill_with_vertices, fill_with_corners, fill_with_axis, fill_with_direction};
	gen_random random;
	gen_seed(&random, 7);
	set_up();
	for (size_t round = 0; round < 10; round++) {
		for (int q = 0; q < QUERIES; q++) {
			for (size_t i = 0; i < PAIRS; i++)
				fill[round % (sizeof fill / sizeof fill[0])](&random, &caches[i]);
			cr_assert_eq(ask_warm(caches, &batch, q, rows[q]), WP_OK);
		}
		certify_rows(corpus.poses, "any contents");
	}
}

/* Caches of the next pair, of another query. */
Test(warm, caches_of_others_keep_the_contract)
{
	set_up();
	for (int left_by = 0; left_by < QUERIES; left_by++) {
		memset(before, 0, sizeof before);
		cr_assert_eq(ask_warm(before, &batch, left_by, again), WP_OK);
		for (size_t apart = 0; apart < 2; apart++) {
			for (int q = 0; q < QUERIES; q++) {
				for (size_t i = 0; i < PAIRS; i++)
					caches[i] = before[(i + apart) % PAIRS];
				cr_assert_eq(ask_warm(caches, &batch, q, rows[q]), WP_OK);
			}
			certify_rows(corpus.poses, "caches of others");
		}
	}
}

/* Two boxes whose nearest edges are parallel up to 1e-6: what they make of the difference is two faces as thin as
 * rounding, and the origin is outside of these alone. Whatever vertices the search is told to start from, its bracket
 * holds the distance of those edges, which was computed in rational numbers. */
Test(warm, faces_too_thin_for_a_normal_prove_nothing)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1024];
	static const double truth = 1.10677636162007e-07;
	const wp_shape shapes[2] = {wp_shape_box(0x1.2e02a8p-3f, 0x1.2e02a8p-3f, 0x1.2p-3f),
		wp_shape_box(0x1.2e02a8p-3f, 0x1.2e02a8p-3f, 0x1.2ep-3f)};
	const wp_pose poses[2] = {{{0, 0, 0}, {0x1.4e7aeap-1f, -0x1.1517a8p-2f, 0x1.1517a8p-2f, 0x1.4e7aeap-1f}},
		{{0, 0, 0x1.ab1b7cp-2f}, {0x1.4e7ae8p-1f, -0x1.151768p-2f, 0x1.151818p-2f, 0x1.4e7aep-1f}}};
	const uint32_t pairs[2] = {0, 1};
	gen_random random;
	gen_seed(&random, 11);
	set_up();
	wp_batch one = {.a = {.position = {poses[0].position, sizeof(wp_pose)},
						.rotation = {poses[0].rotation, sizeof(wp_pose)},
						.count = 2},
		.pair_a = {&pairs[0]},
		.pair_b = {&pairs[1]},
		.count = 1};
	cr_assert_eq(wp_shape_table_build(shapes, 2, memory, sizeof memory, &one.shapes, NULL), WP_OK);
	for (uint32_t i = 0; i < 4096; i++) {
		fill_with_corners(&random, &before[0]);
		caches[0] = before[0];
		cr_assert_eq(ask_warm(caches, &one, CONTACT, again), WP_OK);
		cr_assert((double)again->lower <= truth && (double)again->upper >= truth,
			"cache %u (%x %x %x %x, %u): %a to %a", i, before[0].vertex[0], before[0].vertex[1], before[0].vertex[2],
			before[0].vertex[3], before[0].count, (double)again->lower, (double)again->upper);
	}
}

/* ---- frames ------------------------------------------------------------------------------------- */

/* A tetrahedron of vertices of a needle, whose volume has no inverse. */
Test(warm, a_volume_without_inverse_is_none)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[WP_VARIANT_COUNT][WP_WORKSPACE_SIZE], table_memory[4096];
	static const float position[3] = {0, 0, 0}, rotation_a[4] = {0, 0, 0, 1}, rotation_b[4] = {0, 1, 0, 0};
	wp_shape shapes[2] = {wp_shape_capsule(0x1.8a77cep-1f, 0x1.253c42p+0f),
		wp_shape_box(0x1.6e5744p-67f, 0x1.378abap+0f, 0x1.116256p-67f)};
	shapes[1].radius = 0x1.57a2e6p-67f;
	const wp_shape_table *table;
	cr_assert_eq(wp_shape_table_build(shapes, 2, table_memory, sizeof table_memory, &table, NULL), WP_OK);
	const wp_pair pair = {.shapes = table,
		.shape_a = 0,
		.shape_b = 1,
		.position_a = position,
		.rotation_a = rotation_a,
		.position_b = position,
		.rotation_b = rotation_b};
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		wp_workspace *made;
		wp_row row;
		if (wp_workspace_init(memory[v], WP_WORKSPACE_SIZE, (wp_variant)v, &made) != WP_OK)
			continue;
		wp_cache known = {{0xd1266b43u, 0x2d3b4008u, 0x5d27e96fu, 0xc33d5dbeu},
			{-0x1.57babcp-1f, -0x1.55da9p-1f, -0x1.57b5a6p-1f}, 4};
		cr_assert_eq(wp_overlap_prepared(made, &pair, &known, &row), WP_OK);
		CHECK(row.status == WP_STATUS_PENETRATING && row.lower <= row.upper && row.separation == row.upper &&
				  row.upper >= -0x1.8a77dp-1f && row.upper < 0,
			"%s: %g, %g to %g", wp_variant_name((wp_variant)v), (double)row.separation, (double)row.lower,
			(double)row.upper);
	}
}

Test(warm, frames_keep_the_contract_and_take_fewer_steps)
{
	static wp_cache of_query[QUERIES][PAIRS];
	gen_random random;
	uint64_t cold_steps = 0, warm_steps = 0;
	gen_seed(&random, 11);
	set_up();
	memset(of_query, 0, sizeof of_query);
	for (int frame = 0; frame < 6; frame++) {
		move(&random, frame < 3 ? 1e-4 : 1e-2);
		for (int q = 0; q < QUERIES; q++) {
			const wp_batch there = at_poses(moved);
			cr_assert_eq(ask(&there, q, again, NULL), WP_OK);
			cr_assert_eq(ask_warm(of_query[q], &there, q, rows[q]), WP_OK);
			for (size_t i = 0; i < PAIRS && frame > 0 && frame < 3; i++) {
				cold_steps += again[i].iterations;
				warm_steps += rows[q][i].iterations;
			}
		}
		certify_rows(moved, "frames");
	}
	cr_assert(warm_steps < cold_steps, "%llu steps, cold %llu", (unsigned long long)warm_steps,
		(unsigned long long)cold_steps);
}

/* What is written can be read: vertices that the shapes have, an axis that is unit or none. */
Test(warm, contents)
{
	set_up();
	for (int q = 0; q < QUERIES; q++) {
		memset(caches, 0, sizeof caches);
		cr_assert_eq(ask_warm(caches, &batch, q, again), WP_OK);
		for (size_t i = 0; i < PAIRS; i++) {
			const wp_cache *const c = &caches[i];
			const double length = v3_length(v3_of((double)c->axis[0], (double)c->axis[1], (double)c->axis[2]));
			cr_assert(length == 0 || fabs(length - 1) < 1e-5, "pair %zu: axis of length %g", i, length);
			cr_assert(c->count <= 4 && (c->count == 0 || length > 0));
			for (uint32_t k = 0; k < c->count; k++)
				for (size_t side = 0; side < 2; side++) {
					const wp_shape *const s = &corpus.shapes[2 * i + side];
					const uint32_t id = side == 0 ? c->vertex[k] >> 16 : c->vertex[k] & 0xffffu;
					cr_assert(id < (s->kind == WP_SHAPE_HULL ? wp_hull_vertex_count(s->hull) : 8));
				}
		}
	}
}

/* ---- recorded ----------------------------------------------------------------------------------- */

enum { FRAMES = 5, FRAME_PAIRS = 512 };

/* Consecutive frames of one pile: at least twice fewer steps, and the same contract. */
Test(warm, recorded_frames)
{
	static capture_file capture;
	static capture_truth_file truth_file;
	static capture_scene scene;
	static capture_pair pairs[FRAMES * FRAME_PAIRS];
	static capture_truth truths[FRAMES * FRAME_PAIRS];
	size_t count, truth_count;
	cr_assert(capture_open(&capture, DATA "/rec_pile_seq.pairs") && scene_build(&scene, &capture, capture.error));
	cr_assert(capture_truth_open(&truth_file, DATA "/rec_pile_seq.truth", capture.pair_count));
	cr_assert(capture_read(&capture, pairs, FRAMES * FRAME_PAIRS, &count));
	cr_assert(capture_truth_read(&truth_file, truths, FRAMES * FRAME_PAIRS, &truth_count));
	cr_assert(count == FRAMES * FRAME_PAIRS && truth_count == count);
	workspace = workspace_of(WP_VARIANT_AUTO);
	wp_statistics cold_work = {0}, warm_work = {0};
	memset(caches, 0, sizeof caches);
	for (size_t first = 0; first < count; first += FRAME_PAIRS) {
		const wp_batch frame = scene_batch(&scene, pairs + first, FRAME_PAIRS);
		cr_assert_eq(ask(&frame, CONTACT_NEAR, again, first == 0 ? NULL : &cold_work), WP_OK);
		cr_assert_eq(
			ask_with((wp_cache_column){caches, 0}, &frame, CONTACT_NEAR, rows[0], first == 0 ? NULL : &warm_work),
			WP_OK);
		for (size_t i = 0; i < FRAME_PAIRS; i++) {
			const wp_row *const row = &rows[0][i];
			const capture_pair *const pair = &pairs[first + i];
			const double truth = truths[first + i].separation;
			const double unit = fmax((double)wp_shape_table_bound(scene.table, pair->a),
									(double)wp_shape_table_bound(scene.table, pair->b)) +
			                    fabs(truth);
			cr_assert((double)row->lower <= truth + 1e-9 * unit && truth <= (double)row->upper + 1e-9 * unit);
			cr_assert(row->status & WP_STATUS_BEYOND || fabs((double)row->separation - truth) <= WP_CONTRACT * unit,
				"pair %zu: %.9g, not %.9g", first + i, (double)row->separation, truth);
		}
	}
	const uint64_t cold_steps = cold_work.gjk_iterations + cold_work.epa_iterations,
				   warm_steps = warm_work.gjk_iterations + warm_work.epa_iterations;
	cr_assert(cold_steps > 2 * warm_steps, "%llu steps, cold %llu", (unsigned long long)warm_steps,
		(unsigned long long)cold_steps);
	scene_free(&scene);
	capture_truth_close(&truth_file);
	capture_close(&capture);
}

/* ---- which caches are touched ------------------------------------------------------------------- */

typedef struct kept_pair {
	uint32_t number;
	wp_cache cache;
	float remark;
} kept_pair;

Test(warm, rows_touch_their_own_alone)
{
	static kept_pair kept[PAIRS];
	set_up();
	memset(kept, 0x5a, sizeof kept);
	wp_batch part = batch;
	part.first = 100;
	part.count = 700;
	cr_assert_eq(ask_with((wp_cache_column){&kept[0].cache, sizeof kept[0]}, &part, DISTANCE, again, NULL), WP_OK);
	size_t written = 0;
	for (size_t i = 0; i < PAIRS; i++) {
		kept_pair pattern;
		memset(&pattern, 0x5a, sizeof pattern);
		cr_assert(kept[i].number == pattern.number);
		cr_assert_eq(memcmp(&kept[i].remark, &pattern.remark, sizeof pattern.remark), 0);
		const bool differs = memcmp(&kept[i].cache, &pattern.cache, sizeof pattern.cache) != 0;
		cr_assert(!differs || (i >= 100 && i < 800), "cache %zu", i);
		written += differs;
	}
	cr_assert(written > 350, "%zu", written);
}

/* Closed forms read nothing of a cache; an invalid row has nothing to keep. */
Test(warm, closed_forms_and_invalid_rows)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1024];
	const wp_shape shapes[2] = {wp_shape_box(1, 2, 3), wp_shape_sphere(-1)};
	const wp_pose poses[2] = {{{0, 0, 0}, {0, 0, 0, 1}}, {{1.5f, 0, 0}, {0, 0, 0, 1}}};
	wp_cache cache, pattern;
	set_up();
	wp_batch one = {.a = {.position = {poses[0].position, sizeof(wp_pose)},
						.rotation = {poses[0].rotation, sizeof(wp_pose)},
						.shape = {(const uint32_t[]){0, 0}},
						.count = 2},
		.pair_a = {(const uint32_t[]){0}},
		.pair_b = {(const uint32_t[]){1}},
		.count = 1};
	cr_assert_eq(wp_shape_table_build(shapes, 2, memory, sizeof memory, &one.shapes, NULL), WP_OK);
	memset(&pattern, 0x5a, sizeof pattern);
	cache = pattern;
	cr_assert_eq(ask_warm(&cache, &one, CONTACT, again), WP_OK);
	cr_assert(again[0].iterations == 0 && memcmp(&cache, &pattern, sizeof cache) == 0);
	memset(&pattern, 0, sizeof pattern);
	one.a.shape.data = (const uint32_t[]){0, 1};
	cr_assert_eq(ask_warm(&cache, &one, CONTACT, again), WP_OK);
	cr_assert(again[0].status & WP_STATUS_INVALID && memcmp(&cache, &pattern, sizeof cache) == 0);
}
