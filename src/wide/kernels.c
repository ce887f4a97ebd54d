/* The entry points of one variant: this file is compiled once per variant, and exports one table.
 *
 * GJK and EPA have two kinds of cores: hulls, whose supports are searched for, and all others, whose supports are a formula
 * in lanes. Where a core is smooth a polytope is never the whole difference, so both searches end at a bracket as narrow as
 * WP_SMOOTH_TOLERANCE, and the answer is a witness of both its ends: a support plane, and points of both shapes. EPA needs
 * no more than that around the nearest face, which its choice of faces sees to: faces further off than the best support
 * plane are never touched again. A bracket that does not close within WP_SMOOTH_FACE_MAX faces (two cones on one axis have
 * a circle of nearest ones) is left to the strong path. */
#include "wide/closed/half_space.h"
#include "wide/lane/checksum.h"
#include "wide/lane/exact.h"
#include "wide/search/search.h"
#include "wide/search/sweep.h"
#include "wide/support/farthest.h"

#define WP_KERNEL_TABLE WP_JOIN(wp_kernels_, WP_VARIANT)
#define WP_CLOSED_TABLE WP_JOIN(wp_closed_kernels_, WP_VARIANT)
#define WP_MANIFOLD_TABLE WP_JOIN(wp_manifold_kernels_, WP_VARIANT)
#define WP_RAY_TABLE WP_JOIN(wp_ray_kernels_, WP_VARIANT)
#define WP_MESH_TABLE WP_JOIN(wp_mesh_kernels_, WP_VARIANT)

extern const wp_kernels WP_KERNEL_TABLE;
extern const wp_closed_kernels WP_CLOSED_TABLE;             /* closed.c */
extern const wp_manifold_kernels WP_MANIFOLD_TABLE;         /* manifolds.c */
extern wp_cast_rays *const WP_RAY_TABLE[WP_RAY_KIND_COUNT]; /* rays.c */
extern const wp_mesh_kernels WP_MESH_TABLE;                 /* meshes.c */

/* The kinds that searches have for the jobs of a bucket. */
static void begin(wp_jobs *jobs, int *kind_a, int *kind_b)
{
	const bool smooth = wp_is_smooth((int)jobs->kind_a, (int)jobs->kind_b);
	const int other = smooth ? WP_CORE_SMOOTH : WP_CORE_BOX;
	*kind_a = jobs->kind_a == WP_CORE_HULL ? WP_CORE_HULL : other;
	*kind_b = jobs->kind_b == WP_CORE_HULL ? WP_CORE_HULL : other;
	jobs->terms = smooth ? &wp_smooth_terms : &wp_exact_terms;
}

static void sweep(wp_jobs *jobs, wp_scratch *scratch, wp_kernel_work *work)
{
	int kind_a, kind_b;
	begin(jobs, &kind_a, &kind_b);
	int32_t list[WP_JOB_MAX];
	const uint32_t total = WP_CLOSED_TABLE.prepare(jobs, list);
	wp_sweep_run(jobs, list, total, scratch, work, kind_a, kind_b);
}

#if WP_WIDTH == 8 || WP_WIDTH == 1
/* What kernels of more lanes call; in eight lanes their own do, too, and in one where the module is to be small. */
WP_NOINLINE void search_list(wp_jobs *jobs, const int32_t *list, uint32_t total, wp_scratch *scratch, int kind_a,
	int kind_b, wp_kernel_work *work)
{
	wp_search_run(jobs, list, total, scratch, kind_a, kind_b, work);
}

static const wp_search_kernels searches = {.search = search_list, .expand = wp_epa_run};
#define WP_SEARCHES &searches
#else
#define WP_SEARCHES NULL
#endif

WP_INLINE void search(wp_jobs *jobs, const int32_t *list, uint32_t total, wp_scratch *scratch, int kind_a, int kind_b,
	wp_kernel_work *work)
{
	if (wp_are_few(jobs, total))
		jobs->few->search(jobs, list, total, scratch, kind_a, kind_b, work);
	else if (WP_WIDTH == 16 && jobs->half != NULL && wp_fill_half(total))
		jobs->half->search(jobs, list, total, scratch, kind_a, kind_b, work);
	else
#if WP_WIDTH == 8 || (WP_WIDTH == 1 && defined(__wasm__))
		search_list(jobs, list, total, scratch, kind_a, kind_b, work);
#else
		wp_search_run(jobs, list, total, scratch, kind_a, kind_b, work);
#endif
}

static void solve(wp_jobs *jobs, wp_scratch *scratch, wp_kernel_work *work)
{
	const wp_method_table *const methods = jobs->methods;
	int kind_a, kind_b;
	begin(jobs, &kind_a, &kind_b);
	if (jobs->method == WP_JOB_SAMPLED) {
		methods->sample(jobs, scratch, work, kind_a, kind_b, wp_support_called);
		return;
	}
	int32_t list[WP_JOB_MAX];
	const uint32_t total = WP_CLOSED_TABLE.solve(jobs, list);
	if (jobs->method == WP_JOB_CORE && !jobs->terms->smooth)
		methods->shrink(jobs, list, total);
	if (total != 0)
		search(jobs, list, total, scratch, kind_a, kind_b, work);
}

static void solve_half_space(wp_jobs *jobs)
{
	jobs->terms = &wp_smooth_terms;
	wp_ground_run(jobs, jobs->kind_b);
}

const wp_kernels WP_KERNEL_TABLE = {.width = WP_WIDTH,
	.solve = solve,
	.sweep = sweep,
	.solve_half_space = solve_half_space,
	.closed = &WP_CLOSED_TABLE,
	.manifolds = &WP_MANIFOLD_TABLE,
	.cast_rays = WP_RAY_TABLE,
	.meshes = &WP_MESH_TABLE,
	.find_farthest = WP_FARTHEST_VERTEX,
	.find_checksum = WP_CHECKSUM_OF_EIGHT,
	.searches = WP_SEARCHES,
	.is_exact = wp_is_exact};
