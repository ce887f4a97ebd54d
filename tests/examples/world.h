/* What the examples share: bodies as an engine has them, all pairs of neighbours, and arrays for the answers.
 */
#ifndef EXAMPLES_WORLD_H
#define EXAMPLES_WORLD_H

#include <widephase/widephase.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BODIES 4000
#define PAIRS (2 * BODIES)
#define WORKERS 4
#define RANGE 500 /* rows that a worker takes at once */
#define MAX_SEPARATION 0.02f

typedef struct world {
	struct body {
		float position[3], rotation[4];
		uint32_t shape;
	} bodies[BODIES];
	uint32_t pairs[PAIRS][2];
	_Alignas(WP_ALIGNMENT) char table_memory[4096];
	wp_batch batch;         /* all pairs: workers copy it and set first and count */
	wp_row rows[PAIRS];     /* by the workers, each its own rows */
	wp_results results;     /* into rows */
	wp_row expected[PAIRS]; /* by one call */
	wp_workspace *spaces[WORKERS];
	_Alignas(WP_ALIGNMENT) char space_memory[WORKERS][WP_WORKSPACE_SIZE];
} world;

/* A row of bodies, each near the next and the one after that; and the answers of one call for all pairs. */
static inline wp_error world_make(world *made)
{
	const wp_shape shapes[] = {wp_shape_box(0.5f, 0.4f, 0.6f), wp_shape_capsule(0.3f, 0.4f), wp_shape_sphere(0.5f)};
	const wp_shape_table *table;
	for (uint32_t i = 0; i < BODIES; i++) {
		const float x = 0.4f * (float)i, turn = 0.3f * (float)(i % 7);
		made->bodies[i] = (struct body){
			{x, 0.3f * (float)(i % 3), 0.2f * (float)(i % 5)}, {0.0f, sinf(turn), 0.0f, cosf(turn)}, i % 3};
		for (uint32_t step = 0; step < 2; step++) {
			made->pairs[2 * i + step][0] = i;
			made->pairs[2 * i + step][1] = (i + 1 + step) % BODIES;
		}
	}
	const wp_error error = wp_shape_table_build(shapes, 3, made->table_memory, sizeof made->table_memory, &table, NULL);
	if (error != WP_OK)
		return error;
	for (int worker = 0; worker < WORKERS; worker++)
		wp_workspace_init(made->space_memory[worker], WP_WORKSPACE_SIZE, WP_VARIANT_AUTO, &made->spaces[worker]);
	const size_t stride = sizeof made->bodies[0];
	made->batch = (wp_batch){.shapes = table,
		.a = {.position = {made->bodies->position, stride},
			.rotation = {made->bodies->rotation, stride},
			.shape = {&made->bodies->shape, stride},
			.count = BODIES},
		.pair_a = {&made->pairs[0][0], sizeof made->pairs[0]},
		.pair_b = {&made->pairs[0][1], sizeof made->pairs[0]},
		.count = PAIRS};
	made->results = wp_results_of_rows(made->expected);
	const wp_error answered = wp_contact(
		made->spaces[0], &made->batch, &(wp_contact_options){.max_separation = MAX_SEPARATION}, &made->results, NULL);
	made->results = wp_results_of_rows(made->rows);
	return answered;
}

/* Whether the workers' rows have the bits of one call's rows. */
static inline int world_check(const world *made, const char *name)
{
	int touching = 0;
	for (int row = 0; row < PAIRS; row++) {
		if (memcmp(&made->rows[row], &made->expected[row], sizeof made->rows[row]) != 0) {
			fprintf(stderr, "%s: row %d is another one\n", name, row);
			return 1;
		}
		touching += made->rows[row].separation <= 0.0f;
	}
	printf("%s: %d pairs, %d touch, the bits of one call\n", name, PAIRS, touching);
	return touching == 0 || touching == PAIRS;
}

#endif
