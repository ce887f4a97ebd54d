/* The subcommands. Each takes its own arguments, argv[0] being "widephase NAME", and returns the exit
 * code of the program. */
#ifndef WP_TOOLS_CLI_COMMANDS_H
#define WP_TOOLS_CLI_COMMANDS_H

int command_collide(int argc, char **argv);
int command_cook(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_draw(int argc, char **argv);
int command_time(int argc, char **argv);
int command_info(int argc, char **argv);

#endif
