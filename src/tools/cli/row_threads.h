/* Threads that share the rows of a chunk. */
#ifndef WP_TOOLS_CLI_ROW_THREADS_H
#define WP_TOOLS_CLI_ROW_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROW_THREADS_MAX 256

/* Work on rows [first, first + count) as thread `member` of all; `context` is the same for all members.
 */
typedef void row_threads_task(void *context, uint32_t member, size_t first, size_t count);

/* Deal rows [0, count) to `members` (1 to ROW_THREADS_MAX) threads, a range each, in the order of the members; the
 * ranges depend on nothing else. Returns when all are done. Member 0 is the thread that calls. A member whose
 * thread cannot be started has its range done by the caller. */
void row_threads_run(uint32_t members, size_t count, row_threads_task *task, void *context);

/* Read a number of threads: 1 to ROW_THREADS_MAX, or "all", those that the machine has. */
bool row_threads_parse(const char *text, uint32_t *members);

#endif
