/* Frames of tracked pairs of compounds and shapes: every frame has the bits of wp_compound_contact_manifold, in each variant and
 * by each ring; what is kept of points, and when nothing is searched. */
#include "compound/internal.h"
#include "support/block.h"
#include "support/check.h"
#include "support/compound_children.h"
#include "support/mesh_bodies.h"
#include "support/track_changes.h"
#include "support/track_points.h"
#include "support/unit.h"

#include <math.h>

enum { BODIES = 40, ROWS = 120, FRAMES = 24, PATCHES = 5 };

static const float near = 0.03f, merging = 0.05f;

static wp_shape_table *table;
static wp_compound_child children[COMPOUNDS][CHILDREN];
static const wp_compound *compounds[COMPOUNDS];
static body bodies[BODIES];
static double ways[BODIES][3]; /* in a frame */
static uint32_t pair_a[ROWS], pair_b[ROWS], order[ROWS];

typedef struct answer {
	float separation, normal[3], local_a[3], local_b[3], tangent[3], upper, lower;
	double point_a[3], point_b[3];
	uint32_t status, iterations, pair_count, patch_count;
	wp_compound_patch patch[PATCHES];
} answer;

/* What is kept of all pairs. */
typedef struct memory {
	wp_tracked pairs[ROWS];
	wp_compound_tracked_anchor anchors[ROWS];
	wp_compound_tracked_patch patches[ROWS][PATCHES];
} memory;

static wp_compound_patch room[ROWS][PATCHES];

static answer answers[ROWS], expected[ROWS];
static memory now;

/* ---- scenes ------------------------------------------------------------------------------------- */

static void set_shape(uint32_t index, wp_shape shape)
{
	cr_assert_eq(wp_shape_table_set(table, index, &shape, NULL), WP_OK);
}

static void setup(void)
{
	wp_shape shapes[SHAPES];
	const size_t size = wp_shape_table_size(SHAPES);
	cr_assert_eq(wp_shape_table_init(block(size), size, SHAPES, &table), WP_OK);
	put_shapes(shapes);
	for (uint32_t i = 0; i < SHAPES; i++)
		set_shape(i, shapes[i]);
	build_compounds(table, children, compounds);
}

TestSuite(compound_track, .init = setup);

static wp_compound_batch batch_of(size_t rows)
{
	return (wp_compound_batch){.shapes = table,
		.compounds = compounds,
		.compound_count = COMPOUNDS,
		.a = bodies_of(bodies, BODIES),
		.pair_a = {pair_a, 0},
		.pair_b = {pair_b, 0},
		.count = rows};
}

static wp_compound_tracked_pairs pairs_of(memory *m)
{
	return (wp_compound_tracked_pairs){.pairs = m->pairs,
		.anchors = m->anchors,
		.patches = m->patches[0],
		.room = room[0],
		.count = ROWS,
		.patch_max = PATCHES,
		.index = {order, 0}};
}

static wp_results results_in(answer *to)
{
	const size_t stride = sizeof *to;
	return (wp_results){.separation = {&to->separation, stride},
		.normal = {to->normal, stride},
		.point_a = {to->point_a, stride},
		.point_b = {to->point_b, stride},
		.local_a = {to->local_a, stride},
		.local_b = {to->local_b, stride},
		.tangent_1 = {to->tangent, stride},
		.lower = {&to->lower, stride},
		.upper = {&to->upper, stride},
		.status = {&to->status, stride},
		.iterations = {&to->iterations, stride},
		.point_real = WP_REAL_DOUBLE};
}

static wp_compound_patches patches_in(answer *to)
{
	return (wp_compound_patches){.pair_count = {&to->pair_count, sizeof *to},
		.patch_count = {&to->patch_count, sizeof *to},
		.patches = {to->patch, sizeof *to},
		.patch_max = PATCHES};
}

/* How frames are requested. */
typedef struct way {
	wp_workspace *workspace;
	uint32_t ring;
	float max_separation;
} way;

static way usual(void)
{
	return (way){.workspace = workspace_of(WP_VARIANT_AUTO), .ring = WP_COMPOUND_RING, .max_separation = near};
}

static void track(const way *by, const wp_compound_batch *batch, memory *m, wp_track_changes *changes,
	wp_compound_statistics *statistics)
{
	const wp_compound_track_options options = {.max_separation = by->max_separation, .merging = merging};
	const wp_compound_tracked_pairs tracked = pairs_of(m);
	const wp_results results = results_in(answers);
	const wp_compound_patches patches = patches_in(answers);
	memset(answers, 0, sizeof answers);
	const wp_error error = wp_compound_track_in(
		by->workspace, batch, &options, &tracked, &results, &patches, changes, statistics, by->ring);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
}

static void contact(const way *by, const wp_compound_batch *batch)
{
	const wp_contact_options options = {.max_separation = by->max_separation};
	const wp_results results = results_in(expected);
	const wp_compound_patches patches = patches_in(expected);
	memset(expected, 0, sizeof expected);
	cr_assert_eq(wp_compound_contact_manifold(by->workspace, batch, &options, &results, &patches, NULL), WP_OK);
}

/* ---- motions ------------------------------------------------------------------------------------ */

/* Bodies in a room, or far from the origin: two half-spaces below, some with a shape, and random pairs of them. */
static void seed_bodies(gen_random *random)
{
	for (uint32_t i = 0; i < BODIES; i++) {
		body *const b = &bodies[i];
		const double step = gen_magnitude(random, 0.005, 0.5);
		b->shape = i < 2 ? HALF_SPACE : i < 10 ? i % HALF_SPACE : WP_COMPOUND + i % COMPOUNDS;
		gen_rotation(random, b->rotation);
		for (int k = 0; k < 3; k++) {
			b->position[k] = 1e5 + gen_range(random, -3, 3);
			ways[i][k] = gen_range(random, -step, step);
		}
		if (i < 2)
			b->position[1] -= 6;
	}
	for (uint32_t row = 0; row < ROWS; row++) {
		do {
			pair_a[row] = row % 12 == 0 ? row / 12 % 2 : gen_below(random, BODIES);
			pair_b[row] = gen_below(random, BODIES);
		} while (pair_a[row] == pair_b[row] || (pair_a[row] < 2 && pair_b[row] < 2));
		order[row] = (row * 7u + 3u) % ROWS;
	}
}

/* In a frame a body stands, turns, goes on its way or jumps; now and then one is no body, or has another compound. Shapes are
 * replaced by smaller and larger ones, and compounds get another place in memory. */
static void move_bodies(gen_random *random, uint32_t frame)
{
	for (uint32_t i = 0; i < BODIES; i++) {
		const uint32_t kind = gen_below(random, 16);
		for (int k = 0; k < 3 && kind < 6; k++)
			bodies[i].position[k] += ways[i][k];
		for (int k = 0; k < 3 && kind == 6; k++)
			bodies[i].position[k] += gen_range(random, -1, 1);
		for (int k = 0; k < 4 && kind >= 4 && kind < 9; k++)
			bodies[i].rotation[k] += gen_rounded(gen_range(random, -2e-3, 2e-3));
		if (kind == 7)
			gen_rotation(random, bodies[i].rotation);
		const uint32_t other = gen_below(random, 200);
		if (i >= 10 && other <= COMPOUNDS)
			bodies[i].shape = WP_COMPOUND + other;
		else if (bodies[i].shape == WP_COMPOUND + COMPOUNDS)
			bodies[i].shape = WP_COMPOUND + i % COMPOUNDS;
	}
	if (frame % 7 == 2)
		set_shape(SPHERE, wp_shape_sphere(frame % 2 == 0 ? 0.375f : 0.75f));
	if (frame == 9)
		(void)wp_shape_table_remove(table, CONE);
	if (frame == 10)
		set_shape(CONE, wp_shape_cone(0.4f, 0.5f));
	if (frame == 12) {
		const size_t size = wp_compound_byte_size(compounds[TABLE]);
		compounds[TABLE] = memcpy(block(size), compounds[TABLE], size);
	}
}

/* ---- frames ------------------------------------------------------------------------------------- */

/* How rows were answered. */
typedef struct tally {
	uint32_t kept, reused, queried, invalid, points;
} tally;

static void clear_nan(float *number)
{
	if (isnan(*number))
		*number = 0;
}

/* A row has the bits of a query, but for the bound of one that is kept, which is above max_separation and below the distance. */
static void check_row(const memory *m, float most, uint32_t frame, uint32_t row, tally *count)
{
	const wp_tracked *const pair = &m->pairs[order[row]];
	answer *const got = &answers[row], *const want = &expected[row];
	const bool is_invalid = (want->status & WP_STATUS_INVALID) != 0;
	const bool is_kept = pair->event == WP_TRACK_KEPT && got->lower != want->lower;
	if (is_invalid)
		cr_assert(isnan(got->separation) && isnan(pair->separation));
	else
		cr_assert_eq(memcmp(&pair->separation, &want->separation, sizeof(float)), 0);
	if (is_kept) {
		cr_assert(got->lower > most && want->lower > most, "frame %u, row %u: %g", frame, row, (double)got->lower);
		got->lower = want->lower;
	}
	/* A query may have written patches of a row before it finds it invalid. */
	memset(&want->patch[want->patch_count], 0, (PATCHES - want->patch_count) * sizeof *want->patch);
	clear_nan(&got->separation);
	clear_nan(&want->separation);
	clear_nan(&got->lower);
	clear_nan(&want->lower);
	clear_nan(&got->upper);
	clear_nan(&want->upper);
	cr_assert_eq(memcmp(got, want, sizeof *got), 0, "frame %u, row %u: %u patches, not %u, event %x", frame, row,
		got->patch_count, want->patch_count, pair->event);
	cr_assert(pair->count == want->patch_count && pair->status == want->status);
	for (uint32_t p = 0; p < pair->count; p++)
		cr_assert_eq(memcmp(&m->patches[order[row]][p].found, &want->patch[p], sizeof(wp_compound_patch)), 0);
	count->invalid += is_invalid;
	count->kept += is_kept;
	count->reused += (pair->event & WP_TRACK_REUSED) != 0;
	count->queried += (pair->event & (WP_TRACK_KEPT | WP_TRACK_REUSED)) == 0;
	count->points += pair->count != 0;
}

/* No bound is above the distance, which a row has unless some shape does not fit its compound. */
static void check_bounds(const way *by, const wp_compound_batch *batch, const memory *m)
{
	static float upper[ROWS];
	const wp_results results = {.upper = {upper, 0}};
	cr_assert_eq(wp_compound_distance(by->workspace, batch, NULL, &results, NULL, NULL), WP_OK);
	for (uint32_t row = 0; row < ROWS; row++)
		if (m->pairs[order[row]].event == WP_TRACK_KEPT && !isnan(upper[row]))
			cr_assert(answers[row].lower <= upper[row], "row %u: %g > %g", row, (double)answers[row].lower,
				(double)upper[row]);
}

static void run_frames(way *by, uint64_t seed, memory *m, tally *count)
{
	const wp_compound_batch batch = batch_of(ROWS);
	gen_random random;
	gen_seed(&random, seed);
	seed_bodies(&random);
	memset(m, 0, sizeof *m);
	for (uint32_t frame = 0; frame < FRAMES; frame++) {
		uint32_t rows[ROWS];
		uint16_t before[ROWS];
		wp_track_changes changes = {.rows = rows, .capacity = ROWS};
		for (uint32_t i = 0; i < ROWS; i++)
			before[i] = m->pairs[i].count;
		by->max_separation = frame % 9 == 5 ? 0.2f : near;
		track(by, &batch, m, &changes, NULL);
		check_bounds(by, &batch, m);
		contact(by, &batch);
		for (uint32_t row = 0; row < ROWS; row++)
			check_row(m, by->max_separation, frame, row, count);
		check_changes(m->pairs, order, ROWS, &changes, before);
		move_bodies(&random, frame);
	}
}

Test(compound_track, has_the_bits_of_contacts)
{
	tally count = {0, 0, 0, 0, 0};
	way by = usual();
	const uint32_t runs = (uint32_t)rounds(20), all = ROWS * FRAMES * runs;
	for (uint32_t i = 0; i < runs; i++)
		run_frames(&by, 41 + i, &now, &count);
	cr_assert(count.kept > all / 8 && count.reused > all / 100 && count.queried > all / 8 &&
				  count.invalid > all / 1000 && count.points > all / 10,
		"%u kept, %u reused, %u queried, %u invalid, %u touch of %u", count.kept, count.reused, count.queried,
		count.invalid, count.points, all);
}

/* Also what is kept has the same bytes. */
Test(compound_track, does_not_depend_on_variant_or_ring)
{
	static memory first;
	static const uint32_t rings[] = {1, 7, WP_COMPOUND_RING};
	bool has_first = false;
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		way by = {.workspace = workspace_of((wp_variant)v)};
		for (size_t r = 0; r < COUNT_OF(rings) && by.workspace != NULL; r++) {
			tally count = {0, 0, 0, 0, 0};
			setup();
			by.ring = rings[r];
			run_frames(&by, 42, has_first ? &now : &first, &count);
			cr_assert(!has_first || memcmp(&now, &first, sizeof now) == 0, "%s, ring of %u: what is kept differs",
				wp_variant_name((wp_variant)v), rings[r]);
			has_first = true;
		}
	}
}

/* Rows by themselves, the last one first, leave what all of them leave. */
Test(compound_track, does_not_depend_on_other_rows)
{
	static memory alone;
	const way by = usual();
	wp_compound_batch batch = batch_of(ROWS);
	gen_random random;
	gen_seed(&random, 43);
	seed_bodies(&random);
	for (uint32_t frame = 0; frame < 6; frame++) {
		batch.first = 0;
		batch.count = ROWS;
		track(&by, &batch, &now, NULL, NULL);
		batch.count = 1;
		for (batch.first = ROWS; batch.first-- != 0;)
			track(&by, &batch, &alone, NULL, NULL);
		cr_assert_eq(memcmp(&now, &alone, sizeof now), 0, "frame %u", frame);
		for (uint32_t i = 0; i < BODIES; i++)
			for (int k = 0; k < 3 && i % 4 != 0; k++)
				bodies[i].position[k] += ways[i][k];
	}
}

/* ---- points ------------------------------------------------------------------------------------- */

/* Body 0 above body 1, each with a shape or a compound, as the only row. */
static wp_compound_batch one_row(uint32_t above, uint32_t below, double height)
{
	bodies[0] = (body){.position = {0, height, 0}, .rotation = {0, 0, 0, 1}, .shape = above};
	bodies[1] = (body){.rotation = {0, 0, 0, 1}, .shape = below};
	pair_a[0] = 0;
	pair_b[0] = 1;
	order[0] = 0;
	memset(&now, 0, sizeof now);
	return batch_of(1);
}

/* The point at a place of the lower body, or NULL. */
static wp_compound_tracked_point *point_near(float x, float z)
{
	for (uint32_t p = 0; p < now.pairs[0].count; p++)
		for (uint32_t i = 0; i < now.patches[0][p].found.point_count; i++) {
			const float *const arm = now.patches[0][p].points[i].arm_b;
			if (fabsf(arm[0] - x) < 0.01f && fabsf(arm[2] - z) < 0.01f)
				return &now.patches[0][p].points[i];
		}
	return NULL;
}

/* A table slides along a plate: each corner of its legs keeps its impulse and grows older, and its arms follow both bodies. */
Test(compound_track, keeps_the_points_of_a_sliding_table)
{
	const way by = usual();
	set_shape(SLAB, wp_shape_box(3, 0.0625f, 3));
	const wp_compound_batch batch = one_row(WP_COMPOUND + TABLE, SLAB, 1.06);
	track(&by, &batch, &now, NULL, NULL);
	cr_assert_eq(now.pairs[0].count, 4);
	for (uint32_t frame = 0; frame < 30; frame++) {
		for (int leg = 0; leg < 4; leg++)
			for (int corner = 0; corner < 4; corner++) {
				const float x = (leg % 2 != 0 ? 1.0f : -1.0f) + (corner % 2 != 0 ? 0.0625f : -0.0625f);
				const float z = (leg / 2 != 0 ? 1.0f : -1.0f) + (corner / 2 != 0 ? 0.0625f : -0.0625f);
				const float at = (float)bodies[0].position[0];
				wp_compound_tracked_point *const point = point_near(x + at, z);
				cr_assert_not_null(point, "frame %u, leg %d, corner %d", frame, leg, corner);
				cr_assert_eq(point->age, frame);
				cr_assert_float_eq(point->arm_a[0], x, 1e-5f);
				cr_assert_float_eq(point->arm_a[1], -1.0f, 1e-5f);
				const float number = (float)(10 * leg + corner);
				cr_assert_eq(point->impulse[1], frame == 0 ? 0.0f : number);
				point->impulse[1] = number;
			}
		bodies[0].position[0] += 0.03;
		track(&by, &batch, &now, NULL, NULL);
	}
}

/* A leg on a plate of two children, which are flush, as the only row. */
static wp_compound_batch leg_on_halves(void)
{
	static const wp_compound_child halves[2] = {{.position = {-1.25f, 0, 0}, .rotation = {0, 0, 0, 1}, .shape = SLAB},
		{.position = {1.25f, 0, 0}, .rotation = {0, 0, 0, 1}, .shape = SLAB}};
	const size_t size = wp_compound_size(2);
	cr_assert_eq(wp_compound_build(halves, 2, table, block(size), size, &compounds[ALONE], NULL), WP_OK);
	return one_row(LEG, WP_COMPOUND + ALONE, 0.56);
}

/* A leg walks from one child of a plate to the next, further than `merging`: corners of the leg keep their points, whichever
 * child makes them. */
Test(compound_track, matches_places_of_other_children)
{
	const way by = usual();
	const wp_compound_batch batch = leg_on_halves();
	for (uint32_t frame = 0; frame < 6; frame++) {
		bodies[0].position[0] = frame % 2 == 0 ? -0.1 : 0.1;
		track(&by, &batch, &now, NULL, NULL);
		cr_assert_eq(now.pairs[0].count, 1);
		cr_assert_eq(now.patches[0][0].found.child_b, frame % 2);
		for (int corner = 0; corner < 4; corner++) {
			const float x = corner % 2 != 0 ? 0.0625f : -0.0625f, z = corner / 2 != 0 ? 0.0625f : -0.0625f;
			wp_compound_tracked_point *const point = point_near((float)bodies[0].position[0] + x, z);
			cr_assert_not_null(point);
			cr_assert(point->age == frame && point->impulse[0] == (frame == 0 ? 0.0f : (float)(7 + corner)));
			point->impulse[0] = (float)(7 + corner);
		}
	}
}

/* It turns over on its way, so that the corners that it stands on are elsewhere in both bodies: none has an old point. */
Test(compound_track, does_not_match_places_that_are_far)
{
	const way by = usual();
	const wp_compound_batch batch = leg_on_halves();
	bodies[0].position[0] = -0.1;
	track(&by, &batch, &now, NULL, NULL);
	cr_assert(now.pairs[0].count == 1 && now.patches[0][0].found.point_count == 4);
	bodies[0].position[0] = 0.1;
	bodies[0].rotation[2] = 1;
	bodies[0].rotation[3] = 0;
	track(&by, &batch, &now, NULL, NULL);
	cr_assert(now.pairs[0].count == 1 && now.patches[0][0].found.point_count == 4);
	for (int i = 0; i < 4; i++)
		cr_assert_eq(now.patches[0][0].points[i].age, 0);
}

/* Across the seam of both children each has points of its own. Where the leg has left one, the other's points go on with their
 * own old ones, though those of the child that was left are nearer in the leg. */
Test(compound_track, matches_places_of_the_same_children_first)
{
	const way by = usual();
	const wp_compound_batch batch = leg_on_halves();
	bodies[0].position[0] = 0.0625 - 0x1p-6;
	track(&by, &batch, &now, NULL, NULL);
	cr_assert(now.pairs[0].count == 2 && now.patches[0][0].found.child_b == 0 && now.patches[0][1].found.child_b == 1);
	for (int p = 0; p < 2; p++)
		for (int i = 0; i < 4; i++)
			now.patches[0][p].points[i].impulse[0] = (float)(1 + p);
	bodies[0].position[0] = 0.0625 + 0x1p-6;
	track(&by, &batch, &now, NULL, NULL);
	uint32_t points = 0;
	for (uint32_t p = 0; p < now.pairs[0].count; p++)
		for (int i = 0; i < 4 && now.patches[0][p].found.child_b == 1; i++, points++)
			cr_assert(now.patches[0][p].points[i].age == 1 && now.patches[0][p].points[i].impulse[0] == 2, "%g",
				(double)now.patches[0][p].points[i].impulse[0]);
	cr_assert_eq(points, 4);
}

/* A box turns about each of its corners in turn, which is the nearest then; the one that is farthest from it goes on, too. */
Test(compound_track, matches_the_farthest_point_last)
{
	const way by = usual();
	set_shape(SLAB, wp_shape_box(3, 0.0625f, 3));
	for (int corner = 0; corner < 4; corner++) {
		const double sine = sin(0.25), cosine = cos(0.25), x = corner % 2 != 0 ? 0.5 : -0.5,
					 z = corner / 2 != 0 ? 0.4 : -0.4;
		const wp_compound_batch batch = one_row(BOX, SLAB, 0.36);
		track(&by, &batch, &now, NULL, NULL);
		cr_assert(now.pairs[0].count == 1 && now.patches[0][0].found.point_count == 4);
		bodies[0].rotation[1] = (float)sin(0.125);
		bodies[0].rotation[3] = (float)cos(0.125);
		bodies[0].position[0] = x - (cosine * x + sine * z);
		bodies[0].position[2] = z - (cosine * z - sine * x);
		track(&by, &batch, &now, NULL, NULL);
		cr_assert(now.pairs[0].count == 1 && now.patches[0][0].found.point_count == 4);
		for (int i = 0; i < 4; i++)
			cr_assert_eq(now.patches[0][0].points[i].age, 1, "corner %d, point %d", corner, i);
	}
}

/* A box smaller than `merging` tips over an edge: its two points go on with their own old ones, not with the two that are gone. */
Test(compound_track, gives_a_point_one_old_point)
{
	const way by = {.workspace = workspace_of(WP_VARIANT_AUTO), .ring = WP_COMPOUND_RING, .max_separation = 0x1p-10f};
	set_shape(LEG, wp_shape_box(0x1p-6f, 0x1p-6f, 0x1p-6f));
	const wp_compound_batch batch = one_row(LEG, SLAB, 0.0625 + 0x1p-6);
	track(&by, &batch, &now, NULL, NULL);
	cr_assert(now.pairs[0].count == 1 && now.patches[0][0].found.point_count == 4);
	for (int i = 0; i < 4; i++)
		now.patches[0][0].points[i].impulse[0] = now.patches[0][0].points[i].arm_a[0] < 0 ? 1 : 2;
	bodies[0].rotation[2] = (float)sin(0.3);
	bodies[0].rotation[3] = (float)cos(0.3);
	bodies[0].position[1] = 0.0625 + 0x1p-6 * (sin(0.6) + cos(0.6));
	track(&by, &batch, &now, NULL, NULL);
	cr_assert(now.pairs[0].count == 1 && now.patches[0][0].found.point_count == 2);
	for (int i = 0; i < 2; i++) {
		const wp_compound_tracked_point *const point = &now.patches[0][0].points[i];
		cr_assert(point->age == 1 && point->impulse[0] == (now.patches[0][0].found.points[i].local_a[0] < 0 ? 1 : 2));
	}
}

/* Corners of a box that stands on a plate are none of the box that leans against its side. */
Test(compound_track, does_not_match_other_normals)
{
	const way by = usual();
	set_shape(SLAB, wp_shape_box(1.25f, 0.3f, 1.25f));
	const wp_compound_batch batch = one_row(BOX, SLAB, 0.6);
	track(&by, &batch, &now, NULL, NULL);
	cr_assert(now.pairs[0].count == 1 && now.patches[0][0].found.point_count == 4);
	bodies[0].position[0] = 1.75;
	bodies[0].position[1] = 0;
	track(&by, &batch, &now, NULL, NULL);
	cr_assert(now.pairs[0].count == 1 && now.patches[0][0].found.point_count == 4);
	cr_assert_eq(now.patches[0][0].found.normal[0], -1.0f);
	for (int i = 0; i < 4; i++)
		cr_assert_eq(now.patches[0][0].points[i].age, 0);
}

static uint32_t points_of(memory *m, size_t at, seen_point list[SEEN_MAX])
{
	uint32_t count = 0;
	for (uint32_t p = 0; p < m->pairs[at].count; p++) {
		wp_compound_tracked_patch *const patch = &m->patches[at][p];
		for (uint32_t i = 0; i < patch->found.point_count; i++) {
			const wp_manifold_point *const point = &patch->found.points[i];
			list[count++] = (seen_point){patch->found.normal, point->local_a, point->local_b,
				{patch->found.child_a, patch->found.child_b, point->feature_a, point->feature_b}, patch->points[i].age,
				patch->points[i].arm_a, patch->points[i].arm_b, patch->points[i].impulse};
		}
	}
	return count;
}

Test(compound_track, matches_all_points_that_go_on)
{
	static memory old;
	const way by = usual();
	const wp_compound_batch batch = batch_of(ROWS);
	const uint32_t runs = (uint32_t)rounds(20);
	uint32_t near_ones = 0;
	gen_random random;
	seen_point before[SEEN_MAX], after[SEEN_MAX];
	for (uint32_t run = 0; run < runs; run++) {
		gen_seed(&random, 50 + run);
		seed_bodies(&random);
		memset(&now, 0, sizeof now);
		for (uint32_t frame = 0; frame < FRAMES; frame++) {
			for (size_t at = 0; at < ROWS; at++)
				number_points(after, points_of(&now, at, after));
			old = now;
			track(&by, &batch, &now, NULL, NULL);
			for (uint32_t row = 0; row < ROWS; row++) {
				const size_t at = order[row];
				const uint32_t old_count = points_of(&old, at, before), count = points_of(&now, at, after);
				near_ones += check_points(before, old_count, after, count, (double)merging);
				check_arms(after, count, bodies[pair_a[row]].rotation, bodies[pair_b[row]].rotation);
			}
			move_bodies(&random, frame);
		}
	}
	cr_assert(near_ones > 4 * runs, "%u in %u runs", near_ones, runs);
}

/* Without results, or with some, the same is kept. */
Test(compound_track, needs_no_results)
{
	static memory alone;
	static uint32_t counts[ROWS];
	const way by = usual();
	const wp_compound_batch batch = batch_of(ROWS);
	const wp_compound_track_options options = {.max_separation = near, .merging = merging};
	const wp_compound_tracked_pairs tracked = pairs_of(&alone);
	const wp_results none = {.point_real = WP_REAL_FLOAT};
	const wp_compound_patches only_counts = {.patch_count = {counts, 0}};
	gen_random random;
	gen_seed(&random, 44);
	seed_bodies(&random);
	for (uint32_t frame = 0; frame < 3; frame++) {
		track(&by, &batch, &now, NULL, NULL);
		cr_assert_eq(wp_compound_track(
						 by.workspace, &batch, &options, &tracked, &none, frame == 1 ? &only_counts : NULL, NULL, NULL),
			WP_OK);
		cr_assert_eq(memcmp(&now, &alone, sizeof now), 0, "frame %u", frame);
		for (uint32_t row = 0; row < ROWS && frame == 1; row++)
			cr_assert_eq(counts[row], now.pairs[order[row]].count);
		for (uint32_t i = 0; i < BODIES && frame == 1; i++)
			for (int k = 0; k < 3; k++)
				bodies[i].position[k] += ways[i][k];
	}
}

/* ---- what is not searched ----------------------------------------------------------------------- */

/* What lies where it lay is not queried; what falls is not until it is near. */
Test(compound_track, answers_from_what_is_kept)
{
	const way by = usual();
	wp_compound_batch batch = one_row(WP_COMPOUND + TABLE, WP_COMPOUND + MANY, 12);
	uint32_t kept = 0, frames = 0;
	for (; now.pairs[0].count == 0 && frames < 2000; frames++) {
		wp_compound_statistics s = {0};
		track(&by, &batch, &now, NULL, &s);
		cr_assert_eq(s.rows, 1u);
		cr_assert(s.pairs == 0 || now.pairs[0].event != WP_TRACK_KEPT);
		kept += now.pairs[0].event == WP_TRACK_KEPT;
		bodies[0].position[1] -= 0.01;
		bodies[0].rotation[1] = frames % 3 == 0 ? 0.01f : 0.0f;
	}
	cr_assert(now.pairs[0].event == WP_TRACK_BEGAN && frames > 800 && kept > frames * 9 / 10, "%u of %u", kept, frames);
	bodies[0].position[1] += 0.01;
	bodies[0].rotation[1] = (frames - 1) % 3 == 0 ? 0.0f : bodies[0].rotation[1];
	wp_compound_statistics first = {0}, again = {0};
	track(&by, &batch, &now, NULL, &first);
	track(&by, &batch, &now, NULL, &again);
	cr_assert(again.rows == 1 && again.pairs == 0 && again.solved == 0 && again.touching == first.touching);
	cr_assert_eq(now.pairs[0].event, WP_TRACK_REUSED);
}

/* An answer of more patches than there is room for now is found again, and its points are new. */
Test(compound_track, has_room_for_fewer_patches)
{
	const way by = usual();
	const wp_compound_batch batch = one_row(WP_COMPOUND + TABLE, SLAB, 1.06);
	wp_compound_patch patches[2];
	uint32_t patch_count = 0;
	track(&by, &batch, &now, NULL, NULL);
	cr_assert_eq(now.pairs[0].count, 4);
	memset(patches, 0x5a, sizeof patches);
	const wp_compound_track_options options = {.max_separation = by.max_separation, .merging = merging};
	wp_compound_tracked_pairs tracked = pairs_of(&now);
	tracked.patch_max = 1;
	const wp_results none = {.separation = {.data = NULL}};
	const wp_compound_patches column = {
		.patch_count = {.data = &patch_count}, .patches = {.data = patches}, .patch_max = 1};
	cr_assert_eq(wp_compound_track(by.workspace, &batch, &options, &tracked, &none, &column, NULL, NULL), WP_OK);
	cr_assert(patch_count == 1 && now.pairs[0].count == 1, "%u patches", patch_count);
	cr_assert_eq(now.patches[0][0].points[0].age, 0);
	for (size_t i = sizeof patches[0]; i < sizeof patches; i++)
		cr_assert_eq(((const unsigned char *)patches)[i], 0x5a);
}

/* Without a number there is room for four. */
Test(compound_track, has_room_for_four_patches)
{
	static wp_compound_tracked_patch patches[2][4];
	static wp_compound_patch own_room[2][4];
	const way by = usual();
	const wp_compound_batch batch = one_row(WP_COMPOUND + TABLE, SLAB, 1.06);
	const wp_compound_track_options options = {.max_separation = by.max_separation, .merging = merging};
	wp_compound_tracked_pairs tracked = pairs_of(&now);
	const wp_results none = {.separation = {.data = NULL}};
	order[0] = 1;
	tracked.patches = patches[0];
	tracked.room = own_room[0];
	tracked.count = 2;
	tracked.patch_max = 0;
	for (uint32_t frame = 0; frame < 3; frame++) {
		bodies[0].position[0] += frame == 2 ? 0.01 : 0;
		cr_assert_eq(wp_compound_track(by.workspace, &batch, &options, &tracked, &none, NULL, NULL, NULL), WP_OK);
		cr_assert_eq(now.pairs[1].count, 4);
		for (int p = 0; p < 4; p++)
			cr_assert(patches[1][p].found.point_count == 4 && patches[1][p].points[3].age == frame);
	}
	cr_assert_eq(patches[0][3].found.point_count, 0);
}

/* A half-space that turns comes nearer than its own size tells. */
Test(compound_track, queries_what_a_half_space_turns_to)
{
	const way by = usual();
	const wp_compound_batch batch = one_row(WP_COMPOUND + DUMBBELL, HALF_SPACE, 4);
	uint32_t kept = 0, touched = 0;
	bodies[0].position[0] = 30;
	for (uint32_t frame = 0; frame < 200; frame++) {
		tally count = {0, 0, 0, 0, 0};
		track(&by, &batch, &now, NULL, NULL);
		contact(&by, &batch);
		check_row(&now, near, frame, 0, &count);
		kept += count.kept;
		touched += now.pairs[0].count != 0;
		bodies[1].rotation[2] += 0.0005f;
	}
	cr_assert(kept > 80 && touched > 40, "%u kept, %u touch", kept, touched);
}

/* Just beyond max_separation the last bound may prove apart what a query from the next poses does not. */
Test(compound_track, queries_what_a_query_may_not_prove_apart)
{
	static const float turned[2][4] = {{0x1.6bbc8ap-1f, 0x1.a4b8a6p-6f, 0x1.e28388p-2f, 0x1.0b52e6p-1f},
		{0x1.78fedcp-1f, -0x1.e699acp-2f, 0x1.e7a352p-2f, -0x1.28b9a6p-4f}};
	static const double places[2][3] = {{0x1.e4dab4751bc58p-1, -0x1.e04392ffffb6bp-2, 0x1.42e64b3def5aap-2},
		{0x1.e4dab4277c937p-1, -0x1.e0439359e9be8p-2, 0x1.42e64be1dd753p-2}};
	const way by = usual();
	const wp_compound_batch batch = one_row(ELLIPSOID, BOX, 0);
	tally count = {0, 0, 0, 0, 0};
	for (int i = 0; i < 2; i++)
		memcpy(bodies[i].rotation, turned[i], sizeof turned[i]);
	for (uint32_t frame = 0; frame < 2; frame++) {
		memcpy(bodies[1].position, places[frame], sizeof places[frame]);
		track(&by, &batch, &now, NULL, NULL);
		contact(&by, &batch);
		check_row(&now, near, frame, 0, &count);
		bodies[0].rotation[0] = 0x1.6bbc8cp-1f;
	}
}

/* An answer may be off by a share of both sizes: a slab and a leg that are apart by more than max_separation and the share of
 * two legs, but by less than the share of the slab and the leg, are queried in each frame in which a body moves. */
Test(compound_track, queries_where_either_body_is_large)
{
	static const uint32_t shapes[2][2] = {{SLAB, LEG}, {LEG, SLAB}};
	static const double gaps[2] = {3.3e-4, 1.2e-3};
	const way by = usual();
	for (int i = 0; i < 2; i++) {
		for (int is_far = 0; is_far < 2; is_far++) {
			const wp_compound_batch batch = one_row(
				shapes[i][0], shapes[i][1], 0.0625 + 0.5 + (double)near + gaps[is_far]);
			track(&by, &batch, &now, NULL, NULL);
			cr_assert((now.pairs[0].status & WP_STATUS_BEYOND) != 0, "order %d, status %x", i, now.pairs[0].status);
			bodies[0].position[0] += 1e-9;
			track(&by, &batch, &now, NULL, NULL);
			cr_assert_eq(now.pairs[0].event, is_far ? WP_TRACK_KEPT : 0, "order %d, gap %g", i, gaps[is_far]);
		}
	}
}

/* A child's shape is replaced by a larger one: neither the kept bound nor the kept answer is of it. */
Test(compound_track, queries_where_a_shape_was_replaced)
{
	const way by = usual();
	const wp_compound_batch batch = one_row(WP_COMPOUND + DUMBBELL, SLAB, 1);
	track(&by, &batch, &now, NULL, NULL);
	track(&by, &batch, &now, NULL, NULL);
	cr_assert_eq(now.pairs[0].event, WP_TRACK_KEPT);
	set_shape(SLAB, wp_shape_box(1.25f, 0.49f, 1.25f));
	track(&by, &batch, &now, NULL, NULL);
	cr_assert_eq(now.pairs[0].event, WP_TRACK_BEGAN);
	set_shape(SPHERE, wp_shape_sphere(0.45f));
	track(&by, &batch, &now, NULL, NULL);
	cr_assert_eq(now.pairs[0].event, WP_TRACK_ENDED);
	/* One that its compound's boxes do not hold is looked at anew in each frame in which a body moves. */
	set_shape(SPHERE, wp_shape_sphere(0.505f));
	bodies[0].position[1] = 3;
	track(&by, &batch, &now, NULL, NULL);
	bodies[0].position[1] -= 0.01;
	track(&by, &batch, &now, NULL, NULL);
	cr_assert_eq(now.pairs[0].event, 0);
}

/* ---- other rows and arguments ------------------------------------------------------------------- */

/* Bad rows keep nothing, and leave others alone. */
Test(compound_track, answers_others_beside_bad_rows)
{
	const way by = usual();
	wp_compound_batch batch = one_row(WP_COMPOUND + TABLE, SLAB, 1.06);
	for (uint32_t row = 1; row < 4; row++) {
		pair_a[row] = 0;
		pair_b[row] = 1;
		order[row] = row;
	}
	batch.count = 4;
	uint32_t rows[4];
	wp_track_changes changes = {.rows = rows, .capacity = 4};
	track(&by, &batch, &now, &changes, NULL);
	cr_assert_eq(changes.count, 4u);
	order[1] = ROWS;
	pair_b[2] = BODIES;
	wp_compound_statistics s = {0};
	track(&by, &batch, &now, &changes, &s);
	cr_assert(s.invalid == 2 && s.first_invalid_row == 1 && s.rows == 4);
	cr_assert_eq(answers[1].status, WP_STATUS_INVALID | WP_STATUS_INVALID_TRACKED);
	cr_assert_eq(answers[2].status, WP_STATUS_INVALID | WP_STATUS_INVALID_BODY_B);
	cr_assert(changes.count == 1 && rows[0] == 2 && now.pairs[2].count == 0 && now.pairs[2].event == WP_TRACK_ENDED);
	cr_assert(now.pairs[1].count == 4 && now.pairs[1].event == WP_TRACK_BEGAN);
	cr_assert(now.pairs[0].event == WP_TRACK_REUSED && now.pairs[3].event == WP_TRACK_REUSED);
	pair_b[2] = 1;
	track(&by, &batch, &now, &changes, NULL);
	cr_assert(now.pairs[2].event == WP_TRACK_BEGAN && now.patches[2][0].points[0].age == 0);
}

static const wp_compound_batch *asked;

static void refuses(wp_error wanted, const wp_compound_track_options *options, const wp_compound_tracked_pairs *tracked,
	const wp_compound_patches *patches, wp_track_changes *changes)
{
	const memory before = now;
	const wp_results results = {.point_real = WP_REAL_FLOAT};
	const wp_error error = wp_compound_track(
		workspace_of(WP_VARIANT_AUTO), asked, options, tracked, &results, patches, changes, NULL);
	cr_assert_eq(error, wanted, "%s instead of %s", wp_error_text(error), wp_error_text(wanted));
	cr_assert_eq(memcmp(&before, &now, sizeof now), 0);
}

#define REFUSES_TRACKED(wanted, ...)                         \
	do {                                                     \
		wp_compound_tracked_pairs tracked = pairs_of(&now);  \
		__VA_ARGS__;                                         \
		refuses(wanted, &options, &tracked, &patches, NULL); \
	} while (0)

#define REFUSES_OPTIONS(wanted, ...)                           \
	do {                                                       \
		const wp_compound_track_options wrong = {__VA_ARGS__}; \
		refuses(wanted, &wrong, &right, &patches, NULL);       \
	} while (0)

Test(compound_track, refuses_wrong_arguments)
{
	const wp_compound_batch batch = one_row(WP_COMPOUND + TABLE, SLAB, 1.06);
	const wp_compound_track_options options = {.max_separation = near};
	const wp_compound_tracked_pairs right = pairs_of(&now);
	const wp_compound_patches patches = patches_in(answers);
	wp_compound_patches other = patches;
	uint32_t rows[2];
	wp_track_changes changes = {.capacity = 1};
	asked = &batch;
	refuses(WP_ERROR_NULL_OPTIONS, NULL, &right, &patches, NULL);
	refuses(WP_ERROR_NULL_TRACKED, &options, NULL, &patches, NULL);
	refuses(WP_ERROR_NULL_CHANGES_ROWS, &options, &right, &patches, &changes);
	other.patch_max = PATCHES - 1;
	refuses(WP_ERROR_COMPOUND_TRACKED_MAX, &options, &right, &other, NULL);
	other = (wp_compound_patches){.patches = patches.patches};
	refuses(WP_ERROR_NULL_COMPOUND_PATCH_COUNT, &options, &right, &other, NULL);
	REFUSES_TRACKED(WP_ERROR_NULL_TRACKED_PAIRS, tracked.pairs = NULL);
	REFUSES_TRACKED(WP_ERROR_NULL_COMPOUND_ANCHORS, tracked.anchors = NULL);
	REFUSES_TRACKED(WP_ERROR_NULL_TRACKED_PATCHES, tracked.patches = NULL);
	REFUSES_TRACKED(WP_ERROR_NULL_COMPOUND_ROOM, tracked.room = NULL);
	REFUSES_TRACKED(WP_ERROR_TRACKED_COUNT, tracked.count = (size_t)1 << 32);
	REFUSES_TRACKED(WP_ERROR_COMPOUND_TRACKED_MAX, tracked.patch_max = WP_COMPOUND_TRACKED_MAX + 1);
	REFUSES_TRACKED(WP_ERROR_TRACKED_INDEX_STRIDE, tracked.index.stride = 3);
	REFUSES_OPTIONS(WP_ERROR_MERGING, .merging = -1);
	REFUSES_OPTIONS(WP_ERROR_MERGING, .merging = NAN);
	REFUSES_OPTIONS(WP_ERROR_MAX_SEPARATION, .max_separation = -1);
	/* Changes name rows by 32 bits, of which the last number is none. */
	wp_compound_batch late = batch;
	late.first = (size_t)UINT32_MAX;
	changes = (wp_track_changes){.rows = rows, .capacity = 2};
	asked = &late;
	refuses(WP_ERROR_PAIR_RANGE, &options, &right, &patches, &changes);
	asked = NULL;
	refuses(WP_ERROR_NULL_BATCH, &options, &right, &patches, NULL);
}
