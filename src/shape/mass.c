/* Mass of shapes but for hulls with faces: solids of revolution by their profile, rounded boxes by their parts, ellipsoids. */
#include "shape/mass.h"
#include "core/environment.h"
#include "shape/shape.h"
#include "shape/vertices.h"

#define PI 3.14159265358979323846

/* Integrals over a solid that is symmetric in the planes of two axes: of 1, of y, and of the squares of all coordinates. */
typedef struct moments {
	double volume, first, second[3];
} moments;

/* ---- solids of revolution ----------------------------------------------------------------------- */

/* The angle from 0 to pi / 2 with this cosine and sine: halved four times, then by its series. */
static double angle_of(double cosine, double sine)
{
	double tangent = sine / (1 + cosine), sum = 0;
	for (int i = 0; i < 3; i++)
		tangent /= 1 + wp_sqrt(1 + tangent * tangent);
	for (int k = 8; k >= 0; k--)
		sum = (k % 2 == 0 ? 1.0 : -1.0) / (2 * k + 1) + tangent * tangent * sum;
	return 16 * tangent * sum;
}

/* Add a slice of the solid about Y, of that thickness, at a height and with a radius. */
static void add_slice(moments *sum, double height, double radius, double thickness)
{
	const double squared = radius * radius, area = PI * squared * thickness;
	sum->volume += area;
	sum->first += height * area;
	sum->second[1] += height * height * area;
	sum->second[0] += squared * area / 4;
}

/* Add a frustum: its integrands are of degree four, for which three points of Gauss are exact. */
static void add_frustum(moments *sum, const double height[2], const double radius[2])
{
	static const double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
	const double node = wp_sqrt(0.6) / 2, thickness = height[1] - height[0];
	for (int i = 0; i < 3; i++) {
		const double t = 0.5 + (i - 1) * node;
		add_slice(sum, height[0] + t * thickness, radius[0] + t * (radius[1] - radius[0]), weight[i] * thickness);
	}
}

/* Antiderivatives by t of products of t and s = sqrt(r^2 - t^2), at one t. */
typedef struct powers {
	double t, tt;            /* of 1, t^2 */
	double s, ss, sss, ssss; /* of s to s^4 */
	double half, ts, tss;    /* of t, t s, t s^2 */
	double tts, ttss;        /* of t^2 s, t^2 s^2 */
} powers;

static powers powers_at(double r, double t, double s, double angle)
{
	const double rr = r * r, t3 = t * t * t, t5 = t3 * t * t, s3 = s * s * s;
	powers p = {.t = t, .tt = t3 / 3, .s = (t * s + rr * angle) / 2, .ss = rr * t - t3 / 3, .half = t * t / 2};
	p.sss = t * s3 / 4 + 0.75 * rr * p.s;
	p.ssss = rr * rr * t - 2 * rr * t3 / 3 + t5 / 5;
	p.ts = 0.0 - s3 / 3;
	p.tss = rr * t * t / 2 - t * t * t * t / 4;
	p.tts = rr * p.s / 4 - t * s3 / 4;
	p.ttss = rr * t3 / 3 - t5 / 5;
	return p;
}

/* Add what is below an arc of the profile, or take it away: at the height h + t, with the radius R + s, up to this t. */
static void add_arc(moments *sum, double h, double R, const powers *p, double sign)
{
	const double volume = (R * R * p->t + 2 * R * p->s) + p->ss;
	const double first = (R * R * p->half + 2 * R * p->ts) + p->tss;
	const double second = (R * R * p->tt + 2 * R * p->tts) + p->ttss;
	const double fourth = ((R * R * R * R * p->t + 4 * R * R * R * p->s) + (6 * R * R * p->ss + 4 * R * p->sss)) +
	                      p->ssss;
	sum->volume += sign * PI * volume;
	sum->first += sign * PI * (h * volume + first);
	sum->second[1] += sign * PI * (h * (h * volume + 2 * first) + second);
	sum->second[0] += sign * PI / 4 * fourth;
}

/* A cone whose radius goes from `bottom` at -h to `top` at +h, rounded by r; a cylinder, a capsule and a ball are such cones. Its
 * profile is an arc about the rim of either end, with the slant between them. */
static moments moments_of_cone(double h, double bottom, double top, double r)
{
	const double width = bottom - top, slant = wp_sqrt(width * width + 4 * h * h);
	const double cosine = slant > 0 ? 2 * h / slant : 1, sine = slant > 0 ? width / slant : 0;
	const double angle = angle_of(cosine, sine), right = PI / 2;
	const powers below = powers_at(r, 0.0 - r, 0, 0.0 - right), above = powers_at(r, r, 0, right);
	const powers at = powers_at(r, r * sine, r * cosine, angle);
	const double height[2] = {r * sine - h, r * sine + h}, radius[2] = {bottom + r * cosine, top + r * cosine};
	moments sum = {.volume = 0};
	add_arc(&sum, 0.0 - h, bottom, &below, -1);
	add_arc(&sum, 0.0 - h, bottom, &at, 1);
	add_frustum(&sum, height, radius);
	add_arc(&sum, h, top, &at, -1);
	add_arc(&sum, h, top, &above, 1);
	sum.second[2] = sum.second[0];
	return sum;
}

/* ---- boxes -------------------------------------------------------------------------------------- */

/* A box, slabs on its faces, quarters of cylinders along its edges, and a ball cut into eight for its corners. */
static moments moments_of_box(const double half[3], double r)
{
	const double a = half[0], b = half[1], c = half[2];
	moments sum = {.volume = (8 * a * b * c + 8 * r * (a * b + b * c + c * a)) +
	                         (2 * PI * r * r * (a + b + c) + 4.0 / 3 * PI * r * r * r)};
	for (int i = 0; i < 3; i++) {
		const double x = half[i], y = half[(i + 1) % 3], z = half[(i + 2) % 3];
		const double along = (8 * x * y * z + 8 * r * x * (y + z)) + 2 * PI * r * r * x;
		const double slabs = 8 * y * z * r * (3 * x * (x + r) + r * r) / 3;
		const double edges = 2 * (y + z) * r * r * ((PI * x * x + 8.0 / 3 * x * r) + PI / 4 * r * r);
		const double corners = PI * r * r * r * ((4.0 / 3 * x * x + x * r) + 4.0 / 15 * r * r);
		sum.second[i] = (along * x * x / 3 + slabs) + (edges + corners);
	}
	return sum;
}

static moments moments_of_ellipsoid(const double half[3])
{
	moments sum = {.volume = 4.0 / 3 * PI * half[0] * half[1] * half[2]};
	for (int k = 0; k < 3; k++)
		sum.second[k] = sum.volume / 5 * half[k] * half[k];
	return sum;
}

/* ---- shapes ------------------------------------------------------------------------------------- */

static wp_error put_moments(const moments *sum, wp_mass *mass)
{
	if (!(sum->volume > 0))
		return WP_ERROR_SHAPE_VOLUME;
	const double centre = sum->first / sum->volume;
	const double second[3] = {sum->second[0], sum->second[1] - centre * sum->first, sum->second[2]};
	memset(mass, 0, sizeof *mass);
	mass->volume = sum->volume;
	mass->centroid[1] = centre;
	for (int i = 0; i < 3; i++)
		mass->inertia[i][i] = second[(i + 1) % 3] + second[(i + 2) % 3];
	return WP_OK;
}

/* A hull of two vertices: a capsule along any direction. */
static wp_error put_rod(const wp_core *core, wp_mass *mass)
{
	const wp_d3 from = wp_core_vertex(core, 0), to = wp_core_vertex(core, core->count - 1), way = wp_d3_sub(to, from);
	const double length = wp_d3_length(way);
	const moments sum = moments_of_cone(length / 2, 0, 0, (double)core->radius);
	const wp_error error = put_moments(&sum, mass);
	if (error != WP_OK)
		return error;
	const double across = mass->inertia[0][0], less = across - mass->inertia[1][1];
	double axis[3];
	wp_d3_put(length > 0 ? wp_d3_scale(way, 1 / length) : wp_d3_zero(), axis);
	wp_d3_put(wp_d3_add(from, wp_d3_scale(way, 0.5)), mass->centroid);
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			mass->inertia[i][k] = (i == k ? across : 0.0) - less * (axis[i] * axis[k]);
	return WP_OK;
}

static wp_error put_hull(const wp_core *core, wp_mass *mass)
{
	if (core->count <= 2)
		return put_rod(core, mass);
	if (core->radius > 0)
		return WP_ERROR_SHAPE_MASS;
	return core->normals == NULL && core->count == 3 ? WP_ERROR_SHAPE_VOLUME : wp_mass_of_hull(core, mass);
}

wp_error wp_mass_of_core(const wp_core *core, wp_mass *mass)
{
	const double half[3] = {(double)core->half[0], (double)core->half[1], (double)core->half[2]};
	const double radius = (double)core->radius;
	moments sum;
	switch (core->kind) {
	case WP_CORE_HULL:
		return put_hull(core, mass);
	case WP_CORE_BOX:
		sum = moments_of_box(half, radius);
		break;
	case WP_CORE_SEGMENT:
		sum = moments_of_cone(half[1], 0, 0, radius);
		break;
	case WP_CORE_SMOOTH:
		if (core->count == WP_FORM_ELLIPSOID && radius > 0)
			return WP_ERROR_SHAPE_MASS;
		sum = core->count == WP_FORM_ELLIPSOID
		        ? moments_of_ellipsoid(half)
		        : moments_of_cone(half[1], half[0], core->count == WP_FORM_CONE ? 0 : half[0], radius);
		break;
	default:
		return WP_ERROR_SHAPE_MASS;
	}
	return put_moments(&sum, mass);
}

wp_error wp_shape_mass(const wp_shape *shape, wp_mass *mass)
{
	if (mass == NULL)
		return WP_ERROR_NULL_MASS;
	memset(mass, 0, sizeof *mass);
	if (shape == NULL)
		return WP_ERROR_NULL_SHAPE;
	wp_core core;
	WP_VECTORS float small[WP_SMALL_CORE_FLOATS];
	const wp_environment before = wp_environment_enter();
	wp_error error = WP_ERROR_SHAPE;
	if (wp_core_of_shape(shape, &core, small, NULL) == NULL)
		error = wp_mass_of_core(&core, mass);
	wp_environment_leave(before);
	return error;
}
