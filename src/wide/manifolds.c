/* The entry points of one variant for manifolds: this file is compiled once per variant, and exports one table. */
#include "wide/manifold/box_capsule_patch.h"
#include "wide/manifold/box_patch.h"
#include "wide/manifold/capsule_patch.h"
#include "wide/manifold/half_space_manifold.h"

#define WP_MANIFOLD_TABLE WP_JOIN(wp_manifold_kernels_, WP_VARIANT)

extern const wp_manifold_kernels WP_MANIFOLD_TABLE;

const wp_manifold_kernels WP_MANIFOLD_TABLE = {.find_faces = wp_find_block,
	.clip = {[WP_CLIP_ANY] = wp_clip_block,
		[WP_CLIP_BOXES] = wp_box_block,
		[WP_CLIP_CAPSULES] = wp_capsule_block,
		[WP_CLIP_BOX_CAPSULE] = wp_box_capsule_block,
		[WP_CLIP_HALF_SPACE] = wp_ground_clip}};
