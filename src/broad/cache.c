/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "broad/cache.h"

#include <string.h>

#define ALIGNMENT 64

static void free_buffer(toi_context *context, toi_buffer *buffer) {
  if (buffer->bytes)
    toi_free(context, buffer->bytes, buffer->size + ALIGNMENT);
  *buffer = (toi_buffer){NULL, 0};
}

void toi_broad_cache_clear(toi_context *context, toi_broad_cache *cache) {
  for (int i = 0; i < TOI_PRIMITIVE_COUNT; i++) {
    free_buffer(context, &cache->rows[i]);
    free_buffer(context, &cache->loose[i]);
  }
  free_buffer(context, &cache->sort);
  free_buffer(context, &cache->sinks);
  free_buffer(context, &cache->lists);
  free_buffer(context, &cache->trees_memory);
  for (size_t i = 0; i < sizeof(cache->trees) / sizeof(cache->trees[0]); i++)
    free_buffer(context, &cache->trees[i].order_memory);
}

void toi_broad_cache_begin(toi_broad_cache *cache) {
  atomic_store(&cache->in_use, true);
}

void toi_broad_cache_end(toi_broad_cache *cache) {
  atomic_store(&cache->in_use, false);
}

static void trim_cache(toi_context *context, toi_extension *extension) {
  toi_broad_cache *cache = (toi_broad_cache *)extension;
  if (atomic_exchange(&cache->in_use, true))
    return;
  toi_broad_cache_clear(context, cache);
  toi_broad_cache_end(cache);
}

static const toi_extension_type cache_type = {.name = "broad cache", .close = NULL, .trim = trim_cache};

toi_broad_cache *toi_broad_cache_of(toi_context *context) {
  for (toi_extension *at = toi_context_extensions(context); at; at = at->next)
    if (at->type == &cache_type)
      return (toi_broad_cache *)at;
  toi_broad_cache *cache = toi_allocate(context, sizeof(*cache));
  if (!cache)
    return NULL;
  memset(cache, 0, sizeof(*cache));
  toi_curve_make(&cache->curve);
  cache->extension.type = &cache_type;
  toi_context_attach(context, &cache->extension);
  return cache;
}

void *toi_buffer_reserve(toi_context *context, toi_buffer *buffer, size_t size) {
  if (buffer->size < size || !buffer->bytes) {
    // Nothing is cache, so freeing first keeps the peak low.
    free_buffer(context, buffer);
    buffer->bytes = toi_allocate(context, size + ALIGNMENT);
    if (!buffer->bytes)
      return NULL;
    buffer->size = size;
  }
  uintptr_t address = (uintptr_t)buffer->bytes;
  return (char *)buffer->bytes + (ALIGNMENT - address % ALIGNMENT) % ALIGNMENT;
}
