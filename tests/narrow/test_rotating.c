/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Primitives of turning bodies: known contacts, the filter against `exact`, contact points and normals, and that
 * whatever leaves the geometry as it is leaves the answer as it is. */

#include <math.h>

#include "narrow/rotating_cases.h"

static toi_context *context;

static int set_up(void **state) {
  (void)state;
  context = test_context(1);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  toi_context_destroy(context);
  return 0;
}

static rotating_case at_rest(toi_kind kind) {
  rotating_case c = {.kind = kind};
  for (int i = 0; i < 2; i++)
    toi_moving_body_init(&c.body[i], sizeof c.body[i]);
  return c;
}

static void set_points(rotating_case *c, const double points[4][3]) {
  memcpy(c->points, points, sizeof c->points);
}

static void assert_near(double a, double b, double error) {
  if (!(fabs(a - b) <= error))
    fail_msg("%.17g is not within %g of %.17g", a, error, b);
}

/* --- known contacts --- */

/* A quarter turn about z, as nlerp has it: the quaternion is 1, 0, 0, t, the angle 2 atan(t). */
static void door_meets_wall_at_45_degrees(void **state) {
  (void)state;
  rotating_case c = at_rest(TOI_VERTEX_FACE);
  c.body[0].end.quaternion[3] = 1;
  // The tip, at (1, 0, 0), reaches the plane x = y at 45 degrees: tan 22.5 degrees = sqrt(2) - 1.
  set_points(&c, (const double[4][3]){{1, 0, 0}, {0, 0, -1}, {2, 2, -1}, {1, 1, 2}});
  for (int i = 0; i < 2; i++) {
    const toi_hit hit = case_ask(context, &c, i ? "exact" : "certified");
    assert_int_equal(hit.verdict, TOI_HIT);
    assert_near(hit.t_lo, sqrt(2) - 1, 0x1p-47);
    assert_true(hit.t_lo <= hit.t_hi && hit.t_hi - hit.t_lo <= 0x1p-48 && hit.t_safe < hit.t_hi);
    assert_near(hit.point[0], sqrt(0.5), 1e-14);
    assert_near(hit.point[1], sqrt(0.5), 1e-14);
    assert_near(hit.normal[0], sqrt(0.5), 1e-14);
    assert_near(hit.normal[1], -sqrt(0.5), 1e-14);
    assert_near(hit.u, sqrt(0.5) / 2 - 1. / 6, 1e-14);
    assert_near(hit.v, 1. / 3, 1e-14);
  }
}

/* The plate that linear interpolation of its corners lets through: half a turn about z at rest in the middle. */
static void half_turn_sweeps_what_linear_motion_misses(void **state) {
  (void)state;
  rotating_case c = at_rest(TOI_VERTEX_VERTEX);
  c.body[0].end.quaternion[0] = 0;
  c.body[0].end.quaternion[3] = 1;
  set_points(&c, (const double[4][3]){{1, 0, 0}, {0, 1, 0}});
  toi_hit hit = case_ask(context, &c, NULL);
  assert_int_equal(hit.verdict, TOI_HIT);
  assert_true(hit.t_lo == 0.5 && hit.t_hi == 0.5 && hit.t_safe < 0.5 && hit.t_safe > 0.49);
  const double start[2][3] = {{1, 0, 0}, {0, 1, 0}}, end[2][3] = {{-1, 0, 0}, {0, 1, 0}};
  toi_options options = toi_default_options();
  assert_int_equal(toi_vertex_vertex(start, end, &options, &hit), TOI_OK);
  assert_int_equal(hit.verdict, TOI_MISS);
}

static void touching_at_start_and_leaving(void **state) {
  (void)state;
  rotating_case c = at_rest(TOI_EDGE_EDGE);
  c.body[0].end.quaternion[1] = 0.5;
  c.body[0].end.position[2] = 1;
  set_points(&c, (const double[4][3]){{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}});
  const toi_hit hit = case_ask(context, &c, NULL);
  assert_int_equal(hit.verdict, TOI_HIT);
  assert_true(hit.touching_at_start && hit.t_lo == 0 && hit.t_hi == 0 && hit.t_safe == 0);
  assert_true(hit.u == 0.5 && hit.v == 0.5);
}

/* A needle that stands still at the other body's axis is touched always; beside it never. */
static void face_turns_about_a_resting_vertex(void **state) {
  (void)state;
  rotating_case c = at_rest(TOI_VERTEX_FACE);
  c.body[1].end.quaternion[3] = 1;
  set_points(&c, (const double[4][3]){{0, 0, 0}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}});
  assert_true(case_ask(context, &c, NULL).touching_at_start);
  c.points[0][0] = -2;
  assert_int_equal(case_ask(context, &c, NULL).verdict, TOI_MISS);
  // A corner of the face, at distance sqrt(2), passes over a point at that distance, in the face's plane.
  c.points[0][0] = 0;
  c.points[0][1] = -sqrt(2);
  assert_int_equal(case_ask(context, &c, NULL).verdict, sqrt(2) * sqrt(2) <= 2 ? TOI_HIT : TOI_MISS);
  c.points[0][1] = -1;
  assert_int_equal(case_ask(context, &c, NULL).verdict, TOI_HIT);
}

static void end_quaternion_of_either_sign_turns_the_shorter_way(void **state) {
  (void)state;
  uint64_t random = test_seed(3);
  for (int i = 0; i < 200; i++) {
    rotating_case c = case_random(&random, i % CASE_STYLES, (toi_kind)(i % 2));
    const toi_hit hit = case_ask(context, &c, NULL);
    const double product = c.body[0].start.quaternion[0] * c.body[0].end.quaternion[0] +
                           c.body[0].start.quaternion[1] * c.body[0].end.quaternion[1] +
                           c.body[0].start.quaternion[2] * c.body[0].end.quaternion[2] +
                           c.body[0].start.quaternion[3] * c.body[0].end.quaternion[3];
    // At half a turn either way is as short as the other.
    if (product == 0)
      continue;
    for (int j = 0; j < 4; j++)
      c.body[0].end.quaternion[j] = -c.body[0].end.quaternion[j];
    const toi_hit other = case_ask(context, &c, NULL);
    assert_memory_equal(&hit, &other, sizeof hit);
  }
}

static void t_max_cuts_the_step(void **state) {
  (void)state;
  rotating_case c = at_rest(TOI_VERTEX_FACE);
  c.body[0].end.quaternion[3] = 1;
  set_points(&c, (const double[4][3]){{1, 0, 0}, {0, 0, -1}, {2, 2, -1}, {1, 1, 2}});
  const toi_hit exact = case_ask(context, &c, "exact");
  toi_moving_pair *pair;
  assert_int_equal(toi_moving_pair_create(context, &c.body[0], &c.body[1], &pair), TOI_OK);
  for (int i = 0; i < 2; i++) {
    toi_options options = toi_default_options();
    toi_hit hit;
    options.method = i ? "exact" : "certified";
    options.t_max = exact.t_hi;
    assert_int_equal(toi_moving_pair_query(pair, c.kind, (const double(*)[3])c.points, &options, &hit), TOI_OK);
    assert_int_equal(hit.verdict, TOI_HIT);
    options.t_max = exact.t_lo;
    assert_int_equal(toi_moving_pair_query(pair, c.kind, (const double(*)[3])c.points, &options, &hit), TOI_OK);
    assert_int_equal(hit.verdict, TOI_MISS);
    assert_true(hit.t_safe == exact.t_lo);
  }
  toi_moving_pair_destroy(pair);
}

/* --- the filter, and places --- */

/* A point of a body at a time, in doubles. */
static void world(const toi_moving_body *body, const double p[3], double t, double out[3]) {
  double q[4], n = 0, dot = 0, inner[3];
  for (int i = 0; i < 4; i++)
    dot += body->start.quaternion[i] * body->end.quaternion[i];
  for (int i = 0; i < 4; i++) {
    q[i] = (1 - t) * body->start.quaternion[i] + (dot < 0 ? -t : t) * body->end.quaternion[i];
    n += q[i] * q[i];
  }
  for (int i = 0; i < 3; i++) {
    int y = (i + 1) % 3, z = (i + 2) % 3;
    inner[i] = q[y + 1] * p[z] - q[z + 1] * p[y] + q[0] * p[i];
  }
  for (int i = 0; i < 3; i++) {
    int y = (i + 1) % 3, z = (i + 2) % 3;
    out[i] = p[i] + 2 * (q[y + 1] * inner[z] - q[z + 1] * inner[y]) / n + (1 - t) * body->start.position[i] +
             t * body->end.position[i];
  }
}

/* The points of contact on both primitives, in the frames of their bodies. */
static void materials(const rotating_case *c, const toi_hit *hit, double first[3], double second[3]) {
  const double u = hit->u, v = hit->v, (*p)[3] = c->points;
  for (int i = 0; i < 3; i++) {
    first[i] = c->kind == TOI_EDGE_EDGE ? (1 - u) * p[0][i] + u * p[1][i] : p[0][i];
    second[i] = c->kind == TOI_VERTEX_FACE   ? (1 - u - v) * p[1][i] + u * p[2][i] + v * p[3][i]
                : c->kind == TOI_EDGE_EDGE   ? (1 - v) * p[2][i] + v * p[3][i]
                : c->kind == TOI_VERTEX_EDGE ? (1 - u) * p[1][i] + u * p[2][i]
                                             : p[1][i];
  }
}

static void check_place(const rotating_case *c, const toi_hit *hit) {
  double first[3], second[3], a[3], b[3], apart = 0, length = 0, off = 0;
  materials(c, hit, first, second);
  world(&c->body[0], first, hit->t_hi, a);
  world(&c->body[1], second, hit->t_hi, b);
  for (int i = 0; i < 3; i++) {
    off = fmax(off, fmax(fabs(a[i] - b[i]), fabs(a[i] - hit->point[i])));
    length += hit->normal[i] * hit->normal[i];
  }
  bool fine = off < 1e-9 && hit->u >= 0 && hit->u <= 1 && hit->v >= 0 && hit->v <= 1;
  fine = fine && (length == 0 || fabs(length - 1) < 1e-12);
  // A little before, the first one's point is on the side of the normal, up to the curvature of a motion that turns by
  // thousands of radians per unit of time where quaternions differ much in length.
  double before = hit->t_lo - 1e-7, moved = 0;
  if (before > 0 && length > 0) {
    world(&c->body[0], first, before, a);
    world(&c->body[1], second, before, b);
    for (int i = 0; i < 3; i++) {
      apart += hit->normal[i] * (a[i] - b[i]);
      moved += fabs(a[i] - b[i]);
    }
    fine = fine && apart > -2e-3 * moved - 1e-14;
  }
  if (!fine) {
    case_print(c);
    fail_msg("level %d at %.17g: off %g, normal's square %.17g, before: %g", hit->level, hit->t_lo, off, length, apart);
  }
}

static void filter_agrees_with_exact(void **state) {
  (void)state;
  uint64_t random = test_seed(5), rounds = test_count(40000), hits = 0, open = 0;
  for (uint64_t i = 0; i < rounds; i++) {
    const rotating_case c = case_random(&random, (int)(i % CASE_STYLES), (toi_kind)(i / CASE_STYLES % 2));
    const toi_hit hit = case_ask(context, &c, NULL);
    const toi_hit exact = hit.level == TOI_LEVEL_EXACT ? hit : case_ask(context, &c, "exact");
    bool right = hit.verdict == exact.verdict;
    if (hit.verdict == TOI_HIT)
      right = right && hit.t_lo <= exact.t_lo && exact.t_hi <= hit.t_hi && hit.t_hi - hit.t_lo <= 0x1p-48;
    if (!right) {
      case_print(&c);
      fail_msg("level %d: %d in [%a, %a]; exact: %d in [%a, %a]", hit.level, hit.verdict, hit.t_lo, hit.t_hi,
               exact.verdict, exact.t_lo, exact.t_hi);
    }
    if (hit.verdict == TOI_HIT) {
      check_place(&c, &hit);
      check_place(&c, &exact);
    }
    hits += hit.verdict == TOI_HIT;
    open += hit.level == TOI_LEVEL_EXACT;
  }
  printf("%llu queries, %llu hits, %llu by integers\n", (unsigned long long)rounds, (unsigned long long)hits,
         (unsigned long long)open);
  assert_true(hits > rounds / 50 && open < rounds / 2);
}

/* --- what leaves the geometry as it is --- */

static void assert_same_exact(const rotating_case *a, const rotating_case *b, bool bracket) {
  const toi_hit x = case_ask(context, a, "exact"), y = case_ask(context, b, "exact"), z = case_ask(context, b, NULL);
  bool same = x.verdict == y.verdict && x.verdict == z.verdict;
  if (bracket && x.verdict == TOI_HIT)
    same = same && x.t_lo == y.t_lo && x.t_hi == y.t_hi;
  if (!same) {
    case_print(a);
    case_print(b);
    fail_msg("%d in [%a, %a]; %d in [%a, %a]; certified %d", x.verdict, x.t_lo, x.t_hi, y.verdict, y.t_lo, y.t_hi,
             z.verdict);
  }
}

static rotating_case swapped(const rotating_case *c) {
  rotating_case out = *c;
  size_t half = c->kind == TOI_EDGE_EDGE ? 2 : 1;
  out.body[0] = c->body[1];
  out.body[1] = c->body[0];
  memcpy(out.points[0], c->points[half], half * sizeof c->points[0]);
  memcpy(out.points[half], c->points[0], half * sizeof c->points[0]);
  return out;
}

static rotating_case reversed(const rotating_case *c) {
  rotating_case out = *c;
  for (int i = 0; i < 2; i++) {
    out.body[i].start = c->body[i].end;
    out.body[i].end = c->body[i].start;
  }
  return out;
}

/* A quarter turn about z of the world, and a shift: exact for small integers. */
static void move_world(toi_pose *pose) {
  const double *q = pose->quaternion, x = pose->position[0];
  const double turned[4] = {q[0] - q[3], q[1] - q[2], q[1] + q[2], q[0] + q[3]};
  memcpy(pose->quaternion, turned, sizeof turned);
  pose->position[0] = 3 - pose->position[1];
  pose->position[1] = x - 5;
  pose->position[2] += 2;
}

/* A quarter turn about z of the frame of a body: its points turn back, q becomes q (1, 0, 0, 1). */
static void move_frame(rotating_case *c, int body) {
  for (int end = 0; end < 2; end++) {
    double *q = end ? c->body[body].end.quaternion : c->body[body].start.quaternion;
    const double turned[4] = {q[0] - q[3], q[1] + q[2], q[2] - q[1], q[0] + q[3]};
    memcpy(q, turned, sizeof turned);
  }
  int half = c->kind == TOI_EDGE_EDGE ? 2 : 1, from = body ? half : 0, to = body ? 4 : half;
  for (int i = from; i < to; i++) {
    double x = c->points[i][0];
    c->points[i][0] = c->points[i][1];
    c->points[i][1] = -x;
  }
}

static void same_geometry_same_answer(void **state) {
  (void)state;
  uint64_t random = test_seed(7), rounds = test_count(4000);
  for (uint64_t i = 0; i < rounds; i++) {
    const rotating_case c = case_random(&random, i % 2 ? CASE_GRID : CASE_ENDS, (toi_kind)(i / 2 % TOI_KIND_COUNT));
    rotating_case other = c;
    if (c.kind == TOI_EDGE_EDGE || c.kind == TOI_VERTEX_VERTEX) {
      other = swapped(&c);
      assert_same_exact(&c, &other, true);
    }
    other = reversed(&c);
    assert_same_exact(&c, &other, false);
    other = c;
    for (int b = 0; b < 2; b++) {
      move_world(&other.body[b].start);
      move_world(&other.body[b].end);
    }
    assert_same_exact(&c, &other, true);
    other = c;
    move_frame(&other, (int)(i / 4 % 2));
    assert_same_exact(&c, &other, true);
    other =
        case_scaled(&c, (int)case_small(&random, 900), (int)case_small(&random, 900), (int)case_small(&random, 900));
    assert_same_exact(&c, &other, true);
  }
}

/* Bodies that do not turn are the linear case. */
static void without_turning_as_linear_motion(void **state) {
  (void)state;
  uint64_t random = test_seed(9), rounds = test_count(2000);
  for (uint64_t i = 0; i < rounds; i++) {
    rotating_case c = case_random(&random, i % 2 ? CASE_GRID : CASE_RANDOM, (toi_kind)(i / 2 % TOI_KIND_COUNT));
    size_t points = toi_kind_points(c.kind), half = c.kind == TOI_EDGE_EDGE ? 2 : 1;
    // Coordinates of few bits, so that the points of the world are doubles.
    double start[4][3], end[4][3];
    for (size_t j = 0; j < points; j++) {
      toi_moving_body *body = &c.body[j < half ? 0 : 1];
      toi_moving_body still;
      toi_moving_body_init(&still, sizeof still);
      body->start.quaternion[0] = 2;
      memset(body->start.quaternion + 1, 0, 3 * sizeof(double));
      memcpy(body->end.quaternion, still.end.quaternion, sizeof still.end.quaternion);
      for (int axis = 0; axis < 3; axis++) {
        body->start.position[axis] = round(0x1p20 * body->start.position[axis]) * 0x1p-20;
        body->end.position[axis] = round(0x1p20 * body->end.position[axis]) * 0x1p-20;
        c.points[j][axis] = round(0x1p20 * c.points[j][axis]) * 0x1p-20;
        start[j][axis] = body->start.position[axis] + c.points[j][axis];
        end[j][axis] = body->end.position[axis] + c.points[j][axis];
      }
    }
    toi_options options = toi_default_options();
    options.method = "exact";
    toi_hit linear;
    const toi_hit hit = case_ask(context, &c, "exact");
    assert_int_equal(toi_query(c.kind, (const double(*)[3])start, (const double(*)[3])end, &options, &linear), TOI_OK);
    assert_true(hit.verdict == linear.verdict && hit.t_lo == linear.t_lo && hit.t_hi == linear.t_hi);
    for (int axis = 0; axis < 3 && hit.verdict == TOI_HIT; axis++)
      assert_near(hit.normal[axis], linear.normal[axis], 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(door_meets_wall_at_45_degrees),
      cmocka_unit_test(half_turn_sweeps_what_linear_motion_misses),
      cmocka_unit_test(touching_at_start_and_leaving),
      cmocka_unit_test(face_turns_about_a_resting_vertex),
      cmocka_unit_test(end_quaternion_of_either_sign_turns_the_shorter_way),
      cmocka_unit_test(t_max_cuts_the_step),
      cmocka_unit_test(filter_agrees_with_exact),
      cmocka_unit_test(same_geometry_same_answer),
      cmocka_unit_test(without_turning_as_linear_motion),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
