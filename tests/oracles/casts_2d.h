/* Casts of random 2D pairs against the oracle of support/motion_2d.h, bits of all variants
 * against scalar.
 *
 * A cast that hits at f has no contact before f that is deeper than the contract allows, and |f - truth| <=
 * 1e-4. The truth is the first touch, or, if the shapes come within the contract of touching before it or
 * separate again, any time between. The reported separation is the separation of the shapes at f. A cast
 * that misses has no contact deeper than the contract allows. */
#ifndef TESTS_PLANE_CASTS_H
#define TESTS_PLANE_CASTS_H

#include "support/sequence.h"
#include "widephase/widephase.h"

#include <stdbool.h>

/* Judge casts and print a table; workspaces of variants that the machine lacks are NULL. Returns whether
 * every promise was kept. */
bool casts_2d_judge(const sequence *settings, wp_workspace *const workspaces[WP_VARIANT_COUNT]);

#endif
