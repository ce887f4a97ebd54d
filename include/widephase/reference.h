/* widephase: the reference path.
 *
 * Textbook GJK and EPA in double precision, one pair at a time, written to be read
 * (src/reference). It shares no code with the kernels or with their double-precision fallback, is slow,
 * and serves differential testing: by our own tests, and by yours. Same conventions, statuses and
 * layout as widephase/query.h, but its own bits. Where it sets WP_STATUS_WIDE_BRACKET (among smooth shapes for balls about
 * one centre) its bracket holds, but its separation and points are only as good as the bracket. */
#ifndef WIDEPHASE_REFERENCE_H
#define WIDEPHASE_REFERENCE_H

#include "widephase/query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A reference answer, in double. Frozen (base.h). */
typedef struct wp_reference_row {
	/* As the fields of that name in wp_row. */
	double separation;
	double normal[3];
	double point_a[3];
	double point_b[3];
	double lower;
	double upper;
	uint32_t status;
	uint32_t iterations;
} wp_reference_row;

/* Signed separation of one pair. Positions are in double. Only the kind, the poses and the shapes'
 * fields are read; a bad value gives WP_STATUS_INVALID with its reason. */
WP_API wp_error wp_reference_contact_pair(const wp_shape *shape_a, const double position_a[3],
	const float rotation_a[4], const wp_shape *shape_b, const double position_b[3], const float rotation_b[4],
	wp_reference_row *row);

/* What wp_reference_contact calls. `version` as for wp_workspace_init_of, because there is no workspace that holds it. */
WP_API wp_error wp_reference_contact_of(
	const wp_batch *batch, const wp_shape *shapes, size_t shape_count, uint32_t version, wp_reference_row *rows);

/* The batch form: row r of the batch to rows[r], for first <= r < first + count. The shape table of the
 * batch is not used (may be NULL): shapes come as the plain array that the table was built from. */
static inline wp_error wp_reference_contact(
	const wp_batch *batch, const wp_shape *shapes, size_t shape_count, wp_reference_row *rows)
{
	return wp_reference_contact_of(batch, shapes, shape_count, WP_VERSION_NUMBER, rows);
}

#ifdef __cplusplus
}
#endif

#endif
