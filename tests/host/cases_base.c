/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* base.h: statuses and contexts. */

#include "host/cases.h"

static void status_text(host_run *run) {
  for (int status = -1; status < 12; status++) {
    const char *text;
    HOST_CALL(run, text, toi_status_text, ((toi_status)status));
    HOST_CHECK(run, text != NULL);
    host_text(run, "text", text);
  }
}

static void version(host_run *run) {
  const char *text;
  HOST_CALL(run, text, toi_version, ());
  host_text(run, "version", text);
}

/* A context of its own, so that what it holds does not depend on earlier calls. */
static void context(host_run *run) {
  toi_context_options options;
  HOST_DO(run, toi_context_options_init, (&options, sizeof options));
  options.threads = run->threads;
  options.allocator = run->allocator;
  toi_context *made = host_nowhere();
  toi_status status;
  HOST_CALL(run, status, toi_context_create, (&options, &made));
  if (!host_status(run, status)) {
    HOST_CHECK(run, made == NULL);
    return;
  }
  uint32_t threads;
  HOST_CALL(run, threads, toi_context_threads, (made));
  HOST_CHECK(run, threads == run->threads);
  uint64_t bytes;
  HOST_CALL(run, bytes, toi_context_bytes, (made));
  HOST_CHECK(run, bytes > 0);
  const char *text;
  HOST_CALL(run, text, toi_context_error, (made));
  host_text(run, "error", text);

  // No device is asked for: OpenCL is not loaded.
  toi_device_info info;
  HOST_CALL(run, status, toi_context_device, (made, &info));
  HOST_CHECK(run, status == TOI_OK && !info.usable);
  HOST_CALL(run, text, toi_context_warning, (made));
  HOST_CHECK(run, text[0] == '\0');
  HOST_CALL(run, status, toi_device_count, (made, NULL));
  HOST_CHECK(run, status == TOI_ERROR_INPUT);
  HOST_CALL(run, status, toi_device_describe, (made, 0, false, NULL));
  HOST_CHECK(run, status == TOI_ERROR_INPUT);

  // A failure leaves a sentence.
  HOST_CALL(run, status, toi_mesh_check, (made, NULL));
  HOST_CHECK(run, status == TOI_ERROR_INPUT);
  HOST_CALL(run, text, toi_context_error, (made));
  HOST_CHECK(run, text[0] != '\0');
  host_text(run, "error", text);
  HOST_DO(run, toi_context_destroy, (made));
}

static void context_destroy(host_run *run) {
  HOST_DO(run, toi_context_destroy, (NULL));
}

const host_case host_base_cases[] = {{"toi_status_text", status_text, HOST_ONCE},
                                     {"toi_version", version, HOST_ONCE},
                                     {"toi_context_create", context, HOST_ONCE},
                                     {"toi_context_destroy", context_destroy, HOST_ONCE},
                                     {NULL, NULL, 0}};
