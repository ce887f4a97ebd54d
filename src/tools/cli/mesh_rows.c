#include "mesh_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows of meshes among others, and their answers in that order. */
struct mesh_rows {
	uint32_t *list; /* [capacity] */
	size_t capacity;
	answers own; /* [capacity] */
};

bool mesh_rows_has(const capture_scene *scene, const capture_pair *pair)
{
	return scene->meshes != NULL && scene->is_mesh[pair->b];
}

bool mesh_rows_fit(const request *wanted, const capture_scene *scene, const char *path, char error[CAPTURE_ERROR_MAX])
{
	const bool touches = wanted->which == QUERY_CONTACT || wanted->which == QUERY_MANIFOLD;
	const char *refusal = NULL;
	if (scene->meshes == NULL && request_is_for_meshes(wanted))
		refusal = "has no meshes, for which " REQUEST_MESH_OPTIONS " are";
	else if (scene->meshes != NULL && touches && isinf(wanted->max_separation))
		refusal = "has meshes, whose contacts need a finite --max-separation";
	return !refusal || capture_fail(error, path, refusal, "");
}

static void free_arrays(mesh_rows *rows)
{
	free(rows->list);
	free(rows->own.rows);
	free(rows->own.overlap);
	free(rows->own.fractions);
	free(rows->own.triangles);
	free(rows->own.patch_counts);
	free(rows->own.patches);
	memset(rows, 0, sizeof *rows);
}

void mesh_rows_free(mesh_rows *rows)
{
	if (rows)
		free_arrays(rows);
	free(rows);
}

static mesh_rows *with_room(mesh_rows *rows, size_t count)
{
	if (!rows)
		rows = allocate(1, sizeof *rows);
	if (rows->capacity >= count)
		return rows;
	free_arrays(rows);
	rows->capacity = count;
	rows->list = allocate(count, sizeof *rows->list);
	rows->own = (answers){.rows = allocate(count, sizeof *rows->own.rows),
		.overlap = allocate(count, sizeof *rows->own.overlap),
		.fractions = allocate(count, sizeof *rows->own.fractions),
		.triangles = allocate(count, sizeof *rows->own.triangles),
		.patch_counts = allocate(count, sizeof *rows->own.patch_counts),
		.patches = allocate(count, RUNNER_PATCH_MAX * sizeof *rows->own.patches)};
	return rows;
}

static size_t find_rows(mesh_rows *rows, const capture_scene *scene, const capture_pair *pairs, size_t count)
{
	size_t found = 0;
	for (size_t row = 0; row < count; row++)
		if (mesh_rows_has(scene, &pairs[row]))
			rows->list[found++] = (uint32_t)row;
	return found;
}

/* ---- contacts --------------------------------------------------------------------------------------- */

static float reach_of(const request *wanted)
{
	return isnan(wanted->max_separation) ? MESH_ROWS_SEPARATION : wanted->max_separation;
}

/* What a row has beyond its separation, normal and status: the points of the deepest place, and no bounds. */
static void finish_contact(const request *wanted, const wp_mesh_patch *patches, uint32_t count, wp_row *row)
{
	row->lower = row->upper = NAN;
	if (count > 0) {
		memcpy(row->point_a, patches[0].points[0].point_a, sizeof row->point_a);
		memcpy(row->point_b, patches[0].points[0].point_b, sizeof row->point_b);
	} else if (row->status & WP_STATUS_BEYOND) {
		row->lower = reach_of(wanted);
		row->upper = INFINITY;
	}
}

static wp_error contact(wp_workspace *workspace, const request *wanted, const wp_mesh_batch *batch, const answers *to)
{
	const wp_results columns = wp_results_of_rows(to->rows);
	const wp_mesh_options options = {.max_separation = reach_of(wanted),
		.flags = (wanted->two_sided ? WP_MESH_TWO_SIDED : 0u) | (wanted->ghosts ? WP_MESH_GHOSTS : 0u) |
	             (wanted->soup ? WP_MESH_SOUP : 0u)};
	const wp_mesh_results results = {.separation = columns.separation,
		.normal = columns.normal,
		.status = columns.status,
		.patch_count = {to->patch_counts},
		.patches = {to->patches},
		.patch_max = RUNNER_PATCH_MAX};
	memset(to->rows, 0, batch->count * sizeof *to->rows);
	const wp_error error = wp_mesh_contact(workspace, batch, &options, &results, NULL);
	for (size_t row = 0; error == WP_OK && row < batch->count; row++)
		finish_contact(wanted, to->patches + row * RUNNER_PATCH_MAX, to->patch_counts[row], &to->rows[row]);
	return error;
}

/* ---- all queries ------------------------------------------------------------------------------------ */

static wp_error query_meshes(wp_workspace *workspace, const request *wanted, const wp_mesh_batch *batch,
	const capture_motion *motions, const answers *to)
{
	wp_results results = wp_results_of_rows(to->rows);
	const wp_uint32_column column = {to->triangles, 0}, *const triangle = to->triangles ? &column : NULL;
	results.overlap.data = to->overlap;
	if (wanted->which == QUERY_OVERLAP)
		return wp_mesh_overlap(workspace, batch, &results, triangle, NULL);
	if (wanted->which == QUERY_DISTANCE)
		return wp_mesh_distance(workspace, batch, NULL, &results, triangle, NULL);
	if (wanted->which != QUERY_CAST)
		return contact(workspace, wanted, batch, to);
	const wp_motions a = scene_motions_a(motions), b = scene_motions_b(motions);
	return wp_mesh_cast(workspace, batch, &a, &b, &results, &(wp_float_column){to->fractions, 0}, triangle, NULL);
}

static bool makes_patches(query which) { return which == QUERY_CONTACT || which == QUERY_MANIFOLD; }

/* The triangles of answer `row`, by their numbers in the file. A row without a mesh has none. */
static void number_triangles(const request *wanted, const wp_mesh *mesh, const answers *of, size_t row)
{
	const wp_mesh_patch *const patches = of->patches + row * RUNNER_PATCH_MAX;
	if (!makes_patches(wanted->which)) {
		if (of->triangles && of->triangles[row] != WP_MESH_MISS)
			of->triangles[row] = wp_mesh_source(mesh, of->triangles[row]);
		return;
	}
	for (uint32_t patch = 0; patch < of->patch_counts[row]; patch++)
		for (uint32_t index = 0; index < patches[patch].point_count; index++) {
			wp_mesh_point *const point = &of->patches[row * RUNNER_PATCH_MAX + patch].points[index];
			point->triangle = wp_mesh_source(mesh, point->triangle);
		}
	if (of->triangles)
		of->triangles[row] = of->patch_counts[row] > 0 ? patches[0].points[0].triangle : WP_MESH_MISS;
}

/* Answer `from` of the list goes to row `to_row` of the pairs. */
static void take_over(const request *wanted, const answers *own, size_t from, const answers *to, size_t to_row)
{
	to->rows[to_row] = own->rows[from];
	if (to->overlap)
		to->overlap[to_row] = own->overlap[from];
	if (to->fractions)
		to->fractions[to_row] = own->fractions[from];
	if (to->triangles)
		to->triangles[to_row] = own->triangles[from];
	if (!makes_patches(wanted->which))
		return;
	to->patch_counts[to_row] = own->patch_counts[from];
	memcpy(to->patches + to_row * RUNNER_PATCH_MAX, own->patches + from * RUNNER_PATCH_MAX,
		RUNNER_PATCH_MAX * sizeof *to->patches);
}

wp_error mesh_rows_answer(runner *run, const request *wanted, const capture_scene *scene, const capture_pair *pairs,
	const capture_motion *motions, size_t count, const answers *to)
{
	mesh_rows *const rows = run->meshes = with_room(run->meshes, count);
	const size_t found = find_rows(rows, scene, pairs, count);
	const bool is_all = found == count;
	const answers *const into = is_all ? to : &rows->own;
	const wp_mesh_batch batch = scene_mesh_batch(scene, pairs, count, is_all ? NULL : rows->list, found);
	const wp_error error = found == 0 ? WP_OK : query_meshes(run->workspace, wanted, &batch, motions, into);
	for (size_t index = 0; error == WP_OK && index < found; index++) {
		const size_t row = rows->list[index];
		number_triangles(wanted, scene->meshes[pairs[row].b], into, index);
		if (!is_all)
			take_over(wanted, &rows->own, index, to, row);
	}
	return error;
}
