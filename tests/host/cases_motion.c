/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* motion.h: a motion by each of its calls, and where it is then. */

#include "host/cases.h"

static toi_motion *make(host_run *run) {
  toi_motion *motion = host_nowhere();
  toi_status status;
  HOST_CALL(run, status, toi_motion_create, (run->context, &motion));
  if (host_context_status(run, status))
    return motion;
  HOST_CHECK(run, motion == NULL);
  return NULL;
}

/* Where it is during a time and at an instant; then it ends. */
static void record(host_run *run, toi_motion *motion) {
  static const toi_interval times[2] = {{0.1, 0.7}, {0x1p-1070, 0x1p-1070}};
  for (size_t i = 0; i < 2; i++) {
    toi_interval rotation[9], translation[3];
    HOST_SPOIL(rotation);
    HOST_SPOIL(translation);
    toi_status status;
    HOST_CALL(run, status, toi_motion_at, (motion, times[i], rotation, translation));
    if (!host_context_status(run, status))
      continue;
    HOST_BITS(run, rotation);
    HOST_BITS(run, translation);
  }
  HOST_DO(run, toi_motion_destroy, (motion));
}

/* Vectors of the input's size. */
static void vectors(host_run *run, double shift[3], double velocity[3]) {
  host_point(run->input, (const int[]){117, -30, 7}, shift);
  host_point(run->input, (const int[]){-11, 3, 140}, velocity);
}

static void move(host_run *run) {
  double shift[3], velocity[3];
  vectors(run, shift, velocity);
  toi_motion *motion = make(run);
  if (motion == NULL)
    return;
  toi_status status;
  HOST_CALL(run, status, toi_motion_move, (motion, shift, velocity));
  host_context_status(run, status);
  HOST_CALL(run, status, toi_motion_move, (motion, velocity, NULL));
  host_context_status(run, status);
  record(run, motion);
}

static void turn(host_run *run) {
  double axis[3], through[3];
  vectors(run, axis, through);
  toi_motion *motion = make(run);
  if (motion == NULL)
    return;
  toi_status status;
  HOST_CALL(run, status, toi_motion_turn, (motion, axis, through, 0.3, 2.5));
  host_context_status(run, status);
  HOST_CALL(run, status, toi_motion_turn,
            (motion, axis, NULL, host_number(run->input, 5), host_number(run->input, -9)));
  host_context_status(run, status);
  record(run, motion);
}

static void spin(host_run *run) {
  double rate[3], through[3], shift[3], velocity[3];
  vectors(run, rate, through);
  toi_motion *motion = make(run);
  if (motion == NULL)
    return;
  toi_status status;
  bool linear;
  HOST_CALL(run, status, toi_motion_move, (motion, through, rate));
  host_context_status(run, status);
  HOST_CALL(run, linear, toi_motion_linear, (motion, shift, velocity));
  HOST_BITS(run, linear);
  HOST_BITS(run, shift);
  HOST_CALL(run, status, toi_motion_spin, (motion, rate, through));
  host_context_status(run, status);
  HOST_CALL(run, linear, toi_motion_linear, (motion, shift, velocity));
  HOST_BITS(run, linear);
  record(run, motion);
}

static void screw(host_run *run) {
  toi_screw screw = {
      .angle = 0.1, .rate = host_number(run->input, 7), .shift = host_number(run->input, 3), .speed = 1e-7};
  vectors(run, screw.through, screw.axis);
  toi_motion *motion = make(run);
  if (motion == NULL)
    return;
  toi_status status;
  HOST_CALL(run, status, toi_motion_screw, (motion, &screw));
  host_context_status(run, status);
  record(run, motion);
}

static void formulas(host_run *run) {
  static const char *const quaternion[4] = {"1 + 0.1*t", "sin(t)", "4.9e-324", "t^2"};
  static const char *const translation[3] = {"7.9e-323 * t", "exp(t) / 3", "1e200*t"};
  double axis[3], unused[3];
  vectors(run, axis, unused);
  toi_motion *motion = make(run);
  if (motion == NULL)
    return;
  toi_status status;
  HOST_CALL(run, status, toi_motion_formula, (motion, quaternion, translation));
  host_context_status(run, status);
  HOST_CALL(run, status, toi_motion_turn_formula, (motion, axis, "t^2 / 3 + 0.1"));
  host_context_status(run, status);
  record(run, motion);
}

/* The same by terms of a formula of the caller's. */
static void terms(host_run *run) {
  static const char *const variable[] = {"t"};
  double axis[3], unused[3];
  vectors(run, axis, unused);
  toi_formula *formula;
  toi_status status;
  HOST_CALL(run, status, toi_formula_create, (run->context, variable, 1, &formula));
  if (!host_context_status(run, status))
    return;
  toi_term one, sine, angle;
  HOST_CALL(run, one, toi_formula_constant, (formula, 1));
  HOST_CALL(run, sine, toi_formula_parse, (formula, "sin(t) / 3"));
  HOST_CALL(run, angle, toi_formula_parse, (formula, "0.1 + t"));
  HOST_CALL(run, status, toi_formula_status, (formula));
  toi_motion *motion = host_context_status(run, status) ? make(run) : NULL;
  if (motion != NULL) {
    HOST_CALL(run, status, toi_motion_terms,
              (motion, formula, ((const toi_term[]){one, sine, angle, one}), ((const toi_term[]){sine, one, angle})));
    host_context_status(run, status);
    HOST_CALL(run, status, toi_motion_turn_term, (motion, axis, formula, angle));
    host_context_status(run, status);
    record(run, motion);
  }
  HOST_DO(run, toi_formula_destroy, (formula));
}

/* A series that is given, and one fitted to the same numbers, with and without a bound of what it leaves out. */
static void series(host_run *run) {
  static const double w[4] = {1, 0.1, 0.01, 1e-3}, x[4] = {0.2, 0, -0.1, 0x1p-1070};
  double y[4];
  for (int i = 0; i < 4; i++)
    y[i] = host_number(run->input, 106 - 7 * i);
  const toi_chebyshev given = {
      .t_from = 0, .t_to = 0.9, .count = 4, .quaternion = {w, x, x, w}, .translation = {x, y, y}};
  static const double bound = 1e-3;
  for (int way = 0; way < 3; way++) {
    toi_motion *motion = make(run);
    if (motion == NULL)
      return;
    toi_status status;
    if (way == 0)
      HOST_CALL(run, status, toi_motion_chebyshev, (motion, &given));
    else
      HOST_CALL(run, status, toi_motion_fitted, (motion, &given, way == 1 ? NULL : &bound));
    host_context_status(run, status);
    record(run, motion);
  }
}

static void chebyshev_node(host_run *run) {
  for (size_t number = 0; number < 7; number++) {
    double node;
    HOST_CALL(run, node, toi_chebyshev_node, (host_number(run->input, -3), host_number(run->input, 8), number, 6));
    HOST_BITS(run, node);
  }
}

const host_case host_motion_cases[] = {{"toi_motion_move", move, HOST_FIGURES},
                                       {"toi_motion_turn", turn, HOST_FIGURES},
                                       {"toi_motion_spin", spin, HOST_FIGURES},
                                       {"toi_motion_screw", screw, HOST_FIGURES},
                                       {"toi_motion_formula", formulas, HOST_FIGURES},
                                       {"toi_motion_terms", terms, HOST_FIGURES},
                                       {"toi_motion_chebyshev", series, HOST_FIGURES},
                                       {"toi_chebyshev_node", chebyshev_node, HOST_FIGURES},
                                       {NULL, NULL, 0}};
