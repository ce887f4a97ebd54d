/* widephase-cook: hulls from points, and their mass; meshes from triangles. A separate library: it needs qhull and
 * allocates; the core library needs neither. Where memory runs out, calls return WP_ERROR_HULL_COOK or, for a mesh,
 * WP_ERROR_MESH_MEMORY. */
#ifndef WIDEPHASE_COOK_H
#define WIDEPHASE_COOK_H

#include "widephase/mass.h"
#include "widephase/mesh.h"
#include "widephase/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Compute the convex hull of points[0 .. count) by qhull and build a wp_hull of it, with faces
 * (coplanar facets merged, counter-clockwise seen from outside), in memory of its own.
 *
 *  points         [count][3], finite, within WP_COORDINATE_MAX (query.h); need not be extreme or distinct; copied
 *  point_stride   bytes from one point to the next, 12 or more; 0 = 12
 *  count          >= 1; at most WP_HULL_VERTEX_MAX may turn out to be extreme
 *  hull           set to the hull, aligned to WP_ALIGNMENT; release it with wp_cook_free; NULL on an error
 *  bad_index      may be NULL; set to the point at fault for WP_ERROR_HULL_VERTEX
 *
 * Time and memory grow with count alone, which callers limit for points from a source that they do not trust: time as its
 * square where thousands of extreme points are in one plane (65 535 on a sphere take 7 s, 8000 around two discs as long).
 *
 * Points within some 1e-14 of the largest extent of the hull of the others may be left out, which matters where extents differ by
 * so much.
 *
 * A set without volume (one point, collinear, coplanar) is legal: the hull then holds its extreme
 * points, and two faces (both sides of the polygon) where it is flat, none where it is thinner.
 *
 * Errors: WP_ERROR_NULL_HULL, WP_ERROR_NULL_POINTS, WP_ERROR_POINT_STRIDE; WP_ERROR_HULL_VERTEX_COUNT for no points, or too many
 * extreme ones; WP_ERROR_HULL_VERTEX for a point that is not finite or beyond WP_COORDINATE_MAX; WP_ERROR_HULL_COOK where
 * memory runs out, for more than 2^31 - 1 points, or if qhull fails; and errors of wp_hull_build. */
WP_API wp_error wp_cook_points(
	const float *points, size_t point_stride, size_t count, const wp_hull **hull, size_t *bad_index);

/* A hull of at most max_vertices of the points, for engines that want few. Its vertices are some of the vertices of
 * the full hull, which wp_cook_points makes. So it lies within the full hull, and no part of the full hull is further
 * outside it than *error: with *error as the rounding radius of the shape (wp_shape.radius) it contains every point again.
 * Errors: as for wp_cook_points, and WP_ERROR_MAX_VERTICES.
 *
 *  max_vertices   >= 4, else WP_ERROR_MAX_VERTICES; more than WP_HULL_VERTEX_MAX counts as WP_HULL_VERTEX_MAX, so that
 *                 sets with more extreme points can be cooked, too
 *  error          may be NULL; set on success to the largest distance of a point from the hull, proven in double and
 *                 rounded up: 0 where every point is a vertex, else at least 7e-15 of the largest extent
 *
 * If max_vertices are enough, the hull is the full one, bit for bit. Else the vertices are chosen one by one, beginning with
 * the one farthest from the middle, each the one farthest from the hull of the ones before (Gonzalez 1985, Clustering to
 * minimize the maximum intercluster distance, with the distance to a hull). There are fewer than max_vertices if fewer leave
 * nothing outside, or if one of them is within rounding of a face. The same points give the same hull. Distances are between
 * the nearest points of hulls (Wolfe 1976, Finding the nearest point in a polytope). The time grows with the number of
 * extreme points times max_vertices, and, for *error, with the number of points times vertices. */
WP_API wp_error wp_cook_simplified(const float *points, size_t point_stride, size_t count, size_t max_vertices,
	const wp_hull **hull, float *error, size_t *bad_index);

/* wp_hull_mass (mass.h), which the core library has, with its errors. */
WP_API wp_error wp_cook_mass(const wp_hull *hull, wp_mass *mass);

/* Release a hull made by this library. NULL is legal. */
WP_API void wp_cook_free(const wp_hull *hull);

/* ---- meshes ------------------------------------------------------------------------------------- */

/* Input of wp_cook_mesh: any triangles, connected or not. Their fronts are where they are counter-clockwise. */
typedef struct wp_mesh_input {
	wp_const_float_column vertices;   /* of vertices of 3 floats, finite, within WP_COORDINATE_MAX (query.h) */
	size_t vertex_count;              /* below 2^32 */
	wp_const_uint32_column triangles; /* of 3 indices of vertices; without data each three vertices are a triangle, and
	                                     its stride and the next field are ignored */
	size_t triangle_count;            /* 1 .. WP_MESH_TRIANGLE_MAX */
} wp_mesh_input;

/* What wp_cook_mesh found. Counts of edges are of edges, not of their sides. */
typedef struct wp_mesh_report {
	size_t bad_index; /* the vertex of WP_ERROR_MESH_VERTEX, the triangle of WP_ERROR_MESH_INDEX; else 0 */
	size_t welded;    /* vertices at the place of an earlier one, which stands for them */
	size_t dropped;   /* triangles without an area: a corner twice, or corners in line within the rounding of double */
	size_t unused;    /* distinct vertices in no triangle that was kept: dropped, too */
	size_t boundary_edges; /* edges of one triangle */
	size_t crowded_edges;  /* edges of three triangles or more: boundaries for all of them */
	size_t turned_edges;   /* edges of two triangles with their fronts on different sides: boundaries for both */
} wp_mesh_report;

/* Make a mesh of triangles, in memory of its own.
 *
 *  mesh     set to the mesh, aligned to WP_ALIGNMENT; release it with wp_cook_free_mesh; NULL on an error
 *  report   may be NULL; written whatever is returned
 *
 * Vertices with equal coordinates become one (-0 equals 0), whatever their distance; nothing else is moved. Vertices and
 * triangles are numbered anew: wp_mesh_source has the triangle of the input. The same input gives the same bytes on every
 * machine of one byte order, by any compiler. Takes about 0.6 us a triangle, and 110 bytes of memory for each
 * while it works.
 *
 * Method: binned surface area heuristic (Wald 2007, On fast construction of SAH-based bounding volume hierarchies), nodes of
 * eight by opening the child of the largest area. */
WP_API wp_error wp_cook_mesh(const wp_mesh_input *input, const wp_mesh **mesh, wp_mesh_report *report);

/* Release a mesh made by wp_cook_mesh. NULL is legal. */
WP_API void wp_cook_free_mesh(const wp_mesh *mesh);

#ifdef __cplusplus
}
#endif

#endif
