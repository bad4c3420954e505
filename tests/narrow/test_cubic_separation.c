/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `cubic` with a separation d, in both norms, against distances that are known by construction, and against points of
 * the primitives that are found to be within d: a witness is an upper bound of the distance, so that a miss, or a t_lo
 * after the witness's time, is certainly wrong. A hit names its own witness. The least distance that a descent from
 * many places finds is believed in the Euclidean norm, where it is smooth in place. */

#include <math.h>

#include "narrow/asking.h"

#define TOLERANCE_LEAST 0x1p-1000

static toi_hit ask_method(const char *method, toi_kind kind, const double *query, double d, toi_norm norm) {
  toi_options options = toi_default_options();
  options.method = method;
  options.tolerance = TOLERANCE_LEAST;
  options.min_separation = d;
  options.norm = norm;
  return ask_with(kind, query, &options);
}

static toi_hit ask_separated(toi_kind kind, const double *query, double d, toi_norm norm) {
  return ask_method("cubic", kind, query, d, norm);
}

/* A place in a query: time and two parameters, clipped to where they mean something. */
typedef struct place {
  double t, u, v;
} place;

static double clip(double x, double most) {
  return x < 0 ? 0 : x > most ? most : x;
}

/* The distance between the points at a place, in the norm; good to some units in the last place of the coordinates. */
static double distance_at(toi_kind kind, const double *query, toi_norm norm, place *p) {
  size_t points = toi_kind_points(kind);
  p->t = clip(p->t, 1);
  p->u = clip(p->u, 1);
  p->v = clip(p->v, kind == TOI_VERTEX_FACE ? 1 - p->u : 1);
  double square = 0, most = 0;
  for (size_t axis = 0; axis < 3; axis++) {
    long double x[4];
    for (size_t i = 0; i < points; i++)
      x[i] = (1 - (long double)p->t) * query[3 * i + axis] + (long double)p->t * query[3 * (points + i) + axis];
    long double gap = 0;
    if (kind == TOI_VERTEX_FACE)
      gap = x[0] - (x[1] + p->u * (x[2] - x[1]) + p->v * (x[3] - x[1]));
    else if (kind == TOI_EDGE_EDGE)
      gap = x[0] + p->u * (x[1] - x[0]) - (x[2] + p->v * (x[3] - x[2]));
    else if (kind == TOI_VERTEX_EDGE)
      gap = x[0] - (x[1] + p->u * (x[2] - x[1]));
    else
      gap = x[0] - x[1];
    square += (double)(gap * gap);
    most = fmax(most, fabs((double)gap));
  }
  return norm == TOI_NORM_LINF ? most : sqrt(square);
}

/* The place with the least distance that a descent from `from` finds, over time as well if `moves`. */
static double descend(toi_kind kind, const double *query, toi_norm norm, bool moves, place *from) {
  static const double directions[][3] = {{1, 0, 0},  {0, 1, 0}, {0, 0, 1},  {1, 1, 0}, {1, -1, 0}, {1, 0, 1},
                                         {1, 0, -1}, {0, 1, 1}, {0, 1, -1}, {1, 1, 1}, {1, -1, 1}, {1, 1, -1}};
  double best = distance_at(kind, query, norm, from);
  double step = 0.25;
  for (int rounds = 0; step > 0x1p-30 && rounds < 200; rounds++) {
    bool better = false;
    for (int i = 0; i < 24; i++) {
      const double *w = directions[i / 2];
      double s = i % 2 ? -step : step;
      if (!moves && w[0] != 0)
        continue;
      place next = {from->t + s * w[0], from->u + s * w[1], from->v + s * w[2]};
      double distance = distance_at(kind, query, norm, &next);
      if (distance < best) {
        best = distance;
        *from = next;
        better = true;
      }
    }
    if (!better)
      step *= 0.5;
  }
  return best;
}

static void fail_at(toi_kind kind, const double *query, const toi_hit *hit, const place *p, const char *what) {
  test_print_query(kind, query);
  print_error("d = %a: %s [%a, %a], within %a; place %a %a %a\n", hit->separation,
              toi_verdict_name((toi_verdict)hit->verdict), hit->t_lo, hit->t_hi, hit->tolerance_reached, p->t, p->u,
              p->v);
  fail_msg("%s: %s", toi_kind_name(kind), what);
}

static void witnesses_within_the_separation_are_never_missed(void **test) {
  (void)test;
  uint64_t state = test_seed(311), count = test_count(400);
  size_t hits = 0, nears = 0, misses = 0;
  for (uint64_t i = 0; i < count; i++) {
    toi_kind kind = (toi_kind)(i % TOI_KIND_COUNT);
    toi_norm norm = i / TOI_KIND_COUNT % 2 ? TOI_NORM_LINF : TOI_NORM_L2;
    double query[24];
    for (size_t j = 0; j < row_of(kind); j++)
      query[j] = i % 3 ? test_random_unit(&state) : floor(4 * test_random_unit(&state)) * 0.7;
    place least = {0};
    double distance = INFINITY;
    for (int start = 0; start < 4; start++) {
      place p = {test_random_unit(&state), test_random_unit(&state), test_random_unit(&state)};
      double found = descend(kind, query, norm, true, &p);
      least = found < distance ? p : least;
      distance = fmin(found, distance);
    }
    // Around the least distance: far below, just below, just above, far above.
    static const double factors[] = {0.5, 0.999, 1 + 1e-9, 1.001, 2, 30};
    double d = fmax(distance, 1e-3) * factors[test_random(&state) % 6];
    toi_hit hit = ask_separated(kind, query, d, norm);
    hits += hit.verdict == TOI_HIT;
    nears += hit.verdict == TOI_NEAR;
    misses += hit.verdict == TOI_MISS;
    assert_true(hit.separation == d);
    if (distance < d && hit.verdict == TOI_MISS)
      fail_at(kind, query, &hit, &least, "a witness is missed");
    // Witnesses at other times.
    for (int step = 0; step <= 8 && hit.verdict != TOI_MISS; step++) {
      double t = 0.125 * step;
      place p = {t, 0.3, 0.3};
      if (descend(kind, query, norm, false, &p) < d && t < hit.t_lo)
        fail_at(kind, query, &hit, &p, "t_lo is after a witness");
    }
    place said = {hit.t_hi, hit.u, hit.v};
    if (hit.verdict == TOI_HIT && distance_at(kind, query, norm, &said) > d * (1 + 1e-12))
      fail_at(kind, query, &hit, &said, "a hit that is no witness");
    if (hit.verdict == TOI_NEAR && norm == TOI_NORM_L2 && distance > (d + hit.tolerance_reached) * (1 + 1e-3))
      fail_at(kind, query, &hit, &least, "they do not come as close as said");
  }
  print_message("%zu hits, %zu near, %zu misses\n", hits, nears, misses);
  assert_true(hits > count / 4 && misses > count / 10 && nears < count / 4);
}

/* A vertex above a face, along an axis: the distance is its height in both norms, at every magnitude of d. */
static void heights_are_met_at_every_magnitude_of_the_separation(void **test) {
  (void)test;
  for (int exponent = -1000; exponent <= 1000; exponent += 50)
    for (int norm = 0; norm < 2; norm++) {
      double d = ldexp(1, exponent), side = fmax(d, 1);
      double query[24] = {0, 0, 4 * d, -side, -side, 0, side, -side, 0, 0, side, 0,
                          0, 0, 2 * d, -side, -side, 0, side, -side, 0, 0, side, 0};
      toi_hit exact = ask_separated(TOI_VERTEX_FACE, query, 3 * d, (toi_norm)norm);
      assert_int_not_equal(exact.verdict, TOI_MISS);
      assert_true(exact.t_lo <= 0.5 && exact.t_safe < 0.5);
      if (exponent > -40 && exponent < 900) {
        assert_int_equal(exact.verdict, TOI_HIT);
        assert_true(exact.t_lo > 0.5 - 1e-9 * fmax(1, side / d) && exact.t_hi < 0.5 + 1e-9 * fmax(1, side / d));
        assert_true(exact.normal[2] > 0.999 && exact.distance == 3 * d);
      }
      toi_hit grazing = ask_separated(TOI_VERTEX_FACE, query, 2 * d, (toi_norm)norm);
      assert_int_not_equal(grazing.verdict, TOI_MISS);
      toi_hit below = ask_separated(TOI_VERTEX_FACE, query, 1.5 * d, (toi_norm)norm);
      assert_true(below.verdict == TOI_MISS || (below.verdict == TOI_NEAR && exponent <= -40));
      toi_hit within = ask_separated(TOI_VERTEX_FACE, query, 5 * d, (toi_norm)norm);
      assert_true(within.verdict != TOI_MISS && within.t_lo == 0);
      if (within.verdict == TOI_HIT)
        assert_true(within.touching_at_start && within.distance >= 4 * d && within.distance <= 5 * d);
    }
}

/* Two vertices that pass each other at distance exactly 5 (3, 4, 0), or 4 in the maximum norm. */
static void vertices_that_pass_at_the_separation_are_told_from_those_beyond(void **test) {
  (void)test;
  uint64_t state = test_seed(312);
  for (int i = 0; i < 400; i++) {
    double s = ldexp(1 + floor(64 * test_random_unit(&state)), (int)(test_random(&state) % 200) - 100);
    double w = s * floor(1 + 100 * test_random_unit(&state)), x = s * floor(1e6 * test_random_unit(&state));
    double query[12] = {x + 3 * s, x + 4 * s, -w, x, x, 0, x + 3 * s, x + 4 * s, 3 * w, x, x, 0};
    for (int norm = 0; norm < 2; norm++) {
      double d = norm == TOI_NORM_LINF ? 4 * s : 5 * s;
      toi_hit at = ask_separated(TOI_VERTEX_VERTEX, query, d, (toi_norm)norm);
      assert_int_not_equal(at.verdict, TOI_MISS);
      assert_true(at.t_lo <= 0.25 || norm == TOI_NORM_LINF);
      toi_hit below = ask_separated(TOI_VERTEX_VERTEX, query, nextafter(d, 0), (toi_norm)norm);
      assert_int_not_equal(below.verdict, TOI_HIT);
      toi_hit clearly = ask_separated(TOI_VERTEX_VERTEX, query, d * (1 - 1e-9), (toi_norm)norm);
      assert_int_equal(clearly.verdict, TOI_MISS);
      toi_hit beyond = ask_separated(TOI_VERTEX_VERTEX, query, d * (1 + 1e-9), (toi_norm)norm);
      assert_int_equal(beyond.verdict, TOI_HIT);
    }
  }
}

static void verdicts_are_monotone_in_the_separation(void **test) {
  (void)test;
  static const double separations[] = {0, 1e-300, 1e-100, 1e-16, 1e-8, 1e-4, 1e-2, 0.1, 1, 10, 1e100, 1e300};
  uint64_t state = test_seed(313), count = test_count(400);
  static const int rank[3] = {[TOI_MISS] = 0, [TOI_NEAR] = 1, [TOI_HIT] = 2};
  for (uint64_t i = 0; i < count; i++) {
    toi_kind kind = (toi_kind)(i % TOI_KIND_COUNT);
    double query[24];
    for (size_t j = 0; j < row_of(kind); j++)
      query[j] = i % 2 ? test_random_unit(&state) : floor(3 * test_random_unit(&state));
    toi_hit last = {.verdict = TOI_MISS, .t_lo = INFINITY};
    for (size_t j = 0; j < sizeof(separations) / sizeof(separations[0]); j++) {
      toi_hit hit = ask_separated(kind, query, separations[j], i % 3 ? TOI_NORM_L2 : TOI_NORM_LINF);
      // A hit may fall back to near where it is no longer strictly inside, but a hit or near never to a miss.
      if (rank[last.verdict] > 0 && hit.verdict == TOI_MISS)
        fail_at(kind, query, &hit, &(place){0}, "a larger separation is missed");
      last = hit;
    }
    assert_int_equal(last.verdict, TOI_HIT);
    assert_true(last.t_hi == 0 && last.touching_at_start);
  }
}

/* A hit claims a point within d: at a separation just below the exact distance there must be none. Corners of a face
 * of side 1 far below a vertex, so that rounding of the face's points outweighs the last place of d. */
static void separation_a_little_below_the_distance_is_no_hit(void **test) {
  (void)test;
  uint64_t state = test_seed(314);
  for (int i = 0; i < 4000; i++) {
    // The face's plane is z = x: its distance to (0, 0, h) at every time is h / sqrt(2), or h / 2 in the maximum norm,
    // and no place on it is a double's doing.
    double s = 1 + test_random_unit(&state), h = 0x1p-40 * (1 + test_random_unit(&state)), query[24];
    double a = s * test_random_unit(&state), b = s * test_random_unit(&state), c = s * test_random_unit(&state);
    const double points[12] = {0, 0, h, -s, -b, -s, s, -c, s, a - s / 2, s, a - s / 2};
    memcpy(query, points, sizeof(points));
    memcpy(query + 12, points, sizeof(points));
    for (int norm = 0; norm < 2; norm++) {
      double distance = norm == TOI_NORM_LINF ? h / 2 : h * 0x1.6a09e667f3bcdp-1;
      toi_hit hit = ask_separated(TOI_VERTEX_FACE, query, distance * (1 - 1e-15), (toi_norm)norm);
      if (hit.verdict == TOI_HIT)
        fail_at(TOI_VERTEX_FACE, query, &hit, &(place){0}, "a hit beyond the separation");
    }
  }
}

/* `exact` decides separations in integers and shares no code with `cubic`. */
static void random_and_planted_queries_agree_with_exact(void **test) {
  (void)test;
  static const double separations[] = {0x1p-300, 1e-16, 1e-8, 1e-4, 1e-2, 0.1, 0.5, 1};
  uint64_t seed = test_seed(315), state = seed, count = test_count_from(4000, 200), hits = 0, open = 0;
  for (uint64_t i = 0; i < count; i++) {
    toi_kind kind = (toi_kind)(test_random(&state) % TOI_KIND_COUNT);
    planted_query planted;
    planted_mixed(kind, seed, i, &planted);
    uint64_t style = test_random(&state) % 4;
    for (size_t j = 0; j < row_of(kind) && style > 0; j++) {
      double x = test_random_unit(&state);
      planted.points[j] = style == 1 ? x : style == 2 ? floor(3 * x) : 12.8 + floor(3 * x) * 0.1;
    }
    double d = separations[test_random(&state) % 8];
    toi_norm norm = test_random(&state) % 2 ? TOI_NORM_LINF : TOI_NORM_L2;
    toi_hit e = ask_method("exact", kind, planted.points, d, norm);
    toi_hit c = ask_method("cubic", kind, planted.points, d, norm);
    const char *fault = NULL;
    if (e.verdict == TOI_HIT && (c.verdict == TOI_MISS || c.t_lo > e.t_lo || (e.t_hi > 0 && c.t_safe >= e.t_hi)))
      fault = c.verdict == TOI_MISS ? "a contact is missed" : "a late time";
    if (c.verdict == TOI_HIT && (e.verdict == TOI_MISS || c.t_hi < e.t_hi))
      fault = "a hit before there is contact";
    if (c.verdict == TOI_HIT && c.touching_at_start && !e.touching_at_start)
      fault = "touching_at_start is wrong";
    if (fault)
      fail_at(kind, planted.points, &c, &(place){e.t_lo, 0, 0}, fault);
    hits += c.verdict == TOI_HIT;
    open += c.verdict == TOI_NEAR && e.verdict == TOI_MISS;
  }
  print_message("%d hits proved, %d misses left open of %d\n", (int)hits, (int)open, (int)count);
  assert_true(hits > count / 5 && open < count / 50);
}

/* A vertex at rest at height 1 above a face whose side has any width down to the least double: the normal is as short,
 * and its square underflows. */
static void faces_of_any_width_are_within_the_separation(void **test) {
  (void)test;
  for (int exponent = 0; exponent >= -1074; exponent -= 2)
    for (int norm = 0; norm < 2; norm++) {
      const double points[12] = {0, 0, 1, 0, 0, 0, ldexp(1, exponent), 0, 0, 0, -1, 0};
      double query[24];
      memcpy(query, points, sizeof(points));
      memcpy(query + 12, points, sizeof(points));
      toi_hit hit = ask_separated(TOI_VERTEX_FACE, query, 4, (toi_norm)norm);
      if (hit.verdict == TOI_MISS || hit.t_lo != 0)
        fail_at(TOI_VERTEX_FACE, query, &hit, &(place){0}, "a contact is missed");
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(faces_of_any_width_are_within_the_separation),
      cmocka_unit_test(witnesses_within_the_separation_are_never_missed),
      cmocka_unit_test(heights_are_met_at_every_magnitude_of_the_separation),
      cmocka_unit_test(vertices_that_pass_at_the_separation_are_told_from_those_beyond),
      cmocka_unit_test(random_and_planted_queries_agree_with_exact),
      cmocka_unit_test(separation_a_little_below_the_distance_is_no_hit),
      cmocka_unit_test(verdicts_are_monotone_in_the_separation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
