/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The first contact of two pieces as if they were flat: the least t over their domains is a contact of a corner with a
 * face or of two edges, each a 3 x 3 system. */

#include "surface/ways.h"

#include <math.h>
#include <string.h>

toi_part toi_part_of(const toi_piece *piece) {
  const toi_patch *patch = piece->root->patch;
  double(*c)[2] = (double(*)[2])piece->corner;
  toi_part r = {.corners = 3};
  if (patch->shape == TOI_PATCH_TRIANGLE) {
    for (int k = 0; k < 2; k++)
      r.middle[k] = (c[0][k] + c[1][k] + c[2][k]) / 3;
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 2; k++)
        r.corner[i][k] = c[i][k] - r.middle[k];
    return r;
  }
  double half[2];
  for (int k = 0; k < 2; k++) {
    r.middle[k] = 0.5 * (c[0][k] + c[1][k]);
    half[k] = patch->degree[k] > 0 ? 0.5 * (c[1][k] - c[0][k]) : 0;
  }
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

bool toi_flat_guess(const toi_prover *prover, const toi_part regions[2], toi_moment *at) {
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
