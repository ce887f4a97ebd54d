#include "ranks.h"
#include "runner.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of one call, whose count is an int. */
#define PIECE_MAX (1 << 30)

/* Whether rank 0 does what the others wait for. */
static bool others_wait;

/* ---- in step ---------------------------------------------------------------------------------------- */

static void tell_others(int go_on)
{
	MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
	others_wait = false;
}

/* The way out of exit(). */
static void end_all(void)
{
	int ended;
	MPI_Finalized(&ended);
	if (ended)
		return;
	if (!others_wait)
		MPI_Abort(MPI_COMM_WORLD, EXIT_ERROR);
	tell_others(0);
	MPI_Finalize();
}

ranks ranks_start(int *argc, char ***argv)
{
	ranks all;
	int provided;
	MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
	atexit(end_all);
	MPI_Comm_rank(MPI_COMM_WORLD, &all.own);
	MPI_Comm_size(MPI_COMM_WORLD, &all.count);
	if (provided < MPI_THREAD_FUNNELED)
		exit(report_error("this MPI has no support of threads"));
	return all;
}

void ranks_end(void) { MPI_Finalize(); }

void ranks_wait_for_first(const ranks *all)
{
	int go_on;
	others_wait = all->own == 0;
	if (others_wait)
		return;
	MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (go_on)
		return;
	/* Rank 0 has reported the reason, and its exit code is the exit code of the job. */
	MPI_Finalize();
	exit(EXIT_SUCCESS);
}

void ranks_let_others_go(const ranks *all)
{
	if (all->own == 0)
		tell_others(1);
}

bool ranks_agree(const ranks *all, const char *error)
{
	const int own = error ? all->own : all->count;
	int lowest, length;
	char host[MPI_MAX_PROCESSOR_NAME];
	MPI_Allreduce(&own, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	if (lowest == all->own) {
		MPI_Get_processor_name(host, &length);
		if (all->count == 1)
			report_error("%s", error);
		else
			report_error("rank %d on %s: %s", all->own, host, error);
	}
	return lowest == all->count;
}

void ranks_hand_out(void *data, uint64_t size)
{
	for (uint64_t done = 0; done < size;) {
		const uint64_t piece = size - done < PIECE_MAX ? size - done : PIECE_MAX;
		MPI_Bcast((char *)data + done, (int)piece, MPI_BYTE, 0, MPI_COMM_WORLD);
		done += piece;
	}
}

/* ---- files ------------------------------------------------------------------------------------------ */

__attribute__((format(printf, 2, 3))) static bool fail(ranks_file *file, const char *format, ...)
{
	const int used = snprintf(file->error, sizeof file->error, "%.255s: ", file->path);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(file->error + used, sizeof file->error - (size_t)used, format, arguments);
	va_end(arguments);
	return false;
}

static bool fail_by(ranks_file *file, const char *what, int code)
{
	char reason[MPI_MAX_ERROR_STRING];
	int length;
	MPI_Error_string(code, reason, &length);
	return fail(file, "%s: %s", what, reason);
}

bool ranks_file_open(ranks_file *file, const char *path, bool is_written, uint64_t size)
{
	MPI_Offset here;
	memset(file, 0, sizeof *file);
	file->path = path;
	file->is_written = is_written;
	const int mode = is_written ? MPI_MODE_WRONLY : MPI_MODE_RDONLY;
	int code = MPI_File_open(MPI_COMM_SELF, path, mode, MPI_INFO_NULL, &file->file);
	if (code != MPI_SUCCESS)
		return fail_by(file, "cannot open", code);
	file->is_open = true;
	code = MPI_File_get_size(file->file, &here);
	if (code != MPI_SUCCESS)
		return fail_by(file, "cannot get its size", code);
	if ((uint64_t)here != size)
		return fail(file, "%llu bytes, but rank 0 sees %llu: all ranks must see the same file",
			(unsigned long long)here, (unsigned long long)size);
	return true;
}

/* Some of the bytes; both directions may take less than all, and success with none is the end of the file or
 * disk. */
static bool move(ranks_file *file, uint64_t offset, void *data, size_t size, size_t *moved)
{
	MPI_Status status;
	int count = 0;
	*moved = 0;
	const int piece = size < PIECE_MAX ? (int)size : PIECE_MAX;
	const int code = file->is_written
	                   ? MPI_File_write_at(file->file, (MPI_Offset)offset, data, piece, MPI_BYTE, &status)
	                   : MPI_File_read_at(file->file, (MPI_Offset)offset, data, piece, MPI_BYTE, &status);
	if (code != MPI_SUCCESS)
		return fail_by(file, file->is_written ? "cannot write" : "read error", code);
	MPI_Get_count(&status, MPI_BYTE, &count);
	*moved = count > 0 ? (size_t)count : 0;
	return true;
}

bool ranks_file_read(ranks_file *file, uint64_t offset, void *data, size_t size)
{
	for (size_t done = 0, moved; done < size; done += moved) {
		if (!move(file, offset + done, (char *)data + done, size - done, &moved))
			return false;
		if (moved == 0)
			return fail(file, "offset %llu: the file ends here, %zu bytes are missing",
				(unsigned long long)(offset + done), size - done);
	}
	return true;
}

bool ranks_file_write(ranks_file *file, uint64_t offset, const void *data, size_t size)
{
	for (size_t done = 0, moved; done < size; done += moved) {
		/* MPI-IO writes nothing into what it writes from, but has it not const in all versions. */
		if (!move(file, offset + done, (char *)data + done, size - done, &moved))
			return false;
		if (moved == 0)
			return fail(file, "cannot write: %zu bytes from offset %llu on do not fit, is the disk full?", size - done,
				(unsigned long long)(offset + done));
	}
	return true;
}

bool ranks_file_close(ranks_file *file)
{
	if (!file->is_open)
		return true;
	file->is_open = false;
	const int synced = file->is_written ? MPI_File_sync(file->file) : MPI_SUCCESS;
	const int closed = MPI_File_close(&file->file);
	if (synced != MPI_SUCCESS)
		return fail_by(file, "cannot write", synced);
	return closed == MPI_SUCCESS || fail_by(file, "cannot close", closed);
}
