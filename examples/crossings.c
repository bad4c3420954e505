/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A triangle stands in another one: where does a mesh intersect itself? A simulator asks this once, before its first
 * step; steps without contact keep it free. */

#include <stdio.h>
#include <toi/toi.h>

static toi_status print_pairs(void *user, const toi_crossing *crossings, size_t count) {
  (void)user;
  for (size_t i = 0; i < count; i++) {
    const toi_crossing *c = &crossings[i];
    if (c->crossing)
      printf("edge %u passes through face %u\n", c->pair.first, c->pair.second);
    else
      printf("%s pair %u %u touches\n", toi_kind_name(c->kind), c->pair.first, c->pair.second);
  }
  return TOI_OK;
}

int main(void) {
  const double points[6][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, -1}, {1, 1, 1}, {2, 1, 0}};
  const uint32_t faces[2][3] = {{0, 1, 2}, {3, 4, 5}};
  const toi_mesh mesh = {.start = points, .vertex_count = 6, .faces = faces, .face_count = 2};
  const toi_options options = toi_default_options();
  toi_context *context;
  if (toi_context_create(NULL, &context) != TOI_OK)
    return 1;
  const toi_status status = toi_mesh_crossings(context, &mesh, &options, print_pairs, NULL);
  if (status != TOI_OK)
    fprintf(stderr, "crossings: %s\n", toi_context_error(context));
  toi_context_destroy(context);
  return status == TOI_OK ? 0 : 1;
}
