/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Looking for a contact: from the middle of a box, by Newton's method, with a proof; and before searching every corner,
 * from where both surfaces, at a few points and times, come closest. Nothing is proved by these; a contact that is then
 * proved early spares the search all that comes after it. */

#include "contact/contact_search.h"
#include "solve/vector.h"

/* --- from a box --- */

/* At the pole of a sphere there is no normal to tell whether the surfaces approach, and at an edge no room: a place
 * beside it serves. */
static bool prove_near(const toi_problem *problem, const double x[TOI_UNKNOWNS], toi_box *proved) {
  bool incoming = problem->pair->incoming && !problem->at_start;
  for (int attempt = 0; attempt < 3; attempt++) {
    double from[TOI_UNKNOWNS];
    memcpy(from, x, sizeof from);
    for (size_t i = 0; i < toi_body_pair_time(problem->pair) && attempt > 0; i++) {
      toi_interval domain = problem->domain.x[i];
      double middle = toi_interval_midpoint(domain), aside = 0x1p-18 * toi_interval_width(domain);
      from[i] += (from[i] < middle ? 1 : -1) * (attempt == 1 ? aside : 64 * aside);
    }
    if (toi_newton_prove(problem, from, incoming, proved))
      return true;
  }
  return false;
}

static void set_middle(const toi_problem *problem, const toi_box *box, double x[TOI_UNKNOWNS]) {
  for (size_t i = 0; i < toi_body_pair_unknowns(problem->pair); i++)
    x[i] = toi_interval_midpoint(box->x[i]);
}

/* Whether a guess has left the box far behind. */
static bool leads_away(const toi_problem *problem, const toi_box *box, const double x[TOI_UNKNOWNS]) {
  for (size_t i = 0; i < toi_body_pair_time(problem->pair); i++) {
    double width = toi_interval_width(box->x[i]);
    if (!(x[i] >= box->x[i].lo - width && x[i] <= box->x[i].hi + width))
      return true;
  }
  return false;
}

/* Whether a guess leads to the only contact of a region that was noted. */
static bool is_known(const toi_contact_search *run, uint32_t number, const toi_box *box, const double x[TOI_UNKNOWNS]) {
  toi_box point = *box;
  for (size_t i = 0; i < toi_body_pair_unknowns(run->problems[number].pair); i++)
    point.x[i] = toi_interval_point(x[i]);
  return toi_contact_search_is_settled(run, number, &point);
}

toi_status toi_contact_search_guess(toi_contact_search *run, uint32_t number, const toi_box *box, bool anyhow) {
  const toi_problem *problem = &run->problems[number];
  double x[TOI_UNKNOWNS] = {0};
  set_middle(problem, box, x);
  double simultaneity = run->options->simultaneity;
  bool flat = box->x[toi_body_pair_time(problem->pair)].lo >= run->bound - simultaneity;
  toi_guess guess = toi_newton_guess(problem, box, x);
  bool converged = guess == TOI_GUESS_TANGENTIAL;
  // Where the first contact is hardly before the others every guess leads to it, and none says what else is there.
  if (guess == TOI_GUESS_FAR || (flat && !anyhow && leads_away(problem, box, x))) {
    converged = false;
    if ((!anyhow && !(run->bound <= DBL_MAX)) || !run->options->tangency)
      return TOI_OK;
    // On a ridge there is no tangent plane to go by: the place itself must do.
    set_middle(problem, box, x);
  }
  if (converged && is_known(run, number, box, x))
    return TOI_OK;
  toi_newton_region unique;
  if (converged && !problem->at_start && run->options->tangency && run->options->newton != TOI_NEWTON_NONE &&
      toi_newton_isolate(problem, run->options->newton, x, box, &unique)) {
    bool settled;
    toi_status status = toi_contact_search_settle(run, number, &unique, &settled);
    if (status != TOI_OK || settled)
      return status;
  }
  toi_box proved;
  if (!prove_near(problem, x, &proved))
    return anyhow ? toi_contact_search_cross(run, number, x) : TOI_OK;
  bool failed;
  if (!toi_contact_search_asks(run, number, &proved, &failed))
    return failed ? TOI_ERROR_CALLBACK : TOI_OK;
  run->sampled |= guess == TOI_GUESS_FLAT;
  // Beside a first contact, and later than what is reported of it: its time counts, its place does not.
  double end = proved.x[toi_body_pair_time(problem->pair)].hi;
  if (!converged && !anyhow && !(flat && end <= run->bound + simultaneity)) {
    if (end < run->bound) {
      run->bound = end;
      run->spare = (toi_spare){true, number, proved};
    }
    return TOI_OK;
  }
  return toi_contact_search_note_box(run, number, &proved, true, NULL);
}

/* --- from everywhere --- */

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
  const toi_body_pair *pair = problem->pair;
  for (int i = 0; i < POINTS; i++) {
    double uv[2];
    toi_surface_jet jet;
    parameters_of(problem, 0, i, uv);
    toi_interval at[3] = {toi_interval_point(uv[0]), toi_interval_point(uv[1]), toi_interval_point(t)};
    if (!toi_body_pair_jet(pair, 0, at, 0, &jet))
      return false;
    middle_of(jet.d[0], points[0][i]);
    parameters_of(problem, 2, i, uv);
    at[0] = toi_interval_point(uv[0]);
    at[1] = toi_interval_point(uv[1]);
    const toi_surface_jet *second = toi_body_surface_jet(pair->surface[1], at, 0);
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
      double square = toi_dot(d, d);
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
  for (size_t i = 0; i < toi_body_pair_unknowns(problem->pair); i++) {
    double half = toi_interval_width(problem->first.x[i]) / (2 * SIDE);
    box.x[i] = (toi_interval){one->x[i] - half, one->x[i] + half};
  }
  return box;
}

toi_status toi_contact_search_sample(toi_contact_search *run, uint32_t number) {
  const toi_problem *problem = &run->problems[number];
  const toi_body_pair *pair = problem->pair;
  // Two faces of solids are small parts of a body, and many.
  const bool faces = pair->surface[0]->shape->face != NULL && pair->surface[1]->shape->face != NULL;
  if (pair->kind > TOI_BODY_PAIR_PI || problem->frozen != 0 || problem->at_start || faces)
    return TOI_OK;
  meeting meetings[TRIES] = {{.gap = INFINITY}, {.gap = INFINITY}, {.gap = INFINITY}, {.gap = INFINITY}};
  for (int i = 0; i < MOMENTS; i++) {
    meeting best;
    double t = sample(problem->first.x[toi_body_pair_time(pair)], i, MOMENTS);
    if (!(pair->kind == TOI_BODY_PAIR_PP ? meet_parametric(problem, t, &best) : meet_mixed(problem, t, &best)))
      return TOI_ERROR_CALLBACK;
    keep(meetings, &best);
  }
  for (int i = 0; i < TRIES; i++) {
    toi_box box = around(problem, &meetings[i]);
    toi_status status = meetings[i].gap < INFINITY ? toi_contact_search_guess(run, number, &box, false) : TOI_OK;
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}
