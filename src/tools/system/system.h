/* What operating systems call by different names. Everything else of POSIX that programs use, MinGW-w64 has too. */
#ifndef WP_TOOLS_SYSTEM_SYSTEM_H
#define WP_TOOLS_SYSTEM_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* For a function that formats as printf does: the numbers of its format and of the first argument to format. */
#ifdef __MINGW_PRINTF_FORMAT
#define SYSTEM_PRINTF(number, first) __attribute__((format(__MINGW_PRINTF_FORMAT, number, first)))
#else
#define SYSTEM_PRINTF(number, first) __attribute__((format(printf, number, first)))
#endif
#define SYSTEM_NO_RETURN __attribute__((noreturn))

/* Memory aligned to WP_ALIGNMENT, at least a byte of it; NULL if there is not enough. Release it by system_free. */
void *system_allocate(size_t size);
void system_free(void *memory);

/* How many processors run, 1 or more. */
unsigned system_processor_count(void);

/* Let standard output have the same bytes on all systems. */
void system_keep_line_ends(void);

/* Open the standard streams that are closed, such that they still fail: otherwise the next files would take their place. */
void system_hold_streams(void);

/* Write what is left of standard output. False, and standard error has the reason after the name of the program, if any of what was
 * printed is lost. */
bool system_finish_output(const char *name);

/* A file that mkstemp made is for its user alone: give it the permissions of the file at `path`, or of a new one where none is. */
void system_permit_as(int descriptor, const char *path);

/* The name at the end of symbolic links, whether a file is there or not; free() it. NULL, and errno has the reason, without an
 * end or memory. */
char *system_follow_links(const char *path);

/* Whether two names are of one file that is there. */
bool system_is_same_file(const char *path, const char *other);

/* Rename a file; if the other name is a file, that is replaced as a whole. */
bool system_replace_file(const char *from, const char *to);

#endif
