/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The C library's, and what it leaves out: paths, of which a module has none. */

#ifndef TOI_WASM_STDLIB_H
#define TOI_WASM_STDLIB_H

#include_next <stdlib.h>

static inline char *realpath(const char *path, char *absolute) {
  (void)path;
  (void)absolute;
  return NULL;
}

#endif
