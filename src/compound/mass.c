/* Mass of compounds: their children, added one after the other. */
#include "batch/call.h"
#include "batch/read.h"
#include "compound/compound.h"
#include "core/environment.h"
#include "shape/mass.h"

/* Turn the mass of a child into the frame of its compound, and give it a density. */
static void place_mass(const wp_compound_child *child, double density, wp_mass *mass)
{
	const wp_d33 axes = wp_d33_of_rotation(child->rotation);
	wp_d3 turned[3];
	for (int i = 0; i < 3; i++)
		turned[i] = wp_d33_turn(&axes, wp_d3_at(mass->inertia[i]));
	/* The tensor is symmetric: its rows turned are the columns of the turned one, before its rows are. */
	for (int k = 0; k < 3; k++) {
		const wp_d3 axis = axes.row[k];
		const wp_d3 row = wp_d3_add(
			wp_d3_add(wp_d3_scale(turned[0], axis.x), wp_d3_scale(turned[1], axis.y)), wp_d3_scale(turned[2], axis.z));
		wp_d3_put(wp_d3_scale(row, density), mass->inertia[k]);
	}
	for (int i = 0; i < 3; i++)
		for (int k = i + 1; k < 3; k++)
			mass->inertia[k][i] = mass->inertia[i][k];
	wp_d3_put(
		wp_d3_add(wp_d3_of_floats(child->position), wp_d33_turn(&axes, wp_d3_at(mass->centroid))), mass->centroid);
	mass->volume *= density;
}

/* Add a solid to others: the inertia about the centroid of all is both solids' about their own, and the one of both masses on the
 * way between their centroids. */
static void add_mass(wp_mass *sum, const wp_mass *part)
{
	const double whole = sum->volume + part->volume, share = part->volume / whole, reduced = share * sum->volume;
	double way[3], squared = 0;
	for (int k = 0; k < 3; k++) {
		way[k] = sum->volume > 0 ? part->centroid[k] - sum->centroid[k] : 0;
		squared += way[k] * way[k];
		sum->centroid[k] = sum->volume > 0 ? sum->centroid[k] + share * way[k] : part->centroid[k];
	}
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			sum->inertia[i][k] += part->inertia[i][k] + reduced * ((i == k ? squared : 0.0) - way[i] * way[k]);
	sum->volume = whole;
}

static bool is_density(float density) { return wp_is_length(density) && density < WP_INFINITY; }

/* Add child `index`, if it has a mass. */
static wp_error add_child(const wp_compound_view *view, const wp_shape_table *shapes,
	const wp_const_float_column *density, size_t index, wp_mass *sum)
{
	const wp_compound_child *const child = &wp_compound_part_at(view, index)->child;
	float told = 1;
	if (density != NULL && density->data != NULL)
		memcpy(&told, wp_offset(density->data, index * wp_or_packed(density->stride, sizeof told)), sizeof told);
	if (!is_density(told))
		return WP_ERROR_DENSITY;
	const wp_core *const core = wp_core_of_table(shapes, child->shape);
	if (told == 0.0f)
		return WP_OK;
	if (core == NULL || core->kind == WP_CORE_HALF_SPACE)
		return WP_ERROR_COMPOUND_SHAPE;
	wp_mass mass;
	const wp_error error = wp_mass_of_core(core, &mass);
	if (error == WP_OK) {
		place_mass(child, (double)told, &mass);
		add_mass(sum, &mass);
	}
	return error == WP_ERROR_SHAPE_VOLUME ? WP_OK : error;
}

static wp_error add_children(const wp_compound *compound, const wp_shape_table *shapes,
	const wp_const_float_column *density, wp_mass *sum, size_t *bad_child)
{
	const wp_compound_view view = wp_compound_view_of(compound);
	for (size_t i = 0; i < compound->child_count; i++) {
		const wp_error error = add_child(&view, shapes, density, i, sum);
		if (error == WP_OK)
			continue;
		if (bad_child != NULL)
			*bad_child = i;
		return error;
	}
	return sum->volume > 0 ? WP_OK : WP_ERROR_SHAPE_VOLUME;
}

wp_error wp_compound_mass(const wp_compound *compound, const wp_shape_table *shapes,
	const wp_const_float_column *density, wp_mass *mass, size_t *bad_child)
{
	if (mass == NULL)
		return WP_ERROR_NULL_MASS;
	memset(mass, 0, sizeof *mass);
	if (compound == NULL)
		return WP_ERROR_NULL_COMPOUND;
	if (shapes == NULL)
		return WP_ERROR_NULL_SHAPES;
	if (!wp_is_table(shapes, WP_3D))
		return WP_ERROR_SHAPE_TABLE_INVALID;
	if (density != NULL && WP_IS_SHORT(*density, sizeof(float)))
		return WP_ERROR_DENSITY_STRIDE;
	const wp_environment before = wp_environment_enter();
	wp_mass sum = {.volume = 0};
	const wp_error error = add_children(compound, shapes, density, &sum, bad_child);
	if (error == WP_OK)
		*mass = sum;
	wp_environment_leave(before);
	return error;
}
