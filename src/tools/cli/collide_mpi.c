/* widephase-mpi: answers every pair of a file as widephase collide does, by the ranks of an MPI job.
 *
 * In rounds: each rank takes a chunk of the next pairs, reads it, answers it, and writes its lines where the
 * lines of the lower ranks end. So the file may be larger than memory, and the output has the bytes of one
 * process. */
#include "progress.h"
#include "ranks.h"
#include "csv.h"
#include "system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct mpi_job {
	const char *pairs_path, *out_path;
	csv_order order;
	ranks all;
	capture_file capture;
	csv_answers csv;
	ranks_file in; /* binary captures: their rows; text is handed out whole */
	ranks_file out;
	uint64_t written; /* bytes of the output so far */
} mpi_job;

static const option_row options[] = {
	{.name = "out",
		.letter = 'o',
		.argument = "FILE.csv",
		.help = "write the rows there; needed, for ranks write at places of their own",
		.read = option_text,
		.offset = offsetof(mpi_job, out_path)},
	{.name = NULL},
};

/* Rank 0 first: it reports wrong arguments, and reports them once. */
static void parse_arguments(mpi_job *job, int argc, char **argv)
{
	const command_line line = {.name = "widephase-mpi",
		.arguments = "FILE.pairs",
		.about = "Answer every pair of FILE.pairs as widephase collide does, by all ranks of an MPI job: the same "
				 "bytes, and the same summary on standard error, with the time of the slowest rank.",
		.more =
			"Start it by mpirun (mpirun -n 64 widephase-mpi FILE.pairs --out FILE.csv), with one rank for each core, "
			"or with --bind-to none and one for each machine, and --threads all. All machines must see both files.",
		.least = 1,
		.most = 1,
		.too_few = "which pair file?",
		.too_many = "one pair file at a time",
		.tables = {{csv_options, &job->order}, {options, job}}};
	ranks_wait_for_first(&job->all);
	job->pairs_path = argv[command_line_parse(&line, argc, argv)];
	if (!job->out_path)
		command_line_refuse(&line, "where to? --out FILE.csv");
	request_finish(&job->order.wanted, job->order.variant, &line);
	ranks_let_others_go(&job->all);
}

/* ---- the capture ------------------------------------------------------------------------------------ */

static void *shared_array(const ranks *all, void *array, size_t count, size_t size)
{
	if (all->own != 0)
		array = allocate(count, size);
	ranks_hand_out(array, (uint64_t)count * size);
	return array;
}

/* Rank 0 reads and checks shapes, vertices and, of text, pairs; the others take them over. */
static bool share_capture(mpi_job *job)
{
	capture_file *const capture = &job->capture;
	const ranks *const all = &job->all;
	const bool opened = all->own != 0 || capture_open(capture, job->pairs_path);
	if (!ranks_agree(all, opened ? NULL : capture->error))
		return false;
	const bool is_text = capture->pairs != NULL;
	uint32_t counts[5] = {capture->shape_count, capture->vertex_count, capture->pair_count, capture->columns, is_text};
	ranks_hand_out(counts, sizeof counts);
	capture->path = job->pairs_path;
	capture->shape_count = counts[0];
	capture->vertex_count = counts[1];
	capture->pair_count = counts[2];
	capture->columns = counts[3];
	capture->shapes = shared_array(all, capture->shapes, counts[0], sizeof *capture->shapes);
	capture->vertices = shared_array(all, capture->vertices, counts[1], sizeof *capture->vertices);
	if (!counts[4])
		return true;
	capture->pairs = shared_array(all, capture->pairs, counts[2], sizeof *capture->pairs);
	capture->motions = shared_array(all, capture->motions, counts[2], sizeof *capture->motions);
	capture->caches = shared_array(all, capture->caches, counts[2], sizeof *capture->caches);
	return true;
}

/* Rows [first, first + count) of a column that starts at `start` in the file. */
static bool read_column(mpi_job *job, uint64_t start, uint64_t first, size_t count, void *rows, size_t row_size)
{
	if (!ranks_file_read(&job->in, start + first * row_size, rows, count * row_size))
		return false;
	capture_reorder(rows, count * row_size, sizeof(uint32_t));
	return true;
}

/* Rows [first, first + count), for the csv. */
static const char *read_rows(mpi_job *job, uint64_t first, size_t count)
{
	capture_file *const capture = &job->capture;
	csv_answers *const csv = &job->csv;
	const capture_layout at = capture_layout_of(capture);
	if (capture->pairs) {
		capture->pair_next = (uint32_t)first;
		const bool read = capture_read(capture, csv->pairs, count, &count) &&
		                  capture_read_motions(capture, csv->pairs, csv->motions, count) &&
		                  capture_read_caches(capture, csv->caches, count);
		return read ? NULL : capture->error;
	}
	if (!read_column(job, at.pairs, first, count, csv->pairs, sizeof *csv->pairs) ||
		(capture->columns & CAPTURE_MOTIONS &&
			!read_column(job, at.motions, first, count, csv->motions, sizeof *csv->motions)) ||
		(capture->columns & CAPTURE_CACHES &&
			!read_column(job, at.caches, first, count, csv->caches, sizeof *csv->caches)))
		return job->in.error;
	return capture_check_pairs(capture, csv->pairs, first, count) ? NULL : capture->error;
}

/* ---- the output ------------------------------------------------------------------------------------- */

/* Make the file and write its first line: rank 0 alone, before others open it. */
static bool create_out(mpi_job *job, char error[CAPTURE_ERROR_MAX])
{
	struct stat status;
	if (system_is_same_file(job->out_path, job->pairs_path))
		return capture_fail(error, job->out_path, "is the file that is read: it would be written over", "");
	/* Before it is opened: a pipe that nobody reads would not open. */
	if (stat(job->out_path, &status) == 0 && !S_ISREG(status.st_mode))
		return capture_fail(error, job->out_path, "not a regular file", "");
	FILE *const out = fopen(job->out_path, "wb");
	if (!out)
		return capture_fail(error, job->out_path, "cannot create: ", strerror(errno));
	csv_print_heading(out, job->order.wanted.which, capture_has_meshes(&job->capture));
	job->written = (uint64_t)ftello(out);
	return fclose(out) == 0 || capture_fail(error, job->out_path, "cannot write: ", strerror(errno));
}

static bool open_out(mpi_job *job)
{
	char error[CAPTURE_ERROR_MAX];
	const bool created = job->all.own != 0 || create_out(job, error);
	if (!ranks_agree(&job->all, created ? NULL : error))
		return false;
	ranks_hand_out(&job->written, sizeof job->written);
	const bool opened = ranks_file_open(&job->out, job->out_path, true, job->written);
	return ranks_agree(&job->all, opened ? NULL : job->out.error);
}

/* Writes the lines of this round, each rank's after the lines of the lower ranks. */
static const char *write_lines(mpi_job *job)
{
	const csv_answers *const csv = &job->csv;
	uint64_t own = 0, before = 0, total;
	for (uint32_t member = 0; member < job->order.thread_count; member++)
		own += csv->shares[member].size;
	MPI_Exscan(&own, &before, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
	MPI_Allreduce(&own, &total, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
	/* Of the first rank, an exclusive sum is not defined. */
	uint64_t offset = job->written + (job->all.own == 0 ? 0 : before);
	job->written += total;
	for (uint32_t member = 0; member < job->order.thread_count; member++) {
		const csv_share *const share = &csv->shares[member];
		if (!ranks_file_write(&job->out, offset, share->bytes, share->size))
			return job->out.error;
		offset += share->size;
	}
	return NULL;
}

/* ---- all of it -------------------------------------------------------------------------------------- */

/* Pairs [first, first + count), shared among the ranks in their order. */
static bool answer_round(mpi_job *job, uint64_t first, uint64_t count)
{
	const uint64_t own = (uint64_t)job->all.own, of = (uint64_t)job->all.count;
	const uint64_t from = first + count * own / of, end = first + count * (own + 1) / of;
	const char *error = read_rows(job, from, (size_t)(end - from));
	if (!error && !csv_answer(&job->csv, from, (size_t)(end - from)))
		error = job->csv.error;
	if (!ranks_agree(&job->all, error))
		return false;
	error = write_lines(job);
	csv_drop_lines(&job->csv);
	return ranks_agree(&job->all, error);
}

static bool answer_all(mpi_job *job)
{
	const uint64_t total = job->capture.pair_count, most = CSV_CHUNK * (uint64_t)job->all.count;
	progress bar = progress_start(job->all.own == 0 ? total : 0);
	bool fine = true;
	for (uint64_t first = 0; fine && first < total; first += most) {
		const uint64_t count = total - first < most ? total - first : most;
		fine = answer_round(job, first, count);
		progress_step(&bar, first + count);
	}
	progress_end(&bar);
	return fine;
}

static void print_summary(mpi_job *job)
{
	const csv_totals own = csv_sum(&job->csv);
	csv_totals sum = own;
	/* The variant may differ from machine to machine. */
	const unsigned variant = job->csv.shares[0].run.variant;
	const uint32_t limits[2] = {variant, UINT32_MAX - variant}, threads = job->order.thread_count;
	uint32_t most[2], thread_count;
	MPI_Reduce(own.counts, sum.counts, 32, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Reduce(&own.seconds, &sum.seconds, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	MPI_Reduce(limits, most, 2, MPI_UINT32_T, MPI_MAX, 0, MPI_COMM_WORLD);
	MPI_Reduce(&threads, &thread_count, 1, MPI_UINT32_T, MPI_SUM, 0, MPI_COMM_WORLD);
	if (job->all.own != 0)
		return;
	char how[64];
	const int rank_count = job->all.count;
	snprintf(how, sizeof how, " by %d %s, %u %s", rank_count, rank_count == 1 ? "rank" : "ranks", thread_count,
		thread_count == 1 ? "thread" : "threads");
	if (most[0] != UINT32_MAX - most[1])
		sum.variant = "several variants";
	csv_print_summary(&job->csv, &sum, how);
}

static bool run(mpi_job *job)
{
	if (!share_capture(job))
		return false;
	const bool is_binary = job->capture.pairs == NULL && job->capture.pair_count > 0;
	const uint64_t size = capture_layout_of(&job->capture).size;
	if (!ranks_agree(
			&job->all, !is_binary || ranks_file_open(&job->in, job->pairs_path, false, size) ? NULL : job->in.error))
		return false;
	const bool ready = csv_init(&job->csv, &job->order, &job->capture);
	if (!ranks_agree(&job->all, ready ? NULL : job->csv.error))
		return false;
	if (job->all.own == 0)
		report_scene(&job->csv.scene, job->csv.capture->path);
	if (!open_out(job) || !answer_all(job))
		return false;
	const bool closed = ranks_file_close(&job->out);
	if (!ranks_agree(&job->all, closed ? NULL : job->out.error))
		return false;
	print_summary(job);
	return true;
}

int main(int argc, char **argv)
{
	mpi_job job = {.order = csv_order_default()};
	job.all = ranks_start(&argc, &argv);
	parse_arguments(&job, argc, argv);
	const int code = run(&job) ? EXIT_SUCCESS : EXIT_ERROR;
	ranks_file_close(&job.in);
	ranks_file_close(&job.out);
	csv_free(&job.csv);
	capture_close(&job.capture);
	ranks_end();
	return code;
}
