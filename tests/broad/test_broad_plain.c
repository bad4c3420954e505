/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The same tests of all broad phases with the kernels of the architecture's baseline, whatever this CPU could do: the
 * library asks this function, because a program's own comes before that of a static library. */

#include "base/internal.h"

toi_simd toi_simd_best(void) {
  return TOI_SIMD_NATIVE_2;
}

#include "broad/test_broad.c"
