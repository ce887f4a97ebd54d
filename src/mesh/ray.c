/* The first triangle of a mesh on a straight way. */
#include "mesh/ray.h"
#include "core/environment.h"
#include "mesh/way.h"

/* Of the distance in fractions of the way, by how much a box is made larger: three roundings of half a unit in the last
 * place each, and what rounds a fraction to float. */
#define SLAB_SLACK 0x1p-21

/* A box in fractions of the way beyond this: the box of the way decides there. */
#define FRACTION_MAX 0x1p100

typedef struct waiting {
	float near; /* no triangle below is met before */
	uint32_t child;
} waiting;

typedef struct ray {
	wp_mesh_view view;
	wp_way way;
	waiting stack[WP_NODE_WIDTH * WP_MESH_DEPTH_MAX]; /* the next one last */
	uint32_t stack_count;
} ray;

static void meet_triangle(ray *r, uint32_t triangle)
{
	const wp_mesh_triangle_row *const row = &r->view.triangles[triangle];
	double corner[3][3], side[3], sum, fraction;
	for (int i = 0; i < 3; i++)
		wp_d3_put(wp_d3_of_floats(r->view.vertices[wp_row_corner(row, i)]), corner[i]);
	if (wp_way_meets(&r->way, corner, side, &sum, &fraction))
		wp_way_keep(&r->way, triangle, r->view.sources[triangle], fraction, side, sum);
}

/* ---- the tree ----------------------------------------------------------------------------------- */

/* Children whose boxes the ray meets no later than what it has met so far, by the slabs between the sides of each box;
 * near[] becomes where it enters them, or less. */
static uint64_t meet_slabs(const wp_way *r, const wp_mesh_node *node, float near[WP_NODE_WIDTH])
{
	float far[WP_NODE_WIDTH];
	bool is_sure = true;
	for (int i = 0; i < WP_NODE_WIDTH; i++) {
		near[i] = 0.0f;
		far[i] = r->best.fraction;
	}
	for (int k = 0; k < 3; k++) {
		const double cell = (double)wp_power_of_exponent(node->exponent[k]) * r->inverse[k];
		const double first = ((double)node->lower[k] - r->start[k]) * r->inverse[k];
		const double reach = (WP_CELL_MAX + 1) * wp_abs(cell) + wp_abs(first);
		if (r->inverse[k] == 0.0 || reach > FRACTION_MAX) {
			is_sure = false;
			continue;
		}
		const bool up = cell > 0.0;
		const uint8_t *const enter = up ? node->first[k] : node->last[k], *const leave = up ? node->last[k]
		                                                                                    : node->first[k];
		const float step = (float)cell, slack = (float)(SLAB_SLACK * reach);
		const float from = (float)(up ? first : first + cell) - slack, to = (float)(up ? first + cell : first) + slack;
		for (int i = 0; i < WP_NODE_WIDTH; i++) {
			const float entry = (float)enter[i] * step + from, exit = (float)leave[i] * step + to;
			near[i] = entry > near[i] ? entry : near[i];
			far[i] = exit < far[i] ? exit : far[i];
		}
	}
	uint64_t met = 0;
	for (uint32_t i = 0; i < WP_NODE_WIDTH; i++)
		met |= near[i] <= far[i] ? wp_child_bit(i) : 0;
	met &= WP_CHILDREN_BITS >> 8 * (WP_NODE_WIDTH - node->count);
	return is_sure ? met : met & wp_node_meets(node, r->lower, r->upper);
}

/* Push the children that are met, the nearest one last. */
static void push_children(ray *r, const wp_mesh_node *node)
{
	float near[WP_NODE_WIDTH];
	const uint32_t bottom = r->stack_count;
	for (uint64_t met = meet_slabs(&r->way, node, near); met != 0; met &= met - 1) {
		const uint32_t i = wp_lowest_child(met);
		uint32_t at = r->stack_count++;
		wp_child_prefetch(&r->view, node->child[i]);
		for (; at > bottom && r->stack[at - 1].near < near[i]; at--)
			r->stack[at] = r->stack[at - 1];
		r->stack[at] = (waiting){near[i], node->child[i]};
	}
}

static void run(ray *r)
{
	r->stack_count = 0;
	r->stack[r->stack_count++] = (waiting){0.0f, 0};
	while (r->stack_count != 0) {
		const waiting next = r->stack[--r->stack_count];
		if (next.near > r->way.best.fraction)
			continue;
		if (!wp_child_is_leaf(next.child)) {
			push_children(r, &r->view.nodes[wp_child_index(next.child)]);
			continue;
		}
		const uint32_t first = wp_child_index(next.child), end = first + wp_child_count(next.child);
		for (uint32_t triangle = first; triangle < end; triangle++)
			meet_triangle(r, triangle);
	}
}

double wp_mesh_ray_in_double(const wp_mesh *mesh, const double start[3], const double way[3], wp_mesh_hit *hit)
{
	ray r;
	r.view = wp_mesh_view_of(mesh);
	wp_way_begin(&r.way, start, way);
	run(&r);
	*hit = wp_way_end(&r.way);
	return r.way.best_fraction;
}

wp_error wp_mesh_ray(const wp_mesh *mesh, const float start[3], const float way[3], wp_mesh_hit *hit)
{
	const wp_error error = mesh == NULL  ? WP_ERROR_NULL_MESH
	                     : start == NULL ? WP_ERROR_NULL_START
	                     : way == NULL   ? WP_ERROR_NULL_WAY
	                     : hit == NULL   ? WP_ERROR_NULL_HIT
	                                     : WP_OK;
	if (error != WP_OK)
		return error;
	if (!wp_are_coordinates(start) || !wp_are_coordinates(way))
		return WP_ERROR_MESH_RAY;
	*hit = (wp_mesh_hit){.triangle = WP_MESH_MISS};
	if (!wp_is_way(way))
		return WP_OK;
	double from[3], along[3];
	const wp_environment before = wp_environment_enter();
	wp_d3_put(wp_d3_of_floats(start), from);
	wp_d3_put(wp_d3_of_floats(way), along);
	(void)wp_mesh_ray_in_double(mesh, from, along, hit);
	wp_environment_leave(before);
	return WP_OK;
}
