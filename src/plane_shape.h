/* A shape of the plane made ready: its core, split from its radius, as the corners of a strictly convex
 * polygon. */
#ifndef WP_SRC_PLANE_SHAPE_H
#define WP_SRC_PLANE_SHAPE_H

#include "plane_bundle.h"
#include "shape.h"
#include "widephase/plane.h"

struct wp2_shape_table {
	wp_shape_table of;
};

#define WP2_SHAPE_TABLE_MAGIC 0x77707461626c6532u

/* Room for the corners of a core: those of the largest. */
typedef struct wp2_corners {
	WP_VECTORS float xy[2 * WP2_VERTEX_MAX];
	uint8_t names[WP2_VERTEX_MAX];
} wp2_corners;

/* Core of one shape, which points at `corners`. NULL where the shape is valid, otherwise a sentence naming
 * the field at fault, and the core has no vertices. */
const char *wp2_core_of_shape(const wp2_shape *shape, wp2_core *core, wp2_corners *corners);

#endif
