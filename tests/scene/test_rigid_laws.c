/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes of rigid bodies under every law, and within separations: the answers are those of asking every pair of
 * primitives, and poses sampled densely agree with them.
 *
 * The first oracle is toi_moving_pair_query(), which test_rotating_laws.c looks after. The second one knows nothing of
 * it: poses by the textbook's formulas, distances by toi_distance_fast(); it may be believed to about 1e-9. */

#include <stdlib.h>
#include <toi/distance.h>

#include "scene/rigid_cases.h"

static rigid_list expected, found;

/* Any law, where the textbook's circle of a screw is well defined. */
static toi_law law_for(const toi_moving_body *body, uint64_t *state) {
  const double *a = body->start.quaternion, *b = body->end.quaternion;
  double dot = 0, square[2] = {0, 0};
  for (int i = 0; i < 4; i++) {
    dot += a[i] * b[i];
    square[0] += a[i] * a[i];
    square[1] += b[i] * b[i];
  }
  const toi_law law = (toi_law)(test_random(state) % 3);
  return law == TOI_LAW_SCREW && fabs(dot) / sqrt(square[0] * square[1]) > 0.999 ? TOI_LAW_SLERP : law;
}

static void draw(toi_context *context, uint64_t *state, int style, rigid_case *c) {
  rigid_random(context, state, style, c);
  for (size_t i = 0; i < c->count; i++)
    c->body[i].law = law_for(&c->body[i], state);
}

/* Some bodies follow motions: their own links, moved by another one. NULL: not this one. */
static void follow(toi_context *context, uint64_t *state, rigid_case *c, toi_motion *motions[RIGID_BODIES]) {
  for (size_t i = 0; i < c->count; i++) {
    motions[i] = NULL;
    if (c->fixed[i] || test_random(state) % 2 == 0)
      continue;
    toi_moving_body base;
    case_poses(state, CASE_RANDOM, &base);
    for (int axis = 0; axis < 3; axis++)
      base.start.position[axis] = 0;
    base.law = (toi_law)(test_random(state) % 2);
    assert_int_equal(toi_motion_create(context, &motions[i]), TOI_OK);
    assert_int_equal(toi_motion_poses(motions[i], &c->body[i]), TOI_OK);
    assert_int_equal(toi_motion_poses(motions[i], &base), TOI_OK);
    // A stage with a tape needs scratch of its own on every thread.
    if (test_random(state) % 2 == 0)
      assert_int_equal(toi_motion_turn_formula(motions[i], (const double[]){1, 2, 3}, "t^2 / 4"), TOI_OK);
    c->body[i].law = TOI_LAW_MOTION;
    c->body[i].motion = motions[i];
    c->body[i].motion_from = test_random(state) % 2 == 0 ? 0 : 0.25;
  }
}

static void end_motions(const rigid_case *c, toi_motion *const motions[RIGID_BODIES]) {
  for (size_t i = 0; i < c->count; i++)
    toi_motion_destroy(motions[i]);
}

/* --- against every pair --- */

/* The same pairs with the same bits; but what is near may be narrowed, or proved apart. */
static void check_list(void) {
  size_t next = 0;
  for (size_t i = 0; i < expected.count; i++) {
    const toi_rigid_impact *one = &expected.at[i], *other = &found.at[next];
    const bool met = next < found.count && rigid_compare(one, other) == 0;
    if (one->hit.verdict == TOI_HIT) {
      assert_true(met);
      assert_memory_equal(one, other, sizeof *one);
    } else if (met) {
      assert_int_equal(other->hit.verdict, TOI_NEAR);
      assert_true(other->hit.t_lo >= one->hit.t_lo && other->hit.t_hi <= one->hit.t_hi);
    }
    next += met;
  }
  assert_int_equal(next, found.count);
}

/* The least t_lo of all, and the least t_hi of the hits. */
static void check_first(const toi_rigid_impact *impact, const toi_options *options, bool rational) {
  double lo = INFINITY, hi = INFINITY;
  for (size_t i = 0; i < expected.count; i++) {
    const toi_hit *hit = &expected.at[i].hit;
    lo = fmin(lo, hit->t_lo);
    hi = hit->verdict == TOI_HIT ? fmin(hi, hit->t_hi) : hi;
  }
  const toi_verdict verdict = isinf(lo) ? TOI_MISS : isinf(hi) ? TOI_NEAR : TOI_HIT;
  // All that is near may have been proved apart.
  if (verdict == TOI_NEAR && impact->hit.verdict == TOI_MISS)
    return;
  assert_int_equal(impact->hit.verdict, verdict);
  if (verdict == TOI_MISS) {
    assert_true(impact->hit.t_safe == options->t_max);
  } else if (rational && options->min_separation == 0) {
    // The tightest doubles are within.
    assert_true(impact->hit.t_lo >= lo && impact->hit.t_hi <= hi);
  } else {
    assert_true(verdict == TOI_NEAR || impact->hit.t_hi <= hi);
    assert_true(impact->hit.t_lo >= lo && impact->hit.t_safe <= impact->hit.t_lo);
  }
}

static void laws_and_separations_are_those_of_all_pairs(void **unused) {
  (void)unused;
  uint64_t state = test_seed(94);
  toi_context *context = test_context(2);
  size_t verdicts[3] = {0, 0, 0};
  static rigid_case c;
  for (uint64_t round = 0; round < test_count(120); round++) {
    toi_motion *motions[RIGID_BODIES] = {NULL};
    draw(context, &state, (int)(round % CASE_STYLES), &c);
    if (round % 4 == 3)
      follow(context, &state, &c, motions);
    toi_options options = toi_default_options();
    options.min_separation = round % 8 < 4 ? case_between(&state, 0, 0.2) : 0;
    options.t_max = round % 3 == 0 ? case_between(&state, 0, 1) : 1;
    toi_rigid_scene *scene = rigid_scene_of(context, &c);
    toi_rigid_impact impact;
    bool rational = true;
    for (size_t i = 0; i < c.count; i++)
      rational = rational && c.body[i].law == TOI_LAW_NLERP;
    assert_int_equal(toi_rigid_scene_step(scene, c.body, c.count, &options, &impact), TOI_OK);
    rigid_brute(context, &c, &options, UINT32_MAX, &expected);
    found.count = 0;
    assert_int_equal(toi_rigid_scene_collisions(scene, c.body, c.count, &options, rigid_keep, &found), TOI_OK);
    check_list();
    check_first(&impact, &options, rational);
    verdicts[impact.hit.verdict]++;
    toi_rigid_scene_destroy(scene);
    end_motions(&c, motions);
  }
  print_message("%zu misses, %zu hits, %zu near\n", verdicts[TOI_MISS], verdicts[TOI_HIT], verdicts[TOI_NEAR]);
  assert_true(verdicts[TOI_HIT] > 0);
  toi_context_destroy(context);
}

static void answers_do_not_depend_on_threads(void **unused) {
  (void)unused;
  static rigid_case c;
  for (int round = 0; round < 8; round++) {
    toi_rigid_impact first[2];
    for (uint32_t k = 0; k < 2; k++) {
      uint64_t state = 700 + (uint64_t)round;
      toi_context *context = test_context(k == 0 ? 1 : 4);
      toi_motion *motions[RIGID_BODIES] = {NULL};
      draw(context, &state, round % CASE_STYLES, &c);
      if (round % 4 >= 2)
        follow(context, &state, &c, motions);
      toi_rigid_scene *scene = rigid_scene_of(context, &c);
      toi_options options = toi_default_options();
      options.min_separation = round % 2 == 0 ? 0.1 : 0;
      assert_int_equal(toi_rigid_scene_step(scene, c.body, c.count, &options, &first[k]), TOI_OK);
      rigid_list *to = k == 0 ? &expected : &found;
      to->count = 0;
      assert_int_equal(toi_rigid_scene_collisions(scene, c.body, c.count, &options, rigid_keep, to), TOI_OK);
      toi_rigid_scene_destroy(scene);
      end_motions(&c, motions);
      toi_context_destroy(context);
    }
    assert_memory_equal(&first[0], &first[1], sizeof first[0]);
    assert_int_equal(found.count, expected.count);
    assert_memory_equal(found.at, expected.at, found.count * sizeof found.at[0]);
  }
}

/* --- against poses --- */

static void unit(const double q[4], double out[4]) {
  double square = 0;
  for (int i = 0; i < 4; i++)
    square += q[i] * q[i];
  for (int i = 0; i < 4; i++)
    out[i] = q[i] / sqrt(square);
}

static void cross(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* The quaternion of length 1 and the position at t. */
static void pose_at(const toi_moving_body *body, double t, double q[4], double position[3]) {
  double p[2][4], dot = 0;
  unit(body->start.quaternion, p[0]);
  unit(body->end.quaternion, p[1]);
  for (int i = 0; i < 4; i++)
    dot += p[0][i] * p[1][i];
  for (int i = 0; i < 4 && dot < 0; i++)
    p[1][i] = -p[1][i];
  const double cosine = fmin(1, fabs(dot)), phi = acos(cosine);
  const bool straight = phi < 1e-7;
  double weight[2] = {straight ? 1 - t : sin((1 - t) * phi), straight ? t : sin(t * phi)};
  if (body->law == TOI_LAW_NLERP)
    for (int k = 0; k < 2; k++) {
      const double *own = k == 0 ? body->start.quaternion : body->end.quaternion;
      weight[k] = (k == 0 ? 1 - t : t) * hypot(hypot(own[0], own[1]), hypot(own[2], own[3]));
    }
  double mixed[4], way[3];
  for (int i = 0; i < 4; i++)
    mixed[i] = weight[0] * p[0][i] + weight[1] * p[1][i];
  unit(mixed, q);
  for (int i = 0; i < 3; i++) {
    way[i] = body->end.position[i] - body->start.position[i];
    position[i] = body->start.position[i] + t * way[i];
  }
  if (body->law != TOI_LAW_SCREW || straight)
    return;
  // About the axis n through the point on both circles' axes.
  double n[3], crossed[3], across[3], side[3], arm[3], turned[3], along = 0;
  cross(p[0] + 1, p[1] + 1, crossed);
  for (int i = 0; i < 3; i++) {
    n[i] = (p[0][0] * p[1][i + 1] - p[1][0] * p[0][i + 1] + crossed[i]) / sin(phi);
    along += n[i] * way[i];
  }
  for (int i = 0; i < 3; i++)
    across[i] = way[i] - along * n[i];
  cross(n, across, side);
  for (int i = 0; i < 3; i++)
    arm[i] = -0.5 * (across[i] + cosine / sin(phi) * side[i]);
  cross(n, arm, turned);
  for (int i = 0; i < 3; i++)
    position[i] =
        body->start.position[i] - arm[i] + cos(2 * t * phi) * arm[i] + sin(2 * t * phi) * turned[i] + t * along * n[i];
}

typedef struct placed {
  double at[RIGID_BODIES][RIGID_VERTICES][3];
} placed;

static void place(const rigid_case *c, double t, placed *to) {
  for (size_t i = 0; i < c->count; i++) {
    double q[4], position[3], inner[3], outer[3];
    pose_at(&c->body[i], t, q, position);
    for (int v = 0; v < RIGID_VERTICES; v++) {
      const double *p = c->shape[i].vertices[v];
      cross(q + 1, p, inner);
      for (int k = 0; k < 3; k++)
        inner[k] += q[0] * p[k];
      cross(q + 1, inner, outer);
      for (int k = 0; k < 3; k++)
        to->at[i][v][k] = p[k] + 2 * outer[k] + position[k];
    }
  }
}

static double distance_of(toi_kind kind, const double *const from[4], size_t count) {
  double points[4][3];
  toi_distance distance;
  for (size_t i = 0; i < count; i++)
    memcpy(points[i], from[i], sizeof points[i]);
  assert_int_equal(toi_distance_fast(kind, (const double(*)[3])points, TOI_NORM_L2, &distance), TOI_OK);
  return distance.lo;
}

/* The least distance of vertices of body i from faces of body j, and of edges. */
static double least_of(const rigid_case *c, const placed *at, size_t i, size_t j) {
  const rigid_shape *a = &c->shape[i], *b = &c->shape[j];
  double least = INFINITY;
  for (size_t v = 0; v < a->mesh.vertex_count; v++)
    for (size_t f = 0; f < b->mesh.face_count; f++) {
      const double *from[4] = {at->at[i][v], at->at[j][b->faces[f][0]], at->at[j][b->faces[f][1]],
                               at->at[j][b->faces[f][2]]};
      least = fmin(least, distance_of(TOI_VERTEX_FACE, from, 4));
    }
  for (size_t e = 0; e < a->mesh.edge_count; e++)
    for (size_t f = 0; f < b->mesh.edge_count && i < j; f++) {
      const double *from[4] = {at->at[i][a->edges[e][0]], at->at[i][a->edges[e][1]], at->at[j][b->edges[f][0]],
                               at->at[j][b->edges[f][1]]};
      least = fmin(least, distance_of(TOI_EDGE_EDGE, from, 4));
    }
  return least;
}

static double least_at(const rigid_case *c, double t) {
  static placed at;
  double least = INFINITY;
  place(c, t, &at);
  for (size_t i = 0; i < c->count; i++)
    for (size_t j = 0; j < c->count; j++)
      if (i != j && !(c->fixed[i] && c->fixed[j]))
        least = fmin(least, least_of(c, &at, i, j));
  return least;
}

/* Bodies farther apart, so that most scenes are free at the start. */
static void spread(rigid_case *c, uint64_t *state) {
  for (size_t i = 0; i < c->count; i++)
    for (int axis = 0; axis < 3; axis++) {
      const double away = (axis == 0 ? 2.2 * (double)i : 0) + case_between(state, -0.2, 0.2);
      c->body[i].start.position[axis] += away;
      c->body[i].end.position[axis] += c->fixed[i] ? away : 0.4 * away;
    }
}

static void poses_sampled_densely_agree(void **unused) {
  (void)unused;
  enum { SAMPLES = 48 };
  uint64_t state = test_seed(95);
  toi_context *context = test_context(1);
  size_t hits = 0, misses = 0;
  static rigid_case c;
  for (uint64_t round = 0; round < test_count(40); round++) {
    draw(context, &state, CASE_RANDOM, &c);
    spread(&c, &state);
    toi_options options = toi_default_options();
    options.min_separation = case_between(&state, 0.01, 0.3);
    toi_rigid_scene *scene = rigid_scene_of(context, &c);
    toi_rigid_impact impact;
    assert_int_equal(toi_rigid_scene_step(scene, c.body, c.count, &options, &impact), TOI_OK);
    const bool miss = impact.hit.verdict == TOI_MISS;
    // Never closer before t_lo; as close at t_hi, loose points and edges aside, which least_at() leaves out.
    for (int k = 0; k <= SAMPLES && (miss || impact.hit.t_lo > 0); k++) {
      const double t = (double)k / SAMPLES * (miss ? 1 : impact.hit.t_lo);
      if (!(least_at(&c, t) >= options.min_separation - 1e-9))
        fail_msg("round %d: at t = %.17g bodies are %.17g apart", (int)round, t, least_at(&c, t));
    }
    if (impact.hit.verdict == TOI_HIT && impact.kind <= TOI_EDGE_EDGE)
      assert_true(least_at(&c, impact.hit.t_hi) <= options.min_separation + 1e-9);
    hits += !miss;
    misses += miss;
    toi_rigid_scene_destroy(scene);
  }
  print_message("%zu hits, %zu misses\n", hits, misses);
  assert_true((hits > 0 && misses > 0) || test_count(40) < 40);
  toi_context_destroy(context);
}

static void clearances_hold_at_sampled_poses(void **unused) {
  (void)unused;
  enum { SAMPLES = 64 };
  uint64_t state = test_seed(97);
  toi_context *context = test_context(1);
  static rigid_case c;
  size_t apart = 0;
  for (uint64_t round = 0; round < test_count(12); round++) {
    draw(context, &state, CASE_RANDOM, &c);
    spread(&c, &state);
    toi_rigid_scene *scene = rigid_scene_of(context, &c);
    toi_options options = toi_default_options();
    toi_rigid_clearance clearance;
    options.tolerance = 1e-3;
    assert_int_equal(toi_rigid_scene_clearance(scene, c.body, c.count, 2, &options, &clearance), TOI_OK);
    const toi_rigid_impact *closest = &clearance.closest;
    assert_true(clearance.lo <= clearance.hi);
    if (isinf(clearance.hi)) {
      assert_true(clearance.lo == 2 && closest->hit.verdict == TOI_MISS);
    } else {
      assert_true(clearance.hi - clearance.lo <= 1e-3 * clearance.hi);
      assert_int_equal(closest->hit.verdict, TOI_HIT);
      if (clearance.hi > 0 && closest->kind <= TOI_EDGE_EDGE)
        assert_true(least_at(&c, closest->hit.t_hi) <= clearance.hi + 1e-9);
    }
    for (int k = 0; k <= SAMPLES && clearance.lo > 0; k++)
      assert_true(least_at(&c, (double)k / SAMPLES) >= clearance.lo - 1e-9);
    apart += clearance.lo > 0 && clearance.lo < 2;
    toi_rigid_scene_destroy(scene);
  }
  assert_true(apart > 0 || test_count(12) < 12);
  toi_context_destroy(context);
}

static void safe_steps_follow_the_law(void **unused) {
  (void)unused;
  uint64_t state = test_seed(96);
  toi_context *context = test_context(1);
  static rigid_case c;
  size_t cut = 0;
  for (uint64_t round = 0; round < test_count(30); round++) {
    draw(context, &state, CASE_RANDOM, &c);
    spread(&c, &state);
    toi_rigid_scene *scene = rigid_scene_of(context, &c);
    toi_options options = toi_default_options();
    options.min_separation = round % 2 == 0 ? 0.05 : 0;
    toi_rigid_advance advance;
    toi_rigid_impact again;
    toi_pose poses[RIGID_BODIES];
    assert_int_equal(toi_rigid_scene_advance(scene, c.body, c.count, &options, poses, &advance), TOI_OK);
    const toi_hit *first = &advance.first.hit;
    if (advance.step > 0) {
      assert_true(advance.step >= 0.99 * (first->verdict == TOI_MISS ? 1 : first->t_lo));
      for (size_t i = 0; i < c.count; i++) {
        // The pose is where the law says.
        double q[4], position[3], own[4], dot = 0;
        pose_at(&c.body[i], advance.step, q, position);
        unit(poses[i].quaternion, own);
        for (int k = 0; k < 4; k++)
          dot += q[k] * own[k];
        assert_true(fabs(fabs(dot) - 1) < 1e-12);
        for (int k = 0; k < 3; k++)
          assert_true(fabs(poses[i].position[k] - position[k]) < 1e-9);
        c.body[i].end = poses[i];
      }
      assert_int_equal(toi_rigid_scene_step(scene, c.body, c.count, &options, &again), TOI_OK);
      assert_int_equal(again.hit.verdict, TOI_MISS);
      cut += first->verdict != TOI_MISS;
    } else {
      assert_true(first->t_lo == 0);
    }
    toi_rigid_scene_destroy(scene);
  }
  assert_true(cut > 0 || test_count(30) < 30);
  toi_context_destroy(context);
}

static void exact_is_for_rational_motions(void **unused) {
  (void)unused;
  uint64_t state = 3;
  toi_context *context = test_context(1);
  static rigid_case c;
  draw(context, &state, CASE_RANDOM, &c);
  c.fixed[0] = false;
  c.body[0].end.position[0] += 1;
  c.body[0].law = TOI_LAW_SLERP;
  toi_rigid_scene *scene = rigid_scene_of(context, &c);
  toi_options options = toi_default_options();
  toi_rigid_impact impact;
  options.method = "exact";
  assert_int_equal(toi_rigid_scene_step(scene, c.body, c.count, &options, &impact), TOI_ERROR_UNSUPPORTED);
  assert_non_null(strstr(toi_context_error(context), "body 0 turns at a constant rate"));
  for (size_t i = 0; i < c.count; i++)
    c.body[i].law = TOI_LAW_NLERP;
  options.min_separation = 0.1;
  assert_int_equal(toi_rigid_scene_step(scene, c.body, c.count, &options, &impact), TOI_ERROR_UNSUPPORTED);
  options.method = NULL;
  toi_rigid_clearance clearance;
  assert_int_equal(toi_rigid_scene_clearance(scene, c.body, c.count, 1, &options, &clearance), TOI_ERROR_OPTION);
  assert_non_null(strstr(toi_context_error(context), "set it to 0"));
  assert_true(clearance.lo == 0 && isinf(clearance.hi));
  options.min_separation = 0;
  assert_int_equal(toi_rigid_scene_clearance(scene, c.body, c.count, NAN, &options, &clearance), TOI_ERROR_OPTION);
  options.min_separation = 0.1;
  options.norm = TOI_NORM_LINF;
  assert_int_equal(toi_rigid_scene_step(scene, c.body, c.count, &options, &impact), TOI_ERROR_UNSUPPORTED);
  toi_rigid_scene_destroy(scene);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_and_separations_are_those_of_all_pairs),
      cmocka_unit_test(answers_do_not_depend_on_threads),
      cmocka_unit_test(poses_sampled_densely_agree),
      cmocka_unit_test(clearances_hold_at_sampled_poses),
      cmocka_unit_test(safe_steps_follow_the_law),
      cmocka_unit_test(exact_is_for_rational_motions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
