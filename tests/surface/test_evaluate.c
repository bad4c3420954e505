/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Patches at a parameter, with derivatives, against exact arithmetic: values and first derivatives within the errors
 * that are stated, second ones below their bounds everywhere on the patch, and bounds that are reached. */

#include "surface/evaluate.h"
#include "surface/exact_net.h"
#include "surface/trees.h"

/* --- exact derivatives --- */

/* The net of a patch or of a derivative of it. */
typedef struct net {
  toi_patch_shape shape;
  uint32_t degree[2];
  mpf_t at[EXACT_ROWS][EXACT_POINTS];
} net;

/* 0: the patch; 1, 2: by u, by v; 3 to 5: uu, uv, vv. */
#define NETS 6

typedef struct oracle {
  exact_cut cut;
  net nets[NETS];
  mpf_t value, term;
} oracle;

static void oracle_init(oracle *o) {
  exact_cut_init(&o->cut);
  for (int n = 0; n < NETS; n++)
    for (int i = 0; i < EXACT_ROWS * EXACT_POINTS; i++)
      mpf_init(o->nets[n].at[i / EXACT_POINTS][i % EXACT_POINTS]);
  mpf_inits(o->value, o->term, NULL);
}

static void oracle_clear(oracle *o) {
  exact_cut_clear(&o->cut);
  for (int n = 0; n < NETS; n++)
    for (int i = 0; i < EXACT_ROWS * EXACT_POINTS; i++)
      mpf_clear(o->nets[n].at[i / EXACT_POINTS][i % EXACT_POINTS]);
  mpf_clears(o->value, o->term, NULL);
}

static size_t place_of(const net *n, uint32_t i, uint32_t j) {
  return n->shape == TOI_PATCH_QUAD ? (size_t)i * (n->degree[1] + 1) + j
                                    : (size_t)j * (n->degree[0] + 1) - (size_t)j * (j - 1) / 2 + i;
}

/* The derivative by u (way 0) or by v; zero, of degree 0, where there is none. */
static void derive(const net *from, int way, net *to) {
  bool quad = from->shape == TOI_PATCH_QUAD;
  uint32_t degree = from->degree[quad ? way : 0];
  to->shape = from->shape;
  memcpy(to->degree, from->degree, sizeof(to->degree));
  to->degree[quad ? way : 0] = degree > 0 ? degree - 1 : 0;
  for (uint32_t i = 0; i <= to->degree[0]; i++)
    for (uint32_t j = 0; j <= (quad ? to->degree[1] : to->degree[0] - i); j++)
      for (int row = 0; row < EXACT_ROWS; row++) {
        mpf_t *out = (mpf_t *)&to->at[row][place_of(to, i, j)];
        mpf_set_ui(*out, 0);
        if (degree == 0)
          continue;
        size_t next = place_of(from, i + (way == 0), j + (way == 1));
        mpf_sub(*out, from->at[row][next], from->at[row][place_of(from, i, j)]);
        mpf_mul_ui(*out, *out, degree);
      }
}

/* The nets of a root as the library scales and recentres it. */
static void oracle_take(oracle *o, const toi_root *root, const toi_forest *forest) {
  const toi_patch *patch = root->patch;
  net *whole = &o->nets[0];
  exact_cut_take(&o->cut, patch);
  whole->shape = patch->shape;
  memcpy(whole->degree, patch->degree, sizeof(whole->degree));
  mpf_set_d(o->value, root->rational ? root->control[0][6] / patch->weights[0] : 1);
  for (size_t i = 0; i < root->count; i++)
    for (int row = 0; row < EXACT_ROWS; row++) {
      mpf_set_d(o->term, row < 3 ? forest->centre[row] : row < 6 ? forest->drift[row - 3] : 0);
      mpf_mul(o->term, o->term, o->cut.whole.at[6][i]);
      mpf_sub(o->term, o->cut.whole.at[row][i], o->term);
      mpf_mul(whole->at[row][i], o->term, o->value);
    }
  derive(&o->nets[0], 0, &o->nets[1]);
  derive(&o->nets[0], 1, &o->nets[2]);
  derive(&o->nets[1], 0, &o->nets[3]);
  derive(&o->nets[1], 1, &o->nets[4]);
  derive(&o->nets[2], 1, &o->nets[5]);
}

static void set_arguments(oracle *o, double u, double v) {
  for (int k = 0; k < 9; k++) {
    mpf_set_d(o->cut.arguments[k][1], u);
    mpf_set_d(o->cut.arguments[k][2], v);
    mpf_set_ui(o->cut.arguments[k][0], 1);
    mpf_sub(o->cut.arguments[k][0], o->cut.arguments[k][0], o->cut.arguments[k][1]);
    mpf_sub(o->cut.arguments[k][0], o->cut.arguments[k][0], o->cut.arguments[k][2]);
  }
}

/* One row of a net at (u, v): in o->value. */
static void evaluate(oracle *o, const net *n, int row, double u, double v) {
  exact_cut *c = &o->cut;
  if (n->shape == TOI_PATCH_TRIANGLE) {
    set_arguments(o, u, v);
    for (size_t i = 0; i < toi_patch_points(n->shape, n->degree); i++)
      mpf_set(c->line[i], n->at[row][i]);
    exact_polar_triangle(c, n->degree[0]);
    mpf_set(o->value, c->line[0]);
    return;
  }
  mpf_t along[10];
  for (uint32_t i = 0; i <= n->degree[0]; i++) {
    for (int k = 0; k < 9; k++)
      mpf_set_d(c->arguments[k][0], v);
    for (uint32_t j = 0; j <= n->degree[1]; j++)
      mpf_set(c->line[j], n->at[row][place_of(n, i, j)]);
    exact_polar_line(c, n->degree[1]);
    mpf_init(along[i]);
    mpf_set(along[i], c->line[0]);
  }
  for (int k = 0; k < 9; k++)
    mpf_set_d(c->arguments[k][0], u);
  for (uint32_t i = 0; i <= n->degree[0]; i++) {
    mpf_set(c->line[i], along[i]);
    mpf_clear(along[i]);
  }
  exact_polar_line(c, n->degree[0]);
  mpf_set(o->value, c->line[0]);
}

/* --- checks --- */

/* The largest parts of errors and of bounds that were reached. */
typedef struct reached {
  double value, first, second, slope;
} reached;

/* |o->value - computed| / bound, rounded up a little. */
static double part_of(oracle *o, double computed, double bound) {
  mpf_set_d(o->term, computed);
  mpf_sub(o->term, o->value, o->term);
  mpf_abs(o->term, o->term);
  return mpf_get_d(o->term) / bound * (1 + 0x1p-50);
}

static void expect(const toi_root *root, const char *what, double part) {
  if (part > 1)
    fail_msg("%s: %g times what is stated; degree %u %u, %s, %s", what, part, root->patch->degree[0],
             root->patch->degree[1], root->patch->shape == TOI_PATCH_QUAD ? "quad" : "triangle",
             root->rational ? "rational" : "polynomial");
}

static void check_place(oracle *o, const toi_root *root, const toi_jet_errors *e, const double uv[2], reached *r) {
  toi_jet jet, short_jet;
  toi_root_jet(root, uv, true, &jet);
  toi_root_jet(root, uv, false, &short_jet);
  assert_memory_equal(jet.value, short_jet.value, sizeof(jet.value));
  assert_memory_equal(jet.first, short_jet.first, sizeof(jet.first));
  for (int row = 0; row < EXACT_ROWS; row++) {
    int c = row / 3;
    evaluate(o, &o->nets[0], row, uv[0], uv[1]);
    double part = part_of(o, jet.value[row], e->value[c]);
    expect(root, "a value", part);
    expect(root, "the size of a value", part_of(o, 0, e->magnitude[c] + e->value[c]));
    r->value = fmax(r->value, part);
    for (int i = 0; i < 2; i++) {
      evaluate(o, &o->nets[1 + i], row, uv[0], uv[1]);
      part = part_of(o, jet.first[i][row], e->first[c]);
      double slope = part_of(o, 0, e->slope[c]);
      expect(root, "a derivative", part);
      expect(root, "the size of a derivative", slope);
      r->first = fmax(r->first, part);
      r->slope = fmax(r->slope, slope);
    }
    for (int w = 0; w < 3; w++) {
      evaluate(o, &o->nets[3 + w], row, uv[0], uv[1]);
      double second = part_of(o, 0, e->second[c][w]);
      expect(root, "a second derivative", second);
      r->second = fmax(r->second, second);
      // Not bounded, but right: within what rounding of 96 units in the values could do to it.
      expect(root, "a second derivative as computed", part_of(o, jet.second[w][row], 1000 * e->first[c] + 1e-300));
    }
  }
}

static void random_place(uint64_t *seed, toi_patch_shape shape, double uv[2]) {
  static const double special[] = {0, 1, 0.5, 0x1p-60, 1 - 0x1p-53};
  for (int k = 0; k < 2; k++)
    uv[k] = random_below(seed, 3) ? test_random_unit(seed) : special[random_below(seed, 5)];
  if (shape == TOI_PATCH_TRIANGLE && !(1 - uv[0] - uv[1] >= 0))
    uv[1] = 1 - uv[0];
}

/* Styles: anything; all coordinates near 1, so that rounding adds up; signs in turn, so that differences are large. */
static void random_patch(uint64_t *seed, test_patch *p) {
  uint32_t style = random_below(seed, 4), most = random_below(seed, 2) ? 10 : 4;
  patch_make(p, (toi_patch_shape)random_below(seed, 2), random_below(seed, most), random_below(seed, most));
  double place = style == 0 ? exp2(random_between(seed, 0, 30)) : 0;
  for (size_t i = 0; i < patch_count(p); i++) {
    for (int k = 0; k < 3; k++) {
      double sign = style == 3 && i % 2 ? -1 : 1, lo = style < 2 ? -1 : 0.999;
      p->points[i][k] = place + sign * random_between(seed, lo, 1);
      p->velocities[i][k] = sign * random_between(seed, lo, 1);
    }
    p->weights[i] = style == 0 ? exp2(random_between(seed, -20, 20)) : random_between(seed, 0.9, 1);
  }
  if (random_below(seed, 2))
    p->patch.weights = p->weights;
}

static void jets_keep_within_their_errors(void **state) {
  (void)state;
  uint64_t seed = test_seed(521), rounds = test_count(1500);
  static test_case c;
  static oracle o;
  trees t = trees_make();
  reached r = {0};
  oracle_init(&o);
  for (uint64_t i = 0; i < rounds; i++) {
    random_patch(&seed, &c.a);
    patch_copy(&c.b, &c.a);
    c.t_max = 1;
    trees_plant(&t, &c);
    if (random_below(&seed, 2)) {
      t.forest = (toi_forest){.memory = t.memory, .bytes = TREES_BYTES, .t_max = 1};
      t.root[0] = toi_piece_root(&t.forest, &c.a.patch, 0);
    }
    const toi_root *root = t.root[0]->root;
    toi_jet_errors errors;
    toi_root_bounds(root, &errors);
    oracle_take(&o, root, &t.forest);
    for (int k = 0; k < 2; k++) {
      double uv[2];
      random_place(&seed, c.a.patch.shape, uv);
      check_place(&o, root, &errors, uv, &r);
    }
  }
  print_message("reached: %g of errors of values, %g of derivatives; %g of bounds of derivatives, %g of second ones\n",
                r.value, r.first, r.slope, r.second);
  assert_true(rounds < 50 || (r.value > 0.02 && r.first > 0.002 && r.slope > 0.99 && r.second > 0.99));
  oracle_clear(&o);
  trees_free(&t);
}

/* --- curves, many of them, in long doubles --- */

/* Of control points near 1, at places where 1 - s rounds: the largest error found, in parts of what is stated. */
static double worst_curve(uint64_t *seed, trees *t, test_case *c) {
  uint32_t n = c->a.patch.degree[0];
  double uv[2] = {random_below(seed, 2) ? test_random_unit(seed) : 0.5 * test_random_unit(seed), 0}, worst = 0;
  for (uint32_t i = 0; i <= n; i++)
    for (int k = 0; k < 3; k++)
      c->a.points[i][k] = 1 - 0x1p-53 * (double)random_below(seed, 64);
  t->forest = (toi_forest){.memory = t->memory, .bytes = TREES_BYTES, .t_max = 1};
  const toi_root *root = toi_piece_root(&t->forest, &c->a.patch, 0)->root;
  toi_jet_errors e;
  toi_jet jet;
  toi_root_bounds(root, &e);
  toi_root_jet(root, uv, false, &jet);
  for (int k = 0; k < 3; k++) {
    long double line[10], s = uv[0];
    for (uint32_t i = 0; i <= n; i++)
      line[i] = c->a.points[i][k];
    for (uint32_t step = 0; step < n; step++)
      for (uint32_t i = 0; i + step < n; i++)
        line[i] = line[i] + s * (line[i + 1] - line[i]);
    worst = fmax(worst, (double)fabsl(line[0] - jet.value[k]) / e.value[0]);
  }
  return worst;
}

static void curves_where_rounding_is_worst(void **state) {
  (void)state;
  uint64_t seed = test_seed(522), rounds = test_count(150000);
  static test_case c;
  trees t = trees_make();
  double worst = 0;
  patch_make(&c.a, TOI_PATCH_QUAD, 9, 0);
  for (uint64_t i = 0; i < rounds; i++)
    worst = fmax(worst, worst_curve(&seed, &t, &c));
  print_message("%g of the error is reached\n", worst);
  assert_true(worst <= 1 && worst > 0.03);
  trees_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jets_keep_within_their_errors),
      cmocka_unit_test(curves_where_rounding_is_worst),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
