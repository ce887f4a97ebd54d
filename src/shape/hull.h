/* The memory format of a convex hull. Offsets instead of pointers, so a hull can be moved, written
 * and mapped; vertices as structure of arrays, padded to the widest kernel with repeats of vertex 0, so
 * that a vector loop over them needs no tail mask. In the byte order of the machine: a hull of the other order is
 * refused by its magic. */
#ifndef WP_SHAPE_HULL_H
#define WP_SHAPE_HULL_H

#include "core/base.h"
#include "core/capacity.h"
#include "core/checksum.h"
#include "widephase/shape.h"

struct wp_hull {
	uint32_t magic;     /* WP_HULL_MAGIC */
	uint32_t version;   /* WP_HULL_VERSION */
	uint32_t checksum;  /* over all bytes of the hull with this field as zero */
	uint32_t byte_size; /* of the whole hull, a multiple of WP_ALIGNMENT */
	uint32_t vertex_count;
	uint32_t vertex_padded; /* vertex_count rounded up to a multiple of WP_WIDTH_MAX */
	uint32_t turned;        /* 1 where the faces were turned: they had been given clockwise seen from outside */
	uint32_t face_count;
	uint32_t face_offset; /* bytes to uint32_t start[face_count + 1], then the indices */
	uint32_t face_index_count;
	float bound;            /* largest distance of a vertex from the origin, rounded up */
	uint32_t face_padded;   /* face_count rounded up to a multiple of WP_WIDTH_MAX */
	uint32_t normal_offset; /* bytes to float x[face_padded], y[face_padded], z[face_padded]: unit normals of
	                             the faces; then how far their planes are from the origin, float[face_padded].
	                             Padded with repeats of face 0's */
	float half[3]; /* of the box about the origin that the vertices reach. It fills the header to 64 bytes, where
	                             float x[padded], y[padded], z[padded] of the vertices follow */
};

/* x array of the vertices; y and z follow at +padded and +2 padded floats. */
const float *wp_hull_vertices(const wp_hull *hull);

/* x array of the faces' normals; y, z and the distances of the planes follow at +face_padded, +2 and +3 face_padded floats. */
const float *wp_hull_normals(const wp_hull *hull);

/* The way from a vertex to another. */
void wp_hull_edge(const wp_hull *hull, uint32_t from, uint32_t to, double edge[3]);

/* Twice the vector area of a face, along its normal, by Newell's method. */
void wp_hull_area(const wp_hull *hull, size_t face, double area[3]);

/* How far vertices may be out of place, relative to the farthest corner of the smallest box around the origin that holds
 * them all. A rotation and a translation in float, by a matrix made of a rounded quaternion, err by less than 8 roundings
 * of 2^-24 of that length; there are two, to world space and back. */
#define WP_HULL_PLACE_ROUNDING 0x1p-20

/* And absolutely, in the smallest floats, whose spacing is 2^-149. */
#define WP_HULL_PLACE_SPACING 0x1p-145

/* WP_OK if there are no faces, or if they are convex polygons of a closed surface, counter-clockwise seen from outside,
 * up to the rounding of the vertices; otherwise what is wrong, and *bad_face is the face at fault, if it is one face.
 * Vertices are finite, indices in range. Call it with the floating-point environment of a call. */
wp_error wp_hull_check_faces(const wp_hull *hull, size_t *bad_face);

/* The same for vertices outside of a face, in time of the number of faces times vertices. */
wp_error wp_hull_check_outside(const wp_hull *hull, size_t *bad_face);

/* Whether the hull in memory of at least its byte_size is intact (header, ranges, checksum). `find` is a faster way to the
 * checksum; NULL: there is none. */
bool wp_hull_is_intact(const wp_hull *hull, wp_find_checksum *find);

#endif
