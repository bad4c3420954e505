/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The rules of broad.h: which pairs are left out, and how far boxes are grown. All methods agree to the pair. Grown
 * boxes are held between an oracle grown a little less and one grown a little more, and against the narrow phase: no
 * pair that comes within the separation is missing. */

#include "broad/pairs.h"
#include "narrow/asking.h"

/* A mixture of everything, a hundred primitives or so. */
static const test_soup mixture = {
    .points = 25, .segments = 25, .triangles = 60, .extent = 1, .size = 0.3, .octaves = 3};

/* A few primitives, for questions to the narrow phase about every pair. */
static const test_soup handful = {.points = 5, .segments = 6, .triangles = 10, .extent = 1, .size = 0.3, .octaves = 3};

/* All methods against the oracle, where boxes are not grown; returns the pairs of all kinds. */
static size_t check_exactly(const toi_mesh *mesh, const toi_options *options) {
  const test_question question = {.mesh = mesh, .options = options, .t_max = 1};
  test_pairs expected = test_oracle(&question);
  test_all_methods(mesh, options, &expected);
  size_t count = 0;
  for (int kind = 0; kind < TOI_COUNTERS; kind++)
    count += expected.count[kind];
  test_pairs_free(&expected);
  return count;
}

static void each_kind_of_loose_primitives(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9101);
  const toi_options options = toi_default_options();
  for (unsigned which = 1; which < 8; which++) {
    test_soup soup = mixture;
    soup.points *= which & 1;
    soup.segments *= which >> 1 & 1;
    soup.triangles *= which >> 2 & 1;
    test_scene scene = test_scene_soup(&soup, &state);
    assert_true(check_exactly(&scene.mesh, &options) > 0);
    test_scene_free(&scene);
  }
}

/* A loose edge may end at a face's vertex, and the edge's vertices are then no loose points. */
static void loose_edges_that_hang_on_faces(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9102);
  const toi_options options = toi_default_options();
  test_scene scene = test_scene_soup(&mixture, &state);
  for (int i = 0; i < 40; i++) {
    const uint32_t a = (uint32_t)(test_random(&state) % scene.mesh.vertex_count);
    const uint32_t b = (uint32_t)(test_random(&state) % scene.mesh.vertex_count);
    if (a != b)
      test_add_edge(&scene, a, b);
  }
  assert_true(check_exactly(&scene.mesh, &options) > 1000);
  test_scene_free(&scene);
}

static void bodies_do_not_meet_themselves(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9103);
  const toi_options options = toi_default_options();
  test_scene scene = test_scene_soup(&mixture, &state);
  uint32_t bodies[400];
  assert_true(scene.mesh.vertex_count <= 400);
  const size_t all = check_exactly(&scene.mesh, &options);
  scene.mesh.bodies = bodies;

  // Vertices of one primitive may even belong to different bodies.
  for (uint32_t count = 1; count <= 4; count++) {
    for (size_t i = 0; i < scene.mesh.vertex_count; i++)
      bodies[i] = test_random(&state) % 8 == 0 ? TOI_NO_BODY : (uint32_t)(i / 12 % count);
    assert_true(check_exactly(&scene.mesh, &options) < all);
  }
  for (size_t i = 0; i < scene.mesh.vertex_count; i++)
    bodies[i] = 3;
  assert_int_equal(check_exactly(&scene.mesh, &options), 0);
  for (size_t i = 0; i < scene.mesh.vertex_count; i++)
    bodies[i] = TOI_NO_BODY;
  assert_int_equal(check_exactly(&scene.mesh, &options), all);
  test_scene_free(&scene);
}

/* Bits that are set with probability 2^-rounds. */
static uint64_t sparse_bits(uint64_t *state, int rounds) {
  uint64_t bits = UINT64_MAX;
  for (int i = 0; i < rounds; i++)
    bits &= test_random(state);
  return bits;
}

/* Random sets of vertices and of pairs of bodies; the diagonal says whether a body meets itself, and what lies below it
 * is not read. */
static void sets_of_vertices_and_of_pairs_of_bodies(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9119);
  const toi_options options = toi_default_options();
  test_scene scene = test_scene_soup(&mixture, &state);
  enum { BODIES = 11 };
  uint32_t bodies[400];
  uint64_t skipped[7], pairs[(BODIES * BODIES + 63) / 64];
  assert_true(scene.mesh.vertex_count <= 400);
  const size_t all = check_exactly(&scene.mesh, &options);
  scene.mesh.body_count = BODIES;
  for (int round = 0; round < 12; round++) {
    for (size_t i = 0; i < scene.mesh.vertex_count; i++)
      bodies[i] = test_random(&state) % 9 == 0 ? TOI_NO_BODY : (uint32_t)(round % 2 ? i / 12 % BODIES : i % BODIES);
    for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++)
      skipped[i] = sparse_bits(&state, 3);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
      pairs[i] = sparse_bits(&state, 2);
    scene.mesh.skipped = round % 3 != 1 ? skipped : NULL;
    scene.mesh.bodies = round % 3 != 2 ? bodies : NULL;
    scene.mesh.body_pairs = round % 3 != 2 ? pairs : NULL;
    const size_t some = check_exactly(&scene.mesh, &options);
    assert_true(0 < some && some < all);
  }
  // All pairs, then none; all vertices.
  scene.mesh.skipped = NULL;
  scene.mesh.bodies = bodies;
  scene.mesh.body_pairs = pairs;
  memset(pairs, 0xff, sizeof pairs);
  assert_int_equal(check_exactly(&scene.mesh, &options), all);
  for (size_t i = 0; i < scene.mesh.vertex_count; i++)
    bodies[i] = (uint32_t)(i % BODIES);
  memset(pairs, 0, sizeof pairs);
  assert_int_equal(check_exactly(&scene.mesh, &options), 0);
  memset(skipped, 0xff, sizeof skipped);
  scene.mesh.body_pairs = NULL;
  scene.mesh.skipped = skipped;
  assert_int_equal(check_exactly(&scene.mesh, &options), 0);
  test_scene_free(&scene);
}

static void fixed_vertices_do_not_meet(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9104);
  const toi_options options = toi_default_options();
  test_scene scene = test_scene_soup(&mixture, &state);
  uint8_t fixed[400] = {0};
  assert_true(scene.mesh.vertex_count <= 400);
  scene.mesh.fixed = fixed;
  const size_t all = check_exactly(&scene.mesh, &options);
  for (size_t i = 0; i < scene.mesh.vertex_count; i++)
    fixed[i] = i % 50 < 30 || test_random(&state) % 4 == 0;
  const size_t some = check_exactly(&scene.mesh, &options);
  assert_true(0 < some && some < all);
  memset(fixed, 1, sizeof(fixed));
  assert_int_equal(check_exactly(&scene.mesh, &options), 0);
  test_scene_free(&scene);
}

/* A choice that depends on the kind and on both numbers. */
static bool choose_some(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  return (first * 7 + second * 3 + (uint32_t)kind) % *(const uint32_t *)user != 0;
}

static void the_caller_chooses(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9105);
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  test_scene scene = test_scene_soup(&mixture, &state);
  const size_t all = check_exactly(&scene.mesh, &options);
  uint32_t modulus = 3;
  on_mesh.may_collide = choose_some;
  on_mesh.may_collide_user = &modulus;
  const size_t some = check_exactly(&scene.mesh, &options);
  assert_true(all / 2 < some && some < all);
  on_mesh.kinds = TOI_KINDS_EDGE_FACE | TOI_KINDS_FACE_FACE;
  assert_true(check_exactly(&scene.mesh, &options) > 100);
  on_mesh.kinds = 0;
  modulus = 1;
  assert_int_equal(check_exactly(&scene.mesh, &options), 0);
  test_scene_free(&scene);
}

/* Every set of kinds of queries, further candidates, and bits that mean nothing. */
static void kinds_are_chosen_by_a_mask(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9118);
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  test_scene scene = test_scene_soup(&mixture, &state);
  const size_t all = check_exactly(&scene.mesh, &options);
  size_t sum = 0;
  for (on_mesh.kinds = 1; on_mesh.kinds < 1u << TOI_KIND_COUNT; on_mesh.kinds++) {
    const size_t some = check_exactly(&scene.mesh, &options);
    sum += (on_mesh.kinds & (on_mesh.kinds - 1)) == 0 ? some : 0;
    assert_true(on_mesh.kinds != (1u << TOI_KIND_COUNT) - 1 || some == all);
  }
  assert_int_equal(sum, all);
  static const uint32_t further[] = {TOI_KINDS_EDGE_FACE,
                                     TOI_KINDS_FACE_FACE,
                                     TOI_KINDS_EVERY_VERTEX_EDGE,
                                     TOI_KINDS_EDGE_FACE | TOI_KINDS_VERTEX_FACE,
                                     TOI_KINDS_EVERY_VERTEX_EDGE | TOI_KINDS_VERTEX_VERTEX,
                                     TOI_KINDS_EVERY_VERTEX_EDGE | TOI_KINDS_VERTEX_EDGE | TOI_KINDS_EDGE_FACE |
                                         TOI_KINDS_FACE_FACE};
  for (size_t i = 0; i < sizeof further / sizeof *further; i++) {
    on_mesh.kinds = further[i];
    assert_true(check_exactly(&scene.mesh, &options) > 100);
  }
  toi_context *const context = test_context(1);
  on_mesh.kinds = 1u << TOI_KIND_COUNT;
  assert_int_equal(toi_candidates(context, &scene.mesh, &options, test_collect, NULL), TOI_ERROR_OPTION);
  assert_non_null(strstr(toi_context_error(context), "kinds is 0x10; "));
  toi_context_destroy(context);
  test_scene_free(&scene);
}

/* Edges that are not given are found, and the rules hold for them as well. */
static void rules_hold_for_edges_that_are_found(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9116);
  const toi_options options = toi_default_options();
  const test_soup soup = {.triangles = 60, .extent = 1, .size = 0.3, .octaves = 3};
  test_scene scene = test_scene_soup(&soup, &state);
  uint32_t bodies[400];
  assert_true(scene.mesh.vertex_count <= 400);
  for (size_t i = 0; i < scene.mesh.vertex_count; i++)
    bodies[i] = (uint32_t)(i / 12 % 3);
  toi_mesh bare = scene.mesh;
  bare.edges = NULL;
  bare.edge_count = 0;
  bare.bodies = bodies;
  toi_context *const context = test_context(1);
  toi_mesh whole = bare;
  uint32_t(*edges)[2];
  assert_int_equal(toi_mesh_edges(context, bare.faces, bare.face_count, NULL, 0, &edges, &whole.edge_count), TOI_OK);
  whole.edges = (const uint32_t(*)[2])edges;
  const test_question question = {.mesh = &whole, .options = &options, .t_max = 1};
  test_pairs expected = test_oracle(&question);
  assert_true(expected.count[TOI_EDGE_EDGE] > 0);
  test_all_methods(&bare, &options, &expected);
  test_pairs_free(&expected);
  toi_mesh_edges_free(context, edges, whole.edge_count);
  toi_context_destroy(context);
  test_scene_free(&scene);
}

/* --- grown boxes --- */

/* What the narrow phase is asked about pairs that are no candidates. */
typedef struct doubt {
  const toi_mesh *mesh;
  const toi_options *options;
  const test_pairs *candidates;
  size_t asked;
} doubt;

static void ask_narrow(void *user, toi_kind kind, const test_box *a, const test_box *b, toi_pair pair) {
  doubt *const d = user;
  const uint64_t key = (uint64_t)pair.first << 32 | pair.second;
  const size_t count = d->candidates->count[kind];
  if (count > 0 && bsearch(&key, d->candidates->keys[kind], count, sizeof(key), test_compare_keys))
    return;
  double at[24];
  const int points = a->corners + b->corners;
  for (int k = 0; k < 2 * points; k++) {
    const int corner = k % points;
    test_position(d->mesh, k >= points, corner < a->corners ? a->vertex[corner] : b->vertex[corner - a->corners],
                  at + 3 * k);
  }
  toi_options options = toi_default_options();
  options.t_max = d->options->t_max;
  options.norm = d->options->norm;
  options.separation_fraction = d->options->separation_fraction;
  options.min_separation = d->options->min_separation + test_thickness(d->mesh, a) + test_thickness(d->mesh, b);
  const toi_hit hit = ask_with(kind, at, &options);
  d->asked++;
  if (hit.verdict != TOI_MISS) {
    test_print_query(kind, at);
    fail_msg("%s %u %u is a hit, and no candidate", toi_kind_name(kind), pair.first, pair.second);
  }
}

/* How the oracle grows what the options ask for. */
static test_question grown(const toi_mesh *mesh, const toi_options *options, double factor) {
  const double f = options->separation_fraction;
  return (test_question){.mesh = mesh,
                         .options = options,
                         .t_max = options->t_max,
                         .radius = options->min_separation / 2 * factor + (factor - 1),
                         .reach = f / (1 - f) * factor};
}

/* All methods alike, between the two oracles, and nothing missing that the narrow phase would find. Returns how many
 * pairs it was asked about. */
static size_t ask_grown(const toi_mesh *mesh, const toi_options *options) {
  toi_context *const context = test_context(1);
  toi_options brute = *options;
  toi_mesh_options on_mesh = test_mesh_options(options);
  on_mesh.broad = "brute";
  brute.on_mesh = &on_mesh;
  test_pairs found = test_candidates(context, mesh, &brute);
  test_all_methods(mesh, options, &found);

  const test_question less = grown(mesh, options, 1 - 1e-12), more = grown(mesh, options, 1 + 1e-12);
  test_pairs inner = test_oracle(&less), outer = test_oracle(&more);
  test_pairs_within(&inner, &found, "missing");
  test_pairs_within(&found, &outer, "grown too far");

  test_boxes boxes = test_boxes_make(&less);
  doubt d = {.mesh = mesh, .options = options, .candidates = &found};
  test_every_pair(&less, &boxes, ask_narrow, &d);
  test_boxes_free(&boxes);
  test_pairs_free(&inner);
  test_pairs_free(&outer);
  test_pairs_free(&found);
  toi_context_destroy(context);
  return d.asked;
}

static void boxes_grown_by_a_separation(void **unused) {
  (void)unused;
  size_t pairs = 0;
  uint64_t state = test_seed(0x51ee9106);
  const double separations[] = {1e-9, 0.01, 0.1, 0.37};
  for (uint64_t k = 0; k < test_count(40); k++) {
    test_scene scene = test_scene_soup(&handful, &state);
    toi_options options = toi_default_options();
    options.min_separation = separations[k % 4];
    options.norm = k % 8 < 4 ? TOI_NORM_L2 : TOI_NORM_LINF;
    pairs += ask_grown(&scene.mesh, &options);
    test_scene_free(&scene);
  }
  assert_true(pairs > 0);
}

static void boxes_grown_by_a_fraction_of_the_distance(void **unused) {
  (void)unused;
  size_t pairs = 0;
  uint64_t state = test_seed(0x51ee9107);
  const double fractions[] = {1e-6, 0.1, 0.5, 0.9};
  for (uint64_t k = 0; k < test_count(40); k++) {
    test_scene scene = test_scene_soup(&handful, &state);
    toi_options options = toi_default_options();
    options.separation_fraction = fractions[k % 4];
    options.norm = k % 8 < 4 ? TOI_NORM_L2 : TOI_NORM_LINF;
    options.t_max = k % 3 ? 1 : 0.5;
    pairs += ask_grown(&scene.mesh, &options);
    test_scene_free(&scene);
  }
  assert_true(pairs > 0);
}

/* The one as well as the other, thickness among them. */
static void boxes_grown_by_a_separation_and_a_fraction(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9117);
  const double fractions[] = {1e-6, 0.1, 0.5, 0.9}, separations[] = {1e-9, 0.01, 0.1};
  double thickness[400];
  size_t apart = 0;
  for (uint64_t k = 0; k < test_count(60); k++) {
    test_scene scene = test_scene_soup(&handful, &state);
    assert_true(scene.mesh.vertex_count <= 400);
    for (size_t i = 0; i < scene.mesh.vertex_count; i++)
      thickness[i] = (double)(test_random(&state) % 4) / 64;
    scene.mesh.thickness = k % 5 == 4 ? thickness : NULL;
    toi_options options = toi_default_options();
    options.separation_fraction = fractions[k % 4];
    options.min_separation = separations[k % 3];
    options.norm = k % 8 < 4 ? TOI_NORM_L2 : TOI_NORM_LINF;
    options.t_max = k % 7 ? 1 : 0.5;
    apart += ask_grown(&scene.mesh, &options);
    test_scene_free(&scene);
  }
  assert_true(apart > 0);
}

static void parts_of_a_step(void **unused) {
  (void)unused;
  size_t pairs = 0;
  uint64_t state = test_seed(0x51ee9108);
  const double times[] = {0, 0x1p-60, 0.1, 0.5, 0.999};
  for (uint64_t k = 0; k < test_count(30); k++) {
    test_scene scene = test_scene_soup(&handful, &state);
    toi_options options = toi_default_options();
    options.t_max = times[k % 5];
    pairs += ask_grown(&scene.mesh, &options);
    test_scene_free(&scene);
  }
  assert_true(pairs > 0);
}

/* Points that reach others just before, at or just after t_max: a box rounded inward would lose some. */
static void contacts_at_the_end_of_a_part(void **unused) {
  (void)unused;
  size_t pairs = 0;
  uint64_t state = test_seed(0x51ee9111);
  const double times[] = {0.1, 1.0 / 3, 0.5, 0.7, 1 - 0x1p-53};
  for (uint64_t round = 0; round < test_count(20); round++) {
    toi_options options = toi_default_options();
    options.t_max = times[round % 5];
    test_scene scene = {0};
    for (int i = 0; i < 30; i++) {
      double start[3] = {test_random_between(&state, -1, 1), i, 0}, end[3] = {start[0], i, 0};
      end[0] = test_random_between(&state, -1, 1);
      double at[3] = {start[0] + options.t_max * (end[0] - start[0]), i, 0};
      for (uint64_t steps = test_random(&state) % 4; steps > 0; steps--)
        at[0] = nextafter(at[0], i % 2 ? start[0] : end[0]);
      test_add_vertex(&scene, start, end);
      test_add_vertex(&scene, at, at);
    }
    pairs += ask_grown(&scene.mesh, &options);
    test_scene_free(&scene);
  }
  assert_true(pairs > 0);
}

static void thick_vertices_and_thick_bodies(void **unused) {
  (void)unused;
  size_t pairs = 0;
  uint64_t state = test_seed(0x51ee9109);
  double thickness[400];
  uint32_t bodies[400];
  const double body_thickness[] = {0, 0.05, 0.2};
  for (uint64_t k = 0; k < test_count(30); k++) {
    test_scene scene = test_scene_soup(&handful, &state);
    for (size_t i = 0; i < scene.mesh.vertex_count; i++) {
      thickness[i] = test_random(&state) % 3 == 0 ? 0 : test_random_between(&state, 0, 0.1);
      bodies[i] = test_random(&state) % 5 == 0 ? TOI_NO_BODY : (uint32_t)(i / 6 % 3);
    }
    toi_options options = toi_default_options();
    options.min_separation = k % 2 ? 0.02 : 0;
    scene.mesh.thickness = k % 3 != 1 ? thickness : NULL;
    if (k % 3 != 0) {
      scene.mesh.bodies = bodies;
      scene.mesh.body_thickness = body_thickness;
      scene.mesh.body_count = 3;
    }
    pairs += ask_grown(&scene.mesh, &options);
    test_scene_free(&scene);
  }
  assert_true(pairs > 0);
}

/* Far away and small, where half a separation is lost in rounding, boxes are grown outward all the same. */
static void separations_below_a_unit_in_the_last_place(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9110);
  for (uint64_t k = 0; k < test_count(20); k++) {
    test_soup soup = handful;
    soup.offset = 1e6;
    soup.size = 1e-9;
    soup.extent = 1e-9;
    test_scene scene = test_scene_soup(&soup, &state);
    toi_options options = toi_default_options();
    toi_mesh_options on_mesh = toi_default_mesh_options();
    options.on_mesh = &on_mesh;
    options.min_separation = k % 2 ? 0x1p-35 : 0x1p-40;
    toi_context *const context = test_context(1);
    on_mesh.broad = "brute";
    test_pairs found = test_candidates(context, &scene.mesh, &options);
    test_all_methods(&scene.mesh, &options, &found);
    const test_question question = {.mesh = &scene.mesh, .options = &options, .t_max = 1};
    test_boxes boxes = test_boxes_make(&question);
    doubt d = {.mesh = &scene.mesh, .options = &options, .candidates = &found};
    test_every_pair(&question, &boxes, ask_narrow, &d);
    test_boxes_free(&boxes);
    test_pairs_free(&found);
    toi_context_destroy(context);
    test_scene_free(&scene);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_kind_of_loose_primitives),
      cmocka_unit_test(loose_edges_that_hang_on_faces),
      cmocka_unit_test(bodies_do_not_meet_themselves),
      cmocka_unit_test(sets_of_vertices_and_of_pairs_of_bodies),
      cmocka_unit_test(fixed_vertices_do_not_meet),
      cmocka_unit_test(the_caller_chooses),
      cmocka_unit_test(kinds_are_chosen_by_a_mask),
      cmocka_unit_test(rules_hold_for_edges_that_are_found),
      cmocka_unit_test(boxes_grown_by_a_separation),
      cmocka_unit_test(boxes_grown_by_a_fraction_of_the_distance),
      cmocka_unit_test(boxes_grown_by_a_separation_and_a_fraction),
      cmocka_unit_test(parts_of_a_step),
      cmocka_unit_test(contacts_at_the_end_of_a_part),
      cmocka_unit_test(thick_vertices_and_thick_bodies),
      cmocka_unit_test(separations_below_a_unit_in_the_last_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
