/* Frames: frame/SEQUENCE/MODE/VARIANT. A pass plays all frames from the second on. Outside the timed region, all that is kept of the
 * pairs goes back to what the first frame left. */
#include "cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINT_MAX 4

typedef enum frame_mode {
	CONTACT = 0,
	MANIFOLD,
	PERSISTENT,
	TRACKED,
	PROVEN,
	REUSE_2MM,
	REUSE_4MM,
	PROVEN_2MM,
	PROVEN_4MM,
	MODE_COUNT
} frame_mode;

static const char *const mode_names[MODE_COUNT] = {
	"contact", "manifold", "persistent", "tracked", "proven", "reuse2mm", "reuse4mm", "proven2mm", "proven4mm"};
static const float reuse_errors[MODE_COUNT] = {
	[REUSE_2MM] = 0.002f, [REUSE_4MM] = 0.004f, [PROVEN_2MM] = 0.002f, [PROVEN_4MM] = 0.004f};

static const struct {
	const char *name, *kind, *regime;
	size_t frame_pairs;
} sequence_rows[] = {
	{"pile", "pile_seq", "recorded", 512},
	{"boxes", "boxes", "sequence", SET_FRAME_PAIRS},
	{"hulls32", "hulls32", "sequence", SET_FRAME_PAIRS},
	{"capsules", "capsules", "sequence", SET_FRAME_PAIRS},
};

/* What is kept of a pair from frame to frame; each mode uses some of it. */
typedef struct kept_pairs {
	wp_tracked *tracked;
	wp_tracked_anchor *anchors;
	wp_tracked_polytope *polytopes;
	wp_cache *caches;
	wp_persistent_manifold *manifolds;
} kept_pairs;

/* Frames of the same pairs, in a scene whose hulls have faces. */
typedef struct sequence {
	const char *name;
	pair_set *set;
	size_t frame_pairs, frame_count;
	capture_scene scene;
	kept_pairs now, first; /* [frame_pairs]; after the first frame */
	float (*normals)[3];   /* [frame_pairs] */
	uint32_t *counts;
	wp_manifold_point *points; /* [][POINT_MAX] */
	struct sequence *next;
} sequence;

typedef struct frame_cell {
	sequence *on;
	frame_mode mode;
	wp_variant variant;
	wp_workspace *workspace;
	bench_report counted;
	bool is_counted;
} frame_cell;

typedef struct peer_cell {
	sequence *on;
	const peer_frames *of;
	peer_input input;
	void *scene;
	bench_report counted;
	bool is_counted;
	struct peer_cell *next;
} peer_cell;

static sequence *sequences;
static peer_cell *peer_cells;

/* ---- sequences ------------------------------------------------------------------------------------ */

static bool has_polytopes(frame_mode mode) { return mode == PROVEN || mode == PROVEN_2MM || mode == PROVEN_4MM; }

static bool allocate_kept(kept_pairs *kept, size_t count)
{
	kept->tracked = cells_allocate(count * sizeof *kept->tracked);
	kept->anchors = cells_allocate(count * sizeof *kept->anchors);
	kept->polytopes = cells_allocate(count * sizeof *kept->polytopes);
	kept->caches = cells_allocate(count * sizeof *kept->caches);
	kept->manifolds = cells_allocate(count * sizeof *kept->manifolds);
	return kept->tracked && kept->anchors && kept->polytopes && kept->caches && kept->manifolds;
}

static void copy_kept(const kept_pairs *to, const kept_pairs *from, size_t count)
{
	memcpy(to->tracked, from->tracked, count * sizeof *to->tracked);
	memcpy(to->anchors, from->anchors, count * sizeof *to->anchors);
	memcpy(to->polytopes, from->polytopes, count * sizeof *to->polytopes);
	memcpy(to->caches, from->caches, count * sizeof *to->caches);
	memcpy(to->manifolds, from->manifolds, count * sizeof *to->manifolds);
}

static void forget(const kept_pairs *kept, size_t count)
{
	memset(kept->tracked, 0, count * sizeof *kept->tracked);
	memset(kept->anchors, 0, count * sizeof *kept->anchors);
	memset(kept->polytopes, 0, count * sizeof *kept->polytopes);
	memset(kept->caches, 0, count * sizeof *kept->caches);
	memset(kept->manifolds, 0, count * sizeof *kept->manifolds);
}

static bool load(sequence *on, bench_report *report)
{
	if (!set_load(on->set, report->error) || !set_load_truth(on->set, report->error))
		return false;
	if (on->scene.table)
		return true;
	const size_t count = on->frame_pairs;
	on->frame_count = on->set->count / count;
	if (on->frame_count < 2 || on->set->count % count != 0)
		return work_fail(report, "not the pairs of two or more frames");
	on->normals = cells_allocate(count * sizeof *on->normals);
	on->counts = cells_allocate(count * sizeof *on->counts);
	on->points = cells_allocate(count * POINT_MAX * sizeof *on->points);
	if (!on->normals || !on->counts || !on->points || !allocate_kept(&on->now, count) ||
		!allocate_kept(&on->first, count))
		return work_fail(report, "no memory for the frames");
	return cells_build_faces(on->set, &on->scene, report);
}

/* ---- the library ---------------------------------------------------------------------------------- */

static wp_batch batch_of(const sequence *on, size_t frame)
{
	return scene_batch(&on->scene, on->set->pairs + frame * on->frame_pairs, on->frame_pairs);
}

static wp_error answer_contact(const frame_cell *cell, size_t frame, const wp_results *wanted)
{
	const wp_batch batch = batch_of(cell->on, frame);
	wp_results results = *wanted;
	results.cache.data = cell->on->now.caches;
	return wp_contact(
		cell->workspace, &batch, &(wp_contact_options){.max_separation = WORK_MAX_SEPARATION}, &results, NULL);
}

/* A manifold needs its normal. */
static wp_error answer_manifold(const frame_cell *cell, size_t frame, const wp_results *wanted)
{
	const sequence *on = cell->on;
	const wp_batch batch = batch_of(on, frame);
	wp_results results = *wanted;
	const wp_manifolds manifolds = {.count = {on->counts}, .points = {on->points}, .point_max = POINT_MAX};
	results.cache.data = on->now.caches;
	results.normal = (wp_float_column){on->normals[0], 0};
	return wp_contact_manifold(cell->workspace, &batch, &(wp_contact_options){.max_separation = WORK_MAX_SEPARATION},
		&results, &manifolds, NULL);
}

static wp_error answer_persistent(const frame_cell *cell, size_t frame, const wp_results *wanted)
{
	static const wp_persistent_thresholds thresholds = {INFINITY, INFINITY, WORK_MAX_SEPARATION};
	const sequence *on = cell->on;
	wp_error error = answer_manifold(cell, frame, wanted);
	for (size_t i = 0; error == WP_OK && i < on->frame_pairs; i++) {
		const capture_pair *pair = &on->set->pairs[frame * on->frame_pairs + i];
		wp_pose a, b;
		memcpy(a.position, pair->position_a, sizeof a.position);
		memcpy(a.rotation, pair->rotation_a, sizeof a.rotation);
		memcpy(b.position, pair->position_b, sizeof b.position);
		memcpy(b.rotation, pair->rotation_b, sizeof b.rotation);
		error = wp_persistent_update(
			&on->now.manifolds[i], &a, &b, on->normals[i], &on->points[i * POINT_MAX], on->counts[i], &thresholds);
	}
	return error;
}

static wp_error answer_tracked(const frame_cell *cell, size_t frame, const wp_results *results)
{
	const sequence *on = cell->on;
	const wp_batch batch = batch_of(on, frame);
	const wp_track_options options = {
		.max_separation = WORK_MAX_SEPARATION, .merging = WORK_MAX_SEPARATION, .reuse_error = reuse_errors[cell->mode]};
	const wp_tracked_pairs pairs = {.pairs = on->now.tracked,
		.manifolds = on->now.manifolds,
		.anchors = on->now.anchors,
		.count = on->frame_pairs,
		.polytopes = has_polytopes(cell->mode) ? on->now.polytopes : NULL};
	return wp_track(cell->workspace, &batch, &options, &pairs, results, NULL, NULL);
}

static wp_error answer(const frame_cell *cell, size_t frame, const wp_results *results)
{
	switch (cell->mode) {
	case CONTACT:
		return answer_contact(cell, frame, results);
	case MANIFOLD:
		return answer_manifold(cell, frame, results);
	case PERSISTENT:
		return answer_persistent(cell, frame, results);
	default:
		return answer_tracked(cell, frame, results);
	}
}

/* ---- counters ------------------------------------------------------------------------------------- */

/* The rows of all frames from the second on. */
typedef struct frame_counts {
	double kept, reused, worst, wrong, rows;
} frame_counts;

/* Add a frame. Of rows that are BEYOND the bracket counts, of all others the error too, as a length. */
static void count_frame(const frame_cell *cell, size_t frame, const wp_row *rows, frame_counts *counts)
{
	const sequence *on = cell->on;
	const bool is_tracked = cell->mode >= TRACKED;
	for (size_t i = 0; i < on->frame_pairs; i++) {
		const size_t at = frame * on->frame_pairs + i;
		const double truth = on->set->truth[at];
		counts->rows++;
		counts->kept += is_tracked && (on->now.tracked[i].event & WP_TRACK_KEPT) != 0;
		counts->reused += is_tracked && (on->now.tracked[i].event & WP_TRACK_REUSED) != 0;
		if (isnan(truth))
			continue;
		counts->wrong += !((double)rows[i].lower <= truth && (double)rows[i].upper >= truth);
		if (!(rows[i].status & WP_STATUS_BEYOND))
			counts->worst = fmax(counts->worst, fabs((double)rows[i].separation - truth));
	}
}

static bool count_all(frame_cell *cell, bench_report *report)
{
	const sequence *on = cell->on;
	wp_row *rows = work_rows(on->frame_pairs);
	const wp_results results = wp_results_of_rows(rows);
	frame_counts counts = {0};
	for (size_t frame = 1; frame < on->frame_count; frame++) {
		const wp_error error = answer(cell, frame, &results);
		if (error != WP_OK)
			return work_fail(report, wp_error_text(error));
		count_frame(cell, frame, rows, &counts);
	}
	cell->counted.items = counts.rows;
	if (cell->mode >= TRACKED) {
		bench_count(&cell->counted, "kept", counts.kept / counts.rows);
		bench_count(&cell->counted, "reused", counts.reused / counts.rows);
	}
	bench_count(&cell->counted, "err_max", counts.worst);
	bench_count(&cell->counted, "wrong", counts.wrong);
	cell->is_counted = true;
	return true;
}

/* ---- cells ---------------------------------------------------------------------------------------- */

static void rewind_library(void *context)
{
	const frame_cell *cell = context;
	copy_kept(&cell->on->now, &cell->on->first, cell->on->frame_pairs);
}

static bool prepare(void *context, unsigned thread, unsigned threads, bench_report *report)
{
	frame_cell *cell = context;
	sequence *on = cell->on;
	static const wp_results none = {0};
	(void)thread;
	(void)threads;
	if (!load(on, report))
		return false;
	cell->workspace = work_prepare(cell->variant, on->frame_pairs, report);
	if (!cell->workspace)
		return false;
	forget(&on->now, on->frame_pairs);
	const wp_error error = answer(cell, 0, &none);
	if (error != WP_OK)
		return work_fail(report, wp_error_text(error));
	copy_kept(&on->first, &on->now, on->frame_pairs);
	if (!cell->is_counted && !count_all(cell, report))
		return false;
	*report = cell->counted;
	return true;
}

/* A contact is written as a row; of the other modes, the results are what is kept of the pairs. */
static void run(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	const frame_cell *cell = context;
	wp_row *rows = cell->mode == CONTACT ? work_rows(cell->on->frame_pairs) : NULL;
	const wp_results results = wp_results_of_rows(rows);
	(void)thread;
	(void)threads;
	for (uint64_t pass = 0; pass < iterations; pass++)
		for (size_t frame = 1; frame < cell->on->frame_count; frame++)
			answer(cell, frame, &results);
}

static bool add(sequence *on, frame_mode mode, wp_variant variant)
{
	char name[CELLS_NAME_MAX];
	frame_cell *cell = cells_allocate(sizeof *cell);
	if (!cell)
		return false;
	*cell = (frame_cell){.on = on, .mode = mode, .variant = variant};
	snprintf(name, sizeof name, "frame/%s/%s/%s", on->name, mode_names[mode], wp_variant_name(variant));
	bench_add(&(bench_cell){.name = name, .context = cell, .prepare = prepare, .run = run, .rewind = rewind_library});
	return true;
}

/* ---- peers ---------------------------------------------------------------------------------------- */

static void rewind_peer(void *context)
{
	const peer_cell *cell = context;
	if (cell->of->forget == NULL)
		return;
	cell->of->forget(cell->scene);
	cell->of->play(cell->scene, 0, cells_peer_rows(cell->on->frame_pairs));
}

/* The largest error of a separation, as a length. */
static void count_peer(peer_cell *cell)
{
	const sequence *on = cell->on;
	peer_row *rows = cells_peer_rows(on->frame_pairs);
	double worst = 0.0;
	rewind_peer(cell);
	for (size_t frame = 1; frame < on->frame_count; frame++) {
		const double *truth = on->set->truth + frame * on->frame_pairs;
		cell->of->play(cell->scene, frame, rows);
		for (size_t i = 0; i < on->frame_pairs; i++)
			if (rows[i].answer == PEER_SEPARATION && !isnan(truth[i]))
				worst = fmax(worst, fabs(rows[i].separation - truth[i]));
	}
	bench_count(&cell->counted, "err_max", worst);
	cell->counted.items = (double)((on->frame_count - 1) * on->frame_pairs);
	cell->is_counted = true;
}

static bool prepare_peer(void *context, unsigned thread, unsigned threads, bench_report *report)
{
	peer_cell *cell = context;
	const pair_set *set = cell->on->set;
	(void)thread;
	(void)threads;
	if (!load(cell->on, report))
		return false;
	if (!cell->scene) {
		cell->input = (peer_input){(const peer_shape *)set->shapes, (const float(*)[3])set->vertices,
			(const peer_pair *)set->pairs, set->shape_count, set->vertex_count, set->count, NULL};
		cell->scene = cell->of->create(&cell->input, cell->on->frame_pairs);
	}
	if (!cell->scene || !cells_peer_rows(cell->on->frame_pairs))
		return work_fail(report, "the peer cannot build the shapes");
	if (!cell->is_counted)
		count_peer(cell);
	*report = cell->counted;
	return true;
}

static void run_peer(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	const peer_cell *cell = context;
	peer_row *rows = cells_peer_rows(cell->on->frame_pairs);
	(void)thread;
	(void)threads;
	for (uint64_t pass = 0; pass < iterations; pass++)
		for (size_t frame = 1; frame < cell->on->frame_count; frame++)
			cell->of->play(cell->scene, frame, rows);
}

static bool add_peer(sequence *on, const peer_frames *of)
{
	char name[CELLS_NAME_MAX];
	peer_cell *cell = cells_allocate(sizeof *cell);
	if (!cell)
		return false;
	*cell = (peer_cell){.on = on, .of = of, .next = peer_cells};
	peer_cells = cell;
	snprintf(name, sizeof name, "frame/%s/%s/%s", on->name, of->mode, of->name);
	bench_add(
		&(bench_cell){.name = name, .context = cell, .prepare = prepare_peer, .run = run_peer, .rewind = rewind_peer});
	return true;
}

/* ---- all ------------------------------------------------------------------------------------------ */

static bool add_sequence(sequence *on)
{
	for (int mode = 0; mode < MODE_COUNT; mode++)
		for (unsigned variant = WP_VARIANT_SCALAR; variant < WP_VARIANT_COUNT; variant++)
			if (wp_variant_available((wp_variant)variant) == WP_OK && !add(on, (frame_mode)mode, (wp_variant)variant))
				return false;
	for (size_t index = 0; peer_frames_list[index]; index++)
		if (!add_peer(on, peer_frames_list[index]))
			return false;
	return true;
}

bool cells_add_frames(void)
{
	for (size_t index = 0; index < sizeof sequence_rows / sizeof *sequence_rows; index++) {
		sequence *on = cells_allocate(sizeof *on);
		if (!on)
			return false;
		*on = (sequence){.name = sequence_rows[index].name,
			.set = sets_find(sequence_rows[index].kind, sequence_rows[index].regime),
			.frame_pairs = sequence_rows[index].frame_pairs,
			.next = sequences};
		sequences = on;
		if (!on->set || !add_sequence(on))
			return false;
	}
	return true;
}

void cells_free_frames(void)
{
	for (; peer_cells; peer_cells = peer_cells->next)
		if (peer_cells->scene)
			peer_cells->of->destroy(peer_cells->scene);
	for (; sequences; sequences = sequences->next)
		scene_free(&sequences->scene);
}
