/* A user of the library, of the installed one or of the drop-in: a box that stands 2 into the ground, a
 * sphere 1 above it, told exactly. With HAVE_COOK the box is cooked from its corners. */
#ifdef DROP_IN
#include "widephase.h"
#else
#include <widephase/widephase.h>
#endif
#ifdef HAVE_COOK
#include <widephase/cook.h>
#endif
#include <stdio.h>
#include <string.h>

static wp_shape make_box(void)
{
#ifdef HAVE_COOK
	static float corners[8][3];
	for (int i = 0; i < 8; i++)
		for (int k = 0; k < 3; k++)
			corners[i][k] = i >> k & 1 ? 4.0f : -4.0f;
	const wp_hull *hull;
	if (wp_cook_points(corners[0], 0, 8, &hull, NULL) == WP_OK && wp_hull_face_count(hull) == 6)
		return wp_shape_hull(hull);
#endif
	return wp_shape_box(4, 4, 4);
}

int main(void)
{
	static _Alignas(WP_ALIGNMENT) char workspace_memory[WP_WORKSPACE_SIZE], table_memory[4096];
	const wp_shape shapes[3] = {wp_shape_box(16, 1, 16), make_box(), wp_shape_sphere(0.5f)};
	const wp_pose poses[3] = {{{0, 0, 0}, {0, 0, 0, 1}}, {{0, 3, 0}, {0, 0, 0, 1}}, {{0, 2.5f, 8}, {0, 0, 0, 1}}};
	static const uint32_t pairs[2][2] = {{0, 1}, {0, 2}};
	wp_row rows[2];
	wp_workspace *workspace;
	const wp_shape_table *table;
	if (wp_workspace_init(workspace_memory, sizeof workspace_memory, WP_VARIANT_AUTO, &workspace) != WP_OK ||
		wp_shape_table_build(shapes, 3, table_memory, sizeof table_memory, &table, NULL) != WP_OK)
		return 1;
	const wp_batch batch = {.shapes = table,
		.a = {.position = {poses[0].position, sizeof poses[0]},
			.rotation = {poses[0].rotation, sizeof poses[0]},
			.count = 3},
		.pair_a = {&pairs[0][0], sizeof pairs[0]},
		.pair_b = {&pairs[0][1], sizeof pairs[0]},
		.count = 2};
	const wp_results results = wp_results_of_rows(rows);
	if (wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = 2}, &results, NULL) != WP_OK)
		return 1;
	printf("widephase %s, %s: %g %g\n", wp_version(), wp_variant_name(wp_workspace_variant(workspace)),
		(double)rows[0].separation, (double)rows[1].separation);
	char version[32];
	snprintf(version, sizeof version, "%d.%d.%d", WP_VERSION_MAJOR, WP_VERSION_MINOR, WP_VERSION_PATCH);
	return strcmp(version, wp_version()) != 0 || rows[0].separation != -2 || rows[1].separation != 1 ||
	       rows[0].normal[1] != 1;
}
