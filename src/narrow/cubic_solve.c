/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `cubic` on one hull: zones of the cubic in order, inclusion over each, and the dimension reduced where the
 * motion stays in an axis plane or on an axis.
 *
 * Claim: a finding is right for the exact corners. What each step rests on:
 *   zone      without contact outside (cubic_zone.c); areas and planes exclude inside (cubic_place.c).
 *   hit       without separation: strict opposite signs of f at the ends of a zone over which all areas have one strict
 *             sign: f has a root there, and each root is a contact. With separation: a point of the hull within d.
 *   plane     all corners stay at 0 on an axis, compared exactly. Either 0 is in the hull at the start, or it first
 *             touches a boundary segment (docs/guarantees.md, lemma 4). A segment is thickened along the axis to a
 *             parallelogram that holds 0 just if the segment does: the cubic becomes the paper's quadratic, in general
 *             position again.
 *   line      all corners stay at 0 on two axes: 0 first meets the corner whose coordinate vanishes first, x0 / (x0 -
 *             x1). Both ends are off by u of themselves, the difference of opposite signs by 2 u, the quotient rounds:
 *             4 u together; LINE = 8 u, and the next double beyond. */

#include "narrow/cubic_solve.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "narrow/kernel_bounds.h"
#include "number/interval.h"

#define BOUND_LINE (8 * TOI_U)

/* Times after the start of an open interval at which a point within the separation is looked for: the first step and
 * its growth. */
#define PROBE_FIRST 0x1p-46
#define PROBE_GROWTH 16.0

/* --- one hull --- */

/* Takes note of the open interval [lo, hi], in which contact is proved or not. Intervals come in order. */
static void note(toi_cubic_finding *finding, double lo, double hi, bool proved) {
  if (finding->verdict == TOI_MISS) {
    finding->t_lo = lo;
    finding->t_hi = hi;
    finding->verdict = proved ? TOI_HIT : TOI_NEAR;
  } else if (proved && finding->verdict == TOI_NEAR) {
    finding->t_hi = hi;
    finding->verdict = TOI_HIT;
  }
}

static void note_point(const toi_cubic_hull *hull, double t, toi_cubic_finding *finding) {
  toi_cubic_point point = toi_cubic_closest(hull, t);
  if (!(point.distance < finding->reach))
    return;
  finding->reach = point.distance;
  finding->u = point.u;
  finding->v = point.v;
  memcpy(finding->point, point.at, sizeof(point.at));
}

/* With a separation: the first time from lo on, of those tried, at which a point of the hull is within d. True, and *hi
 * is that time, if there is one. */
static bool probe(const toi_cubic_hull *hull, double lo, double *hi, toi_cubic_finding *finding) {
  double step = PROBE_FIRST, t = lo;
  for (;;) {
    note_point(hull, t, finding);
    if (finding->reach <= hull->d_lo) {
      finding->at_start = t == 0;
      *hi = t;
      return true;
    }
    if (t >= *hi)
      return false;
    t = lo + step < *hi ? lo + step : *hi;
    step *= PROBE_GROWTH;
  }
}

/* A zone that the areas did not exclude, and in which contact is not proved. */
static bool settle_open(const toi_cubic_hull *hull, const toi_cubic_question *question, toi_cubic_zone zone,
                        toi_cubic_finding *finding) {
  toi_cubic_advance advance = {.tolerance = question->tolerance, .checks = question->checks};
  if (!toi_cubic_advance_to(hull, &advance, zone.hi, &zone.lo))
    return false;
  bool first = finding->verdict == TOI_MISS;
  if (first && advance.moved)
    memcpy(finding->direction, advance.direction, sizeof(advance.direction));
  bool proved = false;
  if (hull->d_hi > 0) {
    proved = probe(hull, zone.lo, &zone.hi, finding);
  } else {
    note_point(hull, zone.lo, finding);
    note_point(hull, zone.lo + 0.5 * (zone.hi - zone.lo), finding);
    note_point(hull, zone.hi, finding);
  }
  note(finding, zone.lo, zone.hi, proved);
  return proved;
}

/* A simple root with 0 strictly inside. */
static void settle_root(const toi_cubic_hull *hull, const toi_cubic_zone *zone, toi_cubic_finding *finding) {
  if (finding->verdict == TOI_MISS) {
    toi_cubic_normal(hull, zone->lo, finding->direction);
    for (int axis = 0; axis < 3 && zone->sign_lo < 0; axis++)
      finding->direction[axis] = -finding->direction[axis];
  }
  if (finding->verdict != TOI_HIT)
    note_point(hull, zone->lo + 0.5 * (zone->hi - zone->lo), finding);
  finding->contacts++;
  note(finding, zone->lo, zone->hi, true);
}

void toi_cubic_solve(const toi_cubic_hull *hull, const toi_cubic_question *question, toi_cubic_finding *finding) {
  *finding = (toi_cubic_finding){.verdict = TOI_MISS, .reach = INFINITY};
  toi_cubic_zones zones = {.count = 1, .zone = {{.lo = 0, .hi = 1}}};
  if (hull->count > 2)
    toi_cubic_find_zones(hull, &zones);
  finding->degenerate = zones.degenerate;
  finding->zero_leading = zones.zero_leading;
  for (int i = 0; i < zones.count; i++) {
    toi_cubic_zone zone = zones.zone[i];
    if (zone.lo > question->t_max)
      break;
    if (zone.hi > question->t_max) {
      zone.hi = question->t_max;
      zone.sign_hi = 0;
    }
    int side = hull->count > 2 ? toi_cubic_areas(hull, zone.lo, zone.hi) : 0;
    if (side < 0)
      continue;
    bool proved = side > 0 && zone.sign_lo * zone.sign_hi < 0;
    if (proved)
      settle_root(hull, &zone, finding);
    else
      proved = settle_open(hull, question, zone, finding);
    if (proved && !question->count)
      break;
  }
}

/* --- fewer dimensions --- */

/* Two corners that stay at 0 on `axis`, thickened along it. */
static void thicken(const toi_cubic_hull *hull, unsigned k, int axis, toi_cubic_hull *thick) {
  unsigned ends[2] = {k, k + 1 < hull->count ? k + 1 : 0};
  double thickness = fmax(hull->size[0], fmax(hull->size[1], hull->size[2]));
  *thick = *hull;
  thick->count = 4;
  thick->size[axis] = thickness;
  for (int time = 0; time < 2; time++)
    for (unsigned i = 0; i < 4; i++) {
      memcpy(thick->at[time][i], hull->at[time][ends[i == 1 || i == 2]], 3 * sizeof(double));
      thick->at[time][i][axis] = i < 2 ? -thickness : thickness;
    }
  // The place of an end: corners 0, 1 and last, or 2 of 4, of the hull.
  double place[2][2];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      const double(*at)[2] = hull->place;
      bool across = hull->count == 4 && ends[i] == 2;
      place[i][j] = across ? at[1][j] + at[2][j] - at[0][j] : at[ends[i] < 2 ? ends[i] : 2][j];
    }
  memcpy(thick->place[0], place[0], sizeof(place[0]));
  memcpy(thick->place[1], place[1], sizeof(place[1]));
  memcpy(thick->place[2], place[0], sizeof(place[0]));
}

/* The earlier of two findings about parts of one hull: open from the earlier start on, closed by the earlier proof. */
static void join(toi_cubic_finding *all, const toi_cubic_finding *part) {
  if (part->verdict == TOI_MISS)
    return;
  toi_cubic_finding joined = *all;
  bool earlier = all->verdict == TOI_MISS || part->t_lo < all->t_lo;
  bool sooner = part->verdict == TOI_HIT && (all->verdict != TOI_HIT || part->t_hi < all->t_hi);
  if (earlier || sooner)
    joined = *part;
  joined.t_lo = all->verdict == TOI_MISS ? part->t_lo : fmin(part->t_lo, all->t_lo);
  if (part->verdict == TOI_HIT || all->verdict == TOI_HIT) {
    joined.verdict = TOI_HIT;
    joined.t_hi =
        fmin(part->verdict == TOI_HIT ? part->t_hi : INFINITY, all->verdict == TOI_HIT ? all->t_hi : INFINITY);
  }
  joined.reach = fmin(all->reach, part->reach);
  *all = joined;
}

/* A hull of three or four corners in an axis plane. */
static void solve_plane(const toi_cubic_hull *hull, int axis, const toi_cubic_question *question,
                        toi_cubic_finding *finding) {
  *finding = (toi_cubic_finding){.verdict = TOI_MISS, .reach = INFINITY};
  // At the start: outside, strictly inside, or not known.
  toi_cubic_advance at_once = {.checks = 1};
  double lo = 0;
  if (toi_cubic_advance_to(hull, &at_once, 0, &lo)) {
    bool inside = toi_cubic_areas(hull, 0, 0) > 0;
    note_point(hull, 0, finding);
    note(finding, 0, 0, inside);
    finding->at_start = inside;
    if (inside)
      return;
  }
  for (unsigned k = 0; k < hull->count; k++) {
    toi_cubic_hull segment;
    toi_cubic_finding part;
    thicken(hull, k, axis, &segment);
    toi_cubic_solve(&segment, question, &part);
    join(finding, &part);
  }
}

/* A hull on an axis. */
static void solve_line(const toi_cubic_hull *hull, int axis, const toi_cubic_question *question,
                       toi_cubic_finding *finding) {
  *finding = (toi_cubic_finding){.verdict = TOI_MISS, .reach = INFINITY};
  double side = hull->at[0][0][axis] > 0 ? 1 : -1, lo = INFINITY, hi = INFINITY;
  for (unsigned k = 0; k < hull->count; k++) {
    double start = side * hull->at[0][k][axis], end = side * hull->at[1][k][axis];
    if (start <= 0) {
      note_point(hull, 0, finding);
      note(finding, 0, 0, true);
      finding->at_start = true;
      return;
    }
    if (end > 0)
      continue;
    double t = start / (start - end);
    lo = fmin(lo, toi_next_down(t * (1 - BOUND_LINE)));
    hi = fmin(hi, fmin(1, toi_next_up(t * (1 + BOUND_LINE))));
  }
  if (lo > question->t_max)
    return;
  finding->direction[axis] = side;
  note_point(hull, hi, finding);
  note(finding, fmax(lo, 0), fmin(hi, question->t_max), hi <= question->t_max);
}

void toi_cubic_solve_flat(const toi_cubic_hull *hull, const toi_cubic_question *question, toi_cubic_finding *finding) {
  int flat = 0, flat_axis = 0, other_axis = 0;
  for (int axis = 0; axis < 3; axis++) {
    flat += hull->size[axis] == 0;
    flat_axis = hull->size[axis] == 0 ? axis : flat_axis;
    other_axis = hull->size[axis] == 0 ? other_axis : axis;
  }
  bool reduced = true;
  if (flat >= 2) {
    solve_line(hull, other_axis, question, finding);
  } else if (flat == 1 && hull->count > 2) {
    solve_plane(hull, flat_axis, question, finding);
  } else if (flat == 1 && hull->count == 2) {
    toi_cubic_hull segment;
    thicken(hull, 0, flat_axis, &segment);
    toi_cubic_solve(&segment, question, finding);
  } else {
    reduced = false;
    toi_cubic_solve(hull, question, finding);
  }
  finding->flat = reduced;
}
