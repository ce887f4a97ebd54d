/* Results that are fields of structs, each with a wp_row. */
#ifndef TESTS_SUPPORT_ROWS_H
#define TESTS_SUPPORT_ROWS_H

#include "widephase/query.h"

/* The row of the first struct is `first`; the next one is so many bytes on. */
static inline wp_results rows_in_structs(wp_row *first, size_t stride)
{
	wp_results results = wp_results_of_rows(first);
	results.separation.stride = results.normal.stride = results.lower.stride = results.upper.stride = stride;
	results.point_a.stride = results.point_b.stride = stride;
	results.status.stride = results.iterations.stride = stride;
	return results;
}

#endif
