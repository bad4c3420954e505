/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Tracked contacts on random ground: a ball rolls over a plane with bumps, low ones that fit in delta, and high ones
 * close to what is tracked and far from it, while it trembles about delta. Whatever the answers are, up to t_safe no
 * point of the ground may be delta above the ball's lower half: within the boxes that is what a track says, and outside
 * of them nothing touches. Checked on a grid of the ground at many times. */

#include "contact/tracks.h"

static uint64_t seed;

enum { BUMPS = 3, MOMENTS = 150, SIDE = 40 };

typedef struct ground {
  double x[BUMPS], y[BUMPS], height[BUMPS], sharp[BUMPS];
} ground;

typedef struct ride {
  double radius, delta, margin;
  double speed, wave, rate, tremble, often;
} ride;

static double draw(double lo, double hi) {
  return lo + (hi - lo) * test_random_unit(&seed);
}

static ride draw_ride(void) {
  ride r = {.radius = draw(0.2, 0.5), .delta = pow(10, draw(-5, -3)), .margin = draw(0.02, 0.1)};
  r.speed = draw(0.5, 2);
  r.wave = draw(0, 0.3);
  r.rate = draw(0, 4);
  r.tremble = (draw(0, 1) < 0.5 ? 0.7 : 1.6) * r.delta * (draw(0, 1) < 0.5 ? 1 : -1);
  r.often = draw(2, 12);
  return r;
}

/* Each bump is 0 beyond 1 / sqrt(sharp), which leaves the ball alone at the start. */
static ground draw_ground(const ride *r) {
  ground g;
  for (int i = 0; i < BUMPS; i++) {
    g.sharp[i] = draw(4, 44);
    g.height[i] = draw(0, 1) < 0.3 ? r->delta * draw(0.3, 1.3) : draw(0.02, 0.32);
    g.x[i] = fmax(draw(0.3, 2.3), r->radius + 0.06 + 1 / sqrt(g.sharp[i]));
    g.y[i] = draw(-0.3, 0.3);
  }
  return g;
}

static double height_at(const ground *g, double x, double y) {
  double z = 0;
  for (int i = 0; i < BUMPS; i++) {
    const double dx = x - g->x[i], dy = y - g->y[i], base = fmax(0, 1 - g->sharp[i] * (dx * dx + dy * dy));
    z += g->height[i] * base * base * base * base;
  }
  return z;
}

static toi_shape *make_ground(const ground *g) {
  static const char *const names[] = {"x", "y", "z", "t"};
  char text[1024] = "z", bump[200];
  toi_formula *f;
  toi_shape *shape;
  for (int i = 0; i < BUMPS; i++) {
    (void)snprintf(bump, sizeof bump, " - %.17g*max(0, 1 - %.17g*((x - %.17g)^2 + (y - %.17g)^2))^4", g->height[i],
                   g->sharp[i], g->x[i], g->y[i]);
    strcat(text, bump);
  }
  track_well(toi_formula_create(context, names, 4, &f));
  toi_implicit implicit = {.size = sizeof implicit, .solid = true, .formula = f};
  implicit.function = toi_formula_parse(f, text);
  for (int k = 0; k < 3; k++)
    implicit.bounds[k] = (toi_interval){-6, 6};
  track_well(toi_shape_implicit(context, &implicit, &shape));
  toi_formula_destroy(f);
  return shape;
}

static void add_ball(track_stage *s, const ride *r) {
  const toi_shape_form form = draw(0, 1) < 0.5 ? TOI_SHAPE_FORM_PARAMETRIC : TOI_SHAPE_FORM_IMPLICIT;
  char x[100], y[100], z[100];
  toi_motion *m = track_library(s, TOI_SHAPE_SPHERE, form, &r->radius);
  // Not on a pole.
  track_well(toi_motion_turn(m, (double[]){1, 0.5, 0}, NULL, 1, 0));
  (void)snprintf(x, sizeof x, "%.17g*t", r->speed);
  (void)snprintf(y, sizeof y, "%.17g*sin(%.17g*t)", r->wave, r->rate);
  (void)snprintf(z, sizeof z, "%.17g + %.17g*sin(%.17g*t)", r->radius, r->tremble, r->often);
  track_path(m, x, y, z);
}

/* How far the ground is above the ball's lower half, at most; on a grid. */
static double depth_at(const ground *g, const ride *r, double t) {
  const double x = r->speed * t, y = r->wave * sin(r->rate * t), z = r->radius + r->tremble * sin(r->often * t);
  double most = -INFINITY;
  for (int u = -SIDE; u <= SIDE; u++)
    for (int v = -SIDE; v <= SIDE; v++) {
      const double dx = r->radius * u / SIDE, dy = r->radius * v / SIDE,
                   square = r->radius * r->radius - dx * dx - dy * dy;
      if (square >= 0)
        most = fmax(most, height_at(g, x + dx, y + dy) - (z - sqrt(square)));
    }
  return most;
}

static void nothing_is_deeper_than_delta_before_it_is_said(void **state) {
  (void)state;
  const uint64_t rounds = test_count_from(10, 2);
  unsigned events[3] = {0};
  for (uint64_t i = 0; i < rounds; i++) {
    const ride r = draw_ride();
    const ground g = draw_ground(&r);
    const int steps = 1 + (int)draw(0, 4);
    track_stage s;
    track_open(&s);
    if (i % 2 == 0)
      add_ball(&s, &r);
    track_enter(&s, make_ground(&g));
    if (i % 2 == 1)
      add_ball(&s, &r);
    s.options.max_boxes = 400000;
    track_rest(&s, r.delta, r.margin);
    for (int k = 0; k < steps; k++) {
      s.scene.t_from = (double)k / steps;
      track_step(&s, (double)(k + 1) / steps);
      if (s.answer.event != TOI_TRACK_NOTHING)
        break;
    }
    events[s.answer.event]++;
    for (int k = 0; k <= MOMENTS && (double)k / MOMENTS <= s.answer.t_safe; k++) {
      const double depth = depth_at(&g, &r, (double)k / MOMENTS);
      if (depth > r.delta * (1 + 1e-9))
        fail_msg("round %llu: %g deep at t = %.17g, delta %g, said to be safe up to %.17g", (unsigned long long)i,
                 depth, (double)k / MOMENTS, r.delta, s.answer.t_safe);
    }
    track_close(&s);
  }
  print_message("  %u steps without event, %u with new contacts, %u tracks lost\n", events[0], events[1], events[2]);
}

int main(void) {
  seed = test_seed(20261121);
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_deeper_than_delta_before_it_is_said)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
