/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* io.h: files that are written. A failed call leaves no file behind. */

#include "host/cases.h"

#include "support/files.h"

#include <fcntl.h>
#include <unistd.h>

/* The bytes of a file that a call wrote, or that it is not there if the call failed; then it goes. */
static void record_file(host_run *run, toi_status status, const char *path) {
  const int file = open(path, O_RDONLY);
  if (!host_context_status(run, status)) {
    HOST_CHECK(run, file < 0);
    return;
  }
  HOST_CHECK(run, file >= 0);
  char bytes[4096];
  for (ssize_t length; (length = read(file, bytes, sizeof bytes)) > 0;)
    host_bits(run, "bytes", bytes, (size_t)length);
  close(file);
  unlink(path);
}

static toi_query_set set_of(host_run *run) {
  static uint8_t truth[HOST_QUERIES];
  return (toi_query_set){
      .queries = (double *)(uintptr_t)host_queries(run->input, TOI_VERTEX_FACE), .truth = truth, .count = HOST_QUERIES};
}

static void queries_write(host_run *run) {
  static const char *const names[] = {"written.csv", "written.bin"};
  for (size_t i = 0; i < 2; i++) {
    const toi_query_set set = set_of(run);
    const char *path = test_path(names[i]);
    toi_status status;
    HOST_CALL(run, status, toi_queries_write, (run->context, path, &set));
    record_file(run, status, path);
  }
}

static void output(host_run *run) {
  const char *path = test_path("output.csv");
  for (int way = 0; way < 3; way++) {
    toi_output *made = host_nowhere();
    toi_status status;
    HOST_CALL(run, status, toi_output_create, (run->context, path, &made));
    if (!host_context_status(run, status)) {
      HOST_CHECK(run, made == NULL);
      continue;
    }
    const toi_query_set set = set_of(run);
    if (way == 0)
      HOST_CALL(run, status, toi_output_append_queries, (made, &set));
    else
      HOST_CALL(run, status, toi_output_append, (made, "1,2,3\n", 6));
    host_context_status(run, status);
    if (way == 2) {
      HOST_DO(run, toi_output_destroy, (made));
      HOST_CHECK(run, access(path, F_OK) != 0);
      continue;
    }
    HOST_CALL(run, status, toi_output_commit, (made));
    record_file(run, status, path);
  }
}

static void frame_write(host_run *run) {
  static const char *const names[] = {"written.ply", "written.obj", "written.obj.gz"};
  const toi_mesh *mesh = &host_mesh_of(run->input)->mesh;
  static const uint32_t loose[1][2] = {{32, 33}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const toi_frame frame = {.vertices = (void *)(uintptr_t)mesh->end,
                             .scalar = TOI_FLOAT64,
                             .vertex_count = mesh->vertex_count,
                             .faces = (uint32_t(*)[3])(uintptr_t)mesh->faces,
                             .face_count = mesh->face_count,
                             .loose = (uint32_t(*)[2])(uintptr_t)loose,
                             .loose_count = 1};
    const char *path = test_path(names[i]);
    toi_status status;
    HOST_CALL(run, status, toi_frame_write, (run->context, path, &frame));
    record_file(run, status, path);
  }
}

/* A patch of degree 2 by 1, with every field that a file has. */
typedef struct written {
  double points[6][3], velocities[6][3], weights[6];
  toi_patch patch;
} written;

static void make_patch(host_run *run, written *made) {
  for (int i = 0; i < 6; i++) {
    host_point(run->input, (const int[]){40 * i, 117 - i, 3 * i - 7}, made->points[i]);
    host_point(run->input, (const int[]){-i, 1, -117 + i}, made->velocities[i]);
    made->weights[i] = i % 2 == 0 ? 0.7 : 1e-5;
  }
  made->patch = (toi_patch){.shape = TOI_PATCH_QUAD,
                            .degree = {2, 1},
                            .points = (const double(*)[3])made->points,
                            .velocities = (const double(*)[3])made->velocities,
                            .weights = made->weights,
                            .error = host_number(run->input, 1),
                            .velocity_error = 0x1p-1074};
}

static void model_write(host_run *run) {
  static const double domains[1][4] = {{0, 0.1, 1e-300, 0x1p-1074}};
  written made;
  make_patch(run, &made);
  const toi_model model = {.patches = &made.patch, .patch_count = 1, .domains = domains};
  const char *path = test_path("written.json");
  toi_status status;
  HOST_CALL(run, status, toi_model_write, (run->context, path, &model));
  record_file(run, status, path);
}

static void cases_write(host_run *run) {
  written made;
  make_patch(run, &made);
  toi_patch_case one = {.a = &made.patch, .b = &made.patch, .t_max = host_number(run->input, 9)};
  const toi_case_set set = {.cases = &one, .count = 1};
  const char *path = test_path("written.jsonl");
  toi_status status;
  HOST_CALL(run, status, toi_cases_write, (run->context, path, &set));
  record_file(run, status, path);
}

const host_case host_write_cases[] = {
    {"toi_queries_write", queries_write, HOST_FIGURES}, {"toi_output_create", output, HOST_FIGURES},
    {"toi_frame_write", frame_write, HOST_FIGURES},     {"toi_model_write", model_write, HOST_FIGURES},
    {"toi_cases_write", cases_write, HOST_FIGURES},     {NULL, NULL, 0}};
