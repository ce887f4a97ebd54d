/* Faces of hulls whose vertices alone are known. */
#ifndef WP_TOOLS_CAPTURE_FACES_H
#define WP_TOOLS_CAPTURE_FACES_H

#include <widephase/shape.h>

#include <stdbool.h>

/* Whether this build has widephase-cook; without it there are no faces. */
bool faces_available(void);

/* A hull of vertices[count][3], in their order, and of the faces around them. In *memory, which system_free
 * releases. NULL, and *memory NULL, where there are no faces. */
const wp_hull *faces_build(const float *vertices, size_t count, void **memory);

#endif
