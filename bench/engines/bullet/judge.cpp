#include "judge.hpp"

#include <algorithm>
#include <cmath>

namespace
{

struct bounds {
	const btRigidBody *body;
	btVector3 low, high;
};

bool overlap(const bounds &a, const bounds &b)
{
	for (int axis = 0; axis < 3; axis++)
		if (a.low[axis] > b.high[axis] || b.low[axis] > a.high[axis])
			return false;
	return true;
}

struct pose {
	explicit pose(const btCollisionObject &of)
	{
		const btTransform &from = of.getWorldTransform();
		const btQuaternion turn = from.getRotation();
		for (int axis = 0; axis < 3; axis++)
			position[axis] = static_cast<double>(from.getOrigin()[axis]);
		for (int part = 0; part < 4; part++)
			rotation[part] = turn[part];
	}
	double position[3];
	float rotation[4];
};

wp_shape rounded(wp_shape box, float margin)
{
	for (float &half : box.half_extents)
		half -= margin;
	box.radius += margin;
	return box;
}

} // namespace

void depth_judge::add_pair(const btCollisionObject &a, const btCollisionObject &b, depths &to)
{
	wp_shape shape_a = book[book.find(a.getCollisionShape(), 0)].shape,
			 shape_b = book[book.find(b.getCollisionShape(), 0)].shape;
	if (shape_a.kind == WP_SHAPE_BOX && shape_b.kind != WP_SHAPE_BOX)
		shape_a = rounded(shape_a, a.getCollisionShape()->getMargin());
	if (shape_b.kind == WP_SHAPE_BOX && shape_a.kind != WP_SHAPE_BOX)
		shape_b = rounded(shape_b, b.getCollisionShape()->getMargin());
	const pose pose_a(a), pose_b(b);
	wp_reference_row row;
	wp::bullet::must(wp_reference_contact_pair(
		&shape_a, pose_a.position, pose_a.rotation, &shape_b, pose_b.position, pose_b.rotation, &row));
	if (row.separation >= 0.0)
		return;
	to.most = std::max(to.most, -row.separation);
	to.sum -= row.separation;
	to.count++;
}

depths depth_judge::measure(world &of)
{
	std::vector<bounds> all;
	for (const auto &body : of.all()) {
		bounds around = {body.get(), btVector3(), btVector3()};
		body->getCollisionShape()->getAabb(body->getWorldTransform(), around.low, around.high);
		all.push_back(around);
	}
	depths found;
	for (std::size_t first = 0; first < all.size(); first++) {
		for (std::size_t second = first + 1; second < all.size(); second++) {
			const btRigidBody &a = *all[first].body, &b = *all[second].body;
			if ((a.isStaticObject() && b.isStaticObject()) || !overlap(all[first], all[second]))
				continue;
			if (a.checkCollideWith(&b) && b.checkCollideWith(&a))
				add_pair(a, b, found);
		}
	}
	return found;
}

energy energy_of(world &of)
{
	double kinetic = 0.0, potential = 0.0, mass = 0.0;
	const btVector3 gravity = of.dynamics().getGravity();
	for (const auto &body : of.all()) {
		if (body->isStaticObject())
			continue;
		const double weight = static_cast<double>(body->getMass());
		const btVector3 spin = body->getWorldTransform().getBasis().transpose() * body->getAngularVelocity();
		const btVector3 inertia = body->getLocalInertia();
		kinetic += 0.5 * weight * static_cast<double>(body->getLinearVelocity().length2());
		kinetic += 0.5 * static_cast<double>((inertia * spin).dot(spin));
		potential -= weight * static_cast<double>(gravity.dot(body->getWorldTransform().getOrigin()));
		mass += weight;
	}
	return {kinetic / mass, (kinetic + potential) / mass};
}

bool is_finite(world &of)
{
	for (const auto &body : of.all()) {
		const btVector3 at = body->getWorldTransform().getOrigin(), to = body->getLinearVelocity();
		if (!std::isfinite(at.dot(at)) || !std::isfinite(to.dot(to)))
			return false;
	}
	return true;
}

std::vector<btVector3> places_of(world &of)
{
	std::vector<btVector3> places;
	for (const auto &body : of.all())
		places.push_back(body->getWorldTransform().getOrigin());
	return places;
}

double farthest(const std::vector<btVector3> &before, const std::vector<btVector3> &after)
{
	double most = 0.0;
	for (std::size_t index = 0; index < before.size(); index++)
		most = std::max(most, static_cast<double>((after[index] - before[index]).length()));
	return most;
}
