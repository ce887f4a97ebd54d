/* States of an arm, checked in batches: the class that asks the library, and what OMPL asks of it. */
#ifndef EXAMPLES_PLANNER_CHECKER_HPP
#define EXAMPLES_PLANNER_CHECKER_HPP

#include "scene.hpp"

#include <ompl/base/MotionValidator.h>
#include <ompl/base/StateValidityChecker.h>

#include <memory>
#include <mutex>

/* Checks states of one scene, for one thread at a time. */
class batch_checker
{
  public:
	/* The scene must outlive the checker. */
	explicit batch_checker(const scene &of, wp_variant variant = WP_VARIANT_AUTO);

	/* is_free[i] = state i is within the joint limits and hits nothing, neither an obstacle nor itself; `joints` has
	 * count * joint_count angles. */
	void check(const double *joints, std::size_t count, std::uint8_t *is_free);

	/* Whether all states, along an edge, are free; looks at no more of them once one is not. */
	bool all_free(const double *joints, std::size_t count);

	/* Pairs that the library was asked about, and states, since the checker was made. */
	std::uint64_t row_count() const { return rows_asked; }
	std::uint64_t state_count() const { return states_asked; }

  private:
	static constexpr std::size_t lanes = 4;   /* states whose boxes are computed at once */
	static constexpr std::size_t slots = 256; /* intervals of an axis */

	/* Two bodies whose boxes overlap. */
	struct row {
		std::uint32_t a, b;
	};
	struct body {
		float position[3], rotation[4];
		std::uint32_t shape;
	};
	/* A box along the axes of a link, rounded by the radius, and one along the axes of the world. */
	struct box {
		float centre[3], half[3], radius;
	};
	struct world_box {
		float lower[3], upper[3];
	};
	/* Boxes of one part along the axes of the world, and the slots where they begin and end. */
	struct lane_boxes {
		float lower[3][lanes], upper[3][lanes];
		std::int32_t first_slot[3][lanes], last_slot[3][lanes];
	};

	/* Rotations of one link. */
	struct lane_matrices {
		float row[3][3][lanes];
	};

	static box box_of(const wp_shape &shape, const wp_pose &pose);
	static std::int32_t slot_of(float coordinate);
	void sort_obstacles();
	void bound_part(std::size_t part, const lane_matrices &turned);
	void bound_parts();
	void meet_selves();
	void begin(const double *joints, std::size_t count);
	void find_rows(std::size_t state, std::size_t lane);
	bool find_obstacles(const lane_boxes &of, std::size_t lane, std::uint32_t body_index);
	void put_body(std::size_t state, std::size_t part, std::size_t lane);
	bool decide(std::size_t count, bool stops_at_first);
	void ask();

	const scene &world;
	wp::shape_table table;
	wp::workspace workspace;
	std::vector<box> part_boxes; /* in the frames of their links */
	std::vector<world_box> obstacle_boxes;
	/* Sets of obstacles, `words` words each, for each slot of each axis: which begin before its end, which end after its
	 * beginning. */
	std::size_t words;
	std::vector<std::uint64_t> begun[3], unended[3];
	link_frames<lanes> frames;
	std::vector<lane_boxes> boxes; /* of each part */
	/* Signs of differences of the boxes of two parts. */
	struct lane_signs {
		std::uint32_t lane[lanes];
	};
	std::vector<lane_signs> self_apart;                   /* of each pair of parts */
	std::array<std::vector<part_pair>, lanes> self_found; /* parts of each lane whose boxes overlap */
	std::vector<double> spread;                           /* states in the order of looking at them */
	std::vector<body> bodies; /* the obstacles, then the parts of each state, where they have rows */
	std::vector<row> rows;    /* of all states, one after the other, up to row_end */
	std::size_t row_end = 0;
	std::vector<std::size_t> ends; /* of each state: the end of its rows */
	std::vector<std::size_t> next; /* of each state: its first row that was not asked */
	std::vector<std::uint8_t> hit; /* of each state: whether it hits something */
	std::vector<row> asked;        /* rows of one call, their states, and the answers */
	std::vector<std::size_t> states;
	std::vector<std::uint8_t> overlaps;
	std::uint64_t rows_asked = 0, states_asked = 0;
};

/* Checkers for any number of threads, since OMPL's planners may have several. */
class checker_pool
{
  public:
	explicit checker_pool(const scene &of) : world(of) {}

	/* Calls `use` with a checker that no other thread has meanwhile. */
	template <class Use> auto with(const Use &use)
	{
		std::unique_ptr<batch_checker> taken = take();
		const auto answer = use(*taken);
		const std::lock_guard<std::mutex> lock(mutex);
		idle.push_back(std::move(taken));
		return answer;
	}

  private:
	std::unique_ptr<batch_checker> take()
	{
		const std::lock_guard<std::mutex> lock(mutex);
		if (idle.empty())
			return std::make_unique<batch_checker>(world);
		std::unique_ptr<batch_checker> taken = std::move(idle.back());
		idle.pop_back();
		return taken;
	}

	const scene &world;
	std::mutex mutex;
	std::vector<std::unique_ptr<batch_checker>> idle;
};

/* Single states, as planners sample them. */
class batch_validity final : public ompl::base::StateValidityChecker
{
  public:
	batch_validity(const ompl::base::SpaceInformationPtr &information, checker_pool &asked)
		: StateValidityChecker(information), pool(asked)
	{
	}
	bool isValid(const ompl::base::State *state) const override;

  private:
	checker_pool &pool;
};

/* Edges: all interpolated states are one batch, which ends at the first that hits something. */
class batch_motions final : public ompl::base::MotionValidator
{
  public:
	batch_motions(const ompl::base::SpaceInformationPtr &information, checker_pool &asked)
		: MotionValidator(information), pool(asked)
	{
	}
	bool checkMotion(const ompl::base::State *from, const ompl::base::State *to) const override;
	bool checkMotion(const ompl::base::State *from, const ompl::base::State *to,
		std::pair<ompl::base::State *, double> &last_valid) const override;

  private:
	checker_pool &pool;
};

/* The states of an edge after its first, at OMPL's resolution, joint_count angles each: the end at least. */
std::vector<double> states_of_edge(
	const ompl::base::SpaceInformation &information, const ompl::base::State *from, const ompl::base::State *to);

#endif
