/* The entry points of one variant for triangles of meshes: this file is compiled once per variant, and exports one table. */
#include "wide/manifold/box_triangle.h"

#define WP_MESH_TABLE WP_JOIN(wp_mesh_kernels_, WP_VARIANT)

extern const wp_mesh_kernels WP_MESH_TABLE;

static void touch_boxes(const wp_box_triangles *pairs, wp_box_touches *touches) { wp_touch_run(pairs, touches); }

const wp_mesh_kernels WP_MESH_TABLE = {.touch_boxes = touch_boxes};
