/* The kernel tables of this build. */
#ifndef WP_JOB_REGISTRY_H
#define WP_JOB_REGISTRY_H

#include "core/base.h"
#include "job/job.h"
#include "job/job_2d.h"
#include "widephase/base.h"

/* The table of a variant, or NULL where this build has none. */
const wp_kernels *wp_registry_find(wp_variant variant);
const wp2d_kernels *wp2d_registry_find(wp_variant variant);

#endif
