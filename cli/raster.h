/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Shaded surfaces with hidden parts hidden, as an image inside of an SVG: a depth for each of RASTER_SAMPLES^2 samples
 * of a pixel, the nearest surface wins. What is drawn over it as lines asks raster_nearest() whether it is hidden. */

#ifndef CLI_RASTER_H
#define CLI_RASTER_H

#include "output.h"

#define RASTER_SAMPLES 2

typedef struct raster {
  int width, height; /* in pixels */
  int columns, rows; /* in samples */
  float *depth;      /* nearness to the eye; -infinity where nothing is */
  uint8_t (*colour)[3];
} raster;

/* A corner of a triangle: pixels, and how near to the eye; shade 0 is dark, 1 is light. */
typedef struct raster_corner {
  double x, y, nearness, shade;
} raster_corner;

/* False if there is no memory. */
bool raster_make(raster *r, int width, int height);
void raster_free(raster *r);

/* Triangles without area, and those with a corner that is not finite, are left out. */
void raster_triangle(raster *r, const raster_corner corners[3], const uint8_t colour[3]);

/* A line of about a pixel, as far as nothing is before it. */
void raster_line(raster *r, const raster_corner ends[2], const uint8_t colour[3]);

/* One sample, if it is nearer than what is there. */
void raster_sample(raster *r, int column, int row, const raster_corner *at, const uint8_t colour[3]);

/* The nearest surface at a pixel; -infinity outside, and where there is none. */
double raster_nearest(const raster *r, double x, double y);

/* <image .../> at x, y: a PNG, transparent where nothing was drawn. Memory for compression is taken meanwhile. */
TOI_MUST_USE toi_status raster_append(const raster *r, output *out, int x, int y);

#endif
