/* Queries of compounds: what the files of this room share.
 *
 * A row has the best answer of all pairs of children of its bodies, and of answers that are as good, the lowest pair's. walk.c
 * goes down both trees and notes the pairs that may be it, by what key.c proves of them. query.c puts the nearest of these
 * of all rows under way into the ring, ring.c has the kernels answer it, and whatever is proven worse than the best answer is
 * left out. What is proven leaves room for the error of answers, so the best one is never left out, and neither the size of the
 * ring nor the order changes a bit. */
#ifndef WP_COMPOUND_INTERNAL_H
#define WP_COMPOUND_INTERNAL_H

#include "batch/call.h"
#include "batch/read.h"
#include "batch/workspace.h"
#include "batch/write.h"
#include "compound/compound.h"
#include "core/contract.h"
#include "motion/choice.h"
#include "widephase/compound_track.h"

struct wp_mesh_call;
struct wp_mesh_frame;
struct wp_mesh_query_request;

typedef enum wp_compound_query {
	WP_COMPOUND_OVERLAP, /* an answer is 0, or infinity where children are apart */
	WP_COMPOUND_DISTANCE,
	WP_COMPOUND_CONTACT,
	WP_COMPOUND_MANIFOLD, /* the answers of contacts, and patches */
	WP_COMPOUND_CAST      /* an answer is a fraction, or infinity */
} wp_compound_query;

struct wp_compound_call;

/* Where a frame keeps what it learns of its rows: how it answers a row without a query, if it can, and keeps its answer, or that
 * it is invalid. Programs without frames have no code of them. */
typedef struct wp_compound_frame {
	bool (*stay)(const struct wp_compound_call *call, const wp_compound_row *row);
	void (*keep_row)(const struct wp_compound_call *call, const wp_compound_row *row, const wp_output *output);
	void (*keep_invalid)(const struct wp_compound_call *call, const wp_compound_row *row, uint32_t status);
	wp_compound_tracked_pairs tracked; /* the stride never 0, patch_max too */
	float merging;
	wp_track_changes *changes; /* NULL: not requested */
} wp_compound_frame;

/* One call. */
typedef struct wp_compound_call {
	wp_workspace *workspace;
	wp_compound_query query;
	wp_call rows; /* whose statistics are not used */
	const wp_compound *const *compounds;
	size_t compound_count;
	float most;            /* children further apart do not count: max_distance or max_separation */
	wp_motions motions[2]; /* of casts: of A and B, with strides */
	wp_child_columns children;
	wp_compound_patches patches; /* strides and patch_max never 0 */
	wp_compound_statistics *statistics;
	const wp_compound_frame *frame; /* NULL: nothing is kept of any row */
} wp_compound_call;

/* Share of sizes and distances that answers may be off, twice the widest bracket of the contract. */
#define WP_COMPOUND_SHARE (2 * WP_CONTRACT_SMOOTH_WIDE)

/* Patches of a row, with the default for 0. */
WP_INLINE uint32_t wp_compound_patch_max(uint32_t patch_max) { return patch_max != 0 ? patch_max : 4; }

/* A box that a row meets on its way down a tree: a node's or a child's, in the frame of its body. */
typedef struct wp_compound_box {
	const float *lower, *upper;
} wp_compound_box;

/* What the answer of all pairs of children in two boxes is at least, in a cast or beside a half-space. */
double wp_compound_key_of_boxes(const wp_compound_call *call, const wp_compound_row *row, const wp_compound_box box[2]);

/* A box by its middle in the axes of A, and half of its sides along the axes of both bodies: what holds it there. */
typedef struct wp_compound_block {
	wp_d3 middle, half[2];
} wp_compound_block;

WP_INLINE double wp_compound_reach_along(wp_d3 axis, wp_d3 half)
{
	return (wp_abs(axis.x) * half.x + wp_abs(axis.y) * half.y) + wp_abs(axis.z) * half.z;
}

/* How far a box reaches from the origin of its body. */
WP_INLINE double wp_compound_reach_of_box(const float lower[3], const float upper[3])
{
	double reach[3];
	for (int k = 0; k < 3; k++) {
		const double below = -(double)lower[k], above = (double)upper[k];
		reach[k] = below > above ? below : above;
	}
	return wp_length3(reach);
}

/* The compound that a call has at an index; NULL: none. What is no compound at all fails by its magic. */
WP_INLINE const wp_compound *wp_compound_at(const wp_compound *const *compounds, size_t count, uint32_t index)
{
	const wp_compound *const found = index < count ? compounds[index] : NULL;
	const bool is_one = found != NULL && wp_is_aligned(found, WP_ALIGNMENT) && found->magic == WP_COMPOUND_MAGIC &&
	                    found->version == WP_COMPOUND_VERSION;
	return is_one ? found : NULL;
}

/* A number of the compound that another one hardly has, or this one with another shape in the place of a child's. No shape has
 * it. */
WP_INLINE uint32_t wp_compound_number(const wp_compound *compound, const wp_shape_table *shapes)
{
	const wp_compound_view view = wp_compound_view_of(compound);
	uint32_t number = compound->checksum;
	for (uint32_t i = 0; i < compound->child_count; i++)
		number = (number ^ wp_serial_of_shape(shapes, view.parts[i].child.shape)) * 0x01000193u;
	return number | WP_COMPOUND;
}

/* The core of a child; NULL where its shape is missing, a half-space, or larger than it was when the compound was built. */
WP_INLINE const wp_core *wp_compound_core_of_part(const wp_compound_part *part, const wp_shape_table *shapes)
{
	const wp_core *const core = wp_core_of_table(shapes, part->child.shape);
	const bool fits = core != NULL && core->kind != WP_CORE_HALF_SPACE &&
	                  wp_round_down((double)core->bound + (double)core->radius) <= part->reach;
	return fits ? core : NULL;
}

/* How far the shapes of a body's children reach from their origins, at most. */
WP_INLINE double wp_compound_size_of_children(const wp_compound_side *side)
{
	return side->compound != NULL ? (double)side->compound->reach
	                              : (double)side->core->bound + (double)side->core->radius;
}

WP_INLINE bool wp_compound_is_half_space(const wp_compound_side *side)
{
	return side->core != NULL && side->core->kind == WP_CORE_HALF_SPACE;
}

/* Half of the sides of a box of side k along the axes of the other body. */
WP_INLINE wp_d3 wp_compound_half_beside(const wp_compound_stand *stand, int k, wp_d3 half)
{
	const wp_d33 *const m = &stand->turn;
	return k == 1
	         ? wp_d3_of(wp_compound_reach_along(m->row[0], half), wp_compound_reach_along(m->row[1], half),
				   wp_compound_reach_along(m->row[2], half))
	         : wp_d3_of(wp_compound_reach_along(wp_d33_axis(m, 0), half),
				   wp_compound_reach_along(wp_d33_axis(m, 1), half), wp_compound_reach_along(wp_d33_axis(m, 2), half));
}

/* The block of a box of side k; of one of A only along its own axes. */
WP_INLINE wp_compound_block wp_compound_block_of(const wp_compound_stand *stand, int k, wp_compound_box box)
{
	double middle[3], half[3];
	for (int i = 0; i < 3; i++) {
		middle[i] = ((double)box.lower[i] + (double)box.upper[i]) / 2;
		half[i] = ((double)box.upper[i] - (double)box.lower[i]) / 2;
	}
	const wp_d3 own = wp_d3_at(half);
	if (k == 0)
		return (wp_compound_block){wp_d3_at(middle), {own, own}};
	return (wp_compound_block){wp_d3_add(stand->offset, wp_d33_turn(&stand->turn, wp_d3_at(middle))),
		{wp_compound_half_beside(stand, 1, own), own}};
}

/* The square of how far boxes are apart along three axes. */
WP_INLINE double wp_compound_squared(wp_d3 between, wp_d3 half_a, wp_d3 half_b)
{
	const double x = wp_abs(between.x) - (half_a.x + half_b.x);
	const double y = wp_abs(between.y) - (half_a.y + half_b.y);
	const double z = wp_abs(between.z) - (half_a.z + half_b.z);
	return ((x > 0 ? x * x : 0) + (y > 0 ? y * y : 0)) + (z > 0 ? z * z : 0);
}

/* The same of two blocks along the axes of either body, whichever is larger; along the axes of A alone where that is above
 * `enough`. */
WP_INLINE double wp_compound_apart(
	const wp_compound_stand *stand, const wp_compound_block *a, const wp_compound_block *b, double enough)
{
	const wp_d3 between = wp_d3_sub(b->middle, a->middle);
	const double along_a = wp_compound_squared(between, a->half[0], b->half[0]);
	if (along_a > enough)
		return along_a;
	const wp_d3 half = wp_compound_half_beside(stand, 0, a->half[0]);
	const double along_b = wp_compound_squared(wp_d33_turn_back(&stand->turn, between), half, b->half[1]);
	return along_a > along_b ? along_a : along_b;
}

/* Whether distances of blocks are a bound: not in casts, nor beside half-spaces. */
bool wp_compound_is_plain(const wp_compound_call *call, const wp_compound_row *row);

/* The square of a distance above which no pair counts. */
double wp_compound_far(const wp_compound_row *row);

/* What is proven of all pairs that are so far apart, by the square of it. */
double wp_compound_key_of_apart(const wp_compound_call *call, const wp_compound_row *row, double squared);

/* A child: its core, its pose in the frame of its body, which is NULL for a body with a shape, and its box. */
typedef struct wp_compound_leaf {
	const wp_core *core;
	const wp_compound_child *child;
	wp_compound_box box;
} wp_compound_leaf;

/* What the answer of a pair is at least, and that it lowers the row's limit: of one whose boxes are so far apart, by the square
 * of it; and of one in a cast or beside a half-space. */
double wp_compound_key_of_near(
	const wp_compound_call *call, wp_compound_row *row, const wp_compound_leaf leaf[2], double squared);
double wp_compound_key_of_pair(const wp_compound_call *call, wp_compound_row *row, const wp_compound_leaf leaf[2]);

/* Read a row: its bodies, from the position of A on. Returns why it is invalid, or 0. */
uint32_t wp_compound_read_row(const wp_compound_call *call, uint32_t number, wp_compound_row *row);

/* Measure both bodies of a row that was read, and put one into the frame of the other, for its walk. */
void wp_compound_place_row(const wp_compound_call *call, wp_compound_row *row);

/* Whether a pair of children with a key may still be the row's answer, or be as good. */
bool wp_compound_counts(const wp_compound_call *call, const wp_compound_row *row, double key, const uint32_t child[2]);

/* Whether a pair comes before another one: by what is proven, then by its children. */
bool wp_compound_is_before(const wp_compound_found *found, const wp_compound_found *other);

/* Move pairs that a row has found into the ring, the nearest first, while there is room: so many at most. Those before them that
 * count no more are dropped. */
void wp_compound_push_found(const wp_compound_call *call, uint32_t place, uint32_t most);

/* Answer the pairs in the ring: each row keeps the best one, and patches. */
void wp_compound_run_ring(const wp_compound_call *call);

/* Find the pairs of the row at that place. The ring is empty, before and after. */
void wp_compound_walk(const wp_compound_call *call, uint32_t place);

/* Write the patch of a pair in the ring to its row, unless the row has enough that are deeper. */
void wp_compound_write_patch(const wp_compound_call *call, wp_compound_row *row, uint32_t at);

/* Write a row that is answered, or an invalid one, and count it. */
void wp_compound_write_row(const wp_compound_call *call, const wp_compound_row *row);
void wp_compound_write_invalid(const wp_compound_call *call, const wp_compound_row *row, uint32_t status);

/* Of a row whose answer is known: its output, points from that position on, its children, and how many pairs and patches it has;
 * and where patches of a row of a query go, or of a frame come from. */
void wp_compound_write_output(const wp_compound_call *call, uint32_t row, const double position[3],
	const wp_output *output, const uint32_t child[2], uint32_t pairs, uint32_t patches);
unsigned char *wp_compound_patches_of_row(const wp_compound_call *call, const wp_compound_row *row);

/* What a call asks besides its batch. */
typedef struct wp_compound_request {
	wp_compound_query query;
	float most;
	const wp_motions *motions[2];
	const wp_float_column *fraction;
	const wp_child_columns *children;
	const wp_compound_patches *patches;
	const wp_compound_frame *frame;
} wp_compound_request;

/* A row with a compound and a mesh: both sides, the mesh, and why it is invalid, or 0. */
typedef struct wp_compound_mesh_row {
	wp_side a, b;
	wp_mesh_row row;
	const wp_compound *compound;
	uint32_t invalid;
} wp_compound_mesh_row;

/* Read a row. False where its body has no compound: nothing more is known then. */
bool wp_compound_read_mesh_row(const struct wp_mesh_call *call, const wp_compound *const *compounds, uint64_t count,
	uint32_t number, wp_compound_mesh_row *read);

/* Count both positions from A's on, which is put into `position`: children lose nothing to the digits of the world there. */
void wp_compound_count_from_a(wp_side *a, wp_side *b, double position[3]);

/* A child as body A of a row. */
void wp_compound_place_child(const wp_compound_child *child, const wp_side *whole, wp_side *side);

/* Answer a row with a compound by the rows of its children. False where one has no contacts with meshes: it is invalid. */
bool wp_compound_run_mesh_row(const struct wp_mesh_call *call, const wp_compound *compound, const wp_side *a,
	const wp_side *b, const wp_mesh_row *row);

/* Where the child of each point goes; `children` may be NULL. */
wp_error wp_compound_name_children(struct wp_mesh_frame *frame, const wp_uint32_column *children, uint32_t patch_max);

/* wp_compound_mesh_contact by a ring that takes so many triangles, 1 .. WP_MESH_RING, which changes no bit. */
wp_error wp_compound_mesh_contact_in(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_compound *const *compounds, size_t compound_count, const wp_mesh_options *options,
	const wp_mesh_results *results, const wp_uint32_column *children, wp_mesh_statistics *statistics,
	uint32_t capacity);

/* The same of wp_compound_mesh_track. */
wp_error wp_compound_mesh_track_in(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_compound *const *compounds, size_t compound_count, const wp_mesh_track_options *options,
	const wp_mesh_tracked_pairs *tracked, uint32_t *tracked_children, const wp_mesh_results *results,
	const wp_uint32_column *children, wp_track_changes *changes, wp_mesh_statistics *statistics, uint32_t capacity);

/* The other queries of meshes, by a ring that takes so many triangles, 1 .. WP_MESH_QUERY_RING, which changes no bit. */
wp_error wp_compound_mesh_ask(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_compound *const *compounds,
	size_t compound_count, const struct wp_mesh_query_request *request, const wp_results *results,
	wp_mesh_statistics *statistics, uint32_t capacity);

/* wp_compound_track by a ring that takes so many pairs, 1 .. WP_COMPOUND_RING, which changes no bit. */
wp_error wp_compound_track_in(wp_workspace *workspace, const wp_compound_batch *batch,
	const wp_compound_track_options *options, const wp_compound_tracked_pairs *tracked, const wp_results *results,
	const wp_compound_patches *patches, wp_track_changes *changes, wp_compound_statistics *statistics,
	uint32_t capacity);

/* Answer all rows, by a ring that takes so many pairs, 1 .. WP_COMPOUND_RING, which changes no bit. */
wp_error wp_compound_run(wp_workspace *workspace, const wp_compound_batch *batch, const wp_compound_request *request,
	const wp_results *results, wp_compound_statistics *statistics, uint32_t capacity);

#endif
