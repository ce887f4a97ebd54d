/* Pairs on a grid, on which many products are zero: every variant of the build against scalar, bit for bit, zeros' signs too, for
 * each query, and scalar's digests, which are the same on every machine. The corpora of parity have few zeros. A plain program
 * that also runs under emulators.
 *   grid [ROUNDS]     4096 pairs a round; exits with 1 where a row or a digest differs, and prints the first rows. Digests are of
 *                     the number of rounds that there is by default
 */
#include "support/block.h"
#include "support/digest.h"
#include "support/gen_random.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

enum { PAIRS = 4096, ROUNDS = 8, SHAPES = 20, BOXES = 7, ROTATIONS = 8, PRINTED = 8, QUERIES = 4 };

static const char *const query_names[QUERIES] = {"overlap", "distance", "contact", "contact without limit"};

static const uint64_t expected[QUERIES] = {
	0xaa676b16e46e8d77u, 0xe2357296f0562eddu, 0x78d2fef97a74379du, 0x0d2ce811cbb981c6u};

/* Turns of a cube. */
#define HALF_ROOT 0x1.6a09e6p-1f
static const float rotations[ROTATIONS][4] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {HALF_ROOT, 0, 0, HALF_ROOT},
	{0, HALF_ROOT, 0, HALF_ROOT}, {0, 0, HALF_ROOT, HALF_ROOT}, {0, 0, -HALF_ROOT, HALF_ROOT}, {0.5f, 0.5f, 0.5f, 0.5f},
	{-0.5f, 0.5f, 0.5f, 0.5f}};

typedef struct body {
	float position[3], rotation[4];
	uint32_t shape;
} body;

static body bodies[2][PAIRS];
static wp_row scalar_rows[PAIRS], rows[PAIRS];
static wp_workspace *workspaces[WP_VARIANT_COUNT];
static const wp_shape_table *table;

static const wp_hull *make_octahedron(void)
{
	static const float corners[6][3] = {
		{-0.5f, 0, 0}, {0.5f, 0, 0}, {0, -0.5f, 0}, {0, 0.5f, 0}, {0, 0, -0.5f}, {0, 0, 0.5f}};
	const wp_hull_input input = {.vertices.data = corners[0], .vertex_count = 6};
	const size_t size = wp_hull_size(6, 0, 0);
	const wp_hull *hull = NULL;
	if (wp_hull_build(&input, block(size), size, &hull, NULL) != WP_OK)
		exit(BLOCK_EXIT_CODE);
	return hull;
}

/* Boxes of all extents that the grid has, some of them zero, and one of each other kind. */
static void make_shapes(gen_random *random)
{
	static wp_shape shapes[SHAPES];
	static const float extents[4] = {0, 0.25f, 0.5f, 1};
	static const float corners[2][3][3] = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}};
	static const float ends[2][3] = {{0, 0, -1}, {0, 0, 1}};
	size_t count = 0;
	while (count < BOXES) {
		const uint32_t x = gen_below(random, 4), y = gen_below(random, 4), z = gen_below(random, 4);
		shapes[count++] = wp_shape_box(extents[x], extents[y], extents[z]);
	}
	shapes[0].radius = 0.25f;
	shapes[count++] = wp_shape_sphere(0);
	shapes[count++] = wp_shape_sphere(0.5f);
	shapes[count++] = wp_shape_capsule(0, 1);
	shapes[count++] = wp_shape_capsule(0.25f, 0.5f);
	shapes[count++] = wp_shape_capsule(0.5f, 0.5f);
	shapes[count++] = wp_shape_segment(ends[0], ends[1]);
	shapes[count++] = wp_shape_triangle(corners[0][0], corners[0][1], corners[0][2]);
	shapes[count++] = wp_shape_triangle(corners[1][0], corners[1][1], corners[1][2]);
	shapes[count++] = wp_shape_cylinder(0.5f, 0.5f);
	shapes[count++] = wp_shape_cone(0.5f, 1);
	shapes[count++] = wp_shape_ellipsoid(1, 0.5f, 0.25f);
	shapes[count++] = wp_shape_half_space();
	shapes[count++] = wp_shape_hull(make_octahedron());
	const size_t size = wp_shape_table_size(SHAPES);
	wp_shape_report report;
	if (count != SHAPES || wp_shape_table_build(shapes, SHAPES, block(size), size, &table, &report) != WP_OK)
		exit(BLOCK_EXIT_CODE);
}

/* Places that are multiples of a quarter, of both signs, zeros too; every fourth body is turned a little further. */
static void place(body *b, gen_random *random)
{
	for (int i = 0; i < 3; i++) {
		const float steps = (float)gen_below(random, 9) - 4;
		b->position[i] = steps * (gen_below(random, 2) != 0 ? 0.25f : -0.25f);
	}
	memcpy(b->rotation, rotations[gen_below(random, ROTATIONS)], sizeof b->rotation);
	if (gen_below(random, 4) == 0)
		for (int i = 0; i < 4; i++)
			b->rotation[i] += 0x1p-13f * ((float)gen_below(random, 3) - 1);
	b->shape = gen_below(random, SHAPES);
}

static wp_error ask(int query, wp_workspace *workspace, const wp_batch *batch, wp_row *answers)
{
	const wp_results results = wp_results_of_rows(answers);
	const wp_contact_options options = {.max_separation = query == 2 ? 0.02f : 1e30f};
	memset(answers, 0, PAIRS * sizeof *answers);
	return query == 0 ? wp_overlap(workspace, batch, &results, NULL)
	     : query == 1 ? wp_distance(workspace, batch, &results, NULL)
	                  : wp_contact(workspace, batch, &options, &results, NULL);
}

static void print_row(const wp_row *row)
{
	float numbers[sizeof *row / sizeof(float)];
	memcpy(numbers, row, sizeof *row);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		printf(" %a", (double)numbers[i]);
	printf("\n");
}

static size_t compare(const char *query, wp_variant variant, size_t differing)
{
	for (size_t i = 0; i < PAIRS; i++) {
		if (memcmp(&scalar_rows[i], &rows[i], sizeof rows[i]) == 0)
			continue;
		if (differing++ >= PRINTED)
			continue;
		printf("%s of shapes %" PRIu32 " and %" PRIu32 ": scalar and %s\n", query, bodies[0][i].shape,
			bodies[1][i].shape, wp_variant_name(variant));
		print_row(&scalar_rows[i]);
		print_row(&rows[i]);
	}
	return differing;
}

static wp_bodies bodies_of(body *b)
{
	return (wp_bodies){.position = {b->position, sizeof *b},
		.rotation = {b->rotation, sizeof *b},
		.shape = {&b->shape, sizeof *b},
		.count = PAIRS};
}

int main(int argument_count, char **arguments)
{
	const long rounds = argument_count > 1 ? strtol(arguments[1], NULL, 10) : ROUNDS;
	gen_random random;
	gen_seed(&random, 41);
	size_t differing = 0;
	uint64_t digests[QUERIES] = {DIGEST_START, DIGEST_START, DIGEST_START, DIGEST_START};
	for (int variant = WP_VARIANT_SCALAR; variant < WP_VARIANT_COUNT; variant++)
		if (wp_variant_available((wp_variant)variant) == WP_OK &&
			wp_workspace_init(block(WP_WORKSPACE_SIZE), WP_WORKSPACE_SIZE, (wp_variant)variant, &workspaces[variant]) !=
				WP_OK)
			return BLOCK_EXIT_CODE;
	make_shapes(&random);
	const wp_batch batch = {.shapes = table, .a = bodies_of(bodies[0]), .b = bodies_of(bodies[1]), .count = PAIRS};
	for (long round = 0; round < rounds; round++) {
		for (int i = 0; i < 2 * PAIRS; i++)
			place(&bodies[i % 2][i / 2], &random);
		for (int query = 0; query < QUERIES; query++) {
			if (ask(query, workspaces[WP_VARIANT_SCALAR], &batch, scalar_rows) != WP_OK)
				return BLOCK_EXIT_CODE;
			digests[query] = digest_words(digests[query], scalar_rows, PAIRS * sizeof *scalar_rows);
			for (int variant = WP_VARIANT_SCALAR + 1; variant < WP_VARIANT_COUNT; variant++) {
				if (workspaces[variant] == NULL)
					continue;
				if (ask(query, workspaces[variant], &batch, rows) != WP_OK)
					return BLOCK_EXIT_CODE;
				differing = compare(query_names[query], (wp_variant)variant, differing);
			}
		}
	}
	for (int query = 0; query < QUERIES && rounds == ROUNDS; query++) {
		const bool is_expected = digests[query] == expected[query];
		printf("%s %016" PRIx64 "%s\n", query_names[query], digests[query], is_expected ? "" : " differs");
		differing += !is_expected;
	}
	printf("%zu rows or digests differ\n", differing);
	return differing != 0;
}
