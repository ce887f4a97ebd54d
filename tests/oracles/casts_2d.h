/* Casts of random 2D pairs against the oracle of support/motion_2d.h, bits of all variants
 * against scalar.
 *
 * Of a cast that hits at f: no contact before f that is deeper than the contract allows, and |f - truth| <=
 * 1e-4, the truth being when shapes first touch, or, where they come within the contract of touching before
 * or part again, any time between; and the separation told there is that of the shapes there. Of one that
 * misses: no contact deeper than that. */
#ifndef TESTS_PLANE_CASTS_H
#define TESTS_PLANE_CASTS_H

#include "support/sequence.h"
#include "widephase/widephase.h"

#include <stdbool.h>

/* Judge casts and print a table; workspaces of variants that the machine lacks are NULL. Returns whether
 * every promise was kept. */
bool casts_2d_judge(const sequence *settings, wp_workspace *const workspaces[WP_VARIANT_COUNT]);

#endif
