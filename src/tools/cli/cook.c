/* widephase cook: the convex hull of a mesh, as a file that wp_hull_from_memory reads, or the mesh itself, as one that
 * wp_mesh_from_memory reads. */
#include "capture.h"
#include "commands.h"
#include "hull_file.h"
#include "mesh_file.h"
#include "runner.h"

#include <argp.h>
#include <math.h>
#include <stdlib.h>

#define VERTICES_MIN 4

typedef struct cook {
	const char *mesh_path, *out_path;
	uint32_t max_vertices; /* 0 = not given */
	double scale;
	bool as_mesh;
	mesh_limits limits;
} cook;

enum option_key {
	KEY_OUT = 'o',
	KEY_MAX_VERTICES = 'n',
	KEY_SCALE = 's',
	KEY_MEMORY = 'm',
	KEY_TIME = 't',
	KEY_MESH_VERTICES = 'i',
	KEY_AS_MESH = 'g'
};

static const struct argp_option options[] = {
	{"mesh", KEY_AS_MESH, NULL, 0, "write the triangles of the mesh, not its hull; the file to write ends in .wpm", 0},
	{"out", KEY_OUT, "HULL.wph", 0, "write the hull there; it is replaced as a whole, or left as it was", 0},
	{"max-vertices", KEY_MAX_VERTICES, "N", 0,
		"keep at most N vertices, 4 to 65535, those that leave the least of the mesh outside (default: all)", 0},
	{"scale", KEY_SCALE, "S", 0, "multiply all coordinates by S (default: 1)", 0},
	{"max-memory", KEY_MEMORY, "MIB", 0, "stop where reading MESH takes more memory (default: 8192)", 0},
	{"max-time", KEY_TIME, "SECONDS", 0, "stop where reading MESH takes more processor time (default: 60)", 0},
	{"max-mesh-vertices", KEY_MESH_VERTICES, "N", 0, "stop where MESH has more vertices (default: 100000000)", 0},
	{0},
};

static bool parse_scale(const char *text, double *scale)
{
	char *end;
	*scale = strtod(text, &end);
	return end != text && *end == '\0' && isfinite(*scale) && *scale > 0.0;
}

static void parse_limit(const char *name, const char *text, uint32_t *limit, struct argp_state *state)
{
	if (!parse_count(text, 1, MESH_LIMIT_MAX, limit))
		argp_error(state, "--%s is 1 to %d, not '%s'", name, MESH_LIMIT_MAX, text);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	cook *job = state->input;
	switch (key) {
	case KEY_OUT:
		job->out_path = argument;
		return 0;
	case KEY_MAX_VERTICES:
		if (!parse_count(argument, VERTICES_MIN, WP_HULL_VERTEX_MAX, &job->max_vertices))
			argp_error(state, "--max-vertices is %d to %d, not '%s'", VERTICES_MIN, WP_HULL_VERTEX_MAX, argument);
		return 0;
	case KEY_AS_MESH:
		job->as_mesh = true;
		return 0;
	case KEY_SCALE:
		if (!parse_scale(argument, &job->scale))
			argp_error(state, "'%s' is no scale", argument);
		return 0;
	case KEY_MEMORY:
		parse_limit("max-memory", argument, &job->limits.megabytes, state);
		return 0;
	case KEY_TIME:
		parse_limit("max-time", argument, &job->limits.seconds, state);
		return 0;
	case KEY_MESH_VERTICES:
		parse_limit("max-mesh-vertices", argument, &job->limits.vertices, state);
		return 0;
	case ARGP_KEY_SUCCESS:
		if (!job->out_path)
			argp_error(state, "where to? --out HULL.wph");
		if (job->as_mesh && job->max_vertices != 0)
			argp_error(state, "--max-vertices is for hulls, not for --mesh");
		if (job->as_mesh ? !mesh_file_is(job->out_path) : !hull_file_is(job->out_path))
			argp_error(state, "'%s' does not end in %s", job->out_path, job->as_mesh ? ".wpm" : ".wph");
		return 0;
	default:
		return path_parse(key, argument, "mesh", &job->mesh_path, state);
	}
}

static void print_mass(const hull_file *file)
{
	if (file->mass_error != WP_OK) {
		fprintf(stderr, "  volume    none: %s\n", wp_error_text(file->mass_error));
		return;
	}
	const wp_mass *mass = &file->mass;
	fprintf(stderr, "  volume    %.9g\n  centroid  %.9g %.9g %.9g\n", mass->volume, mass->centroid[0],
		mass->centroid[1], mass->centroid[2]);
	for (int row = 0; row < 3; row++)
		fprintf(stderr, "  %-9s %.9g %.9g %.9g\n", row == 0 ? "inertia" : "", mass->inertia[row][0],
			mass->inertia[row][1], mass->inertia[row][2]);
}

static void print_summary(const cook *job, const hull_file *file)
{
	fprintf(stderr, "%s: %zu vertices in %zu mesh%s\n", job->mesh_path, file->vertices, file->meshes,
		file->meshes == 1 ? "" : "es");
	fprintf(stderr, "%s: %zu vertices, %zu faces, %zu bytes\n", job->out_path, wp_hull_vertex_count(file->hull),
		wp_hull_face_count(file->hull), wp_hull_byte_size(file->hull));
	if (job->max_vertices != 0)
		fprintf(stderr, "  error     %.3g, %.2g of the diagonal: no vertex of the mesh is further outside\n",
			(double)file->error, file->diagonal > 0.0 ? (double)file->error / file->diagonal : 0.0);
	print_mass(file);
}

static void print_mesh(const cook *job, const mesh_file *file)
{
	const wp_mesh_report *const report = &file->report;
	fprintf(stderr, "%s: %zu vertices, %zu triangles in %zu mesh%s\n", job->mesh_path, file->vertices, file->triangles,
		file->meshes, file->meshes == 1 ? "" : "es");
	fprintf(stderr, "  welded    %zu vertices\n  dropped   %zu triangles without area, %zu unused vertices\n",
		report->welded, report->dropped, report->unused);
	fprintf(stderr,
		"  open      %zu edges of one triangle, %zu of three or more, %zu of two with fronts on different sides\n",
		report->boundary_edges, report->crowded_edges, report->turned_edges);
	fprintf(stderr, "%s:\n", job->out_path);
	mesh_file_print(file->mesh, stderr);
}

static int cook_mesh(const cook *job)
{
	mesh_file file;
	char error[CAPTURE_ERROR_MAX];
	if (!mesh_file_cook(job->mesh_path, job->scale, &job->limits, &file, error))
		return report_error("%s", error);
	int code = 0;
	if (hull_file_write(job->out_path, file.mesh, wp_mesh_byte_size(file.mesh), error))
		print_mesh(job, &file);
	else
		code = report_error("%s", error);
	mesh_file_free(&file);
	return code;
}

int command_cook(int argc, char **argv)
{
	const struct argp parser = {options, parse, "MESH",
		"Write the convex hull of all vertices of MESH (OBJ, STL, PLY, glTF), placed by its nodes, with its size and "
		"the mass of a model of density 1 on standard error. The bytes are those of a wp_hull, for "
		"wp_hull_from_memory. With --mesh, write the triangles instead, as a wp_mesh for wp_mesh_from_memory.",
		NULL, NULL, NULL};
	cook job = {.scale = 1.0, .limits = mesh_default_limits};
	hull_file file;
	char error[CAPTURE_ERROR_MAX];
	if (argp_parse(&parser, argc, argv, 0, NULL, &job) != 0)
		return EXIT_ERROR;
	if (job.as_mesh)
		return cook_mesh(&job);
	if (!hull_file_cook(job.mesh_path, job.scale, job.max_vertices, &job.limits, &file, error))
		return report_error("%s", error);
	int code = 0;
	if (hull_file_write(job.out_path, file.hull, wp_hull_byte_size(file.hull), error))
		print_summary(&job, &file);
	else
		code = report_error("%s", error);
	hull_file_free(&file);
	return code;
}
