/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What comes down on each kind of feature of a convex solid, in random frames and along random ways, against closed
 * forms.
 *
 * The truth: x is a point of a convex solid and n, of length 1, lies in the normal cone there. What comes down has its
 * own point at x when t = 0.5, with -n in its normal cone there. Both lie on different sides of the plane through x
 * with normal n then, and have no other point of the plane in common if one of them has only x in it. What moves along
 * n downwards was above that plane before: 0.5 is the first contact, and x the only one. */

#ifndef TOI_TESTS_CONTACT_SPOTS_H
#define TOI_TESTS_CONTACT_SPOTS_H

#include "contact/program.h"

static uint64_t seed;

/* A point of a solid, a normal, and whether it is on a face, an edge or a vertex. */
typedef struct spot {
  double x[3], n[3];
  int rank; /* how many faces meet there, at most 3 */
  bool curved;
} spot;

static double between(double low, double high) {
  return low + (high - low) * test_random_unit(&seed);
}

static int below(int count) {
  return (int)(test_random(&seed) % (uint64_t)count);
}

static void normalise(double n[3]) {
  const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int k = 0; k < 3; k++)
    n[k] /= length;
}

/* --- the solids, and points of each kind --- */

static const double box_size[3] = {2, 1.5, 1};

static inline void on_box(spot *s) {
  const int ends = 1 + below(7);
  *s = (spot){.rank = 0};
  for (int k = 0; k < 3; k++) {
    const double half = 0.5 * box_size[k], sign = below(2) ? 1 : -1;
    const bool end = ends >> k & 1;
    s->x[k] = end ? sign * half : between(-0.9, 0.9) * half;
    s->n[k] = end ? sign * between(0.2, 1) : 0;
    s->rank += end;
  }
  normalise(s->n);
}

static const double can_size[2] = {0.75, 1.25};

static inline void turned_spot(spot *s, double radius, double height, double out, double up) {
  const double angle = between(0, 6.28318530717958647);
  *s = (spot){{radius * cos(angle), radius * sin(angle), height}, {out * cos(angle), out * sin(angle), up}, 1, false};
  normalise(s->n);
}

static inline void on_can(spot *s) {
  const double sign = below(2) ? 1 : -1, end = sign * 0.5 * can_size[1];
  switch (below(3)) {
  case 0:
    turned_spot(s, between(0, 0.95) * can_size[0], end, 0, sign);
    return;
  case 1:
    turned_spot(s, can_size[0], between(-0.95, 0.95) * end, 1, 0);
    s->curved = true;
    return;
  default:
    turned_spot(s, can_size[0], end, between(0.2, 1), sign * between(0.2, 1));
    s->rank = 2;
    s->curved = true;
  }
}

static const double cone_size[2] = {0.75, 1.5};

static inline void on_cone(spot *s) {
  const double r = cone_size[0], h = cone_size[1];
  const double part = between(0.05, 0.95);
  switch (below(4)) {
  case 0:
    turned_spot(s, between(0, 0.95) * r, 0, 0, -1);
    return;
  case 1:
    turned_spot(s, r * (1 - part), h * part, h, r);
    s->curved = true;
    return;
  case 2: {
    const double a = between(0.2, 1), b = between(0.2, 1);
    turned_spot(s, r, 0, a * h, a * r - b * h);
    s->rank = 2;
    s->curved = true;
    return;
  }
  default:
    turned_spot(s, 0, h, between(0, 0.75) * h, r);
    s->rank = 3;
  }
}

static const double capsule_size[2] = {0.5, 1};

static inline void on_capsule(spot *s) {
  const double r = capsule_size[0], half = 0.5 * capsule_size[1], sign = below(2) ? 1 : -1;
  const double tilt = between(0.05, 1.5);
  if (below(2))
    turned_spot(s, r, between(-0.95, 0.95) * half, 1, 0);
  else
    turned_spot(s, r * cos(tilt), sign * (half + r * sin(tilt)), cos(tilt), sign * sin(tilt));
  s->curved = true;
}

static const double wedge_size[3] = {2, 1.5, 1};

/* Its corners are those of the half of a box: a vertex is one of three, low or high. */
static inline void on_wedge(spot *s) {
  const double a = 0.5 * wedge_size[0], b = 0.5 * wedge_size[1], c = 0.5 * wedge_size[2];
  const double corner[3][2] = {{-a, -b}, {a, -b}, {-a, b}}, out[3][2] = {{0, -1}, {b, a}, {-1, 0}};
  const int i = below(3), next = (i + 1) % 3, before = (i + 2) % 3;
  const int height = below(3) - 1; /* an end, or between them */
  const double part = between(0.1, 0.9), first = between(0.2, 1), second = between(0.2, 1);
  *s = (spot){.x = {0, 0, height == 0 ? between(-0.9, 0.9) * c : height * c}, .rank = height != 0};
  s->n[2] = height * between(0.2, 1);
  const int kind = height == 0 ? below(2) : below(3);
  for (int k = 0; k < 2; k++) {
    if (kind == 0) { /* a side */
      s->x[k] = corner[i][k] * (1 - part) + corner[next][k] * part;
      s->n[k] = out[i][k];
    } else if (kind == 1) { /* a corner */
      s->x[k] = corner[i][k];
      s->n[k] = first * out[i][k] + second * out[before][k];
    } else { /* an end */
      s->x[k] =
          (corner[0][k] + (corner[1][k] - corner[0][k]) * 0.4 * part + (corner[2][k] - corner[0][k]) * 0.4 * first);
    }
  }
  s->rank += kind == 0 ? 1 : kind == 1 ? 2 : 0;
  normalise(s->n);
}

typedef struct solid {
  const char *name;
  void (*choose)(spot *s);
  double inside[3];
  double tip; /* the height of a cone, whose lines run to its tip; infinite: straight up */
  toi_shape_kind kind;
  const double *size;
  toi_shape *(*make)(void); /* NULL: of that kind and size */
} solid;

/* --- what comes down --- */

/* Turns `from` into `to`, both of length 1, then about it by an angle. */
static void turn_to(const stage *s, toi_motion *motion, const double from[3], const double to[3], double angle) {
  double axis[3] = {from[1] * to[2] - from[2] * to[1], from[2] * to[0] - from[0] * to[2],
                    from[0] * to[1] - from[1] * to[0]};
  const double cosine = from[0] * to[0] + from[1] * to[1] + from[2] * to[2];
  const double sine = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  if (sine < 1e-9) {
    axis[0] = fabs(from[0]) < 0.5 ? 0 : -from[1];
    axis[1] = fabs(from[0]) < 0.5 ? from[2] : from[0];
    axis[2] = fabs(from[0]) < 0.5 ? -from[1] : 0;
  }
  well(s, toi_motion_turn(motion, axis, NULL, atan2(sine, cosine), 0));
  well(s, toi_motion_turn(motion, to, NULL, angle, 0));
}

/* Where a turned body has a point of its own, rounded. */
static void place_of(const stage *s, const toi_motion *motion, const double own[3], double at[3]) {
  toi_interval rotation[9], translation[3];
  well(s, toi_motion_at(motion, (toi_interval){0, 0}, rotation, translation));
  for (int i = 0; i < 3; i++) {
    at[i] = 0;
    for (int k = 0; k < 3; k++)
      at[i] += 0.5 * (rotation[3 * i + k].lo + rotation[3 * i + k].hi) * own[k];
  }
}

/* Moves so that `point` of the body, turned, is at x when t = 0.5, from above; towards the inside of the solid if that
 * is given: two tips may also pass each other, having touched. */
static void come_down(const stage *s, toi_motion *motion, const double own[3], const spot *at, double steep,
                      const double inside[3]) {
  double point[3], contact[3], axis[3];
  place_of(s, motion, own, point);
  for (int k = 0; k < 3; k++) {
    contact[k] = at->x[k] - point[k];
    axis[k] = inside != NULL ? 2 * (at->x[k] - inside[k]) : 3 * (at->n[k] + steep * between(-1, 1));
  }
  approach(s, motion, contact, axis, 0.5);
}

/* Whether the answer has one proved contact, at x. exact: it is the only one, to the last digits. */
static void check(const char *what, const char *name, const stage *s, const spot *at, bool exact) {
  const toi_contact_answer *a = &got.answer;
  const double off = exact ? 1e-9 : 1e-6;
  size_t close = 0, proved = 0, first = 0;
  for (size_t i = 0; i < got.count; i++) {
    // What crosses a little later is told up to the simultaneity, with its time.
    first += !(got.contacts[i].proved && got.contacts[i].t_lo > 0.5 + 1e-9);
    close += distance_of(got.contacts[i].point, at->x) < (exact ? 1e-9 : 1e-6);
    proved += got.contacts[i].proved;
  }
  const bool well_timed = a->t_lo <= 0.5 + 1e-12 && a->t_hi >= 0.5 - 1e-12 && a->t_hi - a->t_lo <= off;
  const bool complete = exact ? first == 1 && close == 1 && proved == got.count : close >= 1 && proved >= 1;
  if (a->verdict == TOI_HIT && well_timed && complete)
    return;
  tell(what, s, &got);
  for (size_t i = 0; i < got.count && i < 8; i++)
    print_message("    %s %d at %.17g %.17g %.17g, %g away, error %g, [%.17g, %.17g]\n",
                  toi_contact_certificate_name(got.contacts[i].certificate), got.contacts[i].proved,
                  got.contacts[i].point[0], got.contacts[i].point[1], got.contacts[i].point[2],
                  distance_of(got.contacts[i].point, at->x), got.contacts[i].error, got.contacts[i].t_lo,
                  got.contacts[i].t_hi);
  fail_msg("%s on a %s, rank %d: x = (%.17g, %.17g, %.17g), n = (%.17g, %.17g, %.17g)", what, name, at->rank, at->x[0],
           at->x[1], at->x[2], at->n[0], at->n[1], at->n[2]);
}

static void enter_solid(stage *s, const solid *of) {
  if (of->make != NULL)
    (void)enter(s, of->make());
  else
    (void)enter_library(s, of->kind, TOI_SHAPE_FORM_DEFAULT, of->size);
}

static void with_ball(stage *s, const solid *of, const spot *at) {
  const double radius = between(0.2, 1), own[3] = {-radius * at->n[0], -radius * at->n[1], -radius * at->n[2]};
  enter_solid(s, of);
  toi_motion *m = enter_library(s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, &radius);
  come_down(s, m, own, at, 0.4, NULL);
}

static const double comer_size[3] = {0.8, 0.6, 0.5};

/* Whether an edge of a turned body runs nearly along the straight line through x on a cylinder or a cone: then it
 * touches along nearly all of that. */
static bool is_along(const stage *s, const toi_motion *motion, const solid *of, const spot *at, int along) {
  double own[3] = {0, 0, 0}, edge[3];
  own[along] = 1;
  place_of(s, motion, own, edge);
  const double height = of->tip;
  double line[3] = {0, 0, 1};
  for (int k = 0; k < 3 && height < INFINITY; k++)
    line[k] = at->x[k] - (k == 2 ? height : 0);
  normalise(line);
  return fabs(line[0] * edge[0] + line[1] * edge[1] + line[2] * edge[2]) > 0.9;
}

/* A corner or, with only two ends, an edge of a box. False: it is none to ask about. */
static inline bool with_box(stage *s, const solid *of, const spot *at, bool corner) {
  double own[3], n[3], down[3];
  const int along = corner ? -1 : below(3);
  for (int k = 0; k < 3; k++) {
    const double sign = below(2) ? 1 : -1;
    own[k] = (k == along ? between(-0.9, 0.9) : sign) * 0.5 * comer_size[k];
    n[k] = k == along ? 0 : sign * between(0.2, 1);
    down[k] = -at->n[k];
  }
  normalise(n);
  enter_solid(s, of);
  toi_motion *m = enter_library(s, TOI_SHAPE_BOX, TOI_SHAPE_FORM_DEFAULT, comer_size);
  turn_to(s, m, n, down, between(0.3, 1.2));
  come_down(s, m, own, at, 0.2, at->rank > (corner ? 1 : 2) ? of->inside : NULL);
  return corner || at->rank > 1 || !is_along(s, m, of, at, along);
}

/* How many frames there are, before scaling. */
#ifndef SPOT_FRAMES
#define SPOT_FRAMES 200
#endif

static int frames(void) {
  return (int)test_count_from(SPOT_FRAMES, 2);
}

static void ask_placed(stage *s) {
  put_in_place(s);
  const toi_contact_options options = toi_default_contact_options();
  ask(s, &options, &got);
}

static inline void run(const solid *solids, size_t solid_count, const char *what, int comer) {
  for (size_t i = 0; i < solid_count; i++) {
    double boxes = 0, seconds = 0;
    int count = 0;
    for (int frame = 0; frame < frames(); frame++) {
      spot at;
      solids[i].choose(&at);
      // An edge on a flat face lies in it, and is another matter.
      if (comer == 2 && at.rank == 1 && !at.curved)
        continue;
      const placement place = random_placement(&seed);
      stage s = {.context = context, .place = &place};
      bool asked = true;
      if (comer == 0)
        with_ball(&s, &solids[i], &at);
      else
        asked = with_box(&s, &solids[i], &at, comer == 1);
      if (!asked) {
        clear(&s);
        continue;
      }
      ask_placed(&s);
      const bool exact = comer == 0 || at.rank == 1 || (comer == 2 && at.rank == 2);
      check(what, solids[i].name, &s, &at, exact);
      boxes += (double)got.answer.boxes;
      seconds += got.answer.seconds;
      count++;
      clear(&s);
    }
    print_message("  %s on a %s: %.0f boxes, %.2f ms\n", what, solids[i].name, boxes / count, 1e3 * seconds / count);
  }
}

/* A small ball leaves through the place, from the middle: the surfaces cross, but never from outside. */
static inline void leave(const solid *solids, size_t solid_count) {
  for (size_t i = 0; i < solid_count; i++)
    for (int frame = 0; frame < frames() / 2; frame++) {
      spot at;
      solids[i].choose(&at);
      const placement place = random_placement(&seed);
      stage s = {.context = context, .place = &place};
      enter_solid(&s, &solids[i]);
      const double radius = 0.1, *middle = solids[i].inside;
      toi_motion *m = enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, &radius);
      double velocity[3];
      for (int k = 0; k < 3; k++)
        velocity[k] = 3 * (at.x[k] - middle[k]);
      well(&s, toi_motion_move(m, middle, velocity));
      ask_placed(&s);
      if (got.answer.verdict != TOI_MISS) {
        tell("leaving ball", &s, &got);
        for (size_t k = 0; k < got.count && k < 4; k++)
          print_message("    at (%.17g, %.17g, %.17g), patches %u and %u\n", got.contacts[k].point[0],
                        got.contacts[k].point[1], got.contacts[k].point[2], got.contacts[k].patch_a,
                        got.contacts[k].patch_b);
        fail_msg("a ball that leaves a %s touches it: x = (%.17g, %.17g, %.17g)", solids[i].name, at.x[0], at.x[1],
                 at.x[2]);
      }
      clear(&s);
    }
}

#endif
