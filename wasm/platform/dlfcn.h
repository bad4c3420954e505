/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Shared objects, of which there are none: every plug-in is refused with this sentence. */

#ifndef TOI_WASM_DLFCN_H
#define TOI_WASM_DLFCN_H

#include <stddef.h>

#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_LOCAL 0

static inline void *dlopen(const char *path, int flags) {
  (void)path;
  (void)flags;
  return NULL;
}

static inline void *dlsym(void *library, const char *name) {
  (void)library;
  (void)name;
  return NULL;
}

static inline int dlclose(void *library) {
  (void)library;
  return 0;
}

static inline char *dlerror(void) {
  return (char *)"WebAssembly has no plug-ins";
}

#endif
