/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The floating-point states that a host may run in. On x86-64 both units count: fesetround() and feenableexcept() set
 * the x87 unit too, and the C library looks there for the rounding direction when it reads and prints numbers. */

#include "host/host.h"

#if defined(__x86_64__)

#include <immintrin.h>

/* MXCSR: 0-5 flags, 6 subnormal operands are zero, 7-12 masks, 13-14 rounding, 15 subnormal results are zero. x87
 * control word, shifted up by 16 here: 0-5 masks, 8-9 precision, 10-11 rounding; status word: 0-5 flags. */
#define MXCSR_FLAGS UINT64_C(0x3f)
#define MXCSR_MASKS UINT64_C(0x1f80)
#define X87_MASKS UINT64_C(0x3f)
#define X87_DEFAULT UINT64_C(0x037f)

host_state host_state_get(void) {
  uint16_t control, status;
  __asm__ volatile("fnstcw %0" : "=m"(control));
  __asm__ volatile("fnstsw %0" : "=m"(status));
  const uint64_t mxcsr = _mm_getcsr();
  return (host_state){.control = (mxcsr & ~MXCSR_FLAGS) | (uint64_t)control << 16,
                      .flags = (mxcsr & MXCSR_FLAGS) | (uint64_t)(status & X87_MASKS) << 16};
}

void host_state_set(host_state state) {
  const uint16_t control = (uint16_t)(state.control >> 16);
  // Flags of the x87 unit raise their traps at its next instruction, so they are only ever cleared here.
  __asm__ volatile("fnclex");
  __asm__ volatile("fldcw %0" ::"m"(control));
  _mm_setcsr((unsigned)((state.control & 0xffff) | (state.flags & MXCSR_FLAGS)));
}

host_state host_state_default(void) {
  return (host_state){.control = MXCSR_MASKS | X87_DEFAULT << 16, .flags = 0};
}

host_state host_state_number(unsigned number) {
  const uint64_t rounding = number & 3, results = number >> 2 & 1, operands = number >> 3 & 1;
  const bool traps = (number >> 4 & 1) != 0;
  const uint64_t mxcsr = (traps ? 0 : MXCSR_MASKS) | rounding << 13 | results << 15 | operands << 6;
  const uint64_t x87 = (X87_DEFAULT & ~(traps ? X87_MASKS : 0)) | rounding << 10;
  // Some flags are up already, other ones in each state.
  return (host_state){.control = mxcsr | x87 << 16, .flags = (number * 11 + 5) & MXCSR_FLAGS};
}

#elif defined(__aarch64__)

/* FPCR: 8-12 and 15 traps, 19 and 24 flush to zero, 22-23 rounding. Bits that the machine lacks read as zero, so what
 * was set is read back. FPSR: 0-4 and 7 flags. */
#define FLAGS UINT64_C(0x9f)
#define TRAPS UINT64_C(0x9f00)

host_state host_state_get(void) {
  host_state state;
  __asm__ volatile("mrs %0, fpcr" : "=r"(state.control)::"memory");
  __asm__ volatile("mrs %0, fpsr" : "=r"(state.flags)::"memory");
  state.flags &= FLAGS;
  return state;
}

void host_state_set(host_state state) {
  __asm__ volatile("msr fpcr, %0" ::"r"(state.control) : "memory");
  __asm__ volatile("msr fpsr, %0" ::"r"(state.flags) : "memory");
}

host_state host_state_default(void) {
  return (host_state){0, 0};
}

host_state host_state_number(unsigned number) {
  const uint64_t rounding = number & 3, results = number >> 2 & 1, alternate = number >> 3 & 1;
  const uint64_t traps = (number >> 4 & 1) != 0 ? TRAPS : 0;
  const host_state before = host_state_get();
  host_state_set((host_state){.control = traps | rounding << 22 | results << 24 | alternate << 19, .flags = 0});
  host_state state = host_state_get();
  host_state_set(before);
  state.flags = (number * 11 + 5) & FLAGS;
  return state;
}

#else

#include <fenv.h>

/* Elsewhere the rounding directions are all that can be set. */
host_state host_state_get(void) {
  return (host_state){.control = (uint64_t)fegetround(), .flags = (uint64_t)fetestexcept(FE_ALL_EXCEPT)};
}

void host_state_set(host_state state) {
  fesetround((int)state.control);
  feclearexcept(FE_ALL_EXCEPT);
  feraiseexcept((int)state.flags);
}

host_state host_state_default(void) {
  return (host_state){.control = FE_TONEAREST, .flags = 0};
}

host_state host_state_number(unsigned number) {
  static const int directions[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  return (host_state){.control = (uint64_t)directions[number & 3], .flags = number >> 2 & 1 ? FE_INEXACT : 0};
}

#endif
