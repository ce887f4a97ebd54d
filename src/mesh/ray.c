/* The first triangle of a mesh on a straight way, of one ray and of many. */
#include "mesh/ray.h"
#include "core/environment.h"
#include "mesh/ray_rows.h"
#include "mesh/way.h"

/* Of the distance in fractions of the way, by how much a box is made larger: in units of 2^-24, seven that `meet_slabs` rounds,
 * and one for the fraction of a hit, which is rounded to float. */
#define SLAB_SLACK 0x1p-20f

/* Of where the ray starts, what two floats do not have of it; in fractions of the way. */
#define START_ROUNDING 0x1p-46f

#define FLOAT_ROUNDING 0x1p-24f

/* Products of shadows up to this are floats. */
#define SHADOW_MAX 0x1p60f

/* Products below it may have lost bits. */
#define PRODUCT_LEAST 0x1p-120f

/* A mesh in fractions of the way up to this, along an axis: beyond it the box of the way decides, too. */
#define FRACTION_MAX 0x1p100f

/* Rays that go down a tree in turn. */
#define RAYS 8

/* Cells of a node, and the far side of the last one. */
#define CELLS ((float)(WP_CELL_MAX + 1))

/* Where a node has the cells of its children. */
#define FIRST_CELLS ((uint32_t)offsetof(wp_mesh_node, first))
#define LAST_CELLS ((uint32_t)offsetof(wp_mesh_node, last))

typedef struct waiting {
	float near; /* no triangle below is met before */
	uint32_t child;
} waiting;

typedef struct ray {
	wp_mesh_view view;
	wp_way way;
	/* For slabs: where it starts, as the sum of two floats, the inverse of its way, and the room around boxes, which has no end
	 * along axes that the ray is parallel to. The fourth place is zero. */
	wp_quad start, rest, inverse, room;
	uint32_t enter[3],
		leave[3];         /* in a node, the cells where it enters and leaves the slab of a child along each axis */
	bool needs_box;       /* slabs alone do not say which boxes it meets */
	wp_quad lower, upper; /* then: of the way */
	/* For shadows, each number four times: where it starts along the axes of its frame, as two floats, and that frame. */
	wp_quad axis[3][2], shear[2];
	float size;                                       /* of the start's largest coordinate */
	waiting stack[WP_NODE_WIDTH * WP_MESH_DEPTH_MAX]; /* the next one last */
	uint32_t stack_count;
} ray;

static float largest_of(wp_quad a)
{
	const float one = wp_quad_get(a, 0), two = wp_quad_get(a, 1), three = wp_quad_get(a, 2), four = wp_quad_get(a, 3);
	const float low = one > two ? one : two, high = three > four ? three : four;
	return low > high ? low : high;
}

/* The ray as floats have it, for boxes. */
static void begin_slabs(ray *r, const wp_mesh *mesh)
{
	const wp_way *const w = &r->way;
	const wp_quad zero = wp_quad_set(0.0f), most = wp_quad_set(FRACTION_MAX);
	const wp_quad lower = wp_quad_of(mesh->lower[0], mesh->lower[1], mesh->lower[2], 0.0f);
	const wp_quad upper = wp_quad_of(mesh->upper[0], mesh->upper[1], mesh->upper[2], 0.0f);
	float start[3], rest[3];
	for (int k = 0; k < 3; k++) {
		const volatile float nearest = (float)w->start[k];
		start[k] = nearest;
		rest[k] = (float)(w->start[k] - (double)start[k]);
		r->enter[k] = (w->inverse[k] < 0.0 ? LAST_CELLS : FIRST_CELLS) + WP_NODE_WIDTH * (uint32_t)k;
		r->leave[k] = (w->inverse[k] < 0.0 ? FIRST_CELLS : LAST_CELLS) + WP_NODE_WIDTH * (uint32_t)k;
	}
	r->start = wp_quad_of(start[0], start[1], start[2], 0.0f);
	r->rest = wp_quad_of(rest[0], rest[1], rest[2], 0.0f);
	r->inverse = wp_quad_of((float)w->inverse[0], (float)w->inverse[1], (float)w->inverse[2], 0.0f);
	const wp_quad far = wp_quad_abs(r->start), size = wp_quad_abs(r->inverse);
	const wp_quad_mask leads = wp_quad_above(size, zero);
	r->room = wp_quad_add(
		wp_quad_scale(wp_quad_mul(far, size), START_ROUNDING), wp_quad_sub(most, wp_quad_where(leads, most)));
	const wp_quad ends = wp_quad_add(
		wp_quad_abs(wp_quad_sub(lower, r->start)), wp_quad_abs(wp_quad_sub(upper, r->start)));
	const uint32_t within = wp_quad_bits(wp_quad_above(most, wp_quad_mul(ends, size)));
	r->needs_box = (within & wp_quad_bits(leads) & 7) != 7;
}

/* Its frame, for triangles. */
static void begin_shadows(ray *r)
{
	const wp_way *const w = &r->way;
	for (int k = 0; k < 3; k++) {
		const int axis = w->axis[k];
		r->axis[k][0] = wp_quad_set(wp_quad_get(r->start, axis));
		r->axis[k][1] = wp_quad_set(wp_quad_get(r->rest, axis));
	}
	r->shear[0] = wp_quad_set((float)w->shear[0]);
	r->shear[1] = wp_quad_set((float)w->shear[1]);
	r->size = largest_of(wp_quad_abs(r->start));
}

static void begin(ray *r, const wp_mesh *mesh, const double start[3], const double way[3])
{
	r->view = wp_mesh_view_of(mesh);
	r->stack_count = 0;
	wp_way_begin(&r->way, start, way);
	begin_slabs(r, mesh);
	if (WP_HAS_QUADS)
		begin_shadows(r);
	r->lower = r->upper = wp_quad_set(0.0f);
	if (!r->needs_box)
		return;
	wp_way_set_box(&r->way);
	r->lower = wp_quad_of(r->way.lower[0], r->way.lower[1], r->way.lower[2], 0.0f);
	r->upper = wp_quad_of(r->way.upper[0], r->way.upper[1], r->way.upper[2], 0.0f);
}

/* ---- triangles ---------------------------------------------------------------------------------- */

static void meet_triangle(ray *r, uint32_t triangle)
{
	const wp_mesh_triangle_row *const row = &r->view.triangles[triangle];
	double corner[3][3], side[3], sum, fraction;
	for (int i = 0; i < 3; i++)
		wp_d3_put(wp_d3_of_floats(r->view.vertices[wp_row_corner(row, i)]), corner[i]);
	if (wp_way_meets(&r->way, corner, side, &sum, &fraction))
		wp_way_keep(&r->way, triangle, r->view.sources, fraction, side, sum);
}

/* What shadows of four corners have. */
typedef struct shadows {
	wp_quad x, y, along;
} shadows;

static shadows shadows_of(const ray *r, const wp_mesh_triangle_row *const row[4], int corner)
{
	wp_quad vertex[4], place[3], from[3];
	shadows s;
	for (int i = 0; i < 4; i++)
		vertex[i] = wp_vertex_quad(&r->view, wp_row_corner(row[i], corner));
	wp_quad_transpose(vertex, place);
	for (int k = 0; k < 3; k++)
		from[k] = wp_quad_sub(wp_quad_sub(place[r->way.axis[k]], r->axis[k][0]), r->axis[k][1]);
	s.along = from[2];
	s.x = wp_quad_sub(from[0], wp_quad_mul(r->shear[0], s.along));
	s.y = wp_quad_sub(from[1], wp_quad_mul(r->shear[1], s.along));
	return s;
}

static wp_quad side_of(const shadows *a, const shadows *b)
{
	return wp_quad_sub(wp_quad_mul(a->x, b->y), wp_quad_mul(a->y, b->x));
}

/* By how much a side may be off in float, of shadows no farther than `most` from the origin and `along` of the start. With u =
 * 2^-24, a coordinate of a shadow x = d - shear * along is off by 2u |d| + 4u |along| + u |x|, where |d| is at most |x| + |along|,
 * and by what two floats do not have of the start; a product of two by their errors and 2u of it. */
static float side_error(const ray *r, float along, float most)
{
	const float error = (6 * along + 3 * most) * FLOAT_ROUNDING + r->size * START_ROUNDING;
	const float product = 8 * (most + error) * (error + 2 * most * FLOAT_ROUNDING);
	return most < SHADOW_MAX ? product + PRODUCT_LEAST : WP_INFINITY;
}

/* Triangles of a leaf, a bit each, but for those whose shadows surely do not hold the origin. */
static uint32_t find_inside(const ray *r, uint32_t first, uint32_t count)
{
	wp_quad least[2], most[2], along = wp_quad_set(0.0f), size = along;
	/* The places of the first four are read at once; corners of the others are mostly theirs, or beside this one. */
	for (uint32_t i = 4; i < count; i++)
		wp_prefetch(r->view.vertices[wp_row_corner(&r->view.triangles[first + i], 0)]);
	for (uint32_t at = 0; at < count; at += 4) {
		const wp_mesh_triangle_row *row[4];
		shadows s[3];
		for (uint32_t i = 0; i < 4; i++)
			row[i] = &r->view.triangles[first + (at + i < count ? at + i : count - 1)];
		for (int k = 0; k < 3; k++) {
			s[k] = shadows_of(r, row, k);
			along = wp_quad_max(wp_quad_abs(s[k].along), along);
			size = wp_quad_max(wp_quad_max(wp_quad_abs(s[k].x), wp_quad_abs(s[k].y)), size);
		}
		const wp_quad a = side_of(&s[2], &s[1]), b = side_of(&s[0], &s[2]), c = side_of(&s[1], &s[0]);
		least[at / 4] = wp_quad_min(wp_quad_min(a, b), c);
		most[at / 4] = wp_quad_max(wp_quad_max(a, b), c);
	}
	const float error = side_error(r, largest_of(along), largest_of(size));
	const wp_quad above = wp_quad_set(error), below = wp_quad_set(-error);
	uint32_t outside = 0;
	for (uint32_t at = 0; at < count; at += 4)
		outside |= (wp_quad_bits(wp_quad_above(below, least[at / 4])) &
					   wp_quad_bits(wp_quad_above(most[at / 4], above)))
		        << at;
	return ~outside & ((1u << count) - 1);
}

/* Meet the triangles of a leaf. All are read before any is met: what one of them waits for does not keep the others waiting.
 * Floats are left out where four of them take as long as four doubles. */
WP_INLINE void meet_leaf(ray *r, uint32_t leaf)
{
	const uint32_t first = wp_child_index(leaf), count = wp_child_count(leaf);
	for (uint32_t inside = WP_HAS_QUADS ? find_inside(r, first, count) : (1u << count) - 1; inside != 0;
		 inside &= inside - 1)
		meet_triangle(r, first + wp_lowest_bit(inside));
}

/* ---- the tree ----------------------------------------------------------------------------------- */

/* Places of four children along an axis. */
static wp_quad places_of(const uint8_t *cells, float step, float from)
{
	return wp_quad_add(wp_quad_scale(wp_quad_of_bytes(cells), step), wp_quad_set(from));
}

/* Children whose boxes the ray meets no later than what it has met so far, a bit each; near[] becomes where it enters them, or
 * less. */
static uint32_t meet_slabs(const ray *r, const wp_mesh_node *node, float near[WP_NODE_WIDTH])
{
	const wp_quad zero = wp_quad_set(0.0f), best = wp_quad_set(r->way.best.fraction);
	const wp_quad first = wp_quad_mul(wp_quad_sub(wp_quad_sub(wp_node_lower(node), r->start), r->rest), r->inverse);
	const wp_quad cell = wp_quad_of_exponents(wp_node_exponents(node));
	const wp_quad step = wp_quad_mul(cell, r->inverse);
	const wp_quad reach = wp_quad_add(wp_quad_scale(wp_quad_abs(step), CELLS), wp_quad_abs(first));
	const wp_quad slack = wp_quad_add(wp_quad_scale(reach, SLAB_SLACK), r->room);
	/* The sides of a cell: the ray comes to the lower one first where it goes up. */
	const wp_quad from = wp_quad_sub(wp_quad_add(first, wp_quad_min(step, zero)), slack);
	const wp_quad to = wp_quad_add(wp_quad_add(first, wp_quad_max(step, zero)), slack);
	wp_quad enter[2] = {zero, zero}, leave[2] = {best, best};
	const uint8_t *const bytes = (const uint8_t *)node;
	for (int k = 0; k < 3; k++) {
		const float length = wp_quad_get(step, k);
		for (int i = 0; i < 2; i++) {
			const wp_quad entry = places_of(bytes + r->enter[k] + 4 * i, length, wp_quad_get(from, k));
			const wp_quad exit = places_of(bytes + r->leave[k] + 4 * i, length, wp_quad_get(to, k));
			/* What is no number, of a box beyond all fractions, changes nothing. */
			enter[i] = wp_quad_max(entry, enter[i]);
			leave[i] = wp_quad_min(exit, leave[i]);
		}
	}
	wp_quad_store(near, enter[0]);
	wp_quad_store(near + 4, enter[1]);
	const uint32_t missed = wp_quad_bits(wp_quad_above(enter[0], leave[0])) |
	                        wp_quad_bits(wp_quad_above(enter[1], leave[1])) << 4;
	const uint32_t met = ~missed & ((1u << node->count) - 1);
	return r->needs_box ? met & wp_bits_of_children(wp_node_meets(node, r->lower, r->upper)) : met;
}

/* Push children that are met, the nearest one last. */
static void push_children(ray *r, const wp_mesh_node *node, uint32_t met, const float near[WP_NODE_WIDTH])
{
	const uint32_t bottom = r->stack_count;
	for (; met != 0; met &= met - 1) {
		const uint32_t i = wp_lowest_bit(met);
		uint32_t at = r->stack_count++;
		wp_child_prefetch(&r->view, node->child[i]);
		for (; at > bottom && r->stack[at - 1].near < near[i]; at--)
			r->stack[at] = r->stack[at - 1];
		r->stack[at] = (waiting){near[i], node->child[i]};
	}
}

/* Go from a node to its child if it meets one alone; several are pushed. */
WP_INLINE bool go_down(ray *r, uint32_t *child)
{
	float near[WP_NODE_WIDTH];
	const wp_mesh_node *const node = &r->view.nodes[wp_child_index(*child)];
	const uint32_t met = meet_slabs(r, node, near);
	if ((met & (met - 1)) != 0) {
		push_children(r, node, met, near);
		return false;
	}
	*child = met != 0 ? node->child[wp_lowest_bit(met)] : *child;
	return met != 0;
}

/* Take the next child that may have a hit which comes first. False when there is none. */
static bool pop(ray *r, uint32_t *child)
{
	while (r->stack_count != 0) {
		const waiting next = r->stack[--r->stack_count];
		*child = next.child;
		if (next.near <= r->way.best.fraction)
			return true;
	}
	return false;
}

static void run(ray *r)
{
	uint32_t child = 0;
	do {
		while (!wp_child_is_leaf(child) && go_down(r, &child)) {
		}
		if (wp_child_is_leaf(child))
			meet_leaf(r, child);
	} while (pop(r, &child));
}

double wp_mesh_ray_in_double(const wp_mesh *mesh, const double start[3], const double way[3], wp_mesh_hit *hit)
{
	ray r;
	begin(&r, mesh, start, way);
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

/* ---- many rays ---------------------------------------------------------------------------------- */

/* Rays go down the tree some at a time, a step each in turn: what the next step of a ray reads is fetched while the others take
 * theirs. Each takes the steps that it would take alone. */

typedef struct turn {
	ray state;
	uint32_t child;  /* of its next step */
	bool is_at_leaf; /* its vertices are fetched */
	size_t row;
} turn;

/* One step. False when the ray has met all that it can meet first. */
static bool step(turn *t)
{
	ray *const r = &t->state;
	if (!wp_child_is_leaf(t->child)) {
		const bool goes_on = go_down(r, &t->child) || pop(r, &t->child);
		wp_child_prefetch(&r->view, t->child);
		return goes_on;
	}
	if (!t->is_at_leaf) {
		wp_leaf_prefetch(&r->view, t->child, 3);
		t->is_at_leaf = true;
		return true;
	}
	meet_leaf(r, t->child);
	t->is_at_leaf = false;
	const bool goes_on = pop(r, &t->child);
	wp_child_prefetch(&r->view, t->child);
	return goes_on;
}

/* Begin the next row that needs the tree, and answer those before it. False if there is none. */
static bool begin_row(turn *t, wp_ray_rows *rows, const wp_mesh *mesh)
{
	double start[3], way[3];
	if (!wp_ray_rows_next(rows, start, way))
		return false;
	t->row = rows->next - 1;
	begin(&t->state, mesh, start, way);
	t->child = 0;
	t->is_at_leaf = false;
	return true;
}

static void run_rows(wp_ray_rows *rows, const wp_mesh *mesh)
{
	turn turns[RAYS];
	uint32_t order[RAYS], count = 0;
	while (count < RAYS && begin_row(&turns[count], rows, mesh)) {
		order[count] = count;
		count++;
	}
	while (count != 0) {
		uint32_t left = 0;
		for (uint32_t i = 0; i < count; i++) {
			turn *const t = &turns[order[i]];
			order[left] = order[i];
			if (step(t)) {
				left++;
				continue;
			}
			const wp_mesh_hit hit = wp_way_end(&t->state.way);
			wp_ray_rows_write(rows, t->row, &hit);
			left += begin_row(t, rows, mesh);
		}
		count = left;
	}
}

wp_error wp_mesh_rays(const wp_mesh *mesh, const wp_const_float_column *start, const wp_const_float_column *way,
	size_t count, const wp_mesh_hit_column *hit)
{
	wp_ray_rows rows;
	const wp_error error = mesh == NULL ? WP_ERROR_NULL_MESH : wp_ray_rows_set(&rows, start, way, count, hit);
	if (error != WP_OK)
		return error;
	const wp_environment before = wp_environment_enter();
	run_rows(&rows, mesh);
	wp_environment_leave(before);
	return WP_OK;
}
