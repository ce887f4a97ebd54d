/* The kernel tables of this build. */
#ifndef WP_SRC_REGISTRY_H
#define WP_SRC_REGISTRY_H

#include "base.h"
#include "bundle.h"
#include "plane_bundle.h"
#include "widephase/base.h"

/* The table of a variant, or NULL where this build has none. */
const wp_kernels *wp_registry_find(wp_variant variant);
const wp2_kernels *wp2_registry_find(wp_variant variant);

#endif
