/* The cook: hulls and triangles of meshes of any bytes in the formats that are tested, and hulls of any points. */
#include "bytes.h"

#include "capture.h"
#include "hull_file.h"
#include "mesh_file.h"

#include <unistd.h>

/* A mesh of 4096 bytes needs none of this; one that needs more is to fail. */
static const mesh_limits limits = {.megabytes = 1024, .seconds = 1, .vertices = 100000};

static char folder[] = "/tmp/widephase-fuzz-XXXXXX";
static bool folder_made;

static void remove_folder(void) { (void)!rmdir(folder); }

static void check_hull(const wp_hull *hull, size_t most)
{
	const wp_hull *again;
	wp_mass mass;
	REQUIRE(wp_hull_vertex_count(hull) >= 1 && wp_hull_vertex_count(hull) <= most);
	REQUIRE(wp_hull_from_memory(hull, wp_hull_byte_size(hull), &again) == WP_OK);
	const wp_error error = wp_cook_mass(hull, &mass);
	REQUIRE(error == WP_OK ? mass.volume > 0 : error == WP_ERROR_HULL_VOLUME);
}

static void check_mesh(const mesh_file *file)
{
	const wp_mesh *again;
	REQUIRE(wp_mesh_from_memory(file->mesh, wp_mesh_byte_size(file->mesh), &again) == WP_OK);
	REQUIRE(wp_mesh_triangle_count(file->mesh) + file->report.dropped == file->triangles);
}

/* A hull, or of files of odd sizes a mesh; or one sentence that begins with the file. */
static void cook_mesh(const bytes *b, const char *ending)
{
	char path[64], error[CAPTURE_ERROR_MAX];
	hull_file file;
	mesh_file triangles;
	if (!folder_made) {
		REQUIRE(mkdtemp(folder));
		folder_made = true;
		atexit(remove_folder);
	}
	snprintf(path, sizeof path, "%s/mesh.%s", folder, ending);
	FILE *const to = fopen(path, "wb");
	REQUIRE(to && fwrite(b->at, 1, b->left, to) == b->left && fclose(to) == 0);
	if (b->left % 2 != 0 && mesh_file_cook(path, 1.0, &limits, &triangles, error)) {
		check_mesh(&triangles);
		mesh_file_free(&triangles);
	} else if (b->left % 2 == 0 && hull_file_cook(path, 1.0, 0, &limits, &file, error)) {
		check_hull(file.hull, file.vertices);
		hull_file_free(&file);
	} else {
		REQUIRE(strncmp(error, path, strlen(path)) == 0 && strlen(error) > strlen(path) + 2);
	}
	unlink(path);
}

static void cook_points(bytes *b)
{
	const uint32_t most = 4 + take_below(b, 60);
	const size_t count = b->left / 12;
	float *const points = aligned_memory(12 * count);
	memcpy(points, b->at, 12 * count);
	const wp_hull *hull;
	float outside;
	size_t bad = count;
	wp_error error = wp_cook_points(points, 0, count, &hull, &bad);
	REQUIRE((error == WP_OK) == (hull != NULL));
	REQUIRE(error != WP_ERROR_HULL_VERTEX || bad < count);
	REQUIRE(error == WP_OK || error == WP_ERROR_HULL_VERTEX || error == WP_ERROR_HULL_COOK ||
			(error == WP_ERROR_HULL_VERTEX_COUNT && count == 0));
	if (error == WP_OK)
		check_hull(hull, count);
	wp_cook_free(hull);
	error = wp_cook_simplified(points, 0, count, most, &hull, &outside, NULL);
	if (error == WP_OK)
		check_hull(hull, most);
	wp_cook_free(hull);
	free(points);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const endings[] = {"obj", "stl", "ply"};
	bytes b = {data, size};
	const uint32_t kind = take_below(&b, 4);
	if (kind < 3)
		cook_mesh(&b, endings[kind]);
	else
		cook_points(&b);
	return 0;
}
