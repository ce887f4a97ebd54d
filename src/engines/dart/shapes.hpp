/* DART's shapes as shapes of the library. */
#ifndef WP_ENGINES_DART_SHAPES_HPP
#define WP_ENGINES_DART_SHAPES_HPP

#include <widephase/cook.hpp>
#include <widephase/widephase.hpp>

#include <dart/dynamics/Shape.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace wp::in_dart
{

/* How the frame of the library's shape lies in the frame of DART's. */
enum class placing {
	same,
	turned, /* its Y is DART's Z: of cylinders and cones */
	framed  /* anywhere: of planes */
};

/* Which box holds a shape in any pose. */
enum class extent {
	box,       /* a box about `centre`, and `radius` around it */
	cylinder,  /* along Z */
	ellipsoid, /* of half extents as its semi-axes */
	unbounded  /* of planes */
};

/* Spheres of which a shape is the convex hull: the context of its support function. */
struct sphere_set {
	struct sphere {
		double centre[3], radius;
	};
	std::vector<sphere> spheres;
	wp_custom custom = {};
};

/* A shape of DART, made for the library. Its mesh is there if it is not convex; then the shape is the hull of it, by which it
 * meets planes. */
struct made_shape {
	static constexpr std::uint32_t none = UINT32_MAX;

	dart::dynamics::ConstShapePtr source;
	std::size_t version = 0;
	std::uint32_t index = none; /* in the table; none: the library has no such shape */
	wp_shape shape = {};
	placing place = placing::same;
	Eigen::Quaterniond turn = Eigen::Quaterniond::Identity(); /* of placing::framed */
	Eigen::Vector3d origin = Eigen::Vector3d::Zero();         /* of placing::framed */
	extent bounds = extent::box;
	Eigen::Vector3d centre = Eigen::Vector3d::Zero(), half = Eigen::Vector3d::Zero();
	double radius = 0.0;
	std::optional<cooked_hull> hull;
	std::optional<cooked_mesh> mesh;
	bool is_two_sided = false; /* the mesh has a border, so no inside */
	std::unique_ptr<sphere_set> spheres;
};

/* All shapes of a detector's objects, each made once, and their table. */
class shape_book
{
  public:
	/* The index of a point in the table: what rays are. */
	static constexpr std::uint32_t point_index = 0;

	shape_book();
	shape_book(const shape_book &) = delete;
	shape_book &operator=(const shape_book &) = delete;

	/* The shape, made anew if its version has changed. It keeps its index as long as it is held. */
	std::shared_ptr<const made_shape> find(const dart::dynamics::ConstShapePtr &shape);

	/* Valid until more are found. */
	const wp_shape_table *table() const { return made->get(); }
	const std::vector<const wp_mesh *> &meshes() const { return mesh_of; }

	/* Warn, the first time that this is said. */
	void warn_once(const std::string &text);

  private:
	void grow();
	void put(made_shape &shape);
	void give(made_shape *shape);

	std::unordered_map<const dart::dynamics::Shape *, std::weak_ptr<const made_shape>> known;
	std::vector<const made_shape *> shapes; /* by index */
	std::vector<const wp_mesh *> mesh_of;
	std::vector<std::uint32_t> free;
	std::unique_ptr<shape_table> made;
	std::vector<std::string> said;
};

} // namespace wp::in_dart

#endif
