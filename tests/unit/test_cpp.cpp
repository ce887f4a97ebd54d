/* The C++ header as an engine uses it, with types of its own, against the calls of C, bit for bit; and its
 * errors. A plain program: what it tests compiles, or it does not. */
#include "widephase/widephase.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

#ifdef HAVE_COOK
#include "widephase/cook.hpp"
#endif

/* An engine may have functions of the header's names for its own types, and for the structs of C: the header calls its own. */
namespace engine
{
struct box {
	float position[3], rotation[4], way[3];
	std::uint32_t shape;
};
struct link {
	std::uint32_t first, second;
};
template <class Boxes, class P, class R> int bodies_of(const Boxes &, P box::*, R box::*) { return 0; }
template <class Boxes, class T> int motions_of(const Boxes &, T box::*) { return 0; }
template <class Links>
int batch_of(const wp::shape_table &, const wp_bodies &, const Links &, std::uint32_t link::*, std::uint32_t link::*)
{
	return 0;
}
} // namespace engine
static bool has_rows(const wp_batch &, std::size_t) { return false; }

namespace
{

struct vec3 {
	float x, y, z;
};
struct quat {
	float x, y, z, w;
};
struct dvec3 {
	double x, y, z;
};
struct entity {
	std::uint32_t id;
	quat rotation;
	vec3 position;
	dvec3 far_position;
};
struct body : entity {
	std::uint32_t shape;
	std::array<float, 3> way;
	quat turned;
};
struct contact {
	float separation, lower, upper, normal[3];
	vec3 point_a, point_b, tangent_1, tangent_2;
	std::array<float, 3> local_a, local_b;
	std::uint32_t status;
	std::uint8_t overlap;
};
struct link {
	std::uint16_t age;
	std::uint32_t first, second;
};

int failures;

void expect(bool fine, const char *what)
{
	if (!fine) {
		std::printf("%s: not so\n", what);
		failures++;
	}
}

template <class T, class U> void expect_bits(const T &a, const U &b, const char *what, std::size_t row)
{
	static_assert(sizeof(T) == sizeof(U));
	if (std::memcmp(&a, &b, sizeof a) != 0) {
		std::printf("%s of row %zu: other bits than by C\n", what, row);
		failures++;
	}
}

const std::vector<vec3> corners = {{0, 1, 0}, {1, -1, 0}, {-1, -1, 1}, {-1, -1, -1}};
const std::uint32_t face_sizes[] = {3, 3, 3, 3};
const std::uint32_t face_indices[] = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3};

std::vector<body> make_bodies()
{
	std::vector<body> bodies(24);
	for (std::size_t i = 0; i < bodies.size(); i++) {
		const float t = static_cast<float>(i);
		bodies[i].rotation = {0.6f, 0, 0, 0.8f};
		bodies[i].position = {0.7f * t, 0.3f * static_cast<float>(i % 5), 0.2f * static_cast<float>(i % 3)};
		bodies[i].far_position = {bodies[i].position.x, bodies[i].position.y, bodies[i].position.z};
		bodies[i].shape = static_cast<std::uint32_t>(i % 7);
		bodies[i].way = {i % 8 == 1 ? -4.0f : 0.0f, 0.0f, 0.125f};
		bodies[i].turned = {0, 0.6f, 0, 0.8f};
	}
	return bodies;
}

std::vector<link> make_links(std::size_t bodies)
{
	std::vector<link> links;
	for (std::uint32_t i = 0; i < bodies; i++)
		for (std::uint32_t j = i + 1; j < bodies && j < i + 4; j++)
			links.push_back({1, i, j});
	return links;
}

/* The same description by hand. */
wp_batch batch_by_hand(const wp::shape_table &table, const std::vector<body> &bodies, const std::vector<link> &links)
{
	wp_batch batch = {};
	batch.shapes = table.get();
	batch.a.position.data = &bodies[0].position;
	batch.a.rotation.data = &bodies[0].rotation.x;
	batch.a.shape.data = &bodies[0].shape;
	batch.a.position.stride = batch.a.rotation.stride = batch.a.shape.stride = sizeof(body);
	batch.a.count = bodies.size();
	batch.pair_a.data = &links[0].first;
	batch.pair_b.data = &links[0].second;
	batch.pair_a.stride = batch.pair_b.stride = sizeof(link);
	batch.count = links.size();
	return batch;
}

void compare(const std::vector<contact> &found, const std::vector<wp_row> &rows, const char *query)
{
	std::size_t apart = 0, together = 0;
	for (std::size_t i = 0; i < rows.size(); i++) {
		expect_bits(found[i].separation, rows[i].separation, query, i);
		expect_bits(found[i].lower, rows[i].lower, query, i);
		expect_bits(found[i].upper, rows[i].upper, query, i);
		expect_bits(found[i].normal, rows[i].normal, query, i);
		expect_bits(found[i].point_a, rows[i].point_a, query, i);
		expect_bits(found[i].point_b, rows[i].point_b, query, i);
		expect_bits(found[i].status, rows[i].status, query, i);
		expect(found[i].overlap == ((rows[i].status & WP_STATUS_SEPARATED) == 0), "overlap as the status says");
		apart += rows[i].status & WP_STATUS_SEPARATED ? 1 : 0;
		together += rows[i].status & WP_STATUS_PENETRATING ? 1 : 0;
	}
	expect(apart > 3 && together > 3, "a scene of both kinds");
}

void test_batches(wp::workspace &workspace, const wp::shape_table &table)
{
	const std::vector<body> bodies = make_bodies();
	const std::vector<link> links = make_links(bodies.size());
	const wp_bodies view = wp::bodies_of(bodies, &body::position, &body::rotation, &body::shape);
	const wp_batch batch = wp::batch_of(table, view, links, &link::first, &link::second);
	const wp_batch by_hand = batch_by_hand(table, bodies, links);
	std::vector<wp_row> rows(links.size());
	const wp_results row_results = wp_results_of_rows(rows.data());
	const wp_contact_options half = wp::up_to(0.5f);
	std::vector<contact> found(links.size());
	auto results = wp::results_of(found);
	results.separation(&contact::separation)
		.lower(&contact::lower)
		.upper(&contact::upper)
		.normal(&contact::normal)
		.points(&contact::point_a, &contact::point_b)
		.status(&contact::status)
		.overlap(&contact::overlap)
		.local_a(&contact::local_a)
		.local_b(&contact::local_b)
		.tangents(&contact::tangent_1, &contact::tangent_2);

	wp_statistics counts = {};
	expect(wp::contact(workspace, batch, wp::up_to(0.5f), results, &counts) == WP_OK, "contact");
	expect(counts.rows == links.size() && counts.invalid == 0, "all rows counted");
	expect(wp_contact(workspace.get(), &by_hand, &half, &row_results, nullptr) == WP_OK, "wp_contact");
	compare(found, rows, "contact");
	std::vector<std::array<float, 3>> local_a(rows.size()), local_b(rows.size());
	wp_results local_results = row_results;
	local_results.local_a.data = local_a[0].data();
	local_results.local_b.data = local_b[0].data();
	expect(wp_contact(workspace.get(), &by_hand, &half, &local_results, nullptr) == WP_OK, "local points");
	for (std::size_t i = 0; i < found.size(); i++) {
		expect_bits(found[i].local_a, local_a[i], "local point of A", i);
		expect_bits(found[i].local_b, local_b[i], "local point of B", i);
		float one[3], two[3];
		wp_tangents(found[i].normal, one, two);
		expect_bits(found[i].tangent_1, one, "tangent", i);
		expect_bits(found[i].tangent_2, two, "tangent", i);
	}

	expect(wp::distance(workspace, batch, results) == WP_OK, "distance");
	expect(wp_distance(workspace.get(), &by_hand, &row_results, nullptr) == WP_OK, "wp_distance");
	compare(found, rows, "distance");
	expect(wp::overlap(workspace, batch, results) == WP_OK, "overlap");
	expect(wp_overlap(workspace.get(), &by_hand, &row_results, nullptr) == WP_OK, "wp_overlap");
	compare(found, rows, "overlap");

	/* The same positions in double; an array of rows; ranges. */
	const wp_bodies far = wp::bodies_of(bodies, &body::far_position, &body::rotation, &body::shape);
	std::vector<wp_row> others(links.size());
	wp_batch far_batch = wp::batch_of(table, far, links, &link::first, &link::second);
	far_batch.count -= far_batch.first = 5;
	expect(wp::overlap(workspace, far_batch, wp::results_of(others)) == WP_OK, "overlap of doubles");
	expect(
		std::memcmp(&rows[5], &others[5], (rows.size() - 5) * sizeof rows[0]) == 0, "doubles give the bits of floats");
}

/* Single pairs, apart and not, with the bits of the calls of C. */
void test_pairs(wp::workspace &workspace)
{
	const std::vector<wp::shape> shapes = {wp::shape::box(0.5f, 0.75f, 1), wp::shape::capsule(0.25f, 0.5f)};
	const wp::shape_table table(shapes);
	const wp_shape &box = shapes[0], &rod = shapes[1];
	const wp_pose a = {{0.1f, 0.2f, 0.3f}, {0.6f, 0, 0, 0.8f}};
	const wp_contact_options far = wp::up_to(3);
	for (const float aside : {0.5f, 2.5f}) {
		const wp_pose b = {{aside, 0.4f, -0.2f}, {0, 0.28f, 0, 0.96f}};
		wp_pair pair = {};
		pair.shapes = table.get();
		pair.shape_b = 1;
		pair.position_a = a.position;
		pair.rotation_a = a.rotation;
		pair.position_b = b.position;
		pair.rotation_b = b.rotation;
		wp_row found[6] = {}, expected[6] = {};
		wp_cache caches[3] = {}, of_c[3] = {};
		wp_workspace *const in_c = workspace.get();
		expect(wp::overlap(workspace, box, a, rod, b, found[0]) == WP_OK &&
				   wp::distance(workspace, box, a, rod, b, found[1]) == WP_OK &&
				   wp::contact(workspace, box, a, rod, b, far, found[2]) == WP_OK &&
				   wp::overlap(workspace, pair, &caches[0], found[3]) == WP_OK &&
				   wp::distance(workspace, pair, &caches[1], found[4]) == WP_OK &&
				   wp::contact(workspace, pair, far, &caches[2], found[5]) == WP_OK,
			"single pairs");
		expect(wp_overlap_pair(in_c, &box, &a, &rod, &b, &expected[0]) == WP_OK &&
				   wp_distance_pair(in_c, &box, &a, &rod, &b, &expected[1]) == WP_OK &&
				   wp_contact_pair(in_c, &box, &a, &rod, &b, &far, &expected[2]) == WP_OK &&
				   wp_overlap_prepared(in_c, &pair, &of_c[0], &expected[3]) == WP_OK &&
				   wp_distance_prepared(in_c, &pair, &of_c[1], &expected[4]) == WP_OK &&
				   wp_contact_prepared(in_c, &pair, &far, &of_c[2], &expected[5]) == WP_OK,
			"single pairs in C");
		for (std::size_t i = 0; i < 6; i++)
			expect_bits(found[i], expected[i], "a single pair", i);
		for (std::size_t i = 0; i < 3; i++)
			expect_bits(caches[i], of_c[i], "the cache of a single pair", i);
	}
}

struct cached_row {
	wp_cache known;
	float separation;
};

/* Caches of rows, members or an array of their own, of however many rows. */
void test_caches(wp::workspace &workspace, const wp::shape_table &table)
{
	const std::vector<body> bodies = make_bodies();
	std::vector<link> links = make_links(bodies.size());
	for (const std::size_t count : {links.size(), std::size_t(1), std::size_t(0)}) {
		wp_batch batch = wp::batch_of(table, wp::bodies_of(bodies, &body::position, &body::rotation, &body::shape),
			links, &link::first, &link::second);
		batch.count = count;
		std::vector<wp_row> rows(count);
		std::vector<wp_cache> expected(count), beside(count);
		std::vector<cached_row> found(count);
		wp_results of_c = wp_results_of_rows(rows.data());
		of_c.cache.data = expected.data();
		expect(wp_contact(workspace.get(), &batch, nullptr, &of_c, nullptr) == WP_OK, "caches in C");
		auto members = wp::results_of(found);
		auto array = wp::results_of(rows);
		members.separation(&cached_row::separation).cache(&cached_row::known);
		array.cache(wp::span(beside));
		expect(wp::contact(workspace, batch, {}, members) == WP_OK, "caches as members");
		expect(wp::contact(workspace, batch, {}, array) == WP_OK, "caches as an array");
		for (std::size_t i = 0; i < count; i++) {
			expect_bits(found[i].known, expected[i], "a cache as a member", i);
			expect_bits(beside[i], expected[i], "a cache of an array", i);
			expect_bits(found[i].separation, rows[i].separation, "a separation beside a cache", i);
		}
		if (count == 0)
			continue;
		/* Then one row, of which something is kept. */
		std::size_t known = 0;
		while (known + 1 < count && expected[known].count == 0)
			known++;
		expect(expected[known].count != 0, "something is kept");
		std::swap(links[0], links[known]);
		array.cache(wp::span(beside.data(), count - 1));
		expect(wp::contact(workspace, batch, {}, array) == WP_ERROR_MEMORY_TOO_SMALL, "too few caches");
	}
}

void test_other_queries(wp::workspace &workspace, const wp::shape_table &table)
{
	const std::vector<body> bodies = make_bodies();
	const std::array<std::uint32_t, 2> pairs[] = {{0, 1}, {1, 2}, {4, 9}};
	const wp_batch batch = wp::batch_of(
		table, wp::bodies_of(bodies, &body::position, &body::rotation, &body::shape), pairs);
	std::array<wp_row, 3> rows = {}, by_c = {};
	auto results = wp::results_of(rows);
	const wp_results c_results = wp_results_of_rows(by_c.data());
	const wp_contact_options quarter = wp::up_to(0.25f);

	std::uint32_t counts[3], c_counts[3];
	wp_manifold_point points[3][4] = {}, c_points[3][4] = {};
	wp_manifolds manifolds = {}, c_manifolds = {};
	manifolds.count.data = counts;
	manifolds.points.data = points[0];
	c_manifolds.count.data = c_counts;
	c_manifolds.points.data = c_points[0];
	expect(wp::contact_manifold(workspace, batch, quarter, results, manifolds) == WP_OK, "contact_manifold");
	expect(wp_contact_manifold(workspace.get(), &batch, &quarter, &c_results, &c_manifolds, nullptr) == WP_OK, "by C");
	expect(std::memcmp(counts, c_counts, sizeof counts) == 0 && std::memcmp(points, c_points, sizeof points) == 0 &&
			   std::memcmp(&rows, &by_c, sizeof rows) == 0,
		"the same manifolds");

	const std::vector<vec3> directions(3, vec3{0, 1, 0});
	expect(wp::depth_along(workspace, batch, directions, results) == WP_OK, "depth_along");
	const wp_const_float_column c_directions = {&directions[0].x, 0};
	expect(wp_depth_along(workspace.get(), &batch, &c_directions, &c_results, nullptr) == WP_OK, "by C");
	expect(std::memcmp(&rows, &by_c, sizeof rows) == 0, "the same depths");

	const wp_motions motions = wp::motions_of(bodies, &body::way, &body::turned);
	std::vector<float> ways, turns;
	for (const body &b : bodies) {
		ways.insert(ways.end(), b.way.begin(), b.way.end());
		turns.insert(turns.end(), {b.turned.x, b.turned.y, b.turned.z, b.turned.w});
	}
	wp_motions by_hand = {};
	by_hand.translation.data = ways.data();
	by_hand.rotation.data = turns.data();
	struct hit {
		float fraction;
		std::uint32_t status;
	} hits[3] = {};
	auto hit_results = wp::results_of(hits);
	hit_results.fraction(&hit::fraction).status(&hit::status);
	float fractions[3];
	const wp_results nothing = {};
	const wp_float_column c_fractions = {fractions, 0};
	expect(wp::cast(workspace, batch, motions, hit_results) == WP_OK, "cast");
	expect(wp_cast(workspace.get(), &batch, &by_hand, nullptr, &nothing, &c_fractions, nullptr) == WP_OK, "by C");
	for (std::size_t i = 0; i < 3; i++)
		expect_bits(hits[i].fraction, fractions[i], "fraction", i);
	expect(fractions[2] > 0 && fractions[2] < 1, "a hit on the way");
	wp_batch apart = batch;
	apart.b = batch.a;
	expect(wp::cast(workspace, apart, motions, motions, hit_results) == WP_OK, "cast, bodies of B named");
	for (std::size_t i = 0; i < 3; i++)
		expect_bits(hits[i].fraction, fractions[i], "fraction", i);

	wp_row row, c_row;
	const wp::shape box = wp::shape::box(1, 1, 1), ball = wp::shape::sphere(0.5f);
	const wp_pose a = {{0, 0, 0}, {0, 0, 0, 1}}, b = {{1.25f, 0, 0}, {0, 0, 0, 1}};
	expect(wp::contact(workspace, box, a, ball, b, {}, row) == WP_OK && row.separation == -0.25f, "one pair");
	expect(wp_contact_pair(workspace.get(), &box, &a, &ball, &b, nullptr, &c_row) == WP_OK, "by C");
	expect_bits(row, c_row, "one pair", 0);
	expect(wp::distance(workspace, box, a, ball, b, row) == WP_OK && row.separation == 0, "distance of one pair");
	expect(wp::overlap(workspace, box, a, ball, b, row) == WP_OK && (row.status & WP_STATUS_PENETRATING) != 0,
		"overlap of one pair");

	const wp_shape both[] = {box, ball};
	const wp::shape_table prepared(both);
	const wp_pair pair = {prepared.get(), 0, 1, a.position, a.rotation, b.position, b.rotation, WP_REAL_FLOAT};
	expect(wp::contact(workspace, pair, {}, nullptr, row) == WP_OK, "one prepared pair");
	expect_bits(row, c_row, "one prepared pair", 0);
	expect(
		wp::distance(workspace, pair, nullptr, row) == WP_OK && row.separation == 0, "distance of one prepared pair");
	expect(wp::overlap(workspace, pair, nullptr, row) == WP_OK && (row.status & WP_STATUS_PENETRATING) != 0,
		"overlap of one prepared pair");
}

/* As the quaternion of Eigen: no value_type, x, y, z and w as functions, and the numbers x first. */
class coefficients
{
  public:
	using Scalar = float;
	coefficients(float x, float y, float z, float w) : numbers_{x, y, z, w} {}
	const float (&coeffs() const)[4] { return numbers_; }
	float x() const { return numbers_[0]; }

  private:
	float numbers_[4];
};

void test_coefficients(wp::workspace &workspace, const wp::shape_table &table)
{
	struct turned {
		vec3 position;
		coefficients rotation;
	};
	static_assert(std::is_same_v<wp::scalar_of<coefficients>::type, float>);
	const std::vector<turned> bodies = {{{0, 0, 0}, {0, 0, 0, 1}}, {{0.1f, 0.2f, 0.3f}, {0.6f, 0, 0, 0.8f}}};
	const std::uint32_t pairs[][2] = {{0, 1}};
	std::vector<wp_row> rows(1);
	const wp_batch batch = wp::batch_of(table, wp::bodies_of(bodies, &turned::position, &turned::rotation), pairs);
	wp_row by_c;
	const wp_pose first = {{0, 0, 0}, {0, 0, 0, 1}}, second = {{0.1f, 0.2f, 0.3f}, {0.6f, 0, 0, 0.8f}};
	const wp_shape box = wp_shape_box(0.5f, 0.25f, 1), capsule = wp_shape_capsule(0.25f, 0.5f);
	expect(wp::contact(workspace, batch, {}, wp::results_of(rows)) == WP_OK &&
			   wp_contact_pair(workspace.get(), &box, &first, &capsule, &second, nullptr, &by_c) == WP_OK,
		"bodies with quaternions of coefficients");
	expect_bits(rows[0], by_c, "contact of a quaternion of coefficients", 0);
}

struct near_box {
	std::uint32_t tag;
	vec3 lower;
	float upper[3];
};
struct far_box {
	dvec3 lower, upper;
	std::uint32_t tag;
};

template <class Box, class Number>
void expect_box(const Box &box, const Number (&lower)[3], const Number (&upper)[3], const char *what, std::size_t row)
{
	expect_bits(box.lower, lower, what, row);
	expect_bits(box.upper, upper, what, row);
	expect(box.tag == 7, "what lies beside a box");
}

void test_bounds(const wp::shape_table &table)
{
	const std::vector<body> bodies = make_bodies();
	const std::vector<link> links = make_links(bodies.size());
	wp_batch batch = batch_by_hand(table, bodies, links);
	batch.count = bodies.size();
	float lower[24][3], upper[24][3];
	double far_lower[24][3], far_upper[24][3];
	const wp_contact_options half = wp::up_to(0.5f);
	const wp_bounds by_c = {{lower, 0}, {upper, 0}, WP_REAL_FLOAT},
					far_by_c = {{far_lower, 0}, {far_upper, 0}, WP_REAL_DOUBLE};
	expect(
		wp_bodies_bounds(&batch, &half, &by_c) == WP_OK && wp_bodies_bounds(&batch, &half, &far_by_c) == WP_OK, "by C");

	std::vector<near_box> boxes(bodies.size(), near_box{7, {}, {}});
	far_box far_boxes[25] = {};
	far_boxes[24].tag = 9;
	for (std::size_t i = 0; i < bodies.size(); i++)
		far_boxes[i].tag = 7;
	const wp_bodies view = wp::bodies_of(bodies, &body::position, &body::rotation, &body::shape);
	const wp::bounds in_boxes = wp::bounds_of(boxes, &near_box::lower, &near_box::upper);
	const wp::bounds in_far_boxes = wp::bounds_of(far_boxes, &far_box::lower, &far_box::upper);
	expect(wp::bodies_bounds(table, view, half, in_boxes) == WP_OK, "bodies_bounds");
	expect(wp::bodies_bounds(table, view, half, in_far_boxes) == WP_OK, "bodies_bounds in double");
	for (std::size_t i = 0; i < bodies.size(); i++) {
		expect_box(boxes[i], lower[i], upper[i], "box", i);
		expect_box(far_boxes[i], far_lower[i], far_upper[i], "box in double", i);
	}
	expect(far_boxes[24].tag == 9 && far_boxes[24].lower.x == 0, "no box beyond the bodies");

	/* A body with a compound, and one on a height field. */
	const wp_compound_child children[] = {{{0, 0, 0}, {0, 0, 0, 1}, 0, 0}, {{0, 3, 0}, {0, 0, 0, 1}, 0, 0}};
	const wp::compound pair(children, table);
	const float heights[6] = {0, 1, 0, 2, 0, 0};
	wp_height_field field = {};
	field.samples = heights;
	field.columns = 3;
	field.rows = 2;
	field.spacing[0] = field.spacing[1] = 1;
	const wp_compound *const compounds[] = {pair.get()};
	const wp_height_field *const fields[] = {&field};
	std::vector<body> two(bodies.begin(), bodies.begin() + 1);
	two[0].position = {0, 5, 0};
	two[0].rotation = {0, 0, 0, 1};
	two[0].shape = WP_COMPOUND;
	const wp_bodies with_compound = wp::bodies_of(two, &body::position, &body::rotation, &body::shape);
	expect(pair && wp::compound_bodies_bounds(table, compounds, with_compound, {}, in_boxes) == WP_OK &&
			   boxes[0].upper[1] - boxes[0].lower.y > 3,
		"compound_bodies_bounds");
	two[0].shape = 0;
	expect(wp::mesh_bodies_bounds({}, fields, with_compound, {}, in_boxes) == WP_OK && boxes[0].lower.y <= 5 &&
			   boxes[0].lower.y > 4.99f && boxes[0].upper[1] >= 7 && boxes[0].upper[1] < 7.01f,
		"mesh_bodies_bounds");

	boxes.pop_back();
	const wp::bounds few = wp::bounds_of(boxes, &near_box::lower, &near_box::upper);
	expect(wp::bodies_bounds(table, view, half, few) == WP_ERROR_MEMORY_TOO_SMALL &&
			   wp::compound_bodies_bounds(table, {}, view, half, few) == WP_ERROR_MEMORY_TOO_SMALL &&
			   wp::mesh_bodies_bounds({}, {}, view, half, few) == WP_ERROR_MEMORY_TOO_SMALL,
		"too few boxes are refused");
	boxes.clear();
	expect(
		wp::bodies_bounds(table, wp_bodies(), half, wp::bounds_of(boxes, &near_box::lower, &near_box::upper)) == WP_OK,
		"boxes of nothing");
}

struct tracked_link {
	std::uint32_t first, second, tracked;
};

/* A frame as an engine makes it, and the same by C. */
void expect_frame(wp::workspace &workspace, const wp_batch &batch, const wp_track_options &options,
	wp::tracked_pairs &kept, const std::vector<tracked_link> &links, std::vector<wp_tracked> &c_kept,
	std::vector<wp_persistent_manifold> &c_manifolds, std::vector<wp_tracked_anchor> &c_anchors)
{
	std::vector<wp_row> rows(links.size()), c_rows(links.size());
	const wp_results c_results = wp_results_of_rows(c_rows.data());
	wp_tracked_pairs by_c = {};
	by_c.pairs = c_kept.data();
	by_c.manifolds = c_manifolds.data();
	by_c.anchors = c_anchors.data();
	by_c.count = c_kept.size();
	by_c.index.data = &links[0].tracked;
	by_c.index.stride = sizeof links[0];
	const auto view = kept.rows(links, &tracked_link::tracked);
	expect(wp::track(workspace, batch, options, view, wp::results_of(rows)) == WP_OK, "track");
	expect(wp_track(workspace.get(), &batch, &options, &by_c, &c_results, nullptr, nullptr) == WP_OK, "by C");
	for (std::size_t i = 0; i < links.size(); i++) {
		const std::uint32_t at = links[i].tracked;
		expect_bits(rows[i], c_rows[i], "row of a frame", i);
		expect_bits(kept[at], c_kept[at], "what is kept", i);
		if (kept[at].count != 0)
			expect(std::memcmp(kept.manifold(at).points, c_manifolds[at].points,
					   kept[at].count * sizeof(wp_persistent_point)) == 0 &&
					   std::memcmp(kept.manifold(at).places, c_manifolds[at].places,
						   kept[at].count * sizeof(wp_persistent_place)) == 0,
				"points of a frame");
	}
}

void test_frames(wp::workspace &workspace, const wp::shape_table &table)
{
	std::vector<body> bodies = make_bodies();
	std::vector<tracked_link> links;
	wp::tracked_pairs kept(4, true);
	expect(kept && kept.capacity() == 4, "tracked pairs");
	for (const link &of : make_links(bodies.size())) {
		std::uint32_t index = kept.take();
		if (index == WP_TRACK_NONE) {
			expect(kept.reserve(2 * kept.capacity()) == WP_OK, "room for more");
			index = kept.take();
		}
		links.push_back({of.first, of.second, index});
	}
	std::vector<wp_tracked> c_kept(kept.capacity());
	std::vector<wp_persistent_manifold> c_manifolds(kept.capacity());
	std::vector<wp_tracked_anchor> c_anchors(kept.capacity());
	wp_track_options options = {};
	options.max_separation = options.merging = 0.02f;
	options.reuse_error = 0.002f;
	std::size_t reused = 0, apart = 0;
	for (int frame = 0; frame < 4; frame++) {
		const wp_batch batch = wp::batch_of(table,
			wp::bodies_of(bodies, &body::position, &body::rotation, &body::shape), links, &tracked_link::first,
			&tracked_link::second);
		if (frame == 2) /* what is kept moves along */
			expect(kept.reserve(2 * kept.capacity()) == WP_OK, "room for more between frames");
		expect_frame(workspace, batch, options, kept, links, c_kept, c_manifolds, c_anchors);
		for (const tracked_link &of : links) {
			reused += (kept[of.tracked].event & WP_TRACK_REUSED) != 0;
			apart += (kept[of.tracked].event & WP_TRACK_KEPT) != 0;
		}
		for (body &of : bodies)
			of.position.x += of.shape == 0 ? 1e-4f : 0;
		expect(wp::track(workspace, batch, options, kept.rows(links, &tracked_link::tracked)) == WP_OK, "no results");
		const wp_batch none = wp::batch_of(
			table, wp_bodies(batch.a), std::vector<tracked_link>(), &tracked_link::first, &tracked_link::second);
		expect(wp::track(workspace, none, options, kept.rows()) == WP_OK, "no pairs");
		for (const tracked_link &of : links)
			c_kept[of.tracked] = kept[of.tracked];
		for (const tracked_link &of : links) {
			c_manifolds[of.tracked] = kept.manifold(of.tracked);
			c_anchors[of.tracked] = kept.rows().anchors[of.tracked];
		}
	}
	expect(reused > 0 && apart > 0, "pairs that are not searched anew");
	expect(kept.give(links[3].tracked) == WP_OK && kept.give(links[3].tracked) == WP_ERROR_TRACKED_INDEX &&
			   kept.take() == links[3].tracked,
		"a pair given back and taken again");
	expect(kept.reserve(WP_TRACK_NONE) == WP_ERROR_POOL_CAPACITY && kept, "too many pairs leave the others");
	expect(wp::tracked_pairs(WP_TRACK_NONE).error() == WP_ERROR_POOL_CAPACITY, "too many pairs");
	wp::tracked_pairs moved = std::move(kept);
	expect(moved && !kept && kept.error() == WP_ERROR_NULL_TRACKED_PAIRS && kept.take() == WP_TRACK_NONE &&
			   kept.give(0) == WP_ERROR_NULL_TRACKED_PAIRS && kept.capacity() == 0,
		"moved");
}

/* Events of pairs without results. */
void test_changes_without_results(wp::workspace &workspace)
{
	const wp::shape_table table(std::vector<wp::shape>{wp::shape::sphere(1)});
	std::vector<body> bodies(2);
	bodies[0].rotation = bodies[1].rotation = {0, 0, 0, 1};
	wp::tracked_pairs kept(1);
	const std::vector<tracked_link> links = {{0, 1, kept.take()}};
	wp_track_options options = {};
	std::uint32_t row = 9;
	for (const float x : {1.5f, 1.5f, 3.0f}) {
		bodies[1].position.x = x;
		const wp_batch batch = wp::batch_of(table,
			wp::bodies_of(bodies, &body::position, &body::rotation, &body::shape), links, &tracked_link::first,
			&tracked_link::second);
		wp_track_changes changes = {};
		changes.rows = &row;
		changes.capacity = 1;
		const std::size_t expected = kept[0].event == 0 || x > 2 ? 1 : 0;
		expect(wp::track(workspace, batch, options, kept.rows(links, &tracked_link::tracked), &changes) == WP_OK &&
				   changes.count == expected && row == 0,
			"changes without results");
	}
	expect(kept[0].event == WP_TRACK_ENDED, "a pair that ended");
}

/* Functions of the engine that have names of the header's do not take their place. */
void test_names(wp::workspace &workspace)
{
	const wp::shape shapes[] = {wp::shape::sphere(1.0f), wp::shape::sphere(1.0f)};
	const wp::shape_table table(shapes);
	const std::vector<engine::box> boxes = {{{}, {0.0f, 0.0f, 0.0f, 1.0f}, {}, 0},
		{{0x1.cp+0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f}, 1}};
	const std::vector<engine::link> links = {{0, 1}};
	const wp_bodies bodies = wp::bodies_of(boxes, &engine::box::position, &engine::box::rotation, &engine::box::shape);
	const wp_motions motions = wp::motions_of(boxes, &engine::box::way, &engine::box::rotation);
	const wp_batch batch = wp::batch_of(table, bodies, links, &engine::link::first, &engine::link::second);
	wp_row row = {};
	const wp::results<wp_row> rows{wp::span<wp_row>(&row, 1)};
	expect(!has_rows(batch, 1) && engine::bodies_of(boxes, &engine::box::position, &engine::box::rotation) == 0 &&
			   engine::motions_of(boxes, &engine::box::way) == 0 &&
			   engine::batch_of(table, bodies, links, &engine::link::first, &engine::link::second) == 0,
		"functions of the engine");
	expect(motions.translation.stride == sizeof(engine::box) && motions.rotation.data == boxes[0].rotation,
		"motions beside functions of the engine");
	expect(wp::contact(workspace, batch, {}, rows) == WP_OK && row.separation == -0x1p-2f,
		"a contact beside functions of the engine");
	const wp_mesh_batch on_meshes = wp::mesh_batch_of(
		table, bodies, {}, bodies, links, &engine::link::first, &engine::link::second);
	const wp_mesh_batch on_fields = wp::height_batch_of(
		table, bodies, {}, bodies, links, &engine::link::first, &engine::link::second);
	const wp_compound_batch compounds = wp::compound_batch_of(
		table, bodies, {}, links, &engine::link::first, &engine::link::second);
	expect(
		on_meshes.count == 1 && on_fields.count == 1 && compounds.count == 1, "batches beside functions of the engine");
}

/* A pool has no points before its first frame, whatever was in its memory before. */
void test_fresh_pools()
{
	const std::uint32_t capacity = 64;
	const wp_persistent_manifold empty = {};
	{
		wp::tracked_pairs first(capacity);
		for (std::uint32_t i = 0; i < capacity; i++)
			std::memset(&first.manifold(i), 0xff, sizeof empty);
	}
	wp::tracked_pairs again(capacity);
	for (std::uint32_t i = 0; i < capacity; i++)
		expect_bits(again.manifold(i), empty, "a fresh manifold", i);
	expect(again.rows().anchors == nullptr && again.rows().polytopes == nullptr, "only what is requested is kept");
	expect(again.reserve(1) == WP_OK && again.capacity() == capacity, "a pool does not shrink");
	/* All room that there is for patches may be written: sanitizers see it if it is less. */
	wp::mesh_tracked_pairs on_meshes(capacity, 3);
	wp::compound_tracked_pairs of_compounds(capacity, 3);
	expect(on_meshes && of_compounds, "pools of patches");
	const std::size_t patches = std::size_t(3) * capacity;
	std::memset(on_meshes.children(), 0xff, patches * WP_MESH_POINT_MAX * sizeof(std::uint32_t));
	std::memset(of_compounds.rows().room, 0xff, patches * sizeof(wp_compound_patch));
}

/* Upright, with as many vertices around. */
wp::hull make_prism(std::uint32_t around)
{
	std::vector<vec3> vertices;
	std::vector<std::uint32_t> sizes = {around, around}, indices;
	for (const float y : {-0.5f, 0.5f})
		for (std::uint32_t i = 0; i < around; i++) {
			const float turn = 6.2831853f * static_cast<float>(i) / static_cast<float>(around);
			vertices.push_back({0.5f * std::cos(turn), y, 0.5f * std::sin(turn)});
		}
	for (std::uint32_t i = 0; i < around; i++)
		indices.push_back(i);
	for (std::uint32_t i = 0; i < around; i++)
		indices.push_back(2 * around - 1 - i);
	for (std::uint32_t i = 0; i < around; i++) {
		sizes.push_back(4);
		indices.insert(indices.end(), {i, around + i, around + (i + 1) % around, (i + 1) % around});
	}
	return wp::hull(vertices, sizes, indices);
}

/* Rows that EPA ran for while two prisms that overlap moved a little in each frame, and the separation of each. */
std::uint64_t move_prisms(wp::workspace &workspace, bool proves, std::vector<float> &separations)
{
	const wp::hull first = make_prism(8), second = make_prism(7);
	const wp::shape_table table(std::vector<wp::shape>{wp::shape::hull(first), wp::shape::hull(second)});
	expect(first && second && table, "prisms");
	std::vector<body> bodies(2);
	bodies[0].rotation = {0, 0, 0, 1};
	bodies[1].rotation = {0.28f, 0, 0, 0.96f};
	bodies[1].position = {0.1f, 0.8f, 0};
	bodies[1].shape = 1;
	wp::tracked_pairs kept(1, false, proves);
	const std::vector<tracked_link> links = {{0, 1, kept.take()}};
	std::vector<wp_row> rows(1), exact(1);
	wp_track_options options = {};
	options.max_separation = options.merging = 0.02f;
	wp_statistics counts = {};
	for (int frame = 0; frame < 100; frame++) {
		bodies[1].position.x += frame % 4 < 2 ? 0.001f : -0.001f;
		bodies[1].position.y += frame % 6 < 3 ? 0.001f : -0.001f;
		const wp_batch batch = wp::batch_of(table,
			wp::bodies_of(bodies, &body::position, &body::rotation, &body::shape), links, &tracked_link::first,
			&tracked_link::second);
		expect(wp::track(workspace, batch, options, kept.rows(links, &tracked_link::tracked), wp::results_of(rows),
				   nullptr, &counts) == WP_OK &&
				   wp::contact(workspace, batch, {}, wp::results_of(exact)) == WP_OK,
			"frames of prisms");
		expect(rows[0].separation < 0 && std::fabs(rows[0].separation - exact[0].separation) < 6e-6f,
			"the separation of prisms");
		separations.push_back(rows[0].separation);
		expect(kept.reserve(kept.capacity() + 1) == WP_OK, "polytopes move along");
	}
	return counts.epa_rows;
}

void test_polytopes(wp::workspace &workspace)
{
	std::vector<float> with, again, without;
	const std::uint64_t searched = move_prisms(workspace, true, with);
	expect(move_prisms(workspace, true, again) == searched && again == with, "the same once more");
	expect(move_prisms(workspace, false, without) > 2 * searched && searched > 0, "depths that are proven again");
}

/* Cylinders, cones and ellipsoids, each with a sphere above it and one aside. */
void test_smooth_shapes(wp::workspace &workspace)
{
	const wp::shape ball = wp::shape::sphere(1);
	const wp_pose at = {{0, 0, 0}, {0, 0, 0, 1}};
	const struct {
		wp::shape made;
		std::uint32_t kind;
		wp_pose aside;
		float above_gap, aside_gap;
	} cases[] = {
		{wp::shape::cylinder(1, 2), WP_SHAPE_CYLINDER, {{4, 3, 0}, {0, 0, 0, 1}}, 1, std::sqrt(10.0f) - 1},
		{wp::shape::cylinder(1, 2).rounded(0.5f), WP_SHAPE_CYLINDER, {{4, 1, 0}, {0, 0, 0, 1}}, 0.5f, 1.5f},
		{wp::shape::cone(3, 2), WP_SHAPE_CONE, {{4, 3, 0}, {0, 0, 0, 1}}, 1, 2.8f},
		{wp::shape::ellipsoid(1, 2, 3), WP_SHAPE_ELLIPSOID, {{0, 0, 5}, {0, 0, 0, 1}}, 1, 1},
	};
	const wp_pose above = {{0, 4, 0}, {0, 0, 0, 1}};
	for (const auto &one : cases) {
		wp_row row;
		expect(one.made.kind == one.kind, "the requested kind");
		expect(wp::contact(workspace, one.made, at, ball, above, wp::up_to(10), row) == WP_OK &&
				   std::fabs(row.separation - one.above_gap) < 1e-4f,
			"a sphere above a smooth shape");
		expect(wp::contact(workspace, one.made, at, ball, one.aside, wp::up_to(10), row) == WP_OK &&
				   std::fabs(row.separation - one.aside_gap) < 1e-4f,
			"a sphere beside a smooth shape");
	}
}

void test_errors(wp::workspace &workspace, const wp::shape_table &table)
{
	std::vector<body> bodies = make_bodies();
	std::vector<link> links = make_links(bodies.size());
	std::vector<wp_row> rows(links.size() - 1);
	const wp_bodies view = wp::bodies_of(bodies, &body::position, &body::rotation, &body::shape);
	const wp_batch batch = wp::batch_of(table, view, links, &link::first, &link::second);
	expect(
		wp::overlap(workspace, batch, wp::results_of(rows)) == WP_ERROR_MEMORY_TOO_SMALL, "too few rows are refused");
	const std::vector<vec3> directions(rows.size(), vec3{0, 1, 0});
	std::vector<wp_row> enough(links.size());
	expect(wp::depth_along(workspace, batch, directions, wp::results_of(enough)) == WP_ERROR_MEMORY_TOO_SMALL,
		"too few directions are refused");
	wp_batch last = batch;
	last.count -= last.first = 1;
	expect(wp::depth_along(workspace, last, directions, wp::results_of(enough)) == WP_ERROR_MEMORY_TOO_SMALL,
		"too few directions for the last rows are refused");

	/* Nothing to do is no error. */
	bodies.clear();
	links.clear();
	rows.clear();
	const wp_batch none = wp::batch_of(
		table, wp::bodies_of(bodies, &body::position, &body::rotation), links, &link::first, &link::second);
	expect(wp::contact(workspace, none, {}, wp::results_of(rows)) == WP_OK, "an empty batch");

	wp::workspace unknown(WP_VARIANT_COUNT);
	expect(!unknown && unknown.error() == WP_ERROR_VARIANT_UNKNOWN && unknown.get() == nullptr, "no such variant");
	expect(wp::overlap(unknown, batch, wp::results_of(enough)) == WP_ERROR_NULL_WORKSPACE, "a workspace that failed");
	alignas(WP_ALIGNMENT) char little[256];
	expect(wp::workspace(little, sizeof little).error() == WP_ERROR_MEMORY_TOO_SMALL, "little memory");

	const std::vector<vec3> nothing;
	const std::vector<vec3> infinite = {{0, 0, 0}, {std::numeric_limits<float>::infinity(), 0, 0}};
	const std::uint32_t far_indices[] = {0, 1, 9};
	const std::uint32_t one_size[] = {3};
	expect(wp::hull(nothing).error() == WP_ERROR_HULL_VERTEX_COUNT, "a hull of nothing");
	const wp::hull endless(infinite);
	expect(endless.error() == WP_ERROR_HULL_VERTEX && endless.bad_index() == 1, "a hull without end");
	expect(wp::hull(corners, one_size, far_indices).error() == WP_ERROR_HULL_FACE, "an index out of range");
	expect(wp::hull(corners, face_sizes, one_size).error() == WP_ERROR_HULL_FACE, "fewer indices than the faces have");
	expect(wp::hull(corners, one_size, face_indices).error() == WP_ERROR_HULL_FACE, "more indices than the faces have");

	const wp::shape bad[] = {wp::shape::box(1, 1, 1), wp::shape::sphere(-1)};
	const wp::shape_table report(bad);
	expect(report && report.report().invalid_count == 1 && report.report().first_invalid == 1, "an invalid shape");
}

void test_changes()
{
	const wp::shape bad = wp::shape::sphere(-1), shapes[] = {wp::shape::box(1, 1, 1), bad, bad};
	wp::shape_table table(shapes, 5);
	expect(table && wp_shape_table_count(table.get()) == 5, "room for more shapes");
	expect(table.report().invalid_count == 2 && table.report().first_invalid == 1, "invalid shapes of a larger table");
	expect(std::strcmp(table.report().reason, "radius is negative") == 0, "the reason");
	const char *reason = nullptr;
	expect(
		table.set(4, wp::shape::sphere(2)) == WP_OK && wp_shape_table_bound(table.get(), 4) == 2, "a shape is added");
	expect(table.set(4, bad, &reason) == WP_ERROR_SHAPE && reason != nullptr, "an invalid one is not");
	expect(wp_shape_table_bound(table.get(), 4) == 2, "the old one stays");
	expect(table.set(4, wp::shape::sphere(3), &reason) == WP_OK && reason == nullptr, "a shape is replaced");
	expect(wp_shape_table_bound(table.get(), 4) == 3, "by a larger one");
	expect(table.remove(4) == WP_OK && wp_shape_table_bound(table.get(), 4) == 0, "a shape is removed");
	expect(table.remove(5) == WP_ERROR_SHAPE_INDEX && table.set(5, bad) == WP_ERROR_SHAPE_INDEX, "no such index");
	wp::shape_table small(shapes, 2);
	expect(small.set(1, wp::shape::sphere(1)) == WP_OK, "a built table may be changed");
	const wp::shape_table moved = std::move(table);
	expect(moved && table.set(0, shapes[0]) == WP_ERROR_NULL_TABLE, "a table moved from");
	wp::shape_table empty(std::vector<wp::shape>(), 2);
	expect(empty && empty.set(1, shapes[0]) == WP_OK, "a table without shapes at first");
}

void test_ownership(const wp_batch &batch)
{
	std::vector<wp_row> first(batch.count), second(batch.count);
	wp::workspace one(WP_VARIANT_SCALAR);
	expect(one.variant() == WP_VARIANT_SCALAR, "the requested variant");
	expect(wp::contact(one, batch, wp::up_to(1), wp::results_of(first)) == WP_OK, "before it is moved");
	wp::workspace two = std::move(one);
	expect(!one && one.get() == nullptr && two, "moved");
	expect(wp::contact(one, batch, wp::up_to(1), wp::results_of(second)) == WP_ERROR_NULL_WORKSPACE,
		"a workspace moved from");
	expect(wp::contact(two, batch, wp::up_to(1), wp::results_of(second)) == WP_OK, "after it is moved");
	one = std::move(two);
	expect(one && !two && one.variant() == WP_VARIANT_SCALAR, "moved back");
	expect(std::memcmp(first.data(), second.data(), first.size() * sizeof first[0]) == 0, "the same bits");

	wp::hull hull(corners);
	const wp_hull *const address = hull.get();
	const wp::hull moved = std::move(hull);
	expect(moved.get() == address && !hull, "a hull stays where it is");

	static_assert(!std::is_copy_constructible_v<wp::workspace> && std::is_nothrow_move_constructible_v<wp::workspace>);
	static_assert(!std::is_copy_constructible_v<wp::hull> && std::is_nothrow_move_assignable_v<wp::hull>);
	static_assert(std::is_trivially_copyable_v<wp::span<int>>);
}

/* A square cell at height 0, from the origin on. */
wp_height_field flat_field()
{
	static const float samples[4] = {};
	wp_height_field field = {};
	field.samples = samples;
	field.columns = field.rows = 2;
	field.spacing[0] = field.spacing[1] = 8;
	return field;
}

#ifdef HAVE_COOK
template <class Hull, class = void> constexpr bool takes_hull = false;
template <class Hull>
constexpr bool takes_hull<Hull, std::void_t<decltype(wp::shape::hull(std::declval<Hull>()))>> = true;

void test_cook()
{
	std::vector<vec3> points = corners;
	points.push_back({0, -0.5f, 0});
	const wp::cooked_hull cooked(points);
	expect(cooked && wp_hull_vertex_count(cooked.get()) == 4 && wp_hull_face_count(cooked.get()) == 4, "a cooked hull");
	const wp_shape of_cooked = wp::shape::hull(cooked);
	expect(of_cooked.kind == WP_SHAPE_HULL && of_cooked.hull == cooked.get(), "a shape of a cooked hull");
	static_assert(takes_hull<const wp::hull &> && takes_hull<const wp::cooked_hull &>);
	static_assert(!takes_hull<wp::hull> && !takes_hull<wp::cooked_hull>, "a hull must outlive its shape");
	points[2].y = std::numeric_limits<float>::infinity();
	const wp::cooked_hull endless(points);
	expect(!endless && endless.error() == WP_ERROR_HULL_VERTEX && endless.bad_index() == 2, "no hull");
	expect(wp::cooked_hull(std::vector<vec3>()).error() == WP_ERROR_HULL_VERTEX_COUNT, "a hull of no points");

	std::vector<std::array<std::uint32_t, 3>> triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}, {1, 1, 2}};
	wp::cooked_mesh mesh(corners, triangles);
	expect(mesh && wp_mesh_triangle_count(mesh.get()) == 4 && mesh.report().dropped == 1, "a cooked mesh");
	const wp::cooked_mesh moved(std::move(mesh));
	expect(moved && !mesh && mesh.error() == WP_ERROR_NULL_MESH && moved.report().boundary_edges == 0, "a moved mesh");
	struct plain {
		std::uint32_t corner[3];
	};
	const std::vector<plain> structs = {{{0, 1, 2}}, {{0, 2, 3}}, {{0, 3, 1}}, {{1, 3, 2}}};
	std::vector<std::uint32_t> flat = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
	const wp::cooked_mesh of_structs(corners, structs), of_indices(corners, flat);
	expect(of_structs && of_indices && wp_mesh_byte_size(of_structs.get()) == wp_mesh_byte_size(moved.get()) &&
			   std::memcmp(of_structs.get(), of_indices.get(), wp_mesh_byte_size(of_structs.get())) == 0 &&
			   wp_mesh_triangle_count(of_indices.get()) == 4,
		"triangles of plain structs, and one index after the other");
	flat.pop_back();
	const wp::cooked_mesh cut(corners, flat);
	expect(!cut && cut.error() == WP_ERROR_MESH_INDEX && cut.report().bad_index == 3, "indices that end in a triangle");
	triangles[3][0] = 9;
	const wp::cooked_mesh wild(corners, triangles);
	expect(!wild && wild.error() == WP_ERROR_MESH_INDEX && wild.report().bad_index == 3, "no mesh");
	const wp::cooked_mesh bare(corners, std::vector<std::uint32_t>()), empty(std::vector<vec3>(), structs);
	expect(bare.error() == WP_ERROR_MESH_EMPTY && empty.error() == WP_ERROR_MESH_INDEX, "a mesh of nothing");
}

/* A body on a mesh, or a mesh. */
struct placed {
	vec3 position;
	std::array<float, 4> rotation;
	std::uint32_t shape;
};

/* A square of two triangles that face up. */
wp::cooked_mesh square_mesh()
{
	const std::vector<vec3> square = {{-4, 0, -4}, {4, 0, -4}, {-4, 0, 4}, {4, 0, 4}};
	const std::vector<std::array<std::uint32_t, 3>> triangles = {{0, 2, 1}, {1, 2, 3}};
	return wp::cooked_mesh(square, triangles);
}

/* A box on a square of two triangles. */
void test_mesh_contact()
{
	struct pair {
		std::uint32_t box, ground;
	};
	struct answer {
		float separation;
		vec3 normal;
		std::uint32_t status, triangles, count;
		wp_mesh_patch patches[2];
	};
	const wp::cooked_mesh mesh = square_mesh();
	const wp::shape_table shapes(std::vector<wp::shape>{wp::shape::box(0.5f, 0.25f, 1)});
	wp::workspace workspace;
	const std::vector<placed> bodies = {{{0.1f, 0.24f, 0.2f}, {0, 0, 0, 1}, 0}},
							  grounds = {{{0, 0, 0}, {0, 0, 0, 1}, 0}};
	const std::vector<pair> pairs = {{0, 0}};
	const wp_mesh *const meshes[] = {mesh.get()};
	const wp_mesh_batch batch = wp::mesh_batch_of(shapes,
		wp::bodies_of(bodies, &placed::position, &placed::rotation, &placed::shape), meshes,
		wp::bodies_of(grounds, &placed::position, &placed::rotation, &placed::shape), pairs, &pair::box, &pair::ground);
	std::vector<answer> answers(1);
	const auto results = wp::mesh_results_of(answers)
	                         .separation(&answer::separation)
	                         .normal(&answer::normal)
	                         .status(&answer::status)
	                         .triangle_count(&answer::triangles)
	                         .patches(&answer::patches, &answer::count);
	const wp_error error = wp::mesh_contact(workspace, batch, {0.02f, 0}, results);
	const answer &a = answers[0];
	expect(error == WP_OK && a.count == 1 && a.triangles == 2 && a.normal.y == -1 &&
			   a.status == WP_STATUS_PENETRATING && a.patches[0].point_count == 4 && a.separation < -0.0099f &&
			   a.separation > -0.0101f,
		"a box on a mesh");
	const wp_height_field field = flat_field();
	const wp_height_field *const fields[] = {&field};
	const std::vector<placed> corner = {{{-4, 0, -4}, {0, 0, 0, 1}, 0}};
	const wp_mesh_batch on_field = wp::height_batch_of(shapes,
		wp::bodies_of(bodies, &placed::position, &placed::rotation, &placed::shape), fields,
		wp::bodies_of(corner, &placed::position, &placed::rotation, &placed::shape), pairs, &pair::box, &pair::ground);
	const answer on_mesh = answers[0];
	answers[0] = {};
	expect(wp::mesh_contact(workspace, on_field, {0.02f, 0}, results) == WP_OK && a.count == 1 &&
			   a.triangles == on_mesh.triangles && a.normal.y == -1 && a.separation == on_mesh.separation,
		"a box on a height field");
	float separation = 0;
	wp_mesh_results by_c = {};
	by_c.separation = {&separation, 0};
	expect(wp::mesh_contact(workspace, batch, {0.02f, 0}, by_c) == WP_OK && separation == on_mesh.separation,
		"a contact with a mesh into a struct of C");
	struct extent {
		vec3 lower, upper;
	};
	std::vector<placed> both = {grounds[0], corner[0]};
	both[1].shape = 1;
	std::vector<extent> boxes(2), c_boxes(2);
	const wp_bodies both_grounds = wp::bodies_of(both, &placed::position, &placed::rotation, &placed::shape);
	wp_mesh_batch of_both = batch;
	of_both.height_fields = fields;
	of_both.height_field_count = 1;
	of_both.b = both_grounds;
	of_both.count = 2;
	expect(wp::mesh_bodies_bounds(
			   meshes, fields, both_grounds, {}, wp::bounds_of(boxes, &extent::lower, &extent::upper)) == WP_OK &&
			   wp_mesh_bodies_bounds(&of_both, nullptr, wp::bounds_of(c_boxes, &extent::lower, &extent::upper).get()) ==
				   WP_OK,
		"bounds of a mesh and of a height field");
	for (std::size_t i = 0; i < 2; i++) {
		expect_bits(boxes[i], c_boxes[i], "bounds of a ground", i);
		expect(boxes[i].lower.x < boxes[i].upper.x, "a ground is wide");
	}
	answers.clear();
	expect(
		wp::mesh_contact(workspace, batch, {}, wp::mesh_results_of(answers)) == WP_ERROR_MEMORY_TOO_SMALL, "no rows");
}

/* Boxes on a square of two triangles, from frame to frame. */
void test_mesh_frames()
{
	struct pair {
		std::uint32_t box, ground, tracked;
	};
	struct answer {
		float separation;
		std::uint32_t count;
		wp_mesh_patch patches[2];
	};
	const wp::cooked_mesh mesh = square_mesh();
	const wp::shape_table shapes(std::vector<wp::shape>{wp::shape::box(0.5f, 0.25f, 1)});
	wp::workspace workspace;
	std::vector<placed> bodies = {{{0.1f, 0.24f, 0.2f}, {0, 0, 0, 1}, 0}, {{1, 2, 1}, {0, 0, 0, 1}, 0}};
	const std::vector<placed> grounds = {{{0, 0, 0}, {0, 0, 0, 1}, 0}};
	const wp_mesh *const meshes[] = {mesh.get()};
	wp::mesh_tracked_pairs kept(1, 2);
	std::vector<pair> pairs = {{0, 0, kept.take()}};
	expect(kept && kept.take() == WP_TRACK_NONE && kept.reserve(2) == WP_OK, "tracked pairs with meshes");
	pairs.push_back({1, 0, kept.take()});
	const wp_mesh_track_options options = {0.02f, 0, 0.02f, 0};
	for (std::uint32_t frame = 0; frame < 4; frame++) {
		const wp_mesh_batch batch = wp::mesh_batch_of(shapes,
			wp::bodies_of(bodies, &placed::position, &placed::rotation, &placed::shape), meshes,
			wp::bodies_of(grounds, &placed::position, &placed::rotation, &placed::shape), pairs, &pair::box,
			&pair::ground);
		std::vector<answer> answers(2), by_contact(2);
		const auto into = [](std::vector<answer> &rows) {
			return wp::mesh_results_of(rows).separation(&answer::separation).patches(&answer::patches, &answer::count);
		};
		wp_track_changes changes = {};
		const auto of = kept.rows(pairs, &pair::tracked);
		expect(wp::mesh_track(workspace, batch, options, of, into(answers), &changes) == WP_OK &&
				   wp::mesh_contact(workspace, batch, {0.02f, 0}, into(by_contact)) == WP_OK,
			"a frame with a mesh");
		expect(std::memcmp(answers.data(), by_contact.data(), 2 * sizeof(answer)) == 0, "the bits of contacts");
		expect(changes.count == (frame == 0 ? 1 : 0), "changes");
		const auto patches = kept.patches(pairs[0].tracked);
		expect(patches.size() == 1 && patches[0].points[0].age == frame &&
				   patches[0].points[0].impulse[0] == (frame == 0 ? 0.0f : 3.0f),
			"points from frame to frame");
		for (wp_mesh_tracked_patch &patch : patches)
			patch.points[0].impulse[0] = 3;
		expect(kept[pairs[1].tracked].event == (frame == 0 ? 0 : WP_TRACK_KEPT) &&
				   kept.patches(pairs[1].tracked).size() == 0,
			"a box above");
		if (frame == 1) /* what is kept moves along */
			expect(kept.reserve(8) == WP_OK, "room for more between frames");
		bodies[0].position.x += frame == 2 ? 0.01f : 0;
		bodies[1].position.x += 0.01f;
		answers.clear();
		expect(wp::mesh_track(workspace, batch, options, of, into(answers)) == WP_ERROR_MEMORY_TOO_SMALL, "no rows");
	}
	expect(wp::mesh_tracked_pairs(4, 9).error() == WP_ERROR_TRACKED_PATCH_MAX, "too many patches");
	expect(wp::mesh_tracked_pairs(4, 0) && wp::mesh_tracked_pairs(4, 0).rows().patch_max == 4 &&
			   wp::compound_tracked_pairs(4, 0).rows().patch_max == 4,
		"0 patches = 4, as in C");
}

void test_mesh_queries()
{
	const float square[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 0, 4}, {4, 0, 4}};
	const std::uint32_t triangles[2][3] = {{0, 2, 1}, {1, 2, 3}};
	struct body {
		float position[3], rotation[4], way[3];
		std::uint32_t shape;
	};
	struct pair {
		std::uint32_t a, b;
	};
	struct answer {
		float separation, fraction;
		std::uint32_t status, triangle;
	};
	const wp::cooked_mesh mesh(square, triangles);
	const wp_shape box = wp_shape_box(0.5f, 0.5f, 0.5f);
	wp::shape_table shapes(wp::span<const wp_shape>(&box, 1));
	wp::workspace workspace;
	const body bodies[] = {{{1, 2, 1}, {0, 0, 0, 1}, {0, -3, 0}, 0}, {{1, 0.25f, 1}, {0, 0, 0, 1}, {0, 0, 0}, 0}};
	const body ground[] = {{{0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0}, 0}};
	const pair pairs[] = {{0, 0}, {1, 0}};
	const wp_mesh *const meshes[] = {mesh.get()};
	const wp_mesh_batch batch = wp::mesh_batch_of(shapes,
		wp::bodies_of(bodies, &body::position, &body::rotation, &body::shape), meshes,
		wp::bodies_of(ground, &body::position, &body::rotation, &body::shape), pairs, &pair::a, &pair::b);
	answer answers[2] = {};
	auto results = wp::results_of(answers);
	results.separation(&answer::separation).fraction(&answer::fraction).status(&answer::status);
	results.triangle(&answer::triangle);
	wp_motions falls = {};
	falls.translation = {bodies[0].way, sizeof *bodies};
	expect(wp::mesh_overlap(workspace, batch, results) == WP_OK && answers[0].triangle == WP_MESH_MISS &&
			   answers[1].triangle < 2,
		"an overlap with a mesh");
	expect(wp::mesh_distance(workspace, batch, {}, results) == WP_OK && answers[0].separation > 1.4999f &&
			   answers[0].separation < 1.5001f && answers[1].separation == 0,
		"a distance of a mesh");
	expect(wp::mesh_cast(workspace, batch, falls, {}, results) == WP_OK && (answers[0].status & WP_STATUS_HIT) != 0 &&
			   answers[0].fraction > 0.4999f && answers[0].fraction < 0.5001f && answers[1].fraction == 0,
		"a cast at a mesh");
	float separations[2] = {};
	wp_results by_c = {};
	by_c.separation = {separations, 0};
	expect(wp::mesh_distance(workspace, batch, {}, by_c) == WP_OK && separations[0] > 1.4999f && separations[1] == 0 &&
			   wp::mesh_overlap(workspace, batch, by_c) == WP_OK &&
			   wp::mesh_cast(workspace, batch, falls, {}, by_c) == WP_OK,
		"queries of a mesh into a struct of C");
	auto few = wp::results_of(*reinterpret_cast<answer(*)[1]>(answers));
	expect(wp::mesh_overlap(workspace, batch, few) == WP_ERROR_MEMORY_TOO_SMALL, "too few rows");
}
#endif

} // namespace

void test_compounds()
{
	struct body {
		vec3 position;
		std::array<float, 4> rotation;
		std::uint32_t shape;
		vec3 way;
	};
	struct pair {
		std::uint32_t a, b;
	};
	struct answer {
		float separation, fraction;
		std::uint32_t child_a, child_b, count;
		std::uint8_t overlap;
		wp_compound_patch patches[3];
	};
	const wp::shape_table shapes(std::vector<wp::shape>{wp::shape::box(1, 1, 1), wp::shape::half_space()});
	std::vector<wp_compound_child> children = {{{-2, 0, 0}, {0, 0, 0, 1}, 0, 0}, {{2, 0, 0}, {0, 0, 0, 1}, 0, 5}};
	wp::compound made(children, shapes);
	const wp::compound two(std::move(made));
	expect(two && wp_compound_child_count(two.get()) == 2 && made.error() == WP_ERROR_NULL_COMPOUND, "two boxes");
	children[1].shape = 9;
	const wp::compound bad(children, shapes);
	expect(!bad && bad.error() == WP_ERROR_COMPOUND_SHAPE && bad.bad_child() == 1, "a child without a shape");
	expect(wp::compound(std::vector<wp_compound_child>(), shapes).error() == WP_ERROR_COMPOUND_COUNT, "no child");
	wp::workspace workspace;
	const std::vector<body> bodies = {{{0, 0.75f, 0}, {0, 0, 0, 1}, WP_COMPOUND, {0, 2, 0}},
		{{0, 0, 0}, {0, 0, 0, 1}, 1, {0, 0, 0}}, {{2, 5.75f, 0}, {0, 0, 0, 1}, 0, {0, -4, 0}}};
	const std::vector<pair> pairs = {{0, 1}, {2, 0}};
	const wp_compound *const compounds[] = {two.get()};
	const wp_compound_batch batch = wp::compound_batch_of(shapes,
		wp::bodies_of(bodies, &body::position, &body::rotation, &body::shape), compounds, pairs, &pair::a, &pair::b);
	std::vector<answer> answers(2);
	const auto results = wp::results_of(answers)
	                         .separation(&answer::separation)
	                         .fraction(&answer::fraction)
	                         .overlap(&answer::overlap)
	                         .children(&answer::child_a, &answer::child_b)
	                         .patches(&answer::patches, &answer::count);
	const answer &ground = answers[0], &above = answers[1];
	expect(wp::compound_overlap(workspace, batch, results) == WP_OK && ground.overlap == 1 && above.overlap == 0 &&
			   ground.child_a == 0 && above.child_a == WP_COMPOUND_MISS,
		"overlaps of compounds");
	expect(wp::compound_distance(workspace, batch, {}, results) == WP_OK && above.separation == 3 &&
			   above.child_a == 0 && above.child_b == 1,
		"distances of compounds");
	expect(wp::compound_contact(workspace, batch, wp::up_to(4), results) == WP_OK && ground.separation == -0.25f &&
			   above.separation == 3,
		"contacts of compounds");
	expect(wp::compound_contact_manifold(workspace, batch, {}, results) == WP_OK && ground.count == 2 &&
			   above.count == 0 && ground.patches[1].child_a == 1 && ground.patches[1].point_count == 4,
		"manifolds of compounds");
	const std::vector<answer> by_contacts = answers;
	wp::compound_tracked_pairs kept(2, 3);
	expect(kept.take() == 0 && kept.take() == 1 &&
			   wp::compound_tracked_pairs(1, 65).error() == WP_ERROR_COMPOUND_TRACKED_MAX,
		"pairs of compounds");
	for (std::uint32_t age = 0; age < 3; age++) {
		wp_track_changes changes = {};
		answers.assign(2, {});
		expect((age == 1 ? wp::compound_track(workspace, batch, {0, 0.02f}, kept.rows(), &changes)
						 : wp::compound_track(workspace, batch, {0, 0.02f}, kept.rows(), results, &changes)) == WP_OK &&
				   changes.count == (age == 0 ? 1 : 0),
			"a frame of compounds");
		expect(kept[0].count == 2 && kept.patches(0).data()[1].points[3].age == age &&
				   kept[1].event == (age == 0 ? 0 : WP_TRACK_KEPT),
			"points of compounds from frame to frame");
		if (age == 0)
			expect(kept.reserve(5) == WP_OK, "room for more pairs of compounds");
	}
	expect(ground.separation == by_contacts[0].separation && ground.count == by_contacts[0].count &&
			   std::memcmp(ground.patches, by_contacts[0].patches, sizeof ground.patches) == 0,
		"frames have the bits of manifolds");
	const wp_motions motions = wp::motions_of(bodies, &body::way);
	expect(wp::compound_cast(workspace, batch, motions, motions, results) == WP_OK && above.fraction > 0.4999f &&
			   above.fraction < 0.5001f && above.child_b == 1,
		"casts of compounds");
	/* A quarter about z, in all of the time, raises the second box besides. */
	const std::array<float, 4> ends[] = {{0, 0, 0.70710678f, 0.70710678f}, {0, 0, 0, 1}, {0, 0, 0, 1}};
	wp_motions turning = motions;
	turning.rotation = {ends[0].data(), 0};
	expect(wp::compound_cast(workspace, batch, turning, turning, results) == WP_OK && above.fraction > 0.25f &&
			   above.fraction < 0.35f && above.child_b == 1,
		"casts of compounds that turn");
	float separations[2] = {};
	wp_results by_c = {};
	by_c.separation = {separations, 0};
	expect(wp::compound_contact(workspace, batch, wp::up_to(4), by_c) == WP_OK && separations[0] == -0.25f &&
			   separations[1] == 3 && wp::compound_distance(workspace, batch, {}, by_c) == WP_OK &&
			   separations[1] == 3 && wp::compound_cast(workspace, batch, motions, motions, by_c) == WP_OK,
		"compounds into a struct of C");
	answers.clear();
	expect(
		wp::compound_overlap(workspace, batch, wp::results_of(answers)) == WP_ERROR_MEMORY_TOO_SMALL &&
			wp::compound_track(workspace, batch, {}, kept.rows(), wp::results_of(answers)) == WP_ERROR_MEMORY_TOO_SMALL,
		"no rows");
}

/* A table of a slab and four legs on a flat height field, beside a box by itself. */
void test_compounds_on_a_field()
{
	struct body {
		vec3 position;
		std::array<float, 4> rotation;
		std::uint32_t shape;
	};
	struct pair {
		std::uint32_t a, ground;
	};
	struct answer {
		float separation;
		std::uint32_t status, count;
		wp_mesh_patch patches[2];
		std::uint32_t children[2][WP_MESH_POINT_MAX];
	};
	const wp::shape_table shapes(
		std::vector<wp::shape>{wp::shape::box(1.25f, 0.0625f, 1.25f), wp::shape::box(0.0625f, 0.5f, 0.0625f)});
	std::vector<wp_compound_child> children = {{{0, 0, 0}, {0, 0, 0, 1}, 0, 0}};
	for (std::uint32_t i = 0; i < 4; i++)
		children.push_back({{i % 2 == 0 ? 1.0f : -1.0f, -0.5f, i < 2 ? 1.0f : -1.0f}, {0, 0, 0, 1}, 1, i});
	const wp::compound made(children, shapes);
	const wp_height_field field = flat_field();
	const wp_height_field *const fields[] = {&field};
	const wp_compound *const compounds[] = {made.get()};
	const std::vector<body> bodies = {{{3, 0.99f, 3}, {0, 0, 0, 1}, WP_COMPOUND}, {{6, 0.49f, 6}, {0, 0, 0, 1}, 1}};
	const std::vector<body> ground = {{{0, 0, 0}, {0, 0, 0, 1}, 0}};
	const std::vector<pair> pairs = {{0, 0}, {1, 0}};
	const wp_mesh_batch batch = wp::height_batch_of(shapes,
		wp::bodies_of(bodies, &body::position, &body::rotation, &body::shape), fields,
		wp::bodies_of(ground, &body::position, &body::rotation, &body::shape), pairs, &pair::a, &pair::ground);
	wp::workspace workspace;
	std::vector<answer> answers(2);
	const auto results = wp::mesh_results_of(answers)
	                         .separation(&answer::separation)
	                         .status(&answer::status)
	                         .patches(&answer::patches, &answer::count, &answer::children);
	wp::mesh_tracked_pairs kept(2, 2);
	expect(kept.take() == 0 && kept.take() == 1, "two pairs");
	const wp_mesh_track_options frame = {0.02f, 0, 0.02f, 0};
	for (std::uint32_t age = 0; age < 3; age++) {
		wp_track_changes changes = {};
		const wp_mesh_tracked_pairs of = kept.rows();
		expect((age == 1 ? wp::compound_mesh_track(workspace, batch, compounds, frame, of, kept.children(), &changes)
						 : wp::compound_mesh_track(
							   workspace, batch, compounds, frame, of, kept.children(), results, &changes)) == WP_OK &&
				   changes.count == (age == 0 ? 2 : 0),
			"a frame of compounds");
		expect(kept[0].count == 1 && kept.patches(0).data()[0].points[3].age == age &&
				   kept[0].event == (age == 0 ? WP_TRACK_BEGAN : WP_TRACK_REUSED),
			"points of a compound from frame to frame");
		expect(std::memcmp(kept.children(0).data(), answers[0].children[0], sizeof answers[0].children[0]) == 0,
			"the child of each point");
		if (age == 0) /* children move along */
			expect(kept.reserve(5) == WP_OK, "room for more pairs");
	}
	const std::vector<answer> by_frames = answers;
	answers.assign(2, {});
	wp_mesh_statistics statistics = {};
	expect(wp::compound_mesh_contact(workspace, batch, compounds, {0.02f, 0}, results, &statistics) == WP_OK,
		"contacts of compounds with a height field");
	expect(std::memcmp(by_frames.data(), answers.data(), 2 * sizeof(answer)) == 0, "frames have the bits of contacts");
	const answer &table = answers[0], &box = answers[1];
	std::uint32_t seen = 0;
	for (const std::uint32_t child : table.children[0])
		seen |= 1u << child;
	expect(table.count == 1 && table.patches[0].point_count == 4 && seen == 0x1e && table.separation < -0.0099f &&
			   table.separation > -0.0101f && statistics.touching == 2 && box.children[0][3] == 0,
		"a point of each leg");
	const answer by_compounds = box;
	answers[1] = {};
	expect(wp::mesh_contact(workspace, batch, {0.02f, 0}, results) == WP_OK &&
			   std::memcmp(&by_compounds, &box, sizeof box) == 0 &&
			   table.status == (WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_A),
		"a shape has the bits of wp_mesh_contact, which knows no compounds");
	expect(wp::compound_mesh_contact(workspace, batch, {}, {0.02f, 0}, results) == WP_OK &&
			   table.status == (WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_A),
		"no compounds");
	answers.pop_back();
	expect(wp::compound_mesh_track(workspace, batch, compounds, frame, kept.rows(), kept.children(),
			   wp::mesh_results_of(answers)) == WP_ERROR_MEMORY_TOO_SMALL,
		"too few rows for a frame");
	expect(wp::compound_mesh_contact(workspace, batch, compounds, {}, wp::mesh_results_of(answers)) ==
			   WP_ERROR_MEMORY_TOO_SMALL,
		"too few rows");
}

/* A dumbbell above a flat height field: near it, and on its way down, with a turn. */
void test_compounds_near_a_field()
{
	struct body {
		vec3 position;
		std::array<float, 4> rotation;
		std::uint32_t shape;
	};
	struct answer {
		float separation, fraction;
		std::uint32_t status, child, triangle;
	};
	const wp::shape_table shapes(std::vector<wp::shape>{wp::shape::sphere(0.25f)});
	const std::vector<wp_compound_child> children = {
		{{-1, 0, 0}, {0, 0, 0, 1}, 0, 0}, {{1, -0.5f, 0}, {0, 0, 0, 1}, 0, 0}};
	const wp::compound made(children, shapes);
	const wp_height_field field = flat_field();
	const wp_height_field *const fields[] = {&field};
	const wp_compound *const compounds[] = {made.get()};
	const std::vector<body> bodies = {{{4, 2.75f, 4}, {0, 0, 0, 1}, WP_COMPOUND}};
	const std::vector<body> ground = {{{0, 0, 0}, {0, 0, 0, 1}, 0}};
	const std::vector<vec3> ways = {{0, -4, 0}};
	const std::vector<std::array<float, 4>> ends = {{0, 0, 1, 0}};
	struct pair {
		std::uint32_t a, ground;
	};
	const std::vector<pair> pairs = {{0, 0}};
	const wp_mesh_batch batch = wp::height_batch_of(shapes,
		wp::bodies_of(bodies, &body::position, &body::rotation, &body::shape), fields,
		wp::bodies_of(ground, &body::position, &body::rotation, &body::shape), pairs, &pair::a, &pair::ground);
	wp::workspace workspace;
	std::vector<answer> answers(1);
	const answer &a = answers[0];
	const auto results = wp::results_of(answers)
	                         .separation(&answer::separation)
	                         .status(&answer::status)
	                         .fraction(&answer::fraction)
	                         .child(&answer::child)
	                         .triangle(&answer::triangle);
	expect(wp::compound_mesh_overlap(workspace, batch, compounds, results) == WP_OK && a.child == WP_COMPOUND_MISS &&
			   a.triangle == WP_MESH_MISS,
		"no overlap of a compound and a field");
	expect(wp::compound_mesh_distance(workspace, batch, compounds, {}, results) == WP_OK && a.separation > 1.9999f &&
			   a.separation < 2.0001f && a.child == 1 && a.triangle != WP_MESH_MISS,
		"the distance of a compound from a field");
	wp_motions falls = {{&ways[0].x, 0}, {nullptr, 0}};
	expect(wp::compound_mesh_cast(workspace, batch, compounds, falls, {}, results) == WP_OK && a.fraction > 0.4999f &&
			   a.fraction <= 0.5f && a.child == 1,
		"a cast of a compound at a field");
	falls.rotation = {ends[0].data(), 0};
	wp_mesh_statistics statistics = {};
	expect(wp::compound_mesh_cast(workspace, batch, compounds, falls, {}, results, &statistics) == WP_OK &&
			   (a.status & WP_STATUS_HIT) != 0 && a.child < 2 && statistics.touching == 1,
		"a cast of a compound that turns");
	answers.clear();
	expect(wp::compound_mesh_overlap(workspace, batch, compounds, wp::results_of(answers)) == WP_ERROR_MEMORY_TOO_SMALL,
		"no rows");
}

int main()
{
	const wp::hull hull(corners, face_sizes, face_indices);
	expect(hull && wp_hull_face_count(hull.get()) == 4, "a hull with faces");
	const wp::shape shapes[] = {wp::shape::box(0.5f, 0.25f, 1), wp::shape::capsule(0.25f, 0.5f), wp::shape::hull(hull),
		wp::shape::box(0.25f, 0.25f, 0.25f).rounded(0.125f), wp::shape::cylinder(0.25f, 0.5f),
		wp::shape::cone(0.5f, 0.5f).rounded(0.125f), wp::shape::ellipsoid(0.5f, 0.25f, 1)};
	wp::shape_table table(shapes);
	expect(table && table.report().invalid_count == 0, "a shape table");
	wp::workspace workspace;
	expect(static_cast<bool>(workspace), "a workspace");
	test_batches(workspace, table);
	test_pairs(workspace);
	test_caches(workspace, table);
	test_other_queries(workspace, table);
	test_frames(workspace, table);
	test_changes_without_results(workspace);
	test_names(workspace);
	test_fresh_pools();
	test_bounds(table);
	test_coefficients(workspace, table);
	test_polytopes(workspace);
	test_smooth_shapes(workspace);
	test_errors(workspace, table);
	test_changes();
	const std::vector<body> bodies = make_bodies();
	const std::vector<link> links = make_links(bodies.size());
	test_ownership(wp::batch_of(table, wp::bodies_of(bodies, &body::position, &body::rotation, &body::shape), links,
		&link::first, &link::second));
#ifdef HAVE_COOK
	test_cook();
	test_mesh_contact();
	test_mesh_frames();
	test_mesh_queries();
#endif
	test_compounds();
	test_compounds_on_a_field();
	test_compounds_near_a_field();
	std::printf("%d failures\n", failures);
	return failures != 0;
}
