/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "narrow/kept.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#define ALIGNMENT 64

typedef struct kept_memory {
  void *bytes;
  size_t size;
  atomic_bool in_use; /* or about to be given back */
} kept_memory;

typedef struct keeper {
  toi_extension extension;
  kept_memory of[TOI_KEPT_COUNT];
} keeper;

static void give_up(toi_context *context, kept_memory *memory) {
  toi_free(context, memory->bytes, memory->size);
  memory->bytes = NULL;
  memory->size = 0;
}

static void trim(toi_context *context, toi_extension *extension) {
  keeper *all = (keeper *)extension;
  for (int i = 0; i < TOI_KEPT_COUNT; i++) {
    if (atomic_exchange(&all->of[i].in_use, true))
      continue;
    give_up(context, &all->of[i]);
    atomic_store(&all->of[i].in_use, false);
  }
}

static const toi_extension_type keeper_type = {.name = "narrow memory", .close = NULL, .trim = trim};

static keeper *keeper_of(toi_context *context) {
  for (toi_extension *at = toi_context_extensions(context); at; at = at->next)
    if (at->type == &keeper_type)
      return (keeper *)at;
  keeper *made = toi_allocate(context, sizeof *made);
  if (!made)
    return NULL;
  memset(made, 0, sizeof *made);
  made->extension.type = &keeper_type;
  toi_context_attach(context, &made->extension);
  return made;
}

bool toi_kept_prepare(toi_context *context) {
  return keeper_of(context) != NULL;
}

void *toi_kept_take(toi_context *context, toi_kept what, size_t size) {
  keeper *all = keeper_of(context);
  if (!all)
    return NULL;
  kept_memory *memory = &all->of[what];
  const bool taken = atomic_exchange(&memory->in_use, true);
  assert(!taken);
  if (taken)
    return NULL;
  if (memory->size < size + ALIGNMENT) {
    give_up(context, memory);
    memory->bytes = toi_allocate(context, size + ALIGNMENT);
    memory->size = memory->bytes ? size + ALIGNMENT : 0;
  }
  if (!memory->bytes) {
    atomic_store(&memory->in_use, false);
    return NULL;
  }
  const uintptr_t address = (uintptr_t)memory->bytes;
  return (char *)memory->bytes + (ALIGNMENT - address % ALIGNMENT) % ALIGNMENT;
}

void toi_kept_give(toi_context *context, toi_kept what) {
  keeper *all = keeper_of(context);
  assert(all && all->of[what].in_use);
  if (all)
    atomic_store(&all->of[what].in_use, false);
}
