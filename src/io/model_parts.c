/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* NURBS surfaces and Hermite patches in JSON files.
 *
 * Promise: memory follows what has arrived; what is left to the makers of models to refuse is refused with the line
 * where it began. */

#include "io/model_parts.h"

#include <stdio.h>
#include <string.h>

#include "io/array.h"
#include "io/patch.h"

toi_status toi_json_fail_made(const toi_json *json, const char *field, size_t line, toi_status status) {
  if (status != TOI_ERROR_INPUT)
    return status;
  // The path says already what it is.
  const char *sentence = toi_context_error(json->context);
  static const char *const known[] = {"NURBS: ", "Hermite: "};
  for (size_t i = 0; i < 2; i++)
    sentence += strncmp(sentence, known[i], strlen(known[i])) == 0 ? strlen(known[i]) : 0;
  return toi_json_fail_field(json, field, line, "%s", sentence);
}

/* --- NURBS surfaces --- */

/* A list of rows of equal length. */
typedef struct grid {
  toi_numbers numbers;
  size_t size[2]; /* rows, and values in each */
  bool given;
} grid;

typedef struct nurbs_draft {
  toi_nurbs nurbs;
  grid points, velocities, weights;
  toi_numbers knots[2];
} nurbs_draft;

static toi_status read_degree(toi_json *json, void *user) {
  return toi_patch_read_degree(json, 1, ((nurbs_draft *)user)->nurbs.degree);
}

/* Knots that do not decrease. */
static toi_status read_vector(toi_json *json, toi_numbers *knots) {
  toi_status status = toi_json_list(json, "a list of knots");
  while (toi_json_more(json, &status)) {
    status = toi_numbers_reserve(json->context, knots, 1);
    if (status != TOI_OK)
      break;
    double *knot = knots->values + knots->count;
    status = toi_json_number(json, knot);
    if (status == TOI_OK && knots->count > 0 && knot[0] < knot[-1])
      return toi_json_fail(json, "%.17g is below the knot before it, %.17g; knots must not decrease", knot[0],
                           knot[-1]);
    knots->count++;
  }
  return status;
}

static toi_status read_knots(toi_json *json, void *user) {
  nurbs_draft *draft = user;
  toi_status status = toi_json_list(json, "a list of knots in u, and one in v,");
  size_t count = 0;
  while (toi_json_more(json, &status)) {
    if (count == 2)
      return toi_json_fail(json, "a third list of knots; there is one in u and one in v");
    status = read_vector(json, &draft->knots[count++]);
  }
  if (status == TOI_OK && count < 2)
    return toi_json_fail(json, "%zu lists of knots where two belong: in u, and in v", count);
  return status;
}

/* [true, false], or one for both. */
static toi_status read_periodic(toi_json *json, void *user) {
  bool *periodic = ((nurbs_draft *)user)->nurbs.periodic;
  toi_json_kind kind;
  toi_status status = toi_json_peek(json, &kind);
  if (status == TOI_OK && kind != TOI_JSON_LIST) {
    status = toi_json_bool(json, &periodic[0]);
    periodic[1] = periodic[0];
    return status;
  }
  if (status == TOI_OK)
    status = toi_json_list(json, "a list");
  size_t count = 0;
  while (toi_json_more(json, &status)) {
    if (count == 2)
      return toi_json_fail(json, "a third value where two belong: in u, and in v");
    status = toi_json_bool(json, &periodic[count++]);
  }
  if (status == TOI_OK && count < 2)
    return toi_json_fail(json, "%zu values where two belong: in u, and in v", count);
  return status;
}

/* Values of this many numbers each: points, or weights. */
static toi_status read_row(toi_json *json, grid *g, size_t width, size_t *count) {
  toi_status status = toi_json_list(json, width == 3 ? "a list of [x, y, z]" : "a list of weights");
  for (*count = 0; toi_json_more(json, &status); ++*count) {
    status = toi_numbers_reserve(json->context, &g->numbers, width);
    if (status != TOI_OK)
      break;
    double *values = g->numbers.values + g->numbers.count;
    status = width == 3 ? toi_json_numbers(json, values, 3) : toi_patch_read_weight(json, values);
    g->numbers.count += width;
  }
  return status;
}

static toi_status read_grid(toi_json *json, grid *g, size_t width) {
  g->given = true;
  toi_status status = toi_json_list(json, "a list of rows in u");
  for (; toi_json_more(json, &status); g->size[0]++) {
    size_t count;
    status = read_row(json, g, width, &count);
    if (g->size[0] == 0)
      g->size[1] = count;
    if (status == TOI_OK && count != g->size[1])
      return toi_json_fail(json, "a row of %zu, but the first has %zu; all have the same", count, g->size[1]);
  }
  return status;
}

static toi_status read_points(toi_json *json, void *user) {
  return read_grid(json, &((nurbs_draft *)user)->points, 3);
}

static toi_status read_velocities(toi_json *json, void *user) {
  bool null;
  const toi_status status = toi_json_null(json, &null);
  return status != TOI_OK || null ? status : read_grid(json, &((nurbs_draft *)user)->velocities, 3);
}

static toi_status read_weights(toi_json *json, void *user) {
  bool null;
  const toi_status status = toi_json_null(json, &null);
  return status != TOI_OK || null ? status : read_grid(json, &((nurbs_draft *)user)->weights, 1);
}

enum { POINTS, VELOCITIES, WEIGHTS, NURBS_DEGREE, KNOTS, PERIODIC, NURBS_NAME, NURBS_COMMENT, MOVING, NURBS_FIELDS };

static const toi_json_field nurbs_fields[NURBS_FIELDS] = {
    [POINTS] = {"points", read_points, true, NULL},
    [VELOCITIES] = {"velocities", read_velocities, false, NULL},
    [WEIGHTS] = {"weights", read_weights, false, NULL},
    [NURBS_DEGREE] = {"degree", read_degree, true, NULL},
    [KNOTS] = {"knots", read_knots, true, NULL},
    [PERIODIC] = {"periodic", read_periodic, false, NULL},
    [NURBS_NAME] = {"name", toi_json_remark, false, NULL},
    [NURBS_COMMENT] = {"comment", toi_json_remark, false, NULL},
    [MOVING] = {"weight_velocities", NULL, false, TOI_PATCH_WEIGHTS_REST},
};

/* Velocities and weights are rows like those of the points. */
static toi_status check_grids(const toi_json *json, const nurbs_draft *draft, const size_t *lines) {
  const size_t *size = draft->points.size;
  const grid *const others[] = {&draft->points, &draft->velocities, &draft->weights};
  if (size[0] == 0 || size[1] == 0)
    return toi_json_fail_field(json, "points", lines[POINTS], "no control points; give them as rows in u");
  for (size_t i = VELOCITIES; i <= WEIGHTS; i++)
    if (others[i]->given && memcmp(others[i]->size, size, sizeof draft->points.size) != 0)
      return toi_json_fail_field(json, nurbs_fields[i].name, lines[i],
                                 "%zu rows of %zu, but there are %zu rows of %zu control points; give one to each",
                                 others[i]->size[0], others[i]->size[1], size[0], size[1]);
  return TOI_OK;
}

static toi_status make_nurbs(const toi_json *json, nurbs_draft *draft, toi_model *model) {
  toi_nurbs *nurbs = &draft->nurbs;
  for (size_t k = 0; k < 2; k++) {
    nurbs->count[k] = draft->points.size[k];
    nurbs->knots[k] = draft->knots[k].values;
    nurbs->knot_count[k] = draft->knots[k].count;
  }
  nurbs->points = (const double(*)[3])draft->points.numbers.values;
  if (draft->velocities.given)
    nurbs->velocities = (const double(*)[3])draft->velocities.numbers.values;
  if (draft->weights.given)
    nurbs->weights = draft->weights.numbers.values;
  return toi_model_from_nurbs(json->context, nurbs, model);
}

toi_status toi_nurbs_read(toi_json *json, toi_model *model) {
  static const toi_json_form form = {"a NURBS surface", nurbs_fields, NURBS_FIELDS};
  *model = (toi_model){0};
  nurbs_draft draft = {0};
  size_t lines[NURBS_FIELDS];
  const size_t line = toi_json_line(json);
  toi_status status = toi_json_object(json, &form, &draft, lines);
  if (status == TOI_OK)
    status = check_grids(json, &draft, lines);
  if (status == TOI_OK)
    status = toi_json_fail_made(json, NULL, line, make_nurbs(json, &draft, model));
  toi_numbers *const all[] = {&draft.points.numbers, &draft.velocities.numbers, &draft.weights.numbers, &draft.knots[0],
                              &draft.knots[1]};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    toi_numbers_free(json->context, all[i]);
  return status;
}

/* --- Hermite patches --- */

typedef struct hermite_draft {
  double corners[4][4][3], velocities[4][4][3];
  bool moving;
} hermite_draft;

/* Four of four triples. */
static toi_status read_corners(toi_json *json, double corners[4][4][3]) {
  size_t corner = 0;
  toi_status status = toi_json_list(json, "a list of four corners");
  for (; toi_json_more(json, &status); corner++) {
    if (corner == 4)
      return toi_json_fail(json, "a fifth corner; a patch has four");
    size_t vector = 0;
    status = toi_json_list(json, "a list of position, d/du, d/dv and d2/dudv");
    for (; toi_json_more(json, &status); vector++) {
      if (vector == 4)
        return toi_json_fail(json, "a fifth vector; a corner has position, d/du, d/dv and d2/dudv");
      status = toi_json_numbers(json, corners[corner][vector], 3);
    }
    if (status == TOI_OK && vector < 4)
      return toi_json_fail(json, "%zu vectors; a corner has four: position, d/du, d/dv and d2/dudv", vector);
  }
  if (status == TOI_OK && corner < 4)
    return toi_json_fail(json, "%zu corners; a patch has four", corner);
  return status;
}

static toi_status read_places(toi_json *json, void *user) {
  return read_corners(json, ((hermite_draft *)user)->corners);
}

static toi_status read_motions(toi_json *json, void *user) {
  hermite_draft *draft = user;
  bool null;
  const toi_status status = toi_json_null(json, &null);
  if (status != TOI_OK || null)
    return status;
  draft->moving = true;
  return read_corners(json, draft->velocities);
}

toi_status toi_hermite_read(toi_json *json, toi_model *model) {
  static const toi_json_field fields[] = {
      {"corners", read_places, true, NULL},
      {"velocities", read_motions, false, NULL},
      {"name", toi_json_remark, false, NULL},
      {"comment", toi_json_remark, false, NULL},
  };
  static const toi_json_form form = {"a Hermite patch", fields, sizeof fields / sizeof fields[0]};
  *model = (toi_model){0};
  hermite_draft draft = {0};
  const size_t line = toi_json_line(json);
  const toi_status status = toi_json_object(json, &form, &draft, NULL);
  if (status != TOI_OK)
    return status;
  return toi_json_fail_made(json, NULL, line,
                            toi_model_from_hermite(json->context, (const double(*)[4][3])draft.corners,
                                                   draft.moving ? (const double(*)[4][3])draft.velocities : NULL,
                                                   model));
}
