/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs with a contact that was put there, for tests of what the search is made of, and their equations in long
 * doubles, written down a second time.
 *
 * All numbers are small multiples of powers of two. With U, V, T the distances from the planted u, v and t, a patch is
 *   x = u + a0 U V + a1 U T,  y = v + a2 U^2 + a3 V T,  z = q(U, V, T)
 *   q = q0 U + q1 V + q2 U^2 + q3 U V + q4 V^2 + q5 T + q6 T^2 + q7 U T + q8 (1 - cos(U + 2 V + T))
 * and an implicit surface is k (z - q(x - u, y - v, T)) (1 + ((x - u)^2 + z^2) / 4) = 0. Both pass through (u, v, 0)
 * there, with the slopes q0 and q1. A body turns about an axis through that point by rate T, which is nothing then, and
 * moves. So the contact is exact: no rounding anywhere, whatever turns and deforms. */

#ifndef TOI_TESTS_CONTACT_PLANTED_H
#define TOI_TESTS_CONTACT_PLANTED_H

#include "support/support.h"

#include "contact/time_bound.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HALF_DOMAIN 0.5

typedef struct patch {
  bool implicit, deforms, turns;
  bool flipped; /* u and v change places, and the normal its side */
  double uv[2], t;
  double a[4], q[9], k;
  double axis[3], rate, shift[3], velocity[3];
} patch;

typedef struct plant {
  patch patches[2];
  toi_context *context;
  toi_shape *shapes[2];
  toi_motion *motions[2];
  toi_body_surface surface[2];
  toi_body_pair pair;
  toi_problem problem;
  double x[TOI_UNKNOWNS]; /* the contact */
} plant;

/* What may be wished of a plant. */
typedef struct wish {
  toi_body_pair_kind kind;
  bool tangential;
  bool degenerate; /* the same surface twice, apart from what changes in time: a region of contact */
  bool edges;      /* some unknowns are frozen */
  bool upright;    /* they cross at a right angle */
  bool rises;      /* the first is higher than the second by gap + U^2 + V^2 + T^2, everywhere and always */
  bool sinks;      /* it touches the second from the planted time backwards, ever farther out: where U^2 + V^2 = -T */
  double gap;
} wish;

static uint64_t plant_seed;

/* A multiple of 1/16 in [-most, most]. */
static inline double sixteenth(int most) {
  return (double)((int)(test_random(&plant_seed) % (uint64_t)(32 * most + 1)) - 16 * most) * 0x1p-4;
}

static inline bool coin(void) {
  return test_random(&plant_seed) & 1;
}

static inline double between(double lo, double hi) {
  return lo + (hi - lo) * test_random_unit(&plant_seed);
}

static inline void plant_well(const plant *p, toi_status status) {
  if (status != TOI_OK)
    fail_msg("%s: %s", toi_status_text(status), toi_context_error(p->context));
}

/* --- in long doubles --- */

static inline long double height(const patch *p, long double u, long double v, long double t) {
  const double *q = p->q;
  return q[0] * u + q[1] * v + q[2] * u * u + q[3] * u * v + q[4] * v * v + q[5] * t + q[6] * t * t + q[7] * u * t +
         q[8] * (1 - cosl(u + 2 * v + (p->deforms ? t : 0)));
}

static inline void own_point(const patch *p, long double first, long double second, long double t, long double s[3]) {
  long double u = (p->flipped ? second : first) - p->uv[0], v = (p->flipped ? first : second) - p->uv[1];
  t -= p->t;
  s[0] = p->uv[0] + u + p->a[0] * u * v + p->a[1] * u * t;
  s[1] = p->uv[1] + v + p->a[2] * u * u + p->a[3] * v * t;
  s[2] = height(p, u, v, t);
}

static inline long double own_value(const patch *p, const long double x[3], long double t) {
  long double u = x[0] - p->uv[0], v = x[1] - p->uv[1];
  return p->k * (x[2] - height(p, u, v, t - p->t)) * (1 + (u * u + x[2] * x[2]) / 4);
}

/* Turned about the axis by +-rate T. */
static inline void turned_precisely(const patch *p, long double t, int sign, const long double v[3],
                                    long double out[3]) {
  long double angle = p->turns ? sign * p->rate * (t - p->t) : 0, length = 0, along = 0, k[3];
  for (int i = 0; i < 3; i++)
    length += (long double)p->axis[i] * p->axis[i];
  for (int i = 0; i < 3; i++) {
    k[i] = p->axis[i] / sqrtl(length);
    along += k[i] * v[i];
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    out[i] = v[i] * cosl(angle) + (k[j] * v[l] - k[l] * v[j]) * sinl(angle) + k[i] * along * (1 - cosl(angle));
  }
}

/* A point of the first body as the second one sees it. */
static inline void seen_from_second(const plant *p, const long double s[3], long double t, long double w[3]) {
  const patch *a = &p->patches[0], *b = &p->patches[1];
  long double from[3], world[3];
  for (int i = 0; i < 3; i++)
    from[i] = s[i] - (i < 2 ? a->uv[i] : 0);
  turned_precisely(a, t, 1, from, world);
  for (int i = 0; i < 3; i++)
    world[i] += (i < 2 ? a->uv[i] - b->uv[i] : 0) + a->shift[i] - b->shift[i] + t * (a->velocity[i] - b->velocity[i]);
  turned_precisely(b, t, -1, world, w);
  for (int i = 0; i < 2; i++)
    w[i] += b->uv[i];
}

/* The equations of contact, the place of the first, and what an implicit second is there. */
enum { CONTACT = 0, PLACE = 3, KNOWN = 6 };

static inline void contact_precisely(const plant *p, const long double x[TOI_UNKNOWNS], long double f[KNOWN]) {
  size_t time = toi_body_pair_time(&p->pair);
  long double t = x[time], s[3];
  if (p->pair.kind == TOI_BODY_PAIR_II)
    memcpy(s, x, sizeof s);
  else
    own_point(&p->patches[0], x[0], x[1], t, s);
  seen_from_second(p, s, t, f + PLACE);
  f[1] = f[2] = 0;
  if (p->pair.kind == TOI_BODY_PAIR_PP) {
    own_point(&p->patches[1], x[2], x[3], t, s);
    for (int i = 0; i < 3; i++)
      f[i] = f[PLACE + i] - s[i];
  } else if (p->pair.kind == TOI_BODY_PAIR_PI) {
    f[0] = own_value(&p->patches[1], f + PLACE, t);
  } else {
    f[0] = own_value(&p->patches[0], s, t);
    f[1] = own_value(&p->patches[1], f + PLACE, t);
  }
}

#define STEP 0x1p-10L

/* Differences of fourth order: right to about 1e-12. */
static inline void slopes_precisely(const plant *p, const long double x[TOI_UNKNOWNS],
                                    long double d[KNOWN][TOI_UNKNOWNS]) {
  static const struct {
    int at;
    long double factor;
  } parts[4] = {{1, 8}, {-1, -8}, {2, -1}, {-2, 1}};
  memset(d, 0, KNOWN * sizeof *d);
  for (size_t j = 0; j < toi_body_pair_unknowns(&p->pair); j++)
    for (int part = 0; part < 4; part++) {
      long double at[TOI_UNKNOWNS], f[KNOWN];
      memcpy(at, x, sizeof at);
      at[j] += parts[part].at * STEP;
      contact_precisely(p, at, f);
      for (int i = 0; i < KNOWN; i++)
        d[i][j] += parts[part].factor * f[i] / (12 * STEP);
    }
}

/* The gradient of an implicit second surface, in its own coordinates. */
static inline void gradient_precisely(const plant *p, const long double w[3], long double t, long double g[3]) {
  for (int j = 0; j < 3; j++) {
    long double f[5];
    for (int part = -2; part <= 2; part++) {
      long double at[3] = {w[0], w[1], w[2]};
      at[j] += part * STEP;
      f[part + 2] = own_value(&p->patches[1], at, t);
    }
    g[j] = (8 * (f[3] - f[1]) - f[4] + f[0]) / (12 * STEP);
  }
}

static inline void cross_precisely(const long double a[3], const long double b[3], long double c[3]) {
  for (int i = 0; i < 3; i++)
    c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static inline long double dot_precisely(const long double a[3], const long double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A toi_system of a point. */
typedef struct precise {
  size_t contact, tangency;
  long double value[TOI_EQUATIONS];
  long double incoming[2], place[3], normal[2][3];
} precise;

static inline void column_of(long double d[KNOWN][TOI_UNKNOWNS], int first, size_t j, long double column[3]) {
  for (int i = 0; i < 3; i++)
    column[i] = d[first + i][j];
}

static inline void precise_parametric(const plant *p, long double d[KNOWN][TOI_UNKNOWNS], precise *e) {
  long double c[5][3];
  for (size_t j = 0; j < 5; j++)
    column_of(d, CONTACT, j, c[j]);
  cross_precisely(c[0], c[1], e->normal[0]);
  cross_precisely(c[2], c[3], e->normal[1]);
  for (size_t j = 0; j < 4; j++) {
    uint32_t others = p->problem.frozen >> (j < 2 ? 2 : 0) & 3;
    if (others == 0 && !(p->problem.frozen >> j & 1))
      e->value[3 + e->tangency++] = (j < 2 ? 1 : -1) * dot_precisely(c[j], e->normal[j < 2]);
  }
  e->incoming[0] = dot_precisely(c[4], e->normal[0]);
  e->incoming[1] = -dot_precisely(e->normal[0], e->normal[1]);
}

static inline void precise_mixed(const plant *p, const long double x[TOI_UNKNOWNS], long double d[KNOWN][TOI_UNKNOWNS],
                                 precise *e) {
  long double u[3], v[3];
  column_of(d, PLACE, 0, u);
  column_of(d, PLACE, 1, v);
  cross_precisely(u, v, e->normal[0]);
  gradient_precisely(p, e->place, x[2], e->normal[1]);
  for (size_t j = 0; j < 2; j++)
    if (!(p->problem.frozen >> j & 1))
      e->value[1 + e->tangency++] = d[0][j];
  e->incoming[0] = -d[0][2];
  e->incoming[1] = -dot_precisely(e->normal[0], e->normal[1]);
}

static inline void precise_implicit(const plant *p, const long double x[TOI_UNKNOWNS],
                                    long double d[KNOWN][TOI_UNKNOWNS], precise *e) {
  cross_precisely(d[0], d[1], e->value + 2);
  e->tangency = 3;
  for (int i = 0; i < 3; i++)
    e->normal[0][i] = dot_precisely(d[PLACE + i], d[0]);
  gradient_precisely(p, e->place, x[3], e->normal[1]);
  long double lengths[2] = {sqrtl(dot_precisely(d[0], d[0])), sqrtl(dot_precisely(d[1], d[1]))};
  e->incoming[0] = -(d[0][3] * lengths[1] + d[1][3] * lengths[0]);
  e->incoming[1] = -dot_precisely(d[0], d[1]);
}

static inline precise precise_at(const plant *p, const long double x[TOI_UNKNOWNS]) {
  static const size_t contact[] = {3, 1, 2};
  precise e = {.contact = contact[p->pair.kind]};
  long double f[KNOWN], d[KNOWN][TOI_UNKNOWNS];
  contact_precisely(p, x, f);
  slopes_precisely(p, x, d);
  memcpy(e.value, f, e.contact * sizeof *f);
  memcpy(e.place, f + PLACE, sizeof e.place);
  if (p->pair.kind == TOI_BODY_PAIR_PP)
    precise_parametric(p, d, &e);
  else if (p->pair.kind == TOI_BODY_PAIR_PI)
    precise_mixed(p, x, d, &e);
  else
    precise_implicit(p, x, d, &e);
  return e;
}

/* --- planting --- */

static inline void random_patch(const wish *w, patch *p) {
  memset(p, 0, sizeof *p);
  p->deforms = coin();
  p->turns = !w->rises && !w->sinks && coin();
  p->flipped = !w->degenerate && coin();
  p->k = (coin() ? 1 : -1) * (coin() ? 1 : 0.5);
  p->rate = sixteenth(2);
  for (int i = 0; i < 3; i++) {
    p->axis[i] = sixteenth(1);
    p->velocity[i] = w->rises || w->sinks ? 0 : sixteenth(1);
  }
  p->axis[coin()] += 3;
  for (int i = 0; i < 4; i++)
    p->a[i] = w->degenerate || w->rises || w->sinks ? 0 : sixteenth(1) / 2;
  for (int i = 0; i < 9; i++)
    p->q[i] = sixteenth(1);
  for (int i = 0; i < 2; i++)
    p->uv[i] = sixteenth(2);
  if (p->deforms)
    return;
  p->a[1] = p->a[3] = 0;
  p->q[5] = p->q[6] = p->q[7] = 0;
}

static inline void make_shape(plant *p, int which) {
  const patch *a = &p->patches[which];
  const double *q = a->q;
  const char *const names[2][4] = {{"u", "v", "t", ""}, {"x", "y", "z", "t"}};
  char u[32], v[32], t[32], text[1024];
  toi_formula *f = NULL;
  plant_well(p, toi_formula_create(p->context, names[a->implicit], a->implicit ? 4 : 3, &f));
  const char *first = a->implicit ? "x" : a->flipped ? "v" : "u", *second = a->implicit ? "y" : a->flipped ? "u" : "v";
  snprintf(u, sizeof u, "(%s - (%.17g))", first, a->uv[0]);
  snprintf(v, sizeof v, "(%s - (%.17g))", second, a->uv[1]);
  snprintf(t, sizeof t, "(t - (%.17g))", a->t);
  const char *time = a->deforms ? t : "0";
  snprintf(text, sizeof text,
           "(%.17g)*%s + (%.17g)*%s + (%.17g)*%s^2 + (%.17g)*%s*%s + (%.17g)*%s^2 + (%.17g)*%s + (%.17g)*%s^2 + "
           "(%.17g)*%s*%s + (%.17g)*(1 - cos(%s + 2*%s + %s))",
           q[0], u, q[1], v, q[2], u, q[3], u, v, q[4], v, q[5], time, q[6], time, q[7], u, time, q[8], u, v, time);
  toi_term z = toi_formula_parse(f, text);
  toi_interval uv[2];
  for (int i = 0; i < 2; i++)
    uv[i] = (toi_interval){a->uv[i] - HALF_DOMAIN, a->uv[i] + HALF_DOMAIN};
  if (a->implicit) {
    plant_well(p, toi_formula_name(f, "height", z));
    snprintf(text, sizeof text, "(%.17g)*(z - height)*(1 + (%s^2 + z^2)/4)", a->k, u);
    toi_implicit given = {.formula = f, .bounds = {{-4, 4}, {-4, 4}, {-4, 4}}, .solid = false};
    given.function = toi_formula_parse(f, text);
    plant_well(p, toi_shape_implicit(p->context, &given, &p->shapes[which]));
  } else {
    toi_parametric given = {.formula = f, .at = {0, 0, z}, .edges = TOI_EDGES};
    given.u = uv[a->flipped];
    given.v = uv[!a->flipped];
    snprintf(text, sizeof text, "%s + (%.17g)*%s*%s + (%.17g)*%s*%s", first, a->a[0], u, v, a->a[1], u, time);
    given.at[0] = toi_formula_parse(f, text);
    snprintf(text, sizeof text, "%s + (%.17g)*%s^2 + (%.17g)*%s*%s", second, a->a[2], u, a->a[3], v, time);
    given.at[1] = toi_formula_parse(f, text);
    plant_well(p, toi_shape_parametric(p->context, &given, &p->shapes[which]));
  }
  toi_formula_destroy(f);
}

static inline void make_motion(plant *p, int which) {
  const patch *a = &p->patches[which];
  plant_well(p, toi_motion_create(p->context, &p->motions[which]));
  if (a->turns)
    plant_well(
        p, toi_motion_turn(p->motions[which], a->axis, (double[]){a->uv[0], a->uv[1], 0}, -a->rate * a->t, a->rate));
  plant_well(p, toi_motion_move(p->motions[which], a->shift, a->velocity));
}

/* The problem: all free, or with some parameters frozen where the contact is. */
static inline void set_problem(plant *p, const wish *w) {
  toi_problem *problem = &p->problem;
  *problem = (toi_problem){.pair = &p->pair};
  size_t time = toi_body_pair_time(&p->pair);
  for (size_t i = 0; i < time; i++) {
    const toi_body_surface *surface = &p->surface[i / 2];
    const patch *a = &p->patches[i / 2];
    if (p->pair.kind == TOI_BODY_PAIR_II) {
      p->x[i] = i < 2 ? p->patches[0].uv[i] : 0;
      problem->domain.x[i] = (toi_interval){p->x[i] - HALF_DOMAIN, p->x[i] + HALF_DOMAIN};
      continue;
    }
    p->x[i] = a->uv[(i % 2) ^ a->flipped];
    problem->domain.x[i] = surface->shape->domain[i % 2];
    if (!w->edges || test_random(&plant_seed) % 3 != 0)
      continue;
    problem->frozen |= UINT32_C(1) << i;
    problem->domain.x[i] = toi_interval_point(p->x[i]);
  }
  p->x[time] = p->patches[0].t;
  problem->domain.x[time] = (toi_interval){0, 1};
  problem->first = problem->domain;
}

/* Shapes and motions are made. */
static inline void set_pair(plant *p, toi_body_pair_kind kind) {
  for (int i = 0; i < 2; i++) {
    toi_body_surface *surface = &p->surface[i];
    *surface = (toi_body_surface){.shape = p->shapes[i], .motion = p->motions[i]};
    plant_well(p, toi_shape_check(surface->shape, 1, "shape", surface->bounds, surface->centre, &surface->radius));
    plant_well(p, toi_body_surface_begin(p->context, surface));
  }
  p->pair =
      (toi_body_pair){.kind = kind, .body = {0, 1}, .surface = {&p->surface[0], &p->surface[1]}, .incoming = true};
  p->pair.window = (toi_interval){0, 1};
  p->pair.shifts = toi_motion_is_shift(p->motions[0]) && toi_motion_is_shift(p->motions[1]);
  plant_well(p, toi_motions_begin(p->context, &p->pair.motions));
}

static inline void set_plant(plant *p, toi_context *context, const wish *w) {
  memset(p, 0, sizeof *p);
  p->context = context;
  patch *a = &p->patches[0], *b = &p->patches[1];
  random_patch(w, a);
  random_patch(w, b);
  a->implicit = w->kind == TOI_BODY_PAIR_II;
  b->implicit = w->kind != TOI_BODY_PAIR_PP;
  a->t = b->t = 0.5 + sixteenth(1) / 4;
  if (w->tangential)
    memcpy(b->q, a->q, 2 * sizeof *a->q);
  if (w->degenerate) {
    // What depends on time alone, or vanishes at the planted one, may differ.
    memcpy(b->q + 2, a->q + 2, 3 * sizeof *a->q);
    b->q[8] = a->q[8];
  }
  if (w->upright) {
    a->q[0] = 1;
    b->q[0] = -1;
    a->q[1] = b->q[1] = 0;
  }
  if (w->rises) {
    b->deforms = false;
    a->deforms = true;
    a->q[8] = b->q[8] = 0;
    memcpy(a->q, b->q, sizeof a->q);
    a->q[2] += 1;
    a->q[4] += 1;
    b->q[5] = b->q[6] = b->q[7] = a->q[5] = a->q[7] = 0;
    a->q[6] = 1;
  }
  if (w->sinks) {
    a->deforms = b->deforms = false;
    b->q[5] = b->q[6] = b->q[7] = 0;
    memcpy(a->q, b->q, sizeof a->q);
    a->q[2] -= 1;
    a->q[4] -= 1;
    a->velocity[2] = b->velocity[2] - 1;
  }
  // The planted points are at one place at that time.
  for (int i = 0; i < 3; i++) {
    b->shift[i] = sixteenth(1);
    a->shift[i] = b->shift[i] + (i < 2 ? b->uv[i] - a->uv[i] : 0) + a->t * (b->velocity[i] - a->velocity[i]);
  }
  a->shift[2] += w->gap;
  for (int i = 0; i < 2; i++) {
    make_shape(p, i);
    make_motion(p, i);
  }
  set_pair(p, w->kind);
  set_problem(p, w);
}

static inline void clear_plant(plant *p) {
  toi_motions_end(p->context, p->pair.motions);
  for (int i = 0; i < 2; i++) {
    toi_body_surface_end(p->context, &p->surface[i]);
    toi_motion_destroy(p->motions[i]);
    toi_shape_destroy(p->shapes[i]);
  }
}

/* A box that holds the contact: in the middle, at a corner, or anywhere; all sides about `size`. */
static inline toi_box box_around(const plant *p, double size) {
  toi_box box = p->problem.domain;
  toi_columns columns = toi_problem_columns(&p->problem);
  for (size_t j = 0; j < columns.count; j++) {
    size_t i = columns.at[j];
    double width = size * between(0.25, 1), part = coin() ? between(0, 1) : coin() ? 0 : coin() ? 1 : 0.5;
    box.x[i] = (toi_interval){p->x[i] - part * width, p->x[i] + (1 - part) * width};
    (void)toi_interval_intersect(box.x[i], p->problem.domain.x[i], &box.x[i]);
  }
  return box;
}

static inline bool box_holds(const plant *p, const toi_box *box) {
  for (size_t i = 0; i < toi_body_pair_unknowns(&p->pair); i++)
    if (!toi_interval_contains(box->x[i], p->x[i]))
      return false;
  return true;
}

/* 2^-1 to 2^-least. */
static inline double random_size(unsigned least) {
  return ldexp(1, -1 - (int)(test_random(&plant_seed) % least));
}

#endif
