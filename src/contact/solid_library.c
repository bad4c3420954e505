/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Solids of flat and turned faces: a polygon that is drawn out along z, and a profile of straight segments that is
 * turned about z.
 *
 * Claim: the faces meet without gaps. Why: a formula's constants are exact, so at a common edge both faces are the same
 * curve of real numbers: p + u (q - p) is q at u = 1, r + v (s - r) is s at v = 1; outlines are made of the same
 * numbers. Flat ends are cut out of their planes, so that they have no poles; the surface that is turned has tips only.
 */

#include "contact/solid.h"

static const char *const face_parts[] = {"x", "y", "z"};

/* --- faces --- */

/* Terms of a formula in u, v, t, and what to do with them. */
typedef struct maker {
  toi_context *context;
  toi_shape *faces;
  size_t room, count;
  toi_joints *joints;
} maker;

static toi_status begin(maker *m, size_t faces, size_t vertices, size_t sectors, size_t corners) {
  m->room = faces;
  m->faces = toi_allocate(m->context, (faces + 1) * sizeof *m->faces);
  m->joints = toi_joints_make(m->context, faces, vertices, sectors, corners);
  return m->faces == NULL || m->joints == NULL ? TOI_ERROR_MEMORY : TOI_OK;
}

/* The shape; what was made of it in vain is freed. */
static toi_status finish(maker *m, toi_status status, toi_shape **shape) {
  if (status == TOI_OK) {
    status = toi_shape_join(m->context, m->faces, m->count, m->joints, shape);
  } else {
    for (size_t i = 0; i < m->count; i++)
      toi_tape_destroy(m->faces[i].tape);
    toi_joints_destroy(m->context, m->joints);
  }
  if (m->faces != NULL)
    toi_free(m->context, m->faces, (m->room + 1) * sizeof *m->faces);
  if (status != TOI_OK) {
    toi_shape_destroy(*shape);
    *shape = NULL;
  }
  return status;
}

/* Over a domain, with these real edges. Beyond poles and edges it does not go on. */
static toi_status add_face(maker *m, toi_formula *formula, const toi_term at[3], const toi_interval domain[2],
                           uint32_t edges) {
  toi_shape *face = &m->faces[m->count];
  *face = (toi_shape){.context = m->context,
                      .solid = true,
                      .edges = edges,
                      .domain = {domain[0], domain[1]},
                      .bounds = {toi_interval_whole(), toi_interval_whole(), toi_interval_whole()},
                      .reach = INFINITY,
                      .known = true,
                      .parts = face_parts};
  toi_status status = toi_formula_status(formula);
  if (status == TOI_OK)
    status = toi_tape_make(m->context, formula, at, 3, &face->tape);
  m->count += status == TOI_OK;
  return status;
}

static toi_term constant(toi_formula *f, double x) {
  return toi_formula_constant(f, x);
}

/* a + x (b - a). */
static toi_term between(toi_formula *f, double a, double b, toi_term x) {
  if (a == b)
    return constant(f, a);
  const toi_term length = toi_formula_apply(f, TOI_OP_SUB, constant(f, b), constant(f, a));
  return toi_formula_apply(f, TOI_OP_ADD, constant(f, a), toi_formula_apply(f, TOI_OP_MUL, x, length));
}

/* A part of the plane at a height, its outward normal up or down: x and y are u and v, or v and u. */
static toi_status add_flat(maker *m, toi_formula *f, double height, bool up, const toi_interval xy[2]) {
  const toi_term u = toi_formula_variable(f, 0), v = toi_formula_variable(f, 1);
  const toi_term at[3] = {up ? u : v, up ? v : u, constant(f, height)};
  const toi_interval domain[2] = {xy[!up], xy[up]};
  return add_face(m, f, at, domain, TOI_EDGES);
}

static void join(maker *m, size_t face, int side, size_t other, int other_side, bool own) {
  m->joints->face[face].side[side].face = (uint32_t)other;
  m->joints->face[face].side[side].side = (uint8_t)other_side;
  m->joints->face[face].side[side].own = own;
}

/* --- a polygon that is drawn out --- */

typedef struct prism {
  const double (*polygon)[2];
  size_t count;
  double low, high;
  bool backwards; /* given clockwise */
} prism;

static const double *corner_of(const prism *p, size_t i) {
  i %= p->count;
  return p->polygon[p->backwards ? p->count - 1 - i : i];
}

static toi_status add_walls(maker *m, toi_formula *f, const prism *p) {
  const toi_interval domain[2] = {{0, 1}, {p->low, p->high}};
  toi_status status = TOI_OK;
  for (size_t i = 0; i < p->count && status == TOI_OK; i++) {
    const double *a = corner_of(p, i), *b = corner_of(p, i + 1);
    const toi_term u = toi_formula_variable(f, 0);
    const toi_term at[3] = {between(f, a[0], b[0], u), between(f, a[1], b[1], u), toi_formula_variable(f, 1)};
    status = add_face(m, f, at, domain, TOI_EDGES);
  }
  return status;
}

static toi_status add_ends(maker *m, toi_formula *f, const prism *p) {
  toi_interval xy[2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
  for (size_t i = 0; i < p->count; i++)
    for (int k = 0; k < 2; k++) {
      m->joints->polygon[i][k] = corner_of(p, i)[k];
      xy[k] = (toi_interval){fmin(xy[k].lo, corner_of(p, i)[k]), fmax(xy[k].hi, corner_of(p, i)[k])};
    }
  toi_status status = add_flat(m, f, p->low, false, xy);
  if (status == TOI_OK)
    status = add_flat(m, f, p->high, true, xy);
  for (size_t end = 0; end < 2; end++) {
    toi_face *face = &m->joints->face[p->count + end];
    face->outline = TOI_OUTLINE_POLYGON;
    face->flipped = end == 0;
  }
  return status;
}

/* The vertex at the beginning of wall i, low or high: two walls and an end meet there. */
static void join_corner(maker *m, const prism *p, size_t i, bool high) {
  const uint32_t wall = (uint32_t)i, before = (uint32_t)((i + p->count - 1) % p->count);
  const uint8_t here = high ? 2 : 0, there = (uint8_t)(here + 1);
  const uint32_t vertex = (uint32_t)(2 * i + high);
  toi_face *face = &m->joints->face[wall];
  face->corner[here] = true;
  face->vertex[here] = vertex;
  m->joints->first[vertex] = 3 * vertex;
  m->joints->first[vertex + 1] = 3 * vertex + 3;
  toi_sector *sector = &m->joints->sector[(size_t)3 * vertex];
  const toi_way onward = {wall, here, 0}, upright = {wall, here, 1}, backward = {before, there, 0};
  const double *a = corner_of(p, i + p->count - 1), *b = corner_of(p, i), *c = corner_of(p, i + 1);
  const bool reflex = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) < 0;
  const uint32_t end = (uint32_t)p->count + high;
  sector[0] = (toi_sector){wall, high ? upright : onward, high ? onward : upright, false, false, 0};
  sector[1] = (toi_sector){before, high ? backward : upright, high ? upright : backward, false, false, 0};
  sector[2] = (toi_sector){end, high ? onward : backward, high ? backward : onward, reflex, false, 0};
}

static void join_prism(maker *m, const prism *p) {
  for (size_t i = 0; i < p->count; i++) {
    const size_t next = (i + 1) % p->count;
    join(m, i, 1, next, 0, false);
    join(m, next, 0, i, 1, true);
    join(m, i, 2, p->count, 0, true);
    join(m, i, 3, p->count + 1, 0, true);
    join_corner(m, p, i, false);
    join_corner(m, p, i, true);
  }
}

static toi_status make_prism(toi_context *context, const prism *p, toi_shape **shape) {
  static const char *const uvt[] = {"u", "v", "t"};
  maker m = {.context = context};
  toi_formula *formula = NULL;
  toi_status status = toi_formula_create(context, uvt, 3, &formula);
  if (status == TOI_OK)
    status = begin(&m, p->count + 2, 2 * p->count, 6 * p->count, p->count);
  if (status == TOI_OK)
    status = add_walls(&m, formula, p);
  if (status == TOI_OK)
    status = add_ends(&m, formula, p);
  if (status == TOI_OK)
    join_prism(&m, p);
  status = finish(&m, status, shape);
  toi_formula_destroy(formula);
  return status;
}

/* --- a profile that is turned --- */

typedef struct profile {
  const double (*points)[2]; /* radius and height, counterclockwise */
  size_t count, segments;
  bool closed;
} profile;

static const double *point_of(const profile *p, size_t i) {
  return p->points[i % p->count];
}

static bool is_disc(const profile *p, size_t i) {
  const double *a = point_of(p, i), *b = point_of(p, i + 1);
  return a[1] == b[1] && (a[0] == 0 || b[0] == 0);
}

static toi_status add_segment(maker *m, toi_formula *f, const profile *p, size_t i) {
  const double *a = point_of(p, i), *b = point_of(p, i + 1);
  if (is_disc(p, i)) {
    const double radius = fmax(a[0], b[0]);
    const toi_interval xy[2] = {{-radius, radius}, {-radius, radius}};
    m->joints->face[i].outline = TOI_OUTLINE_DISC;
    m->joints->face[i].radius = radius;
    return add_flat(m, f, a[1], a[0] > 0, xy);
  }
  const toi_interval domain[2] = {{0, 1}, {0, 1}};
  const toi_term v = toi_formula_variable(f, 1);
  const toi_term radius_height[2] = {between(f, a[0], b[0], v), between(f, a[1], b[1], v)};
  toi_term at[3];
  toi_shape_turn_profile(f, radius_height, at);
  return add_face(m, f, at, domain, TOI_EDGES_V);
}

/* A tip at the low or the high end of v: a vertex with all directions around it. */
static void add_tip(maker *m, size_t face, bool high) {
  const uint8_t corner = high ? 2 : 0;
  const uint32_t number = high && m->joints->face[0].corner[0] ? 1 : 0;
  m->joints->face[face].tips |= (uint8_t)(high ? 8 : 4);
  m->joints->face[face].poles = m->joints->face[face].tips;
  m->joints->face[face].corner[corner] = true;
  m->joints->face[face].vertex[corner] = number;
  m->joints->first[number] = number;
  m->joints->first[number + 1] = number + 1;
  m->joints->sector[number] = (toi_sector){.face = (uint32_t)face, .from = {(uint32_t)face, corner, 1}, .swept = true};
}

static size_t tips_of(const profile *p) {
  if (p->closed)
    return 0;
  return (size_t)!is_disc(p, 0) + (size_t)!is_disc(p, p->segments - 1);
}

static void join_profile(maker *m, const profile *p) {
  for (size_t i = 0; i + !p->closed < p->segments; i++) {
    const size_t next = (i + 1) % p->segments;
    const bool flat = is_disc(p, i);
    join(m, i, 3, next, 2, !flat);
    join(m, next, 2, i, 3, flat);
  }
  if (!p->closed && !is_disc(p, 0))
    add_tip(m, 0, false);
  if (!p->closed && !is_disc(p, p->segments - 1))
    add_tip(m, p->segments - 1, true);
}

static toi_status make_turned(toi_context *context, const profile *p, toi_shape **shape) {
  static const char *const uvt[] = {"u", "v", "t"};
  maker m = {.context = context};
  toi_formula *formula = NULL;
  toi_status status = toi_formula_create(context, uvt, 3, &formula);
  if (status == TOI_OK)
    status = begin(&m, p->segments, tips_of(p), tips_of(p), 0);
  for (size_t i = 0; i < p->segments && status == TOI_OK; i++)
    status = add_segment(&m, formula, p, i);
  if (status == TOI_OK)
    join_profile(&m, p);
  status = finish(&m, status, shape);
  toi_formula_destroy(formula);
  return status;
}

/* --- what is asked for --- */

#define CORNERS_MOST 4096

static toi_status check_points(toi_context *context, const char *what, const double (*points)[2], size_t count) {
  if (points == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "the %s is NULL; give its points", what);
  if (count > CORNERS_MOST)
    return toi_fail(context, TOI_ERROR_INPUT, "the %s has %zu points; there may be %d at most", what, count,
                    CORNERS_MOST);
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 2; k++)
      if (!isfinite(points[i][k]))
        return toi_fail(context, TOI_ERROR_INPUT, "point %zu of the %s is (%g, %g); both must be finite", i, what,
                        points[i][0], points[i][1]);
  return TOI_OK;
}

static TOI_APART toi_status prism_of(toi_context *context, const double (*polygon)[2], size_t count, double height,
                                     toi_shape **shape) {
  toi_status status = toi_shape_begin(context, context, "", shape);
  if (status == TOI_OK)
    status = check_points(context, "polygon", polygon, count);
  if (status == TOI_OK && !(height > 0 && isfinite(height)))
    status = toi_fail(context, TOI_ERROR_INPUT, "the height is %g; it must be positive and finite", height);
  prism p = {.polygon = polygon, .count = count, .low = -0.5 * height, .high = 0.5 * height};
  if (status == TOI_OK)
    status = toi_polygon_check(context, "polygon", polygon, count, &p.backwards);
  return status == TOI_OK ? make_prism(context, &p, shape) : status;
}

toi_status toi_shape_prism(toi_context *context, const double (*polygon)[2], size_t count, double height,
                           toi_shape **shape) {
  TOI_CALL(context, prism_of(context, polygon, count, height, shape));
}

/* The axis is met at the ends of an open profile alone. */
static toi_status check_radii(toi_context *context, const double (*points)[2], size_t count, bool closed) {
  for (size_t i = 0; i < count; i++) {
    const bool end = !closed && (i == 0 || i + 1 == count);
    if (!(points[i][0] >= 0) || (!end && points[i][0] == 0))
      return toi_fail(context, TOI_ERROR_INPUT, "point %zu of the profile has radius %g; it must be %s", i,
                      points[i][0], end ? "0 or positive" : "positive: only an open profile's ends lie on the axis");
  }
  return TOI_OK;
}

/* An open profile with ends on the axis, or a closed one, counterclockwise, into a copy of it. */
static toi_status take_profile(toi_context *context, const double (*points)[2], size_t count, double (*copy)[2],
                               profile *p) {
  const bool closed = count > 2 && points[0][0] == points[count - 1][0] && points[0][1] == points[count - 1][1];
  toi_status status = check_radii(context, points, closed ? count - 1 : count, closed);
  if (status != TOI_OK)
    return status;
  size_t used = 0;
  if (!closed && points[0][0] > 0)
    copy[used][0] = 0, copy[used++][1] = points[0][1];
  for (size_t i = 0; i < count - closed; i++, used++)
    memcpy(copy[used], points[i], sizeof copy[used]);
  if (!closed && points[count - 1][0] > 0)
    copy[used][0] = 0, copy[used++][1] = points[count - 1][1];
  bool backwards = false;
  status = toi_polygon_check(context, "profile", (const double(*)[2])copy, used, &backwards);
  for (size_t i = 0; backwards && i < used / 2; i++)
    for (int k = 0; k < 2; k++) {
      const double x = copy[i][k];
      copy[i][k] = copy[used - 1 - i][k];
      copy[used - 1 - i][k] = x;
    }
  *p = (profile){(const double(*)[2])copy, used, closed ? used : used - 1, closed};
  return status;
}

static TOI_APART toi_status turned_of(toi_context *context, const double (*points)[2], size_t count,
                                      toi_shape **shape) {
  toi_status status = toi_shape_begin(context, context, "", shape);
  if (status == TOI_OK)
    status = check_points(context, "profile", points, count);
  if (status == TOI_OK && count < 2)
    status = toi_fail(context, TOI_ERROR_INPUT, "the profile has %zu points; it needs 2 at least", count);
  if (status != TOI_OK)
    return status;
  const size_t bytes = (count + 2) * sizeof(double[2]);
  double(*copy)[2] = toi_allocate(context, bytes);
  if (copy == NULL)
    return TOI_ERROR_MEMORY;
  profile p;
  status = take_profile(context, points, count, copy, &p);
  if (status == TOI_OK)
    status = make_turned(context, &p, shape);
  toi_free(context, copy, bytes);
  return status;
}

toi_status toi_shape_turned(toi_context *context, const double (*points)[2], size_t count, toi_shape **shape) {
  TOI_CALL(context, turned_of(context, points, count, shape));
}

/* --- by name --- */

toi_status toi_solid_named(toi_context *context, toi_shape_kind kind, const double *size, toi_shape **shape) {
  const double x = 0.5 * size[0], y = 0.5 * size[1], height = 0.5 * size[1];
  const double box[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}}, wedge[3][2] = {{-x, -y}, {x, -y}, {-x, y}};
  const double can[2][2] = {{size[0], -height}, {size[0], height}}, hat[2][2] = {{size[0], 0}, {0, size[1]}};
  switch (kind) {
  case TOI_SHAPE_BOX:
    return prism_of(context, box, 4, size[2], shape);
  case TOI_SHAPE_WEDGE:
    return prism_of(context, wedge, 3, size[2], shape);
  case TOI_SHAPE_CAPPED_CYLINDER:
    return turned_of(context, can, 2, shape);
  default:
    assert(kind == TOI_SHAPE_CAPPED_CONE);
    return turned_of(context, hat, 2, shape);
  }
}
