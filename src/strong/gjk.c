/* The strong path's GJK: closest point of a simplex by all its sub-simplices, search directions
 * from feature normals, both bounds in the progress rule.
 *
 * Gilbert, Johnson, Keerthi, "A fast procedure for computing the distance between complex objects in
 * three-dimensional space", 1988. */
#include "strong/internal.h"

wp_strong_plane wp_strong_plane_of(wp_d3 p0, wp_d3 p1, wp_d3 p2)
{
	const wp_d3 e01 = wp_d3_sub(p1, p0);
	const wp_d3 e12 = wp_d3_sub(p2, p1);
	const wp_d3 e20 = wp_d3_sub(p0, p2);
	const double l01 = wp_d3_dot(e01, e01);
	const double l12 = wp_d3_dot(e12, e12);
	const double l20 = wp_d3_dot(e20, e20);

	wp_strong_plane plane;
	wp_d3 edge;
	double square;
	if (l12 >= l01 && l12 >= l20) {
		plane.normal = wp_d3_cross(e20, e01);
		plane.apex = 0;
		edge = e12;
		square = l12;
	} else if (l20 >= l01) {
		plane.normal = wp_d3_cross(e01, e12);
		plane.apex = 1;
		edge = e20;
		square = l20;
	} else {
		plane.normal = wp_d3_cross(e12, e20);
		plane.apex = 2;
		edge = e01;
		square = l01;
	}
	plane.height = 0;
	if (square > 0) {
		/* Rounding tilts the normal of a sliver along its longest edge, where a tilt moves the plane most:
		 * taken out. Twice, since of a thin sliver the first normal is mostly tilt. */
		for (int round = 0; round < 2; round++)
			plane.normal = wp_d3_sub(plane.normal, wp_d3_scale(edge, wp_d3_dot(plane.normal, edge) / square));
		plane.height = wp_d3_length(plane.normal) / wp_sqrt(square);
	}
	return plane;
}

/* ---- closest point of a simplex ----------------------------------------------------------------- */

/* Moves the weights of a sub-simplex (its affine hull) so that its point moves by the part of `step`
 * within that hull. False where the sub-simplex has no extent to divide by. */
static bool move_weights(const wp_d3 *p, int size, wp_d3 step, double *weights)
{
	double moves[4] = {0, 0, 0, 0};
	const wp_d3 e1 = wp_d3_sub(p[1], p[0]);
	if (size == 2) {
		const double square = wp_d3_dot(e1, e1);
		if (!(square > 0))
			return false;
		moves[1] = wp_d3_dot(step, e1) / square;
	} else if (size == 3) {
		const wp_d3 e2 = wp_d3_sub(p[2], p[0]);
		const wp_d3 normal = wp_d3_cross(e1, e2);
		const double square = wp_d3_dot(normal, normal);
		if (!(square > 0))
			return false;
		moves[1] = wp_d3_dot(wp_d3_cross(step, e2), normal) / square;
		moves[2] = wp_d3_dot(wp_d3_cross(e1, step), normal) / square;
	} else {
		const wp_d3 e2 = wp_d3_sub(p[2], p[0]);
		const wp_d3 e3 = wp_d3_sub(p[3], p[0]);
		const wp_d3 c23 = wp_d3_cross(e2, e3);
		const double volume = wp_d3_dot(e1, c23);
		if (!(volume > 0 || volume < 0))
			return false;
		moves[1] = wp_d3_dot(step, c23) / volume;
		moves[2] = wp_d3_dot(step, wp_d3_cross(e3, e1)) / volume;
		moves[3] = wp_d3_dot(step, wp_d3_cross(e1, e2)) / volume;
	}
	for (int i = 1; i < size; i++) {
		weights[i] += moves[i];
		weights[0] -= moves[i];
	}
	return true;
}

static wp_d3 point_of_weights(const wp_d3 *p, int size, const double *weights)
{
	wp_d3 point = wp_d3_scale(p[0], weights[0]);
	for (int i = 1; i < size; i++)
		point = wp_d3_add(point, wp_d3_scale(p[i], weights[i]));
	return point;
}

/* Weights of the point of the affine hull closest to the origin; false unless it lies inside the
 * sub-simplex. The second and third round correct the first by what is left of the way, which takes
 * the error of slivers from (rounding / height) down to rounding. */
static bool weigh(const wp_d3 *p, int size, double *weights, wp_d3 *point)
{
	weights[0] = 1;
	weights[1] = weights[2] = weights[3] = 0;
	*point = p[0];
	for (int round = 0; round < 3 && size > 1; round++) {
		if (!move_weights(p, size, wp_d3_negate(*point), weights))
			return false;
		*point = point_of_weights(p, size, weights);
	}
	for (int i = 0; i < size; i++)
		if (!(weights[i] > 0 && weights[i] <= 1))
			return false;
	return true;
}

/* The vertices of a sub-simplex, given as a set of bits; of a triangle the one opposite the longest
 * edge comes first, so that weights are taken along the two shortest edges. */
static int gather(const wp_strong_simplex *simplex, unsigned subset, int *order, wp_d3 *p)
{
	int size = 0;
	for (int i = 0; i < simplex->count; i++)
		if (subset >> i & 1) {
			order[size] = i;
			p[size++] = simplex->vertices[i].w;
		}
	if (size == 3) {
		const int apex = wp_strong_plane_of(p[0], p[1], p[2]).apex;
		const int kept = order[0];
		const wp_d3 point = p[0];
		order[0] = order[apex];
		p[0] = p[apex];
		order[apex] = kept;
		p[apex] = point;
	}
	return size;
}

/* The closest point lies inside exactly one sub-simplex. Every candidate is measured by its own point,
 * so wrong weights (slivers) give a longer distance, never a wrong one. */
void wp_strong_closest(wp_strong_simplex *simplex, unsigned required)
{
	static const unsigned char subsets[15] = {1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14, 15};
	double best_square = 0;
	double best_weights[4] = {0, 0, 0, 0};
	bool found = false;
	for (size_t s = 0; s < WP_COUNT_OF(subsets); s++) {
		if (subsets[s] >> simplex->count || (subsets[s] & required) != required)
			continue;
		int order[4];
		wp_d3 p[4] = {{0, 0, 0}}, point;
		double weights[4];
		const int size = gather(simplex, subsets[s], order, p);
		if (!weigh(p, size, weights, &point))
			continue;
		const double square = wp_d3_dot(point, point);
		if (!found || square < best_square) {
			found = true;
			best_square = square;
			memset(best_weights, 0, sizeof best_weights);
			for (int i = 0; i < size; i++)
				best_weights[order[i]] = weights[i];
			simplex->closest = point;
		}
	}
	simplex->distance = wp_sqrt(best_square);

	int kept = 0;
	for (int i = 0; i < simplex->count; i++)
		if (best_weights[i] > 0) {
			simplex->vertices[kept] = simplex->vertices[i];
			simplex->weights[kept++] = best_weights[i];
		}
	simplex->count = kept;
}

/* ---- GJK ---------------------------------------------------------------------------------------- */

/* Unit normal of the closest feature, towards the origin. The closest point itself has an absolute
 * error (rounding), so its direction has rounding / distance; a face normal has rounding / height. The
 * better of the two is taken; an edge removes its own direction from the direction of the closest point. */
static wp_d3 direction_of(const wp_strong_simplex *simplex)
{
	wp_d3 direction = wp_d3_scale(simplex->closest, -1 / simplex->distance);
	const wp_strong_vertex *v = simplex->vertices;
	if (simplex->count == 2) {
		const wp_d3 edge = wp_d3_sub(v[1].w, v[0].w);
		const double length = wp_d3_length(edge);
		const wp_d3 unit = wp_d3_scale(edge, 1 / length);
		if (length > simplex->distance)
			direction = wp_d3_sub(direction, wp_d3_scale(unit, wp_d3_dot(unit, direction)));
	} else if (simplex->count == 3) {
		const wp_strong_plane plane = wp_strong_plane_of(v[0].w, v[1].w, v[2].w);
		if (plane.height > simplex->distance)
			direction = wp_d3_dot(plane.normal, direction) < 0 ? wp_d3_negate(plane.normal) : plane.normal;
	}
	return wp_d3_unit(direction);
}

static bool holds(const wp_strong_simplex *simplex, wp_d3 w)
{
	for (int i = 0; i < simplex->count; i++) {
		const wp_d3 v = simplex->vertices[i].w;
		if (v.x == w.x && v.y == w.y && v.z == w.z)
			return true;
	}
	return false;
}

bool wp_strong_gjk(wp_strong_frame *frame, wp_strong_finding *finding)
{
	const double apart = wp_d3_length(frame->offset);
	wp_strong_finding now;
	memset(&now, 0, sizeof now);
	now.normal = apart > 0 ? wp_d3_scale(frame->offset, 1 / apart) : wp_d3_of(1, 0, 0);
	now.simplex.vertices[0] = wp_strong_support(frame, now.normal);
	now.simplex.count = 1;
	wp_strong_closest(&now.simplex, 1);
	now.upper = now.simplex.distance;
	now.lower = -wp_d3_dot(now.normal, now.simplex.vertices[0].w);
	*finding = now;

	double proven = now.lower; /* by any direction so far */
	int stalled = 0;
	for (int step = 0; stalled < WP_STRONG_STALL_MAX; step++) {
		if (now.simplex.count == 4 || now.simplex.distance <= WP_STRONG_TOUCH) {
			*finding = now;
			return false;
		}
		now.normal = direction_of(&now.simplex);
		const wp_strong_vertex vertex = wp_strong_support(frame, now.normal);
		now.lower = -wp_d3_dot(now.normal, vertex.w);

		/* Of simplices that are equally near the one with the best bound is kept: nearly parallel features
		 * differ in distance by rounding only, while their normals differ by its root. */
		const bool nearer = now.simplex.distance < finding->simplex.distance - WP_STRONG_GJK_TOLERANCE;
		if (nearer || now.lower > finding->lower || step == 0)
			*finding = now;
		const bool rose = now.lower > proven;
		proven = rose ? now.lower : proven;
		if (now.upper - now.lower <= frame->gap_tolerance || holds(&now.simplex, vertex.w))
			break;
		if (step == WP_STRONG_GJK_STEP_MAX) {
			finding->status = WP_STATUS_ITERATION_CAP;
			break;
		}

		/* The support point is nearer than the simplex along the normal, so the next closest feature has
		 * it as a vertex. */
		wp_strong_simplex next = now.simplex;
		next.vertices[next.count++] = vertex;
		wp_strong_closest(&next, 1u << (next.count - 1));
		if (next.distance > now.upper + WP_STRONG_GJK_TOLERANCE)
			break;
		stalled = next.distance < now.upper || rose ? 0 : stalled + 1;
		now.upper = next.distance < now.upper ? next.distance : now.upper;
		now.simplex = next;
	}
	finding->upper = now.upper;
	finding->separation = finding->simplex.distance;
	return finding->lower > 0;
}
