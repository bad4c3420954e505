/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The reduction by comparisons against brute force on small integers.
 *
 * Corners take the coordinates -1, 0 and 1. What the reduction says depends on signs alone, so if it were wrong for
 * some motion, it would be wrong for one of these at a time with a small denominator: times are tried as fractions, and
 * whether 0 is in a hull of integers is decided in integers. The oracle can be believed at the times it tries; it
 * proves no miss at the others, test_certified.c does. */

#include <string.h>

#include "narrow/hull.h"
#include "narrow/reduce.h"
#include "support/support.h"

/* Times are m / PARTS: halves, thirds, quarters. */
#define PARTS 12

typedef struct moving_corners {
  toi_kind kind;
  unsigned count;
  int64_t at[2][TOI_MOST_CORNERS][3];
} moving_corners;

/* --- 0 in a hull of integer points --- */

static void cross_product(const int64_t a[3], const int64_t b[3], int64_t out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static int64_t dot_product(const int64_t a[3], const int64_t b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool is_zero(const int64_t a[3]) {
  return a[0] == 0 && a[1] == 0 && a[2] == 0;
}

static bool in_segment(const int64_t a[3], const int64_t b[3]) {
  int64_t c[3];
  cross_product(a, b, c);
  return is_zero(c) && dot_product(a, b) <= 0;
}

/* A triangle with a normal; one without is the union of its sides. */
static bool in_triangle(const int64_t a[3], const int64_t b[3], const int64_t c[3]) {
  int64_t bc[3], ca[3], ab[3], normal[3];
  cross_product(b, c, bc);
  cross_product(c, a, ca);
  cross_product(a, b, ab);
  for (int i = 0; i < 3; i++)
    normal[i] = bc[i] + ca[i] + ab[i];
  return !is_zero(normal) && dot_product(a, bc) == 0 && dot_product(normal, bc) >= 0 && dot_product(normal, ca) >= 0 &&
         dot_product(normal, ab) >= 0;
}

/* The hull lies in a plane, so one of its triangles, segments or points holds 0 if it does. */
static bool in_hull(int64_t p[TOI_MOST_CORNERS][3], unsigned set) {
  for (unsigned i = 0; i < TOI_MOST_CORNERS; i++)
    for (unsigned j = 0; j <= i; j++)
      for (unsigned k = 0; k <= j; k++)
        if ((set >> i & set >> j & set >> k & 1) &&
            (in_segment(p[i], p[j]) || (i != j && j != k && in_triangle(p[i], p[j], p[k]))))
          return true;
  return false;
}

/* Whether 0 is in the hull of the corners in `set` at time m / PARTS. */
static bool touches(const moving_corners *c, unsigned set, int64_t m) {
  int64_t p[TOI_MOST_CORNERS][3] = {{0}};
  for (unsigned k = 0; k < c->count; k++)
    for (int axis = 0; axis < 3; axis++)
      p[k][axis] = (PARTS - m) * c->at[0][k][axis] + m * c->at[1][k][axis];
  return in_hull(p, set);
}

static unsigned all_corners(const moving_corners *c) {
  return (1u << c->count) - 1;
}

/* --- queries from corners --- */

/* Points whose differences are the corners; `base` is added to all, as it must make no difference. The fourth corner of
 * edge-edge follows from the others. */
static void query_of(const moving_corners *c, double base, double query[24]) {
  size_t points = toi_kind_points(c->kind);
  for (size_t time = 0; time < 2; time++)
    for (size_t axis = 0; axis < 3; axis++) {
      double *at = query + 3 * points * time + axis;
      const int64_t(*corner)[3] = c->at[time];
      at[0] = base;
      if (c->kind == TOI_EDGE_EDGE) {
        at[6] = base - (double)corner[0][axis];
        at[3] = at[6] + (double)corner[1][axis];
        at[9] = base - (double)corner[3][axis];
        continue;
      }
      for (unsigned k = 0; k < c->count; k++)
        at[3 * (k + 1)] = base - (double)corner[k][axis];
    }
}

static void complete(moving_corners *c) {
  for (int time = 0; time < 2 && c->kind == TOI_EDGE_EDGE; time++)
    for (int axis = 0; axis < 3; axis++)
      c->at[time][2][axis] = c->at[time][1][axis] + c->at[time][3][axis] - c->at[time][0][axis];
}

/* --- what the answers must mean --- */

static bool never_touches(const moving_corners *c, unsigned set, int64_t from, int64_t to) {
  for (int64_t m = from; m <= to; m++)
    if (touches(c, set, m))
      return false;
  return true;
}

static bool is_right_about_corner(const moving_corners *c, const toi_remainder *r) {
  if (r->t != 0 && r->t != 1)
    return false;
  int end = r->t == 1;
  unsigned others = all_corners(c) & ~(1u << r->corners[0]);
  // The corner is at 0, no other contact happens then, and none before.
  return is_zero(c->at[end][r->corners[0]]) && !touches(c, others, end ? PARTS : 0) &&
         (!end || never_touches(c, all_corners(c), 0, PARTS - 1));
}

static bool stays_zero(const moving_corners *c, unsigned corner, int axis) {
  return c->at[0][corner][axis] == 0 && c->at[1][corner][axis] == 0;
}

static bool is_right_about_segment(const moving_corners *c, const toi_remainder *r) {
  unsigned set = 1u << r->corners[0] | 1u << r->corners[1];
  if (r->corners[0] == r->corners[1] || !stays_zero(c, r->corners[0], r->axis) ||
      !stays_zero(c, r->corners[1], r->axis))
    return false;
  for (int64_t m = 0; m <= PARTS; m++)
    if (touches(c, all_corners(c), m) != touches(c, set, m))
      return false;
  return true;
}

static bool is_right(const moving_corners *c, toi_reduction reduction, const toi_remainder *r) {
  switch (reduction) {
  case TOI_REDUCED_OPEN:
    return true;
  case TOI_REDUCED_MISS:
    return never_touches(c, all_corners(c), 0, PARTS);
  case TOI_REDUCED_CORNER:
    return is_right_about_corner(c, r);
  case TOI_REDUCED_SEGMENT:
    return is_right_about_segment(c, r);
  case TOI_REDUCED_PLANE:
    for (unsigned k = 0; k < c->count; k++)
      if (!stays_zero(c, k, r->axis))
        return false;
    return c->count > 2;
  }
  return false;
}

/* What must be settled: all corners strictly on one side throughout, or at the start one at 0 and the rest on one side.
 */
static bool must_settle(const moving_corners *c) {
  for (int axis = 0; axis < 3; axis++)
    for (int sign = -1; sign <= 1; sign += 2) {
      unsigned positive = 0, zero_at_start = 0, at_zero = 0;
      for (unsigned k = 0; k < c->count; k++) {
        int64_t start = sign * c->at[0][k][axis], end = sign * c->at[1][k][axis];
        positive += start > 0 && end > 0;
        zero_at_start += start <= 0;
        at_zero += is_zero(c->at[0][k]);
      }
      if (positive == c->count || (zero_at_start == 1 && at_zero == 1))
        return true;
    }
  return false;
}

static uint64_t seen[TOI_REDUCED_PLANE + 1];

static void check(moving_corners *c, double base) {
  complete(c);
  double query[24];
  query_of(c, base, query);
  toi_remainder remainder = {.axis = -1};
  toi_reduction reduction = toi_reduce(c->kind, query, &remainder);
  bool settled = reduction == TOI_REDUCED_MISS || reduction == TOI_REDUCED_CORNER;
  bool right = is_right(c, reduction, &remainder) && (settled || !must_settle(c));
  if (!right)
    test_print_query(c->kind, query);
  assert_true(right);
  seen[reduction]++;
}

/* --- runs --- */

static moving_corners corners_of(toi_kind kind) {
  moving_corners c = {.kind = kind, .count = toi_corner_count(kind)};
  return c;
}

/* Sets the free coordinates, those of `axes` axes, from the digits of a number in base 3. */
static void set_digits(moving_corners *c, unsigned axes, uint64_t number) {
  for (unsigned time = 0; time < 2; time++)
    for (unsigned k = 0; k < c->count; k++)
      for (unsigned axis = 0; axis < axes; axis++) {
        if (c->kind == TOI_EDGE_EDGE && k == 2)
          continue;
        c->at[time][k][axis] = (int64_t)(number % 3) - 1;
        number /= 3;
      }
}

static void run_all(toi_kind kind, unsigned axes, uint64_t count) {
  moving_corners c = corners_of(kind);
  for (uint64_t number = 0; number < count; number++) {
    set_digits(&c, axes, number);
    check(&c, (double)(number % 5) - 2);
  }
}

static void run_some(toi_kind kind, uint64_t count, uint64_t seed) {
  moving_corners c = corners_of(kind);
  uint64_t state = test_seed(seed);
  for (count = test_count(count); count > 0; count--) {
    set_digits(&c, 3, test_random(&state));
    check(&c, 3);
  }
}

/* Each answer that can occur must have occurred. */
static void expect(const char *what, unsigned answers) {
  print_message("%s: open %u, miss %u, corner %u, segment %u, plane %u\n", what, (unsigned)seen[0], (unsigned)seen[1],
                (unsigned)seen[2], (unsigned)seen[3], (unsigned)seen[4]);
  for (unsigned i = 0; i <= TOI_REDUCED_PLANE; i++)
    assert_int_equal(seen[i] > 0, answers >> i & 1);
  memset(seen, 0, sizeof(seen));
}

#define MAY_OPEN (1u << TOI_REDUCED_OPEN)
#define MAY_MISS (1u << TOI_REDUCED_MISS)
#define MAY_CORNER (1u << TOI_REDUCED_CORNER)
#define MAY_SEGMENT (1u << TOI_REDUCED_SEGMENT)
#define MAY_PLANE (1u << TOI_REDUCED_PLANE)

static void all_motions_of_two_vertices(void **test) {
  (void)test;
  run_all(TOI_VERTEX_VERTEX, 3, 729);
  expect("vertex-vertex", MAY_OPEN | MAY_MISS | MAY_CORNER);
}

static void all_motions_of_a_vertex_and_an_edge(void **test) {
  (void)test;
  run_all(TOI_VERTEX_EDGE, 3, 531441);
  expect("vertex-edge", MAY_OPEN | MAY_MISS | MAY_CORNER | MAY_SEGMENT);
}

static void all_motions_of_a_vertex_and_a_face_in_a_plane(void **test) {
  (void)test;
  run_all(TOI_VERTEX_FACE, 2, 531441);
  expect("vertex-face in a plane", MAY_OPEN | MAY_MISS | MAY_CORNER | MAY_SEGMENT | MAY_PLANE);
}

static void all_motions_of_two_edges_in_a_plane(void **test) {
  (void)test;
  run_all(TOI_EDGE_EDGE, 2, 531441);
  expect("edge-edge in a plane", MAY_OPEN | MAY_MISS | MAY_CORNER | MAY_SEGMENT | MAY_PLANE);
}

static void motions_of_a_vertex_and_a_face(void **test) {
  (void)test;
  run_some(TOI_VERTEX_FACE, 500000, 21);
  expect("vertex-face", MAY_OPEN | MAY_MISS | MAY_CORNER | MAY_SEGMENT | MAY_PLANE);
}

static void motions_of_two_edges(void **test) {
  (void)test;
  run_some(TOI_EDGE_EDGE, 500000, 22);
  expect("edge-edge", MAY_OPEN | MAY_MISS | MAY_CORNER | MAY_SEGMENT | MAY_PLANE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_motions_of_two_vertices),
      cmocka_unit_test(all_motions_of_a_vertex_and_an_edge),
      cmocka_unit_test(all_motions_of_a_vertex_and_a_face_in_a_plane),
      cmocka_unit_test(all_motions_of_two_edges_in_a_plane),
      cmocka_unit_test(motions_of_a_vertex_and_a_face),
      cmocka_unit_test(motions_of_two_edges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
