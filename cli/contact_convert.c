/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi contact --convert OLD.json`: a scene of `toi surface` in the form of `toi contact`. The scene is read, so that
 * what is written is one; numbers are those that it has, with 17 digits. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "contact.h"
#include "files.h"
#include "memory.h"
#include "session.h"
#include "surface.h"

typedef struct conversion {
  const contact_options *options;
  toi_context *context;
  surface_pair pair; /* the scene as the other command reads it */
  json_t *old;
  output out;
} conversion;

static const char *const models[2] = {"a", "b"}, *const motions[2] = {"motion_a", "motion_b"};

/* --- the old scene --- */

static int read_tree(conversion *c, const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return cli_fail("%s: cannot be read: %s; check the name and its permissions", path, strerror(errno));
  json_error_t error;
  c->old = json_read(file, &error);
  fclose(file);
  if (json_failed())
    return memory_fail(path, "close other programs");
  return c->old != NULL ? EXIT_DONE
                        : cli_fail("%s:%d: invalid JSON: %s; correct it there", path, error.line, error.text);
}

/* Of a path, with its last slash. */
static size_t folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* A model by its path is looked for from the folder of the scene, which must stay. */
static int check_folder(const conversion *c, const char *path) {
  const char *out = c->options->out;
  if (out == NULL || strcmp(out, "-") == 0)
    return EXIT_DONE;
  const size_t length = folder_of(path);
  const bool same = length == folder_of(out) && strncmp(path, out, length) == 0;
  for (int i = 0; i < 2 && !same; i++) {
    const char *name = json_string_value(json_object_get(c->old, models[i]));
    if (name != NULL && name[0] != '/' && !surface_is_shape(name))
      return cli_fail("%s: the scene names the file %s from its own folder; write to that folder", out, name);
  }
  return EXIT_DONE;
}

/* --- the new one --- */

static bool is_given(const json_t *motion, const char *field) {
  const json_t *vector = json_object_get(motion, field);
  for (size_t k = 0; k < json_array_size(vector); k++)
    if (json_number_value(json_array_get(vector, k)) != 0)
      return true;
  return false;
}

/* {"STEP": {"TO": the vector of the old motion's field FROM}} */
static json_t *step_of(const json_t *motion, const char *step, const char *from, const char *to) {
  json_t *fields = json_object(), *object = json_object();
  json_object_set(fields, to, json_object_get(motion, from));
  json_object_set_new(object, step, fields);
  return object;
}

static json_t *steps_of(const json_t *motion) {
  json_t *list = json_array();
  if (is_given(motion, "shift"))
    json_array_append_new(list, step_of(motion, "move", "shift", "shift"));
  if (is_given(motion, "spin")) {
    json_t *spin = step_of(motion, "spin", "spin", "rate");
    if (is_given(motion, "centre"))
      json_object_set(json_object_get(spin, "spin"), "through", json_object_get(motion, "centre"));
    json_array_append_new(list, spin);
  }
  if (is_given(motion, "velocity"))
    json_array_append_new(list, step_of(motion, "move", "velocity", "velocity"));
  return list;
}

static json_t *body_of(const conversion *c, int i) {
  json_t *body = json_object(), *shape = json_object(), *steps = steps_of(json_object_get(c->old, motions[i]));
  json_object_set_new(body, "name", json_string(models[i]));
  json_object_set(shape, "model", json_object_get(c->old, models[i]));
  json_object_set_new(body, "shape", shape);
  if (json_array_size(steps) > 0)
    json_object_set(body, "motion", steps);
  json_decref(steps);
  return body;
}

/* --- writing --- */

static toi_status write_value(output *out, const char *before, const json_t *value, const char *after) {
  char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
  toi_status status = text == NULL ? TOI_ERROR_MEMORY : output_append_text(out, before);
  if (status == TOI_OK)
    status = output_append_text(out, text);
  if (status == TOI_OK)
    status = output_append_text(out, after);
  memory_free(text);
  return status;
}

/* A line for each field and each body. */
static toi_status write_scene(conversion *c) {
  static const char *const fields[][2] = {
      {"name", "  \"title\": "}, {"comment", "  \"note\": "}, {"t_max", "  \"t_max\": "}};
  toi_status status = output_append_text(&c->out, "{\n");
  for (size_t i = 0; i < sizeof fields / sizeof fields[0] && status == TOI_OK; i++) {
    const json_t *value = json_object_get(c->old, fields[i][0]);
    if (value != NULL)
      status = write_value(&c->out, fields[i][1], value, ",\n");
  }
  if (status == TOI_OK)
    status = output_append_text(&c->out, "  \"bodies\": [\n");
  const int count = c->pair.self ? 1 : 2;
  for (int i = 0; i < count && status == TOI_OK; i++) {
    json_t *body = body_of(c, i);
    status = write_value(&c->out, "    ", body, i + 1 < count ? ",\n" : "\n");
    json_decref(body);
  }
  return status == TOI_OK ? output_append_text(&c->out, "  ]\n}\n") : status;
}

static int convert(conversion *c) {
  const char *path = c->options->paths[0];
  int result = outputs_check(&c->out, 1, false);
  if (result == EXIT_DONE)
    result = session_open(1, c->options->memory, &c->context);
  if (result == EXIT_DONE)
    result = surface_read_scene(c->context, path, &c->pair);
  if (result == EXIT_DONE)
    result = read_tree(c, path);
  if (result == EXIT_DONE)
    result = check_folder(c, path);
  if (result == EXIT_DONE && files_same(c->out.path, path))
    result = cli_fail("%s: holds the scene and would be replaced; write to another file", c->out.path);
  if (result == EXIT_DONE)
    result = output_open(c->context, &c->out);
  if (result != EXIT_DONE)
    return result;
  const toi_status status = write_scene(c);
  if (status == TOI_ERROR_MEMORY || json_failed())
    return memory_fail(path, "close other programs");
  if (status != TOI_OK)
    return session_fail(c->context, status, NULL);
  bool table;
  return outputs_finish(c->context, &c->out, 1, NULL, &table);
}

int contact_convert(const contact_options *options) {
  conversion c = {.options = options, .out = {.option = "--out", .path = options->out != NULL ? options->out : "-"}};
  const int result = convert(&c);
  outputs_discard(&c.out, 1);
  json_decref(c.old);
  surface_pair_free(c.context, &c.pair);
  toi_context_destroy(c.context);
  return result;
}
