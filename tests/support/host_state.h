/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Floating-point states that a host may run in when it calls the library. */

#ifndef TOI_TESTS_SUPPORT_HOST_STATE_H
#define TOI_TESTS_SUPPORT_HOST_STATE_H

#include <stdbool.h>
#include <stdint.h>

/* Control bits, and exception flags where they are in the same register. */
#if defined(__x86_64__)

#include <immintrin.h>

#define HOST_STATES_SET 1
#define HOST_DEFAULT UINT64_C(0x1f80)  /* nearest, subnormal numbers kept, all traps masked, no flags */
#define HOST_FLUSHING UINT64_C(0x9fc0) /* results and operands */
#define HOST_TRAPPING UINT64_C(0x0000) /* every exception, inexact ones among them */
#define HOST_UPWARD UINT64_C(0x5f80)
#define HOST_FLAGGED UINT64_C(0x1f84) /* as the default, divided by zero before */

static inline uint64_t host_state_get(void) {
  return _mm_getcsr();
}

static inline void host_state_set(uint64_t state) {
  _mm_setcsr((unsigned)state);
}

#elif defined(__aarch64__)

#define HOST_STATES_SET 1
#define HOST_DEFAULT UINT64_C(0)
#define HOST_FLUSHING (UINT64_C(1) << 24)
#define HOST_TRAPPING UINT64_C(0) /* most processors have no traps */
#define HOST_UPWARD (UINT64_C(1) << 22)
#define HOST_FLAGGED UINT64_C(0)

static inline uint64_t host_state_get(void) {
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control)::"memory");
  return control;
}

static inline void host_state_set(uint64_t state) {
  __asm__ volatile("msr fpcr, %0" ::"r"(state) : "memory");
}

#else

#define HOST_STATES_SET 0
#define HOST_DEFAULT UINT64_C(0)
#define HOST_FLUSHING UINT64_C(0)
#define HOST_TRAPPING UINT64_C(0)
#define HOST_UPWARD UINT64_C(0)
#define HOST_FLAGGED UINT64_C(0)

static inline uint64_t host_state_get(void) {
  return 0;
}

static inline void host_state_set(uint64_t state) {
  (void)state;
}

#endif

#endif
