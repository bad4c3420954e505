/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Reserved room at the end of structs that the library fills in, and that the caller may fill in as well. */

#ifndef TOI_BASE_RESERVED_H
#define TOI_BASE_RESERVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the room is zero, as it must be until a later version gives it a meaning. */
static inline bool toi_reserved_is_zero(const uint64_t *room, size_t bytes) {
  for (size_t i = 0; i < bytes / sizeof *room; i++)
    if (room[i] != 0)
      return false;
  return true;
}

#endif
