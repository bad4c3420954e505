/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* When two pieces may touch: the same bits from all kernels, no contact ever left out, whatever the axes, the norm and
 * the span, and spans that are cut nearly to the contact where the axes allow it. */

#include "surface/apart.h"
#include "surface/dense.h"
#include "surface/trees.h"

static toi_apart_rules random_rules(uint64_t *seed) {
  static const double separations[] = {0, 0, 0x1p-3, 1e-6, 0.7};
  return (toi_apart_rules){separations[random_below(seed, 5)], (toi_norm)random_below(seed, 2),
                           (toi_inclusion)random_below(seed, 2)};
}

static bool meet_with(const toi_apart_kernel *kernel, const toi_apart_rules *rules, const toi_piece *const piece[2],
                      toi_interval *times) {
  static toi_moments moments[2];
  for (int i = 0; i < 2; i++)
    kernel->moments(piece[i], *times, &moments[i]);
  return kernel->meet(rules, &moments[0], &moments[1], times);
}

/* With every kernel of this machine, which must agree. */
static bool meet(const toi_apart_rules *rules, const toi_piece *const piece[2], toi_interval *times) {
  const toi_apart_kernel *kernels[2] = {&toi_apart_two, toi_apart_best()};
  toi_interval left[2] = {*times, *times};
  bool met[2];
  for (int i = 0; i < 2; i++)
    met[i] = meet_with(kernels[i], rules, piece, &left[i]);
  if (met[0] != met[1] || memcmp(&left[0], &left[1], sizeof(left[0])) != 0)
    fail_msg("kernels differ: %d %a %a, %d %a %a", met[0], left[0].lo, left[0].hi, met[1], left[1].lo, left[1].hi);
  *times = left[0];
  return met[0];
}

static toi_interval random_span(uint64_t *seed, double t_max) {
  double one = t_max * test_random_unit(seed), two = t_max * test_random_unit(seed);
  switch (random_below(seed, 4)) {
  case 0:
    return (toi_interval){0, t_max};
  case 1:
    return (toi_interval){one, one};
  default:
    return (toi_interval){fmin(one, two), fmax(one, two)};
  }
}

/* --- kernels --- */

static void kernels_agree_bit_for_bit(void **state) {
  (void)state;
  uint64_t seed = test_seed(511), rounds = test_count(1000), pairs = 1000, met = 0;
  static test_case c;
  trees t = trees_make();
  for (uint64_t i = 0; i < rounds; i++) {
    toi_piece *pool[2][16];
    random_mixed_case(&seed, &c);
    trees_plant(&t, &c);
    for (int k = 0; k < 32; k++)
      pool[k / 16][k % 16] = trees_descend(&t, k / 16, random_below(&seed, 5), &seed);
    for (uint64_t j = 0; j < pairs; j++) {
      const toi_piece *piece[2] = {pool[0][random_below(&seed, 16)], pool[1][random_below(&seed, 16)]};
      toi_apart_rules rules = random_rules(&seed);
      toi_interval times = random_span(&seed, c.t_max);
      met += meet(&rules, piece, &times);
    }
  }
  print_message("%llu pairs, %llu may touch%s\n", (unsigned long long)(rounds * pairs), (unsigned long long)met,
                toi_apart_best() == &toi_apart_two ? "; there is one kernel here" : "");
  assert_true(met > 0 && met < rounds * pairs);
  trees_free(&t);
}

/* --- planted contacts --- */

/* Where corners of two patches meet at a time of few bits: nothing is rounded in the data. */
typedef struct planted {
  test_case c;
  double t;
  toi_apart_rules rules;
} planted;

static double whole(uint64_t *seed, int most) {
  return (double)((int)random_below(seed, (uint32_t)(2 * most + 1)) - most);
}

/* The first corner of a at the origin at time t, that of b as far from it as the separation is. */
static void plant_corners(uint64_t *seed, planted *p, const double offset[3]) {
  test_patch *patches[2] = {&p->c.a, &p->c.b};
  // Apart before t along `axis`, or along none.
  int axis = (int)random_below(seed, 4);
  for (int i = 0; i < 2; i++) {
    double v[3], sign = i == 0 ? 1 : -1;
    patch_make(patches[i], (toi_patch_shape)random_below(seed, 2), 1 + random_below(seed, 3), random_below(seed, 4));
    if (random_below(seed, 3) == 0)
      patches[i]->patch.weights = patches[i]->weights;
    for (int k = 0; k < 3; k++)
      v[k] = k == axis ? sign * (1 + random_below(seed, 6)) : whole(seed, 4);
    for (size_t j = 0; j < patch_count(patches[i]); j++) {
      patches[i]->weights[j] = 1 + random_below(seed, 4);
      for (int k = 0; k < 3; k++) {
        double step = j == 0 ? 0 : k == axis ? -sign * random_below(seed, 8) : whole(seed, 8);
        double turn = axis < 3 || j == 0 ? 0 : whole(seed, 2);
        patches[i]->velocities[j][k] = v[k] + turn;
        patches[i]->points[j][k] = step - p->t * v[k] + (i == 0 ? 0 : offset[k]);
      }
    }
  }
}

static void random_planted(uint64_t *seed, planted *p) {
  static const double euclidean[4][4] = {{0, 0, 1, 1}, {1, 2, 2, 3}, {2, 3, 6, 7}, {1, 4, 8, 9}};
  p->c.t_max = 1;
  p->t = random_below(seed, 65) / 64.0;
  p->rules = random_rules(seed);
  double offset[3] = {0, 0, 0}, scale = 1.0 / (1 << random_below(seed, 8));
  int turn = (int)random_below(seed, 3);
  p->rules.separation = 0;
  if (random_below(seed, 2)) {
    const double *row = euclidean[random_below(seed, 4)];
    bool largest = p->rules.norm == TOI_NORM_LINF;
    for (int k = 0; k < 3; k++)
      offset[(k + turn) % 3] = (random_below(seed, 2) ? 1 : -1) * scale * row[k];
    p->rules.separation = scale * (largest ? fmax(row[2], fmax(row[1], row[0])) : row[3]);
  }
  plant_corners(seed, p, offset);
}

static void planted_print(const planted *p, toi_interval given, toi_interval left) {
  patch_print("a", &p->c.a);
  patch_print("b", &p->c.b);
  print_error("contact at %a, separation %a, norm %d, inclusion %d, of %a %a left %a %a\n", p->t, p->rules.separation,
              (int)p->rules.norm, (int)p->rules.inclusion, given.lo, given.hi, left.lo, left.hi);
}

static void contacts_of_corners_are_never_left_out(void **state) {
  (void)state;
  uint64_t seed = test_seed(512), rounds = test_count(60000), tight = 0;
  static planted p;
  trees t = trees_make();
  const double corner[2] = {0, 0};
  for (uint64_t i = 0; i < rounds; i++) {
    random_planted(&seed, &p);
    trees_plant(&t, &p.c);
    const toi_piece *piece[2];
    for (int k = 0; k < 2; k++)
      piece[k] = trees_descend_to(&t, k, random_below(&seed, 12), corner);
    double wide = 1.0 / (1 << random_below(&seed, 20));
    toi_interval spans[5] = {{0, 1}, {0, p.t}, {p.t, 1}, {p.t, p.t}, {fmax(0, p.t - wide), fmin(1, p.t + wide)}};
    for (int k = 0; k < 5; k++) {
      toi_interval left = spans[k];
      bool met = meet(&p.rules, piece, &left);
      if (!met || left.lo > p.t || left.hi < p.t) {
        planted_print(&p, spans[k], left);
        fail_msg("a contact is left out");
      }
      tight += k == 0 && p.t > 0 && left.lo > p.t * (1 - 1e-12) - 1e-12;
    }
  }
  print_message("%llu spans of %llu begin just before the contact\n", (unsigned long long)tight,
                (unsigned long long)rounds);
  assert_true(tight > rounds / 10);
  trees_free(&t);
}

/* Two points that pass each other along an axis, with no error at all: what rounds is the time itself, which is no
 * double. p / q of few bits, so that its comparison with a double, times q, is exact in long doubles. */
static void times_that_are_no_doubles_are_not_left_out(void **state) {
  (void)state;
  uint64_t seed = test_seed(513), rounds = test_count(300000);
  static test_case c;
  trees t = trees_make();
  const toi_apart_rules rules = {0, TOI_NORM_L2, TOI_INCLUSION_AABB};
  double closest = 1;
  patch_make(&c.a, TOI_PATCH_QUAD, 0, 0);
  patch_make(&c.b, TOI_PATCH_QUAD, 0, 0);
  for (uint64_t i = 0; i < rounds; i++) {
    int axis = (int)random_below(&seed, 3);
    double q = 3 + random_below(&seed, 1000), time = 1 + random_below(&seed, (uint32_t)q - 1);
    double sign = random_below(&seed, 2) ? 1 : -1;
    for (int k = 0; k < 3; k++) {
      c.a.points[0][k] = k == axis ? -sign * time : 0;
      c.a.velocities[0][k] = k == axis ? sign * q : 0;
    }
    t.forest = (toi_forest){.memory = t.memory, .bytes = TREES_BYTES, .t_max = 1};
    toi_piece *a = toi_piece_root(&t.forest, &c.a.patch, 0), *b = toi_piece_root(&t.forest, &c.b.patch, 1);
    a->error = b->error = 0;
    const toi_piece *piece[2] = {a, b};
    double bits = (double)(1 << random_below(&seed, 30));
    toi_interval times = {floor(time / q * bits) / bits, ceil(time / q * bits) / bits}, left = times;
    if (random_below(&seed, 3) == 0)
      left.hi = times.hi = 1;
    if (random_below(&seed, 3) == 0)
      left.lo = times.lo = 0;
    bool met = meet(&rules, piece, &left);
    if (!met || (long double)left.lo * q > time || (long double)left.hi * q < time)
      fail_msg("%g / %g is left out: of %a %a left %a %a", time, q, times.lo, times.hi, left.lo, left.hi);
    if (times.hi - times.lo > 1e-3)
      closest = fmin(closest, left.hi - left.lo);
  }
  print_message("at best %g of the time is left\n", closest);
  assert_true(closest < 1e-14);
  trees_free(&t);
}

/* --- any pair --- */

/* The independent search finds no points as close as the separation at a time that is left out. */
static void check_left_out(const test_case *part, const toi_apart_rules *rules, double time) {
  dense_problem q = dense_ask(part, time, time);
  dense_contact found;
  q.norm = rules->norm;
  q.goal = rules->separation > 0 ? rules->separation * (1 - 1e-9) : q.goal;
  if (!dense_find(q, &found))
    return;
  patch_print("a", &part->a);
  patch_print("b", &part->b);
  fail_msg("time %a is left out, but points are %g apart, with a separation of %g, norm %d, inclusion %d", time,
           found.distance, rules->separation, (int)rules->norm, (int)rules->inclusion);
}

static void points_are_farther_than_the_separation_when_left_out(void **state) {
  (void)state;
  uint64_t seed = test_seed(514), rounds = test_count(1500), looked = 0, all = 0;
  static test_case c, part;
  trees t = trees_make();
  for (uint64_t i = 0; i < rounds; i++) {
    random_mixed_case(&seed, &c);
    trees_plant(&t, &c);
    const toi_piece *piece[2];
    for (int k = 0; k < 2; k++)
      piece[k] = trees_descend(&t, k, random_below(&seed, 5), &seed);
    patch_of_piece(piece[0], &part.a);
    patch_of_piece(piece[1], &part.b);
    part.t_max = c.t_max;
    for (int k = 0; k < 4; k++) {
      toi_apart_rules rules = random_rules(&seed);
      toi_interval given = random_span(&seed, c.t_max), left = given;
      double margin = 1e-9 * c.t_max;
      bool met = meet(&rules, piece, &left);
      double before = met ? left.lo - margin : given.hi, after = left.hi + margin;
      all += !met;
      if (before >= given.lo) {
        check_left_out(&part, &rules, before);
        looked++;
      }
      if (met && after <= given.hi)
        check_left_out(&part, &rules, after);
    }
  }
  print_message("%llu times looked at, %llu pairs apart throughout\n", (unsigned long long)looked,
                (unsigned long long)all);
  assert_true(looked > rounds / 2 && all > rounds / 10);
  trees_free(&t);
}

/* --- where nothing is known --- */

static void pieces_of_unknown_error_always_meet(void **state) {
  (void)state;
  uint64_t seed = test_seed(515);
  static planted p;
  trees t = trees_make();
  for (int i = 0; i < 200; i++) {
    random_planted(&seed, &p);
    for (size_t j = 0; j < patch_count(&p.c.b); j++)
      p.c.b.points[j][0] += 1000;
    trees_plant(&t, &p.c);
    const toi_piece *piece[2] = {t.root[0], t.root[1]};
    toi_interval times = {0, 1};
    assert_false(meet(&p.rules, piece, &times));
    t.root[i % 2]->error = INFINITY;
    times = (toi_interval){0, 1};
    assert_true(meet(&p.rules, piece, &times) && times.lo == 0 && times.hi == 1);
  }
  trees_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_agree_bit_for_bit),
      cmocka_unit_test(contacts_of_corners_are_never_left_out),
      cmocka_unit_test(times_that_are_no_doubles_are_not_left_out),
      cmocka_unit_test(points_are_farther_than_the_separation_when_left_out),
      cmocka_unit_test(pieces_of_unknown_error_always_meet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
