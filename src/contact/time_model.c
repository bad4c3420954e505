/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How early a contact in a box can be, by models of the equations: second derivatives over a box are wide where terms
 * cancel, as in a formula that was turned, and models keep what cancels.
 *
 * Claim: no contact in the box has a time below toi_time_model_bound(). Why: lemma 20 of docs/guarantees.md. Let G_k be
 * the equations, y the unknowns from the middle of the box on, l any real vector and K any real matrix. A contact has
 * G = 0, so that its time is
 *     t = c_t + w_t y_t + sum_k (l_k + (K^T y)_k) G_k(y).
 * With G_k = P_k + R_k, P_k a polynomial of degree three and |R_k| <= rest_k, this is a polynomial T of degree four and
 * less than sum_k (|l_k| + |K_k|) rest_k, |K_k| the sum of the magnitudes of a column. The terms up to degree three are
 * put together, so that what cancels does. Those of degree four are at most |K_k| times the cubic ones of P_k.
 *
 * Axes. With y = E z, T is a polynomial in z. D = E^T E - I is checked to be below NEARLY, so that E is regular, and
 * z = E^T y - D z has |z_i| <= r_i, the sum of the magnitudes in column i of E, and n NEARLY times |z| <= 3 more. With
 * a_i the coefficient of z_i^2, every cubic term is bounded by its factor with the largest a_i, the others at their
 * largest: T >= T(0) + sum_i min (a_i z_i^2 - b_i |z_i|) - mixed terms, b_i >= 0, the minimum over |z_i| <= r_i. Where
 * time rises to both sides a_i > 0 takes up what b_i says: what is lost is of fourth order in the box's size.
 *
 * Rounding. Let s be the sum of the magnitudes of all products that coefficients of T are made of, at most 12 each: all
 * together they are off by less than 16 u s. Turned, a coefficient is off by at most 20 u s, of which there are 5, 25
 * and 125, and the powers of r_i < 2.3 are at most 12.2: less than 2^16 u s. What is lost is a sum of numbers that are
 * not negative, rounded by less than OUTWARD.
 *
 * How l, K and E are chosen does not matter for the claim. l and K are those of the first contact nearby, to which a
 * few steps lead in the model; E makes the second derivatives of T diagonal. */

#include "contact/time_bound.h"

#include "solve/lower_bound.h"

enum { M = TOI_CONTACT_EQUATIONS, N = TOI_UNKNOWNS };

#define NEARLY 0x1p-40
#define WIDER_REACH 0x1p-36
#define ROUNDING 0x1p-37

/* Steps towards the first contact, none longer than so many half widths; and what is added to second derivatives there,
 * in parts of them, as along a curve of contacts they are zero. */
#define STEPS 2
#define LONGEST_STEP 2
#define DAMPED 0x1p-10

/* How much more the equation of time counts than all others when l is chosen. */
#define TIME_WEIGHT 0x1p20

/* Turns of Jacobi's method: entries that are smaller beside the diagonal are left as they are. */
#define SWEEPS 6
#define SMALL 0x1p-30

/* Factors e of lower_bound.c that are tried, in sizes of second derivatives. */
static const double strict[] = {0, 0.25, 1};

/* --- t as a polynomial --- */

/* Coefficients of monomials, unknowns in rising order. */
typedef struct polynomial {
  size_t n;
  double value, slope[N], second[N][N], third[N][N][N];
  double rest, size; /* size: s above */
} polynomial;

static void add(polynomial *p, double *to, double factor, double term) {
  double product = factor * term;
  *to += product;
  p->size += fabs(product);
}

/* a is put in its place among b <= c. */
static void sort3(size_t a, size_t b, size_t c, size_t sorted[3]) {
  sorted[0] = a < b ? a : b;
  sorted[1] = a < b ? b : a < c ? a : c;
  sorted[2] = a < c ? c : a;
}

/* (l + k.y) G, G by the unknowns of the columns, which are in rising order. */
static void add_equation(polynomial *p, const toi_columns *columns, const toi_equation_model *g, double l,
                         const double *k) {
  double cubic = 0, sum = 0;
  const size_t *at = columns->at, n = p->n;
  add(p, &p->value, l, g->value);
  for (size_t a = 0; a < n; a++) {
    sum += fabs(k[a]);
    add(p, &p->slope[a], l, g->slope[at[a]]);
    add(p, &p->slope[a], k[a], g->value);
    for (size_t b = 0; b < n; b++)
      add(p, &p->second[a < b ? a : b][a < b ? b : a], k[a], g->slope[at[b]]);
    for (size_t b = a; b < n; b++) {
      add(p, &p->second[a][b], l, g->second[at[a]][at[b]]);
      for (size_t c = 0; c < n; c++) {
        size_t s[3];
        sort3(c, a, b, s);
        add(p, &p->third[s[0]][s[1]][s[2]], k[c], g->second[at[a]][at[b]]);
      }
      for (size_t c = b; c < n; c++) {
        add(p, &p->third[a][b][c], l, g->third[at[a]][at[b]][at[c]]);
        cubic += fabs(g->third[at[a]][at[b]][at[c]]);
      }
    }
  }
  p->rest += (fabs(l) + sum) * g->rest + sum * cubic;
}

/* --- axes --- */

/* The terms of degree two as a symmetric matrix. */
static double form_of(const polynomial *p, size_t a, size_t b) {
  return a == b ? p->second[a][a] : 0.5 * p->second[a < b ? a : b][a < b ? b : a];
}

static void turn_pair(double *x, double *y, double cosine, double sine) {
  double kept = *x;
  *x = cosine * kept - sine * *y;
  *y = sine * kept + cosine * *y;
}

/* E, by Jacobi's method. */
static void find_axes(const polynomial *p, toi_row *e) {
  toi_row q[N];
  for (size_t a = 0; a < p->n; a++)
    for (size_t b = 0; b < p->n; b++) {
      q[a][b] = form_of(p, a, b);
      e[a][b] = a == b;
    }
  for (size_t i = 0; i < SWEEPS * p->n * p->n; i++) {
    size_t a = i / p->n % p->n, b = i % p->n;
    double gap = q[b][b] - q[a][a], mixed = q[a][b];
    if (a >= b || !(fabs(mixed) > SMALL * (fabs(q[a][a]) + fabs(q[b][b]))))
      continue;
    double tangent = 2 * mixed / (gap + (gap < 0 ? -1 : 1) * sqrt(gap * gap + 4 * mixed * mixed));
    double cosine = 1 / sqrt(1 + tangent * tangent), sine = tangent * cosine;
    for (size_t c = 0; c < p->n; c++)
      turn_pair(&q[c][a], &q[c][b], cosine, sine);
    for (size_t c = 0; c < p->n; c++) {
      turn_pair(&q[a][c], &q[b][c], cosine, sine);
      turn_pair(&e[c][a], &e[c][b], cosine, sine);
    }
  }
}

/* T in z, as full tensors, and r_i. */
typedef struct turned {
  double slope[N], second[N][N], third[N][N][N], reach[N];
} turned;

/* Turns the last index, and puts it first. */
static void turn_index(size_t n, const toi_row *e, double third[N][N][N]) {
  double made[N][N][N];
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++)
      for (size_t c = 0; c < n; c++) {
        made[c][a][b] = 0;
        for (size_t d = 0; d < n; d++)
          made[c][a][b] += third[a][b][d] * e[d][c];
      }
  memcpy(third, made, sizeof made);
}

/* Whether E is nearly orthonormal. */
static bool is_orthonormal(size_t n, const toi_row *e) {
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b <= a; b++) {
      double product = a == b ? -1 : 0;
      for (size_t c = 0; c < n; c++)
        product += e[c][a] * e[c][b];
      if (!(fabs(product) < 0.5 * NEARLY))
        return false;
    }
  return true;
}

static void turn(const polynomial *p, const toi_row *e, turned *t) {
  const size_t n = p->n;
  double half[N][N];
  for (size_t a = 0; a < n; a++) {
    t->slope[a] = 0;
    t->reach[a] = WIDER_REACH;
    for (size_t b = 0; b < n; b++) {
      t->slope[a] += e[b][a] * p->slope[b];
      t->reach[a] += fabs(e[b][a]);
      half[a][b] = 0;
      for (size_t c = 0; c < n; c++) {
        size_t s[3];
        half[a][b] += form_of(p, a, c) * e[c][b];
        sort3(a, b < c ? b : c, b < c ? c : b, s);
        // As many as there are orders of its unknowns.
        double share = s[0] == s[2] ? 1 : s[0] == s[1] || s[1] == s[2] ? 1.0 / 3 : 1.0 / 6;
        t->third[a][b][c] = share * p->third[s[0]][s[1]][s[2]];
      }
    }
  }
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++) {
      t->second[a][b] = 0;
      for (size_t c = 0; c < n; c++)
        t->second[a][b] += e[c][a] * half[c][b];
    }
  for (int index = 0; index < 3; index++)
    turn_index(n, e, t->third);
}

/* --- the bound --- */

/* The least of a z^2 - b |z| for |z| <= reach. */
static double least_along(double a, double b, double reach) {
  return a > 0 && b < 2 * a * reach ? -0.25 * b * (b / a) : (a * reach - b) * reach;
}

/* Adds a cubic term to the b of its unknown with the largest a. */
static void add_cubic(const turned *t, const size_t of[3], double b[N]) {
  size_t most = 0;
  for (size_t i = 1; i < 3; i++)
    if (t->second[of[i]][of[i]] > t->second[of[most]][of[most]])
      most = i;
  double size = fabs(t->third[of[0]][of[1]][of[2]]);
  for (size_t i = 0; i < 3; i++)
    size *= i == most ? 1 : t->reach[of[i]];
  b[of[most]] += size;
}

static double bound_of(const polynomial *p, double time) {
  toi_row e[N];
  turned t;
  double loss = p->rest, b[N];
  const size_t n = p->n;
  find_axes(p, e);
  if (!is_orthonormal(n, (const toi_row *)e))
    return -INFINITY;
  turn(p, (const toi_row *)e, &t);
  for (size_t i = 0; i < n; i++) {
    b[i] = fabs(t.slope[i]);
    for (size_t j = 0; j < i; j++)
      loss += (fabs(t.second[i][j]) + fabs(t.second[j][i])) * t.reach[i] * t.reach[j];
  }
  for (size_t i = 0; i < n * n * n; i++)
    add_cubic(&t, (const size_t[3]){i / n / n, i / n % n, i % n}, b);
  for (size_t i = 0; i < n; i++)
    loss -= least_along(t.second[i][i], b[i], t.reach[i]);
  loss = (loss + ROUNDING * p->size) * TOI_MIDRAD_OUTWARD + TOI_MIDRAD_LEAST;
  double bound = toi_sum_down(toi_sum_down(time, p->value), -loss);
  return bound <= DBL_MAX ? bound : -INFINITY;
}

/* --- multipliers --- */

/* One equation around the point y, by columns: value and slopes; *second is symmetric. */
static double set_equation(const toi_equation_model *g, const toi_columns *columns, const double *y, double slope[N],
                           double second[N][N]) {
  const size_t n = columns->count, *at = columns->at;
  double value = g->value;
  for (size_t a = 0; a < n; a++) {
    slope[a] = g->slope[at[a]];
    value += g->slope[at[a]] * y[a];
    for (size_t b = 0; b < n; b++) {
      // Second derivatives of a monomial: each once for either order of the two.
      second[a][b] = (a == b ? 2 : 1) * g->second[at[a < b ? a : b]][at[a < b ? b : a]];
      for (size_t c = 0; c < n; c++) {
        size_t s[3];
        sort3(c, a < b ? a : b, a < b ? b : a, s);
        double times = s[0] == s[2] ? 6 : s[0] == s[1] || s[1] == s[2] ? 2 : 1;
        second[a][b] += times * g->third[at[s[0]]][at[s[1]]][at[s[2]]] * y[c];
      }
    }
  }
  // By Taylor's formula backwards: what the second derivatives at 0 and at y are, those of degree three being linear.
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++) {
      double first = (a == b ? 2 : 1) * g->second[at[a < b ? a : b]][at[a < b ? b : a]];
      slope[a] += 0.5 * (first + second[a][b]) * y[b];
      value += (2 * first + second[a][b]) / 6 * y[a] * y[b];
    }
  return value;
}

/* The model around y, with what l and K are chosen by; second derivatives beside it, as l is needed for theirs. */
static void set_point(const toi_contact_model *model, const toi_columns *columns, const double *y, toi_second_order *s,
                      double second[M][N][N]) {
  s->m = model->m;
  s->n = columns->count;
  for (size_t k = 0; k < s->m; k++) {
    double slope[N] = {0}, value = set_equation(&model->of[k], columns, y, slope, second[k]);
    s->value[k] = (toi_midrad){value, 0};
    for (size_t a = 0; a < s->n; a++)
      s->slope[k][a] = s->over[k][a] = (toi_midrad){slope[a], 0};
  }
}

/* l: such that t + l.G does not change with time, and as little as can be with the other unknowns. */
static bool choose_l(toi_second_order *s, double second[M][N][N]) {
  const size_t t = s->n - 1;
  toi_row a[M] = {{0}}, inverse[M] = {{0}};
  double others = 0, time = 0;
  for (size_t k = 0; k < s->m; k++) {
    time += s->slope[k][t].x * s->slope[k][t].x;
    for (size_t c = 0; c < t; c++)
      others += s->slope[k][c].x * s->slope[k][c].x;
  }
  double weight = 1 + TIME_WEIGHT * others / time;
  for (size_t k = 0; k < s->m; k++)
    for (size_t i = 0; i < s->m; i++)
      for (size_t c = 0; c <= t; c++)
        a[k][i] += (c == t ? weight : 1) * s->slope[k][c].x * s->slope[i][c].x;
  if (!(weight <= DBL_MAX) || !toi_linear_inverse(s->m, (const toi_row *)a, inverse))
    return false;
  for (size_t k = 0; k < s->m; k++) {
    s->l[k] = 0;
    for (size_t i = 0; i < s->m; i++)
      s->l[k] -= inverse[k][i] * weight * s->slope[i][t].x * s->length;
  }
  for (size_t i = 0; i < s->n; i++)
    for (size_t j = 0; j <= i; j++) {
      s->hessian[i][j] = (toi_midrad){0, 0};
      for (size_t k = 0; k < s->m; k++)
        s->hessian[i][j].x += s->l[k] * second[k][i][j];
    }
  return true;
}

/* Directions in which G does not change: across + Q z solves G = 0 up to second order, for all z. */
typedef struct level {
  double across[N], q[N][N];
} level;

static bool find_level(const toi_second_order *s, level *of) {
  static const double weights[N] = {1, 1, 1, 1, 1};
  toi_row slopes[M] = {{0}}, right[N] = {{0}};
  for (size_t k = 0; k < s->m; k++)
    for (size_t a = 0; a < s->n; a++)
      slopes[k][a] = s->slope[k][a].x;
  if (s->m > s->n || !toi_linear_right_inverse(s->m, s->n, (const toi_row *)slopes, weights, right))
    return false;
  for (size_t a = 0; a < s->n; a++) {
    of->across[a] = 0;
    for (size_t k = 0; k < s->m; k++)
      of->across[a] -= right[a][k] * s->value[k].x;
    for (size_t b = 0; b < s->n; b++) {
      of->q[a][b] = a == b;
      for (size_t k = 0; k < s->m; k++)
        of->q[a][b] -= right[a][k] * slopes[k][b];
    }
  }
  return true;
}

/* (Q^T H Q + damping) z = -Q^T (g + H across): the least time along G = 0. */
static bool descend(const toi_second_order *s, const level *of, double z[N]) {
  const size_t n = s->n;
  toi_row form[N] = {{0}}, inverse[N] = {{0}};
  double g[N], hq[N][N], along[N], size = 0;
  for (size_t a = 0; a < n; a++) {
    g[a] = a == n - 1 ? s->length : 0;
    for (size_t k = 0; k < s->m; k++)
      g[a] += s->slope[k][a].x * s->l[k];
    for (size_t b = 0; b < n; b++) {
      hq[a][b] = 0;
      for (size_t c = 0; c < n; c++)
        hq[a][b] += s->hessian[a > c ? a : c][a > c ? c : a].x * of->q[c][b];
      g[a] += s->hessian[a > b ? a : b][a > b ? b : a].x * of->across[b];
      size = fmax(size, fabs(s->hessian[a > b ? a : b][a > b ? b : a].x));
    }
  }
  for (size_t a = 0; a < n; a++) {
    along[a] = 0;
    for (size_t b = 0; b < n; b++) {
      along[a] -= of->q[b][a] * g[b];
      form[a][b] = a == b ? DAMPED * size : 0;
      for (size_t c = 0; c < n; c++)
        form[a][b] += of->q[c][a] * hq[c][b];
    }
  }
  bool solved = toi_linear_inverse(n, (const toi_row *)form, inverse);
  for (size_t a = 0; a < n; a++) {
    z[a] = 0;
    for (size_t b = 0; b < n && solved; b++)
      z[a] += inverse[a][b] * along[b];
  }
  return solved;
}

/* From y towards the first contact nearby. Time goes as far as it must. */
static bool approach(const toi_second_order *s, double y[N]) {
  level of;
  double z[N], step[N], longest = 0;
  if (!find_level(s, &of) || !descend(s, &of, z))
    return false;
  for (size_t a = 0; a < s->n; a++) {
    step[a] = of.across[a];
    for (size_t b = 0; b < s->n; b++)
      step[a] += of.q[a][b] * z[b];
    longest = a < s->n - 1 ? fmax(longest, fabs(step[a])) : longest;
  }
  for (size_t a = 0; a < s->n; a++)
    y[a] += longest > LONGEST_STEP ? step[a] * (LONGEST_STEP / longest) : step[a];
  return true;
}

/* With K chosen for this e; l and K are those of the point y. */
static double bound_by(const toi_second_order *s, const toi_contact_model *model, const toi_columns *columns,
                       const double *y, double e) {
  double k[N][M];
  if (!toi_lower_bound_factors(s, e, k))
    return -INFINITY;
  polynomial p = {.n = columns->count};
  add(&p, &p.slope[p.n - 1], s->length, 1);
  for (size_t i = 0; i < model->m; i++) {
    double column[N], l = s->l[i];
    for (size_t a = 0; a < p.n; a++) {
      column[a] = k[a][i];
      l -= column[a] * y[a];
    }
    add_equation(&p, columns, &model->of[i], l, column);
  }
  return bound_of(&p, s->time.x);
}

double toi_time_model_bound(const toi_problem *problem, const toi_contact_model *model, toi_interval time,
                            double enough) {
  toi_columns columns = toi_problem_columns(problem);
  double middle = toi_interval_midpoint(time), y[N] = {0}, second[M][N][N], best = -INFINITY;
  toi_second_order s = {.time = {middle, 0}};
  // As the models have it.
  s.length = fmax(toi_sum_up(time.hi, -middle), toi_sum_up(middle, -time.lo));
  if (model->m == 0 || !(time.lo < time.hi))
    return -INFINITY;
  for (int step = 0; step <= STEPS; step++) {
    set_point(model, &columns, y, &s, second);
    if (!choose_l(&s, second) || (step < STEPS && !approach(&s, y)))
      return -INFINITY;
  }
  for (size_t i = 0; i < sizeof strict / sizeof *strict && !(best >= enough); i++)
    best = fmax(best, bound_by(&s, model, &columns, y, strict[i]));
  return best;
}
