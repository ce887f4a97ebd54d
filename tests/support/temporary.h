/* Temporary files of tests: in the folder that TMPDIR names, or /tmp. */
#ifndef TESTS_SUPPORT_TEMPORARY_H
#define TESTS_SUPPORT_TEMPORARY_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Errors of the reader of pair files name no more of a path. */
#define TEMPORARY_PATH_MAX 256

/* A new, empty file, open for reading and writing: its descriptor, or -1. */
static inline int temporary_make(char path[TEMPORARY_PATH_MAX])
{
	const char *const named = getenv("TMPDIR");
	const char *const folder = named != NULL && named[0] != '\0' ? named : "/tmp";
	const int length = snprintf(path, TEMPORARY_PATH_MAX, "%s/widephase-XXXXXX", folder);
	return length > 0 && length < TEMPORARY_PATH_MAX ? mkstemp(path) : -1;
}

static inline void temporary_remove(int descriptor, const char *path)
{
	if (descriptor < 0)
		return;
	close(descriptor);
	unlink(path);
}

#endif
