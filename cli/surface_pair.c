/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Two models, or one with itself: from their files or by name, put in place, asked about. */

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "memory.h"
#include "progress.h"
#include "session.h"
#include "surface.h"

/* --- models --- */

bool surface_is_shape(const char *name) {
  for (size_t i = 0; toi_model_name(i) != NULL; i++)
    if (strcmp(name, toi_model_name(i)) == 0)
      return true;
  return false;
}

int surface_load(toi_context *context, const char *name, toi_model *model) {
  const platform_kind kind = platform_ask(name, NULL);
  if (kind == PLATFORM_FOLDER)
    return cli_fail("%s: a directory where a model file is expected; name a file", name);
  if (kind == PLATFORM_NOTHING && surface_is_shape(name)) {
    toi_status status = toi_model_named(context, name, model);
    return status == TOI_OK ? EXIT_DONE : session_fail(context, status, name);
  }
  progress_stop_at_once(true);
  toi_status status = toi_model_read(context, name, model);
  progress_stop_at_once(false);
  return status == TOI_OK ? EXIT_DONE : session_fail(context, status, status == TOI_ERROR_MEMORY ? name : NULL);
}

void surface_pair_free(toi_context *context, surface_pair *pair) {
  for (int i = 0; context != NULL && i < 2; i++) {
    toi_model_free(context, &pair->moved[i]);
    if (pair->scene.owned == NULL)
      toi_model_free(context, &pair->model[i]);
    toi_motion_destroy(pair->made[i]);
  }
  if (context != NULL)
    toi_contact_scene_free(context, &pair->scene);
}

/* --- the question --- */

static bool is_zero(const double v[3]) {
  return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

int surface_move(toi_context *context, surface_pair *pair, int number, const surface_motion *motion) {
  toi_motion **made = &pair->made[number];
  toi_status status = toi_motion_create(context, made);
  if (status == TOI_OK)
    status = toi_motion_move(*made, motion->shift, NULL);
  if (status == TOI_OK)
    status = toi_motion_spin(*made, motion->spin, motion->centre);
  if (status == TOI_OK)
    status = toi_motion_move(*made, NULL, motion->velocity);
  pair->motion[number] = *made;
  return status == TOI_OK ? EXIT_DONE : session_fail(context, status, NULL);
}

bool surface_is_linear(const surface_pair *pair) {
  double shift[3], velocity[3];
  return toi_motion_linear(pair->motion[0], shift, velocity) && toi_motion_linear(pair->motion[1], shift, velocity);
}

/* One model where it belongs, with its velocity: its motion is linear. */
static toi_status put_in_place(toi_context *context, surface_pair *pair, int i) {
  double shift[3], velocity[3];
  (void)toi_motion_linear(pair->motion[i], shift, velocity);
  toi_model_free(context, &pair->moved[i]);
  if (is_zero(shift) && is_zero(velocity))
    return TOI_OK;
  return toi_model_moved(context, &pair->model[i], shift, velocity, &pair->moved[i]);
}

const toi_model *surface_placed(const surface_pair *pair, int i) {
  return pair->moved[i].patch_count > 0 ? &pair->moved[i] : &pair->model[i];
}

static toi_status keep_contact(void *user, const toi_surface_hit *contact) {
  surface_answer *a = user;
  toi_surface_hit *grown = array_grow(a->contacts, a->count, &a->capacity, sizeof *grown);
  a->cut = grown == NULL;
  if (a->cut)
    return TOI_ERROR_MEMORY;
  a->contacts = grown;
  a->contacts[a->count++] = *contact;
  return TOI_OK;
}

int surface_ask(toi_context *context, surface_pair *pair, const toi_surface_options *options, bool contacts,
                surface_answer *answer) {
  const bool linear = surface_is_linear(pair);
  *answer = (surface_answer){0};
  toi_status status = linear ? put_in_place(context, pair, 0) : TOI_OK;
  if (status == TOI_OK && linear && !pair->self)
    status = put_in_place(context, pair, 1);
  if (status != TOI_OK)
    return session_fail(context, status, NULL);
  const toi_model *a = surface_placed(pair, 0), *b = pair->self ? NULL : surface_placed(pair, 1);
  double begin = clock_seconds();
  if (!linear)
    status = toi_rigid_pair(context, a, pair->motion[0], b, pair->motion[1], options, &answer->first);
  else if (contacts)
    status = toi_model_contacts(context, a, b, options, &answer->first, keep_contact, answer);
  else
    status = toi_model_pair(context, a, b, options, &answer->first);
  answer->ms = 1e3 * (clock_seconds() - begin);
  if (answer->cut)
    return memory_fail("the contacts", "give a larger --spacing");
  return status == TOI_OK ? EXIT_DONE : session_fail(context, status, NULL);
}

void surface_answer_free(surface_answer *answer) {
  memory_free(answer->contacts);
  *answer = (surface_answer){0};
}
