/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Models in JSON, plain or gzipped: patches, NURBS, Hermite patches and shapes. What is read can be written, reads the
 * same, and can be asked about. */

#include "fuzz/patches.h"

#include <toi/io.h>

#include <string.h>

static void check_again(toi_context *context, const toi_model *model) {
  const char *path = fuzz_path("again.json");
  toi_model again;
  FUZZ_CHECK(toi_model_write(context, path, model) == TOI_OK);
  FUZZ_CHECK(toi_model_read(context, path, &again) == TOI_OK);
  FUZZ_CHECK(again.patch_count == model->patch_count && (again.domains != NULL) == (model->domains != NULL));
  for (size_t i = 0; i < model->patch_count; i++) {
    fuzz_patch_same(toi_model_patch(model, i), toi_model_patch(&again, i));
    FUZZ_CHECK(model->domains == NULL || fuzz_same(model->domains[i], again.domains[i], 4));
  }
  toi_model_free(context, &again);
}

/* The model with itself, and the same with a copy of it that moves. */
static void check_asked(toi_context *context, const toi_model *model) {
  const toi_surface_options options = fuzz_surface_options(1);
  toi_surface_hit hit;
  toi_status status = toi_model_pair(context, model, NULL, &options, &hit);
  if (status == TOI_OK) {
    fuzz_surface_hit(&hit, 1);
  } else {
    fuzz_refused(context, status);
    fuzz_surface_safe(&hit);
  }
  toi_model moved;
  status = toi_model_moved(context, model, (const double[]){3, 0, 1}, (const double[]){-4, 0, 0}, &moved);
  if (status != TOI_OK) {
    fuzz_refused(context, status);
    FUZZ_CHECK(moved.patches == NULL && moved.patch_count == 0 && moved.owned == NULL);
    return;
  }
  status = toi_model_pair(context, model, &moved, &options, &hit);
  if (status == TOI_OK) {
    fuzz_surface_hit(&hit, 1);
  } else {
    fuzz_refused(context, status);
    fuzz_surface_safe(&hit);
  }
  toi_model_free(context, &moved);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  toi_context *context = fuzz_context();
  toi_model model;
  memset(&model, 0xa5, sizeof model);
  const toi_status status = toi_model_read(context, fuzz_file("model.json", data, size), &model);
  if (status != TOI_OK) {
    fuzz_refused(context, status);
    FUZZ_CHECK(model.patches == NULL && model.patch_count == 0 && model.domains == NULL && model.owned == NULL);
  } else {
    check_again(context, &model);
    check_asked(context, &model);
  }
  toi_model_free(context, &model);
  toi_context_destroy(context);
  return 0;
}
