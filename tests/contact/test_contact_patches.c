/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Bodies made of patches: spheres and rings of patches against closed forms, random patches against the solver of
 * patches, and what is refused. */

#include "contact/patches.h"

/* --- random patches, and the solver of patches --- */

typedef struct random_patch {
  toi_patch patch;
  double points[16][3], velocities[16][3], weights[16];
} random_patch;

/* A bumpy square or triangle of degree 1 to 3, at a height, all its control points moving a little differently. */
static void draw_patch(uint64_t *random, double above, double speed, random_patch *r) {
  *r = (random_patch){.patch = {.size = sizeof r->patch}};
  toi_patch *p = &r->patch;
  p->shape = test_random(random) % 3 == 0 ? TOI_PATCH_TRIANGLE : TOI_PATCH_QUAD;
  const bool quad = p->shape == TOI_PATCH_QUAD;
  const uint32_t m = p->degree[0] = 1 + (uint32_t)(test_random(random) % 3);
  const uint32_t n = p->degree[1] = quad ? 1 + (uint32_t)(test_random(random) % 3) : m;
  const double aside[2] = {test_random_unit(random) - 0.5, test_random_unit(random) - 0.5};
  size_t number = 0;
  for (uint32_t i = 0; i <= m; i++)
    for (uint32_t j = 0; j <= (quad ? n : m - i); j++, number++) {
      const double at[3] = {2.0 * (quad ? i : j) / m - 1 + aside[0], 2.0 * (quad ? j : i) / n - 1 + aside[1], above};
      for (int k = 0; k < 3; k++) {
        r->points[number][k] = at[k] + 0.6 * (test_random_unit(random) - 0.5);
        r->velocities[number][k] = (k == 2 ? speed : 0) + 0.4 * (test_random_unit(random) - 0.5);
      }
      r->weights[number] = 0.5 + test_random_unit(random);
    }
  p->points = (const double(*)[3])r->points;
  p->velocities = (const double(*)[3])r->velocities;
  p->weights = test_random(random) % 2 == 0 ? r->weights : NULL;
}

/* The two searches share neither enclosures nor proofs. */
static void both_solvers_agree_on_random_patches(void **state) {
  (void)state;
  uint64_t random = test_seed(20261120);
  const uint64_t count = test_count_from(120, 10);
  uint64_t near = 0;
  for (uint64_t n = 0; n < count; n++) {
    random_patch patches[2];
    pair p = {0};
    answer a;
    for (int i = 0; i < 2; i++) {
      draw_patch(&random, i == 0 ? 0 : 1.5, i == 0 ? 0.6 : -0.8, &patches[i]);
      const toi_model model = {.patches = &patches[i].patch, .patch_count = 1};
      toi_shape *shape = NULL;
      well(toi_shape_patches(context, &model, &shape));
      enter(&p, i, shape);
    }
    ask(&p, &a);
    const toi_surface_options options = toi_default_surface_options();
    toi_surface_hit hit;
    well(toi_patch_pair(context, &patches[0].patch, &patches[1].patch, &options, &hit));
    near += a.found.verdict == TOI_NEAR;
    const bool decided = a.found.verdict != TOI_NEAR && hit.verdict != TOI_NEAR;
    if (decided && (a.found.verdict != (toi_verdict)hit.verdict ||
                    (hit.verdict == TOI_HIT && !(a.found.t_lo <= hit.t_hi && hit.t_lo <= a.found.t_hi))))
      fail_msg("pair %llu: %s in [%.17g, %.17g], but %s in [%.17g, %.17g]", (unsigned long long)n,
               toi_verdict_name(a.found.verdict), a.found.t_lo, a.found.t_hi,
               toi_verdict_name((toi_verdict)hit.verdict), hit.t_lo, hit.t_hi);
    leave(&p);
  }
  assert_true(100 * near <= count);
}

/* --- closed forms --- */

/* A sphere of patches on a plane: HEIGHT - 1 below, whichever way it is turned; on its pole it has no normal. */
static void a_sphere_of_patches_falls_on_a_plane(void **state) {
  (void)state;
  for (int n = 0; n < 4; n++) {
    const fall f = {.axis = {1, 0.3, 0.2}, .angle = 0.7 * n, .aside = {0.25, -0.5}};
    pair p = {0};
    answer a;
    well(toi_model_sphere(context, 1, &p.models[0]));
    enter_model(&p, 0);
    let_fall(&p, &f);
    enter(&p, 1, make_plane());
    ask(&p, &a);
    expect_time(&a, (HEIGHT - 1) / SPEED);
    assert_int_equal(a.count, 1);
    assert_int_equal(a.contacts[0].certificate, n == 0 ? TOI_CONTACT_SINGULAR : TOI_CONTACT_UNIQUE);
    for (int k = 0; k < 3; k++)
      assert_true(fabs(a.contacts[0].point[k] - (double[]){0.25, -0.5, 0}[k]) < 1e-6);
    leave(&p);
  }
}

/* Turned so that it lands on an edge, or a corner, that patches have in common: one contact, whichever patch has it. */
static void a_contact_on_a_common_edge_is_reported_once(void **state) {
  (void)state;
  static const fall falls[] = {{.axis = {1, 0, 0}, .angle = 0.6},
                               {.axis = {0, 1, 0}, .angle = 0.6},
                               {.axis = {1, 0, 0}, .angle = 0x1.921fb54442d18p+0}};
  for (size_t n = 0; n < sizeof falls / sizeof falls[0]; n++) {
    pair p = {0};
    answer a;
    well(toi_model_sphere(context, 1, &p.models[0]));
    enter_model(&p, 0);
    let_fall(&p, &falls[n]);
    enter(&p, 1, make_plane());
    ask(&p, &a);
    expect_time(&a, (HEIGHT - 1) / SPEED);
    assert_int_equal(a.count, 1);
    assert_true(a.contacts[0].proved);
    leave(&p);
  }
}

/* Beside such an edge: the edge meets the plane too, 1e-3 aside and 6e-8 later, but only because the patch did. */
static void a_contact_beside_a_common_edge_is_reported_once(void **state) {
  (void)state;
  for (int n = 0; n < 2; n++) {
    const fall f = {.axis = {1, 0, 0}, .angle = 0.6};
    pair p = {0};
    answer a;
    well(toi_model_sphere(context, 1, &p.models[0]));
    enter_model(&p, 0);
    well(toi_motion_turn(p.motions[0], (double[]){0, 0, 1}, NULL, n == 0 ? 1e-3 : -2e-3, 0));
    let_fall(&p, &f);
    enter(&p, 1, make_plane());
    ask(&p, &a);
    expect_time(&a, (HEIGHT - 1) / SPEED);
    assert_int_equal(a.count, 1);
    assert_int_equal(a.contacts[0].certificate, TOI_CONTACT_UNIQUE);
    leave(&p);
  }
}

/* Two bilinear patches of a model, which comes down on a body. */
static void let_two_fall(pair *p, double points[2][4][3], toi_shape *on, const double at[3]) {
  toi_patch patches[2];
  for (int i = 0; i < 2; i++)
    patches[i] = (toi_patch){.size = sizeof *patches, .degree = {1, 1}, .points = (const double(*)[3])points[i]};
  const toi_model model = {.patches = patches, .patch_count = 2};
  toi_shape *shape = NULL;
  well(toi_shape_patches(context, &model, &shape));
  enter(p, 0, shape);
  well(toi_motion_move(p->motions[0], (double[]){0, 0, 1}, (double[]){0, 0, -2}));
  enter(p, 1, on);
  well(toi_motion_move(p->motions[1], at, NULL));
}

/* A roof upside down lands on a ball with its ridge, x = 0: (-0.1, y, z) is a point of the unit sphere around the ball
 * where z = sqrt(1 - 0.01), above (0.1, 0.2, -1.05). Both slopes are steeper than the ball there. */
static void a_ridge_that_patches_share_has_a_unique_contact(void **state) {
  (void)state;
  static double roof[2][4][3] = {{{-1, -1, 0.5}, {-1, 1, 0.5}, {0, -1, 0}, {0, 1, 0}},
                                 {{0, -1, 0}, {0, 1, 0}, {1, -1, 0.7}, {1, 1, 0.7}}};
  for (int form = 0; form < 2; form++) {
    pair p = {0};
    answer a;
    toi_shape *ball = NULL;
    well(toi_shape_library(context, TOI_SHAPE_SPHERE, form == 0 ? TOI_SHAPE_FORM_IMPLICIT : TOI_SHAPE_FORM_PARAMETRIC,
                           (double[]){1}, &ball));
    let_two_fall(&p, roof, ball, (double[]){0.1, 0.2, -1.05});
    ask(&p, &a);
    const double height = sqrt(0.99) - 1.05;
    expect_time(&a, (1 - height) / 2);
    assert_int_equal(a.count, 1);
    assert_int_equal(a.contacts[0].certificate, TOI_CONTACT_UNIQUE);
    for (int k = 0; k < 3; k++)
      assert_true(fabs(a.contacts[0].point[k] - (double[]){0, 0.2, height}[k]) < 1e-12);
    leave(&p);
  }
}

/* A plate lands flat, and a patch that shares a corner with it and rises from there: that corner alone would be unique,
 * but the plate touches there too, whatever budget ends the search. */
static void a_corner_that_a_plate_shares_is_not_unique(void **state) {
  (void)state;
  static double both[2][2][4][3] = {
      {{{-1, -1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 1, 0.5}, {1, 0, 0.5}, {1, 1, 1}}},
      {{{0, 0, 0}, {0, 1, 0.5}, {1, 0, 0.5}, {1, 1, 1}}, {{-1, -1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 0}}}};
  for (int order = 0; order < 2; order++)
    for (uint64_t boxes = 1; boxes < 40; boxes++) {
      pair p = {0};
      answer a = {0};
      toi_contact_options options = toi_default_contact_options();
      options.max_boxes = boxes;
      options.spacing = 0.5;
      let_two_fall(&p, both[order], make_plane(), (double[]){0, 0, 0});
      well(toi_contact(context, p.bodies, 2, &options, &a.found, keep, &a));
      for (size_t i = 0; i < a.count; i++)
        assert_int_equal(a.contacts[i].certificate, TOI_CONTACT_SINGULAR);
      leave(&p);
    }
}

/* A ring of patches lies down on a plane: it touches along a circle, and stops short of another. */
static void a_ring_of_patches_lies_on_a_plane(void **state) {
  (void)state;
  for (int n = 0; n < 2; n++) {
    const fall f = {.axis = {0, 0, 1}, .angle = 0.7};
    pair p = {0};
    answer a;
    well(toi_model_torus(context, 2, 0.5, &p.models[0]));
    enter_model(&p, 0);
    let_fall(&p, &f);
    enter(&p, 1, make_plane());
    well(toi_motion_move(p.motions[1], (double[]){0, 0, n == 0 ? 0 : HEIGHT - SPEED - 0.5 - 1e-3}, NULL));
    ask(&p, &a);
    if (n == 1) {
      assert_int_equal(a.found.verdict, TOI_MISS);
      leave(&p);
      continue;
    }
    expect_time(&a, (HEIGHT - 0.5) / SPEED);
    for (size_t i = 0; i < a.count; i++) {
      // At the edge of a patch a contact a little beside it is proved.
      const double *at = a.contacts[i].point;
      assert_true(a.contacts[i].proved && fabs(hypot(at[0], at[1]) - 2) < 1e-5 && fabs(at[2]) < 1e-6);
    }
    assert_true((double)a.count > 12.5 / 0.2 / 2);
    leave(&p);
  }
}

/* A square whose corners move: it flaps up into a sphere. Its middle is at height t - 1/4. */
static void a_patch_that_deforms_meets_a_sphere(void **state) {
  (void)state;
  static const double points[4][3] = {{-1, -1, -0.25}, {-1, 1, -0.25}, {1, -1, -0.25}, {1, 1, -0.25}};
  static const double velocities[4][3] = {{0, 0, 0}, {0, 0, 2}, {0, 0, 2}, {0, 0, 0}};
  const toi_patch patch = {
      .size = sizeof patch, .degree = {1, 1}, .points = points, .velocities = (const double(*)[3])velocities};
  const toi_model model = {.patches = &patch, .patch_count = 1};
  pair p = {0};
  answer a;
  toi_shape *shape = NULL;
  well(toi_shape_patches(context, &model, &shape));
  enter(&p, 0, shape);
  shape = NULL;
  well(toi_shape_library(context, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){0.5}, &shape));
  enter(&p, 1, shape);
  well(toi_motion_move(p.motions[1], (double[]){0, 0, 0.75}, NULL));
  ask(&p, &a);
  // z = -1/4 + t (1 - x y) meets x^2 + y^2 + (z - 3/4)^2 = 1/4 first where x = -y = s, below its middle: dense samples.
  double first = INFINITY;
  for (int i = 0; i <= 200000; i++) {
    const double s = 0.3 * i / 200000, low = 0.75 - sqrt(0.25 - 2 * s * s);
    first = fmin(first, (low + 0.25) / (1 + s * s));
  }
  expect_time(&a, first);
  leave(&p);
}

/* --- parts that nearly fit --- */

/* A ball of patches turns in a socket, an implicit sphere, a formula over u and v, or one of patches, a hundredth
 * larger: a miss, without halving every gap away. */
static void a_ball_of_patches_turns_in_its_socket(void **state) {
  (void)state;
  for (int n = 0; n < 3; n++) {
    pair p = {0};
    answer a;
    well(toi_model_sphere(context, 1, &p.models[0]));
    enter_model(&p, 0);
    well(toi_motion_turn(p.motions[0], (double[]){0, 0, 1}, NULL, 0, 1));
    toi_shape *socket = NULL;
    const double radius = n == 0 ? 1 + 1e-4 : 1 + 1e-2;
    if (n < 2) {
      well(toi_shape_library(context, TOI_SHAPE_SPHERE, n == 0 ? TOI_SHAPE_FORM_IMPLICIT : TOI_SHAPE_FORM_PARAMETRIC,
                             &radius, &socket));
      enter(&p, 1, socket);
    } else {
      well(toi_model_sphere(context, radius, &p.models[1]));
      enter_model(&p, 1);
    }
    ask(&p, &a);
    assert_int_equal(a.found.verdict, TOI_MISS);
    assert_true(a.found.boxes < 60000);
    leave(&p);
  }
}

/* --- refusals --- */

static void what_is_no_surface_is_refused(void **state) {
  (void)state;
  double points[4][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}};
  const double same[4][3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
  toi_patch patch = {.size = sizeof patch, .degree = {1, 1}, .points = (const double(*)[3])points};
  toi_model model = {.patches = &patch, .patch_count = 1};
  toi_shape *shape = NULL;
  well(toi_shape_patches(context, &model, &shape));
  assert_non_null(toi_shape_piece(shape, 0));
  assert_null(toi_shape_piece(shape, 1));
  double at[3], normal[3];
  assert_int_equal(toi_shape_point(shape, 0.5, 0.5, 0, at, normal), TOI_ERROR_INPUT);
  well(toi_shape_point(toi_shape_piece(shape, 0), 0.5, 0.25, 0, at, normal));
  assert_true(fabs(at[0] - 0.5) < 1e-12 && fabs(at[1] - 0.25) < 1e-12 && normal[2] > 0.99);
  toi_shape_destroy(shape);

  const struct {
    const char *sentence;
    uint32_t degree;
    const double (*points)[3];
  } wrong[] = {{"patch 0: degree[1] is 0", 0, (const double(*)[3])points}, {"no extent", 1, same}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    patch.degree[1] = wrong[i].degree;
    patch.points = wrong[i].points;
    assert_int_equal(toi_shape_patches(context, &model, &shape), TOI_ERROR_INPUT);
    assert_null(shape);
    if (strstr(toi_context_error(context), wrong[i].sentence) == NULL)
      fail_msg("%s", toi_context_error(context));
  }
  model.patch_count = 0;
  assert_int_equal(toi_shape_patches(context, &model, &shape), TOI_ERROR_INPUT);
  assert_int_equal(toi_shape_patches(context, NULL, &shape), TOI_ERROR_INPUT);
}

/* Weights so far apart that rounding hides the smaller ones leave nothing to say; that is a sentence, not an answer. */
static void weights_too_far_apart_are_refused(void **state) {
  (void)state;
  const double points[4][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}}, weights[4] = {1, 1, 1, 1e-30};
  const toi_patch patch = {.size = sizeof patch, .degree = {1, 1}, .points = points, .weights = weights};
  const toi_model model = {.patches = &patch, .patch_count = 1};
  pair p = {0};
  toi_shape *shape = NULL;
  well(toi_shape_patches(context, &model, &shape));
  enter(&p, 0, shape);
  enter(&p, 1, make_plane());
  const toi_contact_options options = toi_default_contact_options();
  toi_contact_answer found;
  assert_int_equal(toi_contact(context, p.bodies, 2, &options, &found, NULL, NULL), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "bodies[0].shape, patch 0: a patch has no bounds in"));
  leave(&p);
}

/* Every allocation refused in turn: a failure, or an answer that is safe, and nothing left behind. */
static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  toi_context *usual = context;
  bool refused = true;
  for (size_t at = 1; refused; at++) {
    test_allocator allocator = {0};
    context = test_context_on(&allocator);
    const size_t from = allocator.calls;
    allocator.refuse_at = from + at;
    pair p = {0};
    toi_status status = toi_model_cylinder(context, 1, 2, &p.models[0]);
    if (status == TOI_OK)
      status = toi_shape_patches(context, &p.models[0], &p.shapes[0]);
    if (status == TOI_OK)
      status = toi_shape_library(context, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 1}, &p.shapes[1]);
    for (int i = 0; i < 2; i++)
      p.bodies[i] = (toi_body){.size = sizeof(toi_body), .shape = p.shapes[i]};
    const toi_contact_options options = toi_default_contact_options();
    toi_contact_answer found = {.verdict = TOI_HIT};
    if (status == TOI_OK)
      status = toi_contact(context, p.bodies, 2, &options, &found, NULL, NULL);
    assert_true(status == TOI_ERROR_MEMORY || (status == TOI_OK && found.verdict != TOI_MISS));
    refused = allocator.calls >= from + at;
    leave(&p);
    toi_context_destroy(context);
    assert_int_equal(allocator.blocks, 0);
    assert_int_equal(allocator.wrong_sizes, 0);
  }
  context = usual;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sphere_of_patches_falls_on_a_plane),
      cmocka_unit_test(a_ridge_that_patches_share_has_a_unique_contact),
      cmocka_unit_test(a_corner_that_a_plate_shares_is_not_unique),
      cmocka_unit_test(a_ring_of_patches_lies_on_a_plane),
      cmocka_unit_test(a_contact_on_a_common_edge_is_reported_once),
      cmocka_unit_test(a_contact_beside_a_common_edge_is_reported_once),
      cmocka_unit_test(both_solvers_agree_on_random_patches),
      cmocka_unit_test(a_patch_that_deforms_meets_a_sphere),
      cmocka_unit_test(a_ball_of_patches_turns_in_its_socket),
      cmocka_unit_test(what_is_no_surface_is_refused),
      cmocka_unit_test(weights_too_far_apart_are_refused),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
