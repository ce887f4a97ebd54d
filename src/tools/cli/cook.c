/* widephase cook: the convex hull of a mesh, as a file that wp_hull_from_memory reads, or the mesh itself, as one that
 * wp_mesh_from_memory reads. */
#include "capture.h"
#include "commands.h"
#include "hull_file.h"
#include "mesh_file.h"
#include "runner.h"

#include <ctype.h>
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

static bool option_scale(const option_row *row, const char *argument, void *to)
{
	char *end;
	const double scale = strtod(argument, &end);
	(void)row;
	*(double *)to = scale;
	return end != argument && !isspace((unsigned char)*argument) && *end == '\0' && isfinite(scale) && scale > 0.0;
}

static const option_row options[] = {
	{.name = "mesh",
		.letter = 'g',
		.help = "write the triangles of the mesh, not its hull; the file to write ends in .wpm",
		.offset = offsetof(cook, as_mesh)},
	{.name = "out",
		.letter = 'o',
		.argument = "HULL.wph",
		.help = "write the hull there; it is replaced as a whole, or left as it was",
		.read = option_text,
		.offset = offsetof(cook, out_path)},
	{.name = "max-vertices",
		.letter = 'n',
		.argument = "N",
		.help = "keep at most N vertices, 4 to 65535, those that leave the least of the mesh outside (default: all)",
		.read = option_count,
		.offset = offsetof(cook, max_vertices),
		.least = VERTICES_MIN,
		.most = WP_HULL_VERTEX_MAX},
	{.name = "scale",
		.letter = 's',
		.argument = "S",
		.help = "multiply all coordinates by S (default: 1)",
		.read = option_scale,
		.offset = offsetof(cook, scale),
		.possible = "a finite number above 0"},
	{.name = "max-memory",
		.letter = 'm',
		.argument = "MIB",
		.help = "stop where reading MESH takes more memory (default: 8192)",
		.read = option_count,
		.offset = offsetof(cook, limits.megabytes),
		.least = 1,
		.most = MESH_LIMIT_MAX},
	{.name = "max-time",
		.letter = 't',
		.argument = "SECONDS",
		.help = "stop where reading MESH takes more processor time (default: 60)",
		.read = option_count,
		.offset = offsetof(cook, limits.seconds),
		.least = 1,
		.most = MESH_LIMIT_MAX},
	{.name = "max-mesh-vertices",
		.letter = 'i',
		.argument = "N",
		.help = "stop where MESH has more vertices (default: 100000000)",
		.read = option_count,
		.offset = offsetof(cook, limits.vertices),
		.least = 1,
		.most = MESH_LIMIT_MAX},
	{.name = NULL},
};

static void parse_arguments(cook *job, int argc, char **argv)
{
	const command_line line = {.name = "widephase cook",
		.arguments = "MESH",
		.about = "Write the convex hull of all vertices of MESH (OBJ, STL, PLY, glTF), placed by its nodes, with its "
				 "size and the mass of a model of density 1 on standard error. The bytes are a wp_hull, for "
				 "wp_hull_from_memory. With --mesh, write the triangles instead, as a wp_mesh for wp_mesh_from_memory.",
		.least = 1,
		.most = 1,
		.too_few = "which mesh?",
		.too_many = "one mesh at a time",
		.tables = {{options, job}}};
	job->mesh_path = argv[command_line_parse(&line, argc, argv)];
	if (!job->out_path)
		command_line_refuse(&line, "where to? --out %s", job->as_mesh ? "MESH.wpm" : "HULL.wph");
	if (job->as_mesh && job->max_vertices != 0)
		command_line_refuse(&line, "--max-vertices is for hulls, not for --mesh");
	if (job->as_mesh ? !mesh_file_is(job->out_path) : !hull_file_is(job->out_path))
		command_line_refuse(&line, "'%s' does not end in %s", job->out_path, job->as_mesh ? ".wpm" : ".wph");
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
	cook job = {.scale = 1.0, .limits = mesh_default_limits};
	hull_file file;
	char error[CAPTURE_ERROR_MAX];
	parse_arguments(&job, argc, argv);
	if (report_same_file(job.out_path, job.mesh_path))
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
