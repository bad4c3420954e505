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

/* Doubles, one behind the other. */
typedef struct toi_numbers {
  double *values;
  size_t count, room;
} toi_numbers;

/* Room for `more` than there are; those behind `count` are the caller's to fill in. */
static inline toi_status toi_numbers_reserve(toi_context *context, toi_numbers *numbers, size_t more) {
  if (more <= numbers->room - numbers->count)
    return TOI_OK;
  const size_t larger = toi_array_larger(numbers->room), wanted = numbers->count + more;
  void *values = numbers->values;
  const toi_status status =
      toi_array_reserve(context, &values, &numbers->room, sizeof *numbers->values, larger > wanted ? larger : wanted);
  numbers->values = values;
  return status;
}

static inline void toi_numbers_free(toi_context *context, toi_numbers *numbers) {
  toi_free(context, numbers->values, numbers->room * sizeof *numbers->values);
  *numbers = (toi_numbers){0};
}

#endif
