/* The strong path on its own: exact answers, degenerate pairs, brackets. */
#include "strong.h"
#include "support/gen.h"
#include "widephase/query.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static wp_strong_answer solve(const wp_shape *a, const wp_shape *b, const double offset[3], const float rotation_b[4])
{
	_Alignas(WP_ALIGNMENT) static float small[2][WP_SMALL_CORE_FLOATS];
	static wp_core cores[2];
	const char *reason = wp_core_of_shape(a, &cores[0], small[0]);
	cr_assert_null(reason, "shape a: %s", reason);
	reason = wp_core_of_shape(b, &cores[1], small[1]);
	cr_assert_null(reason, "shape b: %s", reason);
	wp_strong_pair pair = {.a = &cores[0], .b = &cores[1], .rotation_a = {0.0f, 0.0f, 0.0f, 1.0f}};
	for (int i = 0; i < 4; i++)
		pair.rotation_b[i] = rotation_b[i];
	for (int i = 0; i < 3; i++)
		pair.offset[i] = offset[i];
	wp_strong_memory *memory = malloc(wp_strong_memory_size());
	cr_assert_not_null(memory);
	wp_strong_answer answer;
	wp_strong_solve(&pair, memory, &answer);
	free(memory);
	return answer;
}

static const float upright[4] = {0.0f, 0.0f, 0.0f, 1.0f};

/* Everything an answer must satisfy whatever the pair. NaN fails every comparison. */
static void expect_sound(const wp_strong_answer *r, double size, const char *what)
{
	cr_expect(r->lower <= r->separation && r->separation <= r->upper, "%s: %g not in [%g, %g]", what, r->separation,
		r->lower, r->upper);
	double length2 = 0.0, miss2 = 0.0;
	for (int i = 0; i < 3; i++) {
		const double miss = r->point_b[i] - r->point_a[i] - r->separation * r->normal[i];
		length2 += r->normal[i] * r->normal[i];
		miss2 += miss * miss;
	}
	cr_expect(fabs(length2 - 1.0) <= 1e-12, "%s: |normal|^2 = %.17g", what, length2);
	cr_expect(sqrt(miss2) <= 1e-7 * size, "%s: witness points miss by %g", what, sqrt(miss2));
}

static void expect_separation(const wp_strong_answer *r, double expected, double tolerance, double size, const char *what)
{
	cr_expect(fabs(r->separation - expected) <= tolerance, "%s: separation %.17g, expected %.17g", what, r->separation,
		expected);
	expect_sound(r, size, what);
}

Test(strong, exact_answers)
{
	const wp_shape box = wp_shape_box(1.0f, 1.0f, 1.0f), sphere = wp_shape_sphere(0.5f);
	const wp_shape capsule = wp_shape_capsule(0.25f, 1.0f);
	wp_strong_answer r = solve(&box, &box, (double[3]){1.5, 0.25, 0.0}, upright);
	expect_separation(&r, -0.5, 1e-14, 2.0, "boxes, face on face");
	cr_expect(fabs(r.normal[0] - 1.0) <= 1e-12);
	r = solve(&box, &box, (double[3]){3.0, 3.0, 3.0}, upright);
	expect_separation(&r, sqrt(3.0), 1e-14, 2.0, "boxes, corner to corner");
	r = solve(&box, &sphere, (double[3]){0.25, 0.0, 0.0}, upright);
	expect_separation(&r, -1.25, 1e-14, 2.0, "sphere inside a box");
	r = solve(&capsule, &capsule, (double[3]){0.0, 0.0, 1.0}, (float[4]){0.0f, 0.0f, 0.70710678f, 0.70710678f});
	expect_separation(&r, 0.5, 1e-14, 2.0, "crossed capsules");
	r = solve(&box, &box, (double[3]){2.0, 0.0, 0.0}, upright);
	expect_separation(&r, 0.0, 1e-14, 2.0, "boxes, touching");
}

Test(strong, degenerate_pairs)
{
	const float p[3] = {0.0f, 0.0f, 0.0f}, q[3] = {2.0f, 0.0f, 0.0f}, s[3] = {0.0f, 2.0f, 0.0f};
	const wp_shape point = wp_shape_point(), sphere = wp_shape_sphere(0.5f), box = wp_shape_box(1.0f, 2.0f, 3.0f);
	const wp_shape triangle = wp_shape_triangle(p, q, s), segment = wp_shape_segment(p, q);
	const double here[3] = {0.0, 0.0, 0.0}, along[3] = {0.5, 0.0, 0.0}, inside[3] = {0.25, 0.25, 0.0};

	wp_strong_answer r = solve(&point, &point, here, upright);
	expect_separation(&r, 0.0, 0.0, 1.0, "one point");
	cr_expect(r.status & WP_STATUS_DEGENERATE);
	cr_expect(r.normal[1] == 1.0, "the documented normal of coincident points");
	r = solve(&sphere, &sphere, here, upright);
	expect_separation(&r, -1.0, 1e-15, 1.0, "spheres at one place");
	r = solve(&segment, &segment, along, upright);
	expect_separation(&r, 0.0, 1e-8, 2.0, "collinear segments");
	cr_expect(r.status & WP_STATUS_DEGENERATE);
	cr_expect(fabs(r.normal[0]) <= 1e-12, "the normal is across the line");
	r = solve(&triangle, &triangle, inside, upright);
	expect_separation(&r, 0.0, 1e-8, 2.0, "coplanar triangles");
	cr_expect(fabs(fabs(r.normal[2]) - 1.0) <= 1e-12, "the normal is that of the plane");
	r = solve(&triangle, &triangle, (double[3]){3.0, 0.0, 0.0}, upright);
	expect_separation(&r, 1.0, 1e-14, 4.0, "coplanar triangles, apart");
	r = solve(&box, &box, here, upright);
	expect_separation(&r, -2.0, 1e-14, 4.0, "one box twice");
}

Test(strong, sizes_from_denormal_to_huge)
{
	for (int exponent = -140; exponent <= 95; exponent += 5) {
		const float h = ldexpf(1.0f, exponent);
		const wp_shape box = wp_shape_box(h, h, h);
		const wp_strong_answer r = solve(&box, &box, (double[3]){1.5 * (double)h, 0.0, 0.0}, upright);
		cr_expect(fabs(r.separation + 0.5 * (double)h) <= 1e-14 * (double)h, "2^%d: %g", exponent, r.separation);
		expect_sound(&r, (double)h, "scaled boxes");
	}
}

/* Every construction of the generator: sound, and its bracket inside the contract. */
Test(strong, generated_pairs_close_their_brackets)
{
	const gen_options options = {.seed = 77, .vertex_max = 40};
	const size_t count = 26 * 60;
	gen_corpus corpus;
	cr_assert(gen_corpus_make(&options, 0, count, &corpus));
	for (size_t i = 0; i < count; i++) {
		const wp_pose *a = &corpus.poses[2 * i], *b = &corpus.poses[2 * i + 1];
		double offset[3], size = 0.0;
		for (int k = 0; k < 3; k++) {
			offset[k] = (double)b->position[k] - (double)a->position[k];
			size = fmax(size, fabs(offset[k]));
		}
		_Alignas(WP_ALIGNMENT) float small[WP_SMALL_CORE_FLOATS];
		wp_core core;
		for (size_t k = 0; k < 2; k++) {
			wp_core_of_shape(&corpus.shapes[2 * i + k], &core, small);
			size = fmax(size, (double)core.bound + (double)core.radius);
		}
		const wp_strong_answer r = solve(&corpus.shapes[2 * i], &corpus.shapes[2 * i + 1], offset, b->rotation);
		expect_sound(&r, size, gen_construction_name((gen_construction)corpus.constructions[i]));
		cr_expect(!(r.status & (WP_STATUS_WIDE_BRACKET | WP_STATUS_CAPACITY | WP_STATUS_ITERATION_CAP)),
			"pair %zu (%s): status %x", i, gen_construction_name((gen_construction)corpus.constructions[i]), r.status);
	}
	gen_corpus_free(&corpus);
}
