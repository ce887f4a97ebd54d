/* Which pairs the plain programs make: a stretch of a seed's endless sequence, which is the same on every machine, by the
 * options --pairs, --first and --seed. */
#ifndef TESTS_SUPPORT_SEQUENCE_H
#define TESTS_SUPPORT_SEQUENCE_H

#include "options.h"

#include <stdint.h>

typedef struct sequence {
	uint64_t pairs, first, seed;
} sequence;

/* Rows that the tables of several programs have: `type` is the struct of their values. */
#define OPTION_HALF_SPACES(type)                                                  \
	{                                                                             \
		.name = "half-spaces", .help = "one shape of every pair is a half-space", \
		.offset = offsetof(type, half_spaces)                                     \
	}
#define OPTION_OUT(type)                                                                           \
	{                                                                                              \
		.name = "out", .argument = "FOLDER", .help = "where broken pairs are written (default .)", \
		.read = option_text, .offset = offsetof(type, out)                                         \
	}

/* Parse the options of a program: its own, for `values`, and the options of its sequence, with numbers as number.h has them. A
 * program has no other arguments. */
void sequence_parse(const char *name, const char *about, const option_row *options, void *values, sequence *pairs,
	int argc, char **argv);

#endif
