#include "judge.h"

#include "core/contract.h"

#include <math.h>
#include <string.h>

/* The error of the truth files, and the error of this file's arithmetic, relative to e. */
#define TRUTH_SLACK 1e-11

/* Half an ulp of a float, relative. */
#define FLOAT_ROUNDING 0x1p-24

#define DEGREES (180.0 / 3.14159265358979323846)

const char *violation_name(int bit)
{
	static const char *const names[VIOLATION_COUNT] = {"separation", "overlap", "support gap", "angle", "unit",
		"witness", "surface", "bracket", "wide", "status", "speculative", "distance", "boolean", "bits"};
	return names[bit];
}

/* ---- vectors ---------------------------------------------------------------------------------------- */

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double length(const double a[3]) { return sqrt(dot(a, a)); }

static double square(double value) { return value * value; }

static void to_local(const judged_shape *shape, const double world[3], double local[3])
{
	for (int axis = 0; axis < 3; axis++)
		local[axis] = shape->rotation[0][axis] * world[0] + shape->rotation[1][axis] * world[1] +
		              shape->rotation[2][axis] * world[2];
}

static void rotation_of(const float quaternion[4], double rotation[3][3])
{
	double x = quaternion[0], y = quaternion[1], z = quaternion[2], w = quaternion[3];
	double s = 2.0 / (x * x + y * y + z * z + w * w);
	rotation[0][0] = 1.0 - s * (y * y + z * z);
	rotation[0][1] = s * (x * y - z * w);
	rotation[0][2] = s * (x * z + y * w);
	rotation[1][0] = s * (x * y + z * w);
	rotation[1][1] = 1.0 - s * (x * x + z * z);
	rotation[1][2] = s * (y * z - x * w);
	rotation[2][0] = s * (x * z - y * w);
	rotation[2][1] = s * (y * z + x * w);
	rotation[2][2] = 1.0 - s * (x * x + y * y);
}

/* An error relative to e. Two coincident points have e = 0, and then no error at all is right. */
static double relative(double error, double scale)
{
	if (error == 0.0)
		return 0.0;
	return scale > 0.0 ? error / scale : INFINITY;
}

/* Whether formulas give the support points of a kind. */
static bool is_smooth(uint32_t kind)
{
	return kind == CAPTURE_CYLINDER || kind == CAPTURE_CONE || kind == CAPTURE_ELLIPSOID;
}

static bool has_smooth(const judged_pair *pair)
{
	return is_smooth(pair->a.shape->kind) || is_smooth(pair->b.shape->kind);
}

/* The bound of a row with this status. */
static double bound_of(const judged_pair *pair, uint32_t status)
{
	if (!has_smooth(pair))
		return WP_CONTRACT;
	return status & WP_STATUS_WIDE_BRACKET ? WP_CONTRACT_SMOOTH_WIDE : WP_CONTRACT_SMOOTH;
}

static bool is_half_space(const judged_shape *shape) { return shape->shape->kind == CAPTURE_HALF_SPACE; }

/* Replace the normal in pairs with a half-space by the half-space's, the only direction in which it is bounded. */
static void settle_normal(const judged_pair *pair, double normal[3])
{
	for (int axis = 0; axis < 3; axis++) {
		if (is_half_space(&pair->a))
			normal[axis] = pair->a.rotation[axis][1];
		if (is_half_space(&pair->b))
			normal[axis] = -pair->b.rotation[axis][1];
	}
}

static double point_bound(const judged_pair *pair) { return has_smooth(pair) ? WP_CONTRACT_SMOOTH_POINT : WP_CONTRACT; }

/* ---- shapes ----------------------------------------------------------------------------------------- */

static double hull_support(const judged_shape *shape, const double direction[3])
{
	double best = -INFINITY;
	for (uint32_t index = 0; index < shape->shape->vertex_count; index++) {
		const float *vertex = shape->vertices[index];
		double value = vertex[0] * direction[0] + vertex[1] * direction[1] + vertex[2] * direction[2];
		best = value > best ? value : best;
	}
	return best;
}

/* Largest value of direction . p over the shape, p relative to the position of A. For a half-space the direction is its
 * own normal. */
static double support(const judged_shape *shape, const double direction[3])
{
	const float *param = shape->shape->param;
	double local[3], core = 0.0;
	to_local(shape, direction, local);
	switch ((capture_kind)shape->shape->kind) {
	case CAPTURE_CAPSULE:
		core = fabs(local[1]) * param[1];
		break;
	case CAPTURE_BOX:
		core = fabs(local[0]) * param[0] + fabs(local[1]) * param[1] + fabs(local[2]) * param[2];
		break;
	case CAPTURE_HULL:
		core = hull_support(shape, local);
		break;
	case CAPTURE_CYLINDER:
		core = hypot(local[0], local[2]) * param[0] + fabs(local[1]) * param[1];
		break;
	case CAPTURE_CONE:
		core = fmax(local[1] * param[1], hypot(local[0], local[2]) * param[0] - local[1] * param[1]);
		break;
	case CAPTURE_ELLIPSOID:
		core = sqrt(square(local[0] * param[0]) + square(local[1] * param[1]) + square(local[2] * param[2]));
		break;
	case CAPTURE_SPHERE:
	case CAPTURE_HALF_SPACE:
	case CAPTURE_MESH:
	case CAPTURE_KIND_COUNT:
		break;
	}
	return dot(direction, shape->origin) + core + shape->radius * length(direction);
}

/* Signed distance of a point to a box about the origin. */
static double box_distance(const float half[3], const double point[3])
{
	double outside = 0.0, inside = -INFINITY;
	for (int axis = 0; axis < 3; axis++) {
		double beyond = fabs(point[axis]) - half[axis];
		inside = fmax(inside, beyond);
		if (beyond > 0.0)
			outside += beyond * beyond;
	}
	return inside > 0.0 ? sqrt(outside) : inside;
}

/* Signed distance of a point to a cylinder, or a cone, about the Y axis: in the plane through the axis, to the rim's
 * edges, inside where it is behind all of them. */
static double turned_distance(const judged_shape *shape, const double point[3])
{
	const double radius = shape->shape->param[0], half = shape->shape->param[1];
	const double out = hypot(point[0], point[2]), up = point[1];
	const double top = shape->shape->kind == CAPTURE_CONE ? 0.0 : radius;
	const double corner[4][2] = {{0.0, -half}, {radius, -half}, {top, half}, {0.0, half}};
	double nearest = INFINITY;
	bool inside = true;
	for (int edge = 0; edge < 3; edge++) {
		double along[2], from[2], share = 0.0;
		for (int axis = 0; axis < 2; axis++) {
			along[axis] = corner[edge + 1][axis] - corner[edge][axis];
			from[axis] = (axis == 0 ? out : up) - corner[edge][axis];
		}
		double squared = square(along[0]) + square(along[1]);
		if (squared > 0.0) {
			share = fmin(fmax((from[0] * along[0] + from[1] * along[1]) / squared, 0.0), 1.0);
			inside &= along[0] * from[1] - along[1] * from[0] >= 0.0;
		}
		nearest = fmin(nearest, hypot(from[0] - share * along[0], from[1] - share * along[1]));
	}
	inside &= radius > 0.0 && half > 0.0;
	return inside ? -nearest : nearest;
}

/* The same of a shape without a formula, by the reference. */
static double searched_distance(const judged_shape *shape, const double point[3])
{
	static const float unturned[4] = {0.0f, 0.0f, 0.0f, 1.0f};
	const wp_shape probe = wp_shape_point();
	wp_reference_row row;
	if (wp_reference_contact_pair(&probe, point, unturned, shape->plain, shape->origin, shape->quaternion, &row) !=
		WP_OK)
		return NAN;
	return row.separation;
}

/* Signed distance of a point, relative to the position of A, to the shape's surface. */
static double surface_distance(const judged_shape *shape, const double point[3])
{
	double world[3], local[3];
	for (int axis = 0; axis < 3; axis++)
		world[axis] = point[axis] - shape->origin[axis];
	to_local(shape, world, local);
	switch ((capture_kind)shape->shape->kind) {
	case CAPTURE_HALF_SPACE:
		return local[1] - shape->radius;
	case CAPTURE_SPHERE:
		return length(local) - shape->radius;
	case CAPTURE_CAPSULE:
		local[1] = copysign(fmax(fabs(local[1]) - shape->shape->param[1], 0.0), local[1]);
		return length(local) - shape->radius;
	case CAPTURE_BOX:
		return box_distance(shape->shape->param, local) - shape->radius;
	case CAPTURE_CYLINDER:
	case CAPTURE_CONE:
		return turned_distance(shape, local) - shape->radius;
	case CAPTURE_HULL:
	case CAPTURE_ELLIPSOID:
	case CAPTURE_MESH:
	case CAPTURE_KIND_COUNT:
		break;
	}
	return searched_distance(shape, point);
}

/* How far a witness point is off its shape. For hulls and ellipsoids the distance inwards is the one to the support plane
 * along `outward`, which the point must lie on: cheaper and sharper than the depth to the nearest face. */
static double off_surface(const judged_shape *shape, const double point[3], const double outward[3])
{
	double distance = surface_distance(shape, point);
	if (shape->shape->kind != CAPTURE_HULL && shape->shape->kind != CAPTURE_ELLIPSOID)
		return fabs(distance);
	double below = fmax(support(shape, outward) - dot(outward, point), 0.0);
	return isnan(distance) ? NAN : fmax(fmax(distance, 0.0), below);
}

/* ---- preparing -------------------------------------------------------------------------------------- */

static double vertex_bound(const judged_shape *shape)
{
	double bound = 0.0;
	for (uint32_t index = 0; index < shape->shape->vertex_count; index++) {
		const float *vertex = shape->vertices[index];
		const double wide[3] = {vertex[0], vertex[1], vertex[2]};
		const double distance = length(wide);
		bound = distance > bound ? distance : bound; /* fmax here breaks gcc 12 for AArch64 */
	}
	return bound;
}

/* The farthest point of a shape from its origin, without the radius. */
static double core_bound(const judged_shape *shape)
{
	const float *param = shape->shape->param;
	switch ((capture_kind)shape->shape->kind) {
	case CAPTURE_CAPSULE:
		return param[1];
	case CAPTURE_BOX:
		return sqrt((double)param[0] * param[0] + (double)param[1] * param[1] + (double)param[2] * param[2]);
	case CAPTURE_HULL:
	case CAPTURE_MESH:
		return vertex_bound(shape);
	case CAPTURE_CYLINDER:
	case CAPTURE_CONE:
		return hypot(param[0], param[1]);
	case CAPTURE_ELLIPSOID:
		return fmax(param[0], fmax(param[1], param[2]));
	case CAPTURE_SPHERE:
	case CAPTURE_HALF_SPACE:
	case CAPTURE_KIND_COUNT:
		break;
	}
	return 0.0;
}

static double shape_bound(const judged_shape *shape) { return core_bound(shape) + shape->radius; }

static void prepare_shape(judged_shape *shape, const capture_file *capture, const capture_scene *scene, uint32_t index,
	const float quaternion[4])
{
	shape->shape = &capture->shapes[index];
	shape->plain = &scene->shapes[index];
	/* A file without hulls has no vertices. */
	const float(*const vertices)[3] = (const float(*)[3])capture->vertices;
	shape->vertices = vertices != NULL ? vertices + shape->shape->first_vertex : NULL;
	shape->radius = shape->plain->radius;
	shape->bound = shape_bound(shape);
	rotation_of(quaternion, shape->rotation);
	memcpy(shape->quaternion, quaternion, sizeof shape->quaternion);
}

/* How far the position of a half-space is; of other shapes 0. The rounding of double there, of the truth too, counts as e does. */
static double far_of(const judged_pair *pair)
{
	return is_half_space(&pair->a) || is_half_space(&pair->b) ? length(pair->b.origin) : 0.0;
}

void judge_prepare(judged_pair *pair, const capture_file *capture, const capture_scene *scene,
	const capture_pair *record, const capture_truth *truth)
{
	prepare_shape(&pair->a, capture, scene, record->a, record->rotation_a);
	prepare_shape(&pair->b, capture, scene, record->b, record->rotation_b);
	pair->extent = 0.0;
	for (int axis = 0; axis < 3; axis++) {
		pair->position[axis] = record->position_a[axis];
		pair->a.origin[axis] = 0.0;
		pair->b.origin[axis] = (double)record->position_b[axis] - record->position_a[axis];
		pair->extent = fmax(pair->extent, fmax(fabs(record->position_a[axis]), fabs(record->position_b[axis])));
	}
	pair->length = fmax(pair->a.bound, pair->b.bound);
	pair->extent += pair->length;
	pair->scale = pair->length + fabs(truth->separation) + far_of(pair) * (WP_CONTRACT_FAR / WP_CONTRACT_TYPICAL);
	pair->truth = *truth;
	pair->truth_lower = pair->truth_upper = truth->separation;
	pair->valid = judge_is_valid(scene, capture, record);
}

static bool is_length(float value) { return value >= 0.0f && value <= WP_COORDINATE_MAX; }

static bool shape_is_valid(const capture_scene *scene, const capture_file *capture, uint32_t index)
{
	/* Sets of the parameters that are lengths. */
	static const unsigned lengths[CAPTURE_KIND_COUNT] = {1, 3, 15, 8, 11, 11, 15, 8, 0};
	const capture_shape *shape = &capture->shapes[index];
	for (int param = 0; param < 4; param++)
		if ((lengths[shape->kind] >> param & 1) && !is_length(shape->param[param]))
			return false;
	return !capture_has_vertices(shape->kind) || scene->shapes[index].hull != NULL;
}

static bool pose_is_valid(const float position[3], const float rotation[4])
{
	double square = 0.0;
	for (int index = 0; index < 4; index++)
		square += (double)rotation[index] * rotation[index];
	for (int axis = 0; axis < 3; axis++)
		if (!is_length(fabsf(position[axis])))
			return false;
	return fabs(sqrt(square) - 1.0) <= WP_CONTRACT_ROTATION;
}

bool judge_is_valid(const capture_scene *scene, const capture_file *capture, const capture_pair *record)
{
	return shape_is_valid(scene, capture, record->a) && shape_is_valid(scene, capture, record->b) &&
	       !(capture->shapes[record->a].kind == CAPTURE_HALF_SPACE &&
			   capture->shapes[record->b].kind == CAPTURE_HALF_SPACE) &&
	       pose_is_valid(record->position_a, record->rotation_a) &&
	       pose_is_valid(record->position_b, record->rotation_b);
}

/* ---- judging ---------------------------------------------------------------------------------------- */

wp_reference_row judge_widen(const wp_row *row)
{
	wp_reference_row wide = {.separation = row->separation,
		.lower = row->lower,
		.upper = row->upper,
		.status = row->status,
		.iterations = row->iterations};
	for (int axis = 0; axis < 3; axis++) {
		wide.normal[axis] = row->normal[axis];
		wide.point_a[axis] = row->point_a[axis];
		wide.point_b[axis] = row->point_b[axis];
	}
	return wide;
}

/* Exactly one of separated, touching and penetrating, and the one that the bracket proves. */
static bool status_fits(uint32_t status, double lower, double upper)
{
	switch (status & (WP_STATUS_SEPARATED | WP_STATUS_TOUCHING | WP_STATUS_PENETRATING)) {
	case WP_STATUS_SEPARATED:
		return lower > 0.0;
	case WP_STATUS_PENETRATING:
		return upper < 0.0;
	case WP_STATUS_TOUCHING:
		return lower <= 0.0 && upper >= 0.0;
	default:
		return false;
	}
}

/* Whether the truth may lie in the bracket, where none is less than `least`. */
static bool bracket_holds(const judged_pair *pair, double lower, double upper, double least)
{
	const double slack = TRUTH_SLACK * pair->scale;
	return lower - slack <= fmax(pair->truth_upper, least) && fmax(pair->truth_lower, least) <= upper + slack;
}

/* Overlap is never wrong where the truth is clear of the bound. */
static bool overlap_is_wrong(const judged_pair *pair, uint32_t status, bool apart, bool together)
{
	double clear = bound_of(pair, status) * pair->scale;
	return (pair->truth.separation > clear && together) || (pair->truth.separation < -clear && apart);
}

static void judge_normal(const judged_pair *pair, const wp_reference_row *row, verdict *result, double normal[3])
{
	double unit = length(row->normal), opposite[3];
	if (!(fabs(unit - 1.0) <= WP_CONTRACT_UNIT))
		result->violations |= VIOLATION_UNIT;
	for (int axis = 0; axis < 3; axis++) {
		normal[axis] = unit > 0.0 ? row->normal[axis] / unit : NAN;
	}
	double exact[3] = {normal[0], normal[1], normal[2]}, off[3];
	settle_normal(pair, exact);
	for (int axis = 0; axis < 3; axis++) {
		off[axis] = normal[axis] - exact[axis];
		opposite[axis] = -exact[axis];
	}
	/* A half-space has no other normal, and proves nothing along any other direction. */
	if (!(length(off) <= WP_CONTRACT_UNIT))
		result->violations |= VIOLATION_SUPPORT_GAP;
	double gap = -support(&pair->a, exact) - support(&pair->b, opposite);
	result->support_gap_error = relative(fabs(gap - pair->truth.separation), pair->scale);
	if (!(result->support_gap_error <= bound_of(pair, row->status)))
		result->violations |= VIOLATION_SUPPORT_GAP;
	result->angle = -1.0;
	if (pair->truth.unique == 1.0 && fabs(pair->truth.separation) > WP_CONTRACT_ANGLE_FROM * pair->length) {
		double difference[3];
		for (int axis = 0; axis < 3; axis++)
			difference[axis] = normal[axis] - pair->truth.normal[axis];
		result->angle = 2.0 * asin(fmin(0.5 * length(difference), 1.0)) * DEGREES;
		if (!(result->angle <= (has_smooth(pair) ? WP_CONTRACT_SMOOTH_ANGLE : JUDGE_ANGLE)))
			result->violations |= VIOLATION_ANGLE;
	}
}

static void judge_points(
	const judged_pair *pair, const wp_reference_row *row, const double normal[3], double rounding, verdict *result)
{
	/* A point has three coordinates, each rounded in the world: up to sqrt(3) half ulps off. */
	double allowed = point_bound(pair) * pair->scale + 2.0 * rounding * pair->extent;
	double a[3], b[3], rest[3], opposite[3];
	for (int axis = 0; axis < 3; axis++) {
		a[axis] = row->point_a[axis] - pair->position[axis];
		b[axis] = row->point_b[axis] - pair->position[axis];
		rest[axis] = row->point_b[axis] - row->point_a[axis] - row->separation * normal[axis];
		opposite[axis] = -normal[axis];
	}
	double difference = length(rest);
	double off_a = off_surface(&pair->a, a, normal), off_b = off_surface(&pair->b, b, opposite);
	/* Both points were rounded, so their difference carries two roundings. */
	if (!(difference <= allowed + 2.0 * rounding * pair->extent))
		result->violations |= VIOLATION_WITNESS;
	if (!(off_a <= allowed) || !(off_b <= allowed))
		result->violations |= VIOLATION_SURFACE;
	result->point_error = relative(fmax(difference, fmax(off_a, off_b)), pair->scale);
}

verdict judge_contact(const judged_pair *pair, const wp_reference_row *row, double rounding)
{
	verdict result = {.status = row->status, .angle = -1.0};
	double truth = pair->truth.separation, normal[3];
	if (!pair->valid || (row->status & WP_STATUS_INVALID)) {
		bool refused = (row->status & WP_STATUS_INVALID) && isnan(row->separation) && isnan(row->lower) &&
		               isnan(row->upper) && length(row->normal) == 0.0;
		result.violations = pair->valid || !refused ? VIOLATION_STATUS : 0;
		return result;
	}
	const double bound = bound_of(pair, row->status);
	result.judged = true;
	result.typical = bound == WP_CONTRACT ? WP_CONTRACT_TYPICAL : WP_CONTRACT_SMOOTH;
	result.separation_error = relative(fabs(row->separation - truth), pair->scale);
	if (!(result.separation_error <= bound))
		result.violations |= VIOLATION_SEPARATION;
	result.wrong_overlap = overlap_is_wrong(
		pair, row->status, row->status & WP_STATUS_SEPARATED, row->status & WP_STATUS_PENETRATING);
	if (result.wrong_overlap)
		result.violations |= VIOLATION_OVERLAP;
	if (!bracket_holds(pair, row->lower, row->upper, -INFINITY))
		result.violations |= VIOLATION_BRACKET;
	/* The library computes e from its own separation, not from the truth: allow a little more. */
	if (!(row->status & WP_STATUS_WIDE_BRACKET) && !(row->upper - row->lower <= 1.001 * bound * pair->scale))
		result.violations |= VIOLATION_WIDE;
	if (!status_fits(row->status, row->lower, row->upper))
		result.violations |= VIOLATION_STATUS;
	judge_normal(pair, row, &result, normal);
	judge_points(pair, row, normal, rounding, &result);
	return result;
}

uint32_t judge_speculative(const judged_pair *pair, const wp_row *row, float max_separation)
{
	const double truth = pair->truth.separation;
	bool holds;
	if (!pair->valid)
		holds = row->status & WP_STATUS_INVALID;
	else if (row->status & WP_STATUS_BEYOND)
		holds = (row->status & WP_STATUS_SEPARATED) && row->lower > max_separation &&
		        bracket_holds(pair, row->lower, row->upper, -INFINITY) && row->separation == row->lower;
	else
		holds = fabs(row->separation - truth) <= bound_of(pair, row->status) * pair->scale &&
		        bracket_holds(pair, row->lower, row->upper, -INFINITY) &&
		        status_fits(row->status, row->lower, row->upper);
	return holds ? 0 : VIOLATION_SPECULATIVE;
}

/* Shapes proven together: zeros, and one point that is in both. */
static bool common_point_holds(const judged_pair *pair, const wp_row *row)
{
	const double allowed = bound_of(pair, row->status) * pair->scale;
	double point[3], room = point_bound(pair) * pair->scale + 2.0 * FLOAT_ROUNDING * pair->extent;
	bool holds = row->separation == 0.0f && row->lower == 0.0f && row->upper <= allowed;
	for (int axis = 0; axis < 3; axis++) {
		point[axis] = row->point_a[axis] - pair->position[axis];
		holds &= row->point_a[axis] == row->point_b[axis];
	}
	return holds && surface_distance(&pair->a, point) <= room && surface_distance(&pair->b, point) <= room;
}

uint32_t judge_distance(const judged_pair *pair, const wp_row *row)
{
	if (!pair->valid)
		return row->status & WP_STATUS_INVALID ? 0 : VIOLATION_DISTANCE;
	const double truth = fmax(pair->truth.separation, 0.0);
	bool holds = fabs(row->separation - truth) <= bound_of(pair, row->status) * pair->scale &&
	             bracket_holds(pair, row->lower, row->upper, 0.0) && row->lower >= 0.0f;
	wp_reference_row wide = judge_widen(row);
	if (length(wide.normal) == 0.0) {
		holds &= !overlap_is_wrong(pair, row->status, false, true) && !(row->status & WP_STATUS_SEPARATED);
		holds &= common_point_holds(pair, row);
	} else {
		/* A gap has all that a contact of a gap has; where the shapes touch, its bracket ends at 0. */
		uint32_t violations = judge_contact(pair, &wide, FLOAT_ROUNDING).violations;
		holds &= (violations & ~(uint32_t)VIOLATION_BRACKET) == 0;
	}
	return holds ? 0 : VIOLATION_DISTANCE;
}

uint32_t judge_overlap(const judged_pair *pair, const wp_row *row, uint8_t overlap)
{
	if (!pair->valid)
		return row->status & WP_STATUS_INVALID ? 0 : VIOLATION_BOOLEAN;
	bool holds = !overlap_is_wrong(pair, row->status, overlap == 0, overlap != 0);
	holds &= (overlap == 0) == ((row->status & WP_STATUS_SEPARATED) != 0);
	holds &= bracket_holds(pair, row->lower, row->upper, -INFINITY);
	return holds ? 0 : VIOLATION_BOOLEAN;
}
