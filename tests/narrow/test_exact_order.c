/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The exact order of contact times. Two oracles: ties are made by construction (copies moved, mirrored and scaled
 * exactly, polynomials that share a root); times that differ are told apart by halving, with exact arithmetic at dyadic
 * times on GMP's own numbers, whether the contact is past (see happened_by() for where that may be believed). */

#include <gmp.h>
#include <math.h>
#include <string.h>

#include "narrow/asking.h"
#include "narrow/exact_order.h"
#include "narrow/gmp_counter.h"
#include "narrow/separation_oracle.h"

/* A query with memory of its own. */
typedef struct timed_query {
  double query[24];
  toi_timed timed;
} timed_query;

/* Asks a method for the time; false if there is no contact. */
static bool fill(timed_query *q, const char *method) {
  toi_options options = toi_default_options();
  options.method = method;
  options.norm = q->timed.norm;
  options.min_separation = q->timed.separation;
  toi_hit hit = ask_with(q->timed.kind, q->query, &options);
  q->timed.query = q->query;
  q->timed.t_lo = hit.t_lo;
  q->timed.t_hi = hit.t_hi;
  return hit.verdict == TOI_HIT;
}

static timed_query make(toi_kind kind, const double *query, double d, toi_norm norm) {
  timed_query q = {.timed = {.kind = kind, .norm = norm, .separation = d}};
  memcpy(q.query, query, row_of(kind) * sizeof(double));
  assert_true(fill(&q, "exact"));
  q.timed.query = NULL;
  return q;
}

static void complain_pair(const timed_query *a, const timed_query *b, const char *what) {
  const timed_query *both[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    const toi_timed *x = &both[i]->timed;
    test_print_query(x->kind, both[i]->query);
    print_error("d = %a, norm %d, [%a, %a]\n", x->separation, (int)x->norm, x->t_lo, x->t_hi);
  }
  fail_msg("%s", what);
}

static int order_once(const toi_timed *a, const toi_timed *b) {
  int order = 7;
  assert_int_equal(toi_exact_order(NULL, 0, a, b, &order), TOI_OK);
  return order;
}

/* The order, asked from both sides. */
static int order_of(timed_query *a, timed_query *b) {
  a->timed.query = a->query;
  b->timed.query = b->query;
  int order = order_once(&a->timed, &b->timed), back = order_once(&b->timed, &a->timed);
  if (order != -back || order < -1 || order > 1)
    complain_pair(a, b, "the order depends on who is asked first");
  return order;
}

static void expect_order(timed_query *a, timed_query *b, int want) {
  if (order_of(a, b) != want)
    complain_pair(a, b, "wrong order");
}

/* --- by hand --- */

/* Contacts at t = 1 - sqrt(3) / 4, where 3 - 16 s^2 = 0 with s = 1 - t. */
static int make_square_roots(timed_query out[8]) {
  // The corners (4 s, 3) and (-1, -4 s) are in line with 0 there, 0 between them.
  const double edge[18] = {0, 0, 0, -4, -3, 0, 1, 4, 0, 0, 0, 0, 0, -3, 0, 1, 0, 0};
  // The same with a third corner that moves up by 1 + t: the cubic is (1 + t) (3 - 16 s^2).
  const double face[24] = {0, 0, 0, -4, -3, 0, 1, 4, 0, 0, 0, -1, 0, 0, 0, 0, -3, 0, 1, 0, 0, 0, 0, -2};
  // A vertex of the second edge is on the first one.
  const double edges[24] = {-4, -3, 0, 1, 4, 0, 0, 0, 0, 0, 0, 1, 0, -3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3};
  // |(4 s, 1, 0)| = 2 and |(4 s, 2, 1)| = sqrt(8); and (4 s, 3, 1), 4 s = sqrt(3), beside an edge along z.
  const double near[12] = {4, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
  const double beside[18] = {4, 1, 0, 0, 0, -9, 0, 0, 9, 0, 1, 0, 0, 0, -9, 0, 0, 9};
  // A triangle whose edge along z is closest.
  const double wing[24] = {4, 1, 0, 0, 0, -9, 0, 0, 9, -5, 0, 0, 0, 1, 0, 0, 0, -9, 0, 0, 9, -5, 0, 0};
  out[0] = make(TOI_VERTEX_EDGE, edge, 0, TOI_NORM_L2);
  out[1] = make(TOI_VERTEX_FACE, face, 0, TOI_NORM_L2);
  out[2] = make(TOI_EDGE_EDGE, edges, 0, TOI_NORM_LINF);
  out[3] = make(TOI_VERTEX_VERTEX, near, 2, TOI_NORM_L2);
  out[4] = make(TOI_VERTEX_EDGE, beside, 2, TOI_NORM_L2);
  out[5] = make(TOI_VERTEX_FACE, wing, 2, TOI_NORM_L2);
  return 6;
}

/* Contacts at t = 1/3, of multiplicities 1, 2, 3. */
static int make_thirds(timed_query out[8]) {
  const double straight[12] = {1, 0, 0, 0, 0, 0, -2, 0, 0, 0, 0, 0};
  const double graze[12] = {1, 5, 0, 0, 0, 0, -2, 5, 0, 0, 0, 0};
  const double reach[12] = {3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  // Corners (L, 0, 0), (0, L, 0), (0, 0, L) with L = 1 - 3 t: the cubic is L^3.
  const double triple[24] = {0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2};
  // A vertex that falls on a face at rest, and to a distance of 2 above it.
  const double fall[24] = {1, 1, 1, 0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -2, 0, 0, 0, 4, 0, 0, 0, 4, 0};
  const double above[24] = {1, 1, 3, 0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 0, 0, 0, 0, 4, 0, 0, 0, 4, 0};
  out[0] = make(TOI_VERTEX_VERTEX, straight, 0, TOI_NORM_L2);
  out[1] = make(TOI_VERTEX_VERTEX, graze, 5, TOI_NORM_L2);
  out[2] = make(TOI_VERTEX_VERTEX, reach, 2, TOI_NORM_LINF);
  out[3] = make(TOI_VERTEX_FACE, triple, 0, TOI_NORM_L2);
  out[4] = make(TOI_VERTEX_FACE, fall, 0, TOI_NORM_L2);
  out[5] = make(TOI_VERTEX_FACE, above, 2, TOI_NORM_L2);
  out[6] = make(TOI_VERTEX_FACE, above, 2, TOI_NORM_LINF);
  return 7;
}

/* A contact at the start, and one at 1/2. */
static int make_doubles(timed_query out[2]) {
  const double rest[12] = {0}, half[12] = {1, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0};
  out[0] = make(TOI_VERTEX_VERTEX, rest, 0, TOI_NORM_L2);
  out[1] = make(TOI_VERTEX_VERTEX, half, 0, TOI_NORM_L2);
  return 2;
}

static void equal_times_of_all_kinds_are_ties(void **unused) {
  (void)unused;
  timed_query all[24];
  int group[24], count = make_doubles(all);
  group[0] = 0;
  group[1] = 2;
  for (int g = 1; g <= 3; g += 2)
    for (int added = g == 1 ? make_thirds(all + count) : make_square_roots(all + count); added > 0; added--)
      group[count++] = g;
  // Times are 0, 1/3, 1/2 and 0.56...
  for (int wide = 0; wide < 2; wide++)
    for (int i = 0; i < count; i++) {
      if (wide) {
        fill(&all[i], "certified");
        all[i].timed.t_lo = 0;
      }
      for (int j = 0; j <= i; j++)
        expect_order(&all[i], &all[j], (group[i] > group[j]) - (group[i] < group[j]));
    }
}

static void times_closer_than_doubles_are_told_apart(void **unused) {
  (void)unused;
  // 1/3 and times that differ from it by 2^-k: (1 - 3 t) + 2^-k = 0.
  for (int k = 60; k <= 1074; k += 13) {
    double third[12] = {1, 0, 0, 0, 0, 0, -2, 0, 0, 0, 0, 0}, later[12] = {1, 0, 0, 0, 0, 0, -2, 0, 0, 0, 0, 0};
    double graze[12] = {1, 5, 0, 0, 0, 0, -2, 5, 0, 0, 0, 0};
    // x = 1 - 3 t, from -2^-k: contact later.
    later[3] = later[9] = -ldexp(1, -k);
    timed_query a = make(TOI_VERTEX_VERTEX, third, 0, TOI_NORM_L2);
    timed_query b = make(TOI_VERTEX_VERTEX, later, 0, TOI_NORM_L2);
    timed_query c = make(TOI_VERTEX_VERTEX, graze, 5, TOI_NORM_L2);
    assert_true(a.timed.t_lo == b.timed.t_lo && a.timed.t_hi == b.timed.t_hi);
    expect_order(&a, &b, -1);
    expect_order(&c, &b, -1);
    expect_order(&a, &c, 0);
  }
}

static void an_edge_is_reached_where_it_is_closest_by_far_less_than_an_ulp(void **unused) {
  (void)unused;
  // Ends at x = 5 - 3 t, within 4 of the vertex at t = 1/3; one end is aside by so little that doubles do not show it.
  for (int k = 70; k < 400; k += 30)
    for (int end = 0; end < 2; end++)
      for (int norm = 0; norm < 2; norm++) {
        double edge[18] = {0, 0, 0, 5, 0, 0, 5, 0, 0, 0, 0, 0, 2, 0, 0, 2, 0, 0}, tiny = ldexp(1, -k);
        timed_query even = make(TOI_VERTEX_EDGE, edge, 4, (toi_norm)norm);
        edge[0] = edge[9] = tiny;
        timed_query nearer = make(TOI_VERTEX_EDGE, edge, 4, (toi_norm)norm);
        edge[3 * end + 4] = edge[3 * end + 13] = 3 * tiny;
        timed_query aside = make(TOI_VERTEX_EDGE, edge, 4, (toi_norm)norm);
        expect_order(&nearer, &even, -1);
        expect_order(&aside, &nearer, 0);
      }
}

static void a_tilt_that_doubles_do_not_show_decides_where_a_cube_is_met(void **unused) {
  (void)unused;
  // The cube around v = (0, 0, 5 - 6 t) comes down on a face z = tilt x that ends at x = 1/2: it is met there, with t =
  // (4 - tilt / 2) / 6, before the cube's corners at x = -1 meet it, and after those at x = 1 reach its plane.
  for (int k = 60; k < 500; k += 44) {
    double tilt = ldexp(1, -k), at[3] = {0.5, -1, 1};
    double face[24] = {0, 0, 5,  0.5, 0, tilt / 2, -5, -10, -5 * tilt, -5, 10, -5 * tilt,
                       0, 0, -1, 0.5, 0, tilt / 2, -5, -10, -5 * tilt, -5, 10, -5 * tilt};
    timed_query tilted = make(TOI_VERTEX_FACE, face, 1, TOI_NORM_LINF);
    for (int i = 0; i < 3; i++) {
      double point[12] = {0, 0, 5, 0, 0, tilt * at[i], 0, 0, -1, 0, 0, tilt * at[i]};
      timed_query level = make(TOI_VERTEX_VERTEX, point, 1, TOI_NORM_LINF);
      expect_order(&tilted, &level, i == 0 ? 0 : i == 1 ? -1 : 1);
    }
  }
}

/* --- copies --- */

/* Coordinates that are small multiples of 1/16, and motions that meet. */
static void draw_points(uint64_t *state, toi_kind kind, double *query) {
  size_t half = row_of(kind) / 2;
  for (size_t i = 0; i < 2 * half; i++) {
    query[i] = ((double)(test_random(state) % 129) - 64) / 16;
    if (test_random(state) % 4 == 0)
      query[i] = 0;
    if (i >= half && test_random(state) % 3 == 0)
      query[i] = -query[i - half];
    // Motions in a plane.
    if (i % 3 == 2 && kind >= TOI_VERTEX_EDGE)
      query[i] = 0;
  }
}

/* A random hit whose time is no double, with separation or without. */
static timed_query draw_hit(uint64_t *state) {
  for (;;) {
    timed_query q = {.timed = {.kind = (toi_kind)(test_random(state) % TOI_KIND_COUNT)}};
    q.timed.norm = (toi_norm)(test_random(state) % 2);
    q.timed.separation =
        test_random(state) % 2 || q.timed.kind == TOI_VERTEX_VERTEX ? (double)(1 + test_random(state) % 24) / 16 : 0;
    draw_points(state, q.timed.kind, q.query);
    if (fill(&q, "exact") && q.timed.t_lo < q.timed.t_hi)
      return q;
  }
}

static void swap_points(timed_query *q, size_t a, size_t b) {
  size_t points = toi_kind_points(q->timed.kind);
  for (size_t i = 0; i < 6; i++) {
    size_t at = i < 3 ? i : 3 * points + i - 3;
    double kept = q->query[3 * a + at];
    q->query[3 * a + at] = q->query[3 * b + at];
    q->query[3 * b + at] = kept;
  }
}

/* The same query from another side: renamed points, mirrored, turned, scaled; and shifted on a straight way, if its
 * coordinates are those of draw_points(), so that nothing is rounded. */
static timed_query moved(uint64_t *state, timed_query q, bool shifted) {
  size_t points = toi_kind_points(q.timed.kind), row = 6 * points;
  if (q.timed.kind == TOI_VERTEX_FACE)
    swap_points(&q, 1, 2 + test_random(state) % 2);
  else if (q.timed.kind == TOI_EDGE_EDGE)
    swap_points(&q, 2, 3);
  else if (q.timed.kind == TOI_VERTEX_VERTEX)
    swap_points(&q, 0, 1);
  double scale[3] = {1, 1, 1}, shift[6] = {0};
  for (int i = 0; i < 6 && shifted; i++)
    shift[i] = ((double)(test_random(state) % 1025) - 512) / 8;
  // Without a separation each axis has a scale of its own.
  int common = (int)(test_random(state) % 600) - 300, turn = (int)(test_random(state) % 3);
  for (int axis = 0; axis < 3; axis++) {
    int own = q.timed.separation > 0 ? common : (int)(test_random(state) % 600) - 300;
    scale[axis] = ldexp(test_random(state) % 2 ? 1 : -1, own);
  }
  double old[24];
  memcpy(old, q.query, sizeof old);
  for (size_t i = 0; i < row; i++) {
    size_t axis = i % 3, from = i - axis + (axis + (size_t)turn) % 3;
    q.query[i] = (old[from] + shift[i < row / 2 ? axis : 3 + axis]) * scale[axis];
  }
  if (q.timed.separation > 0)
    q.timed.separation = ldexp(q.timed.separation, common);
  if (!fill(&q, "exact"))
    complain_pair(&q, &q, "a copy that does not touch");
  return q;
}

static void copies_are_ties(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1);
  for (uint64_t round = 0; round < test_count(600); round++) {
    timed_query q = draw_hit(&state), copy = moved(&state, q, true), other = moved(&state, q, round % 2);
    expect_order(&q, &copy, 0);
    expect_order(&copy, &other, 0);
  }
}

/* --- times that differ --- */

/* Times m / 2^k around the contact of a query, narrowed by halving. */
typedef struct halving {
  const timed_query *q;
  mpz_t lo; /* lo / 2^k, and hi = (lo + 1) / 2^k */
  long k;
  int before; /* the sign of the coplanarity at the lower end */
} halving;

static oracle_hull hull_at(const timed_query *q, exact time) {
  toi_kind kind = q->timed.kind;
  oracle_hull hull = {.n = (int)toi_corner_count(kind)};
  const toi_corner *corners = toi_corners(kind);
  int points = (int)toi_kind_points(kind);
  for (int k = 0; k < hull.n; k++)
    for (int axis = 0; axis < 3; axis++) {
      int i = 3 * corners[k].first + axis, j = 3 * corners[k].second + axis;
      exact start = minus(exactly(q->query[i]), exactly(q->query[j]));
      exact end = minus(exactly(q->query[3 * points + i]), exactly(q->query[3 * points + j]));
      hull.c[k][axis] = mixed(start, end, time);
    }
  return hull;
}

/* What changes its sign at a contact without separation: the volume, in a plane the area. */
static int sign_at(const timed_query *q, exact time) {
  oracle_hull hull = hull_at(q, time);
  exact area[3];
  if (hull.n == 1)
    return sign_of(hull.c[0][0]);
  oracle_cross(hull.c[0], hull.c[1], area);
  return hull.n == 2 ? sign_of(area[2]) : sign_of(oracle_dot(area, hull.c[2]));
}

/* Whether the contact is at this time or before. To be believed between the tightest doubles around the contact, if the
 * sign differs at them or the distance goes below d and stays there: not where they graze. */
static bool happened_by(const halving *h, exact time) {
  const toi_timed *x = &h->q->timed;
  if (!(x->separation > 0))
    return sign_at(h->q, time) != h->before;
  oracle_hull hull = hull_at(h->q, time);
  return x->norm == TOI_NORM_L2 ? oracle_within_euclidean(&hull, x->separation)
                                : oracle_within_maximum(&hull, x->separation);
}

static exact time_at(const mpz_t m, long k) {
  dyadic *time = dyadic_fresh();
  mpz_set(time->m, m);
  time->e = -k;
  return time;
}

/* Starts between the tightest doubles; false where the oracle knows nothing. */
static bool halving_start(halving *h, const timed_query *q) {
  h->q = q;
  h->k = 1074;
  mpz_init(h->lo);
  dyadic_reset();
  exact lo = exactly(q->timed.t_lo), hi = exactly(q->timed.t_hi);
  // Adjacent doubles are a power of two apart.
  int exponent;
  frexp(q->timed.t_hi - q->timed.t_lo, &exponent);
  h->k = 1 - exponent;
  mpz_set(h->lo, lo->m);
  assert_true(lo->e + h->k >= 0);
  mpz_mul_2exp(h->lo, h->lo, (mp_bitcnt_t)(lo->e + h->k));
  h->before = q->timed.separation > 0 ? 0 : sign_at(q, lo);
  return !happened_by(h, lo) && happened_by(h, hi) && (q->timed.separation > 0 || h->before * sign_at(q, hi) < 0);
}

static void halving_step(halving *h) {
  dyadic_reset();
  mpz_mul_2exp(h->lo, h->lo, 1);
  mpz_add_ui(h->lo, h->lo, 1);
  h->k++;
  if (happened_by(h, time_at(h->lo, h->k)))
    mpz_sub_ui(h->lo, h->lo, 1);
}

/* The order by halving; 2 where the oracle knows nothing. Brackets are the same. */
static int order_by_halving(const timed_query *a, const timed_query *b, int most) {
  halving x, y;
  bool known = halving_start(&x, a);
  known &= halving_start(&y, b);
  int order = 0;
  for (int i = 0; i < most && known && order == 0; i++) {
    halving_step(&x);
    halving_step(&y);
    order = mpz_cmp(x.lo, y.lo);
  }
  mpz_clears(x.lo, y.lo, NULL);
  return known ? (order > 0) - (order < 0) : 2;
}

/* Bits by which times may differ at most so that the oracle still sees it. */
#define HALVINGS 700

/* Moves a coordinate that is 0 by 2^-k. */
static bool nudge(uint64_t *state, timed_query *q, int most) {
  size_t row = row_of(q->timed.kind), at = test_random(state) % row;
  for (size_t i = 0; i < row; i++, at = (at + 1) % row)
    if (q->query[at] == 0 && !(at % 3 == 2 && q->timed.kind >= TOI_VERTEX_EDGE)) {
      int exponent = -60 - (int)(test_random(state) % (uint64_t)most);
      q->query[at] = ldexp(test_random(state) % 2 ? 1 : -1, exponent);
      return fill(q, "exact");
    }
  return false;
}

static void nudged_queries_are_ordered_as_halving_says(void **unused) {
  (void)unused;
  uint64_t state = test_seed(2), known = 0, ties = 0, strict = 0;
  for (uint64_t round = 0; round < test_count(400); round++) {
    timed_query a = draw_hit(&state), b = a;
    int nudges = 1 + (int)(test_random(&state) % 3);
    bool open = true;
    for (int i = 0; i < nudges && open; i++)
      open = nudge(&state, &b, round % 8 == 0 ? 400 : 60);
    if (open && test_random(&state) % 2)
      b = moved(&state, b, false);
    if (!open || a.timed.t_lo != b.timed.t_lo || a.timed.t_hi != b.timed.t_hi)
      continue;
    int order = order_of(&a, &b), want = order_by_halving(&a, &b, order == 0 ? HALVINGS : 2 * HALVINGS);
    if (want != 2 && order != want)
      complain_pair(&a, &b, "halving says otherwise");
    known += want != 2;
    ties += order == 0;
    strict += order != 0;
  }
  print_message("%d known, %d ties, %d strict\n", (int)known, (int)ties, (int)strict);
  assert_true(known > 0 && ties > 0 && strict > 0);
}

/* --- whole sets --- */

enum { FAMILY = 20 };

static void order_is_total_and_free_of_brackets(void **unused) {
  (void)unused;
  uint64_t state = test_seed(3), ties = 0, inside = 0;
  for (uint64_t round = 0; round < test_count(12); round++) {
    timed_query q[FAMILY], wide[FAMILY], base = {.timed = {.kind = TOI_VERTEX_VERTEX}};
    int order[FAMILY][FAMILY];
    for (int i = 0; i < FAMILY; i++) {
      base = i % 5 == 0 ? draw_hit(&state) : base;
      q[i] = base;
      if (i % 5 > 2 && !nudge(&state, &q[i], 100))
        q[i] = base;
      q[i] = moved(&state, q[i], i % 5 <= 2);
      wide[i] = q[i];
      assert_true(fill(&wide[i], "certified"));
    }
    for (int i = 0; i < FAMILY; i++)
      for (int j = 0; j < FAMILY; j++) {
        order[i][j] = order_of(&q[i], &q[j]);
        if (order_of(&wide[i], &wide[j]) != order[i][j])
          complain_pair(&wide[i], &wide[j], "the order depends on the bracket");
        ties += i != j && order[i][j] == 0;
        inside += order[i][j] != 0 && q[i].timed.t_lo == q[j].timed.t_lo && q[i].timed.t_hi == q[j].timed.t_hi;
      }
    for (int i = 0; i < FAMILY; i++)
      for (int j = 0; j < FAMILY; j++)
        for (int k = 0; k < FAMILY; k++)
          if (order[i][j] <= 0 && order[j][k] <= 0)
            assert_int_equal(order[i][k], order[i][j] < 0 || order[j][k] < 0 ? -1 : 0);
  }
  assert_true(ties > 0 && inside > 0);
}

/* --- sizes and memory --- */

/* A hit at a time that is no double, of coordinates of all exponents. */
static timed_query draw_extreme_hit(uint64_t *state) {
  for (;;) {
    timed_query q = {.timed = {.kind = (toi_kind)(test_random(state) % TOI_KIND_COUNT)}};
    size_t row = row_of(q.timed.kind);
    int style = (int)(test_random(state) % 4);
    for (size_t i = 0; i < row; i++)
      q.query[i] = i >= row / 2 && test_random(state) % 2 ? -q.query[i - row / 2] : test_random_extreme(state, style);
    q.timed.norm = (toi_norm)(test_random(state) % 2);
    q.timed.separation = test_random(state) % 3 ? fabs(test_random_extreme(state, style)) : 0;
    if (fill(&q, "exact") && q.timed.t_lo < q.timed.t_hi)
      return q;
  }
}

static void extreme_exponents_keep_to_their_memory(void **unused) {
  (void)unused;
  uint64_t state = test_seed(4);
  gmp_count_allocations();
  for (uint64_t round = 0; round < test_count(60); round++) {
    // Wide brackets leave nothing to the doubles: every pair is compared as numbers, or their doubles.
    timed_query a = draw_extreme_hit(&state), b = draw_extreme_hit(&state), copy = a;
    swap_points(&copy, toi_kind_points(a.timed.kind) - 1, toi_kind_points(a.timed.kind) - 2);
    for (size_t i = 0; i < row_of(a.timed.kind); i++)
      copy.query[i] = -copy.query[i];
    int want = a.timed.t_hi <= b.timed.t_lo ? -1 : b.timed.t_hi <= a.timed.t_lo ? 1 : order_of(&a, &b);
    a.timed.t_lo = b.timed.t_lo = 0;
    a.timed.t_hi = b.timed.t_hi = 1;
    size_t before = gmp_allocations;
    expect_order(&a, &b, want);
    if (a.timed.kind != TOI_VERTEX_EDGE)
      expect_order(&a, &copy, 0);
    assert_int_equal(gmp_allocations, before);
  }
  mp_set_memory_functions(NULL, NULL, NULL);
}

static void refused_memory_is_said(void **unused) {
  (void)unused;
  timed_query q[8];
  make_square_roots(q);
  q[3].timed.query = q[3].query;
  q[5].timed.query = q[5].query;
  test_allocator allocator = {0};
  toi_context_options options = test_context_options(&allocator, 1);
  toi_context *context = NULL;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  allocator.refuse_at = allocator.calls + 1;
  int order = 7;
  assert_int_equal(toi_exact_order(context, 0, &q[3].timed, &q[5].timed, &order), TOI_ERROR_MEMORY);
  assert_non_null(strstr(toi_context_error(context), "memory"));
  assert_int_equal(toi_exact_order(context, 0, &q[3].timed, &q[5].timed, &order), TOI_OK);
  assert_int_equal(order, 0);
  toi_context_destroy(context);
  assert_int_equal(allocator.blocks, 0);
}

static void common_queries_need_little(void **unused) {
  (void)unused;
  // Coordinates of 53 bits within a factor of 2^11: what meshes have.
  uint64_t state = test_seed(5);
  for (int round = 0; round < 200; round++) {
    timed_query q = {.timed = {.kind = TOI_EDGE_EDGE, .norm = TOI_NORM_L2}};
    q.timed.query = q.query;
    for (int i = 0; i < 24; i++) {
      int exponent = (int)(test_random(&state) % 6);
      q.query[i] = ldexp(test_random_unit(&state) - 0.5, exponent);
    }
    assert_true(toi_exact_order_scratch(&q.timed, &q.timed) <= 1 << 17);
    q.timed.separation = 0.001;
    assert_true(toi_exact_order_scratch(&q.timed, &q.timed) <= 1 << 20);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_times_of_all_kinds_are_ties),
      cmocka_unit_test(times_closer_than_doubles_are_told_apart),
      cmocka_unit_test(an_edge_is_reached_where_it_is_closest_by_far_less_than_an_ulp),
      cmocka_unit_test(a_tilt_that_doubles_do_not_show_decides_where_a_cube_is_met),
      cmocka_unit_test(copies_are_ties),
      cmocka_unit_test(nudged_queries_are_ordered_as_halving_says),
      cmocka_unit_test(order_is_total_and_free_of_brackets),
      cmocka_unit_test(extreme_exponents_keep_to_their_memory),
      cmocka_unit_test(refused_memory_is_said),
      cmocka_unit_test(common_queries_need_little),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
