/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A quadric between two pieces of surface that lie side by side: a function that is greater on one of them. It is
 * fitted to samples in doubles; whether it separates is for others to prove, so nothing rests on how good it is. */

#ifndef TOI_CONTACT_QUADRIC_H
#define TOI_CONTACT_QUADRIC_H

#include <stdbool.h>
#include <stddef.h>

/* Of both pieces together. */
#define TOI_QUADRIC_SAMPLES 96

typedef struct toi_quadric_samples {
  size_t count, second;                 /* those from `second` on are of the second piece */
  double point[TOI_QUADRIC_SAMPLES][3]; /* as seen from the origin */
  double size;                          /* about the largest coordinate */
  double normal[3];                     /* of unit length, roughly across both pieces */
} toi_quadric_samples;

/* F(y) = linear . y + y . quadratic y, the matrix symmetric, y as seen from the same origin. */
typedef struct toi_quadric {
  double linear[3], quadratic[3][3];
} toi_quadric;

/* False: the samples do not tell. */
bool toi_quadric_fit(const toi_quadric_samples *samples, toi_quadric *quadric);

#endif
