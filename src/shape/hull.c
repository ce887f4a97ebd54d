/* Convex hulls in caller memory: measured, built, checked. */
#include "shape/hull.h"
#include "core/double3.h"
#include "core/environment.h"
#include "core/length.h"

#define WP_HULL_MAGIC 0x4c485057u /* "WPHL" in the memory of little-endian machines */
#define WP_HULL_VERSION 5u

/* Most faces, and most face indices, of one hull: far above any convex polyhedron of WP_HULL_VERTEX_MAX
 * vertices, and low enough that the byte size always fits 32 bits. */
#define WP_HULL_FACE_INDEX_MAX (1u << 28)

_Static_assert(sizeof(wp_hull) == WP_ALIGNMENT, "the vertices follow the header aligned");

static uint64_t padded_count(uint64_t count) { return (count + WP_WIDTH_MAX - 1) / WP_WIDTH_MAX * WP_WIDTH_MAX; }

/* What counts of vertices, faces and face indices decide. */
typedef struct hull_layout {
	uint64_t vertex_padded, face_padded, normal_offset, face_offset, byte_size;
} hull_layout;

/* The one place that knows the layout. False when a count is out of range. */
WP_INLINE bool layout_of(uint64_t vertex_count, uint64_t face_count, uint64_t face_index_count, hull_layout *layout)
{
	if (vertex_count < 1 || vertex_count > WP_HULL_VERTEX_MAX)
		return false;
	if (face_count > WP_HULL_FACE_INDEX_MAX || face_index_count > WP_HULL_FACE_INDEX_MAX)
		return false;
	if (face_index_count < 3 * face_count || (face_count == 0 && face_index_count != 0))
		return false;
	layout->vertex_padded = padded_count(vertex_count);
	layout->face_padded = padded_count(face_count);
	layout->normal_offset = sizeof(wp_hull) + 3 * layout->vertex_padded * sizeof(float);
	layout->face_offset = layout->normal_offset + 4 * layout->face_padded * sizeof(float);
	const uint64_t end = layout->face_offset + (face_count + 1 + face_index_count) * sizeof(uint32_t);
	layout->byte_size = (end + WP_ALIGNMENT - 1) / WP_ALIGNMENT * WP_ALIGNMENT;
	return end <= UINT32_MAX - WP_ALIGNMENT;
}

/* Write the counts of a hull into its header, and what they decide. False when a count is out of range. */
static bool lay_out(uint64_t vertex_count, uint64_t face_count, uint64_t face_index_count, wp_hull *header)
{
	hull_layout layout;
	if (!layout_of(vertex_count, face_count, face_index_count, &layout))
		return false;
	header->vertex_count = (uint32_t)vertex_count;
	header->vertex_padded = (uint32_t)layout.vertex_padded;
	header->face_count = (uint32_t)face_count;
	header->face_offset = (uint32_t)layout.face_offset;
	header->face_index_count = (uint32_t)face_index_count;
	header->face_padded = (uint32_t)layout.face_padded;
	header->normal_offset = (uint32_t)layout.normal_offset;
	header->byte_size = (uint32_t)layout.byte_size;
	return true;
}

size_t wp_hull_size(size_t vertex_count, size_t face_count, size_t face_index_count)
{
	wp_hull header;
	return lay_out(vertex_count, face_count, face_index_count, &header) ? header.byte_size : 0;
}

/* ---- checksum ----------------------------------------------------------------------------------- */

_Static_assert(offsetof(wp_hull, checksum) < 32, "vectors of eight skip it in the first one alone");

/* Hash of the first byte_size bytes with the checksum field as zero. */
static uint32_t checksum_of(const wp_hull *hull, wp_find_checksum *find)
{
	const size_t skipped = offsetof(wp_hull, checksum) / sizeof hull->checksum;
	return find != NULL ? find(hull, hull->byte_size, skipped) : wp_checksum(hull, hull->byte_size, skipped);
}

/* ---- building ----------------------------------------------------------------------------------- */

static void load_vertex(const wp_hull_input *input, size_t index, float vertex[3])
{
	const size_t stride = input->vertices.stride != 0 ? input->vertices.stride : 3 * sizeof(float);
	memcpy(vertex, wp_offset(input->vertices.data, index * stride), 3 * sizeof(float));
}

/* Number of face indices, with the sizes of all faces checked; *bad_index is set on an error. */
static wp_error count_face_indices(const wp_hull_input *input, size_t *index_count, size_t *bad_index)
{
	/* Sizes past any count that could be right are not even read. */
	if (input->face_count > WP_HULL_FACE_INDEX_MAX / 3) {
		*bad_index = WP_HULL_FACE_INDEX_MAX / 3;
		return WP_ERROR_HULL_FACE;
	}
	size_t total = 0;
	for (size_t face = 0; face < input->face_count; face++) {
		if (input->face_sizes[face] < 3 || input->face_sizes[face] > WP_HULL_FACE_INDEX_MAX - total) {
			*bad_index = face;
			return WP_ERROR_HULL_FACE;
		}
		total += input->face_sizes[face];
	}
	*index_count = total;
	return WP_OK;
}

static wp_error check_values(const wp_hull_input *input, size_t *bad_index)
{
	for (size_t i = 0; i < input->vertex_count; i++) {
		float vertex[3];
		load_vertex(input, i, vertex);
		if (!wp_are_coordinates(vertex)) {
			*bad_index = i;
			return WP_ERROR_HULL_VERTEX;
		}
	}
	const uint32_t *index = input->face_indices;
	for (size_t face = 0; face < input->face_count; face++) {
		for (uint32_t i = 0; i < input->face_sizes[face]; i++, index++) {
			if (*index >= input->vertex_count) {
				*bad_index = face;
				return WP_ERROR_HULL_FACE;
			}
		}
	}
	return WP_OK;
}

/* What the header says of the vertices that are there. */
static void write_bounds(wp_hull *hull)
{
	const float *const x = wp_hull_vertices(hull);
	const size_t padded = hull->vertex_padded;
	hull->bound = wp_distance_bound(x, x + padded, x + 2 * padded, hull->vertex_count);
	wp_extents_of(x, padded, hull->vertex_count, hull->half);
}

static void write_vertices(const wp_hull_input *input, wp_hull *hull)
{
	const size_t padded = hull->vertex_padded;
	float *const x = (float *)((char *)hull + sizeof *hull);
	for (size_t i = 0; i < padded; i++) {
		float vertex[3];
		load_vertex(input, i < input->vertex_count ? i : 0, vertex);
		for (size_t axis = 0; axis < 3; axis++)
			x[axis * padded + i] = vertex[axis];
	}
	write_bounds(hull);
}

static void write_faces(const wp_hull_input *input, wp_hull *hull)
{
	uint32_t *const start = (uint32_t *)((char *)hull + hull->face_offset);
	for (size_t face = 0; face < input->face_count; face++)
		start[face + 1] = start[face] + input->face_sizes[face];
	if (hull->face_index_count != 0)
		memcpy(start + input->face_count + 1, input->face_indices, hull->face_index_count * sizeof(uint32_t));
}

/* Unit normal of the area of a face of a hull whose vertices and faces are there. */
static void face_normal(const wp_hull *hull, size_t face, float normal[3])
{
	double area[3];
	wp_hull_area(hull, face, area);
	const double length = wp_length3(area);
	for (int k = 0; k < 3; k++)
		normal[k] = length > 0.0 ? (float)(area[k] / length) : 0.0f;
}

/* Plane `i` of the padded ones: its normal, and how far it is from the origin, through the face's first corner. */
static void padded_plane(const wp_hull *hull, size_t i, float plane[4])
{
	const size_t face = i < hull->face_count ? i : 0;
	size_t size;
	float corner[3];
	face_normal(hull, face, plane);
	wp_hull_vertex(hull, wp_hull_face(hull, face, &size)[0], corner);
	plane[3] = (plane[0] * corner[0] + plane[1] * corner[1]) + plane[2] * corner[2];
}

static void write_planes(wp_hull *hull)
{
	float *const x = (float *)((char *)hull + hull->normal_offset);
	const size_t padded = hull->face_padded;
	for (size_t i = 0; i < padded; i++) {
		float plane[4];
		padded_plane(hull, i, plane);
		for (size_t k = 0; k < 4; k++)
			x[k * padded + i] = plane[k];
	}
}

/* Let all faces go round the other way. */
static void turn_faces(wp_hull *hull)
{
	for (size_t face = 0; face < hull->face_count; face++) {
		size_t size;
		uint32_t *const index = (uint32_t *)wp_hull_face(hull, face, &size);
		for (size_t i = 0; i < size / 2; i++) {
			const uint32_t kept = index[i];
			index[i] = index[size - 1 - i];
			index[size - 1 - i] = kept;
		}
	}
	hull->turned = 1;
}

static wp_error check_surface(const wp_hull *hull, size_t *bad_index)
{
	const wp_error error = wp_hull_check_faces(hull, bad_index);
	return error != WP_OK ? error : wp_hull_check_outside(hull, bad_index);
}

/* Check the faces as they are, and if they face inwards, the other way round. */
static wp_error check_either_way(wp_hull *hull, size_t *bad_index)
{
	const wp_error error = check_surface(hull, bad_index);
	if (error != WP_ERROR_HULL_FACE_WINDING && error != WP_ERROR_HULL_FACE_CONVEX)
		return error;
	size_t bad_turned = *bad_index;
	turn_faces(hull);
	const wp_error turned = check_surface(hull, &bad_turned);
	if (turned == WP_ERROR_HULL_FACE_WINDING || turned == WP_ERROR_HULL_FACE_CONVEX)
		return error;
	*bad_index = bad_turned;
	return turned;
}

/* Judge the faces that were written, and complete the hull by what follows from them. */
static wp_error finish_faces(wp_hull *hull, size_t *bad_index)
{
	size_t bad_face = *bad_index;
	const wp_environment before = wp_environment_enter();
	const wp_error error = check_either_way(hull, &bad_face);
	if (error == WP_OK)
		write_planes(hull);
	else
		*bad_index = bad_face;
	wp_environment_leave(before);
	return error;
}

static wp_error check_input(
	const wp_hull_input *input, const void *memory, size_t memory_size, wp_hull *header, size_t *bad_index)
{
	size_t face_index_count;
	const bool is_short = input->vertices.stride != 0 && input->vertices.stride < 3 * sizeof(float);
	const bool is_count = input->vertex_count >= 1 && input->vertex_count <= WP_HULL_VERTEX_MAX;
	wp_error error = !is_count                                             ? WP_ERROR_HULL_VERTEX_COUNT
	               : input->vertices.data == NULL                          ? WP_ERROR_NULL_VERTICES
	               : is_short                                              ? WP_ERROR_HULL_VERTEX_STRIDE
	               : input->face_count != 0 && input->face_sizes == NULL   ? WP_ERROR_NULL_FACE_SIZES
	               : input->face_count != 0 && input->face_indices == NULL ? WP_ERROR_NULL_FACE_INDICES
	               : !wp_is_aligned(memory, WP_ALIGNMENT)                  ? WP_ERROR_MEMORY_MISALIGNED
	                                                                       : WP_OK;
	if (error == WP_OK)
		error = count_face_indices(input, &face_index_count, bad_index);
	if (error != WP_OK)
		return error;
	return !lay_out(input->vertex_count, input->face_count, face_index_count, header) ? WP_ERROR_HULL_FACE
	     : memory_size < header->byte_size                                            ? WP_ERROR_MEMORY_TOO_SMALL
	                                                                                  : check_values(input, bad_index);
}

wp_error wp_hull_build(
	const wp_hull_input *input, void *memory, size_t memory_size, const wp_hull **hull, size_t *bad_index)
{
	if (hull == NULL)
		return WP_ERROR_NULL_HULL;
	*hull = NULL;
	if (input == NULL)
		return WP_ERROR_NULL_INPUT;
	if (memory == NULL)
		return WP_ERROR_NULL_MEMORY;

	wp_hull header = {.magic = WP_HULL_MAGIC, .version = WP_HULL_VERSION};
	size_t ignored = 0;
	size_t *const at_fault = bad_index != NULL ? bad_index : &ignored;
	wp_error error = check_input(input, memory, memory_size, &header, at_fault);
	if (error != WP_OK)
		return error;

	memset(memory, 0, header.byte_size);
	wp_hull *const made = memory;
	*made = header;
	write_vertices(input, made);
	write_faces(input, made);
	error = finish_faces(made, at_fault);
	if (error != WP_OK)
		return error;
	made->checksum = checksum_of(made, NULL);
	*hull = made;
	return WP_OK;
}

/* ---- checking ----------------------------------------------------------------------------------- */

/* Whether the header is one that wp_hull_build writes: what follows then lies inside byte_size. */
static bool is_header(const wp_hull *hull)
{
	if (hull->magic != WP_HULL_MAGIC || hull->version != WP_HULL_VERSION)
		return false;
	hull_layout layout;
	if (!layout_of(hull->vertex_count, hull->face_count, hull->face_index_count, &layout))
		return false;
	return hull->turned <= 1 && hull->byte_size == layout.byte_size && hull->vertex_padded == layout.vertex_padded &&
	       hull->face_offset == layout.face_offset && hull->face_padded == layout.face_padded &&
	       hull->normal_offset == layout.normal_offset;
}

bool wp_hull_is_intact(const wp_hull *hull, wp_find_checksum *find)
{
	return wp_is_aligned(hull, WP_ALIGNMENT) && is_header(hull) && hull->checksum == checksum_of(hull, find);
}

/* Vertices within range, padded with vertex 0, and inside the bounds. */
static bool are_vertices(const wp_hull *hull)
{
	const size_t padded = hull->vertex_padded;
	const float *const x = wp_hull_vertices(hull);
	for (size_t i = 0; i < padded; i++) {
		const float vertex[3] = {x[i], x[padded + i], x[2 * padded + i]};
		const float first[3] = {x[0], x[padded], x[2 * padded]};
		if (!wp_are_coordinates(vertex))
			return false;
		if (i >= hull->vertex_count && memcmp(vertex, first, sizeof first) != 0)
			return false;
	}
	const float bound = wp_distance_bound(x, x + padded, x + 2 * padded, hull->vertex_count);
	float half[3];
	wp_extents_of(x, padded, hull->vertex_count, half);
	return memcmp(&bound, &hull->bound, sizeof bound) == 0 && memcmp(half, hull->half, sizeof half) == 0;
}

static bool are_faces(const wp_hull *hull)
{
	const uint32_t *const start = wp_offset(hull, hull->face_offset);
	const uint32_t *const index = start + hull->face_count + 1;
	if (start[0] != 0 || start[hull->face_count] != hull->face_index_count)
		return false;
	for (size_t face = 0; face < hull->face_count; face++) {
		if (start[face + 1] < start[face] || start[face + 1] - start[face] < 3)
			return false;
	}
	for (size_t i = 0; i < hull->face_index_count; i++) {
		if (index[i] >= hull->vertex_count)
			return false;
	}
	return true;
}

/* Planes are the faces' own, bit for bit. */
static bool are_planes(const wp_hull *hull)
{
	const float *const x = wp_hull_normals(hull);
	const size_t padded = hull->face_padded;
	bool same = true;
	for (size_t i = 0; i < padded && same; i++) {
		float plane[4];
		padded_plane(hull, i, plane);
		const float found[4] = {x[i], x[padded + i], x[2 * padded + i], x[3 * padded + i]};
		same = memcmp(plane, found, sizeof found) == 0;
	}
	return same;
}

/* Whether faces, whose indices are in range, are as wp_hull_build leaves them. It has compared all vertices with all faces,
 * which takes seconds for the largest hulls: this is not repeated for a program that maps its hulls at its start. */
static bool are_sound(const wp_hull *hull)
{
	const wp_environment before = wp_environment_enter();
	size_t ignored;
	const bool sound = are_planes(hull) && wp_hull_check_faces(hull, &ignored) == WP_OK;
	wp_environment_leave(before);
	return sound;
}

wp_error wp_hull_from_memory(const void *memory, size_t size, const wp_hull **hull)
{
	if (hull == NULL)
		return WP_ERROR_NULL_HULL;
	*hull = NULL;
	if (memory == NULL)
		return WP_ERROR_NULL_MEMORY;
	if (!wp_is_aligned(memory, WP_ALIGNMENT))
		return WP_ERROR_MEMORY_MISALIGNED;
	const wp_hull *const found = memory;
	if (size < sizeof *found || found->byte_size > size || !wp_hull_is_intact(found, NULL))
		return WP_ERROR_HULL_CORRUPT;
	/* A checksum can be forged; indices and numbers that kernels rely on are checked for themselves. */
	if (!are_vertices(found) || !are_faces(found) || !are_sound(found))
		return WP_ERROR_HULL_CORRUPT;
	*hull = found;
	return WP_OK;
}
