/* What this machine runs. */
#ifndef WP_CORE_CPU_H
#define WP_CORE_CPU_H

#include "core/base.h"
#include "widephase/base.h"

/* Whether CPU and operating system run the variant, built or not. */
bool wp_cpu_runs(wp_variant variant);

#endif
