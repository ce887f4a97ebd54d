/* Processes of one MPI job that work in step, and files that all of them see.
 *
 * Whatever may fail is tried by each rank alone and agreed upon afterwards, so that no rank ever waits for
 * one that has given up. For the same reason each rank opens a file for itself (MPI_COMM_SELF) and reads and
 * writes blocks of its own: where one rank cannot open a file, the collective call of Open MPI 4.1 does not
 * return, and its collective writes report a full disk as a whole write. Ranks have megabytes side by side,
 * so there is nothing for collective calls to gather. */
#ifndef WP_TOOLS_CLI_RANKS_H
#define WP_TOOLS_CLI_RANKS_H

#include "capture.h"

#include <mpi.h>

typedef struct ranks {
	int own, count;
} ranks;

/* Start MPI, of which only the thread that calls makes use. Until ranks_end, exit() in one rank ends all of
 * them. */
ranks ranks_start(int *argc, char ***argv);
void ranks_end(void);

/* What rank 0 does between these two, the others wait for. Should it end by exit() in between, they end, too.
 */
void ranks_wait_for_first(const ranks *all);
void ranks_let_others_go(const ranks *all);

/* True where no rank has an error (NULL). Otherwise false in all, and the lowest rank that has one prints it.
 */
bool ranks_agree(const ranks *all, const char *error);

/* Rank 0's bytes for all. */
void ranks_hand_out(void *data, uint64_t size);

/* A file on a file system that all ranks share. On failure `error` has the reason. */
typedef struct ranks_file {
	MPI_File file;
	bool is_open, is_written;
	const char *path; /* borrowed */
	char error[CAPTURE_ERROR_MAX];
} ranks_file;

/* Open a file that exists and has `size` bytes on rank 0; another size here means another file, which is an
 * error. */
bool ranks_file_open(ranks_file *file, const char *path, bool is_written, uint64_t size);
bool ranks_file_read(ranks_file *file, uint64_t offset, void *data, size_t size);
bool ranks_file_write(ranks_file *file, uint64_t offset, const void *data, size_t size);

/* Close it. Returns whether all that was written is safe. Harmless where it is not open. */
bool ranks_file_close(ranks_file *file);

#endif
