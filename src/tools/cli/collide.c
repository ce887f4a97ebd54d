/* widephase collide: answers every pair of a file, one CSV row each, or one for each of its points. Streams,
 * so the file may be larger than memory. For two files with shapes, it answers that pair in words. */
#include "commands.h"
#include "progress.h"
#include "csv.h"
#include "single.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct collide {
	const char *pairs_path, *out_path; /* out_path NULL: standard output */
	csv_order order;
	single pair; /* of two files: their paths and poses */
	bool pose_said;
	capture_file capture;
	csv_answers csv;
	FILE *out;
} collide;

static bool take_pose(collide *job, const char *argument, float position[3], float rotation[4])
{
	job->pose_said = true;
	return parse_pose(argument, position, rotation);
}

static bool option_pose_a(const option_row *row, const char *argument, void *to)
{
	collide *const job = to;
	(void)row;
	return take_pose(job, argument, job->pair.pair.position_a, job->pair.pair.rotation_a);
}

static bool option_pose_b(const option_row *row, const char *argument, void *to)
{
	collide *const job = to;
	(void)row;
	return take_pose(job, argument, job->pair.pair.position_b, job->pair.pair.rotation_b);
}

#define POSE_POSSIBLE "X,Y,Z or X,Y,Z,QX,QY,QZ,QW, of numbers up to 1e30 and no quaternion of zeros"

static const option_row options[] = {
	{.name = "out",
		.letter = 'o',
		.argument = "FILE.csv",
		.help = "write the rows there (default: standard output)",
		.read = option_text,
		.offset = offsetof(collide, out_path)},
	{.name = "pose-a",
		.letter = 'a',
		.argument = "X,Y,Z[,QX,QY,QZ,QW]",
		.help = "of two shapes: where A stands and how it is turned, by a quaternion of any length (default: at the "
				"origin, not turned)",
		.read = option_pose_a,
		.possible = POSE_POSSIBLE},
	{.name = "pose-b",
		.letter = 'b',
		.argument = "X,Y,Z[,QX,QY,QZ,QW]",
		.help = "the same of B",
		.read = option_pose_b,
		.possible = POSE_POSSIBLE},
	{.name = NULL},
};

static bool is_single(const collide *job) { return job->pair.path[1] != NULL; }

/* What goes with a pair file and not with two shapes, or the other way round. NULL where all is fine. */
static const char *form_refusal(const collide *job)
{
	if (!is_single(job))
		return job->pose_said ? "--pose-a and --pose-b go with two shapes" : NULL;
	if (job->out_path)
		return "--out goes with a pair file";
	if (job->order.thread_count > 1)
		return "--threads goes with a pair file";
	if (request_is_for_meshes(&job->order.wanted))
		return REQUEST_MESH_OPTIONS " go with a pair file that has meshes: of two shapes the hulls are taken";
	return query_moves(job->order.wanted.which) ? "two shapes have no motions, which this query needs" : NULL;
}

static void parse_arguments(collide *job, int argc, char **argv)
{
	const command_line line = {.name = "widephase collide",
		.arguments = "FILE.pairs\nA B",
		.about = "Answer every pair of FILE.pairs, one CSV row each (manifold: each point), with a summary on standard "
				 "error; or answer the pair of A and B in words, each a hull (.wph, made by widephase cook) "
				 "or a mesh (OBJ, STL, PLY, glTF), of which the convex hull is taken.",
		.least = 1,
		.most = 2,
		.too_few = "which pair file, or which two shapes?",
		.too_many = "one pair file, or two shapes",
		.tables = {{csv_options, &job->order}, {options, job}}};
	const int first = command_line_parse(&line, argc, argv);
	job->pairs_path = job->pair.path[0] = argv[first];
	job->pair.path[1] = first + 1 < argc ? argv[first + 1] : NULL;
	if (is_single(job) && !job->order.query_said && job->order.variant != VARIANT_REFERENCE)
		job->order.wanted.which = QUERY_MANIFOLD;
	const char *const refusal = form_refusal(job);
	if (refusal)
		command_line_refuse(&line, "%s", refusal);
	request_finish(&job->order.wanted, job->order.variant, &line);
}

static int cannot_write(const collide *job)
{
	const char *const path = job->out_path;
	return report_error("%s: cannot write: %s", path ? path : "standard output", strerror(errno));
}

/* The next pairs of the file, with what it has of them. */
static bool read_chunk(collide *job, size_t *count)
{
	csv_answers *const csv = &job->csv;
	return capture_read(&job->capture, csv->pairs, CSV_CHUNK, count) &&
	       capture_read_motions(&job->capture, csv->pairs, csv->motions, *count) &&
	       capture_read_caches(&job->capture, csv->caches, *count);
}

static int answer_chunk(collide *job, uint64_t first, size_t count)
{
	if (!csv_answer(&job->csv, first, count))
		return report_error("%s", job->csv.error);
	for (uint32_t member = 0; member < job->order.thread_count; member++)
		fwrite(job->csv.shares[member].bytes, 1, job->csv.shares[member].size, job->out);
	csv_drop_lines(&job->csv);
	return ferror(job->out) ? cannot_write(job) : 0;
}

static int answer_all(collide *job)
{
	progress bar = progress_start(job->capture.pair_count);
	int code = 0;
	csv_print_heading(job->out, job->order.wanted.which, capture_has_meshes(&job->capture));
	while (code == 0) {
		size_t count;
		const uint64_t first = job->capture.pair_next;
		if (!read_chunk(job, &count)) {
			code = report_error("%s", job->capture.error);
			break;
		}
		if (count == 0)
			break;
		code = answer_chunk(job, first, count);
		progress_step(&bar, first + count);
	}
	progress_end(&bar);
	return code;
}

static void print_summary(const collide *job)
{
	const csv_totals totals = csv_sum(&job->csv);
	char how[32] = "";
	if (job->order.thread_count > 1)
		snprintf(how, sizeof how, " by %u threads", job->order.thread_count);
	csv_print_summary(&job->csv, &totals, how);
}

static int run(collide *job)
{
	const char *const path = job->out_path;
	if (!csv_init(&job->csv, &job->order, &job->capture))
		return report_error("%s", job->csv.error);
	if (path && report_same_file(path, job->csv.capture->path))
		return EXIT_ERROR;
	report_scene(&job->csv.scene, job->csv.capture->path);
	job->out = path ? fopen(path, "wb") : stdout;
	if (!job->out)
		return report_error("%s: cannot create: %s", path, strerror(errno));
	int code = answer_all(job);
	if ((path ? fclose(job->out) : fflush(job->out)) != 0 && code == 0)
		code = cannot_write(job);
	if (code == 0)
		print_summary(job);
	return code;
}

int command_collide(int argc, char **argv)
{
	collide job = {
		.order = csv_order_default(), .pair.pair = {.b = 1, .rotation_a = {0, 0, 0, 1}, .rotation_b = {0, 0, 0, 1}}};
	parse_arguments(&job, argc, argv);
	if (is_single(&job)) {
		job.pair.wanted = job.order.wanted;
		job.pair.variant = job.order.variant;
		return single_answer(&job.pair);
	}
	if (!capture_open(&job.capture, job.pairs_path))
		return report_error("%s", job.capture.error);
	int code = run(&job);
	csv_free(&job.csv);
	capture_close(&job.capture);
	return code;
}
