/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* JSON as the commands print it. The text is made whole before any of it is printed. */

#include "json.h"

#include <math.h>
#include <string.h>

#include "memory.h"
#include "name.h"
#include "options.h"
#include "standard.h"

/* Whether an allocation was refused since json_failed() was last asked: a tree that was being made then is not whole.
 */
static bool refused;

/* What is read counts against the limit of memory.h, what is reported does not. */
static bool reading;

static void *allocate(size_t size) {
  void *pointer = reading ? memory_allocate(size) : memory_resize_beyond(NULL, size, 1);
  refused = refused || pointer == NULL;
  return pointer;
}

void json_start(void) {
  json_set_alloc_funcs(allocate, memory_free);
}

bool json_failed(void) {
  const bool failed = refused;
  refused = false;
  return failed;
}

json_t *json_read(FILE *file, json_error_t *error) {
  reading = true;
  json_t *value = json_loadf(file, JSON_REJECT_DUPLICATES, error);
  reading = false;
  return value;
}

json_t *json_number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_count(uint64_t value, bool known) {
  return known ? json_integer((json_int_t)value) : json_null();
}

json_t *json_text(const char *text) {
  // What is not UTF-8 is written out as in messages; jansson escapes the rest.
  char shown[NAME_BYTES];
  json_t *string = json_string(text);
  return string != NULL || refused ? string : json_string(name_shown(text, shown));
}

json_t *json_levels(const uint64_t levels[TOI_LEVEL_COUNT]) {
  json_t *object = json_object();
  for (int i = 0; i < TOI_LEVEL_COUNT; i++)
    json_object_set_new(object, toi_level_name((toi_level)i), json_count(levels[i], true));
  return object;
}

char *json_finish(json_t *object) {
  char *text = json_dumps(object, JSON_REAL_PRECISION(17) | JSON_PRESERVE_ORDER);
  json_decref(object);
  if (!json_failed() && text != NULL)
    return text;
  memory_free(text);
  memory_fail("the report", "close other programs");
  return NULL;
}

void json_say(char *text) {
  // Failures are noted, and said at the end.
  (void)(standard_write(text, strlen(text)) && standard_write("\n", 1));
  memory_free(text);
}

int json_print(json_t *object) {
  char *text = json_finish(object);
  if (text == NULL)
    return EXIT_BAD;
  json_say(text);
  return EXIT_DONE;
}
