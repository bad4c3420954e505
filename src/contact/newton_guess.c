/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Looking for a contact in doubles, and proving one.
 *
 * The proof is that of solve/touch.h: the unknowns are more than the equations, time among them, and the slopes have
 * full rank wherever the surfaces approach each other or cross. X must lie in the domain, as far as real edges and the
 * time go. */

#include "contact/newton.h"

#include "solve/touch.h"
#include "solve/vector.h"

/* --- the equations in doubles --- */

typedef struct plain_system {
  size_t m, n;
  double value[TOI_EQUATIONS];
  double size[TOI_EQUATIONS];   /* of equations of tangency; 0: of contact */
  toi_row slope[TOI_EQUATIONS]; /* by columns */
} plain_system;

static bool plain_at(const toi_problem *problem, const toi_columns *columns, const double x[TOI_UNKNOWNS],
                     toi_system_order order, plain_system *plain) {
  toi_box point = problem->domain;
  for (size_t i = 0; i < toi_body_pair_unknowns(problem->pair); i++)
    point.x[i] = toi_interval_point(x[i]);
  toi_system system;
  if (!toi_system_at(problem, &point, order, &system))
    return false;
  plain->m = system.contact + (order == TOI_SYSTEM_ALL ? system.tangency : 0);
  plain->n = columns->count;
  for (size_t row = 0; row < plain->m; row++) {
    plain->value[row] = toi_interval_midpoint(system.value[row]);
    plain->size[row] = row < system.contact ? 0 : system.size[row];
    bool finite = fabs(plain->value[row]) < 1e150;
    for (size_t j = 0; j < plain->n; j++) {
      plain->slope[row][j] = toi_interval_midpoint(system.slope[row][columns->at[j]]);
      finite &= fabs(plain->slope[row][j]) < 1e150;
    }
    if (!finite)
      return false;
  }
  return true;
}

/* How far a guess may go beyond a seam, in parts of the domain: the contact looked for may lie just behind it. */
#define BEYOND_SEAM 0x1p-6

/* Inside the domain, a little beyond at seams. */
static void keep_inside(const toi_problem *problem, const toi_columns *columns, double x[TOI_UNKNOWNS]) {
  for (size_t j = 0; j < columns->count; j++) {
    size_t i = columns->at[j];
    toi_interval domain = problem->domain.x[i];
    // The bounds of an implicit surface are no seams: contacts beyond them do not count.
    double beyond = toi_body_pair_in_space(problem->pair) ? 0 : BEYOND_SEAM * toi_interval_width(domain);
    domain.lo -= toi_problem_is_seam(problem, i, false) ? beyond : 0;
    domain.hi += toi_problem_is_seam(problem, i, true) ? beyond : 0;
    x[i] = x[i] < domain.lo ? domain.lo : x[i] > domain.hi ? domain.hi : x[i];
  }
}

/* --- least squares, damped --- */

/* Along a curve or a region of contact the equations of tangency do not change, and their slopes are rounding errors:
 * an equation is measured by no less than this part of its size, an angle by no less than so many radians. */
#define LEAST_ANGLE 1e-3

/* Added to the squares of slopes in units of one. Damped: small beside what an equation counts that changes at all,
 * large beside rounding errors, so that unknowns along a curve stay where they are. Then free, to converge fully where
 * the contact is isolated. */
#define DAMPED 1e-8
#define FREE 1e-13
#define DAMPED_START 3e-5
#define DAMPED_MOST 1e3
#define DAMPED_STEPS 20
#define FREE_STEPS 2

/* Sums of squares below which nothing is left to gain, a step that does not gain is the last, a contact is a tangential
 * one, or nearly, and a proof is worth a try. Descents to an isolated contact hardly ever end between the two in the
 * middle; those to a curve that is tilted by 1e-9 to 1e-7 do. */
#define EXACT 1e-30
#define SETTLED 1e-24
#define TANGENTIAL 1e-12
#define FLAT 1e-7
#define CLOSE 1e-3

/* Each equation in units of what it changes over a box of `scale`; unknowns in units of their scale. */
static double equilibrate(plain_system *plain, const double *scale) {
  double sum = 0;
  for (size_t row = 0; row < plain->m; row++) {
    double size = 0, least = LEAST_ANGLE * plain->size[row];
    for (size_t j = 0; j < plain->n; j++) {
      plain->slope[row][j] *= scale[j];
      size += plain->slope[row][j] * plain->slope[row][j];
    }
    size = fmax(size, least * least);
    double factor = size > 1e-280 ? 1 / sqrt(size) : 0;
    for (size_t j = 0; j < plain->n; j++)
      plain->slope[row][j] *= factor;
    plain->value[row] *= factor;
    sum += plain->value[row] * plain->value[row];
  }
  return sum;
}

/* (J^T J + damping) step = -J^T value. */
static bool damped_step(const plain_system *plain, double damping, double *step) {
  toi_row normal[TOI_UNKNOWNS] = {{0}}, inverse[TOI_UNKNOWNS] = {{0}};
  double right[TOI_UNKNOWNS] = {0};
  for (size_t i = 0; i < plain->n; i++) {
    for (size_t row = 0; row < plain->m; row++) {
      right[i] -= plain->slope[row][i] * plain->value[row];
      for (size_t j = 0; j < plain->n; j++)
        normal[i][j] += plain->slope[row][i] * plain->slope[row][j];
    }
    normal[i][i] += damping;
  }
  if (!toi_linear_inverse(plain->n, (const toi_row *)normal, inverse))
    return false;
  for (size_t i = 0; i < plain->n; i++) {
    step[i] = 0;
    for (size_t j = 0; j < plain->n; j++)
      step[i] += inverse[i][j] * right[j];
  }
  return true;
}

/* A descent towards a zero of all equations: the best point so far, and the sum of squares there. */
typedef struct descent {
  const toi_problem *problem;
  toi_columns columns;
  double scale[TOI_UNKNOWNS];
  double x[TOI_UNKNOWNS], best;
} descent;

static bool measure(const descent *d, const double x[TOI_UNKNOWNS], plain_system *plain, double *sum) {
  if (!plain_at(d->problem, &d->columns, x, TOI_SYSTEM_ALL, plain))
    return false;
  *sum = equilibrate(plain, d->scale);
  return true;
}

/* Goes down by so many steps at most, damped no less than that. False: the equations cannot be evaluated there. */
static bool descend(descent *d, double least, int steps) {
  plain_system here, there;
  double damping = least < DAMPED ? 0 : DAMPED_START, step[TOI_UNKNOWNS], sum;
  if (!measure(d, d->x, &here, &d->best))
    return false;
  for (int i = 0; i < steps && d->best >= EXACT && damping < DAMPED_MOST; i++) {
    double x[TOI_UNKNOWNS];
    memcpy(x, d->x, sizeof x);
    if (!damped_step(&here, damping + least, step))
      return true;
    for (size_t j = 0; j < d->columns.count; j++)
      x[d->columns.at[j]] += step[j] * d->scale[j];
    keep_inside(d->problem, &d->columns, x);
    if (!measure(d, x, &there, &sum))
      return false;
    if (sum < d->best) {
      memcpy(d->x, x, sizeof x);
      here = there;
      d->best = sum;
      damping *= 0.03;
    } else if (d->best < SETTLED) {
      break;
    } else {
      damping = 32 * (damping + least);
    }
  }
  return true;
}

toi_guess toi_newton_guess(const toi_problem *problem, const toi_box *box, double x[TOI_UNKNOWNS]) {
  descent d = {.problem = problem, .columns = toi_problem_columns(problem)};
  for (size_t j = 0; j < d.columns.count; j++) {
    size_t i = d.columns.at[j];
    d.scale[j] = 0x1p-10 * toi_interval_width(problem->domain.x[i]) + toi_interval_width(box->x[i]);
  }
  memcpy(d.x, x, sizeof d.x);
  if (!descend(&d, DAMPED, DAMPED_STEPS) ||
      (d.best < TANGENTIAL && d.best >= SETTLED && !descend(&d, FREE, FREE_STEPS)))
    return TOI_GUESS_FAR;
  memcpy(x, d.x, sizeof d.x);
  if (!(d.best < CLOSE))
    return TOI_GUESS_FAR;
  return d.best < TANGENTIAL ? TOI_GUESS_TANGENTIAL : d.best < FLAT ? TOI_GUESS_FLAT : TOI_GUESS_CLOSE;
}

/* --- the proof --- */

/* What a box Y is at least, where the values are exact. */
#define LEAST_SIZE 0x1p-60

typedef struct proof {
  const toi_problem *problem;
  toi_columns columns;
  toi_box point, *proved; /* x0, and the box of the last try */
  toi_system system;      /* over that */
} proof;

/* x - V G(x), a few times; the inverse is that of the last point. */
static bool approach(const proof *p, double x[TOI_UNKNOWNS], toi_touch_system *touch) {
  double weights[TOI_UNKNOWNS];
  touch->n = p->columns.count;
  for (size_t j = 0; j < touch->n; j++)
    weights[j] = toi_interval_width(p->problem->domain.x[p->columns.at[j]]);
  for (int round = 0; round < 4; round++) {
    plain_system plain;
    if (!plain_at(p->problem, &p->columns, x, TOI_SYSTEM_SLOPES, &plain) || plain.m > plain.n ||
        !toi_linear_right_inverse(plain.m, plain.n, (const toi_row *)plain.slope, weights, touch->inverse))
      return false;
    touch->m = plain.m;
    for (size_t j = 0; j < plain.n && round < 3; j++)
      for (size_t row = 0; row < plain.m; row++)
        x[p->columns.at[j]] -= touch->inverse[j][row] * plain.value[row];
    keep_inside(p->problem, &p->columns, x);
  }
  return true;
}

/* A toi_touch_over. */
static bool over(void *user, const double *radius, toi_touch_system *touch) {
  proof *p = user;
  *p->proved = p->point;
  for (size_t j = 0; j < touch->n; j++) {
    toi_interval *at = &p->proved->x[p->columns.at[j]];
    *at = toi_branchless_add(*at, (toi_interval){-radius[j], radius[j]});
  }
  if (!toi_problem_holds(p->problem, p->proved) || !toi_system_at(p->problem, p->proved, TOI_SYSTEM_SLOPES, &p->system))
    return false;
  for (size_t row = 0; row < touch->m; row++)
    for (size_t j = 0; j < touch->n; j++)
      touch->slope[row][j] = toi_midrad_of(p->system.slope[row][p->columns.at[j]]);
  return true;
}

/* Whether a contact is to be proved for all times of an interval at once. */
static bool is_lasting(const toi_problem *problem) {
  const toi_interval time = problem->domain.x[toi_body_pair_time(problem->pair)];
  return problem->at_start && time.lo < time.hi;
}

/* Over an interval of time one equation may change a lot and another one not at all. Boxes are tried in proportion to
 * the values, so each of these is taken as uncertain as the most uncertain one, in units of slopes: a wider enclosure
 * is one, too. */
static bool balance(const proof *p, toi_touch_system *touch) {
  toi_system at;
  if (!toi_system_at(p->problem, &p->point, TOI_SYSTEM_SLOPES, &at))
    return false;
  double size[TOI_EQUATIONS], most = 0;
  for (size_t row = 0; row < touch->m; row++) {
    double square = 0;
    for (size_t j = 0; j < touch->n; j++) {
      const double slope = toi_interval_midpoint(at.slope[row][p->columns.at[j]]);
      square += slope * slope;
    }
    size[row] = sqrt(square);
    most = size[row] > 0 ? fmax(most, toi_midrad_most(touch->value[row]) / size[row]) : most;
  }
  for (size_t row = 0; row < touch->m && most <= DBL_MAX; row++)
    touch->value[row].r = fmax(touch->value[row].r, most * size[row]);
  return true;
}

bool toi_newton_prove(const toi_problem *problem, double x[TOI_UNKNOWNS], bool incoming, toi_box *proved) {
  proof p = {.problem = problem, .columns = toi_problem_columns(problem), .point = problem->domain, .proved = proved};
  toi_touch_system touch = {.m = 0};
  toi_system at;
  double radius[TOI_UNKNOWNS];
  if (!approach(&p, x, &touch))
    return false;
  for (size_t i = 0; i < toi_body_pair_unknowns(problem->pair); i++)
    if (i != toi_body_pair_time(problem->pair) || !problem->at_start)
      p.point.x[i] = toi_interval_point(x[i]);
  if (!toi_system_at(problem, &p.point, TOI_SYSTEM_VALUES, &at))
    return false;
  for (size_t row = 0; row < touch.m; row++)
    touch.value[row] = toi_midrad_of(at.value[row]);
  if (is_lasting(problem) && !balance(&p, &touch))
    return false;
  return toi_touch_prove(&touch, LEAST_SIZE, over, &p, radius) &&
         toi_problem_reaches(problem, p.proved, p.system.place) && p.system.sides.lo >= 0 &&
         (!incoming || (p.system.incoming[0].lo >= 0 && p.system.incoming[1].lo >= 0));
}
