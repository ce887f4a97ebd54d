/* The bits of contacts with meshes and height fields, and of overlaps, distances and casts of them, by digests that are the same
 * on every machine, by every variant, for every size of the ring of triangles and by every compiler: a plain program that also
 * runs under emulators, with the cook's own sources.
 * Frames of tracked pairs have the digests of contacts at the same poses, and leave the same bytes for every variant.
 *   mesh_contacts [--few-ways | --all-rings]
 *                                  exits with 1 where a digest differs, and prints all of them; for the first rows alone, by two
 *                                  sizes of the ring alone, and frames of the terrain and the height field alone; or by all
 *                                  variants with all sizes of a library whose rings are large
 */
#include "mesh_query/internal.h"
#include "support/block.h"
#include "support/digest.h"
#include "support/each_shape.h"
#include "support/mesh_answer.h"
#include "support/rows.h"
#include "support/surfaces.h"

#include <inttypes.h>

enum { MESHES = 3, SURFACES, SHAPES = EACH_SHAPE_COUNT, ROWS = 500, FEW_ROWS = 64, PATCHES = 4, FRAMES = 4 };

static const char *const names[SURFACES] = {"terrain", "ball", "soup", "heights"};

/* Of contacts of all rows, and of the few. */
static const uint64_t expected[2][SURFACES] = {
	{0xb6e4de02d6c0f2f6u, 0x96593a071caedc98u, 0xa955a039bab7a6e6u, 0xe4d343b7efebf446u},
	{0x6e4473bb2fb48cceu, 0x8c4316d2db8b52bbu, 0x1a06903d60f9626au, 0x5ccb6e75f545d6d6u}};

/* Of contacts with borders that may be none. */
static const uint64_t expected_of_soups[2][MESHES] = {{0x84e96ea40edc6edbu, 0x5713191147469815u, 0x59ed2e10dce6ce93u},
	{0x6ef3a868b93004abu, 0x5ee515ab05726b90u, 0xf0eb7aaa415a2f8bu}};

/* Sizes of the ring: the fewest that hold a block of lanes, others that no number of triangles fits, all of it; and those that
 * all variants have. */
static const uint32_t rings[] = {1, 8, 61, WP_MESH_RING}, rings_of_all[] = {8, 64, WP_MESH_RING};

/* Of overlaps, distances, casts, and casts of bodies and meshes that turn; of the first rows. */
enum { QUERIES = 4, QUERY_ROWS = 200, FEW_QUERY_ROWS = 25 };

static const char *const query_names[QUERIES] = {"overlaps", "distances", "casts", "turning casts"};
static const uint64_t expected_of_queries[2][QUERIES][SURFACES] = {
	{{0x86e856a7d68fae1au, 0x31d4f95437416674u, 0x9b059e99457d9d2du, 0x1f706826d996c990u},
		{0x926018c2ab306ca9u, 0x1425be622ddd040bu, 0x5b4054d958c399b1u, 0xf2e2bc39fecd076bu},
		{0x570b44ebe55653a3u, 0x86599f9ff7d9b132u, 0x86837077f5d581e1u, 0xb2d60e0edd2582e4u},
		{0xcd6047b51b2b3d94u, 0xce13d5a4547e5ae6u, 0xc0204f3e729f81e9u, 0xcc05a78264d82f94u}},
	{{0xb6131f38833c00c1u, 0x6fd555924c3b8583u, 0x79d84a9dac61a33cu, 0xbded44f85e9ae40au},
		{0x52b91f0f44f09e1eu, 0x425d79962da89b1eu, 0xca20b53202ee12a6u, 0x1d3df573ca0d4589u},
		{0x792867953c426c74u, 0x8b098b860d2c541cu, 0x78ef254bd1723eefu, 0x767d0656a89f2a48u},
		{0x0e7ef8d18a48c58cu, 0x4935f56fb6c8db51u, 0xba3fa702970b36c1u, 0xca203516ccf7e1c7u}}};
static const uint32_t query_rings[] = {1, 8, 37, WP_MESH_QUERY_RING},
					  query_rings_of_all[] = {8, 64, WP_MESH_QUERY_RING};

/* What is run: each ring by every other variant; the later two of these; or each by all variants. */
typedef enum ways { ALL_WAYS, FEW_WAYS, ALL_RINGS } ways;

typedef struct body {
	float position[3], rotation[4];
	uint32_t shape;
} body;

/* Where a body goes. */
typedef struct motion {
	float way[3], end[4];
} motion;

typedef MESH_ANSWER(PATCHES) answer;

typedef struct query_answer {
	wp_row row;
	float local_a[3], local_b[3], fraction;
	uint32_t triangle;
} query_answer;

static body bodies[ROWS], places[2];
static motion motions[ROWS], mesh_motions[2];
static query_answer query_answers[QUERY_ROWS];
static uint32_t pair_b[ROWS];
static answer answers[ROWS];
static const wp_shape_table *table;

/* Samples of the height field, with holes. */
enum { COLUMNS = 60, HEIGHTS = 50 };

static float samples[HEIGHTS * COLUMNS];
static const wp_height_field field = {.samples = samples, .columns = COLUMNS, .rows = HEIGHTS, .spacing = {1, 1}};

static void make_shapes(void)
{
	static wp_shape shapes[SHAPES];
	const size_t size = wp_shape_table_size(SHAPES);
	each_shape(shapes);
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

/* Bodies go past the mesh or into it, meshes a little. */
static void make_motions(void)
{
	gen_random random;
	gen_seed(&random, 31);
	for (uint32_t i = 0; i < ROWS; i++) {
		const double length = gen_magnitude(&random, 0.1, 5);
		const v3 way = v3_scale(gen_direction(&random), length);
		surface_set(motions[i].way, way.x, way.y, way.z);
		gen_rotation(&random, motions[i].end);
	}
	mesh_motions[0] = (motion){{0.5f, 0, -0.25f}, {0.1f, 0.1f, 0, 0.99f}};
	mesh_motions[1] = (motion){{0, 0.25f, -0.25f}, {0.5f, -0.2f, 0.6f, 0.58f}};
}

/* Bodies with a mesh, or with the field where that is NULL. */
static wp_mesh_batch batch_of(const wp_mesh *const meshes[2], uint32_t count)
{
	static const wp_height_field *const fields[2] = {&field, &field};
	const size_t apart = sizeof *bodies;
	return (wp_mesh_batch){.shapes = table,
		.meshes = meshes,
		.mesh_count = meshes[0] != NULL ? 2 : 0,
		.height_fields = fields,
		.height_field_count = meshes[0] != NULL ? 0 : 2,
		.a = {.position = {bodies->position, apart},
			.rotation = {bodies->rotation, apart},
			.shape = {&bodies->shape, apart},
			.count = ROWS},
		.b = {.position = {places->position, apart}, .rotation = {places->rotation, apart}, .count = 2},
		.pair_b = {pair_b, 0},
		.count = count};
}

static wp_workspace *workspace_of(wp_variant variant)
{
	static void *memory;
	wp_workspace *workspace;
	if (memory == NULL)
		memory = block(wp_workspace_size());
	if (wp_workspace_init(memory, wp_workspace_size(), variant, &workspace) != WP_OK)
		exit(BLOCK_EXIT_CODE);
	return workspace;
}

static wp_mesh_results no_answers(void)
{
	memset(answers, 0, sizeof answers);
	return MESH_ANSWERS(answers);
}

static void ask(wp_variant variant, const wp_mesh *mesh, const wp_mesh_options *options, uint32_t ring, uint32_t count)
{
	const wp_mesh *const meshes[2] = {mesh, mesh};
	const wp_mesh_batch batch = batch_of(meshes, count);
	const wp_mesh_results results = no_answers();
	if (wp_mesh_contact_in(workspace_of(variant), &batch, options, &results, NULL, ring) != WP_OK)
		exit(BLOCK_EXIT_CODE);
}

static void ask_query(wp_variant variant, const wp_mesh *mesh, int query, uint32_t ring, uint32_t count)
{
	const wp_mesh *const meshes[2] = {mesh, mesh};
	const wp_mesh_batch batch = batch_of(meshes, count);
	const size_t stride = sizeof *query_answers, apart = sizeof *motions;
	const wp_uint32_column triangle = {&query_answers->triangle, stride};
	const wp_float_column fraction = {&query_answers->fraction, stride};
	wp_motions a = {{motions->way, apart}, {NULL, 0}}, b = {{mesh_motions->way, apart}, {NULL, 0}};
	wp_results results = rows_in_structs(&query_answers->row, stride);
	results.local_a = (wp_float_column){query_answers->local_a, stride};
	results.local_b = (wp_float_column){query_answers->local_b, stride};
	if (query == 3) {
		a.rotation = (wp_const_float_column){motions->end, apart};
		b.rotation = (wp_const_float_column){mesh_motions->end, apart};
	}
	wp_workspace *const workspace = workspace_of(variant);
	memset(query_answers, 0, sizeof query_answers);
	const wp_error error = query == 0 ? wp_mesh_overlap_in(workspace, &batch, &results, &triangle, NULL, ring)
	                     : query == 1
	                         ? wp_mesh_distance_in(workspace, &batch, NULL, &results, &triangle, NULL, ring)
	                         : wp_mesh_cast_in(workspace, &batch, &a, &b, &results, &fraction, &triangle, NULL, ring);
	if (error != WP_OK)
		exit(BLOCK_EXIT_CODE);
}

static uint64_t digest_of_query(wp_variant variant, const wp_mesh *mesh, int query, uint32_t ring, uint32_t count)
{
	ask_query(variant, mesh, query, ring, count);
	return digest_words(DIGEST_START, query_answers, count * sizeof query_answers[0]);
}

static uint64_t digest_of_soup(wp_variant variant, const wp_mesh *mesh, uint32_t ring, uint32_t count)
{
	static const wp_mesh_options options = {0.1f, WP_MESH_SOUP};
	ask(variant, mesh, &options, ring, count);
	return digest_words(DIGEST_START, answers, count * sizeof answers[0]);
}

static uint64_t digest_of(wp_variant variant, const wp_mesh *mesh, uint32_t ring, uint32_t count)
{
	static const wp_mesh_options options[] = {
		{0.0f, 0}, {0.1f, 0}, {0.1f, WP_MESH_TWO_SIDED}, {0.1f, WP_MESH_GHOSTS | WP_MESH_TWO_SIDED}};
	uint64_t digest = DIGEST_START;
	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
		ask(variant, mesh, &options[i], ring, count);
		digest = digest_words(digest, answers, count * sizeof answers[0]);
	}
	return digest;
}

/* ---- frames ------------------------------------------------------------------------------------- */

/* What is kept of all rows. */
typedef struct frame_memory {
	wp_tracked pairs[ROWS];
	wp_mesh_tracked_anchor anchors[ROWS];
	wp_mesh_tracked_patch patches[ROWS][PATCHES];
} frame_memory;

static frame_memory kept;

/* Two bodies of three go on. */
static void move_bodies(float share)
{
	for (uint32_t i = 0; i < ROWS; i++)
		for (int k = 0; k < 3 && i % 3 != 0; k++)
			bodies[i].position[k] += share * motions[i].way[k];
}

static void track(wp_variant variant, const wp_mesh *mesh, uint32_t count)
{
	const wp_mesh *const meshes[2] = {mesh, mesh};
	const wp_mesh_batch batch = batch_of(meshes, count);
	const wp_mesh_track_options options = {.max_separation = 0.1f, .merging = 0.1f};
	const wp_mesh_tracked_pairs tracked = {
		.pairs = kept.pairs, .anchors = kept.anchors, .patches = kept.patches[0], .count = ROWS, .patch_max = PATCHES};
	const wp_mesh_results results = no_answers();
	if (wp_mesh_track(workspace_of(variant), &batch, &options, &tracked, &results, NULL, NULL) != WP_OK)
		exit(BLOCK_EXIT_CODE);
}

/* Frames of bodies that go on, against contacts at the same poses; the digest of all that they leave. False where a frame
 * differs. */
static bool digest_of_frames(wp_variant variant, const wp_mesh *mesh, uint32_t count, uint64_t *digest)
{
	static const wp_mesh_options options = {0.1f, 0};
	static body before[ROWS];
	bool is_same = true;
	memcpy(before, bodies, sizeof before);
	memset(&kept, 0, sizeof kept);
	*digest = DIGEST_START;
	for (int frame = 0; frame < FRAMES; frame++) {
		track(variant, mesh, count);
		const uint64_t tracked = digest_words(DIGEST_START, answers, count * sizeof answers[0]);
		ask(variant, mesh, &options, WP_MESH_RING, count);
		const uint64_t asked = digest_words(DIGEST_START, answers, count * sizeof answers[0]);
		is_same &= tracked == asked;
		for (uint32_t i = 0; i < count; i++)
			if ((kept.pairs[i].status & WP_STATUS_INVALID) != 0)
				kept.pairs[i].separation = 0;
		*digest = digest_words(*digest, &kept, sizeof kept);
		move_bodies(0.02f);
	}
	memcpy(bodies, before, sizeof before);
	return is_same;
}

static int check_frames(int index, const wp_mesh *mesh, ways run)
{
	const uint32_t count = run == FEW_WAYS ? FEW_ROWS : ROWS;
	int code = 0;
	uint64_t first = 0;
	for (int variant = WP_VARIANT_SCALAR; variant < WP_VARIANT_COUNT; variant++) {
		uint64_t digest;
		if (wp_variant_available((wp_variant)variant) != WP_OK)
			continue;
		const bool is_same = digest_of_frames((wp_variant)variant, mesh, count, &digest);
		first = first == 0 ? digest : first;
		if (is_same && digest == first)
			continue;
		printf("%s, frames %s differ from %s\n", names[index], wp_variant_name((wp_variant)variant),
			is_same ? "another variant's" : "contacts");
		code = 1;
	}
	return code;
}

/* The rings of a variant: its first one, how many there are up to the last, and how far they are apart. With few ways it has
 * the later one of two: rings of one or of a block of triangles take longest. */
typedef struct ring_list {
	const uint32_t *ring;
	size_t count, step;
} ring_list;

static ring_list rings_for(int variant, ways run, const uint32_t some[4], const uint32_t all[3])
{
	if (run == ALL_RINGS)
		return (ring_list){all, 3, 1};
	const size_t first = (size_t)variant % 2 + (run == FEW_WAYS ? 2 : 0);
	return (ring_list){some + first, 4 - first, 2};
}

/* Print a digest that differs, and others where they are wanted. */
static int compare(const char *surface_name, const char *query, const char *variant, uint32_t ring, uint64_t digest,
	uint64_t wanted, bool is_wanted)
{
	const bool differs = digest != wanted;
	if (differs || is_wanted)
		printf("%s, %s %s, ring of %" PRIu32 ": %016" PRIx64 "%s\n", surface_name, query, variant, ring, digest,
			differs ? " differs" : "");
	return differs;
}

/* All variants, and all rings by one or another of them, against what is expected. */
static int check(int index, const wp_mesh *mesh, ways run)
{
	const int few = run == FEW_WAYS;
	const uint32_t count = few ? FEW_ROWS : ROWS;
	int code = 0;
	for (int variant = WP_VARIANT_SCALAR; variant < WP_VARIANT_COUNT; variant++) {
		if (wp_variant_available((wp_variant)variant) != WP_OK)
			continue;
		const ring_list list = rings_for(variant, run, rings, rings_of_all);
		for (size_t i = 0; i < list.count; i += list.step) {
			const char *const name = wp_variant_name((wp_variant)variant);
			const uint32_t ring = list.ring[i];
			const uint64_t digest = digest_of((wp_variant)variant, mesh, ring, count);
			code |= compare(names[index], "contacts", name, ring, digest, expected[few][index], i == 0);
			if (mesh == NULL)
				continue;
			const uint64_t soup = digest_of_soup((wp_variant)variant, mesh, ring, count);
			code |= compare(
				names[index], "contacts as a soup", name, ring, soup, expected_of_soups[few][index], i == 0);
		}
	}
	return code;
}

static int check_queries(int index, const wp_mesh *mesh, ways run)
{
	const int few = run == FEW_WAYS;
	const uint32_t count = few ? FEW_QUERY_ROWS : QUERY_ROWS;
	int code = 0;
	for (int variant = WP_VARIANT_SCALAR; variant < WP_VARIANT_COUNT; variant++)
		for (int query = 0; query < QUERIES && wp_variant_available((wp_variant)variant) == WP_OK; query++) {
			const ring_list list = rings_for(variant, run, query_rings, query_rings_of_all);
			for (size_t i = 0; i < list.count; i += list.step) {
				const uint64_t digest = digest_of_query((wp_variant)variant, mesh, query, list.ring[i], count);
				code |= compare(names[index], query_names[query], wp_variant_name((wp_variant)variant), list.ring[i],
					digest, expected_of_queries[few][query][index], i == 0);
			}
		}
	return code;
}

int main(int argument_count, char **arguments)
{
	const char *const told = argument_count > 1 ? arguments[1] : "";
	const ways run = strcmp(told, "--few-ways") == 0  ? FEW_WAYS
	               : strcmp(told, "--all-rings") == 0 ? ALL_RINGS
	                                                  : ALL_WAYS;
	int code = 0;
	make_shapes();
	make_motions();
	for (int i = 0; i < SURFACES; i++) {
		surface s = surface_at(i);
		const wp_mesh_input input = surface_input(&s);
		const wp_mesh *mesh;
		if (wp_cook_mesh(&input, &mesh, NULL) != WP_OK)
			return BLOCK_EXIT_CODE;
		make_bodies(mesh);
		for (size_t k = 0; k < s.vertex_count && i == MESHES; k++)
			samples[k] = k % 97 == 0 ? WP_HEIGHT_HOLE : s.vertices[k][1];
		code |= check(i, i < MESHES ? mesh : NULL, run);
		code |= check_queries(i, i < MESHES ? mesh : NULL, run);
		if (run != FEW_WAYS || i == 0 || i == MESHES)
			code |= check_frames(i, i < MESHES ? mesh : NULL, run);
		wp_cook_free_mesh(mesh);
		surface_free(&s);
	}
	return code;
}
