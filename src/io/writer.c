/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A file that is written row by row.
 *
 * Promise: after a failure nothing more is written, and closing says why; zlib takes its memory from the context. */

#include "io/writer.h"

#include <assert.h>
#include <string.h>

#include "base/internal.h"
#include "io/decimal.h"

#if !defined(TOI_WITHOUT_ZLIB)

static toi_status deflater_open(toi_writer *w) {
  w->deflater.zalloc = toi_zlib_allocate;
  w->deflater.zfree = toi_zlib_free;
  w->deflater.opaque = w->context;
  const int gzip = 15 + 16, memory = 8; /* zlib's codes for a 32 KiB window and gzip's header; its usual memory */
  const int made = deflateInit2(&w->deflater, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip, memory, Z_DEFAULT_STRATEGY);
  return made == Z_OK ? TOI_OK : TOI_ERROR_MEMORY;
}

static void deflater_close(toi_writer *w) {
  deflateEnd(&w->deflater);
}

/* Compresses what is in the block; the last time, all that zlib holds back too. */
static toi_status deflate_block(toi_writer *w, bool last) {
  w->deflater.next_in = (unsigned char *)w->block;
  w->deflater.avail_in = (unsigned)w->used;
  w->used = 0;
  for (;;) {
    w->deflater.next_out = w->packed;
    w->deflater.avail_out = TOI_WRITER_BYTES;
    const int result = deflate(&w->deflater, last ? Z_FINISH : Z_NO_FLUSH);
    if (result == Z_STREAM_ERROR)
      return toi_fail(w->context, TOI_ERROR_FILE, "zlib refuses to compress");
    const toi_status status = toi_output_append(w->output, w->packed, TOI_WRITER_BYTES - w->deflater.avail_out);
    if (status != TOI_OK)
      return status;
    // Room left over says that it has given all it wants to give.
    if (w->deflater.avail_out > 0)
      return TOI_OK;
  }
}

#else

/* Built without zlib: no gzipped file is begun. */
static toi_status deflater_open(toi_writer *w) {
  return toi_fail(w->context, TOI_ERROR_UNSUPPORTED, "this library was built without zlib; choose a name without .gz");
}

static void deflater_close(toi_writer *w) {
  (void)w;
}

static toi_status deflate_block(toi_writer *w, bool last) {
  (void)last;
  return w->status;
}

#endif

static toi_status flush_block(toi_writer *w) {
  if (w->compressed)
    return deflate_block(w, false);
  const toi_status status = toi_output_append(w->output, w->block, w->used);
  w->used = 0;
  return status;
}

toi_status toi_writer_open(toi_writer *w, toi_context *context, const char *path) {
  memset(w, 0, offsetof(toi_writer, block));
  w->context = context;
  w->compressed = toi_path_ends(path, ".gz");
  toi_status status = w->compressed ? deflater_open(w) : TOI_OK;
  if (status != TOI_OK)
    return status;
  status = toi_output_create(context, path, &w->output);
  if (status != TOI_OK && w->compressed)
    deflater_close(w);
  return status;
}

char *toi_writer_room(toi_writer *w, size_t size) {
  assert(size <= TOI_WRITER_BYTES);
  if (w->status == TOI_OK && w->used + size > TOI_WRITER_BYTES)
    w->status = flush_block(w);
  return w->status == TOI_OK ? w->block + w->used : NULL;
}

toi_status toi_writer_close(toi_writer *w) {
  if (w->status == TOI_OK)
    w->status = w->compressed ? deflate_block(w, true) : flush_block(w);
  if (w->compressed)
    deflater_close(w);
  if (w->status == TOI_OK)
    return toi_output_commit(w->output);
  toi_output_destroy(w->output);
  return w->status;
}

/* --- texts --- */

void toi_writer_text(toi_writer *w, const char *text) {
  const size_t length = strlen(text);
  char *room = toi_writer_room(w, length);
  if (room == NULL)
    return;
  memcpy(room, text, length);
  w->used += length;
}

void toi_writer_number(toi_writer *w, double value) {
  char *room = toi_writer_room(w, TOI_DECIMAL_TEXT);
  if (room != NULL)
    w->used += toi_decimal_write(value, TOI_DOUBLE_DIGITS, room);
}

void toi_writer_numbers(toi_writer *w, const double *values, size_t count) {
  toi_writer_text(w, "[");
  for (size_t i = 0; i < count; i++) {
    if (i > 0)
      toi_writer_text(w, ",");
    toi_writer_number(w, values[i]);
  }
  toi_writer_text(w, "]");
}
