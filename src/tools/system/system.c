#include "system.h"

#include <widephase/base.h>

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool system_finish_output(const char *name)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	fprintf(stderr, "%s: standard output: cannot write: %s\n", name, strerror(errno));
	return false;
}

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

void system_hold_streams(void) {}

void system_permit_as(int descriptor, const char *path)
{
	(void)descriptor;
	(void)path;
}

char *system_follow_links(const char *path) { return strdup(path); }

/* A file is known by its volume and its number there. */
static bool find_file(const char *path, BY_HANDLE_FILE_INFORMATION *info)
{
	const HANDLE file = CreateFileA(
		path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING, 0, NULL);
	if (file == INVALID_HANDLE_VALUE)
		return false;
	const bool is_found = GetFileInformationByHandle(file, info) != 0;
	CloseHandle(file);
	return is_found;
}

bool system_is_same_file(const char *path, const char *other)
{
	BY_HANDLE_FILE_INFORMATION a, b;
	return find_file(path, &a) && find_file(other, &b) && a.dwVolumeSerialNumber == b.dwVolumeSerialNumber &&
	       a.nFileIndexHigh == b.nFileIndexHigh && a.nFileIndexLow == b.nFileIndexLow;
}

bool system_replace_file(const char *from, const char *to)
{
	return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) != 0;
}

#else

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

/* Links after links: as many as Linux follows. */
#define LINKS_MAX 40

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

void system_hold_streams(void)
{
	/* The lowest number that is free is the next file's, so they are held from the first on. */
	for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
		if (fcntl(stream, F_GETFD) < 0)
			(void)!open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void system_permit_as(int descriptor, const char *path)
{
	const mode_t mask = umask(0);
	struct stat replaced;
	umask(mask);
	(void)fchmod(descriptor, stat(path, &replaced) == 0 ? replaced.st_mode & 0777 : 0666 & ~mask);
}

/* The name that a link has: one that does not start at the root starts at the folder of the link. */
static char *name_in_link(const char *link, const char *target)
{
	const char *const slash = strrchr(link, '/');
	const size_t folder = slash && target[0] != '/' ? (size_t)(slash - link) + 1 : 0, length = strlen(target);
	char *const name = malloc(folder + length + 1);
	if (name) {
		memcpy(name, link, folder);
		memcpy(name + folder, target, length + 1);
	}
	return name;
}

char *system_follow_links(const char *path)
{
	char target[PATH_MAX];
	char *name = strdup(path);
	for (int links = 0; name && links < LINKS_MAX; links++) {
		const ssize_t length = readlink(name, target, sizeof target - 1);
		if (length < 0)
			return name;
		target[length] = '\0';
		char *const next = name_in_link(name, target);
		free(name);
		name = next;
	}
	errno = name ? ELOOP : ENOMEM;
	free(name);
	return NULL;
}

bool system_is_same_file(const char *path, const char *other)
{
	struct stat a, b;
	return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool system_replace_file(const char *from, const char *to) { return rename(from, to) == 0; }

#endif
