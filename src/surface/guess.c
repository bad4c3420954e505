/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Guesses of the first contact of two pieces.
 *
 * Flat: as if the pieces were flat at their middles, the least t over their domains is a contact of a corner with a
 * face or of two edges, each a 3 x 3 system.
 *
 * Curved: Newton's method on the conditions of a least t. With F the difference of the two points and L = t + n . F,
 * F = 0, and the derivatives of L are zero by t and along every direction that is open to either point (none into a
 * side of the domain that it lies on). Points that run into a side stay there; sides that hold a point back to no end
 * let it go. Points a distance d apart: |F|^2 = d^2, and F . dF = 0 along every open direction, as the points are
 * nearest. */

#include "surface/directions.h"

#include <math.h>
#include <string.h>

/* Steps at most: to a least time, to nearest points, and to points apart. */
#define LEAST_STEPS 10
#define NEAREST_STEPS 8
#define APART_STEPS 12

/* Steps in the parameters: the longest, and those at which a guess has converged, exactly and roughly. */
#define STEP_MOST 0.25
#define CONVERGED 0x1p-40
#define CONVERGED_ROUGHLY 0x1p-10
#define CONVERGED_TIME 0x1p-46

/* --- flat --- */

toi_part toi_part_of(const toi_piece *piece) {
  const toi_patch *patch = piece->root->patch;
  double(*c)[2] = (double(*)[2])piece->corner;
  toi_part r = {.corners = 3};
  toi_piece_middle(piece, r.middle);
  if (patch->shape == TOI_PATCH_TRIANGLE) {
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 2; k++)
        r.corner[i][k] = c[i][k] - r.middle[k];
    return r;
  }
  double half[2];
  for (int k = 0; k < 2; k++)
    half[k] = patch->degree[k] > 0 ? 0.5 * (c[1][k] - c[0][k]) : 0;
  double corner[4][2] = {{-half[0], -half[1]}, {half[0], -half[1]}, {half[0], half[1]}, {-half[0], half[1]}};
  memcpy(r.corner, corner, sizeof(corner));
  r.corners = half[0] > 0 && half[1] > 0 ? 4 : half[0] > 0 || half[1] > 0 ? 2 : 1;
  if (half[0] == 0)
    r.corner[1][1] = half[1];
  return r;
}

/* How far outside of the region a place is, as a part of the region's size; 0: inside. */
static double outside(const toi_part *r, const double at[2]) {
  if (r->corners < 3)
    return 0;
  double most = 0;
  for (int i = 0; i < r->corners; i++) {
    const double *p = r->corner[i], *q = r->corner[(i + 1) % r->corners];
    double side = (q[0] - p[0]) * (at[1] - p[1]) - (q[1] - p[1]) * (at[0] - p[0]);
    double whole = -(q[0] - p[0]) * p[1] + (q[1] - p[1]) * p[0];
    double beyond = -side / whole;
    most = beyond > most ? beyond : most;
  }
  return most;
}

/* The flat problem: G + t Gt + A a + B b = 0, and its best solution so far. */
typedef struct flat {
  const toi_gap *gap;
  const toi_part *region[2];
  double time, violation;
  double place[2][2]; /* relative to the middles */
  bool found;
} flat;

static void along(const toi_gap *gap, int patch, const double step[2], double out[3]) {
  for (int k = 0; k < 3; k++)
    out[k] = step[0] * gap->slope[1 + 2 * patch][k] + step[1] * gap->slope[2 + 2 * patch][k];
}

static void offer(flat *f, double time, double violation, double (*place)[2]) {
  if (!isfinite(time) || !(violation < 1))
    return;
  bool inside = violation <= 0x1p-20, was_inside = f->found && f->violation <= 0x1p-20;
  bool better = !f->found || (inside != was_inside ? inside : inside ? time < f->time : violation < f->violation);
  if (!better)
    return;
  *f = (flat){f->gap, {f->region[0], f->region[1]}, time, violation, {{0}}, true};
  memcpy(f->place, place, sizeof(f->place));
}

/* Solves time, s, r in G + time Gt + base + s first + r second = 0 by Cramer's rule. */
static bool solve(const toi_gap *gap, const double base[3], const double first[3], const double second[3],
                  double out[3]) {
  double right[3];
  for (int k = 0; k < 3; k++)
    right[k] = -gap->value[k] - base[k];
  double all = toi_determinant(gap->slope[0], first, second);
  out[0] = toi_determinant(right, first, second) / all;
  out[1] = toi_determinant(gap->slope[0], right, second) / all;
  out[2] = toi_determinant(gap->slope[0], first, right) / all;
  return isfinite(out[0]) && isfinite(out[1]) && isfinite(out[2]);
}

static void corners_on_faces(flat *f, int face) {
  const toi_part *r = f->region[face], *other = f->region[1 - face];
  if (r->corners < 3)
    return;
  for (int i = 0; i < other->corners; i++) {
    double base[3], s[3], place[2][2];
    along(f->gap, 1 - face, other->corner[i], base);
    if (!solve(f->gap, base, f->gap->slope[1 + 2 * face], f->gap->slope[2 + 2 * face], s))
      continue;
    memcpy(place[1 - face], other->corner[i], sizeof(place[0]));
    memcpy(place[face], s + 1, sizeof(place[0]));
    offer(f, s[0], outside(r, s + 1), place);
  }
}

static double beyond_unit(double s) {
  return s < 0 ? -s : s > 1 ? s - 1 : 0;
}

static void edges_on_edges(flat *f) {
  const toi_part *a = f->region[0], *b = f->region[1];
  int edges_a = a->corners == 2 ? 1 : a->corners, edges_b = b->corners == 2 ? 1 : b->corners;
  if (a->corners < 2 || b->corners < 2)
    return;
  for (int i = 0; i < edges_a; i++)
    for (int j = 0; j < edges_b; j++) {
      const double *p = a->corner[i], *p1 = a->corner[(i + 1) % a->corners];
      const double *q = b->corner[j], *q1 = b->corner[(j + 1) % b->corners];
      double p_way[2] = {p1[0] - p[0], p1[1] - p[1]}, q_way[2] = {q1[0] - q[0], q1[1] - q[1]};
      double base[3], more[3], first[3], second[3], s[3], place[2][2];
      along(f->gap, 0, p, base);
      along(f->gap, 1, q, more);
      for (int k = 0; k < 3; k++)
        base[k] += more[k];
      along(f->gap, 0, p_way, first);
      along(f->gap, 1, q_way, second);
      if (!solve(f->gap, base, first, second, s))
        continue;
      for (int k = 0; k < 2; k++) {
        place[0][k] = p[k] + s[1] * p_way[k];
        place[1][k] = q[k] + s[2] * q_way[k];
      }
      double worse = beyond_unit(s[1]) > beyond_unit(s[2]) ? beyond_unit(s[1]) : beyond_unit(s[2]);
      offer(f, s[0], worse, place);
    }
}

bool toi_guess_flat(const toi_prover *prover, const toi_part regions[2], toi_moment *at) {
  toi_gap gap;
  for (int i = 0; i < 2; i++)
    memcpy(at->uv[i], regions[i].middle, sizeof(at->uv[i]));
  toi_gap_at(prover, at, false, &gap);
  flat f = {.gap = &gap, .region = {&regions[0], &regions[1]}};
  corners_on_faces(&f, 0);
  corners_on_faces(&f, 1);
  edges_on_edges(&f);
  if (!f.found)
    return false;
  double t = at->t + f.time;
  at->t = t > 0 ? t < prover->t_max ? t : prover->t_max : 0;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++)
      at->uv[i][k] += f.place[i][k];
  return true;
}

/* --- least time --- */

/* F and its derivatives by t, u1, v1, u2, v2. */
typedef struct difference {
  double value[3], slope[5][3], second[5][5][3];
} difference;

/* From homogeneous jets, by quotients; the prover's shift is taken off. */
static void difference_at(const toi_prover *prover, const toi_moment *at, difference *d) {
  static const int left[3] = {0, 0, 1}, right[3] = {0, 1, 1};
  toi_gap gap;
  toi_gap_at(prover, at, true, &gap);
  memset(d, 0, sizeof(*d));
  for (int patch = 0; patch < 2; patch++) {
    const toi_jet *jet = &gap.jet[patch];
    const double by_weight = 1 / jet->value[6], sign = patch == 0 ? by_weight : -by_weight;
    const int u = 1 + 2 * patch;
    for (int k = 0; k < 3; k++) {
      const double point = jet->value[k] * by_weight, velocity = jet->value[k + 3] * by_weight;
      double first[2];
      d->value[k] += patch == 0 ? point : -point;
      d->slope[0][k] += patch == 0 ? velocity : -velocity;
      for (int i = 0; i < 2; i++) {
        const double by_time = jet->first[i][k + 3] - velocity * jet->first[i][6];
        first[i] = (jet->first[i][k] - point * jet->first[i][6]) * by_weight;
        d->slope[u + i][k] = patch == 0 ? first[i] : -first[i];
        d->second[0][u + i][k] = d->second[u + i][0][k] = sign * by_time;
      }
      for (int i = 0; i < 3; i++) {
        const int l = left[i], r = right[i];
        const double mixed = first[l] * jet->first[r][6] + first[r] * jet->first[l][6];
        d->second[u + l][u + r][k] = d->second[u + r][u + l][k] =
            sign * (jet->second[i][k] - mixed - point * jet->second[i][6]);
      }
    }
  }
}

/* n . F's second derivative along two directions. */
static double bend(const difference *d, const double n[3], const toi_direction *i, const toi_direction *j) {
  double sum = 0;
  for (int a = 0; a < 5; a++)
    for (int b = 0; b < 5 && i->d[a] != 0; b++)
      if (j->d[b] != 0)
        sum += i->d[a] * j->d[b] * toi_dot(n, d->second[a][b]);
  return sum;
}

/* Goes along the directions by a solution, not too far in the parameters; the longest step there. *part: of the step.
 */
static double go(const toi_direction *directions, int count, const double *step, toi_moment *at, double *part) {
  double longest = 0;
  for (int i = 0; i < count; i++)
    longest = directions[i].d[0] == 0 && fabs(step[i]) > longest ? fabs(step[i]) : longest;
  *part = longest > STEP_MOST ? STEP_MOST / longest : 1;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 5; k++)
      at->x[k] += *part * step[i] * directions[i].d[k];
  return longest;
}

/* The solution of a system, from its last column. */
static bool solved(double m[TOI_UNKNOWNS_MOST][TOI_UNKNOWNS_MOST + 1], int size, double step[TOI_UNKNOWNS_MOST]) {
  bool regular = toi_eliminate(m, size);
  for (int i = 0; i < size; i++)
    step[i] = m[i][size];
  return regular;
}

/* One step towards a least time: unknowns along the directions, and n. Gives the longest step in the parameters. */
static bool newton_step(const difference *d, const toi_direction *directions, int count, double n[3], toi_moment *at,
                        double *moved) {
  double m[TOI_UNKNOWNS_MOST][TOI_UNKNOWNS_MOST + 1] = {{0}}, step[TOI_UNKNOWNS_MOST] = {0}, part;
  const int size = count + 3;
  for (int i = 0; i < count; i++) {
    double slope[3], *row = m[3 + i];
    toi_slope_along(d->slope, &directions[i], slope);
    for (int k = 0; k < 3; k++)
      m[k][i] = row[count + k] = slope[k];
    for (int j = 0; j < count; j++)
      row[j] = j < i ? m[3 + j][i] : bend(d, n, &directions[i], &directions[j]);
    row[size] = -directions[i].d[0] - toi_dot(n, slope);
  }
  for (int k = 0; k < 3; k++)
    m[k][size] = -d->value[k];
  if (!solved(m, size, step))
    return false;
  *moved = go(directions, count, step, at, &part);
  for (int k = 0; k < 3; k++)
    n[k] += part * step[count + k];
  return true;
}

void toi_guess_least_time(const toi_prover *prover, toi_moment *at, toi_sides *sides) {
  toi_moment guess = *at;
  toi_sides guess_sides = *sides;
  double n[3];
  bool have_normal = false, converged = false;
  for (int i = 0; i < LEAST_STEPS; i++) {
    toi_direction directions[5];
    difference d;
    int count = toi_free_directions(prover, &guess_sides, directions);
    difference_at(prover, &guess, &d);
    have_normal = have_normal || toi_best_directions((const double(*)[3])d.slope, directions, count, NULL, n);
    if (!have_normal || count < 3)
      return;
    if (converged) {
      *at = guess;
      *sides = guess_sides;
      if (!toi_sides_release(prover, &guess_sides, (const double(*)[3])d.slope, n))
        return;
      converged = false;
      continue;
    }
    double moved;
    if (!newton_step(&d, directions, count, n, &guess, &moved))
      return;
    converged = !toi_sides_stop(prover, &guess, &guess_sides) && moved < CONVERGED;
    if (!(fabs(guess.t) < 4 * prover->t_max))
      return;
  }
}

/* --- points apart --- */

/* F . dF = 0 along the directions, behind an equation of time or without one, and without second derivatives. */
static void fill_nearest(const difference *d, const toi_direction *directions, int count, bool timed,
                         double m[TOI_UNKNOWNS_MOST][TOI_UNKNOWNS_MOST + 1]) {
  double slope[5][3];
  for (int i = 0; i < count; i++) {
    toi_slope_along(d->slope, &directions[i], slope[i]);
    for (int j = 0; j <= i; j++)
      m[i][j] = m[j][i] = toi_dot(slope[i], slope[j]) + (timed ? bend(d, d->value, &directions[i], &directions[j]) : 0);
    m[i][i] *= timed ? 1 : 1 + 0x1p-20;
    m[i][count] = -toi_dot(d->value, slope[i]);
  }
  for (int i = 0; i < count && timed; i++)
    m[0][i] = toi_dot(d->value, slope[i]);
}

void toi_guess_nearest(const toi_prover *prover, toi_moment *at, toi_sides *sides) {
  for (int round = 0; round < NEAREST_STEPS; round++) {
    double m[TOI_UNKNOWNS_MOST][TOI_UNKNOWNS_MOST + 1] = {{0}}, step[TOI_UNKNOWNS_MOST] = {0}, part;
    toi_direction directions[5];
    difference d;
    difference_at(prover, at, &d);
    for (bool released = true; released;)
      released = toi_sides_release(prover, sides, (const double(*)[3])d.slope, d.value);
    const int count = toi_free_directions(prover, sides, directions) - 1;
    fill_nearest(&d, directions + 1, count, false, m);
    if (count == 0 || !solved(m, count, step))
      return;
    const double moved = go(directions + 1, count, step, at, &part);
    if (!toi_sides_stop(prover, at, sides) && moved < CONVERGED_ROUGHLY)
      return;
  }
}

bool toi_guess_apart(const toi_prover *prover, double distance, toi_moment *at, toi_sides *sides) {
  for (int round = 0; round < APART_STEPS; round++) {
    double m[TOI_UNKNOWNS_MOST][TOI_UNKNOWNS_MOST + 1] = {{0}}, step[TOI_UNKNOWNS_MOST] = {0}, part;
    toi_direction directions[5];
    difference d;
    difference_at(prover, at, &d);
    const int count = toi_free_directions(prover, sides, directions);
    fill_nearest(&d, directions, count, true, m);
    m[0][count] = 0.5 * (distance * distance - toi_dot(d.value, d.value));
    if (!solved(m, count, step))
      return false;
    const double moved = go(directions, count, step, at, &part);
    at->t = at->t > 0 ? at->t < prover->t_max ? at->t : prover->t_max : 0;
    if (toi_sides_stop(prover, at, sides) || moved >= CONVERGED || fabs(step[0]) >= CONVERGED_TIME * prover->t_max)
      continue;
    difference_at(prover, at, &d);
    if (!toi_sides_release(prover, sides, (const double(*)[3])d.slope, d.value))
      return true;
  }
  return true;
}
