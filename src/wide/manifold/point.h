/* What makers of manifolds read of a solved contact, and how they write a point. */
#ifndef WP_WIDE_MANIFOLD_POINT_H
#define WP_WIDE_MANIFOLD_POINT_H

#include "wide/job/store.h"

/* The contact of each lane's job: world axes. */
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

/* The normal in A's frame. */
WP_INLINE vf3 wp_seen_from_a(const wp_prepared *p, vf3 normal)
{
	return wp_sharpen(vf33_apply_transposed(&p->frame, normal));
}

/* The way from B to A, in B's frame. */
WP_INLINE vf3 wp_toward_a(const wp_prepared *p, vf3 n) { return vf33_apply_transposed(&p->rotation, vf3_neg(n)); }

/* The contacts of a block in the frames of A, scaled, and the lengths that decide which points they have. */
typedef struct wp_scene {
	wp_prepared p;
	vf3 normal;   /* world axes */
	vf3 n, eye;   /* the normal, and the witness point of A */
	vf contact;   /* separation of the contact */
	vf tolerance; /* WP_PATCH_TOLERANCE */
	vf rest;      /* WP_PATCH_REST */
	vf apart;     /* WP_PATCH_APART */
	vf deeper;    /* WP_PATCH_DEEPER */
	vf limit;     /* points further apart are none */
	vf least;     /* nor are those that are deeper: the contact proves that the shapes do not reach there */
	vf unscale;   /* from scaled lengths to world lengths */
} wp_scene;

/* Rows of `size` values, one of each lane's job. */
WP_INLINE void wp_rows_of_lanes(
	const float *rows, uint32_t size, const int32_t job[WP_WIDTH], const float *row[WP_WIDTH])
{
	for (int lane = 0; lane < WP_WIDTH; lane++)
		row[lane] = rows + (size_t)size * (uint32_t)job[lane];
}

WP_NOINLINE void wp_load_scene(const wp_jobs *jobs, const int32_t job[WP_WIDTH], wp_scene *s)
{
	const float *outputs[WP_WIDTH], *details[WP_WIDTH];
	const wp_inputs in = wp_inputs_of_lanes(jobs, job);
	wp_prepare_poses(&in, &s->p);
	wp_rows_of_lanes(jobs->output, WP_OUTPUT_COUNT, job, outputs);
	wp_rows_of_lanes(jobs->detail, WP_DETAIL_COUNT, job, details);
	const vf4 output = vf4_get(outputs, WP_OUTPUT_SEPARATION), detail = vf4_get(details, WP_DETAIL_LOCAL_A);
	const vf scale = s->p.scale, reach = vf_mul(s->p.reach, scale);
	s->normal = vf3_set(output.y, output.z, output.w);
	s->n = wp_seen_from_a(&s->p, s->normal);
	s->eye = vf3_scale(vf3_set(detail.x, detail.y, detail.z), scale);
	s->contact = vf_mul(output.x, scale);
	s->tolerance = vf_mul(vf_set(WP_PATCH_TOLERANCE), reach);
	s->rest = vf_mul(vf_set(WP_PATCH_REST), reach);
	s->apart = vf_mul(vf_set(WP_PATCH_APART), reach);
	s->deeper = vf_mul(vf_set(WP_PATCH_DEEPER), reach);
	s->limit = vf_mul(vf_set(jobs->max_separation), scale);
	s->least = vf_sub(s->contact, vf_mul(vf_set(WP_PATCH_DEEPER), vf_add(reach, vf_abs(s->contact))));
	s->unscale = wp_inverse_scale(scale);
}

/* A direction's component across a slab that is not zero: one as small leaves the slab nowhere along a face. */
WP_INLINE vf wp_clear_component(vf a) { return vf_with_sign(vf_max(vf_abs(a), vf_set(WP_PATCH_PARALLEL)), a); }

/* A point as it is written: world axes and lengths. */
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
	const vf3 across = vf3_add(from_a, vf3_scale(s->normal, point->separation));
	point->a = vf3_add(s->p.origin, from_a);
	point->b = vf3_add(s->p.origin, across);
}

/* Put the witness points where they are a lane's point. */
WP_INLINE void wp_take_witness(const wp_touch *touch, vm is_witness, wp_point *p)
{
	p->a = vf3_select(is_witness, touch->point_a, p->a);
	p->b = vf3_select(is_witness, touch->point_b, p->b);
	p->local_a = vf3_select(is_witness, touch->local_a, p->local_a);
	p->local_b = vf3_select(is_witness, touch->local_b, p->local_b);
	p->separation = vf_select(is_witness, touch->separation, p->separation);
	p->feature_a = vi_select(is_witness, vi_set(-1), p->feature_a);
	p->feature_b = vi_select(is_witness, vi_set(-1), p->feature_b);
}

/* The same for jobs whose contacts were read only as far as scenes need. */
WP_NOINLINE void wp_read_witness(const wp_jobs *jobs, const int32_t job[WP_WIDTH], vm is_witness, wp_point *p)
{
	const wp_touch touch = wp_load_touch(jobs, vi_load(job));
	wp_take_witness(&touch, is_witness, p);
}

WP_INLINE void wp_finish_point(const wp_jobs *jobs, const int32_t job[WP_WIDTH], vm is_witness, wp_point *p)
{
	if (vm_any(is_witness))
		wp_read_witness(jobs, job, is_witness, p);
}

#define WP_KEPT_QUADS (WP_KEPT_FOUND_BYTES / 16) /* rows of four numbers of each lane */

/* Write point `k` of each lane where points to be kept are: each lane has room for all of them, so those that have fewer write
 * any. */
WP_NOINLINE void wp_put_kept_point(const wp_point *p, int32_t k, wp_manifold_scratch *scratch)
{
	float *const to = scratch->kept + WP_KEPT_POINT_BYTES / 4 * k;
	const vf4 in_a = {p->local_a.x, p->local_a.y, p->local_a.z, vf_from_bits(p->feature_a)};
	const vf4 in_b = {p->local_b.x, p->local_b.y, p->local_b.z, vf_from_bits(p->feature_b)};
	const vf4 on_a = {p->a.x, p->a.y, p->a.z, p->separation}, on_b = {p->b.x, p->b.y, p->b.z, vf_zero()};
	vf4_store(to + WP_KEPT_PLACES / 4, WP_KEPT_QUADS, in_a);
	vf4_store(to + WP_KEPT_PLACES / 4 + 4, WP_KEPT_QUADS, in_b);
	vf4_store(to + WP_KEPT_POINTS / 4, WP_KEPT_QUADS, on_a);
	vf4_store(to + WP_KEPT_POINTS / 4 + 4, WP_KEPT_QUADS, on_b);
}

/* Write point `k` of each lane to rows of the caller's, from the last point of all lanes to the first: a lane that has fewer writes to where its
 * last one will be. Stores overlap where that saves some. */
WP_INLINE_NATIVE void wp_put_row_point(const wp_point *p, int32_t k, vi count, const wp_manifold_scratch *scratch)
{
	const vi last = vi_sub(count, vi_set(1)), place = vi_select(vi_gt(last, vi_set(k)), vi_set(k), last);
	WP_VECTOR_ALIGN int32_t offset[WP_WIDTH];
	const vi solver = vi_add(vi_shift_left(place, 5), vi_shift_left(place, 2));
	const vi world = vi_add(vi_shift_left(place, 4), vi_shift_left(place, 3));
	vi_store(offset, scratch->has_world ? vi_add(solver, world) : solver);
	unsigned char *to[WP_WIDTH];
	for (int lane = 0; lane < WP_WIDTH; lane++)
		to[lane] = scratch->to[lane] + offset[lane];
	const vf3 a = p->local_a, b = p->local_b;
	if (scratch->has_world)
		vf4_put_rows(to, -24, (vf4){p->a.x, p->a.y, p->a.z, p->b.x}, (vf4){p->b.y, p->b.z, a.x, a.y});
	else
		vf4_put(to, 0, (vf4){a.x, a.y, a.z, b.x});
	vf4_put_rows(to, 4, (vf4){a.y, a.z, b.x, b.y},
		(vf4){b.z, p->separation, vf_from_bits(p->feature_a), vf_from_bits(p->feature_b)});
}

/* Write point `k` of each lane, whoever wants it. */
WP_INLINE void wp_put_point(const wp_point *p, int32_t k, vi count, wp_manifold_scratch *scratch)
{
	if (scratch->is_kept)
		wp_put_kept_point(p, k, scratch);
	else
		wp_put_row_point(p, k, count, scratch);
}

_Static_assert(WP_POINT_BYTES == 60 && WP_POINT_WORLD_BYTES == 24, "36 and 24 are sums of two powers of two");

/* The number of the last point that some lane has, up to `most` of them. */
WP_INLINE int32_t wp_last_point(vi count, uint32_t most)
{
	int32_t k = (int32_t)most - 1;
	while (!vm_any(vi_gt(count, vi_set(k))))
		k--;
	return k;
}

#endif
