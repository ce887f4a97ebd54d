/* The simplex step and the feature weights against the closest feature found by trying all, in double. */
#include "support/lane_types.h"
#include "wide/search/simplex.h"

#define OLD_ID 100
#define NEW_ID 103

static void set_point(lane_points *p, int lane, v3 v)
{
	p->x.at[lane] = (float)v.x;
	p->y.at[lane] = (float)v.y;
	p->z.at[lane] = (float)v.z;
}

/* ---- the judge ---------------------------------------------------------------------------------- */

static v3 nearest_on_edge(v3 a, v3 b)
{
	const v3 edge = v3_sub(b, a);
	const double length2 = v3_dot(edge, edge);
	const double t = length2 > 0 ? -v3_dot(a, edge) / length2 : 0;
	return v3_add(a, v3_scale(edge, fmin(fmax(t, 0), 1)));
}

static v3 nearer(v3 a, v3 b) { return v3_dot(b, b) < v3_dot(a, a) ? b : a; }

/* Whether the origin projects into the triangle: on the inner side of all three sides. */
static bool projects_into(v3 a, v3 b, v3 c, v3 normal)
{
	const double x = v3_dot(v3_cross(v3_sub(b, a), a), normal), y = v3_dot(v3_cross(v3_sub(c, b), b), normal);
	return x < 0 && y < 0 && v3_dot(v3_cross(v3_sub(a, c), c), normal) < 0;
}

static v3 nearest_on_triangle(v3 a, v3 b, v3 c)
{
	v3 best = nearer(nearest_on_edge(a, b), nearer(nearest_on_edge(b, c), nearest_on_edge(c, a)));
	const v3 normal = v3_cross(v3_sub(b, a), v3_sub(c, a));
	const double length2 = v3_dot(normal, normal);
	if (length2 > 0 && projects_into(a, b, c, normal))
		best = nearer(best, v3_scale(normal, v3_dot(normal, a) / length2));
	return best;
}

static v3 nearest_on_surface(const v3 *p, int count)
{
	if (count == 1)
		return p[0];
	if (count == 2)
		return nearest_on_edge(p[0], p[1]);
	const v3 base = nearest_on_triangle(p[0], p[1], p[2]);
	if (count == 3)
		return base;
	const v3 sides = nearer(nearest_on_triangle(p[0], p[1], p[3]), nearest_on_triangle(p[1], p[2], p[3]));
	return nearer(base, nearer(sides, nearest_on_triangle(p[2], p[0], p[3])));
}

/* How far the origin is inside of the plane of a, b, c, of whose sides d lies on the inner one. */
static double inner_height(v3 a, v3 b, v3 c, v3 d)
{
	const v3 normal = v3_unit(v3_cross(v3_sub(b, a), v3_sub(c, a)));
	const double height = -v3_dot(normal, a);
	return v3_dot(normal, v3_sub(d, a)) < 0 ? -height : height;
}

/* Least height of the origin over the four sides: > 0 inside of the tetrahedron. */
static double depth_in_tetrahedron(const v3 p[4])
{
	const double x = inner_height(p[0], p[1], p[2], p[3]), y = inner_height(p[1], p[2], p[3], p[0]);
	return fmin(fmin(x, y), fmin(inner_height(p[2], p[3], p[0], p[1]), inner_height(p[3], p[0], p[1], p[2])));
}

/* ---- states that GJK can be in ------------------------------------------------------------------ */

typedef struct state {
	int size;     /* of the old simplex, whose interior holds its point nearest to the origin */
	v3 p[4];      /* its vertices, and the new one at p[size] */
	v3 direction; /* unit, from the old simplex to the origin */
} state;

static v3 random_point(uint64_t *seed, double size)
{
	const double x = random_between(seed, -size, size), y = random_between(seed, -size, size);
	return v3_of(x, y, random_between(seed, -size, size));
}

/* Through memory: GCC 12 drops the conversion to float and back where it vectorises two of them. */
static double rounded_number(double value)
{
	const volatile float stored = (float)value;
	return (double)stored;
}

static v3 rounded(v3 v) { return v3_of(rounded_number(v.x), rounded_number(v.y), rounded_number(v.z)); }

/* The old simplex around its nearest point, which is at the origin still, and a normal of it. */
static void make_old(state *s, uint64_t *seed)
{
	double weight[3] = {0}, sum = 0;
	v3 centre = v3_of(0, 0, 0);
	for (int i = 0; i < s->size; i++) {
		s->p[i] = random_point(seed, 0.5);
		weight[i] = random_between(seed, 0.05, 1);
		sum += weight[i];
	}
	for (int i = 0; i < s->size; i++)
		centre = v3_add(centre, v3_scale(s->p[i], weight[i] / sum));
	for (int i = 0; i < s->size; i++)
		s->p[i] = v3_sub(s->p[i], centre);
	const v3 any = v3_unit(random_point(seed, 1));
	s->direction = s->size == 1 ? any
	             : s->size == 2 ? v3_unit(v3_cross(v3_sub(s->p[1], s->p[0]), any))
	                            : v3_unit(v3_cross(v3_sub(s->p[1], s->p[0]), v3_sub(s->p[2], s->p[0])));
}

/* Slivers have no accuracy to test. */
static bool is_well_shaped(const state *s)
{
	for (int i = 0; i <= s->size; i++) {
		for (int k = 0; k < i; k++) {
			if (v3_length(v3_sub(s->p[i], s->p[k])) < 0.1)
				return false;
			for (int m = 0; m < k; m++)
				if (v3_length(v3_cross(v3_sub(s->p[i], s->p[m]), v3_sub(s->p[k], s->p[m]))) < 0.02)
					return false;
		}
	}
	return true;
}

/* The new vertex is farther along the direction than the old ones; beyond the origin in many cases. */
static state random_state(uint64_t *seed)
{
	state s;
	do {
		s.size = 1 + (int)random_below(seed, 3);
		make_old(&s, seed);
		const double distance = random_between(seed, 0.01, 0.5);
		const v3 w = random_point(seed, random_below(seed, 2) ? 0.7 : 0.1);
		const double rise = random_between(seed, 0.02, 3) * distance - v3_dot(w, s.direction);
		s.p[s.size] = v3_add(w, v3_scale(s.direction, rise));
		for (int i = 0; i <= s.size; i++)
			s.p[i] = rounded(v3_sub(s.p[i], v3_scale(s.direction, distance)));
	} while (!is_well_shaped(&s));
	return s;
}

/* ---- one step of all lanes ---------------------------------------------------------------------- */

/* `feature`: the nearest one, which the simplex of all lanes becomes. */
static wp_simplex_step step_of(const state s[WP_WIDTH], bool may_pass, wp_simplex *feature)
{
	lane_points old[3], fresh, direction;
	lane_floats passed;
	lane_integers size;
	for (int lane = 0; lane < WP_WIDTH; lane++) {
		const v3 w = s[lane].p[s[lane].size];
		for (int i = 0; i < 3; i++)
			set_point(&old[i], lane, i < s[lane].size ? s[lane].p[i] : v3_of(1e30, -1e30, 1e20));
		set_point(&fresh, lane, w);
		set_point(&direction, lane, s[lane].direction);
		size.at[lane] = s[lane].size;
		passed.at[lane] = may_pass && v3_dot(s[lane].direction, w) >= 0 ? 1.0f : 0.0f;
	}
	for (int i = 0; i < 3; i++)
		feature->v[i] = (wp_vertex){load_points(&old[i]), vi_set(OLD_ID + i)};
	feature->size = vi_load(size.at);
	const wp_vertex w = {load_points(&fresh), vi_set(NEW_ID)};
	const wp_simplex_step step = wp_simplex_next(
		feature, w, load_points(&direction), vf_gt(vf_load(passed.at), vf_zero()));
	wp_simplex_move(feature, vm_all(), w, &step);
	return step;
}

static bool same_point(v3 a, v3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* The feature's vertices in the lane are the ones of their ids, the new one first, none twice. */
static int read_feature(const wp_simplex *feature, const state *s, int lane, v3 p[3])
{
	const int size = integers_of(feature->size).at[lane];
	CHECK(size >= 1 && size <= 3, "size %d", size);
	uint32_t seen = 0;
	for (int i = 0; i < size; i++) {
		const int32_t id = integers_of(feature->v[i].id).at[lane];
		const lane_points w = points_of(feature->v[i].w);
		const int k = id == NEW_ID ? s->size : id - OLD_ID;
		CHECK(k >= 0 && k <= s->size && (id == NEW_ID || k < s->size), "vertex %d has id %d", i, id);
		CHECK((i == 0) == (id == NEW_ID), "vertex %d has id %d", i, id);
		CHECK(!(seen >> k & 1u), "id %d comes twice", id);
		seen |= 1u << k;
		p[i] = point_at(&w, lane);
		CHECK(same_point(p[i], s->p[k]), "vertex %d does not belong to id %d", i, id);
	}
	return size;
}

/* The step is right where the origin is outside: distance, direction, feature, winding. */
static void check_outside(const wp_simplex_step *step, const wp_simplex *feature, const state *s, int lane)
{
	const lane_points directions = points_of(step->direction);
	const v3 nearest = nearest_on_surface(s->p, s->size + 1), direction = point_at(&directions, lane);
	const double distance = v3_length(nearest), upper = (double)floats_of(step->upper).at[lane];
	CHECK(fabs(upper - distance) < 1e-5, "size %d: distance %g, not %g", s->size, upper, distance);
	CHECK(fabs(v3_length(direction) - 1) < 1e-6, "direction of length %g", v3_length(direction));
	const v3 miss = v3_add(v3_scale(direction, distance), nearest);
	CHECK(v3_length(miss) < 1e-4, "size %d: direction off by %g", s->size, v3_length(miss));

	v3 p[3];
	const int size = read_feature(feature, s, lane, p);
	CHECK(fabs(v3_length(nearest_on_surface(p, size)) - distance) < 1e-5, "feature at %g, not %g",
		v3_length(nearest_on_surface(p, size)), distance);
	if (size == 3 && distance > 1e-3) {
		const v3 normal = v3_unit(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])));
		CHECK(v3_dot(normal, direction) > 0.999, "face wound away from the origin: %g", v3_dot(normal, direction));
	}
}

static void check_step(
	const wp_simplex_step *step, const wp_simplex *feature, const state *s, int lane, bool may_pass, uint32_t count[4])
{
	const bool inside = vm_bits(step->inside) >> lane & 1u, touching = vm_bits(step->touching) >> lane & 1u;
	const double depth = s->size == 3 ? depth_in_tetrahedron(s->p) : -1;
	CHECK(!inside || may_pass, "inside, though the new vertex is not beyond the origin");
	if (fabs(depth) < 1e-4)
		return;
	CHECK(inside == (may_pass && depth > 0), "size %d: inside %d, but depth %g", s->size, inside, depth);
	if (depth > 0) {
		count[0]++;
		return;
	}
	if (v3_length(nearest_on_surface(s->p, s->size + 1)) < 1e-3)
		return;
	CHECK(!touching, "touching at %g", v3_length(nearest_on_surface(s->p, s->size + 1)));
	check_outside(step, feature, s, lane);
	count[integers_of(feature->size).at[lane]]++;
}

static void check_random_steps(uint64_t seed, bool may_pass)
{
	uint32_t count[4] = {0};
	for (int round = 0; round < 200000 / WP_WIDTH; round++) {
		state s[WP_WIDTH];
		for (int lane = 0; lane < WP_WIDTH; lane++)
			s[lane] = random_state(&seed);
		wp_simplex feature;
		const wp_simplex_step step = step_of(s, may_pass, &feature);
		for (int lane = 0; lane < WP_WIDTH; lane++)
			check_step(&step, &feature, &s[lane], lane, may_pass, count);
	}
	for (int i = 0; i < 4; i++)
		cr_assert_gt(count[i], 1000, "only %u cases with a feature of %d vertices (0: inside)", count[i], i);
}

VARIANT_TEST(simplex, step_finds_the_nearest_feature) { check_random_steps(31, true); }
VARIANT_TEST(simplex, step_is_not_inside_unless_passed) { check_random_steps(32, false); }

/* A point near a line through the origin, in steps of 2^-12, so that volumes are exact in double. */
static v3 point_by_a_line(uint64_t *seed, double spread)
{
	const double along = random_between(seed, -2, 2);
	const double x = along + random_between(seed, -spread, spread), y = along + random_between(seed, -spread, spread),
				 z = -along + random_between(seed, -spread, spread);
	return v3_of(floor(4096 * x) / 4096, floor(4096 * y) / 4096, floor(4096 * z) / 4096);
}

static double volume_below(v3 a, v3 b, v3 c) { return -v3_dot(v3_cross(v3_sub(b, a), v3_sub(c, a)), a); }

/* The smallest of the four volumes that the origin makes with the faces of p, wound as a simplex of three and a new
 * vertex are. */
static double least_volume(const v3 p[4])
{
	return fmin(fmin(volume_below(p[0], p[1], p[2]), volume_below(p[3], p[1], p[0])),
		fmin(volume_below(p[3], p[2], p[1]), volume_below(p[3], p[0], p[2])));
}

/* Slivers above all: by rounding they seem to hold the origin when they do not. */
VARIANT_TEST(simplex, what_surely_holds_the_origin_does)
{
	uint64_t seed = 33;
	uint32_t sure = 0, unsure = 0;
	for (int round = 0; round < 400000 / WP_WIDTH; round++) {
		v3 p[WP_WIDTH][4];
		lane_points v[4];
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			const double spread = ldexp(1, -(int)random_below(&seed, 11));
			for (int i = 0; i < 4; i++)
				p[lane][i] = point_by_a_line(&seed, spread);
			if (volume_below(p[lane][0], p[lane][1], p[lane][2]) < 0) {
				const v3 swapped = p[lane][1];
				p[lane][1] = p[lane][2];
				p[lane][2] = swapped;
			}
			for (int i = 0; i < 4; i++)
				set_point(&v[i], lane, p[lane][i]);
		}
		const wp_simplex s = {.v = {{.w = load_points(&v[0])}, {.w = load_points(&v[1])}, {.w = load_points(&v[2])}}};
		const uint32_t held = vm_bits(wp_surely_holds(&s, load_points(&v[3])));
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			const double least = least_volume(p[lane]);
			const bool surely = held >> lane & 1u;
			CHECK(surely ? least > 0 : least < 2 * (double)WP_VOLUME_ROUNDING, "surely %d, least volume %g", surely,
				least);
			sure += surely;
			unsure += least > 0 && !surely;
		}
	}
	cr_assert(sure > 1000 && unsure > 100, "%u sure, %u not", sure, unsure);
}

/* The origin on a vertex, an edge or a face of the new simplex. */
VARIANT_TEST(simplex, step_sees_a_touch)
{
	static const state touches[] = {{1, {{0, -1, 0}, {0, 0, 0}}, {0, 1, 0}}, {1, {{0, -1, 0}, {0, 1, 0}}, {0, 1, 0}},
		{2, {{1, -1, 0}, {-1, -1, 0}, {0, 0, 0}}, {0, 1, 0}}, {2, {{1, -1, 0}, {-1, -1, 0}, {-1, 1, 0}}, {0, 1, 0}},
		{3, {{2, -1, 0}, {-1, -1, -1}, {-1, -1, 1}, {0, 0, 0}}, {0, 1, 0}},
		{3, {{2, -1, 0}, {-1, -1, -1}, {-1, -1, 1}, {-2, 1, 0}}, {0, 1, 0}}};
	for (size_t k = 0; k < WP_COUNT_OF(touches); k++) {
		state s[WP_WIDTH];
		for (int lane = 0; lane < WP_WIDTH; lane++)
			s[lane] = touches[(k + (size_t)lane) % WP_COUNT_OF(touches)];
		wp_simplex feature;
		const wp_simplex_step step = step_of(s, true, &feature);
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			const bool touching = vm_bits(step.touching) >> lane & 1u, inside = vm_bits(step.inside) >> lane & 1u;
			const lane_points directions = points_of(step.direction);
			const v3 direction = point_at(&directions, lane);
			const double upper = (double)floats_of(step.upper).at[lane];
			CHECK(inside || touching || upper < 1e-7, "case %d: distance %g",
				(int)((k + (size_t)lane) % WP_COUNT_OF(touches)), upper);
			CHECK(!touching || (upper >= 0 && upper <= (double)WP_GJK_TOUCH), "touching at %g", upper);
			CHECK(!touching || same_point(direction, s[lane].direction), "direction changed");
		}
	}
}

/* An edge too short to have a way to the origin is its newest vertex, and that is as far from the origin as it is. */
VARIANT_TEST(simplex, step_takes_a_short_edge_for_a_point)
{
	static const double lengths[] = {1e-14, 1e-12, 1e-10}, distances[] = {1e-4, 1e-2, 1};
	for (size_t k = 0; k < WP_COUNT_OF(lengths) * WP_COUNT_OF(distances); k++) {
		const double length = lengths[k / WP_COUNT_OF(distances)], distance = distances[k % WP_COUNT_OF(distances)];
		state s[WP_WIDTH];
		for (int lane = 0; lane < WP_WIDTH; lane++)
			s[lane] = (state){1, {{length, -distance, 0}, {-length, -distance, 0}}, {1, 0, 0}};
		wp_simplex feature;
		const wp_simplex_step step = step_of(s, true, &feature);
		const double upper = (double)floats_of(step.upper).at[0];
		const lane_points directions = points_of(step.direction);
		CHECK(!vm_any(step.touching), "length %g, distance %g: touching", length, distance);
		CHECK(fabs(upper - distance) <= 1e-6 * distance, "length %g, distance %g: %g", length, distance, upper);
		CHECK(point_at(&directions, 0).y > 0.999, "length %g, distance %g: direction", length, distance);
	}
}

/* ---- weights ------------------------------------------------------------------------------------ */

typedef struct feature {
	int size;
	v3 p[3];
} feature;

/* Weights of all lanes: a partition of one, in doubles. */
static void weights_of(const feature f[WP_WIDTH], double weight[WP_WIDTH][3])
{
	lane_points p[3];
	lane_integers size;
	for (int lane = 0; lane < WP_WIDTH; lane++) {
		size.at[lane] = f[lane].size;
		for (int i = 0; i < 3; i++)
			set_point(&p[i], lane, i < f[lane].size ? f[lane].p[i] : f[lane].p[0]);
	}
	const vf3 w[3] = {load_points(&p[0]), load_points(&p[1]), load_points(&p[2])};
	vf wide[3];
	wp_feature_weights(w, vi_load(size.at), wide);
	for (int lane = 0; lane < WP_WIDTH; lane++) {
		double sum = 0;
		for (int i = 0; i < 3; i++) {
			weight[lane][i] = (double)floats_of(wide[i]).at[lane];
			sum += weight[lane][i];
			CHECK(weight[lane][i] >= 0, "weight %d is %g", i, weight[lane][i]);
			CHECK(i < f[lane].size || weight[lane][i] == 0, "weight %d of %d vertices", i, f[lane].size);
		}
		CHECK(fabs(sum - 1) < 3e-7, "weights sum to %.9g", sum);
	}
}

static v3 weighted(const feature *f, const double weight[3])
{
	v3 sum = v3_of(0, 0, 0);
	for (int i = 0; i < f->size; i++)
		sum = v3_add(sum, v3_scale(f->p[i], weight[i]));
	return sum;
}

VARIANT_TEST(simplex, weights_give_the_nearest_point)
{
	uint64_t seed = 33;
	for (int round = 0; round < 100000 / WP_WIDTH; round++) {
		feature f[WP_WIDTH];
		double weight[WP_WIDTH][3];
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			const state s = random_state(&seed);
			f[lane].size = s.size;
			memcpy(f[lane].p, s.p, sizeof f[lane].p);
		}
		weights_of(f, weight);
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			const v3 found = weighted(&f[lane], weight[lane]), nearest = nearest_on_surface(f[lane].p, f[lane].size);
			const double miss = v3_length(v3_sub(found, nearest));
			CHECK(miss < 2e-5, "%d vertices: nearest point off by %g", f[lane].size, miss);
		}
	}
}

/* Beyond the end of an edge or the side of a face, on a vertex, without length, without area. */
VARIANT_TEST(simplex, weights_of_degenerate_features)
{
	static const struct {
		feature f;
		double weight[3];
	} cases[] = {{{1, {{1, 2, 3}}}, {1, 0, 0}}, {{1, {{0, 0, 0}}}, {1, 0, 0}}, {{2, {{1, 0, 0}, {2, 0, 0}}}, {1, 0, 0}},
		{{2, {{2, 1, 0}, {1, 1, 0}}}, {0, 1, 0}}, {{2, {{1, 1, 0}, {-1, 1, 0}}}, {0.5, 0.5, 0}},
		{{2, {{-1, 0, 0}, {3, 0, 0}}}, {0.75, 0.25, 0}}, {{2, {{1, 2, 3}, {1, 2, 3}}}, {1, 0, 0}},
		{{2, {{0, 0, 0}, {0, 0, 0}}}, {1, 0, 0}}, {{3, {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}}, {1, 0, 0}},
		{{3, {{1, 1, 0}, {2, 1, 0}, {3, 1, 0}}}, {1, 0, 0}}, {{3, {{0, 1, 0}, {1, 1, 0}, {0, 1, 1}}}, {1, 0, 0}},
		{{3, {{1, 1, 0}, {0, 1, 0}, {0, 1, 1}}}, {0, 1, 0}}, {{3, {{1, 1, 0}, {0, 1, 1}, {0, 1, 0}}}, {0, 0, 1}},
		{{3, {{-1, 1, -1}, {1, 1, -1}, {0, 1, 1}}}, {0.25, 0.25, 0.5}},
		{{3, {{-1, 1, 0}, {1, 1, 0}, {0, 1, 1}}}, {0.5, 0.5, 0}},
		{{3, {{-1, 1, -0.125}, {1, 1, -0.125}, {0, 1, -1}}}, {0.5, 0.5, 0}},
		{{3, {{0, 1, -1}, {-1, 1, -0.125}, {1, 1, -0.125}}}, {0, 0.5, 0.5}},
		{{3, {{1, 1, -0.125}, {0, 1, -1}, {-1, 1, -0.125}}}, {0.5, 0, 0.5}}};
	for (size_t k = 0; k < WP_COUNT_OF(cases); k++) {
		feature f[WP_WIDTH];
		double weight[WP_WIDTH][3];
		for (size_t lane = 0; lane < WP_WIDTH; lane++)
			f[lane] = cases[(k + lane) % WP_COUNT_OF(cases)].f;
		weights_of(f, weight);
		for (size_t lane = 0; lane < WP_WIDTH; lane++) {
			const size_t c = (k + lane) % WP_COUNT_OF(cases);
			for (int i = 0; i < 3; i++)
				CHECK(weight[lane][i] == cases[c].weight[i], "case %d: weight %d is %g", (int)c, i, weight[lane][i]);
		}
	}
}
