/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Looking for the first contact near two pieces. Nothing here is proved or needs to be: what is found goes to
 * toi_prove_touch, and a bad guess costs time only.
 *
 * 1. The patches are taken as flat at the middle of the pieces: the least t over the pieces' domains is a contact of a
 *    corner with a face or of two edges, each a 3 x 3 system.
 * 2. Newton's method on the conditions of a least t: with L = t + n . G, the gap G is zero, and so are the derivatives
 *    of L by t and along every way that is open to either point (none into a side of the domain that it lies on).
 *    Points that run into a side stay there; sides that hold a point back to no end let it go.
 * 3. Time and two of the open ways are proved as unknowns, the rest frozen.
 * If this fails, the surfaces may cross without approaching: G = 0 is solved at the frozen time. */

#include "surface/surface.h"
#include "surface/ways.h"

#include <math.h>
#include <string.h>

#define NEWTON_STEPS 10
#define CROSSING_STEPS 16
#define STEP_MOST 0.25
#define CONVERGED 0x1p-40

/* Points that are to leave their sides are moved this far into the domain, then farther by powers of two. */
#define INWARD 0x1p-36
#define INWARD_STEP 6
#define INWARD_TRIES 6

/* Next to an edge without length, a parameter moves a point by less than this part of what the other one does; so many
 * of its values are tried. */
#define IDLE 0x1p-6
#define AROUND 3

/* Shifts tried, with a separation in the norm of the largest coordinate. */
#define SHIFT_ROUNDS 32

/* --- 2. least time --- */

/* The normal for which L is stationary by t and along two ways: the flat problem's. */
static bool first_normal(const toi_gap *gap, const toi_way ways[4], int count, double n[3]) {
  double best = 0;
  n[0] = n[1] = n[2] = 0;
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++) {
      double a[3] = {0}, b[3] = {0}, c[3] = {0};
      toi_gap_slope(gap, &ways[i], a);
      toi_gap_slope(gap, &ways[j], b);
      toi_cross(a, b, c);
      double speed = toi_dot(c, gap->slope[0]);
      double weight = fabs(speed) / (sqrt(toi_dot(a, a) * toi_dot(b, b)) + 0x1p-900);
      if (!(weight > best))
        continue;
      best = weight;
      for (int k = 0; k < 3; k++)
        n[k] = -c[k] / speed;
    }
  return best > 0 && isfinite(n[0]) && isfinite(n[1]) && isfinite(n[2]);
}

/* n . d2G along ways i and j. */
static double bend(const toi_gap *gap, const double n[3], const toi_way *i, const toi_way *j) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    const toi_jet *a = &gap->jet[0], *b = &gap->jet[1];
    if (i->patch == j->patch) {
      const toi_jet *own = &gap->jet[i->patch], *other = &gap->jet[1 - i->patch];
      double sign = i->patch == 0 ? 1 : -1;
      double mixed = i->step[0] * j->step[1] + i->step[1] * j->step[0];
      double x = i->step[0] * j->step[0] * own->second[0][k] + mixed * own->second[1][k] +
                 i->step[1] * j->step[1] * own->second[2][k];
      double w = i->step[0] * j->step[0] * own->second[0][6] + mixed * own->second[1][6] +
                 i->step[1] * j->step[1] * own->second[2][6];
      sum += n[k] * sign * (x * other->value[6] - other->value[k] * w);
      continue;
    }
    const toi_way *of_a = i->patch == 0 ? i : j, *of_b = i->patch == 0 ? j : i;
    double xa = of_a->step[0] * a->first[0][k] + of_a->step[1] * a->first[1][k];
    double wa = of_a->step[0] * a->first[0][6] + of_a->step[1] * a->first[1][6];
    double xb = of_b->step[0] * b->first[0][k] + of_b->step[1] * b->first[1][k];
    double wb = of_b->step[0] * b->first[0][6] + of_b->step[1] * b->first[1][6];
    sum += n[k] * (xa * wb - xb * wa);
  }
  return sum;
}

/* n . d2G by time and a way. */
static double bend_with_time(const toi_gap *gap, const double n[3], const toi_way *way) {
  const toi_jet *own = &gap->jet[way->patch], *other = &gap->jet[1 - way->patch];
  double sign = way->patch == 0 ? 1 : -1, sum = 0;
  for (int k = 0; k < 3; k++) {
    double v = way->step[0] * own->first[0][k + 3] + way->step[1] * own->first[1][k + 3];
    double w = way->step[0] * own->first[0][6] + way->step[1] * own->first[1][6];
    sum += n[k] * sign * (v * other->value[6] - other->value[k + 3] * w);
  }
  return sum;
}

/* One step of Newton's method: unknowns t, along the ways, n. Gives the longest step in the parameters. */
static bool newton_step(const toi_gap *gap, const toi_way *ways, int count, double n[3], toi_moment *at,
                        double *moved) {
  double m[TOI_UNKNOWNS_MOST][TOI_UNKNOWNS_MOST + 1] = {{0}};
  int size = count + 4;
  double slope[4][3];
  for (int j = 0; j < count; j++)
    toi_gap_slope(gap, &ways[j], slope[j]);
  for (int k = 0; k < 3; k++) {
    m[k][0] = gap->slope[0][k];
    for (int j = 0; j < count; j++)
      m[k][1 + j] = slope[j][k];
    m[k][size] = -gap->value[k];
  }
  for (int i = 0; i < count; i++) {
    double *row = m[3 + i];
    row[0] = bend_with_time(gap, n, &ways[i]);
    for (int j = 0; j < count; j++)
      row[1 + j] = j < i ? m[3 + j][1 + i] : bend(gap, n, &ways[i], &ways[j]);
    for (int k = 0; k < 3; k++)
      row[1 + count + k] = slope[i][k];
    row[size] = -toi_dot(n, slope[i]);
    m[3 + count][1 + i] = row[0];
  }
  for (int k = 0; k < 3; k++)
    m[3 + count][1 + count + k] = gap->slope[0][k];
  m[3 + count][size] = -1 - toi_dot(n, gap->slope[0]);
  if (!toi_eliminate(m, size))
    return false;
  *moved = 0;
  for (int j = 0; j < count; j++)
    *moved = fabs(m[1 + j][size]) > *moved ? fabs(m[1 + j][size]) : *moved;
  double shorter = *moved > STEP_MOST ? STEP_MOST / *moved : 1;
  at->t += shorter * m[0][size];
  for (int j = 0; j < count; j++)
    for (int k = 0; k < 2; k++)
      at->uv[ways[j].patch][k] += shorter * m[1 + j][size] * ways[j].step[k];
  for (int k = 0; k < 3; k++)
    n[k] += shorter * m[1 + count + k][size];
  return true;
}

/* What L gains along a way, as a part of the lengths; small enough: nothing. */
typedef struct slope_of_l {
  const toi_gap *gap;
  const double *n;
} slope_of_l;

static double fall(const void *user, const toi_way *way) {
  const slope_of_l *l = user;
  double slope[3];
  toi_gap_slope(l->gap, way, slope);
  double change = toi_dot(l->n, slope), least = -0x1p-20 * sqrt(toi_dot(l->n, l->n) * toi_dot(slope, slope));
  return change < least ? change : 0;
}

/* From *at to a least t nearby; what is there at the end is a guess as good as any. */
static void least_time(const toi_prover *prover, toi_moment *at, toi_sides *s) {
  toi_moment guess = *at;
  toi_sides guess_sides = *s;
  double n[3];
  bool have_normal = false, converged = false;
  for (int i = 0; i < NEWTON_STEPS; i++) {
    toi_way ways[4];
    toi_gap gap;
    int count = toi_open_ways(prover, &guess_sides, ways);
    toi_gap_at(prover, &guess, true, &gap);
    have_normal = have_normal || first_normal(&gap, ways, count, n);
    if (!have_normal || count < 2)
      return;
    if (converged) {
      *at = guess;
      *s = guess_sides;
      if (!toi_sides_release(prover, &guess_sides, fall, &(slope_of_l){&gap, n}))
        return;
      converged = false;
      continue;
    }
    double moved;
    if (!newton_step(&gap, ways, count, n, &guess, &moved))
      return;
    converged = !toi_sides_stop(prover, &guess, &guess_sides) && moved < CONVERGED;
    if (!(fabs(guess.t) < 4 * prover->t_max))
      return;
  }
}

/* --- 3. proofs --- */

/* The two of the ways which, with time, make the best system; false: there are none. */
static bool best_two(const toi_gap *gap, const toi_way *ways, int count, toi_way chosen[3]) {
  double best = 0;
  chosen[0] = (toi_way){-1, {0, 0}};
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++) {
      double a[3], b[3];
      toi_gap_slope(gap, &ways[i], a);
      toi_gap_slope(gap, &ways[j], b);
      double size = fabs(toi_determinant(gap->slope[0], a, b)) / (sqrt(toi_dot(a, a) * toi_dot(b, b)) + 0x1p-900);
      if (!(size > best))
        continue;
      best = size;
      chosen[1] = ways[i];
      chosen[2] = ways[j];
    }
  return best > 0;
}

/* With time and any two of the ways: where points lie on many sides at once, or an edge has no length, the best two on
 * paper may not be the ones that stay in the domain. */
static bool prove_any(const toi_prover *prover, const toi_moment *at, const toi_way *ways, int count,
                      toi_moment *proved, double *t_hi) {
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++) {
      toi_way chosen[3] = {{.patch = -1}, ways[i], ways[j]};
      *proved = *at;
      if (toi_prove_touch(prover, chosen, proved, t_hi))
        return true;
    }
  return false;
}

/* The parameter of a quad in which its point hardly moves, next to an edge without length; -1: none. */
static int idle_parameter(const toi_prover *prover, const toi_gap *gap, int patch) {
  double length[2];
  for (int k = 0; k < 2; k++)
    length[k] = sqrt(toi_dot(gap->slope[1 + 2 * patch + k], gap->slope[1 + 2 * patch + k]));
  if (prover->root[patch]->patch->shape != TOI_PATCH_QUAD)
    return -1;
  return length[0] < IDLE * length[1] ? 0 : length[1] < IDLE * length[0] ? 1 : -1;
}

/* Next to a pole: at least this far from it, and around it to there. */
static void turn(double uv[2], int idle, double far, double around) {
  if (idle < 0)
    return;
  double *out = &uv[1 - idle];
  *out = *out < far ? far : *out > 1 - far ? 1 - far : *out;
  uv[idle] = around;
}

/* Next to a pole the parameter that goes around it says where a point is; a guess that goes the wrong way around leads
 * nowhere. So some of both are tried. */
static bool prove_around(const toi_prover *prover, const toi_moment *at, double far, toi_moment *proved, double *t_hi) {
  static const toi_way all[4] = {{0, {1, 0}}, {0, {0, 1}}, {1, {1, 0}}, {1, {0, 1}}};
  toi_gap gap;
  toi_gap_at(prover, at, false, &gap);
  int idle[2] = {idle_parameter(prover, &gap, 0), idle_parameter(prover, &gap, 1)};
  if (idle[0] < 0 && idle[1] < 0)
    return false;
  for (int i = 1; i <= (idle[0] < 0 ? 1 : AROUND); i++)
    for (int j = 1; j <= (idle[1] < 0 ? 1 : AROUND); j++) {
      toi_moment turned = *at;
      turn(turned.uv[0], idle[0], far, i / (AROUND + 1.0));
      turn(turned.uv[1], idle[1], far, j / (AROUND + 1.0));
      if (prove_any(prover, &turned, all, 4, proved, t_hi))
        return true;
    }
  return false;
}

static bool prove_approach(const toi_finder *finder, toi_moment at, toi_sides s, toi_moment *proved, double *t_hi) {
  const toi_prover *prover = &finder->prover;
  toi_way ways[4], chosen[3];
  toi_gap gap;
  int count = toi_open_ways(prover, &s, ways);
  toi_gap_at(prover, &at, false, &gap);
  *proved = at;
  if (count >= 2 && best_two(&gap, ways, count, chosen) && toi_prove_touch(prover, chosen, proved, t_hi))
    return true;
  // A little off the sides, and farther if there is reason to be thorough.
  int farthest = finder->thorough ? INWARD_TRIES : 1;
  for (int i = 0; i < farthest; i++) {
    toi_moment inside = at;
    toi_sides none = s;
    double far = ldexp(INWARD, INWARD_STEP * i);
    toi_sides_leave(prover, far, &inside, &none);
    count = toi_open_ways(prover, &none, ways);
    if (prove_any(prover, &inside, ways, count, proved, t_hi) ||
        (finder->thorough && prove_around(prover, &inside, far, proved, t_hi)))
      return true;
  }
  return false;
}

/* --- surfaces that cross at a frozen time --- */

/* The step of least length with G + J step = 0, J the four parameters' columns: J^T (J J^T)^-1. */
static bool shortest_step(const toi_gap *gap, double step[4]) {
  double m[TOI_UNKNOWNS_MOST][TOI_UNKNOWNS_MOST + 1] = {{0}};
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++)
      for (int j = 1; j < 5; j++)
        m[r][c] += gap->slope[j][r] * gap->slope[j][c];
    m[r][3] = -gap->value[r];
  }
  if (!toi_eliminate(m, 3))
    return false;
  for (int j = 0; j < 4; j++) {
    step[j] = 0;
    for (int r = 0; r < 3; r++)
      step[j] += gap->slope[1 + j][r] * m[r][3];
  }
  return true;
}

static bool prove_crossing(const toi_prover *prover, toi_moment at, toi_moment *proved, double *t_hi) {
  toi_gap gap;
  toi_sides s = {{{0}}};
  for (int i = 0; i < CROSSING_STEPS; i++) {
    double step[4], longest = 0;
    toi_gap_at(prover, &at, false, &gap);
    if (!shortest_step(&gap, step))
      return false;
    for (int j = 0; j < 4; j++)
      longest = fabs(step[j]) > longest ? fabs(step[j]) : longest;
    double shorter = longest > STEP_MOST ? STEP_MOST / longest : 1;
    for (int j = 0; j < 4; j++)
      at.uv[j / 2][j % 2] += shorter * step[j];
    bool stopped = toi_sides_stop(prover, &at, &s);
    if (!stopped && longest < CONVERGED)
      break;
  }
  // Three of the four: frozen is the one that leaves the best system, a side's if the point lies on one.
  toi_sides on;
  toi_way all[4] = {{0, {1, 0}}, {0, {0, 1}}, {1, {1, 0}}, {1, {0, 1}}};
  toi_sides_find(prover, &at, &on);
  toi_gap_at(prover, &at, false, &gap);
  double best = 0;
  int frozen = -1;
  for (int f = 0; f < 4; f++) {
    const double *c[3];
    for (int j = 0, k = 0; j < 4; j++)
      if (j != f)
        c[k++] = gap.slope[1 + j];
    double size = fabs(toi_determinant(c[0], c[1], c[2])) /
                  (sqrt(toi_dot(c[0], c[0]) * toi_dot(c[1], c[1]) * toi_dot(c[2], c[2])) + 0x1p-900);
    if (on.on[f / 2][f % 2] || on.on[f / 2][f % 2 + 2])
      size *= 0x1p20;
    if (size > best) {
      best = size;
      frozen = f;
    }
  }
  if (frozen < 0)
    return false;
  toi_way ways[3];
  for (int j = 0, k = 0; j < 4; j++)
    if (j != frozen)
      ways[k++] = all[j];
  *proved = at;
  return toi_prove_touch(prover, ways, proved, t_hi);
}

/* --- all together --- */

/* The approach of the two regions: flat, then curved unless the finder stays, then proved. */
static bool find_approach(const toi_finder *finder, const toi_part regions[2], double t, toi_moment *proved,
                          double *t_hi) {
  const toi_prover *prover = &finder->prover;
  toi_moment at = {.t = t};
  toi_sides s;
  if (!toi_flat_guess(prover, regions, &at) && !finder->thorough)
    return false;
  toi_sides_find(prover, &at, &s);
  if (!finder->stay)
    least_time(prover, &at, &s);
  return prove_approach(finder, at, s, proved, t_hi);
}

/* The normal of a contact, on which way the shift of the second patch depends. */
static bool normal_at(const toi_prover *prover, const toi_moment *at, double n[3]) {
  toi_way ways[4];
  toi_sides s;
  toi_gap gap;
  toi_moment point = *at;
  toi_sides_find(prover, &point, &s);
  toi_gap_at(prover, &point, false, &gap);
  return first_normal(&gap, ways, toi_open_ways(prover, &s, ways), n);
}

/* A coordinate of the shift: the time falls the way that the normal points. First to the end of the cube, then, if the
 * normal turns on the way, by halves to where it does. */
typedef struct leaning {
  double lo, hi; /* where the best shift lies */
  bool tried;    /* an end of the cube */
} leaning;

/* True: the shift moved. */
static bool lean(leaning *l, double n, double *shift) {
  double before = *shift;
  if (n == 0)
    return false;
  if (n > 0)
    l->lo = *shift;
  else
    l->hi = *shift;
  *shift = l->tried ? 0.5 * (l->lo + l->hi) : n > 0 ? l->hi : l->lo;
  l->tried = true;
  return fabs(*shift - before) > 0x1p-24 * (fabs(l->lo) + fabs(l->hi));
}

/* From the difference of the points at the middle of the regions, as far as the separation reaches. */
static void first_shift(toi_finder *finder, const toi_moment *at) {
  toi_gap gap;
  toi_gap_at(&finder->prover, at, false, &gap);
  double weights = gap.jet[0].value[6] * gap.jet[1].value[6], d = finder->separation;
  for (int k = 0; k < 3; k++) {
    double x = gap.value[k] / weights;
    finder->prover.shift[k] = x > d ? d : x < -d ? -d : x;
  }
}

/* Against the second patch grown by a cube. */
static bool find_beside(toi_finder *finder, const toi_part regions[2], double t, toi_moment *proved, double *t_hi) {
  double *shift = finder->prover.shift, d = finder->separation;
  leaning leanings[3] = {{-d, d, false}, {-d, d, false}, {-d, d, false}};
  bool found = false, moved = true;
  first_shift(finder, proved);
  for (int round = 0; round < SHIFT_ROUNDS && moved; round++) {
    toi_moment at;
    double time, n[3];
    if (!find_approach(finder, regions, t, &at, &time) || !normal_at(&finder->prover, &at, n))
      break;
    if (!found || time < *t_hi) {
      *proved = at;
      *t_hi = time;
    }
    found = true;
    moved = false;
    double size = sqrt(toi_dot(n, n));
    for (int k = 0; k < 3; k++)
      moved |= lean(&leanings[k], fabs(n[k]) > 0x1p-30 * size ? n[k] : 0, &shift[k]);
  }
  memset(shift, 0, sizeof(finder->prover.shift));
  return found;
}

bool toi_find_touch(toi_finder *finder, const toi_piece *a, const toi_piece *b, double t, toi_touch *touch) {
  toi_prover *prover = &finder->prover;
  if (prover->root[0] != a->root || prover->root[1] != b->root)
    toi_prover_make(a->root, b->root, finder->separation, prover);
  toi_part regions[2] = {toi_part_of(a), toi_part_of(b)};
  toi_moment proved = {.t = t};
  for (int i = 0; i < 2; i++)
    memcpy(proved.uv[i], regions[i].middle, sizeof(proved.uv[i]));
  double t_hi = t;
  bool found;
  if (finder->separation > 0 && finder->norm == TOI_NORM_L2) {
    found = toi_find_within(finder, regions, t, &proved);
    t_hi = proved.t;
  } else if (finder->separation > 0) {
    found = t == 0 && toi_prove_within(finder, &proved) && proved.t == 0;
    if (!found)
      found = find_beside(finder, regions, t, &proved, &t_hi);
  } else {
    // Nothing is earlier than surfaces that cross at the start.
    toi_moment middle = proved;
    found =
        (t == 0 && prove_crossing(prover, middle, &proved, &t_hi)) || find_approach(finder, regions, t, &proved, &t_hi);
  }
  if (!found)
    return false;
  *touch = (toi_touch){.root = {a->root, b->root}, .at = proved};
  touch->at.t = t_hi;
  return true;
}
