/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rigid motions: a body's point p is at R(t) p + T(t), where R is a rotation.
 *
 * A motion starts at rest at the origin. Each call below adds a step, which is applied to the body as moved so far, in
 * world axes. So a body that spins about its own z axis and flies away:
 *
 *   toi_motion *m;
 *   toi_motion_create(context, &m);
 *   toi_motion_turn(m, (double[]){0, 0, 1}, NULL, 0, 2.5);
 *   toi_motion_move(m, (double[]){4, 0, 0}, (double[]){-1, 0, 0});
 *
 * Promise: rotations stay rotations in spite of rounding: axes are normalised and quaternions divided by their length
 * inside the enclosures. A given series is the motion itself. */

#ifndef TOI_MOTION_H
#define TOI_MOTION_H

#include <toi/formula.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct toi_motion toi_motion;

/* On failure *motion is NULL. The context must outlive it. */
TOI_API TOI_MUST_USE toi_status toi_motion_create(toi_context *context, toi_motion **motion);
TOI_API void toi_motion_destroy(toi_motion *motion); /* NULL is ignored */

/* A displacement by shift + t velocity; either may be NULL, for zero. */
TOI_API TOI_MUST_USE toi_status toi_motion_move(toi_motion *motion, const double shift[3], const double velocity[3]);

/* A rotation by angle + t rate, radians, counterclockwise about the axis (any length) through a point (NULL: origin).
 */
TOI_API TOI_MUST_USE toi_status toi_motion_turn(toi_motion *motion, const double axis[3], const double through[3],
                                                double angle, double rate);

/* A rotation at a constant rate: about the axis `rate` through a point (NULL: origin), by its length per unit of time.
 */
TOI_API TOI_MUST_USE toi_status toi_motion_spin(toi_motion *motion, const double rate[3], const double through[3]);

/* As turn, with a displacement along the axis by shift + t speed at the same time. */
typedef struct toi_screw {
  size_t size; /* sizeof(toi_screw); 0: the first layout */
  double axis[3], through[3];
  double angle, rate;
  double shift, speed;
} toi_screw;
TOI_API void toi_screw_init(toi_screw *screw, size_t size); /* sets zeroes, and the size */
/* Adds the screw after the steps that the motion has. */
TOI_API TOI_MUST_USE toi_status toi_motion_screw(toi_motion *motion, const toi_screw *screw);

/* A pose by formulas in t. quaternion: w, x, y, z, any length but 0; NULL: no rotation. translation: NULL: none. */
TOI_API TOI_MUST_USE toi_status toi_motion_formula(toi_motion *motion, const char *const quaternion[4],
                                                   const char *const translation[3]);
/* The same with the rotation as an axis and an angle, a formula in t. */
TOI_API TOI_MUST_USE toi_status toi_motion_turn_formula(toi_motion *motion, const double axis[3], const char *angle);

/* The same two by terms of a formula whose only variable is t. The motion copies what it needs; the formula stays the
 * caller's. */
TOI_API TOI_MUST_USE toi_status toi_motion_terms(toi_motion *motion, const toi_formula *formula,
                                                 const toi_term quaternion[4], const toi_term translation[3]);
TOI_API TOI_MUST_USE toi_status toi_motion_turn_term(toi_motion *motion, const double axis[3],
                                                     const toi_formula *formula, toi_term angle);

/* Chebyshev series over [t_from, t_to]: each c0 + c1 T1(s) + ..., with s from -1 to 1. quaternion: `count` coefficients
 * of each of w, x, y, z; NULL: no rotation. Calls for times beyond [t_from, t_to] are refused. */
typedef struct toi_chebyshev {
  size_t size; /* sizeof(toi_chebyshev); 0: the first layout */
  double t_from, t_to;
  size_t count;
  const double *quaternion[4];  /* all NULL, or none */
  const double *translation[3]; /* all NULL, or none */
} toi_chebyshev;
TOI_API void toi_chebyshev_init(toi_chebyshev *series, size_t size); /* sets zeroes, and the size */
/* Adds the series after the steps that the motion has. */
TOI_API TOI_MUST_USE toi_status toi_motion_chebyshev(toi_motion *motion, const toi_chebyshev *series);

/* A series through samples of a motion at the `count` times toi_chebyshev_node(), in ascending order. The arrays of
 * toi_chebyshev then hold the samples, each correct to a unit in its last place. derivative_bound: at least the
 * magnitude of the count-th derivative of every component of the true motion, count >= 2; then the answer holds for the
 * true motion. NULL: no bound is known, and the series is the motion. */
TOI_API TOI_MUST_USE toi_status toi_motion_fitted(toi_motion *motion, const toi_chebyshev *samples,
                                                  const double *derivative_bound);
/* The time of sample `number` of `count`, rounded; NaN if there is none. */
TOI_API double toi_chebyshev_node(double t_from, double t_to, size_t number, size_t count);

/* The pose over a time interval: enclosures of R, row by row, and of T. */
TOI_API TOI_MUST_USE toi_status toi_motion_at(const toi_motion *motion, toi_interval t, toi_interval rotation[9],
                                              toi_interval translation[3]);

/* Whether the motion is exactly a displacement by shift + t velocity; if so, these are filled in. NULL: rest. */
TOI_API bool toi_motion_linear(const toi_motion *motion, double shift[3], double velocity[3]);

#ifdef __cplusplus
}
#endif

#endif
