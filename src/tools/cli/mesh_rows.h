/* Pairs whose B is a mesh: found among the pairs of a file, and answered by the queries of meshes. */
#ifndef WP_TOOLS_CLI_MESH_ROWS_H
#define WP_TOOLS_CLI_MESH_ROWS_H

#include "runner.h"

/* How far contacts with meshes reach where --max-separation is not given: to no limit would be all triangles. */
#define MESH_ROWS_SEPARATION 0.02f

/* False where the scene has meshes and contacts without a limit are wanted, or none and options for them are given: then `error`
 * has the reason. `path` is the file's. */
bool mesh_rows_fit(const request *wanted, const capture_scene *scene, const char *path, char error[CAPTURE_ERROR_MAX]);

/* Whether row answers of these pairs come from a query of meshes. */
bool mesh_rows_has(const capture_scene *scene, const capture_pair *pair);

/* Answer the pairs whose B is a mesh, as runner_answer does: the other rows are left alone. Triangles have the numbers that
 * they have in the file. Of contacts `to` needs patches and patch_counts. */
wp_error mesh_rows_answer(runner *run, const request *wanted, const capture_scene *scene, const capture_pair *pairs,
	const capture_motion *motions, size_t count, const answers *to);

void mesh_rows_free(mesh_rows *rows);

#endif
