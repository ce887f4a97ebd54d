/* Height fields in caller memory: checked, and read triangle by triangle. */
#include "mesh/height.h"
#include "core/environment.h"
#include "mesh/mesh.h"

/* Magnitude of an integer sample. */
#define SAMPLE_MAX 32768.0

static bool is_spacing(const wp_height_field *field, int axis, uint32_t count)
{
	const float spacing = field->spacing[axis];
	return wp_magnitude_bits(spacing) != 0 && !wp_is_negative(spacing) &&
	       wp_height_place(field, axis, count - 1) <= (double)WP_COORDINATE_MAX;
}

static bool is_scale(const wp_height_field *field)
{
	return wp_magnitude_bits(field->scale) != 0 &&
	       (double)wp_magnitude(field->offset) + SAMPLE_MAX * (double)wp_magnitude(field->scale) <=
	           (double)WP_COORDINATE_MAX;
}

wp_error wp_height_check_numbers(const wp_height_field *field)
{
	if (field->samples == NULL)
		return WP_ERROR_NULL_HEIGHT_SAMPLES;
	if (field->columns < 2 || field->rows < 2 ||
		(uint64_t)(field->columns - 1) * (field->rows - 1) > WP_HEIGHT_CELL_MAX)
		return WP_ERROR_HEIGHT_COUNT;
	if (field->format >= WP_HEIGHT_FORMAT_COUNT || (field->flags & ~(uint32_t)WP_HEIGHT_OTHER_DIAGONAL) != 0)
		return WP_ERROR_HEIGHT_FORMAT;
	if (field->row_stride != 0 && field->row_stride < field->columns * wp_height_sample_size(field))
		return WP_ERROR_HEIGHT_STRIDE;
	if (!is_spacing(field, 0, field->columns) || !is_spacing(field, 1, field->rows))
		return WP_ERROR_HEIGHT_SPACING;
	return field->format == WP_HEIGHT_INT16 && !is_scale(field) ? WP_ERROR_HEIGHT_SCALE : WP_OK;
}

/* Whether each float is a height or a hole. Integers always are. */
static bool are_samples(const wp_height_field *field)
{
	const uint32_t hole = wp_magnitude_bits(WP_HEIGHT_HOLE);
	bool fine = true;
	for (uint32_t row = 0; row < field->rows && field->format == WP_HEIGHT_FLOAT; row++) {
		const char *const samples = wp_height_row(field, row);
		for (uint32_t column = 0; column < field->columns; column++) {
			const float height = wp_height_in_row(field, samples, column);
			const bool is_hole = wp_magnitude_bits(height) == hole && !wp_is_negative(height);
			fine &= is_hole || wp_is_height(height);
		}
	}
	return fine;
}

wp_error wp_height_field_check(const wp_height_field *field)
{
	if (field == NULL)
		return WP_ERROR_NULL_HEIGHT_FIELD;
	const wp_environment before = wp_environment_enter();
	wp_error error = wp_height_check_numbers(field);
	if (error == WP_OK && !are_samples(field))
		error = WP_ERROR_HEIGHT_SAMPLE;
	wp_environment_leave(before);
	return error;
}

size_t wp_height_field_triangle_count(const wp_height_field *field)
{
	return 2 * ((size_t)field->columns - 1) * ((size_t)field->rows - 1);
}

/* Corners of a triangle; false in a hole. */
static bool corners_of(const wp_height_field *field, size_t index, wp_d3 corner[3])
{
	const wp_height_view view = wp_height_view_of(field);
	const wp_height_triangle t = wp_height_triangle_of(&view, (uint32_t)index);
	bool has = true;
	for (uint32_t i = 0; i < 3; i++)
		has &= wp_height_read_corner(&view, t, i, &corner[i]);
	return has;
}

int wp_height_field_triangle(const wp_height_field *field, size_t index, float corners[3][3])
{
	WP_ASSERT(index < wp_height_field_triangle_count(field));
	const wp_environment before = wp_environment_enter();
	wp_d3 corner[3];
	const bool has = corners_of(field, index, corner);
	for (int i = 0; i < 3; i++)
		wp_d3_put_floats(has ? corner[i] : wp_d3_zero(), corners[i]);
	wp_environment_leave(before);
	return has;
}

void wp_height_field_normal(const wp_height_field *field, size_t index, float normal[3])
{
	WP_ASSERT(index < wp_height_field_triangle_count(field));
	const wp_environment before = wp_environment_enter();
	wp_d3 corner[3], area = {0, 0, 0};
	const bool has = corners_of(field, index, corner);
	if (has)
		(void)wp_normal_of_corners(corner[0], corner[1], corner[2], &area);
	wp_d3_put_floats(has ? wp_d3_unit(area) : area, normal);
	wp_environment_leave(before);
}
