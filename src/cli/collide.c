/* widephase collide: answers every pair of a file, one CSV row each, or one for each of its points. Streams,
 * so the file may be larger than memory. Of two files with shapes, it answers that pair in words. */
#include "commands.h"
#include "crew.h"
#include "faces.h"
#include "progress.h"
#include "runner.h"
#include "single.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whatever the number of threads: what is written before an error in the file must not depend on it. */
#define CHUNK_PAIRS 16384
#define POINTS_DEFAULT 4

/* What one thread has of its own. */
typedef struct share {
	runner run;
	FILE *text; /* into `bytes`: the lines of its rows */
	char *bytes;
	size_t size;
	const char *error;
	uint64_t counts[32]; /* rows by status bit */
	double seconds;      /* of the chunk, in the query alone */
} share;

typedef struct collide {
	const char *pairs_path, *out_path;
	single pair; /* of two files: their paths and poses */
	bool query_said, pose_said;
	request wanted;
	unsigned variant;
	uint32_t thread_count;
	capture_file capture;
	capture_scene scene;
	share *shares; /* [thread_count] */
	uint64_t first; /* pair of the chunk */
	FILE *out;
	capture_pair *pairs;
	capture_motion *motions;
	capture_cache *caches;
	wp_row *rows;
	float *fractions;
	uint32_t *point_counts;
	wp_manifold_point *points; /* [CHUNK_PAIRS][wanted.point_max] */
	double seconds;            /* in the query alone, of the slowest thread of each chunk */
} collide;

enum option_key {
	KEY_THREADS = 't',
	KEY_OUT = 'o',
	KEY_POSE_A = 'a',
	KEY_POSE_B = 'b'
};

static const struct argp_option options[] = {
    {"query", REQUEST_QUERY, "Q", 0,
        "overlap, distance, contact (the default), or manifold (that of two shapes), which has a row for each "
        "point; of pairs with motions cast, or depth-along, the depth along the way of B as A sees it",
        0},
    {"variant", REQUEST_VARIANT, "V", 0,
        "auto (the default), scalar, sse2, avx2, avx512, neon, wasm or reference", 0},
    {"max-separation", REQUEST_MAX_SEPARATION, "X", 0,
        "contact: pairs proven further apart are answered by that proof alone; manifold: points further "
        "apart are left out, too (default: infinite)",
        0},
    {"points", REQUEST_POINTS, "N", 0, "manifold: most points of a pair, 1 to 8 (default: 4)", 0},
    {"threads", KEY_THREADS, "N", 0,
        "answer and write by that many threads, 1 (the default) to 256, or all that the machine has; the rows "
        "are the same bytes",
        0},
    {"out", KEY_OUT, "FILE.csv", 0, "write the rows there (default: standard output)", 0},
    {"pose-a", KEY_POSE_A, "X,Y,Z[,QX,QY,QZ,QW]", 0,
        "of two shapes: where A stands and how it is turned, by a quaternion of any length (default: at the "
        "origin, not turned)",
        1},
    {"pose-b", KEY_POSE_B, "X,Y,Z[,QX,QY,QZ,QW]", 0, "likewise B", 1},
    {0},
};

static void parse_path(collide *job, const char *argument, struct argp_state *state)
{
	if (state->arg_num == 0)
		job->pairs_path = argument;
	if (state->arg_num > 1)
		argp_error(state, "one pair file, or two shapes");
	else
		job->pair.path[state->arg_num] = argument;
}

static void parse_side(collide *job, const char *argument, bool is_b, struct argp_state *state)
{
	capture_pair *pair = &job->pair.pair;
	job->pose_said = true;
	float *const position = is_b ? pair->position_b : pair->position_a;
	if (!parse_pose(argument, position, is_b ? pair->rotation_b : pair->rotation_a))
		argp_error(state, "'%s' is no pose", argument);
}

static bool is_single(const collide *job)
{
	return job->pair.path[1] != NULL;
}

/* What goes with a pair file and not with two shapes, or the other way round. NULL where all is fine. */
static const char *form_refusal(const collide *job)
{
	if (!is_single(job))
		return job->pose_said ? "--pose-a and --pose-b go with two shapes" : NULL;
	if (job->out_path)
		return "--out goes with a pair file";
	if (job->thread_count > 1)
		return "--threads goes with a pair file";
	return query_moves(job->wanted.which) ? "two shapes have no motions, which this query needs" : NULL;
}

static void finish_request(collide *job, struct argp_state *state)
{
	if (is_single(job) && !job->query_said && job->variant != VARIANT_REFERENCE)
		job->wanted.which = QUERY_MANIFOLD;
	const char *refusal = form_refusal(job);
	if (!refusal)
		refusal = request_refusal(&job->wanted, job->variant);
	if (refusal)
		argp_error(state, "%s", refusal);
	if (job->wanted.point_max == 0)
		job->wanted.point_max = POINTS_DEFAULT;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	collide *job = state->input;
	switch (key) {
	case KEY_THREADS:
		if (!crew_parse(argument, &job->thread_count))
			argp_error(state, "--threads is 1 to %d, or all, not '%s'", CREW_MAX, argument);
		return 0;
	case KEY_OUT:
		job->out_path = argument;
		return 0;
	case KEY_POSE_A:
	case KEY_POSE_B:
		parse_side(job, argument, key == KEY_POSE_B, state);
		return 0;
	case ARGP_KEY_ARG:
		parse_path(job, argument, state);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "which pair file, or which two shapes?");
		return 0;
	case ARGP_KEY_SUCCESS:
		finish_request(job, state);
		return 0;
	default:
		job->query_said = job->query_said || key == REQUEST_QUERY;
		return request_parse(key, argument, &job->wanted, &job->variant, state);
	}
}

/* Nine digits read back to the same bits. The sign that printf gives a NaN says nothing, so it goes. */
static void print_floats(FILE *out, const float *values, int count)
{
	for (int index = 0; index < count; index++) {
		if (isnan(values[index]))
			fputs(",nan", out);
		else
			fprintf(out, ",%.9g", (double)values[index]);
	}
}

static void print_row(FILE *out, uint64_t index, const wp_row *row)
{
	char status[WP_STATUS_TEXT_MAX];
	wp_status_text(row->status, status, sizeof status);
	fprintf(out, "%llu,%s", (unsigned long long)index, status);
	print_floats(out, &row->separation, 1);
	print_floats(out, row->normal, 3);
	print_floats(out, row->point_a, 3);
	print_floats(out, row->point_b, 3);
	print_floats(out, &row->lower, 1);
	print_floats(out, &row->upper, 1);
	fprintf(out, ",%u", row->iterations);
}

/* One line for each point, with its own separation and points, or, where there is none, the contact's. */
static void print_manifold(
    FILE *out, uint64_t index, const wp_row *row, const wp_manifold_point *points, uint32_t count)
{
	if (count == 0) {
		print_row(out, index, row);
		fputs(",0,0,nan,nan,nan,nan,nan,nan,nan,nan\n", out);
	}
	for (uint32_t which = 0; which < count; which++) {
		const wp_manifold_point *point = &points[which];
		wp_row line = *row;
		line.separation = point->separation;
		memcpy(line.point_a, point->point_a, sizeof line.point_a);
		memcpy(line.point_b, point->point_b, sizeof line.point_b);
		print_row(out, index, &line);
		fprintf(out, ",%u,%u", count, which);
		print_floats(out, point->local_a, 3);
		print_floats(out, point->local_b, 3);
		fprintf(out, ",0x%08x,0x%08x\n", point->feature_a, point->feature_b);
	}
}

static void print_rows(const collide *job, share *own, size_t first, size_t count)
{
	for (size_t row = first; row < first + count; row++) {
		for (int bit = 0; bit < 32; bit++)
			own->counts[bit] += job->rows[row].status >> bit & 1;
		if (job->wanted.which == QUERY_MANIFOLD) {
			print_manifold(own->text, job->first + row, &job->rows[row],
			    job->points + row * job->wanted.point_max, job->point_counts[row]);
			continue;
		}
		print_row(own->text, job->first + row, &job->rows[row]);
		if (job->wanted.which == QUERY_CAST)
			print_floats(own->text, &job->fractions[row], 1);
		fputc('\n', own->text);
	}
}

static wp_error answer(collide *job, runner *run, size_t first, size_t count)
{
	const capture_pair *const pairs = job->pairs + first;
	wp_row *const rows = job->rows + first;
	run->caches = job->capture.columns & CAPTURE_CACHES ? job->caches + first : NULL;
	if (query_moves(job->wanted.which))
		return runner_answer_moving(run, job->wanted.which, &job->scene, pairs, job->motions + first, count,
		    rows, job->fractions + first);
	if (job->wanted.which == QUERY_MANIFOLD)
		return runner_answer_manifolds(run, &job->wanted, &job->scene, pairs, count, rows,
		    job->point_counts + first, job->points + first * job->wanted.point_max);
	return runner_answer(run, &job->wanted, &job->scene, pairs, count, rows, NULL, NULL);
}

/* One thread's rows of a chunk: answers, and their lines in memory of its own, for they are written in order. */
static void answer_share(void *context, uint32_t member, size_t first, size_t count)
{
	collide *const job = context;
	share *const own = &job->shares[member];
	const double start = clock_now();
	const wp_error error = answer(job, &own->run, first, count);
	own->seconds = clock_now() - start;
	own->error = error == WP_OK ? NULL : wp_error_text(error);
	own->text = open_memstream(&own->bytes, &own->size);
	if (own->text && error == WP_OK)
		print_rows(job, own, first, count);
	const bool whole = own->text && !ferror(own->text);
	if ((own->text && fclose(own->text) != 0) || !whole)
		own->error = "no memory for the rows";
}

static int answer_chunk(collide *job, size_t count)
{
	double slowest = 0.0;
	int code = 0;
	crew_run(job->thread_count, count, answer_share, job);
	for (uint32_t member = 0; member < job->thread_count; member++) {
		const share *const own = &job->shares[member];
		slowest = fmax(slowest, own->seconds);
		if (own->error && code == 0)
			code = report_error("%s", own->error);
	}
	job->seconds += slowest;
	for (uint32_t member = 0; member < job->thread_count; member++) {
		share *const own = &job->shares[member];
		if (code == 0)
			fwrite(own->bytes, 1, own->size, job->out);
		free(own->bytes);
		own->bytes = NULL;
	}
	return code;
}

static int answer_all(collide *job)
{
	progress bar = progress_start(job->capture.pair_count);
	int code = 0;
	fputs("pair,status,separation,nx,ny,nz,ax,ay,az,bx,by,bz,lower,upper,iterations", job->out);
	if (job->wanted.which == QUERY_CAST)
		fputs(",fraction", job->out);
	if (job->wanted.which == QUERY_MANIFOLD)
		fputs(",count,point,local_ax,local_ay,local_az,local_bx,local_by,local_bz,feature_a,feature_b",
		    job->out);
	fputc('\n', job->out);
	while (code == 0) {
		size_t count;
		job->first = job->capture.pair_next;
		if (!capture_read(&job->capture, job->pairs, CHUNK_PAIRS, &count) ||
		    !capture_read_motions(&job->capture, job->pairs, job->motions, count) ||
		    !capture_read_caches(&job->capture, job->caches, count)) {
			code = report_error("%s", job->capture.error);
			break;
		}
		if (count == 0)
			break;
		code = answer_chunk(job, count);
		if (ferror(job->out))
			code = report_error(
			    "%s: cannot write: %s", job->out_path ? job->out_path : "standard output", strerror(errno));
		progress_step(&bar, job->first + count);
	}
	progress_end(&bar);
	return code;
}

static void print_summary(const collide *job)
{
	uint64_t total = job->capture.pair_count, counts[32] = {0};
	for (uint32_t member = 0; member < job->thread_count; member++)
		for (int bit = 0; bit < 32; bit++)
			counts[bit] += job->shares[member].counts[bit];
	fprintf(stderr, "%s: %llu pairs, %s by %s, %.0f ns a pair", job->pairs_path, (unsigned long long)total,
	    query_name(job->wanted.which), variant_name(job->shares[0].run.variant),
	    total ? job->seconds * 1e9 / (double)total : 0.0);
	if (job->thread_count > 1)
		fprintf(stderr, " by %u threads", job->thread_count);
	fputc('\n', stderr);
	for (int bit = 0; bit < 32; bit++) {
		char text[WP_STATUS_TEXT_MAX];
		if (counts[bit] == 0)
			continue;
		wp_status_text(UINT32_C(1) << bit, text, sizeof text);
		fprintf(stderr, "  %-20s %10llu  %6.2f %%\n", text, (unsigned long long)counts[bit],
		    100.0 * (double)counts[bit] / (double)total);
	}
}

static void allocate_rows(collide *job)
{
	job->pairs = allocate(CHUNK_PAIRS, sizeof *job->pairs);
	job->motions = allocate(CHUNK_PAIRS, sizeof *job->motions);
	job->caches = allocate(CHUNK_PAIRS, sizeof *job->caches);
	job->rows = allocate(CHUNK_PAIRS, sizeof *job->rows);
	job->fractions = allocate(CHUNK_PAIRS, sizeof *job->fractions);
	job->point_counts = allocate(CHUNK_PAIRS, sizeof *job->point_counts);
	job->points = allocate((size_t)CHUNK_PAIRS * job->wanted.point_max, sizeof *job->points);
}

/* Pair files hold vertices alone, manifolds need faces. */
static bool make_faces(collide *job)
{
	if (!scene_add_faces(&job->scene, &job->capture, job->capture.error))
		return false;
	if (job->scene.faceless_count > 0)
		fprintf(stderr, "widephase: %s: hulls without faces, whose pairs have one point at most: %u%s\n",
		    job->pairs_path, job->scene.faceless_count,
		    faces_available() ? "" : " (built without widephase-cook)");
	return true;
}

static int run(collide *job)
{
	if (query_moves(job->wanted.which) && !(job->capture.columns & CAPTURE_MOTIONS))
		return report_error(
		    "%s: has no motions, which --query %s needs", job->pairs_path, query_name(job->wanted.which));
	if (!scene_build(&job->scene, &job->capture, job->capture.error) ||
	    (job->wanted.which == QUERY_MANIFOLD && !make_faces(job)))
		return report_error("%s", job->capture.error);
	job->shares = allocate(job->thread_count, sizeof *job->shares);
	for (uint32_t member = 0; member < job->thread_count; member++) {
		wp_error error = runner_init(&job->shares[member].run, job->variant);
		if (error != WP_OK)
			return report_error("%s: %s", variant_name(job->variant), wp_error_text(error));
	}
	job->out = job->out_path ? fopen(job->out_path, "w") : stdout;
	if (!job->out)
		return report_error("%s: cannot create: %s", job->out_path, strerror(errno));
	allocate_rows(job);
	int code = answer_all(job);
	if (fclose(job->out) != 0 && code == 0)
		code = report_error(
		    "%s: cannot write: %s", job->out_path ? job->out_path : "standard output", strerror(errno));
	if (code == 0)
		print_summary(job);
	return code;
}

int command_collide(int argc, char **argv)
{
	const struct argp parser = {options, parse, "FILE.pairs\nA B",
	    "Answer every pair of FILE.pairs, one CSV row each (manifold: each point), with a summary on "
	    "standard error; or say in words how A and B stand to each other, each a hull (.wph, made by "
	    "widephase cook) or a mesh (OBJ, STL, PLY, glTF), of which the convex hull is taken.",
	    NULL, NULL, NULL};
	collide job = {.wanted = {.which = QUERY_CONTACT, .max_separation = INFINITY},
	    .variant = WP_VARIANT_AUTO,
	    .thread_count = 1,
	    .pair.pair = {.b = 1, .rotation_a = {0, 0, 0, 1}, .rotation_b = {0, 0, 0, 1}}};
	if (argp_parse(&parser, argc, argv, 0, NULL, &job) != 0)
		return EXIT_ERROR;
	if (is_single(&job)) {
		job.pair.wanted = job.wanted;
		job.pair.variant = job.variant;
		return single_answer(&job.pair);
	}
	if (!capture_open(&job.capture, job.pairs_path))
		return report_error("%s", job.capture.error);
	int code = run(&job);
	for (uint32_t member = 0; job.shares && member < job.thread_count; member++)
		runner_free(&job.shares[member].run);
	free(job.shares);
	scene_free(&job.scene);
	capture_close(&job.capture);
	free(job.pairs);
	free(job.motions);
	free(job.caches);
	free(job.rows);
	free(job.fractions);
	free(job.point_counts);
	free(job.points);
	return code;
}
