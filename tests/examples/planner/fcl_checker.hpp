/* The same states, checked by FCL: its tree of boxes for the obstacles, one state after the other. */
#ifndef EXAMPLES_PLANNER_FCL_CHECKER_HPP
#define EXAMPLES_PLANNER_FCL_CHECKER_HPP

#include "scene.hpp"

#include <memory>

class fcl_checker
{
  public:
	/* By FCL's own GJK, or by libccd. The scene must outlive the checker. */
	fcl_checker(const scene &of, bool by_libccd);
	~fcl_checker();

	/* Whether the state hits nothing. */
	bool is_free(const double *joints);

	/* Whether a part overlaps an obstacle, or another part, in the state that `joints` has. */
	void place(const double *joints);
	bool hits_obstacle(std::size_t part, std::size_t obstacle) const;
	bool hits_part(std::size_t first, std::size_t second) const;

  private:
	struct objects;
	const scene &world;
	std::unique_ptr<objects> own;
	std::vector<wp_pose> poses;
};

#endif
