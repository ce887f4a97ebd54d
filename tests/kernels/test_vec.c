/* Every operation of wide/lane/vec.h and vecd.h against plain C, lane by lane. */
#include "support/lane_types.h"
#include "wide/lane/checksum.h"
#include "wide/lane/vecd.h"

#include <float.h>
#include <math.h>

static const float edges[] = {0.0f, -0.0f, 0x1p-149f, -0x1p-149f, 0x1.8p-130f, FLT_MIN, -FLT_MIN, 0x1.fffffep-127f,
	1.0f, -1.0f, 0x1.000002p0f, 0x1.fffffep-1f, -0x1.fffffep-1f, 2.0f, 3.0f, -7.0f, 0.1f, 16777216.0f, 16777215.0f,
	1e-30f, 1e30f, -1e30f, FLT_MAX, -FLT_MAX, INFINITY, -INFINITY, NAN, -NAN};
#define EDGES ((int)WP_COUNT_OF(edges))

static const int32_t integers[] = {0, 1, -1, 2, 7, 0xffff, 0x10000, 0x55555555, -0x55555556, INT32_MAX, INT32_MIN,
	INT32_MIN + 1, 0x7f800000, 123456789};
#define INTEGERS ((int)WP_COUNT_OF(integers))

/* Over all first and step, every lane sees every pair of edges[first + ...]. */
static lane_floats edges_from(int first)
{
	lane_floats r;
	for (int i = 0; i < WP_WIDTH; i++)
		r.at[i] = edges[(first + i) % EDGES];
	return r;
}

static lane_integers integers_from(int first)
{
	lane_integers r;
	for (int i = 0; i < WP_WIDTH; i++)
		r.at[i] = integers[(first + i) % INTEGERS];
	return r;
}

static bool lane_of(vm m, int lane) { return vm_bits(m) >> lane & 1u; }

static bool same_bits(float a, float b) { return wp_float_bits(a) == wp_float_bits(b); }

/* Arithmetic does not promise which NaN it makes. */
static bool same_number(float a, float b) { return same_bits(a, b) || (isnan(a) && isnan(b)); }

static float with_bits(uint32_t bits)
{
	float r;
	memcpy(&r, &bits, sizeof r);
	return r;
}

static float plain_add(float a, float b) { return a + b; }
static float plain_sub(float a, float b) { return a - b; }
static float plain_mul(float a, float b) { return a * b; }
static float plain_div(float a, float b) { return a / b; }
static float plain_min(float a, float b) { return a < b ? a : b; }
static float plain_max(float a, float b) { return a > b ? a : b; }
static float plain_flip(float a, float b) { return with_bits(wp_float_bits(a) ^ (wp_float_bits(b) & 0x80000000u)); }

VARIANT_TEST(vec, float_operations)
{
	static const struct {
		const char *name;
		vf (*wide)(vf, vf);
		float (*plain)(float, float);
		bool exact; /* moves bits, so NaNs keep theirs */
	} operations[] = {{"add", vf_add, plain_add, false}, {"sub", vf_sub, plain_sub, false},
		{"mul", vf_mul, plain_mul, false}, {"div", vf_div, plain_div, false}, {"min", vf_min, plain_min, true},
		{"max", vf_max, plain_max, true}, {"flip_sign", vf_flip_sign, plain_flip, true}};
	for (size_t k = 0; k < WP_COUNT_OF(operations); k++) {
		for (int i = 0; i < EDGES * EDGES; i++) {
			const lane_floats a = edges_from(i % EDGES), b = edges_from(i / EDGES);
			const lane_floats r = floats_of(operations[k].wide(vf_load(a.at), vf_load(b.at)));
			for (int lane = 0; lane < WP_WIDTH; lane++) {
				const float plain = operations[k].plain(a.at[lane], b.at[lane]);
				CHECK(operations[k].exact ? same_bits(r.at[lane], plain) : same_number(r.at[lane], plain),
					"%s(%a, %a): %a, not %a", operations[k].name, (double)a.at[lane], (double)b.at[lane],
					(double)r.at[lane], (double)plain);
			}
		}
	}
}

VARIANT_TEST(vec, float_comparisons)
{
	for (int i = 0; i < EDGES * EDGES; i++) {
		const lane_floats a = edges_from(i % EDGES), b = edges_from(i / EDGES);
		const vf va = vf_load(a.at), vb = vf_load(b.at);
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			const float x = a.at[lane], y = b.at[lane];
			CHECK(lane_of(vf_lt(va, vb), lane) == (x < y), "%a < %a", (double)x, (double)y);
			CHECK(lane_of(vf_le(va, vb), lane) == (x <= y), "%a <= %a", (double)x, (double)y);
			CHECK(lane_of(vf_gt(va, vb), lane) == (x > y), "%a > %a", (double)x, (double)y);
			CHECK(lane_of(vf_ge(va, vb), lane) == (x >= y), "%a >= %a", (double)x, (double)y);
			CHECK(lane_of(vf_not_gt(va, vb), lane) == !(x > y), "not %a > %a", (double)x, (double)y);
		}
	}
}

VARIANT_TEST(vec, float_unary_operations)
{
	for (int i = 0; i < EDGES; i++) {
		const lane_floats a = edges_from(i);
		const vf v = vf_load(a.at);
		const lane_floats root = floats_of(vf_sqrt(v)), negative = floats_of(vf_neg(v)), size = floats_of(vf_abs(v));
		const lane_floats copy = floats_of(v), set = floats_of(vf_set(edges[i]));
		const lane_integers bits = integers_of(vi_from_bits(v));
		const lane_floats back = floats_of(vf_from_bits(vi_from_bits(v)));
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			const float x = a.at[lane];
			const uint32_t b = wp_float_bits(x);
			CHECK(same_number(root.at[lane], (float)sqrt((double)x)), "sqrt(%a)", (double)x);
			CHECK(wp_float_bits(negative.at[lane]) == (b ^ 0x80000000u), "-(%a)", (double)x);
			CHECK(wp_float_bits(size.at[lane]) == (b & 0x7fffffffu), "|%a|", (double)x);
			CHECK(same_bits(copy.at[lane], x) && same_bits(back.at[lane], x), "copy of %a", (double)x);
			CHECK((uint32_t)bits.at[lane] == b, "bits of %a", (double)x);
			CHECK(same_bits(set.at[lane], edges[i]), "set of %a", (double)edges[i]);
		}
	}
	for (int lane = 0; lane < WP_WIDTH; lane++)
		cr_assert(same_bits(floats_of(vf_zero()).at[lane], 0.0f));
}

VARIANT_TEST(vec, with_sign)
{
	for (int i = 0; i < EDGES * EDGES; i++) {
		lane_floats a = edges_from(i % EDGES);
		const lane_floats sign = edges_from(i / EDGES);
		for (int lane = 0; lane < WP_WIDTH; lane++)
			a.at[lane] = with_bits(wp_float_bits(a.at[lane]) & 0x7fffffffu);
		const lane_floats r = floats_of(vf_with_sign(vf_load(a.at), vf_load(sign.at)));
		for (int lane = 0; lane < WP_WIDTH; lane++)
			CHECK(same_bits(r.at[lane], signbit(sign.at[lane]) ? -a.at[lane] : a.at[lane]), "%a with sign of %a",
				(double)a.at[lane], (double)sign.at[lane]);
	}
}

VARIANT_TEST(vec, integer_operations)
{
	for (int i = 0; i < INTEGERS * INTEGERS; i++) {
		const lane_integers a = integers_from(i % INTEGERS), b = integers_from(i / INTEGERS);
		const vi va = vi_load(a.at), vb = vi_load(b.at);
		const lane_integers sum = integers_of(vi_add(va, vb)), difference = integers_of(vi_sub(va, vb));
		const lane_integers both = integers_of(vi_and(va, vb)), any = integers_of(vi_or(va, vb));
		const lane_integers one = integers_of(vi_xor(va, vb));
		const vm equal = vi_eq(va, vb), greater = vi_gt(va, vb);
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			const int32_t x = a.at[lane], y = b.at[lane];
			CHECK((uint32_t)sum.at[lane] == (uint32_t)x + (uint32_t)y, "%d + %d", x, y);
			CHECK((uint32_t)difference.at[lane] == (uint32_t)x - (uint32_t)y, "%d - %d", x, y);
			CHECK(both.at[lane] == (x & y), "%d & %d", x, y);
			CHECK(any.at[lane] == (x | y), "%d | %d", x, y);
			CHECK(one.at[lane] == (x ^ y), "%d ^ %d", x, y);
			CHECK(lane_of(equal, lane) == (x == y), "%d == %d", x, y);
			CHECK(lane_of(greater, lane) == (x > y), "%d > %d", x, y);
		}
	}
}

VARIANT_TEST(vec, integer_shifts)
{
	for (int i = 0; i < INTEGERS; i++) {
		const lane_integers a = integers_from(i);
		for (int n = 0; n < 32; n++) {
			const lane_integers left = integers_of(vi_shift_left(vi_load(a.at), n));
			const lane_integers right = integers_of(vi_shift_right(vi_load(a.at), n));
			for (int lane = 0; lane < WP_WIDTH; lane++) {
				CHECK((uint32_t)left.at[lane] == (uint32_t)a.at[lane] << n, "%d << %d", a.at[lane], n);
				CHECK((uint32_t)right.at[lane] == (uint32_t)a.at[lane] >> n, "%d >> %d", a.at[lane], n);
			}
		}
	}
}

VARIANT_TEST(vec, integer_constants)
{
	const lane_integers lanes = integers_of(vi_lanes()), zero = integers_of(vi_zero());
	for (int lane = 0; lane < WP_WIDTH; lane++) {
		cr_assert_eq(lanes.at[lane], lane);
		cr_assert_eq(zero.at[lane], 0);
		for (int i = 0; i < INTEGERS; i++)
			cr_assert_eq(integers_of(vi_set(integers[i])).at[lane], integers[i]);
	}
}

VARIANT_TEST(vec, selection_by_every_mask)
{
	const lane_floats a = edges_from(0), b = edges_from(EDGES - 5);
	const lane_integers i = integers_from(0), j = integers_from(5);
	for (uint32_t bits = 0; bits <= WP_ALL_LANES; bits++) {
		const vm mask = vm_from_bits(bits);
		CHECK(vm_bits(mask) == bits, "mask %x", bits);
		CHECK(vm_any(mask) == (bits != 0), "any of %x", bits);
		const lane_floats f = floats_of(vf_select(mask, vf_load(a.at), vf_load(b.at)));
		const lane_integers k = integers_of(vi_select(mask, vi_load(i.at), vi_load(j.at)));
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			const bool first = bits >> lane & 1u;
			CHECK(same_bits(f.at[lane], first ? a.at[lane] : b.at[lane]), "lane %d of mask %x", lane, bits);
			CHECK(k.at[lane] == (first ? i.at[lane] : j.at[lane]), "lane %d of mask %x", lane, bits);
		}
	}
}

VARIANT_TEST(vec, mask_operations)
{
	cr_assert_eq(WP_ALL_LANES, WP_WIDTH == 1 ? 1u : WP_WIDTH == 4 ? 0xfu : WP_WIDTH == 8 ? 0xffu : 0xffffu);
	cr_assert_eq(vm_bits(vm_false()), 0);
	cr_assert_eq(vm_bits(vm_all()), WP_ALL_LANES);
	uint64_t seed = 1;
	for (int i = 0; i < 100000; i++) {
		const uint32_t a = random_below(&seed, WP_ALL_LANES + 1), b = random_below(&seed, WP_ALL_LANES + 1);
		const vm ma = vm_from_bits(a), mb = vm_from_bits(b);
		CHECK(vm_bits(vm_and(ma, mb)) == (a & b), "%x and %x", a, b);
		CHECK(vm_bits(vm_or(ma, mb)) == (a | b), "%x or %x", a, b);
		CHECK(vm_bits(vm_xor(ma, mb)) == (a ^ b), "%x xor %x", a, b);
		CHECK(vm_bits(vm_andnot(ma, mb)) == (a & ~b), "%x and not %x", a, b);
		CHECK(vm_bits(vm_not(ma)) == (~a & WP_ALL_LANES), "not %x", a);
	}
}

VARIANT_TEST(vec, bits_of_lane_masks)
{
	for (uint32_t bits = 0; bits < 0x10000u; bits++) {
		uint32_t count = 0, lowest = 16;
		for (uint32_t i = 16; i-- > 0;) {
			count += bits >> i & 1u;
			lowest = bits >> i & 1u ? i : lowest;
		}
		CHECK(wp_count_bits(bits) == count, "bits of %x", bits);
		CHECK(bits == 0 || wp_lowest_bit(bits) == lowest, "lowest bit of %x", bits);
	}
}

VARIANT_TEST(vec, gathers)
{
	static float floats[1000];
	static int32_t numbers[1000];
	uint64_t seed = 2;
	for (int i = 0; i < 1000; i++) {
		floats[i] = i < EDGES ? edges[i] : (float)random_between(&seed, -1, 1);
		numbers[i] = (int32_t)(next_random(&seed) >> 32);
	}
	for (int round = 0; round < 10000; round++) {
		/* Few and many different indices, the first and the last element among them. */
		const uint32_t range = round % 2 ? 1000 : 1 + random_below(&seed, 3);
		lane_integers index;
		for (int lane = 0; lane < WP_WIDTH; lane++)
			index.at[lane] = (int32_t)(round % 3 ? random_below(&seed, range) : 999 - random_below(&seed, range));
		const lane_floats f = floats_of(vf_gather(floats, vi_load(index.at)));
		const lane_integers k = integers_of(vi_gather(numbers, vi_load(index.at)));
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			CHECK(same_bits(f.at[lane], floats[index.at[lane]]), "floats[%d]", index.at[lane]);
			CHECK(k.at[lane] == numbers[index.at[lane]], "numbers[%d]", index.at[lane]);
		}
	}
}

VARIANT_TEST(vec, values_of_other_lanes)
{
	uint64_t seed = 6;
	for (int round = 0; round < 10000; round++) {
		lane_floats a;
		uint64_t bytes[(WP_WIDTH + 7) / 8] = {0};
		uint32_t from[WP_WIDTH];
		for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
			a.at[lane] = edges[random_below(&seed, (uint32_t)EDGES)];
			from[lane] = random_below(&seed, WP_WIDTH);
			bytes[lane / 8] |= (uint64_t)from[lane] << lane % 8 * 8;
		}
		const vi index = vi_from_bytes(bytes);
		const lane_integers i = integers_of(index);
		const lane_floats picked = floats_of(vf_pick(vf_load(a.at), index));
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			CHECK(i.at[lane] == (int32_t)from[lane], "byte %d is %d, not %u", lane, i.at[lane], from[lane]);
			CHECK(same_bits(picked.at[lane], a.at[from[lane]]), "lane %d from %u", lane, from[lane]);
		}
	}
}

VARIANT_TEST(vec, bytes_of_lanes)
{
	for (uint32_t value = 0; value < 256; value++) {
		uint64_t bytes[(WP_WIDTH + 7) / 8];
		for (size_t i = 0; i < WP_COUNT_OF(bytes); i++)
			bytes[i] = value * 0x0101010101010101u;
		const lane_integers i = integers_of(vi_from_bytes(bytes));
		for (int lane = 0; lane < WP_WIDTH; lane++)
			CHECK(i.at[lane] == (int32_t)value, "%d, not %u", i.at[lane], value);
	}
}

#if WP_WIDTH > 1
VARIANT_TEST(vec, tops_of_rows)
{
	static const float values[] = {0.0f, -0.0f, 1.0f, -1.0f, 0x1p-149f, -INFINITY, INFINITY, FLT_MAX};
	static WP_VECTOR_ALIGN float rows[WP_WIDTH][WP_WIDTH];
	uint64_t seed = 3;
	for (int round = 0; round < 20000; round++) {
		const uint32_t range = 1 + random_below(&seed, (uint32_t)WP_COUNT_OF(values));
		float top[WP_WIDTH];
		for (int row = 0; row < WP_WIDTH; row++) {
			top[row] = -INFINITY;
			for (int i = 0; i < WP_WIDTH; i++) {
				rows[row][i] = round % 2 ? values[random_below(&seed, range)] : (float)random_between(&seed, -1, 1);
				top[row] = rows[row][i] > top[row] ? rows[row][i] : top[row];
			}
		}
		const lane_floats found = floats_of(vf_tops(rows[0]));
		for (int row = 0; row < WP_WIDTH; row++)
			CHECK(found.at[row] == top[row], "%a of row %d, not %a", (double)found.at[row], row, (double)top[row]);
	}
}
#endif

VARIANT_TEST(vec, top_of_integers)
{
	for (int top = 0; top < WP_WIDTH; top++) {
		lane_integers number;
		for (int lane = 0; lane < WP_WIDTH; lane++)
			number.at[lane] = lane == top ? -3 : -4 - lane;
		cr_assert_eq(vi_top(vi_load(number.at)), -3);
	}
}

VARIANT_TEST(vec, lowest_bits)
{
	uint64_t seed = 4;
	for (int round = 0; round < 100000; round++) {
		lane_integers a;
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			const uint32_t bits = (uint32_t)next_random(&seed) << random_below(&seed, 32);
			a.at[lane] = (int32_t)(bits != 0 ? bits : 0x80000000u);
		}
		const lane_integers found = integers_of(vi_lowest_bit(vi_load(a.at)));
		for (int lane = 0; lane < WP_WIDTH; lane++)
			CHECK(found.at[lane] == __builtin_ctz((uint32_t)a.at[lane]), "lowest bit of %x", (uint32_t)a.at[lane]);
	}
}

VARIANT_TEST(vec, scatters_and_rows_of_four)
{
	enum { SLOTS = 40 };
	static _Alignas(64) float quads[4 * SLOTS * WP_WIDTH], floats[SLOTS * WP_WIDTH];
	static _Alignas(64) int32_t numbers[SLOTS * WP_WIDTH];
	uint64_t seed = 5;
	for (int round = 0; round < 2000; round++) {
		lane_integers slot, number;
		lane_floats v[4];
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			slot.at[lane] = (int32_t)random_below(&seed, SLOTS);
			number.at[lane] = (int32_t)next_random(&seed);
			for (int k = 0; k < 4; k++)
				v[k].at[lane] = (float)random_between(&seed, -1, 1);
		}
		const vi at = vi_element(vi_load(slot.at));
		vf_scatter(floats, at, vf_load(v[0].at));
		vi_scatter(numbers, at, vi_load(number.at));
		vf4_scatter(quads, at, (vf4){vf_load(v[0].at), vf_load(v[1].at), vf_load(v[2].at), vf_load(v[3].at)});
		const vf4 back = vf4_gather(quads, at);
		const lane_floats b[4] = {floats_of(back.x), floats_of(back.y), floats_of(back.z), floats_of(back.w)};
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			const int32_t i = slot.at[lane] * WP_WIDTH + lane;
			CHECK(same_bits(floats[i], v[0].at[lane]) && numbers[i] == number.at[lane], "element %d", i);
			for (int k = 0; k < 4; k++)
				CHECK(same_bits(quads[4 * i + k], v[k].at[lane]) && same_bits(b[k].at[lane], v[k].at[lane]), "quad %d",
					i);
		}
	}
}

/* A row written as a whole is read value by value, and the other way round, whatever order it has in memory. */
VARIANT_TEST(vec, rows_of_four_of_each_lane)
{
	enum { ROWS = 9 };
	static _Alignas(64) float rows[4 * ROWS * WP_WIDTH];
	uint64_t seed = 6;
	for (int round = 0; round < 500; round++) {
		const int32_t first = (int32_t)random_below(&seed, ROWS);
		lane_floats v[4];
		lane_integers row;
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			row.at[lane] = (int32_t)random_below(&seed, ROWS);
			for (int k = 0; k < 4; k++)
				v[k].at[lane] = (float)random_between(&seed, -1, 1);
		}
		const vf4 value = {vf_load(v[0].at), vf_load(v[1].at), vf_load(v[2].at), vf_load(v[3].at)};
		vf4_row_store(rows, first, value);
		const vf4 scattered = vf4_row_gather(rows, vi_set(first), vi_lanes());
		vf4_row_scatter(rows, vi_load(row.at), vi_lanes(), value);
		const lane_floats s[4] = {
			floats_of(scattered.x), floats_of(scattered.y), floats_of(scattered.z), floats_of(scattered.w)};
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			const vf4 loaded = vf4_row_load(rows, row.at[lane]);
			const lane_floats l[4] = {
				floats_of(loaded.x), floats_of(loaded.y), floats_of(loaded.z), floats_of(loaded.w)};
			for (int k = 0; k < 4; k++)
				CHECK(same_bits(s[k].at[lane], v[k].at[lane]) && same_bits(l[k].at[lane], v[k].at[lane]),
					"lane %d value %d", lane, k);
		}
	}
}

VARIANT_TEST(vec, minimum_and_maximum_take_the_second_of_equals)
{
	for (int i = 0; i < EDGES; i++) {
		for (int k = 0; k < EDGES; k++) {
			const float a = edges[i], b = edges[k];
			const lane_floats low = floats_of(vf_min(vf_set(a), vf_set(b))),
							  high = floats_of(vf_max(vf_set(a), vf_set(b)));
			CHECK(same_bits(low.at[WP_WIDTH - 1], a < b ? a : b), "smaller of %a and %a", (double)a, (double)b);
			CHECK(same_bits(high.at[WP_WIDTH - 1], a > b ? a : b), "larger of %a and %a", (double)a, (double)b);
		}
	}
}

/* ---- doubles ------------------------------------------------------------------------------------ */

static const double double_edges[] = {0.0, -0.0, 0x1p-1074, -0x1p-1074, DBL_MIN, -0x1.fffffffffffffp-1023, 1.0, -1.0,
	0x1.0000000000001p0, 0x1.000001p0, -0x1.000001p0, 0x1.0000010000001p0, 0x1p-150, 3.0, -7.0, 0.1, 1e30, -1e300,
	DBL_MAX, -DBL_MAX, (double)INFINITY, -(double)INFINITY, (double)NAN};
#define DOUBLE_EDGES ((int)WP_COUNT_OF(double_edges))

typedef struct lane_doubles {
	WP_VECTOR_ALIGN_D double at[WP_WIDTH_D];
} lane_doubles;

static lane_doubles doubles_from(int first)
{
	lane_doubles r;
	for (int i = 0; i < WP_WIDTH_D; i++)
		r.at[i] = double_edges[(first + i) % DOUBLE_EDGES];
	return r;
}

static lane_doubles doubles_of(vd v)
{
	lane_doubles r;
	vd_store(r.at, v);
	return r;
}

static bool same_doubles(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

static bool lane_of_doubles(vdm m, int lane) { return vdm_bits(m) >> lane & 1u; }

static void check_doubles(const char *name, vd found, const double *expected)
{
	const lane_doubles r = doubles_of(found);
	for (int lane = 0; lane < WP_WIDTH_D; lane++)
		CHECK(same_doubles(r.at[lane], expected[lane]), "%s: %a, not %a", name, r.at[lane], expected[lane]);
}

VARIANT_TEST(vec, double_operations)
{
	for (int i = 0; i < DOUBLE_EDGES * DOUBLE_EDGES; i++) {
		const lane_doubles a = doubles_from(i % DOUBLE_EDGES), b = doubles_from(i / DOUBLE_EDGES);
		const vd va = vd_load(a.at), vb = vd_load(b.at);
		const vdm lt = vd_lt(va, vb), le = vd_le(va, vb), gt = vd_gt(va, vb), ge = vd_ge(va, vb);
		double plain[11][WP_WIDTH_D];
		for (int lane = 0; lane < WP_WIDTH_D; lane++) {
			const double x = a.at[lane], y = b.at[lane];
			const double each[11] = {x + y, x - y, x * y, x / y, x < y ? x : y, x > y ? x : y, copysign(fabs(x), y),
				x < y ? x : y, x < y ? x : 0.0, x < y ? 0.0 : x, (double)(float)x};
			for (int k = 0; k < 11; k++)
				plain[k][lane] = each[k];
			CHECK(lane_of_doubles(lt, lane) == (x < y) && lane_of_doubles(le, lane) == (x <= y), "%a < %a", x, y);
			CHECK(lane_of_doubles(gt, lane) == (x > y) && lane_of_doubles(ge, lane) == (x >= y), "%a > %a", x, y);
			CHECK(lane_of_doubles(vdm_and(le, ge), lane) == (x == y), "%a == %a", x, y);
			CHECK(lane_of_doubles(vdm_or(lt, gt), lane) == (x < y || x > y), "%a, %a", x, y);
			CHECK(lane_of_doubles(vdm_andnot(le, lt), lane) == (x <= y && !(x < y)), "%a, %a", x, y);
			CHECK(lane_of_doubles(vdm_not(lt), lane) == !(x < y), "not %a < %a", x, y);
		}
		check_doubles("add", vd_add(va, vb), plain[0]);
		check_doubles("sub", vd_sub(va, vb), plain[1]);
		check_doubles("mul", vd_mul(va, vb), plain[2]);
		check_doubles("div", vd_div(va, vb), plain[3]);
		check_doubles("min", vd_min(va, vb), plain[4]);
		check_doubles("max", vd_max(va, vb), plain[5]);
		check_doubles("with_sign", vd_with_sign(vd_abs(va), vb), plain[6]);
		check_doubles("select", vd_select(lt, va, vb), plain[7]);
		check_doubles("where", vd_where(lt, va), plain[8]);
		check_doubles("except", vd_except(lt, va), plain[9]);
		check_doubles("as_float", vd_as_float(va), plain[10]);
	}
}

VARIANT_TEST(vec, double_unary_operations)
{
	for (int i = 0; i < DOUBLE_EDGES; i++) {
		const lane_doubles a = doubles_from(i);
		double root[WP_WIDTH_D], negative[WP_WIDTH_D], size[WP_WIDTH_D], set[WP_WIDTH_D];
		for (int lane = 0; lane < WP_WIDTH_D; lane++) {
			root[lane] = sqrt(a.at[lane]);
			negative[lane] = -a.at[lane];
			size[lane] = fabs(a.at[lane]);
			set[lane] = double_edges[i];
		}
		check_doubles("sqrt", vd_sqrt(vd_load(a.at)), root);
		check_doubles("neg", vd_neg(vd_load(a.at)), negative);
		check_doubles("abs", vd_abs(vd_load(a.at)), size);
		check_doubles("set", vd_set(double_edges[i]), set);
	}
}

/* Halves of a vector of floats: doubles of them, floats of doubles, and masks. */
VARIANT_TEST(vec, halves_of_doubles)
{
	for (int i = 0; i < EDGES; i++) {
		const lane_floats from = edges_from(i);
		vd half[WP_HALVES];
		vdm low[WP_HALVES];
		for (int k = 0; k < WP_HALVES; k++) {
			half[k] = vd_from_floats(from.at + k * WP_WIDTH_D);
			low[k] = vd_lt(half[k], vd_zero());
		}
		const lane_floats back = floats_of(vf_from_doubles(half));
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			const float x = from.at[lane];
			const lane_doubles wide = doubles_of(half[lane / WP_WIDTH_D]);
			CHECK(same_doubles(wide.at[lane % WP_WIDTH_D], (double)x), "%a", (double)x);
			CHECK(same_number(back.at[lane], x), "%a, not %a", (double)back.at[lane], (double)x);
			CHECK(lane_of(vm_from_halves(low), lane) == (x < 0.0f), "%a < 0", (double)x);
		}
	}
}

VARIANT_TEST(vec, checksum_is_that_of_hulls)
{
	static _Alignas(64) uint32_t words[16 * WP_LINE_WORDS];
	wp_find_checksum *const find = WP_CHECKSUM_OF_EIGHT;
	uint32_t word = 1;
	for (int round = 0; find != NULL && round < 100; round++) {
		for (size_t i = 0; i < WP_COUNT_OF(words); i++)
			words[i] = word = wp_hash_step(word, (uint32_t)integers[i % INTEGERS]);
		const size_t lines = (size_t)round % 16 + 1, skipped = (size_t)round % 8;
		const uint32_t found = find(words, 64 * lines, skipped), expected = wp_checksum(words, 64 * lines, skipped);
		CHECK(found == expected, "%zu lines without word %zu: %x, not %x", lines, skipped, found, expected);
		words[skipped] = ~words[skipped];
		CHECK(find(words, 64 * lines, skipped) == expected, "word %zu counts", skipped);
	}
}
