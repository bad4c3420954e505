/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Queries between primitives of two turning bodies, most of them close to contact or degenerate. */

#ifndef TOI_TESTS_NARROW_ROTATING_CASES_H
#define TOI_TESTS_NARROW_ROTATING_CASES_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <toi/rigid.h>

#include "support/support.h"

typedef struct rotating_case {
  toi_moving_body body[2];
  toi_kind kind;
  double points[4][3];
} rotating_case;

enum {
  CASE_RANDOM,   /* any pose, angles of about 1 */
  CASE_SLOW,     /* angles from 1e-12 to 1e-2 */
  CASE_WIDE,     /* angles up to 3 */
  CASE_GRID,     /* all numbers are small integers */
  CASE_SLIDING,  /* everything stays in the plane z = 0 */
  CASE_PIVOT,    /* both bodies turn about a point that they share */
  CASE_PARALLEL, /* edges along z, turned about z: parallel for ever; faces upright */
  CASE_ENDS,     /* contact at t = 0, or at t = 1, by quarter turns of integers */
  CASE_MIXED,    /* quaternions of any length and sign */
  CASE_STYLES
};

static inline double case_between(uint64_t *state, double lo, double hi) {
  return lo + (hi - lo) * test_random_unit(state);
}

static inline double case_small(uint64_t *state, int most) {
  return (double)((int)(test_random(state) % (2 * (unsigned)most + 1)) - most);
}

static inline void case_direction(uint64_t *state, double out[3]) {
  double square;
  do {
    square = 0;
    for (int i = 0; i < 3; i++) {
      out[i] = case_between(state, -1, 1);
      square += out[i] * out[i];
    }
  } while (square > 1 || square < 0.01);
  for (int i = 0; i < 3; i++)
    out[i] /= sqrt(square);
}

/* The product of a rotation about an axis and a quaternion. */
static inline void case_turned(const double axis[3], double angle, const double q[4], double out[4]) {
  double w = cos(angle / 2), v[3];
  for (int i = 0; i < 3; i++)
    v[i] = sin(angle / 2) * axis[i];
  out[0] = w * q[0] - v[0] * q[1] - v[1] * q[2] - v[2] * q[3];
  for (int i = 0; i < 3; i++) {
    int y = (i + 1) % 3, z = (i + 2) % 3;
    out[i + 1] = w * q[i + 1] + q[0] * v[i] + v[y] * q[z + 1] - v[z] * q[y + 1];
  }
}

static inline double case_angle(uint64_t *state, int style) {
  if (style == CASE_SLOW)
    return pow(10, case_between(state, -12, -2));
  return style == CASE_WIDE ? case_between(state, 0, 3) : case_between(state, 0, 1);
}

static inline void case_poses(uint64_t *state, int style, toi_moving_body *body) {
  double axis[3], start[3];
  toi_moving_body_init(body, sizeof *body);
  case_direction(state, axis);
  case_direction(state, start);
  case_turned(start, case_between(state, 0, 3), (const double[4]){1, 0, 0, 0}, body->start.quaternion);
  if (style == CASE_SLIDING || style == CASE_PARALLEL) {
    memset(axis, 0, sizeof axis);
    axis[2] = 1;
    body->start.quaternion[1] = body->start.quaternion[2] = 0;
  }
  case_turned(axis, case_angle(state, style), body->start.quaternion, body->end.quaternion);
  for (int i = 0; i < 3; i++) {
    body->start.position[i] = case_between(state, -0.5, 0.5);
    body->end.position[i] = case_between(state, -0.5, 0.5);
  }
  if (style == CASE_SLIDING)
    body->start.position[2] = body->end.position[2] = 0;
  // A body in four rests in its orientation.
  if (test_random(state) % 4 == 0)
    memcpy(body->end.quaternion, body->start.quaternion, sizeof body->end.quaternion);
}

static inline void case_grid_poses(uint64_t *state, int style, toi_moving_body *body) {
  static const double quarters[4][4] = {{1, 0, 0, 0}, {1, 0, 0, 1}, {1, 1, 1, 1}, {0, 1, 0, 0}};
  toi_moving_body_init(body, sizeof *body);
  for (int i = 0; i < 4; i++) {
    body->start.quaternion[i] = style == CASE_ENDS ? quarters[test_random(state) % 4][i] : case_small(state, 1);
    body->end.quaternion[i] = style == CASE_ENDS ? quarters[test_random(state) % 4][i] : case_small(state, 1);
  }
  for (int end = 0; end < 2; end++) {
    double *q = end ? body->end.quaternion : body->start.quaternion;
    if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
      q[test_random(state) % 4] = 1;
  }
  for (int i = 0; i < 3; i++) {
    body->start.position[i] = case_small(state, 1);
    body->end.position[i] = test_random(state) % 2 == 0 ? body->start.position[i] : case_small(state, 1);
  }
}

/* The first point of the second primitive becomes that of the first one, and the bodies have one pose at the start, or
 * at the end: they touch there. */
static inline void case_join(uint64_t *state, rotating_case *c) {
  bool end = test_random(state) % 2 == 0;
  memcpy(c->points[c->kind == TOI_EDGE_EDGE ? 2 : 1], c->points[0], sizeof c->points[0]);
  if (end)
    c->body[1].end = c->body[0].end;
  else
    c->body[1].start = c->body[0].start;
}

static inline void case_points(uint64_t *state, int style, rotating_case *c) {
  bool whole = style == CASE_GRID || style == CASE_ENDS || test_random(state) % 8 == 0;
  for (int i = 0; i < 4; i++)
    for (int axis = 0; axis < 3; axis++)
      c->points[i][axis] = whole ? case_small(state, 2) : case_between(state, -1, 1);
  if (test_random(state) % 4 == 0 && style != CASE_PIVOT)
    case_join(state, c);
  for (int i = 0; i < 4 && style == CASE_SLIDING; i++)
    c->points[i][2] = 0;
  if (style == CASE_PARALLEL) {
    int from = c->kind == TOI_EDGE_EDGE ? 0 : 2;
    for (int i = from; i < 4; i += 2)
      memcpy(c->points[i + 1], c->points[i], 2 * sizeof(double));
  }
  // The origin, about which both turn, is a point of the first body, and of the second one's line or triangle.
  if (style == CASE_PIVOT) {
    int second = c->kind == TOI_EDGE_EDGE ? 2 : 1;
    memset(c->points[0], 0, sizeof c->points[0]);
    for (int axis = 0; axis < 3; axis++) {
      c->points[second + 1][axis] = -c->points[second][axis];
      for (int i = 0; i < 2; i++)
        c->body[i].start.position[axis] = c->body[i].end.position[axis] = 0;
    }
    if (test_random(state) % 2 == 0)
      for (int axis = 0; axis < 3; axis++)
        c->points[second][axis] = c->points[second + 1][axis] * case_small(state, 3);
  }
}

/* Lengths and signs of quaternions. */
static inline void case_mix(uint64_t *state, toi_moving_body *body) {
  double factor[2] = {case_between(state, -3, 3), case_between(state, -3, 3)};
  for (int i = 0; i < 4; i++) {
    body->start.quaternion[i] *= factor[0] == 0 ? 1 : factor[0];
    body->end.quaternion[i] *= factor[1] == 0 ? 1 : factor[1];
  }
}

static inline rotating_case case_random(uint64_t *state, int style, toi_kind kind) {
  rotating_case c = {.kind = kind};
  bool grid = style == CASE_GRID || style == CASE_ENDS;
  for (int i = 0; i < 2; i++) {
    if (grid)
      case_grid_poses(state, style, &c.body[i]);
    else
      case_poses(state, style, &c.body[i]);
    if (style == CASE_MIXED)
      case_mix(state, &c.body[i]);
  }
  case_points(state, style, &c);
  return c;
}

/* Lengths by a power of two, quaternions by others: exact, unless something overflows or underflows. */
static inline rotating_case case_scaled(const rotating_case *c, int length, int first, int second) {
  rotating_case out = *c;
  for (int i = 0; i < 4; i++)
    for (int axis = 0; axis < 3; axis++)
      out.points[i][axis] = ldexp(c->points[i][axis], length);
  for (int b = 0; b < 2; b++) {
    for (int axis = 0; axis < 3; axis++) {
      out.body[b].start.position[axis] = ldexp(c->body[b].start.position[axis], length);
      out.body[b].end.position[axis] = ldexp(c->body[b].end.position[axis], length);
    }
    for (int i = 0; i < 4; i++) {
      out.body[b].start.quaternion[i] = ldexp(c->body[b].start.quaternion[i], b ? second : first);
      out.body[b].end.quaternion[i] = ldexp(c->body[b].end.quaternion[i], b ? second : first);
    }
  }
  return out;
}

static inline void case_print(const rotating_case *c) {
  printf("%s\n", toi_kind_name(c->kind));
  for (int b = 0; b < 2; b++) {
    for (int end = 0; end < 2; end++) {
      const toi_pose *pose = end ? &c->body[b].end : &c->body[b].start;
      printf("  body %d %s: position %a %a %a quaternion %a %a %a %a\n", b, end ? "end" : "start", pose->position[0],
             pose->position[1], pose->position[2], pose->quaternion[0], pose->quaternion[1], pose->quaternion[2],
             pose->quaternion[3]);
    }
  }
  for (uint32_t i = 0; i < toi_kind_points(c->kind); i++)
    printf("  point %u: %a %a %a\n", (unsigned)i, c->points[i][0], c->points[i][1], c->points[i][2]);
}

/* One query by a method, on a pair of its own. */
static inline toi_hit case_ask(toi_context *context, const rotating_case *c, const char *method) {
  toi_moving_pair *pair;
  toi_hit hit;
  toi_options options = toi_default_options();
  options.method = method;
  assert_int_equal(toi_moving_pair_create(context, &c->body[0], &c->body[1], &pair), TOI_OK);
  assert_int_equal(toi_moving_pair_query(pair, c->kind, c->points, &options, &hit), TOI_OK);
  toi_moving_pair_destroy(pair);
  return hit;
}

#endif
