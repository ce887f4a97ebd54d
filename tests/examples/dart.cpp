/* DART with this library for its collision detector: one line of a DART program is another. Boxes, cylinders and balls fall
 * on a plane; the last line says how they have come to rest. */
#include <widephase/dart.hpp>

#include <dart/collision/collision.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CylinderShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlaneShape.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include <algorithm>
#include <cstdio>
#include <string>

using namespace dart::dynamics;

static void add_body(dart::simulation::World &world, const ShapePtr &shape, const Eigen::Vector3d &position)
{
	auto skeleton = Skeleton::create("body " + std::to_string(world.getNumSkeletons()));
	auto [joint, body] = skeleton->createJointAndBodyNodePair<FreeJoint>();
	body->createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape);
	Inertia inertia;
	inertia.setMass(1);
	inertia.setMoment(shape->computeInertia(1));
	body->setInertia(inertia);
	joint->setPositions((Eigen::Vector6d() << Eigen::Vector3d::Zero(), position).finished());
	world.addSkeleton(skeleton);
}

int main()
{
	auto world = dart::simulation::World::create();
	world->getConstraintSolver()->setCollisionDetector(wp::dart_detector::create()); /* was: FCL's, by default */

	auto ground = Skeleton::create("ground");
	ground->createJointAndBodyNodePair<WeldJoint>().second->createShapeNodeWith<CollisionAspect, DynamicsAspect>(
		std::make_shared<PlaneShape>(Eigen::Vector3d::UnitZ(), 0));
	world->addSkeleton(ground);
	const ShapePtr shapes[] = {std::make_shared<BoxShape>(Eigen::Vector3d(0.4, 0.4, 0.4)),
		std::make_shared<CylinderShape>(0.2, 0.3), std::make_shared<SphereShape>(0.2)};
	for (int index = 0; index < 12; index++)
		add_body(*world, shapes[index % 3], Eigen::Vector3d(0.6 * (index % 4), 0.6 * (index / 4), 0.5));
	for (int step = 0; step < 1000; step++)
		world->step();

	double deepest = 0;
	for (const auto &contact : world->getLastCollisionResult().getContacts())
		deepest = std::max(deepest, contact.penetrationDepth);
	const std::size_t points = world->getLastCollisionResult().getNumContacts();
	std::printf("12 bodies at rest on %zu points, the deepest %.1e below\n", points, deepest);
	return points < 12 || deepest > 0.01;
}
