/* The entry points of one variant for manifolds: this file is compiled once per variant, and exports one table. */
#include "wide/manifold/box_capsule_patch.h"
#include "wide/manifold/box_patch.h"
#include "wide/manifold/capsule_patch.h"
#include "wide/manifold/half_space_manifold.h"

#define WP_MANIFOLD_TABLE WP_JOIN(wp_manifold_kernels_, WP_VARIANT)

extern const wp_manifold_kernels WP_MANIFOLD_TABLE;

static void clip(const wp_jobs *jobs, const int32_t *list, uint32_t total, uint32_t most, wp_manifold_scratch *scratch)
{
	wp_clip_block(jobs, list, total, most, scratch);
}

static void find_faces(const wp_jobs *jobs, const int32_t *list, uint32_t total, wp_manifold_scratch *scratch)
{
	wp_find_block(jobs, list, total, scratch);
}

static void clip_boxes(
	const wp_jobs *jobs, const int32_t *list, uint32_t total, uint32_t most, wp_manifold_scratch *scratch)
{
	wp_box_block(jobs, list, total, most, scratch);
}

static void clip_capsules(
	const wp_jobs *jobs, const int32_t *list, uint32_t total, uint32_t most, wp_manifold_scratch *scratch)
{
	wp_capsule_block(jobs, list, total, most, scratch);
}

static void clip_box_capsule(
	const wp_jobs *jobs, const int32_t *list, uint32_t total, uint32_t most, wp_manifold_scratch *scratch)
{
	wp_box_capsule_block(jobs, list, total, most, scratch);
}

static void clip_half_space(
	const wp_jobs *jobs, const int32_t *list, uint32_t total, uint32_t most, wp_manifold_scratch *scratch)
{
	wp_ground_clip(jobs, list, total, most, scratch);
}

const wp_manifold_kernels WP_MANIFOLD_TABLE = {.find_faces = find_faces,
	.clip = {[WP_CLIP_ANY] = clip,
		[WP_CLIP_BOXES] = clip_boxes,
		[WP_CLIP_CAPSULES] = clip_capsules,
		[WP_CLIP_BOX_CAPSULE] = clip_box_capsule,
		[WP_CLIP_HALF_SPACE] = clip_half_space}};
