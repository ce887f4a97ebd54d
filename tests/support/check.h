/* Macros of the tests that Criterion runs. */
#ifndef TESTS_SUPPORT_CHECK_H
#define TESTS_SUPPORT_CHECK_H

#include <criterion/criterion.h>

/* cr_assert costs too much to be passed millions of times; this costs one branch. */
#define CHECK(condition, ...)            \
	do {                                 \
		if (!(condition))                \
			cr_assert_fail(__VA_ARGS__); \
	} while (0)

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
