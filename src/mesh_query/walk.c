/* Down the tree of a mesh, the nearest children first, to the triangles that may have the answer of a row. */
#include "mesh_query/internal.h"

/* How far boxes in cells are grown, in cells: their numbers were rounded, up to 256 of them by 2^-24 each. */
#define CELL_SLACK 0x1p-14

typedef struct waiting {
	double key;
	uint32_t child;
} waiting;

void wp_mesh_query_box_of_child(const wp_mesh_node *node, uint32_t i, double lower[3], double upper[3])
{
	for (int k = 0; k < 3; k++) {
		const double cell = (double)wp_power_of_exponent(node->exponent[k]), from = (double)node->lower[k];
		lower[k] = from + ((double)node->first[k][i] - CELL_SLACK) * cell;
		upper[k] = from + ((double)node->last[k][i] + (1 + CELL_SLACK)) * cell;
	}
}

/* Push the children that may have the answer, the nearest one last, and of those as near the first one. */
static uint32_t push_children(const wp_mesh_ask *ask, const wp_mesh_asked *row, const wp_mesh_view *view, uint32_t node,
	waiting *stack, uint32_t count)
{
	const wp_mesh_node *const n = &view->nodes[node];
	const uint32_t bottom = count;
	for (uint32_t i = 0; i < n->count; i++) {
		double lower[3], upper[3];
		wp_mesh_query_box_of_child(n, i, lower, upper);
		const double key = wp_mesh_query_key_of_box(ask, row, lower, upper);
		if (key > row->answer->choice.limit)
			continue;
		wp_child_prefetch(view, n->child[i]);
		uint32_t at = count++;
		for (; at > bottom && stack[at - 1].key <= key; at--)
			stack[at] = stack[at - 1];
		stack[at] = (waiting){key, n->child[i]};
	}
	return count;
}

static void look_at_leaf(const wp_mesh_ask *ask, uint32_t place, const wp_surface *surface, uint32_t leaf)
{
	const uint32_t first = wp_child_index(leaf), end = first + wp_child_count(leaf);
	for (uint32_t triangle = first; triangle < end; triangle++)
		wp_mesh_query_look_at(ask, place, surface, triangle);
}

static void walk_tree(const wp_mesh_ask *ask, uint32_t place, const wp_surface *surface)
{
	wp_mesh_asked *const row = &ask->workspace->asked.row[place];
	waiting stack[WP_NODE_WIDTH * WP_MESH_DEPTH_MAX];
	uint32_t count = 0;
	stack[count++] = (waiting){0, 0};
	while (count != 0) {
		const waiting next = stack[--count];
		/* Triangles come in ascending order where all keys are equal, so the first overlap is the answer. */
		if (ask->query == WP_MESH_QUERY_OVERLAP && wp_mesh_query_is_settled(row))
			return;
		if (next.key > row->answer->choice.limit)
			continue;
		if (wp_child_is_leaf(next.child))
			look_at_leaf(ask, place, surface, next.child);
		else
			count = push_children(ask, row, &surface->view, wp_child_index(next.child), stack, count);
	}
}

void wp_mesh_query_walk(const wp_mesh_ask *ask, uint32_t place)
{
	const wp_mesh_row *const body = &ask->workspace->asked.row[place].body;
	const wp_surface surface = wp_surface_of(body->mesh, body->field);
	if (surface.field != NULL)
		wp_mesh_query_walk_cells(ask, place, &surface);
	else
		walk_tree(ask, place, &surface);
}
