/* Compounds: the reader of bytes, with a checksum that is right for them; and compounds of any children, which are to be read
 * again, whose queries are to have the answers of their children, and whose frames those of queries. */
#include "bytes.h"

#include "compound/compound.h"
#include "widephase/compound_track.h"
#include "widephase/query.h"

#include <math.h>
#include <stdbool.h>

enum { SHAPES = 6, CHILDREN_MAX = 40, BODIES = 3 };

#define ALIGNED _Alignas(WP_ALIGNMENT)

static const wp_shape_table *table;
static ALIGNED unsigned char workspace_memory[WP_WORKSPACE_SIZE];
static wp_workspace *workspace;
static uint32_t first_pattern;

static void set_up(void)
{
	static ALIGNED unsigned char table_memory[8192];
	const wp_shape shapes[SHAPES] = {wp_shape_box(1, 0.5f, 0.25f), wp_shape_sphere(0.5f), wp_shape_capsule(0.25f, 1),
		wp_shape_cylinder(0.5f, 1), wp_shape_point(), wp_shape_half_space()};
	REQUIRE(wp_shape_table_build(shapes, SHAPES, table_memory, sizeof table_memory, &table, NULL) == WP_OK);
}

/* ---- queries ------------------------------------------------------------------------------------ */

typedef struct body {
	double position[3];
	float rotation[4];
	uint32_t shape;
} body;

static wp_bodies bodies_of(const body *bodies, size_t count)
{
	const size_t stride = sizeof *bodies;
	return (wp_bodies){.position = {bodies->position, stride},
		.rotation = {bodies->rotation, stride},
		.shape = {&bodies->shape, stride},
		.count = count,
		.position_real = WP_REAL_DOUBLE};
}

/* What all queries say. */
typedef struct answers {
	float contact[BODIES], distance[BODIES], least_above[BODIES];
	uint32_t status[BODIES], overlap[BODIES], patch_count[BODIES];
	wp_compound_patch patch[BODIES][2];
	struct {
		float fraction[BODIES], separation[BODIES];
		uint32_t status[BODIES], child[BODIES], triangle[BODIES];
	} cast, cast_on_field;
	uint32_t field_overlap[BODIES], field_child[BODIES], field_triangle[BODIES];
} answers;

/* The least separation of the children of a compound at a place from a body: NaN where a row is invalid. */
static float least_of(const wp_compound *compound, const body *at, const body *other)
{
	static body parts[CHILDREN_MAX];
	static uint32_t zeros[CHILDREN_MAX];
	static float separations[CHILDREN_MAX];
	const size_t count = wp_compound_child_count(compound);
	const double nowhere[3] = {0, 0, 0};
	body beside = *other;
	float least = INFINITY;
	for (int k = 0; k < 3; k++)
		beside.position[k] -= at->position[k];
	for (size_t i = 0; i < count; i++) {
		wp_compound_child child;
		wp_compound_child_at(compound, i, &child);
		wp_compound_child_pose(compound, i, nowhere, at->rotation, parts[i].position, parts[i].rotation);
		parts[i].shape = child.shape;
	}
	const wp_batch batch = {.shapes = table,
		.a = bodies_of(parts, count),
		.b = bodies_of(&beside, 1),
		.pair_b = {zeros, 0},
		.count = count};
	const wp_results results = {.separation = {separations, 0}};
	REQUIRE(wp_contact(workspace, &batch, &(wp_contact_options){INFINITY}, &results, NULL) == WP_OK);
	for (size_t i = 0; i < count; i++)
		least = separations[i] < least || separations[i] != separations[i] ? separations[i] : least;
	return least;
}

/* Bodies go somewhere and turn, or stand still. */
static void cast(const wp_compound_batch *batch, const body bodies[BODIES], bytes *b, answers *to)
{
	float way[BODIES][3],
		end[BODIES][4], *const fractions = to->cast.fraction, *const separations = to->cast.separation;
	uint32_t *const statuses = to->cast.status;
	for (int i = 0; i < BODIES; i++) {
		const bool turns = take_below(b, 2) != 0;
		for (int k = 0; k < 3; k++)
			way[i][k] = take_number(b);
		for (int k = 0; k < 4; k++)
			end[i][k] = turns ? take_number(b) : bodies[i].rotation[k];
	}
	const wp_motions motions = {{way[0], 0}, {end[0], 0}};
	const wp_results results = {.separation = {separations, 0}, .status = {statuses, 0}};
	const wp_float_column fraction = {fractions, 0};
	REQUIRE(wp_compound_cast(workspace, batch, &motions, NULL, &results, &fraction, NULL, NULL) == WP_OK);
	for (int i = 0; i < BODIES; i++) {
		if ((statuses[i] & WP_STATUS_INVALID) != 0)
			REQUIRE(fractions[i] != fractions[i] && separations[i] != separations[i]);
		else
			REQUIRE(
				fractions[i] >= 0 && fractions[i] <= 1 && (fractions[i] == 1 || (statuses[i] & WP_STATUS_HIT) != 0));
	}
}

/* The least distance of the children of a compound at a place from the ground: NaN where a row is invalid. */
static float least_above(const wp_compound *compound, const wp_mesh_batch *batch)
{
	static body parts[CHILDREN_MAX];
	static uint32_t zeros[CHILDREN_MAX];
	static float separations[CHILDREN_MAX];
	const size_t count = wp_compound_child_count(compound);
	const body *const at = batch->a.position.data;
	float least = INFINITY;
	for (size_t i = 0; i < count; i++) {
		wp_compound_child child;
		wp_compound_child_at(compound, i, &child);
		wp_compound_child_pose(compound, i, at->position, at->rotation, parts[i].position, parts[i].rotation);
		parts[i].shape = child.shape;
	}
	wp_mesh_batch each = *batch;
	each.a = bodies_of(parts, count);
	each.pair_b = (wp_const_uint32_column){zeros, 0};
	each.count = count;
	const wp_results results = {.separation = {separations, 0}};
	REQUIRE(wp_mesh_distance(workspace, &each, NULL, &results, NULL, NULL) == WP_OK);
	for (size_t i = 0; i < count; i++)
		least = separations[i] < least || separations[i] != separations[i] ? separations[i] : least;
	return least;
}

enum { PATCHES = 2 };

/* What contacts with a height field answer, and what frames keep of them. */
typedef struct touch {
	float separation;
	uint32_t status, triangle_count, patch_count, children[PATCHES][WP_MESH_POINT_MAX];
	wp_mesh_patch patches[PATCHES];
} touch;

typedef struct kept {
	wp_tracked pairs[BODIES];
	wp_mesh_tracked_anchor anchors[BODIES];
	wp_mesh_tracked_patch patches[BODIES][PATCHES];
	uint32_t children[BODIES][PATCHES][WP_MESH_POINT_MAX];
} kept;

/* Frames of bodies that stay, move and jump have the bits of contacts. */
static void track(const wp_compound *compound, const wp_mesh_batch *still, bytes *b)
{
	body moved[BODIES];
	kept all = {.pairs = {{.status = 0}}};
	const wp_mesh_tracked_pairs pairs = {
		.pairs = all.pairs, .anchors = all.anchors, .patches = all.patches[0], .count = BODIES, .patch_max = PATCHES};
	memcpy(moved, still->a.position.data, sizeof moved);
	wp_mesh_batch batch = *still;
	batch.a = bodies_of(moved, BODIES);
	for (int frame = 0; frame < 4; frame++) {
		touch touches[2][BODIES];
		const float near = 0.25f;
		memset(touches, 0, sizeof touches);
		for (int by = 0; by < 2; by++) {
			touch *const t = touches[by];
			const wp_mesh_results results = {.separation = {&t->separation, sizeof *t},
				.status = {&t->status, sizeof *t},
				.triangle_count = {&t->triangle_count, sizeof *t},
				.patch_count = {&t->patch_count, sizeof *t},
				.patches = {t->patches, sizeof *t},
				.patch_max = PATCHES};
			const wp_uint32_column children = {t->children[0], sizeof *t};
			const wp_mesh_options options = {.max_separation = near};
			const wp_mesh_track_options frames = {.max_separation = near, .merging = near};
			REQUIRE((by == 0 ? wp_compound_mesh_track(workspace, &batch, &compound, 1, &frames, &pairs,
								   all.children[0][0], &results, &children, NULL, NULL)
							 : wp_compound_mesh_contact(
								   workspace, &batch, &compound, 1, &options, &results, &children, NULL)) == WP_OK);
			for (int i = 0; i < BODIES; i++)
				if ((t[i].status & WP_STATUS_INVALID) != 0)
					t[i].separation = 0;
		}
		REQUIRE(memcmp(touches[0], touches[1], sizeof touches[0]) == 0);
		for (int i = 0; i < BODIES; i++) {
			const float step = take_number(b);
			if (take_below(b, 3) != 0 && step - step == 0)
				moved[i].position[take_below(b, 3)] += (double)step / (take_below(b, 2) != 0 ? 16 : 1);
		}
	}
}

/* Bodies on a height field of any samples, which go and turn. */
static void ask_field(const wp_compound *compound, const body bodies[BODIES], bytes *b, bool compares, answers *to)
{
	static const uint32_t zeros[BODIES];
	float samples[9], way[BODIES][3], end[BODIES][4], *const fractions = to->cast_on_field.fraction;
	uint32_t *const statuses = to->cast_on_field.status, *const children = to->cast_on_field.child,
					*const triangles = to->cast_on_field.triangle;
	for (size_t i = 0; i < 9; i++)
		samples[i] = take_number(b);
	for (size_t i = 0; i < BODIES; i++)
		for (int k = 0; k < 4; k++) {
			way[i][k % 3] = take_number(b);
			end[i][k] = take_below(b, 2) != 0 ? take_number(b) : bodies[i].rotation[k];
		}
	const wp_height_field field = {.samples = samples, .columns = 3, .rows = 3, .spacing = {1, 1}};
	const wp_height_field *const fields[1] = {&field};
	const body ground = {.rotation = {0, 0, 0, 1}};
	const wp_mesh_batch batch = {.shapes = table,
		.height_fields = fields,
		.height_field_count = 1,
		.a = bodies_of(bodies, BODIES),
		.b = bodies_of(&ground, 1),
		.pair_b = {zeros, 0},
		.count = BODIES};
	const wp_results overlaps = {.status = {to->field_overlap, 0}},
					 results = {.separation = {to->cast_on_field.separation, 0}, .status = {statuses, 0}};
	const wp_uint32_column child = {children, 0}, triangle = {triangles, 0};
	const wp_uint32_column other_child = {to->field_child, 0}, other_triangle = {to->field_triangle, 0};
	const wp_float_column fraction = {fractions, 0};
	const wp_motions motions = {{way[0], 0}, {end[0], 0}};
	REQUIRE(wp_compound_mesh_overlap(workspace, &batch, &compound, 1, &overlaps, &other_child, &other_triangle, NULL) ==
			WP_OK);
	REQUIRE(wp_compound_mesh_cast(workspace, &batch, &compound, 1, &motions, NULL, &results, &fraction, &child,
				&triangle, NULL) == WP_OK);
	for (int i = 0; i < BODIES; i++) {
		const bool is_invalid = (statuses[i] & WP_STATUS_INVALID) != 0, is_hit = (statuses[i] & WP_STATUS_HIT) != 0;
		REQUIRE(is_invalid ? fractions[i] != fractions[i] : fractions[i] >= 0 && fractions[i] <= 1);
		REQUIRE(is_hit == (triangles[i] != WP_MESH_MISS) && is_hit == (children[i] != WP_COMPOUND_MISS));
	}
	uint32_t distance_status[BODIES];
	float *const distances = to->least_above;
	const wp_results distant = {.separation = {distances, 0}, .status = {distance_status, 0}};
	REQUIRE(wp_compound_mesh_distance(workspace, &batch, &compound, 1, NULL, &distant, NULL, NULL, NULL) == WP_OK);
	track(compound, &batch, b);
	if (!compares)
		return;
	const float least = least_above(compound, &batch);
	REQUIRE((distance_status[0] & WP_STATUS_INVALID) != 0 ? distances[0] != distances[0] : distances[0] == least);
}

/* What is kept of pairs of compounds and shapes, and what a frame of them answers. */
typedef struct kept_pairs {
	wp_tracked pairs[BODIES];
	wp_compound_tracked_anchor anchors[BODIES];
	wp_compound_tracked_patch patches[BODIES][PATCHES];
	wp_compound_patch room[BODIES][PATCHES];
} kept_pairs;

typedef struct frame {
	wp_row rows[BODIES];
	uint32_t pair_counts[BODIES], patch_counts[BODIES];
	wp_compound_patch patches[BODIES][PATCHES];
} frame;

/* Bodies stay, move a little, jump, turn by a quarter, or get another shape. */
static void move_bodies(bytes *b, body bodies[BODIES])
{
	static const float quarters[3][4] = {
		{0.70710678f, 0, 0, 0.70710678f}, {0, 0, 0, 1}, {0, 0, -0.70710678f, 0.70710678f}};
	for (int i = 0; i < BODIES; i++) {
		const uint32_t how = take_below(b, 8);
		const float step = take_number(b);
		if (how < 5)
			bodies[i].position[how % 3] += (double)step / (how < 3 ? 16 : 1);
		else if (how == 5)
			memcpy(bodies[i].rotation, quarters[take_below(b, 3)], sizeof bodies[i].rotation);
		else if (how == 6 && i == 1)
			bodies[i].shape = take_below(b, SHAPES + 1);
	}
}

/* Frames have the bits of manifolds, but for the bound of pairs that are not searched. */
static void track_pairs(const wp_compound_batch *still, const body bodies[BODIES], bytes *b)
{
	static frame frames[2];
	body moved[BODIES];
	kept_pairs all = {.pairs = {{.status = 0}}};
	const wp_compound_tracked_pairs pairs = {.pairs = all.pairs,
		.anchors = all.anchors,
		.patches = all.patches[0],
		.room = all.room[0],
		.count = BODIES,
		.patch_max = PATCHES};
	memcpy(moved, bodies, sizeof moved);
	wp_compound_batch batch = *still;
	batch.a = bodies_of(moved, BODIES);
	for (int i = 0; i < 5; i++) {
		const float near = take_below(b, 4) == 0 ? 0.0f : 0.25f;
		memset(frames, 0, sizeof frames);
		for (int by = 0; by < 2; by++) {
			frame *const f = &frames[by];
			const wp_results results = wp_results_of_rows(f->rows);
			const wp_compound_patches patches = {
				{f->pair_counts, 0}, {f->patch_counts, 0}, {f->patches[0], 0}, .patch_max = PATCHES};
			const wp_compound_track_options options = {.max_separation = near, .merging = 0.25f};
			REQUIRE((by == 0 ? wp_compound_track(workspace, &batch, &options, &pairs, &results, &patches, NULL, NULL)
							 : wp_compound_contact_manifold(
								   workspace, &batch, &(wp_contact_options){near}, &results, &patches, NULL)) == WP_OK);
		}
		for (int row = 0; row < BODIES; row++) {
			wp_row *const tracked = &frames[0].rows[row];
			if ((all.pairs[row].event & WP_TRACK_KEPT) != 0 && tracked->lower != frames[1].rows[row].lower) {
				REQUIRE(tracked->lower > near && frames[1].patch_counts[row] == 0);
				tracked->lower = frames[1].rows[row].lower;
			}
			REQUIRE(all.pairs[row].count == frames[1].patch_counts[row]);
			for (uint32_t k = 0; k < all.pairs[row].count; k++)
				REQUIRE(memcmp(&all.patches[row][k].found, &frames[1].patches[row][k], sizeof(wp_compound_patch)) == 0);
		}
		REQUIRE(memcmp(&frames[0], &frames[1], sizeof frames[0]) == 0);
		move_bodies(b, moved);
	}
}

static void ask_all(const wp_compound *compound, bytes *b, bool compares, answers *to)
{
	body bodies[BODIES] = {{.rotation = {0, 0, 0, 1}, .shape = WP_COMPOUND}};
	static const uint32_t pairs[BODIES][2] = {{0, 1}, {2, 0}, {0, 2}};
	float *const separations = to->contact;
	uint32_t *const statuses = to->status;
	for (int i = 1; i < BODIES; i++) {
		bodies[i].shape = i == 1 ? take_below(b, SHAPES) : WP_COMPOUND + take_below(b, 2);
		for (int k = 0; k < 3; k++)
			bodies[i].position[k] = (double)take_number(b);
		for (int k = 0; k < 4; k++)
			bodies[i].rotation[k] = k == 3 ? 1.0f : 0.0f;
	}
	const wp_compound_batch batch = {.shapes = table,
		.compounds = &compound,
		.compound_count = 1,
		.a = bodies_of(bodies, BODIES),
		.pair_a = {&pairs[0][0], sizeof *pairs},
		.pair_b = {&pairs[0][1], sizeof *pairs},
		.count = BODIES};
	const wp_results contacts = {.separation = {separations, 0}, .status = {statuses, 0}};
	const wp_results distant = {.separation = {to->distance, 0}}, overlaps = {.status = {to->overlap, 0}},
					 none = {.separation = {NULL, 0}};
	const wp_compound_patches patches = {
		.patch_count = {to->patch_count, 0}, .patches = {to->patch[0], 0}, .patch_max = 2};
	const wp_contact_options far = {INFINITY};
	REQUIRE(wp_compound_contact(workspace, &batch, &far, &contacts, NULL, NULL) == WP_OK);
	REQUIRE(wp_compound_distance(workspace, &batch, NULL, &distant, NULL, NULL) == WP_OK);
	REQUIRE(wp_compound_overlap(workspace, &batch, &overlaps, NULL, NULL) == WP_OK);
	REQUIRE(wp_compound_contact_manifold(workspace, &batch, NULL, &none, &patches, NULL) == WP_OK);
	cast(&batch, bodies, b, to);
	ask_field(compound, bodies, b, compares, to);
	track_pairs(&batch, bodies, b);
	for (int i = 0; i < BODIES; i++)
		REQUIRE((statuses[i] & WP_STATUS_INVALID) != 0 || separations[i] - separations[i] == 0);
	if (!compares)
		return;
	const float least = least_of(compound, &bodies[0], &bodies[1]);
	REQUIRE((statuses[0] & WP_STATUS_INVALID) != 0 ? least != least : separations[0] == least);
}

/* Every variant gives the same bits, whatever memory held. */
static void ask(const wp_compound *compound, bytes *b, bool compares)
{
	static answers first, next;
	uint32_t pattern = first_pattern;
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		bytes same = *b;
		answers *const to = v == WP_VARIANT_SCALAR ? &first : &next;
		fill_memory(workspace_memory, sizeof workspace_memory, pattern);
		if (wp_workspace_init(workspace_memory, sizeof workspace_memory, (wp_variant)v, &workspace) != WP_OK)
			continue;
		fill_memory(to, sizeof *to, pattern);
		ask_all(compound, &same, compares, to);
		REQUIRE(v == WP_VARIANT_SCALAR || are_same(&first, first_pattern, &next, pattern, sizeof first));
		pattern++;
	}
}

/* ---- the targets -------------------------------------------------------------------------------- */

static void read_bytes(bytes *b)
{
	const uint32_t mode = take_below(b, 256);
	const size_t size = b->left;
	wp_compound *const memory = aligned_memory(size);
	memcpy(memory, b->at, size);
	if (size >= sizeof(wp_compound)) {
		if (mode & 1) {
			memory->magic = WP_COMPOUND_MAGIC;
			memory->version = WP_COMPOUND_VERSION;
		}
		if (mode & 2 && memory->child_count >= 1 && memory->child_count <= CHILDREN_MAX) {
			memory->depth = 0;
			memory->node_count = wp_compound_count_nodes(memory->child_count, &memory->depth);
			memory->byte_size = wp_compound_lay_out(memory->child_count, memory->node_count).end;
		}
		if (memory->byte_size % WP_ALIGNMENT == 0 && memory->byte_size <= size && memory->byte_size != 0)
			memory->checksum = wp_compound_checksum(memory);
	}
	const wp_compound *compound;
	const wp_error error = wp_compound_from_memory(memory, size, &compound);
	REQUIRE((error == WP_OK) == (compound != NULL));
	if (error == WP_OK) {
		b->left = 0;
		(void)wp_compound_check(compound, table, NULL);
		ask(compound, b, false);
	}
	free(memory);
}

static void build_children(bytes *b)
{
	static wp_compound_child children[CHILDREN_MAX];
	const size_t count = 1 + take_below(b, CHILDREN_MAX), size = wp_compound_size(count);
	for (size_t i = 0; i < count; i++) {
		children[i] = (wp_compound_child){.rotation = {0, 0, 0, 1}, .shape = take_below(b, SHAPES), .tag = (uint32_t)i};
		for (int k = 0; k < 3; k++)
			children[i].position[k] = take_number(b);
		if (take_below(b, 4) == 0)
			for (int k = 0; k < 4; k++)
				children[i].rotation[k] = k == (int)(i % 4) ? 1.0f : 0.0f;
	}
	void *const memory = aligned_memory(size);
	const wp_compound *made, *again;
	size_t bad = SIZE_MAX;
	const wp_error error = wp_compound_build(children, count, table, memory, size, &made, &bad);
	REQUIRE((error == WP_OK) == (made != NULL));
	REQUIRE(error == WP_OK || bad < count);
	if (error == WP_OK) {
		REQUIRE(wp_compound_from_memory(memory, size, &again) == WP_OK && again == made);
		REQUIRE(wp_compound_check(made, table, NULL) == WP_OK);
		ask(made, b, true);
	}
	free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bytes b = {data, size};
	if (table == NULL)
		set_up();
	first_pattern = pattern_of(&b);
	if (take_below(&b, 2) == 0)
		read_bytes(&b);
	else
		build_children(&b);
	return 0;
}
