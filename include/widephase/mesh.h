/* widephase: triangle meshes, and what meets a box or a ray in one of them.
 *
 * widephase/cook.h makes a mesh of any triangles. This header reads it: a mesh is bytes in caller memory, as they came
 * from a file. */
#ifndef WIDEPHASE_MESH_H
#define WIDEPHASE_MESH_H

#include "widephase/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Triangles with their neighbours, and a tree of boxes around them. It lives in caller memory, is immutable and position
 * independent: it may be copied to another WP_ALIGNMENT-aligned address, written to disk and mapped. Any number of threads
 * may use one. Contents are private. */
typedef struct wp_mesh wp_mesh;

/* Most triangles of a mesh, and most vertices: 2^28. */
#define WP_MESH_TRIANGLE_MAX 268435456

/* What two triangles make of the edge between them, seen from the side that their normals face. */
typedef enum wp_edge_kind {
	WP_EDGE_FLAT = 0, /* the sine of the angle between the normals is at most 1e-3, and the cosine positive */
	WP_EDGE_CONVEX,   /* a ridge; also triangles that lie back to back */
	WP_EDGE_CONCAVE,  /* a valley */
	WP_EDGE_BOUNDARY, /* no neighbour: the edge is in one triangle, in three or more, or in two that disagree about which
	                    side is the front */
	WP_EDGE_KIND_COUNT /* how many kinds there are; none itself */
} wp_edge_kind;

/* One edge of a triangle. */
typedef struct wp_mesh_edge {
	uint32_t kind;           /* a wp_edge_kind; the neighbour has the same */
	uint32_t neighbour;      /* triangle on the other side; meaningless for WP_EDGE_BOUNDARY, as is the next field */
	uint32_t neighbour_edge; /* which of its edges this is, 0 to 2: it goes the other way there */
} wp_mesh_edge;

/* Check `size` bytes at `memory` (read from a file, say) and, if they hold an intact mesh, set *mesh. Nothing is built.
 * Every byte is covered by a checksum, and everything that queries rely on is checked again: indices, vertices, neighbours,
 * kinds of edges, the tree and its boxes. So no query reads outside of the bytes or loops, whatever they are. Takes time in
 * the number of triangles, about 0.05 us for each. Returns WP_ERROR_MESH_CORRUPT otherwise, also for a mesh that a machine
 * of the other byte order made; *mesh is then NULL. */
WP_API wp_error wp_mesh_from_memory(const void *memory, size_t size, const wp_mesh **mesh);

WP_API size_t wp_mesh_byte_size(const wp_mesh *mesh);      /* bytes to copy or write */
WP_API size_t wp_mesh_vertex_count(const wp_mesh *mesh);   /* distinct vertices, all of them in triangles */
WP_API size_t wp_mesh_triangle_count(const wp_mesh *mesh); /* triangles, 1 .. WP_MESH_TRIANGLE_MAX */
WP_API size_t wp_mesh_node_count(const wp_mesh *mesh);     /* nodes of the tree, 96 bytes each */
WP_API size_t wp_mesh_depth(const wp_mesh *mesh);          /* levels of the tree, 1 or more */

/* The smallest box that holds the mesh, into lower[3] and upper[3]. */
WP_API void wp_mesh_bounds(const wp_mesh *mesh, float lower[3], float upper[3]);

/* Vertex `index` (< vertex count) into vertex[3]. */
WP_API void wp_mesh_vertex(const wp_mesh *mesh, size_t index, float vertex[3]);

/* Indices of the corners of triangle `index` (< triangle count), counter-clockwise seen from its front. Triangles are in
 * the order of the tree: those near each other have near numbers. Edge e goes from corner e to corner (e + 1) % 3. */
WP_API void wp_mesh_triangle(const wp_mesh *mesh, size_t index, uint32_t corners[3]);

/* Which triangle of the cook's input triangle `index` (< triangle count) was. */
WP_API uint32_t wp_mesh_source(const wp_mesh *mesh, size_t index);

/* Unit normal of triangle `index` (< triangle count) into normal[3], to its front, rounded from double. */
WP_API void wp_mesh_normal(const wp_mesh *mesh, size_t index, float normal[3]);

/* Edge `edge` (< 3) of triangle `index` (< triangle count). */
WP_API wp_mesh_edge wp_mesh_edge_of(const wp_mesh *mesh, size_t index, size_t edge);

/* 1 where a body in front of triangle `index` (< triangle count) can touch it along its normal alone: no edge at its corners
 * is convex or a boundary, its own three among them. Otherwise 0. wp_mesh_from_memory believes this bit, but for a triangle
 * with such an edge of its own. */
WP_API int wp_mesh_is_face_only(const wp_mesh *mesh, size_t index);

/* ---- queries ------------------------------------------------------------------------------------ */

/* Find triangles whose own boxes meet a box; touching boxes meet. They come in ascending order, in parts of `capacity`:
 *
 *  uint32_t cursor = 0;
 *  while (cursor < wp_mesh_triangle_count(mesh)) {
 *      wp_mesh_overlap_box(mesh, lower, upper, &cursor, triangles, capacity, &count);
 *      ... triangles[0 .. count)
 *  }
 *
 *  lower, upper   corners of the box in the mesh's frame; may be infinite; WP_ERROR_MESH_BOX for NaN or lower > upper
 *  cursor         the first triangle to look at; on return the one to go on with, the number of triangles if none is left
 *  triangles      [capacity], written; may be NULL if capacity is 0
 *  count          set to how many were found, at most `capacity`; fewer only if none is left
 *
 * Takes no memory. To go on costs about as much as one step down the tree, whatever has been found before. */
WP_API wp_error wp_mesh_overlap_box(const wp_mesh *mesh, const float lower[3], const float upper[3], uint32_t *cursor,
	uint32_t *triangles, size_t capacity, size_t *count);

/* Where a ray meets a mesh. */
typedef struct wp_mesh_hit {
	uint32_t triangle; /* index in the mesh; WP_MESH_MISS if the ray meets nothing, all else is zero then */
	uint32_t is_front; /* 1 where the ray comes from the front of the triangle */
	float fraction;    /* of the way, 0 to 1: the point is start + fraction * way */
	float
		weights[3]; /* of the corners, 0 to 1, their sum is 1 within rounding: the point is also their weighted mean */
} wp_mesh_hit;

/* The number of no triangle. */
#define WP_MESH_MISS UINT32_MAX

/* Find the first triangle on the way from `start` to start + way, from either side. Of triangles with equal fractions it is
 * the one that came first in the cook's input, so the answer does not depend on the tree.
 *
 *  start   in the mesh's frame, finite, within WP_COORDINATE_MAX (query.h); WP_ERROR_MESH_RAY otherwise
 *  way     the same
 *  hit     written on WP_OK
 *
 * Method: the triangle in a frame whose third axis is the ray (Woop, Benthin, Wald 2013, Watertight ray/triangle
 * intersection), in double. A ray through an edge or a corner between triangles meets one of them at least. A ray in the
 * plane of a triangle does not meet it. The fraction is rounded to float from one with an error of about 1e-15 of the
 * distance of the triangle from the start, over the sine of the angle at which the ray meets its plane. */
WP_API wp_error wp_mesh_ray(const wp_mesh *mesh, const float start[3], const float way[3], wp_mesh_hit *hit);

#ifdef __cplusplus
}
#endif

#endif
