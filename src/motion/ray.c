#include "motion/ray.h"
#include "motion/gap.h"
#include "motion/path.h"
#include "shape/half_space.h"
#include "shape/vertices.h"

/* How far from a face of a hull its support plane may be where a ray hits it, relative to the hull's size: normals of faces
 * are in float. */
#define RAY_FACE_GAP 5e-7

/* How far off a round surface rounding may put the point where a ray comes to it, relative to the radius there. */
#define RAY_RADIUS_GAP 1e-3

/* How long a ray may be, with the way to the shape, relative to the sizes of both: WP_PATH_ROUNDING times that is below what
 * contacts are accurate to. */
#define RAY_LENGTH_MAX 1e7

/* A ray in the frame of the shape: the centre of a ball starts at `from` and goes by `way`. */
typedef struct ray {
	const wp_core *core; /* of the shape */
	wp_d3 from, way;
	double radius; /* of the ball and of the shape together */
	double length; /* of both ways, to the start and from there */
} ray;

typedef enum verdict {
	RAY_OPEN,  /* unknown: at `time` the ball is free yet */
	RAY_HIT,   /* at `time` the ball touches, across `normal` */
	RAY_MISS,  /* at `time`, the end, it is `gap` away along `normal` */
	RAY_BEYOND /* the same, at least */
} verdict;

/* What is known of a ray. The normal points from the shape to the ball, unit. */
typedef struct ray_end {
	verdict verdict;
	double time, gap;
	wp_d3 normal;
	double more; /* by which the gap may be larger */
} ray_end;

static const ray_end open_from_start = {.verdict = RAY_OPEN};

static wp_d3 ray_at(const ray *r, double time) { return wp_d3_add(r->from, wp_d3_scale(r->way, time)); }

static ray_end hit_at(double time, wp_d3 normal)
{
	return (ray_end){.verdict = RAY_HIT, .time = time, .normal = normal};
}

/* A hit on a round surface, at a point seen from its axis or centre. Far away rounding leaves no such point. */
static ray_end hit_across(double time, wp_d3 radial, double radius)
{
	const bool is_there = __builtin_fabs(wp_d3_length(radial) - radius) <= RAY_RADIUS_GAP * radius;
	return is_there ? hit_at(time, wp_d3_unit(radial)) : open_from_start;
}

static ray_end open_at(double time) { return (ray_end){.verdict = RAY_OPEN, .time = time}; }

/* ---- times inside ------------------------------------------------------------------------------- */

/* The times at which a ray is inside of something convex; empty where `leaves` is before `enters`. Which of several things it
 * enters last is `last`, with the side that it comes from. */
typedef struct span {
	double enters, leaves;
	int last;
	double side;
} span;

static const span always = {-__builtin_inf(), __builtin_inf(), 0, 0.0};
static const span never = {__builtin_inf(), -__builtin_inf(), 0, 0.0};

/* The part of a span that is within something else too, which the ray enters from `side`. */
static span and_within(span s, int name, double side, double enters, double leaves)
{
	if (enters > s.enters)
		s = (span){enters, s.leaves, name, side};
	s.leaves = leaves < s.leaves ? leaves : s.leaves;
	return s;
}

/* The part of a span that is within |x| <= half, of a coordinate that starts at `from` and goes by `way`. */
static span within(span s, int name, double half, double from, double way)
{
	if (way == 0.0)
		return __builtin_fabs(from) <= half ? s : never;
	const double side = way > 0.0 ? -1.0 : 1.0;
	return and_within(s, name, side, (side * half - from) / way, (-side * half - from) / way);
}

/* The same within a ball of dimension 2 or 3 about the origin. The square of the least distance is found from the way across,
 * not as a difference of squares, which loses what is small beside the distance. */
static span within_ball(span s, int name, double radius, wp_d3 from, wp_d3 way)
{
	const double way2 = wp_d3_dot(way, way);
	if (!(way2 > 0.0))
		return wp_d3_length(from) <= radius ? s : never;
	const double nearest = -wp_d3_dot(from, way) / way2;
	const wp_d3 across = wp_d3_add(from, wp_d3_scale(way, nearest));
	const double left2 = radius * radius - wp_d3_dot(across, across);
	if (!(left2 >= 0.0))
		return never;
	const double half = __builtin_sqrt(left2 / way2);
	return and_within(s, name, 0.0, nearest - half, nearest + half);
}

/* Whether the ray is never inside, or not within its time. */
static bool is_miss(span s) { return !(s.enters <= s.leaves) || s.enters > 1.0 || s.leaves < 0.0; }

/* ---- ends of rays that miss --------------------------------------------------------------------- */

/* The ray is `apart` from the nearest point of the core at its end. */
static ray_end miss_by(const ray *r, wp_d3 apart)
{
	const double distance = wp_d3_length(apart);
	if (!(distance > r->radius))
		return open_from_start;
	return (ray_end){RAY_MISS, 1.0, distance - r->radius, wp_d3_scale(apart, 1.0 / distance), 0.0};
}

static double beyond(double x, double half) { return x > half ? x - half : x < -half ? x + half : 0.0; }

/* How far a point is out of the box of some extents, which a segment is too. */
static wp_d3 out_of_box(wp_d3 p, const float half[3])
{
	return wp_d3_of(beyond(p.x, (double)half[0]), beyond(p.y, (double)half[1]), beyond(p.z, (double)half[2]));
}

/* ---- shapes ------------------------------------------------------------------------------------- */

/* Box: within the box that the radius makes larger. Where the ray enters through one of the faces as they were, it touches
 * there; beside them edges and corners are round, and it is free yet. */
static ray_end end_at_box(const ray *r)
{
	const float *const half = r->core->half;
	span s = within(always, 0, (double)half[0] + r->radius, r->from.x, r->way.x);
	s = within(s, 1, (double)half[1] + r->radius, r->from.y, r->way.y);
	s = within(s, 2, (double)half[2] + r->radius, r->from.z, r->way.z);
	if (is_miss(s))
		return miss_by(r, out_of_box(ray_at(r, 1.0), half));
	if (s.enters < 0.0)
		return open_from_start;
	const wp_d3 p = ray_at(r, s.enters), out = out_of_box(p, half);
	const wp_d3 normal = wp_d3_of(s.last == 0 ? s.side : 0.0, s.last == 1 ? s.side : 0.0, s.last == 2 ? s.side : 0.0);
	const wp_d3 along = wp_d3_sub(out, wp_d3_scale(normal, wp_d3_dot(out, normal)));
	const bool is_face = r->radius == 0.0 || wp_d3_dot(along, along) == 0.0;
	return is_face ? hit_at(s.enters, normal) : open_at(s.enters);
}

/* A ball at a place along Y, which is what the ray comes to first if it comes to anything. */
static ray_end end_at_ball(const ray *r, double y)
{
	const wp_d3 middle = wp_d3_of(0.0, y, 0.0), from = wp_d3_sub(r->from, middle);
	const span s = within_ball(always, 0, r->radius, from, r->way);
	if (is_miss(s))
		return miss_by(r, out_of_box(ray_at(r, 1.0), r->core->half));
	if (s.enters < 0.0)
		return open_from_start;
	return hit_across(s.enters, wp_d3_sub(ray_at(r, s.enters), middle), r->radius);
}

/* Segment along Y: within the cylinder about the line of the segment the ray comes to the segment or to the ball at the end
 * beside which it entered. */
static ray_end end_at_segment(const ray *r)
{
	const double half = (double)r->core->half[1];
	if (!(r->radius > 0.0))
		return open_from_start;
	if (half == 0.0)
		return end_at_ball(r, 0.0);
	const wp_d3 from = wp_d3_of(r->from.x, 0.0, r->from.z), way = wp_d3_of(r->way.x, 0.0, r->way.z);
	const span s = within_ball(always, 0, r->radius, from, way);
	if (is_miss(s))
		return miss_by(r, out_of_box(ray_at(r, 1.0), r->core->half));
	const double time = s.enters > 0.0 ? s.enters : 0.0;
	const wp_d3 p = ray_at(r, time);
	if (__builtin_fabs(p.y) > half)
		return end_at_ball(r, p.y > 0.0 ? half : -half);
	return s.enters < 0.0 ? open_from_start : hit_across(time, wp_d3_of(p.x, 0.0, p.z), r->radius);
}

/* How far a point is out of a cylinder. */
static wp_d3 out_of_cylinder(wp_d3 p, double radius, double half)
{
	const double across = __builtin_sqrt(p.x * p.x + p.z * p.z);
	const double share = across > radius ? (across - radius) / across : 0.0;
	return wp_d3_of(p.x * share, beyond(p.y, half), p.z * share);
}

/* Cylinder along Y: as with boxes, its rims are round where there is a radius. */
static ray_end end_at_cylinder(const ray *r)
{
	const double own = (double)r->core->half[0], half = (double)r->core->half[1], wide = own + r->radius;
	const wp_d3 from = wp_d3_of(r->from.x, 0.0, r->from.z), way = wp_d3_of(r->way.x, 0.0, r->way.z);
	span s = within(always, 1, half + r->radius, r->from.y, r->way.y);
	s = within_ball(s, 0, wide, from, way);
	if (is_miss(s))
		return miss_by(r, out_of_cylinder(ray_at(r, 1.0), own, half));
	if (s.enters < 0.0 || !(own > 0.0))
		return open_from_start;
	const wp_d3 p = ray_at(r, s.enters), radial = wp_d3_of(p.x, 0.0, p.z);
	const bool is_side = s.last == 0;
	if (r->radius > 0.0 && (is_side ? __builtin_fabs(p.y) > half : wp_d3_length(radial) > own))
		return open_at(s.enters);
	return is_side ? hit_across(s.enters, radial, wide) : hit_at(s.enters, wp_d3_of(0.0, s.side, 0.0));
}

/* The ray misses: its end is above a support plane of the core, by `height`, and so at least that far away. */
static ray_end beyond_plane(const ray *r, double height, wp_d3 normal)
{
	return height > r->radius ? (ray_end){RAY_BEYOND, 1.0, height - r->radius, normal, __builtin_inf()}
	                          : open_from_start;
}

/* Ellipsoid: a ball once its axes are scaled to 1. Nearest points have no closed form, tangent planes do. */
static ray_end end_at_ellipsoid(const ray *r)
{
	const double x = (double)r->core->half[0], y = (double)r->core->half[1], z = (double)r->core->half[2];
	if (r->radius > 0.0 || !(x > 0.0 && y > 0.0 && z > 0.0))
		return open_from_start;
	const wp_d3 from = wp_d3_of(r->from.x / x, r->from.y / y, r->from.z / z);
	const wp_d3 way = wp_d3_of(r->way.x / x, r->way.y / y, r->way.z / z);
	const span s = within_ball(always, 0, 1.0, from, way);
	const bool misses = is_miss(s);
	if (!misses && s.enters < 0.0)
		return open_from_start;
	const double time = misses ? 1.0 : s.enters;
	const wp_d3 p = wp_d3_add(from, wp_d3_scale(way, time));
	const wp_d3 normal = wp_d3_unit(wp_d3_of(p.x / x, p.y / y, p.z / z));
	if (misses)
		return beyond_plane(r, wp_d3_dot(normal, ray_at(r, 1.0)) - wp_core_reach(r->core, normal), normal);
	ray_end hit = hit_across(time, p, 1.0);
	hit.normal = normal;
	return hit;
}

/* A cone and a ray, seen from its apex downwards along the axis, from the point of the ray nearest to the middle of the
 * cone: far away, differences of squares would lose it. */
typedef struct cone_ray {
	wp_d3 from, way; /* y is the depth below the apex */
	double nearest;  /* the time of `from` */
	double slope2;   /* square of radius over depth */
} cone_ray;

static cone_ray cone_ray_of(const ray *r)
{
	const double radius = (double)r->core->half[0], half = (double)r->core->half[1];
	const double way2 = wp_d3_dot(r->way, r->way);
	const double nearest = way2 > 0.0 ? -wp_d3_dot(r->from, r->way) / way2 : 0.0;
	const wp_d3 from = ray_at(r, nearest);
	const double slope = radius / (2.0 * half);
	return (cone_ray){.from = wp_d3_of(from.x, half - from.y, from.z),
		.way = wp_d3_of(r->way.x, -r->way.y, r->way.z),
		.nearest = nearest,
		.slope2 = slope * slope};
}

/* The times at which a ray is inside the cone below its apex, without a base: of the two cones that meet at the apex, as the
 * quadratic has them, the lower one. False where rounding leaves the quadratic without an answer. */
static bool find_slope(const cone_ray *c, span *s)
{
	const wp_d3 o = c->from, d = c->way;
	const double a = (d.x * d.x + d.z * d.z) - c->slope2 * d.y * d.y;
	const double b = (o.x * d.x + o.z * d.z) - c->slope2 * o.y * d.y;
	const double k = (o.x * o.x + o.z * o.z) - c->slope2 * o.y * o.y, root2 = b * b - a * k;
	*s = never;
	if (a == 0.0 || !(root2 >= 0.0))
		return a > 0.0;
	/* The root that adds, then the other by their product. */
	const double root = __builtin_sqrt(root2), sum = b > 0.0 ? -b - root : root - b;
	const double first = sum / a, second = sum != 0.0 ? k / sum : first;
	const double low = c->nearest + (first < second ? first : second);
	const double high = c->nearest + (first < second ? second : first);
	if (a < 0.0)
		*s = d.y > 0.0 ? (span){high, always.leaves, 0, 0.0} : (span){always.enters, low, 0, 0.0};
	else if (o.y + d.y * 0.5 * (first + second) > 0.0)
		*s = (span){low, high, 0, 0.0};
	return true;
}

/* Cone along Y, its apex up. */
static ray_end end_at_cone(const ray *r)
{
	const double half = (double)r->core->half[1];
	if (r->radius > 0.0 || !(half > 0.0 && r->core->half[0] > 0.0f))
		return open_from_start;
	const cone_ray c = cone_ray_of(r);
	span s;
	if (!find_slope(&c, &s))
		return open_from_start;
	s = within(s, 1, half, r->from.y, r->way.y);
	const bool misses = is_miss(s);
	if (!misses && s.enters < 0.0)
		return open_from_start;
	const wp_d3 p = ray_at(r, misses ? 1.0 : s.enters), base = wp_d3_of(0.0, -1.0, 0.0);
	const double across = __builtin_sqrt(p.x * p.x + p.z * p.z), slope = __builtin_sqrt(c.slope2);
	/* The plane that touches the slope on the side of the point. */
	const wp_d3 side = across > 0.0 ? wp_d3_unit(wp_d3_of(p.x / across, slope, p.z / across)) : wp_d3_of(0.0, 1.0, 0.0);
	if (misses) {
		const double above = wp_d3_dot(side, p) - wp_core_reach(r->core, side), below = -half - p.y;
		return above > below ? beyond_plane(r, above, side) : beyond_plane(r, below, base);
	}
	return s.last == 1 && s.side < 0.0 ? hit_at(s.enters, base) : hit_at(s.enters, side);
}

/* Half-space: the ball is above its surface until it comes down to it. */
static ray_end end_at_half_space(const ray *r)
{
	const wp_d3 up = wp_d3_of(0.0, 1.0, 0.0);
	const double height = r->from.y - r->radius, end = height + r->way.y;
	if (!(height > 0.0))
		return open_from_start;
	return end > 0.0 ? (ray_end){RAY_MISS, 1.0, end, up, 0.0} : hit_at(height / -r->way.y, up);
}

/* ---- hulls -------------------------------------------------------------------------------------- */

/* Faces that are looked at together. */
#define RAY_FACE_BLOCK 64

/* The faces whose planes a ray comes through last, inwards, and first, outwards, and when. */
typedef struct face_times {
	uint32_t in, out;
	float enters, leaves;
} face_times;

/* How far a face's plane is from the origin, by its first corner. */
static float offset_of_face(const wp_core *core, uint32_t face, const float *normal, size_t stride)
{
	const float *const x = core->vertices + core->faces[core->face_count + 1 + core->faces[face]];
	return (normal[0] * x[0] + normal[stride] * x[core->padded]) + normal[2 * stride] * x[2 * (size_t)core->padded];
}

/* When the ray comes through the planes of a block of faces, in float, four at a time: inwards, or never before; outwards, or
 * never. A ray beside a face that it is parallel to never comes inwards. */
static void times_of_block(
	const ray *r, uint32_t first, uint32_t count, float enters[RAY_FACE_BLOCK], float leaves[RAY_FACE_BLOCK])
{
	const size_t stride = wp_padded_faces(r->core);
	const float *const x = r->core->normals + first, *const y = x + stride, *const z = y + stride;
	const float from[3] = {(float)r->from.x, (float)r->from.y, (float)r->from.z};
	const float way[3] = {(float)r->way.x, (float)r->way.y, (float)r->way.z}, endless = __builtin_inff();
	float offset[RAY_FACE_BLOCK];
	for (uint32_t i = 0; i < count; i++)
		offset[i] = offset_of_face(r->core, first + i, x + i, stride);
	for (uint32_t i = 0; i < count; i++) {
		const float height = ((x[i] * from[0] + y[i] * from[1]) + z[i] * from[2]) - offset[i];
		const float rises = (x[i] * way[0] + y[i] * way[1]) + z[i] * way[2], time = -height / rises;
		const float beside = height > 0.0f ? endless : -endless;
		enters[i] = rises < 0.0f ? time : rises > 0.0f ? -endless : beside;
		leaves[i] = rises > 0.0f ? time : endless;
	}
}

static face_times times_of_faces(const ray *r)
{
	face_times t = {0, 0, -__builtin_inff(), __builtin_inff()};
	for (uint32_t first = 0; first < r->core->face_count; first += RAY_FACE_BLOCK) {
		float enters[RAY_FACE_BLOCK], leaves[RAY_FACE_BLOCK];
		const uint32_t left = r->core->face_count - first, count = left < RAY_FACE_BLOCK ? left : RAY_FACE_BLOCK;
		times_of_block(r, first, count, enters, leaves);
		for (uint32_t i = 0; i < count; i++) {
			t.in = enters[i] > t.enters ? first + i : t.in;
			t.enters = enters[i] > t.enters ? enters[i] : t.enters;
			t.out = leaves[i] < t.leaves ? first + i : t.out;
			t.leaves = leaves[i] < t.leaves ? leaves[i] : t.leaves;
		}
	}
	return t;
}

static wp_d3 face_normal(const wp_core *core, uint32_t face)
{
	const float *const n = core->normals + face;
	const size_t stride = wp_padded_faces(core);
	return wp_d3_of((double)n[0], (double)n[stride], (double)n[2 * stride]);
}

/* Whether a triangle's points are within its plane at a point, which is `height` above it. */
static bool is_over(const wp_d3 corner[3], wp_d3 p, double *height)
{
	const wp_d3 n = wp_d3_cross(wp_d3_sub(corner[1], corner[0]), wp_d3_sub(corner[2], corner[0]));
	const double area = wp_d3_length(n);
	bool over = area > 0.0;
	for (int i = 0; i < 3; i++) {
		const wp_d3 edge = wp_d3_sub(corner[(i + 1) % 3], corner[i]);
		over = over && wp_d3_dot(wp_d3_cross(edge, wp_d3_sub(p, corner[i])), n) >= 0.0;
	}
	*height = over ? __builtin_fabs(wp_d3_dot(wp_d3_sub(p, corner[0]), n)) / area : __builtin_inf();
	return over;
}

/* How far a point over a face is from it at most: from a triangle of its corners. Infinite where it is over none. */
static double distance_from_face(const wp_core *core, uint32_t face, wp_d3 p)
{
	const uint32_t *const index = core->faces + core->face_count + 1 + core->faces[face];
	const uint32_t count = core->faces[face + 1] - core->faces[face];
	wp_d3 corner[3] = {wp_core_vertex(core, index[0]), wp_core_vertex(core, index[1])};
	double height = __builtin_inf();
	for (uint32_t i = 2; i < count; i++) {
		corner[2] = wp_core_vertex(core, index[i]);
		if (is_over(corner, p, &height))
			break;
		corner[1] = corner[2];
	}
	return height;
}

/* Hull: faces only tell where to look, since corners may lie a little above the planes of others. Supports prove: along the
 * face that the ray comes in by it is free until it comes down to the support plane, along the one that it goes out by it is
 * free again from there on. The face that it comes in by has a point as near as the plane says, or the contact is asked. */
static ray_end end_at_hull(const ray *r)
{
	const wp_core *const core = r->core;
	if (core->face_count == 0 || r->radius > 0.0)
		return open_from_start;
	const face_times t = times_of_faces(r);
	double enters = 0.0;
	const wp_d3 in = face_normal(core, t.in), out = face_normal(core, t.out);
	if (t.enters > 0.0f) {
		const double height = wp_d3_dot(in, r->from) - wp_core_reach(core, in), sinks = -wp_d3_dot(in, r->way);
		if (!(height > 0.0))
			return open_from_start;
		if (!(height < sinks))
			return beyond_plane(r, height - sinks, in);
		enters = height / sinks;
	}
	if (t.leaves < t.enters || t.leaves < 0.0f) {
		const double height = wp_d3_dot(out, ray_at(r, enters)) - wp_core_reach(core, out);
		const double rises = wp_d3_dot(out, r->way);
		if (height > 0.0 && rises > 0.0)
			return beyond_plane(r, height + (1.0 - enters) * rises, out);
	}
	if (enters == 0.0)
		return open_from_start;
	ray_end hit = hit_at(enters, wp_d3_unit(in));
	hit.more = distance_from_face(core, t.in, ray_at(r, enters));
	return hit.more <= RAY_FACE_GAP * (double)core->bound ? hit : open_at(enters);
}

/* Whether rounding stays small beside the shape; what is near a half-space may be far from its origin. */
static bool is_short(const ray *r)
{
	const double size = (double)r->core->bound + r->radius;
	return r->length <= RAY_LENGTH_MAX * size || r->core->kind == WP_CORE_HALF_SPACE;
}

static ray_end end_of(const ray *r)
{
	if (!is_short(r))
		return open_from_start;
	switch (r->core->kind) {
	case WP_CORE_BOX:
		return end_at_box(r);
	case WP_CORE_SEGMENT:
		return end_at_segment(r);
	case WP_CORE_HALF_SPACE:
		return end_at_half_space(r);
	case WP_CORE_HULL:
		return end_at_hull(r);
	case WP_CORE_SMOOTH:
		return r->core->count == WP_FORM_CYLINDER ? end_at_cylinder(r)
		     : r->core->count == WP_FORM_CONE     ? end_at_cone(r)
		                                          : end_at_ellipsoid(r);
	default:
		return open_from_start;
	}
}

/* ---- rows --------------------------------------------------------------------------------------- */

static bool is_valid(const wp_call *call, const wp_cast_body *body)
{
	bool valid = body->shape < call->core_count && wp_rotation_holds(body->rotation, WP_3D);
	for (int k = 0; k < 3; k++)
		valid = valid && __builtin_fabs(body->position[k]) <= (double)WP_COORDINATE_MAX;
	return valid;
}

static bool is_ball(const wp_core *core) { return core->kind == WP_CORE_SEGMENT && core->half[1] == 0.0f; }

/* Which side of a row is the shape that a ball comes to, without turning; -1: the row is no ray. */
static int shape_of(const wp_call *call, const wp_cast_memory *cast, uint32_t i)
{
	for (int side = 0; side < 2; side++) {
		const uint32_t shape = 2 * i + (uint32_t)side, ball = 2 * i + 1 - (uint32_t)side;
		if (cast->path[shape].turn == 0.0 && is_ball(&call->cores[cast->body[ball].shape]))
			return side;
	}
	return -1;
}

/* The answer of a row that has ended. Points of the ball and the shape are along the normal from the centre of the ball. */
static void write_contact(
	const wp_call *call, wp_cast_memory *cast, uint32_t i, int side, const ray *r, const ray_end *end, wp_dq turn)
{
	wp_cast_contact *const c = &cast->answer[i];
	const wp_cast_body *const shape = &cast->body[2 * i + (uint32_t)side];
	const wp_cast_body *const ball = &cast->body[2 * i + 1 - (uint32_t)side];
	const double own = (double)call->cores[ball->shape].radius;
	const double size = ((double)r->core->bound + r->radius) + r->length;
	const double error = WP_PATH_ROUNDING * size;
	const wp_d3 world = wp_dq_turn(turn, end->normal);
	const wp_d3 on_ball = wp_d3_scale(world, -own), on_shape = wp_d3_scale(world, -(own + end->gap));
	const wp_d3 centre = wp_d3_at(ball->position);
	const wp_d3 point = wp_d3_add(centre, on_shape), normal = side == 0 ? world : wp_d3_negate(world);
	*c = (wp_cast_contact){.separation = (float)end->gap,
		.lower = wp_round_down(end->gap - error),
		.upper = -wp_round_down(-(end->gap + error + end->more)),
		.normal = {(float)normal.x, (float)normal.y, (float)normal.z}};
	wp_d3_put(point, c->point[side]);
	wp_d3_put(wp_d3_add(centre, on_ball), c->point[1 - side]);
	if (wp_wants_details(&call->results)) {
		double from_ball[3], from_shape[3];
		wp_d3_put(on_ball, from_ball);
		wp_d3_put(wp_d3_sub(point, wp_d3_at(shape->position)), from_shape);
		wp_to_local(shape->rotation, from_shape, c->local[side]);
		wp_to_local(ball->rotation, from_ball, c->local[1 - side]);
	}
	c->status = c->lower > 0.0f ? WP_STATUS_SEPARATED : WP_STATUS_TOUCHING;
	if (end->verdict == RAY_BEYOND) {
		c->separation = c->lower;
		c->status |= WP_STATUS_BEYOND;
	}
}

bool wp_ray_run(const wp_call *call, wp_cast_memory *cast, uint32_t i)
{
	const wp_cast_body *const body = &cast->body[2 * i];
	const wp_cast_path *const path = &cast->path[2 * i];
	if (call->dimension != WP_3D || cast->status[i] != 0 || !is_valid(call, &body[0]) || !is_valid(call, &body[1]))
		return false;
	const int side = shape_of(call, cast, i);
	if (side < 0)
		return false;
	const wp_core *const core = &call->cores[body[side].shape];
	const wp_dq turn = wp_dq_of_rotation(body[side].rotation);
	const wp_cast_path *const shape = &path[side], *const ball = &path[1 - side];
	ray r = {.core = core,
		.from = wp_dq_turn_back(turn, wp_d3_sub(wp_d3_at(ball->start), wp_d3_at(shape->start))),
		.way = wp_dq_turn_back(turn, wp_d3_sub(wp_d3_at(ball->way), wp_d3_at(shape->way))),
		.radius = (double)core->radius + (double)call->cores[body[1 - side].shape].radius};
	r.length = wp_d3_length(r.from) + wp_d3_length(r.way);
	const ray_end end = end_of(&r);
	if (end.time == 0.0)
		return false;
	cast->fraction[i] = end.time;
	wp_path_move(&path[0], end.time, &cast->body[2 * i]);
	wp_path_move(&path[1], end.time, &cast->body[2 * i + 1]);
	if (end.verdict == RAY_OPEN)
		return false;
	cast->status[i] = end.verdict == RAY_HIT ? WP_STATUS_HIT : 0;
	write_contact(call, cast, i, side, &r, &end, turn);
	return true;
}
