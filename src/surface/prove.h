/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Proof that two moving patches touch.
 *
 * Contact is G = 0, where G = X1 w2 - X2 w1 - s w1 w2, X the homogeneous position of each, w > 0 its weight, and s a
 * shift of at most the separation: three polynomial equations in t, u1, v1, u2, v2, linear in t. Freeze all but three
 * unknowns, which may be time or directions to go in the parameters of a patch: solve/touch.h proves that they have a
 * zero. Which are frozen when: lemma 8 of docs/guarantees.md.
 *
 * Claim: toi_prove_touch is true only if the patches, as they are meant, touch (with shift s: come within |s|) at a
 * time not after *t_hi and not after t_max. Why: prove.c. */

#ifndef TOI_SURFACE_PROVE_H
#define TOI_SURFACE_PROVE_H

#include "number/interval.h"
#include "surface/evaluate.h"

/* Of two roots in one forest: what bounds of rounding and of curvature follow for G. */
typedef struct toi_prover {
  const toi_root *root[2];
  double t_max;
  double shift[3];        /* s */
  double value_error;     /* of G, computed, in every coordinate, with what is meant by the patches */
  double weight_error[2]; /* of the weights of both, computed */
  double slope_error[5];  /* of its derivatives by t, u1, v1, u2, v2 */
  double curvature[5][5]; /* at least the second derivatives, everywhere */
} toi_prover;

/* The shift is 0; it may be set later to vectors of components at most `reach`. */
void toi_prover_make(const toi_root *a, const toi_root *b, double reach, toi_prover *prover);

/* Time, and the parameters of both; or the five unknowns t, u1, v1, u2, v2. */
typedef union toi_moment {
  struct {
    double t, uv[2][2];
  };
  double x[5];
} toi_moment;

/* G, its derivatives, and (for those who look for contacts) the jets they come from. */
typedef struct toi_gap {
  toi_jet jet[2];     /* positions at time t in [0, 3), the shift taken off the first */
  double value[3];    /* G */
  double slope[5][3]; /* by t, u1, v1, u2, v2 */
} toi_gap;

/* With the jets' second derivatives, or without. */
void toi_gap_at(const toi_prover *prover, const toi_moment *at, bool second, toi_gap *gap);

/* A direction in the five unknowns: time, or one in the parameters of a patch, components 0, 1 or -1. */
typedef struct toi_direction {
  double d[5];
} toi_direction;

static inline toi_direction toi_direction_time(void) {
  return (toi_direction){{1, 0, 0, 0, 0}};
}

static inline toi_direction toi_direction_of(int patch, double u, double v) {
  return patch == 0 ? (toi_direction){{0, u, v, 0, 0}} : (toi_direction){{0, 0, 0, u, v}};
}

/* The derivative along a direction, from those by the unknowns. */
static inline void toi_slope_along(const double slope[5][3], const toi_direction *direction, double along[3]) {
  for (int k = 0; k < 3; k++) {
    along[k] = 0;
    for (int i = 0; i < 5; i++)
      along[k] += direction->d[i] * slope[i][k];
  }
}

/* Whether the domain of the patch holds the place. */
bool toi_root_holds(const toi_root *root, const double uv[2]);

/* Into the domains and [0, t_max], and triangles' parameters to the grid on which they are added without rounding. */
void toi_moment_settle(const toi_prover *prover, toi_moment *at);

/* Goes from *at along the three directions to a solution of G = 0, and proves it. On success *at is near the contact.
 */
bool toi_prove_touch(const toi_prover *prover, const toi_direction directions[3], toi_moment *at, double *t_hi);

/* Proof that two pieces hold no contact earlier than one that is known, by lemma 9 of docs/guarantees.md: the whole
 * neighbourhood of a first contact is settled at once, where a search would have to halve its way down to the bracket.
 * True: the contact lies in the pieces, and they, as they are meant, do not touch before *t_lo at a time in `times`,
 * which go from the search's up to after the contact. Why: isolate.c. */
bool toi_isolate(const toi_prover *prover, const toi_moment *at, const toi_piece *a, const toi_piece *b,
                 toi_interval times, double *t_lo);

#endif
