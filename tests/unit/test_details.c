/* What engines keep of a contact: its points in the frames of their bodies, and two tangents. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "core/contract.h"
#include "support/block.h"
#include "support/gen.h"
#include "support/unit.h"
#include "support/vector.h"
#include "widephase/widephase.h"

enum { PAIRS = 6000 };

typedef struct details {
	float local_a[3], local_b[3], tangent_1[3], tangent_2[3];
} details;

static wp_row rows[PAIRS];
static details found[PAIRS];
static gen_corpus corpus;
static void *table_memory;
static const wp_shape_table *table;

static void make_corpus(void)
{
	const gen_options options = {.seed = 71, .vertex_max = 24};
	cr_assert(gen_corpus_make(&options, 0, PAIRS, &corpus));
	const size_t size = wp_shape_table_size(2 * PAIRS);
	table_memory = block(size);
	cr_assert_eq(wp_shape_table_build(corpus.shapes, 2 * PAIRS, table_memory, size, &table, NULL), WP_OK);
}

static void free_corpus(void)
{
	gen_corpus_free(&corpus);
	free(table_memory);
}

TestSuite(details, .init = make_corpus, .fini = free_corpus);

/* Rows and details of the corpus, its bodies at `poses`. */
static void ask(wp_variant variant, const wp_pose *poses, bool distance)
{
	static uint32_t pairs[PAIRS][2];
	for (uint32_t i = 0; i < PAIRS; i++) {
		pairs[i][0] = 2 * i;
		pairs[i][1] = 2 * i + 1;
	}
	const wp_batch batch = {.shapes = table,
		.a = {.position = {poses[0].position, sizeof(wp_pose)},
			.rotation = {poses[0].rotation, sizeof(wp_pose)},
			.count = 2 * PAIRS},
		.pair_a = {&pairs[0][0], sizeof pairs[0]},
		.pair_b = {&pairs[0][1], sizeof pairs[0]},
		.count = PAIRS};
	wp_results results = wp_results_of_rows(rows);
	results.local_a.data = found[0].local_a;
	results.local_b.data = found[0].local_b;
	results.tangent_1.data = found[0].tangent_1;
	results.tangent_2.data = found[0].tangent_2;
	results.local_a.stride = results.local_b.stride = results.tangent_1.stride = results.tangent_2.stride = sizeof(
		details);
	wp_workspace *const workspace = workspace_of(variant);
	cr_assert_eq(distance
					 ? wp_distance(workspace, &batch, &results, NULL)
					 : wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = INFINITY}, &results, NULL),
		WP_OK);
}

static v3 wide(const float v[3]) { return v3_of((double)v[0], (double)v[1], (double)v[2]); }

/* Where a body has the point, relative to its own position, in world axes. */
static v3 turned(const wp_pose *pose, const float local[3])
{
	const float *const q = pose->rotation;
	const double n2 = (double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] + (double)q[3] * q[3];
	const v3 u = v3_of(q[0], q[1], q[2]), v = wide(local);
	const v3 t = v3_scale(v3_cross(u, v), 2 / n2);
	return v3_add(v, v3_add(v3_scale(t, q[3]), v3_cross(u, t)));
}

/* Both local points are the world ones; without the rounding of world coordinates they are apart by separation x
 * normal, as the contract has it. */
static void check_points(const wp_pose *poses, bool distance)
{
	for (size_t i = 0; i < PAIRS; i++) {
		const wp_pose *const a = &poses[2 * i], *const b = &poses[2 * i + 1];
		const wp_row *const r = &rows[i];
		const double length = fmax((double)wp_shape_table_bound(table, (uint32_t)(2 * i)),
			(double)wp_shape_table_bound(table, (uint32_t)(2 * i + 1)));
		const double allowed = 4e-6 * (length + fabs((double)r->separation)) + 1e-44;
		const v3 at_a = turned(a, found[i].local_a), at_b = turned(b, found[i].local_b);
		const v3 offset = v3_sub(wide(b->position), wide(a->position));
		const v3 between = v3_sub(v3_add(offset, at_b), at_a);
		const v3 miss = v3_sub(between, v3_scale(wide(r->normal), (double)r->separation));
		cr_assert(v3_length(miss) <= allowed, "pair %zu: points miss by %g, allowed %g (status %x)", i, v3_length(miss),
			allowed, r->status);
		const double rounding = 1.3e-7 * (v3_length(wide(r->point_a)) + v3_length(wide(r->point_b))) + allowed;
		const v3 off_a = v3_sub(v3_add(wide(a->position), at_a), wide(r->point_a));
		const v3 off_b = v3_sub(v3_add(wide(b->position), at_b), wide(r->point_b));
		cr_assert(v3_length(off_a) <= rounding && v3_length(off_b) <= rounding,
			"pair %zu: %g and %g from the world points, allowed %g (status %x, distance %d)", i, v3_length(off_a),
			v3_length(off_b), rounding, r->status, distance);
	}
}

Test(details, local_points_are_the_world_points)
{
	for (int distance = 0; distance < 2; distance++) {
		ask(WP_VARIANT_AUTO, corpus.poses, distance);
		check_points(corpus.poses, distance);
	}
}

/* Moved by what float adds without rounding, a pair has the same local points, though its world points lose digits. */
Test(details, local_points_lose_nothing_far_from_the_origin)
{
	static wp_pose near[2 * PAIRS], far[2 * PAIRS];
	static details before[PAIRS];
	memcpy(near, corpus.poses, sizeof near);
	for (size_t i = 0; i < 2 * PAIRS; i++)
		for (int k = 0; k < 3; k++)
			near[i].position[k] = ldexpf(rintf(ldexpf(fmodf(near[i].position[k], 8), 8)), -8) + 0.0f; /* no -0 */
	memcpy(far, near, sizeof far);
	for (size_t i = 0; i < 2 * PAIRS; i++)
		for (int k = 0; k < 3; k++)
			far[i].position[k] += k == 1 ? -16384.0f : 32768.0f;
	for (int distance = 0; distance < 2; distance++) {
		ask(WP_VARIANT_AUTO, near, distance);
		memcpy(before, found, sizeof before);
		ask(WP_VARIANT_AUTO, far, distance);
		for (size_t i = 0; i < PAIRS; i++)
			cr_assert_eq(memcmp(&before[i], &found[i], sizeof before[i]), 0, "pair %zu, status %x", i, rows[i].status);
	}
}

static void check_tangents(const float n[3], const float t1[3], const float t2[3])
{
	const v3 normal = wide(n), u = wide(t1), v = wide(t2);
	const v3 miss = v3_sub(v3_cross(u, v), normal);
	cr_assert(fabs(v3_length(u) - 1) <= WP_CONTRACT_UNIT && fabs(v3_length(v) - 1) <= WP_CONTRACT_UNIT &&
				  fabs(v3_dot(u, v)) <= WP_CONTRACT_UNIT && fabs(v3_dot(u, normal)) <= WP_CONTRACT_UNIT &&
				  fabs(v3_dot(v, normal)) <= WP_CONTRACT_UNIT && v3_length(miss) <= 2e-6,
		"normal %a %a %a: tangents %a %a %a and %a %a %a", (double)n[0], (double)n[1], (double)n[2], u.x, u.y, u.z, v.x,
		v.y, v.z);
}

/* Demands 40 and 41. Axes, diagonals, zeros of both signs, and normals within a rounding of each. */
Test(details, no_normal_is_singular)
{
	static const double parts[] = {0.0, -0.0, 1.0, -1.0, 1e-4, -1e-4, 1e-20, -1e-20, 1e-45, 0.5};
	const size_t count = sizeof parts / sizeof parts[0];
	gen_random random;
	gen_seed(&random, 72);
	for (size_t i = 0; i < count * count * count + 200000; i++) {
		const bool special = i < count * count * count;
		const v3 v = special ? v3_of(parts[i % count], parts[i / count % count], parts[i / count / count])
		                     : v3_of(gen_range(&random, -1, 1), gen_range(&random, -1, 1), gen_range(&random, -1, 1));
		if (v3_length(v) < 1e-3)
			continue;
		const v3 unit = v3_unit(v);
		const float n[3] = {(float)unit.x, (float)unit.y, (float)unit.z};
		float t1[3], t2[3];
		wp_tangents(n, t1, t2);
		check_tangents(n, t1, t2);
	}
	const float zero[3] = {0, -0.0f, 0};
	float t1[3] = {1, 1, 1}, t2[3] = {1, 1, 1};
	wp_tangents(zero, t1, t2);
	for (int k = 0; k < 3; k++)
		cr_assert(t1[k] == 0 && t2[k] == 0);
}

/* Every variant gives the tangents of wp_tangents, by the bit. */
Test(details, tangents_of_rows_are_those_of_their_normals)
{
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		if (wp_variant_available((wp_variant)v) != WP_OK)
			continue;
		for (int distance = 0; distance < 2; distance++) {
			ask((wp_variant)v, corpus.poses, distance);
			for (size_t i = 0; i < PAIRS; i++) {
				float t1[3], t2[3];
				wp_tangents(rows[i].normal, t1, t2);
				cr_assert(
					memcmp(t1, found[i].tangent_1, sizeof t1) == 0 && memcmp(t2, found[i].tangent_2, sizeof t2) == 0,
					"%s: pair %zu, status %x", wp_variant_name((wp_variant)v), i, rows[i].status);
			}
		}
	}
}

/* Demand 39. The cubes of the comment on contact data: A's right face 0.25 inside B's left one. */
Test(details, contact_data_of_two_cubes)
{
	const wp_shape cubes[2] = {wp_shape_box(1, 1, 1), wp_shape_box(1, 1, 1)};
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1024];
	const wp_shape_table *two;
	cr_assert_eq(wp_shape_table_build(cubes, 2, memory, sizeof memory, &two, NULL), WP_OK);
	const wp_pose poses[2] = {{{10, 0, 0}, {0, 0, 0, 1}}, {{11.75f, 0, 0}, {0, 0, 1, 0}}}; /* B turned by 180 degrees */
	const wp_batch batch = {.shapes = two,
		.a = {.position = {poses[0].position}, .rotation = {poses[0].rotation}, .count = 1},
		.b = {.position = {poses[1].position},
			.rotation = {poses[1].rotation},
			.shape = {(const uint32_t[]){1}},
			.count = 1},
		.count = 1};
	details d;
	wp_row row;
	wp_results results = wp_results_of_rows(&row);
	results.local_a.data = d.local_a;
	results.local_b.data = d.local_b;
	results.tangent_1.data = d.tangent_1;
	results.tangent_2.data = d.tangent_2;
	cr_assert_eq(wp_contact(workspace_of(WP_VARIANT_AUTO), &batch, NULL, &results, NULL), WP_OK);
	cr_assert(fabsf(row.separation + 0.25f) < 1e-6f && row.normal[0] == 1);
	cr_assert(fabsf(d.local_a[0] - 1) < 1e-6f && fabsf(d.local_b[0] - 1) < 1e-6f, "%a %a", (double)d.local_a[0],
		(double)d.local_b[0]);
	cr_assert(fabsf(d.local_a[1] + d.local_b[1]) < 1e-6f && fabsf(d.local_a[2] - d.local_b[2]) < 1e-6f);
	check_tangents(row.normal, d.tangent_1, d.tangent_2);
}
