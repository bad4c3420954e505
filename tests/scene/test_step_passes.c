/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* toi_step goes over growing parts [0, tau] of a step (src/scene/step.c). Here a pair that every pass meets, as its
 * boxes overlap from the start, touches a little later than one that only a longer pass meets: whichever tau is, the
 * later contact must not be the answer. */

#include <math.h>

#include "scene/meshes.h"

/* A small triangle around a point, in the plane z = height, going down by 1 in the step. */
static uint32_t falling_triangle(made_mesh *m, double x, double y, double height) {
  uint32_t first = made_vertex(m, x, y, height);
  made_vertex(m, x + 0.25, y, height + 0.25);
  made_vertex(m, x, y + 0.25, height + 0.25);
  for (uint32_t i = first; i < first + 3; i++)
    m->end[i][2] -= 1;
  made_face(m, first, first + 1, first + 2);
  return first;
}

/* The early contact is one of a vertex with a level face right below it: their boxes over [0, tau] are apart as long as
 * tau is before it. The late one is one with a steep face, whose box holds the vertex. */
static uint32_t two_falls(made_mesh *m, double early, double late) {
  m->vertex_count = m->face_count = m->edge_count = 0;
  uint32_t first = falling_triangle(m, 0, 0, early);
  uint32_t face = made_vertex(m, -1, -1, 0);
  made_vertex(m, 2, -1, 0);
  made_vertex(m, -1, 2, 0);
  made_face(m, face, face + 1, face + 2);
  // The plane z = x - 10 around x = 10; the triangle's lowest corner at x = 10, and the other two higher above it.
  falling_triangle(m, 10, 0, late);
  uint32_t steep = made_vertex(m, 5, -5, -5);
  made_vertex(m, 15, -5, 5);
  made_vertex(m, 10, 10, 0);
  made_face(m, steep, steep + 1, steep + 2);
  made_finish(m);
  return first;
}

static void early_impact_beyond_a_pass_comes_before_late_one_within(void **state) {
  (void)state;
  made_mesh *m = made_new();
  toi_context *context = test_context(2);
  // Passes end somewhere: for one of these times, whatever tau is, it lies before both, and twice it behind both.
  for (int i = 0; i < 96; i++) {
    double late = 0.9 * exp2(-i / 8.0), early = 0.9375 * late;
    uint32_t vertex = two_falls(m, early, late);
    toi_mesh mesh = made_as(m, TOI_FLOAT64);
    toi_options options = toi_default_options();
    toi_impact impact;
    assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_OK);
    assert_int_equal(impact.hit.verdict, TOI_HIT);
    assert_int_equal(impact.kind, TOI_VERTEX_FACE);
    assert_int_equal(impact.pair.first, vertex);
    assert_true(impact.hit.t_lo <= early && early <= impact.hit.t_hi && impact.hit.t_hi < late);
  }
  toi_context_destroy(context);
  free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(early_impact_beyond_a_pass_comes_before_late_one_within),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
