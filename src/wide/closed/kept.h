/* Pairs that the plane of an earlier proof still separates, by their poses alone: no shape is looked at.
 *
 * The plane was kept as a normal in the frame of A, a, and in the frame of B, b, with a number c: along a, A's shape reaches no
 * further than some h from A's own origin, along b, B's shape no less far than h + c from B's, whatever their poses. Let m
 * be a turned to the world with A, k be b turned with B, t the way from A's position to B's. Along m, A ends h behind its
 * position. A point x of B's core, in world axes from B's position, has m.x >= k.x - |m - k| |x|, so along m the shapes are
 * apart by at least
 *     c + m.t - R |m - k|,   R being the bound of B's core,
 * and by symmetry along k by at least c + k.t - R |m - k| with the bound of A's core. B's ball counts along m as along k, but
 * for their lengths.
 *
 * Rounding, u being half a unit in the last place, D = |t.x| + |t.y| + |t.z|, S both bounds and both radii. Turning a vector
 * of length 1 by a quaternion of length 0.99 to 1.01: its squared length is off by 4u, 2 over that by 5u; each cross product
 * adds 3.5u of the lengths of its factors, so that q x v is off by 3.6u, q x (q x v) by 7.2u, their sum, with w, by 14u; times
 * the factor of at most 2.04 it is off by 41u, with the sum 43u. So m and k are off by 43u, in length too. Of m.t that is 43u D,
 * and 3u D for the products and sums, 1u D for t itself. |m - k| is off by 86u, and by 4u of its length of at most 2: 94u R.
 * B's ball: 86u of its radius. Lengths of m other than 1: 43u of the distance, which is no more than D + S. Three sums: 6u
 * (D + S). Together no more than 96u D + 143u S. When the plane is kept, a and b are found in double and rounded, 1u each, from
 * a normal that is off by 30u: 32u S and 32u D, and c is rounded down. WP_KEPT_SLACK, 167u, is taken from both. */
#ifndef WP_WIDE_CLOSED_KEPT_H
#define WP_WIDE_CLOSED_KEPT_H

#include "wide/job/prepare.h"

/* In one lane, and in the module for JavaScript, both kernels call what both do, and loops over sides stay loops: for the size of
 * the code. Elsewhere what few blocks need is called. */
#if WP_WIDTH == 1 || WP_WASM
#define WP_KEPT_FORM WP_NOINLINE
#define WP_RARE_FORM WP_INLINE
#define WP_SMALL_LOOP WP_ROLLED
#else
#define WP_KEPT_FORM WP_INLINE
#define WP_RARE_FORM WP_NOINLINE
#define WP_SMALL_LOOP
#endif

/* A vector turned to world axes by a quaternion, `twice` being 2 over its squared length. */
WP_INLINE vf3 wp_turn_by(vfq q, vf twice, vf3 v)
{
	const vf3 axis = {q.x, q.y, q.z}, across = vf3_cross(axis, v);
	const vf3 way = vf3_add(vf3_scale(across, q.w), vf3_cross(axis, across));
	return vf3_add(v, vf3_scale(way, twice));
}

/* A body of each lane: where it is, how it is turned, 2 over the squared length of that, and whether both are valid; the kept
 * normal as it carries it, and the number after that. */
typedef struct wp_kept_pose {
	vf3 at;
	vfq turn;
	vf twice;
	vm valid;
	vf3 normal;
	vf beside;
} wp_kept_pose;

/* Poses, and the kept normal as both bodies carry it, unit but for rounding. The number after A's is of the kind of plane; the one
 * after B's is how far apart the shapes are along it, without the positions. */
typedef struct wp_kept {
	wp_kept_pose a, b;
	vf3 way;  /* from A's position to B's */
	vf reach; /* what may turn against the plane, < 0 where that is A */
	vi count; /* of points */
	vm turns_a, valid;
} wp_kept;

WP_INLINE const int32_t *wp_as_lanes(const uint32_t *numbers) { return (const int32_t *)numbers; }

WP_INLINE wp_elements wp_elements_of(const unsigned char *base, size_t stride) { return (wp_elements){base, stride}; }

WP_INLINE vm wp_is_below(vi number, uint32_t limit)
{
	const vi sign = vi_set(INT32_MIN);
	return vi_gt(vi_xor(vi_set((int32_t)limit), sign), vi_xor(number, sign));
}

/* The numbers `at` of a column. What others write there meanwhile, each number is read once: who needs one reads again what is
 * stored here. Stored as a vector: a vector of what was stored number by number would have to wait for that. */
#if WP_WIDTH == 1
WP_INLINE void wp_take_numbers(const wp_kept_column *column, const uint32_t *at, uint32_t *to)
{
	to[0] = wp_opaque((uint32_t)wp_load_number(column->data + at[0] * column->stride));
}
#else
WP_INLINE_NATIVE void wp_take_numbers(const wp_kept_column *column, const uint32_t *at, uint32_t *to)
{
	vi_store((int32_t *)to, vi_take(wp_elements_of(column->data, column->stride), wp_read_again(at)));
}
#endif

/* The bodies of rows. Rows mostly follow one another, and name two bodies each. */
WP_INLINE void wp_take_bodies(const wp_kept_side *side, const uint32_t *row, uint32_t *to)
{
	const wp_kept_column *const named = &side->named;
	if (named->data == NULL) {
		vi_store((int32_t *)to, vi_add(vi_load(wp_as_lanes(row)), vi_set((int32_t)side->first)));
		return;
	}
#if WP_WIDTH > 1
	const vi next = vi_add(vi_set((int32_t)row[0]), vi_lanes());
	const bool follow = vm_bits(vi_eq(vi_load(wp_as_lanes(row)), next)) == WP_ALL_LANES;
	if (named->stride == 8 && follow) {
		vi_store((int32_t *)to, vi_take_apart(named->data + row[0] * named->stride));
		return;
	}
#endif
	wp_take_numbers(named, row, to);
}

/* The shapes of bodies. */
WP_INLINE void wp_take_shapes(const wp_kept_column *shape, const uint32_t *body, uint32_t *to)
{
	if (shape->data != NULL)
		wp_take_numbers(shape, body, to);
	else
		vi_store((int32_t *)to, vi_load(wp_as_lanes(body)));
}

/* Lanes that are not in `valid` get the numbers of one that is, so that all lanes may be used. False: there is none. */
WP_INLINE bool wp_fill_lanes(uint32_t numbers[2][WP_WIDTH], vm valid)
{
	const uint32_t bits = vm_bits(valid);
#if WP_WIDTH > 1
	if (bits != WP_ALL_LANES && bits != 0) {
		const uint32_t from = wp_lowest_bit(bits);
		for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
			const uint32_t other = (bits >> lane & 1) != 0 ? lane : from;
			numbers[0][lane] = numbers[0][other];
			numbers[1][lane] = numbers[1][other];
		}
	}
#else
	(void)numbers;
#endif
	return bits != 0;
}

/* Bodies and shapes of a block, as rows and bodies name them now. */
typedef struct wp_kept_names {
	WP_VECTOR_ALIGN uint32_t body[2][WP_WIDTH], shape[2][WP_WIDTH];
	WP_VECTOR_ALIGN uint32_t serial[2][WP_WIDTH]; /* of the shapes, where they have some */
	vm exist;                                     /* of both sides */
} wp_kept_names;

/* Numbers as they are where they were stored, not as the caller's memory has them now. */
WP_INLINE vm wp_are_below(uint32_t numbers[2][WP_WIDTH], uint32_t limit_a, uint32_t limit_b)
{
	const vi a = vi_load(wp_as_lanes(wp_read_again(numbers[0]))), b = vi_load(wp_as_lanes(wp_read_again(numbers[1])));
	return vm_and(wp_is_below(a, limit_a), wp_is_below(b, limit_b));
}

/* Find them. Lanes whose bodies or shapes do not exist have other lanes' ones; false where all are such. */
WP_NOINLINE bool wp_find_names(const wp_kept_rows *t, uint32_t at, wp_kept_names *n)
{
	const wp_kept_side *const s = t->side;
	WP_SMALL_LOOP
	for (int side = 0; side < 2; side++)
		wp_take_bodies(&s[side], t->row + at, n->body[side]);
	const vm bodies = wp_are_below(n->body, s[0].body_count, s[1].body_count);
	if (!wp_fill_lanes(n->body, bodies))
		return false;
	WP_SMALL_LOOP
	for (int side = 0; side < 2; side++)
		wp_take_shapes(&s[side].shape, n->body[side], n->shape[side]);
	const vm shapes = wp_are_below(n->shape, t->shape_count, t->shape_count);
	if (!wp_fill_lanes(n->shape, shapes))
		return false;
	for (int side = 0; side < 2 && t->serial.data != NULL; side++)
		wp_take_numbers(&t->serial, n->shape[side], n->serial[side]);
	n->exist = vm_and(bodies, shapes);
	return true;
}

/* Whether they are what something was kept for. */
WP_INLINE vm wp_have_names(vf4 kept, uint32_t body[2][WP_WIDTH], uint32_t known_by[2][WP_WIDTH])
{
	const vm bodies = vm_and(vi_eq(vi_load(wp_as_lanes(body[0])), vi_from_bits(kept.x)),
		vi_eq(vi_load(wp_as_lanes(body[1])), vi_from_bits(kept.y)));
	const vm shapes = vm_and(vi_eq(vi_load(wp_as_lanes(known_by[0])), vi_from_bits(kept.z)),
		vi_eq(vi_load(wp_as_lanes(known_by[1])), vi_from_bits(kept.w)));
	return vm_and(bodies, shapes);
}

/* The bodies of a side, which carry the normals that are there. Poses are mostly structs, whose address is found once. No positions
 * are read where there are ways. */
WP_NOINLINE void wp_take_pose(const wp_kept_side *side, const uint32_t *body, bool has_ways, wp_kept_pose *pose)
{
	const wp_elements rotations = {side->rotation.data, side->rotation.stride};
	const wp_elements positions = {side->position.data, side->position.stride};
	vf4 q, p = {vf_zero(), vf_zero(), vf_zero(), vf_zero()};
	if (has_ways)
		q = vf4_take_four(rotations, body);
	else
		vf4_take_both(rotations, positions, body, &q, &p);
	const vfq turn = vfq_of(q);
	const vf length2 = vfq_length2(turn), twice = vf_div(vf_set(2.0f), length2);
	pose->at = (vf3){p.x, p.y, p.z};
	pose->turn = turn;
	pose->twice = twice;
	pose->valid = vm_and(wp_is_position(pose->at), wp_is_about_unit(length2));
	pose->normal = wp_turn_by(turn, twice, pose->normal);
}

_Static_assert((int)WP_TRACKED_TOLD == (int)WP_TRACKED_NAMES + 16, "one row after the other");
_Static_assert((int)WP_KEPT_NORMAL_A == (int)WP_KEPT_NORMAL_B + 16, "one row after the other");

/* Of the pairs of a block, with their planes. False where none of them may be answered. Not inlined: what follows needs all
 * registers. */
WP_NOINLINE bool wp_kept_of(
	const wp_kept_rows *t, uint32_t at, const unsigned char *planes, wp_kept_names *names, wp_kept *s)
{
	const wp_kept_side *const a = &t->side[0], *const b = &t->side[1];
	const bool has_ways = t->way[0] != NULL;
	const uint32_t *const tracked = t->tracked + at;
	vf4 kept_names, told, normal_a, normal_b;
	if (!wp_find_names(t, at, names))
		return false;
	vf4_take_two(wp_elements_of(t->pairs, WP_TRACKED_BYTES), tracked, WP_TRACKED_NAMES, &kept_names, &told);
	const vm same = wp_have_names(kept_names, names->body, t->serial.data != NULL ? names->serial : names->shape);
	s->reach = told.x;
	s->turns_a = vf_lt(told.x, vf_zero());
	s->count = vi_and(vi_shift_right(vi_from_bits(told.w), WP_TOLD_COUNT), vi_set(UINT16_MAX));
	vf4_take_two(wp_elements_of(planes, WP_TRACKED_BYTES), tracked, WP_KEPT_NORMAL_B, &normal_b, &normal_a);
	s->a.normal = (vf3){normal_a.x, normal_a.y, normal_a.z};
	s->b.normal = (vf3){normal_b.x, normal_b.y, normal_b.z};
	s->a.beside = normal_a.w;
	s->b.beside = normal_b.w;
	wp_take_pose(a, names->body[0], has_ways, &s->a);
	wp_take_pose(b, names->body[1], has_ways, &s->b);
	s->way = vf3_sub(s->b.at, s->a.at);
	s->valid = vm_and(vm_and(names->exist, same), vm_and(s->a.valid, s->b.valid));
	if (has_ways) {
		s->way = vf3_load(t->way[0] + at, t->way[1] + at, t->way[2] + at);
		s->valid = vm_and(s->valid, wp_is_position(s->way));
	}
	return true;
}

/* What a bound is found from: of both bodies the kept normal as they carry it, and the number after that. */
typedef struct wp_kept_bound {
	vf3 normal[2];
	vf beside[2];
	vf3 way;
	vf reach;
	vm valid;
} wp_kept_bound;

#if WP_WIDTH == 1 || WP_WASM
#define wp_take_whole_bound(t, at, bound) false
#else
/* The bodies of a side: where they are and how they are turned. Of rows of 32 bytes two loads take all, and the shapes, too. */
WP_INLINE void wp_take_places(
	const wp_kept_side *side, const uint32_t *body, uint32_t *shape, vf4 *rotation, vf4 *position)
{
	const wp_elements positions = wp_elements_of(side->position.data, side->position.stride);
	vf4 first, last;
	if (side->row == WP_BODY_COLUMNS) {
		vf4_take_both(wp_elements_of(side->rotation.data, side->rotation.stride), positions, body, rotation, position);
		return;
	}
	vf4_take_two(positions, body, 0, &first, &last);
	*position = first;
	if (side->row == WP_BODY_SHAPE_BETWEEN) {
		*rotation = last;
		vi_store((int32_t *)shape, vi_from_bits(first.w));
	} else {
		*rotation = (vf4){first.w, last.x, last.y, last.z};
		vi_store((int32_t *)shape, vi_from_bits(last.w));
	}
}

/* What the bounds of a block are found from, where all bodies and shapes exist and positions are read, as of most; else false. The bits
 * are the same either way. */
WP_INLINE bool wp_take_whole_bound(const wp_kept_rows *t, uint32_t at, wp_kept_bound *bound)
{
	const wp_kept_side *const sides = t->side;
	const wp_elements pairs = wp_elements_of(t->pairs, WP_TRACKED_BYTES);
	const uint32_t *const tracked = t->tracked + at;
	WP_VECTOR_ALIGN uint32_t body[2][WP_WIDTH], known_by[2][WP_WIDTH];
	vf3 position[2];
	vf4 names, told, normal[2];
	vf far = vf_zero(), longest = far, shortest = vf_set(WP_INFINITY);
	if (t->way[0] != NULL)
		return false;
	wp_take_bodies(&sides[0], t->row + at, body[0]);
	wp_take_bodies(&sides[1], t->row + at, body[1]);
	if (vm_bits(wp_are_below(body, sides[0].body_count, sides[1].body_count)) != WP_ALL_LANES)
		return false;
	for (int side = 0; side < 2; side++)
		if (sides[side].row == WP_BODY_COLUMNS)
			wp_take_shapes(&sides[side].shape, body[side], known_by[side]);
	vf4_take_two(pairs, tracked, WP_TRACKED_PLANE + WP_KEPT_NORMAL_B, &normal[1], &normal[0]);
	const uint32_t both = wp_opaque(2); /* a loop, for the size of the code */
	for (uint32_t side = 0; side < both; side++) {
		vf4 q, p;
		wp_take_places(&sides[side], body[side], known_by[side], &q, &p);
		const vfq turn = vfq_of(q);
		const vf length2 = vfq_length2(turn);
		const vf4 n = normal[side];
		bound->normal[side] = wp_turn_by(turn, vf_div(vf_set(2.0f), length2), (vf3){n.x, n.y, n.z});
		bound->beside[side] = n.w;
		position[side] = (vf3){p.x, p.y, p.z};
		/* NaN is lost here, but the bound is NaN then. */
		far = vf_max(far, vf_max(vf_abs(p.x), vf_max(vf_abs(p.y), vf_abs(p.z))));
		longest = vf_max(longest, length2);
		shortest = vf_min(shortest, length2);
	}
	if (vm_bits(wp_are_below(known_by, t->shape_count, t->shape_count)) != WP_ALL_LANES)
		return false;
	for (int side = 0; side < 2 && t->serial.data != NULL; side++)
		wp_take_numbers(&t->serial, known_by[side], known_by[side]);
	vf4_take_two(pairs, tracked, WP_TRACKED_NAMES, &names, &told);
	bound->way = vf3_sub(position[1], position[0]);
	bound->reach = told.x;
	bound->valid = vm_and(vm_and(vf_le(far, vf_set(WP_POSITION_MAX)), wp_have_names(names, body, known_by)),
		vm_and(vf_ge(shortest, vf_set(WP_UNIT_SQUARED_MIN)), vf_le(longest, vf_set(WP_UNIT_SQUARED_MAX))));
	return true;
}
#endif

/* What rounding may have done to a bound. `size` is of both shapes. */
WP_INLINE vf wp_slack_of(vf3 way, vf size)
{
	const vf extent = vf_add(vf_add(vf_abs(way.x), vf_abs(way.y)), vf_abs(way.z));
	return vf_mul(vf_set(WP_KEPT_SLACK), vf_add(extent, size));
}

/* What the plane proves, and along which normal. */
WP_INLINE vf wp_lower_of(const wp_kept_bound *b, vf slack, vf3 *axis)
{
	*axis = vf3_select(vf_lt(b->reach, vf_zero()), b->normal[1], b->normal[0]);
	const vf leans = vf_mul(vf_abs(b->reach), vf3_length(vf3_sub(b->normal[0], b->normal[1])));
	return vf_sub(vf_sub(vf_add(b->beside[1], vf3_dot(*axis, b->way)), leans), slack);
}
WP_INLINE wp_kept_bound wp_bound_of(const wp_kept *s)
{
	return (wp_kept_bound){{s->a.normal, s->b.normal}, {s->a.beside, s->b.beside}, s->way, s->reach, s->valid};
}
WP_INLINE vf wp_kept_lower(const wp_kept *s, vf slack, vf3 *axis)
{
	const wp_kept_bound b = wp_bound_of(s);
	return wp_lower_of(&b, slack, axis);
}

/* The event of pairs that are known, and how many points they have, as a word. */
WP_INLINE vi wp_word_of(int32_t event, vi count)
{
	return vi_or(vi_set((int32_t)((uint32_t)event << WP_TOLD_EVENT)), vi_shift_left(count, WP_TOLD_COUNT));
}

WP_INLINE void wp_find_elements(wp_elements e, const uint32_t *at, unsigned char *to[WP_WIDTH])
{
	for (int lane = 0; lane < WP_WIDTH; lane++)
		to[lane] = (unsigned char *)wp_element(e, at[lane]);
}

/* The same of the lanes in `where`, which are some; the others write to `unused`. One after the other: compilers would load as a
 * vector what was just stored lane by lane, and wait for that. */
WP_INLINE void wp_find_some(
	wp_elements e, const uint32_t *at, vm where, unsigned char *unused, unsigned char *to[WP_WIDTH])
{
	for (int lane = 0; lane < WP_WIDTH; lane++) {
		unsigned char *const there = (unsigned char *)wp_element(e, at[lane]);
		const uint32_t bits = WP_WIDTH > 1 ? wp_opaque(vm_bits(where)) : 1;
		to[lane] = (bits >> lane & 1) != 0 ? there : unused;
	}
}

/* Write a row, so many bytes on, of the elements of an array that are in `where`, which are some. */
WP_KEPT_FORM void wp_put_row(unsigned char *base, const uint32_t *tracked, vm where, int offset, vf4 row)
{
	unsigned char unused[WP_TRACKED_BYTES], *place[WP_WIDTH];
	const wp_elements elements = wp_elements_of(base, WP_TRACKED_BYTES);
	if (vm_bits(where) == WP_ALL_LANES)
		wp_find_elements(elements, tracked, place);
	else
		wp_find_some(elements, tracked, where, unused, place);
	vf4_put(place, offset, row);
}

/* Renew what is told of the pairs in `known`, which are some. */
WP_INLINE void wp_put_told(const wp_kept_rows *t, uint32_t at, vm known, vf4 told)
{
	wp_put_row(t->pairs, t->tracked + at, known, WP_TRACKED_TOLD, told);
}

/* The same of pairs that are apart, which mostly are all of a block. */
#if WP_WIDTH == 1 || WP_WASM
#define wp_put_apart wp_put_told
#else
WP_INLINE void wp_put_apart(const wp_kept_rows *t, uint32_t at, vm apart, vf4 told)
{
	const wp_elements pairs = wp_elements_of(t->pairs, WP_TRACKED_BYTES);
	const uint32_t *const tracked = t->tracked + at;
	WP_VECTOR_ALIGN float rows[4 * WP_WIDTH];
	uint32_t bits = vm_bits(apart);
	if (bits == WP_ALL_LANES) {
		vf4_give(pairs, tracked, WP_TRACKED_TOLD, told);
		return;
	}
	vf4_store(rows, 1, told);
	for (; bits != 0; bits &= bits - 1) {
		const uint32_t lane = wp_lowest_bit(bits);
		unsigned char *const to = (unsigned char *)wp_element(pairs, tracked[lane]) + WP_TRACKED_TOLD;
		wp_copy_bytes(to, rows + (size_t)4 * lane, 4 * sizeof *rows);
	}
}
#endif

/* What is told of a block of pairs, where it is requested. */
WP_KEPT_FORM void wp_put_known(float *known, vf4 told, vf3 n)
{
	vf4_store(known, WP_KNOWN_OUTPUT_COUNT / 4, told);
	vf4_store(known + WP_KNOWN_NORMAL, WP_KNOWN_OUTPUT_COUNT / 4, (vf4){n.x, n.y, n.z, vf_zero()});
}

/* What bounds are found from, of any block. False where none of its pairs may be answered. */
WP_RARE_FORM bool wp_take_any_bound(const wp_kept_rows *t, uint32_t at, wp_kept_bound *bound)
{
	wp_kept_names names;
	wp_kept s;
	if (!wp_kept_of(t, at, t->pairs + WP_TRACKED_PLANE, &names, &s))
		return false;
	*bound = wp_bound_of(&s);
	return true;
}

/* Bound a block of pairs. Returns those that are proven far enough apart. */
WP_INLINE uint32_t wp_bound_block(const wp_kept_rows *t, uint32_t at, float *known)
{
	wp_kept_bound b;
	vf3 axis;
	if (!wp_take_whole_bound(t, at, &b)) {
		wp_kept_bound any;
		if (!wp_take_any_bound(t, at, &any))
			return 0;
		b = any;
	}
	const vf lower = wp_lower_of(&b, wp_slack_of(b.way, b.beside[0]), &axis);
	const vm apart = vm_and(b.valid, vf_gt(lower, vf_set(t->limits.max_separation)));
	const vf status = vf_from_bits(vi_set(WP_JOB_SEPARATED | WP_JOB_PROVEN_BEYOND));
	if (vm_any(apart))
		wp_put_apart(t, at, apart, (vf4){b.reach, lower, status, vf_from_bits(wp_word_of(WP_JOB_KEPT, vi_zero()))});
	if (known != NULL)
		wp_put_known(known, (vf4){lower, lower, vf_set(WP_INFINITY), status},
			vf3_scale(axis, wp_inverse_near_one(vf3_dot(axis, axis))));
	return vm_bits(apart);
}

/* Bound all pairs. */
WP_INLINE uint64_t wp_kept_run(const wp_kept_rows *t, uint32_t count, float *known)
{
	uint64_t apart = 0;
	for (uint32_t at = 0; at < count; at += WP_WIDTH)
		apart |= (uint64_t)wp_bound_block(t, at, known == NULL ? NULL : known + WP_KNOWN_OUTPUT_COUNT * at) << at;
	return apart;
}

#define WP_KEPT_POLYTOPE_TABLE WP_JOIN(wp_kept_polytope_kernels_, WP_VARIANT)

extern const wp_kept_polytope_table WP_KEPT_POLYTOPE_TABLE; /* kept_polytopes.c */

#endif
