/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* See owner.h. Things are pushed onto the list one by one and taken from it all at once, so that one atomic pointer is
 * enough for it. */

#include "owner.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct owned {
  owner *of;
  void *thing;
  owned_destroy destroy;
  owned *next;
};

struct owner {
  toi_context *context;
  atomic_size_t references;
  atomic_bool in_use;
  _Atomic(owned *) discarded;
};

owner *owner_create(toi_context *context) {
  owner *of = malloc(sizeof *of);
  if (of == NULL) {
    toi_context_destroy(context);
    return NULL;
  }
  of->context = context;
  atomic_init(&of->references, 1);
  atomic_init(&of->in_use, false);
  atomic_init(&of->discarded, NULL);
  return of;
}

bool owner_take(owner *of) {
  return !atomic_exchange(&of->in_use, true);
}

static void end_discarded(owner *of) {
  owned *it = atomic_exchange(&of->discarded, NULL);
  while (it != NULL) {
    owned *next = it->next;
    it->destroy(of->context, it->thing);
    free(it);
    it = next;
    // Not the last one: whoever is here has a reference of its own.
    atomic_fetch_sub(&of->references, 1);
  }
}

void owner_give_back(owner *of) {
  // More may be discarded between the last look and the end of the use: then this one, or another one, looks again.
  do {
    end_discarded(of);
    atomic_store(&of->in_use, false);
  } while (atomic_load(&of->discarded) != NULL && owner_take(of));
}

void owner_release(owner *of) {
  if (atomic_fetch_sub(&of->references, 1) != 1)
    return;
  toi_context_destroy(of->context);
  free(of);
}

owned *owner_keep(owner *of, void *thing, owned_destroy destroy) {
  owned *it = malloc(sizeof *it);
  if (it == NULL) {
    destroy(of->context, thing);
    return NULL;
  }
  *it = (owned){.of = of, .thing = thing, .destroy = destroy, .next = NULL};
  atomic_fetch_add(&of->references, 1);
  return it;
}

void owned_discard(owned *it) {
  // A reference for this call: the one of the thing ends with the thing.
  owner *of = it->of;
  atomic_fetch_add(&of->references, 1);
  it->next = atomic_load(&of->discarded);
  while (!atomic_compare_exchange_weak(&of->discarded, &it->next, it)) {
  }
  if (owner_take(of))
    owner_give_back(of);
  owner_release(of);
}

void destroy_scene(toi_context *context, void *thing) {
  (void)context;
  toi_scene_destroy(thing);
}

void destroy_formula(toi_context *context, void *thing) {
  (void)context;
  toi_formula_destroy(thing);
}

void destroy_motion(toi_context *context, void *thing) {
  (void)context;
  toi_motion_destroy(thing);
}

void destroy_shape(toi_context *context, void *thing) {
  (void)context;
  toi_shape_destroy(thing);
}

void destroy_model(toi_context *context, void *thing) {
  toi_model_free(context, thing);
  free(thing);
}

void destroy_cases(toi_context *context, void *thing) {
  toi_cases_free(context, thing);
  free(thing);
}

void destroy_contact_scene(toi_context *context, void *thing) {
  toi_contact_scene_free(context, thing);
  free(thing);
}

void destroy_sweep_scene(toi_context *context, void *thing) {
  toi_sweep_scene_free(context, thing);
  free(thing);
}

void destroy_moving_pair(toi_context *context, void *thing) {
  (void)context;
  toi_moving_pair_destroy(thing);
}

void destroy_rigid_scene(toi_context *context, void *thing) {
  (void)context;
  toi_rigid_scene_destroy(thing);
}

void *copy_of(const void *thing, size_t size) {
  void *copy = malloc(size);
  if (copy != NULL)
    memcpy(copy, thing, size);
  return copy;
}
