/* EPA: how deep two overlapping cores are in each other, and along which normal. */
#ifndef WP_REFERENCE_EPA_H
#define WP_REFERENCE_EPA_H

#include "gjk.h"

/* Vertices and faces of the polytope. A closed triangulated surface of V vertices has 2 V - 4 faces
 * (Euler). The polytope takes some 80 KiB of stack. */
#define WP_REFERENCE_VERTEX_MAX 512
#define WP_REFERENCE_FACE_MAX 1024
_Static_assert(WP_REFERENCE_FACE_MAX >= 2 * WP_REFERENCE_VERTEX_MAX - 4, "vertices fill up before faces do");

/* Steps after which EPA gives up: each adds a vertex or sets a face aside. */
#define WP_REFERENCE_EPA_STEP_MAX 1024

/* Completes an *answer for which wp_reference_gjk returned false. */
void wp_reference_epa(difference *pair, core_answer *answer);

#endif
