#include "solids.h"

#include <stdlib.h>

/* ---- making --------------------------------------------------------------------------------------- */

bool solid_list_reserve(solid_list *list, uint32_t shapes, uint32_t vertices)
{
	*list = (solid_list){.shape_capacity = shapes, .vertex_capacity = vertices};
	list->shapes = calloc((size_t)shapes + 1, sizeof *list->shapes);
	list->vertices = calloc((size_t)vertices + 1, sizeof *list->vertices);
	if (list->shapes && list->vertices)
		return true;
	solid_list_free(list);
	return false;
}

void solid_list_free(solid_list *list)
{
	free(list->shapes);
	free(list->vertices);
	*list = (solid_list){0};
}

static capture_shape *add_shape(solid_list *list, capture_kind kind)
{
	capture_shape *shape = &list->shapes[list->shape_count++];
	*shape = (capture_shape){.kind = (uint32_t)kind};
	return shape;
}

static void add_vertex(solid_list *list, vec3 at)
{
	float *vertex = list->vertices[list->vertex_count++];
	vertex[0] = rounded(at.x);
	vertex[1] = rounded(at.y);
	vertex[2] = rounded(at.z);
}

void solid_add_sphere(solid_list *list, random_state *random)
{
	add_shape(list, CAPTURE_SPHERE)->param[0] = rounded(random_range(random, 0.15, 1.0));
}

void solid_add_capsule(solid_list *list, random_state *random)
{
	capture_shape *shape = add_shape(list, CAPTURE_CAPSULE);
	shape->param[0] = rounded(random_range(random, 0.08, 0.4));
	shape->param[1] = rounded(random_range(random, 0.1, 0.8));
}

void solid_add_box(solid_list *list, random_state *random)
{
	capture_shape *shape = add_shape(list, CAPTURE_BOX);
	for (int axis = 0; axis < 3; axis++)
		shape->param[axis] = rounded(random_range(random, 0.15, 1.0));
}

/* Moves the vertices from `first` on so that their mean is the origin. */
static void centre(solid_list *list, uint32_t first)
{
	vec3 mean = {0.0, 0.0, 0.0};
	const uint32_t count = list->vertex_count - first;
	for (uint32_t index = first; index < list->vertex_count; index++)
		mean = vec3_add(mean, vec3_scale(vec3_of_floats(list->vertices[index]), 1.0 / count));
	list->vertex_count = first;
	for (uint32_t index = 0; index < count; index++)
		add_vertex(list, vec3_sub(vec3_of_floats(list->vertices[first + index]), mean));
}

void solid_add_triangle(solid_list *list, random_state *random)
{
	capture_shape *shape = add_shape(list, CAPTURE_HULL);
	shape->first_vertex = list->vertex_count;
	shape->vertex_count = 3;
	const double size = random_range(random, 0.25, 0.9);
	double area;
	do {
		list->vertex_count = shape->first_vertex;
		vec3 corners[3];
		for (int index = 0; index < 3; index++) {
			corners[index] = vec3_scale(random_direction(random), size);
			add_vertex(list, corners[index]);
		}
		area = vec3_length(vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0])));
	} while (area < 0.2 * size * size);
	centre(list, shape->first_vertex);
}

/* Vertices on an ellipse, as many in each quarter: (1 - t t, 2 t) / (1 + t t) runs over a quarter of the
 * circle. */
static void add_ring(solid_list *list, uint32_t count, vec3 size, double height)
{
	for (uint32_t index = 0; index < count; index++) {
		const double t = (double)(index / 4) / (count / 4);
		const double u = (1.0 - t * t) / (1.0 + t * t), v = 2.0 * t / (1.0 + t * t);
		const double turns[4][2] = {{u, v}, {-v, u}, {-u, -v}, {v, -u}};
		const double *turn = turns[index % 4];
		add_vertex(list, vec3_of(turn[0] * size.x, height, turn[1] * size.z));
	}
}

void solid_add_hull(solid_list *list, random_state *random, uint32_t vertices)
{
	capture_shape *shape = add_shape(list, CAPTURE_HULL);
	shape->first_vertex = list->vertex_count;
	shape->vertex_count = vertices;
	vec3 size;
	size.x = random_range(random, 0.2, 1.0);
	size.y = random_range(random, 0.2, 1.0);
	size.z = random_range(random, 0.2, 1.0);
	if (random_below(random, 3) == 0) {
		add_ring(list, vertices / 2, size, -size.y);
		add_ring(list, vertices / 2, size, size.y);
	} else {
		for (uint32_t index = 0; index < vertices; index++) {
			const vec3 at = random_direction(random);
			add_vertex(list, vec3_of(at.x * size.x, at.y * size.y, at.z * size.z));
		}
	}
	centre(list, shape->first_vertex);
}

/* ---- supports ------------------------------------------------------------------------------------- */

static vec3 vertex_support(const solid *of, vec3 direction)
{
	const float(*vertices)[3] = &of->vertices[of->shape->first_vertex];
	uint32_t best = 0;
	double most = vec3_dot(vec3_of_floats(vertices[0]), direction);
	for (uint32_t index = 1; index < of->shape->vertex_count; index++) {
		const double along = vec3_dot(vec3_of_floats(vertices[index]), direction);
		if (along > most) {
			most = along;
			best = index;
		}
	}
	return vec3_of_floats(vertices[best]);
}

vec3 solid_support(const solid *of, vec3 direction)
{
	const float *param = of->shape->param;
	const vec3 local = mat3_apply_inverse(&of->turn, direction);
	const vec3 unit = vec3_unit(local);
	vec3 point;
	switch (of->shape->kind) {
	case CAPTURE_SPHERE:
		point = vec3_scale(unit, param[0]);
		break;
	case CAPTURE_CAPSULE:
		point = vec3_scale(unit, param[0]);
		point.y += local.y < 0.0 ? -param[1] : param[1];
		break;
	case CAPTURE_BOX:
		point = vec3_of(local.x < 0.0 ? -param[0] : param[0], local.y < 0.0 ? -param[1] : param[1],
		    local.z < 0.0 ? -param[2] : param[2]);
		break;
	default:
		point = vertex_support(of, local);
		break;
	}
	return mat3_apply(&of->turn, point);
}

double solid_bound(const solid *of)
{
	const float *param = of->shape->param;
	double most = 0.0;
	switch (of->shape->kind) {
	case CAPTURE_SPHERE:
		return param[0];
	case CAPTURE_CAPSULE:
		return (double)param[0] + param[1];
	case CAPTURE_BOX:
		return vec3_length(vec3_of_floats(param));
	default:
		for (uint32_t index = 0; index < of->shape->vertex_count; index++)
			most = fmax(most, vec3_length(vec3_of_floats(of->vertices[of->shape->first_vertex + index])));
		return most;
	}
}

/* ---- the exit of a ray ---------------------------------------------------------------------------- */

/* Relative to the boundary's distance from the origin. */
#define EXIT_TOLERANCE 1e-10
#define EXIT_STEPS_MAX 400

static vec3 difference_support(const solid *a, const solid *b, vec3 direction)
{
	const vec3 point = solid_support(a, direction);
	return b ? vec3_sub(point, solid_support(b, vec3_scale(direction, -1.0))) : point;
}

/* Three points of the boundary whose triangle the ray passes through. */
typedef struct portal {
	vec3 v1, v2, v3;
} portal;

static bool discover(const solid *a, const solid *b, vec3 direction, portal *through)
{
	vec3 v1 = difference_support(a, b, direction), normal = vec3_cross(v1, direction);
	if (vec3_length(normal) <= 1e-9 * vec3_length(v1))
		normal = vec3_across(direction);
	vec3 v2 = difference_support(a, b, normal);
	for (int step = 0; step < EXIT_STEPS_MAX; step++) {
		normal = vec3_cross(v1, v2);
		if (vec3_dot(normal, direction) < 0.0) {
			const vec3 kept = v1;
			v1 = v2;
			v2 = kept;
			normal = vec3_scale(normal, -1.0);
		}
		const vec3 v3 = difference_support(a, b, normal);
		if (vec3_dot(vec3_cross(v1, v3), direction) > 0.0) {
			v2 = v3;
		} else if (vec3_dot(vec3_cross(v3, v2), direction) > 0.0) {
			v1 = v3;
		} else {
			*through = (portal){v1, v2, v3};
			return true;
		}
	}
	return false;
}

/* The part of the portal, split by `v4`, that the ray passes through. */
static void narrow(portal *through, vec3 v4, vec3 direction)
{
	const vec3 across = vec3_cross(direction, v4);
	if (vec3_dot(through->v1, across) > 0.0) {
		if (vec3_dot(through->v2, across) > 0.0)
			through->v1 = v4;
		else
			through->v3 = v4;
	} else {
		if (vec3_dot(through->v3, across) > 0.0)
			through->v2 = v4;
		else
			through->v1 = v4;
	}
}

bool solid_leave(const solid *a, const solid *b, vec3 direction, solid_exit *found)
{
	portal through;
	if (!discover(a, b, direction, &through))
		return false;
	for (int step = 0; step < EXIT_STEPS_MAX; step++) {
		vec3 normal =
		    vec3_unit(vec3_cross(vec3_sub(through.v2, through.v1), vec3_sub(through.v3, through.v1)));
		if (vec3_dot(normal, direction) < 0.0)
			normal = vec3_scale(normal, -1.0);
		const double facing = vec3_dot(normal, direction);
		if (facing < 1e-6)
			return false;
		const vec3 v4 = difference_support(a, b, normal);
		const double height = vec3_dot(v4, normal);
		if (height - vec3_dot(through.v1, normal) <= EXIT_TOLERANCE * height) {
			*found = (solid_exit){height / facing, normal};
			return height > 0.0;
		}
		narrow(&through, v4, direction);
	}
	return false;
}
