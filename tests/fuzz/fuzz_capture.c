/* The reader of captures, binary and text, of truth files, and the scene made of what was read. */
#include "bytes.h"

#include "scene.h"

#include <sys/mman.h>
#include <unistd.h>

static void read_pairs(capture_file *capture, const capture_scene *scene)
{
	capture_pair pairs[7];
	capture_motion motions[7];
	capture_cache caches[7];
	size_t count = 0, total = 0;
	while (capture_read(capture, pairs, 7, &count) && count != 0) {
		total += count;
		for (size_t i = 0; i < count; i++)
			REQUIRE(pairs[i].a < capture->shape_count && pairs[i].b < capture->shape_count);
		if (!capture_read_motions(capture, pairs, motions, count) || !capture_read_caches(capture, caches, count))
			break;
		if (scene != NULL)
			REQUIRE(scene_batch(scene, pairs, count).count == count);
	}
	if (count == 0 && capture->error[0] == '\0')
		REQUIRE(total == capture->pair_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const int fd = memfd_create("capture", 0);
	REQUIRE(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	char path[64];
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	capture_file capture;
	if (capture_open(&capture, path)) {
		char error[CAPTURE_ERROR_MAX];
		capture_scene scene;
		const bool built = scene_build(&scene, &capture, error) && scene_add_meshes(&scene, &capture, error);
		read_pairs(&capture, built ? &scene : NULL);
		if (built)
			scene_free(&scene);
		capture_close(&capture);
	} else {
		REQUIRE(strlen(capture.error) > 0 && strlen(capture.error) < CAPTURE_ERROR_MAX);
	}
	capture_truth_file truth;
	uint32_t rows = 0;
	if (size >= 12)
		memcpy(&rows, data + 8, sizeof rows);
	if (capture_truth_open(&truth, path, rows)) {
		capture_truth some[5];
		size_t count;
		while (capture_truth_read(&truth, some, 5, &count) && count != 0)
			REQUIRE(count <= 5);
		capture_truth_close(&truth);
	}
	close(fd);
	return 0;
}
