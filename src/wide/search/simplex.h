/* The simplex of GJK, one per lane: which of its features is nearest to the origin.
 *
 * The step treats the simplex as a cone at its newest vertex w. The origin lies beyond the older
 * vertices as seen along the search direction, so the nearest feature contains w and the side opposite
 * to w is never tested. Regions as in Ericson 2005, section 5.1, with the newest vertex as apex. */
#ifndef WP_WIDE_SEARCH_SIMPLEX_H
#define WP_WIDE_SEARCH_SIMPLEX_H

#include "wide/search/simplex_one.h"
#include "wide/support/support.h"

/* Up to 3 vertices, the feature of the difference nearest to the origin so far. A face is wound so that
 * (v[1] - v[0]) x (v[2] - v[0]) points to the origin's side. */
typedef struct wp_simplex {
	wp_vertex v[3];
	vi size;
} wp_simplex;

/* Which of the three old vertices are the second and the third one of the nearest feature. */
#if WP_ONE_LANE_QUADS
typedef struct wp_simplex_older {
	int second, third;
} wp_simplex_older;
#else
typedef struct wp_simplex_older {
	vm second_is_0, second_is_2, third_is_0, third_is_1; /* all others stay where they are */
} wp_simplex_older;
#endif

/* What a step found. */
typedef struct wp_simplex_step {
	vi size;                /* of the nearest feature, whose first vertex is the newest one, w */
	wp_simplex_older older; /* its other vertices */
	vf3 direction;          /* unit, from the feature to the origin; the old one where touching */
	vf upper;               /* distance of the origin from the feature, or a bound of it where touching */
	vm inside;              /* the tetrahedron of w and the three old vertices holds the origin */
	vm touching;            /* the origin is on the feature, nearer than it can be measured */
} wp_simplex_step;

#if !WP_ONE_LANE_QUADS

/* The ray from w through an older vertex that is nearest to the origin. All cones' edges are among
 * these rays, so where no face is nearest, this edge is, or w itself. */
typedef struct wp_nearest_ray {
	vf3 edge, moment; /* vertex - w, and edge x (origin - w) */
	vm second, third; /* which vertex it goes through, if not the first one */
	vm exists;        /* false: w is nearest */
} wp_nearest_ray;

WP_INLINE wp_nearest_ray wp_nearest_ray_of(const vf3 edge[3], const vf3 moment[3], vf3 x)
{
	/* The squared distance saved by ray i is p^2 / q; comparing by cross products saves the division. All pairs are compared
	 * at once, and what counts is chosen then. */
	const vf zero = vf_zero();
	vf p2[3], q[3];
	vm saves[3]; /* anything */
	for (int i = 0; i < 3; i++) {
		const vf p = vf3_dot(edge[i], x);
		q[i] = vf3_dot(edge[i], edge[i]);
		p2[i] = vf_mul(p, p);
		saves[i] = vm_and(vf_gt(p, zero), vf_gt(p2[i], zero));
	}
	const vm second_over_first = vf_gt(vf_mul(p2[1], q[0]), vf_mul(p2[0], q[1]));
	const vm third_over_first = vf_gt(vf_mul(p2[2], q[0]), vf_mul(p2[0], q[2]));
	const vm third_over_second = vf_gt(vf_mul(p2[2], q[1]), vf_mul(p2[1], q[2]));
	const vm second = vm_andnot(saves[1], vm_andnot(saves[0], second_over_first));
	const vm loses = vm_or(
		vm_andnot(second, third_over_second), vm_andnot(vm_andnot(saves[0], second), third_over_first));
	wp_nearest_ray ray;
	ray.third = vm_andnot(saves[2], loses);
	ray.second = vm_andnot(second, ray.third);
	ray.exists = vm_or(vm_or(saves[0], second), ray.third);
	ray.edge = vf3_choose(ray.third, edge[2], vf3_choose(second, edge[1], edge[0]));
	ray.moment = vf3_choose(ray.third, moment[2], vf3_choose(second, moment[1], moment[0]));
	return ray;
}

/* Whether x projects into the sector of the face that edges a and b span at w. */
WP_INLINE vm wp_in_sector(vf3 normal, vf3 moment_a, vf3 moment_b)
{
	return vm_and(vf_gt(vf3_dot(normal, moment_a), vf_zero()), vf_lt(vf3_dot(normal, moment_b), vf_zero()));
}

#endif

/* Features that the way to the origin is too short from to be a direction: the origin is on them, or they are short
 * themselves, since the way from an edge has the dimension of a length cubed. Its length is the distance times the square
 * of the edge's; so from an edge that is not short the distance is next to nothing, and a short one is its newest
 * vertex. */
WP_NOINLINE void wp_simplex_stand(wp_simplex_step *step, vm stands, vf edge2, vf3 x, vf3 direction)
{
	const vf least2 = vf_set(WP_DIRECTION_MIN_SQUARED), one = vf_set(1.0f);
	const vm on_edge = vm_and(
		stands, vm_and(vi_eq(step->size, vi_set(2)),
					vf_gt(vf_mul(edge2, edge2), vf_set(WP_DIRECTION_MIN_SQUARED / (WP_GJK_TOUCH * WP_GJK_TOUCH)))));
	const vf bound2 = vf_div(least2, vf_select(on_edge, vf_mul(edge2, edge2), one));
	const vf x2 = vf3_dot(x, x);
	const vm on_vertex = vm_andnot(stands, on_edge), is_origin = vf_not_gt(x2, least2);
	step->touching = vm_or(on_edge, vm_and(on_vertex, is_origin));
	step->size = vi_select(on_vertex, vi_set(1), step->size);
	step->direction = vf3_select(
		step->touching, direction, vf3_select(on_vertex, vf3_unit(x, direction), step->direction));
	step->upper = vf_select(on_edge, vf_sqrt(bound2), vf_select(on_vertex, vf_sqrt(vf_max(x2, least2)), step->upper));
}

/* The nearest feature of the simplex s plus the new support vertex w, found along `direction`. `passed`:
 * w lies beyond the origin, without which the origin cannot be inside. */
#if WP_ONE_LANE_QUADS

WP_INLINE wp_simplex_step wp_simplex_next(const wp_simplex *s, wp_vertex w, vf3 direction, vm passed)
{
	const vf3 x = vf3_neg(w.w);
	wp_one_features f;
	wp_one_features_of(s->v, s->size, w.w, &f);
	/* Of several faces the first, else the ray's; the older vertices that stay, and the way to the origin. */
	const int face = f.face != 0 ? (int)wp_lowest_bit(f.face) : -1;
	const uint32_t flipped = f.face & ~f.out & 1u;
	int ray = -1, second = 0, third = 0;
	vf length2;
	vf3 n;
	if ((s->size > 2) & passed & (f.out == 0))
		return (wp_simplex_step){.size = s->size, .inside = true};
	if (face >= 0) {
		static const int8_t older[4][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 0}};
		static const float signs[2] = {1.0f, -1.0f};
		const int8_t *const stay = older[(uint32_t)face + 3 * flipped];
		const vf sign = signs[flipped];
		n = wp_vectors_get(&f.unit, face);
		n = vf3_set(vf_flip_sign(n.x, sign), vf_flip_sign(n.y, sign), vf_flip_sign(n.z, sign));
		length2 = wp_quad_place(f.normal2, face);
		second = stay[0];
		third = stay[1];
	} else {
		vf3 way = x;
		ray = wp_one_nearest_ray(&f.edge, x);
		second = ray > 0 ? ray : 0;
		if (ray >= 0)
			way = vf3_cross(wp_vectors_get(&f.moment, ray), wp_vectors_get(&f.edge, ray));
		length2 = vf3_dot(way, way);
		n = vf3_scale(way, 1.0f / wp_sqrt_float(length2 > WP_DIRECTION_MIN_SQUARED ? length2 : 1.0f));
	}
	const vm stands = !(length2 > WP_DIRECTION_MIN_SQUARED);
	wp_simplex_step step = {.size = face >= 0 ? 3 : ray >= 0 ? 2 : 1, .older = {second, third}, .direction = n};
	step.upper = vf3_dot(step.direction, x);
	if (stands) {
		const vf3 edge = wp_vectors_get(&f.edge, second);
		wp_simplex_stand(&step, stands, vf3_dot(edge, edge), x, direction);
	}
	return step;
}

#else

WP_INLINE wp_simplex_step wp_simplex_next(const wp_simplex *s, wp_vertex w, vf3 direction, vm passed)
{
	const vm has2 = vi_gt(s->size, vi_set(1)), has3 = vi_gt(s->size, vi_set(2));
	const vf3 x = vf3_neg(w.w);
	const vf3 edge[3] = {vf3_sub(s->v[0].w, w.w), vf3_select(has2, vf3_sub(s->v[1].w, w.w), vf3_zero()),
		vf3_select(has3, vf3_sub(s->v[2].w, w.w), vf3_zero())};
	const vf3 moment[3] = {vf3_cross(edge[0], x), vf3_cross(edge[1], x), vf3_cross(edge[2], x)};
	const vf3 n01 = vf3_cross(edge[0], edge[1]), n12 = vf3_cross(edge[1], edge[2]), n20 = vf3_cross(edge[2], edge[0]);

	/* The winding of the old face makes these normals point out of the tetrahedron. */
	const vf side01 = vf3_dot(n01, x), side12 = vf3_dot(n12, x), side20 = vf3_dot(n20, x);
	const vm out01 = vf_gt(side01, vf_zero()), out12 = vf_gt(side12, vf_zero()), out20 = vf_gt(side20, vf_zero());
	const vm inside = vm_andnot(vm_and(has3, passed), vm_or(vm_or(out01, out12), out20));

	/* A missing vertex has a zero edge, and then no sector. A lone triangle is seen from both sides. */
	const vm face01 = vm_and(wp_in_sector(n01, moment[0], moment[1]), vm_or(out01, vm_not(has3)));
	const vm face12 = vm_and(wp_in_sector(n12, moment[1], moment[2]), out12);
	const vm face20 = vm_and(wp_in_sector(n20, moment[2], moment[0]), out20);
	const vm face = vm_or(vm_or(face01, face12), face20);
	const wp_nearest_ray ray = wp_nearest_ray_of(edge, moment, x);

	/* The way to the origin. */
	const vm flipped = vm_andnot(face01, out01);
	vf3 way = vf3_choose(face12, n12, n20);
	way = vf3_choose(face01, n01, way);
	way = vf3_choose(flipped, vf3_neg(n01), way);
	way = vf3_choose(face, way, vf3_choose(ray.exists, vf3_cross(ray.moment, ray.edge), x));

	const vf length2 = vf3_dot(way, way);
	const vm stands = vf_not_gt(length2, vf_set(WP_DIRECTION_MIN_SQUARED));
	const vf inverse = vf_div(vf_set(1.0f), vf_sqrt(vf_select(stands, vf_set(1.0f), length2)));
	wp_simplex_step step;
	/* The older vertices that stay: of the first face that holds the origin, else of the face that the ray meets. */
	const vm own20 = vm_andnot(face20, vm_or(face01, face12)), third_is_1 = vm_and(face01, out01);
	const vm other = vm_or(vm_or(ray.second, ray.third), face);
	step.older.second_is_0 = vm_or(third_is_1, vm_not(other));
	step.older.second_is_2 = vm_or(own20, vm_andnot(ray.third, face));
	step.older.third_is_0 = vm_or(own20, flipped);
	step.older.third_is_1 = third_is_1;
	step.size = vi_select(face, vi_set(3), vi_select(ray.exists, vi_set(2), vi_set(1)));
	step.direction = vf3_scale(way, inverse);
	step.upper = vf3_dot(step.direction, x);
	step.inside = inside;
	step.touching = vm_false();
	if (vm_any(stands)) {
		/* A copy: what a function has the address of is kept in memory. */
		wp_simplex_step standing = step;
		wp_simplex_stand(&standing, stands, vf3_dot(ray.edge, ray.edge), x, direction);
		step = standing;
	}
	return step;
}

#endif

/* The simplex becomes the nearest feature that a step with w found, in the lanes `moves`. */
#if WP_ONE_LANE_QUADS

WP_INLINE void wp_simplex_move(wp_simplex *s, vm moves, wp_vertex w, const wp_simplex_step *step)
{
	if (!moves)
		return;
	const wp_vertex second = s->v[step->older.second], third = s->v[step->older.third];
	*s = (wp_simplex){{w, second, third}, step->size};
}

#else

WP_INLINE void wp_simplex_move(wp_simplex *s, vm moves, wp_vertex w, const wp_simplex_step *step)
{
	const wp_simplex_older older = step->older;
	const wp_vertex old[3] = {s->v[0], s->v[1], s->v[2]};
	s->v[1] = wp_vertex_select(vm_and(moves, older.second_is_0), old[0], old[1]);
	s->v[1] = wp_vertex_select(vm_and(moves, older.second_is_2), old[2], s->v[1]);
	s->v[2] = wp_vertex_select(vm_and(moves, older.third_is_0), old[0], old[2]);
	s->v[2] = wp_vertex_select(vm_and(moves, older.third_is_1), old[1], s->v[2]);
	s->v[0] = wp_vertex_select(moves, w, old[0]);
	s->size = vi_select(moves, step->size, s->size);
}

#endif

/* Six times the signed volume of the tetrahedron that the origin makes with a face. */
WP_INLINE vf wp_volume_below(vf3 a, vf3 b, vf3 c) { return vf_neg(vf3_dot(vf3_normal_of(a, b, c), a)); }

/* Whether the tetrahedron of a simplex of three and w holds the origin whatever rounding did: seen from the origin all
 * its faces are wound alike. */
WP_INLINE vm wp_surely_holds(const wp_simplex *s, vf3 w)
{
	const vf least = vf_set(WP_VOLUME_ROUNDING);
	const vf base = wp_volume_below(s->v[0].w, s->v[1].w, s->v[2].w);
	const vf side01 = wp_volume_below(w, s->v[1].w, s->v[0].w), side12 = wp_volume_below(w, s->v[2].w, s->v[1].w),
			 side20 = wp_volume_below(w, s->v[0].w, s->v[2].w);
	return vf_gt(vf_min(vf_min(base, side01), vf_min(side12, side20)), least);
}

/* Weights of the feature's vertices for its point nearest to the origin; they sum to 1 and none is
 * negative. For a feature that is the nearest one of a convex set, as features of GJK and EPA are. */
WP_INLINE void wp_feature_weights(const vf3 w[3], vi size, vf weight[3])
{
	const vm is2 = vi_eq(size, vi_set(2)), is3 = vi_eq(size, vi_set(3));
	const vf zero = vf_zero(), one = vf_set(1.0f);

	/* Edge: projection of the origin on it. */
	const vf3 edge = vf3_sub(w[1], w[0]);
	const vf edge2 = vf3_dot(edge, edge);
	const vf along = vf_neg(vf3_dot(w[0], edge));
	const vf on_edge = vf_min(vf_max(vf_div(along, vf_select(vf_gt(edge2, zero), edge2, one)), zero), one);

	/* Face: areas of the triangles that the origin's projection makes with the sides, by the cross
	 * products of the sides that meet at each vertex. */
	const vf3 e01 = edge, e12 = vf3_sub(w[2], w[1]), e20 = vf3_sub(w[0], w[2]);
	const vf3 normal = vf3_normal_of(w[0], w[1], w[2]);
	vf a0 = vf_max(vf_neg(vf3_dot(vf3_cross(e12, w[1]), normal)), zero);
	vf a1 = vf_max(vf_neg(vf3_dot(vf3_cross(e20, w[2]), normal)), zero);
	vf a2 = vf_max(vf_neg(vf3_dot(vf3_cross(e01, w[0]), normal)), zero);
	const vf sum = vf_add(vf_add(a0, a1), a2);
	const vm flat = vf_not_gt(sum, zero);
	const vf inverse = vf_div(one, vf_select(flat, one, sum));
	a0 = vf_select(flat, one, vf_mul(a0, inverse));
	a1 = vf_select(flat, zero, vf_mul(a1, inverse));
	a2 = vf_select(flat, zero, vf_mul(a2, inverse));

	weight[0] = vf_select(is3, a0, vf_select(is2, vf_sub(one, on_edge), one));
	weight[1] = vf_select(is3, a1, vf_select(is2, on_edge, zero));
	weight[2] = vf_select(is3, a2, zero);
}

/* The same, called, where it is not needed for every job. */
WP_NOINLINE void wp_feature_weights_called(const vf3 w[3], const vi *size, vf weight[3])
{
	wp_feature_weights(w, *size, weight);
}

#endif
