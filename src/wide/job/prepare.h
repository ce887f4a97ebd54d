/* From the caller's two world poses to one relative pose in the frame of A, scaled. */
#ifndef WP_WIDE_JOB_PREPARE_H
#define WP_WIDE_JOB_PREPARE_H

#include "wide/job/bracket.h"
#include "wide/job/form.h"
#include "wide/lane/scale.h"
#include "wide/lane/vec3.h"

/* One block of jobs made ready. */
typedef struct wp_prepared {
	vf33 frame;            /* rotation of A: local to world */
	vf33 rotation;         /* from B's frame to A's */
	vf3 translation;       /* origin of B in A's frame, scaled */
	vf3 half_a, half_b;    /* box extents, unscaled */
	vf3 origin;            /* position of A, to count points from */
	vf scale;              /* power of two from world to kernel lengths */
	vf radius_a, radius_b; /* unscaled */
	vf reach;              /* larger bounding radius, rounding radius included, unscaled */
	vf rounding;           /* kernel rounding of these pairs, scaled */
	vm fit;                /* the job is valid and within the kernels' range */
	const wp_terms *terms;
} wp_prepared;

/* A row of the inputs of each lane's job: `quad` is where the job's first row is, counted in rows from `input`. */
WP_INLINE vf4 wp_load_input(const float *input, vi quad, enum wp_job_input row)
{
	return vf4_gather(input + 4 * (uint32_t)row, quad);
}

/* Whether coordinates are within WP_POSITION_MAX; not where one is NaN. */
WP_INLINE vm wp_is_position(vf3 p)
{
	const vf most = vf_set(WP_POSITION_MAX);
	return vm_and(vm_and(vf_le(vf_abs(p.x), most), vf_le(vf_abs(p.y), most)), vf_le(vf_abs(p.z), most));
}

WP_INLINE vm wp_are_rotations(vfq a, vfq b)
{
	return vm_and(wp_is_about_unit(vfq_length2(a)), wp_is_about_unit(vfq_length2(b)));
}

/* The way from one position to another. Whether their zeros are negative must not show: supports depend on signs. */
WP_INLINE vf3 wp_offset_of(vf3 from, vf3 to) { return vf3_add(vf3_sub(to, from), vf3_zero()); }

/* The size that a pair is scaled by: of the larger core or the distance of the origins. */
WP_INLINE vf wp_size_of(vf bound_a, vf bound_b, vf3 offset)
{
	const vf far = vf_max(vf_abs(offset.x), vf_max(vf_abs(offset.y), vf_abs(offset.z)));
	return vf_max(vf_max(bound_a, bound_b), far);
}

/* Whether a job is valid and within the kernels' range. */
WP_INLINE vm wp_is_fit(vfq turn_a, vfq turn_b, vf3 from, vf3 to, vf size, vf radii)
{
	const vm positions = vm_and(wp_is_position(from), wp_is_position(to));
	const vm valid = vm_and(positions, wp_are_rotations(turn_a, turn_b));
	return vm_and(valid, wp_are_in_range(size, radii));
}

/* Kernel rounding of a pair, by both bounding radii and the distance of the origins, all scaled. */
WP_INLINE vf wp_pose_rounding(const wp_terms *terms, vf bounds, vf distance)
{
	return vf_add(vf_mul(bounds, vf_set(terms->point_rounding)), vf_mul(distance, vf_set(WP_OFFSET_ROUNDING)));
}

/* The inputs of a block, as rows of them are: see wp_job_input. */
typedef struct wp_inputs {
	vfq turn_a, turn_b;
	vf4 position_a, position_b, core_a, core_b;
} wp_inputs;

_Static_assert(offsetof(wp_core, half) == 0 && offsetof(wp_core, radius) == 3 * sizeof(float),
	"a core begins with a row of its extents and its radius");

/* Of the core of each lane: extents, zero for hulls, and radius. */
WP_INLINE vf4 wp_load_cores(const wp_core *const core[WP_WIDTH])
{
	const float *from[WP_WIDTH];
	for (int lane = 0; lane < WP_WIDTH; lane++)
		from[lane] = core[lane]->half;
	return vf4_get(from, 0);
}

/* The inputs of jobs that follow one another, and their cores. */
WP_INLINE wp_inputs wp_inputs_from(const float *input, const wp_core *const *core_a, const wp_core *const *core_b)
{
	const vi quad = vi_scaled_lanes(WP_INPUT_COUNT);
	return (wp_inputs){.turn_a = vfq_of(wp_load_input(input, quad, WP_INPUT_ROTATION_A)),
		.turn_b = vfq_of(wp_load_input(input, quad, WP_INPUT_ROTATION_B)),
		.position_a = wp_load_input(input, quad, WP_INPUT_POSITION_A),
		.position_b = wp_load_input(input, quad, WP_INPUT_POSITION_B),
		.core_a = wp_load_cores(core_a),
		.core_b = wp_load_cores(core_b)};
}

/* Prepare all but the rounding, and whether jobs are fit. Returns the size that they are scaled by. */
WP_INLINE vf wp_prepare_poses(const wp_inputs *in, wp_prepared *p)
{
	const vf4 pa = in->position_a, pb = in->position_b;
	const vf3 offset = wp_offset_of(vf3_set(pa.x, pa.y, pa.z), vf3_set(pb.x, pb.y, pb.z));
	const vf bound_a = pa.w, bound_b = pb.w, size = wp_size_of(bound_a, bound_b, offset);
	p->frame = vfq_to_matrix(in->turn_a);
	p->rotation = vfq_to_matrix(vfq_relative(in->turn_a, in->turn_b));
	p->half_a = vf3_set(in->core_a.x, in->core_a.y, in->core_a.z);
	p->half_b = vf3_set(in->core_b.x, in->core_b.y, in->core_b.z);
	p->origin = vf3_set(pa.x, pa.y, pa.z);
	p->radius_a = in->core_a.w;
	p->radius_b = in->core_b.w;
	p->scale = wp_scale_of(size);
	p->translation = vf33_apply_transposed(&p->frame, vf3_scale(offset, p->scale));
	p->reach = vf_max(vf_add(bound_a, p->radius_a), vf_add(bound_b, p->radius_b));
	return size;
}

/* Prepare jobs with these inputs. */
WP_INLINE void wp_prepare_inputs(const wp_terms *terms, const wp_inputs *in, wp_prepared *p)
{
	const vf4 pa = in->position_a, pb = in->position_b;
	const vf size = wp_prepare_poses(in, p), distance = vf3_length(p->translation);
	p->terms = terms;
	p->rounding = wp_pose_rounding(terms, vf_mul(vf_add(pa.w, pb.w), p->scale), distance);
	p->fit = wp_is_fit(in->turn_a, in->turn_b, vf3_set(pa.x, pa.y, pa.z), vf3_set(pb.x, pb.y, pb.z), size,
		vf_add(p->radius_a, p->radius_b));
}

/* The cores of jobs. */
WP_INLINE void wp_cores_of_lanes(
	const wp_core *const *cores, const int32_t job[WP_WIDTH], const wp_core *core[WP_WIDTH])
{
	WP_ROLLED
	for (int lane = 0; lane < WP_WIDTH; lane++)
		core[lane] = cores[job[lane]];
}

/* Where the inputs of jobs are. */
WP_INLINE void wp_input_of_lanes(const wp_jobs *jobs, const int32_t job[WP_WIDTH], const float *input[WP_WIDTH])
{
	WP_ROLLED
	for (int lane = 0; lane < WP_WIDTH; lane++)
		input[lane] = wp_input_of_job(jobs, (uint32_t)job[lane]);
}

WP_INLINE wp_inputs wp_inputs_of_lanes(const wp_jobs *jobs, const int32_t job[WP_WIDTH])
{
	const float *input[WP_WIDTH];
	const wp_core *core_a[WP_WIDTH], *core_b[WP_WIDTH];
	wp_input_of_lanes(jobs, job, input);
	wp_cores_of_lanes(jobs->core_a, job, core_a);
	wp_cores_of_lanes(jobs->core_b, job, core_b);
	return (wp_inputs){.turn_a = vfq_of(vf4_get(input, 4 * WP_INPUT_ROTATION_A)),
		.turn_b = vfq_of(vf4_get(input, 4 * WP_INPUT_ROTATION_B)),
		.position_a = vf4_get(input, 4 * WP_INPUT_POSITION_A),
		.position_b = vf4_get(input, 4 * WP_INPUT_POSITION_B),
		.core_a = wp_load_cores(core_a),
		.core_b = wp_load_cores(core_b)};
}

/* Prepare any jobs. */
WP_INLINE void wp_prepare_jobs(const wp_jobs *jobs, const int32_t job[WP_WIDTH], wp_prepared *p)
{
	const wp_inputs in = wp_inputs_of_lanes(jobs, job);
	wp_prepare_inputs(jobs->terms, &in, p);
}

/* Prepare a block of jobs. Lanes past the last job compute on whatever is there; nobody reads them. */
WP_INLINE wp_prepared wp_prepare_block(const wp_jobs *jobs, const wp_terms *terms, uint32_t at)
{
	wp_prepared p;
	const wp_inputs in = wp_inputs_from(wp_input_of_job(jobs, at), jobs->core_a + at, jobs->core_b + at);
	wp_prepare_inputs(terms, &in, &p);
	return p;
}

/* Add to the radii of a block, which are kept, the balls that searches leave out of ellipsoids. */
WP_NOINLINE void wp_round_block(wp_jobs *jobs, uint32_t at)
{
	WP_ROLLED
	for (int side = 0; side < 2; side++) {
		float(*const half)[WP_JOB_MAX] = side ? jobs->half_b : jobs->half_a;
		float *const radius = (side ? jobs->radius_b : jobs->radius_a) + at;
		const vf3 extents = vf3_load(half[0] + at, half[1] + at, half[2] + at);
		const vi form = wp_forms_of((side ? jobs->core_b : jobs->core_a) + at);
		if ((side ? jobs->kind_b : jobs->kind_a) != WP_CORE_HULL)
			vf_store(radius, vf_add(vf_load(radius), wp_ball_of(extents, form)));
	}
	const vf scale = vf_load(jobs->scale + at);
	const vf4 lengths = {scale, vf_load(jobs->radius_a + at), vf_load(jobs->radius_b + at), scale};
	vf4_store(jobs->pose + 16 * (size_t)at + 12, 4, lengths);
}

/* Keep a block for GJK, EPA and witness points. `first` is where GJK looks first. */
WP_INLINE void wp_store_prepared(wp_jobs *jobs, uint32_t at, const wp_prepared *p, vf3 first)
{
	vf3_store(jobs->direction[0] + at, jobs->direction[1] + at, jobs->direction[2] + at, first);
	float *const pose = jobs->pose + 16 * (size_t)at;
	const vf t[3] = {p->translation.x, p->translation.y, p->translation.z};
	for (int i = 0; i < 3; i++) {
		const vf3 row = p->rotation.row[i];
		vf4_store(pose + 4 * i, 4, (vf4){row.x, row.y, row.z, t[i]});
		vf3_store(
			jobs->frame_a[3 * i] + at, jobs->frame_a[3 * i + 1] + at, jobs->frame_a[3 * i + 2] + at, p->frame.row[i]);
	}
	vf4_store(pose + 12, 4, (vf4){p->scale, p->radius_a, p->radius_b, p->scale});
	vf3_store(jobs->half_a[0] + at, jobs->half_a[1] + at, jobs->half_a[2] + at, p->half_a);
	vf3_store(jobs->half_b[0] + at, jobs->half_b[1] + at, jobs->half_b[2] + at, p->half_b);
	vf3_store(jobs->origin[0] + at, jobs->origin[1] + at, jobs->origin[2] + at, p->origin);
	vf_store(jobs->scale + at, p->scale);
	vf_store(jobs->radius_a + at, p->radius_a);
	vf_store(jobs->radius_b + at, p->radius_b);
	vf_store(jobs->reach + at, p->reach);
	vf_store(jobs->rounding + at, p->rounding);
	if (p->terms->smooth)
		wp_round_block(jobs, at);
}

/* What witness points need of a block that was kept. */
WP_INLINE wp_prepared wp_load_prepared(const wp_jobs *jobs, uint32_t at)
{
	/* Field by field: an initializer clears the others, which takes as long as to load these. */
	wp_prepared p;
	p.origin = vf3_load(jobs->origin[0] + at, jobs->origin[1] + at, jobs->origin[2] + at);
	p.scale = vf_load(jobs->scale + at);
	p.radius_a = vf_load(jobs->radius_a + at);
	p.radius_b = vf_load(jobs->radius_b + at);
	p.reach = vf_load(jobs->reach + at);
	p.rounding = vf_load(jobs->rounding + at);
	p.terms = jobs->terms;
	for (int i = 0; i < 3; i++)
		p.frame.row[i] = vf3_load(
			jobs->frame_a[3 * i] + at, jobs->frame_a[3 * i + 1] + at, jobs->frame_a[3 * i + 2] + at);
	return p;
}

/* Append the jobs of a block that are in `lanes` to a list. Returns how long it is then. */
WP_INLINE uint32_t wp_list_jobs(int32_t list[WP_JOB_MAX], uint32_t total, uint32_t at, uint32_t lanes)
{
	for (uint32_t m = lanes; m != 0; m &= m - 1)
		list[total++] = (int32_t)(at + wp_lowest_bit(m));
	return total;
}

/* Prepare all jobs; list those that the kernels can answer. Returns how many they are. */
WP_NOINLINE uint32_t wp_prepare_run(wp_jobs *jobs, int32_t list[WP_JOB_MAX])
{
	uint32_t total = 0;
	for (uint32_t at = 0; at < jobs->count; at += WP_WIDTH) {
		const wp_prepared p = wp_prepare_block(jobs, jobs->terms, at);
		const uint32_t present = wp_present_lanes(jobs->count, at), fit = vm_bits(p.fit) & present;
		wp_store_prepared(jobs, at, &p, p.translation);
		vi_store(jobs->epa_steps + at, vi_zero());
		vi_store(jobs->state + at, vi_set(WP_JOB_STRONG));
		total = wp_list_jobs(list, total, at, fit);
	}
	return total;
}

/* Both radii, scaled. */
WP_INLINE vf wp_radii_of(vf scale, vf radius_a, vf radius_b) { return vf_mul(vf_add(radius_a, radius_b), scale); }

WP_INLINE vf wp_limit_of(const wp_jobs *jobs, const wp_terms *terms, vf scale, vf radii)
{
	return wp_query_limit(jobs->query, jobs->max_separation, scale, radii, terms->kernel_rounding, WP_RADIUS_ROUNDING);
}

#endif
