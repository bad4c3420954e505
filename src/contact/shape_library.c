/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Shapes by name: each is a few formulas in its sizes, read like anybody's.
 *
 * Parameters go from 0 to 1, so that angles are exact multiples of pi and seams close without a gap. Directions are
 * such that S_u x S_v points outwards: u goes down and v around for spheres, u around and v up (around the tube) for
 * the others. A cylinder and a cone have no implicit form: an implicit surface ends nowhere, so that their rims, which
 * things touch, would be lost.
 *
 * A superquadric is smooth for exponents up to 1. Where 2 / e is an even number it is a polynomial; powers of |x| are
 * used otherwise, whose derivatives are known but unbounded somewhere on the planes x, y, z = 0 if e > 1. The powers
 * are 2 / e1, 2 / e2 and e2 / e1 rounded to double.
 *
 * Claim: implicit shapes lie in their bounds, with room around them so that contacts at their outermost points are
 * inside; shapes reach no farther from the origin than said. Why: half axes times 1 + ROOM are rounded, but ROOM is far
 * above a rounding; spheres and ellipsoids reach to their largest half axis, tori to ring + tube, bumpy spheres to
 * radius (1 + |bump|), rounded up. */

#include "contact/solid.h"

#define SIZES 5
#define ROOM 0x1p-6

/* Least exponent of a superquadric: 2 / e stays a power that can be worked with. */
#define EXPONENT_LEAST 0.01
#define EXPONENT_MOST 2.0

#define IT_HAS_EDGES "it has edges, and an implicit surface has none"

typedef struct entry {
  const char *name;
  size_t sizes;
  const char *size[SIZES];   /* names that the formulas use */
  toi_shape_form form;       /* that is taken by default */
  const char *parametric[3]; /* in u, v from 0 to 1; NULL: there is none, because: */
  const char *no_parametric;
  uint32_t edges;
  bool solid;   /* the parametric one; implicit ones are */
  bool goes_on; /* beyond its poles the formula gives the same surface again */
  const char *implicit;
  const char *no_implicit;
  bool faces; /* several, solid.h: parametric */
} entry;

static const entry kinds[TOI_SHAPE_KIND_COUNT] = {
    [TOI_SHAPE_PLANE] = {.name = "plane",
                         .sizes = 2,
                         .size = {"width", "depth"},
                         .form = TOI_SHAPE_FORM_IMPLICIT,
                         .parametric = {"width*(u - 0.5)", "depth*(v - 0.5)", "0"},
                         .edges = TOI_EDGES,
                         .implicit = "z"},
    [TOI_SHAPE_SPHERE] = {.name = "sphere",
                          .sizes = 1,
                          .size = {"radius"},
                          .form = TOI_SHAPE_FORM_IMPLICIT,
                          .parametric = {"radius*sin(pi*u)*cos(2*pi*v)", "radius*sin(pi*u)*sin(2*pi*v)",
                                         "radius*cos(pi*u)"},
                          .solid = true,
                          .goes_on = true,
                          .implicit = "x^2 + y^2 + z^2 - radius^2"},
    [TOI_SHAPE_ELLIPSOID] = {.name = "ellipsoid",
                             .sizes = 3,
                             .size = {"a", "b", "c"},
                             .form = TOI_SHAPE_FORM_IMPLICIT,
                             .parametric = {"a*sin(pi*u)*cos(2*pi*v)", "b*sin(pi*u)*sin(2*pi*v)", "c*cos(pi*u)"},
                             .solid = true,
                             .goes_on = true,
                             .implicit = "(x/a)^2 + (y/b)^2 + (z/c)^2 - 1"},
    [TOI_SHAPE_CYLINDER] = {.name = "cylinder",
                            .sizes = 2,
                            .size = {"radius", "height"},
                            .form = TOI_SHAPE_FORM_PARAMETRIC,
                            .parametric = {"radius*cos(2*pi*u)", "radius*sin(2*pi*u)", "height*(v - 0.5)"},
                            .edges = TOI_EDGES_V,
                            .no_implicit = "it ends at two rims, and an implicit surface has no ends"},
    [TOI_SHAPE_CONE] = {.name = "cone",
                        .sizes = 2,
                        .size = {"radius", "height"},
                        .form = TOI_SHAPE_FORM_PARAMETRIC,
                        .parametric = {"radius*(1 - v)*cos(2*pi*u)", "radius*(1 - v)*sin(2*pi*u)", "height*v"},
                        .edges = TOI_EDGES_V,
                        .no_implicit = "it ends at its rim, and an implicit surface has no ends"},
    [TOI_SHAPE_TORUS] = {.name = "torus",
                         .sizes = 2,
                         .size = {"ring", "tube"},
                         .form = TOI_SHAPE_FORM_PARAMETRIC,
                         .parametric = {"(ring + tube*cos(2*pi*v))*cos(2*pi*u)",
                                        "(ring + tube*cos(2*pi*v))*sin(2*pi*u)", "tube*sin(2*pi*v)"},
                         .solid = true,
                         .implicit = "(sqrt(x^2 + y^2) - ring)^2 + z^2 - tube^2"},
    [TOI_SHAPE_SUPERQUADRIC] = {.name = "superquadric",
                                .sizes = 5,
                                .size = {"a", "b", "c", "e1", "e2"},
                                .form = TOI_SHAPE_FORM_IMPLICIT,
                                .no_parametric = "its parameters have no derivatives where the surface is flat",
                                .implicit = "(power_x + power_y)^ratio + power_z - 1"},
    [TOI_SHAPE_BUMPY_SPHERE] =
        {.name = "bumpy-sphere",
         .sizes = 4,
         .size = {"radius", "bump", "a", "b"},
         .form = TOI_SHAPE_FORM_PARAMETRIC,
         .parametric = {"radius*(1 + bump*cos(a*pi*u)*sin(pi*u)^2*cos(b*pi*v))*sin(pi*u)*cos(2*pi*v)",
                        "radius*(1 + bump*cos(a*pi*u)*sin(pi*u)^2*cos(b*pi*v))*sin(pi*u)*sin(2*pi*v)",
                        "radius*(1 + bump*cos(a*pi*u)*sin(pi*u)^2*cos(b*pi*v))*cos(pi*u)"},
         .solid = true,
         .no_implicit = "its bumps are given by its parameters"},
    [TOI_SHAPE_BOX] = {.name = "box",
                       .sizes = 3,
                       .size = {"width", "depth", "height"},
                       .form = TOI_SHAPE_FORM_PARAMETRIC,
                       .faces = true,
                       .no_implicit = IT_HAS_EDGES},
    [TOI_SHAPE_CAPPED_CYLINDER] = {.name = "capped-cylinder",
                                   .sizes = 2,
                                   .size = {"radius", "height"},
                                   .form = TOI_SHAPE_FORM_PARAMETRIC,
                                   .faces = true,
                                   .no_implicit = IT_HAS_EDGES},
    [TOI_SHAPE_CAPSULE] = {.name = "capsule",
                           .sizes = 2,
                           .size = {"radius", "height"},
                           .form = TOI_SHAPE_FORM_IMPLICIT,
                           .no_parametric = "its parameters would have seams where only curvatures jump",
                           .implicit = "x^2 + y^2 + max(abs(z) - 0.5*height, 0)^2 - radius^2"},
    [TOI_SHAPE_CAPPED_CONE] = {.name = "capped-cone",
                               .sizes = 2,
                               .size = {"radius", "height"},
                               .form = TOI_SHAPE_FORM_PARAMETRIC,
                               .faces = true,
                               .no_implicit = IT_HAS_EDGES},
    [TOI_SHAPE_WEDGE] = {.name = "wedge",
                         .sizes = 3,
                         .size = {"width", "depth", "height"},
                         .form = TOI_SHAPE_FORM_PARAMETRIC,
                         .faces = true,
                         .no_implicit = IT_HAS_EDGES},
};

const char *toi_shape_kind_name(toi_shape_kind kind) {
  return (unsigned)kind < TOI_SHAPE_KIND_COUNT ? kinds[kind].name : NULL;
}

size_t toi_shape_kind_sizes(toi_shape_kind kind) {
  return (unsigned)kind < TOI_SHAPE_KIND_COUNT ? kinds[kind].sizes : 0;
}

/* --- sizes --- */

static toi_status fail_size(toi_context *context, const entry *of, const double *size, size_t i, const char *rule) {
  return toi_fail(context, TOI_ERROR_INPUT, "size[%zu] of the %s, %s, is %g; it must be %s", i, of->name, of->size[i],
                  size[i], rule);
}

/* The bumps need not be positive; they must leave some radius, and meet again where v closes. */
static toi_status check_bumps(toi_context *context, const entry *of, const double *size) {
  if (!(fabs(size[1]) < 1))
    return fail_size(context, of, size, 1, "between -1 and 1");
  if (!isfinite(size[2]))
    return fail_size(context, of, size, 2, "finite");
  if (!isfinite(size[3]) || fmod(size[3], 2) != 0)
    return fail_size(context, of, size, 3, "an even whole number, or the bumps do not meet where v closes");
  return TOI_OK;
}

static toi_status check_sizes(toi_context *context, toi_shape_kind number, const double *size) {
  const entry *of = &kinds[number];
  if (size == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "size is NULL; a %s has %zu of them", of->name, of->sizes);
  size_t lengths = number == TOI_SHAPE_SUPERQUADRIC ? 3 : number == TOI_SHAPE_BUMPY_SPHERE ? 1 : of->sizes;
  for (size_t i = 0; i < lengths; i++)
    if (!(size[i] > 0) || !isfinite(size[i]))
      return fail_size(context, of, size, i, "positive and finite");
  if (number == TOI_SHAPE_BUMPY_SPHERE)
    return check_bumps(context, of, size);
  if (number == TOI_SHAPE_TORUS && !(size[0] > size[1]))
    return toi_fail(context, TOI_ERROR_INPUT,
                    "the torus has a ring of radius %g and a tube of %g; the ring must be larger", size[0], size[1]);
  for (size_t i = lengths; i < of->sizes; i++)
    if (!(size[i] >= EXPONENT_LEAST && size[i] <= EXPONENT_MOST))
      return fail_size(context, of, size, i, "from 0.01 to 2");
  return TOI_OK;
}

/* --- formulas --- */

/* |x / half|^(2 / e), as a power of x / half itself where that is the same. */
static toi_term power_of(toi_formula *formula, size_t variable, double half, double e) {
  double power = 2 / e;
  toi_term x = toi_formula_apply(formula, TOI_OP_DIV, toi_formula_variable(formula, variable),
                                 toi_formula_constant(formula, half));
  if (fmod(power, 2) != 0)
    x = toi_formula_apply(formula, TOI_OP_ABS, x, TOI_NO_TERM);
  return toi_formula_apply(formula, TOI_OP_POW, x, toi_formula_constant(formula, power));
}

/* Names for the sizes; of a superquadric, for its powers. */
static toi_status name_sizes(toi_formula *formula, toi_shape_kind number, const double *size) {
  const entry *of = &kinds[number];
  toi_status status = TOI_OK;
  if (number == TOI_SHAPE_SUPERQUADRIC) {
    const double e1 = size[3], e2 = size[4];
    static const char *const names[3] = {"power_x", "power_y", "power_z"};
    for (size_t i = 0; status == TOI_OK && i < 3; i++)
      status = toi_formula_name(formula, names[i], power_of(formula, i, size[i], i < 2 ? e2 : e1));
    return status == TOI_OK ? toi_formula_name(formula, "ratio", toi_formula_constant(formula, e2 / e1)) : status;
  }
  for (size_t i = 0; status == TOI_OK && i < of->sizes; i++)
    status = toi_formula_name(formula, of->size[i], toi_formula_constant(formula, size[i]));
  return status;
}

static toi_status make_parametric(toi_context *context, const entry *of, toi_formula *formula, toi_shape **shape) {
  toi_parametric p = {.formula = formula, .u = {0, 1}, .v = {0, 1}, .edges = of->edges, .solid = of->solid};
  for (int k = 0; k < 3; k++)
    p.at[k] = toi_formula_parse(formula, of->parametric[k]);
  toi_status status = toi_formula_status(formula);
  return status == TOI_OK ? toi_shape_parametric(context, &p, shape) : status;
}

/* Half axes of an implicit shape. */
static void find_half_axes(toi_shape_kind number, const double *size, double half[3]) {
  for (int k = 0; k < 3; k++)
    if (number == TOI_SHAPE_PLANE)
      half[k] = INFINITY;
    else if (number == TOI_SHAPE_TORUS)
      half[k] = k < 2 ? size[0] + size[1] : size[1];
    else if (number == TOI_SHAPE_CAPSULE)
      half[k] = k < 2 ? size[0] : size[0] + 0.5 * size[1];
    else
      half[k] = number == TOI_SHAPE_SPHERE ? size[0] : size[k];
}

/* How far it reaches from the origin, where that is easily said. */
static double find_reach(toi_shape_kind number, const double *size) {
  switch (number) {
  case TOI_SHAPE_SPHERE:
    return size[0];
  case TOI_SHAPE_ELLIPSOID:
    return fmax(size[0], fmax(size[1], size[2]));
  case TOI_SHAPE_TORUS:
    return toi_sum_up(size[0], size[1]);
  case TOI_SHAPE_CAPSULE:
    return toi_sum_up(size[0], 0.5 * size[1]);
  case TOI_SHAPE_BUMPY_SPHERE:
    return toi_product_up(size[0], toi_sum_up(1, fabs(size[1])));
  default:
    return INFINITY;
  }
}

static toi_status make_implicit(toi_context *context, toi_shape_kind number, const double *size, toi_formula *formula,
                                toi_shape **shape) {
  toi_implicit implicit = {
      .formula = formula, .function = toi_formula_parse(formula, kinds[number].implicit), .solid = true};
  double half[3];
  find_half_axes(number, size, half);
  for (int k = 0; k < 3; k++) {
    double end = isinf(half[k]) ? half[k] : fmin(half[k] * (1 + ROOM), DBL_MAX);
    implicit.bounds[k] = (toi_interval){-end, end};
  }
  toi_status status = toi_formula_status(formula);
  return status == TOI_OK ? toi_shape_implicit(context, &implicit, shape) : status;
}

static toi_status make(toi_context *context, toi_shape_kind number, bool implicit, const double *size,
                       toi_shape **shape) {
  static const char *const uvt[] = {"u", "v", "t"}, *const xyzt[] = {"x", "y", "z", "t"};
  toi_formula *formula = NULL;
  toi_status status = toi_formula_create(context, implicit ? xyzt : uvt, implicit ? 4 : 3, &formula);
  // A whole plane has no sizes.
  if (status == TOI_OK && !(implicit && number == TOI_SHAPE_PLANE))
    status = name_sizes(formula, number, size);
  if (status == TOI_OK)
    status = implicit ? make_implicit(context, number, size, formula, shape)
                      : make_parametric(context, &kinds[number], formula, shape);
  if (status == TOI_OK) {
    (*shape)->known = true;
    if (kinds[number].goes_on)
      (*shape)->stops = 0;
    (*shape)->reach = find_reach(number, size);
  }
  toi_formula_destroy(formula);
  return status;
}

static TOI_APART toi_status make_named(toi_context *context, toi_shape_kind kind, toi_shape_form form,
                                       const double *size, toi_shape **shape) {
  toi_status status = toi_shape_begin(context, context, "", shape);
  if (status != TOI_OK)
    return status;
  if ((unsigned)kind >= TOI_SHAPE_KIND_COUNT)
    return toi_fail(context, TOI_ERROR_INPUT, "%d is not a kind of shape; toi_shape_kind_name() names them", (int)kind);
  const entry *of = &kinds[kind];
  if ((unsigned)form > TOI_SHAPE_FORM_IMPLICIT)
    return toi_fail(context, TOI_ERROR_INPUT, "form is %d; it must be TOI_SHAPE_FORM_DEFAULT, _PARAMETRIC or _IMPLICIT",
                    (int)form);
  bool implicit = (form == TOI_SHAPE_FORM_DEFAULT ? of->form : form) == TOI_SHAPE_FORM_IMPLICIT;
  const char *none = implicit ? of->no_implicit : of->no_parametric;
  if (none)
    return toi_fail(context, TOI_ERROR_UNSUPPORTED, "a %s has no %s form: %s; ask for the %s one", of->name,
                    implicit ? "implicit" : "parametric", none, implicit ? "parametric" : "implicit");
  if (!(implicit && kind == TOI_SHAPE_PLANE))
    status = check_sizes(context, kind, size);
  if (status != TOI_OK)
    return status;
  return of->faces ? toi_solid_named(context, kind, size, shape) : make(context, kind, implicit, size, shape);
}

toi_status toi_shape_library(toi_context *context, toi_shape_kind kind, toi_shape_form form, const double *size,
                             toi_shape **shape) {
  TOI_CALL(context, make_named(context, kind, form, size, shape));
}

/* --- shapes of one formula or two --- */

/* The term of the text; the sentence of a failure begins with what it is. */
static toi_status parse(toi_context *context, toi_formula *formula, const char *what, const char *text,
                        toi_term *term) {
  if (text == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "%s: the formula is missing; give one", what);
  *term = toi_formula_parse(formula, text);
  toi_status status = toi_formula_status(formula);
  return status == TOI_OK ? TOI_OK : toi_fail(context, status, "%s: %s", what, toi_context_error(context));
}

/* The angle of a revolution. It is not called u, so that a profile that speaks of u is told that there is none. */
#define TURN "turn"

void toi_shape_turn_profile(toi_formula *formula, const toi_term profile[2], toi_term at[3]) {
  toi_term angle =
      toi_formula_apply(formula, TOI_OP_MUL, toi_formula_parse(formula, "2*pi"), toi_formula_variable(formula, 0));
  at[0] =
      toi_formula_apply(formula, TOI_OP_MUL, profile[0], toi_formula_apply(formula, TOI_OP_COS, angle, TOI_NO_TERM));
  at[1] =
      toi_formula_apply(formula, TOI_OP_MUL, profile[0], toi_formula_apply(formula, TOI_OP_SIN, angle, TOI_NO_TERM));
  at[2] = profile[1];
}

/* x, y, z from the formulas, and what sentences call them: of a profile (radius, height) that is turned, or of a height
 * alone, which has all edges. */
static toi_status make_from_text(toi_context *context, const char *radius, const char *height, toi_parametric *p,
                                 toi_shape **shape) {
  static const char *const turned[] = {TURN, "v", "t"}, *const plain[] = {"u", "v", "t"};
  static const char *const turned_parts[] = {"radius", "radius", "height"}, *const plain_parts[] = {"u", "v", "height"};
  const bool turns = p->edges != TOI_EDGES;
  toi_formula *formula = NULL;
  toi_term profile[2] = {TOI_NO_TERM, TOI_NO_TERM};
  toi_status status = toi_formula_create(context, turns ? turned : plain, 3, &formula);
  if (status == TOI_OK && turns)
    status = parse(context, formula, "radius", radius, &profile[0]);
  if (status == TOI_OK)
    status = parse(context, formula, "height", height, &profile[1]);
  if (status == TOI_OK && turns)
    toi_shape_turn_profile(formula, profile, p->at);
  else if (status == TOI_OK)
    memcpy(p->at, (toi_term[3]){toi_formula_variable(formula, 0), toi_formula_variable(formula, 1), profile[1]},
           sizeof p->at);
  if (status == TOI_OK)
    status = toi_formula_status(formula);
  p->formula = formula;
  if (status == TOI_OK)
    status = toi_shape_parametric(context, p, shape);
  if (status == TOI_OK)
    (*shape)->parts = turns ? turned_parts : plain_parts;
  toi_formula_destroy(formula);
  return status;
}

static TOI_APART toi_status make_revolution(toi_context *context, const char *radius, const char *height,
                                            toi_interval v, uint32_t edges, bool solid, toi_shape **shape) {
  const toi_status status = toi_shape_begin(context, context, "", shape);
  if (status != TOI_OK)
    return status;
  if (edges & ~(uint32_t)TOI_EDGES_V)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "edges is %u; a surface of revolution has TOI_EDGE_V_LO and TOI_EDGE_V_HI", (unsigned)edges);
  toi_parametric p = {.u = {0, 1}, .v = v, .edges = edges, .solid = solid};
  return make_from_text(context, radius, height, &p, shape);
}

toi_status toi_shape_revolution(toi_context *context, const char *radius, const char *height, toi_interval v,
                                uint32_t edges, bool solid, toi_shape **shape) {
  TOI_CALL(context, make_revolution(context, radius, height, v, edges, solid, shape));
}

static TOI_APART toi_status make_height_field(toi_context *context, const char *height, toi_interval u, toi_interval v,
                                              toi_shape **shape) {
  const toi_status status = toi_shape_begin(context, context, "", shape);
  toi_parametric p = {.u = u, .v = v, .edges = TOI_EDGES};
  return status == TOI_OK ? make_from_text(context, NULL, height, &p, shape) : status;
}

toi_status toi_shape_height_field(toi_context *context, const char *height, toi_interval u, toi_interval v,
                                  toi_shape **shape) {
  TOI_CALL(context, make_height_field(context, height, u, v, shape));
}
