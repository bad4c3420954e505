/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes of rigid bodies: making them, and which bodies may collide. */

#include "scene/rigid_scene.h"

#include <string.h>

#include "base/internal.h"

static TOI_APART toi_status create(toi_context *context, toi_rigid_scene **scene) {
  const toi_status status = toi_check_entered_once(context);
  if (status != TOI_OK)
    return status;
  toi_rigid_scene *made = toi_allocate(context, sizeof *made);
  if (made == NULL)
    return TOI_ERROR_MEMORY;
  *made = (toi_rigid_scene){.context = context};
  *scene = made;
  return TOI_OK;
}

toi_status toi_rigid_scene_create(toi_context *context, toi_rigid_scene **scene) {
  if (scene == NULL)
    return TOI_ERROR_INPUT;
  *scene = NULL;
  if (context == NULL)
    return TOI_ERROR_INPUT;
  TOI_CALL(context, create(context, scene));
}

void toi_rigid_scene_destroy(toi_rigid_scene *scene) {
  if (scene == NULL)
    return;
  toi_context *const context = scene->context;
  toi_call call;
  toi_call_begin_free(&call, context);
  for (size_t i = 0; i < scene->count; i++)
    toi_rigid_part_free(context, &scene->parts[i]);
  if (scene->parts != NULL)
    toi_free(context, scene->parts, scene->room * sizeof *scene->parts);
  if (scene->ignored != NULL)
    toi_free(context, scene->ignored, scene->ignored_room * sizeof *scene->ignored);
  toi_free(context, scene, sizeof *scene);
  toi_call_end(&call);
}

static TOI_APART toi_status add(toi_rigid_scene *scene, const toi_mesh *mesh, bool fixed, uint32_t *number) {
  toi_context *context = scene->context;
  toi_status status = toi_check_entered_once(context);
  if (status != TOI_OK)
    return status;
  if (scene->count >= UINT32_MAX - 1)
    return toi_fail(context, TOI_ERROR_INPUT, "the scene has 2^32 - 2 bodies, the most that are possible");
  toi_rigid_part *parts = toi_grow(context, scene->parts, scene->count, &scene->room, sizeof *scene->parts, 8);
  if (parts == NULL)
    return TOI_ERROR_MEMORY;
  scene->parts = parts;
  status = toi_rigid_part_make(context, mesh, &parts[scene->count]);
  if (status != TOI_OK)
    return status;
  parts[scene->count].fixed = fixed;
  if (number != NULL)
    *number = (uint32_t)scene->count;
  scene->count++;
  return TOI_OK;
}

toi_status toi_rigid_scene_add(toi_rigid_scene *scene, const toi_mesh *mesh, bool fixed, uint32_t *number) {
  if (scene == NULL)
    return TOI_ERROR_INPUT;
  TOI_CALL(scene->context, add(scene, mesh, fixed, number));
}

/* --- which bodies may collide --- */

static uint64_t key_of(uint32_t first, uint32_t second) {
  return first < second ? (uint64_t)first << 32 | second : (uint64_t)second << 32 | first;
}

/* Where the key is, or would be. */
static size_t place_of(const toi_rigid_scene *scene, uint64_t key) {
  size_t begin = 0, end = scene->ignored_count;
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (scene->ignored[middle] < key)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

bool toi_rigid_may_collide(const toi_rigid_scene *scene, uint32_t first, uint32_t second) {
  if (scene->parts[first].fixed && scene->parts[second].fixed)
    return false;
  const uint64_t key = key_of(first, second);
  const size_t at = place_of(scene, key);
  return at == scene->ignored_count || scene->ignored[at] != key;
}

static TOI_APART toi_status ignore(toi_rigid_scene *scene, uint32_t first, uint32_t second) {
  toi_context *context = scene->context;
  const toi_status status = toi_check_entered_once(context);
  if (status != TOI_OK)
    return status;
  if (first >= scene->count || second >= scene->count || first == second)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "bodies %u and %u cannot ignore each other: give two different numbers below %zu", (unsigned)first,
                    (unsigned)second, scene->count);
  const uint64_t key = key_of(first, second);
  const size_t at = place_of(scene, key);
  if (at < scene->ignored_count && scene->ignored[at] == key)
    return TOI_OK;
  uint64_t *ignored =
      toi_grow(context, scene->ignored, scene->ignored_count, &scene->ignored_room, sizeof *scene->ignored, 8);
  if (ignored == NULL)
    return TOI_ERROR_MEMORY;
  scene->ignored = ignored;
  memmove(ignored + at + 1, ignored + at, (scene->ignored_count - at) * sizeof *ignored);
  ignored[at] = key;
  scene->ignored_count++;
  return TOI_OK;
}

toi_status toi_rigid_scene_ignore(toi_rigid_scene *scene, uint32_t first, uint32_t second) {
  if (scene == NULL)
    return TOI_ERROR_INPUT;
  TOI_CALL(scene->context, ignore(scene, first, second));
}
