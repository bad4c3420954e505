/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What a command writes where an option says so: a file, which appears whole or not at all, or standard output, which
 * "-" stands for and which receives the bytes as they come. Nothing else is printed there then. */

#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <toi/io.h>

#include "json.h"

typedef struct output {
  const char *option; /* such as "--out" */
  const char *path;   /* NULL: it was not given */
  toi_output *file;   /* while it is open */
  bool standard;      /* likewise */

  /* Of several ranks only the first writes: the others hold the bytes until it takes them. */
  bool holds;
  char *held;
  size_t held_size, held_room;
} output;

/* Refuses what cannot be: standard output twice, or for the JSON report too; the same file twice. Returns EXIT_DONE, or
 * EXIT_BAD after its line. */
int outputs_check(const output *outputs, size_t count, bool json);

/* Opens one; nothing if it was not given. Returns EXIT_DONE, or EXIT_BAD after its line. */
int output_open(toi_context *context, output *out);

static inline bool output_is_open(const output *out) {
  return out->file != NULL || out->standard || out->holds;
}

/* After TOI_ERROR_FILE, session_fail() knows what went wrong. */
TOI_MUST_USE toi_status output_append(output *out, const void *bytes, size_t size);
TOI_MUST_USE toi_status output_append_text(output *out, const char *text);

/* The end of a command that went well: makes the files appear, and prints the report, unless that is NULL; *table:
 * whether a table is due, which it is not if one of them is standard output. No file appears if there is no memory for
 * the report, which is released. Returns EXIT_DONE, or EXIT_BAD after its line. */
int outputs_finish(const toi_context *context, output *outputs, size_t count, json_t *report, bool *table);

/* Ends those that are still open, without their files. */
void outputs_discard(output *outputs, size_t count);

#endif
