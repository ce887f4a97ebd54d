/* A shape made ready: its core split from its radius, reduced to the core kinds that kernels
 * have. A point, a sphere and a capsule are segments along Y, of no length or some; a segment between two
 * points and a triangle are hulls; a cylinder, a cone and an ellipsoid are the forms of a smooth core. */
#ifndef WP_SHAPE_SHAPE_H
#define WP_SHAPE_SHAPE_H

#include "core/checksum.h"
#include "core/length.h"
#include "shape/core.h"
#include "widephase/shape.h"

struct wp_shape_table {
	_Alignas(WP_ALIGNMENT) uint64_t magic; /* pads the table: the cores follow it aligned */
	uint64_t count;
	union { /* [count] */
		const wp_core *cores;
		const struct wp2d_core *cores_2d; /* of a wp2d_shape_table */
	};
	/* [count] of each index a number that no other shape ever had in this table; NULL while no shape was replaced or removed:
	 * then each index is its own. Not in 2D, where nothing is kept of shapes. */
	const uint32_t *serials;
	uint32_t next_serial;
	uint32_t vertex_max; /* of a 2D table whose shapes may be set: most vertices of each; else 0 */
};

#define WP_SHAPE_TABLE_MAGIC 0x77705f7461626c65u

/* Vertices of a segment or triangle core, stored beside the core. */
#define WP_SMALL_CORE_FLOATS (3 * WP_WIDTH_MAX)

/* Core of one shape. `small` holds WP_SMALL_CORE_FLOATS floats, WP_ALIGNMENT-aligned, which the core
 * points at where the shape is a segment or triangle. NULL where the shape is valid, otherwise a
 * sentence naming the field at fault, and the core's kind is WP_CORE_INVALID. `find` is as in wp_hull_is_intact. */
const char *wp_core_of_shape(const wp_shape *shape, wp_core *core, float *small, wp_find_checksum *find);

/* The same for a triangle without a radius, in the environment of a call; its bound may be one float higher. */
void wp_core_of_triangle(const float corner[3][3], wp_core *core, float *small);

/* The closed form of rays that a shape has for a point, or for a ball with a radius; WP_RAY_KIND_COUNT if it has none. Spheres and
 * capsules have none for a point without a radius, and cones, ellipsoids and hulls none where there is one, or where they are
 * flat. */
wp_ray_kind wp_ray_kind_of(const wp_core *core, bool is_ball);

/* Let a core keep both, as those of tables do: casts look nowhere else. */
void wp_core_keep_rays(wp_core *core);

/* Let a core keep what those of tables do: its rays, the ball that it holds, and whether planes bound it. */
void wp_core_keep_facts(wp_core *core);

/* What can be wrong with one number of a shape. */
typedef struct wp_number_faults {
	const char *not_finite;
	const char *negative;
	const char *beyond;
} wp_number_faults;

#define WP_NUMBER_FAULTS(field)                                                            \
	{                                                                                      \
		field " is not finite", field " is negative", field " is beyond WP_COORDINATE_MAX" \
	}

WP_INLINE_LARGE const char *wp_fault_of_coordinate(float value, const wp_number_faults *faults)
{
	if (!wp_is_finite_float(value))
		return faults->not_finite;
	return wp_is_coordinate(value) ? NULL : faults->beyond;
}

/* Checks a length and stores it, with +0 for -0. */
WP_INLINE_LARGE const char *wp_take_length(float value, const wp_number_faults *faults, float *length)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	if (bits <= wp_magnitude_bits(WP_COORDINATE_MAX)) {
		*length = value;
		return NULL;
	}
	if (wp_is_finite_float(value) && wp_is_negative(value))
		return faults->negative;
	*length = wp_magnitude(value);
	return wp_fault_of_coordinate(value, faults);
}

/* Whether a table of shapes can be made in this memory: `table_size` is what it takes, 0 and SIZE_MAX being none. */
wp_error wp_check_table_memory(const void *memory, size_t memory_size, size_t table_size);

/* Whether a table with this magic can be changed at this index. */
wp_error wp_check_table_index(const wp_shape_table *table, uint64_t magic, size_t index);

/* Put a valid shape of the table's dimension in the place of what the table has there. NULL, or what is wrong with it. */
typedef const char *wp_put_shape(wp_shape_table *table, size_t index, const void *shape);

/* The call that sets a shape of a table with this magic. */
wp_error wp_set_in_table(
	wp_shape_table *table, uint64_t magic, size_t index, const void *shape, wp_put_shape *put, const char **reason);

/* Count an invalid shape of a table; the first one is named. */
void wp_report_fault(size_t index, const char *fault, wp_shape_report *report);

/* What a point of a support function may be beyond its bound, relative to that. */
#define WP_CUSTOM_ROUNDING 1e-9

/* Farthest point of a custom core, in its frame; any point along the zero direction. False, and the origin, where the
 * function gives none, or one beyond its bound. */
bool wp_custom_point(const wp_core *core, const double direction[3], double point[3]);

#endif
