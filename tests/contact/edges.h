/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes whose first contact is at a real edge, a corner or a tip of an open surface: there the tangent planes need not
 * agree. Rotations are exact: by quaternions of whole numbers. */

#ifndef TOI_TESTS_CONTACT_EDGES_H
#define TOI_TESTS_CONTACT_EDGES_H

#include "contact/scenes.h"

/* An open cylinder of radius 1/2 and height 2, tilted about x by the angle whose cosine is 0.8. The centre of its lower
 * end is at -(0, -0.6, 0.8) from its own, and the lowest point of the rim at -1/2 (0, 0.8, 0.6) from there: at (0, 0.2,
 * -1.1). */
static inline void rim_on_plane(stage *s, truth *known) {
  toi_motion *m = enter_library(s, TOI_SHAPE_CYLINDER, TOI_SHAPE_FORM_DEFAULT, (double[]){0.5, 2});
  well(s, toi_motion_formula(m, (const char *const[]){"3", "1", "0", "0"}, NULL));
  enter_library(s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 1});
  approach(s, m, (double[]){0, 0, 1.1}, (double[]){0, 0, 2}, 0.5);
  *known = (truth){.t = 0.5, .rounding = ROUNDED, .points = 1, .at = {{0, 0.2, 0}}, .unique = true};
}

/* A cone of radius 1 and height 2, upside down and tilted by the same angle: the tip is 1.6 below the centre of its
 * base, whose rim is at most 0.6 below, and 1.2 beside it. */
static inline void tip_on_plane(stage *s, truth *known) {
  toi_motion *m = enter_library(s, TOI_SHAPE_CONE, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 2});
  well(s, toi_motion_formula(m, (const char *const[]){"0", "1", "0", "0"}, NULL));
  well(s, toi_motion_formula(m, (const char *const[]){"3", "1", "0", "0"}, NULL));
  enter_library(s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 1});
  approach(s, m, (double[]){0, 0, 1.6}, (double[]){0, 0, 2}, 0.5);
  *known = (truth){.t = 0.5, .rounding = ROUNDED, .points = 1, .at = {{0, 1.2, 0}}};
}

static inline toi_motion *enter_flat(stage *s, toi_interval u, toi_interval v) {
  toi_shape *shape = NULL;
  well(s, toi_shape_height_field(s->context, "0", u, v, &shape));
  return enter(s, shape);
}

/* A sphere of radius 5/4, its centre 3/4 below z = 0, where it is a circle of radius 1. A square in z = 0, its sides
 * along x and y, comes along (3, 4, 0) with its corner ahead, which of all its points is nearest to the axis. */
static inline void corner_on_sphere(stage *s, truth *known) {
  toi_motion *m = enter_flat(s, (toi_interval){0, 1}, (toi_interval){0, 1});
  approach(s, m, (double[]){0.6, 0.8, 0}, (double[]){1.5, 2, 0}, 0.5);
  m = enter_library(s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){1.25});
  well(s, toi_motion_move(m, (double[]){0, 0, -0.75}, NULL));
  *known = (truth){.t = 0.5, .rounding = ROUNDED, .points = 1, .at = {{0.6, 0.8, 0}}, .unique = true};
}

/* A strip in z = 0 whose edge is the x axis from -1 to 1, and one in x = 0, y <= 0, turned half around about (1, 0, 1),
 * whose edge along z comes along y: they cross at the origin. */
static inline void edge_on_edge(stage *s, truth *known) {
  enter_flat(s, (toi_interval){-1, 1}, (toi_interval){0, 1});
  toi_motion *m = enter_flat(s, (toi_interval){-1, 1}, (toi_interval){0, 1});
  well(s, toi_motion_formula(m, (const char *const[]){"0", "1", "0", "1"}, NULL));
  approach(s, m, (double[]){0, 0, 0}, (double[]){0, -2, 0}, 0.5);
  *known = (truth){.t = 0.5, .points = 1, .at = {{0, 0, 0}}, .unique = true};
}

static const scene edge_scenes[] = {
    {"rim on plane", rim_on_plane},
    {"tip on plane", tip_on_plane},
    {"corner on sphere", corner_on_sphere},
    {"edge on edge", edge_on_edge},
};
#define EDGE_SCENES (sizeof edge_scenes / sizeof *edge_scenes)

#endif
