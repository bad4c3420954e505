/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The hinge.
 *
 * With e = x1 - x0, n2 = e x (x2 - x0) and n3 = (x3 - x0) x e, the normals of both triangles (not of unit length):
 *   cos t = n2 . n3 / (|n2| |n3|),  sin t = (n2 x n3) . e / (|n2| |n3| |e|),  tan(t / 2) = sin t / (1 + cos t).
 * Point 2 is |n2| / |e| away from the edge, so that moving it along n2 / |n2| turns its triangle by |e| / |n2| per
 * length, which takes as much from t:  dt/dx2 = -|e| n2 / |n2|^2, likewise dt/dx3 = -|e| n3 / |n3|^2. Translations and
 * turns leave t alone, and so the points of the edge take the rest, by where on the edge points 2 and 3 stand:
 *   dt/dx0 = -(1 - c2) dt/dx2 - (1 - c3) dt/dx3,  dt/dx1 = -c2 dt/dx2 - c3 dt/dx3,  c2 = (x2 - x0) . e / |e|^2.
 *
 * The weight: bending a strip of stiffness B (N m) by the curvature k costs B / 2 k^2 per area. A hinge of angle t
 * bends what is nearest to it, a third of both triangles: k = t / w with w |e| = (A2 + A3) / 3, which makes B / 2 (t /
 * w)^2 w |e| = B / 2 t^2 3 |e|^2 / (A2 + A3). */

#include "bending.h"

#include <math.h>

#include "vector.h"

/* What energy and derivatives share. */
typedef struct fold {
  double e[3], n2[3], n3[3];
  double half; /* tan(t / 2) */
} fold;

static void look(const sim_hinge *h, const double (*x)[3], fold *f) {
  double a[3], b[3], turn[3];
  subtract(x[h->v[1]], x[h->v[0]], f->e);
  subtract(x[h->v[2]], x[h->v[0]], a);
  subtract(x[h->v[3]], x[h->v[0]], b);
  cross(f->e, a, f->n2);
  cross(b, f->e, f->n3);
  cross(f->n2, f->n3, turn);
  const double sizes = sqrt(dot(f->n2, f->n2) * dot(f->n3, f->n3));
  f->half = dot(turn, f->e) / (norm(f->e) * (sizes + dot(f->n2, f->n3)));
}

void hinge_make(sim_hinge *h, double bend, const double (*x)[3]) {
  fold f;
  look(h, x, &f);
  h->rest = 2 * f.half;
  h->weight = bend * 3 * dot(f.e, f.e) / (0.5 * (norm(f.n2) + norm(f.n3)));
}

double hinge_energy(const sim_hinge *h, const double (*x)[3]) {
  fold f;
  look(h, x, &f);
  const double away = 2 * f.half - h->rest;
  // Folded flat, 0 / 0 or a number over 0.
  return isfinite(away) ? 0.5 * h->weight * away * away : INFINITY;
}

double hinge_derivatives(const sim_hinge *h, const double (*x)[3], double gradient[4][3], double a[4][3]) {
  fold f;
  look(h, x, &f);
  const double ee = dot(f.e, f.e), length = sqrt(ee);
  const double r2 = -length / dot(f.n2, f.n2), r3 = -length / dot(f.n3, f.n3);
  double to2[3], to3[3];
  subtract(x[h->v[2]], x[h->v[0]], to2);
  subtract(x[h->v[3]], x[h->v[0]], to3);
  const double c2 = dot(to2, f.e) / ee, c3 = dot(to3, f.e) / ee;
  for (int k = 0; k < 3; k++) {
    a[2][k] = r2 * f.n2[k];
    a[3][k] = r3 * f.n3[k];
    a[0][k] = -(1 - c2) * a[2][k] - (1 - c3) * a[3][k];
    a[1][k] = -c2 * a[2][k] - c3 * a[3][k];
  }

  // f = 2 tan(t / 2), f' = 1 + tan^2, f'' = tan (1 + tan^2).
  const double away = 2 * f.half - h->rest, first = 1 + f.half * f.half, second = f.half * first;
  const double slope = h->weight * away * first;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++)
      gradient[i][k] = slope * a[i][k];
  return h->weight * fmax(first * first + away * second, 0);
}
