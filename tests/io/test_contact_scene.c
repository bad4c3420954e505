/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes of moving surfaces from files: every shape and every motion is the one that the calls make, formulas mean what
 * they say whatever the order of names, and what is written exactly is enclosed. */

#include "io/contact.h"

#include <fenv.h>

/* The least double above 2 pi. */
#define TWO_PI_UP 0x1.921fb54442d19p+2

/* --- what is asked --- */

static void a_scene_of_two_bodies_has_defaults(void **state) {
  toi_contact_scene scene;
  scene_from(*state, "{\"bodies\":[{\"name\":\"a \\u00e9\",\"shape\":{\"plane\":{}}},\n" BALL "]}", &scene);
  assert_int_equal(scene.count, 2);
  assert_string_equal(scene.names[0], "a \xc3\xa9");
  assert_string_equal(scene.names[1], "ball");
  assert_string_equal(scene.title, "");
  assert_true(scene.bodies[0].shape != NULL && scene.bodies[0].motion == NULL);
  const toi_contact_options wanted = toi_default_contact_options();
  assert_true(scene.options->size == wanted.size && scene.options->t_max == wanted.t_max &&
              scene.options->tolerance == wanted.tolerance && scene.options->simultaneity == wanted.simultaneity &&
              scene.options->spacing == wanted.spacing && scene.options->incoming == wanted.incoming &&
              scene.options->max_boxes == wanted.max_boxes && scene.options->max_seconds == wanted.max_seconds);
  toi_contact_scene_free(*state, &scene);
  expect_empty_scene(&scene);
  toi_contact_scene_free(*state, &scene);
}

static void every_option_is_taken(void **state) {
  toi_contact_scene scene;
  scene_from(*state,
             "\xef\xbb\xbf{\"bodies\":[" BALL ",{\"note\":\"n\",\"shape\":{\"plane\":{}},\"motion\":[],\"name\":\"p\"},"
             "{\"name\":\"q\",\"shape\":{\"sphere\":{\"radius\":2}}}],\n\"$schema\":\"s\",\"title\":\"T\",\"note\":"
             "\"n\",\"t_max\":\"2*second\",\"tolerance\":1e-3,\"simultaneity\":1e-4,\"spacing\":0.5,\"incoming\":"
             "\"off\",\"max_boxes\":12345,\"max_seconds\":1.5,\"constants\":{\"second\":1.25}}",
             &scene);
  assert_int_equal(scene.count, 3);
  assert_string_equal(scene.title, "T");
  assert_string_equal(scene.names[2], "q");
  assert_true(scene.options->t_max == 2.5 && scene.options->tolerance == 1e-3 && scene.options->simultaneity == 1e-4);
  assert_true(scene.options->spacing == 0.5 && scene.options->incoming == TOI_INCOMING_OFF);
  assert_true(scene.options->max_boxes == 12345 && scene.options->max_seconds == 1.5);
  assert_non_null(scene.bodies[1].motion);
  toi_contact_scene_free(*state, &scene);
  static const char *const words[] = {"auto", "off", "on"};
  for (size_t i = 0; i < 3; i++) {
    char text[512];
    snprintf(text, sizeof text, "{\"incoming\":\"%s\",\"bodies\":[" BALL "," BODY("{\"plane\":{}}", "") "]}", words[i]);
    scene_from(*state, text, &scene);
    assert_int_equal(scene.options->incoming, (toi_incoming)i);
    toi_contact_scene_free(*state, &scene);
  }
}

/* --- shapes --- */

/* Where the two shapes are: the same points, bit for bit. */
static void expect_shape(const toi_shape *a, const toi_shape *b) {
  const toi_extent x = toi_shape_extent(a), y = toi_shape_extent(b);
  assert_true(x.implicit == y.implicit && x.solid == y.solid && x.edges == y.edges);
  for (int i = 0; i < 25; i++) {
    const int row = i / 5;
    const double p = i % 5 / 4.0, q = row / 4.0, t = i / 24.0;
    double here[2][3] = {{0}}, normals[2][3] = {{0}}, values[2] = {0};
    if (x.implicit) {
      const double point[3] = {p - 0.25, q - 0.5, t};
      assert_int_equal(toi_shape_value(a, point, t, &values[0], normals[0]), TOI_OK);
      assert_int_equal(toi_shape_value(b, point, t, &values[1], normals[1]), TOI_OK);
      assert_true(values[0] == values[1]);
      continue;
    }
    assert_true(x.u.lo == y.u.lo && x.u.hi == y.u.hi && x.v.lo == y.v.lo && x.v.hi == y.v.hi);
    const double u = x.u.lo + p * (x.u.hi - x.u.lo), v = x.v.lo + q * (x.v.hi - x.v.lo);
    assert_int_equal(toi_shape_point(a, u, v, t, here[0], normals[0]), TOI_OK);
    assert_int_equal(toi_shape_point(b, u, v, t, here[1], normals[1]), TOI_OK);
    assert_memory_equal(here[0], here[1], sizeof here[0]);
  }
}

static void shapes_are_those_of_the_library(void **state) {
  static const struct {
    const char *text;
    toi_shape_kind kind;
    toi_shape_form form;
    double size[5];
  } shapes[] = {
      {"{\"plane\":{}}", TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, {1, 1}},
      {"{\"plane\":{\"size\":[2,\"3*half\"],\"form\":\"parametric\"}}",
       TOI_SHAPE_PLANE,
       TOI_SHAPE_FORM_PARAMETRIC,
       {2, 1.5}},
      {"{\"sphere\":{\"radius\":0.3}}", TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, {0.3}},
      {"{\"sphere\":{\"form\":\"parametric\",\"radius\":\"half\"}}",
       TOI_SHAPE_SPHERE,
       TOI_SHAPE_FORM_PARAMETRIC,
       {0.5}},
      {"{\"ellipsoid\":{\"half_axes\":[1,2,3]}}", TOI_SHAPE_ELLIPSOID, TOI_SHAPE_FORM_DEFAULT, {1, 2, 3}},
      {"{\"cylinder\":{\"height\":2,\"radius\":0.7}}", TOI_SHAPE_CYLINDER, TOI_SHAPE_FORM_DEFAULT, {0.7, 2}},
      {"{\"cone\":{\"radius\":2,\"height\":0.7}}", TOI_SHAPE_CONE, TOI_SHAPE_FORM_DEFAULT, {2, 0.7}},
      {"{\"torus\":{\"tube_radius\":0.25,\"ring_radius\":2}}", TOI_SHAPE_TORUS, TOI_SHAPE_FORM_DEFAULT, {2, 0.25}},
      {"{\"superquadric\":{\"half_axes\":[1,2,3],\"exponents\":[\"half\",1]}}",
       TOI_SHAPE_SUPERQUADRIC,
       TOI_SHAPE_FORM_DEFAULT,
       {1, 2, 3, 0.5, 1}},
      {"{\"bumpy-sphere\":{\"radius\":2,\"bump\":0.08,\"waves\":[6,8]}}",
       TOI_SHAPE_BUMPY_SPHERE,
       TOI_SHAPE_FORM_DEFAULT,
       {2, 0.08, 6, 8}},
  };
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    char text[1024];
    snprintf(text, sizeof text, SCENE("\"constants\":{\"half\":0.5},", BODY("%s", "")), shapes[i].text);
    toi_contact_scene scene;
    toi_shape *wanted;
    scene_from(*state, text, &scene);
    assert_int_equal(toi_shape_library(*state, shapes[i].kind, shapes[i].form, shapes[i].size, &wanted), TOI_OK);
    expect_shape(scene.bodies[0].shape, wanted);
    // The library's own name is that of the file.
    assert_memory_equal(shapes[i].text + 2, toi_shape_kind_name(shapes[i].kind),
                        strlen(toi_shape_kind_name(shapes[i].kind)));
    toi_shape_destroy(wanted);
    toi_contact_scene_free(*state, &scene);
  }
}

static void expect_point(const toi_shape *shape, const double uvt[3], const double wanted[3]) {
  double point[3], normal[3];
  assert_int_equal(toi_shape_point(shape, uvt[0], uvt[1], uvt[2], point, normal), TOI_OK);
  for (int k = 0; k < 3; k++)
    if (!(fabs(point[k] - wanted[k]) < 1e-14))
      fail_msg("coordinate %d is %.17g instead of %.17g", k, point[k], wanted[k]);
}

/* r is defined behind its use, and uses what is defined behind it. */
static void parametric_surfaces_use_names_in_any_order(void **state) {
  toi_contact_scene scene;
  scene_from(
      *state,
      "{\"bodies\":[{\"name\":\"b\",\"shape\":{\"parametric\":{\"x\":\"r*cos(u)\",\"y\":\"r*sin(u)\",\"z\":\"v + "
      "1e0*t\",\"u\":[0,\"2*pi\"],\"v\":[-1,1],\"seams\":[\"u\"],\"let\":{\"r\":\"1 + d\",\"d\":\"R*v^2\"}}}}," BALL
      "],\"constants\":{\"R\":\"S/4\",\"S\":1,\"e0\":7}}",
      &scene);
  const toi_extent extent = toi_shape_extent(scene.bodies[0].shape);
  assert_true(!extent.implicit && !extent.solid && extent.edges == TOI_EDGES_V);
  // The domain holds 2 pi.
  assert_true(extent.u.lo == 0 && extent.u.hi == TWO_PI_UP && extent.v.lo == -1 && extent.v.hi == 1);
  expect_point(scene.bodies[0].shape, (double[]){1, 0.5, 0.25}, (double[]){1.0625 * cos(1), 1.0625 * sin(1), 0.75});
  toi_contact_scene_free(*state, &scene);
}

static void edges_are_real_unless_they_are_said_to_be_seams(void **state) {
  static const struct {
    const char *text;
    uint32_t edges;
  } seams[] = {
      {"", TOI_EDGES},
      {",\"closed\":false", TOI_EDGES},
      {",\"closed\":false,\"seams\":[]", TOI_EDGES},
      {",\"seams\":[\"u\"]", TOI_EDGES_V},
      {",\"seams\":[\"v\"]", TOI_EDGES_U},
      {",\"seams\":[\"u_lo\"]", TOI_EDGES - TOI_EDGE_U_LO},
      {",\"seams\":[\"u_hi\"]", TOI_EDGES - TOI_EDGE_U_HI},
      {",\"seams\":[\"v_lo\"]", TOI_EDGES - TOI_EDGE_V_LO},
      {",\"seams\":[\"v_hi\"]", TOI_EDGES - TOI_EDGE_V_HI},
      {",\"seams\":[\"v_hi\",\"u\"]", TOI_EDGE_V_LO},
      {",\"seams\":[\"u\",\"u\",\"v\"]", 0},
      {",\"closed\":true", 0},
      {",\"closed\":true,\"solid\":false", 0},
  };
  for (size_t i = 0; i < sizeof seams / sizeof seams[0]; i++) {
    char text[1024];
    toi_contact_scene scene;
    // A torus goes on smoothly everywhere.
    snprintf(text, sizeof text,
             SHAPE("{\"parametric\":{\"let\":{\"r\":\"2 + cos(v)\"},\"x\":\"r*cos(u)\",\"y\":\"r*sin(u)\",\"z\":"
                   "\"sin(v)\",\"u\":[\"-pi\",\"pi\"],\"v\":[0,\"2*pi\"]%s}}"),
             seams[i].text);
    scene_from(*state, text, &scene);
    assert_int_equal(toi_shape_extent(scene.bodies[0].shape).edges, seams[i].edges);
    toi_contact_scene_free(*state, &scene);
  }
}

static void implicit_surfaces_are_bounded_or_not(void **state) {
  toi_contact_scene scene;
  double value, normal[3];
  scene_from(*state,
             SHAPE("{\"implicit\":{\"f\":\"x + 2*y + 4*z + 8*t - k\",\"let\":{\"k\":1},\"solid\":true,\"bounds\":"
                   "[[-1,1],[\"-pi\",\"pi\"],[0,\"1/3\"]]}}"),
             &scene);
  toi_extent extent = toi_shape_extent(scene.bodies[0].shape);
  assert_true(extent.implicit && extent.solid && extent.bounds[0].lo == -1 && extent.bounds[0].hi == 1);
  assert_true(extent.bounds[1].lo == -TWO_PI_UP / 2 && extent.bounds[1].hi == TWO_PI_UP / 2);
  assert_true(extent.bounds[2].lo == 0 && extent.bounds[2].hi > 1.0 / 3 && extent.bounds[2].hi < 0.34);
  assert_int_equal(toi_shape_value(scene.bodies[0].shape, (double[]){1, 1, 1}, 0.5, &value, normal), TOI_OK);
  assert_true(value == 10);
  toi_contact_scene_free(*state, &scene);
  static const char *const whole[] = {SHAPE("{\"implicit\":{\"f\":\"z\"}}"),
                                      SHAPE("{\"implicit\":{\"f\":\"z\",\"bounds\":null}}")};
  for (size_t i = 0; i < 2; i++) {
    scene_from(*state, whole[i], &scene);
    extent = toi_shape_extent(scene.bodies[0].shape);
    assert_true(!extent.solid && isinf(extent.bounds[0].lo) && isinf(extent.bounds[2].hi));
    toi_contact_scene_free(*state, &scene);
  }
}

static void profiles_are_turned_about_z(void **state) {
  toi_contact_scene scene;
  scene_from(*state,
             SHAPE("{\"revolution\":{\"radius\":\"r\",\"height\":\"h*v\",\"v\":[0,1],\"let\":{\"r\":\"1 + v^2\",\"h\":"
                   "\"2 + t\"}}}"),
             &scene);
  const toi_extent extent = toi_shape_extent(scene.bodies[0].shape);
  assert_true(extent.edges == TOI_EDGES_V && !extent.solid && extent.u.lo == 0 && extent.u.hi == 1);
  expect_point(scene.bodies[0].shape, (double[]){0.125, 0.5, 1}, (double[]){1.25 * sqrt(0.5), 1.25 * sqrt(0.5), 1.5});
  toi_contact_scene_free(*state, &scene);
  // A ball: the outside is on the right as the profile climbs.
  scene_from(*state,
             SHAPE("{\"revolution\":{\"radius\":\"cos(v)\",\"height\":\"sin(v)\",\"v\":[\"-pi/2\",\"pi/2\"],"
                   "\"closed\":true,\"solid\":true}}"),
             &scene);
  assert_true(toi_shape_extent(scene.bodies[0].shape).edges == 0 && toi_shape_extent(scene.bodies[0].shape).solid);
  double point[3], normal[3];
  assert_int_equal(toi_shape_point(scene.bodies[0].shape, 0, 0, 0, point, normal), TOI_OK);
  assert_true(fabs(point[0] - 1) < 1e-15 && fabs(normal[0] - 1) < 1e-15);
  toi_contact_scene_free(*state, &scene);
}

static void height_fields_are_open(void **state) {
  toi_contact_scene scene;
  scene_from(*state, SHAPE("{\"height-field\":{\"z\":\"a*v\",\"u\":[0,1],\"v\":[-1,2],\"let\":{\"a\":\"u + t\"}}}"),
             &scene);
  const toi_extent extent = toi_shape_extent(scene.bodies[0].shape);
  assert_true(extent.edges == TOI_EDGES && !extent.solid && extent.v.hi == 2);
  expect_point(scene.bodies[0].shape, (double[]){0.5, 1.5, 0.25}, (double[]){0.5, 1.5, 1.125});
  toi_contact_scene_free(*state, &scene);
}

/* --- motions --- */

/* The two are the same at all times, up to rounding. */
static void expect_motion(const toi_motion *a, const toi_motion *b) {
  for (int i = 0; i <= 8; i++) {
    const toi_interval t = {i / 8.0, i / 8.0};
    toi_interval x[12] = {{0}}, y[12] = {{0}};
    assert_int_equal(toi_motion_at(a, t, x, x + 9), TOI_OK);
    assert_int_equal(toi_motion_at(b, t, y, y + 9), TOI_OK);
    for (int k = 0; k < 12; k++) {
      assert_true(x[k].lo <= y[k].hi && y[k].lo <= x[k].hi);
      assert_true(x[k].hi - x[k].lo < 1e-12 && y[k].hi - y[k].lo < 1e-12);
    }
  }
}

/* The motion that a text describes is this one, which is destroyed. */
static void expect_moved(toi_context *context, const char *motion, toi_status status, toi_motion *wanted) {
  assert_int_equal(status, TOI_OK);
  char text[2048];
  snprintf(text, sizeof text, SCENE("\"constants\":{\"half\":0.5},", BODY("{\"plane\":{}}", ",\"motion\":%s")), motion);
  toi_contact_scene scene;
  scene_from(context, text, &scene);
  expect_motion(scene.bodies[0].motion, wanted);
  assert_null(scene.bodies[1].motion);
  toi_contact_scene_free(context, &scene);
  toi_motion_destroy(wanted);
}

static toi_motion *rest(toi_context *context) {
  toi_motion *motion;
  assert_int_equal(toi_motion_create(context, &motion), TOI_OK);
  return motion;
}

static void moves_shift_by_numbers_and_formulas(void **state) {
  static const double shift[3] = {1, 2, 3}, velocity[3] = {0.5, 0, -1};
  static const char *const formulas[3] = {"t^2", "2", "pi - t"};
  toi_motion *m = rest(*state);
  expect_moved(*state, "{\"move\":{\"shift\":[1,2,3]}}", toi_motion_move(m, shift, NULL), m);
  m = rest(*state);
  expect_moved(*state, "[{\"move\":{\"velocity\":[\"half\",0,-1]}}]", toi_motion_move(m, NULL, velocity), m);
  m = rest(*state);
  expect_moved(*state, "[{\"move\":{\"velocity\":[0.5,0,-1],\"shift\":[1,2,3]}}]", toi_motion_move(m, shift, velocity),
               m);
  m = rest(*state);
  expect_moved(*state, "[{\"move\":{\"shift\":[\"t^2\",2,\"pi - t\"]}}]", toi_motion_formula(m, NULL, formulas), m);
  m = rest(*state);
  assert_int_equal(toi_motion_move(m, NULL, velocity), TOI_OK);
  expect_moved(*state, "[{\"move\":{\"shift\":[\"t^2\",\"4*half\",\"pi - t\"],\"velocity\":[0.5,0,-1]}}]",
               toi_motion_formula(m, NULL, formulas), m);
  m = rest(*state);
  expect_moved(*state, "[]", TOI_OK, m);
}

static void turns_and_screws_are_those_of_the_calls(void **state) {
  static const double axis[3] = {1, 1, 0}, through[3] = {0.5, 0, 2}, shift[3] = {1, 2, 3};
  toi_motion *m = rest(*state);
  expect_moved(*state, "{\"turn\":{\"axis\":[1,1,0],\"angle\":0.3,\"rate\":0.5}}",
               toi_motion_turn(m, axis, NULL, 0.3, 0.5), m);
  m = rest(*state);
  expect_moved(*state, "{\"turn\":{\"axis\":[1,1,0],\"rate\":0.5,\"through\":[\"half\",0,2]}}",
               toi_motion_turn(m, axis, through, 0, 0.5), m);
  // An angle that is a formula, also about an axis elsewhere, also with a rate beside it.
  m = rest(*state);
  expect_moved(*state, "{\"turn\":{\"axis\":[1,1,0],\"angle\":\"0.25 + half*t\",\"through\":[0.5,0,2]}}",
               toi_motion_turn(m, axis, through, 0.25, 0.5), m);
  m = rest(*state);
  expect_moved(*state, "{\"turn\":{\"axis\":[1,1,0],\"angle\":\"0.25 - half*t\",\"rate\":1,\"through\":[0.5,0,2]}}",
               toi_motion_turn(m, axis, through, 0.25, 0.5), m);
  m = rest(*state);
  assert_int_equal(toi_motion_move(m, shift, NULL), TOI_OK);
  expect_moved(*state, "[{\"move\":{\"shift\":[1,2,3]}},{\"turn\":{\"axis\":[1,1,0],\"angle\":1}}]",
               toi_motion_turn(m, axis, NULL, 1, 0), m);
  const toi_screw screw = {.axis = {1, 1, 0}, .through = {0.5, 0, 2}, .angle = 1, .rate = 2, .shift = 3, .speed = 4};
  m = rest(*state);
  expect_moved(
      *state,
      "{\"screw\":{\"axis\":[1,1,0],\"through\":[0.5,0,2],\"angle\":1,\"rate\":\"4*half\",\"shift\":3,\"speed\":"
      "4}}",
      toi_motion_screw(m, &screw), m);
}

/* About an axis by its length; along no axis of the coordinates the length is no double. */
static void spins_turn_by_their_length(void **state) {
  static const double z[3] = {0, 0, -2}, slant[3] = {2, 3, 6}, through[3] = {0.5, 0, 2};
  toi_motion *m = rest(*state);
  expect_moved(*state, "{\"spin\":{\"rate\":[0,0,-2]}}", toi_motion_turn(m, z, NULL, 0, 2), m);
  m = rest(*state);
  expect_moved(*state, "[{\"spin\":{\"rate\":[2,3,6],\"through\":[\"half\",0,2]}}]",
               toi_motion_turn(m, slant, through, 0, 7), m);
}

/* A quarter turn about z written with pi takes x to y, exactly within the enclosure; with a number it does not. */
static void angles_in_quotes_are_not_rounded(void **state) {
  static const char *const angles[] = {"\"pi/2\"", "1.5707963267948966"};
  for (int i = 0; i < 2; i++) {
    char text[512];
    toi_contact_scene scene;
    snprintf(text, sizeof text, MOTION("{\"turn\":{\"axis\":[0,0,1],\"angle\":%s}}"), angles[i]);
    scene_from(*state, text, &scene);
    toi_interval rotation[9] = {{0}}, translation[3] = {{0}};
    assert_int_equal(toi_motion_at(scene.bodies[0].motion, (toi_interval){0, 1}, rotation, translation), TOI_OK);
    assert_true(rotation[3].lo <= 1 && rotation[3].hi >= 1);
    assert_true((rotation[0].lo <= 0 && rotation[0].hi >= 0) == (i == 0));
    toi_contact_scene_free(*state, &scene);
  }
}

static void formulas_turn_and_shift(void **state) {
  static const char *const quaternion[4] = {"1", "t", "0", "t^2"}, *const translation[3] = {"t", "0", "sin(t)"};
  toi_motion *m = rest(*state);
  expect_moved(*state, "{\"formula\":{\"quaternion\":[1,\"t\",\"0\",\"w^2\"],\"let\":{\"w\":\"t\"}}}",
               toi_motion_formula(m, quaternion, NULL), m);
  m = rest(*state);
  expect_moved(*state, "[{\"formula\":{\"translation\":[\"t\",0,\"sin(t)\"]}}]",
               toi_motion_formula(m, NULL, translation), m);
  m = rest(*state);
  expect_moved(*state,
               "[{\"formula\":{\"translation\":[\"t\",0,\"sin(2*half*t)\"],\"quaternion\":[1,\"t\",0,\"t*t\"]}}]",
               toi_motion_formula(m, quaternion, translation), m);
}

static void series_are_those_of_the_calls(void **state) {
  static const double w[3] = {1, 0.25, 0}, x[3] = {0, 0.5, 0.125}, zero[3] = {0};
  toi_chebyshev series = {.t_from = -1, .t_to = 1.5, .count = 3, .quaternion = {w, x, zero, zero}};
  toi_motion *m = rest(*state);
  expect_moved(*state,
               "{\"chebyshev\":{\"from\":-1,\"to\":\"3*half\",\"quaternion\":[[1,0.25,0],[0,0.5,0.125],[0,0,0],[0,0,0]]"
               "}}",
               toi_motion_chebyshev(m, &series), m);
  series.translation[0] = x;
  series.translation[1] = zero;
  series.translation[2] = w;
  m = rest(*state);
  expect_moved(*state,
               "[{\"chebyshev\":{\"translation\":[[0,0.5,0.125],[0,0,0],[1,0.25,0]],\"from\":-1,\"to\":1.5,"
               "\"quaternion\":[[1,0.25,0],[0,0.5,0.125],[0,0,0],[0,0,0]]}}]",
               toi_motion_chebyshev(m, &series), m);
  m = rest(*state);
  expect_moved(*state,
               "[{\"samples\":{\"translation\":[[0,0.5,0.125],[0,0,0],[1,0.25,0]],\"from\":-1,\"to\":1.5,"
               "\"quaternion\":[[1,0.25,0],[0,0.5,0.125],[0,0,0],[0,0,0]]}}]",
               toi_motion_fitted(m, &series, NULL), m);
  // With a bound the enclosures grow: compared by themselves.
  toi_contact_scene scene;
  scene_from(*state,
             MOTION("{\"samples\":{\"from\":0,\"to\":1,\"translation\":[[1,2],[0,0],[0,0]],\"derivative_bound\":0.5}}"),
             &scene);
  toi_interval rotation[9] = {{0}}, translation[3] = {{0}};
  assert_int_equal(toi_motion_at(scene.bodies[0].motion, (toi_interval){0.5, 0.5}, rotation, translation), TOI_OK);
  assert_true(translation[0].lo < 1.49 && translation[0].hi > 1.51);
  toi_contact_scene_free(*state, &scene);
}

/* --- files --- */

static void the_shipped_scenes_can_be_read(void **state) {
  for (size_t i = 0; i < SHIPPED; i++) {
    char path[1024];
    toi_contact_scene scene;
    scene_fine(*state, shipped_path(i, path), &scene);
    assert_true(scene.count == 2 || scene.count == 3);
    assert_true(strlen(scene.title) > 0);
    toi_contact_scene_free(*state, &scene);
  }
}

/* As a file of names is written by those who sort them: bodies come before constants, let before x. */
static void long_formulas_and_many_names_are_fine(void **state) {
  const size_t names = 500, room = 1 << 17;
  char *text = malloc(room);
  assert_non_null(text);
  size_t used = (size_t)snprintf(text, room,
                                 "{\"bodies\":[" BALL ",{\"name\":\"b\",\"shape\":{\"height-field\":"
                                 "{\"u\":[0,1],\"v\":[0,1],\"z\":\"n0");
  for (size_t i = 0; i < 5000; i++)
    used += (size_t)snprintf(text + used, room - used, " + 0*u*v");
  used += (size_t)snprintf(text + used, room - used, "\"}}}],\"constants\":{");
  for (size_t i = 0; i < names; i++)
    used += (size_t)snprintf(text + used, room - used, "\"n%zu\":\"n%zu + 1\",", i, i + 1);
  used += (size_t)snprintf(text + used, room - used, "\"n%zu\":0.5}}", names);
  assert_true(used < room);
  toi_contact_scene scene;
  scene_fine(*state, test_write_text("long.json.gz", text), &scene);
  expect_point(scene.bodies[1].shape, (double[]){0.5, 1, 0}, (double[]){0.5, 1, 500.5});
  toi_contact_scene_free(*state, &scene);
  free(text);
}

static void another_rounding_mode_does_not_matter(void **state) {
  toi_contact_scene scene, other;
  scene_from(*state, SHAPE("{\"sphere\":{\"radius\":\"0.1 + pi\",\"form\":\"parametric\"}}"), &scene);
  assert_int_equal(fesetround(FE_UPWARD), 0);
  const toi_status status = toi_contact_scene_read(*state, test_path("scene.json"), &other);
  assert_int_equal(fesetround(FE_TONEAREST), 0);
  assert_int_equal(status, TOI_OK);
  expect_shape(scene.bodies[0].shape, other.bodies[0].shape);
  toi_contact_scene_free(*state, &scene);
  toi_contact_scene_free(*state, &other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scene_of_two_bodies_has_defaults),
      cmocka_unit_test(every_option_is_taken),
      cmocka_unit_test(shapes_are_those_of_the_library),
      cmocka_unit_test(parametric_surfaces_use_names_in_any_order),
      cmocka_unit_test(edges_are_real_unless_they_are_said_to_be_seams),
      cmocka_unit_test(implicit_surfaces_are_bounded_or_not),
      cmocka_unit_test(profiles_are_turned_about_z),
      cmocka_unit_test(height_fields_are_open),
      cmocka_unit_test(moves_shift_by_numbers_and_formulas),
      cmocka_unit_test(turns_and_screws_are_those_of_the_calls),
      cmocka_unit_test(spins_turn_by_their_length),
      cmocka_unit_test(angles_in_quotes_are_not_rounded),
      cmocka_unit_test(formulas_turn_and_shift),
      cmocka_unit_test(series_are_those_of_the_calls),
      cmocka_unit_test(the_shipped_scenes_can_be_read),
      cmocka_unit_test(long_formulas_and_many_names_are_fine),
      cmocka_unit_test(another_rounding_mode_does_not_matter),
  };
  return cmocka_run_group_tests(tests, test_context_make, test_context_remove);
}
