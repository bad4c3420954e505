/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* io.h: files that are read. */

#include "host/cases.h"
#include "host/models.h"

static void queries_read(host_run *run) {
  static const char *const names[] = {"queries.csv", "queries.csv.gz", "queries.bin", "long.csv"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    toi_query_set set;
    HOST_SPOIL(set);
    toi_status status;
    HOST_CALL(run, status, toi_queries_read, (run->context, host_file(run->input, names[i]), &set));
    if (!host_context_status(run, status)) {
      HOST_CHECK(run, set.queries == NULL && set.truth == NULL && set.count == 0);
      continue;
    }
    host_bits(run, "queries", set.queries, set.count * 24 * sizeof set.queries[0]);
    if (set.truth != NULL)
      host_bits(run, "truth", set.truth, set.count);
    HOST_DO(run, toi_queries_free, (run->context, &set));
    HOST_CHECK(run, set.queries == NULL && set.count == 0);
  }
}

static void truth_read(host_run *run) {
  static const char *const names[] = {"truth.json", "truth.csv", "truth.csv.gz"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    toi_truth truth;
    HOST_SPOIL(truth);
    toi_status status;
    HOST_CALL(run, status, toi_truth_read, (run->context, host_file(run->input, names[i]), &truth));
    if (!host_context_status(run, status)) {
      HOST_CHECK(run, truth.hit == NULL && truth.t_lo == NULL && truth.t_hi == NULL && truth.count == 0);
      continue;
    }
    host_bits(run, "hit", truth.hit, truth.count);
    if (truth.t_lo != NULL) {
      host_bits(run, "t_lo", truth.t_lo, truth.count * sizeof truth.t_lo[0]);
      host_bits(run, "t_hi", truth.t_hi, truth.count * sizeof truth.t_hi[0]);
    }
    HOST_DO(run, toi_truth_free, (run->context, &truth));
  }
}

static bool read_frame(host_run *run, const char *name, toi_frame *frame) {
  HOST_SPOIL(*frame);
  toi_status status;
  HOST_CALL(run, status, toi_frame_read, (run->context, host_file(run->input, name), frame));
  if (host_context_status(run, status)) {
    host_bits(run, "vertices", frame->vertices,
              frame->vertex_count * 3 * (frame->scalar == TOI_FLOAT64 ? sizeof(double) : sizeof(float)));
    host_bits(run, "faces", frame->faces, frame->face_count * sizeof frame->faces[0]);
    host_bits(run, "loose", frame->loose, frame->loose_count * sizeof frame->loose[0]);
    return true;
  }
  HOST_CHECK(run, frame->vertices == NULL && frame->vertex_count == 0 && frame->face_count == 0);
  return false;
}

static void frame_read(host_run *run) {
  static const char *const names[] = {"mesh.ply", "mesh.ply.gz", "mesh.obj", "mesh.obj.gz", "ascii.ply", "float.ply"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    toi_frame frame;
    if (read_frame(run, names[i], &frame))
      HOST_DO(run, toi_frame_free, (run->context, &frame));
  }
}

static void frame_slice_read(host_run *run) {
  toi_frame frame;
  if (!read_frame(run, "mesh.ply", &frame))
    return;
  for (uint32_t part = 0; part < 2; part++) {
    toi_frame_slice slice;
    HOST_SPOIL(slice);
    toi_status status;
    HOST_CALL(run, status, toi_frame_slice_read, (run->context, host_file(run->input, "mesh.ply"), part, 2, &slice));
    if (!host_context_status(run, status)) {
      HOST_CHECK(run, slice.frame.vertices == NULL && slice.vertex_count == 0);
      continue;
    }
    HOST_CHECK(run, slice.vertex_count == frame.vertex_count && slice.face_count == frame.face_count);
    host_bits(run, "part", slice.frame.faces, slice.frame.face_count * sizeof slice.frame.faces[0]);
    HOST_DO(run, toi_frame_free, (run->context, &slice.frame));
  }
  HOST_DO(run, toi_frame_free, (run->context, &frame));
}

static void frames_match(host_run *run) {
  toi_frame first, second;
  if (!read_frame(run, "mesh.ply", &first))
    return;
  if (read_frame(run, "mesh.obj", &second)) {
    toi_status status;
    HOST_CALL(run, status, toi_frames_match, (run->context, &first, "first", &second, "second"));
    host_context_status(run, status);
    HOST_DO(run, toi_frame_free, (run->context, &second));
  }
  HOST_DO(run, toi_frame_free, (run->context, &first));
}

static void cases_read(host_run *run) {
  toi_case_set set;
  HOST_SPOIL(set);
  toi_status status;
  HOST_CALL(run, status, toi_cases_read, (run->context, host_file(run->input, "cases.jsonl"), &set));
  if (!host_context_status(run, status)) {
    HOST_CHECK(run, set.cases == NULL && set.count == 0 && set.owned == NULL);
    return;
  }
  for (size_t i = 0; i < set.count; i++) {
    const toi_patch_case *one = toi_case_set_case(&set, i);
    HOST_BITS(run, one->t_max);
    host_record_model(run, &(toi_model){.patches = one->a, .patch_count = 1});
    host_record_model(run, &(toi_model){.patches = one->b, .patch_count = 1});
  }
  HOST_DO(run, toi_cases_free, (run->context, &set));
}

static void model_read(host_run *run) {
  static const char *const names[] = {"patches.json", "nurbs.json", "sphere.json", "torus.json.gz"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    toi_model model;
    HOST_SPOIL(model);
    toi_status status;
    HOST_CALL(run, status, toi_model_read, (run->context, host_file(run->input, names[i]), &model));
    if (host_model_made(run, status, &model))
      HOST_DO(run, toi_model_free, (run->context, &model));
  }
}

static void contact_scene_read(host_run *run) {
  toi_contact_scene scene;
  HOST_SPOIL(scene);
  toi_status status;
  HOST_CALL(run, status, toi_contact_scene_read, (run->context, host_file(run->input, "scene.json"), &scene));
  if (!host_context_status(run, status)) {
    HOST_CHECK(run, scene.bodies == NULL && scene.count == 0 && scene.owned == NULL);
    return;
  }
  host_text(run, "title", scene.title);
  HOST_BITS(run, scene.count);
  HOST_BITS(run, scene.options->tolerance);
  HOST_BITS(run, scene.options->t_max);
  for (size_t i = 0; i < scene.count; i++) {
    host_text(run, "name", scene.names[i]);
    const toi_body *body = toi_contact_scene_body(&scene, i);
    toi_extent extent;
    HOST_CALL(run, extent, toi_shape_extent, (body->shape));
    HOST_BITS(run, extent.bounds);
    HOST_CHECK(run, (scene.patches[i].model != NULL) == (i >= 2));
    if (body->motion == NULL)
      continue;
    toi_interval rotation[9], translation[3];
    HOST_SPOIL(rotation);
    HOST_SPOIL(translation);
    HOST_CALL(run, status, toi_motion_at, (body->motion, ((toi_interval){0.1, 0.2}), rotation, translation));
    if (!host_context_status(run, status))
      continue;
    HOST_BITS(run, rotation);
    HOST_BITS(run, translation);
  }
  HOST_DO(run, toi_contact_scene_free, (run->context, &scene));
}

static void sweep_scene_read(host_run *run) {
  toi_sweep_scene scene;
  HOST_SPOIL(scene);
  toi_status status;
  HOST_CALL(run, status, toi_sweep_scene_read, (run->context, TOI_SOURCE_DIR "/examples/sweep/arm.json", &scene));
  if (!host_context_status(run, status)) {
    HOST_CHECK(run, scene.names == NULL && scene.count == 0 && scene.owned == NULL);
    return;
  }
  HOST_BITS(run, scene.count);
  host_bits(run, "times", scene.times, (scene.piece_count + 1) * sizeof *scene.times);
  // But for the addresses of motions.
  for (size_t i = 0; i < scene.piece_count * scene.count; i++) {
    HOST_BITS(run, scene.motions[i].start);
    HOST_BITS(run, scene.motions[i].end);
    HOST_BITS(run, scene.motions[i].law);
  }
  toi_moving_body motions[3 * 4];
  const double range[2] = {0.25, 1.5};
  double limits[2] = {0, 0}, start = 0;
  HOST_CHECK(run, scene.count == 4);
  HOST_CALL(run, status, toi_sweep_scene_joint, (run->context, &scene, 2, range, 3, motions, limits, &start));
  if (host_context_status(run, status)) {
    for (size_t i = 0; i < 3 * scene.count; i++) {
      HOST_BITS(run, motions[i].start);
      HOST_BITS(run, motions[i].end);
    }
    HOST_BITS(run, limits);
    HOST_BITS(run, start);
  }
  HOST_DO(run, toi_sweep_scene_free, (run->context, &scene));
}

static void surface_scene_read(host_run *run) {
  toi_contact_scene scene;
  HOST_SPOIL(scene);
  toi_status status;
  HOST_CALL(run, status, toi_surface_scene_read, (run->context, host_file(run->input, "models.json"), &scene));
  if (!host_context_status(run, status)) {
    HOST_CHECK(run, scene.bodies == NULL && scene.count == 0 && scene.owned == NULL);
    return;
  }
  HOST_BITS(run, scene.count);
  HOST_BITS(run, scene.options->t_max);
  for (size_t i = 0; i < scene.count; i++) {
    host_text(run, "name", scene.names[i]);
    HOST_BITS(run, scene.patches[i].model->patch_count);
  }
  HOST_DO(run, toi_contact_scene_free, (run->context, &scene));
}

const host_case host_read_cases[] = {{"toi_queries_read", queries_read, HOST_FIGURES},
                                     {"toi_truth_read", truth_read, HOST_FIGURES},
                                     {"toi_frame_read", frame_read, HOST_FIGURES},
                                     {"toi_frame_slice_read", frame_slice_read, HOST_FIGURES},
                                     {"toi_frames_match", frames_match, HOST_FIGURES},
                                     {"toi_cases_read", cases_read, HOST_FIGURES},
                                     {"toi_model_read", model_read, HOST_FIGURES},
                                     {"toi_contact_scene_read", contact_scene_read, HOST_FIGURES},
                                     {"toi_sweep_scene_read", sweep_scene_read, HOST_ONCE},
                                     {"toi_surface_scene_read", surface_scene_read, HOST_FIGURES},
                                     {NULL, NULL, 0}};
