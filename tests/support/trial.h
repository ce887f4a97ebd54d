/* One pair on trial: every query by every variant, each answer against the promises it proves itself, the
 * oracle and the reference; and a pair that breaks one made as simple as it can be. */
#ifndef TESTS_SUPPORT_TRIAL_H
#define TESTS_SUPPORT_TRIAL_H

#include "widephase/widephase.h"

#include <stdbool.h>

typedef struct trial {
	wp_shape shape[2]; /* hulls borrowed */
	wp_pose pose[2];
} trial;

#define TRIAL_NEAR 0.02f

enum { TRIAL_OVERLAP, TRIAL_DISTANCE, TRIAL_CONTACT, TRIAL_CONTACT_NEAR, TRIAL_MANIFOLD, TRIAL_QUERIES };

enum { TRIAL_ANY_CACHE, TRIAL_OWN_CACHE, TRIAL_CACHES };

/* The rows of one pair, by query; the details of each: local points, then tangents; the manifold of the last one. Its
 * contact once more, from a cache of any contents, and from what that has left there. */
typedef struct trial_rows {
	wp_row row[TRIAL_QUERIES];
	float details[TRIAL_QUERIES][4][3];
	uint32_t point_count;
	wp_manifold_point points[WP_MANIFOLD_POINT_MAX];
	wp_row warm[TRIAL_CACHES];
	wp_row by_method[WP_METHOD_COUNT]; /* its contact by each other wp_method, if requested; else zero */
} trial_rows;

/* Answer a query of all pairs of a batch. `statistics` may be NULL. */
wp_error trial_ask(
	wp_workspace *workspace, const wp_batch *batch, int query, trial_rows *rows, wp_statistics *statistics);

/* Answer the contact of all pairs of a batch with caches, which `caches` has room for. Their contents come from the
 * bits of the poses of each pair, which are wp_pose in one array, so that a pair alone has those it has in a batch. */
wp_error trial_ask_warm(wp_workspace *workspace, const wp_batch *batch, wp_cache *caches, trial_rows *rows);

/* Answer the contact of all pairs of a batch by each wp_method but the automatic one. */
wp_error trial_ask_methods(wp_workspace *workspace, const wp_batch *batch, trial_rows *rows);

/* What a trial compares with beyond the certificates; by TRIAL_METHODS the methods with each other. */
enum { TRIAL_ORACLE = 1, TRIAL_REFERENCE = 2, TRIAL_METHODS = 4 };

/* The promise that the rows break, or NULL. *error, if not NULL, is the separation's error in units of
 * L + |truth| where the oracle or the reference was asked, else 0. */
const char *trial_judge(const trial *t, const trial_rows *rows, unsigned against, double *error);

/* Run the pair by every variant of this machine, and judge it. Bits that differ are a broken promise. */
const char *trial_check(const trial *t, unsigned against);

/* Whether the oracle answers the pair in well under a second. */
bool trial_suits_oracle(const trial *t);

/* Simplify a pair that breaks `promise` as long as it goes on doing so. Hulls that are made on the way
 * stay allocated. */
void trial_shrink(trial *t, const char *promise, unsigned against);

/* Write the pair as a text capture, with its motion where that is not NULL. */
struct capture_motion;
bool trial_write(const trial *t, const struct capture_motion *motion, const char *path, const char *remark);

#endif
