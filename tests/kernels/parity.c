/* Parity, as a plain program that runs wherever the library does, under an emulator or in Node too:
 * every variant of the build against scalar, bit for bit, on three fixed corpora, for each query; as one batch,
 * shuffled, in chunks, by threads, and under each floating-point environment a caller may have. Prints one
 * digest per query, and one of all hulls' bytes, which are the same on every machine; exits with 1 where they differ.
 *   parity [DIGESTS [--until-failure | --few-ways | --by-threads] [CORPUS...]]
 * CORPUS is plain, smooth or half_space; all of them by default. --few-ways, for emulators and sanitizers: as one batch, and
 * plain pairs in all other kinds of way at once. --by-threads, for what finds races: as one batch, and by threads. */
#include "support/block.h"
#include "support/gen.h"
#include "support/gen_2d.h"
#include "widephase/widephase.h"

#ifndef __wasm__
#define HAVE_THREADS_AND_MODES
#include "support/rounding.h"
#include <pthread.h>
#endif
#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS (100 * GEN_CONSTRUCTION_COUNT)
#define SMOOTH_PAIRS (50 * GEN_CONSTRUCTION_COUNT) /* with cylinders, cones and ellipsoids */
#define HALF_SPACE_PAIRS (50 * GEN_CONSTRUCTION_COUNT)
#define SEED 20240611

enum { TRACKED = 14 + WP_METHOD_COUNT, PROVEN, RAY };

typedef struct run {
	const char *name;
	int query; /* 0 overlap, 1 distance, 2 contact, 3 cast along a straight way, 4 turning too,
	                          5 depth along one direction, 6 contact and 7 distance in the third of three frames,
	                          with caches, 8 contact with a manifold, 9 to 14 of pairs of the plane: overlap,
	                          distance, contact, contact with a manifold, and both casts, 14 + M contact by the
	                          wp_method M, TRACKED the third of three frames of tracked pairs, PROVEN
	                          the same with polytopes, RAY cast of a point or
	                          a sphere in the place of one shape */
	float max_separation;
	bool details;      /* local points and tangents in the place of the rows */
	float reuse_error; /* of tracked pairs */
} run;

static const run runs[] = {{"overlap", 0, 0.0f, false, 0.0f}, {"distance", 1, 0.0f, false, 0.0f},
	{"contact", 2, 1e30f, false, 0.0f}, {"contact_speculative", 2, 0.02f, false, 0.0f},
	{"distance_details", 1, 0.0f, true, 0.0f}, {"contact_details", 2, 1e30f, true, 0.0f},
	{"cast", 3, 0.0f, false, 0.0f}, {"cast_turning", 4, 0.0f, false, 0.0f}, {"depth_along", 5, 0.0f, false, 0.0f},
	{"contact_warm", 6, 0.02f, false, 0.0f}, {"distance_warm", 7, 0.0f, false, 0.0f},
	{"contact_manifold", 8, 1e30f, false, 0.0f}, {"contact_manifold_speculative", 8, 0.02f, false, 0.0f},
	{"plane_overlap", 9, 0.0f, false, 0.0f}, {"plane_distance", 10, 0.0f, false, 0.0f},
	{"plane_contact", 11, 1e30f, false, 0.0f}, {"plane_contact_speculative", 11, 0.02f, false, 0.0f},
	{"plane_manifold", 12, 1e30f, false, 0.0f}, {"plane_cast", 13, 0.0f, false, 0.0f},
	{"plane_cast_turning", 14, 0.0f, false, 0.0f}, {"contact_gjk_epa", 14 + WP_METHOD_GJK_EPA, 1e30f, false, 0.0f},
	{"contact_core", 14 + WP_METHOD_CORE, 1e30f, false, 0.0f},
	{"contact_core_speculative", 14 + WP_METHOD_CORE, 0.02f, false, 0.0f},
	{"contact_core_details", 14 + WP_METHOD_CORE, 1e30f, true, 0.0f},
	{"contact_sampled", 14 + WP_METHOD_SAMPLED, 1e30f, false, 0.0f},
	{"contact_sampled_speculative", 14 + WP_METHOD_SAMPLED, 0.02f, false, 0.0f},
	{"tracked", TRACKED, 0.02f, false, 0.0f}, {"tracked_reuse", TRACKED, 0.02f, false, 0.01f},
	{"tracked_proven", PROVEN, 0.02f, false, 0.0f}, {"tracked_reuse_proven", PROVEN, 0.02f, false, 0.01f},
	{"ray", RAY, 0.0f, false, 0.0f}, {"ray_details", RAY, 0.0f, true, 0.0f}};

static bool is_of_plane(const run *r) { return r->query > 8 && r->query <= 14; }

/* Casts: B goes past A to the other side, and to A's rotation. */
static float paths[2 * PAIRS][3], turns[2 * PAIRS][4];

/* The same for all rows, since a shuffled row has another pair. */
static float directions[PAIRS][3];

static void make_motions(const wp_pose *poses, size_t count)
{
	static const float direction[3] = {0.3f, -0.5f, 0.8f};
	for (size_t i = 0; i < count; i++)
		memcpy(directions[i], direction, sizeof direction);
	for (size_t i = 0; i < 2 * count; i++) {
		memcpy(turns[i], poses[i / 2 * 2].rotation, sizeof turns[i]);
		for (size_t k = 0; k < 3; k++)
			paths[i][k] = i % 2 ? 2 * (poses[i - 1].position[k] - poses[i].position[k]) : 0;
	}
}

/* Poses of two more frames: each body goes its own short way there, and back a part of it. */
static wp_pose frames[2][2 * PAIRS];

static void make_frames(const wp_pose *poses, size_t count)
{
	static const float share[2] = {1e-3f, 4e-4f};
	for (size_t i = 0; i < 2 * count * 2; i++) {
		wp_pose *const pose = &frames[i % 2][i / 2];
		*pose = poses[i / 2];
		for (size_t k = 0; k < 3; k++) {
			const float to = poses[(i / 2) ^ 1].position[k] - pose->position[k];
			pose->position[k] += (i / 2 + k) % 3 == 0 ? share[i % 2] * to : 0.0f;
			pose->rotation[k] += (i / 2 + k) % 2 == 0 ? share[i % 2] : 0.0f;
		}
	}
}

/* The fraction in the place of the upper bound. */
static wp_error cast(wp_workspace *workspace, const wp_batch *batch, bool turning, wp_row *rows)
{
	const wp_motions motions = {.translation = {paths[0]}, .rotation = {turning ? turns[0] : NULL}};
	wp_results results = wp_results_of_rows(rows);
	results.upper.data = NULL;
	return wp_cast(workspace, batch, &motions, NULL, &results, &(wp_float_column){&rows->upper, sizeof *rows}, NULL);
}

/* Rays: in four of five pairs B is a point or a sphere, which goes past A's origin aside, in the fifth A is. The shapes of
 * all bodies, and those two, which a table has last. */
static uint32_t ray_shapes[2 * PAIRS];
static float ray_paths[2 * PAIRS][3];
static const wp_shape ray_balls[2] = {
	{.kind = WP_SHAPE_SPHERE, .radius = 0.0f}, {.kind = WP_SHAPE_SPHERE, .radius = 0.125f}};

static void make_rays(size_t count)
{
	for (uint32_t i = 0; i < 2 * count; i++) {
		const uint32_t pair = i / 2, ball = pair % 5 == 0 ? 0 : 1, first = 2 * (uint32_t)count;
		ray_shapes[i] = i % 2 == ball ? first + (pair % 4 == 0 ? 1 : 0) : i;
		for (size_t k = 0; k < 3; k++)
			ray_paths[i][k] = paths[i][k] + 0.125f * (float)(pair % 7) * paths[i][(k + 1) % 3];
	}
}

static wp_error ray(wp_workspace *workspace, const wp_batch *batch, bool details, wp_results results, wp_row *rows)
{
	const wp_motions motions = {.translation = {ray_paths[0], 0}};
	wp_batch rays = *batch;
	rays.a.shape = (wp_const_uint32_column){ray_shapes, 0};
	if (details)
		return wp_cast(workspace, &rays, &motions, NULL, &results, NULL, NULL);
	results.upper.data = NULL;
	return wp_cast(workspace, &rays, &motions, NULL, &results, &(wp_float_column){&rows->upper, sizeof *rows}, NULL);
}

_Static_assert(sizeof(wp_row) >= 12 * sizeof(float), "a row has room for four vectors");

/* Details where the first twelve numbers of rows are. */
static wp_results details_of_rows(wp_row *rows)
{
	float *const at = &rows->separation;
	return (wp_results){.local_a = {at, sizeof *rows},
		.local_b = {at + 3, sizeof *rows},
		.tangent_1 = {at + 6, sizeof *rows},
		.tangent_2 = {at + 9, sizeof *rows}};
}

#define HASH_START 0xcbf29ce484222325u

/* FNV-1a over words, NaN by one pattern: its payload is the only thing that may differ. */
static uint64_t hash_words(uint64_t hash, const void *from, size_t size)
{
	for (size_t k = 0; k < size / 4; k++) {
		uint32_t word;
		memcpy(&word, (const char *)from + 4 * k, sizeof word);
		word = (word & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : word;
		for (int byte = 0; byte < 4; byte++)
			hash = (hash ^ (word >> 8 * byte & 0xffu)) * 0x100000001b3u;
	}
	return hash;
}

static uint64_t digest(const wp_row *rows, size_t count) { return hash_words(HASH_START, rows, count * sizeof *rows); }

/* A digest of the points in the place of the iterations. */
static wp_error manifold(wp_workspace *workspace, const wp_batch *batch, float max_separation, wp_row *rows)
{
	static wp_manifold_point points[PAIRS][WP_MANIFOLD_POINT_MAX];
	static uint32_t counts[PAIRS];
	const wp_results results = wp_results_of_rows(rows);
	const wp_manifolds manifolds = {.count = {counts}, .points = {points[0]}, .point_max = WP_MANIFOLD_POINT_MAX};
	const wp_error error = wp_contact_manifold(
		workspace, batch, &(wp_contact_options){.max_separation = max_separation}, &results, &manifolds, NULL);
	for (size_t i = batch->first; error == WP_OK && i < batch->first + batch->count; i++)
		rows[i].iterations = (uint32_t)hash_words(HASH_START, points[i], counts[i] * sizeof points[i][0]) & 0x3fffffffu;
	return error;
}

/* 2D pairs in place of 3D pairs: pair i has shapes 2 i and 2 i + 1 here too. */
static gen_2d_pair pairs_2d[PAIRS];
static wp2d_pose plane_poses[2 * PAIRS];
static float plane_paths[2 * PAIRS][2], plane_turns[2 * PAIRS][2];
static const wp2d_shape_table *plane_table;

/* Makes them; their table is to be freed. */
static void *make_plane(void)
{
	static wp2d_shape shapes[2 * PAIRS];
	for (size_t i = 0; i < PAIRS; i++)
		gen_2d(SEED, i, &pairs_2d[i]);
	for (size_t i = 0; i < 2 * PAIRS; i++) {
		shapes[i] = pairs_2d[i / 2].shape[i % 2];
		plane_poses[i] = pairs_2d[i / 2].pose[i % 2];
		memcpy(plane_turns[i], pairs_2d[i / 2].pose[0].rotation, sizeof plane_turns[i]);
		for (size_t k = 0; k < 2; k++)
			plane_paths[i][k] = i % 2 ? 2 * (plane_poses[i - 1].position[k] - plane_poses[i].position[k]) : 0;
	}
	const size_t size = wp2d_shape_table_size(shapes, 2 * PAIRS);
	void *memory = block(size);
	if (wp2d_shape_table_build(shapes, 2 * PAIRS, memory, size, &plane_table, NULL) != WP_OK)
		exit(1);
	return memory;
}

_Static_assert(sizeof(wp2d_row) <= sizeof(wp_row) && offsetof(wp_row, iterations) > sizeof(wp2d_row),
	"rows of the plane leave room for a digest");

/* The fraction in the place of the upper bound. */
static wp_error plane_cast(wp_workspace *workspace, const wp2d_batch *batch, bool turning, wp2d_results results)
{
	const wp2d_motions motions = {.translation = {plane_paths[0]}, .rotation = {turning ? plane_turns[0] : NULL}};
	const wp_float_column fraction = results.upper;
	results.upper.data = NULL;
	return wp2d_cast(workspace, batch, &motions, NULL, &results, &fraction, NULL);
}

/* Rows of the plane at the start of rows of space; a digest of the points of a manifold at their end. */
static wp_error plane(wp_workspace *workspace, const wp_batch *batch, const run *r, wp_row *rows)
{
	static wp2d_manifold_point points[PAIRS][WP2D_MANIFOLD_POINT_MAX];
	static uint32_t counts[PAIRS];
	const wp2d_batch b = {.shapes = plane_table,
		.pair_a = batch->pair_a,
		.pair_b = batch->pair_b,
		.first = batch->first,
		.count = batch->count,
		.a = {.position = {plane_poses[0].position, sizeof(wp2d_pose)},
			.rotation = {plane_poses[0].rotation, sizeof(wp2d_pose)},
			.count = 2 * PAIRS}};
	wp2d_results results = wp2d_results_of_rows((wp2d_row *)(void *)rows);
	results.separation.stride = results.normal.stride = results.point_a.stride = results.point_b.stride =
		results.lower.stride = results.upper.stride = results.status.stride = results.iterations.stride = sizeof *rows;
	const wp2d_manifolds manifolds = {.count = {counts}, .points = {points[0]}};
	if (r->query == 9)
		return wp2d_overlap(workspace, &b, &results, NULL);
	if (r->query == 10)
		return wp2d_distance(workspace, &b, &results, NULL);
	if (r->query == 11)
		return wp2d_contact(workspace, &b, &(wp_contact_options){.max_separation = r->max_separation}, &results, NULL);
	if (r->query > 12)
		return plane_cast(workspace, &b, r->query == 14, results);
	const wp_error error = wp2d_contact_manifold(
		workspace, &b, &(wp_contact_options){.max_separation = r->max_separation}, &results, &manifolds, NULL);
	for (size_t i = batch->first; error == WP_OK && i < batch->first + batch->count; i++)
		rows[i].iterations = (uint32_t)hash_words(HASH_START, points[i], counts[i] * sizeof points[i][0]) & 0x3fffffffu;
	return error;
}

/* Three frames with the same caches; the rows are from the last frame. */
static wp_error warm(wp_workspace *workspace, const wp_batch *batch, const run *r, wp_row *rows)
{
	wp_results results = wp_results_of_rows(rows);
	wp_cache *const caches = block(PAIRS * sizeof *caches);
	results.cache.data = caches;
	memset(caches, 0, PAIRS * sizeof *caches);
	wp_error error = WP_OK;
	for (int frame = 0; frame < 3 && error == WP_OK; frame++) {
		wp_batch b = *batch;
		if (frame > 0) {
			b.a.position.data = frames[frame - 1][0].position;
			b.a.rotation.data = frames[frame - 1][0].rotation;
		}
		error = r->query == 6 ? wp_contact(workspace, &b, &(wp_contact_options){.max_separation = r->max_separation},
									&results, NULL)
		                      : wp_distance(workspace, &b, &results, NULL);
	}
	block_free(caches);
	return error;
}

/* What a caller may read of a pair after a frame; the rest is the library's, and its layout may change. */
static uint32_t digest_of_tracked(const wp_tracked *pair, const wp_persistent_manifold *manifold)
{
	const uint32_t told[3] = {pair->status, pair->event, pair->count};
	uint64_t hash = hash_words(HASH_START, told, sizeof told);
	hash = hash_words(hash, &pair->separation, sizeof pair->separation);
	if (pair->count != 0) {
		hash = hash_words(hash, &manifold->count, sizeof manifold->count);
		hash = hash_words(hash, manifold->normal, sizeof manifold->normal);
	}
	for (uint32_t k = 0; k < pair->count; k++) {
		const wp_persistent_point *const point = &manifold->points[k];
		const wp_persistent_place *const place = &manifold->places[k];
		hash = hash_words(hash, place->local_a, sizeof place->local_a);
		hash = hash_words(hash, place->local_b, sizeof place->local_b);
		hash = hash_words(hash, point->arm_a, sizeof point->arm_a);
		hash = hash_words(hash, point->arm_b, sizeof point->arm_b);
		hash = hash_words(hash, &point->separation, sizeof point->separation);
		hash = hash_words(hash, &place->feature_a, sizeof place->feature_a);
		hash = hash_words(hash, &place->feature_b, sizeof place->feature_b);
		hash = hash_words(hash, &point->age, sizeof point->age);
		hash = hash_words(hash, manifold->impulses[k], sizeof manifold->impulses[k]);
	}
	return (uint32_t)hash & 0x3fffffffu;
}

/* Three frames of tracked pairs; the rows are from the last, with digests of what was kept in the place of the iterations. */
static wp_error track(wp_workspace *workspace, const wp_batch *batch, const run *r, wp_row *rows)
{
	const size_t count = batch->count;
	const wp_results results = wp_results_of_rows(rows);
	const wp_track_options options = {r->max_separation, 0.02f, r->reuse_error};
	wp_tracked *const pairs = block(count * sizeof *pairs);
	wp_persistent_manifold *const manifolds = block(count * sizeof *manifolds);
	wp_tracked_anchor *const anchors = block(count * sizeof *anchors);
	wp_tracked_polytope *const polytopes = block(count * sizeof *polytopes);
	uint32_t *const index = block((batch->first + count) * sizeof *index);
	for (size_t i = 0; i < count; i++)
		index[batch->first + i] = (uint32_t)(count - 1 - i);
	memset(pairs, 0, count * sizeof *pairs);
	memset(polytopes, 0, count * sizeof *polytopes);
	const wp_tracked_pairs tracked = {
		pairs, manifolds, anchors, count, {index, 0}, r->query == PROVEN ? polytopes : NULL};
	wp_error error = WP_OK;
	for (int frame = 0; frame < 3 && error == WP_OK; frame++) {
		wp_batch b = *batch;
		if (frame > 0) {
			b.a.position.data = frames[frame - 1][0].position;
			b.a.rotation.data = frames[frame - 1][0].rotation;
		}
		error = wp_track(workspace, &b, &options, &tracked, &results, NULL, NULL);
	}
	for (size_t i = 0; error == WP_OK && i < count; i++) {
		const size_t at = count - 1 - i;
		uint32_t digest = digest_of_tracked(&pairs[at], &manifolds[at]);
		if (r->query == PROVEN)
			digest = (uint32_t)hash_words(digest, &polytopes[at], sizeof *polytopes) & 0x3fffffffu;
		rows[batch->first + i].iterations = digest;
	}
	block_free(index);
	block_free(polytopes);
	block_free(anchors);
	block_free(manifolds);
	block_free(pairs);
	return error;
}

static wp_error by_method(wp_workspace *workspace, const wp_batch *batch, const run *r, const wp_results *results)
{
	const wp_contact_options options = {.max_separation = r->max_separation};
	const wp_method_options method = {.method = (uint32_t)r->query - 14, .directions = 32, .margin = 0.03f};
	return wp_contact_by_method(workspace, batch, &options, &method, results, NULL);
}

static wp_error query(wp_workspace *workspace, const wp_batch *batch, const run *r, wp_row *rows)
{
	const wp_results results = r->details ? details_of_rows(rows) : wp_results_of_rows(rows);
	if (r->query == 0)
		return wp_overlap(workspace, batch, &results, NULL);
	if (r->query == TRACKED || r->query == PROVEN)
		return track(workspace, batch, r, rows);
	if (r->query == RAY)
		return ray(workspace, batch, r->details, results, rows);
	if (r->query > 14)
		return by_method(workspace, batch, r, &results);
	if (r->query > 8)
		return plane(workspace, batch, r, rows);
	if (r->query == 8)
		return manifold(workspace, batch, r->max_separation, rows);
	if (r->query > 5)
		return warm(workspace, batch, r, rows);
	if (r->query == 5)
		return wp_depth_along(workspace, batch, &(wp_const_float_column){directions[0], 0}, &results, NULL);
	if (r->query > 2)
		return cast(workspace, batch, r->query == 4, rows);
	if (r->query == 1)
		return wp_distance(workspace, batch, &results, NULL);
	return wp_contact(workspace, batch, &(wp_contact_options){.max_separation = r->max_separation}, &results, NULL);
}

/* ---- ways to run a batch ------------------------------------------------------------------------ */

/* What a way needs: the batch, the query, a workspace for each thread, and where the rows go. */
typedef struct job {
	const wp_batch *batch;
	const run *run;
	wp_workspace *const *workspaces;
	wp_row *rows;
} job;

/* Runs a job; the number says more where a way has one. */
typedef bool run_function(const job *j, uint32_t number);

static bool run_whole(const job *j, uint32_t unused)
{
	(void)unused;
	return query(j->workspaces[0], j->batch, j->run, j->rows) == WP_OK;
}

/* Row i of the batch is pair i * step of the corpus: step shares no factor with the number of pairs. */
static bool shuffled(const job *j, uint32_t step, run_function *ask, uint32_t number)
{
	const uint32_t count = (uint32_t)j->batch->count;
	uint32_t *pairs = block(2 * count * sizeof *pairs);
	wp_row *rows = block(count * sizeof *rows);
	memset(rows, 0, count * sizeof *rows);
	wp_batch batch = *j->batch;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t pair = (uint32_t)((uint64_t)i * step % count);
		pairs[2 * i] = 2 * pair;
		pairs[2 * i + 1] = 2 * pair + 1;
	}
	batch.pair_a.data = pairs;
	batch.pair_b.data = pairs + 1;
	const job inner = {&batch, j->run, j->workspaces, rows};
	const bool fine = ask(&inner, number);
	for (uint32_t i = 0; i < count; i++)
		j->rows[pairs[2 * i] / 2] = rows[i];
	block_free(rows);
	block_free(pairs);
	return fine;
}

static bool run_shuffled(const job *j, uint32_t step) { return shuffled(j, step, run_whole, 0); }

static bool run_chunks(const job *j, uint32_t size)
{
	wp_batch batch = *j->batch;
	bool fine = true;
	for (size_t first = 0; first < j->batch->count; first += size) {
		batch.first = first;
		batch.count = j->batch->count - first < size ? j->batch->count - first : size;
		fine = fine && query(j->workspaces[0], &batch, j->run, j->rows) == WP_OK;
	}
	return fine;
}

/* Chunks of four sizes in turn: fewer rows than lanes, and more. */
static bool run_sizes(const job *j, uint32_t unused)
{
	static const size_t sizes[4] = {1, 7, 16, 76};
	const size_t end = j->batch->first + j->batch->count;
	wp_batch batch = *j->batch;
	bool fine = true;
	(void)unused;
	for (size_t i = 0; batch.first < end; i++, batch.first += batch.count) {
		const size_t size = sizes[i % 4], left = end - batch.first;
		batch.count = left < size ? left : size;
		fine = fine && query(j->workspaces[0], &batch, j->run, j->rows) == WP_OK;
	}
	return fine;
}

#define THREADS_MAX 8

#ifdef HAVE_THREADS_AND_MODES
typedef struct worker {
	pthread_t thread;
	const job *job;
	run_function *ask; /* of each range */
	uint32_t number, count;
	bool fine;
} worker;

/* Every count-th range of 100 rows. */
static void *work(void *argument)
{
	worker *w = argument;
	wp_batch batch = *w->job->batch;
	const size_t rows = batch.count;
	const job range = {&batch, w->job->run, w->job->workspaces + w->number, w->job->rows};
	w->fine = true;
	for (batch.first = 100 * w->number; batch.first < rows; batch.first += 100 * w->count) {
		batch.count = rows - batch.first < 100 ? rows - batch.first : 100;
		w->fine = w->fine && w->ask(&range, 0);
	}
	return NULL;
}

static bool by_threads(const job *j, uint32_t count, run_function *ask)
{
	worker workers[THREADS_MAX];
	bool fine = true;
	for (uint32_t i = 0; i < count; i++) {
		workers[i] = (worker){.job = j, .ask = ask, .number = i, .count = count};
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
			exit(1);
	}
	for (uint32_t i = 0; i < count; i++) {
		pthread_join(workers[i].thread, NULL);
		fine = fine && workers[i].fine;
	}
	return fine;
}

static bool run_threads(const job *j, uint32_t count) { return by_threads(j, count, run_whole); }

/* The caller's rounding mode, which must be found as it was. */
static bool in_mode(const job *j, uint32_t number, run_function *ask)
{
	static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
	fesetround(modes[number]);
	const bool fine = ask(j, 0), stays = rounding_now() == modes[number];
	fesetround(FE_TONEAREST);
	return fine && stays;
}

static bool run_mode(const job *j, uint32_t number) { return in_mode(j, number, run_whole); }

#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__) || (defined(__arm__) && defined(__ARM_FP))
#define HAVE_FLUSHING
/* Denormals flushed to zero and read as zero: bits of the control register, which must stay. */
static bool flushed(const job *j, run_function *ask)
{
#if defined(__x86_64__) || defined(__i386__)
	const unsigned before = _mm_getcsr(), changed = before | 0x8040u, flags = 0x3f;
	_mm_setcsr(changed);
	const bool fine = ask(j, 0), stays = ((_mm_getcsr() ^ changed) & ~flags) == 0;
	_mm_setcsr(before);
	return fine && stays;
#elif defined(__aarch64__)
	uint64_t before, after;
	__asm__ volatile("mrs %0, fpcr" : "=r"(before));
	const uint64_t changed = before | UINT64_C(1) << 24;
	__asm__ volatile("msr fpcr, %0" : : "r"(changed));
	const bool fine = ask(j, 0);
	__asm__ volatile("mrs %0, fpcr" : "=r"(after));
	__asm__ volatile("msr fpcr, %0" : : "r"(before));
	return fine && after == changed;
#else
	const uint32_t rounding = UINT32_C(3) << 22, flushing = UINT32_C(1) << 24, default_nan = UINT32_C(1) << 25;
	uint32_t before, after;
	__asm__ volatile("vmrs %0, fpscr" : "=r"(before));
	const uint32_t changed = before | flushing | default_nan;
	__asm__ volatile("vmsr fpscr, %0" : : "r"(changed) : "cc");
	const bool fine = ask(j, 0);
	__asm__ volatile("vmrs %0, fpscr" : "=r"(after));
	__asm__ volatile("vmsr fpscr, %0" : : "r"(before) : "cc");
	return fine && ((after ^ changed) & (rounding | flushing | default_nan)) == 0;
#endif
}

static bool run_flushed(const job *j, uint32_t unused)
{
	(void)unused;
	return flushed(j, run_whole);
}

static bool run_sizes_flushed(const job *j, uint32_t unused)
{
	(void)unused;
	return flushed(j, run_sizes);
}
#else
#define run_sizes_flushed run_sizes
#endif

static bool run_sizes_in_mode(const job *j, uint32_t unused)
{
	(void)unused;
	return in_mode(j, 0, run_sizes_flushed);
}

static bool run_at_once(const job *j, uint32_t count) { return by_threads(j, count, run_sizes_in_mode); }
#else
#define run_at_once run_sizes
#endif

/* Each of the other kinds of way may change no bit, so all of them together may not. Where they do, the ways one by one, which
 * plain native builds run, tell which does. */
static bool run_all_at_once(const job *j, uint32_t step) { return shuffled(j, step, run_at_once, 3); }

/* Which ways are run; each selection has the first one, which the others are compared with. */
typedef enum selection { EVERY_WAY, FEW_WAYS, BY_THREADS, ONE_WAY } selection;

typedef struct way {
	const char *name;
	run_function *run;
	uint32_t number;
	selection selection; /* that has it besides EVERY_WAY */
} way;

static const way ways[] = {
	{"whole", run_whole, 0, EVERY_WAY},
	{"shuffled by", run_shuffled, 1009, EVERY_WAY},
	{"shuffled by", run_shuffled, 17, EVERY_WAY},
	{"in chunks of", run_chunks, 1, EVERY_WAY},
	{"in chunks of", run_chunks, 7, EVERY_WAY},
	{"in chunks of", run_chunks, 16, EVERY_WAY},
	{"in chunks of", run_chunks, 257, EVERY_WAY},
#ifdef HAVE_THREADS_AND_MODES
	{"by threads", run_threads, 1, BY_THREADS},
	{"by threads", run_threads, 2, BY_THREADS},
	{"by threads", run_threads, 3, BY_THREADS},
	{"by threads", run_threads, 4, BY_THREADS},
	{"by threads", run_threads, 5, BY_THREADS},
	{"by threads", run_threads, 6, BY_THREADS},
	{"by threads", run_threads, 7, BY_THREADS},
	{"by threads", run_threads, 8, BY_THREADS},
	{"rounding mode", run_mode, 0, EVERY_WAY},
	{"rounding mode", run_mode, 1, EVERY_WAY},
	{"rounding mode", run_mode, 2, EVERY_WAY},
#endif
#ifdef HAVE_FLUSHING
	{"flushed to zero", run_flushed, 0, EVERY_WAY},
#endif
	{"in all ways at once, shuffled by", run_all_at_once, 17, FEW_WAYS},
};

#define WAYS (sizeof ways / sizeof ways[0])

/* ---- comparing ---------------------------------------------------------------------------------- */

/* One query by one variant, in every way; the first way of scalar makes the rows that all are compared
 * with. Returns the number of ways that fail. */
static int compare_ways(
	const wp_batch *batch, const run *r, wp_variant variant, selection wanted, wp_row *scalar, wp_row *rows)
{
	wp_workspace *workspaces[THREADS_MAX];
	void *memory = block(THREADS_MAX * WP_WORKSPACE_SIZE);
	int failures = 0;
	for (size_t i = 0; i < THREADS_MAX; i++)
		if (wp_workspace_init((char *)memory + i * WP_WORKSPACE_SIZE, WP_WORKSPACE_SIZE, variant, &workspaces[i]) !=
			WP_OK)
			exit(1);
	for (size_t i = 0; i < WAYS; i++) {
		if (i > 0 && wanted != EVERY_WAY && ways[i].selection != wanted)
			continue;
		const job j = {batch, r, workspaces, i == 0 && variant == WP_VARIANT_SCALAR ? scalar : rows};
		memset(j.rows, 0, batch->count * sizeof *j.rows);
		const bool fine = ways[i].run(&j, ways[i].number);
		size_t different = 0;
		for (size_t row = 0; row < batch->count; row++)
			different += digest(&scalar[row], 1) != digest(&j.rows[row], 1);
		if (!fine || different != 0) {
			printf("%s %s, %s %u: %s, %zu of %zu rows differ from scalar\n", r->name, wp_variant_name(variant),
				ways[i].name, ways[i].number, fine ? "runs" : "fails or leaves the environment changed", different,
				batch->count);
			failures++;
		}
	}
	block_free(memory);
	return failures;
}

/* The expected digest of a query in the file, or 0. */
static uint64_t expected(const char *path, const char *name)
{
	char found[64];
	uint64_t value, result = 0;
	FILE *file = fopen(path, "r");
	if (file == NULL) {
		printf("%s: cannot be read\n", path);
		exit(1);
	}
	while (fscanf(file, "%63s %" SCNx64, found, &value) == 2)
		if (strcmp(found, name) == 0)
			result = value;
	fclose(file);
	return result;
}

typedef struct settings {
	const char *digests; /* the file of the expected ones; may be NULL */
	bool until_failure;
	selection ways;
} settings;

/* The digest under its name, and whether it is not the file's, where one is named. */
static int report(const char *name, uint64_t hash, const settings *set)
{
	printf("%s %016" PRIx64 "\n", name, hash);
	if (set->digests == NULL || expected(set->digests, name) == hash)
		return 0;
	printf("%s: the digest is not the one of %s\n", name, set->digests);
	return 1;
}

/* The bytes of all hulls: one machine may write them and another map them. Returns the failures. */
static int compare_hulls(const gen_corpus *corpus, const char *prefix, const settings *set)
{
	uint64_t hash = HASH_START;
	for (size_t i = 0; i < 2 * corpus->count; i++)
		if (corpus->shapes[i].kind == WP_SHAPE_HULL)
			hash = hash_words(hash, corpus->shapes[i].hull, wp_hull_byte_size(corpus->shapes[i].hull));
	char name[64];
	snprintf(name, sizeof name, "%shulls", prefix);
	return report(name, hash, set);
}

/* Every query of the pairs [0, count) of a corpus; with the first corpus the 2D queries too. Returns the failures. */
static int compare_corpus(const gen_corpus *corpus, const char *prefix, const settings *set)
{
	const size_t count = corpus->count, shape_count = 2 * count + 2, table_size = wp_shape_table_size(shape_count);
	wp_shape *shapes = block(shape_count * sizeof *shapes);
	void *table_memory = block(table_size);
	const wp_shape_table *table;
	memcpy(shapes, corpus->shapes, 2 * count * sizeof *shapes);
	memcpy(shapes + 2 * count, ray_balls, sizeof ray_balls);
	if (wp_shape_table_build(shapes, shape_count, table_memory, table_size, &table, NULL) != WP_OK)
		exit(1);
	uint32_t *pairs = block(2 * count * sizeof *pairs);
	for (uint32_t i = 0; i < 2 * count; i++)
		pairs[i] = i;
	const wp_batch batch = {.shapes = table,
		.a = {.position = {corpus->poses[0].position, sizeof(wp_pose)},
			.rotation = {corpus->poses[0].rotation, sizeof(wp_pose)},
			.count = 2 * count},
		.pair_a = {pairs, 2 * sizeof *pairs},
		.pair_b = {pairs + 1, 2 * sizeof *pairs},
		.count = count};
	make_motions(corpus->poses, count);
	make_frames(corpus->poses, count);
	make_rays(count);
	wp_row *scalar = block(count * sizeof *scalar), *rows = block(count * sizeof *rows);

	int failures = 0;
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
		if (is_of_plane(&runs[i]) && count != PAIRS)
			continue;
		for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++)
			if (wp_variant_available((wp_variant)v) == WP_OK)
				failures += compare_ways(&batch, &runs[i], (wp_variant)v, set->ways, scalar, rows);
		char name[64];
		snprintf(name, sizeof name, "%s%s", prefix, runs[i].name);
		failures += report(name, digest(scalar, count), set);
		if (failures != 0 && set->until_failure)
			break;
	}
	block_free(rows);
	block_free(scalar);
	block_free(pairs);
	block_free(table_memory);
	block_free(shapes);
	return failures;
}

static bool is_wanted(const char *corpus, char **wanted, int count)
{
	bool found = count == 0;
	for (int i = 0; i < count; i++)
		found = found || strcmp(wanted[i], corpus) == 0;
	return found;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name, *prefix;
		size_t count;
	} corpora[] = {
		{"plain", "", PAIRS}, {"smooth", "smooth_", SMOOTH_PAIRS}, {"half_space", "half_space_", HALF_SPACE_PAIRS}};
	const char *const option = argc > 2 ? argv[2] : "";
	const settings set = {.digests = argc > 1 ? argv[1] : NULL,
		.until_failure = strcmp(option, "--until-failure") == 0,
		.ways = strcmp(option, "--few-ways") == 0   ? FEW_WAYS
	          : strcmp(option, "--by-threads") == 0 ? BY_THREADS
	                                                : EVERY_WAY};
	const int named = 2 + (set.until_failure || set.ways != EVERY_WAY);
	void *plane_memory = make_plane();
	int failures = 0, compared = 0;
	for (int i = 0; i < 3 && !(failures != 0 && set.until_failure); i++) {
		if (!is_wanted(corpora[i].name, argv + named, argc > named ? argc - named : 0))
			continue;
		const gen_options options = {
			.seed = SEED, .vertex_max = 40, .smooth = i > 0 ? GEN_SMOOTH_HALF : GEN_SMOOTH_NONE, .half_spaces = i == 2};
		gen_corpus corpus;
		if (!gen_corpus_make(&options, 0, corpora[i].count, &corpus)) {
			fputs("the corpus cannot be made\n", stderr);
			return 1;
		}
		failures += compare_hulls(&corpus, corpora[i].prefix, &set);
		settings its_own = set;
		if (set.ways == FEW_WAYS && i > 0)
			its_own.ways = ONE_WAY;
		failures += compare_corpus(&corpus, corpora[i].prefix, &its_own);
		compared++;
		gen_corpus_free(&corpus);
	}
	block_free(plane_memory);
	return failures != 0 || compared == 0;
}
