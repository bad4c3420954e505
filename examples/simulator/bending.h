/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Bending: two triangles that share an edge, with the angle t between their normals (0 where they are flat).
 *
 *   E = weight / 2 (f - f0)^2,  f = 2 tan(t / 2),  f0 the same at rest
 * E is infinite where one triangle lies folded onto the other. */

#ifndef SIMULATOR_BENDING_H
#define SIMULATOR_BENDING_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sim_hinge {
  uint32_t v[4];       /* the edge from 0 to 1; 2 on its left, 3 on its right */
  double weight, rest; /* weight in N m per radian^2 */
} sim_hinge;

/* The hinge at rest in the positions x; bend is the bending stiffness in N m. */
void hinge_make(sim_hinge *h, double bend, const double (*x)[3]);

double hinge_energy(const sim_hinge *h, const double (*x)[3]);

/* The gradient, and of the Hessian the part along the gradient of the angle, which is positive semi-definite:
 * curvature times a a^T, a[i] the derivative of the angle by point i. Returns curvature, not negative. */
double hinge_derivatives(const sim_hinge *h, const double (*x)[3], double gradient[4][3], double a[4][3]);

#endif
