#include "system.h"

#include <widephase/base.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef _WIN32

#include <fcntl.h>
#include <io.h>
#include <windows.h>

void *system_allocate(size_t size) { return _aligned_malloc(size + (size == 0), WP_ALIGNMENT); }

void system_free(void *memory) { _aligned_free(memory); }

unsigned system_processor_count(void)
{
	SYSTEM_INFO info;
	GetSystemInfo(&info);
	return info.dwNumberOfProcessors;
}

void system_keep_line_ends(void) { (void)_setmode(_fileno(stdout), _O_BINARY); }

void system_permit_as_new(int descriptor) { (void)descriptor; }

bool system_replace_file(const char *from, const char *to)
{
	return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) != 0;
}

#else

#include <sys/stat.h>
#include <unistd.h>

void *system_allocate(size_t size)
{
	/* aligned_alloc needs a multiple of the alignment, and a size of 0 may give NULL. */
	if (size > SIZE_MAX - WP_ALIGNMENT)
		return NULL;
	return aligned_alloc(WP_ALIGNMENT, (size / WP_ALIGNMENT + 1) * WP_ALIGNMENT);
}

void system_free(void *memory) { free(memory); }

unsigned system_processor_count(void)
{
	const long count = sysconf(_SC_NPROCESSORS_ONLN);
	return count < 1 ? 1 : (unsigned)count;
}

void system_keep_line_ends(void) {}

void system_permit_as_new(int descriptor)
{
	const mode_t mask = umask(0);
	umask(mask);
	(void)fchmod(descriptor, 0666 & ~mask);
}

bool system_replace_file(const char *from, const char *to) { return rename(from, to) == 0; }

#endif
