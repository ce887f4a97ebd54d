/* Mass of cores: solids of density 1. */
#ifndef WP_SHAPE_MASS_H
#define WP_SHAPE_MASS_H

#include "core/double3.h"
#include "shape/core.h"
#include "widephase/mass.h"

/* Mass of a core with its radius, which is valid. WP_OK, WP_ERROR_SHAPE_VOLUME, WP_ERROR_SHAPE_MASS or WP_ERROR_HULL_VOLUME; *mass is
 * written for WP_OK alone. */
wp_error wp_mass_of_core(const wp_core *core, wp_mass *mass);

/* The same of a hull without its radius: WP_OK or WP_ERROR_HULL_VOLUME. */
wp_error wp_mass_of_hull(const wp_core *core, wp_mass *mass);

#endif
