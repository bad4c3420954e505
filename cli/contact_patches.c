/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What only the solvers of patches answer: a separation between two bodies of patches, and one body with itself. The
 * answer has the form of all others: contacts are samples, and boxes are pairs of pieces. */

#include <string.h>

#include "contact.h"
#include "memory.h"
#include "surface.h"

bool contact_needs_patches(const contact_scene *scene) {
  return scene->min_separation > 0 || scene->count == 1;
}

/* The reader has looked at a scene that asks by itself; an option may ask any scene. */
static int check_bodies(const contact_scene *scene) {
  if (scene->count > 2)
    return cli_fail("%s: --min-separation is for two bodies, not %zu; leave it out", scene->name, scene->count);
  for (size_t i = 0; i < scene->count; i++) {
    const toi_scene_patches *patches = scene->file.patches == NULL ? NULL : &scene->file.patches[i];
    if (patches == NULL || patches->model == NULL)
      return cli_fail("%s: body '%s' is not made of patches; leave --min-separation out", scene->name, scene->names[i]);
  }
  return EXIT_DONE;
}

static toi_surface_options asked_of_patches(const contact_scene *scene, const toi_contact_options *asked) {
  toi_surface_options options = toi_default_surface_options();
  options.t_max = asked->t_max;
  options.tolerance = asked->tolerance;
  options.simultaneity = asked->simultaneity;
  options.spacing = asked->spacing;
  options.max_checks = asked->max_boxes;
  options.min_separation = scene->min_separation;
  return options;
}

static toi_contact_point point_of(const toi_surface_hit *hit, bool self) {
  toi_contact_point point = {.b = self ? 0 : 1,
                             .certificate = TOI_CONTACT_SINGULAR,
                             .proved = hit->verdict == TOI_HIT,
                             .t_lo = hit->t_lo,
                             .t_hi = hit->t_hi,
                             .error = hit->distance,
                             .patch_a = hit->patch_a,
                             .patch_b = hit->patch_b};
  memcpy(point.point, hit->point, sizeof point.point);
  memcpy(point.normal_a, hit->normal_a, sizeof point.normal_a);
  memcpy(point.normal_b, hit->normal_b, sizeof point.normal_b);
  memcpy(point.parameters_a, hit->a, sizeof point.parameters_a);
  memcpy(point.parameters_b, hit->b, sizeof point.parameters_b);
  return point;
}

/* The first contact alone where the solver does not list them: of bodies that turn. */
static int take_contacts(const surface_answer *found, bool self, contact_answer *answer) {
  const bool listed = found->count > 0;
  const size_t count = listed ? found->count : found->first.verdict != TOI_MISS ? 1 : 0;
  answer->contacts = memory_zeroed(count + 1, sizeof *answer->contacts);
  if (answer->contacts == NULL)
    return memory_fail("the contacts", "give a larger --spacing");
  for (size_t i = 0; i < count; i++)
    answer->contacts[i] = point_of(listed ? &found->contacts[i] : &found->first, self);
  answer->count = answer->capacity = count;
  return EXIT_DONE;
}

static int take_answer(const contact_scene *scene, const surface_answer *found, contact_answer *answer) {
  const toi_surface_hit *first = &found->first;
  const toi_contact_end end = first->end == TOI_SURFACE_BUDGET   ? TOI_CONTACT_BOXES
                              : first->end == TOI_SURFACE_MEMORY ? TOI_CONTACT_MEMORY
                                                                 : TOI_CONTACT_DONE;
  answer->found = (toi_contact_answer){.verdict = (toi_verdict)first->verdict,
                                       .end = end,
                                       .t_lo = first->t_lo,
                                       .t_hi = first->t_hi,
                                       .t_safe = first->t_safe,
                                       .touching_at_start = first->touching_at_start != 0,
                                       .inside_at_start = TOI_INSIDE_NO,
                                       .tolerance_reached = first->tolerance_reached,
                                       .boxes = first->checks,
                                       .pairs = 1,
                                       .seconds = 1e-3 * found->ms};
  answer->ms = found->ms;
  const int result = take_contacts(found, scene->count == 1, answer);
  answer->found.contacts = answer->count;
  return result;
}

int contact_ask_patches(const contact_scene *scene, const toi_contact_options *asked, contact_progress *progress,
                        contact_answer *answer) {
  *answer = (contact_answer){0};
  int result = check_bodies(scene);
  if (result != EXIT_DONE)
    return result;
  surface_pair pair = {.self = scene->count == 1};
  for (size_t i = 0; i < scene->count; i++) {
    const toi_scene_patches *patches = &scene->file.patches[i];
    pair.model[i] = *patches->model;
    pair.motion[i] = toi_contact_scene_body(&scene->file, i)->motion;
  }
  toi_surface_options options = asked_of_patches(scene, asked);
  surface_progress shown = {.doing = progress->doing, .before = progress->before, .part = progress->part};
  surface_watch(&options, &shown);
  surface_answer found;
  result = surface_ask(scene->context, &pair, &options, true, &found);
  if (result == EXIT_DONE)
    result = take_answer(scene, &found, answer);
  surface_answer_free(&found);
  // The models are the scene's.
  for (size_t i = 0; i < 2; i++)
    toi_model_free(scene->context, &pair.moved[i]);
  return result;
}
