/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs of flat triangles by the narrow phase's method `certified`: six vertex-face and nine edge-edge queries.
 *
 * The corners of a triangle move on straight lines from their place at t = 0 to that at t_max. If both are doubles, a
 * query of the narrow phase from the one to the other is the very motion, with t = s t_max for its time s in [0, 1].
 *
 * Claim: at t = 0 two closed triangles touch exactly if an edge of one crosses the other (number/orientation.h) or two
 * of their vertices, edges and faces touch as vertex and face, or as edge and edge. If they touch first at t > 0, two
 * touch then as vertex and face or as edge and edge. This holds for triangles without area as well.
 * Why: the common points of both are a convex, closed and bounded set; let x be an extreme point of it. If x were on no
 * edge of either, both would have area, as a triangle without is the union of its edges, and x would be strictly
 * inside both: then common points lie around x on a line or in a plane, and x is not extreme. So an edge of one meets
 * the other, and what follows of an edge and a face says the claim of scene/intersects.c: it crosses the face, or one
 * of its ends is in it, or it meets one of its edges. A crossing rests on strict signs of polynomials in t, so it has
 * begun earlier, unless t = 0.
 *
 * Claim: with a separation d > 0, in any norm, the same with "come within d", where a crossing at t = 0 is within d.
 * Why: they come within d first at t > 0 only with distance d, so they are disjoint. The pairs of closest points are a
 * convex, closed and bounded set; let (x, y) be an extreme one, x strictly inside a corner, edge or face F of one, y
 * inside G of the other, F and G spanned by corners that are affinely independent (Caratheodory). If F and G had a
 * direction in common, x and y could both go either way along it, and (x, y) would not be extreme. So their dimensions
 * are 3 together at the most. If they were 3, x - y could go any way a little, also towards 0: x and y would not be
 * closest. So they are a vertex and a face, two edges, or smaller parts of these.
 *
 * The first contact is then the earliest of fifteen, each in a bracket of its own: it lies between the smallest lower
 * end and the smallest upper end. */

#define TOI_LANES 1

#include "surface/model.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "narrow/method.h"
#include "number/interval.h"
#include "number/lanes.h"
#include "number/orientation.h"
#include "number/vector.h"

#define VERTEX_FACES 6
#define EDGE_EDGES 9

/* Components of a normal below this part of the products that cancel in them are taken as zero. */
#define NORMAL_NOISE 0x1p-40

/* Where product_error of number/lanes.h is exact. */
#define FACTOR_MOST 0x1p900
#define PRODUCT_LEAST 0x1p-960

/* Corners of the first and of the second triangle, at t = 0 and at t_max. */
typedef struct flat_pair {
  const toi_patch *patch[2];
  double at[2][2][3][3]; /* [triangle][start or end][corner][axis] */
} flat_pair;

/* A contact: the narrow phase's times, in [0, 1], and where it is on both. */
typedef struct flat_touch {
  double t_lo, t_hi;
  bool at_start;
  double uv[2][2];
} flat_touch;

/* The parameters of the corners. */
static const double corner_uv[3][2] = {{0, 0}, {1, 0}, {0, 1}};

/* --- what is flat --- */

/* Whether t v and x + t v are doubles. */
static bool arrives_exactly(double x, double v, double t) {
  double way = t * v, error;
  if (t != 1 && v != 0) {
    if (!(t < FACTOR_MOST && fabs(v) < FACTOR_MOST && fabs(way) >= PRODUCT_LEAST))
      return false;
    if (product_error(t, v, way) != 0)
      return false;
  }
  // An overflow leaves a NaN or an infinity in the error or the sum.
  double end = sum_exact(x, way, &error);
  return error == 0 && fabs(end) <= DBL_MAX;
}

static bool is_flat(const toi_patch *patch, double t_max) {
  if (patch->shape != TOI_PATCH_TRIANGLE || patch->degree[0] != 1 || patch->error > 0 || patch->velocity_error > 0)
    return false;
  if (patch->weights && (patch->weights[1] != patch->weights[0] || patch->weights[2] != patch->weights[0]))
    return false;
  for (size_t i = 0; i < 3 && patch->velocities; i++)
    for (size_t k = 0; k < 3; k++)
      if (!arrives_exactly(patch->points[i][k], patch->velocities[i][k], t_max))
        return false;
  return true;
}

bool toi_flat_suits(const toi_patch *a, const toi_patch *b, const toi_surface_options *options) {
  if (options->max_checks != 0 && options->max_checks < VERTEX_FACES + EDGE_EDGES)
    return false;
  return is_flat(a, options->t_max) && is_flat(b, options->t_max);
}

static void place_corners(const toi_patch *patch, double t_max, double at[2][3][3]) {
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < 3; k++) {
      at[0][i][k] = patch->points[i][k];
      at[1][i][k] = patch->velocities ? patch->points[i][k] + t_max * patch->velocities[i][k] : patch->points[i][k];
    }
}

/* Whether boxes around both, over [0, t_max], are farther than d apart on an axis, and so in both norms. */
static bool boxes_apart(const flat_pair *pair, double t_max, double d) {
  toi_swept_box a, b;
  toi_patch_box(pair->patch[0], t_max, d, &a);
  toi_patch_box(pair->patch[1], t_max, d, &b);
  return !toi_patch_boxes_meet(&a, &b);
}

/* --- crossings at the start --- */

/* Parts in proportion to three weights, all of one sign but for rounding; equal ones if nothing is known of them. */
static void shares_of(const double weights[3], double shares[3]) {
  double sum = weights[0] + weights[1] + weights[2], kept = 0;
  for (int i = 0; i < 3; i++) {
    shares[i] = toi_larger(sum < 0 ? -weights[i] : weights[i], 0);
    kept += shares[i];
  }
  for (int i = 0; i < 3; i++)
    shares[i] = kept > 0 ? shares[i] / kept : 1.0 / 3;
}

/* Where the edge from corner `edge` of triangle `side` crosses the other. */
static void place_crossing(const flat_pair *pair, int side, int edge, flat_touch *touch) {
  int next = (edge + 1) % 3;
  const double *p = pair->at[side][0][edge], *q = pair->at[side][0][next];
  const double(*f)[3] = pair->at[1 - side][0];
  // The distances of both ends from the plane; the areas that the line sees of the three parts of the face.
  double ends[3] = {toi_orientation_volume(q, f[0], f[1], f[2]).value,
                    -toi_orientation_volume(p, f[0], f[1], f[2]).value, 0};
  double parts[3], shares[3], along[3];
  for (int i = 0; i < 3; i++)
    parts[i] = toi_orientation_volume(p, q, f[(i + 1) % 3], f[(i + 2) % 3]).value;
  shares_of(ends, along);
  shares_of(parts, shares);
  for (int k = 0; k < 2; k++) {
    touch->uv[side][k] = along[0] * corner_uv[edge][k] + (1 - along[0]) * corner_uv[next][k];
    touch->uv[1 - side][k] = shares[k + 1];
  }
}

static bool crosses_at_start(const flat_pair *pair, flat_touch *touch) {
  if (boxes_apart(pair, 0, 0))
    return false;
  for (int side = 0; side < 2; side++)
    for (int edge = 0; edge < 3; edge++) {
      const double(*own)[3] = pair->at[side][0], (*face)[3] = pair->at[1 - side][0];
      if (!toi_edge_crosses(own[edge], own[(edge + 1) % 3], face[0], face[1], face[2]))
        continue;
      *touch = (flat_touch){.at_start = true};
      place_crossing(pair, side, edge, touch);
      return true;
    }
  return false;
}

/* --- queries --- */

/* Query `number` of a kind: of corner number % 3 of triangle number / 3 and the other; of two edges. */
static void make_query(const flat_pair *pair, toi_kind kind, size_t number, double query[24]) {
  size_t first = number / 3, second = number % 3;
  for (size_t i = 0; i < 4; i++) {
    size_t side = kind == TOI_VERTEX_FACE ? (i == 0 ? first : 1 - first) : i / 2;
    size_t corner = (i < 2 ? first : second) + i % 2;
    if (kind == TOI_VERTEX_FACE)
      corner = i == 0 ? second : i - 1;
    for (size_t end = 0; end < 2; end++)
      memcpy(query + 12 * end + 3 * i, pair->at[side][end][corner % 3], sizeof(double[3]));
  }
}

/* Where the hit of a query is on both triangles. */
static void place_hit(toi_kind kind, size_t number, const toi_hit *hit, double uv[2][2]) {
  size_t first = number / 3, second = number % 3;
  if (kind == TOI_VERTEX_FACE) {
    memcpy(uv[first], corner_uv[second], sizeof(uv[first]));
    uv[1 - first][0] = hit->u;
    uv[1 - first][1] = hit->v;
    return;
  }
  for (int k = 0; k < 2; k++) {
    uv[0][k] = (1 - hit->u) * corner_uv[first][k] + hit->u * corner_uv[(first + 1) % 3][k];
    uv[1][k] = (1 - hit->v) * corner_uv[second][k] + hit->v * corner_uv[(second + 1) % 3][k];
  }
}

/* Asks all queries of a kind. The touch becomes the earliest: its bracket, and the place whose upper end is first. */
static toi_status ask(const flat_pair *pair, const toi_chunk *how, size_t count, flat_touch *touch) {
  double queries[EDGE_EDGES * 24];
  toi_hit hits[EDGE_EDGES];
  toi_chunk chunk = *how;
  chunk.queries = queries;
  chunk.hits = hits;
  chunk.count = count;
  for (size_t i = 0; i < count; i++)
    make_query(pair, chunk.kind, i, queries + 24 * i);
  toi_status status = toi_method_certified.run(&chunk);
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    assert(hits[i].verdict != TOI_NEAR);
    if (hits[i].verdict == TOI_MISS)
      continue;
    touch->t_lo = toi_smaller(touch->t_lo, hits[i].t_lo);
    touch->at_start |= hits[i].touching_at_start != 0;
    if (hits[i].t_hi >= touch->t_hi)
      continue;
    touch->t_hi = hits[i].t_hi;
    place_hit(chunk.kind, i, &hits[i], touch->uv);
  }
  return status;
}

/* --- the answer --- */

/* The largest of three sizes, to bring them into range; 1 if there is none. */
static double scale_of(const double x[3]) {
  double size = toi_larger(fabs(x[0]), toi_larger(fabs(x[1]), fabs(x[2])));
  return size > 0 && size <= DBL_MAX ? size : 1;
}

static double length_of(const double x[3]) {
  double scale = scale_of(x), y[3] = {x[0] / scale, x[1] / scale, x[2] / scale};
  return scale * sqrt(toi_dot(y, y));
}

/* The point of a triangle at a time, and its unit normal: zero where rounding hides it. */
static void point_and_normal(const toi_patch *patch, const double uv[2], double t, double point[3], double normal[3]) {
  const double share[3] = {toi_larger(1 - uv[0] - uv[1], 0), uv[0], uv[1]};
  double side[2][3];
  memset(point, 0, sizeof(double[3]));
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      point[k] += share[i] * (patch->points[i][k] + (patch->velocities ? t * patch->velocities[i][k] : 0));
  for (int i = 0; i < 2; i++) {
    toi_minus(patch->points[i + 1], patch->points[0], side[i]);
    for (int k = 0; k < 3 && patch->velocities; k++)
      side[i][k] += t * (patch->velocities[i + 1][k] - patch->velocities[0][k]);
    double scale = scale_of(side[i]);
    for (int k = 0; k < 3; k++)
      side[i][k] /= scale;
  }
  for (int k = 0; k < 3; k++) {
    int l = (k + 1) % 3, m = (k + 2) % 3;
    double plus = side[0][l] * side[1][m], minus = side[0][m] * side[1][l];
    normal[k] = fabs(plus - minus) > NORMAL_NOISE * (fabs(plus) + fabs(minus)) ? plus - minus : 0;
  }
  double length = length_of(normal);
  for (int k = 0; k < 3; k++)
    normal[k] = length > 0 && length <= DBL_MAX ? normal[k] / length : 0;
}

static void conclude(const flat_pair *pair, const flat_touch *touch, double t_max, toi_surface_hit *hit) {
  *hit = toi_surface_miss(t_max);
  hit->end = TOI_SURFACE_EXACT;
  if (!(touch->t_hi <= 1))
    return;
  assert(touch->t_lo <= touch->t_hi);
  hit->verdict = TOI_HIT;
  hit->t_lo = toi_product_down(touch->t_lo, t_max);
  hit->t_hi = toi_smaller(toi_product_up(touch->t_hi, t_max), t_max);
  hit->t_safe = hit->t_lo > 0 ? toi_next_down(hit->t_lo) : 0;
  hit->touching_at_start = touch->at_start;
  // Rounding must not leave the domain.
  for (int k = 0; k < 2; k++) {
    hit->a[k] = toi_smaller(touch->uv[0][k], k == 0 ? 1 - touch->uv[0][1] : 1);
    hit->b[k] = toi_smaller(touch->uv[1][k], k == 0 ? 1 - touch->uv[1][1] : 1);
  }
  double point[2][3], gap[3];
  point_and_normal(pair->patch[0], hit->a, hit->t_hi, point[0], hit->normal_a);
  point_and_normal(pair->patch[1], hit->b, hit->t_hi, point[1], hit->normal_b);
  toi_minus(point[0], point[1], gap);
  hit->distance = length_of(gap);
  for (int k = 0; k < 3; k++)
    hit->point[k] = 0.5 * point[0][k] + 0.5 * point[1][k];
}

toi_status toi_flat_pair(toi_context *context, uint32_t thread, const toi_patch *a, const toi_patch *b,
                         const toi_surface_options *options, toi_surface_hit *hit) {
  assert(toi_flat_suits(a, b, options));
  flat_pair pair = {.patch = {a, b}};
  flat_touch touch = {.t_lo = INFINITY, .t_hi = INFINITY};
  toi_status status = TOI_OK;
  uint64_t asked = 0;
  place_corners(a, options->t_max, pair.at[0]);
  place_corners(b, options->t_max, pair.at[1]);
  if (!boxes_apart(&pair, options->t_max, options->min_separation) && !crosses_at_start(&pair, &touch)) {
    toi_options narrow = toi_default_options();
    narrow.min_separation = options->min_separation;
    narrow.norm = options->norm;
    toi_counters counters = {0};
    toi_chunk chunk = {.kind = TOI_VERTEX_FACE, .options = &narrow, .counters = &counters, .quiet = true};
    chunk.context = context;
    chunk.thread = thread;
    status = ask(&pair, &chunk, VERTEX_FACES, &touch);
    chunk.kind = TOI_EDGE_EDGE;
    // Nothing is earlier than the start.
    if (status == TOI_OK && !touch.at_start)
      status = ask(&pair, &chunk, EDGE_EDGES, &touch);
    asked = counters.queries;
  }
  if (status != TOI_OK)
    return status;
  conclude(&pair, &touch, options->t_max, hit);
  hit->checks = asked;
  return TOI_OK;
}
