/* A pair and its contact from three sides, with a close-up and a column of text, as SVG. */
#ifndef WP_TOOLS_CLI_PICTURE_H
#define WP_TOOLS_CLI_PICTURE_H

#include "model.h"

#include <stdio.h>

#define PICTURE_TEXT_MAX 256
#define PICTURE_LINE_MAX 48
/* Most points of a manifold, or of the patches on a mesh. */
#define PICTURE_POINT_MAX 16

typedef enum picture_style { PICTURE_PLAIN = 0, PICTURE_HEADING, PICTURE_SIDE_A, PICTURE_SIDE_B } picture_style;

typedef struct picture_line {
	char text[PICTURE_TEXT_MAX];
	picture_style style;
} picture_line;

/* What is drawn. Places are relative to `origin`, so that far from the world's origin they keep their digits.
 */
typedef struct picture {
	char title[PICTURE_TEXT_MAX];
	picture_line lines[PICTURE_LINE_MAX];
	size_t line_count;
	double origin[3];
	model bodies[2]; /* A, B */
	model ghosts[2]; /* where they come from or go to, dashed; without points: none */
	bool has_witnesses;
	double witnesses[2][3];
	double normal[3];                              /* zero: none */
	double manifold[PICTURE_POINT_MAX][3];         /* in the middle between both points of each */
	double manifold_normals[PICTURE_POINT_MAX][3]; /* of meshes, where each point has its own; else zero */
	uint32_t manifold_count;
} picture;

/* Add a line of text, formatted as by printf and cut to its room; lines beyond PICTURE_LINE_MAX are left out.
 */
__attribute__((format(printf, 3, 4))) void picture_say(picture *drawn, picture_style style, const char *format, ...);

/* The same bytes for the same picture. */
void picture_write(FILE *file, const picture *drawn);

/* Free the bodies. */
void picture_free(picture *drawn);

#endif
