/* Compounds: their bytes, and all queries against every pair of children by itself, placed as the library places them, so that
 * answers have the same bits. */
#include "compound/internal.h"
#include "motion/mount.h"
#include "support/block.h"
#include "support/check.h"
#include "support/forge.h"
#include "support/moving_bodies.h"
#include "support/unit.h"

#include <math.h>
#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

enum { BOX, SPHERE, CAPSULE, CYLINDER, HULL, CONE, ELLIPSOID, ROUNDED, TRIANGLE, SEGMENT, POINT, CHILD_SHAPES };
enum { HALF_SPACE = CHILD_SHAPES, SHAPES };

/* Compounds by their number of children: one, a leaf, more than a leaf, several levels; and children in one place. */
enum { COMPOUNDS = 7, MANY = 90, BODIES = 40, ROWS = 90, PAIRS = MANY * MANY, PATCHES = 6 };

static const uint32_t child_counts[COMPOUNDS] = {1, 2, 4, 5, 19, MANY, 6};

static wp_workspace *workspace;
static wp_shape shapes[SHAPES];
static const wp_shape_table *table;
static wp_compound_child children[COMPOUNDS][MANY];
static const wp_compound *compounds[COMPOUNDS];

/* A body and where it goes. */
typedef struct answer {
	float separation, normal[3], lower, upper, local_a[3], local_b[3], fraction;
	double point_a[3], point_b[3];
	uint32_t status, iterations, child_a, child_b;
	uint8_t overlap;
} answer;

typedef struct patches {
	uint32_t pair_count, patch_count;
	wp_compound_patch patch[PATCHES];
} patches;

static const char *const query_names[] = {"overlap", "distance", "contact", "manifold", "cast"};

/* ---- scenes ------------------------------------------------------------------------------------- */

static const wp_hull *make_hull(void)
{
	static const float corners[6][3] = {
		{-0.4f, 0, 0}, {0.5f, 0, 0}, {0, -0.6f, 0}, {0, 0.4f, 0}, {0, 0, -0.5f}, {0, 0, 0.9f}};
	static const uint32_t indices[24] = {0, 3, 4, 0, 5, 3, 0, 4, 2, 0, 2, 5, 1, 4, 3, 1, 3, 5, 1, 2, 4, 1, 5, 2};
	static const uint32_t sizes[8] = {3, 3, 3, 3, 3, 3, 3, 3};
	const wp_hull_input input = {
		.vertices.data = corners[0], .vertex_count = 6, .face_sizes = sizes, .face_indices = indices, .face_count = 8};
	const size_t size = wp_hull_size(6, 8, 24);
	const wp_hull *hull = NULL;
	cr_assert_eq(wp_hull_build(&input, block(size), size, &hull, NULL), WP_OK);
	return hull;
}

static void make_shapes(void)
{
	const size_t size = wp_shape_table_size(SHAPES);
	wp_shape_report report;
	shapes[BOX] = wp_shape_box(0.5f, 0.3f, 0.4f);
	shapes[SPHERE] = wp_shape_sphere(0.5f);
	shapes[CAPSULE] = wp_shape_capsule(0.25f, 0.6f);
	shapes[CYLINDER] = wp_shape_cylinder(0.4f, 0.3f);
	shapes[HULL] = wp_shape_hull(make_hull());
	shapes[CONE] = wp_shape_cone(0.4f, 0.5f);
	shapes[ELLIPSOID] = wp_shape_ellipsoid(0.5f, 0.2f, 0.4f);
	shapes[ROUNDED] = rounded(wp_shape_box(1.5f, 0.1f, 0.2f), 0.1f);
	shapes[TRIANGLE] = wp_shape_triangle(
		(float[]){-0.5f, 0, 0}, (float[]){0.5f, 0.1f, 0.2f}, (float[]){0.1f, 0.3f, 0.6f});
	shapes[SEGMENT] = wp_shape_segment((float[]){-0.3f, 0, 0.2f}, (float[]){0.5f, 0.4f, 0});
	shapes[POINT] = wp_shape_point();
	shapes[HALF_SPACE] = wp_shape_half_space();
	cr_assert_eq(wp_shape_table_build(shapes, SHAPES, block(size), size, &table, &report), WP_OK);
	cr_assert_eq(report.invalid_count, 0u);
}

static wp_compound_child random_child(gen_random *random, double reach)
{
	wp_compound_child child = {.shape = gen_below(random, CHILD_SHAPES), .tag = (uint32_t)gen_bits(random)};
	for (int k = 0; k < 3; k++)
		child.position[k] = gen_rounded(gen_range(random, -reach, reach));
	gen_rotation(random, child.rotation);
	return child;
}

static const wp_compound *compound_of(const wp_compound_child *from, uint32_t count)
{
	const wp_compound *made = NULL;
	size_t bad = SIZE_MAX;
	const size_t size = wp_compound_size(count);
	const wp_error error = wp_compound_build(from, count, table, block(size), size, &made, &bad);
	cr_assert_eq(error, WP_OK, "%s: child %zu of %u", wp_error_text(error), bad, count);
	return made;
}

static void make_compounds(void)
{
	gen_random random;
	gen_seed(&random, 51);
	for (uint32_t c = 0; c < COMPOUNDS; c++) {
		for (uint32_t i = 0; i < child_counts[c]; i++) {
			const double reach = 0.6 * cbrt(child_counts[c]);
			children[c][i] = c + 1 < COMPOUNDS || i == 0 ? random_child(&random, reach) : children[c][0];
		}
		compounds[c] = compound_of(children[c], child_counts[c]);
	}
}

static void setup(void)
{
	make_shapes();
	make_compounds();
	workspace = workspace_of(WP_VARIANT_AUTO);
}

TestSuite(compound, .init = setup);

/* What turns. */
enum { NOTHING, THE_SHAPES, ALL };

/* Bodies in a room of about their size, some of which have a shape, and two a half-space. */
static void make_bodies(uint64_t seed, double far, int turning, body bodies[BODIES])
{
	gen_random random;
	gen_seed(&random, seed);
	for (uint32_t i = 0; i < BODIES; i++) {
		body *const b = &bodies[i];
		b->shape = i < 2 ? HALF_SPACE : i < 10 ? gen_below(&random, CHILD_SHAPES) : WP_COMPOUND + i % COMPOUNDS;
		gen_rotation(&random, b->rotation);
		memcpy(b->end, b->rotation, sizeof b->end);
		if (turning == ALL || (turning == THE_SHAPES && b->shape < HALF_SPACE))
			gen_rotation(&random, b->end);
		for (int k = 0; k < 3; k++) {
			b->position[k] = far + gen_range(&random, -2.5, 2.5);
			b->way[k] = gen_rounded(gen_range(&random, -6, 6));
		}
	}
}

static void make_pairs(uint64_t seed, uint32_t pair[ROWS][2])
{
	gen_random random;
	gen_seed(&random, seed);
	for (uint32_t i = 0; i < ROWS; i++) {
		pair[i][0] = gen_below(&random, BODIES);
		do
			pair[i][1] = gen_below(&random, BODIES);
		while (pair[i][1] == pair[i][0] || (pair[i][0] < 2 && pair[i][1] < 2));
	}
}

/* ---- asking ------------------------------------------------------------------------------------- */

static wp_results results_of(answer *to)
{
	const size_t size = sizeof *to;
	return (wp_results){.separation = {&to->separation, size},
		.normal = {to->normal, size},
		.point_a = {to->point_a, size},
		.point_b = {to->point_b, size},
		.lower = {&to->lower, size},
		.upper = {&to->upper, size},
		.status = {&to->status, size},
		.iterations = {&to->iterations, size},
		.overlap = {&to->overlap, size},
		.local_a = {to->local_a, size},
		.local_b = {to->local_b, size},
		.point_real = WP_REAL_DOUBLE};
}

/* A query of rows, and what it asks. */
typedef struct asked {
	wp_compound_query query;
	const body *bodies;
	uint32_t (*pair)[2];
	float most;
	uint32_t patch_max, ring;
	wp_workspace *workspace;
} asked;

static wp_compound_batch batch_of(const asked *q, size_t count)
{
	return (wp_compound_batch){.shapes = table,
		.compounds = compounds,
		.compound_count = COMPOUNDS,
		.a = bodies_of(q->bodies, BODIES),
		.pair_a = {&q->pair[0][0], sizeof *q->pair},
		.pair_b = {&q->pair[0][1], sizeof *q->pair},
		.count = count};
}

static void ask(const asked *q, size_t count, answer *answers, patches *to, wp_compound_statistics *statistics)
{
	const wp_results results = results_of(answers);
	const wp_child_columns found = {{&answers->child_a, sizeof *answers}, {&answers->child_b, sizeof *answers}};
	const wp_float_column fraction = {&answers->fraction, sizeof *answers};
	const wp_motions motions = motions_of(q->bodies, true);
	const wp_compound_patches manifolds = {.pair_count = {&to->pair_count, sizeof *to},
		.patch_count = {&to->patch_count, sizeof *to},
		.patches = {to->patch, sizeof *to},
		.patch_max = q->patch_max};
	const bool is_cast = q->query == WP_COMPOUND_CAST;
	const wp_compound_request request = {.query = q->query,
		.most = q->most,
		.motions = {is_cast ? &motions : NULL, NULL},
		.fraction = is_cast ? &fraction : NULL,
		.children = &found,
		.patches = q->query == WP_COMPOUND_MANIFOLD ? &manifolds : NULL};
	const wp_compound_batch batch = batch_of(q, count);
	memset(answers, 0, count * sizeof *answers);
	memset(to, 0, count * sizeof *to);
	const wp_error error = wp_compound_run(q->workspace, &batch, &request, &results, statistics, q->ring);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
}

/* ---- every pair of children --------------------------------------------------------------------- */

static uint32_t children_of(const body *b) { return b->shape < WP_COMPOUND ? 1 : child_counts[b->shape - WP_COMPOUND]; }

/* The children of a body as bodies of the table, from a place on; if the body turns, they are where it is, and mounted. */
static uint32_t spread(
	const body *from, const double origin[3], bool is_cast, body *to, const wp_compound_child **mount)
{
	const bool turns = is_cast && memcmp(from->end, from->rotation, sizeof from->end) != 0;
	const uint32_t count = children_of(from);
	double position[3];
	for (int k = 0; k < 3; k++)
		position[k] = from->position[k] - origin[k];
	for (uint32_t i = 0; i < count; i++) {
		to[i] = *from;
		mount[i] = NULL;
		memcpy(to[i].position, position, sizeof position);
		if (from->shape < WP_COMPOUND)
			continue;
		const uint32_t c = from->shape - WP_COMPOUND;
		to[i].shape = children[c][i].shape;
		if (turns) {
			mount[i] = &children[c][i];
			continue;
		}
		wp_compound_child_pose(compounds[c], i, position, from->rotation, to[i].position, to[i].rotation);
		memcpy(to[i].end, to[i].rotation, sizeof to[i].end);
	}
	return count;
}

/* All pairs of children of a row. */
typedef struct brute {
	body a[MANY], b[MANY];
	const wp_compound_child *mount_a[MANY], *mount_b[MANY], *mount[2 * PAIRS];
	uint32_t count_a, count_b, count;
	uint32_t pair[PAIRS][2];
	answer answer[PAIRS];
	wp_manifold_point point[PAIRS][WP_COMPOUND_POINT_MAX];
	uint32_t point_count[PAIRS];
} brute;

static wp_error ask_pairs(const asked *q, brute *all, const wp_batch *batch)
{
	const wp_results results = results_of(all->answer);
	const wp_contact_options options = {q->most};
	const wp_manifolds manifolds = {
		.count = {all->point_count}, .points = {all->point[0]}, .point_max = WP_COMPOUND_POINT_MAX};
	const wp_motions a = motions_of(all->a, true), b = motions_of(all->b, true);
	const wp_float_column fraction = {&all->answer->fraction, sizeof *all->answer};
	switch (q->query) {
	case WP_COMPOUND_OVERLAP:
		return wp_overlap(q->workspace, batch, &results, NULL);
	case WP_COMPOUND_DISTANCE:
		return wp_distance(q->workspace, batch, &results, NULL);
	case WP_COMPOUND_CONTACT:
		return wp_contact(q->workspace, batch, &options, &results, NULL);
	case WP_COMPOUND_MANIFOLD:
		return wp_contact_manifold(q->workspace, batch, &options, &results, &manifolds, NULL);
	default:
		return wp_cast_mounted(q->workspace, batch, &a, &b, all->mount, &results, &fraction, NULL);
	}
}

static void ask_all(const asked *q, uint32_t row, brute *all)
{
	const body *const a = &q->bodies[q->pair[row][0]], *const b = &q->bodies[q->pair[row][1]];
	const bool is_cast = q->query == WP_COMPOUND_CAST;
	all->count_a = spread(a, a->position, is_cast, all->a, all->mount_a);
	all->count_b = spread(b, a->position, is_cast, all->b, all->mount_b);
	all->count = 0;
	for (uint32_t i = 0; i < all->count_a; i++) {
		for (uint32_t j = 0; j < all->count_b; j++) {
			all->mount[(size_t)2 * all->count] = all->mount_a[i];
			all->mount[(size_t)2 * all->count + 1] = all->mount_b[j];
			all->pair[all->count][0] = i;
			all->pair[all->count++][1] = j;
		}
	}
	const wp_batch batch = {.shapes = table,
		.a = bodies_of(all->a, all->count_a),
		.b = bodies_of(all->b, all->count_b),
		.pair_a = {&all->pair[0][0], sizeof *all->pair},
		.pair_b = {&all->pair[0][1], sizeof *all->pair},
		.count = all->count};
	memset(all->answer, 0, all->count * sizeof *all->answer);
	const wp_error error = ask_pairs(q, all, &batch);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
}

static bool counts(const asked *q, const answer *a)
{
	return q->query == WP_COMPOUND_OVERLAP  ? a->overlap != 0
	     : q->query == WP_COMPOUND_CAST     ? (a->status & WP_STATUS_HIT) != 0
	     : q->query == WP_COMPOUND_DISTANCE ? a->separation <= q->most
	                                        : (a->status & WP_STATUS_BEYOND) == 0 && a->lower <= q->most;
}

static bool is_better(const asked *q, const answer *a, const answer *b)
{
	if (q->query == WP_COMPOUND_OVERLAP)
		return false;
	if (q->query == WP_COMPOUND_CAST && a->fraction != b->fraction)
		return a->fraction < b->fraction;
	return a->separation < b->separation;
}

/* The best pair, the first one of several; all->count where there is none. */
static uint32_t best_of(const asked *q, const brute *all)
{
	uint32_t best = all->count;
	for (uint32_t i = 0; i < all->count; i++)
		if (counts(q, &all->answer[i]) && (best == all->count || is_better(q, &all->answer[i], &all->answer[best])))
			best = i;
	return best;
}

static void expect_none(const asked *q, uint32_t row, const answer *got)
{
	const bool has_proof = q->query != WP_COMPOUND_OVERLAP && q->query != WP_COMPOUND_CAST;
	const uint32_t status = WP_STATUS_SEPARATED | (has_proof ? WP_STATUS_BEYOND : 0);
	CHECK(got->child_a == WP_COMPOUND_MISS && got->child_b == WP_COMPOUND_MISS && got->status == status &&
			  isinf(got->separation) && got->overlap == 0 && (!has_proof || got->lower >= q->most) &&
			  got->fraction == (q->query == WP_COMPOUND_CAST ? 1.0f : 0.0f),
		"%s, row %u: children %u, %u of none, status %x, bound %a", query_names[q->query], row, got->child_a,
		got->child_b, got->status, (double)got->lower);
}

/* What a row has is the answer of a pair, bit for bit; points are that much further from the origin. */
static void expect_same(const asked *q, uint32_t row, const answer *got, const brute *all, uint32_t best)
{
	const answer *const want = &all->answer[best];
	const double *const origin = q->bodies[q->pair[row][0]].position;
	float least = INFINITY;
	bool are_points = true;
	for (uint32_t i = 0; i < all->count; i++)
		least = all->answer[i].lower < least ? all->answer[i].lower : least;
	for (int k = 0; k < 3 && q->query != WP_COMPOUND_OVERLAP; k++)
		are_points &= got->point_a[k] == origin[k] + want->point_a[k] &&
		              got->point_b[k] == origin[k] + want->point_b[k];
	CHECK(got->child_a == all->pair[best][0] && got->child_b == all->pair[best][1] && got->fraction == want->fraction &&
			  got->overlap == want->overlap && got->iterations == want->iterations &&
			  (got->status & WP_STATUS_HIT) == (want->status & WP_STATUS_HIT),
		"%s, row %u: children %u, %u, not %u, %u; status %x, not %x", query_names[q->query], row, got->child_a,
		got->child_b, all->pair[best][0], all->pair[best][1], got->status, want->status);
	CHECK(got->separation == want->separation && got->upper == want->upper && got->lower <= want->lower &&
			  (got->lower >= least || got->lower == want->lower) && are_points &&
			  memcmp(got->normal, want->normal, sizeof got->normal) == 0,
		"%s, row %u: separation %a and bounds %a, %a, not %a, %a, %a", query_names[q->query], row,
		(double)got->separation, (double)got->lower, (double)got->upper, (double)want->separation, (double)want->lower,
		(double)want->upper);
}

/* A local point in the frame of its body is the point in the world. */
static void expect_local(const asked *q, uint32_t row, const answer *got)
{
	const float *const local[2] = {got->local_a, got->local_b};
	const double *const point[2] = {got->point_a, got->point_b};
	for (int side = 0; side < 2; side++) {
		const body *const b = &q->bodies[q->pair[row][side]];
		const wp_d3 at = wp_d3_of((double)local[side][0], (double)local[side][1], (double)local[side][2]);
		const double fraction = q->query == WP_COMPOUND_CAST ? (double)got->fraction : 0;
		double world[3];
		if (fraction > 0 && memcmp(b->end, b->rotation, sizeof b->end) != 0)
			continue;
		wp_d3_put(wp_dq_turn(wp_dq_of_rotation(b->rotation), at), world);
		for (int k = 0; k < 3; k++) {
			const double found = b->position[k] + fraction * (double)b->way[k] + world[k];
			CHECK(fabs(found - point[side][k]) <= 1e-5 + 1e-14 * fabs(b->position[k]),
				"%s, row %u, side %d: local point at %a, not %a", query_names[q->query], row, side, found,
				point[side][k]);
		}
	}
}

/* Each pair with points has a patch; the deepest comes first. */
static void expect_patches(const asked *q, uint32_t row, const patches *got, brute *all)
{
	const double *const origin = q->bodies[q->pair[row][0]].position;
	uint32_t left = 0;
	for (uint32_t i = 0; i < all->count; i++)
		left += all->point_count[i] != 0;
	CHECK(got->pair_count == left && got->patch_count == (left < q->patch_max ? left : q->patch_max),
		"row %u: %u patches of %u pairs, not %u", row, got->patch_count, got->pair_count, left);
	for (uint32_t p = 0; p < got->patch_count; p++) {
		const wp_compound_patch *const patch = &got->patch[p];
		uint32_t best = all->count;
		for (uint32_t i = 0; i < all->count; i++)
			if (all->point_count[i] != 0 &&
				(best == all->count || all->answer[i].separation < all->answer[best].separation))
				best = i;
		CHECK(patch->child_a == all->pair[best][0] && patch->child_b == all->pair[best][1] &&
				  patch->separation == all->answer[best].separation && patch->status == all->answer[best].status &&
				  patch->point_count == all->point_count[best] &&
				  memcmp(patch->normal, all->answer[best].normal, sizeof patch->normal) == 0,
			"row %u, patch %u: children %u, %u, not %u, %u", row, p, patch->child_a, patch->child_b, all->pair[best][0],
			all->pair[best][1]);
		for (uint32_t i = 0; i < patch->point_count; i++) {
			const wp_manifold_point *const point = &patch->points[i], *const want = &all->point[best][i];
			bool same = point->separation == want->separation && point->feature_a == want->feature_a &&
			            point->feature_b == want->feature_b;
			for (int k = 0; k < 3; k++)
				same &= point->point_a[k] == (float)(origin[k] + (double)want->point_a[k]) &&
				        point->point_b[k] == (float)(origin[k] + (double)want->point_b[k]);
			CHECK(same, "row %u, patch %u, point %u differs", row, p, i);
		}
		all->point_count[best] = 0;
	}
}

/* Rows that have an answer, of one query. */
static uint32_t compare(const asked *q)
{
	static answer got[ROWS];
	static patches manifolds[ROWS];
	static brute all;
	uint32_t answered = 0;
	wp_compound_statistics statistics = {0};
	ask(q, ROWS, got, manifolds, &statistics);
	for (uint32_t row = 0; row < ROWS; row++) {
		ask_all(q, row, &all);
		const uint32_t best = best_of(q, &all);
		if (best == all.count) {
			expect_none(q, row, &got[row]);
		} else {
			expect_same(q, row, &got[row], &all, best);
			if (q->query != WP_COMPOUND_OVERLAP)
				expect_local(q, row, &got[row]);
			answered++;
		}
		if (q->query == WP_COMPOUND_MANIFOLD)
			expect_patches(q, row, &manifolds[row], &all);
	}
	CHECK(statistics.rows == ROWS && statistics.invalid == 0 && statistics.solved <= statistics.pairs &&
			  statistics.pairs != 0,
		"%s: %llu rows, %llu invalid", query_names[q->query], (unsigned long long)statistics.rows,
		(unsigned long long)statistics.invalid);
	return answered;
}

Test(compound, has_bits_of_children)
{
	static body bodies[BODIES];
	static uint32_t pair[ROWS][2];
	static const double far[3] = {0, 1e7, 0};
	static const float most[3][5] = {{0, INFINITY, 0, 0, 0}, {0, 0.7f, INFINITY, 0.4f, 0}};
	for (uint32_t turn = NOTHING; turn <= ALL; turn++) {
		make_bodies(60 + turn, far[turn], (int)turn, bodies);
		make_pairs(80 + turn, pair);
		for (uint32_t query = turn == ALL ? WP_COMPOUND_CAST : 0; query <= WP_COMPOUND_CAST; query++) {
			const asked q = {.query = (wp_compound_query)query,
				.bodies = bodies,
				.pair = pair,
				.most = most[turn][query],
				.patch_max = turn == 0 ? PATCHES : 2,
				.ring = WP_COMPOUND_RING,
				.workspace = workspace};
			const uint32_t answered = compare(&q);
			CHECK(answered > ROWS / 5, "%s: %u rows have an answer", query_names[query], answered);
		}
	}
}

Test(compound, does_not_depend_on_variant_ring_or_order)
{
	static body bodies[BODIES];
	static uint32_t pair[ROWS][2], turned[ROWS][2];
	static answer want[ROWS], got[ROWS];
	static patches want_patches[ROWS], got_patches[ROWS];
	static const uint32_t rings[] = {1, 7, 64};
	wp_workspace *workspaces[WP_VARIANT_COUNT];
	take_workspaces(workspaces);
	make_bodies(7, 3, ALL, bodies);
	make_pairs(8, pair);
	for (uint32_t i = 0; i < ROWS; i++)
		memcpy(turned[i], pair[ROWS - 1 - i], sizeof *turned);
	for (uint32_t query = 0; query <= WP_COMPOUND_CAST; query++) {
		asked q = {(wp_compound_query)query, bodies, pair, 0.3f, 3, WP_COMPOUND_RING, workspaces[WP_VARIANT_SCALAR]};
		ask(&q, ROWS, want, want_patches, NULL);
		q.pair = turned;
		for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
			for (size_t r = 0; r < COUNT_OF(rings) && workspaces[v] != NULL; r++) {
				q.ring = rings[r];
				q.workspace = workspaces[v];
				ask(&q, ROWS, got, got_patches, NULL);
				for (uint32_t i = 0; i < ROWS; i++)
					CHECK(memcmp(&got[i], &want[ROWS - 1 - i], sizeof *got) == 0 &&
							  memcmp(&got_patches[i], &want_patches[ROWS - 1 - i], sizeof *got_patches) == 0,
						"%s, %s, ring of %u, row %u differs", query_names[query], wp_variant_name((wp_variant)v),
						rings[r], i);
			}
		}
	}
}

/* ---- casts that turn ---------------------------------------------------------------------------- */

/* The least separation of two bodies of a cast at a fraction. */
static float separation_at(const body from[2], double fraction)
{
	static body at[BODIES];
	static uint32_t pair[1][2] = {{0, 1}};
	static answer got[1];
	static patches unused[1];
	at[0] = moved(&from[0], fraction);
	at[1] = moved(&from[1], fraction);
	const asked q = {WP_COMPOUND_CONTACT, at, pair, INFINITY, 4, WP_COMPOUND_RING, workspace};
	ask(&q, 1, got, unused, NULL);
	return got[0].separation;
}

static void put_place(float place[3], double x, double y)
{
	place[0] = (float)x;
	place[1] = (float)y;
	place[2] = 0;
}

/* Bodies that turn are apart wherever they are looked at before their fraction, and touch there. */
Test(compound, turning_casts_end_at_the_first_touch)
{
	enum { SAMPLES = 60 };
	static body bodies[BODIES];
	static uint32_t pair[ROWS][2];
	static answer got[ROWS];
	static patches unused[ROWS];
	const float slack = 1e-4f;
	uint32_t hits = 0, misses = 0;
	make_bodies(31, 0, ALL, bodies);
	make_pairs(32, pair);
	/* Half of them go through the middle. */
	for (uint32_t i = 0; i < BODIES; i++) {
		for (int k = 0; k < 3; k++) {
			bodies[i].position[k] *= 3;
			bodies[i].way[k] = i % 2 == 0 ? (float)(-1.7 * bodies[i].position[k]) : bodies[i].way[k];
		}
	}
	const asked q = {WP_COMPOUND_CAST, bodies, pair, 0, 4, WP_COMPOUND_RING, workspace};
	ask(&q, ROWS, got, unused, NULL);
	for (uint32_t row = 0; row < ROWS; row++) {
		const body both[2] = {bodies[pair[row][0]], bodies[pair[row][1]]};
		const bool is_hit = (got[row].status & WP_STATUS_HIT) != 0;
		const double end = (double)got[row].fraction;
		CHECK((got[row].status & (WP_STATUS_INVALID | WP_STATUS_ITERATION_CAP)) == 0, "row %u: status %x", row,
			got[row].status);
		if (end == 0)
			continue;
		for (int i = 0; i < SAMPLES; i++) {
			const double fraction = end * i / SAMPLES;
			const float apart = separation_at(both, fraction);
			CHECK(apart > -slack, "row %u: separation %a at %a, before %a", row, (double)apart, fraction, end);
		}
		const float apart = separation_at(both, end);
		CHECK(is_hit ? fabsf(apart) < slack : apart > -slack, "row %u: separation %a at its end %a", row, (double)apart,
			end);
		hits += is_hit;
		misses += !is_hit;
	}
	CHECK(hits > ROWS / 4 && misses > ROWS / 10, "%u hits, %u misses", hits, misses);
}

/* Two balls at the ends of a long bar, which turns, and two balls on its way, of which either is hit first: one of them a little
 * aside, so that its box is met long before it. */
Test(compound, turning_casts_of_long_bars)
{
	enum { SAMPLES = 100 };
	const double arm = 20;
	static body bodies[BODIES];
	static uint32_t pair[ROWS][2] = {{0, 1}};
	static answer got[1];
	static patches unused[1];
	gen_random random;
	gen_seed(&random, 61);
	wp_compound_child list[2] = {
		{.rotation = {0, 0, 0, 1}, .shape = SPHERE}, {.rotation = {0, 0, 0, 1}, .shape = SPHERE}};
	list[0].position[0] = (float)arm;
	list[1].position[0] = (float)-arm;
	compounds[0] = compound_of(list, 2);
	bodies[0] = (body){.rotation = {0, 0, 0, 1}, .end = {0, 0, (float)sin(1), (float)cos(1)}, .shape = WP_COMPOUND};
	bodies[1] = (body){.rotation = {0, 0, 0, 1}, .end = {0, 0, 0, 1}, .shape = WP_COMPOUND + 1};
	/* One pair after the other, so that the first answer may leave out the others. */
	const asked q = {WP_COMPOUND_CAST, bodies, pair, 0, 4, 1, workspace};
	for (int i = 0; i < 60; i++) {
		const double first = gen_range(&random, 0.1, 1.8), second = first + gen_range(&random, -0.02, 0.01);
		put_place(list[0].position, arm * cos(first), arm * sin(first));
		put_place(list[1].position, -arm * cos(second), -arm * sin(second));
		list[1].position[2] = 0.9f;
		compounds[1] = compound_of(list, 2);
		ask(&q, 1, got, unused, NULL);
		const double end = (double)got[0].fraction;
		CHECK(got[0].status & WP_STATUS_HIT, "%g and %g: status %x", first, second, got[0].status);
		for (int k = 0; k < SAMPLES; k++) {
			const float apart = separation_at(bodies, end * k / SAMPLES);
			CHECK(apart > -1e-4f, "%g and %g: separation %a at %g of %g", first, second, (double)apart,
				end * k / SAMPLES, end);
		}
	}
}

/* A small ball far from the origin of its compound, which turns about the way to it, flies fast at another one that is near. The gap
 * was once none up to 2^-28 of that arm. */
Test(compound, turning_casts_of_small_balls_on_long_arms)
{
	enum { ARMS = 36, GAPS = 22, WAYS = 40 };
	const float radius = 0x1p-10f, turned[4] = {0x1p-20f, 0, 0, 1}, still[4] = {0, 0, 0, 1};
	const wp_shape ball = wp_shape_sphere(radius);
	const size_t size = wp_shape_table_size(1);
	const wp_shape_table *own;
	cr_assert_eq(wp_shape_table_build(&ball, 1, block(size), size, &own, NULL), WP_OK);
	for (int i = 0; i < ARMS * GAPS * WAYS; i++) {
		const double arm = ldexp(1, i % ARMS), gap = ldexp(1, i / ARMS % GAPS - 30);
		const wp_compound_child child = {.position = {(float)arm, 0, 0}, .rotation = {0, 0, 0, 1}};
		const wp_compound *compound;
		static _Alignas(WP_ALIGNMENT) char memory[512];
		cr_assert_eq(wp_compound_build(&child, 1, own, memory, sizeof memory, &compound, NULL), WP_OK);
		const double place_b[3] = {arm + 2 * (double)radius + gap, 0, 0}, place_a[3] = {0, 0, 0};
		const float way[3] = {(float)ldexp(1, 4 + i / (ARMS * GAPS)), 0, 0};
		const uint32_t shape_a = WP_COMPOUND, shape_b = 0;
		const wp_compound_batch batch = {.shapes = own,
			.compounds = &compound,
			.compound_count = 1,
			.a = {{place_a, 0}, {still, 0}, {&shape_a, 0}, 1, WP_REAL_DOUBLE},
			.b = {{place_b, 0}, {still, 0}, {&shape_b, 0}, 1, WP_REAL_DOUBLE},
			.count = 1};
		const wp_motions motion = {.translation.data = way, .rotation.data = turned};
		wp_row row;
		float fraction;
		const wp_results results = wp_results_of_rows(&row);
		cr_assert_eq(
			wp_compound_cast(workspace, &batch, &motion, NULL, &results, &(wp_float_column){&fraction, 0}, NULL, NULL),
			WP_OK);
		const bool says = row.status & WP_STATUS_WIDE_BRACKET;
		CHECK(row.status & WP_STATUS_HIT && (says ? arm > 1e4 || way[0] > 1e4f : arm < 1e6),
			"arm %g, way %g: status %x", arm, (double)way[0], row.status);
		CHECK(says || fabs((double)row.separation) <= 6e-6 * (double)radius, "arm %g, gap %g, way %g: separation %a",
			arm, gap, (double)way[0], (double)row.separation);
	}
}

/* A row of two bodies that are not turned: shapes of a table of its own, and a compound of them, of two children mostly. */
typedef struct duo {
	const wp_shape_table *table;
	const wp_compound *compound;
} duo;

static duo make_duo_of(const wp_shape *list, size_t shape_count, const wp_compound_child *from, size_t count)
{
	const size_t size = wp_shape_table_size(shape_count), bytes = wp_compound_size(count);
	duo made;
	cr_assert_eq(wp_shape_table_build(list, shape_count, block(size), size, &made.table, NULL), WP_OK);
	cr_assert_eq(wp_compound_build(from, count, made.table, block(bytes), bytes, &made.compound, NULL), WP_OK);
	return made;
}

static duo make_duo(const wp_shape list[2], const wp_compound_child both[2]) { return make_duo_of(list, 2, both, 2); }

static wp_compound_batch batch_of_duo(const duo *of, const double position[2][3], const uint32_t shape[2])
{
	static const float rotation[2][4] = {{0, 0, 0, 1}, {0, 0, 0, 1}};
	static const uint32_t first = 0, second = 1;
	return (wp_compound_batch){.shapes = of->table,
		.compounds = &of->compound,
		.compound_count = 1,
		.a = {.position = {position[0]},
			.rotation = {rotation[0]},
			.shape = {shape},
			.count = 2,
			.position_real = WP_REAL_DOUBLE},
		.pair_a = {&first},
		.pair_b = {&second},
		.count = 1};
}

/* The core of a shape by a function may be beside its origin: how far another one is at most is not known from that. */
static void support_ball_aside(const void *context, const double direction[3], double point[3])
{
	(void)context;
	const double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
	for (int k = 0; k < 3; k++)
		point[k] = (k == 0 ? 5.0 : 0.0) + 0.5 * direction[k] / length;
}

Test(compound, distances_of_cores_beside_their_origins)
{
	const wp_custom custom = {.support = support_ball_aside, .bound = 6};
	const wp_shape list[2] = {wp_shape_custom(&custom), wp_shape_sphere(0.5f)};
	const wp_compound_child both[2] = {
		{.rotation = {0, 0, 0, 1}, .shape = 0}, {.position = {0, 3, 0}, .rotation = {0, 0, 0, 1}, .shape = 1}};
	static const double position[2][3] = {{0, 0, 0}, {0, 0, 0}};
	static const uint32_t shape[2] = {WP_COMPOUND, 1};
	const duo made = make_duo(list, both);
	const wp_compound_batch batch = batch_of_duo(&made, position, shape);
	wp_row row;
	uint32_t child;
	const wp_results results = wp_results_of_rows(&row);
	const wp_child_columns children_of_row = {.a = {.data = &child}};
	cr_assert_eq(wp_compound_distance(workspace, &batch, NULL, &results, &children_of_row, NULL), WP_OK);
	cr_assert(child == 1 && fabsf(row.separation - 2) < 1e-5f, "child %u, %g", child, (double)row.separation);
}

/* A small child that a ball from far away goes past, by less than rounding may hide, before it hits a large one, of which rounding
 * hides nothing. */
Test(compound, long_ways_past_small_children)
{
	const wp_shape list[2] = {wp_shape_sphere(0.5f), wp_shape_box(4096, 1, 4096)};
	const wp_compound_child both[2] = {
		{.rotation = {0, 0, 0, 1}, .shape = 0}, {.position = {0, -4096, 0}, .rotation = {0, 0, 0, 1}, .shape = 1}};
	const duo made = make_duo(list, both);
	for (int exponent = 20; exponent <= 38; exponent += 18) {
		const double position[2][3] = {{0.8, ldexp(1, exponent), 0.8}, {0, 0, 0}};
		static const uint32_t shape[2] = {0, WP_COMPOUND};
		const float way[2][3] = {{0, -ldexpf(1, exponent + 1), 0}, {0, 0, 0}};
		const wp_motions motions = {.translation = {way[0]}};
		const wp_compound_batch batch = batch_of_duo(&made, position, shape);
		wp_row row;
		float fraction;
		uint32_t child;
		const wp_results results = wp_results_of_rows(&row);
		const wp_float_column fractions = {&fraction, 0};
		const wp_child_columns found = {.b = {.data = &child}};
		cr_assert_eq(wp_compound_cast(workspace, &batch, &motions, NULL, &results, &fractions, &found, NULL), WP_OK);
		cr_assert(
			child == 1 && row.status & WP_STATUS_HIT && !(row.status & WP_STATUS_WIDE_BRACKET) == (exponent == 20),
			"from 2^%d: child %u, status %x", exponent, child, row.status);
	}
}

/* A ball that has no points towards one side of X. */
static void support_half_ball(const void *context, const double direction[3], double point[3])
{
	const double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
	const bool fails = *(const double *)context * direction[0] > 0.7 * length;
	for (int k = 0; k < 3; k++)
		point[k] = fails ? (double)NAN : 0.01 * direction[k] / length;
}

/* A pair of children without an answer spoils the row where it might have been the answer: it comes before the one that is. */
Test(compound, answers_that_functions_spoil)
{
	static const double position[2][3] = {{0, 0, 0}, {0, 0, 0}};
	static const uint32_t shape[2] = {0, WP_COMPOUND};
	for (int query = 0; query < 2; query++)
		for (int side = -1; side <= 1; side += 2) {
			const double sign = side;
			const wp_custom half = {.support = support_half_ball, .context = &sign, .bound = 0.02f};
			const wp_shape list[2] = {
				{.kind = WP_SHAPE_CUSTOM, .custom = &half, .radius = 0.5f}, wp_shape_box(0.2f, 1, 1)};
			const wp_compound_child both[2] = {{.position = {-0.5f, 0, 0}, .rotation = {0, 0, 0, 1}, .shape = 1},
				{.position = {0.5f, 0, 0}, .rotation = {0, 0, 0, 1}, .shape = 1}};
			const duo made = make_duo(list, both);
			const wp_compound_batch batch = batch_of_duo(&made, position, shape);
			wp_row row;
			uint32_t child;
			const wp_results results = wp_results_of_rows(&row);
			const wp_child_columns found = {.b = {.data = &child}};
			cr_assert_eq(query == 0 ? wp_compound_overlap(workspace, &batch, &results, &found, NULL)
									: wp_compound_distance(workspace, &batch, NULL, &results, &found, NULL),
				WP_OK);
			if (side < 0)
				cr_assert_eq(
					row.status, WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_A, "query %d: %x", query, row.status);
			else
				cr_assert(child == 0 && !(row.status & (WP_STATUS_INVALID | WP_STATUS_SEPARATED)),
					"query %d: %x, child %u", query, row.status, child);
		}
}

/* A long box that turns is met wherever it comes to. */
Test(compound, shapes_that_turn_into_children)
{
	const wp_shape list[2] = {wp_shape_box(4, 0.1f, 0.1f), wp_shape_sphere(0.25f)};
	const size_t size = wp_shape_table_size(2), bytes = wp_compound_size(1);
	const wp_shape_table *two;
	cr_assert_eq(wp_shape_table_build(list, 2, block(size), size, &two, NULL), WP_OK);
	const wp_compound_child child = {.position = {0, 3, 0}, .rotation = {0, 0, 0, 1}, .shape = 1};
	const wp_compound *made;
	cr_assert_eq(wp_compound_build(&child, 1, two, block(bytes), bytes, &made, NULL), WP_OK);
	static const double position[2][3] = {{0, 0, 0}, {0, 0, 0}};
	static const float start[2][4] = {{0, 0, 0, 1}, {0, 0, 0, 1}};
	const float end[2][4] = {{0, 0, 0.8f, 0.6f}, {0, 0, 0, 1}};
	static const uint32_t shape[2] = {0, WP_COMPOUND}, first = 0, second = 1;
	const wp_motions motions = {.rotation = {end[0]}};
	const wp_compound_batch batch = {.shapes = two,
		.compounds = &made,
		.compound_count = 1,
		.a = {.position = {position[0]},
			.rotation = {start[0]},
			.shape = {shape},
			.count = 2,
			.position_real = WP_REAL_DOUBLE},
		.pair_a = {&first},
		.pair_b = {&second},
		.count = 1};
	wp_row row;
	float fraction;
	const wp_results results = wp_results_of_rows(&row);
	const wp_float_column fractions = {&fraction, 0};
	cr_assert_eq(wp_compound_cast(workspace, &batch, &motions, NULL, &results, &fractions, NULL, NULL), WP_OK);
	cr_assert(row.status & WP_STATUS_HIT && fraction > 0.6f && fraction < 0.9f, "status %x, fraction %g", row.status,
		(double)fraction);
}

/* A child at the origin of its body that turns hits when its shape would. */
Test(compound, child_at_the_origin_turns_as_its_shape)
{
	static body bodies[BODIES];
	static uint32_t pair[ROWS][2];
	static answer of_child[ROWS], of_shape[ROWS];
	static patches unused[ROWS];
	make_bodies(41, 0, ALL, bodies);
	for (uint32_t i = 0; i < COMPOUNDS; i++) {
		const wp_compound_child child = {.rotation = {0, 0, 0, 1}, .shape = i};
		compounds[i] = compound_of(&child, 1);
	}
	for (uint32_t i = 0; i < ROWS; i++) {
		pair[i][0] = 2 + i % 8;
		pair[i][1] = 10 + i % (BODIES - 10);
	}
	const asked q = {WP_COMPOUND_CAST, bodies, pair, 0, 4, WP_COMPOUND_RING, workspace};
	ask(&q, ROWS, of_child, unused, NULL);
	for (uint32_t i = 10; i < BODIES; i++)
		bodies[i].shape -= WP_COMPOUND;
	ask(&q, ROWS, of_shape, unused, NULL);
	for (uint32_t i = 0; i < ROWS; i++)
		CHECK(fabsf(of_child[i].fraction - of_shape[i].fraction) < 1e-5f &&
				  (of_child[i].status & WP_STATUS_HIT) == (of_shape[i].status & WP_STATUS_HIT),
			"row %u: fraction %a, not %a", i, (double)of_child[i].fraction, (double)of_shape[i].fraction);
}

/* Children so far from their bodies' origins that the rounding of places is larger than they are. A bound without room for it
 * left out all pairs. */
Test(compound, answers_children_far_from_their_body)
{
	const float far = -0x1.cbcbcap+76f;
	const float place[7][3] = {{-0x1.8p+0f, 0, -0x1.cp-2f}, {-1, 0x1.8p-1f, -0x1p-1f},
		{0x1.38p+1f, -0x1.58p+2f, -0x1.58p+2f}, {-0x1.48p+2f, far, far}, {far, far, far}, {far, far, far},
		{-7, -7, far}};
	const uint32_t kind[7] = {BOX, SPHERE, SPHERE, CAPSULE, SPHERE, SPHERE, SPHERE};
	wp_compound_child list[7];
	for (int i = 0; i < 7; i++) {
		list[i] = (wp_compound_child){.rotation = {0, 0, 0, 1}, .shape = kind[i]};
		memcpy(list[i].position, place[i], sizeof place[i]);
	}
	list[1].rotation[0] = list[2].rotation[0] = 1;
	list[1].rotation[3] = list[2].rotation[3] = 0;
	compounds[0] = compound_of(list, 7);
	static body bodies[BODIES];
	static uint32_t pair[ROWS][2] = {{0, 1}, {1, 0}};
	static answer got[2];
	static patches unused[2];
	bodies[0] = (body){.rotation = {0, 0, 0, 1}, .shape = WP_COMPOUND};
	bodies[1] = (body){
		.position = {(double)far, (double)far, 0x1.06p-121}, .rotation = {0, 0, 0, 1}, .shape = WP_COMPOUND};
	for (uint32_t query = WP_COMPOUND_DISTANCE; query <= WP_COMPOUND_CONTACT; query++) {
		const asked q = {(wp_compound_query)query, bodies, pair, INFINITY, 4, WP_COMPOUND_RING, workspace};
		ask(&q, 2, got, unused, NULL);
		for (int i = 0; i < 2; i++)
			CHECK(got[i].child_a < 7 && got[i].child_b < 7 && got[i].separation < 0x1p+40f,
				"%s, row %d: children %u, %u, separation %a", query_names[query], i, got[i].child_a, got[i].child_b,
				(double)got[i].separation);
	}
}

/* A shape as the only child of a compound, in its place, has the answers of the shape. */
Test(compound, of_one_child_is_its_shape)
{
	static answer got[2 * CHILD_SHAPES];
	static patches unused[2 * CHILD_SHAPES];
	static body bodies[BODIES];
	static uint32_t pair[ROWS][2];
	static const wp_compound *alone[CHILD_SHAPES];
	gen_random random;
	gen_seed(&random, 5);
	for (uint32_t i = 0; i < CHILD_SHAPES; i++) {
		const wp_compound_child child = {.rotation = {0, 0, 0, 1}, .shape = i};
		alone[i] = compound_of(&child, 1);
		body *const b = &bodies[i + 1];
		*b = (body){.shape = i};
		for (int k = 0; k < 3; k++)
			b->position[k] = gen_range(&random, -0.8, 0.8);
		gen_rotation(&random, b->rotation);
		memcpy(b->end, b->rotation, sizeof b->end);
		bodies[i + 1 + CHILD_SHAPES] = *b;
		bodies[i + 1 + CHILD_SHAPES].shape = WP_COMPOUND + i;
	}
	bodies[0] = (body){.rotation = {0, 0, 0, 1}, .end = {0, 0, 0, 1}, .shape = HULL};
	for (uint32_t i = 0; i < 2 * CHILD_SHAPES; i++)
		pair[i][1] = i + 1;
	for (uint32_t i = 0; i < COMPOUNDS; i++)
		compounds[i] = alone[i];
	for (uint32_t query = 0; query < WP_COMPOUND_CAST; query++) {
		const asked q = {(wp_compound_query)query, bodies, pair, 5, 4, WP_COMPOUND_RING, workspace};
		ask(&q, 2 * CHILD_SHAPES, got, unused, NULL);
		for (uint32_t i = 0; i < COMPOUNDS; i++) {
			const answer *const shape = &got[i], *const child = &got[i + CHILD_SHAPES];
			CHECK(shape->child_a == child->child_a &&
					  (shape->separation == child->separation || fabsf(shape->separation - child->separation) <= 1e-5f),
				"%s, shape %u: %a, not %a", query_names[query], i, (double)child->separation,
				(double)shape->separation);
		}
	}
}

/* ---- bytes -------------------------------------------------------------------------------------- */

Test(compound, keeps_children)
{
	for (uint32_t c = 0; c < COMPOUNDS; c++) {
		float lower[3], upper[3];
		wp_compound_bounds(compounds[c], lower, upper);
		cr_assert_eq(wp_compound_child_count(compounds[c]), child_counts[c]);
		cr_assert_eq(wp_compound_byte_size(compounds[c]), wp_compound_size(child_counts[c]));
		for (uint32_t i = 0; i < child_counts[c]; i++) {
			wp_compound_child child;
			wp_compound_child_at(compounds[c], i, &child);
			CHECK(memcmp(&child, &children[c][i], sizeof child) == 0, "compound %u: child %u is another one", c, i);
			for (int k = 0; k < 3; k++)
				CHECK(lower[k] < child.position[k] && child.position[k] < upper[k], "compound %u: child %u outside", c,
					i);
		}
		cr_assert_eq(wp_compound_check(compounds[c], table, NULL), WP_OK);
	}
}

/* Trees of all sizes have the nodes that are counted for them: what was built is what is read. */
Test(compound, of_any_size_is_read)
{
	static wp_compound_child many[300];
	gen_random random;
	gen_seed(&random, 9);
	for (uint32_t i = 0; i < 300; i++)
		many[i] = random_child(&random, 5);
	for (uint32_t count = 1; count <= 300; count++) {
		const wp_compound *const made = compound_of(many, count), *read = NULL;
		const size_t size = wp_compound_size(count);
		void *const copy = block(size);
		memcpy(copy, made, size);
		CHECK(wp_compound_from_memory(copy, size, &read) == WP_OK && read == copy, "%u children are refused", count);
		cr_assert_eq(wp_compound_from_memory(copy, size - 1, &read), WP_ERROR_COMPOUND_CORRUPT);
		block_free(copy);
		block_free((void *)(uintptr_t)made);
	}
}

/* A byte that differs is found, and one with a checksum that was made to fit leads nowhere outside. */
Test(compound, refuses_damage)
{
	const wp_compound *const made = compounds[4], *read = NULL;
	const size_t size = wp_compound_byte_size(made);
	unsigned char *const copy = block(size);
	answer got[ROWS];
	static patches unused[ROWS];
	static body bodies[BODIES];
	static uint32_t pair[ROWS][2];
	make_bodies(3, 0, NOTHING, bodies);
	make_pairs(4, pair);
	const asked q = {WP_COMPOUND_MANIFOLD, bodies, pair, 0.2f, 4, WP_COMPOUND_RING, workspace};
	size_t accepted = 0;
	for (size_t at = 0; at < size; at++) {
		memcpy(copy, made, size);
		copy[at] ^= 1u << at % 8;
		CHECK(wp_compound_from_memory(copy, size, &read) == WP_ERROR_COMPOUND_CORRUPT && read == NULL,
			"byte %zu may differ", at);
		wp_compound *const forged = (wp_compound *)(void *)copy;
		if (forged->byte_size == size)
			forged->checksum = wp_compound_checksum(forged);
		if (wp_compound_from_memory(copy, size, &read) != WP_OK)
			continue;
		compounds[4] = read;
		ask(&q, 20, got, unused, NULL);
		accepted++;
	}
	cr_assert(accepted > 100 && accepted < size, "%zu of %zu accepted", accepted, size);
}

/* A compound whose numbers may be changed. */
typedef struct forgery {
	wp_compound *whole;
	wp_compound_node *nodes;
	wp_compound_part *parts;
	uint32_t *sources, *places;
} forgery;

static forgery begin_forgery(void)
{
	const size_t size = wp_compound_byte_size(compounds[4]);
	wp_compound *const copy = block(size);
	memcpy(copy, compounds[4], size);
	const wp_compound_view view = wp_compound_view_of(copy);
	return (forgery){copy, (wp_compound_node *)(uintptr_t)view.nodes, (wp_compound_part *)(uintptr_t)view.parts,
		(uint32_t *)(uintptr_t)view.sources, (uint32_t *)(uintptr_t)view.places};
}

static void end_forgery(forgery f, wp_error wanted, const char *change)
{
	const wp_compound *read = NULL;
	const size_t size = wp_compound_byte_size(compounds[4]);
	if (f.whole->byte_size <= size)
		f.whole->checksum = wp_compound_checksum(f.whole);
	const wp_error error = wp_compound_from_memory(f.whole, size, &read);
	cr_assert_eq(error, wanted, "%s: %s", change, wp_error_text(error));
	block_free(f.whole);
}

#define REFUSES(change)                                     \
	do {                                                    \
		const forgery f = begin_forgery();                  \
		change;                                             \
		end_forgery(f, WP_ERROR_COMPOUND_CORRUPT, #change); \
	} while (0)

/* What a compound of no children would be, whose only node has none. */
static void leave_no_child(forgery f)
{
	f.whole->child_count = 0;
	f.whole->node_count = f.whole->depth = 1;
	f.whole->byte_size = wp_compound_lay_out(0, 1).end;
	f.nodes[0].first = f.nodes[0].count = 0;
}

/* Numbers that are none of a compound's, with a checksum that is right for them. */
Test(compound, refuses_forged_numbers)
{
	end_forgery(begin_forgery(), WP_OK, "none");
	REFUSES(f.whole->magic++);
	REFUSES(f.whole->version++);
	REFUSES(f.whole->depth++);
	REFUSES(f.whole->byte_size -= WP_ALIGNMENT);
	REFUSES(f.whole->byte_size += WP_ALIGNMENT);
	REFUSES(f.whole->child_count = 0);
	REFUSES(leave_no_child(f));
	REFUSES(f.whole->child_count--);
	REFUSES(f.whole->child_count = WP_COMPOUND_CHILD_MAX + 1);
	REFUSES(f.whole->node_count++);
	REFUSES(f.whole->reserved = 1);
	REFUSES(f.whole->reach = INFINITY);
	REFUSES(f.parts[3].reach = nextafterf(f.whole->reach, INFINITY));
	REFUSES(f.parts[3].reach = -1);
	REFUSES(f.parts[3].reach = NAN);
	REFUSES(f.whole->reach = f.parts[3].reach = 2e30f);
	REFUSES(f.places[3] = f.places[4]);
	REFUSES(f.places[3] = 19);
	REFUSES(f.places[3] = UINT32_MAX);
	REFUSES(f.sources[f.places[3]] = 4);
	REFUSES(f.nodes[0].count = 1);
	REFUSES(f.nodes[0].first++);
	const wp_compound_view view = wp_compound_view_of(compounds[4]);
	uint32_t leaf = 0;
	while (view.nodes[leaf].count == 0)
		leaf++;
	REFUSES(f.nodes[leaf].count++);
	REFUSES(f.nodes[leaf].count--);
	REFUSES(f.nodes[leaf].first++);
}

/* Boxes that do not hold what is in them, or that are none, and children without a pose. */
Test(compound, refuses_forged_boxes)
{
	const wp_compound_view view = wp_compound_view_of(compounds[4]);
	for (int k = 0; k < 3; k++) {
		REFUSES(f.whole->lower[k] = nextafterf(f.whole->lower[k], -INFINITY));
		REFUSES(f.whole->upper[k] = nextafterf(f.whole->upper[k], INFINITY));
		REFUSES(f.whole->lower[k] = f.nodes[0].lower[k] = -2e30f);
		REFUSES(f.whole->upper[k] = f.nodes[0].upper[k] = 2e30f);
		REFUSES(f.parts[5].child.position[k] = NAN);
		REFUSES(f.parts[5].child.position[k] = 2e30f);
		REFUSES(f.parts[5].child.rotation[k] = NAN);
		REFUSES(f.parts[5].child.rotation[k] = 2);
		/* Each node's box touches that of something in it. */
		for (uint32_t i = 0; i < compounds[4]->node_count; i++) {
			REFUSES(f.nodes[i].lower[k] = nextafterf(f.nodes[i].lower[k], INFINITY);
					f.whole->lower[k] = f.nodes[0].lower[k]);
			REFUSES(f.nodes[i].upper[k] = nextafterf(f.nodes[i].upper[k], -INFINITY);
					f.whole->upper[k] = f.nodes[0].upper[k]);
			REFUSES(f.nodes[i].lower[k] = NAN);
			REFUSES(f.nodes[i].upper[k] = NAN);
		}
		/* And parts lie in the boxes of all nodes above them. */
		for (uint32_t i = 0; i < compounds[4]->child_count; i++) {
			REFUSES(f.parts[i].lower[k] = nextafterf(view.nodes[0].lower[k], -INFINITY));
			REFUSES(f.parts[i].upper[k] = nextafterf(view.nodes[0].upper[k], INFINITY));
			REFUSES(f.parts[i].lower[k] = nextafterf(f.parts[i].upper[k], INFINITY));
			REFUSES(f.parts[i].lower[k] = NAN);
			REFUSES(f.parts[i].upper[k] = NAN);
		}
	}
}

Test(compound, leaves_the_rounding_of_the_caller)
{
	const wp_compound *read;
	const size_t size = wp_compound_byte_size(compounds[1]), count = wp_compound_child_count(compounds[1]);
	void *const copy = block(size);
	memcpy(copy, compounds[1], size);
	static const double position[3] = {1, 2, 3};
	static const float rotation[4] = {0, 0, 0, 1};
	double child_position[3];
	float child_rotation[4];
	KEEPS_ROUNDING(wp_compound_from_memory(copy, size, &read));
	KEEPS_ROUNDING(wp_compound_check(compounds[1], table, NULL));
	KEEPS_ROUNDING((wp_compound_child_pose(compounds[1], 0, position, rotation, child_position, child_rotation), 0));
	KEEPS_ROUNDING(wp_compound_build(children[1], count, table, copy, size, &read, NULL));
	block_free(copy);
}

static bool is_compound(const void *bytes, size_t size)
{
	const wp_compound *read;
	return wp_compound_from_memory(bytes, size, &read) == WP_OK;
}

Test(compound, notices_damage)
{
	const wp_compound *const made = compounds[4];
	const size_t size = wp_compound_byte_size(made);
	void *const copy = block(size);
	memcpy(copy, made, size);
	forge_damage(copy, size, is_compound);
	block_free(copy);
}

/* ---- misuse ------------------------------------------------------------------------------------- */

static wp_error build(const wp_compound_child *from, size_t count, size_t *bad)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[4096];
	const wp_compound *made;
	const wp_error error = wp_compound_build(from, count, table, memory, sizeof memory, &made, bad);
	cr_assert((error == WP_OK) == (made != NULL));
	return error;
}

Test(compound, names_bad_children)
{
	wp_compound_child list[3] = {children[1][0], children[1][1], children[1][0]};
	size_t bad = 9;
	cr_assert_eq(build(list, 3, &bad), WP_OK);
	cr_assert_eq(build(list, 3, NULL), WP_OK);
	const float wrong[4] = {NAN, INFINITY, 2e30f, 1e30f};
	for (int i = 0; i < 4; i++) {
		list[2].position[1] = wrong[i];
		cr_assert_eq(build(list, 3, &bad), wrong[i] == 1e30f ? WP_OK : WP_ERROR_COMPOUND_POSE);
		cr_assert_eq(bad, wrong[i] == 1e30f && i == 0 ? 9u : 2u);
	}
	list[2] = list[0];
	list[1].rotation[2] += 2;
	cr_assert_eq(build(list, 3, &bad), WP_ERROR_COMPOUND_POSE);
	cr_assert_eq(bad, 1u);
	list[1] = list[0];
	list[0].shape = HALF_SPACE;
	cr_assert_eq(build(list, 3, &bad), WP_ERROR_COMPOUND_SHAPE);
	cr_assert_eq(bad, 0u);
	list[0].shape = SHAPES;
	cr_assert_eq(build(list, 3, &bad), WP_ERROR_COMPOUND_SHAPE);
	cr_assert_eq(build(list, 0, &bad), WP_ERROR_COMPOUND_COUNT);
	cr_assert_eq(build(list, (size_t)WP_COMPOUND_CHILD_MAX + 1, &bad), WP_ERROR_COMPOUND_COUNT);
	cr_assert_eq(build(list, 1000, &bad), WP_ERROR_MEMORY_TOO_SMALL);
	cr_assert_eq(build(NULL, 3, &bad), WP_ERROR_NULL_CHILDREN);
}

Test(compound, build_and_read_name_arguments)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[4096];
	const wp_compound *made;
	const wp_compound_child *const list = children[1];
	cr_assert_eq(wp_compound_build(list, 2, table, memory, 4096, NULL, NULL), WP_ERROR_NULL_COMPOUND);
	cr_assert_eq(wp_compound_build(list, 2, NULL, memory, 4096, &made, NULL), WP_ERROR_NULL_SHAPES);
	cr_assert_eq(wp_compound_build(list, 2, (const wp_shape_table *)(void *)memory, memory, 4096, &made, NULL),
		WP_ERROR_SHAPE_TABLE_INVALID);
	cr_assert_eq(wp_compound_build(list, 2, table, NULL, 4096, &made, NULL), WP_ERROR_NULL_MEMORY);
	cr_assert_eq(wp_compound_build(list, 2, table, memory + 4, 4000, &made, NULL), WP_ERROR_MEMORY_MISALIGNED);
	cr_assert_eq(wp_compound_from_memory(memory, 4096, NULL), WP_ERROR_NULL_COMPOUND);
	cr_assert_eq(wp_compound_from_memory(NULL, 4096, &made), WP_ERROR_NULL_MEMORY);
	cr_assert_eq(wp_compound_from_memory(memory + 4, 4000, &made), WP_ERROR_MEMORY_MISALIGNED);
	cr_assert_eq(wp_compound_check(NULL, table, NULL), WP_ERROR_NULL_COMPOUND);
	cr_assert_eq(wp_compound_check(compounds[0], NULL, NULL), WP_ERROR_NULL_SHAPES);
	cr_assert_eq(wp_compound_size(0), 0u);
}

/* A table whose shape has grown, or is gone. */
Test(compound, finds_shapes_that_changed)
{
	wp_shape_table *other;
	size_t bad = 9;
	const size_t size = wp_shape_table_size(SHAPES);
	cr_assert_eq(wp_shape_table_init(block(size), size, SHAPES, &other), WP_OK);
	for (uint32_t i = 0; i < SHAPES; i++)
		cr_assert_eq(wp_shape_table_set(other, i, &shapes[i], NULL), WP_OK);
	cr_assert_eq(wp_compound_check(compounds[5], other, &bad), WP_OK);
	const uint32_t shape = children[5][3].shape;
	uint32_t first = 0;
	while (children[5][first].shape != shape)
		first++;
	const wp_shape large = wp_shape_sphere(100);
	cr_assert_eq(wp_shape_table_set(other, shape, &large, NULL), WP_OK);
	cr_assert_eq(wp_compound_check(compounds[5], other, &bad), WP_ERROR_COMPOUND_SHAPE);
	cr_assert_eq(bad, first);
	cr_assert_eq(wp_shape_table_remove(other, shape), WP_OK);
	cr_assert_eq(wp_compound_check(compounds[5], other, &bad), WP_ERROR_COMPOUND_SHAPE);
	/* A row that comes to the child is invalid. */
	static const double origin[3];
	static const float still[4] = {0, 0, 0, 1};
	double place[3];
	float turn[4];
	wp_compound_child_pose(compounds[5], first, origin, still, place, turn);
	const body bodies[2] = {{.rotation = {0, 0, 0, 1}, .shape = WP_COMPOUND + 5},
		{.position = {place[0], place[1], place[2]}, .rotation = {0, 0, 0, 1}, .shape = shape == BOX ? SPHERE : BOX}};
	static const uint32_t pair[2][2] = {{0, 1}, {1, 0}};
	uint32_t status[2];
	const wp_compound_batch batch = {.shapes = other,
		.compounds = compounds,
		.compound_count = COMPOUNDS,
		.a = bodies_of(bodies, 2),
		.pair_a = {&pair[0][0], sizeof *pair},
		.pair_b = {&pair[0][1], sizeof *pair},
		.count = 2};
	const wp_results results = {.status = {status, 0}};
	cr_assert_eq(wp_compound_contact(workspace, &batch, NULL, &results, NULL, NULL), WP_OK);
	cr_assert_eq(status[0], (uint32_t)(WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_A));
	cr_assert_eq(status[1], (uint32_t)(WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_B));
}

/* Children further apart than the square that a row takes for too far have keys above its limit, and hardly nearer ones do not. */
Test(compound, far_children_have_keys_above_the_limit)
{
	static wp_compound_row row;
	const wp_compound_call call = {.query = WP_COMPOUND_DISTANCE};
	gen_random random;
	gen_seed(&random, 61);
	for (int round = 0; round < 10000; round++) {
		for (int k = 0; k < 2; k++)
			row.side[k].reach = gen_magnitude(&random, 1e-3, 1e3);
		row.choice.limit = gen_magnitude(&random, 1e-3, 1e3);
		row.rounding = gen_magnitude(&random, 1e-16, 1e-9);
		const double far = wp_compound_far(&row), above = wp_compound_key_of_apart(&call, &row, far),
					 below = wp_compound_key_of_apart(&call, &row, far * (1 - 1e-10));
		CHECK(above > row.choice.limit && below <= row.choice.limit, "round %d: %a and %a, the limit is %a", round,
			above, below, row.choice.limit);
	}
}

/* A pair of children that is looked at limits the others: a distance by how far its cores can be apart. */
Test(compound, children_that_are_near_limit_the_others)
{
	static const wp_compound_query queries[2] = {WP_COMPOUND_DISTANCE, WP_COMPOUND_CONTACT};
	static wp_compound_row row;
	const float none[3] = {0, 0, 0};
	const wp_core *const ball = wp_core_of_table(table, SPHERE), *const rod = wp_core_of_table(table, CAPSULE);
	const double radii = (double)ball->radius + (double)rod->radius;
	const wp_compound_leaf leaf[2] = {{.core = ball, .box = {none, none}}, {.core = rod, .box = {none, none}}};
	cr_assert(radii > (double)ball->radius && radii > (double)rod->radius);
	for (int k = 0; k < 2; k++) {
		const wp_compound_call call = {.query = queries[k]};
		row.side[0].core = ball;
		row.side[1].core = rod;
		row.stand.turn = wp_d33_of_rotation((float[4]){0, 0, 0, 1});
		row.stand.offset = wp_d3_of(8, 0, 0);
		row.choice.limit = (double)INFINITY;
		(void)wp_compound_key_of_near(&call, &row, leaf, 0);
		const double most = 8 - radii;
		CHECK(row.choice.limit >= most && row.choice.limit <= most + 0.01, "%s: %g, not %g", query_names[queries[k]],
			row.choice.limit, most);
	}
}

/* Of bodies that are further apart than the most, the lower bound holds: some pair of children or of nodes is as near. */
Test(compound, rows_beyond_the_most_have_a_bound)
{
	static const wp_compound_query queries[2] = {WP_COMPOUND_DISTANCE, WP_COMPOUND_CONTACT};
	static body bodies[BODIES];
	static uint32_t pair[ROWS][2];
	static answer all[ROWS], near[ROWS];
	static patches manifolds[ROWS];
	make_bodies(29, 0, NOTHING, bodies);
	for (uint32_t i = 0; i < BODIES / 2; i++) {
		pair[i][0] = i;
		pair[i][1] = BODIES / 2 + i;
		bodies[i].position[0] += 0.25 * (i % 32);
	}
	for (size_t k = 0; k < COUNT_OF(queries); k++) {
		asked q = {queries[k], bodies, pair, INFINITY, 4, WP_COMPOUND_RING, workspace};
		uint32_t beyond = 0;
		ask(&q, BODIES / 2, all, manifolds, NULL);
		for (q.most = 0.02f; q.most < 4; q.most *= 1.5f) {
			ask(&q, BODIES / 2, near, manifolds, NULL);
			for (uint32_t i = 0; i < BODIES / 2; i++) {
				if ((near[i].status & WP_STATUS_BEYOND) == 0)
					continue;
				CHECK(near[i].lower > q.most && near[i].lower <= all[i].upper, "query %zu, row %u: %g, but %g", k, i,
					(double)near[i].lower, (double)all[i].upper);
				beyond++;
			}
		}
		CHECK(beyond > BODIES, "query %zu: %u rows", k, beyond);
	}
}

/* Bodies moved to where they touch within rounding: without a proof that they are apart, none is further than the most. */
Test(compound, distances_that_are_not_proven_count)
{
	static body bodies[BODIES];
	static uint32_t pair[ROWS][2];
	static answer far[ROWS], near[ROWS];
	static patches manifolds[ROWS];
	uint32_t unproven = 0;
	make_bodies(23, 0, NOTHING, bodies);
	for (uint32_t i = 0; i < BODIES / 2; i++) {
		pair[i][0] = i;
		pair[i][1] = BODIES / 2 + i;
		bodies[i].position[0] += 8;
	}
	asked q = {WP_COMPOUND_DISTANCE, bodies, pair, INFINITY, 4, WP_COMPOUND_RING, workspace};
	ask(&q, BODIES / 2, far, manifolds, NULL);
	for (uint32_t i = 0; i < BODIES / 2; i++)
		for (int k = 0; k < 3; k++)
			bodies[i].position[k] += (double)far[i].separation * (double)far[i].normal[k];
	q.most = 1e-20f;
	ask(&q, BODIES / 2, near, manifolds, NULL);
	for (uint32_t i = 0; i < BODIES / 2; i++) {
		CHECK((near[i].status & WP_STATUS_SEPARATED) == 0 || near[i].lower > 0, "row %u: status %x, lower %g", i,
			near[i].status, (double)near[i].lower);
		unproven += (near[i].status & WP_STATUS_TOUCHING) != 0 && near[i].separation > 1e-20f;
	}
	cr_assert(unproven > 1, "%u", unproven);
}

/* The nearest child to the other body, by distance or by contact. */
static wp_row nearest_of_duo(
	bool by_contact, const duo *of, const double position[2][3], const uint32_t shape[2], uint32_t *child)
{
	const wp_compound_batch batch = batch_of_duo(of, position, shape);
	const wp_contact_options options = {.max_separation = 1};
	const wp_child_columns found = {.b = {.data = child}};
	wp_row row;
	const wp_results results = wp_results_of_rows(&row);
	cr_assert_eq(by_contact ? wp_compound_contact(workspace, &batch, &options, &results, &found, NULL)
							: wp_compound_distance(workspace, &batch, NULL, &results, &found, NULL),
		WP_OK);
	return row;
}

/* A ball between two children that are both beyond the most, in their compound's box: the nearer one bounds how far it is. */
Test(compound, a_ball_between_far_children_has_a_bound)
{
	const wp_shape list[2] = {wp_shape_sphere(0.25f), wp_shape_sphere(0.5f)};
	const wp_compound_child both[2] = {{.position = {-4, 0, 0}, .rotation = {0, 0, 0, 1}, .shape = 0},
		{.position = {3, 0, 0}, .rotation = {0, 0, 0, 1}, .shape = 0}};
	static const double position[2][3] = {{0, 0, 0}, {0, 0, 0}};
	static const uint32_t shape[2] = {1, WP_COMPOUND};
	const duo made = make_duo(list, both);
	uint32_t child;
	const wp_row row = nearest_of_duo(true, &made, position, shape, &child);
	CHECK((row.status & WP_STATUS_BEYOND) != 0 && row.lower > 1 && row.lower <= 2.25f, "status %x, lower %g",
		row.status, (double)row.lower);
}

/* A half-space so far from its position that brackets hold its height within 1e-15 of that, below a large box and a ball. The box
 * is nearer, within the contract of its size; of the ball less is proven, the further it is from that position. */
Test(compound, bounds_hold_for_children_that_less_is_known_of)
{
	const wp_shape list[3] = {wp_shape_half_space(), wp_shape_box(1024, 1, 1024), wp_shape_sphere(0.25f)};
	static const uint32_t shape[2] = {0, WP_COMPOUND};
	static const struct {
		double height;
		float x;
		bool is_lower;
		uint32_t status;
	} cases[4] = {{0, 0x1p37f, false, WP_STATUS_SEPARATED},
		{0, -0x1p39f, true, WP_STATUS_SEPARATED | WP_STATUS_WIDE_BRACKET},
		{0, -0x1p40f, true, WP_STATUS_TOUCHING | WP_STATUS_WIDE_BRACKET},
		{0x1.08p-8, -0x1p40f, true, WP_STATUS_PENETRATING | WP_STATUS_WIDE_BRACKET}};
	for (int i = 0; i < 4; i++) {
		const double position[2][3] = {{0x1p40, cases[i].height, 0}, {0, 0, 0}};
		const wp_compound_child both[2] = {{.position = {0, 1 + 0x1p-9f, 0}, .rotation = {0, 0, 0, 1}, .shape = 1},
			{.position = {cases[i].x, 0.25f + 0x1.1p-9f, 0}, .rotation = {0, 0, 0, 1}, .shape = 2}};
		const duo made = make_duo_of(list, 3, both, 2), box = make_duo_of(list, 3, both, 1),
				  ball = make_duo_of(list, 3, both + 1, 1);
		for (int by_contact = i == 3; by_contact < 2; by_contact++) {
			uint32_t child;
			const wp_row row = nearest_of_duo(by_contact, &made, position, shape, &child),
						 of_box = nearest_of_duo(by_contact, &box, position, shape, NULL),
						 of_ball = nearest_of_duo(by_contact, &ball, position, shape, NULL);
			cr_assert(!(of_box.status & WP_STATUS_WIDE_BRACKET) && of_ball.status & WP_STATUS_WIDE_BRACKET &&
					  of_box.separation < of_ball.separation && (of_ball.lower < of_box.lower) == cases[i].is_lower);
			cr_assert(child == 0 && row.separation == of_box.separation && row.upper == of_box.upper,
				"case %d: child %u, %a", i, child, (double)row.separation);
			cr_assert_eq(row.status, cases[i].status | WP_STATUS_STRONG, "case %d: status %x", i, row.status);
			cr_assert_eq(
				row.lower, cases[i].is_lower ? of_ball.lower : of_box.lower, "case %d: %a", i, (double)row.lower);
		}
	}
}

/* A ball and a larger box, which both may touch the half-space, have one bound: the order of children does not tell whose brackets
 * are wide. */
Test(compound, one_bound_of_two_children_has_the_status_of_both)
{
	const wp_shape list[4] = {
		wp_shape_half_space(), wp_shape_box(1024, 1, 1024), wp_shape_sphere(0.25f), wp_shape_box(8192, 1, 8192)};
	static const uint32_t shape[2] = {0, WP_COMPOUND};
	static const double position[2][3] = {{0x1p40, 0, 0}, {0, 0, 0}};
	for (int i = 0; i < 2; i++) {
		wp_compound_child all[3] = {{.position = {0, 1 + 0x1p-9f, 0}, .rotation = {0, 0, 0, 1}, .shape = 1}};
		all[1 + i] = (wp_compound_child){{-0x1p40f, 0.25f + 0x1.1p-9f, 0}, {0, 0, 0, 1}, 2, 0};
		all[2 - i] = (wp_compound_child){{-0x1p40f, 1 + 0x1.1p-9f, 0}, {0, 0, 0, 1}, 3, 0};
		const duo made = make_duo_of(list, 4, all, 3), others = make_duo_of(list, 4, all + 2 - i, 1);
		uint32_t child;
		const wp_row row = nearest_of_duo(false, &made, position, shape, &child),
					 of_large = nearest_of_duo(false, &others, position, shape, NULL);
		cr_assert(of_large.lower == 0 && of_large.status == (WP_STATUS_TOUCHING | WP_STATUS_STRONG));
		cr_assert(child == 0 && row.lower == 0 &&
					  row.status == (WP_STATUS_TOUCHING | WP_STATUS_STRONG | WP_STATUS_WIDE_BRACKET),
			"ball as child %d: child %u, status %x", 1 + i, child, row.status);
	}
}

#if defined(__x86_64__) || defined(__i386__)
/* The smallest floats are no zero, which would count all children. */
Test(compound, flush_to_zero_changes_no_most)
{
	static body bodies[BODIES];
	static uint32_t pair[ROWS][2];
	static wp_row rows[2][ROWS];
	make_bodies(24, 0, NOTHING, bodies);
	make_pairs(25, pair);
	const asked q = {WP_COMPOUND_DISTANCE, bodies, pair, 0, 4, WP_COMPOUND_RING, workspace};
	const wp_compound_batch batch = batch_of(&q, ROWS);
	const wp_compound_distance_options options = {0x1p-140f};
	const unsigned before = _mm_getcsr();
	for (int way = 0; way < 2; way++) {
		const wp_results results = wp_results_of_rows(rows[way]);
		_mm_setcsr(way == 0 ? before : before | 0x8040u);
		const wp_error error = wp_compound_distance(workspace, &batch, &options, &results, NULL, NULL);
		_mm_setcsr(before);
		cr_assert_eq(error, WP_OK);
	}
	cr_assert_eq(memcmp(rows[0], rows[1], sizeof rows[0]), 0);
}
#endif

/* Rows with something wrong, beside rows that are right. */
Test(compound, answers_others_beside_bad_rows)
{
	static body bodies[BODIES];
	static uint32_t pair[ROWS][2];
	static answer want[ROWS], got[ROWS];
	static patches manifolds[ROWS];
	make_bodies(21, 0, NOTHING, bodies);
	make_pairs(22, pair);
	for (uint32_t i = 0; i < ROWS; i++)
		for (int side = 0; side < 2; side++)
			pair[i][side] = 10 + pair[i][side] % 20;
	asked q = {WP_COMPOUND_CAST, bodies, pair, 0, 4, WP_COMPOUND_RING, workspace};
	ask(&q, ROWS, want, manifolds, NULL);
	bodies[30].shape = WP_COMPOUND + COMPOUNDS;
	bodies[31].shape = SHAPES;
	bodies[32].position[1] = NAN;
	bodies[33].rotation[0] = 7;
	bodies[34].way[2] = INFINITY;
	bodies[35].end[3] += 0.25f;
	const uint32_t reasons[7] = {WP_STATUS_INVALID_SHAPE_A, WP_STATUS_INVALID_SHAPE_A, WP_STATUS_INVALID_POSITION_A,
		WP_STATUS_INVALID_ROTATION_A, WP_STATUS_INVALID_POSITION_A, WP_STATUS_INVALID_ROTATION_A,
		WP_STATUS_INVALID_BODY_A};
	for (uint32_t i = 0; i < 7; i++) {
		pair[5 * i][0] = i < 6 ? 30 + i : BODIES;
		pair[5 * i][1] = 12;
	}
	pair[70][0] = 0;
	pair[70][1] = 1;
	wp_compound_statistics statistics = {0};
	ask(&q, ROWS, got, manifolds, &statistics);
	for (uint32_t i = 0; i < ROWS; i++) {
		if (i < 35 && i % 5 == 0)
			CHECK(got[i].status == (WP_STATUS_INVALID | reasons[i / 5]) && isnan(got[i].separation) &&
					  isnan(got[i].fraction) && got[i].child_a == WP_COMPOUND_MISS,
				"row %u: status %x", i, got[i].status);
		else if (i == 70)
			CHECK(got[i].status == (WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_A | WP_STATUS_INVALID_SHAPE_B),
				"half-spaces: status %x", got[i].status);
		else
			CHECK(memcmp(&got[i], &want[i], sizeof *got) == 0, "row %u differs beside bad ones", i);
	}
	cr_assert_eq(statistics.invalid, 8u);
	cr_assert_eq(statistics.first_invalid_row, 0u);
	/* From a row on that is none of them. */
	wp_compound_batch rest = batch_of(&q, ROWS);
	const wp_results results = results_of(got);
	rest.first = 1;
	rest.count = ROWS - 1;
	statistics = (wp_compound_statistics){0};
	cr_assert_eq(wp_compound_overlap(workspace, &rest, &results, NULL, &statistics), WP_OK);
	cr_assert_eq(statistics.first_invalid_row, 5u);
}

Test(compound, queries_name_arguments)
{
	static body bodies[BODIES];
	static uint32_t pair[ROWS][2];
	static wp_compound_patch patch[4];
	uint32_t words[4];
	make_bodies(21, 0, NOTHING, bodies);
	make_pairs(22, pair);
	const asked q = {WP_COMPOUND_CAST, bodies, pair, 0, 4, WP_COMPOUND_RING, workspace};
	wp_compound_batch batch = batch_of(&q, 1);
	const wp_results none = {.point_real = WP_REAL_FLOAT};
	const wp_contact_options negative = {-1};
	const wp_compound_distance_options nan = {NAN};
	cr_assert_eq(wp_compound_overlap(NULL, &batch, &none, NULL, NULL), WP_ERROR_NULL_WORKSPACE);
	cr_assert_eq(wp_compound_overlap(workspace, NULL, &none, NULL, NULL), WP_ERROR_NULL_BATCH);
	cr_assert_eq(wp_compound_overlap(workspace, &batch, NULL, NULL, NULL), WP_ERROR_NULL_RESULTS);
	cr_assert_eq(wp_compound_overlap(workspace, &batch, &none, NULL, NULL), WP_OK);
	cr_assert_eq(wp_compound_contact(workspace, &batch, &negative, &none, NULL, NULL), WP_ERROR_MAX_SEPARATION);
	cr_assert_eq(wp_compound_distance(workspace, &batch, &nan, &none, NULL, NULL), WP_ERROR_MAX_DISTANCE);
	wp_child_columns found = {{words, 2}, {words, 0}};
	cr_assert_eq(wp_compound_contact(workspace, &batch, NULL, &none, &found, NULL), WP_ERROR_CHILD_A_STRIDE);
	found = (wp_child_columns){{words, 0}, {words, 3}};
	cr_assert_eq(wp_compound_contact(workspace, &batch, NULL, &none, &found, NULL), WP_ERROR_CHILD_B_STRIDE);
	cr_assert_eq(wp_compound_contact_manifold(workspace, &batch, NULL, &none, NULL, NULL), WP_ERROR_NULL_PATCHES);
	wp_compound_patches p = {.patches.data = patch};
	cr_assert_eq(
		wp_compound_contact_manifold(workspace, &batch, NULL, &none, &p, NULL), WP_ERROR_NULL_COMPOUND_PATCH_COUNT);
	p = (wp_compound_patches){.patch_count.data = words};
	cr_assert_eq(
		wp_compound_contact_manifold(workspace, &batch, NULL, &none, &p, NULL), WP_ERROR_NULL_COMPOUND_PATCHES);
	p = (wp_compound_patches){{words, 1}, {words, 0}, {patch, 0}, 4};
	cr_assert_eq(wp_compound_contact_manifold(workspace, &batch, NULL, &none, &p, NULL), WP_ERROR_PAIR_COUNT_STRIDE);
	p = (wp_compound_patches){{words, 0}, {words, 1}, {patch, 0}, 4};
	cr_assert_eq(
		wp_compound_contact_manifold(workspace, &batch, NULL, &none, &p, NULL), WP_ERROR_COMPOUND_PATCH_COUNT_STRIDE);
	p = (wp_compound_patches){{words, 0}, {words, 0}, {patch, sizeof patch - 1}, 0};
	cr_assert_eq(
		wp_compound_contact_manifold(workspace, &batch, NULL, &none, &p, NULL), WP_ERROR_COMPOUND_PATCHES_STRIDE);
	p = (wp_compound_patches){{words, 0}, {words, 0}, {patch, 0}, WP_COMPOUND_PATCH_MAX + 1};
	cr_assert_eq(wp_compound_contact_manifold(workspace, &batch, NULL, &none, &p, NULL), WP_ERROR_COMPOUND_PATCH_MAX);
	float fraction;
	const wp_float_column narrow = {&fraction, 1};
	const wp_motions motions = {.translation = {bodies->way, 4}};
	cr_assert_eq(wp_compound_cast(workspace, &batch, NULL, NULL, &none, &narrow, NULL, NULL), WP_ERROR_FRACTION_STRIDE);
	cr_assert_eq(wp_compound_cast(workspace, &batch, &motions, NULL, &none, NULL, NULL, NULL),
		WP_ERROR_MOTIONS_A_TRANSLATION_STRIDE);
	batch.compounds = NULL;
	cr_assert_eq(wp_compound_overlap(workspace, &batch, &none, NULL, NULL), WP_ERROR_NULL_COMPOUNDS);
	batch.count = 0;
	cr_assert_eq(wp_compound_overlap(workspace, &batch, &none, NULL, NULL), WP_OK);
}
