/* Rows and patches as the caller gets them. */
#include "compound/internal.h"
#include "motion/mount.h"

static void write_output(const wp_compound_call *call, uint32_t row, const double position[3], const wp_output *output,
	const uint32_t child[2], float fraction)
{
	const wp_call *const rows = &call->rows;
	const size_t at = rows->first + row;
	wp_statistics unused = {0};
	wp_write_row(rows, row, position, output, &unused);
	wp_write_word(call->children.a, at, child[0]);
	wp_write_word(call->children.b, at, child[1]);
	if (rows->fraction.data != NULL)
		memcpy((char *)rows->fraction.data + at * rows->fraction.stride, &fraction, sizeof fraction);
	call->statistics->rows++;
}

static void write_counts(const wp_compound_call *call, uint32_t row, uint32_t pairs, uint32_t patches)
{
	const size_t at = call->rows.first + row;
	wp_write_word(call->patches.pair_count, at, pairs);
	wp_write_word(call->patches.patch_count, at, patches);
}

/* From where points are counted that are none, and whose they are. */
static const double nowhere[3] = {0, 0, 0};
static const uint32_t none[2] = {WP_COMPOUND_MISS, WP_COMPOUND_MISS};

void wp_compound_write_invalid(const wp_compound_call *call, const wp_compound_row *row, uint32_t status)
{
	wp_compound_statistics *const s = call->statistics;
	const uint64_t at = call->rows.first + row->row;
	wp_output output;
	if (s->invalid == 0 || at < s->first_invalid_row)
		s->first_invalid_row = at;
	s->invalid++;
	wp_invalid_output(status | WP_STATUS_INVALID, &output);
	write_output(call, row->row, nowhere, &output, none, WP_NAN);
	write_counts(call, row->row, 0, 0);
	if (call->frame != NULL)
		call->frame->keep_invalid(call, row, output.status);
}

static void write_answer(const wp_compound_call *call, uint32_t row, const double position[3], const wp_output *output,
	const uint32_t child[2], float fraction, uint32_t pairs, uint32_t patches)
{
	call->statistics->touching += (output->status & WP_STATUS_SEPARATED) == 0;
	write_output(call, row, child[0] == WP_COMPOUND_MISS ? nowhere : position, output, child, fraction);
	write_counts(call, row, pairs, patches);
}

void wp_compound_write_output(const wp_compound_call *call, uint32_t row, const double position[3],
	const wp_output *output, const uint32_t child[2], uint32_t pairs, uint32_t patches)
{
	write_answer(call, row, position, output, child, 1.0f, pairs, patches);
}

/* The output of a row without an answer. */
static void put_none(const wp_compound_call *call, const wp_compound_row *row, wp_output *output)
{
	const wp_choice *const choice = &row->choice;
	if (call->query == WP_COMPOUND_OVERLAP || call->query == WP_COMPOUND_CAST) {
		wp_choice_put_none(choice, call->query == WP_COMPOUND_CAST, output);
		return;
	}
	const double far = wp_compound_key_of_apart(call, row, row->far);
	const float pruned = wp_round_down(far < row->pruned ? far : row->pruned);
	wp_choice_put_beyond(choice->lowest < pruned ? choice->lowest : pruned, output);
}

/* A point in the frame of a child, in the frame of its body. */
static void to_body(const wp_compound_side *side, uint32_t place, const float local[3], float to[3])
{
	if (side->compound == NULL) {
		memcpy(to, local, 3 * sizeof *to);
		return;
	}
	wp_mount_to_body(&wp_compound_view_of(side->compound).parts[place].child, local, to);
}

static void put_best(const wp_compound_call *call, const wp_compound_row *row, wp_output *output)
{
	const wp_cast_contact *const c = &row->choice.contact;
	wp_choice_put_best(&row->choice, call->query == WP_COMPOUND_CAST, output);
	if (call->query == WP_COMPOUND_OVERLAP)
		return;
	to_body(&row->side[0], row->place[0], c->local[0], output->local_a);
	to_body(&row->side[1], row->place[1], c->local[1], output->local_b);
	if (call->query != WP_COMPOUND_CAST)
		wp_choice_put_bounds(&row->choice, output);
}

void wp_compound_write_row(const wp_compound_call *call, const wp_compound_row *row)
{
	const wp_choice *const choice = &row->choice;
	if (choice->invalid != 0 && wp_compound_counts(call, row, choice->spoilt_key, choice->spoilt)) {
		wp_compound_write_invalid(call, row, choice->invalid);
		return;
	}
	wp_output output;
	const bool has = choice->has_best;
	if (has)
		put_best(call, row, &output);
	else
		put_none(call, row, &output);
	write_answer(call, row->row, row->position, &output, has ? choice->order : none, has ? (float)choice->value : 1.0f,
		row->pair_count, row->patch_count);
	if (call->frame != NULL)
		call->frame->keep_row(call, row, &output);
}

/* ---- patches ------------------------------------------------------------------------------------ */

static void move_point(
	const wp_compound_row *row, const uint32_t place[2], const wp_manifold_point *from, wp_manifold_point *to)
{
	*to = *from;
	for (int k = 0; k < 3; k++) {
		to->point_a[k] = (float)(row->position[k] + (double)from->point_a[k]);
		to->point_b[k] = (float)(row->position[k] + (double)from->point_b[k]);
	}
	to_body(&row->side[0], place[0], from->local_a, to->local_a);
	to_body(&row->side[1], place[1], from->local_b, to->local_b);
}

/* Whether a patch comes before another one of its row. */
static bool is_before(const wp_compound_patch *patch, const unsigned char *other)
{
	float separation;
	uint32_t child_a, child_b;
	memcpy(&separation, other + offsetof(wp_compound_patch, separation), sizeof separation);
	memcpy(&child_a, other + offsetof(wp_compound_patch, child_a), sizeof child_a);
	memcpy(&child_b, other + offsetof(wp_compound_patch, child_b), sizeof child_b);
	return patch->separation != separation ? patch->separation < separation
	     : patch->child_a != child_a       ? patch->child_a < child_a
	                                       : patch->child_b < child_b;
}

unsigned char *wp_compound_patches_of_row(const wp_compound_call *call, const wp_compound_row *row)
{
	const wp_compound_frame *const frame = call->frame;
	const wp_compound_patch_column *const patches = &call->patches.patches;
	return frame != NULL ? (unsigned char *)&frame->tracked.room[row->tracked * frame->tracked.patch_max]
	                     : (unsigned char *)patches->data + (call->rows.first + row->row) * patches->stride;
}

void wp_compound_write_patch(const wp_compound_call *call, wp_compound_row *row, uint32_t at)
{
	const wp_compound_memory *const memory = &call->workspace->compound;
	const wp_compound_found *const pair = &memory->pair[at];
	const wp_cast_contact *const contact = &memory->contact[at];
	const size_t size = sizeof(wp_compound_patch), most = call->patches.patch_max;
	unsigned char *const patches = wp_compound_patches_of_row(call, row);
	wp_compound_patch patch = {.separation = contact->separation,
		.child_a = pair->child[0],
		.child_b = pair->child[1],
		.status = contact->status,
		.point_count = memory->point_count[at]};
	size_t place = row->patch_count;
	while (place > 0 && is_before(&patch, patches + (place - 1) * size))
		place--;
	if (place == most)
		return;
	memcpy(patch.normal, contact->normal, sizeof patch.normal);
	for (uint32_t i = 0; i < patch.point_count; i++)
		move_point(row, pair->place, &memory->point[at][i], &patch.points[i]);
	const size_t stay = row->patch_count < most ? row->patch_count : most - 1;
	memmove(patches + (place + 1) * size, patches + place * size, (stay - place) * size);
	memcpy(patches + place * size, &patch, size);
	row->patch_count = (uint32_t)stay + 1;
}
