/* The first triangle of a mesh on a straight way.
 *
 * A triangle is moved to the start of the ray and sheared, so that the ray is the third axis; then the ray meets it if the
 * origin is inside its shadow on the first two (Woop, Benthin, Wald 2013, Watertight ray/triangle intersection). The shadow
 * of a corner depends on the corner and the ray alone. Rounded products order as exact ones do, so the side of an edge that
 * the origin is on is never wrong, only sometimes undecided, and then it counts for both triangles. Shadows are thus a map
 * without gaps. */
#include "mesh/ray.h"
#include "core/environment.h"
#include "mesh/mesh.h"

/* Of the distance in fractions of the way, by how much a box is made larger: three roundings of half a unit in the last
 * place each, and what rounds a fraction to float. */
#define SLAB_SLACK 0x1p-21

/* Of the coordinates of a way, by how much its own box is made larger: more than double rounds. */
#define WAY_SLACK 0x1p-50

/* An axis along which the ray goes less than this, relative to the longest, or a box in fractions of the way beyond this:
 * the box of the way decides there. */
#define PARALLEL 0x1p-40
#define FRACTION_MAX 0x1p100

typedef struct waiting {
	float near; /* no triangle below is met before */
	uint32_t child;
} waiting;

typedef struct ray {
	wp_mesh_view view;
	double start[3], way[3];
	double inverse[3];        /* of the way; 0 where the ray is parallel */
	double shear[2], length;  /* of the frame whose third axis is the ray; inverse of the way along its longest axis */
	int axis[3];              /* the longest one last */
	float lower[3], upper[3]; /* of the way, rounded outwards */
	wp_mesh_hit best;
	double best_fraction; /* of it, before it was rounded */
	uint32_t best_source;
	waiting stack[WP_NODE_WIDTH * WP_MESH_DEPTH_MAX]; /* the next one last */
	uint32_t stack_count;
} ray;

/* ---- the ray ------------------------------------------------------------------------------------ */

static void set_frame(ray *r)
{
	int longest = 0;
	for (int k = 1; k < 3; k++)
		longest = __builtin_fabs(r->way[k]) > __builtin_fabs(r->way[longest]) ? k : longest;
	/* The first two are swapped where the ray goes down the third, so that fronts stay fronts. */
	const bool up = r->way[longest] > 0.0;
	r->axis[0] = (longest + (up ? 1 : 2)) % 3;
	r->axis[1] = (longest + (up ? 2 : 1)) % 3;
	r->axis[2] = longest;
	r->shear[0] = r->way[r->axis[0]] / r->way[longest];
	r->shear[1] = r->way[r->axis[1]] / r->way[longest];
	r->length = 1.0 / r->way[longest];
	const double least = PARALLEL * __builtin_fabs(r->way[longest]);
	for (int k = 0; k < 3; k++)
		r->inverse[k] = __builtin_fabs(r->way[k]) < least ? 0.0 : 1.0 / r->way[k];
}

static void set_box(ray *r)
{
	for (int k = 0; k < 3; k++) {
		const double end = r->start[k] + r->way[k];
		const double slack = WAY_SLACK * (__builtin_fabs(r->start[k]) + __builtin_fabs(r->way[k]));
		r->lower[k] = wp_round_down((end < r->start[k] ? end : r->start[k]) - slack);
		r->upper[k] = -wp_round_down(-((end > r->start[k] ? end : r->start[k]) + slack));
	}
}

/* ---- one triangle ------------------------------------------------------------------------------- */

/* A corner as the ray sees it. */
typedef struct shadow {
	double x, y, z; /* z in fractions of the way */
} shadow;

static shadow shadow_of(const ray *r, const float vertex[3])
{
	const int x = r->axis[0], y = r->axis[1], z = r->axis[2];
	const double along = (double)vertex[z] - r->start[z];
	return (shadow){((double)vertex[x] - r->start[x]) - r->shear[0] * along,
		((double)vertex[y] - r->start[y]) - r->shear[1] * along, along * r->length};
}

/* The fraction where the ray enters the box of a triangle. The triangle is met no sooner, whatever is rounded: so a walk
 * down the tree misses nothing that it would have found first. */
static double entry_of(const ray *r, const float *const corner[3])
{
	const wp_mesh_box box = wp_mesh_box_of(corner[0], corner[1], corner[2]);
	double entry = 0.0;
	for (int k = 0; k < 3; k++) {
		const float side = r->inverse[k] < 0.0 ? box.upper[k] : box.lower[k];
		const double fraction = r->inverse[k] != 0.0 ? ((double)side - r->start[k]) * r->inverse[k] : 0.0;
		entry = fraction > entry ? fraction : entry;
	}
	return entry < 1.0 ? entry : 1.0;
}

static void keep_if_first(ray *r, uint32_t triangle, double fraction, const double side[3], double sum)
{
	const volatile float rounded = (float)fraction;
	const float met = rounded;
	const uint32_t source = r->view.sources[triangle];
	if (met > r->best.fraction || (met == r->best.fraction && source >= r->best_source))
		return;
	r->best = (wp_mesh_hit){.triangle = triangle, .is_front = sum > 0.0, .fraction = met};
	r->best_source = source;
	r->best_fraction = fraction;
	for (int k = 0; k < 3; k++)
		r->best.weights[k] = (float)(side[k] / sum);
}

static void meet_triangle(ray *r, uint32_t triangle)
{
	const wp_mesh_triangle_row *const row = &r->view.triangles[triangle];
	const float *const corner[3] = {r->view.vertices[wp_row_corner(row, 0)], r->view.vertices[wp_row_corner(row, 1)],
		r->view.vertices[wp_row_corner(row, 2)]};
	const shadow a = shadow_of(r, corner[0]), b = shadow_of(r, corner[1]), c = shadow_of(r, corner[2]);
	/* The origin is on these sides of the edges across from the corners. */
	const double side[3] = {c.x * b.y - c.y * b.x, a.x * c.y - a.y * c.x, b.x * a.y - b.y * a.x};
	if ((side[0] < 0.0 || side[1] < 0.0 || side[2] < 0.0) && (side[0] > 0.0 || side[1] > 0.0 || side[2] > 0.0))
		return;
	const double sum = (side[0] + side[1]) + side[2];
	if (sum == 0.0)
		return;
	const double fraction = ((side[0] * a.z + side[1] * b.z) + side[2] * c.z) / sum;
	if (!(fraction >= 0.0 && fraction <= 1.0))
		return;
	const double entry = entry_of(r, corner);
	keep_if_first(r, triangle, fraction > entry ? fraction : entry, side, sum);
}

/* ---- the tree ----------------------------------------------------------------------------------- */

/* Children whose boxes the ray meets no later than what it has met so far, by the slabs between the sides of each box;
 * near[] becomes where it enters them, or less. */
static uint64_t meet_slabs(const ray *r, const wp_mesh_node *node, float near[WP_NODE_WIDTH])
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
		const double reach = (WP_CELL_MAX + 1) * __builtin_fabs(cell) + __builtin_fabs(first);
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
	for (uint64_t met = meet_slabs(r, node, near); met != 0; met &= met - 1) {
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
		if (next.near > r->best.fraction)
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

static bool are_coordinates(const float v[3])
{
	return wp_is_coordinate(v[0]) && wp_is_coordinate(v[1]) && wp_is_coordinate(v[2]);
}

static void find(ray *r, const double start[3], const double way[3])
{
	memcpy(r->start, start, sizeof r->start);
	memcpy(r->way, way, sizeof r->way);
	r->best_fraction = 1.0;
	r->best = (wp_mesh_hit){.triangle = WP_MESH_MISS, .fraction = 1.0f};
	r->best_source = UINT32_MAX;
	set_frame(r);
	set_box(r);
	run(r);
	if (r->best.triangle == WP_MESH_MISS)
		r->best.fraction = 0.0f;
}

double wp_mesh_ray_in_double(const wp_mesh *mesh, const double start[3], const double way[3], wp_mesh_hit *hit)
{
	ray r;
	r.view = wp_mesh_view_of(mesh);
	find(&r, start, way);
	*hit = r.best;
	return r.best_fraction;
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
	if (!are_coordinates(start) || !are_coordinates(way))
		return WP_ERROR_MESH_RAY;
	*hit = (wp_mesh_hit){.triangle = WP_MESH_MISS};
	if (wp_magnitude_bits(way[0]) == 0 && wp_magnitude_bits(way[1]) == 0 && wp_magnitude_bits(way[2]) == 0)
		return WP_OK;
	double from[3], along[3];
	const wp_environment before = wp_environment_enter();
	wp_d3_put(wp_d3_of_floats(start), from);
	wp_d3_put(wp_d3_of_floats(way), along);
	(void)wp_mesh_ray_in_double(mesh, from, along, hit);
	wp_environment_leave(before);
	return WP_OK;
}
