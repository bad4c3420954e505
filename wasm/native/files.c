/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Files from memory, in the place of the system's: the library's readers open, look at and read them as they would on a
 * disk, so that every error is worded as it is there.
 *
 * The host adds the files of one call before it and removes them after. Their bytes are the host's, in the module's
 * memory. A file whose name ends in .gz is added as the host decompressed it, with what became of that. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <zlib.h>

#include "web.h"

#define FILES_MOST 64
#define FIRST_NUMBER 3 /* behind the standard streams, which do not exist here */

typedef struct memory_file {
  const char *name; /* NULL: none */
  const unsigned char *bytes;
  size_t size;
  size_t place; /* where read() goes on; a file is open once at a time */
  toi_web_gzip gzip;
} memory_file;

static memory_file files[FILES_MOST];
static toi_web_gzip last_gzip; /* of the file that was opened last */

TOI_WEB_EXPORT(toi_web_file_add)
bool toi_web_file_add(const char *name, const void *bytes, size_t size, toi_web_gzip gzip) {
  for (size_t i = 0; i < FILES_MOST; i++)
    if (files[i].name == NULL) {
      files[i] = (memory_file){.name = name, .bytes = bytes, .size = size, .gzip = gzip};
      return true;
    }
  return false;
}

TOI_WEB_EXPORT(toi_web_files_remove)
void toi_web_files_remove(void) {
  memset(files, 0, sizeof files);
}

static memory_file *file_of(int number) {
  const int i = number - FIRST_NUMBER;
  if (i >= 0 && i < FILES_MOST && files[i].name != NULL)
    return &files[i];
  errno = EBADF;
  return NULL;
}

int open(const char *path, int flags, ...) {
  (void)flags;
  for (int i = 0; i < FILES_MOST; i++)
    if (files[i].name != NULL && strcmp(files[i].name, path) == 0) {
      files[i].place = 0;
      last_gzip = files[i].gzip;
      return FIRST_NUMBER + i;
    }
  errno = ENOENT;
  return -1;
}

int close(int number) {
  return file_of(number) == NULL ? -1 : 0;
}

int fstat(int number, struct stat *facts) {
  const memory_file *file = file_of(number);
  if (file == NULL)
    return -1;
  memset(facts, 0, sizeof *facts);
  facts->st_mode = S_IFREG;
  facts->st_size = (off_t)file->size;
  return 0;
}

ssize_t pread(int number, void *buffer, size_t size, off_t place) {
  const memory_file *file = file_of(number);
  if (file == NULL)
    return -1;
  const size_t begin = place < 0 || (uint64_t)place > file->size ? file->size : (size_t)place;
  const size_t count = size < file->size - begin ? size : file->size - begin;
  memcpy(buffer, file->bytes + begin, count);
  return (ssize_t)count;
}

ssize_t read(int number, void *buffer, size_t size) {
  memory_file *file = file_of(number);
  if (file == NULL)
    return -1;
  const ssize_t count = pread(number, buffer, size, (off_t)file->place);
  file->place += (size_t)count;
  return count;
}

/* --- what was decompressed already --- */

int inflateInit2(z_stream *stream, int window) {
  (void)stream;
  (void)window;
  return Z_OK;
}

int inflateReset(z_stream *stream) {
  (void)stream;
  return Z_OK;
}

int inflateEnd(z_stream *stream) {
  (void)stream;
  return Z_OK;
}

/* A stream that the host found cut short never ends; a damaged one is damaged from its first byte. */
int inflate(z_stream *stream, int flush) {
  (void)flush;
  if (last_gzip == TOI_WEB_GZIP_DAMAGED)
    return Z_DATA_ERROR;
  const unsigned count = stream->avail_in < stream->avail_out ? stream->avail_in : stream->avail_out;
  memcpy(stream->next_out, stream->next_in, count);
  stream->next_in += count;
  stream->avail_in -= count;
  stream->next_out += count;
  stream->avail_out -= count;
  return last_gzip == TOI_WEB_GZIP_CUT ? Z_OK : Z_STREAM_END;
}
