/* A capture's shapes as the library wants them, and its pairs as a batch. */
#ifndef WP_CLI_SCENE_H
#define WP_CLI_SCENE_H

#include "capture.h"

#include <widephase/widephase.h>

typedef struct capture_scene {
	wp_shape *shapes; /* [shape_count], as in the capture; kinds not supported carry WP_SHAPE_KIND_COUNT */
	const wp_shape_table *table;
	uint32_t shape_count;
	uint32_t invalid_count; /* shapes of supported kinds that the library refuses: NaN, negative length */
	void *table_memory;
	void *hull_memory;
} capture_scene;

/* Build shapes, hulls and table. On failure false, error[CAPTURE_ERROR_MAX] says why, nothing is held.
 * The scene keeps no pointer into the capture. */
bool scene_build(capture_scene *scene, const capture_file *capture, char *error);
void scene_free(capture_scene *scene);

/* Whether the library has the pair's kinds. Rows that it has not are answered WP_STATUS_INVALID. */
bool scene_supports(const capture_scene *scene, const capture_pair *pair);

/* Row i of the batch is pairs[i]: the poses lie in the pair records, nothing is copied. */
wp_batch scene_batch(const capture_scene *scene, const capture_pair *pairs, size_t count);

/* How A's and B's bodies of that batch move, likewise. */
wp_motions scene_motions_a(const capture_motion *motions);
wp_motions scene_motions_b(const capture_motion *motions);

#endif
