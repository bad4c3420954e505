/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Bodies of patches in scenes: written out, from files, by name; what the solvers of patches take of them; and every
 * allocation refused. */

#include "io/contact.h"

#define PAIR(first, second) "{\"bodies\":[" first ",\n" second "]}"
#define MODEL(name, model, rest) "{\"name\":\"" name "\",\"shape\":" model rest "}"
#define QUAD "{\"type\":\"quad\",\"degree\":[1,1],\"points\":[[0,0,0],[0,1,0],[1,0,0],[1,1,0.5]],\"weights\":[1,1,1,2]}"

/* A point of a body's patch. */
static void expect_point(const toi_contact_scene *scene, size_t body, size_t patch, const double wanted[3]) {
  const toi_shape *piece = toi_shape_piece(toi_contact_scene_body(scene, body)->shape, patch);
  double at[3], normal[3];
  assert_non_null(piece);
  assert_int_equal(toi_shape_point(piece, 1, 1, 0, at, normal), TOI_OK);
  for (int k = 0; k < 3; k++)
    assert_true(fabs(at[k] - wanted[k]) < 1e-12);
}

static void patches_are_written_out_or_named(void **state) {
  toi_contact_scene scene;
  test_write_text("part.json", "{\"patches\":[" QUAD "," QUAD "],\"shift\":[0,0,1]}");
  scene_from(*state,
             "{\"bodies\":[" MODEL("a", "{\"patch\":" QUAD "}", "") "," MODEL(
                 "b",
                 "{\"nurbs\":{\"degree\":1,\"knots\":[[0,0,1,2,2],[0,0,1,1]],\"points\":[[[0,0,0],[0,1,0]],[[1,0,0],"
                 "[1,1,0]],[[2,0,0],[2,2,0]]]}}",
                 "") "," MODEL("c", "{\"model\":\"part.json\"}",
                               "") "," MODEL("d", "{\"model\":{\"shape\":\"sphere\",\"radius\":2}}",
                                             "") "," MODEL("e", "{\"model\":\"teapot\"}",
                                                           ",\"motion\":{\"move\":{\"velocity\":[0,0,1]}}") "," BALL
                                                                                                            "]}",
             &scene);
  static const size_t pieces[] = {1, 2, 2, 8, 32, 1};
  assert_int_equal(scene.count, 6);
  for (size_t i = 0; i < 6; i++) {
    assert_int_equal(toi_shape_pieces(toi_contact_scene_body(&scene, i)->shape), pieces[i]);
    assert_true((scene.patches[i].model != NULL) == (i < 5));
    assert_true(i == 5 || scene.patches[i].model->patch_count == pieces[i]);
  }
  expect_point(&scene, 0, 0, (const double[]){1, 1, 0.5});
  expect_point(&scene, 1, 1, (const double[]){2, 2, 0});
  expect_point(&scene, 2, 1, (const double[]){1, 1, 1.5});
  assert_non_null(scene.bodies[4].motion);
  assert_true(scene.min_separation == 0);
  toi_contact_scene_free(*state, &scene);
  expect_empty_scene(&scene);
}

/* A file beside the scene goes before the shape of the same name. */
static void a_file_goes_before_a_shape_of_its_name(void **state) {
  toi_contact_scene scene;
  for (int there = 0; there < 2; there++) {
    if (there)
      test_write_text("teapot", "{\"patches\":[" QUAD "]}");
    scene_from(*state, PAIR(MODEL("a", "{\"model\":\"teapot\"}", ""), BALL), &scene);
    assert_int_equal(toi_shape_pieces(scene.bodies[0].shape), there ? 1 : 32);
    toi_contact_scene_free(*state, &scene);
  }
  assert_int_equal(remove(test_path("teapot")), 0);
}

static void linear_motions_are_told_from_others(void **state) {
  static const struct {
    const char *motion;
    bool linear;
    double shift, velocity; /* their x */
  } motions[] = {
      {"[]", true, 0, 0},
      {"{\"move\":{\"shift\":[1,2,3],\"velocity\":[4,5,6]}}", true, 1, 4},
      {"[{\"move\":{\"shift\":[1,2,3]}},{\"move\":{\"shift\":[1,2,3],\"velocity\":[7,0,0]}}]", true, 2, 7},
      {"[{\"spin\":{\"rate\":[7,0,1]}}]", false, 0, 0},
      {"[{\"move\":{\"velocity\":[1,2,3]}},{\"spin\":{\"rate\":[7,0,1]}}]", false, 0, 0},
      {"{\"move\":{\"shift\":[1,2,\"3*t\"]}}", false, 0, 0},
      {"{\"turn\":{\"axis\":[0,0,1],\"rate\":1}}", false, 0, 0},
      {"{\"turn\":{\"axis\":[0,0,1],\"angle\":1}}", false, 0, 0},
  };
  for (size_t i = 0; i < sizeof motions / sizeof motions[0]; i++) {
    char text[1024];
    snprintf(text, sizeof text, PAIR(MODEL("a", "{\"patch\":" QUAD "}", ",\"motion\":%s"), BALL), motions[i].motion);
    toi_contact_scene scene;
    scene_from(*state, text, &scene);
    double shift[3], velocity[3];
    if (toi_motion_linear(scene.bodies[0].motion, shift, velocity) != motions[i].linear)
      fail_msg("%s", motions[i].motion);
    if (motions[i].linear)
      assert_true(shift[0] == motions[i].shift && velocity[0] == motions[i].velocity);
    toi_contact_scene_free(*state, &scene);
  }
}

static void older_scenes_have_models_and_motions(void **state) {
  test_write_text("part.json", "{\"patches\":[" QUAD "]}");
  const char *path = test_write_text("old.json", "{\"a\":\"part.json\",\"b\":\"torus\",\"name\":\"two\",\"t_max\":3,"
                                                 "\"motion_b\":{\"shift\":[1,2,3],\"velocity\":[4,5,6]}}");
  toi_contact_scene scene;
  assert_int_equal(toi_surface_scene_read(*state, path, &scene), TOI_OK);
  double shift[3], velocity[3];
  assert_true(scene.count == 2 && scene.options->t_max == 3 && strcmp(scene.title, "two") == 0);
  assert_true(scene.patches[0].model->patch_count == 1 && scene.patches[1].model->patch_count == 16);
  assert_true(scene.bodies[0].motion == NULL && scene.bodies[0].shape == NULL);
  assert_true(toi_motion_linear(scene.bodies[1].motion, shift, velocity) && shift[1] == 2 && velocity[2] == 6);
  toi_contact_scene_free(*state, &scene);
}

static void a_separation_and_a_single_model_are_questions_too(void **state) {
  toi_contact_scene scene;
  scene_from(*state,
             "{\"min_separation\":0.25,\"bodies\":[" MODEL("a", "{\"model\":\"torus\"}",
                                                           "") "," MODEL("b", "{\"patch\":" QUAD "}", "") "]}",
             &scene);
  assert_true(scene.min_separation == 0.25 && scene.count == 2);
  toi_contact_scene_free(*state, &scene);
  scene_from(*state, "{\"bodies\":[" MODEL("a", "{\"model\":\"torus\"}", "") "]}", &scene);
  assert_true(scene.min_separation == 0 && scene.count == 1 && scene.patches[0].model->patch_count == 16);
  toi_contact_scene_free(*state, &scene);
}

/* A scene of every form of patches, each allocation refused in turn. */
static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  test_write_text("part.json", "{\"patches\":[" QUAD "]}");
  const char *path = test_write_text(
      "scene.json", PAIR(MODEL("a", "{\"model\":\"part.json\"}", ",\"motion\":[{\"spin\":{\"rate\":[1,2,3]}}]"),
                         MODEL("b", "{\"patch\":" QUAD "}", "")));
  bool refused = true;
  for (size_t at = 1; refused; at++) {
    test_allocator allocator = {0};
    toi_context *context = test_context_on(&allocator);
    const size_t from = allocator.calls;
    allocator.refuse_at = from + at;
    toi_contact_scene scene;
    const toi_status status = toi_contact_scene_read(context, path, &scene);
    refused = allocator.calls >= from + at;
    if (status != TOI_OK)
      expect_empty_scene(&scene);
    if (!(status == TOI_OK || (refused && status == TOI_ERROR_MEMORY)))
      fail_msg("%d %s", (int)status, toi_context_error(context));
    toi_contact_scene_free(context, &scene);
    toi_context_destroy(context);
    assert_int_equal(allocator.blocks, 0);
    assert_int_equal(allocator.wrong_sizes, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patches_are_written_out_or_named),
      cmocka_unit_test(a_file_goes_before_a_shape_of_its_name),
      cmocka_unit_test(linear_motions_are_told_from_others),
      cmocka_unit_test(older_scenes_have_models_and_motions),
      cmocka_unit_test(a_separation_and_a_single_model_are_questions_too),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, test_context_make, test_context_remove);
}
