/* Each operation of the lanes in a function of its own, compiled with a variant's flags, for check_vec_ops.py
 * to read what the compiler made of it. Nothing runs it. */
#include "wide/lane/vec.h"

/* Functions op_NAME of one, two and three operands, with a result and without one. */
#define OP1(result, name, a) \
	result op_##name(a);     \
	result op_##name(a x) { return name(x); }
#define OP2(result, name, a, b) \
	result op_##name(a, b);     \
	result op_##name(a x, b y) { return name(x, y); }
#define OP3(result, name, a, b, c) \
	result op_##name(a, b, c);     \
	result op_##name(a x, b y, c z) { return name(x, y, z); }
#define PUT2(name, a, b)  \
	void op_##name(a, b); \
	void op_##name(a x, b y) { name(x, y); }
#define PUT3(name, a, b, c)  \
	void op_##name(a, b, c); \
	void op_##name(a x, b y, c z) { name(x, y, z); }

OP1(vf, vf_set, float)
OP1(vf, vf_load, const float *)
PUT2(vf_store, float *, vf)
OP2(vf, vf_add, vf, vf)
OP2(vf, vf_sub, vf, vf)
OP2(vf, vf_mul, vf, vf)
OP2(vf, vf_div, vf, vf)
OP1(vf, vf_sqrt, vf)
OP2(vf, vf_min, vf, vf)
OP2(vf, vf_max, vf, vf)
OP3(vf, vf_select, vm, vf, vf)
OP2(vm, vf_lt, vf, vf)
OP2(vm, vf_le, vf, vf)
OP2(vm, vf_gt, vf, vf)
OP2(vm, vf_ge, vf, vf)
OP1(vf, vf_neg, vf)
OP1(vf, vf_abs, vf)
OP2(vf, vf_with_sign, vf, vf)
OP2(vf, vf_flip_sign, vf, vf)
OP1(vf, vf_from_int, vi)
OP1(vf, vf_from_bits, vi)
OP1(vi, vi_from_bits, vf)

OP1(vi, vi_set, int32_t)
OP1(vi, vi_load, const int32_t *)
PUT2(vi_store, int32_t *, vi)
OP2(vi, vi_add, vi, vi)
OP2(vi, vi_sub, vi, vi)
OP2(vi, vi_and, vi, vi)
OP2(vi, vi_or, vi, vi)
OP2(vi, vi_xor, vi, vi)
OP2(vm, vi_eq, vi, vi)
OP2(vm, vi_gt, vi, vi)
OP3(vi, vi_select, vm, vi, vi)
OP2(vi, vi_max, vi, vi)
OP1(int32_t, vi_top, vi)
OP1(vi, vi_element, vi)
OP1(vi, vi_lowest_bit, vi)
OP1(vi, vi_from_bytes, const uint64_t *)
OP2(vf, vf_pick, vf, vi)

OP2(vm, vm_and, vm, vm)
OP2(vm, vm_or, vm, vm)
OP2(vm, vm_andnot, vm, vm)
OP2(vm, vm_xor, vm, vm)
OP1(vm, vm_not, vm)
OP1(uint32_t, vm_bits, vm)
OP1(vm, vm_from_bits, uint32_t)
OP1(bool, vm_any, vm)

OP2(vf, vf_gather, const float *, vi)
OP2(vi, vi_gather, const int32_t *, vi)
PUT3(vf_scatter, float *, vi, vf)
PUT3(vi_scatter, int32_t *, vi, vi)
OP2(vf4, vf4_gather, const float *, vi)
PUT3(vf4_scatter, float *, vi, vf4)
PUT2(vf_transpose_rows, const float *const *, float *)
OP1(vf, vf_tops, const float *)

/* Shifts are by constants wherever they are used. */
vi op_vi_shift_left(vi);
vi op_vi_shift_left(vi x) { return vi_shift_left(x, 2); }
vi op_vi_shift_right(vi);
vi op_vi_shift_right(vi x) { return vi_shift_right(x, 23); }
