/* Contacts of pairs that tests make by hand. Every variant answers with the same bits, the answer proves itself, and
 * the other queries agree with it; then the test decides what it must be.
 *
 * Many of these pairs are cases that readers of the articles on GJK and EPA requested or stumbled over, with answers
 * derived by hand or by exhaustion: "Demand 7" in a test's comment is number 7 in the list of them. Number 36,
 * the cost of EPA against GJK on cores, is for the benchmark. */
#ifndef TESTS_SUPPORT_ASK_H
#define TESTS_SUPPORT_ASK_H

#include "gen_random.h"
#include "unit.h"
#include "widephase/widephase.h"

#include <stddef.h>

enum { BATCH = 256 }; /* most pairs of ask_batch */

extern const wp_pose origin;
extern wp_workspace *workspaces[WP_VARIANT_COUNT]; /* NULL where the machine lacks the variant */
extern gen_random random_numbers;                  /* the same ones in each run of a test */

/* What a suite begins with: the two above. */
void ask_setup(void);

/* ---- numbers and vectors ------------------------------------------------------------------------ */

static inline double uniform(double low, double high) { return gen_range(&random_numbers, low, high); }

static inline double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline double length(const double a[3]) { return sqrt(dot(a, a)); }

static inline void cross(const double a[3], const double b[3], double out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static inline void widen(const float in[3], double out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = (double)in[i];
}

/* Angle between two vectors, in radians. */
static inline double angle(const double a[3], const double b[3])
{
	double c[3];
	cross(a, b, c);
	return atan2(length(c), dot(a, b));
}

void random_unit(double out[3]);

/* A place that floats hold, each coordinate within its reach. */
void random_place(double x, double y, double z, double out[3]);

/* v turned by a quaternion, or back by it (back = -1). */
void turn(const double rotation[4], double back, const double v[3], double out[3]);

wp_pose random_pose(double reach);

/* ---- shapes ------------------------------------------------------------------------------------- */

/* A hull of vertices [count][3] in slot 0 or 1, until the slot is used again. */
wp_shape hull_of(int slot, const float *vertices, size_t count);

/* The prism over a polygon, for -half <= z <= half. */
wp_shape prism_of(int slot, const double (*polygon)[2], size_t count, double half);

wp_shape cube_hull(int slot, double half);
wp_shape octahedron(int slot);

/* Random points of the unit sphere (inner = 1), or of a shell inside it. */
wp_shape ball_hull(int slot, size_t count, double inner);

/* Gap between the support planes along a direction, in units of its length. */
double gap_along(const wp_shape *a, const wp_pose *pa, const wp_shape *b, const wp_pose *pb, const double d[3]);

/* Signed distance of a point to a box about the origin. */
double box_distance(const double half[3], const double point[3]);

/* ---- questions and answers ---------------------------------------------------------------------- */

typedef struct answer {
	wp_row row;
	double length;  /* L of the contract */
	double allowed; /* what the contract allows, with `world` the rounding of world coordinates */
	double world;
} answer;

/* The contact of a pair, by all variants with the same bits, after what any contact must satisfy. */
answer ask(const wp_shape *a, const wp_pose *pa, const wp_shape *b, const wp_pose *pb);

/* A at the origin, B unturned at (x, y, z). */
answer ask_at(const wp_shape *a, const wp_shape *b, double x, double y, double z);

/* The answer to a pair whose numbers are rounded from the ones meant. */
void expect_near(const answer *x, double separation);

/* The answer to a pair whose numbers are exact: the truth lies in the bracket too. */
void expect(const answer *x, double separation);

void expect_state(const answer *x, uint32_t state);

void expect_normal(const answer *x, double nx, double ny, double nz);

/* The normal is along (nx, ny, nz) or against it. */
void expect_axis(const answer *x, double nx, double ny, double nz);

/* The normal is along one of the coordinate axes. */
void expect_face_axis(const answer *x);

void expect_point(const answer *x, const float point[3], double px, double py, double pz);

/* The shapes touch. */
void expect_touch(const answer *x);

/* Contacts of the bodies 2 i with the bodies 2 i + 1, by one batch of one variant. */
wp_statistics ask_batch(
	wp_variant variant, const wp_shape *shapes, const wp_pose *poses, uint32_t count, const wp_results *results);

#endif
