/* Boxes of bodies with meshes and height fields: around all corners and samples, and no more. */
#include <math.h>

#include "support/check.h"
#include "support/cooked.h"
#include "support/gen_random.h"
#include "support/mesh_bodies.h"
#include "support/vector.h"
#include "widephase/widephase.h"

enum { TERRAIN, SOUP, BALL, FAR, NO_MESH, MESHES, FIELD = MESHES, SCALED, HOLED, ALL_HOLES, BAD_FIELD, SURFACES };
enum { FIELDS = SURFACES - MESHES, BODIES = 4500, COLUMNS = 13, ROWS = 9 };

/* Spacings of floats that rounding outwards may cost. */
#define ULPS 2

/* More than what double rounding may cost, relative to how far a body reaches and how far it is. */
#define ROUNDING 2e-14

typedef struct box {
	float lower[3], upper[3];
} box;

static const wp_mesh *meshes[MESHES];
static wp_height_field fields[FIELDS];
static const wp_height_field *field_pointers[FIELDS];
static float samples[4][ROWS][COLUMNS];
static int16_t whole[ROWS][COLUMNS];
static body bodies[BODIES];
static box boxes[BODIES];

static void make_meshes(void)
{
	surface terrain = surface_terrain(40, 30, 1), soup = surface_soup(500, 0.2, 2), ball = surface_ball(24, 0, 3),
			far = surface_ball(4, 0.1, 4);
	surface_turn(&far, (float[]){0, 0, 0, 1}, (double[]){3000, -2000, 5000});
	meshes[TERRAIN] = cook_surface(&terrain);
	meshes[SOUP] = cook_surface(&soup);
	meshes[BALL] = cook_surface(&ball);
	meshes[FAR] = cook_surface(&far);
}

static void make_fields(gen_random *random)
{
	for (int row = 0; row < ROWS; row++)
		for (int column = 0; column < COLUMNS; column++) {
			whole[row][column] = (int16_t)((int)gen_below(random, 60000) - 30000);
			for (int f = 0; f < 2; f++)
				samples[f][row][column] = gen_rounded(gen_range(random, -3, 3));
			if (gen_below(random, 2) != 0)
				samples[1][row][column] = WP_HEIGHT_HOLE;
			samples[2][row][column] = WP_HEIGHT_HOLE;
		}
	for (int f = 0; f < FIELDS; f++) {
		fields[f] = (wp_height_field){.columns = COLUMNS, .rows = ROWS, .spacing = {0.5f, 0.75f}, .scale = 1};
		field_pointers[f] = &fields[f];
	}
	fields[FIELD - MESHES].samples = samples[0];
	fields[SCALED - MESHES].samples = whole;
	fields[SCALED - MESHES].format = WP_HEIGHT_INT16;
	fields[SCALED - MESHES].scale = -0.0001f;
	fields[SCALED - MESHES].offset = 0.3f;
	fields[HOLED - MESHES].samples = samples[1];
	fields[ALL_HOLES - MESHES].samples = samples[2];
}

static void set_up(void)
{
	gen_random random;
	gen_seed(&random, 8);
	make_meshes();
	make_fields(&random);
	for (uint32_t i = 0; i < BODIES; i++) {
		const double far = i % 9 == 0 ? 1e7 : 20;
		bodies[i].shape = i % SURFACES;
		gen_rotation(&random, bodies[i].rotation);
		/* A quarter of a turn: sides of boxes are at floats, within the rounding of double. */
		if (i % 6 == 1)
			memcpy(bodies[i].rotation, (float[]){0x1.6a09e6p-1f, 0, 0, 0x1.6a09e6p-1f}, sizeof bodies[i].rotation);
		for (int k = 0; k < 3; k++)
			bodies[i].position[k] = i % 12 == 1 ? 0 : gen_range(&random, -far, far);
	}
}

static wp_mesh_batch batch_of_bodies(void)
{
	return (wp_mesh_batch){.meshes = meshes,
		.mesh_count = MESHES,
		.height_fields = field_pointers,
		.height_field_count = FIELDS,
		.b = bodies_of(bodies, BODIES),
		.count = BODIES};
}

static wp_error find(const wp_mesh_batch *batch, const wp_contact_options *options, box *to)
{
	return wp_mesh_bodies_bounds(
		batch, options, &(wp_bounds){{to->lower, sizeof *to}, {to->upper, sizeof *to}, WP_REAL_FLOAT});
}

typedef struct range {
	double low[3], high[3];
} range;

static void hold(range *r, const body *b, v3 local)
{
	const v3 at = m3_apply(m3_of_quaternion(b->rotation), local);
	const double way[3] = {at.x, at.y, at.z};
	for (int k = 0; k < 3; k++) {
		r->low[k] = fmin(r->low[k], b->position[k] + way[k]);
		r->high[k] = fmax(r->high[k], b->position[k] + way[k]);
	}
}

/* All corners or samples of a body in the world; of none from infinity to minus infinity. */
static range range_of(const body *b)
{
	const double none = (double)INFINITY;
	range r = {{none, none, none}, {-none, -none, -none}};
	const size_t vertices = b->shape < NO_MESH ? wp_mesh_vertex_count(meshes[b->shape]) : 0;
	for (size_t i = 0; i < vertices; i++) {
		float v[3];
		wp_mesh_vertex(meshes[b->shape], i, v);
		hold(&r, b, v3_of_floats(v));
	}
	if (b->shape < MESHES || b->shape == BAD_FIELD)
		return r;
	for (int row = 0; row < ROWS; row++)
		for (int column = 0; column < COLUMNS; column++) {
			const float scaled = gen_rounded((double)0.3f + (double)-0.0001f * whole[row][column]);
			const float height = b->shape == SCALED ? scaled
			                   : b->shape == FIELD  ? samples[0][row][column]
			                   : b->shape == HOLED  ? samples[1][row][column]
			                                        : samples[2][row][column];
			if (height != WP_HEIGHT_HOLE)
				hold(&r, b, v3_of(0.5 * column, (double)height, 0.75 * row));
		}
	return r;
}

/* The float that is so many steps of floats beyond a value. */
static double beyond(double value, int steps, float towards)
{
	float at = (float)value;
	while (steps-- > 0)
		at = nextafterf(at, towards);
	return (double)at;
}

Test(mesh_bounds, hold_all_places_and_no_more, .init = set_up)
{
	const wp_contact_options options[2] = {{0}, {0.5f}};
	const wp_mesh_batch batch = batch_of_bodies();
	for (int o = 0; o < 2; o++) {
		const double more = o * 0.25;
		uint32_t judged = 0;
		cr_assert_eq(find(&batch, &options[o], boxes), WP_OK);
		for (uint32_t i = 0; i < BODIES; i++) {
			const range r = range_of(&bodies[i]);
			for (int k = 0; k < 3; k++) {
				const double rounding = ROUNDING * (fabs(bodies[i].position[k]) + 20000);
				const double low = (double)boxes[i].lower[k], high = (double)boxes[i].upper[k];
				CHECK(low <= r.low[k] - more && high >= r.high[k] + more &&
						  low >= beyond(r.low[k] - more, ULPS, -INFINITY) - rounding &&
						  high <= beyond(r.high[k] + more, ULPS, INFINITY) + rounding,
					"body %u of surface %u, axis %d: from %a to %a, not %a to %a", i, bodies[i].shape, k, low, high,
					r.low[k] - more, r.high[k] + more);
			}
			judged += r.low[0] <= r.high[0];
		}
		cr_assert_gt(judged, 3000);
	}
}

Test(mesh_bounds, of_invalid_bodies_are_none, .init = set_up)
{
	body broken[5];
	for (int i = 0; i < 5; i++)
		broken[i] = (body){{1, 2, 3}, {0, 0, 0, 1}, BALL};
	broken[1].position[1] = (double)NAN;
	broken[2].rotation[3] = 2;
	broken[3].shape = NO_MESH;
	broken[4].shape = SURFACES;
	wp_mesh_batch batch = batch_of_bodies();
	batch.b = bodies_of(broken, 5);
	batch.count = 5;
	cr_assert_eq(find(&batch, NULL, boxes), WP_OK);
	cr_assert(boxes[0].lower[0] <= boxes[0].upper[0]);
	for (int i = 1; i < 5; i++)
		for (int k = 0; k < 3; k++)
			CHECK(boxes[i].lower[k] == INFINITY && boxes[i].upper[k] == -INFINITY, "body %d", i);
}

Test(mesh_bounds, ranges_and_floats, .init = set_up)
{
	static box parts[BODIES], singles[BODIES];
	static float positions[BODIES][3];
	for (uint32_t i = 0; i < BODIES; i++)
		for (int k = 0; k < 3; k++)
			bodies[i].position[k] = (double)(positions[i][k] = (float)bodies[i].position[k]);
	wp_mesh_batch batch = batch_of_bodies();
	cr_assert_eq(find(&batch, NULL, boxes), WP_OK);
	for (batch.first = 0; batch.first < BODIES; batch.first += batch.count) {
		batch.count = BODIES - batch.first < 70 ? BODIES - batch.first : 70;
		cr_assert_eq(find(&batch, NULL, parts), WP_OK);
	}
	cr_assert_eq(memcmp(parts, boxes, sizeof boxes), 0);
	batch.first = 0;
	batch.count = BODIES;
	batch.b.position = (wp_const_real_column){positions, 0};
	batch.b.position_real = WP_REAL_FLOAT;
	cr_assert_eq(find(&batch, NULL, singles), WP_OK);
	cr_assert_eq(memcmp(singles, boxes, sizeof boxes), 0);
}

/* Doubles hold all places and no more; floats are the doubles rounded outwards. */
Test(mesh_bounds, in_double, .init = set_up)
{
	static double lower[BODIES][3], upper[BODIES][3];
	const wp_mesh_batch batch = batch_of_bodies();
	const wp_bounds bounds = {{lower, 0}, {upper, 0}, WP_REAL_DOUBLE};
	cr_assert_eq(find(&batch, NULL, boxes), WP_OK);
	cr_assert_eq(wp_mesh_bodies_bounds(&batch, NULL, &bounds), WP_OK);
	for (uint32_t i = 0; i < BODIES; i++) {
		const range r = range_of(&bodies[i]);
		for (int k = 0; k < 3; k++) {
			const double rounding = ROUNDING * (fabs(bodies[i].position[k]) + 20000);
			const double low = lower[i][k], high = upper[i][k];
			CHECK(low <= r.low[k] && high >= r.high[k] && low >= r.low[k] - rounding && high <= r.high[k] + rounding,
				"body %u of surface %u, axis %d: from %a to %a, not %a to %a", i, bodies[i].shape, k, low, high,
				r.low[k], r.high[k]);
			CHECK((double)boxes[i].lower[k] == beyond(low, (double)(float)low > low, -INFINITY) &&
					  (double)boxes[i].upper[k] == beyond(high, (double)(float)high < high, INFINITY),
				"body %u, axis %d: %a to %a in float, %a to %a in double", i, k, (double)boxes[i].lower[k],
				(double)boxes[i].upper[k], low, high);
		}
	}
}

Test(mesh_bounds, arguments, .init = set_up)
{
	const wp_mesh_batch batch = batch_of_bodies();
	const wp_contact_options bad = {-1};
	const wp_bounds bounds = {{boxes[0].lower, sizeof(box)}, {boxes[0].upper, sizeof(box)}, WP_REAL_FLOAT};
	wp_bounds wrong = bounds;
	wp_mesh_batch b = batch;
	cr_assert_eq(wp_mesh_bodies_bounds(NULL, NULL, &bounds), WP_ERROR_NULL_BATCH);
	cr_assert_eq(wp_mesh_bodies_bounds(&batch, &bad, &bounds), WP_ERROR_MAX_SEPARATION);
	cr_assert_eq(wp_mesh_bodies_bounds(&batch, NULL, NULL), WP_ERROR_NULL_BOUNDS);
	wrong.lower.stride = 8;
	cr_assert_eq(wp_mesh_bodies_bounds(&batch, NULL, &wrong), WP_ERROR_BOUNDS_STRIDE);
	wrong = bounds;
	wrong.real = 2;
	cr_assert_eq(wp_mesh_bodies_bounds(&batch, NULL, &wrong), WP_ERROR_BOUNDS_REAL);
	b.b.position_real = 7;
	cr_assert_eq(wp_mesh_bodies_bounds(&b, NULL, &bounds), WP_ERROR_BODIES_B_REAL);
	b = batch;
	b.b.position.stride = 23;
	cr_assert_eq(wp_mesh_bodies_bounds(&b, NULL, &bounds), WP_ERROR_BODIES_B_POSITION_STRIDE);
	b = batch;
	b.b.rotation.data = NULL;
	cr_assert_eq(wp_mesh_bodies_bounds(&b, NULL, &bounds), WP_ERROR_BODIES_B_ROTATION);
	b = batch;
	b.meshes = NULL;
	cr_assert_eq(wp_mesh_bodies_bounds(&b, NULL, &bounds), WP_ERROR_NULL_MESHES);
	b = batch;
	b.height_fields = NULL;
	cr_assert_eq(wp_mesh_bodies_bounds(&b, NULL, &bounds), WP_ERROR_NULL_HEIGHT_FIELDS);
	b.count = 0;
	cr_assert_eq(wp_mesh_bodies_bounds(&b, NULL, &bounds), WP_OK);
	b = batch;
	b.first = SIZE_MAX;
	cr_assert_eq(wp_mesh_bodies_bounds(&b, NULL, &bounds), WP_ERROR_PAIR_RANGE);
	/* There is no room for boxes of more bodies than there are, which a batch of pairs may name. */
	b = batch;
	b.first = 1;
	cr_assert_eq(wp_mesh_bodies_bounds(&b, NULL, &bounds), WP_ERROR_PAIR_RANGE);
	b.count = BODIES - 1;
	cr_assert_eq(wp_mesh_bodies_bounds(&b, NULL, &bounds), WP_OK);
	b.first = BODIES + 1;
	b.count = 1;
	cr_assert_eq(wp_mesh_bodies_bounds(&b, NULL, &bounds), WP_ERROR_PAIR_RANGE);
}
