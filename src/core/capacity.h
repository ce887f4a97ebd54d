/* Every fixed limit and tolerance, with its unit and its reason. */
#ifndef WP_CORE_CAPACITY_H
#define WP_CORE_CAPACITY_H

#include "core/base.h"
#include "core/contract.h"

/* Lanes of the widest variant. Arrays that kernels load as vectors are padded to it. */
#define WP_WIDTH_MAX 16

/* Jobs of one kind pair that are gathered before the kernels run on them: long enough that refilling
 * keeps lanes busy (128 to 1024 measured alike), short enough that a bucket stays in the L2 cache. The most
 * that a bucket can cost: a pair takes up to WP_GJK_STEP_MAX steps of GJK, and EPA adds a vertex in each of
 * its steps but the last, up to WP_EPA_VERTEX_MAX - 3 = 61. As long as jobs wait, more than three
 * quarters of the lanes are live, so 16 lanes take at most 256 * 125 / 13 + 125 = 2586 steps. */
#define WP_JOB_MAX 256

/* Jobs of a bucket that lie together: a block of any variant is in one chunk. With 16 contacts of boxes and capsules would take
 * 2 to 4 % longer, with 64 as long. */
#define WP_CHUNK_JOBS 32

_Static_assert(WP_CHUNK_JOBS % WP_WIDTH_MAX == 0 && WP_JOB_MAX % WP_CHUNK_JOBS == 0, "chunks of whole blocks");

/* Buckets of so few jobs are solved in one lane where the caller names no variant. Measured: one pair of
 * boxes takes 16 lanes 1.4 times as long as one, one of hulls of 32 vertices 1.9 times. */
#define WP_FEW_JOBS 2

/* Of larger buckets, too, where closed forms leave so few jobs, GJK searches them in one lane, and EPA so few whose cores overlap.
 * Measured, of three in eight lanes or four: hulls take 0.6 to 0.9 of the time, cylinders 0.8, ellipsoids 1.05; four ellipsoids
 * 1.2. */
#define WP_FEW_SEARCHED 3

/* Half of the lanes of the widest variant: so few jobs are solved in eight lanes instead, where the build has them. Measured:
 * sixteen lanes take 1.7 to 1.8 times as long for a block. */
#define WP_HALF_JOBS 8

/* GJK steps of one pair. Measured: 3.7 on average for boxes, 7 for 128-vertex hulls, 40 never reached. */
#define WP_GJK_STEP_MAX 64

/* Hulls of up to this many vertices may be copied into lanes, so that a support looks at one vertex of
 * every lane at a time: larger ones are searched faster where they lie. */
#define WP_LANE_HULL_MAX 8

/* EPA in lanes: faces and vertices of one polytope. 64 faces make sets of two words, whose lowest face is found fastest.
 * More than 64 faces were needed by one pair of 38 446 recorded and generated ones; those rows go
 * to the strong path. */
#define WP_EPA_FACE_MAX 64
#define WP_EPA_VERTEX_MAX 64

/* Faces that one EPA step may take out (measured: at most 10 on data; 1 or 2 are the rule). Its horizon
 * has at most 2 edges more. */
#define WP_EPA_VISIBLE_MAX 16

/* The same of smooth shapes, whose polytopes grow until their faces are small: of 1000 deep pairs of ellipsoids 200
 * needed more than 64 faces. A slot, the one past the last included, has seven bits. */
#define WP_SMOOTH_FACE_MAX 127
#define WP_SMOOTH_VERTEX_MAX 65

/* The strong path: faces, vertices, horizon edges of its one polytope, in double. Two cones or cylinders on one axis have
 * a circle of nearest planes with two to four vertices in each: 512 left some brackets beyond the contract. */
#define WP_STRONG_GJK_STEP_MAX 512
#define WP_STRONG_VERTEX_MAX 1024
#define WP_STRONG_FACE_MAX 2048
#define WP_STRONG_HORIZON_MAX 512

/* A closed triangulated surface of V vertices has 2 V - 4 faces (Euler). */
_Static_assert(WP_STRONG_FACE_MAX >= 2 * WP_STRONG_VERTEX_MAX - 4, "vertices fill up before faces do");

/* Corners of a face that a manifold is made of; WP_FACE_VERTEX_MAX to callers. Real hulls have fewer; of a regular
 * polygon of more, 32 corners span all but 0.7 % of its area. */
#define WP_FACE_CORNER_MAX 32

/* Corners of a cap, the flat end of a cylinder or a cone; WP_CAP_VERTEX_COUNT to callers. As many as a manifold can have
 * points, so that all of them may be in it; they span 90 % of the cap. More would lie so close that which of them is
 * chosen hangs on rounding. */
#define WP_CAP_CORNERS 8

/* Points that a manifold may have: both ends of each edge of A where it leaves B, the corners of B, and the pair of
 * witness points. */
#define WP_CANDIDATE_MAX (3 * WP_FACE_CORNER_MAX + 1)

/* Points that a manifold can have; WP_MANIFOLD_POINT_MAX to callers. */
#define WP_POINT_MAX 8

/* Directions that contacts may be sampled along; WP_METHOD_DIRECTIONS_MIN and _MAX to callers. Fewer than the axes both
 * ways cover nothing; twice as many as the most would be an angle of 7 degrees instead of 10, and cost as much. */
#define WP_DIRECTIONS_MIN 6
#define WP_DIRECTIONS_MAX 256

/* How far from the normal kernels may see two witness points where a core is smooth, relative to e, so that points keep
 * WP_CONTRACT_SMOOTH_POINT: faces are so small by then that rounding turns them by as much. Of deep pairs of ellipsoids 3 %
 * are further off than WP_CONTRACT_SMOOTH. */
#define WP_SMOOTH_RESIDUAL 8e-5f

/* Rounding of the kernels, relative to the two cores' bounding radii (rotated support points and their dot
 * products) and to the distance of the origins (the relative position). Every bracket is widened by it.
 * Measured in tens of millions of random pairs: 8.8e-7 of one core where both are two thirds of their
 * distance; this allows 11e-7 there. */
#define WP_SHAPE_ROUNDING 2.6e-7f
#define WP_OFFSET_ROUNDING 3.5e-7f

/* The same where a core is smooth: a support point adds the root and the quotient it is made of. */
#define WP_SMOOTH_SHAPE_ROUNDING 6e-7f

/* Rounding of radii against each other and against the cores, relative to their sum. */
#define WP_RADIUS_ROUNDING 1.2e-7f

/* What that leaves of three roundings of half a unit in the last place, of the radii's sum, of its difference from
 * the cores, and of that one's from this bound: relative to the difference. */
#define WP_SURFACE_ROUNDING 6e-8f

/* Rounding of a gap's own length, relative to it: of a unit normal and its dot product with a vector of
 * that length. */
#define WP_GAP_ROUNDING 2e-7f

/* Kernel lengths are scaled so that the larger core or the distance of the origins is in [1/2, 1); the
 * lengths below are in those units.
 *
 * GJK ends when its bracket is this narrow. Half of it would cost steps for digits
 * that rounding has already taken. */
#define WP_GJK_TOLERANCE 5e-8f

/* Bounds that differ by less are equal up to rounding: GJK then prefers the nearest feature's own normal. */
#define WP_GJK_SLACK 5.5e-7f

/* Rounding of six times the volume of a tetrahedron in kernel units: ten roundings of the product of two edges of
 * length 4 and a vertex 3.8 from the origin, and two more of each edge. */
#define WP_VOLUME_ROUNDING 6e-5f

/* Rounding of the dot product of a unit vector and another: three roundings of half a unit in the last place, relative to
 * the other's length. */
#define WP_HEIGHT_ROUNDING 1.8e-7f

/* Vertices of differences are no further from the origin than this, in kernel units: three coordinates of the distance of
 * the two origins, and both cores. */
#define WP_VERTEX_REACH 3.8f

/* By how much, relative to it, spheres must be further apart than a query asks to be separated by them alone: more than
 * all rounding, so that kernels prove what was seen. */
#define WP_APART_SLACK 1e-4f

/* What is taken from the bound of a kept plane, relative to the way between the positions, coordinate by coordinate, and
 * both shapes; and as much when the plane is kept. kept.h counts the roundings: 96 and 143 of half a unit in the last place;
 * this is 167 of each. */
#define WP_KEPT_SLACK 1e-5f

/* How far corners of a hull's face may be below the plane that is stored for it, relative to the hull's bound, if the planes are
 * to bound how deep a point is in the hull: 17 of half a unit in the last place (reuse.h). */
#define WP_PLANE_SLACK 1e-6

/* A lever of a kept plane is no shorter than this, relative to both shapes, so that its sign says whose it is; and pairs
 * smaller than this keep none, where products of lengths would lose digits. */
#define WP_KEPT_LEVER_MIN 1e-6f
#define WP_KEPT_REACH_MIN 1e-25f

/* Pairs smaller than this, both shapes, keep no points: the squares of a step round to multiples of 2^-149, so its length may
 * be off by 2^-75 sqrt(3), 4.6e-23, which is to be no more than the part of WP_KEPT_SLACK that other roundings leave. */
#define WP_REUSE_REACH_MIN 1e-16f

/* How far from the deepest of kept points, towards their mean, a point is looked at that may lie deeper inside of the other body:
 * in depths of the pair. A ball of this depth that touches both sides of a square corner is about a point sqrt(2) from it. */
#define WP_REUSE_INWARD 1.5f

/* How far inside of a hull a place is looked at, in errors of the reported separation, and how far from the point at most, in sizes of
 * both shapes, which an error counts for no more than. */
#define WP_REUSE_INSIDE 0.25f
#define WP_REUSE_INWARDS_MAX 0.25f

/* Square of how far apart the normal may be as both bodies carry it: 10 degrees. */
#define WP_REUSE_LEAN2_MAX 0.03f

/* A simplex this near to the origin holds it: the cores touch or overlap, and EPA decides. */
#define WP_GJK_TOUCH 5e-7f

/* EPA ends when its bracket is this narrow. */
#define WP_EPA_TOLERANCE 2e-7f

/* Both end so where a core is smooth. A bracket closes with the square of the distance of support points, which are
 * about a thousandth of the size apart by then. */
#define WP_SMOOTH_TOLERANCE 1e-6f

/* Heights below which a start tetrahedron of EPA is built again from its best face,
 * and below which its pair goes to the strong path (flat and sliver differences). */
#define WP_EPA_HEIGHT_GOOD 1e-3f
#define WP_EPA_HEIGHT_MIN 1e-4f

/* Height of a tetrahedron that is kept for the next query of its pair: enough to stay above WP_EPA_HEIGHT_GOOD. */
#define WP_EPA_APEX_HEIGHT 1e-2f

/* A bound of the depth of any two cores, in kernel units: both radii and the distance of the origins. */
#define WP_DEPTH_MAX 4.0f

/* Height of a face relative to its longest side below which it has no normal worth a search. */
#define WP_EPA_FACE_HEIGHT_MIN 1e-6f

/* How much further from the origin than the nearest face a thin one may be and still be what the origin is nearest to,
 * or outside of: its height, with sides of up to 4, GJK's touch, and the rounding of both distances. */
#define WP_EPA_THIN_ROUNDING 5e-7f
#define WP_EPA_THIN_REACH (4.0f * WP_EPA_FACE_HEIGHT_MIN + WP_GJK_TOUCH + WP_EPA_THIN_ROUNDING)

/* Spheres and capsules at triangles, in double. Gaps that are no longer than this, relative to the longest edge and the segment, have
 * no direction of their own: rounding turns it by 1e-16 over it. */
#define WP_MEASURE_TOUCH 1e-8

/* The square of the sine of the angle up to which a segment and an edge are parallel: any place is as near then. */
#define WP_MEASURE_PARALLEL 1e-14

/* What is taken from the room that a kept polytope leaves for motion, in kernel units: proven_depth.h counts the roundings, 207 of half
 * a unit in the last place; this is 268. */
#define WP_POLYTOPE_SLACK 1.6e-5f

/* A barycentric weight below minus this means that the origin projects outside a face; a coplanar neighbour is then
 * required. */
#define WP_EPA_OUTSIDE 1e-6f

/* Distance, in units of L, up to which two witness points of overlapping cores count as one point. */
#define WP_COMMON_POINT_TOLERANCE 1.5e-6f

/* Distance, in units of L, by which a corner may lie outside the other face and still count as inside, so that corners
 * on top of each other do: ten times the rounding of a corner's projection. */
#define WP_PATCH_TOLERANCE ((float)WP_CONTRACT_FEATURE)

/* Depth, in units of L, by which the deepest corner may be deeper than the one chosen first: many times the motions that solvers
 * leave bodies at rest, whose corners are the deepest in turn. */
#define WP_PATCH_REST 1e-3f

/* Distance, in units of L, below which two points of a manifold are one. */
#define WP_PATCH_APART 2e-5f

/* Depth, in units of L, by which the witness points must be deeper than the patch to become part of it, and a point of
 * the patch deeper than the contact to be none: heights of faces that lean most have ten times the rounding of a
 * corner's projection. */
#define WP_PATCH_DEEPER 2e-5f

/* A face is the one that looks most along the normal unless an earlier one does so within this: of a body that stands on an
 * edge two look alike, and the rounding of the normal would choose. Normals of smooth shapes are off by as much. */
#define WP_PATCH_ALIKE 2e-4f

/* Faces that lean further from the normal than this cosine, 84 degrees, make no patch: heights would be divided by
 * it. */
#define WP_PATCH_SLOPE_MIN ((float)WP_CONTRACT_LEAN)

/* Sine of the turn between two edges of a face, below which all its edges may be along one line: ten times the rounding
 * of a direction. */
#define WP_PATCH_TURN_MIN 1e-6f

/* Half of a box's width, in units of L, up to which it is a sliver: twenty times WP_PATCH_TOLERANCE, so that no place is
 * upon two sides across from each other. */
#define WP_PATCH_SLIVER 1e-4f

/* Component of a unit vector across a slab, below which it counts as that much: its rounding. From end to end of a face
 * it makes a fiftieth of WP_PATCH_TOLERANCE. */
#define WP_PATCH_PARALLEL 1e-7f

/* Sine of the angle about the axis, between the normal and the witness point, up to which the line on the side of a
 * cylinder or a cone goes through the witness point: of lines side by side a normal that is right within
 * WP_CONTRACT_SMOOTH may be turned by that much. Rounded sides are higher there than the balls along the line by a
 * quarter of half its square. */
#define WP_PATCH_ASIDE 5e-3f

/* By how much, relative to it, a point must be better than one before it to be chosen in its place: of symmetric patches
 * many are as good, and rounding would choose. */
#define WP_PATCH_BETTER 1.0001f

/* How much corners of B, and crossings of edges, count beside corners of A. */
#define WP_PATCH_WEIGHT_B 0.99f
#define WP_PATCH_WEIGHT_CROSSING 0.98f

/* Lengths between which a quaternion or an axis counts as unit, squared. */
#define WP_UNIT_MIN ((float)(1.0 - WP_CONTRACT_ROTATION))
#define WP_UNIT_MAX ((float)(1.0 + WP_CONTRACT_ROTATION))
#define WP_UNIT_SQUARED_MIN (WP_UNIT_MIN * WP_UNIT_MIN)
#define WP_UNIT_SQUARED_MAX (WP_UNIT_MAX * WP_UNIT_MAX)

/* Coordinates of positions beyond this are invalid; WP_COORDINATE_MAX to callers. */
#define WP_POSITION_MAX 1e30f

/* Core sizes and offsets outside [WP_SIZE_MIN, WP_POSITION_MAX] are left to the strong path: products of five lengths stay inside
 * the float range only for scaled pairs, and scaling is exact only for normal numbers. The end is that of positions, since the
 * offset of bodies in double is a position to kernels: it is left open where that of bodies in float is. */
#define WP_SIZE_MIN 0x1p-100f

/* Radii larger than this many core sizes are left to the strong path too: scaled, they would overflow. */
#define WP_RADIUS_RATIO_MAX 0x1p20f

#endif
