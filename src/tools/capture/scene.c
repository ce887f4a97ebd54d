#include "scene.h"
#include "faces.h"
#include "meshes.h"
#include "system.h"

#include <stdlib.h>
#include <string.h>

static bool fail(capture_scene *scene, const capture_file *capture, const char *reason, char *error)
{
	snprintf(error, CAPTURE_ERROR_MAX, "%.255s: %s", capture->path, reason);
	scene_free(scene);
	return false;
}

static wp_shape rounded(wp_shape shape, const float param[4])
{
	shape.radius = param[3];
	return shape;
}

/* Of any kind but a hull. */
static wp_shape plain_shape(const capture_shape *shape)
{
	switch ((capture_kind)shape->kind) {
	case CAPTURE_SPHERE:
		return wp_shape_sphere(shape->param[0]);
	case CAPTURE_CAPSULE:
		return wp_shape_capsule(shape->param[0], shape->param[1]);
	case CAPTURE_BOX:
		return rounded(wp_shape_box(shape->param[0], shape->param[1], shape->param[2]), shape->param);
	case CAPTURE_CYLINDER:
		return rounded(wp_shape_cylinder(shape->param[0], shape->param[1]), shape->param);
	case CAPTURE_CONE:
		return rounded(wp_shape_cone(shape->param[0], shape->param[1]), shape->param);
	case CAPTURE_ELLIPSOID:
		return rounded(wp_shape_ellipsoid(shape->param[0], shape->param[1], shape->param[2]), shape->param);
	case CAPTURE_HALF_SPACE:
		return rounded(wp_shape_half_space(), shape->param);
	case CAPTURE_HULL:
	case CAPTURE_MESH:
	case CAPTURE_KIND_COUNT:
		break;
	}
	/* A mesh is no convex shape, so rows that name one are invalid to all but the queries of meshes. */
	return wp_shape_hull(NULL);
}

/* A shape with its hull built at `memory`. A hull that the library refuses (a NaN vertex) leaves the
 * shape without one: then the shape is invalid, and the rows that name it. */
static wp_shape hull_shape(const capture_file *capture, const capture_shape *shape, void *memory, size_t size)
{
	const wp_hull_input input = {
		.vertices = {capture->vertices[shape->first_vertex]},
		.vertex_count = shape->vertex_count,
	};
	const wp_hull *hull = NULL;
	wp_hull_build(&input, memory, size, &hull, NULL);
	wp_shape result = wp_shape_hull(hull);
	result.radius = shape->param[3];
	return result;
}

static size_t hull_bytes(const capture_shape *shape)
{
	size_t size = shape->kind == CAPTURE_HULL ? wp_hull_size(shape->vertex_count, 0, 0) : 0;
	return (size + WP_ALIGNMENT - 1) / WP_ALIGNMENT * WP_ALIGNMENT;
}

static bool build_shapes(capture_scene *scene, const capture_file *capture)
{
	uint64_t total = 0;
	for (uint32_t index = 0; index < capture->shape_count; index++)
		total += hull_bytes(&capture->shapes[index]);
	scene->shapes = calloc((size_t)capture->shape_count + 1, sizeof(wp_shape));
	scene->hull_memory = (size_t)total == total ? system_allocate((size_t)total) : NULL;
	if (!scene->shapes || !scene->hull_memory)
		return false;
	char *memory = scene->hull_memory;
	for (uint32_t index = 0; index < capture->shape_count; index++) {
		const capture_shape *shape = &capture->shapes[index];
		size_t size = hull_bytes(shape);
		scene->shapes[index] = shape->kind == CAPTURE_HULL ? hull_shape(capture, shape, memory, size)
		                                                   : plain_shape(shape);
		memory += size;
	}
	scene->shape_count = capture->shape_count;
	return true;
}

static bool build_table(capture_scene *scene, const capture_file *capture, char *error)
{
	size_t size = wp_shape_table_size(scene->shape_count);
	system_free(scene->table_memory);
	scene->table_memory = system_allocate(size);
	if (!scene->table_memory)
		return fail(scene, capture, "no memory for the shape table", error);
	wp_shape_report report;
	wp_error code = wp_shape_table_build(
		scene->shapes, scene->shape_count, scene->table_memory, size, &scene->table, &report);
	if (code != WP_OK)
		return fail(scene, capture, wp_error_text(code), error);
	scene->invalid_count = (uint32_t)report.invalid_count;
	return true;
}

bool scene_build(capture_scene *scene, const capture_file *capture, char *error)
{
	memset(scene, 0, sizeof *scene);
	if (!build_shapes(scene, capture))
		return fail(scene, capture, "no memory for the shapes", error);
	return build_table(scene, capture, error);
}

void scene_free(capture_scene *scene)
{
	for (uint32_t index = 0; scene->faced_hulls && index < scene->shape_count; index++)
		system_free(scene->faced_hulls[index]);
	free(scene->faced_hulls);
	for (uint32_t index = 0; scene->meshes && index < scene->shape_count; index++)
		meshes_free(scene->meshes[index]);
	free((void *)scene->meshes);
	free(scene->is_mesh);
	free(scene->shapes);
	system_free(scene->table_memory);
	system_free(scene->hull_memory);
	memset(scene, 0, sizeof *scene);
}

bool scene_add_faces(capture_scene *scene, const capture_file *capture, char *error)
{
	scene->faced_hulls = calloc((size_t)scene->shape_count + 1, sizeof *scene->faced_hulls);
	if (!scene->faced_hulls)
		return fail(scene, capture, "no memory for the faces", error);
	for (uint32_t index = 0; index < scene->shape_count; index++) {
		wp_shape *shape = &scene->shapes[index];
		if (shape->kind != WP_SHAPE_HULL || !shape->hull || wp_hull_vertex_count(shape->hull) <= 3)
			continue;
		const capture_shape *from = &capture->shapes[index];
		const float *vertices = capture->vertices[from->first_vertex];
		const wp_hull *hull = faces_build(vertices, from->vertex_count, &scene->faced_hulls[index]);
		if (hull)
			shape->hull = hull;
		else
			scene->faceless_count++;
	}
	return build_table(scene, capture, error);
}

bool scene_add_meshes(capture_scene *scene, const capture_file *capture, char *error)
{
	char refusal[sizeof scene->refusal - 32];
	if (!capture_has_meshes(capture))
		return true;
	scene->meshes = calloc((size_t)scene->shape_count + 1, sizeof *scene->meshes);
	scene->is_mesh = calloc((size_t)scene->shape_count + 1, sizeof *scene->is_mesh);
	if (!scene->meshes || !scene->is_mesh)
		return fail(scene, capture, "no memory for the meshes", error);
	for (uint32_t index = 0; index < scene->shape_count; index++) {
		const capture_shape *shape = &capture->shapes[index];
		if (shape->kind != CAPTURE_MESH)
			continue;
		scene->is_mesh[index] = true;
		scene->meshes[index] = meshes_build(
			capture->vertices[shape->first_vertex], shape->vertex_count / 3, refusal, sizeof refusal);
		if (!scene->meshes[index] && scene->refused_count++ == 0)
			snprintf(scene->refusal, sizeof scene->refusal, "shape %u: %s", index, refusal);
	}
	return true;
}

static wp_bodies bodies_a(const capture_pair *pairs, size_t count)
{
	const size_t stride = sizeof(capture_pair);
	return (wp_bodies){
		{pairs->position_a, stride}, {pairs->rotation_a, stride}, {&pairs->a, stride}, count, WP_REAL_FLOAT};
}

static wp_bodies bodies_b(const capture_pair *pairs, size_t count)
{
	const size_t stride = sizeof(capture_pair);
	return (wp_bodies){
		{pairs->position_b, stride}, {pairs->rotation_b, stride}, {&pairs->b, stride}, count, WP_REAL_FLOAT};
}

wp_batch scene_batch(const capture_scene *scene, const capture_pair *pairs, size_t count)
{
	return (wp_batch){.shapes = scene->table, .a = bodies_a(pairs, count), .b = bodies_b(pairs, count), .count = count};
}

wp_mesh_batch scene_mesh_batch(
	const capture_scene *scene, const capture_pair *pairs, size_t pair_count, const uint32_t *rows, size_t count)
{
	return (wp_mesh_batch){.shapes = scene->table,
		.meshes = scene->meshes,
		.mesh_count = scene->shape_count,
		.a = bodies_a(pairs, pair_count),
		.b = bodies_b(pairs, pair_count),
		.pair_a = {rows, 0},
		.pair_b = {rows, 0},
		.count = count};
}

wp_motions scene_motions_a(const capture_motion *motions)
{
	return (wp_motions){{motions->translation_a, sizeof *motions}, {motions->rotation_a, sizeof *motions}};
}

wp_motions scene_motions_b(const capture_motion *motions)
{
	return (wp_motions){{motions->translation_b, sizeof *motions}, {motions->rotation_b, sizeof *motions}};
}
