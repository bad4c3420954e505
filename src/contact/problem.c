/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "contact/problem.h"

#include "contact/solid.h"

toi_columns toi_problem_columns(const toi_problem *problem) {
  toi_columns columns = {0, {0}};
  size_t unknowns = toi_body_pair_unknowns(problem->pair), time = unknowns - 1;
  for (size_t i = 0; i < unknowns; i++)
    if (!(problem->frozen >> i & 1) && !(i == time && problem->at_start))
      columns.at[columns.count++] = i;
  return columns;
}

toi_box toi_box_centre(const toi_problem *problem, const toi_box *box) {
  toi_box centre = *box;
  for (size_t i = 0; i < toi_body_pair_unknowns(problem->pair); i++)
    // Frozen time stays what it is: what is concluded holds at all times of it.
    if (i != toi_body_pair_time(problem->pair) || !problem->at_start)
      centre.x[i] = toi_interval_point(toi_interval_midpoint(box->x[i]));
  return centre;
}

bool toi_problem_is_seam(const toi_problem *problem, size_t i, bool high) {
  const toi_body_pair *pair = problem->pair;
  if (i == toi_body_pair_time(pair))
    return false;
  // An implicit surface goes on beyond the bounds that it is looked for in.
  if (toi_body_pair_in_space(pair))
    return true;
  const toi_shape *shape = pair->surface[i / 2]->shape;
  return !((shape->edges | shape->stops) >> (2 * (i % 2) + high) & 1);
}

/* Where a box of unknowns lies by the outlines of faces that are cut out of a plane. */
static toi_outline_place outline_place(const toi_problem *problem, const toi_box *box) {
  const toi_body_pair *pair = problem->pair;
  toi_outline_place place = TOI_OUTLINE_INSIDE;
  for (size_t side = 0; side < 2; side++) {
    if (pair->surface[side]->shape->face == NULL || (problem->frozen >> (2 * side) & 3) != 0)
      continue;
    const toi_outline_place at = toi_face_place(pair->surface[side]->shape, &box->x[2 * side]);
    if (at != TOI_OUTLINE_INSIDE)
      place = place == TOI_OUTLINE_OUTSIDE ? place : at;
  }
  return place;
}

bool toi_problem_reaches(const toi_problem *problem, const toi_box *box, const toi_interval place[3]) {
  const toi_body_pair *pair = problem->pair;
  return toi_body_surface_reaches(pair->surface[1], place) &&
         (!toi_body_pair_in_space(pair) || !toi_body_surface_is_turned(pair->surface[0]) ||
          toi_body_surface_reaches(pair->surface[0], box->x)) &&
         outline_place(problem, box) != TOI_OUTLINE_OUTSIDE;
}

bool toi_problem_holds(const toi_problem *problem, const toi_box *box) {
  for (size_t i = 0; i < toi_body_pair_unknowns(problem->pair); i++) {
    toi_interval domain = problem->domain.x[i];
    if ((box->x[i].lo < domain.lo && !toi_problem_is_seam(problem, i, false)) ||
        (box->x[i].hi > domain.hi && !toi_problem_is_seam(problem, i, true)))
      return false;
  }
  return outline_place(problem, box) == TOI_OUTLINE_INSIDE;
}
