/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Sphere, cylinder and torus as rational patches: a profile in the half-plane (x, z), turned about the z axis.
 *
 * Claim: the patches are the shapes, up to `error`; neighbours share their edges bit for bit.
 *
 * Why: the quadratic with control points (1, 0), (1, 1), (0, 1) and weights 1, 1, 2 is
 *
 *   (1 - u^2, 2 u) / (1 + u^2),
 *
 * a quarter of the unit circle, since (1 - u^2)^2 + (2 u)^2 = (1 + u^2)^2. Turning it by quarters only swaps
 * coordinates and signs. A tensor product of it with a profile has the control points (x_j c_i, x_j s_i, z_j), where
 * c_i and s_i are -1, 0 or 1: these are exact, and so is everything but the profile's own x_j and z_j.
 *
 * Bound: x_j = R + r of a torus and z_j = h / 2 of a cylinder may round. A turned profile whose x_j are off by e_j is
 * off by a convex combination of the e_j, along a unit vector: by no more than the largest |e_j|, which is known
 * exactly (toi_builder_add). A ring radius smaller than the tube's is meant as it stands: a torus that passes through
 * itself. */

#include <assert.h>
#include <string.h>

#include "surface/builder.h"

#define QUARTERS 4
#define MOST_PIECES 4

/* The three control points of each quarter, and their weights. */
static const signed char quarters[QUARTERS][3][2] = {
    {{1, 0}, {1, 1}, {0, 1}}, {{0, 1}, {-1, 1}, {-1, 0}}, {{-1, 0}, {-1, -1}, {0, -1}}, {{0, -1}, {1, -1}, {1, 0}}};
static const double quarter_weights[3] = {1, 1, 2};

/* A piece of a profile: a segment, or a quarter of a circle. */
typedef struct profile {
  uint32_t degree;
  double x[3], z[3];
  double error; /* of x or z, at most */
} profile;

/* A number with a sign; zero has none, so that equal points have equal bits. */
static double with_sign(int sign, double x) {
  if (sign == 0 || x == 0)
    return 0;
  return sign > 0 ? x : -x;
}

/* Turns one piece of the profile by a quarter: u goes around, v along the profile. */
static void turn(const profile *p, const signed char quarter[3][2], toi_draft draft) {
  size_t number = 0;
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j <= p->degree; j++, number++) {
      draft.points[number][0] = with_sign(quarter[i][0], p->x[j]);
      draft.points[number][1] = with_sign(quarter[i][1], p->x[j]);
      draft.points[number][2] = p->z[j];
      draft.weights[number] = quarter_weights[i] * (p->degree == 2 ? quarter_weights[j] : 1);
    }
  draft.patch->error = p->error;
}

/* The profile turned all the way round; patches in order of u, then v. */
static toi_status turn_around(toi_context *context, const profile *pieces, size_t count, toi_model *model) {
  assert(count > 0 && count <= MOST_PIECES);
  toi_model_size size = {.patches = QUARTERS * count, .rational = true};
  for (size_t i = 0; i < count; i++)
    size.points += QUARTERS * 3 * ((size_t)pieces[i].degree + 1);
  toi_builder builder;
  const toi_status status = toi_builder_start(context, &size, model, &builder);
  if (status != TOI_OK)
    return status;
  for (size_t k = 0; k < QUARTERS; k++)
    for (size_t i = 0; i < count; i++)
      turn(&pieces[i], quarters[k], toi_builder_quad(&builder, 2, pieces[i].degree));
  return TOI_OK;
}

/* A quarter of the circle around (x, 0) in the half-plane; false: too large for a double. */
static bool arc(double x, double radius, const signed char quarter[3][2], profile *made) {
  *made = (profile){.degree = 2};
  for (size_t j = 0; j < 3; j++) {
    double rest;
    made->x[j] = toi_builder_add(x, with_sign(quarter[j][0], radius), &rest);
    made->z[j] = with_sign(quarter[j][1], radius);
    if (!isfinite(made->x[j]) || !isfinite(rest))
      return false;
    made->error = fmax(made->error, fabs(rest));
  }
  return true;
}

/* A size of a shape; those of a shape end with one without a name. */
typedef struct length {
  const char *name;
  double value;
} length;

static toi_status start(toi_context *context, const char *name, const length *lengths, toi_model *model) {
  if (model != NULL)
    *model = (toi_model){0};
  if (context == NULL || model == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "%s needs a context and a place for the model", name);
  for (; lengths->name != NULL; lengths++)
    if (!(lengths->value > 0) || !isfinite(lengths->value))
      return toi_fail(context, TOI_ERROR_INPUT, "%s is %g; it must be positive and finite", lengths->name,
                      lengths->value);
  return TOI_OK;
}

/* --- the shapes --- */

/* From the south pole to the equator, from there to the north pole. */
static TOI_APART toi_status sphere(toi_context *context, double radius, toi_model *model) {
  const toi_status status = start(context, "toi_model_sphere", (length[]){{"radius", radius}, {NULL, 0}}, model);
  const profile pieces[2] = {{2, {0, radius, radius}, {-radius, -radius, 0}, 0},
                             {2, {radius, radius, 0}, {0, radius, radius}, 0}};
  return status == TOI_OK ? turn_around(context, pieces, 2, model) : status;
}

toi_status toi_model_sphere(toi_context *context, double radius, toi_model *model) {
  TOI_CALL(context, sphere(context, radius, model));
}

static TOI_APART toi_status cylinder(toi_context *context, double radius, double height, toi_model *model) {
  const length lengths[] = {{"radius", radius}, {"height", height}, {NULL, 0}};
  const toi_status status = start(context, "toi_model_cylinder", lengths, model);
  // Exact, but for an odd number of the smallest doubles.
  const double z = height / 2;
  const profile piece = {1, {radius, radius}, {-z, z}, 2 * z == height ? 0 : TOI_BUILDER_TINY};
  return status == TOI_OK ? turn_around(context, &piece, 1, model) : status;
}

toi_status toi_model_cylinder(toi_context *context, double radius, double height, toi_model *model) {
  TOI_CALL(context, cylinder(context, radius, height, model));
}

static TOI_APART toi_status torus(toi_context *context, double ring_radius, double tube_radius, toi_model *model) {
  const length lengths[] = {{"ring_radius", ring_radius}, {"tube_radius", tube_radius}, {NULL, 0}};
  const toi_status status = start(context, "toi_model_torus", lengths, model);
  if (status != TOI_OK)
    return status;
  profile pieces[QUARTERS];
  for (size_t k = 0; k < QUARTERS; k++)
    if (!arc(ring_radius, tube_radius, quarters[k], &pieces[k]))
      return toi_fail(context, TOI_ERROR_INPUT, "ring_radius %g and tube_radius %g: their sum is not finite",
                      ring_radius, tube_radius);
  return turn_around(context, pieces, QUARTERS, model);
}

toi_status toi_model_torus(toi_context *context, double ring_radius, double tube_radius, toi_model *model) {
  TOI_CALL(context, torus(context, ring_radius, tube_radius, model));
}

/* --- by name --- */

static toi_status unit_sphere(toi_context *context, toi_model *model) {
  return toi_model_sphere(context, 1, model);
}

static toi_status unit_cylinder(toi_context *context, toi_model *model) {
  return toi_model_cylinder(context, 1, 2, model);
}

static toi_status usual_torus(toi_context *context, toi_model *model) {
  return toi_model_torus(context, 2, 0.5, model);
}

static const struct {
  const char *name;
  toi_status (*make)(toi_context *context, toi_model *model);
} named[] = {
    {"teapot", toi_model_teapot}, {"sphere", unit_sphere}, {"cylinder", unit_cylinder}, {"torus", usual_torus}};

#define NAMED (sizeof named / sizeof named[0])

const char *toi_model_name(size_t number) {
  return number < NAMED ? named[number].name : NULL;
}

static TOI_APART toi_status by_name(toi_context *context, const char *name, toi_model *model) {
  const toi_status status = start(context, "toi_model_named", (length[]){{NULL, 0}}, model);
  if (status != TOI_OK)
    return status;
  for (size_t i = 0; name != NULL && i < NAMED; i++)
    if (strcmp(name, named[i].name) == 0)
      return named[i].make(context, model);
  return toi_fail(context, TOI_ERROR_INPUT, "no model is called '%s'; toi_model_name() lists them",
                  name != NULL ? name : "");
}

toi_status toi_model_named(toi_context *context, const char *name, toi_model *model) {
  TOI_CALL(context, by_name(context, name, model));
}
