/* Bullet's shapes as shapes of the library. */
#ifndef WP_ENGINES_BULLET_SHAPES_HPP
#define WP_ENGINES_BULLET_SHAPES_HPP

#include "memory.hpp"

#include <btBulletCollisionCommon.h>
#include <widephase/cook.h>
#include <widephase/widephase.h>

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace wp::bullet
{

struct hull_deleter {
	void operator()(const wp_hull *hull) const { wp_cook_free(hull); }
};
using hull_handle = std::unique_ptr<const wp_hull, hull_deleter>;

/* The numbers that define a shape of Bullet. Two shapes of one address are the same shape while these are equal. */
struct shape_numbers {
	const void *points = nullptr;  /* of hulls and point clouds: where they lie */
	std::uint64_t fingerprint = 0; /* of the corners of triangles and tetrahedra */
	btScalar values[4] = {};
	int type = INVALID_SHAPE_PROXYTYPE;
	int count = 0; /* points; or the number of the axis */
};

/* A shape of the library, in the frame that it has in the body. */
struct found_shape {
	wp_shape shape = {};
	bool is_framed = false;
	btTransform frame = btTransform::getIdentity(); /* unless it is the body's own */
	float thinness = 0.0f;                          /* from the middle to the nearest side */
};

/* All shapes that were requested, and their shape table.
 *
 * Margins. Bullet's boxes and cylinders have their margin inside the half extents: the whole is the shape, with sharp edges, as
 * Bullet's own algorithm for two boxes has it. Hulls, triangles, tetrahedra and cones have theirs outside: it is the
 * rounding radius.
 *
 * Axes. The library's cylinders and cones stand along Y, its half-spaces are below Y = 0: shapes along other axes, and planes,
 * have a frame in their body. */
class shape_book
{
  public:
	/* Of shapes that the library does not have. */
	static constexpr std::uint32_t none = UINT32_MAX;

	/* Index of a shape, which is read if it is new or has changed; `none` if the library does not have it. `step` is the step
	 * of the simulation: shapes that many steps did not request may be dropped. */
	std::uint32_t find(const btCollisionShape *shape, std::uint32_t step);

	/* The same for a body that had this index in its last step: no search if nothing changed. */
	std::uint32_t find_again(std::uint32_t index, const btCollisionShape *shape, std::uint32_t step);

	/* Read a shape again if its points have changed in place. */
	void check_points(std::uint32_t index);

	/* Read a shape again when it is next requested. */
	void forget(const btCollisionShape *shape);

	const found_shape &operator[](std::uint32_t index) const { return shapes[index].found; }

	/* No two readings of shapes have the same. */
	std::uint32_t reading_of(std::uint32_t index) const { return entries[index].reading; }

	/* The table of all shapes; valid until more are found. */
	const wp_shape_table *table() const { return made; }

	/* How often the table was made anew. */
	std::uint32_t generation() const { return tables; }

  private:
	/* What each body reads of its shape in each step. */
	struct entry {
		const btCollisionShape *key = nullptr;
		shape_numbers numbers;
		bool is_known = false;
		std::uint32_t seen = 0; /* the last step that requested it */
		std::uint32_t reading = 0;
	};
	/* What the others need. */
	struct made_shape {
		found_shape found;
		hull_handle hull;
		std::uint64_t fingerprint = 0; /* of the points of hulls and point clouds */
	};

	void read(std::uint32_t index);
	std::uint32_t take(std::uint32_t step);
	void drop_old(std::uint32_t step);
	void grow();
	bool set(std::uint32_t index);
	std::uint32_t result(std::uint32_t index) const { return entries[index].is_known ? index : none; }

	std::unordered_map<const btCollisionShape *, std::uint32_t> known;
	std::vector<entry> entries;
	std::vector<made_shape> shapes;
	std::vector<std::uint32_t> free;
	std::unique_ptr<aligned_memory> memory;
	wp_shape_table *made = nullptr;
	std::uint32_t tables = 0, readings = 0;
};

} // namespace wp::bullet

#endif
