#include "motion/ray.h"
#include "motion/path.h"

_Static_assert((int)WP_JOB_HIT == WP_STATUS_HIT, "kernels set it");

/* ---- kinds -------------------------------------------------------------------------------------- */

WP_INLINE bool is_ball(const wp_core *core) { return core->kind == WP_CORE_SEGMENT && !(core->half[1] > 0.0f); }

/* Rotations of a body at the start and the end. */
typedef struct turn {
	float from[4], to[4];
} turn;

static turn turn_of(const wp_ray_body *b)
{
	turn t;
	memcpy(t.from, b->rotation, sizeof t.from);
	memcpy(t.to, b->end != NULL ? b->end : b->rotation, sizeof t.to);
	return t;
}

static bool turns(const turn *t)
{
	wp_cast_path path;
	wp_path_find_turn(&path, t->from, t->to);
	return path.turn != 0.0;
}

/* Neither side. */
#define NO_SIDE 2

/* Which side of a row is the shape that a ball comes to, without turning: 0 of A, 1 of B. NO_SIDE: the row is no ray, or a
 * rotation at the end is none. */
WP_NOINLINE uint32_t side_of_turns(const wp_ray_body *a, const wp_ray_body *b, bool is_ball_a, bool is_ball_b)
{
	const turn of_a = turn_of(a), of_b = turn_of(b);
	if (!wp_rotation_holds(of_a.to, WP_3D) || !wp_rotation_holds(of_b.to, WP_3D))
		return NO_SIDE;
	return is_ball_b && !turns(&of_a) ? 0 : is_ball_a && !turns(&of_b) ? 1 : NO_SIDE;
}

/* Whether a rotation at the end is, bit by bit, the one at the start, which kernels check. */
WP_INLINE bool stays(const wp_ray_body *b)
{
	return b->end == NULL || memcmp(b->rotation, b->end, 4 * sizeof(float)) == 0;
}

static uint32_t side_of_bodies(const wp_ray_body *a, const wp_ray_body *b, bool is_ball_a, bool is_ball_b)
{
	if (stays(a) && stays(b))
		return is_ball_b ? 0 : 1;
	return side_of_turns(a, b, is_ball_a, is_ball_b);
}

static const float nowhere[3] = {0.0f, 0.0f, 0.0f};

/* A body of a call. */
static wp_ray_body body_of(const wp_ray_side *s, size_t body, const wp_core *core)
{
	const wp_motions *const goes = &s->motions;
	return (wp_ray_body){.core = core,
		.position = wp_offset(s->bodies.position.data, body * s->bodies.position.stride),
		.rotation = wp_offset(s->bodies.rotation.data, body * s->bodies.rotation.stride),
		.way = wp_offset(goes->translation.data, body * goes->translation.stride),
		.end = goes->rotation.data != NULL ? wp_offset(goes->rotation.data, body * goes->rotation.stride) : NULL};
}

/* ---- rows --------------------------------------------------------------------------------------- */

wp_ray_side wp_ray_side_of(const wp_bodies *bodies, const wp_const_uint32_column *pair, const wp_motions *motions)
{
	wp_ray_side s = {.bodies = *bodies, .pair = *pair, .motions = *motions};
	if (motions->translation.data == NULL)
		s.motions.translation = (wp_const_float_column){nowhere, 0};
	return s;
}

/* No core. */
static const wp_core none = {.kind = WP_CORE_INVALID};

/* The bodies of one side of rows that name none, all within the call, and their cores. */
static void find_bodies_in_order(
	const wp_call *call, const wp_bodies *bodies, size_t at, uint32_t count, uint32_t *body, const wp_core **core)
{
	const size_t stride = bodies->shape.stride;
	const wp_core *const cores = call->cores;
	const uint64_t core_count = call->core_count;
	const char *name = wp_offset(bodies->shape.data, at * stride);
	for (uint32_t k = 0; k < count; k++, name += stride) {
		const uint32_t shape = wp_read_once(name);
		body[k] = (uint32_t)at + k;
		core[k] = shape < core_count ? cores + shape : &none;
	}
}

/* The bodies of one side of rows, and their cores: an invalid one where there is none. */
WP_NOINLINE void find_bodies(
	const wp_call *call, const wp_ray_side *s, size_t at, uint32_t count, uint32_t *body, const wp_core **core)
{
	const uint32_t *const pair = s->pair.data;
	const wp_bodies bodies = {.shape = s->bodies.shape};
	const size_t stride = s->pair.stride, body_count = s->bodies.count;
	const wp_core *const cores = call->cores;
	const uint64_t core_count = call->core_count;
	if (pair == NULL && bodies.shape.data != NULL && at + count <= body_count) {
		find_bodies_in_order(call, &bodies, at, count, body, core);
		return;
	}
	for (uint32_t k = 0; k < count; k++) {
		bool inside;
		const uint32_t own = wp_body_of_row(pair, stride, at + k, body_count, &inside);
		body[k] = own;
		const uint32_t shape = inside ? wp_shape_of_body(&bodies, own, own * bodies.shape.stride) : UINT32_MAX;
		core[k] = shape < core_count ? cores + shape : &none;
	}
}

/* What rays of points, and of balls, meet in a core of a table where it is a ball itself: nothing in one without a radius, which
 * is a point. */
#define MEETS_BALL (WP_RAY_BALL + 1)
_Static_assert(MEETS_BALL == 1, "the place of balls in wp_core.ray");

/* Where a core of a table is a ball, or a point. */
WP_INLINE bool is_known_ball(const wp_core *core) { return core->ray[1] == MEETS_BALL; }

/* The list of balls of a table that come to a shape of one: its kind, and on which side the shape is. */
WP_INLINE uint32_t list_of_sides(const wp_core *shape, const wp_core *ball, uint32_t side)
{
	const uint32_t ray = shape->ray[ball->ray[0]];
	return ray == 0 ? WP_RAY_NO_LIST : 2 * (ray - 1) + side;
}

/* The list of a row whose bodies do not turn. */
WP_INLINE uint32_t list_of(const wp_core *a, const wp_core *b)
{
	if (is_known_ball(b))
		return list_of_sides(a, b, 0);
	return is_known_ball(a) ? list_of_sides(b, a, 1) : WP_RAY_NO_LIST;
}

/* The list of a row where bodies may turn, given the list that it would have. */
static uint32_t list_of_turning(const wp_ray_side sides[2], const wp_waiting_rays *rows, uint32_t k, uint32_t list)
{
	const wp_core *const a = rows->core[0][k], *const b = rows->core[1][k];
	if (list == WP_RAY_NO_LIST)
		return list;
	const wp_ray_body of_a = body_of(&sides[0], rows->body[0][k], a), of_b = body_of(&sides[1], rows->body[1][k], b);
	const uint32_t side = side_of_bodies(&of_a, &of_b, is_ball(a), is_ball(b));
	return side == NO_SIDE ? WP_RAY_NO_LIST : list / 2 * 2 + side;
}

/* Whether the rotations of bodies of rows that have a list are, bit by bit, at the end those at the start. */
static bool all_stay(const wp_ray_side *s, const uint32_t *body, const uint32_t *list, uint32_t count)
{
	const wp_const_float_column *const start = &s->bodies.rotation, *const end = &s->motions.rotation;
	if (end->data == NULL)
		return true;
	for (uint32_t k = 0; k < count; k++)
		if (list[k] != WP_RAY_NO_LIST && memcmp(wp_offset(start->data, body[k] * start->stride),
											 wp_offset(end->data, body[k] * end->stride), 4 * sizeof(float)) != 0)
			return false;
	return true;
}

/* Whether rows have one list, which is one. */
static bool are_alike(const uint32_t *list, uint32_t count)
{
	uint32_t differs = 0;
	for (uint32_t k = 1; k < count; k++)
		differs |= list[k] ^ list[0];
	return differs == 0 && list[0] != WP_RAY_NO_LIST;
}

void wp_ray_look(const wp_call *call, const wp_ray_side sides[2], uint32_t row, uint32_t count, wp_ray_rows *rows)
{
	wp_waiting_rays *const all = &rows->rays;
	const size_t at = call->first + row;
	rows->are_one_list = false;
	all->count = count;
	if (call->dimension != WP_3D) {
		for (uint32_t k = 0; k < count; k++)
			rows->list[k] = WP_RAY_NO_LIST;
		return;
	}
	find_bodies(call, &sides[0], at, count, all->body[0], all->core[0]);
	find_bodies(call, &sides[1], at, count, all->body[1], all->core[1]);
	for (uint32_t k = 0; k < count; k++)
		all->row[k] = row + k;
	for (uint32_t k = 0; k < count; k++)
		rows->list[k] = list_of(all->core[0][k], all->core[1][k]);
	for (uint32_t k = 0; call->mounts != NULL && k < count; k++)
		rows->list[k] = wp_has_mount(call, row + k) ? WP_RAY_NO_LIST : rows->list[k];
	rows->are_one_list = are_alike(rows->list, count);
}

void wp_ray_look_at_turns(const wp_ray_side sides[2], wp_ray_rows *rows)
{
	const wp_waiting_rays *const all = &rows->rays;
	const uint32_t count = all->count;
	if (all_stay(&sides[0], all->body[0], rows->list, count) && all_stay(&sides[1], all->body[1], rows->list, count))
		return;
	for (uint32_t k = 0; k < count; k++)
		rows->list[k] = list_of_turning(sides, all, k, rows->list[k]);
	rows->are_one_list = are_alike(rows->list, count);
}

/* ---- answers ------------------------------------------------------------------------------------ */

/* Let lanes past the last ray have what it has. Returns how many lanes there are. Widths are powers of two. */
static uint32_t repeat_last(uint32_t width, wp_waiting_rays *rays)
{
	const uint32_t last = rays->count - 1;
	uint32_t i = rays->count;
	for (; (i & (width - 1)) != 0; i++)
		for (int side = 0; side < 2; side++) {
			rays->body[side][i] = rays->body[side][last];
			rays->core[side][i] = rays->core[side][last];
		}
	return i;
}

static wp_kept_column column_of(const void *data, size_t stride)
{
	return (wp_kept_column){(const unsigned char *)data, stride};
}

static wp_ray_bodies bodies_of(const wp_ray_side *s, const uint32_t *body, const wp_core *const *core, bool may_turn)
{
	const wp_bodies *const b = &s->bodies;
	const wp_const_float_column *const way = &s->motions.translation, *const end = &s->motions.rotation;
	return (wp_ray_bodies){.body = body,
		.core = core,
		.position = column_of(b->position.data, b->position.stride),
		.rotation = column_of(b->rotation.data, b->rotation.stride),
		.way = column_of(way->data, way->stride),
		.end = column_of(may_turn ? end->data : NULL, end->stride)};
}

/* Read positions in double; `first` is where their three columns are. */
static void read_doubles(const wp_ray_bodies *bodies, int first, uint32_t count, wp_rays *rays)
{
	for (uint32_t i = 0; i < count; i++) {
		const unsigned char *const at = bodies->position.data + bodies->body[i] * bodies->position.stride;
		for (int k = 0; k < 3; k++)
			memcpy(&rays->start[first + k][i], at + (size_t)k * sizeof(double), sizeof(double));
	}
}

/* What writing a ray takes. */
typedef struct answers {
	const wp_call *call;
	const wp_ray_side *sides; /* of A and B */
	const wp_waiting_rays *from;
	uint32_t shape; /* the side of the shape: 0 of A, 1 of B */
	const wp_ray_ends *ends;
} answers;

/* Three floats of any alignment, one by one: compilers would copy them, and read the copy before it is there. */
WP_INLINE double number_at(const void *at, size_t k)
{
	float number;
	memcpy(&number, wp_offset(at, k * sizeof number), sizeof number);
	return (double)number;
}

WP_INLINE wp_d3 three_of(const void *at) { return wp_d3_of(number_at(at, 0), number_at(at, 1), number_at(at, 2)); }

/* Where a body is at a time. */
WP_INLINE wp_d3 place_of(const wp_ray_side *s, size_t body, double time)
{
	const void *const position = wp_offset(s->bodies.position.data, body * s->bodies.position.stride);
	const wp_d3 way = three_of(wp_offset(s->motions.translation.data, body * s->motions.translation.stride));
	double doubles[3];
	if (s->bodies.position_real != WP_REAL_DOUBLE)
		return wp_d3_add(three_of(position), wp_d3_scale(way, time));
	memcpy(doubles, position, sizeof doubles);
	return wp_d3_add(wp_d3_of(doubles[0], doubles[1], doubles[2]), wp_d3_scale(way, time));
}

/* The rotation of a ray's ball at a time. */
static void turn_ball(const wp_ray_body *b, double time, float rotation[4])
{
	wp_cast_path path = {.start = {0.0}};
	wp_cast_body ball = {.shape = 0};
	float from[4], to[4];
	memcpy(from, b->rotation, sizeof from);
	memcpy(to, b->end != NULL ? b->end : b->rotation, sizeof to);
	memcpy(ball.rotation, from, sizeof ball.rotation);
	wp_path_find_turn(&path, from, to);
	wp_path_move(&path, NULL, time, &ball);
	memcpy(rotation, ball.rotation, sizeof ball.rotation);
}

/* A ray's outputs in double. Points of the ball and the shape are along the normal from the centre of the ball. */
static void write_ray(const answers *a, uint32_t i, wp_statistics *statistics)
{
	const bool is_a = a->shape == 0;
	const wp_ray_side *const of_shapes = &a->sides[a->shape], *const of_balls = &a->sides[1 - a->shape];
	const uint32_t shape_body = a->from->body[a->shape][i], ball_body = a->from->body[1 - a->shape][i];
	const double own = (double)a->from->core[1 - a->shape][i]->radius, time = a->ends->time[i];
	const wp_d3 world = wp_d3_of(a->ends->normal[0][i], a->ends->normal[1][i], a->ends->normal[2][i]);
	const wp_d3 centre = place_of(of_balls, ball_body, time);
	const wp_d3 on_ball = wp_d3_scale(world, own), on_shape = wp_d3_scale(world, own + a->ends->gap[i]);
	const wp_d3 of_ball = wp_d3_sub(centre, on_ball), of_shape = wp_d3_sub(centre, on_shape);
	/* What is added to -0 stays as it is. */
	const double zero[3] = {-0.0, -0.0, -0.0};
	wp_row found;
	memcpy(&found, a->ends->row[i], sizeof found);
	wp_output output = {
		.separation = found.separation, .lower = found.lower, .upper = found.upper, .status = found.status};
	memcpy(output.normal, found.normal, sizeof output.normal);
	wp_d3_put(is_a ? of_shape : of_ball, output.point_a);
	wp_d3_put(is_a ? of_ball : of_shape, output.point_b);
	if (wp_wants_details(&a->call->results)) {
		const wp_ray_body shape = body_of(of_shapes, shape_body, NULL), ball = body_of(of_balls, ball_body, NULL);
		float stands[4], rotation[4];
		double from_ball[3], from_shape[3];
		memcpy(stands, shape.rotation, sizeof stands);
		turn_ball(&ball, time, rotation);
		wp_d3_put(wp_d3_negate(on_ball), from_ball);
		wp_d3_put(wp_d3_sub(of_shape, place_of(of_shapes, shape_body, time)), from_shape);
		wp_to_local(stands, from_shape, is_a ? output.local_a : output.local_b);
		wp_to_local(rotation, from_ball, is_a ? output.local_b : output.local_a);
	}
	wp_write_row(a->call, a->from->row[i], zero, &output, statistics);
}

/* Count rays whose rows are written. */
static void count_rays(const answers *a, unsigned char *const *row, uint32_t open, wp_statistics *statistics)
{
	for (uint32_t i = 0; i < a->from->count; i++) {
		uint32_t status;
		memcpy(&status, row[i] + offsetof(wp_row, status), sizeof status);
		if (!(open >> i & 1))
			wp_count_row(statistics, a->call->first + a->from->row[i], status);
	}
}

/* Write the fractions of rays. Those of open ones will be written again, as their rows. */
WP_INLINE void write_fractions(const wp_call *call, const wp_waiting_rays *from, const float *fraction)
{
	const size_t stride = call->fraction.stride;
	char *const first = (char *)call->fraction.data + call->first * stride;
	if (stride == sizeof *fraction && from->row[from->count - 1] - from->row[0] == from->count - 1) {
		memcpy(first + from->row[0] * stride, fraction, from->count * stride);
		return;
	}
	for (uint32_t i = 0; i < from->count; i++)
		memcpy(first + from->row[i] * stride, &fraction[i], sizeof *fraction);
}

/* Where rays have their rows, and lanes past the last ray: in the results, if these are an array of wp_row. */
WP_INLINE void find_rows(
	const wp_call *call, const wp_waiting_rays *from, bool copies, wp_ray_ends *ends, unsigned char **row)
{
	unsigned char *const rows = (unsigned char *)call->results.separation.data;
	const uint32_t count = copies ? from->count : 0;
	for (uint32_t i = 0; i < count; i++)
		row[i] = rows + (call->first + from->row[i]) * sizeof(wp_row);
	for (uint32_t i = count; i < WP_RAY_MAX; i++)
		row[i] = ends->row[i];
}

/* Few rays are answered in one lane; but even a single ray at a hull searches its faces in all lanes. */
static const wp_kernels *kernels_for(const wp_workspace *workspace, wp_ray_kind kind, uint32_t count)
{
	return kind != WP_RAY_HULL ? wp_kernels_for(workspace, count) : workspace->kernels;
}

bool wp_ray_run(wp_workspace *workspace, const wp_call *call, const wp_ray_side sides[2], uint32_t list, bool may_turn,
	bool copies, wp_waiting_rays *from, wp_statistics *statistics)
{
	wp_rays *const rays = &workspace->cast.rays;
	wp_ray_ends *const ends = &workspace->cast.ray_ends;
	const wp_ray_kind kind = (wp_ray_kind)(list / 2);
	const uint32_t shape = list % 2, ball = 1 - shape;
	const wp_kernels *const kernels = kernels_for(workspace, kind, from->count);
	const answers a = {call, sides, from, shape, ends};
	const uint32_t lanes = repeat_last(kernels->width, from);
	rays->count = from->count;
	rays->has_doubles = sides[0].bodies.position_real == WP_REAL_DOUBLE;
	rays->is_shape_a = shape == 0;
	rays->shape = bodies_of(&sides[shape], from->body[shape], from->core[shape], may_turn);
	rays->ball = bodies_of(&sides[ball], from->body[ball], from->core[ball], may_turn);
	if (rays->has_doubles) {
		read_doubles(&rays->shape, 0, lanes, rays);
		read_doubles(&rays->ball, 3, lanes, rays);
	}
	find_rows(call, from, copies, ends, rays->row);
	kernels->cast_rays[kind](rays, ends);
	if (ends->turns)
		return false;
	if (call->fraction.data != NULL)
		write_fractions(call, from, ends->fraction);
	if (!copies) {
		for (uint32_t i = 0; i < from->count; i++)
			if (!(ends->open >> i & 1))
				write_ray(&a, i, statistics);
	} else if (call->counts_rows) {
		count_rays(&a, rays->row, ends->open, statistics);
	}
	return true;
}

/* One body and its core in all lanes. */
static wp_ray_bodies bodies_of_one(const wp_ray_body *b, uint32_t width, const wp_core **core)
{
	static const uint32_t first[WP_RAY_MAX];
	for (uint32_t i = 0; i < width; i++)
		core[i] = b->core;
	return (wp_ray_bodies){.body = first,
		.core = core,
		.position = column_of(b->position, 0),
		.rotation = column_of(b->rotation, 0),
		.way = column_of(b->way != NULL ? b->way : nowhere, 0)};
}

bool wp_ray_one(wp_workspace *workspace, const wp_ray_body body[2], float *fraction, wp_row *row)
{
	wp_rays *const rays = &workspace->cast.rays;
	wp_ray_ends *const ends = &workspace->cast.ray_ends;
	const wp_core *cores[2][WP_RAY_MAX];
	if (body[0].core == NULL || body[1].core == NULL)
		return false;
	const bool is_ball_a = is_ball(body[0].core), is_ball_b = is_ball(body[1].core);
	if (!is_ball_a && !is_ball_b)
		return false;
	const uint32_t side = side_of_bodies(&body[0], &body[1], is_ball_a, is_ball_b);
	if (side == NO_SIDE)
		return false;
	const wp_ray_kind kind = wp_ray_kind_of(body[side].core, body[1 - side].core->radius > 0.0f);
	if (kind == WP_RAY_KIND_COUNT)
		return false;
	rays->count = 1;
	rays->has_doubles = false;
	rays->is_shape_a = side == 0;
	const wp_kernels *const kernels = kernels_for(workspace, kind, 1);
	rays->shape = bodies_of_one(&body[side], kernels->width, cores[0]);
	rays->ball = bodies_of_one(&body[1 - side], kernels->width, cores[1]);
	for (uint32_t i = 0; i < kernels->width; i++)
		rays->row[i] = ends->row[i];
	kernels->cast_rays[kind](rays, ends);
	if (ends->open)
		return false;
	memcpy(row, ends->row[0], sizeof *row);
	*fraction = ends->fraction[0];
	return true;
}
