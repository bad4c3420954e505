/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* All broad phases on hard geometry, with the kernels of the architecture's baseline, whatever this CPU could do: the
 * library asks the function below, because a program's own comes before that of a static library. */

#include "base/internal.h"
#include "broad/geometry.h"

toi_simd toi_simd_best(void) {
  return TOI_SIMD_NATIVE_2;
}

int main(void) {
  return test_geometry();
}
