/* A narrowphase as a plug-in of widephase-judge: a shared object with the three functions below. Plain C; it links nothing of
 * this project, and needs no other header of it.
 *
 *     cc -shared -fPIC -I bench/judge mine.c -o mine.so
 *     widephase-judge ./mine.so
 *
 * The judge loads it in a process of its own, so that one that ends, or never ends, costs only the pairs that it ended on. */
#ifndef BENCH_JUDGE_NARROWPHASE_H
#define BENCH_JUDGE_NARROWPHASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#define NARROWPHASE_EXPORT __attribute__((visibility("default")))
#else
#define NARROWPHASE_EXPORT
#endif

/* What shapes there are, and their `param`. All are solid, centred on their own origin unless vertices say otherwise. */
typedef enum narrowphase_kind {
	NARROWPHASE_SPHERE = 0, /* radius */
	NARROWPHASE_CAPSULE,    /* radius, half the length of its segment; along local Y */
	NARROWPHASE_BOX,        /* three half extents, rounding radius */
	NARROWPHASE_HULL,     /* convex hull of its vertices; param[3]: rounding radius. 3, 2, 1 vertices are a triangle, a
	                           segment, a point; others may be flat too */
	NARROWPHASE_CYLINDER, /* radius, half height; param[3]: rounding radius; along local Y */
	NARROWPHASE_CONE,     /* radius of its base, half height; param[3]: rounding radius; apex at +Y */
	NARROWPHASE_ELLIPSOID /* three semi-axes, rounding radius */
} narrowphase_kind;

typedef struct narrowphase_shape {
	uint32_t kind; /* a narrowphase_kind, or a number that later judges have */
	float param[4];
	uint32_t first_vertex; /* of a hull: its range of the vertices */
	uint32_t vertex_count;
} narrowphase_shape;

/* Two shapes and where they are: a rotation, then a translation, from a shape's own frame to the world. */
typedef struct narrowphase_pair {
	uint32_t a, b; /* indices of shapes */
	float position_a[3];
	float rotation_a[4]; /* unit quaternion x, y, z, w */
	float position_b[3];
	float rotation_b[4];
} narrowphase_pair;

/* What is to be answered. The arrays stay as they are until the plug-in is closed. */
typedef struct narrowphase_input {
	const narrowphase_shape *shapes; /* [shape_count] */
	const float (*vertices)[3];      /* [vertex_count] */
	const narrowphase_pair *pairs;   /* [pair_count] */
	uint32_t shape_count, vertex_count;
	size_t pair_count;
	double max_separation; /* pairs that are further apart need no separation */
	const char *mode;      /* what the command line has behind the colon of PLUGIN.so:MODE; "" without one */
} narrowphase_input;

typedef enum narrowphase_answer {
	NARROWPHASE_NONE = 0,  /* no answer: it gave up */
	NARROWPHASE_APART,     /* apart, without a separation */
	NARROWPHASE_OVERLAP,   /* overlapping, without a depth */
	NARROWPHASE_SEPARATION /* all of the fields below */
} narrowphase_answer;

/* The answer to a pair, in the world frame. */
typedef struct narrowphase_row {
	double separation; /* > 0: the least distance; < 0: minus the least depth */
	double normal[3];  /* unit, from A to B */
	double point_a[3]; /* witness points: on A and on B, point_a + separation * normal is point_b. A narrowphase that */
	double point_b[3]; /* has one point only gives it as both; then points are not judged */
	uint32_t answer;   /* a narrowphase_answer */
	uint32_t reserved; /* anything */
} narrowphase_row;

/* Make what the narrowphase needs of the shapes and pairs: hulls, bodies. Not timed. Returns NULL if it has not all of the
 * shapes or not the mode; the judge opens it with each shape alone to find which ones it has, and leaves out other pairs. */
NARROWPHASE_EXPORT void *narrowphase_open(const narrowphase_input *input);

/* Answer all pairs into rows[pair_count]. Timed, and called several times; it must not keep answers from call to call. */
NARROWPHASE_EXPORT void narrowphase_query(void *opened, narrowphase_row *rows);

/* Release what narrowphase_open made. */
NARROWPHASE_EXPORT void narrowphase_close(void *opened);

#ifdef __cplusplus
}
#endif

#endif
