/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What every command shares: options from a table, help made from the same table, and errors of one line. */

#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes. */
enum { EXIT_DONE = 0, EXIT_FINDING = 1, EXIT_BAD = 2 };

/* Prints "toi: ..." on standard error, as one line whatever the text holds (name.h says how), and returns EXIT_BAD. */
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Keeps lines from now on, or prints them again: of several ranks only one says what is wrong. */
void cli_fail_keep(bool keep);

/* The first line that was kept; "" if none was. */
const char *cli_fail_kept(void);

typedef enum option_type {
  OPTION_FLAG,   /* bool */
  OPTION_TEXT,   /* const char * */
  OPTION_REAL,   /* double, any but NaN */
  OPTION_NUMBER, /* uint64_t, at most INT64_MAX: JSON has signed ones */
  OPTION_SIZE,   /* uint64_t: bytes, as 1000000, 64M or 1.5G; a letter counts in powers of 1024 */
  OPTION_LIST    /* text_list: may be given again */
} option_type;

/* What --memory does. */
#define MEMORY_HELP                                                                                                    \
  "hard limit for the memory of input and work, such as 64M or 1G (default: three quarters of the machine's memory)"

#define TEXT_LIST_MAX 16

typedef struct text_list {
  const char *items[TEXT_LIST_MAX];
  size_t count;
} text_list;

typedef struct cli_option {
  const char *name; /* with its dashes */
  option_type type;
  void *value;          /* where it goes; unchanged if it is not given */
  const char *argument; /* as the help calls it; NULL for a flag */
  const char *help;
} cli_option;

typedef struct cli_command {
  const char *name;
  const char *arguments; /* as the help calls them */
  const char *purpose;
  const cli_option *options; /* ends with a NULL name */
  const char *notes;         /* lines below the options */
} cli_command;

/* What parsing came to. */
typedef enum parse_result { PARSE_FINE, PARSE_HELP, PARSE_FAILED } parse_result;

/* Reads argv behind the command's name. Options may stand anywhere; "--" ends them. What is no option moves to the
 * front of argv and is counted. PARSE_HELP: --help was given and has been printed. PARSE_FAILED: the line has been
 * printed. */
parse_result options_parse(const cli_command *command, int argc, char **argv, int *argument_count);

void options_help(const cli_command *command);

/* Prints the words of a text from the given column on, in lines of at most 110 columns, later ones indented. */
void print_wrapped(const char *text, int column, int indent);

#endif
