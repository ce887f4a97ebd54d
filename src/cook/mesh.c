/* widephase-cook: meshes of triangles. Equal vertices become one, triangles without area go, the tree orders the rest, and
 * triangles that share an edge become neighbours. */
#include <stdlib.h>

#include "core/environment.h"
#include "memory.h"
#include "tree.h"
#include "widephase/cook.h"

#define NONE UINT32_MAX

/* Most edges at a vertex that are sorted by insertion. */
#define INSERTION_MAX 24

typedef struct cook {
	const wp_mesh_input *input;
	size_t vertex_stride, triangle_stride;
	uint32_t vertex_count, triangle_count; /* of the input */
	uint32_t *distinct;                    /* [vertex_count] number of the place of a vertex */
	float (*places)[3];                    /* [place_count] */
	uint32_t place_count;
	uint32_t (*corners)[3]; /* [kept] places of the corners of triangles that have an area */
	tree_item *items;       /* [kept] their boxes, in the order of the tree once it is built */
	uint32_t *source_of;    /* [kept] by the order of the input */
	uint32_t kept;
	tree tree;
	uint32_t *new_place; /* [place_count] number of a place in the mesh, in order of use */
	wp_mesh *mesh;
	wp_mesh_report *report;
} cook;

/* Let all go but what is made. */
static void release(cook *c)
{
	free(c->distinct);
	free(c->places);
	free(c->corners);
	free(c->items);
	free(c->source_of);
	free(c->tree.nodes);
	free(c->new_place);
	*c = (cook){.mesh = c->mesh, .report = c->report};
}

/* ---- vertices ----------------------------------------------------------------------------------- */

/* A vertex of the input, without negative zeros. */
static void load_vertex(const cook *c, uint32_t index, float place[3])
{
	memcpy(place, wp_offset(c->input->vertices.data, index * c->vertex_stride), 3 * sizeof *place);
	for (int k = 0; k < 3; k++)
		place[k] = wp_magnitude_bits(place[k]) == 0 ? 0.0f : place[k];
}

static uint32_t hash_of(const float place[3])
{
	uint32_t words[3];
	memcpy(words, place, sizeof words);
	uint64_t hash = words[0] * 0x9e3779b97f4a7c15u ^ words[1] * 0xbf58476d1ce4e5b9u ^ words[2] * 0x94d049bb133111ebu;
	hash = (hash ^ hash >> 29) * 0xd6e8feb86659fd93u;
	return (uint32_t)(hash >> 32);
}

/* Number the distinct places by their first vertex: by a table with open addresses, at most half full. */
static wp_error weld(cook *c)
{
	uint64_t size = 16;
	while (size < 2 * (uint64_t)c->vertex_count)
		size *= 2;
	c->distinct = malloc(c->vertex_count * sizeof *c->distinct);
	c->places = malloc(c->vertex_count * sizeof *c->places);
	uint32_t *const table = size <= SIZE_MAX / sizeof *table ? malloc((size_t)size * sizeof *table) : NULL;
	wp_error error = c->distinct != NULL && c->places != NULL && table != NULL ? WP_OK : WP_ERROR_MESH_MEMORY;
	if (error == WP_OK)
		memset(table, 0xff, (size_t)size * sizeof *table);
	for (uint32_t i = 0; i < c->vertex_count && error == WP_OK; i++) {
		float place[3];
		load_vertex(c, i, place);
		if (!wp_are_coordinates(place)) {
			c->report->bad_index = i;
			error = WP_ERROR_MESH_VERTEX;
			break;
		}
		uint64_t at = hash_of(place) & (size - 1);
		while (table[at] != NONE && memcmp(c->places[table[at]], place, sizeof place) != 0)
			at = (at + 1) & (size - 1);
		if (table[at] == NONE) {
			table[at] = c->place_count;
			memcpy(c->places[c->place_count++], place, sizeof place);
		}
		c->distinct[i] = table[at];
	}
	free(table);
	if (error == WP_OK)
		c->report->welded = c->vertex_count - c->place_count;
	return error;
}

/* ---- triangles ---------------------------------------------------------------------------------- */

static void load_triangle(const cook *c, uint32_t index, uint32_t corners[3])
{
	if (c->input->triangles.data != NULL)
		memcpy(corners, wp_offset(c->input->triangles.data, index * c->triangle_stride), 3 * sizeof *corners);
	for (uint32_t k = 0; k < 3 && c->input->triangles.data == NULL; k++)
		corners[k] = 3 * index + k;
}

static bool has_area(const cook *c, const uint32_t corners[3])
{
	wp_d3 normal;
	return corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0] &&
	       wp_triangle_normal(c->places[corners[0]], c->places[corners[1]], c->places[corners[2]], &normal);
}

static void keep_triangle(cook *c, uint32_t index, const uint32_t corners[3])
{
	const wp_mesh_box box = wp_mesh_box_of(c->places[corners[0]], c->places[corners[1]], c->places[corners[2]]);
	tree_item *const item = &c->items[c->kept];
	memcpy(item->lower, box.lower, sizeof item->lower);
	memcpy(item->upper, box.upper, sizeof item->upper);
	item->triangle = c->kept;
	item->unused = 0;
	memcpy(c->corners[c->kept], corners, sizeof c->corners[0]);
	c->source_of[c->kept++] = index;
}

static wp_error take_triangles(cook *c)
{
	c->corners = malloc(c->triangle_count * sizeof *c->corners);
	c->items = malloc(c->triangle_count * sizeof *c->items);
	c->source_of = malloc(c->triangle_count * sizeof *c->source_of);
	if (c->corners == NULL || c->items == NULL || c->source_of == NULL)
		return WP_ERROR_MESH_MEMORY;
	for (uint32_t i = 0; i < c->triangle_count; i++) {
		uint32_t corners[3];
		load_triangle(c, i, corners);
		if (corners[0] >= c->vertex_count || corners[1] >= c->vertex_count || corners[2] >= c->vertex_count) {
			c->report->bad_index = i;
			return WP_ERROR_MESH_INDEX;
		}
		for (int k = 0; k < 3; k++)
			corners[k] = c->distinct[corners[k]];
		if (has_area(c, corners))
			keep_triangle(c, i, corners);
	}
	c->report->dropped = c->triangle_count - c->kept;
	return c->kept != 0 ? WP_OK : WP_ERROR_MESH_EMPTY;
}

/* ---- the memory of the mesh --------------------------------------------------------------------- */

/* Number the places that triangles use, as the tree orders them. */
static wp_error number_places(cook *c, uint32_t *used)
{
	c->new_place = malloc(c->place_count * sizeof *c->new_place);
	if (c->new_place == NULL)
		return WP_ERROR_MESH_MEMORY;
	memset(c->new_place, 0xff, c->place_count * sizeof *c->new_place);
	*used = 0;
	for (uint32_t i = 0; i < c->kept; i++) {
		const uint32_t *const corners = c->corners[c->items[i].triangle];
		for (int k = 0; k < 3; k++) {
			if (c->new_place[corners[k]] == NONE)
				c->new_place[corners[k]] = (*used)++;
		}
	}
	c->report->unused = c->place_count - *used;
	return *used <= WP_MESH_TRIANGLE_MAX ? WP_OK : WP_ERROR_MESH_COUNT;
}

/* The header, the nodes, corners, vertices and sources. Edges are boundaries still. */
static wp_error write_parts(cook *c)
{
	wp_mesh header = {.magic = WP_MESH_MAGIC,
		.version = WP_MESH_VERSION,
		.depth = c->tree.depth,
		.triangle_count = c->kept,
		.node_count = c->tree.count,
		.source_count = c->triangle_count};
	const wp_error error = number_places(c, &header.vertex_count);
	if (error != WP_OK)
		return error;
	const wp_mesh_layout layout = wp_mesh_lay_out(&header);
	header.byte_size = layout.end;
	c->mesh = layout.end <= SIZE_MAX ? cook_allocate((size_t)layout.end) : NULL;
	if (c->mesh == NULL)
		return WP_ERROR_MESH_MEMORY;
	char *const bytes = (char *)c->mesh;
	memset(bytes, 0, (size_t)layout.end);
	*c->mesh = header;
	memcpy(bytes + layout.nodes, c->tree.nodes, c->tree.count * sizeof *c->tree.nodes);
	wp_mesh_triangle_row *const rows = (wp_mesh_triangle_row *)(bytes + layout.triangles);
	float(*const vertices)[3] = (float(*)[3])(bytes + layout.vertices);
	uint32_t *const sources = (uint32_t *)(bytes + layout.sources);
	for (uint32_t i = 0; i < c->kept; i++) {
		const uint32_t triangle = c->items[i].triangle;
		for (int k = 0; k < 3; k++) {
			rows[i].corner[k] = c->new_place[c->corners[triangle][k]];
			rows[i].edge[k] = wp_edge_word(WP_EDGE_BOUNDARY, 0, 0);
		}
		sources[i] = c->source_of[triangle];
	}
	for (uint32_t i = 0; i < c->place_count; i++) {
		if (c->new_place[i] != NONE)
			memcpy(vertices[c->new_place[i]], c->places[i], sizeof vertices[0]);
	}
	return WP_OK;
}

/* The box of all vertices, each of which is in a triangle. */
static void write_bounds(cook *c, const wp_mesh_view *view)
{
	wp_mesh_box box;
	memcpy(box.lower, view->vertices[0], sizeof box.lower);
	memcpy(box.upper, view->vertices[0], sizeof box.upper);
	for (uint32_t i = 1; i < c->mesh->vertex_count; i++) {
		wp_mesh_box vertex;
		memcpy(vertex.lower, view->vertices[i], sizeof vertex.lower);
		memcpy(vertex.upper, view->vertices[i], sizeof vertex.upper);
		wp_mesh_box_add(&box, &vertex);
	}
	memcpy(c->mesh->lower, box.lower, sizeof box.lower);
	memcpy(c->mesh->upper, box.upper, sizeof box.upper);
}

/* ---- edges -------------------------------------------------------------------------------------- */

/* Sides of edges, gathered by the lower vertex of the edge: the higher one and the side's number, 3 t + e. */
typedef struct sides {
	uint32_t *start; /* [vertex_count + 1] */
	uint64_t *keys;  /* [3 * triangle_count] */
} sides;

static void sort_keys(uint64_t *keys, size_t count)
{
	if (count > INSERTION_MAX) {
		qsort(keys, count, sizeof *keys, cook_compare_keys);
		return;
	}
	for (size_t i = 1; i < count; i++) {
		const uint64_t key = keys[i];
		size_t at = i;
		for (; at > 0 && keys[at - 1] > key; at--)
			keys[at] = keys[at - 1];
		keys[at] = key;
	}
}

static uint32_t low_end(const wp_mesh_triangle_row *row, uint32_t k)
{
	const uint32_t a = row->corner[k], b = row->corner[(k + 1) % 3];
	return a < b ? a : b;
}

static uint32_t high_end(const wp_mesh_triangle_row *row, uint32_t k)
{
	const uint32_t a = row->corner[k], b = row->corner[(k + 1) % 3];
	return a < b ? b : a;
}

static bool gather_sides(const wp_mesh_view *view, sides *s)
{
	const uint32_t vertices = view->mesh->vertex_count, triangles = view->mesh->triangle_count;
	s->start = calloc((size_t)vertices + 1, sizeof *s->start);
	s->keys = malloc(3 * (size_t)triangles * sizeof *s->keys);
	if (s->start == NULL || s->keys == NULL)
		return false;
	for (uint32_t t = 0; t < triangles; t++) {
		for (uint32_t k = 0; k < 3; k++)
			s->start[low_end(&view->triangles[t], k)]++;
	}
	uint32_t sum = 0;
	for (uint32_t v = 0; v <= vertices; v++) {
		sum += s->start[v];
		s->start[v] = sum;
	}
	/* From the last on, each goes before those that are there, and start becomes where a vertex begins. */
	for (uint32_t t = triangles; t-- > 0;) {
		const wp_mesh_triangle_row *const row = &view->triangles[t];
		for (uint32_t k = 3; k-- > 0;)
			s->keys[--s->start[low_end(row, k)]] = (uint64_t)high_end(row, k) << 32 | (3 * t + k);
	}
	return true;
}

static void join(const wp_mesh_view *view, wp_mesh_triangle_row *rows, uint32_t side, uint32_t other)
{
	const uint32_t t = side / 3, k = side % 3, u = other / 3, n = other % 3;
	wp_d3 normal, other_normal;
	const float(*const v)[3] = view->vertices;
	(void)wp_triangle_normal(v[rows[t].corner[0]], v[rows[t].corner[1]], v[rows[t].corner[2]], &normal);
	(void)wp_triangle_normal(v[rows[u].corner[0]], v[rows[u].corner[1]], v[rows[u].corner[2]], &other_normal);
	const wp_edge_kind kind = wp_kind_of_edge(
		v[rows[t].corner[k]], v[rows[t].corner[(k + 1) % 3]], v[rows[u].corner[(n + 2) % 3]], normal, other_normal);
	rows[t].edge[k] = wp_edge_word(kind, n, u);
	rows[u].edge[n] = wp_edge_word(kind, k, t);
}

/* What `count` sides of one edge make of it. */
static void join_sides(
	cook *c, const wp_mesh_view *view, wp_mesh_triangle_row *rows, const uint64_t *keys, size_t count)
{
	const uint32_t side = (uint32_t)keys[0], other = (uint32_t)keys[count - 1];
	if (count == 1)
		c->report->boundary_edges++;
	else if (count > 2)
		c->report->crowded_edges++;
	else if (rows[side / 3].corner[side % 3] == rows[other / 3].corner[other % 3])
		c->report->turned_edges++;
	else
		join(view, rows, side, other);
}

static bool join_all(cook *c, const wp_mesh_view *view, wp_mesh_triangle_row *rows)
{
	sides s = {NULL, NULL};
	const bool done = gather_sides(view, &s);
	for (uint32_t v = 0; done && v < view->mesh->vertex_count; v++) {
		uint64_t *const keys = s.keys + s.start[v];
		const size_t count = s.start[v + 1] - s.start[v];
		sort_keys(keys, count);
		for (size_t i = 0, end; i < count; i = end) {
			for (end = i + 1; end < count && keys[end] >> 32 == keys[i] >> 32; end++)
				;
			join_sides(c, view, rows, keys + i, end - i);
		}
	}
	free(s.start);
	free(s.keys);
	return done;
}

/* A vertex with an edge that is convex or a boundary may be touched along other directions than the normals of its
 * triangles. */
static bool mark_faces(const wp_mesh_view *view, wp_mesh_triangle_row *rows)
{
	bool *const is_sharp = calloc(view->mesh->vertex_count, sizeof *is_sharp);
	if (is_sharp == NULL)
		return false;
	const uint32_t triangles = view->mesh->triangle_count;
	for (uint32_t t = 0; t < triangles; t++) {
		for (int k = 0; k < 3; k++) {
			const uint32_t kind = wp_edge_kind_of(rows[t].edge[k]);
			if (kind == WP_EDGE_CONVEX || kind == WP_EDGE_BOUNDARY)
				is_sharp[rows[t].corner[k]] = is_sharp[rows[t].corner[(k + 1) % 3]] = true;
		}
	}
	for (uint32_t t = 0; t < triangles; t++) {
		if (!is_sharp[rows[t].corner[0]] && !is_sharp[rows[t].corner[1]] && !is_sharp[rows[t].corner[2]])
			rows[t].corner[0] |= WP_TRIANGLE_FACE_ONLY;
	}
	free(is_sharp);
	return true;
}

/* ---- the call ----------------------------------------------------------------------------------- */

static wp_error check_input(const wp_mesh_input *input, cook *c)
{
	if (input->vertices.data == NULL)
		return WP_ERROR_NULL_VERTICES;
	if (WP_IS_SHORT(input->vertices, 3 * sizeof(float)))
		return WP_ERROR_MESH_VERTEX_STRIDE;
	if (WP_IS_SHORT(input->triangles, 3 * sizeof(uint32_t)))
		return WP_ERROR_MESH_TRIANGLE_STRIDE;
	const size_t triangles = input->triangles.data != NULL ? input->triangle_count : input->vertex_count / 3;
	if (triangles == 0)
		return WP_ERROR_MESH_EMPTY;
	if (triangles > WP_MESH_TRIANGLE_MAX || input->vertex_count >= NONE)
		return WP_ERROR_MESH_COUNT;
	/* No array of the cook has more bytes a triangle than its items, and none a vertex than the input's. */
	if (triangles > SIZE_MAX / sizeof(tree_item))
		return WP_ERROR_MESH_MEMORY;
	c->input = input;
	c->vertex_stride = input->vertices.stride != 0 ? input->vertices.stride : 3 * sizeof(float);
	c->triangle_stride = input->triangles.stride != 0 ? input->triangles.stride : 3 * sizeof(uint32_t);
	c->vertex_count = (uint32_t)input->vertex_count;
	c->triangle_count = (uint32_t)triangles;
	return WP_OK;
}

static wp_error finish(cook *c)
{
	const wp_mesh_view view = wp_mesh_view_of(c->mesh);
	wp_mesh_triangle_row *const rows = (wp_mesh_triangle_row *)view.triangles;
	if (!join_all(c, &view, rows) || !mark_faces(&view, rows))
		return WP_ERROR_MESH_MEMORY;
	write_bounds(c, &view);
	c->mesh->checksum = wp_mesh_checksum(c->mesh);
	return WP_OK;
}

static wp_error make(cook *c)
{
	wp_error error = weld(c);
	if (error == WP_OK)
		error = take_triangles(c);
	if (error == WP_OK && !wp_cook_tree(c->items, c->kept, &c->tree))
		error = WP_ERROR_MESH_MEMORY;
	if (error == WP_OK)
		error = write_parts(c);
	release(c);
	return error == WP_OK ? finish(c) : error;
}

wp_error wp_cook_mesh(const wp_mesh_input *input, const wp_mesh **mesh, wp_mesh_report *report)
{
	wp_mesh_report ignored;
	cook c = {.report = report != NULL ? report : &ignored};
	*c.report = (wp_mesh_report){.bad_index = 0};
	if (mesh == NULL)
		return WP_ERROR_NULL_MESH;
	*mesh = NULL;
	if (input == NULL)
		return WP_ERROR_NULL_INPUT;
	wp_error error = check_input(input, &c);
	if (error != WP_OK)
		return error;
	const wp_environment before = wp_environment_enter();
	error = make(&c);
	wp_environment_leave(before);
	if (error != WP_OK)
		cook_release(c.mesh);
	else
		*mesh = c.mesh;
	return error;
}

void wp_cook_free_mesh(const wp_mesh *mesh) { cook_release((void *)mesh); }
