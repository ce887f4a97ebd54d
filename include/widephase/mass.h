/* widephase: mass properties of shapes and compounds, in double. */
#ifndef WIDEPHASE_MASS_H
#define WIDEPHASE_MASS_H

#include "widephase/compound.h"
#include "widephase/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Mass properties of a solid of density 1; for another density, multiply volume and inertia by it. */
typedef struct wp_mass {
	double volume;        /* length^3, > 0; the mass, of a compound with the densities of its children */
	double centroid[3];   /* in the frame of the shape, hull or compound */
	double inertia[3][3]; /* length^5: the symmetric tensor about the centroid, along the axes of that frame */
} wp_mass;

/* Mass of a shape, its rounding radius included. Spheres, capsules, segments, boxes, cylinders and cones may have any radius, points
 * and hulls of one or two vertices need one; ellipsoids, hulls and triangles with a radius have no closed form here. Within 1e-13
 * of the largest number of the same kind; of a hull of volume V and largest extent D within 1e-14 D^3 / V of it, where that is more:
 * thin hulls that lie aslant lose digits.
 *
 *  shape  read; a hull is validated, all its bytes. Not kept
 *  mass   written; all zero on an error
 *
 * Errors: WP_ERROR_NULL_SHAPE, WP_ERROR_NULL_MASS; WP_ERROR_SHAPE for a shape that wp_shape_table_build would mark as invalid;
 * WP_ERROR_SHAPE_MASS for a half-space, a support function, and a core of the kinds above with a radius; WP_ERROR_SHAPE_VOLUME
 * for a shape without one; WP_ERROR_HULL_VOLUME as for wp_hull_mass.
 *
 * Method: of hulls as in wp_hull_mass. Solids of revolution are sums over their profile, of frustums and of arcs; rounded boxes are
 * sums of a box, its slabs, edges and corners (Steiner's decomposition: Schneider 2014, Convex Bodies, ch. 4). */
WP_API wp_error wp_shape_mass(const wp_shape *shape, wp_mass *mass);

/* Mass of a hull, without any rounding radius: hulls far from their origin lose nothing beyond the rounding of their vertices.
 * The faces must enclose the volume, as the faces of wp_cook_points do: each edge in two faces, once in either direction,
 * counter-clockwise seen from outside. A polygon that is not quite plane counts as the triangles between its first vertex and
 * its edges.
 *
 *  hull   made by wp_hull_build or widephase-cook; WP_ERROR_HULL_CORRUPT otherwise
 *  mass   written; all zero on an error
 *
 * Errors: WP_ERROR_NULL_HULL, WP_ERROR_NULL_MASS; WP_ERROR_HULL_VOLUME for a hull that is flat, or so thin that the triangles of
 * its faces enclose no solid, and for one whose faces are unknown, do not close or are inside out.
 *
 * Method: the second moments of tetrahedra (Blow, Binstock 2004, How to find the inertia tensor of a 3D solid body
 * represented by a triangle mesh), about a vertex for the centroid, then about the centroid. */
WP_API wp_error wp_hull_mass(const wp_hull *hull, wp_mass *mass);

/* Mass of a compound: of all its children at their poses, each as wp_shape_mass has it. Where children overlap, both count.
 *
 *  shapes     the table that their shapes are in
 *  density    [child count] of each child, finite and >= 0, in its order; NULL or without data: 1. A child of density 0 is left
 *             out, whatever its shape; one without a volume adds nothing
 *  mass       written; all zero on an error. Its `volume` is the mass, the sum of density times volume
 *  bad_child  may be NULL; set to the child at fault for WP_ERROR_COMPOUND_SHAPE, WP_ERROR_DENSITY, WP_ERROR_SHAPE_MASS and
 *             WP_ERROR_HULL_VOLUME
 *
 * Errors: WP_ERROR_NULL_COMPOUND, WP_ERROR_NULL_SHAPES, WP_ERROR_NULL_MASS, WP_ERROR_SHAPE_TABLE_INVALID, WP_ERROR_DENSITY_STRIDE;
 * WP_ERROR_COMPOUND_SHAPE for a shape that is missing or invalid; WP_ERROR_DENSITY; WP_ERROR_SHAPE_MASS and WP_ERROR_HULL_VOLUME of a
 * child; WP_ERROR_SHAPE_VOLUME if nothing has a mass.
 *
 * Method: the parallel axis theorem, by which children are added one after the other about the centroid of both. */
WP_API wp_error wp_compound_mass(const wp_compound *compound, const wp_shape_table *shapes,
	const wp_const_float_column *density, wp_mass *mass, size_t *bad_child);

#ifdef __cplusplus
}
#endif

#endif
