/* The strong path on its own, on pairs of every construction of the generator. */
#include "strong/strong.h"
#include "support/gen.h"
#include "widephase/query.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static wp_strong_answer solve(const wp_shape *a, const wp_shape *b, const double offset[3], const float rotation_b[4])
{
	_Alignas(WP_ALIGNMENT) static float small[2][WP_SMALL_CORE_FLOATS];
	static wp_core cores[2];
	const char *reason = wp_core_of_shape(a, &cores[0], small[0], NULL);
	cr_assert_null(reason, "shape a: %s", reason);
	reason = wp_core_of_shape(b, &cores[1], small[1], NULL);
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

/* Every construction of the generator: sound, and its bracket inside the contract. */
Test(strong_corpus, generated_pairs_close_their_brackets)
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
			wp_core_of_shape(&corpus.shapes[2 * i + k], &core, small, NULL);
			size = fmax(size, (double)core.bound + (double)core.radius);
		}
		const wp_strong_answer r = solve(&corpus.shapes[2 * i], &corpus.shapes[2 * i + 1], offset, b->rotation);
		expect_sound(&r, size, gen_construction_name((gen_construction)corpus.constructions[i]));
		cr_expect(!(r.status & (WP_STATUS_WIDE_BRACKET | WP_STATUS_CAPACITY | WP_STATUS_ITERATION_CAP)),
			"pair %zu (%s): status %x", i, gen_construction_name((gen_construction)corpus.constructions[i]), r.status);
	}
	gen_corpus_free(&corpus);
}
