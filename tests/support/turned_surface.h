/* The surface of a cylinder or a cone, in double precision. Knows the public headers only and shares no code
 * with the library. */
#ifndef TESTS_SUPPORT_TURNED_SURFACE_H
#define TESTS_SUPPORT_TURNED_SURFACE_H

#include "vector.h"
#include "widephase/shape.h"

#include <stdbool.h>

/* Whether a shape is one of those kinds. */
bool turned_surface_is(const wp_shape *shape);

/* Signed distance of a point from the surface of such a shape, rounding radius included, in the shape's own
 * frame: negative inside. */
double turned_surface_distance(const wp_shape *shape, v3 point);

#endif
