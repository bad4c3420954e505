/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Shapes made and asked: by formulas, which are put on a tape, or by functions of the user's own.
 *
 * Promise: what a function of the user's gives back is checked number by number before anybody relies on it; NaN,
 * ends in the wrong order and numbers that were not written are caught. Whether its intervals enclose what they should
 * is the user's promise. */

#include "contact/boolean.h"
#include "contact/shape_frame.h"
#include "contact/solid.h"
#include "solve/vector.h"

#include <stdio.h>

static const char *const parametric_parts[] = {"x", "y", "z"};
static const char *const implicit_parts[] = {"F"};

/* What the numbers of a jet are called, behind the name of the term. */
static const char *const jet3_names[TOI_JET3] = {"", "_u", "_v", "_t", "_uu", "_uv", "_ut", "_vv", "_vt", "_tt"};
static const char *const jet4_names[TOI_JET4] = {"",    "_x",  "_y",  "_z",  "_t",  "_xx", "_xy", "_xz",
                                                 "_xt", "_yy", "_yz", "_yt", "_zz", "_zt", "_tt"};

/* --- what is given, and whether it is one --- */

#define PARAMETRIC TOI_LAYOUT(toi_parametric, solid)
#define IMPLICIT TOI_LAYOUT(toi_implicit, solid)

void toi_parametric_init(toi_parametric *parametric, size_t size) {
  toi_init_struct(PARAMETRIC, NULL, parametric, size);
}

void toi_implicit_init(toi_implicit *implicit, size_t size) {
  toi_init_struct(IMPLICIT, NULL, implicit, size);
}

static bool is_finite(toi_interval x) {
  return x.lo >= -DBL_MAX && x.lo < x.hi && x.hi <= DBL_MAX;
}

static bool is_whole(toi_interval x) {
  return x.lo < -DBL_MAX && x.hi > DBL_MAX;
}

static toi_status take_parametric(toi_context *context, const toi_parametric *given, toi_parametric *parametric) {
  *parametric = (toi_parametric){0};
  toi_status status = toi_take_description(context, PARAMETRIC, given, parametric);
  if (status != TOI_OK)
    return status;
  const toi_interval domain[2] = {parametric->u, parametric->v};
  for (int i = 0; i < 2; i++)
    if (!is_finite(domain[i]))
      return toi_fail(context, TOI_ERROR_INPUT, "%c goes from %g to %g; both must be finite, the first one smaller",
                      "uv"[i], domain[i].lo, domain[i].hi);
  if (parametric->edges & ~(uint32_t)(TOI_EDGES | TOI_TRIANGLE))
    return toi_fail(context, TOI_ERROR_INPUT,
                    "edges is %u; it must be made of TOI_EDGE_U_LO to TOI_EDGE_V_HI and TOI_TRIANGLE",
                    (unsigned)parametric->edges);
  if ((parametric->edges & TOI_TRIANGLE) != 0 && parametric->edges != (TOI_TRIANGLE | TOI_EDGES))
    return toi_fail(context, TOI_ERROR_INPUT, "all edges of a triangle are real; give TOI_TRIANGLE | TOI_EDGES");
  return TOI_OK;
}

static toi_status take_implicit(toi_context *context, const toi_implicit *given, toi_implicit *implicit) {
  *implicit = (toi_implicit){0};
  toi_status status = toi_take_description(context, IMPLICIT, given, implicit);
  if (status != TOI_OK)
    return status;
  const toi_interval *bounds = implicit->bounds;
  if (is_whole(bounds[0]) && is_whole(bounds[1]) && is_whole(bounds[2]))
    return TOI_OK;
  for (int i = 0; i < 3; i++)
    if (!is_finite(bounds[i]))
      return toi_fail(
          context, TOI_ERROR_INPUT,
          "bounds: %c goes from %g to %g; both must be finite, the first one smaller, or all bounds infinite", "xyz"[i],
          bounds[i].lo, bounds[i].hi);
  return TOI_OK;
}

/* --- making --- */

toi_status toi_shape_begin(toi_context *context, const void *description, const char *name, toi_shape **shape) {
  if (shape)
    *shape = NULL;
  if (context == NULL)
    return TOI_ERROR_INPUT;
  return shape && description ? TOI_OK
                              : toi_fail(context, TOI_ERROR_INPUT, "the %s %s is NULL", shape ? name : "shape",
                                         shape ? "description" : "to make");
}

static void free_terms(const toi_shape *shape) {
  for (size_t i = 0; i < shape->piece_count; i++) {
    toi_patch_nets_destroy(shape->context, shape->pieces[i].nets);
    toi_tape_destroy(shape->pieces[i].tape);
  }
  toi_tape_destroy(shape->tape);
}

/* What it has of its own; pieces share the frame of the whole. */
static void free_parts(const toi_shape *shape) {
  if (shape->boolean != NULL)
    toi_boolean_destroy(shape->context, shape->boolean);
  if (shape->straight != NULL) {
    free_terms(shape->straight);
    toi_free(shape->context, shape->straight, (shape->straight->piece_count + 1) * sizeof *shape->straight);
  }
  toi_joints_destroy(shape->context, shape->joints);
  if (shape->frame != NULL)
    toi_motion_destroy(shape->frame);
  free_terms(shape);
}

/* Takes what it is made of, also if it fails. */
static toi_status keep(toi_context *context, const toi_shape *made, toi_shape **shape) {
  toi_shape *kept = toi_allocate(context, sizeof(*kept));
  if (kept == NULL) {
    free_parts(made);
    return TOI_ERROR_MEMORY;
  }
  *kept = *made;
  *shape = kept;
  return TOI_OK;
}

/* With what it is in axes of its own. */
static toi_status keep_straightened(const toi_formula *formula, const toi_term *terms, toi_shape *made,
                                    toi_shape **shape) {
  toi_status status = toi_shape_straighten(formula, terms, made);
  if (status == TOI_OK)
    return keep(made->context, made, shape);
  free_parts(made);
  return status;
}

static toi_shape from_parametric(toi_context *context, const toi_parametric *parametric) {
  return (toi_shape){.context = context,
                     .solid = parametric->solid,
                     .edges = parametric->edges & TOI_EDGES,
                     .triangle = (parametric->edges & TOI_TRIANGLE) != 0,
                     .domain = {parametric->u, parametric->v},
                     .bounds = {toi_interval_whole(), toi_interval_whole(), toi_interval_whole()},
                     .reach = INFINITY,
                     .parts = parametric_parts};
}

static toi_shape from_implicit(toi_context *context, const toi_implicit *implicit) {
  toi_shape made = {
      .context = context, .implicit = true, .solid = implicit->solid, .reach = INFINITY, .parts = implicit_parts};
  memcpy(made.bounds, implicit->bounds, sizeof(made.bounds));
  return made;
}

/* The tape of the terms, of a formula in `variables` variables, the last one time. */
static toi_status put_on_tape(const toi_formula *formula, const toi_term *terms, size_t count, size_t variables,
                              toi_shape *made) {
  if (formula == NULL)
    return toi_fail(made->context, TOI_ERROR_INPUT, "formula is NULL; toi_shape_own() takes a function instead");
  toi_status status = toi_tape_make(made->context, formula, terms, count, &made->tape);
  if (status != TOI_OK)
    return status;
  if (toi_tape_arity(made->tape) != variables) {
    status = toi_fail(made->context, TOI_ERROR_INPUT, "the formula has %zu variables; %s needs %zu of them, %s",
                      toi_tape_arity(made->tape), made->implicit ? "an implicit shape" : "a parametric shape",
                      variables, made->implicit ? "x, y, z, t" : "u, v, t");
    toi_tape_destroy(made->tape);
    return status;
  }
  // A surface depends on u and on v, or on a coordinate.
  const uint64_t used = toi_tape_variables(made->tape);
  if (made->implicit ? (used & 7) == 0 : (used & 3) != 3) {
    status = toi_fail(made->context, TOI_ERROR_INPUT,
                      made->implicit ? "the function depends on none of x, y and z: it has no surface"
                                     : "x, y and z do not depend on both u and v: a curve or a point; a body needs a "
                                       "surface");
    toi_tape_destroy(made->tape);
    return status;
  }
  made->deforming = (used >> (variables - 1)) & 1;
  return TOI_OK;
}

static TOI_APART toi_status make_parametric(toi_context *context, const toi_parametric *parametric, toi_shape **shape) {
  toi_status status = toi_shape_begin(context, parametric, "parametric", shape);
  toi_parametric taken;
  if (status == TOI_OK)
    status = take_parametric(context, parametric, &taken);
  if (status != TOI_OK)
    return status;
  toi_shape made = from_parametric(context, &taken);
  status = put_on_tape(taken.formula, taken.at, 3, 3, &made);
  if (status != TOI_OK)
    return status;
  // Across a pole a formula comes out on the other side, where nobody says that it is the surface again.
  made.stops = toi_shape_poles(&made);
  return keep_straightened(taken.formula, taken.at, &made, shape);
}

toi_status toi_shape_parametric(toi_context *context, const toi_parametric *parametric, toi_shape **shape) {
  TOI_CALL(context, make_parametric(context, parametric, shape));
}

static TOI_APART toi_status make_implicit(toi_context *context, const toi_implicit *implicit, toi_shape **shape) {
  toi_status status = toi_shape_begin(context, implicit, "implicit", shape);
  toi_implicit taken;
  if (status == TOI_OK)
    status = take_implicit(context, implicit, &taken);
  if (status != TOI_OK)
    return status;
  toi_shape made = from_implicit(context, &taken);
  status = put_on_tape(taken.formula, &taken.function, 1, 4, &made);
  return status == TOI_OK ? keep_straightened(taken.formula, &taken.function, &made, shape) : status;
}

toi_status toi_shape_implicit(toi_context *context, const toi_implicit *implicit, toi_shape **shape) {
  TOI_CALL(context, make_implicit(context, implicit, shape));
}

static TOI_APART toi_status make_own(toi_context *context, toi_enclose enclose, void *user,
                                     const toi_parametric *parametric, const toi_implicit *implicit,
                                     toi_shape **shape) {
  toi_status status = toi_shape_begin(context, parametric ? (const void *)parametric : (const void *)implicit,
                                      "parametric or implicit", shape);
  if (status != TOI_OK)
    return status;
  if (enclose == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "the function that encloses the shape is NULL");
  if (parametric && implicit)
    return toi_fail(context, TOI_ERROR_INPUT, "the shape is described twice; leave parametric or implicit NULL");
  toi_parametric over = {0};
  toi_implicit within = {0};
  status = parametric ? take_parametric(context, parametric, &over) : take_implicit(context, implicit, &within);
  if (status != TOI_OK)
    return status;
  if (over.formula != NULL || within.formula != NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "a shape given by a function has no formula; leave formula NULL");
  if ((over.edges & TOI_TRIANGLE) != 0)
    return toi_fail(context, TOI_ERROR_INPUT, "a shape given by a function is drawn over a rectangle");
  toi_shape made = parametric ? from_parametric(context, &over) : from_implicit(context, &within);
  made.enclose = enclose;
  made.user = user;
  // It may depend on time: nobody can tell. And it is asked in its domain only.
  made.deforming = true;
  made.stops = TOI_EDGES;
  return keep(context, &made, shape);
}

toi_status toi_shape_own(toi_context *context, toi_enclose enclose, void *user, const toi_parametric *parametric,
                         const toi_implicit *implicit, toi_shape **shape) {
  TOI_CALL(context, make_own(context, enclose, user, parametric, implicit, shape));
}

static TOI_APART void destroy(toi_shape *shape) {
  if (shape == NULL)
    return;
  free_parts(shape);
  toi_free(shape->context, shape, (shape->piece_count + 1) * sizeof(*shape));
}

void toi_shape_destroy(toi_shape *shape) {
  TOI_CALL_VOID(NULL, destroy(shape));
}

/* --- asking --- */

static size_t jets_size(const toi_shape *shape, unsigned order) {
  assert(order <= 2);
  return (size_t)(shape->implicit ? TOI_JET_SIZE(4, order) : 3 * TOI_JET_SIZE(3, order));
}

/* The number of the first one that is no interval; size if all of them are. */
static size_t first_wrong(const toi_interval *jets, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (!toi_interval_is_valid(jets[i]))
      return i;
  return size;
}

/* What is not written stays NaN, and is caught. The mode is ours again after, whatever was done to it. */
static bool ask_user(const toi_shape *shape, const toi_interval *box, unsigned order, toi_interval *jets) {
  size_t size = jets_size(shape, order);
  for (size_t i = 0; i < size; i++)
    jets[i] = (toi_interval){NAN, NAN};
  const bool enclosed = shape->enclose(shape->user, box, order, jets);
  toi_float_mode_establish();
  return enclosed;
}

static bool is_inside(const toi_shape *shape, const toi_interval *box) {
  const toi_interval *domain = shape->implicit ? shape->bounds : shape->domain;
  for (size_t i = 0; i < (shape->implicit ? 3u : 2u); i++)
    if (!toi_interval_encloses(domain[i], box[i]))
      return false;
  return true;
}

bool toi_shape_jets(const toi_shape *shape, const toi_interval *box, unsigned order, toi_interval *jets) {
  size_t size = jets_size(shape, order);
  if (shape->nets) {
    toi_patch_nets_jets(shape->nets, box, order, jets);
    return true;
  }
  if (shape->boolean)
    return toi_boolean_jets(shape, box, order, jets);
  if (shape->tape) {
    // Where a term may not be defined it is enclosed where it is. toi_shape_check has proved that it is defined in its
    // domain; beyond that nothing is known, and nothing may be concluded.
    const bool defined =
        shape->triangle ? toi_triangle_jets(shape, box, order, jets) : toi_tape_bounds(shape->tape, box, order, jets);
    if (!defined && !is_inside(shape, box))
      for (size_t i = 0; i < size; i++)
        jets[i] = toi_interval_whole();
    return true;
  }
  return ask_user(shape, box, order, jets) && first_wrong(jets, size) == size;
}

void toi_shape_taylor(const toi_shape *shape, const toi_taylor_space *space, const toi_taylor *variables,
                      toi_taylor *registers, toi_taylor *terms) {
  if (shape->nets)
    toi_patch_nets_taylor(shape->nets, space, variables, terms);
  else if (shape->triangle)
    toi_triangle_taylor(shape, space, variables, registers, terms);
  else
    toi_tape_taylor(shape->tape, space, variables, registers, terms);
}

size_t toi_shape_taylor_registers(const toi_shape *shape) {
  return shape->nets ? 0 : toi_tape_taylor_registers(shape->tape);
}

void toi_shape_name_place(const toi_shape *shape, const toi_interval *box, bool middle, char text[TOI_PLACE_SIZE]) {
  const char *names = shape->implicit ? "xyzt" : "uvt";
  size_t used = 0;
  for (size_t i = 0; names[i] != '\0'; i++) {
    const char *comma = i == 0 ? "" : ", ";
    const size_t room = TOI_PLACE_SIZE - used;
    int length = middle ? snprintf(text + used, room, "%s%c = %.6g", comma, names[i], toi_interval_midpoint(box[i]))
                        : snprintf(text + used, room, "%s%c in [%.9g, %.9g]", comma, names[i], box[i].lo, box[i].hi);
    assert(length > 0 && (size_t)length < room);
    used += (size_t)length;
  }
}

toi_status toi_shape_explain(const toi_shape *shape, const toi_interval *box, unsigned order, const char *what) {
  toi_interval jets[3 * TOI_JET3];
  char place[TOI_PLACE_SIZE];
  if (shape->boolean != NULL)
    return toi_boolean_explain(shape, box, order, what);
  toi_shape_name_place(shape, box, false, place);
  if (shape->enclose == NULL || !ask_user(shape, box, order, jets))
    return toi_fail(shape->context, TOI_ERROR_CALLBACK, "%s: its function gave up where %s", what, place);
  size_t size = jets_size(shape, order), wrong = first_wrong(jets, size);
  if (wrong == size)
    return toi_fail(shape->context, TOI_ERROR_CALLBACK,
                    "%s: its function gave no interval where %s, and one when asked again", what, place);
  size_t each = shape->implicit ? size : size / 3;
  return toi_fail(shape->context, TOI_ERROR_CALLBACK,
                  "%s: its function gave [%g, %g] for %s%s where %s; that is not an interval", what, jets[wrong].lo,
                  jets[wrong].hi, shape->parts[wrong / each],
                  shape->implicit ? jet4_names[wrong] : jet3_names[wrong % each], place);
}

/* --- points --- */

/* The unit vector along the middle of an enclosure; false, and zero, if it may be the zero vector. */
static bool direction(const toi_interval vector[3], double sign, double unit[3]) {
  double most = 0, length = 0;
  bool known = false;
  for (int k = 0; k < 3; k++) {
    unit[k] = sign * toi_interval_midpoint(vector[k]);
    most = fabs(unit[k]) > most ? fabs(unit[k]) : most;
    known = known || toi_interval_sign(vector[k]) != 0;
  }
  // Twice, as squares may overflow.
  for (int k = 0; k < 3; k++) {
    unit[k] = known ? unit[k] / most : 0;
    length += unit[k] * unit[k];
  }
  for (int k = 0; known && k < 3; k++)
    unit[k] /= sqrt(length);
  return known;
}

/* S_u x S_v. Where an edge that is no real one shrinks to a point, as the pole of a sphere does, this is zero; then its
 * direction next to the edge: the derivative across it, turned inwards. */
static void find_normal(const toi_shape *shape, const toi_interval box[3], const toi_interval *jets, double normal[3]) {
  toi_interval by[2][3], across[2][3], product[3];
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 2; i++)
      by[i][k] = jets[k * TOI_JET3 + 1 + i];
  toi_cross3(by[0], by[1], product);
  if (direction(product, 1, normal))
    return;
  for (int i = 0; i < 2; i++) {
    int end = box[i].lo <= shape->domain[i].lo ? 0 : 1;
    bool seam = !((shape->edges >> (2 * i + end)) & 1);
    if (!seam || !(box[i].lo <= shape->domain[i].lo || box[i].hi >= shape->domain[i].hi))
      continue;
    // S_ui x S_v + S_u x S_vi.
    for (int k = 0; k < 3; k++) {
      across[0][k] = jets[k * TOI_JET3 + (i == 0 ? 4 : 5)];
      across[1][k] = jets[k * TOI_JET3 + (i == 0 ? 5 : 7)];
    }
    toi_interval first[3], second[3];
    toi_cross3(across[0], by[1], first);
    toi_cross3(by[0], across[1], second);
    for (int k = 0; k < 3; k++)
      product[k] = toi_interval_add(first[k], second[k]);
    if (direction(product, end == 0 ? 1 : -1, normal))
      return;
  }
}

static toi_status find_point(const toi_shape *shape, const double at[3], double point[3], double normal[3]) {
  toi_interval box[3], jets[3 * TOI_JET3];
  for (int i = 0; i < 3; i++)
    box[i] = toi_interval_point(at[i]);
  if (!toi_shape_jets(shape, box, 2, jets))
    return toi_shape_explain(shape, box, 2, "shape");
  for (int k = 0; k < 3; k++) {
    toi_interval value = jets[k * TOI_JET3];
    if (!(toi_interval_magnitude(value) <= DBL_MAX))
      return toi_fail(shape->context, TOI_ERROR_INPUT, "%s is not defined or not finite at u = %g, v = %g, t = %g",
                      shape->parts[k], at[0], at[1], at[2]);
    point[k] = toi_interval_midpoint(value);
  }
  find_normal(shape, box, jets, normal);
  return TOI_OK;
}

static TOI_APART toi_status point_of(const toi_shape *shape, double u, double v, double t, double point[3],
                                     double normal[3]) {
  if (shape == NULL)
    return TOI_ERROR_INPUT;
  if (shape->implicit)
    return toi_fail(shape->context, TOI_ERROR_INPUT, "an implicit shape has no parameters, so no point of them");
  if (shape->piece_count > 0)
    return toi_fail(shape->context, TOI_ERROR_INPUT, "the shape is made of %zu surfaces; toi_shape_piece() gives each",
                    shape->piece_count);
  if (!toi_interval_contains(shape->domain[0], u) || !toi_interval_contains(shape->domain[1], v))
    return toi_fail(shape->context, TOI_ERROR_INPUT, "u = %g, v = %g is not in the shape's domain", u, v);
  if (!isfinite(t))
    return toi_fail(shape->context, TOI_ERROR_INPUT, "t is %g; it must be finite", t);
  double at[3] = {u, v, t}, p[3] = {0}, n[3] = {0};
  toi_status status = find_point(shape, at, p, n);
  if (status != TOI_OK)
    return status;
  if (point)
    memcpy(point, p, sizeof(p));
  if (normal)
    memcpy(normal, n, sizeof(n));
  return TOI_OK;
}

toi_status toi_shape_point(const toi_shape *shape, double u, double v, double t, double point[3], double normal[3]) {
  TOI_CALL(shape ? shape->context : NULL, point_of(shape, u, v, t, point, normal));
}

/* --- for those who draw --- */

toi_extent toi_shape_extent(const toi_shape *shape) {
  const toi_interval *domain = shape->domain, *bounds = shape->bounds;
  toi_extent extent = {.implicit = shape->implicit, .solid = shape->solid};
  if (!shape->implicit) {
    extent.edges = shape->edges;
    extent.u = domain[0];
    extent.v = domain[1];
    return extent;
  }
  for (int k = 0; k < 3; k++)
    extent.bounds[k] = bounds[k];
  return extent;
}

static TOI_APART toi_status value_of(const toi_shape *shape, const double point[3], double t, double *value,
                                     double normal[3]) {
  if (shape == NULL || point == NULL || value == NULL || normal == NULL)
    return toi_fail(shape != NULL ? shape->context : NULL, TOI_ERROR_INPUT,
                    "shape, point, value or normal is NULL; give all of them");
  *value = normal[0] = normal[1] = normal[2] = 0;
  if (!shape->implicit)
    return toi_fail(shape->context, TOI_ERROR_INPUT, "the shape is parametric; call toi_shape_point() instead");
  if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2]) || !isfinite(t))
    return toi_fail(shape->context, TOI_ERROR_INPUT, "(%g, %g, %g) at t = %g: give finite numbers", point[0], point[1],
                    point[2], t);
  const toi_interval at[4] = {{point[0], point[0]}, {point[1], point[1]}, {point[2], point[2]}, {t, t}};
  toi_interval jet[TOI_JET_SIZE(4, 1)];
  if (!toi_shape_jets(shape, at, 1, jet) || !(toi_interval_magnitude(jet[0]) <= DBL_MAX))
    return toi_fail(shape->context, TOI_ERROR_INPUT, "the function has no value at (%g, %g, %g), t = %g", point[0],
                    point[1], point[2], t);
  *value = toi_interval_midpoint(jet[0]);
  (void)direction(jet + 1, 1, normal);
  return TOI_OK;
}

toi_status toi_shape_value(const toi_shape *shape, const double point[3], double t, double *value, double normal[3]) {
  TOI_CALL(shape ? shape->context : NULL, value_of(shape, point, t, value, normal));
}
