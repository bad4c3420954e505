/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "check_report.h"

#include <stdio.h>

#include "name.h"
#include "step_report.h"

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

static void print_patches(const check_facts *c) {
  patch_facts facts[CHECK_ROWS];
  const size_t shown = c->patches.count < CHECK_ROWS ? c->patches.count : CHECK_ROWS;
  patches_describe(&c->patches, facts, CHECK_ROWS);
  printf("\n%7s %12s %10s %10s  %s\n", "patch", "crossings", "edges", "faces", "near");
  // cppcheck-suppress knownConditionTrueFalse // it does not see that there are patches
  for (size_t i = 0; i < shown; i++) {
    const double *at = c->places[i];
    printf("%7zu %12llu %10u %10u  (%.6g, %.6g, %.6g)\n", i, (unsigned long long)facts[i].crossings, facts[i].edges,
           facts[i].faces, at[0], at[1], at[2]);
  }
  if (shown < c->patches.count)
    printf("%7s and %zu more\n", "...", c->patches.count - shown);
}

void check_print(const check_facts *c) {
  const examination *e = &c->found;
  const uint32_t threads = toi_context_threads(c->context);
  name_print(c->options->paths[0]);
  printf(": %zu vertices, %zu edges, %zu faces; %u thread%s\n\n", c->vertices, c->edges, c->faces, threads,
         threads == 1 ? "" : "s");
  if (!examination_found(e)) {
    printf("The mesh does not intersect itself: no edge passes through a face, and nothing touches.\n");
    if (c->half_spaces > 0)
      printf("Every vertex is strictly inside of every half-space.\n");
  } else {
    char first[96];
    crossing_text(&e->first, first, sizeof first);
    printf(e->crossings + e->touching > 0 ? "The mesh intersects itself.\n" : "The mesh meets a half-space's plane.\n");
    printf("Edges pass through faces in %llu place%s (crossings), which make up %zu patch%s; %llu pair%s touch%s.\n",
           (unsigned long long)e->crossings, plural(e->crossings), c->patches.count, c->patches.count == 1 ? "" : "es",
           (unsigned long long)e->touching, plural(e->touching), e->touching == 1 ? "es" : "");
    if (e->behind + e->on_plane > 0)
      printf("Half-spaces: %llu vert%s behind a plane, %llu on one.\n", (unsigned long long)e->behind,
             e->behind == 1 ? "ex" : "ices", (unsigned long long)e->on_plane);
    printf("The first: %s.\n", first);
  }
  if (c->patches.count > 0)
    print_patches(c);
  printf("\n%.1f ms\n", e->ms);
}

json_t *check_json(const check_facts *c) {
  const examination *e = &c->found;
  json_t *object = json_object();
  json_object_set_new(object, "vertices", json_count(c->vertices, true));
  json_object_set_new(object, "edges", json_count(c->edges, true));
  json_object_set_new(object, "faces", json_count(c->faces, true));
  json_object_set_new(object, "intersects", json_boolean(examination_found(e)));
  json_object_set_new(object, "crossings", json_count(e->crossings, true));
  json_object_set_new(object, "touching", json_count(e->touching, true));
  if (c->half_spaces > 0)
    json_object_set_new(object, "half_spaces", half_spaces_json(e));
  json_object_set_new(object, "patches", json_count(c->patches.count, true));
  json_object_set_new(object, "first", crossing_json(e));
  json_object_set_new(object, "ms", json_number(e->ms));
  return object;
}
