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

#include <math.h>
#include <string.h>

#define NEWTON_STEPS 10
#define CROSSING_STEPS 16
#define UNKNOWNS_MOST 8
#define STEP_MOST 0.25
#define CONVERGED 0x1p-40

/* Parameters closer than this to a side of the domain lie on it, to begin with. */
#define ON_SIDE 0x1p-30

/* Where no two ways are open, points are moved this far into the domain. */
#define INWARD 0x1p-34

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double n[3]) {
  n[0] = a[1] * b[2] - a[2] * b[1];
  n[1] = a[2] * b[0] - a[0] * b[2];
  n[2] = a[0] * b[1] - a[1] * b[0];
}

static double determinant(const double a[3], const double b[3], const double c[3]) {
  double n[3];
  cross(b, c, n);
  return dot(a, n);
}

/* --- 1. flat pieces --- */

/* The part of a piece's domain that a point can be in, around its middle. */
typedef struct region {
  double middle[2];
  double corner[4][2]; /* relative to the middle, in turn */
  int corners;         /* 4, 3; 2 for a curve, 1 for a point */
} region;

static region region_of(const toi_piece *piece) {
  const toi_patch *patch = piece->root->patch;
  double(*c)[2] = (double(*)[2])piece->corner;
  region r = {.corners = 3};
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
static double outside(const region *r, const double at[2]) {
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
  const region *region[2];
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
  double all = determinant(gap->slope[0], first, second);
  out[0] = determinant(right, first, second) / all;
  out[1] = determinant(gap->slope[0], right, second) / all;
  out[2] = determinant(gap->slope[0], first, right) / all;
  return isfinite(out[0]) && isfinite(out[1]) && isfinite(out[2]);
}

static void corners_on_faces(flat *f, int face) {
  const region *r = f->region[face], *other = f->region[1 - face];
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
  const region *a = f->region[0], *b = f->region[1];
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

/* False: no solution; *at is where the pieces' middles are. */
static bool flat_contact(const toi_prover *prover, const region regions[2], toi_moment *at) {
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

/* --- sides of the domain --- */

/* Which sides of its domain a point lies on: u = 0, v = 0, u = 1, v = 1; a triangle's third is u + v = 1. */
typedef struct sides {
  bool on[2][4];
} sides;

static int side_count(const toi_root *root) {
  return root->patch->shape == TOI_PATCH_QUAD ? 4 : 3;
}

/* The distance to a side, and the way into the domain from there. */
static double side_distance(const toi_root *root, int side, const double uv[2]) {
  if (side < 2)
    return uv[side];
  return root->patch->shape == TOI_PATCH_QUAD ? 1 - uv[side - 2] : 1 - uv[0] - uv[1];
}

static void side_inward(const toi_root *root, int side, double way[2]) {
  bool quad = root->patch->shape == TOI_PATCH_QUAD;
  way[0] = side == 0 ? 1 : side == 2 ? -1 : 0;
  way[1] = side == 1 ? 1 : side == 3 || (side == 2 && !quad) ? -1 : 0;
  if (side == 2 && !quad)
    way[0] = way[1] = -0.5;
}

/* The way off a side that stays on the others which the point lies on: from a triangle's corner it leads along the
 * other side. */
static void way_off(const toi_root *root, int side, const bool on[4], double way[2]) {
  static const double along[3][3][2] = {
      {{0, 0}, {1, 0}, {1, -1}}, {{0, 1}, {0, 0}, {-1, 1}}, {{0, -1}, {-1, 0}, {0, 0}}};
  side_inward(root, side, way);
  for (int other = 0; root->patch->shape == TOI_PATCH_TRIANGLE && other < 3; other++)
    if (other != side && on[other])
      memcpy(way, along[side][other], sizeof(along[side][other]));
}

/* Puts a point that is on a side exactly there. */
static void put_on_side(const toi_root *root, int side, double uv[2]) {
  double way[2], distance = side_distance(root, side, uv);
  side_inward(root, side, way);
  for (int k = 0; k < 2; k++)
    uv[k] -= distance * way[k];
}

/* The ways open to both points: two for each that is on no side, one along a side, none in a corner. */
static int open_ways(const toi_prover *prover, const sides *s, toi_way ways[4]) {
  int count = 0;
  for (int i = 0; i < 2; i++) {
    const toi_root *root = prover->root[i];
    const bool *on = s->on[i];
    const uint32_t *degree = root->patch->degree;
    if (root->patch->shape == TOI_PATCH_QUAD) {
      if (!on[0] && !on[2] && degree[0] > 0)
        ways[count++] = (toi_way){i, {1, 0}};
      if (!on[1] && !on[3] && degree[1] > 0)
        ways[count++] = (toi_way){i, {0, 1}};
      continue;
    }
    int sides_on = on[0] + on[1] + on[2];
    if (sides_on == 0)
      ways[count++] = (toi_way){i, {1, 0}};
    if (sides_on == 0 || (sides_on == 1 && on[0]))
      ways[count++] = (toi_way){i, {0, 1}};
    if (sides_on == 1 && !on[0])
      ways[count++] = on[1] ? (toi_way){i, {1, 0}} : (toi_way){i, {1, -1}};
  }
  return count;
}

static void find_sides(const toi_prover *prover, toi_moment *at, sides *s) {
  memset(s, 0, sizeof(*s));
  for (int i = 0; i < 2; i++)
    for (int side = 0; side < side_count(prover->root[i]); side++)
      if (side_distance(prover->root[i], side, at->uv[i]) < ON_SIDE) {
        s->on[i][side] = true;
        put_on_side(prover->root[i], side, at->uv[i]);
      }
}

/* Points that left the domain go back to the side they crossed, and stay on it. True: one did. */
static bool stop_at_sides(const toi_prover *prover, toi_moment *at, sides *s) {
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

/* --- 2. least time --- */

/* The normal for which L is stationary by t and along two ways: the flat problem's. */
static bool first_normal(const toi_gap *gap, const toi_way ways[4], int count, double n[3]) {
  double best = 0;
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++) {
      double a[3], b[3], c[3];
      toi_gap_slope(gap, &ways[i], a);
      toi_gap_slope(gap, &ways[j], b);
      cross(a, b, c);
      double speed = dot(c, gap->slope[0]);
      double weight = fabs(speed) / (sqrt(dot(a, a) * dot(b, b)) + 0x1p-900);
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

/* Gauss's elimination with row pivots; the solution replaces the last column. */
static bool eliminate(double m[UNKNOWNS_MOST][UNKNOWNS_MOST + 1], int size) {
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

/* One step of Newton's method: unknowns t, along the ways, n. Gives the longest step in the parameters. */
static bool newton_step(const toi_gap *gap, const toi_way *ways, int count, double n[3], toi_moment *at,
                        double *moved) {
  double m[UNKNOWNS_MOST][UNKNOWNS_MOST + 1] = {{0}};
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
    row[size] = -dot(n, slope[i]);
    m[3 + count][1 + i] = row[0];
  }
  for (int k = 0; k < 3; k++)
    m[3 + count][1 + count + k] = gap->slope[0][k];
  m[3 + count][size] = -1 - dot(n, gap->slope[0]);
  if (!eliminate(m, size))
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

/* Lets a point go that would lessen t by leaving its side inward; false: none would. */
static bool release(const toi_prover *prover, const toi_gap *gap, const double n[3], sides *s) {
  for (int i = 0; i < 2; i++)
    for (int side = 0; side < side_count(prover->root[i]); side++) {
      if (!s->on[i][side] ||
          (prover->root[i]->patch->shape == TOI_PATCH_QUAD && prover->root[i]->patch->degree[side % 2] == 0))
        continue;
      toi_way way = {i, {0, 0}};
      double slope[3];
      way_off(prover->root[i], side, s->on[i], way.step);
      toi_gap_slope(gap, &way, slope);
      if (dot(n, slope) < -0x1p-20 * sqrt(dot(n, n) * dot(slope, slope))) {
        s->on[i][side] = false;
        return true;
      }
    }
  return false;
}

/* From *at to a least t nearby; what is there at the end is a guess as good as any. */
static void least_time(const toi_prover *prover, toi_moment *at, sides *s) {
  toi_moment guess = *at;
  sides guess_sides = *s;
  double n[3];
  bool have_normal = false, converged = false;
  for (int i = 0; i < NEWTON_STEPS; i++) {
    toi_way ways[4];
    toi_gap gap;
    int count = open_ways(prover, &guess_sides, ways);
    toi_gap_at(prover, &guess, true, &gap);
    have_normal = have_normal || first_normal(&gap, ways, count, n);
    if (!have_normal || count < 2)
      return;
    if (converged) {
      *at = guess;
      *s = guess_sides;
      if (!release(prover, &gap, n, &guess_sides))
        return;
      converged = false;
      continue;
    }
    double moved;
    if (!newton_step(&gap, ways, count, n, &guess, &moved))
      return;
    converged = !stop_at_sides(prover, &guess, &guess_sides) && moved < CONVERGED;
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
      double size = fabs(determinant(gap->slope[0], a, b)) / (sqrt(dot(a, a) * dot(b, b)) + 0x1p-900);
      if (!(size > best))
        continue;
      best = size;
      chosen[1] = ways[i];
      chosen[2] = ways[j];
    }
  return best > 0;
}

/* Off all sides, so that every way is open. */
static void go_inward(const toi_prover *prover, toi_moment *at, sides *s) {
  for (int i = 0; i < 2; i++)
    for (int side = 0; side < side_count(prover->root[i]); side++)
      if (s->on[i][side]) {
        double way[2];
        side_inward(prover->root[i], side, way);
        for (int k = 0; k < 2; k++)
          at->uv[i][k] += INWARD * way[k];
        s->on[i][side] = false;
      }
}

static bool prove_approach(const toi_prover *prover, toi_moment at, sides s, toi_moment *proved, double *t_hi) {
  for (int attempt = 0; attempt < 2; attempt++) {
    toi_way ways[4], chosen[3];
    toi_gap gap;
    int count = open_ways(prover, &s, ways);
    toi_gap_at(prover, &at, false, &gap);
    *proved = at;
    if (count >= 2 && best_two(&gap, ways, count, chosen) && toi_prove_touch(prover, chosen, proved, t_hi))
      return true;
    go_inward(prover, &at, &s);
  }
  return false;
}

/* --- surfaces that cross at a frozen time --- */

/* The step of least length with G + J step = 0, J the four parameters' columns: J^T (J J^T)^-1. */
static bool shortest_step(const toi_gap *gap, double step[4]) {
  double m[UNKNOWNS_MOST][UNKNOWNS_MOST + 1] = {{0}};
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++)
      for (int j = 1; j < 5; j++)
        m[r][c] += gap->slope[j][r] * gap->slope[j][c];
    m[r][3] = -gap->value[r];
  }
  if (!eliminate(m, 3))
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
  sides s = {{{0}}};
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
    bool stopped = stop_at_sides(prover, &at, &s);
    if (!stopped && longest < CONVERGED)
      break;
  }
  /* Three of the four: frozen is the one that leaves the best system, a side's if the point lies on one. */
  sides on;
  toi_way all[4] = {{0, {1, 0}}, {0, {0, 1}}, {1, {1, 0}}, {1, {0, 1}}};
  find_sides(prover, &at, &on);
  toi_gap_at(prover, &at, false, &gap);
  double best = 0;
  int frozen = -1;
  for (int f = 0; f < 4; f++) {
    const double *c[3];
    for (int j = 0, k = 0; j < 4; j++)
      if (j != f)
        c[k++] = gap.slope[1 + j];
    double size =
        fabs(determinant(c[0], c[1], c[2])) / (sqrt(dot(c[0], c[0]) * dot(c[1], c[1]) * dot(c[2], c[2])) + 0x1p-900);
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

bool toi_find_touch(toi_finder *finder, const toi_piece *a, const toi_piece *b, double t, toi_touch *touch) {
  toi_prover *prover = &finder->prover;
  if (prover->root[0] != a->root || prover->root[1] != b->root)
    toi_prover_make(a->root, b->root, finder->separation, prover);
  region regions[2] = {region_of(a), region_of(b)};
  toi_moment at = {.t = t}, proved;
  sides s;
  double t_hi;
  bool found = false;
  if (flat_contact(prover, regions, &at)) {
    find_sides(prover, &at, &s);
    least_time(prover, &at, &s);
    found = prove_approach(prover, at, s, &proved, &t_hi);
  }
  if (!found && t == 0) {
    at = (toi_moment){
        .t = t, .uv = {{regions[0].middle[0], regions[0].middle[1]}, {regions[1].middle[0], regions[1].middle[1]}}};
    found = prove_crossing(prover, at, &proved, &t_hi);
  }
  if (!found)
    return false;
  *touch = (toi_touch){.root = {a->root, b->root}, .at = proved};
  touch->at.t = t_hi;
  return true;
}
