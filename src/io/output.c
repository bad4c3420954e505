/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Files that appear whole or not at all.
 *
 * The bytes go to a new file in the same folder; commit forces them to the disk and renames it, which replaces a file
 * of that name in one step. Whatever fails on the way, the new file is removed and the old one was never touched. A
 * symbolic link stays as it is, and the file that it leads to is replaced; one that leads to no file is refused. A
 * device or a pipe cannot be replaced, so it is written to in place. */

#include "io/output.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"
#include "base/platform.h"

#define BUFFER_BYTES ((size_t)256 << 10)

/* Room for ".PID-TRY.part" behind the path. */
#define SUFFIX_BYTES 48
#define TRIES 100

struct toi_output {
  toi_context *context;
  int file;
  bool in_place;
  toi_status status;             /* of the first failure: nothing is written after it */
  char sentence[TOI_ERROR_SIZE]; /* and what it said */
  size_t used;
  char path[TOI_PATH_MAX];                  /* where the file shall be, links followed */
  char beside[TOI_PATH_MAX + SUFFIX_BYTES]; /* where it is written */
  char buffer[BUFFER_BYTES];
};

toi_context *toi_output_context(const toi_output *output) {
  return output->context;
}

const char *toi_output_path(const toi_output *output) {
  return output->path;
}

toi_status toi_output_spoil(toi_output *output, toi_status status) {
  output->status = status;
  (void)snprintf(output->sentence, sizeof output->sentence, "%s", toi_context_error(output->context));
  return status;
}

/* TOI_OK, or the first failure once more: each call begins without an error in the context. */
static toi_status state_of(const toi_output *output) {
  return output->status == TOI_OK ? TOI_OK : toi_fail(output->context, output->status, "%s", output->sentence);
}

static toi_status fail_errno(toi_output *output) {
  return toi_output_spoil(output, toi_fail(output->context, TOI_ERROR_FILE,
                                           "%s: cannot be written: %s; check the folder and its space", output->path,
                                           strerror(errno)));
}

/* A new file beside the target: the name is ours alone, because it must not exist. A file that is replaced keeps its
 * permissions. */
static toi_status open_beside(toi_output *output, bool replaces) {
  for (int attempt = 0; attempt < TRIES; attempt++) {
    snprintf(output->beside, sizeof output->beside, "%s.%" PRId64 "-%d.part", output->path, toi_process_id(), attempt);
    output->file = toi_file_create(output->beside, replaces ? output->path : NULL);
    if (output->file >= 0 || errno != EEXIST)
      break;
  }
  return output->file < 0 ? fail_errno(output) : TOI_OK;
}

static toi_status output_open(toi_output *output, const char *path) {
  // A link stays a link: what it leads to is replaced. One that leads nowhere may be a mistake, or a trap.
  if (!toi_path_resolve(path, output->path)) {
    const int error = errno;
    if ((size_t)snprintf(output->path, sizeof output->path, "%s", path) >= sizeof output->path) {
      snprintf(output->path, sizeof output->path, "%.60s...", path);
      errno = ENAMETOOLONG;
      return fail_errno(output);
    }
    if (error == ENOENT && toi_path_ask(path) == TOI_PATH_BROKEN_LINK)
      return toi_output_spoil(output,
                              toi_fail(output->context, TOI_ERROR_FILE,
                                       "%s: a symbolic link to a file that does not exist; create that file, or "
                                       "remove the link",
                                       output->path));
    errno = error;
    if (error != ENOENT)
      return fail_errno(output);
  }
  const toi_path_kind there = toi_path_ask(output->path);
  if (there == TOI_PATH_NOTHING || there == TOI_PATH_BROKEN_LINK) {
    bool free_name = errno == ENOENT && output->path[0] != '\0';
    return free_name ? open_beside(output, false) : fail_errno(output);
  }
  if (there == TOI_PATH_FILE)
    return toi_path_writable(output->path) ? open_beside(output, true) : fail_errno(output);
  output->in_place = true;
  output->file = toi_file_open_device(output->path);
  return output->file < 0 ? fail_errno(output) : TOI_OK;
}

static TOI_APART toi_status create(toi_context *context, const char *path, toi_output **output) {
  if (context == NULL || path == NULL || output == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_output_create needs a context, a path and a place for its result");
  *output = NULL;
  toi_output *made = toi_allocate(context, sizeof *made);
  if (made == NULL)
    return TOI_ERROR_MEMORY;
  made->context = context;
  made->file = -1;
  made->in_place = false;
  made->status = TOI_OK;
  made->sentence[0] = '\0';
  made->used = 0;
  made->path[0] = made->beside[0] = '\0';
  toi_status status = output_open(made, path);
  if (status != TOI_OK) {
    toi_free(context, made, sizeof *made);
    return status;
  }
  *output = made;
  return TOI_OK;
}

toi_status toi_output_create(toi_context *context, const char *path, toi_output **output) {
  TOI_CALL(context, create(context, path, output));
}

static toi_status write_all(toi_output *output, const char *bytes, size_t size) {
  while (size > 0) {
    const int64_t count = toi_file_write(output->file, bytes, size);
    if (count < 0)
      return fail_errno(output);
    bytes += count;
    size -= (size_t)count;
  }
  return TOI_OK;
}

static toi_status flush(toi_output *output) {
  if (output->status != TOI_OK)
    return state_of(output);
  toi_status status = write_all(output, output->buffer, output->used);
  output->used = 0;
  return status;
}

toi_status toi_output_reserve(toi_output *output, size_t size, char **room) {
  assert(size <= BUFFER_BYTES);
  toi_status status = output->used + size > BUFFER_BYTES ? flush(output) : state_of(output);
  *room = output->buffer + output->used;
  return status;
}

void toi_output_advance(toi_output *output, size_t size) {
  output->used += size;
  assert(output->used <= BUFFER_BYTES);
}

static TOI_APART toi_status append(toi_output *output, const void *bytes, size_t size) {
  if (output == NULL)
    return TOI_ERROR_INPUT;
  if (size == 0)
    return state_of(output);
  if (bytes == NULL)
    return toi_output_spoil(output, toi_fail(output->context, TOI_ERROR_INPUT, "%zu bytes to write are NULL", size));
  // Large pieces need no copy.
  if (size >= BUFFER_BYTES) {
    toi_status status = flush(output);
    return status == TOI_OK ? write_all(output, bytes, size) : status;
  }
  char *room;
  toi_status status = toi_output_reserve(output, size, &room);
  if (status != TOI_OK)
    return status;
  memcpy(room, bytes, size);
  toi_output_advance(output, size);
  return TOI_OK;
}

toi_status toi_output_append(toi_output *output, const void *bytes, size_t size) {
  TOI_CALL(output == NULL ? NULL : output->context, append(output, bytes, size));
}

static toi_status finish(toi_output *output) {
  toi_status status = flush(output);
  if (status == TOI_OK && !output->in_place && !toi_file_sync(output->file))
    status = fail_errno(output);
  if (!toi_file_finish(output->file) && status == TOI_OK)
    status = fail_errno(output);
  output->file = -1;
  if (status == TOI_OK && !output->in_place && !toi_file_replace(output->beside, output->path))
    status = fail_errno(output);
  if (status == TOI_OK && !output->in_place)
    output->beside[0] = '\0';
  return status;
}

static TOI_APART toi_status commit(toi_output *output) {
  if (output == NULL)
    return TOI_ERROR_INPUT;
  toi_status status = finish(output);
  toi_output_destroy(output);
  return status;
}

toi_status toi_output_commit(toi_output *output) {
  TOI_CALL(output == NULL ? NULL : output->context, commit(output));
}

static TOI_APART void destroy(toi_output *output) {
  if (output == NULL)
    return;
  if (output->file >= 0)
    toi_file_close(output->file);
  if (!output->in_place && output->beside[0] != '\0')
    toi_file_remove(output->beside);
  toi_free(output->context, output, sizeof *output);
}

void toi_output_destroy(toi_output *output) {
  TOI_CALL_VOID(NULL, destroy(output));
}
