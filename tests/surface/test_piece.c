/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pieces of patches against exact arithmetic: every control point within the error claimed at all times, whatever the
 * path of halves; errors that are reached to a good part, and not loose; no memory; nothing claimed where nothing can
 * be. */

#include "surface/exact_net.h"
#include "surface/trees.h"

#define UNIT 0x1p-53

/* --- patches --- */

/* All shapes and degrees, near or far, slow or fast, light and heavy. */
static void random_patch(uint64_t *seed, test_patch *p) {
  static const double places[] = {0, 0, 1, 0x1p20, 0x1p40}, speeds[] = {0, 1, 1, 0x1p10, 0x1p-20};
  patch_make(p, (toi_patch_shape)random_below(seed, 2), random_below(seed, 10), random_below(seed, 10));
  double place = places[random_below(seed, 5)] * random_between(seed, -1, 1), speed = speeds[random_below(seed, 5)];
  for (size_t i = 0; i < patch_count(p); i++) {
    for (int k = 0; k < 3; k++) {
      p->points[i][k] = place * (k - 1.5) + random_between(seed, -1, 1);
      p->velocities[i][k] = speed * (random_between(seed, -1, 1) + k);
    }
    p->weights[i] = exp2(random_between(seed, -20, 20));
  }
  p->patch.velocities = speed > 0 ? (const double(*)[3])p->velocities : NULL;
  if (random_below(seed, 2))
    p->patch.weights = p->weights;
  if (random_below(seed, 4) == 0) {
    p->patch.error = exp2(random_between(seed, -60, -40));
    p->patch.velocity_error = exp2(random_between(seed, -60, -40));
  }
}

/* --- the claims --- */

typedef struct checker {
  exact_cut cut;
  mpf_t d, limit, t, term;

} checker;

static void checker_init(checker *c) {
  exact_cut_init(&c->cut);
  mpf_inits(c->d, c->limit, c->t, c->term, NULL);
}

static void checker_clear(checker *c) {
  exact_cut_clear(&c->cut);
  mpf_clears(c->d, c->limit, c->t, c->term, NULL);
}

static void expect_below(checker *c, const toi_piece *piece, const char *what) {
  mpf_abs(c->d, c->d);
  if (mpf_cmp(c->d, c->limit) > 0) {
    mpf_div(c->term, c->d, c->limit);
    fail_msg("%s: %g times what is claimed; level %u, degree %u %u, %s, %s", what, mpf_get_d(c->term), piece->level,
             piece->root->patch->degree[0], piece->root->patch->degree[1],
             piece->root->patch->shape == TOI_PATCH_QUAD ? "quad" : "triangle",
             piece->root->rational ? "rational" : "polynomial");
  }
}

/* d = w (x + t v) - w (centre + t drift) of control point i, coordinate k, the time in c->t. */
static void exact_place(checker *c, const toi_forest *forest, size_t i, size_t k) {
  mpf_mul(c->d, c->cut.part.at[k + 3][i], c->t);
  mpf_add(c->d, c->d, c->cut.part.at[k][i]);
  mpf_set_d(c->term, forest->drift[k]);
  mpf_mul(c->term, c->term, c->t);
  mpf_set_d(c->limit, forest->centre[k]);
  mpf_add(c->term, c->term, c->limit);
  mpf_mul(c->term, c->term, c->cut.part.at[6][i]);
  mpf_sub(c->d, c->d, c->term);
}

/* limit = bound w, for comparisons with differences that were multiplied by the weight. */
static void set_limit(checker *c, size_t i, double bound) {
  mpf_set_d(c->limit, bound);
  mpf_mul(c->limit, c->limit, c->cut.part.at[6][i]);
}

/* What is meant by the patch may be this far off, so that so much less is left for rounding. */
static double rest_of(const toi_piece *piece, double t) {
  return piece->error - piece->root->patch->error - t * piece->root->patch->velocity_error;
}

/* Positions as evaluated in doubles. */
static void check_points(checker *c, const trees *wood, const toi_piece *piece, double t) {
  size_t stride = piece->root->stride;
  mpf_set_d(c->t, t);
  for (size_t i = 0; i < piece->root->count; i++)
    for (size_t k = 0; k < 3; k++) {
      exact_place(c, &wood->forest, i, k);
      double place = piece->net[k * stride + i] + t * piece->net[(k + 3) * stride + i];
      mpf_set_d(c->term, place);
      mpf_mul(c->term, c->term, c->cut.part.at[6][i]);
      mpf_sub(c->d, c->d, c->term);
      set_limit(c, i, rest_of(piece, t));
      expect_below(c, piece, "a point");
    }
}

/* Products with an axis, in two orders. */
static void check_products(checker *c, const trees *wood, const toi_piece *piece, double t, const double n[3]) {
  size_t stride = piece->root->stride, i = piece->root->count / 2;
  double sum = fabs(n[0]) + fabs(n[1]) + fabs(n[2]), first = 0, second[2] = {0, 0};
  mpf_t exact;
  mpf_init(exact);
  mpf_set_d(c->t, t);
  for (size_t k = 0; k < 3; k++) {
    double p = piece->net[k * stride + i], v = piece->net[(k + 3) * stride + i];
    first += n[k] * (p + t * v);
    second[0] += n[k] * p;
    second[1] += n[k] * v;
    exact_place(c, &wood->forest, i, k);
    mpf_set_d(c->term, n[k]);
    mpf_mul(c->d, c->d, c->term);
    mpf_add(exact, exact, c->d);
  }
  double results[2] = {first, second[0] + t * second[1]};
  for (int order = 0; order < 2; order++) {
    mpf_set_d(c->term, results[order]);
    mpf_mul(c->term, c->term, c->cut.part.at[6][i]);
    mpf_sub(c->d, exact, c->term);
    set_limit(c, i, sum * rest_of(piece, t));
    expect_below(c, piece, "a product with an axis");
  }
  mpf_clear(exact);
}

/* The rows that are halved: of rational pieces the homogeneous ones, their weights by a power of two; errors are then
 * parts of the weight. */
static void check_rows(checker *c, const trees *wood, const toi_piece *piece) {
  const toi_root *root = piece->root;
  const double *net = piece->net + (root->rational ? TOI_NET_ROWS * (size_t)root->stride : 0);
  double scale = root->rational ? root->control[0][6] / root->patch->weights[0] : 1;
  for (size_t row = 0; row < (root->rational ? EXACT_ROWS : TOI_NET_ROWS); row++)
    for (size_t i = 0; i < root->count; i++) {
      mpf_set(c->d, c->cut.part.at[row][i]);
      if (row < 6) {
        mpf_set_d(c->term, row < 3 ? wood->forest.centre[row] : wood->forest.drift[row - 3]);
        mpf_mul(c->term, c->term, c->cut.part.at[6][i]);
        mpf_sub(c->d, c->d, c->term);
      }
      mpf_set_d(c->term, scale);
      mpf_mul(c->d, c->d, c->term);
      mpf_set_d(c->term, net[row * root->stride + i]);
      mpf_sub(c->d, c->d, c->term);
      mpf_set_d(c->limit, row < 6 ? piece->net_error[row / 3] : piece->weight_error);
      mpf_set_d(c->term, root->rational ? net[6 * (size_t)root->stride + i] : 1);
      mpf_mul(c->limit, c->limit, c->term);
      expect_below(c, piece, row < 6 ? "a row" : "a weight");
    }
}

/* Boxes hold all control points. */
static void check_box(checker *c, const trees *wood, const toi_piece *piece, double t0, double t1) {
  double lo[3], hi[3], t = 0.5 * (t0 + t1), size = toi_piece_size(piece, t0, t1);
  toi_piece_box(piece, t0, t1, lo, hi);
  mpf_set_d(c->t, t);
  for (size_t i = 0; i < piece->root->count; i++)
    for (size_t k = 0; k < 3; k++) {
      exact_place(c, &wood->forest, i, k);
      set_limit(c, i, lo[k] + piece->root->patch->error);
      assert_true(mpf_cmp(c->d, c->limit) >= 0);
      set_limit(c, i, hi[k] - piece->root->patch->error);
      assert_true(mpf_cmp(c->d, c->limit) <= 0);
    }
  // No box of one moment is longer than the piece is said to be.
  toi_piece_box(piece, t0, t0, lo, hi);
  for (int k = 0; k < 3; k++)
    assert_true(hi[k] - lo[k] <= size);
}

/* --- random paths --- */

/* A place of the piece is in one of its halves. */
static void check_halves(const toi_piece *piece, uint64_t *seed) {
  for (int i = 0; i < 8; i++) {
    double x = test_random_unit(seed), y = test_random_unit(seed), uv[2];
    if (x + y > 1 && piece->root->patch->shape == TOI_PATCH_TRIANGLE) {
      x = 1 - x;
      y = 1 - y;
    }
    piece_parameters(piece, x, y, uv);
    // Rounded, it may be beside all of a triangle's halves only if it is beside the cut: there are eight of them.
    if (piece_holds(piece->child[0], uv) != piece_holds(piece->child[1], uv))
      return;
  }
  fail_msg("halves do not make up the whole");
}

/* The largest coordinate of a piece over time, at most. */
static double reach_of(const toi_piece *piece) {
  size_t rows = 3 * (size_t)piece->root->stride;
  double place = 0, speed = 0;
  for (size_t i = 0; i < rows; i++) {
    place = fmax(place, fabs(piece->net[i]));
    speed = fmax(speed, fabs(piece->net[rows + i]));
  }
  return place + piece->root->t_max * speed;
}

/* How large errors may be: so many units of the largest coordinate, however far weights are apart. */
static void check_not_loose(const toi_piece *whole, const toi_piece *piece) {
  const toi_patch *patch = piece->root->patch;
  double degree = fmax(patch->degree[0], patch->degree[1]), steps = 3 + degree * piece->level;
  double most = UNIT * ((piece->root->rational ? 2 : 1) * steps * reach_of(whole) + 10 * reach_of(piece));
  most += patch->error + piece->root->t_max * patch->velocity_error;
  if (!(piece->error <= most * 1.001 + 0x1p-800))
    fail_msg("an error of %g, where %g would do", piece->error, most);
}

static void pieces_of_all_shapes_keep_within_their_errors(void **state) {
  (void)state;
  uint64_t seed = test_seed(501), rounds = test_count(400);
  static test_case c;
  static checker check;
  trees t = trees_make();
  checker_init(&check);
  for (uint64_t i = 0; i < rounds; i++) {
    random_patch(&seed, &c.a);
    patch_copy(&c.b, &c.a);
    c.t_max = exp2(random_between(&seed, -3, 3));
    trees_plant(&t, &c);
    uint32_t levels = random_below(&seed, 3) ? random_below(&seed, 6) : random_below(&seed, 30);
    toi_piece *piece = trees_descend(&t, 0, levels, &seed);
    exact_cut_take(&check.cut, &c.a.patch);
    exact_cut_to(&check.cut, &c.a.patch, (const double(*)[2])piece->corner);
    double times[4] = {0, c.t_max, 0.5 * c.t_max, c.t_max * test_random_unit(&seed)}, n[3];
    random_direction(&seed, n);
    for (int k = 0; k < 4; k++) {
      check_points(&check, &t, piece, times[k]);
      check_products(&check, &t, piece, times[k], n);
    }
    check_rows(&check, &t, piece);
    check_box(&check, &t, piece, times[3], c.t_max);
    check_not_loose(t.root[0], piece);
    assert_true(toi_piece_split(&t.forest, piece, 0));
    check_halves(piece, &seed);
    assert_int_equal(piece->child[0]->level, levels + 1);
  }
  checker_clear(&check);
  trees_free(&t);
}

/* What makes places in triangular pieces exact (isolate.c): corners on the grid of h, edges of 0, 1 or 2 steps on it,
 * the area as it must be. */
static void check_on_grid(const toi_piece *piece) {
  const double(*c)[2] = (const double(*)[2])piece->corner;
  double h = ldexp(1, -(int)((piece->level + 1) / 2)), e[2][2];
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 3; i++)
      assert_true(c[i][k] >= 0 && c[i][k] <= 1 && c[i][k] / h == rint(c[i][k] / h));
    for (int i = 0; i < 2; i++) {
      e[i][k] = (c[i + 1][k] - c[0][k]) / h;
      assert_true(e[i][k] == 0 || fabs(e[i][k]) == 1 || fabs(e[i][k]) == 2);
    }
  }
  assert_true(fabs(e[0][0] * e[1][1] - e[0][1] * e[1][0]) * h * h == ldexp(1, -(int)piece->level));
  double widest = fmax(toi_piece_width(piece, 0), toi_piece_width(piece, 1)) / h;
  assert_true(widest == 1 || widest == 2);
}

static void triangles_are_halved_on_a_grid_of_powers_of_two(void **state) {
  (void)state;
  uint64_t seed = test_seed(504);
  static test_case c;
  trees t = trees_make();
  patch_make(&c.a, TOI_PATCH_TRIANGLE, 1, 0);
  patch_copy(&c.b, &c.a);
  c.t_max = 1;
  // All ten levels from the top, where the shapes repeat themselves; and ways down to the narrowest that are used.
  for (uint32_t path = 0; path < 1u << 10; path++) {
    trees_plant(&t, &c);
    toi_piece *piece = t.root[0];
    for (uint32_t level = 0; toi_piece_width(piece, 0) >= 0x1p-50 && toi_piece_width(piece, 1) >= 0x1p-50; level++) {
      check_on_grid(piece);
      assert_true(toi_piece_split(&t.forest, piece, 0));
      piece = piece->child[level < 10 ? path >> level & 1 : test_random(&seed) & 1];
    }
    assert_true(piece->level >= 98);
  }
  trees_free(&t);
}

/* --- where rounding is worst --- */

/* Whole numbers from 2^52 to 2^53: averages of two of them are as often halves as not. The control points of a half are
 * sums of them times binomial coefficients, over a power of two, in whole numbers. */
static double worst_half(uint64_t *seed, trees *t, test_case *c, uint32_t degree) {
  double worst = 0;
  for (size_t i = 0; i <= degree; i++)
    for (int k = 0; k < 3; k++) {
      c->a.points[i][k] = 0x1p52 + (double)(test_random(seed) >> 12);
      c->a.velocities[i][k] = 0x1p52 + (double)(test_random(seed) >> 12);
    }
  t->forest = (toi_forest){.memory = t->memory, .bytes = TREES_BYTES, .t_max = 1};
  toi_piece *root = toi_piece_root(&t->forest, &c->a.patch, 0);
  assert_true(root && toi_piece_split(&t->forest, root, 0));
  for (int half = 0; half < 2; half++)
    for (size_t row = 0; row < 6; row++)
      for (uint32_t steps = 0; steps <= degree; steps++) {
        const toi_piece *piece = root->child[half];
        int64_t sum = 0, binomial = 1;
        for (uint32_t i = 0; i <= steps; i++) {
          uint32_t from = half == 0 ? i : degree - i;
          sum += binomial * (int64_t)(root->net[row * root->root->stride + from] - 0x1p52);
          binomial = binomial * (steps - i) / (i + 1);
        }
        double made = piece->net[row * root->root->stride + (half == 0 ? steps : degree - steps)] - 0x1p52;
        double error = fabs((double)((int64_t)made * ((int64_t)1 << steps) - sum)) / (double)(1 << steps);
        worst = fmax(worst, error / piece->net_error[row / 3]);
      }
  return worst;
}

static void halves_of_curves_where_rounding_is_worst(void **state) {
  (void)state;
  const uint64_t seed = test_seed(502), rounds = test_count_from(15000, 500);
  static test_case c;
  trees t = trees_make();
  double least = 1;
  for (uint32_t degree = 1; degree <= 9; degree++) {
    // Each from the same numbers, however many: more rounds never find less.
    uint64_t random = seed + degree;
    double worst = 0;
    patch_make(&c.a, TOI_PATCH_QUAD, degree, 0);
    for (uint64_t i = 0; i < rounds; i++)
      worst = fmax(worst, worst_half(&random, &t, &c, degree));
    least = fmin(least, worst);
    if (worst > 1)
      fail_msg("degree %u: %g times what is claimed", degree, worst);
  }
  print_message("at least %g of the error is reached for every degree\n", least);
  assert_true(least > 0.2);
  trees_free(&t);
}

/* Single points of coordinates just below a power of two, or just above; the truth in long doubles. */
static double worst_product(uint64_t *seed, trees *t, test_case *c) {
  double centre = random_below(seed, 2) ? 0 : random_between(seed, 0.5, 1), n[3], sum = 0;
  long double exact = 0;
  for (int k = 0; k < 3; k++) {
    double sign = random_below(seed, 2) ? 1 : -1;
    c->a.points[0][k] = sign * random_between(seed, 0.9, 1.1);
    c->a.velocities[0][k] = sign * random_between(seed, 0.9, 1.1);
    n[k] = sign * random_between(seed, 0.5, 1);
    sum += fabs(n[k]);
  }
  double time = random_between(seed, 0.5, 2), first = 0, second[2] = {0, 0};
  t->forest = (toi_forest){.memory = t->memory, .bytes = TREES_BYTES, .t_max = time};
  for (int k = 0; k < 3; k++)
    t->forest.centre[k] = centre;
  const toi_piece *piece = toi_piece_root(&t->forest, &c->a.patch, 0);
  size_t stride = piece->root->stride;
  for (size_t k = 0; k < 3; k++) {
    double p = piece->net[k * stride], v = piece->net[(k + 3) * stride];
    first += n[k] * (p + time * v);
    second[0] += n[k] * p;
    second[1] += n[k] * v;
    exact += (long double)n[k] *
             ((long double)c->a.points[0][k] - centre + (long double)time * (long double)c->a.velocities[0][k]);
  }
  double errors[2] = {(double)fabsl(first - exact), (double)fabsl(second[0] + time * second[1] - exact)};
  return fmax(errors[0], errors[1]) / (sum * piece->error);
}

static void products_with_axes_where_rounding_is_worst(void **state) {
  (void)state;
  uint64_t seed = test_seed(503), rounds = test_count(1000000);
  static test_case c;
  trees t = trees_make();
  double worst = 0;
  patch_make(&c.a, TOI_PATCH_QUAD, 0, 0);
  for (uint64_t i = 0; i < rounds; i++)
    worst = fmax(worst, worst_product(&seed, &t, &c));
  print_message("%g of the error is reached\n", worst);
  assert_true(worst <= 1 && worst > 0.15);
  trees_free(&t);
}

/* --- limits --- */

static void nothing_is_claimed_of_what_is_too_large(void **state) {
  (void)state;
  static test_case c;
  trees t = trees_make();
  for (int fault = 0; fault < 5; fault++) {
    patch_make(&c.a, TOI_PATCH_QUAD, 2, 1);
    c.a.patch.weights = c.a.weights;
    c.t_max = 1;
    for (size_t i = 0; i < 6; i++) {
      c.a.weights[i] = 1;
      c.a.points[i][0] = (double)i;
    }
    if (fault == 0)
      c.a.weights[2] = 0x1p-120;
    if (fault == 1)
      c.a.points[3][1] = 0x1p950;
    if (fault == 2)
      c.a.velocities[3][2] = -0x1p950;
    if (fault == 3)
      c.a.patch.error = 0x1p950;
    patch_copy(&c.b, &c.a);
    trees_plant(&t, &c);
    assert_true(toi_piece_split(&t.forest, t.root[0], 0));
    assert_true((fault == 4) == isfinite(t.root[0]->error));
    if (fault == 4)
      assert_true(t.root[0]->error < 1e-13 && t.root[0]->child[0]->error < 1e-13);
    if (fault == 3)
      assert_true(isinf(t.root[0]->child[0]->error) && isinf(t.root[0]->child[1]->error));
  }
  trees_free(&t);
}

static void pieces_that_find_no_memory(void **state) {
  (void)state;
  uint64_t seed = test_seed(504);
  static test_patch p;
  void *memory = aligned_alloc(32, TREES_BYTES);
  assert_non_null(memory);
  for (int round = 0; round < 40; round++) {
    random_patch(&seed, &p);
    size_t whole = toi_root_bytes(&p.patch), half = toi_piece_bytes(&p.patch);
    bool had_root = false, had_halves = false;
    for (size_t bytes = 0; bytes <= whole + 2 * half; bytes += 32) {
      toi_forest forest = toi_forest_make(memory, bytes, 1, &p.patch, &p.patch);
      toi_piece *root = toi_piece_root(&forest, &p.patch, 7);
      assert_true(forest.used <= bytes);
      assert_true(root || !had_root);
      had_root = root != NULL;
      if (root == NULL)
        continue;
      size_t used = forest.used;
      had_halves = toi_piece_split(&forest, root, 0);
      assert_true(forest.used <= bytes && (had_halves ? forest.pieces == 3 : forest.used == used));
      assert_true(had_halves == (root->child[0] != NULL) && had_halves == (root->child[1] != NULL));
      assert_true(had_root || bytes < whole);
    }
    assert_true(had_root && had_halves);
  }
  free(memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_of_all_shapes_keep_within_their_errors),
      cmocka_unit_test(triangles_are_halved_on_a_grid_of_powers_of_two),
      cmocka_unit_test(halves_of_curves_where_rounding_is_worst),
      cmocka_unit_test(products_with_axes_where_rounding_is_worst),
      cmocka_unit_test(nothing_is_claimed_of_what_is_too_large),
      cmocka_unit_test(pieces_that_find_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
