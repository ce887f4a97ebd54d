#include "support/sequence.h"

#include "support/number.h"

static error_t parse(int key, char *argument, struct argp_state *state)
{
	sequence *s = state->input;
	switch (key) {
	case 'p':
		s->pairs = count_of(argument, state);
		return 0;
	case 'f':
		s->first = count_of(argument, state);
		return 0;
	case 's':
		s->seed = count_of(argument, state);
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument %s", argument);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {{"pairs", 'p', "N", 0, "how many pairs", 0},
	{"first", 'f', "I", 0, "number of the first pair (default 0)", 0},
	{"seed", 's', "S", 0, "sequence of pairs (default 1)", 0}, {0}};

static const struct argp parser = {.options = options, .parser = parse};

const struct argp_child sequence_options[2] = {{.argp = &parser}, {0}};
