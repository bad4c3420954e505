/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* No earlier contact in two pieces: z = (t, parameters), the contact z* and the equations G of prove.h go to
 * solve/lower_bound.h, with the pieces' hulls of J and of the second derivatives of n . G. Ways off a side of the
 * domain that a point lies on can only be gone inward.
 *
 * Unknowns are measured in sizes of the pieces: time in the length of the span, parameters along two directions for
 * each piece. Derivatives over a piece come from the differences of its control points, at both ends of the span of
 * time, in which they are linear: a hull. Control points err by net_error; a value made of them errs by that and its
 * own roundings, counted as 8 u M; first differences by twice this times the degree, second ones by four times this
 * times its square.
 *
 * Residuals. G as computed at z* errs by e = value_error of the prover, and contacts of what is meant have |G| <= e.
 *
 * Triangles. Places and directions in a piece are exact, so that a point taken to lie in it does, and so does the
 * segment from there to any of its points. Why:
 * - Halving gives a piece of level k corners on the grid of h = 2^-ceil(k/2). Its edges from the first corner have the
 *   components 0, +-h and +-2h, its determinant is +-2^-k, and its larger width h or 2h (tests/surface/test_piece.c).
 * - WIDTH_LEAST <= 2h keeps these corners multiples of 2^-51. The point is one of 2^-52 in [0, 1] (toi_moment_settle,
 *   and checked), so that its difference from a corner is exact.
 * - A product of that difference and an edge's component changes the exponent only. The difference of two of them is a
 *   multiple of 2^-52 h: exact up to 2h, which is at least the determinant; beyond, it is rounded, but stays beyond the
 *   determinant, and so outside, or below zero. The quotient by the determinant changes the exponent only.
 * - Both coordinates of a place are multiples of 2^-52, as h >= 2^-k. Their sum, neither being negative, is exact up to
 *   2, and rounded beyond, where it stays above 1.
 * - A direction is 0 or +-1 times the larger width: its coordinates are small whole numbers. */

#include "solve/lower_bound.h"
#include "surface/prove.h"

#include <math.h>
#include <string.h>

#define UNKNOWNS 5

/* Roundings of a value made of control points, in parts of its terms. */
#define VALUE_PART (8 * TOI_UNIT)

/* Places in triangles are multiples of 1 / PLACES. */
#define PLACES 0x1p52

/* --- a piece: hulls of x y z (from the contact), n . xyz, their velocities likewise, and the weight --- */

#define FIELDS 9
enum { POSITION = 0, HEIGHT = 3, VELOCITY = 4, CLIMB = 7, WEIGHT = 8 };

typedef struct hulls {
  toi_midrad value[FIELDS];
  toi_midrad first[2][FIELDS];  /* along the two directions */
  toi_midrad second[3][FIELDS]; /* along the first twice, both, the second twice */
} hulls;

/* One piece with its two directions, in its own coordinates: a quad's across its widths, a triangle's along two edges.
 */
typedef struct frame {
  const toi_piece *piece;
  double direction[2][2]; /* in the piece's coordinates */
  bool inward[2];         /* the point lies on a side that the direction leads off */
  bool present[2];        /* quads of degree 0: no direction there */
  double radius[2];       /* the largest coefficient of a direction within the piece, from the point */
} frame;

typedef struct net_view {
  const double *rows[2]; /* the field at both ends of the span */
  double pad;
} net_view;

/* n! / (n - k)! */
static double falling(unsigned n, unsigned k) {
  return k == 0 ? 1 : k == 1 ? n : n * (n - 1.0);
}

/* Hull of the derivative of order (di, dj), di + dj <= 2, in the piece's own coordinates: its control points are
 * differences of p[0], p[one] and p[two], p[both]; for second ones in one direction one and two are the same. */
static toi_midrad derivative(const toi_root *root, const net_view *net, unsigned di, unsigned dj) {
  const toi_patch *patch = root->patch;
  bool quad = patch->shape == TOI_PATCH_QUAD;
  unsigned m = patch->degree[0], n = quad ? patch->degree[1] : m, order = di + dj;
  double lo = INFINITY, hi = -INFINITY;
  for (unsigned i = 0; i + di <= m; i++)
    for (unsigned j = 0; j + dj <= (quad ? n : m - i - di); j++) {
      size_t at = toi_net_index(patch, i, j), both = order ? toi_net_index(patch, i + di, j + dj) : at;
      size_t one = order == 2 ? toi_net_index(patch, i + (di > 0), j + (di == 0)) : at;
      size_t two = order == 2 ? toi_net_index(patch, i + (dj == 0), j + (dj > 0)) : at;
      for (int end = 0; end < 2; end++) {
        const double *p = net->rows[end];
        double here = order == 0 ? p[at] : order == 1 ? p[both] - p[at] : p[both] - p[one] - p[two] + p[at];
        lo = here < lo ? here : lo;
        hi = here > hi ? here : hi;
      }
    }
  if (lo > hi)
    return (toi_midrad){0, TOI_MIDRAD_LEAST};
  toi_midrad difference = toi_midrad_hull(lo, hi, net->pad * (order == 0 ? 1 : order == 1 ? 2 : 4));
  double factor = quad ? falling(m, di) * falling(n, dj) : falling(m, order);
  return factor == 1 ? difference : toi_midrad_scale(difference, factor);
}

/* Derivatives of one field along the frame's directions: values, first and second ones, as far as they are `wanted`. */
enum { VALUES = 1, FIRSTS = 2, SECONDS = 4 };
static void field_hulls(const frame *f, const net_view *net, int field, int wanted, hulls *h) {
  const toi_root *root = f->piece->root;
  if (wanted & VALUES)
    h->value[field] = derivative(root, net, 0, 0);
  if (wanted & FIRSTS) {
    toi_midrad first[2] = {derivative(root, net, 1, 0), derivative(root, net, 0, 1)};
    for (int i = 0; i < 2; i++)
      h->first[i][field] = toi_midrad_add(toi_midrad_scale(first[0], f->direction[i][0]),
                                          toi_midrad_scale(first[1], f->direction[i][1]));
  }
  if (!(wanted & SECONDS))
    return;
  toi_midrad second[3] = {derivative(root, net, 2, 0), derivative(root, net, 1, 1), derivative(root, net, 0, 2)};
  for (int i = 0; i < 3; i++) {
    const double *p = f->direction[i == 2], *q = f->direction[i > 0];
    toi_midrad mixed = toi_midrad_add(toi_midrad_scale(toi_midrad_scale(second[1], p[0]), q[1]),
                                      toi_midrad_scale(toi_midrad_scale(second[1], p[1]), q[0]));
    h->second[i][field] =
        toi_midrad_add(toi_midrad_add(toi_midrad_scale(toi_midrad_scale(second[0], p[0]), q[0]), mixed),
                       toi_midrad_scale(toi_midrad_scale(second[2], p[1]), q[1]));
  }
}

/* Times, the place that coordinates are taken from, the n of the argument, and the length of time that is its unit. */
typedef struct reference {
  toi_interval times;
  double centre[3], n[3];
  double span;
} reference;

/* Rows of a piece that are not constant: fills buffers with x y z from the contact, and n . xyz, at both ends. */
static void piece_hulls(const frame *f, const reference *o, bool weighted, hulls *h) {
  toi_interval times = o->times;
  const double *centre = o->centre, *n = o->n;
  const toi_piece *piece = f->piece;
  const toi_root *root = piece->root;
  size_t stride = root->stride, count = root->count;
  const double *net = piece->net + (root->rational ? TOI_NET_ROWS * stride : 0), *weights = net + 6 * stride;
  double rows[2][4][TOI_NET_POINTS] = {{{0}}}, speeds[4][TOI_NET_POINTS] = {{0}};
  double most[2] = {0, 0}, sum = fabs(n[0]) + fabs(n[1]) + fabs(n[2]), heaviest = 0;
  for (size_t i = 0; i < count; i++) {
    double w = root->rational ? weights[i] : 1;
    heaviest = w > heaviest ? w : heaviest;
    for (int end = 0; end < 2; end++) {
      double height = 0, t = end == 0 ? times.lo : times.hi;
      for (size_t k = 0; k < 3; k++) {
        double x = net[k * stride + i], v = net[(k + 3) * stride + i],
               all = fabs(x) + t * fabs(v) + w * fabs(centre[k]);
        rows[end][k][i] = x + t * v - w * centre[k];
        height += n[k] * rows[end][k][i];
        most[0] = all > most[0] ? all : most[0];
        most[1] = fabs(v) > most[1] ? fabs(v) : most[1];
        speeds[k][i] = v;
      }
      rows[end][HEIGHT][i] = height;
    }
    speeds[3][i] = n[0] * speeds[0][i] + n[1] * speeds[1][i] + n[2] * speeds[2][i];
  }
  double far = fabs(centre[0]) + fabs(centre[1]) + fabs(centre[2]);
  double pad = heaviest * (piece->net_error[0] + times.hi * piece->net_error[1] + far * piece->weight_error) +
               VALUE_PART * most[0];
  double speed_pad = heaviest * piece->net_error[1] + VALUE_PART * most[1];
  for (int k = 0; k < 4; k++) {
    net_view position = {{rows[0][k], rows[1][k]}, (k < 3 ? pad : sum * pad) * TOI_MIDRAD_OUTWARD + TOI_MIDRAD_LEAST};
    net_view velocity = {{speeds[k], speeds[k]},
                         (k < 3 ? speed_pad : sum * speed_pad) * TOI_MIDRAD_OUTWARD + TOI_MIDRAD_LEAST};
    // If neither piece has weights, the values of positions and most derivatives fall out of H and J.
    int more = weighted ? VALUES | FIRSTS | SECONDS : 0;
    field_hulls(f, &position, POSITION + k, more | (k < 3 ? FIRSTS : SECONDS), h);
    field_hulls(f, &velocity, VELOCITY + k, more | (k < 3 ? VALUES : FIRSTS), h);
  }
  if (root->rational) {
    net_view weight = {{weights, weights},
                       heaviest * (piece->weight_error + VALUE_PART) * TOI_MIDRAD_OUTWARD + TOI_MIDRAD_LEAST};
    field_hulls(f, &weight, WEIGHT, VALUES | FIRSTS | SECONDS, h);
  }
}

/* --- the frame of a piece around the point --- */

/* From parameters to the coordinates of a triangular piece. */
static void triangle_coordinates(const toi_piece *piece, const double step[2], double out[2]) {
  double(*c)[2] = (double(*)[2])piece->corner;
  double e[2] = {c[1][0] - c[0][0], c[1][1] - c[0][1]}, f[2] = {c[2][0] - c[0][0], c[2][1] - c[0][1]};
  double determinant = e[0] * f[1] - e[1] * f[0];
  out[0] = (step[0] * f[1] - step[1] * f[0]) / determinant;
  out[1] = (e[0] * step[1] - e[1] * step[0]) / determinant;
}

/* The directions of a triangle at a point: along the sides from a corner, along a side and off it, or any two. */
static void triangle_directions(const double uv[2], double directions[2][2], bool inward[2]) {
  bool on[3] = {uv[0] == 0, uv[1] == 0, 1 - uv[0] - uv[1] == 0};
  static const double from_side[3][2][2] = {{{0, 1}, {1, 0}}, {{1, 0}, {0, 1}}, {{1, -1}, {-1, 0}}};
  static const double from_corner[3][2][2] = {{{1, 0}, {0, 1}}, {{0, -1}, {1, -1}}, {{-1, 0}, {-1, 1}}};
  inward[0] = inward[1] = false;
  if (on[0] + on[1] + on[2] > 1) {
    int corner = on[0] && on[1] ? 0 : on[0] ? 1 : 2;
    memcpy(directions, from_corner[corner], sizeof(from_corner[corner]));
    inward[0] = inward[1] = true;
    return;
  }
  int side = on[0] ? 0 : on[1] ? 1 : 2;
  memcpy(directions, from_side[side], sizeof(from_side[side]));
  inward[1] = on[side];
}

/* False: the point is not in the piece. The radius is rounded; its factor covers that. */
static bool triangle_frame(const toi_piece *piece, const double uv[2], frame *f) {
  double directions[2][2], widest = toi_piece_width(piece, 0),
                           rest[2] = {uv[0] - piece->corner[0][0], uv[1] - piece->corner[0][1]};
  double place[2];
  if (uv[0] * PLACES != rint(uv[0] * PLACES) || uv[1] * PLACES != rint(uv[1] * PLACES))
    return false;
  widest = toi_piece_width(piece, 1) > widest ? toi_piece_width(piece, 1) : widest;
  triangle_coordinates(piece, rest, place);
  if (!(place[0] >= 0 && place[1] >= 0 && place[0] + place[1] <= 1))
    return false;
  triangle_directions(uv, directions, f->inward);
  double determinant = directions[0][0] * directions[1][1] - directions[0][1] * directions[1][0];
  for (int i = 0; i < 2; i++) {
    double step[2] = {widest * directions[i][0], widest * directions[i][1]};
    triangle_coordinates(piece, step, f->direction[i]);
    f->present[i] = true;
    for (int corner = 0; corner < 3; corner++) {
      const double *other = directions[1 - i];
      double to[2] = {piece->corner[corner][0] - uv[0], piece->corner[corner][1] - uv[1]};
      double part = (to[0] * other[1] - to[1] * other[0]) / determinant / widest;
      f->radius[i] = fabs(part) * TOI_MIDRAD_OUTWARD > f->radius[i] ? fabs(part) * TOI_MIDRAD_OUTWARD : f->radius[i];
    }
  }
  return true;
}

static bool quad_frame(const toi_piece *piece, const double uv[2], frame *f) {
  for (int k = 0; k < 2; k++) {
    double lo = piece->corner[0][k], hi = piece->corner[1][k], sign = uv[k] == 1 ? -1 : 1;
    if (!(uv[k] >= lo && uv[k] <= hi))
      return false;
    f->direction[k][k] = sign;
    f->present[k] = piece->root->patch->degree[k] > 0;
    f->inward[k] = uv[k] == 0 || uv[k] == 1;
    double reach = uv[k] - lo > hi - uv[k] ? uv[k] - lo : hi - uv[k];
    f->radius[k] = reach / (hi - lo) * TOI_MIDRAD_OUTWARD;
  }
  return true;
}

/* Corners of pieces no narrower than this are what halving makes of 0 and 1 without rounding. */
#define WIDTH_LEAST 0x1p-50

static bool make_frame(const toi_piece *piece, const double uv[2], frame *f) {
  *f = (frame){.piece = piece};
  if (!(toi_piece_width(piece, 0) >= WIDTH_LEAST && toi_piece_width(piece, 1) >= WIDTH_LEAST))
    return false;
  return piece->root->patch->shape == TOI_PATCH_QUAD ? quad_frame(piece, uv, f) : triangle_frame(piece, uv, f);
}

/* --- H, J and the slopes at the contact --- */

/* Time first, then the directions of both patches. */
typedef struct derivatives {
  toi_midrad hessian[UNKNOWNS][UNKNOWNS]; /* of n . G */
  toi_midrad jacobian[UNKNOWNS][3];
} derivatives;

/* x_field w_other - (x_other w_field), for a derivative of the one's and a value of the other's. */
static toi_midrad coupled(toi_midrad own, toi_midrad own_weight, toi_midrad other, toi_midrad other_weight) {
  return toi_midrad_sub(toi_midrad_mul(own, other_weight), toi_midrad_mul(other, own_weight));
}

static void fill_patch(const hulls h[2], int patch, double span, derivatives *s) {
  const hulls *own = &h[patch], *other = &h[1 - patch];
  double sign = patch == 0 ? 1 : -1;
  for (int i = 0; i < 2; i++) {
    int row = 1 + 2 * patch + i;
    for (int k = 0; k < 3; k++)
      s->jacobian[row][k] = toi_midrad_scale(
          coupled(own->first[i][POSITION + k], own->first[i][WEIGHT], other->value[POSITION + k], other->value[WEIGHT]),
          sign);
    s->hessian[0][row] = s->hessian[row][0] = toi_midrad_scale(
        coupled(own->first[i][CLIMB], own->first[i][WEIGHT], other->value[CLIMB], other->value[WEIGHT]), sign * span);
    for (int j = 0; j < 2; j++)
      s->hessian[row][1 + 2 * patch + j] = toi_midrad_scale(
          coupled(own->second[i + j][HEIGHT], own->second[i + j][WEIGHT], other->value[HEIGHT], other->value[WEIGHT]),
          sign);
  }
}

static void fill(const hulls h[2], double span, derivatives *s) {
  s->hessian[0][0] = (toi_midrad){0, 0};
  for (int k = 0; k < 3; k++)
    s->jacobian[0][k] = toi_midrad_scale(
        coupled(h[0].value[VELOCITY + k], h[0].value[WEIGHT], h[1].value[VELOCITY + k], h[1].value[WEIGHT]), span);
  fill_patch(h, 0, span, s);
  fill_patch(h, 1, span, s);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      toi_midrad one = toi_midrad_mul(h[0].first[i][HEIGHT], h[1].first[j][WEIGHT]);
      toi_midrad two = toi_midrad_mul(h[1].first[j][HEIGHT], h[0].first[i][WEIGHT]);
      s->hessian[1 + i][3 + j] = s->hessian[3 + j][1 + i] = toi_midrad_sub(one, two);
    }
}

/* H and J over both pieces. */
static void find_hulls(const frame frames[2], const reference *o, derivatives *s) {
  hulls h[2];
  bool weighted = frames[0].piece->root->rational || frames[1].piece->root->rational;
  for (int i = 0; i < 2; i++) {
    memset(&h[i], 0, sizeof(h[i]));
    h[i].value[WEIGHT].x = 1;
    piece_hulls(&frames[i], o, weighted, &h[i]);
  }
  fill(h, o->span, s);
}

/* The parameters' direction of an unknown, times its size. */
static void parameter_step(const frame *f, int i, double step[2]) {
  const toi_piece *piece = f->piece;
  double(*c)[2] = (double(*)[2])piece->corner;
  if (piece->root->patch->shape == TOI_PATCH_QUAD) {
    for (int k = 0; k < 2; k++)
      step[k] = f->direction[i][k] * (c[1][k] - c[0][k]);
    return;
  }
  for (int k = 0; k < 2; k++)
    step[k] = f->direction[i][0] * (c[1][k] - c[0][k]) + f->direction[i][1] * (c[2][k] - c[0][k]);
}

/* --- the bound --- */

/* The unknowns that there are, time last, and how far they go. */
typedef struct unknowns {
  int at[UNKNOWNS];
  double radius[UNKNOWNS];
} unknowns;

/* The span in time counts as a radius, with the rounding of its length. */
#define TIME_RADIUS (1 + 0x1p-20)

static void set_unknowns(const frame frames[2], double span, unknowns *u, toi_second_order *s) {
  s->m = 3;
  s->n = 0;
  for (int i = 0; i < 4; i++) {
    const frame *f = &frames[i / 2];
    if (!f->present[i % 2])
      continue;
    u->at[s->n] = 1 + i;
    u->radius[s->n] = f->radius[i % 2];
    s->inward[s->n++] = f->inward[i % 2];
  }
  u->at[s->n] = 0;
  u->radius[s->n] = TIME_RADIUS;
  s->inward[s->n++] = false;
  s->length = span * TIME_RADIUS;
}

/* G and its slopes at the contact, with their errors. */
static void set_contact(const toi_prover *prover, const toi_gap *gap, const frame frames[2], const unknowns *u,
                        toi_second_order *s) {
  s->residual = prover->value_error;
  for (int k = 0; k < 3; k++)
    s->value[k] = (toi_midrad){gap->value[k], prover->value_error};
  for (size_t j = 0; j < s->n; j++) {
    int i = u->at[j] - 1;
    toi_direction direction = toi_direction_time();
    double slope[3], step[2], error = prover->slope_error[0], times = s->length / TIME_RADIUS;
    if (i >= 0) {
      parameter_step(&frames[i / 2], i % 2, step);
      direction = toi_direction_of(i / 2, step[0], step[1]);
      const double *errors = &prover->slope_error[1 + i / 2 * 2];
      error = (fabs(step[0]) + fabs(step[1])) * (errors[0] + errors[1]);
      times = 1;
    }
    toi_slope_along(gap->slope, &direction, slope);
    for (int k = 0; k < 3; k++) {
      toi_midrad at = {slope[k], (error + 4 * TOI_UNIT * fabs(slope[k])) * TOI_MIDRAD_OUTWARD};
      s->slope[k][j] = toi_midrad_scale(toi_midrad_scale(at, times), u->radius[j]);
    }
  }
}

static void set_pieces(const derivatives *d, const unknowns *u, toi_second_order *s) {
  for (size_t j = 0; j < s->n; j++) {
    for (int k = 0; k < 3; k++)
      s->over[k][j] = toi_midrad_scale(d->jacobian[u->at[j]][k], u->radius[j]);
    for (size_t i = 0; i <= j; i++)
      s->hessian[j][i] = toi_midrad_scale(toi_midrad_scale(d->hessian[u->at[j]][u->at[i]], u->radius[j]), u->radius[i]);
  }
}

bool toi_isolate(const toi_prover *prover, const toi_moment *at, const toi_piece *a, const toi_piece *b,
                 toi_interval times, double *t_lo) {
  frame frames[2];
  if (!(times.lo <= at->t && at->t <= times.hi) || !make_frame(a, at->uv[0], &frames[0]) ||
      !make_frame(b, at->uv[1], &frames[1]))
    return false;
  // Sizes in time: of the span, but not less than what rounding leaves of it.
  double span = times.hi - times.lo, least = 0x1p-40 * prover->t_max;
  reference o = {.times = times, .span = span > least ? span : least};
  toi_gap gap;
  toi_gap_at(prover, at, false, &gap);
  toi_second_order s = {.time = {at->t, 0}};
  unknowns u;
  set_unknowns(frames, o.span, &u, &s);
  set_contact(prover, &gap, frames, &u, &s);
  if (!toi_lower_bound_begin(&s))
    return false;
  memcpy(o.n, s.l, sizeof(o.n));
  for (int k = 0; k < 3; k++)
    o.centre[k] = gap.jet[1].value[k] / gap.jet[1].value[6];
  derivatives d;
  find_hulls(frames, &o, &d);
  set_pieces(&d, &u, &s);
  *t_lo = toi_lower_bound(&s, true);
  return *t_lo > -INFINITY;
}
