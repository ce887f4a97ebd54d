/* The memory format of a mesh: header, nodes of the tree, triangles, vertices, sources. Offsets follow from the counts, so
 * that a mesh can be moved, written and mapped. In the byte order of the machine: a mesh of the other order is refused by
 * its magic.
 *
 * The tree has up to eight children a node, and triangles in the order of its leaves: a subtree is a range of triangles.
 * A node has the lowest corner of its box, and cells of a power of two along each axis, at most 256 to its far side.
 * A place x is in the cell floor((x - lower) / cell), in float. That is a monotone function of x as computed: boxes that
 * meet have ranges of cells that meet, whatever is rounded. So children's boxes are stored as ranges of cells, and boxes
 * are compared as such.
 *
 * widephase-cook writes this format and the core library reads it, so what both need is here, inline. */
#ifndef WP_MESH_MESH_H
#define WP_MESH_MESH_H

#include "core/base.h"
#include "core/checksum.h"
#include "core/double3.h"
#include "core/length.h"
#include "widephase/mesh.h"

#define WP_MESH_MAGIC 0x534d5057u /* "WPMS" in the memory of little-endian machines */
#define WP_MESH_VERSION 2u

/* Children of a node, and triangles of a leaf. */
#define WP_NODE_WIDTH 8
#define WP_LEAF_MAX 8

/* Levels of the tree. Stacks of queries have room for WP_NODE_WIDTH nodes in each. */
#define WP_MESH_DEPTH_MAX 64

/* Exponents of cells, as floats store them: the cell and its inverse are normal numbers. */
#define WP_CELL_EXPONENT_MIN 1u
#define WP_CELL_EXPONENT_MAX 253u
#define WP_CELL_MAX 255

/* Sine of the angle between normals up to which an edge is flat. */
#define WP_EDGE_FLAT_SINE 1e-3

/* Rounding of the normal of a triangle, relative to the product of two of its edges: two roundings of each coordinate of
 * the edges, one of each product, one of their difference. A triangle with a shorter normal has none, and is no triangle. */
#define WP_TRIANGLE_ROUNDING 0x1p-50

/* A child: an inner node by its number, or up to eight triangles from the first on. Unused ones are zero. */
#define WP_CHILD_LEAF 0x80000000u
#define WP_CHILD_COUNT_SHIFT 28
#define WP_CHILD_INDEX 0x0fffffffu

typedef struct wp_mesh_node {
	float lower[3];                  /* of the box of all triangles below */
	uint8_t exponent[3];             /* of the cells: the smallest that spans the box */
	uint8_t count;                   /* children in use, from the first on */
	uint8_t first[3][WP_NODE_WIDTH]; /* the first cell along each axis; unused children: 255 */
	uint8_t last[3][WP_NODE_WIDTH];  /* the last one; unused children: 0 */
	uint32_t child[WP_NODE_WIDTH];   /* in the order of their triangles */
} wp_mesh_node;

/* An edge word: kind, edge of the neighbour, neighbour. Boundaries have the kind alone. */
#define WP_EDGE_KIND_SHIFT 30
#define WP_EDGE_NUMBER_SHIFT 28
#define WP_EDGE_NEIGHBOUR 0x0fffffffu

/* The first corner has the bit of wp_mesh_is_face_only above its index. */
#define WP_TRIANGLE_FACE_ONLY 0x80000000u
#define WP_TRIANGLE_CORNER 0x7fffffffu

typedef struct wp_mesh_triangle_row {
	uint32_t corner[3];
	uint32_t edge[3]; /* from corner e to the next */
} wp_mesh_triangle_row;

struct wp_mesh {
	uint32_t magic;     /* WP_MESH_MAGIC */
	uint32_t version;   /* WP_MESH_VERSION */
	uint32_t checksum;  /* over all bytes of the mesh with this field as zero */
	uint32_t depth;     /* levels of nodes */
	uint64_t byte_size; /* of the whole mesh, a multiple of WP_ALIGNMENT */
	uint32_t vertex_count;
	uint32_t triangle_count;
	uint32_t node_count;
	uint32_t source_count;    /* triangles of the input; sources are below it */
	float lower[3], upper[3]; /* box of all triangles */
};

_Static_assert(sizeof(wp_mesh) == WP_ALIGNMENT, "the nodes follow the header aligned");
_Static_assert(sizeof(wp_mesh_node) == 96, "nodes without padding");
_Static_assert(sizeof(wp_mesh_triangle_row) == 24, "triangles without padding");

/* ---- layout ------------------------------------------------------------------------------------- */

/* Bytes from the mesh to its parts. */
typedef struct wp_mesh_layout {
	uint64_t nodes, triangles, vertices, sources, end;
} wp_mesh_layout;

WP_INLINE uint64_t wp_mesh_part(uint64_t *at, uint64_t count, uint64_t size)
{
	const uint64_t begin = *at;
	*at = (begin + count * size + WP_ALIGNMENT - 1) / WP_ALIGNMENT * WP_ALIGNMENT;
	return begin;
}

/* The one place that knows the layout. */
WP_INLINE wp_mesh_layout wp_mesh_lay_out(const wp_mesh *header)
{
	wp_mesh_layout layout = {.end = sizeof(wp_mesh)};
	layout.nodes = wp_mesh_part(&layout.end, header->node_count, sizeof(wp_mesh_node));
	layout.triangles = wp_mesh_part(&layout.end, header->triangle_count, sizeof(wp_mesh_triangle_row));
	layout.vertices = wp_mesh_part(&layout.end, header->vertex_count, 3 * sizeof(float));
	layout.sources = wp_mesh_part(&layout.end, header->triangle_count, sizeof(uint32_t));
	return layout;
}

/* Where the parts of a mesh are, for those who read many of them. */
typedef struct wp_mesh_view {
	const wp_mesh *mesh;
	const wp_mesh_node *nodes;
	const wp_mesh_triangle_row *triangles;
	const float (*vertices)[3];
	const uint32_t *sources;
} wp_mesh_view;

WP_INLINE wp_mesh_view wp_mesh_view_of(const wp_mesh *mesh)
{
	const wp_mesh_layout layout = wp_mesh_lay_out(mesh);
	const char *const bytes = (const char *)mesh;
	return (wp_mesh_view){mesh, (const wp_mesh_node *)(bytes + layout.nodes),
		(const wp_mesh_triangle_row *)(bytes + layout.triangles), (const float(*)[3])(bytes + layout.vertices),
		(const uint32_t *)(bytes + layout.sources)};
}

WP_INLINE uint32_t wp_mesh_checksum(const wp_mesh *mesh)
{
	return wp_checksum(mesh, (size_t)mesh->byte_size, offsetof(wp_mesh, checksum) / sizeof mesh->checksum);
}

/* ---- boxes and cells ---------------------------------------------------------------------------- */

typedef struct wp_mesh_box {
	float lower[3], upper[3];
} wp_mesh_box;

WP_INLINE void wp_mesh_box_add(wp_mesh_box *box, const wp_mesh_box *other)
{
	for (int k = 0; k < 3; k++) {
		box->lower[k] = other->lower[k] < box->lower[k] ? other->lower[k] : box->lower[k];
		box->upper[k] = other->upper[k] > box->upper[k] ? other->upper[k] : box->upper[k];
	}
}

WP_INLINE wp_mesh_box wp_mesh_box_of(const float a[3], const float b[3], const float c[3])
{
	wp_mesh_box box;
	for (int k = 0; k < 3; k++) {
		const float low = a[k] < b[k] ? a[k] : b[k], high = a[k] < b[k] ? b[k] : a[k];
		box.lower[k] = c[k] < low ? c[k] : low;
		box.upper[k] = c[k] > high ? c[k] : high;
	}
	return box;
}

WP_INLINE float wp_power_of_exponent(uint32_t exponent)
{
	const uint32_t bits = exponent << 23;
	float power;
	memcpy(&power, &bits, sizeof power);
	return power;
}

/* The inverse of a cell of that exponent: exact. */
WP_INLINE float wp_cell_inverse(uint32_t exponent) { return wp_power_of_exponent(254u - exponent); }

/* The cell of a place, -1 below the first, WP_CELL_MAX + 1 beyond the last. */
WP_INLINE int wp_cell_of(float place, float lower, float inverse)
{
	const float cells = (place - lower) * inverse;
	return cells < 0.0f ? -1 : cells < (float)(WP_CELL_MAX + 1) ? (int)cells : WP_CELL_MAX + 1;
}

/* The smallest exponent whose cells span the way from `lower` to `upper`. With e the exponent of that way, 2^(e - 7) has 128
 * to 256 of them, and half of that too many. */
WP_INLINE uint8_t wp_cell_exponent(float lower, float upper)
{
	const uint32_t e = wp_magnitude_bits(upper - lower) >> 23;
	return (uint8_t)(e > WP_CELL_EXPONENT_MIN + 7 ? e - 7 : WP_CELL_EXPONENT_MIN);
}

/* Begin a node around a box, with cells and without children. */
WP_INLINE void wp_node_begin(wp_mesh_node *node, const wp_mesh_box *box)
{
	memset(node, 0, sizeof *node);
	memset(node->first, WP_CELL_MAX, sizeof node->first);
	for (int k = 0; k < 3; k++) {
		node->lower[k] = box->lower[k];
		node->exponent[k] = wp_cell_exponent(box->lower[k], box->upper[k]);
	}
}

/* The cells of a box within the box of a node, along one axis. */
WP_INLINE void wp_node_cells(const wp_mesh_node *node, const wp_mesh_box *box, int k, uint8_t *first, uint8_t *last)
{
	const float inverse = wp_cell_inverse(node->exponent[k]);
	*first = (uint8_t)wp_cell_of(box->lower[k], node->lower[k], inverse);
	*last = (uint8_t)wp_cell_of(box->upper[k], node->lower[k], inverse);
}

/* ---- children ----------------------------------------------------------------------------------- */

WP_INLINE bool wp_child_is_leaf(uint32_t child) { return (child & WP_CHILD_LEAF) != 0; }

/* Triangles of a leaf. */
WP_INLINE uint32_t wp_child_count(uint32_t child) { return (child >> WP_CHILD_COUNT_SHIFT & (WP_LEAF_MAX - 1)) + 1; }

/* First triangle of a leaf, number of an inner node. */
WP_INLINE uint32_t wp_child_index(uint32_t child) { return child & WP_CHILD_INDEX; }

WP_INLINE uint32_t wp_child_of_leaf(uint32_t first, uint32_t count)
{
	return WP_CHILD_LEAF | (count - 1) << WP_CHILD_COUNT_SHIFT | first;
}

/* Fetch what a child is read by, while others are looked at: 4 to 10 % of a query in a mesh larger than the caches. */
WP_INLINE void wp_child_prefetch(const wp_mesh_view *view, uint32_t child)
{
	const uint32_t index = wp_child_index(child);
	const char *const at = wp_child_is_leaf(child) ? (const char *)&view->triangles[index]
	                                               : (const char *)&view->nodes[index];
	wp_prefetch(at);
	wp_prefetch(at + WP_ALIGNMENT);
	wp_prefetch(at + 2 * WP_ALIGNMENT);
}

/* Chosen children of a node have the highest bit of a byte set, child 0 of the lowest one. */

/* Where a node has the exponents of its cells, and then its count. */
WP_INLINE const uint8_t *wp_node_exponents(const wp_mesh_node *node)
{
	return (const uint8_t *)node + offsetof(wp_mesh_node, exponent);
}

WP_INLINE wp_quad wp_node_lower(const wp_mesh_node *node)
{
	return wp_quad_of(node->lower[0], node->lower[1], node->lower[2], 0.0f);
}

/* Children of a node whose boxes, in cells as wp_cell_of has them, meet a box. The fourth place of its corners is zero. In box.c:
 * the cook does without it. */
uint64_t wp_node_meets(const wp_mesh_node *node, wp_quad lower, wp_quad upper);

/* The highest of chosen children, of which there is one at least. */
WP_INLINE uint32_t wp_highest_child(uint64_t chosen) { return wp_highest_bit_64(chosen) / 8; }

/* A bit each, child 0 in the lowest. */
WP_INLINE uint32_t wp_bits_of_children(uint64_t chosen)
{
	return (uint32_t)((chosen >> 7) * 0x0102040810204080u >> 56);
}

WP_INLINE uint64_t wp_child_bit(uint32_t i) { return (uint64_t)0x80 << 8 * i; }

/* ---- triangles ---------------------------------------------------------------------------------- */

WP_INLINE uint32_t wp_row_corner(const wp_mesh_triangle_row *row, int corner)
{
	return row->corner[corner] & WP_TRIANGLE_CORNER;
}

/* Fetch so many corners of each triangle of a leaf. */
WP_INLINE void wp_leaf_prefetch(const wp_mesh_view *view, uint32_t leaf, int corners)
{
	const uint32_t first = wp_child_index(leaf), end = first + wp_child_count(leaf);
	for (uint32_t triangle = first; triangle < end; triangle++)
		for (int k = 0; k < corners; k++)
			wp_prefetch(view->vertices[wp_row_corner(&view->triangles[triangle], k)]);
}

/* The place of a vertex, and what follows it: another vertex, or the first of the sources. */
WP_INLINE wp_quad wp_vertex_quad(const wp_mesh_view *view, uint32_t vertex)
{
	return wp_quad_read((const char *)view->vertices + vertex * sizeof view->vertices[0]);
}

/* The box of a triangle. The fourth places of its corners are of no meaning. */
WP_INLINE void wp_triangle_box(const wp_mesh_view *view, uint32_t triangle, wp_quad *least, wp_quad *most)
{
	const wp_mesh_triangle_row *const row = &view->triangles[triangle];
	const wp_quad a = wp_vertex_quad(view, wp_row_corner(row, 0));
	const wp_quad b = wp_vertex_quad(view, wp_row_corner(row, 1));
	const wp_quad c = wp_vertex_quad(view, wp_row_corner(row, 2));
	*least = wp_quad_min(wp_quad_min(a, b), c);
	*most = wp_quad_max(wp_quad_max(a, b), c);
}

/* Whether that meets another box. */
WP_INLINE bool wp_quad_boxes_meet(wp_quad least, wp_quad most, wp_quad lower, wp_quad upper)
{
	const uint32_t apart = wp_quad_bits(wp_quad_above(least, upper)) | wp_quad_bits(wp_quad_above(lower, most));
	return (apart & 7) == 0;
}

/* Whether the box of a triangle meets a box. */
WP_INLINE bool wp_triangle_meets(const wp_mesh_view *view, uint32_t triangle, wp_quad lower, wp_quad upper)
{
	wp_quad least, most;
	wp_triangle_box(view, triangle, &least, &most);
	return wp_quad_boxes_meet(least, most, lower, upper);
}

WP_INLINE uint32_t wp_edge_kind_of(uint32_t edge) { return edge >> WP_EDGE_KIND_SHIFT; }

WP_INLINE uint32_t wp_edge_number(uint32_t edge) { return edge >> WP_EDGE_NUMBER_SHIFT & 3; }

WP_INLINE uint32_t wp_edge_neighbour(uint32_t edge) { return edge & WP_EDGE_NEIGHBOUR; }

WP_INLINE uint32_t wp_edge_word(uint32_t kind, uint32_t number, uint32_t neighbour)
{
	return kind << WP_EDGE_KIND_SHIFT | number << WP_EDGE_NUMBER_SHIFT | neighbour;
}

/* Normal of a triangle, twice its area long, of corners that are floats or places of a height field. False if it is no longer
 * than its rounding. */
WP_INLINE bool wp_normal_of_corners(wp_d3 a, wp_d3 b, wp_d3 c, wp_d3 *normal)
{
	const wp_d3 u = wp_d3_sub(b, a), v = wp_d3_sub(c, a);
	*normal = wp_d3_cross(u, v);
	const double limit = WP_TRIANGLE_ROUNDING * WP_TRIANGLE_ROUNDING;
	return wp_d3_dot(*normal, *normal) > limit * wp_d3_dot(u, u) * wp_d3_dot(v, v);
}

WP_INLINE bool wp_triangle_normal(const float a[3], const float b[3], const float c[3], wp_d3 *normal)
{
	return wp_normal_of_corners(wp_d3_of_floats(a), wp_d3_of_floats(b), wp_d3_of_floats(c), normal);
}

/* Kind of the edge from a to b between two triangles with these normals, of which one has the far corner w: by the sine of
 * the angle between the normals, which is the volume of a, b and both far corners over what it would be at a right
 * angle. */
WP_INLINE wp_edge_kind wp_kind_of_edge(const float a[3], const float b[3], const float w[3], wp_d3 normal, wp_d3 other)
{
	const wp_d3 from = wp_d3_of_floats(a);
	const double height = wp_d3_dot(normal, wp_d3_sub(wp_d3_of_floats(w), from));
	const double length = wp_d3_length(wp_d3_sub(wp_d3_of_floats(b), from));
	const double whole = wp_d3_length(normal) * wp_d3_length(other);
	const double sine = height * length;
	if (wp_abs(sine) > WP_EDGE_FLAT_SINE * whole)
		return sine > 0.0 ? WP_EDGE_CONCAVE : WP_EDGE_CONVEX;
	return wp_d3_dot(normal, other) > 0.0 ? WP_EDGE_FLAT : WP_EDGE_CONVEX;
}

#endif
