/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What is proved of a shape before a search: that it is defined and finite, and a box and a ball that hold it.
 *
 * Claim: for all u, v of the domain and t in [0, t_max], S(u, v, t) lies in the bounds, and within the radius of the
 * centre. The bounds of an implicit shape are those that were given, less slabs at their sides over which its function
 * is proved not to be 0, and hold all of it that is looked for.
 * Bound: for each piece P of the domain, with any point m of P and X_i the extent of P along u, v and t, and for f one
 * of x, y, z, |S - c|^2: f(P) lies in the enclosure of f over P, and in f(m) + sum f_i(P) (X_i - m_i).
 * Why: the second is the mean value theorem along the segment from m, which stays in P; where f has a kink, f_i(P)
 * encloses the derivatives of both sides, so it holds piece by piece of the segment. (|S - c|^2)_i = 2 (S - c) . S_i.
 * The pieces cover the domain, so the hull of what they give holds everything. Which pieces are halved is decided by
 * points of the surface, and only tells how tight the result is: a piece that sticks out of the hull of the points met
 * so far by less than SLACK of its size, SLACK_BALL for the ball, is good enough. The centre is any point; it is near
 * the middle of those, or the origin where it is known how far the shape reaches from there. */

#include "contact/boolean.h"
#include "contact/solid.h"

#include <stdio.h>

/* Pieces are halved this often at most, shapes that deform a little more often. */
#define DEPTH 10
#define DEPTH_DEFORMING 13
#define SLACK 0.02
#define SLACK_BALL 0.05

/* Functions of the user's are proved to be finite on pieces halved this often at most. */
#define DEPTH_FINITE 12

/* Points along u and v, and along t if it deforms, that the hull starts with. */
#define POINTS 5
#define MOMENTS 3

/* --- defined and finite --- */

/* Formulas made by calls have no columns. */
static toi_status fail_at(const toi_shape *shape, const toi_tape_fault *fault, const char *place, const char *what) {
  char column[32] = "";
  if (fault->column > 0)
    snprintf(column, sizeof column, ", column %zu", fault->column);
  return toi_fail(shape->context, TOI_ERROR_INPUT, "%s: %s%s: %s %s %s", what, shape->parts[fault->term], column,
                  fault->operation, fault->wrong, place);
}

/* An unbounded domain cannot be halved: there the function must be seen to be defined as it is. */
static toi_status check_tape(const toi_shape *shape, const toi_interval *box, const char *what) {
  toi_tape_fault fault = {0};
  toi_interval place[4] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
  if (shape->implicit && shape->bounds[0].hi > DBL_MAX)
    return !toi_tape_find_fault(shape->tape, box, &fault)
               ? TOI_OK
               : fail_at(shape, &fault, "somewhere in space; give bounds within which it is defined", what);
  if (toi_tape_check(shape->tape, box, &fault, place))
    return TOI_OK;
  char text[TOI_PLACE_SIZE + sizeof "near "] = "near ";
  toi_shape_name_place(shape, place, true, text + strlen(text));
  return fail_at(shape, &fault, text, what);
}

/* Pieces that wait, each after the other half was looked at first: never more than the depth. */
typedef struct piece {
  toi_interval box[4];
  int depth;
} piece;

/* Both halves of *from along axis i; the second one stays in *from. */
static void halve(piece *from, int i, piece *first) {
  double middle = toi_interval_midpoint(from->box[i]);
  from->depth++;
  *first = *from;
  first->box[i].hi = middle;
  from->box[i].lo = middle;
}

/* A function of the user's: every piece is an interval, and small ones are bounded. Without bounds only the former. */
static toi_status check_own(const toi_shape *shape, const toi_interval *box, const char *what) {
  int axes = shape->implicit ? 4 : 3, parts = shape->implicit ? 1 : 3;
  bool bounded = !shape->implicit || shape->bounds[0].hi <= DBL_MAX;
  piece stack[DEPTH_FINITE + 2] = {{.depth = 0}};
  memcpy(stack[0].box, box, (size_t)axes * sizeof(*box));
  for (int count = 1; count > 0;) {
    piece *top = &stack[count - 1];
    toi_interval values[3] = {{0, 0}, {0, 0}, {0, 0}};
    if (!toi_shape_jets(shape, top->box, 0, values))
      return toi_shape_explain(shape, top->box, 0, what);
    int wrong = 0;
    while (bounded && wrong < parts && toi_interval_magnitude(values[wrong]) <= DBL_MAX)
      wrong++;
    if (wrong == parts || !bounded) {
      count--;
      continue;
    }
    if (top->depth == DEPTH_FINITE) {
      char near[TOI_PLACE_SIZE];
      toi_shape_name_place(shape, top->box, true, near);
      return toi_fail(shape->context, TOI_ERROR_INPUT, "%s: %s is not bounded near %s", what, shape->parts[wrong],
                      near);
    }
    halve(top, top->depth % axes, top + 1);
    count++;
  }
  return TOI_OK;
}

/* --- a box and a ball --- */

static bool is_reach_known(const toi_shape *shape) {
  return shape->reach <= DBL_MAX;
}

typedef struct cover {
  const toi_shape *shape;
  double centre[3];
  toi_interval met[3];    /* the hull of points of the surface, rounded */
  double met_square;      /* the largest square of their distances from the centre, rounded */
  toi_interval bounds[3]; /* what holds the pieces so far */
  double square;          /* of their distances from the centre */
  bool empty;             /* none so far */
} cover;

/* S and its first derivatives over a piece, and S at its middle. */
typedef struct sides {
  toi_interval value[3], by[3][3]; /* by[i]: along u, v, t */
  toi_interval middle[3];
} sides;

static bool evaluate(const toi_shape *shape, const toi_interval box[3], sides *out) {
  toi_interval jets[3 * TOI_JET_SIZE(3, 1)], middle[3];
  for (int i = 0; i < 3; i++)
    middle[i] = toi_interval_point(toi_interval_midpoint(box[i]));
  if (!toi_shape_jets(shape, box, 1, jets) || !toi_shape_jets(shape, middle, 0, out->middle))
    return false;
  for (int k = 0; k < 3; k++) {
    out->value[k] = jets[4 * k];
    for (int i = 0; i < 3; i++)
      out->by[i][k] = jets[4 * k + 1 + i];
  }
  return true;
}

/* X_i - m_i. */
static toi_interval offset(toi_interval x) {
  return toi_interval_sub(x, toi_interval_point(toi_interval_midpoint(x)));
}

/* The enclosure and the mean value form in common; the former if a function of the user's contradicts itself. */
static toi_interval tighten(toi_interval value, toi_interval at_middle, const toi_interval by[3],
                            const toi_interval box[3]) {
  for (int i = 0; i < 3; i++)
    at_middle = toi_interval_add(at_middle, toi_interval_mul(by[i], offset(box[i])));
  (void)toi_interval_intersect(value, at_middle, &value);
  return value;
}

static toi_interval square_distance(const toi_interval p[3], const double centre[3]) {
  toi_interval sum = {0, 0};
  for (int k = 0; k < 3; k++)
    sum = toi_interval_add(sum, toi_interval_square(toi_interval_sub(p[k], toi_interval_point(centre[k]))));
  return sum;
}

/* Encloses the piece, each coordinate in box and its distance's square in *square. */
static void enclose(const cover *c, const toi_interval box[3], const sides *s, toi_interval held[3],
                    toi_interval *square) {
  toi_interval by[3] = {{0, 0}, {0, 0}, {0, 0}};
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 3; i++)
      by[i] = s->by[i][k];
    held[k] = tighten(s->value[k], s->middle[k], by, box);
  }
  for (int i = 0; i < 3; i++) {
    toi_interval product = {0, 0};
    for (int k = 0; k < 3; k++)
      product = toi_interval_add(
          product, toi_interval_mul(toi_interval_sub(held[k], toi_interval_point(c->centre[k])), s->by[i][k]));
    by[i] = toi_interval_scale(product, 1);
  }
  *square = tighten(square_distance(held, c->centre), square_distance(s->middle, c->centre), by, box);
}

static void meet(cover *c, const toi_interval point[3]) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    double x = toi_interval_midpoint(point[k]), d = x - c->centre[k];
    c->met[k] = toi_interval_hull(c->met[k], (toi_interval){x, x});
    square += d * d;
  }
  c->met_square = square > c->met_square ? square : c->met_square;
}

/* Whether it reaches far beyond the points that were met. */
static bool sticks_out(const cover *c, const toi_interval held[3], toi_interval square) {
  double size = 0;
  for (int k = 0; k < 3; k++)
    size = fmax(size, c->met[k].hi - c->met[k].lo);
  for (int k = 0; k < 3; k++)
    if (held[k].lo < c->met[k].lo - SLACK * size || held[k].hi > c->met[k].hi + SLACK * size)
      return true;
  return !is_reach_known(c->shape) && square.hi > c->met_square * ((1 + SLACK_BALL) * (1 + SLACK_BALL));
}

static void take(cover *c, const toi_interval held[3], toi_interval square) {
  for (int k = 0; k < 3; k++)
    c->bounds[k] = c->empty ? held[k] : toi_interval_hull(c->bounds[k], held[k]);
  c->square = square.hi > c->square ? square.hi : c->square;
  c->empty = false;
}

/* The axis along which S changes most over the piece; of several without bound the longest part of the domain. */
static int choose_axis(const toi_interval box[3], const toi_interval domain[3], const sides *s) {
  int best = 0;
  double most = -1, longest = -1;
  for (int i = 0; i < 3; i++) {
    double width = box[i].hi - box[i].lo, part = width > 0 ? width / (domain[i].hi - domain[i].lo) : 0, change = 0;
    for (int k = 0; part > 0 && k < 3; k++)
      change = fmax(change, toi_interval_magnitude(s->by[i][k]) * width);
    if (change < most || (change == most && part <= longest))
      continue;
    best = i;
    most = change;
    longest = part;
  }
  return best;
}

/* First box first: points that are met there spare others from being halved. */
static toi_status cover_pieces(cover *c, const toi_interval domain[3], const char *what) {
  int depth = c->shape->deforming ? DEPTH_DEFORMING : DEPTH;
  piece stack[DEPTH_DEFORMING + 2] = {{.depth = 0}};
  memcpy(stack[0].box, domain, 3 * sizeof(*domain));
  for (int count = 1; count > 0;) {
    piece *top = &stack[count - 1];
    sides s;
    toi_interval held[3], square;
    if (!evaluate(c->shape, top->box, &s))
      return toi_shape_explain(c->shape, top->box, 1, what);
    enclose(c, top->box, &s, held, &square);
    meet(c, s.middle);
    if (top->depth < depth && sticks_out(c, held, square)) {
      halve(top, choose_axis(top->box, domain, &s), top + 1);
      count++;
      continue;
    }
    take(c, held, square);
    count--;
  }
  return TOI_OK;
}

/* Points of a grid, for the centre and a first idea of the size. */
static toi_status sample(cover *c, const toi_interval domain[3], const char *what) {
  toi_interval points[POINTS * POINTS * MOMENTS][3];
  size_t count = 0;
  int moments = c->shape->deforming ? MOMENTS : 1;
  for (int n = 0; n < POINTS * POINTS * moments; n++) {
    int step[3] = {n % POINTS, n / POINTS % POINTS, n / (POINTS * POINTS)};
    toi_interval at[3];
    for (int i = 0; i < 3; i++) {
      double part = step[i] / (i < 2 ? POINTS - 1.0 : MOMENTS - 1.0);
      at[i] = toi_interval_point(domain[i].lo * (1 - part) + domain[i].hi * part);
    }
    if (!toi_shape_jets(c->shape, at, 0, points[count]))
      return toi_shape_explain(c->shape, at, 0, what);
    count++;
  }
  for (int k = 0; k < 3; k++)
    c->met[k] = toi_interval_point(toi_interval_midpoint(points[0][k]));
  for (size_t n = 0; n < count; n++)
    meet(c, points[n]);
  for (int k = 0; k < 3; k++)
    c->centre[k] = toi_interval_midpoint(c->met[k]);
  c->met_square = 0;
  for (size_t n = 0; n < count; n++)
    meet(c, points[n]);
  return TOI_OK;
}

/* --- implicit shapes: the sides of their bounds --- */

/* Slabs are cut off in pieces of so many along each other axis, as thick as these parts of the extent, so many times
 * around at most. */
#define SLAB_PIECES 4
#define SLAB_ROUNDS 8
static const double slab_parts[] = {0.25, 0.0625, 0.015625};

/* Whether the function is not 0 over a piece: by its enclosure, or by the mean value form. */
static bool is_free(const toi_shape *shape, const toi_interval box[4]) {
  toi_interval jet[TOI_JET_SIZE(4, 1)], middle[4], value;
  if (!toi_shape_jets(shape, box, 1, jet))
    return false;
  if (toi_interval_sign(jet[0]) != 0)
    return true;
  for (int i = 0; i < 4; i++)
    middle[i] = toi_interval_point(toi_interval_midpoint(box[i]));
  if (!toi_shape_jets(shape, middle, 0, &value))
    return false;
  for (int i = 0; i < 4; i++)
    value = toi_interval_add(value, toi_interval_mul(jet[1 + i], offset(box[i])));
  return toi_interval_sign(value) != 0;
}

/* Piece `number` of SLAB_PIECES, those in the middle first: there the surface is. */
static toi_interval slab_piece(toi_interval x, int number) {
  static const int order[SLAB_PIECES] = {1, 2, 0, 3};
  int n = order[number];
  double low = (double)n / SLAB_PIECES, high = (double)(n + 1) / SLAB_PIECES;
  return (toi_interval){n == 0 ? x.lo : x.lo * (1 - low) + x.hi * low,
                        n == SLAB_PIECES - 1 ? x.hi : x.lo * (1 - high) + x.hi * high};
}

static bool is_slab_free(const toi_shape *shape, const toi_interval slab[4], int axis) {
  const int first = (axis + 1) % 3, second = (axis + 2) % 3;
  for (int n = 0; n < SLAB_PIECES * SLAB_PIECES; n++) {
    toi_interval part[4] = {slab[0], slab[1], slab[2], slab[3]};
    part[first] = slab_piece(slab[first], n / SLAB_PIECES);
    part[second] = slab_piece(slab[second], n % SLAB_PIECES);
    if (!is_free(shape, part))
      return false;
  }
  return true;
}

/* Cuts a slab off one side, the thickest that is free; false: none is. */
static bool cut_side(const toi_shape *shape, toi_interval box[4], int axis, bool high) {
  for (size_t i = 0; i < sizeof slab_parts / sizeof *slab_parts; i++) {
    const toi_interval x = box[axis];
    double thick = slab_parts[i] * toi_interval_width(x), at = high ? x.hi - thick : x.lo + thick;
    toi_interval slab[4] = {box[0], box[1], box[2], box[3]};
    slab[axis] = high ? (toi_interval){at, x.hi} : (toi_interval){x.lo, at};
    if (!(x.lo < at && at < x.hi) || !is_slab_free(shape, slab, axis))
      continue;
    box[axis] = high ? (toi_interval){x.lo, at} : (toi_interval){at, x.hi};
    return true;
  }
  return false;
}

/* Shapes of the library have bounds that fit. Their box keeps some width, also where there is no surface at all. */
static void cut_bounds(const toi_shape *shape, const toi_interval given[4], toi_interval bounds[3]) {
  toi_interval box[4] = {given[0], given[1], given[2], given[3]};
  bool cut = shape->tape != NULL && !shape->known && box[0].hi <= DBL_MAX;
  for (int round = 0; round < SLAB_ROUNDS && cut; round++) {
    cut = false;
    for (int side = 0; side < 6; side++)
      cut |= cut_side(shape, box, side / 2, side % 2);
  }
  memcpy(bounds, box, 3 * sizeof *bounds);
}

/* The ball around the bounds of an implicit shape. */
static double corner_of(const toi_interval bounds[3], const double centre[3]) {
  toi_interval sum = {0, 0};
  for (int k = 0; k < 3; k++) {
    double farthest = toi_interval_magnitude(toi_interval_sub(bounds[k], toi_interval_point(centre[k])));
    sum = toi_interval_add(sum, toi_interval_square((toi_interval){0, farthest}));
  }
  return sum.hi <= DBL_MAX ? toi_sqrt_up(sum.hi) : INFINITY;
}

static toi_status check_parametric(const toi_shape *shape, const toi_interval domain[3], const char *what, cover *c) {
  *c = (cover){.shape = shape, .empty = true};
  toi_status status = sample(c, domain, what);
  if (status == TOI_OK)
    status = cover_pieces(c, domain, what);
  return status == TOI_OK && !shape->known ? toi_shape_check_seams(shape, domain[2].hi, what) : status;
}

/* A patch lies in the hull of its control points; it is finite unless they overflow, or its weights differ so much that
 * rounding hides the smaller ones. */
static toi_status check_patch(const toi_shape *shape, double t_max, const char *what, toi_interval bounds[3],
                              double centre[3], double *radius) {
  toi_patch_nets_bounds(shape->nets, t_max, bounds, centre, radius);
  for (int k = 0; k < 3; k++)
    if (!(toi_interval_magnitude(bounds[k]) <= DBL_MAX))
      return toi_fail(shape->context, TOI_ERROR_INPUT,
                      "%s: a patch has no bounds in %s; use smaller numbers, and weights less far apart", what,
                      shape->parts[k]);
  return TOI_OK;
}

/* One that does not deform was checked when it was made. */
static toi_status check_boolean(const toi_shape *shape, double t_max, const char *what) {
  return shape->deforming ? toi_boolean_check(shape, t_max, what) : TOI_OK;
}

/* The hull of its faces, if they are known. */
static void feature_bounds(const toi_shape *shape, toi_interval bounds[3]) {
  const toi_boolean_tree *b = shape->boolean;
  for (size_t i = 0; i < b->feature_count && b->features != NULL; i++)
    for (int k = 0; k < 3; k++)
      bounds[k] = i == 0 ? b->features[i].hull[k] : toi_interval_hull(bounds[k], b->features[i].hull[k]);
}

toi_status toi_shape_check(const toi_shape *shape, double t_max, const char *what, toi_interval bounds[3],
                           double centre[3], double *radius) {
  assert(shape && t_max >= 0 && t_max <= DBL_MAX);
  toi_interval box[4] = {shape->domain[0], shape->domain[1], {0, t_max}, {0, t_max}};
  if (shape->implicit)
    memcpy(box, shape->bounds, sizeof(shape->bounds));
  if (shape->face != NULL && shape->face->bounded) {
    memcpy(bounds, shape->face->bounds, sizeof shape->face->bounds);
    memcpy(centre, shape->face->centre, sizeof shape->face->centre);
    *radius = shape->face->ball;
    return TOI_OK;
  }
  if (shape->nets != NULL)
    return check_patch(shape, t_max, what, bounds, centre, radius);
  toi_status status = shape->boolean ? check_boolean(shape, t_max, what)
                      : shape->tape  ? check_tape(shape, box, what)
                                     : check_own(shape, box, what);
  cover c = {.square = INFINITY};
  memcpy(c.bounds, shape->bounds, sizeof(c.bounds));
  if (status == TOI_OK && shape->implicit)
    cut_bounds(shape, box, c.bounds);
  if (status == TOI_OK && shape->boolean)
    feature_bounds(shape, c.bounds);
  else if (status == TOI_OK && !shape->implicit)
    status = check_parametric(shape, box, what, &c);
  if (status != TOI_OK)
    return status;
  memcpy(bounds, c.bounds, sizeof(c.bounds));
  for (int k = 0; k < 3; k++)
    centre[k] = is_reach_known(shape) ? 0 : shape->implicit ? toi_interval_midpoint(bounds[k]) : c.centre[k];
  if (is_reach_known(shape))
    *radius = shape->reach;
  else if (shape->implicit)
    *radius = corner_of(bounds, centre);
  else
    *radius = c.square <= DBL_MAX ? toi_sqrt_up(c.square) : INFINITY;
  return TOI_OK;
}
