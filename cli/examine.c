/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* One state of a mesh, examined and put into words. */

#include "examine.h"

#include <stdio.h>

#include "pair_file.h"
#include "progress.h"
#include "session.h"
#include "step_report.h"

/* What the start of a step takes of the progress bar. */
#define START_PART 0.25

void examination_count(examination *e, const toi_crossing *crossing) {
  if (!examination_found(e))
    e->first = *crossing;
  if (crossing->kind == TOI_VERTEX_HALF_SPACE)
    *(crossing->behind ? &e->behind : &e->on_plane) += 1;
  else
    *(crossing->crossing ? &e->crossings : &e->touching) += 1;
}

static toi_status count_pairs(void *user, const toi_crossing *crossings, size_t count) {
  examination *e = user;
  for (size_t i = 0; i < count; i++)
    examination_count(e, &crossings[i]);
  return e->visit == NULL ? TOI_OK : e->visit(e->visit_user, crossings, count);
}

int examine(stepping *s, const toi_mesh *mesh, const char *place, examination *e) {
  e->crossings = e->touching = e->behind = e->on_plane = 0;
  e->half_spaces = mesh->half_space_count > 0;
  const double begin = clock_seconds();
  const toi_status status = toi_mesh_crossings(s->context, mesh, &s->asked, count_pairs, e);
  e->ms = 1e3 * (clock_seconds() - begin);
  session_warn(s->context);
  e->done = status == TOI_OK;
  return status == TOI_OK ? EXIT_DONE : session_fail(s->context, status, status == TOI_ERROR_FILE ? NULL : place);
}

int examine_start(stepping *s, const toi_mesh *mesh, const char *place, examination *e) {
  if (s->options->no_start_check)
    return EXIT_DONE;
  const double part = s->part;
  s->doing = "checking the start";
  s->part = START_PART * part;
  const int result = examine(s, mesh, place, e);
  s->done_before += s->part;
  s->part = part - s->part;
  return result;
}

bool examination_found(const examination *e) {
  return e->crossings + e->touching + e->behind + e->on_plane > 0;
}

/* --- words --- */

void crossing_text(const toi_crossing *crossing, char *text, size_t size) {
  if (crossing->crossing)
    snprintf(text, size, "edge %u passes through face %u", crossing->pair.first, crossing->pair.second);
  else if (crossing->behind)
    snprintf(text, size, "vertex %u is behind the plane of half-space %u", crossing->pair.first, crossing->pair.second);
  else
    pair_text(crossing->kind, crossing->pair, "touches", text, size);
}

void print_start(const examination *e) {
  if (!e->done)
    return;
  if (!examination_found(e)) {
    print_label("start");
    printf("free of intersections\n");
    return;
  }
  char first[96];
  crossing_text(&e->first, first, sizeof first);
  print_label("start");
  if (e->crossings + e->touching == 0) {
    printf("meets half-spaces: %llu behind a plane, %llu on one; %s first; see toi check\n",
           (unsigned long long)e->behind, (unsigned long long)e->on_plane, first);
    return;
  }
  printf("intersects itself: %llu crossing%s, %llu touching pair%s; %s first; see toi check\n",
         (unsigned long long)e->crossings, e->crossings == 1 ? "" : "s", (unsigned long long)e->touching,
         e->touching == 1 ? "" : "s", first);
}

/* --- JSON --- */

json_t *crossing_json(const examination *e) {
  if (!examination_found(e))
    return json_null();
  json_t *object = json_object();
  json_object_set_new(object, "kind", json_text(e->first.crossing ? "ef" : pair_kind_name(e->first.kind)));
  json_object_set_new(object, "a", json_count(e->first.pair.first, true));
  json_object_set_new(object, "b", json_count(e->first.pair.second, true));
  return object;
}

json_t *half_spaces_json(const examination *e) {
  json_t *object = json_object();
  json_object_set_new(object, "behind", json_count(e->behind, true));
  json_object_set_new(object, "touching", json_count(e->on_plane, true));
  return object;
}

json_t *start_json(const examination *e) {
  if (!e->done)
    return json_null();
  json_t *object = json_object();
  json_object_set_new(object, "intersects", json_boolean(examination_found(e)));
  json_object_set_new(object, "crossings", json_count(e->crossings, true));
  json_object_set_new(object, "touching", json_count(e->touching, true));
  if (e->half_spaces)
    json_object_set_new(object, "half_spaces", half_spaces_json(e));
  return object;
}
