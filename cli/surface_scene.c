/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A scene file: which models, how they move, and for how long.
 *
 * Every field must be known and of the right kind; the sentence names the file and the field. A model that is written
 * in the scene itself is read as if it were a file of its own. */

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "memory.h"
#include "progress.h"
#include "session.h"
#include "surface.h"

typedef struct scene_reader {
  toi_context *context;
  const char *path;
  surface_pair *pair;
} scene_reader;

/* --- models --- */

/* A path in the scene, from the scene's folder; free it. NULL: no memory. */
static char *beside(const char *scene, const char *name) {
  const char *slash = strrchr(scene, '/');
  const size_t folder = name[0] == '/' || slash == NULL ? 0 : (size_t)(slash - scene) + 1;
  char *path = memory_allocate(folder + strlen(name) + 1);
  if (path != NULL) {
    memcpy(path, scene, folder);
    memcpy(path + folder, name, strlen(name) + 1);
  }
  return path;
}

static bool is_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file != NULL)
    fclose(file);
  return file != NULL;
}

/* A name that is no file beside the scene may be that of a shape. */
static int load_named(const scene_reader *r, const char *name, toi_model *model) {
  char *path = beside(r->path, name);
  if (path == NULL)
    return memory_fail("a name", "close other programs");
  const bool shape = strchr(name, '/') == NULL && strchr(name, '.') == NULL && !is_file(path);
  int result = surface_load(r->context, shape ? name : path, model);
  memory_free(path);
  return result;
}

/* Through a file without a name, which the library then reads as any other. */
static int load_inline(const scene_reader *r, const char *field, const json_t *object, toi_model *model) {
  FILE *file = tmpfile();
  char name[32];
  bool written = file != NULL && json_dumpf(object, file, JSON_REAL_PRECISION(17)) == 0 && fflush(file) == 0;
  if (!written) {
    const int error = errno;
    if (file != NULL)
      fclose(file);
    if (json_failed())
      return memory_fail(r->path, "put the model into a file of its own");
    return cli_fail("%s: %s: no temporary file: %s; put the model into a file of its own", r->path, field,
                    strerror(error));
  }
  snprintf(name, sizeof name, "/dev/fd/%d", fileno(file));
  toi_status status = toi_model_read(r->context, name, model);
  fclose(file);
  if (status == TOI_OK)
    return EXIT_DONE;
  // The sentence opens with the name and the line of what only stood in for the scene.
  const char *sentence = toi_context_error(r->context);
  if (strncmp(sentence, name, strlen(name)) == 0)
    sentence = strstr(sentence, ": ") != NULL ? strstr(sentence, ": ") + 2 : sentence;
  return cli_fail("%s: %s: %s", r->path, field, sentence);
}

static int read_model(const scene_reader *r, const char *field, const json_t *value, toi_model *model) {
  if (json_is_string(value))
    return load_named(r, json_string_value(value), model);
  if (json_is_object(value))
    return load_inline(r, field, value, model);
  return cli_fail("%s: %s: must be a model, or the path of its file", r->path, field);
}

/* --- motions --- */

static int read_vector(const scene_reader *r, const char *field, const char *key, const json_t *value, double v[3]) {
  bool fine = json_is_array(value) && json_array_size(value) == 3;
  for (size_t k = 0; fine && k < 3; k++) {
    const json_t *number = json_array_get(value, k);
    fine = json_is_number(number) && isfinite(json_number_value(number));
    v[k] = json_number_value(number);
  }
  return fine ? EXIT_DONE : cli_fail("%s: %s.%s: must be three numbers, such as [0, 0, -1.5]", r->path, field, key);
}

static int read_motion(const scene_reader *r, const char *field, json_t *object, surface_motion *motion) {
  if (!json_is_object(object))
    return cli_fail("%s: %s: must be an object, such as {\"velocity\": [0, 0, -1.5]}", r->path, field);
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) {
    double *v = strcmp(key, "velocity") == 0 ? motion->rigid.velocity
                : strcmp(key, "spin") == 0   ? motion->rigid.spin
                : strcmp(key, "centre") == 0 ? motion->rigid.centre
                : strcmp(key, "shift") == 0  ? motion->shift
                                             : NULL;
    if (v == NULL)
      return cli_fail("%s: %s.%s: unknown field; a motion has velocity, spin, centre and shift", r->path, field, key);
    int result = read_vector(r, field, key, value, v);
    if (result != EXIT_DONE)
      return result;
  }
  return EXIT_DONE;
}

/* --- the scene --- */

static int read_field(const scene_reader *r, const char *key, json_t *value) {
  surface_pair *pair = r->pair;
  if (strcmp(key, "a") == 0)
    return read_model(r, key, value, &pair->model[0]);
  if (strcmp(key, "b") == 0) {
    pair->self = json_is_null(value);
    return pair->self ? EXIT_DONE : read_model(r, key, value, &pair->model[1]);
  }
  if (strcmp(key, "motion_a") == 0 || strcmp(key, "motion_b") == 0)
    return read_motion(r, key, value, &pair->motion[key[7] - 'a']);
  if (strcmp(key, "t_max") == 0) {
    pair->t_max = json_number_value(value);
    return json_is_number(value) && pair->t_max >= 0 && isfinite(pair->t_max)
               ? EXIT_DONE
               : cli_fail("%s: t_max: must be a number, 0 or greater", r->path);
  }
  if (strcmp(key, "name") == 0 || strcmp(key, "comment") == 0)
    return json_is_string(value) ? EXIT_DONE : cli_fail("%s: %s: must be a string", r->path, key);
  return cli_fail("%s: unknown field '%s' for a scene; its fields are a, b, motion_a, motion_b, t_max, name, comment",
                  r->path, key);
}

static int read_fields(const scene_reader *r, json_t *scene) {
  const char *key;
  json_t *value;
  r->pair->self = true;
  json_object_foreach(scene, key, value) {
    int result = read_field(r, key, value);
    if (result != EXIT_DONE)
      return result;
  }
  const bool moves = json_object_get(scene, "motion_a") != NULL || json_object_get(scene, "motion_b") != NULL;
  if (r->pair->self && moves) {
    return cli_fail("%s: a rigid motion of the whole model causes no self-contact; leave motion_a and motion_b out",
                    r->path);
  }
  return EXIT_DONE;
}

int surface_read_scene(toi_context *context, const char *path, surface_pair *pair) {
  const scene_reader r = {.context = context, .path = path, .pair = pair};
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    const int reason = errno;
    if (surface_is_shape(path))
      return cli_fail("%s: only one model; name the second one too, or give --self", path);
    return cli_fail("%s: cannot be read: %s; check the name and its permissions", path, strerror(reason));
  }
  struct stat facts;
  if (fstat(fileno(file), &facts) == 0 && S_ISDIR(facts.st_mode)) {
    fclose(file);
    return cli_fail("%s: a directory; name a file of cases, a scene, or two models", path);
  }
  json_error_t error;
  progress_stop_at_once(true);
  json_t *scene = json_read(file, &error);
  progress_stop_at_once(false);
  fclose(file);
  if (json_failed()) {
    json_decref(scene);
    return memory_fail(path, "close other programs");
  }
  if (scene == NULL)
    return cli_fail("%s:%d: invalid JSON: %s; correct it there", path, error.line, error.text);
  int result;
  if (json_object_get(scene, "bodies") != NULL)
    result = cli_fail("%s: a scene of toi contact; run toi contact %s", path, path);
  else if (!json_is_object(scene) || json_object_get(scene, "a") == NULL)
    result =
        cli_fail("%s: not a scene: the field \"a\" is missing; for one model give --self, for two name both", path);
  else
    result = read_fields(&r, scene);
  json_decref(scene);
  return result;
}
