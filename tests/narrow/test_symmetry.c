/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whatever leaves the geometry as it is leaves the answer as it is: the verdict of `certified` to the bit, the bracket
 * of `exact` to the bit, and `certified`'s bracket still around it. Points change their order, axes their order, sign
 * and unit, time its direction, and points, edges and triangles are written as degenerate primitives of another kind.
 */

#include <math.h>

#include "narrow/asking.h"

/* The points of a query in another order: row `from[i]` becomes row i. */
typedef struct reordering {
  const char *what;
  unsigned from[4];
} reordering;

static const reordering reorderings[TOI_KIND_COUNT][5] = {
    {{"f0 f2 f1", {0, 1, 3, 2}},
     {"f1 f0 f2", {0, 2, 1, 3}},
     {"f1 f2 f0", {0, 2, 3, 1}},
     {"f2 f0 f1", {0, 3, 1, 2}},
     {"f2 f1 f0", {0, 3, 2, 1}}},
    {{"edges swapped", {2, 3, 0, 1}},
     {"first edge reversed", {1, 0, 2, 3}},
     {"second edge reversed", {0, 1, 3, 2}},
     {"both reversed", {1, 0, 3, 2}},
     {"swapped and reversed", {3, 2, 1, 0}}},
    {{"edge reversed", {0, 2, 1}}},
    {{"vertices swapped", {1, 0}}},
};

static void reorder_points(toi_kind kind, const reordering *order, const double *query, double *out) {
  size_t points = toi_kind_points(kind);
  for (size_t time = 0; time < 2; time++)
    for (size_t i = 0; i < points; i++)
      memcpy(out + 3 * (points * time + i), query + 3 * (points * time + order->from[i]), 3 * sizeof(double));
}

static void mirror_axes(toi_kind kind, unsigned axes, const double *query, double *out) {
  for (size_t j = 0; j < row_of(kind); j++)
    out[j] = axes >> j % 3 & 1 ? -query[j] : query[j];
}

static void permute_axes(toi_kind kind, unsigned number, const double *query, double *out) {
  static const unsigned orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (size_t j = 0; j < row_of(kind); j++)
    out[j] = query[j / 3 * 3 + orders[number][j % 3]];
}

static void reverse_time(toi_kind kind, const double *query, double *out) {
  size_t half = row_of(kind) / 2;
  memcpy(out, query + half, half * sizeof(double));
  memcpy(out + half, query, half * sizeof(double));
}

/* Each axis by a power of two of its own; false where that would not be exact. */
static bool scale_axes(toi_kind kind, const int exponents[3], const double *query, double *out) {
  for (size_t j = 0; j < row_of(kind); j++) {
    out[j] = ldexp(query[j], exponents[j % 3]);
    if (!isfinite(out[j]) || ldexp(out[j], -exponents[j % 3]) != query[j])
      return false;
  }
  return true;
}

/* --- what must stay --- */

static void assert_same_verdict(const asked *a, size_t i, const double *changed, const char *what) {
  if (ask_one(a->kind, changed, "certified", 1).verdict != a->certified[i].verdict)
    complain(a, i, what);
}

/* The exact time is the same number, and so are its tightest doubles. */
static void assert_same_time(const asked *a, size_t i, toi_kind kind, const double *changed, const char *what) {
  toi_hit exact = ask_one(kind, changed, "exact", 1), certified = ask_one(kind, changed, "certified", 1);
  const toi_hit *expected = &a->exact[i];
  if (exact.verdict != expected->verdict || exact.t_lo != expected->t_lo || exact.t_hi != expected->t_hi)
    complain(a, i, what);
  if (certified.verdict != exact.verdict || certified.touching_at_start != exact.touching_at_start)
    complain(a, i, what);
  if (exact.verdict == TOI_HIT && !(certified.t_lo <= exact.t_lo && exact.t_hi <= certified.t_hi))
    complain(a, i, what);
}

/* Every fourth query is asked in full, the others for their verdict. */
static void assert_same(const asked *a, size_t i, const double *changed, const char *what) {
  if (i % 4 == 0)
    assert_same_time(a, i, a->kind, changed, what);
  else
    assert_same_verdict(a, i, changed, what);
}

/* --- runs --- */

typedef void (*symmetry)(const asked *a, size_t i);

static void run(uint64_t seed, symmetry check) {
  static const size_t counts[TOI_KIND_COUNT] = {2400, 2400, 1000, 600};
  seed = test_seed(seed);
  for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
    asked a = ask_planted(kind, seed, test_count(counts[kind]), NULL);
    for (size_t i = 0; i < a.count; i++)
      check(&a, i);
    asked_free(&a);
  }
}

static void check_orders(const asked *a, size_t i) {
  double changed[24];
  for (int order = 0; order < 5 && reorderings[a->kind][order].what; order++) {
    reorder_points(a->kind, &reorderings[a->kind][order], asked_query(a, i), changed);
    assert_same(a, i, changed, reorderings[a->kind][order].what);
  }
}

static void points_in_another_order(void **test) {
  (void)test;
  run(201, check_orders);
}

static void check_mirrors(const asked *a, size_t i) {
  double changed[24];
  for (unsigned axes = 1; axes < 8; axes++) {
    mirror_axes(a->kind, axes, asked_query(a, i), changed);
    assert_same(a, i, changed, "mirrored axes");
  }
}

static void mirrored_axes(void **test) {
  (void)test;
  run(202, check_mirrors);
}

static void check_permuted_axes(const asked *a, size_t i) {
  double changed[24];
  for (unsigned number = 1; number < 6; number++) {
    permute_axes(a->kind, number, asked_query(a, i), changed);
    assert_same(a, i, changed, "axes in another order");
  }
}

static void axes_in_another_order(void **test) {
  (void)test;
  run(203, check_permuted_axes);
}

static void check_units(const asked *a, size_t i) {
  static const int exponents[][3] = {{1, 1, 1}, {-40, 3, 90}, {-130, -130, -130}, {150, -150, 20}, {-700, 0, 600}};
  double changed[24];
  for (size_t j = 0; j < sizeof(exponents) / sizeof(exponents[0]); j++)
    if (scale_axes(a->kind, exponents[j], asked_query(a, i), changed))
      assert_same(a, i, changed, "axes in other units");
}

static void axes_in_other_units(void **test) {
  (void)test;
  run(204, check_units);
}

static void check_reversed_time(const asked *a, size_t i) {
  double changed[24];
  reverse_time(a->kind, asked_query(a, i), changed);
  assert_same_verdict(a, i, changed, "time reversed");
}

static void time_reversed(void **test) {
  (void)test;
  run(205, check_reversed_time);
}

/* --- the same shapes as other kinds --- */

/* A point as a triangle, an edge or a vertex; an edge as a triangle: which points are written again. */
typedef struct rewriting {
  toi_kind from, to;
  unsigned points[4];
} rewriting;

static const rewriting rewritings[] = {
    {TOI_VERTEX_EDGE, TOI_VERTEX_FACE, {0, 1, 2, 2}},   {TOI_VERTEX_EDGE, TOI_VERTEX_FACE, {0, 1, 2, 1}},
    {TOI_VERTEX_EDGE, TOI_EDGE_EDGE, {0, 0, 1, 2}},     {TOI_VERTEX_EDGE, TOI_EDGE_EDGE, {2, 1, 0, 0}},
    {TOI_VERTEX_VERTEX, TOI_VERTEX_FACE, {0, 1, 1, 1}}, {TOI_VERTEX_VERTEX, TOI_VERTEX_FACE, {1, 0, 0, 0}},
    {TOI_VERTEX_VERTEX, TOI_EDGE_EDGE, {0, 0, 1, 1}},   {TOI_VERTEX_VERTEX, TOI_VERTEX_EDGE, {0, 1, 1}},
};

static void check_kinds(const asked *a, size_t i) {
  for (size_t r = 0; r < sizeof(rewritings) / sizeof(rewritings[0]); r++) {
    const rewriting *way = &rewritings[r];
    if (way->from != a->kind)
      continue;
    double changed[24];
    size_t from = toi_kind_points(way->from), to = toi_kind_points(way->to);
    for (size_t time = 0; time < 2; time++)
      for (size_t k = 0; k < to; k++)
        memcpy(changed + 3 * (to * time + k), asked_query(a, i) + 3 * (from * time + way->points[k]),
               3 * sizeof(double));
    assert_same_time(a, i, way->to, changed, "the same shapes as another kind");
  }
}

static void degenerate_primitives_answer_as_simpler_kinds(void **test) {
  (void)test;
  run(206, check_kinds);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_in_another_order), cmocka_unit_test(mirrored_axes),
      cmocka_unit_test(axes_in_another_order),   cmocka_unit_test(axes_in_other_units),
      cmocka_unit_test(time_reversed),           cmocka_unit_test(degenerate_primitives_answer_as_simpler_kinds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
