/* Shapes: constructors, and their reduction to cores. */
#include "shape/shape.h"
#include "shape/hull.h"

/* ---- constructors and names --------------------------------------------------------------------- */

wp_shape wp_shape_point(void) { return (wp_shape){.kind = WP_SHAPE_POINT}; }

wp_shape wp_shape_sphere(float radius) { return (wp_shape){.kind = WP_SHAPE_SPHERE, .radius = radius}; }

wp_shape wp_shape_segment(const float start[3], const float end[3])
{
	return (wp_shape){.kind = WP_SHAPE_SEGMENT, .points = {{start[0], start[1], start[2]}, {end[0], end[1], end[2]}}};
}

wp_shape wp_shape_capsule(float radius, float half_height)
{
	return (wp_shape){.kind = WP_SHAPE_CAPSULE, .radius = radius, .half_height = half_height};
}

wp_shape wp_shape_triangle(const float a[3], const float b[3], const float c[3])
{
	return (wp_shape){
		.kind = WP_SHAPE_TRIANGLE, .points = {{a[0], a[1], a[2]}, {b[0], b[1], b[2]}, {c[0], c[1], c[2]}}};
}

wp_shape wp_shape_box(float half_x, float half_y, float half_z)
{
	return (wp_shape){.kind = WP_SHAPE_BOX, .half_extents = {half_x, half_y, half_z}};
}

wp_shape wp_shape_hull(const wp_hull *hull) { return (wp_shape){.kind = WP_SHAPE_HULL, .hull = hull}; }

wp_shape wp_shape_cylinder(float base_radius, float half_height)
{
	return (wp_shape){.kind = WP_SHAPE_CYLINDER, .base_radius = base_radius, .half_height = half_height};
}

wp_shape wp_shape_cone(float base_radius, float half_height)
{
	return (wp_shape){.kind = WP_SHAPE_CONE, .base_radius = base_radius, .half_height = half_height};
}

wp_shape wp_shape_ellipsoid(float semi_x, float semi_y, float semi_z)
{
	return (wp_shape){.kind = WP_SHAPE_ELLIPSOID, .half_extents = {semi_x, semi_y, semi_z}};
}

wp_shape wp_shape_half_space(void) { return (wp_shape){.kind = WP_SHAPE_HALF_SPACE}; }

wp_shape wp_shape_custom(const wp_custom *custom) { return (wp_shape){.kind = WP_SHAPE_CUSTOM, .custom = custom}; }

const char *wp_shape_kind_name(wp_shape_kind kind)
{
	static const char *const names[] = {"point", "sphere", "segment", "capsule", "triangle", "box", "hull", "cylinder",
		"cone", "ellipsoid", "custom", "half-space"};
	_Static_assert(WP_COUNT_OF(names) == WP_SHAPE_KIND_COUNT, "a name for each kind");
	return (size_t)kind < WP_COUNT_OF(names) ? names[kind] : "unknown";
}

/* ---- cores -------------------------------------------------------------------------------------- */

static const wp_number_faults radius_faults = WP_NUMBER_FAULTS("radius");
static const wp_number_faults base_radius_faults = WP_NUMBER_FAULTS("base_radius");
static const wp_number_faults half_height_faults = WP_NUMBER_FAULTS("half_height");
static const wp_number_faults bound_faults = WP_NUMBER_FAULTS("custom->bound");
static const wp_number_faults half_extents_faults[3] = {
	WP_NUMBER_FAULTS("half_extents[0]"), WP_NUMBER_FAULTS("half_extents[1]"), WP_NUMBER_FAULTS("half_extents[2]")};
static const wp_number_faults points_faults[3][3] = {
	{WP_NUMBER_FAULTS("points[0][0]"), WP_NUMBER_FAULTS("points[0][1]"), WP_NUMBER_FAULTS("points[0][2]")},
	{WP_NUMBER_FAULTS("points[1][0]"), WP_NUMBER_FAULTS("points[1][1]"), WP_NUMBER_FAULTS("points[1][2]")},
	{WP_NUMBER_FAULTS("points[2][0]"), WP_NUMBER_FAULTS("points[2][1]"), WP_NUMBER_FAULTS("points[2][2]")}};

static const char *take_box(const float half_extents[3], wp_core *core)
{
	for (int axis = 0; axis < 3; axis++) {
		const char *const fault = wp_take_length(half_extents[axis], &half_extents_faults[axis], &core->half[axis]);
		if (fault != NULL)
			return fault;
	}
	core->bound = wp_point_bound(core->half);
	return NULL;
}

static const char *take_points(const float points[][3], uint32_t count, wp_core *core, float *small)
{
	for (uint32_t i = 0; i < WP_WIDTH_MAX; i++) {
		const uint32_t source = i < count ? i : 0;
		for (int axis = 0; axis < 3; axis++) {
			const float value = points[source][axis];
			const char *const fault = wp_fault_of_coordinate(value, &points_faults[source][axis]);
			if (fault != NULL)
				return fault;
			small[axis * WP_WIDTH_MAX + (int)i] = value;
		}
	}
	core->kind = WP_CORE_HULL;
	core->count = count;
	core->padded = WP_WIDTH_MAX;
	core->vertices = small;
	wp_extents_of(small, WP_WIDTH_MAX, count, core->half);
	core->bound = wp_distance_bound(small, small + WP_WIDTH_MAX, small + 2 * WP_WIDTH_MAX, count);
	return NULL;
}

static const char *take_hull(const wp_hull *hull, wp_core *core, wp_find_checksum *find)
{
	if (hull == NULL)
		return "hull is NULL";
	if (!wp_hull_is_intact(hull, find))
		return "hull is misaligned or corrupt";
	core->kind = WP_CORE_HULL;
	core->count = hull->vertex_count;
	core->padded = hull->vertex_padded;
	core->vertices = wp_hull_vertices(hull);
	if (hull->face_count != 0) {
		core->normals = wp_hull_normals(hull);
		core->faces = wp_offset(hull, hull->face_offset);
		core->face_count = hull->face_count;
	}
	memcpy(core->half, hull->half, sizeof core->half);
	core->bound = hull->bound;
	return NULL;
}

/* Cylinder or cone: the point farthest from the origin is on a rim, or the apex, which is nearer. */
static const char *take_turned(const wp_shape *shape, wp_form form, wp_core *core)
{
	const char *fault = wp_take_length(shape->base_radius, &base_radius_faults, &core->half[0]);
	if (fault == NULL)
		fault = wp_take_length(shape->half_height, &half_height_faults, &core->half[1]);
	if (fault != NULL)
		return fault;
	const float rim[3] = {core->half[0], core->half[1], 0.0f};
	core->kind = WP_CORE_SMOOTH;
	core->count = (uint32_t)form;
	core->half[2] = core->half[0];
	core->bound = wp_point_bound(rim);
	return NULL;
}

static const char *take_ellipsoid(const float semi_axes[3], wp_core *core)
{
	const char *const fault = take_box(semi_axes, core);
	if (fault != NULL)
		return fault;
	core->kind = WP_CORE_SMOOTH;
	core->count = WP_FORM_ELLIPSOID;
	core->bound = core->half[0];
	for (int axis = 1; axis < 3; axis++)
		core->bound = core->half[axis] > core->bound ? core->half[axis] : core->bound;
	return NULL;
}

static const char *take_custom(const wp_custom *custom, wp_core *core)
{
	if (custom == NULL)
		return "custom is NULL";
	if (custom->support == NULL)
		return "custom->support is NULL";
	const char *const fault = wp_take_length(custom->bound, &bound_faults, &core->bound);
	core->kind = WP_CORE_CUSTOM;
	core->custom = custom;
	for (int axis = 0; axis < 3; axis++)
		core->half[axis] = core->bound;
	return fault;
}

/* The core proper, into one that holds zeroes: a box without extent. */
static const char *take_core(const wp_shape *shape, wp_core *core, float *small, wp_find_checksum *find)
{
	const char *fault;
	switch ((wp_shape_kind)shape->kind) {
	case WP_SHAPE_POINT:
	case WP_SHAPE_SPHERE:
		core->kind = WP_CORE_SEGMENT;
		return NULL;
	case WP_SHAPE_SEGMENT:
		return take_points(shape->points, 2, core, small);
	case WP_SHAPE_CAPSULE:
		fault = wp_take_length(shape->half_height, &half_height_faults, &core->half[1]);
		core->kind = WP_CORE_SEGMENT;
		core->bound = core->half[1];
		return fault;
	case WP_SHAPE_TRIANGLE:
		return take_points(shape->points, 3, core, small);
	case WP_SHAPE_BOX:
		return take_box(shape->half_extents, core);
	case WP_SHAPE_HULL:
		return take_hull(shape->hull, core, find);
	case WP_SHAPE_CYLINDER:
		return take_turned(shape, WP_FORM_CYLINDER, core);
	case WP_SHAPE_CONE:
		return take_turned(shape, WP_FORM_CONE, core);
	case WP_SHAPE_ELLIPSOID:
		return take_ellipsoid(shape->half_extents, core);
	case WP_SHAPE_CUSTOM:
		return take_custom(shape->custom, core);
	case WP_SHAPE_HALF_SPACE:
		core->kind = WP_CORE_HALF_SPACE;
		return NULL;
	case WP_SHAPE_KIND_COUNT:
		break;
	}
	return "kind is not a wp_shape_kind";
}

const char *wp_core_of_shape(const wp_shape *shape, wp_core *core, float *small, wp_find_checksum *find)
{
	memset(core, 0, sizeof *core);
	float radius = 0.0f;
	const char *fault = take_core(shape, core, small, find);
	if (fault == NULL)
		fault = wp_take_length(shape->radius, &radius_faults, &radius);
	if (fault != NULL) {
		memset(core, 0, sizeof *core);
		core->kind = WP_CORE_INVALID;
		return fault;
	}
	/* At once, as kernels read them: a quad that was stored number by number waits until all is done that was before. */
	const wp_quad extents = wp_quad_of(core->half[0], core->half[1], core->half[2], radius);
	memcpy(core, &extents, sizeof extents);
	return NULL;
}

/* By how much the length of a vector in double may be below the true one, relative to it. */
#define LENGTH_ROUNDING 0x1p-50

void wp_core_of_triangle(const float corner[3][3], wp_core *core, float *small)
{
	bool is_valid = true;
	double most = 0;
	*core = (wp_core){.kind = WP_CORE_HULL, .count = 3, .padded = WP_WIDTH_MAX, .vertices = small};
	for (int i = 0; i < 3; i++) {
		const double x = (double)corner[i][0], y = (double)corner[i][1], z = (double)corner[i][2];
		const double square = (x * x + y * y) + z * z;
		most = square > most ? square : most;
	}
	for (int axis = 0; axis < 3; axis++) {
		float *const row = small + axis * WP_WIDTH_MAX;
		for (int i = 0; i < WP_WIDTH_MAX; i++)
			row[i] = corner[0][axis];
		for (int i = 0; i < 3; i++) {
			const float size = wp_abs_float(corner[i][axis]);
			row[i] = corner[i][axis];
			is_valid &= size <= WP_COORDINATE_MAX;
			core->half[axis] = size > core->half[axis] ? size : core->half[axis];
		}
	}
	if (is_valid)
		core->bound = -wp_round_down(-wp_sqrt(most) * (1 + LENGTH_ROUNDING));
	else
		*core = (wp_core){.kind = WP_CORE_INVALID};
}

bool wp_custom_point(const wp_core *core, const double direction[3], double point[3])
{
	static const double any[3] = {0, 1, 0};
	const bool is_any = direction[0] == 0 && direction[1] == 0 && direction[2] == 0;
	core->custom->support(core->custom->context, is_any ? any : direction, point);
	const double length2 = (point[0] * point[0] + point[1] * point[1]) + point[2] * point[2];
	const double most = (double)core->bound * (1 + WP_CUSTOM_ROUNDING);
	if (length2 <= most * most)
		return true;
	point[0] = point[1] = point[2] = 0;
	return false;
}
