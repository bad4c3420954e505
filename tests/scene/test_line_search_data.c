/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Safe steps of the scenes of the data: from the first frame towards the second, and past it. What is accepted is asked
 * about again with another broad phase, and must not intersect if the first frame does not. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <toi/toi.h>

#include "support/support.h"

typedef struct data_scene {
  const char *start, *end;
} data_scene;

static const data_scene scenes[] = {
    {"cloth-funnel/frames/227.ply", "cloth-funnel/frames/228.ply"},
    {"armadillo-rollers/frames/326.ply", "armadillo-rollers/frames/327.ply"},
    {"rod-twist/frames/3036.ply", "rod-twist/frames/3037.ply"},
    {"cloth-ball/frames/cloth_ball92.ply", "cloth-ball/frames/cloth_ball93.ply"},
    {"n-body-simulation/frames/balls16_18.ply", "n-body-simulation/frames/balls16_19.ply"},
};

typedef struct loaded {
  toi_context *context;
  toi_frame start, end;
  toi_mesh mesh;
  uint32_t (*edges)[2];
  size_t edge_count;
  void *towards, *positions; /* laid out like the frames */
} loaded;

static void read_frame(toi_context *context, const char *name, toi_frame *frame) {
  char path[4096];
  snprintf(path, sizeof(path), "%s/scenes/%s", test_data_directory(), name);
  if (toi_frame_read(context, path, frame) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
}

static size_t state_bytes(const toi_frame *frame) {
  return frame->vertex_count * 3 * (frame->scalar == TOI_FLOAT32 ? sizeof(float) : sizeof(double));
}

static void load(const data_scene *scene, loaded *l) {
  *l = (loaded){.context = test_context(2)};
  read_frame(l->context, scene->start, &l->start);
  read_frame(l->context, scene->end, &l->end);
  const uint32_t(*faces)[3] = (const uint32_t(*)[3])l->start.faces;
  assert_int_equal(toi_mesh_edges(l->context, faces, l->start.face_count, NULL, 0, &l->edges, &l->edge_count), TOI_OK);
  l->towards = malloc(state_bytes(&l->start));
  l->positions = malloc(state_bytes(&l->start));
  assert_true(l->towards && l->positions);
  l->mesh = (toi_mesh){.start = l->start.vertices,
                       .end = l->towards,
                       .scalar = l->start.scalar,
                       .vertex_count = l->start.vertex_count,
                       .edges = (const uint32_t(*)[2])l->edges,
                       .edge_count = l->edge_count,
                       .faces = faces,
                       .face_count = l->start.face_count};
}

static void unload(loaded *l) {
  toi_frame_free(l->context, &l->start);
  toi_frame_free(l->context, &l->end);
  toi_mesh_edges_free(l->context, l->edges, l->edge_count);
  toi_context_destroy(l->context);
  free(l->towards);
  free(l->positions);
}

/* The end is `stretch` times as far away as the second frame. */
static void aim(loaded *l, double stretch) {
  for (size_t i = 0; i < 3 * l->start.vertex_count; i++)
    if (l->start.scalar == TOI_FLOAT32) {
      const float *a = l->start.vertices, *b = l->end.vertices;
      ((float *)l->towards)[i] = (float)((double)a[i] + stretch * ((double)b[i] - (double)a[i]));
    } else {
      const double *a = l->start.vertices, *b = l->end.vertices;
      ((double *)l->towards)[i] = a[i] + stretch * (b[i] - a[i]);
    }
}

static bool intersects(const loaded *l, const void *state) {
  toi_mesh mesh = l->mesh;
  toi_options options = toi_default_options();
  toi_intersection found;
  mesh.start = state;
  if (toi_mesh_intersects(l->context, &mesh, &options, &found) != TOI_OK)
    fail_msg("%s", toi_context_error(l->context));
  return found.found;
}

/* One step, and the motion to what was written looked at again. Returns whether nothing touches at the start. */
static bool check_step(loaded *l, const char *name, double fraction, double stretch) {
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  toi_advance advance;
  aim(l, stretch);
  options.separation_fraction = fraction;
  if (toi_line_search(l->context, &l->mesh, &options, l->positions, &advance) != TOI_OK)
    fail_msg("%s", toi_context_error(l->context));
  const toi_hit *first = &advance.first.hit;
  printf("%s, %g times as far, fraction %g: step %.9f, first %s %.9f, %u tries\n", name, stretch, fraction,
         advance.step, toi_verdict_name((toi_verdict)first->verdict), first->t_lo, advance.tries);
  if (first->touching_at_start) {
    assert_true(advance.step == 0);
    assert_memory_equal(l->positions, l->start.vertices, state_bytes(&l->start));
    return false;
  }
  double most = first->verdict == TOI_MISS ? 1 : first->t_lo;
  assert_true(advance.step > 0 && advance.step <= most && advance.step >= 0.99 * most);
  assert_true(advance.fraction <= fraction);
  toi_mesh moved = l->mesh;
  toi_impact impact;
  moved.end = l->positions;
  options.separation_fraction = advance.fraction;
  on_mesh.broad = "sweep";
  assert_int_equal(toi_step(l->context, &moved, &options, &impact), TOI_OK);
  assert_int_equal(impact.hit.verdict, TOI_MISS);
  return true;
}

static void steps_of_the_scenes_are_safe(void **state) {
  (void)state;
  if (!test_data_directory())
    skip();
  uint64_t random = test_seed(31), count = test_count(2);
  // A few of the smaller ones where time is short.
  size_t last = count < 2 ? 1 : count < 8 ? 2 : sizeof(scenes) / sizeof(scenes[0]);
  for (size_t i = 0; i < last; i++) {
    loaded l;
    load(&scenes[i], &l);
    bool meets = intersects(&l, l.start.vertices);
    for (uint64_t round = 0; round < count; round++) {
      double stretch = round == 0 ? 1 : 3 * test_random_unit(&random);
      bool apart = check_step(&l, scenes[i].start, round % 2 ? 0.2 : 0, stretch);
      assert_true(apart || meets);
      assert_true(meets || !intersects(&l, l.positions));
    }
    unload(&l);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(steps_of_the_scenes_are_safe)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
