/* What batches and casts call in 2D, in the place of the library's functions. The module of 3D exports no call that gets here,
 * so these are empty, and its linker leaves out all that stands behind the library's, as its registry leaves out the kernels. */
#include "batch/bucket_2d.h"
#include "batch/manifold_2d.h"
#include "motion/path.h"
#include "strong/strong_2d.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

const char *wp2d_core_of_shape(const wp2d_shape *shape, wp2d_core *core, wp2d_corners *corners) { return NULL; }
void wp2d_empty_buckets(wp2d_memory *memory) {}
uint32_t wp2d_run_jobs(
	wp_workspace *workspace, const wp_call *call, uint32_t row, uint32_t count, wp_statistics *statistics)
{
	return count;
}
void wp2d_run_waiting(wp_workspace *workspace, const wp_call *call, wp_statistics *statistics) {}
void wp2d_write_manifold(const wp_call *call, uint32_t row, const wp_input *input, const wp_output *output) {}
void wp2d_strong_solve(const wp_strong_pair *pair, wp_strong_answer *answer) {}
void wp2d_path_find_turn(wp_cast_path *path, const float from[2], const float to[2]) {}
void wp2d_path_move(const wp_cast_path *path, double fraction, wp_cast_body *body) {}
double wp2d_path_free_until(const wp2d_mover mover[2], const float direction[2], double fraction) { return fraction; }
void wp2d_path_face_the_way(const wp2d_mover mover[2], double fraction, const double point[2], float normal[2]) {}
