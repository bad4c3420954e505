/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A small input for each command, written into the test's directory, and a line that asks about it. */

#ifndef TOI_TESTS_INPUTS_H
#define TOI_TESTS_INPUTS_H

#include "cli/meshes.h"

/* Parametric, which are drawn in less time than implicit ones. */
#define SPHERE "{\"sphere\":{\"radius\":1,\"form\":\"parametric\"}}"
#define SPHERES                                                                                                        \
  "{\"bodies\":[{\"name\":\"still\",\"shape\":" SPHERE "},{\"name\":\"coming\",\"shape\":" SPHERE                      \
  ",\"motion\":{\"move\":{\"shift\":[2,4,4],\"velocity\":[-2,-4,-4]}}}]}"

#define SQUARE_AT(z, v)                                                                                                \
  "{\"type\":\"quad\",\"degree\":[1,1],\"points\":[[0,0," z "],[0,1," z "],[1,0," z "],[1,1," z "]],\"velocities\":"   \
  "[[0,0," v "],[0,0," v "],[0,0," v "],[0,0," v "]]}"

#define CASE "{\"a\":" SQUARE_AT("0", "0") ",\"b\":" SQUARE_AT("1", "-2") "}\n"

/* A stand-in for the viewer that pages are made of. */
#define VIEWER_MARKER "<script id=\"toi-data\" type=\"text/plain\">"
#define VIEWER "<!doctype html>\n<title>viewer</title>\n" VIEWER_MARKER "</script>\n<script>start()</script>\n"

/* The files that the commands below are about. */
static inline void write_inputs(void) {
  test_write_text("vf.csv", HIT_ROWS(",1") MISS_ROWS(",0"));
  test_write_text("truth.json", "[true,false]");
  write_triangles("start.ply", 1);
  write_triangles("end.ply", -1);
  write_triangles("crossed.ply", -1);
  test_write_text("spheres.json", SPHERES);
  test_write_text("viewer.html", VIEWER);
  test_write_text("cases.jsonl", CASE);
  test_write_text("model.json", "{\"patches\":[" SQUARE_AT("0", "0") "]}");
  test_write_text("scene.json", "{\"a\":\"model.json\",\"b\":{\"patches\":[" SQUARE_AT(
                                    "1", "0") "]},\"motion_b\":{\"velocity\":[0,0,-2]}}");
}

/* A line of words, with @ for the directory and a slash. */
static inline const char *with_paths(const char *words) {
  static char line[4096];
  const char *directory = test_path("");
  size_t length = 0;
  for (; *words != '\0'; words++) {
    const int added = *words == '@' ? snprintf(line + length, sizeof line - length, "%s", directory)
                                    : snprintf(line + length, sizeof line - length, "%c", *words);
    length += (size_t)added;
    assert_true(length < sizeof line);
  }
  return line;
}

#endif
