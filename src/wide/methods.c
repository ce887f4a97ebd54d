/* The entry points of one variant for optional methods: this file is compiled once per variant, and exports one table. */
#include "wide/job/method_table.h"
#include "wide/method/sampled.h"
#include "wide/method/shrink.h"

#define WP_METHOD_KERNELS WP_JOIN(wp_method_kernels_, WP_VARIANT)

extern const wp_method_kernels WP_METHOD_KERNELS;

static void sample(
	wp_jobs *jobs, wp_scratch *scratch, wp_kernel_work *work, int kind_a, int kind_b, wp_find_support *support)
{
	wp_sampled_run(jobs, scratch, work, kind_a, kind_b, support);
}

static void shrink(wp_jobs *jobs, const int32_t *list, uint32_t total) { wp_shrink_run(jobs, list, total); }

static void answer_whole(const wp_jobs *jobs, wp_lanes *lanes, uint32_t at, int kind_a, int kind_b, wp_answer *answer)
{
	wp_answer_whole(jobs, lanes, at, kind_a, kind_b, answer);
}

static const wp_method_table table = {.sample = sample, .shrink = shrink, .answer_whole = answer_whole};

const wp_method_kernels WP_METHOD_KERNELS = {&table};
