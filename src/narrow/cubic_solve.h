/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* From the parts of cubic.h to what is known of one hull. */

#ifndef TOI_NARROW_CUBIC_SOLVE_H
#define TOI_NARROW_CUBIC_SOLVE_H

#include "narrow/cubic.h"

/* What is asked of a hull; tolerance in the hull's unit. */
typedef struct toi_cubic_question {
  double t_max, tolerance;
  uint64_t checks;
  bool count; /* find all contacts by simple roots, not only the first */
} toi_cubic_question;

/* What is found. Nothing touches before t_lo; a hit is proved to touch by t_hi. */
typedef struct toi_cubic_finding {
  toi_verdict verdict;
  double t_lo, t_hi;
  double reach;        /* an upper bound of the least distance in the step, in the hull's unit; for hit and near */
  double u, v;         /* of a point close to 0 */
  double point[3];     /* that point of the hull */
  double direction[3]; /* towards the hull just before contact, not unit; 0 if not known */
  bool at_start;       /* a hit at t = 0, proved */
  bool degenerate, zero_leading, flat;
  unsigned contacts; /* by simple roots */
} toi_cubic_finding;

/* Any hull. */
void toi_cubic_solve(const toi_cubic_hull *hull, const toi_cubic_question *question, toi_cubic_finding *finding);

/* The same after reducing the dimension, where all corners stay at 0 on an axis. */
void toi_cubic_solve_flat(const toi_cubic_hull *hull, const toi_cubic_question *question, toi_cubic_finding *finding);

#endif
