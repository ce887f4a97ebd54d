#include "support/sequence.h"

#include "support/number.h"

static const option_row sequence_options[] = {
	{.name = "pairs",
		.argument = "N",
		.help = "how many pairs",
		.read = option_whole,
		.offset = offsetof(sequence, pairs),
		.possible = "a number"},
	{.name = "first",
		.argument = "I",
		.help = "number of the first pair (default 0)",
		.read = option_whole,
		.offset = offsetof(sequence, first),
		.possible = "a number"},
	{.name = "seed",
		.argument = "S",
		.help = "sequence of pairs (default 1)",
		.read = option_whole,
		.offset = offsetof(sequence, seed),
		.possible = "a number"},
	{.name = NULL},
};

void sequence_parse(const char *name, const char *about, const option_row *options, void *values, sequence *pairs,
	int argc, char **argv)
{
	const command_line line = {.name = name,
		.arguments = "",
		.about = about,
		.too_many = "takes options alone",
		.tables = {{options, values}, {sequence_options, pairs}}};
	command_line_parse(&line, argc, argv);
}
