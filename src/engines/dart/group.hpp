/* Objects and groups of DART: poses, boxes and the tree over these. */
#ifndef WP_ENGINES_DART_GROUP_HPP
#define WP_ENGINES_DART_GROUP_HPP

#include "shapes.hpp"

#include <dart/collision/CollisionGroup.hpp>
#include <dart/collision/CollisionObject.hpp>

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>

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

/* The objects of a group, of which the tree has those with a box. The tree is FCL's, as in DART's own detector by FCL. */
class shape_group final : public dart::collision::CollisionGroup
{
  public:
	using tree = fcl::DynamicAABBTreeCollisionManager<double>;

	/* `shapes` is the detector's. */
	shape_group(const std::shared_ptr<dart::collision::CollisionDetector> &detector, shape_book &shapes)
		: CollisionGroup(detector), book(shapes)
	{
	}

	/* Read where all objects are, and bring the tree there. */
	void read();

	std::size_t size() const { return objects.size(); }
	shape_object &object(std::size_t index) const { return *objects[index]; }
	const made_shape &shape(std::size_t index) const { return *objects[index]->shape; }
	const std::vector<body> &bodies() const { return all_bodies; }
	const box &box_of(std::size_t index) const { return boxes[index]; }
	const std::vector<std::uint32_t> &planes() const { return all_planes; }
	const std::vector<std::uint32_t> &bounded() const { return all_bounded; }
	tree *boxes_tree() const { return made.get(); } /* none over no boxes */

	/* Of a tree's object. */
	static std::uint32_t index_of(const fcl::CollisionObject<double> &leaf);

  private:
	class box_geometry;

	void initializeEngineData() override {}
	void addCollisionObjectToEngine(dart::collision::CollisionObject *object) override;
	void addCollisionObjectsToEngine(const std::vector<dart::collision::CollisionObject *> &added) override;
	void removeCollisionObjectFromEngine(dart::collision::CollisionObject *object) override;
	void removeAllCollisionObjectsFromEngine() override;
	void updateCollisionGroupEngineData() override {}
	void rebuild();
	void read_shapes();
	void read_object(std::size_t index);

	std::vector<shape_object *> objects;
	std::vector<body> all_bodies;
	std::vector<box> boxes;
	std::vector<std::uint32_t> all_planes, all_bounded; /* objects; those without a shape are in neither */
	std::vector<std::shared_ptr<box_geometry>> geometries;
	std::vector<std::unique_ptr<fcl::CollisionObject<double>>> leaves;
	std::unique_ptr<tree> made;
	shape_book &book;
	bool is_changed = true;
};

} // namespace wp::in_dart

#endif
