/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "broad/kept.h"

#include <string.h>

#define ALIGNMENT 64

/* All memory of a context ends with it: there is nothing to do. The address tells this extension from others. */
static void close_kept(toi_context *context, toi_extension *extension) {
  (void)context;
  (void)extension;
}

toi_kept *toi_kept_of(toi_context *context) {
  for (toi_extension *at = toi_context_extensions(context); at; at = at->next)
    if (at->close == close_kept)
      return (toi_kept *)at;
  toi_kept *kept = toi_allocate(context, sizeof(*kept));
  if (!kept)
    return NULL;
  memset(kept, 0, sizeof(*kept));
  toi_curve_make(&kept->curve);
  kept->extension.close = close_kept;
  toi_context_attach(context, &kept->extension);
  return kept;
}

void *toi_buffer_reserve(toi_context *context, toi_buffer *buffer, size_t size) {
  if (buffer->size < size || !buffer->bytes) {
    /* Nothing is kept, so freeing first keeps the peak low. */
    if (buffer->bytes)
      toi_free(context, buffer->bytes, buffer->size + ALIGNMENT);
    buffer->bytes = toi_allocate(context, size + ALIGNMENT);
    buffer->size = buffer->bytes ? size : 0;
    if (!buffer->bytes)
      return NULL;
  }
  uintptr_t address = (uintptr_t)buffer->bytes;
  return (char *)buffer->bytes + (ALIGNMENT - address % ALIGNMENT) % ALIGNMENT;
}
