/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "sweep.h"

#include <stdio.h>

#include "name.h"
#include "step_report.h"

/* --- JSON --- */

static json_t *vector_json(const double v[3]) {
  json_t *list = json_array();
  for (int i = 0; i < 3; i++)
    json_array_append_new(list, json_number(v[i]));
  return list;
}

static json_t *time_json(const toi_rigid_contact *contact) {
  if (contact->impact.hit.verdict == TOI_MISS)
    return json_null();
  json_t *object = json_object();
  json_object_set_new(object, "lo", json_number(contact->t_lo));
  json_object_set_new(object, "hi", json_number(contact->t_hi));
  json_object_set_new(object, "safe", json_number(contact->t_safe));
  return object;
}

static json_t *contact_json(const sweep_answer *a, const toi_rigid_contact *contact) {
  const toi_rigid_impact *impact = &contact->impact;
  if (impact->hit.verdict == TOI_MISS)
    return json_null();
  json_t *object = json_object();
  json_object_set_new(object, "a", json_text(a->scene->names[impact->bodies[0]]));
  json_object_set_new(object, "b", json_text(a->scene->names[impact->bodies[1]]));
  json_object_set_new(object, "kind", json_text(toi_kind_name(impact->kind)));
  json_object_set_new(object, "first", json_count(impact->pair.first, true));
  json_object_set_new(object, "second", json_count(impact->pair.second, true));
  json_object_set_new(object, "point", vector_json(impact->hit.point));
  json_object_set_new(object, "normal", vector_json(impact->hit.normal));
  return object;
}

static json_t *all_json(const sweep_answer *a) {
  json_t *list = json_array();
  for (size_t i = 0; i < a->contact_count; i++) {
    json_t *object = contact_json(a, &a->contacts[i]);
    json_object_set_new(object, "toi", time_json(&a->contacts[i]));
    json_object_set_new(object, "pairs", json_count(a->contacts[i].pairs, true));
    json_array_append_new(list, object);
  }
  return list;
}

static json_t *free_json(const sweep_answer *a) {
  json_t *object = json_object();
  json_object_set_new(object, "body", json_text(a->free_body));
  json_object_set_new(object, "from", json_number(a->free_range[0]));
  json_object_set_new(object, "to", json_number(a->free_range[1]));
  json_object_set_new(object, "below", a->free_stopped[0] ? contact_json(a, &a->stops[0]) : json_null());
  json_object_set_new(object, "above", a->free_stopped[1] ? contact_json(a, &a->stops[1]) : json_null());
  return object;
}

static json_t *clearance_json(const sweep_answer *a) {
  json_t *object = json_object(), *closest = contact_json(a, &a->closest);
  json_object_set_new(object, "lo", json_number(a->clear_lo));
  json_object_set_new(object, "hi", json_number(a->clear_hi));
  if (!json_is_null(closest))
    json_object_set_new(closest, "toi", time_json(&a->closest));
  json_object_set_new(object, "closest", closest);
  return object;
}

json_t *sweep_json(const sweep_answer *a) {
  json_t *object = json_object();
  json_t *time = json_array();
  json_array_append_new(time, json_number(a->scene->times[0]));
  json_array_append_new(time, json_number(a->scene->times[a->scene->piece_count]));
  json_object_set_new(object, "bodies", json_count(a->scene->count, true));
  json_object_set_new(object, "pieces", json_count(a->scene->piece_count, true));
  json_object_set_new(object, "time", time);
  json_object_set_new(object, "verdict", json_text(toi_verdict_name((toi_verdict)a->first.impact.hit.verdict)));
  json_object_set_new(object, "min_separation", json_number(a->min_separation));
  json_object_set_new(object, "toi", time_json(&a->first));
  json_object_set_new(object, "first", contact_json(a, &a->first));
  if (a->all)
    json_object_set_new(object, "hits", all_json(a));
  if (a->clearance)
    json_object_set_new(object, "clearance", clearance_json(a));
  if (a->free_body != NULL)
    json_object_set_new(object, "free", free_json(a));
  json_object_set_new(object, "load_ms", json_number(a->load_ms));
  json_object_set_new(object, "ms", json_number(a->ms));
  return object;
}

/* --- tables --- */

static void print_pair(const sweep_answer *a, const toi_rigid_impact *impact) {
  char text[96];
  name_print(a->scene->names[impact->bodies[0]]);
  printf(" and ");
  name_print(a->scene->names[impact->bodies[1]]);
  pair_text(impact->kind, impact->pair, "with", text, sizeof text);
  printf(": %s", text);
}

static void print_first(const sweep_answer *a) {
  const toi_rigid_impact *impact = &a->first.impact;
  const toi_hit *hit = &impact->hit;
  print_label("verdict");
  if (hit->verdict == TOI_MISS && a->min_separation > 0)
    printf("miss: proved never closer than %.6g\n", a->min_separation);
  else if (hit->verdict == TOI_MISS)
    printf("miss: nothing touches\n");
  else
    printf("%s at t = %.17g to %.17g%s\n", toi_verdict_name((toi_verdict)hit->verdict), a->first.t_lo, a->first.t_hi,
           hit->touching_at_start && a->first.t_lo == a->scene->times[0] ? ", touching at the start" : "");
  if (hit->verdict == TOI_MISS)
    return;
  print_label("first");
  print_pair(a, impact);
  printf("\n");
  print_label("point");
  printf("%.6g %.6g %.6g, normal %.6g %.6g %.6g\n", hit->point[0], hit->point[1], hit->point[2], hit->normal[0],
         hit->normal[1], hit->normal[2]);
  print_label("safe until");
  printf("%.17g\n", a->first.t_safe);
}

static void print_free(const sweep_answer *a) {
  print_label("free");
  name_print(a->free_body);
  printf(" from %.10g to %.10g\n", a->free_range[0], a->free_range[1]);
  for (int side = 0; side < 2; side++) {
    print_label(side == 0 ? "below it" : "above it");
    if (a->free_stopped[side])
      print_pair(a, &a->stops[side].impact);
    else
      printf("the limit of the joint");
    printf("\n");
  }
}

static void print_clearance(const sweep_answer *a) {
  print_label("clearance");
  printf("never closer than %.10g, and as close as %.10g\n", a->clear_lo, a->clear_hi);
  if (a->closest.impact.hit.verdict == TOI_MISS)
    return;
  print_label("closest");
  print_pair(a, &a->closest.impact);
  printf(", at t = %.10g\n", a->closest.t_lo);
}

void sweep_print_table(const sweep_answer *a) {
  const toi_sweep_scene *scene = a->scene;
  name_print(a->path);
  printf(": %zu bodies, %zu piece%s of time from %.6g to %.6g\n\n", scene->count, scene->piece_count,
         scene->piece_count == 1 ? "" : "s", scene->times[0], scene->times[scene->piece_count]);
  print_first(a);
  for (size_t i = 0; i < a->contact_count; i++) {
    print_label(i == 0 ? "all" : "");
    print_pair(a, &a->contacts[i].impact);
    printf(", from t = %.10g\n", a->contacts[i].t_lo);
  }
  if (a->clearance)
    print_clearance(a);
  if (a->free_body != NULL)
    print_free(a);
  printf("\n%.1f ms\n", a->ms);
}
