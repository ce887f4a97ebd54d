/* The tables of methods of this build: whoever calls this links the kernels of all of them. */
#ifndef WP_JOB_METHOD_REGISTRY_H
#define WP_JOB_METHOD_REGISTRY_H

#include "job/job.h"

/* [WP_METHOD_LANE_MAX + 1]: by the lanes of a variant's kernels, or NULL. */
const wp_method_kernels *const *wp_method_tables(void);

#endif
