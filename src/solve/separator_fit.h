/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A quadric or a cubic between two pieces of surface that lie side by side: a function that is greater on one of them.
 * It is fitted to samples in plain arithmetic; whether it separates is for others to prove, so that nothing rests on
 * how good it is. */

#ifndef TOI_SOLVE_SEPARATOR_FIT_H
#define TOI_SOLVE_SEPARATOR_FIT_H

#include "solve/cubic.h"

#include <stdbool.h>
#include <stddef.h>

/* The local frame, y = scale E (x - o). Axes are rows, orthonormal up to a few roundings; scale is a power of two
 * between 2^-TOI_SEPARATOR_SCALE_MOST and its inverse. */
#define TOI_SEPARATOR_SCALE_MOST 200
typedef struct toi_separator_frame {
  double axes[3][3], origin[3], scale;
} toi_separator_frame;

/* Points of both sides: a grid of lines in both parameters in the middle of a span of time, then as many near its start
 * as near its end. A parameter that is not free has one line. */
#define TOI_SAMPLE_LINES 5
#define TOI_SAMPLES_MOST (3 * TOI_SAMPLE_LINES * TOI_SAMPLE_LINES)
typedef struct toi_separator_samples {
  size_t lines[2][2]; /* of each side, in each parameter; the second one runs fastest */
  size_t count[2];
  double axis[3]; /* of length 1, that one side turns about; zero: none does */
  double at[2][TOI_SAMPLES_MOST][3];
} toi_separator_samples;

/* A frame for both sides, across them along its last axis, of about unit size, and their samples in it; false: they are
 * too small, too large, or not numbers. */
bool toi_separator_place(toi_separator_samples *samples, toi_separator_frame *frame);

/* F = z + ... of degree 2 or 3 in the frame, positive on the first side rather than on the second. */
void toi_separator_fit(const toi_separator_samples *samples, int degree, toi_cubic *f);

#endif
