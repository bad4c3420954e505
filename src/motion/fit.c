/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Chebyshev series through samples of a motion, and how far the motion may be from them.
 *
 * A component f of the motion is sampled at N nodes, near the zeros x_k = -cos((2k + 1) pi / 2N) of T_N, as seen from
 * the middle of [t_from, t_to] in units of half its length h. The series p has the coefficients
 * c_i = 2/N sum y_k T_i(x_k), c_0 half of that, rounded somehow. Let M bound |f^(N)|.
 *
 * Claim: |f - p| <= e0, |f' - p'| <= e1 and |f'' - p''| <= e2 (N >= 2), with
 *     e_k = (1 + 2 v) (M h^(N-k) / (N-k)! 2^(1-N) D_k / k!  +  K_k r / h^k),
 * - D_k the largest |T_N^(k)| in [-1, 1]: 1, N^2, N^2 (N^2 - 1) / 3, and D_(m+1) = D_m (N^2 - m^2) / (2m + 1);
 * - K_0 = 2N - 1, K_1 = sum 2 i^2, K_2 = sum 2 i^2 (i^2 - 1) / 3, over 0 < i < N;
 * - r a bound of |p - f| at the nodes;
 * - v = N^3 g <= 1/2, where g h bounds the distance of the nodes as rounded, t_k, from those that are meant.
 *
 * Why. Let q be the polynomial of degree N - 1 that is f at all t_k, and d = p - q.
 *
 * 1. f - q vanishes at t_0 < ... < t_N-1.
 *    - By Rolle's theorem its derivative does at points z_j in (t_j, t_j+1), and its second one at points in
 *      (z_j, z_j+1), which lie in (t_j, t_j+2). So the k-th derivative has N - k zeros w_j, and is bounded by
 *      M / (N-k)! times the product of the |t - w_j|. Let t lie in [t_m, t_m+1].
 *    - k = 1: the j-th factor is at most |t - t_j| for j < m, |t - t_j+1| for j > m, and the larger one of both for
 *      j = m. The product is at most that of the |t - t_i| over all nodes but one.
 *    - k = 2: likewise |t - t_j| for j < m - 1 and |t - t_j+2| for j > m; for j = m - 1 one of t_m-1, t_m+1 and for
 *      j = m one of t_m, t_m+2 is taken. No node is taken twice: all nodes but two.
 *    - Before the first and behind the last node all factors are taken from the far side, and the same holds.
 *    - The product over all nodes but k is, if the nodes are exact, h^(N-k) 2^(1-N) |T_N(s) / prod (s - x_l)| over the
 *      k left out. This is the divided difference of T_N at s and those x_l, where it vanishes: at most D_k / k!.
 * 2. Nodes that are off by up to g h:
 *    - The product of |s - x_i| + g over all but k nodes is the sum, over sets J of other nodes, of g^|J| times the
 *      product over all but k + |J|.
 *    - There are at most N^j / j! sets of j nodes, and D_(m+1) <= N^2 D_m. So the sum is at most
 *      D_k / k! sum (N^3 g)^j / j! <= D_k / k! exp(v), and exp(v) <= 1 + 2 v as v <= 1/2.
 * 3. d is of degree N - 1:
 *    - Its coefficients are 2/N sum d(x_k) T_i(x_k): at most 2 max |d(x_k)| each, the first at most half of that.
 *    - |T_i'| <= i^2 and |T_i''| <= i^2 (i^2 - 1) / 3 give |d^(k)| <= K_k max |d(x_k)| / h^k.
 *    - At the rounded nodes |d| <= r, so that max |d(x_k)| <= r + g K_1 max |d(x_k)|. As K_1 <= 2/3 N^3 and v <= 1/2,
 *      max |d(x_k)| <= r / (1 - 2/3 v) <= (1 + v) r.
 * 4. r: p(x_k) is the sum of c_i T_i(x_k) = c_i cos(i (2N - 2k - 1) pi / 2N), computed with intervals; p at the rounded
 *    node differs from it by at most g sum i^2 |c_i|. A sample may be off by 2^-52 of itself and 2^-1074. */

#include "motion/stage.h"
#include "number/trigonometry.h"

/* What a sample may be off by, as a part of itself and beside it. */
#define SAMPLE_ERROR 0x1p-52
#define SAMPLE_TINY 0x1p-1074

/* The most that N^3 g may be. */
#define SHIFT_MOST 0.5

/* --- nodes --- */

/* t_from + length sin^2, or from the other end: the same, and symmetric. */
static double node(double from, double to, size_t number, size_t count) {
  assert(number < count);
  bool late = 2 * number + 1 > count;
  size_t place = late ? count - 1 - number : number;
  double s = toi_sin_cos((double)(2 * place + 1) * toi_interval_pi().lo / (4 * (double)count)).sin;
  double away = (to - from) * (s * s);
  double t = 2 * number + 1 == count ? 0.5 * from + 0.5 * to : late ? to - away : from + away;
  return t < from ? from : t > to ? to : t;
}

/* Through memory, so that no compiler takes it for a constant that may be computed in another mode. */
static TOI_APART void find_node(toi_interval between, size_t number, size_t count, double *t) {
  *t = number < count && isfinite(between.lo) && isfinite(between.hi) ? node(between.lo, between.hi, number, count)
                                                                      : (double)NAN;
}

double toi_chebyshev_node(double t_from, double t_to, size_t number, size_t count) {
  toi_call call;
  double t;
  toi_call_begin(&call, NULL);
  find_node((toi_interval){t_from, t_to}, number, count, &t);
  toi_call_end(&call);
  return t;
}

/* --- fits --- */

typedef struct fit {
  size_t count, period;  /* N, 4N */
  toi_interval half;     /* h */
  double gap;            /* g */
  double shift;          /* v */
  toi_interval *cosines; /* of i pi / 2N */
} fit;

/* T_i at node k. */
static toi_interval basis(const fit *f, size_t i, size_t k) {
  return f->cosines[i * (2 * f->count - 2 * k - 1) % f->period];
}

static void fill_cosines(fit *f) {
  toi_interval step = toi_interval_div(toi_interval_pi(), toi_interval_point(2 * (double)f->count));
  for (size_t i = 0; i < f->period; i++)
    f->cosines[i] = toi_interval_cos(toi_interval_mul(step, toi_interval_point((double)i)));
}

/* g and v; false if the rounded nodes are not in order. */
static bool measure_nodes(fit *f, double from, double to) {
  toi_interval a = toi_interval_point(from), b = toi_interval_point(to);
  toi_interval middle = toi_interval_scale(toi_interval_add(a, b), -1);
  f->half = toi_interval_scale(toi_interval_sub(b, a), -1);
  double most = 0, before = -INFINITY;
  for (size_t k = 0; k < f->count; k++) {
    double t = node(from, to, k, f->count);
    if (!(t > before))
      return false;
    before = t;
    toi_interval meant = toi_interval_add(middle, toi_interval_mul(f->half, basis(f, 1, k)));
    most = fmax(most, toi_interval_magnitude(toi_interval_sub(toi_interval_point(t), meant)));
  }
  f->gap = toi_quotient_up(most, f->half.lo);
  double n = (double)f->count;
  f->shift = toi_product_up(n * n * n, f->gap);
  return f->shift <= SHIFT_MOST;
}

static void find_coefficients(const fit *f, const double *samples, double *coefficients) {
  for (size_t i = 0; i < f->count; i++) {
    double sum = 0;
    for (size_t k = 0; k < f->count; k++)
      sum += samples[k] * toi_interval_midpoint(basis(f, i, k));
    coefficients[i] = (i == 0 ? 1 : 2) * (sum / (double)f->count);
  }
}

/* r. */
static double residual(const fit *f, const double *samples, const double *coefficients) {
  double most = 0, slope = 0;
  for (size_t k = 0; k < f->count; k++) {
    toi_interval sum = toi_interval_point(-samples[k]);
    for (size_t i = 0; i < f->count; i++)
      sum = toi_plus_product(sum, toi_interval_point(coefficients[i]), basis(f, i, k));
    double sample = toi_sum_up(toi_product_up(SAMPLE_ERROR, fabs(samples[k])), SAMPLE_TINY);
    most = fmax(most, toi_sum_up(toi_interval_magnitude(sum), sample));
  }
  for (size_t i = 1; i < f->count; i++)
    slope = toi_sum_up(slope, toi_product_up((double)(i * i), fabs(coefficients[i])));
  return toi_sum_up(most, toi_product_up(f->gap, slope));
}

/* e_0, e_1, e_2 of a component, N >= 2. */
static void find_errors(const fit *f, double r, double bound, double error[3]) {
  assert(f->count >= 2);
  // M h^m / m! 2^-m for m = N, N - 1, N - 2.
  double product = bound, last[3] = {0, bound, bound};
  for (size_t i = 1; i <= f->count; i++) {
    product = toi_product_up(product, toi_quotient_up(f->half.hi, 2 * (double)i));
    last[2] = i + 2 <= f->count ? product : last[2];
    last[1] = i + 1 <= f->count ? product : last[1];
  }
  last[0] = product;

  // 2^(1-N) D_k / k! beside 2^-(N-k): 2, N^2, N^2 (N^2 - 1) / 12. And K_k.
  double n2 = (double)(f->count * f->count), k1 = 0, k2 = 0;
  for (size_t i = 1; i < f->count; i++) {
    double i2 = (double)(i * i);
    k1 = toi_sum_up(k1, 2 * i2);
    k2 = toi_sum_up(k2, 2 * (i2 * (i2 - 1) / 3));
  }
  const double factor[3] = {2, n2, n2 * (n2 - 1) / 12}, spread[3] = {2 * (double)f->count - 1, k1, k2};
  double rounded = r, widen = toi_sum_up(1, 2 * f->shift);
  for (int k = 0; k < 3; k++) {
    double of_bound = toi_product_up(factor[k], last[k]), of_rounding = toi_product_up(spread[k], rounded);
    error[k] = toi_product_up(widen, toi_sum_up(of_bound, of_rounding));
    rounded = toi_quotient_up(rounded, f->half.lo);
  }
}

/* --- motions --- */

/* The series through all samples; errors of a component only if there is a bound. */
static toi_status fit_all(toi_motion *motion, const toi_chebyshev *samples, fit *f, double *coefficients,
                          const double *bound) {
  fill_cosines(f);
  if (!measure_nodes(f, samples->t_from, samples->t_to))
    return toi_fail(motion->context, TOI_ERROR_INPUT, "[%g, %g] is too short for %zu samples: their times coincide",
                    samples->t_from, samples->t_to, f->count);
  toi_chebyshev series = *samples;
  toi_series_error error[7] = {{{0}}};
  for (size_t i = 0; i < 7; i++) {
    const double **component = i < 4 ? &series.quaternion[i] : &series.translation[i - 4];
    if (!*component)
      continue;
    double *mine = coefficients + i * f->count;
    find_coefficients(f, *component, mine);
    if (bound)
      find_errors(f, residual(f, *component, mine), *bound, error[i].of);
    *component = mine;
  }
  return toi_motion_add_series(motion, &series, bound ? error : NULL);
}

static toi_status check_bound(toi_context *context, const toi_chebyshev *samples, const double *bound) {
  if (!bound)
    return TOI_OK;
  if (!(*bound >= 0) || !isfinite(*bound))
    return toi_fail(context, TOI_ERROR_INPUT, "derivative_bound is %g; it must be finite and not negative", *bound);
  if (samples->count < 2)
    return toi_fail(context, TOI_ERROR_INPUT, "one sample and a derivative do not bound the acceleration; give two");
  return TOI_OK;
}

static TOI_APART toi_status fit_samples(toi_motion *motion, const toi_chebyshev *samples,
                                        const double *derivative_bound) {
  toi_context *context = motion->context;
  toi_chebyshev taken;
  toi_status status = toi_chebyshev_take(context, samples, &taken);
  if (status == TOI_OK)
    status = check_bound(context, &taken, derivative_bound);
  if (status != TOI_OK)
    return status;
  fit f = {.count = taken.count, .period = 4 * taken.count};
  size_t cosines = f.period * sizeof(*f.cosines), numbers = 7 * f.count * sizeof(double);
  f.cosines = toi_allocate(context, cosines);
  double *coefficients = f.cosines ? toi_allocate(context, numbers) : NULL;
  status = TOI_ERROR_MEMORY;
  if (coefficients) {
    status = fit_all(motion, &taken, &f, coefficients, derivative_bound);
    toi_free(context, coefficients, numbers);
  }
  if (f.cosines)
    toi_free(context, f.cosines, cosines);
  return status;
}

toi_status toi_motion_fitted(toi_motion *motion, const toi_chebyshev *samples, const double *derivative_bound) {
  TOI_MOTION_CALL(motion, fit_samples(motion, samples, derivative_bound));
}
