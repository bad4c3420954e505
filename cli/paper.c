/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Directions of the paper, and points on it. */

#include "paper.h"

#include <math.h>
#include <stdbool.h>

double paper_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3]) {
  for (int k = 0; k < 3; k++)
    c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void make_unit(double a[3]) {
  const double length = sqrt(paper_dot(a, a));
  for (int k = 0; k < 3; k++)
    a[k] /= length;
}

void paper_look(paper *p, const double from[3]) {
  const double largest = fmax(fmax(fabs(from[0]), fabs(from[1])), fabs(from[2]));
  for (int k = 0; k < 3; k++)
    p->towards[k] = from[k] / largest;
  make_unit(p->towards);
  const bool along_z = hypot(p->towards[0], p->towards[1]) < 1e-6;
  const double above[3] = {0, along_z ? 1 : 0, along_z ? 0 : 1};
  cross(above, p->towards, p->right);
  make_unit(p->right);
  cross(p->towards, p->right, p->up);
}

void paper_project(const paper *p, const double at[3], double pixel[2], double *nearness) {
  pixel[0] = p->scale * (paper_dot(p->right, at) - p->x_lo);
  pixel[1] = p->scale * (p->y_hi - paper_dot(p->up, at));
  *nearness = paper_dot(p->towards, at);
}
