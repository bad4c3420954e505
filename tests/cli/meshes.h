/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Small meshes as text, for tests of the command. */

#ifndef TOI_TESTS_MESHES_H
#define TOI_TESTS_MESHES_H

#include "cli/running.h"

/* A triangle at rest, numbered 0 1 2, and one above it, 3 4 5, which stands on its corner 3: its lowest point is at
 * height z, straight over (1/4, 1/4); the other two are 2 higher. Edges: 01 02 12 34 35 45. */
static inline const char *write_triangles(const char *name, double z) {
  char text[1024];
  snprintf(text, sizeof text,
           "ply\nformat ascii 1.0\nelement vertex 6\nproperty double x\nproperty double y\nproperty double z\n"
           "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
           "0 0 0\n1 0 0\n0 1 0\n0.25 0.25 %.17g\n0.3125 0.25 %.17g\n0.25 0.3125 %.17g\n3 0 1 2\n3 3 4 5\n",
           z, z + 2, z + 2);
  return test_write_text(name, text);
}

/* Two loose points at (x, 0, 0) and (1 - x, 0, 0), and a loose edge from (x, 1, -1) to (x, 1, 1) with a third point at
 * (1 - x, 1, 1/2). */
static inline const char *write_loose(const char *name, double x) {
  char text[1024];
  snprintf(text, sizeof text,
           "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
           "element edge 1\nproperty int vertex1\nproperty int vertex2\nend_header\n"
           "%.9g 0 0\n%.9g 0 0\n%.9g 1 -1\n%.9g 1 1\n%.9g 1 0.5\n2 3\n",
           x, 1 - x, x, x, 1 - x);
  return test_write_text(name, text);
}

static inline double number_at(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  assert_true(json_is_number(value));
  return json_number_value(value);
}

/* {"vf":..., "ee":..., "ve":..., "vv":...} under this key. */
static inline void assert_kinds(const json_t *object, const char *key, const long long expected[TOI_KIND_COUNT]) {
  static const char *const names[TOI_KIND_COUNT] = {"vf", "ee", "ve", "vv"};
  const json_t *kinds = json_object_get(object, key);
  assert_int_equal(json_object_size(kinds), TOI_KIND_COUNT);
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    assert_count(kinds, names[kind], expected[kind]);
}

/* The first pair, and times that are exactly these doubles. */
static inline void assert_first(const json_t *object, const char *kind, long long a, long long b) {
  const json_t *first = json_object_get(object, "first");
  assert_text(first, "kind", kind);
  assert_count(first, "a", a);
  assert_count(first, "b", b);
}

static inline void assert_time(const json_t *object, double time) {
  const json_t *toi = json_object_get(object, "toi");
  const double lo = number_at(toi, "lo"), hi = number_at(toi, "hi"), safe = number_at(toi, "safe");
  if (lo != time || hi != time || !(time > 0 ? safe < time : safe == 0))
    fail_msg("[%.17g, %.17g], safe %.17g, is not %.17g", lo, hi, safe, time);
}

#endif
