/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A triangle falls onto one at rest: what touches first, and how far may a simulator step? */

#include <stdio.h>
#include <toi/toi.h>

int main(void) {
  const double start[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25, 0.25, 1}, {0.5, 0.25, 3}, {0.25, 0.5, 3}};
  const double end[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25, 0.25, -1}, {0.5, 0.25, 1}, {0.25, 0.5, 1}};
  const uint32_t faces[2][3] = {{0, 1, 2}, {3, 4, 5}};
  const toi_mesh mesh = {.start = start, .end = end, .vertex_count = 6, .faces = faces, .face_count = 2};
  const toi_options options = toi_default_options();
  toi_context *context;
  if (toi_context_create(NULL, &context) != TOI_OK)
    return 1;
  toi_impact first;
  toi_status status = toi_step(context, &mesh, &options, &first);
  if (status == TOI_OK && first.hit.verdict == TOI_HIT)
    printf("%s %u %u at t = %g, safe up to t = %.17g\n", toi_kind_name(first.kind), first.pair.first, first.pair.second,
           first.hit.t_hi, first.hit.t_safe);
  else
    printf("%s\n", status == TOI_OK ? "nothing touches" : toi_context_error(context));
  toi_context_destroy(context);
  return status == TOI_OK ? 0 : 1;
}
