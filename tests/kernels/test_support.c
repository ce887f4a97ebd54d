/* Support points of boxes, hulls and their differences, against every vertex tried in turn. */
#include "wide/support/farthest.h"

#include "support/jobs.h"

/* Grid points tie often; others hardly ever. */
static void make_hull(test_hull *hull, uint64_t *seed, uint32_t count, bool grid)
{
	hull->count = count;
	hull->padded = (count + WP_WIDTH_MAX - 1) / WP_WIDTH_MAX * WP_WIDTH_MAX;
	for (uint32_t axis = 0; axis < 3; axis++)
		for (uint32_t i = 0; i < count; i++)
			hull->x[axis * hull->padded + i] = grid ? (float)random_below(seed, 3) - 1.0f
			                                        : (float)random_between(seed, -1, 1);
	pad_hull(hull);
}

/* The direction's components: grid ones for ties, zeros of both signs among them. */
static float random_component(uint64_t *seed, bool grid)
{
	static const float few[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -2.0f};
	return grid ? few[random_below(seed, (uint32_t)WP_COUNT_OF(few))] : (float)random_between(seed, -1, 1);
}

static lane_points random_directions(uint64_t *seed)
{
	lane_points d;
	for (int lane = 0; lane < WP_WIDTH; lane++) {
		const bool grid = random_below(seed, 2);
		d.x.at[lane] = random_component(seed, grid);
		d.y.at[lane] = random_component(seed, grid);
		d.z.at[lane] = random_component(seed, grid);
	}
	return d;
}

/* ---- boxes -------------------------------------------------------------------------------------- */

static float random_extent(uint64_t *seed)
{
	static const float extents[] = {0.0f, 0x1p-149f, 0x1p-126f, 0.25f, 0.7f, 1.0f};
	return extents[random_below(seed, (uint32_t)WP_COUNT_OF(extents))];
}

static void check_box_axis(float extent, float direction, float point, int32_t id, int bit)
{
	CHECK(point == (signbit(direction) ? -extent : extent), "%a along %a: %a", (double)extent, (double)direction,
		(double)point);
	const int32_t negative = extent > 0.0f && signbit(direction);
	CHECK((id >> bit & 1) == negative, "id %d of extent %a along %a", id, (double)extent, (double)direction);
}

VARIANT_TEST(support, box_is_the_farthest_corner)
{
	uint64_t seed = 11;
	for (int round = 0; round < 20000; round++) {
		const lane_points d = random_directions(&seed);
		lane_points half;
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			half.x.at[lane] = random_extent(&seed);
			half.y.at[lane] = random_extent(&seed);
			half.z.at[lane] = random_extent(&seed);
		}
		vi id_v;
		const lane_points p = points_of(wp_support_box(load_points(&half), load_points(&d), &id_v));
		const lane_integers id = integers_of(id_v);
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			check_box_axis(half.x.at[lane], d.x.at[lane], p.x.at[lane], id.at[lane], 0);
			check_box_axis(half.y.at[lane], d.y.at[lane], p.y.at[lane], id.at[lane], 1);
			check_box_axis(half.z.at[lane], d.z.at[lane], p.z.at[lane], id.at[lane], 2);
			CHECK(id.at[lane] >> 3 == 0, "id %d", id.at[lane]);
			const v3 h = point_at(&half, lane), n = point_at(&d, lane);
			const double found = v3_dot(point_at(&p, lane), n);
			for (int corner = 0; corner < 8; corner++) {
				const v3 c = v3_of(corner & 1 ? -h.x : h.x, corner & 2 ? -h.y : h.y, corner & 4 ? -h.z : h.z);
				CHECK(v3_dot(c, n) <= found, "corner %d is farther than %d", corner, id.at[lane]);
			}
		}
	}
}

/* ---- hulls -------------------------------------------------------------------------------------- */

static int32_t farthest_vertex(const test_hull *hull, float dx, float dy, float dz)
{
	int32_t best = 0;
	float most = 0.0f;
	for (uint32_t i = 0; i < hull->count; i++) {
		const float *const x = hull->x + i;
		const float value = (x[0] * dx + x[hull->padded] * dy) + x[2 * hull->padded] * dz;
		if (i == 0 || value > most) {
			most = value;
			best = (int32_t)i;
		}
	}
	return best;
}

/* One hull in all lanes, looked at in both ways. */
static void check_vertex(const test_hull *hull, float dx, float dy, float dz)
{
	static wp_scratch scratch;
	const wp_core core = {.vertices = hull->x, .count = hull->count, .padded = hull->padded};
	const wp_core *const cores[1] = {&core};
	const int32_t best = farthest_vertex(hull, dx, dy, dz);
	const vf3 d = vf3_set(vf_set(dx), vf_set(dy), vf_set(dz));
	wp_lanes lanes;
	wp_lanes_start(&lanes);
	lanes.live = WP_ALL_LANES;
	wp_lane_side_load(&lanes.a, &lanes, cores);
	vi id;
	wp_support_hull(&lanes.a, lanes.live, d, &id);
	const lane_integers found = integers_of(id);
	lanes.a.hulls = &scratch.hulls[0];
	wp_lane_side_hold(&lanes.a, lanes.a.most);
	wp_lanes_copy_hulls(&lanes, WP_CORE_HULL, WP_CORE_BOX);
	if (lanes.a.rows != 0)
		wp_support_rows(lanes.a.hulls, lanes.a.rows, d, &id);
	const lane_integers again = integers_of(id);
	for (int lane = 0; lane < WP_WIDTH; lane++)
		CHECK(found.at[lane] == best && again.at[lane] == best, "vertices %d and %d of %u, not %d, along %a %a %a",
			found.at[lane], again.at[lane], hull->count, best, (double)dx, (double)dy, (double)dz);
	wp_find_farthest *const find = WP_FARTHEST_VERTEX;
	if (find != NULL && hull->padded == WP_FARTHEST_PADDED) {
		const uint32_t third = find(hull->x, dx, dy, dz);
		CHECK(third == (uint32_t)best, "vertex %u of %u, not %d, along %a %a %a", third, hull->count, best, (double)dx,
			(double)dy, (double)dz);
	}
}

VARIANT_TEST(support, vertex_is_the_lowest_of_the_farthest)
{
	static test_hull hull;
	uint64_t seed = 12;
	for (uint32_t count = 1; count <= 70; count++) {
		for (int round = 0; round < 300; round++) {
			const bool grid = round % 2;
			make_hull(&hull, &seed, count, grid);
			for (int k = 0; k < 4; k++) {
				const float dx = random_component(&seed, grid), dy = random_component(&seed, grid);
				check_vertex(&hull, dx, dy, random_component(&seed, grid));
			}
			check_vertex(&hull, 0.0f, -0.0f, 0.0f);
		}
	}
}

VARIANT_TEST(support, vertex_found_in_every_place)
{
	static test_hull hull;
	uint64_t seed = 13;
	for (uint32_t count = 1; count <= VERTICES_MAX; count += 13) {
		for (uint32_t top = 0; top < count; top++) {
			make_hull(&hull, &seed, count, true);
			hull.x[top] = 5.0f;
			pad_hull(&hull);
			check_vertex(&hull, 1.0f, 0.0f, 0.0f);
			cr_assert_eq(farthest_vertex(&hull, 1.0f, 0.0f, 0.0f), (int32_t)top);
		}
	}
}

/* ---- pairs -------------------------------------------------------------------------------------- */

static void make_pose(int job, uint64_t *seed)
{
	float q[4];
	for (int i = 0; i < 4; i++)
		q[i] = (float)random_between(seed, -1, 1);
	const double x = random_between(seed, -1, 1), y = random_between(seed, -1, 1);
	const double z = random_between(seed, -1, 1);
	set_pose(job, q, v3_of(x, y, z), (float)(1u << random_below(seed, 3)) * 0.25f);
}

static void make_jobs(uint64_t seed, uint32_t kind_a, uint32_t kind_b)
{
	memset(&jobs, 0, sizeof jobs);
	jobs.count = JOBS;
	jobs.terms = &wp_exact_terms;
	jobs.kind_a = kind_a;
	jobs.kind_b = kind_b;
	for (int job = 0; job < JOBS; job++) {
		make_pose(job, &seed);
		for (int axis = 0; axis < 3; axis++) {
			jobs.half_a[axis][job] = kind_a == WP_CORE_BOX ? random_extent(&seed) : 0.0f;
			jobs.half_b[axis][job] = kind_b == WP_CORE_BOX ? random_extent(&seed) : 0.0f;
		}
		make_hull(&hulls_a[job], &seed, 1 + random_below(&seed, 40), job % 2);
		make_hull(&hulls_b[job], &seed, 1 + random_below(&seed, 40), job % 3);
		set_hulls(job);
	}
}

/* Fill the lanes with the jobs from *next on; returns those live. */
static uint32_t fill_lanes(wp_lanes *lanes, uint32_t *next)
{
	static int32_t list[JOBS];
	for (int i = 0; i < JOBS; i++)
		list[i] = JOBS - 1 - i;
	const uint32_t before = *next;
	wp_lanes_start(lanes);
	wp_lanes_fill(lanes, list, JOBS, next);
	cr_assert_eq(lanes->live, (1u << (*next - before)) - 1);
	cr_assert_eq(*next, before + WP_WIDTH < JOBS ? before + WP_WIDTH : JOBS);
	for (uint32_t lane = 0; lane < *next - before; lane++)
		cr_assert_eq(lanes->job[lane], list[before + lane]);
	wp_lanes_load(lanes, &jobs, (int)jobs.kind_a, (int)jobs.kind_b);
	return lanes->live;
}

static void check_difference(const wp_lanes *lanes, const lane_points *d, wp_vertex vertex)
{
	const lane_points w = points_of(vertex.w);
	const lane_integers id = integers_of(vertex.id);
	for (uint32_t m = lanes->live; m != 0; m &= m - 1) {
		const int lane = (int)wp_lowest_bit(m);
		const int job = lanes->job[lane];
		const v3 n = point_at(d, lane), found = point_at(&w, lane);
		CHECK(id.at[lane] >> 16 < core_point_count(false, job), "id %x", (uint32_t)id.at[lane]);
		CHECK((id.at[lane] & 0xffff) < core_point_count(true, job), "id %x", (uint32_t)id.at[lane]);
		CHECK(v3_length(v3_sub(found, difference_point(job, id.at[lane]))) < 2e-6, "w is not the vertex of its id");
		CHECK(v3_dot(found, n) > farthest_difference(job, n) - 1e-5 * (1 + v3_length(n)), "w is not the farthest");
	}
}

/* The vertex of an id is the one that support gave, up to the sign of a zero. */
static void check_vertex_of_id(const wp_lanes *lanes, wp_vertex vertex)
{
	vf3 a_v, b_v;
	const wp_vertex again = wp_vertex_of_id(
		lanes, lanes->live, (int)jobs.kind_a, (int)jobs.kind_b, vertex.id, &a_v, &b_v);
	const lane_points w = points_of(vertex.w), w2 = points_of(again.w), a = points_of(a_v), b = points_of(b_v);
	const lane_integers id = integers_of(vertex.id), id2 = integers_of(again.id);
	for (uint32_t m = lanes->live; m != 0; m &= m - 1) {
		const int lane = (int)wp_lowest_bit(m);
		CHECK(w.x.at[lane] == w2.x.at[lane] && w.y.at[lane] == w2.y.at[lane] && w.z.at[lane] == w2.z.at[lane],
			"vertex of id %x", (uint32_t)id.at[lane]);
		CHECK(id.at[lane] == id2.at[lane], "id %x", (uint32_t)id.at[lane]);
		const v3 core = core_point(false, lanes->job[lane], id.at[lane] >> 16), p = point_at(&a, lane);
		CHECK(p.x == core.x && p.y == core.y && p.z == core.z, "point of A of id %x", (uint32_t)id.at[lane]);
		CHECK(w2.x.at[lane] == a.x.at[lane] - b.x.at[lane] && w2.y.at[lane] == a.y.at[lane] - b.y.at[lane] &&
				  w2.z.at[lane] == a.z.at[lane] - b.z.at[lane],
			"points of id %x", (uint32_t)id.at[lane]);
	}
}

/* A support among vertices that were copied into lanes is the same one, bit for bit. */
static void check_vertices_in_lanes(const wp_lanes *lanes, const lane_points *d, wp_vertex vertex)
{
	static wp_scratch scratch;
	wp_lanes copied = *lanes;
	copied.a.hulls = &scratch.hulls[0];
	copied.b.hulls = &scratch.hulls[1];
	wp_lane_side_hold(&copied.a, copied.a.most);
	wp_lane_side_hold(&copied.b, copied.b.most);
	wp_lanes_copy_hulls(&copied, (int)jobs.kind_a, (int)jobs.kind_b);
	vf3 a;
	const wp_vertex again = wp_support(&copied, copied.live, (int)jobs.kind_a, (int)jobs.kind_b, load_points(d), &a);
	const lane_points w = points_of(vertex.w), w2 = points_of(again.w);
	const lane_integers id = integers_of(vertex.id), id2 = integers_of(again.id);
	for (uint32_t m = lanes->live; m != 0; m &= m - 1) {
		const int lane = (int)wp_lowest_bit(m);
		CHECK(id.at[lane] == id2.at[lane], "id %x, not %x", (uint32_t)id2.at[lane], (uint32_t)id.at[lane]);
		CHECK(w.x.at[lane] == w2.x.at[lane] && w.y.at[lane] == w2.y.at[lane] && w.z.at[lane] == w2.z.at[lane],
			"vertex %x", (uint32_t)id.at[lane]);
	}
}

static void check_kinds(uint32_t kind_a, uint32_t kind_b)
{
	uint64_t seed = 14 + 2 * kind_a + kind_b;
	for (int round = 0; round < 20; round++) {
		make_jobs(next_random(&seed), kind_a, kind_b);
		for (uint32_t next = 0; next < JOBS;) {
			wp_lanes lanes;
			fill_lanes(&lanes, &next);
			for (int k = 0; k < 8; k++) {
				const lane_points d = random_directions(&seed);
				vf3 a;
				const wp_vertex v = wp_support(&lanes, lanes.live, (int)kind_a, (int)kind_b, load_points(&d), &a);
				check_difference(&lanes, &d, v);
				check_vertex_of_id(&lanes, v);
				check_vertices_in_lanes(&lanes, &d, v);
			}
		}
	}
}

VARIANT_TEST(support, difference_of_box_and_box) { check_kinds(WP_CORE_BOX, WP_CORE_BOX); }
VARIANT_TEST(support, difference_of_box_and_hull) { check_kinds(WP_CORE_BOX, WP_CORE_HULL); }
VARIANT_TEST(support, difference_of_hull_and_box) { check_kinds(WP_CORE_HULL, WP_CORE_BOX); }
VARIANT_TEST(support, difference_of_hull_and_hull) { check_kinds(WP_CORE_HULL, WP_CORE_HULL); }

VARIANT_TEST(support, hull_of_the_lanes_that_want_one)
{
	uint64_t seed = 21;
	make_jobs(21, WP_CORE_HULL, WP_CORE_HULL);
	for (int round = 0; round < 200; round++) {
		uint32_t next = 0;
		wp_lanes lanes;
		fill_lanes(&lanes, &next);
		lanes.live = random_below(&seed, WP_ALL_LANES + 1);
		const lane_points d = random_directions(&seed);
		vi id_v;
		const vf3 unscaled = wp_support_hull(&lanes.a, lanes.live, load_points(&d), &id_v);
		const lane_points p = points_of(vf3_scale(unscaled, lanes.scale));
		const lane_integers id = integers_of(id_v);
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			const bool live = lanes.live >> lane & 1u;
			const int job = lanes.job[lane];
			if (!live)
				continue;
			const int32_t best = farthest_vertex(&hulls_a[job], d.x.at[lane], d.y.at[lane], d.z.at[lane]);
			const v3 expected = core_point(false, job, best), found = point_at(&p, lane);
			CHECK(id.at[lane] == best, "id %d, not %d", id.at[lane], best);
			CHECK(found.x == expected.x && found.y == expected.y && found.z == expected.z, "point of %d", best);
		}
	}
}

VARIANT_TEST(support, lanes_are_put_where_asked)
{
	static int32_t integers[JOBS];
	make_jobs(22, WP_CORE_BOX, WP_CORE_BOX);
	uint64_t seed = 22;
	for (int round = 0; round < 200; round++) {
		uint32_t next = 0;
		wp_lanes lanes;
		fill_lanes(&lanes, &next);
		const uint32_t out = random_below(&seed, WP_ALL_LANES + 1);
		for (int i = 0; i < JOBS; i++)
			integers[i] = -1;
		wp_lanes_put_int(&lanes, out, integers, vi_lanes());
		for (int i = 0; i < JOBS; i++) {
			const int lane = JOBS - 1 - i;
			const bool put = lane < WP_WIDTH && out >> lane & 1u;
			CHECK(integers[i] == (put ? lane : -1), "integer of job %d", i);
		}
	}
}
