/* Bullet's shapes as shapes of the library. */
#ifndef BENCH_ENGINES_BULLET_SHAPES_HPP
#define BENCH_ENGINES_BULLET_SHAPES_HPP

#include "memory.hpp"

#include <btBulletDynamicsCommon.h>
#include <widephase/cook.h>
#include <widephase/widephase.h>

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

struct hull_deleter {
	void operator()(const wp_hull *hull) const { wp_cook_free(hull); }
};
using hull_handle = std::unique_ptr<const wp_hull, hull_deleter>;

/* Every shape that was asked for, once, and the shape table of them all. A shape is read when it is first
 * asked for: its scaling and margin must be set by then.
 *
 * Margins. Bullet's boxes have theirs inside the half extents: the box is the whole of it, with sharp edges,
 * as Bullet's own algorithm for two boxes has it. Hulls and triangles have theirs outside: it is the rounding
 * radius. */
class shape_book
{
  public:
	/* Of shapes that the library does not have. */
	static constexpr std::uint32_t none = UINT32_MAX;

	std::uint32_t find(const btCollisionShape *shape);
	const wp_shape &operator[](std::uint32_t index) const { return shapes[index]; }

	/* The table of the shapes so far; valid until more are found. */
	const wp_shape_table *table();

  private:
	std::uint32_t add(const btCollisionShape *shape);
	wp_shape hull_of(const btConvexHullShape &shape);

	std::unordered_map<const btCollisionShape *, std::uint32_t> known;
	std::vector<wp_shape> shapes;
	std::vector<hull_handle> hulls;
	std::unique_ptr<aligned_memory> table_memory;
	const wp_shape_table *built = nullptr;
};

#endif
