/* A capture's shapes in the form that the library needs, and its pairs as a batch. */
#ifndef WP_TOOLS_CAPTURE_SCENE_H
#define WP_TOOLS_CAPTURE_SCENE_H

#include "capture.h"

#include <widephase/widephase.h>

typedef struct capture_scene {
	wp_shape *shapes; /* [shape_count], as in the capture */
	const wp_shape_table *table;
	uint32_t shape_count;
	uint32_t invalid_count; /* shapes that the library refuses: NaN, negative length */
	void *table_memory;
	void *hull_memory;
	void **faced_hulls;      /* [shape_count] by scene_add_faces, NULL where a hull has none; else NULL */
	uint32_t faceless_count; /* by scene_add_faces: hulls of more than 3 vertices that have no faces */
	const wp_mesh **meshes;  /* [shape_count] by scene_add_meshes, NULL where a shape is no mesh; else NULL */
	bool *is_mesh;           /* [shape_count] with them: also where a mesh could not be cooked, which is NULL, too */
	uint32_t refused_count;  /* by scene_add_meshes: meshes that could not be cooked, whose pairs are invalid */
	char refusal[160];       /* and the reason of the first one */
} capture_scene;

/* Build shapes, hulls and table. On failure returns false, error[CAPTURE_ERROR_MAX] has the reason, and nothing is held.
 * The scene keeps no pointer into the capture. */
bool scene_build(capture_scene *scene, const capture_file *capture, char *error);
void scene_free(capture_scene *scene);

/* Give the hulls of a scene faces, which manifolds need and pair files lack, by widephase-cook. Vertices keep
 * their order and numbers. Without widephase-cook, and where it finds none (collinear vertices), hulls stay
 * as they are. On failure as scene_build. */
bool scene_add_faces(capture_scene *scene, const capture_file *capture, char *error);

/* Cook the meshes of a scene, which are shapes that the library refuses until then; of a capture without meshes nothing.
 * Without widephase-cook all are refused. On failure as scene_build. */
bool scene_add_meshes(capture_scene *scene, const capture_file *capture, char *error);

/* Row i of the batch is pairs[i]: the poses lie in the pair records, nothing is copied. */
wp_batch scene_batch(const capture_scene *scene, const capture_pair *pairs, size_t count);

/* The same of rows whose B is a mesh: row i is pairs[rows[i]], or pairs[i] if `rows` is NULL. After scene_add_meshes. */
wp_mesh_batch scene_mesh_batch(
	const capture_scene *scene, const capture_pair *pairs, size_t pair_count, const uint32_t *rows, size_t count);

/* How A's and B's bodies of that batch move: read in place, nothing is copied. */
wp_motions scene_motions_a(const capture_motion *motions);
wp_motions scene_motions_b(const capture_motion *motions);

#endif
