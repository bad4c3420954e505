/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What a scene file says. Metres, kilograms, seconds, newtons throughout. */

#ifndef SIMULATOR_SCENE_H
#define SIMULATOR_SCENE_H

#include <toi/narrow.h>

#include "common.h"

#define SCENE_TEXT 128
#define SCENE_OBSTACLES 16
#define SCENE_HELD 16
#define SCENE_HALF_SPACES 16

typedef enum sim_shape { SHAPE_SHEET, SHAPE_TUBE, SHAPE_BALL, SHAPE_RING } sim_shape;

/* The one thing that deforms: a sheet in the plane z = at[2], or a tube along the x axis, both centred at `at`. */
typedef struct sim_cloth {
  sim_shape shape;
  double size[2]; /* sheet: extent along x and y; tube: length and radius */
  long cells[2];  /* sheet: squares along x and y; tube: along and around */
  double at[3];
  double density; /* kg per square metre */
  double stretch; /* Young's modulus times thickness, N / m */
  double poisson; /* Poisson's ratio, in [0, 0.49] */
  double bend;    /* bending stiffness, N m */
} sim_cloth;

/* A mesh that does not move: a ball, or a ring around the axis z. */
typedef struct sim_obstacle {
  sim_shape shape;
  double radius, tube; /* ring: of the circle inside the ring, and of the ring's own cross-section */
  long cells[2];       /* ball: circles of latitude and points on each; ring: around, and around its cross-section */
  double at[3];
} sim_obstacle;

/* Vertices of the cloth that start inside a box are held by stiff springs to targets that move. */
typedef struct sim_held {
  double box[2][3];
  double velocity[3];
  double axis[3], centre[3], turns; /* turns per second about the line through `centre` along `axis` */
  double until;                     /* seconds; the targets rest from then on */
  double release;                   /* seconds; the springs are gone from then on */
} sim_held;

typedef struct sim_scene {
  char title[SCENE_TEXT];
  double step; /* seconds per frame: one implicit step each */
  long frames;
  double gravity[3];
  sim_cloth cloth;
  sim_obstacle obstacles[SCENE_OBSTACLES];
  size_t obstacle_count;
  toi_half_space half_spaces[SCENE_HALF_SPACES];
  size_t half_space_count;
  sim_held held[SCENE_HELD];
  size_t held_count;
  double held_stiffness; /* of the springs, in units of mass / step^2 */

  double distance;  /* dhat: the barrier acts on pairs closer than this */
  double stiffness; /* kappa, N / m */
  double friction;  /* Coulomb's coefficient */
  double slip;      /* m / s: friction grows smoothly up to this speed */
  double fraction;  /* of the distance of each pair, kept by each step of Newton's method */

  double tolerance; /* m / s: Newton's method ends where the largest step is shorter than this times `step` */
  long iterations;  /* at most, per frame */
  uint64_t hash;    /* of the file's bytes and the resolution: a state belongs to one scene */
} sim_scene;

/* Reads a scene; `resolution` scales the numbers of cells. An unknown field, a missing one, and a value out of range
 * are errors that name the file, the field, and what is allowed. */
bool scene_read(const char *path, double resolution, sim_scene *scene, sim_fault *fault);

#endif
