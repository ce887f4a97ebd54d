/* L3: what a workspace holds. */
#ifndef WP_SRC_WORKSPACE_H
#define WP_SRC_WORKSPACE_H

#include "base.h"
#include "bundle.h"
#include "shape.h"
#include "strong.h"
#include "widephase/workspace.h"

#define WP_WORKSPACE_MAGIC 0x776964657068617aull

/* Jobs of one pair of core kinds that wait for their bucket to fill. */
typedef struct wp_bucket {
	WP_VECTORS float input[4 * WP_INPUT_COUNT * WP_JOB_MAX]; /* of each job its rows of wp_job_input */
	const wp_core *core_a[WP_JOB_MAX], *core_b[WP_JOB_MAX];
	uint32_t row[WP_JOB_MAX];                                /* within the call */
	uint32_t count;
} wp_bucket;

#define WP_BUCKET_COUNT (WP_CORE_KIND_COUNT * WP_CORE_KIND_COUNT)

struct wp_workspace {
	uint64_t magic;
	const wp_kernels *kernels;
	const wp_kernels *few;     /* for WP_FEW_JOBS or less */
	wp_variant variant;
	wp_bucket buckets[WP_BUCKET_COUNT];
	wp_jobs jobs;
	wp_scratch *scratch;       /* of the kernels; the same memory as the strong path's */
	wp_strong_memory *strong;
};

/* Whether wp_workspace_init made it, and made it here: a copy would point at the scratch of another. */
bool wp_workspace_is_made(const wp_workspace *workspace);

#endif
