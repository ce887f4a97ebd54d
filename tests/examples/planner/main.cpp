/* A plan for an arm of seven joints in clutter, by OMPL's RRTConnect, whose states and edges the library checks in batches; and
 * the same states and edges by FCL, for time and answers.
 *   planner [--quick] [--clutter COUNT] [--seed NUMBER]
 * Exit code 1: no plan, a plan that hits something by the reference, or an answer of the library that is wrong. */
#include "checker.hpp"
#ifdef PLANNER_HAVE_FCL
#include "beside_fcl.hpp"
#endif

#include <ompl/base/PlannerTerminationCondition.h>
#include <ompl/base/ProblemDefinition.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>
#include <widephase/reference.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

namespace base = ompl::base;

namespace
{

/* Length of a step along an edge between two states that are checked, over the extent of all joints: 0.03 radians. */
constexpr double resolution = 0.002;

struct options {
	bool is_quick = false;
	std::size_t clutter = 120;
	std::uint32_t seed = 1;
};

options read_options(int count, char **arguments)
{
	options read;
	for (int i = 1; i < count; i++) {
		if (std::strcmp(arguments[i], "--quick") == 0) {
			read.is_quick = true;
		} else if (std::strcmp(arguments[i], "--clutter") == 0 && i + 1 < count) {
			read.clutter = std::strtoul(arguments[++i], nullptr, 10);
		} else if (std::strcmp(arguments[i], "--seed") == 0 && i + 1 < count) {
			read.seed = static_cast<std::uint32_t>(std::strtoul(arguments[++i], nullptr, 10));
		} else {
			std::fprintf(stderr, "usage: %s [--quick] [--clutter COUNT] [--seed NUMBER]\n", arguments[0]);
			std::exit(2);
		}
	}
	return read;
}

/* The edges that a planner asks about, kept for a measurement. */
class recorded_motions final : public base::MotionValidator
{
  public:
	recorded_motions(const base::SpaceInformationPtr &information, checker_pool &pool)
		: MotionValidator(information), motions(information, pool)
	{
	}
	bool checkMotion(const base::State *from, const base::State *to) const override
	{
		edges.push_back(states_of_edge(*si_, from, to));
		return motions.checkMotion(from, to);
	}
	bool checkMotion(
		const base::State *from, const base::State *to, std::pair<base::State *, double> &last_valid) const override
	{
		edges.push_back(states_of_edge(*si_, from, to));
		return motions.checkMotion(from, to, last_valid);
	}

	mutable std::vector<std::vector<double>> edges;

  private:
	batch_motions motions;
};

struct plan {
	std::vector<double> joints; /* of all states at the resolution; empty: none was found */
	std::vector<std::vector<double>> edges;
	std::size_t corners = 0;
	double length = 0;
};

void set_angles(base::ScopedState<base::RealVectorStateSpace> &state, const joint_angles &angles)
{
	for (std::size_t k = 0; k < joint_count; k++)
		state->values[k] = angles[k];
}

plan find_plan(const scene &world)
{
	const auto space = std::make_shared<base::RealVectorStateSpace>(joint_count);
	base::RealVectorBounds bounds(joint_count);
	for (unsigned k = 0; k < joint_count; k++) {
		bounds.setLow(k, -joint_limits[k]);
		bounds.setHigh(k, joint_limits[k]);
	}
	space->setBounds(bounds);
	const auto information = std::make_shared<base::SpaceInformation>(space);
	checker_pool pool(world);
	const auto motions = std::make_shared<recorded_motions>(information, pool);
	information->setStateValidityChecker(std::make_shared<batch_validity>(information, pool));
	information->setMotionValidator(motions);
	information->setStateValidityCheckingResolution(resolution);
	information->setup();

	base::ScopedState<base::RealVectorStateSpace> start(space), goal(space);
	set_angles(start, world.start);
	set_angles(goal, world.goal);
	const auto problem = std::make_shared<base::ProblemDefinition>(information);
	problem->setStartAndGoalStates(start, goal);
	ompl::geometric::RRTConnect planner(information);
	planner.setProblemDefinition(problem);
	planner.setup();
	plan found;
	const base::PlannerStatus status = planner.solve(base::timedPlannerTerminationCondition(60.0));
	found.edges = motions->edges;
	if (status != base::PlannerStatus::EXACT_SOLUTION)
		return found;
	const auto &path = *problem->getSolutionPath()->as<ompl::geometric::PathGeometric>();
	found.corners = path.getStateCount();
	found.length = path.length();
	for (std::size_t i = 0; i + 1 < found.corners; i++) {
		const std::vector<double> edge = states_of_edge(
			*information, path.getState(static_cast<unsigned>(i)), path.getState(static_cast<unsigned>(i + 1)));
		found.joints.insert(found.joints.end(), edge.begin(), edge.end());
	}
	return found;
}

/* The least separation of all pairs, obstacles and parts among themselves, of every `step`th state, by the reference. */
double least_separation(const scene &world, const std::vector<double> &joints, std::size_t step)
{
	double least = 1e30;
	std::vector<wp_pose> poses(world.parts.size());
	const auto take = [&](std::uint32_t shape_a, const wp_pose &a, std::uint32_t shape_b, const wp_pose &b) {
		const double at_a[3] = {a.position[0], a.position[1], a.position[2]};
		const double at_b[3] = {b.position[0], b.position[1], b.position[2]};
		wp_reference_row row;
		wp_reference_contact_pair(
			&world.shapes[shape_a], at_a, a.rotation, &world.shapes[shape_b], at_b, b.rotation, &row);
		least = row.separation < least || row.separation != row.separation ? row.separation : least;
	};
	for (std::size_t state = 0; state < joints.size() / joint_count; state += step) {
		world.place(&joints[state * joint_count], poses.data());
		for (std::size_t part = 0; part < world.parts.size(); part++)
			for (const obstacle &standing : world.obstacles)
				if (world.parts[part].link > 0)
					take(world.parts[part].shape, poses[part], standing.shape, standing.pose);
		for (const part_pair &pair : world.self_pairs)
			take(world.parts[pair.first].shape, poses[pair.first], world.parts[pair.second].shape, poses[pair.second]);
	}
	return least;
}

int run(const options &with)
{
	ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
	ompl::RNG::setSeed(with.seed);
	const scene world = make_scene(with.clutter, with.seed);
	std::printf("%zu parts of an arm, %zu pairs of them, %zu obstacles\n", world.parts.size(), world.self_pairs.size(),
		world.obstacles.size());

	const plan found = find_plan(world);
	if (found.joints.empty()) {
		std::fprintf(stderr, "no plan after %zu edges\n", found.edges.size());
		return 1;
	}
	const std::size_t states = found.joints.size() / joint_count;
	const double least = least_separation(world, found.joints, with.is_quick ? 16 : 1);
	std::printf("plan: %zu corners, %.2f rad, %zu states, after %zu edges; the nearest obstacle is %.1f mm away\n",
		found.corners, found.length, states, found.edges.size(), 1e3 * least);
	int code = least > 0 ? 0 : 1;
#ifdef PLANNER_HAVE_FCL
	code |= beside_fcl(world, found.edges, with.is_quick, with.seed);
#else
	std::printf("built without FCL: no comparison\n");
#endif
	return code;
}

} // namespace

int main(int count, char **arguments)
{
	try {
		return run(read_options(count, arguments));
	} catch (const std::exception &error) {
		std::fprintf(stderr, "%s\n", error.what());
		return 2;
	}
}
