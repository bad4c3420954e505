/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Arrays that grow while a file is read. */

#ifndef TOI_IO_ARRAY_H
#define TOI_IO_ARRAY_H

#include "base/internal.h"

/* Makes *room at least `count`, each of `size` bytes, and moves *array. */
static inline toi_status toi_array_reserve(toi_context *context, void **array, size_t *room, size_t size,
                                           size_t count) {
  if (count <= *room)
    return TOI_OK;
  if (count > SIZE_MAX / size)
    return toi_fail(context, TOI_ERROR_MEMORY, "%zu rows do not fit in memory", count);
  void *moved = toi_resize(context, *array, *room * size, count * size);
  if (moved == NULL)
    return TOI_ERROR_MEMORY;
  *array = moved;
  *room = count;
  return TOI_OK;
}

/* The next size of an array that grows on its own: twice what it was, so that all growth together costs little. */
static inline size_t toi_array_larger(size_t room) {
  return room < 1024 ? 1024 : 2 * room;
}

/* The array at its exact size; none if that is 0. */
static inline toi_status toi_array_shrink(toi_context *context, void **array, size_t *room, size_t size, size_t count) {
  if (count == *room)
    return TOI_OK;
  void *moved = toi_resize(context, *array, *room * size, count * size);
  if (moved == NULL && count > 0)
    return TOI_ERROR_MEMORY;
  *array = moved;
  *room = count;
  return TOI_OK;
}

#endif
