/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* One look at a tracked contact: how far apart two bodies are along its normal, in a box of each, over a time.
 *
 * With p on the one surface and s on the other, seen from the second body, and n the normal there, the distance along n
 * is the g with p - s = g n. Over a box of unknowns and the whole time,
 *   parametric-parametric   (n.m) g = m.(p - s) for any m, and n x (p - s) = 0
 *   parametric-implicit     (n.F2') g = F2(p), F2' at a place between p and s
 *   implicit-implicit       (n.F2') g = F2(p) + l F1(p) for any l, and F1(p) = 0.
 * The right sides are enclosed plainly and around the middle of the box, with m and l such that their slopes nearly
 * vanish: so the error is of second order in the width of the box. Boxes are halved until g is above -delta, and then
 * above delta, or nearly the same all over the box, or the box is small.
 *
 * Claim: toi_track_region says what is proved; boxes that leave the list without a proof make it say nothing. Why:
 * lemma 50 of docs/guarantees.md. */

#include "contact/track.h"

#include "contact/solid.h"
#include "solve/vector.h"

/* Boxes that wait, at most: one for each halving, and those are fewer than the bits of all unknowns. */
#define WAITING 512

/* How steep a direction m may be against the normal. */
#define STEEP 0.05

/* How often the place of a point on an implicit surface is bounded by the distance. */
#define ROUNDS 3

/* Boxes that are so small, as part of delta, are not halved on. */
#define TINY 0x1p-8

/* A pair of surfaces. */
typedef struct look {
  toi_question *q;
  toi_track_region *r;
  toi_body_pair pair;
  toi_problem problem;
  int side[2];            /* of the track that the first and the second surface belong to */
  toi_interval normal[3]; /* from the second to the first, as the second surface sees it */
  toi_interval within[3]; /* the second one's box, likewise */
  toi_box *waiting;
  size_t count;
} look;

/* What is known of a box. */
typedef struct distance {
  bool none;                   /* no point is above another one */
  toi_interval g, at_centre;   /* of the box, and of its middle */
  bool facing;                 /* in the middle points may be above each other */
  double along[TOI_UNKNOWNS];  /* how much g changes with each unknown, and how much */
  double across[TOI_UNKNOWNS]; /* the places beside each other */
  toi_interval place[2][3];    /* of the contact, in each body's own coordinates */
  toi_interval seen[3];        /* where the first surface is, as the second one sees it */
  double size;                 /* of the pieces of both surfaces, which the time does not add to */
  int open;                    /* the surface beyond whose outline a corner of the box is; -1: none */
} distance;

/* --- places --- */

void toi_track_own(const toi_body_surface *surface, const toi_interval place[3], toi_interval own[3]) {
  if (toi_body_surface_is_turned(surface))
    toi_times3((const toi_interval(*)[3])surface->frame, place, own);
  else
    memcpy(own, place, 3 * sizeof *own);
}

/* The other way. */
static void to_surface(const toi_body_surface *surface, const toi_interval own[3], toi_interval place[3]) {
  if (toi_body_surface_is_turned(surface))
    toi_transposed3((const toi_interval(*)[3])surface->frame, own, place);
  else
    memcpy(place, own, 3 * sizeof *place);
}

bool toi_track_has(const toi_track *track, int side, const toi_body_surface *surface) {
  const uint32_t face = side == 0 ? track->face_a : track->face_b;
  return surface->body == (side == 0 ? track->a : track->b) && (face == TOI_ANY_FACE || face == surface->piece);
}

static double size_of(const toi_interval place[3]) {
  double size = 0;
  for (int k = 0; k < 3; k++)
    size = fmax(size, toi_interval_width(place[k]));
  return size;
}

/* --- distances along the normal --- */

/* An equation around the middle of a box: value there, slopes over the box. */
static toi_interval centred(const look *l, const toi_box *box, const toi_box *centre, toi_interval value,
                            const toi_interval *slope) {
  toi_interval sum = value;
  for (size_t i = 0; i < toi_body_pair_time(&l->pair); i++)
    sum = toi_interval_add(sum, toi_interval_mul(slope[i], toi_interval_sub(box->x[i], centre->x[i])));
  return sum;
}

/* Narrows what is known of g; false: nothing can be it. */
static bool take(const look *l, const toi_box *box, distance *d, toi_interval g, const toi_interval *slope,
                 double unit) {
  if (!toi_interval_intersect(d->g, g, &d->g))
    return false;
  double sum = 0;
  double along[TOI_UNKNOWNS] = {0};
  for (size_t i = 0; i < toi_body_pair_time(&l->pair); i++)
    sum += along[i] = toi_interval_magnitude(slope[i]) * toi_interval_width(box->x[i]) / unit;
  double known = 0;
  for (size_t i = 0; i < toi_body_pair_time(&l->pair); i++)
    known += d->along[i];
  // The equation that says most.
  if (!(known > 0) || sum < known)
    memcpy(d->along, along, sizeof along);
  return true;
}

/* Equation m.(p - s). */
static bool take_direction(const look *l, const toi_box *box, const toi_box *centre, const toi_system systems[2],
                           const double m[3], distance *d) {
  toi_interval thin[3], slope[TOI_UNKNOWNS];
  for (int k = 0; k < 3; k++)
    thin[k] = toi_interval_point(m[k]);
  const toi_interval rise = toi_dot3(l->normal, thin);
  if (!(rise.lo > STEEP))
    return true;
  for (size_t i = 0; i < toi_body_pair_time(&l->pair); i++)
    slope[i] = toi_combine3(m, systems[0].slope[0][i], systems[0].slope[1][i], systems[0].slope[2][i]);
  const toi_interval plain = toi_dot3(thin, systems[0].value), middle = toi_dot3(thin, systems[1].value);
  toi_interval value;
  if (!toi_interval_intersect(plain, centred(l, box, centre, middle, slope), &value))
    return false;
  const toi_interval at_centre = toi_interval_div(middle, rise);
  (void)toi_interval_intersect(d->at_centre, at_centre, &d->at_centre);
  return take(l, box, d, toi_interval_div(value, rise), slope, rise.lo);
}

/* Equations n x (p - s) = 0, row by row; false: they do not hold. */
static bool is_facing(const look *l, const toi_box *box, const toi_box *centre, const toi_system systems[2],
                      distance *d) {
  const toi_interval *n = l->normal;
  d->facing = true;
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    toi_interval slope[TOI_UNKNOWNS];
    for (size_t x = 0; x < toi_body_pair_time(&l->pair); x++) {
      slope[x] = toi_interval_sub(toi_interval_mul(n[i], systems[0].slope[j][x]),
                                  toi_interval_mul(n[j], systems[0].slope[i][x]));
      d->across[x] += toi_interval_magnitude(slope[x]) * toi_interval_width(box->x[x]);
    }
    toi_interval value[2];
    for (int which = 0; which < 2; which++)
      value[which] = toi_interval_sub(toi_interval_mul(n[i], systems[which].value[j]),
                                      toi_interval_mul(n[j], systems[which].value[i]));
    if (!toi_interval_contains(value[0], 0) || !toi_interval_contains(centred(l, box, centre, value[1], slope), 0))
      return false;
    d->facing = d->facing && toi_interval_contains(value[1], 0);
  }
  return true;
}

static void middle_of(const toi_interval a[3], double m[3]) {
  for (int k = 0; k < 3; k++)
    m[k] = toi_interval_midpoint(a[k]);
}

/* Along the normal of the track, and along those of both surfaces in the middle. */
static bool take_parametric(const look *l, const toi_box *box, const toi_box *centre, const toi_system systems[2],
                            distance *d) {
  if (!is_facing(l, box, centre, systems, d))
    return false;
  double m[3][3], n[3];
  middle_of(l->normal, n);
  memcpy(m[0], n, sizeof n);
  for (int side = 0; side < 2; side++) {
    middle_of(systems[1].normal[side], m[1 + side]);
    const double rise = toi_dot(n, m[1 + side]);
    if (toi_plain_unit3(m[1 + side]) && rise < 0)
      for (int k = 0; k < 3; k++)
        m[1 + side][k] = -m[1 + side][k];
  }
  for (int k = 0; k < 3; k++)
    if (!take_direction(l, box, centre, systems, m[k], d))
      return false;
  return true;
}

/* n.F2' over a region that holds the place, and what lies g below it. *failed: a function of the user's did. */
static toi_interval rise_of(look *l, const toi_interval place[3], const toi_interval other[3], bool *failed) {
  toi_interval all[3];
  toi_field f;
  for (int k = 0; k < 3; k++)
    all[k] = toi_interval_hull(place[k], other[k]);
  const toi_interval t = l->r->time;
  *failed = !toi_field_at(l->pair.surface[1], all, t, 1, &f);
  return *failed ? toi_interval_whole() : toi_dot3(l->normal, f.slope);
}

/* An equation of the second function; of two, the combination whose slopes nearly vanish in the middle. */
static bool take_function(const look *l, const toi_box *box, const toi_box *centre, const toi_system systems[2],
                          toi_interval rise, distance *d) {
  const bool two = systems[0].contact == 2;
  const size_t row = two ? 1 : 0, count = toi_body_pair_time(&l->pair);
  double factor = 0, square = 0;
  for (size_t i = 0; two && i < count; i++) {
    const double s = toi_interval_midpoint(systems[1].slope[0][i]);
    factor -= s * toi_interval_midpoint(systems[1].slope[1][i]);
    square += s * s;
  }
  factor = square > 0 && fabs(factor / square) <= DBL_MAX ? factor / square : 0;
  const toi_interval thin = toi_interval_point(factor);
  toi_interval slope[TOI_UNKNOWNS], value[2];
  for (size_t i = 0; i < count; i++) {
    slope[i] = systems[0].slope[row][i];
    if (two)
      slope[i] = toi_interval_add(slope[i], toi_interval_mul(thin, systems[0].slope[0][i]));
  }
  for (int which = 0; which < 2; which++) {
    value[which] = systems[which].value[row];
    if (two)
      value[which] = toi_interval_add(value[which], toi_interval_mul(thin, systems[which].value[0]));
  }
  toi_interval sum;
  if (!toi_interval_intersect(value[0], centred(l, box, centre, value[1], slope), &sum))
    return false;
  if (toi_interval_contains(rise, 0)) {
    for (size_t i = 0; i < count; i++)
      d->along[i] = toi_interval_magnitude(slope[i]) * toi_interval_width(box->x[i]);
    return true;
  }
  (void)toi_interval_intersect(d->at_centre, toi_interval_div(value[1], rise), &d->at_centre);
  return take(l, box, d, toi_interval_div(sum, rise), slope, toi_interval_least_magnitude(rise));
}

static bool take_implicit(look *l, const toi_box *box, const toi_box *centre, const toi_system systems[2], distance *d,
                          bool *failed) {
  const bool two = systems[0].contact == 2;
  d->facing = true;
  if (two) {
    // On the first surface?
    const toi_interval *slope = systems[0].slope[0];
    if (!toi_interval_contains(systems[0].value[0], 0) ||
        !toi_interval_contains(centred(l, box, centre, systems[1].value[0], slope), 0))
      return false;
    d->facing = toi_interval_contains(systems[1].value[0], 0);
    for (size_t i = 0; i < toi_body_pair_time(&l->pair); i++)
      d->across[i] = toi_interval_magnitude(slope[i]) * toi_interval_width(box->x[i]);
  }
  toi_interval other[3];
  memcpy(other, l->within, sizeof other);
  for (int round = 0; round < ROUNDS; round++) {
    const toi_interval rise = rise_of(l, systems[0].place, other, failed);
    if (*failed)
      return true;
    if (!take_function(l, box, centre, systems, rise, d))
      return false;
    // The point of the second surface is known better then.
    if (d->g.lo > l->r->track->delta || d->g.lo < -DBL_MAX)
      return true;
    for (int k = 0; k < 3; k++) {
      const toi_interval at = toi_interval_sub(systems[0].place[k], toi_interval_mul(d->g, l->normal[k]));
      if (!toi_interval_intersect(other[k], at, &other[k]))
        return false;
    }
  }
  return true;
}

/* --- a box --- */

/* Whether a corner of a part of the plane is beyond the outline of the face. */
static bool has_corner_outside(const toi_shape *shape, const toi_interval uv[2]) {
  for (int corner = 0; corner < 4; corner++) {
    const toi_interval at[2] = {toi_interval_point(corner & 1 ? uv[0].hi : uv[0].lo),
                                toi_interval_point(corner & 2 ? uv[1].hi : uv[1].lo)};
    if (toi_face_place(shape, at) == TOI_OUTLINE_OUTSIDE)
      return true;
  }
  return false;
}

/* Whether points of the box are none of the question: beyond the boxes of the track, or beyond the outline of a face.
 */
static bool is_elsewhere(look *l, const toi_box *box, distance *d, bool *failed) {
  const toi_track_boxes *within = &l->r->within;
  if (!toi_places_meet(d->place[0], within->of[l->side[0]]))
    return true;
  for (int side = 0; side < 2 && !toi_body_pair_in_space(&l->pair); side++) {
    const toi_shape *shape = l->pair.surface[side]->shape;
    const toi_outline_place at =
        shape->implicit ? TOI_OUTLINE_INSIDE : toi_face_place(shape, &box->x[2 * (size_t)side]);
    if (at == TOI_OUTLINE_OUTSIDE)
      return true;
    d->open = at == TOI_OUTLINE_OPEN && has_corner_outside(shape, &box->x[2 * (size_t)side]) ? side : d->open;
  }
  d->size = size_of(d->place[0]);
  if (l->pair.kind != TOI_BODY_PAIR_PP)
    return false;
  const toi_interval uvt[3] = {box->x[2], box->x[3], box->x[4]};
  const toi_surface_jet *jet = toi_body_surface_jet(l->pair.surface[1], uvt, 0);
  toi_interval own[3];
  *failed = jet == NULL;
  if (jet == NULL)
    return false;
  toi_track_own(l->pair.surface[1], jet->d[0], own);
  d->size = fmax(d->size, size_of(own));
  return !toi_places_meet(own, within->of[l->side[1]]);
}

/* False: a function of the user's failed. */
static bool measure(look *l, const toi_box *box, distance *d) {
  toi_system systems[2];
  const toi_box centre = toi_box_centre(&l->problem, box);
  bool failed = false;
  *d = (distance){.g = toi_interval_whole(), .at_centre = toi_interval_whole(), .open = -1};
  if (!toi_system_at(&l->problem, box, TOI_SYSTEM_SLOPES, &systems[0]))
    return false;
  toi_track_own(l->pair.surface[0], systems[0].own, d->place[0]);
  toi_track_own(l->pair.surface[1], systems[0].place, d->place[1]);
  memcpy(d->seen, systems[0].place, sizeof d->seen);
  d->none = is_elsewhere(l, box, d, &failed);
  if (d->none || failed)
    return !failed;
  if (!toi_system_at(&l->problem, &centre, TOI_SYSTEM_SLOPES, &systems[1]))
    return false;
  d->none = l->pair.kind == TOI_BODY_PAIR_PP ? !take_parametric(l, box, &centre, systems, d)
                                             : !take_implicit(l, box, &centre, systems, d, &failed);
  return !failed;
}

/* How much the distance changes over the box; the time may add to that. */
static double spread_of(const look *l, const distance *d) {
  double sum = 0;
  for (size_t i = 0; i < toi_body_pair_time(&l->pair); i++)
    sum += d->along[i];
  return sum;
}

/* The unknown to halve: the one that changes the distance most; where the middle is too deep, but faces nothing, the
 * one that moves the places most beside each other. */
static bool choose(const look *l, const toi_box *box, const distance *d, size_t *chosen) {
  const bool beside = l->pair.kind == TOI_BODY_PAIR_PP && d->at_centre.lo <= -l->r->track->delta && !d->facing;
  double most = 0;
  bool any = false;
  for (size_t i = 0; i < toi_body_pair_time(&l->pair); i++) {
    const double middle = toi_interval_midpoint(box->x[i]);
    if (!(box->x[i].lo < middle && middle < box->x[i].hi))
      continue;
    double value = beside ? d->across[i] : d->along[i];
    // What is near, but in part beyond the outline of its face, is cut along it.
    if (d->open >= 0 && spread_of(l, d) <= l->r->track->delta)
      value = (int)i / 2 == d->open ? toi_interval_width(box->x[i]) : 0;
    if (!(value <= DBL_MAX))
      value = DBL_MAX;
    value += 0x1p-60 * toi_interval_width(box->x[i]) / toi_interval_width(l->problem.domain.x[i]);
    if (!any || value > most) {
      *chosen = i;
      most = value;
    }
    any = true;
  }
  return any;
}

static void add_near(toi_track_region *r, const look *l, const distance *d) {
  const bool first = !(r->near.of[0][0].lo <= r->near.of[0][0].hi);
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++) {
      const int side = l->side[i];
      toi_interval part = d->place[i][k];
      // What is beyond the box is none of the question; a place beside it, of a distance that is not 0, is kept.
      (void)toi_interval_intersect(part, r->within.of[side][k], &part);
      r->near.of[side][k] = first ? part : toi_interval_hull(r->near.of[side][k], part);
    }
}

/* Whether what is near is away from the border. */
static bool is_inside(const toi_track_region *r) {
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < 3; k++)
      if (!toi_interval_surrounds(r->within.of[side][k], r->near.of[side][k]))
        return false;
  return true;
}

static void note_deep(look *l, const toi_box *box) {
  l->r->safe = false;
  l->r->deep = true;
  for (int i = 0; i < 2; i++)
    l->r->of[i] = l->pair.surface[i];
  for (size_t i = 0; i < toi_body_pair_unknowns(&l->pair); i++)
    l->r->x[i] = toi_interval_midpoint(box->x[i]);
}

/* Whether smaller boxes would not help: the middle is too deep, or the time alone makes it so. */
static bool is_hopeless(const look *l, const distance *d) {
  const double deep = -l->r->track->delta;
  if (!(d->at_centre.lo <= deep && d->at_centre.lo >= -DBL_MAX) ||
      !toi_place_encloses(l->r->within.of[l->side[0]], d->place[0]))
    return false;
  const bool by_time = spread_of(l, d) < toi_interval_width(d->at_centre);
  // The middle may be beyond the outline.
  if (d->open >= 0)
    return by_time && d->at_centre.hi > deep;
  return d->facing ? d->at_centre.hi <= deep || by_time : by_time && toi_body_pair_in_space(&l->pair);
}

/* Whether a face's outline is cut finely enough, in lengths of its plane. */
static bool is_cut(const toi_track_region *r, const toi_box *box, const distance *d) {
  const toi_interval *uv = &box->x[d->open < 0 ? 0 : 2 * d->open];
  return d->open < 0 || fmax(toi_interval_width(uv[0]), toi_interval_width(uv[1])) <= r->fine;
}

/* Settles the box or puts its halves on the list. */
static toi_status examine(look *l, const toi_box *box) {
  toi_track_region *r = l->r;
  const double delta = r->track->delta;
  distance d;
  r->boxes++;
  if (!measure(l, box, &d))
    return TOI_ERROR_CALLBACK;
  if (d.none || d.g.lo > delta)
    return TOI_OK;
  if (d.g.lo > -delta && (d.size <= r->fine || (spread_of(l, &d) <= delta && is_cut(r, box, &d)))) {
    r->apart = false;
    r->opens = r->opens && d.g.hi > delta;
    add_near(r, l, &d);
    r->inside = is_inside(r);
    return TOI_OK;
  }
  size_t i = 0;
  if (is_hopeless(l, &d) || d.size <= TINY * delta || l->count + 2 > WAITING || !choose(l, box, &d, &i)) {
    note_deep(l, box);
    return TOI_OK;
  }
  const double middle = toi_interval_midpoint(box->x[i]);
  for (int half = 0; half < 2; half++) {
    toi_box *next = &l->waiting[l->count++];
    *next = *box;
    if (half == 0)
      next->x[i].lo = middle;
    else
      next->x[i].hi = middle;
  }
  return TOI_OK;
}

/* --- all of them --- */

/* The normal as the second surface sees it, and the boxes of the unknowns; false: the surfaces have no part in it. */
static bool begin_look(look *l) {
  const toi_track *track = l->r->track;
  toi_interval n[3], bounds[3];
  for (int i = 0; i < 2; i++) {
    l->side[i] = l->pair.surface[i]->body == track->a ? 0 : 1;
    toi_track_own(l->pair.surface[i], l->pair.surface[i]->bounds, bounds);
    if (!toi_places_meet(bounds, l->r->within.of[l->side[i]]))
      return false;
  }
  for (int k = 0; k < 3; k++)
    n[k] = toi_interval_point(track->normal[k]);
  to_surface(l->pair.surface[1], l->r->within.of[l->side[1]], l->within);
  if (l->side[1] == 1) {
    to_surface(l->pair.surface[1], n, l->normal);
  } else {
    toi_interval first[3];
    to_surface(l->pair.surface[0], n, first);
    const toi_motion_jet *m = toi_body_pair_motion(&l->pair, l->r->time, 0);
    toi_times3(m->rotation[0], first, l->normal);
    for (int k = 0; k < 3; k++)
      l->normal[k] = toi_interval_neg(l->normal[k]);
  }
  l->pair.incoming = false;
  l->pair.moment = l->r->time;
  if (toi_body_pair_strata(&l->pair, true, l->q->options->t_max, &l->problem) != 1)
    return false;
  toi_box box = l->problem.first;
  if (toi_body_pair_in_space(&l->pair)) {
    toi_interval part[3];
    to_surface(l->pair.surface[0], l->r->within.of[l->side[0]], part);
    for (int k = 0; k < 3; k++)
      if (!toi_interval_intersect(box.x[k], part[k], &box.x[k]))
        return false;
  }
  l->waiting[0] = box;
  l->count = 1;
  return true;
}

static toi_status look_at_pair(look *l) {
  toi_track_region *r = l->r;
  toi_status status = TOI_OK;
  if (!begin_look(l))
    return TOI_OK;
  while (l->count > 0 && r->safe && r->inside && status == TOI_OK) {
    const toi_box box = l->waiting[--l->count];
    if (r->boxes >= r->most)
      note_deep(l, &box);
    else
      status = examine(l, &box);
  }
  return status;
}

/* Whether the point is proved to be delta deep: the function changes its sign between it and a place within, on a line
 * along the normal, which has a point of the second surface therefore. */
static bool is_deep_by_sign(const look *l, const distance *d, const toi_interval place[3]) {
  toi_interval other[3], own[3];
  if (d->none || !(d->g.lo >= -DBL_MAX) || !(d->g.hi <= -l->r->track->delta))
    return false;
  for (int k = 0; k < 3; k++)
    other[k] = toi_interval_sub(place[k], toi_interval_mul(d->g, l->normal[k]));
  toi_track_own(l->pair.surface[1], other, own);
  return toi_place_encloses(l->r->within.of[l->side[1]], own) &&
         toi_place_encloses(l->r->within.of[l->side[0]], d->place[0]) &&
         toi_place_encloses(l->pair.surface[1]->bounds, other);
}

/* Whether the first body touches the second one near x if it is moved along the normal by g. */
static bool is_deep_by_touch(look *l, double x[TOI_UNKNOWNS], double g) {
  toi_interval shift[3], place[2][3];
  toi_box touching;
  toi_system system;
  for (int k = 0; k < 3; k++)
    shift[k] = toi_interval_mul(toi_interval_point(g), l->normal[k]);
  // What is remembered of the motion is without the shift.
  toi_motions_clear(l->pair.motions);
  l->pair.shift = shift;
  const bool touches = toi_newton_prove(&l->problem, x, false, &touching) &&
                       toi_system_at(&l->problem, &touching, TOI_SYSTEM_SLOPES, &system);
  toi_motions_clear(l->pair.motions);
  l->pair.shift = NULL;
  if (!touches)
    return false;
  toi_track_own(l->pair.surface[0], system.own, place[0]);
  toi_track_own(l->pair.surface[1], system.place, place[1]);
  return toi_place_encloses(l->r->within.of[l->side[0]], place[0]) &&
         toi_place_encloses(l->r->within.of[l->side[1]], place[1]);
}

/* Tries x, and places beside it: where both surfaces are parallel, nothing is proved by touching. */
#define TRIES 5
#define ASIDE 0.1

static bool prove_deep_near(look *l, const double from[TOI_UNKNOWNS]) {
  const double delta = l->r->track->delta;
  for (int i = 0; i < TRIES; i++) {
    toi_box at = l->problem.domain;
    double x[TOI_UNKNOWNS] = {0};
    distance d;
    for (size_t k = 0; k < toi_body_pair_time(&l->pair); k++) {
      const toi_interval domain = l->problem.domain.x[k];
      const double step = ASIDE * l->r->fine * (i >> (k & 1) & 1 ? 1 : -1) * (i > 0);
      x[k] = fmin(fmax(from[k] + step, domain.lo), domain.hi);
      at.x[k] = toi_interval_point(x[k]);
    }
    if (!measure(l, &at, &d))
      return false;
    const toi_interval place[3] = {d.seen[0], d.seen[1], d.seen[2]};
    if (l->pair.kind == TOI_BODY_PAIR_PI && toi_problem_holds(&l->problem, &at) && is_deep_by_sign(l, &d, place))
      return true;
    x[toi_body_pair_time(&l->pair)] = l->r->time.lo;
    const double depth = -toi_interval_midpoint(d.at_centre);
    if (is_deep_by_touch(l, x, depth > delta && depth <= DBL_MAX ? depth : delta))
      return true;
  }
  return false;
}

toi_status toi_track_prove_deep(toi_question *q, const toi_track_region *r, double t, bool *proved) {
  toi_track_region now = *r;
  toi_box waiting;
  look l = {.q = q, .r = &now, .waiting = &waiting};
  *proved = false;
  now.time = toi_interval_point(t);
  const toi_status status = toi_question_pair(q, r->of[0], r->of[1], &l.pair);
  if (status == TOI_OK && begin_look(&l))
    *proved = prove_deep_near(&l, r->x);
  return status;
}

toi_status toi_track_look(toi_question *q, toi_track_region *r) {
  look l = {.q = q, .r = r};
  r->safe = r->apart = r->inside = r->opens = true;
  r->deep = false;
  r->boxes = 0;
  r->near.of[0][0] = (toi_interval){INFINITY, -INFINITY};
  l.waiting = toi_allocate(q->context, WAITING * sizeof *l.waiting);
  if (l.waiting == NULL)
    return TOI_ERROR_MEMORY;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < q->surface_count && status == TOI_OK; i++)
    for (size_t j = 0; j < q->surface_count && status == TOI_OK && r->safe && r->inside; j++) {
      if (!toi_track_has(r->track, 0, &q->surface[i]) || !toi_track_has(r->track, 1, &q->surface[j]))
        continue;
      status = toi_question_pair(q, &q->surface[i], &q->surface[j], &l.pair);
      if (status == TOI_OK)
        status = look_at_pair(&l);
    }
  toi_free(q->context, l.waiting, WAITING * sizeof *l.waiting);
  // A look that did not come to its end says nothing.
  r->safe = r->safe && r->inside;
  r->apart = r->apart && r->safe;
  return status;
}
