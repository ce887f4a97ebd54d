/* The tree of a mesh: triangles by their boxes, put in the order of its leaves. */
#ifndef WP_COOK_TREE_H
#define WP_COOK_TREE_H

#include "mesh/mesh.h"

/* Places have a fourth number, so that all are worked on at once. */
typedef struct tree_item {
	float lower[3];
	uint32_t triangle; /* anything: it goes with the box */
	float upper[3];
	uint32_t unused; /* zero */
} tree_item;

typedef struct tree {
	wp_mesh_node *nodes; /* the caller frees it */
	uint32_t count, capacity;
	uint32_t depth;
} tree;

/* Build a tree over items[0 .. count), count >= 1, and order them by it. False when memory runs out. */
bool wp_cook_tree(tree_item *items, uint32_t count, tree *made);

#endif
