/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Reads scene files. Each JSON object is described by a table of fields; what is in no table is refused. */

#include "scene.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES (1 << 20)
#define FIELDS_BYTES 400

/* --- one object: its fields, their types and ranges --- */

typedef enum field_type { NUMBER, WHOLE, TEXT, VECTOR, PAIR, WHOLE_PAIR, BOX, OTHER } field_type;

typedef struct field {
  const char *name;
  void *to;
  double lo, hi;
  field_type type;
  bool needed;
} field;

typedef struct reader {
  const char *path;
  double resolution;
  sim_fault *fault;
} reader;

#define LARGE 1e6
#define CELLS 2000

static void list_fields(const field *fields, size_t count, char *text) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < count && used < FIELDS_BYTES; i++)
    used += (size_t)snprintf(text + used, FIELDS_BYTES - used, "%s%s", i == 0 ? "" : ", ", fields[i].name);
}

static bool read_number(const reader *r, const json_t *value, const field *f, const char *where, double *number) {
  *number = json_number_value(value);
  if (!json_is_number(value) || !(*number >= f->lo && *number <= f->hi))
    return refuse(r->fault, "%s: field '%s' of %s: expected a number from %g to %g", r->path, f->name, where, f->lo,
                  f->hi);
  return true;
}

static bool read_whole(const reader *r, const json_t *value, const field *f, const char *where, long *number) {
  const json_int_t whole = json_integer_value(value);
  if (!json_is_integer(value) || !((double)whole >= f->lo && (double)whole <= f->hi))
    return refuse(r->fault, "%s: field '%s' of %s: expected a whole number from %g to %g", r->path, f->name, where,
                  f->lo, f->hi);
  *number = (long)whole;
  return true;
}

static bool read_array(const reader *r, const json_t *value, const field *f, const char *where, size_t count) {
  if (!json_is_array(value) || json_array_size(value) != count)
    return refuse(r->fault, "%s: field '%s' of %s: expected a list of %zu", r->path, f->name, where, count);
  return true;
}

static bool read_numbers(const reader *r, const json_t *value, const field *f, const char *where, double *numbers) {
  const size_t count = f->type == PAIR ? 2 : 3;
  bool fine = read_array(r, value, f, where, count);
  for (size_t i = 0; fine && i < count; i++)
    fine = read_number(r, json_array_get(value, i), f, where, &numbers[i]);
  return fine;
}

static bool read_field(const reader *r, const json_t *value, const field *f, const char *where) {
  bool fine = true;
  switch (f->type) {
  case NUMBER:
    return read_number(r, value, f, where, f->to);
  case WHOLE:
    return read_whole(r, value, f, where, f->to);
  case TEXT:
    if (!json_is_string(value) || json_string_length(value) >= SCENE_TEXT)
      return refuse(r->fault, "%s: field '%s' of %s: expected a text of at most %d bytes", r->path, f->name, where,
                    SCENE_TEXT - 1);
    snprintf(f->to, SCENE_TEXT, "%s", json_string_value(value));
    return true;
  case VECTOR:
  case PAIR:
    return read_numbers(r, value, f, where, f->to);
  case WHOLE_PAIR:
    fine = read_array(r, value, f, where, 2);
    for (size_t i = 0; fine && i < 2; i++)
      fine = read_whole(r, json_array_get(value, i), f, where, (long *)f->to + i);
    return fine;
  case BOX:
    fine = read_array(r, value, f, where, 2);
    for (size_t i = 0; fine && i < 2; i++)
      fine = read_numbers(r, json_array_get(value, i), f, where, (double *)f->to + 3 * i);
    return fine;
  case OTHER:
    break;
  }
  return true;
}

/* Reads all fields of an object but those of type OTHER; missing ones keep what stands there. */
static bool read_object(const reader *r, json_t *object, const char *where, const field *fields, size_t count) {
  if (!json_is_object(object))
    return refuse(r->fault, "%s: %s: expected an object", r->path, where);
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) {
    size_t i = 0;
    while (i < count && strcmp(fields[i].name, key) != 0)
      i++;
    if (i == count) {
      char allowed[FIELDS_BYTES];
      list_fields(fields, count, allowed);
      return refuse(r->fault, "%s: unknown field '%.60s' of %s; allowed: %s", r->path, key, where, allowed);
    }
    if (!read_field(r, value, &fields[i], where))
      return false;
  }
  for (size_t i = 0; i < count; i++)
    if (fields[i].needed && json_object_get(object, fields[i].name) == NULL)
      return refuse(r->fault, "%s: field '%s' of %s is missing", r->path, fields[i].name, where);
  return true;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* --- the objects of a scene --- */

/* The shape that an object names, of `count` that are allowed. */
static bool read_shape(const reader *r, json_t *object, const char *where, const char *const *names, size_t count,
                       size_t *shape) {
  const char *name = json_string_value(json_object_get(object, "shape"));
  for (*shape = 0; name != NULL && *shape < count; ++*shape)
    if (strcmp(name, names[*shape]) == 0)
      return true;
  return refuse(r->fault, "%s: field 'shape' of %s: expected '%s' or '%s'", r->path, where, names[0], names[1]);
}

static void scale_cells(const reader *r, long cells[2], long least) {
  for (int k = 0; k < 2; k++) {
    const long scaled = lround((double)cells[k] * r->resolution);
    cells[k] = scaled < least ? least : scaled;
  }
}

static bool read_cloth(const reader *r, json_t *object, sim_cloth *c) {
  static const char *const shapes[] = {"sheet", "tube"};
  size_t shape;
  if (!json_is_object(object))
    return refuse(r->fault, "%s: the cloth: expected an object", r->path);
  if (!read_shape(r, object, "the cloth", shapes, 2, &shape))
    return false;
  c->shape = shape == 0 ? SHAPE_SHEET : SHAPE_TUBE;
  const field fields[] = {
      {"shape", NULL, 0, 0, OTHER, true},
      {"size", c->size, 1e-3, LARGE, PAIR, true},
      {"cells", c->cells, 3, CELLS, WHOLE_PAIR, true},
      {"at", c->at, -LARGE, LARGE, VECTOR, false},
      {"density", &c->density, 1e-6, LARGE, NUMBER, true},
      {"stretch", &c->stretch, 1e-3, 1e12, NUMBER, true},
      {"poisson", &c->poisson, 0, 0.49, NUMBER, false},
      {"bend", &c->bend, 0, 1e12, NUMBER, true},
  };
  if (!read_object(r, object, "the cloth", fields, COUNT(fields)))
    return false;
  scale_cells(r, c->cells, 3);
  return true;
}

static bool read_obstacle(const reader *r, json_t *object, const char *where, sim_obstacle *o) {
  static const char *const shapes[] = {"ball", "ring"};
  size_t shape;
  if (!json_is_object(object))
    return refuse(r->fault, "%s: %s: expected an object", r->path, where);
  if (!read_shape(r, object, where, shapes, 2, &shape))
    return false;
  o->shape = shape == 0 ? SHAPE_BALL : SHAPE_RING;
  const field fields[] = {
      {"shape", NULL, 0, 0, OTHER, true},
      {"radius", &o->radius, 1e-3, LARGE, NUMBER, true},
      {"cells", o->cells, 3, CELLS, WHOLE_PAIR, true},
      {"at", o->at, -LARGE, LARGE, VECTOR, false},
      {"tube", &o->tube, 1e-3, LARGE, NUMBER, o->shape == SHAPE_RING},
  };
  if (!read_object(r, object, where, fields, COUNT(fields) - (o->shape == SHAPE_BALL)))
    return false;
  scale_cells(r, o->cells, 6);
  return true;
}

static bool read_held(const reader *r, json_t *object, const char *where, sim_held *h) {
  *h = (sim_held){.axis = {1, 0, 0}, .until = INFINITY, .release = INFINITY};
  const field fields[] = {
      {"box", h->box, -LARGE, LARGE, BOX, true},          {"velocity", h->velocity, -1e300, 1e300, VECTOR, false},
      {"axis", h->axis, -LARGE, LARGE, VECTOR, false},    {"centre", h->centre, -LARGE, LARGE, VECTOR, false},
      {"turns", &h->turns, -LARGE, LARGE, NUMBER, false}, {"until", &h->until, 0, LARGE, NUMBER, false},
      {"release", &h->release, 0, LARGE, NUMBER, false},
  };
  if (!read_object(r, object, where, fields, COUNT(fields)))
    return false;
  const double length = sqrt(h->axis[0] * h->axis[0] + h->axis[1] * h->axis[1] + h->axis[2] * h->axis[2]);
  if (!(length > 0))
    return refuse(r->fault, "%s: field 'axis' of %s: expected a vector of positive length", r->path, where);
  for (int k = 0; k < 3; k++)
    h->axis[k] /= length;
  return true;
}

static bool read_half_space(const reader *r, json_t *object, const char *where, toi_half_space *h) {
  *h = (toi_half_space){.offset = 0};
  const field fields[] = {
      {"normal", h->normal, -LARGE, LARGE, VECTOR, true},
      {"offset", &h->offset, -LARGE, LARGE, NUMBER, false},
  };
  if (!read_object(r, object, where, fields, COUNT(fields)))
    return false;
  if (h->normal[0] == 0 && h->normal[1] == 0 && h->normal[2] == 0)
    return refuse(r->fault, "%s: field 'normal' of %s: expected a vector of positive length", r->path, where);
  return true;
}

static bool read_contact(const reader *r, json_t *object, sim_scene *s) {
  const field fields[] = {
      {"distance", &s->distance, 1e-9, LARGE, NUMBER, true}, {"stiffness", &s->stiffness, 1e-9, 1e12, NUMBER, true},
      {"friction", &s->friction, 0, 10, NUMBER, false},      {"slip", &s->slip, 1e-9, LARGE, NUMBER, false},
      {"fraction", &s->fraction, 0, 0.99, NUMBER, false},
  };
  return read_object(r, object, "contact", fields, COUNT(fields));
}

static bool read_newton(const reader *r, json_t *object, sim_scene *s) {
  const field fields[] = {
      {"tolerance", &s->tolerance, 1e-12, LARGE, NUMBER, false},
      {"iterations", &s->iterations, 1, 100000, WHOLE, false},
  };
  return read_object(r, object, "newton", fields, COUNT(fields));
}

/* A list of objects, each by its number; at most `most` of them. */
static bool read_list(const reader *r, const json_t *list, const char *name, size_t most, size_t *count) {
  *count = 0;
  if (list == NULL)
    return true;
  if (!json_is_array(list) || json_array_size(list) > most)
    return refuse(r->fault, "%s: field '%s' of the scene: expected a list of at most %zu objects", r->path, name, most);
  *count = json_array_size(list);
  return true;
}

static bool read_scene(const reader *r, json_t *root, sim_scene *s) {
  const field fields[] = {
      {"title", s->title, 0, 0, TEXT, true},
      {"step", &s->step, 1e-6, 1, NUMBER, true},
      {"frames", &s->frames, 1, 1000000, WHOLE, false},
      {"gravity", s->gravity, -LARGE, LARGE, VECTOR, false},
      {"cloth", NULL, 0, 0, OTHER, true},
      {"obstacles", NULL, 0, 0, OTHER, false},
      {"half_spaces", NULL, 0, 0, OTHER, false},
      {"held", NULL, 0, 0, OTHER, false},
      {"held_stiffness", &s->held_stiffness, 1e-3, 1e12, NUMBER, false},
      {"contact", NULL, 0, 0, OTHER, true},
      {"newton", NULL, 0, 0, OTHER, false},
  };
  if (!read_object(r, root, "the scene", fields, COUNT(fields)) ||
      !read_cloth(r, json_object_get(root, "cloth"), &s->cloth) ||
      !read_contact(r, json_object_get(root, "contact"), s))
    return false;
  json_t *newton = json_object_get(root, "newton"), *obstacles = json_object_get(root, "obstacles");
  json_t *springs = json_object_get(root, "held"), *half_spaces = json_object_get(root, "half_spaces");
  bool fine = (newton == NULL || read_newton(r, newton, s)) &&
              read_list(r, obstacles, "obstacles", SCENE_OBSTACLES, &s->obstacle_count) &&
              read_list(r, half_spaces, "half_spaces", SCENE_HALF_SPACES, &s->half_space_count) &&
              read_list(r, springs, "held", SCENE_HELD, &s->held_count);
  char where[32];
  for (size_t i = 0; fine && i < s->obstacle_count; i++) {
    snprintf(where, sizeof where, "obstacle %zu", i);
    fine = read_obstacle(r, json_array_get(obstacles, i), where, &s->obstacles[i]);
  }
  for (size_t i = 0; fine && i < s->half_space_count; i++) {
    snprintf(where, sizeof where, "half-space %zu", i);
    fine = read_half_space(r, json_array_get(half_spaces, i), where, &s->half_spaces[i]);
  }
  for (size_t i = 0; fine && i < s->held_count; i++) {
    snprintf(where, sizeof where, "held %zu", i);
    fine = read_held(r, json_array_get(springs, i), where, &s->held[i]);
  }
  return fine;
}

/* --- the file --- */

/* FNV-1a, over bytes. */
static uint64_t add_hash(uint64_t hash, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
  return hash;
}

static char *read_file(const char *path, size_t *size, sim_fault *fault) {
  FILE *file = fopen(path, "rb");
  char *bytes = take(FILE_BYTES, 1);
  *size = file == NULL ? 0 : fread(bytes, 1, FILE_BYTES, file);
  const bool fine = file != NULL && ferror(file) == 0 && *size < FILE_BYTES;
  if (file != NULL)
    fclose(file);
  if (fine)
    return bytes;
  free(bytes);
  refuse(fault, "%s: cannot be read, or has more than %d bytes", path, FILE_BYTES - 1);
  return NULL;
}

bool scene_read(const char *path, double resolution, sim_scene *scene, sim_fault *fault) {
  *scene = (sim_scene){.frames = 100,
                       .cloth = {.poisson = 0.3},
                       .held_stiffness = 1e4,
                       .slip = 1e-3,
                       .fraction = 0.2,
                       .tolerance = 1e-2,
                       .iterations = 200};
  size_t size;
  char *bytes = read_file(path, &size, fault);
  if (bytes == NULL)
    return false;
  scene->hash = add_hash(add_hash(0xcbf29ce484222325, bytes, size), &resolution, sizeof resolution);
  json_error_t error;
  json_t *root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &error);
  free(bytes);
  if (root == NULL)
    return refuse(fault, "%s: line %d: not JSON: %s", path, error.line, error.text);
  const reader r = {path, resolution, fault};
  const bool fine = read_scene(&r, root, scene);
  json_decref(root);
  return fine;
}
