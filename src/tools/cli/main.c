/* widephase: the program. Finds the subcommand and hands it the rest of the line.
 *
 * Arguments are parsed by argp: it comes with the C library on GNU systems, so it costs no package there
 * (elsewhere argp-standalone has it), and it writes --help and refuses unknown options by itself. */
#include "commands.h"
#include "runner.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct command {
	const char *name;
	int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
	{"collide", command_collide},
	{"cook", command_cook},
	{"compare", command_compare},
	{"draw", command_draw},
	{"time", command_time},
	{"info", command_info},
};

static const char
	description[] = "Collides recorded pairs of convex shapes, many at once.\n\n"
					"  collide  answer every pair of a file, as CSV, or one pair of meshes or hulls\n"
					"  cook     make the convex hull of a mesh, or the mesh itself\n"
					"  compare  check every variant against scalar, the reference and a truth file\n"
					"  draw     one pair and its contact as a picture, SVG\n"
					"  time     nanoseconds a pair, as CSV\n"
					"  info     version, variants, what this machine runs; or what a cooked mesh holds\n\n"
					"widephase COMMAND --help tells more.";

static error_t parse(int key, char *argument, struct argp_state *state)
{
	static char invocation[32]; /* argv[0] of the subcommand, for its messages */
	if (key == ARGP_KEY_NO_ARGS)
		argp_usage(state);
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	for (size_t index = 0; index < sizeof commands / sizeof commands[0]; index++) {
		if (strcmp(argument, commands[index].name) != 0)
			continue;
		int first = state->next - 1;
		snprintf(invocation, sizeof invocation, "widephase %s", argument);
		state->argv[first] = invocation;
		state->next = state->argc;
		*(int *)state->input = commands[index].run(state->argc - first, state->argv + first);
		return 0;
	}
	argp_error(state, "unknown command '%s'", argument);
	return EINVAL;
}

int main(int argc, char **argv)
{
	const struct argp parser = {.parser = parse, .args_doc = "COMMAND [ARGUMENT...]", .doc = description};
	int code = EXIT_ERROR;
	program_start();
	if (argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &code) != 0)
		return EXIT_ERROR;
	return code;
}
