/* widephase: contacts by other methods than wp_contact, for comparison. Most callers need none of this, and a program
 * that does not call it links none of it. */
#ifndef WIDEPHASE_METHOD_H
#define WIDEPHASE_METHOD_H

#include "widephase/query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How contacts are found. WP_METHOD_AUTO is the most accurate and, for boxes, spheres and capsules, by far
 * the fastest; WP_METHOD_CORE takes 0.6 to 0.77 of its time for hulls that are near or overlap by less than the
 * margins, at errors of some percent of their size; WP_METHOD_SAMPLED is never faster (bench/RESULTS.md, Methods). With every
 * method lower <= truth <= upper, the bits are the same from every variant, and rows out of the kernels' range, or that fail
 * there, are solved by the strong path, within the accuracy of the contract. */
typedef enum wp_method {
	/* Closed forms for boxes, spheres and capsules, GJK and EPA for the rest: the accuracy of the contract. */
	WP_METHOD_AUTO = 0,

	/* GJK and EPA alone, without closed forms: the accuracy of the contract. To cross-check closed forms. */
	WP_METHOD_GJK_EPA,

	/* Shapes are shrunk by `margin` and rounded by it again. GJK alone then answers pairs that overlap by less than both
	 * margins, and EPA the rest, as in engines that give their shapes a margin (Bullet, PhysX, Jolt).
	 * separation, normal and points belong to the rounded shapes, which lie within the true ones: separation is above the
	 * truth by what edges and corners have lost, and below it by the accuracy of the contract at most. `upper` bounds it,
	 * and `lower` is what the support planes of the true shapes across the normal prove; where the two are further apart
	 * than the accuracy of the contract, WP_STATUS_WIDE_BRACKET is set. Faces lose nothing: where a face touches a face,
	 * lower and upper meet.
	 *  - Boxes are shrunk on all sides by m, the margin, but by no more than half their smallest half extent: upper is
	 *    above the truth by at most (sqrt(3) - 1) m for each box, beyond the accuracy of the contract.
	 *  - Hulls are scaled about their origin by 1 - t and rounded by t r, where r is the distance of their nearest face
	 *    from it: their faces must be known, close and go around their origin, else they stay as they are. For one hull
	 *    t r is the margin; two hulls have the same t, from the larger r. t is at most 1/2. Upper is above the truth by
	 *    at most t (R - r) for each hull, R being its bound.
	 *  - Other shapes stay as they are. Pairs of points, spheres and capsules, and pairs with a cylinder, a cone or an
	 *    ellipsoid, are solved as by WP_METHOD_AUTO, and so are pairs with a half-space or a custom shape by any method. */
	WP_METHOD_CORE,

	/* The widest gap of support planes across sampled directions: `directions` of them spread evenly in the frame of A,
	 * both ways along each axis of B's frame, the line of the origins, and for each hull the normals of its faces, at most as many
	 * as `directions`. Approximate: `separation` is what the best direction proves, never above the truth beyond rounding,
	 * and moving B along the normal by -separation frees it. `upper` bounds all directions between the sampled ones; it is
	 * tight only with many of them. Apart from that bound, the answer is exact where a face of A, of B or of a hull decides.
	 * point_a and point_b are the farthest points of the shapes along the normal and against it, each on its shape; they
	 * are not the nearest ones, and not opposite each other. `iterations` counts the directions. */
	WP_METHOD_SAMPLED,

	WP_METHOD_COUNT /* how many there are; not a method */
} wp_method;

/* Least and most directions of WP_METHOD_SAMPLED. No direction is further than 54.8 degrees from one of 6, 27.6 from 32,
 * 19.9 from 64, 14.5 from 128, 10.5 from 256. */
#define WP_METHOD_DIRECTIONS_MIN 6
#define WP_METHOD_DIRECTIONS_MAX 256

/* A method and its parameters. */
typedef struct wp_method_options {
	uint32_t method;     /* a wp_method */
	uint32_t directions; /* WP_METHOD_SAMPLED: WP_METHOD_DIRECTIONS_MIN to _MAX. Others ignore it */
	float margin;        /* WP_METHOD_CORE: >= 0, in the unit of lengths. Others ignore it */
} wp_method_options;

/* As wp_contact (query.h), by the requested method. Its own errors are WP_ERROR_NULL_METHOD, WP_ERROR_METHOD,
 * WP_ERROR_METHOD_MARGIN and WP_ERROR_METHOD_DIRECTIONS. */
WP_API wp_error wp_contact_by_method(wp_workspace *workspace, const wp_batch *batch, const wp_contact_options *options,
	const wp_method_options *method, const wp_results *results, wp_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif
