/* W0: what differs between the two kernels that are made of these headers: those of boxes, segments and hulls, whose
 * vertices have ids, and with WP_SMOOTH those of pairs with a smooth core, whose polytopes never end. */
#ifndef WP_WIDE_FLAVOUR_H
#define WP_WIDE_FLAVOUR_H

#include "bundle.h"

#ifdef WP_SMOOTH

typedef wp_smooth_polytopes wp_meshes;
typedef wp_smooth_scratch wp_own_scratch;
#define WP_FACE_MAX WP_SMOOTH_FACE_MAX
#define WP_VERTEX_MAX WP_SMOOTH_VERTEX_MAX
#define WP_GAP_TOLERANCE WP_SMOOTH_TOLERANCE
#define WP_DEPTH_TOLERANCE WP_SMOOTH_TOLERANCE
#define WP_BRACKET_MAX WP_SMOOTH_BRACKET
#define WP_RESIDUAL_MAX WP_SMOOTH_RESIDUAL
#define WP_COMMON_TOLERANCE ((float)WP_SMOOTH_BRACKET)
#define WP_POINT_ROUNDING WP_SMOOTH_SHAPE_ROUNDING
#define WP_SLOT_BITS 7 /* of a vertex; faces take seven */

#else

typedef wp_polytopes wp_meshes;
typedef wp_scratch wp_own_scratch;
#define WP_FACE_MAX WP_EPA_FACE_MAX
#define WP_VERTEX_MAX WP_EPA_VERTEX_MAX
#define WP_GAP_TOLERANCE WP_GJK_TOLERANCE
#define WP_DEPTH_TOLERANCE WP_EPA_TOLERANCE
#define WP_BRACKET_MAX WP_CONTRACT
#define WP_RESIDUAL_MAX ((float)WP_CONTRACT)
#define WP_COMMON_TOLERANCE WP_COMMON_POINT_TOLERANCE
#define WP_POINT_ROUNDING WP_SHAPE_ROUNDING
#define WP_SLOT_BITS 6

#endif

/* The most that rounding of points and poses can be in kernel units, where cores and each coordinate of the distance are
 * below 1. */
#define WP_KERNEL_ROUNDING (2.0f * WP_POINT_ROUNDING + 1.7320509f * WP_OFFSET_ROUNDING)

#endif
