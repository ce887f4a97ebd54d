/* A 2D shape made ready: its core, split from its radius, as the corners of a strictly convex
 * polygon. */
#ifndef WP_SHAPE_SHAPE_2D_H
#define WP_SHAPE_SHAPE_2D_H

#include "shape/core_2d.h"
#include "shape/shape.h"
#include "widephase/2d.h"

struct wp2d_shape_table {
	wp_shape_table of;
};

#define WP2D_SHAPE_TABLE_MAGIC 0x77707461626c6532u

/* Room for the corners of the largest core. */
typedef struct wp2d_corners {
	WP_VECTORS float xy[2 * WP2D_VERTEX_MAX];
	uint8_t names[WP2D_VERTEX_MAX];
} wp2d_corners;

/* Core of one shape, which points at `corners`. NULL where the shape is valid, otherwise a sentence naming
 * the field at fault, and the core has no vertices. */
const char *wp2d_core_of_shape(const wp2d_shape *shape, wp2d_core *core, wp2d_corners *corners);

#endif
