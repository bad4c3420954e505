/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The moving point that is closest to 0, and the directions into which a hull around it may grow without coming closer.
 *
 * Two primitives are as far apart as 0 is from the hull of their corners, the differences of their points. A stage is a
 * point m(t), linear in t, and for each t a closed half-space with m(t) on its boundary that the open ball (or cube) of
 * radius |m(t)| around 0 does not meet. So, whatever the hull: if it holds m(t) and lies in that half-space, then its
 * distance to 0 is |m(t)|. The directions `turning` and `level` lie in the boundary, `out` points into the half-space.
 */

#ifndef PLANTED_STAGE_H
#define PLANTED_STAGE_H

#include "planted/draft.h"
#include "planted/grazing.h"

/* How the closest point moves. */
typedef enum grazing_motion {
  GRAZING_APPROACH, /* straight towards 0, or passing d at any time */
  GRAZING_ARRIVE,   /* stops at d, or one unit before or behind it, at t = 1 */
  GRAZING_LEAVE,    /* starts there at t = 0 and goes away */
  GRAZING_STEADY,   /* stays there for the whole step */
  GRAZING_TANGENT,  /* passes at that distance: a double root in time, or a kink */
  GRAZING_OBLIQUE,  /* passes well within d, and enters at a slant */
  GRAZING_MOTIONS
} grazing_motion;

/* Which feature of the hull of corners is closest. */
typedef enum grazing_region {
  GRAZING_CORNER,   /* vertex and vertex */
  GRAZING_EDGE,     /* vertex and edge */
  GRAZING_FACE,     /* vertex and face, edge and edge */
  GRAZING_PARALLEL, /* all corners on one line: parallel edges, a triangle seen from its edge */
  GRAZING_REGIONS
} grazing_region;

typedef struct grazing_stage {
  int64_t at[2][3];      /* m at t = 0 and t = 1 */
  int64_t out[3];        /* coefficients >= 0 that are linear in t */
  int64_t turning[2][3]; /* coefficients that are constant */
  int64_t level[3];      /* coefficients that are linear in t */
  bool wide;             /* the hull must hold m - turning and m + turning too */
} grazing_stage;

/* Draws the stage and decides the draft by it: verdict and time. */
void grazing_stage_l2(planted_draft *draft, const grazing_group *group, grazing_motion motion, grazing_stage *stage);
void grazing_stage_linf(planted_draft *draft, const grazing_group *group, grazing_motion motion, grazing_region region,
                        grazing_stage *stage);

/* Grows a hull around m(t) and writes the points of the draft. */
void grazing_shape(planted_draft *draft, const grazing_stage *stage, grazing_region region);

/* --- what stages share --- */

/* The height of m over 0 at both ends, when it moves straight towards it or away: linear, positive, and at the limit at
 * the time that the motion says. Decides the draft. */
void grazing_heights(planted_draft *draft, int64_t limit, grazing_motion motion, int64_t height[2]);

/* How much farther than the limit a passing point stays: 0 in half of the cases of TANGENT, at most a few units there;
 * much less than 0, but above -limit, for OBLIQUE. */
int64_t grazing_excess(planted_random *random, int64_t limit, grazing_motion motion);

/* A way past: offset[0] <= offset[1], at 0 at the time that is returned, which lies in [0, 1] if `within`. Neither is
 * much larger than `most`. */
planted_time grazing_passage(planted_random *random, int64_t most, bool within, int64_t offset[2]);

/* Decides: they come within d, first at (a - sqrt(p q)) / b or, if that is negative, at 0. It is at most 1; b > 0, p
 * and q >= 0, all below 2^53 in magnitude. */
void grazing_hit(planted_draft *draft, int64_t a, int64_t b, int64_t p, int64_t q);

/* Decides: they do not come within d. */
void grazing_miss(planted_draft *draft);

#endif
