/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A quadric between two pieces of surface that lie side by side: a function that is greater on one of them. It is
 * fitted to samples in doubles; whether it separates is for others to prove, so nothing rests on how good it is. */

#ifndef TOI_CONTACT_SEPARATOR_H
#define TOI_CONTACT_SEPARATOR_H

#include <stdbool.h>
#include <stddef.h>

/* Of both pieces together. */
#define TOI_SEPARATOR_SAMPLES 96

typedef struct toi_separator_samples {
  size_t count, second;                   /* those from `second` on are of the second piece */
  double point[TOI_SEPARATOR_SAMPLES][3]; /* as seen from the origin */
  double size;                            /* about the largest coordinate */
  double normal[3];                       /* of unit length, roughly across both pieces */
} toi_separator_samples;

/* F(y) = linear . y + y . quadratic y, the matrix symmetric, y as seen from the same origin. */
typedef struct toi_separator {
  double linear[3], quadratic[3][3];
} toi_separator;

/* False: the samples do not tell. */
bool toi_separator_fit(const toi_separator_samples *samples, toi_separator *separator);

#endif
