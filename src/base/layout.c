/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Structs that grow from version to version, as the caller's compiler laid them out.
 *
 * Promise: a program that was compiled with an earlier header gets the defaults for what it does not know; one that was
 * compiled with a later header, or handed over memory that was never set, is refused. Nothing beyond the size that the
 * caller states is read or written. */

#include "base/internal.h"

#include <assert.h>
#include <string.h>

/* Every such struct begins with this. */
static size_t size_of(const void *given) {
  size_t size;
  memcpy(&size, given, sizeof size);
  return size;
}

static toi_status take(toi_context *context, toi_layout layout, const void *given, size_t size, void *taken) {
  assert(layout.first <= layout.now);
  if (size > layout.now)
    return toi_fail(context, TOI_ERROR_OPTION,
                    "%s has size %zu, and this library knows %zu; it was made for a newer libtoi, or never set",
                    layout.name, size, layout.now);
  if (size < layout.first)
    return toi_fail(context, TOI_ERROR_OPTION, "%s has size %zu, which no version has (%zu at least); set its size",
                    layout.name, size, layout.first);
  memcpy(taken, given, size);
  memcpy(taken, &layout.now, sizeof layout.now);
  return TOI_OK;
}

toi_status toi_take_options(toi_context *context, toi_layout layout, const void *given, void *taken) {
  if (given == NULL || size_of(given) == 0) {
    const size_t prefix = strncmp(layout.name, "toi_", 4) == 0 ? 4 : 0;
    return toi_fail(context, TOI_ERROR_OPTION, "%s was not set; start from toi_default_%s()", layout.name,
                    layout.name + prefix);
  }
  return take(context, layout, given, size_of(given), taken);
}

toi_status toi_take_description(toi_context *context, toi_layout layout, const void *given, void *taken) {
  if (given == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "%s is NULL; give one", layout.name);
  const size_t size = size_of(given);
  return take(context, layout, given, size == 0 ? layout.first : size, taken);
}

size_t toi_description_stride(toi_layout layout, const void *first) {
  const size_t size = size_of(first);
  return size == 0 ? layout.first : size;
}

void toi_init_struct(toi_layout layout, const void *defaults, void *made, size_t size) {
  if (made == NULL || size < sizeof size)
    return;
  memset(made, 0, size);
  if (defaults != NULL)
    memcpy(made, defaults, size < layout.now ? size : layout.now);
  memcpy(made, &size, sizeof size);
}
