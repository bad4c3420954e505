/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Visitors that append what they are given to an array: a whole list for Python, without a step into the interpreter.
 *
 * An array belongs to its collector until collect_take() hands it over. */

#ifndef TOI_PYTHON_COLLECT_H
#define TOI_PYTHON_COLLECT_H

#include <toi/toi.h>

typedef struct collector {
  void *items;
  size_t count; /* items so far, and how many there is room for */
  size_t room;
} collector;

/* A candidate: toi_pairs_visitor gives the kind apart. */
typedef struct collected_pair {
  uint32_t kind;
  uint32_t first;
  uint32_t second;
} collected_pair;

toi_status collect_pairs(void *user, toi_kind kind, const toi_pair *pairs, size_t count);
toi_status collect_box_pairs(void *user, const toi_pair *pairs, size_t count);
toi_status collect_collisions(void *user, const toi_collision *collisions, size_t count);
toi_status collect_proximity(void *user, const toi_proximal *pairs, size_t count);
toi_status collect_crossings(void *user, const toi_crossing *crossings, size_t count);
toi_status collect_rigid_impacts(void *user, const toi_rigid_impact *impacts, size_t count);
toi_status collect_rigid_contacts(void *user, const toi_rigid_contact *contacts, size_t count);
toi_status collect_stencils(void *user, const toi_stencil *stencils, size_t count);
toi_status collect_model_contacts(void *user, const toi_surface_hit *contact);
toi_status collect_contacts(void *user, const toi_contact_point *contact);
toi_status collect_contact_intervals(void *user, const toi_contact_interval *interval);

/* Hands the items over, of `size` bytes each, without the room that none of them took. */
void *collect_take(collector *collected, size_t size);

/* Ends items that were handed over, and those of a collector that were not; NULL is ignored. */
void collect_free(void *items);

#endif
