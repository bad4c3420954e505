/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Motion, projections, pieces and witnesses of `time-inclusion`; time_inclusion.h has the error bound. */

#include <assert.h>
#include <math.h>

#include "narrow/hull.h"
#include "narrow/time_inclusion.h"

/* E(n) / S(n), and the least S(n). */
#define ERROR_FACTOR (12 * 0x1p-53)
#define LEAST_SUM 0x1p-1000

/* Of the witness: E at both ends, and 3 roundings between them (envelope.h). */
#define WITNESS_FACTOR (16 * 0x1p-53)

/* More than the few roundings of a length or a level add. */
#define ROUND_UP (1 + 0x1p-49)

/* A length below this has lost squares to underflow. */
#define LEAST_LENGTH 0x1p-500

/* How often the closest points of a piece and a cube are sought in turn. */
#define CUBE_ROUNDS 4

#define MOST_CORNERS 5

static inline double larger(double a, double b) {
  return a > b ? a : b;
}

static inline double smaller(double a, double b) {
  return a < b ? a : b;
}

/* NaN gives lo. */
static inline double clamp(double x, double lo, double hi) {
  return x > lo ? smaller(x, hi) : lo;
}

static inline double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* --- motion --- */

/* Which points' differences P, U and V are; the same point twice gives zero. */
typedef struct recipe {
  uint8_t p[2], u[2], v[2];
} recipe;

static const recipe recipes[TOI_KIND_COUNT] = {
    [TOI_VERTEX_FACE] = {{0, 1}, {1, 2}, {1, 3}},
    [TOI_EDGE_EDGE] = {{0, 2}, {1, 0}, {2, 3}},
    [TOI_VERTEX_EDGE] = {{0, 1}, {1, 2}, {0, 0}},
    [TOI_VERTEX_VERTEX] = {{0, 1}, {0, 0}, {0, 0}},
};

toi_relative_motion toi_relative_motion_of(toi_kind kind, const double *query) {
  const recipe *r = &recipes[kind];
  size_t half = 3 * toi_kind_points(kind);
  toi_relative_motion m = {.triangle = kind == TOI_VERTEX_FACE, .u_max = kind != TOI_VERTEX_VERTEX};
  m.v_max = kind == TOI_VERTEX_FACE || kind == TOI_EDGE_EDGE;
  for (int end = 0; end < 2; end++) {
    const double *x = query + (size_t)end * half;
    for (int a = 0; a < 3; a++) {
      m.p[end][a] = x[3 * r->p[0] + a] - x[3 * r->p[1] + a];
      m.u[end][a] = x[3 * r->u[0] + a] - x[3 * r->u[1] + a];
      m.v[end][a] = x[3 * r->v[0] + a] - x[3 * r->v[1] + a];
      m.reach[a] = larger(m.reach[a], fabs(m.p[end][a]) + fabs(m.u[end][a]) + fabs(m.v[end][a]));
    }
  }
  return m;
}

/* --- projections --- */

toi_projection toi_project_coordinate(const toi_relative_motion *m, const toi_gauge *gauge, int a) {
  double error = ERROR_FACTOR * larger(m->reach[a], LEAST_SUM);
  return (toi_projection){
      {m->p[0][a], m->p[1][a]}, {m->u[0][a], m->u[1][a]}, {m->v[0][a], m->v[1][a]}, (gauge->d + error) * ROUND_UP};
}

bool toi_project(const toi_relative_motion *m, const toi_gauge *gauge, const double axis[3],
                 toi_projection *projection) {
  double most = larger(fabs(axis[0]), larger(fabs(axis[1]), fabs(axis[2])));
  if (!(most >= 0x1p-1000 && most <= 0x1p1000))
    return false;
  // Any multiple of the axis will do, so nothing hangs on how this rounds.
  double scale = 1 / most;
  double n[3] = {axis[0] * scale, axis[1] * scale, axis[2] * scale};
  double sum = fabs(n[0]) * m->reach[0] + fabs(n[1]) * m->reach[1] + fabs(n[2]) * m->reach[2];
  if (!(sum <= TOI_LINE_MOST))
    return false;
  // How far the ball or the cube of radius d reaches along n.
  double length = gauge->norm == TOI_NORM_L2 ? sqrt(dot(n, n)) : fabs(n[0]) + fabs(n[1]) + fabs(n[2]);
  for (int end = 0; end < 2; end++) {
    projection->p[end] = dot(n, m->p[end]);
    projection->u[end] = dot(n, m->u[end]);
    projection->v[end] = dot(n, m->v[end]);
  }
  projection->level = (gauge->d * length + ERROR_FACTOR * larger(sum, LEAST_SUM)) * ROUND_UP;
  return true;
}

/* --- pieces --- */

typedef struct corners {
  double u[MOST_CORNERS], v[MOST_CORNERS];
  size_t count;
} corners;

static corners corners_of(const toi_relative_motion *m, const toi_time_piece *piece) {
  double u0 = piece->u0, u1 = piece->u1, v0 = piece->v0, v1 = piece->v1;
  if (v0 == v1)
    return (corners){{u0, u1}, {v0, v0}, u0 == u1 ? 1 : 2};
  if (!m->triangle || u1 + v1 <= 1)
    return (corners){{u0, u1, u1, u0}, {v0, v0, v1, v1}, 4};
  // The corner (u1, v1) is cut off: the sums and differences of these multiples of 2^-50 are exact.
  corners c = {{u0, u1, u1}, {v0, v0, 1 - u1}, 3};
  if (1 - u1 == v0)
    c.count = 2;
  c.u[c.count] = 1 - v1;
  c.v[c.count++] = v1;
  if (1 - v1 > u0) {
    c.u[c.count] = u0;
    c.v[c.count++] = v1;
  }
  return c;
}

/* Notes a gap that meets the times; false if it leaves nothing of them. */
static bool note(toi_gaps *gaps, toi_interval gap, const toi_time_piece *piece) {
  if (gap.lo <= piece->key.first && gap.hi >= piece->t_hi)
    return false;
  if (gap.lo < piece->t_hi && gap.hi > piece->key.first)
    toi_gaps_add(gaps, gap);
  return true;
}

/* Notes when the lines are on one side of the origin by more than the level. */
static bool note_sides(toi_gaps *gaps, const toi_lines *lines, double level, const toi_time_piece *piece) {
  toi_interval sides[2];
  unsigned count = toi_envelope_sides(lines, level, sides);
  for (unsigned i = 0; i < count; i++)
    if (!note(gaps, sides[i], piece))
      return false;
  return true;
}

static bool shrink(const toi_gaps *gaps, toi_time_piece *piece) {
  toi_interval times = {piece->key.first, piece->t_hi};
  if (!toi_gaps_clip(gaps, &times))
    return false;
  piece->key.first = times.lo;
  piece->t_hi = times.hi;
  piece->t_end = toi_gaps_first_end(gaps, times);
  return true;
}

bool toi_time_piece_clip(const toi_relative_motion *m, const toi_projection *projections, size_t count,
                         toi_time_piece *piece) {
  corners c = corners_of(m, piece);
  toi_gaps gaps;
  gaps.count = 0;
  assert(2 * count <= TOI_GAPS_MOST);
  for (size_t i = 0; i < count; i++) {
    const toi_projection *n = &projections[i];
    double start[MOST_CORNERS], end[MOST_CORNERS];
    for (size_t k = 0; k < c.count; k++) {
      start[k] = n->p[0] + c.u[k] * n->u[0] + c.v[k] * n->v[0];
      end[k] = n->p[1] + c.u[k] * n->u[1] + c.v[k] * n->v[1];
    }
    toi_lines lines = {start, end, c.count};
    if (!note_sides(&gaps, &lines, n->level, piece))
      return false;
  }
  return shrink(&gaps, piece);
}

bool toi_time_piece_clip_exactly(toi_kind kind, const double *query, toi_time_piece *whole) {
  const toi_corner *corner = toi_corners(kind);
  const double *later = query + 3 * toi_kind_points(kind);
  unsigned count = toi_corner_count(kind);
  toi_gaps gaps;
  gaps.count = 0;
  for (int a = 0; a < 3; a++) {
    double start[TOI_MOST_CORNERS], end[TOI_MOST_CORNERS];
    for (unsigned k = 0; k < count; k++) {
      start[k] = query[3 * corner[k].first + a] - query[3 * corner[k].second + a];
      end[k] = later[3 * corner[k].first + a] - later[3 * corner[k].second + a];
    }
    toi_lines lines = {start, end, count};
    if (!note_sides(&gaps, &lines, 0, whole))
      return false;
  }
  return shrink(&gaps, whole);
}

/* --- witnesses --- */

/* On the slanted side of the triangle: F = P + V + s (U - V). */
static void slide_to_side(const toi_time_piece *piece, const double p[3], toi_witness *w) {
  double along[3], base[3];
  for (int a = 0; a < 3; a++) {
    along[a] = w->u[a] - w->v[a];
    base[a] = p[a] + w->v[a];
  }
  double lo = larger(piece->u0, 1 - piece->v1), hi = smaller(piece->u1, 1 - piece->v0);
  w->s = clamp(-dot(base, along) / dot(along, along), lo, hi);
  w->t = 1 - w->s;
}

/* Parameters of a point close to the origin, P at p; any in the piece are right, these are near the best. */
static void place(const toi_relative_motion *m, const toi_time_piece *piece, const double p[3], toi_witness *w) {
  double uu = dot(w->u, w->u), uv = dot(w->u, w->v), vv = dot(w->v, w->v);
  double pu = dot(p, w->u), pv = dot(p, w->v);
  // The best u of all, then the best v for it and the best u for that.
  w->s = clamp((uv * pv - vv * pu) / (uu * vv - uv * uv), piece->u0, piece->u1);
  w->t = clamp(-(pv + uv * w->s) / vv, piece->v0, piece->v1);
  w->s = clamp(-(pu + uv * w->t) / uu, piece->u0, piece->u1);
  w->t = clamp(-(pv + uv * w->s) / vv, piece->v0, piece->v1);
  if (m->triangle && w->s + w->t > 1)
    slide_to_side(piece, p, w);
}

/* The point of the cube of radius d that is closest to F, and F as seen from it. */
static void place_at_cube(const toi_relative_motion *m, const toi_time_piece *piece, double d, toi_witness *w) {
  double seen[3];
  for (int round = 0; round < CUBE_ROUNDS; round++) {
    for (int a = 0; a < 3; a++)
      seen[a] = w->p[a] - clamp(w->p[a] + w->s * w->u[a] + w->t * w->v[a], -d, d);
    place(m, piece, seen, w);
  }
  for (int a = 0; a < 3; a++) {
    double f = w->p[a] + w->s * w->u[a] + w->t * w->v[a];
    w->away[a] = f - clamp(f, -d, d);
  }
}

void toi_witness_find(const toi_relative_motion *m, const toi_gauge *gauge, const toi_time_piece *piece,
                      toi_witness *w) {
  double time = piece->key.first, before = 1 - time;
  for (int a = 0; a < 3; a++) {
    w->p[a] = before * m->p[0][a] + time * m->p[1][a];
    w->u[a] = before * m->u[0][a] + time * m->u[1][a];
    w->v[a] = before * m->v[0][a] + time * m->v[1][a];
  }
  place(m, piece, w->p, w);
  bool cube = gauge->norm == TOI_NORM_LINF && gauge->d > 0;
  if (cube)
    place_at_cube(m, piece, gauge->d, w);
  double squares = 0, most = 0;
  w->floor = 0;
  for (int a = 0; a < 3; a++) {
    double f0 = m->p[0][a] + w->s * m->u[0][a] + w->t * m->v[0][a];
    double f1 = m->p[1][a] + w->s * m->u[1][a] + w->t * m->v[1][a];
    double error = WITNESS_FACTOR * larger(m->reach[a], LEAST_SUM);
    double f = before * f0 + time * f1, bound = fabs(f) + error;
    w->away[a] = cube ? w->away[a] : f;
    squares += bound * bound;
    most = larger(most, bound);
    w->floor = larger(w->floor, error);
  }
  w->distance = gauge->norm == TOI_NORM_L2 ? sqrt(squares) * ROUND_UP + LEAST_LENGTH : most * ROUND_UP;
}
