/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi contact SCENE.json --inside X,Y,Z`: which solids of a scene hold a point at the start, instead of contact. */

#include "contact.h"

#include "session.h"

static void print_one(const contact_scene *scene, size_t number, const char *text, json_t *list) {
  if (list != NULL)
    json_object_set_new(list, scene->names[number], json_text(text));
  else
    printf("%-24s %s\n", scene->names[number], text);
}

static int ask_all(const contact_scene *scene, const double point[3], json_t *list) {
  for (size_t i = 0; i < scene->count; i++) {
    toi_inside inside;
    if (!toi_shape_extent(scene->bodies[i].shape).solid) {
      print_one(scene, i, "no solid", list);
      continue;
    }
    const toi_status status = toi_contact_inside(scene->context, &scene->bodies[i], 0, point, &inside);
    if (status != TOI_OK)
      return session_fail(scene->context, status, scene->name);
    print_one(scene, i, toi_inside_name(inside), list);
  }
  return EXIT_DONE;
}

int contact_print_inside(const contact_options *options) {
  contact_scene scene = {0};
  json_t *list = options->json ? json_object() : NULL;
  int result = contact_scene_open(options, &scene);
  if (result == EXIT_DONE)
    result = ask_all(&scene, options->point, list);
  if (result == EXIT_DONE && list != NULL) {
    json_t *object = json_object();
    json_object_set(object, "inside", list);
    result = json_print(object);
  }
  json_decref(list);
  contact_scene_close(&scene);
  return result;
}
