/* What makers of manifolds read of a solved contact, and how they tell a point. */
#ifndef WP_WIDE_MANIFOLD_POINT_H
#define WP_WIDE_MANIFOLD_POINT_H

#include "wide/job/store.h"

/* What the contact of each lane's job says: world axes. */
typedef struct wp_touch {
	vf separation;
	vf3 normal, point_a, point_b, local_a, local_b;
} wp_touch;

WP_INLINE wp_touch wp_load_touch(const wp_jobs *jobs, vi job)
{
	const vi output = vi_shift_left(job, 2), detail = vi_add(vi_shift_left(job, 1), job);
	const vf4 o0 = vf4_gather(jobs->output, output), o1 = vf4_gather(jobs->output + 4, output);
	const vf4 o2 = vf4_gather(jobs->output + 8, output);
	const vf4 d0 = vf4_gather(jobs->detail, detail), d1 = vf4_gather(jobs->detail + 4, detail);
	return (wp_touch){.separation = o0.x,
		.normal = {o0.y, o0.z, o0.w},
		.point_a = {o1.x, o1.y, o1.z},
		.point_b = {o1.w, o2.x, o2.y},
		.local_a = {d0.x, d0.y, d0.z},
		.local_b = {d0.w, d1.x, d1.y}};
}

_Static_assert(WP_OUTPUT_COUNT == 16 && WP_DETAIL_COUNT == 12, "rows of four floats, four and three of them");
_Static_assert(WP_OUTPUT_SEPARATION == 0 && WP_OUTPUT_NORMAL == 1 && WP_OUTPUT_POINT_A == 4 && WP_OUTPUT_POINT_B == 7 &&
				   WP_DETAIL_LOCAL_A == 0 && WP_DETAIL_LOCAL_B == 3,
	"where touches are read from");

/* Where the inputs of jobs are: six rows each. */
WP_INLINE vi wp_input_quads(vi job) { return vi_add(vi_shift_left(job, 2), vi_shift_left(job, 1)); }

_Static_assert(WP_INPUT_COUNT == 6, "where inputs are read from");

/* The normal in A's frame. */
WP_INLINE vf3 wp_seen_from_a(const wp_prepared *p, vf3 normal)
{
	return wp_sharpen(vf33_apply_transposed(&p->frame, normal));
}

/* The way from B to A, in B's frame. */
WP_INLINE vf3 wp_toward_a(const wp_prepared *p, vf3 n) { return vf33_apply_transposed(&p->rotation, vf3_neg(n)); }

/* The jobs of lanes. Lanes past the last job do what the first one does. */
WP_INLINE void wp_list_lanes(const int32_t *list, uint32_t total, int32_t job[WP_WIDTH])
{
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		job[lane] = list[lane < total ? lane : 0];
}

/* The contacts of a block in the frames of A, scaled, and the lengths that decide which points they have. */
typedef struct wp_scene {
	wp_prepared p;
	wp_touch touch;
	vf3 n;
	vf contact;   /* separation of the contact */
	vf tolerance; /* WP_PATCH_TOLERANCE */
	vf apart;     /* WP_PATCH_APART */
	vf deeper;    /* WP_PATCH_DEEPER */
	vf limit;     /* points further apart are none */
	vf least;     /* nor are those that are deeper: the contact proves that the shapes do not reach there */
	vf unscale;   /* from scaled lengths to world lengths */
} wp_scene;

WP_INLINE void wp_load_scene(const wp_jobs *jobs, vi job, wp_scene *s)
{
	s->touch = wp_load_touch(jobs, job);
	wp_prepare_quads(jobs->terms, jobs->input, wp_input_quads(job), &s->p);
	s->n = wp_seen_from_a(&s->p, s->touch.normal);
	const vf scale = s->p.scale, reach = vf_mul(s->p.reach, scale);
	s->contact = vf_mul(s->touch.separation, scale);
	s->tolerance = vf_mul(vf_set(WP_PATCH_TOLERANCE), reach);
	s->apart = vf_mul(vf_set(WP_PATCH_APART), reach);
	s->deeper = vf_mul(vf_set(WP_PATCH_DEEPER), reach);
	s->limit = vf_mul(vf_set(jobs->max_separation), scale);
	s->least = vf_sub(s->contact, vf_mul(vf_set(WP_PATCH_DEEPER), vf_add(reach, vf_abs(s->contact))));
	s->unscale = wp_inverse_scale(scale);
}

/* A point as it is told: world axes and lengths. */
typedef struct wp_point {
	vf3 a, b, local_a, local_b;
	vf separation;
	vi feature_a, feature_b;
} wp_point;

/* The point of A, in its frame and scaled, and what is right above it. */
WP_INLINE void wp_place_point(const wp_scene *s, vf3 on_a, vf separation, wp_point *point)
{
	point->local_a = vf3_scale(on_a, s->unscale);
	point->separation = vf_mul(separation, s->unscale);
	const vf3 from_a = vf33_apply(&s->p.frame, point->local_a);
	const vf3 across = vf3_add(from_a, vf3_scale(s->touch.normal, point->separation));
	point->a = vf3_add(s->p.origin, from_a);
	point->b = vf3_add(s->p.origin, across);
}

/* Write point `k` of each lane, or the witness points. */
WP_INLINE void wp_put_point(
	const wp_point *p, vm is_witness, const wp_touch *touch, int32_t k, wp_manifold_scratch *scratch)
{
	const vf3 point_a = vf3_select(is_witness, touch->point_a, p->a),
			  point_b = vf3_select(is_witness, touch->point_b, p->b);
	const vf3 own_a = vf3_select(is_witness, touch->local_a, p->local_a);
	const vf3 own_b = vf3_select(is_witness, touch->local_b, p->local_b);
	const vf separation = vf_select(is_witness, touch->separation, p->separation);
	const vi feature_a = vi_select(is_witness, vi_set(-1), p->feature_a);
	const vi feature_b = vi_select(is_witness, vi_set(-1), p->feature_b);
	const int apart = WP_POINT_MAX * WP_POINT_FLOATS / 4;
	float *const point = scratch->point + k * WP_POINT_FLOATS;
	vf4_store(point, apart, (vf4){point_a.x, point_a.y, point_a.z, point_b.x});
	vf4_store(point + 4, apart, (vf4){point_b.y, point_b.z, own_a.x, own_a.y});
	vf4_store(point + 8, apart, (vf4){own_a.z, own_b.x, own_b.y, own_b.z});
	vf4_store(point + 12, apart, (vf4){separation, vf_from_bits(feature_a), vf_from_bits(feature_b), vf_zero()});
}

#endif
