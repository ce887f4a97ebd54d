/* The memory format of a compound: offsets follow from counts, so it can be moved, written and mapped. In the byte order of
 * the machine: a compound of the other order is refused by its magic. */
#ifndef WP_COMPOUND_COMPOUND_H
#define WP_COMPOUND_COMPOUND_H

#include "core/checksum.h"
#include "core/double3.h"
#include "widephase/compound.h"

#define WP_COMPOUND_MAGIC 0x646d6f63u
#define WP_COMPOUND_VERSION 2u

/* Children below a node that has no nodes below it. */
#define WP_COMPOUND_LEAF 4

/* Levels of the tree of WP_COMPOUND_CHILD_MAX children, of which each level halves the number. */
#define WP_COMPOUND_DEPTH_MAX 27

/* A box, and what is in it: with a count, parts first .. first + count; without, nodes first and first + 1. */
typedef struct wp_compound_node {
	float lower[3];
	uint32_t first;
	float upper[3];
	uint32_t count;
} wp_compound_node;

/* A child as it was given, its box in the compound's frame, and the radius about its own origin. */
typedef struct wp_compound_part {
	float lower[3], upper[3];
	float reach;
	wp_compound_child child;
} wp_compound_part;

struct wp_compound {
	uint32_t magic;     /* WP_COMPOUND_MAGIC */
	uint32_t version;   /* WP_COMPOUND_VERSION */
	uint32_t checksum;  /* over all bytes of the compound with this field as zero */
	uint32_t depth;     /* levels of nodes */
	uint64_t byte_size; /* of the whole compound, a multiple of WP_ALIGNMENT */
	uint32_t child_count, node_count;
	float lower[3], upper[3]; /* box of all children */
	float reach;              /* largest of the children's */
	uint32_t reserved;        /* zero; fills the header to 64 bytes */
};

_Static_assert(sizeof(wp_compound) == WP_ALIGNMENT, "the nodes follow the header aligned");
_Static_assert(sizeof(wp_compound_node) == 32 && sizeof(wp_compound_part) == 64, "no padding");

/* Bytes from the compound to its parts. */
typedef struct wp_compound_layout {
	uint64_t nodes, parts, sources, places, end;
} wp_compound_layout;

WP_INLINE uint64_t wp_compound_after(uint64_t at, uint64_t bytes)
{
	return (at + bytes + WP_ALIGNMENT - 1) / WP_ALIGNMENT * WP_ALIGNMENT;
}

/* The one place that knows the layout. */
WP_INLINE wp_compound_layout wp_compound_lay_out(uint64_t child_count, uint64_t node_count)
{
	wp_compound_layout layout = {.nodes = sizeof(wp_compound)};
	layout.parts = wp_compound_after(layout.nodes, node_count * sizeof(wp_compound_node));
	layout.sources = wp_compound_after(layout.parts, child_count * sizeof(wp_compound_part));
	layout.places = wp_compound_after(layout.sources, child_count * sizeof(uint32_t));
	layout.end = wp_compound_after(layout.places, child_count * sizeof(uint32_t));
	return layout;
}

/* Where the parts of a compound are. Children are in the order of the tree: sources has the caller's index of each, places
 * the way back. */
typedef struct wp_compound_view {
	const wp_compound *compound;
	const wp_compound_node *nodes;
	const wp_compound_part *parts;
	const uint32_t *sources, *places;
} wp_compound_view;

WP_INLINE wp_compound_view wp_compound_view_of(const wp_compound *compound)
{
	const wp_compound_layout layout = wp_compound_lay_out(compound->child_count, compound->node_count);
	return (wp_compound_view){compound, wp_offset(compound, (size_t)layout.nodes),
		wp_offset(compound, (size_t)layout.parts), wp_offset(compound, (size_t)layout.sources),
		wp_offset(compound, (size_t)layout.places)};
}

/* The part at the caller's index, and its child. */
WP_INLINE const wp_compound_part *wp_compound_part_at(const wp_compound_view *view, size_t index)
{
	return &view->parts[view->places[index]];
}

WP_INLINE uint32_t wp_compound_checksum(const wp_compound *compound)
{
	return wp_checksum(
		compound, (size_t)compound->byte_size, offsetof(wp_compound, checksum) / sizeof compound->checksum);
}

/* Nodes of the tree of so many children, 1 .. WP_COMPOUND_CHILD_MAX, and its levels. */
uint32_t wp_compound_count_nodes(uint32_t child_count, uint32_t *depth);

/* The box of a child, and how far its core reaches from its own origin. WP_OK, or what is wrong with it. */
wp_error wp_compound_part_of(const wp_compound_child *child, const wp_shape_table *shapes, wp_compound_part *part);

/* Whether the pose of a child is one. */
bool wp_compound_pose_holds(const wp_compound_child *child);

#endif
