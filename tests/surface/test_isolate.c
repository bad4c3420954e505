/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* No earlier contact in two pieces: tested where the time of contact is known at every place.
 * Every contact with a graph (graphs.h) is one that toi_isolate must not put before its t_lo. */

#include "surface/graphs.h"
#include "surface/prove.h"
#include "surface/surface.h"
#include "surface/trees.h"

#define ROUNDING 1e-12

/* Pieces are settled if nothing in them is earlier by more than this. */
#define SETTLED 1e-9
#define NEARLY_SETTLED 1e-6
#define SIDE 24

/* What is common is common only where there are many rounds. */
static void assert_few_or(uint64_t rounds, bool common) {
  assert_true(rounds < 100 || common);
}

/* --- the earliest contact of two pieces --- */

/* The search goes over a piece of the other patch; places that meet the graph outside of its piece do not count. */
typedef struct search_in {
  graph_case *g;
  const toi_piece *piece, *under;
} search_in;

static double time_in(const search_in *s, double x, double y) {
  double uv[2], on_graph[2];
  bool triangle = s->piece->root->patch->shape == TOI_PATCH_TRIANGLE;
  if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1) || (triangle && x + y > 1))
    return INFINITY;
  piece_parameters(s->piece, x, y, uv);
  double t = time_at(s->g, uv, on_graph);
  return s->under == NULL || piece_holds(s->under, on_graph) ? t : INFINITY;
}

/* The earliest time that is found: a grid, then smaller and smaller steps from the best place. */
static double earliest(const search_in *s, double best[2]) {
  double t = INFINITY, step = 1.0 / SIDE;
  for (int i = 0; i <= SIDE; i++)
    for (int j = 0; j <= SIDE; j++) {
      double here = time_in(s, (double)i / SIDE, (double)j / SIDE);
      if (here < t) {
        t = here;
        best[0] = (double)i / SIDE;
        best[1] = (double)j / SIDE;
      }
    }
  while (step > 1e-9) {
    static const double ways[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
    bool moved = false;
    for (int i = 0; i < 8; i++) {
      double x = best[0] + step * ways[i][0], y = best[1] + step * ways[i][1];
      x = x < 0 ? 0 : x > 1 ? 1 : x;
      y = y < 0 ? 0 : y > 1 ? 1 : y;
      double here = time_in(s, x, y);
      if (here < t) {
        t = here;
        best[0] = x;
        best[1] = y;
        moved = true;
      }
    }
    step = moved ? step : step / 2;
  }
  return t;
}

/* --- the check --- */

typedef struct tally {
  uint64_t asked, isolated, earlier; /* places; settled; those with an earlier contact in the pieces */
  uint64_t mixed;                    /* settled: one rational, the other not */
} tally;

/* One question: a contact at uv of the other patch, and pieces that hold it. */
static void check_pieces(graph_case *g, trees *t, const double uv[2], const uint32_t levels[2], tally *sum) {
  double on_graph[2];
  toi_moment at = {.t = time_at(g, uv, on_graph)};
  if (!(at.t >= 0 && at.t <= g->c.t_max))
    return;
  memcpy(at.uv[g->graph], on_graph, sizeof(on_graph));
  memcpy(at.uv[1 - g->graph], uv, sizeof(on_graph));
  toi_prover prover;
  toi_prover_make(t->root[0]->root, t->root[1]->root, 0, &prover);
  toi_moment_settle(&prover, &at);
  const toi_piece *piece[2];
  for (int i = 0; i < 2; i++)
    piece[i] = trees_descend_to(t, i, levels[i], at.uv[i]);
  // As a search would give it, or longer.
  double t_lo, best[2], before = levels[0] % 4 ? 8 * exp2(-(double)levels[0]) : 0.5;
  toi_interval times = {at.t > before ? at.t - before : 0, at.t};
  bool isolated = toi_isolate(&prover, &at, piece[0], piece[1], times, &t_lo);
  search_in s = {g, piece[1 - g->graph], piece[g->graph]};
  double found = earliest(&s, best);
  sum->asked++;
  bool settled = isolated && at.t - t_lo < SETTLED;
  sum->isolated += settled;
  sum->mixed += settled && other_of(g)->patch.weights;
  sum->earlier += found < at.t - 1e-6;
  if (!isolated || !(found < t_lo - ROUNDING) || found < times.lo)
    return;
  patch_print("a", &g->c.a);
  patch_print("b", &g->c.b);
  fail_msg("levels %u %u: nothing before %.17g, but a contact at %.17g; known: %.17g at %.17g %.17g of side %d",
           levels[0], levels[1], t_lo, found, at.t, uv[0], uv[1], 1 - g->graph);
}

static void known_contacts_of_graphs(void **state) {
  (void)state;
  uint64_t seed = test_seed(505), rounds = test_count(300);
  trees t = trees_make();
  tally sum = {0};
  for (uint64_t i = 0; i < rounds; i++) {
    graph_case g;
    double place[2], uv[2];
    random_graph_case(&seed, &g);
    trees_plant(&t, &g.c);
    search_in whole = {&g, t.root[1 - g.graph], NULL};
    if (random_below(&seed, 5)) {
      earliest(&whole, place);
    } else {
      place[0] = random_between(&seed, 0, 0.5);
      place[1] = random_between(&seed, 0, 0.5);
    }
    piece_parameters(whole.piece, place[0], place[1], uv);
    for (uint32_t level = 0; level < 11; level++)
      check_pieces(&g, &t, uv, (const uint32_t[2]){level, level}, &sum);
  }
  print_message("%llu of %llu settled, %llu of them rational; %llu had an earlier contact\n",
                (unsigned long long)sum.isolated, (unsigned long long)sum.asked, (unsigned long long)sum.mixed,
                (unsigned long long)sum.earlier);
  assert_few_or(rounds, sum.isolated > sum.asked / 20 && sum.mixed > sum.asked / 50 && sum.earlier > sum.asked / 20);
  trees_free(&t);
}

/* --- planted --- */

/* A graph that is quadratic, and a rational triangle that is so in its homogeneous coordinates: all their second
 * derivatives are constant, so that what the weights do to the contact is all that bounds can be wrong about. */
static void make_quadrics(graph_case *g, uint64_t *seed) {
  static const double square[3] = {4, -4, 4}, line[3] = {-2, 0, 2};
  static const int pair[6][2][2] = {{{0, 0}, {0, 0}}, {{0, 0}, {1, 0}}, {{1, 0}, {1, 0}},
                                    {{0, 0}, {0, 1}}, {{1, 0}, {0, 1}}, {{0, 1}, {0, 1}}};
  double form[3], more = exp2(random_between(seed, -6, 0)), spread = random_between(seed, 0.1, 0.9);
  for (int k = 0; k < 3; k++)
    form[k] = random_between(seed, -1, 1);
  g->graph = (int)random_below(seed, 2);
  g->tilt = 0;
  g->c.t_max = 6;
  test_patch *p = graph_of(g), *other = other_of(g);
  make_graph(p, 2, 0, seed);
  for (size_t i = 0; i < 9; i++)
    p->points[i][2] = -2 + form[0] * square[i / 3] + form[1] * line[i / 3] * line[i % 3] + form[2] * square[i % 3];
  patch_make(other, TOI_PATCH_TRIANGLE, 2, 0);
  other->patch.weights = other->weights;
  for (size_t i = 0; i < 6; i++) {
    double x[2], y[2], span = random_below(seed, 2) ? 3 : 1;
    for (int k = 0; k < 2; k++) {
      x[k] = spread * (3 * pair[i][k][0] - 1);
      y[k] = spread * (3 * pair[i][k][1] - 1);
    }
    other->points[i][0] = (x[0] + x[1]) / 2;
    other->points[i][1] = (y[0] + y[1]) / 2;
    other->points[i][2] =
        (form[0] + more) * x[0] * x[1] + form[1] * (x[0] * y[1] + x[1] * y[0]) / 2 + (form[2] + more) * y[0] * y[1];
    other->weights[i] = exp2(random_between(seed, -span, span));
  }
}

static void quadrics_against_rational_ones(void **state) {
  (void)state;
  uint64_t seed = test_seed(509), rounds = test_count(400);
  trees t = trees_make();
  tally sum = {0};
  for (uint64_t i = 0; i < rounds; i++) {
    graph_case g;
    double place[2], uv[2];
    make_quadrics(&g, &seed);
    trees_plant(&t, &g.c);
    search_in s = {&g, t.root[1 - g.graph], NULL};
    if (random_below(&seed, 2))
      s.piece = trees_descend(&t, 1 - g.graph, 1 + random_below(&seed, 4), &seed);
    earliest(&s, place);
    piece_parameters(s.piece, place[0], place[1], uv);
    for (uint32_t level = 3; level < 16; level++)
      check_pieces(&g, &t, uv, (const uint32_t[2]){level, level}, &sum);
  }
  print_message("%llu of %llu settled; %llu had an earlier contact\n", (unsigned long long)sum.isolated,
                (unsigned long long)sum.asked, (unsigned long long)sum.earlier);
  assert_few_or(rounds, sum.isolated > sum.asked / 50);
  trees_free(&t);
}

/* Two dips of a patch over a flat floor, at u = 1/4 and, higher by `tilt` / 2, at u = 3/4. */
static void make_two_dips(graph_case *g, double tilt, bool rational, uint64_t *seed) {
  static const double one[3] = {0.0625, -0.1875, 0.5625}, two[3] = {0.5625, -0.1875, 0.0625};
  static const double across[3] = {0.25, -0.25, 0.25};
  double profile[5] = {one[0] * two[0], (one[0] * two[1] + one[1] * two[0]) / 2,
                       (one[0] * two[2] + 4 * one[1] * two[1] + one[2] * two[0]) / 6,
                       (one[1] * two[2] + one[2] * two[1]) / 2, one[2] * two[2]};
  g->graph = 1;
  g->tilt = 0;
  g->c.t_max = 6;
  make_graph(&g->c.b, 1, 0, seed);
  test_patch *p = &g->c.a;
  patch_make(p, TOI_PATCH_QUAD, 4, 2);
  for (uint32_t i = 0; i <= 4; i++)
    for (uint32_t j = 0; j <= 2; j++) {
      double *x = p->points[3 * i + j];
      x[0] = 0.5 * i - 1;
      x[1] = j - 1.0;
      x[2] = 8 * profile[i] + across[j] + tilt * i / 4;
    }
  for (size_t i = 0; rational && i < patch_count(p); i++)
    p->weights[i] = exp2(random_between(seed, -0.5, 0.5));
  p->patch.weights = rational ? p->weights : NULL;
}

static void the_higher_of_two_dips_does_not_settle_the_whole_patch(void **state) {
  (void)state;
  uint64_t seed = test_seed(506);
  trees t = trees_make();
  uint64_t alone = 0;
  for (int round = 0; round < 40; round++) {
    graph_case g;
    make_two_dips(&g, exp2(-round / 2.0), round % 2 == 1, &seed);
    trees_plant(&t, &g.c);
    // The lowest place of either half, by halving the patch along u; its dip, if it is not at the cut.
    for (int half = 0; half < 2; half++) {
      const double corner[2] = {half, 0};
      search_in s = {&g, trees_descend_to(&t, 0, 2, corner), NULL};
      double place[2], uv[2];
      earliest(&s, place);
      piece_parameters(s.piece, place[0], place[1], uv);
      tally whole = {0}, part = {0};
      check_pieces(&g, &t, uv, (const uint32_t[2]){0, 0}, &whole);
      check_pieces(&g, &t, uv, (const uint32_t[2]){9, 9}, &part);
      alone += part.isolated;
    }
  }
  print_message("%llu of 80 dips settled on pieces of their own\n", (unsigned long long)alone);
  assert_true(alone >= 30);
  trees_free(&t);
}

/* Over a floor, along u the control heights of `profile`, along v a bowl; `place` is where a contact is known. */
static void check_profile(trees *t, const double profile[4], const double place[2], uint64_t *seed, tally *sum) {
  static const double across[3] = {0.25, -0.25, 0.25};
  graph_case g = {.graph = (int)random_below(seed, 2), .c = {.t_max = 6}};
  test_patch *p = other_of(&g), *floor = graph_of(&g);
  make_graph(floor, 1u << random_below(seed, 2), 0, seed);
  if (floor->patch.degree[0] == 1) {
    // A rational floor: its parameters run ahead on one side. Along an edge of the other patch this weighs.
    g.tilt = exp2(random_between(seed, -3, 3));
    floor->patch.weights = floor->weights;
    for (int i = 0; i < 4; i++)
      floor->weights[i] = i / 2 ? g.tilt : 1;
  }
  patch_make(p, TOI_PATCH_QUAD, 3, 2);
  for (uint32_t i = 0; i < 12; i++) {
    uint32_t row = i / 3;
    p->points[i][0] = row / 1.5 - 1;
    p->points[i][1] = i % 3 - 1.0;
    p->points[i][2] = 1 + profile[row] + across[i % 3];
  }
  trees_plant(t, &g.c);
  for (uint32_t level = 0; level < 8; level++)
    check_pieces(&g, t, place, (const uint32_t[2]){level, level}, sum);
}

/* s^2 - b s^3 from the place on: the bowl turns over on the way, and may become lower than it was. */
static void bowls_that_turn_over_are_not_settled_beyond(void **state) {
  (void)state;
  uint64_t seed = test_seed(541), rounds = test_count(300);
  trees t = trees_make();
  tally sum = {0};
  for (uint64_t i = 0; i < rounds; i++) {
    double from = random_between(&seed, 0.1, 0.6), b = random_between(&seed, 0.5, 4), a = 1 - from;
    // The cubic's polar form at 0 0 0, 0 0 1, 0 1 1, 1 1 1.
    const double ends[2] = {-from, a}, place[2] = {from, 0.5};
    double profile[4];
    for (int k = 0; k < 4; k++) {
      double s[3] = {ends[k > 2], ends[k > 1], ends[k > 0]};
      profile[k] = (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]) / 3 - b * s[0] * s[1] * s[2];
    }
    check_profile(&t, profile, place, &seed, &sum);
  }
  print_message("%llu of %llu settled; %llu had an earlier contact\n", (unsigned long long)sum.isolated,
                (unsigned long long)sum.asked, (unsigned long long)sum.earlier);
  assert_few_or(rounds, sum.isolated > sum.asked / 20 && sum.earlier > sum.asked / 20);
  trees_free(&t);
}

/* r u - a u^2 from an edge on: it rises at first, and may be lower than the edge farther on. */
static void edges_that_rise_at_first_are_not_settled_beyond(void **state) {
  (void)state;
  uint64_t seed = test_seed(542), rounds = test_count(300);
  trees t = trees_make();
  tally sum = {0};
  for (uint64_t i = 0; i < rounds; i++) {
    double a = random_between(&seed, 0.1, 1), r = a * random_between(&seed, 0.1, 3);
    const double place[2] = {0, 0.5}, profile[4] = {0, r / 3, 2 * r / 3 - a / 3, r - a};
    check_profile(&t, profile, place, &seed, &sum);
  }
  print_message("%llu of %llu settled; %llu had an earlier contact\n", (unsigned long long)sum.isolated,
                (unsigned long long)sum.asked, (unsigned long long)sum.earlier);
  assert_few_or(rounds, sum.isolated > sum.asked / 20 && sum.earlier > sum.asked / 20);
  trees_free(&t);
}

/* z = x^2 - y^2 above a floor, every place of it given as the contact: none is the first one. */
static void saddles_are_never_settled(void **state) {
  (void)state;
  uint64_t seed = test_seed(507);
  trees t = trees_make();
  graph_case g = {.graph = 0, .c = {.t_max = 6}};
  make_graph(&g.c.a, 2, 0, &seed);
  test_patch *p = &g.c.b;
  patch_make(p, TOI_PATCH_QUAD, 2, 2);
  for (uint32_t i = 0; i < 9; i++) {
    static const double square[3] = {1, -1, 1};
    uint32_t row = i / 3;
    p->points[i][0] = row - 1.0;
    p->points[i][1] = i % 3 - 1.0;
    p->points[i][2] = square[row] - square[i % 3];
  }
  p->velocities[4][2] = 0.125;
  trees_plant(&t, &g.c);
  for (uint32_t level = 0; level < 16; level++)
    for (int i = 0; i < 9; i++) {
      // Around the middle, and along the ridge; the corners of pieces among them.
      double uv[2] = {0.5, 0.0625 * (i + 4)};
      tally sum = {0};
      check_pieces(&g, &t, uv, (const uint32_t[2]){level, level}, &sum);
      assert_int_equal(sum.isolated, 0);
    }
  trees_free(&t);
}

/* --- any pair: the independent search must find nothing earlier --- */

static void check_densely(const trees *t, const toi_piece *const piece[2], toi_interval times, double t_lo) {
  test_case part = {.t_max = t->forest.t_max};
  patch_of_piece(piece[0], &part.a);
  patch_of_piece(piece[1], &part.b);
  double until = t_lo - 1e-9 * part.t_max;
  dense_contact found;
  if (!(until > times.lo) || !dense_find(dense_ask(&part, times.lo, until), &found))
    return;
  patch_print("a", &part.a);
  patch_print("b", &part.b);
  fail_msg("nothing before %.17g, but a contact at %.17g", t_lo, found.t);
}

static void nothing_earlier_is_found_in_settled_pieces(void **state) {
  (void)state;
  uint64_t seed = test_seed(508), rounds = test_count(1000), settled = 0, rational = 0;
  trees t = trees_make();
  for (uint64_t i = 0; i < rounds; i++) {
    test_case c;
    random_mixed_case(&seed, &c);
    trees_plant(&t, &c);
    toi_finder finder = {.norm = TOI_NORM_L2};
    toi_touch touch;
    if (!toi_find_touch(&finder, t.root[0], t.root[1], 0.3 * c.t_max * test_random_unit(&seed), &touch))
      continue;
    for (uint32_t level = 0; level < 16; level += 3) {
      const toi_piece *piece[2];
      for (int k = 0; k < 2; k++)
        piece[k] = trees_descend_to(&t, k, level, touch.at.uv[k]);
      double t_lo;
      toi_interval times = {fmax(0, touch.at.t - exp2(1 - (double)level) * c.t_max), touch.at.t};
      if (!toi_isolate(&finder.prover, &touch.at, piece[0], piece[1], times, &t_lo))
        continue;
      bool close = touch.at.t - t_lo < NEARLY_SETTLED;
      settled += close;
      rational += close && c.a.patch.weights && c.b.patch.weights;
      assert_true(t_lo <= touch.at.t);
      if (close || test_random(&seed) % 4 == 0)
        check_densely(&t, piece, times, t_lo);
    }
  }
  print_message("%llu settled, %llu of two rational ones\n", (unsigned long long)settled, (unsigned long long)rational);
  assert_few_or(rounds, settled > rounds / 20);
  assert_true(rounds < 1000 || rational > 0);
  trees_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_contacts_of_graphs),
      cmocka_unit_test(quadrics_against_rational_ones),
      cmocka_unit_test(the_higher_of_two_dips_does_not_settle_the_whole_patch),
      cmocka_unit_test(bowls_that_turn_over_are_not_settled_beyond),
      cmocka_unit_test(edges_that_rise_at_first_are_not_settled_beyond),
      cmocka_unit_test(saddles_are_never_settled),
      cmocka_unit_test(nothing_earlier_is_found_in_settled_pieces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
