/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Files in a page: read through zlib, which takes plain ones as they are, in two passes, as a section begins with its
 * length. */

#include "page_curved.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "memory.h"
#include "options.h"
#include "platform.h"
#include "session.h"

int page_curved_open(page_curved *p, const toi_context *context, output *out, const char *viewer) {
  *p = (page_curved){.context = context};
  const int result = page_open(&p->page, context, out, viewer);
  p->files = page_is_open(&p->page) ? json_array() : NULL;
  return result;
}

void page_curved_close(page_curved *p) {
  page_close(&p->page);
  json_decref(p->files);
  *p = (page_curved){0};
}

/* The number of the next file, which is entered in the list. */
static uint32_t enter_file(page_curved *p, const char *name, const char *role) {
  json_t *entry = json_object();
  const uint32_t number = (uint32_t)json_array_size(p->files);
  json_object_set_new(entry, "name", json_text(name));
  json_object_set_new(entry, "role", json_text(role));
  json_array_append_new(p->files, entry);
  return number;
}

/* --- files --- */

static int read_fail(const char *path) {
  return cli_fail("%s: cannot be read again for the page: %s", path, errno != 0 ? strerror(errno) : "it has changed");
}

/* One pass over a file: counts its bytes or, if there is a page, writes so many of them. */
static int pass_file(const char *path, page_curved *to, uint64_t *bytes) {
  unsigned char buffer[16384];
  errno = 0;
  gzFile file = gzopen(path, "rb");
  if (file == NULL)
    return read_fail(path);
  uint64_t count = 0;
  int got = 0;
  toi_status status = TOI_OK;
  while (status == TOI_OK && (got = gzread(file, buffer, sizeof buffer)) > 0) {
    count += (uint64_t)got;
    if (to != NULL && count <= *bytes)
      status = page_append(&to->page, buffer, (size_t)got);
  }
  gzclose_r(file);
  if (status != TOI_OK)
    return session_fail(to->context, status, NULL);
  const bool same = to == NULL || count == *bytes;
  *bytes = count;
  return got == 0 && same ? EXIT_DONE : read_fail(path);
}

int page_curved_path(page_curved *p, const char *path, const char *name, const char *role) {
  if (!page_is_open(&p->page))
    return EXIT_DONE;
  uint64_t bytes = 0;
  int result = pass_file(path, NULL, &bytes);
  if (result != EXIT_DONE)
    return result;
  toi_status status = page_section(&p->page, "FILE", enter_file(p, name, role), bytes);
  if (status == TOI_OK)
    result = pass_file(path, p, &bytes);
  if (status == TOI_OK && result == EXIT_DONE)
    status = page_pad(&p->page, bytes);
  return status == TOI_OK ? result : session_fail(p->context, status, NULL);
}

/* --- scenes --- */

static size_t read_piece(void *buffer, size_t size, void *user) {
  const int got = gzread(user, buffer, (unsigned)(size < INT_MAX ? size : INT_MAX));
  return got < 0 ? (size_t)-1 : (size_t)got;
}

/* Whether a file of this name was entered. */
static bool is_entered(const page_curved *p, const char *name) {
  size_t i;
  json_t *entry;
  json_array_foreach(p->files, i, entry) {
    const char *own = json_string_value(json_object_get(entry, "name"));
    if (own != NULL && strcmp(own, name) == 0)
      return true;
  }
  return false;
}

/* A model by its name in the scene: a file beside it, if there is one. */
static int add_model(page_curved *p, const char *scene, const char *name) {
  const char *slash = strrchr(scene, '/');
  const int folder = name[0] == '/' || slash == NULL ? 0 : (int)(slash - scene) + 1;
  char path[PLATFORM_PATH_MAX];
  const int length = snprintf(path, sizeof path, "%.*s%s", folder, scene, name);
  const bool there = length > 0 && (size_t)length < sizeof path && platform_ask(path, NULL) == PLATFORM_FILE;
  return there && !is_entered(p, name) ? page_curved_path(p, path, name, "model") : EXIT_DONE;
}

/* All strings below a value that name models: "model", and "a" and "b" of older scenes. */
static int add_models(page_curved *p, const char *scene, json_t *value) {
  const char *key;
  json_t *below;
  size_t i;
  json_object_foreach(value, key, below) {
    const bool model = strcmp(key, "model") == 0 || strcmp(key, "a") == 0 || strcmp(key, "b") == 0;
    const bool named = model && json_is_string(below);
    const int result = named ? add_model(p, scene, json_string_value(below)) : add_models(p, scene, below);
    if (result != EXIT_DONE)
      return result;
  }
  json_array_foreach(value, i, below) {
    const int result = add_models(p, scene, below);
    if (result != EXIT_DONE)
      return result;
  }
  return EXIT_DONE;
}

int page_curved_scene(page_curved *p, const char *path) {
  if (!page_is_open(&p->page))
    return EXIT_DONE;
  const char *slash = strrchr(path, '/');
  int result = page_curved_path(p, path, slash != NULL && slash[1] != '\0' ? slash + 1 : path, "scene");
  if (result != EXIT_DONE)
    return result;
  gzFile file = gzopen(path, "rb");
  json_error_t error;
  json_t *scene = file != NULL ? json_load_callback(read_piece, file, 0, &error) : NULL;
  if (file != NULL)
    gzclose_r(file);
  if (scene == NULL)
    return json_failed() ? memory_fail(path, "close other programs") : read_fail(path);
  result = add_models(p, path, scene);
  json_decref(scene);
  return result;
}

int page_curved_text(page_curved *p, json_t *text, const char *name, const char *role) {
  char *written = json_finish(text);
  if (written == NULL)
    return EXIT_BAD;
  const toi_status status = page_file(&p->page, enter_file(p, name, role), written, strlen(written));
  memory_free(written);
  return status == TOI_OK ? EXIT_DONE : session_fail(p->context, status, NULL);
}

/* --- models --- */

static json_t *rows_json(const double (*rows)[3], size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++) {
    json_t *row = json_array();
    for (int k = 0; k < 3; k++)
      json_array_append_new(row, json_number(rows[i][k]));
    json_array_append_new(list, row);
  }
  return list;
}

static json_t *patch_json(const toi_patch *patch) {
  const bool quad = patch->shape == TOI_PATCH_QUAD;
  const size_t count = toi_patch_points(patch->shape, patch->degree);
  json_t *object = json_object(), *degree = json_array();
  json_object_set_new(object, "type", json_text(quad ? "quad" : "triangle"));
  for (int i = 0; i < 2; i++)
    json_array_append_new(degree, json_count(patch->degree[i], true));
  json_object_set_new(object, "degree", quad ? degree : json_count(patch->degree[0], true));
  if (!quad)
    json_decref(degree);
  json_object_set_new(object, "points", rows_json(patch->points, count));
  if (patch->velocities != NULL)
    json_object_set_new(object, "velocities", rows_json(patch->velocities, count));
  if (patch->weights != NULL) {
    json_t *weights = json_array();
    for (size_t i = 0; i < count; i++)
      json_array_append_new(weights, json_number(patch->weights[i]));
    json_object_set_new(object, "weights", weights);
  }
  return object;
}

int page_curved_model(page_curved *p, const toi_model *model, const char *name, const char *role) {
  if (!page_is_open(&p->page))
    return EXIT_DONE;
  json_t *object = json_object(), *patches = json_array();
  for (size_t i = 0; i < model->patch_count; i++)
    json_array_append_new(patches, patch_json(toi_model_patch(model, i)));
  json_object_set_new(object, "patches", patches);
  return page_curved_text(p, object, name, role);
}

/* --- the end --- */

int page_curved_finish(page_curved *p, const char *view, json_t *answer, json_t *more) {
  const char *title = json_string_value(json_object_get(json_array_get(p->files, 0), "name"));
  json_t *header = page_header(view, title != NULL ? title : "");
  json_object_set_new(header, "answer", page_answer(answer));
  json_object_set(header, "files", p->files);
  if (more != NULL)
    json_object_update(header, more);
  json_decref(more);
  return page_finish(&p->page, p->context, header);
}
