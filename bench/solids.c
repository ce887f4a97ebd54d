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

static void add_vertex(solid_list *list, v3 at)
{
	float *vertex = list->vertices[list->vertex_count++];
	vertex[0] = gen_rounded(at.x);
	vertex[1] = gen_rounded(at.y);
	vertex[2] = gen_rounded(at.z);
}

void solid_add_sphere(solid_list *list, gen_random *random)
{
	add_shape(list, CAPTURE_SPHERE)->param[0] = gen_rounded(gen_range(random, 0.15, 1.0));
}

void solid_add_capsule(solid_list *list, gen_random *random)
{
	capture_shape *shape = add_shape(list, CAPTURE_CAPSULE);
	shape->param[0] = gen_rounded(gen_range(random, 0.08, 0.4));
	shape->param[1] = gen_rounded(gen_range(random, 0.1, 0.8));
}

void solid_add_box(solid_list *list, gen_random *random)
{
	capture_shape *shape = add_shape(list, CAPTURE_BOX);
	for (int axis = 0; axis < 3; axis++)
		shape->param[axis] = gen_rounded(gen_range(random, 0.15, 1.0));
}

void solid_add_upright(solid_list *list, gen_random *random, capture_kind kind)
{
	capture_shape *shape = add_shape(list, kind);
	shape->param[0] = gen_rounded(gen_range(random, 0.15, 0.7));
	shape->param[1] = gen_rounded(gen_range(random, 0.15, 0.7));
}

void solid_add_ellipsoid(solid_list *list, gen_random *random)
{
	capture_shape *shape = add_shape(list, CAPTURE_ELLIPSOID);
	for (int axis = 0; axis < 3; axis++)
		shape->param[axis] = gen_rounded(gen_range(random, 0.15, 1.0));
}

/* Moves the vertices from `first` on so that their mean is the origin. */
static void centre(solid_list *list, uint32_t first)
{
	v3 mean = {0.0, 0.0, 0.0};
	const uint32_t count = list->vertex_count - first;
	for (uint32_t index = first; index < list->vertex_count; index++)
		mean = v3_add(mean, v3_scale(v3_of_floats(list->vertices[index]), 1.0 / count));
	list->vertex_count = first;
	for (uint32_t index = 0; index < count; index++)
		add_vertex(list, v3_sub(v3_of_floats(list->vertices[first + index]), mean));
}

void solid_add_triangle(solid_list *list, gen_random *random)
{
	capture_shape *shape = add_shape(list, CAPTURE_HULL);
	shape->first_vertex = list->vertex_count;
	shape->vertex_count = 3;
	const double size = gen_range(random, 0.25, 0.9);
	double area;
	do {
		list->vertex_count = shape->first_vertex;
		v3 corners[3];
		for (int index = 0; index < 3; index++) {
			corners[index] = v3_scale(gen_direction(random), size);
			add_vertex(list, corners[index]);
		}
		area = v3_length(v3_cross(v3_sub(corners[1], corners[0]), v3_sub(corners[2], corners[0])));
	} while (area < 0.2 * size * size);
	centre(list, shape->first_vertex);
}

/* Vertices on an ellipse, as many in each quarter: (1 - t t, 2 t) / (1 + t t) runs over a quarter of the
 * circle. */
static void add_ring(solid_list *list, uint32_t count, v3 size, double height)
{
	for (uint32_t index = 0; index < count; index++) {
		const double t = (double)(index / 4) / (count / 4);
		const double u = (1.0 - t * t) / (1.0 + t * t), v = 2.0 * t / (1.0 + t * t);
		const double turns[4][2] = {{u, v}, {-v, u}, {-u, -v}, {v, -u}};
		const double *turn = turns[index % 4];
		add_vertex(list, v3_of(turn[0] * size.x, height, turn[1] * size.z));
	}
}

void solid_add_hull(solid_list *list, gen_random *random, uint32_t vertices)
{
	capture_shape *shape = add_shape(list, CAPTURE_HULL);
	shape->first_vertex = list->vertex_count;
	shape->vertex_count = vertices;
	v3 size;
	size.x = gen_range(random, 0.2, 1.0);
	size.y = gen_range(random, 0.2, 1.0);
	size.z = gen_range(random, 0.2, 1.0);
	if (gen_below(random, 3) == 0) {
		add_ring(list, vertices / 2, size, -size.y);
		add_ring(list, vertices / 2, size, size.y);
	} else {
		for (uint32_t index = 0; index < vertices; index++) {
			const v3 at = gen_direction(random);
			add_vertex(list, v3_of(at.x * size.x, at.y * size.y, at.z * size.z));
		}
	}
	centre(list, shape->first_vertex);
}

/* ---- supports ------------------------------------------------------------------------------------- */

static v3 vertex_support(const solid *of, v3 direction)
{
	const float(*vertices)[3] = &of->vertices[of->shape->first_vertex];
	uint32_t best = 0;
	double most = v3_dot(v3_of_floats(vertices[0]), direction);
	for (uint32_t index = 1; index < of->shape->vertex_count; index++) {
		const double along = v3_dot(v3_of_floats(vertices[index]), direction);
		if (along > most) {
			most = along;
			best = index;
		}
	}
	return v3_of_floats(vertices[best]);
}

static v3 rim_support(double radius, double height, v3 direction)
{
	const double length = sqrt(direction.x * direction.x + direction.z * direction.z);
	const double scale = length > 0.0 ? radius / length : 0.0;
	return v3_of(scale * direction.x, height, scale * direction.z);
}

static v3 smooth_support(const capture_shape *shape, v3 direction)
{
	const double a = (double)shape->param[0], b = (double)shape->param[1], c = (double)shape->param[2];
	if (shape->kind == CAPTURE_CYLINDER)
		return rim_support(a, direction.y < 0.0 ? -b : b, direction);
	if (shape->kind == CAPTURE_CONE) {
		const v3 rim = rim_support(a, -b, direction), apex = v3_of(0.0, b, 0.0);
		return v3_dot(rim, direction) > v3_dot(apex, direction) ? rim : apex;
	}
	const v3 way = v3_unit(v3_of(a * direction.x, b * direction.y, c * direction.z));
	return v3_of(a * way.x, b * way.y, c * way.z);
}

v3 solid_support(const solid *of, v3 direction)
{
	const float *param = of->shape->param;
	const v3 local = m3_apply_inverse(of->turn, direction);
	const v3 unit = v3_unit(local);
	v3 point;
	switch (of->shape->kind) {
	case CAPTURE_SPHERE:
		point = v3_scale(unit, param[0]);
		break;
	case CAPTURE_CAPSULE:
		point = v3_scale(unit, param[0]);
		point.y += local.y < 0.0 ? -param[1] : param[1];
		break;
	case CAPTURE_BOX:
		point = v3_of(local.x < 0.0 ? -param[0] : param[0], local.y < 0.0 ? -param[1] : param[1],
			local.z < 0.0 ? -param[2] : param[2]);
		break;
	case CAPTURE_CYLINDER:
	case CAPTURE_CONE:
	case CAPTURE_ELLIPSOID:
		point = smooth_support(of->shape, local);
		break;
	default:
		point = vertex_support(of, local);
		break;
	}
	return m3_apply(of->turn, point);
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
		return v3_length(v3_of_floats(param));
	case CAPTURE_CYLINDER:
	case CAPTURE_CONE:
		return v3_length(v3_of(param[0], param[1], 0.0));
	case CAPTURE_ELLIPSOID:
		return fmax(param[0], fmax(param[1], param[2]));
	default:
		for (uint32_t index = 0; index < of->shape->vertex_count; index++)
			most = fmax(most, v3_length(v3_of_floats(of->vertices[of->shape->first_vertex + index])));
		return most;
	}
}

/* ---- the exit of a ray ---------------------------------------------------------------------------- */

/* Relative to the boundary's distance from the origin. */
#define EXIT_TOLERANCE 1e-10
#define EXIT_STEPS_MAX 400

static v3 difference_support(const solid *a, const solid *b, v3 direction)
{
	const v3 point = solid_support(a, direction);
	return b ? v3_sub(point, solid_support(b, v3_scale(direction, -1.0))) : point;
}

/* Three points of the boundary whose triangle the ray passes through. */
typedef struct portal {
	v3 p1, p2, p3;
} portal;

static bool discover(const solid *a, const solid *b, v3 direction, portal *through)
{
	v3 p1 = difference_support(a, b, direction), normal = v3_cross(p1, direction);
	if (v3_length(normal) <= 1e-9 * v3_length(p1))
		normal = v3_across(direction);
	v3 p2 = difference_support(a, b, normal);
	for (int step = 0; step < EXIT_STEPS_MAX; step++) {
		normal = v3_cross(p1, p2);
		if (v3_dot(normal, direction) < 0.0) {
			const v3 kept = p1;
			p1 = p2;
			p2 = kept;
			normal = v3_scale(normal, -1.0);
		}
		const v3 p3 = difference_support(a, b, normal);
		if (v3_dot(v3_cross(p1, p3), direction) > 0.0) {
			p2 = p3;
		} else if (v3_dot(v3_cross(p3, p2), direction) > 0.0) {
			p1 = p3;
		} else {
			*through = (portal){p1, p2, p3};
			return true;
		}
	}
	return false;
}

/* The part of the portal, split by `p4`, that the ray passes through. */
static void narrow(portal *through, v3 p4, v3 direction)
{
	const v3 across = v3_cross(direction, p4);
	if (v3_dot(through->p1, across) > 0.0) {
		if (v3_dot(through->p2, across) > 0.0)
			through->p1 = p4;
		else
			through->p3 = p4;
	} else {
		if (v3_dot(through->p3, across) > 0.0)
			through->p2 = p4;
		else
			through->p1 = p4;
	}
}

bool solid_leave(const solid *a, const solid *b, v3 direction, solid_exit *found)
{
	portal through;
	if (!discover(a, b, direction, &through))
		return false;
	for (int step = 0; step < EXIT_STEPS_MAX; step++) {
		v3 normal = v3_unit(v3_cross(v3_sub(through.p2, through.p1), v3_sub(through.p3, through.p1)));
		if (v3_dot(normal, direction) < 0.0)
			normal = v3_scale(normal, -1.0);
		const double facing = v3_dot(normal, direction);
		if (facing < 1e-6)
			return false;
		const v3 p4 = difference_support(a, b, normal);
		const double height = v3_dot(p4, normal);
		if (height - v3_dot(through.p1, normal) <= EXIT_TOLERANCE * height) {
			*found = (solid_exit){height / facing, normal};
			return height > 0.0;
		}
		narrow(&through, p4, direction);
	}
	return false;
}
