#include "picture.h"
#include "outline.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Layout, pixels. */
#define FRAME 330.0
#define FRAME_GAP 62.0
#define PAGE_LEFT 62.0
#define PAGE_TOP 74.0
#define TEXT_LEFT (PAGE_LEFT + 2.0 * FRAME + FRAME_GAP + 10.0)
#define TEXT_WIDTH 430.0
#define PAGE_WIDTH (TEXT_LEFT + TEXT_WIDTH)
#define PAGE_HEIGHT (PAGE_TOP + 2.0 * FRAME + FRAME_GAP + 66.0)
#define LINE_HEIGHT 16.0
#define GRID_LINES_MAX 32
#define ARROW 52.0
#define POINT_ARROW 30.0

/* Share of a frame that the bodies fill, of its side. */
#define FILL 0.84
/* Bodies with more edges get thinner ones, and none behind. */
#define MANY_EDGES 60
/* Bodies smaller than this many pixels get a dot. */
#define DOT_BELOW 4.0
/* A letter that is as far from all marks is clear of them, pixels. */
#define LETTER_ROOM 34.0
/* A line counts as that many of them. */
#define LINE_MARKS 5
/* Share of the way from the middle of a body to a corner of it. */
#define LETTER_WAY 0.55
/* Half the side of the close-up: as much of the smaller body's size, and of the gap or depth, at least. */
#define CLOSE_SIZE 0.12
#define CLOSE_GAP 0.9

/* Blue and vermillion, which differ for every kind of sight (Okabe, Ito 2008). */
static const char *const colours[2] = {"#0072b2", "#d55e00"};

typedef enum side { SIDE_TOP, SIDE_FRONT, SIDE_RIGHT, SIDE_CLOSE, SIDE_COUNT } side;

/* Third-angle projection: the top above the front, the right side right of it. */
static const struct {
	const char *title;
	double right[3], up[3];
	int column, row;
	const char *across, *along; /* the axes, as arrows show them */
} sides[SIDE_COUNT] = {
	{"top, seen from +y", {1, 0, 0}, {0, 0, -1}, 0, 0, "x &#8594;", "&#8595; z"},
	{"front, seen from +z", {1, 0, 0}, {0, 1, 0}, 0, 1, "x &#8594;", "&#8593; y"},
	{"right side, seen from +x", {0, 0, -1}, {0, 1, 0}, 1, 1, "&#8592; z", "&#8593; y"},
	{"close-up, the normal upwards", {0, 0, 0}, {0, 0, 0}, 1, 0, NULL, NULL},
};

void picture_say(picture *drawn, picture_style style, const char *format, ...)
{
	if (drawn->line_count == PICTURE_LINE_MAX)
		return;
	picture_line *line = &drawn->lines[drawn->line_count++];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(line->text, sizeof line->text, format, arguments);
	va_end(arguments);
	line->style = style;
}

void picture_free(picture *drawn)
{
	for (int body = 0; body < 2; body++) {
		model_free(&drawn->bodies[body]);
		model_free(&drawn->ghosts[body]);
	}
}

/* Text between tags. What is no printable ASCII shows as '?'. */
static void write_text(FILE *file, const char *text)
{
	for (; *text != '\0'; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", file);
			break;
		case '<':
			fputs("&lt;", file);
			break;
		case '>':
			fputs("&gt;", file);
			break;
		default:
			fputc(*text >= ' ' && *text <= '~' ? *text : '?', file);
		}
	}
}

/* ---- views ------------------------------------------------------------------------------------------ */

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static bool has_normal(const picture *drawn) { return dot(drawn->normal, drawn->normal) > 0.0; }

/* Grow a box by a point. */
static void take_in(double low[3], double high[3], const double point[3])
{
	for (int axis = 0; axis < 3; axis++) {
		low[axis] = fmin(low[axis], point[axis]);
		high[axis] = fmax(high[axis], point[axis]);
	}
}

static void take_in_solid(double low[3], double high[3], const model *body)
{
	for (int axis = 0; axis < 3; axis++) {
		double direction[3] = {0.0, 0.0, 0.0};
		direction[axis] = -1.0;
		low[axis] = fmin(low[axis], -model_reach(body, direction));
		direction[axis] = 1.0;
		high[axis] = fmax(high[axis], model_reach(body, direction));
	}
}

/* The largest side of a box. */
static double extent(const double low[3], const double high[3])
{
	return fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
}

static double size_of(const model *body)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	take_in_solid(low, high, body);
	return extent(low, high);
}

static view make_side(side which)
{
	view seen = {.left = PAGE_LEFT + sides[which].column * (FRAME + FRAME_GAP),
		.top = PAGE_TOP + sides[which].row * (FRAME + FRAME_GAP),
		.size = FRAME};
	memcpy(seen.right, sides[which].right, sizeof seen.right);
	memcpy(seen.up, sides[which].up, sizeof seen.up);
	return seen;
}

/* All that there is, at one scale for the three sides. */
static void make_sides(const picture *drawn, view views[SIDE_COUNT])
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (int body = 0; body < 2; body++) {
		take_in_solid(low, high, &drawn->bodies[body]);
		take_in_solid(low, high, &drawn->ghosts[body]);
		if (drawn->has_witnesses)
			take_in(low, high, drawn->witnesses[body]);
	}
	const double size = extent(low, high);
	for (int which = 0; which < SIDE_CLOSE; which++) {
		views[which] = make_side(which);
		views[which].scale = FILL * FRAME / (size > 0.0 ? size : 1.0);
		for (int axis = 0; axis < 3; axis++)
			views[which].centre[axis] = 0.5 * low[axis] + 0.5 * high[axis];
	}
}

/* How far a body reaches along a direction. */
static double spread(const model *body, const double direction[3])
{
	const double back[3] = {-direction[0], -direction[1], -direction[2]};
	return model_reach(body, direction) + model_reach(body, back);
}

/* The contact, the normal upwards, from the side on which the narrower body is wider. */
static view make_close_up(const picture *drawn)
{
	view seen = make_side(SIDE_CLOSE);
	const double *a = drawn->witnesses[0], *b = drawn->witnesses[1];
	const float normal[3] = {(float)drawn->normal[0], (float)drawn->normal[1], (float)drawn->normal[2]};
	float tangents[2][3];
	double gap = 0.0, widest = -1.0;
	wp_tangents(normal, tangents[0], tangents[1]);
	for (int choice = 0; choice < 2; choice++) {
		const double right[3] = {tangents[choice][0], tangents[choice][1], tangents[choice][2]};
		const double wide = fmin(spread(&drawn->bodies[0], right), spread(&drawn->bodies[1], right));
		if (wide > widest)
			memcpy(seen.right, right, sizeof right);
		widest = fmax(widest, wide);
	}
	for (int axis = 0; axis < 3; axis++) {
		seen.up[axis] = drawn->normal[axis];
		seen.centre[axis] = 0.5 * a[axis] + 0.5 * b[axis];
		gap += (b[axis] - a[axis]) * drawn->normal[axis];
	}
	const double sizes[2] = {size_of(&drawn->bodies[0]), size_of(&drawn->bodies[1])};
	const double smaller = fmin(sizes[0], sizes[1]) > 0.0 ? fmin(sizes[0], sizes[1]) : fmax(sizes[0], sizes[1]);
	const double half = fmax(CLOSE_SIZE * smaller, CLOSE_GAP * fabs(gap));
	seen.scale = 0.5 * FRAME / (half > 0.0 ? half : 1.0);
	return seen;
}

/* ---- bodies ----------------------------------------------------------------------------------------- */

static void write_convex(FILE *file, const view *seen, const model *body, const char *style)
{
	outline shape = outline_make(seen, body);
	for (size_t point = 0; point < shape.count; point++)
		fprintf(file, "%s%.2f %.2f", point == 0 ? "<path d=\"M" : "L", shape.points[point][0], shape.points[point][1]);
	if (shape.count > 0)
		fprintf(file, "Z\" %s/>\n", style);
	outline_free(&shape);
}

/* Of a mesh, each triangle that is near. */
static void write_outline(FILE *file, const view *seen, const model *body, const char *style)
{
	double corners[3][3];
	const model face = {.points = corners, .point_count = 3};
	for (size_t triangle = 0; triangle < body->triangle_count; triangle++) {
		for (int corner = 0; corner < 3; corner++)
			memcpy(corners[corner], body->points[body->triangles[triangle][corner]], sizeof corners[corner]);
		write_convex(file, seen, &face, style);
	}
	if (body->triangle_count == 0)
		write_convex(file, seen, body, style);
}

/* Lines of the core, where a face before them shows them; others, and those inside a rounded body, are
 * dashed. */
static const char *line_style(const model *body, bool before)
{
	return before && body->radius == 0.0 ? "stroke-opacity=\".75\"" : "stroke-opacity=\".4\" stroke-dasharray=\"3 3\"";
}

/* Faces that are discs. The half of a rim behind that is seen is part of the outline. */
static void write_rims(FILE *file, const view *seen, const model *body, int which)
{
	double back[3];
	char style[128];
	view_back(seen, back);
	for (size_t index = 0; index < body->round_count; index++) {
		const model face = {.rounds = {body->rounds[index]}, .round_count = 1};
		if (dot(face.rounds[0].outwards, face.rounds[0].outwards) == 0.0)
			continue;
		snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"0.9\" %s", colours[which],
			line_style(body, dot(face.rounds[0].outwards, back) > 0.0));
		write_outline(file, seen, &face, style);
	}
}

/* Edges of the core, those behind dashed. */
static void write_edges(FILE *file, const view *seen, const model *body, int which)
{
	double back[3];
	const bool many = body->edge_count > MANY_EDGES;
	view_back(seen, back);
	for (size_t index = 0; index < body->edge_count; index++) {
		const model_edge *edge = &body->edges[index];
		double from[2], to[2];
		view_project(seen, body->points[edge->from], from);
		view_project(seen, body->points[edge->to], to);
		const bool before = dot(edge->normals[0], back) > 0.0 || dot(edge->normals[1], back) > 0.0;
		if ((many && !before) || !view_clip(seen, from, to))
			continue;
		fprintf(file, "<path d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"%s\" stroke-width=\"%.1f\" %s/>\n", from[0], from[1],
			to[0], to[1], colours[which], many ? 0.5 : 0.9, line_style(body, before));
	}
}

/* Where a letter would cover something, pixels. */
typedef struct marks {
	double at[PICTURE_POINT_MAX + 2 * LINE_MARKS + 2][2];
	size_t count;
} marks;

/* A line, as places along it. */
static void add_line(marks *taken, const double from[2], const double to[2])
{
	for (int step = 0; step < LINE_MARKS; step++, taken->count++)
		for (int axis = 0; axis < 2; axis++)
			taken->at[taken->count][axis] = from[axis] + (to[axis] - from[axis]) * step / (LINE_MARKS - 1);
}

static marks find_marks(const view *seen, const picture *drawn)
{
	marks taken = {.count = 0};
	double at[2][2];
	for (int body = 0; body < 2; body++)
		view_project(seen, drawn->witnesses[body], at[body]);
	if (drawn->has_witnesses && view_clip(seen, at[0], at[1]))
		add_line(&taken, at[0], at[1]);
	if (has_normal(drawn)) {
		view_project(seen, drawn->witnesses[0], at[0]);
		at[1][0] = at[0][0] + ARROW * dot(drawn->normal, seen->right);
		at[1][1] = at[0][1] - ARROW * dot(drawn->normal, seen->up);
		add_line(&taken, at[0], at[1]);
	}
	for (uint32_t point = 0; point < drawn->manifold_count; point++, taken.count++)
		view_project(seen, drawn->manifold[point], taken.at[taken.count]);
	return taken;
}

static double clearance(const marks *taken, const double at[2])
{
	double least = LETTER_ROOM;
	for (size_t mark = 0; mark < taken->count; mark++)
		least = fmin(least, hypot(taken->at[mark][0] - at[0], taken->at[mark][1] - at[1]));
	return least;
}

/* A place for the letter of a body that is seen: its middle, or, where that is taken, on the way from there
 * to one of its corners. */
static void place_letter(const view *seen, const outline *shape, const marks *taken, double place[2], double *size)
{
	double low[3] = {INFINITY, INFINITY, 0.0}, high[3] = {-INFINITY, -INFINITY, 0.0}, middle[2];
	for (size_t point = 0; point < shape->count; point++) {
		const double at[3] = {fmin(fmax(shape->points[point][0], seen->left), seen->left + seen->size),
			fmin(fmax(shape->points[point][1], seen->top), seen->top + seen->size), 0.0};
		take_in(low, high, at);
	}
	*size = extent(low, high);
	for (int axis = 0; axis < 2; axis++)
		place[axis] = middle[axis] = 0.5 * (low[axis] + high[axis]);
	double best = clearance(taken, middle);
	for (size_t corner = 0; corner < shape->count && *size >= DOT_BELOW; corner++) {
		double at[2];
		for (int axis = 0; axis < 2; axis++)
			at[axis] = middle[axis] + LETTER_WAY * (shape->points[corner][axis] - middle[axis]);
		const double clear = clearance(taken, at);
		if (clear > best + 1.0) {
			best = clear;
			memcpy(place, at, sizeof at);
		}
	}
}

/* The letters of both bodies, and dots where they are too small to be seen. */
static void write_letters(FILE *file, const view *seen, const picture *drawn)
{
	marks taken = find_marks(seen, drawn);
	for (int body = 0; body < 2; body++) {
		outline shape = outline_make(seen, &drawn->bodies[body]);
		double at[2], size;
		if (shape.count > 0) {
			place_letter(seen, &shape, &taken, at, &size);
			const bool is_dot = size < DOT_BELOW;
			if (is_dot)
				fprintf(file, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" fill=\"%s\"/>\n", at[0], at[1], colours[body]);
			fprintf(file, "<text class=\"letter\" x=\"%.2f\" y=\"%.2f\" style=\"fill:%s\">%c</text>\n",
				at[0] + (is_dot ? 30.0 * body - 15.0 : 0.0), at[1] + 5.0, colours[body], 'A' + body);
			memcpy(taken.at[taken.count++], at, sizeof at);
		}
		outline_free(&shape);
	}
}

/* ---- the contact ------------------------------------------------------------------------------------ */

/* A normal as an arrow from a place, or, seen from its end, as its tip or its feathers. */
static void write_normal(FILE *file, const view *seen, const double normal[3], double size, const double start[2])
{
	double back[3];
	const double x = dot(normal, seen->right), y = -dot(normal, seen->up);
	const double length = sqrt(x * x + y * y);
	view_back(seen, back);
	if (length < 0.2) {
		fprintf(
			file, "<circle class=\"normal\" cx=\"%.2f\" cy=\"%.2f\" r=\"10\" fill=\"none\"/>\n", start[0], start[1]);
		if (dot(normal, back) < 0.0)
			fprintf(
				file, "<path class=\"normal\" d=\"M%.2f %.2fl14 14m0 -14l-14 14\"/>\n", start[0] - 7.0, start[1] - 7.0);
		return;
	}
	const double reach = size * length, head = fmin(10.0, 0.5 * reach),
				 tip[2] = {start[0] + size * x, start[1] + size * y};
	const double along[2] = {x / length * head, y / length * head};
	fprintf(file, "<path class=\"normal\" d=\"M%.2f %.2fL%.2f %.2f\"/>\n", start[0], start[1], tip[0] - 0.7 * along[0],
		tip[1] - 0.7 * along[1]);
	fprintf(file, "<path class=\"tip\" d=\"M%.2f %.2fL%.2f %.2fL%.2f %.2fZ\"/>\n", tip[0], tip[1],
		tip[0] - along[0] - 0.4 * along[1], tip[1] - along[1] + 0.4 * along[0], tip[0] - along[0] + 0.4 * along[1],
		tip[1] - along[1] - 0.4 * along[0]);
}

/* Points of the manifold as rings, and, if requested, their numbers: placed away from their common centre. */
static void write_manifold(FILE *file, const view *seen, const picture *drawn, bool numbered)
{
	double at[PICTURE_POINT_MAX][2], middle[2] = {0.0, 0.0};
	for (uint32_t point = 0; point < drawn->manifold_count; point++) {
		view_project(seen, drawn->manifold[point], at[point]);
		for (int axis = 0; axis < 2; axis++)
			middle[axis] += at[point][axis] / drawn->manifold_count;
	}
	for (uint32_t point = 0; point < drawn->manifold_count; point++) {
		if (!view_holds(seen, at[point]))
			continue;
		fprintf(file, "<circle class=\"point\" cx=\"%.2f\" cy=\"%.2f\" r=\"5\"/>\n", at[point][0], at[point][1]);
		if (dot(drawn->manifold_normals[point], drawn->manifold_normals[point]) > 0.0)
			write_normal(file, seen, drawn->manifold_normals[point], POINT_ARROW, at[point]);
		const double x = at[point][0] - middle[0], y = at[point][1] - middle[1], length = sqrt(x * x + y * y);
		const double share = length > 1.0 ? 13.0 / length : 0.0;
		if (numbered && drawn->manifold_count > 1)
			fprintf(file, "<text class=\"number\" x=\"%.2f\" y=\"%.2f\">%u</text>\n", at[point][0] + share * x,
				at[point][1] + 4.0 + (share > 0.0 ? share * y : -11.0), point + 1);
	}
}

/* A's point is a disc, B's a square: they differ without colours, too. */
static void write_witness(FILE *file, int which, double x, double y)
{
	if (which == 0)
		fprintf(file, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"4.2\" fill=\"%s\" stroke=\"#fff\"/>\n", x, y, colours[0]);
	else
		fprintf(file, "<rect x=\"%.2f\" y=\"%.2f\" width=\"7\" height=\"7\" fill=\"%s\" stroke=\"#fff\"/>\n", x - 3.5,
			y - 3.5, colours[1]);
}

static void write_contact(FILE *file, const view *seen, const picture *drawn, bool numbered)
{
	double at[2][2], cut[2][2];
	for (int body = 0; body < 2; body++)
		view_project(seen, drawn->witnesses[body], at[body]);
	write_manifold(file, seen, drawn, numbered);
	memcpy(cut, at, sizeof cut);
	if (drawn->has_witnesses && view_clip(seen, cut[0], cut[1]))
		fprintf(file, "<path class=\"gap\" d=\"M%.2f %.2fL%.2f %.2f\"/>\n", cut[0][0], cut[0][1], cut[1][0], cut[1][1]);
	if (has_normal(drawn) && view_holds(seen, at[0]))
		write_normal(file, seen, drawn->normal, ARROW, at[0]);
	for (int body = 1; drawn->has_witnesses && body >= 0; body--)
		if (view_holds(seen, at[body]))
			write_witness(file, body, at[body][0], at[body][1]);
}

/* ---- frames ----------------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten, at most `length`. */
static double round_length(double length)
{
	const double power = pow(10.0, floor(log10(length)));
	return length >= 5.0 * power ? 5.0 * power : length >= 2.0 * power ? 2.0 * power : power;
}

/* Lines at round distances from the origin of the picture; `axis` is 0 across the page, 1 along it. */
static void write_grid(FILE *file, const view *seen, int axis)
{
	const double *direction = axis == 0 ? seen->right : seen->up;
	const double step = round_length(0.25 * seen->size / seen->scale), half = 0.5 * seen->size / seen->scale;
	const double middle = dot(seen->centre, direction), sign = direction[0] + direction[1] + direction[2];
	const double bottom = seen->top + seen->size;
	double line = ceil((middle - half) / step);
	/* Far from the origin all lines may be one number. */
	for (int count = 0; count < GRID_LINES_MAX && line * step <= middle + half; count++, line += 1.0) {
		const double shift = seen->scale * (line * step - middle), value = sign * line * step + 0.0;
		const double x = seen->left + 0.5 * seen->size + shift, y = seen->top + 0.5 * seen->size - shift;
		if (axis == 0)
			fprintf(file,
				"<path class=\"grid\" d=\"M%.2f %.2fV%.2f\"/><text class=\"tick\" x=\"%.2f\" y=\"%.2f\">%.6g</text>\n",
				x, seen->top, bottom, x, bottom + 14.0, value);
		else
			fprintf(file,
				"<path class=\"grid\" d=\"M%.2f %.2fH%.2f\"/><text class=\"tick end\" x=\"%.2f\" "
				"y=\"%.2f\">%.6g</text>\n",
				seen->left, y, seen->left + seen->size, seen->left - 5.0, y + 4.0, value);
	}
}

static void write_scale_bar(FILE *file, const view *seen)
{
	const double length = round_length(0.25 * seen->size / seen->scale), width = length * seen->scale;
	const double x = seen->left + 12.0, y = seen->top + seen->size - 12.0;
	fprintf(file, "<path class=\"bar\" d=\"M%.2f %.2fv-5v10v-5h%.2fv-5v10\"/>\n", x, y, width);
	fprintf(file, "<text class=\"halo\" x=\"%.2f\" y=\"%.2f\">%.6g</text>\n", x + width + 7.0, y + 4.0, length);
}

static void write_view(FILE *file, const view *seen, const picture *drawn, int which, bool numbered)
{
	fprintf(file, "<g id=\"view%d\">\n<text class=\"caption\" x=\"%.2f\" y=\"%.2f\">%s</text>\n", which, seen->left,
		seen->top - 8.0, sides[which].title);
	fprintf(file, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#fff\"/>\n", seen->left, seen->top,
		seen->size, seen->size);
	for (int axis = 0; which != SIDE_CLOSE && axis < 2; axis++)
		write_grid(file, seen, axis);
	if (which != SIDE_CLOSE)
		fprintf(file,
			"<text class=\"axis end\" x=\"%.2f\" y=\"%.2f\">%s</text><text class=\"axis\" x=\"%.2f\" "
			"y=\"%.2f\">%s</text>\n",
			seen->left + seen->size, seen->top + seen->size + 30.0, sides[which].across, seen->left - 34.0,
			seen->top - 8.0, sides[which].along);
	fprintf(file, "<g clip-path=\"url(#frame%d)\">\n", which);
	for (int body = 0; body < 2; body++) {
		char style[128];
		snprintf(style, sizeof style, "class=\"ghost\" stroke=\"%s\"", colours[body]);
		if (model_is_there(&drawn->ghosts[body]))
			write_outline(file, seen, &drawn->ghosts[body], style);
		snprintf(style, sizeof style, "fill=\"%s\" fill-opacity=\".2\" stroke=\"%s\" stroke-width=\"1.6\"",
			colours[body], colours[body]);
		write_outline(file, seen, &drawn->bodies[body], style);
		write_rims(file, seen, &drawn->bodies[body], body);
		write_edges(file, seen, &drawn->bodies[body], body);
	}
	write_letters(file, seen, drawn);
	write_contact(file, seen, drawn, numbered);
	write_scale_bar(file, seen);
	fprintf(file, "</g>\n<rect class=\"frame\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n</g>\n",
		seen->left, seen->top, seen->size, seen->size);
}

/* The side from which the points of a manifold are seen best: along the normal. */
static int side_of_numbers(const picture *drawn, const view views[SIDE_COUNT])
{
	int best = SIDE_FRONT;
	double most = -1.0;
	for (int which = 0; which < SIDE_CLOSE; which++) {
		double back[3];
		view_back(&views[which], back);
		const double along = fabs(dot(back, drawn->normal));
		if (along > most) {
			most = along;
			best = which;
		}
	}
	return best;
}

/* ---- text ------------------------------------------------------------------------------------------- */

static void write_lines(FILE *file, const picture *drawn)
{
	static const char *const classes[] = {"line", "heading", "line", "line"};
	double y = PAGE_TOP;
	for (size_t index = 0; index < drawn->line_count; index++) {
		const picture_line *line = &drawn->lines[index];
		if (line->style == PICTURE_HEADING && index > 0)
			y += 0.6 * LINE_HEIGHT;
		if (line->style >= PICTURE_SIDE_A)
			write_witness(file, line->style - PICTURE_SIDE_A, TEXT_LEFT + 5.0, y - 4.0);
		fprintf(file, "<text class=\"%s\" x=\"%.2f\" y=\"%.2f\">", classes[line->style],
			TEXT_LEFT + (line->style >= PICTURE_SIDE_A ? 16.0 : 0.0), y);
		write_text(file, line->text);
		fputs("</text>\n", file);
		y += LINE_HEIGHT;
	}
}

static void write_head(FILE *file, const picture *drawn, const view views[SIDE_COUNT], int view_count)
{
	fprintf(file,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
		"font-family=\"DejaVu Sans, Verdana, Helvetica, sans-serif\" fill=\"none\">\n<title>",
		PAGE_WIDTH, PAGE_HEIGHT, PAGE_WIDTH, PAGE_HEIGHT);
	write_text(file, drawn->title);
	fputs("</title>\n<style>\n"
		  "path{stroke-linejoin:round;stroke-linecap:round}\n"
		  "text{fill:#222;font-size:11px}\n"
		  ".title{font-size:17px;font-weight:bold}.caption{font-size:12px;font-weight:bold}\n"
		  ".heading{font-size:12px;font-weight:bold}.axis{font-size:12px;font-style:italic}\n"
		  ".tick{fill:#666;font-size:10px;text-anchor:middle}.end{text-anchor:end}\n"
		  ".letter{font-size:16px;font-weight:bold;text-anchor:middle;stroke:#fff;stroke-width:3;paint-order:"
		  "stroke}\n"
		  ".number{text-anchor:middle;stroke:#fff;stroke-width:3;paint-order:stroke}\n"
		  ".halo{stroke:#fff;stroke-width:3;paint-order:stroke}\n"
		  ".grid{stroke:#e4e4e4}.frame{stroke:#888}.bar{stroke:#222;stroke-width:1.4}\n"
		  ".ghost{stroke-width:1.1;stroke-dasharray:6 4}.gap{stroke:#222;stroke-width:1.2;stroke-dasharray:2 "
		  "2.5}\n"
		  ".point{stroke:#222;stroke-width:1.2}.normal{stroke:#222;stroke-width:2}.tip{fill:#222}\n"
		  "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<defs>\n",
		file);
	for (int which = 0; which < view_count; which++)
		fprintf(file,
			"<clipPath id=\"frame%d\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/></clipPath>\n", which,
			views[which].left, views[which].top, views[which].size, views[which].size);
	fprintf(file, "</defs>\n<text class=\"title\" x=\"%.2f\" y=\"32\">", PAGE_LEFT);
	write_text(file, drawn->title);
	fputs("</text>\n", file);
}

void picture_write(FILE *file, const picture *drawn)
{
	view views[SIDE_COUNT];
	const bool close = drawn->has_witnesses && has_normal(drawn);
	const int view_count = close ? SIDE_COUNT : SIDE_CLOSE;
	make_sides(drawn, views);
	if (close)
		views[SIDE_CLOSE] = make_close_up(drawn);
	write_head(file, drawn, views, view_count);
	const int numbered = side_of_numbers(drawn, views);
	for (int which = 0; which < view_count; which++)
		write_view(file, &views[which], drawn, which, which == numbered);
	write_lines(file, drawn);
	fprintf(file,
		"<text class=\"tick\" style=\"text-anchor:start\" x=\"%.2f\" y=\"%.2f\">The three sides have one scale; "
		"numbers along them count from (%.9g, %.9g, %.9g), the position of A.</text>\n</svg>\n",
		PAGE_LEFT, PAGE_HEIGHT - 10.0, drawn->origin[0], drawn->origin[1], drawn->origin[2]);
}
