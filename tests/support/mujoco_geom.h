/* Geoms of MuJoCo as shapes with exact answers: by the reference in double precision, independent of widephase-mujoco. */
#ifndef TESTS_SUPPORT_MUJOCO_GEOM_H
#define TESTS_SUPPORT_MUJOCO_GEOM_H

#include <widephase/cook.h>
#include <widephase/widephase.h>

#include <mujoco/mujoco.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A model of MJCF text; the program ends if there is none. */
static inline mjModel *load_text(const char *text)
{
	static mjVFS files;
	char reason[1000] = "";
	mj_defaultVFS(&files);
	mj_makeEmptyFileVFS(&files, "model.xml", (int)strlen(text));
	memcpy(files.filedata[0], text, strlen(text));
	mjModel *const made = mj_loadXML("model.xml", &files, reason, sizeof reason);
	mj_deleteVFS(&files);
	if (!made) {
		printf("no model: %s\n", reason);
		exit(1);
	}
	return made;
}

/* Hulls of all meshes of a model, nmesh of them; released with free_hulls. */
static inline const wp_hull **cook_hulls(const mjModel *m)
{
	const wp_hull **const hulls = calloc((size_t)m->nmesh + 1, sizeof *hulls);
	for (int i = 0; hulls && i < m->nmesh; i++)
		wp_cook_points(m->mesh_vert + 3 * (size_t)m->mesh_vertadr[i], 0, (size_t)m->mesh_vertnum[i], &hulls[i], NULL);
	return hulls;
}

static inline void free_hulls(const mjModel *m, const wp_hull **hulls)
{
	for (int i = 0; i < m->nmesh; i++)
		wp_cook_free(hulls[i]);
	free((void *)hulls);
}

static inline wp_shape geom_shape(const mjModel *m, int geom, const wp_hull *const *hulls)
{
	const mjtNum *const size = m->geom_size + 3 * geom;
	const float x = (float)size[0], y = (float)size[1], z = (float)size[2];
	switch (m->geom_type[geom]) {
	case mjGEOM_PLANE:
		return wp_shape_half_space();
	case mjGEOM_SPHERE:
		return wp_shape_sphere(x);
	case mjGEOM_CAPSULE:
		return wp_shape_capsule(x, y);
	case mjGEOM_ELLIPSOID:
		return wp_shape_ellipsoid(x, y, z);
	case mjGEOM_CYLINDER:
		return wp_shape_cylinder(x, y);
	case mjGEOM_BOX:
		return wp_shape_box(x, y, z);
	default:
		return wp_shape_hull(hulls[m->geom_dataid[geom]]);
	}
}

/* The turn of a geom, rounded to float; what is along Z in MuJoCo is along Y in the library. */
static inline void geom_rotation(const mjModel *m, const mjData *d, int geom, float rotation[4])
{
	const int type = m->geom_type[geom];
	const mjtNum half = sqrt(0.5), onto[4] = {half, half, 0, 0};
	mjtNum turned[4], product[4];
	mju_mat2Quat(turned, d->geom_xmat + 9 * geom);
	mju_mulQuat(product, turned, onto);
	const int is_along_z = type == mjGEOM_PLANE || type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER;
	for (int k = 0; k < 4; k++)
		rotation[k] = (float)(is_along_z ? product : turned)[(k + 1) % 4];
}

/* The signed separation of two geoms within 1e-7 of size, which is the rounding of the rotations; NaN where the reference has
 * no better bracket than `doubt`. */
static inline double geom_separation(
	const mjModel *m, const mjData *d, int geom1, int geom2, const wp_hull *const *hulls, double doubt)
{
	const wp_shape shape1 = geom_shape(m, geom1, hulls), shape2 = geom_shape(m, geom2, hulls);
	float rotation1[4], rotation2[4];
	wp_reference_row row;
	geom_rotation(m, d, geom1, rotation1);
	geom_rotation(m, d, geom2, rotation2);
	const wp_error error = wp_reference_contact_pair(
		&shape1, d->geom_xpos + 3 * geom1, rotation1, &shape2, d->geom_xpos + 3 * geom2, rotation2, &row);
	return error == WP_OK && row.upper - row.lower <= doubt ? row.separation : NAN;
}

/* The larger bounding radius, which errors are in units of; planes have none. */
static inline double geom_pair_size(const mjModel *m, int geom1, int geom2)
{
	return fmax(m->geom_rbound[geom1], m->geom_rbound[geom2]);
}

#endif
