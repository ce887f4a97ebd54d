/* The cores of shapes, in their own frames and in double precision: what oracles and certificates know of a kind. Knows the
 * public headers only and shares no code with the library. */
#ifndef TESTS_SUPPORT_SHAPE_CORE_H
#define TESTS_SUPPORT_SHAPE_CORE_H

#include "vector.h"
#include "widephase/shape.h"

#include <stdbool.h>

/* Whether a shape is a cylinder, a cone or an ellipsoid. */
bool shape_core_is_smooth(const wp_shape *shape);

/* A point of the core of a valid shape that is farthest along a direction of any length; the origin of a half-space and of a
 * custom shape. */
v3 shape_core_point(const wp_shape *shape, v3 direction);

/* How far its core reaches from the origin; 0 of a half-space. */
double shape_core_bound(const wp_shape *shape);

#endif
