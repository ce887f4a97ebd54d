/* widephase: the program. Finds the subcommand and hands it the rest of the line. */
#include "commands.h"
#include "runner.h"
#include "system.h"

#include <limits.h>
#include <stdio.h>
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

static const char about[] = "Collides recorded pairs of convex shapes, many at once.\n\n"
							"  collide  answer every pair of a file, as CSV, or one pair of meshes or hulls\n"
							"  cook     make the convex hull of a mesh, or the mesh itself\n"
							"  compare  check every variant against scalar, the reference and a truth file\n"
							"  draw     one pair and its contact as a picture, SVG\n"
							"  time     nanoseconds a pair, as CSV\n"
							"  info     version, variants, what this machine runs; or what a cooked mesh holds\n\n"
							"widephase COMMAND --help describes a command.";

static const command *find(const char *name)
{
	for (size_t index = 0; index < sizeof commands / sizeof commands[0]; index++)
		if (strcmp(name, commands[index].name) == 0)
			return &commands[index];
	return NULL;
}

int main(int argc, char **argv)
{
	const command_line line = {.name = "widephase",
		.arguments = "COMMAND [ARGUMENT...]",
		.about = about,
		.least = 1,
		.most = INT_MAX,
		.too_few = "which command?",
		.in_order = true};
	static char invocation[32]; /* argv[0] of the command, for its messages */
	system_hold_streams();
	const int first = command_line_parse(&line, argc, argv);
	system_keep_line_ends();
	const command *const found = find(argv[first]);
	if (!found)
		command_line_refuse(
			&line, "unknown command '%s'; there are collide, cook, compare, draw, time and info", argv[first]);
	snprintf(invocation, sizeof invocation, "widephase %s", found->name);
	argv[first] = invocation;
	const int code = found->run(argc - first, argv + first);
	return code == EXIT_ERROR || system_finish_output(line.name) ? code : EXIT_ERROR;
}
