/* The models that were added: their geoms as shapes of the library, with the hulls of their meshes. */
#ifndef ENGINES_MUJOCO_MODELS_H
#define ENGINES_MUJOCO_MODELS_H

#include <widephase/widephase.h>

#include <mujoco/mjmodel.h>

#include <stdbool.h>

typedef struct prepared_model prepared_model;

/* What was made of a model; NULL if it is not added. */
const prepared_model *model_find(const mjModel *model);

/* The table of its geoms, by their ids. */
const wp_shape_table *model_table(const prepared_model *of);

/* Whether a geom is as it was when the model was added. */
bool model_has(const prepared_model *of, const mjModel *model, int geom);

/* The shape of a geom as it is now. Planes, capsules and cylinders are along Z in MuJoCo and along Y here: the caller turns
 * them. False for a mesh without a hull, or of a model that is not added (`of` is NULL), and for other geoms that are no
 * shapes of the library. */
bool model_shape(const prepared_model *of, const mjModel *model, int geom, wp_shape *shape);

/* As wp_mujoco_add_model and wp_mujoco_remove_model, whether anything is installed or not. */
const char *model_add(const mjModel *model);
void model_remove(const mjModel *model);
void model_remove_all(void);

#endif
