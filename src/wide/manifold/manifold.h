/* The manifolds of a block of solved contacts. */
#ifndef WP_WIDE_MANIFOLD_MANIFOLD_H
#define WP_WIDE_MANIFOLD_MANIFOLD_H

#include "wide/manifold/hull_face.h"
#include "wide/manifold/point.h"
#include "wide/manifold/reduce.h"
#include "wide/manifold/smooth_face.h"

/* One body for those who find faces and those who clip them. */
WP_NOINLINE void wp_prepare_contacts(const wp_jobs *jobs, const int32_t job[WP_WIDTH], wp_prepared *p)
{
	wp_prepare_jobs(jobs, job, p);
}

WP_INLINE void wp_make_view(const wp_jobs *jobs, const int32_t job[WP_WIDTH], const wp_touch *touch, wp_view *view)
{
	wp_prepare_contacts(jobs, job, &view->p);
	view->n = wp_seen_from_a(&view->p, touch->normal);
	wp_lane_tangents(view->n, view->across);
	view->eye = vf3_scale(touch->local_a, view->p.scale);
}

/* The faces of hulls of one side that were found before blocks were formed. */
WP_INLINE vi wp_known_face(const wp_manifold_scratch *scratch, int side, uint32_t kind, vi job)
{
	return kind == WP_CORE_HULL ? vi_gather(scratch->face[side], job) : vi_zero();
}

/* Of what is prepared of jobs the rotations alone; one lane calls what there is. */
WP_INLINE wp_prepared wp_turns_of_lanes(const wp_jobs *jobs, const int32_t job[WP_WIDTH])
{
	if (WP_WIDTH == 1) {
		wp_prepared p;
		wp_prepare_contacts(jobs, job, &p);
		return p;
	}
	const float *input[WP_WIDTH];
	wp_input_of_lanes(jobs, job, input);
	const vfq turn_a = vfq_of(vf4_get(input, 4 * WP_INPUT_ROTATION_A));
	const vfq turn_b = vfq_of(vf4_get(input, 4 * WP_INPUT_ROTATION_B));
	return (wp_prepared){.frame = vfq_to_matrix(turn_a), .rotation = vfq_to_matrix(vfq_relative(turn_a, turn_b))};
}

/* Find the faces of a block's hulls, and how many corners they have. */
WP_INLINE void wp_find_block(const wp_jobs *jobs, const int32_t *job, wp_manifold_scratch *scratch)
{
	WP_VECTOR_ALIGN int32_t found[WP_WIDTH];
	const vi jobs_of_lanes = vi_load(job);
	const wp_prepared p = wp_turns_of_lanes(jobs, job);
	const vf4 first = vf4_gather(jobs->output, vi_shift_left(jobs_of_lanes, 2));
	const vf3 n = wp_seen_from_a(&p, vf3_set(first.y, first.z, first.w)), toward[2] = {n, wp_toward_a(&p, n)};
	for (int side = 0; side < 2; side++) {
		const wp_core *core[WP_WIDTH];
		wp_cores_of_lanes(side == 0 ? jobs->core_a : jobs->core_b, job, core);
		if (core[0]->kind != WP_CORE_HULL)
			continue;
		vi_store(found, wp_faces_toward(core, toward[side]));
		WP_ROLLED
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			scratch->face[side][job[lane]] = found[lane];
			scratch->corners[side][job[lane]] = wp_count_corners(core[lane], (uint32_t)found[lane]);
		}
	}
}

/* Take the face of one side: of hulls the one that was found. */
WP_NOINLINE void wp_take_face(const wp_view *view, const wp_view_side *side, uint32_t kind, vf3 half,
	const wp_core *const core[WP_WIDTH], vi found, wp_manifold_scratch *scratch, wp_lane_polygons *polygon, wp_face *f)
{
	if (kind == WP_CORE_BOX)
		wp_face_of_box(view, side, half, polygon, f);
	else if (kind == WP_CORE_SEGMENT)
		wp_face_of_segment(view, side, half, polygon, f);
	else if (kind == WP_CORE_SMOOTH)
		wp_face_of_form(view, side, half, core, polygon, f);
	else
		wp_face_of_hull(view, side, core, found, scratch, polygon, f);
}

/* Keep what is needed of faces of rounded shapes. */
WP_NOINLINE void wp_round_face(const wp_view *view, const wp_view_side *side, uint32_t kind,
	const wp_core *const core[WP_WIDTH], wp_lane_polygons *polygon, wp_face *f, wp_whole_hulls *whole)
{
	if (!vm_any(vf_gt(side->radius, vf_zero())))
		return;
	wp_measure_edges(polygon, f);
	if (kind == WP_CORE_HULL) {
		wp_see_whole_hulls(view, side, core, whole);
		f->whole = whole;
	}
}

/* Have the lines along the sides of cylinders and cones go through one place: the witness point of A, or of B where only
 * A has such a line. Witness points of smooth cores are not quite straight along the normal from each other. */
WP_INLINE void wp_share_witness(
	const wp_touch *touch, const wp_view *view, bool is_smooth_a, bool is_smooth_b, wp_view_side *a, wp_view_side *b)
{
	const wp_prepared *const p = &view->p;
	const vf3 apart = vf3_scale(view->n, vf_mul(touch->separation, p->scale));
	if (is_smooth_b) {
		const vf3 from_b = vf3_sub(vf3_add(view->eye, apart), p->translation);
		b->witness = vf33_apply_transposed(&p->rotation, from_b);
	} else if (is_smooth_a) {
		const vf3 from_b = vf33_apply(&p->rotation, vf3_scale(touch->local_b, p->scale));
		a->witness = vf3_sub(vf3_add(from_b, p->translation), apart);
	}
}

/* Take the faces of both sides, which are of kinds kind[0] and kind[1]. */
WP_INLINE void wp_take_facing(const wp_jobs *jobs, const int32_t job[WP_WIDTH], const uint32_t kind[2],
	const wp_touch *touch, const wp_view *view, wp_manifold_scratch *scratch, wp_facing *facing)
{
	const wp_core *core_a[WP_WIDTH], *core_b[WP_WIDTH];
	wp_cores_of_lanes(jobs->core_a, job, core_a);
	wp_cores_of_lanes(jobs->core_b, job, core_b);
	const vi jobs_of_lanes = vi_load(job);
	const wp_prepared *const p = &view->p;
	wp_view_side a = wp_view_side_of_a(view, vf_mul(p->radius_a, p->scale));
	wp_view_side b = {.rotation = p->rotation,
		.translation = p->translation,
		.toward = wp_toward_a(p, view->n),
		.witness = vf3_zero(),
		.outward = vf_set(-1.0f),
		.radius = vf_mul(p->radius_b, p->scale)};
	wp_share_witness(touch, view, kind[0] == WP_CORE_SMOOTH, kind[1] == WP_CORE_SMOOTH, &a, &b);
	facing->a = &scratch->polygons[0];
	facing->b = &scratch->polygons[1];
	facing->tolerance = vf_mul(vf_set(WP_PATCH_TOLERANCE), vf_mul(p->reach, p->scale));
	facing->limit = vf_mul(vf_set(jobs->max_separation), p->scale);
	wp_take_face(view, &a, kind[0], p->half_a, core_a, wp_known_face(scratch, 0, kind[0], jobs_of_lanes), scratch,
		&scratch->polygons[0], &facing->face_a);
	wp_take_face(view, &b, kind[1], p->half_b, core_b, wp_known_face(scratch, 1, kind[1], jobs_of_lanes), scratch,
		&scratch->polygons[1], &facing->face_b);
	wp_name_edges(&scratch->polygons[0], &facing->face_a);
	wp_name_edges(&scratch->polygons[1], &facing->face_b);
	wp_round_face(view, &a, kind[0], core_a, &scratch->polygons[0], &facing->face_a, &facing->whole_a);
	wp_round_face(view, &b, kind[1], core_b, &scratch->polygons[1], &facing->face_b, &facing->whole_b);
	facing->both = vm_and(vi_gt(facing->face_a.count, vi_zero()), vi_gt(facing->face_b.count, vi_zero()));
}

/* A candidate as it was chosen: across the normal, and in A's frame; scaled. */
typedef struct wp_place {
	vf u, v;
	vf3 on_a, on_b;
	vf separation;
} wp_place;

/* Choice `k` of each lane. Returns the lanes whose choice are the witness points. */
WP_INLINE vm wp_load_place(
	const wp_view *view, const wp_chosen *chosen, int32_t k, const wp_lane_candidates *c, wp_place *place)
{
	const vm is_witness = vi_eq(chosen->slot[k], vi_set(-1));
	const vi at = vi_element(vi_select(is_witness, vi_zero(), chosen->slot[k]));
	place->u = chosen->at_u[k];
	place->v = chosen->at_v[k];
	const vf3 across = vf3_add(vf3_scale(view->across[0], place->u), vf3_scale(view->across[1], place->v));
	const vf3 aside = vf3_add(view->eye, across);
	const vf height = vf_gather(c->height, at), gap = vf_gather(c->separation, at);
	place->on_a = vf3_add(aside, vf3_scale(view->n, height));
	place->on_b = vf3_add(aside, vf3_scale(view->n, vf_add(height, gap)));
	place->separation = gap;
	return is_witness;
}

/* What of one side's face a place is on. */
WP_INLINE vi wp_feature_of(
	const wp_facing *facing, const wp_lane_polygons *polygon, const wp_face *f, const wp_place *place)
{
	return wp_feature_at(polygon, f, place->u, place->v, wp_tolerance_of(facing, f));
}

WP_INLINE void wp_tell_point(const wp_view *view, const wp_facing *facing, const wp_touch *touch,
	const wp_chosen *chosen, int32_t k, wp_manifold_scratch *scratch)
{
	const wp_prepared *const p = &view->p;
	wp_place place;
	const vm is_witness = wp_load_place(view, chosen, k, &scratch->candidates, &place);
	const vf unscale = wp_inverse_scale(p->scale);
	const vf3 local_a = vf3_scale(place.on_a, unscale), from_a = vf3_sub(place.on_b, p->translation);
	wp_point point = {.a = vf3_add(p->origin, vf33_apply(&p->frame, local_a)),
		.b = vf3_add(p->origin, vf33_apply(&p->frame, vf3_scale(place.on_b, unscale))),
		.local_a = local_a,
		.local_b = vf3_scale(vf33_apply_transposed(&p->rotation, from_a), unscale),
		.separation = vf_mul(place.separation, unscale),
		.feature_a = wp_feature_of(facing, facing->a, &facing->face_a, &place),
		.feature_b = wp_feature_of(facing, facing->b, &facing->face_b, &place)};
	/* Lanes without a later point may write any. */
	if (k == 0 && vm_any(is_witness))
		wp_take_witness(touch, is_witness, &point);
	if (scratch->is_kept) {
		/* A copy: so the point itself need not be in memory. */
		const wp_point kept = point;
		wp_put_kept_point(&kept, k, scratch);
	} else {
		wp_put_row_point(&point, k, chosen->count, scratch);
	}
}

WP_INLINE void wp_clip_block(const wp_jobs *jobs, const int32_t *job, uint32_t most, wp_manifold_scratch *scratch)
{
	const uint32_t kind[2] = {jobs->core_a[job[0]]->kind, jobs->core_b[job[0]]->kind};
	const vi jobs_of_lanes = vi_load(job);
	const wp_touch touch = wp_load_touch(jobs, jobs_of_lanes);
	wp_view view;
	wp_make_view(jobs, job, &touch, &view);
	wp_facing facing;
	wp_take_facing(jobs, job, kind, &touch, &view, scratch, &facing);
	const vf size = vf_add(view.p.reach, vf_abs(touch.separation));
	facing.contact = vf_mul(touch.separation, view.p.scale);
	facing.least = vf_mul(vf_sub(touch.separation, vf_mul(vf_set(WP_PATCH_DEEPER), size)), view.p.scale);
	const int32_t candidates = wp_clip_faces(&facing, &scratch->candidates);
	const uint32_t places = wp_patch_most(kind[0] == WP_CORE_SEGMENT || kind[1] == WP_CORE_SEGMENT, most);
	const vf reach = vf_mul(view.p.reach, view.p.scale);
	wp_chosen chosen;
	wp_reduce(&scratch->candidates, candidates, places, facing.contact, reach, &chosen);
	for (int32_t k = wp_last_point(chosen.count, most); k >= 0; k--)
		wp_tell_point(&view, &facing, &touch, &chosen, k, scratch);
	vi_store(scratch->count, chosen.count);
}

#endif
