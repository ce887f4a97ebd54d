/* The tree of a mesh, from the top: a range of items is split in two where a sum over both parts, of the surface of the box
 * times the number of leaves that its items fill, is least among planes between bins of centres (Wald 2007, On fast construction of SAH-based
 * bounding volume hierarchies). A node splits its range, then the part with the largest surface, until it has eight parts
 * or leaves alone. Only additions, products and comparisons decide, so every machine builds the same tree. */
#include <stdlib.h>

#include "tree.h"

#define BINS 16

/* Splits on the way to a part, from which on parts are halved by count: 2^28 items are leaves 25 halves later, so that the
 * tree has no more than WP_MESH_DEPTH_MAX levels. */
#define SPLITS_MAX 36

/* Centres are twice the middle of a box: lower + upper. Where they differ by less, bins would overflow. */
#define CENTRE_EXTENT_MIN 0x1p-100f

typedef struct bounds {
	float lower[4], upper[4];
} bounds;

/* Items [begin, end) and what holds them. */
typedef struct part {
	uint32_t begin, end;
	uint32_t splits; /* that led to it */
	uint32_t level;  /* of the node that it becomes */
	uint32_t parent, slot;
	bounds box, centres;
} part;

typedef struct bin {
	bounds box;
	uint32_t count;
} bin;

typedef struct split {
	double cost;
	int axis;
	uint32_t bin; /* the first of the upper part */
} split;

typedef struct binning {
	float lower[3], scale[3]; /* a centre's bin; a scale of 0 for an axis that is not split */
} binning;

static bounds nothing(void)
{
	bounds b;
	for (int k = 0; k < 4; k++) {
		b.lower[k] = WP_INFINITY;
		b.upper[k] = -WP_INFINITY;
	}
	return b;
}

static inline void extend(bounds *to, const float lower[4], const float upper[4])
{
	for (int k = 0; k < 4; k++) {
		to->lower[k] = lower[k] < to->lower[k] ? lower[k] : to->lower[k];
		to->upper[k] = upper[k] > to->upper[k] ? upper[k] : to->upper[k];
	}
}

static inline void load(const tree_item *item, float lower[4], float upper[4], float centre[4])
{
	for (int k = 0; k < 3; k++) {
		lower[k] = item->lower[k];
		upper[k] = item->upper[k];
		centre[k] = item->lower[k] + item->upper[k];
	}
	lower[3] = upper[3] = centre[3] = 0.0f;
}

/* Half of the surface of a box. */
static double surface(const bounds *b)
{
	const double x = (double)b->upper[0] - (double)b->lower[0], y = (double)b->upper[1] - (double)b->lower[1],
				 z = (double)b->upper[2] - (double)b->lower[2];
	return (x * y + y * z) + z * x;
}

static uint32_t bin_of(const binning *by, const float centre[4], int axis)
{
	const uint32_t i = (uint32_t)((centre[axis] - by->lower[axis]) * by->scale[axis]);
	return i < BINS ? i : BINS - 1;
}

static binning binning_of(const bounds *centres)
{
	binning by;
	for (int k = 0; k < 3; k++) {
		const float extent = centres->upper[k] - centres->lower[k];
		by.lower[k] = centres->lower[k];
		by.scale[k] = extent > CENTRE_EXTENT_MIN ? (float)BINS / extent : 0.0f;
	}
	return by;
}

static void fill_bins(const tree_item *items, const part *p, const binning *by, bin bins[3][BINS])
{
	for (int axis = 0; axis < 3; axis++) {
		for (uint32_t i = 0; i < BINS; i++)
			bins[axis][i] = (bin){nothing(), 0};
	}
	for (uint32_t i = p->begin; i < p->end; i++) {
		float lower[4], upper[4], centre[4];
		load(&items[i], lower, upper, centre);
		for (int axis = 0; axis < 3; axis++) {
			bin *const to = &bins[axis][bin_of(by, centre, axis)];
			extend(&to->box, lower, upper);
			to->count++;
		}
	}
}

/* What a part costs. By leaves, not items, leaves are full: that saves 2 to 4 bytes a triangle, and rays and boxes take as
 * long. */
static double cost_of(const bounds *box, uint32_t count)
{
	return surface(box) * (double)((count + WP_LEAF_MAX - 1) / WP_LEAF_MAX);
}

/* The best plane across one axis, if it is better than the best so far. */
static void try_axis(const bin bins[BINS], int axis, split *best)
{
	double above[BINS];
	bounds box = nothing();
	uint32_t count = 0;
	for (uint32_t i = BINS - 1; i > 0; i--) {
		extend(&box, bins[i].box.lower, bins[i].box.upper);
		count += bins[i].count;
		above[i] = count != 0 ? cost_of(&box, count) : -1.0;
	}
	box = nothing();
	count = 0;
	for (uint32_t i = 1; i < BINS; i++) {
		extend(&box, bins[i - 1].box.lower, bins[i - 1].box.upper);
		count += bins[i - 1].count;
		if (count == 0 || above[i] < 0.0)
			continue;
		const double cost = cost_of(&box, count) + above[i];
		if (cost < best->cost)
			*best = (split){cost, axis, i};
	}
}

static split best_split(const tree_item *items, const part *p, const binning *by)
{
	bin bins[3][BINS];
	split best = {(double)WP_INFINITY, -1, 0};
	fill_bins(items, p, by, bins);
	for (int axis = 0; axis < 3; axis++) {
		if (by->scale[axis] != 0.0f)
			try_axis(bins[axis], axis, &best);
	}
	return best;
}

static void add_item(part *to, const tree_item *item)
{
	float lower[4], upper[4], centre[4];
	load(item, lower, upper, centre);
	extend(&to->box, lower, upper);
	extend(&to->centres, centre, centre);
}

static void swap_items(tree_item *a, tree_item *b)
{
	const tree_item kept = *a;
	*a = *b;
	*b = kept;
}

static bool is_upper(const binning *by, const split *s, const tree_item *item)
{
	float lower[4], upper[4], centre[4];
	load(item, lower, upper, centre);
	return bin_of(by, centre, s->axis) >= s->bin;
}

/* Split a part in two. */
static void divide(tree_item *items, const part *p, part *low, part *high)
{
	split s = {(double)WP_INFINITY, -1, 0};
	const binning by = binning_of(&p->centres);
	if (p->splits < SPLITS_MAX)
		s = best_split(items, p, &by);
	*low = *high = (part){.splits = p->splits + 1, .box = nothing(), .centres = nothing()};
	uint32_t begin = p->begin, end = p->end;
	if (s.axis < 0) {
		begin = end = p->begin + (p->end - p->begin) / 2;
		for (uint32_t i = p->begin; i < p->end; i++)
			add_item(i < begin ? low : high, &items[i]);
	}
	while (begin < end) {
		if (!is_upper(&by, &s, &items[begin])) {
			add_item(low, &items[begin++]);
			continue;
		}
		add_item(high, &items[begin]);
		swap_items(&items[begin], &items[--end]);
	}
	low->begin = p->begin;
	low->end = high->begin = begin;
	high->end = p->end;
}

/* Split a part into up to eight, in the order of their items. */
static uint32_t divide_into_children(tree_item *items, const part *p, part children[WP_NODE_WIDTH])
{
	uint32_t count = 1;
	children[0] = *p;
	while (count < WP_NODE_WIDTH) {
		uint32_t widest = WP_NODE_WIDTH;
		double most = -1.0;
		for (uint32_t i = 0; i < count; i++) {
			const double own = surface(&children[i].box);
			if (children[i].end - children[i].begin > WP_LEAF_MAX && own > most) {
				most = own;
				widest = i;
			}
		}
		if (widest == WP_NODE_WIDTH)
			break;
		const part parent = children[widest];
		memmove(&children[widest + 2], &children[widest + 1], (count - widest - 1) * sizeof *children);
		divide(items, &parent, &children[widest], &children[widest + 1]);
		count++;
	}
	return count;
}

static wp_mesh_box box_of(const part *p)
{
	wp_mesh_box box;
	memcpy(box.lower, p->box.lower, sizeof box.lower);
	memcpy(box.upper, p->box.upper, sizeof box.upper);
	return box;
}

static bool add_node(tree *t, uint32_t *index)
{
	if (t->count == t->capacity) {
		const uint32_t capacity = t->capacity != 0 ? 2 * t->capacity : 64;
		wp_mesh_node *const nodes = realloc(t->nodes, capacity * sizeof *nodes);
		if (nodes == NULL)
			return false;
		t->nodes = nodes;
		t->capacity = capacity;
	}
	*index = t->count++;
	return true;
}

/* Parts that wait to become nodes, the next one last. */
typedef struct queue {
	part parts[WP_NODE_WIDTH * WP_MESH_DEPTH_MAX];
	uint32_t count;
} queue;

/* Make the node of a part, its leaves, and the parts that become nodes below it. */
static void make_node(tree_item *items, tree *t, uint32_t index, const part *p, queue *q)
{
	part children[WP_NODE_WIDTH];
	const uint32_t count = divide_into_children(items, p, children);
	wp_mesh_node *const node = &t->nodes[index];
	const wp_mesh_box own = box_of(p);
	wp_node_begin(node, &own);
	node->count = (uint8_t)count;
	t->depth = p->level > t->depth ? p->level : t->depth;
	for (uint32_t i = count; i-- > 0;) {
		part *const child = &children[i];
		const wp_mesh_box box = box_of(child);
		for (int k = 0; k < 3; k++)
			wp_node_cells(node, &box, k, &node->first[k][i], &node->last[k][i]);
		if (child->end - child->begin <= WP_LEAF_MAX) {
			node->child[i] = wp_child_of_leaf(child->begin, child->end - child->begin);
			continue;
		}
		child->level = p->level + 1;
		child->parent = index;
		child->slot = i;
		q->parts[q->count++] = *child;
	}
}

bool wp_cook_tree(tree_item *items, uint32_t count, tree *made)
{
	part whole = {.end = count, .level = 1, .box = nothing(), .centres = nothing()};
	queue *const q = malloc(sizeof *q);
	*made = (tree){.nodes = NULL};
	if (q == NULL)
		return false;
	for (uint32_t i = 0; i < count; i++)
		add_item(&whole, &items[i]);
	q->parts[0] = whole;
	q->count = 1;
	bool done = true;
	while (q->count != 0) {
		const part next = q->parts[--q->count];
		uint32_t index;
		done = add_node(made, &index);
		if (!done)
			break;
		if (index != 0)
			made->nodes[next.parent].child[next.slot] = index;
		make_node(items, made, index, &next, q);
	}
	free(q);
	return done;
}
