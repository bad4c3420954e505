/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The scene that `toi contact` asks about, from its file or made here, and the search itself. */

#include <math.h>
#include <stdlib.h>

#include "array.h"
#include "contact.h"
#include "memory.h"
#include "progress.h"
#include "session.h"

/* --- two bumpy spheres --- */

/* The first turns about z; the second turns about (1, 1, 0) and comes along x, a little off the first one's middle. */
static toi_status make_bumpy(toi_context *context, bumpy_spheres *made) {
  static const double size[] = {1, 0.08, 6, 8}, z[] = {0, 0, 1}, slant[] = {1, 1, 0};
  static const double shift[] = {2.6, 0.13, 0.21}, velocity[] = {-1, 0, 0};
  toi_status status = toi_shape_library(context, TOI_SHAPE_BUMPY_SPHERE, TOI_SHAPE_FORM_DEFAULT, size, &made->shape);
  for (int i = 0; status == TOI_OK && i < 2; i++)
    status = toi_motion_create(context, &made->motion[i]);
  if (status == TOI_OK)
    status = toi_motion_turn(made->motion[0], z, NULL, 0, 0.7);
  if (status == TOI_OK)
    status = toi_motion_turn(made->motion[1], slant, NULL, 0.3, 0.5);
  if (status == TOI_OK)
    status = toi_motion_move(made->motion[1], shift, velocity);
  for (int i = 0; i < 2; i++)
    made->bodies[i] = (toi_body){.shape = made->shape, .motion = made->motion[i]};
  return status;
}

static void free_bumpy(bumpy_spheres *made) {
  toi_motion_destroy(made->motion[0]);
  toi_motion_destroy(made->motion[1]);
  toi_shape_destroy(made->shape);
  *made = (bumpy_spheres){0};
}

/* --- opening and closing --- */

static int take_file(contact_scene *scene, const char *path) {
  scene->name = path;
  progress_stop_at_once(true);
  const toi_status status = toi_contact_scene_read(scene->context, path, &scene->file);
  progress_stop_at_once(false);
  if (status != TOI_OK)
    return session_fail(scene->context, status, status == TOI_ERROR_MEMORY ? path : NULL);
  scene->bodies = scene->file.bodies;
  scene->names = scene->file.names;
  scene->count = scene->file.count;
  scene->asked = toi_contact_scene_options(&scene->file);
  scene->min_separation = scene->file.min_separation;
  return EXIT_DONE;
}

static int take_bumpy(contact_scene *scene) {
  static const char *const names[] = {"first", "second"};
  scene->name = "two bumpy spheres";
  const toi_status status = make_bumpy(scene->context, &scene->made);
  if (status != TOI_OK)
    return session_fail(scene->context, status, scene->name);
  scene->bodies = scene->made.bodies;
  scene->names = names;
  scene->count = 2;
  scene->asked = toi_default_contact_options();
  return EXIT_DONE;
}

int contact_scene_open(const contact_options *options, contact_scene *scene) {
  *scene = (contact_scene){0};
  const double begin = clock_seconds();
  int result = session_open(options->threads, options->memory, &scene->context);
  if (result == EXIT_DONE)
    result = options->path_count > 0 ? take_file(scene, options->paths[0]) : take_bumpy(scene);
  if (result == EXIT_DONE)
    contact_options_apply(options, &scene->asked);
  if (!isnan(options->min_separation))
    scene->min_separation = options->min_separation;
  scene->load_ms = 1e3 * (clock_seconds() - begin);
  return result;
}

void contact_scene_close(contact_scene *scene) {
  if (scene->context != NULL) {
    free_bumpy(&scene->made);
    toi_contact_scene_free(scene->context, &scene->file);
    toi_context_destroy(scene->context);
  }
  *scene = (contact_scene){0};
}

/* --- the search --- */

bool contact_show_progress(void *user, double done) {
  const contact_progress *p = user;
  progress_show(p->before + p->part * done, p->doing);
  return !progress_stopped();
}

static toi_status keep_contact(void *user, const toi_contact_point *contact) {
  contact_answer *a = user;
  toi_contact_point *grown = array_grow(a->contacts, a->count, &a->capacity, sizeof *grown);
  a->cut = grown == NULL;
  if (a->cut)
    return TOI_ERROR_MEMORY;
  a->contacts = grown;
  a->contacts[a->count++] = *contact;
  return TOI_OK;
}

int contact_ask(const contact_scene *scene, const toi_contact_options *asked, contact_progress *progress,
                contact_answer *answer) {
  if (contact_needs_patches(scene))
    return contact_ask_patches(scene, asked, progress, answer);
  toi_contact_options watched = *asked;
  watched.progress = contact_show_progress;
  watched.progress_user = progress;
  *answer = (contact_answer){0};
  const double begin = clock_seconds();
  const toi_status status = scene->file.track_delta > 0 ? contact_track(scene, &watched, keep_contact, answer)
                                                        : toi_contact(scene->context, scene->bodies, scene->count,
                                                                      &watched, &answer->found, keep_contact, answer);
  answer->ms = 1e3 * (clock_seconds() - begin);
  if (answer->cut)
    return memory_fail("the contacts", "give a larger --spacing");
  return status == TOI_OK ? EXIT_DONE : session_fail(scene->context, status, scene->name);
}

void contact_answer_free(contact_answer *answer) {
  memory_free(answer->contacts);
  memory_free(answer->tracks);
  *answer = (contact_answer){0};
}
