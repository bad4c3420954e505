/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The paper that a picture is drawn on. */

#ifndef CLI_PAPER_H
#define CLI_PAPER_H

/* How the world is seen: from far away, along `towards`, which points to the eye. */
typedef struct paper {
  double right[3], up[3], towards[3]; /* unit */
  double x_lo, y_hi, scale;           /* of the upper left corner, and pixels a unit of the world */
  double size;                        /* of what is drawn, in the world */
  int width, height;                  /* in pixels */
} paper;

double paper_dot(const double a[3], const double b[3]);

/* Sets the directions: seen from far away in the direction `from`, which is not zero. z is up on the paper, or y where
 * the eye looks along z. */
void paper_look(paper *p, const double from[3]);

/* A point in pixels, and how near it is to the eye. */
void paper_project(const paper *p, const double at[3], double pixel[2], double *nearness);

#endif
