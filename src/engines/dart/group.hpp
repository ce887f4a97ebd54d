/* Objects and groups of DART: poses, boxes and the tree over these. */
#ifndef WP_ENGINES_DART_GROUP_HPP
#define WP_ENGINES_DART_GROUP_HPP

#include "rules.hpp"
#include "shapes.hpp"

#include <dart/collision/CollisionGroup.hpp>
#include <dart/collision/CollisionObject.hpp>

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>

#include <array>

namespace wp::in_dart
{

/* A shape frame in a group. */
class shape_object final : public dart::collision::CollisionObject
{
  public:
	shape_object(dart::collision::CollisionDetector *detector, const dart::dynamics::ShapeFrame *frame,
		std::shared_ptr<const made_shape> of)
		: CollisionObject(detector, frame), shape(std::move(of))
	{
	}

	std::shared_ptr<const made_shape> shape;

  private:
	void updateEngineData() override {} /* groups read all poses at once */
};

/* What batches read of an object. */
struct body {
	double position[3];
	float rotation[4];
	std::uint32_t shape = made_shape::none;
};

/* The box of an object in the world; without extent where a pose is not finite. Planes have none. */
struct box {
	Eigen::Vector3d lower, upper;
};

/* Without branches: which of the comparisons fails first is anyone's guess. */
inline bool boxes_meet(const box &a, const box &b)
{
	return bool(int(a.lower.x() <= b.upper.x()) & int(b.lower.x() <= a.upper.x()) & int(a.lower.y() <= b.upper.y()) &
				int(b.lower.y() <= a.upper.y()) & int(a.lower.z() <= b.upper.z()) & int(b.lower.z() <= a.upper.z()));
}

/* Objects by their numbers in the first and in the second group, which may be the same. */
struct pair {
	std::uint32_t a, b;
	bool operator<(const pair &other) const { return a != other.a ? a < other.a : b < other.b; }
};

/* The objects of a group, of which the tree has those with a box. The tree is FCL's, as in DART's own detector by FCL. Its
 * boxes are wider than the objects', so that it and the pairs of wide boxes that meet stay as they are until an object has
 * left its own. */
class shape_group final : public dart::collision::CollisionGroup
{
  public:
	using tree = fcl::DynamicAABBTreeCollisionManager<double>;

	/* `shapes` is the detector's. */
	shape_group(const std::shared_ptr<dart::collision::CollisionDetector> &detector, shape_book &shapes)
		: CollisionGroup(detector), book(shapes)
	{
	}

	/* Read where all objects are. */
	void read();

	/* Bring the tree to where the objects were read. */
	void move_tree();

	/* Pairs of which any that meet are some, in their order, the lower object first: without those that a filter of these
	 * rules ignores, if `with_rules` is set. For a tree that has been moved. */
	const std::vector<pair> &near_pairs(bool with_rules);
	const body_rules &rules() const { return all_rules; }

	std::size_t size() const { return objects.size(); }
	shape_object &object(std::size_t index) const { return *objects[index]; }
	const made_shape &shape(std::size_t index) const { return *objects[index]->shape; }
	const std::vector<body> &bodies() const { return all_bodies; }
	const box &box_of(std::size_t index) const { return boxes[index]; }
	const std::vector<std::uint32_t> &planes() const { return all_planes; }
	const std::vector<std::uint32_t> &bounded() const { return all_bounded; }
	bool has_meshes() const { return is_with_meshes; } /* of which any is not convex */
	tree *boxes_tree() const { return made.get(); }    /* none over no boxes */

	/* Of a tree's object. */
	static std::uint32_t index_of(const fcl::CollisionObject<double> &leaf);

  private:
	class box_geometry;
	using matrix = std::array<double, 16>;

	void initializeEngineData() override {}
	void addCollisionObjectToEngine(dart::collision::CollisionObject *object) override;
	void addCollisionObjectsToEngine(const std::vector<dart::collision::CollisionObject *> &added) override;
	void removeCollisionObjectFromEngine(dart::collision::CollisionObject *object) override;
	void removeAllCollisionObjectsFromEngine() override;
	void updateCollisionGroupEngineData() override {}
	void sort_objects();
	void rebuild();
	void read_shapes();
	void read_object(std::size_t index);
	void widen(std::size_t leaf);
	bool has_few_moves();
	void move_few();
	static bool take_pair(fcl::CollisionObject<double> *first, fcl::CollisionObject<double> *second, void *passed);

	std::vector<shape_object *> objects;
	std::vector<matrix> poses; /* where objects were when they were last read */
	std::vector<body> all_bodies;
	std::vector<box> boxes, wide_boxes;
	std::vector<std::uint32_t> moved; /* leaves whose objects have just left their wide boxes */
	std::vector<char> is_moved;       /* those objects */
	std::vector<pair> near, allowed;
	bool is_near_changed = true, is_with_meshes = false;
	body_rules all_rules;
	std::vector<std::uint32_t> all_planes, all_bounded; /* objects; those without a shape are in neither */
	std::vector<std::shared_ptr<box_geometry>> geometries;
	std::vector<std::unique_ptr<fcl::CollisionObject<double>>> leaves;
	std::unique_ptr<tree> made;
	shape_book &book;
	bool is_changed = true;
};

} // namespace wp::in_dart

#endif
