/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Primitives that meet at one instant with everything on one side before it.
 *
 * Why the truth is known. The third coordinate is a height. At the time T = m / n no point of the first primitive lies
 * below height 0, none of the second above. Every point of the first falls faster than every point of the second, so
 * before T each corner (first minus second) has a positive height and nothing touches. If all heights are 0 at T, then
 * after T each corner has a negative height: contact happens at T or never. If some are not, the class makes contact at
 * T certain. Either way T is the only time at which contact can begin. */

#include "planted/draft.h"

#include <assert.h>

/* Where the contact lies, or what the primitives look like at T. */
typedef enum layout { INSIDE, EDGE, CORNER, ANYWHERE, LINE, APART, POINT } layout;

/* How large, and in how many dimensions. */
typedef struct manner {
  layout layout;
  int dimensions; /* 3; 2: the second coordinate is 0 throughout; 1: only the height is left */
  int64_t size;   /* of the layout */
  int64_t speed;  /* of each point, in units a n-th of the step */
  bool push;      /* points that do not take part in the contact may keep a distance from it */
} manner;

typedef struct encounter {
  int64_t at[PLANTED_POINTS][3], step[PLANTED_POINTS][3];
  bool takes_part[PLANTED_POINTS];
} encounter;

/* A random vector of the plane of the layout, not zero unless there is no plane. */
static void some_vector(planted_random *random, const manner *how, int64_t limit, int64_t out[3]) {
  out[0] = how->dimensions >= 2 ? planted_between(random, -limit, limit) : 0;
  out[1] = how->dimensions >= 3 ? planted_between(random, -limit, limit) : 0;
  out[2] = 0;
  if (out[0] == 0 && out[1] == 0 && how->dimensions >= 2)
    out[0] = planted_nonzero(random, limit);
}

static void set_multiple(int64_t out[3], int64_t factor, const int64_t of[3]) {
  for (int k = 0; k < 3; k++)
    out[k] = factor * of[k];
}

/* Two points on opposite sides of the origin, which is the point of contact. */
static void straddle(planted_random *random, const manner *how, int64_t first[3], int64_t second[3]) {
  int64_t g[3];
  some_vector(random, how, how->size, g);
  set_multiple(first, -planted_between(random, 1, 5), g);
  set_multiple(second, planted_between(random, 1, 5), g);
}

/* Contact inside the face, or inside both edges. */
static void lay_inside(planted_draft *draft, const manner *how, encounter *meeting) {
  planted_random *random = &draft->random;
  int64_t(*at)[3] = meeting->at;
  switch (draft->kind) {
  case TOI_VERTEX_FACE: {
    some_vector(random, how, how->size, at[1]);
    some_vector(random, how, how->size, at[2]);
    const int64_t i = planted_between(random, 1, 4), j = planted_between(random, 1, 4);
    for (int k = 0; k < 3; k++)
      at[3][k] = -i * at[1][k] - j * at[2][k];
    break;
  }
  case TOI_EDGE_EDGE:
    straddle(random, how, at[0], at[1]);
    straddle(random, how, at[2], at[3]);
    break;
  case TOI_VERTEX_EDGE:
    straddle(random, how, at[1], at[2]);
    break;
  default:
    break;
  }
}

/* Contact of a point with the inside of an edge; the rest may stand back. */
static void lay_edge(planted_draft *draft, const manner *how, encounter *meeting) {
  const uint32_t last = draft->points - 1;
  if (draft->kind == TOI_VERTEX_VERTEX)
    return;
  straddle(&draft->random, how, meeting->at[last - 1], meeting->at[last]);
  if (last == 3) {
    some_vector(&draft->random, how, how->size, meeting->at[1]);
    meeting->takes_part[1] = false;
  }
}

/* Contact of two points; the rest may stand back. */
static void lay_corner(planted_draft *draft, const manner *how, encounter *meeting) {
  for (uint32_t i = 0; i < draft->points; i++) {
    if (i != 0 && i != draft->first) {
      some_vector(&draft->random, how, how->size, meeting->at[i]);
      meeting->takes_part[i] = false;
    }
  }
}

/* Anything flat: contact or not is for planted_touches to say. */
static void lay_anyhow(planted_draft *draft, const manner *how, encounter *meeting) {
  int64_t g[3], h[3];
  some_vector(&draft->random, how, how->size, g);
  some_vector(&draft->random, how, how->size, h);
  for (uint32_t i = 0; i < draft->points; i++) {
    switch (how->layout) {
    case LINE: /* all on one line */
      set_multiple(meeting->at[i], planted_between(&draft->random, -4, 4), g);
      break;
    case APART: /* two parallel lines, sometimes the same */
      set_multiple(meeting->at[i], planted_between(&draft->random, -4, 4), g);
      for (int k = 0; k < 3 && i >= draft->first; k++)
        meeting->at[i][k] += h[k];
      break;
    case POINT: /* the second primitive has shrunk to a point, in half of the cases on one of the first */
      set_multiple(meeting->at[i], planted_between(&draft->random, -4, 4), g);
      if (i >= draft->first)
        set_multiple(meeting->at[i], 1, i == draft->first ? meeting->at[0] : meeting->at[draft->first]);
      break;
    default:
      some_vector(&draft->random, how, how->size, meeting->at[i]);
      break;
    }
  }
}

/* Heights at T, for points that stand back: up for the first primitive, down for the second. Says if any does. */
static bool stand_back(planted_draft *draft, const manner *how, encounter *meeting) {
  if (!how->push || planted_once_in(&draft->random, 2))
    return false;
  bool any = false;
  for (uint32_t i = 0; i < draft->points; i++) {
    if (!meeting->takes_part[i]) {
      const int64_t height = planted_between(&draft->random, 1, how->size);
      meeting->at[i][2] = i < draft->first ? height : -height;
      any = true;
    }
  }
  return any;
}

/* Steps: anything along the layout, one against the other in height. In half of the cases a primitive moves as one. */
static void move(planted_draft *draft, const manner *how, encounter *meeting) {
  const bool together = planted_once_in(&draft->random, 2);
  for (uint32_t i = 0; i < draft->points; i++) {
    const bool first = i < draft->first;
    const uint32_t leader = first ? 0 : draft->first;
    if (together && i != leader) {
      set_multiple(meeting->step[i], 1, meeting->step[leader]);
      continue;
    }
    some_vector(&draft->random, how, how->speed, meeting->step[i]);
    const int64_t speed = planted_between(&draft->random, 0, how->speed);
    meeting->step[i][2] = first ? -1 - speed : speed;
  }
}

static void meet(planted_draft *draft, const manner *how, planted_time time) {
  encounter meeting = {0};
  for (uint32_t i = 0; i < draft->points; i++)
    meeting.takes_part[i] = true;
  switch (how->layout) {
  case INSIDE:
    lay_inside(draft, how, &meeting);
    break;
  case EDGE:
    lay_edge(draft, how, &meeting);
    break;
  case CORNER:
    lay_corner(draft, how, &meeting);
    break;
  default:
    lay_anyhow(draft, how, &meeting);
    break;
  }
  // Nothing is known of what happens after T to points that stand back, so T must not lie before the step.
  if (stand_back(draft, how, &meeting) && time.m < 0)
    time.m = 0;
  move(draft, how, &meeting);
  planted_pass(draft, time, (const int64_t(*)[3])meeting.at, (const int64_t(*)[3])meeting.step);
  draft->times[0] = time;
  draft->time_count = 1;
}

/* Sizes from a few units, where coincidences abound, to thousands. */
static int64_t some_size(planted_draft *draft) {
  return planted_once_in(&draft->random, 2) ? 3 : INT64_C(1) << planted_between(&draft->random, 3, 16);
}

static manner some_manner(planted_draft *draft, layout shape, int dimensions) {
  const manner how = {.layout = shape,
                      .dimensions = dimensions,
                      .size = some_size(draft),
                      .speed = some_size(draft),
                      .push = shape == EDGE || shape == CORNER};
  return how;
}

static void meet_somehow(planted_draft *draft, layout shape, int dimensions) {
  const manner how = some_manner(draft, shape, dimensions);
  meet(draft, &how, planted_some_time(&draft->random, 20));
}

void planted_inside(planted_draft *draft) {
  meet_somehow(draft, INSIDE, 3);
}

void planted_edge(planted_draft *draft) {
  meet_somehow(draft, EDGE, 3);
}

void planted_corner(planted_draft *draft) {
  meet_somehow(draft, CORNER, 3);
}

void planted_outside(planted_draft *draft) {
  meet_somehow(draft, ANYWHERE, 3);
}

void planted_coplanar(planted_draft *draft) {
  static const layout layouts[] = {INSIDE, EDGE, CORNER, ANYWHERE};
  meet_somehow(draft, layouts[planted_bits(&draft->random) % 4], 2);
}

void planted_collinear(planted_draft *draft) {
  static const layout layouts[] = {EDGE, CORNER};
  meet_somehow(draft, layouts[planted_bits(&draft->random) % 2], 1);
}

void planted_parallel(planted_draft *draft) {
  meet_somehow(draft, planted_once_in(&draft->random, 2) ? LINE : APART, 3);
}

void planted_collapsed(planted_draft *draft) {
  meet_somehow(draft, planted_once_in(&draft->random, 2) ? POINT : LINE, 3);
}

/* A contact on the boundary of the face or at the end of an edge, large, with one point moved by one unit. */
void planted_near_boundary(planted_draft *draft) {
  static const layout layouts[] = {EDGE, CORNER, LINE};
  manner how = some_manner(draft, layouts[planted_bits(&draft->random) % 3], 3);
  how.size = INT64_C(1) << planted_between(&draft->random, 20, 46);
  how.push = false;
  const planted_time time = planted_inner_time(&draft->random, 10);
  meet(draft, &how, time);

  // The same unit at the start and the end is the same unit at T.
  const uint32_t i = (uint32_t)(planted_bits(&draft->random) % draft->points);
  const int k = (int)(planted_bits(&draft->random) % 2);
  const int64_t unit = planted_between(&draft->random, -1, 1);
  draft->start[i][k] += unit;
  draft->end[i][k] += unit;
}

/* A contact at the very end, up to one unit too late or too early. */
void planted_near_time(planted_draft *draft) {
  static const layout layouts[] = {INSIDE, EDGE, CORNER, ANYWHERE};
  manner how = some_manner(draft, layouts[planted_bits(&draft->random) % 4], 3);
  how.speed = 3;
  planted_time time;
  time.n = INT64_C(1) << planted_between(&draft->random, 20, 48);
  time.n += planted_between(&draft->random, -1, 1);
  time.m = planted_between(&draft->random, -1, 1) + (planted_once_in(&draft->random, 2) ? 0 : time.n);
  meet(draft, &how, time);
}

static void meet_at(planted_draft *draft, int64_t numerator) {
  static const layout layouts[] = {INSIDE, EDGE, CORNER, ANYWHERE, LINE, APART, POINT};
  const manner how = some_manner(draft, layouts[planted_bits(&draft->random) % 7], 3);
  const planted_time time = {numerator, 1};
  meet(draft, &how, time);
}

void planted_at_start(planted_draft *draft) {
  meet_at(draft, 0);
}

void planted_at_end(planted_draft *draft) {
  meet_at(draft, 1);
}
