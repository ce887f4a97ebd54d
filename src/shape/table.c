/* Tables of shapes in caller memory: built, changed, read. */
#include "core/environment.h"
#include "shape/shape.h"

_Static_assert(sizeof(wp_shape_table) == WP_ALIGNMENT, "the cores follow the header aligned");

/* Bytes of one shape: its core, and room for the vertices of a small one; besides, it has a serial number. */
#define SHAPE_BYTES (sizeof(wp_core) + WP_SMALL_CORE_FLOATS * sizeof(float))

size_t wp_shape_table_size(size_t count)
{
	if (count > (SIZE_MAX - sizeof(wp_shape_table) - WP_ALIGNMENT) / (SHAPE_BYTES + sizeof(uint32_t)))
		return SIZE_MAX;
	return sizeof(wp_shape_table) + count * SHAPE_BYTES + wp_round_up(count * sizeof(uint32_t), WP_ALIGNMENT);
}

/* The columns of a table, one behind the other: cores, vertices of small cores, serial numbers. */
static wp_core *cores_of(wp_shape_table *table) { return (wp_core *)(table + 1); }

static float *small_cores_of(wp_shape_table *table) { return (float *)(cores_of(table) + table->count); }

static uint32_t *serials_of(wp_shape_table *table)
{
	return (uint32_t *)(small_cores_of(table) + table->count * WP_SMALL_CORE_FLOATS);
}

wp_error wp_check_table_memory(const void *memory, size_t memory_size, size_t table_size)
{
	const bool is_size = table_size != 0 && table_size != SIZE_MAX;
	return memory == NULL                       ? WP_ERROR_NULL_MEMORY
	     : !wp_is_aligned(memory, WP_ALIGNMENT) ? WP_ERROR_MEMORY_MISALIGNED
	     : !is_size || memory_size < table_size ? WP_ERROR_MEMORY_TOO_SMALL
	                                            : WP_OK;
}

wp_error wp_check_table_index(const wp_shape_table *table, uint64_t magic, size_t index)
{
	return table == NULL                                                ? WP_ERROR_NULL_TABLE
	     : !wp_is_aligned(table, WP_ALIGNMENT) || table->magic != magic ? WP_ERROR_SHAPE_TABLE_INVALID
	     : index >= table->count                                        ? WP_ERROR_SHAPE_INDEX
	                                                                    : WP_OK;
}

wp_error wp_set_in_table(
	wp_shape_table *table, uint64_t magic, size_t index, const void *shape, wp_put_shape *put, const char **reason)
{
	const char *fault = NULL;
	wp_error error = wp_check_table_index(table, magic, index);
	if (error == WP_OK && shape == NULL)
		error = WP_ERROR_NULL_SHAPE;
	if (error == WP_OK) {
		const wp_environment before = wp_environment_enter();
		fault = put(table, index, shape);
		wp_environment_leave(before);
		error = fault == NULL ? WP_OK : WP_ERROR_SHAPE;
	}
	if (reason != NULL)
		*reason = fault;
	return error;
}

void wp_report_fault(size_t index, const char *fault, wp_shape_report *report)
{
	if (report->invalid_count++ == 0) {
		report->first_invalid = index;
		report->reason = fault;
	}
}

/* A table without shapes, in memory of that size that passes the check. */
static wp_shape_table *make_table(void *memory, size_t size, size_t count)
{
	wp_shape_table *const table = memory;
	memset(memory, 0, size);
	*table = (wp_shape_table){
		.magic = WP_SHAPE_TABLE_MAGIC, .count = count, .cores = cores_of(table), .next_serial = (uint32_t)count};
	for (size_t i = 0; i < count; i++) {
		cores_of(table)[i].kind = WP_CORE_INVALID;
		serials_of(table)[i] = (uint32_t)i;
	}
	return table;
}

/* No shape has this index any more: the next one gets another serial number. */
static void drop_shape(wp_shape_table *table, size_t index)
{
	wp_core *const core = &cores_of(table)[index];
	if (core->kind == WP_CORE_INVALID)
		return;
	*core = (wp_core){.kind = WP_CORE_INVALID};
	serials_of(table)[index] = table->next_serial++;
	table->serials = serials_of(table);
}

/* Put a valid shape in the place of what the table has there. NULL, or what is wrong with it. */
static const char *put_shape(wp_shape_table *table, size_t index, const void *shape)
{
	_Alignas(WP_ALIGNMENT) float small[WP_SMALL_CORE_FLOATS];
	wp_core core;
	const char *const fault = wp_core_of_shape(shape, &core, small, NULL);
	if (fault != NULL)
		return fault;
	wp_core_keep_facts(&core);
	if (core.vertices == small)
		core.vertices = memcpy(small_cores_of(table) + index * WP_SMALL_CORE_FLOATS, small, sizeof small);
	drop_shape(table, index);
	cores_of(table)[index] = core;
	return NULL;
}

wp_error wp_shape_table_init(void *memory, size_t memory_size, size_t count, wp_shape_table **table)
{
	if (table == NULL)
		return WP_ERROR_NULL_TABLE;
	*table = NULL;
	const size_t size = wp_shape_table_size(count);
	const wp_error error = wp_check_table_memory(memory, memory_size, size);
	if (error == WP_OK)
		*table = make_table(memory, size, count);
	return error;
}

wp_error wp_shape_table_set(wp_shape_table *table, size_t index, const wp_shape *shape, const char **reason)
{
	return wp_set_in_table(table, WP_SHAPE_TABLE_MAGIC, index, shape, put_shape, reason);
}

wp_error wp_shape_table_remove(wp_shape_table *table, size_t index)
{
	const wp_error error = wp_check_table_index(table, WP_SHAPE_TABLE_MAGIC, index);
	if (error == WP_OK)
		drop_shape(table, index);
	return error;
}

wp_error wp_shape_table_build(const wp_shape *shapes, size_t count, void *memory, size_t memory_size,
	const wp_shape_table **table, wp_shape_report *report)
{
	wp_shape_report found = {0, 0, NULL};
	if (report != NULL)
		*report = found;
	if (table == NULL)
		return WP_ERROR_NULL_TABLE;
	*table = NULL;
	if (shapes == NULL && count != 0)
		return WP_ERROR_NULL_SHAPES;
	const size_t size = wp_shape_table_size(count);
	const wp_error error = wp_check_table_memory(memory, memory_size, size);
	if (error != WP_OK)
		return error;

	wp_shape_table *const made = make_table(memory, size, count);
	const wp_environment before = wp_environment_enter();
	for (size_t i = 0; i < count; i++) {
		const char *const fault = put_shape(made, i, &shapes[i]);
		if (fault != NULL)
			wp_report_fault(i, fault, &found);
	}
	wp_environment_leave(before);
	if (report != NULL)
		*report = found;
	*table = made;
	return WP_OK;
}

size_t wp_shape_table_count(const wp_shape_table *table) { return (size_t)table->count; }

float wp_shape_table_bound(const wp_shape_table *table, size_t index)
{
	if (index >= table->count || table->cores[index].kind == WP_CORE_INVALID)
		return 0.0f;
	if (table->cores[index].kind == WP_CORE_HALF_SPACE)
		return WP_INFINITY;
	const wp_environment before = wp_environment_enter();
	const float bound = wp_sum_up(table->cores[index].bound, table->cores[index].radius);
	wp_environment_leave(before);
	return bound;
}
