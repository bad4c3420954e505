/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Patches in JSON files.
 *
 * Promise: what is read is a patch: as many control points, velocities and weights as its degree asks for, all finite,
 * the weights positive. Fields may come in any order, so counts are compared when all are there. */

#include "io/patch.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "io/array.h"

/* --- fields --- */

static toi_status read_type(toi_json *json, void *user) {
  static const char *const names[] = {"quad", "triangle"};
  toi_patch_draft *draft = user;
  size_t number = 0;
  const toi_status status = toi_json_choice(json, names, 2, &number);
  draft->patch.shape = number == 0 ? TOI_PATCH_QUAD : TOI_PATCH_TRIANGLE;
  return status;
}

toi_status toi_patch_read_degree(toi_json *json, uint32_t least, uint32_t degree[2]) {
  toi_json_kind kind;
  toi_status status = toi_json_peek(json, &kind);
  if (status != TOI_OK)
    return status;
  if (kind != TOI_JSON_LIST) {
    status = toi_json_integer(json, least, TOI_PATCH_DEGREE_MOST, &degree[0]);
    degree[1] = degree[0];
    return status;
  }
  status = toi_json_list(json, "a list");
  size_t count = 0;
  while (toi_json_more(json, &status)) {
    if (count == 2)
      return toi_json_fail(json, "a third degree; there is one in u and one in v");
    status = toi_json_integer(json, least, TOI_PATCH_DEGREE_MOST, &degree[count++]);
  }
  if (status == TOI_OK && count < 2)
    return toi_json_fail(json, "%zu degrees in a list; write [m, n], or one number for both", count);
  return status;
}

static toi_status read_degree(toi_json *json, void *user) {
  return toi_patch_read_degree(json, 0, ((toi_patch_draft *)user)->patch.degree);
}

/* Points or velocities. */
static toi_status read_triples(toi_json *json, double (*triples)[3], size_t *count) {
  toi_status status = toi_json_list(json, "a list of [x, y, z]");
  while (toi_json_more(json, &status)) {
    if (*count == TOI_PATCH_POINTS_MOST)
      return toi_json_fail(json, "more than the %d control points of the largest patch; split the surface",
                           TOI_PATCH_POINTS_MOST);
    status = toi_json_numbers(json, triples[(*count)++], 3);
  }
  return status;
}

static toi_status read_points(toi_json *json, void *user) {
  toi_patch_draft *draft = user;
  draft->patch.points = (const double(*)[3])draft->points;
  return read_triples(json, draft->points, &draft->point_count);
}

static toi_status read_velocities(toi_json *json, void *user) {
  toi_patch_draft *draft = user;
  bool null;
  const toi_status status = toi_json_null(json, &null);
  if (status != TOI_OK || null)
    return status;
  draft->patch.velocities = (const double(*)[3])draft->velocities;
  return read_triples(json, draft->velocities, &draft->velocity_count);
}

toi_status toi_patch_read_weight(toi_json *json, double *weight) {
  toi_json_kind kind;
  const toi_status status = toi_json_peek(json, &kind);
  if (status == TOI_OK && kind == TOI_JSON_LIST)
    return toi_json_fail(json, "a list where a weight belongs; weights are numbers and cannot move");
  return status == TOI_OK ? toi_json_number_above(json, 0, weight) : status;
}

static toi_status read_weights(toi_json *json, void *user) {
  toi_patch_draft *draft = user;
  bool null;
  toi_status status = toi_json_null(json, &null);
  if (status != TOI_OK || null)
    return status;
  draft->patch.weights = draft->weights;
  status = toi_json_list(json, "a list of numbers");
  while (toi_json_more(json, &status)) {
    if (draft->weight_count == TOI_PATCH_POINTS_MOST)
      return toi_json_fail(json, "more than the %d weights of the largest patch; split the surface",
                           TOI_PATCH_POINTS_MOST);
    status = toi_patch_read_weight(json, &draft->weights[draft->weight_count++]);
  }
  return status;
}

static toi_status read_bound(toi_json *json, double *error) {
  const toi_status status = toi_json_number(json, error);
  if (status == TOI_OK && *error < 0)
    return toi_json_fail(json, "must not be negative, as %.17g is: it bounds a distance", *error);
  return status;
}

static toi_status read_error(toi_json *json, void *user) {
  return read_bound(json, &((toi_patch_draft *)user)->patch.error);
}

static toi_status read_velocity_error(toi_json *json, void *user) {
  return read_bound(json, &((toi_patch_draft *)user)->patch.velocity_error);
}

static toi_status read_domain(toi_json *json, void *user) {
  toi_patch_draft *draft = user;
  draft->has_domain = true;
  return toi_json_numbers(json, draft->domain, 4);
}

/* --- the patch --- */

enum { TYPE, DEGREE, POINTS, VELOCITIES, WEIGHTS, ERROR, VELOCITY_ERROR, NAME, COMMENT, MOVING, DOMAIN, FIELD_COUNT };

static const toi_json_field fields[FIELD_COUNT] = {
    [TYPE] = {"type", read_type, true, NULL},
    [DEGREE] = {"degree", read_degree, true, NULL},
    [POINTS] = {"points", read_points, true, NULL},
    [VELOCITIES] = {"velocities", read_velocities, false, NULL},
    [WEIGHTS] = {"weights", read_weights, false, NULL},
    [ERROR] = {"error", read_error, false, NULL},
    [VELOCITY_ERROR] = {"velocity_error", read_velocity_error, false, NULL},
    [NAME] = {"name", toi_json_remark, false, NULL},
    [COMMENT] = {"comment", toi_json_remark, false, NULL},
    [MOVING] = {"weight_velocities", NULL, false, TOI_PATCH_WEIGHTS_REST},
    [DOMAIN] = {"domain", read_domain, false, NULL},
};

/* Which of the lists has another length than the degree asks for. */
static toi_status check_counts(const toi_json *json, const toi_patch_draft *draft, const size_t *lines) {
  const toi_patch *patch = &draft->patch;
  const bool quad = patch->shape == TOI_PATCH_QUAD;
  if (!quad && patch->degree[0] != patch->degree[1])
    return toi_json_fail_field(json, "degree", lines[DEGREE],
                               "[%u, %u], but a triangle has one degree; write it as a number",
                               (unsigned)patch->degree[0], (unsigned)patch->degree[1]);
  const size_t wanted = toi_patch_points(patch->shape, patch->degree);
  char degree[32];
  snprintf(degree, sizeof degree, quad ? "[%u, %u]" : "%u", (unsigned)patch->degree[0], (unsigned)patch->degree[1]);
  const char *shape = quad ? "quad" : "triangle";
  if (wanted == 0)
    return toi_json_fail_field(json, "degree", lines[DEGREE], "a %s of degree %s does not exist; choose another degree",
                               shape, degree);
  const size_t counts[] = {draft->point_count, draft->velocity_count, draft->weight_count};
  const bool there[] = {true, patch->velocities != NULL, patch->weights != NULL};
  static const char *const what[] = {"control points", "velocities", "weights"};
  for (size_t i = 0; i < 3; i++)
    if (there[i] && counts[i] != wanted)
      return toi_json_fail_field(json, fields[POINTS + i].name, lines[POINTS + i],
                                 "%zu %s, but a %s of degree %s has %zu; correct one of them", counts[i], what[i],
                                 shape, degree, wanted);
  return TOI_OK;
}

toi_status toi_patch_read(toi_json *json, toi_patch_draft *draft, bool of_model) {
  static_assert(DOMAIN == FIELD_COUNT - 1, "without the last field it is the form of a case's patch");
  const toi_json_form form = {"a patch", fields, of_model ? FIELD_COUNT : FIELD_COUNT - 1};
  draft->patch = (toi_patch){0};
  draft->has_domain = false;
  draft->point_count = draft->velocity_count = draft->weight_count = 0;
  size_t lines[FIELD_COUNT];
  const toi_status status = toi_json_object(json, &form, draft, lines);
  return status == TOI_OK ? check_counts(json, draft, lines) : status;
}

/* --- writing --- */

static void write_triples(toi_writer *w, const char *name, const double (*triples)[3], size_t count) {
  toi_writer_text(w, name);
  for (size_t i = 0; i < count; i++) {
    toi_writer_text(w, i == 0 ? "[" : ",");
    toi_writer_numbers(w, triples[i], 3);
  }
  toi_writer_text(w, "]");
}

static void write_bound(toi_writer *w, const char *name, double bound) {
  if (bound == 0)
    return;
  toi_writer_text(w, name);
  toi_writer_number(w, bound);
}

void toi_patch_write(toi_writer *w, const toi_patch *patch, const double *domain) {
  const size_t count = toi_patch_points(patch->shape, patch->degree);
  const bool quad = patch->shape == TOI_PATCH_QUAD;
  char head[80];
  snprintf(head, sizeof head, quad ? "{\"type\":\"quad\",\"degree\":[%u,%u]" : "{\"type\":\"triangle\",\"degree\":%u",
           (unsigned)patch->degree[0], (unsigned)patch->degree[1]);
  toi_writer_text(w, head);
  write_triples(w, ",\"points\":", patch->points, count);
  if (patch->velocities != NULL)
    write_triples(w, ",\"velocities\":", patch->velocities, count);
  if (patch->weights != NULL) {
    toi_writer_text(w, ",\"weights\":");
    toi_writer_numbers(w, patch->weights, count);
  }
  write_bound(w, ",\"error\":", patch->error);
  write_bound(w, ",\"velocity_error\":", patch->velocity_error);
  if (domain != NULL) {
    toi_writer_text(w, ",\"domain\":");
    toi_writer_numbers(w, domain, 4);
  }
  toi_writer_text(w, "}");
}

/* --- many of them --- */

static void append(toi_numbers *numbers, const double *values, size_t count) {
  memcpy(numbers->values + numbers->count, values, count * sizeof *values);
  numbers->count += count;
  assert(numbers->count <= numbers->room);
}

toi_status toi_patch_store(toi_context *context, toi_numbers *numbers, const toi_patch *patch) {
  const size_t points = toi_patch_points(patch->shape, patch->degree);
  const toi_status status = toi_numbers_reserve(context, numbers, 7 * points);
  if (status != TOI_OK)
    return status;
  append(numbers, patch->points[0], 3 * points);
  if (patch->velocities != NULL)
    append(numbers, patch->velocities[0], 3 * points);
  if (patch->weights != NULL)
    append(numbers, patch->weights, points);
  return TOI_OK;
}

void toi_patch_bind(toi_patch *patch, const double **next) {
  const size_t points = toi_patch_points(patch->shape, patch->degree);
  patch->points = (const double(*)[3]) * next;
  *next += 3 * points;
  if (patch->velocities != NULL) {
    patch->velocities = (const double(*)[3]) * next;
    *next += 3 * points;
  }
  if (patch->weights != NULL) {
    patch->weights = *next;
    *next += points;
  }
}
