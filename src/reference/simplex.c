/* Closest features, after the Voronoi regions of Ericson, Real-Time Collision Detection, 2005, ch. 5.1.
 *
 * One idea serves every dimension: project the origin onto the flat that the vertices span. If the
 * projection falls inside the simplex, it is the closest point. If not, the closest point is on the
 * boundary, so it is the nearest one of the boundary's parts, which are simplices with a vertex less.
 * (Ericson selects the right part by signs, which saves work. Trying all parts needs no right sign.)
 *
 * `direction` never comes from the weighted sum of vertices, which loses all its digits near the origin,
 * but from the feature itself: the normal of a triangle, the perpendicular to an edge. */
#include "simplex.h"

/* Distances that differ by less are equal but for rounding. The pair's largest coordinate is about 1. */
#define TIE 1e-15

/* The nearer of two features, and of equal ones the second. Callers name the one with the last vertex of
 * the simplex second: in GJK that is the newest, which in exact arithmetic is never useless, and which must
 * not be dropped for a rounding, lest the next step add it again. */
static feature nearer(feature f, feature g) { return g.distance <= f.distance + TIE ? g : f; }

static feature closest_on_point(const difference_vertex *a)
{
	feature f = {.vertex = {*a}, .weight = {1}, .count = 1};
	f.distance = vec3_length(a->w);
	f.direction = vec3_normalize(a->w);
	return f;
}

static feature closest_on_segment(const difference_vertex *a, const difference_vertex *b)
{
	/* The origin projects to a + t (b - a), inside where 0 < t < 1. Equal ends fail the test. */
	vec3 edge = vec3_sub(b->w, a->w);
	double square = vec3_dot(edge, edge);
	double along = -vec3_dot(a->w, edge);
	if (!(along > 0 && along < square))
		return nearer(closest_on_point(a), closest_on_point(b));

	/* A second projection removes what rounding left along the edge, so that the direction is
	 * perpendicular to the edge however short it is. */
	double t = along / square;
	vec3 x = vec3_add(a->w, vec3_scale(t, edge));
	x = vec3_sub(x, vec3_scale(vec3_dot(x, edge) / square, edge));
	feature f = {.vertex = {*a, *b}, .weight = {1 - t, t}, .count = 2};
	f.distance = vec3_length(x);
	f.direction = vec3_normalize(x);
	return f;
}

vec3 wp_reference_triangle_normal(vec3 a, vec3 b, vec3 c, double *height)
{
	/* Any two edges span the same normal; the two shortest, which meet at the corner opposite the
	 * longest, round it least. */
	vec3 ab = vec3_sub(b, a), bc = vec3_sub(c, b), ca = vec3_sub(a, c);
	double ab2 = vec3_dot(ab, ab), bc2 = vec3_dot(bc, bc), ca2 = vec3_dot(ca, ca);
	vec3 longest = ca, normal;
	double square = ca2;
	if (ab2 >= bc2 && ab2 >= ca2) {
		normal = vec3_cross(bc, ca);
		longest = ab;
		square = ab2;
	} else if (bc2 >= ca2) {
		normal = vec3_cross(ca, ab);
		longest = bc;
		square = bc2;
	} else {
		normal = vec3_cross(ab, bc);
	}
	*height = 0;
	if (!(square > 0))
		return normal;

	/* In a thin triangle the rounding of the cross product tilts the normal along the longest edge, where
	 * it matters most; so take that part out. */
	normal = vec3_sub(normal, vec3_scale(vec3_dot(normal, longest) / square, longest));
	*height = vec3_length(normal) / sqrt(square);
	return normal;
}

static feature closest_on_triangle(const difference_vertex *a, const difference_vertex *b, const difference_vertex *c)
{
	/* The barycentric weight of a corner is the area of the triangle that the projection makes with the
	 * other two corners, signed along the normal. A sliver is left to its edges: its inside is nowhere
	 * farther from them than its height. */
	double height;
	vec3 normal = wp_reference_triangle_normal(a->w, b->w, c->w, &height);
	if (height > WP_REFERENCE_TOLERANCE) {
		double wa = vec3_dot(normal, vec3_cross(b->w, c->w));
		double wb = vec3_dot(normal, vec3_cross(c->w, a->w));
		double wc = vec3_dot(normal, vec3_cross(a->w, b->w));
		if (wa >= 0 && wb >= 0 && wc >= 0) {
			double sum = wa + wb + wc;
			feature f = {.vertex = {*a, *b, *c}, .weight = {wa / sum, wb / sum, wc / sum}, .count = 3};
			normal = vec3_normalize(normal);
			double offset = vec3_dot(normal, a->w);
			f.distance = fabs(offset);
			f.direction = offset < 0 ? vec3_negate(normal) : normal;
			return f;
		}
	}
	return nearer(nearer(closest_on_segment(a, b), closest_on_segment(b, c)), closest_on_segment(a, c));
}

/* Whether the origin is on the same side of the plane of (a, b, c) as `apex`, and apex clearly off it.
 * *weight is set to the barycentric weight of the apex. */
static bool on_side_of_apex(vec3 a, vec3 b, vec3 c, vec3 apex, double *weight)
{
	double height;
	vec3 normal = vec3_normalize(wp_reference_triangle_normal(a, b, c, &height));
	double apex_height = vec3_dot(normal, vec3_sub(apex, a));
	*weight = -vec3_dot(normal, a) / apex_height;
	return fabs(apex_height) > WP_REFERENCE_TOLERANCE && *weight > 0;
}

static feature closest_on_tetrahedron(
	const difference_vertex *a, const difference_vertex *b, const difference_vertex *c, const difference_vertex *d)
{
	/* Inside is inward of all four faces. A flat tetrahedron has no inside. */
	feature f = {.vertex = {*a, *b, *c, *d}, .count = 4};
	if (on_side_of_apex(b->w, c->w, d->w, a->w, &f.weight[0]) &&
		on_side_of_apex(a->w, c->w, d->w, b->w, &f.weight[1]) &&
		on_side_of_apex(a->w, b->w, d->w, c->w, &f.weight[2]) &&
		on_side_of_apex(a->w, b->w, c->w, d->w, &f.weight[3])) {
		double sum = f.weight[0] + f.weight[1] + f.weight[2] + f.weight[3];
		for (int i = 0; i < 4; i++)
			f.weight[i] /= sum;
		return f;
	}
	return nearer(closest_on_triangle(a, b, c),
		nearer(nearer(closest_on_triangle(a, b, d), closest_on_triangle(a, c, d)), closest_on_triangle(b, c, d)));
}

feature wp_reference_closest(const difference_vertex *vertex, int count)
{
	switch (count) {
	case 1:
		return closest_on_point(&vertex[0]);
	case 2:
		return closest_on_segment(&vertex[0], &vertex[1]);
	case 3:
		return closest_on_triangle(&vertex[0], &vertex[1], &vertex[2]);
	default:
		return closest_on_tetrahedron(&vertex[0], &vertex[1], &vertex[2], &vertex[3]);
	}
}

void wp_reference_witnesses(const feature *closest, vec3 *point_a, vec3 *point_b)
{
	*point_a = (vec3){0, 0, 0};
	*point_b = (vec3){0, 0, 0};
	for (int i = 0; i < closest->count; i++) {
		*point_a = vec3_add(*point_a, vec3_scale(closest->weight[i], closest->vertex[i].a));
		*point_b = vec3_add(*point_b, vec3_scale(closest->weight[i], closest->vertex[i].b));
	}
}
