/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The Utah teapot against what is known of it: how many patches and points, its size, its symmetry, its seams, where
 * its normals point. */

#include "support/support.h"

#include <math.h>

#include "surface/exact_patch.h"

static toi_model make(toi_context *context) {
  toi_model model;
  assert_int_equal(toi_model_teapot(context, &model), TOI_OK);
  return model;
}

/* Whether the model has a control point there. */
static bool has_point(const toi_model *model, double x, double y, double z) {
  for (size_t i = 0; i < model->patch_count; i++)
    for (size_t k = 0; k < 16; k++) {
      const double *p = model->patches[i].points[k];
      if (p[0] == x && p[1] == y && p[2] == z)
        return true;
    }
  return false;
}

static size_t count_distinct(const toi_model *model) {
  size_t count = 0;
  for (size_t i = 0; i < 16 * model->patch_count; i++) {
    bool seen = false;
    for (size_t j = 0; j < i && !seen; j++)
      seen = same_control(&model->patches[i / 16], i % 16, &model->patches[j / 16], j % 16);
    count += !seen;
  }
  return count;
}

static void teapot_of_32_bicubics_at_rest(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_model model = make(context);
  assert_int_equal(model.patch_count, 32);
  for (size_t i = 0; i < 32; i++) {
    const toi_patch *patch = &model.patches[i];
    assert_int_equal(patch->shape, TOI_PATCH_QUAD);
    assert_int_equal(patch->degree[0], 3);
    assert_int_equal(patch->degree[1], 3);
    assert_null(patch->velocities);
    assert_null(patch->weights);
    assert_true(patch->error == 0 && patch->velocity_error == 0);
  }
  // The published list has 306 entries; 16 of them are not used or stand twice.
  assert_int_equal(count_distinct(&model), 290);

  // One of each part: rim, shoulder, belly, handle, spout, knob, lid, bottom.
  static const double known[][3] = {
      {-0.749, 1.3375, 2.53125}, {1.75, -0.98, 1.875}, {0.84, 1.5, 0.225}, {-2.65, 0.3, 0.9375}, {3.525, 0, 2.49375},
      {-0.45, -0.8, 3.15},       {1.3, 0.728, 2.4},    {0, -1.425, 0},     {2.9, 0.15, 2.475},   {-2, 0, 0.9}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    assert_true(has_point(&model, known[i][0], known[i][1], known[i][2]));
  toi_model_free(context, &model);
  toi_context_destroy(context);
}

/* Control points from (-3, -2, 0) to (3.525, 2, 3.15); the surface ends at the same places, but for the spout's lip. */
static void size_as_published(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_model model = make(context);
  double lo[2][3], hi[2][3];
  for (int k = 0; k < 3; k++) {
    lo[0][k] = lo[1][k] = INFINITY;
    hi[0][k] = hi[1][k] = -INFINITY;
  }
  mpq_t u, v;
  mpq_inits(u, v, NULL);
  exact_point p;
  exact_point_init(&p);
  for (size_t i = 0; i < 32; i++)
    for (unsigned a = 0; a <= 16; a++)
      for (unsigned b = 0; b <= 16; b++) {
        mpq_set_ui(u, a, 16);
        mpq_set_ui(v, b, 16);
        mpq_canonicalize(u);
        mpq_canonicalize(v);
        exact_patch(&model.patches[i], u, v, &p);
        for (int k = 0; k < 3; k++) {
          const double x = mpq_get_d(p.x[k]), control = model.patches[i].points[(a + b) % 16][k];
          lo[0][k] = fmin(lo[0][k], control);
          hi[0][k] = fmax(hi[0][k], control);
          lo[1][k] = fmin(lo[1][k], x);
          hi[1][k] = fmax(hi[1][k], x);
        }
      }
  static const double least[3] = {-3, -2, 0}, most[3] = {3.525, 2, 3.15};
  for (int k = 0; k < 3; k++) {
    assert_true(lo[0][k] == least[k] && hi[0][k] == most[k]);
    assert_true(fabs(lo[1][k] - least[k]) < 1e-12);
    assert_true(fabs(hi[1][k] - (k == 0 ? 3.434 : most[k])) < (k == 0 ? 1e-2 : 1e-12));
  }
  exact_point_clear(&p);
  mpq_clears(u, v, NULL);
  toi_model_free(context, &model);
  toi_context_destroy(context);
}

/* The mirror image of every patch at y = 0 is a patch of it, and that of the turned parts at x = 0 as well. */
static void mirrored_at_its_plane(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_model model = make(context);
  for (size_t i = 0; i < 32; i++)
    for (int axis = 0; axis < 2; axis++) {
      const bool turned = i < 12 || i >= 20;
      if (axis == 0 && !turned)
        continue;
      size_t images = 0;
      for (size_t j = 0; j < 32; j++) {
        bool same = true;
        // v runs the other way in the image.
        for (size_t k = 0; k < 16 && same; k++) {
          const double *p = model.patches[i].points[k], *q = model.patches[j].points[k / 4 * 4 + (3 - k % 4)];
          same = p[axis] == -q[axis] && p[1 - axis] == q[1 - axis] && p[2] == q[2];
        }
        images += same;
      }
      assert_int_equal(images, 1);
    }
  toi_model_free(context, &model);
  toi_context_destroy(context);
}

/* Sides: 128, of which 8 are collapsed (the middles of lid and bottom, four each). Free are the four inner sides of the
 * rim, the four of the lid's edge, and the ends of handle and spout, two at each of the four. */
static void neighbours_share_their_sides(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_model model = make(context);
  size_t sides;
  const size_t shared = count_shared_sides(&model, &sides);
  assert_int_equal(sides, 120);
  assert_int_equal(shared, 120 - 16);
  for (size_t i = 0; i < 32; i++) {
    const bool knob = i >= 20 && i < 24, bottom = i >= 28;
    const double(*p)[3] = model.patches[i].points;
    for (size_t k = 0; k < 4 && (knob || bottom); k++) {
      assert_true(p[k][0] == 0 && p[k][1] == 0 && p[k][2] == (knob ? 3.15 : 0));
      assert_memory_equal(p[k], p[0], sizeof p[0]);
    }
  }
  toi_model_free(context, &model);
  toi_context_destroy(context);
}

/* Away from the axis of the part at the middle of each patch: the z axis, or a point inside handle and spout. */
static void normals_point_outwards(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_model model = make(context);
  mpq_t u, v;
  mpq_inits(u, v, NULL);
  exact_point p;
  exact_point_init(&p);
  for (size_t i = 0; i < 32; i++) {
    double at[3][3], inside[3] = {0, 0, 1.2}, sum = 0;
    for (unsigned k = 0; k < 3; k++) {
      mpq_set_ui(u, k == 1 ? 65 : 64, 128);
      mpq_set_ui(v, k == 2 ? 65 : 64, 128);
      mpq_canonicalize(u);
      mpq_canonicalize(v);
      exact_patch(&model.patches[i], u, v, &p);
      for (int c = 0; c < 3; c++)
        at[k][c] = mpq_get_d(p.x[c]);
    }
    // Handle and spout; the knob, which is round; the rim, whose inside is open.
    if (i >= 12 && i < 20)
      inside[0] = at[0][0];
    if (i >= 12 && i < 24)
      inside[2] = at[0][2];
    if (i < 4)
      inside[2] = 2.3;
    for (int c = 0; c < 3; c++) {
      const int d = (c + 1) % 3, e = (c + 2) % 3;
      const double normal =
          (at[1][d] - at[0][d]) * (at[2][e] - at[0][e]) - (at[1][e] - at[0][e]) * (at[2][d] - at[0][d]);
      sum += normal * (at[0][c] - inside[c]);
    }
    assert_true(sum > 0);
  }
  exact_point_clear(&p);
  mpq_clears(u, v, NULL);
  toi_model_free(context, &model);
  toi_context_destroy(context);
}

static void refused_memory_leaves_nothing(void **state) {
  (void)state;
  test_allocator allocator = {0};
  toi_context *context = test_context_on(&allocator);
  const size_t blocks = allocator.blocks;
  allocator.refuse_at = allocator.calls + 1;
  toi_model model;
  assert_int_equal(toi_model_teapot(context, &model), TOI_ERROR_MEMORY);
  assert_null(model.patches);
  assert_int_equal(allocator.blocks, blocks);
  model = make(context);
  toi_model_free(context, &model);
  assert_int_equal(toi_model_teapot(NULL, &model), TOI_ERROR_INPUT);
  assert_int_equal(toi_model_teapot(context, NULL), TOI_ERROR_INPUT);
  toi_context_destroy(context);
  assert_int_equal(allocator.blocks, 0);
  assert_int_equal(allocator.wrong_sizes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(teapot_of_32_bicubics_at_rest), cmocka_unit_test(size_as_published),
      cmocka_unit_test(mirrored_at_its_plane),         cmocka_unit_test(neighbours_share_their_sides),
      cmocka_unit_test(normals_point_outwards),        cmocka_unit_test(refused_memory_leaves_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
