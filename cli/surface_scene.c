/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A scene file of `toi surface`: which models, how they move, and for how long. The library reads it. */

#include "progress.h"
#include "session.h"
#include "surface.h"

int surface_read_scene(toi_context *context, const char *path, surface_pair *pair) {
  const platform_kind kind = platform_ask(path, NULL);
  if (kind == PLATFORM_NOTHING && surface_is_shape(path))
    return cli_fail("%s: only one model; name the second one too, or give --self", path);
  if (kind == PLATFORM_FOLDER)
    return cli_fail("%s: a directory; name a file of cases, a scene, or two models", path);
  progress_stop_at_once(true);
  const toi_status status = toi_surface_scene_read(context, path, &pair->scene);
  progress_stop_at_once(false);
  if (status != TOI_OK)
    return session_fail(context, status, status == TOI_ERROR_MEMORY ? path : NULL);
  pair->self = pair->scene.count == 1;
  pair->t_max = toi_contact_scene_options(&pair->scene).t_max;
  for (size_t i = 0; i < pair->scene.count; i++) {
    pair->model[i] = *pair->scene.patches[i].model;
    pair->motion[i] = toi_contact_scene_body(&pair->scene, i)->motion;
  }
  return EXIT_DONE;
}
