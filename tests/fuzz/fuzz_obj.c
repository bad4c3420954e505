/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Meshes in .obj files, plain or gzipped. */

#include "fuzz/frames.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_frame("mesh.obj", data, size);
}
