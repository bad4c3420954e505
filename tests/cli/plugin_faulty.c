/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Plug-ins that must be refused, or that fail: one for each FAULT_ macro the build defines. */

#include <stddef.h>
#include <toi/plugin.h>

#if !defined(FAULT_NO_ENTRY)

#if defined(FAULT_OTHER_VERSION)
#define VERSION (TOI_PLUGIN_VERSION + 1)
#else
#define VERSION TOI_PLUGIN_VERSION
#endif

#if defined(FAULT_TAKEN_NAME)
#define NAME "exact"
#elif defined(FAULT_NO_NAME)
#define NAME NULL
#else
#define NAME "faulty"
#endif

#if defined(FAULT_NO_STATE)
static void *create(void) {
  return NULL;
}
#define CREATE create
#else
#define CREATE NULL
#endif

static int answer(void *state, const toi_plugin_question *question, toi_plugin_answer *result) {
  (void)state;
  (void)question;
#if defined(FAULT_BAD_VERDICT)
  result->verdict = (toi_verdict)7;
#else
  result->verdict = TOI_NEAR;
#endif
#if defined(FAULT_GIVES_UP)
  return 1;
#else
  return 0;
#endif
}

TOI_API const toi_plugin_method *toi_plugin_entry(void) {
  static const toi_plugin_method method = {VERSION, NAME, "none", CREATE, NULL, answer};
  return &method;
}

#endif
