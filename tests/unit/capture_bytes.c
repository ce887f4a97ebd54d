/* Pair and truth files have the same bytes on every machine, and are read as they were written. A plain program, for
 * emulators. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/capture_sample.h"
#include "support/temporary.h"

static const capture_cache caches[PAIRS] = {
	{{0x00010002u, 3, 0, 0}, {0, 0.6f, 0.8f}, 2},
	{{0}, {1, 0, 0}, 0},
	{{0}, {0}, 0},
	{{0xfffe0000u, 1, 0x00020003u, 4}, {0, -1, 0}, 4},
};
static const capture_contents everything = {shapes, vertices, pairs, SHAPES, VERTICES, PAIRS, motions, caches};

static bool check(bool holds, const char *what)
{
	if (!holds)
		printf("%s\n", what);
	return holds;
}

/* FNV-1a over the bytes of a file; its first bytes too. */
static uint64_t digest_of(const char *path, unsigned char *start, size_t start_size)
{
	uint64_t hash = 0xcbf29ce484222325u;
	FILE *const file = fopen(path, "rb");
	if (!file)
		return 0;
	size_t at = 0;
	for (int byte = getc(file); byte != EOF; byte = getc(file), at++) {
		if (at < start_size)
			start[at] = (unsigned char)byte;
		hash = (hash ^ (uint64_t)byte) * 0x100000001b3u;
	}
	fclose(file);
	return hash;
}

static bool check_digest(const char *path, const unsigned char *expected_start, size_t start_size, uint64_t expected)
{
	unsigned char start[64] = {0};
	const uint64_t found = digest_of(path, start, start_size);
	if (found == expected && memcmp(start, expected_start, start_size) == 0)
		return true;
	printf("the bytes have the digest %016llx, not %016llx; the first are", (unsigned long long)found,
		(unsigned long long)expected);
	for (size_t i = 0; i < start_size; i++)
		printf(" %02x", start[i]);
	printf("\n");
	return false;
}

static bool check_pairs(const char *path)
{
	/* The magic, the counts, and of the first shape its kind and its first two half extents. */
	static const unsigned char start[] = {'P', 'A', 'I', 'R', 'S', '0', '1', 0, 6, 0, 0, 0, 5, 0, 0, 0, 4, 0, 0, 0, 3,
		0, 0, 0, 2, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40};
	char error[CAPTURE_ERROR_MAX];
	capture_file capture;
	capture_pair rows[PAIRS];
	capture_motion moves[PAIRS];
	capture_cache known[PAIRS];
	size_t count = 0;
	if (!check(capture_write(path, &everything, error), error) || !check(capture_open(&capture, path), capture.error))
		return false;
	bool same = check_digest(path, start, sizeof start, UINT64_C(0x5073444db0887c76));
	same = check(capture_read(&capture, rows, PAIRS, &count) && count == PAIRS, capture.error) && same;
	same = check(capture_read_motions(&capture, rows, moves, count), capture.error) && same;
	same = check(capture_read_caches(&capture, known, count), capture.error) && same;
	same = check(memcmp(capture.shapes, shapes, sizeof shapes) == 0, "other shapes") && same;
	same = check(memcmp(capture.vertices, vertices, sizeof vertices) == 0, "other vertices") && same;
	same = check(memcmp(rows, pairs, sizeof pairs) == 0, "other pairs") && same;
	same = check(memcmp(moves, motions, sizeof motions) == 0, "other motions") && same;
	same = check(memcmp(known, caches, sizeof caches) == 0, "other caches") && same;
	capture_close(&capture);
	return same;
}

static bool check_truths(const char *path)
{
	/* The magic, the count, the reserved field, and the first separation, 1.5. */
	static const unsigned char start[] = {
		'T', 'R', 'U', 'T', 'H', '0', '1', 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f};
	char error[CAPTURE_ERROR_MAX];
	capture_truth_file file;
	capture_truth rows[PAIRS];
	size_t count = 0;
	if (!check(capture_truth_write(path, truth, PAIRS, error), error) ||
		!check(capture_truth_open(&file, path, PAIRS), file.error))
		return false;
	bool same = check_digest(path, start, sizeof start, UINT64_C(0xfb85ef03df2caa6b));
	same = check(capture_truth_read(&file, rows, PAIRS, &count) && count == PAIRS, file.error) && same;
	same = check(memcmp(rows, truth, sizeof truth) == 0, "other truths") && same;
	capture_truth_close(&file);
	return same;
}

int main(void)
{
	char path[TEMPORARY_PATH_MAX];
	const int descriptor = temporary_make(path);
	/* While it is open, Windows lets nobody else open it. */
	if (descriptor < 0 || close(descriptor) != 0)
		return 1;
	const bool same = check_pairs(path) && check_truths(path);
	remove(path);
	return !same;
}
