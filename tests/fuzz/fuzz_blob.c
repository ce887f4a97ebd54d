/* The reader of hulls from memory. The library's own source is included for its checksum: with it put
 * right, what lies behind the checksum is reached too. */
#include "bytes.h"

#include "shape/hull.c"
#include "widephase/query.h"

#define WORKSPACE_ALIGN _Alignas(WP_ALIGNMENT)

static void use(const wp_hull *hull, uint32_t pattern)
{
	float sum = 0;
	for (size_t i = 0; i < wp_hull_vertex_count(hull); i++) {
		float vertex[3];
		wp_hull_vertex(hull, i, vertex);
		for (int k = 0; k < 3; k++)
			REQUIRE(vertex[k] - vertex[k] == 0);
		sum += vertex[0];
	}
	for (size_t i = 0; i < wp_hull_face_count(hull); i++) {
		size_t corners;
		const uint32_t *face = wp_hull_face(hull, i, &corners);
		for (size_t k = 0; k < corners; k++)
			REQUIRE(face[k] < wp_hull_vertex_count(hull));
	}
	static WORKSPACE_ALIGN unsigned char memory[WP_WORKSPACE_SIZE];
	wp_workspace *workspace;
	fill_memory(memory, sizeof memory, pattern);
	REQUIRE(wp_workspace_init(memory, sizeof memory, WP_VARIANT_SCALAR, &workspace) == WP_OK);
	const wp_shape a = wp_shape_hull(hull), b = wp_shape_box(1, 1, 1);
	const wp_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
	const wp_contact_options options = {.max_separation = 1};
	wp_row row, again;
	REQUIRE(wp_contact_pair(workspace, &a, &pose, &b, &pose, &options, &row) == WP_OK);
	fill_memory(memory, sizeof memory, pattern + 1);
	REQUIRE(wp_workspace_init(memory, sizeof memory, WP_VARIANT_AUTO, &workspace) == WP_OK);
	REQUIRE(wp_contact_pair(workspace, &a, &pose, &b, &pose, &options, &again) == WP_OK);
	REQUIRE(memcmp(&row, &again, sizeof row) == 0);
	REQUIRE(row.status & WP_STATUS_INVALID || row.separation - row.separation == 0);
	(void)sum;
}

static bool are_coordinates(const wp_hull *hull)
{
	const float *const x = wp_hull_vertices(hull);
	bool are = true;
	for (size_t i = 0; i < 3 * (size_t)hull->vertex_padded; i++)
		are &= wp_is_coordinate(x[i]);
	return are;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	const uint8_t mode = data[--size];
	wp_hull *memory = aligned_memory(size);
	memcpy(memory, data, size);
	if (size >= sizeof(wp_hull)) {
		if (mode & 1) {
			memory->magic = WP_HULL_MAGIC;
			memory->version = WP_HULL_VERSION;
		}
		if (mode & 2)
			memory->byte_size = (uint32_t)(size / WP_ALIGNMENT * WP_ALIGNMENT);
		if (mode & 4)
			memory->turned &= 1;
		if (mode & 8)
			memory->normal_offset = sizeof(wp_hull) + 12 * memory->vertex_padded;
		if (mode & 16)
			memory->face_offset = memory->normal_offset + 16 * memory->face_padded;
		if (mode & 32 && memory->byte_size <= size && is_header(memory) && are_coordinates(memory))
			write_bounds(memory);
		if (memory->byte_size % WP_ALIGNMENT == 0 && memory->byte_size <= size)
			memory->checksum = checksum_of(memory, NULL);
	}
	const wp_hull *hull;
	const wp_error error = wp_hull_from_memory(memory, size, &hull);
	REQUIRE((error == WP_OK) == (hull != NULL));
	if (error == WP_OK)
		use(hull, mode);
	free(memory);
	return 0;
}
