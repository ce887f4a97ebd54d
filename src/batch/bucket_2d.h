/* Buckets of 2D jobs: filled from rows, run through the kernels as they fill, and written. */
#ifndef WP_BATCH_BUCKET_2D_H
#define WP_BATCH_BUCKET_2D_H

#include "batch/strong_row.h"

_Static_assert(offsetof(wp2d_core, bound) == offsetof(wp2d_core, radius) + sizeof(float) &&
				   offsetof(wp2d_core, count) == offsetof(wp2d_core, radius) + 2 * sizeof(float) &&
				   sizeof(wp2d_core) == offsetof(wp2d_core, radius) + 4 * sizeof(float),
	"a core ends with one row of its job's input");

/* The core of one side of a job. */
WP_INLINE void wp2d_put_core(wp2d_jobs *jobs, size_t job, int side, const wp2d_core *core, bool are_circles)
{
	if (are_circles) {
		jobs->radius[side][job] = core->radius;
		return;
	}
	memcpy(jobs->core_row + 4 * (WP2D_SIDE_COUNT * job + (size_t)side), &core->radius, 4 * sizeof(float));
	jobs->core[side][job] = core;
}

/* Have the kernels answer jobs, those of few jobs if they are few; `work` grows. */
void wp2d_solve_jobs(wp_workspace *workspace, wp2d_jobs *jobs, wp_kernel_work *work);

/* Before a call: the memory of the buckets is shared with 3D kernels. */
void wp2d_empty_buckets(wp2d_memory *memory);

/* As wp_run_jobs and wp_run_waiting (batch/bucket.h). */
uint32_t wp2d_run_jobs(
	wp_workspace *workspace, const wp_call *call, uint32_t row, uint32_t count, wp_statistics *statistics);
void wp2d_run_waiting(wp_workspace *workspace, const wp_call *call, wp_statistics *statistics);

#endif
