/* The detector for DART: contacts, distances and rays with exact answers, filters, groups, changes, worlds. */
#include <widephase/dart.hpp>

#include <assimp/scene.h>
#include <dart/collision/collision.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CapsuleShape.hpp>
#include <dart/dynamics/ConeShape.hpp>
#include <dart/dynamics/CylinderShape.hpp>
#include <dart/dynamics/EllipsoidShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/LineSegmentShape.hpp>
#include <dart/dynamics/MeshShape.hpp>
#include <dart/dynamics/MultiSphereConvexHullShape.hpp>
#include <dart/dynamics/PlaneShape.hpp>
#include <dart/dynamics/PyramidShape.hpp>
#include <dart/dynamics/SimpleFrame.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace
{

using dart::collision::CollisionDetector;
using dart::collision::CollisionGroup;
using dart::collision::CollisionOption;
using dart::collision::CollisionResult;
using dart::collision::Contact;
using dart::collision::DistanceOption;
using dart::collision::DistanceResult;
using dart::collision::RaycastOption;
using dart::collision::RaycastResult;
using dart::dynamics::ShapePtr;
using dart::dynamics::SimpleFrame;
using Eigen::Vector3d;

int failures = 0;

void fail(int line, const char *what, double found, double wanted)
{
	std::printf("line %d: %s: found %.9g (%a), wanted %.9g (%a)\n", line, what, found, found, wanted, wanted);
	failures++;
}

/* NaN is near nothing. */
#define NEAR(found, wanted, tolerance)                \
	do {                                              \
		const double is = (found), should = (wanted); \
		if (!(std::fabs(is - should) <= (tolerance))) \
			fail(__LINE__, #found, is, should);       \
	} while (false)
#define EQUAL(found, wanted) NEAR(static_cast<double>(found), static_cast<double>(wanted), 0.0)
#define TRUE(condition) EQUAL((condition) ? 1.0 : 0.0, 1.0)
#define NEAR_VECTOR(found, wanted, tolerance) NEAR(((found) - (wanted)).norm(), 0.0, tolerance)

constexpr double tolerance = 1e-5;

template <typename Shape, typename... Arguments> ShapePtr make(Arguments &&...arguments)
{
	return std::make_shared<Shape>(std::forward<Arguments>(arguments)...);
}

ShapePtr ball(double radius) { return make<dart::dynamics::SphereShape>(radius); }
ShapePtr cuboid(double x, double y, double z) { return make<dart::dynamics::BoxShape>(Vector3d(x, y, z)); }

/* Frames in a group. */
class scene
{
  public:
	SimpleFrame &add(const ShapePtr &shape, const Vector3d &position,
		const Eigen::Quaterniond &rotation = Eigen::Quaterniond::Identity())
	{
		Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
		pose.translation() = position;
		pose.linear() = rotation.toRotationMatrix();
		frames.push_back(std::make_unique<SimpleFrame>(
			dart::dynamics::Frame::World(), "frame " + std::to_string(frames.size()), pose));
		frames.back()->setShape(shape);
		group->addShapeFrame(frames.back().get());
		return *frames.back();
	}
	CollisionResult collide(const CollisionOption &option = CollisionOption(true, 1000))
	{
		CollisionResult result;
		const bool found = group->collide(option, &result);
		TRUE(found == result.isCollision());
		return result;
	}

	std::shared_ptr<wp::dart_detector> detector = wp::dart_detector::create();
	std::unique_ptr<CollisionGroup> group = detector->createCollisionGroup();
	std::vector<std::unique_ptr<SimpleFrame>> frames;
};

/* The contacts of a shape at a place with one in the middle, which is the first object. */
CollisionResult contacts_of(const ShapePtr &first, const ShapePtr &second, const Vector3d &at,
	const Eigen::Quaterniond &rotation = Eigen::Quaterniond::Identity())
{
	scene two;
	two.add(first, Vector3d::Zero());
	two.add(second, at, rotation);
	return two.collide();
}

/* All contacts have this normal and this depth. */
void check_contacts(int line, const CollisionResult &result, std::size_t count, const Vector3d &normal, double depth)
{
	if (result.getNumContacts() != count)
		fail(line, "contacts", static_cast<double>(result.getNumContacts()), static_cast<double>(count));
	for (const Contact &contact : result.getContacts()) {
		if (!((contact.normal - normal).norm() <= tolerance))
			fail(line, "normal", (contact.normal - normal).norm(), 0.0);
		if (!(std::fabs(contact.penetrationDepth - depth) <= tolerance))
			fail(line, "depth", contact.penetrationDepth, depth);
	}
}
#define CONTACTS(result, count, normal, depth) check_contacts(__LINE__, result, count, normal, depth)

void test_spheres()
{
	const CollisionResult overlapping = contacts_of(ball(1.0), ball(0.5), Vector3d(1.4, 0.0, 0.0));
	CONTACTS(overlapping, 1, Vector3d(-1.0, 0.0, 0.0), 0.1);
	NEAR_VECTOR(overlapping.getContact(0).point, Vector3d(0.95, 0.0, 0.0), tolerance);
	CONTACTS(contacts_of(ball(1.0), ball(0.5), Vector3d(0.0, 1.5 - 1e-4, 0.0)), 1, Vector3d(0.0, -1.0, 0.0), 1e-4);
	EQUAL(contacts_of(ball(1.0), ball(0.5), Vector3d(0.0, 1.5 + 1e-4, 0.0)).getNumContacts(), 0);
	/* Two in one place: a unit normal, as deep as both radii. */
	const CollisionResult same = contacts_of(ball(1.0), ball(0.5), Vector3d::Zero());
	EQUAL(same.getNumContacts(), 1);
	NEAR(same.getContact(0).normal.norm(), 1.0, tolerance);
	NEAR(same.getContact(0).penetrationDepth, 1.5, tolerance);
}

void test_boxes()
{
	const CollisionResult stacked = contacts_of(
		cuboid(1.0, 1.0, 1.0), cuboid(1.0, 1.0, 1.0), Vector3d(0.0, 0.0, 0.999));
	CONTACTS(stacked, 4, Vector3d(0.0, 0.0, -1.0), 1e-3);
	Vector3d sum = Vector3d::Zero();
	for (const Contact &contact : stacked.getContacts()) {
		NEAR(std::fabs(contact.point.x()), 0.5, tolerance);
		NEAR(std::fabs(contact.point.y()), 0.5, tolerance);
		NEAR(contact.point.z(), 0.4995, tolerance);
		sum += contact.point;
	}
	NEAR_VECTOR(sum, Vector3d(0.0, 0.0, 1.998), 4.0 * tolerance);
	EQUAL(contacts_of(cuboid(1.0, 1.0, 1.0), cuboid(1.0, 1.0, 1.0), Vector3d(0.0, 0.0, 1.001)).getNumContacts(), 0);
}

void test_capsules()
{
	const ShapePtr rod = make<dart::dynamics::CapsuleShape>(0.2, 1.0);
	/* Both along Z, side by side: a line of contact, of which the ends are its points. */
	const CollisionResult beside = contacts_of(rod, rod, Vector3d(0.39, 0.0, 0.0));
	CONTACTS(beside, 2, Vector3d(-1.0, 0.0, 0.0), 0.01);
	for (const Contact &contact : beside.getContacts())
		NEAR(std::fabs(contact.point.z()), 0.5, tolerance);
	/* On top of each other. */
	CONTACTS(contacts_of(rod, rod, Vector3d(0.0, 0.0, 1.39)), 1, Vector3d(0.0, 0.0, -1.0), 0.01);
	EQUAL(contacts_of(rod, rod, Vector3d(0.0, 0.0, 1.41)).getNumContacts(), 0);
}

/* Shapes that stand on a plane, as deep as their lowest point is below it. */
void test_plane()
{
	const ShapePtr ground = make<dart::dynamics::PlaneShape>(Vector3d(0.0, 0.0, 1.0), 0.5);
	const Vector3d up(0.0, 0.0, 1.0);
	CONTACTS(contacts_of(ball(0.25), ground, Vector3d(0.0, 0.0, -0.7)), 1, up, 0.05);
	dart::dynamics::MultiSphereConvexHullShape::Spheres equal = {{0.25, {0.0, 0.0, 0.0}}, {0.25, {1.0, 0.0, 0.5}}},
														different = {{0.25, {0.0, 0.0, 0.0}}, {0.125, {1.0, 0.0, 0.5}}};
	const struct {
		ShapePtr shape;
		double below; /* of the shape's origin, its lowest point */
		std::size_t count;
	} cases[] = {{ball(0.25), 0.25, 1}, {cuboid(1.0, 2.0, 0.5), 0.25, 4},
		{make<dart::dynamics::CapsuleShape>(0.2, 1.0), 0.7, 1}, {make<dart::dynamics::CylinderShape>(0.5, 1.0), 0.5, 4},
		{make<dart::dynamics::ConeShape>(0.5, 1.0), 0.5, 4},
		{make<dart::dynamics::EllipsoidShape>(Vector3d(1.0, 2.0, 3.0)), 1.5, 1},
		{make<dart::dynamics::EllipsoidShape>(Vector3d(1.0, 1.0, 1.0)), 0.5, 1},
		{make<dart::dynamics::PyramidShape>(1.0, 2.0, 0.5), 0.25, 4},
		{make<dart::dynamics::MultiSphereConvexHullShape>(equal), 0.25, 1},
		{make<dart::dynamics::MultiSphereConvexHullShape>(different), 0.25, 1}};
	for (const auto &of : cases) {
		/* The plane is the first object: normals point to it. */
		const CollisionResult deep = contacts_of(ground, of.shape, Vector3d(0.3, 0.4, 0.5 + of.below - 0.01));
		CONTACTS(deep, of.count, Vector3d(-up), 0.01);
		EQUAL(contacts_of(ground, of.shape, Vector3d(0.3, 0.4, 0.5 + of.below + 0.01)).getNumContacts(), 0);
	}
	/* A cone has its apex up. */
	const Eigen::Quaterniond turned(Eigen::AngleAxisd(M_PI, Vector3d::UnitX()));
	CONTACTS(contacts_of(ground, cases[4].shape, Vector3d(0.0, 0.0, 0.99), turned), 1, Vector3d(-up), 0.01);
	/* A normal of any direction, and a frame that turns it. */
	const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.7, Vector3d(0.6, 0.8, 0.0)));
	for (const Vector3d &of : {Vector3d(1.0, 2.0, -2.0), Vector3d(2.0, -2.0, 1.0), Vector3d(1e-9, -3.0, 0.0),
			 Vector3d(0.0, -3.0, 0.0), Vector3d(0.0, 3.0, 1e-9), Vector3d(0.0, -0.0, 3.0)}) {
		const Vector3d normal = of / 3.0;
		const ShapePtr tilted = make<dart::dynamics::PlaneShape>(normal, -0.75);
		CONTACTS(contacts_of(tilted, ball(0.5), -0.27 * normal), 1, Vector3d(-normal), 0.02);
		CONTACTS(contacts_of(ball(0.5), tilted, turn * (0.27 * normal), turn), 1, turn * normal, 0.02);
		EQUAL(contacts_of(ground, tilted, Vector3d::Zero()).getNumContacts(), 0);
	}
}

/* A mesh of triangles, which owns its scene as DART's meshes do. */
ShapePtr mesh_of(const std::vector<Vector3d> &vertices, const std::vector<std::array<unsigned, 3>> &triangles,
	const Vector3d &scale = Vector3d::Ones())
{
	auto *mesh = new aiMesh;
	mesh->mNumVertices = static_cast<unsigned>(vertices.size());
	mesh->mVertices = new aiVector3D[vertices.size()];
	for (std::size_t index = 0; index < vertices.size(); index++) {
		const Eigen::Vector3f at = vertices[index].cast<float>();
		mesh->mVertices[index] = aiVector3D(at.x(), at.y(), at.z());
	}
	mesh->mNumFaces = static_cast<unsigned>(triangles.size());
	mesh->mFaces = new aiFace[triangles.size()];
	for (std::size_t index = 0; index < triangles.size(); index++) {
		mesh->mFaces[index].mNumIndices = 3;
		mesh->mFaces[index].mIndices = new unsigned[3]{triangles[index][0], triangles[index][1], triangles[index][2]};
	}
	auto *made = new aiScene;
	made->mNumMeshes = 1;
	made->mMeshes = new aiMesh *[1] { mesh };
	return make<dart::dynamics::MeshShape>(scale, made);
}

/* A box of half extents 1 as triangles; `inward` has its fronts inside. */
ShapePtr box_mesh(const Vector3d &scale, bool inward = false)
{
	std::vector<Vector3d> vertices;
	for (int index = 0; index < 8; index++)
		vertices.emplace_back((index & 1) ? 1.0 : -1.0, (index & 2) ? 1.0 : -1.0, (index & 4) ? 1.0 : -1.0);
	std::vector<std::array<unsigned, 3>> triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
		{2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
	if (inward)
		for (auto &corners : triangles)
			std::swap(corners[1], corners[2]);
	return mesh_of(vertices, triangles, scale);
}

/* A groove along Y between the planes z = x and z = -x, 4 long and wide; `turned` has its fronts below. */
ShapePtr groove(bool turned)
{
	const std::vector<Vector3d> vertices = {{-2, -2, 2}, {-2, 2, 2}, {0, -2, 0}, {0, 2, 0}, {2, -2, 2}, {2, 2, 2}};
	std::vector<std::array<unsigned, 3>> triangles = {{0, 2, 1}, {1, 2, 3}, {2, 4, 3}, {3, 4, 5}};
	if (turned)
		for (auto &corners : triangles)
			std::swap(corners[1], corners[2]);
	return mesh_of(vertices, triangles);
}

void test_meshes()
{
	/* Convex: the hull, with the answers of a box. */
	for (const bool inward : {false, true}) {
		const CollisionResult stacked = contacts_of(box_mesh(Vector3d(0.5, 0.5, 0.5), inward),
			box_mesh(Vector3d(0.25, 0.25, 0.25), inward), Vector3d(0.0, 0.0, 0.74));
		CONTACTS(stacked, 4, Vector3d(0.0, 0.0, -1.0), 0.01);
	}
	/* A ball in a groove touches both sides, whichever side the fronts are on. */
	const double half = std::sqrt(0.5), height = 0.5 / half - 0.01 / half;
	for (const bool turned : {false, true}) {
		for (const bool mesh_first : {false, true}) {
			scene both;
			both.add(mesh_first ? groove(turned) : ball(0.5), Vector3d(0.0, 0.0, mesh_first ? 0.0 : height));
			both.add(mesh_first ? ball(0.5) : groove(turned), Vector3d(0.0, 0.0, mesh_first ? height : 0.0));
			const CollisionResult result = both.collide();
			EQUAL(result.getNumContacts(), 2);
			for (const Contact &contact : result.getContacts()) {
				NEAR(contact.penetrationDepth, 0.01, tolerance);
				NEAR(std::fabs(contact.normal.x()), half, tolerance);
				NEAR(contact.normal.z(), mesh_first ? -half : half, tolerance);
				TRUE(mesh_first ? contact.triID1 >= 0 : contact.triID2 >= 0);
			}
			EQUAL(both.collide(CollisionOption(false, 1000)).getNumContacts(), 1);
			EQUAL(both.collide(CollisionOption(true, 1)).getNumContacts(), 1);
		}
	}
	/* On a plane a mesh stands as its hull. */
	CONTACTS(contacts_of(make<dart::dynamics::PlaneShape>(Vector3d(0.0, 0.0, 1.0), 0.0), groove(false),
				 Vector3d(0.0, 0.0, -0.01)),
		2, Vector3d(0.0, 0.0, -1.0), 0.01);
}

/* Far from the origins of the world, of a plane and of a mesh, points and distances are as exact as near them. */
void test_far_away()
{
	constexpr double exact = 1e-6;
	const double half = std::sqrt(0.5);
	const Eigen::Quaterniond turned(Eigen::AngleAxisd(0.5, Vector3d(half, half, 0.0)));
	for (const double far : {0.0, 1048576.3, 33554432.1}) {
		const Vector3d middle(far, -far, 2.0 * far);
		scene balls;
		balls.add(ball(1.0), middle, turned);
		SimpleFrame &moved = balls.add(ball(0.5), middle + Vector3d(0.0, 0.0, 1.4));
		const CollisionResult overlapping = balls.collide();
		CONTACTS(overlapping, 1, Vector3d(0.0, 0.0, -1.0), 0.1);
		NEAR_VECTOR(overlapping.getContact(0).point - middle, Vector3d(0.0, 0.0, 0.95), exact + 1e-15 * far);
		moved.setTranslation(middle + Vector3d(0.0, 0.0, 1.75));
		dart::collision::DistanceResult nearest;
		NEAR(balls.group->distance(dart::collision::DistanceOption(true, -1.0, nullptr), &nearest), 0.25, tolerance);
		NEAR_VECTOR(nearest.nearestPoint1 - middle, Vector3d(0.0, 0.0, 1.0), exact + 1e-15 * far);
		NEAR_VECTOR(nearest.nearestPoint2 - middle, Vector3d(0.0, 0.0, 1.25), exact + 1e-15 * far);

		for (const bool is_plane_first : {false, true}) {
			const Vector3d aside(far, -far, 0.49);
			const ShapePtr plane = make<dart::dynamics::PlaneShape>(Vector3d(0.0, 0.0, 1.0), 0.0);
			scene ground;
			ground.add(is_plane_first ? plane : ball(0.5), is_plane_first ? Vector3d(0.0, 0.0, 0.0) : aside);
			ground.add(is_plane_first ? ball(0.5) : plane, is_plane_first ? aside : Vector3d(0.0, 0.0, 0.0));
			const CollisionResult standing = ground.collide();
			CONTACTS(standing, 1, Vector3d(0.0, 0.0, is_plane_first ? -1.0 : 1.0), 0.01);
			NEAR_VECTOR(standing.getContact(0).point - aside, Vector3d(0.0, 0.0, -0.495), exact + 1e-15 * far);
		}
	}
	/* On one side of a groove that reaches far. */
	const double far = 65536.3, height = 0.49 / half;
	std::vector<Vector3d> vertices = {
		{-2, -2, 2}, {-2, 2 * far, 2}, {0, -2, 0}, {0, 2 * far, 0}, {2, -2, 2}, {2, 2 * far, 2}};
	const ShapePtr long_groove = mesh_of(vertices, {{0, 2, 1}, {1, 2, 3}, {2, 4, 3}, {3, 4, 5}});
	for (const bool is_mesh_first : {false, true}) {
		const Vector3d aside(0.0, far, height);
		scene both;
		both.add(is_mesh_first ? long_groove : ball(0.5), is_mesh_first ? Vector3d(0.0, 0.0, 0.0) : aside);
		both.add(is_mesh_first ? ball(0.5) : long_groove, is_mesh_first ? aside : Vector3d(0.0, 0.0, 0.0));
		const CollisionResult result = both.collide();
		EQUAL(result.getNumContacts(), 2);
		for (const Contact &contact : result.getContacts())
			NEAR_VECTOR((contact.point - aside).cwiseAbs(), Vector3d(0.495 * half, 0.0, 0.495 * half), exact);
	}
}

void test_filter_and_groups()
{
	struct ignore_all : dart::collision::CollisionFilter {
		bool ignoresCollision(
			const dart::collision::CollisionObject *, const dart::collision::CollisionObject *) const override
		{
			return true;
		}
	};
	scene of;
	const SimpleFrame &first = of.add(ball(1.0), Vector3d::Zero()), &second = of.add(ball(1.0), Vector3d(1.5, 0, 0)),
					  &third = of.add(ball(1.0), Vector3d(3.0, 0, 0));
	CollisionResult result = of.collide();
	EQUAL(result.getNumContacts(), 2);
	TRUE(result.inCollision(&first) && result.inCollision(&second) && result.inCollision(&third));
	EQUAL(result.getCollidingShapeFrames().size(), 3);
	EQUAL(of.collide(CollisionOption(true, 1000, std::make_shared<ignore_all>())).getNumContacts(), 0);
	TRUE(of.group->collide());

	auto left = of.detector->createCollisionGroup(), right = of.detector->createCollisionGroup();
	left->addShapeFrames({&first, &second});
	right->addShapeFrames({&second, &third});
	TRUE(left->collide(right.get(), CollisionOption(true, 1000), &result));
	/* The first with the second, the second with the third; none with itself. */
	EQUAL(result.getNumContacts(), 2);
	for (const Contact &contact : result.getContacts()) {
		TRUE(left->hasShapeFrame(contact.collisionObject1->getShapeFrame()));
		TRUE(right->hasShapeFrame(contact.collisionObject2->getShapeFrame()));
		NEAR(contact.normal.x(), -1.0, tolerance);
	}
	/* A group of another detector has no answer. */
	auto strange = wp::dart_detector::create()->createCollisionGroup();
	TRUE(!of.detector->collide(strange.get()));
	/* A plane of either group. */
	scene flat;
	flat.add(make<dart::dynamics::PlaneShape>(Vector3d(0.0, 0.0, 1.0), 0.0), Vector3d::Zero());
	auto balls = flat.detector->createCollisionGroup();
	balls->addShapeFrame(&first);
	TRUE(flat.group->collide(balls.get(), CollisionOption(true, 10), &result));
	CONTACTS(result, 1, Vector3d(0.0, 0.0, -1.0), 1.0);
	TRUE(balls->collide(flat.group.get(), CollisionOption(true, 10), &result));
	CONTACTS(result, 1, Vector3d(0.0, 0.0, 1.0), 1.0);
}

void test_options()
{
	scene of;
	for (int index = 0; index < 20; index++)
		of.add(cuboid(1.0, 1.0, 1.0), Vector3d(0.0, 0.0, 0.999 * index));
	EQUAL(of.collide().getNumContacts(), 76);
	for (const std::size_t most : {1, 3, 7, 75, 76, 77})
		EQUAL(of.collide(CollisionOption(true, most)).getNumContacts(), std::min<std::size_t>(most, 76));
	EQUAL(of.collide(CollisionOption(true, 0)).getNumContacts(), 0);
	const CollisionResult names = of.collide(CollisionOption(false, 1000));
	EQUAL(names.getNumContacts(), 19);
	EQUAL(names.getCollidingShapeFrames().size(), 20);
	EQUAL(of.collide(CollisionOption(false, 5)).getNumContacts(), 5);
}

void test_distance()
{
	scene of;
	const SimpleFrame &a = of.add(ball(0.5), Vector3d::Zero()),
					  &b = of.add(cuboid(1.0, 1.0, 1.0), Vector3d(2.0, 0.2, 0.1));
	of.add(ball(0.5), Vector3d(-30.0, 0.0, 0.0));
	DistanceResult result;
	const double unclamped = -INFINITY;
	NEAR(of.group->distance(DistanceOption(true, unclamped), &result), 1.0, tolerance);
	TRUE(result.found() && result.shapeFrame1 == &a && result.shapeFrame2 == &b);
	NEAR_VECTOR(result.nearestPoint1, Vector3d(0.5, 0.0, 0.0), 1e-4);
	NEAR_VECTOR(result.nearestPoint2, Vector3d(1.5, 0.0, 0.0), 1e-4);
	NEAR(of.group->distance(DistanceOption(true, 3.0), &result), 3.0, 0.0);
	/* Deep. */
	const_cast<SimpleFrame &>(b).setTranslation(Vector3d(0.9, 0.0, 0.0));
	NEAR(of.group->distance(DistanceOption(true, unclamped), &result), -0.1, tolerance);
	EQUAL(of.group->distance(), 0.0);
	/* Two groups: only pairs of both. */
	auto others = of.detector->createCollisionGroup();
	others->addShapeFrame(of.frames[2].get());
	auto first = of.detector->createCollisionGroup();
	first->addShapeFrames({&a, &b});
	NEAR(first->distance(others.get(), DistanceOption(true, unclamped), &result), 29.0, 1e-4);
	TRUE(result.shapeFrame1 == &a && result.shapeFrame2 == of.frames[2].get());
	NEAR(others->distance(first.get(), DistanceOption(true, unclamped), &result), 29.0, 1e-4);
	TRUE(result.shapeFrame1 == of.frames[2].get() && result.shapeFrame2 == &a);
	/* A plane; and nothing at all. */
	of.add(make<dart::dynamics::PlaneShape>(Vector3d(0.0, 0.0, 1.0), -0.55), Vector3d(0.0, 0.0, -0.05));
	const_cast<SimpleFrame &>(b).setTranslation(Vector3d(9.0, 0.0, 9.0));
	NEAR(of.group->distance(DistanceOption(true, unclamped), &result), 0.1, tolerance);
	NEAR_VECTOR(result.nearestPoint2 - result.nearestPoint1, Vector3d(0.0, 0.0, 0.1), 1e-4);
	/* Of two overlaps the deeper one, whichever is measured first. */
	const_cast<SimpleFrame &>(a).setTranslation(Vector3d(0.0, 0.0, 0.49 - 0.6));
	of.add(ball(0.5), Vector3d(20.0, 0.0, 9.0));
	of.add(ball(0.5), Vector3d(20.5, 0.0, 9.0));
	NEAR(of.group->distance(DistanceOption(true, unclamped), &result), -0.5, tolerance);
	auto empty = of.detector->createCollisionGroup();
	EQUAL(empty->distance(DistanceOption(true, unclamped), &result), 0.0);
	TRUE(!result.found());
}

/* The search by boxes finds what all pairs have. */
void test_random_distances()
{
	std::mt19937 random(7);
	std::uniform_real_distribution<double> place(-20.0, 20.0);
	for (int turn = 0; turn < 20; turn++) {
		scene of;
		for (int index = 0; index < 40; index++) {
			const Eigen::Quaterniond rotation(Eigen::AngleAxisd(place(random), Vector3d(0.6, 0.0, 0.8)));
			const Vector3d at(place(random), place(random), place(random));
			of.add(index % 2 ? cuboid(1.0, 0.5, 2.0) : make<dart::dynamics::CylinderShape>(0.5, 1.0), at, rotation);
		}
		double least = INFINITY;
		auto one = of.detector->createCollisionGroup(), rest = of.detector->createCollisionGroup();
		for (std::size_t index = 0; index + 1 < of.frames.size(); index++) {
			one->removeAllShapeFrames();
			rest->removeAllShapeFrames();
			one->addShapeFrame(of.frames[index].get());
			for (std::size_t next = index + 1; next < of.frames.size(); next++) {
				rest->removeAllShapeFrames();
				rest->addShapeFrame(of.frames[next].get());
				least = std::min(least, one->distance(rest.get(), DistanceOption(false, -INFINITY)));
			}
		}
		EQUAL(of.group->distance(DistanceOption(false, -INFINITY)), least);
	}
}

void test_rays()
{
	scene of;
	of.add(ball(1.0), Vector3d(5.0, 0.0, 0.0));
	of.add(cuboid(1.0, 1.0, 1.0), Vector3d(8.0, 0.0, 0.0));
	of.add(groove(false), Vector3d(0.0, 0.0, -5.0));
	of.add(make<dart::dynamics::PlaneShape>(Vector3d(0.0, 0.0, 1.0), -9.0), Vector3d::Zero());
	RaycastResult result;
	TRUE(of.group->raycast(Vector3d::Zero(), Vector3d(10.0, 0.0, 0.0), RaycastOption(), &result));
	EQUAL(result.mRayHits.size(), 1);
	NEAR(result.mRayHits[0].mFraction, 0.4, 1e-6);
	NEAR_VECTOR(result.mRayHits[0].mPoint, Vector3d(4.0, 0.0, 0.0), tolerance);
	NEAR_VECTOR(result.mRayHits[0].mNormal, Vector3d(-1.0, 0.0, 0.0), tolerance);
	TRUE(result.mRayHits[0].mCollisionObject->getShapeFrame() == of.frames[0].get());
	TRUE(of.group->raycast(Vector3d(10.0, 0.0, 0.0), Vector3d::Zero(), RaycastOption(true, true), &result));
	EQUAL(result.mRayHits.size(), 2);
	NEAR(result.mRayHits[0].mFraction, 0.15, 1e-6);
	NEAR(result.mRayHits[1].mFraction, 0.4, 1e-6);
	TRUE(!of.group->raycast(Vector3d::Zero(), Vector3d(0.0, 10.0, 0.0), RaycastOption(), &result));
	TRUE(!result.hasHit());
	/* Down the side of the groove, and to the plane below. */
	TRUE(of.group->raycast(Vector3d(1.0, 0.5, 0.0), Vector3d(1.0, 0.5, -10.0), RaycastOption(true, true), &result));
	EQUAL(result.mRayHits.size(), 2);
	NEAR(result.mRayHits[0].mFraction, 0.4, 1e-6);
	NEAR_VECTOR(result.mRayHits[0].mNormal, Vector3d(-std::sqrt(0.5), 0.0, std::sqrt(0.5)), tolerance);
	NEAR(result.mRayHits[1].mFraction, 0.9, 1e-6);
	NEAR_VECTOR(result.mRayHits[1].mNormal, Vector3d(0.0, 0.0, 1.0), tolerance);
	/* From far away, as exactly as from near, at solids and at a mesh. */
	for (const double far : {0x1p+10, 0x1p+20, 0x1p+30}) {
		const Vector3d aside(5.0, 0.75, 0.0), way = far * Vector3d(0.6, 0.0, -0.8);
		TRUE(of.group->raycast(aside - way, aside + 0.3 * way, RaycastOption(), &result));
		NEAR_VECTOR(result.mRayHits[0].mPoint, aside - std::sqrt(0.4375) * Vector3d(0.6, 0.0, -0.8), tolerance);
		TRUE(!of.group->raycast(Vector3d(5.0, 1.0 + 1e-4, far), Vector3d(5.0, 1.0 + 1e-4, -3.0)));
		TRUE(of.group->raycast(Vector3d(1.0, 0.5, far), Vector3d(1.0, 0.5, -5.0), RaycastOption(), &result));
		NEAR_VECTOR(result.mRayHits[0].mPoint, Vector3d(1.0, 0.5, -4.0), tolerance);
	}
	TRUE(of.group->raycast(Vector3d(5.0, 0.0, 0.0), Vector3d(5.0, 9.0, 0.0)));
	TRUE(!of.group->raycast(Vector3d(NAN, 0.0, 0.0), Vector3d(5.0, 9.0, 0.0)));
}

/* Shapes change, come and go. */
void test_changes()
{
	scene of;
	auto grows = std::make_shared<dart::dynamics::BoxShape>(Vector3d(1.0, 1.0, 1.0));
	of.add(grows, Vector3d::Zero());
	SimpleFrame &other = of.add(ball(0.5), Vector3d(2.0, 0.0, 0.0));
	EQUAL(of.collide().getNumContacts(), 0);
	grows->setSize(Vector3d(3.2, 1.0, 1.0));
	CONTACTS(of.collide(), 1, Vector3d(-1.0, 0.0, 0.0), 0.1);
	other.setShape(cuboid(0.9, 0.2, 0.2));
	CONTACTS(of.collide(), 4, Vector3d(-1.0, 0.0, 0.0), 0.05);
	other.setTranslation(Vector3d(2.1, 0.0, 0.0));
	EQUAL(of.collide().getNumContacts(), 0);
	other.setTranslation(Vector3d(2.0, 0.0, 0.0));
	of.group->removeShapeFrame(&other);
	EQUAL(of.collide().getNumContacts(), 0);
	/* More shapes than the first table has, which then go. */
	std::vector<SimpleFrame *> many;
	for (int index = 0; index < 300; index++)
		many.push_back(&of.add(ball(0.5 + 0.001 * index), Vector3d(10.0 + 0.9 * index, 0.0, 0.0)));
	EQUAL(of.collide().getNumContacts(), 299);
	for (int index = 0; index < 300; index += 2)
		of.group->removeShapeFrame(many[static_cast<std::size_t>(index)]);
	EQUAL(of.collide().getNumContacts(), 0);
	of.add(ball(0.4), Vector3d(10.0, 0.0, 0.0));
	EQUAL(of.collide().getNumContacts(), 1);
	/* A pose that is none, and a shape that is none, have no contacts; others keep theirs. */
	many[1]->setTranslation(Vector3d(NAN, 0.0, 0.0));
	EQUAL(of.collide().getNumContacts(), 0);
	of.add(make<dart::dynamics::LineSegmentShape>(1.0f), Vector3d(10.0, 0.0, 0.0));
	of.add(cuboid(INFINITY, 1.0, 1.0), Vector3d(10.0, 0.0, 0.0));
	EQUAL(of.collide().getNumContacts(), 0);
	of.add(ball(0.4), Vector3d(10.0, 0.5, 0.0));
	EQUAL(of.collide().getNumContacts(), 1);
}

/* In a crowd each pair has the contacts that it has alone. */
void test_crowd()
{
	std::mt19937 random(11);
	std::uniform_real_distribution<double> place(-4.0, 4.0);
	const ShapePtr shapes[] = {ball(0.5), cuboid(1.0, 0.5, 2.0), make<dart::dynamics::CapsuleShape>(0.3, 1.0),
		make<dart::dynamics::CylinderShape>(0.5, 1.0), make<dart::dynamics::ConeShape>(0.5, 1.0),
		make<dart::dynamics::EllipsoidShape>(Vector3d(1.0, 2.0, 3.0)), box_mesh(Vector3d(0.4, 0.6, 0.8)),
		groove(false)};
	scene crowd;
	for (int index = 0; index < 160; index++) {
		const Eigen::Quaterniond rotation(Eigen::AngleAxisd(place(random), Vector3d(0.6, 0.0, 0.8)));
		crowd.add(shapes[index % 8], Vector3d(place(random), place(random), place(random)), rotation);
	}
	const CollisionResult all = crowd.collide(CollisionOption(true, 100000));
	std::size_t sum = 0;
	for (std::size_t index = 0; index + 1 < crowd.frames.size(); index++) {
		auto one = crowd.detector->createCollisionGroup(), other = crowd.detector->createCollisionGroup();
		one->addShapeFrame(crowd.frames[index].get());
		for (std::size_t next = index + 1; next < crowd.frames.size(); next++)
			other->addShapeFrame(crowd.frames[next].get());
		CollisionResult result;
		one->collide(other.get(), CollisionOption(true, 100000), &result);
		sum += result.getNumContacts();
	}
	EQUAL(all.getNumContacts(), sum);
	TRUE(sum > 500);
	for (const Contact &contact : all.getContacts()) {
		NEAR(contact.normal.norm(), 1.0, tolerance);
		TRUE(contact.penetrationDepth >= 0.0);
	}
}

bool are_same(const CollisionResult &one, const CollisionResult &other)
{
	if (one.getNumContacts() != other.getNumContacts())
		return false;
	for (std::size_t index = 0; index < one.getNumContacts(); index++) {
		const Contact &a = one.getContact(index), &b = other.getContact(index);
		if (a.collisionObject1->getShapeFrame() != b.collisionObject1->getShapeFrame() ||
			a.collisionObject2->getShapeFrame() != b.collisionObject2->getShapeFrame() || a.point != b.point ||
			a.normal != b.normal || a.penetrationDepth != b.penetrationDepth)
			return false;
	}
	return true;
}

/* A group of the same frames, in the same order. */
std::unique_ptr<CollisionGroup> copy_of(scene &of, CollisionGroup &group)
{
	auto copy = of.detector->createCollisionGroup();
	for (std::size_t index = 0; index < group.getNumShapeFrames(); index++)
		copy->addShapeFrame(group.getShapeFrame(index));
	return copy;
}

/* Groups that were asked before answer as new ones, bit for bit and in the same order, whether few objects have moved, most
 * or none, a little or far. */
void test_frames()
{
	std::mt19937 random(13);
	std::uniform_real_distribution<double> place(-3.0, 3.0);
	const ShapePtr shapes[] = {ball(0.5), cuboid(1.0, 0.5, 2.0), make<dart::dynamics::CapsuleShape>(0.3, 1.0),
		make<dart::dynamics::CylinderShape>(0.5, 1.0), box_mesh(Vector3d(0.4, 0.6, 0.8)), groove(false)};
	scene crowd;
	for (int index = 0; index < 90; index++) {
		const Eigen::Quaterniond rotation(Eigen::AngleAxisd(place(random), Vector3d(0.6, 0.0, 0.8)));
		crowd.add(shapes[index % 6], Vector3d(place(random), place(random), place(random)), rotation);
	}
	crowd.add(make<dart::dynamics::PlaneShape>(Vector3d(0.0, 0.0, 1.0), -2.5), Vector3d::Zero());
	auto half = crowd.detector->createCollisionGroup();
	for (std::size_t index = 0; index < crowd.frames.size(); index += 2)
		half->addShapeFrame(crowd.frames[index].get());
	std::size_t sum = 0;
	for (int frame = 0; frame < 120; frame++) {
		const int every = frame % 3 == 0 ? 1 : frame % 3 == 1 ? 11 : 200;
		const double reach = frame % 5 == 0 ? 1.0 : 0.02;
		for (std::size_t index = 0; index < crowd.frames.size(); index++) {
			if (static_cast<int>(index) % every != frame % every)
				continue;
			SimpleFrame &of = *crowd.frames[index];
			Eigen::Isometry3d at = of.getRelativeTransform();
			const Vector3d way(place(random), place(random), place(random));
			at.translation() += reach / 3.0 * (way - 0.1 * at.translation());
			at.rotate(Eigen::AngleAxisd(reach * place(random), Vector3d(0.0, 0.6, 0.8)));
			at.linear() = Eigen::Quaterniond(at.linear()).normalized().toRotationMatrix();
			of.setRelativeTransform(at);
		}
		if (frame == 60)
			crowd.group->removeShapeFrame(crowd.frames[7].get());
		if (frame == 80)
			crowd.group->addShapeFrame(crowd.frames[7].get());
		const auto fresh = copy_of(crowd, *crowd.group), fresh_half = copy_of(crowd, *half);
		const CollisionOption all(true, 100000);
		const CollisionResult kept = crowd.collide(all);
		CollisionResult anew, kept_of_two, anew_of_two;
		fresh->collide(all, &anew);
		TRUE(are_same(kept, anew));
		crowd.group->collide(half.get(), all, &kept_of_two);
		fresh->collide(fresh_half.get(), all, &anew_of_two);
		TRUE(are_same(kept_of_two, anew_of_two));
		sum += kept.getNumContacts();
	}
	TRUE(sum > 10000);
}

/* DART's filter of body nodes is read by its parts. A derived type decides pair by pair. */
void test_body_filter()
{
	using dart::collision::BodyNodeCollisionFilter;
	using dart::dynamics::BodyNode;
	using dart::dynamics::FreeJoint;
	struct asked_by_pairs : BodyNodeCollisionFilter {
	};
	std::mt19937 random(17);
	std::uniform_real_distribution<double> place(-0.8, 0.8);
	const auto draw = [&random](std::size_t count) { return static_cast<std::size_t>(random() % count); };
	const auto detector = wp::dart_detector::create();
	auto group = detector->createCollisionGroup();
	std::vector<dart::dynamics::SkeletonPtr> skeletons;
	std::vector<BodyNode *> bodies;
	for (int number = 0; number < 8; number++) {
		auto skeleton = dart::dynamics::Skeleton::create("chain " + std::to_string(number));
		BodyNode *parent = nullptr;
		for (int link = 0; link < 4; link++) {
			const std::string name = std::to_string(4 * number + link);
			FreeJoint::Properties joint;
			joint.mName = "joint " + name;
			auto made = skeleton->createJointAndBodyNodePair<FreeJoint>(
				parent, joint, BodyNode::AspectProperties("body " + name));
			parent = made.second;
			for (int part = 0; part < 2; part++) {
				auto *node = parent->createShapeNodeWith<dart::dynamics::CollisionAspect>(
					ball(0.3 + 0.1 * part), "part " + std::to_string(part) + " of " + name);
				node->setRelativeTranslation(Vector3d(0.2 * part, 0.0, 0.0));
				group->addShapeFrame(node);
			}
			made.first->setPositions(
				(Eigen::Vector6d() << 0.0, 0.0, 0.0, place(random), place(random), place(random)).finished());
			bodies.push_back(parent);
		}
		skeletons.push_back(skeleton);
	}
	SimpleFrame loose(dart::dynamics::Frame::World(), "loose");
	loose.setShape(ball(1.0));
	group->addShapeFrame(&loose);
	const auto by_parts = std::make_shared<BodyNodeCollisionFilter>();
	const auto by_pairs = std::make_shared<asked_by_pairs>();
	std::size_t least = SIZE_MAX, most = 0;
	for (int turn = 0; turn < 300; turn++) {
		BodyNode *const one = bodies[draw(bodies.size())], *const other = bodies[draw(bodies.size())];
		const auto &skeleton = skeletons[draw(skeletons.size())];
		switch (draw(8)) {
		case 0:
			one->setCollidable(draw(4) != 0);
			break;
		case 1:
			skeleton->setMobile(draw(3) != 0);
			break;
		case 2:
			skeleton->setSelfCollisionCheck(draw(2) != 0);
			break;
		case 3:
			skeleton->setAdjacentBodyCheck(draw(2) != 0);
			break;
		case 4:
			by_parts->addBodyNodePairToBlackList(one, other);
			by_pairs->addBodyNodePairToBlackList(one, other);
			break;
		case 5:
			by_parts->removeBodyNodePairFromBlackList(one, other);
			by_pairs->removeBodyNodePairFromBlackList(one, other);
			break;
		case 6: /* to another skeleton, with all that hangs on it */
			if (one->getSkeleton() != other->getSkeleton())
				one->moveTo(other);
			break;
		default:
			one->getParentJoint()->setPosition(3 + draw(3), place(random));
		}
		CollisionResult parts, pairs;
		group->collide(CollisionOption(true, 100000, by_parts), &parts);
		group->collide(CollisionOption(true, 100000, by_pairs), &pairs);
		TRUE(are_same(parts, pairs));
		least = std::min(least, parts.getNumContacts());
		most = std::max(most, parts.getNumContacts());
	}
	std::printf("contacts by a filter: %zu to %zu\n", least, most);
	TRUE(most > least + 50);
}

dart::dynamics::SkeletonPtr falling_box(int number)
{
	auto skeleton = dart::dynamics::Skeleton::create("box " + std::to_string(number));
	auto *node = skeleton->createJointAndBodyNodePair<dart::dynamics::FreeJoint>().second;
	const auto shape = std::make_shared<dart::dynamics::BoxShape>(Vector3d(0.5, 0.5, 0.5));
	node->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(shape);
	dart::dynamics::Inertia inertia;
	inertia.setMass(1.0);
	inertia.setMoment(shape->computeInertia(1.0));
	node->setInertia(inertia);
	Eigen::Vector6d position = Eigen::Vector6d::Zero();
	position[5] = 0.25 + 0.5 * number;
	skeleton->setPositions(position);
	return skeleton;
}

/* Where rounding decides whether two shapes touch, contacts tell of the pair as overlaps do. */
void test_touch()
{
	scene of;
	const SimpleFrame &plate = of.add(cuboid(0x1.8p+0, 0x1p+0, 0x1p-2), Vector3d(-0x1p-2, 0x1p-2, 0x1p+0));
	of.add(make<dart::dynamics::CylinderShape>(0x1.8p-1, 0x1p-1), Vector3d(-0x1p+0, -0x1p+0, 0x1.4p+0));
	TRUE(of.group->collide());
	EQUAL(of.collide(CollisionOption(false, 1000)).getNumContacts(), 1);
	const CollisionResult result = of.collide();
	EQUAL(result.getNumContacts(), 1);
	for (const Contact &contact : result.getContacts()) {
		NEAR(contact.penetrationDepth, 0.0, 0.0);
		NEAR(contact.normal.y(), 1.0, tolerance);
		NEAR(contact.point.y(), -0x1p-2, tolerance);
	}
	TRUE(result.inCollision(&plate));
	EQUAL(of.collide(CollisionOption(true, 1)).getNumContacts(), 1);
}

/* Where the shape of a body changes, the body keeps its place in the group. */
void test_order()
{
	using dart::dynamics::FreeJoint;
	auto skeleton = dart::dynamics::Skeleton::create("balls");
	const auto changes = std::make_shared<dart::dynamics::SphereShape>(0.5);
	for (int number = 0; number < 3; number++) {
		FreeJoint::Properties joint;
		joint.mName = "joint " + std::to_string(number);
		auto made = skeleton->createJointAndBodyNodePair<FreeJoint>(
			nullptr, joint, dart::dynamics::BodyNode::AspectProperties("body " + std::to_string(number)));
		made.second->createShapeNodeWith<dart::dynamics::CollisionAspect>(number == 0 ? changes : ball(0.5));
		made.first->setPosition(3, 0.75 * number);
	}
	const auto detector = wp::dart_detector::create();
	auto group = detector->createCollisionGroup();
	group->subscribeTo(skeleton);
	TRUE(group->collide());
	changes->setRadius(0.625);
	CollisionResult result;
	group->collide(CollisionOption(true, 1000), &result);
	EQUAL(result.getNumContacts(), 2);
	for (std::size_t index = 0; index < result.getNumContacts(); index++) {
		const Contact &contact = result.getContact(index);
		TRUE(contact.collisionObject1->getShapeFrame() == group->getShapeFrame(index));
		TRUE(contact.collisionObject2->getShapeFrame() == group->getShapeFrame(index + 1));
		NEAR(contact.penetrationDepth, index == 0 ? 0.375 : 0.25, tolerance);
	}
}

/* How far the boxes of a stack move within two seconds. */
double drift_of(const std::shared_ptr<CollisionDetector> &detector)
{
	constexpr int height = 5;
	auto world = dart::simulation::World::create();
	world->setTimeStep(0.001);
	world->getConstraintSolver()->setCollisionDetector(detector);
	auto ground = dart::dynamics::Skeleton::create("ground");
	auto *floor = ground->createJointAndBodyNodePair<dart::dynamics::WeldJoint>().second;
	auto *node = floor->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(
		cuboid(10.0, 10.0, 0.1));
	node->setRelativeTranslation(Vector3d(0.0, 0.0, -0.05));
	world->addSkeleton(ground);
	std::vector<dart::dynamics::SkeletonPtr> boxes;
	for (int number = 0; number < height; number++) {
		boxes.push_back(falling_box(number));
		world->addSkeleton(boxes.back());
	}
	for (int step = 0; step < 2000; step++)
		world->step();
	double drift = 0.0;
	for (int number = 0; number < height; number++) {
		const Vector3d at = boxes[static_cast<std::size_t>(number)]->getBodyNode(0)->getTransform().translation();
		drift = std::max(drift, (at - Vector3d(0.0, 0.0, 0.25 + 0.5 * number)).norm());
	}
	return drift;
}

void test_world()
{
	auto *factory = CollisionDetector::getFactory();
	TRUE(factory->canCreate("widephase"));
	const double ours = drift_of(factory->create("widephase")), by_fcl = drift_of(factory->create("fcl")),
				 by_dart = drift_of(factory->create("dart"));
	std::printf("drift of a stack: %.3g, by FCL %.3g, by DART %.3g\n", ours, by_fcl, by_dart);
	TRUE(ours <= std::min(by_fcl, by_dart) + 1e-4);
}

void test_detector()
{
	const auto detector = wp::dart_detector::create();
	TRUE(detector->getType() == "widephase");
	const auto clone = detector->cloneWithoutCollisionObjects();
	TRUE(clone && clone != detector && clone->getType() == "widephase");
	bool is_refused = false;
	try {
		wp::dart_options options;
		options.variant = WP_VARIANT_COUNT;
		wp::dart_detector::create(options);
	} catch (const std::runtime_error &) {
		is_refused = true;
	}
	TRUE(is_refused);
	TRUE(!detector->createCollisionGroup()->collide());
}

} // namespace

int main()
{
	test_detector();
	test_spheres();
	test_boxes();
	test_capsules();
	test_plane();
	test_meshes();
	test_far_away();
	test_filter_and_groups();
	test_options();
	test_distance();
	test_random_distances();
	test_rays();
	test_changes();
	test_crowd();
	test_frames();
	test_body_filter();
	test_touch();
	test_order();
	test_world();
	std::printf("%d failures\n", failures);
	return failures != 0;
}
