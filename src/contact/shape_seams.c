/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Mistakes in what a parametric shape says of itself, found by samples.
 *
 * An edge that is not named as a real one is a seam: the surface goes on smoothly there. The search relies on it, and a
 * solid is relied on to be closed, with its normals outwards. None of this can be proved from enclosures alone; so it
 * stays the caller's word, and what is checked here, at a few points, only catches the mistakes that are easily made:
 * an open edge or the tip of a cone called a seam, u and v in the wrong order. A seam is taken as one if both edges are
 * the same curve, run through in the same or in opposite directions, with the same tangent planes, or if the edge is
 * one point and the surface leaves it within a plane. */

#include "contact/shape.h"
#include "solve/vector.h"

/* Points of an edge that are checked, and moments if the shape deforms. */
#define SAMPLES 12
#define MOMENTS 3

/* Points this close, in parts of the shape's size, are the same; directions differ by a small angle at most. */
#define SAME_POINT 1e-9
#define SAME_DIRECTION 1e-6

/* Pieces along u and v for the volume, and if it seems small beside its parts. */
#define COARSE 16
#define FINE 64
#define SMALL 0.1

typedef struct sample {
  double point[3], by[2][3];
  bool smooth; /* the derivatives are bounded */
} sample;

typedef struct edge {
  const toi_shape *shape;
  int axis; /* the parameter that is constant along it: 0 u, 1 v */
  int end;  /* 0 lo, 1 hi */
  double t;
  double size; /* of the shape */
  sample at[SAMPLES], opposite[SAMPLES];
} edge;

/* To length 1; false if it is zero or too small, beside `scale`, to say. */
static bool normalise(double a[3], double scale) {
  double length = sqrt(toi_dot(a, a));
  if (!(length > SAME_POINT * scale) || !isfinite(length))
    return false;
  for (int k = 0; k < 3; k++)
    a[k] /= length;
  return true;
}

static toi_status take_sample(const toi_shape *shape, const double at[3], const char *what, sample *out) {
  toi_interval jets[3 * TOI_JET_SIZE(3, 1)], box[3];
  for (int i = 0; i < 3; i++)
    box[i] = toi_interval_point(at[i]);
  if (!toi_shape_jets(shape, box, 1, jets))
    return toi_shape_explain(shape, box, 1, what);
  out->smooth = true;
  for (int k = 0; k < 3; k++) {
    out->point[k] = toi_interval_midpoint(jets[4 * k]);
    for (int i = 0; i < 2; i++) {
      // Per unit of the whole domain, so that all are of the shape's size.
      double width = shape->domain[i].hi - shape->domain[i].lo;
      out->by[i][k] = toi_interval_midpoint(jets[4 * k + 1 + i]) * width;
      out->smooth = out->smooth && toi_interval_magnitude(jets[4 * k + 1 + i]) <= DBL_MAX;
    }
  }
  return TOI_OK;
}

/* --- seams --- */

static bool same_point(const sample *a, const sample *b, double size) {
  for (int k = 0; k < 3; k++)
    if (!(fabs(a->point[k] - b->point[k]) <= SAME_POINT * size))
      return false;
  return true;
}

static bool is_one_point(const edge *e) {
  for (int n = 1; n < SAMPLES; n++)
    if (!same_point(&e->at[0], &e->at[n], e->size))
      return false;
  return true;
}

static bool is_glued(const edge *e, bool reversed) {
  for (int n = 0; n < SAMPLES; n++)
    if (!same_point(&e->at[n], &e->opposite[reversed ? SAMPLES - 1 - n : n], e->size))
      return false;
  return true;
}

/* Whether the tangent planes of both sides agree wherever they can be told, and the surface goes on instead of back:
 * the normals are the same, or opposite where the edges run in opposite directions. */
static bool is_smooth(const edge *e, bool reversed) {
  for (int n = 0; n < SAMPLES; n++) {
    const sample *a = &e->at[n], *b = &e->opposite[reversed ? SAMPLES - 1 - n : n];
    double first[3], second[3], both[3], scale = e->size * e->size;
    toi_cross(a->by[0], a->by[1], first);
    toi_cross(b->by[0], b->by[1], second);
    if (!a->smooth || !b->smooth || !normalise(first, scale) || !normalise(second, scale))
      continue;
    toi_cross(first, second, both);
    if (toi_dot(both, both) > SAME_DIRECTION * SAME_DIRECTION || (toi_dot(first, second) < 0) != reversed)
      return false;
  }
  return true;
}

/* Whether the directions in which the surface leaves a pole lie in a plane, and not on a line. */
static bool is_flat_pole(const edge *e) {
  double ways[SAMPLES][3], normal[3] = {0}, most = 0;
  int count = 0;
  for (int n = 0; n < SAMPLES; n++) {
    memcpy(ways[count], e->at[n].by[e->axis], sizeof(ways[count]));
    if (e->at[n].smooth && normalise(ways[count], e->size))
      count++;
  }
  // Too few to tell.
  if (count < 3)
    return true;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i; j++) {
      double product[3];
      toi_cross(ways[i], ways[j], product);
      if (toi_dot(product, product) > most) {
        most = toi_dot(product, product);
        memcpy(normal, product, sizeof(normal));
      }
    }
  if (most <= SAME_DIRECTION * SAME_DIRECTION || !normalise(normal, 0))
    return false;
  for (int i = 0; i < count; i++)
    if (fabs(toi_dot(normal, ways[i])) > SAME_DIRECTION)
      return false;
  return true;
}

static toi_status fail_edge(const edge *e, const char *what, const char *wrong, const char *remedy) {
  toi_interval domain = e->shape->domain[e->axis];
  return toi_fail(e->shape->context, TOI_ERROR_INPUT, "%s: the surface %s where %c = %.9g, t = %g; %s", what, wrong,
                  "uv"[e->axis], e -> end == 0 ? domain.lo : domain.hi, e->t, remedy);
}

/* A real edge may do as it likes, but a solid is closed anyway. */
static toi_status judge(const edge *e, const char *what) {
  bool real = (e->shape->edges >> (2 * e->axis + e->end)) & 1;
  if (is_one_point(e))
    return real || is_flat_pole(e) ? TOI_OK : fail_edge(e, what, "has a tip", "name that edge as a real one");
  bool straight = is_glued(e, false), reversed = is_glued(e, true);
  if (!straight && !reversed && e->shape->solid)
    return fail_edge(e, what, "is open", "a solid is closed");
  if (real || (straight && is_smooth(e, false)) || (reversed && is_smooth(e, true)))
    return TOI_OK;
  if (straight || reversed)
    return fail_edge(e, what, "has a bend at the seam", "name both edges there as real ones");
  return fail_edge(e, what, "is open", "name that edge as a real one");
}

static toi_status sample_edge(edge *e, const char *what) {
  const toi_shape *shape = e->shape;
  toi_interval across = shape->domain[e->axis], along = shape->domain[1 - e->axis];
  for (int n = 0; n < SAMPLES; n++) {
    double part = (n + 0.5) / SAMPLES, at[3] = {0, 0, e->t};
    at[1 - e->axis] = along.lo * (1 - part) + along.hi * part;
    for (int side = 0; side < 2; side++) {
      at[e->axis] = side == 0 ? across.lo : across.hi;
      toi_status status = take_sample(shape, at, what, side == e->end ? &e->at[n] : &e->opposite[n]);
      if (status != TOI_OK)
        return status;
    }
  }
  return TOI_OK;
}

/* --- inside out --- */

toi_status toi_shape_volume(const toi_shape *shape, const double c[3], int pieces, const char *what, double sums[2]) {
  sums[0] = sums[1] = 0;
  for (int n = 0; n < pieces * pieces; n++) {
    const int column = n % pieces, row = n / pieces;
    double at[3] = {0, 0, 0}, part[2] = {(column + 0.5) / pieces, (row + 0.5) / pieces};
    for (int i = 0; i < 2; i++)
      at[i] = shape->domain[i].lo * (1 - part[i]) + shape->domain[i].hi * part[i];
    sample s;
    toi_status status = take_sample(shape, at, what, &s);
    if (status != TOI_OK)
      return status;
    double normal[3];
    toi_cross(s.by[0], s.by[1], normal);
    for (int k = 0; k < 3; k++)
      s.point[k] -= c[k];
    double term = s.smooth ? toi_dot(s.point, normal) : 0;
    sums[0] += term;
    sums[1] += fabs(term);
  }
  return TOI_OK;
}

static toi_status check_volume(const toi_shape *shape, const double centre[3], const char *what) {
  double sums[2];
  toi_status status = toi_shape_volume(shape, centre, COARSE, what, sums);
  if (status == TOI_OK && fabs(sums[0]) < SMALL * sums[1])
    status = toi_shape_volume(shape, centre, FINE, what, sums);
  if (status == TOI_OK && sums[0] < -SAME_POINT * sums[1])
    return toi_fail(shape->context, TOI_ERROR_INPUT, "%s: the solid is inside out; swap u and v", what);
  return status;
}

/* The middle and the size of a few points at time t. */
static toi_status measure(const toi_shape *shape, double t, const char *what, double centre[3], double *size) {
  toi_interval hull[3] = {{0, 0}, {0, 0}, {0, 0}};
  *size = 0;
  for (int n = 0; n < SAMPLES * SAMPLES; n++) {
    const int column = n % SAMPLES, row = n / SAMPLES;
    double at[3] = {0, 0, t}, part[2] = {column / (SAMPLES - 1.0), row / (SAMPLES - 1.0)};
    toi_interval box[3], point[3];
    for (int i = 0; i < 2; i++)
      at[i] = shape->domain[i].lo * (1 - part[i]) + shape->domain[i].hi * part[i];
    for (int i = 0; i < 3; i++)
      box[i] = toi_interval_point(at[i]);
    if (!toi_shape_jets(shape, box, 0, point))
      return toi_shape_explain(shape, box, 0, what);
    for (int k = 0; k < 3; k++)
      hull[k] = n == 0 ? point[k] : toi_interval_hull(hull[k], point[k]);
  }
  for (int k = 0; k < 3; k++) {
    centre[k] = toi_interval_midpoint(hull[k]);
    *size = fmax(*size, hull[k].hi - hull[k].lo);
  }
  return TOI_OK;
}

uint32_t toi_shape_poles(const toi_shape *shape) {
  uint32_t poles = 0;
  edge e = {.shape = shape};
  double centre[3] = {0};
  bool known = measure(shape, 0, "shape", centre, &e.size) == TOI_OK;
  for (int n = 0; n < 4; n++) {
    e.axis = n / 2;
    e.end = n % 2;
    if (!known || sample_edge(&e, "shape") != TOI_OK || is_one_point(&e))
      poles |= UINT32_C(1) << n;
  }
  return poles;
}

toi_status toi_shape_check_seams(const toi_shape *shape, double t_max, const char *what) {
  assert(!shape->implicit);
  // Nothing to look at: an open surface with four real edges.
  if (!shape->solid && shape->edges == TOI_EDGES)
    return TOI_OK;
  int moments = shape->deforming ? MOMENTS : 1;
  for (int moment = 0; moment < moments; moment++) {
    edge e = {.shape = shape, .t = t_max * (moment / (MOMENTS - 1.0))};
    double centre[3] = {0};
    toi_status status = measure(shape, e.t, what, centre, &e.size);
    for (int n = 0; status == TOI_OK && n < 4; n++) {
      e.axis = n / 2;
      e.end = n % 2;
      status = sample_edge(&e, what);
      if (status == TOI_OK)
        status = judge(&e, what);
    }
    if (status == TOI_OK && shape->solid && moment == 0)
      status = check_volume(shape, centre, what);
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}
