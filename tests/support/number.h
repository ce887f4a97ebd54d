/* Numbers on the command lines of the plain programs. */
#ifndef TESTS_SUPPORT_NUMBER_H
#define TESTS_SUPPORT_NUMBER_H

#include <argp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A number that may end in k or M; argp reports anything else as an error. */
static inline double number_of(const char *argument, struct argp_state *state)
{
	char *end;
	const double number = strtod(argument, &end);
	const double scale = strcmp(end, "k") == 0 ? 1e3 : strcmp(end, "M") == 0 ? 1e6 : *end == '\0' ? 1 : 0;
	if (end == argument || scale == 0 || !(number >= 0 && number <= 1e15))
		argp_error(state, "not a number: %s", argument);
	return number * scale;
}

/* The same, rounded down. */
static inline uint64_t count_of(const char *argument, struct argp_state *state)
{
	return (uint64_t)number_of(argument, state);
}

#endif
