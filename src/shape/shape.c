/* Shapes: constructors, their reduction to cores, the shape table. */
#include "shape/shape.h"
#include "core/environment.h"
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

/* ---- the ball inside ---------------------------------------------------------------------------- */

/* By how much a ball is made smaller than float normals, unit to a few roundings, give it. */
#define INNER_ROUNDING 1e-6

/* How far out a corner is along a normal; coordinates of both are `stride` numbers apart. */
static double corner_height(const float *v, size_t vertex_stride, const float *n, size_t normal_stride)
{
	return ((double)v[0] * (double)n[0] + (double)v[vertex_stride] * (double)n[normal_stride]) +
	       (double)v[2 * vertex_stride] * (double)n[2 * normal_stride];
}

/* The largest ball about the origin that a hull is known to hold. Each point of each face is as far out along the
 * face's normal as the ball's radius, and the faces of hulls close: so the ball lies within them. */
static float inner_of_hull(const wp_core *core)
{
	if (core->face_count == 0)
		return 0.0f;
	const size_t vertex_stride = core->padded, normal_stride = wp_padded_faces(core);
	const uint32_t *const start = core->faces, *const index = start + core->face_count + 1;
	double least = (double)core->bound;
	for (uint32_t face = 0; face < core->face_count; face++)
		for (uint32_t i = start[face]; i < start[face + 1]; i++) {
			const float *const v = core->vertices + index[i], *const n = core->normals + face;
			const double out = corner_height(v, vertex_stride, n, normal_stride);
			least = out < least ? out : least;
		}
	return least > 0.0 ? wp_round_down(least * (1.0 - INNER_ROUNDING)) : 0.0f;
}

/* Whether planes bound a hull from inside: each point of each face is as far out along the face's normal as its plane. */
static bool has_planes(const wp_core *core)
{
	if (core->kind != WP_CORE_HULL || core->face_count == 0)
		return false;
	const size_t vertex_stride = core->padded, normal_stride = wp_padded_faces(core);
	const uint32_t *const start = core->faces, *const index = start + core->face_count + 1;
	double deepest = 0.0;
	for (uint32_t face = 0; face < core->face_count; face++)
		for (uint32_t i = start[face]; i < start[face + 1]; i++) {
			const float *const v = core->vertices + index[i], *const n = core->normals + face;
			const double out = corner_height(v, vertex_stride, n, normal_stride) - (double)n[3 * normal_stride];
			deepest = out < deepest ? out : deepest;
		}
	return deepest >= -WP_PLANE_SLACK * (double)core->bound;
}

static float inner_of(const wp_core *core)
{
	if (core->kind == WP_CORE_HULL)
		return inner_of_hull(core);
	if (core->kind != WP_CORE_BOX)
		return 0.0f;
	const float *const half = core->half, least = half[0] < half[1] ? half[0] : half[1];
	return half[2] < least ? half[2] : least;
}

/* ---- rays --------------------------------------------------------------------------------------- */

_Static_assert(WP_CORE_INVALID == 6 && WP_FORM_COUNT == 4, "each has its rays here");

/* Cores by kind and form; WP_RAY_KIND_COUNT: they have no closed form. */
static const uint8_t ray_kinds[WP_CORE_INVALID + 1][WP_FORM_COUNT] = {
	[WP_CORE_BOX] = {WP_RAY_BOX},
	[WP_CORE_SEGMENT] = {WP_RAY_SEGMENT},
	[WP_CORE_HULL] = {WP_RAY_HULL},
	[WP_CORE_HALF_SPACE] = {WP_RAY_HALF_SPACE},
	[WP_CORE_SMOOTH] = {[WP_FORM_BOX] = WP_RAY_KIND_COUNT,
		[WP_FORM_CYLINDER] = WP_RAY_CYLINDER,
		[WP_FORM_CONE] = WP_RAY_CONE,
		[WP_FORM_ELLIPSOID] = WP_RAY_ELLIPSOID},
	[WP_CORE_CUSTOM] = {WP_RAY_KIND_COUNT},
	[WP_CORE_INVALID] = {WP_RAY_KIND_COUNT},
};

wp_ray_kind wp_ray_kind_of(const wp_core *core, bool is_ball)
{
	const wp_ray_kind kind = (wp_ray_kind)ray_kinds[core->kind][core->kind == WP_CORE_SMOOTH ? core->count : 0];
	if (kind == WP_RAY_BOX || kind == WP_RAY_CYLINDER)
		return kind;
	const bool is_round = core->radius > 0.0f || is_ball;
	if (kind == WP_RAY_SEGMENT)
		return !is_round ? WP_RAY_KIND_COUNT : core->half[1] == 0.0f ? WP_RAY_BALL : WP_RAY_SEGMENT;
	if (kind == WP_RAY_HULL)
		return is_round || core->face_count == 0 ? WP_RAY_KIND_COUNT : kind;
	if (kind == WP_RAY_CONE || kind == WP_RAY_ELLIPSOID) {
		const bool is_wide = core->half[0] > 0.0f && core->half[1] > 0.0f && core->half[2] > 0.0f;
		return is_round || !is_wide ? WP_RAY_KIND_COUNT : kind;
	}
	return kind;
}

void wp_core_keep_rays(wp_core *core)
{
	for (int is_ball = 0; is_ball < 2; is_ball++) {
		const wp_ray_kind kind = wp_ray_kind_of(core, is_ball != 0);
		core->ray[is_ball] = kind == WP_RAY_KIND_COUNT ? 0 : (uint8_t)(kind + 1);
	}
}

/* ---- the table ---------------------------------------------------------------------------------- */

_Static_assert(sizeof(wp_shape_table) == WP_ALIGNMENT, "the cores follow the header aligned");

/* Bytes of one shape: its core, and room for the vertices of a small one; besides, it has a serial number. */
#define SHAPE_BYTES (sizeof(wp_core) + WP_SMALL_CORE_FLOATS * sizeof(float))

size_t wp_shape_table_size(size_t count)
{
	if (count > (SIZE_MAX - sizeof(wp_shape_table) - WP_ALIGNMENT) / (SHAPE_BYTES + sizeof(uint32_t)))
		return SIZE_MAX;
	return sizeof(wp_shape_table) + count * SHAPE_BYTES + wp_round_up(count * sizeof(uint32_t), WP_ALIGNMENT);
}

/* The columns of a table, one behind the other: cores, vertices of small cores, serial numbers. */
static wp_core *cores_of(wp_shape_table *table) { return (wp_core *)(table + 1); }

static float *small_cores_of(wp_shape_table *table) { return (float *)(cores_of(table) + table->count); }

static uint32_t *serials_of(wp_shape_table *table)
{
	return (uint32_t *)(small_cores_of(table) + table->count * WP_SMALL_CORE_FLOATS);
}

wp_error wp_check_table_memory(const void *memory, size_t memory_size, size_t table_size)
{
	const bool is_size = table_size != 0 && table_size != SIZE_MAX;
	return memory == NULL                       ? WP_ERROR_NULL_MEMORY
	     : !wp_is_aligned(memory, WP_ALIGNMENT) ? WP_ERROR_MEMORY_MISALIGNED
	     : !is_size || memory_size < table_size ? WP_ERROR_MEMORY_TOO_SMALL
	                                            : WP_OK;
}

wp_error wp_check_table_index(const wp_shape_table *table, uint64_t magic, size_t index)
{
	return table == NULL                                                ? WP_ERROR_NULL_TABLE
	     : !wp_is_aligned(table, WP_ALIGNMENT) || table->magic != magic ? WP_ERROR_SHAPE_TABLE_INVALID
	     : index >= table->count                                        ? WP_ERROR_SHAPE_INDEX
	                                                                    : WP_OK;
}

wp_error wp_set_in_table(
	wp_shape_table *table, uint64_t magic, size_t index, const void *shape, wp_put_shape *put, const char **reason)
{
	const char *fault = NULL;
	wp_error error = wp_check_table_index(table, magic, index);
	if (error == WP_OK && shape == NULL)
		error = WP_ERROR_NULL_SHAPE;
	if (error == WP_OK) {
		const wp_environment before = wp_environment_enter();
		fault = put(table, index, shape);
		wp_environment_leave(before);
		error = fault == NULL ? WP_OK : WP_ERROR_SHAPE;
	}
	if (reason != NULL)
		*reason = fault;
	return error;
}

void wp_report_fault(size_t index, const char *fault, wp_shape_report *report)
{
	if (report->invalid_count++ == 0) {
		report->first_invalid = index;
		report->reason = fault;
	}
}

/* A table without shapes; its memory passes the check. */
static wp_shape_table *make_table(void *memory, size_t count)
{
	wp_shape_table *const table = memory;
	memset(memory, 0, wp_shape_table_size(count));
	*table = (wp_shape_table){
		.magic = WP_SHAPE_TABLE_MAGIC, .count = count, .cores = cores_of(table), .next_serial = (uint32_t)count};
	for (size_t i = 0; i < count; i++) {
		cores_of(table)[i].kind = WP_CORE_INVALID;
		serials_of(table)[i] = (uint32_t)i;
	}
	return table;
}

/* No shape has this index any more: the next one gets another serial number. */
static void drop_shape(wp_shape_table *table, size_t index)
{
	wp_core *const core = &cores_of(table)[index];
	if (core->kind == WP_CORE_INVALID)
		return;
	*core = (wp_core){.kind = WP_CORE_INVALID};
	serials_of(table)[index] = table->next_serial++;
	table->serials = serials_of(table);
}

/* Put a valid shape in the place of what the table has there. NULL, or what is wrong with it. */
static const char *put_shape(wp_shape_table *table, size_t index, const void *shape)
{
	_Alignas(WP_ALIGNMENT) float small[WP_SMALL_CORE_FLOATS];
	wp_core core;
	const char *const fault = wp_core_of_shape(shape, &core, small, NULL);
	if (fault != NULL)
		return fault;
	core.inner = inner_of(&core);
	core.has_planes = has_planes(&core);
	wp_core_keep_rays(&core);
	if (core.vertices == small)
		core.vertices = memcpy(small_cores_of(table) + index * WP_SMALL_CORE_FLOATS, small, sizeof small);
	drop_shape(table, index);
	cores_of(table)[index] = core;
	return NULL;
}

wp_error wp_shape_table_init(void *memory, size_t memory_size, size_t count, wp_shape_table **table)
{
	if (table == NULL)
		return WP_ERROR_NULL_TABLE;
	*table = NULL;
	const wp_error error = wp_check_table_memory(memory, memory_size, wp_shape_table_size(count));
	if (error == WP_OK)
		*table = make_table(memory, count);
	return error;
}

wp_error wp_shape_table_set(wp_shape_table *table, size_t index, const wp_shape *shape, const char **reason)
{
	return wp_set_in_table(table, WP_SHAPE_TABLE_MAGIC, index, shape, put_shape, reason);
}

wp_error wp_shape_table_remove(wp_shape_table *table, size_t index)
{
	const wp_error error = wp_check_table_index(table, WP_SHAPE_TABLE_MAGIC, index);
	if (error == WP_OK)
		drop_shape(table, index);
	return error;
}

wp_error wp_shape_table_build(const wp_shape *shapes, size_t count, void *memory, size_t memory_size,
	const wp_shape_table **table, wp_shape_report *report)
{
	wp_shape_report found = {0, 0, NULL};
	if (report != NULL)
		*report = found;
	if (table == NULL)
		return WP_ERROR_NULL_TABLE;
	*table = NULL;
	if (shapes == NULL && count != 0)
		return WP_ERROR_NULL_SHAPES;
	const wp_error error = wp_check_table_memory(memory, memory_size, wp_shape_table_size(count));
	if (error != WP_OK)
		return error;

	wp_shape_table *const made = make_table(memory, count);
	const wp_environment before = wp_environment_enter();
	for (size_t i = 0; i < count; i++) {
		const char *const fault = put_shape(made, i, &shapes[i]);
		if (fault != NULL)
			wp_report_fault(i, fault, &found);
	}
	wp_environment_leave(before);
	if (report != NULL)
		*report = found;
	*table = made;
	return WP_OK;
}

size_t wp_shape_table_count(const wp_shape_table *table) { return (size_t)table->count; }

float wp_shape_table_bound(const wp_shape_table *table, size_t index)
{
	if (index >= table->count || table->cores[index].kind == WP_CORE_INVALID)
		return 0.0f;
	if (table->cores[index].kind == WP_CORE_HALF_SPACE)
		return WP_INFINITY;
	const wp_environment before = wp_environment_enter();
	const float bound = wp_sum_up(table->cores[index].bound, table->cores[index].radius);
	wp_environment_leave(before);
	return bound;
}
