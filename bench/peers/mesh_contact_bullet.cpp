/* Bullet: btBvhTriangleMeshShape against a convex shape by its collision algorithm, as a dispatcher runs it; margins and
 * options as by default. */
#include "mesh_contact.h"

#ifdef PEER_BULLET

#include "bullet_mesh.hpp"

#include <btBulletCollisionCommon.h>

#include <memory>
#include <vector>

namespace
{

struct bullet_scene {
	btTriangleIndexVertexArray triangles;
	std::unique_ptr<btBvhTriangleMeshShape> mesh;
	std::unique_ptr<btConvexShape> shape;
	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher{&configuration};
	btCollisionObject ground, body;
	btCollisionAlgorithm *algorithm = nullptr;

	~bullet_scene()
	{
		if (algorithm) {
			algorithm->~btCollisionAlgorithm();
			dispatcher.freeCollisionAlgorithm(algorithm);
		}
	}
};

btConvexShape *shape_of(const peer_body &body)
{
	switch (body.kind) {
	case PEER_BODY_BOX:
		return new btBoxShape(btVector3(body.size[0], body.size[1], body.size[2]));
	case PEER_BODY_SPHERE:
		return new btSphereShape(body.size[0]);
	case PEER_BODY_CAPSULE:
		return new btCapsuleShape(body.size[0], 2.0f * body.size[1]);
	default: {
		auto *hull = new btConvexHullShape;
		for (size_t i = 0; i < body.point_count; i++)
			hull->addPoint(btVector3(body.points[i][0], body.points[i][1], body.points[i][2]), false);
		hull->recalcLocalAabb();
		return hull;
	}
	}
}

} // namespace

void *peer_bullet_scene_make(const wp_mesh_input *input, const peer_body *body)
{
	auto made = std::make_unique<bullet_scene>();
	add_triangles(*input, made->triangles);
	made->mesh = std::make_unique<btBvhTriangleMeshShape>(&made->triangles, true);
	made->shape.reset(shape_of(*body));
	made->ground.setCollisionShape(made->mesh.get());
	made->body.setCollisionShape(made->shape.get());
	btCollisionObjectWrapper a(nullptr, made->shape.get(), &made->body, made->body.getWorldTransform(), -1, -1);
	btCollisionObjectWrapper b(nullptr, made->mesh.get(), &made->ground, made->ground.getWorldTransform(), -1, -1);
	made->algorithm = made->dispatcher.findAlgorithm(&a, &b, nullptr, BT_CLOSEST_POINT_ALGORITHMS);
	return made.release();
}

void peer_bullet_scene_free(void *scene) { delete static_cast<bullet_scene *>(scene); }

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

size_t peer_bullet_contact(void *scene, const float position[3], const float rotation[4])
{
	auto &s = *static_cast<bullet_scene *>(scene);
	const btQuaternion turn(rotation[0], rotation[1], rotation[2], rotation[3]);
	s.body.setWorldTransform(btTransform(turn, btVector3(position[0], position[1], position[2])));
	btCollisionObjectWrapper a(nullptr, s.shape.get(), &s.body, s.body.getWorldTransform(), -1, -1);
	btCollisionObjectWrapper b(nullptr, s.mesh.get(), &s.ground, s.ground.getWorldTransform(), -1, -1);
	counter result(&a, &b);
	result.m_closestPointDistanceThreshold = 0.02f;
	s.algorithm->processCollision(&a, &b, btDispatcherInfo(), &result);
	return result.count;
}

float peer_bullet_cast(void *scene, const float position[3], const float rotation[4], const float way[3])
{
	auto &s = *static_cast<bullet_scene *>(scene);
	const btQuaternion turn(rotation[0], rotation[1], rotation[2], rotation[3]);
	const btVector3 start(position[0], position[1], position[2]), end = start + btVector3(way[0], way[1], way[2]);
	btCollisionWorld::ClosestConvexResultCallback closest(start, end);
	btCollisionWorld::objectQuerySingle(s.shape.get(), btTransform(turn, start), btTransform(turn, end), &s.ground,
		s.mesh.get(), s.ground.getWorldTransform(), closest, 0.0f);
	return closest.m_closestHitFraction;
}

namespace
{

struct kept_body {
	btCollisionObject object;
	btCollisionAlgorithm *algorithm;
};

struct bullet_frames {
	bullet_scene scene;
	std::vector<kept_body> bodies;

	~bullet_frames()
	{
		for (kept_body &of : bodies) {
			of.algorithm->~btCollisionAlgorithm();
			scene.dispatcher.freeCollisionAlgorithm(of.algorithm);
		}
	}
};

} // namespace

void *peer_bullet_frames_make(const wp_mesh_input *input, const peer_body *body, size_t count)
{
	auto made = std::make_unique<bullet_frames>();
	bullet_scene &s = made->scene;
	add_triangles(*input, s.triangles);
	s.mesh = std::make_unique<btBvhTriangleMeshShape>(&s.triangles, true);
	s.shape.reset(shape_of(*body));
	s.ground.setCollisionShape(s.mesh.get());
	made->bodies.resize(count);
	for (kept_body &of : made->bodies) {
		of.object.setCollisionShape(s.shape.get());
		btCollisionObjectWrapper a(nullptr, s.shape.get(), &of.object, of.object.getWorldTransform(), -1, -1);
		btCollisionObjectWrapper b(nullptr, s.mesh.get(), &s.ground, s.ground.getWorldTransform(), -1, -1);
		of.algorithm = s.dispatcher.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
	}
	return made.release();
}

void peer_bullet_frames_free(void *frames) { delete static_cast<bullet_frames *>(frames); }

size_t peer_bullet_frame(void *frames, size_t body, const float position[3], const float rotation[4])
{
	auto &f = *static_cast<bullet_frames *>(frames);
	kept_body &of = f.bodies[body];
	const btQuaternion turn(rotation[0], rotation[1], rotation[2], rotation[3]);
	of.object.setWorldTransform(btTransform(turn, btVector3(position[0], position[1], position[2])));
	btCollisionObjectWrapper a(nullptr, f.scene.shape.get(), &of.object, of.object.getWorldTransform(), -1, -1);
	btCollisionObjectWrapper b(
		nullptr, f.scene.mesh.get(), &f.scene.ground, f.scene.ground.getWorldTransform(), -1, -1);
	btManifoldResult result(&a, &b);
	of.algorithm->processCollision(&a, &b, btDispatcherInfo(), &result);
	btManifoldArray manifolds;
	of.algorithm->getAllContactManifolds(manifolds);
	size_t count = 0;
	for (int i = 0; i < manifolds.size(); i++)
		count += static_cast<size_t>(manifolds[i]->getNumContacts());
	return count;
}

#else

/* Never called. */
void *peer_bullet_frames_make(const wp_mesh_input *, const peer_body *, size_t) { return nullptr; }
void peer_bullet_frames_free(void *) {}
size_t peer_bullet_frame(void *, size_t, const float[3], const float[4]) { return 0; }
void *peer_bullet_scene_make(const wp_mesh_input *, const peer_body *) { return nullptr; }
void peer_bullet_scene_free(void *) {}
size_t peer_bullet_contact(void *, const float[3], const float[4]) { return 0; }
float peer_bullet_cast(void *, const float[3], const float[4], const float[3]) { return 1; }

#endif
