/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The scenes of the data set: every broad phase, on one and on two threads, finds exactly the published numbers of
 * overlapping boxes, and on the smallest scene the very pairs of brute force. */

#include <stdio.h>

#include "broad/pairs.h"

typedef struct data_scene {
  const char *name, *start, *end;
  uint64_t vertex_face, edge_edge;
  bool small; /* every pair can be tried */
} data_scene;

static const data_scene data_scenes[] = {
    {"armadillo-rollers", "326.ply", "327.ply", 2031902, 5068080, false},
    {"cloth-ball", "cloth_ball92.ply", "cloth_ball93.ply", 1655541, 5197332, false},
    {"cloth-funnel", "227.ply", "228.ply", 7319, 33770, true},
    {"n-body-simulation", "balls16_18.ply", "balls16_19.ply", 9396388, 22366873, false},
    {"rod-twist", "3036.ply", "3037.ply", 448270, 2041334, false},
};

/* The two frames of a scene and the mesh they make; false, with a line that says so, if they are not there. */
typedef struct frames {
  toi_frame start, end;
  toi_mesh mesh;
} frames;

static bool read_frames(toi_context *context, const char *directory, const data_scene *scene, frames *f) {
  char path[2][512];
  snprintf(path[0], sizeof(path[0]), "%s/scenes/%s/frames/%s", directory, scene->name, scene->start);
  snprintf(path[1], sizeof(path[1]), "%s/scenes/%s/frames/%s", directory, scene->name, scene->end);
  FILE *const there = fopen(path[0], "rb");
  if (!there) {
    test_skip_reason("no %s", path[0]);
    return false;
  }
  fclose(there);
  if (toi_frame_read(context, path[0], &f->start) != TOI_OK || toi_frame_read(context, path[1], &f->end) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  assert_int_equal(f->start.scalar, f->end.scalar);
  f->mesh = (toi_mesh){.start = f->start.vertices,
                       .end = f->end.vertices,
                       .scalar = f->start.scalar,
                       .vertex_count = f->start.vertex_count,
                       .faces = (const uint32_t(*)[3])f->start.faces,
                       .face_count = f->start.face_count};
  return true;
}

static void free_frames(toi_context *context, frames *f) {
  toi_frame_free(context, &f->start);
  toi_frame_free(context, &f->end);
}

static toi_status add_count(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  (void)pairs;
  ((uint64_t *)user)[kind] += count;
  return TOI_OK;
}

static void scenes_have_their_published_counts(void **unused) {
  (void)unused;
  const char *const directory = test_data_directory();
  if (!directory)
    skip();
  for (uint32_t threads = 1; threads <= 2; threads++) {
    toi_context *const context = test_context(threads);
    for (size_t i = 0; i < sizeof(data_scenes) / sizeof(*data_scenes); i++) {
      const data_scene *const scene = &data_scenes[i];
      frames f;
      // The large ones would take minutes under a sanitizer.
      if ((TEST_SANITIZED && !scene->small) || !read_frames(context, directory, scene, &f))
        continue;
      for (size_t number = 0; toi_broad_name(number); number++) {
        toi_options options = toi_default_options();
        toi_mesh_options on_mesh = toi_default_mesh_options();
        options.on_mesh = &on_mesh;
        on_mesh.broad = toi_broad_name(number);
        if (strcmp(on_mesh.broad, "brute") == 0)
          continue;
        uint64_t count[TOI_KIND_COUNT] = {0};
        if (toi_candidates(context, &f.mesh, &options, add_count, count) != TOI_OK)
          fail_msg("%s: %s", scene->name, toi_context_error(context));
        if (count[0] != scene->vertex_face || count[1] != scene->edge_edge || count[2] || count[3])
          fail_msg("%s, %s, %u threads: %llu vertex-face and %llu edge-edge pairs", scene->name, on_mesh.broad, threads,
                   (unsigned long long)count[0], (unsigned long long)count[1]);
      }
      free_frames(context, &f);
    }
    toi_context_destroy(context);
  }
}

static void the_smallest_scene_pair_for_pair(void **unused) {
  (void)unused;
  const char *const directory = test_data_directory();
  if (!directory)
    skip();
  toi_context *const context = test_context(2);
  const data_scene *scene = data_scenes;
  while (!scene->small)
    scene++;
  frames f;
  if (!read_frames(context, directory, scene, &f)) {
    toi_context_destroy(context);
    skip();
  }
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  on_mesh.broad = "brute";
  test_pairs expected = test_candidates(context, &f.mesh, &options);
  assert_int_equal(expected.count[0], scene->vertex_face);
  assert_int_equal(expected.count[1], scene->edge_edge);
  for (size_t number = 0; toi_broad_name(number); number++) {
    on_mesh.broad = toi_broad_name(number);
    if (strcmp(on_mesh.broad, "brute") == 0)
      continue;
    test_pairs found = test_candidates(context, &f.mesh, &options);
    test_pairs_equal(&found, &expected, on_mesh.broad);
    test_pairs_free(&found);
  }
  test_pairs_free(&expected);
  free_frames(context, &f);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scenes_have_their_published_counts),
      cmocka_unit_test(the_smallest_scene_pair_for_pair),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
