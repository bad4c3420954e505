/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* An explanation as a table and as JSON. */

#include "explain.h"

#include <math.h>
#include <stdio.h>

/* --- words --- */

static const char *axis_name(int axis) {
  static const char *const names[] = {"x", "y", "z"};
  return names[axis];
}

/* Corner or boundary segment k, by the points that it is made of. */
static const char *corner_name(toi_kind kind, unsigned corner) {
  static const char *const names[TOI_KIND_COUNT][4] = {{"v - f0", "v - f1", "v - f2", ""},
                                                       {"ea0 - eb0", "ea1 - eb0", "ea1 - eb1", "ea0 - eb1"},
                                                       {"v - e0", "v - e1", "", ""},
                                                       {"a - b", "", "", ""}};
  return names[kind][corner & 3];
}

static const char *segment_name(toi_kind kind, unsigned segment) {
  static const char *const names[TOI_KIND_COUNT][4] = {{"f0 f1", "f1 f2", "f2 f0", ""},
                                                       {"ea at eb0", "eb at ea1", "ea at eb1", "eb at ea0"},
                                                       {"e0 e1", "", "", ""},
                                                       {""}};
  return names[kind][segment & 3];
}

static void print_bracket(double lo, double hi) {
  if (lo == hi)
    printf("t = %.17g", lo);
  else
    printf("%.17g < t < %.17g", lo, hi);
}

/* --- levels --- */

static void say_box(const toi_explanation *e) {
  for (int axis = 0; axis < 3; axis++)
    printf("%s%s in [%.6g, %.6g]%s", axis > 0 ? ", " : "", axis_name(axis), e->box_lo[axis], e->box_hi[axis],
           e->box_apart[axis] ? " (apart)" : "");
}

static void say_signs(const toi_explanation *e) {
  printf("signs of b0 to b3:");
  for (int i = 0; i < 4; i++)
    printf(" %s", e->coefficient_sign[i] > 0 ? "+" : e->coefficient_sign[i] < 0 ? "-" : "?");
}

static void say_halves(const explained *query) {
  const toi_explanation *e = &query->why;
  for (int side = 0; side < 2; side++) {
    printf("%s%s half: ", side ? "; " : "", side ? "second" : "first");
    if (e->half_clear[side] == 0)
      printf("open");
    else if (e->half_clear[side] == 4)
      printf("free by the cubic's sign");
    else
      printf("free along %s by %s, %s", axis_name(e->half_clear[side] - 1), segment_name(query->kind, e->half_up[side]),
             segment_name(query->kind, e->half_down[side]));
  }
}

static void say_pieces(const toi_explanation *e) {
  bool any = false;
  for (int i = 0; i < TOI_EXPLAIN_PIECES; i++) {
    const toi_explained_piece *piece = &e->pieces[i];
    if (!piece->used || !piece->crossing)
      continue;
    printf("%snear %.6g: %s%s", any ? "; " : "", piece->x,
           !piece->steep || !piece->gap_clear ? "not isolated"
           : piece->inside                    ? "inside"
           : piece->outside                   ? "outside"
                                              : "neither inside nor outside is certain",
           piece->bracketed ? ", bracketed" : "");
    any = true;
  }
  if (!any)
    printf("no change of sign");
}

static void say_reduction(const explained *query) {
  const toi_explanation *e = &query->why;
  switch (e->reduced) {
  case TOI_REDUCED_TO_NONE:
    printf("no corner can take part");
    break;
  case TOI_REDUCED_TO_CORNER:
    printf("only corner %s is left", corner_name(query->kind, e->reduced_corner[0]));
    break;
  case TOI_REDUCED_TO_SEGMENT:
    printf("only the segment from %s to %s is left, with %s = 0", corner_name(query->kind, e->reduced_corner[0]),
           corner_name(query->kind, e->reduced_corner[1]), axis_name(e->reduced_axis));
    break;
  case TOI_REDUCED_TO_PLANE:
    printf("everything stays in the plane %s = 0", axis_name(e->reduced_axis));
    break;
  default:
    printf("every corner can take part");
  }
}

static void print_level(const explained *query, toi_level level) {
  const toi_explanation *e = &query->why;
  const toi_outcome outcome = (toi_outcome)e->outcomes[level];
  const bool ran = outcome != TOI_OUTCOME_ABSENT && outcome != TOI_OUTCOME_SKIPPED;
  printf(ran ? "  %-12s %-7s " : "  %-12s %s", toi_level_name(level), toi_outcome_name(outcome));
  if (ran) {
    if (level == TOI_LEVEL_BOX)
      say_box(e);
    else if (level == TOI_LEVEL_SIGN)
      say_signs(e);
    else if (level == TOI_LEVEL_PROJECTION && e->cubic_defined)
      say_halves(query);
    else if (level == TOI_LEVEL_ROOT)
      say_pieces(e);
    else if (level == TOI_LEVEL_REDUCTION)
      say_reduction(query);
    else if (level == TOI_LEVEL_PLANE)
      printf("planes that turn, between the hull and 0");
    else if (level == TOI_LEVEL_EXACT)
      printf("integers");
    if (e->scaled && level == (toi_level)e->hit.level)
      printf(" (on scaled axes)");
  }
  printf("\n");
}

/* --- the table --- */

static void print_cubic(const toi_explanation *e) {
  if (!e->cubic_defined)
    return;
  if (e->cubic_zero) {
    printf("\ncubic: 0 at all times, as in a motion in one plane\n");
    return;
  }
  printf("\n%-6s %-24s %-24s %-13s %s%s\n", "cubic", "exactly", "in floating point", "proved error", "sign",
         e->limit[0] > 0 ? "  must be beyond" : "");
  for (int i = 0; i < 4; i++) {
    const int sign = e->coefficient_sign[i];
    printf("  b%d   %-24.17g %-24.17g %-13.3g %s", i, e->exact[i], e->coefficient[i], e->bound[i],
           sign > 0   ? "+"
           : sign < 0 ? "-"
                      : "?");
    if (e->limit[i] > 0)
      printf("     %.3g", e->limit[i]);
    printf("\n");
  }
  if (e->scale[0] != 0 || e->scale[1] != 0 || e->scale[2] != 0)
    printf("  on axes scaled by 2^%d, 2^%d, 2^%d\n", e->scale[0], e->scale[1], e->scale[2]);
}

static void print_root(const explained *query, const toi_explained_root *root) {
  static const char *const times[] = {"", "simple", "double", "triple"};
  printf("  ");
  print_bracket(root->t_lo, root->t_hi);
  if (root->source == TOI_ROOT_OF_CUBIC)
    printf(", %s", times[root->multiplicity & 3]);
  else if (root->source == TOI_ROOT_AT_START)
    printf(", the start");
  else
    printf(", of %s", root->source == TOI_ROOT_OF_AREA ? segment_name(query->kind, root->element)
                                                       : corner_name(query->kind, root->element));
  printf(": %s", root->touching ? root->first ? "the first contact" : "a contact" : "no contact");
  if (!isnan(root->u))
    printf(", u = %.10g, v = %.10g", root->u, root->v);
  if (root->axis >= 0) {
    printf("; areas along %s:", axis_name(root->axis));
    const int segments = query->why.corner_count > 2 ? query->why.corner_count : 1;
    for (int k = 0; k < segments; k++)
      printf(" %.6g", root->area[k]);
  } else if (query->why.corner_count > 1) {
    printf("; all corners on a line through 0");
  }
  printf("\n");
}

void explain_print(const explained *query) {
  const toi_explanation *e = &query->why;
  const toi_hit *hit = &e->hit;
  printf("%s: %s, decided by %s", toi_kind_name(query->kind), toi_verdict_name((toi_verdict)hit->verdict),
         toi_level_name((toi_level)hit->level));
  if (hit->verdict != TOI_MISS) {
    printf("; ");
    if (hit->t_lo == hit->t_hi)
      printf("t = %.17g, exactly", hit->t_lo);
    else
      printf("%.17g <= t <= %.17g", hit->t_lo, hit->t_hi);
  }
  if (hit->verdict == TOI_HIT)
    printf("; u = %.10g, v = %.10g", hit->u, hit->v);
  printf("\n");
  if (e->separation > 0)
    printf("separation %.17g: roots are those of contact itself, at distance 0\n", e->separation);
  printf("\nlevels\n");
  for (int level = 0; level < TOI_LEVEL_COUNT; level++)
    if (e->outcomes[level] != TOI_OUTCOME_ABSENT)
      print_level(query, (toi_level)level);
  print_cubic(e);
  printf("\nroots in [0, 1]\n");
  for (int i = 0; i < e->root_count; i++)
    print_root(query, &e->roots[i]);
  if (e->root_count == 0)
    printf("  none\n");
}

/* --- JSON --- */

static json_t *reals_json(const double *values, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, json_number(values[i]));
  return list;
}

static json_t *bytes_json(const uint8_t *values, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, json_integer(values[i]));
  return list;
}

static json_t *signs_json(const int8_t *values, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, json_integer(values[i]));
  return list;
}

static json_t *root_json(const toi_explained_root *root) {
  json_t *object = json_object();
  json_object_set_new(object, "t_lo", json_number(root->t_lo));
  json_object_set_new(object, "t_hi", json_number(root->t_hi));
  json_object_set_new(object, "u", json_number(root->u));
  json_object_set_new(object, "v", json_number(root->v));
  json_object_set_new(object, "area", reals_json(root->area, 4));
  json_object_set_new(object, "area_sign", signs_json(root->area_sign, 4));
  json_object_set_new(object, "axis", json_integer(root->axis));
  json_object_set_new(object, "touching", json_boolean(root->touching));
  json_object_set_new(object, "multiplicity", json_integer(root->multiplicity));
  json_object_set_new(object, "source", json_text(toi_root_source_name((toi_root_source)root->source)));
  json_object_set_new(object, "element", json_integer(root->element));
  json_object_set_new(object, "first", json_boolean(root->first));
  return object;
}

static json_t *piece_json(const toi_explained_piece *piece) {
  json_t *object = json_object(), *area = json_array();
  const double reals[] = {piece->lo,    piece->hi,          piece->x,    piece->zone_lo, piece->zone_hi,
                          piece->slope, piece->slope_bound, piece->t_lo, piece->t_hi};
  static const char *const keys[] = {"lo", "hi", "x", "zone_lo", "zone_hi", "slope", "slope_bound", "t_lo", "t_hi"};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    json_object_set_new(object, keys[i], json_number(reals[i]));
  for (int axis = 0; axis < 3; axis++)
    json_array_append_new(area, reals_json(piece->area[axis], 4));
  json_object_set_new(object, "area", area);
  json_object_set_new(object, "area_bound", reals_json(piece->area_bound, 3));
  const uint8_t flags[] = {piece->crossing, piece->gap_clear, piece->steep,     piece->inside,
                           piece->outside,  piece->bracketed, piece->rest_clear};
  static const char *const names[] = {"crossing", "gap_clear", "steep", "inside", "outside", "bracketed", "rest_clear"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    json_object_set_new(object, names[i], json_boolean(flags[i]));
  return object;
}

static json_t *hit_json(const toi_hit *hit) {
  json_t *object = json_object();
  json_object_set_new(object, "verdict", json_text(toi_verdict_name((toi_verdict)hit->verdict)));
  json_object_set_new(object, "level", json_text(toi_level_name((toi_level)hit->level)));
  const double reals[] = {hit->t_lo, hit->t_hi, hit->t_safe, hit->u, hit->v, hit->separation, hit->distance};
  static const char *const keys[] = {"t_lo", "t_hi", "t_safe", "u", "v", "separation", "distance"};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    json_object_set_new(object, keys[i], json_number(reals[i]));
  json_object_set_new(object, "point", reals_json(hit->point, 3));
  json_object_set_new(object, "normal", reals_json(hit->normal, 3));
  json_object_set_new(object, "touching_at_start", json_boolean(hit->touching_at_start));
  return object;
}

static void set_levels(json_t *object, const toi_explanation *e) {
  static const char *const reduced[] = {"all", "none", "corner", "segment", "plane"};
  json_t *outcomes = json_object();
  for (int level = 0; level < TOI_LEVEL_COUNT; level++)
    json_object_set_new(outcomes, toi_level_name((toi_level)level),
                        json_text(toi_outcome_name((toi_outcome)e->outcomes[level])));
  json_object_set_new(object, "outcomes", outcomes);
  json_object_set_new(object, "box_lo", reals_json(e->box_lo, 3));
  json_object_set_new(object, "box_hi", reals_json(e->box_hi, 3));
  json_object_set_new(object, "box_apart", bytes_json(e->box_apart, 3));
  json_object_set_new(object, "half_clear", bytes_json(e->half_clear, 2));
  json_object_set_new(object, "half_up", bytes_json(e->half_up, 2));
  json_object_set_new(object, "half_down", bytes_json(e->half_down, 2));
  json_object_set_new(object, "reduced",
                      e->reduced < TOI_REDUCED_NOT_ASKED ? json_text(reduced[e->reduced]) : json_null());
  json_object_set_new(object, "reduced_axis", json_integer(e->reduced_axis));
  json_object_set_new(object, "reduced_corner", bytes_json(e->reduced_corner, 2));
}

static void set_cubic(json_t *object, const toi_explanation *e) {
  json_t *half = json_array(), *scale = json_array();
  for (int side = 0; side < 2; side++)
    json_array_append_new(half, reals_json(e->half[side], 4));
  for (int axis = 0; axis < 3; axis++)
    json_array_append_new(scale, json_integer(e->scale[axis]));
  json_object_set_new(object, "cubic_defined", json_boolean(e->cubic_defined));
  json_object_set_new(object, "cubic_zero", json_boolean(e->cubic_zero));
  json_object_set_new(object, "in_range", json_boolean(e->in_range));
  json_object_set_new(object, "scaled", json_boolean(e->scaled));
  json_object_set_new(object, "size", reals_json(e->size, 3));
  json_object_set_new(object, "scale", scale);
  json_object_set_new(object, "coefficient", reals_json(e->coefficient, 4));
  json_object_set_new(object, "bound", reals_json(e->bound, 4));
  json_object_set_new(object, "exact", reals_json(e->exact, 4));
  json_object_set_new(object, "limit", reals_json(e->limit, 4));
  json_object_set_new(object, "coefficient_sign", signs_json(e->coefficient_sign, 4));
  json_object_set_new(object, "half", half);
  json_object_set_new(object, "half_bound", json_number(e->half_bound));
  json_object_set_new(object, "half_limit", json_number(e->half_limit));
}

json_t *explain_json(const explained *query) {
  const toi_explanation *e = &query->why;
  json_t *object = json_object(), *roots = json_array(), *pieces = json_array();
  json_object_set_new(object, "kind", json_text(toi_kind_name(query->kind)));
  json_object_set_new(object, "hit", hit_json(&e->hit));
  json_object_set_new(object, "separation", json_number(e->separation));
  json_object_set_new(object, "corner_count", json_integer(e->corner_count));
  set_levels(object, e);
  set_cubic(object, e);
  for (int i = 0; i < e->root_count; i++)
    json_array_append_new(roots, root_json(&e->roots[i]));
  for (int i = 0; i < TOI_EXPLAIN_PIECES; i++)
    if (e->pieces[i].used)
      json_array_append_new(pieces, piece_json(&e->pieces[i]));
  json_object_set_new(object, "roots", roots);
  json_object_set_new(object, "pieces", pieces);
  return object;
}
