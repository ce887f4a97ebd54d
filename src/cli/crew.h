/* Threads that share the rows of a chunk. */
#ifndef WP_CLI_CREW_H
#define WP_CLI_CREW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CREW_MAX 256

/* Work on rows [first, first + count) as member `member` of the crew; `context` is the same for all members.
 */
typedef void crew_task(void *context, uint32_t member, size_t first, size_t count);

/* Deal rows [0, count) to `members` (1 to CREW_MAX) threads, a range each, in the order of the members; the
 * ranges depend on nothing else. Returns when all are done. Member 0 is the thread that calls. A member whose
 * thread cannot be started has its range done by the caller. */
void crew_run(uint32_t members, size_t count, crew_task *task, void *context);

/* Read a number of threads: 1 to CREW_MAX, or "all", those that the machine has. */
bool crew_parse(const char *text, uint32_t *members);

#endif
