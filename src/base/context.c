/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A context's life: made whole or not at all, and nothing left behind.
 *
 * Promise: when any allocation on the way fails, what was taken is given back and the caller's pointer is NULL. */

#include "base/context.h"

#include <assert.h>
#include <unistd.h>

/* memory_budget == 0 means this. */
#define DEFAULT_BUDGET ((uint64_t)1 << 30)

toi_context_options toi_default_context_options(void) {
  return (toi_context_options){.magic = TOI_CONTEXT_OPTIONS_MAGIC,
                               .threads = 0,
                               .memory_budget = 0,
                               .allocator = {.resize = NULL, .user = NULL}};
}

static uint32_t online_cpus(void) {
  const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
  if (cpus < 1)
    return 1;
  return cpus > (long)TOI_THREADS_MAX ? TOI_THREADS_MAX : (uint32_t)cpus;
}

/* The fields that need no resource. */
static void fill(toi_context *context, const toi_context_options *options, toi_allocator allocator) {
  *context = (toi_context){.allocator = allocator,
                           .budget = options->memory_budget == 0 ? DEFAULT_BUDGET : options->memory_budget,
                           .bytes = sizeof *context,
                           .threads = options->threads == 0 ? online_cpus() : options->threads};
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

toi_status toi_context_create(const toi_context_options *options, toi_context **context) {
  if (context == NULL)
    return TOI_ERROR_INPUT;
  *context = NULL;
  const toi_context_options defaults = toi_default_context_options();
  if (options == NULL)
    options = &defaults;
  if (options->magic != TOI_CONTEXT_OPTIONS_MAGIC || options->threads > TOI_THREADS_MAX)
    return TOI_ERROR_OPTION;

  // The context counts against its own budget.
  toi_allocator allocator = options->allocator;
  if (allocator.resize == NULL)
    allocator.resize = toi_allocator_default;
  if (options->memory_budget != 0 && options->memory_budget < sizeof **context)
    return TOI_ERROR_MEMORY;
  toi_context *const made = (toi_context *)allocator.resize(allocator.user, NULL, 0, sizeof *made);
  if (made == NULL)
    return TOI_ERROR_MEMORY;

  fill(made, options, allocator);
  toi_status status = toi_pool_create(made);
  if (status != TOI_OK) {
    give_back(made);
    return status;
  }
  status = make_workers(made);
  if (status != TOI_OK) {
    toi_context_destroy(made);
    return status;
  }
  *context = made;
  return TOI_OK;
}

void toi_context_destroy(toi_context *context) {
  if (context == NULL)
    return;

  toi_pool_stop(context);

  // The last extension attached may lean on earlier ones, so it goes first.
  while (context->extensions != NULL) {
    toi_extension *const extension = context->extensions;
    context->extensions = extension->next;
    extension->close(context, extension);
  }
  toi_memory_release(context);
  assert(context->bytes == sizeof *context);
  toi_pool_destroy(context);
  give_back(context);
}

uint32_t toi_context_threads(const toi_context *context) {
  return context == NULL ? 0 : context->threads;
}

void toi_context_attach(toi_context *context, toi_extension *extension) {
  assert(context != NULL && extension != NULL && extension->close != NULL);
  extension->next = context->extensions;
  context->extensions = extension;
}

toi_extension *toi_context_extensions(const toi_context *context) {
  return context->extensions;
}
