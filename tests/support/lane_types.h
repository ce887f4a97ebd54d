/* Vectors as arrays, for the tests of the kernels' layers. */
#ifndef TESTS_SUPPORT_LANE_TYPES_H
#define TESTS_SUPPORT_LANE_TYPES_H

#include "support/variant.h"
#include "support/vector.h"
#include "wide/lane/vec3.h"

typedef struct lane_floats {
	WP_VECTOR_ALIGN float at[WP_WIDTH];
} lane_floats;

typedef struct lane_points {
	lane_floats x, y, z;
} lane_points;

typedef struct lane_integers {
	WP_VECTOR_ALIGN int32_t at[WP_WIDTH];
} lane_integers;

static inline lane_floats floats_of(vf v)
{
	lane_floats r;
	vf_store(r.at, v);
	return r;
}

static inline lane_integers integers_of(vi v)
{
	lane_integers r;
	vi_store(r.at, v);
	return r;
}

static inline lane_points points_of(vf3 v)
{
	lane_points r;
	vf3_store(r.x.at, r.y.at, r.z.at, v);
	return r;
}

static inline vf3 load_points(const lane_points *p) { return vf3_load(p->x.at, p->y.at, p->z.at); }

static inline v3 point_at(const lane_points *p, int lane)
{
	return v3_of((double)p->x.at[lane], (double)p->y.at[lane], (double)p->z.at[lane]);
}

#endif
