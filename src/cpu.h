/* What this machine runs. */
#ifndef WP_SRC_CPU_H
#define WP_SRC_CPU_H

#include "base.h"
#include "widephase/base.h"

/* Whether CPU and operating system run the variant, built or not. */
bool wp_cpu_runs(wp_variant variant);

#endif
