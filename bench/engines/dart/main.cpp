/* Collisions of groups in DART: the time of `collide` by the library's detector and by DART's own, taking turns.
 *
 *     widephase-dart [--rounds N] [--step LENGTH] [--scene NAME] [--detectors NAMES] */
#include <widephase/dart.hpp>

#include <dart/collision/bullet/BulletCollisionDetector.hpp>
#include <dart/collision/collision.hpp>
#include <dart/collision/ode/OdeCollisionDetector.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CapsuleShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace
{

using namespace dart::dynamics;
using dart::collision::CollisionDetector;
using dart::collision::CollisionGroup;
using dart::collision::CollisionOption;
using dart::collision::CollisionResult;
using Eigen::Vector3d;

int rounds = 30;
std::string only_scene, only_detector; /* where set */
double step = 1e-3;                    /* how far bodies or joints move between two rounds */

std::mt19937 generator(5);

double draw(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator); }

/* Processor time of this thread, in seconds. */
double clock_now()
{
	timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

using skeletons = std::vector<SkeletonPtr>;

/* Bodies in a cube, close enough that most of them touch another. */
skeletons make_bodies(const std::vector<ShapePtr> &shapes, int count)
{
	skeletons made;
	const double half = 0.42 * std::cbrt(static_cast<double>(count));
	for (int index = 0; index < count; index++) {
		auto skeleton = Skeleton::create("body " + std::to_string(index));
		auto pair = skeleton->createJointAndBodyNodePair<FreeJoint>();
		pair.second->createShapeNodeWith<CollisionAspect>(shapes[static_cast<std::size_t>(index) % shapes.size()]);
		Eigen::Vector6d at;
		at << draw(-3.0, 3.0), draw(-3.0, 3.0), draw(-3.0, 3.0), draw(-half, half), draw(-half, half),
			draw(-half, half);
		pair.first->setPositions(at);
		made.push_back(skeleton);
	}
	return made;
}

/* Arms of seven links around each other; links that a joint connects do not collide. */
skeletons make_arms(int count)
{
	skeletons made;
	const ShapePtr link = std::make_shared<CapsuleShape>(0.06, 0.25),
				   block = std::make_shared<BoxShape>(Vector3d(0.1, 0.1, 0.2));
	for (int index = 0; index < count; index++) {
		auto skeleton = Skeleton::create("arm " + std::to_string(index));
		BodyNode *parent = nullptr;
		for (int number = 0; number < 7; number++) {
			RevoluteJoint::Properties joint;
			joint.mName = "joint " + std::to_string(number);
			joint.mAxis = number % 2 ? Vector3d::UnitX() : Vector3d::UnitZ();
			joint.mT_ParentBodyToJoint.translation() = parent ? Vector3d(0.0, 0.0, 0.3)
			                                                  : Vector3d(0.5 * (index % 5), 0.5 * (index / 5), 0.0);
			auto pair = skeleton->createJointAndBodyNodePair<RevoluteJoint>(
				parent, joint, BodyNode::AspectProperties("link " + std::to_string(number)));
			auto *node = pair.second->createShapeNodeWith<CollisionAspect>(number % 3 == 2 ? block : link);
			node->setRelativeTranslation(Vector3d(0.0, 0.0, 0.15));
			pair.first->setPosition(0, draw(-1.2, 1.2));
			parent = pair.second;
		}
		made.push_back(skeleton);
	}
	return made;
}

/* What one detector needed and found. */
struct runner {
	std::string name;
	std::shared_ptr<CollisionDetector> detector;
	std::unique_ptr<CollisionGroup> group;
	std::vector<double> times = {};
	std::size_t contacts = 0;
	double error = 0.0; /* of depths of spheres */
};

double exact_depth(const dart::collision::Contact &contact)
{
	const auto *one = contact.collisionObject1->getShapeFrame(), *other = contact.collisionObject2->getShapeFrame();
	const double distance = (one->getWorldTransform().translation() - other->getWorldTransform().translation()).norm();
	return static_cast<const SphereShape &>(*one->getShape()).getRadius() +
	       static_cast<const SphereShape &>(*other->getShape()).getRadius() - distance;
}

void run(runner &of, bool has_exact)
{
	CollisionResult result;
	const CollisionOption option(true, 100000, std::make_shared<dart::collision::BodyNodeCollisionFilter>());
	const double start = clock_now();
	of.group->collide(option, &result);
	of.times.push_back(clock_now() - start);
	of.contacts = result.getNumContacts();
	if (!has_exact)
		return;
	for (const auto &contact : result.getContacts())
		of.error = std::max(of.error, std::fabs(contact.penetrationDepth - exact_depth(contact)));
}

void measure(const char *scene, const skeletons &of, const std::vector<const char *> &names, bool has_exact = false)
{
	if (!only_scene.empty() && scene != only_scene)
		return;
	std::vector<runner> runners;
	for (const char *name : names) {
		if (!only_detector.empty() && only_detector.find(name) == std::string::npos)
			continue;
		auto detector = CollisionDetector::getFactory()->create(name);
		if (!detector)
			continue;
		auto group = detector->createCollisionGroup();
		for (const auto &skeleton : of)
			group->addShapeFramesOf(skeleton.get());
		runners.push_back({name, detector, std::move(group)});
	}
	for (int round = 0; round < rounds; round++) {
		for (const auto &skeleton : of)
			skeleton->setPositions(skeleton->getPositions().array() + draw(-step, step));
		for (const auto &skeleton : of)
			for (std::size_t index = 0; index < skeleton->getNumBodyNodes(); index++)
				skeleton->getBodyNode(index)->getTransform();
		/* Each is first in turn: the first one reads poses from memory. */
		for (std::size_t turn = 0; turn < runners.size(); turn++)
			run(runners[(turn + static_cast<std::size_t>(round)) % runners.size()], has_exact);
	}
	std::printf("%s\n", scene);
	for (auto &each : runners) {
		std::sort(each.times.begin(), each.times.end());
		std::sort(runners[0].times.begin(), runners[0].times.end());
		std::printf("  %-10s min %8.1f us (%5.2f)  median %8.1f us (%5.2f)  %6zu contacts", each.name.c_str(),
			1e6 * each.times[0], each.times[0] / runners[0].times[0], 1e6 * each.times[each.times.size() / 2],
			each.times[each.times.size() / 2] / runners[0].times[each.times.size() / 2], each.contacts);
		if (has_exact)
			std::printf("  depths within %.1e", each.error);
		std::printf("\n");
	}
}

} // namespace

int main(int count, char **arguments)
{
	for (int index = 1; index + 1 < count; index += 2) {
		const std::string name = arguments[index], value = arguments[index + 1];
		if (name == "--rounds")
			rounds = std::max(1, std::atoi(value.c_str()));
		else if (name == "--step")
			step = std::atof(value.c_str());
		else if (name == "--scene")
			only_scene = value;
		else if (name == "--detectors")
			only_detector = value;
	}
	const ShapePtr ball = std::make_shared<SphereShape>(0.5), small = std::make_shared<SphereShape>(0.3),
				   box = std::make_shared<BoxShape>(Vector3d(0.8, 0.6, 0.7)),
				   rod = std::make_shared<CapsuleShape>(0.25, 0.6);
	/* Linking needs a use of both. */
	dart::collision::BulletCollisionDetector::getStaticType();
	dart::collision::OdeCollisionDetector::getStaticType();
	measure("500 spheres", make_bodies({ball, small}, 500), {"widephase", "fcl", "bullet", "ode", "dart"}, true);
	measure("500 boxes", make_bodies({box}, 500), {"widephase", "fcl", "bullet", "ode", "dart"});
	/* FCL has no capsules here, and DART no more than boxes and spheres. */
	measure("500 boxes, spheres, capsules", make_bodies({box, ball, rod}, 500), {"widephase", "bullet", "ode"});
	measure("20 arms of 7 links", make_arms(20), {"widephase", "bullet", "ode"});
}
