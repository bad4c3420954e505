/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which kernels this CPU runs. The answer affects speed only: all kernels give the same bits. */

#include "base/internal.h"

toi_simd toi_simd_best(void) {
#if defined(__x86_64__)
  // Both ask the operating system too: a CPU with wide registers that are not saved does not count.
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return TOI_SIMD_AVX2;
  return TOI_SIMD_NATIVE_2;
#elif defined(__aarch64__) || defined(__wasm_simd128__)
  return TOI_SIMD_NATIVE_2;
#else
  return TOI_SIMD_SCALAR;
#endif
}
