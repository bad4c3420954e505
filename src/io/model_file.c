/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Models in JSON files: {"patches": [PATCH, ...]}, {"nurbs": NURBS or a list}, {"hermite": HERMITE or a list}, or
 * {"shape": NAME, ...}; a "scale", a "shift" and a "velocity" of the whole may stand beside them, and are applied in
 * this order.
 *
 * Promise: what is read can be asked about; all of it lies in one block, patches first, then domains, then the numbers
 * of one patch after the other. What is written reads back bit for bit. */

#include <toi/io.h>

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"
#include "io/array.h"
#include "io/model_parts.h"
#include "io/patch.h"
#include "surface/builder.h"
#include "surface/surface.h"

enum {
  PATCHES,
  NURBS,
  HERMITE,
  SHAPE,
  SCALE,
  SHIFT,
  VELOCITY,
  RADIUS,
  HEIGHT,
  RING_RADIUS,
  TUBE_RADIUS,
  NAME,
  COMMENT,
  FIELD_COUNT
};

#define LENGTHS (TUBE_RADIUS - RADIUS + 1)

/* Patches that are being gathered. */
typedef struct gathered {
  toi_context *context;
  toi_patch *patches;
  size_t count, room;
  toi_numbers domains; /* 4 a patch */
  bool cut;            /* some of the domains say something */
  toi_numbers numbers;
} gathered;

typedef struct reader {
  toi_json json;
  gathered g;
  toi_patch_draft draft;
  size_t shape;
  double lengths[LENGTHS];
  double scale, shift[3], velocity[3];
} reader;

/* --- gathering --- */

/* domain NULL: the patch is cut from nothing. */
static toi_status add_patch(gathered *g, const toi_patch *patch, const double *domain) {
  static const double whole[4] = {0, 1, 0, 1};
  if (g->count == g->room) {
    void *patches = g->patches;
    const toi_status status =
        toi_array_reserve(g->context, &patches, &g->room, sizeof *g->patches, toi_array_larger(g->room));
    g->patches = patches;
    if (status != TOI_OK)
      return status;
  }
  toi_status status = toi_numbers_reserve(g->context, &g->domains, 4);
  if (status == TOI_OK)
    status = toi_patch_store(g->context, &g->numbers, patch);
  if (status != TOI_OK)
    return status;
  memcpy(g->domains.values + g->domains.count, domain == NULL ? whole : domain, sizeof whole);
  g->domains.count += 4;
  g->cut = g->cut || domain != NULL;
  g->patches[g->count++] = *patch;
  return TOI_OK;
}

/* Adds a model and frees it. */
static toi_status add_model(gathered *g, toi_model *model) {
  toi_status status = TOI_OK;
  for (size_t i = 0; i < model->patch_count && status == TOI_OK; i++)
    status = add_patch(g, &model->patches[i], model->domains == NULL ? NULL : model->domains[i]);
  toi_model_free(g->context, model);
  return status;
}

static void gathered_free(gathered *g) {
  toi_free(g->context, g->patches, g->room * sizeof *g->patches);
  toi_numbers_free(g->context, &g->domains);
  toi_numbers_free(g->context, &g->numbers);
}

/* One block of all that was gathered. */
static toi_status finish(const gathered *g, toi_model *model) {
  const size_t domains = g->cut ? g->domains.count : 0;
  const size_t bytes = g->count * sizeof *g->patches + (domains + g->numbers.count) * sizeof(double);
  char *block = toi_allocate(g->context, bytes);
  if (block == NULL)
    return TOI_ERROR_MEMORY;
  static_assert(sizeof(toi_patch) % _Alignof(double) == 0, "patches lie before doubles");
  toi_patch *patches = (toi_patch *)(void *)block;
  double *doubles = (double *)(void *)(block + g->count * sizeof *g->patches);
  memcpy(patches, g->patches, g->count * sizeof *patches);
  if (g->cut)
    memcpy(doubles, g->domains.values, domains * sizeof *doubles);
  memcpy(doubles + domains, g->numbers.values, g->numbers.count * sizeof *doubles);
  const double *next = doubles + domains;
  for (size_t i = 0; i < g->count; i++)
    toi_patch_bind(&patches[i], &next);
  *model = (toi_model){.patches = patches,
                       .patch_count = g->count,
                       .domains = g->cut ? (const double(*)[4])doubles : NULL,
                       .owned = block,
                       .owned_bytes = bytes};
  return TOI_OK;
}

/* --- fields --- */

static toi_status read_patches(toi_json *json, void *user) {
  reader *r = user;
  toi_status status = toi_json_list(json, "a list of patches");
  while (toi_json_more(json, &status)) {
    status = toi_patch_read(json, &r->draft, true);
    if (status == TOI_OK)
      status = add_patch(&r->g, &r->draft.patch, r->draft.has_domain ? r->draft.domain : NULL);
  }
  return status;
}

typedef toi_status (*part_reader)(toi_json *json, toi_model *model);

static toi_status read_part(reader *r, part_reader read) {
  toi_model model;
  const toi_status status = read(&r->json, &model);
  return status == TOI_OK ? add_model(&r->g, &model) : status;
}

/* One, or a list of them. */
static toi_status read_parts(reader *r, part_reader read) {
  toi_json_kind kind;
  toi_status status = toi_json_peek(&r->json, &kind);
  if (status != TOI_OK)
    return status;
  if (kind != TOI_JSON_LIST)
    return read_part(r, read);
  status = toi_json_list(&r->json, "a list");
  while (toi_json_more(&r->json, &status))
    status = read_part(r, read);
  return status;
}

static toi_status read_nurbs(toi_json *json, void *user) {
  (void)json;
  return read_parts(user, toi_nurbs_read);
}

static toi_status read_hermite(toi_json *json, void *user) {
  (void)json;
  return read_parts(user, toi_hermite_read);
}

static toi_status read_radius(toi_json *json, void *user) {
  return toi_json_number_above(json, 0, &((reader *)user)->lengths[0]);
}

static toi_status read_height(toi_json *json, void *user) {
  return toi_json_number_above(json, 0, &((reader *)user)->lengths[HEIGHT - RADIUS]);
}

static toi_status read_ring_radius(toi_json *json, void *user) {
  return toi_json_number_above(json, 0, &((reader *)user)->lengths[RING_RADIUS - RADIUS]);
}

static toi_status read_tube_radius(toi_json *json, void *user) {
  return toi_json_number_above(json, 0, &((reader *)user)->lengths[TUBE_RADIUS - RADIUS]);
}

static toi_status read_scale(toi_json *json, void *user) {
  return toi_json_number_above(json, 0, &((reader *)user)->scale);
}

static toi_status read_shift(toi_json *json, void *user) {
  return toi_json_numbers(json, ((reader *)user)->shift, 3);
}

static toi_status read_velocity(toi_json *json, void *user) {
  return toi_json_numbers(json, ((reader *)user)->velocity, 3);
}

/* --- shapes --- */

static const char *const shape_names[] = {"teapot", "sphere", "cylinder", "torus"};
enum { TEAPOT, SPHERE, CYLINDER, TORUS, SHAPE_COUNT };

/* Which lengths each of them has. */
static const bool shape_lengths[SHAPE_COUNT][LENGTHS] = {
    [SPHERE] = {true}, [CYLINDER] = {true, true}, [TORUS] = {false, false, true, true}};

static toi_status read_shape(toi_json *json, void *user) {
  return toi_json_choice(json, shape_names, SHAPE_COUNT, &((reader *)user)->shape);
}

static toi_status make_shape(const reader *r, toi_model *model) {
  toi_context *context = r->json.context;
  switch (r->shape) {
  case SPHERE:
    return toi_model_sphere(context, r->lengths[0], model);
  case CYLINDER:
    return toi_model_cylinder(context, r->lengths[0], r->lengths[1], model);
  case TORUS:
    return toi_model_torus(context, r->lengths[2], r->lengths[3], model);
  default:
    return toi_model_teapot(context, model);
  }
}

/* --- the whole --- */

static const toi_json_field fields[FIELD_COUNT] = {
    [PATCHES] = {"patches", read_patches, false, NULL},
    [NURBS] = {"nurbs", read_nurbs, false, NULL},
    [HERMITE] = {"hermite", read_hermite, false, NULL},
    [SHAPE] = {"shape", read_shape, false, NULL},
    [SCALE] = {"scale", read_scale, false, NULL},
    [SHIFT] = {"shift", read_shift, false, NULL},
    [VELOCITY] = {"velocity", read_velocity, false, NULL},
    [RADIUS] = {"radius", read_radius, false, NULL},
    [HEIGHT] = {"height", read_height, false, NULL},
    [RING_RADIUS] = {"ring_radius", read_ring_radius, false, NULL},
    [TUBE_RADIUS] = {"tube_radius", read_tube_radius, false, NULL},
    [NAME] = {"name", toi_json_remark, false, NULL},
    [COMMENT] = {"comment", toi_json_remark, false, NULL},
};

/* One source, and the lengths that it needs. */
static toi_status check_fields(const reader *r, const size_t *lines) {
  size_t source = FIELD_COUNT;
  for (size_t i = PATCHES; i <= SHAPE; i++) {
    if (lines[i] != 0 && source != FIELD_COUNT)
      return toi_json_fail_field(&r->json, fields[i].name, lines[i],
                                 "the model already has \"%s\"; give one of them, and the other its own file",
                                 fields[source].name);
    source = lines[i] != 0 ? i : source;
  }
  if (source == FIELD_COUNT)
    return toi_json_fail(&r->json, "an empty model; give it patches, nurbs, hermite or shape");
  const bool shaped = source == SHAPE;
  const char *what = shaped ? shape_names[r->shape] : "model without a shape";
  for (size_t i = 0; i < LENGTHS; i++) {
    const bool needed = shaped && shape_lengths[r->shape][i], there = lines[RADIUS + i] != 0;
    const char *name = fields[RADIUS + i].name;
    if (needed && !there)
      return toi_json_fail_field(&r->json, "shape", lines[SHAPE], "a %s needs the field \"%s\"; add it", what, name);
    if (there && !needed)
      return toi_json_fail_field(&r->json, name, lines[RADIUS + i], "a %s has no %s; remove it", what, name);
  }
  return TOI_OK;
}

/* The model as it is, before it is scaled and moved. */
static toi_status make_model(const reader *r, const size_t *lines, toi_model *model) {
  if (lines[SHAPE] != 0)
    return toi_json_fail_made(&r->json, "shape", lines[SHAPE], make_shape(r, model));
  if (r->g.count == 0)
    return toi_json_fail(&r->json, "a model without patches; give it one at least");
  return finish(&r->g, model);
}

static toi_status place_model(const reader *r, const size_t *lines, toi_model *model) {
  toi_context *context = r->json.context;
  toi_status status = TOI_OK;
  if (lines[SCALE] != 0)
    status = toi_json_fail_made(&r->json, "scale", lines[SCALE], toi_model_scale(context, model, r->scale));
  if (status != TOI_OK || (lines[SHIFT] == 0 && lines[VELOCITY] == 0))
    return status;
  const size_t field = lines[SHIFT] != 0 ? SHIFT : VELOCITY;
  toi_model moved;
  status = toi_json_fail_made(&r->json, fields[field].name, lines[field],
                              toi_model_moved(context, model, r->shift, r->velocity, &moved));
  if (status != TOI_OK)
    return status;
  toi_model_free(context, model);
  *model = moved;
  return TOI_OK;
}

static toi_status read_model(reader *r, toi_model *model) {
  static const toi_json_form form = {"a model", fields, FIELD_COUNT};
  size_t lines[FIELD_COUNT];
  toi_status status = toi_json_object(&r->json, &form, r, lines);
  if (status == TOI_OK && r->json.node == NULL)
    status = toi_json_end(&r->json);
  if (status == TOI_OK)
    status = check_fields(r, lines);
  if (status == TOI_OK)
    status = make_model(r, lines, model);
  if (status == TOI_OK)
    status = place_model(r, lines, model);
  if (status != TOI_OK)
    toi_model_free(r->json.context, model);
  return status;
}

static reader *new_reader(toi_context *context) {
  reader *r = toi_allocate(context, sizeof *r);
  if (r == NULL)
    return NULL;
  memset(r, 0, sizeof *r);
  r->g.context = context;
  return r;
}

static void free_reader(reader *r) {
  toi_context *context = r->g.context;
  gathered_free(&r->g);
  toi_free(context, r, sizeof *r);
}

static toi_status read_file(toi_context *context, const char *path, toi_model *model) {
  reader *r = new_reader(context);
  if (r == NULL)
    return TOI_ERROR_MEMORY;
  toi_status status = toi_json_open(&r->json, context, path, false);
  if (status == TOI_OK) {
    status = read_model(r, model);
    toi_json_close(&r->json);
  }
  free_reader(r);
  return status;
}

/* A patch by itself. */
static toi_status read_single(reader *r, toi_model *model) {
  toi_status status = toi_patch_read(&r->json, &r->draft, true);
  if (status == TOI_OK)
    status = add_patch(&r->g, &r->draft.patch, r->draft.has_domain ? r->draft.domain : NULL);
  return status == TOI_OK ? finish(&r->g, model) : status;
}

toi_status toi_model_from_tree(const toi_tree *tree, const toi_json_node *node, toi_model_part part, toi_model *model) {
  *model = (toi_model){0};
  reader *r = new_reader(tree->context);
  if (r == NULL)
    return TOI_ERROR_MEMORY;
  toi_json_from_tree(&r->json, tree, node);
  const toi_status status = part == TOI_MODEL_PATCH   ? read_single(r, model)
                            : part == TOI_MODEL_NURBS ? toi_nurbs_read(&r->json, model)
                                                      : read_model(r, model);
  free_reader(r);
  return status;
}

static TOI_APART toi_status read_model_file(toi_context *context, const char *path, toi_model *model) {
  if (context == NULL || path == NULL || model == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_model_read needs a context, a path and a place for its result");
  *model = (toi_model){0};
  // Decimal numbers are rounded on the way.
  const toi_status status = read_file(context, path, model);
  return status;
}

toi_status toi_model_read(toi_context *context, const char *path, toi_model *model) {
  TOI_CALL(context, read_model_file(context, path, model));
}

/* --- writing --- */

static toi_status check_model(toi_context *context, const toi_model *model) {
  toi_status status = TOI_OK;
  for (size_t i = 0; i < model->patch_count && status == TOI_OK; i++) {
    char name[48];
    snprintf(name, sizeof name, "patch %zu", i);
    status = toi_patch_check(context, &model->patches[i], name);
    for (size_t k = 0; k < 4 && model->domains != NULL && status == TOI_OK; k++)
      if (!isfinite(model->domains[i][k]))
        status = toi_fail(context, TOI_ERROR_INPUT, "%s: its domain is not finite; give it, or no domains", name);
  }
  return status;
}

static toi_status write_model(toi_context *context, const char *path, const toi_model *model) {
  toi_writer *w = toi_allocate(context, sizeof *w);
  if (w == NULL)
    return TOI_ERROR_MEMORY;
  toi_status status = toi_writer_open(w, context, path);
  if (status == TOI_OK) {
    for (size_t i = 0; i < model->patch_count; i++) {
      toi_writer_text(w, i == 0 ? "{\"patches\":[\n" : ",\n");
      toi_patch_write(w, &model->patches[i], model->domains == NULL ? NULL : model->domains[i]);
    }
    toi_writer_text(w, "\n]}\n");
    status = toi_writer_close(w);
  }
  toi_free(context, w, sizeof *w);
  return status;
}

static TOI_APART toi_status write_model_file(toi_context *context, const char *path, const toi_model *model) {
  if (context == NULL || path == NULL || model == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_model_write needs a context, a path and a model");
  toi_taken_model taken;
  toi_status status = toi_model_take(context, model, "the model", &taken);
  if (status == TOI_OK)
    status = check_model(context, &taken.model);
  if (status == TOI_OK)
    status = write_model(context, path, &taken.model);
  toi_model_give_back(context, &taken);
  return status;
}

toi_status toi_model_write(toi_context *context, const char *path, const toi_model *model) {
  TOI_CALL(context, write_model_file(context, path, model));
}
