/* Another library behind one interface: it is handed the shapes and pairs of a set, builds what it needs
 * outside the timed region, and then answers all pairs, in world space. */
#ifndef BENCH_PEERS_PEER_H
#define BENCH_PEERS_PEER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As capture_kind, capture_shape and capture_pair of the pair files. */
enum peer_kind { PEER_SPHERE = 0, PEER_CAPSULE, PEER_BOX, PEER_HULL, PEER_CYLINDER, PEER_CONE, PEER_ELLIPSOID };

typedef struct peer_shape {
	uint32_t kind;
	float param[4];
	uint32_t first_vertex;
	uint32_t vertex_count;
} peer_shape;

typedef struct peer_pair {
	uint32_t a, b;
	float position_a[3];
	float rotation_a[4]; /* quaternion x, y, z, w */
	float position_b[3];
	float rotation_b[4];
} peer_pair;

/* How a pair moves in a cast: translations, and rotations at the end. */
typedef struct peer_motion {
	float translation_a[3];
	float rotation_a[4];
	float translation_b[3];
	float rotation_b[4];
} peer_motion;

typedef struct peer_input {
	const peer_shape *shapes;
	const float (*vertices)[3];
	const peer_pair *pairs;
	uint32_t shape_count, vertex_count;
	size_t pair_count;
	const peer_motion *motions; /* for casts alone, else NULL */
} peer_input;

enum peer_answer {
	PEER_NONE = 0, /* the peer gave up */
	PEER_APART,    /* apart, no separation */
	PEER_OVERLAP,  /* overlapping, no depth */
	PEER_SEPARATION
};

/* The separation of a cast that hits is its fraction; one that misses is PEER_APART. Of others, the normal is a
 * unit vector from A to B, the points lie on the shapes, all in the world frame. A peer that gives one point only
 * gives it as both. */
typedef struct peer_row {
	double separation;
	double normal[3];
	double point_a[3];
	double point_b[3];
	uint32_t answer;
	uint32_t point_count; /* of PEER_QUERY_MANIFOLD */
} peer_row;

/* In the order of the benchmark's queries. */
enum peer_query {
	PEER_QUERY_OVERLAP = 0,
	PEER_QUERY_DISTANCE,
	PEER_QUERY_CONTACT,
	PEER_QUERY_SIGNED,
	PEER_QUERY_CAST, /* without turning */
	PEER_QUERY_CAST_TURNING,
	PEER_QUERY_MANIFOLD, /* the deepest point speaks for the row */
	PEER_QUERY_COUNT
};

#define PEER_MAX_SEPARATION 0.02 /* of PEER_QUERY_CONTACT */

/* Answers all pairs of a scene. */
typedef void peer_run(void *scene, peer_row *rows);

typedef struct peer {
	const char *name;
	/* NULL where it cannot build the shapes; the input outlives the scene. */
	void *(*create)(const peer_input *input);
	void (*destroy)(void *scene);
	peer_run *run[PEER_QUERY_COUNT]; /* NULL: the peer has no such query */
	const char *refuses[6];          /* kinds of sets that it cannot build; the rest NULL */
} peer;

/* The same pairs in several frames: pair i of frame f is input->pairs[f * frame_pairs + i]. */
typedef struct peer_frames {
	const char *name;
	const char *mode; /* "kept", or "cold" where each frame starts without what the last one found */
	/* As of a peer. */
	void *(*create)(const peer_input *input, size_t frame_pairs);
	void (*destroy)(void *scene);
	void (*forget)(void *scene);                             /* all that is kept of the pairs; NULL: nothing is */
	void (*play)(void *scene, size_t frame, peer_row *rows); /* rows: [frame_pairs] */
} peer_frames;

/* All peers of this build, ended by NULL. */
extern const peer *const peer_list[];
extern const peer_frames *const peer_frames_list[];

extern const peer peer_bullet_gjk, peer_bullet_epa2, peer_bullet_mpr, peer_bullet_algorithm, peer_bullet_margin,
	peer_bullet_faces, peer_bullet_ccd;
extern const peer peer_ccd_epa, peer_ccd_mpr;
extern const peer peer_fcl_ccd, peer_fcl_indep;
extern const peer peer_ode;
extern const peer peer_mujoco, peer_mujoco_margin;

extern const peer_frames peer_bullet_algorithm_frames, peer_bullet_faces_frames;
extern const peer_frames peer_ode_frames;

#ifdef __cplusplus
}
#endif

#endif
