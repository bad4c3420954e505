/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How kernels ask the compiler for straight code. */

#ifndef TOI_NUMBER_UNROLL_H
#define TOI_NUMBER_UNROLL_H

/* Kernels are one function to the compiler: the number of corners is a constant in each, and values stay in registers.
 */
#define TOI_INLINE static inline __attribute__((always_inline))

/* Before a loop over times, corners or axes: it must not remain a loop, or its arrays would live in memory. Builds with
 * sanitizers, where every unrolled access is checked, would only become slow to compile. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TOI_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(TOI_SANITIZED)
#define TOI_UNROLL
#elif defined(__clang__)
#define TOI_UNROLL _Pragma("clang loop unroll(full)")
#else
#define TOI_UNROLL _Pragma("GCC unroll 12")
#endif

#endif
