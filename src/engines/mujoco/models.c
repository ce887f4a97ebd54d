/* A list of the models that were added, which threads read without a lock; hulls by widephase-cook. */
#include "models.h"

#include "pool.h"

#include <widephase/cook.h>
#include <widephase/mujoco.h>

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What the shape of a geom was made of. */
typedef struct geom_key {
	int type, data;
	mjtNum size[3];
} geom_key;

struct prepared_model {
	geom_key *keys;        /* [ngeom] */
	const wp_hull **hulls; /* [nmesh], NULL where there is none */
	geom_box *boxes;       /* [nmesh], of the hulls */
	int geom_count, mesh_count;
	void *memory; /* of the table */
	const wp_shape_table *table;
};

/* `model` is set last and cleared first: a thread that finds it sees the rest. */
typedef struct model_slot {
	atomic_bool is_taken;
	_Atomic(const mjModel *) model;
	prepared_model *made;
} model_slot;

static model_slot slots[WP_MUJOCO_MODEL_MAX];
static atomic_uint slot_end; /* no model is in this slot or after it */

static model_slot *find_slot(const mjModel *model)
{
	const unsigned end = atomic_load_explicit(&slot_end, memory_order_acquire);
	for (unsigned i = 0; i < end; i++)
		if (atomic_load_explicit(&slots[i].model, memory_order_acquire) == model)
			return &slots[i];
	return NULL;
}

const prepared_model *model_find(const mjModel *model)
{
	const model_slot *const slot = find_slot(model);
	return slot ? slot->made : NULL;
}

const wp_shape_table *model_table(const prepared_model *of) { return of->table; }

static geom_key key_of(const mjModel *model, int geom)
{
	const mjtNum *const size = model->geom_size + 3 * geom;
	return (geom_key){model->geom_type[geom], model->geom_dataid[geom], {size[0], size[1], size[2]}};
}

bool model_has(const prepared_model *of, const mjModel *model, int geom)
{
	if (geom >= of->geom_count)
		return false;
	const geom_key now = key_of(model, geom), *const then = &of->keys[geom];
	return now.type == then->type && now.data == then->data && now.size[0] == then->size[0] &&
	       now.size[1] == then->size[1] && now.size[2] == then->size[2];
}

/* Whether a geom is a mesh with a hull. */
static bool has_hull(const prepared_model *of, const mjModel *model, int geom)
{
	const int mesh = model->geom_dataid[geom];
	return of && mesh >= 0 && mesh < of->mesh_count && of->hulls[mesh];
}

bool model_shape(const prepared_model *of, const mjModel *model, int geom, wp_shape *shape)
{
	const geom_key now = key_of(model, geom);
	const float x = (float)now.size[0], y = (float)now.size[1], z = (float)now.size[2];
	switch (now.type) {
	case mjGEOM_PLANE:
		*shape = wp_shape_half_space();
		return true;
	case mjGEOM_SPHERE:
		*shape = wp_shape_sphere(x);
		return true;
	case mjGEOM_CAPSULE:
		*shape = wp_shape_capsule(x, y);
		return true;
	case mjGEOM_ELLIPSOID:
		*shape = wp_shape_ellipsoid(x, y, z);
		return true;
	case mjGEOM_CYLINDER:
		*shape = wp_shape_cylinder(x, y);
		return true;
	case mjGEOM_BOX:
		*shape = wp_shape_box(x, y, z);
		return true;
	case mjGEOM_MESH:
		if (!has_hull(of, model, geom))
			return false;
		*shape = wp_shape_hull(of->hulls[now.data]);
		return true;
	default:
		return false;
	}
}

bool model_box(const prepared_model *of, const mjModel *model, int geom, geom_box *box)
{
	const mjtNum *const size = model->geom_size + 3 * geom;
	*box = (geom_box){{0, 0, 0}, {size[0], size[0], size[0]}};
	switch (model->geom_type[geom]) {
	case mjGEOM_SPHERE:
		return true;
	case mjGEOM_CAPSULE:
		box->half[2] += size[1];
		return true;
	case mjGEOM_CYLINDER:
		box->half[2] = size[1];
		return true;
	case mjGEOM_ELLIPSOID:
	case mjGEOM_BOX:
		box->half[1] = size[1];
		box->half[2] = size[2];
		return true;
	case mjGEOM_MESH:
		if (!has_hull(of, model, geom))
			return false;
		*box = of->boxes[model->geom_dataid[geom]];
		return true;
	default:
		return false;
	}
}

static void release(prepared_model *made)
{
	for (int i = 0; made->hulls && i < made->mesh_count; i++)
		wp_cook_free(made->hulls[i]);
	free(made->hulls);
	free(made->boxes);
	free(made->keys);
	free_aligned(made->memory);
	free(made);
}

static geom_box box_of_hull(const wp_hull *hull)
{
	mjtNum low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	geom_box made;
	for (size_t i = 0; i < wp_hull_vertex_count(hull); i++) {
		float vertex[3];
		wp_hull_vertex(hull, i, vertex);
		for (int k = 0; k < 3; k++) {
			low[k] = vertex[k] < low[k] ? vertex[k] : low[k];
			high[k] = vertex[k] > high[k] ? vertex[k] : high[k];
		}
	}
	for (int k = 0; k < 3; k++) {
		made.centre[k] = 0.5 * (low[k] + high[k]);
		made.half[k] = 0.5 * (high[k] - low[k]);
	}
	return made;
}

/* Hulls of the meshes that geoms have: other meshes are for the eye alone. */
static void cook_meshes(prepared_model *made, const mjModel *model)
{
	for (int geom = 0; geom < model->ngeom; geom++) {
		const int mesh = model->geom_dataid[geom];
		if (model->geom_type[geom] != mjGEOM_MESH || mesh < 0 || mesh >= model->nmesh || made->hulls[mesh])
			continue;
		if (wp_cook_points(model->mesh_vert + 3 * (size_t)model->mesh_vertadr[mesh], 0,
				(size_t)model->mesh_vertnum[mesh], &made->hulls[mesh], NULL) == WP_OK)
			made->boxes[mesh] = box_of_hull(made->hulls[mesh]);
	}
}

/* Geoms that are no shapes stay unset, and nothing asks for them. */
static bool fill_table(prepared_model *made, const mjModel *model)
{
	const size_t count = (size_t)model->ngeom, size = wp_shape_table_size(count);
	wp_shape_table *table;
	made->memory = allocate_aligned(size);
	if (!made->memory || wp_shape_table_init(made->memory, size, count, &table) != WP_OK)
		return false;
	for (int geom = 0; geom < model->ngeom; geom++) {
		wp_shape shape;
		made->keys[geom] = key_of(model, geom);
		if (model_shape(made, model, geom, &shape))
			wp_shape_table_set(table, (size_t)geom, &shape, NULL);
	}
	made->table = table;
	return true;
}

static prepared_model *make(const mjModel *model)
{
	prepared_model *const made = calloc(1, sizeof *made);
	if (!made)
		return NULL;
	made->geom_count = model->ngeom;
	made->mesh_count = model->nmesh;
	made->keys = calloc((size_t)model->ngeom + 1, sizeof *made->keys);
	made->hulls = calloc((size_t)model->nmesh + 1, sizeof *made->hulls);
	made->boxes = calloc((size_t)model->nmesh + 1, sizeof *made->boxes);
	if (made->keys && made->hulls && made->boxes) {
		cook_meshes(made, model);
		if (fill_table(made, model))
			return made;
	}
	release(made);
	return NULL;
}

const char *model_add(const mjModel *model)
{
	if (!model)
		return "model is NULL";
	if (find_slot(model))
		return "the model is added already";
	unsigned at = 0;
	while (at < WP_MUJOCO_MODEL_MAX && atomic_exchange(&slots[at].is_taken, true))
		at++;
	if (at == WP_MUJOCO_MODEL_MAX)
		return "there are WP_MUJOCO_MODEL_MAX models already";
	slots[at].made = make(model);
	if (!slots[at].made) {
		atomic_store(&slots[at].is_taken, false);
		return "no memory for the model";
	}
	atomic_store_explicit(&slots[at].model, model, memory_order_release);
	unsigned end = atomic_load(&slot_end);
	while (end <= at && !atomic_compare_exchange_weak(&slot_end, &end, at + 1)) {
	}
	return NULL;
}

static void clear(model_slot *slot)
{
	atomic_store(&slot->model, NULL);
	release(slot->made);
	slot->made = NULL;
	atomic_store(&slot->is_taken, false);
}

void model_remove(const mjModel *model)
{
	model_slot *const slot = model ? find_slot(model) : NULL;
	if (slot)
		clear(slot);
}

void model_remove_all(void)
{
	for (unsigned i = 0; i < WP_MUJOCO_MODEL_MAX; i++)
		if (atomic_load(&slots[i].model))
			clear(&slots[i]);
	atomic_store(&slot_end, 0);
}
