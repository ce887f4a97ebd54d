/* 2D shapes: constructors, their reduction to cores, the shape table. */
#include "shape/shape_2d.h"
#include "core/environment.h"

_Static_assert(WP2D_VERTEX_MAX == WP2D_POLYGON_VERTEX_MAX && WP2D_VERTEX_MAX <= UINT8_MAX + 1, "names are bytes");

/* ---- constructors and names --------------------------------------------------------------------- */

wp2d_shape wp2d_shape_circle(float radius) { return (wp2d_shape){.kind = WP2D_SHAPE_CIRCLE, .radius = radius}; }

wp2d_shape wp2d_shape_capsule(float radius, float half_height)
{
	return (wp2d_shape){.kind = WP2D_SHAPE_CAPSULE, .radius = radius, .half_height = half_height};
}

wp2d_shape wp2d_shape_segment(const float start[2], const float end[2])
{
	return (wp2d_shape){.kind = WP2D_SHAPE_SEGMENT, .points = {{start[0], start[1]}, {end[0], end[1]}}};
}

wp2d_shape wp2d_shape_polygon(const float *vertices, uint32_t vertex_count)
{
	return (wp2d_shape){.kind = WP2D_SHAPE_POLYGON, .vertices = vertices, .vertex_count = vertex_count};
}

const char *wp2d_shape_kind_name(wp2d_shape_kind kind)
{
	static const char *const names[] = {"circle", "capsule", "segment", "polygon"};
	_Static_assert(WP_COUNT_OF(names) == WP2D_SHAPE_KIND_COUNT, "a name for each kind");
	return (size_t)kind < WP_COUNT_OF(names) ? names[kind] : "unknown";
}

/* ---- polygons ----------------------------------------------------------------------------------- */

/* A vertex as it was given. */
typedef struct point {
	double x, y;
	uint8_t name;
} point;

/* Twice the area of a triangle, positive where it is counter-clockwise. */
static double turn_of(point p, point q, point r) { return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x); }

/* Distance up to which vertices may be out of place, relative to the largest coordinate, and of the smallest
 * floats. */
#define PLACE_TOLERANCE 1e-6
#define PLACE_SPACING 0x1p-148

/* Every edge has every vertex on its left: that is convex, counter-clockwise and once around. A vertex out of
 * place moves the line of an edge and the vertex itself, each by as much. */
static const char *fault_of_order(const point *points, uint32_t count)
{
	double size = 0.0, area = 0.0;
	for (uint32_t i = 0; i < count; i++) {
		const double dx = wp_abs(points[i].x), dy = wp_abs(points[i].y);
		size = dx > size ? dx : size;
		size = dy > size ? dy : size;
		area += turn_of(points[0], points[i], points[(i + 1) % count]);
	}
	const double tolerance = PLACE_TOLERANCE * size + PLACE_SPACING;
	for (uint32_t i = 0; i < count; i++) {
		const point p = points[i], q = points[(i + 1) % count];
		const double edge = wp_abs(q.x - p.x) + wp_abs(q.y - p.y);
		for (uint32_t k = 0; k < count; k++) {
			const point r = points[k];
			const double way = wp_abs(r.x - p.x) + wp_abs(r.y - p.y);
			if (turn_of(p, q, r) < -tolerance * (edge + way))
				return area < 0.0 ? "vertices are clockwise" : "vertices are not convex";
		}
	}
	return NULL;
}

static bool is_before(point p, point q) { return p.x < q.x || (p.x == q.x && p.y < q.y); }

/* Sort by x, then by y; of equal points the first stays first. */
static void sort_points(point *points, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		const point moving = points[i];
		uint32_t at = i;
		for (; at > 0 && is_before(moving, points[at - 1]); at--)
			points[at] = points[at - 1];
		points[at] = moving;
	}
}

/* The corners of the convex hull, counter-clockwise, without those on an edge: Andrew's monotone chain
 * (1979). One corner where all points are one, two where they are along a line. Returns how many they are. */
static uint32_t hull_of(point *points, uint32_t count, point corners[WP2D_VERTEX_MAX + 1])
{
	if (count == 1) {
		corners[0] = points[0];
		return 1;
	}
	sort_points(points, count);
	uint32_t made = 0;
	for (uint32_t side = 0; side < 2; side++) {
		const uint32_t base = made == 0 ? 0 : made - 1;
		for (uint32_t i = side; i < count; i++) {
			const point next = side == 0 ? points[i] : points[count - 1 - i];
			const bool repeats = made > 0 && corners[made - 1].x == next.x && corners[made - 1].y == next.y;
			if (repeats)
				continue;
			while (made >= base + 2 && turn_of(corners[made - 2], corners[made - 1], next) <= 0.0)
				made--;
			WP_ASSERT(made <= WP2D_VERTEX_MAX);
			corners[made++] = next;
		}
	}
	/* The last one closes the polygon. */
	return made > 1 ? made - 1 : made;
}

/* How far left the corners of a polygon turn, relative to the square of its largest coordinate, so that rounding changes no
 * decision about three of its vertices: it is below 2^-46 of that. */
#define CLEAR_TURN 0x1p-40

/* Where the hull of a polygon starts, at the least vertex by x, then by y, if the polygon clearly is that hull, counter-clockwise:
 * each corner turns left, and it goes once around. No three vertices have a smaller triangle than some three neighbours have.
 * `count` where that is not clear. */
static uint32_t first_of_convex(const point *points, uint32_t count)
{
	double size = 0.0, least = (double)FLT_MAX;
	uint32_t first = count, rounds = 0;
	for (uint32_t i = 0; i < count; i++) {
		const point p = points[i == 0 ? count - 1 : i - 1], q = points[i], r = points[i + 1 == count ? 0 : i + 1];
		const double x = wp_abs(q.x), y = wp_abs(q.y), turn = turn_of(p, q, r);
		size = x > size ? x : size;
		size = y > size ? y : size;
		least = turn < least ? turn : least;
		if (is_before(q, p) && is_before(q, r)) {
			first = i;
			rounds++;
		}
	}
	return rounds == 1 && least > CLEAR_TURN * size * size ? first : count;
}

/* The corners of a shape: of the convex hull of points that are in order. */
static const char *take_corners(point *points, uint32_t count, point corners[WP2D_VERTEX_MAX + 1], uint32_t *made)
{
	const uint32_t first = count > 2 ? first_of_convex(points, count) : count;
	if (first < count) {
		for (uint32_t i = 0; i < count; i++)
			corners[i] = points[first + i < count ? first + i : first + i - count];
		*made = count;
		return NULL;
	}
	const char *const fault = count > 2 ? fault_of_order(points, count) : NULL;
	if (fault == NULL)
		*made = hull_of(points, count, corners);
	return fault;
}

/* ---- cores -------------------------------------------------------------------------------------- */

static const wp_number_faults radius_faults = WP_NUMBER_FAULTS("radius");
static const wp_number_faults half_height_faults = WP_NUMBER_FAULTS("half_height");

static const char *take_point(const float from[2], uint8_t name, const char *not_finite, const char *beyond, point *to)
{
	*to = (point){(double)from[0], (double)from[1], name};
	if (!wp_is_finite_float(from[0]) || !wp_is_finite_float(from[1]))
		return not_finite;
	return wp_is_coordinate(from[0]) && wp_is_coordinate(from[1]) ? NULL : beyond;
}

static const char *take_polygon(const wp2d_shape *shape, point *points, uint32_t *count)
{
	if (shape->vertices == NULL)
		return "vertices is NULL";
	if (shape->vertex_count == 0 || shape->vertex_count > WP2D_VERTEX_MAX)
		return "vertex_count is 0 or above WP2D_POLYGON_VERTEX_MAX";
	*count = shape->vertex_count;
	for (uint32_t i = 0; i < *count; i++) {
		const char *const fault = take_point(shape->vertices + (size_t)2 * i, (uint8_t)i,
			"vertices holds a number that is not finite", "vertices holds a number beyond WP_COORDINATE_MAX",
			&points[i]);
		if (fault != NULL)
			return fault;
	}
	return NULL;
}

static const char *take_segment(const wp2d_shape *shape, point *points)
{
	for (uint32_t i = 0; i < 2; i++) {
		const char *const fault = take_point(shape->points[i], (uint8_t)i, "points holds a number that is not finite",
			"points holds a number beyond WP_COORDINATE_MAX", &points[i]);
		if (fault != NULL)
			return fault;
	}
	return NULL;
}

/* The points that the core is the convex hull of. */
static const char *take_points(const wp2d_shape *shape, point *points, uint32_t *count)
{
	const char *fault;
	float half = 0.0f;
	*count = 2;
	switch ((wp2d_shape_kind)shape->kind) {
	case WP2D_SHAPE_CIRCLE:
		*count = 1;
		points[0] = (point){0.0, 0.0, 0};
		return NULL;
	case WP2D_SHAPE_CAPSULE:
		fault = wp_take_length(shape->half_height, &half_height_faults, &half);
		points[0] = (point){0.0, -(double)half, 0};
		points[1] = (point){0.0, (double)half, 1};
		return fault;
	case WP2D_SHAPE_SEGMENT:
		return take_segment(shape, points);
	case WP2D_SHAPE_POLYGON:
		return take_polygon(shape, points, count);
	case WP2D_SHAPE_KIND_COUNT:
		break;
	}
	return "kind is not a wp2d_shape_kind";
}

static enum wp2d_bucket bucket_of(const wp2d_core *core)
{
	if (core->count > 2)
		return core->count <= WP2D_FEW_VERTICES ? WP2D_BUCKET_FEW : WP2D_BUCKET_MANY;
	return core->bound == 0.0f ? WP2D_BUCKET_CIRCLES : WP2D_BUCKET_SEGMENTS;
}

const char *wp2d_core_of_shape(const wp2d_shape *shape, wp2d_core *core, wp2d_corners *corners)
{
	point points[WP2D_VERTEX_MAX], hull[WP2D_VERTEX_MAX + 1];
	uint32_t count = 0, made = 0;
	memset(core, 0, sizeof *core);
	core->bucket = WP2D_BUCKET_COUNT;
	const char *fault = take_points(shape, points, &count);
	if (fault == NULL)
		fault = take_corners(points, count, hull, &made);
	if (fault == NULL)
		fault = wp_take_length(shape->radius, &radius_faults, &core->radius);
	if (fault != NULL)
		return fault;

	core->count = made;
	core->padded = (uint16_t)wp_round_up(core->count, 4);
	for (uint32_t i = 0; i < core->padded; i++) {
		const point p = hull[i < core->count ? i : 0];
		corners->xy[i] = (float)p.x + 0.0f;
		corners->xy[core->padded + i] = (float)p.y + 0.0f;
		corners->names[i] = p.name;
	}
	core->vertices = corners->xy;
	core->names = corners->names;
	core->bound = wp_distance_bound(corners->xy, corners->xy + core->padded, NULL, core->count);
	core->bucket = (uint16_t)bucket_of(core);
	return NULL;
}

/* ---- the table ---------------------------------------------------------------------------------- */

_Static_assert(sizeof(wp2d_shape_table) == WP_ALIGNMENT, "the cores follow the header aligned");

/* Vertices of a shape, rounded up to rows of lanes. */
static size_t room_of(const wp2d_shape *shape)
{
	const bool is_polygon = shape->kind == WP2D_SHAPE_POLYGON && shape->vertex_count <= WP2D_VERTEX_MAX;
	return is_polygon ? wp_round_up(shape->vertex_count, 4) : 4;
}

/* Bytes of a vertex: two coordinates and a name. */
#define VERTEX_BYTES (2 * sizeof(float) + 1)

/* Bytes of a table with room for so many vertices. */
static size_t size_of(size_t count, size_t vertices)
{
	return sizeof(wp2d_shape_table) + wp_round_up(count * sizeof(wp2d_core), WP_ALIGNMENT) + vertices * VERTEX_BYTES;
}

static bool is_too_many(size_t count)
{
	return count > (SIZE_MAX - 2 * WP_ALIGNMENT) / (sizeof(wp2d_core) + WP2D_VERTEX_MAX * VERTEX_BYTES);
}

size_t wp2d_shape_table_size(const wp2d_shape *shapes, size_t count)
{
	if (is_too_many(count) || (shapes == NULL && count != 0))
		return 0;
	size_t vertices = 0;
	for (size_t i = 0; i < count; i++)
		vertices += room_of(&shapes[i]);
	return size_of(count, vertices);
}

size_t wp2d_shape_table_init_size(size_t count, uint32_t vertex_max)
{
	const bool is_room = vertex_max >= 1 && vertex_max <= WP2D_VERTEX_MAX;
	return is_room && !is_too_many(count) ? size_of(count, count * wp_round_up(vertex_max, 4)) : 0;
}

/* The columns of a table, one behind the other: cores, vertices, names of vertices. */
static wp2d_core *cores_of(wp2d_shape_table *table) { return (wp2d_core *)(table + 1); }

static float *vertices_of(wp2d_shape_table *table)
{
	return (
		float *)(void *)((char *)(table + 1) + wp_round_up((size_t)table->of.count * sizeof(wp2d_core), WP_ALIGNMENT));
}

/* The core of no shape. */
static const wp2d_core no_core = {.bucket = WP2D_BUCKET_COUNT};

/* A table without shapes, in memory that passes the check. */
static wp2d_shape_table *make_table(void *memory, size_t size, size_t count, uint32_t vertex_max)
{
	wp2d_shape_table *const table = memory;
	memset(memory, 0, size);
	table->of = (wp_shape_table){
		.magic = WP2D_SHAPE_TABLE_MAGIC, .count = count, .cores_2d = cores_of(table), .vertex_max = vertex_max};
	for (size_t i = 0; i < count; i++)
		cores_of(table)[i] = no_core;
	return table;
}

/* Put a core, whose corners are elsewhere, into the table, and its corners there. */
static void put_core(const wp2d_core *core, float *vertices, uint8_t *names, wp2d_core *to)
{
	*to = *core;
	to->vertices = memcpy(vertices, core->vertices, 2 * core->padded * sizeof *vertices);
	to->names = memcpy(names, core->names, core->padded);
}

wp_error wp2d_shape_table_init(
	void *memory, size_t memory_size, size_t count, uint32_t vertex_max, wp2d_shape_table **table)
{
	if (table == NULL)
		return WP_ERROR_NULL_TABLE;
	*table = NULL;
	const size_t size = wp2d_shape_table_init_size(count, vertex_max);
	const wp_error error = wp_check_table_memory(memory, memory_size, size);
	if (error == WP_OK)
		*table = make_table(memory, size, count, vertex_max);
	return error;
}

/* Put a valid shape in the place of what the table has there. NULL, or what is wrong with it. */
static const char *put_shape(wp_shape_table *of, size_t index, const void *shape)
{
	wp2d_shape_table *const table = (wp2d_shape_table *)(void *)of;
	const size_t room = wp_round_up(table->of.vertex_max, 4), count = (size_t)table->of.count;
	wp2d_core core;
	wp2d_corners corners;
	const char *const fault = wp2d_core_of_shape(shape, &core, &corners);
	if (fault != NULL)
		return fault;
	if (core.padded > room)
		return "vertex_count is above the vertex_max of the table";
	float *const vertices = vertices_of(table);
	uint8_t *const names = (uint8_t *)(vertices + 2 * room * count);
	put_core(&core, vertices + 2 * room * index, names + room * index, &cores_of(table)[index]);
	return NULL;
}

wp_error wp2d_shape_table_set(wp2d_shape_table *table, size_t index, const wp2d_shape *shape, const char **reason)
{
	return wp_set_in_table(table != NULL ? &table->of : NULL, WP2D_SHAPE_TABLE_MAGIC, index, shape, put_shape, reason);
}

wp_error wp2d_shape_table_remove(wp2d_shape_table *table, size_t index)
{
	const wp_error error = wp_check_table_index(table != NULL ? &table->of : NULL, WP2D_SHAPE_TABLE_MAGIC, index);
	if (error == WP_OK)
		cores_of(table)[index] = no_core;
	return error;
}

/* Put all shapes into a table that has room for them alone. */
static void put_shapes(wp2d_shape_table *table, const wp2d_shape *shapes, size_t size, wp_shape_report *found)
{
	float *vertices = vertices_of(table);
	const size_t left = size - (size_t)((char *)vertices - (char *)table);
	uint8_t *names = (uint8_t *)vertices + left / VERTEX_BYTES * 2 * sizeof(float);
	for (size_t i = 0; i < table->of.count; i++) {
		wp2d_core core;
		wp2d_corners corners;
		const char *const fault = wp2d_core_of_shape(&shapes[i], &core, &corners);
		if (fault != NULL) {
			wp_report_fault(i, fault, found);
			continue;
		}
		put_core(&core, vertices, names, &cores_of(table)[i]);
		vertices += (size_t)2 * core.padded;
		names += core.padded;
	}
}

wp_error wp2d_shape_table_build(const wp2d_shape *shapes, size_t count, void *memory, size_t memory_size,
	const wp2d_shape_table **table, wp_shape_report *report)
{
	wp_shape_report found = {0, 0, NULL};
	if (report != NULL)
		*report = found;
	if (table == NULL)
		return WP_ERROR_NULL_TABLE;
	*table = NULL;
	if (shapes == NULL && count != 0)
		return WP_ERROR_NULL_SHAPES;
	const size_t size = wp2d_shape_table_size(shapes, count);
	const wp_error error = wp_check_table_memory(memory, memory_size, size);
	if (error != WP_OK)
		return error;

	wp2d_shape_table *const made = make_table(memory, size, count, 0);
	const wp_environment before = wp_environment_enter();
	put_shapes(made, shapes, size, &found);
	wp_environment_leave(before);
	if (report != NULL)
		*report = found;
	*table = made;
	return WP_OK;
}

size_t wp2d_shape_table_count(const wp2d_shape_table *table) { return (size_t)table->of.count; }

float wp2d_shape_table_bound(const wp2d_shape_table *table, size_t index)
{
	if (index >= table->of.count || table->of.cores_2d[index].count == 0)
		return 0.0f;
	return wp_sum_up(table->of.cores_2d[index].bound, table->of.cores_2d[index].radius);
}
