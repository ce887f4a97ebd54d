/* Macros of the tests that Criterion runs. */
#ifndef TESTS_SUPPORT_CHECK_H
#define TESTS_SUPPORT_CHECK_H

#include <criterion/criterion.h>

#include "support/rounding.h"

/* cr_assert costs too much to be passed millions of times; this costs one branch. */
#define CHECK(condition, ...)            \
	do {                                 \
		if (!(condition))                \
			cr_assert_fail(__VA_ARGS__); \
	} while (0)

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* A call that leaves the caller's rounding as it is. */
#define KEEPS_ROUNDING(call)                            \
	do {                                                \
		fesetround(FE_UPWARD);                          \
		(void)(call);                                   \
		const int rounding_after = rounding_now();      \
		fesetround(FE_TONEAREST);                       \
		cr_assert_eq(rounding_after, FE_UPWARD, #call); \
	} while (0)

#endif
