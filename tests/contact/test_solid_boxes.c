/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Boxes on boxes against the exact answer for their triangles: the same two boxes, turned and moving straight, as
 * solids of six faces and as meshes of twelve triangles. Corners of the meshes are rounded, so that brackets are
 * widened by 1e-12 before they must overlap. Turned anywhere, and turned by quarters, where faces are flat against each
 * other and edges run along each other. */

#include "contact/program.h"

#include <toi/scene.h>

static uint64_t seed;

static double between(double low, double high) {
  return low + (high - low) * test_random_unit(&seed);
}

/* Two boxes: sizes, a quaternion each, and the second one's way from 0 to 1. */
typedef struct boxes {
  double size[2][3], turn[2][4], from[3], velocity[3];
} boxes;

static void choose_turn(double q[4], bool quarters) {
  static const double turns[4][4] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 0, 1, 0}, {1, 0, 0, 1}};
  for (int k = 0; k < 4; k++)
    q[k] = between(-1, 1);
  if (quarters)
    memcpy(q, turns[test_random(&seed) % 4], sizeof turns[0]);
}

/* Apart at the start, mostly touching later. */
static void choose(boxes *b, bool quarters) {
  double length = 0;
  for (int side = 0; side < 2; side++) {
    choose_turn(b->turn[side], quarters);
    for (int k = 0; k < 3; k++)
      b->size[side][k] = quarters ? 0.25 * (1 + (double)(test_random(&seed) % 8)) : between(0.2, 2);
  }
  for (int k = 0; k < 3; k++) {
    b->from[k] = between(-1, 1);
    length += b->from[k] * b->from[k];
  }
  for (int k = 0; k < 3; k++) {
    b->from[k] *= 4 / sqrt(length);
    b->velocity[k] = between(-1.2, 1.2) - 1.3 * b->from[k];
    if (quarters)
      b->velocity[k] = rint(4 * b->velocity[k]) / 4;
  }
}

static void place(stage *s, const boxes *b) {
  for (size_t side = 0; side < 2; side++) {
    toi_motion *m = enter_library(s, TOI_SHAPE_BOX, TOI_SHAPE_FORM_DEFAULT, b->size[side]);
    char text[4][40];
    const char *quaternion[4];
    for (int k = 0; k < 4; k++) {
      snprintf(text[k], sizeof text[k], "%.17g", b->turn[side][k]);
      quaternion[k] = text[k];
    }
    well(s, toi_motion_formula(m, quaternion, NULL));
    if (side == 1)
      well(s, toi_motion_move(m, b->from, b->velocity));
  }
}

/* --- triangles --- */

static const uint32_t triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static void corners_of(const stage *s, const boxes *b, size_t side, double t, double corners[8][3]) {
  toi_interval rotation[9], translation[3];
  well(s, toi_motion_at(s->motions[side], (toi_interval){0, 0}, rotation, translation));
  for (int n = 0; n < 8; n++)
    for (int i = 0; i < 3; i++) {
      corners[n][i] = side == 1 ? b->from[i] + t * b->velocity[i] : 0;
      for (int k = 0; k < 3; k++)
        corners[n][i] +=
            0.5 * (rotation[3 * i + k].lo + rotation[3 * i + k].hi) * ((n >> k & 1) - 0.5) * b->size[side][k];
    }
}

static void ask_triangles(const stage *s, const boxes *b, toi_impact *impact) {
  double start[16][3], end[16][3];
  uint32_t faces[24][3];
  for (size_t side = 0; side < 2; side++) {
    corners_of(s, b, side, 0, &start[8 * side]);
    corners_of(s, b, side, 1, &end[8 * side]);
    for (size_t i = 0; i < 12; i++)
      for (int k = 0; k < 3; k++)
        faces[12 * side + i][k] = triangles[i][k] + (uint32_t)(8 * side);
  }
  uint32_t of[16];
  for (uint32_t i = 0; i < 16; i++)
    of[i] = i / 8;
  const toi_mesh mesh = {.start = start,
                         .end = end,
                         .vertex_count = 16,
                         .faces = (const uint32_t(*)[3])faces,
                         .face_count = 24,
                         .bodies = of};
  const toi_options options = toi_default_options();
  well(s, toi_step(s->context, &mesh, &options, impact));
}

/* --- both --- */

typedef struct counts {
  size_t hits, misses, near;
  double boxes, seconds;
} counts;

static void compare(const boxes *b, const stage *s, const toi_hit *hit, counts *c) {
  const toi_contact_answer *a = &got.answer;
  const bool same = (a->verdict == TOI_HIT && hit->verdict == TOI_HIT && a->t_lo <= hit->t_hi + 1e-12 &&
                     a->t_hi >= hit->t_lo - 1e-12) ||
                    (a->verdict == TOI_MISS && hit->verdict == TOI_MISS) ||
                    (a->verdict == TOI_NEAR && hit->verdict == TOI_HIT && a->t_lo <= hit->t_hi + 1e-12) ||
                    (a->verdict == TOI_NEAR && hit->verdict == TOI_MISS);
  c->hits += a->verdict == TOI_HIT;
  c->misses += a->verdict == TOI_MISS;
  c->near += a->verdict == TOI_NEAR;
  c->boxes += (double)a->boxes;
  c->seconds += a->seconds;
  if (same)
    return;
  tell("boxes", s, &got);
  for (int side = 0; side < 2; side++)
    print_message("  size %a %a %a, turned by %a %a %a %a\n", b->size[side][0], b->size[side][1], b->size[side][2],
                  b->turn[side][0], b->turn[side][1], b->turn[side][2], b->turn[side][3]);
  print_message("  from %a %a %a, velocity %a %a %a\n", b->from[0], b->from[1], b->from[2], b->velocity[0],
                b->velocity[1], b->velocity[2]);
  fail_msg("triangles: %s [%.17g, %.17g]", toi_verdict_name(hit->verdict), hit->t_lo, hit->t_hi);
}

static void run(bool quarters, uint64_t full) {
  counts c = {0, 0, 0, 0, 0};
  toi_contact_options options = toi_default_contact_options();
  options.spacing = 1;
  for (uint64_t i = 0; i < full; i++) {
    boxes b;
    stage s = {.context = context};
    toi_impact impact;
    choose(&b, quarters);
    place(&s, &b);
    ask_triangles(&s, &b, &impact);
    ask(&s, &options, &got);
    compare(&b, &s, &impact.hit, &c);
    clear(&s);
  }
  print_message("  %zu hits, %zu misses, %zu near; %.0f boxes, %.2f ms each\n", c.hits, c.misses, c.near,
                c.boxes / (double)full, 1e3 * c.seconds / (double)full);
  // What is neither takes a coincidence.
  assert_true(100 * c.near <= full);
}

static void turned_boxes_touch_as_their_triangles_do(void **state) {
  (void)state;
  run(false, test_count_from(300, 10));
}

static void flat_boxes_touch_as_their_triangles_do(void **state) {
  (void)state;
  run(true, test_count_from(100, 10));
}

/* --- boxes that turn --- */

/* How far apart two boxes are along an axis, at most; negative: they overlap along all of them. Of two boxes one of 15
 * axes separates them if any does: the normals of both, and the products of their edges. */
static double gap_along(const double axis[3], const double rotation[2][3][3], const double size[2][3],
                        const double away[3]) {
  const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  double gap = 0;
  if (length < 1e-6)
    return -INFINITY;
  for (int k = 0; k < 3; k++)
    gap += axis[k] * away[k];
  gap = fabs(gap);
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++)
      gap -= 0.5 * size[side][i] *
             fabs(axis[0] * rotation[side][0][i] + axis[1] * rotation[side][1][i] + axis[2] * rotation[side][2][i]);
  return gap / length;
}

static void pose_at(const stage *s, size_t side, double t, double rotation[3][3], double shift[3]) {
  toi_interval r[9], d[3];
  well(s, toi_motion_at(s->motions[side], (toi_interval){t, t}, r, d));
  for (int i = 0; i < 3; i++) {
    shift[i] = 0.5 * (d[i].lo + d[i].hi);
    for (int k = 0; k < 3; k++)
      rotation[i][k] = 0.5 * (r[3 * i + k].lo + r[3 * i + k].hi);
  }
}

static double gap_at(const stage *s, const boxes *b, double t) {
  double rotation[2][3][3], shift[2][3], away[3], gap = -INFINITY;
  for (size_t side = 0; side < 2; side++)
    pose_at(s, side, t, rotation[side], shift[side]);
  for (int k = 0; k < 3; k++)
    away[k] = shift[1][k] - shift[0][k];
  for (int n = 0; n < 15; n++) {
    double axis[3];
    for (int k = 0; k < 3; k++) {
      const int i = (k + 1) % 3, j = (k + 2) % 3, e = (n - 6) / 3, f = (n - 6) % 3;
      axis[k] = n < 6 ? rotation[n / 3][k][n % 3]
                      : rotation[0][i][e] * rotation[1][j][f] - rotation[0][j][e] * rotation[1][i][f];
    }
    gap = fmax(gap, gap_along(axis, (const double(*)[3][3])rotation, (const double(*)[3])b->size, away));
  }
  return gap;
}

/* The first time at which they overlap, to 1e-12, of samples and between them; infinite: at none. A dip between two
 * samples is followed to its bottom. */
static double sampled_time(const stage *s, const boxes *b, double *least) {
  enum { SAMPLES = 400 };
  double before = gap_at(s, b, 0), last = before, from = 0;
  *least = before;
  for (int i = 1; i <= SAMPLES; i++) {
    const double t = (double)i / SAMPLES, now = gap_at(s, b, t);
    double low = from, high = t;
    *least = fmin(*least, now);
    if (now > 0 && last > before && now > before && before < 0.02) {
      // before is the least of three: its bottom lies between its neighbours.
      double a = from - 1.0 / SAMPLES, c = t;
      for (int step = 0; step < 60; step++) {
        const double x = a + 0.382 * (c - a), y = c - 0.382 * (c - a);
        if (gap_at(s, b, x) < gap_at(s, b, y))
          c = y;
        else
          a = x;
      }
      *least = fmin(*least, gap_at(s, b, a));
      if (gap_at(s, b, a) <= 0) {
        low = from - 1.0 / SAMPLES;
        high = a;
      }
    }
    if (now <= 0 || high < t) {
      while (high - low > 1e-12)
        *(gap_at(s, b, 0.5 * (low + high)) <= 0 ? &high : &low) = 0.5 * (low + high);
      return high;
    }
    last = before;
    before = now;
    from = t;
  }
  return INFINITY;
}

static void spinning_boxes_touch_when_samples_say(void **state) {
  (void)state;
  counts c = {0, 0, 0, 0, 0};
  const toi_contact_options options = toi_default_contact_options();
  const uint64_t full = test_count_from(100, 8);
  for (uint64_t i = 0; i < full; i++) {
    boxes b;
    stage s = {.context = context};
    choose(&b, false);
    for (size_t side = 0; side < 2; side++) {
      const double axis[3] = {between(-1, 1), between(-1, 1), between(-1, 1)};
      toi_motion *m = enter_library(&s, TOI_SHAPE_BOX, TOI_SHAPE_FORM_DEFAULT, b.size[side]);
      well(&s, toi_motion_turn(m, axis, NULL, between(0, 6), between(-3, 3)));
      if (side == 1)
        well(&s, toi_motion_move(m, b.from, b.velocity));
    }
    ask(&s, &options, &got);
    double least;
    const double t = sampled_time(&s, &b, &least);
    const toi_contact_answer *a = &got.answer;
    c.hits += a->verdict == TOI_HIT;
    c.misses += a->verdict == TOI_MISS;
    c.near += a->verdict == TOI_NEAR;
    const bool touches = t <= 1, same = touches ? a->t_lo <= t + 1e-9 && (a->verdict != TOI_HIT || a->t_hi >= t - 1e-9)
                                                : a->verdict != TOI_HIT || least < 1e-6;
    if (!same || (touches && a->verdict == TOI_MISS)) {
      tell("spinning boxes", &s, &got);
      fail_msg("pair %d: samples say %.17g, least gap %g", (int)i, t, least);
    }
    c.boxes += (double)a->boxes;
    c.seconds += a->seconds;
    clear(&s);
  }
  print_message("  %zu hits, %zu misses, %zu near; %.0f boxes, %.2f ms each\n", c.hits, c.misses, c.near,
                c.boxes / (double)full, 1e3 * c.seconds / (double)full);
  assert_true(100 * c.near <= full);
}

int main(void) {
  seed = test_seed(181);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turned_boxes_touch_as_their_triangles_do),
      cmocka_unit_test(flat_boxes_touch_as_their_triangles_do),
      cmocka_unit_test(spinning_boxes_touch_when_samples_say),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
