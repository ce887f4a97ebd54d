#include "model.h"
#include "runner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How thick the slab is that stands for a half-space, of half its width. */
#define GROUND_DEPTH 0.15
/* How far around a body the triangles of a mesh are drawn, of the body's size. */
#define SURFACE_MARGIN 0.5

void model_turn(const double rotation[4], const double v[3], double turned[3])
{
	const double x = rotation[0], y = rotation[1], z = rotation[2], w = rotation[3];
	const double s = 2.0 / (x * x + y * y + z * z + w * w);
	const double cross[3] = {y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]};
	const double twice[3] = {y * cross[2] - z * cross[1], z * cross[0] - x * cross[2], x * cross[1] - y * cross[0]};
	for (int axis = 0; axis < 3; axis++)
		turned[axis] = v[axis] + s * (w * cross[axis] + twice[axis]);
}

/* Corner i has its sign along axis k positive where bit k of i is set. */
static void add_box(model *made, const float half[3])
{
	made->points = allocate(8, sizeof *made->points);
	made->edges = allocate(12, sizeof *made->edges);
	made->point_count = 8;
	for (uint32_t corner = 0; corner < 8; corner++) {
		for (int axis = 0; axis < 3; axis++)
			made->points[corner][axis] = corner >> axis & 1 ? half[axis] : -(double)half[axis];
		for (int axis = 0; axis < 3; axis++) {
			if (corner >> axis & 1)
				continue;
			model_edge *edge = &made->edges[made->edge_count++];
			*edge = (model_edge){.from = corner, .to = corner | 1u << axis};
			for (int side = 0; side < 2; side++) {
				const int across = (axis + 1 + side) % 3;
				edge->normals[side][across] = corner >> across & 1 ? 1.0 : -1.0;
			}
		}
	}
}

static void add_capsule(model *made, float half_height)
{
	made->points = allocate(2, sizeof *made->points);
	made->edges = allocate(1, sizeof *made->edges);
	made->point_count = 2;
	made->points[0][1] = -(double)half_height;
	made->points[1][1] = half_height;
	made->edges[made->edge_count++] = (model_edge){.from = 0, .to = 1};
}

/* A face across the axis Y. */
static void add_disc(model *made, float radius, double height, double outwards)
{
	made->rounds[made->round_count++] = (model_round){.centre = {0.0, height, 0.0},
		.axes = {{radius, 0.0, 0.0}, {0.0, 0.0, radius}},
		.outwards = {0.0, outwards, 0.0}};
}

static void add_cylinder(model *made, float radius, float half_height)
{
	add_disc(made, radius, -(double)half_height, -1.0);
	add_disc(made, radius, half_height, 1.0);
}

static void add_cone(model *made, float radius, float half_height)
{
	add_disc(made, radius, -(double)half_height, -1.0);
	made->points = allocate(1, sizeof *made->points);
	made->point_count = 1;
	made->points[0][1] = half_height;
}

static void add_ellipsoid(model *made, const float semi_axes[3])
{
	model_round *const round = &made->rounds[made->round_count++];
	for (int axis = 0; axis < 3; axis++)
		round->axes[axis][axis] = semi_axes[axis];
}

static int by_number(const void *left, const void *right)
{
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

/* One side of an edge: the vertices in ascending order, and a face. */
typedef struct half_edge {
	uint32_t low, high, face;
} half_edge;

static int by_vertices(const void *left, const void *right)
{
	const half_edge *a = left, *b = right;
	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	if (a->high != b->high)
		return a->high < b->high ? -1 : 1;
	return (a->face > b->face) - (a->face < b->face);
}

static half_edge *list_half_edges(const wp_hull *hull, size_t *count)
{
	half_edge *const list = allocate(2 * MODEL_EDGE_MAX, sizeof *list);
	*count = 0;
	for (size_t face = 0; face < wp_hull_face_count(hull); face++) {
		size_t size;
		const uint32_t *const corners = wp_hull_face(hull, face, &size);
		if (size > 2 * MODEL_EDGE_MAX - *count) {
			*count = 0;
			return list;
		}
		for (size_t corner = 0; corner < size; corner++) {
			const uint32_t from = corners[corner], to = corners[(corner + 1) % size];
			list[(*count)++] = (half_edge){
				.low = from < to ? from : to, .high = from < to ? to : from, .face = (uint32_t)face};
		}
	}
	return list;
}

/* Two halves make an edge. */
static void add_hull_edges(model *made, const wp_hull *hull)
{
	size_t count;
	half_edge *const halves = list_half_edges(hull, &count);
	qsort(halves, count, sizeof *halves, by_vertices);
	made->edges = allocate(count / 2, sizeof *made->edges);
	for (size_t half = 0; half + 1 < count; half++) {
		const half_edge *const pair = &halves[half];
		if (pair[0].low != pair[1].low || pair[0].high != pair[1].high)
			continue;
		model_edge *edge = &made->edges[made->edge_count++];
		*edge = (model_edge){.from = pair[0].low, .to = pair[0].high};
		for (int side = 0; side < 2; side++) {
			float normal[3];
			wp_hull_face_normal(hull, pair[side].face, normal);
			for (int axis = 0; axis < 3; axis++)
				edge->normals[side][axis] = normal[axis];
		}
		half++;
	}
	free(halves);
}

static void add_hull(model *made, const capture_file *capture, const capture_shape *shape, const wp_hull *hull)
{
	made->points = allocate(shape->vertex_count, sizeof *made->points);
	made->point_count = shape->vertex_count;
	for (uint32_t vertex = 0; vertex < shape->vertex_count; vertex++)
		for (int axis = 0; axis < 3; axis++)
			made->points[vertex][axis] = capture->vertices[shape->first_vertex + vertex][axis];
	if (hull)
		add_hull_edges(made, hull);
}

static void place(model *made, const model_pose *pose)
{
	for (size_t point = 0; point < made->point_count; point++) {
		model_turn(pose->rotation, made->points[point], made->points[point]);
		for (int axis = 0; axis < 3; axis++)
			made->points[point][axis] += pose->position[axis];
	}
	for (size_t round = 0; round < made->round_count; round++) {
		double *const centre = made->rounds[round].centre;
		model_turn(pose->rotation, centre, centre);
		model_turn(pose->rotation, made->rounds[round].outwards, made->rounds[round].outwards);
		for (int axis = 0; axis < 3; axis++) {
			centre[axis] += pose->position[axis];
			model_turn(pose->rotation, made->rounds[round].axes[axis], made->rounds[round].axes[axis]);
		}
	}
	for (size_t edge = 0; edge < made->edge_count; edge++)
		for (int side = 0; side < 2; side++)
			model_turn(pose->rotation, made->edges[edge].normals[side], made->edges[edge].normals[side]);
}

void model_make(
	model *made, const capture_file *capture, const capture_scene *scene, uint32_t index, const model_pose *pose)
{
	const capture_shape *const shape = &capture->shapes[index];
	memset(made, 0, sizeof *made);
	made->radius = scene->shapes[index].radius;
	switch ((capture_kind)shape->kind) {
	case CAPTURE_SPHERE:
		made->points = allocate(1, sizeof *made->points);
		made->point_count = 1;
		break;
	case CAPTURE_CAPSULE:
		add_capsule(made, shape->param[1]);
		break;
	case CAPTURE_BOX:
		add_box(made, shape->param);
		break;
	case CAPTURE_CYLINDER:
		add_cylinder(made, shape->param[0], shape->param[1]);
		break;
	case CAPTURE_CONE:
		add_cone(made, shape->param[0], shape->param[1]);
		break;
	case CAPTURE_ELLIPSOID:
		add_ellipsoid(made, shape->param);
		break;
	case CAPTURE_HULL:
		add_hull(made, capture, shape, scene->shapes[index].hull);
		break;
	case CAPTURE_HALF_SPACE:
	case CAPTURE_MESH:
	case CAPTURE_KIND_COUNT:
		break;
	}
	place(made, pose);
}

/* The box around a body: its middle, and half of its longest side. */
static double middle_of(const model *body, double middle[3])
{
	double widest = body->radius;
	for (int axis = 0; axis < 3; axis++) {
		double low = INFINITY, high = -INFINITY;
		for (size_t point = 0; point < body->point_count; point++) {
			low = fmin(low, body->points[point][axis]);
			high = fmax(high, body->points[point][axis]);
		}
		for (size_t i = 0; i < body->round_count; i++) {
			const model_round *round = &body->rounds[i];
			const double reach = hypot(hypot(round->axes[0][axis], round->axes[1][axis]), round->axes[2][axis]);
			low = fmin(low, round->centre[axis] - reach);
			high = fmax(high, round->centre[axis] + reach);
		}
		middle[axis] = 0.5 * low + 0.5 * high;
		widest = fmax(widest, 0.5 * high - 0.5 * low + body->radius);
	}
	return widest;
}

void model_make_ground(model *made, const capture_shape *shape, const model_pose *pose, const model *above)
{
	const double up[3] = {0.0, 1.0, 0.0};
	double normal[3], middle[3], height = 0.0;
	const double size = middle_of(above, middle), width = size > 0.0 ? 2.0 * size : 1.0;
	const float half[3] = {(float)width, (float)(GROUND_DEPTH * width), (float)width};
	model_pose under = *pose;
	memset(made, 0, sizeof *made);
	add_box(made, half);
	model_turn(pose->rotation, up, normal);
	for (int axis = 0; axis < 3; axis++)
		height += (middle[axis] - pose->position[axis]) * normal[axis];
	/* The upper side of the box in the surface, right below the middle. */
	const double down = height - shape->param[3] + half[1];
	for (int axis = 0; axis < 3; axis++)
		under.position[axis] = middle[axis] - down * normal[axis];
	place(made, &under);
}

/* The box around a body and a margin, in the frame of a pose. */
static void box_at(const model *above, const model_pose *pose, double margin, float lower[3], float upper[3])
{
	for (int axis = 0; axis < 3; axis++) {
		double along[3] = {axis == 0, axis == 1, axis == 2}, back[3], shift = 0.0;
		model_turn(pose->rotation, along, along);
		for (int k = 0; k < 3; k++) {
			back[k] = -along[k];
			shift += along[k] * pose->position[k];
		}
		lower[axis] = (float)(-model_reach(above, back) - shift - margin);
		upper[axis] = (float)(model_reach(above, along) - shift + margin);
	}
}

/* An edge is drawn by the first of its triangles, or by a triangle whose neighbour is not drawn. */
static void add_triangle(model *made, const wp_mesh *mesh, const uint32_t *found, size_t count, size_t which)
{
	uint32_t corners[3];
	float vertex[3], normal[3];
	wp_mesh_triangle(mesh, found[which], corners);
	for (uint32_t corner = 0; corner < 3; corner++) {
		const uint32_t from = (uint32_t)(3 * which) + corner, to = (uint32_t)(3 * which) + (corner + 1) % 3;
		const wp_mesh_edge joined = wp_mesh_edge_of(mesh, found[which], corner);
		const uint32_t sides[2] = {found[which], joined.kind == WP_EDGE_BOUNDARY ? found[which] : joined.neighbour};
		wp_mesh_vertex(mesh, corners[corner], vertex);
		made->triangles[which][corner] = from;
		for (int axis = 0; axis < 3; axis++)
			made->points[from][axis] = vertex[axis];
		if (sides[1] < sides[0] && bsearch(&sides[1], found, count, sizeof *found, by_number))
			continue;
		model_edge *const edge = &made->edges[made->edge_count++];
		*edge = (model_edge){.from = from, .to = to};
		for (int side = 0; side < 2; side++) {
			wp_mesh_normal(mesh, sides[side], normal);
			for (int axis = 0; axis < 3; axis++)
				edge->normals[side][axis] = normal[axis];
		}
	}
}

void model_make_surface(model *made, const wp_mesh *mesh, const model_pose *pose, const model *above)
{
	float lower[3], upper[3];
	double middle[3];
	const double size = middle_of(above, middle);
	uint32_t *const found = allocate(MODEL_TRIANGLE_MAX, sizeof *found);
	size_t count = 0;
	memset(made, 0, sizeof *made);
	/* A margin that grows meets the mesh, at the latest where it is infinite. */
	for (double margin = SURFACE_MARGIN * (size > 0.0 ? size : 1.0); count == 0; margin *= 2.0) {
		uint32_t cursor = 0;
		box_at(above, pose, margin, lower, upper);
		if (wp_mesh_overlap_box(mesh, lower, upper, &cursor, found, MODEL_TRIANGLE_MAX, &count) != WP_OK)
			break;
	}
	made->points = allocate(3 * count, sizeof *made->points);
	made->edges = allocate(3 * count, sizeof *made->edges);
	made->triangles = allocate(count, sizeof *made->triangles);
	made->point_count = 3 * count;
	made->triangle_count = count;
	for (size_t which = 0; which < count; which++)
		add_triangle(made, mesh, found, count, which);
	free(found);
	place(made, pose);
}

void model_free(model *made)
{
	free(made->points);
	free(made->triangles);
	free(made->edges);
	memset(made, 0, sizeof *made);
}

bool model_is_there(const model *body) { return body->point_count + body->round_count > 0; }

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* The point of a round that is furthest: shares of the axes as they lean on the direction. */
static void round_support(const model_round *round, const double direction[3], double point[3])
{
	double leans[3], squared = 0.0;
	for (int axis = 0; axis < 3; axis++) {
		leans[axis] = dot(round->axes[axis], direction);
		squared += leans[axis] * leans[axis];
	}
	memcpy(point, round->centre, sizeof round->centre);
	for (int axis = 0; axis < 3 && squared > 0.0; axis++)
		for (int part = 0; part < 3; part++)
			point[part] += leans[axis] / sqrt(squared) * round->axes[axis][part];
}

void model_support(const model *body, const double direction[3], double point[3])
{
	double most = -INFINITY, at[3];
	memset(point, 0, 3 * sizeof *point);
	for (size_t index = 0; index < body->point_count + body->round_count; index++) {
		if (index < body->point_count)
			memcpy(at, body->points[index], sizeof at);
		else
			round_support(&body->rounds[index - body->point_count], direction, at);
		if (dot(at, direction) > most) {
			most = dot(at, direction);
			memcpy(point, at, sizeof at);
		}
	}
}

double model_reach(const model *body, const double direction[3])
{
	double point[3];
	model_support(body, direction, point);
	return model_is_there(body) ? dot(point, direction) + body->radius : -INFINITY;
}
