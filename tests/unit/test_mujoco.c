/* Collision functions for MuJoCo: contacts of all pairs of geoms against support planes and the reference, beside MuJoCo's own;
 * margins and gaps, models that change, threads, worlds. */
#include "support/mujoco_geom.h"

#include <widephase/mujoco.h>

#include <mujoco/mujoco.h>

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Promised accuracy, of size plus distance (query.h): of polytopes, of smooth shapes, of points on their surfaces. */
#define ACCURACY 3e-6
#define ACCURACY_SMOOTH 1e-5
#define ACCURACY_POINT 1e-4

/* A closed form of MuJoCo that stays has this accuracy: the reference has the turn from Z to Y rounded to float. */
#define ACCURACY_EXACT 2e-7

#define PAIRS_OF_KINDS 300
#define THREADS 4

static int failures;

static void fail(int line, const char *what, double found, double wanted)
{
	if (failures++ < 40)
		printf("line %d: %s: found %.9g (%a), wanted %.9g (%a)\n", line, what, found, found, wanted, wanted);
}

/* NaN is near nothing. */
#define NEAR(found, wanted, tolerance)                             \
	do {                                                           \
		const double near_found = (found), near_wanted = (wanted); \
		if (!(fabs(near_found - near_wanted) <= (tolerance)))      \
			fail(__LINE__, #found, near_found, near_wanted);       \
	} while (0)
#define SAME(found, wanted) NEAR((double)(found), (double)(wanted), 0.0)
#define REFUSED(call, word)                                                                                  \
	do {                                                                                                     \
		const char *const said = (call);                                                                     \
		if (!said || !strstr(said, word)) {                                                                  \
			printf("line %d: %s: \"%s\", wanted \"%s\"\n", __LINE__, #call, said ? said : "no error", word); \
			failures++;                                                                                      \
		}                                                                                                    \
	} while (0)
#define WORKS(call)                                             \
	do {                                                        \
		const char *const said = (call);                        \
		if (said) {                                             \
			printf("line %d: %s: %s\n", __LINE__, #call, said); \
			failures++;                                         \
		}                                                       \
	} while (0)

/* ---- models ---- */

/* Two geoms of each kind; what they are is the same in all tests. */
static const char *const kinds_text =
	"<mujoco><asset>"
	"<mesh name='wedge' vertex='0 0 0  1.5 0 0  0 1 0  0 0 0.75  1.5 0 0.75  0.25 0.25 0.25'/>"
	"<mesh name='ball' vertex='1 0 0  -1 0 0  0 1.25 0  0 -1.25 0  0 0 1  0 0 -1  0.75 0.75 0.5  -0.75 0.75 -0.5  0.75 "
	"-0.75 0.5"
	"  -0.75 -0.75 0.625  0.75 0.75 -0.75  -0.5 0.5 1  0.625 -0.875 -0.75  -0.875 -0.375 -0.75'/>"
	"</asset><worldbody>"
	"<geom type='plane' size='5 5 1'/>"
	"<body><freejoint/><geom type='sphere' size='0.5'/></body><body><freejoint/><geom type='sphere' "
	"size='0.75'/></body>"
	"<body><freejoint/><geom type='capsule' size='0.25 0.75'/></body><body><freejoint/><geom type='capsule' size='0.5 "
	"0.5'/></body>"
	"<body><freejoint/><geom type='ellipsoid' size='0.5 0.25 1'/></body><body><freejoint/><geom type='ellipsoid' "
	"size='0.75 0.625 0.5'/></body>"
	"<body><freejoint/><geom type='cylinder' size='0.5 0.75'/></body><body><freejoint/><geom type='cylinder' "
	"size='0.75 0.25'/></body>"
	"<body><freejoint/><geom type='box' size='0.5 0.75 1'/></body><body><freejoint/><geom type='box' size='0.625 0.625 "
	"0.25'/></body>"
	"<body><freejoint/><geom type='mesh' mesh='wedge'/></body><body><freejoint/><geom type='mesh' mesh='ball'/></body>"
	"</worldbody></mujoco>";

/* The second geom of a kind, which differs from the first; there is one plane. */
static int geom_of(int type, bool is_second)
{
	return type == mjGEOM_PLANE ? 0 : 2 * (type - mjGEOM_SPHERE) + 1 + is_second;
}

/* ---- random poses ---- */

static uint64_t state = 1;

static double draw(double from, double to)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return from + (to - from) * (double)(state >> 11) / 9007199254740992.0;
}

static void turn(mjData *d, int geom)
{
	mjtNum q[4];
	for (int k = 0; k < 4; k++)
		q[k] = draw(-1, 1);
	mju_normalize4(q);
	mju_quat2Mat(d->geom_xmat + 9 * geom, q);
}

/* ---- the truth ---- */

/* How far a geom reaches along a unit direction of the world. */
static double reach(const mjModel *m, const mjData *d, int geom, const mjtNum direction[3])
{
	const mjtNum *const size = m->geom_size + 3 * geom, *const turned = d->geom_xmat + 9 * geom;
	const double centre = mju_dot3(direction, d->geom_xpos + 3 * geom);
	mjtNum u[3];
	double most = -INFINITY;
	mju_mulMatTVec(u, turned, direction, 3, 3);
	switch (m->geom_type[geom]) {
	case mjGEOM_PLANE:
		return centre; /* along its normal alone */
	case mjGEOM_SPHERE:
		return centre + size[0];
	case mjGEOM_CAPSULE:
		return centre + size[0] + fabs(u[2]) * size[1];
	case mjGEOM_ELLIPSOID:
		return centre + sqrt(u[0] * u[0] * size[0] * size[0] + u[1] * u[1] * size[1] * size[1] +
							 u[2] * u[2] * size[2] * size[2]);
	case mjGEOM_CYLINDER:
		return centre + size[0] * sqrt(u[0] * u[0] + u[1] * u[1]) + size[1] * fabs(u[2]);
	case mjGEOM_BOX:
		return centre + size[0] * fabs(u[0]) + size[1] * fabs(u[1]) + size[2] * fabs(u[2]);
	default:
		for (int i = 0; i < m->mesh_vertnum[m->geom_dataid[geom]]; i++) {
			const float *const vertex = m->mesh_vert + 3 * (m->mesh_vertadr[m->geom_dataid[geom]] + i);
			most = fmax(most, u[0] * (double)vertex[0] + u[1] * (double)vertex[1] + u[2] * (double)vertex[2]);
		}
		return centre + most;
	}
}

/* The gap between the two support planes across a direction: the separation along it. */
static double gap_along(const mjModel *m, const mjData *d, int geom1, int geom2, const mjtNum normal[3])
{
	const mjtNum back[3] = {-normal[0], -normal[1], -normal[2]};
	return -reach(m, d, geom2, back) - reach(m, d, geom1, normal);
}

/* One posed pair, with its exact separation. */
typedef struct posed {
	int geom1, geom2;
	double separation, size;
} posed;

/* Geoms turned at random, at a separation near the one wanted: deep, shallow or apart. */
static posed pose_pair(const mjModel *m, mjData *d, const wp_hull *const *hulls, int type1, int type2)
{
	posed p = {.geom1 = geom_of(type1, false), .geom2 = geom_of(type2, true)};
	mjtNum *const at1 = d->geom_xpos + 3 * p.geom1, *const at2 = d->geom_xpos + 3 * p.geom2, way[3];
	turn(d, p.geom1);
	turn(d, p.geom2);
	p.size = geom_pair_size(m, p.geom1, p.geom2);
	for (int k = 0; k < 3; k++) {
		at1[k] = draw(-20, 20);
		way[k] = type1 == mjGEOM_PLANE ? d->geom_xmat[9 * p.geom1 + 3 * k + 2] : draw(-1, 1);
	}
	mju_normalize3(way);
	mju_copy3(at2, at1);
	const double wanted = draw(0, 3) < 1 ? draw(-0.4, -0.05) : draw(-0.02, 0.03);
	const double step = wanted - gap_along(m, d, p.geom1, p.geom2, way);
	for (int k = 0; k < 3; k++)
		at2[k] += step * way[k];
	p.separation = geom_separation(m, d, p.geom1, p.geom2, hulls, 2e-6 * p.size);
	if (isnan(p.separation))
		fail(__LINE__, "the reference has no answer", p.separation, wanted);
	return p;
}

/* How far a point is from a geom's surface. */
static double off_surface(
	const mjModel *m, const mjData *d, int geom, const wp_hull *const *hulls, const mjtNum point[3])
{
	const wp_shape shape = geom_shape(m, geom, hulls), dot = wp_shape_point();
	const float straight[4] = {0, 0, 0, 1};
	float rotation[4];
	wp_reference_row row;
	geom_rotation(m, d, geom, rotation);
	wp_reference_contact_pair(&shape, d->geom_xpos + 3 * geom, rotation, &dot, point, straight, &row);
	return fabs(row.separation);
}

/* ---- contacts of one pair ---- */

static bool is_smooth(int type) { return type == mjGEOM_ELLIPSOID || type == mjGEOM_CYLINDER; }

/* What MuJoCo's closed forms answer exactly, as mujoco.h says. */
static bool is_exact(int type1, int type2)
{
	return (type1 == mjGEOM_PLANE && type2 != mjGEOM_MESH) || type2 == mjGEOM_SPHERE ||
	       (type2 == mjGEOM_CAPSULE && type1 != mjGEOM_ELLIPSOID) || (type1 == mjGEOM_SPHERE && type2 == mjGEOM_BOX);
}

static double least(const mjContact *contacts, int count)
{
	double found = INFINITY;
	for (int i = 0; i < count; i++)
		found = fmin(found, contacts[i].dist);
	return found;
}

/* The promises of mujoco.h, for contacts that the library made. */
static void check_contacts(const mjModel *m, const mjData *d, const wp_hull *const *hulls, const posed *p,
	const mjContact *contacts, int count, double margin, double accuracy)
{
	const double allowed = accuracy * (p->size + fabs(p->separation));
	if (count == 0) {
		if (!(p->separation >= margin - allowed))
			fail(__LINE__, "no contact", p->separation, margin);
		return;
	}
	NEAR(least(contacts, count), p->separation, allowed);
	for (int i = 0; i < count; i++) {
		const mjtNum *const normal = contacts[i].frame, *const at = contacts[i].pos;
		mjtNum on1[3], on2[3];
		NEAR(mju_norm3(normal), 1, 2e-6);
		SAME(mju_norm3(normal + 3), 0);
		NEAR(gap_along(m, d, p->geom1, p->geom2, normal), p->separation, allowed);
		if (!(contacts[i].dist <= margin))
			fail(__LINE__, "dist above the margin", contacts[i].dist, margin);
		mju_addScl3(on1, at, normal, -0.5 * contacts[i].dist);
		mju_addScl3(on2, at, normal, 0.5 * contacts[i].dist);
		NEAR(off_surface(m, d, p->geom1, hulls, on1), 0, ACCURACY_POINT * (p->size + fabs(p->separation)));
		NEAR(off_surface(m, d, p->geom2, hulls, on2), 0, ACCURACY_POINT * (p->size + fabs(p->separation)));
	}
}

/* Errors of MuJoCo's own functions over pairs of two kinds, in units of size plus distance. */
typedef struct errors {
	double largest;
	int wrong, answered, missed;
} errors;

static void add_error(errors *to, const posed *p, const mjContact *contacts, int count, double margin)
{
	const double unit = p->size + fabs(p->separation);
	if (count == 0) {
		to->missed += p->separation < margin - 1e-3 * unit;
		return;
	}
	const double off = fabs(least(contacts, count) - p->separation) / unit;
	to->largest = fmax(to->largest, off);
	to->wrong += off > 1e-3;
	to->answered++;
}

/* All pairs of kinds by the function that is installed, beside MuJoCo's, which `own` holds. */
static void test_pairs(const mjModel *m, mjData *d, const wp_hull *const *hulls,
	mjfCollision own[mjNGEOMTYPES][mjNGEOMTYPES], bool all_pairs)
{
	for (int type1 = mjGEOM_PLANE; type1 <= mjGEOM_MESH; type1++)
		for (int type2 = type1; type2 <= mjGEOM_MESH; type2++) {
			if (type1 == mjGEOM_HFIELD || type2 <= mjGEOM_HFIELD)
				continue;
			const bool is_kept = is_exact(type1, type2) && !all_pairs;
			SAME(mjCOLLISIONFUNC[type1][type2] == own[type1][type2], is_kept);
			const double accuracy = is_smooth(type1) || is_smooth(type2) ? ACCURACY_SMOOTH : ACCURACY;
			errors by_own = {0, 0, 0, 0};
			for (int i = 0; i < PAIRS_OF_KINDS; i++) {
				const double margin = i % 2 == 0 ? 0.0 : 0.015625;
				const posed p = pose_pair(m, d, hulls, type1, type2);
				mjContact ours[mjMAXCONPAIR], theirs[mjMAXCONPAIR];
				const int count = mjCOLLISIONFUNC[type1][type2](m, d, ours, p.geom1, p.geom2, margin);
				const int own_count = own[type1][type2](m, d, theirs, p.geom1, p.geom2, margin);
				add_error(&by_own, &p, theirs, own_count, margin);
				if (!is_kept)
					check_contacts(m, d, hulls, &p, ours, count, margin, accuracy);
			}
			printf("kinds %d and %d: MuJoCo's largest error %.1e; off by more than 1e-3: %d of %d; missed %d\n", type1,
				type2, by_own.largest, by_own.wrong, by_own.answered, by_own.missed);
			if (is_kept)
				NEAR(by_own.largest + by_own.missed, 0, ACCURACY_EXACT);
		}
}

/* ---- what else is promised ---- */

static void test_errors(mjfCollision own[mjNGEOMTYPES][mjNGEOMTYPES], const mjModel *m)
{
	REFUSED(wp_mujoco_add_model(m), "install");
	REFUSED(wp_mujoco_install(&(wp_mujoco_options){.thread_max = WP_MUJOCO_THREAD_MAX + 1}), "thread_max");
	REFUSED(wp_mujoco_install(&(wp_mujoco_options){.point_max = WP_MANIFOLD_POINT_MAX + 1}), "point_max");
	SAME(memcmp(own, mjCOLLISIONFUNC, sizeof mjCOLLISIONFUNC), 0);
	wp_mujoco_restore();
	SAME(memcmp(own, mjCOLLISIONFUNC, sizeof mjCOLLISIONFUNC), 0);
	WORKS(wp_mujoco_install(NULL));
	REFUSED(wp_mujoco_install(NULL), "already");
	REFUSED(wp_mujoco_add_model(NULL), "NULL");
	WORKS(wp_mujoco_add_model(m));
	REFUSED(wp_mujoco_add_model(m), "already");
	wp_mujoco_remove_model(m);
	wp_mujoco_remove_model(m);
	wp_mujoco_remove_model(NULL);
	/* Only their places are looked at: a model without geoms. */
	static mjModel many[WP_MUJOCO_MODEL_MAX + 1];
	for (int i = 0; i < WP_MUJOCO_MODEL_MAX; i++)
		WORKS(wp_mujoco_add_model(&many[i]));
	REFUSED(wp_mujoco_add_model(&many[WP_MUJOCO_MODEL_MAX]), "WP_MUJOCO_MODEL_MAX");
	wp_mujoco_remove_model(&many[7]);
	WORKS(wp_mujoco_add_model(&many[WP_MUJOCO_MODEL_MAX]));
	wp_mujoco_restore();
	SAME(memcmp(own, mjCOLLISIONFUNC, sizeof mjCOLLISIONFUNC), 0);
}

/* A model that is not added, and geoms that change: right answers, and MuJoCo's own for meshes without a hull. */
static void test_changes(
	mjModel *m, mjData *d, const wp_hull *const *hulls, mjfCollision own[mjNGEOMTYPES][mjNGEOMTYPES])
{
	mjContact ours[mjMAXCONPAIR], theirs[mjMAXCONPAIR];
	const int box = geom_of(mjGEOM_BOX, true);
	for (int round = 0; round < 3; round++) {
		/* Round 0: not added. Round 1: a box that has changed since. Round 2: NaN. */
		if (round == 1) {
			WORKS(wp_mujoco_add_model(m));
			m->geom_size[3 * box] *= 0.5;
		}
		for (int type = mjGEOM_SPHERE; type <= mjGEOM_MESH; type++)
			for (int i = 0; i < 20; i++) {
				const int type1 = type == mjGEOM_MESH ? mjGEOM_BOX : type,
						  type2 = type == mjGEOM_MESH ? mjGEOM_MESH : mjGEOM_BOX;
				const posed p = pose_pair(m, d, hulls, type1, type2);
				const bool is_own = mjCOLLISIONFUNC[type1][type2] == own[type1][type2];
				if (round == 2)
					d->geom_xpos[3 * p.geom1] = NAN;
				const int count = mjCOLLISIONFUNC[type1][type2](m, d, ours, p.geom1, p.geom2, 0.01);
				if (round == 2 || (round == 0 && type == mjGEOM_MESH)) {
					SAME(own[type1][type2](m, d, theirs, p.geom1, p.geom2, 0.01), count);
					for (int k = 0; k < count && round == 0; k++)
						SAME(ours[k].dist, theirs[k].dist);
				} else if (!is_own) {
					check_contacts(m, d, hulls, &p, ours, count, 0.01, ACCURACY_SMOOTH);
				}
				d->geom_xpos[3 * p.geom1] = 0;
			}
	}
	m->geom_size[3 * box] *= 2;
	wp_mujoco_remove_model(m);
}

/* A box of half a metre on another, by mj_collision: where contacts are, and what margin and gap make of them. */
static void test_margin(void)
{
	mjModel *const m = load_text("<mujoco><worldbody><geom type='box' size='1 1 0.5'/>"
								 "<body pos='0 0 0.751953125'><freejoint/>"
								 "<geom type='box' size='0.5 0.5 0.25' margin='0.0078125' gap='0.00390625'/></body>"
								 "</worldbody></mujoco>");
	mjData *const d = mj_makeData(m);
	WORKS(wp_mujoco_add_model(m));
	const double heights[] = {0.751953125, 0.755859375, 0.7421875, 0.76}, margin = m->geom_margin[1];
	for (int i = 0; i < 4; i++) {
		d->qpos[2] = heights[i];
		mj_forward(m, d);
		const double dist = heights[i] - 0.75;
		SAME(d->ncon, dist <= margin ? 4 : 0);
		for (int k = 0; k < d->ncon; k++) {
			const mjContact *const found = &d->contact[k];
			NEAR(found->dist, dist, 1e-7);
			SAME(found->exclude, dist >= margin - m->geom_gap[1]);
			SAME(found->geom1, 0);
			SAME(found->geom2, 1);
			NEAR(found->frame[2], 1, 1e-7);
			NEAR(fabs(found->pos[0]), 0.5, 1e-6);
			NEAR(fabs(found->pos[1]), 0.5, 1e-6);
			NEAR(found->pos[2], 0.5 + 0.5 * dist, 1e-7);
		}
	}
	/* A negative margin wants contacts that are deeper. */
	mjContact found[mjMAXCONPAIR];
	d->qpos[2] = 0.75 - 0.03125;
	mj_kinematics(m, d);
	SAME(mjCOLLISIONFUNC[mjGEOM_BOX][mjGEOM_BOX](m, d, found, 0, 1, -0.03), 4);
	SAME(mjCOLLISIONFUNC[mjGEOM_BOX][mjGEOM_BOX](m, d, found, 0, 1, -0.04), 0);
	wp_mujoco_remove_model(m);
	mj_deleteData(d);
	mj_deleteModel(m);
}

/* Far from the origins of the world and of the plane, a mesh that stands has the points that it has near them. */
static void test_far_away(const mjModel *m, mjData *d)
{
	const double far[] = {0, 1048576.25, 16777216.5};
	WORKS(wp_mujoco_add_model(m));
	for (int i = 0; i < 3; i++) {
		mjContact found[mjMAXCONPAIR];
		/* The feet of the ball: its lowest corner, straight down. */
		const int geom = geom_of(mjGEOM_MESH, true);
		mju_zero3(d->geom_xpos);
		mju_zero(d->geom_xmat, 9);
		d->geom_xmat[0] = d->geom_xmat[4] = d->geom_xmat[8] = 1;
		memcpy(d->geom_xmat + 9 * geom, d->geom_xmat, 9 * sizeof *d->geom_xmat);
		mju_zero3(d->geom_xpos + 3 * geom);
		const float *const vertices = m->mesh_vert + 3 * m->mesh_vertadr[m->geom_dataid[geom]];
		const float *lowest = vertices;
		for (int vertex = 1; vertex < m->mesh_vertnum[m->geom_dataid[geom]]; vertex++)
			lowest = vertices[3 * vertex + 2] < lowest[2] ? vertices + 3 * vertex : lowest;
		double *const at = d->geom_xpos + 3 * geom;
		at[0] = far[i];
		at[1] = -far[i];
		at[2] = -0x1p-6 - (double)lowest[2];
		const int count = mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_MESH](m, d, found, 0, geom, 0);
		SAME(count, 1);
		NEAR(found->dist, -0x1p-6, 1e-6);
		NEAR(found->pos[0] - at[0], lowest[0], 1e-6);
		NEAR(found->pos[1] - at[1], lowest[1], 1e-6);
		NEAR(found->pos[2], -0x1p-7, 1e-6);
	}
	wp_mujoco_remove_model(m);
}

/* ---- threads and worlds ---- */

/* Columns of boxes, cylinders, ellipsoids and hulls. */
static const char
	*const world_text = "<mujoco><option timestep='0.002'/><asset><mesh name='brick' vertex='0 0 0  1 0 0  0 0.6 0  1 "
						"0.6 0  0 0 0.3  1 0 0.3  0 0.6 0.3  1 0.6 0.3'/>"
						"</asset><worldbody><geom type='plane' size='5 5 1'/>"
						"<body pos='0 0 0.2'><freejoint/><geom type='box' size='0.3 0.3 0.2'/></body>"
						"<body pos='0 0 0.601'><freejoint/><geom type='box' size='0.3 0.3 0.2'/></body>"
						"<body pos='0.02 0 1.002'><freejoint/><geom type='cylinder' size='0.3 0.2'/></body>"
						"<body pos='2 0 0.2'><freejoint/><geom type='cylinder' size='0.3 0.2'/></body>"
						"<body pos='2 0 0.601'><freejoint/><geom type='cylinder' size='0.25 0.2'/></body>"
						"<body pos='0 2 0.001'><freejoint/><geom type='mesh' mesh='brick'/></body>"
						"<body pos='0 2 0.302'><freejoint/><geom type='mesh' mesh='brick'/></body>"
						"<body pos='0 2 0.603'><freejoint/><geom type='mesh' mesh='brick'/></body>"
						"<body pos='2 2 0.4'><freejoint/><geom type='ellipsoid' size='0.3 0.2 0.25'/></body>"
						"<body pos='2.2 2.1 0.9'><freejoint/><geom type='capsule' size='0.15 0.2'/></body>"
						"</worldbody></mujoco>";

typedef struct run_of_world {
	const mjModel *model;
	mjData *data;
	pthread_t thread;
} run_of_world;

static void *run_world(void *argument)
{
	const run_of_world *const on = argument;
	for (int step = 0; step < 300; step++)
		mj_step(on->model, on->data);
	return NULL;
}

/* More threads than workspaces: each world has the bits that one thread alone gives it. */
static void test_threads(const mjModel *m)
{
	run_of_world runs[THREADS + 1];
	for (int i = 0; i <= THREADS; i++)
		runs[i] = (run_of_world){.model = m, .data = mj_makeData(m)};
	run_world(&runs[THREADS]);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&runs[i].thread, NULL, run_world, &runs[i]) != 0)
			exit(1);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(runs[i].thread, NULL);
		SAME(memcmp(runs[i].data->qpos, runs[THREADS].data->qpos, (size_t)m->nq * sizeof(mjtNum)), 0);
	}
	for (int i = 0; i <= THREADS; i++)
		mj_deleteData(runs[i].data);
}

/* The columns stand: nothing moves or sinks. Of MuJoCo's own the single contacts of cylinders and meshes are for comparison. */
static void test_world(const mjModel *m, const char *name, bool is_judged)
{
	mjData *const d = mj_makeData(m);
	double moved = 0, fastest = 0;
	for (int step = 0; step < 1500; step++)
		mj_step(m, d);
	for (int body = 1; body <= 8; body++) {
		const mjtNum *const now = d->qpos + 7 * (body - 1), *const then = m->qpos0 + 7 * (body - 1);
		for (int k = 0; k < 3; k++)
			moved = fmax(moved, fabs(now[k] - then[k]));
		fastest = fmax(fastest, mju_norm(d->qvel + 6 * (body - 1), 6));
	}
	printf("%s: after 3 s bodies of columns are %.2e m from where they began, speeds up to %.2e, %d contacts\n", name,
		moved, fastest, d->ncon);
	if (is_judged) {
		/* MuJoCo's soft contacts let bodies sink by millimetres. */
		if (!(moved <= 1e-2 && fastest <= 1e-3))
			fail(__LINE__, "columns do not stand", moved, fastest);
	}
	mj_deleteData(d);
}

int main(void)
{
	mjfCollision own[mjNGEOMTYPES][mjNGEOMTYPES];
	memcpy(own, mjCOLLISIONFUNC, sizeof own);
	mjModel *const m = load_text(kinds_text), *const world = load_text(world_text);
	mjData *const d = mj_makeData(m);
	const wp_hull **const hulls = cook_hulls(m);
	mj_kinematics(m, d);

	test_errors(own, m);
	WORKS(wp_mujoco_install(NULL));
	WORKS(wp_mujoco_add_model(m));
	test_pairs(m, d, hulls, own, false);
	wp_mujoco_restore();
	WORKS(wp_mujoco_install(&(wp_mujoco_options){.all_pairs = 1, .thread_max = 2, .point_max = 8}));
	WORKS(wp_mujoco_add_model(m));
	test_pairs(m, d, hulls, own, true);
	wp_mujoco_remove_model(m);
	test_changes(m, d, hulls, own);
	WORKS(wp_mujoco_add_model(world));
	test_threads(world);
	wp_mujoco_restore();

	test_world(world, "MuJoCo", false);
	WORKS(wp_mujoco_install(NULL));
	test_margin();
	test_far_away(m, d);
	WORKS(wp_mujoco_add_model(world));
	test_world(world, "widephase", true);
	wp_mujoco_restore();

	free_hulls(m, hulls);
	mj_deleteData(d);
	mj_deleteModel(m);
	mj_deleteModel(world);
	printf("%d failures\n", failures);
	return failures != 0;
}
