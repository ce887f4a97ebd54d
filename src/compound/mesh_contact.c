/* Rows of compounds and meshes: each child is a body of its own, whose patches its body's row gathers. */
#include "compound/internal.h"
#include "mesh_contact/internal.h"
#include "motion/mount.h"

void wp_compound_count_from_a(wp_side *a, wp_side *b, double position[3])
{
	for (int k = 0; k < 3; k++) {
		position[k] = a->position[k];
		a->position[k] = 0;
		b->position[k] -= position[k];
	}
}

void wp_compound_place_child(const wp_compound_child *child, const wp_side *whole, wp_side *side)
{
	*side = *whole;
	side->shape = child->shape;
	wp_mount_place(
		child, wp_d3_at(whole->position), wp_dq_of_rotation(whole->rotation), side->position, side->rotation);
}

/* A row with a compound under way. */
typedef struct whole_row {
	const wp_mesh_call *call;
	wp_compound_view view;
	wp_side a, b; /* counted from `position` on */
	double position[3];
	const wp_mesh_row *row;
	uint32_t whole;          /* its place among the wholes */
	uint32_t others, rounds; /* children that are no spheres or capsules, and that are */
} whole_row;

/* Answer the children that are round, or those that are not, in their order. */
static void run_children(const whole_row *w, bool are_round)
{
	const wp_mesh_call *const call = w->call;
	uint32_t left = are_round ? w->rounds : w->others;
	for (uint32_t i = 0; left != 0; i++) {
		wp_side side;
		wp_mesh_row row = {.row = w->row->row,
			.mesh = w->row->mesh,
			.field = w->row->field,
			.part = &wp_compound_part_at(&w->view, i)->child,
			.child = i,
			.whole = w->whole};
		if (wp_mesh_is_round(&call->call.cores[row.part->shape]) != are_round)
			continue;
		left--;
		row.is_last = left == 0 && w->rounds == 0;
		wp_compound_place_child(row.part, &w->a, &side);
		wp_mesh_place_row(call, &side, &w->b, &row);
		for (int k = 0; k < 3; k++)
			row.position[k] += w->position[k];
		wp_mesh_push_row(call, &row);
	}
	wp_mesh_run_group(call);
}

/* Count the children. False if one has no contacts with meshes. */
static bool count_children(whole_row *w)
{
	bool have_contacts = true;
	for (uint32_t i = 0; i < w->view.compound->child_count; i++) {
		const wp_core *const core = wp_core_of_table(w->call->call.shapes, w->view.parts[i].child.shape);
		have_contacts &= core != NULL && core->kind < WP_CORE_HALF_SPACE;
		if (core != NULL && wp_mesh_is_round(core))
			w->rounds++;
		else
			w->others++;
	}
	return have_contacts;
}

/* Children in the ring are gathered in their order, whatever other rows are there; the last one ends the row. Round ones are
 * answered at once, so no other row may have children in the ring then, and the row ends with them. So neither the size of the
 * ring nor what else goes down a tree changes the order. */
bool wp_compound_run_mesh_row(
	const wp_mesh_call *call, const wp_compound *compound, const wp_side *a, const wp_side *b, const wp_mesh_row *row)
{
	wp_mesh_memory *const memory = &call->workspace->mesh;
	whole_row w = {.call = call, .view = wp_compound_view_of(compound), .a = *a, .b = *b, .row = row};
	if (!count_children(&w)) {
		wp_mesh_write_invalid(call, row->row, WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_A);
		return false;
	}
	w.whole = memory->whole_count;
	memory->whole_count = (memory->whole_count + 1) % WP_MESH_WHOLES;
	wp_mesh_whole *const whole = &memory->whole[w.whole];
	*whole = (wp_mesh_whole){.row = row->row,
		.turn = wp_dq_of_rotation(b->rotation),
		.reach = wp_compound_reach_of_box(compound->lower, compound->upper)};
	wp_compound_count_from_a(&w.a, &w.b, w.position);
	whole->origin = wp_dq_turn_back(whole->turn, wp_d3_negate(wp_d3_at(w.b.position)));
	memcpy(whole->position, w.position, sizeof whole->position);
	run_children(&w, false);
	if (w.rounds == 0)
		return true;
	wp_mesh_run_ring(call);
	run_children(&w, true);
	wp_mesh_write_whole(call, whole);
	return true;
}

bool wp_compound_read_mesh_row(const wp_mesh_call *call, const wp_compound *const *compounds, uint64_t count,
	uint32_t number, wp_compound_mesh_row *read)
{
	*read = (wp_compound_mesh_row){.row.row = number};
	const wp_side *const a = &read->a;
	read->invalid = wp_mesh_read_sides(call, number, &read->a, &read->b, &read->row);
	if (!a->has_body)
		return false;
	const uint32_t shape = wp_shape_of_body(&call->call.a, a->body, a->body * call->call.a.shape.stride);
	if (shape < WP_COMPOUND)
		return false;
	read->compound = wp_compound_at(compounds, count, shape - WP_COMPOUND);
	read->invalid &= ~(uint32_t)WP_STATUS_INVALID_SHAPE_A;
	read->invalid |= read->compound == NULL ? WP_STATUS_INVALID_SHAPE_A : 0;
	return true;
}

static void run_row(const wp_mesh_call *call, uint32_t number)
{
	const wp_mesh_frame *const frame = call->frame;
	wp_compound_mesh_row r;
	if (!wp_compound_read_mesh_row(call, frame->compounds, frame->compound_count, number, &r))
		wp_mesh_run_row(call, number);
	else if (r.invalid == 0)
		(void)wp_compound_run_mesh_row(call, r.compound, &r.a, &r.b, &r.row);
	else
		wp_mesh_write_invalid(call, number, r.invalid | WP_STATUS_INVALID);
}

wp_error wp_compound_name_children(wp_mesh_frame *frame, const wp_uint32_column *children, uint32_t patch_max)
{
	const size_t size = (size_t)patch_max * WP_MESH_POINT_MAX * sizeof *children->data;
	if (children == NULL)
		return WP_OK;
	if (WP_IS_SHORT(*children, size))
		return WP_ERROR_PATCHES_STRIDE;
	frame->children = (wp_uint32_column){children->data, wp_or_packed(children->stride, size)};
	return WP_OK;
}

wp_error wp_compound_mesh_contact_in(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_compound *const *compounds, size_t compound_count, const wp_mesh_options *options,
	const wp_mesh_results *results, const wp_uint32_column *children, wp_mesh_statistics *statistics, uint32_t capacity)
{
	wp_mesh_frame frame = {.run_row = run_row, .compounds = compounds, .compound_count = compound_count};
	if (compounds == NULL && compound_count != 0)
		return WP_ERROR_NULL_COMPOUNDS;
	const uint32_t patch_max = results != NULL ? wp_mesh_patch_max(results->patch_max) : 0;
	const wp_error error = wp_compound_name_children(&frame, children, patch_max);
	return error == WP_OK ? wp_mesh_run_call(workspace, batch, options, results, statistics, capacity, &frame) : error;
}

wp_error wp_compound_mesh_contact(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_compound *const *compounds, size_t compound_count, const wp_mesh_options *options,
	const wp_mesh_results *results, const wp_uint32_column *children, wp_mesh_statistics *statistics)
{
	return wp_compound_mesh_contact_in(
		workspace, batch, compounds, compound_count, options, results, children, statistics, WP_MESH_RING);
}
