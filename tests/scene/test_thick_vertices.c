/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Vertices of different thickness: of either primitive of a pair the thickest vertex counts, and no other. A vertex and
 * an edge fall from z = 2 to z = 0 on a face at rest in z = 0, so that a pair is as close as its thicknesses say at
 * t = 1 - (their sum) / 2. */

#include <math.h>

#include <toi/scene.h>

#include "support/support.h"

enum { VERTEX, FALLING, FALLING_END, CORNER, SECOND, THIRD, COUNT };

static const double start[COUNT][3] = {{.25, .25, 2}, {-1, .5, 2}, {1, .5, 2}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const double end[COUNT][3] = {{.25, .25, 0}, {-1, .5, 0}, {1, .5, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const uint32_t edges[4][2] = {{FALLING, FALLING_END}, {CORNER, SECOND}, {CORNER, THIRD}, {SECOND, THIRD}};
static const uint32_t faces[1][3] = {{CORNER, SECOND, THIRD}};

/* When each kind of pair comes close: the vertex and the face, the falling edge and the one from CORNER to THIRD. */
typedef struct times {
  toi_hit vertex_face, edge_edge;
} times;

static toi_status note(void *user, const toi_collision *collisions, size_t count) {
  times *found = user;
  for (size_t i = 0; i < count; i++) {
    const toi_collision *c = &collisions[i];
    if (c->kind == TOI_VERTEX_FACE && c->pair.first == VERTEX)
      found->vertex_face = c->hit;
    if (c->kind == TOI_EDGE_EDGE && c->pair.first == 0 && c->pair.second == 2)
      found->edge_edge = c->hit;
  }
  return TOI_OK;
}

static void expect_time(const toi_hit *hit, double together) {
  double t = 1 - together / 2;
  assert_int_equal(hit->verdict, TOI_HIT);
  assert_true(hit->t_lo <= t && t <= hit->t_hi && hit->t_hi - hit->t_lo <= 0x1p-16);
}

static void the_thickest_vertex_of_either_primitive_counts(void **state) {
  (void)state;
  static const char *const methods[] = {"certified", "exact", "cubic"};
  toi_context *context = test_context(1);
  // Each vertex is the thickest in turn; at last all are of different thickness.
  for (int number = 0; number < 3 * (COUNT + 1); number++) {
    const int thick = number / 3;
    double t[COUNT];
    for (int i = 0; i < COUNT; i++)
      t[i] = thick == COUNT ? 0x1p-6 * (1 + (5 * i) % COUNT) : i == thick ? 0.5 : 0x1p-5;
    toi_mesh mesh = {.start = start, .end = end, .vertex_count = COUNT, .thickness = t};
    mesh.edges = edges;
    mesh.edge_count = 4;
    mesh.faces = faces;
    mesh.face_count = 1;
    toi_options options = toi_default_options();
    options.method = methods[number % 3];
    times found = {.vertex_face.verdict = TOI_MISS, .edge_edge.verdict = TOI_MISS};
    assert_int_equal(toi_collisions(context, &mesh, &options, note, &found), TOI_OK);
    double face = fmax(t[CORNER], fmax(t[SECOND], t[THIRD])), edge = fmax(t[FALLING], t[FALLING_END]);
    expect_time(&found.vertex_face, t[VERTEX] + face);
    expect_time(&found.edge_edge, edge + fmax(t[CORNER], t[THIRD]));
  }
  toi_context_destroy(context);
}

/* They stay a quarter above the face, which is within the thickness of both: every method sees it. */
static void thickness_alone_is_seen_by_every_method(void **state) {
  (void)state;
  double above[COUNT][3], t[COUNT];
  toi_context *context = test_context(1);
  for (int i = 0; i < COUNT; i++) {
    t[i] = 0.25;
    for (int k = 0; k < 3; k++)
      above[i][k] = end[i][k] + (k == 2 && i <= FALLING_END ? 0.25 : 0);
  }
  toi_mesh mesh = {.start = start, .end = above, .vertex_count = COUNT, .thickness = t};
  mesh.edges = edges;
  mesh.edge_count = 4;
  mesh.faces = faces;
  mesh.face_count = 1;
  for (size_t i = 0; toi_method_name(i) != NULL; i++) {
    toi_options options = toi_default_options();
    options.method = toi_method_name(i);
    times found = {.vertex_face.verdict = TOI_MISS, .edge_edge.verdict = TOI_MISS};
    assert_int_equal(toi_collisions(context, &mesh, &options, note, &found), TOI_OK);
    assert_true(found.vertex_face.verdict != TOI_MISS && found.edge_edge.verdict != TOI_MISS);
    assert_true(found.vertex_face.t_lo <= 1.5 / 1.75 && found.edge_edge.t_lo <= 1.5 / 1.75);
  }
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_thickest_vertex_of_either_primitive_counts),
      cmocka_unit_test(thickness_alone_is_seen_by_every_method),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
