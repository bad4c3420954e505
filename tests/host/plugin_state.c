/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A plug-in that works in the default floating-point state only, and fails in any other. */

#include <toi/plugin.h>

#include <fenv.h>
#include <stddef.h>

#if defined(__x86_64__)
#include <immintrin.h>
static bool traps_or_flushes(void) {
  return (_mm_getcsr() & 0xffc0u) != 0x1f80u;
}
#elif defined(__aarch64__)
static bool traps_or_flushes(void) {
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return (control & 0x03c89f07u) != 0;
}
#else
static bool traps_or_flushes(void) {
  return false;
}
#endif

static bool as_expected(void) {
  return fegetround() == FE_TONEAREST && !traps_or_flushes();
}

static void *create(void) {
  static char state;
  return as_expected() ? &state : NULL;
}

/* Leaves a mode behind, as a careless method may: the library sets its own again. */
static int answer(void *state, const toi_plugin_question *question, toi_plugin_answer *result) {
  (void)state;
  if (!as_expected())
    return 1;
  result->verdict = TOI_NEAR;
  result->t_lo = 0;
  result->t_hi = question->t_max;
  result->u = result->v = question->start[0][0];
  return fesetround(FE_UPWARD);
}

TOI_API const toi_plugin_method *toi_plugin_entry(void) {
  static const toi_plugin_method method = {
      .version = TOI_PLUGIN_VERSION, .name = "state", .promise = "none", .create = create, .answer = answer};
  return &method;
}
