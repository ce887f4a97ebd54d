/* Whether the compiler left arithmetic as it is written. Clang has flags that change it, such as
 * -funsafe-math-optimizations, and no macro that names them; -ffp-contract=fast overrides the pragma of the drop-in. */
#ifndef WP_WIDE_LANE_EXACT_H
#define WP_WIDE_LANE_EXACT_H

#include "wide/lane/vec.h"

/* A number that no compiler knows beforehand. Not by a volatile variable: emscripten 3.1.6 mixes up several of them that
 * are read into lanes. */
WP_INLINE vf wp_hidden(float value) { return vf_from_bits(vi_set((int32_t)wp_opaque(wp_float_bits(value)))); }

WP_INLINE bool wp_has_bits(vf a, float expected)
{
	return vm_bits(vi_eq(vi_from_bits(a), vi_set((int32_t)wp_float_bits(expected)))) == WP_ALL_LANES;
}

/* Needs rounding to nearest. Each check fails where a sum may be reordered; a product fused with a sum; a zero lose its
 * sign; a quotient by a constant, or several by one number, become products; a root be refined from an estimate. */
static bool wp_is_exact(void)
{
	const vf one = wp_hidden(1.0f), grain = wp_hidden(0x1p-24f);
	/* A product that two results share is not fused. */
	const vf side = wp_hidden(0x1.001p0f), other_side = wp_hidden(0x1.001p0f);
	const vf five = wp_hidden(5.0f), seven = wp_hidden(7.0f), divisor = wp_hidden(49.0f);
	const bool sums = wp_has_bits(vf_sub(vf_add(one, grain), one), 0.0f);
	const bool products = wp_has_bits(vf_sub(vf_mul(side, side), wp_hidden(0x1.002p0f)), 0.0f) &&
	                      wp_has_bits(vf_add(vf_mul(other_side, other_side), wp_hidden(-0x1.002p0f)), 0.0f);
	const bool zeros = wp_has_bits(vf_add(wp_hidden(-0.0f), vf_zero()), 0.0f);
	const bool quotients = wp_has_bits(vf_div(five, vf_set(3.0f)), 0x1.aaaaaap0f) &&
	                       wp_has_bits(vf_div(five, divisor), 0x1.a1f58ep-4f) &&
	                       wp_has_bits(vf_div(seven, divisor), 0x1.24924ap-3f) &&
	                       wp_has_bits(vf_div(one, divisor), 0x1.4e5e0ap-6f);
	const bool roots = wp_has_bits(vf_sqrt(wp_hidden(2.0f)), 0x1.6a09e6p0f) &&
	                   wp_has_bits(vf_sqrt(wp_hidden(3.0f)), 0x1.bb67aep0f) &&
	                   wp_has_bits(vf_sqrt(five), 0x1.1e377ap1f);
	return sums && products && zeros && quotients && roots;
}

#endif
