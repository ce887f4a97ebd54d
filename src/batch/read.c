#include "batch/read.h"

void wp_read_row(const wp_call *call, uint32_t row, wp_input *input)
{
	/* Most rows are in 3D and in float: their loops have fixed lengths. */
	if (call->dimension == WP_3D && call->a.position_real == WP_REAL_FLOAT)
		wp_read_row_of(call, WP_3D, WP_REAL_FLOAT, row, input);
	else
		wp_read_row_of(call, call->dimension, call->a.position_real, row, input);
}
