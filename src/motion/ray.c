#include "motion/ray.h"
#include "motion/path.h"

_Static_assert((int)WP_JOB_HIT == WP_STATUS_HIT, "kernels set it");

/* ---- kinds -------------------------------------------------------------------------------------- */

WP_INLINE bool is_ball(const wp_core *core) { return core->kind == WP_CORE_SEGMENT && core->half[1] == 0.0f; }

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

WP_INLINE uint32_t side_of_bodies(const wp_ray_body *a, const wp_ray_body *b, bool is_ball_a, bool is_ball_b)
{
	if (stays(a) && stays(b))
		return is_ball_b ? 0 : 1;
	return side_of_turns(a, b, is_ball_a, is_ball_b);
}

/* Cores by kind and form; others have no closed form. */
static const uint8_t kinds[WP_CORE_INVALID + 1][WP_FORM_ELLIPSOID + 1] = {
	[WP_CORE_BOX] = {WP_RAY_BOX},
	[WP_CORE_SEGMENT] = {WP_RAY_SEGMENT},
	[WP_CORE_HULL] = {WP_RAY_HULL},
	[WP_CORE_HALF_SPACE] = {WP_RAY_HALF_SPACE},
	[WP_CORE_SMOOTH] = {[WP_FORM_BOX] = WP_RAY_KIND_COUNT,
		[WP_FORM_CYLINDER] = WP_RAY_CYLINDER,
		[WP_FORM_CONE] = WP_RAY_CONE,
		[WP_FORM_ELLIPSOID] = WP_RAY_ELLIPSOID},
	[WP_CORE_CUSTOM] = {WP_RAY_KIND_COUNT},
	[WP_CORE_INVALID] = {WP_RAY_KIND_COUNT},
};

/* The closed form that a shape has for a ball. Spheres and capsules have none for a point without a radius, and cones,
 * ellipsoids and hulls none where there is one, or where they are flat. */
WP_INLINE wp_ray_kind kind_of(const wp_core *core, float ball_radius)
{
	const bool is_round = core->radius > 0.0f || ball_radius > 0.0f;
	const wp_ray_kind kind = (wp_ray_kind)kinds[core->kind][core->kind == WP_CORE_SMOOTH ? core->count : 0];
	if (kind == WP_RAY_SEGMENT)
		return !is_round ? WP_RAY_KIND_COUNT : core->half[1] == 0.0f ? WP_RAY_BALL : WP_RAY_SEGMENT;
	if (kind == WP_RAY_HULL)
		return is_round || core->face_count == 0 ? WP_RAY_KIND_COUNT : kind;
	if (kind == WP_RAY_CONE || kind == WP_RAY_ELLIPSOID) {
		const bool is_wide = core->half[0] > 0.0f && core->half[1] > 0.0f && core->half[2] > 0.0f;
		return is_round || !is_wide ? WP_RAY_KIND_COUNT : kind;
	}
	return kind;
}

_Static_assert(offsetof(wp_core, half) == 0 && offsetof(wp_core, radius) == 3 * sizeof(float), "a WP_RAY_CORE");

static const float nowhere[3] = {0.0f, 0.0f, 0.0f};

/* Three numbers and a fourth. */
WP_INLINE void put_quad(float *quad, const void *three, float fourth)
{
	memcpy(quad, three, 3 * sizeof *quad);
	quad[3] = fourth;
}

/* Put what a body starts with and how far it goes; `rotation` and so on: which quads; `first`: which columns of doubles. */
WP_INLINE void put_body(const wp_ray_body *b, float way_fourth, float start_fourth, int rotation, int way, int start,
	int first, uint32_t i, wp_rays *rays)
{
	float *const input = rays->input + (size_t)4 * WP_RAY_INPUT_COUNT * i;
	memcpy(input + 4 * rotation, b->rotation, 4 * sizeof *input);
	put_quad(input + 4 * way, b->way, way_fourth);
	if (!rays->has_doubles) {
		put_quad(input + 4 * start, b->position, start_fourth);
		return;
	}
	put_quad(input + 4 * start, nowhere, start_fourth);
	for (int k = 0; k < 3; k++)
		memcpy(&rays->start[first + k][i], wp_offset(b->position, (size_t)k * sizeof(double)), sizeof(double));
}

WP_INLINE void put_shape(const wp_ray_body *shape, uint32_t side, uint32_t i, wp_rays *rays)
{
	memcpy(rays->input + (size_t)4 * (WP_RAY_INPUT_COUNT * i + WP_RAY_CORE), shape->core, 4 * sizeof *rays->input);
	put_body(shape, shape->core->bound, side == 0 ? 1.0f : -1.0f, WP_RAY_SHAPE_TURN, WP_RAY_SHAPE_WAY,
		WP_RAY_SHAPE_START, 0, i, rays);
}

WP_INLINE void put_ball(const wp_ray_body *ball, uint32_t i, wp_rays *rays)
{
	put_body(ball, ball->core->radius, 0.0f, WP_RAY_BALL_TURN, WP_RAY_BALL_WAY, WP_RAY_BALL_START, 3, i, rays);
}

/* A body of a call. */
WP_INLINE wp_ray_body body_of(const wp_ray_side *s, size_t body, const wp_core *core)
{
	const wp_motions *const goes = &s->motions;
	return (wp_ray_body){.core = core,
		.position = wp_offset(s->bodies.position.data, body * s->bodies.position.stride),
		.rotation = wp_offset(s->bodies.rotation.data, body * s->bodies.rotation.stride),
		.way = wp_offset(goes->translation.data, body * goes->translation.stride),
		.end = goes->rotation.data != NULL ? wp_offset(goes->rotation.data, body * goes->rotation.stride) : NULL};
}

/* Put rays of a list into the columns of kernels. */
static void read_rays(const wp_ray_side sides[2], uint32_t side, const wp_waiting_rays *from, wp_rays *rays)
{
	const uint32_t other = 1 - side;
	rays->count = from->count;
	rays->core = from->core[side];
	rays->has_doubles = sides[0].bodies.position_real == WP_REAL_DOUBLE;
	for (uint32_t i = 0; i < from->count; i++) {
		const wp_ray_body shape = body_of(&sides[side], from->body[side][i], from->core[side][i]);
		put_shape(&shape, side, i, rays);
		const wp_ray_body ball = body_of(&sides[other], from->body[other][i], from->core[other][i]);
		put_ball(&ball, i, rays);
	}
}

/* ---- rows --------------------------------------------------------------------------------------- */

wp_ray_side wp_ray_side_of(const wp_bodies *bodies, const wp_const_uint32_column *pair, const wp_motions *motions)
{
	wp_ray_side s = {.bodies = *bodies, .pair = *pair, .motions = *motions};
	if (motions->translation.data == NULL)
		s.motions.translation = (wp_const_float_column){nowhere, 0};
	return s;
}

/* The bodies of one side of rows, and their cores: an invalid one where there is none. */
WP_INLINE void find_bodies(
	const wp_call *call, const wp_ray_side *s, size_t at, uint32_t count, uint32_t *body, const wp_core **core)
{
	static const wp_core none = {.kind = WP_CORE_INVALID};
	for (uint32_t k = 0; k < count; k++) {
		bool inside;
		body[k] = wp_body_of_row(s->pair.data, s->pair.stride, at + k, s->bodies.count, &inside);
		core[k] = &none;
		if (!inside)
			continue;
		const uint32_t shape = wp_shape_of_body(&s->bodies, body[k], body[k] * s->bodies.shape.stride);
		if (shape < call->core_count)
			core[k] = call->cores + shape;
	}
}

/* The list of a row: its kind, and on which side the shape is. */
WP_INLINE uint32_t list_of(const wp_ray_side sides[2], const wp_waiting_rays *rows, uint32_t k)
{
	const wp_core *const a = rows->core[0][k], *const b = rows->core[1][k];
	const bool is_ball_a = is_ball(a), is_ball_b = is_ball(b);
	if (!is_ball_a && !is_ball_b)
		return WP_RAY_NO_LIST;
	const wp_ray_kind kind = is_ball_b ? kind_of(a, b->radius) : kind_of(b, a->radius);
	if (kind == WP_RAY_KIND_COUNT)
		return WP_RAY_NO_LIST;
	uint32_t side = is_ball_b ? 0 : 1;
	if (sides[0].motions.rotation.data != NULL || sides[1].motions.rotation.data != NULL) {
		const wp_ray_body of_a = body_of(&sides[0], rows->body[0][k], a),
						  of_b = body_of(&sides[1], rows->body[1][k], b);
		side = side_of_bodies(&of_a, &of_b, is_ball_a, is_ball_b);
	}
	return side == NO_SIDE ? WP_RAY_NO_LIST : 2 * (uint32_t)kind + side;
}

void wp_ray_look(const wp_call *call, const wp_ray_side sides[2], uint32_t row, uint32_t count, wp_ray_rows *rows)
{
	wp_waiting_rays *const all = &rows->rays;
	const size_t at = call->first + row;
	uint32_t alike = 0;
	rows->are_one_list = false;
	if (call->dimension != WP_3D) {
		for (uint32_t k = 0; k < count; k++)
			rows->list[k] = WP_RAY_NO_LIST;
		return;
	}
	all->count = count;
	find_bodies(call, &sides[0], at, count, all->body[0], all->core[0]);
	find_bodies(call, &sides[1], at, count, all->body[1], all->core[1]);
	for (uint32_t k = 0; k < count; k++) {
		all->row[k] = row + k;
		rows->list[k] = wp_has_mount(call, row + k) ? WP_RAY_NO_LIST : list_of(sides, all, k);
		alike += rows->list[k] == rows->list[0];
	}
	rows->are_one_list = alike == count && rows->list[0] != WP_RAY_NO_LIST;
}

/* ---- answers ------------------------------------------------------------------------------------ */

/* Let lanes of doubles past the last ray have what it has. */
static void repeat_last(uint32_t width, wp_rays *rays)
{
	const size_t stride = 4 * WP_RAY_INPUT_COUNT;
	const uint32_t lanes = width > 1 ? width / 2 : 1, last = rays->count - 1;
	for (uint32_t i = rays->count; i % lanes != 0; i++) {
		memcpy(rays->input + stride * i, rays->input + stride * last, stride * sizeof *rays->input);
		for (size_t k = 0; rays->has_doubles && k < WP_COUNT_OF(rays->start); k++)
			rays->start[k][i] = rays->start[k][last];
	}
}

static const float *input_of(const wp_rays *rays, uint32_t i, int quad)
{
	return rays->input + 4 * ((size_t)WP_RAY_INPUT_COUNT * i + (size_t)quad);
}

/* Where a body is at a time; `first` is where its three columns of doubles are. */
static wp_d3 place_of(const wp_rays *rays, uint32_t i, int start, int way, int first, double time)
{
	const float *const from = input_of(rays, i, start), *const goes = input_of(rays, i, way);
	double at[3];
	for (int k = 0; k < 3; k++)
		at[k] = (rays->has_doubles ? rays->start[first + k][i] : (double)from[k]) + time * (double)goes[k];
	return wp_d3_at(at);
}

/* What writing a ray takes. */
typedef struct answers {
	const wp_call *call;
	const wp_ray_side *sides; /* of A and B */
	const wp_waiting_rays *from;
	const wp_rays *rays;
	const wp_ray_ends *ends;
} answers;

/* Whether the shape of a ray is A. */
static bool is_shape_a(const wp_rays *rays, uint32_t i) { return input_of(rays, i, WP_RAY_SHAPE_START)[3] > 0.0f; }

/* The rotation of a ray's ball at a time, as it turns from the one that it was read with. */
static void turn_ball(const answers *a, uint32_t i, double time, float rotation[4])
{
	const wp_rays *const rays = a->rays;
	const uint32_t side = is_shape_a(rays, i) ? 1 : 0;
	const wp_motions *const goes = &a->sides[side].motions;
	const size_t body = a->from->body[side][i];
	const float *const from = input_of(rays, i, WP_RAY_BALL_TURN);
	wp_cast_path path = {.start = {0.0}};
	wp_cast_body ball = {.shape = 0};
	float to[4];
	memcpy(to, goes->rotation.data != NULL ? wp_offset(goes->rotation.data, body * goes->rotation.stride) : from,
		sizeof to);
	memcpy(ball.rotation, from, sizeof ball.rotation);
	wp_path_find_turn(&path, from, to);
	wp_path_move(&path, NULL, time, &ball);
	memcpy(rotation, ball.rotation, sizeof ball.rotation);
}

/* A ray's outputs in double. Points of the ball and the shape are along the normal from the centre of the ball. */
static void write_ray(const answers *a, uint32_t i, wp_statistics *statistics)
{
	const wp_rays *const rays = a->rays;
	const float *const found = a->ends->output + (size_t)WP_OUTPUT_COUNT * i;
	const double own = (double)input_of(rays, i, WP_RAY_BALL_WAY)[3], time = a->ends->time[i];
	const wp_d3 world = wp_d3_of(a->ends->normal[0][i], a->ends->normal[1][i], a->ends->normal[2][i]);
	const wp_d3 centre = place_of(rays, i, WP_RAY_BALL_START, WP_RAY_BALL_WAY, 3, time);
	const wp_d3 on_ball = wp_d3_scale(world, own), on_shape = wp_d3_scale(world, own + a->ends->gap[i]);
	const wp_d3 of_ball = wp_d3_sub(centre, on_ball), of_shape = wp_d3_sub(centre, on_shape);
	const bool is_a = is_shape_a(rays, i);
	/* What is added to -0 stays as it is. */
	const double zero[3] = {-0.0, -0.0, -0.0};
	wp_output output = {
		.separation = found[WP_OUTPUT_SEPARATION], .lower = found[WP_OUTPUT_LOWER], .upper = found[WP_OUTPUT_UPPER]};
	memcpy(output.normal, found + WP_OUTPUT_NORMAL, sizeof output.normal);
	memcpy(&output.status, found + WP_OUTPUT_STATUS, sizeof output.status);
	wp_d3_put(is_a ? of_shape : of_ball, output.point_a);
	wp_d3_put(is_a ? of_ball : of_shape, output.point_b);
	if (wp_wants_details(&a->call->results)) {
		float rotation[4];
		double from_ball[3], from_shape[3];
		turn_ball(a, i, time, rotation);
		wp_d3_put(wp_d3_negate(on_ball), from_ball);
		wp_d3_put(wp_d3_sub(of_shape, place_of(rays, i, WP_RAY_SHAPE_START, WP_RAY_SHAPE_WAY, 0, time)), from_shape);
		wp_to_local(input_of(rays, i, WP_RAY_SHAPE_TURN), from_shape, is_a ? output.local_a : output.local_b);
		wp_to_local(rotation, from_ball, is_a ? output.local_b : output.local_a);
	}
	wp_write_row(a->call, a->from->row[i], zero, &output, statistics);
}

/* Write the fraction of a ray. */
WP_INLINE void write_fraction(const answers *a, uint32_t i)
{
	const wp_float_column *const to = &a->call->fraction;
	if (to->data != NULL)
		memcpy((char *)to->data + (a->call->first + a->from->row[i]) * to->stride,
			a->ends->output + (size_t)WP_OUTPUT_COUNT * i + WP_RAY_FRACTION, sizeof(float));
}

/* Copy outputs that are a wp_row, where results are an array of these. Returns how many rays are open. */
static uint32_t copy_rows(const answers *a, uint32_t count, wp_statistics *statistics)
{
	const size_t first = a->call->first;
	const bool counts = a->call->counts_rows;
	char *const rows = (char *)a->call->results.separation.data + first * sizeof(wp_row);
	uint32_t open = 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t row = a->from->row[i];
		wp_row found;
		memcpy(&found, a->ends->output + (size_t)WP_OUTPUT_COUNT * i, sizeof found);
		if (found.status == 0) {
			open++;
			continue;
		}
		memcpy(rows + row * sizeof found, &found, sizeof found);
		write_fraction(a, i);
		if (counts)
			wp_count_row(statistics, first + row, found.status);
	}
	return open;
}

/* Write outputs one by one. Returns how many rays are open. */
static uint32_t write_rays(const answers *a, uint32_t count, wp_statistics *statistics)
{
	uint32_t open = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (wp_ray_is_open(a->ends, i)) {
			open++;
			continue;
		}
		write_ray(a, i, statistics);
		write_fraction(a, i);
	}
	return open;
}

/* Few rays are answered in one lane; but even a single ray at a hull searches its faces in all lanes. */
static const wp_kernels *kernels_for(const wp_workspace *workspace, wp_ray_kind kind, uint32_t count)
{
	return kind != WP_RAY_HULL ? wp_kernels_for(workspace, count) : workspace->kernels;
}

static void run_rays(const wp_workspace *workspace, wp_ray_kind kind, wp_rays *rays, wp_ray_ends *ends)
{
	const wp_kernels *const kernels = kernels_for(workspace, kind, rays->count);
	repeat_last(kernels->width, rays);
	kernels->cast_rays[kind](rays, ends);
}

uint32_t wp_ray_run(wp_workspace *workspace, const wp_call *call, const wp_ray_side sides[2], uint32_t list,
	const wp_waiting_rays *rays, wp_statistics *statistics)
{
	wp_cast_memory *const cast = &workspace->cast;
	const answers a = {call, sides, rays, &cast->rays, &cast->ray_ends};
	read_rays(sides, list % 2, rays, &cast->rays);
	run_rays(workspace, (wp_ray_kind)(list / 2), &cast->rays, &cast->ray_ends);
	if (wp_cast_copies(call))
		return copy_rows(&a, rays->count, statistics);
	return write_rays(&a, rays->count, statistics);
}

bool wp_ray_one(wp_workspace *workspace, const wp_ray_body body[2], float *fraction, wp_row *row)
{
	wp_ray_ends *const ends = &workspace->cast.ray_ends;
	if (body[0].core == NULL || body[1].core == NULL)
		return false;
	const bool is_ball_a = is_ball(body[0].core), is_ball_b = is_ball(body[1].core);
	if (!is_ball_a && !is_ball_b)
		return false;
	const uint32_t side = side_of_bodies(&body[0], &body[1], is_ball_a, is_ball_b);
	if (side == NO_SIDE)
		return false;
	const wp_ray_kind kind = kind_of(body[side].core, body[1 - side].core->radius);
	if (kind == WP_RAY_KIND_COUNT)
		return false;
	wp_rays *const rays = &workspace->cast.rays;
	wp_ray_body shape = body[side], ball = body[1 - side];
	shape.way = shape.way != NULL ? shape.way : nowhere;
	ball.way = ball.way != NULL ? ball.way : nowhere;
	rays->count = 1;
	rays->core = &shape.core;
	rays->has_doubles = false;
	put_shape(&shape, side, 0, rays);
	put_ball(&ball, 0, rays);
	run_rays(workspace, kind, rays, ends);
	if (wp_ray_is_open(ends, 0))
		return false;
	memcpy(row, ends->output, sizeof *row);
	memcpy(fraction, ends->output + WP_RAY_FRACTION, sizeof *fraction);
	return true;
}
