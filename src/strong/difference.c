/* The Minkowski difference A - B of the strong path: farthest points of cores along a direction, and of the difference. */
#include "shape/vertices.h"
#include "strong/internal.h"

static uint32_t core_support(const wp_core *core, wp_d3 direction)
{
	if (core->kind != WP_CORE_HULL)
		return (direction.x < 0 ? 1u : 0u) | (direction.y < 0 ? 2u : 0u) | (direction.z < 0 ? 4u : 0u);

	uint32_t best = 0;
	double farthest = 0;
	for (uint32_t i = 0; i < core->count; i++) {
		const double along = wp_d3_dot(wp_core_vertex(core, i), direction);
		if (i == 0 || along > farthest) {
			best = i;
			farthest = along;
		}
	}
	return best;
}

/* The largest ball that rolls freely inside an ellipsoid has the least radius of curvature there is: the ellipsoid is the
 * sum of that ball and what is left (Blaschke, "Kreis und Kugel", 1916). A sphere leaves a point. */
static double ball_of(const wp_core *core)
{
	if (core->kind != WP_CORE_SMOOTH || core->count != WP_FORM_ELLIPSOID)
		return 0;
	const double x = core->half[0], y = core->half[1], z = core->half[2];
	const double least = x < y ? (x < z ? x : z) : (y < z ? y : z);
	const double most = x > y ? (x > z ? x : z) : (y > z ? y : z);
	return most > 0 ? least * (least / most) : 0;
}

double wp_strong_radius(const wp_core *core) { return (double)core->radius + ball_of(core); }

_Static_assert(WP_FORM_COUNT == 4, "each has its farthest points here");

/* A smooth core's farthest point, without the ball. All of an ellipsoid that is flat across the direction is as far as
 * its centre, and of a circle across it any point is. */
static wp_d3 smooth_point(const wp_core *core, wp_d3 direction)
{
	const double x = core->half[0], y = core->half[1], z = core->half[2];
	if (core->count == WP_FORM_ELLIPSOID) {
		const wp_d3 stretched = wp_d3_of(x * direction.x, y * direction.y, z * direction.z);
		const double length = wp_d3_length(stretched), size = wp_d3_length(direction);
		if (!(length > 0))
			return wp_d3_zero();
		const wp_d3 point = wp_d3_of(
			x * (stretched.x / length), y * (stretched.y / length), z * (stretched.z / length));
		return wp_d3_sub(point, wp_d3_scale(direction, ball_of(core) / size));
	}
	const double out = wp_sqrt(direction.x * direction.x + direction.z * direction.z);
	const double share_x = out > 0 ? direction.x / out : 1, share_z = out > 0 ? direction.z / out : 0;
	if (core->count == WP_FORM_CONE) {
		if (2 * y * direction.y > x * out)
			return wp_d3_of(0, y, 0);
		return wp_d3_of(x * share_x, -y, x * share_z);
	}
	return wp_d3_of(x * share_x, direction.y < 0 ? -y : y, x * share_z);
}

/* Notes a support function that gives none. */
static wp_d3 custom_point(const wp_core *core, wp_d3 direction, uint32_t side, uint32_t *invalid)
{
	const double way[3] = {direction.x, direction.y, direction.z};
	double point[3];
	if (!wp_custom_point(core, way, point))
		*invalid |= side;
	return wp_d3_of(point[0], point[1], point[2]);
}

wp_d3 wp_strong_core_point(const wp_core *core, wp_d3 direction, uint32_t side, uint32_t *invalid)
{
	if (core->kind == WP_CORE_CUSTOM)
		return custom_point(core, direction, side, invalid);
	return core->kind == WP_CORE_SMOOTH ? smooth_point(core, direction)
	                                    : wp_core_vertex(core, core_support(core, direction));
}

static wp_d3 point_of_a(wp_strong_frame *frame, wp_d3 direction)
{
	const wp_d3 p = wp_strong_core_point(frame->a, direction, WP_STATUS_INVALID_SHAPE_A, &frame->invalid);
	return wp_d3_scale(p, frame->scale);
}

static wp_d3 point_of_b(wp_strong_frame *frame, wp_d3 direction)
{
	const wp_d3 own = wp_strong_core_point(frame->b, direction, WP_STATUS_INVALID_SHAPE_B, &frame->invalid);
	return wp_d3_add(wp_d33_turn(&frame->rotation, wp_d3_scale(own, frame->scale)), frame->offset);
}

wp_strong_vertex wp_strong_support(wp_strong_frame *frame, wp_d3 direction)
{
	wp_strong_vertex vertex;
	vertex.a = point_of_a(frame, direction);
	vertex.b = point_of_b(frame, wp_d33_turn_back(&frame->rotation, wp_d3_negate(direction)));
	vertex.w = wp_d3_sub(vertex.a, vertex.b);
	frame->iterations++;
	return vertex;
}
