/* The library beside FCL: both sides take turns, by processor time of this thread; answers that differ are judged by the reference
 * in double precision. */
#include "beside_fcl.hpp"
#include "checker.hpp"
#include "fcl_checker.hpp"

#include <widephase/reference.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <stdexcept>
#include <string>

namespace
{

/* The promised accuracy, of separations over size plus distance: of shapes in general, and with cylinders (query.h). */
constexpr double accuracy = 3e-6, accuracy_smooth = 1e-5;

/* Differences that are printed. */
constexpr std::size_t shown_max = 8;

double clock_now()
{
	timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

using answers = std::vector<std::uint8_t>;

/* One way to answer a set of states or edges, and its times. */
struct side {
	std::string name;
	std::function<void(answers &)> run;
	answers found;
	std::vector<double> seconds;

	double least() const { return *std::min_element(seconds.begin(), seconds.end()); }
	double median() const
	{
		std::vector<double> sorted = seconds;
		std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
		return sorted[sorted.size() / 2];
	}
};

/* Let the sides take turns, the first of them the library. The others are FCL. */
void measure(const char *what, std::size_t count, std::vector<side> &sides, int rounds)
{
	for (side &of : sides)
		of.found.assign(count, 2);
	for (int round = 0; round < rounds; round++)
		for (side &of : sides) {
			const double start = clock_now();
			of.run(of.found);
			of.seconds.push_back(clock_now() - start);
		}
	const auto is_free = static_cast<std::size_t>(std::count(sides[0].found.begin(), sides[0].found.end(), 1));
	std::printf(
		"%s: %zu, %.0f %% free\n", what, count, 100.0 * static_cast<double>(is_free) / static_cast<double>(count));
	for (const side &of : sides) {
		std::size_t other = 0;
		for (std::size_t i = 0; i < count; i++)
			other += of.found[i] != sides[0].found[i];
		std::printf("  %-12s %9.0f a second (median %9.0f)", of.name.c_str(), static_cast<double>(count) / of.least(),
			static_cast<double>(count) / of.median());
		if (&of != &sides[0])
			std::printf("; widephase takes %.2f times less (median %.2f); %zu answers differ",
				of.least() / sides[0].least(), of.median() / sides[0].median(), other);
		std::printf("\n");
	}
}

/* The states of an edge by FCL, in the order of OMPL's DiscreteMotionValidator: the end, then halves of halves. */
bool edge_by_fcl(fcl_checker &checker, const std::vector<double> &joints)
{
	const std::size_t count = joints.size() / joint_count;
	if (!checker.is_free(&joints[(count - 1) * joint_count]))
		return false;
	std::vector<std::pair<std::size_t, std::size_t>> ranges = {{0, count - 1}};
	for (std::size_t i = 0; i < ranges.size(); i++) {
		const auto [from, to] = ranges[i];
		if (from == to)
			continue;
		const std::size_t middle = from + (to - from) / 2;
		if (!checker.is_free(&joints[middle * joint_count]))
			return false;
		ranges.emplace_back(from, middle);
		ranges.emplace_back(middle + 1, to);
	}
	return true;
}

/* One pair of a state, by its places in the scene. */
struct judged_pair {
	std::uint32_t part, other;
	bool is_self;
};

struct difference {
	std::size_t state;
	judged_pair pair;
	bool by_library;
	double separation, allowed;
};

/* Every pair of every state, by the library without any pre-test, and by FCL. */
class judge
{
  public:
	explicit judge(const scene &of) : world(of), table(of.shapes), poses(of.parts.size())
	{
		for (std::uint32_t part = 0; part < of.parts.size(); part++)
			for (std::uint32_t i = 0; i < of.obstacles.size() && of.parts[part].link > 0; i++)
				pairs.push_back({part, i, false});
		for (const part_pair &pair : of.self_pairs)
			pairs.push_back({pair.first, pair.second, true});
	}

	/* Whether the state is free, by the library. Adds what FCL answers otherwise. */
	bool look(std::size_t state, const double *joints, fcl_checker &fcl, std::vector<difference> &differences)
	{
		world.place(joints, poses.data());
		fcl.place(joints);
		bool is_free = true;
		for (const judged_pair &pair : pairs) {
			const bool hits = overlap(pair);
			const bool by_fcl = pair.is_self ? fcl.hits_part(pair.part, pair.other)
			                                 : fcl.hits_obstacle(pair.part, pair.other);
			is_free = is_free && !hits;
			if (hits != by_fcl)
				differences.push_back(by_reference(state, pair, hits));
		}
		return is_free;
	}
	std::size_t pair_count() const { return pairs.size(); }

  private:
	std::uint32_t shape_of(const judged_pair &pair) const
	{
		return pair.is_self ? world.parts[pair.other].shape : world.obstacles[pair.other].shape;
	}
	const wp_pose &pose_of(const judged_pair &pair) const
	{
		return pair.is_self ? poses[pair.other] : world.obstacles[pair.other].pose;
	}
	bool overlap(const judged_pair &pair)
	{
		const wp_pose &a = poses[pair.part], &b = pose_of(pair);
		const wp_pair asked = {table.get(), world.parts[pair.part].shape, shape_of(pair), a.position, a.rotation,
			b.position, b.rotation, WP_REAL_FLOAT};
		wp_row row;
		if (wp_overlap_prepared(workspace.get(), &asked, nullptr, &row) != WP_OK ||
			(row.status & WP_STATUS_INVALID) != 0)
			throw std::runtime_error("a pair is invalid");
		return (row.status & WP_STATUS_SEPARATED) == 0;
	}
	difference by_reference(std::size_t state, const judged_pair &pair, bool hits) const
	{
		const wp_pose &a = poses[pair.part], &b = pose_of(pair);
		const std::uint32_t shape_a = world.parts[pair.part].shape, shape_b = shape_of(pair);
		const wp_shape *const shapes[] = {&world.shapes[shape_a], &world.shapes[shape_b]};
		const double at_a[3] = {a.position[0], a.position[1], a.position[2]};
		const double at_b[3] = {b.position[0], b.position[1], b.position[2]};
		wp_reference_row row;
		wp_reference_contact_pair(shapes[0], at_a, a.rotation, shapes[1], at_b, b.rotation, &row);
		const double size = std::max(
			wp_shape_table_bound(table.get(), shape_a), wp_shape_table_bound(table.get(), shape_b));
		const bool is_smooth = shapes[0]->kind == WP_SHAPE_CYLINDER || shapes[1]->kind == WP_SHAPE_CYLINDER;
		return {state, pair, hits, row.separation,
			(is_smooth ? accuracy_smooth : accuracy) * (size + std::fabs(row.separation))};
	}

	const scene &world;
	wp::shape_table table;
	wp::workspace workspace;
	std::vector<wp_pose> poses;
	std::vector<judged_pair> pairs;
};

/* Who is wrong, and by how much. Returns how often it is the library. */
std::size_t report(const scene &world, const char *name, std::vector<difference> &differences)
{
	std::size_t library_wrong = 0, fcl_wrong = 0;
	for (const difference &found : differences) {
		/* A separation that is not a number is nobody's right. */
		const bool is_near = std::fabs(found.separation) <= found.allowed, overlaps = found.separation <= 0;
		library_wrong += (!is_near && overlaps != found.by_library) || std::isnan(found.separation);
		fcl_wrong += !is_near && overlaps == found.by_library;
	}
	std::printf("  %s: %zu pairs differ; widephase wrong %zu, FCL wrong %zu, within the promised accuracy %zu\n", name,
		differences.size(), library_wrong, fcl_wrong, differences.size() - library_wrong - fcl_wrong);
	std::sort(differences.begin(), differences.end(),
		[](const difference &a, const difference &b) { return std::fabs(a.separation) > std::fabs(b.separation); });
	for (std::size_t i = 0; i < std::min(shown_max, differences.size()); i++) {
		const difference &found = differences[i];
		const std::uint32_t other = found.pair.is_self ? world.parts[found.pair.other].shape
		                                               : world.obstacles[found.pair.other].shape;
		std::printf("    state %zu, %s of the arm and %s: widephase %s, FCL %s, separation %.3g mm\n", found.state,
			wp_shape_kind_name(static_cast<wp_shape_kind>(world.shapes[world.parts[found.pair.part].shape].kind)),
			wp_shape_kind_name(static_cast<wp_shape_kind>(world.shapes[other].kind)),
			found.by_library ? "overlap" : "apart", found.by_library ? "apart" : "overlap", 1e3 * found.separation);
	}
	return library_wrong;
}

std::vector<double> random_states(std::size_t count, std::uint32_t seed)
{
	std::mt19937 random(seed);
	std::vector<double> joints(count * joint_count);
	for (std::size_t i = 0; i < joints.size(); i++)
		joints[i] = uniform(random, -joint_limits[i % joint_count], joint_limits[i % joint_count]);
	return joints;
}

} // namespace

int beside_fcl(const scene &world, const std::vector<std::vector<double>> &edges, bool is_quick, std::uint32_t seed)
{
	const std::size_t count = is_quick ? 500 : 5000, judged = is_quick ? 50 : 2000;
	const int rounds = is_quick ? 2 : 9;
	const std::vector<double> joints = random_states(count, seed);
	batch_checker checker(world);
	fcl_checker by_own(world, false), by_libccd(world, true);
	const auto by_fcl = [&](fcl_checker &fcl) {
		return [&](answers &found) {
			for (std::size_t i = 0; i < found.size(); i++)
				found[i] = fcl.is_free(&joints[i * joint_count]);
		};
	};
	const auto edges_by_fcl = [&](fcl_checker &fcl) {
		return [&](answers &found) {
			for (std::size_t i = 0; i < found.size(); i++)
				found[i] = edge_by_fcl(fcl, edges[i]);
		};
	};

	std::vector<side> states = {
		{"widephase", [&](answers &found) { checker.check(joints.data(), count, found.data()); }, {}, {}},
		{"FCL", by_fcl(by_own), {}, {}}, {"FCL, libccd", by_fcl(by_libccd), {}, {}}};
	measure("random states, in batches", count, states, rounds);
	std::printf("  %.1f pairs a state\n",
		static_cast<double>(checker.row_count()) / static_cast<double>(checker.state_count()));
	std::vector<side> singles = {{"widephase",
									 [&](answers &found) {
										 for (std::size_t i = 0; i < found.size(); i++)
											 found[i] = checker.all_free(&joints[i * joint_count], 1);
									 },
									 {}, {}},
		{"FCL", by_fcl(by_own), {}, {}}, {"FCL, libccd", by_fcl(by_libccd), {}, {}}};
	measure("random states, one by one", count, singles, rounds);
	std::vector<side> planned = {{"widephase",
									 [&](answers &found) {
										 for (std::size_t i = 0; i < found.size(); i++)
											 found[i] = checker.all_free(
												 edges[i].data(), edges[i].size() / joint_count);
									 },
									 {}, {}},
		{"FCL", edges_by_fcl(by_own), {}, {}}, {"FCL, libccd", edges_by_fcl(by_libccd), {}, {}}};
	measure("edges of the planner", edges.size(), planned, rounds);

	judge pairs(world);
	std::printf("all %zu pairs of %zu states\n", pairs.pair_count(), judged);
	std::size_t wrong = 0;
	for (fcl_checker *fcl : {&by_own, &by_libccd}) {
		std::vector<difference> differences;
		for (std::size_t i = 0; i < judged; i++)
			wrong += pairs.look(i, &joints[i * joint_count], *fcl, differences) != (states[0].found[i] != 0);
		wrong += report(world, fcl == &by_own ? "FCL" : "FCL, libccd", differences);
	}
	return wrong == 0 && states[0].found == singles[0].found ? 0 : 1;
}
