/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes of rigid bodies: first contact and all contacts are those of asking every pair of primitives, bit by bit, on
 * any number of threads; bad input is refused with a sentence, and memory may fail anywhere.
 *
 * The oracle asks toi_moving_pair_query() about all pairs; whether that is right is for test_rotating.c to say. */

#include <stdlib.h>

#include "scene/rigid_cases.h"
#include "scene/rigid_scene.h"

static rigid_list expected, found;

static void print_case(const rigid_case *c) {
  for (size_t i = 0; i < c->count; i++)
    for (int end = 0; end < 2; end++) {
      const toi_pose *p = end ? &c->body[i].end : &c->body[i].start;
      print_message("body %zu: %a %a %a, %a %a %a %a\n", i, p->position[0], p->position[1], p->position[2],
                    p->quaternion[0], p->quaternion[1], p->quaternion[2], p->quaternion[3]);
    }
}

/* The least of the expected contacts by its tightest bracket. */
static toi_rigid_impact first_of(toi_context *context, const rigid_case *c, const toi_options *given) {
  toi_options options = *given;
  toi_rigid_impact best = {.hit = {.verdict = TOI_MISS}};
  double latest = INFINITY;
  for (size_t i = 0; i < expected.count; i++)
    latest = fmin(latest, expected.at[i].hit.t_hi);
  options.method = "exact";
  for (size_t i = 0; i < expected.count; i++) {
    const toi_rigid_impact *at = &expected.at[i];
    const rigid_shape *const shape[2] = {&c->shape[at->bodies[0]], &c->shape[at->bodies[1]]};
    toi_moving_pair *pair;
    if (at->hit.t_lo > latest)
      continue;
    found.count = 0;
    assert_int_equal(toi_moving_pair_create(context, &c->body[at->bodies[0]], &c->body[at->bodies[1]], &pair), TOI_OK);
    rigid_ask(pair, &options, shape, *at, &found);
    toi_moving_pair_destroy(pair);
    const toi_hit *hit = &found.at[0].hit, *other = &best.hit;
    if (other->verdict == TOI_MISS || hit->t_lo < other->t_lo || (hit->t_lo == other->t_lo && hit->t_hi < other->t_hi))
      best = found.at[0];
  }
  return best;
}

static void compare(toi_context *context, const rigid_case *c, double t_max) {
  toi_options options = toi_default_options();
  toi_rigid_scene *scene = rigid_scene_of(context, c);
  const uint32_t ignored = c->count > 2 ? 1 : UINT32_MAX;
  toi_rigid_impact impact;
  options.t_max = t_max;
  if (ignored != UINT32_MAX)
    assert_int_equal(toi_rigid_scene_ignore(scene, 1, 0), TOI_OK);
  assert_int_equal(toi_rigid_scene_step(scene, c->body, c->count, &options, &impact), TOI_OK);
  rigid_brute(context, c, &options, ignored, &expected);
  const toi_rigid_impact best = first_of(context, c, &options);
  if (impact.hit.verdict != best.hit.verdict ||
      (best.hit.verdict == TOI_HIT && memcmp(&impact, &best, sizeof best) != 0))
    print_case(c);
  assert_int_equal(impact.hit.verdict, best.hit.verdict);
  if (best.hit.verdict == TOI_HIT)
    assert_memory_equal(&impact, &best, sizeof best);

  found.count = 0;
  assert_int_equal(toi_rigid_scene_collisions(scene, c->body, c->count, &options, rigid_keep, &found), TOI_OK);
  if (found.count != expected.count)
    print_case(c);
  assert_int_equal(found.count, expected.count);
  assert_memory_equal(found.at, expected.at, found.count * sizeof found.at[0]);
  toi_rigid_scene_destroy(scene);
}

static void contacts_are_those_of_all_pairs(void **unused) {
  (void)unused;
  uint64_t state = test_seed(91);
  toi_context *context = test_context(2);
  size_t hits = 0, misses = 0;
  static rigid_case c;
  for (uint64_t round = 0; round < test_count(300); round++) {
    rigid_random(context, &state, (int)(round % CASE_STYLES), &c);
    compare(context, &c, round % 3 == 0 ? case_between(&state, 0, 1) : 1);
    hits += found.count > 0;
    misses += found.count == 0;
  }
  assert_true(hits > 0 && (misses > 0 || test_count(300) < 60));
  toi_context_destroy(context);
}

static void magnitudes_do_not_matter(void **unused) {
  (void)unused;
  uint64_t state = test_seed(92);
  toi_context *context = test_context(1);
  static rigid_case c;
  for (uint64_t round = 0; round < test_count(5); round++) {
    rigid_random(context, &state, CASE_WIDE, &c);
    const int length = (int)(test_random(&state) % 1900) - 950, other = (int)(test_random(&state) % 1900) - 950;
    for (size_t i = 0; i < c.count; i++) {
      for (int v = 0; v < RIGID_VERTICES; v++)
        for (int axis = 0; axis < 3; axis++)
          c.shape[i].vertices[v][axis] = ldexp(c.shape[i].vertices[v][axis], round % 4 == 3 && i == 0 ? 0 : length);
      for (int axis = 0; axis < 3; axis++) {
        c.body[i].start.position[axis] = ldexp(c.body[i].start.position[axis], length);
        c.body[i].end.position[axis] = ldexp(c.body[i].end.position[axis], length);
      }
      for (int k = 0; k < 4; k++) {
        c.body[i].start.quaternion[k] = ldexp(c.body[i].start.quaternion[k], other);
        c.body[i].end.quaternion[k] = ldexp(c.body[i].end.quaternion[k], round % 2 || c.fixed[i] ? other : -other);
      }
    }
    compare(context, &c, 1);
  }
  toi_context_destroy(context);
}

static void answers_do_not_depend_on_threads(void **unused) {
  (void)unused;
  static rigid_list first;
  static rigid_case c;
  for (uint32_t threads = 1; threads <= 4; threads += 3) {
    uint64_t state = 5;
    toi_context *context = test_context(threads);
    first.count = 0;
    for (int round = 0; round < 12; round++) {
      rigid_random(context, &state, CASE_GRID, &c);
      toi_rigid_scene *scene = rigid_scene_of(context, &c);
      const toi_options options = toi_default_options();
      toi_rigid_impact impact;
      assert_int_equal(toi_rigid_scene_step(scene, c.body, c.count, &options, &impact), TOI_OK);
      rigid_list *to = threads == 1 ? &expected : &first;
      to->count = round == 0 ? 0 : to->count;
      assert_int_equal(rigid_keep(to, &impact, 1), TOI_OK);
      toi_rigid_scene_destroy(scene);
    }
    toi_context_destroy(context);
  }
  assert_memory_equal(expected.at, first.at, 12 * sizeof first.at[0]);
}

/* --- safe steps --- */

static void written_poses_are_free(void **unused) {
  (void)unused;
  uint64_t state = test_seed(93);
  toi_context *context = test_context(2);
  static rigid_case c;
  size_t cut = 0;
  for (uint64_t round = 0; round < test_count(40); round++) {
    rigid_random(context, &state, round % 2 ? CASE_MIXED : (int)(round % CASE_STYLES), &c);
    toi_rigid_scene *scene = rigid_scene_of(context, &c);
    toi_options options = toi_default_options();
    toi_rigid_advance advance;
    toi_rigid_impact impact;
    toi_pose poses[RIGID_BODIES];
    options.t_max = round % 5 == 0 ? 0.7 : 1;
    assert_int_equal(toi_rigid_scene_step(scene, c.body, c.count, &options, &impact), TOI_OK);
    assert_int_equal(toi_rigid_scene_advance(scene, c.body, c.count, &options, poses, &advance), TOI_OK);
    assert_memory_equal(&advance.first, &impact, sizeof impact);
    const bool hit = impact.hit.verdict == TOI_HIT;
    if (hit && impact.hit.t_lo == 0) {
      assert_true(advance.step == 0);
    } else {
      assert_true(advance.step >= 0.99 * (hit ? impact.hit.t_lo : options.t_max));
      assert_true(!hit || advance.step < impact.hit.t_lo);
      // Asked anew, pair by pair: nothing touches on the way to those poses, nor there.
      for (size_t i = 0; i < c.count; i++)
        c.body[i].end = poses[i];
      options.t_max = 1;
      rigid_brute(context, &c, &options, UINT32_MAX, &expected);
      assert_int_equal(expected.count, 0);
      cut += hit;
    }
    toi_rigid_scene_destroy(scene);
  }
  assert_true(cut > 0 || test_count(40) < 40);
  toi_context_destroy(context);
}

/* --- what a tree takes --- */

/* --- memory --- */

enum { LAYERS = 60 };

/* Points that fall through layers of faces: every point meets every face. */
static void make_layers(toi_context *context, toi_rigid_scene **scene) {
  static double points[LAYERS][3], corners[LAYERS][3][3];
  static uint32_t faces[LAYERS][3];
  for (int i = 0; i < LAYERS; i++) {
    points[i][0] = 0.01 * i;
    for (int k = 0; k < 3; k++) {
      corners[i][k][0] = k == 0 ? -9 : k == 1 ? 9 : 0;
      corners[i][k][1] = k == 2 ? 18 : -9;
      corners[i][k][2] = -1 - 0.1 * i;
      faces[i][k] = (uint32_t)(3 * i + k);
    }
  }
  const toi_mesh loose = {.size = sizeof loose, .start = points, .vertex_count = LAYERS};
  const toi_mesh layers = {.size = sizeof layers,
                           .start = corners,
                           .vertex_count = 3 * (size_t)LAYERS,
                           .faces = (const uint32_t(*)[3])faces,
                           .face_count = LAYERS};
  assert_int_equal(toi_rigid_scene_create(context, scene), TOI_OK);
  assert_int_equal(toi_rigid_scene_add(*scene, &loose, false, NULL), TOI_OK);
  assert_int_equal(toi_rigid_scene_add(*scene, &layers, true, NULL), TOI_OK);
}

typedef struct seen {
  size_t count;
  toi_rigid_impact last;
  double sum; /* of times and numbers, so that lists are compared */
} seen;

static toi_status see(void *user, const toi_rigid_impact *impacts, size_t count) {
  seen *all = user;
  for (size_t i = 0; i < count; i++) {
    assert_true(all->count == 0 || rigid_compare(&all->last, &impacts[i]) < 0);
    all->last = impacts[i];
    all->count++;
    all->sum += (double)all->count * (impacts[i].hit.t_lo + impacts[i].pair.first + 1000.0 * impacts[i].pair.second);
  }
  return TOI_OK;
}

static void contacts_need_not_fit_in_memory(void **unused) {
  (void)unused;
  seen all[3] = {{0}};
  toi_counters counters[3];
  memset(counters, 0, sizeof counters);
  for (size_t i = 0; i < 3; i++) {
    toi_context_options settings = toi_default_context_options();
    settings.threads = i == 1 ? 1 : 3;
    settings.memory_budget = i == 0 ? 0 : 1u << 20;
    toi_context *context;
    toi_rigid_scene *scene;
    toi_moving_body bodies[2];
    toi_options options = toi_default_options();
    options.counters = &counters[i];
    assert_int_equal(toi_context_create(&settings, &context), TOI_OK);
    make_layers(context, &scene);
    for (size_t b = 0; b < 2; b++)
      toi_moving_body_init(&bodies[b], sizeof bodies[b]);
    bodies[0].end.position[2] = -10;
    assert_int_equal(toi_rigid_scene_collisions(scene, bodies, 2, &options, see, &all[i]), TOI_OK);
    assert_true(toi_context_bytes(context) <= 1u << 20 || i == 0);
    toi_rigid_scene_destroy(scene);
    toi_context_destroy(context);
  }
  assert_int_equal(all[0].count, LAYERS * LAYERS);
  for (size_t i = 1; i < 3; i++) {
    assert_int_equal(all[i].count, all[0].count);
    assert_true(all[i].sum == all[0].sum);
    assert_int_equal(counters[i].queries, counters[0].queries);
  }
}

static void tree_takes_at_most_40_bytes_per_primitive(void **unused) {
  (void)unused;
  enum { SIDE = 60 };
  static double vertices[SIDE * SIDE][3];
  static uint32_t faces[2 * (SIDE - 1) * (SIDE - 1)][3];
  size_t count = 0;
  for (uint32_t i = 0; i < SIDE; i++)
    for (uint32_t j = 0; j < SIDE; j++) {
      const uint32_t at = i * SIDE + j;
      vertices[at][0] = i;
      vertices[at][1] = j;
      vertices[at][2] = sin(0.2 * i) * cos(0.3 * j);
      if (i + 1 < SIDE && j + 1 < SIDE) {
        memcpy(faces[count++], (const uint32_t[]){at, at + 1, at + SIDE}, sizeof faces[0]);
        memcpy(faces[count++], (const uint32_t[]){at + 1, at + SIDE + 1, at + SIDE}, sizeof faces[0]);
      }
    }
  const toi_mesh mesh = {
      .start = vertices, .vertex_count = SIDE * SIDE, .faces = (const uint32_t(*)[3])faces, .face_count = count};
  toi_context *context = test_context(1);
  toi_rigid_scene *scene;
  assert_int_equal(toi_rigid_scene_create(context, &scene), TOI_OK);
  assert_int_equal(toi_rigid_scene_add(scene, &mesh, false, NULL), TOI_OK);
  const toi_rigid_part *part = &scene->parts[0];
  assert_true(toi_body_tree_bytes(&part->tree) + count * sizeof *part->owned <= 40 * count);
  // Every vertex and every edge has one owner.
  size_t corners = 0, sides = 0;
  for (size_t i = 0; i < count; i++) {
    corners += (size_t)__builtin_popcount(part->owned[i] & 7u);
    sides += (size_t)__builtin_popcount(part->owned[i] >> 3);
  }
  assert_int_equal(corners, part->vertex_count);
  assert_int_equal(sides, part->edge_count);
  toi_rigid_scene_destroy(scene);
  toi_context_destroy(context);
}

/* --- what is refused --- */

static const double triangle[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const uint32_t one_face[1][3] = {{0, 1, 2}};
static const toi_mesh simple = {.start = triangle, .vertex_count = 3, .faces = one_face, .face_count = 1};

static toi_rigid_scene *two_triangles(toi_context *context, toi_moving_body bodies[2]) {
  toi_rigid_scene *scene;
  assert_int_equal(toi_rigid_scene_create(context, &scene), TOI_OK);
  for (int i = 0; i < 2; i++) {
    toi_moving_body_init(&bodies[i], sizeof bodies[i]);
    assert_int_equal(toi_rigid_scene_add(scene, &simple, false, NULL), TOI_OK);
  }
  bodies[0].start.position[2] = 1;
  bodies[0].end.position[2] = -1;
  return scene;
}

static void expect_refusal(toi_context *context, toi_status status, toi_status expected_status, const char *words) {
  assert_int_equal(status, expected_status);
  if (strstr(toi_context_error(context), words) == NULL)
    print_message("said: %s\n", toi_context_error(context));
  assert_non_null(strstr(toi_context_error(context), words));
}

static void bad_bodies_are_refused(void **unused) {
  (void)unused;
  toi_context *context = test_context(1);
  toi_moving_body bodies[2];
  toi_rigid_scene *scene = two_triangles(context, bodies);
  const toi_options options = toi_default_options();
  toi_rigid_impact impact;
  assert_int_equal(toi_rigid_scene_step(scene, bodies, 2, &options, &impact), TOI_OK);
  assert_int_equal(impact.hit.verdict, TOI_HIT);
  assert_true(impact.hit.t_lo == 0.5);

  toi_moving_body bad[2] = {bodies[0], bodies[1]};
  memset(bad[1].end.quaternion, 0, sizeof bad[1].end.quaternion);
  expect_refusal(context, toi_rigid_scene_step(scene, bad, 2, &options, &impact), TOI_ERROR_INPUT, "body 1");
  assert_int_equal(impact.hit.verdict, TOI_NEAR);
  assert_true(impact.hit.t_safe == 0);
  bad[1] = bodies[1];
  bad[0].start.position[1] = NAN;
  expect_refusal(context, toi_rigid_scene_step(scene, bad, 2, &options, &impact), TOI_ERROR_INPUT, "body 0");
  expect_refusal(context, toi_rigid_scene_step(scene, bodies, 1, &options, &impact), TOI_ERROR_INPUT,
                 "motions of 1 bodies");
  expect_refusal(context, toi_rigid_scene_step(scene, NULL, 2, &options, &impact), TOI_ERROR_INPUT, "bodies is NULL");
  expect_refusal(context, toi_rigid_scene_collisions(scene, bodies, 2, &options, NULL, NULL), TOI_ERROR_INPUT,
                 "visit is NULL");
  expect_refusal(context, toi_rigid_scene_ignore(scene, 0, 2), TOI_ERROR_INPUT, "different numbers below 2");
  expect_refusal(context, toi_rigid_scene_ignore(scene, 1, 1), TOI_ERROR_INPUT, "different numbers below 2");
  toi_options other = options;
  other.method = "cubic";
  expect_refusal(context, toi_rigid_scene_step(scene, bodies, 2, &other, &impact), TOI_ERROR_UNSUPPORTED, "cubic");
  toi_rigid_scene_destroy(scene);
  toi_context_destroy(context);
}

static void bad_meshes_are_refused(void **unused) {
  (void)unused;
  toi_context *context = test_context(1);
  toi_moving_body bodies[2];
  toi_rigid_scene *scene = two_triangles(context, bodies);
  const toi_mesh empty = {.start = triangle};
  expect_refusal(context, toi_rigid_scene_add(scene, &empty, false, NULL), TOI_ERROR_INPUT, "no primitives");
  const uint32_t beyond[1][3] = {{0, 1, 3}};
  toi_mesh bad = simple;
  bad.faces = beyond;
  expect_refusal(context, toi_rigid_scene_add(scene, &bad, false, NULL), TOI_ERROR_INPUT, "names vertex 3");
  const double infinite[3][3] = {{0, 0, 0}, {1, INFINITY, 0}, {0, 1, 0}};
  bad = simple;
  bad.start = infinite;
  expect_refusal(context, toi_rigid_scene_add(scene, &bad, false, NULL), TOI_ERROR_INPUT, "vertex 1: coordinate y");
  const double thickness[3] = {1, 1, 1};
  bad = simple;
  bad.thickness = thickness;
  expect_refusal(context, toi_rigid_scene_add(scene, &bad, false, NULL), TOI_ERROR_UNSUPPORTED, "thickness");
  expect_refusal(context, toi_rigid_scene_add(scene, NULL, false, NULL), TOI_ERROR_INPUT, "");

  // A body that is fixed rests.
  uint32_t number;
  assert_int_equal(toi_rigid_scene_add(scene, &simple, true, &number), TOI_OK);
  assert_int_equal(number, 2);
  toi_moving_body three[3] = {bodies[0], bodies[1], bodies[0]};
  const toi_options options = toi_default_options();
  toi_rigid_impact impact;
  expect_refusal(context, toi_rigid_scene_step(scene, three, 3, &options, &impact), TOI_ERROR_INPUT, "body 2 is fixed");
  toi_rigid_scene_destroy(scene);
  toi_rigid_scene_destroy(NULL);
  toi_context_destroy(context);
}

static void half_turns_go_the_way_of_the_integers(void **unused) {
  (void)unused;
  // q0 . q1 is -2^-80 exactly, 0 in doubles: the shorter way is the other one.
  toi_context *context = test_context(1);
  static rigid_case c;
  memset(&c, 0, sizeof c);
  c.count = 2;
  uint64_t state = 3;
  for (int round = 0; round < 4; round++) {
    for (int i = 0; i < 2; i++) {
      rigid_make_shape(context, &state, CASE_RANDOM, &c.shape[i]);
      toi_moving_body_init(&c.body[i], sizeof c.body[i]);
    }
    const double tiny = round % 2 ? 0x1p-40 : -0x1p-40;
    c.body[0].start.quaternion[1] = tiny;
    c.body[0].end.quaternion[0] = round % 4 < 2 ? 0x1p-40 : 0;
    c.body[0].end.quaternion[1] = -1;
    compare(context, &c, 1);
  }
  toi_context_destroy(context);
}

/* Makes a scene and asks it; whatever is refused, nothing is lost. */
static toi_status make_and_ask(toi_context *context, const rigid_case *c, toi_rigid_impact *impact) {
  const toi_options options = toi_default_options();
  toi_rigid_scene *scene;
  toi_status status = toi_rigid_scene_create(context, &scene);
  for (size_t i = 0; i < c->count && status == TOI_OK; i++)
    status = toi_rigid_scene_add(scene, &c->shape[i].mesh, c->fixed[i], NULL);
  if (status == TOI_OK)
    status = toi_rigid_scene_ignore(scene, 0, 1);
  if (status == TOI_OK)
    status = toi_rigid_scene_step(scene, c->body, c->count, &options, impact);
  found.count = 0;
  if (status == TOI_OK)
    status = toi_rigid_scene_collisions(scene, c->body, c->count, &options, rigid_keep, &found);
  toi_rigid_scene_destroy(scene);
  return status;
}

static void each_allocation_may_fail(void **unused) {
  (void)unused;
  uint64_t state = 17;
  static rigid_case c;
  toi_context *plain = test_context(1);
  do
    rigid_random(plain, &state, CASE_RANDOM, &c);
  while (c.count < 3);
  toi_context_destroy(plain);
  bool finished = false;
  for (uint64_t refused = 0; !finished; refused++) {
    test_allocator allocator = {.refuse_at = 0};
    toi_context *context = test_context_on(&allocator);
    allocator.refuse_at = allocator.calls + refused + 1;
    toi_rigid_impact impact = {.hit = {.verdict = TOI_HIT}};
    const toi_status status = make_and_ask(context, &c, &impact);
    assert_true(status == TOI_OK || status == TOI_ERROR_MEMORY);
    finished = status == TOI_OK;
    toi_context_destroy(context);
    assert_int_equal(allocator.blocks, 0);
    assert_int_equal(allocator.wrong_sizes, 0);
    assert_true(refused < 4000);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_are_those_of_all_pairs),
      cmocka_unit_test(magnitudes_do_not_matter),
      cmocka_unit_test(answers_do_not_depend_on_threads),
      cmocka_unit_test(written_poses_are_free),
      cmocka_unit_test(contacts_need_not_fit_in_memory),
      cmocka_unit_test(tree_takes_at_most_40_bytes_per_primitive),
      cmocka_unit_test(bad_bodies_are_refused),
      cmocka_unit_test(bad_meshes_are_refused),
      cmocka_unit_test(half_turns_go_the_way_of_the_integers),
      cmocka_unit_test(each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
