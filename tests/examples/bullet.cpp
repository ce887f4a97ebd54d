/* Bullet with this library for its narrowphase: one line of a Bullet program is another. A pile of boxes, cylinders and
 * tables of five boxes falls on a plane; a trigger counts bodies that pass. The last line prints how the pile has come to rest. */
#include <btBulletDynamicsCommon.h>
#include <widephase/bullet.hpp>

#include <cstdio>
#include <memory>
#include <vector>

static void add_body(btDiscreteDynamicsWorld &world, btCollisionShape &shape, btScalar mass, const btVector3 &position)
{
	btVector3 inertia(0, 0, 0);
	if (mass > 0)
		shape.calculateLocalInertia(mass, inertia);
	auto *body = new btRigidBody(mass, nullptr, &shape, inertia);
	body->setWorldTransform(btTransform(btQuaternion::getIdentity(), position));
	world.addRigidBody(body);
}

int main()
{
	btDefaultCollisionConfiguration configuration;
	wp::bullet_dispatcher dispatcher(&configuration); /* was: btCollisionDispatcher dispatcher(&configuration); */
	btDbvtBroadphase broadphase;
	btSequentialImpulseConstraintSolver solver;
	btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);

	btStaticPlaneShape ground(btVector3(0, 1, 0), 0);
	btBoxShape box(btVector3(0.5f, 0.5f, 0.5f)), top(btVector3(0.6f, 0.1f, 0.6f)), leg(btVector3(0.1f, 0.3f, 0.1f));
	btCylinderShape cylinder(btVector3(0.4f, 0.5f, 0.4f));
	btCompoundShape table;
	table.addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(0, 0.4f, 0)), &top);
	for (int corner = 0; corner < 4; corner++)
		table.addChildShape(btTransform(btQuaternion::getIdentity(),
								btVector3((corner & 1) ? 0.5f : -0.5f, 0, (corner & 2) ? 0.5f : -0.5f)),
			&leg);
	btCollisionShape *const falling[] = {&box, &cylinder, &table};
	add_body(world, ground, 0, btVector3(0, 0, 0));
	for (int index = 0; index < 60; index++)
		add_body(world, *falling[index % 3], 1,
			btVector3(0.3f * float(index % 2), 1.5f + 1.25f * float(index), 0.2f * float(index % 3)));

	btCollisionObject trigger;
	trigger.setCollisionShape(&top);
	trigger.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, 3, 0)));
	trigger.setCollisionFlags(trigger.getCollisionFlags() | btCollisionObject::CF_NO_CONTACT_RESPONSE);
	world.addCollisionObject(&trigger);

	int passed = 0, points = 0;
	btScalar deepest = 0;
	for (int step = 0; step < 900; step++) {
		world.stepSimulation(1.0f / 60, 0);
		points = 0;
		deepest = 0;
		for (int index = 0; index < dispatcher.getNumManifolds(); index++) {
			const btPersistentManifold *manifold = dispatcher.getManifoldByIndexInternal(index);
			const bool is_trigger = manifold->getBody0() == &trigger || manifold->getBody1() == &trigger;
			passed += is_trigger && manifold->getNumContacts() > 0;
			points += manifold->getNumContacts();
			for (int point = 0; point < manifold->getNumContacts() && !is_trigger; point++)
				deepest = btMin(deepest, manifold->getContactPoint(point).getDistance());
		}
	}
	std::printf("%d points, the deepest %g m deep; the trigger was touched in %d of 900 steps\n", points,
		static_cast<double>(-deepest), passed);

	world.removeCollisionObject(&trigger);
	while (world.getNumCollisionObjects() > 0) {
		std::unique_ptr<btCollisionObject> body(world.getCollisionObjectArray()[0]);
		world.removeCollisionObject(body.get());
	}
	return deepest > -0.1f && points > 100 && passed > 0 ? 0 : 1;
}
