/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The scene of the demonstration: shapes that are closed and face out, the same bits on every machine. */

#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/drape.h"
#include "scenes/shapes.h"

static int compare_edges(const void *a, const void *b) {
  return memcmp(a, b, 2 * sizeof(uint32_t));
}

/* How many directed edges of the faces have no partner in the other direction; none may be there twice. */
static size_t open_edges(const shape *s) {
  const size_t count = 3 * s->face_count;
  uint32_t(*edges)[2] = calloc(count, sizeof *edges);
  assert_non_null(edges);
  for (size_t i = 0; i < count; i++) {
    edges[i][0] = s->faces[i / 3][i % 3];
    edges[i][1] = s->faces[i / 3][(i + 1) % 3];
  }
  qsort(edges, count, sizeof *edges, compare_edges);
  size_t open = 0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t other[2] = {edges[i][1], edges[i][0]};
    assert_true(i == 0 || memcmp(edges[i - 1], edges[i], sizeof *edges) != 0);
    open += bsearch(other, edges, count, sizeof *edges, compare_edges) == NULL;
  }
  free(edges);
  return open;
}

/* Six times the volume that the faces enclose, positive where they face out. */
static double volume(const shape *s) {
  double sum = 0;
  for (size_t i = 0; i < s->face_count; i++) {
    const double *a = s->points[s->faces[i][0]], *b = s->points[s->faces[i][1]], *c = s->points[s->faces[i][2]];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum;
}

static void a_sheet_has_one_rim(void **state) {
  (void)state;
  for (uint32_t cells = 1; cells < 12; cells++) {
    shape s;
    assert_true(shape_sheet(cells, &s));
    assert_int_equal(s.point_count, (cells + 1) * (cells + 1));
    assert_int_equal(s.face_count, 2 * cells * cells);
    assert_int_equal(open_edges(&s), 4 * cells);
    shape_free(&s);
  }
}

static void a_ball_is_closed_and_round(void **state) {
  (void)state;
  for (uint32_t cuts = 1; cuts < 20; cuts++) {
    shape s;
    assert_true(shape_ball(cuts, &s));
    assert_int_equal(s.point_count, 4 * cuts * cuts + 2);
    assert_int_equal(s.face_count, 8 * cuts * cuts);
    assert_int_equal(open_edges(&s), 0);
    for (size_t i = 0; i < s.point_count; i++) {
      const double *p = s.points[i];
      assert_true(fabs(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - 1) < 1e-14);
    }
    const double full = 8 * acos(-1.0);
    assert_true(volume(&s) < full && volume(&s) > full * (1 - 2.0 / cuts));
    shape_free(&s);
  }
}

static void a_ring_is_closed_and_as_thick_as_asked(void **state) {
  (void)state;
  for (uint32_t eighths = 1; eighths < 6; eighths++) {
    shape s;
    assert_true(shape_ring(eighths, 8, 0.25, &s));
    assert_int_equal(s.point_count, 64 * eighths);
    assert_int_equal(s.face_count, 128 * eighths);
    assert_int_equal(open_edges(&s), 0);
    assert_true(volume(&s) > 0);
    for (size_t i = 0; i < s.point_count; i++) {
      const double *p = s.points[i], reach = sqrt(p[0] * p[0] + p[1] * p[1]) - 1;
      assert_true(fabs(sqrt(reach * reach + p[2] * p[2]) - 0.25) < 1e-14);
    }
    shape_free(&s);
  }
}

static void points_of_a_circle_go_round_once(void **state) {
  (void)state;
  for (uint32_t eighths = 1; eighths < 9; eighths++) {
    double before[2];
    circle_point(8 * eighths - 1, eighths, before);
    const double even = 2 * acos(-1.0) / (8 * eighths);
    for (uint32_t k = 0; k < 8 * eighths; k++) {
      double p[2];
      circle_point(k, eighths, p);
      const double turn = asin(before[0] * p[1] - before[1] * p[0]);
      assert_true(turn > 0.85 * even && turn < 1.2 * even);
      memcpy(before, p, sizeof before);
    }
  }
}

static uint64_t hash(const void *bytes, size_t size) {
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < size; i++)
    sum = (sum ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
  return sum;
}

static void the_scene_is_the_same_bits_everywhere(void **state) {
  (void)state;
  drape scene;
  assert_true(drape_make(48, 1, &scene));
  assert_int_equal(scene.vertex_count, 4131);
  assert_int_equal(scene.face_count, 8064);
  const uint64_t start = hash(scene.start, scene.vertex_count * sizeof *scene.start);
  const uint64_t end = hash(scene.end, scene.vertex_count * sizeof *scene.end);
  const uint64_t faces = hash(scene.faces, scene.face_count * sizeof *scene.faces);
  if (start != UINT64_C(0x19817882a50a5755) || end != UINT64_C(0x77345d5d433cdc75) ||
      faces != UINT64_C(0xd4fb892ecc715235)) {
    fail_msg("start %016llx, end %016llx, faces %016llx", (unsigned long long)start, (unsigned long long)end,
             (unsigned long long)faces);
  }
  drape_free(&scene);
}

static void parts_follow_each_other(void **state) {
  (void)state;
  static const uint32_t sizes[] = {DRAPE_SIZE_MIN, 5, 17, 60};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    drape scene;
    assert_true(drape_make(sizes[i], 100 + i, &scene));
    assert_int_equal(scene.vertex_begin[DRAPE_PARTS], scene.vertex_count);
    assert_int_equal(scene.face_begin[DRAPE_PARTS], scene.face_count);
    for (int part = 0; part < DRAPE_PARTS; part++) {
      assert_true(drape_part_name(part)[0] != '\0');
      for (size_t f = scene.face_begin[part]; f < scene.face_begin[part + 1]; f++)
        for (int k = 0; k < 3; k++)
          assert_int_equal(drape_part_of(&scene, scene.faces[f][k]), part);
    }
    drape_free(&scene);
  }
}

/* The cloth hangs above all else, the ball within the rings, and the rings under one another. */
static void nothing_touches_at_the_start(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 200; seed++) {
    drape scene;
    assert_true(drape_make(16, seed, &scene));
    for (size_t i = 0; i < scene.vertex_count; i++) {
      const float *p = scene.start[i];
      const double reach = sqrt((double)p[0] * p[0] + (double)p[1] * p[1]);
      const int part = drape_part_of(&scene, (uint32_t)i);
      assert_true(part == DRAPE_CLOTH ? p[2] > 0.65f : p[2] < 0.55f);
      assert_true(part != DRAPE_BALL || reach < 0.501);
      assert_true(part != DRAPE_RINGS || reach > 0.65);
    }
    drape_free(&scene);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sheet_has_one_rim),
      cmocka_unit_test(a_ball_is_closed_and_round),
      cmocka_unit_test(a_ring_is_closed_and_as_thick_as_asked),
      cmocka_unit_test(points_of_a_circle_go_round_once),
      cmocka_unit_test(the_scene_is_the_same_bits_everywhere),
      cmocka_unit_test(parts_follow_each_other),
      cmocka_unit_test(nothing_touches_at_the_start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
