/* Bodies as seen from a side: what is in the frame of a view, in pixels. */
#ifndef WP_TOOLS_CLI_OUTLINE_H
#define WP_TOOLS_CLI_OUTLINE_H

#include "model.h"

/* An orthographic view into a square frame. Pixels go right and down, as on a page. */
typedef struct view {
	double right[3], up[3]; /* unit, world axes */
	double centre[3];       /* what is in the middle of the frame */
	double scale;           /* pixels a unit of length */
	double left, top, size; /* the frame, pixels */
} view;

/* From the picture towards the viewer, unit. */
void view_back(const view *seen, double back[3]);

void view_project(const view *seen, const double point[3], double at[2]);
bool view_holds(const view *seen, const double at[2]);

/* Cut a line to the frame and a little around it. False where nothing is left. */
bool view_clip(const view *seen, double from[2], double to[2]);

/* A convex polygon. Zero points: nothing of it is in the frame. */
typedef struct outline {
	double (*points)[2]; /* [count], pixels of the page */
	size_t count, capacity;
} outline;

/* The outline of a body, cut to the frame and a little around it. Chords of it are off by 1 / 20 pixel at
 * most, or by rounding. To be freed. */
outline outline_make(const view *seen, const model *body);
void outline_free(outline *made);

#endif
