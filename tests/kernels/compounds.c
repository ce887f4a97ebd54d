/* The bits of queries of compounds, and of compounds and height fields, by digests that are the same on every machine, by every variant, for every size of the ring
 * of pairs and by every compiler: a plain program that also runs under emulators.
 *   compounds [--few-ways]     exits with 1 where a digest differs, and prints all of them
 * With few ways it runs the first and the last size of the ring.
 */
#include "compound/internal.h"
#include "mesh_query/internal.h"
#include "support/block.h"
#include "support/digest.h"
#include "support/each_shape.h"
#include "support/gen_random.h"
#include "support/rows.h"

#include <inttypes.h>

enum {
	COMPOUNDS = 4,
	CHILDREN = 40,
	CHILD_SHAPES = EACH_SHAPE_COUNT,
	SHAPES,
	BODIES = 60,
	ROWS = 300,
	PATCHES = 3,
	QUERIES = 5
};

static const uint32_t child_counts[COMPOUNDS] = {1, 4, 9, CHILDREN};
static const char *const query_names[QUERIES] = {"overlap", "distance", "contact", "manifold", "cast"};
static const uint64_t expected[QUERIES] = {
	0x05d5e7aef8a57ebbu, 0x3feed175957c8603u, 0xf16f8f044b1174ebu, 0x0714959165e8e9b7u, 0x57547c7af5938d3bu};

/* Of overlaps, distances and casts of compounds and a height field, and of casts that turn. */
enum { SURFACE_QUERIES = 4, SIDE = 20 };

static const char *const surface_query_names[SURFACE_QUERIES] = {
	"field overlap", "field distance", "field cast", "field turning cast"};
static const uint64_t expected_of_fields[SURFACE_QUERIES] = {
	0x38390cbf1ab5506du, 0x7274f220720bfbf7u, 0x0741ceb80cd5ea37u, 0x63797938d25a4c1au};

/* Sizes of the ring: one pair, others that no number of pairs fits, all of it. */
static const uint32_t rings[] = {1, 8, 37, WP_COMPOUND_RING};

enum { RINGS = sizeof rings / sizeof rings[0] };

typedef struct body {
	float position[3], rotation[4], way[3], end[4];
	uint32_t shape;
} body;

typedef struct answer {
	wp_row row;
	float local_a[3], local_b[3], fraction;
	uint32_t child_a, child_b, pair_count, patch_count;
	wp_compound_patch patch[PATCHES];
} answer;

static body bodies[BODIES], ground;
static float samples[SIDE * SIDE];
static const wp_height_field field = {.samples = samples, .columns = SIDE, .rows = SIDE, .spacing = {1, 1}};
static uint32_t pairs[ROWS][2];
static answer answers[ROWS];
static const wp_shape_table *table;
static const wp_compound *compounds[COMPOUNDS];

static void make_shapes(void)
{
	static wp_shape shapes[SHAPES];
	const size_t size = wp_shape_table_size(SHAPES);
	each_shape(shapes);
	shapes[CHILD_SHAPES] = wp_shape_half_space();
	if (wp_shape_table_build(shapes, SHAPES, block(size), size, &table, NULL) != WP_OK)
		exit(BLOCK_EXIT_CODE);
}

static void make_compounds(void)
{
	static wp_compound_child children[CHILDREN];
	gen_random random;
	gen_seed(&random, 17);
	for (uint32_t c = 0; c < COMPOUNDS; c++) {
		const size_t size = wp_compound_size(child_counts[c]);
		for (uint32_t i = 0; i < child_counts[c]; i++) {
			children[i] = (wp_compound_child){.shape = gen_below(&random, CHILD_SHAPES), .tag = i};
			gen_rotation(&random, children[i].rotation);
			for (int k = 0; k < 3; k++)
				children[i].position[k] = gen_rounded(gen_range(&random, -0.5 * (c + 1), 0.5 * (c + 1)));
		}
		if (wp_compound_build(children, child_counts[c], table, block(size), size, &compounds[c], NULL) != WP_OK)
			exit(BLOCK_EXIT_CODE);
	}
}

/* Bodies near each other, far from the origin; a few of them are no bodies. */
static void make_bodies(void)
{
	gen_random random;
	gen_seed(&random, 29);
	for (uint32_t i = 0; i < BODIES; i++) {
		bodies[i].shape = i < 12 ? gen_below(&random, SHAPES)
		                         : WP_COMPOUND + gen_below(&random, COMPOUNDS + (i % 16 == 0));
		gen_rotation(&random, bodies[i].rotation);
		for (int k = 0; k < 3; k++) {
			bodies[i].position[k] = gen_rounded(1000 + gen_range(&random, -3, 3));
			bodies[i].way[k] = gen_rounded(gen_range(&random, -4, 4));
		}
	}
	for (uint32_t i = 0; i < ROWS; i++) {
		pairs[i][0] = gen_below(&random, BODIES);
		pairs[i][1] = gen_below(&random, BODIES);
	}
}

/* Hills with holes below the bodies, far from the origin. */
static void make_field(void)
{
	gen_random random;
	gen_seed(&random, 31);
	for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
		samples[i] = gen_below(&random, 30) == 0 ? WP_HEIGHT_HOLE : gen_rounded(gen_range(&random, -1, 1));
	ground = (body){
		.position = {990, 998, 990}, .rotation = {0, 0, 0, 1}, .way = {0.25f, 0.5f, 0}, .end = {0, 0.1f, 0, 1}};
	for (uint32_t i = 0; i < BODIES; i++)
		gen_rotation(&random, bodies[i].end);
}

static wp_results results_of(void)
{
	wp_results results = rows_in_structs(&answers->row, sizeof *answers);
	results.local_a = (wp_float_column){answers->local_a, sizeof *answers};
	results.local_b = (wp_float_column){answers->local_b, sizeof *answers};
	return results;
}

static void ask(wp_workspace *workspace, int query, uint32_t ring)
{
	const size_t apart = sizeof *bodies, stride = sizeof *answers;
	const wp_compound_batch batch = {.shapes = table,
		.compounds = compounds,
		.compound_count = COMPOUNDS,
		.a = {.position = {bodies->position, apart},
			.rotation = {bodies->rotation, apart},
			.shape = {&bodies->shape, apart},
			.count = BODIES},
		.pair_a = {&pairs[0][0], sizeof *pairs},
		.pair_b = {&pairs[0][1], sizeof *pairs},
		.count = ROWS};
	const wp_motions motions = {.translation = {bodies->way, apart}};
	const wp_float_column fraction = {&answers->fraction, stride};
	const wp_child_columns children = {{&answers->child_a, stride}, {&answers->child_b, stride}};
	const wp_compound_patches patches = {.pair_count = {&answers->pair_count, stride},
		.patch_count = {&answers->patch_count, stride},
		.patches = {answers->patch, stride},
		.patch_max = PATCHES};
	const wp_compound_request request = {.query = (wp_compound_query)query,
		.most = 0.25f,
		.motions = {query == WP_COMPOUND_CAST ? &motions : NULL, NULL},
		.fraction = query == WP_COMPOUND_CAST ? &fraction : NULL,
		.children = &children,
		.patches = query == WP_COMPOUND_MANIFOLD ? &patches : NULL};
	const wp_results results = results_of();
	memset(answers, 0, sizeof answers);
	if (wp_compound_run(workspace, &batch, &request, &results, NULL, ring) != WP_OK)
		exit(BLOCK_EXIT_CODE);
}

/* The same of compounds and the field. */
static void ask_field(wp_workspace *workspace, int query, uint32_t ring)
{
	static const uint32_t zeros[ROWS];
	const size_t apart = sizeof *bodies, stride = sizeof *answers;
	const wp_height_field *const fields[1] = {&field};
	const wp_mesh_batch batch = {.shapes = table,
		.height_fields = fields,
		.height_field_count = 1,
		.a = {.position = {bodies->position, apart},
			.rotation = {bodies->rotation, apart},
			.shape = {&bodies->shape, apart},
			.count = BODIES},
		.b = {.position = {ground.position, 0}, .rotation = {ground.rotation, 0}, .shape = {zeros, 0}, .count = 1},
		.pair_a = {&pairs[0][0], sizeof *pairs},
		.pair_b = {zeros, 0},
		.count = BODIES};
	const bool turns = query == SURFACE_QUERIES - 1;
	const wp_motions a = {{bodies->way, apart}, {turns ? bodies->end : NULL, apart}};
	const wp_motions b = {{ground.way, 0}, {turns ? ground.end : NULL, 0}};
	const wp_float_column fraction = {&answers->fraction, stride};
	const wp_uint32_column child = {&answers->child_a, stride}, triangle = {&answers->child_b, stride};
	const bool is_cast = query >= WP_MESH_QUERY_CAST;
	const wp_mesh_query_request request = {.query = is_cast ? WP_MESH_QUERY_CAST : (wp_mesh_query_kind)query,
		.max_distance = 8,
		.motions_a = is_cast ? &a : NULL,
		.motions_b = is_cast ? &b : NULL,
		.fraction = is_cast ? &fraction : NULL,
		.child = &child,
		.triangle = &triangle};
	const wp_results results = results_of();
	memset(answers, 0, sizeof answers);
	if (wp_compound_mesh_ask(workspace, &batch, compounds, COMPOUNDS, &request, &results, NULL, ring) != WP_OK)
		exit(BLOCK_EXIT_CODE);
}

/* Whether the digest of the answers differs, by a ring of a size; the first one is printed. */
static bool differs_from(uint64_t wanted, const char *name, int variant, size_t ring)
{
	const uint64_t digest = digest_words(DIGEST_START, answers, sizeof answers);
	const bool differs = digest != wanted;
	if (differs || ring == 0)
		printf("%s %s, ring of %" PRIu32 ": %016" PRIx64 "%s\n", name, wp_variant_name((wp_variant)variant),
			rings[ring], digest, differs ? " differs" : "");
	return differs;
}

/* All variants and rings, against what is expected. */
int main(int argument_count, char **arguments)
{
	const bool few = argument_count > 1 && strcmp(arguments[1], "--few-ways") == 0;
	void *const memory = block(wp_workspace_size());
	int code = 0;
	make_shapes();
	make_compounds();
	make_bodies();
	make_field();
	for (int variant = WP_VARIANT_SCALAR; variant < WP_VARIANT_COUNT; variant++) {
		wp_workspace *workspace;
		if (wp_variant_available((wp_variant)variant) != WP_OK)
			continue;
		if (wp_workspace_init(memory, wp_workspace_size(), (wp_variant)variant, &workspace) != WP_OK)
			return BLOCK_EXIT_CODE;
		for (size_t i = 0; i < RINGS; i += few ? RINGS - 1 : 1) {
			for (int query = 0; query < QUERIES; query++) {
				ask(workspace, query, rings[i]);
				code |= differs_from(expected[query], query_names[query], variant, i);
			}
			for (int query = 0; query < SURFACE_QUERIES; query++) {
				ask_field(workspace, query, rings[i]);
				code |= differs_from(expected_of_fields[query], surface_query_names[query], variant, i);
			}
		}
	}
	block_free(memory);
	return code;
}
