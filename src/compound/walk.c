/* Down both trees at once, the nearest boxes first, to the pairs of children that may have the answer of a row. */
#include "batch/read.h"
#include "compound/internal.h"

/* Pairs of nodes that wait: of each pair that is left for two others one more, on as many levels as both trees have. */
#define STACK_MAX (2 * WP_COMPOUND_DEPTH_MAX + 2)

typedef struct waiting {
	double key;
	uint32_t node[2];
} waiting;

/* A row on its way down. */
typedef struct walk {
	const wp_compound_call *call;
	uint32_t place;
	wp_compound_row *row;
	wp_compound_view view[2]; /* all zero for a shape */
	waiting stack[STACK_MAX];
	uint32_t count;
	bool is_plain; /* boxes are compared along the axes of A, before anything else */
} walk;

/* Where no pair is an answer the limit stays as it was, and all that it left out is that far apart. */
static void leave_out(wp_compound_row *row, double key)
{
	if (key > row->choice.limit && key < row->pruned)
		row->pruned = key;
}

/* ---- pairs that are found ----------------------------------------------------------------------- */

static bool counts(const walk *w, const wp_compound_found *found)
{
	return wp_compound_counts(w->call, w->row, found->key, found->child);
}

/* Answer what a row has found, so that there is room for more. */
static void answer_found(const walk *w)
{
	while (w->row->found_count != 0) {
		wp_compound_push_found(w->call, w->place, WP_COMPOUND_FOUND);
		wp_compound_run_ring(w->call);
	}
}

static void note(const walk *w, const wp_compound_found *found)
{
	wp_compound_row *const row = w->row;
	while (row->found_count != 0 && row->found[row->found_count - 1].key > row->choice.limit)
		row->found_count--;
	if (row->found_count == WP_COMPOUND_FOUND)
		answer_found(w);
	if (!counts(w, found))
		return;
	uint32_t at = row->found_count++;
	for (; at > 0 && wp_compound_is_before(found, &row->found[at - 1]); at--)
		row->found[at] = row->found[at - 1];
	row->found[at] = *found;
}

/* ---- children ----------------------------------------------------------------------------------- */

/* Child `at` of a node that has no nodes below it. False where its shape is not the one that the compound was built for: then
 * the core is NULL. */
static bool find_leaf(const walk *w, int k, uint32_t at, wp_compound_leaf *leaf, wp_compound_found *found)
{
	const wp_compound_side *const side = &w->row->side[k];
	found->child[k] = found->place[k] = 0;
	if (side->compound == NULL) {
		*leaf = (wp_compound_leaf){side->core, NULL, {side->lower, side->upper}};
		return true;
	}
	const wp_compound_part *const part = &w->view[k].parts[at];
	const wp_core *const core = wp_compound_core_of_part(part, w->call->rows.shapes);
	*leaf = (wp_compound_leaf){core, &part->child, {part->lower, part->upper}};
	found->child[k] = w->view[k].sources[at];
	found->place[k] = at;
	return core != NULL;
}

/* What is proven of boxes that are compared for the first time. */
static double key_of_boxes(const walk *w, const wp_compound_box box[2])
{
	if (!w->is_plain)
		return wp_compound_key_of_boxes(w->call, w->row, box);
	const wp_compound_block a = wp_compound_block_of(&w->row->stand, 0, box[0]),
							b = wp_compound_block_of(&w->row->stand, 1, box[1]);
	const double apart = wp_compound_apart(&w->row->stand, &a, &b, wp_compound_far(w->row));
	return wp_compound_key_of_apart(w->call, w->row, apart);
}

/* A pair with a shape that is missing makes its row invalid where it would count. */
static void note_missing(const walk *w, const wp_compound_leaf leaf[2], wp_compound_found *found)
{
	const wp_compound_box box[2] = {leaf[0].box, leaf[1].box};
	const uint32_t reason_a = leaf[0].core == NULL ? WP_STATUS_INVALID_SHAPE_A : 0;
	const uint32_t reason_b = leaf[1].core == NULL ? WP_STATUS_INVALID_SHAPE_B : 0;
	found->key = key_of_boxes(w, box);
	wp_choice_spoil(&w->row->choice, found->key, found->child, reason_a | reason_b);
}

/* A pair of children; of a plain row, whose boxes are apart by the square root of `squared`. */
static void look_at_pair(const walk *w, uint32_t a, uint32_t b, double squared)
{
	wp_compound_leaf leaf[2];
	wp_compound_found found;
	const bool has_a = find_leaf(w, 0, a, &leaf[0], &found), has_b = find_leaf(w, 1, b, &leaf[1], &found);
	if (!has_a || !has_b) {
		note_missing(w, leaf, &found);
		return;
	}
	found.key = w->is_plain ? wp_compound_key_of_near(w->call, w->row, leaf, squared)
	                        : wp_compound_key_of_pair(w->call, w->row, leaf);
	if (counts(w, &found)) {
		note(w, &found);
		return;
	}
	w->call->statistics->beyond++;
	leave_out(w->row, found.key);
}

/* All pairs of children of two nodes. */
static void look_at_all(const walk *w, const uint32_t first[2], const uint32_t end[2])
{
	for (uint32_t i = first[0]; i < end[0]; i++)
		for (uint32_t j = first[1]; j < end[1]; j++)
			look_at_pair(w, i, j, 0);
}

static wp_compound_block block_of_child(const walk *w, int k, uint32_t at)
{
	const wp_compound_side *const side = &w->row->side[k];
	if (side->compound == NULL)
		return wp_compound_block_of(&w->row->stand, k, (wp_compound_box){side->lower, side->upper});
	const wp_compound_part *const part = &w->view[k].parts[at];
	return wp_compound_block_of(&w->row->stand, k, (wp_compound_box){part->lower, part->upper});
}

/* The same but those whose boxes are far apart. Each child of B is turned once. */
static void look_at_near(const walk *w, const uint32_t first[2], const uint32_t end[2])
{
	wp_compound_row *const row = w->row;
	wp_compound_block other[WP_COMPOUND_LEAF];
	double far = wp_compound_far(row);
	for (uint32_t j = first[1]; j < end[1]; j++)
		other[j - first[1]] = block_of_child(w, 1, j);
	for (uint32_t i = first[0]; i < end[0]; i++) {
		const wp_compound_block own = block_of_child(w, 0, i);
		for (uint32_t j = first[1]; j < end[1]; j++) {
			const double apart = wp_compound_apart(&row->stand, &own, &other[j - first[1]], far);
			if (apart > far) {
				w->call->statistics->beyond++;
				row->far = apart < row->far ? apart : row->far;
				continue;
			}
			look_at_pair(w, i, j, apart);
			far = wp_compound_far(row);
		}
	}
}

/* ---- nodes -------------------------------------------------------------------------------------- */

static wp_compound_box box_of(const walk *w, int k, uint32_t node)
{
	const wp_compound_side *const side = &w->row->side[k];
	if (side->compound == NULL)
		return (wp_compound_box){side->lower, side->upper};
	return (wp_compound_box){w->view[k].nodes[node].lower, w->view[k].nodes[node].upper};
}

/* The children of a node that has no nodes below it, from the first one to before the end. False where it has nodes. */
static bool are_children(const walk *w, int k, uint32_t node, uint32_t *first, uint32_t *end)
{
	if (w->row->side[k].compound == NULL) {
		*first = 0;
		*end = 1;
		return true;
	}
	const wp_compound_node *const n = &w->view[k].nodes[node];
	*first = n->first;
	*end = n->first + n->count;
	return n->count != 0;
}

static double width_of(const wp_compound_box *box)
{
	double width = 0;
	for (int k = 0; k < 3; k++)
		width += (double)box->upper[k] - (double)box->lower[k];
	return width;
}

static void push(walk *w, uint32_t a, uint32_t b)
{
	const wp_compound_box box[2] = {box_of(w, 0, a), box_of(w, 1, b)};
	const double key = key_of_boxes(w, box);
	if (key <= w->row->choice.limit)
		w->stack[w->count++] = (waiting){key, {a, b}};
	else
		leave_out(w->row, key);
}

/* The two nodes below one of a pair, the nearer one on top, and of those as near the first one. */
static void push_below(walk *w, const waiting *from, int k)
{
	const uint32_t first = w->view[k].nodes[from->node[k]].first, bottom = w->count;
	uint32_t node[2] = {from->node[0], from->node[1]};
	for (uint32_t i = 2; i-- > 0;) {
		node[k] = first + i;
		push(w, node[0], node[1]);
	}
	if (w->count == bottom + 2 && w->stack[bottom].key < w->stack[bottom + 1].key) {
		const waiting top = w->stack[bottom];
		w->stack[bottom] = w->stack[bottom + 1];
		w->stack[bottom + 1] = top;
	}
}

static void look_at(walk *w, const waiting *at)
{
	uint32_t first[2], end[2];
	const bool leaf_a = are_children(w, 0, at->node[0], &first[0], &end[0]);
	const bool leaf_b = are_children(w, 1, at->node[1], &first[1], &end[1]);
	if (!leaf_a || !leaf_b) {
		const wp_compound_box a = box_of(w, 0, at->node[0]), b = box_of(w, 1, at->node[1]);
		push_below(w, at, leaf_a || (!leaf_b && width_of(&b) > width_of(&a)) ? 1 : 0);
		return;
	}
	w->call->statistics->pairs += (uint64_t)(end[0] - first[0]) * (end[1] - first[1]);
	if (w->is_plain)
		look_at_near(w, first, end);
	else
		look_at_all(w, first, end);
}

void wp_compound_walk(const wp_compound_call *call, uint32_t place)
{
	walk w;
	w.call = call;
	w.place = place;
	w.row = &call->workspace->compound.row[place];
	w.count = 0;
	w.is_plain = wp_compound_is_plain(call, w.row);
	for (int k = 0; k < 2; k++) {
		const wp_compound *const compound = w.row->side[k].compound;
		w.view[k] = compound != NULL ? wp_compound_view_of(compound) : (wp_compound_view){.compound = NULL};
	}
	push(&w, 0, 0);
	while (w.count != 0) {
		const waiting next = w.stack[--w.count];
		if (next.key <= w.row->choice.limit)
			look_at(&w, &next);
	}
}
