/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Models of patches in a scene: written out, in a file of their own, or by the name of a shape.
 *
 * Promise: a file beside the scene goes before a shape of the same name, and a path is taken from the scene's folder.
 */

#include <toi/io.h>

#include <string.h>

#include "base/internal.h"
#include "io/contact_scene.h"
#include "io/model_parts.h"

/* A path from the scene's folder; NULL: no memory. Free its *bytes. */
static char *beside(const toi_scene_reader *r, const char *name, size_t *bytes) {
  const char *scene = r->tree.path, *slash = strrchr(scene, '/');
  const size_t folder = name[0] == '/' || slash == NULL ? 0 : (size_t)(slash - scene) + 1;
  *bytes = folder + strlen(name) + 1;
  char *path = toi_allocate(r->tree.context, *bytes);
  if (path != NULL) {
    memcpy(path, scene, folder);
    memcpy(path + folder, name, strlen(name) + 1);
  }
  return path;
}

static toi_status read_named(toi_scene_reader *r, const toi_json_node *node, const char *path, toi_model *model) {
  for (size_t i = 0; toi_model_name(i) != NULL; i++)
    if (strcmp(node->text, toi_model_name(i)) == 0 && !toi_path_opens(path))
      return toi_tree_fail_made(&r->tree, node, toi_model_named(r->tree.context, node->text, model));
  if (strpbrk(node->text, "./") == NULL && !toi_path_opens(path))
    return toi_tree_fail(&r->tree, node,
                         "neither a file nor a shape of this name; shapes are teapot, sphere, cylinder, torus");
  const toi_status status = toi_model_read(r->tree.context, path, model);
  if (status == TOI_OK || status == TOI_ERROR_MEMORY)
    return status;
  // The sentence names the model's file; what asked for it stands before.
  return toi_tree_fail(&r->tree, node, "%s", toi_context_error(r->tree.context));
}

toi_status toi_scene_model(toi_scene_reader *r, const toi_json_node *node, toi_model *model) {
  *model = (toi_model){0};
  if (node->kind == TOI_JSON_OBJECT)
    return toi_model_from_tree(&r->tree, node, TOI_MODEL_WHOLE, model);
  if (node->kind != TOI_JSON_STRING)
    return toi_tree_misplaced(&r->tree, node, "a model, or the path of its file,");
  size_t bytes;
  char *path = beside(r, node->text, &bytes);
  if (path == NULL)
    return TOI_ERROR_MEMORY;
  const toi_status status = read_named(r, node, path, model);
  toi_free(r->tree.context, path, bytes);
  return status;
}
