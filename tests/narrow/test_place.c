/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Where they touch: contact parameters, point and normal.
 *
 * Parameters lie in their range and reproduce the contact: the points they name on both primitives, at the time of the
 * answer, are one point up to rounding. Normals are unit or zero, and the primitives approach against them. Rounding is
 * amplified where a contact is nearly degenerate, and axes of very different scales leave doubles behind, so
 * `certified` and the direction of normals are judged on the other classes; the places of `exact` on all. Evaluation
 * here is in long double, which is exact enough to judge doubles. */

#include <math.h>

#include "narrow/asking.h"

/* Of each axis's size: rounding, and rounding amplified by a nearly flat hull. */
#define EXACT_OFF 1e-14
#define CERTIFIED_OFF 1e-6

/* The two points that the answer names, and how fast they move. */
typedef struct contact {
  long double point[2][3], velocity[2][3];
  double size[3], speed[3]; /* the largest coordinate on each axis, and the largest velocity of a point */
} contact;

/* Weights of a query's points in the contact point of either primitive. */
static void contact_weights(toi_kind kind, const toi_hit *hit, long double weight[2][4]) {
  long double u = hit->u, v = hit->v;
  memset(weight, 0, 2 * sizeof(weight[0]));
  weight[0][0] = 1;
  if (kind == TOI_VERTEX_FACE) {
    weight[1][1] = 1 - u - v;
    weight[1][2] = u;
    weight[1][3] = v;
  } else if (kind == TOI_EDGE_EDGE) {
    weight[0][0] = 1 - u;
    weight[0][1] = u;
    weight[1][2] = 1 - v;
    weight[1][3] = v;
  } else {
    weight[1][1] = 1 - u;
    weight[1][2] = u;
  }
}

static contact contact_of(toi_kind kind, const double *query, const toi_hit *hit) {
  contact c = {0};
  long double weight[2][4], t = hit->t_lo;
  size_t points = toi_kind_points(kind);
  contact_weights(kind, hit, weight);
  for (size_t p = 0; p < points; p++)
    for (size_t axis = 0; axis < 3; axis++) {
      double start = query[3 * p + axis], end = query[3 * (points + p) + axis];
      c.size[axis] = fmax(c.size[axis], fmax(fabs(start), fabs(end)));
      c.speed[axis] = fmax(c.speed[axis], fabs(end - start));
      for (int side = 0; side < 2; side++) {
        c.point[side][axis] += weight[side][p] * ((1 - t) * start + t * end);
        c.velocity[side][axis] += weight[side][p] * ((long double)end - start);
      }
    }
  return c;
}

static bool in_unit(double x) {
  return x >= 0 && x <= 1;
}

static const char *fault_of_parameters(toi_kind kind, const toi_hit *hit) {
  if (!in_unit(hit->u) || !in_unit(hit->v))
    return "a parameter out of [0, 1]";
  if (kind == TOI_VERTEX_FACE && hit->u + hit->v > 1 + 0x1p-51)
    return "u + v beyond 1";
  if (kind == TOI_VERTEX_EDGE && hit->v != 0)
    return "v on a vertex and an edge";
  return kind == TOI_VERTEX_VERTEX && (hit->u != 0 || hit->v != 0) ? "u or v on two vertices" : NULL;
}

static const char *fault_of_point(const contact *c, const toi_hit *hit, double allowed) {
  for (int axis = 0; axis < 3; axis++) {
    double limit = allowed * c->size[axis] + 0x1p-1073;
    if (!(fabsl(c->point[0][axis] - c->point[1][axis]) <= limit))
      return "the parameters name two points";
    if (!(fabsl(c->point[1][axis] - hit->point[axis]) <= limit))
      return "the point is not where the parameters are";
  }
  return NULL;
}

static double length_of(const double n[3]) {
  return sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

/* The first primitive, seen from the second, moves against the normal; along it at most by rounding. */
static const char *fault_of_direction(const contact *c, const toi_hit *hit) {
  long double along = 0, size = 0;
  for (int axis = 0; axis < 3; axis++) {
    along += hit->normal[axis] * (c->velocity[0][axis] - c->velocity[1][axis]);
    size += fabs(hit->normal[axis]) * c->speed[axis];
  }
  return along <= 1e-6 * size ? NULL : "the normal points the wrong way";
}

static const char *fault_of_place(const asked *a, size_t i, const toi_hit *hit, double allowed) {
  const char *fault = fault_of_parameters(a->kind, hit);
  contact c = contact_of(a->kind, asked_query(a, i), hit);
  if (!fault && allowed < 1)
    fault = fault_of_point(&c, hit, allowed);
  double length = length_of(hit->normal);
  if (!fault && length != 0 && !(fabs(length - 1) <= 1e-14))
    fault = "the normal is not unit";
  return fault ? fault : planted_class_is_degenerate(a->truth[i].number) ? NULL : fault_of_direction(&c, hit);
}

/* --- runs --- */

#define SEED 301

static void parameters_and_points_of_both_methods_name_the_contact(void **test) {
  (void)test;
  static const size_t counts[TOI_KIND_COUNT] = {20000, 20000, 8000, 4000};
  uint64_t seed = test_seed(SEED);
  for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
    asked a = ask_planted(kind, seed, test_count(counts[kind]), NULL);
    for (size_t i = 0; i < a.count; i++) {
      if (!a.truth[i].hit)
        continue;
      bool degenerate = planted_class_is_degenerate(a.truth[i].number);
      const char *fault = fault_of_place(&a, i, &a.exact[i], EXACT_OFF);
      if (!fault)
        fault = fault_of_place(&a, i, &a.certified[i], degenerate ? 1 : CERTIFIED_OFF);
      if (fault)
        complain(&a, i, fault);
    }
    asked_free(&a);
  }
}

/* Where there is nothing degenerate, the methods agree on place and normal; a normal that only one of them gives is the
 * exception anywhere. */
static void both_methods_give_the_same_place_and_normal(void **test) {
  (void)test;
  uint64_t seed = test_seed(SEED + 1);
  for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
    asked a = ask_planted(kind, seed, test_count(12000), NULL);
    size_t hits = 0, only_one = 0;
    for (size_t i = 0; i < a.count; i++) {
      const toi_hit *c = &a.certified[i], *e = &a.exact[i];
      if (!a.truth[i].hit)
        continue;
      hits++;
      bool has[2] = {length_of(c->normal) > 0, length_of(e->normal) > 0};
      only_one += has[0] != has[1];
      if (planted_class_is_degenerate(a.truth[i].number))
        continue;
      if (!(fabs(c->u - e->u) <= CERTIFIED_OFF && fabs(c->v - e->v) <= CERTIFIED_OFF))
        complain(&a, i, "the methods name different places");
      double cosine = c->normal[0] * e->normal[0] + c->normal[1] * e->normal[1] + c->normal[2] * e->normal[2];
      // At the end of the step a corner may arrive within the hull's plane, and then each method has its own reason.
      if (has[0] && has[1] && e->t_hi < 1 && !(cosine >= 0.999))
        complain(&a, i, "the methods give different normals");
    }
    print_message("%s: %zu hits, %zu with a normal from one method only\n", toi_kind_name(kind), hits, only_one);
    assert_true(only_one <= 3 + hits / 100);
    asked_free(&a);
  }
}

/* By hand: the vertex comes from above, the first edge from above, and a vertex along an edge's normal. */
static void normals_of_simple_contacts_point_at_the_first_primitive(void **test) {
  (void)test;
  const double face[24] = {0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  const double edges[24] = {-1, 0, -1, 1, 0, -1, 0, -1, 0, 0, 1, 0, -1, 0, 1, 1, 0, 1, 0, -1, 0, 0, 1, 0};
  const double edge[18] = {0.5, -3, 0, 0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0};
  const double corner[24] = {0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  const double vertices[12] = {3, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0};
  const struct {
    toi_kind kind;
    const double *query;
    double normal[3], t;
  } cases[] = {{TOI_VERTEX_FACE, face, {0, 0, 1}, 0.5},
               {TOI_EDGE_EDGE, edges, {0, 0, -1}, 0.5},
               {TOI_VERTEX_EDGE, edge, {0, -1, 0}, 0.75},
               {TOI_VERTEX_FACE, corner, {0, 0, 1}, 1},
               {TOI_VERTEX_VERTEX, vertices, {1, 0, 0}, 0.75}};
  static const char *const methods[] = {"certified", "exact"};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
    for (size_t method = 0; method < 2; method++) {
      toi_hit hit = ask_one(cases[i].kind, cases[i].query, methods[method], 1);
      assert_int_equal(hit.verdict, TOI_HIT);
      assert_true(hit.t_lo <= cases[i].t && cases[i].t <= hit.t_hi);
      for (int axis = 0; axis < 3; axis++)
        assert_true(fabs(hit.normal[axis] - cases[i].normal[axis]) <= 1e-14);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_and_points_of_both_methods_name_the_contact),
      cmocka_unit_test(both_methods_give_the_same_place_and_normal),
      cmocka_unit_test(normals_of_simple_contacts_point_at_the_first_primitive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
