/* widephase-passes KIND REGIME VARIANT PAIRS PASSES: makes pairs as the benchmark does and answers them
 * PASSES times, contact with max_separation 0.02. By how much two runs with different PASSES differ is what
 * the passes cost, for whatever counts the instructions of a whole program. */
#include "pairs.h"
#include "scene.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SEPARATION 0.02f
#define NUMBER_MAX 1000000

static int fail(const char *reason)
{
	fprintf(stderr, "widephase-passes: %s\n", reason);
	return EXIT_FAILURE;
}

/* A number from 1 to NUMBER_MAX; 0 for anything else. */
static uint32_t number_of(const char *text)
{
	char *end;
	const unsigned long value = strtoul(text, &end, 10);
	return *text != '\0' && *end == '\0' && value <= NUMBER_MAX ? (uint32_t)value : 0;
}

/* Kind and regime by their names. */
static bool request_of(const char *kind, const char *regime, pair_request *wanted)
{
	for (int i = 0; i < PAIR_KIND_COUNT; i++)
		for (int j = 0; j < PAIR_REGIME_COUNT; j++)
			if (strcmp(pair_kind_name((pair_kind)i), kind) == 0 &&
				strcmp(pair_regime_name((pair_regime)j), regime) == 0) {
				wanted->kind = (pair_kind)i;
				wanted->regime = (pair_regime)j;
				return true;
			}
	return false;
}

static int answer(const pair_list *list, const capture_scene *scene, wp_variant variant, uint32_t passes)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[WP_WORKSPACE_SIZE];
	wp_workspace *workspace;
	wp_row *rows = calloc(list->pair_count, sizeof *rows);
	if (!rows)
		return fail("no memory for the rows");
	const wp_batch batch = scene_batch(scene, list->pairs, list->pair_count);
	const wp_results results = wp_results_of_rows(rows);
	wp_error error = wp_workspace_init(memory, sizeof memory, variant, &workspace);
	for (uint32_t pass = 0; error == WP_OK && pass < passes; pass++)
		error = wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = MAX_SEPARATION}, &results, NULL);
	free(rows);
	return error == WP_OK ? EXIT_SUCCESS : fail(wp_error_text(error));
}

int main(int argc, char **argv)
{
	pair_request wanted = {.shape_count = PAIR_SHAPES, .seed = PAIR_SEED};
	wp_variant variant;
	pair_list list;
	capture_scene scene;
	char error[CAPTURE_ERROR_MAX];
	const uint32_t passes = argc == 6 ? number_of(argv[5]) : 0;
	wanted.pair_count = argc == 6 ? number_of(argv[4]) : 0;
	if (passes == 0 || wanted.pair_count == 0 || !request_of(argv[1], argv[2], &wanted) ||
		wp_variant_from_name(argv[3], &variant) != WP_OK)
		return fail("KIND REGIME VARIANT PAIRS PASSES");
	if (!pair_list_make(&wanted, &list))
		return fail("no memory for the pairs");
	const capture_file made = {.shapes = list.shapes,
		.vertices = list.vertices,
		.shape_count = list.shape_count,
		.vertex_count = list.vertex_count,
		.path = argv[1]};
	int code = EXIT_FAILURE;
	if (scene_build(&scene, &made, error)) {
		code = answer(&list, &scene, variant, passes);
		scene_free(&scene);
	} else {
		fail(error);
	}
	pair_list_free(&list);
	return code;
}
