/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The planted truth, checked by other means: rational arithmetic on the doubles of the finished query.
 *
 * Contact at a rational time is shown by Caratheodory: 0 is a corner, between two, or in a triangle of three. No
 * contact in an interval of time is shown by halving it until on each part the coplanarity has one strict sign, or two
 * cyclic areas have strictly opposite signs, or all corners are strictly on one side of a coordinate plane (the lemmas
 * of docs/certificates.md); where there is no contact, this ends. */

#include "support/support.h"

#include "planted/planted.h"
#include "verify/rational.h"

#include <math.h>
#include <string.h>

enum { DEPTH = 1400, CORNERS = 4 };

typedef struct frame {
  int count;
  vector corners[CORNERS];
} frame;

static void frame_init(frame *f, const planted_query *query) {
  const uint32_t points = planted_points(query->kind), first = planted_first_points(query->kind);
  static const uint32_t around[CORNERS][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  f->count = (int)(first * (points - first));
  mpq_t end;
  mpq_init(end);
  for (uint32_t i = 0; i < CORNERS; i++) {
    const uint32_t a = first == 2 ? around[i][0] : 0, b = first + (first == 2 ? around[i][1] : i);
    for (uint32_t k = 0; k < 3; k++) {
      polynomial_init(&f->corners[i].at[k]);
      if ((int)i < f->count) {
        mpq_t *p = f->corners[i].at[k].c;
        mpq_set_d(p[0], query->points[3 * a + k]);
        mpq_set_d(end, query->points[3 * b + k]);
        mpq_sub(p[0], p[0], end);
        mpq_set_d(p[1], query->points[3 * (points + a) + k]);
        mpq_sub(p[1], p[1], p[0]);
        mpq_set_d(end, query->points[3 * (points + b) + k]);
        mpq_sub(p[1], p[1], end);
      }
    }
  }
  mpq_clear(end);
}

static void frame_clear(frame *f) {
  for (int i = 0; i < CORNERS; i++)
    for (int k = 0; k < 3; k++)
      polynomial_clear(&f->corners[i].at[k]);
}

/* --- contact at a time --- */

typedef struct place {
  mpq_t at[3];
} place;

static void place_init(place *p) {
  mpq_inits(p->at[0], p->at[1], p->at[2], NULL);
}

static void place_clear(place *p) {
  mpq_clears(p->at[0], p->at[1], p->at[2], NULL);
}

static bool place_is_zero(const place *p) {
  return mpq_sgn(p->at[0]) == 0 && mpq_sgn(p->at[1]) == 0 && mpq_sgn(p->at[2]) == 0;
}

static void place_cross(place *out, const place *p, const place *q) {
  mpq_t term;
  mpq_init(term);
  for (int k = 0; k < 3; k++) {
    mpq_mul(out->at[k], p->at[(k + 1) % 3], q->at[(k + 2) % 3]);
    mpq_mul(term, p->at[(k + 2) % 3], q->at[(k + 1) % 3]);
    mpq_sub(out->at[k], out->at[k], term);
  }
  mpq_clear(term);
}

static int place_dot_sign(const place *p, const place *q) {
  mpq_t sum, term;
  mpq_inits(sum, term, NULL);
  for (int k = 0; k < 3; k++) {
    mpq_mul(term, p->at[k], q->at[k]);
    mpq_add(sum, sum, term);
  }
  const int sign = mpq_sgn(sum);
  mpq_clears(sum, term, NULL);
  return sign;
}

/* 0 between p and q. */
static bool segment_holds(const place *p, const place *q) {
  place cross;
  place_init(&cross);
  place_cross(&cross, p, q);
  const bool holds = place_is_zero(&cross) && place_dot_sign(p, q) <= 0;
  place_clear(&cross);
  return holds;
}

/* 0 in the triangle p, q, r, which has an area. */
static bool triangle_holds(const place *p, const place *q, const place *r) {
  place areas[3], normal;
  place_init(&normal);
  for (int i = 0; i < 3; i++)
    place_init(&areas[i]);
  place_cross(&areas[0], p, q);
  place_cross(&areas[1], q, r);
  place_cross(&areas[2], r, p);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      mpq_add(normal.at[k], normal.at[k], areas[i].at[k]);
  bool holds = !place_is_zero(&normal) && place_dot_sign(&normal, p) == 0;
  for (int i = 0; i < 3; i++) {
    holds = holds && place_dot_sign(&normal, &areas[i]) >= 0;
    place_clear(&areas[i]);
  }
  place_clear(&normal);
  return holds;
}

static bool touches_at(const frame *f, const mpq_t t) {
  place p[CORNERS];
  for (int i = 0; i < CORNERS; i++) {
    place_init(&p[i]);
    for (int k = 0; k < 3; k++)
      polynomial_value(p[i].at[k], &f->corners[i].at[k], t);
  }
  bool touches = false;
  for (int i = 0; i < f->count; i++) {
    touches = touches || place_is_zero(&p[i]);
    for (int j = 0; j < i; j++) {
      touches = touches || segment_holds(&p[i], &p[j]);
      for (int k = 0; k < j && !touches; k++)
        touches = triangle_holds(&p[i], &p[j], &p[k]);
    }
  }
  for (int i = 0; i < CORNERS; i++)
    place_clear(&p[i]);
  return touches;
}

/* --- no contact in an interval --- */

static bool side_separates(const frame *f, const mpq_t a, const mpq_t b) {
  for (int k = 0; k < 3; k++) {
    int sign = polynomial_sign(&f->corners[0].at[k], a, b);
    for (int i = 1; i < f->count; i++)
      sign = polynomial_sign(&f->corners[i].at[k], a, b) == sign ? sign : 0;
    if (sign != 0)
      return true;
  }
  return false;
}

static bool areas_separate(const frame *f, const mpq_t a, const mpq_t b) {
  polynomial area;
  polynomial_init(&area);
  bool separates = false;
  for (int axis = 0; axis < 3 && !separates; axis++) {
    bool seen[3] = {false, false, false};
    for (int i = 0; i < f->count; i++) {
      vector_area(&area, &f->corners[i], &f->corners[(i + 1) % f->count], axis);
      seen[1 + polynomial_sign(&area, a, b)] = true;
    }
    separates = seen[0] && seen[2];
  }
  polynomial_clear(&area);
  return separates;
}

static bool sign_separates(const frame *f, const mpq_t a, const mpq_t b) {
  if (f->count < 3)
    return false;
  polynomial cubic;
  polynomial_init(&cubic);
  vector_determinant(&cubic, &f->corners[0], &f->corners[1], &f->corners[2]);
  const bool separates = polynomial_sign(&cubic, a, b) != 0;
  polynomial_clear(&cubic);
  return separates;
}

/* From the left, in strides that halve on failure and double on success. */
static bool free_until(const frame *f, const mpq_t end) {
  mpq_t a, b, stride;
  mpq_inits(a, b, stride, NULL);
  mpq_set(stride, end);
  int failures = 0;
  bool first = true;
  while (failures < DEPTH && (first || mpq_cmp(a, end) < 0)) {
    mpq_add(b, a, stride);
    if (mpq_cmp(b, end) > 0)
      mpq_set(b, end);
    if (side_separates(f, a, b) || sign_separates(f, a, b) || areas_separate(f, a, b)) {
      mpq_set(a, b);
      mpq_mul_2exp(stride, stride, 1);
      first = false;
    } else {
      mpq_div_2exp(stride, stride, 1);
      failures++;
    }
  }
  mpq_clears(a, b, stride, NULL);
  return failures < DEPTH;
}

/* Whether seen along some axis the contact stays strictly inside: all areas have one sign. */
static bool stays_inside(const frame *f, const mpq_t a, const mpq_t b) {
  polynomial area;
  polynomial_init(&area);
  bool inside = false;
  for (int axis = 0; axis < 3 && !inside; axis++) {
    int sum = 0;
    for (int i = 0; i < f->count; i++) {
      vector_area(&area, &f->corners[i], &f->corners[(i + 1) % f->count], axis);
      sum += polynomial_sign(&area, a, b);
    }
    inside = sum == f->count || sum == -f->count;
  }
  polynomial_clear(&area);
  return inside;
}

/* The cubic changes sign between a and b: halves the interval, keeping a change, until the contact is seen to stay
 * inside. */
static bool crosses_inside(const frame *f, const polynomial *cubic, mpq_t a, mpq_t b) {
  mpq_t middle, value;
  mpq_inits(middle, value, NULL);
  polynomial_value(value, cubic, a);
  const int before = mpq_sgn(value);
  bool found = stays_inside(f, a, b);
  for (int i = 0; i < 60 && !found; i++) {
    mpq_add(middle, a, b);
    mpq_div_2exp(middle, middle, 1);
    polynomial_value(value, cubic, middle);
    mpq_set(mpq_sgn(value) == before ? a : b, middle);
    found = stays_inside(f, a, b) || (mpq_sgn(value) == 0 && touches_at(f, middle));
  }
  mpq_clears(middle, value, NULL);
  return found;
}

/* Contact in [lo, hi]: at an end of one of 64 equal parts of it, or where the cubic changes sign in one of them. */
static bool crosses_within(const frame *f, const mpq_t lo, const mpq_t hi) {
  polynomial cubic;
  polynomial_init(&cubic);
  vector_determinant(&cubic, &f->corners[0], &f->corners[1], &f->corners[2]);
  mpq_t a, b, next, step, value;
  mpq_inits(a, b, next, step, value, NULL);
  mpq_sub(step, hi, lo);
  mpq_div_2exp(step, step, 6);
  mpq_set(next, lo);
  bool found = touches_at(f, lo);
  for (int part = 0; part < 64 && !found; part++) {
    mpq_set(a, next);
    mpq_add(next, next, step);
    mpq_set(b, next);
    polynomial_value(value, &cubic, a);
    const int before = mpq_sgn(value);
    polynomial_value(value, &cubic, b);
    const int after = mpq_sgn(value);
    found = (after == 0 && touches_at(f, b)) || (before * after < 0 && crosses_inside(f, &cubic, a, b));
  }
  mpq_clears(a, b, next, step, value, NULL);
  polynomial_clear(&cubic);
  return found;
}

/* Whether two polynomials are multiples of each other, so that they vanish together. */
static bool proportional(const polynomial *p, const polynomial *q) {
  mpq_t a, b;
  mpq_inits(a, b, NULL);
  bool same = true;
  for (int i = 0; i <= VERIFY_DEGREE; i++) {
    for (int j = 0; j < i; j++) {
      mpq_mul(a, p->c[i], q->c[j]);
      mpq_mul(b, p->c[j], q->c[i]);
      same = same && mpq_equal(a, b) != 0;
    }
  }
  mpq_clears(a, b, NULL);
  return same;
}

/* Between lo and hi the corners p and q become parallel, on opposite sides of 0. */
static bool segment_crosses(const vector *p, const vector *q, const mpq_t lo, const mpq_t hi) {
  polynomial areas[3], product;
  mpq_t before, after;
  mpq_inits(before, after, NULL);
  polynomial_init(&product);
  bool changes = false, together = true, opposite = true;
  for (int k = 0; k < 3; k++) {
    polynomial_init(&areas[k]);
    vector_area(&areas[k], p, q, k);
    polynomial_value(before, &areas[k], lo);
    polynomial_value(after, &areas[k], hi);
    changes = changes || mpq_sgn(before) * mpq_sgn(after) < 0;
    polynomial_set_zero(&product);
    polynomial_add_product(&product, &p->at[k], &q->at[k], 1);
    opposite = opposite && (polynomial_degree(&product) < 0 || polynomial_sign(&product, lo, hi) < 0);
  }
  for (int k = 0; k < 3; k++)
    together = together && proportional(&areas[k], &areas[(k + 1) % 3]);
  for (int k = 0; k < 3; k++)
    polynomial_clear(&areas[k]);
  polynomial_clear(&product);
  mpq_clears(before, after, NULL);
  return changes && together && opposite;
}

static bool edge_crosses_within(const frame *f, const mpq_t lo, const mpq_t hi) {
  bool found = touches_at(f, lo);
  for (int i = 0; i < f->count && !found; i++)
    found = segment_crosses(&f->corners[i], &f->corners[(i + 1) % f->count], lo, hi);
  return found;
}

/* --- the truth of one query --- */

static bool check_miss(const frame *f) {
  mpq_t one;
  mpq_init(one);
  mpq_set_ui(one, 1, 1);
  const bool holds = free_until(f, one);
  mpq_clear(one);
  return holds;
}

/* The bracket is tight around the contact time, and nothing touches before all but a millionth of it. */
static bool check_first(const frame *f, const planted_query *query, const mpq_t time, bool rational) {
  if (query->t_lo != query->t_hi && nextafter(query->t_lo, 2) != query->t_hi)
    return false;
  mpq_t lo, hi;
  mpq_inits(lo, hi, NULL);
  mpq_set_d(lo, query->t_lo);
  mpq_set_d(hi, query->t_hi);
  bool holds;
  if (rational) {
    const bool exact = query->t_lo == query->t_hi;
    holds = exact ? mpq_equal(lo, time) != 0 : mpq_cmp(lo, time) < 0 && mpq_cmp(time, hi) < 0;
  } else {
    holds = edge_crosses_within(f, lo, hi) || (f->count > 2 && crosses_within(f, lo, hi));
  }
  if (mpq_sgn(lo) > 0) {
    mpq_div_2exp(hi, lo, 20);
    mpq_sub(lo, lo, hi);
    holds = holds && free_until(f, lo);
  }
  mpq_clears(lo, hi, NULL);
  return holds;
}

static bool check_hit(const frame *f, const planted_query *query) {
  const bool rational = query->time[1] != 0;
  mpq_t time, low, high;
  mpq_inits(time, low, high, NULL);
  bool holds;
  if (rational) {
    mpq_set_d(low, query->time[1]);
    mpq_set_d(high, query->time[2]);
    mpq_add(low, low, high);
    mpq_set_d(time, query->time[0]);
    mpq_div(time, time, low);
    holds = touches_at(f, time) && mpq_sgn(time) >= 0 && mpq_cmp_ui(time, 1, 1) <= 0;
  } else {
    mpq_set_ui(low, 0, 1);
    mpq_set_ui(high, 1, 1);
    holds = query->time_known || crosses_within(f, low, high);
  }
  holds = holds && (!query->time_known || check_first(f, query, time, rational));
  mpq_clears(time, low, high, NULL);
  return holds;
}

static bool truth_holds(const planted_query *query) {
  frame f;
  frame_init(&f, query);
  const bool holds = query->hit ? check_hit(&f, query) : check_miss(&f);
  frame_clear(&f);
  return holds;
}

static void the_truth_of_every_class_holds_in_rationals(void **state) {
  (void)state;
  const uint64_t seed = test_seed(20260101), count = test_count(40);
  for (uint32_t number = 0; number < planted_class_count(); number++) {
    for (uint64_t i = 0; i < count; i++) {
      planted_query query;
      planted_make(number, PLANTED_ANY, seed, i, &query);
      if (!truth_holds(&query)) {
        test_print_query(query.kind, query.points);
        fail_msg("class %s, seed %llu, index %llu, planted %s", planted_class_name(number), (unsigned long long)seed,
                 (unsigned long long)i, query.hit ? "hit" : "miss");
      }
    }
  }
}

static void a_query_depends_on_its_numbers_only(void **state) {
  (void)state;
  for (uint32_t number = 0; number < planted_class_count(); number++) {
    planted_query once, again, other;
    memset(&once, 0, sizeof once);
    memset(&again, 0, sizeof again);
    memset(&other, 0, sizeof other);
    planted_make(number, PLANTED_ANY, 7, 1234567, &once);
    planted_make(number, PLANTED_ANY, 7, 7654321, &other);
    planted_make(number, PLANTED_ANY, 7, 1234567, &again);
    assert_memory_equal(&once, &again, sizeof once);
    assert_memory_not_equal(once.points, other.points, sizeof once.points);
  }
}

static void every_class_makes_its_kinds_and_finite_coordinates(void **state) {
  (void)state;
  assert_null(planted_class_name(planted_class_count()));
  for (uint32_t number = 0; number < planted_class_count(); number++) {
    assert_non_null(planted_class_description(number));
    for (toi_kind kind = TOI_VERTEX_FACE; kind < TOI_KIND_COUNT; kind++) {
      for (uint64_t i = 0; planted_class_has(number, kind) && i < 200; i++) {
        planted_query query;
        planted_make(number, kind, 3, i, &query);
        assert_int_equal(query.kind, kind);
        assert_int_equal(query.number, number);
        for (uint32_t k = 0; k < 6 * planted_points(kind); k++)
          assert_true(isfinite(query.points[k]));
      }
    }
  }
}

static void more_than_half_of_the_mixture_is_degenerate(void **state) {
  (void)state;
  for (toi_kind kind = TOI_VERTEX_FACE; kind <= PLANTED_ANY; kind++) {
    uint32_t degenerate = 0, hits = 0;
    for (uint64_t i = 0; i < 4000; i++) {
      planted_query query;
      planted_mixed(kind, 11, i, &query);
      degenerate += planted_class_is_degenerate(query.number);
      hits += query.hit;
    }
    assert_in_range(degenerate, 2000, 3600);
    assert_in_range(hits, 1000, 3000);
  }
}

static void classes_of_undecided_truth_make_hits_and_misses(void **state) {
  (void)state;
  static const char *const both[] = {
      "outside",   "coplanar",   "parallel", "collapsed", "near-boundary", "near-time",   "at-start",
      "at-end",    "at-rest",    "riding",   "roots",     "double-root",   "triple-root", "one-ulp",
      "hourglass", "inflection", "slide",    "tiny-time", "scaled",        "extreme",     "close-roots",
      "edge",      "corner",     "inside",   "offset",    "collinear",     "gliding"};
  for (size_t i = 0; i < sizeof both / sizeof both[0]; i++) {
    uint32_t number = 0;
    while (strcmp(planted_class_name(number), both[i]) != 0)
      number++;
    uint32_t hits = 0;
    for (uint64_t k = 0; k < 400; k++) {
      planted_query query;
      planted_make(number, PLANTED_ANY, 5, k, &query);
      hits += query.hit;
    }
    assert_in_range(hits, 20, 390);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_query_depends_on_its_numbers_only),
      cmocka_unit_test(every_class_makes_its_kinds_and_finite_coordinates),
      cmocka_unit_test(more_than_half_of_the_mixture_is_degenerate),
      cmocka_unit_test(classes_of_undecided_truth_make_hits_and_misses),
      cmocka_unit_test(the_truth_of_every_class_holds_in_rationals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
