#include "pairs.h"

#include "solids.h"

#include <stdlib.h>
#include <string.h>

static const char *const kind_names[PAIR_KIND_COUNT] = {"box", "hull8", "hull16", "hull32", "hull64", "hull128",
	"hull256", "capsule", "boxcapsule", "mixed", "tri", "cylinder", "cone", "ellipsoid", "smoothmixed",
	"spherecylinder", "spherecone", "sphereellipsoid", "spherehull32"};
static const char *const regime_names[PAIR_REGIME_COUNT] = {"engine", "separated", "near", "shallow", "deep"};

const char *pair_kind_name(pair_kind kind) { return kind_names[kind]; }

const char *pair_regime_name(pair_regime regime) { return regime_names[regime]; }

/* ---- shapes --------------------------------------------------------------------------------------- */

/* Pairs draw A from the shapes before `split` and B from those after it, or both from all where it is 0. */
typedef struct maker {
	const pair_request *wanted;
	gen_random random;
	solid_list list;
	uint32_t split;
} maker;

static bool make_hulls(maker *job, uint32_t vertices)
{
	const uint32_t count = job->wanted->shape_count;
	if (!solid_list_reserve(&job->list, count, count * vertices))
		return false;
	for (uint32_t index = 0; index < count; index++)
		solid_add_hull(&job->list, &job->random, vertices);
	return true;
}

/* A sphere, a capsule, a box and a hull in turn. */
static void add_mixed(maker *job, uint32_t index, uint32_t hull_vertices)
{
	switch (index % 4) {
	case 0:
		solid_add_sphere(&job->list, &job->random);
		break;
	case 1:
		solid_add_capsule(&job->list, &job->random);
		break;
	case 2:
		solid_add_box(&job->list, &job->random);
		break;
	default:
		solid_add_hull(&job->list, &job->random, hull_vertices);
		break;
	}
}

/* Half of them are cylinders and cones. */
static void add_smoothmixed(maker *job, uint32_t index)
{
	if (index % 8 < 4)
		add_mixed(job, index, 32);
	else
		solid_add_upright(&job->list, &job->random, index % 2 ? CAPTURE_CYLINDER : CAPTURE_CONE);
}

static bool make_smooth(maker *job)
{
	const uint32_t count = job->wanted->shape_count;
	if (!solid_list_reserve(&job->list, count, count * 32))
		return false;
	for (uint32_t index = 0; index < count; index++) {
		if (job->wanted->kind == PAIR_ELLIPSOID)
			solid_add_ellipsoid(&job->list, &job->random);
		else if (job->wanted->kind == PAIR_SMOOTHMIXED)
			add_smoothmixed(job, index);
		else
			solid_add_upright(
				&job->list, &job->random, job->wanted->kind == PAIR_CYLINDER ? CAPTURE_CYLINDER : CAPTURE_CONE);
	}
	return true;
}

/* Spheres, then others. */
static bool make_spheres_and(maker *job)
{
	const uint32_t count = job->wanted->shape_count;
	const pair_kind kind = job->wanted->kind;
	if (!solid_list_reserve(&job->list, 2 * count, count * 32))
		return false;
	for (uint32_t index = 0; index < count; index++)
		solid_add_sphere(&job->list, &job->random);
	job->split = count;
	for (uint32_t index = 0; index < count; index++) {
		if (kind == PAIR_SPHEREHULL32)
			solid_add_hull(&job->list, &job->random, 32);
		else if (kind == PAIR_SPHEREELLIPSOID)
			solid_add_ellipsoid(&job->list, &job->random);
		else
			solid_add_upright(&job->list, &job->random, kind == PAIR_SPHERECYLINDER ? CAPTURE_CYLINDER : CAPTURE_CONE);
	}
	return true;
}

static bool make_others(maker *job)
{
	static const uint32_t tri_sizes[3] = {8, 16, 32}, mixed_sizes[5] = {8, 16, 32, 64, 128};
	const uint32_t count = job->wanted->shape_count;
	const pair_kind kind = job->wanted->kind;
	const bool two_sorts = kind == PAIR_BOXCAPSULE || kind == PAIR_TRI;
	if (!solid_list_reserve(&job->list, 2 * count, count * (3 + 128)))
		return false;
	for (uint32_t index = 0; index < count; index++) {
		if (kind == PAIR_CAPSULE || kind == PAIR_BOXCAPSULE)
			solid_add_capsule(&job->list, &job->random);
		else if (kind == PAIR_BOX)
			solid_add_box(&job->list, &job->random);
		else if (kind == PAIR_TRI)
			solid_add_triangle(&job->list, &job->random);
		else
			add_mixed(job, index, mixed_sizes[index / 4 % 5]);
	}
	job->split = two_sorts ? count : 0;
	for (uint32_t index = 0; two_sorts && index < count; index++) {
		if (kind == PAIR_TRI)
			solid_add_hull(&job->list, &job->random, tri_sizes[index % 3]);
		else
			solid_add_box(&job->list, &job->random);
	}
	return true;
}

static bool make_shapes(maker *job)
{
	switch (job->wanted->kind) {
	case PAIR_HULL8:
	case PAIR_HULL16:
	case PAIR_HULL32:
	case PAIR_HULL64:
	case PAIR_HULL128:
	case PAIR_HULL256:
		return make_hulls(job, 8u << (job->wanted->kind - PAIR_HULL8));
	case PAIR_CYLINDER:
	case PAIR_CONE:
	case PAIR_ELLIPSOID:
	case PAIR_SMOOTHMIXED:
		return make_smooth(job);
	case PAIR_SPHERECYLINDER:
	case PAIR_SPHERECONE:
	case PAIR_SPHEREELLIPSOID:
	case PAIR_SPHEREHULL32:
		return make_spheres_and(job);
	default:
		return make_others(job);
	}
}

/* ---- poses ---------------------------------------------------------------------------------------- */

/* The pair being placed: A turned about the origin, B turned about `offset` from it. */
typedef struct placing {
	solid a, b;
	float turn_a[4], turn_b[4];
	v3 offset;
	double size;
} placing;

/* Unit quaternion of a rotation, largest component first found for accuracy, in double. */
static void quaternion_of(const m3 *m, float q[4])
{
	const double t[4] = {
		1.0 + m->x.x - m->y.y - m->z.z, /* 4 x x */
		1.0 - m->x.x + m->y.y - m->z.z, /* 4 y y */
		1.0 - m->x.x - m->y.y + m->z.z, /* 4 z z */
		1.0 + m->x.x + m->y.y + m->z.z, /* 4 w w */
	};
	const double xy = m->x.y + m->y.x, xz = m->x.z + m->z.x, yz = m->y.z + m->z.y;
	const double wx = m->y.z - m->z.y, wy = m->z.x - m->x.z, wz = m->x.y - m->y.x;
	const double columns[4][4] = {{t[0], xy, xz, wx}, {xy, t[1], yz, wy}, {xz, yz, t[2], wz}, {wx, wy, wz, t[3]}};
	int largest = 0;
	for (int index = 1; index < 4; index++)
		largest = t[index] > t[largest] ? index : largest;
	const double *column = columns[largest];
	const double length = sqrt(
		column[0] * column[0] + column[1] * column[1] + column[2] * column[2] + column[3] * column[3]);
	for (int index = 0; index < 4; index++)
		q[index] = gen_rounded(column[index] / length);
}

static void draw_shapes(maker *job, placing *place)
{
	uint32_t a, b;
	if (job->split) {
		a = gen_below(&job->random, job->split);
		b = job->split + gen_below(&job->random, job->list.shape_count - job->split);
		/* The triangle of a mesh is always A; others take turns. */
		if (job->wanted->kind != PAIR_TRI && gen_below(&job->random, 2)) {
			const uint32_t kept = a;
			a = b;
			b = kept;
		}
	} else {
		a = gen_below(&job->random, job->list.shape_count);
		b = gen_below(&job->random, job->list.shape_count);
	}
	place->a.shape = &job->list.shapes[a];
	place->b.shape = &job->list.shapes[b];
	place->a.vertices = place->b.vertices = (const float(*)[3])job->list.vertices;
	gen_rotation(&job->random, place->turn_a);
	gen_rotation(&job->random, place->turn_b);
	place->a.turn = m3_of_quaternion(place->turn_a);
	place->b.turn = m3_of_quaternion(place->turn_b);
	place->size = 2.0 * fmin(solid_bound(&place->a), solid_bound(&place->b));
}

/* Along a random ray: B touches A where the ray leaves A - B; from there out by `gap` or in. B stays on the
 * side where it is, so that a depth larger than A - B leaves an overlap. */
static bool place_apart(maker *job, placing *place, double gap)
{
	const v3 direction = gen_direction(&job->random);
	solid_exit touching;
	if (!solid_leave(&place->a, &place->b, direction, &touching))
		return false;
	place->offset = v3_scale(direction, fmax(touching.distance + gap, 0.05 * touching.distance));
	return true;
}

/* A face of a shape as it is turned: its normal, a point of it, and a direction along it. */
typedef struct face {
	v3 normal, point, along;
} face;

static bool random_face(maker *job, const solid *of, face *found)
{
	const v3 direction = gen_direction(&job->random);
	const float *param = of->shape->param;
	solid_exit exit;
	if (of->shape->kind == CAPTURE_CAPSULE) {
		found->along = of->turn.y;
		found->normal = v3_unit(v3_sub(direction, v3_scale(of->turn.y, v3_dot(direction, of->turn.y))));
		const double height = gen_range(&job->random, -0.8, 0.8) * param[1];
		found->point = v3_add(v3_scale(found->normal, param[0]), v3_scale(of->turn.y, height));
		return true;
	}
	if (of->shape->kind == CAPTURE_HULL && of->shape->vertex_count == 3) {
		v3 corner[3];
		for (uint32_t index = 0; index < 3; index++)
			corner[index] = m3_apply(of->turn, v3_of_floats(of->vertices[of->shape->first_vertex + index]));
		found->normal = v3_unit(v3_cross(v3_sub(corner[1], corner[0]), v3_sub(corner[2], corner[0])));
		found->point = v3_scale(corner[0], 0.3);
	} else {
		if (!solid_leave(of, NULL, direction, &exit))
			return false;
		found->normal = exit.normal;
		found->point = v3_scale(direction, exit.distance);
	}
	found->along = v3_across(found->normal);
	return true;
}

/* The rotation that takes the first frame's normal and direction along it to the second's. */
static m3 turn_onto(const face *from, v3 normal, v3 along)
{
	const v3 side = v3_cross(from->normal, from->along), new_side = v3_cross(normal, along);
	const m3 back = {v3_of(from->normal.x, from->along.x, side.x), v3_of(from->normal.y, from->along.y, side.y),
		v3_of(from->normal.z, from->along.z, side.z)};
	const m3 forth = {normal, along, new_side};
	return m3_multiply(forth, back);
}

/* A face of B on a face of A, turned about the normal, tilted a little, `gap` apart. Capsules lie side by
 * side. */
static bool place_on_face(maker *job, placing *place, double gap)
{
	face a, b;
	if (!random_face(job, &place->a, &a) || !random_face(job, &place->b, &b))
		return false;
	const bool capsules = place->a.shape->kind == CAPTURE_CAPSULE && place->b.shape->kind == CAPTURE_CAPSULE;
	v3 along = a.along;
	if (!capsules)
		along = v3_unit(v3_cross(a.normal, gen_direction(&job->random)));
	if (v3_length(along) < 0.5)
		return false;
	const m3 turned = turn_onto(&b, v3_scale(a.normal, -1.0), along);
	/* The order of a call's arguments is the compiler's choice, so each number has a statement of its own. */
	const double angle = gen_magnitude(&job->random, 1e-4, 0.03);
	const v3 axis = v3_scale(gen_direction(&job->random), 0.5 * angle);
	const float tilt[4] = {gen_rounded(axis.x), gen_rounded(axis.y), gen_rounded(axis.z), 1.0f};
	const m3 tilted = m3_of_quaternion(tilt), onto = m3_multiply(turned, place->b.turn);
	const m3 whole = m3_multiply(tilted, onto);
	quaternion_of(&whole, place->turn_b);
	place->b.turn = m3_of_quaternion(place->turn_b);
	/* The points of the faces on each other, then apart along the normal by the gap of the supports. */
	place->offset = v3_sub(a.point, m3_apply(turned, b.point));
	const double top = v3_dot(solid_support(&place->a, a.normal), a.normal);
	const double bottom = v3_dot(solid_support(&place->b, v3_scale(a.normal, -1.0)), a.normal) +
	                      v3_dot(place->offset, a.normal);
	place->offset = v3_add(place->offset, v3_scale(a.normal, top + gap - bottom));
	return true;
}

static bool boxes_overlap(const placing *place)
{
	const v3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
	for (int axis = 0; axis < 3; axis++) {
		const v3 up = axes[axis], down = v3_scale(up, -1.0);
		const double high_a = v3_dot(solid_support(&place->a, up), up);
		const double low_a = v3_dot(solid_support(&place->a, down), up);
		const double at = v3_dot(place->offset, up);
		const double high_b = v3_dot(solid_support(&place->b, up), up) + at;
		const double low_b = v3_dot(solid_support(&place->b, down), up) + at;
		if (high_a < low_b || high_b < low_a)
			return false;
	}
	return true;
}

/* `lot` is 0 .. 99. */
static bool place_as_engine(maker *job, placing *place, uint32_t lot)
{
	if (lot < 45)
		return place_apart(job, place, gen_range(&job->random, 0.0, 0.3) * place->size) && boxes_overlap(place);
	if (lot < 95) {
		const double gap = -gen_range(&job->random, 0.0, 0.05) * place->size;
		return lot % 2 ? place_on_face(job, place, gap) : place_apart(job, place, gap);
	}
	return place_apart(job, place, -gen_range(&job->random, 0.05, 0.3) * place->size);
}

static bool place_pair(maker *job, placing *place, uint32_t lot)
{
	draw_shapes(job, place);
	double gap;
	switch (job->wanted->regime) {
	case PAIR_SEPARATED:
		return place_apart(job, place, gen_range(&job->random, 0.05, 1.0) * place->size);
	case PAIR_NEAR:
		gap = gen_range(&job->random, -0.02, 0.02) * place->size;
		return lot % 2 ? place_on_face(job, place, gap) : place_apart(job, place, gap);
	case PAIR_SHALLOW:
		return place_apart(job, place, -gen_range(&job->random, 0.0, 0.05) * place->size);
	case PAIR_DEEP:
		return place_apart(job, place, -gen_range(&job->random, 0.05, 0.6) * place->size);
	default:
		return place_as_engine(job, place, lot);
	}
}

/* A stands anywhere within 50 of the world's origin. */
static void write_pair(maker *job, const placing *place, capture_pair *pair)
{
	v3 at;
	at.x = gen_range(&job->random, -50.0, 50.0);
	at.y = gen_range(&job->random, -50.0, 50.0);
	at.z = gen_range(&job->random, -50.0, 50.0);
	const float position[3] = {gen_rounded(at.x), gen_rounded(at.y), gen_rounded(at.z)};
	const double offset[3] = {place->offset.x, place->offset.y, place->offset.z};
	pair->a = (uint32_t)(place->a.shape - job->list.shapes);
	pair->b = (uint32_t)(place->b.shape - job->list.shapes);
	for (int axis = 0; axis < 3; axis++) {
		pair->position_a[axis] = position[axis];
		pair->position_b[axis] = gen_rounded((double)position[axis] + offset[axis]);
	}
	memcpy(pair->rotation_a, place->turn_a, sizeof place->turn_a);
	memcpy(pair->rotation_b, place->turn_b, sizeof place->turn_b);
}

bool pair_list_make(const pair_request *wanted, pair_list *list)
{
	maker job = {.wanted = wanted};
	*list = (pair_list){0};
	gen_seed(&job.random, wanted->seed * 1000 + (uint64_t)wanted->kind * 10 + (uint64_t)wanted->regime);
	capture_pair *pairs = calloc((size_t)wanted->pair_count + 1, sizeof *pairs);
	if (!pairs || !make_shapes(&job)) {
		free(pairs);
		return false;
	}
	/* A draw that does not fit (no overlap of the bounding boxes, no boundary found) is drawn anew with its
	 * shapes; its lot stays, and with it the shares of a regime. */
	for (uint32_t index = 0; index < wanted->pair_count; index++) {
		const uint32_t lot = gen_below(&job.random, 100);
		placing place;
		while (!place_pair(&job, &place, lot))
			continue;
		write_pair(&job, &place, &pairs[index]);
	}
	*list = (pair_list){
		job.list.shapes, job.list.vertices, pairs, job.list.shape_count, job.list.vertex_count, wanted->pair_count};
	return true;
}

/* ---- frames --------------------------------------------------------------------------------------- */

#define DRIFT_MAX 1e-3 /* a length, and an angle */

/* Move and turn B by a frame. */
static void drift(gen_random *random, capture_pair *pair)
{
	const double way = gen_range(random, 0.0, DRIFT_MAX);
	const v3 to = gen_direction(random);
	const double angle = gen_range(random, 0.0, DRIFT_MAX);
	const v3 axis = v3_scale(gen_direction(random), 0.5 * angle);
	const double step[3] = {way * to.x, way * to.y, way * to.z};
	for (int i = 0; i < 3; i++)
		pair->position_b[i] = gen_rounded((double)pair->position_b[i] + step[i]);
	const float turn[4] = {gen_rounded(axis.x), gen_rounded(axis.y), gen_rounded(axis.z), 1.0f};
	const m3 turned = m3_multiply(m3_of_quaternion(turn), m3_of_quaternion(pair->rotation_b));
	quaternion_of(&turned, pair->rotation_b);
}

bool pair_sequence_make(const pair_request *wanted, uint32_t frame_count, pair_list *list)
{
	const size_t count = wanted->pair_count;
	gen_random random;
	if (!pair_list_make(wanted, list))
		return false;
	capture_pair *pairs = realloc(list->pairs, (count * frame_count + 1) * sizeof *pairs);
	if (!pairs) {
		pair_list_free(list);
		return false;
	}
	list->pairs = pairs;
	list->pair_count = wanted->pair_count * frame_count;
	gen_seed(&random, wanted->seed * 1000 + 500 + (uint64_t)wanted->kind);
	for (size_t row = count; row < list->pair_count; row++) {
		pairs[row] = pairs[row - count];
		drift(&random, &pairs[row]);
	}
	return true;
}

void pair_list_free(pair_list *list)
{
	free(list->shapes);
	free(list->vertices);
	free(list->pairs);
	*list = (pair_list){0};
}
