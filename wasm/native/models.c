/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Models in motion: all contacts where both move on straight lines, the first one where one turns; as the commands
 * `toi surface` and `toi contact` ask. */

#include <toi/toi.h>

#include "web.h"

static toi_status visit_hit(void *user, const toi_surface_hit *contact) {
  (void)user;
  return (toi_status)toi_web_visit(contact, 1, 0);
}

TOI_WEB_EXPORT(toi_web_model_contacts)
toi_status toi_web_model_contacts(toi_context *context, const toi_model *a, const toi_model *b,
                                  const toi_surface_options *options, toi_surface_hit *first) {
  return toi_model_contacts(context, a, b, options, first, visit_hit, NULL);
}

/* Shifted, then turned at the rate `spin` about an axis through `centre`, then moved on: three numbers each. */
TOI_WEB_EXPORT(toi_web_motion)
toi_status toi_web_motion(toi_context *context, const double numbers[4][3], toi_motion **motion) {
  toi_status status = toi_motion_create(context, motion);
  if (status == TOI_OK)
    status = toi_motion_move(*motion, numbers[0], NULL);
  if (status == TOI_OK)
    status = toi_motion_spin(*motion, numbers[1], numbers[2]);
  if (status == TOI_OK)
    status = toi_motion_move(*motion, NULL, numbers[3]);
  return status;
}

/* A model with the shift and velocity of its linear motion. */
static toi_status put_in_place(toi_context *context, const toi_model *model, const toi_motion *motion,
                               toi_model *moved) {
  double shift[3], velocity[3];
  (void)toi_motion_linear(motion, shift, velocity);
  return toi_model_moved(context, model, shift, velocity, moved);
}

TOI_WEB_EXPORT(toi_web_scene_ask)
toi_status toi_web_scene_ask(toi_context *context, const toi_contact_scene *scene, const toi_surface_options *options,
                             toi_surface_hit *first) {
  const toi_model *models[2] = {NULL, NULL};
  const toi_motion *motions[2] = {NULL, NULL};
  double shift[3], velocity[3];
  bool linear = true;
  for (size_t i = 0; i < 2 && i < scene->count; i++) {
    models[i] = scene->patches[i].model;
    motions[i] = toi_contact_scene_body(scene, i)->motion;
    linear = linear && toi_motion_linear(motions[i], shift, velocity);
  }
  if (!linear)
    return toi_rigid_pair(context, models[0], motions[0], models[1], motions[1], options, first);

  toi_model moved[2] = {0};
  toi_status status = TOI_OK;
  for (int i = 0; i < 2 && models[i] != NULL && status == TOI_OK; i++)
    status = put_in_place(context, models[i], motions[i], &moved[i]);
  if (status == TOI_OK)
    status = toi_web_model_contacts(context, &moved[0], models[1] == NULL ? NULL : &moved[1], options, first);
  for (int i = 0; i < 2; i++)
    toi_model_free(context, &moved[i]);
  return status;
}
