#include "batch/read.h"

void wp_read_row(const wp_call *call, uint32_t row, wp_input *input)
{
	wp_read_row_of(call, call->dimension, call->a.position_real, row, input);
}
