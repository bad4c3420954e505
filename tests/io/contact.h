/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* For the tests of scenes of moving surfaces: texts of scenes, and scenes from texts. */

#ifndef TOI_TESTS_IO_CONTACT_H
#define TOI_TESTS_IO_CONTACT_H

#include "io/surfaces.h"

#include <toi/track.h>

/* A scene with this first body beside a ball; parts of texts. */
#define BALL "{\"name\":\"ball\",\"shape\":{\"sphere\":{\"radius\":1}}}"
#define SCENE(fields, body) "{" fields "\"bodies\":[" body ",\n" BALL "]}"
#define BODY(shape, rest) "{\"name\":\"body\",\"shape\":" shape rest "}"
#define SHAPE(shape) SCENE("", BODY(shape, ""))
#define MOTION(motion) SCENE("", BODY("{\"plane\":{}}", ",\"motion\":" motion))

static inline void scene_fine(toi_context *context, const char *path, toi_contact_scene *scene) {
  if (toi_contact_scene_read(context, path, scene) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
}

static inline void scene_from(toi_context *context, const char *text, toi_contact_scene *scene) {
  scene_fine(context, test_write_text("scene.json", text), scene);
}

/* What stands behind the path, ":12:34: ...", without the column. */
static inline const char *without_column(const char *sentence) {
  static char text[4096];
  static const char digits[] = "0123456789";
  const size_t line = sentence[0] == ':' ? 1 + strspn(sentence + 1, digits) : 0;
  const size_t column = sentence[line] == ':' ? 1 + strspn(sentence + line + 1, digits) : 0;
  if (line < 2 || column < 2 || sentence[line + 1] == '0')
    fail_msg("no line and column in \"%s\"", sentence);
  snprintf(text, sizeof text, "%.*s%s", (int)line, sentence, sentence + line + column);
  return text;
}

/* A failure whose sentence is this one, behind the path; one without a column fits any. */
static inline void expect_scene_sentence(toi_context *context, toi_status status, const char *path,
                                         const char *wanted) {
  const char *error = toi_context_error(context);
  if (status != TOI_ERROR_FORMAT || strncmp(error, path, strlen(path)) != 0)
    fail_msg("status %d, \"%s\" instead of: %s", (int)status, error, wanted);
  error += strlen(path);
  if (strcmp(error, wanted) != 0 && strcmp(without_column(error), wanted) != 0)
    fail_msg("\"%s\"\n  instead of: %s", error, wanted);
}

static inline void expect_empty_scene(const toi_contact_scene *scene) {
  assert_true(scene->bodies == NULL && scene->names == NULL && scene->count == 0 && scene->owned == NULL);
  assert_string_equal(scene->title, "");
}

/* The shipped scenes. */
static const char *const shipped[] = {"arch",
                                      "ball-in-socket",
                                      "ball-on-can",
                                      "bolt-in-hole",
                                      "boxes",
                                      "bumpy-spheres",
                                      "cam",
                                      "chebyshev",
                                      "crossed-cylinders",
                                      "drilled-ball",
                                      "ellipsoid-on-plane",
                                      "flat-squares",
                                      "gears",
                                      "intersecting-spheres",
                                      "lens",
                                      "near-miss",
                                      "patch-on-waves",
                                      "peg-in-hole",
                                      "plane-on-sphere",
                                      "rolling",
                                      "shaft-in-bore",
                                      "sphere-on-ellipsoid",
                                      "sphere-on-plane",
                                      "superquadrics",
                                      "teapot-on-cone",
                                      "teapots",
                                      "tori-aligned",
                                      "tori-crossed",
                                      "torus-on-cone",
                                      "tube-on-cushion",
                                      "two-spheres"};
#define SHIPPED (sizeof shipped / sizeof shipped[0])

static inline const char *shipped_path(size_t number, char path[1024]) {
  snprintf(path, 1024, TOI_SOURCE_DIR "/examples/contact/%s.json", shipped[number]);
  return path;
}

#endif
