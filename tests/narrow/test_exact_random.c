/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The exact method on random queries with few different coordinates, so that nearly all are degenerate in some way.
 *
 * Oracle: whether 0 is in the hull at one rational time, by Caratheodory: some point, segment or triangle of corners
 * holds it, which linear equations over mpq tell. It shares nothing with the solver and may be believed at every
 * rational time; it says nothing about times in between, so it is asked at the answer, before it, and all over a miss.
 */

#include "narrow/exact_cases.h"

#include <gmp.h>

#include "narrow/hull.h"

/* --- the oracle --- */

typedef struct oracle {
  int count;
  mpq_t corner[4][3];
  mpq_t weight[3]; /* of a solution */
  mpq_t u, v;      /* the smallest u, then v, found so far */
  mpq_t own_u, own_v, help, other;
  bool found;
} oracle;

static void oracle_init(oracle *o) {
  for (int k = 0; k < 4; k++)
    mpq_inits(o->corner[k][0], o->corner[k][1], o->corner[k][2], NULL);
  mpq_inits(o->weight[0], o->weight[1], o->weight[2], o->u, o->v, o->own_u, o->own_v, o->help, o->other, NULL);
}

static void oracle_clear(oracle *o) {
  for (int k = 0; k < 4; k++)
    mpq_clears(o->corner[k][0], o->corner[k][1], o->corner[k][2], NULL);
  mpq_clears(o->weight[0], o->weight[1], o->weight[2], o->u, o->v, o->own_u, o->own_v, o->help, o->other, NULL);
}

/* x = (1 - t) a + t b, and the same for the other point, subtracted. */
static void oracle_corner(oracle *o, mpq_t x, const double a[2], const double b[2], const mpq_t t) {
  mpq_set_d(x, a[0]);
  mpq_set_d(o->help, b[0]);
  mpq_sub(x, x, o->help);
  mpq_set_d(o->other, a[1]);
  mpq_set_d(o->help, b[1]);
  mpq_sub(o->other, o->other, o->help);
  mpq_sub(o->other, o->other, x);
  mpq_mul(o->other, o->other, t);
  mpq_add(x, x, o->other);
}

/* Takes a solution: corners i, j, k (-1: none) with the weights that are set. */
static void oracle_take(oracle *o, toi_kind kind, const int corner[3]) {
  const toi_corner *table = toi_corners(kind);
  mpq_set_ui(o->own_u, 0, 1);
  mpq_set_ui(o->own_v, 0, 1);
  for (int i = 0; i < 3 && corner[i] >= 0; i++) {
    if (table[corner[i]].u)
      mpq_add(o->own_u, o->own_u, o->weight[i]);
    if (table[corner[i]].v)
      mpq_add(o->own_v, o->own_v, o->weight[i]);
  }
  int order = o->found ? mpq_cmp(o->own_u, o->u) : -1;
  if (order < 0 || (order == 0 && mpq_cmp(o->own_v, o->v) < 0)) {
    mpq_set(o->u, o->own_u);
    mpq_set(o->v, o->own_v);
  }
  o->found = true;
}

/* A segment of corners i and j: w (c_i - c_j) = -c_j on every axis. */
static void oracle_segment(oracle *o, toi_kind kind, int i, int j) {
  bool solved = false;
  for (int axis = 0; axis < 3; axis++) {
    mpq_sub(o->help, o->corner[j][axis], o->corner[i][axis]);
    if (mpq_sgn(o->help) != 0 && !solved) {
      mpq_div(o->weight[0], o->corner[j][axis], o->help);
      solved = true;
    }
  }
  mpq_set_ui(o->weight[1], 1, 1);
  mpq_sub(o->weight[1], o->weight[1], o->weight[0]);
  if (!solved || mpq_sgn(o->weight[0]) < 0 || mpq_sgn(o->weight[1]) < 0)
    return;
  for (int axis = 0; axis < 3; axis++) {
    mpq_mul(o->help, o->weight[0], o->corner[i][axis]);
    mpq_mul(o->other, o->weight[1], o->corner[j][axis]);
    mpq_add(o->help, o->help, o->other);
    if (mpq_sgn(o->help) != 0)
      return;
  }
  oracle_take(o, kind, (const int[3]){i, j, -1});
}

/* det = a b - c d of differences to corner k. */
static void oracle_minor(oracle *o, mpq_t det, const mpq_t a[2], const mpq_t b[2]) {
  mpq_mul(det, a[0], b[1]);
  mpq_mul(o->help, a[1], b[0]);
  mpq_sub(det, det, o->help);
}

/* A triangle of corners: Cramer's rule on two axes where it works, the third axis as a check. */
static void oracle_triangle(oracle *o, toi_kind kind, const int corner[3]) {
  mpq_t p[3], q[3], r[3], det;
  for (int axis = 0; axis < 3; axis++) {
    mpq_inits(p[axis], q[axis], r[axis], NULL);
    mpq_sub(p[axis], o->corner[corner[0]][axis], o->corner[corner[2]][axis]);
    mpq_sub(q[axis], o->corner[corner[1]][axis], o->corner[corner[2]][axis]);
    mpq_neg(r[axis], o->corner[corner[2]][axis]);
  }
  mpq_init(det);
  bool solved = false, holds = true;
  for (int axis = 0; axis < 3 && !solved; axis++) {
    int y = (axis + 1) % 3, z = (axis + 2) % 3;
    mpq_t a[2], b[2], c[2];
    mpq_inits(a[0], a[1], b[0], b[1], c[0], c[1], NULL);
    mpq_set(a[0], p[y]), mpq_set(a[1], p[z]);
    mpq_set(b[0], q[y]), mpq_set(b[1], q[z]);
    mpq_set(c[0], r[y]), mpq_set(c[1], r[z]);
    oracle_minor(o, det, (const mpq_t *)a, (const mpq_t *)b);
    if (mpq_sgn(det) != 0) {
      oracle_minor(o, o->weight[0], (const mpq_t *)c, (const mpq_t *)b);
      oracle_minor(o, o->weight[1], (const mpq_t *)a, (const mpq_t *)c);
      mpq_div(o->weight[0], o->weight[0], det);
      mpq_div(o->weight[1], o->weight[1], det);
      solved = true;
    }
    mpq_clears(a[0], a[1], b[0], b[1], c[0], c[1], NULL);
  }
  for (int axis = 0; axis < 3 && solved; axis++) {
    mpq_mul(o->help, o->weight[0], p[axis]);
    mpq_mul(o->other, o->weight[1], q[axis]);
    mpq_add(o->help, o->help, o->other);
    holds = holds && mpq_equal(o->help, r[axis]);
  }
  mpq_set_ui(o->weight[2], 1, 1);
  mpq_sub(o->weight[2], o->weight[2], o->weight[0]);
  mpq_sub(o->weight[2], o->weight[2], o->weight[1]);
  if (solved && holds && mpq_sgn(o->weight[0]) >= 0 && mpq_sgn(o->weight[1]) >= 0 && mpq_sgn(o->weight[2]) >= 0)
    oracle_take(o, kind, corner);
  for (int axis = 0; axis < 3; axis++)
    mpq_clears(p[axis], q[axis], r[axis], NULL);
  mpq_clear(det);
}

/* Whether they touch at time t; then u and v are the smallest parameters. */
static bool oracle_touching(oracle *o, toi_kind kind, const double *query, const mpq_t t) {
  const toi_corner *table = toi_corners(kind);
  int points = (int)toi_kind_points(kind);
  o->count = (int)toi_corner_count(kind);
  o->found = false;
  for (int k = 0; k < o->count; k++) {
    for (int axis = 0; axis < 3; axis++) {
      int first = 3 * table[k].first + axis, second = 3 * table[k].second + axis;
      oracle_corner(o, o->corner[k][axis], (const double[2]){query[first], query[3 * points + first]},
                    (const double[2]){query[second], query[3 * points + second]}, t);
    }
  }
  for (int i = 0; i < o->count; i++) {
    if (mpq_sgn(o->corner[i][0]) == 0 && mpq_sgn(o->corner[i][1]) == 0 && mpq_sgn(o->corner[i][2]) == 0) {
      mpq_set_ui(o->weight[0], 1, 1);
      oracle_take(o, kind, (const int[3]){i, -1, -1});
    }
    for (int j = i + 1; j < o->count; j++) {
      oracle_segment(o, kind, i, j);
      for (int k = j + 1; k < o->count; k++)
        oracle_triangle(o, kind, (const int[3]){i, j, k});
    }
  }
  return o->found;
}

/* --- random queries --- */

static double draw(uint64_t *state, int style) {
  int64_t small = (int64_t)(test_random(state) % 5) - 2;
  switch (style) {
  case 0:
    return (double)small;
  case 1:
    return (double)((int64_t)(test_random(state) % 3) - 1);
  case 2: // mixed magnitudes
    return ldexp((double)small, -(int)(test_random(state) % 3) * 40);
  default: // nearly degenerate
    return (double)small + (test_random(state) % 4 == 0 ? ldexp((double)small, -50) : 0);
  }
}

static toi_kind draw_query(uint64_t *state, double query[24]) {
  toi_kind kind = (toi_kind)(test_random(state) % TOI_KIND_COUNT);
  kind = kind > TOI_EDGE_EDGE && test_random(state) % 2 ? TOI_EDGE_EDGE : kind;
  int points = (int)toi_kind_points(kind), style = (int)(test_random(state) % 4);
  for (int i = 0; i < 6 * points; i++)
    query[i] = draw(state, style);
  // Flat, on a line, at rest, moved as one, or as they are.
  int flat = (int)(test_random(state) % 6);
  for (int i = 0; i < 6 * points; i++) {
    if ((flat == 0 && i % 3 == 2) || (flat == 1 && i % 3 >= 1))
      query[i] = 0;
    if (flat == 2 && i >= 3 * points && test_random(state) % 2)
      query[i] = query[i - 3 * points];
  }
  return kind;
}

static void check_contact(oracle *o, toi_kind kind, const double *query, const toi_hit *hit, uint64_t *state) {
  mpq_t t;
  mpq_init(t);
  double end = hit->verdict == TOI_HIT ? hit->t_lo : 1;
  // Not before.
  for (int i = 0; i < 4; i++) {
    mpq_set_ui(t, i == 0 ? 0 : test_random(state) % 13, i == 0 ? 1 : 12);
    mpq_canonicalize(t);
    if (i == 1)
      mpq_set_d(t, end);
    mpq_t limit;
    mpq_init(limit);
    mpq_set_d(limit, end);
    int order = mpq_cmp(t, limit);
    mpq_clear(limit);
    bool open = hit->verdict == TOI_MISS || hit->t_lo < hit->t_hi ? order <= 0 : order < 0;
    if (open && mpq_cmp_ui(t, 1, 1) <= 0 && oracle_touching(o, kind, query, t)) {
      test_print_query(kind, query);
      fail_msg("touches before the answer [%a, %a]", hit->t_lo, hit->t_hi);
    }
  }
  // At a time that is a double, and in the right place.
  if (hit->verdict == TOI_HIT && hit->t_lo == hit->t_hi) {
    mpq_set_d(t, hit->t_lo);
    bool touching = oracle_touching(o, kind, query, t);
    if (!touching || fabs(mpq_get_d(o->u) - hit->u) > 1e-12 || fabs(mpq_get_d(o->v) - hit->v) > 1e-12) {
      test_print_query(kind, query);
      fail_msg("at %a: touching %d, u = %g, v = %g, want %g, %g", hit->t_lo, touching, hit->u, hit->v, mpq_get_d(o->u),
               mpq_get_d(o->v));
    }
  }
  mpq_clear(t);
}

static void answers_agree_with_hulls_at_rational_times(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1), hits = 0, rounds = test_count(60000);
  oracle o;
  oracle_init(&o);
  for (uint64_t round = 0; round < rounds; round++) {
    double query[24];
    toi_kind kind = draw_query(&state, query);
    toi_hit hit = decide(kind, query);
    if (hit.verdict == TOI_HIT) {
      hit = expect_hit(kind, query, hit.t_lo, hit.t_hi);
      hits++;
    } else {
      expect_miss(kind, query);
    }
    check_contact(&o, kind, query, &hit, &state);
  }
  oracle_clear(&o);
  // Enough of both, or the test says little.
  assert_in_range(hits, rounds / 10, rounds * 9 / 10);
}

/* --- symmetries --- */

/* The query with point i of the result taken from point order[i]. */
static void permute(toi_kind kind, const double *query, const int *order, double *out) {
  int points = (int)toi_kind_points(kind);
  for (int time = 0; time < 2; time++)
    for (int i = 0; i < points; i++)
      memcpy(out + 3 * (time * points + i), query + 3 * (time * points + order[i]), 3 * sizeof(double));
}

static void expect_same_time(toi_kind kind, const double *query, const double *other) {
  toi_hit a = decide(kind, query), b = decide(kind, other);
  if (a.verdict != b.verdict || a.t_lo != b.t_lo || a.t_hi != b.t_hi) {
    test_print_query(kind, query);
    test_print_query(kind, other);
    fail_msg("verdicts %d, %d in [%a, %a] and [%a, %a]", a.verdict, b.verdict, a.t_lo, a.t_hi, b.t_lo, b.t_hi);
  }
}

static void time_does_not_depend_on_names_and_directions(void **unused) {
  (void)unused;
  static const int faces[][4] = {{0, 1, 3, 2}, {0, 2, 1, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 3, 2, 1}};
  static const int edges[][4] = {{1, 0, 2, 3}, {0, 1, 3, 2}, {1, 0, 3, 2}, {2, 3, 0, 1},
                                 {3, 2, 0, 1}, {2, 3, 1, 0}, {3, 2, 1, 0}};
  static const int segment[] = {0, 2, 1}, points[] = {1, 0};
  uint64_t state = test_seed(2);
  for (uint64_t round = 0; round < test_count(20000); round++) {
    double query[24], other[24];
    toi_kind kind = draw_query(&state, query);
    int values = 6 * (int)toi_kind_points(kind);
    const int *order = kind == TOI_VERTEX_FACE   ? faces[test_random(&state) % 5]
                       : kind == TOI_EDGE_EDGE   ? edges[test_random(&state) % 7]
                       : kind == TOI_VERTEX_EDGE ? segment
                                                 : points;
    permute(kind, query, order, other);
    expect_same_time(kind, query, other);
    // A mirror, axes in another order, an axis at another scale.
    int axis = (int)(test_random(&state) % 3), turn = (int)(test_random(&state) % 3);
    for (int i = 0; i < values; i++) {
      double x = query[i / 3 * 3 + (i + turn) % 3];
      other[i] = i % 3 == axis ? -ldexp(x, -300) : x;
    }
    expect_same_time(kind, query, other);
    // Backwards in time the verdict is the same.
    memcpy(other, query + values / 2, (size_t)values / 2 * sizeof(double));
    memcpy(other + values / 2, query, (size_t)values / 2 * sizeof(double));
    assert_int_equal(decide(kind, query).verdict, decide(kind, other).verdict);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_agree_with_hulls_at_rational_times),
      cmocka_unit_test(time_does_not_depend_on_names_and_directions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
