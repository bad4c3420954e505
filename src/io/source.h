/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The bytes of a file, gzipped or not, in order. */

#ifndef TOI_IO_SOURCE_H
#define TOI_IO_SOURCE_H

#include <toi/base.h>

#if !defined(TOI_WITHOUT_ZLIB)
#include <zlib.h>
#endif

/* One open file. Lives on the caller's stack; what it points to belongs to the context. */
typedef struct toi_source {
  toi_context *context;
  const char *path;
  int file;
  uint64_t size; /* of a regular file that is not compressed; else 0 */
  bool compressed;
  bool inside; /* a gzip member has begun and not ended */
  bool ended;
#if !defined(TOI_WITHOUT_ZLIB)
  z_stream inflater;
#endif
  unsigned char *input; /* compressed bytes */
} toi_source;

/* Whether a name ends like this, as in ".csv.gz". */
bool toi_path_ends(const char *path, const char *ending);

/* Whether there is a file of this name that can be opened. */
bool toi_path_opens(const char *path);

/* Opens a file; a name that ends in .gz is decompressed on the way. Close it only if it was opened. */
toi_status toi_source_open(toi_source *source, toi_context *context, const char *path);

/* Reads until the buffer is full or the file ends: *got < size says that it ended. */
toi_status toi_source_read(toi_source *source, void *buffer, size_t size, size_t *got);

/* The same from a place in the file, without moving where toi_source_read() goes on; for sources with a size, from any
 * thread. */
toi_status toi_source_read_at(const toi_source *source, uint64_t offset, void *buffer, size_t size, size_t *got);

void toi_source_close(toi_source *source);

/* zlib's hooks for memory of a context, which is their first argument. */
void *toi_zlib_allocate(void *context, unsigned items, unsigned bytes);
void toi_zlib_free(void *context, void *pointer);

/* A whole file in memory of the context: `size` bytes, then zero bytes up to `capacity`, at least one. */
typedef struct toi_text {
  char *bytes;
  size_t size, capacity;
} toi_text;

toi_status toi_text_read(toi_context *context, const char *path, toi_text *text);
void toi_text_free(toi_context *context, toi_text *text);

#endif
