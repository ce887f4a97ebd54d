/* Box2D on 2D pairs: what it needs is built outside the timed region. */
#ifndef BENCH_PEERS_BOX2D_H
#define BENCH_PEERS_BOX2D_H

#include "widephase/2d.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In the order of the benchmark's queries. */
typedef enum box2d_query {
	BOX2D_OVERLAP = 0,
	BOX2D_DISTANCE,
	BOX2D_CONTACT, /* it has none: depths come with manifolds */
	BOX2D_MANIFOLD,
	BOX2D_QUERY_COUNT
} box2d_query;

typedef struct box2d_row {
	float separation; /* of the shapes without a skin: the distance, or the separation of a manifold's deepest point */
	float point_a[2], point_b[2], normal[2];
	uint32_t point_count; /* of BOX2D_MANIFOLD */
	uint32_t overlaps;    /* of BOX2D_OVERLAP */
} box2d_row;

/* Bodies 2 i and 2 i + 1 make pair i. NULL where it refuses a shape. */
void *box2d_create(const wp2d_shape *shapes, uint32_t shape_count, const uint32_t *shape_of, const wp2d_pose *poses,
	size_t pair_count);
void box2d_destroy(void *scene);

/* Answers all pairs, in world space. */
void box2d_run(void *scene, box2d_query query, box2d_row *rows);

#ifdef __cplusplus
}
#endif

#endif
