/* Which pairs the plain programs make: a stretch of a seed's endless sequence, which is the same on every machine, by the
 * options --pairs, --first and --seed. */
#ifndef TESTS_SUPPORT_SEQUENCE_H
#define TESTS_SUPPORT_SEQUENCE_H

#include <argp.h>
#include <stdint.h>

typedef struct sequence {
	uint64_t pairs, first, seed;
} sequence;

/* For argp, the only child of a program's parser, which gives it the sequence as its input at ARGP_KEY_INIT. Numbers are
 * as number.h has them. Arguments that are no options are refused. */
extern const struct argp_child sequence_options[2];

#endif
