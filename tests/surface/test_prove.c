/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Proofs of contact: what is proved is so, in exact arithmetic; nothing is proved of surfaces that are a little apart,
 * of contacts a little beside a domain or after the last moment, or that the errors of the patches leave open. */

#include "surface/exact_net.h"
#include "surface/graphs.h"
#include "surface/surface.h"
#include "surface/trees.h"

/* --- the exact time of contact with a graph --- */

typedef struct oracle {
  exact_cut cut;
  mpf_t sum[EXACT_ROWS], height, t, term;
} oracle;

static void oracle_init(oracle *o) {
  exact_cut_init(&o->cut);
  for (int row = 0; row < EXACT_ROWS; row++)
    mpf_init(o->sum[row]);
  mpf_inits(o->height, o->t, o->term, NULL);
}

static void oracle_clear(oracle *o) {
  exact_cut_clear(&o->cut);
  for (int row = 0; row < EXACT_ROWS; row++)
    mpf_clear(o->sum[row]);
  mpf_clears(o->height, o->t, o->term, NULL);
}

/* All rows of a patch at a place. */
static void oracle_rows(oracle *o, const toi_patch *patch, const double uv[2]) {
  exact_cut_take(&o->cut, patch);
  for (int k = 0; k < 2; k++)
    mpf_set_d(o->cut.place[k], uv[k]);
  for (int row = 0; row < EXACT_ROWS; row++)
    exact_cut_at(&o->cut, patch, row, o->sum[row]);
}

/* When the other patch's point at uv, moved by `by`, meets the graph: o->t; and where on it: o->cut.place. Divisions
 * are rounded after 3000 bits. */
static void exact_time(oracle *o, graph_case *g, const double uv[2], const double by[3]) {
  oracle_rows(o, &other_of(g)->patch, uv);
  for (int k = 0; k < 3; k++) {
    mpf_div(o->sum[k], o->sum[k], o->sum[6]);
    mpf_set_d(o->term, by[k]);
    mpf_add(o->sum[k], o->sum[k], o->term);
  }
  mpf_div(o->sum[5], o->sum[5], o->sum[6]);
  for (int k = 0; k < 2; k++) {
    mpf_add_ui(o->cut.place[k], o->sum[k], 2);
    mpf_div_ui(o->cut.place[k], o->cut.place[k], 4);
  }
  exact_cut_take(&o->cut, &graph_of(g)->patch);
  exact_cut_at(&o->cut, &graph_of(g)->patch, 2, o->height);
  mpf_sub(o->t, o->sum[2], o->height);
  mpf_ui_sub(o->term, 1, o->sum[5]);
  mpf_div(o->t, o->t, o->term);
}

static bool inside_graph(const oracle *o) {
  for (int k = 0; k < 2; k++)
    if (mpf_sgn(o->cut.place[k]) < 0 || mpf_cmp_ui(o->cut.place[k], 1) > 0)
      return false;
  return true;
}

/* --- proofs against graphs --- */

/* A moment near the contact at uv of the other patch. */
static toi_moment moment_at(graph_case *g, const double uv[2], double off, uint64_t *seed) {
  double on_graph[2];
  toi_moment at = {.t = time_at(g, uv, on_graph) + off * random_between(seed, -1, 1)};
  for (int k = 0; k < 2; k++) {
    at.uv[1 - g->graph][k] = uv[k];
    at.uv[g->graph][k] = on_graph[k] + off * random_between(seed, -1, 1);
  }
  return at;
}

static void random_place(uint64_t *seed, toi_patch_shape shape, double uv[2]) {
  for (int k = 0; k < 2; k++)
    uv[k] = random_below(seed, 4) ? test_random_unit(seed) : random_below(seed, 2);
  if (shape == TOI_PATCH_TRIANGLE && uv[0] + uv[1] > 1) {
    uv[0] *= 0.5;
    uv[1] = fmin(uv[1] * 0.5, 1 - uv[0]);
  }
}

/* The other patch's place frozen, the time and the place on the graph unknown: there is one solution, known exactly. */
static void proved_times_are_not_before_the_exact_ones(void **state) {
  (void)state;
  uint64_t seed = test_seed(531), rounds = test_count(4000), proved = 0;
  static oracle o;
  trees t = trees_make();
  double late = 0;
  oracle_init(&o);
  for (uint64_t i = 0; i < rounds; i++) {
    graph_case g;
    double uv[2], t_hi, by[3] = {0, 0, 0}, reach = i % 3 == 0 ? 0.25 : 0;
    random_graph_case(&seed, &g);
    trees_plant(&t, &g.c);
    random_place(&seed, other_of(&g)->patch.shape, uv);
    toi_prover prover;
    toi_prover_make(t.root[0]->root, t.root[1]->root, reach, &prover);
    for (int k = 0; k < 3 && reach > 0; k++) {
      prover.shift[k] = floor(random_between(&seed, -1, 1) * 1024) / 1024 * reach;
      by[k] = g.graph == 0 ? prover.shift[k] : -prover.shift[k];
    }
    toi_moment at = moment_at(&g, uv, 1e-3, &seed);
    toi_direction directions[3] = {toi_direction_time(), toi_direction_of(g.graph, 1, 0),
                                   toi_direction_of(g.graph, 0, 1)};
    if (!toi_prove_touch(&prover, directions, &at, &t_hi))
      continue;
    proved++;
    exact_time(&o, &g, at.uv[1 - g.graph], by);
    mpf_set_d(o.term, t_hi);
    if (!inside_graph(&o) || mpf_cmp(o.t, o.term) > 0 || mpf_sgn(o.t) < 0 || !(t_hi <= g.c.t_max)) {
      patch_print("a", &g.c.a);
      patch_print("b", &g.c.b);
      mpf_sub(o.t, o.t, o.term);
      fail_msg("a contact is proved up to %a, but is later by %g", t_hi, mpf_get_d(o.t));
    }
    mpf_sub(o.term, o.term, o.t);
    late = fmax(late, mpf_get_d(o.term));
  }
  print_message("%llu of %llu proved, at most %g late\n", (unsigned long long)proved, (unsigned long long)rounds, late);
  assert_true(proved > rounds / 2 && late < 1e-9);
  oracle_clear(&o);
  trees_free(&t);
}

/* Time frozen, and one parameter: the times of contact around the place must lie on both sides of it. */
static void crossings_at_a_frozen_time_are_there(void **state) {
  (void)state;
  uint64_t seed = test_seed(532), rounds = test_count(3000), proved = 0;
  static oracle o;
  const double still[3] = {0, 0, 0};
  trees t = trees_make();
  oracle_init(&o);
  for (uint64_t i = 0; i < rounds; i++) {
    graph_case g;
    double uv[2], t_hi;
    random_graph_case(&seed, &g);
    trees_plant(&t, &g.c);
    random_place(&seed, other_of(&g)->patch.shape, uv);
    toi_prover prover;
    toi_prover_make(t.root[0]->root, t.root[1]->root, 0, &prover);
    toi_moment at = moment_at(&g, uv, 1e-6, &seed);
    int direction = (int)random_below(&seed, 2), other = 1 - g.graph;
    toi_direction directions[3] = {toi_direction_of(other, direction == 0, direction == 1),
                                   toi_direction_of(g.graph, 1, 0), toi_direction_of(g.graph, 0, 1)};
    if (!toi_prove_touch(&prover, directions, &at, &t_hi))
      continue;
    proved++;
    int signs[2];
    for (int k = 0; k < 2; k++) {
      double beside[2] = {at.uv[other][0], at.uv[other][1]};
      beside[direction] += k ? 1e-7 : -1e-7;
      exact_time(&o, &g, beside, still);
      mpf_set_d(o.term, t_hi);
      signs[k] = mpf_cmp(o.t, o.term);
    }
    if (signs[0] * signs[1] > 0) {
      patch_print("a", &g.c.a);
      patch_print("b", &g.c.b);
      fail_msg("no crossing at %a around %a %a", t_hi, at.uv[other][0], at.uv[other][1]);
    }
    assert_true(t_hi == at.t && at.uv[other][1 - direction] >= 0);
  }
  print_message("%llu of %llu proved\n", (unsigned long long)proved, (unsigned long long)rounds);
  assert_true(proved > rounds / 4);
  oracle_clear(&o);
  trees_free(&t);
}

/* --- a little apart --- */

/* The same patch twice, of coordinates of few bits, the copy 2^-40 higher: at every place they are just that apart, in
 * the direction z, in which neither is steep. */
static void make_layers(uint64_t *seed, test_case *c, double gap) {
  uint32_t m = 1 + random_below(seed, 3), n = 1 + random_below(seed, 3);
  bool flat = random_below(seed, 2);
  c->t_max = 1;
  patch_make(&c->a, TOI_PATCH_QUAD, m, n);
  double v[3] = {random_between(seed, -1, 1), random_between(seed, -1, 1), random_between(seed, -1, 1)};
  for (uint32_t i = 0; i < (m + 1) * (n + 1); i++) {
    double *x = c->a.points[i];
    uint32_t row = i / (n + 1);
    x[0] = row;
    x[1] = i % (n + 1);
    x[2] = flat ? 0 : (double)random_below(seed, 256) / 512;
    for (int k = 0; k < 3; k++)
      c->a.velocities[i][k] = v[k];
    c->a.weights[i] = 1 + random_below(seed, 4);
  }
  if (random_below(seed, 2))
    c->a.patch.weights = c->a.weights;
  patch_copy(&c->b, &c->a);
  for (size_t i = 0; i < patch_count(&c->b); i++) {
    c->b.points[i][2] += gap;
    // Flat ones may slide.
    c->b.velocities[i][0] += flat ? 0.5 : 0;
  }
}

static void layers_a_little_apart_do_not_touch(void **state) {
  (void)state;
  uint64_t seed = test_seed(533), rounds = test_count(3000), through = 0;
  static test_case c;
  trees t = trees_make();
  for (uint64_t i = 0; i < rounds; i++) {
    // As a check of the check, every fourth pair crosses.
    bool crossing = i % 4 == 0;
    make_layers(&seed, &c, 0x1p-40);
    if (crossing)
      for (size_t j = 0; j < patch_count(&c.b); j++)
        c.b.points[j][2] += c.b.points[j][0] - 0.5 + c.b.points[j][1] / 8;
    trees_plant(&t, &c);
    toi_prover prover;
    toi_prover_make(t.root[0]->root, t.root[1]->root, 0, &prover);
    double place[2] = {test_random_unit(&seed), test_random_unit(&seed)}, t_hi;
    for (int frozen = 0; frozen < 5; frozen++) {
      toi_moment at = {.t = 0.5, .uv = {{place[0], place[1]}, {place[0], place[1]}}};
      toi_direction all[5] = {toi_direction_time(), toi_direction_of(0, 1, 0), toi_direction_of(0, 0, 1),
                              toi_direction_of(1, 1, 0), toi_direction_of(1, 0, 1)},
                    directions[3];
      for (int k = 0, count = 0; k < 5 && count < 3; k++)
        if (k != frozen && k != (frozen + 2) % 5)
          directions[count++] = all[k];
      bool proved = toi_prove_touch(&prover, directions, &at, &t_hi);
      through += crossing && proved;
      assert_true(crossing || !proved);
    }
    toi_finder finder = {.norm = TOI_NORM_L2};
    toi_touch touch;
    bool found = toi_find_touch(&finder, trees_descend(&t, 0, 3, &seed), trees_descend(&t, 1, 3, &seed), 0, &touch);
    through += crossing && found;
    assert_true(crossing || !found);
  }
  print_message("%llu proofs where they cross\n", (unsigned long long)through);
  assert_true(through > rounds / 8);
  trees_free(&t);
}

/* A bowl over a floor that it does not reach, by a gap of the size of rounding errors times `gap`: its lowest point is
 * where Newton's method ends, with a residual that is hardly one. */
static bool proves_bowl(trees *t, uint64_t *seed, double gap) {
  static const double square[3] = {0.25, -0.25, 0.25};
  static test_case c;
  c.t_max = 1;
  patch_make(&c.a, TOI_PATCH_QUAD, 2, 2);
  patch_make(&c.b, TOI_PATCH_QUAD, 1, 1);
  double steep = 1 + random_below(seed, 8), slide = random_below(seed, 3) / 4.0;
  for (uint32_t i = 0; i < 9; i++) {
    uint32_t row = i / 3;
    c.a.points[i][0] = row;
    c.a.points[i][1] = i % 3;
    c.a.points[i][2] = steep * square[row] + square[i % 3];
    c.a.velocities[i][0] = slide;
  }
  for (uint32_t i = 0; i < 4; i++) {
    c.b.points[i][0] = i / 2 ? 4 : -4;
    c.b.points[i][1] = i % 2 ? 4 : -4;
  }
  trees_plant(t, &c);
  toi_prover prover;
  toi_prover_make(t->root[0]->root, t->root[1]->root, 0, &prover);
  for (uint32_t i = 0; i < 9; i++)
    c.a.points[i][2] += gap * exp2(ceil(log2(prover.value_error)));
  trees_plant(t, &c);
  toi_prover_make(t->root[0]->root, t->root[1]->root, 0, &prover);
  bool proved = false;
  for (int i = 0; i < 16; i++) {
    int direction = (int)random_below(seed, 2);
    double off = exp2(random_between(seed, -40, -2)), t_hi;
    toi_moment at = {.t = random_below(seed, 9) / 8.0};
    for (int k = 0; k < 2; k++) {
      at.uv[0][k] = 0.5 + (k == direction ? off : 0);
      at.uv[1][k] = (2 * at.uv[0][k] + (k == 0 ? slide * at.t : 0) + 4) / 8;
    }
    toi_direction directions[3] = {toi_direction_of(0, direction == 0, direction == 1), toi_direction_of(1, 1, 0),
                                   toi_direction_of(1, 0, 1)};
    proved |= toi_prove_touch(&prover, directions, &at, &t_hi);
  }
  return proved;
}

static void bowls_that_do_not_reach_the_floor_do_not_touch_it(void **state) {
  (void)state;
  uint64_t seed = test_seed(535), rounds = test_count(1500), through = 0;
  trees t = trees_make();
  for (uint64_t i = 0; i < rounds; i++) {
    // With its errors counted, G is not zero anywhere.
    double gap = exp2(random_between(&seed, 1, 8));
    assert_false(proves_bowl(&t, &seed, gap));
    // Below the floor by much, it crosses.
    through += proves_bowl(&t, &seed, -exp2(36));
  }
  print_message("%llu of %llu proved below the floor\n", (unsigned long long)through, (unsigned long long)rounds);
  assert_true(through > rounds / 2);
  trees_free(&t);
}

/* --- beside a domain, after the last moment, within an error --- */

/* A point over the unit square or triangle at z = 0, which falls from z = 1 and lands at time t. */
static void make_landing(test_case *c, toi_patch_shape shape, const double place[2], double t) {
  patch_make(&c->a, TOI_PATCH_QUAD, 0, 0);
  patch_make(&c->b, shape, 1, 1);
  c->t_max = 1;
  for (int k = 0; k < 2; k++)
    c->a.points[0][k] = place[k];
  c->a.points[0][2] = 1;
  c->a.velocities[0][2] = -1 / t;
  for (size_t i = 0; i < patch_count(&c->b); i++) {
    bool quad = shape == TOI_PATCH_QUAD;
    size_t row = i / 2;
    c->b.points[i][0] = quad ? (double)row : i == 1;
    c->b.points[i][1] = quad ? (double)(i % 2) : i == 2;
  }
}

/* Whether any proof is found. */
static bool proves(trees *t, const test_case *c) {
  const toi_direction directions[3] = {toi_direction_time(), toi_direction_of(1, 1, 0), toi_direction_of(1, 0, 1)};
  const double *place = c->a.points[0];
  toi_finder finder = {.norm = TOI_NORM_L2};
  toi_touch touch;
  trees_plant(t, c);
  toi_prover prover;
  toi_prover_make(t->root[0]->root, t->root[1]->root, 0, &prover);
  double t_hi;
  toi_moment at = {.t = 0.5, .uv = {{0, 0}, {place[0], place[1]}}};
  bool proved = toi_prove_touch(&prover, directions, &at, &t_hi);
  return toi_find_touch(&finder, t->root[0], t->root[1], 0, &touch) || proved;
}

static void contacts_beside_a_domain_are_not_accepted(void **state) {
  (void)state;
  trees t = trees_make();
  static test_case c;
  const double distances[] = {0x1p-52, 1e-14, 1e-12, 1e-9, 1e-6, 1e-3};
  for (int shape = 0; shape < 2; shape++)
    for (int side = 0; side < 4 - shape; side++)
      for (int i = 0; i < 6; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
          // On the side's middle, and out of it or into the domain from there.
          double d = sign * distances[i];
          double quad[4][2] = {{-d, 0.5}, {1 + d, 0.5}, {0.25, -d}, {0.25, 1 + d}};
          double triangle[3][2] = {{-d, 0.25}, {0.5, -d}, {0.5 + d, 0.5}};
          make_landing(&c, (toi_patch_shape)shape, shape == 0 ? quad[side] : triangle[side], 0.5);
          bool proved = proves(&t, &c);
          assert_true(sign < 0 || !proved);
          assert_true(sign > 0 || proved || distances[i] < 1e-11);
        }
  trees_free(&t);
}

static void contacts_after_the_last_moment_are_not_accepted(void **state) {
  (void)state;
  trees t = trees_make();
  static test_case c;
  const double place[2] = {0.25, 0.5}, late[] = {1e-3, 1e-9, 1e-12, 1e-14, 0x1p-51};
  for (int shape = 0; shape < 2; shape++)
    for (int i = 0; i < 5; i++) {
      make_landing(&c, (toi_patch_shape)shape, place, 1 + late[i]);
      assert_false(proves(&t, &c));
      make_landing(&c, (toi_patch_shape)shape, place, 1 - late[i]);
      assert_true(proves(&t, &c) || late[i] < 1e-11);
      // As long before the first moment: it goes away.
      make_landing(&c, (toi_patch_shape)shape, place, -late[i]);
      assert_false(proves(&t, &c));
    }
  trees_free(&t);
}

static void errors_of_patches_are_counted(void **state) {
  (void)state;
  trees t = trees_make();
  static test_case c;
  const double from_side = 1e-6, place[2] = {1 - from_side, 0.5};
  for (int which = 0; which < 4; which++)
    for (int i = 0; i < 2; i++) {
      make_landing(&c, TOI_PATCH_QUAD, place, 0.5);
      test_patch *p = which % 2 ? &c.b : &c.a;
      double error = from_side * (i == 0 ? 1.01 : 0.1);
      *(which / 2 ? &p->patch.velocity_error : &p->patch.error) = error;
      assert_true(proves(&t, &c) == (i == 1));
    }
  trees_free(&t);
}

/* --- within a distance --- */

/* X1 w2 - X2 w1 at a moment, in place of the first rows, and w1 w2 in o->sum[6]. */
static void exact_gap(oracle *o, const test_case *c, const toi_moment *at) {
  mpf_t first[4];
  for (int k = 0; k < 4; k++)
    mpf_init(first[k]);
  for (int side = 0; side < 2; side++) {
    oracle_rows(o, side == 0 ? &c->a.patch : &c->b.patch, at->uv[side]);
    mpf_set_d(o->term, at->t);
    for (int k = 0; k < 3; k++) {
      mpf_mul(o->sum[k + 3], o->sum[k + 3], o->term);
      mpf_add(o->sum[k], o->sum[k], o->sum[k + 3]);
    }
    if (side == 1)
      break;
    for (int k = 0; k < 3; k++)
      mpf_set(first[k], o->sum[k]);
    mpf_set(first[3], o->sum[6]);
  }
  for (int k = 0; k < 3; k++) {
    mpf_mul(first[k], first[k], o->sum[6]);
    mpf_mul(o->sum[k], o->sum[k], first[3]);
    mpf_sub(o->sum[k], first[k], o->sum[k]);
  }
  mpf_mul(o->sum[6], o->sum[6], first[3]);
  for (int k = 0; k < 4; k++)
    mpf_clear(first[k]);
}

/* Whether the two points are within a distance, exactly. */
static bool exactly_within(oracle *o, const test_case *c, const toi_moment *at, toi_norm norm, double distance) {
  exact_gap(o, c, at);
  mpf_set_d(o->t, distance);
  mpf_mul(o->t, o->t, o->sum[6]);
  mpf_mul(o->t, o->t, o->t);
  mpf_set_ui(o->height, 0);
  for (int k = 0; k < 3; k++) {
    mpf_mul(o->term, o->sum[k], o->sum[k]);
    if (norm == TOI_NORM_L2)
      mpf_add(o->height, o->height, o->term);
    else if (mpf_cmp(o->term, o->height) > 0)
      mpf_set(o->height, o->term);
  }
  return mpf_cmp(o->height, o->t) <= 0;
}

static void points_within_a_distance_are_so(void **state) {
  (void)state;
  uint64_t seed = test_seed(534), rounds = test_count(2500), proved = 0;
  static oracle o;
  static test_case c;
  trees t = trees_make();
  oracle_init(&o);
  for (uint64_t i = 0; i < rounds; i++) {
    random_mixed_case(&seed, &c);
    if (random_below(&seed, 4) == 0)
      c.a.patch.error = 1e-6;
    double meant = c.a.patch.error;
    trees_plant(&t, &c);
    toi_moment at = {.t = c.t_max * test_random_unit(&seed)};
    random_place(&seed, c.a.patch.shape, at.uv[0]);
    random_place(&seed, c.b.patch.shape, at.uv[1]);
    dense_point a, b;
    double r[3];
    toi_finder finder = {.norm = (toi_norm)random_below(&seed, 2)};
    toi_prover_make(t.root[0]->root, t.root[1]->root, 0, &finder.prover);
    toi_moment_settle(&finder.prover, &at);
    dense_evaluate(&c.a.patch, at.uv[0][0], at.uv[0][1], &a);
    dense_evaluate(&c.b.patch, at.uv[1][0], at.uv[1][1], &b);
    for (int k = 0; k < 3; k++)
      r[k] = a.value[k] - b.value[k] + at.t * (a.value[k + 3] - b.value[k + 3]);
    // From a little less than the distance to a little more.
    for (int k = -2; k < 10; k++) {
      toi_moment moment = at;
      finder.separation = (dense_norm(finder.norm, r) + meant) * (1 + k * exp2(-50 + k));
      if (!toi_prove_within(&finder, &moment))
        continue;
      proved++;
      if (!exactly_within(&o, &c, &moment, finder.norm, finder.separation - meant)) {
        patch_print("a", &c.a);
        patch_print("b", &c.b);
        fail_msg("%a %a, %a %a are not within %a at %a", at.uv[0][0], at.uv[0][1], at.uv[1][0], at.uv[1][1],
                 finder.separation, moment.t);
      }
    }
  }
  print_message("%llu proved\n", (unsigned long long)proved);
  assert_true(proved > rounds);
  oracle_clear(&o);
  trees_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(proved_times_are_not_before_the_exact_ones),
      cmocka_unit_test(crossings_at_a_frozen_time_are_there),
      cmocka_unit_test(layers_a_little_apart_do_not_touch),
      cmocka_unit_test(bowls_that_do_not_reach_the_floor_do_not_touch_it),
      cmocka_unit_test(contacts_beside_a_domain_are_not_accepted),
      cmocka_unit_test(contacts_after_the_last_moment_are_not_accepted),
      cmocka_unit_test(errors_of_patches_are_counted),
      cmocka_unit_test(points_within_a_distance_are_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
