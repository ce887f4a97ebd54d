/* A ray, and where it meets a triangle.
 *
 * A triangle is moved to the start of the ray and sheared, so that the ray is the third axis; then the ray meets it if the
 * origin is inside its shadow on the first two (Woop, Benthin, Wald 2013, Watertight ray/triangle intersection). The shadow
 * of a corner depends on the corner and the ray alone. Rounded products order as exact ones do, so the side of an edge that
 * the origin is on is never wrong, only sometimes undecided, and then it counts for both triangles. Shadows are thus a map
 * without gaps. */
#ifndef WP_MESH_WAY_H
#define WP_MESH_WAY_H

#include "mesh/mesh.h"

/* Of the coordinates of a way, by how much its own box is made larger: more than double rounds. */
#define WP_WAY_SLACK 0x1p-50

/* An axis along which the ray goes less than this, relative to the longest: boxes do not stop it there. */
#define WP_WAY_PARALLEL 0x1p-40

typedef struct wp_way {
	double start[3], way[3];
	double inverse[3];        /* of the way; 0 where the ray is parallel */
	double shear[2], length;  /* of the frame whose third axis is the ray; inverse of the way along its longest axis */
	int axis[3];              /* the longest one last */
	float lower[3], upper[3]; /* of the way, rounded outwards */
	wp_mesh_hit best;
	double best_fraction; /* of it, before it was rounded */
} wp_way;

/* ---- the ray ------------------------------------------------------------------------------------ */

WP_INLINE void wp_way_set_frame(wp_way *r)
{
	static const int after[3] = {1, 2, 0};
	int longest = 0;
	for (int k = 1; k < 3; k++)
		longest = wp_abs(r->way[k]) > wp_abs(r->way[longest]) ? k : longest;
	/* The first two are swapped where the ray goes down the third, so that fronts stay fronts. */
	const bool up = r->way[longest] > 0.0;
	const int next = after[longest], last = after[next];
	r->axis[0] = up ? next : last;
	r->axis[1] = up ? last : next;
	r->axis[2] = longest;
	r->shear[0] = r->way[r->axis[0]] / r->way[longest];
	r->shear[1] = r->way[r->axis[1]] / r->way[longest];
	const double least = WP_WAY_PARALLEL * wp_abs(r->way[longest]);
	for (int k = 0; k < 3; k++)
		r->inverse[k] = wp_abs(r->way[k]) < least ? 0.0 : 1.0 / r->way[k];
	r->length = r->inverse[longest];
}

WP_INLINE void wp_way_set_box(wp_way *r)
{
	for (int k = 0; k < 3; k++) {
		const double end = r->start[k] + r->way[k];
		const double slack = WP_WAY_SLACK * (wp_abs(r->start[k]) + wp_abs(r->way[k]));
		r->lower[k] = wp_round_down((end < r->start[k] ? end : r->start[k]) - slack);
		r->upper[k] = -wp_round_down(-((end > r->start[k] ? end : r->start[k]) + slack));
	}
}

/* Whether a way leads anywhere. */
WP_INLINE bool wp_is_way(const float way[3])
{
	return wp_magnitude_bits(way[0]) != 0 || wp_magnitude_bits(way[1]) != 0 || wp_magnitude_bits(way[2]) != 0;
}

/* A ray that has met nothing yet, without its box. */
WP_INLINE void wp_way_begin(wp_way *r, const double start[3], const double way[3])
{
	memcpy(r->start, start, sizeof r->start);
	memcpy(r->way, way, sizeof r->way);
	r->best_fraction = 1.0;
	r->best = (wp_mesh_hit){.triangle = WP_MESH_MISS, .fraction = 1.0f};
	wp_way_set_frame(r);
}

/* What it has met first. */
WP_INLINE wp_mesh_hit wp_way_end(const wp_way *r)
{
	wp_mesh_hit hit = r->best;
	if (hit.triangle == WP_MESH_MISS)
		hit.fraction = 0.0f;
	return hit;
}

/* ---- one triangle ------------------------------------------------------------------------------- */

/* A corner as the ray sees it. */
typedef struct wp_shadow {
	double x, y, z; /* z in fractions of the way */
} wp_shadow;

WP_INLINE wp_shadow wp_shadow_at(const wp_way *r, double x, double y, double z)
{
	const double along = z - r->start[r->axis[2]];
	return (wp_shadow){(x - r->start[r->axis[0]]) - r->shear[0] * along,
		(y - r->start[r->axis[1]]) - r->shear[1] * along, along * r->length};
}

WP_INLINE wp_shadow wp_shadow_of(const wp_way *r, const double vertex[3])
{
	return wp_shadow_at(r, vertex[r->axis[0]], vertex[r->axis[1]], vertex[r->axis[2]]);
}

/* On which side of the edge across from each corner the origin is. */
WP_INLINE void wp_shadow_sides(wp_shadow a, wp_shadow b, wp_shadow c, double side[3])
{
	side[0] = c.x * b.y - c.y * b.x;
	side[1] = a.x * c.y - a.y * c.x;
	side[2] = b.x * a.y - b.y * a.x;
}

/* Whether these sides leave the origin outside of the shadow. */
WP_INLINE bool wp_is_outside(const double side[3])
{
	const double low = side[0] < side[1] ? side[0] : side[1], high = side[0] < side[1] ? side[1] : side[0];
	const double least = side[2] < low ? side[2] : low, most = side[2] > high ? side[2] : high;
	return (least < 0.0) & (most > 0.0);
}

/* The fraction where the ray enters the box of a triangle. The triangle is met no sooner, whatever is rounded: so a walk
 * from box to box misses nothing that it would have found first. */
WP_INLINE double wp_way_entry(const wp_way *r, double corner[3][3])
{
	double entry = 0.0;
	for (int k = 0; k < 3; k++) {
		double low = corner[0][k], high = corner[0][k];
		for (int i = 1; i < 3; i++) {
			low = corner[i][k] < low ? corner[i][k] : low;
			high = corner[i][k] > high ? corner[i][k] : high;
		}
		const double side = r->inverse[k] < 0.0 ? high : low;
		const double fraction = r->inverse[k] != 0.0 ? (side - r->start[k]) * r->inverse[k] : 0.0;
		entry = fraction > entry ? fraction : entry;
	}
	return entry < 1.0 ? entry : 1.0;
}

/* Where the ray meets a triangle: side[k] is on which side of the edge across from corner k the origin is, `sum`
 * their sum. False where it does not. */
WP_INLINE bool wp_way_meets(const wp_way *r, double corner[3][3], double side[3], double *sum, double *fraction)
{
	const wp_shadow a = wp_shadow_of(r, corner[0]), b = wp_shadow_of(r, corner[1]), c = wp_shadow_of(r, corner[2]);
	wp_shadow_sides(a, b, c, side);
	if (wp_is_outside(side))
		return false;
	*sum = (side[0] + side[1]) + side[2];
	if (*sum == 0.0)
		return false;
	const double met = ((side[0] * a.z + side[1] * b.z) + side[2] * c.z) / *sum;
	if (!(met >= 0.0 && met <= 1.0))
		return false;
	const double entry = wp_way_entry(r, corner);
	*fraction = met > entry ? met : entry;
	return true;
}

/* Keep a hit if it comes first; of hits as near the one whose triangle has the least source, or number where these are NULL. */
WP_INLINE void wp_way_keep(
	wp_way *r, uint32_t triangle, const uint32_t *sources, double fraction, const double side[3], double sum)
{
	const volatile float rounded = (float)fraction;
	const float met = rounded;
	if (met > r->best.fraction)
		return;
	const uint32_t best = r->best.triangle;
	if (met == r->best.fraction && best != WP_MESH_MISS &&
		(sources != NULL ? sources[triangle] >= sources[best] : triangle >= best))
		return;
	r->best = (wp_mesh_hit){.triangle = triangle, .is_front = sum > 0.0, .fraction = met};
	r->best_fraction = fraction;
	for (int k = 0; k < 3; k++)
		r->best.weights[k] = (float)(side[k] / sum);
}

#endif
