/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contact scenes in JSON, plain or gzipped, and what toi_contact says of those that are read, with few boxes. */

#include "fuzz/fuzz.h"

#include <toi/io.h>

#include <math.h>
#include <string.h>

typedef struct visits {
  size_t count, bodies;
} visits;

static toi_status visit(void *user, const toi_contact_point *contact) {
  visits *seen = user;
  seen->count++;
  FUZZ_CHECK(contact->a < contact->b && contact->b < seen->bodies);
  FUZZ_CHECK(contact->t_lo >= 0 && contact->t_lo <= contact->t_hi);
  return TOI_OK;
}

static void check_answer(const toi_contact_answer *answer, double t_max) {
  FUZZ_CHECK(answer->verdict <= TOI_NEAR);
  if (answer->verdict == TOI_MISS) {
    FUZZ_CHECK(isinf(answer->t_lo) && isinf(answer->t_hi) && answer->t_safe == t_max && answer->contacts == 0);
    return;
  }
  FUZZ_CHECK(answer->t_lo >= 0 && answer->t_lo <= t_max && answer->t_safe >= 0 && answer->t_safe <= answer->t_lo);
  if (answer->verdict == TOI_HIT)
    FUZZ_CHECK(answer->t_lo <= answer->t_hi && answer->t_hi <= t_max);
}

static void ask(toi_context *context, const toi_contact_scene *scene) {
  toi_contact_options options = toi_contact_scene_options(scene);
  options.max_boxes = 24;
  toi_contact_answer answer;
  visits seen = {.bodies = scene->count};
  const toi_status status = toi_contact(context, scene->bodies, scene->count, &options, &answer, visit, &seen);
  if (status == TOI_OK) {
    check_answer(&answer, options.t_max);
    FUZZ_CHECK(seen.count == answer.contacts);
  } else {
    fuzz_refused(context, status);
    FUZZ_CHECK(answer.verdict == TOI_NEAR && answer.t_lo == 0 && answer.t_safe == 0);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  toi_context *context = fuzz_context();
  toi_contact_scene scene;
  memset(&scene, 0xa5, sizeof scene);
  const toi_status status = toi_contact_scene_read(context, fuzz_file("scene.json", data, size), &scene);
  if (status != TOI_OK) {
    fuzz_refused(context, status);
    FUZZ_CHECK(scene.bodies == NULL && scene.names == NULL && scene.count == 0 && scene.owned == NULL);
  } else {
    FUZZ_CHECK(scene.count >= 1 && scene.patches != NULL && scene.title != NULL && scene.options != NULL);
    for (size_t i = 0; i < scene.count; i++)
      FUZZ_CHECK(scene.names[i] != NULL && toi_contact_scene_body(&scene, i)->shape != NULL);
    if (scene.count <= 4)
      ask(context, &scene);
  }
  toi_contact_scene_free(context, &scene);
  toi_context_destroy(context);
  return 0;
}
