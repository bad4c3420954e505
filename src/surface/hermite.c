/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A bicubic Hermite patch as a Bezier patch.
 *
 * In one direction the cubic with ends p, q and derivatives p', q' has the Bezier points p, p + p'/3, q - q'/3, q. In
 * both, beside the corner with position P, derivatives U and V and twist T, with signs s and r, + at the lower end of u
 * and v and - at the upper one:
 *
 *   P,   P + s U / 3,   P + r V / 3,   ((P + s U / 3) + r V / 3) + s r T / 9.
 *
 * Claim: error and velocity_error are at least the distances of the Bezier patch from the Hermite patch.
 *
 * Bound: the length of the vector of what each coordinate lacks, at the control point where it is largest.
 *
 * Why: the difference of the surfaces is a convex combination of those of the control points. What a sum lacks of the
 * exact one is a double that is known (toi_builder_add). A quotient q = x / n lacks (x - q n) / n, and x - q n is a
 * double: a multiple of ulp(q) or of the smallest double, and no more than n / 2 of the former; fma() gives it. What a
 * coordinate lacks is the sum of these, at most six of them: each passes through seven roundings at most, together less
 * than 2^-48 of it, and quotients that underflow lack less than the smallest double more. Nothing is lacking where
 * everything is exact. */

#include "surface/builder.h"

/* Seven roundings, and six underflows. */
#define TINY 0x1p-1071

/* A coordinate, and at least what it lacks of what it should be. */
typedef struct sum {
  double x, lacks;
} sum;

/* Adds d / n, or takes it away. */
static sum add_part(sum a, double d, double n, bool away) {
  const double q = d / n, rest = fma(-q, n, d);
  double lost;
  const sum made = {toi_builder_add(a.x, away ? -q : q, &lost), 0};
  if (lost == 0 && rest == 0)
    return (sum){made.x, a.lacks};
  return (sum){made.x, a.lacks + (fabs(lost) + fabs(rest) / n)};
}

/* One coordinate of the control point (i, j) beside its corner: i, j = 0 ... 3. */
static sum coordinate(const double corners[4][4][3], int i, int j, int k) {
  const bool far_u = i >= 2, far_v = j >= 2;
  const double(*corner)[3] = corners[2 * far_u + far_v];
  sum made = {corner[0][k], 0};
  if (i == 1 || i == 2)
    made = add_part(made, corner[1][k], 3, far_u);
  if (j == 1 || j == 2)
    made = add_part(made, corner[2][k], 3, far_v);
  if ((i == 1 || i == 2) && (j == 1 || j == 2))
    made = add_part(made, corner[3][k], 9, far_u != far_v);
  return made;
}

/* Positions, or velocities; the error, not finite where one of them is not. */
static double convert(const double corners[4][4][3], double (*points)[3]) {
  double error = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      double lacks[3];
      for (int k = 0; k < 3; k++) {
        const sum made = coordinate(corners, i, j, k);
        points[4 * i + j][k] = made.x;
        lacks[k] = isfinite(made.x) && isfinite(made.lacks) ? made.lacks : INFINITY;
        if (!isfinite(lacks[k]))
          return INFINITY;
        lacks[k] += lacks[k] > 0 ? TINY : 0;
      }
      error = fmax(error, toi_builder_length(lacks[0], lacks[1], lacks[2]) * TOI_BUILDER_OUTWARD);
    }
  return error;
}

static toi_status check(toi_context *context, const double corners[4][4][3], const char *of) {
  static const char names[4][10] = {"position", "d/du", "d/dv", "d2/dudv"};
  for (int c = 0; c < 4; c++)
    for (int d = 0; d < 4; d++)
      for (int k = 0; k < 3; k++)
        if (!isfinite(corners[c][d][k]))
          return toi_fail(context, TOI_ERROR_INPUT,
                          "Hermite: %c of the %s%s at corner (%d, %d) is %g; it must be finite", 'x' + k, of, names[d],
                          c / 2, c % 2, corners[c][d][k]);
  return TOI_OK;
}

static toi_status make(toi_context *context, const double corners[4][4][3], const double velocities[4][4][3],
                       toi_model *model) {
  const toi_model_size size = {.patches = 1, .points = 16, .moving = velocities != NULL};
  toi_builder builder;
  const toi_status status = toi_builder_start(context, &size, model, &builder);
  if (status != TOI_OK)
    return status;
  const toi_draft draft = toi_builder_quad(&builder, 3, 3);
  draft.patch->error = convert(corners, draft.points);
  if (velocities != NULL)
    draft.patch->velocity_error = convert(velocities, draft.velocities);
  if (isfinite(draft.patch->error) && isfinite(draft.patch->velocity_error))
    return TOI_OK;
  toi_model_free(context, model);
  return toi_fail(context, TOI_ERROR_INPUT,
                  "Hermite: a control point overflows; positions or derivatives are too large");
}

static TOI_APART toi_status from_hermite(toi_context *context, const double corners[4][4][3],
                                         const double velocities[4][4][3], toi_model *model) {
  if (model != NULL)
    *model = (toi_model){0};
  if (context == NULL || corners == NULL || model == NULL)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "toi_model_from_hermite needs a context, corners and a place for the model");
  toi_status status = check(context, corners, "");
  if (status == TOI_OK && velocities != NULL)
    status = check(context, velocities, "velocity of the ");
  if (status != TOI_OK)
    return status;
  return make(context, corners, velocities, model);
}

toi_status toi_model_from_hermite(toi_context *context, const double corners[4][4][3], const double velocities[4][4][3],
                                  toi_model *model) {
  TOI_CALL(context, from_hermite(context, corners, velocities, model));
}
