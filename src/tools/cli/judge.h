/* The accuracy contract of widephase/query.h, checked in double precision against a known separation.
 * Support planes are computed here from the shapes of the capture, not by the library, so that none of
 * its errors can hide. Only the distance of a point to a hull comes from the reference. */
#ifndef WP_TOOLS_CLI_JUDGE_H
#define WP_TOOLS_CLI_JUDGE_H

#include "scene.h"

/* Degrees between a unique normal and the true one, of pairs without a cylinder, cone or ellipsoid, where |truth| >
 * WP_CONTRACT_ANGLE_FROM * L: a bound of the judge, which no header promises. */
#define JUDGE_ANGLE 0.1

typedef enum violation {
	VIOLATION_SEPARATION = 1 << 0,   /* |separation - truth| above the bound */
	VIOLATION_OVERLAP = 1 << 1,      /* apart called overlapping or the other way round */
	VIOLATION_SUPPORT_GAP = 1 << 2,  /* the normal does not prove the separation */
	VIOLATION_ANGLE = 1 << 3,        /* a unique normal is off */
	VIOLATION_UNIT = 1 << 4,         /* a normal is not of unit length */
	VIOLATION_WITNESS = 1 << 5,      /* point_a + separation * normal is not point_b */
	VIOLATION_SURFACE = 1 << 6,      /* a witness point is not on its shape */
	VIOLATION_BRACKET = 1 << 7,      /* truth outside [lower, upper] */
	VIOLATION_WIDE = 1 << 8,         /* a bracket wider than the contract, without WP_STATUS_WIDE_BRACKET */
	VIOLATION_STATUS = 1 << 9,       /* status bits that contradict each other, the row or its input */
	VIOLATION_SPECULATIVE = 1 << 10, /* contact with a finite max_separation */
	VIOLATION_DISTANCE = 1 << 11,    /* distance query */
	VIOLATION_BOOLEAN = 1 << 12,     /* overlap query */
	VIOLATION_BITS = 1 << 13         /* another variant gives other bits */
} violation;
#define VIOLATION_COUNT 14

const char *violation_name(int bit);

/* A pair made ready for judging: everything relative to the origin of A, in double. */
typedef struct judged_shape {
	const capture_shape *shape;
	const float (*vertices)[3]; /* hulls */
	const wp_shape *plain;
	double rotation[3][3]; /* local to world */
	float quaternion[4];
	double origin[3]; /* relative to the position of A */
	double radius, bound;
} judged_shape;

typedef struct judged_pair {
	judged_shape a, b;
	double position[3]; /* of A, world */
	double extent;      /* largest world coordinate: witness points carry its rounding */
	double length;      /* L */
	double scale;       /* e */
	capture_truth truth;
	double truth_lower, truth_upper; /* of its separation: equal unless the caller knows it less well */
	bool valid;                      /* the library should answer the pair */
} judged_pair;

typedef struct verdict {
	bool judged; /* the errors below hold */
	bool wrong_overlap;
	double separation_error; /* relative to e, as are the next two */
	double support_gap_error;
	double typical;     /* the separation's error that nearly all rows keep, relative to e */
	double point_error; /* worst of witness difference and distance to the surfaces */
	double angle;       /* degrees; negative where the contract does not judge it */
	uint32_t status;
	uint32_t violations;
} verdict;

void judge_prepare(judged_pair *pair, const capture_file *capture, const capture_scene *scene,
	const capture_pair *record, const capture_truth *truth);

/* Is the pair's input such that the library must answer it? */
bool judge_is_valid(const capture_scene *scene, const capture_file *capture, const capture_pair *record);

/* Contact without max_separation. `rounding` is half an ulp, relative, of the coordinates of the points. */
verdict judge_contact(const judged_pair *pair, const wp_reference_row *row, double rounding);

/* The other queries of the library: violations. */
uint32_t judge_speculative(const judged_pair *pair, const wp_row *row, float max_separation);
uint32_t judge_distance(const judged_pair *pair, const wp_row *row);
uint32_t judge_overlap(const judged_pair *pair, const wp_row *row, uint8_t overlap);

wp_reference_row judge_widen(const wp_row *row);

#endif
