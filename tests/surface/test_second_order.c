/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The hulls of the second-order proof, which the file itself shows: over two pieces and a span of time they hold the
 * Jacobian of G and the Hessian of n . G at every place. Pieces are quads and triangles, with and without weights, in
 * all combinations. */

#include "surface/isolate.c" /* NOLINT(bugprone-suspicious-include): the hulls are static there */

#include "surface/cases.h"

/* More than the rounding of the values compared. */
#define TOLERANCE 1e-12

static void random_patch(uint64_t *state, test_patch *p) {
  patch_make(p, (toi_patch_shape)random_below(state, 2), random_below(state, 4), random_below(state, 4));
  if (random_below(state, 2))
    p->patch.weights = p->weights;
  for (size_t i = 0; i < patch_count(p); i++) {
    for (int k = 0; k < 3; k++) {
      p->points[i][k] = random_between(state, -1, 1);
      p->velocities[i][k] = random_between(state, -1, 1);
    }
    p->weights[i] = exp2(random_between(state, -4, 4));
  }
}

/* A place in a piece: anywhere, or at one of its corners; triangles' on the grid of proofs. */
static void random_place(uint64_t *state, const toi_piece *piece, bool corner, double uv[2]) {
  bool quad = piece->root->patch->shape == TOI_PATCH_QUAD;
  double s = corner ? random_below(state, 2) : test_random_unit(state);
  double r = corner ? random_below(state, 2) : test_random_unit(state);
  if (!quad && s + r > 1) {
    s = 1 - s;
    r = 1 - r;
  }
  for (int k = 0; k < 2; k++) {
    const double(*c)[2] = piece->corner;
    double x = quad ? (k == 0 ? s : r) * (c[1][k] - c[0][k]) : s * (c[1][k] - c[0][k]) + r * (c[2][k] - c[0][k]);
    uv[k] = quad ? c[0][k] + x : rint((c[0][k] + x) * 0x1p52) * 0x1p-52;
  }
}

/* --- true values, by t, u1, v1, u2, v2 --- */

/* Second derivatives of coordinate k of G. */
static void bends_of(const toi_gap *gap, int k, double d[UNKNOWNS][UNKNOWNS]) {
  const toi_jet *a = &gap->jet[0], *b = &gap->jet[1];
  memset(d, 0, sizeof(double) * UNKNOWNS * UNKNOWNS);
  for (int i = 0; i < 2; i++) {
    d[0][1 + i] = d[1 + i][0] = a->first[i][k + 3] * b->value[6] - b->value[k + 3] * a->first[i][6];
    d[0][3 + i] = d[3 + i][0] = a->value[k + 3] * b->first[i][6] - b->first[i][k + 3] * a->value[6];
    for (int j = 0; j < 2; j++) {
      d[1 + i][1 + j] = a->second[i + j][k] * b->value[6] - b->value[k] * a->second[i + j][6];
      d[3 + i][3 + j] = a->value[k] * b->second[i + j][6] - b->second[i + j][k] * a->value[6];
      d[1 + i][3 + j] = d[3 + j][1 + i] = a->first[i][k] * b->first[j][6] - b->first[j][k] * a->first[i][6];
    }
  }
}

/* What the unknowns of the proof are in t, u1, v1, u2, v2. */
static void units_of(const frame frames[2], double span, double unit[UNKNOWNS][UNKNOWNS]) {
  memset(unit, 0, sizeof(double) * UNKNOWNS * UNKNOWNS);
  unit[0][0] = span;
  for (int i = 0; i < 4; i++)
    parameter_step(&frames[i / 2], i % 2, &unit[1 + i][1 + 2 * (i / 2)]);
}

static void expect(toi_midrad hull, double x, const char *what, int i, int j) {
  if (!(fabs(x - hull.x) <= hull.r + TOLERANCE))
    fail_msg("%s[%d][%d] is %g, not %g +- %g", what, i, j, x, hull.x, hull.r);
}

static void check_place(const toi_gap *gap, double unit[UNKNOWNS][UNKNOWNS], const double n[3], const derivatives *s) {
  double hessian[UNKNOWNS][UNKNOWNS] = {{0}};
  for (int k = 0; k < 3; k++) {
    double bends[UNKNOWNS][UNKNOWNS];
    bends_of(gap, k, bends);
    for (int i = 0; i < UNKNOWNS; i++) {
      double slope = 0;
      for (int p = 0; p < UNKNOWNS; p++) {
        slope += unit[i][p] * gap->slope[p][k];
        for (int j = 0; j < UNKNOWNS; j++)
          for (int q = 0; q < UNKNOWNS; q++)
            hessian[i][j] += n[k] * unit[i][p] * unit[j][q] * bends[p][q];
      }
      expect(s->jacobian[i][k], slope, "J", i, k);
    }
  }
  for (int i = 0; i < UNKNOWNS; i++)
    for (int j = 0; j < UNKNOWNS; j++)
      expect(s->hessian[i][j], hessian[i][j], "H", i, j);
}

/* --- one pair of pieces --- */

static void check_pair(uint64_t *state, unsigned char *memory, size_t bytes) {
  test_case c = {.t_max = exp2(random_between(state, -3, 3))};
  random_patch(state, &c.a);
  random_patch(state, &c.b);
  toi_forest forest = toi_forest_make(memory, bytes, c.t_max, &c.a.patch, &c.b.patch);
  toi_piece *pieces[2] = {toi_piece_root(&forest, &c.a.patch, 0), toi_piece_root(&forest, &c.b.patch, 0)};
  toi_prover prover;
  toi_prover_make(pieces[0]->root, pieces[1]->root, 0, &prover);
  toi_interval times = {c.t_max * test_random_unit(state), 0};
  times.hi = random_between(state, times.lo, c.t_max);
  toi_moment at = {.t = times.hi};
  frame frames[2];
  for (int i = 0; i < 2; i++) {
    for (uint32_t levels = random_below(state, 10); levels > 0; levels--) {
      assert_true(toi_piece_split(&forest, pieces[i], 0));
      pieces[i] = pieces[i]->child[random_below(state, 2)];
    }
    random_place(state, pieces[i], random_below(state, 4) == 0, at.uv[i]);
    if (!make_frame(pieces[i], at.uv[i], &frames[i]))
      return;
  }
  reference o = {.times = times, .span = times.hi - times.lo};
  double unit[UNKNOWNS][UNKNOWNS];
  toi_gap gap;
  toi_gap_at(&prover, &at, false, &gap);
  for (int k = 0; k < 3; k++) {
    o.n[k] = random_between(state, -2, 2);
    o.centre[k] = gap.jet[1].value[k] / gap.jet[1].value[6];
  }
  derivatives s;
  find_hulls(frames, &o, &s);
  units_of(frames, o.span, unit);
  for (int i = 0; i < 8; i++) {
    toi_moment place = {.t = i == 0 ? times.lo : i == 1 ? times.hi : random_between(state, times.lo, times.hi)};
    for (int k = 0; k < 2; k++)
      random_place(state, pieces[k], i < 4, place.uv[k]);
    toi_gap_at(&prover, &place, true, &gap);
    check_place(&gap, unit, o.n, &s);
  }
}

static void hulls_hold_the_derivatives_all_over_the_pieces(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0052), rounds = test_count(10000);
  size_t bytes = (size_t)1 << 20;
  unsigned char *memory = aligned_alloc(32, bytes);
  assert_non_null(memory);
  for (uint64_t i = 0; i < rounds; i++)
    check_pair(&seed, memory, bytes);
  free(memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hulls_hold_the_derivatives_all_over_the_pieces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
