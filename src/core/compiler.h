/* What the library refuses to be compiled by: unknown compilers, and flags that change results. What no macro tells,
 * wide/lane/exact.h finds out. */
#ifndef WP_CORE_COMPILER_H
#define WP_CORE_COMPILER_H

#include <float.h>

#if !defined(__GNUC__) && !defined(__clang__) && !defined(_MSC_VER)
#error "widephase needs GCC, Clang or MSVC"
#endif
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
	defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "widephase keeps its promises without -ffast-math and its parts only"
#endif
#if FLT_EVAL_METHOD != 0
#ifdef __s390x__
#error "widephase needs float arithmetic that is rounded to float: -fexcess-precision=fast"
#else
#error "widephase needs float arithmetic that is rounded to float: on 32-bit x86, -msse2 -mfpmath=sse"
#endif
#endif

#endif
