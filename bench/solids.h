/* Random convex shapes, their supports, and where a ray leaves them or their Minkowski difference: what pairs
 * of a wanted gap or depth are placed by. Shares nothing with the library, so that the pairs stay the same
 * whatever the library answers. */
#ifndef BENCH_SOLIDS_H
#define BENCH_SOLIDS_H

#include "capture.h"
#include "support/gen_random.h"

/* Shapes under construction. */
typedef struct solid_list {
	capture_shape *shapes;
	float (*vertices)[3];
	uint32_t shape_count, shape_capacity;
	uint32_t vertex_count, vertex_capacity;
} solid_list;

bool solid_list_reserve(solid_list *list, uint32_t shapes, uint32_t vertices);
void solid_list_free(solid_list *list);

/* Each adds one shape to a list that has room for it. All contain their own origin, sizes are 0.1 to 1. */
void solid_add_sphere(solid_list *list, gen_random *random);
void solid_add_capsule(solid_list *list, gen_random *random);
void solid_add_box(solid_list *list, gen_random *random);
void solid_add_upright(solid_list *list, gen_random *random, capture_kind kind); /* cylinder or cone */
void solid_add_ellipsoid(solid_list *list, gen_random *random);
void solid_add_triangle(solid_list *list, gen_random *random);

/* One hull in three is a prism, the others have their vertices on an ellipsoid. `vertices` is a multiple
 * of 8. */
void solid_add_hull(solid_list *list, gen_random *random, uint32_t vertices);

/* A shape turned about its own origin, which stays at the world's. */
typedef struct solid {
	const capture_shape *shape;
	const float (*vertices)[3]; /* of the list */
	m3 turn;
} solid;

v3 solid_support(const solid *of, v3 direction);
double solid_bound(const solid *of); /* radius about the origin */

/* Where the ray from the origin along the unit vector `direction` leaves A - B; B may be NULL. `distance` is
 * along the ray, `normal` the unit normal of the boundary there. */
typedef struct solid_exit {
	double distance;
	v3 normal;
} solid_exit;

/* Needs the origin inside of A and B, and A - B to have volume: false where the boundary was not found.
 * Portal refinement as of XenoCollide (Snethen 2008), with the ray's exit in place of the origin. */
bool solid_leave(const solid *a, const solid *b, v3 direction, solid_exit *found);

#endif
