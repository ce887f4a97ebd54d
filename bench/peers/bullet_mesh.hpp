/* A mesh as Bullet takes it. */
#ifndef BENCH_PEERS_BULLET_MESH_HPP
#define BENCH_PEERS_BULLET_MESH_HPP

#include <widephase/cook.h>

#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>

/* The triangles of packed arrays, which stay where they are. */
inline void add_triangles(const wp_mesh_input &input, btTriangleIndexVertexArray &triangles)
{
	btIndexedMesh part;
	part.m_numTriangles = static_cast<int>(input.triangle_count);
	part.m_triangleIndexBase = reinterpret_cast<const unsigned char *>(input.triangles.data);
	part.m_triangleIndexStride = 12;
	part.m_numVertices = static_cast<int>(input.vertex_count);
	part.m_vertexBase = reinterpret_cast<const unsigned char *>(input.vertices.data);
	part.m_vertexStride = 12;
	triangles.addIndexedMesh(part);
}

#endif
