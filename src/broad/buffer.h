/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#ifndef TOI_BROAD_BUFFER_H
#define TOI_BROAD_BUFFER_H

#include "base/internal.h"

/* Memory that grows and is kept; contents are not. */
typedef struct toi_buffer {
  void *bytes;
  size_t size;
} toi_buffer;

/* At least `size` bytes, 64-byte aligned; NULL, with the context's error set, if there is no memory. */
void *toi_buffer_reserve(toi_context *context, toi_buffer *buffer, size_t size);

#endif
