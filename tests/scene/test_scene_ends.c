/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How calls on whole meshes end: where the points of a collision are at t = 1, that no memory is kept that grows from
 * call to call, and what is refused of the smallest meshes. */

#include "scene/meshes.h"

#include "support/support.h"

static toi_status keep_collision(void *user, const toi_collision *collisions, size_t count) {
  toi_collision *kept = user;
  assert_int_equal(count, 1);
  *kept = collisions[0];
  return TOI_OK;
}

/* A loose vertex falls on an edge at rest, a quarter along, and goes on to z = -1. */
static void vertex_falls_through_edge_and_both_points_are_told(void **state) {
  (void)state;
  made_mesh *m = made_new();
  toi_context *context = test_context(1);
  uint32_t edge = made_vertex(m, 0, 0, 0);
  made_vertex(m, 4, 0, 0);
  made_edge(m, edge, edge + 1);
  uint32_t vertex = made_vertex(m, 1, 0, 1);
  m->end[vertex][2] = -1;
  made_finish(m);
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  toi_options options = toi_default_options();
  toi_collision c = {.kind = TOI_KIND_COUNT};
  assert_int_equal(toi_collisions(context, &mesh, &options, keep_collision, &c), TOI_OK);
  assert_int_equal(c.kind, TOI_VERTEX_EDGE);
  assert_true(c.pair.first == vertex && c.pair.second == 0);
  assert_true(c.first[0] == 1 && c.first[1] == 0 && c.first[2] == -1);
  assert_true(c.second[0] == 1 && c.second[1] == 0 && c.second[2] == 0);
  toi_context_destroy(context);
  free(m);
}

static toi_status pass_collisions(void *user, const toi_collision *collisions, size_t count) {
  (void)user;
  (void)collisions;
  (void)count;
  return TOI_OK;
}

/* Faces without edges: each call finds the edges for itself. */
static void calls_in_turn_hold_no_more_memory(void **state) {
  (void)state;
  made_mesh *m = made_new();
  made_grid(m, 8, 1, (const double[]){0, 0, 0});
  made_grid(m, 8, 1, (const double[]){0.25, 0.25, 1});
  for (size_t i = m->vertex_count / 2; i < m->vertex_count; i++)
    m->end[i][2] = -1;
  made_finish(m);
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  mesh.edges = NULL;
  mesh.edge_count = 0;
  test_allocator allocator = {0};
  toi_context *context = test_context_on(&allocator);
  toi_options options = toi_default_options();
  size_t blocks = 0, bytes = 0;
  for (int round = 0; round < 4; round++) {
    toi_impact impact;
    assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_OK);
    assert_int_equal(impact.hit.verdict, TOI_HIT);
    assert_int_equal(toi_collisions(context, &mesh, &options, pass_collisions, NULL), TOI_OK);
    // Scratch is kept from the first round on.
    assert_true(round == 0 || (allocator.blocks == blocks && allocator.bytes == bytes));
    blocks = allocator.blocks;
    bytes = allocator.bytes;
  }
  toi_context_destroy(context);
  assert_int_equal(allocator.blocks, 0);
  free(m);
}

static void one_vertex_needs_room_for_its_position(void **state) {
  (void)state;
  made_mesh *m = made_new();
  toi_context *context = test_context(1);
  made_vertex(m, 0, 0, 0);
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  toi_options options = toi_default_options();
  toi_advance advance;
  assert_int_equal(toi_line_search(context, &mesh, &options, NULL, &advance), TOI_ERROR_INPUT);
  double position[3];
  assert_int_equal(toi_line_search(context, &mesh, &options, position, &advance), TOI_OK);
  toi_context_destroy(context);
  free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vertex_falls_through_edge_and_both_points_are_told),
      cmocka_unit_test(calls_in_turn_hold_no_more_memory),
      cmocka_unit_test(one_vertex_needs_room_for_its_position),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
