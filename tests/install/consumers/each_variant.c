/* A user who asks each variant that runs here for the contacts of turned boxes: a line for each, whose bits must be those
 * of scalar. */
#ifdef DROP_IN
#include "widephase.h"
#else
#include <widephase/widephase.h>
#endif
#include <stdio.h>
#include <string.h>

#define COUNT 40 /* two full vectors of the widest variant, and some more */

static _Alignas(WP_ALIGNMENT) char workspace_memory[WP_WORKSPACE_SIZE], table_memory[1 << 14];

/* Bodies in a row, each turned and rounded otherwise, and near enough to overlap the next one. */
static void make_bodies(wp_shape *shapes, wp_pose *poses)
{
	static const float turns[4][4] = {{0, 0, 0, 1}, {0.6f, 0, 0, 0.8f}, {0.5f, 0.5f, 0.5f, 0.5f}, {0, 0.28f, 0.96f, 0}};
	for (int i = 0; i < COUNT + 1; i++) {
		const float size = 1 + (float)i / 8;
		shapes[i] = wp_shape_box(size, 2, 3);
		shapes[i].radius = (float)(i % 3) / 16;
		poses[i].position[0] = 3 * (float)i;
		poses[i].position[1] = (float)(i % 5) / 4;
		poses[i].position[2] = (float)(i % 7) / 8;
		memcpy(poses[i].rotation, turns[i % 4], sizeof turns[0]);
	}
}

static wp_error ask(wp_variant variant, const wp_batch *batch, wp_row *rows)
{
	wp_workspace *workspace;
	const wp_error error = wp_workspace_init(workspace_memory, sizeof workspace_memory, variant, &workspace);
	const wp_results results = wp_results_of_rows(rows);
	return error != WP_OK ? error
	                      : wp_contact(workspace, batch, &(wp_contact_options){.max_separation = 1}, &results, NULL);
}

int main(void)
{
	static wp_shape shapes[COUNT + 1];
	static wp_pose poses[COUNT + 1];
	static uint32_t pairs[COUNT + 1];
	static wp_row scalar[COUNT], rows[COUNT];
	const wp_shape_table *table;
	make_bodies(shapes, poses);
	for (uint32_t i = 0; i < COUNT + 1; i++)
		pairs[i] = i;
	wp_error error = wp_shape_table_build(shapes, COUNT + 1, table_memory, sizeof table_memory, &table, NULL);
	const wp_batch batch = {.shapes = table,
		.a = {.position = {poses[0].position, sizeof poses[0]},
			.rotation = {poses[0].rotation, sizeof poses[0]},
			.count = COUNT + 1},
		.pair_a = {pairs, sizeof pairs[0]},
		.pair_b = {pairs + 1, sizeof pairs[0]},
		.count = COUNT};
	if (error == WP_OK)
		error = ask(WP_VARIANT_SCALAR, &batch, scalar);
	int different = 0, overlaps = 0;
	for (int i = 0; i < COUNT; i++)
		overlaps += scalar[i].separation < 0;
	for (int v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT && error == WP_OK; v++) {
		if (wp_variant_available((wp_variant)v) != WP_OK)
			continue;
		error = ask((wp_variant)v, &batch, rows);
		different += memcmp(rows, scalar, sizeof rows) != 0;
		puts(wp_variant_name((wp_variant)v));
	}
	printf("%d overlaps, %d variants differ from scalar, %s\n", overlaps, different, wp_error_text(error));
	return error != WP_OK || different != 0 || overlaps < COUNT / 2;
}
