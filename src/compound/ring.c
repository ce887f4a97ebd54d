/* The ring, answered: pairs of children as rows of a batch, by the queries that answer all other pairs. */
#include "batch/run.h"
#include "compound/internal.h"
#include "motion/advance.h"
#include "motion/mount.h"

/* ---- pairs in ----------------------------------------------------------------------------------- */

static void place_side(
	const wp_compound_side *side, uint32_t at, wp_mesh_query_place *place, const wp_compound_child **mount)
{
	*place = side->place;
	*mount = NULL;
	if (side->compound == NULL)
		return;
	const wp_compound_child *const child = &wp_compound_view_of(side->compound).parts[at].child;
	place->shape = child->shape;
	if (side->turns) {
		*mount = child;
		return;
	}
	const wp_dq rotation = wp_dq_of_rotation(side->place.rotation);
	wp_mount_place(child, wp_d3_at(side->place.position), rotation, place->position, place->rotation);
	memcpy(place->end, place->rotation, sizeof place->end);
}

static void push(const wp_compound_call *call, uint32_t place, const wp_compound_found *found)
{
	wp_compound_memory *const memory = &call->workspace->compound;
	const wp_compound_row *const row = &memory->row[place];
	const uint32_t at = memory->count++;
	memory->pair[at] = *found;
	memory->of_row[at] = place;
	place_side(&row->side[0], found->place[0], &memory->place[2 * at], &memory->mount[2 * at]);
	place_side(&row->side[1], found->place[1], &memory->place[2 * at + 1], &memory->mount[2 * at + 1]);
	call->statistics->solved++;
}

void wp_compound_push_found(const wp_compound_call *call, uint32_t place, uint32_t most)
{
	wp_compound_memory *const memory = &call->workspace->compound;
	wp_compound_row *const row = &memory->row[place];
	uint32_t next = 0;
	for (uint32_t pushed = 0; next < row->found_count && pushed < most; next++) {
		if (!wp_compound_counts(call, row, row->found[next].key, row->found[next].child))
			continue;
		if (memory->count == memory->capacity)
			break;
		push(call, place, &row->found[next]);
		pushed++;
	}
	row->found_count -= next;
	memmove(row->found, row->found + next, row->found_count * sizeof *row->found);
}

/* ---- answers out -------------------------------------------------------------------------------- */

static double value_of(const wp_compound_call *call, const wp_cast_contact *contact, float fraction)
{
	const bool is_apart = (contact->status & WP_STATUS_SEPARATED) != 0;
	if (call->query == WP_COMPOUND_OVERLAP)
		return is_apart ? (double)WP_INFINITY : 0;
	if (call->query == WP_COMPOUND_CAST)
		return (contact->status & WP_STATUS_HIT) != 0 ? (double)fraction : (double)WP_INFINITY;
	/* What is not proven apart is not proven too far. */
	const float least = call->query == WP_COMPOUND_DISTANCE && is_apart ? contact->separation : contact->lower;
	const bool is_near = (contact->status & WP_STATUS_BEYOND) == 0 && least <= call->most;
	return is_near ? (double)contact->separation : (double)WP_INFINITY;
}

static void take_answer(const wp_compound_call *call, wp_compound_row *row, uint32_t at)
{
	const wp_compound_memory *const memory = &call->workspace->compound;
	const wp_compound_found *const pair = &memory->pair[at];
	const wp_cast_contact *const contact = &memory->contact[at];
	wp_choice *const choice = &row->choice;
	if ((contact->status & WP_STATUS_INVALID) != 0) {
		wp_choice_spoil(choice, pair->key, pair->child, contact->status);
		return;
	}
	if (call->query == WP_COMPOUND_MANIFOLD && memory->point_count[at] != 0) {
		row->pair_count++;
		call->statistics->touched++;
		wp_compound_write_patch(call, row, at);
	}
	const double value = value_of(call, contact, memory->fraction[at]), limit = value > 0 ? value : 0;
	if (!wp_choice_take(choice, call->query == WP_COMPOUND_CAST, contact, value, pair->key, pair->child))
		return;
	memcpy(row->place, pair->place, sizeof row->place);
	if (call->query != WP_COMPOUND_MANIFOLD && limit < choice->limit)
		choice->limit = limit;
}

static wp_bodies bodies_of(const wp_mesh_query_place *place)
{
	const size_t stride = 2 * sizeof *place;
	return (wp_bodies){.position = {place->position, stride},
		.rotation = {place->rotation, stride},
		.shape = {&place->shape, stride},
		.count = WP_COMPOUND_RING,
		.position_real = WP_REAL_DOUBLE};
}

static wp_motions motions_of(const wp_mesh_query_place *place)
{
	return (wp_motions){{place->way, 2 * sizeof *place}, {place->end, 2 * sizeof *place}};
}

static void answer_ring(const wp_compound_call *call)
{
	wp_compound_memory *const memory = &call->workspace->compound;
	const wp_mesh_query_place *const place = memory->place;
	wp_statistics work = {0};
	const wp_batch batch = {
		.shapes = call->rows.shapes, .a = bodies_of(place), .b = bodies_of(place + 1), .count = memory->count};
	const wp_results results = wp_cast_results_of(memory->contact, true);
	const wp_contact_options options = {.max_separation = call->most};
	const wp_manifolds manifolds = {.count.data = memory->point_count, .points.data = memory->point[0]};
	switch (call->query) {
	case WP_COMPOUND_OVERLAP:
		(void)wp_overlap(call->workspace, &batch, &results, &work);
		break;
	case WP_COMPOUND_DISTANCE:
		(void)wp_distance(call->workspace, &batch, &results, &work);
		break;
	case WP_COMPOUND_CONTACT:
		(void)wp_contact(call->workspace, &batch, &options, &results, &work);
		break;
	case WP_COMPOUND_MANIFOLD:
		(void)wp_contact_manifold(call->workspace, &batch, &options, &results, &manifolds, &work);
		break;
	case WP_COMPOUND_CAST: {
		const wp_motions a = motions_of(place), b = motions_of(place + 1);
		const wp_float_column fraction = {memory->fraction, 0};
		(void)wp_cast_mounted(call->workspace, &batch, &a, &b, memory->mount, &results, &fraction, &work);
	}
	}
	call->statistics->strong += work.strong;
}

void wp_compound_run_ring(const wp_compound_call *call)
{
	wp_compound_memory *const memory = &call->workspace->compound;
	if (memory->count == 0)
		return;
	answer_ring(call);
	for (uint32_t i = 0; i < memory->count; i++)
		take_answer(call, &memory->row[memory->of_row[i]], i);
	memory->count = 0;
}
