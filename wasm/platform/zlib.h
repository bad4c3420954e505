/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the reader of files asks of zlib. The host has decompressed the bytes already, or found that it cannot: so
 * inflate() hands them through, and says at their end what the host found; files.c. */

#ifndef TOI_WASM_ZLIB_H
#define TOI_WASM_ZLIB_H

#define Z_OK 0
#define Z_STREAM_END 1
#define Z_DATA_ERROR (-3)
#define Z_MEM_ERROR (-4)
#define Z_BUF_ERROR (-5)
#define Z_NO_FLUSH 0

typedef struct z_stream {
  unsigned char *next_in, *next_out;
  unsigned avail_in, avail_out;
  void *(*zalloc)(void *opaque, unsigned items, unsigned bytes);
  void (*zfree)(void *opaque, void *pointer);
  void *opaque;
} z_stream;

int inflateInit2(z_stream *stream, int window);
int inflate(z_stream *stream, int flush);
int inflateReset(z_stream *stream);
int inflateEnd(z_stream *stream);

#endif
