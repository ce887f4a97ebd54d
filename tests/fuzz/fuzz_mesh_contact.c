/* Bodies with any shapes, against meshes that are cooked of any triangles, and against height fields with holes: contacts,
 * overlaps, distances and casts. Every variant gives the same bits, for each row alone too; valid rows hold finite numbers in
 * order and agree from query to query; statistics add up. */
#include "shapes.h"

#include "mesh_contact/internal.h"
#include "mesh_query/internal.h"
#include "widephase/cook.h"

#include <math.h>
#include <stdbool.h>

enum { ROWS_MAX = 8, PLACES = 3, VERTICES_MAX = 40, TRIANGLES_MAX = 40, SIDE_MAX = 6 };

typedef struct scene {
	wp_shape shapes[SHAPES_MAX];
	void *hulls[SHAPES_MAX];
	body bodies[ROWS_MAX], places[PLACES];
	uint32_t pair_b[ROWS_MAX];
	const wp_mesh *mesh;
	wp_height_field field;
	void *table_memory, *samples;
	wp_mesh_batch batch;
	wp_mesh_options options;
	uint32_t patch_max, ring, pattern;
} scene;

/* ---- surfaces ----------------------------------------------------------------------------------- */

static void take_mesh(bytes *b, scene *s)
{
	float vertices[VERTICES_MAX][3];
	uint32_t triangles[TRIANGLES_MAX][3];
	wp_mesh_input input = {.vertices = {vertices[0], 0},
		.triangles = {triangles[0], 0},
		.vertex_count = 3 + take_below(b, VERTICES_MAX - 2),
		.triangle_count = 1 + take_below(b, TRIANGLES_MAX)};
	for (size_t i = 0; i < input.vertex_count; i++)
		for (int k = 0; k < 3; k++)
			vertices[i][k] = take_number(b);
	for (size_t i = 0; i < input.triangle_count; i++)
		for (int k = 0; k < 3; k++)
			triangles[i][k] = take_below(b, (uint32_t)input.vertex_count);
	(void)wp_cook_mesh(&input, &s->mesh, NULL);
}

/* A floor of squares with heights, whose triangles know their neighbours. */
static void take_grid(bytes *b, scene *s)
{
	float vertices[SIDE_MAX * SIDE_MAX][3];
	uint32_t triangles[2 * SIDE_MAX * SIDE_MAX][3], count = 0;
	const uint32_t side = 2 + take_below(b, SIDE_MAX - 1);
	const bool is_flat = take_below(b, 2) != 0;
	for (uint32_t i = 0; i < side * side; i++) {
		const float height = is_flat ? 0.0f : take_number(b) / 4;
		const float at[3] = {(float)(i % side) - 2, height, (float)(i / side) - 2};
		memcpy(vertices[i], at, sizeof at);
	}
	for (uint32_t cell = 0; cell < (side - 1) * (side - 1); cell++) {
		const uint32_t a = cell / (side - 1) * side + cell % (side - 1), c = a + side;
		const uint32_t pair[2][3] = {{a, c, a + 1}, {a + 1, c, c + 1}};
		memcpy(triangles[count], pair, sizeof pair);
		count += 2;
	}
	const wp_mesh_input input = {.vertices = {vertices[0], 0},
		.triangles = {triangles[0], 0},
		.vertex_count = (size_t)side * side,
		.triangle_count = count};
	(void)wp_cook_mesh(&input, &s->mesh, NULL);
}

static void take_field(bytes *b, scene *s)
{
	wp_height_field *const f = &s->field;
	f->columns = 2 + take_below(b, SIDE_MAX - 1);
	f->rows = 2 + take_below(b, SIDE_MAX - 1);
	f->format = take_below(b, WP_HEIGHT_FORMAT_COUNT);
	f->flags = take_below(b, 2);
	for (int k = 0; k < 2; k++)
		f->spacing[k] = (1 + (float)take_below(b, 32)) / 16;
	f->scale = f->format == WP_HEIGHT_INT16 ? take_number(b) / 64 : 0;
	f->offset = f->format == WP_HEIGHT_INT16 ? take_number(b) : 0;
	const size_t size = f->format == WP_HEIGHT_INT16 ? sizeof(int16_t) : sizeof(float);
	const size_t count = (size_t)f->columns * f->rows;
	s->samples = aligned_memory(count * size);
	for (size_t i = 0; i < count; i++) {
		const bool is_hole = take_below(b, 8) == 0;
		const int16_t whole = (int16_t)(is_hole ? WP_HEIGHT_HOLE_INT16 : (int)take_below(b, 256) - 128);
		const float number = is_hole ? WP_HEIGHT_HOLE : size == sizeof whole ? 0.0f : take_number(b) / 4;
		memcpy((char *)s->samples + i * size, size == sizeof whole ? (const void *)&whole : &number, size);
	}
	f->samples = s->samples;
}

/* ---- scenes ------------------------------------------------------------------------------------- */

static wp_bodies bodies_of(const body *bodies, size_t count)
{
	return (wp_bodies){.position = {bodies->position, sizeof *bodies},
		.rotation = {bodies->rotation, sizeof *bodies},
		.shape = {&bodies->shape, sizeof *bodies},
		.count = count};
}

static void make_table(scene *s)
{
	const size_t size = wp_shape_table_size(SHAPES_MAX);
	wp_shape_table *table;
	s->table_memory = aligned_memory(size);
	REQUIRE(wp_shape_table_init(s->table_memory, size, SHAPES_MAX, &table) == WP_OK);
	for (size_t i = 0; i < SHAPES_MAX; i++)
		(void)wp_shape_table_set(table, i, &s->shapes[i], NULL);
	s->batch.shapes = table;
}

static void take_scene(bytes *b, scene *s)
{
	static void (*const surfaces[3])(bytes *, scene *) = {take_mesh, take_grid, take_field};
	memset(s, 0, sizeof *s);
	s->pattern = pattern_of(b);
	s->options = (wp_mesh_options){.max_separation = take_below(b, 2) ? take_length(b) : 0, .flags = take_below(b, 8)};
	if (!(s->options.max_separation >= 0))
		s->options.max_separation = 0;
	s->patch_max = take_below(b, WP_MESH_PATCH_MAX + 1);
	s->ring = 1 + take_below(b, WP_MESH_QUERY_RING);
	surfaces[take_below(b, 3)](b, s);
	for (int i = 0; i < SHAPES_MAX; i++)
		take_shape(b, &s->shapes[i], &s->hulls[i]);
	const uint32_t count = 1 + take_below(b, ROWS_MAX);
	for (int i = 0; i < ROWS_MAX; i++) {
		take_body(b, &s->bodies[i]);
		s->pair_b[i] = take_below(b, 8) != 0 ? 0 : take_below(b, PLACES + 1);
	}
	for (int i = 0; i < PLACES; i++) {
		take_body(b, &s->places[i]);
		s->places[i].shape = s->mesh != NULL ? 0 : 1;
		if (take_below(b, 2) == 0)
			s->places[i] = (body){.rotation = {0, 0, 0, 1}, .shape = s->places[i].shape};
	}
	s->batch.count = count;
	make_table(s);
}

/* The batch, whose lists are in the scene. */
static wp_mesh_batch batch_of(const scene *s, const wp_mesh *const *mesh, const wp_height_field *const *field)
{
	wp_mesh_batch batch = s->batch;
	batch.meshes = mesh;
	batch.height_fields = field;
	batch.mesh_count = batch.height_field_count = 1;
	batch.a = bodies_of(s->bodies, ROWS_MAX);
	batch.b = bodies_of(s->places, PLACES);
	batch.pair_b.data = s->pair_b;
	return batch;
}

/* ---- answers ------------------------------------------------------------------------------------ */

typedef struct contact {
	float separation, normal[3];
	uint32_t status, triangle_count, patch_count;
	wp_mesh_patch patch[WP_MESH_PATCH_MAX];
} contact;

typedef struct asked {
	wp_row row;
	float fraction;
	uint32_t triangle;
} asked;

enum { OVERLAP, DISTANCE, CAST, QUERIES };

typedef struct answers {
	contact contacts[ROWS_MAX];
	asked asked[QUERIES][ROWS_MAX];
	wp_mesh_statistics statistics;
} answers;

static wp_results results_of(asked *to)
{
	wp_results results = wp_results_of_rows(&to->row);
	results.separation.stride = results.normal.stride = results.point_a.stride = results.point_b.stride =
		results.lower.stride = results.upper.stride = results.status.stride = results.iterations.stride = sizeof *to;
	return results;
}

/* Each body goes to the place and rotation of the next one, and so do surfaces. */
static void cast(const scene *s, wp_workspace *workspace, const wp_mesh_batch *batch, uint32_t ring, asked *to)
{
	float ways[ROWS_MAX + PLACES][3], turns[ROWS_MAX + PLACES][4];
	for (int i = 0; i < ROWS_MAX + PLACES; i++) {
		const body *const from = i < ROWS_MAX ? &s->bodies[i] : &s->places[i - ROWS_MAX];
		const body *const next = i < ROWS_MAX ? &s->bodies[(i + 1) % ROWS_MAX]
		                                      : &s->places[(i - ROWS_MAX + 1) % PLACES];
		memcpy(turns[i], next->rotation, sizeof turns[i]);
		for (int k = 0; k < 3; k++)
			ways[i][k] = next->position[k] - from->position[k];
	}
	const wp_motions a = {{ways[0], 0}, {turns[0], 0}}, b = {{ways[ROWS_MAX], 0}, {turns[ROWS_MAX], 0}};
	const wp_results results = results_of(to);
	const wp_float_column fraction = {&to->fraction, sizeof *to};
	const wp_uint32_column triangle = {&to->triangle, sizeof *to};
	REQUIRE(wp_mesh_cast_in(workspace, batch, &a, &b, &results, &fraction, &triangle, NULL, ring) == WP_OK);
}

static void ask(const scene *s, wp_workspace *workspace, size_t first, size_t count, uint32_t ring, answers *to)
{
	const wp_height_field *const field = &s->field;
	wp_mesh_batch batch = batch_of(s, &s->mesh, &field);
	batch.first = first;
	batch.count = count;
	contact *const c = to->contacts;
	const wp_mesh_results contacts = {.separation = {&c->separation, sizeof *c},
		.normal = {c->normal, sizeof *c},
		.status = {&c->status, sizeof *c},
		.triangle_count = {&c->triangle_count, sizeof *c},
		.patch_count = {&c->patch_count, sizeof *c},
		.patches = {c->patch, sizeof *c},
		.patch_max = s->patch_max};
	REQUIRE(wp_mesh_contact_in(workspace, &batch, &s->options, &contacts, &to->statistics, ring) == WP_OK);
	asked *const overlap = to->asked[OVERLAP], *const distance = to->asked[DISTANCE];
	wp_results results = results_of(overlap);
	const wp_uint32_column overlapped = {&overlap->triangle, sizeof *overlap},
						   nearest = {&distance->triangle, sizeof *distance};
	REQUIRE(wp_mesh_overlap_in(workspace, &batch, &results, &overlapped, NULL, ring) == WP_OK);
	results = results_of(distance);
	REQUIRE(wp_mesh_distance_in(workspace, &batch, NULL, &results, &nearest, NULL, ring) == WP_OK);
	cast(s, workspace, &batch, ring, to->asked[CAST]);
}

/* ---- properties --------------------------------------------------------------------------------- */

static double larger(double a, double b) { return a > b ? a : b; }

static double length_of(const float v[3])
{
	return sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2]);
}

static void check_point(const scene *s, const wp_mesh_patch *patch, const wp_mesh_point *p)
{
	const size_t triangles = s->mesh != NULL ? wp_mesh_triangle_count(s->mesh)
	                                         : wp_height_field_triangle_count(&s->field);
	REQUIRE(p->separation <= s->options.max_separation && p->triangle < triangles);
	double size = larger(1e-6, fabs((double)p->separation));
	for (int k = 0; k < 3; k++)
		size = larger(size, larger(fabs((double)p->point_a[k]), fabs((double)p->point_b[k])));
	for (int k = 0; k < 3; k++) {
		const double way = (double)p->separation * (double)patch->normal[k];
		REQUIRE(p->local_a[k] * 0 + p->local_b[k] * 0 == 0);
		REQUIRE(fabs((double)p->point_b[k] - ((double)p->point_a[k] + way)) <= 1e-6 * size);
	}
}

static void check_contact(const scene *s, const contact *c)
{
	const uint32_t most = s->patch_max != 0 ? s->patch_max : 4;
	const uint32_t state = c->status & (WP_STATUS_SEPARATED | WP_STATUS_TOUCHING | WP_STATUS_PENETRATING);
	if ((c->status & WP_STATUS_INVALID) != 0) {
		REQUIRE(c->status >> 16 != 0 && c->separation != c->separation && c->patch_count == 0);
		return;
	}
	REQUIRE(state != 0 && (state & (state - 1)) == 0 && c->status >> 16 == 0 && c->patch_count <= most);
	REQUIRE((c->patch_count == 0) == ((c->status & WP_STATUS_BEYOND) != 0) &&
			(c->patch_count == 0) == (c->triangle_count == 0));
	if (c->patch_count == 0) {
		REQUIRE(c->separation == INFINITY);
		return;
	}
	REQUIRE(c->separation == c->patch[0].separation && memcmp(c->normal, c->patch[0].normal, sizeof c->normal) == 0);
	REQUIRE(state == (uint32_t)(c->separation > 0   ? WP_STATUS_SEPARATED
								: c->separation < 0 ? WP_STATUS_PENETRATING
													: WP_STATUS_TOUCHING));
	for (uint32_t i = 0; i < c->patch_count; i++) {
		const wp_mesh_patch *const patch = &c->patch[i];
		REQUIRE(i == 0 || patch->separation >= c->patch[i - 1].separation);
		REQUIRE(patch->separation * 0 == 0 && fabs(length_of(patch->normal) - 1) <= 1e-6);
		REQUIRE(patch->point_count >= 1 && patch->point_count <= WP_MESH_POINT_MAX);
		for (uint32_t k = 0; k < patch->point_count; k++)
			check_point(s, patch, &patch->points[k]);
	}
}

static void check_asked(const asked *a, int query)
{
	const wp_row *const row = &a->row;
	if ((row->status & WP_STATUS_INVALID) != 0) {
		REQUIRE(row->status >> 16 != 0 && row->separation != row->separation && a->triangle == WP_MESH_MISS);
		REQUIRE(query != CAST || a->fraction != a->fraction);
		return;
	}
	const uint32_t state = row->status & (WP_STATUS_SEPARATED | WP_STATUS_TOUCHING | WP_STATUS_PENETRATING);
	REQUIRE(state != 0 && (state & (state - 1)) == 0 && row->status >> 16 == 0);
	REQUIRE(query != CAST || (a->fraction >= 0 && a->fraction <= 1));
	REQUIRE(query != CAST || (a->triangle != WP_MESH_MISS) == ((row->status & WP_STATUS_HIT) != 0));
	if (a->triangle == WP_MESH_MISS)
		return;
	REQUIRE(row->separation * 0 == 0 && (query == OVERLAP || (query == DISTANCE && row->separation <= 0) ||
											fabs(length_of(row->normal) - 1) <= 1e-5));
	REQUIRE(row->lower <= row->separation && row->separation <= row->upper);
	REQUIRE(row->point_a[0] * 0 + row->point_a[1] * 0 + row->point_a[2] * 0 == 0);
	REQUIRE(row->point_b[0] * 0 + row->point_b[1] * 0 + row->point_b[2] * 0 == 0);
}

/* The bounding radii of a body and of its surface, both at most. */
static double size_of(const scene *s, const body *of)
{
	const wp_core *const core = wp_core_of_table(s->batch.shapes, of->shape);
	double size = 0;
	const size_t count = s->mesh != NULL ? wp_mesh_triangle_count(s->mesh) : wp_height_field_triangle_count(&s->field);
	for (size_t i = 0; i < count; i++) {
		float v[3][3] = {{0}};
		uint32_t corners[3];
		if (s->mesh == NULL) {
			(void)wp_height_field_triangle(&s->field, i, v);
		} else {
			wp_mesh_triangle(s->mesh, i, corners);
			for (int k = 0; k < 3; k++)
				wp_mesh_vertex(s->mesh, corners[k], v[k]);
		}
		for (int k = 0; k < 9; k++)
			size = larger(size, fabs((double)v[k / 3][k % 3]) * 2);
	}
	return (double)core->bound + (double)core->radius + size;
}

/* The largest coordinate of bodies and surfaces. */
static double farthest_of(const scene *s)
{
	double most = 0;
	for (int i = 0; i < ROWS_MAX + PLACES; i++) {
		const float *const at = i < ROWS_MAX ? s->bodies[i].position : s->places[i - ROWS_MAX].position;
		/* In this order NaN is left out. */
		for (int k = 0; k < 3; k++)
			most = larger(fabs((double)at[k]), most);
	}
	return most;
}

/* What the queries say of one row. Bounds are as wide as for smooth shapes, which have the widest. */
static void check_agreement(
	const scene *s, const body *of, const contact *c, const asked *overlap, const asked *distance, const asked *cast)
{
	if (((c->status | overlap->row.status | distance->row.status) & WP_STATUS_INVALID) != 0)
		return;
	if (distance->triangle == WP_MESH_MISS) {
		REQUIRE(s->mesh == NULL && overlap->triangle == WP_MESH_MISS && c->patch_count == 0);
		return;
	}
	const double apart = (double)distance->row.separation, slack = 3e-4 * (size_of(s, of) + apart);
	const bool overlaps = overlap->triangle != WP_MESH_MISS;
	REQUIRE(overlaps ? apart <= slack : apart > -slack);
	/* No way is so long that a gap is none; only the least floats are no fraction. */
	REQUIRE(!(apart > slack) || cast->fraction != 0 || !(apart > 0x1p-145 * farthest_of(s)) ||
			(cast->row.status & (WP_STATUS_INVALID | WP_STATUS_WIDE_BRACKET)) != 0);
	if ((s->options.flags & WP_MESH_GHOSTS) && c->patch_count != 0 && apart > slack)
		REQUIRE((double)c->separation >= apart - slack);
	const bool is_whole = (s->options.flags & WP_MESH_TWO_SIDED) && (s->options.flags & WP_MESH_GHOSTS);
	if (is_whole && apart > slack && apart + slack < (double)s->options.max_separation)
		REQUIRE(c->patch_count != 0 && fabs((double)c->separation - apart) <= slack);
	if (is_whole && apart > (double)s->options.max_separation + slack)
		REQUIRE(c->patch_count == 0);
}

static void check_statistics(const scene *s, const answers *a)
{
	const wp_mesh_statistics *const t = &a->statistics;
	uint64_t touching = 0, invalid = 0, triangles = 0;
	for (size_t i = 0; i < s->batch.count; i++) {
		const contact *const c = &a->contacts[i];
		invalid += (c->status & WP_STATUS_INVALID) != 0;
		touching += c->patch_count != 0;
		triangles += c->patch_count != 0 ? c->triangle_count : 0;
	}
	REQUIRE(t->rows == s->batch.count && t->touching == touching && t->invalid == invalid);
	REQUIRE(t->triangles == t->behind + t->beyond + t->solved);
	REQUIRE(t->dropped <= t->turned && t->turned <= t->solved && t->touched <= t->solved);
	REQUIRE(triangles <= t->touched + touching);
}

/* ---- the target --------------------------------------------------------------------------------- */

/* Counts add to what they hold, the rest is written over. */
static void fill_answers(answers *to, uint32_t pattern)
{
	fill_memory(to->contacts, sizeof to->contacts, pattern);
	fill_memory(to->asked, sizeof to->asked, pattern);
	memset(&to->statistics, 0, sizeof to->statistics);
}

static bool are_same_answers(const scene *s, const answers *first, const answers *next, uint32_t pattern)
{
	return are_same(first->contacts, s->pattern, next->contacts, pattern, sizeof first->contacts) &&
	       are_same(first->asked, s->pattern, next->asked, pattern, sizeof first->asked);
}

static void check_all(const scene *s)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[WP_WORKSPACE_SIZE];
	static answers first, next;
	bool has_first = false;
	uint32_t pattern = s->pattern;
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		wp_workspace *workspace;
		fill_memory(memory, sizeof memory, pattern);
		if (wp_workspace_init(memory, sizeof memory, (wp_variant)v, &workspace) != WP_OK)
			continue;
		answers *const to = has_first ? &next : &first;
		fill_answers(to, pattern);
		ask(s, workspace, 0, s->batch.count, WP_MESH_QUERY_RING, to);
		REQUIRE(!has_first || (are_same_answers(s, &first, &next, pattern) &&
								  memcmp(&first.statistics, &next.statistics, sizeof first.statistics) == 0));
		has_first = true;
		pattern++;
	}
	wp_workspace *workspace;
	fill_memory(memory, sizeof memory, pattern);
	REQUIRE(wp_workspace_init(memory, sizeof memory, WP_VARIANT_AUTO, &workspace) == WP_OK);
	fill_answers(&next, pattern);
	for (size_t row = s->batch.count; row-- > 0;)
		ask(s, workspace, row, 1, s->ring, &next);
	REQUIRE(are_same_answers(s, &first, &next, pattern));
	REQUIRE(
		first.statistics.triangles == next.statistics.triangles && first.statistics.touched == next.statistics.touched);
	for (size_t i = 0; i < s->batch.count; i++) {
		check_contact(s, &first.contacts[i]);
		for (int query = 0; query < QUERIES; query++)
			check_asked(&first.asked[query][i], query);
		check_agreement(s, &s->bodies[i], &first.contacts[i], &first.asked[OVERLAP][i], &first.asked[DISTANCE][i],
			&first.asked[CAST][i]);
	}
	check_statistics(s, &first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bytes b = {data, size};
	scene s;
	take_scene(&b, &s);
	if (s.mesh != NULL || s.samples != NULL)
		check_all(&s);
	wp_cook_free_mesh(s.mesh);
	free(s.table_memory);
	free(s.samples);
	for (int i = 0; i < SHAPES_MAX; i++)
		free(s.hulls[i]);
	return 0;
}
