/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Running a case: its context, the calls it makes, the digest of its answers, and what is wrong with them. */

#include "host/host.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *functions[HOST_FUNCTIONS];
static size_t function_count;

const char *host_input_name(host_input input) {
  static const char *const names[HOST_INPUT_COUNT] = {"ordinary", "subnormal", "resting", "huge", "spread", "refused"};
  return names[input];
}

void host_run_init(host_run *run, host_input input, uint32_t threads) {
  memset(run, 0, sizeof *run);
  run->input = input;
  run->threads = threads;
  run->caller = pthread_self();
  run->function = "";
  pthread_mutex_init(&run->lock, NULL);
}

bool host_run_open(host_run *run) {
  toi_context_options options;
  HOST_DO(run, toi_context_options_init, (&options, sizeof options));
  options.threads = run->threads;
  options.allocator = run->allocator;
  toi_status status;
  run->context = (toi_context *)run;
  HOST_CALL(run, status, toi_context_create, (&options, &run->context));
  HOST_CHECK(run, status == TOI_OK || status == TOI_ERROR_MEMORY);
  HOST_CHECK(run, (status == TOI_OK) == (run->context != NULL));
  return run->context != NULL;
}

void host_run_body(host_run *run, const host_case *one) {
  run->item_count = 0;
  run->short_of_memory = false;
  one->body(run);
}

void host_run_close(host_run *run) {
  HOST_DO(run, toi_context_destroy, (run->context));
  run->context = NULL;
}

void host_fault(host_run *run, const char *format, ...) {
  pthread_mutex_lock(&run->lock);
  if (run->fault[0] == '\0') {
    const int length = snprintf(run->fault, sizeof run->fault, "%s on %s input, %u threads: ", run->function,
                                host_input_name(run->input), (unsigned)run->threads);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->fault + length, sizeof run->fault - (size_t)length, format, arguments);
    va_end(arguments);
  }
  pthread_mutex_unlock(&run->lock);
}

void host_compare(host_run *run, const host_run *usual) {
  const size_t count = run->item_count < usual->item_count ? run->item_count : usual->item_count;
  for (size_t i = 0; i < count; i++) {
    const host_item *a = &run->items[i], *b = &usual->items[i];
    if (a->hash == b->hash && strcmp(a->function, b->function) == 0)
      continue;
    run->function = a->function;
    host_fault(run, "%s (answer %zu) has other bits than usual", a->what, i);
    return;
  }
  if (run->item_count != usual->item_count)
    host_fault(run, "%zu answers instead of %zu", run->item_count, usual->item_count);
}

size_t host_functions(const char *const **names) {
  *names = functions;
  return function_count;
}

/* Names are literals: mostly the pointer is already there. */
static void note_function(const char *function) {
  for (size_t i = 0; i < function_count; i++)
    if (functions[i] == function || strcmp(functions[i], function) == 0)
      return;
  if (function_count < HOST_FUNCTIONS)
    functions[function_count++] = function;
}

void host_before(host_run *run, const char *function) {
  note_function(function);
  run->function = function;
  run->visits = 0;
  if (run->before != NULL)
    run->before(run);
}

void host_after(host_run *run) {
  if (run->after != NULL)
    run->after(run);
}

void host_called(host_run *run, host_role role) {
  if (run->called != NULL)
    run->called(run, role);
  run->visits++;
}

bool host_progress(void *user, double done) {
  (void)done;
  host_called(user, HOST_RECEIVES);
  return true;
}

bool host_cancel(void *user, double done) {
  return !host_progress(user, done);
}

/* FNV-1a, mixed at the end so that sums of hashes tell as much. */
static uint64_t hash_of(const void *bits, size_t size) {
  const unsigned char *bytes = bits;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
  hash = (hash ^ hash >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
  return hash ^ hash >> 29;
}

void host_bits(host_run *run, const char *what, const void *bits, size_t size) {
  const uint64_t hash = hash_of(bits, size);
  if (run->item_count < HOST_ITEMS) {
    run->items[run->item_count++] = (host_item){run->function, what, hash};
    return;
  }
  host_item *last = &run->items[HOST_ITEMS - 1];
  last->hash = last->hash * 3 + hash;
}

void host_text(host_run *run, const char *what, const char *text) {
  host_bits(run, what, text != NULL ? text : "\1", text != NULL ? strlen(text) : 1);
}

void host_sum(uint64_t *sum, const void *bits, size_t size) {
  *sum += hash_of(bits, size);
}

bool host_status(host_run *run, toi_status status) {
  HOST_BITS(run, status);
  if (status == TOI_ERROR_MEMORY)
    run->short_of_memory = true;
  return status == TOI_OK;
}

bool host_context_status(host_run *run, toi_status status) {
  if (host_status(run, status))
    return true;
  const char *function = run->function, *text;
  HOST_CALL(run, text, toi_context_error, (run->context));
  run->function = function;
  HOST_CHECK(run, text != NULL && text[0] != '\0');
  host_text(run, "error", text);
  return false;
}

size_t host_share(const host_run *run, size_t full) {
  return run->input == HOST_SUBNORMAL || run->input == HOST_HUGE || run->input == HOST_SPREAD ? (full + 3) / 4 : full;
}

void *host_nowhere(void) {
  static max_align_t nothing;
  return &nothing;
}

void host_spoil(void *bits, size_t size) {
  memset(bits, 0xa5, size);
}
