/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A file that is written row by row, gzipped if its name ends in .gz; it appears whole or not at all. */

#ifndef TOI_IO_WRITER_H
#define TOI_IO_WRITER_H

#include <toi/io.h>

#include "io/source.h"

#define TOI_WRITER_BYTES ((size_t)64 << 10)

/* Rows are gathered in a block; full ones go to the file, through the deflater if there is one. Too large for a stack:
 * the caller allocates it. */
typedef struct toi_writer {
  toi_context *context;
  toi_output *output;
  toi_status status; /* of the first failure: nothing is written after it */
  bool compressed;
#if !defined(TOI_WITHOUT_ZLIB)
  z_stream deflater;
#endif
  size_t used;
  char block[TOI_WRITER_BYTES];
  unsigned char packed[TOI_WRITER_BYTES];
} toi_writer;

/* Close it only if it was opened. */
toi_status toi_writer_open(toi_writer *writer, toi_context *context, const char *path);

/* Room for a row of at most `size` bytes, at block + used; who fills it counts `used` up. NULL after a failure. */
char *toi_writer_room(toi_writer *writer, size_t size);

/* Ends the file: it appears if nothing failed. */
toi_status toi_writer_close(toi_writer *writer);

/* --- texts --- */

void toi_writer_text(toi_writer *writer, const char *text);

/* A finite double, so that reading it gives it back. */
void toi_writer_number(toi_writer *writer, double value);

/* [1,2,3] */
void toi_writer_numbers(toi_writer *writer, const double *values, size_t count);

#endif
