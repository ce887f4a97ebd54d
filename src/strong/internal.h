/* What the parts of the strong path share: the pair in the frame of A, support points of the Minkowski
 * difference A - B, and what each part hands to the next.
 *
 * All lengths are scaled by a power of two so that the larger of the core bounds and the distance of
 * the origins is in [1/2, 2). */
#ifndef WP_STRONG_INTERNAL_H
#define WP_STRONG_INTERNAL_H

#include "core/double3.h"
#include "strong/strong.h"
#include "widephase/query.h"

/* ---- tolerances, in scaled lengths -------------------------------------------------------------- */

/* GJK ends when its bracket is this narrow. */
#define WP_STRONG_GJK_TOLERANCE 1e-12

/* Steps without a nearer simplex or a better lower bound after which GJK ends. */
#define WP_STRONG_STALL_MAX 4

/* A simplex this near to the origin holds it: the cores touch or overlap, and EPA decides. */
#define WP_STRONG_TOUCH 1e-10

/* EPA ends when its bracket is this narrow. */
#define WP_STRONG_EPA_TOLERANCE 1e-11

/* Both end so where a core is smooth: GJK gains a constant factor with each step there, and EPA halves its faces. */
#define WP_STRONG_SMOOTH_TOLERANCE 1e-9

/* Where a circle of planes is as near, or nearly, EPA halves the faces all around. From so many vertices on, of a
 * smooth difference, a bracket is enough that is this share of what the contract allows: rounding to float takes the
 * rest. */
#define WP_STRONG_PATIENCE 64
#define WP_STRONG_ENOUGH 0.9

/* Supports that a depth whose bracket stayed wide may take to find a better plane, and the least turn that is tried. */
#define WP_STRONG_DESCENT_MAX 256
#define WP_STRONG_TURN_MIN 1e-9

/* A difference thinner than this is flat. Rounding of the vertices (about 2e-16) tilts a face of this
 * height by 1e-5 at most. */
#define WP_STRONG_FLAT 2e-11

/* A vertex this near to the plane of a face lies in it: some ten times the rounding of a vertex. */
#define WP_STRONG_COPLANAR 4e-15

/* A face lower than this is a piece of its longest edge: rounding decides where its normal points. */
#define WP_STRONG_SLIVER 1e-13

/* What rounding bounds outwards to floats may add to a bracket, relative to them. */
#define WP_STRONG_STORED 2.4e-7

/* Each bracket is widened by this: rounding of the pose, the support points, their dot products and the
 * weights, and the heights of slivers. */
#define WP_STRONG_ROUNDING 1e-12

/* ---- planes -------------------------------------------------------------------------------------- */

/* A triangle's normal, not normalised, from its two shortest edges, and its height over its longest
 * edge. The cross product of the two shortest is the one that rounding harms least. */
typedef struct wp_strong_plane {
	wp_d3 normal; /* length: twice the area */
	double height;
	int apex; /* the vertex opposite the longest edge */
} wp_strong_plane;

wp_strong_plane wp_strong_plane_of(wp_d3 p0, wp_d3 p1, wp_d3 p2);

/* ---- the pair ----------------------------------------------------------------------------------- */

typedef struct wp_strong_frame {
	const wp_core *a, *b;
	double scale;    /* power of two: scaled length = length * scale */
	wp_d33 rotation; /* from the frame of B to the frame of A */
	wp_d3 offset;    /* origin of B in the frame of A, scaled */
	double gap_tolerance, depth_tolerance;
	double extent;       /* L of the shapes, and both radii, scaled: a core's depth more is e */
	bool is_smooth;      /* one of the cores */
	uint32_t iterations; /* support points so far */
	uint32_t invalid;    /* WP_STATUS_INVALID_SHAPE_A and _B of support functions that gave no point */
} wp_strong_frame;

/* A vertex of A - B in the frame of A, scaled, and the core points w = a - b that it is made of. */
typedef struct wp_strong_vertex {
	wp_d3 w, a, b;
} wp_strong_vertex;

/* A core without its radius, and without the ball of an ellipsoid: its farthest point along a direction, in its frame.
 * Where a support function gives none, `side` joins `invalid`. */
wp_d3 wp_strong_core_point(const wp_core *core, wp_d3 direction, uint32_t side, uint32_t *invalid);

/* What rounds such a core: its radius, and that ball. */
double wp_strong_radius(const wp_core *core);

/* Support point of A - B: farthest along the direction, of equal ones the point of the lowest indices. */
wp_strong_vertex wp_strong_support(wp_strong_frame *frame, wp_d3 direction);

/* Up to four vertices and the weights of their point closest to the origin. */
typedef struct wp_strong_simplex {
	wp_strong_vertex vertices[4];
	double weights[4];
	int count;
	wp_d3 closest;
	double distance; /* length of closest */
} wp_strong_simplex;

/* Point closest to the origin of the sub-simplices that hold the required vertices (a set of bits, at
 * most one of them); vertices of weight 0 leave the simplex. */
void wp_strong_closest(wp_strong_simplex *simplex, unsigned required);

/* What is known of the cores, scaled, in the frame of A. `lower` and `upper` bound the separation but
 * for rounding; `lower` is the gap of the support planes along the normal. */
typedef struct wp_strong_finding {
	double separation, lower, upper;
	wp_d3 normal;              /* unit, from A to B */
	wp_strong_simplex simplex; /* its closest point is point_a - point_b */
	uint32_t status;
} wp_strong_finding;

/* True where the finding is final: the cores are apart. Otherwise the simplex is within `upper` of the
 * origin, and EPA decides. */
bool wp_strong_gjk(wp_strong_frame *frame, wp_strong_finding *finding);

/* Depth of cores that GJK could not prove apart. Reads and replaces GJK's finding. */
void wp_strong_epa(wp_strong_frame *frame, wp_strong_memory *memory, wp_strong_finding *finding);

#endif
