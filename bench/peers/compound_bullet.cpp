/* Bullet: btCompoundShape against btCompoundShape by its collision algorithm, as a dispatcher runs it; each pair has one of its
 * own, which keeps those of its children from call to call. */
#include "compound.h"

#ifdef PEER_BULLET

#include <btBulletCollisionCommon.h>

#include <memory>
#include <vector>

namespace
{

struct compounds_scene {
	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher{&configuration};
	std::vector<std::unique_ptr<btConvexShape>> shapes;
	btCompoundShape compound;
	std::vector<btCollisionObject> bodies;
	std::vector<btCollisionAlgorithm *> algorithms;

	~compounds_scene()
	{
		for (btCollisionAlgorithm *algorithm : algorithms) {
			algorithm->~btCollisionAlgorithm();
			dispatcher.freeCollisionAlgorithm(algorithm);
		}
	}
};

btConvexShape *shape_of(const wp_shape &shape, const peer_compounds &from)
{
	if (shape.kind == WP_SHAPE_BOX)
		return new btBoxShape(btVector3(shape.half_extents[0], shape.half_extents[1], shape.half_extents[2]));
	if (shape.kind == WP_SHAPE_CAPSULE)
		return new btCapsuleShape(shape.radius, 2.0f * shape.half_height);
	auto *hull = new btConvexHullShape;
	for (size_t i = 0; i < from.point_count; i++)
		hull->addPoint(btVector3(from.points[i][0], from.points[i][1], from.points[i][2]), false);
	hull->recalcLocalAabb();
	return hull;
}

btTransform transform_of(const float position[3], const float rotation[4])
{
	return btTransform(btQuaternion(rotation[0], rotation[1], rotation[2], rotation[3]),
		btVector3(position[0], position[1], position[2]));
}

btCollisionObjectWrapper wrapper_of(compounds_scene &s, size_t body)
{
	btCollisionObject &object = s.bodies[body];
	return btCollisionObjectWrapper(nullptr, &s.compound, &object, object.getWorldTransform(), -1, -1);
}

} // namespace

void *peer_bullet_compounds_make(const peer_compounds *from)
{
	auto made = std::make_unique<compounds_scene>();
	for (size_t i = 0; i < from->child_count; i++) {
		const wp_compound_child &child = from->children[i];
		made->shapes.emplace_back(shape_of(from->shapes[child.shape], *from));
		made->compound.addChildShape(transform_of(child.position, child.rotation), made->shapes.back().get());
	}
	made->bodies.resize(2 * from->pair_count);
	for (size_t i = 0; i < made->bodies.size(); i++) {
		made->bodies[i].setCollisionShape(&made->compound);
		made->bodies[i].setWorldTransform(transform_of(from->poses[i].position, from->poses[i].rotation));
	}
	for (size_t i = 0; i < from->pair_count; i++) {
		const btCollisionObjectWrapper a = wrapper_of(*made, 2 * i), b = wrapper_of(*made, 2 * i + 1);
		made->algorithms.push_back(made->dispatcher.findAlgorithm(&a, &b, nullptr, BT_CLOSEST_POINT_ALGORITHMS));
	}
	return made.release();
}

void peer_bullet_compounds_free(void *scene) { delete static_cast<compounds_scene *>(scene); }

namespace
{

struct counter : btManifoldResult {
	size_t count = 0;
	counter(const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b) : btManifoldResult(a, b) {}
	void addContactPoint(const btVector3 &, const btVector3 &, btScalar depth) override
	{
		count += depth <= m_closestPointDistanceThreshold;
	}
};

} // namespace

size_t peer_bullet_compounds_contact(void *scene)
{
	auto &s = *static_cast<compounds_scene *>(scene);
	size_t count = 0;
	for (size_t i = 0; i < s.algorithms.size(); i++) {
		const btCollisionObjectWrapper a = wrapper_of(s, 2 * i), b = wrapper_of(s, 2 * i + 1);
		counter result(&a, &b);
		result.m_closestPointDistanceThreshold = 0.02f;
		s.algorithms[i]->processCollision(&a, &b, btDispatcherInfo(), &result);
		count += result.count;
	}
	return count;
}

#else

/* Never called. */
void *peer_bullet_compounds_make(const peer_compounds *) { return nullptr; }
void peer_bullet_compounds_free(void *) {}
size_t peer_bullet_compounds_contact(void *) { return 0; }

#endif
