/* The same as company.c of bodies that take more than one pair: shapes and compounds against meshes and height fields, and
 * compounds against each other. Rows alone, by scalar, and beside others by every variant, in any order and ranges of any size;
 * frames of tracked pairs, too.
 *   company_bodies [--pairs N] [--first I] [--seed S] [--expect DIGEST] */
#include "kernels/company.h"
#include "support/gen.h"
#include "support/surfaces.h"

#include <stdlib.h>

enum {
	PAIRS = 24,     /* of a question */
	SHAPES = 64,    /* of a table */
	COMPOUNDS = 4,  /* of a batch */
	CHILDREN = 12,  /* most of a compound */
	SURFACES = 3,   /* a mesh, another one, and a height field */
	PLACES = 4,     /* of surfaces */
	SIDE = 9,       /* samples of a height field */
	QUESTIONS = 12, /* about the same shapes */
	PATCHES = 4,
	FRAMES = 5,
	BODIES = 2 * PAIRS
};

typedef enum query_kind {
	MESH_CONTACT,
	MESH_TRACK,
	MESH_OVERLAP,
	MESH_DISTANCE,
	MESH_CAST,
	OVERLAP,
	DISTANCE,
	CONTACT,
	MANIFOLD,
	CAST,
	QUERIES
} query_kind;

static const char *const query_names[QUERIES] = {"mesh contact", "mesh track", "mesh overlap", "mesh distance",
	"mesh cast", "overlap", "distance", "contact", "manifold", "cast"};

typedef struct question {
	query_kind kind;
	int frames;
	bool is_turning, has_compounds; /* those always without meshes */
	float most, merging;
	uint32_t flags, patch_max;
} question;

typedef struct body {
	float position[3], rotation[4], way[3], end[4];
	uint32_t shape;
} body;

typedef struct world {
	const wp_shape_table *table;
	const wp_compound *compounds[COMPOUNDS];
	const wp_mesh *meshes[2];
	const wp_height_field *fields[1];
	body bodies[FRAMES][BODIES], places[PLACES];
	uint32_t place_of[PAIRS];
} world;

/* Every output, zero where there is none. */
typedef struct answer {
	wp_row row;
	float local_a[3], local_b[3], fraction;
	uint32_t child_a, child_b, triangle, triangle_count, pair_count, patch_count;
	wp_mesh_patch patches[PATCHES];
	uint32_t children[PATCHES][WP_MESH_POINT_MAX];
	wp_compound_patch pairs[PATCHES];
} answer;

typedef struct kept {
	wp_tracked pairs[PAIRS];
	wp_mesh_tracked_anchor anchors[PAIRS];
	wp_mesh_tracked_patch patches[PAIRS][PATCHES];
	uint32_t children[PAIRS][PATCHES][WP_MESH_POINT_MAX];
} kept;

typedef struct rows {
	uint32_t count, pair[PAIRS], body[2][PAIRS];
	answer answers[PAIRS];
} rows;

/* ---- worlds at random --------------------------------------------------------------------------- */

static surface any_surface(gen_random *random)
{
	const uint64_t seed = gen_bits(random) >> 8;
	switch (gen_below(random, 4)) {
	case 0:
		return surface_grid(SIDE, SIDE);
	case 1:
		return surface_terrain(SIDE, SIDE, seed);
	case 2:
		return surface_soup(100, gen_range(random, 0.05, 0.5), seed);
	default:
		return surface_ball(4, gen_range(random, 0, 0.2), seed);
	}
}

static const wp_mesh *any_mesh(gen_random *random, double size)
{
	surface s = any_surface(random);
	const double scale = size * gen_magnitude(random, 0.1, 4);
	surface_scale(&s, scale, chance(random, 4) ? 0.05 * scale : scale, scale);
	const wp_mesh_input input = surface_input(&s);
	const wp_mesh *mesh = NULL;
	(void)wp_cook_mesh(&input, &mesh, NULL); /* where it fails, rows that name the mesh are invalid */
	surface_free(&s);
	return mesh;
}

static void any_field(gen_random *random, double size, float samples[SIDE * SIDE], wp_height_field *field)
{
	const float spacing = (float)(size * gen_magnitude(random, 0.1, 4));
	const bool is_flat = chance(random, 3);
	for (int i = 0; i < SIDE * SIDE; i++)
		samples[i] = chance(random, 20) ? WP_HEIGHT_HOLE : is_flat ? 0 : spacing * (float)gen_range(random, -0.5, 0.5);
	*field = (wp_height_field){.samples = samples, .columns = SIDE, .rows = SIDE, .spacing = {spacing, spacing}};
}

static bool any_compound(
	gen_random *random, const wp_shape_table *table, double size, void *memory, const wp_compound **compound)
{
	wp_compound_child children[CHILDREN];
	const uint32_t count = 1 + gen_below(random, CHILDREN);
	for (uint32_t i = 0; i < count; i++) {
		children[i] = (wp_compound_child){.shape = gen_below(random, SHAPES), .tag = i};
		gen_rotation(random, children[i].rotation);
		for (int k = 0; k < 3; k++)
			children[i].position[k] = (float)gen_range(random, -2 * size, 2 * size);
	}
	return wp_compound_build(children, count, table, memory, wp_compound_size(count), compound, NULL) == WP_OK;
}

/* Bodies near vertices of their surfaces, or of each other, which then go on, stay or jump. */
static void place_bodies(gen_random *random, const question *q, double size, world *w)
{
	static const double parts[] = {0, 1e-5, 1e-3, 1e-2, 0.2};
	const double part = parts[gen_below(random, 5)] * size, turn = parts[gen_below(random, 5)],
				 reach = size * gen_magnitude(random, 0.1, 4), far = chance(random, 3) ? 1000 * size : 0;
	for (uint32_t i = 0; i < PLACES; i++) {
		w->places[i] = (body){.rotation = {0, 0, 0, 1}, .shape = i % SURFACES};
		if (chance(random, 2))
			gen_rotation(random, w->places[i].rotation);
		for (int k = 0; k < 3; k++) {
			w->places[i].position[k] = (float)(far * gen_range(random, -1, 1));
			w->places[i].way[k] = (float)(size * gen_range(random, -0.5, 0.5));
		}
		gen_rotation(random, w->places[i].end);
	}
	for (uint32_t i = 0; i < BODIES; i++) {
		body *const b = &w->bodies[0][i];
		const body *const place = &w->places[w->place_of[i / 2] = gen_below(random, PLACES)];
		const wp_mesh *const mesh = place->shape < 2 ? w->meshes[place->shape] : NULL;
		float at[3] = {0, 0, 0};
		if (mesh != NULL)
			wp_mesh_vertex(mesh, gen_below(random, (uint32_t)wp_mesh_vertex_count(mesh)), at);
		else
			for (int k = 0; k < 3 && q->kind < OVERLAP; k += 2)
				at[k] = w->fields[0]->spacing[0] * (float)gen_range(random, 0, SIDE);
		const v3 vertex = m3_apply(m3_of_quaternion(place->rotation), v3_of_floats(at));
		const double middle[3] = {vertex.x, vertex.y, vertex.z};
		b->shape = q->has_compounds && gen_below(random, 3) ? WP_COMPOUND + gen_below(random, COMPOUNDS)
		                                                    : gen_below(random, SHAPES);
		gen_rotation(random, b->rotation);
		gen_rotation(random, b->end);
		for (int k = 0; k < 3; k++) {
			b->position[k] = (float)(((double)place->position[k] + (q->kind < OVERLAP ? middle[k] : 0)) +
									 reach * gen_range(random, -1, 1));
			b->way[k] = (float)(4 * reach * gen_range(random, -1, 1));
		}
		const bool is_still = chance(random, 4), is_gone = chance(random, 20);
		for (int f = 1; f < FRAMES; f++) {
			w->bodies[f][i] = w->bodies[f - 1][i];
			for (int k = 0; k < 3 && !is_still && (f != 2); k++)
				w->bodies[f][i].position[k] += (float)((is_gone ? 4 * size : part) * gen_range(random, -1, 1));
			for (int k = 0; k < 4 && !is_still && part != 0; k++)
				w->bodies[f][i].rotation[k] += (float)(0.01 * turn * gen_range(random, -1, 1));
		}
	}
}

static question make_question(gen_random *random, double size)
{
	const float lengths[] = {0, (float)(1e-3 * size), (float)(0.02 * size), (float)(0.3 * size)};
	question q = {.kind = gen_below(random, QUERIES), .frames = 1};
	q.is_turning = chance(random, 2);
	q.has_compounds = q.kind >= OVERLAP || chance(random, 2);
	q.most = lengths[gen_below(random, 4)];
	q.merging = lengths[gen_below(random, 4)];
	q.flags = chance(random, 2) ? 0 : gen_below(random, 8);
	q.patch_max = 1 + gen_below(random, PATCHES);
	q.frames = q.kind == MESH_TRACK ? FRAMES : 1;
	return q;
}

/* ---- asking ------------------------------------------------------------------------------------- */

static wp_bodies bodies_of(const body *bodies, size_t count)
{
	return (wp_bodies){.position = {bodies->position, sizeof *bodies},
		.rotation = {bodies->rotation, sizeof *bodies},
		.shape = {&bodies->shape, sizeof *bodies},
		.count = count};
}

static wp_motions motions_of(const body *bodies, const question *q)
{
	return (wp_motions){{bodies->way, sizeof *bodies}, {q->is_turning ? bodies->end : NULL, sizeof *bodies}};
}

static wp_results results_of(answer *a)
{
	wp_results r = wp_results_of_rows(&a->row);
	r.local_a.data = a->local_a;
	r.local_b.data = a->local_b;
	r.separation.stride = r.normal.stride = r.lower.stride = r.upper.stride = r.local_a.stride = r.local_b.stride =
		r.point_a.stride = r.point_b.stride = r.status.stride = r.iterations.stride = sizeof *a;
	return r;
}

/* Contacts of shapes, or of compounds where any body is one, and frames. */
static wp_error ask_mesh_contact(
	const world *w, const question *q, const wp_mesh_batch *batch, wp_workspace *workspace, kept *k, rows *r)
{
	const size_t s = sizeof(answer);
	answer *const a = r->answers;
	const wp_mesh_results results = {.separation = {&a->row.separation, s},
		.normal = {a->row.normal, s},
		.status = {&a->row.status, s},
		.triangle_count = {&a->triangle_count, s},
		.patch_count = {&a->patch_count, s},
		.patches = {a->patches, s},
		.patch_max = q->patch_max};
	const wp_mesh_options options = {q->most, q->flags};
	const wp_mesh_track_options frames = {.max_separation = q->most, .flags = q->flags, .merging = q->merging};
	const wp_mesh_tracked_pairs tracked = {.pairs = k->pairs,
		.anchors = k->anchors,
		.patches = k->patches[0],
		.count = PAIRS,
		.patch_max = q->patch_max,
		.index = {r->pair, 0}};
	const wp_uint32_column children = {a->children[0], s};
	if (q->has_compounds)
		return q->kind == MESH_TRACK ? wp_compound_mesh_track(workspace, batch, w->compounds, COMPOUNDS, &frames,
										   &tracked, k->children[0][0], &results, &children, NULL, NULL)
		                             : wp_compound_mesh_contact(workspace, batch, w->compounds, COMPOUNDS, &options,
										   &results, &children, NULL);
	return q->kind == MESH_TRACK ? wp_mesh_track(workspace, batch, &frames, &tracked, &results, NULL, NULL)
	                             : wp_mesh_contact(workspace, batch, &options, &results, NULL);
}

static wp_error ask_mesh(
	const world *w, const question *q, const wp_mesh_batch *batch, wp_workspace *workspace, int frame, rows *r)
{
	answer *const a = r->answers;
	const size_t s = sizeof(answer);
	const wp_results results = results_of(a);
	const wp_uint32_column child = {&a->child_a, s}, triangle = {&a->triangle, s};
	const wp_float_column fraction = {&a->fraction, s};
	const wp_motions motions_a = motions_of(w->bodies[frame], q), motions_b = motions_of(w->places, q);
	const wp_compound *const *const c = w->compounds;
	if (q->kind == MESH_OVERLAP)
		return q->has_compounds
		         ? wp_compound_mesh_overlap(workspace, batch, c, COMPOUNDS, &results, &child, &triangle, NULL)
		         : wp_mesh_overlap(workspace, batch, &results, &triangle, NULL);
	if (q->kind == MESH_DISTANCE)
		return q->has_compounds
		         ? wp_compound_mesh_distance(workspace, batch, c, COMPOUNDS, NULL, &results, &child, &triangle, NULL)
		         : wp_mesh_distance(workspace, batch, NULL, &results, &triangle, NULL);
	return q->has_compounds
	         ? wp_compound_mesh_cast(
				   workspace, batch, c, COMPOUNDS, &motions_a, &motions_b, &results, &fraction, &child, &triangle, NULL)
	         : wp_mesh_cast(workspace, batch, &motions_a, &motions_b, &results, &fraction, &triangle, NULL);
}

static wp_error ask_compounds(
	const world *w, const question *q, wp_workspace *workspace, int frame, rows *r, size_t first, size_t count)
{
	answer *const a = r->answers;
	const size_t s = sizeof(answer);
	const wp_compound_batch batch = {.shapes = w->table,
		.compounds = w->compounds,
		.compound_count = COMPOUNDS,
		.a = bodies_of(w->bodies[frame], BODIES),
		.pair_a = {r->body[0], 0},
		.pair_b = {r->body[1], 0},
		.first = first,
		.count = count};
	const wp_results results = results_of(a);
	const wp_child_columns children = {{&a->child_a, s}, {&a->child_b, s}};
	const wp_contact_options options = {q->most};
	const wp_compound_patches patches = {.pair_count = {&a->pair_count, s},
		.patch_count = {&a->patch_count, s},
		.patches = {a->pairs, s},
		.patch_max = q->patch_max};
	const wp_motions motions = motions_of(w->bodies[frame], q);
	const wp_float_column fraction = {&a->fraction, s};
	switch (q->kind) {
	case OVERLAP:
		return wp_compound_overlap(workspace, &batch, &results, &children, NULL);
	case DISTANCE:
		return wp_compound_distance(workspace, &batch, NULL, &results, &children, NULL);
	case CONTACT:
		return wp_compound_contact(workspace, &batch, &options, &results, &children, NULL);
	case MANIFOLD:
		return wp_compound_contact_manifold(workspace, &batch, &options, &results, &patches, NULL);
	default:
		return wp_compound_cast(workspace, &batch, &motions, NULL, &results, &fraction, &children, NULL);
	}
}

static bool ask_rows(
	const world *w, const question *q, int frame, wp_workspace *workspace, kept *k, rows *r, size_t range)
{
	memset(r->answers, 0, sizeof r->answers);
	for (uint32_t i = 0; i < r->count; i++) {
		r->body[0][i] = 2 * r->pair[i];
		r->body[1][i] = q->kind >= OVERLAP ? 2 * r->pair[i] + 1 : w->place_of[r->pair[i]];
	}
	bool is_fine = true;
	for (size_t first = 0; first < r->count && is_fine; first += range) {
		const size_t left = r->count - first, count = left < range ? left : range;
		const wp_mesh_batch batch = {.shapes = w->table,
			.meshes = w->meshes,
			.mesh_count = 2,
			.height_fields = w->fields,
			.height_field_count = 1,
			.a = bodies_of(w->bodies[frame], BODIES),
			.b = bodies_of(w->places, PLACES),
			.pair_a = {r->body[0], 0},
			.pair_b = {r->body[1], 0},
			.first = first,
			.count = count};
		is_fine = WP_OK == (q->kind >= OVERLAP         ? ask_compounds(w, q, workspace, frame, r, first, count)
							   : q->kind <= MESH_TRACK ? ask_mesh_contact(w, q, &batch, workspace, k, r)
													   : ask_mesh(w, q, &batch, workspace, frame, r));
	}
	return is_fine;
}

static void compare_kept(const company_place *p, const kept *alone, const kept *beside)
{
	for (uint32_t i = 0; i < PAIRS; i++) {
		company_compare(p, i, "tracked pair", &alone->pairs[i], &beside->pairs[i], sizeof(wp_tracked));
		company_compare(p, i, "anchor", &alone->anchors[i], &beside->anchors[i], sizeof(wp_mesh_tracked_anchor));
		company_compare(p, i, "patches", alone->patches[i], beside->patches[i], sizeof alone->patches[i]);
		company_compare(p, i, "children", alone->children[i], beside->children[i], sizeof alone->children[i]);
	}
}

/* ---- batches ------------------------------------------------------------------------------------ */

static bool try_question(gen_random *random, uint64_t first, const world *w, const question *q)
{
	gen_random company; /* how many variants there are must not choose the next pairs */
	static answer alone[FRAMES][PAIRS];
	static kept kept_alone[FRAMES], k;
	static rows r;
	bool is_fine = true;
	memset(&k, 0, sizeof k);
	for (int f = 0; f < q->frames; f++) {
		r.count = 1;
		for (uint32_t i = 0; i < PAIRS && is_fine; i++) {
			r.pair[0] = i;
			is_fine = ask_rows(w, q, f, company_workspaces[1], &k, &r, 1);
			alone[f][i] = r.answers[0];
			company_count_row(q->kind, r.answers[0].row.status);
		}
		kept_alone[f] = k;
		company_add(alone[f], sizeof alone[f]);
		company_add(&k, sizeof k);
	}
	gen_seed(&company, gen_bits(random));
	for (int v = 0; v < company_count && is_fine; v++) {
		memset(&k, 0, sizeof k);
		for (int f = 0; f < q->frames && is_fine; f++) {
			const company_place p = {first, query_names[q->kind], f, company_names[v]};
			r.count = PAIRS;
			company_shuffle(&company, r.pair, PAIRS);
			is_fine = ask_rows(
				w, q, f, company_workspaces[v], &k, &r, chance(&company, 2) ? PAIRS : 1 + gen_below(&company, PAIRS));
			for (uint32_t i = 0; i < PAIRS; i++)
				company_compare(&p, r.pair[i], "answer", &alone[f][r.pair[i]], &r.answers[i], sizeof(answer));
			if (q->kind == MESH_TRACK)
				compare_kept(&p, &kept_alone[f], &k);
		}
	}
	return is_fine;
}

/* Shapes of a corpus whose sizes are alike, or any. */
static bool make_shapes(gen_random *random, wp_shape shapes[SHAPES], gen_corpus *corpus)
{
	static const uint32_t vertices[] = {4, 8, 24, 64};
	gen_options options = {.seed = gen_bits(random) >> 16, .smooth = GEN_SMOOTH_HALF};
	options.vertex_max = vertices[gen_below(random, 4)];
	if (!chance(random, 5))
		options.constructions = 1u << GEN_NEAR | 1u << GEN_FACE_ON_FACE | 1u << GEN_DEEP;
	if (!gen_corpus_make(&options, 0, SHAPES / 2, corpus))
		return false;
	memcpy(shapes, corpus->shapes, SHAPES * sizeof *shapes);
	return true;
}

static bool try_batch(uint64_t seed, uint64_t batch)
{
	static world w;
	static wp_shape shapes[SHAPES];
	static float samples[SIDE * SIDE];
	static wp_height_field field;
	static void *compound_memory[COMPOUNDS], *table_memory;
	gen_random random;
	gen_corpus corpus;
	gen_seed(&random, seed * UINT64_C(1000003) + batch);
	if (!make_shapes(&random, shapes, &corpus))
		return false;
	const size_t size_of_table = wp_shape_table_size(SHAPES);
	table_memory = table_memory == NULL ? block(size_of_table) : table_memory;
	bool is_fine = wp_shape_table_build(shapes, SHAPES, table_memory, size_of_table, &w.table, NULL) == WP_OK;
	const float bound = wp_shape_table_bound(w.table, gen_below(&random, SHAPES));
	const double size = bound > 0 && bound < 1e10f ? (double)bound : 1;
	for (int i = 0; i < COMPOUNDS && is_fine; i++) {
		compound_memory[i] = compound_memory[i] == NULL ? block(wp_compound_size(CHILDREN)) : compound_memory[i];
		is_fine = any_compound(&random, w.table, size, compound_memory[i], &w.compounds[i]);
	}
	for (int i = 0; i < 2; i++)
		w.meshes[i] = any_mesh(&random, size);
	any_field(&random, size, samples, &field);
	w.fields[0] = &field;
	for (int i = 0; i < QUESTIONS && is_fine; i++) {
		const question q = make_question(&random, size);
		place_bodies(&random, &q, size, &w);
		is_fine = try_question(&random, batch * PAIRS, &w, &q);
	}
	for (int i = 0; i < 2; i++)
		wp_cook_free_mesh(w.meshes[i]);
	gen_corpus_free(&corpus);
	return is_fine;
}

int main(int argc, char **argv)
{
	static const company_program program = {"company_bodies",
		"Meshes and compounds alone and in any company, bit for bit.", query_names, QUERIES, PAIRS, try_batch};
	return company_run(&program, argc, argv);
}
