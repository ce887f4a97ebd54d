/* Contacts by methods: all that names their kernels, so that who does not call it does not link them. */
#include "batch/run.h"
#include "core/environment.h"
#include "job/directions.h"
#include "job/method_registry.h"

#include "widephase/method.h"

_Static_assert((int)WP_JOB_AUTOMATIC == WP_METHOD_AUTO && (int)WP_JOB_GJK_EPA == WP_METHOD_GJK_EPA &&
				   (int)WP_JOB_CORE == WP_METHOD_CORE && (int)WP_JOB_SAMPLED == WP_METHOD_SAMPLED &&
				   WP_DIRECTIONS_MIN == WP_METHOD_DIRECTIONS_MIN && WP_DIRECTIONS_MAX == WP_METHOD_DIRECTIONS_MAX,
	"kernels and the interface share methods");

static wp_error check_method(const wp_method_options *m)
{
	if (m == NULL)
		return WP_ERROR_NULL_METHOD;
	if (m->method >= WP_METHOD_COUNT)
		return WP_ERROR_METHOD;
	if (m->method == WP_METHOD_CORE && !(wp_is_length(m->margin) && m->margin <= WP_COORDINATE_MAX))
		return WP_ERROR_METHOD_MARGIN;
	const bool in_range = m->directions >= WP_METHOD_DIRECTIONS_MIN && m->directions <= WP_METHOD_DIRECTIONS_MAX;
	return m->method == WP_METHOD_SAMPLED && !in_range ? WP_ERROR_METHOD_DIRECTIONS : WP_OK;
}

wp_error wp_contact_by_method(wp_workspace *workspace, const wp_batch *batch, const wp_contact_options *options,
	const wp_method_options *method, const wp_results *results, wp_statistics *statistics)
{
	const wp_error error = check_method(method);
	if (error != WP_OK)
		return error;
	wp_request request = wp_request_of_contact(WP_3D, options);
	request.by = (wp_method_choice){
		.method = (wp_job_method)method->method, .margin = method->margin, .tables = wp_method_tables()};
	if (method->method == WP_METHOD_SAMPLED) {
		const wp_environment before = wp_environment_enter();
		request.by.directions = wp_directions_of(method->directions);
		wp_environment_leave(before);
	}
	return wp_run_batch(workspace, batch, &request, results, statistics);
}
