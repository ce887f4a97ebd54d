/* The reference path: checks a pair, scales it, has GJK and EPA solve the cores, and puts the radii and
 * the world frame back on. Read difference.h, simplex.c, gjk.c, epa.c in this order to learn the methods. */
#include "widephase/reference.h"

#include "core/capacity.h"
#include "core/environment.h"
#include "epa.h"

/* A body as the caller describes it. */
typedef struct body {
	const wp_shape *shape;
	double position[3];
	float rotation[4];
} body;

/* What is wrong with side B has the bit of side A, shifted by this. */
#define SIDE_B_SHIFT 4
_Static_assert(WP_STATUS_INVALID_BODY_A << SIDE_B_SHIFT == WP_STATUS_INVALID_BODY_B, "sides differ by a shift");
_Static_assert(WP_STATUS_INVALID_ROTATION_A << SIDE_B_SHIFT == WP_STATUS_INVALID_ROTATION_B, "sides differ by a shift");

/* ---- checks --------------------------------------------------------------------------------------- */

static bool is_coordinate(double value) { return fabs(value) <= (double)WP_COORDINATE_MAX; }

static bool is_length(double value) { return value >= 0 && value <= (double)WP_COORDINATE_MAX; }

static bool is_intact(const wp_hull *hull)
{
	const wp_hull *checked = NULL;
	return hull != NULL && wp_is_aligned(hull, WP_ALIGNMENT) &&
	       wp_hull_from_memory(hull, wp_hull_byte_size(hull), &checked) == WP_OK;
}

static bool is_valid_shape(const wp_shape *shape)
{
	if (shape->kind >= WP_SHAPE_KIND_COUNT || !is_length(shape->radius))
		return false;
	if (shape->kind == WP_SHAPE_CAPSULE && !is_length(shape->half_height))
		return false;
	const bool turned = shape->kind == WP_SHAPE_CYLINDER || shape->kind == WP_SHAPE_CONE;
	if (turned && !(is_length(shape->base_radius) && is_length(shape->half_height)))
		return false;
	const bool has_extents = shape->kind == WP_SHAPE_BOX || shape->kind == WP_SHAPE_ELLIPSOID;
	for (int axis = 0; axis < 3 && has_extents; axis++)
		if (!is_length(shape->half_extents[axis]))
			return false;
	if (shape->kind == WP_SHAPE_HULL && !is_intact(shape->hull))
		return false;
	const wp_custom *custom = shape->custom;
	if (shape->kind == WP_SHAPE_CUSTOM && (custom == NULL || custom->support == NULL || !is_length(custom->bound)))
		return false;
	for (size_t i = 0; i < wp_reference_core_count(shape); i++) {
		vec3 point = wp_reference_core_point(shape, i);
		if (!is_coordinate(point.x) || !is_coordinate(point.y) || !is_coordinate(point.z))
			return false;
	}
	return true;
}

static double rotation_length(const float rotation[4])
{
	double x = rotation[0], y = rotation[1], z = rotation[2], w = rotation[3];
	return sqrt(x * x + y * y + z * z + w * w);
}

/* The reasons why a body is invalid, as bits of side A; 0 for a valid one. A null shape stands for an
 * index out of range. Comparisons are written so that NaN fails them. */
static uint32_t check_body(const body *side)
{
	uint32_t status = 0;
	if (side->shape == NULL || !is_valid_shape(side->shape))
		status |= WP_STATUS_INVALID_SHAPE_A;
	for (int axis = 0; axis < 3; axis++)
		if (!is_coordinate(side->position[axis]))
			status |= WP_STATUS_INVALID_POSITION_A;
	if (!(fabs(rotation_length(side->rotation) - 1) <= WP_CONTRACT_ROTATION))
		status |= WP_STATUS_INVALID_ROTATION_A;
	return status;
}

static void answer_invalid(uint32_t reasons, wp_reference_row *row)
{
	*row = (wp_reference_row){.separation = NAN, .lower = NAN, .upper = NAN};
	row->status = WP_STATUS_INVALID | reasons;
}

/* ---- frames --------------------------------------------------------------------------------------- */

/* The rotation matrix of a quaternion q, normalised first: v' = q v q* written out. */
static mat3 rotation_matrix(const float rotation[4])
{
	double scale = 1 / rotation_length(rotation);
	double x = rotation[0] * scale, y = rotation[1] * scale, z = rotation[2] * scale, w = rotation[3] * scale;
	return (mat3){{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
		{2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
		{2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}}};
}

static double largest_coordinate(vec3 v) { return larger(fabs(v.x), larger(fabs(v.y), fabs(v.z))); }

static double core_size(const wp_shape *shape)
{
	double size = 0;
	for (size_t i = 0; i < wp_reference_core_count(shape); i++)
		size = larger(size, largest_coordinate(wp_reference_core_point(shape, i)));
	return size;
}

/* Radius of the ball about the shape's origin that holds it. */
static double bound(const wp_shape *shape)
{
	double core = 0;
	if (shape->kind == WP_SHAPE_ELLIPSOID || shape->kind == WP_SHAPE_CUSTOM)
		return core_size(shape) + shape->radius;
	if (wp_reference_is_smooth(shape)) {
		double radius = shape->base_radius, half = shape->half_height;
		return sqrt(radius * radius + half * half) + shape->radius;
	}
	for (size_t i = 0; i < wp_reference_core_count(shape); i++)
		core = larger(core, vec3_length(wp_reference_core_point(shape, i)));
	return core + shape->radius;
}

/* The power of two at or below `size`, by clearing the mantissa; 2^-900 at least, so that it and its
 * inverse are normal numbers. */
static double power_of_two(double size)
{
	if (size < 0x1p-900)
		return 0x1p-900;
	uint64_t bits;
	memcpy(&bits, &size, sizeof bits);
	bits &= 0x7ff0000000000000u;
	memcpy(&size, &bits, sizeof size);
	return size;
}

/* The pair in the frame of A, which makes the distance from the world origin harmless, and in units of
 * `unit`, which makes the length unit harmless. */
static difference place(const body *a, const body *b, const mat3 *world_a, vec3 offset, double unit)
{
	mat3 world_b = rotation_matrix(b->rotation);
	mat3 relative;
	static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	for (int i = 0; i < 3; i++)
		relative.row[i] = mat3_turn_back(&world_b, mat3_turn(world_a, axes[i]));
	placed_core core_a = {a->shape, 1 / unit, {{axes[0], axes[1], axes[2]}}, {0, 0, 0}};
	placed_core core_b = {b->shape, 1 / unit, relative, vec3_scale(1 / unit, offset)};
	const bool smooth = wp_reference_is_smooth(a->shape) || wp_reference_is_smooth(b->shape);
	return (difference){core_a, core_b, smooth ? WP_REFERENCE_SMOOTH_TOLERANCE : 0, 0, {false, false}};
}

/* ---- the answer ----------------------------------------------------------------------------------- */

static void store(vec3 v, double out[3])
{
	out[0] = v.x;
	out[1] = v.y;
	out[2] = v.z;
}

/* The state that a bracket proves. */
static uint32_t state_of(const wp_reference_row *row)
{
	if (row->lower > 0)
		return WP_STATUS_SEPARATED;
	return row->upper < 0 ? WP_STATUS_PENETRATING : WP_STATUS_TOUCHING;
}

/* The row for the answer about the cores. A ball around each core shifts the separation and both bounds
 * by the radii, and the witness points along the normal. */
static void finish(const body *a, const body *b, const mat3 *world_a, double size, double unit,
	const core_answer *answer, wp_reference_row *row)
{
	double radius_a = a->shape->radius, radius_b = b->shape->radius;
	double radii = radius_a + radius_b;
	double allowance = 2 * WP_REFERENCE_TOLERANCE * size + 1e-15 * radii;
	row->separation = answer->separation * unit - radii;
	row->lower = answer->lower * unit - radii - allowance;
	row->upper = answer->upper * unit - radii + allowance;

	vec3 point_a, point_b;
	wp_reference_witnesses(&answer->closest, &point_a, &point_b);
	point_a = vec3_add(vec3_scale(unit, point_a), vec3_scale(radius_a, answer->normal));
	point_b = vec3_sub(vec3_scale(unit, point_b), vec3_scale(radius_b, answer->normal));
	vec3 position_a = {a->position[0], a->position[1], a->position[2]};
	store(vec3_normalize(mat3_turn(world_a, answer->normal)), row->normal);
	store(vec3_add(position_a, mat3_turn(world_a, point_a)), row->point_a);
	store(vec3_add(position_a, mat3_turn(world_a, point_b)), row->point_b);

	row->status = answer->status | state_of(row);
	const bool smooth = wp_reference_is_smooth(a->shape) || wp_reference_is_smooth(b->shape);
	double contract = (smooth ? WP_CONTRACT_SMOOTH : WP_CONTRACT) *
	                  (larger(bound(a->shape), bound(b->shape)) + fabs(row->separation));
	if (row->upper - row->lower > contract)
		row->status |= WP_STATUS_WIDE_BRACKET;
}

static bool is_half_space(const body *side) { return side->shape->kind == WP_SHAPE_HALF_SPACE; }

/* A half-space and any other shape, whichever side it is. Below a plane everything is solid, so the lowest point of the
 * other shape is the first to touch it and the last to leave it: its height above the plane is the separation, and one of
 * two witness points; the other is right below or above it, in the plane. */
static void solve_half_space(const body *space, const body *other, double side, wp_reference_row *row)
{
	mat3 world_space = rotation_matrix(space->rotation), world_other = rotation_matrix(other->rotation);
	vec3 up = mat3_turn(&world_space, (vec3){0, 1, 0});
	vec3 offset = {other->position[0] - space->position[0], other->position[1] - space->position[1],
		other->position[2] - space->position[2]};
	placed_core core = {other->shape, 1, world_other, {0, 0, 0}};
	bool failed = false;
	vec3 lowest = wp_reference_core_support(&core, vec3_negate(up), &failed);
	if (failed) {
		answer_invalid(side > 0 ? WP_STATUS_INVALID_SHAPE_B : WP_STATUS_INVALID_SHAPE_A, row);
		return;
	}
	lowest = vec3_sub(lowest, vec3_scale(other->shape->radius, up));
	vec3 position = {other->position[0], other->position[1], other->position[2]};
	row->separation = vec3_dot(up, offset) + vec3_dot(up, lowest) - space->shape->radius;
	vec3 on_other = vec3_add(position, lowest), on_plane = vec3_sub(on_other, vec3_scale(row->separation, up));
	store(vec3_scale(side, up), row->normal);
	store(side > 0 ? on_plane : on_other, row->point_a);
	store(side > 0 ? on_other : on_plane, row->point_b);
	double size = larger(bound(other->shape), space->shape->radius), distance = vec3_length(offset);
	double allowance = WP_CONTRACT_FAR * (bound(other->shape) + space->shape->radius + distance);
	row->lower = row->separation - allowance;
	row->upper = row->separation + allowance;
	row->iterations = 1;
	double contract = wp_reference_is_smooth(other->shape) ? WP_CONTRACT_SMOOTH : WP_CONTRACT;
	row->status = state_of(row);
	if (2 * allowance > contract * (size + fabs(row->separation)))
		row->status |= WP_STATUS_WIDE_BRACKET;
}

static void solve(const body *a, const body *b, wp_reference_row *row)
{
	uint32_t reasons = check_body(a) | check_body(b) << SIDE_B_SHIFT;
	if (reasons == 0 && is_half_space(a) && is_half_space(b))
		reasons = WP_STATUS_INVALID_SHAPE_A | WP_STATUS_INVALID_SHAPE_B;
	if (reasons != 0) {
		answer_invalid(reasons, row);
		return;
	}
	if (is_half_space(a) || is_half_space(b)) {
		const bool first = is_half_space(a);
		solve_half_space(first ? a : b, first ? b : a, first ? 1 : -1, row);
		return;
	}
	mat3 world_a = rotation_matrix(a->rotation);
	vec3 offset = {b->position[0] - a->position[0], b->position[1] - a->position[1], b->position[2] - a->position[2]};
	offset = mat3_turn_back(&world_a, offset);
	double size = larger(largest_coordinate(offset), larger(core_size(a->shape), core_size(b->shape)));
	double unit = power_of_two(size);
	difference pair = place(a, b, &world_a, offset, unit);

	/* Seen from the middle of A - B, which is where A's origin less B's is, the origin is along the
	 * offset. Any direction would do, also the zero one of coincident origins. */
	core_answer answer;
	if (!wp_reference_gjk(&pair, pair.b.position, &answer))
		wp_reference_epa(&pair, &answer);
	if (pair.failed[0] || pair.failed[1]) {
		answer_invalid(
			(pair.failed[0] ? WP_STATUS_INVALID_SHAPE_A : 0u) | (pair.failed[1] ? WP_STATUS_INVALID_SHAPE_B : 0u), row);
		return;
	}
	finish(a, b, &world_a, size, unit, &answer, row);
	row->iterations = pair.supports;
}

/* ---- calls ---------------------------------------------------------------------------------------- */

wp_error wp_reference_contact_pair(const wp_shape *shape_a, const double position_a[3], const float rotation_a[4],
	const wp_shape *shape_b, const double position_b[3], const float rotation_b[4], wp_reference_row *row)
{
	const wp_error error = shape_a == NULL    ? WP_ERROR_NULL_SHAPE_A
	                     : position_a == NULL ? WP_ERROR_NULL_POSITION_A
	                     : rotation_a == NULL ? WP_ERROR_NULL_ROTATION_A
	                     : shape_b == NULL    ? WP_ERROR_NULL_SHAPE_B
	                     : position_b == NULL ? WP_ERROR_NULL_POSITION_B
	                     : rotation_b == NULL ? WP_ERROR_NULL_ROTATION_B
	                     : row == NULL        ? WP_ERROR_NULL_ROW
	                                          : WP_OK;
	if (error != WP_OK)
		return error;
	body a = {.shape = shape_a}, b = {.shape = shape_b};
	memcpy(a.position, position_a, sizeof a.position);
	memcpy(b.position, position_b, sizeof b.position);
	memcpy(a.rotation, rotation_a, sizeof a.rotation);
	memcpy(b.rotation, rotation_b, sizeof b.rotation);
	const wp_environment before = wp_environment_enter();
	solve(&a, &b, row);
	wp_environment_leave(before);
	return WP_OK;
}

static bool is_all_zero(const wp_bodies *bodies)
{
	return bodies->position.data == NULL && bodies->rotation.data == NULL && bodies->shape.data == NULL &&
	       bodies->position.stride == 0 && bodies->rotation.stride == 0 && bodies->shape.stride == 0 &&
	       bodies->count == 0 && bodies->position_real == 0;
}

static bool is_real(uint32_t real) { return real == WP_REAL_FLOAT || real == WP_REAL_DOUBLE; }

static bool is_short_position(const wp_bodies *bodies)
{
	const size_t number = bodies->position_real == WP_REAL_DOUBLE ? sizeof(double) : sizeof(float);
	return WP_IS_SHORT(bodies->position, 3 * number);
}

static wp_error check_strides(const wp_batch *batch, bool has_b)
{
	const wp_bodies *a = &batch->a, *b = &batch->b;
	const size_t word = sizeof(uint32_t), rotation = 4 * sizeof(float);
	const uint32_t *i = batch->pair_a.data, *j = batch->pair_b.data;
	if (is_short_position(a))
		return WP_ERROR_BODIES_A_POSITION_STRIDE;
	if (WP_IS_SHORT(a->rotation, rotation))
		return WP_ERROR_BODIES_A_ROTATION_STRIDE;
	if (WP_IS_SHORT(a->shape, word))
		return WP_ERROR_BODIES_A_SHAPE_STRIDE;
	if (has_b && is_short_position(b))
		return WP_ERROR_BODIES_B_POSITION_STRIDE;
	if (has_b && WP_IS_SHORT(b->rotation, rotation))
		return WP_ERROR_BODIES_B_ROTATION_STRIDE;
	if (has_b && WP_IS_SHORT(b->shape, word))
		return WP_ERROR_BODIES_B_SHAPE_STRIDE;
	bool beside = i != NULL && j != NULL && (j == i + 1 || i == j + 1);
	bool needs_stride = beside && batch->first + batch->count > 1;
	if (WP_IS_SHORT(batch->pair_a, word) || (needs_stride && batch->pair_a.stride == 0))
		return WP_ERROR_PAIR_A_STRIDE;
	if (WP_IS_SHORT(batch->pair_b, word) || (needs_stride && batch->pair_b.stride == 0))
		return WP_ERROR_PAIR_B_STRIDE;
	return WP_OK;
}

static wp_error check_batch(const wp_batch *batch)
{
	if (batch->count > SIZE_MAX - batch->first || batch->count > UINT32_MAX)
		return WP_ERROR_PAIR_RANGE;
	if (batch->count == 0)
		return WP_OK;
	const wp_bodies *const a = &batch->a, *const b = &batch->b;
	const bool has_b = !is_all_zero(b);
	return !is_real(a->position_real)                    ? WP_ERROR_BODIES_A_REAL
	     : a->position.data == NULL                      ? WP_ERROR_BODIES_A_POSITION
	     : a->rotation.data == NULL                      ? WP_ERROR_BODIES_A_ROTATION
	     : has_b && b->position.data == NULL             ? WP_ERROR_BODIES_B_POSITION
	     : has_b && b->rotation.data == NULL             ? WP_ERROR_BODIES_B_ROTATION
	     : has_b && b->position_real != a->position_real ? WP_ERROR_BODIES_B_REAL
	                                                     : check_strides(batch, has_b);
}

/* Copies element `index` of a strided array, in which a stride of 0 means tightly packed. The copy is
 * by bytes, so the array may be unaligned. */
static void read_element(const void *base, size_t stride, size_t index, void *element, size_t size)
{
	memcpy(element, wp_offset(base, index * (stride != 0 ? stride : size)), size);
}

/* The body that row `row` names on one side. Returns WP_STATUS_INVALID_BODY_A if there is none;
 * a shape index out of range leaves the shape NULL. */
static uint32_t read_body(const wp_bodies *bodies, const wp_const_uint32_column *pair, size_t row,
	const wp_shape *shapes, size_t shape_count, body *out)
{
	size_t index = row;
	uint32_t narrow;
	if (pair->data != NULL) {
		read_element(pair->data, pair->stride, row, &narrow, sizeof narrow);
		index = narrow;
	}
	if (index >= bodies->count)
		return WP_STATUS_INVALID_BODY_A;

	if (bodies->position_real == WP_REAL_DOUBLE) {
		read_element(bodies->position.data, bodies->position.stride, index, out->position, sizeof out->position);
	} else {
		float position[3];
		read_element(bodies->position.data, bodies->position.stride, index, position, sizeof position);
		for (int axis = 0; axis < 3; axis++)
			out->position[axis] = position[axis];
	}
	read_element(bodies->rotation.data, bodies->rotation.stride, index, out->rotation, sizeof out->rotation);
	size_t shape = index;
	if (bodies->shape.data != NULL) {
		read_element(bodies->shape.data, bodies->shape.stride, index, &narrow, sizeof narrow);
		shape = narrow;
	}
	out->shape = shape < shape_count ? &shapes[shape] : NULL;
	return 0;
}

wp_error wp_reference_contact_of(
	const wp_batch *batch, const wp_shape *shapes, size_t shape_count, uint32_t version, wp_reference_row *rows)
{
	wp_error error = !wp_knows_version(version) ? WP_ERROR_VERSION
	               : batch == NULL              ? WP_ERROR_NULL_BATCH
	               : shapes == NULL             ? WP_ERROR_NULL_SHAPES
	               : rows == NULL               ? WP_ERROR_NULL_ROWS
	                                            : check_batch(batch);
	if (error != WP_OK)
		return error;
	const wp_bodies *bodies_b = is_all_zero(&batch->b) ? &batch->a : &batch->b;
	const wp_environment before = wp_environment_enter();
	for (size_t row = batch->first; row < batch->first + batch->count; row++) {
		body a, b;
		uint32_t bad_a = read_body(&batch->a, &batch->pair_a, row, shapes, shape_count, &a);
		uint32_t bad_b = read_body(bodies_b, &batch->pair_b, row, shapes, shape_count, &b);
		if ((bad_a | bad_b) == 0) {
			solve(&a, &b, &rows[row]);
			continue;
		}
		uint32_t reasons_a = bad_a != 0 ? bad_a : check_body(&a);
		uint32_t reasons_b = bad_b != 0 ? bad_b : check_body(&b);
		answer_invalid(reasons_a | reasons_b << SIDE_B_SHIFT, &rows[row]);
	}
	wp_environment_leave(before);
	return WP_OK;
}
