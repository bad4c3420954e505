/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The kernels of `tight-inclusion`, one lane an axis. A file defines TOI_TIGHT_KERNEL, the table's name, and includes
 * this. Every lane does correctly rounded operations in one order: the same bits on all machines.
 *
 * Why a centre and a radius: at a fixed time F is affine in u and v, so that over [u, u + 2 hu] x [v, v + 2 hv] it
 * fills, on each axis, exactly [c - r, c + r] with c its value in the middle and r = hu |a| + hv |b|. At times between
 * two F is a mean of its values at both, so that the box of the eight corners, the tight one of the paper, is the hull
 * of the two intervals. What depends on time only is kept from box to box: boxes come sorted by time. */

#include "narrow/tight_inclusion.h"

#define TOI_LANES 4
#include "number/lanes.h"

/* A box of a level: its lower corner. The widths are the level's. */
typedef struct box {
  double t, u, v;
} box;

/* The most halvings of a parameter: corners and middles of boxes stay exact doubles. */
#define MOST_HALVINGS 52

/* Levels there can be, the whole domain's included. */
#define MOST_LEVELS (TOI_TIGHT_PARAMETERS * MOST_HALVINGS + 1)

typedef struct walker {
  real filter, reach;
  /* At both ends of the time interval that begins at t. */
  real p[2], a[2], b[2], r[2], limit[2];
  const toi_tight_query *query;
  double t;
  /* The level: widths, the parameter to split next, and whether (6) says that its boxes are within the tolerance. */
  double (*widths)[TOI_TIGHT_PARAMETERS];
  double width[TOI_TIGHT_PARAMETERS];
  uint32_t level;
  int split;
  bool fine;
} walker;

/* The interval of F on each axis. */
typedef struct extent {
  real lo, hi;
} extent;

TOI_INLINE real load4(const double *x) {
  return *(const real *)x;
}

TOI_INLINE void store4(double *x, real value) {
  *(real *)x = value;
}

TOI_INLINE bool all_lanes(mask m) {
  return bits_of(m) == 15;
}

TOI_INLINE double smaller_of(double a, double b) {
  return a < b ? a : b;
}

TOI_INLINE double larger_of(double a, double b) {
  return a > b ? a : b;
}

TOI_INLINE double largest_lane(real x) {
  return larger_of(larger_of(lane(x, 0), lane(x, 1)), lane(x, 2));
}

/* --- the query --- */

TOI_INLINE real point_of(const double *row, size_t number) {
  const double *x = row + 3 * number;
  return (real){x[0], x[1], x[2], 0};
}

typedef struct differences {
  real p, a, b;
} differences;

TOI_INLINE differences differences_of(toi_kind kind, const real x[4]) {
  real none = every(0);
  switch (kind) {
  case TOI_VERTEX_FACE:
    return (differences){x[0] - x[1], x[1] - x[2], x[1] - x[3]};
  case TOI_EDGE_EDGE:
    return (differences){x[0] - x[2], x[1] - x[0], x[2] - x[3]};
  case TOI_VERTEX_EDGE:
    return (differences){x[0] - x[1], x[1] - x[2], none};
  default:
    return (differences){x[0] - x[1], none, none};
  }
}

static bool load(toi_kind kind, const double *row, toi_tight_query *query) {
  size_t points = toi_kind_points(kind);
  real start[4] = {every(0), every(0), every(0), every(0)}, end[4] = {every(0), every(0), every(0), every(0)};
  mask finite = less(every(0), every(1));
  for (size_t i = 0; i < points; i++) {
    start[i] = point_of(row, i);
    end[i] = point_of(row, points + i);
    finite &= less(magnitude(start[i]), every(INFINITY)) & less(magnitude(end[i]), every(INFINITY));
  }
  differences x = differences_of(kind, start), y = differences_of(kind, end);
  store4(query->p, x.p);
  store4(query->a, x.a);
  store4(query->b, x.b);
  store4(query->dp, y.p - x.p);
  store4(query->da, y.a - x.a);
  store4(query->db, y.b - x.b);
  real size = most(magnitude(x.p), magnitude(y.p)) + most(magnitude(x.a), magnitude(y.a)) +
              most(magnitude(x.b), magnitude(y.b));
  store4(query->size, size);
  return all_lanes(finite);
}

/* --- the box of F --- */

/* Both ends of the time interval from t on. */
TOI_INLINE void set_time(walker *w, double t) {
  const toi_tight_query *q = w->query;
  double ends[2] = {t, smaller_of(t + w->width[0], q->t_max)};
  real hu = every(0.5 * w->width[1]), hv = every(0.5 * w->width[2]);
  w->t = t;
  TOI_UNROLL
  for (int i = 0; i < 2; i++) {
    real time = every(ends[i]);
    w->p[i] = load4(q->p) + time * load4(q->dp);
    w->a[i] = load4(q->a) + time * load4(q->da);
    w->b[i] = load4(q->b) + time * load4(q->db);
    w->r[i] = hu * magnitude(w->a[i]) + hv * magnitude(w->b[i]);
    w->limit[i] = w->r[i] + w->reach;
  }
}

TOI_INLINE void set_centres(const walker *w, double u, double v, real c[2]) {
  real uc = every(u + 0.5 * w->width[1]), vc = every(v + 0.5 * w->width[2]);
  TOI_UNROLL
  for (int i = 0; i < 2; i++)
    c[i] = (w->p[i] + uc * w->a[i]) + vc * w->b[i];
}

TOI_INLINE extent extent_of(const walker *w, const real c[2]) {
  return (extent){least(c[0] - w->r[0], c[1] - w->r[1]), most(c[0] + w->r[0], c[1] + w->r[1])};
}

/* The box lies beyond the filtered cube on some axis. */
TOI_INLINE bool beyond_cube(const walker *w, const real c[2]) {
  mask above = greater(c[0], w->limit[0]) & greater(c[1], w->limit[1]);
  mask below = less(c[0], -w->limit[0]) & less(c[1], -w->limit[1]);
  return bits_of(above | below) != 0;
}

/* The box lies beyond the ball: the sum of the squares of its gaps exceeds d squared. */
TOI_INLINE bool beyond_ball(const walker *w, const extent *e) {
  real gap = most(most(e->lo, -e->hi) - w->filter, every(0));
  real s = gap * gap;
  return lane(s, 0) + lane(s, 1) + lane(s, 2) > w->query->d_squared;
}

/* The largest |F| in the box, by axis. */
TOI_INLINE real farthest(const extent *e) {
  return most(e->hi, -e->lo);
}

/* Splitting it further could not prune: the paper's B inside C. */
TOI_INLINE bool within_reach(const walker *w, const extent *e) {
  real far = farthest(e);
  if (w->query->d_squared == 0)
    return bits_of(greater(far, w->reach)) == 0;
  far = most(far - w->filter, every(0));
  real s = far * far;
  return lane(s, 0) + lane(s, 1) + lane(s, 2) <= w->query->d_squared;
}

/* --- the levels --- */

/* The parameter with the largest kappa times width that can be halved still; (6) holds if none exceeds the tolerance.
 */
TOI_INLINE void choose_split(walker *w) {
  const toi_tight_query *q = w->query;
  w->split = -1;
  w->fine = true;
  double largest = 0;
  for (int i = 0; i < TOI_TIGHT_PARAMETERS; i++) {
    double cost = q->kappa[i] * w->width[i];
    w->fine &= cost <= q->tolerance;
    if (cost > largest && w->width[i] > q->width[i] * 0x1p-52) {
      largest = cost;
      w->split = i;
    }
  }
}

TOI_INLINE void set_level(walker *w, uint32_t level) {
  if (level > 0)
    w->width[w->split] *= 0.5;
  w->level = level;
  choose_split(w);
  memcpy(w->widths[level], w->width, sizeof(w->width));
}

TOI_INLINE toi_search_fate examine(void *user, toi_search *s, const void *item);
static const toi_search_rules rules = {sizeof(box), TOI_SEARCH_BY_LEVEL, examine};

TOI_INLINE void push_halves(const walker *w, toi_search *s, const box *parent) {
  box first = *parent, second = *parent;
  if (w->split == 0) {
    second.t += 0.5 * w->width[0];
    toi_search_push(s, &rules, &first);
    toi_search_push_later(s, &rules, &second);
    return;
  }
  if (w->split == 1)
    second.u += 0.5 * w->width[1];
  else
    second.v += 0.5 * w->width[2];
  toi_search_push(s, &rules, &first);
  // Outside the triangle nothing is asked.
  if (!w->query->triangle || second.u + second.v <= 1)
    toi_search_push(s, &rules, &second);
}

/* What becomes of a box that begins at the walker's time and has its widths. */
TOI_INLINE toi_search_fate fate_of(const walker *w, double u, double v) {
  real c[2];
  set_centres(w, u, v, c);
  if (beyond_cube(w, c))
    return TOI_BOX_PRUNED;
  extent e = extent_of(w, c);
  if (w->query->d_squared > 0 && beyond_ball(w, &e))
    return TOI_BOX_PRUNED;
  // It cannot be split, splitting would not help, or it is small enough.
  if (w->split < 0 || within_reach(w, &e))
    return TOI_BOX_ACCEPTED;
  bool small = w->fine || bits_of(greater(e.hi - e.lo, every(w->query->tolerance))) == 0;
  return small && !(w->query->no_zero && w->t == 0) ? TOI_BOX_ACCEPTED : TOI_BOX_SPLIT;
}

TOI_INLINE toi_search_fate examine(void *user, toi_search *s, const void *item) {
  walker *w = user;
  box here;
  memcpy(&here, item, sizeof(here));
  if (s->level != w->level) {
    set_level(w, s->level);
    set_time(w, here.t);
  } else if (here.t != w->t) {
    set_time(w, here.t);
  }
  const toi_search_fate fate = fate_of(w, here.u, here.v);
  if (fate == TOI_BOX_SPLIT)
    push_halves(w, s, &here);
  return fate;
}

/* --- what the table holds --- */

/* Everything else is set by the first level and time. */
TOI_INLINE void walker_begin(walker *w, const toi_tight_query *query, double (*widths)[TOI_TIGHT_PARAMETERS]) {
  w->query = query;
  w->widths = widths;
  w->level = UINT32_MAX;
  w->split = -1;
  w->filter = load4(query->filter);
  w->reach = load4(query->reach);
  memcpy(w->width, query->width, sizeof(w->width));
}

static bool apart(const toi_tight_query *query) {
  walker w;
  walker_begin(&w, query, NULL);
  set_time(&w, 0);
  real c[2];
  set_centres(&w, 0, 0, c);
  if (beyond_cube(&w, c))
    return true;
  extent e = extent_of(&w, c);
  return query->d_squared > 0 && beyond_ball(&w, &e);
}

/* Over the box of the query's widths at the corner. */
static void extent_at(const toi_tight_query *query, const double corner[3], double lo[4], double hi[4]) {
  walker w;
  walker_begin(&w, query, NULL);
  set_time(&w, corner[0]);
  real c[2];
  set_centres(&w, corner[1], corner[2], c);
  extent e = extent_of(&w, c);
  for (unsigned i = 0; i < TOI_TIGHT_LANES; i++) {
    lo[i] = lane(e.lo, i);
    hi[i] = lane(e.hi, i);
  }
}

/* (7), with p + u a + v b and its difference at the ends of the other two parameters. */
static void set_kappa(toi_tight_query *q) {
  real p = load4(q->dp), a = load4(q->da), b = load4(q->db);
  real t = most(most(magnitude(p), magnitude(p + a)), most(magnitude(p + b), magnitude(p + a + b)));
  real u = most(magnitude(load4(q->a)), magnitude(load4(q->a) + a));
  real v = most(magnitude(load4(q->b)), magnitude(load4(q->b) + b));
  q->kappa[0] = 3 * largest_lane(t);
  q->kappa[1] = 3 * largest_lane(u);
  q->kappa[2] = 3 * largest_lane(v);
}

/* At least sqrt(x^2 + y^2 + z^2) of numbers that are not negative.
 * Why: with m the largest, x / m has a relative error of u = 2^-53, its square 3 u, the sum of three 5 u, the root 3.5
 * u, and m times it 4.5 u; the factor 1 + 2^-48 = 1 + 32 u, itself rounded to within u, covers that. What underflows is
 * below 2^-1000 beside a sum of at least 1. C's hypot() is not used: its last digit is another on every system. */
TOI_INLINE double length_above(double x, double y, double z) {
  const double m = x > y ? (x > z ? x : z) : (y > z ? y : z);
  if (!(m > 0) || isinf(m))
    return m;
  const double a = x / m, b = y / m, c = z / m;
  return m * sqrt(a * a + b * b + c * c) * (1 + 0x1p-48);
}

/* The largest distance in the box, rounded up, in the norm asked. */
TOI_INLINE double distance_in(walker *w, const box *here) {
  set_time(w, here->t);
  real c[2];
  set_centres(w, here->u, here->v, c);
  extent e = extent_of(w, c);
  real far = farthest(&e) + w->filter;
  if (!w->query->euclidean)
    return largest_lane(far);
  return length_above(lane(far, 0), lane(far, 1), lane(far, 2));
}

static void search(const toi_tight_query *query, void *memory, size_t bytes, toi_tight_answer *answer) {
  double widths[MOST_LEVELS][TOI_TIGHT_PARAMETERS];
  walker w;
  walker_begin(&w, query, widths);
  toi_search s = toi_search_make(&rules, memory, bytes);
  s.bound = query->t_max;
  s.max_checks = query->max_checks;
  const box whole = {0, 0, 0};
  toi_search_push(&s, &rules, &whole);
  answer->end = toi_search_run(&s, &rules, &w);
  if (answer->end == TOI_SEARCH_EMPTY)
    return;
  // The budget may be spent on the threshold of a level.
  if (s.answer_level == w.level + 1)
    set_level(&w, s.answer_level);
  box found;
  memcpy(&found, s.answer, sizeof(found));
  memcpy(w.width, widths[s.answer_level], sizeof(w.width));
  answer->t = found.t;
  answer->t_end = smaller_of(found.t + w.width[0], query->t_max);
  answer->u = found.u;
  answer->v = found.v;
  answer->distance = distance_in(&w, &found);
}

/* --- boxes one by one, whose widths are their own --- */

TOI_INLINE void walker_at(walker *w, const toi_tight_query *query, const toi_tight_box *at) {
  walker_begin(w, query, NULL);
  memcpy(w->width, at->width, sizeof(w->width));
  set_time(w, at->corner[0]);
}

static toi_search_fate judge(const toi_tight_query *query, const toi_tight_box *at, int *split) {
  walker w;
  walker_at(&w, query, at);
  choose_split(&w);
  *split = w.split;
  return fate_of(&w, at->corner[1], at->corner[2]);
}

static double distance_at(const toi_tight_query *query, const toi_tight_box *at) {
  walker w;
  const box here = {at->corner[0], at->corner[1], at->corner[2]};
  walker_at(&w, query, at);
  return distance_in(&w, &here);
}

const toi_tight_kernel TOI_TIGHT_KERNEL = {load, apart, extent_at, set_kappa, search, judge, distance_at};
