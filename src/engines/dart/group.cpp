/* Objects and groups of DART: poses, boxes and the tree over these. */
#include "group.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

namespace wp::in_dart
{

namespace
{

/* Boxes are wider by this share of their size, so that rounding separates no shapes that touch. */
constexpr double slack = 1e-6;

/* Wide boxes reach further by this share of the longest half extent. */
constexpr double margin = 0.2;

/* If more than one of so many boxes is left, all pairs are found anew. */
constexpr std::size_t few_of = 4;

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
	const Eigen::Isometry3d &pose = objects[index]->getTransform();
	if (std::memcmp(poses[index].data(), pose.data(), sizeof(poses[index])) == 0)
		return;
	std::memcpy(poses[index].data(), pose.data(), sizeof(poses[index]));
	const made_shape &of = *objects[index]->shape;
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

/* DART tells of changes of the shapes of skeletons alone, so all are looked at, without a count of their references. */
void shape_group::read_shapes()
{
	for (shape_object *object : objects) {
		const dart::dynamics::ShapePtr &shape = object->getShapeFrame()->getAspectProperties().mShape;
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
	for (const std::uint32_t index : all_bounded)
		read_object(index);
}

void shape_group::widen(std::size_t leaf)
{
	const box &around = boxes[all_bounded[leaf]];
	box &to = wide_boxes[all_bounded[leaf]];
	const double reach = margin * 0.5 * (around.upper - around.lower).maxCoeff();
	to.lower = around.lower.array() - reach;
	to.upper = around.upper.array() + reach;
	geometries[leaf]->aabb_local = fcl::AABB<double>(to.lower, to.upper);
	leaves[leaf]->computeAABB();
}

/* Whether few boxes were left, `moved` the leaves of those. */
bool shape_group::has_few_moves()
{
	moved.clear();
	if (!made)
		return false;
	for (std::uint32_t leaf = 0; leaf < all_bounded.size(); leaf++) {
		const box &around = boxes[all_bounded[leaf]], &wide = wide_boxes[all_bounded[leaf]];
		if ((wide.lower.array() <= around.lower.array()).all() && (around.upper.array() <= wide.upper.array()).all())
			continue;
		moved.push_back(leaf);
	}
	return few_of * moved.size() <= all_bounded.size();
}

void shape_group::move_tree()
{
	if (all_bounded.empty())
		return;
	if (has_few_moves()) {
		move_few();
		return;
	}
	for (std::size_t leaf = 0; leaf < leaves.size(); leaf++)
		widen(leaf);
	if (made) {
		made->update();
	} else {
		std::vector<fcl::CollisionObject<double> *> pointers;
		for (const auto &leaf : leaves)
			pointers.push_back(leaf.get());
		made = std::make_unique<tree>();
		made->registerObjects(pointers);
	}
	near.clear();
	made->collide(this, take_pair);
	std::sort(near.begin(), near.end());
	is_near_changed = true;
}

/* Pairs without an object that has moved stay. */
void shape_group::move_few()
{
	if (moved.empty())
		return;
	std::vector<fcl::CollisionObject<double> *> pointers;
	is_moved.assign(objects.size(), 0);
	for (const std::uint32_t leaf : moved) {
		widen(leaf);
		pointers.push_back(leaves[leaf].get());
		is_moved[all_bounded[leaf]] = 1;
	}
	made->update(pointers);
	const auto has_moved = [this](const pair &of) { return is_moved[of.a] || is_moved[of.b]; };
	near.erase(std::remove_if(near.begin(), near.end(), has_moved), near.end());
	const auto kept = near.end() - near.begin();
	for (auto *leaf : pointers)
		made->collide(leaf, this, take_pair);
	/* Two that have both moved found each other twice. */
	const auto is_same = [](const pair &one, const pair &other) { return one.a == other.a && one.b == other.b; };
	std::sort(near.begin() + kept, near.end());
	near.erase(std::unique(near.begin() + kept, near.end(), is_same), near.end());
	std::inplace_merge(near.begin(), near.begin() + kept, near.end());
	is_near_changed = true;
}

/* FCL's order of two objects of one tree varies. */
bool shape_group::take_pair(fcl::CollisionObject<double> *first, fcl::CollisionObject<double> *second, void *passed)
{
	shape_group &of = *static_cast<shape_group *>(passed);
	const std::uint32_t one = index_of(*first), other = index_of(*second), a = std::min(one, other),
						b = std::max(one, other);
	if (a != b && boxes_meet(of.wide_boxes[a], of.wide_boxes[b]))
		of.near.push_back({a, b});
	return false;
}

const std::vector<pair> &shape_group::near_pairs(bool with_rules)
{
	if (!with_rules)
		return near;
	if (all_rules.read() || is_near_changed) {
		allowed.clear();
		for (const pair &each : near) {
			if (all_rules.of(each.a, each.b) != body_rules::answer::ignored)
				allowed.push_back(each);
		}
		is_near_changed = false;
	}
	return allowed;
}

/* DART takes the object of a body out and adds it anew if its shape has changed: then it would be the last. */
void shape_group::sort_objects()
{
	std::unordered_map<const dart::dynamics::ShapeFrame *, std::size_t> places;
	for (std::size_t place = 0; place < getNumShapeFrames(); place++)
		places.emplace(getShapeFrame(place), place);
	const auto is_before = [&places](const shape_object *a, const shape_object *b) {
		return places[a->getShapeFrame()] < places[b->getShapeFrame()];
	};
	std::sort(objects.begin(), objects.end(), is_before);
}

/* All but the tree itself, which is made over the boxes where they are first read. */
void shape_group::rebuild()
{
	sort_objects();
	made.reset();
	leaves.clear();
	geometries.clear();
	all_planes.clear();
	all_bounded.clear();
	is_with_meshes = false;
	near.clear();
	is_near_changed = true;
	all_bodies.assign(objects.size(), body());
	boxes.assign(objects.size(), box());
	wide_boxes.assign(objects.size(), box());
	/* No pose has these bits, so that all are read. */
	matrix unread;
	std::memset(unread.data(), 0xff, sizeof(unread));
	poses.assign(objects.size(), unread);
	std::vector<const dart::dynamics::ShapeFrame *> frames;
	for (const shape_object *object : objects)
		frames.push_back(object->getShapeFrame());
	all_rules.assign(frames);
	for (std::uint32_t index = 0; index < objects.size(); index++) {
		const made_shape &of = *objects[index]->shape;
		all_bodies[index].shape = of.index;
		if (of.index == made_shape::none)
			continue;
		is_with_meshes |= of.mesh.has_value();
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
