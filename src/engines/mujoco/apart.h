/* A quick proof that two geoms are apart, in double precision. */
#ifndef ENGINES_MUJOCO_APART_H
#define ENGINES_MUJOCO_APART_H

#include "models.h"

#include <mujoco/mjdata.h>

/* Whether the geoms are proven to be further apart than the margin. Most pairs that MuJoCo asks about are, and this takes a
 * tenth of a query. False for planes, and for what is not a number. `of` may be NULL. */
bool geoms_apart(const prepared_model *of, const mjModel *m, const mjData *d, const int geoms[2], mjtNum margin);

#endif
