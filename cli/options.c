/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Options from a table. An option is read once, in one place, so that all commands refuse the same things alike:
 * unknown options, missing and superfluous values, numbers followed by something else. */

#include "options.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "name.h"
#include "progress.h"
#include "standard.h"
#include "suggest.h"

#define HELP_COLUMN 30
#define HELP_WIDTH 110

#define LINE_BYTES 4096

/* A process has one standard error, so this file keeps state. */
static bool keeping;
static char kept[LINE_BYTES];

void cli_fail_keep(bool keep) {
  keeping = keep;
}

const char *cli_fail_kept(void) {
  return kept;
}

int cli_fail(const char *format, ...) {
  char line[LINE_BYTES], shown[NAME_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (keeping) {
    if (kept[0] == '\0')
      memcpy(kept, line, sizeof kept);
    return EXIT_BAD;
  }
  progress_clear();
  // Nobody waits for a message behind a pipe that was left.
  if (!standard_abandoned())
    fprintf(stderr, "toi: %s\n", name_shown(line, shown));
  return EXIT_BAD;
}

/* --- reading --- */

static bool read_real(const cli_option *option, const char *text) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end != '\0' || isnan(value)) {
    cli_fail("%s %s: not a number; give one, such as 1e-6", option->name, text);
    return false;
  }
  *(double *)option->value = value;
  return true;
}

static bool read_number(const cli_option *option, const char *text) {
  char *end;
  unsigned long long value = strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0') {
    cli_fail("%s %s: not a whole number; give one such as 1000", option->name, text);
    return false;
  }
  if (value > INT64_MAX) {
    cli_fail("%s %s: too large; give at most %lld", option->name, text, (long long)INT64_MAX);
    return false;
  }
  *(uint64_t *)option->value = value;
  return true;
}

/* Bytes: a number, optionally followed by a letter for a power of 1024. */
static bool read_size(const cli_option *option, const char *text) {
  static const char letters[] = "KMGT";
  char *end;
  double value = strtod(text, &end);
  const char *letter = isalpha((unsigned char)*end) ? strchr(letters, toupper((unsigned char)*end)) : NULL;
  bool number = text[0] >= '0' && text[0] <= '9' && end[letter != NULL] == '\0';
  if (letter != NULL)
    value = ldexp(value, 10 * (int)(letter - letters + 1));
  if (!number || !(value >= 1 && value < 0x1p63)) {
    cli_fail("%s %s: not a size; give bytes such as 1000000, 64M or 1G", option->name, text);
    return false;
  }
  *(uint64_t *)option->value = (uint64_t)value;
  return true;
}

static bool read_list(const cli_option *option, const char *text) {
  text_list *list = option->value;
  if (list->count == TEXT_LIST_MAX) {
    cli_fail("%s: given more than %d times; give it at most %d times", option->name, TEXT_LIST_MAX, TEXT_LIST_MAX);
    return false;
  }
  list->items[list->count++] = text;
  return true;
}

static bool read_value(const cli_option *option, const char *text) {
  switch (option->type) {
  case OPTION_REAL:
    return read_real(option, text);
  case OPTION_NUMBER:
    return read_number(option, text);
  case OPTION_SIZE:
    return read_size(option, text);
  case OPTION_LIST:
    return read_list(option, text);
  case OPTION_TEXT:
    *(const char **)option->value = text;
    return true;
  case OPTION_FLAG:
    break;
  }
  *(bool *)option->value = true;
  return true;
}

/* The option whose name is the text up to its end or its '='. */
static const cli_option *find_option(const cli_option *options, const char *text, size_t length) {
  for (; options->name != NULL; options++)
    if (strlen(options->name) == length && strncmp(options->name, text, length) == 0)
      return options;
  return NULL;
}

/* Says that there is no such option, and which one may be meant. */
static void fail_unknown(const cli_command *command, const char *text, size_t length) {
  suggestion s = suggestion_for(text, length);
  for (const cli_option *o = command->options; o->name != NULL; o++)
    suggestion_consider(&s, o->name);
  suggestion_consider(&s, "--help");
  const bool close = s.nearest != NULL;
  cli_fail("unknown option '%.*s' for toi %s; %s%s%stoi %s --help lists all options", (int)length, text, command->name,
           close ? "did you mean '" : "", close ? s.nearest : "", close ? "'? " : "", command->name);
}

/* Reads the option at argv[*at] and, if it takes one, its value; *at ends on the last word used. */
static bool read_option(const cli_command *command, int argc, char **argv, int *at) {
  const char *text = argv[*at];
  size_t length = strcspn(text, "=");
  const cli_option *option = find_option(command->options, text, length);
  if (option == NULL) {
    fail_unknown(command, text, length);
    return false;
  }
  const char *value = text[length] == '=' ? text + length + 1 : NULL;
  if (option->type == OPTION_FLAG) {
    if (value != NULL) {
      cli_fail("%s takes no value; leave \"=%s\" out", option->name, value);
      return false;
    }
  } else if (value == NULL) {
    if (*at + 1 == argc) {
      cli_fail("%s needs a value: %s %s", option->name, option->name, option->argument);
      return false;
    }
    value = argv[++*at];
  }
  return read_value(option, value);
}

parse_result options_parse(const cli_command *command, int argc, char **argv, int *argument_count) {
  bool options = true;
  *argument_count = 0;
  for (int at = 0; at < argc; at++) {
    char *text = argv[at];
    if (options && strcmp(text, "--") == 0) {
      options = false;
    } else if (options && (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0)) {
      options_help(command);
      return PARSE_HELP;
    } else if (options && text[0] == '-' && text[1] != '\0') {
      if (!read_option(command, argc, argv, &at))
        return PARSE_FAILED;
    } else {
      argv[(*argument_count)++] = text;
    }
  }
  return PARSE_FINE;
}

/* --- help --- */

void print_wrapped(const char *text, int column, int indent) {
  bool first = true;
  while (*text != '\0') {
    int length = (int)strcspn(text, " ");
    if (!first && column + 1 + length > HELP_WIDTH) {
      printf("\n%*s", indent, "");
      column = indent;
      first = true;
    }
    printf("%s%.*s", first ? "" : " ", length, text);
    column += length + (first ? 0 : 1);
    first = false;
    text += length;
    text += strspn(text, " ");
  }
  printf("\n");
}

void options_help(const cli_command *command) {
  printf("usage: toi %s%s%s [OPTION...]\n\n", command->name, command->arguments[0] != '\0' ? " " : "",
         command->arguments);
  print_wrapped(command->purpose, 0, 0);
  printf("\n");
  for (const cli_option *o = command->options; o->name != NULL; o++) {
    int column = printf("  %s%s%s", o->name, o->argument != NULL ? " " : "", o->argument != NULL ? o->argument : "");
    if (column >= HELP_COLUMN) {
      printf("\n");
      column = 0;
    }
    printf("%*s", HELP_COLUMN - column, "");
    print_wrapped(o->help, HELP_COLUMN, HELP_COLUMN);
  }
  printf("  %-*sprints this text\n", HELP_COLUMN - 2, "--help");
  if (command->notes != NULL)
    printf("\n%s", command->notes);
}
