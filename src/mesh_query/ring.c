/* The ring, answered: triangles as rows of a batch, by the queries that answer all other pairs. */
#include "batch/run.h"
#include "mesh_query/internal.h"
#include "motion/advance.h"
#include "motion/mount.h"

/* ---- triangles in ------------------------------------------------------------------------------- */

/* Where the core of a triangle has its origin, in the mesh's frame: the middle of its box; of a mesh that turns, the
 * mesh's, so that the core moves as the mesh does. */
static wp_d3 middle_of(const wp_mesh_asked *row, const wp_d3 v[3])
{
	if (row->motion.mesh_turns)
		return wp_d3_zero();
	double lower[3], upper[3];
	wp_mesh_query_box_of(v, lower, upper);
	return wp_d3_add(wp_d3_at(lower), wp_d3_scale(wp_d3_sub(wp_d3_at(upper), wp_d3_at(lower)), 0.5));
}

static wp_d3 put_triangle(wp_mesh_query_memory *memory, uint32_t at, const wp_mesh_asked *row, uint32_t triangle)
{
	const wp_surface surface = wp_surface_of(row->body.mesh, row->body.field);
	wp_d3 v[3];
	wp_surface_corners(&surface, triangle, v);
	const wp_d3 middle = middle_of(row, v);
	wp_shape shape = {.kind = WP_SHAPE_TRIANGLE};
	for (int i = 0; i < 3; i++) {
		const wp_d3 local = wp_d3_sub(v[i], middle);
		shape.points[i][0] = (float)local.x;
		shape.points[i][1] = (float)local.y;
		shape.points[i][2] = (float)local.z;
	}
	(void)wp_core_of_shape(&shape, &memory->core[at], memory->small[at], NULL);
	wp_mesh_query_place *const place = &memory->place[at];
	*place = row->motion.mesh;
	const wp_d3 position = wp_d3_add(wp_d3_at(place->position), wp_dq_turn(row->body.turn, middle));
	wp_d3_put(position, place->position);
	place->shape = at;
	return middle;
}

static void push(const wp_mesh_ask *ask, uint32_t row, const wp_mesh_found *found)
{
	wp_mesh_query_memory *const memory = &ask->workspace->asked;
	const uint32_t at = memory->count++;
	wp_mesh_query_triangle *const asked = &memory->asked[at];
	*asked = (wp_mesh_query_triangle){.row = row, .triangle = found->triangle, .key = found->key};
	asked->middle = put_triangle(memory, at, &memory->row[row], found->triangle);
	memory->body[at] = WP_MESH_QUERY_RING + row;
	if (ask->frame != NULL)
		memory->mount[2 * at] = memory->row[row].motion.is_mounted ? memory->row[row].body.part : NULL;
	ask->statistics->solved++;
}

uint32_t wp_mesh_query_push_found(const wp_mesh_ask *ask, uint32_t place, uint32_t most)
{
	wp_mesh_query_memory *const memory = &ask->workspace->asked;
	wp_mesh_asked *const row = &memory->row[place];
	uint32_t next = 0, pushed = 0;
	for (; next < row->found_count && pushed < most; next++) {
		if (!wp_mesh_query_counts(ask, row, &row->found[next]))
			continue;
		if (memory->count == memory->capacity)
			break;
		push(ask, place, &row->found[next]);
		pushed++;
	}
	row->found_count -= next;
	memmove(row->found, row->found + next, row->found_count * sizeof *row->found);
	return pushed;
}

/* ---- answers out -------------------------------------------------------------------------------- */

static double value_of(const wp_mesh_ask *ask, const wp_cast_contact *contact, float fraction)
{
	const bool is_apart = (contact->status & WP_STATUS_SEPARATED) != 0;
	if (ask->query == WP_MESH_QUERY_OVERLAP)
		return is_apart ? (double)WP_INFINITY : 0;
	if (ask->query == WP_MESH_QUERY_CAST)
		return (contact->status & WP_STATUS_HIT) != 0 ? (double)fraction : (double)WP_INFINITY;
	/* What is not proven apart is not proven too far. */
	const bool is_near = !is_apart || (double)contact->separation <= ask->max_distance;
	return is_near ? (double)contact->separation : (double)WP_INFINITY;
}

static void take_answer(const wp_mesh_ask *ask, uint32_t at)
{
	const wp_mesh_query_memory *const memory = &ask->workspace->asked;
	const wp_mesh_query_triangle *const asked = &memory->asked[at];
	const wp_cast_contact *const contact = &memory->contact[at];
	wp_mesh_query_take(ask, &memory->row[asked->row], asked, contact, value_of(ask, contact, memory->fraction[at]));
}

static void answer_ring(const wp_mesh_ask *ask)
{
	wp_mesh_query_memory *const memory = &ask->workspace->asked;
	const wp_mesh_query_place *const place = memory->place;
	wp_statistics work = {0};
	const wp_batch batch = {.shapes = &memory->table,
		.a = {.position = {place->position, sizeof *place},
			.rotation = {place->rotation, sizeof *place},
			.shape = {&place->shape, sizeof *place},
			.count = WP_MESH_QUERY_RING + WP_MESH_QUERY_ROWS,
			.position_real = WP_REAL_DOUBLE},
		.pair_a = {memory->body, 0},
		.count = memory->count};
	const wp_results results = wp_cast_results_of(memory->contact, true);
	if (ask->query == WP_MESH_QUERY_CAST) {
		const wp_motions motions = {{place->way, sizeof *place}, {place->end, sizeof *place}};
		(void)wp_cast_mounted(ask->workspace, &batch, &motions, NULL, ask->frame != NULL ? memory->mount : NULL,
			&results, &(wp_float_column){memory->fraction, 0}, &work);
	} else {
		const wp_query query = ask->query == WP_MESH_QUERY_OVERLAP ? WP_QUERY_OVERLAP : WP_QUERY_DISTANCE;
		const wp_request request = {.dimension = WP_3D, .query = query};
		(void)wp_run_batch(ask->workspace, &batch, &request, &results, &work);
	}
	ask->statistics->strong += work.strong;
}

void wp_mesh_query_run_ring(const wp_mesh_ask *ask)
{
	wp_mesh_query_memory *const memory = &ask->workspace->asked;
	if (memory->count == 0)
		return;
	answer_ring(ask);
	for (uint32_t i = 0; i < memory->count; i++)
		take_answer(ask, i);
	memory->count = 0;
}
