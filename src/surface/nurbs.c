/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* NURBS surfaces cut into Bezier patches: knots are inserted until every one that bounds a span is repeated `degree`
 * times, which is done here span by span, with the polar form of the curve.
 *
 * In one direction, of degree p: over the span [t_m, t_m+1] the curve depends on P_m-p ... P_m, and its Bezier point j
 * is the polar form f(x_1, ..., x_p) at p - j times t_m and j times t_m+1. From d_i = P_i on, level r = 1 ... p does
 *
 *   d_i := (1 - a) d_i-1 + a d_i,   a = (x_r - t_i) / (t_i+p+1-r - t_i),   for m - p + r <= i <= m.
 *
 * Since t_i <= t_m <= x_r <= t_m+1 <= t_i+p+1-r, these are convex combinations, whatever the knots. Here the levels are
 * followed backwards, from d_m down: that gives the coefficients of the P_i, all of them >= 0, once for a span, and
 * they are then applied to all rows of control points, first those in u, then those in v. Rational surfaces: the same
 * with w P, w V and w, which are then divided. What two neighbours have in common is computed alike in both, so that
 * their edges agree bit for bit, as long as there is no break between them.
 *
 * Claim: patch.error and patch.velocity_error are at least the distances between the exact surface and the patch, of
 * its positions and of its velocities, at the same parameters.
 *
 * Bound: gamma(k) M + tiny, with u = 2^-53, gamma(k) = k u / (1 - k u), M the length of the largest x, y and z of the
 * control points that the patch depends on, and k from the count n of roundings below: n + 1, or 4 n + 6 if rational.
 *
 * Why, polynomial: a difference of knots rounds once (g = 1); in a periodic direction it is a sum of up to p gaps, each
 * of which rounds once, none of them negative: g = p. A factor a or 1 - a = (t_i+p+1-r - x_r) / (t_i+p+1-r - t_i) is a
 * quotient of two such: 2 g + 1. A level multiplies and adds: 2 g + 3; one that only passes d_i on, because a is 0 or
 * 1, is exact as long as all before it were. Applying the coefficients multiplies and adds p + 1 numbers: p + 1, or
 * none where the one coefficient is 1. So a Bezier point is sum c_i (1 + theta_i) P_i with |theta_i| <= gamma(n), n the
 * sum over both directions, c_i >= 0 and sum c_i = 1: it is off by gamma(n) M at most, and the surface by no more, a
 * convex combination of such.
 *
 * Why, rational: the weight W_j of a Bezier point has n roundings, its homogeneous coordinates n + 1, their quotient
 * 2 n + 2 (Higham 2002, lemma 3.3). Weights W_j (1 + e_j) in place of W_j, |e_j| <= gamma(n), turn the mean of the
 * exact points, sum l_j b_j, into sum l_j (1 + e_j) / (1 + e) b_j, e = sum l_j e_j: off by at most
 * max |e_j - e| / (1 - |e|) M <= 2 gamma(n) / (1 - gamma(n)) M = gamma(2 n) M. Together gamma(4 n + 2) M.
 *
 * Underflow: a factor or a product of factors may be off by 2^-1074 more, less than 2^9 times: that is 2^-1065 M, and
 * of a weight, which is between 2^-400 and 2^400, a part of 2^-265. One more rounding covers it, n + 1 in place of n.
 * Products with coordinates are off by 2^-1075 each, at most 21 of them on the way to one coordinate, divided by W_j,
 * and once more in the quotient: tiny = 2^-1068 (1 + 1 / min W_j), or 0 where nothing is computed.
 *
 * gamma(k) is computed as k (u + 2^-73): k < 2^11, so that 2^-20 of it covers the denominator and all roundings. */

#include <assert.h>

#include "number/interval.h"
#include "surface/builder.h"

#define MOST (TOI_PATCH_DEGREE_MOST + 1)
#define GAMMA(k) ((k) * (TOI_UNIT + 0x1p-73))
#define TINY 0x1p-1068
#define LEAST_WEIGHT 0x1p-400
#define LARGEST_WEIGHT 0x1p400

/* Differences of knots are at most half as many periods: up to `degree` gaps, and two make no more than a period. */
#define MOST_PERIODS 16

/* x y z, velocity, all times the weight, and the weight. */
#define ROWS 7

/* One direction of a surface. */
typedef struct axis {
  char name; /* u or v */
  size_t degree;
  size_t count; /* control points */
  const double *knots;
  size_t knot_count;
  bool periodic;
} axis;

/* A span, and what its Bezier points are made of. */
typedef struct cut {
  size_t span;                    /* m */
  double coefficient[MOST][MOST]; /* [j][i] of P_m-p+i in the Bezier point j */
  uint32_t roundings[MOST];       /* of point j; 0: it is a control point */
} cut;

static axis axis_of(const toi_nurbs *nurbs, int k) {
  return (axis){k == 0 ? 'u' : 'v', nurbs->degree[k],     nurbs->count[k],
                nurbs->knots[k],    nurbs->knot_count[k], nurbs->periodic[k]};
}

/* --- checks --- */

static toi_status check_counts(toi_context *context, const axis *a) {
  if (a->degree < 1 || a->degree > TOI_PATCH_DEGREE_MOST)
    return toi_fail(context, TOI_ERROR_INPUT, "NURBS: the degree in %c is %zu; it must be from 1 to %d", a->name,
                    a->degree, TOI_PATCH_DEGREE_MOST);
  const size_t least = a->periodic ? 2 : a->degree + 1;
  if (a->count < least)
    return toi_fail(context, TOI_ERROR_INPUT, "NURBS: %zu control points in %c; %sdegree %zu takes at least %zu",
                    a->count, a->name, a->periodic ? "periodic of " : "", a->degree, least);
  const size_t more = a->periodic ? 1 : a->degree + 1;
  if (a->knot_count < more || a->knot_count - more != a->count)
    return toi_fail(context, TOI_ERROR_INPUT, "NURBS: %zu knots in %c; %zu control points of %sdegree %zu take %zu",
                    a->knot_count, a->name, a->count, a->periodic ? "periodic " : "", a->degree, a->count + more);
  if (a->knots == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "NURBS: the knots in %c are NULL; give the array", a->name);
  return TOI_OK;
}

static toi_status check_knots(toi_context *context, const axis *a) {
  for (size_t i = 0; i < a->knot_count; i++) {
    if (!isfinite(a->knots[i]))
      return toi_fail(context, TOI_ERROR_INPUT, "NURBS: knot %zu in %c is %g; knots must be finite", i, a->name,
                      a->knots[i]);
    if (i > 0 && a->knots[i] < a->knots[i - 1])
      return toi_fail(context, TOI_ERROR_INPUT,
                      "NURBS: knot %zu in %c is %.17g, below knot %zu, which is %.17g; knots "
                      "must not decrease",
                      i, a->name, a->knots[i], i - 1, a->knots[i - 1]);
  }
  const double first = a->knots[a->periodic ? 0 : a->degree], last = a->knots[a->count];
  if (!(first < last))
    return toi_fail(context, TOI_ERROR_INPUT,
                    a->periodic ? "NURBS: the period in %c, the last knot less the first, is "
                                  "0; it must be positive"
                                : "NURBS: the domain has no length in %c; its knots from number "
                                  "`degree` to number `count` are all the same",
                    a->name);
  if (!isfinite(MOST_PERIODS * (a->knots[a->knot_count - 1] / 2 - a->knots[0] / 2)))
    return toi_fail(context, TOI_ERROR_INPUT, "NURBS: the knots in %c go from %g to %g; that is too far", a->name,
                    a->knots[0], a->knots[a->knot_count - 1]);
  return TOI_OK;
}

static toi_status check_vectors(toi_context *context, const toi_nurbs *nurbs, const double (*vectors)[3],
                                const char *what) {
  for (size_t i = 0; i < nurbs->count[0]; i++)
    for (size_t j = 0; j < nurbs->count[1]; j++)
      for (int k = 0; k < 3; k++) {
        const double x = vectors[i * nurbs->count[1] + j][k];
        if (!isfinite(x))
          return toi_fail(context, TOI_ERROR_INPUT,
                          "NURBS: %c of the %s of control point (%zu, %zu) is %g; it must be "
                          "finite",
                          'x' + k, what, i, j, x);
      }
  return TOI_OK;
}

static toi_status check_weights(toi_context *context, const toi_nurbs *nurbs) {
  for (size_t i = 0; i < nurbs->count[0]; i++)
    for (size_t j = 0; j < nurbs->count[1]; j++) {
      const double w = nurbs->weights[i * nurbs->count[1] + j];
      if (!(w > 0) || !isfinite(w))
        return toi_fail(context, TOI_ERROR_INPUT,
                        "NURBS: the weight of control point (%zu, %zu) is %g; it must be "
                        "positive and finite",
                        i, j, w);
      if (w < LEAST_WEIGHT || w > LARGEST_WEIGHT)
        return toi_fail(context, TOI_ERROR_INPUT,
                        "NURBS: the weight of control point (%zu, %zu) is %g; weights must "
                        "lie between 2^-400 and 2^400",
                        i, j, w);
    }
  return TOI_OK;
}

static toi_status check(toi_context *context, const toi_nurbs *nurbs) {
  for (int k = 0; k < 2; k++) {
    const axis a = axis_of(nurbs, k);
    toi_status status = check_counts(context, &a);
    if (status == TOI_OK)
      status = check_knots(context, &a);
    if (status != TOI_OK)
      return status;
  }
  if (nurbs->points == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "NURBS: the points are NULL; give the array");
  if (nurbs->count[0] > SIZE_MAX / sizeof *nurbs->points / nurbs->count[1])
    return toi_fail(context, TOI_ERROR_INPUT, "NURBS: %zu times %zu control points; so many do not fit in memory",
                    nurbs->count[0], nurbs->count[1]);
  toi_status status = check_vectors(context, nurbs, nurbs->points, "position");
  if (status == TOI_OK && nurbs->velocities != NULL)
    status = check_vectors(context, nurbs, nurbs->velocities, "velocity");
  if (status == TOI_OK && nurbs->weights != NULL)
    status = check_weights(context, nurbs);
  return status;
}

/* --- spans --- */

static size_t first_span(const axis *a) {
  return a->periodic ? 0 : a->degree;
}

/* The next span from m on that has a length; a->count if there is none. */
static size_t next_span(const axis *a, size_t m) {
  while (m < a->count && !(a->knots[m] < a->knots[m + 1]))
    m++;
  return m;
}

static size_t count_spans(const axis *a) {
  size_t count = 0;
  for (size_t m = next_span(a, first_span(a)); m < a->count; m = next_span(a, m + 1))
    count++;
  return count;
}

/* A number in a period, from one that may lie up to `degree` before it or after it. */
static size_t wrap(ptrdiff_t number, size_t period) {
  const ptrdiff_t n = (ptrdiff_t)period, rest = number % n;
  return (size_t)(rest < 0 ? rest + n : rest);
}

/* t_j - t_i, i <= j. */
static double between(const axis *a, ptrdiff_t i, ptrdiff_t j) {
  assert(i <= j);
  if (!a->periodic)
    return a->knots[j] - a->knots[i];
  double sum = 0;
  for (ptrdiff_t k = i; k < j; k++) {
    const size_t at = wrap(k, a->count);
    sum += a->knots[at + 1] - a->knots[at];
  }
  return sum;
}

/* The coefficients of Bezier point j, followed down from the last level. c[i] belongs to d_m-p+i. */
static void follow(const axis *a, size_t j, cut *made) {
  const size_t p = a->degree;
  const ptrdiff_t m = (ptrdiff_t)made->span;
  double *c = made->coefficient[j];
  uint32_t mixed = 0;
  for (size_t i = 0; i < MOST; i++)
    c[i] = i == p;
  for (size_t r = p; r > 0; r--) {
    const ptrdiff_t x = r > p - j ? m + 1 : m;
    bool mixes = mixed > 0;
    // From below: c[i - 1] has been emptied when its turn comes to receive.
    for (size_t i = r; i <= p; i++) {
      const ptrdiff_t knot = m - (ptrdiff_t)(p - i), end = knot + (ptrdiff_t)(p + 1 - r);
      const double part = c[i], whole = between(a, knot, end);
      const double left = between(a, knot, x), right = between(a, x, end);
      if (part == 0)
        continue;
      mixes = mixes || (left > 0 && right > 0);
      c[i - 1] += right > 0 ? (left > 0 ? right / whole * part : part) : 0;
      c[i] = left > 0 ? (right > 0 ? left / whole * part : part) : 0;
    }
    mixed += mixes;
  }
  const uint32_t gaps = a->periodic ? (uint32_t)p : 1;
  made->roundings[j] = mixed == 0 ? 0 : mixed * (2 * gaps + 3) + (uint32_t)p + 1;
}

static void cut_span(const axis *a, size_t span, cut *made) {
  made->span = span;
  for (size_t j = 0; j <= a->degree; j++)
    follow(a, j, made);
}

/* --- patches --- */

/* A surface, and the spans that the next patch is over. */
typedef struct surface {
  const toi_nurbs *nurbs;
  axis axes[2];
  bool rational;
  cut cuts[2];
} surface;

/* Homogeneous points of a patch, and what the bound needs. */
typedef struct net {
  double rows[MOST][MOST][ROWS];
  double reach[6]; /* the largest magnitude of each coordinate and velocity, before the weight */
} net;

/* Weights that are all the same change nothing. */
static bool is_rational(const toi_nurbs *nurbs) {
  for (size_t i = 1; nurbs->weights != NULL && i < nurbs->count[0] * nurbs->count[1]; i++)
    if (nurbs->weights[i] != nurbs->weights[0])
      return true;
  return false;
}

/* The number of the control point in row i and column j of those that the patch depends on. */
static size_t source(const surface *s, size_t i, size_t j) {
  const size_t at[2] = {i, j};
  size_t number[2];
  for (int k = 0; k < 2; k++) {
    const ptrdiff_t place = (ptrdiff_t)(s->cuts[k].span + at[k]) - (ptrdiff_t)s->axes[k].degree;
    number[k] = wrap(place, s->axes[k].count);
  }
  return number[0] * s->axes[1].count + number[1];
}

static void gather(const surface *s, net *made) {
  const toi_nurbs *nurbs = s->nurbs;
  for (int k = 0; k < 6; k++)
    made->reach[k] = 0;
  for (size_t i = 0; i <= s->axes[0].degree; i++)
    for (size_t j = 0; j <= s->axes[1].degree; j++) {
      const size_t number = source(s, i, j);
      const double weight = s->rational ? nurbs->weights[number] : 1;
      for (int k = 0; k < 6; k++) {
        const double velocity = nurbs->velocities == NULL ? 0 : nurbs->velocities[number][k % 3];
        const double x = k < 3 ? nurbs->points[number][k] : velocity;
        made->rows[i][j][k] = weight * x;
        made->reach[k] = fmax(made->reach[k], fabs(x));
      }
      made->rows[i][j][6] = weight;
    }
}

/* sum c_i (point i), points a number of doubles apart. */
static void blend(const double *c, size_t count, const double *points, size_t apart, double sum[ROWS]) {
  for (int k = 0; k < ROWS; k++)
    sum[k] = 0;
  for (size_t i = 0; i < count; i++)
    for (int k = 0; c[i] > 0 && k < ROWS; k++)
      sum[k] += c[i] * points[i * apart + (size_t)k];
}

/* Both directions in turn. */
static void apply(const surface *s, net *n) {
  const size_t p = s->axes[0].degree, q = s->axes[1].degree;
  double between_them[MOST][MOST][ROWS];
  for (size_t i = 0; i <= p; i++)
    for (size_t j = 0; j <= q; j++)
      blend(s->cuts[0].coefficient[i], p + 1, n->rows[0][j], (size_t)MOST * ROWS, between_them[i][j]);
  for (size_t i = 0; i <= p; i++)
    for (size_t j = 0; j <= q; j++)
      blend(s->cuts[1].coefficient[j], q + 1, between_them[i][0], ROWS, n->rows[i][j]);
}

/* The control point that the Bezier point (i, j) is, where nothing is computed: the only coefficients are 1. */
static size_t same_point(const surface *s, size_t i, size_t j) {
  size_t a = 0, b = 0;
  while (s->cuts[0].coefficient[i][a] == 0)
    a++;
  while (s->cuts[1].coefficient[j][b] == 0)
    b++;
  return source(s, a, b);
}

/* One Bezier point; false: a number is too large for a double. */
static bool put_point(const surface *s, const double row[ROWS], size_t number, const toi_draft *draft) {
  bool finite = true;
  for (int k = 0; k < 3; k++) {
    const double weight = s->rational ? row[6] : 1;
    draft->points[number][k] = row[k] / weight;
    finite = finite && isfinite(draft->points[number][k]);
    if (draft->velocities != NULL) {
      draft->velocities[number][k] = row[3 + k] / weight;
      finite = finite && isfinite(draft->velocities[number][k]);
    }
  }
  if (draft->weights != NULL)
    draft->weights[number] = row[6];
  return finite;
}

static void copy_point(const surface *s, size_t from, size_t number, const toi_draft *draft) {
  for (int k = 0; k < 3; k++) {
    draft->points[number][k] = s->nurbs->points[from][k];
    if (draft->velocities != NULL)
      draft->velocities[number][k] = s->nurbs->velocities[from][k];
  }
  if (draft->weights != NULL)
    draft->weights[number] = s->nurbs->weights[from];
}

/* See the head of the file. */
static void put_errors(const surface *s, const net *n, uint32_t roundings, const toi_draft *draft) {
  if (roundings == 0)
    return;
  const size_t count = (s->axes[0].degree + 1) * (s->axes[1].degree + 1);
  double least = s->rational ? LARGEST_WEIGHT : 1;
  for (size_t i = 0; s->rational && i < count; i++)
    least = fmin(least, draft->weights[i]);
  const double gamma = GAMMA(s->rational ? 4 * roundings + 6 : roundings + 1), tiny = TINY * (1 + 1 / least);
  const double *reach = n->reach;
  draft->patch->error = gamma * toi_builder_length(reach[0], reach[1], reach[2]) + tiny;
  if (s->nurbs->velocities != NULL)
    draft->patch->velocity_error = gamma * toi_builder_length(reach[3], reach[4], reach[5]) + tiny;
}

static bool make_patch(const surface *s, toi_draft draft) {
  const size_t p = s->axes[0].degree, q = s->axes[1].degree;
  net n;
  gather(s, &n);
  apply(s, &n);
  uint32_t most = 0;
  bool finite = true;
  for (size_t i = 0; i <= p; i++)
    for (size_t j = 0; j <= q; j++) {
      const uint32_t roundings = s->cuts[0].roundings[i] + s->cuts[1].roundings[j];
      const size_t number = i * (q + 1) + j;
      if (roundings == 0)
        copy_point(s, same_point(s, i, j), number, &draft);
      else
        finite = put_point(s, n.rows[i][j], number, &draft) && finite;
      most = roundings > most ? roundings : most;
    }
  put_errors(s, &n, most, &draft);
  for (int k = 0; k < 2; k++) {
    draft.domain[2 * k] = s->axes[k].knots[s->cuts[k].span];
    draft.domain[2 * k + 1] = s->axes[k].knots[s->cuts[k].span + 1];
  }
  return finite && isfinite(draft.patch->error) && isfinite(draft.patch->velocity_error);
}

/* All patches, in order of u, then v. */
static toi_status make_patches(toi_context *context, surface *s, toi_builder *builder) {
  const axis *u = &s->axes[0], *v = &s->axes[1];
  for (size_t m = next_span(u, first_span(u)); m < u->count; m = next_span(u, m + 1)) {
    cut_span(u, m, &s->cuts[0]);
    for (size_t n = next_span(v, first_span(v)); n < v->count; n = next_span(v, n + 1)) {
      cut_span(v, n, &s->cuts[1]);
      if (!make_patch(s, toi_builder_quad(builder, (uint32_t)u->degree, (uint32_t)v->degree)))
        return toi_fail(context, TOI_ERROR_INPUT,
                        "NURBS: the patch over u from %g to %g and v from %g to %g overflows; control points are too "
                        "large",
                        u->knots[m], u->knots[m + 1], v->knots[n], v->knots[n + 1]);
    }
  }
  return TOI_OK;
}

#define NURBS TOI_LAYOUT(toi_nurbs, weights)

void toi_nurbs_init(toi_nurbs *nurbs, size_t size) {
  toi_init_struct(NURBS, NULL, nurbs, size);
}

static toi_status make(toi_context *context, const toi_nurbs *given, toi_model *model) {
  toi_nurbs taken = {0};
  const toi_nurbs *nurbs = &taken;
  toi_status status = toi_take_description(context, NURBS, given, &taken);
  if (status == TOI_OK)
    status = check(context, nurbs);
  if (status != TOI_OK)
    return status;
  surface s = {.nurbs = nurbs, .axes = {axis_of(nurbs, 0), axis_of(nurbs, 1)}, .rational = is_rational(nurbs)};
  const size_t each = (s.axes[0].degree + 1) * (s.axes[1].degree + 1);
  // There are no more spans than control points, whose number was checked.
  const size_t patches = count_spans(&s.axes[0]) * count_spans(&s.axes[1]);
  if (patches > SIZE_MAX / each)
    return toi_fail(context, TOI_ERROR_MEMORY, "NURBS: %zu patches do not fit in memory", patches);
  const toi_model_size size = {patches, patches * each, nurbs->velocities != NULL, s.rational, true};
  toi_builder builder;
  status = toi_builder_start(context, &size, model, &builder);
  if (status != TOI_OK)
    return status;
  status = make_patches(context, &s, &builder);
  if (status != TOI_OK)
    toi_model_free(context, model);
  return status;
}

static TOI_APART toi_status from_nurbs(toi_context *context, const toi_nurbs *nurbs, toi_model *model) {
  if (model != NULL)
    *model = (toi_model){0};
  if (context == NULL || nurbs == NULL || model == NULL)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "toi_model_from_nurbs needs a context, a surface and a place for the model");
  return make(context, nurbs, model);
}

toi_status toi_model_from_nurbs(toi_context *context, const toi_nurbs *nurbs, toi_model *model) {
  TOI_CALL(context, from_nurbs(context, nurbs, model));
}
