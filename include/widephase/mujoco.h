/* widephase-mujoco: contacts of convex geoms in MuJoCo by this library. A separate library: it needs MuJoCo and
 * widephase-cook.
 *
 * MuJoCo finds the contacts of each pair of geoms by a function of its table mjCOLLISIONFUNC. wp_mujoco_install puts
 * functions of this library there:
 *
 *     wp_mujoco_install(NULL);
 *     wp_mujoco_add_model(model);
 *     ... mj_step(model, data) ...
 *     wp_mujoco_remove_model(model);
 *     wp_mujoco_restore();
 *
 * Contacts are as MuJoCo means them: `frame` begins with the unit normal from geom 1 to geom 2, the rest of it is left to
 * MuJoCo; `dist` is the distance of the two surfaces along it, negative where they overlap; `pos` is halfway between them.
 * A pair has the corners of the patch in which its geoms face each other (widephase/manifold.h), each with its own
 * distance, all within the margin of the pair; MuJoCo compares them with margin and gap, as ever. The normal and the least
 * distance keep the contract of query.h, whatever the margin is.
 *
 * Threads. The table is global, so nothing may simulate while it is changed. Then any number of threads may: a call takes
 * one of `thread_max` workspaces, which wp_mujoco_install allocated, and waits where all are in use. No call of a
 * collision function allocates memory. */
#ifndef WIDEPHASE_MUJOCO_H
#define WIDEPHASE_MUJOCO_H

#include "widephase/base.h"

#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Most models that may be added at a time. */
#define WP_MUJOCO_MODEL_MAX 256

/* Most workspaces: each is wp_workspace_size() bytes, of which one pair at a time touches a small part. */
#define WP_MUJOCO_THREAD_MAX 1024

/* Options of wp_mujoco_install. Zero stands for the defaults. Frozen (base.h).
 *
 * With all_pairs 0, pairs that MuJoCo answers exactly, in closed form, stay MuJoCo's: planes with all but meshes, spheres and
 * capsules with each other, spheres with boxes (which it answers exactly while the sphere's centre is outside the box).
 * Otherwise the library answers these, too. */
typedef struct wp_mujoco_options {
	uint32_t thread_max; /* workspaces, 1 .. WP_MUJOCO_THREAD_MAX: as many calls run at a time; 0 = 16 */
	uint32_t point_max;  /* most contacts of a pair, 1 .. WP_MANIFOLD_POINT_MAX; 0 = 4. Spheres and ellipsoids have 1 */
	uint32_t all_pairs;  /* 0 or 1 */
} wp_mujoco_options;

/* Put the library's functions into mjCOLLISIONFUNC, for pairs of spheres, capsules, ellipsoids, cylinders, boxes and
 * meshes, and of these with planes. Height fields stay MuJoCo's. `options` may be NULL.
 *
 * Returns NULL, or what is wrong, as a sentence of static storage that names the option: then the table is as it was. It is
 * an error to install twice without wp_mujoco_restore between. */
WP_API const char *wp_mujoco_install(const wp_mujoco_options *options);

/* Put back the functions that wp_mujoco_install found, and release the workspaces and all models. Does nothing if nothing
 * is installed. */
WP_API void wp_mujoco_restore(void);

/* Prepare the geoms of a model: the convex hulls of its meshes are made here, and all shapes are checked once. Without it
 * pairs with meshes stay MuJoCo's, and others take longer. Any thread may add and remove a model, while others simulate other
 * models.
 *
 *  model   borrowed, until wp_mujoco_remove_model, which comes before mj_deleteModel. `geom_type`, `geom_size` and
 *          `geom_dataid` may change meanwhile: pairs of geoms that have changed are right, but take longer. If vertices of
 *          meshes change, remove and add the model again.
 *
 * Returns NULL, or what is wrong, as above: nothing is installed, the model is NULL or is added already, there are
 * WP_MUJOCO_MODEL_MAX models, or memory ran out. A mesh without a hull is no error: its pairs stay MuJoCo's. */
WP_API const char *wp_mujoco_add_model(const mjModel *model);

/* Release what wp_mujoco_add_model made. No thread may collide geoms of this model meanwhile. Does nothing for a model that
 * is not added. */
WP_API void wp_mujoco_remove_model(const mjModel *model);

#ifdef __cplusplus
}
#endif

#endif
