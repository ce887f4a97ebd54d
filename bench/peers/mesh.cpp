/* btBvhTriangleMeshShape, with quantised boxes as by default. */
#include "mesh.h"

#ifdef PEER_BULLET

#include "bullet_mesh.hpp"

#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>

#include <memory>

namespace
{

struct bullet_mesh {
	btTriangleIndexVertexArray triangles;
	std::unique_ptr<btBvhTriangleMeshShape> shape;
};

struct counter : btTriangleCallback {
	size_t count = 0;
	void processTriangle(btVector3 *, int, int) override { count++; }
};

struct first_hit : btTriangleRaycastCallback {
	size_t hits = 0;
	first_hit(const btVector3 &from, const btVector3 &to) : btTriangleRaycastCallback(from, to) {}
	btScalar reportHit(const btVector3 &, btScalar fraction, int, int) override
	{
		hits = 1;
		return fraction;
	}
};

btVector3 vector_of(const float v[3]) { return {v[0], v[1], v[2]}; }

} // namespace

void *peer_mesh_make(const wp_mesh_input *input)
{
	auto made = std::make_unique<bullet_mesh>();
	add_triangles(*input, made->triangles);
	made->shape = std::make_unique<btBvhTriangleMeshShape>(&made->triangles, true);
	return made.release();
}

void peer_mesh_free(void *mesh) { delete static_cast<bullet_mesh *>(mesh); }

size_t peer_mesh_box(void *mesh, const float lower[3], const float upper[3])
{
	counter found;
	static_cast<bullet_mesh *>(mesh)->shape->processAllTriangles(&found, vector_of(lower), vector_of(upper));
	return found.count;
}

size_t peer_mesh_ray(void *mesh, const float start[3], const float way[3])
{
	const btVector3 from = vector_of(start), to = from + vector_of(way);
	first_hit hit(from, to);
	static_cast<bullet_mesh *>(mesh)->shape->performRaycast(&hit, from, to);
	return hit.hits;
}

#else

/* Never called. */
void *peer_mesh_make(const wp_mesh_input *) { return nullptr; }
void peer_mesh_free(void *) {}
size_t peer_mesh_box(void *, const float[3], const float[3]) { return 0; }
size_t peer_mesh_ray(void *, const float[3], const float[3]) { return 0; }

#endif
