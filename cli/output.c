/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What a command writes where an option says so. */

#include "output.h"

#include <string.h>

#include "files.h"
#include "memory.h"
#include "options.h"
#include "progress.h"
#include "session.h"
#include "spread.h"
#include "standard.h"

static bool is_standard(const char *path) {
  return path != NULL && strcmp(path, "-") == 0;
}

static bool is_same(const char *path, const char *other) {
  return strcmp(path, other) == 0 || (!is_standard(path) && !is_standard(other) && files_same(path, other));
}

int outputs_check(const output *outputs, size_t count, bool json) {
  for (size_t i = 0; i < count; i++) {
    const output *o = &outputs[i];
    if (o->path == NULL)
      continue;
    if (o->path[0] == '\0')
      return cli_fail("%s: the name of the file is empty; give one, or - for standard output", o->option);
    if (json && is_standard(o->path))
      return cli_fail("%s - and --json both go to standard output; write to a file, or leave --json out", o->option);
    for (size_t j = 0; j < i; j++)
      if (outputs[j].path != NULL && is_same(o->path, outputs[j].path))
        return cli_fail("%s: %s and %s name the same file; write to two", o->path, outputs[j].option, o->option);
  }
  return EXIT_DONE;
}

int output_open(toi_context *context, output *out) {
  if (out->path != NULL && spread_rank() > 0) {
    out->holds = true;
    return EXIT_DONE;
  }
  out->standard = is_standard(out->path);
  if (out->path == NULL || out->standard)
    return EXIT_DONE;
  const toi_status status = toi_output_create(context, out->path, &out->file);
  return status == TOI_OK ? EXIT_DONE : session_fail(context, status, NULL);
}

static toi_status hold(output *out, const void *bytes, size_t size) {
  if (out->held_size + size > out->held_room) {
    const size_t room = out->held_size + size + out->held_room;
    char *held = memory_resize_beyond(out->held, room, 1);
    if (held == NULL)
      return TOI_ERROR_MEMORY;
    out->held = held;
    out->held_room = room;
  }
  memcpy(out->held + out->held_size, bytes, size);
  out->held_size += size;
  return TOI_OK;
}

toi_status output_append(output *out, const void *bytes, size_t size) {
  if (out->holds)
    return hold(out, bytes, size);
  if (out->standard)
    return standard_write(bytes, size) ? TOI_OK : TOI_ERROR_FILE;
  return toi_output_append(out->file, bytes, size);
}

toi_status output_append_text(output *out, const char *text) {
  return output_append(out, text, strlen(text));
}

static int commit(const toi_context *context, output *out) {
  if (out->file == NULL)
    return EXIT_DONE;
  const toi_status status = toi_output_commit(out->file);
  out->file = NULL;
  return status == TOI_OK ? EXIT_DONE : session_fail(context, status, NULL);
}

int outputs_finish(const toi_context *context, output *outputs, size_t count, json_t *report, bool *table) {
  char *text = report != NULL ? json_finish(report) : NULL;
  int result = report != NULL && text == NULL ? EXIT_BAD : EXIT_DONE;
  bool standard = false;
  for (size_t i = 0; i < count; i++)
    standard |= outputs[i].standard;
  // No file appears if the rest does not arrive.
  if (result == EXIT_DONE && standard && !standard_flush())
    result = standard_fail();
  for (size_t i = 0; result == EXIT_DONE && i < count; i++)
    result = commit(context, &outputs[i]);
  *table = result == EXIT_DONE && report == NULL && !standard;
  progress_clear();
  if (result == EXIT_DONE && text != NULL)
    json_say(text);
  else
    memory_free(text);
  return result;
}

void outputs_discard(output *outputs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    toi_output_destroy(outputs[i].file);
    outputs[i].file = NULL;
    memory_free(outputs[i].held);
    outputs[i].held = NULL;
  }
}
