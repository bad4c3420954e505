/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How this room's writers fill an output without copying. */

#ifndef TOI_IO_OUTPUT_H
#define TOI_IO_OUTPUT_H

#include <toi/io.h>

toi_context *toi_output_context(const toi_output *output);
const char *toi_output_path(const toi_output *output);

/* Room for `size` bytes (at most 64 KiB) to write in place, then toi_output_advance() by those used. Fails if writing
 * failed, now or before. */
toi_status toi_output_reserve(toi_output *output, size_t size, char **room);
void toi_output_advance(toi_output *output, size_t size);

/* Remembers that a piece could not be written, so that the file will not appear without it; returns the status. */
toi_status toi_output_spoil(toi_output *output, toi_status status);

#endif
