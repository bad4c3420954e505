/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A context's life: made whole or not at all, and nothing left behind.
 *
 * Promise: when any allocation on the way fails, what was taken is given back and the caller's pointer is NULL. */

#include "base/context.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/platform.h"

/* memory_budget == 0 means this. */
#define DEFAULT_BUDGET ((uint64_t)1 << 30)

#define LAYOUT TOI_LAYOUT(toi_context_options, allocator)

/* Static, so that its padding is zero: callers receive all of its bytes. */
static const toi_context_options defaults = {
    .size = sizeof(toi_context_options), .threads = 0, .memory_budget = 0, .allocator = {.resize = NULL, .user = NULL}};

void toi_context_options_init(toi_context_options *options, size_t size) {
  toi_init_struct(LAYOUT, &defaults, options, size);
}

static uint32_t online_cpus(void) {
  const uint32_t cpus = toi_processors();
  return cpus > TOI_THREADS_MAX ? TOI_THREADS_MAX : cpus;
}

/* The fields that need no resource. */
static void fill(toi_context *context, const toi_context_options *options, toi_allocator allocator) {
  *context = (toi_context){.allocator = allocator,
                           .budget = options->memory_budget == 0 ? DEFAULT_BUDGET : options->memory_budget,
                           .bytes = sizeof *context,
                           .threads = options->threads == 0 ? online_cpus() : options->threads,
                           .process = toi_process_id()};
  context->device_request.memory = options->device_memory;
  context->device_request.queue = options->device_queue;
  if (options->device != NULL)
    snprintf(context->device_request.name, sizeof context->device_request.name, "%s", options->device);
}

/* Frees the context itself, whose lock and condition variables are gone. */
static void give_back(toi_context *context) {
  const toi_allocator allocator = context->allocator;
  allocator.resize(allocator.user, context, sizeof *context, 0);
}

/* The workers' records; their threads start with the first parallel call. */
static toi_status make_workers(toi_context *context) {
  context->workers = (toi_worker *)toi_allocate(context, context->threads * sizeof *context->workers);
  if (context->workers == NULL)
    return TOI_ERROR_MEMORY;
  for (uint32_t i = 0; i < context->threads; i++)
    context->workers[i] = (toi_worker){.context = context, .number = i};
  return TOI_OK;
}

static TOI_APART void destroy(toi_context *context) {
  toi_pool_stop(context);

  toi_device_close(context);
  // The last extension attached may lean on earlier ones, so it goes first.
  while (context->extensions != NULL) {
    toi_extension *const extension = context->extensions;
    context->extensions = extension->next;
    if (extension->type->close != NULL)
      extension->type->close(context, extension);
  }
  toi_memory_release(context);
  assert(context->bytes == sizeof *context);
  toi_pool_destroy(context);
  give_back(context);
}

static TOI_APART toi_status create(const toi_context_options *options, toi_context **context) {
  toi_context_options taken = defaults;
  if (options != NULL && toi_take_options(NULL, LAYOUT, options, &taken) != TOI_OK)
    return TOI_ERROR_OPTION;
  if (taken.threads > TOI_THREADS_MAX)
    return TOI_ERROR_OPTION;
  if (taken.device != NULL && strlen(taken.device) >= sizeof(((toi_device_request *)0)->name))
    return TOI_ERROR_OPTION;

  // The context counts against its own budget.
  toi_allocator allocator = taken.allocator;
  if (allocator.resize == NULL)
    allocator.resize = toi_allocator_default;
  if (taken.memory_budget != 0 && taken.memory_budget < sizeof **context)
    return TOI_ERROR_MEMORY;
  toi_context *const made = (toi_context *)allocator.resize(allocator.user, NULL, 0, sizeof *made);
  if (made == NULL)
    return TOI_ERROR_MEMORY;

  fill(made, &taken, allocator);
  toi_status status = toi_pool_create(made);
  if (status != TOI_OK) {
    give_back(made);
    return status;
  }
  status = make_workers(made);
  if (status != TOI_OK) {
    destroy(made);
    return status;
  }
  *context = made;
  return TOI_OK;
}

toi_status toi_context_create(const toi_context_options *options, toi_context **context) {
  if (context == NULL)
    return TOI_ERROR_INPUT;
  *context = NULL;
  toi_call call;
  toi_call_begin(&call, NULL);
  const toi_status status = create(options, context);
  toi_call_end(&call);
  return status;
}

void toi_context_destroy(toi_context *context) {
  if (context == NULL)
    return;
  // No context: it does not live to the end of the call.
  toi_call call;
  toi_call_begin(&call, NULL);
  toi_pool_after_fork(context);
  if (!context->cut_off)
    destroy(context);
  toi_call_end(&call);
}

uint32_t toi_context_threads(const toi_context *context) {
  return context == NULL ? 0 : context->threads;
}

void toi_context_attach(toi_context *context, toi_extension *extension) {
  assert(context != NULL && extension != NULL && extension->type != NULL);
  extension->next = context->extensions;
  context->extensions = extension;
}

toi_extension *toi_context_extensions(const toi_context *context) {
  return context->extensions;
}
