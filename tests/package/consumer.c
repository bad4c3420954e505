/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A program of somebody else's, against the installed library: C, or C++ where it is copied to a .cpp file. */

#include <toi/toi.h>

#include <stdio.h>
#include <string.h>

/* A vertex falls from height 1 to height -1 through a resting face: contact at exactly half the step. */
static int vertex_falls_through_face(void) {
  const double start[4][3] = {{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const double end[4][3] = {{0.25, 0.25, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const toi_options options = toi_default_options();
  toi_hit hit;
  if (toi_vertex_face(start, end, &options, &hit) != TOI_OK)
    return 0;
  return hit.verdict == TOI_HIT && hit.t_lo <= 0.5 && 0.5 <= hit.t_hi && hit.t_safe < 0.5;
}

int main(void) {
  toi_context *context = NULL;
  if (toi_context_create(NULL, &context) != TOI_OK)
    return 1;
  const int threads = (int)toi_context_threads(context);
  toi_context_destroy(context);
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", TOI_VERSION_MAJOR, TOI_VERSION_MINOR, TOI_VERSION_PATCH);
  if (threads < 1 || strcmp(version, toi_version()) != 0 || !vertex_falls_through_face())
    return 1;
  printf("libtoi %s answers\n", toi_version());
  return 0;
}
