/* The entry points of one variant for triangles of meshes: this file is compiled once per variant, and exports one table. */
#include "wide/closed/triangles.h"
#include "wide/manifold/box_triangle.h"

#define WP_MESH_TABLE WP_JOIN(wp_mesh_kernels_, WP_VARIANT)

extern const wp_mesh_kernels WP_MESH_TABLE;

static void measure_segment(const wp_measure *measure, uint32_t count, wp_measured *measured)
{
	wp_measure_run(measure, count, false, measured);
}

/* In one lane the code for segments has to do, with the same bits: code of its own is 2 kB. */
static void measure_ball(const wp_measure *measure, uint32_t count, wp_measured *measured)
{
#if WP_WIDTH == 1
	measure_segment(measure, count, measured);
#else
	wp_measure_run(measure, count, true, measured);
#endif
}

static void touch_boxes(const wp_box_triangles *pairs, wp_box_touches *touches) { wp_touch_run(pairs, touches); }

const wp_mesh_kernels WP_MESH_TABLE = {
	.measure_ball = measure_ball, .measure_segment = measure_segment, .touch_boxes = touch_boxes};
