/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Exact separations on queries that are worked out by hand: each kind and norm, each feature, grazing from all sides,
 * degenerate shapes, magnitudes at the ends of the range. */

#include "narrow/separation_cases.h"

static const double half = 0.5;

static void expect_miss(question q, const double *query) {
  toi_hit hit = separate(q, query, NAN);
  expect_sound(q, query, &hit);
  if (hit.verdict != TOI_MISS)
    reject(q, query, &hit, "want a miss");
}

static void expect_hit(question q, const double *query, double lo, double hi) {
  // Guesses do not matter.
  for (int i = 0; i < 3; i++) {
    toi_hit hit = separate(q, query, i == 0 ? (double)NAN : i == 1 ? 0 : 0.7);
    expect_sound(q, query, &hit);
    if (hit.verdict != TOI_HIT || hit.t_lo != lo || hit.t_hi != hi)
      reject(q, query, &hit, "another bracket");
  }
}

static question ask(toi_kind kind, toi_norm norm, double d) {
  return (question){kind, norm, d, 1};
}

/* --- vertex and vertex --- */

static void vertices_approach_to_a_distance_reached_at_a_double(void **unused) {
  (void)unused;
  const double query[12] = {0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0};
  for (int norm = 0; norm < 2; norm++) {
    expect_hit(ask(TOI_VERTEX_VERTEX, (toi_norm)norm, 2), query, 0.75, 0.75);
    expect_hit(ask(TOI_VERTEX_VERTEX, (toi_norm)norm, 8), query, 0, 0);
    expect_hit(ask(TOI_VERTEX_VERTEX, (toi_norm)norm, nextafter(8, 0)), query, 0x1p-53, 0x1p-53);
  }
}

static void vertices_approach_to_a_distance_at_an_irrational_time(void **unused) {
  (void)unused;
  // (4 - 4 t, 1, 0): |.|^2 = 2^2 at 4 - 4 t = sqrt(3).
  const double query[12] = {4, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
  question q = ask(TOI_VERTEX_VERTEX, TOI_NORM_L2, 2);
  toi_hit hit = separate(q, query, NAN);
  expect_sound(q, query, &hit);
  assert_true(fabs(hit.t_lo - (1 - sqrt(3) / 4)) < 1e-15 && hit.t_lo < hit.t_hi);
  assert_true(!oracle_within(q.kind, query, 2, q.norm, hit.t_lo) && oracle_within(q.kind, query, 2, q.norm, hit.t_hi));
  expect_hit(ask(TOI_VERTEX_VERTEX, TOI_NORM_LINF, 2), query, half, half);
}

static void a_vertex_grazes_at_exactly_d(void **unused) {
  (void)unused;
  // (2 - 4 t, 3, 0) is 3 away at t = 1/2.
  const double query[12] = {2, 3, 0, 0, 0, 0, -2, 3, 0, 0, 0, 0};
  expect_hit(ask(TOI_VERTEX_VERTEX, TOI_NORM_L2, 3), query, half, half);
  expect_miss(ask(TOI_VERTEX_VERTEX, TOI_NORM_L2, nextafter(3, 0)), query);
  toi_hit hit = separate(ask(TOI_VERTEX_VERTEX, TOI_NORM_L2, nextafter(3, 4)), query, NAN);
  assert_true(hit.verdict == TOI_HIT && hit.t_lo < half && hit.t_lo > half - 1e-7);
  // In the maximum norm it is 3 away all the time.
  expect_hit(ask(TOI_VERTEX_VERTEX, TOI_NORM_LINF, 3), query, 0, 0);
  expect_miss(ask(TOI_VERTEX_VERTEX, TOI_NORM_LINF, nextafter(3, 0)), query);
}

static void a_double_root_at_a_third_is_found(void **unused) {
  (void)unused;
  // (1 - 3 t, 5, 0) is 5 away at t = 1/3, which is no double.
  const double query[12] = {1, 5, 0, 0, 0, 0, -2, 5, 0, 0, 0, 0};
  expect_hit(ask(TOI_VERTEX_VERTEX, TOI_NORM_L2, 5), query, 0x1.5555555555555p-2, 0x1.5555555555556p-2);
  expect_miss(ask(TOI_VERTEX_VERTEX, TOI_NORM_L2, nextafter(5, 0)), query);
}

/* --- vertex and edge --- */

static void a_vertex_passes_an_edge_inside_and_at_its_end(void **unused) {
  (void)unused;
  // Over the inside of an edge along x, down z from 4 to -4.
  const double inside[18] = {1, 0, 4, -8, 0, 0, 8, 0, 0, 1, 0, -4, -8, 0, 0, 8, 0, 0};
  // Beyond its end at (8, 0, 0): 3 in x, so that sqrt(5^2 - 3^2) = 4 is left in z.
  const double beyond[18] = {11, 0, 8, -8, 0, 0, 8, 0, 0, 11, 0, -8, -8, 0, 0, 8, 0, 0};
  for (int norm = 0; norm < 2; norm++)
    expect_hit(ask(TOI_VERTEX_EDGE, (toi_norm)norm, 2), inside, 0.25, 0.25);
  expect_hit(ask(TOI_VERTEX_EDGE, TOI_NORM_L2, 5), beyond, 0.25, 0.25);
  expect_miss(ask(TOI_VERTEX_EDGE, TOI_NORM_L2, 2.5), beyond);
  expect_hit(ask(TOI_VERTEX_EDGE, TOI_NORM_LINF, 4), beyond, 0.25, 0.25);
  expect_miss(ask(TOI_VERTEX_EDGE, TOI_NORM_LINF, 2.5), beyond);
}

static void an_edge_that_shrinks_to_a_point_is_a_point(void **unused) {
  (void)unused;
  // At t = 1/2 the edge is the point (0, 0, 0), the vertex 3 away; the edge's polynomial is 0 there.
  const double query[18] = {0, 0, 3, 1, 0, 0, -1, 0, 0, 0, 0, 3, -1, 0, 0, 1, 0, 0};
  for (int norm = 0; norm < 2; norm++) {
    expect_miss(ask(TOI_VERTEX_EDGE, (toi_norm)norm, 2), query);
    expect_hit(ask(TOI_VERTEX_EDGE, (toi_norm)norm, 3), query, 0, 0);
  }
}

static void a_line_at_constant_distance_is_entered_over_its_end(void **unused) {
  (void)unused;
  // The vertex slides along the edge's line at distance 3: within 3 exactly from its end on, and not before.
  const double query[18] = {-4, 3, 0, 0, 0, 0, 8, 0, 0, 4, 3, 0, 0, 0, 0, 8, 0, 0};
  for (int norm = 0; norm < 2; norm++)
    expect_miss(ask(TOI_VERTEX_EDGE, (toi_norm)norm, nextafter(3, 0)), query);
  expect_hit(ask(TOI_VERTEX_EDGE, TOI_NORM_L2, 3), query, half, half);
  expect_hit(ask(TOI_VERTEX_EDGE, TOI_NORM_LINF, 3), query, 0.125, 0.125);
}

/* --- vertex and face --- */

/* A triangle (0,0,0), (8,0,0), (0,8,0) at rest and a vertex from a to b. */
static void fill_face(double query[24], const double a[3], const double b[3]) {
  static const double face[9] = {0, 0, 0, 8, 0, 0, 0, 8, 0};
  for (int i = 0; i < 3; i++) {
    query[i] = a[i];
    query[12 + i] = b[i];
  }
  memcpy(query + 3, face, sizeof face);
  memcpy(query + 15, face, sizeof face);
}

static void a_vertex_falls_onto_a_face_its_side_and_its_corner(void **unused) {
  (void)unused;
  double query[24];
  fill_face(query, (double[3]){2, 2, 4}, (double[3]){2, 2, -4});
  for (int norm = 0; norm < 2; norm++) {
    expect_hit(ask(TOI_VERTEX_FACE, (toi_norm)norm, 1), query, 0.375, 0.375);
    expect_hit(ask(TOI_VERTEX_FACE, (toi_norm)norm, 4), query, 0, 0);
  }
  // Over the outside of the side x = 0, 3 away from it: 5, 4 and 3.
  fill_face(query, (double[3]){-3, 4, 8}, (double[3]){-3, 4, -8});
  expect_hit(ask(TOI_VERTEX_FACE, TOI_NORM_L2, 5), query, 0.25, 0.25);
  expect_hit(ask(TOI_VERTEX_FACE, TOI_NORM_LINF, 4), query, 0.25, 0.25);
  expect_hit(ask(TOI_VERTEX_FACE, TOI_NORM_L2, 3), query, half, half);
  expect_miss(ask(TOI_VERTEX_FACE, TOI_NORM_L2, nextafter(3, 0)), query);
  // Over the corner at 0: 1, 2, 2 and 3.
  fill_face(query, (double[3]){-1, -2, 4}, (double[3]){-1, -2, -4});
  expect_hit(ask(TOI_VERTEX_FACE, TOI_NORM_L2, 3), query, 0.25, 0.25);
  expect_hit(ask(TOI_VERTEX_FACE, TOI_NORM_LINF, 3), query, 0.125, 0.125);
}

static void a_vertex_slides_at_distance_d_over_a_side_into_the_face(void **unused) {
  (void)unused;
  // At height 2 over the plane, from outside the side x = 0.
  double query[24];
  fill_face(query, (double[3]){-4, 2, 2}, (double[3]){4, 2, 2});
  expect_hit(ask(TOI_VERTEX_FACE, TOI_NORM_L2, 2), query, half, half);
  expect_hit(ask(TOI_VERTEX_FACE, TOI_NORM_LINF, 2), query, 0.25, 0.25);
  expect_miss(ask(TOI_VERTEX_FACE, TOI_NORM_L2, nextafter(2, 0)), query);
  expect_miss(ask(TOI_VERTEX_FACE, TOI_NORM_LINF, nextafter(2, 0)), query);
  // Resting over it.
  fill_face(query, (double[3]){2, 2, 2}, (double[3]){2, 2, 2});
  for (int norm = 0; norm < 2; norm++) {
    expect_hit(ask(TOI_VERTEX_FACE, (toi_norm)norm, 2), query, 0, 0);
    expect_miss(ask(TOI_VERTEX_FACE, (toi_norm)norm, nextafter(2, 0)), query);
  }
}

static void faces_without_area_are_their_sides(void **unused) {
  (void)unused;
  // All corners on the x axis, then all in one point.
  const double line[24] = {1, 4, 0, 0, 0, 0, 8, 0, 0, 4, 0, 0, 1, -4, 0, 0, 0, 0, 8, 0, 0, 4, 0, 0};
  const double point[24] = {0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  for (int norm = 0; norm < 2; norm++) {
    expect_hit(ask(TOI_VERTEX_FACE, (toi_norm)norm, 1), line, 0.375, 0.375);
    expect_hit(ask(TOI_VERTEX_FACE, (toi_norm)norm, 1), point, 0.375, 0.375);
  }
}

static void a_face_whose_normal_vanishes_on_the_way_is_no_contact(void **unused) {
  (void)unused;
  // The corner (0, 8 - 16 t, 0) passes the opposite side at t = 1/2; the vertex stays at height 5.
  const double query[24] = {1, 1, 5, 0, 0, 0, 8, 0, 0, 0, 8, 0, 1, 1, 5, 0, 0, 0, 8, 0, 0, 0, -8, 0};
  for (int norm = 0; norm < 2; norm++) {
    expect_miss(ask(TOI_VERTEX_FACE, (toi_norm)norm, 4), query);
    expect_hit(ask(TOI_VERTEX_FACE, (toi_norm)norm, 5), query, 0, 0);
  }
}

/* --- edge and edge --- */

static void crossing_edges_approach(void **unused) {
  (void)unused;
  const double query[24] = {-4, 0, 4, 4, 0, 4, 0, -4, 0, 0, 4, 0, -4, 0, -4, 4, 0, -4, 0, -4, 0, 0, 4, 0};
  for (int norm = 0; norm < 2; norm++)
    expect_hit(ask(TOI_EDGE_EDGE, (toi_norm)norm, 1), query, 0.375, 0.375);
}

static void parallel_edges_approach(void **unused) {
  (void)unused;
  // N is zero at all times.
  const double query[24] = {-4, 0, 4, 4, 0, 4, -2, 0, 0, 6, 0, 0, -4, 0, -4, 4, 0, -4, -2, 0, 0, 6, 0, 0};
  // End to end, 3 apart in x.
  const double apart[24] = {-4, 0, 8, 4, 0, 8, 7, 0, 0, 9, 0, 0, -4, 0, -8, 4, 0, -8, 7, 0, 0, 9, 0, 0};
  for (int norm = 0; norm < 2; norm++)
    expect_hit(ask(TOI_EDGE_EDGE, (toi_norm)norm, 1), query, 0.375, 0.375);
  expect_hit(ask(TOI_EDGE_EDGE, TOI_NORM_L2, 5), apart, 0.25, 0.25);
  expect_miss(ask(TOI_EDGE_EDGE, TOI_NORM_L2, nextafter(3, 0)), apart);
  expect_hit(ask(TOI_EDGE_EDGE, TOI_NORM_LINF, 4), apart, 0.25, 0.25);
}

static void the_face_meets_a_corner_of_the_cube_only(void **unused) {
  (void)unused;
  // A triangle in the plane x + y + z = 6 - 6 t, around its diagonal: the corner (1, 1, 1) at 3.
  double query[24] = {6, 6, 6, 12, 0, 0, 0, 12, 0, 0, 0, 12, 0};
  for (int i = 0; i < 3; i++) {
    query[i] = 6;
    query[12 + i] = 4;
    for (int corner = 0; corner < 3; corner++)
      query[12 + 3 + 3 * corner + i] = query[3 + 3 * corner + i];
  }
  // v - f lies in x + y + z = 18 - 12 - 6 t; (d, d, d) in it at 3 d = 6 - 6 t.
  expect_hit(ask(TOI_VERTEX_FACE, TOI_NORM_LINF, 1), query, half, half);
  expect_hit(ask(TOI_VERTEX_FACE, TOI_NORM_LINF, 0.25), query, 0.875, 0.875);
}

/* --- times and magnitudes --- */

static void the_end_of_the_time_counts(void **unused) {
  (void)unused;
  const double query[12] = {0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0};
  for (int norm = 0; norm < 2; norm++) {
    question q = {TOI_VERTEX_VERTEX, (toi_norm)norm, 2, 0.75};
    expect_hit(q, query, 0.75, 0.75);
    q.t_max = nextafter(0.75, 0);
    expect_miss(q, query);
    q.t_max = 0;
    expect_miss(q, query);
    q.d = 8;
    expect_hit(q, query, 0, 0);
    // Arriving at t = 1.
    const double arriving[12] = {0, 0, 0, 8, 0, 0, 0, 0, 0, 2, 0, 0};
    expect_hit(ask(TOI_VERTEX_VERTEX, (toi_norm)norm, 2), arriving, 1, 1);
    expect_miss(ask(TOI_VERTEX_VERTEX, (toi_norm)norm, nextafter(2, 0)), arriving);
  }
}

static void separations_of_all_magnitudes(void **unused) {
  (void)unused;
  static const double tiny[] = {0x1p-1074, 0x1p-1060, 1e-300, 1e-100};
  double query[24];
  fill_face(query, (double[3]){2, 2, 3}, (double[3]){2, 2, -3});
  for (int norm = 0; norm < 2; norm++) {
    for (int i = 0; i < 4; i++)
      expect_hit(ask(TOI_VERTEX_FACE, (toi_norm)norm, tiny[i]), query, nextafter(0.5, 0), 0.5);
    expect_hit(ask(TOI_VERTEX_FACE, (toi_norm)norm, 1e300), query, 0, 0);
    expect_hit(ask(TOI_VERTEX_FACE, (toi_norm)norm, 0x1.fffffffffffffp1023), query, 0, 0);
  }
  // Grazing by a denormal: the plane is reached, from above, at t = 1 but for d.
  fill_face(query, (double[3]){2, 2, 1}, (double[3]){2, 2, 0x1p-1074});
  for (int norm = 0; norm < 2; norm++) {
    expect_hit(ask(TOI_VERTEX_FACE, (toi_norm)norm, 0x1p-1074), query, 1, 1);
    expect_hit(ask(TOI_VERTEX_FACE, (toi_norm)norm, 0x1p-1073), query, nextafter(1, 0), 1);
  }
  // Everything huge, and a distance beyond the largest double.
  fill_face(query, (double[3]){2, 2, 0x1.8p1023}, (double[3]){2, 2, -0x1.8p1023});
  for (int norm = 0; norm < 2; norm++)
    expect_hit(ask(TOI_VERTEX_FACE, (toi_norm)norm, 0x1.8p1022), query, 0.25, 0.25);
  const double far[12] = {0x1p1023, 0, 0, -0x1.8p1023, 0, 0, 0x1p1023, 0, 0, -0x1.8p1023, 0, 0};
  for (int norm = 0; norm < 2; norm++)
    expect_miss(ask(TOI_VERTEX_VERTEX, (toi_norm)norm, 0x1.fffffffffffffp1023), far);
}

static void nothing_moves(void **unused) {
  (void)unused;
  double query[24];
  fill_face(query, (double[3]){-3, 4, 4}, (double[3]){-3, 4, 4});
  expect_hit(ask(TOI_VERTEX_FACE, TOI_NORM_L2, 5), query, 0, 0);
  expect_miss(ask(TOI_VERTEX_FACE, TOI_NORM_L2, nextafter(5, 0)), query);
  expect_hit(ask(TOI_VERTEX_FACE, TOI_NORM_LINF, 4), query, 0, 0);
  expect_miss(ask(TOI_VERTEX_FACE, TOI_NORM_LINF, nextafter(4, 0)), query);
  const double zero[24] = {0};
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    for (int norm = 0; norm < 2; norm++)
      expect_hit(ask((toi_kind)kind, (toi_norm)norm, 0x1p-1074), zero, 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vertices_approach_to_a_distance_reached_at_a_double),
      cmocka_unit_test(vertices_approach_to_a_distance_at_an_irrational_time),
      cmocka_unit_test(a_vertex_grazes_at_exactly_d),
      cmocka_unit_test(a_double_root_at_a_third_is_found),
      cmocka_unit_test(a_vertex_passes_an_edge_inside_and_at_its_end),
      cmocka_unit_test(an_edge_that_shrinks_to_a_point_is_a_point),
      cmocka_unit_test(a_line_at_constant_distance_is_entered_over_its_end),
      cmocka_unit_test(a_vertex_falls_onto_a_face_its_side_and_its_corner),
      cmocka_unit_test(a_vertex_slides_at_distance_d_over_a_side_into_the_face),
      cmocka_unit_test(faces_without_area_are_their_sides),
      cmocka_unit_test(a_face_whose_normal_vanishes_on_the_way_is_no_contact),
      cmocka_unit_test(crossing_edges_approach),
      cmocka_unit_test(parallel_edges_approach),
      cmocka_unit_test(the_face_meets_a_corner_of_the_cube_only),
      cmocka_unit_test(the_end_of_the_time_counts),
      cmocka_unit_test(separations_of_all_magnitudes),
      cmocka_unit_test(nothing_moves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
