/* From rows to jobs: what the kernels take of a pair, in the bucket of its kinds. */
#ifndef WP_BATCH_PACK_H
#define WP_BATCH_PACK_H

#include "batch/call.h"
#include "batch/workspace.h"

/* Make rows jobs in the buckets of their core kinds, those far apart in their own, until a bucket is full, whose number
 * `*full` then is, or WP_NO_BUCKET. Rows are those from number `at` on of the call's list, up to `count`, or of all rows.
 * Returns the first that is not packed: where none is full and it is below `count`, its body or shape is invalid, or
 * custom. Kernels leave to the strong path what else is invalid or out of their range. */
uint32_t wp_pack_rows(const wp_call *call, uint32_t at, uint32_t count, wp_buckets *buckets, uint32_t *full);

#endif
