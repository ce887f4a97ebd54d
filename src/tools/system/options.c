#include "options.h"

#include <widephase/base.h>

#include <ctype.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- readers ---------------------------------------------------------------------------------------- */

bool option_text(const option_row *row, const char *argument, void *to)
{
	(void)row;
	*(const char **)to = argument;
	return true;
}

bool option_count(const option_row *row, const char *argument, void *to)
{
	char *end;
	const long long value = strtoll(argument, &end, 10);
	*(uint32_t *)to = (uint32_t)value;
	return isdigit((unsigned char)*argument) && *end == '\0' && value >= row->least && value <= row->most;
}

/* ---- all options of a command line ------------------------------------------------------------------ */

enum { OWN_HELP, OWN_USAGE, OWN_VERSION, OWN_COUNT };

/* The options of every command line. */
static const option_row own_options[] = {
	[OWN_HELP] = {.name = "help", .letter = 'h', .help = "print this help"},
	[OWN_USAGE] = {.name = "usage", .help = "print the names of all options"},
	[OWN_VERSION] = {.name = "version", .letter = 'V', .help = "print the version"},
	[OWN_COUNT] = {.name = NULL},
};

typedef struct option_list {
	const option_row *rows[OPTION_MAX + OWN_COUNT];
	void *values[OPTION_MAX + OWN_COUNT];
	size_t count;
} option_list;

static void add_table(option_list *list, const option_row *rows, void *values)
{
	for (const option_row *row = rows; row && row->name && list->count < OPTION_MAX + OWN_COUNT; row++) {
		list->rows[list->count] = row;
		list->values[list->count++] = values;
	}
}

static option_list list_options(const command_line *line)
{
	option_list list = {.count = 0};
	for (int table = 0; table < OPTION_TABLE_MAX; table++)
		add_table(&list, line->tables[table].rows, line->tables[table].values);
	add_table(&list, own_options, NULL);
	return list;
}

/* ---- text in lines ---------------------------------------------------------------------------------- */

enum { COLUMN_MAX = 79, HELP_COLUMN = 29, USAGE_COLUMN = 12 };

/* Print words, from `column` on; further lines start at `indent`. A line of the text keeps its blanks at the start. Returns the
 * column after the last word. */
static int print_wrapped(FILE *out, const char *text, int column, int indent)
{
	bool is_start = true;
	while (*text != '\0') {
		const size_t blanks = is_start ? strspn(text, " ") : 0;
		const int length = (int)(blanks + strcspn(text + blanks, " \n"));
		if (column > indent && column + 1 + length > COLUMN_MAX) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", length, text);
		column += length;
		text += length;
		is_start = *text == '\n';
		if (is_start) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		}
		text += *text != '\0';
	}
	return column;
}

static void print_text(FILE *out, const char *text)
{
	print_wrapped(out, text, 0, 0);
	fputc('\n', out);
}

/* ---- help ------------------------------------------------------------------------------------------- */

static void print_option(const option_row *row)
{
	int column = row->letter ? printf("  -%c, --%s", row->letter, row->name) : printf("      --%s", row->name);
	if (row->argument)
		column += printf("=%s", row->argument);
	if (column + 1 > HELP_COLUMN) {
		fputc('\n', stdout);
		column = 0;
	}
	printf("%*s", HELP_COLUMN - column, "");
	print_wrapped(stdout, row->help, HELP_COLUMN, HELP_COLUMN);
	fputc('\n', stdout);
}

/* The next way to give the arguments; NULL after the last. */
static const char *next_form(const char *form)
{
	const char *const end = strchr(form, '\n');
	return end ? end + 1 : NULL;
}

/* How to call the program, for each way to give the arguments from `form` on. */
static void print_forms(const command_line *line, const char *opening, const char *form)
{
	for (; form; form = next_form(form), opening = "  or: ") {
		const int length = (int)strcspn(form, "\n");
		printf("%s %s [OPTION...]%s%.*s\n", opening, line->name, length > 0 ? " " : "", length, form);
	}
}

static void print_help(const command_line *line, const option_list *list)
{
	print_forms(line, "Usage:", line->arguments);
	print_text(stdout, line->about);
	fputc('\n', stdout);
	for (size_t index = 0; index < list->count; index++)
		print_option(list->rows[index]);
	if (line->more) {
		fputc('\n', stdout);
		print_text(stdout, line->more);
	}
}

static void print_usage(const command_line *line, const option_list *list)
{
	int column = printf("Usage: %s", line->name);
	char text[128];
	for (size_t index = 0; index < list->count; index++) {
		const option_row *const row = list->rows[index];
		snprintf(
			text, sizeof text, "[--%s%s%s]", row->name, row->argument ? "=" : "", row->argument ? row->argument : "");
		column = print_wrapped(stdout, text, column, USAGE_COLUMN);
	}
	snprintf(text, sizeof text, "%.*s", (int)strcspn(line->arguments, "\n"), line->arguments);
	print_wrapped(stdout, text, column, USAGE_COLUMN);
	fputc('\n', stdout);
	print_forms(line, "  or: ", next_form(line->arguments));
}

SYSTEM_NO_RETURN static void end_with_advice(const command_line *line)
{
	char text[256];
	snprintf(text, sizeof text, "Try `%s --help' or `%s --usage' for more information.", line->name, line->name);
	print_text(stderr, text);
	exit(OPTIONS_EXIT_CODE);
}

void command_line_refuse(const command_line *line, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fprintf(stderr, "%s: ", line->name);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	end_with_advice(line);
}

/* ---- parsing ---------------------------------------------------------------------------------------- */

/* What getopt_long is given: for a long option it returns LONG_FIRST + its index in the list. */
typedef struct getopt_input {
	struct option options[OPTION_MAX + OWN_COUNT + 1];
	char letters[2 * (OPTION_MAX + OWN_COUNT) + 2];
} getopt_input;

enum { LONG_FIRST = 256 };

static getopt_input getopt_input_of(const option_list *list, bool in_order)
{
	getopt_input input;
	char *letter = input.letters;
	memset(&input, 0, sizeof input);
	if (in_order)
		*letter++ = '+';
	for (size_t index = 0; index < list->count; index++) {
		const option_row *const row = list->rows[index];
		input.options[index] = (struct option){
			row->name, row->argument ? required_argument : no_argument, NULL, LONG_FIRST + (int)index};
		if (row->letter)
			*letter++ = row->letter;
		if (row->letter && row->argument)
			*letter++ = ':';
	}
	return input;
}

static size_t index_of(const option_list *list, int code)
{
	size_t index = 0;
	if (code >= LONG_FIRST)
		return (size_t)(code - LONG_FIRST);
	while (list->rows[index]->letter != code)
		index++;
	return index;
}

static void take_option(const command_line *line, const option_list *list, size_t index, const char *argument)
{
	const option_row *const row = list->rows[index];
	void *const to = (char *)list->values[index] + row->offset;
	if (!row->read)
		*(bool *)to = true;
	if (!row->read || row->read(row, argument, to))
		return;
	if (row->possible)
		command_line_refuse(line, "--%s is %s, not '%s'", row->name, row->possible, argument);
	command_line_refuse(line, "--%s is %lld to %lld, not '%s'", row->name, row->least, row->most, argument);
}

static void take_own(const command_line *line, const option_list *list, const option_row *row)
{
	if (row == &own_options[OWN_HELP])
		print_help(line, list);
	else if (row == &own_options[OWN_USAGE])
		print_usage(line, list);
	else
		printf("widephase %s\n", wp_version());
	exit(system_finish_output(line->name) ? EXIT_SUCCESS : OPTIONS_EXIT_CODE);
}

int command_line_parse(const command_line *line, int argc, char **argv)
{
	const option_list list = list_options(line);
	const getopt_input input = getopt_input_of(&list, line->in_order);
	/* From the start, whatever was parsed before. */
	optind = 0;
	for (;;) {
		const int code = getopt_long(argc, argv, input.letters, input.options, NULL);
		if (code == -1)
			break;
		if (code == '?')
			end_with_advice(line);
		const size_t index = index_of(&list, code);
		if (list.values[index])
			take_option(line, &list, index, optarg);
		else
			take_own(line, &list, list.rows[index]);
	}
	if (argc - optind < line->least)
		command_line_refuse(line, "%s", line->too_few);
	if (argc - optind > line->most)
		command_line_refuse(line, "%s", line->too_many);
	return optind;
}
