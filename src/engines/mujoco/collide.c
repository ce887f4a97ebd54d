/* The collision function, and the table that it goes into. */
#include "apart.h"
#include "models.h"
#include "pool.h"

#include <widephase/mujoco.h>

#include <mujoco/mujoco.h>

#include <string.h>

#define DEFAULT_THREADS 16
#define DEFAULT_POINTS 4

/* What mjCOLLISIONFUNC held before. */
static mjfCollision before[mjNGEOMTYPES][mjNGEOMTYPES];
static bool is_installed;
static uint32_t points_wanted;

_Static_assert(WP_MANIFOLD_POINT_MAX <= mjMAXCONPAIR, "all contacts of a pair have room");

/* Where a geom is, with the axes of the library: what is along Z in MuJoCo is along Y here. */
typedef struct geom_frame {
	mjtNum position[3], axes[9]; /* columns of `axes` are the library's X, Y and Z, row by row */
	float rotation[4];           /* x, y, z, w */
} geom_frame;

static bool is_along_z(int type) { return type == mjGEOM_PLANE || type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER; }

static geom_frame frame_of(const mjModel *m, const mjData *d, int geom)
{
	const mjtNum *const turn = d->geom_xmat + 9 * geom, *const at = d->geom_xpos + 3 * geom;
	geom_frame made = {.position = {at[0], at[1], at[2]}};
	const bool is_turned = is_along_z(m->geom_type[geom]);
	for (int row = 0; row < 3; row++) {
		const mjtNum *const from = turn + 3 * row;
		made.axes[3 * row] = from[0];
		made.axes[3 * row + 1] = is_turned ? from[2] : from[1];
		made.axes[3 * row + 2] = is_turned ? -from[1] : from[2];
	}
	mjtNum quaternion[4];
	mju_mat2Quat(quaternion, made.axes);
	for (int k = 0; k < 4; k++)
		made.rotation[k] = (float)quaternion[(k + 1) % 4];
	return made;
}

static void to_world(const geom_frame *frame, const float local[3], mjtNum point[3])
{
	for (int row = 0; row < 3; row++) {
		const mjtNum *const axes = frame->axes + 3 * row;
		point[row] = frame->position[row] + axes[0] * local[0] + axes[1] * local[1] + axes[2] * local[2];
	}
}

/* Both shapes in a table: the model's, if these geoms are as they were, else one that is made in `memory`. NULL for shapes
 * that the library has not. */
static const wp_shape_table *table_of(
	const mjModel *m, const prepared_model *model, const int geoms[2], void *memory, uint32_t shapes[2])
{
	const wp_shape_table *table = NULL;
	const bool is_prepared = model && model_has(model, m, geoms[0]) && model_has(model, m, geoms[1]);
	wp_shape made[2];
	for (int i = 0; i < 2; i++)
		shapes[i] = is_prepared ? (uint32_t)geoms[i] : (uint32_t)i;
	if (is_prepared)
		return model_table(model);
	if (!model_shape(model, m, geoms[0], &made[0]) || !model_shape(model, m, geoms[1], &made[1]))
		return NULL;
	return wp_shape_table_build(made, 2, memory, wp_shape_table_size(2), &table, NULL) == WP_OK ? table : NULL;
}

static float square_of(const float v[3]) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

/* Halfway between both surfaces, from the point in the frame of the geom that it is nearer to: points of a plane may be so far
 * from its origin that floats are too coarse for them. */
static void write_position(
	const geom_frame frames[2], const wp_manifold_point *point, const float normal[3], mjtNum position[3])
{
	const bool is_on_b = square_of(point->local_b) < square_of(point->local_a);
	const mjtNum half = 0.5 * (mjtNum)(is_on_b ? -point->separation : point->separation);
	to_world(&frames[is_on_b], is_on_b ? point->local_b : point->local_a, position);
	for (int k = 0; k < 3; k++)
		position[k] += half * (mjtNum)normal[k];
}

/* The manifold as contacts within the margin, which may be negative. */
static int write_contacts(mjContact *contacts, const geom_frame frames[2], const wp_row *row,
	const wp_manifold_point *points, uint32_t count, mjtNum margin)
{
	int kept = 0;
	uint32_t deepest = 0;
	for (uint32_t i = 1; i < count; i++)
		deepest = points[i].separation < points[deepest].separation ? i : deepest;
	for (uint32_t i = 0; i < count; i++) {
		mjContact *const to = &contacts[kept];
		/* Corners of a manifold are less exact than the separation of the pair, which the deepest of them has. */
		const mjtNum dist = (mjtNum)(i == deepest ? row->separation : points[i].separation);
		if (!(dist <= margin))
			continue;
		to->dist = dist;
		write_position(frames, &points[i], row->normal, to->pos);
		for (int k = 0; k < 3; k++) {
			to->frame[k] = (mjtNum)row->normal[k];
			to->frame[3 + k] = 0; /* MuJoCo chooses the tangents */
		}
		kept++;
	}
	return kept;
}

/* The number of contacts, or -1 where the library has no answer. */
static int collide_in(place *in, const mjModel *m, const mjData *d, const prepared_model *model, mjContact *contacts,
	const int geoms[2], mjtNum margin)
{
	uint32_t shapes[2], count = 0;
	const wp_shape_table *const table = table_of(m, model, geoms, in->pair_table, shapes);
	if (!table)
		return -1;
	const geom_frame frames[2] = {frame_of(m, d, geoms[0]), frame_of(m, d, geoms[1])};
	const wp_pair pair = {table, shapes[0], shapes[1], frames[0].position, frames[0].rotation, frames[1].position,
		frames[1].rotation, WP_REAL_DOUBLE};
	const wp_contact_options options = {.max_separation = margin > 0 ? (float)margin : 0.0f};
	wp_manifold_point points[WP_MANIFOLD_POINT_MAX];
	wp_row row;
	if (wp_contact_manifold_prepared(in->workspace, &pair, &options, NULL, &row, points, points_wanted, &count) !=
			WP_OK ||
		(row.status & WP_STATUS_INVALID) != 0)
		return -1;
	return write_contacts(contacts, frames, &row, points, count, margin);
}

static int collide(const mjModel *m, const mjData *d, mjContact *contacts, int geom1, int geom2, mjtNum margin)
{
	const int geoms[2] = {geom1, geom2};
	const prepared_model *const model = model_find(m);
	if (geoms_apart(model, m, d, geoms, margin))
		return 0;
	place *const taken = pool_take();
	const int count = collide_in(taken, m, d, model, contacts, geoms, margin);
	pool_give_back(taken);
	return count >= 0 ? count : before[m->geom_type[geom1]][m->geom_type[geom2]](m, d, contacts, geom1, geom2, margin);
}

/* Pairs whose closed forms in MuJoCo are exact, but for a sphere whose centre is in a box: its depth is the radius. A plane
 * and a mesh are not among them: of the mesh's corners MuJoCo takes the deepest and up to two of its neighbours, which may
 * leave out most of the face that stands on the plane. */
static bool is_exact(int first, int second)
{
	return (first == mjGEOM_PLANE && second != mjGEOM_MESH) || second == mjGEOM_SPHERE ||
	       (second == mjGEOM_CAPSULE && first != mjGEOM_ELLIPSOID) || (first == mjGEOM_SPHERE && second == mjGEOM_BOX);
}

const char *wp_mujoco_install(const wp_mujoco_options *options)
{
	const wp_mujoco_options wanted = options ? *options : (wp_mujoco_options){0};
	if (is_installed)
		return "the functions are installed already";
	if (wanted.thread_max > WP_MUJOCO_THREAD_MAX)
		return "options->thread_max is above WP_MUJOCO_THREAD_MAX";
	if (wanted.point_max > WP_MANIFOLD_POINT_MAX)
		return "options->point_max is above WP_MANIFOLD_POINT_MAX";
	if (!pool_make(wanted.thread_max != 0 ? wanted.thread_max : DEFAULT_THREADS))
		return "no memory for the workspaces";
	points_wanted = wanted.point_max != 0 ? wanted.point_max : DEFAULT_POINTS;
	memcpy(before, mjCOLLISIONFUNC, sizeof before);
	/* MuJoCo asks with the lower type first, and not where the table has nothing. */
	for (int first = mjGEOM_PLANE; first <= mjGEOM_MESH; first++)
		for (int second = first; second <= mjGEOM_MESH; second++)
			if (first != mjGEOM_HFIELD && second > mjGEOM_HFIELD && before[first][second] &&
				(wanted.all_pairs != 0 || !is_exact(first, second)))
				mjCOLLISIONFUNC[first][second] = collide;
	is_installed = true;
	return NULL;
}

void wp_mujoco_restore(void)
{
	if (!is_installed)
		return;
	memcpy(mjCOLLISIONFUNC, before, sizeof before);
	is_installed = false;
	model_remove_all();
	pool_release();
}

const char *wp_mujoco_add_model(const mjModel *model)
{
	return is_installed ? model_add(model) : "wp_mujoco_install comes first";
}

void wp_mujoco_remove_model(const mjModel *model) { model_remove(model); }
