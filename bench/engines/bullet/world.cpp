#include "world.hpp"

#include <algorithm>

const char *name_of(narrowphase kind)
{
	switch (kind) {
	case narrowphase::bullet:
		return "bullet";
	case narrowphase::continuous:
		return "bullet+ccd";
	case narrowphase::widephase:
		break;
	}
	return "widephase";
}

world::world(narrowphase of, float shape_margin, const wp::bullet_options &options) : kind(of), margin(shape_margin)
{
	if (kind == narrowphase::widephase)
		dispatcher = std::make_unique<timed<wp::bullet_dispatcher>>(narrow_taken, &configuration, options);
	else
		dispatcher = std::make_unique<timed<btCollisionDispatcher>>(narrow_taken, &configuration);
	inner = std::make_unique<btDiscreteDynamicsWorld>(dispatcher.get(), &broadphase, &solver, &configuration);
	inner->setGravity(btVector3(0.0f, -9.81f, 0.0f));
}

world::~world()
{
	for (const auto &joint : joints)
		inner->removeConstraint(joint.get());
	for (const auto &body : bodies)
		inner->removeRigidBody(body.get());
}

template <typename Shape> Shape *world::keep(Shape *shape)
{
	shapes.emplace_back(shape);
	return shape;
}

btCollisionShape *world::box(const btVector3 &half)
{
	auto *shape = keep(new btBoxShape(half));
	/* The constructor has lessened the margin where the box is thin. */
	shape->setMargin(std::min(shape->getMargin(), margin));
	return shape;
}

btCollisionShape *world::sphere(float radius) { return keep(new btSphereShape(radius)); }

btCollisionShape *world::capsule(float radius, float half_height)
{
	return keep(new btCapsuleShape(radius, 2.0f * half_height));
}

btCollisionShape *world::hull(const std::vector<btVector3> &points)
{
	auto *shape = keep(new btConvexHullShape);
	for (const btVector3 &point : points)
		shape->addPoint(point, false);
	shape->setMargin(margin);
	shape->recalcLocalAabb();
	return shape;
}

btRigidBody &world::add(btCollisionShape *shape, float mass, const btTransform &pose)
{
	btVector3 inertia(0.0f, 0.0f, 0.0f);
	if (mass > 0.0f)
		shape->calculateLocalInertia(mass, inertia);
	btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
	info.m_startWorldTransform = pose;
	bodies.push_back(std::make_unique<btRigidBody>(info));
	btRigidBody &body = *bodies.back();
	body.setActivationState(DISABLE_DEACTIVATION);
	if (kind == narrowphase::continuous && mass > 0.0f) {
		btVector3 low, high;
		shape->getAabb(btTransform::getIdentity(), low, high);
		const btVector3 half = 0.5f * (high - low);
		body.setCcdMotionThreshold(half[half.minAxis()]);
		body.setCcdSweptSphereRadius(half[half.minAxis()]);
	}
	inner->addRigidBody(&body);
	return body;
}

void world::join(std::unique_ptr<btTypedConstraint> joint)
{
	inner->addConstraint(joint.get(), true);
	joints.push_back(std::move(joint));
}

void world::step()
{
	const double start = clock_now();
	inner->stepSimulation(step_seconds, 0);
	taken = clock_now() - start;
}

int world::pair_count() { return broadphase.getOverlappingPairCache()->getNumOverlappingPairs(); }

int world::point_count() const
{
	int count = 0;
	for (int index = 0; index < dispatcher->getNumManifolds(); index++)
		count += dispatcher->getManifoldByIndexInternal(index)->getNumContacts();
	return count;
}
