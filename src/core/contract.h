/* The numbers that the public headers promise, each once: for the library that keeps them, and for the program's judge and
 * the tests that hold it to them. Numbers alone, so that a judge shares no code with the library. L is the larger bounding
 * radius of the two shapes (wp_shape_table_bound), e = L + |separation|. */
#ifndef WP_CORE_CONTRACT_H
#define WP_CORE_CONTRACT_H

/* Of e, three bounds: the separation's error, how far it is from the gap between the support planes along the normal, and
 * upper - lower unless WP_STATUS_WIDE_BRACKET is set; also of witness points (query.h, and 2d.h by it). Casts may hit
 * or miss shapes that come closer than this to each other, and depths along a direction are so near to the truth, over
 * normal . u (cast.h, 2d.h). */
#define WP_CONTRACT 3e-6

/* Of e: the error of the separation of most pairs, and their share (query.h). */
#define WP_CONTRACT_TYPICAL 1e-6
#define WP_CONTRACT_TYPICAL_SHARE 0.999

/* In the place of WP_CONTRACT and WP_CONTRACT_TYPICAL where a shape is a cylinder, a cone, an ellipsoid or custom
 * (query.h, cast.h); and in its own place where such a row has WP_STATUS_WIDE_BRACKET (query.h). */
#define WP_CONTRACT_SMOOTH 1e-5
#define WP_CONTRACT_SMOOTH_WIDE 1e-4

/* Of e: how far witness points of such a pair are from their shapes, and point_a + separation * normal from point_b
 * (query.h). */
#define WP_CONTRACT_SMOOTH_POINT 1e-4

/* Degrees between the normal of such a pair and the true one, where no other comes near and |separation| is above this
 * share of L (query.h). */
#define WP_CONTRACT_SMOOTH_ANGLE 1.0
#define WP_CONTRACT_ANGLE_FROM 1e-2

/* How far from 1 the length of a normal or a tangent may be, and from 0 the product of two at right angles (query.h,
 * wp_tangents). */
#define WP_CONTRACT_UNIT 1e-6

/* Rounding of double, relative to the distance of a half-space's position, which its brackets hold (query.h); and of a direction
 * along its surface (cast.h). */
#define WP_CONTRACT_FAR 1e-15

/* How far points of a manifold are from their shapes: of L (manifold.h), in 2D of e (2d.h). */
#define WP_CONTRACT_MANIFOLD 1e-5

/* Of L: a point of a manifold that is not further from a feature than this is on it, and points that are deeper by no more
 * are as deep (manifold.h). */
#define WP_CONTRACT_FEATURE 5e-6

/* Cosine of the angle, 84 degrees, by which a face may lean from the normal and still give its points to a manifold
 * (manifold.h, 2d.h). */
#define WP_CONTRACT_LEAN 0.1

/* How far from 1 the length of a rotation, or of a normal given, may be without being refused (query.h, 2d.h,
 * persist.h). */
#define WP_CONTRACT_ROTATION 1e-2

#endif
