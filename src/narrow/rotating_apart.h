/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Two primitives of turning bodies on a piece of time: how far apart they certainly stay, and how close they certainly
 * come. Under every law, with a table that holds for the piece. */

#ifndef TOI_NARROW_ROTATING_APART_H
#define TOI_NARROW_ROTATING_APART_H

#include "narrow/rotating.h"

/* The nearest points at a time of the piece. */
typedef struct toi_turn_nearest {
  double n[3]; /* from the second primitive to the first, in the frame of the second body, of length 1 but for rounding;
                  0 if there is no direction */
  bool within; /* certainly as close as the separation */
  double u, v; /* of the points */
  double distance; /* about that of the points */
} toi_turn_nearest;

/* What a query's points become on a piece. */
typedef struct toi_turn_view {
  const toi_rotating *query;
  double separation;
  double w[TOI_TURN_COEFFICIENTS], path[2][3][TOI_TURN_COEFFICIENTS];
  double error; /* of what stands apart along a direction of length 1, of coefficients and of values */
  bool usable;
} toi_turn_view;

void toi_turn_look(const toi_rotating *query, const toi_turn_piece *piece, double separation, toi_turn_view *view);

/* At a time of the piece, from 0 to 1. */
void toi_turn_nearest_at(const toi_turn_view *view, double time, toi_turn_nearest *out);

typedef enum toi_turn_gap {
  TOI_GAP_OPEN,
  TOI_GAP_FREE, /* along this direction they are farther apart than the separation, all along the piece */
  TOI_GAP_NOISE /* all along the piece the distance is the separation, as far as can be seen */
} toi_turn_gap;

toi_turn_gap toi_turn_gap_along(const toi_turn_view *view, const double n[3]);

/* Roughly when, from 0 to 1, the gap along n, positive at the start of the piece, closes; and how fast, in gaps per
 * piece, relative to the error. NaN if it does not. */
double toi_turn_closing(const toi_turn_view *view, const double n[3], double *margin);

#endif
