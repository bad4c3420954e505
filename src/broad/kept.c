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

static void free_buffer(toi_context *context, toi_buffer *buffer) {
  if (buffer->bytes)
    toi_free(context, buffer->bytes, buffer->size + ALIGNMENT);
  *buffer = (toi_buffer){NULL, 0};
}

void toi_kept_clear(toi_context *context, toi_kept *kept) {
  for (int i = 0; i < TOI_PRIMITIVE_COUNT; i++) {
    free_buffer(context, &kept->rows[i]);
    free_buffer(context, &kept->loose[i]);
  }
  free_buffer(context, &kept->sort);
  free_buffer(context, &kept->sinks);
  free_buffer(context, &kept->lists);
  free_buffer(context, &kept->trees_memory);
  for (size_t i = 0; i < sizeof(kept->trees) / sizeof(kept->trees[0]); i++)
    free_buffer(context, &kept->trees[i].order_memory);
}

void toi_kept_begin(toi_kept *kept) {
  atomic_store(&kept->in_use, true);
}

void toi_kept_end(toi_kept *kept) {
  atomic_store(&kept->in_use, false);
}

static void trim_kept(toi_context *context, toi_extension *extension) {
  toi_kept *kept = (toi_kept *)extension;
  if (atomic_exchange(&kept->in_use, true))
    return;
  toi_kept_clear(context, kept);
  toi_kept_end(kept);
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
  kept->extension.trim = trim_kept;
  toi_context_attach(context, &kept->extension);
  return kept;
}

void *toi_buffer_reserve(toi_context *context, toi_buffer *buffer, size_t size) {
  if (buffer->size < size || !buffer->bytes) {
    /* Nothing is kept, so freeing first keeps the peak low. */
    free_buffer(context, buffer);
    buffer->bytes = toi_allocate(context, size + ALIGNMENT);
    if (!buffer->bytes)
      return NULL;
    buffer->size = size;
  }
  uintptr_t address = (uintptr_t)buffer->bytes;
  return (char *)buffer->bytes + (ALIGNMENT - address % ALIGNMENT) % ALIGNMENT;
}
