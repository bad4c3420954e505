/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Primitives of two turning bodies: the filter in doubles and the decision in integers.
 *
 * All of it happens in the frame of the second body, B, where its points f stand still, and point p of the first body,
 * A, is at P(t) / W(t) with W > 0 (narrow/moving_pair.h). Times W, the corners of the hull (hull.h) are
 *
 *   C = P(p) - W f,
 *
 * and what neighbouring corners span, C x C', always has W as a factor. Divided by it, areas are, for corners
 * - of one p and two f, f':  C x (f - f');
 * - of two p, p' and one f:  L - f x D,  D = R (p' - p),  L = S (p' - p) + R (p x p').
 *
 * So corners and areas, and the coplanarity (vertex-face: n . C_0 with n = (f1 - f0) x (f2 - f0); edge-edge: minus (eb1
 * - eb0) . area 0), are of degree 5. Up to positive factors they are those of the hull C / W, and all that exact_hull.c
 * and exact.c prove of hulls whose corners move on any continuous path holds. */

#ifndef TOI_NARROW_ROTATING_H
#define TOI_NARROW_ROTATING_H

#include "narrow/method.h"
#include "narrow/moving_pair.h"

/* A query: its points, the first primitive's in the frame of the first body. */
typedef struct toi_rotating {
  const toi_moving_pair *pair;
  toi_kind kind;
  const double *points; /* finite */
} toi_rotating;

/* Points of the first primitive: 1, or 2 of an edge pair. */
static inline int toi_rotating_first(toi_kind kind) {
  return kind == TOI_EDGE_EDGE ? 2 : 1;
}

/* --- queries of a task --- */

/* TOI_OK if turning bodies answer these options, which were taken and checked; else the sentence. */
toi_status toi_rotating_check(toi_context *context, const toi_options *options);

/* Some queries of finite points, back to back, as toi_moving_pair_batch() answers them, on a thread of the pair's
 * context. The options passed toi_rotating_check(). */
toi_status toi_rotating_answers(const toi_moving_pair *pair, uint32_t thread, toi_kind kind, const double *queries,
                                size_t count, const toi_options *options, toi_hit *hits);

/* --- integers --- */

/* Bytes of scratch, aligned to 64, that toi_rotating_exact takes. */
size_t toi_rotating_exact_scratch(const toi_rotating *query);

/* The whole answer. guess: a time near the contact, or NaN; the answer does not depend on it. */
void toi_rotating_exact(const toi_rotating *query, double t_max, double guess, void *scratch, toi_hit *hit);

/* --- doubles --- */

typedef enum toi_rotating_code {
  TOI_ROTATING_OPEN,
  TOI_ROTATING_MISS,
  TOI_ROTATING_ROOT /* contact at the one root in the zone, and none before */
} toi_rotating_code;

/* What the filter found on a piece; times run from 0 to 1 over the piece. */
typedef struct toi_turn_root {
  toi_rotating_code code;
  toi_level level;
  double at; /* near the root, or where one may be, or NaN */

  /* Of a contact: */
  double slope, error, size; /* of the coplanarity near the root, the error of its values, and its magnitude */
  double bend;               /* what the slope is off by, beside the error's */
  double zone[2], width;     /* around the root; and how wide it was when the slope was taken */
  double u, v, normal[3];    /* the normal in the frame of the second body and of any length */
} toi_turn_root;

/* What the kernels left open: pieces from the left, halved as often as it takes. */
void toi_rotating_walk(const toi_rotating *query, const toi_turn_piece *given, toi_turn_root *root);

/* All roots of the zone lie in the bracket, given the value of the coplanarity at root->at, off by at most `error`.
 * False if the slope is not known well enough. */
bool toi_turn_bracket(const toi_turn_root *root, double value, double error, double bracket[2]);

/* The same for a bracket 0 < lo < root < hi of this width. */
bool toi_turn_narrow(const toi_turn_root *root, double value, double error, double width, double bracket[2]);

/* The error of residuals, of the coplanarity's magnitude, under nlerp and of bodies that turn at a constant rate:
 * rotating_residual_body.h. */
#define TOI_TURN_RESIDUAL_ERROR (1024 * 0x1p-106)
#define TOI_STEADY_RESIDUAL_ERROR (32768 * 0x1p-106)

#endif
