/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The floating-point mode that every bound of the library assumes: round to nearest even, subnormal numbers kept, no
 * trap.
 *
 * Promise: between enter and leave that mode holds, whatever the caller's; after leave the caller's control bits and
 * exception flags are what they were. In the common case, a caller in the default mode, enter costs one read and one
 * comparison. Only the unit that computes with doubles is looked at: on x86-64 that is SSE, not x87. */

#include "base/internal.h"

#if defined(__x86_64__)

#include <immintrin.h>

/* MXCSR: 6 treats subnormal operands as zero; 7-12 mask the traps; 13-14 are the rounding direction; 15 flushes
 * subnormal results to zero. Bits 0-5 are the exception flags. */
#define CONTROL_BITS UINT64_C(0xffc0)
#define CONTROL_DEFAULT UINT64_C(0x1f80)

static uint64_t read_mode(void) {
  return _mm_getcsr();
}

static void write_mode(uint64_t mode) {
  _mm_setcsr((unsigned)mode);
}

#elif defined(__aarch64__)

/* FPCR in the upper half: 0-2 alternate handling; 8-12 and 15 enable traps; 19 and 24 flush to zero; 22-23 are the
 * rounding direction; 25 replaces NaNs. FPSR, with the exception flags, in the lower half. */
#define CONTROL_BITS (UINT64_C(0x03c89f07) << 32)
#define CONTROL_DEFAULT UINT64_C(0)

static uint64_t read_mode(void) {
  uint64_t control, flags;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control)::"memory");
  __asm__ volatile("mrs %0, fpsr" : "=r"(flags)::"memory");
  return control << 32 | (flags & UINT64_C(0xffffffff));
}

static void write_mode(uint64_t mode) {
  const uint64_t control = mode >> 32, flags = mode & UINT64_C(0xffffffff);
  __asm__ volatile("msr fpcr, %0" ::"r"(control) : "memory");
  __asm__ volatile("msr fpsr, %0" ::"r"(flags) : "memory");
}

#endif

#if defined(__x86_64__) || defined(__aarch64__)

toi_float_mode toi_float_mode_enter(void) {
  toi_float_mode mode = {.saved = read_mode(), .changed = false};
  if ((mode.saved & CONTROL_BITS) == CONTROL_DEFAULT)
    return mode;
  mode.changed = true;
  write_mode((mode.saved & ~CONTROL_BITS) | CONTROL_DEFAULT);
  return mode;
}

void toi_float_mode_leave(toi_float_mode mode) {
  // Even where the mode was the default: the flags that our arithmetic raised are not the caller's. Writing costs less
  // than reading to see whether one differs.
  write_mode(mode.saved);
}

bool toi_float_mode_is_default(void) {
  return (read_mode() & CONTROL_BITS) == CONTROL_DEFAULT;
}

#else

#include <float.h>

/* Elsewhere <fenv.h> is all there is: it neither shows traps nor flushing, so the default is always established. */
toi_float_mode toi_float_mode_enter(void) {
  toi_float_mode mode = {.changed = true};
  fegetenv(&mode.saved);
  fesetenv(FE_DFL_ENV);
  return mode;
}

void toi_float_mode_leave(toi_float_mode mode) {
  fesetenv(&mode.saved);
}

bool toi_float_mode_is_default(void) {
  volatile const double smallest = DBL_MIN;
  return fegetround() == FE_TONEAREST && smallest / 2 > 0;
}

#endif
