/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* JSON as the commands print it. The text is made whole before any of it is printed. */

#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

static void *allocate_or_end(size_t size) {
  void *pointer = malloc(size);
  if (pointer == NULL) {
    exit(cli_fail("out of memory for the report"));
  }
  return pointer;
}

void json_start(void) {
  json_set_alloc_funcs(allocate_or_end, free);
}

json_t *json_number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_count(uint64_t value, bool known) {
  return known ? json_integer((json_int_t)value) : json_null();
}

json_t *json_text(const char *text) {
  json_t *string = json_string(text);
  if (string != NULL) {
    return string;
  }
  size_t size = strlen(text) + 1;
  char *ascii = allocate_or_end(size);
  for (size_t i = 0; i < size; i++) {
    ascii[i] = text[i];
    if ((unsigned char)text[i] >= 0x80) {
      ascii[i] = '?';
    }
  }
  string = json_string(ascii);
  free(ascii);
  return string;
}

json_t *json_levels(const uint64_t levels[TOI_LEVEL_COUNT]) {
  json_t *object = json_object();
  for (int i = 0; i < TOI_LEVEL_COUNT; i++) {
    json_object_set_new(object, toi_level_name((toi_level)i), json_count(levels[i], true));
  }
  return object;
}

void json_print(json_t *object) {
  char *text = json_dumps(object, JSON_REAL_PRECISION(17) | JSON_PRESERVE_ORDER);
  json_decref(object);
  printf("%s\n", text);
  free(text);
}
