/* The surface of a hull with faces, in double precision. Knows the public headers only and shares no code with the
 * library. */
#ifndef TESTS_SUPPORT_FACETED_SURFACE_H
#define TESTS_SUPPORT_FACETED_SURFACE_H

#include "vector.h"
#include "widephase/shape.h"

#include <stdbool.h>

/* Whether a shape is such a hull. */
bool faceted_surface_is(const wp_shape *shape);

/* Signed distance of a point from the surface of such a shape, rounding radius included, in the shape's own
 * frame: negative inside. */
double faceted_surface_distance(const wp_shape *shape, v3 point);

#endif
