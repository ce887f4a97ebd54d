/* Support points of cores and of their Minkowski difference (Ericson, Real-Time Collision Detection,
 * 2005, ch. 9.5.4; van den Bergen, Collision Detection in Interactive 3D Environments, 2003, ch. 4.3). */
#include "difference.h"

bool wp_reference_is_smooth(const wp_shape *shape)
{
	return shape->kind == WP_SHAPE_CYLINDER || shape->kind == WP_SHAPE_CONE || shape->kind == WP_SHAPE_ELLIPSOID ||
	       shape->kind == WP_SHAPE_CUSTOM;
}

size_t wp_reference_core_count(const wp_shape *shape)
{
	switch ((wp_shape_kind)shape->kind) {
	case WP_SHAPE_POINT:
	case WP_SHAPE_SPHERE:
	case WP_SHAPE_HALF_SPACE:
		return 1;
	case WP_SHAPE_SEGMENT:
	case WP_SHAPE_CAPSULE:
		return 2;
	case WP_SHAPE_TRIANGLE:
		return 3;
	case WP_SHAPE_BOX:
	case WP_SHAPE_CYLINDER:
	case WP_SHAPE_CONE:
	case WP_SHAPE_ELLIPSOID:
	case WP_SHAPE_CUSTOM:
		return 8;
	case WP_SHAPE_HULL:
		return wp_hull_vertex_count(shape->hull);
	case WP_SHAPE_KIND_COUNT:
		break;
	}
	return 0;
}

/* Half extents of the box around a shape that has no vertices, or is a box. */
static vec3 half_of_box(const wp_shape *shape)
{
	if (shape->kind == WP_SHAPE_CUSTOM)
		return (vec3){shape->custom->bound, shape->custom->bound, shape->custom->bound};
	if (shape->kind == WP_SHAPE_CYLINDER || shape->kind == WP_SHAPE_CONE)
		return (vec3){shape->base_radius, shape->half_height, shape->base_radius};
	return (vec3){shape->half_extents[0], shape->half_extents[1], shape->half_extents[2]};
}

vec3 wp_reference_core_point(const wp_shape *shape, size_t index)
{
	float point[3] = {0, 0, 0};
	vec3 half;
	switch ((wp_shape_kind)shape->kind) {
	case WP_SHAPE_CAPSULE:
		point[1] = index == 0 ? -shape->half_height : shape->half_height;
		break;
	case WP_SHAPE_SEGMENT:
	case WP_SHAPE_TRIANGLE:
		memcpy(point, shape->points[index], sizeof point);
		break;
	case WP_SHAPE_BOX:
	case WP_SHAPE_CYLINDER:
	case WP_SHAPE_CONE:
	case WP_SHAPE_ELLIPSOID:
	case WP_SHAPE_CUSTOM:
		half = half_of_box(shape);
		return (vec3){index & 1 ? half.x : -half.x, index & 2 ? half.y : -half.y, index & 4 ? half.z : -half.z};
	case WP_SHAPE_HULL:
		wp_hull_vertex(shape->hull, index, point);
		break;
	case WP_SHAPE_POINT:
	case WP_SHAPE_SPHERE:
	case WP_SHAPE_HALF_SPACE:
	case WP_SHAPE_KIND_COUNT:
		break;
	}
	return (vec3){point[0], point[1], point[2]};
}

/* The point of a disc across the Y axis that is farthest along `direction`, at height `y`. */
static vec3 disc_support(double radius, double y, vec3 direction)
{
	vec3 out = vec3_normalize((vec3){direction.x, 0, direction.z});
	return (vec3){radius * out.x, y, radius * out.z};
}

/* A cylinder is farthest on one of its two discs, a cone on its disc or at its apex. An ellipsoid is the unit ball
 * stretched by its semi-axes, so its farthest point is the stretched farthest point of the ball along the stretched
 * direction. */
static vec3 smooth_support(const wp_shape *shape, vec3 direction)
{
	double radius = shape->base_radius, half = shape->half_height;
	const float *semi = shape->half_extents;
	if (shape->kind == WP_SHAPE_ELLIPSOID) {
		vec3 ball = vec3_normalize((vec3){semi[0] * direction.x, semi[1] * direction.y, semi[2] * direction.z});
		return (vec3){semi[0] * ball.x, semi[1] * ball.y, semi[2] * ball.z};
	}
	vec3 low = disc_support(radius, -half, direction);
	vec3 high = disc_support(shape->kind == WP_SHAPE_CONE ? 0 : radius, half, direction);
	return vec3_dot(direction, high) >= vec3_dot(direction, low) ? high : low;
}

/* A linear function takes its maximum over a convex hull at one of the points, so trying each of them
 * is enough. */
static vec3 polytope_support(const placed_core *core, vec3 local)
{
	size_t count = wp_reference_core_count(core->shape);
	vec3 farthest = wp_reference_core_point(core->shape, 0);
	double height = vec3_dot(local, farthest);
	for (size_t i = 1; i < count; i++) {
		vec3 point = wp_reference_core_point(core->shape, i);
		double point_height = vec3_dot(local, point);
		if (point_height > height) {
			farthest = point;
			height = point_height;
		}
	}
	return farthest;
}

/* Some functions divide by the direction's length, so the zero direction is another. A point that is not finite fails
 * the comparison. */
static vec3 custom_support(const wp_custom *custom, vec3 direction, bool *failed)
{
	double along[3] = {direction.x, direction.y, direction.z}, point[3];
	if (vec3_dot(direction, direction) == 0)
		along[1] = 1;
	custom->support(custom->context, along, point);
	vec3 farthest = {point[0], point[1], point[2]};
	if (vec3_length(farthest) <= (double)custom->bound * (1 + 1e-9))
		return farthest;
	*failed = true;
	return (vec3){0, 0, 0};
}

/* The direction is turned into the shape's frame, which is cheaper than turning the points. */
vec3 wp_reference_core_support(const placed_core *core, vec3 direction, bool *failed)
{
	vec3 local = mat3_turn_back(&core->rotation, direction);
	vec3 farthest = core->shape->kind == WP_SHAPE_CUSTOM ? custom_support(core->shape->custom, local, failed)
	              : wp_reference_is_smooth(core->shape)  ? smooth_support(core->shape, local)
	                                                     : polytope_support(core, local);
	return vec3_add(mat3_turn(&core->rotation, vec3_scale(core->scale, farthest)), core->position);
}

/* direction . (a - b) is largest where direction . a is largest and direction . b is smallest. */
difference_vertex wp_reference_support(difference *pair, vec3 direction)
{
	difference_vertex vertex;
	vertex.a = wp_reference_core_support(&pair->a, direction, &pair->failed[0]);
	vertex.b = wp_reference_core_support(&pair->b, vec3_negate(direction), &pair->failed[1]);
	vertex.w = vec3_sub(vertex.a, vertex.b);
	pair->supports++;
	return vertex;
}

static bool same_point(vec3 u, vec3 v) { return u.x == v.x && u.y == v.y && u.z == v.z; }

bool wp_reference_same_vertex(const difference_vertex *u, const difference_vertex *v)
{
	return same_point(u->a, v->a) && same_point(u->b, v->b);
}
