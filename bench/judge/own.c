/* This library as a plug-in. The mode is the name of a variant (by default the fastest), or "reference". */
#include "narrowphase.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <widephase/widephase.h>

typedef struct opened_library {
	wp_batch batch;
	wp_workspace *workspace; /* NULL: the reference answers */
	void *workspace_memory, *table_memory;
	void **hulls;
	wp_shape *shapes;
	size_t shape_count;
	float max_separation;
	wp_row *rows;
	wp_reference_row *reference_rows;
} opened_library;

void narrowphase_close(void *opened)
{
	opened_library *on = opened;
	for (size_t index = 0; on->hulls && index < on->shape_count; index++)
		free(on->hulls[index]);
	free(on->hulls);
	free(on->shapes);
	free(on->workspace_memory);
	free(on->table_memory);
	free(on->rows);
	free(on->reference_rows);
	free(on);
}

static void *aligned(size_t size)
{
	return aligned_alloc(WP_ALIGNMENT, (size + WP_ALIGNMENT - 1) / WP_ALIGNMENT * WP_ALIGNMENT);
}

/* The shape of a hull, in *memory. */
static wp_shape hull_of(const narrowphase_input *input, const narrowphase_shape *from, void **memory)
{
	const wp_hull_input described = {
		.vertices = {&input->vertices[from->first_vertex][0], 0}, .vertex_count = from->vertex_count};
	const size_t size = wp_hull_size(from->vertex_count, 0, 0);
	const wp_hull *hull = NULL;
	*memory = size > 0 ? aligned(size) : NULL;
	if (*memory && wp_hull_build(&described, *memory, size, &hull, NULL) != WP_OK)
		hull = NULL;
	return wp_shape_hull(hull);
}

static wp_shape shape_of(const narrowphase_input *input, const narrowphase_shape *from, void **memory)
{
	const float *param = from->param;
	switch (from->kind) {
	case NARROWPHASE_SPHERE:
		return wp_shape_sphere(param[0]);
	case NARROWPHASE_CAPSULE:
		return wp_shape_capsule(param[0], param[1]);
	case NARROWPHASE_BOX:
		return wp_shape_box(param[0], param[1], param[2]);
	case NARROWPHASE_HULL:
		return hull_of(input, from, memory);
	case NARROWPHASE_CYLINDER:
		return wp_shape_cylinder(param[0], param[1]);
	case NARROWPHASE_CONE:
		return wp_shape_cone(param[0], param[1]);
	case NARROWPHASE_ELLIPSOID:
		return wp_shape_ellipsoid(param[0], param[1], param[2]);
	default:
		return (wp_shape){.kind = WP_SHAPE_KIND_COUNT};
	}
}

static bool make_table(opened_library *on, const narrowphase_input *input)
{
	const size_t size = wp_shape_table_size(input->shape_count);
	wp_shape_report report;
	on->table_memory = aligned(size);
	if (!on->hulls || !on->shapes || !on->table_memory)
		return false;
	for (uint32_t index = 0; index < input->shape_count; index++) {
		const narrowphase_shape *from = &input->shapes[index];
		on->shapes[index] = shape_of(input, from, &on->hulls[index]);
		if (from->kind != NARROWPHASE_SPHERE && from->kind != NARROWPHASE_CAPSULE)
			on->shapes[index].radius = from->param[3];
	}
	return wp_shape_table_build(on->shapes, input->shape_count, on->table_memory, size, &on->batch.shapes, &report) ==
	           WP_OK &&
	       report.invalid_count == 0;
}

static bool make_workspace(opened_library *on, const char *mode)
{
	wp_variant variant = WP_VARIANT_AUTO;
	if (strcmp(mode, "reference") == 0)
		return true;
	if (*mode != '\0' && wp_variant_from_name(mode, &variant) != WP_OK)
		return false;
	on->workspace_memory = aligned(WP_WORKSPACE_SIZE);
	return on->workspace_memory &&
	       wp_workspace_init(on->workspace_memory, WP_WORKSPACE_SIZE, variant, &on->workspace) == WP_OK;
}

/* Body i is the A or the B of pair i, where the pair has it. */
static void describe_pairs(wp_batch *batch, const narrowphase_pair *pairs, size_t count)
{
	const size_t stride = sizeof *pairs;
	batch->count = batch->a.count = batch->b.count = count;
	batch->a.position.data = pairs->position_a;
	batch->a.rotation.data = pairs->rotation_a;
	batch->a.shape.data = &pairs->a;
	batch->b.position.data = pairs->position_b;
	batch->b.rotation.data = pairs->rotation_b;
	batch->b.shape.data = &pairs->b;
	batch->a.position.stride = batch->a.rotation.stride = batch->a.shape.stride = stride;
	batch->b.position.stride = batch->b.rotation.stride = batch->b.shape.stride = stride;
}

void *narrowphase_open(const narrowphase_input *input)
{
	opened_library *on = calloc(1, sizeof *on);
	if (!on)
		return NULL;
	on->shape_count = input->shape_count;
	on->max_separation = (float)input->max_separation;
	on->hulls = calloc(input->shape_count + 1, sizeof *on->hulls);
	on->shapes = calloc(input->shape_count + 1, sizeof *on->shapes);
	on->rows = calloc(input->pair_count + 1, sizeof *on->rows);
	on->reference_rows = calloc(input->pair_count + 1, sizeof *on->reference_rows);
	if (!on->rows || !on->reference_rows || !make_table(on, input) || !make_workspace(on, input->mode)) {
		narrowphase_close(on);
		return NULL;
	}
	if (input->pair_count > 0)
		describe_pairs(&on->batch, input->pairs, input->pair_count);
	return on;
}

static uint32_t answer_of(uint32_t status)
{
	if (status & WP_STATUS_INVALID)
		return NARROWPHASE_NONE;
	return status & WP_STATUS_BEYOND ? NARROWPHASE_APART : NARROWPHASE_SEPARATION;
}

static void query_reference(opened_library *on, narrowphase_row *rows)
{
	const wp_error error = wp_reference_contact(&on->batch, on->shapes, on->shape_count, on->reference_rows);
	for (size_t row = 0; row < on->batch.count; row++) {
		const wp_reference_row *from = &on->reference_rows[row];
		rows[row].separation = from->separation;
		memcpy(rows[row].normal, from->normal, sizeof from->normal);
		memcpy(rows[row].point_a, from->point_a, sizeof from->point_a);
		memcpy(rows[row].point_b, from->point_b, sizeof from->point_b);
		rows[row].answer = error == WP_OK ? answer_of(from->status) : NARROWPHASE_NONE;
	}
}

void narrowphase_query(void *opened, narrowphase_row *rows)
{
	opened_library *on = opened;
	if (!on->workspace) {
		query_reference(on, rows);
		return;
	}
	const wp_results results = wp_results_of_rows(on->rows);
	const wp_contact_options options = {.max_separation = on->max_separation};
	const wp_error error = wp_contact(on->workspace, &on->batch, &options, &results, NULL);
	for (size_t row = 0; row < on->batch.count; row++) {
		const wp_row *from = &on->rows[row];
		rows[row].separation = from->separation;
		for (int axis = 0; axis < 3; axis++) {
			rows[row].normal[axis] = from->normal[axis];
			rows[row].point_a[axis] = from->point_a[axis];
			rows[row].point_b[axis] = from->point_b[axis];
		}
		rows[row].answer = error == WP_OK ? answer_of(from->status) : NARROWPHASE_NONE;
	}
}
