/* Command lines, by tables of options. They are parsed by getopt_long, which comes with the C library on all systems that
 * programs are built for (glibc, musl, macOS, the BSDs, MinGW-w64), so it costs no package; it takes abbreviations of long
 * options and reports unknown ones. The help is printed from the tables. */
#ifndef WP_TOOLS_SYSTEM_OPTIONS_H
#define WP_TOOLS_SYSTEM_OPTIONS_H

#include "system.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Exit code of a program for wrong arguments. */
#define OPTIONS_EXIT_CODE 2

#define OPTION_TABLE_MAX 2
#define OPTION_MAX 32 /* rows in all tables of a command line */

typedef struct option_row option_row;

/* Reads the argument of an option into *to. Returns false if it is wrong. */
typedef bool option_reader(const option_row *row, const char *argument, void *to);

struct option_row {
	const char *name;     /* of the long form; NULL ends a table */
	char letter;          /* of the short form; 0: none */
	const char *argument; /* what the help calls the argument; NULL: the option takes none */
	const char *help;
	option_reader *read;   /* without an argument NULL: a bool becomes true */
	size_t offset;         /* of what is read, within the table's `values` */
	const char *possible;  /* which arguments there are, for the error; NULL: numbers from `least` to `most` */
	long long least, most; /* of option_count */
};

typedef struct option_table {
	const option_row *rows;
	void *values;
} option_table;

typedef struct command_line {
	const char *name;         /* "widephase collide", for the help and errors */
	const char *arguments;    /* those that are no options, for the help; one way to give them a line */
	const char *about, *more; /* before and after the options; `more` may be NULL */
	int least, most;          /* arguments that are no options */
	const char *too_few, *too_many;
	bool in_order;                         /* what follows the first argument that is no option is not parsed */
	option_table tables[OPTION_TABLE_MAX]; /* in the order of the help */
} command_line;

/* Parse the options. Returns the index of the first argument that is no option: all of these are last in argv then. Ends
 * the program with an error, or after --help, --usage and --version. */
int command_line_parse(const command_line *line, int argc, char **argv);

/* Print an error, and which options help, and end the program. */
SYSTEM_PRINTF(2, 3) SYSTEM_NO_RETURN void command_line_refuse(const command_line *line, const char *format, ...);

/* Readers. */
bool option_text(const option_row *row, const char *argument, void *to); /* into a const char * */
bool option_count(const option_row *row, const char *argument,
	void *to); /* into a uint32_t, a whole number of the row's range, digits alone */

#ifdef __cplusplus
}
#endif

#endif
