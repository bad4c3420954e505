/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The floating-point mode that every bound of the library assumes: round to nearest even, subnormal numbers kept, no
 * trap.
 *
 * Promise: between enter and leave that mode holds, whatever the caller's; after leave the caller's control bits and
 * exception flags are what they were. In the common case, a caller in the default mode, enter costs one read and one
 * comparison. On x86 doubles are computed by SSE; the control word of x87 counts too, because the C library looks
 * there for the rounding direction when it prints numbers, and functions of the caller's own may compute with it. */

#include "base/internal.h"

#if defined(TOI_FLOAT_MODE_X86)

#include <immintrin.h>

/* MXCSR in the lower half: 6 treats subnormal operands as zero; 7-12 mask the traps; 13-14 are the rounding direction;
 * 15 flushes subnormal results to zero; 0-5 are the exception flags. The x87 control word in the upper half: 0-5 mask
 * the traps, 10-11 are the rounding direction; the precision is the caller's. */
#define X87_MASKS UINT64_C(0x3f)
#define CONTROL_BITS (UINT64_C(0xffc0) | (X87_MASKS | UINT64_C(0xc00)) << 32)
#define CONTROL_DEFAULT (UINT64_C(0x1f80) | X87_MASKS << 32)

static uint64_t read_mode(void) {
  uint16_t x87;
  __asm__ volatile("fnstcw %0" : "=m"(x87)::"memory");
  return _mm_getcsr() | (uint64_t)x87 << 32;
}

static void write_flags(uint64_t mode) {
  _mm_setcsr((unsigned)mode);
}

static void write_mode(uint64_t mode) {
  const uint16_t x87 = (uint16_t)(mode >> 32);
  uint16_t raised;
  // Flags that a function of the caller's own has raised in x87 would trap as soon as their traps are enabled.
  __asm__ volatile("fnstsw %0" : "=m"(raised)::"memory");
  if ((raised & ~x87 & X87_MASKS) != 0)
    __asm__ volatile("fnclex" ::: "memory");
  __asm__ volatile("fldcw %0" ::"m"(x87) : "memory");
  write_flags(mode);
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

static void write_flags(uint64_t mode) {
  write_mode(mode);
}

#endif

#if defined(TOI_FLOAT_MODE_X86) || defined(__aarch64__)

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
  if (mode.changed)
    write_mode(mode.saved);
  else
    write_flags(mode.saved);
}

bool toi_float_mode_is_default(void) {
  return (read_mode() & CONTROL_BITS) == CONTROL_DEFAULT;
}

#elif defined(__wasm__)

/* WebAssembly has no other mode: it always rounds to nearest even, keeps subnormal numbers, and has neither traps nor
 * flags. */
toi_float_mode toi_float_mode_enter(void) {
  return (toi_float_mode){.saved = 0, .changed = false};
}

void toi_float_mode_leave(toi_float_mode mode) {
  (void)mode;
}

bool toi_float_mode_is_default(void) {
  return true;
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

void toi_float_mode_establish(void) {
  toi_float_mode_enter();
}
