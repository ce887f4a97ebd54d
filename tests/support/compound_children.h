/* Compounds that tests put on meshes: one child alone, two balls, a table with four legs, and many children of any kind. */
#ifndef TESTS_SUPPORT_COMPOUND_CHILDREN_H
#define TESTS_SUPPORT_COMPOUND_CHILDREN_H

#include "support/block.h"
#include "support/check.h"
#include "support/gen_random.h"
#include "widephase/compound.h"

#include <string.h>

/* Shapes, the half-space for no child; and compounds. */
enum { BOX, SPHERE, CAPSULE, CYLINDER, CONE, ELLIPSOID, SLAB, LEG, HALF_SPACE, SHAPES };
enum { ALONE, DUMBBELL, TABLE, MANY, COMPOUNDS, CHILDREN = 12 };

static const uint32_t child_counts[COMPOUNDS] = {1, 2, 5, CHILDREN};

static inline void put_shapes(wp_shape shapes[SHAPES])
{
	shapes[BOX] = wp_shape_box(0.5f, 0.3f, 0.4f);
	shapes[SPHERE] = wp_shape_sphere(0.5f);
	shapes[CAPSULE] = wp_shape_capsule(0.25f, 0.4f);
	shapes[CYLINDER] = wp_shape_cylinder(0.4f, 0.3f);
	shapes[CONE] = wp_shape_cone(0.4f, 0.5f);
	shapes[ELLIPSOID] = wp_shape_ellipsoid(0.5f, 0.2f, 0.4f);
	shapes[SLAB] = wp_shape_box(1.25f, 0.0625f, 1.25f);
	shapes[LEG] = wp_shape_box(0.0625f, 0.5f, 0.0625f);
	shapes[HALF_SPACE] = wp_shape_half_space();
}

static inline void put_children(wp_compound_child children[COMPOUNDS][CHILDREN])
{
	gen_random random;
	gen_seed(&random, 3);
	for (uint32_t c = 0; c < COMPOUNDS; c++)
		for (uint32_t i = 0; i < child_counts[c]; i++)
			children[c][i] = (wp_compound_child){.rotation = {0, 0, 0, 1}, .shape = CYLINDER};
	for (int i = 0; i < 2; i++) {
		children[DUMBBELL][i].shape = SPHERE;
		children[DUMBBELL][i].position[0] = i == 0 ? -0.75f : 0.75f;
	}
	children[TABLE][0].shape = SLAB;
	for (int i = 1; i < 5; i++) {
		const float place[3] = {i % 2 == 0 ? 1.0f : -1.0f, -0.5f, i < 3 ? 1.0f : -1.0f};
		children[TABLE][i].shape = LEG;
		memcpy(children[TABLE][i].position, place, sizeof place);
	}
	for (uint32_t i = 0; i < CHILDREN; i++) {
		wp_compound_child *const child = &children[MANY][i];
		child->shape = gen_below(&random, HALF_SPACE);
		gen_rotation(&random, child->rotation);
		for (int k = 0; k < 3; k++)
			child->position[k] = gen_rounded(gen_range(&random, -1.2, 1.2));
	}
}

/* The compounds with these children, of the shapes in the table. */
static inline void build_compounds(
	const wp_shape_table *table, wp_compound_child children[COMPOUNDS][CHILDREN], const wp_compound *made[COMPOUNDS])
{
	put_children(children);
	for (uint32_t c = 0; c < COMPOUNDS; c++) {
		const size_t size = wp_compound_size(child_counts[c]);
		cr_assert_eq(wp_compound_build(children[c], child_counts[c], table, block(size), size, &made[c], NULL), WP_OK);
	}
}

#endif
