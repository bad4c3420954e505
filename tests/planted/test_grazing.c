/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The truth of grazing queries, checked by other means: rational arithmetic on the doubles of the finished query.
 *
 * At a rational time the corners are rational points. Euclidean: the squared distance of 0 to their hull is the least
 * over corners, edges and triangles of them whose nearest point is inside. Maximum norm: the hull comes within d if
 * something is left of it when it is clipped by the six sides of the cube. Either says whether the distance is at most
 * d at that time. It is asked at the planted times, close before them, at the ends and at random times: a hit must be
 * one at the bracket's end and not before its beginning, a miss nowhere. */

#include "support/support.h"

#include "planted/grazing.h"

#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CORNERS = 4, CLIPPED = 16, SAMPLES = 12 };

typedef struct place {
  mpq_t at[3];
} place;

static void places_init(place *p, int count) {
  for (int i = 0; i < count; i++)
    mpq_inits(p[i].at[0], p[i].at[1], p[i].at[2], NULL);
}

static void places_clear(place *p, int count) {
  for (int i = 0; i < count; i++)
    mpq_clears(p[i].at[0], p[i].at[1], p[i].at[2], NULL);
}

static void place_set(place *to, const place *from) {
  for (int k = 0; k < 3; k++)
    mpq_set(to->at[k], from->at[k]);
}

/* out = a + w (b - a) */
static void place_between(place *out, const place *a, const place *b, const mpq_t w) {
  mpq_t part;
  mpq_init(part);
  for (int k = 0; k < 3; k++) {
    mpq_sub(part, b->at[k], a->at[k]);
    mpq_mul(part, part, w);
    mpq_add(out->at[k], a->at[k], part);
  }
  mpq_clear(part);
}

static void place_dot(mpq_t out, const place *a, const place *b) {
  mpq_t term, sum;
  mpq_inits(term, sum, NULL);
  for (int k = 0; k < 3; k++) {
    mpq_mul(term, a->at[k], b->at[k]);
    mpq_add(sum, sum, term);
  }
  mpq_set(out, sum);
  mpq_clears(term, sum, NULL);
}

/* Point `number` of the query at a time. */
static void point_at(place *out, const planted_query *query, uint32_t number, const mpq_t time) {
  const uint32_t points = planted_points(query->kind);
  place ends[2];
  places_init(ends, 2);
  for (uint32_t e = 0; e < 2; e++)
    for (uint32_t k = 0; k < 3; k++)
      mpq_set_d(ends[e].at[k], query->points[3 * (e * points + number) + k]);
  place_between(out, &ends[0], &ends[1], time);
  places_clear(ends, 2);
}

/* The corners at a time, around the hull; their number is returned. */
static int corners_at(place *c, const planted_query *query, const mpq_t time) {
  static const uint32_t around[CORNERS][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const uint32_t points = planted_points(query->kind), first = planted_first_points(query->kind);
  const uint32_t count = first * (points - first);
  place other;
  places_init(&other, 1);
  for (uint32_t i = 0; i < count; i++) {
    point_at(&c[i], query, first == 2 ? around[i][0] : 0, time);
    point_at(&other, query, first + (first == 2 ? around[i][1] : i), time);
    for (int k = 0; k < 3; k++)
      mpq_sub(c[i].at[k], c[i].at[k], other.at[k]);
  }
  places_clear(&other, 1);
  return (int)count;
}

/* --- the maximum norm --- */

/* Cuts the polygon by sign * x[axis] <= d; what is left, in order. */
static int clip(place *polygon, int count, int axis, int sign, const mpq_t d) {
  place left[CLIPPED];
  places_init(left, CLIPPED);
  mpq_t here, there, w;
  mpq_inits(here, there, w, NULL);
  int kept = 0;
  for (int i = 0; i < count; i++) {
    const place *a = &polygon[i], *b = &polygon[(i + 1) % count];
    mpq_set_si(w, sign, 1);
    mpq_mul(here, w, a->at[axis]);
    mpq_mul(there, w, b->at[axis]);
    mpq_sub(here, d, here);
    mpq_sub(there, d, there);
    if (mpq_sgn(here) >= 0)
      place_set(&left[kept++], a);
    if (mpq_sgn(here) * mpq_sgn(there) < 0) {
      mpq_sub(there, here, there);
      mpq_div(w, here, there);
      place_between(&left[kept++], a, b, w);
    }
  }
  assert_true(kept <= CLIPPED);
  for (int i = 0; i < kept; i++)
    place_set(&polygon[i], &left[i]);
  mpq_clears(here, there, w, NULL);
  places_clear(left, CLIPPED);
  return kept;
}

static bool within_cube(place *polygon, int count, const mpq_t d) {
  for (int axis = 0; axis < 3 && count > 0; axis++) {
    count = clip(polygon, count, axis, 1, d);
    count = count > 0 ? clip(polygon, count, axis, -1, d) : 0;
  }
  return count > 0;
}

/* --- the Euclidean norm --- */

/* Lowers `least` to the squared distance of the segment, if its nearest point to 0 is inside. */
static void lower_by_segment(mpq_t least, const place *a, const place *b) {
  place along, foot;
  places_init(&along, 1);
  places_init(&foot, 1);
  mpq_t w, square;
  mpq_inits(w, square, NULL);
  for (int k = 0; k < 3; k++)
    mpq_sub(along.at[k], a->at[k], b->at[k]);
  place_dot(square, &along, &along);
  if (mpq_sgn(square) > 0) {
    place_dot(w, &along, a);
    mpq_div(w, w, square);
    if (mpq_sgn(w) >= 0 && mpq_cmp_ui(w, 1, 1) <= 0) {
      place_between(&foot, a, b, w);
      place_dot(square, &foot, &foot);
      if (mpq_cmp(square, least) < 0)
        mpq_set(least, square);
    }
  }
  mpq_clears(w, square, NULL);
  places_clear(&along, 1);
  places_clear(&foot, 1);
}

/* The same for a triangle: a + v p + w q with both products against p and q zero, by Cramer's rule. */
static void lower_by_triangle(mpq_t least, const place *a, const place *b, const place *c) {
  enum { PP, PQ, QQ, AP, AQ, V, W, DET, T, NUMBERS };
  mpq_t x[NUMBERS];
  place p, q, foot;
  places_init(&p, 1);
  places_init(&q, 1);
  places_init(&foot, 1);
  for (int i = 0; i < NUMBERS; i++)
    mpq_init(x[i]);
  for (int k = 0; k < 3; k++) {
    mpq_sub(p.at[k], b->at[k], a->at[k]);
    mpq_sub(q.at[k], c->at[k], a->at[k]);
  }
  place_dot(x[PP], &p, &p);
  place_dot(x[PQ], &p, &q);
  place_dot(x[QQ], &q, &q);
  place_dot(x[AP], a, &p);
  place_dot(x[AQ], a, &q);
  mpq_mul(x[DET], x[PP], x[QQ]);
  mpq_mul(x[T], x[PQ], x[PQ]);
  mpq_sub(x[DET], x[DET], x[T]);
  if (mpq_sgn(x[DET]) > 0) {
    mpq_mul(x[V], x[AQ], x[PQ]);
    mpq_mul(x[T], x[AP], x[QQ]);
    mpq_sub(x[V], x[V], x[T]);
    mpq_div(x[V], x[V], x[DET]);
    mpq_mul(x[W], x[AP], x[PQ]);
    mpq_mul(x[T], x[AQ], x[PP]);
    mpq_sub(x[W], x[W], x[T]);
    mpq_div(x[W], x[W], x[DET]);
    mpq_add(x[T], x[V], x[W]);
    if (mpq_sgn(x[V]) >= 0 && mpq_sgn(x[W]) >= 0 && mpq_cmp_ui(x[T], 1, 1) <= 0) {
      place_between(&foot, a, b, x[V]);
      for (int k = 0; k < 3; k++) {
        mpq_mul(x[T], q.at[k], x[W]);
        mpq_add(foot.at[k], foot.at[k], x[T]);
      }
      place_dot(x[T], &foot, &foot);
      if (mpq_cmp(x[T], least) < 0)
        mpq_set(least, x[T]);
    }
  }
  for (int i = 0; i < NUMBERS; i++)
    mpq_clear(x[i]);
  places_clear(&p, 1);
  places_clear(&q, 1);
  places_clear(&foot, 1);
}

static bool within_ball(const place *c, int count, const mpq_t d) {
  mpq_t least, square;
  mpq_inits(least, square, NULL);
  place_dot(least, &c[0], &c[0]);
  for (int i = 0; i < count; i++) {
    place_dot(square, &c[i], &c[i]);
    if (mpq_cmp(square, least) < 0)
      mpq_set(least, square);
    lower_by_segment(least, &c[i], &c[(i + 1) % count]);
  }
  for (int i = 2; i < count; i++)
    lower_by_triangle(least, &c[0], &c[i - 1], &c[i]);
  mpq_mul(square, d, d);
  const bool within = mpq_cmp(least, square) <= 0;
  mpq_clears(least, square, NULL);
  return within;
}

/* --- the truth of one query --- */

static bool within_at(const planted_query *query, const grazing_group *group, const mpq_t time) {
  place c[CLIPPED];
  places_init(c, CLIPPED);
  mpq_t d;
  mpq_init(d);
  mpq_set_d(d, group->separation);
  const int count = corners_at(c, query, time);
  const bool within = group->norm == TOI_NORM_L2 ? within_ball(c, count, d) : within_cube(c, count, d);
  mpq_clear(d);
  places_clear(c, CLIPPED);
  return within;
}

static bool within_at_double(const planted_query *query, const grazing_group *group, double time) {
  mpq_t t;
  mpq_init(t);
  mpq_set_d(t, time);
  const bool within = within_at(query, group, t);
  mpq_clear(t);
  return within;
}

/* Within d at the planted time: the rational one, or the end of the bracket, whose beginning is not. */
static bool check_time(const planted_query *query, const grazing_group *group) {
  if (query->time[1] == 0) {
    return query->t_lo < query->t_hi && nextafter(query->t_lo, 2) == query->t_hi &&
           within_at_double(query, group, query->t_hi) && !within_at_double(query, group, query->t_lo);
  }
  mpq_t time, n, lo, hi;
  mpq_inits(time, n, lo, hi, NULL);
  mpq_set_d(time, query->time[0]);
  mpq_set_d(n, query->time[1]);
  mpq_div(time, time, n);
  mpq_set_d(lo, query->t_lo);
  mpq_set_d(hi, query->t_hi);
  bool right = query->t_lo == query->t_hi
                   ? mpq_equal(lo, time) != 0
                   : nextafter(query->t_lo, 2) == query->t_hi && mpq_cmp(lo, time) < 0 && mpq_cmp(time, hi) < 0;
  right = right && within_at(query, group, time);
  // As close before it as 2^-80 of it.
  mpq_div_2exp(n, time, 80);
  mpq_sub(n, time, n);
  right = right && (mpq_sgn(time) == 0 || !within_at(query, group, n));
  mpq_clears(time, n, lo, hi, NULL);
  return right;
}

static bool truth_holds(const planted_query *query, const grazing_group *group, uint64_t *random) {
  const double end = query->hit ? query->t_lo : 1;
  if (query->hit && !(query->time_known && query->t_hi <= 1 && check_time(query, group)))
    return false;
  for (int i = 0; i < SAMPLES; i++) {
    double t = i == 0 ? 0 : end * test_random_unit(random);
    t = i % 3 == 2 ? end - ldexp(t, -(int)(test_random(random) % 50)) : t;
    if (t < end && t >= 0 && within_at_double(query, group, t))
      return false;
  }
  return query->hit || !within_at_double(query, group, 1);
}

static void the_truth_of_grazing_queries_holds_in_rationals(void **state) {
  (void)state;
  const uint64_t seed = test_seed(20260303), count = test_count(60);
  uint64_t random = seed;
  for (uint32_t number = 0; number < grazing_class_count(); number++) {
    for (uint64_t i = 0; i < count; i++) {
      const grazing_group group = grazing_group_make(i % 2 == 0 ? TOI_NORM_L2 : TOI_NORM_LINF, seed, i);
      const toi_kind kind = (toi_kind)(i / 2 % TOI_KIND_COUNT);
      planted_query query;
      if (!grazing_class_has(number, kind))
        continue;
      grazing_make(number, kind, &group, seed, i, &query);
      if (!truth_holds(&query, &group, &random)) {
        test_print_query(query.kind, query.points);
        fail_msg("class %s, norm %d, d %a, seed %llu, index %llu, planted %s", grazing_class_name(number),
                 (int)group.norm, group.separation, (unsigned long long)seed, (unsigned long long)i,
                 query.hit ? "hit" : "miss");
      }
    }
  }
}

/* The classes differ in what they plant: some times and verdicts each must make. */
static void grazing_classes_make_hits_and_misses(void **state) {
  (void)state;
  uint64_t irrational = 0, at_end = 0, inside = 0;
  for (uint32_t number = 0; number < grazing_class_count(); number++) {
    assert_non_null(grazing_class_description(number));
    uint64_t hits = 0, made = 0;
    for (uint64_t i = 0; i < 400; i++) {
      const grazing_group group = grazing_group_make((toi_norm)(i % 2), 3, i);
      const toi_kind kind = (toi_kind)(i / 2 % 2);
      planted_query query;
      grazing_make(number, kind, &group, 3, i, &query);
      made++;
      hits += query.hit;
      irrational += query.hit && query.time[1] == 0;
      at_end += query.hit && query.t_lo == 1;
      inside += query.hit && query.t_lo > 0 && query.t_hi < 1;
      assert_true(isnormal(group.separation));
      for (uint32_t k = 0; k < 6 * planted_points(kind); k++)
        assert_true(isfinite(query.points[k]));
    }
    const bool always = strncmp(grazing_class_name(number), "oblique", 7) == 0;
    assert_in_range(hits, 100, always ? made : made - 10);
  }
  assert_null(grazing_class_name(grazing_class_count()));
  printf("%llu irrational times, %llu at the end, %llu inside\n", (unsigned long long)irrational,
         (unsigned long long)at_end, (unsigned long long)inside);
  assert_true(irrational > 500 && at_end > 200 && inside > 1000);
}

static void a_grazing_query_depends_on_its_numbers_only(void **state) {
  (void)state;
  const grazing_group group = grazing_group_make(TOI_NORM_L2, 5, 17), same = grazing_group_make(TOI_NORM_L2, 5, 17);
  assert_true(group.separation == same.separation);
  for (uint32_t number = 0; number < grazing_class_count(); number++) {
    planted_query once, again, other;
    memset(&once, 0, sizeof once);
    memset(&again, 0, sizeof again);
    memset(&other, 0, sizeof other);
    grazing_make(number, TOI_EDGE_EDGE, &group, 7, 1234567, &once);
    grazing_make(number, TOI_EDGE_EDGE, &group, 7, 7654321, &other);
    grazing_make(number, TOI_EDGE_EDGE, &same, 7, 1234567, &again);
    assert_memory_equal(&once, &again, sizeof once);
    assert_memory_not_equal(once.points, other.points, sizeof once.points);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_grazing_query_depends_on_its_numbers_only),
      cmocka_unit_test(grazing_classes_make_hits_and_misses),
      cmocka_unit_test(the_truth_of_grazing_queries_holds_in_rationals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
