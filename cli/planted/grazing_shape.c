/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Hulls around the closest point m, and primitives whose corners they are.
 *
 * A side is a vector of the supporting plane, b turning + a(t) level with constant b; a push is a multiple of `out`,
 * never negative, plus a side. Every corner is m plus sides and pushes, so the hull lies in the half-space of the
 * stage; each region says why it holds m. Where the stage is wide, sides along `turning` are long enough on both sides.
 */

#include "planted/stage.h"

#include <assert.h>
#include <string.h>

enum { MOST = 3 }; /* of the factors of a side, so that 53 bits are enough */

/* A vector at t = 0 and t = 1. */
typedef struct moving {
  int64_t at[2][3];
} moving;

static int64_t some_factor(planted_random *random) {
  return planted_between(random, 0, MOST);
}

static void add(moving *sum, int64_t factor, const moving *v) {
  for (int e = 0; e < 2; e++)
    for (int k = 0; k < 3; k++)
      sum->at[e][k] += factor * v->at[e][k];
}

/* A number of any size up to 2^30, or 0, at t = 0 and t = 1; the same at both in half of the cases. */
static void some_sizes(planted_random *random, bool negative, int64_t size[2]) {
  for (int e = 0; e < 2; e++) {
    const int64_t most = (INT64_C(1) << planted_between(random, 0, 30)) - 1;
    size[e] = planted_between(random, negative ? -most : 0, most);
  }
  if (planted_once_in(random, 2))
    size[1] = size[0];
}

/* A vector of the supporting plane. */
static moving some_side(planted_random *random, const grazing_stage *stage) {
  int64_t a[2];
  some_sizes(random, true, a);
  const int64_t b = stage->wide ? planted_sign(random) : planted_between(random, -2, 2);
  moving v;
  for (int e = 0; e < 2; e++)
    for (int k = 0; k < 3; k++)
      v.at[e][k] = b * stage->turning[e][k] + (stage->wide ? 0 : a[e] * stage->level[k]);
  return v;
}

/* Another one; with a wide stage along `level` only, so that the two span the plane. */
static moving other_side(planted_random *random, const grazing_stage *stage) {
  if (!stage->wide)
    return some_side(random, stage);
  int64_t a[2];
  some_sizes(random, true, a);
  moving v;
  for (int e = 0; e < 2; e++)
    for (int k = 0; k < 3; k++)
      v.at[e][k] = a[e] * stage->level[k];
  return v;
}

/* Into the half-space, or along its boundary. */
static moving some_push(planted_random *random, const grazing_stage *stage) {
  int64_t x[2];
  some_sizes(random, false, x);
  moving v = some_side(random, stage);
  for (int e = 0; e < 2; e++)
    for (int k = 0; k < 3; k++)
      v.at[e][k] += x[e] * stage->out[k];
  return v;
}

/* --- hulls: corner i is m + c[i]; of two edges c[0], and then the two edges as vectors --- */

/* m is the first corner. */
static void lay_corner(planted_draft *draft, const grazing_stage *stage, moving c[3]) {
  memset(&c[0], 0, sizeof c[0]);
  c[1] = some_push(&draft->random, stage);
  c[2] = some_push(&draft->random, stage);
}

/* m lies between the first two corners. */
static void lay_edge(planted_draft *draft, const grazing_stage *stage, moving c[3]) {
  planted_random *random = &draft->random;
  const moving side = some_side(random, stage);
  const int64_t before = planted_between(random, stage->wide, MOST), behind = planted_between(random, 1, MOST);
  memset(c, 0, 2 * sizeof c[0]);
  add(&c[0], -before, &side);
  add(&c[1], draft->kind == TOI_EDGE_EDGE ? before + behind : behind, &side);
  c[2] = some_push(random, stage);
}

/* m lies in the triangle -p v - r w, q v - r w, s w, which at height 0 reaches from -p v s / (r + s) to q v s / (r +
 * s); or in the parallelogram from -p v - r w to q v + s w. */
static void lay_face(planted_draft *draft, const grazing_stage *stage, moving c[3]) {
  planted_random *random = &draft->random;
  const moving v = some_side(random, stage), w = other_side(random, stage);
  int64_t p = some_factor(random), q = some_factor(random), r = some_factor(random), s = some_factor(random);
  if (stage->wide) {
    p = q = MOST;
    r = 1;
    s = MOST - 1;
  }
  memset(c, 0, 3 * sizeof c[0]);
  add(&c[0], -p, &v);
  add(&c[0], -r, &w);
  if (draft->kind == TOI_EDGE_EDGE) {
    add(&c[1], p + q, &v);
    add(&c[2], r + s, &w);
  } else {
    add(&c[1], q, &v);
    add(&c[1], -r, &w);
    add(&c[2], s, &w);
  }
}

/* All corners are multiples of one side, 0 between the first and the last. */
static void lay_parallel(planted_draft *draft, const grazing_stage *stage, moving c[3]) {
  planted_random *random = &draft->random;
  const moving side = some_side(random, stage);
  memset(c, 0, 3 * sizeof c[0]);
  if (draft->kind != TOI_EDGE_EDGE) {
    add(&c[0], -some_factor(random), &side);
    add(&c[1], some_factor(random), &side);
    add(&c[2], planted_between(random, -MOST, MOST), &side);
    return;
  }
  const int64_t a = planted_between(random, -2, 2), b = planted_between(random, -2, 2);
  const int64_t low = (a < 0 ? a : 0) + (b < 0 ? b : 0), high = (a > 0 ? a : 0) + (b > 0 ? b : 0);
  add(&c[0], -planted_between(random, low, high), &side);
  add(&c[1], a, &side);
  add(&c[2], b, &side);
}

/* --- primitives --- */

/* The first point (edge) stays at 0, the others are where the corners say; the disguise moves all of them. */
static void write_points(planted_draft *draft, const grazing_stage *stage, const moving c[3]) {
  int64_t(*const place[2])[3] = {draft->start, draft->end};
  for (int e = 0; e < 2; e++) {
    for (int k = 0; k < 3; k++) {
      const int64_t m = stage->at[e][k];
      if (draft->kind == TOI_EDGE_EDGE) {
        // ea0 - eb0 = m + c[0], ea1 - ea0 = c[1], eb0 - eb1 = c[2]
        place[e][0][k] = 0;
        place[e][1][k] = c[1].at[e][k];
        place[e][2][k] = -m - c[0].at[e][k];
        place[e][3][k] = -m - c[0].at[e][k] - c[2].at[e][k];
        continue;
      }
      place[e][0][k] = 0;
      for (uint32_t i = 1; i < draft->points; i++)
        place[e][i][k] = -m - c[i - 1].at[e][k];
    }
  }
}

void grazing_shape(planted_draft *draft, const grazing_stage *stage, grazing_region region) {
  moving c[3];
  switch (region) {
  case GRAZING_CORNER:
    lay_corner(draft, stage, c);
    break;
  case GRAZING_EDGE:
    lay_edge(draft, stage, c);
    break;
  case GRAZING_FACE:
    lay_face(draft, stage, c);
    break;
  default:
    lay_parallel(draft, stage, c);
    break;
  }
  write_points(draft, stage, c);
}
