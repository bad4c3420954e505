/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* See collect.h. The library calls a visitor from one thread at a time, so nothing is locked here. */

#include "collect.h"

#include <stdlib.h>
#include <string.h>

/* Room for `count` more items of `size` bytes; NULL if there is no memory for them. */
static void *more(collector *c, size_t size, size_t count) {
  if (count > c->room - c->count) {
    size_t room = c->room < 64 ? 64 : c->room + c->room / 2;
    if (count > SIZE_MAX / size - c->count)
      return NULL;
    room = room < c->count + count ? c->count + count : room;
    void *items = room > SIZE_MAX / size ? NULL : realloc(c->items, room * size);
    if (items == NULL)
      return NULL;
    c->items = items;
    c->room = room;
  }
  void *place = (char *)c->items + c->count * size;
  c->count += count;
  return place;
}

static toi_status append(void *user, const void *items, size_t size, size_t count) {
  if (count == 0)
    return TOI_OK;
  void *place = more(user, size, count);
  if (place == NULL)
    return TOI_ERROR_MEMORY;
  memcpy(place, items, count * size);
  return TOI_OK;
}

toi_status collect_pairs(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  if (count == 0)
    return TOI_OK;
  collected_pair *place = more(user, sizeof *place, count);
  if (place == NULL)
    return TOI_ERROR_MEMORY;
  for (size_t i = 0; i < count; i++)
    place[i] = (collected_pair){(uint32_t)kind, pairs[i].first, pairs[i].second};
  return TOI_OK;
}

toi_status collect_box_pairs(void *user, const toi_pair *pairs, size_t count) {
  return append(user, pairs, sizeof *pairs, count);
}

toi_status collect_collisions(void *user, const toi_collision *collisions, size_t count) {
  return append(user, collisions, sizeof *collisions, count);
}

toi_status collect_proximity(void *user, const toi_proximal *pairs, size_t count) {
  return append(user, pairs, sizeof *pairs, count);
}

toi_status collect_crossings(void *user, const toi_crossing *crossings, size_t count) {
  return append(user, crossings, sizeof *crossings, count);
}

toi_status collect_rigid_impacts(void *user, const toi_rigid_impact *impacts, size_t count) {
  return append(user, impacts, sizeof *impacts, count);
}

toi_status collect_rigid_contacts(void *user, const toi_rigid_contact *contacts, size_t count) {
  return append(user, contacts, sizeof *contacts, count);
}

toi_status collect_stencils(void *user, const toi_stencil *stencils, size_t count) {
  return append(user, stencils, sizeof *stencils, count);
}

toi_status collect_model_contacts(void *user, const toi_surface_hit *contact) {
  return append(user, contact, sizeof *contact, 1);
}

toi_status collect_contacts(void *user, const toi_contact_point *contact) {
  return append(user, contact, sizeof *contact, 1);
}

toi_status collect_contact_intervals(void *user, const toi_contact_interval *interval) {
  return append(user, interval, sizeof *interval, 1);
}

void *collect_take(collector *collected, size_t size) {
  void *items = collected->items;
  if (collected->count > 0 && collected->count < collected->room) {
    void *shrunk = realloc(items, collected->count * size);
    if (shrunk != NULL)
      items = shrunk;
  }
  collected->items = NULL;
  collected->room = 0;
  return items;
}

void collect_free(void *items) {
  free(items);
}
