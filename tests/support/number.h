/* Readers of numbers on the command lines of the plain programs. */
#ifndef TESTS_SUPPORT_NUMBER_H
#define TESTS_SUPPORT_NUMBER_H

#include "options.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Into a double: a number from 0 to 1e15, which may end in k or M. */
static inline bool option_number(const option_row *row, const char *argument, void *to)
{
	char *end;
	const double number = strtod(argument, &end);
	const double scale = strcmp(end, "k") == 0 ? 1e3 : strcmp(end, "M") == 0 ? 1e6 : *end == '\0' ? 1 : 0;
	(void)row;
	*(double *)to = number * scale;
	return end != argument && scale != 0 && number >= 0 && number <= 1e15;
}

/* Into a uint64_t, rounded down. */
static inline bool option_whole(const option_row *row, const char *argument, void *to)
{
	double number;
	const bool is_number = option_number(row, argument, &number);
	*(uint64_t *)to = is_number ? (uint64_t)number : 0;
	return is_number;
}

#endif
