/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Frames as they are used: the scenes of the data sets, and whether two frames are states of one mesh. */

#include "support/files.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>
#include <toi/broad.h>
#include <toi/io.h>

static void read_fine(toi_context *context, const char *path, toi_frame *frame) {
  if (toi_frame_read(context, path, frame) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
}

/* --- the scenes --- */

typedef struct scene {
  const char *name, *start, *end;
  size_t vertices, edges, faces;
  toi_scalar scalar;
} scene;

static const scene scenes[] = {
    {"armadillo-rollers", "326", "327", 12135, 36363, 24242, TOI_FLOAT64},
    {"cloth-ball", "cloth_ball92", "cloth_ball93", 46598, 138825, 92230, TOI_FLOAT32},
    {"cloth-funnel", "227", "228", 9450, 27930, 18484, TOI_FLOAT64},
    {"n-body-simulation", "balls16_18", "balls16_19", 73960, 219840, 146480, TOI_FLOAT32},
    {"rod-twist", "3036", "3037", 39940, 119796, 79864, TOI_FLOAT64},
};

static void expect_scene(toi_context *context, const scene *s, const toi_frame *frame) {
  assert_int_equal(frame->vertex_count, s->vertices);
  assert_int_equal(frame->face_count, s->faces);
  assert_int_equal(frame->loose_count, 0);
  assert_int_equal(frame->scalar, s->scalar);
  uint32_t(*edges)[2];
  size_t edge_count;
  assert_int_equal(
      toi_mesh_edges(context, (const uint32_t(*)[3])frame->faces, frame->face_count, NULL, 0, &edges, &edge_count),
      TOI_OK);
  assert_int_equal(edge_count, s->edges);
  const toi_mesh mesh = {.start = frame->vertices,
                         .end = frame->vertices,
                         .scalar = frame->scalar,
                         .vertex_count = frame->vertex_count,
                         .edges = (const uint32_t(*)[2])edges,
                         .edge_count = edge_count,
                         .faces = (const uint32_t(*)[3])frame->faces,
                         .face_count = frame->face_count};
  assert_int_equal(toi_mesh_check(context, &mesh), TOI_OK);
  toi_mesh_edges_free(context, edges, edge_count);
}

static void scenes_have_the_counts_of_their_table(void **state) {
  const char *data = test_data_directory();
  if (data == NULL)
    skip();
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
    const scene *s = &scenes[i];
    char start_path[512], end_path[512];
    snprintf(start_path, sizeof start_path, "%s/scenes/%s/frames/%s.ply", data, s->name, s->start);
    snprintf(end_path, sizeof end_path, "%s/scenes/%s/frames/%s.ply", data, s->name, s->end);
    toi_frame start, end;
    read_fine(*state, start_path, &start);
    read_fine(*state, end_path, &end);
    expect_scene(*state, s, &start);
    expect_scene(*state, s, &end);
    assert_int_equal(toi_frames_match(*state, &start, s->start, &end, s->end), TOI_OK);
    toi_frame_free(*state, &start);
    toi_frame_free(*state, &end);
  }
}

/* --- two frames --- */

static float start_points[4][3], end_points[4][3];
static uint32_t start_faces[2][3] = {{0, 1, 2}, {2, 1, 3}}, end_faces[2][3] = {{0, 1, 2}, {2, 1, 3}};
static uint32_t start_loose[2][2] = {{0, 3}, {1, 3}}, end_loose[2][2] = {{0, 3}, {1, 3}};

static void expect_difference(toi_context *context, const toi_frame *start, const toi_frame *end, const char *text) {
  assert_int_equal(toi_frames_match(context, start, "a.ply", end, "b.ply"), TOI_ERROR_INPUT);
  assert_string_equal(toi_context_error(context), text);
}

static void first_difference_of_two_frames_is_named(void **state) {
  const toi_frame start = {.vertices = start_points,
                           .scalar = TOI_FLOAT32,
                           .vertex_count = 4,
                           .faces = start_faces,
                           .face_count = 2,
                           .loose = start_loose,
                           .loose_count = 2};
  const toi_frame same = {.vertices = end_points,
                          .scalar = TOI_FLOAT32,
                          .vertex_count = 4,
                          .faces = end_faces,
                          .face_count = 2,
                          .loose = end_loose,
                          .loose_count = 2};
  end_points[1][2] = 1;
  assert_int_equal(toi_frames_match(*state, &start, "a.ply", &same, "b.ply"), TOI_OK);
  assert_string_equal(toi_context_error(*state), "");

  toi_frame end = same;
  end.vertex_count = 3;
  expect_difference(*state, &start, &end, "a.ply has 4 vertices, but b.ply has 3; the frames of a step are one mesh");
  end = same;
  end.face_count = 0;
  expect_difference(*state, &start, &end, "a.ply has 2 faces, but b.ply has 0; the frames of a step are one mesh");
  end = same;
  end.loose_count = 1;
  expect_difference(*state, &start, &end,
                    "a.ply has 2 loose edges, but b.ply has 1; the frames of a step are one mesh");
  end = same;
  end.scalar = TOI_FLOAT64;
  expect_difference(*state, &start, &end, "a.ply has float coordinates, but b.ply has double; write both alike");
  end = same;
  end_faces[1][0] = 1;
  end_faces[1][1] = 2;
  end_loose[0][0] = 2;
  expect_difference(*state, &start, &end,
                    "face 1 is (2, 1, 3) in a.ply, but (1, 2, 3) in b.ply; the frames of a step are one mesh");
  memcpy(end_faces, start_faces, sizeof end_faces);
  expect_difference(*state, &start, &end,
                    "loose edge 0 is (0, 3) in a.ply, but (2, 3) in b.ply; the frames of a step are one mesh");
  assert_int_equal(toi_frames_match(*state, &start, NULL, &end, NULL), TOI_ERROR_INPUT);
  assert_string_equal(toi_context_error(*state), "loose edge 0 is (0, 3) in the start, but (2, 3) in the end; the "
                                                 "frames of a step are one mesh");
  assert_int_equal(toi_frames_match(*state, NULL, "a", &end, "b"), TOI_ERROR_INPUT);
  assert_int_equal(toi_frames_match(NULL, &start, "a", &end, "b"), TOI_ERROR_INPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scenes_have_the_counts_of_their_table),
      cmocka_unit_test(first_difference_of_two_frames_is_named),
  };
  return cmocka_run_group_tests(tests, test_context_make, test_context_remove);
}
