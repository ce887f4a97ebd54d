/* The entry points of one variant for optional methods, for its other kernels. Kinds of cores are as search has them: hulls,
 * and boxes or smooth ones for any others. */
#ifndef WP_WIDE_JOB_METHOD_TABLE_H
#define WP_WIDE_JOB_METHOD_TABLE_H

#include "wide/job/answer.h"
#include "wide/job/lanes.h"

struct wp_vertex;

/* Support of A - B along n, and the point of A there. */
typedef void wp_find_support(
	const wp_lanes *lanes, uint32_t wanted, int kind_a, int kind_b, const vf3 *n, struct wp_vertex *v, vf3 *a);

typedef struct wp_method_table {
	/* WP_JOB_SAMPLED: answer every job of a bucket. Overwrites `scratch`. */
	void (*sample)(
		wp_jobs *jobs, wp_scratch *scratch, wp_kernel_work *work, int kind_a, int kind_b, wp_find_support *support);
	/* WP_JOB_CORE, of cores that are not smooth: shrink the jobs that closed forms left, before they are searched, */
	void (*shrink)(wp_jobs *jobs, const int32_t *list, uint32_t total);
	/* and turn what was found of a block, its separation, bounds and state, into what holds of the true shapes, with its status. */
	void (*answer_whole)(const wp_jobs *jobs, wp_lanes *lanes, uint32_t at, int kind_a, int kind_b, wp_answer *answer);
} wp_method_table;

#endif
