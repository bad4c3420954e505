/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Looking around for a contact before searching every corner: both surfaces at a few points and times, and where they
 * come closest Newton's method is tried. Nothing is proved here; a contact that is then proved early spares the search
 * all that comes after it. */

#include "contact/hunt.h"
#include "solve/vector.h"

/* Points along each parameter, moments, and how many of these are tried. */
enum { SIDE = 12, POINTS = SIDE * SIDE, MOMENTS = 12, TRIES = 4 };

/* Where the surfaces come closest at a moment. */
typedef struct meeting {
  double gap;
  double x[TOI_UNKNOWNS];
} meeting;

static double sample(toi_interval x, int number, int count) {
  double part = (number + 0.5) / count;
  return x.lo * (1 - part) + x.hi * part;
}

static void parameters_of(const toi_problem *problem, int first, int point, double uv[2]) {
  uv[0] = sample(problem->domain.x[first], point / SIDE, SIDE);
  uv[1] = sample(problem->domain.x[first + 1], point % SIDE, SIDE);
}

static void middle_of(const toi_interval place[3], double point[3]) {
  for (int k = 0; k < 3; k++)
    point[k] = toi_interval_midpoint(place[k]);
}

/* The points of both surfaces at a time, as the second body sees them. */
static bool sample_surfaces(const toi_problem *problem, double t, double points[2][POINTS][3]) {
  const toi_couple *couple = problem->couple;
  for (int i = 0; i < POINTS; i++) {
    double uv[2];
    toi_surface_jet jet;
    parameters_of(problem, 0, i, uv);
    toi_interval at[3] = {toi_interval_point(uv[0]), toi_interval_point(uv[1]), toi_interval_point(t)};
    if (!toi_couple_jet(couple, at, 0, &jet))
      return false;
    middle_of(jet.d[0], points[0][i]);
    parameters_of(problem, 2, i, uv);
    at[0] = toi_interval_point(uv[0]);
    at[1] = toi_interval_point(uv[1]);
    const toi_surface_jet *second = toi_seen_jet(couple->seen[1], at, 0);
    if (second == NULL)
      return false;
    middle_of(second->d[0], points[1][i]);
  }
  return true;
}

static bool meet_parametric(const toi_problem *problem, double t, meeting *best) {
  double points[2][POINTS][3];
  if (!sample_surfaces(problem, t, points))
    return false;
  int at[2] = {0, 0};
  double least = INFINITY;
  for (int i = 0; i < POINTS; i++)
    for (int j = 0; j < POINTS; j++) {
      double d[3] = {points[0][i][0] - points[1][j][0], points[0][i][1] - points[1][j][1],
                     points[0][i][2] - points[1][j][2]};
      double square = toi_plain_dot3(d, d);
      if (square < least) {
        least = square;
        at[0] = i;
        at[1] = j;
      }
    }
  best->gap = least;
  parameters_of(problem, 0, at[0], best->x);
  parameters_of(problem, 2, at[1], best->x + 2);
  best->x[4] = t;
  return true;
}

static bool meet_mixed(const toi_problem *problem, double t, meeting *best) {
  best->gap = INFINITY;
  for (int i = 0; i < POINTS; i++) {
    double uv[2];
    parameters_of(problem, 0, i, uv);
    toi_box point = problem->domain;
    point.x[0] = toi_interval_point(uv[0]);
    point.x[1] = toi_interval_point(uv[1]);
    point.x[2] = toi_interval_point(t);
    toi_system system;
    if (!toi_system_at(problem, &point, TOI_SYSTEM_VALUES, &system))
      return false;
    double value = fabs(toi_interval_midpoint(system.value[0]));
    if (value < best->gap)
      *best = (meeting){value, {uv[0], uv[1], t}};
  }
  return true;
}

/* The closest meetings, in order. */
static void keep(meeting *meetings, const meeting *one) {
  int at = TRIES;
  for (; at > 0 && one->gap < meetings[at - 1].gap; at--)
    if (at < TRIES)
      meetings[at] = meetings[at - 1];
  if (at < TRIES)
    meetings[at] = *one;
}

/* A box around a meeting, as large as what a sample stands for. */
static toi_box around(const toi_problem *problem, const meeting *one) {
  toi_box box = problem->domain;
  for (size_t i = 0; i < toi_couple_unknowns(problem->couple); i++) {
    double half = toi_interval_width(problem->first.x[i]) / (2 * SIDE);
    box.x[i] = (toi_interval){one->x[i] - half, one->x[i] + half};
  }
  return box;
}

toi_status toi_hunt_look(toi_hunt *hunt, uint32_t number) {
  const toi_problem *problem = &hunt->problems[number];
  const toi_couple *couple = problem->couple;
  if (couple->kind == TOI_COUPLE_II || problem->frozen != 0 || problem->at_start)
    return TOI_OK;
  meeting meetings[TRIES] = {{.gap = INFINITY}, {.gap = INFINITY}, {.gap = INFINITY}, {.gap = INFINITY}};
  for (int i = 0; i < MOMENTS; i++) {
    meeting best;
    double t = sample(problem->first.x[toi_couple_time(couple)], i, MOMENTS);
    if (!(couple->kind == TOI_COUPLE_PP ? meet_parametric(problem, t, &best) : meet_mixed(problem, t, &best)))
      return TOI_ERROR_CALLBACK;
    keep(meetings, &best);
  }
  for (int i = 0; i < TRIES; i++) {
    toi_box box = around(problem, &meetings[i]);
    toi_status status = meetings[i].gap < INFINITY ? toi_hunt_guess(hunt, number, &box, false) : TOI_OK;
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}
