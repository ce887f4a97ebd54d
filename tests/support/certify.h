/* Certificates: what an answer proves about itself, without any other answer to compare with. Knows the
 * public headers and the numbers of the contract only. */
#ifndef TESTS_SUPPORT_CERTIFY_H
#define TESTS_SUPPORT_CERTIFY_H

#include "widephase/manifold.h"

#include <stdbool.h>

/* How many directions of a shape's own frame its points are judged along. */
enum { CERTIFY_WAYS = 40 };

/* A pair, and what its answer may be off by: the contract, down to the spacing of the smallest floats,
 * and the rounding of world coordinates, which grows with the distance from the origin. */
typedef struct certify_pair {
	const wp_shape *shape[2];
	const wp_pose *pose[2];
	double offset[3];      /* position of B minus position of A */
	double length;         /* L of the contract */
	double contract;       /* of separations and brackets */
	double point_contract; /* of points; wider than the other where a core is smooth */
	double rounding;
	double far; /* of a half-space: how far its position is, which its local points are rounded relative to */
	double reach[2][CERTIFY_WAYS]; /* of the shapes in their own frames; of a half-space nothing */
} certify_pair;

/* The contract of a pair whose contact has this status, relative to L + |separation|. */
double certify_contract_of(const wp_shape *a, const wp_shape *b, uint32_t status);

/* `row` is the contact that the allowances are taken from. */
certify_pair certify_prepare(
	const wp_shape *a, const wp_pose *pose_a, const wp_shape *b, const wp_pose *pose_b, const wp_row *row);

/* Each returns the promise that is broken, or NULL. A contact that is not BEYOND is full. */
const char *certify_contact(const certify_pair *pair, const wp_row *contact);
const char *certify_near(const certify_pair *pair, const wp_row *near, float max_separation, const wp_row *contact);
const char *certify_distance(const certify_pair *pair, const wp_row *distance, const wp_row *contact);
const char *certify_overlap(const certify_pair *pair, const wp_row *overlap, const wp_row *contact);

/* An overlap's depth along a unit direction, where that is finite. */
const char *certify_depth_along(const certify_pair *pair, const wp_row *row, const double direction[3]);

/* The details of a row: both points in the frames of their bodies, both tangents. All zero but the tangents where
 * the row has no points. */
const char *certify_details(const certify_pair *pair, const wp_row *row, const float details[4][3], bool has_points);

/* The manifold of a contact requested up to max_separation. */
const char *certify_manifold(
	const certify_pair *pair, const wp_row *row, float max_separation, const wp_manifold_point *points, uint32_t count);

#endif
