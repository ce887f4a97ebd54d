#include "single.h"
#include "hull_file.h"
#include "system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- poses ------------------------------------------------------------------------------------------ */

/* Numbers with commas between them: how many, or 0 where the text is anything else. */
static int parse_numbers(const char *text, double *numbers, int most)
{
	for (int count = 0; count < most; text++) {
		char *end;
		numbers[count] = strtod(text, &end);
		if (end == text || !isfinite(numbers[count]))
			return 0;
		count++;
		text = end;
		if (*text != ',')
			return *text == '\0' ? count : 0;
	}
	return 0;
}

bool parse_pose(const char *text, float position[3], float rotation[4])
{
	double numbers[7] = {0, 0, 0, 0, 0, 0, 1};
	const int count = parse_numbers(text, numbers, 7);
	const double length = hypot(hypot(numbers[3], numbers[4]), hypot(numbers[5], numbers[6]));
	if ((count != 3 && count != 7) || !(length > 0.0) || !isfinite(length))
		return false;
	for (int axis = 0; axis < 3; axis++) {
		if (fabs(numbers[axis]) > (double)WP_COORDINATE_MAX)
			return false;
		position[axis] = (float)numbers[axis];
	}
	for (int part = 0; part < 4; part++)
		rotation[part] = (float)(numbers[3 + part] / length);
	return true;
}

/* ---- the answer ------------------------------------------------------------------------------------- */

typedef struct answer {
	wp_row row;
	uint32_t count;
	wp_manifold_point points[WP_MANIFOLD_POINT_MAX];
} answer;

static wp_error ask(const single *job, runner *run, const wp_shape shapes[2], answer *result)
{
	const size_t size = wp_shape_table_size(2);
	void *const memory = system_allocate(size);
	if (!memory)
		return WP_ERROR_MEMORY_TOO_SMALL;
	capture_scene scene = {.shapes = (wp_shape *)shapes, .shape_count = 2};
	wp_error error = wp_shape_table_build(shapes, 2, memory, size, &scene.table, NULL);
	const answers to = {.rows = &result->row, .counts = &result->count, .points = result->points};
	if (error == WP_OK)
		error = runner_answer(run, &job->wanted, &scene, &job->pair, NULL, 1, &to);
	system_free(memory);
	return error;
}

static void print_vector(const char *name, const float vector[3])
{
	printf("%-12s %.9g %.9g %.9g\n", name, (double)vector[0], (double)vector[1], (double)vector[2]);
}

/* One word or two of what is proven; overlap queries prove no more than that. */
static void print_verdict(const single *job, const wp_row *row)
{
	const bool overlaps = row->status & WP_STATUS_PENETRATING;
	if (row->status & WP_STATUS_TOUCHING)
		printf("touching, within rounding\n");
	else if (job->wanted.which == QUERY_OVERLAP || (overlaps && job->wanted.which == QUERY_DISTANCE))
		printf("%s\n", overlaps ? "overlapping" : "apart");
	else if (row->status & WP_STATUS_BEYOND)
		printf("apart, by %.9g at least, which is beyond --max-separation\n", (double)row->lower);
	else
		printf(overlaps ? "overlapping, %.9g deep\n" : "apart, by %.9g\n", fabs((double)row->separation));
}

static void print_points(const answer *result)
{
	printf("%-12s %u point%s\n", "manifold", result->count,
		result->count == 0   ? "s"
		: result->count == 1 ? ", its separation"
							 : "s, each with its separation");
	for (uint32_t index = 0; index < result->count; index++) {
		const wp_manifold_point *point = &result->points[index];
		printf("  %-10u %.9g\n", index, (double)point->separation);
		print_vector("    on A", point->point_a);
		print_vector("    on B", point->point_b);
	}
}

static void print_answer(const single *job, const answer *result)
{
	const wp_row *row = &result->row;
	char status[WP_STATUS_TEXT_MAX];
	print_verdict(job, row);
	wp_status_text(row->status, status, sizeof status);
	printf("%-12s %s\n", "status", status);
	if (job->wanted.which != QUERY_OVERLAP) {
		printf("%-12s %.9g\n", "separation", (double)row->separation);
		printf("%-12s %.9g to %.9g\n", "bounds", (double)row->lower, (double)row->upper);
		print_vector("normal", row->normal);
		print_vector("point on A", row->point_a);
		print_vector("point on B", row->point_b);
	}
	if (job->wanted.which == QUERY_MANIFOLD)
		print_points(result);
}

static int answer_hulls(const single *job, const hull_file files[2])
{
	const wp_shape shapes[2] = {wp_shape_hull(files[0].hull), wp_shape_hull(files[1].hull)};
	runner run;
	answer result = {0};
	wp_error error = runner_init(&run, job->variant);
	if (error != WP_OK)
		return report_error("%s: %s", variant_name(job->variant), wp_error_text(error));
	error = ask(job, &run, shapes, &result);
	runner_free(&run);
	if (error != WP_OK)
		return report_error("%s", wp_error_text(error));
	for (int side = 0; side < 2; side++)
		printf("%c: %s, %zu vertices, %zu faces%s\n", 'A' + side, job->path[side],
			wp_hull_vertex_count(files[side].hull), wp_hull_face_count(files[side].hull),
			files[side].meshes != 0 ? ", the hull of the mesh" : "");
	print_answer(job, &result);
	return 0;
}

int single_answer(const single *job)
{
	char error[CAPTURE_ERROR_MAX];
	hull_file files[2] = {0};
	int code = 0;
	for (int side = 0; side < 2 && code == 0; side++) {
		if (!hull_file_read(job->path[side], &files[side], error))
			code = report_error("%s", error);
	}
	if (code == 0)
		code = answer_hulls(job, files);
	hull_file_free(&files[0]);
	hull_file_free(&files[1]);
	return code;
}
