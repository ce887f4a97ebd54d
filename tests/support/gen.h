/* Random pairs of shapes, biased to what hurts a narrowphase. Seeded and deterministic: the same seed
 * and index give the same bits on every machine (no library function beyond the square root is used). */
#ifndef TESTS_SUPPORT_GEN_H
#define TESTS_SUPPORT_GEN_H

#include "gen_random.h"
#include "widephase/query.h"
#include "widephase/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum gen_construction {
	GEN_SEPARATED = 0, /* clear of each other by up to their size */
	GEN_NEAR,          /* gap or depth a small part of the size */
	GEN_DEEP,
	GEN_FACE_ON_FACE,    /* with a tilt of 0 to 0.03 rad */
	GEN_EDGE_ON_EDGE,    /* nearly parallel */
	GEN_VERTEX_IN_PLANE, /* a vertex of B in the plane of a face of A, up to rounding */
	GEN_EXACT_TOUCH,     /* on a lattice: face, edge or vertex contact without any rounding */
	GEN_IDENTICAL,       /* the same shape at the same pose */
	GEN_COINCIDENT,      /* origins at one point */
	GEN_CONTAINED,
	GEN_NEEDLE,     /* 1 : 1000 */
	GEN_PLATE,      /* 1 : 1e-6 */
	GEN_SIZE_RATIO, /* 1 : 1e4 */
	GEN_TINY,       /* sizes of 1e-5 */
	GEN_HUGE,       /* sizes of 1e5 and beyond */
	GEN_FAR,        /* 1e5 sizes from the origin */
	GEN_COPLANAR_HULL,
	GEN_COLLINEAR_HULL,
	GEN_DUPLICATE_VERTICES,
	GEN_ZERO_EXTENT, /* boxes, capsules, segments and triangles that lack a dimension or three */
	GEN_ZERO_RADIUS,
	GEN_HUGE_RADIUS,
	GEN_FEW_VERTICES,  /* hulls of 1 to 4 */
	GEN_MANY_VERTICES, /* hulls of vertex_max */
	GEN_DENORMAL,
	GEN_OFF_UNIT,   /* quaternions up to 0.9e-2 from unit length */
	GEN_TIP_ON_TIP, /* farthest points along some direction on each other or beside, by millionths or more */
	GEN_FAR_VERTEX, /* hulls with one to three vertices 1e1 to 1e6 sizes away, their tips near each other */
	GEN_FAR_EDGE,   /* the same with edges that far away */
	GEN_FAR_FLAT,   /* the same with flats of three to five corners */
	GEN_CONSTRUCTION_COUNT
} gen_construction;

const char *gen_construction_name(gen_construction construction);

/* Which turns of the constructions have cylinders, cones and ellipsoids in the place of three of four boxes. The pairs of
 * the others are the same as without. */
typedef enum gen_smooth { GEN_SMOOTH_NONE = 0, GEN_SMOOTH_HALF, GEN_SMOOTH_ALL } gen_smooth;

typedef struct gen_options {
	uint64_t seed;
	uint32_t vertex_max; /* of a hull, 4 .. GEN_VERTEX_MAX */
	gen_smooth smooth;
	bool half_spaces;       /* one shape of every pair is a half-space, and placed anew */
	uint32_t constructions; /* a bit for each that takes turns, from GEN_SEPARATED's on; 0: all of them */
} gen_options;

#define GEN_VERTEX_MAX 4096

/* Pair i has shapes and poses 2 i (A) and 2 i + 1 (B). */
typedef struct gen_corpus {
	size_t count;
	wp_shape *shapes;
	wp_pose *poses;
	uint32_t *constructions;
	void **hulls; /* memory of the hull of each shape, or NULL */
} gen_corpus;

/* Pairs first .. first + count - 1 of the endless sequence of the seed; its constructions take turns.
 * False when memory ran out or the library refused a hull. */
bool gen_corpus_make(const gen_options *options, uint64_t first, size_t count, gen_corpus *corpus);
void gen_corpus_free(gen_corpus *corpus);

#endif
