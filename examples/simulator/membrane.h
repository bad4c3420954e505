/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Stretch and shear: one triangle of constant strain, neo-Hookean.
 *
 * F (3 x 2) maps the plane of the triangle at rest to space, with singular values s1, s2 and J = s1 s2:
 *   W = mu / 2 (|F|^2 - 2 - 2 ln J) + lambda / 2 (ln J)^2   per area at rest
 * W is infinite for a triangle without area. */

#ifndef SIMULATOR_MEMBRANE_H
#define SIMULATOR_MEMBRANE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sim_triangle {
  uint32_t v[3];
  double area;    /* at rest */
  double b[3][2]; /* F = sum x_i b_i^T */
} sim_triangle;

typedef struct sim_lame {
  double mu, lambda; /* N / m */
} sim_lame;

/* Lame's constants of a plane stress state from Young's modulus times thickness and Poisson's ratio. */
sim_lame lame_constants(double stretch, double poisson);

/* The triangle at rest in the positions x; false if it has no area. */
bool triangle_make(sim_triangle *t, const double (*x)[3]);

double triangle_energy(const sim_triangle *t, sim_lame lame, const double (*x)[3]);

/* The gradient, and the Hessian with its negative eigenvalues set to zero: hessian[i][j] is the block of points i and
 * j, filled in for i >= j. */
void triangle_derivatives(const sim_triangle *t, sim_lame lame, const double (*x)[3], double gradient[3][3],
                          double hessian[3][3][3][3]);

#endif
