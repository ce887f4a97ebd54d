/* Surfaces cooked. */
#ifndef TESTS_SUPPORT_COOKED_H
#define TESTS_SUPPORT_COOKED_H

#include "support/surfaces.h"
#include "widephase/cook.h"

#include <criterion/criterion.h>

/* Cook a surface, and free it. */
static inline const wp_mesh *cook_surface(surface *s)
{
	const wp_mesh *mesh = NULL;
	const wp_mesh_input input = surface_input(s);
	cr_assert_eq(wp_cook_mesh(&input, &mesh, NULL), WP_OK);
	surface_free(s);
	return mesh;
}

#endif
