/* Batches: any shapes, poses, pairs, layouts and limits. Every variant gives the same bits, valid rows
 * hold finite numbers in order, invalid ones have their status. Tracked pairs that hold any bytes at all spoil answers, and nothing else. */
#include "shapes.h"

#include "widephase/cast.h"
#include "widephase/manifold.h"
#include "widephase/track.h"

#include <math.h>
#include <stdbool.h>

#define BODIES_MAX 6
#define ROWS_MAX 20
#define FRAMES 3
#define SPOILT_MAX 12

/* What frames keep. */
typedef struct kept {
	wp_tracked pairs[ROWS_MAX];
	wp_persistent_manifold manifolds[ROWS_MAX];
	wp_tracked_anchor anchors[ROWS_MAX];
	wp_tracked_polytope polytopes[ROWS_MAX];
} kept;

enum { TRACK = 6, QUERIES };

/* How frames of tracked pairs are requested, and which words of what they keep are overwritten after the first. */
typedef struct frames {
	wp_track_options options;
	float step[BODIES_MAX][3];
	uint32_t index[ROWS_MAX];
	uint32_t spoilt_count, spoilt_at[SPOILT_MAX], spoilt[SPOILT_MAX];
	bool has_polytopes;
} frames;

typedef struct scene {
	wp_shape shapes[SHAPES_MAX];
	void *hulls[SHAPES_MAX];
	uint32_t shape_count;
	body bodies[BODIES_MAX];
	uint32_t pair[2][ROWS_MAX];
	float direction[ROWS_MAX][3];
	wp_cache caches[ROWS_MAX];
	wp_cache *kept_caches; /* of the run, or NULL */
	bool is_warm;
	wp_batch batch;
	void *table_memory;
	float max_separation;
	uint32_t query, point_max, pattern;
	frames frames;
	kept kept;
} scene;

/* Short steps; each row has a pair of its own, but for some that have none. */
static void take_frames(bytes *b, scene *s)
{
	frames *const f = &s->frames;
	f->options = (wp_track_options){
		.max_separation = s->max_separation, .merging = take_length(b), .reuse_error = take_length(b)};
	for (int i = 0; i < 3 * BODIES_MAX; i++)
		f->step[i / 3][i % 3] = take_number(b) / 1024;
	const uint32_t shift = take_below(b, ROWS_MAX + 2);
	for (uint32_t i = 0; i < ROWS_MAX; i++)
		f->index[i] = (i + shift) % (ROWS_MAX + 2);
	f->spoilt_count = take_below(b, 2) ? take_below(b, SPOILT_MAX + 1) : 0;
	for (uint32_t i = 0; i < f->spoilt_count; i++) {
		take(b, &f->spoilt_at[i], sizeof f->spoilt_at[i]);
		if (take_below(b, 2)) {
			const float number = take_number(b);
			memcpy(&f->spoilt[i], &number, sizeof number);
		} else {
			take(b, &f->spoilt[i], sizeof f->spoilt[i]);
		}
	}
	f->has_polytopes = take_below(b, 2) == 0;
}

static void take_scene(bytes *b, scene *s)
{
	memset(s, 0, sizeof *s);
	s->pattern = pattern_of(b);
	s->query = take_below(b, QUERIES);
	s->point_max = s->query == 5 ? take_below(b, WP_MANIFOLD_POINT_MAX + 2) : 0;
	const uint32_t layout = take_below(b, 4);
	s->max_separation = take_below(b, 2) ? 1e30f : take_length(b);
	s->shape_count = 1 + take_below(b, SHAPES_MAX);
	for (uint32_t i = 0; i < s->shape_count; i++)
		take_shape(b, &s->shapes[i], &s->hulls[i]);
	for (int i = 0; i < BODIES_MAX; i++)
		take_body(b, &s->bodies[i]);
	s->batch.a = (wp_bodies){.position = {s->bodies[0].position, sizeof(body)},
		.rotation = {s->bodies[0].rotation, sizeof(body)},
		.shape = {&s->bodies[0].shape, sizeof(body)},
		.count = BODIES_MAX};
	if (layout & 1)
		s->batch.b = s->batch.a;
	s->batch.count = take_below(b, ROWS_MAX + 1);
	s->batch.first = s->batch.count < ROWS_MAX ? take_below(b, ROWS_MAX - (uint32_t)s->batch.count) : 0;
	for (int i = 0; i < 2 * ROWS_MAX; i++)
		s->pair[i / ROWS_MAX][i % ROWS_MAX] = take_below(b, BODIES_MAX + 1);
	for (int i = 0; i < 3 * ROWS_MAX && s->query == 4; i++)
		s->direction[i / 3][i % 3] = take_number(b);
	/* Any bytes, or vertices that shapes have. */
	s->is_warm = s->query < 4 && take_below(b, 2);
	for (int i = 0; i < ROWS_MAX && s->is_warm; i++) {
		wp_cache *const c = &s->caches[i];
		c->count = take_below(b, 6);
		const bool any = take_below(b, 2);
		for (int k = 0; k < 4 && any; k++)
			take(b, &c->vertex[k], sizeof c->vertex[k]);
		for (int k = 0; k < 4 && !any; k++)
			c->vertex[k] = take_below(b, HULL_VERTICES_MAX) << 16 | take_below(b, HULL_VERTICES_MAX);
		for (int k = 0; k < 3; k++)
			c->axis[k] = take_number(b);
	}
	s->batch.pair_a.data = s->pair[0];
	s->batch.pair_b.data = layout & 2 ? s->pair[1] : NULL;
	if (s->query == TRACK)
		take_frames(b, s);
}

/* A row and its details: local points, then tangents; and its manifold. */
typedef struct answer {
	wp_row row;
	float details[4][3];
	uint32_t count;
	wp_manifold_point points[WP_MANIFOLD_POINT_MAX];
} answer;

/* Every body goes to the place and rotation of the next one. */
static wp_error cast(scene *s, wp_workspace *workspace, const wp_results *results, wp_statistics *statistics)
{
	float ways[BODIES_MAX][3], turns[BODIES_MAX][4];
	for (int i = 0; i < BODIES_MAX; i++) {
		const body *const next = &s->bodies[(i + 1) % BODIES_MAX];
		memcpy(turns[i], next->rotation, sizeof turns[i]);
		for (int k = 0; k < 3; k++)
			ways[i][k] = next->position[k] - s->bodies[i].position[k];
	}
	const wp_motions motions = {.translation = {ways[0]}, .rotation = {turns[0]}};
	return wp_cast(workspace, &s->batch, &motions, &motions, results, NULL, statistics);
}

static wp_error manifold(
	scene *s, wp_workspace *workspace, answer rows[ROWS_MAX], const wp_results *results, wp_statistics *statistics)
{
	const wp_manifolds manifolds = {
		.count = {&rows->count, sizeof *rows}, .points = {rows->points, sizeof *rows}, .point_max = s->point_max};
	return wp_contact_manifold(workspace, &s->batch, &(wp_contact_options){.max_separation = s->max_separation},
		results, &manifolds, statistics);
}

static void spoil(const frames *f, kept *k)
{
	for (uint32_t i = 0; i < f->spoilt_count; i++)
		memcpy((unsigned char *)k + f->spoilt_at[i] % (sizeof *k / sizeof *f->spoilt) * sizeof *f->spoilt,
			&f->spoilt[i], sizeof *f->spoilt);
}

/* Frames of the bodies as they go on from where they are; the answers are the last frame's. */
static wp_error track(scene *s, wp_workspace *workspace, const wp_results *results, wp_statistics *statistics)
{
	uint32_t changed[ROWS_MAX];
	wp_track_changes changes = {.rows = changed, .capacity = ROWS_MAX / 2};
	const wp_tracked_pairs tracked = {.pairs = s->kept.pairs,
		.manifolds = s->kept.manifolds,
		.anchors = s->kept.anchors,
		.count = ROWS_MAX,
		.index = {s->frames.index},
		.polytopes = s->frames.has_polytopes ? s->kept.polytopes : NULL};
	body bodies[BODIES_MAX];
	wp_batch batch = s->batch;
	wp_error error = WP_OK;
	memcpy(bodies, s->bodies, sizeof bodies);
	batch.a.position.data = bodies[0].position;
	batch.a.rotation.data = bodies[0].rotation;
	batch.a.shape.data = &bodies[0].shape;
	batch.b = s->batch.b.position.data != NULL ? batch.a : s->batch.b;
	for (int frame = 0; frame < FRAMES && error == WP_OK; frame++) {
		error = wp_track(workspace, &batch, &s->frames.options, &tracked, results, &changes,
			frame == FRAMES - 1 ? statistics : NULL);
		REQUIRE(error != WP_OK || changes.count <= batch.count);
		for (int i = 0; i < 3 * BODIES_MAX; i++)
			bodies[i / 3].position[i % 3] += s->frames.step[i / 3][i % 3];
		if (frame == 0)
			spoil(&s->frames, &s->kept);
	}
	return error;
}

static wp_error run(scene *s, wp_workspace *workspace, answer rows[ROWS_MAX], wp_statistics *statistics)
{
	wp_results results = wp_results_of_rows(&rows->row);
	results.local_a.data = rows->details[0];
	results.local_b.data = rows->details[1];
	results.tangent_1.data = rows->details[2];
	results.tangent_2.data = rows->details[3];
	results.cache.data = s->kept_caches;
	results.separation.stride = results.normal.stride = results.point_a.stride = results.point_b.stride =
		results.lower.stride = results.upper.stride = results.status.stride = results.iterations.stride =
			results.local_a.stride = results.local_b.stride = results.tangent_1.stride = results.tangent_2
	                                                                                         .stride = sizeof *rows;
	switch (s->query) {
	case 0:
		return wp_overlap(workspace, &s->batch, &results, statistics);
	case 1:
		return wp_distance(workspace, &s->batch, &results, statistics);
	case 3:
		return cast(s, workspace, &results, statistics);
	case 4:
		return wp_depth_along(workspace, &s->batch, &(wp_const_float_column){s->direction[0], 0}, &results, statistics);
	case 5:
		return manifold(s, workspace, rows, &results, statistics);
	case TRACK:
		return track(s, workspace, &results, statistics);
	default:
		return wp_contact(
			workspace, &s->batch, &(wp_contact_options){.max_separation = s->max_separation}, &results, statistics);
	}
}

static void check_manifold(const scene *s, const answer *a)
{
	REQUIRE(a->count <= (s->point_max == 0 ? 4 : s->point_max));
	REQUIRE(!(a->row.status & (WP_STATUS_INVALID | WP_STATUS_BEYOND)) || a->count == 0);
	for (uint32_t k = 0; k < a->count; k++) {
		const wp_manifold_point *const p = &a->points[k];
		REQUIRE(p->separation <= s->max_separation && p->separation * 0 == 0);
		for (int i = 0; i < 3; i++)
			REQUIRE(p->point_a[i] * 0 + p->point_b[i] * 0 + p->local_a[i] * 0 + p->local_b[i] * 0 == 0);
	}
}

static void check_row(const scene *s, const answer *a)
{
	const wp_row *const row = &a->row;
	/* No way along a direction leads out of a half-space that it leads into. */
	const bool is_held = s->query == 4 && row->status & WP_STATUS_PENETRATING && row->separation == -__builtin_inff();
	for (int i = 0; i < 12; i++)
		REQUIRE(a->details[i / 3][i % 3] * 0 == 0);
	const float zero = row->normal[0] * 0 + row->normal[1] * 0 + row->normal[2] * 0 + row->point_a[0] * 0 +
	                   row->point_a[1] * 0 + row->point_a[2] * 0 + row->point_b[0] * 0 + row->point_b[1] * 0 +
	                   row->point_b[2] * 0;
	REQUIRE(zero == 0);
	if (row->status & WP_STATUS_INVALID) {
		REQUIRE(row->status >> 16 != 0 && row->separation != row->separation);
		return;
	}
	const uint32_t state = row->status & (WP_STATUS_SEPARATED | WP_STATUS_TOUCHING | WP_STATUS_PENETRATING);
	REQUIRE(state != 0 && (state & (state - 1)) == 0 && row->status >> 16 == 0);
	REQUIRE(row->lower <= row->separation && row->separation <= row->upper);
	REQUIRE(is_held || (row->separation * 0 == 0 && row->lower * 0 == 0));
	REQUIRE(!(state & WP_STATUS_SEPARATED) || row->lower > 0);
}

/* Counts are within their arrays whatever was there; else pairs are as rows say. */
static void check_kept(const scene *s, const answer *row, size_t r)
{
	const uint32_t at = s->frames.index[r];
	if (at >= ROWS_MAX) {
		REQUIRE(row->row.status == (WP_STATUS_INVALID | WP_STATUS_INVALID_TRACKED));
		return;
	}
	const wp_tracked *const pair = &s->kept.pairs[at];
	const wp_persistent_manifold *const m = &s->kept.manifolds[at];
	REQUIRE(pair->count <= WP_PERSISTENT_POINT_MAX && pair->event < 2 * WP_TRACK_REUSED);
	if (s->frames.spoilt_count != 0)
		return;
	REQUIRE(pair->status == row->row.status && memcmp(&pair->separation, &row->row.separation, sizeof(float)) == 0);
	REQUIRE(pair->count == 0 || (m->count == pair->count && memcmp(m->normal, row->row.normal, sizeof m->normal) == 0));
	REQUIRE(!(row->row.status & (WP_STATUS_INVALID | WP_STATUS_BEYOND)) || pair->count == 0);
	for (uint32_t k = 0; k < pair->count; k++) {
		const wp_persistent_point *const p = &m->points[k];
		const wp_persistent_place *const place = &m->places[k];
		for (int i = 0; i < 3; i++)
			REQUIRE(
				place->local_a[i] * 0 + place->local_b[i] * 0 + p->arm_a[i] * 0 + p->arm_b[i] * 0 + p->separation * 0 ==
				0);
		REQUIRE(m->impulses[k][0] == 0 && m->impulses[k][1] == 0 && m->impulses[k][2] == 0);
	}
}

/* The sizes of both shapes of a row; of points how far apart they start. */
static double size_of_row(const scene *s, size_t r)
{
	const body *const a = &s->bodies[s->pair[0][r]],
					  *const b = &s->bodies[s->batch.pair_b.data != NULL ? s->pair[1][r] : r];
	const double size = (double)wp_shape_table_bound(s->batch.shapes, a->shape) +
	                    (double)wp_shape_table_bound(s->batch.shapes, b->shape);
	double apart = 0;
	for (int k = 0; k < 3; k++)
		apart += fabs((double)a->position[k] - (double)b->position[k]);
	return size > 0 ? size : apart;
}

static bool has_half_space(const scene *s, size_t r)
{
	const uint32_t a = s->bodies[s->pair[0][r]].shape,
				   b = s->bodies[s->batch.pair_b.data != NULL ? s->pair[1][r] : r].shape;
	return s->shapes[a].kind == WP_SHAPE_HALF_SPACE || s->shapes[b].kind == WP_SHAPE_HALF_SPACE;
}

/* A hit touches, however long the way, or says that it may not. A half-space that turns has its distance in the accuracy. */
static void check_hit(const scene *s, const answer *a, size_t r)
{
	const uint32_t status = a->row.status,
				   unsure = WP_STATUS_INVALID | WP_STATUS_WIDE_BRACKET | WP_STATUS_ITERATION_CAP;
	if (!(status & WP_STATUS_HIT) || !(status & WP_STATUS_SEPARATED) || (status & unsure) || has_half_space(s, r))
		return;
	REQUIRE((double)a->row.separation <= 1e-4 * size_of_row(s, r) + 0x1p-140);
}

static void check_all(scene *s)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[WP_WORKSPACE_SIZE];
	answer first[2 * ROWS_MAX], rows[2 * ROWS_MAX];
	wp_cache first_caches[ROWS_MAX], caches[ROWS_MAX];
	kept first_kept;
	wp_error first_error = WP_OK;
	const bool is_spoilt = s->query == TRACK && s->frames.spoilt_count != 0;
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		const uint32_t pattern = s->pattern + v, before = s->pattern + WP_VARIANT_SCALAR;
		wp_workspace *workspace;
		fill_memory(memory, sizeof memory, pattern);
		if (wp_workspace_init(memory, sizeof memory, (wp_variant)v, &workspace) != WP_OK)
			continue;
		wp_statistics statistics = {0};
		fill_memory(rows, sizeof rows, pattern);
		memcpy(caches, s->caches, sizeof caches);
		fill_memory(&s->kept, sizeof s->kept, pattern);
		memset(s->kept.pairs, 0, sizeof s->kept.pairs);
		memset(s->kept.polytopes, 0, sizeof s->kept.polytopes);
		s->kept_caches = s->is_warm ? caches : NULL;
		const wp_error error = run(s, workspace, rows, &statistics);
		REQUIRE(error != WP_OK || statistics.rows == s->batch.count);
		/* Once more, from what that has left in the caches. */
		REQUIRE(run(s, workspace, rows + ROWS_MAX, NULL) == error);
		if (v == WP_VARIANT_SCALAR) {
			memcpy(first, rows, sizeof rows);
			memcpy(first_caches, caches, sizeof caches);
			memcpy(&first_kept, &s->kept, sizeof s->kept);
			first_error = error;
		}
		for (size_t r = s->batch.first; s->query == TRACK && error == WP_OK && r < s->batch.first + s->batch.count; r++)
			check_kept(s, &rows[ROWS_MAX + r], r);
		REQUIRE(error == first_error);
		if (is_spoilt)
			continue;
		REQUIRE(are_same(first, before, rows, pattern, sizeof rows));
		REQUIRE(are_same(&first_kept, before, &s->kept, pattern, sizeof first_kept));
		REQUIRE(memcmp(first_caches, caches, sizeof caches) == 0);
	}
	for (size_t r = s->batch.first; !is_spoilt && first_error == WP_OK && r < s->batch.first + s->batch.count; r++) {
		check_row(s, &first[r]);
		if (s->query == 3)
			check_hit(s, &first[r], r);
		if (s->query == 5)
			check_manifold(s, &first[r]);
		check_row(s, &first[ROWS_MAX + r]);
	}
}

/* Each index has another shape before its own, which must not matter. */
static void make_table(scene *s)
{
	const size_t size = wp_shape_table_size(s->shape_count);
	wp_shape_table *table;
	s->table_memory = aligned_memory(size);
	REQUIRE(wp_shape_table_init(s->table_memory, size, s->shape_count, &table) == WP_OK);
	for (size_t i = 0; i < s->shape_count; i++)
		wp_shape_table_set(table, i, &s->shapes[s->shape_count - 1 - i], NULL);
	for (size_t i = 0; i < s->shape_count; i++) {
		const char *reason;
		const wp_error error = wp_shape_table_set(table, i, &s->shapes[i], &reason);
		REQUIRE((error == WP_OK) == (reason == NULL) && (error == WP_OK || error == WP_ERROR_SHAPE));
		if (error != WP_OK)
			REQUIRE(wp_shape_table_remove(table, i) == WP_OK);
	}
	s->batch.shapes = table;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bytes b = {data, size};
	scene s;
	take_scene(&b, &s);
	make_table(&s);
	check_all(&s);
	free(s.table_memory);
	for (int i = 0; i < SHAPES_MAX; i++)
		free(s.hulls[i]);
	return 0;
}
