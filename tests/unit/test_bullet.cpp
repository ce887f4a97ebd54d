/* The dispatcher for Bullet beside Bullet's own: the same worlds, callbacks, triggers, tests of contacts and sweeps. */
#include <widephase/bullet.hpp>

#include <BulletCollision/CollisionDispatch/btGhostObject.h>
#include <BulletCollision/CollisionShapes/btConvexPointCloudShape.h>
#include <BulletCollision/CollisionShapes/btTetrahedronShape.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletDynamics/Character/btKinematicCharacterController.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace
{

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
#define EQUAL(found, wanted) NEAR(found, wanted, 0.0)
#define TRUE(condition) EQUAL((condition) ? 1.0 : 0.0, 1.0)

constexpr btScalar step_seconds = 1.0f / 60.0f;

btTransform at(btScalar x, btScalar y, btScalar z)
{
	return btTransform(btQuaternion::getIdentity(), btVector3(x, y, z));
}

/* A world by our dispatcher or by Bullet's. */
class world
{
  public:
	explicit world(bool is_ours, const wp::bullet_options &options = {})
	{
		if (is_ours)
			dispatcher = ours = new wp::bullet_dispatcher(&configuration, options);
		else
			dispatcher = new btCollisionDispatcher(&configuration);
		owned.reset(dispatcher);
		broadphase.getOverlappingPairCache()->setInternalGhostPairCallback(&ghosts);
		inner = std::make_unique<btDiscreteDynamicsWorld>(dispatcher, &broadphase, &solver, &configuration);
		inner->setGravity(btVector3(0.0f, -10.0f, 0.0f));
	}
	~world()
	{
		for (int index = inner->getNumCollisionObjects() - 1; index >= 0; index--)
			inner->removeCollisionObject(inner->getCollisionObjectArray()[index]);
	}

	template <typename Shape> Shape *keep(Shape *shape)
	{
		shapes.emplace_back(shape);
		return shape;
	}
	/* Mass 0 stands still. */
	btRigidBody *add(btCollisionShape *shape, btScalar mass, const btTransform &pose, int flags = 0)
	{
		btVector3 inertia(0.0f, 0.0f, 0.0f);
		if (mass > 0.0f)
			shape->calculateLocalInertia(mass, inertia);
		btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
		info.m_startWorldTransform = pose;
		auto body = std::make_unique<btRigidBody>(info);
		body->setActivationState(DISABLE_DEACTIVATION);
		body->setCollisionFlags(body->getCollisionFlags() | flags);
		inner->addRigidBody(body.get());
		objects.push_back(std::move(body));
		return static_cast<btRigidBody *>(objects.back().get());
	}
	btCollisionObject *add_object(btCollisionShape *shape, const btTransform &pose)
	{
		objects.push_back(std::make_unique<btCollisionObject>());
		objects.back()->setCollisionShape(shape);
		objects.back()->setWorldTransform(pose);
		inner->addCollisionObject(objects.back().get(), btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
		return objects.back().get();
	}
	btBoxShape *box(btScalar x, btScalar y, btScalar z) { return keep(new btBoxShape(btVector3(x, y, z))); }
	void run(int steps)
	{
		for (int step = 0; step < steps; step++)
			inner->stepSimulation(step_seconds, 0);
	}
	int points()
	{
		int count = 0;
		for (int index = 0; index < dispatcher->getNumManifolds(); index++)
			count += dispatcher->getManifoldByIndexInternal(index)->getNumContacts();
		return count;
	}
	double least_distance()
	{
		double least = INFINITY;
		for (int index = 0; index < dispatcher->getNumManifolds(); index++) {
			const btPersistentManifold *manifold = dispatcher->getManifoldByIndexInternal(index);
			for (int point = 0; point < manifold->getNumContacts(); point++)
				least = std::fmin(least, manifold->getContactPoint(point).getDistance());
		}
		return least;
	}

	btDefaultCollisionConfiguration configuration;
	btGhostPairCallback ghosts;
	wp::bullet_dispatcher *ours = nullptr;
	btCollisionDispatcher *dispatcher;
	std::unique_ptr<btCollisionDispatcher> owned;
	btDbvtBroadphase broadphase;
	btSequentialImpulseConstraintSolver solver;
	std::unique_ptr<btDiscreteDynamicsWorld> inner;
	std::vector<std::unique_ptr<btCollisionShape>> shapes;
	std::vector<std::unique_ptr<btCollisionObject>> objects;
};

/* ---- shapes ---------------------------------------------------------------------------------------- */

btConvexHullShape *make_hull(std::mt19937 &random, int count)
{
	auto *hull = new btConvexHullShape;
	std::uniform_real_distribution<float> range(-0.5f, 0.5f);
	for (int index = 0; index < count; index++)
		hull->addPoint(btVector3(range(random), range(random), range(random)), false);
	hull->setMargin(0.01f);
	hull->recalcLocalAabb();
	return hull;
}

/* One of each kind, with small margins where Bullet rounds what is sharp by them. The cloud is scaled alike along all axes:
 * otherwise Bullet looks for its farthest point in the direction of the unscaled one. */
std::vector<std::unique_ptr<btCollisionShape>> all_shapes()
{
	static btVector3 cloud[] = {
		{0.4f, 0.0f, 0.0f}, {-0.3f, 0.4f, 0.1f}, {0.0f, -0.4f, 0.2f}, {0.0f, 0.1f, -0.5f}, {0.1f, 0.2f, 0.4f}};
	std::mt19937 random(7);
	const btVector3 half(0.3f, 0.5f, 0.3f);
	std::vector<std::unique_ptr<btCollisionShape>> shapes;
	shapes.emplace_back(new btSphereShape(0.4f));
	shapes.emplace_back(new btBoxShape(btVector3(0.3f, 0.4f, 0.5f)));
	shapes.emplace_back(new btCapsuleShape(0.2f, 0.6f));
	shapes.emplace_back(new btCapsuleShapeX(0.2f, 0.6f));
	shapes.emplace_back(new btCapsuleShapeZ(0.2f, 0.6f));
	shapes.emplace_back(new btCylinderShape(half));
	shapes.emplace_back(new btCylinderShapeX(btVector3(0.5f, 0.3f, 0.3f)));
	shapes.emplace_back(new btCylinderShapeZ(btVector3(0.3f, 0.3f, 0.5f)));
	shapes.emplace_back(new btConeShape(0.3f, 0.8f));
	shapes.emplace_back(new btConeShapeX(0.3f, 0.8f));
	shapes.emplace_back(new btConeShapeZ(0.3f, 0.8f));
	shapes.emplace_back(make_hull(random, 20));
	shapes.emplace_back(new btConvexPointCloudShape(cloud, 5, btVector3(1.2f, 1.2f, 1.2f)));
	shapes.emplace_back(new btBU_Simplex1to4(cloud[0], cloud[1], cloud[2], cloud[3]));
	shapes.emplace_back(new btTriangleShape(cloud[0], cloud[1], cloud[2]));
	for (const auto &shape : shapes)
		if (shape->getShapeType() != SPHERE_SHAPE_PROXYTYPE && shape->getShapeType() != CAPSULE_SHAPE_PROXYTYPE)
			shape->setMargin(0.001f);
	shapes.emplace_back(new btStaticPlaneShape(btVector3(0.6f, 0.8f, 0.0f), -0.3f));
	shapes.emplace_back(new btStaticPlaneShape(btVector3(0.0f, -1.0f, 0.0f), -0.3f));
	return shapes;
}

/* The nearest of the points that a contactPairTest or contactTest reports. */
struct nearest : btCollisionWorld::ContactResultCallback {
	explicit nearest(btScalar reach = 0.0f) { m_closestDistanceThreshold = reach; }
	btScalar addSingleResult(btManifoldPoint &point, const btCollisionObjectWrapper *a, int, int,
		const btCollisionObjectWrapper *b, int, int) override
	{
		count++;
		const btVector3 between = point.m_positionWorldOnA - point.m_positionWorldOnB;
		skew = std::fmax(skew, double((between - point.m_normalWorldOnB * point.getDistance()).length()));
		shape_a = a->getCollisionShape();
		shape_b = b->getCollisionShape();
		if (point.getDistance() < distance) {
			distance = point.getDistance();
			normal = point.m_normalWorldOnB;
		}
		return 0.0f;
	}
	int count = 0;
	double distance = INFINITY, skew = 0.0;
	btVector3 normal = btVector3(0.0f, 0.0f, 0.0f);
	const btCollisionShape *shape_a = nullptr, *shape_b = nullptr;
};

/* How far two convex shapes are apart along a direction from A to B, by Bullet's support functions. */
double gap_along(const btCollisionObject &a, const btCollisionObject &b, const btVector3 &direction)
{
	const auto support = [](const btCollisionObject &of, const btVector3 &to) {
		const auto *shape = static_cast<const btConvexShape *>(of.getCollisionShape());
		const btTransform &pose = of.getWorldTransform();
		return pose * shape->localGetSupportingVertex(to * pose.getBasis());
	};
	return static_cast<double>((support(b, -direction) - support(a, direction)).dot(direction));
}

/* Bullet's supports bound the distance from below, its GJK, where the shapes are apart, from above; planes it has exactly.
 * Bullet rounds cylinders by the margin, 1e-3. */
void test_all_shapes()
{
	constexpr btScalar reach = 0.3f;
	world own(false), ours(true);
	const auto shapes = all_shapes();
	std::mt19937 random(3);
	std::uniform_real_distribution<float> range(-1.0f, 1.0f);
	int compared = 0;
	const auto turn = [&] {
		return btQuaternion(range(random), range(random), range(random), range(random) + 0.01f).normalized();
	};
	for (const auto &first : shapes) {
		TRUE(ours.ours->answers_for(first.get()));
		for (const auto &second : shapes) {
			if (first->isConcave() && second->isConcave())
				continue;
			for (int trial = 0; trial < 40; trial++) {
				btCollisionObject a, b;
				a.setCollisionShape(first.get());
				b.setCollisionShape(second.get());
				a.setWorldTransform(btTransform(turn(), btVector3(range(random), range(random), range(random))));
				b.setWorldTransform(btTransform(turn(), btVector3(range(random), range(random), range(random))));
				nearest by_own(reach), by_ours(reach);
				own.inner->contactPairTest(&a, &b, by_own);
				ours.inner->contactPairTest(&a, &b, by_ours);
				NEAR(by_ours.skew, 0.0, 1e-5);
				if (by_ours.count == 0)
					continue;
				compared++;
				const int before = failures;
				if (!first->isConcave() && !second->isConcave())
					NEAR(gap_along(a, b, -by_ours.normal), by_ours.distance, 1e-3);
				else
					NEAR(by_own.distance, by_ours.distance, 1e-3);
				if (by_own.count != 0 && by_own.distance > 0.01)
					TRUE(by_ours.distance < by_own.distance + 1e-3);
				if (failures != before)
					std::printf("%s and %s, trial %d\n", first->getName(), second->getName(), trial);
			}
		}
	}
	TRUE(compared > 1000);
}

/* ---- callbacks ------------------------------------------------------------------------------------- */

struct calls {
	int added = 0, processed = 0, destroyed = 0, started = 0, ended = 0, wrong = 0;
} called;
const btCollisionObject *expected_a, *expected_b;
btScalar friction_wanted = -1.0f;
int user_data;

bool on_added(btManifoldPoint &point, const btCollisionObjectWrapper *a, int, int index_a,
	const btCollisionObjectWrapper *b, int, int index_b)
{
	called.added++;
	called.wrong += a->getCollisionObject() != expected_a || b->getCollisionObject() != expected_b;
	called.wrong += index_a != a->m_index || index_b != b->m_index;
	if (friction_wanted >= 0.0f)
		point.m_combinedFriction = friction_wanted;
	return true;
}

bool on_processed(btManifoldPoint &point, void *a, void *b)
{
	called.processed++;
	called.wrong += a != expected_a || b != expected_b;
	if (!point.m_userPersistentData)
		point.m_userPersistentData = &user_data;
	return true;
}

bool on_destroyed(void *data)
{
	called.destroyed++;
	called.wrong += data != &user_data;
	return true;
}

void on_started(btPersistentManifold *const &manifold)
{
	called.started++;
	called.wrong += manifold->getNumContacts() != 1;
}

void on_ended(btPersistentManifold *const &) { called.ended++; }

void set_callbacks(bool on)
{
	called = calls();
	gContactAddedCallback = on ? on_added : nullptr;
	gContactProcessedCallback = on ? on_processed : nullptr;
	gContactDestroyedCallback = on ? on_destroyed : nullptr;
	gContactStartedCallback = on ? on_started : nullptr;
	gContactEndedCallback = on ? on_ended : nullptr;
}

/* A box falls upon a box, rests for a while, tumbles over its edge, and is lifted off: with Bullet, one beginning and one
 * end; each point that was given user data has it destroyed. */
void test_callbacks(bool is_ours)
{
	world in(is_ours);
	btRigidBody *ground = in.add(in.box(5.0f, 1.0f, 5.0f), 0.0f, at(0.0f, 0.0f, 0.0f));
	btRigidBody *box = in.add(
		in.box(0.5f, 0.5f, 0.5f), 1.0f, at(0.0f, 2.0f, 0.0f), btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
	expected_a = ground;
	expected_b = box;
	set_callbacks(true);
	in.run(120);
	EQUAL(called.started, 1);
	EQUAL(called.ended, 0);
	EQUAL(in.points(), 4);
	TRUE(called.added >= 4 * 60);
	TRUE(called.processed >= 4 * 60);
	box->setLinearVelocity(btVector3(3.0f, 0.0f, 0.0f));
	in.run(60);
	EQUAL(called.started, 1);
	box->setWorldTransform(at(0.0f, 9.0f, 0.0f));
	box->setLinearVelocity(btVector3(0.0f, 0.0f, 0.0f));
	in.run(2);
	EQUAL(called.ended, 1);
	EQUAL(called.wrong, 0);
	TRUE(called.destroyed >= 4);
	EQUAL(in.points(), 0);
	set_callbacks(false);
}

/* A pair whose points are all replaced in one step goes on: neither an end nor a beginning. */
void test_replaced_points()
{
	world in(true);
	btRigidBody *ground = in.add(in.box(5.0f, 1.0f, 5.0f), 0.0f, at(0.0f, 0.0f, 0.0f));
	btRigidBody *box = in.add(in.box(0.5f, 0.5f, 0.5f), 1.0f, at(0.0f, 1.499f, 0.0f));
	expected_a = ground;
	expected_b = box;
	set_callbacks(true);
	in.inner->performDiscreteCollisionDetection();
	EQUAL(in.points(), 4);
	box->setWorldTransform(btTransform(btQuaternion(btVector3(1.0f, 0.0f, 0.0f), 3.0f), btVector3(2.0f, 1.5f, 1.0f)));
	in.inner->performDiscreteCollisionDetection();
	TRUE(in.points() >= 1);
	EQUAL(called.started, 1);
	EQUAL(called.ended, 0);
	EQUAL(called.destroyed, 4);
	set_callbacks(false);
}

/* Callbacks that query the world and change it. */
world *changed_world;
btCollisionShape *probe_shape;
std::vector<btRigidBody *> to_remove;
int queried;

void on_started_query(btPersistentManifold *const &manifold)
{
	btCollisionObject probe;
	probe.setCollisionShape(probe_shape);
	probe.setWorldTransform(manifold->getBody0()->getWorldTransform());
	nearest found;
	changed_world->inner->contactTest(&probe, found);
	queried++;
}

/* Children of the compound are pairs and shapes that have no room yet where the points of others are written. */
void test_queries_in_callbacks()
{
	world in(true);
	auto *probe = new btCompoundShape;
	for (int index = 0; index < 300; index++)
		probe->addChildShape(at(0.01f * static_cast<float>(index), 0.0f, 0.0f), in.box(0.1f, 0.1f, 0.1f));
	probe_shape = in.keep(probe);
	in.add(in.keep(new btStaticPlaneShape(btVector3(0.0f, 1.0f, 0.0f), 0.0f)), 0.0f, at(0.0f, 0.0f, 0.0f));
	for (int index = 0; index < 6; index++)
		in.add(in.keep(new btCylinderShapeZ(btVector3(0.5f, 0.5f, 0.4f))), 1.0f,
			at(2.0f * static_cast<float>(index), 0.49f, 0.0f));
	changed_world = &in;
	queried = 0;
	gContactStartedCallback = on_started_query;
	in.inner->performDiscreteCollisionDetection();
	gContactStartedCallback = nullptr;
	EQUAL(queried, 6);
	EQUAL(in.points(), 12);
	for (int index = 0; index < in.dispatcher->getNumManifolds(); index++) {
		const btPersistentManifold *manifold = in.dispatcher->getManifoldByIndexInternal(index);
		for (int point = 0; point < manifold->getNumContacts(); point++) {
			const btManifoldPoint &now = manifold->getContactPoint(point);
			NEAR((manifold->getBody0()->getWorldTransform() * now.m_localPointA - now.m_positionWorldOnA).length(), 0.0,
				1e-5);
			NEAR((manifold->getBody1()->getWorldTransform() * now.m_localPointB - now.m_positionWorldOnB).length(), 0.0,
				1e-5);
		}
	}
	in.run(5);
	EQUAL(in.points(), 12);
}

void on_started_remove(btPersistentManifold *const &manifold)
{
	for (btRigidBody *body : to_remove) {
		if (body == manifold->getBody0() || body == manifold->getBody1())
			continue;
		changed_world->inner->removeRigidBody(body);
		for (auto &object : changed_world->objects)
			if (object.get() == body)
				object.reset();
	}
	to_remove.clear();
}

/* The first contact removes all balls but its own: their pairs leave nothing behind. The mesh's contact comes while pairs are
 * collected, the ground's when they are written; fast balls are cast. */
void test_removal_in_callbacks(bool is_mesh, btScalar speed)
{
	world in(true);
	btTriangleMesh triangles;
	triangles.addTriangle(btVector3(-9.0f, 0.0f, -9.0f), btVector3(0.0f, 0.0f, 9.0f), btVector3(9.0f, 0.0f, -9.0f));
	in.add(in.box(50.0f, 1.0f, 50.0f), 0.0f, at(0.0f, -1.0f, 0.0f));
	for (int index = 0; index < 20; index++) {
		btRigidBody *ball = in.add(
			in.keep(new btSphereShape(0.3f)), 1.0f, at(0.55f * static_cast<float>(index), 0.29f, 0.0f));
		ball->setLinearVelocity(btVector3(0.0f, -speed, 0.0f));
		to_remove.push_back(ball);
	}
	if (is_mesh)
		in.add(in.keep(new btBvhTriangleMeshShape(&triangles, true)), 0.0f, at(0.0f, 0.0f, 0.0f));
	changed_world = &in;
	gContactStartedCallback = on_started_remove;
	in.inner->performDiscreteCollisionDetection();
	gContactStartedCallback = nullptr;
	TRUE(to_remove.empty());
	for (int index = 0; index < in.dispatcher->getNumManifolds(); index++) {
		const btPersistentManifold *manifold = in.dispatcher->getManifoldByIndexInternal(index);
		TRUE(manifold->getBody0()->getWorldArrayIndex() >= 0 && manifold->getBody1()->getWorldArrayIndex() >= 0);
		NEAR(manifold->getContactPoint(0).getDistance(), is_mesh ? -0.02 : -0.01, 0.02);
	}
	TRUE(in.dispatcher->getNumManifolds() > 0);
	in.run(3);
	TRUE(in.points() > 0);
}

/* What a mesh's contact does to the world while pairs are collected: it removes a body that lies in a pair's way, and adds a ball. */
struct exchange {
	world *in;
	btCollisionObject *removed; /* deleted, too */
	btSphereShape *ball;
	btVector3 position;
	alignas(btCollisionObject) char place[sizeof(btCollisionObject)]; /* of objects that are made by hand */
	btCollisionObject *make(btSphereShape *shape, const btVector3 &where)
	{
		auto *made = new (place) btCollisionObject;
		made->setCollisionShape(shape);
		made->setWorldTransform(at(where.x(), where.y(), where.z()));
		in->inner->addCollisionObject(made, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
		return made;
	}
};
exchange *exchanged;

void on_started_exchange(btPersistentManifold *const &)
{
	gContactStartedCallback = nullptr;
	exchanged->in->inner->removeCollisionObject(exchanged->removed);
	exchanged->removed->~btCollisionObject();
	exchanged->make(exchanged->ball, exchanged->position);
}

/* A body that is added takes the index of one that went, or of one that took that one's, or even its address: pairs that were
 * collected before keep the body that they had, and pairs that are collected after it have the new one. `is_last` is of the body
 * that goes: otherwise the last body takes its index. With a near callback pairs are collected one by one. */
void test_exchange_in_callbacks(bool is_last, bool has_near_callback)
{
	world in(true);
	if (has_near_callback)
		in.dispatcher->setNearCallback(
			[](btBroadphasePair &pair, btCollisionDispatcher &dispatcher, const btDispatcherInfo &info) {
				btCollisionDispatcher::defaultNearCallback(pair, dispatcher, info);
			});
	btTriangleMesh triangles;
	triangles.addTriangle(btVector3(-9.0f, 0.0f, -9.0f), btVector3(0.0f, 0.0f, 9.0f), btVector3(9.0f, 0.0f, -9.0f));
	btSphereShape ball(0.5f), small(0.25f);
	exchange of = {&in, nullptr, &small, btVector3(0.0f, 4.0f, 0.5f), {}};
	if (!is_last)
		of.removed = of.make(&ball, btVector3(50.0f, 0.0f, 0.0f));
	btCollisionObject *first = in.add_object(&ball, at(0.0f, 4.0f, 0.0f));
	in.add_object(in.keep(new btBvhTriangleMeshShape(&triangles, true)), at(0.0f, 0.0f, 0.0f));
	btCollisionObject *falling = in.add_object(&ball, at(0.0f, 9.0f, 0.0f)), *second = nullptr;
	btCollisionObject *aside = in.add_object(&ball, at(5.0f, 9.0f, 0.0f));
	in.add_object(&ball, at(5.0f, 4.0f, 0.0f));
	if (is_last)
		of.removed = of.make(&ball, btVector3(0.875f, 4.0f, 0.0f));
	else
		second = in.add_object(&ball, at(0.875f, 4.0f, 0.0f));
	/* The pair of the mesh comes after the one of the two balls, and another one takes the place of a pair that goes. */
	falling->setWorldTransform(at(0.0f, 0.4375f, 0.0f));
	in.inner->updateAabbs();
	aside->setWorldTransform(at(5.0f, 4.5f, 0.0f));
	in.inner->updateAabbs();
	exchanged = &of;
	gContactStartedCallback = on_started_exchange;
	in.inner->performDiscreteCollisionDetection();
	EQUAL(gContactStartedCallback ? 1.0 : 0.0, 0.0);
	gContactStartedCallback = nullptr;
	const auto *made = reinterpret_cast<btCollisionObject *>(of.place);
	int found = 0;
	for (int index = 0; index < in.dispatcher->getNumManifolds(); index++) {
		const btPersistentManifold *manifold = in.dispatcher->getManifoldByIndexInternal(index);
		const btCollisionObject *a = manifold->getBody0(), *b = manifold->getBody1();
		if (a != first && b != first)
			continue;
		const btCollisionObject *other = a == first ? b : a;
		TRUE(other == made || other == second);
		NEAR(manifold->getContactPoint(0).getDistance(), other == made ? -0.25 : -0.125, 1e-5);
		found++;
	}
	EQUAL(found, is_last ? 1 : 2);
	in.inner->removeCollisionObject(reinterpret_cast<btCollisionObject *>(of.place));
	reinterpret_cast<btCollisionObject *>(of.place)->~btCollisionObject();
}

btCollisionWorld *other_world;

void on_started_step(btPersistentManifold *const &)
{
	gContactStartedCallback = nullptr;
	other_world->performDiscreteCollisionDetection();
}

/* A dispatch within a dispatch: two worlds have the same dispatcher. */
void test_dispatch_in_callbacks()
{
	world in(true);
	in.add(in.box(5.0f, 1.0f, 5.0f), 0.0f, at(0.0f, -1.0f, 0.0f));
	for (int index = 0; index < 3; index++)
		in.add(in.box(0.5f, 0.5f, 0.5f), 1.0f, at(2.0f * static_cast<float>(index), 0.49f, 0.0f))
			->setLinearVelocity(btVector3(0.0f, -50.0f, 0.0f));
	btDbvtBroadphase broadphase;
	btCollisionWorld other(in.dispatcher, &broadphase, &in.configuration);
	btCollisionObject first, second;
	first.setCollisionShape(in.box(0.5f, 0.5f, 0.5f));
	second.setCollisionShape(first.getCollisionShape());
	second.setWorldTransform(at(0.0f, 0.9f, 0.0f));
	other.addCollisionObject(&first);
	other.addCollisionObject(&second);
	other_world = &other;
	gContactStartedCallback = on_started_step;
	in.inner->performDiscreteCollisionDetection();
	gContactStartedCallback = nullptr;
	EQUAL(in.points(), 16);
	NEAR(in.least_distance(), -0.1, 1e-6);
}

/* An algorithm of one's own: points of an earlier call that do not hold any more go. */
void test_own_algorithm()
{
	world in(true);
	btCollisionObject *ground = in.add_object(in.box(5.0f, 1.0f, 5.0f), at(0.0f, -1.0f, 0.0f));
	btCollisionObject *box = in.add_object(in.box(0.5f, 0.5f, 0.5f), at(0.0f, 0.49f, 0.0f));
	const btCollisionObjectWrapper a(nullptr, ground->getCollisionShape(), ground, ground->getWorldTransform(), -1, -1);
	const btCollisionObjectWrapper b(nullptr, box->getCollisionShape(), box, box->getWorldTransform(), -1, -1);
	btCollisionAlgorithm *algorithm = in.dispatcher->findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
	for (const btScalar height : {0.49f, 0.7f}) {
		box->setWorldTransform(at(0.0f, height, 0.0f));
		btManifoldResult result(&a, &b);
		algorithm->processCollision(&a, &b, in.inner->getDispatchInfo(), &result);
		EQUAL(in.points(), height < 0.5f ? 4 : 0);
	}
	algorithm->~btCollisionAlgorithm();
	in.dispatcher->freeCollisionAlgorithm(algorithm);
}

/* The friction that the callback sets is the friction of the contact. */
double slide(bool is_ours, btScalar friction)
{
	world in(is_ours);
	expected_a = in.add(in.box(9.0f, 1.0f, 9.0f), 0.0f, at(0.0f, 0.0f, 0.0f));
	btRigidBody *box = in.add(
		in.box(0.5f, 0.2f, 0.5f), 1.0f, at(0.0f, 1.2f, 0.0f), btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
	expected_b = box;
	friction_wanted = friction;
	gContactAddedCallback = on_added;
	box->setLinearVelocity(btVector3(2.0f, 0.0f, 0.0f));
	in.run(60);
	gContactAddedCallback = nullptr;
	friction_wanted = -1.0f;
	return static_cast<double>(box->getWorldTransform().getOrigin().x());
}

void test_friction()
{
	NEAR(slide(true, 0.0f), 2.0, 0.02);
	NEAR(slide(true, 0.2f), slide(false, 0.2f), 0.05);
}

/* A ball rolls down a ball. Friction stays in the plane of the contact where the solver keeps its directions. */
void test_friction_directions()
{
	world in(true);
	in.inner->getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS |
	                                          SOLVER_ENABLE_FRICTION_DIRECTION_CACHING |
	                                          SOLVER_DISABLE_VELOCITY_DEPENDENT_FRICTION_DIRECTION;
	in.add(in.keep(new btSphereShape(5.0f)), 0.0f, at(0.0f, 0.0f, 0.0f));
	in.add(in.keep(new btSphereShape(0.5f)), 1.0f, at(0.0f, 5.5f, 0.0f))
		->setLinearVelocity(btVector3(1.5f, 0.0f, 0.3f));
	for (int step = 0; step < 90; step++) {
		in.run(1);
		if (in.points() != 1)
			continue;
		const btManifoldPoint &point = in.dispatcher->getManifoldByIndexInternal(0)->getContactPoint(0);
		NEAR(point.m_normalWorldOnB.dot(point.m_lateralFrictionDir1), 0.0, 1e-6);
		NEAR(point.m_normalWorldOnB.dot(point.m_lateralFrictionDir2), 0.0, 1e-6);
	}
	EQUAL(in.points(), 1);
}

void test_stiffness()
{
	for (const bool is_ours : {false, true}) {
		world in(is_ours);
		in.add(in.box(5.0f, 1.0f, 5.0f), 0.0f, at(0.0f, 0.0f, 0.0f))->setContactStiffnessAndDamping(1000.0f, 10.0f);
		const btRigidBody *box = in.add(in.box(0.5f, 0.5f, 0.5f), 1.0f, at(0.0f, 1.5f, 0.0f));
		in.run(240);
		/* It sinks until the four springs carry its weight. */
		NEAR(box->getWorldTransform().getOrigin().y(), 1.5 - 10.0 / 4000.0, 2e-3);
		TRUE((in.dispatcher->getManifoldByIndexInternal(0)->getContactPoint(0).m_contactPointFlags &
				 BT_CONTACT_FLAG_CONTACT_STIFFNESS_DAMPING) != 0);
	}
}

void test_friction_anchor()
{
	for (const bool later : {false, true}) {
		world in(true);
		btRigidBody *ground = in.add(in.box(5.0f, 1.0f, 5.0f), 0.0f, at(0.0f, 0.0f, 0.0f));
		const btRigidBody *box = in.add(in.box(0.5f, 0.5f, 0.5f), 1.0f, at(0.0f, 1.5f, 0.0f));
		if (later)
			in.run(10);
		ground->setCollisionFlags(ground->getCollisionFlags() | btCollisionObject::CF_HAS_FRICTION_ANCHOR);
		in.run(120);
		NEAR(box->getWorldTransform().getOrigin().y(), 1.5, 5e-3);
		TRUE(in.points() >= 3 && in.points() <= 4);
		/* Without the flag the pair has no second manifold, either. */
		ground->setCollisionFlags(ground->getCollisionFlags() & ~btCollisionObject::CF_HAS_FRICTION_ANCHOR);
		in.run(10);
		TRUE(in.points() >= 3 && in.points() <= 4);
	}
}

/* ---- triggers, tests of contacts, sweeps ---------------------------------------------------------------- */

/* A body falls through a trigger, which sees it: contacts while it is inside, no response, nothing foreseen. */
void test_trigger()
{
	double last[2];
	int seen[2] = {0, 0};
	for (const bool is_ours : {false, true}) {
		world in(is_ours);
		in.add(in.box(2.0f, 0.05f, 2.0f), 0.0f, at(0.0f, 0.0f, 0.0f), btCollisionObject::CF_NO_CONTACT_RESPONSE);
		const btRigidBody *ball = in.add(in.keep(new btSphereShape(0.2f)), 1.0f, at(0.1f, 3.0f, 0.0f));
		for (int step = 0; step < 90; step++) {
			in.run(1);
			seen[is_ours] += in.points() > 0;
			TRUE(in.points() == 0 || in.least_distance() < 0.03);
		}
		last[is_ours] = static_cast<double>(ball->getWorldTransform().getOrigin().y());
	}
	EQUAL(last[1], last[0]);
	TRUE(seen[1] > 0);
	NEAR(seen[1], seen[0], 1.0);
}

btCompoundShape *make_table(world &in)
{
	auto *table = in.keep(new btCompoundShape);
	table->addChildShape(at(0.0f, 0.5f, 0.0f), in.box(1.0f, 0.1f, 1.0f));
	for (const float x : {-0.8f, 0.8f})
		for (const float z : {-0.8f, 0.8f})
			table->addChildShape(at(x, 0.0f, z), in.keep(new btCylinderShape(btVector3(0.1f, 0.4f, 0.1f))));
	return table;
}

btTriangleMesh &ground_mesh()
{
	static btTriangleMesh mesh;
	if (mesh.getNumTriangles() == 0)
		for (int x = -3; x < 3; x++)
			for (int z = -3; z < 3; z++) {
				const btVector3 a(btScalar(x), 0.0f, btScalar(z)), right(1.0f, 0.0f, 0.0f), far(0.0f, 0.0f, 1.0f);
				mesh.addTriangle(a, a + far, a + right);
				mesh.addTriangle(a + right, a + far, a + right + far);
			}
	return mesh;
}

void test_contact_test()
{
	nearest found[2][5];
	for (const bool is_ours : {false, true}) {
		world in(is_ours);
		btRigidBody *box = in.add(in.box(1.0f, 1.0f, 1.0f), 0.0f, at(0.0f, 0.0f, 0.0f));
		btRigidBody *ball = in.add(in.keep(new btSphereShape(0.5f)), 1.0f, at(0.0f, 1.4f, 0.0f));
		btRigidBody *table = in.add(make_table(in), 1.0f, at(10.0f, 0.39f, 0.0f));
		btRigidBody *mesh = in.add(
			in.keep(new btBvhTriangleMeshShape(&ground_mesh(), true)), 0.0f, at(10.0f, 0.0f, 0.0f));
		in.inner->contactTest(box, found[is_ours][0]);
		in.inner->contactPairTest(ball, box, found[is_ours][1]);
		in.inner->contactPairTest(table, mesh, found[is_ours][2]);
		table->setWorldTransform(at(0.0f, 1.39f, 0.0f));
		in.inner->contactPairTest(table, box, found[is_ours][3]);
		in.inner->contactPairTest(box, table, found[is_ours][4] = nearest(0.1f));
		EQUAL(in.dispatcher->getNumManifolds(), 0);
		TRUE(found[is_ours][1].shape_a == ball->getCollisionShape());
	}
	for (int test = 0; test < 5; test++) {
		TRUE(found[0][test].count > 0 && found[1][test].count > 0);
		NEAR(found[1][test].distance, found[0][test].distance, 1e-3);
		NEAR(found[1][test].normal.dot(found[0][test].normal), 1.0, 1e-3);
	}
	/* The sphere is a tenth of a metre in the box. */
	NEAR(found[1][1].distance, -0.1, 1e-6);
	NEAR(found[1][1].normal.y(), 1.0, 1e-6);
}

/* Sweeps and rays do not use a dispatcher: they answer as ever, with pairs of ours in the world. */
void test_sweeps()
{
	btScalar fraction[2], ray_fraction[2];
	for (const bool is_ours : {false, true}) {
		world in(is_ours);
		in.add(in.box(1.0f, 1.0f, 1.0f), 0.0f, at(0.0f, 0.0f, 0.0f));
		in.add(in.box(1.0f, 1.0f, 1.0f), 1.0f, at(0.0f, 2.0f, 0.0f));
		in.run(3);
		btSphereShape ball(0.3f);
		const btVector3 from(-5.0f, 0.2f, 0.1f), to(5.0f, 0.1f, 0.0f);
		btCollisionWorld::ClosestConvexResultCallback swept(from, to);
		in.inner->convexSweepTest(&ball, at(from.x(), from.y(), from.z()), at(to.x(), to.y(), to.z()), swept);
		btCollisionWorld::ClosestRayResultCallback ray(from, to);
		in.inner->rayTest(from, to, ray);
		TRUE(swept.hasHit() && ray.hasHit());
		fraction[is_ours] = swept.m_closestHitFraction;
		ray_fraction[is_ours] = ray.m_closestHitFraction;
	}
	EQUAL(fraction[1], fraction[0]);
	EQUAL(ray_fraction[1], ray_fraction[0]);
}

/* Bullet's continuous collision detection of a body still works beside ours. */
void test_continuous()
{
	for (const bool casts : {false, true}) {
		wp::bullet_options options;
		options.casts_fast_pairs = casts;
		world in(true, options);
		in.add(in.box(0.05f, 2.0f, 2.0f), 0.0f, at(5.0f, 0.0f, 0.0f));
		btRigidBody *bullet = in.add(in.box(0.1f, 0.1f, 0.1f), 1.0f, at(0.0f, 0.0f, 0.0f));
		bullet->setLinearVelocity(btVector3(200.0f, 0.0f, 0.0f));
		if (!casts) {
			bullet->setCcdMotionThreshold(0.1f);
			bullet->setCcdSweptSphereRadius(0.1f);
		}
		in.run(10);
		TRUE(bullet->getWorldTransform().getOrigin().x() < 5.0f);
	}
	wp::bullet_options options;
	options.casts_fast_pairs = false;
	world in(true, options);
	in.add(in.box(0.05f, 2.0f, 2.0f), 0.0f, at(5.0f, 0.0f, 0.0f));
	btRigidBody *bullet = in.add(in.box(0.1f, 0.1f, 0.1f), 1.0f, at(0.0f, 0.0f, 0.0f));
	bullet->setLinearVelocity(btVector3(200.0f, 0.0f, 0.0f));
	in.run(10);
	TRUE(bullet->getWorldTransform().getOrigin().x() > 5.0f);
}

/* A character walks up a step; it looks at the manifolds of a ghost's own pair cache. */
void test_ghost()
{
	btVector3 last[2];
	int overlapping[2];
	for (const bool is_ours : {false, true}) {
		world in(is_ours);
		in.add(in.box(9.0f, 1.0f, 9.0f), 0.0f, at(0.0f, -1.0f, 0.0f));
		in.add(in.box(2.0f, 0.15f, 9.0f), 0.0f, at(4.0f, 0.15f, 0.0f));
		btPairCachingGhostObject ghost;
		btCapsuleShape capsule(0.3f, 1.0f);
		ghost.setCollisionShape(&capsule);
		ghost.setCollisionFlags(btCollisionObject::CF_CHARACTER_OBJECT);
		ghost.setWorldTransform(at(0.0f, 1.0f, 0.0f));
		in.inner->addCollisionObject(&ghost, btBroadphaseProxy::CharacterFilter,
			btBroadphaseProxy::StaticFilter | btBroadphaseProxy::DefaultFilter);
		btKinematicCharacterController walker(&ghost, &capsule, 0.35f, btVector3(0.0f, 1.0f, 0.0f));
		walker.setGravity(btVector3(0.0f, -10.0f, 0.0f));
		in.inner->addAction(&walker);
		walker.setWalkDirection(btVector3(0.05f, 0.0f, 0.0f));
		in.run(30);
		const btScalar before = ghost.getWorldTransform().getOrigin().y();
		in.run(50);
		last[is_ours] = ghost.getWorldTransform().getOrigin();
		NEAR(last[is_ours].y() - before, 0.3, 1e-3);
		overlapping[is_ours] = ghost.getNumOverlappingObjects();
		in.inner->removeAction(&walker);
		in.inner->removeCollisionObject(&ghost);
	}
	NEAR((last[1] - last[0]).length(), 0.0, 0.02);
	EQUAL(overlapping[1], overlapping[0]);
}

/* ---- compounds, meshes, planes --------------------------------------------------------------------------- */

void test_compound()
{
	for (const bool is_ours : {false, true}) {
		world in(is_ours);
		in.add(in.box(9.0f, 1.0f, 9.0f), 0.0f, at(0.0f, -1.0f, 0.0f));
		const btRigidBody *table = in.add(make_table(in), 4.0f, at(0.0f, 0.5f, 0.0f));
		const btRigidBody *other = in.add(make_table(in), 4.0f, at(0.2f, 1.6f, 0.1f));
		in.run(300);
		NEAR(table->getWorldTransform().getOrigin().y(), 0.4, 0.01);
		NEAR(other->getWorldTransform().getOrigin().y(), 1.4, 0.02);
		NEAR(table->getLinearVelocity().length(), 0.0, 0.02);
		TRUE(in.points() >= 12);
	}
}

/* Meshes are Bullet's, so that a body upon one moves by the same bits. */
void test_mesh()
{
	btVector3 last[2];
	for (const bool is_ours : {false, true}) {
		world in(is_ours);
		in.add(in.keep(new btBvhTriangleMeshShape(&ground_mesh(), true)), 0.0f, at(0.0f, 0.0f, 0.0f));
		const btRigidBody *box = in.add(in.box(0.4f, 0.4f, 0.4f), 1.0f, at(0.1f, 0.6f, 0.2f));
		in.run(120);
		last[is_ours] = box->getWorldTransform().getOrigin();
	}
	EQUAL((last[1] - last[0]).length(), 0.0);
}

void test_plane()
{
	world in(true);
	in.add(in.keep(new btStaticPlaneShape(btVector3(0.0f, 1.0f, 0.0f), 0.5f)), 0.0f, at(0.0f, 1.0f, 0.0f));
	in.add(in.keep(new btStaticPlaneShape(btVector3(1.0f, 0.0f, 0.0f), -8.0f)), 0.0f, at(0.0f, 0.0f, 0.0f));
	const btRigidBody *box = in.add(in.box(0.5f, 0.5f, 0.5f), 1.0f, at(0.0f, 2.5f, 0.0f));
	const btRigidBody *roll = in.add(
		in.keep(new btCylinderShapeX(btVector3(0.5f, 0.3f, 0.3f))), 1.0f, at(0.0f, 2.2f, 4.0f));
	const btRigidBody *cone = in.add(in.keep(new btConeShapeZ(0.3f, 0.8f)), 1.0f,
		btTransform(btQuaternion(btVector3(1.0f, 0.0f, 0.0f), -SIMD_HALF_PI), btVector3(0.0f, 1.95f, -4.0f)));
	in.run(240);
	NEAR(box->getWorldTransform().getOrigin().y(), 2.0, 3e-3);
	NEAR(roll->getWorldTransform().getOrigin().y(), 1.8, 3e-3);
	NEAR(cone->getWorldTransform().getOrigin().y(), 1.94, 6e-3);
	EQUAL(in.points(), 4 + 2 + 4);
}

/* ---- what changes ------------------------------------------------------------------------------------------ */

/* A shape that is deleted and another one made where it was; one that is scaled; a body that gets another one. */
void test_changes()
{
	world in(true);
	in.add(in.box(5.0f, 1.0f, 5.0f), 0.0f, at(0.0f, -1.0f, 0.0f));
	std::vector<btVector3> points;
	for (int corner = 0; corner < 8; corner++)
		points.emplace_back((corner & 1) ? 0.5f : -0.5f, (corner & 2) ? 0.5f : -0.5f, (corner & 4) ? 0.5f : -0.5f);
	const auto falls_to = [&](btCollisionShape *shape, btScalar from) {
		btRigidBody *body = in.add(shape, 1.0f, at(0.0f, from, 0.0f));
		in.run(200);
		const btScalar height = body->getWorldTransform().getOrigin().y();
		in.inner->removeRigidBody(body);
		return static_cast<double>(height);
	};
	alignas(btConvexHullShape) char place[sizeof(btConvexHullShape)];
	auto *hull = new (place) btConvexHullShape(&points[0].x(), 8);
	hull->setMargin(0.0f);
	NEAR(falls_to(hull, 0.6f), 0.5, 3e-3);
	hull->setLocalScaling(btVector3(1.0f, 2.0f, 1.0f));
	NEAR(falls_to(hull, 1.1f), 1.0, 3e-3);
	hull->setMargin(0.1f);
	NEAR(falls_to(hull, 1.2f), 1.1, 3e-3);
	/* Points of the same number in the same place. */
	hull->setLocalScaling(btVector3(1.0f, 1.0f, 1.0f));
	hull->setMargin(0.0f);
	for (int corner = 0; corner < 8; corner++)
		hull->getUnscaledPoints()[corner] *= 0.6f;
	hull->recalcLocalAabb();
	NEAR(falls_to(hull, 0.5f), 0.3, 3e-3);
	hull->~btConvexHullShape();
	auto *sphere = new (place) btSphereShape(0.7f);
	NEAR(falls_to(sphere, 0.8f), 0.7, 3e-3);

	btRigidBody *body = in.add(sphere, 1.0f, at(0.0f, 0.7f, 0.0f));
	in.run(10);
	sphere->setUnscaledRadius(0.4f);
	in.run(200);
	NEAR(body->getWorldTransform().getOrigin().y(), 0.4, 3e-3);
	/* While its pair is there, a shape that only Bullet has, and back. */
	const btVector3 places[] = {btVector3(0.0f, 0.0f, 0.0f), btVector3(0.0f, 0.1f, 0.0f)};
	const btScalar radii[] = {0.6f, 0.3f};
	auto *pair = in.keep(new btMultiSphereShape(places, radii, 2));
	body->setCollisionShape(pair);
	in.run(200);
	NEAR(body->getWorldTransform().getOrigin().y(), 0.6, 2e-2);
	TRUE(!in.ours->answers_for(pair));
	in.inner->removeRigidBody(body);
	sphere->~btSphereShape();
}

/* A cube of points in one place, made anew in it. */
struct cube_in_place {
	btConvexPointCloudShape *make(btScalar half)
	{
		for (int corner = 0; corner < 8; corner++)
			points[corner].setValue(
				(corner & 1) ? half : -half, (corner & 2) ? half : -half, (corner & 4) ? half : -half);
		auto *made = new (place) btConvexPointCloudShape(points, 8, btVector3(1.0f, 1.0f, 1.0f));
		made->setMargin(0.0f);
		return made;
	}

	alignas(btConvexPointCloudShape) char place[sizeof(btConvexPointCloudShape)];
	btVector3 points[8];
};

/* A body whose hull is deleted while it has a pair gets another one, which lies in the same place, and so do its points. */
void test_replaced_hull()
{
	world in(true);
	cube_in_place cube;
	in.add(in.box(5.0f, 1.0f, 5.0f), 0.0f, at(0.0f, -1.0f, 0.0f));
	btConvexPointCloudShape *hull = cube.make(0.3f);
	btRigidBody *body = in.add(hull, 1.0f, at(0.0f, 0.3f, 0.0f));
	in.run(10);
	hull->~btConvexPointCloudShape();
	hull = cube.make(0.5f);
	body->setCollisionShape(hull);
	in.run(200);
	NEAR(body->getWorldTransform().getOrigin().y(), 0.5, 3e-3);
	in.inner->removeRigidBody(body);
	hull->~btConvexPointCloudShape();
}

/* The same of a body that in this step has the index of another one, which is removed and changed as often: all that its new place
 * knows is that one's. */
void test_replaced_hull_at_other_index()
{
	world in(true);
	cube_in_place cube;
	in.add(in.box(5.0f, 1.0f, 5.0f), 0.0f, at(0.0f, -1.0f, 0.0f));
	btRigidBody *first = in.add(in.keep(new btSphereShape(0.5f)), 1.0f, at(3.0f, 0.5f, 0.0f));
	btConvexPointCloudShape *hull = cube.make(0.3f);
	btRigidBody *body = in.add(hull, 1.0f, at(0.0f, 0.3f, 0.0f));
	first->setCollisionShape(first->getCollisionShape());
	in.inner->performDiscreteCollisionDetection();
	NEAR(in.least_distance(), 0.0, 1e-6);
	hull->~btConvexPointCloudShape();
	hull = cube.make(0.5f);
	body->setCollisionShape(hull);
	const int place = first->getWorldArrayIndex(), revision = first->getUpdateRevisionInternal();
	in.inner->removeRigidBody(first);
	EQUAL(body->getWorldArrayIndex(), place);
	EQUAL(body->getUpdateRevisionInternal(), revision);
	in.inner->performDiscreteCollisionDetection();
	NEAR(in.least_distance(), -0.2, 1e-6);
	in.inner->removeRigidBody(body);
	hull->~btConvexPointCloudShape();
}

/* Points that change in place before a pair is new count for all of it, such as how far apart contacts are points. Points that the
 * library refuses are left to Bullet. */
void test_points_before_a_pair()
{
	for (const btScalar size : {0.1f, INFINITY}) {
		world in(true);
		auto *hull = in.keep(new btConvexHullShape);
		for (int corner = 0; corner < 8; corner++)
			hull->addPoint(
				btVector3((corner & 1) ? 5.0f : -5.0f, (corner & 2) ? 5.0f : -5.0f, (corner & 4) ? 5.0f : -5.0f));
		hull->setMargin(0.0f);
		in.add(hull, 1.0f, at(0.0f, 0.0f, 0.0f));
		in.add(in.keep(new btSphereShape(1.0f)), 0.0f, at(5.9f, 0.0f, 0.0f));
		in.inner->performDiscreteCollisionDetection();
		TRUE(in.points() > 0);
		for (int corner = 0; corner < 8; corner++)
			hull->getUnscaledPoints()[corner] *= std::isinf(size) ? 1.0f : size;
		if (std::isinf(size))
			hull->getUnscaledPoints()[7].setX(1e31f);
		else
			hull->recalcLocalAabb();
		/* 0.1 apart: more than the points of a cube of this size are, less than those of one of before. */
		in.add(in.keep(new btStaticPlaneShape(btVector3(0.0f, 1.0f, 0.0f), -0.6f)), 0.0f, at(0.0f, 0.0f, 0.0f));
		in.inner->performDiscreteCollisionDetection();
		if (std::isinf(size))
			TRUE(!in.ours->answers_for(hull) && in.points() > 0);
		else
			EQUAL(in.points(), 0);
	}
}

/* Points change in place while the pair is there. */
void test_forget()
{
	world in(true);
	in.add(in.box(5.0f, 1.0f, 5.0f), 0.0f, at(0.0f, -1.0f, 0.0f));
	auto *hull = in.keep(new btConvexHullShape);
	for (int corner = 0; corner < 8; corner++)
		hull->addPoint(
			btVector3((corner & 1) ? 0.5f : -0.5f, (corner & 2) ? 0.5f : -0.5f, (corner & 4) ? 0.5f : -0.5f));
	hull->setMargin(0.0f);
	const btRigidBody *body = in.add(hull, 1.0f, at(0.0f, 0.5f, 0.0f));
	in.run(10);
	for (int corner = 0; corner < 8; corner++)
		hull->getUnscaledPoints()[corner] *= 0.5f;
	hull->recalcLocalAabb();
	in.ours->forget(hull);
	in.run(200);
	NEAR(body->getWorldTransform().getOrigin().y(), 0.25, 3e-3);
}

/* More shapes than a table holds come and go. */
void test_many_shapes()
{
	world in(true);
	in.add(in.box(50.0f, 1.0f, 50.0f), 0.0f, at(0.0f, -1.0f, 0.0f));
	for (int round = 0; round < 1200; round++) {
		btSphereShape sphere(0.3f + 0.0001f * static_cast<float>(round));
		btRigidBody body(1.0f, nullptr, &sphere);
		body.setWorldTransform(at(0.0f, sphere.getRadius() - 0.01f, 0.0f));
		in.inner->addRigidBody(&body);
		const auto ball = in.keep(new btSphereShape(0.5f));
		if (round < 300)
			in.add(ball, 0.0f, at(static_cast<float>(round % 20) - 10.0f, 0.6f, static_cast<float>(round / 20) + 3.0f));
		in.inner->performDiscreteCollisionDetection();
		NEAR(in.least_distance(), -0.01, 1e-5);
		in.inner->removeRigidBody(&body);
	}
}

/* Hulls that overlap and move a little in each step: the least distance of each. Halfway the table of shapes is made anew. */
std::vector<double> move_hulls(bool proves)
{
	wp::bullet_options options;
	options.proves_depths = proves;
	world in(true, options);
	std::mt19937 random(11);
	std::vector<double> distances;
	std::vector<btCollisionObject *> uppers;
	for (int index = 0; index < 70; index++) {
		const btScalar x = 3.0f * static_cast<float>(index);
		in.add_object(in.keep(make_hull(random, 30)), at(x, 0.0f, 0.0f));
		uppers.push_back(in.add_object(in.keep(make_hull(random, 30)), at(x, 0.7f, 0.1f)));
	}
	for (int step = 0; step < 60; step++) {
		for (btCollisionObject *upper : uppers)
			upper->getWorldTransform().getOrigin() += btVector3(
				step % 4 < 2 ? 1e-3f : -1e-3f, step % 6 < 3 ? 1e-3f : -1e-3f, 0.0f);
		for (int index = 0; step == 30 && index < 1000; index++)
			in.add_object(in.keep(new btSphereShape(0.1f)), at(0.15f * static_cast<float>(index), 9.0f, 0.0f));
		in.inner->performDiscreteCollisionDetection();
		distances.push_back(in.least_distance());
	}
	return distances;
}

void test_proven_depths()
{
	const std::vector<double> with = move_hulls(true), again = move_hulls(true), without = move_hulls(false);
	for (std::size_t step = 0; step < with.size(); step++) {
		TRUE(with[step] < -0.1);
		EQUAL(with[step], again[step]);
		NEAR(with[step], without[step], 1e-5);
	}
}

/* Manifolds are everyone's: points that others remove come back. */
void test_cleared_manifold()
{
	world in(true);
	in.add(in.box(5.0f, 1.0f, 5.0f), 0.0f, at(0.0f, -1.0f, 0.0f));
	const btRigidBody *box = in.add(in.box(0.5f, 0.5f, 0.5f), 1.0f, at(0.0f, 0.5f, 0.0f));
	in.run(20);
	for (int left = 0; left < 4; left++) {
		while (in.dispatcher->getManifoldByIndexInternal(0)->getNumContacts() > left)
			in.dispatcher->getManifoldByIndexInternal(0)->removeContactPoint(0);
		in.run(1);
		EQUAL(in.points(), 4);
	}
	NEAR(box->getWorldTransform().getOrigin().y(), 0.5, 3e-3);
}

/* Objects that are no bodies have no velocity, wherever they were put: no contact is foreseen of them. */
void test_plain_objects()
{
	world in(true);
	in.add_object(in.box(1.0f, 1.0f, 1.0f), at(5.0f, 5.0f, 5.0f));
	btCollisionObject *other = in.add_object(in.box(1.0f, 1.0f, 1.0f), at(7.05f, 5.0f, 5.0f));
	in.inner->performDiscreteCollisionDetection();
	EQUAL(in.points(), 0);
	other->setWorldTransform(at(6.9f, 5.0f, 5.0f));
	in.inner->performDiscreteCollisionDetection();
	EQUAL(in.points(), 4);
	NEAR(in.least_distance(), -0.1, 1e-6);
}

int near_calls;

void near_callback(btBroadphasePair &pair, btCollisionDispatcher &dispatcher, const btDispatcherInfo &info)
{
	near_calls++;
	const auto *a = static_cast<const btCollisionObject *>(pair.m_pProxy0->m_clientObject);
	const auto *b = static_cast<const btCollisionObject *>(pair.m_pProxy1->m_clientObject);
	if (a->getUserIndex() != 9 && b->getUserIndex() != 9)
		btCollisionDispatcher::defaultNearCallback(pair, dispatcher, info);
}

void test_near_callback()
{
	world in(true);
	in.add(in.box(5.0f, 1.0f, 5.0f), 0.0f, at(0.0f, -1.0f, 0.0f));
	const btRigidBody *box = in.add(in.box(0.5f, 0.5f, 0.5f), 1.0f, at(0.0f, 0.5f, 0.0f));
	btRigidBody *passes = in.add(in.box(0.5f, 0.5f, 0.5f), 1.0f, at(3.0f, 0.5f, 0.0f));
	passes->setUserIndex(9);
	in.run(5);
	in.dispatcher->setNearCallback(near_callback);
	in.run(60);
	TRUE(near_calls > 60);
	NEAR(box->getWorldTransform().getOrigin().y(), 0.5, 3e-3);
	in.dispatcher->setNearCallback(btCollisionDispatcher::defaultNearCallback);
	in.run(60);
	NEAR(box->getWorldTransform().getOrigin().y(), 0.5, 3e-3);
	EQUAL(in.points() >= 4, 1);
}

/* A body whose pose is not finite has no points, and nothing else suffers. */
void test_bad_pose()
{
	world in(true);
	in.add_object(in.box(5.0f, 1.0f, 5.0f), at(0.0f, -1.0f, 0.0f));
	in.add_object(in.box(0.5f, 0.5f, 0.5f), at(0.0f, 0.49f, 0.0f));
	btCollisionObject *bad = in.add_object(in.box(0.5f, 0.5f, 0.5f), at(2.0f, 0.49f, 0.0f));
	in.inner->performDiscreteCollisionDetection();
	EQUAL(in.points(), 8);
	bad->setWorldTransform(at(NAN, 0.0f, 0.0f));
	in.dispatcher->dispatchAllCollisionPairs(
		in.broadphase.getOverlappingPairCache(), in.inner->getDispatchInfo(), in.dispatcher);
	EQUAL(in.points(), 4);
}

} // namespace

int main()
{
	test_all_shapes();
	test_callbacks(false);
	test_callbacks(true);
	test_replaced_points();
	test_queries_in_callbacks();
	test_removal_in_callbacks(false, 0.0f);
	test_removal_in_callbacks(false, 60.0f);
	test_removal_in_callbacks(true, 0.0f);
	for (const bool is_last : {false, true})
		for (const bool has_near_callback : {false, true})
			test_exchange_in_callbacks(is_last, has_near_callback);
	test_dispatch_in_callbacks();
	test_own_algorithm();
	test_friction();
	test_friction_directions();
	test_stiffness();
	test_friction_anchor();
	test_trigger();
	test_contact_test();
	test_sweeps();
	test_continuous();
	test_ghost();
	test_compound();
	test_mesh();
	test_plane();
	test_changes();
	test_replaced_hull();
	test_replaced_hull_at_other_index();
	test_points_before_a_pair();
	test_forget();
	test_many_shapes();
	test_proven_depths();
	test_cleared_manifold();
	test_plain_objects();
	test_near_callback();
	test_bad_pose();
	std::printf("%d failures\n", failures);
	return failures != 0;
}
