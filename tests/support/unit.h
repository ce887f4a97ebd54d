/* What tests that call the library begin with: a workspace, poses, shapes. */
#ifndef TESTS_SUPPORT_UNIT_H
#define TESTS_SUPPORT_UNIT_H

#include "check.h"
#include "widephase/widephase.h"

#include <math.h>

/* The workspace of a variant; NULL where the machine lacks that. */
static inline wp_workspace *workspace_of(wp_variant variant)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[WP_VARIANT_COUNT][WP_WORKSPACE_SIZE];
	static wp_workspace *made[WP_VARIANT_COUNT];
	if (made[variant] == NULL && wp_variant_available(variant) == WP_OK)
		cr_assert_eq(wp_workspace_init(memory[variant], WP_WORKSPACE_SIZE, variant, &made[variant]), WP_OK);
	return made[variant];
}

/* How many rounds a random test takes: a tenth of them in builds with sanitizers, which take many times as long for one. */
static inline int rounds(int full)
{
#ifdef SANITIZED
	return (full + 9) / 10;
#else
	return full;
#endif
}

/* For all variants. */
static inline void take_workspaces(wp_workspace *workspaces[WP_VARIANT_COUNT])
{
	for (uint32_t v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++)
		workspaces[v] = workspace_of((wp_variant)v);
	cr_assert_not_null(workspaces[WP_VARIANT_AUTO]);
	cr_assert_not_null(workspaces[WP_VARIANT_SCALAR]);
}

static inline wp_pose pose_at(double x, double y, double z)
{
	return (wp_pose){.position = {(float)x, (float)y, (float)z}, .rotation = {0, 0, 0, 1}};
}

/* Turned by an angle about the axis Z. */
static inline wp_pose pose_turned(double x, double y, double z, double angle)
{
	wp_pose pose = pose_at(x, y, z);
	pose.rotation[2] = (float)sin(angle / 2);
	pose.rotation[3] = (float)cos(angle / 2);
	return pose;
}

/* Shapes of a table at poses. */
static inline wp_pair pair_of(
	const wp_shape_table *table, uint32_t shape_a, const wp_pose *pose_a, uint32_t shape_b, const wp_pose *pose_b)
{
	return (wp_pair){.shapes = table,
		.shape_a = shape_a,
		.shape_b = shape_b,
		.position_a = pose_a->position,
		.rotation_a = pose_a->rotation,
		.position_b = pose_b->position,
		.rotation_b = pose_b->rotation};
}

static inline wp_shape rounded(wp_shape shape, float radius)
{
	shape.radius = radius;
	return shape;
}

#endif
