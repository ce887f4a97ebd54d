/* Objects and groups of DART: poses, boxes and the tree over these. */
#include "group.hpp"

#include <algorithm>
#include <cmath>

namespace wp::in_dart
{

namespace
{

/* Boxes are wider by this share of their size, so that rounding separates no shapes that touch. */
constexpr double slack = 1e-6;

/* Half extents of a shape's box in the world, about the centre. */
Eigen::Vector3d reach_of(const made_shape &shape, const Eigen::Matrix3d &turn)
{
	if (shape.bounds == extent::ellipsoid)
		return (turn * shape.half.asDiagonal()).rowwise().norm();
	if (shape.bounds == extent::cylinder) {
		const Eigen::Array3d axis = turn.col(2).array();
		return shape.half.z() * axis.abs() + shape.half.x() * (1.0 - axis.square()).max(0.0).sqrt();
	}
	if (shape.half.isZero(0.0))
		return Eigen::Vector3d::Constant(shape.radius);
	return (turn.cwiseAbs() * shape.half).array() + shape.radius;
}

void put_rotation(body &to, const Eigen::Quaterniond &rotation)
{
	const Eigen::Quaternionf rounded = rotation.cast<float>();
	std::copy_n(rounded.coeffs().data(), 4, to.rotation);
}

} // namespace

/* A box that is set. The object of FCL that has it stands at the origin, so that the box is not widened by turns. */
class shape_group::box_geometry final : public fcl::CollisionGeometry<double>
{
  public:
	void computeLocalAABB() override {}
};

std::uint32_t shape_group::index_of(const fcl::CollisionObject<double> &leaf)
{
	return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(leaf.getUserData()));
}

void shape_group::read_object(std::size_t index)
{
	const made_shape &of = *objects[index]->shape;
	const Eigen::Isometry3d &pose = objects[index]->getTransform();
	const Eigen::Matrix3d turn = pose.linear();
	body &to = all_bodies[index];
	Eigen::Vector3d position = pose.translation();
	if (of.place == placing::turned) {
		Eigen::Matrix3d turned;
		turned << turn.col(1), turn.col(2), turn.col(0);
		put_rotation(to, Eigen::Quaterniond(turned));
	} else if (of.place == placing::framed) {
		put_rotation(to, Eigen::Quaterniond(turn) * of.turn);
		position = pose * of.origin;
	} else {
		put_rotation(to, Eigen::Quaterniond(turn));
	}
	std::copy_n(position.data(), 3, to.position);
	if (of.bounds == extent::unbounded)
		return;
	const Eigen::Vector3d reach = (1.0 + slack) * reach_of(of, turn), centre = pose * of.centre;
	box &around = boxes[index];
	around.lower = centre - reach;
	around.upper = centre + reach;
	if (!around.lower.allFinite() || !around.upper.allFinite())
		around.lower = around.upper = Eigen::Vector3d::Zero();
}

/* DART tells of changes of the shapes of skeletons alone, so all are looked at. */
void shape_group::read_shapes()
{
	for (shape_object *object : objects) {
		const dart::dynamics::ConstShapePtr shape = object->getShape();
		if (shape == object->shape->source && (!shape || shape->getVersion() == object->shape->version))
			continue;
		object->shape = book.find(shape);
		is_changed = true;
	}
}

void shape_group::read()
{
	read_shapes();
	if (is_changed)
		rebuild();
	for (const std::uint32_t index : all_planes)
		read_object(index);
	for (std::size_t leaf = 0; leaf < all_bounded.size(); leaf++) {
		read_object(all_bounded[leaf]);
		const box &around = boxes[all_bounded[leaf]];
		geometries[leaf]->aabb_local = fcl::AABB<double>(around.lower, around.upper);
		leaves[leaf]->computeAABB();
	}
	if (made)
		made->update();
	else if (!leaves.empty()) {
		std::vector<fcl::CollisionObject<double> *> pointers;
		for (const auto &leaf : leaves)
			pointers.push_back(leaf.get());
		made = std::make_unique<tree>();
		made->registerObjects(pointers);
	}
}

/* All but the tree itself, which is made over the boxes where they are first read. */
void shape_group::rebuild()
{
	made.reset();
	leaves.clear();
	geometries.clear();
	all_planes.clear();
	all_bounded.clear();
	all_bodies.assign(objects.size(), body());
	boxes.assign(objects.size(), box());
	for (std::uint32_t index = 0; index < objects.size(); index++) {
		const made_shape &of = *objects[index]->shape;
		all_bodies[index].shape = of.index;
		if (of.index == made_shape::none)
			continue;
		if (of.bounds == extent::unbounded) {
			all_planes.push_back(index);
			continue;
		}
		all_bounded.push_back(index);
		geometries.push_back(std::make_shared<box_geometry>());
		leaves.push_back(std::make_unique<fcl::CollisionObject<double>>(geometries.back()));
		leaves.back()->setUserData(reinterpret_cast<void *>(static_cast<std::uintptr_t>(index)));
	}
	is_changed = false;
}

void shape_group::addCollisionObjectToEngine(dart::collision::CollisionObject *object)
{
	objects.push_back(static_cast<shape_object *>(object));
	is_changed = true;
}

void shape_group::addCollisionObjectsToEngine(const std::vector<dart::collision::CollisionObject *> &added)
{
	for (auto *object : added)
		addCollisionObjectToEngine(object);
}

void shape_group::removeCollisionObjectFromEngine(dart::collision::CollisionObject *object)
{
	objects.erase(std::remove(objects.begin(), objects.end(), object), objects.end());
	is_changed = true;
}

void shape_group::removeAllCollisionObjectsFromEngine()
{
	objects.clear();
	is_changed = true;
}

} // namespace wp::in_dart
