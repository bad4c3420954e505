/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Looking for the first contact near two pieces. Guesses need no proof: what is found goes to toi_prove_touch, and a
 * bad guess costs time only.
 *
 * 1. A least t is guessed: guess.c.
 * 2. Time and two of the open directions are proved as unknowns, the rest frozen.
 * If this fails, the surfaces may cross without approaching: G = 0 is solved at the frozen time.
 *
 * Separations. In the Euclidean norm the guess is one of points d apart, and the proof needs no theorem: at a time a
 * little later, the two points themselves are closer than d, all rounding counted. In the norm of the largest
 * coordinate B grown by a cube touches A first at a place that the normal of the contact tells: the cube's corner in
 * its direction, or its middle along axes that the normal does not lean to. So A is tested against B shifted by that
 * vector, which is a contact as any other; the shift is found together with the normal, in a few rounds.
 *
 * Claim: toi_prove_within is true only if the two points, as they are meant, are within d of each other. Why: G of
 * prove.h, without a shift, is F times both weights; |G| and its error over the least that the weights can be bounds
 * |F|. Some fifteen operations on positive numbers, correctly rounded each, err by less than 2^-48 of it. */

#include "surface/directions.h"
#include "surface/surface.h"

#include <math.h>
#include <string.h>

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

/* The rounding of a distance: see the claim. */
#define WITHIN_OUTWARD (1 + 32 * TOI_UNIT)

/* The proof of a separation is tried this many times, each time later. */
#define PROOF_TRIES 12

/* --- proofs --- */

/* Time and the four parameters. */
static const toi_direction unknowns[5] = {
    {{1, 0, 0, 0, 0}}, {{0, 1, 0, 0, 0}}, {{0, 0, 1, 0, 0}}, {{0, 0, 0, 1, 0}}, {{0, 0, 0, 0, 1}}};

/* With time and any two of the directions: where points lie on many sides at once, or an edge has no length, the best
 * two on paper may not be the ones that stay in the domain. */
static bool prove_any(const toi_prover *prover, const toi_moment *at, const toi_direction *directions, int count,
                      toi_moment *proved, double *t_hi) {
  for (int i = 1; i < count; i++)
    for (int j = i + 1; j < count; j++) {
      toi_direction chosen[3] = {directions[0], directions[i], directions[j]};
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
      if (prove_any(prover, &turned, unknowns, 5, proved, t_hi))
        return true;
    }
  return false;
}

static bool prove_approach(const toi_finder *finder, toi_moment at, toi_sides s, toi_moment *proved, double *t_hi) {
  const toi_prover *prover = &finder->prover;
  toi_direction directions[5], chosen[3];
  double n[3];
  toi_gap gap;
  int count = toi_free_directions(prover, &s, directions);
  toi_gap_at(prover, &at, false, &gap);
  *proved = at;
  if (toi_best_directions((const double(*)[3])gap.slope, directions, count, chosen, n) &&
      toi_prove_touch(prover, chosen, proved, t_hi))
    return true;
  // A little off the sides, and farther if there is reason to be thorough.
  int farthest = finder->thorough ? INWARD_TRIES : 1;
  for (int i = 0; i < farthest; i++) {
    toi_moment inside = at;
    toi_sides none = s;
    double far = ldexp(INWARD, INWARD_STEP * i);
    toi_sides_leave(prover, far, &inside, &none);
    count = toi_free_directions(prover, &none, directions);
    if (prove_any(prover, &inside, directions, count, proved, t_hi) ||
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
      at.x[1 + j] += shorter * step[j];
    bool stopped = toi_sides_stop(prover, &at, &s);
    if (!stopped && longest < CONVERGED)
      break;
  }
  // Three of the four: frozen is the one that leaves the best system, a side's if the point lies on one.
  toi_sides on;
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
  toi_direction directions[3];
  for (int j = 0, k = 0; j < 4; j++)
    if (j != frozen)
      directions[k++] = unknowns[1 + j];
  *proved = at;
  return toi_prove_touch(prover, directions, proved, t_hi);
}

/* --- points within a distance --- */

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
    return most * WITHIN_OUTWARD;
  // As parts of the largest, which is not zero: an error is not. Nothing that counts underflows.
  double square = 0;
  for (int k = 0; k < 3; k++)
    square += (parts[k] / most) * (parts[k] / most);
  return most * sqrt(square) * WITHIN_OUTWARD;
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

/* In the Euclidean norm: points within the separation, proved. */
static bool find_within(const toi_finder *finder, toi_moment *found) {
  const toi_prover *prover = &finder->prover;
  toi_moment at = *found;
  toi_sides sides;
  toi_sides_find(prover, &at, &sides);
  toi_guess_nearest(prover, &at, &sides);
  *found = at;
  if (at.t == 0 && toi_prove_within(finder, found) && found->t == 0)
    return true;
  bool guessed = toi_guess_apart(prover, finder->separation, &at, &sides);
  *found = at;
  return guessed && toi_prove_within(finder, found);
}

/* --- all together --- */

/* The approach of the two regions: flat, then curved unless the finder stays, then proved. */
static bool find_approach(const toi_finder *finder, const toi_part regions[2], double t, toi_moment *proved,
                          double *t_hi) {
  const toi_prover *prover = &finder->prover;
  toi_moment at = {.t = t};
  toi_sides s;
  if (!toi_guess_flat(prover, regions, &at) && !finder->thorough)
    return false;
  toi_sides_find(prover, &at, &s);
  if (!finder->stay)
    toi_guess_least_time(prover, &at, &s);
  return prove_approach(finder, at, s, proved, t_hi);
}

/* The normal of a contact, on which way the shift of the second patch depends. */
static bool normal_at(const toi_prover *prover, const toi_moment *at, double n[3]) {
  toi_direction directions[5];
  toi_sides s;
  toi_gap gap;
  toi_moment point = *at;
  toi_sides_find(prover, &point, &s);
  toi_gap_at(prover, &point, false, &gap);
  return toi_best_directions((const double(*)[3])gap.slope, directions, toi_free_directions(prover, &s, directions),
                             NULL, n);
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
    found = find_within(finder, &proved);
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
