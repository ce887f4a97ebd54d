/* The bits of contacts with meshes and height fields, by digests that are the same on every machine, by every variant, for
 * every size of the ring of triangles and by every compiler: a plain program that also runs under emulators, with the cook's
 * own sources.
 *   mesh_contacts     exits with 1 where a digest differs, and prints all of them
 */
#include "mesh_contact/internal.h"
#include "support/block.h"
#include "support/surfaces.h"

#include <inttypes.h>

enum { MESHES = 3, SURFACES, SHAPES = 8, ROWS = 500, PATCHES = 4 };

static const char *const names[SURFACES] = {"terrain", "ball", "soup", "heights"};
static const uint64_t expected[SURFACES] = {
	0xbc03c714abf61036u, 0x2fd7ee7c8b1d7948u, 0x5894c0f1dbe53102u, 0xaed394b7423df13au};

/* Sizes of the ring: the fewest that hold a block of lanes, others that no number of triangles fits, all of it. */
static const uint32_t rings[] = {1, 8, 61, WP_MESH_RING};

typedef struct body {
	float position[3], rotation[4];
	uint32_t shape;
} body;

typedef struct answer {
	float separation, normal[3];
	uint32_t status, triangle_count, patch_count;
	wp_mesh_patch patch[PATCHES];
} answer;

static body bodies[ROWS], places[2];
static uint32_t pair_b[ROWS];
static answer answers[ROWS];
static const wp_shape_table *table;

/* Samples of the height field, with holes. */
enum { COLUMNS = 60, HEIGHTS = 50 };

static float samples[HEIGHTS * COLUMNS];
static const wp_height_field field = {.samples = samples, .columns = COLUMNS, .rows = HEIGHTS, .spacing = {1, 1}};

static void make_shapes(void)
{
	static const float corners[6][3] = {
		{-0.4f, 0, 0}, {0.5f, 0, 0}, {0, -0.6f, 0}, {0, 0.4f, 0}, {0, 0, -0.5f}, {0, 0, 0.3f}};
	static const uint32_t indices[24] = {0, 3, 4, 0, 5, 3, 0, 4, 2, 0, 2, 5, 1, 4, 3, 1, 3, 5, 1, 2, 4, 1, 5, 2};
	static const uint32_t sizes[8] = {3, 3, 3, 3, 3, 3, 3, 3};
	const wp_hull_input input = {
		.vertices.data = corners[0], .vertex_count = 6, .face_sizes = sizes, .face_indices = indices, .face_count = 8};
	static wp_shape shapes[SHAPES];
	const wp_hull *hull = NULL;
	const size_t hull_size = wp_hull_size(6, 8, 24), size = wp_shape_table_size(SHAPES);
	if (wp_hull_build(&input, block(hull_size), hull_size, &hull, NULL) != WP_OK)
		exit(BLOCK_EXIT_CODE);
	shapes[0] = wp_shape_box(0.5f, 0.3f, 0.4f);
	shapes[1] = wp_shape_sphere(0.5f);
	shapes[2] = wp_shape_capsule(0.25f, 0.4f);
	shapes[3] = wp_shape_hull(hull);
	shapes[4] = wp_shape_cylinder(0.4f, 0.3f);
	shapes[5] = wp_shape_cone(0.4f, 0.5f);
	shapes[6] = wp_shape_ellipsoid(0.5f, 0.2f, 0.4f);
	shapes[7] = wp_shape_box(0.4f, 0.1f, 0.3f);
	shapes[7].radius = 0.1f;
	if (wp_shape_table_build(shapes, SHAPES, block(size), size, &table, NULL) != WP_OK)
		exit(BLOCK_EXIT_CODE);
}

/* The last one is a height field, of the same hills as the first. */
static surface surface_at(int index)
{
	surface s = index % MESHES == 0 ? surface_terrain(COLUMNS, HEIGHTS, 3)
	          : index == 1          ? surface_ball(8, 0.1, 5)
	                                : surface_soup(2000, 0.2, 9);
	if (index == 1)
		surface_scale(&s, 4, 4, 4);
	return s;
}

/* Bodies about the vertices of the mesh, which is at the origin or far away and turned; a few of them are no bodies. */
static void make_bodies(const wp_mesh *mesh)
{
	gen_random random;
	gen_seed(&random, 29);
	places[0] = (body){.rotation = {0, 0, 0, 1}};
	places[1] = (body){.position = {1000, -2000, 500}, .rotation = {0.5f, -0.1f, 0.7f, 0.5f}};
	const m3 turn = m3_of_quaternion(places[1].rotation);
	for (uint32_t i = 0; i < ROWS; i++) {
		float vertex[3];
		wp_mesh_vertex(mesh, gen_below(&random, (uint32_t)wp_mesh_vertex_count(mesh)), vertex);
		const double distance = gen_range(&random, 0, 0.7);
		v3 at = v3_add(v3_of_floats(vertex), v3_scale(gen_direction(&random), distance));
		pair_b[i] = i % 2;
		if (pair_b[i] == 1)
			at = v3_add(m3_apply(turn, at), v3_of_floats(places[1].position));
		surface_set(bodies[i].position, at.x, at.y, at.z);
		gen_rotation(&random, bodies[i].rotation);
		bodies[i].shape = gen_below(&random, SHAPES + (i % 64 == 0));
	}
}

/* Bodies with a mesh, or with the field where that is NULL. */
static void ask(wp_variant variant, const wp_mesh *mesh, const wp_mesh_options *options, uint32_t ring)
{
	static void *memory;
	if (memory == NULL)
		memory = block(WP_WORKSPACE_SIZE);
	const wp_mesh *const meshes[2] = {mesh, mesh};
	const wp_height_field *const fields[2] = {&field, &field};
	const size_t stride = sizeof *answers, apart = sizeof *bodies;
	const wp_mesh_batch batch = {.shapes = table,
		.meshes = meshes,
		.mesh_count = mesh != NULL ? 2 : 0,
		.height_fields = fields,
		.height_field_count = mesh != NULL ? 0 : 2,
		.a = {.position = {bodies->position, apart},
			.rotation = {bodies->rotation, apart},
			.shape = {&bodies->shape, apart},
			.count = ROWS},
		.b = {.position = {places->position, apart}, .rotation = {places->rotation, apart}, .count = 2},
		.pair_b = {pair_b, 0},
		.count = ROWS};
	const wp_mesh_results results = {.separation = {&answers->separation, stride},
		.normal = {answers->normal, stride},
		.status = {&answers->status, stride},
		.triangle_count = {&answers->triangle_count, stride},
		.patch_count = {&answers->patch_count, stride},
		.patches = {answers->patch, stride},
		.patch_max = PATCHES};
	wp_workspace *workspace;
	memset(answers, 0, sizeof answers);
	if (wp_workspace_init(memory, WP_WORKSPACE_SIZE, variant, &workspace) != WP_OK ||
		wp_mesh_contact_in(workspace, &batch, options, &results, NULL, ring) != WP_OK)
		exit(BLOCK_EXIT_CODE);
}

/* All numbers of the answers. Any NaN marks a row as invalid. */
static void add_answers(uint64_t *digest)
{
	for (uint32_t i = 0; i < ROWS; i++) {
		if (!(answers[i].separation == answers[i].separation))
			answers[i].separation = 0;
		uint32_t words[sizeof answers[i] / sizeof(uint32_t)];
		memcpy(words, &answers[i], sizeof words);
		for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
			*digest = (*digest ^ words[k]) * 0x100000001b3u;
			*digest ^= *digest >> 29;
		}
	}
}

static uint64_t digest_of(wp_variant variant, const wp_mesh *mesh, uint32_t ring)
{
	static const wp_mesh_options options[] = {
		{0.0f, 0}, {0.1f, 0}, {0.1f, WP_MESH_TWO_SIDED}, {0.1f, WP_MESH_GHOSTS | WP_MESH_TWO_SIDED}};
	uint64_t digest = 0xcbf29ce484222325u;
	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
		ask(variant, mesh, &options[i], ring);
		add_answers(&digest);
	}
	return digest;
}

/* All variants, and all rings by one or another of them, against what is expected. */
static int check(int index, const wp_mesh *mesh)
{
	int code = 0;
	for (int variant = WP_VARIANT_SCALAR; variant < WP_VARIANT_COUNT; variant++) {
		if (wp_variant_available((wp_variant)variant) != WP_OK)
			continue;
		/* Every other ring, since emulators take minutes for all of them. */
		for (size_t i = (size_t)variant % 2; i < sizeof rings / sizeof rings[0]; i += 2) {
			const uint64_t digest = digest_of((wp_variant)variant, mesh, rings[i]);
			const bool differs = digest != expected[index];
			if (differs || i < 2)
				printf("%s %s, ring of %" PRIu32 ": %016" PRIx64 "%s\n", names[index],
					wp_variant_name((wp_variant)variant), rings[i], digest, differs ? " differs" : "");
			code |= differs;
		}
	}
	return code;
}

int main(void)
{
	int code = 0;
	make_shapes();
	for (int i = 0; i < SURFACES; i++) {
		surface s = surface_at(i);
		const wp_mesh_input input = surface_input(&s);
		const wp_mesh *mesh;
		if (wp_cook_mesh(&input, &mesh, NULL) != WP_OK)
			return BLOCK_EXIT_CODE;
		make_bodies(mesh);
		for (size_t k = 0; k < s.vertex_count && i == MESHES; k++)
			samples[k] = k % 97 == 0 ? WP_HEIGHT_HOLE : s.vertices[k][1];
		code |= check(i, i < MESHES ? mesh : NULL);
		wp_cook_free_mesh(mesh);
		surface_free(&s);
	}
	return code;
}
