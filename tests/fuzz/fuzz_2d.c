/* 2D batches: any shapes, poses, motions, pairs, layouts and limits. Every variant gives the same
 * bits, valid rows hold finite numbers in order, invalid ones have their status. */
#include "bytes.h"

#include "widephase/2d.h"

#include <stdbool.h>

#define SHAPES_MAX 6
#define BODIES_MAX 6
#define ROWS_MAX 20
#define ANY_VERTICES_MAX 12

enum { OVERLAP = 0, DISTANCE, CONTACT, MANIFOLD, CAST, QUERIES };

typedef struct body {
	float position[2];
	double wide_position[2];
	float rotation[2];
	float translation[2], next_rotation[2];
	uint32_t shape;
} body;

typedef struct scene {
	wp2d_shape shapes[SHAPES_MAX];
	float vertices[SHAPES_MAX][WP2D_POLYGON_VERTEX_MAX][2];
	uint32_t shape_count;
	body bodies[BODIES_MAX];
	uint32_t pair[2][ROWS_MAX];
	wp2d_batch batch;
	float max_separation;
	uint32_t query, pattern;
	bool has_motions[2];
} scene;

/* ---- taking ------------------------------------------------------------------------------------- */

/* Some of the corners of a regular polygon of 16, which make a convex one, stretched and moved. */
static uint32_t take_corners(bytes *b, float (*vertices)[2])
{
	static const float quarter[4][2] = {
		{1, 0}, {0.92387953f, 0.38268343f}, {0.70710678f, 0.70710678f}, {0.38268343f, 0.92387953f}};
	const uint32_t low = take_below(b, 256), chosen = low | take_below(b, 256) << 8;
	const float width = take_length(b), height = take_length(b), x = take_number(b), y = take_number(b);
	uint32_t count = 0;
	for (uint32_t i = 0; i < 16; i++) {
		const float *const corner = quarter[i % 4];
		const float u = i / 4 % 2 ? -corner[1] : corner[0], v = i / 4 % 2 ? corner[0] : corner[1];
		if (!(chosen >> i & 1))
			continue;
		vertices[count][0] = x + width * (i < 8 ? u : -u);
		vertices[count++][1] = y + height * (i < 8 ? v : -v);
	}
	return count;
}

static void take_polygon(bytes *b, float (*vertices)[2], wp2d_shape *shape)
{
	const uint32_t choice = take_below(b, 8);
	uint32_t count = take_below(b, ANY_VERTICES_MAX + 1);
	if (choice < 6)
		count = take_corners(b, vertices);
	else
		for (uint32_t i = 0; i < count; i++)
			for (int k = 0; k < 2; k++)
				vertices[i][k] = take_number(b);
	/* Vertices twice over, side by side, are as good as once. */
	if (choice == 5) {
		for (uint32_t i = 2 * count; i-- > 0;)
			memcpy(vertices[i], vertices[i / 2], sizeof vertices[i]);
		count *= 2;
	}
	shape->vertices = vertices[0];
	shape->vertex_count = count;
}

static void take_shape(bytes *b, float (*vertices)[2], wp2d_shape *shape)
{
	shape->kind = take_below(b, WP2D_SHAPE_KIND_COUNT + 2);
	if (shape->kind > WP2D_SHAPE_KIND_COUNT)
		shape->kind = WP2D_SHAPE_POLYGON;
	shape->radius = take_below(b, 4) == 0 || shape->kind <= WP2D_SHAPE_CAPSULE ? take_length(b) : 0;
	if (shape->kind == WP2D_SHAPE_CAPSULE)
		shape->half_height = take_length(b);
	for (int i = 0; i < 4 && shape->kind == WP2D_SHAPE_SEGMENT; i++)
		shape->points[i / 2][i % 2] = take_number(b);
	if (shape->kind == WP2D_SHAPE_POLYGON)
		take_polygon(b, vertices, shape);
}

static void take_rotation(bytes *b, float rotation[2])
{
	static const float turns[4][2] = {{1, 0}, {0, 1}, {0.6f, -0.8f}, {-0.70710678f, 0.70710678f}};
	const uint32_t turn = take_below(b, 6);
	for (int i = 0; i < 2; i++)
		rotation[i] = turn < 4 ? turns[turn][i] : take_number(b);
	/* A little off 1 is legal. */
	if (turn == 4) {
		rotation[0] = 1;
		rotation[1] /= 64;
	}
}

static void take_body(bytes *b, body *body)
{
	for (int i = 0; i < 2; i++) {
		body->position[i] = take_number(b);
		body->wide_position[i] = (double)body->position[i] * (1 + 1e-9);
		body->translation[i] = take_number(b);
	}
	take_rotation(b, body->rotation);
	memcpy(body->next_rotation, body->rotation, sizeof body->rotation);
	if (take_below(b, 2))
		take_rotation(b, body->next_rotation);
	body->shape = take_below(b, SHAPES_MAX + 1);
}

static void take_scene(bytes *b, scene *s)
{
	memset(s, 0, sizeof *s);
	s->pattern = pattern_of(b);
	s->query = take_below(b, QUERIES);
	const uint32_t layout = take_below(b, 32);
	s->max_separation = take_below(b, 2) ? 1e30f : take_length(b);
	s->shape_count = 1 + take_below(b, SHAPES_MAX);
	for (uint32_t i = 0; i < s->shape_count; i++)
		take_shape(b, s->vertices[i], &s->shapes[i]);
	for (int i = 0; i < BODIES_MAX; i++)
		take_body(b, &s->bodies[i]);
	s->batch.a = (wp2d_bodies){.position = {s->bodies[0].position, sizeof(body)},
		.rotation = {s->bodies[0].rotation, sizeof(body)},
		.shape = {&s->bodies[0].shape, sizeof(body)},
		.count = BODIES_MAX};
	if (layout & 4) {
		s->batch.a.position.data = s->bodies[0].wide_position;
		s->batch.a.position_real = WP_REAL_DOUBLE;
	}
	if (layout & 1)
		s->batch.b = s->batch.a;
	s->has_motions[0] = layout & 8;
	s->has_motions[1] = layout & 16;
	s->batch.count = take_below(b, ROWS_MAX + 1);
	s->batch.first = s->batch.count < ROWS_MAX ? take_below(b, ROWS_MAX - (uint32_t)s->batch.count) : 0;
	for (int i = 0; i < 2 * ROWS_MAX; i++)
		s->pair[i / ROWS_MAX][i % ROWS_MAX] = take_below(b, BODIES_MAX + 1);
	s->batch.pair_a.data = s->pair[0];
	s->batch.pair_b.data = layout & 2 ? s->pair[1] : NULL;
}

/* ---- asking ------------------------------------------------------------------------------------- */

/* A row with all its outputs. */
typedef struct answer {
	wp2d_row row;
	float local[2][2], fraction;
	uint32_t overlap; /* its first byte */
	uint32_t count;
	wp2d_manifold_point points[WP2D_MANIFOLD_POINT_MAX];
} answer;

static wp_error run(scene *s, wp_workspace *workspace, answer *rows, wp_statistics *statistics)
{
	const wp2d_motions motions = {.translation = {s->bodies[0].translation, sizeof(body)},
		.rotation = {s->bodies[0].next_rotation, sizeof(body)}};
	const wp2d_manifolds manifolds = {.count = {&rows->count, sizeof *rows}, .points = {rows->points, sizeof *rows}};
	wp2d_results results = wp2d_results_of_rows(&rows->row);
	results.local_a.data = rows->local[0];
	results.local_b.data = rows->local[1];
	const wp_float_column fraction = {&rows->fraction, sizeof *rows};
	results.overlap.data = (uint8_t *)&rows->overlap;
	results.separation.stride = results.normal.stride = results.point_a.stride = results.point_b.stride =
		results.lower.stride = results.upper.stride = results.status.stride = results.iterations.stride =
			results.local_a.stride = results.local_b.stride = results.overlap.stride = sizeof *rows;
	switch (s->query) {
	case OVERLAP:
		return wp2d_overlap(workspace, &s->batch, &results, statistics);
	case DISTANCE:
		return wp2d_distance(workspace, &s->batch, &results, statistics);
	case MANIFOLD:
		return wp2d_contact_manifold(workspace, &s->batch, &(wp_contact_options){.max_separation = s->max_separation},
			&results, &manifolds, statistics);
	case CAST:
		return wp2d_cast(workspace, &s->batch, s->has_motions[0] ? &motions : NULL, s->has_motions[1] ? &motions : NULL,
			&results, &fraction, statistics);
	default:
		return wp2d_contact(
			workspace, &s->batch, &(wp_contact_options){.max_separation = s->max_separation}, &results, statistics);
	}
}

/* ---- checking ----------------------------------------------------------------------------------- */

static void check_manifold(const scene *s, const answer *a)
{
	REQUIRE(a->count <= WP2D_MANIFOLD_POINT_MAX);
	REQUIRE(!(a->row.status & (WP_STATUS_INVALID | WP_STATUS_BEYOND)) || a->count == 0);
	for (uint32_t k = 0; k < a->count; k++) {
		const wp2d_manifold_point *const p = &a->points[k];
		REQUIRE(p->separation <= s->max_separation && p->separation * 0 == 0);
		for (int i = 0; i < 2; i++)
			REQUIRE(p->point_a[i] * 0 + p->point_b[i] * 0 + p->local_a[i] * 0 + p->local_b[i] * 0 == 0);
		REQUIRE(p->feature_a >> 16 < WP2D_POLYGON_VERTEX_MAX && p->feature_b >> 16 < WP2D_POLYGON_VERTEX_MAX);
	}
}

static void check_fraction(const answer *a)
{
	const uint32_t status = a->row.status;
	if (status & WP_STATUS_INVALID) {
		REQUIRE(a->fraction != a->fraction);
		return;
	}
	REQUIRE(a->fraction >= 0 && a->fraction <= 1);
	REQUIRE(status & WP_STATUS_HIT || a->fraction == 1);
	REQUIRE(status & WP_STATUS_HIT || status & WP_STATUS_SEPARATED);
	REQUIRE(!(status & WP_STATUS_ITERATION_CAP) || status & WP_STATUS_HIT);
}

static void check_row(const answer *a)
{
	const wp2d_row *const row = &a->row;
	const uint32_t state = row->status & (WP_STATUS_SEPARATED | WP_STATUS_TOUCHING | WP_STATUS_PENETRATING);
	for (int i = 0; i < 2; i++)
		REQUIRE(
			row->normal[i] * 0 + row->point_a[i] * 0 + row->point_b[i] * 0 + a->local[0][i] * 0 + a->local[1][i] * 0 ==
			0);
	REQUIRE((a->overlap & 0xff) == !(row->status & (WP_STATUS_SEPARATED | WP_STATUS_INVALID)));
	if (row->status & WP_STATUS_INVALID) {
		REQUIRE(row->status >> 16 != 0 && row->separation != row->separation && row->lower != row->lower);
		return;
	}
	REQUIRE(state != 0 && (state & (state - 1)) == 0 && row->status >> 16 == 0);
	REQUIRE(row->lower <= row->separation && row->separation <= row->upper);
	REQUIRE(row->separation * 0 == 0 && row->lower * 0 == 0);
	REQUIRE(!(state & WP_STATUS_SEPARATED) || row->lower > 0);
}

static void check_all(scene *s)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[WP_WORKSPACE_SIZE];
	static answer first[ROWS_MAX], rows[ROWS_MAX];
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		const uint32_t pattern = s->pattern + v, before = s->pattern + WP_VARIANT_SCALAR;
		wp_workspace *workspace;
		fill_memory(memory, sizeof memory, pattern);
		if (wp_workspace_init(memory, sizeof memory, (wp_variant)v, &workspace) != WP_OK)
			continue;
		wp_statistics statistics = {0};
		fill_memory(rows, sizeof rows, pattern);
		const wp_error error = run(s, workspace, rows, &statistics);
		/* A limit that is no length is the one error that a scene can make. */
		const bool fits = s->max_separation >= 0 || (s->query != CONTACT && s->query != MANIFOLD);
		REQUIRE(error == (fits ? WP_OK : WP_ERROR_MAX_SEPARATION));
		REQUIRE(error != WP_OK || statistics.rows == s->batch.count);
		if (v == WP_VARIANT_SCALAR)
			memcpy(first, rows, sizeof rows);
		REQUIRE(are_same(first, before, rows, pattern, sizeof rows));
		if (error != WP_OK)
			return;
	}
	for (size_t r = s->batch.first; r < s->batch.first + s->batch.count; r++) {
		check_row(&first[r]);
		if (s->query == MANIFOLD)
			check_manifold(s, &first[r]);
		if (s->query == CAST)
			check_fraction(&first[r]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bytes b = {data, size};
	static scene s;
	take_scene(&b, &s);
	const size_t table_size = wp2d_shape_table_size(s.shapes, s.shape_count);
	void *const memory = aligned_memory(table_size);
	wp_shape_report report;
	REQUIRE(wp2d_shape_table_build(s.shapes, s.shape_count, memory, table_size, &s.batch.shapes, &report) == WP_OK);
	REQUIRE((report.invalid_count == 0) == (report.reason == NULL));
	check_all(&s);
	free(memory);
	return 0;
}
