/* Casts that do not turn: kernels guess where shapes touch, and what is proven here decides most rows at once. */
#ifndef WP_MOTION_SWEEP_H
#define WP_MOTION_SWEEP_H

#include "batch/call.h"
#include "batch/workspace.h"

/* Look ahead for the rows cast->open[first .. count), which stand where balls around their shapes meet. Returns how many of
 * all stay open: those come first then, moved on to where they are proven to be free until, and after them the others,
 * decided, with their answers. */
uint32_t wp_sweep_rows(
	wp_workspace *workspace, const wp_call *call, uint32_t first, uint32_t count, wp_statistics *work);

#endif
