/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* All pairs that meet in one state of a mesh: by hand, random small meshes against all pairs in exact arithmetic
 * (intersection_oracle.h), which may be believed everywhere, and one larger mesh in every way of working. */

#include <stdlib.h>
#include <string.h>

#include "scene/intersection_oracle.h"
#include "scene/meshes.h"
#include "scene/shapes.h"

/* What a visitor saw. */
typedef struct seen {
  toi_crossing *pairs;
  size_t count, room;
  size_t stop_after; /* 0: never */
  size_t batches;
} seen;

static toi_status see(void *user, const toi_crossing *crossings, size_t count) {
  seen *all = user;
  assert_true(count > 0);
  all->batches++;
  if (all->count + count > all->room) {
    all->room = 2 * (all->count + count);
    all->pairs = realloc(all->pairs, all->room * sizeof *all->pairs);
    assert_non_null(all->pairs);
  }
  memcpy(all->pairs + all->count, crossings, count * sizeof *crossings);
  all->count += count;
  return all->stop_after > 0 && all->count >= all->stop_after ? TOI_ERROR_CANCELLED : TOI_OK;
}

static void forget(seen *all) {
  free(all->pairs);
  *all = (seen){0};
}

static seen ask(toi_context *context, const toi_mesh *mesh, const toi_options *options) {
  seen all = {0};
  if (toi_mesh_crossings(context, mesh, options, see, &all) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  return all;
}

/* Byte by byte: reserved room is zero. */
static bool same(const toi_crossing *a, size_t a_count, const toi_crossing *b, size_t b_count) {
  return a_count == b_count && (a_count == 0 || memcmp(a, b, a_count * sizeof *a) == 0);
}

static void expect(shape *s, const toi_crossing *want, size_t count) {
  toi_mesh mesh = mesh_of(s);
  toi_context *context = test_context(2);
  toi_options options = toi_default_options();
  seen all = ask(context, &mesh, &options);
  if (!same(all.pairs, all.count, want, count)) {
    for (size_t i = 0; i < all.count; i++)
      print_error("%d %d %u %u\n", all.pairs[i].crossing, (int)all.pairs[i].kind, all.pairs[i].pair.first,
                  all.pairs[i].pair.second);
    fail_msg("these %zu pairs meet; %zu others should", all.count, count);
  }
  forget(&all);
  toi_context_destroy(context);
}

/* --- by hand --- */

static void two_faces_that_cross_show_both_edges(void **unused) {
  (void)unused;
  shape s = {0};
  add_triangle(&s, floor_face);
  add_triangle(&s, (double[9]){1, 1, -1, 1, 1, 1, 2, 9, 0});
  // Edges are 01, 02, 12, 34, 35, 45. 34 passes through face 0, 12 through face 1.
  expect(&s, (const toi_crossing[]){{.crossing = 1, .pair = {2, 1}}, {.crossing = 1, .pair = {3, 0}}}, 2);
  // The corner 5 within the outline of face 0: it lies in the face.
  s.points[5][0] = 2;
  s.points[5][1] = 2;
  expect(&s, (const toi_crossing[]){{.crossing = 1, .pair = {3, 0}}, {.kind = TOI_VERTEX_FACE, .pair = {5, 0}}}, 2);
  // All of it above.
  s.points[3][2] = s.points[5][2] = 1;
  expect(&s, NULL, 0);
}

static void crossings_come_before_contacts(void **unused) {
  (void)unused;
  shape s = {0};
  add_triangle(&s, floor_face);
  add_segment(&s, (double[6]){1, 0, -1, 1, 0, 1}); // over the side 01
  add_segment(&s, (double[6]){2, 2, -1, 2, 2, 1}); // through the face
  add_point(&s, 1, 0, 0.5);                        // on the first segment
  add_point(&s, 1, 0, 0.5);
  const toi_crossing want[] = {{.crossing = 1, .pair = {4, 0}},
                               {.kind = TOI_EDGE_EDGE, .pair = {0, 3}},
                               {.kind = TOI_VERTEX_EDGE, .pair = {7, 3}},
                               {.kind = TOI_VERTEX_EDGE, .pair = {8, 3}},
                               {.kind = TOI_VERTEX_VERTEX, .pair = {7, 8}}};
  expect(&s, want, sizeof want / sizeof want[0]);
}

/* Faces that have vertices in common and meet elsewhere too: see the third claim of crossing.c. */
static void neighbours_that_meet_elsewhere_are_seen(void **unused) {
  (void)unused;
  shape s = {0};
  add_triangle(&s, floor_face);
  // At vertex 0, and through the face from there: the side 34 crosses it.
  uint32_t a = add_point(&s, 3, 1, 1), b = add_point(&s, 1, 3, -1);
  add_face(&s, 0, a, b);
  expect(&s, (const toi_crossing[]){{.crossing = 1, .pair = {5, 0}}}, 1);
  // Along the edge 01, folded onto the face.
  s = (shape){0};
  add_triangle(&s, floor_face);
  add_face(&s, 0, 1, add_point(&s, 1, 9, 0));
  expect(&s, (const toi_crossing[]){{.kind = TOI_EDGE_EDGE, .pair = {2, 3}}}, 1);
}

/* --- random meshes --- */

static void random_meshes_agree_with_all_pairs(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1);
  toi_context *context = test_context(2);
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  toi_crossing room[4096];
  size_t crossings = 0, contacts[TOI_KIND_COUNT] = {0}, several = 0;
  for (uint64_t round = 0; round < test_count_from(3000, 150); round++) {
    shape s = {0};
    draw_shape(&state, &s);
    toi_mesh mesh = mesh_of(&s);
    oracle_list want = {.pairs = room, .room = sizeof room / sizeof room[0]};
    memset(room, 0, sizeof room);
    oracle_every(&mesh, &want);
    assert_true(want.count < want.room);
    on_mesh.broad = toi_broad_name(round % 4);
    seen all = ask(context, &mesh, &options);
    if (!same(all.pairs, all.count, want.pairs, want.count))
      fail_msg("round %llu: %zu pairs, all pairs say %zu", (unsigned long long)round, all.count, want.count);
    // The first one is that of toi_mesh_intersects().
    toi_intersection first;
    assert_int_equal(toi_mesh_intersects(context, &mesh, &options, &first), TOI_OK);
    assert_int_equal(first.found, all.count > 0);
    if (first.found)
      assert_true(first.crossing == all.pairs[0].crossing && first.kind == all.pairs[0].kind &&
                  first.pair.first == all.pairs[0].pair.first && first.pair.second == all.pairs[0].pair.second);
    several += all.count > 1;
    for (size_t i = 0; i < all.count; i++)
      *(all.pairs[i].crossing ? &crossings : &contacts[all.pairs[i].kind]) += 1;
    forget(&all);
  }
  toi_context_destroy(context);
  print_message("%zu crossings, contacts %zu %zu %zu %zu; %zu meshes with several\n", crossings, contacts[0],
                contacts[1], contacts[2], contacts[3], several);
  assert_true(crossings > 0 && several > 0);
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    assert_true(contacts[kind] > 0);
}

/* --- a larger mesh --- */

/* Two sheets in one plane, one turned a little off the grid of the other, and a ball through both. */
static made_mesh *make_sheets(uint32_t n) {
  made_mesh *m = made_new();
  made_grid(m, n, 1, (const double[3]){0, 0, 0});
  made_grid(m, n, 0.75, (const double[3]){0.125, 0.25, 0});
  made_ball(m, 8, 4, (const double[3]){0.3, 0.1, 0.7});
  made_finish(m);
  return m;
}

static void any_budget_threads_and_broad_phase_give_the_same_bits(void **unused) {
  (void)unused;
  made_mesh *m = make_sheets(TEST_SANITIZED ? 14 : 20);
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  toi_work work;
  on_mesh.work = &work;
  toi_context *context = test_context(1);
  seen want = ask(context, &mesh, &options);
  toi_context_destroy(context);
  assert_int_equal(work.passes, 1);
  assert_true(want.count > 1000 && want.pairs[0].crossing);
  uint32_t most_passes = 0;
  bool failed = false;
  for (uint64_t budget = 16 << 20; !failed; budget -= budget / 4)
    for (uint32_t threads = 1; threads <= 3; threads++) {
      test_allocator allocator = {0};
      toi_context_options made = test_context_options(&allocator, threads);
      made.memory_budget = budget;
      if (toi_context_create(&made, &context) != TOI_OK) {
        failed = true;
        continue;
      }
      on_mesh.broad = toi_broad_name(threads);
      seen all = {0};
      toi_status status = toi_mesh_crossings(context, &mesh, &options, see, &all);
      // Where the budget does not do, the sentence says so, and what was seen is a beginning of the whole.
      if (status != TOI_OK) {
        assert_int_equal(status, TOI_ERROR_MEMORY);
        assert_non_null(strstr(toi_context_error(context), "memory"));
        failed = true;
      }
      assert_true(status == TOI_OK ? all.count == want.count : all.count < want.count);
      assert_true(same(all.pairs, all.count, want.pairs, all.count));
      most_passes = status == TOI_OK && work.passes > most_passes ? work.passes : most_passes;
      forget(&all);
      toi_context_destroy(context);
      assert_int_equal(allocator.blocks, 0);
    }
  print_message("%zu pairs, in up to %u passes\n", want.count, most_passes);
  assert_true(most_passes > 4);
  forget(&want);
  free(m);
}

static void a_visitor_stops_it(void **unused) {
  (void)unused;
  made_mesh *m = make_sheets(8);
  toi_mesh mesh = made_as(m, TOI_FLOAT32);
  toi_options options = toi_default_options();
  toi_context *context = test_context(2);
  seen all = {.stop_after = 1};
  assert_int_equal(toi_mesh_crossings(context, &mesh, &options, see, &all), TOI_ERROR_CANCELLED);
  assert_int_equal(all.batches, 1);
  forget(&all);
  toi_context_destroy(context);
  free(m);
}

/* --- rules and bad input --- */

static bool refuse_face_0(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  (void)user;
  (void)first;
  return kind != TOI_VERTEX_FACE || second != 0;
}

static void rules_skip_pairs(void **unused) {
  (void)unused;
  shape s = {0};
  add_triangle(&s, floor_face);
  add_segment(&s, (double[6]){1, 1, -1, 1, 1, 1});
  add_segment(&s, (double[6]){2, 2, 0, 2, 2, 1});
  toi_mesh mesh = mesh_of(&s);
  mesh.thickness = (const double[7]){1, 1, 1, 1, 1, 1, 1};
  toi_context *context = test_context(1);
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  options.min_separation = 3;
  seen all = ask(context, &mesh, &options);
  assert_int_equal(all.count, 2);
  forget(&all);
  mesh.fixed = (const uint8_t[7]){1, 1, 1, 1, 1, 0, 0};
  all = ask(context, &mesh, &options);
  assert_true(all.count == 1 && !all.pairs[0].crossing && all.pairs[0].pair.first == 5);
  forget(&all);
  mesh.fixed = NULL;
  on_mesh.may_collide = refuse_face_0;
  all = ask(context, &mesh, &options);
  assert_int_equal(all.count, 0);
  forget(&all);
  toi_context_destroy(context);
}

static void expect_error(const toi_mesh *mesh, const toi_options *options, toi_crossings_visitor visit,
                         toi_status status, const char *word) {
  toi_context *context = test_context(2);
  seen all = {0};
  assert_int_equal(toi_mesh_crossings(context, mesh, options, visit, &all), status);
  assert_non_null(strstr(toi_context_error(context), word));
  assert_int_equal(all.count, 0);
  toi_context_destroy(context);
}

static void bad_input_is_said(void **unused) {
  (void)unused;
  shape s = {0};
  add_triangle(&s, floor_face);
  add_segment(&s, (double[6]){1, 1, -1, 1, 1, 1});
  toi_mesh mesh = mesh_of(&s);
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  expect_error(&mesh, &options, NULL, TOI_ERROR_INPUT, "visit");
  s.points[4][1] = NAN;
  expect_error(&mesh, &options, see, TOI_ERROR_INPUT, "4");
  s.points[4][1] = 1;
  s.faces[0][2] = 5;
  expect_error(&mesh, &options, see, TOI_ERROR_INPUT, "5");
  s.faces[0][2] = 2;
  expect_error(NULL, &options, see, TOI_ERROR_INPUT, "NULL");
  expect_error(&mesh, NULL, see, TOI_ERROR_OPTION, "options");
  on_mesh.broad = "none such";
  expect_error(&mesh, &options, see, TOI_ERROR_UNSUPPORTED, "none such");
  assert_int_equal(toi_mesh_crossings(NULL, &mesh, &options, see, NULL), TOI_ERROR_INPUT);
}

static void each_allocation_refused_gives_all_pairs_or_an_error(void **unused) {
  (void)unused;
  shape s = {0};
  add_triangle(&s, floor_face);
  add_triangle(&s, (double[9]){1, 1, -1, 1, 1, 1, 2, 2, 0});
  add_point(&s, 5, 5, 5);
  toi_mesh mesh = mesh_of(&s);
  mesh.edges = NULL;
  mesh.edge_count = 0;
  toi_options options = toi_default_options();
  for (int after = 0; after < 2; after++) {
    bool refused = true;
    for (size_t at = 1; refused; at++) {
      test_allocator allocator = {.refuse_after = after};
      toi_context_options made = test_context_options(&allocator, 1);
      toi_context *context = NULL;
      assert_int_equal(toi_context_create(&made, &context), TOI_OK);
      allocator.refuse_at = allocator.calls + at;
      seen all = {0};
      toi_status status = toi_mesh_crossings(context, &mesh, &options, see, &all);
      assert_true(status == TOI_OK ? all.count == 2 : status == TOI_ERROR_MEMORY && all.count <= 2);
      if (status != TOI_OK)
        assert_non_null(strstr(toi_context_error(context), "memory"));
      refused = allocator.calls >= allocator.refuse_at;
      forget(&all);
      toi_context_destroy(context);
      assert_int_equal(allocator.blocks, 0);
      assert_true(at < 1000);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_faces_that_cross_show_both_edges),
      cmocka_unit_test(crossings_come_before_contacts),
      cmocka_unit_test(neighbours_that_meet_elsewhere_are_seen),
      cmocka_unit_test(random_meshes_agree_with_all_pairs),
      cmocka_unit_test(any_budget_threads_and_broad_phase_give_the_same_bits),
      cmocka_unit_test(a_visitor_stops_it),
      cmocka_unit_test(rules_skip_pairs),
      cmocka_unit_test(bad_input_is_said),
      cmocka_unit_test(each_allocation_refused_gives_all_pairs_or_an_error),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  dyadic_free_all();
  return failed;
}
