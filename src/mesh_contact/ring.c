/* The ring, answered: candidates as rows of a batch of bodies and triangles, by the kernels that answer all others. */
#include "batch/bucket.h"
#include "batch/run.h"
#include "mesh_contact/internal.h"

/* The candidates as a call: A is the body at the origin, B the triangle; all in the axes of the mesh. */
static wp_call call_of_ring(const wp_mesh_call *call, wp_mesh_memory *memory)
{
	const size_t stride = sizeof(wp_mesh_place);
	const wp_bodies places = {.position = {memory->place[0].position, stride},
		.rotation = {memory->place[0].rotation, stride},
		.shape = {&memory->place[0].shape, stride},
		.count = WP_MESH_RING + WP_MESH_ROWS,
		.position_real = WP_REAL_FLOAT};
	return (wp_call){.dimension = WP_3D,
		.cores = memory->core,
		.core_count = WP_MESH_RING + WP_MESH_ROWS,
		.a = places,
		.b = places,
		.pair_a = {memory->body, sizeof(uint32_t)},
		.pair_b = {NULL, sizeof(uint32_t)},
		.results = {.point_real = WP_REAL_FLOAT},
		.query = WP_QUERY_CONTACT,
		.max_separation = call->call.max_separation,
		.list = memory->open,
		.manifolds = {.count = &memory->points[0].count,
			.points = (unsigned char *)memory->points[0].manifold,
			.count_stride = sizeof memory->points[0],
			.points_stride = sizeof memory->points[0],
			.point_max = WP_MANIFOLD_POINT_MAX},
		.turn = (call->flags & WP_MESH_GHOSTS) != 0 ? wp_mesh_leave : wp_mesh_turn,
		.mesh = memory};
}

/* Take the points of a row's candidates. */
static void collect_row(const wp_mesh_call *call, wp_mesh_memory *memory, const wp_mesh_row *row)
{
	wp_mesh_statistics *const s = call->statistics;
	for (uint32_t i = row->first; i < row->end; i++) {
		const wp_mesh_candidate *const c = &memory->candidate[i];
		const bool touches = wp_mesh_collect(memory, row, i, (double)call->call.max_separation);
		s->touched += touches;
		s->turned += c->outcome == WP_MESH_FACE && c->is_turned;
		s->dropped += c->outcome == WP_MESH_FACE && c->is_turned && !touches;
	}
}

void wp_mesh_run_ring(const wp_mesh_call *call)
{
	wp_mesh_memory *const memory = &call->workspace->mesh;
	wp_statistics work = {0};
	wp_mesh_touch_boxes(call);
	if (memory->open_count != 0) {
		const wp_call rows = call_of_ring(call, memory);
		wp_run_rows(call->workspace, &rows, memory->open_count, &work);
		wp_run_waiting(call->workspace, &rows, &work);
	}
	call->statistics->strong += work.strong;
	for (uint32_t i = 0; i < memory->row_count; i++) {
		const wp_mesh_row *const row = &memory->row[i];
		collect_row(call, memory, row);
		if (!row->is_ended)
			continue;
		wp_mesh_write_row(call, row);
		wp_mesh_begin_patches(memory);
	}
	memory->is_in_row = memory->row_count != 0 && !memory->row[memory->row_count - 1].is_ended;
	memory->count = memory->row_count = 0;
}
