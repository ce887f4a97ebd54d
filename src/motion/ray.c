#include "motion/ray.h"
#include "motion/path.h"

_Static_assert((int)WP_JOB_HIT == WP_STATUS_HIT, "kernels set it");

/* Rays up to so many of a kind are answered one by one, as pairs are. */
#define WP_FEW_JOBS 2

/* ---- rows --------------------------------------------------------------------------------------- */

/* A body of a row, and its core. */
typedef struct mover {
	uint32_t body;
	const wp_core *core;
} mover;

/* False where the row has no such body, or the body no such shape. */
WP_INLINE bool find_mover(
	const wp_call *call, const wp_bodies *bodies, const wp_const_uint32_column *pair, size_t at, mover *m)
{
	bool inside;
	m->body = wp_body_of_row(pair->data, pair->stride, at, bodies->count, &inside);
	if (!inside)
		return false;
	const uint32_t shape = wp_shape_of_body(bodies, m->body, m->body * bodies->shape.stride);
	m->core = call->cores + shape;
	return shape < call->core_count;
}

WP_INLINE bool is_ball(const wp_core *core) { return core->kind == WP_CORE_SEGMENT && core->half[1] == 0.0f; }

/* Rotations of a body at the start and the end. */
typedef struct turn {
	float from[4], to[4];
} turn;

static turn read_turn(const wp_bodies *bodies, const wp_motions *motions, size_t body)
{
	turn t;
	memcpy(t.from, wp_offset(bodies->rotation.data, body * bodies->rotation.stride), sizeof t.from);
	memcpy(t.to,
		motions->rotation.data != NULL ? wp_offset(motions->rotation.data, body * motions->rotation.stride) : t.from,
		sizeof t.to);
	return t;
}

static bool turns(const turn *t)
{
	wp_cast_path path;
	if (memcmp(t->from, t->to, sizeof t->to) == 0)
		return false;
	wp_path_find_turn(&path, t->from, t->to);
	return path.turn != 0.0;
}

/* Neither side. */
#define NO_SIDE 2

/* Which side of a row is the shape that a ball comes to, without turning: 0 of A, 1 of B. NO_SIDE: the row is no ray, or a
 * rotation at the end is none. */
static uint32_t side_of_turns(const turn *a, const turn *b, bool is_ball_a, bool is_ball_b)
{
	if (!wp_rotation_holds(a->to, WP_3D) || !wp_rotation_holds(b->to, WP_3D))
		return NO_SIDE;
	return is_ball_b && !turns(a) ? 0 : is_ball_a && !turns(b) ? 1 : NO_SIDE;
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

WP_INLINE uint32_t side_of_row(const wp_call *call, const wp_motions *const motions[2], const mover m[2])
{
	const bool is_ball_a = is_ball(m[0].core), is_ball_b = is_ball(m[1].core);
	if (!is_ball_a && !is_ball_b)
		return NO_SIDE;
	if (motions[0]->rotation.data == NULL && motions[1]->rotation.data == NULL)
		return is_ball_b ? 0 : 1;
	const turn a = read_turn(&call->a, motions[0], m[0].body), b = read_turn(&call->b, motions[1], m[1].body);
	return side_of_turns(&a, &b, is_ball_a, is_ball_b);
}

/* Put a row among the rays of its kind that wait, and return it. WP_RAY_KIND_COUNT: it is no ray. */
WP_INLINE wp_ray_kind take_row(
	const wp_call *call, uint32_t row, const wp_motions *const motions[2], wp_cast_memory *cast)
{
	const size_t at = call->first + row;
	mover m[2];
	if (call->dimension != WP_3D || !find_mover(call, &call->a, &call->pair_a, at, &m[0]) ||
		!find_mover(call, &call->b, &call->pair_b, at, &m[1]))
		return WP_RAY_KIND_COUNT;
	const uint32_t side = side_of_row(call, motions, m);
	if (side == NO_SIDE)
		return WP_RAY_KIND_COUNT;
	const mover shape = side == 0 ? m[0] : m[1], ball = side == 0 ? m[1] : m[0];
	const wp_ray_kind kind = kind_of(shape.core, ball.core->radius);
	if (kind == WP_RAY_KIND_COUNT)
		return kind;
	wp_waiting_rays *const to = &cast->waiting[kind];
	const uint32_t i = to->count++;
	to->row[i] = row;
	to->side[i] = side;
	to->body[0][i] = shape.body;
	to->body[1][i] = ball.body;
	to->core[0][i] = shape.core;
	to->core[1][i] = ball.core;
	return kind;
}

uint64_t wp_ray_take(const wp_call *call, uint64_t row, uint64_t end, const wp_motions *const motions[2],
	wp_cast_memory *cast, wp_ray_kind *kind)
{
	*kind = WP_RAY_KIND_COUNT;
	while (row < end) {
		*kind = take_row(call, (uint32_t)row++, motions, cast);
		if (*kind == WP_RAY_KIND_COUNT || cast->waiting[*kind].count == WP_RAY_MAX)
			break;
	}
	return row;
}

/* ---- inputs ------------------------------------------------------------------------------------- */

_Static_assert(offsetof(wp_core, half) == 0 && offsetof(wp_core, radius) == 3 * sizeof(float), "a WP_RAY_CORE");

/* Where the bodies of one side have what they start with and how far they go: nowhere at a stride of 0. */
typedef struct view {
	const void *position, *rotation, *way;
	size_t position_stride, rotation_stride, way_stride;
} view;

static const float nowhere[3] = {0.0f, 0.0f, 0.0f};

static view view_of(const wp_bodies *bodies, const wp_motions *motions)
{
	const bool goes = motions->translation.data != NULL;
	return (view){.position = bodies->position.data,
		.rotation = bodies->rotation.data,
		.way = goes ? motions->translation.data : nowhere,
		.position_stride = bodies->position.stride,
		.rotation_stride = bodies->rotation.stride,
		.way_stride = goes ? motions->translation.stride : 0};
}

/* Three numbers and a fourth. */
WP_INLINE void put_quad(float *quad, const void *three, float fourth)
{
	memcpy(quad, three, 3 * sizeof *quad);
	quad[3] = fourth;
}

/* Put what a body starts with and how far it goes; `rotation` and so on: which quads; `first`: which columns of doubles. */
WP_INLINE void put_body(const view *v, uint32_t real, size_t body, float way_fourth, float start_fourth, int rotation,
	int way, int start, int first, uint32_t i, wp_rays *rays)
{
	float *const input = rays->input + (size_t)4 * WP_RAY_INPUT_COUNT * i;
	const void *const position = wp_offset(v->position, body * v->position_stride);
	memcpy(input + 4 * rotation, wp_offset(v->rotation, body * v->rotation_stride), 4 * sizeof *input);
	put_quad(input + 4 * way, wp_offset(v->way, body * v->way_stride), way_fourth);
	put_quad(input + 4 * start, real == WP_REAL_FLOAT ? position : nowhere, start_fourth);
	if (real == WP_REAL_FLOAT)
		return;
	double at[3];
	memcpy(at, position, sizeof at);
	for (int k = 0; k < 3; k++)
		rays->start[first + k][i] = at[k];
}

/* A ray as two bodies with cores, on the sides of views: [0] the shape, [1] the ball. */
WP_INLINE void put_ray(const view views[2], uint32_t real, uint32_t side, const uint32_t body[2],
	const wp_core *const core[2], uint32_t i, wp_rays *rays)
{
	memcpy(rays->input + 4 * (WP_RAY_INPUT_COUNT * i + WP_RAY_CORE), core[0], 4 * sizeof *rays->input);
	put_body(&views[side], real, body[0], core[0]->bound, side == 0 ? 1.0f : -1.0f, WP_RAY_SHAPE_TURN, WP_RAY_SHAPE_WAY,
		WP_RAY_SHAPE_START, 0, i, rays);
	put_body(&views[1 - side], real, body[1], core[1]->radius, 0.0f, WP_RAY_BALL_TURN, WP_RAY_BALL_WAY,
		WP_RAY_BALL_START, 3, i, rays);
}

WP_INLINE void put_rays(const view views[2], uint32_t real, const wp_waiting_rays *from, wp_rays *rays)
{
	for (uint32_t i = 0; i < from->count; i++) {
		const uint32_t body[2] = {from->body[0][i], from->body[1][i]};
		const wp_core *const core[2] = {from->core[0][i], from->core[1][i]};
		put_ray(views, real, from->side[i], body, core, i, rays);
	}
}

/* Read what rays start with and how far they go. */
static void read_rays(
	const wp_call *call, const wp_motions *const motions[2], const wp_waiting_rays *from, wp_rays *rays)
{
	const view views[2] = {view_of(&call->a, motions[0]), view_of(&call->b, motions[1])};
	rays->count = from->count;
	rays->core = from->core[0];
	rays->has_doubles = call->a.position_real == WP_REAL_DOUBLE;
	if (rays->has_doubles)
		put_rays(views, WP_REAL_DOUBLE, from, rays);
	else
		put_rays(views, WP_REAL_FLOAT, from, rays);
}

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

/* ---- answers ------------------------------------------------------------------------------------ */

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
	const wp_motions *const *motions; /* of A and B */
	const wp_waiting_rays *waiting;
	const wp_rays *rays;
	const wp_ray_ends *ends;
} answers;

/* The rotation of a ray's ball at a time, as it turns from the one that it was read with. */
static void turn_ball(const answers *a, uint32_t i, double time, float rotation[4])
{
	const wp_motions *const goes = a->motions[1 - a->waiting->side[i]];
	const size_t body = a->waiting->body[1][i];
	const float *const from = input_of(a->rays, i, WP_RAY_BALL_TURN);
	wp_cast_path path = {.start = {0.0}};
	wp_cast_body ball = {.shape = 0};
	float to[4];
	memcpy(to, goes->rotation.data != NULL ? wp_offset(goes->rotation.data, body * goes->rotation.stride) : from,
		sizeof to);
	memcpy(ball.rotation, from, sizeof ball.rotation);
	wp_path_find_turn(&path, from, to);
	wp_path_move(&path, time, &ball);
	memcpy(rotation, ball.rotation, sizeof ball.rotation);
}

/* A ray's outputs in double. Points of the ball and the shape are along the normal from the centre of the ball. */
static void write_ray(const answers *a, uint32_t i, wp_statistics *statistics)
{
	const float *const found = a->ends->output + (size_t)WP_OUTPUT_COUNT * i;
	const double own = (double)input_of(a->rays, i, WP_RAY_BALL_WAY)[3], time = a->ends->time[i];
	const wp_d3 world = wp_d3_of(a->ends->normal[0][i], a->ends->normal[1][i], a->ends->normal[2][i]);
	const wp_d3 centre = place_of(a->rays, i, WP_RAY_BALL_START, WP_RAY_BALL_WAY, 3, time);
	const wp_d3 on_ball = wp_d3_scale(world, own), on_shape = wp_d3_scale(world, own + a->ends->gap[i]);
	const wp_d3 of_ball = wp_d3_sub(centre, on_ball), of_shape = wp_d3_sub(centre, on_shape);
	const bool is_a = a->waiting->side[i] == 0;
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
		wp_d3_put(wp_d3_sub(of_shape, place_of(a->rays, i, WP_RAY_SHAPE_START, WP_RAY_SHAPE_WAY, 0, time)), from_shape);
		wp_to_local(input_of(a->rays, i, WP_RAY_SHAPE_TURN), from_shape, is_a ? output.local_a : output.local_b);
		wp_to_local(rotation, from_ball, is_a ? output.local_b : output.local_a);
	}
	wp_write_row(a->call, a->waiting->row[i], zero, &output, statistics);
}

static void write_fractions(const answers *a)
{
	const wp_float_column *const to = &a->call->fraction;
	const float *const found = a->ends->output + WP_RAY_FRACTION;
	if (to->data == NULL)
		return;
	char *const fraction = (char *)to->data + a->call->first * to->stride;
	for (uint32_t i = 0; i < a->rays->count; i++)
		if (!wp_ray_is_open(a->ends, i))
			memcpy(fraction + a->waiting->row[i] * to->stride, found + (size_t)WP_OUTPUT_COUNT * i, sizeof *found);
}

/* Outputs that are a wp_row, where results are an array of these. */
static void copy_rows(const answers *a, wp_statistics *statistics)
{
	const size_t first = a->call->first;
	char *const rows = (char *)a->call->results.separation.data + first * sizeof(wp_row);
	for (uint32_t i = 0; i < a->rays->count; i++) {
		const uint32_t row = a->waiting->row[i];
		wp_row found;
		memcpy(&found, a->ends->output + (size_t)WP_OUTPUT_COUNT * i, sizeof found);
		if (found.status == 0)
			continue;
		memcpy(rows + row * sizeof found, &found, sizeof found);
		if (a->call->counts_rows)
			wp_count_row(statistics, first + row, found.status);
	}
}

/* Few rays are answered in one lane; but even a single ray at a hull searches its faces in all lanes. */
static const wp_kernels *kernels_for(const wp_workspace *workspace, wp_ray_kind kind, uint32_t count)
{
	return count <= WP_FEW_JOBS && kind != WP_RAY_HULL ? workspace->few : workspace->kernels;
}

static void run_rays(const wp_workspace *workspace, wp_ray_kind kind, wp_rays *rays, wp_ray_ends *ends)
{
	const wp_kernels *const kernels = kernels_for(workspace, kind, rays->count);
	repeat_last(kernels->width, rays);
	kernels->cast_rays[kind](rays, ends);
}

void wp_ray_run(wp_workspace *workspace, const wp_call *call, const wp_motions *const motions[2], wp_ray_kind kind,
	wp_statistics *statistics)
{
	const wp_results *const r = &call->results;
	wp_cast_memory *const cast = &workspace->cast;
	const wp_waiting_rays *const waiting = &cast->waiting[kind];
	const answers a = {call, motions, waiting, &cast->rays, &cast->ray_ends};
	read_rays(call, motions, waiting, &cast->rays);
	run_rays(workspace, kind, &cast->rays, &cast->ray_ends);
	write_fractions(&a);
	if (wp_are_rows(r) && r->point_real == WP_REAL_FLOAT && r->overlap.data == NULL && !wp_wants_details(r)) {
		copy_rows(&a, statistics);
		return;
	}
	for (uint32_t i = 0; i < waiting->count; i++)
		if (!wp_ray_is_open(&cast->ray_ends, i))
			write_ray(&a, i, statistics);
}

/* ---- one ray ------------------------------------------------------------------------------------ */

/* The rotations of a body at the start and at the end. */
static turn turn_of_body(const wp_ray_body *b)
{
	turn t;
	memcpy(t.from, b->rotation, sizeof t.from);
	memcpy(t.to, b->end != NULL ? b->end : b->rotation, sizeof t.to);
	return t;
}

static view view_of_body(const wp_ray_body *b)
{
	return (view){.position = b->position, .rotation = b->rotation, .way = b->way != NULL ? b->way : nowhere};
}

bool wp_ray_one(wp_workspace *workspace, const wp_ray_body body[2], float *fraction, wp_row *row)
{
	wp_rays *const rays = &workspace->cast.rays;
	wp_ray_ends *const ends = &workspace->cast.ray_ends;
	if (body[0].core == NULL || body[1].core == NULL)
		return false;
	const bool is_ball_a = is_ball(body[0].core), is_ball_b = is_ball(body[1].core);
	if (!is_ball_a && !is_ball_b)
		return false;
	const turn a = turn_of_body(&body[0]), b = turn_of_body(&body[1]);
	const uint32_t side = side_of_turns(&a, &b, is_ball_a, is_ball_b);
	if (side == NO_SIDE)
		return false;
	const wp_core *const core[2] = {body[side].core, body[1 - side].core};
	const wp_ray_kind kind = kind_of(core[0], core[1]->radius);
	if (kind == WP_RAY_KIND_COUNT)
		return false;
	const view views[2] = {view_of_body(&body[0]), view_of_body(&body[1])};
	rays->count = 1;
	rays->core = core;
	rays->has_doubles = false;
	put_ray(views, WP_REAL_FLOAT, side, (const uint32_t[2]){0, 0}, core, 0, rays);
	run_rays(workspace, kind, rays, ends);
	if (wp_ray_is_open(ends, 0))
		return false;
	memcpy(row, ends->output, sizeof *row);
	memcpy(fraction, ends->output + WP_RAY_FRACTION, sizeof *fraction);
	return true;
}
