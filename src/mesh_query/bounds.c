/* Boxes of bodies with meshes or height fields: down the tree of a mesh, past nodes that the corners found so far reach beyond;
 * of a field by all of its samples. */
#include "core/environment.h"
#include "mesh_query/internal.h"
#include "motion/bounds.h"

static void hold_leaf(wp_extent *extent, const wp_d33 *axes, const wp_mesh_view *view, uint32_t leaf)
{
	const uint32_t first = wp_child_index(leaf), end = first + wp_child_count(leaf);
	for (uint32_t triangle = first; triangle < end; triangle++)
		for (int corner = 0; corner < 3; corner++) {
			const uint32_t vertex = wp_row_corner(&view->triangles[triangle], corner);
			wp_extent_hold_place(extent, axes, wp_d3_of_floats(view->vertices[vertex]));
		}
}

/* Let the extent hold the leaf that its boxes let reach farthest along a direction. */
static void hold_farthest(wp_extent *extent, const wp_d33 *axes, const wp_mesh_view *view, wp_d3 direction)
{
	uint32_t child = 0;
	while (!wp_child_is_leaf(child)) {
		const wp_mesh_node *const node = &view->nodes[wp_child_index(child)];
		double most = -(double)WP_INFINITY;
		for (uint32_t i = 0; i < node->count; i++) {
			double lower[3], upper[3];
			wp_mesh_query_box_of_child(node, i, lower, upper);
			const wp_d3 corner = wp_d3_of(direction.x > 0 ? upper[0] : lower[0], direction.y > 0 ? upper[1] : lower[1],
				direction.z > 0 ? upper[2] : lower[2]);
			const double reach = wp_d3_dot(direction, corner);
			child = reach > most ? node->child[i] : child;
			most = reach > most ? reach : most;
		}
	}
	hold_leaf(extent, axes, view, child);
}

static double extend_over_mesh(wp_extent *extent, const wp_d33 *axes, const wp_mesh *mesh)
{
	const wp_mesh_view view = wp_mesh_view_of(mesh);
	uint32_t waiting[WP_NODE_WIDTH * WP_MESH_DEPTH_MAX], count = 0;
	/* Most boxes are in what these hold. */
	for (int k = 0; k < 3; k++) {
		hold_farthest(extent, axes, &view, axes->row[k]);
		hold_farthest(extent, axes, &view, wp_d3_negate(axes->row[k]));
	}
	waiting[count++] = 0;
	while (count != 0) {
		const wp_mesh_node *const node = &view.nodes[waiting[--count]];
		for (uint32_t i = 0; i < node->count; i++) {
			double lower[3], upper[3];
			wp_mesh_query_box_of_child(node, i, lower, upper);
			if (wp_extent_holds_box(extent, axes, wp_d3_at(lower), wp_d3_at(upper), 0))
				continue;
			if (wp_child_is_leaf(node->child[i]))
				hold_leaf(extent, axes, &view, node->child[i]);
			else
				waiting[count++] = wp_child_index(node->child[i]);
		}
	}
	double size = 0;
	for (int k = 0; k < 3; k++)
		size += wp_abs((double)mesh->lower[k]) + wp_abs((double)mesh->upper[k]);
	return size;
}

static double extend_over_field(wp_extent *extent, const wp_d33 *axes, const wp_height_field *field)
{
	double highest = 0;
	for (uint32_t row = 0; row < field->rows; row++) {
		const char *const samples = wp_height_row(field, row);
		for (uint32_t column = 0; column < field->columns; column++) {
			const float height = wp_height_in_row(field, samples, column);
			if (!wp_is_height(height))
				continue;
			const double up = wp_abs((double)height);
			highest = up > highest ? up : highest;
			wp_extent_hold_place(extent, axes,
				wp_d3_of(wp_height_place(field, 0, column), (double)height, wp_height_place(field, 1, row)));
		}
	}
	return highest + (wp_height_place(field, 0, field->columns) + wp_height_place(field, 1, field->rows));
}

static void put_body(const wp_bounds_rows *rows, const wp_mesh_call *call, size_t index)
{
	const wp_bodies *const bodies = &call->call.b;
	wp_side side = {.body = (uint32_t)index, .has_body = true};
	wp_mesh_row found = {.mesh = NULL};
	wp_extent extent = wp_extent_of_nothing();
	double size = 0;
	if (wp_mesh_find_surface(call, side.body, &found) &&
		wp_read_position(bodies, index, WP_3D, bodies->position_real, side.position) &&
		wp_read_rotation(bodies, index, WP_3D, side.rotation)) {
		const wp_d33 axes = wp_d33_of_rotation(side.rotation);
		size = found.field != NULL ? extend_over_field(&extent, &axes, found.field)
		                           : extend_over_mesh(&extent, &axes, found.mesh);
	}
	/* A field may be one hole. */
	if (extent.high[0] >= -extent.low[0])
		wp_bounds_put(rows, index, side.position, &extent, 0, size);
	else
		wp_bounds_put_none(rows, index);
}

wp_error wp_mesh_bodies_bounds(const wp_mesh_batch *batch, const wp_contact_options *options, const wp_bounds *bounds)
{
	const wp_request request = wp_request_of_contact(WP_3D, options);
	if (batch == NULL)
		return WP_ERROR_NULL_BATCH;
	const wp_batch plain = {.b = batch->b, .first = batch->first, .count = batch->count};
	wp_error error = wp_check_bodies_of_b(&plain, &request);
	if (error == WP_OK)
		error = wp_bounds_check(bounds, batch->first, batch->count, batch->b.count);
	if (error != WP_OK || batch->count == 0)
		return error;
	if (batch->meshes == NULL && batch->mesh_count != 0)
		return WP_ERROR_NULL_MESHES;
	if (batch->height_fields == NULL && batch->height_field_count != 0)
		return WP_ERROR_NULL_HEIGHT_FIELDS;
	const wp_environment before = wp_environment_enter();
	const wp_mesh_call call = {.call.b = wp_bodies_with_strides(&batch->b, WP_3D),
		.meshes = batch->meshes,
		.fields = batch->height_fields,
		.mesh_count = batch->mesh_count,
		.field_count = batch->height_field_count};
	const wp_bounds_rows rows = wp_bounds_rows_of(bounds, request.max_separation);
	for (size_t body = batch->first; body < batch->first + batch->count; body++)
		put_body(&rows, &call, body);
	wp_environment_leave(before);
	return WP_OK;
}
