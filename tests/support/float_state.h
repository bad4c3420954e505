/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The floating-point states that a caller may be in: roundings, flushing of subnormal numbers, traps. */

#ifndef TOI_TESTS_FLOAT_STATE_H
#define TOI_TESTS_FLOAT_STATE_H

#include <stdint.h>

#if defined(__x86_64__)

#include <immintrin.h>

/* MXCSR: 0-5 flags, 6 subnormal operands are zero, 7-12 no traps, 13-14 rounding, 15 subnormal results are zero. */
#define TEST_FLOAT_FLAGS UINT64_C(0x3f)
#define TEST_FLOAT_DEFAULT UINT64_C(0x1f80)

static inline uint64_t test_float_get(void) {
  return _mm_getcsr();
}

static inline void test_float_set(uint64_t state) {
  _mm_setcsr((unsigned)state);
}

static inline uint64_t test_float_state_of(uint64_t rounding, uint64_t operands, uint64_t results, uint64_t traps) {
  return rounding << 13 | operands << 6 | results << 15 | (traps ? 0 : TEST_FLOAT_DEFAULT);
}

#elif defined(__aarch64__)

/* FPCR in the upper half: 8-12 and 15 traps, which machines need not have, 22-23 rounding, 24 flushes both ways. FPSR,
 * with the flags, in the lower half. */
#define TEST_FLOAT_FLAGS UINT64_C(0xffffffff)
#define TEST_FLOAT_DEFAULT UINT64_C(0)

static inline uint64_t test_float_get(void) {
  uint64_t control, flags;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control)::"memory");
  __asm__ volatile("mrs %0, fpsr" : "=r"(flags)::"memory");
  return control << 32 | flags;
}

static inline void test_float_set(uint64_t state) {
  __asm__ volatile("msr fpcr, %0" ::"r"(state >> 32) : "memory");
  __asm__ volatile("msr fpsr, %0" ::"r"(state & TEST_FLOAT_FLAGS) : "memory");
}

static inline uint64_t test_float_state_of(uint64_t rounding, uint64_t operands, uint64_t results, uint64_t traps) {
  return (rounding << 22 | (operands | results) << 24 | (traps ? UINT64_C(0x9f00) : 0)) << 32;
}

#endif

/* All states by number, the default one first; in every other one an exception flag is up. */
#define TEST_FLOAT_STATES 32

static inline uint64_t test_float_state(unsigned number) {
  return test_float_state_of(number >> 3 & 3, number & 1, number >> 1 & 1, number >> 2 & 1) | (number & 1);
}

/* The state without its flags. */
static inline uint64_t test_float_control(uint64_t state) {
  return state & ~TEST_FLOAT_FLAGS;
}

/* What the machine made of the state that was set: it need not have all of it. */
static inline uint64_t test_float_enter(unsigned number) {
  test_float_set(test_float_state(number));
  return test_float_get();
}

/* Back to the default; returns what was there. */
static inline uint64_t test_float_leave(void) {
  const uint64_t state = test_float_get();
  test_float_set(TEST_FLOAT_DEFAULT);
  return state;
}

#endif
