/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Real steps with published truth: the colliding pairs are exactly those marked true, and the first impact is the least
 * of their exact times. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <toi/toi.h>

#include "narrow/exact_order.h"
#include "support/support.h"

typedef struct scene_files {
  const char *scene, *start, *end, *step; /* names of the frames, and of the lists */
} scene_files;

static const scene_files with_truth[] = {{"cloth-funnel", "227.ply", "228.ply", "227"},
                                         {"armadillo-rollers", "326.ply", "327.ply", "326"},
                                         {"rod-twist", "3036.ply", "3037.ply", "3036"}};

typedef struct step_mesh {
  toi_frame start, end;
  uint32_t (*edges)[2];
  toi_mesh mesh;
} step_mesh;

static step_mesh read_step(toi_context *context, const char *root, const scene_files *files) {
  step_mesh step = {0};
  char path[1024];
  snprintf(path, sizeof(path), "%s/scenes/%s/frames/%s", root, files->scene, files->start);
  if (toi_frame_read(context, path, &step.start) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  snprintf(path, sizeof(path), "%s/scenes/%s/frames/%s", root, files->scene, files->end);
  if (toi_frame_read(context, path, &step.end) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  toi_mesh *mesh = &step.mesh;
  *mesh = (toi_mesh){.start = step.start.vertices,
                     .end = step.end.vertices,
                     .scalar = step.start.scalar,
                     .vertex_count = step.start.vertex_count,
                     .faces = (const uint32_t(*)[3])step.start.faces,
                     .face_count = step.start.face_count};
  assert_int_equal(toi_mesh_edges(context, mesh->faces, mesh->face_count, NULL, 0, &step.edges, &mesh->edge_count),
                   TOI_OK);
  mesh->edges = (const uint32_t(*)[2])step.edges;
  return step;
}

/* Numbers in a JSON list of any depth; true is 1, false 0. */
static size_t read_numbers(const char *path, uint32_t **numbers) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t count = 0, room = 1u << 20;
  *numbers = malloc(room * sizeof(uint32_t));
  assert_non_null(*numbers);
  bool inside = false;
  for (int c; (c = fgetc(file)) != EOF;) {
    bool digit = c >= '0' && c <= '9';
    if ((digit && !inside) || c == 't' || c == 'f') {
      assert_true(count < room);
      (*numbers)[count++] = c == 't';
    }
    if (digit)
      (*numbers)[count - 1] = 10 * (*numbers)[count - 1] + (uint32_t)(c - '0');
    inside = digit;
  }
  fclose(file);
  return count;
}

typedef struct keys {
  uint64_t *list;
  size_t count;
} keys;

static int compare_keys(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The pairs of one kind that are marked true, sorted. */
static keys read_truth(const char *root, const scene_files *files, const toi_mesh *mesh, toi_kind kind) {
  char path[1024];
  const char *letters = kind == TOI_VERTEX_FACE ? "vf" : "ee";
  uint32_t *boxes, *truth;
  snprintf(path, sizeof(path), "%s/scenes/%s/boxes/%s%s.json", root, files->scene, files->step, letters);
  size_t box_count = read_numbers(path, &boxes);
  snprintf(path, sizeof(path), "%s/scenes/%s/mma_bool/%s%s_mma_bool.json", root, files->scene, files->step, letters);
  size_t count = read_numbers(path, &truth);
  assert_int_equal(box_count, 2 * count);
  keys found = {malloc((count + 1) * sizeof(uint64_t)), 0};
  assert_non_null(found.list);
  uint32_t edges = (uint32_t)mesh->vertex_count, faces = edges + (uint32_t)mesh->edge_count;
  for (size_t i = 0; i < count; i++) {
    uint32_t low = boxes[2 * i] < boxes[2 * i + 1] ? boxes[2 * i] : boxes[2 * i + 1];
    uint32_t high = boxes[2 * i] < boxes[2 * i + 1] ? boxes[2 * i + 1] : boxes[2 * i];
    if (truth[i])
      found.list[found.count++] = kind == TOI_VERTEX_FACE ? (uint64_t)low << 32 | (high - faces)
                                                          : (uint64_t)(low - edges) << 32 | (high - edges);
  }
  qsort(found.list, found.count, sizeof(uint64_t), compare_keys);
  free(boxes);
  free(truth);
  return found;
}

/* What a visitor keeps: the pairs, and those that may be first. */
typedef struct seen {
  keys pairs[TOI_KIND_COUNT];
  toi_collision *early;
  size_t early_count;
  double least;
} seen;

static toi_status see(void *user, const toi_collision *collisions, size_t count) {
  seen *all = user;
  for (size_t i = 0; i < count; i++) {
    const toi_collision *one = &collisions[i];
    keys *own = &all->pairs[one->kind];
    own->list = realloc(own->list, (own->count + 1) * sizeof(uint64_t));
    own->list[own->count++] = (uint64_t)one->pair.first << 32 | one->pair.second;
    if (one->hit.t_lo > all->least)
      continue;
    all->least = one->hit.t_hi < all->least ? one->hit.t_hi : all->least;
    all->early = realloc(all->early, (all->early_count + 1) * sizeof(*one));
    all->early[all->early_count++] = *one;
  }
  return TOI_OK;
}

static void free_step(toi_context *context, step_mesh *step, seen *all) {
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    free(all->pairs[kind].list);
  free(all->early);
  toi_mesh_edges_free(context, step->edges, step->mesh.edge_count);
  toi_frame_free(context, &step->start);
  toi_frame_free(context, &step->end);
}

/* The first impact is the least of the exact brackets of all early collisions. */
static void check_first(toi_context *context, const step_mesh *step, const seen *all) {
  toi_options options = toi_default_options();
  toi_impact impact;
  assert_int_equal(toi_step(context, &step->mesh, &options, &impact), TOI_OK);
  assert_int_equal(impact.hit.verdict, TOI_HIT);
  options.method = "exact";
  double lo = 2, hi = 2;
  for (size_t i = 0; i < all->early_count; i++) {
    toi_hit hit;
    assert_int_equal(
        toi_batch_indexed(context, all->early[i].kind, &step->mesh, &all->early[i].pair, 1, &options, &hit), TOI_OK);
    if (hit.t_lo < lo || (hit.t_lo == lo && hit.t_hi < hi)) {
      lo = hit.t_lo;
      hi = hit.t_hi;
    }
  }
  assert_true(impact.hit.t_lo == lo && impact.hit.t_hi == hi);
}

static void colliding_pairs_are_exactly_those_marked_true(void **state) {
  (void)state;
  const char *root = test_data_directory();
  if (!root)
    skip();
  toi_context *context = test_context(2);
  for (size_t i = 0; i < (TEST_SANITIZED ? 1 : sizeof(with_truth) / sizeof(with_truth[0])); i++) {
    step_mesh step = read_step(context, root, &with_truth[i]);
    seen all = {.least = 2};
    toi_options options = toi_default_options();
    assert_int_equal(toi_collisions(context, &step.mesh, &options, see, &all), TOI_OK);
    for (toi_kind kind = TOI_VERTEX_FACE; kind <= TOI_EDGE_EDGE; kind++) {
      keys truth = read_truth(root, &with_truth[i], &step.mesh, kind);
      printf("%s %s: %zu of %zu\n", with_truth[i].scene, toi_kind_name(kind), all.pairs[kind].count, truth.count);
      assert_int_equal(all.pairs[kind].count, truth.count);
      assert_memory_equal(all.pairs[kind].list, truth.list, truth.count * sizeof(uint64_t));
      free(truth.list);
    }
    check_first(context, &step, &all);
    free_step(context, &step, &all);
  }
  toi_context_destroy(context);
}

/* Steps without published lists: the first impact is the least of all collisions. */
static void first_impact_is_the_least_of_all_collisions(void **state) {
  (void)state;
  const char *root = test_data_directory();
  if (root && TEST_SANITIZED)
    test_skip_reason("too large under a sanitizer");
  if (!root || TEST_SANITIZED)
    skip();
  static const scene_files others[] = {{"cloth-ball", "cloth_ball92.ply", "cloth_ball93.ply", ""},
                                       {"n-body-simulation", "balls16_18.ply", "balls16_19.ply", ""}};
  toi_context *context = test_context(2);
  for (size_t i = 0; i < 2; i++) {
    step_mesh step = read_step(context, root, &others[i]);
    seen all = {.least = 2};
    toi_options options = toi_default_options();
    assert_int_equal(toi_collisions(context, &step.mesh, &options, see, &all), TOI_OK);
    check_first(context, &step, &all);
    free_step(context, &step, &all);
  }
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(colliding_pairs_are_exactly_those_marked_true),
      cmocka_unit_test(first_impact_is_the_least_of_all_collisions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
