/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A moving hull and a separation d, with proofs at one instant that the hull is farther than d from 0, or not.
 *
 * Coordinates and d are scaled by one power of two, so that corners are at most 1 in magnitude at both ends of the
 * step. Positions in doubles are off by at most TOI_POSITION_ERROR (derived in height.c), those in balls are held. */

#ifndef TOI_NARROW_HEIGHT_H
#define TOI_NARROW_HEIGHT_H

#include "narrow/nearest.h"
#include "narrow/share.h"
#include "number/ball.h"

#define TOI_POSITION_ERROR 0x1p-50 /* 8 u */

typedef struct toi_moving {
  toi_kind kind;
  int count;
  toi_norm norm;
  toi_norm guide; /* of the directions to try: if d is small, Euclidean ones serve both norms, and cost less */
  double scale;   /* what coordinates were multiplied with */
  double d;       /* scaled; a little more than d where that would underflow */
  bool d_small;   /* where contact itself is, is where they come within d, about */
  bool d_tiny;    /* below what balls can tell from 0: nothing but contact itself shows that they come within d */
  double start[TOI_MOST_CORNERS][3], way[TOI_MOST_CORNERS][3];             /* corners at t = 0, end less start */
  toi_ball start_ball[TOI_MOST_CORNERS][3], way_ball[TOI_MOST_CORNERS][3]; /* the same */
} toi_moving;

/* False if the magnitudes are out of range: the integers must do it. d > 0. */
bool toi_moving_make(toi_kind kind, const double *query, double d, toi_norm norm, toi_moving *moving);

/* The hull at time t, in doubles. */
void toi_moving_at(const toi_moving *moving, double t, toi_hull *hull);

/* A feature's direction at time t, made with balls. */
typedef struct toi_height {
  bool above;  /* proved: all corners are beyond d along it, so that the hull is farther than d from 0 */
  double gap;  /* about how far beyond, at the feature's own corner; at the lowest one in linf */
  double n[3]; /* the direction, divided by its dual norm (of the guide) */
  double off;  /* |n - the direction|_1, but for 2 u |n|_1, is at most this */
} toi_height;

void toi_height_at(const toi_moving *moving, double t, toi_feature feature, toi_height *height);

/* All features of a hull of so many corners that matter in a norm, by number from 0, the most general ones first; false
 * past the last. */
bool toi_feature_numbered(int count, toi_norm norm, int number, toi_feature *feature);

/* Proved: at time t the hull has a point within d of 0. The feature is tried first. */
bool toi_within_at(const toi_moving *moving, double t, toi_feature feature);

/* The largest double that is not above the share of the initial distance, which is about `near` (scaled), if balls
 * can tell; what d is does not matter. */
bool toi_height_share(const toi_moving *moving, toi_feature feature, double near, const toi_share *share,
                      double *value);

/* The three above, compiled for any machine and for AVX2 with fused products: the same bits. */
typedef struct toi_heights {
  void (*at)(const toi_moving *moving, double t, toi_feature feature, toi_height *height);
  bool (*within)(const toi_moving *moving, double t, toi_feature feature);
  bool (*share)(const toi_moving *moving, toi_feature feature, double near, const toi_share *share, double *value);
} toi_heights;

extern const toi_heights toi_heights_plain;
#if defined(__x86_64__)
extern const toi_heights toi_heights_avx2;
#endif

#endif
