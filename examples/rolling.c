/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The loop of a simulation that is driven by events, as in figure 2 of Snyder 1993: a solver says how bodies move, the
 * library says how far that is right, a response changes what moves, and so on. Three small worlds:
 *
 *   a cylinder rolls down an incline, without slipping, and meets a wall;
 *   a ball falls and bounces;
 *   a block slides along a table, leaves it, and falls on the floor.
 *
 * Prints each event and the time that theory says. The solver here knows the motions in closed form; contacts that last
 * are tracked. Times are in seconds, lengths in metres. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <toi/toi.h>

#define GRAVITY 9.81
#define DELTA 1e-6
#define MARGIN 0.05

enum { BODIES = 3, TRACKS = 4, FORMULA = 160 };

typedef struct world {
  toi_context *context;
  toi_shape *shapes[BODIES];
  toi_motion *motions[BODIES];
  toi_body bodies[BODIES];
  size_t count;
  toi_track tracks[TRACKS];
  toi_track_scene scene;
  toi_track_answer answer;
  int first[2]; /* the bodies of the first new contact */
} world;

static void must(const world *w, toi_status status) {
  if (status == TOI_OK)
    return;
  fprintf(stderr, "rolling: %s\n", toi_context_error(w->context));
  exit(1);
}

/* --- bodies --- */

static void add(world *w, toi_shape_kind kind, const double *size) {
  must(w, toi_shape_library(w->context, kind, TOI_SHAPE_FORM_DEFAULT, size, &w->shapes[w->count]));
  w->bodies[w->count] = (toi_body){.size = sizeof(toi_body), .shape = w->shapes[w->count]};
  w->count++;
}

/* A new motion of a body: what the solver says. It begins anew at t = 0. */
static toi_motion *restart(world *w, size_t body) {
  toi_motion_destroy(w->motions[body]);
  must(w, toi_motion_create(w->context, &w->motions[body]));
  w->bodies[body].motion = w->motions[body];
  return w->motions[body];
}

static void shift(world *w, toi_motion *motion, const char *x, const char *y, const char *z) {
  must(w, toi_motion_formula(motion, NULL, (const char *const[]){x, y, z}));
}

static void turn(world *w, toi_motion *motion, const double axis[3], double angle) {
  must(w, toi_motion_turn(motion, axis, NULL, angle, 0));
}

static void place(world *w, size_t body, const double at[3]) {
  must(w, toi_motion_move(restart(w, body), at, NULL));
}

static void leave(world *w) {
  for (size_t i = 0; i < w->count; i++) {
    toi_motion_destroy(w->motions[i]);
    toi_shape_destroy(w->shapes[i]);
  }
}

/* --- the loop --- */

static toi_status note(void *user, const toi_contact_point *contact) {
  world *w = user;
  if (w->first[0] < 0) {
    w->first[0] = (int)contact->a;
    w->first[1] = (int)contact->b;
  }
  return TOI_OK;
}

/* Tracks what touches now. */
static void begin(world *w) {
  const toi_contact_options options = toi_default_contact_options();
  const toi_track_contacts touching = {.size = sizeof touching, .room = TRACKS, .delta = DELTA, .margin = MARGIN};
  w->scene =
      (toi_track_scene){.size = sizeof w->scene, .bodies = w->bodies, .body_count = w->count, .tracks = w->tracks};
  must(w, toi_track_rest(w->context, &w->scene, &options, &touching, &w->scene.track_count));
}

/* How far the motions are right, up to `span`. */
static toi_track_event advance(world *w, double span) {
  toi_contact_options options = toi_default_contact_options();
  options.t_max = span;
  w->first[0] = -1;
  must(w, toi_track_step(w->context, &w->scene, &options, &w->answer, note, w));
  return w->answer.event;
}

static void print(const char *what, double time, double theory) {
  printf("  %-36s t = %.12f   theory %.12f   off by %.1e\n", what, time, theory, fabs(time - theory) / theory);
}

/* --- a cylinder rolls down an incline --- */

/* Seen with the incline as the plane z = 0, along which x goes down. It rolls without slipping: its acceleration is 2/3
 * g sin(slope). As a surface it is the same however far it has turned, so its spin is no part of the motion. */
static void roll(world *w) {
  const double slope = 0.2, radius = 0.25, length = 1, way = 2;
  const double acceleration = 2.0 / 3 * GRAVITY * sin(slope);
  char x[FORMULA], z[FORMULA];
  printf("A cylinder rolls down an incline\n");
  add(w, TOI_SHAPE_CAPPED_CYLINDER, (double[]){radius, length});
  add(w, TOI_SHAPE_PLANE, NULL);
  add(w, TOI_SHAPE_BOX, (double[]){0.5, 2, 1});
  toi_motion *m = restart(w, 0);
  turn(w, m, (double[]){1, 0, 0}, acos(0.0));
  (void)snprintf(x, sizeof x, "%.17g*t^2", acceleration / 2);
  (void)snprintf(z, sizeof z, "%.17g", radius);
  shift(w, m, x, "0", z);
  // Its near side is `way` from the cylinder.
  place(w, 2, (double[]){way + radius + 0.25, 0, 0.5});
  begin(w);
  printf("  it lies on the incline: %zu contact tracked\n", w->scene.track_count);
  if (advance(w, 4) == TOI_TRACK_CONTACT && w->first[1] == 2)
    print("it meets the wall", w->answer.t_hi, sqrt(2 * way / acceleration));
  printf("  on the incline it %s\n", w->tracks[0].state == TOI_TRACK_HOLDS ? "still lies" : "lies no more");
}

/* --- a ball bounces --- */

/* It falls from a height, and keeps 9/10 of its speed at each bounce. */
static void bounce(world *w) {
  const double radius = 0.1, height = 1, restitution = 0.9;
  double time = 0, speed = 0, z = radius + height, theory = sqrt(2 * height / GRAVITY), fall = theory;
  char path[FORMULA];
  printf("A ball bounces\n");
  add(w, TOI_SHAPE_SPHERE, (double[]){radius});
  add(w, TOI_SHAPE_PLANE, NULL);
  for (int bounces = 1; bounces <= 6; bounces++) {
    // The solver: a parabola from where the ball is.
    (void)snprintf(path, sizeof path, "%.17g + %.17g*t - %.17g*t^2", z, speed, GRAVITY / 2);
    shift(w, restart(w, 0), "0", "0", path);
    begin(w);
    if (advance(w, 2) != TOI_TRACK_CONTACT)
      return;
    const double t = w->answer.t_hi;
    time += t;
    print("bounce", time, theory);
    // The response: from the height at which it touched, upwards.
    speed = restitution * (GRAVITY * t - speed);
    z = radius;
    fall *= restitution;
    theory += 2 * fall;
  }
}

/* --- a block slides off a table --- */

/* It is slowed down by friction, too little to stop it. While it tips its weight stays over the table for less than a
 * twentieth of a second, which is left out here: it flies off level, and falls. */
static void slide(world *w) {
  const double speed = 6, friction = 0.3, edge = 1, side = 0.2, top = 1;
  const double brake = friction * GRAVITY;
  char x[FORMULA], z[FORMULA];
  printf("A block slides off a table\n");
  add(w, TOI_SHAPE_BOX, (double[]){side, side, side});
  add(w, TOI_SHAPE_BOX, (double[]){2, 1, top});
  add(w, TOI_SHAPE_PLANE, NULL);
  (void)snprintf(x, sizeof x, "%.17g*t - %.17g*t^2", speed, brake / 2);
  (void)snprintf(z, sizeof z, "%.17g", top + side / 2);
  shift(w, restart(w, 0), x, "0", z);
  // On legs that are not drawn, a little above the floor.
  place(w, 1, (double[]){0, 0, top / 2});
  place(w, 2, (double[]){0, 0, -0.25});
  begin(w);
  printf("  it lies on the table: %zu contact tracked\n", w->scene.track_count);
  // It leaves when its back passes the edge.
  const double way = edge + side / 2, theory = (speed - sqrt(speed * speed - 2 * brake * way)) / brake;
  if (advance(w, 0.5) != TOI_TRACK_NOTHING || w->tracks[0].state != TOI_TRACK_ENDED)
    return;
  const double left = w->tracks[0].t_hi;
  print("it leaves the table", left, theory);
  // The solver: it flies on from there.
  (void)snprintf(x, sizeof x, "%.17g + %.17g*t", speed * left - brake / 2 * left * left, speed - brake * left);
  (void)snprintf(z, sizeof z, "%.17g - %.17g*t^2", top + side / 2, GRAVITY / 2);
  shift(w, restart(w, 0), x, "0", z);
  begin(w);
  if (advance(w, 1) == TOI_TRACK_CONTACT && w->first[1] == 2)
    print("it meets the floor", left + w->answer.t_hi, theory + sqrt(2 * (top + 0.25) / GRAVITY));
}

int main(void) {
  void (*const worlds[])(world * w) = {roll, bounce, slide};
  toi_context *context;
  if (toi_context_create(NULL, &context) != TOI_OK)
    return 1;
  for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
    world w = {.context = context};
    worlds[i](&w);
    leave(&w);
  }
  toi_context_destroy(context);
  return 0;
}
