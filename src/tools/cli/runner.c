#include "runner.h"
#include "faces.h"
#include "mesh_rows.h"
#include "system.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_DEFAULT 4

static const char *const query_names[QUERY_COUNT] = {
	"contact", "distance", "overlap", "cast", "depth-along", "manifold"};

const char *query_name(query which) { return query_names[which]; }

bool query_moves(query which) { return which == QUERY_CAST || which == QUERY_DEPTH_ALONG; }

bool query_is_plain(query which) { return which == QUERY_CONTACT || which == QUERY_DISTANCE || which == QUERY_OVERLAP; }

bool query_from_name(const char *name, query *which)
{
	for (int index = 0; index < QUERY_COUNT; index++) {
		if (strcmp(name, query_names[index]) == 0) {
			*which = (query)index;
			return true;
		}
	}
	return false;
}

const char *variant_name(unsigned variant)
{
	return variant == VARIANT_REFERENCE ? "reference" : wp_variant_name((wp_variant)variant);
}

bool variant_from_name(const char *name, unsigned *variant)
{
	wp_variant found;
	if (strcmp(name, "reference") == 0) {
		*variant = VARIANT_REFERENCE;
		return true;
	}
	if (wp_variant_from_name(name, &found) != WP_OK)
		return false;
	*variant = found;
	return true;
}

wp_error runner_init(runner *run, unsigned variant)
{
	memset(run, 0, sizeof *run);
	run->variant = variant;
	if (variant == VARIANT_REFERENCE)
		return WP_OK;
	run->memory = system_allocate(WP_WORKSPACE_SIZE);
	if (!run->memory)
		return WP_ERROR_MEMORY_TOO_SMALL;
	wp_error code = wp_workspace_init(run->memory, WP_WORKSPACE_SIZE, (wp_variant)variant, &run->workspace);
	if (code == WP_OK)
		run->variant = wp_workspace_variant(run->workspace);
	else
		runner_free(run);
	return code;
}

void runner_free(runner *run)
{
	system_free(run->memory);
	free(run->reference_rows);
	mesh_rows_free(run->meshes);
	memset(run, 0, sizeof *run);
}

static void narrow(const wp_reference_row *from, wp_row *to)
{
	to->separation = (float)from->separation;
	for (int axis = 0; axis < 3; axis++) {
		to->normal[axis] = (float)from->normal[axis];
		to->point_a[axis] = (float)from->point_a[axis];
		to->point_b[axis] = (float)from->point_b[axis];
	}
	to->lower = (float)from->lower;
	to->upper = (float)from->upper;
	to->status = from->status;
	to->iterations = from->iterations;
}

static wp_error answer_by_reference(runner *run, const capture_scene *scene, const wp_batch *batch, wp_row *rows)
{
	if (run->reference_capacity < batch->count) {
		free(run->reference_rows);
		run->reference_rows = allocate(batch->count, sizeof(wp_reference_row));
		run->reference_capacity = batch->count;
	}
	wp_error code = wp_reference_contact(batch, scene->shapes, scene->shape_count, run->reference_rows);
	for (size_t row = 0; code == WP_OK && row < batch->count; row++)
		narrow(&run->reference_rows[row], &rows[row]);
	return code;
}

#define IS_CACHE(field) (offsetof(capture_cache, field) == offsetof(wp_cache, field))
_Static_assert(IS_CACHE(vertex) && IS_CACHE(axis) && IS_CACHE(count) && sizeof(capture_cache) == sizeof(wp_cache),
	"caches lie in files as in memory");

static wp_error answer_casts(runner *run, const wp_batch *batch, const capture_motion *motions,
	const wp_results *results, const wp_float_column *fraction)
{
	const wp_motions a = scene_motions_a(motions), b = scene_motions_b(motions);
	return wp_cast(run->workspace, batch, &a, &b, results, fraction, NULL);
}

/* How far B is free along its way as A sees it. */
static wp_error answer_depths(
	runner *run, const wp_batch *batch, const capture_motion *motions, const wp_results *results)
{
	float(*ways)[3] = allocate(batch->count, sizeof *ways);
	for (size_t row = 0; row < batch->count; row++)
		for (int axis = 0; axis < 3; axis++)
			ways[row][axis] = motions[row].translation_b[axis] - motions[row].translation_a[axis];
	const wp_error error = wp_depth_along(run->workspace, batch, &(wp_const_float_column){ways[0], 0}, results, NULL);
	free(ways);
	return error;
}

static wp_contact_options options_of(const request *wanted)
{
	const float given = wanted->max_separation;
	return (wp_contact_options){.max_separation = isnan(given) ? INFINITY : given};
}

wp_error runner_query(runner *run, const request *wanted, const wp_batch *batch, const capture_motion *motions,
	const wp_results *results, const wp_float_column *fraction, const wp_manifolds *manifolds)
{
	const wp_contact_options options = options_of(wanted);
	switch (wanted->which) {
	case QUERY_DISTANCE:
		return wp_distance(run->workspace, batch, results, NULL);
	case QUERY_OVERLAP:
		return wp_overlap(run->workspace, batch, results, NULL);
	case QUERY_CAST:
		return answer_casts(run, batch, motions, results, fraction);
	case QUERY_DEPTH_ALONG:
		return answer_depths(run, batch, motions, results);
	case QUERY_MANIFOLD:
		return wp_contact_manifold(run->workspace, batch, &options, results, manifolds, NULL);
	default:
		return wp_contact(run->workspace, batch, &options, results, NULL);
	}
}

/* All pairs by the queries of convex shapes, to which those with meshes are invalid. */
static wp_error answer_convex(runner *run, const request *wanted, const capture_scene *scene, const capture_pair *pairs,
	const capture_motion *motions, size_t count, const answers *to)
{
	const wp_batch batch = scene_batch(scene, pairs, count);
	if (run->variant == VARIANT_REFERENCE)
		return answer_by_reference(run, scene, &batch, to->rows);
	wp_results results = wp_results_of_rows(to->rows);
	results.overlap.data = to->overlap;
	results.cache.data = (void *)run->caches;
	const wp_float_column fraction = {to->fractions, 0};
	const wp_manifolds manifolds = {.count = {to->counts}, .points = {to->points}, .point_max = wanted->point_max};
	return runner_query(run, wanted, &batch, motions, &results, &fraction, &manifolds);
}

/* Whether all pairs have meshes as B. */
static bool all_meshes(const capture_scene *scene, const capture_pair *pairs, size_t count)
{
	size_t row = 0;
	while (row < count && mesh_rows_has(scene, &pairs[row]))
		row++;
	return row == count;
}

wp_error runner_answer(runner *run, const request *wanted, const capture_scene *scene, const capture_pair *pairs,
	const capture_motion *motions, size_t count, const answers *to)
{
	if (count == 0)
		return WP_OK;
	const bool may_mesh = scene->meshes != NULL && run->variant != VARIANT_REFERENCE &&
	                      wanted->which != QUERY_DEPTH_ALONG;
	if (to->triangles)
		memset(to->triangles, 0xff, count * sizeof *to->triangles);
	if (to->patch_counts)
		memset(to->patch_counts, 0, count * sizeof *to->patch_counts);
	wp_error error = WP_OK;
	if (!may_mesh || !all_meshes(scene, pairs, count))
		error = answer_convex(run, wanted, scene, pairs, motions, count, to);
	if (may_mesh && error == WP_OK)
		error = mesh_rows_answer(run, wanted, scene, pairs, motions, count, to);
	return error;
}

bool option_query(const option_row *row, const char *argument, void *to)
{
	(void)row;
	return query_from_name(argument, to);
}

bool option_variant(const option_row *row, const char *argument, void *to)
{
	(void)row;
	return variant_from_name(argument, to);
}

bool option_length(const option_row *row, const char *argument, void *to)
{
	char *end;
	errno = 0;
	const float value = strtof(argument, &end);
	const bool is_too_large = isinf(value) && errno == ERANGE;
	(void)row;
	*(float *)to = value;
	return end != argument && !isspace((unsigned char)*argument) && *end == '\0' && value >= 0.0f && !is_too_large;
}

bool request_is_for_meshes(const request *wanted) { return wanted->two_sided || wanted->ghosts || wanted->soup; }

/* What does not go together. NULL where the request is fine, else a sentence. */
static const char *refusal_of(const request *wanted, unsigned variant)
{
	if (wanted->which != QUERY_CONTACT && wanted->which != QUERY_MANIFOLD && !isnan(wanted->max_separation))
		return "--max-separation goes with --query contact or manifold";
	if (wanted->which != QUERY_MANIFOLD && wanted->point_max != 0)
		return "--points goes with --query manifold";
	if (wanted->which != QUERY_CONTACT && wanted->which != QUERY_MANIFOLD && request_is_for_meshes(wanted))
		return REQUEST_MESH_OPTIONS " go with --query contact or manifold";
	if (variant == VARIANT_REFERENCE && wanted->which != QUERY_CONTACT)
		return "the reference answers --query contact alone";
	if (variant == VARIANT_REFERENCE && isfinite(wanted->max_separation))
		return "the reference has no --max-separation";
	if (variant == VARIANT_REFERENCE && request_is_for_meshes(wanted))
		return "the reference answers no meshes, for which " REQUEST_MESH_OPTIONS " are";
	return NULL;
}

void request_finish(request *wanted, unsigned variant, const command_line *line)
{
	const char *const refusal = refusal_of(wanted, variant);
	if (refusal)
		command_line_refuse(line, "%s", refusal);
	if (wanted->point_max == 0)
		wanted->point_max = POINTS_DEFAULT;
}

int ascending(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

void *allocate(size_t count, size_t size)
{
	/* calloc checks the product; one element more, so that none gives a pointer too. */
	void *memory = count < SIZE_MAX ? calloc(count + 1, size) : NULL;
	if (!memory) {
		report_error("no memory for %zu times %zu bytes", count, size);
		exit(EXIT_ERROR);
	}
	return memory;
}

int report_error(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fputs("widephase: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	return EXIT_ERROR;
}

bool report_same_file(const char *written, const char *read)
{
	const bool is_same = system_is_same_file(written, read);
	if (is_same)
		report_error("%s: is the file that is read: it would be written over", written);
	return is_same;
}

void report_scene(const capture_scene *scene, const char *path)
{
	if (scene->faceless_count > 0)
		fprintf(stderr, "widephase: %s: hulls without faces, whose pairs have one point at most: %u%s\n", path,
			scene->faceless_count, faces_available() ? "" : " (built without widephase-cook)");
	if (scene->refused_count > 0)
		fprintf(stderr, "widephase: %s: %u mesh%s could not be cooked, whose pairs are invalid; the first one is %s\n",
			path, scene->refused_count, scene->refused_count == 1 ? "" : "es", scene->refusal);
}
