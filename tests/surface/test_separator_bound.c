/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Bounds of curved separators against MPFR: on pieces as they are meant, in their true motion, a polynomial is never
 * farther from its computed Bernstein quotients than is claimed. Each part of the claim is met by inputs in which it is
 * most of it, and which would find it a few times too small. */

#include "solve/cubic.h"
#include "surface/separator.h"
#include "surface/trees.h"

#include <mpfr.h>

#define ROUNDS UINT64_C(240)
#define PLACES 6
#define BITS 300
#define T_MAX 1.0

static uint64_t seed;
static trees wood;
static toi_separator_space space;

/* --- the oracle --- */

typedef struct oracle {
  mpfr_t u, v, w, basis, sum[7], term, x[3], y[3], d[3], axis[3], length, angle, sine, cosine, dot, value;
} oracle;

static oracle o;

static void oracle_each(void (*visit)(mpfr_ptr)) {
  enum { SINGLE = 11 };
  mpfr_ptr single[SINGLE] = {o.u, o.v, o.w, o.basis, o.term, o.length, o.angle, o.sine, o.cosine, o.dot, o.value};
  for (int i = 0; i < SINGLE; i++)
    visit(single[i]);
  for (int k = 0; k < 7; k++)
    visit(o.sum[k]);
  for (int k = 0; k < 3; k++) {
    visit(o.x[k]);
    visit(o.y[k]);
    visit(o.d[k]);
    visit(o.axis[k]);
  }
}

static void make(mpfr_ptr x) {
  mpfr_init2(x, BITS);
}

static void clear(mpfr_ptr x) {
  mpfr_clear(x);
}

/* o.basis = x^i times itself. */
static void times_power(mpfr_ptr x, uint32_t i) {
  for (uint32_t k = 0; k < i; k++)
    mpfr_mul(o.basis, o.basis, x, MPFR_RNDN);
}

static double choose(uint32_t n, uint32_t i) {
  double value = 1;
  for (uint32_t k = 0; k < i; k++)
    value = value * (n - k) / (k + 1);
  return value;
}

/* The Bernstein polynomial of a control point, i steps on in the first and j in the second parameter. */
static void set_basis(const toi_patch *patch, uint32_t i, uint32_t j) {
  const uint32_t m = patch->degree[0], n = patch->degree[1];
  if (patch->shape == TOI_PATCH_TRIANGLE) {
    mpfr_set_d(o.basis, choose(m, i) * choose(m - i, j), MPFR_RNDN);
    times_power(o.u, i);
    times_power(o.v, j);
    times_power(o.w, m - i - j);
    return;
  }
  mpfr_set_d(o.basis, choose(m, i) * choose(n, j), MPFR_RNDN);
  times_power(o.u, i);
  times_power(o.v, j);
  mpfr_ui_sub(o.w, 1, o.u, MPFR_RNDN);
  times_power(o.w, m - i);
  mpfr_ui_sub(o.w, 1, o.v, MPFR_RNDN);
  times_power(o.w, n - j);
}

/* o.x: a point of the patch at a time, in the forest's frame. */
static void true_point(const toi_patch *patch, const double uv[2], double t) {
  const bool quad = patch->shape == TOI_PATCH_QUAD;
  mpfr_set_d(o.u, uv[0], MPFR_RNDN);
  mpfr_set_d(o.v, uv[1], MPFR_RNDN);
  for (int k = 0; k < 7; k++)
    mpfr_set_zero(o.sum[k], 1);
  for (uint32_t i = 0; i <= patch->degree[0]; i++)
    for (uint32_t j = 0; j <= (quad ? patch->degree[1] : patch->degree[0] - i); j++) {
      mpfr_ui_sub(o.w, 1, o.u, MPFR_RNDN);
      mpfr_sub(o.w, o.w, o.v, MPFR_RNDN);
      const size_t at = toi_net_index(patch, i, j);
      set_basis(patch, i, j);
      mpfr_mul_d(o.basis, o.basis, patch->weights ? patch->weights[at] : 1, MPFR_RNDN);
      mpfr_add(o.sum[6], o.sum[6], o.basis, MPFR_RNDN);
      for (int k = 0; k < 6; k++) {
        mpfr_mul_d(o.term, o.basis, k < 3 ? patch->points[at][k] : patch->velocities[at][k - 3], MPFR_RNDN);
        mpfr_add(o.sum[k], o.sum[k], o.term, MPFR_RNDN);
      }
    }
  for (int k = 0; k < 3; k++) {
    mpfr_mul_d(o.term, o.sum[k + 3], t, MPFR_RNDN);
    mpfr_add(o.x[k], o.sum[k], o.term, MPFR_RNDN);
    mpfr_div(o.x[k], o.x[k], o.sum[6], MPFR_RNDN);
    mpfr_sub_d(o.x[k], o.x[k], wood.forest.centre[k], MPFR_RNDN);
    mpfr_set_d(o.term, wood.forest.drift[k], MPFR_RNDN);
    mpfr_mul_d(o.term, o.term, t, MPFR_RNDN);
    mpfr_sub(o.x[k], o.x[k], o.term, MPFR_RNDN);
  }
}

/* Turns o.x about an axis through a centre, for some time. */
static void true_turn(const double spin[3], const double centre[3], double time) {
  mpfr_set_zero(o.length, 1);
  mpfr_set_zero(o.dot, 1);
  for (int k = 0; k < 3; k++) {
    mpfr_sub_d(o.d[k], o.x[k], centre[k], MPFR_RNDN);
    mpfr_set_d(o.axis[k], spin[k], MPFR_RNDN);
    mpfr_sqr(o.term, o.axis[k], MPFR_RNDN);
    mpfr_add(o.length, o.length, o.term, MPFR_RNDN);
  }
  mpfr_sqrt(o.length, o.length, MPFR_RNDN);
  mpfr_mul_d(o.angle, o.length, time, MPFR_RNDN);
  mpfr_sin_cos(o.sine, o.cosine, o.angle, MPFR_RNDN);
  for (int k = 0; k < 3; k++) {
    mpfr_div(o.axis[k], o.axis[k], o.length, MPFR_RNDN);
    mpfr_fma(o.dot, o.axis[k], o.d[k], o.dot, MPFR_RNDN);
  }
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    mpfr_fmms(o.x[k], o.axis[i], o.d[j], o.axis[j], o.d[i], MPFR_RNDN);
    mpfr_mul(o.x[k], o.x[k], o.sine, MPFR_RNDN);
    mpfr_mul(o.term, o.dot, o.axis[k], MPFR_RNDN);
    mpfr_add(o.x[k], o.x[k], o.term, MPFR_RNDN);
    mpfr_sub(o.term, o.d[k], o.term, MPFR_RNDN);
    mpfr_fma(o.x[k], o.term, o.cosine, o.x[k], MPFR_RNDN);
    mpfr_add_d(o.x[k], o.x[k], centre[k], MPFR_RNDN);
  }
}

/* o.y: o.x in the local frame. */
static void to_local(const toi_separator_frame *frame) {
  for (int k = 0; k < 3; k++)
    mpfr_sub_d(o.d[k], o.x[k], frame->origin[k], MPFR_RNDN);
  for (int k = 0; k < 3; k++) {
    mpfr_set_zero(o.y[k], 1);
    for (int l = 0; l < 3; l++) {
      mpfr_mul_d(o.term, o.d[l], frame->axes[k][l], MPFR_RNDN);
      mpfr_add(o.y[k], o.y[k], o.term, MPFR_RNDN);
    }
    mpfr_mul_d(o.y[k], o.y[k], frame->scale, MPFR_RNDN);
  }
}

/* o.value: F at o.y, by its exponents. */
static void true_value(const toi_cubic *f) {
  mpfr_set_zero(o.value, 1);
  for (int m = 0; m < TOI_CUBIC_TERMS; m++) {
    mpfr_set_d(o.basis, f->term[m], MPFR_RNDN);
    for (int k = 0; k < 3; k++)
      times_power(o.y[k], toi_term_exponent[m][k]);
    mpfr_add(o.value, o.value, o.basis, MPFR_RNDN);
  }
}

/* --- cases --- */

/* What a case is about: the part of the claim that is most of it. */
typedef enum subject {
  NET,
  VALUES,
  DEEP,
  MEANT,
  STRAY,
  SHIFTED,
  TURNED,
  DEEP_TURNED,
  CENTRE,
  SPIN,
  MEANT_TURNED,
  SUBJECTS
} subject;

/* Pieces of these are so many halves down, far from the origin: what rounding has done to them is most of it. */
#define DEEP_LEVELS 48

static bool is_deep(subject about) {
  return about == DEEP || about == DEEP_TURNED;
}

typedef struct separator_case {
  test_case pair;
  toi_turn turns[2];
  toi_separator_frame frame;
  toi_separator_question question;
  toi_cubic f;
  int degree;
  double span, error; /* around the question's time; claimed of the first side */
  double meant;       /* how far points are moved, besides */
  double centre[3];   /* the true one */
  double spin[3];     /* likewise */
} separator_case;

static double random_number(double size) {
  return size * (2 * test_random_unit(&seed) - 1);
}

/* Orthonormal, of either handedness. */
static void random_axes(double axes[3][3]) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++)
      axes[i][k] = random_number(1);
    for (int round = 0; round < 3; round++) {
      double square = 0;
      for (int j = 0; j < i; j++) {
        const double dot = axes[i][0] * axes[j][0] + axes[i][1] * axes[j][1] + axes[i][2] * axes[j][2];
        for (int k = 0; k < 3; k++)
          axes[i][k] -= dot * axes[j][k];
      }
      for (int k = 0; k < 3; k++)
        square += axes[i][k] * axes[i][k];
      for (int k = 0; k < 3; k++)
        axes[i][k] /= sqrt(square);
    }
  }
}

/* Patches of NET are far from each other, so that both are far from the forest's centre. */
static void random_patch(subject about, double place, test_patch *p) {
  const bool triangle = test_random(&seed) % 3 == 0;
  patch_make(p, triangle ? TOI_PATCH_TRIANGLE : TOI_PATCH_QUAD, random_below(&seed, 5), random_below(&seed, 5));
  const double away = about == NET ? place : is_deep(about) ? 16 : 0;
  double velocity[3];
  for (int k = 0; k < 3; k++)
    velocity[k] = about == SHIFTED ? random_number(1) : about == TURNED ? random_number(0.1) : 0;
  for (size_t i = 0; i < patch_count(p); i++) {
    for (int k = 0; k < 3; k++) {
      p->points[i][k] = away + random_number(0.5);
      p->velocities[i][k] = about == STRAY ? random_number(0.01) : velocity[k];
    }
    p->weights[i] = 0.5 + test_random_unit(&seed);
  }
  p->patch.velocities = (const double(*)[3])p->velocities;
  p->patch.weights = test_random(&seed) % 2 ? p->weights : NULL;
}

static void make_turns(subject about, separator_case *c) {
  toi_turn *turn = &c->turns[0];
  *turn = (toi_turn){.turns = about >= TURNED};
  c->turns[1] = (toi_turn){.turns = false};
  for (int k = 0; k < 3; k++) {
    turn->spin[k] = random_number(about == TURNED ? 1 : about == DEEP_TURNED ? 0x1p-30 : 0.01);
    c->spin[k] = turn->spin[k];
    turn->centre[k] = c->centre[k] = random_number(1);
  }
  if (about == SPIN) {
    turn->spin_error = 1e-3;
    for (int k = 0; k < 3; k++)
      c->spin[k] += test_random(&seed) % 2 ? 1e-3 : -1e-3;
  }
  if (about == CENTRE) {
    turn->centre_error = 1e-3;
    for (int k = 0; k < 3; k++)
      c->centre[k] += test_random(&seed) % 2 ? 1e-3 : -1e-3;
  }
  turn->error = about == MEANT_TURNED ? 1e-3 : 0;
}

static void random_case(subject about, separator_case *c) {
  memset(c, 0, sizeof *c);
  c->pair.t_max = T_MAX;
  random_patch(about, 16, &c->pair.a);
  random_patch(about, -16, &c->pair.b);
  if (about == MEANT)
    c->pair.a.patch.error = 1e-3;
  c->meant = about == MEANT || about == MEANT_TURNED ? 1e-3 : 0;
  trees_plant(&wood, &c->pair);
  // Nothing drifts, so that what is shifted is.
  memset(wood.forest.drift, 0, sizeof wood.forest.drift);
  wood.forest.used = wood.forest.pieces = 0;
  wood.root[0] = toi_piece_root(&wood.forest, &c->pair.a.patch, 0);
  wood.root[1] = toi_piece_root(&wood.forest, &c->pair.b.patch, 1);
  make_turns(about, c);
  random_axes(c->frame.axes);
  c->frame.scale = ldexp(1, (int)(test_random(&seed) % 3) - 1);
  for (int k = 0; k < 3; k++)
    c->frame.origin[k] = is_deep(about) ? 0 : random_number(0.25) + (about == NET ? 16 : 0);
  c->degree = 2 + (int)(test_random(&seed) % 2);
  for (int m = 0; !is_deep(about) && m < (c->degree == 3 ? TOI_CUBIC_TERMS : TOI_QUADRIC_TERMS); m++)
    c->f.term[m] = test_random(&seed) % 3 ? random_number(1) : 0;
  c->f.term[0] = about == VALUES ? random_number(1024) : c->f.term[0];
  c->f.term[3] = 1;
  c->span = about <= DEEP ? 0 : 0.5;
  const uint32_t levels = is_deep(about) ? DEEP_LEVELS : random_below(&seed, 4);
  c->question = (toi_separator_question){.piece = {trees_descend(&wood, 0, levels, &seed), wood.root[1]},
                                         .turn = about >= TURNED ? c->turns : NULL,
                                         .times = {0.5 - c->span, 0.5 + c->span},
                                         .at = 0.5};
}

/* o.y of the first side at a place of its piece and a time, moved against or along the slope of F by what is meant. */
static void meant_place(const separator_case *c, double x, double y, double t, double sign) {
  double uv[2], at[3], slope[3], square = 0;
  piece_parameters(c->question.piece[0], x, y, uv);
  if (c->question.turn) {
    true_point(&c->pair.a.patch, uv, 0.5);
    true_turn(c->spin, c->centre, t - 0.5);
  } else {
    true_point(&c->pair.a.patch, uv, t);
  }
  to_local(&c->frame);
  if (c->meant == 0)
    return;
  for (int k = 0; k < 3; k++)
    at[k] = mpfr_get_d(o.y[k], MPFR_RNDN);
  for (int k = 0; k < 3; k++) {
    toi_affine along = {.shift = {k == 0, k == 1, k == 2}};
    toi_cubic derivative;
    double monomials[TOI_CUBIC_TERMS];
    toi_cubic_along(&c->f, &along, &derivative);
    toi_cubic_monomials(at, monomials);
    slope[k] = 0;
    for (int m = 0; m < TOI_CUBIC_TERMS; m++)
      slope[k] += derivative.term[m] * monomials[m];
    square += slope[k] * slope[k];
  }
  for (int k = 0; k < 3; k++) {
    const double way = square > 0 ? sign * slope[k] / sqrt(square) : 0;
    mpfr_add_d(o.y[k], o.y[k], way * c->meant * c->frame.scale * (1 - 1e-9), MPFR_RNDN);
  }
}

/* How far the truth at a place lies beyond a bound, in parts of the error claimed; at most one. */
static double beyond(const separator_case *c, double bound, double sign) {
  // All of this is in the box that bounds are taken over.
  for (int k = 0; k < 3; k++)
    assert_true(mpfr_cmpabs(o.y[k], (mpfr_set_d(o.term, space.side[0].within[k], MPFR_RNDN), o.term)) <= 0);
  true_value(&c->f);
  mpfr_sub_d(o.value, o.value, sign * bound, MPFR_RNDN);
  return -sign * mpfr_get_d(o.value, MPFR_RNDA) / c->error;
}

static double larger(double a, double b) {
  return a > b ? a : b;
}

/* All over the piece and the span: the truth keeps within the hull of the quotients, grown by the error. */
static double check_hull(const separator_case *c) {
  const toi_separator_form *form = &space.form[0];
  double worst = 0;
  for (int i = 0; i < PLACES; i++) {
    double x = (double)(test_random(&seed) % 9) / 8, y = (double)(test_random(&seed) % 9) / 8;
    if (c->pair.a.patch.shape == TOI_PATCH_TRIANGLE && x + y > 1) {
      x = 1 - x;
      y = 1 - y;
    }
    const double s = c->span * ((double)(test_random(&seed) % 9) / 4 - 1);
    const double s0 = test_random(&seed) % 2 ? s : -c->span, s1 = test_random(&seed) % 2 ? s : c->span;
    for (int sign = -1; sign <= 1; sign += 2) {
      meant_place(c, x, y, 0.5 + s, -sign);
      worst = larger(worst, beyond(c, toi_separator_form_least(form, sign, s0, s1), sign));
    }
  }
  return worst;
}

/* Anywhere, at a time: products and weights, divided, are F. */
static double check_inside(const separator_case *c) {
  const toi_patch *patch = &c->pair.a.patch;
  const bool quad = patch->shape == TOI_PATCH_QUAD;
  const uint32_t power = (uint32_t)c->degree, m = power * patch->degree[0], n = quad ? power * patch->degree[1] : m;
  const double x = 0.375, y = 0.25, *weight = c->degree == 2 ? space.square[0][0] : space.weight;
  const double s = 0.625 * c->span;
  double sum = 0, whole = 0;
  size_t inside = 0;
  for (uint32_t i = 0; i <= m; i++)
    for (uint32_t j = 0; j <= (quad ? n : m - i); j++) {
      const double rest = quad ? pow(1 - x, m - i) * pow(1 - y, n - j) : pow(1 - x - y, m - i - j);
      const double part = weight[i * (n + 1) + j] * pow(x, i) * pow(y, j) * rest;
      const double(*q)[TOI_FORM_POINTS] = (const double(*)[TOI_FORM_POINTS])space.form[0].quotient;
      const bool moves = space.form[0].orders == 3;
      sum += part * (q[0][inside] + (moves ? s * (q[1][inside] + s * q[2][inside]) : 0));
      whole += part;
      inside++;
    }
  assert_int_equal(inside, space.form[0].count);
  meant_place(c, x, y, 0.5 + s, 0);
  true_value(&c->f);
  return fabs(sum / whole - mpfr_get_d(o.value, MPFR_RNDN)) / (c->error + 1e-12);
}

/* At a corner, where F is a quotient: what the error is there for. */
static double check_corner(const separator_case *c) {
  const toi_separator_form *form = &space.form[0];
  double worst = 0;
  for (int end = -1; end <= 1; end += 2)
    for (int sign = -1; sign <= 1; sign += 2) {
      const double s = end * c->span;
      double value = form->quotient[0][0];
      if (form->orders == 3)
        value += s * (form->quotient[1][0] + s * form->quotient[2][0]);
      meant_place(c, 0, 0, 0.5 + s, -sign);
      worst = larger(worst, beyond(c, sign * value, sign));
    }
  return worst;
}

/* Parts of the error that are met at least, by the worst of all rounds: a bound as many times too small is noticed. */
static const double least_met[SUBJECTS] = {
    [NET] = 0.004,  [VALUES] = 0.004,      [DEEP] = 0.004,  [MEANT] = 0.2, [STRAY] = 0.2,       [SHIFTED] = 0.3,
    [TURNED] = 0.1, [DEEP_TURNED] = 0.004, [CENTRE] = 0.05, [SPIN] = 0.05, [MEANT_TURNED] = 0.2};

static void the_truth_keeps_within_the_error(void **state) {
  (void)state;
  static const char *const names[SUBJECTS] = {"net",    "values",       "deep",   "meant", "stray",        "shifted",
                                              "turned", "deep, turned", "centre", "spin",  "meant, turned"};
  seed = test_seed(2026);
  for (int about = 0; about < SUBJECTS; about++) {
    double met = 0;
    for (uint64_t i = 0; i < test_count_from(ROUNDS, ROUNDS); i++) {
      separator_case c;
      random_case((subject)about, &c);
      assert_true(toi_separator_side_make(&c.question, 0, &c.frame, &space.side[0]));
      toi_separator_square(&space, 0);
      c.error = toi_separator_form_make(&space, 0, &c.f, c.degree, c.span);
      const double corner = check_corner(&c), hull = check_hull(&c), inside = check_inside(&c);
      if (!(corner <= 1) || !(hull <= 1) || !(inside <= 1))
        fail_msg("%s, round %llu: %g, %g and %g times what is claimed", names[about], (unsigned long long)i, corner,
                 hull, inside);
      met = larger(met, corner);
    }
    if (!(met >= least_met[about]))
      fail_msg("%s: no more than %g of the error is ever met", names[about], met);
    print_message("%s: up to %.3g of the error claimed\n", names[about], met);
  }
}

static void a_frame_that_is_not_orthonormal_is_refused(void **state) {
  (void)state;
  seed = test_seed(3);
  separator_case c;
  random_case(TURNED, &c);
  assert_true(toi_separator_side_make(&c.question, 0, &c.frame, &space.side[0]));
  c.frame.axes[1][2] += 0x1p-46;
  assert_false(toi_separator_side_make(&c.question, 0, &c.frame, &space.side[0]));
  c.frame.axes[1][2] = NAN;
  assert_false(toi_separator_side_make(&c.question, 0, &c.frame, &space.side[0]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_truth_keeps_within_the_error),
      cmocka_unit_test(a_frame_that_is_not_orthonormal_is_refused),
  };
  wood = trees_make();
  oracle_each(make);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  oracle_each(clear);
  mpfr_free_cache();
  trees_free(&wood);
  return failed;
}
