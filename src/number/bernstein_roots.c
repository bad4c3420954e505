/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Isolation of the real roots of a polynomial in Bernstein form, with certainty.
 *
 * Claim: see bernstein.h: outside of the returned pieces f is not zero, and the marks are right.
 * Why: [0, 1] is halved again and again, from left to right. All ends are multiples of 2^-53, so they are exact. Each
 * piece is one of these, by its coefficients beyond their error:
 *   clear       f has one sign on it; or f is strictly monotone and its sign at one end already points away from zero;
 *   simple      f is strictly monotone, with opposite signs at the ends, or known to be zero at 0 or 1: exactly one
 *               root;
 *   left over   not to be divided further: at the tolerance or the budget, or since every coefficient is within its
 *               error of zero. In the last case no part of it will ever be more certain: its coefficients are averages
 *               of these, rounded monotonically, and errors only grow.
 *   else it is halved. What is monotone on a piece is so on its parts.
 * Left-over pieces next to each other are joined to one run. Its marks follow from what was proved about its pieces: it
 * is monotone if all are, in one direction, and its signs are those at its two ends. A root at an end of a halving,
 * which no sign can show, thus ends up within a run whose ends have signs.
 * The search keeps one right half a level: a stack of DEPTH + 1. */

#include "number/bernstein.h"

#define DEPTH 53
#define LEAST_WIDTH 0x1p-53
#define NEWTON_STEPS 64

/* A part of [0, 1], and what is known of f there: 1, -1, or 0 for nothing. */
typedef struct piece {
  double lo, hi;
  int slope, sign_lo, sign_hi;
} piece;

typedef struct node {
  toi_bernstein f;
  piece at;
} node;

typedef struct search {
  const toi_bernstein *f;
  toi_roots *roots;
  double tolerance;
  int budget;
  bool running;
  piece run; /* the left-over pieces so far, joined */
} search;

/* --- what is found --- */

static void emit(toi_roots *roots, toi_bernstein_root root) {
  if (roots->count < TOI_ROOTS) {
    roots->root[roots->count++] = root;
    return;
  }
  toi_bernstein_root *last = &roots->root[TOI_ROOTS - 1];
  last->t.hi = root.t.hi;
  last->exists |= root.exists;
  last->single = false;
}

/* Whether f is certainly zero at the end of [0, 1] that the piece reaches. */
static bool ends_in_root(const toi_bernstein *f, const piece *p) {
  return f->error == 0 && ((p->lo == 0 && f->b[0] == 0) || (p->hi == 1 && f->b[f->degree] == 0));
}

static bool is_clear(const piece *p) {
  return p->slope != 0 && (p->sign_lo == p->slope || p->sign_hi == -p->slope);
}

/* Ends the run, if there is one. */
static void close_run(search *s) {
  const piece *run = &s->run;
  if (!s->running)
    return;
  s->running = false;
  if (is_clear(run))
    return;
  bool exists = run->sign_lo * run->sign_hi < 0 || ends_in_root(s->f, run);
  emit(s->roots, (toi_bernstein_root){.t = {run->lo, run->hi}, .exists = exists, .single = run->slope != 0});
}

static void add_simple(search *s, toi_interval t) {
  close_run(s);
  emit(s->roots, (toi_bernstein_root){.t = t, .exists = true, .single = true});
}

static void add_left_over(search *s, const piece *p) {
  if (!s->running) {
    s->run = *p;
    s->running = true;
    return;
  }
  assert(s->run.hi == p->lo);
  s->run.hi = p->hi;
  s->run.sign_hi = p->sign_hi;
  if (s->run.slope != p->slope)
    s->run.slope = 0;
}

/* --- the search --- */

static int sign_beyond(double x, double error) {
  return (x > error) - (x < -error);
}

/* At the ends of [0, 1] the coefficients are those of f itself, without the errors of halving. */
static void look(const search *s, node *x) {
  double error_lo = x->at.lo == 0 ? s->f->error : x->f.error, error_hi = x->at.hi == 1 ? s->f->error : x->f.error;
  x->at.sign_lo = sign_beyond(x->f.b[0], error_lo);
  x->at.sign_hi = sign_beyond(x->f.b[x->f.degree], error_hi);
  if (x->at.slope == 0)
    x->at.slope = toi_bernstein_slope(&x->f);
}

static bool is_noise(const toi_bernstein *f) {
  double most = 0;
  for (int i = 0; i <= f->degree; i++)
    most = fabs(f->b[i]) > most ? fabs(f->b[i]) : most;
  return most <= f->error;
}

/* True if the piece is to be halved. */
static bool visit(search *s, node *x) {
  const piece *p = &x->at;
  if (toi_bernstein_sign(&x->f) != 0) {
    close_run(s);
    return false;
  }
  look(s, x);
  if (is_clear(p)) {
    close_run(s);
    return false;
  }
  if (p->slope != 0 && p->sign_lo * p->sign_hi < 0) {
    add_simple(s, (toi_interval){p->lo, p->hi});
    return false;
  }
  if (p->slope != 0 && ends_in_root(s->f, p)) {
    add_simple(s, toi_interval_point(p->lo == 0 && s->f->b[0] == 0 ? 0 : 1));
    return false;
  }
  double width = p->hi - p->lo;
  if (s->budget == 0 || width <= s->tolerance || width <= LEAST_WIDTH || is_noise(&x->f)) {
    add_left_over(s, p);
    return false;
  }
  s->budget--;
  return true;
}

void toi_bernstein_roots(const toi_bernstein *f, double tolerance, int budget, toi_roots *roots) {
  search s = {.f = f, .roots = roots, .tolerance = tolerance, .budget = budget > 0 ? budget : TOI_ROOTS_BUDGET};
  node stack[DEPTH + 1];
  stack[0].f = *f;
  stack[0].at = (piece){.lo = 0, .hi = 1};
  roots->count = 0;
  for (int count = 1; count > 0;) {
    node *x = &stack[count - 1];
    if (!visit(&s, x)) {
      count--;
      continue;
    }
    // The right half takes the place of the whole, the left half comes first.
    assert(count <= DEPTH);
    node *left = &stack[count++];
    left->at = x->at;
    left->at.hi = x->at.lo = x->at.lo + (x->at.hi - x->at.lo) * 0.5;
    toi_bernstein_halve(&x->f, &left->f, &x->f);
  }
  close_run(&s);
}

/* By the mean value theorem a root in t lies in m - f(m) / f'(t) for any m of t; if all of that lies in t, f has
 * opposite signs, or zeros, at its ends, and a root exists. Where the sign of f(m) is known, half of t at least is cut
 * off, so a step that gains less has met the errors. */
bool toi_bernstein_narrow(const toi_bernstein *f, double tolerance, toi_bernstein_root *root) {
  assert(root->single);
  toi_bernstein derivative = toi_bernstein_derivative(f);
  toi_bernstein_root now = *root;
  for (int step = 0; step < NEWTON_STEPS; step++) {
    double width = now.t.hi - now.t.lo;
    if (width <= tolerance)
      break;
    double m = toi_interval_midpoint(now.t);
    toi_bernstein part = toi_bernstein_part(&derivative, now.t.lo, now.t.hi);
    toi_interval slope = toi_bernstein_range(&part), value = toi_bernstein_at(f, m);
    if (toi_interval_sign(slope) == 0)
      break;
    toi_interval newton = toi_interval_sub(toi_interval_point(m), toi_interval_div(value, slope));
    now.exists |= toi_interval_encloses(now.t, newton);
    if (!toi_interval_intersect(now.t, newton, &now.t)) {
      assert(!root->exists);
      return false;
    }
    if (now.t.hi - now.t.lo > 0.75 * width)
      break;
  }
  *root = now;
  return true;
}
