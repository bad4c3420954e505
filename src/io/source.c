/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The bytes of a file, gzipped or not, in order.
 *
 * Files are read, not mapped: a file that somebody truncates meanwhile gives a short read, not a signal, and pipes work
 * too. zlib takes its memory from the context. A gzip file may have several members, as concatenation makes them;
 * one that ends early, or is followed by something else, is refused. */

#include "io/source.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/internal.h"
#include "base/platform.h"

#define INPUT_BYTES 65536
#define FIRST_TEXT_BYTES 65536

bool toi_path_ends(const char *path, const char *ending) {
  size_t length = strlen(path), end = strlen(ending);
  return length >= end && strcmp(path + length - end, ending) == 0;
}

bool toi_path_opens(const char *path) {
  const int file = toi_file_open(path);
  if (file >= 0)
    toi_file_close(file);
  return file >= 0;
}

static toi_status fail_errno(const toi_source *source) {
  return toi_fail(source->context, TOI_ERROR_FILE, "%s: cannot be read: %s; check the name and its permissions",
                  source->path, strerror(errno));
}

static toi_status read_some(toi_source *source, void *buffer, size_t size, size_t *got) {
  const int64_t count = toi_file_read(source->file, buffer, size);
  if (count < 0)
    return fail_errno(source);
  *got = (size_t)count;
  return TOI_OK;
}

/* --- gzip --- */

#if !defined(TOI_WITHOUT_ZLIB)

/* zlib frees without a size, so it is kept in front of each block. */
#define BLOCK_HEADER 16

static_assert(sizeof(size_t) <= BLOCK_HEADER, "a block's size fits in front of it");

void *toi_zlib_allocate(void *context, unsigned items, unsigned bytes) {
  size_t size = (size_t)items * bytes + BLOCK_HEADER;
  char *block = toi_allocate(context, size);
  if (block == NULL)
    return NULL;
  memcpy(block, &size, sizeof size);
  return block + BLOCK_HEADER;
}

void toi_zlib_free(void *context, void *pointer) {
  char *block = (char *)pointer - BLOCK_HEADER;
  size_t size;
  memcpy(&size, block, sizeof size);
  toi_free(context, block, size);
}

static toi_status inflater_open(toi_source *source) {
  source->input = toi_allocate(source->context, INPUT_BYTES);
  if (source->input == NULL)
    return TOI_ERROR_MEMORY;
  source->inflater.zalloc = toi_zlib_allocate;
  source->inflater.zfree = toi_zlib_free;
  source->inflater.opaque = source->context;
  const int gzip_only = 15 + 16; /* zlib's code for a 32 KiB window and gzip's header */
  if (inflateInit2(&source->inflater, gzip_only) != Z_OK) {
    toi_free(source->context, source->input, INPUT_BYTES);
    return TOI_ERROR_MEMORY;
  }
  return TOI_OK;
}

/* Gets more compressed bytes; at the end of the file, decides whether it may end there. */
static toi_status refill(toi_source *source) {
  size_t count = 0;
  toi_status status = read_some(source, source->input, INPUT_BYTES, &count);
  if (status != TOI_OK)
    return status;
  source->inflater.next_in = source->input;
  source->inflater.avail_in = (unsigned)count;
  source->ended = count == 0;
  if (source->ended && source->inside)
    return toi_fail(source->context, TOI_ERROR_FORMAT, "%s: the gzip data ends early; restore the file", source->path);
  return TOI_OK;
}

static toi_status inflate_some(toi_source *source) {
  source->inside = true;
  int result = inflate(&source->inflater, Z_NO_FLUSH);
  if (result == Z_STREAM_END) {
    source->inside = false;
    result = inflateReset(&source->inflater);
  }
  if (result == Z_MEM_ERROR)
    return TOI_ERROR_MEMORY;
  if (result != Z_OK && result != Z_BUF_ERROR)
    return toi_fail(source->context, TOI_ERROR_FORMAT, "%s: not gzip data, or damaged; restore the file", source->path);
  return TOI_OK;
}

static toi_status read_compressed(toi_source *source, char *buffer, size_t size, size_t *got) {
  while (*got < size && !source->ended) {
    if (source->inflater.avail_in == 0) {
      toi_status status = refill(source);
      if (status != TOI_OK || source->ended)
        return status;
    }
    // zlib counts in unsigned: a large buffer is filled in pieces.
    size_t room = size - *got < INPUT_BYTES ? size - *got : INPUT_BYTES;
    source->inflater.next_out = (unsigned char *)buffer + *got;
    source->inflater.avail_out = (unsigned)room;
    toi_status status = inflate_some(source);
    if (status != TOI_OK)
      return status;
    *got += room - source->inflater.avail_out;
  }
  return TOI_OK;
}

static void inflater_close(toi_source *source) {
  inflateEnd(&source->inflater);
  toi_free(source->context, source->input, INPUT_BYTES);
}

#else

/* Built without zlib: a gzipped file is refused. */
static toi_status inflater_open(toi_source *source) {
  return toi_fail(source->context, TOI_ERROR_UNSUPPORTED,
                  "%s: this library was built without zlib; unpack the file first", source->path);
}

static toi_status read_compressed(toi_source *source, char *buffer, size_t size, size_t *got) {
  (void)buffer, (void)size, (void)got;
  return inflater_open(source);
}

static void inflater_close(toi_source *source) {
  (void)source;
}

#endif

/* --- files --- */

toi_status toi_source_open(toi_source *source, toi_context *context, const char *path) {
  memset(source, 0, sizeof *source);
  source->context = context;
  source->path = path;
  source->file = toi_file_open(path);
  if (source->file < 0)
    return fail_errno(source);

  source->compressed = toi_path_ends(path, ".gz");
  if (!source->compressed)
    source->size = toi_file_size(source->file);
  toi_status status = source->compressed ? inflater_open(source) : TOI_OK;
  if (status != TOI_OK)
    toi_file_close(source->file);
  return status;
}

static toi_status read_plain(toi_source *source, char *buffer, size_t size, size_t *got) {
  while (*got < size) {
    size_t count = 0;
    toi_status status = read_some(source, buffer + *got, size - *got, &count);
    if (status != TOI_OK)
      return status;
    if (count == 0)
      break;
    *got += count;
  }
  return TOI_OK;
}

toi_status toi_source_read(toi_source *source, void *buffer, size_t size, size_t *got) {
  *got = 0;
  return source->compressed ? read_compressed(source, buffer, size, got) : read_plain(source, buffer, size, got);
}

toi_status toi_source_read_at(const toi_source *source, uint64_t offset, void *buffer, size_t size, size_t *got) {
  assert(source->size > 0);
  *got = 0;
  while (*got < size) {
    const int64_t count = toi_file_read_at(source->file, offset + *got, (char *)buffer + *got, size - *got);
    if (count < 0)
      return fail_errno(source);
    if (count == 0)
      break;
    *got += (size_t)count;
  }
  return TOI_OK;
}

void toi_source_close(toi_source *source) {
  if (source->compressed)
    inflater_close(source);
  toi_file_close(source->file);
}

/* Doubles the buffer until the file ends short of it. */
static toi_status text_fill(toi_source *source, toi_text *text) {
  for (;;) {
    size_t got;
    toi_status status = toi_source_read(source, text->bytes + text->size, text->capacity - text->size, &got);
    if (status != TOI_OK)
      return status;
    text->size += got;
    if (text->size < text->capacity) {
      memset(text->bytes + text->size, 0, text->capacity - text->size);
      return TOI_OK;
    }
    char *larger = toi_resize(source->context, text->bytes, text->capacity, 2 * text->capacity);
    if (larger == NULL)
      return TOI_ERROR_MEMORY;
    text->bytes = larger;
    text->capacity *= 2;
  }
}

toi_status toi_text_read(toi_context *context, const char *path, toi_text *text) {
  *text = (toi_text){0};
  toi_source source;
  toi_status status = toi_source_open(&source, context, path);
  if (status != TOI_OK)
    return status;
  text->capacity = source.size > 0 ? (size_t)source.size + 1 : FIRST_TEXT_BYTES;
  text->bytes = toi_allocate(context, text->capacity);
  status = text->bytes == NULL ? TOI_ERROR_MEMORY : text_fill(&source, text);
  toi_source_close(&source);
  if (status != TOI_OK)
    toi_text_free(context, text);
  return status;
}

void toi_text_free(toi_context *context, toi_text *text) {
  if (text->bytes != NULL)
    toi_free(context, text->bytes, text->capacity);
  *text = (toi_text){0};
}
