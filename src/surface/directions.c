/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Sides of domains, and directions along and off them. */

#include "surface/directions.h"

#include <math.h>
#include <string.h>

/* Parameters closer than this to a side of the domain lie on it, to begin with. */
#define ON_SIDE 0x1p-30

/* Slopes are nothing that are smaller than this part of the lengths they are made of. */
#define LITTLE 0x1p-20

static int side_count(const toi_root *root) {
  return root->patch->shape == TOI_PATCH_QUAD ? 4 : 3;
}

/* The distance to a side, and the direction into the domain from there. */
static double side_distance(const toi_root *root, int side, const double uv[2]) {
  if (side < 2)
    return uv[side];
  return root->patch->shape == TOI_PATCH_QUAD ? 1 - uv[side - 2] : 1 - uv[0] - uv[1];
}

static void side_inward(const toi_root *root, int side, double direction[2]) {
  bool quad = root->patch->shape == TOI_PATCH_QUAD;
  direction[0] = side == 0 ? 1 : side == 2 ? -1 : 0;
  direction[1] = side == 1 ? 1 : side == 3 || (side == 2 && !quad) ? -1 : 0;
  if (side == 2 && !quad)
    direction[0] = direction[1] = -0.5;
}

/* The direction off a side that stays on the others which the point lies on: from a triangle's corner it leads along
 * the other side. */
static void direction_off(const toi_root *root, int side, const bool on[4], double direction[2]) {
  static const double along[3][3][2] = {
      {{0, 0}, {1, 0}, {1, -1}}, {{0, 1}, {0, 0}, {-1, 1}}, {{0, -1}, {-1, 0}, {0, 0}}};
  side_inward(root, side, direction);
  for (int other = 0; root->patch->shape == TOI_PATCH_TRIANGLE && other < 3; other++)
    if (other != side && on[other])
      memcpy(direction, along[side][other], sizeof(along[side][other]));
}

/* Puts a point that is on a side exactly there. */
static void put_on_side(const toi_root *root, int side, double uv[2]) {
  double direction[2], distance = side_distance(root, side, uv);
  side_inward(root, side, direction);
  for (int k = 0; k < 2; k++)
    uv[k] -= distance * direction[k];
}

int toi_free_directions(const toi_prover *prover, const toi_sides *s, toi_direction directions[5]) {
  int count = 0;
  directions[count++] = toi_direction_time();
  for (int i = 0; i < 2; i++) {
    const toi_root *root = prover->root[i];
    const bool *on = s->on[i];
    const uint32_t *degree = root->patch->degree;
    if (root->patch->shape == TOI_PATCH_QUAD) {
      if (!on[0] && !on[2] && degree[0] > 0)
        directions[count++] = toi_direction_of(i, 1, 0);
      if (!on[1] && !on[3] && degree[1] > 0)
        directions[count++] = toi_direction_of(i, 0, 1);
      continue;
    }
    int sides_on = on[0] + on[1] + on[2];
    if (sides_on == 0)
      directions[count++] = toi_direction_of(i, 1, 0);
    if (sides_on == 0 || (sides_on == 1 && on[0]))
      directions[count++] = toi_direction_of(i, 0, 1);
    if (sides_on == 1 && !on[0])
      directions[count++] = toi_direction_of(i, 1, on[1] ? 0 : -1);
  }
  return count;
}

bool toi_best_directions(const double slope[5][3], const toi_direction *directions, int count, toi_direction chosen[3],
                         double n[3]) {
  double best = 0;
  for (int i = 1; i < count; i++)
    for (int j = i + 1; j < count; j++) {
      double a[3], b[3], c[3];
      toi_slope_along(slope, &directions[i], a);
      toi_slope_along(slope, &directions[j], b);
      toi_cross(a, b, c);
      const double speed = toi_dot(c, slope[0]);
      const double size = fabs(speed) / (sqrt(toi_dot(a, a) * toi_dot(b, b)) + 0x1p-900);
      if (!(size > best))
        continue;
      best = size;
      for (int k = 0; k < 3; k++)
        n[k] = -c[k] / speed;
      if (chosen != NULL)
        memcpy(chosen, (toi_direction[3]){directions[0], directions[i], directions[j]}, 3 * sizeof(*chosen));
    }
  return best > 0 && isfinite(n[0]) && isfinite(n[1]) && isfinite(n[2]);
}

void toi_sides_find(const toi_prover *prover, toi_moment *at, toi_sides *s) {
  memset(s, 0, sizeof(*s));
  for (int i = 0; i < 2; i++)
    for (int side = 0; side < side_count(prover->root[i]); side++)
      if (side_distance(prover->root[i], side, at->uv[i]) < ON_SIDE) {
        s->on[i][side] = true;
        put_on_side(prover->root[i], side, at->uv[i]);
      }
}

bool toi_sides_stop(const toi_prover *prover, toi_moment *at, toi_sides *s) {
  bool stopped = false;
  for (int i = 0; i < 2; i++)
    for (int side = 0; side < side_count(prover->root[i]); side++)
      if (side_distance(prover->root[i], side, at->uv[i]) < 0) {
        stopped |= !s->on[i][side];
        s->on[i][side] = true;
        put_on_side(prover->root[i], side, at->uv[i]);
      }
  return stopped;
}

void toi_sides_leave(const toi_prover *prover, double far, toi_moment *at, toi_sides *s) {
  for (int i = 0; i < 2; i++)
    for (int side = 0; side < side_count(prover->root[i]); side++)
      if (s->on[i][side]) {
        double direction[2];
        side_inward(prover->root[i], side, direction);
        for (int k = 0; k < 2; k++)
          at->uv[i][k] += far * direction[k];
        s->on[i][side] = false;
      }
}

bool toi_sides_release(const toi_prover *prover, toi_sides *sides, const double slope[5][3], const double n[3]) {
  for (int i = 0; i < 2; i++) {
    const toi_root *root = prover->root[i];
    for (int side = 0; side < side_count(root); side++) {
      bool there = root->patch->shape == TOI_PATCH_TRIANGLE || root->patch->degree[side % 2] > 0;
      if (!sides->on[i][side] || !there)
        continue;
      double step[2], along[3];
      direction_off(root, side, sides->on[i], step);
      const toi_direction direction = toi_direction_of(i, step[0], step[1]);
      toi_slope_along(slope, &direction, along);
      if (toi_dot(n, along) < -LITTLE * sqrt(toi_dot(n, n) * toi_dot(along, along))) {
        sides->on[i][side] = false;
        return true;
      }
    }
  }
  return false;
}

bool toi_eliminate(double m[TOI_UNKNOWNS_MOST][TOI_UNKNOWNS_MOST + 1], int size) {
  for (int c = 0; c < size; c++) {
    int pivot = c;
    for (int r = c + 1; r < size; r++)
      pivot = fabs(m[r][c]) > fabs(m[pivot][c]) ? r : pivot;
    if (!(fabs(m[pivot][c]) > 0x1p-500))
      return false;
    for (int k = c; k <= size && pivot != c; k++) {
      double keep = m[c][k];
      m[c][k] = m[pivot][k];
      m[pivot][k] = keep;
    }
    for (int r = c + 1; r < size; r++) {
      double factor = m[r][c] / m[c][c];
      for (int k = c + 1; k <= size; k++)
        m[r][k] -= factor * m[c][k];
    }
  }
  for (int r = size - 1; r >= 0; r--) {
    for (int k = r + 1; k < size; k++)
      m[r][size] -= m[r][k] * m[k][size];
    m[r][size] /= m[r][r];
    if (!isfinite(m[r][size]))
      return false;
  }
  return true;
}
