/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Looking for the first time at which two patches come within a distance d, and proving it.
 *
 * Euclidean norm. With F the difference of two points, Newton's method solves |F|^2 = d^2 and F . dF = 0 along every
 * open way: the points are then nearest to each other, and d apart. The proof needs no theorem: at a time a little
 * later, the two points themselves are closer than d, all rounding counted.
 *
 * Largest coordinate. B grown by a cube touches A first at a place that the normal of the contact tells: the cube's
 * corner in its direction, or its middle along axes that the normal does not lean to. So A is tested against B shifted
 * by that vector, which is a contact as any other; the shift is found together with the normal, in a few rounds
 * (find.c).
 *
 * Claim: toi_prove_within is true only if the two points, as they are meant, are within d of each other. Why: G of
 * prove.h, without a shift, is F times both weights; |G| and its error over the least that the weights can be bounds
 * |F|. Some fifteen operations on positive numbers, correctly rounded each, err by less than 2^-48 of it. */

#include "surface/surface.h"
#include "surface/ways.h"

#include <math.h>
#include <string.h>

#define NEAREST_STEPS 8
#define NEWTON_STEPS 12
#define STEP_MOST 0.25
#define CONVERGED 0x1p-40
#define ROOM (1 + 0x1p-20)

/* The proof is tried this many times, each time later. */
#define PROOF_TRIES 12

/* --- Cartesian derivatives --- */

typedef struct cartesian {
  double point[3], velocity[3];
  double first[2][3], velocity_first[2][3];
  double second[3][3];
} cartesian;

/* From a jet whose positions are at time t: quotients by the weight. */
static void project(const toi_jet *jet, cartesian *c) {
  static const int left[3] = {0, 0, 1}, right[3] = {0, 1, 1};
  double w = jet->value[6];
  for (int k = 0; k < 3; k++) {
    c->point[k] = jet->value[k] / w;
    c->velocity[k] = jet->value[k + 3] / w;
    for (int i = 0; i < 2; i++) {
      c->first[i][k] = (jet->first[i][k] - c->point[k] * jet->first[i][6]) / w;
      c->velocity_first[i][k] = (jet->first[i][k + 3] - c->velocity[k] * jet->first[i][6]) / w;
    }
    for (int i = 0; i < 3; i++)
      c->second[i][k] = (jet->second[i][k] - c->first[left[i]][k] * jet->first[right[i]][6] -
                         c->first[right[i]][k] * jet->first[left[i]][6] - c->point[k] * jet->second[i][6]) /
                        w;
  }
}

/* F and its derivatives along ways. */
typedef struct difference {
  cartesian side[2];
  double value[3], by_time[3];
} difference;

static void difference_at(const toi_prover *prover, const toi_moment *at, difference *d) {
  toi_gap gap;
  toi_gap_at(prover, at, true, &gap);
  for (int i = 0; i < 2; i++)
    project(&gap.jet[i], &d->side[i]);
  for (int k = 0; k < 3; k++) {
    d->value[k] = d->side[0].point[k] - d->side[1].point[k];
    d->by_time[k] = d->side[0].velocity[k] - d->side[1].velocity[k];
  }
}

static void along(const double first[2][3], const toi_way *way, double out[3]) {
  double sign = way->patch == 0 ? 1 : -1;
  for (int k = 0; k < 3; k++)
    out[k] = sign * (way->step[0] * first[0][k] + way->step[1] * first[1][k]);
}

static void bend(const cartesian *c, const toi_way *i, const toi_way *j, double out[3]) {
  double sign = i->patch == 0 ? 1 : -1, mixed = i->step[0] * j->step[1] + i->step[1] * j->step[0];
  for (int k = 0; k < 3; k++)
    out[k] = sign * (i->step[0] * j->step[0] * c->second[0][k] + mixed * c->second[1][k] +
                     i->step[1] * j->step[1] * c->second[2][k]);
}

/* --- steps --- */

/* The equations F . dF = 0 along the ways, in rows and columns from `first` on; `curved`: with second derivatives. */
static void fill_nearest(const difference *d, const toi_way *ways, int count, bool curved,
                         double m[TOI_UNKNOWNS_MOST][TOI_UNKNOWNS_MOST + 1], int first) {
  int size = first + count;
  for (int i = 0; i < count; i++) {
    double slope[3], other[3];
    along((const double(*)[3])d->side[ways[i].patch].first, &ways[i], slope);
    for (int j = 0; j < count; j++) {
      along((const double(*)[3])d->side[ways[j].patch].first, &ways[j], other);
      m[first + i][first + j] = toi_dot(slope, other);
      if (curved && ways[i].patch == ways[j].patch) {
        bend(&d->side[ways[i].patch], &ways[i], &ways[j], other);
        m[first + i][first + j] += toi_dot(d->value, other);
      }
    }
    m[first + i][size] = -toi_dot(d->value, slope);
    if (first == 0) {
      m[i][i] *= 1 + 0x1p-20;
      continue;
    }
    along((const double(*)[3])d->side[ways[i].patch].velocity_first, &ways[i], other);
    m[first + i][0] = toi_dot(d->by_time, slope) + toi_dot(d->value, other);
    m[0][first + i] = toi_dot(d->value, slope);
  }
}

/* Goes along the ways by the solution of a system, not too far; the longest step. */
static double go(toi_moment *at, const toi_way *ways, int count, double m[TOI_UNKNOWNS_MOST][TOI_UNKNOWNS_MOST + 1],
                 int first) {
  int size = first + count;
  double longest = 0;
  for (int i = 0; i < count; i++)
    longest = fabs(m[first + i][size]) > longest ? fabs(m[first + i][size]) : longest;
  double shorter = longest > STEP_MOST ? STEP_MOST / longest : 1;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 2; k++)
      at->uv[ways[i].patch][k] += shorter * m[first + i][size] * ways[i].step[k];
  if (first)
    at->t += shorter * m[0][size];
  return longest;
}

static double closer(const void *user, const toi_way *way) {
  const difference *d = user;
  double slope[3];
  along((const double(*)[3])d->side[way->patch].first, way, slope);
  double change = toi_dot(d->value, slope),
         least = -0x1p-20 * sqrt(toi_dot(slope, slope) * toi_dot(d->value, d->value));
  return change < least ? change : 0;
}

/* Nearest points at the time of *at, roughly. */
static void nearest(const toi_prover *prover, toi_moment *at, toi_sides *sides) {
  for (int step = 0; step < NEAREST_STEPS; step++) {
    double m[TOI_UNKNOWNS_MOST][TOI_UNKNOWNS_MOST + 1] = {{0}};
    toi_way ways[4];
    difference d;
    difference_at(prover, at, &d);
    for (bool released = true; released;)
      released = toi_sides_release(prover, sides, closer, &d);
    int count = toi_open_ways(prover, sides, ways);
    fill_nearest(&d, ways, count, false, m, 0);
    if (count == 0 || !toi_eliminate(m, count))
      return;
    double moved = go(at, ways, count, m, 0);
    if (!toi_sides_stop(prover, at, sides) && moved < 0x1p-10)
      return;
  }
}

/* The time at which nearest points are d apart. */
static bool meeting(const toi_prover *prover, double separation, toi_moment *at, toi_sides *sides) {
  for (int step = 0; step < NEWTON_STEPS; step++) {
    double m[TOI_UNKNOWNS_MOST][TOI_UNKNOWNS_MOST + 1] = {{0}};
    toi_way ways[4];
    difference d;
    difference_at(prover, at, &d);
    int count = toi_open_ways(prover, sides, ways);
    fill_nearest(&d, ways, count, true, m, 1);
    m[0][0] = toi_dot(d.value, d.by_time);
    m[0][1 + count] = 0.5 * (separation * separation - toi_dot(d.value, d.value));
    if (!toi_eliminate(m, 1 + count))
      return false;
    double moved = go(at, ways, count, m, 1);
    at->t = at->t > 0 ? at->t < prover->t_max ? at->t : prover->t_max : 0;
    bool stopped = toi_sides_stop(prover, at, sides);
    if (!stopped && moved < CONVERGED && fabs(m[0][1 + count]) < 0x1p-46 * prover->t_max) {
      difference_at(prover, at, &d);
      if (!toi_sides_release(prover, sides, closer, &d))
        return true;
    }
  }
  return true;
}

/* --- proof --- */

/* At most this far apart are the two points, in the finder's norm. */
static double distance_most(const toi_finder *finder, const toi_gap *gap) {
  const toi_prover *prover = &finder->prover;
  double weights = 1, parts[3];
  for (int i = 0; i < 2; i++) {
    double w = gap->jet[i].value[6] - prover->weight_error[i];
    if (!(w > 0))
      return INFINITY;
    weights *= w;
  }
  for (int k = 0; k < 3; k++)
    parts[k] = (fabs(gap->value[k]) + prover->value_error) / weights;
  double most = parts[0] > parts[1] ? parts[0] : parts[1];
  most = parts[2] > most ? parts[2] : most;
  if (finder->norm == TOI_NORM_LINF)
    return most * (1 + 0x1p-48);
  // As parts of the largest, which is not zero: an error is not. Nothing that counts underflows.
  double square = 0;
  for (int k = 0; k < 3; k++)
    square += (parts[k] / most) * (parts[k] / most);
  return most * sqrt(square) * (1 + 0x1p-48);
}

bool toi_prove_within(const toi_finder *finder, toi_moment *at) {
  toi_gap gap;
  toi_moment_settle(&finder->prover, at);
  for (int k = 0; k < 2; k++)
    if (!toi_root_holds(finder->prover.root[k], at->uv[k]))
      return false;
  toi_moment later = *at;
  toi_gap_at(&finder->prover, at, false, &gap);
  double speed = sqrt(toi_dot(gap.slope[0], gap.slope[0]));
  double delay = 16 * finder->prover.value_error / speed;
  for (int i = 0; i < PROOF_TRIES && later.t <= finder->prover.t_max; i++) {
    toi_gap_at(&finder->prover, &later, false, &gap);
    if (distance_most(finder, &gap) <= finder->separation) {
      *at = later;
      return true;
    }
    later.t = at->t + ldexp(delay, 3 * i);
  }
  return false;
}

bool toi_find_within(const toi_finder *finder, const toi_part regions[2], double t, toi_moment *found) {
  const toi_prover *prover = &finder->prover;
  toi_moment at = {.t = t};
  toi_sides sides;
  for (int i = 0; i < 2; i++)
    memcpy(at.uv[i], regions[i].middle, sizeof(at.uv[i]));
  toi_sides_find(prover, &at, &sides);
  nearest(prover, &at, &sides);
  toi_moment now = at;
  if (t == 0 && toi_prove_within(finder, &now) && now.t == 0) {
    *found = now;
    return true;
  }
  if (!meeting(prover, finder->separation, &at, &sides))
    return false;
  *found = at;
  return toi_prove_within(finder, found);
}
