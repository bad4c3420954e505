/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Chebyshev series c0 + c1 T1(s) + c2 T2(s) + ... of x in [from, to], s = (2x - from - to) / (to - from), enclosed with
 * their first two derivatives by x. Why the bounds hold: series.c. */

#ifndef TOI_NUMBER_SERIES_H
#define TOI_NUMBER_SERIES_H

#include "number/interval.h"

/* The most coefficients of one series. */
#define TOI_SERIES_MOST 1024

typedef struct toi_series toi_series;

typedef struct toi_series_input {
  toi_interval domain;
  const double *coefficients;
  size_t count;
  const double *error; /* NULL, or what the function meant and its first two derivatives may be off by */
} toi_series_input;

/* A copy with one owner. On failure *series is NULL. */
toi_status toi_series_make(toi_context *context, const toi_series_input *input, toi_series **series);
/* A copy of it in this context. */
toi_status toi_series_copy(toi_context *context, const toi_series *from, toi_series **series);
/* One owner more, one less; it goes with the last. */
void toi_series_share(toi_series *series);
void toi_series_release(toi_context *context, toi_series *series);

/* Derivatives 0 to `order` (at most 2) where x is in the domain; the whole line where nothing of it is. True: all of it
 * is. */
bool toi_series_bounds(const toi_series *series, toi_interval x, unsigned order, toi_interval *jet);

/* What a series is made of, for other arithmetics. */
typedef struct toi_series_parts {
  toi_interval domain, slope; /* slope: ds/dx */
  const toi_interval *coefficients;
  size_t count;
  double error; /* of the value */
} toi_series_parts;
toi_series_parts toi_series_parts_of(const toi_series *series);

/* Taylor coefficients by x, f^(k) / k!: those of order 0 to `order` at a point of the domain in at[], and the next one
 * over all of x, which may leave the domain by rounding only. False: it leaves it. */
bool toi_series_expand(const toi_series *series, double point, toi_interval x, unsigned order, toi_interval *at,
                       toi_interval *next);

#endif
