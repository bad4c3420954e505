/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A ball falls onto a torus: when do they first touch, and where? Both are exact rational surfaces, no meshes. */

#include <stdio.h>
#include <toi/toi.h>

int main(void) {
  const double above[3] = {2, 0, 3}, falling[3] = {0, 0, -1};
  toi_surface_options options = toi_default_surface_options();
  toi_model torus = {0}, ball = {0}, moving = {0};
  toi_context *context;
  if (toi_context_create(NULL, &context) != TOI_OK)
    return 1;
  options.t_max = 2;
  toi_surface_hit hit;
  toi_status status = toi_model_torus(context, 2, 0.5, &torus);
  if (status == TOI_OK)
    status = toi_model_sphere(context, 1, &ball);
  if (status == TOI_OK)
    status = toi_model_moved(context, &ball, above, falling, &moving);
  if (status == TOI_OK)
    status = toi_model_pair(context, &moving, &torus, &options, &hit);
  if (status != TOI_OK)
    printf("%s\n", toi_context_error(context));
  else if (hit.verdict == TOI_HIT)
    printf("they touch at t = %.12g, at (%g, %g, %g); proved to %.1g\n", hit.t_hi, hit.point[0], hit.point[1],
           hit.point[2], hit.t_hi - hit.t_lo);
  toi_model_free(context, &moving);
  toi_model_free(context, &ball);
  toi_model_free(context, &torus);
  toi_context_destroy(context);
  return status == TOI_OK ? 0 : 1;
}
