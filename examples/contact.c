/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Two balls roll towards each other over a hill that is given by a formula: what touches first, when and where? */

#include <stdio.h>
#include <toi/toi.h>

static toi_status tell(void *user, const toi_contact_point *contact) {
  const char *const *names = user;
  printf("  %s and %s touch at (%g, %g, %g) to within %.1g, %s\n", names[contact->a], names[contact->b],
         contact->point[0], contact->point[1], contact->point[2], contact->error,
         toi_contact_certificate_name(contact->certificate));
  return TOI_OK;
}

/* A ball that starts at a place and goes straight on. */
static toi_status launch(toi_context *context, double radius, const double from[3], const double velocity[3],
                         toi_shape **shape, toi_motion **motion) {
  toi_status status = toi_shape_library(context, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, &radius, shape);
  if (status == TOI_OK)
    status = toi_motion_create(context, motion);
  return status == TOI_OK ? toi_motion_move(*motion, from, velocity) : status;
}

int main(void) {
  const char *names[] = {"the left ball", "the right ball", "the hill"};
  const toi_interval side = {-4, 4};
  toi_contact_options options = toi_default_contact_options();
  toi_contact_answer answer;
  toi_shape *shapes[3] = {NULL, NULL, NULL};
  toi_motion *motions[2] = {NULL, NULL};
  toi_context *context;
  if (toi_context_create(NULL, &context) != TOI_OK)
    return 1;
  options.t_max = 5;
  toi_status status = launch(context, 0.5, (double[]){-3, 0, 1.25}, (double[]){1, 0, 0}, &shapes[0], &motions[0]);
  if (status == TOI_OK)
    status = launch(context, 0.75, (double[]){3, 0.25, 1.75}, (double[]){-0.5, 0, 0}, &shapes[1], &motions[1]);
  if (status == TOI_OK)
    status = toi_shape_height_field(context, "0.6*exp(-(u - 1)^2 - v^2)", side, side, &shapes[2]);
  if (status == TOI_OK) {
    toi_body bodies[3];
    for (int i = 0; i < 3; i++)
      bodies[i] = (toi_body){.size = sizeof *bodies, .shape = shapes[i], .motion = i < 2 ? motions[i] : NULL};
    status = toi_contact(context, bodies, 3, &options, &answer, tell, names);
  }
  if (status != TOI_OK)
    printf("%s\n", toi_context_error(context));
  else
    printf("%s, first contact from t = %.12g to %.12g\n", toi_verdict_name(answer.verdict), answer.t_lo, answer.t_hi);
  for (int i = 0; i < 2; i++)
    toi_motion_destroy(motions[i]);
  for (int i = 0; i < 3; i++)
    toi_shape_destroy(shapes[i]);
  toi_context_destroy(context);
  return status == TOI_OK ? 0 : 1;
}
