/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Solids that are joined from faces, against closed forms: what comes down on each feature of a box, a can, a cone and
 * a wedge that are made of patches and formulas, over rectangles and triangles (spots.h). */

#define SPOT_FRAMES 12

#include "contact/faces.h"
#include "contact/spots.h"

/* --- the solids of the library once more --- */

static toi_shape *box_of_patches(void) {
  faces f = {.count = 0};
  faces_box(&f, box_size, 0);
  return faces_solid(&f);
}

static toi_shape *box_of_both(void) {
  faces f = {.count = 0};
  faces_box(&f, box_size, 42);
  return faces_solid(&f);
}

/* Each side in two triangles: diagonals are smooth. */
static toi_shape *box_of_triangles(void) {
  static const int corners[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  faces f = {.count = 0};
  double at[8][3];
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++)
      at[i][k] = ((i >> k & 1) - 0.5) * box_size[k];
  for (int i = 0; i < 12; i++)
    (i % 3 == 0 ? faces_formula_triangle : faces_triangle)(&f, at[corners[i][0]], at[corners[i][1]], at[corners[i][2]]);
  return faces_solid(&f);
}

static toi_shape *wedge_of_triangles(void) {
  const double a = 0.5 * wedge_size[0], b = 0.5 * wedge_size[1], c = 0.5 * wedge_size[2];
  const double low[3][3] = {{-a, -b, -c}, {a, -b, -c}, {-a, b, -c}}, high[3][3] = {{-a, -b, c}, {a, -b, c}, {-a, b, c}};
  faces f = {.count = 0};
  for (int i = 0; i < 3; i++)
    faces_quad(&f, low[i], low[(i + 1) % 3], high[(i + 1) % 3], high[i]);
  faces_triangle(&f, high[0], high[1], high[2]);
  faces_formula_triangle(&f, low[0], low[2], low[1]);
  return faces_solid(&f);
}

static const toi_interval whole = {0, 1};

/* Three faces: the side closes around u; the ends are discs around a pole, or, of patches, squares. */
static toi_shape *can_of_formulas(void) {
  const double r = can_size[0], half = 0.5 * can_size[1];
  faces f = {.count = 0};
  char text[5][100];
  snprintf(text[0], sizeof text[0], "%.17g*cos(2*pi*u)", r);
  snprintf(text[1], sizeof text[1], "%.17g*sin(2*pi*u)", r);
  const char *const side[3] = {text[0], text[1], "v"};
  faces_formula_over(&f, side, whole, (toi_interval){-half, half}, TOI_EDGES_V);
  snprintf(text[2], sizeof text[2], "%.17g*v*cos(2*pi*u)", r);
  snprintf(text[3], sizeof text[3], "%.17g*v*sin(2*pi*u)", r);
  snprintf(text[4], sizeof text[4], "%.17g", -half);
  const char *const low[3] = {text[2], text[3], text[4]};
  faces_formula_over(&f, low, whole, whole, TOI_EDGE_V_HI);
  snprintf(text[2], sizeof text[2], "%.17g*(1-v)*cos(2*pi*u)", r);
  snprintf(text[3], sizeof text[3], "%.17g*(1-v)*sin(2*pi*u)", r);
  snprintf(text[4], sizeof text[4], "%.17g", half);
  faces_formula_over(&f, low, whole, whole, TOI_EDGE_V_LO);
  return faces_solid(&f);
}

/* A cone with its tip, and a disc below. */
static toi_shape *cone_of_formulas(void) {
  const double r = cone_size[0], h = cone_size[1];
  faces f = {.count = 0};
  char text[5][100];
  snprintf(text[0], sizeof text[0], "%.17g*(1-v)*cos(2*pi*u)", r);
  snprintf(text[1], sizeof text[1], "%.17g*(1-v)*sin(2*pi*u)", r);
  snprintf(text[2], sizeof text[2], "%.17g*v", h);
  const char *const side[3] = {text[0], text[1], text[2]};
  faces_formula_over(&f, side, whole, whole, TOI_EDGES_V);
  snprintf(text[3], sizeof text[3], "%.17g*v*cos(2*pi*u)", r);
  snprintf(text[4], sizeof text[4], "%.17g*v*sin(2*pi*u)", r);
  const char *const low[3] = {text[3], text[4], "0"};
  faces_formula_over(&f, low, whole, whole, TOI_EDGE_V_HI);
  return faces_solid(&f);
}

/* Beside the pole of a disc, where no derivative tells u: there the bracket is wider. */
static void away_from_pole(spot *s, void (*choose)(spot *s)) {
  do
    choose(s);
  while (s->rank == 1 && !s->curved && hypot(s->x[0], s->x[1]) < 0.05);
}

static void on_polar_can(spot *s) {
  away_from_pole(s, on_can);
}

static void on_polar_cone(spot *s) {
  away_from_pole(s, on_cone);
}

static const solid solids[] = {
    {"box of patches", on_box, {0, 0, 0}, INFINITY, 0, NULL, box_of_patches},
    {"box of both", on_box, {0, 0, 0}, INFINITY, 0, NULL, box_of_both},
    {"box of triangles", on_box, {0, 0, 0}, INFINITY, 0, NULL, box_of_triangles},
    {"wedge of triangles", on_wedge, {-0.4, -0.3, 0}, INFINITY, 0, NULL, wedge_of_triangles},
    {"can of formulas", on_polar_can, {0, 0, 0}, INFINITY, 0, NULL, can_of_formulas},
    {"cone of formulas", on_polar_cone, {0, 0, 0.4}, 1.5, 0, NULL, cone_of_formulas},
};
#define SOLIDS (sizeof solids / sizeof *solids)

static void ball_comes_down_on_joined_faces(void **state) {
  (void)state;
  run(solids, SOLIDS, "ball", 0);
}

static void corner_comes_down_on_joined_faces(void **state) {
  (void)state;
  run(solids, SOLIDS, "corner", 1);
}

static void edge_comes_down_on_joined_edges(void **state) {
  (void)state;
  run(solids, SOLIDS, "edge", 2);
}

static void ball_leaves_joined_faces(void **state) {
  (void)state;
  leave(solids, SOLIDS);
}

/* --- points --- */

static bool is_in_box(const double p[3]) {
  return fabs(p[0]) < 0.5 * box_size[0] && fabs(p[1]) < 0.5 * box_size[1] && fabs(p[2]) < 0.5 * box_size[2];
}

static bool is_in_can(const double p[3]) {
  return hypot(p[0], p[1]) < can_size[0] && fabs(p[2]) < 0.5 * can_size[1];
}

static void points_of_joined_solids_are_told(void **state) {
  (void)state;
  const struct {
    toi_shape *shape;
    bool (*holds)(const double p[3]);
  } all[] = {{box_of_both(), is_in_box}, {box_of_triangles(), is_in_box}, {can_of_formulas(), is_in_can}};
  size_t unknown = 0;
  const size_t count = 40;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const toi_body body = {.shape = all[i].shape};
    for (size_t n = 0; n < count; n++) {
      const double p[3] = {between(-1.1, 1.1), between(-1, 1), between(-0.8, 0.8)};
      toi_inside inside;
      assert_int_equal(toi_contact_inside(context, &body, 0, p, &inside), TOI_OK);
      unknown += inside == TOI_INSIDE_UNKNOWN;
      assert_true(inside == TOI_INSIDE_UNKNOWN || (inside == TOI_INSIDE_YES) == all[i].holds(p));
    }
    toi_shape_destroy(all[i].shape);
  }
  assert_true(unknown <= count / 20);
}

/* --- what is no solid --- */

static const double size[3] = {2, 1.5, 1};

/* The solid is refused, with these words. */
static void refuse(faces *f, const char *words) {
  toi_shape *shape = NULL;
  assert_int_equal(faces_join(f, 0, &shape), TOI_ERROR_INPUT);
  assert_null(shape);
  if (strstr(toi_context_error(context), words) == NULL)
    fail_msg("'%s' does not say '%s'", toi_context_error(context), words);
  faces_clear(f);
}

/* A square that stands on the upper edge of the box at x = 1, of the face's corners. */
static void add_fin(faces *f) {
  static const double corners[4][3] = {{1, -0.75, 0.5}, {1, 0.75, 0.5}, {1, 0.75, 2}, {1, -0.75, 2}};
  faces_quad(f, corners[0], corners[1], corners[2], corners[3]);
}

static void turn_over(faces *f, size_t number) {
  static const int corners[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  double at[4][3];
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++)
      at[i][k] = ((corners[number][i] >> k & 1) - 0.5) * size[k];
  toi_shape *last;
  faces_quad(f, at[0], at[3], at[2], at[1]);
  last = f->shape[--f->count];
  toi_shape_destroy(f->shape[number]);
  f->shape[number] = last;
}

static void faces_that_hold_no_solid_are_refused(void **state) {
  (void)state;
  faces f = {.count = 0};
  faces_box(&f, size, 0);
  toi_shape_destroy(f.shape[--f.count]);
  refuse(&f, "faces[0]: its edge v_hi meets no other edge");
  faces_box(&f, size, 0);
  add_fin(&f);
  refuse(&f, "is used three times");
  faces_box(&f, size, 21);
  turn_over(&f, 3);
  refuse(&f, "faces[0] and faces[3] have their outsides on different sides where they meet");
  faces_box(&f, size, 0);
  for (size_t i = 0; i < 6; i++)
    turn_over(&f, i);
  refuse(&f, "inside out");
  refuse(&f, "0 faces; a joined solid has two at least");
  faces_box(&f, size, 63);
  const double tiny[3] = {1e-7, 1e-7, 1e-7};
  faces_box(&f, tiny, 0);
  refuse(&f, "faces[6] is 1e-07 long");
  faces_box(&f, size, 0);
  static const char *const over[3] = {"u", "v + t", "0"};
  faces_formula_over(&f, over, whole, whole, TOI_EDGES);
  refuse(&f, "faces[6] deforms");
  static const char *const seamless[3] = {"cos(2*pi*u)*(2+cos(2*pi*v))", "sin(2*pi*u)*(2+cos(2*pi*v))", "sin(2*pi*v)"};
  faces_formula_over(&f, seamless, whole, whole, 0);
  faces_formula_over(&f, seamless, whole, whole, 0);
  refuse(&f, "faces[0] is closed");
  toi_shape *ball = NULL;
  const double radius = 1;
  assert_int_equal(toi_shape_library(context, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_IMPLICIT, &radius, &ball), TOI_OK);
  f.shape[f.count++] = ball;
  refuse(&f, "faces[0] is implicit");
  f.shape[f.count++] = box_of_patches();
  refuse(&f, "faces[0] is a solid of several faces already");
}

/* One corner of one face is off by a little, and by more. */
static void gaps_are_proved_and_limited(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    const double off = i == 0 ? 5e-7 : 2e-6;
    faces f = {.count = 0};
    faces_box(&f, size, 0);
    toi_shape_destroy(f.shape[1]);
    const double corners[4][3] = {{-1, -0.75, 0.5}, {1, -0.75, 0.5}, {1, 0.75, 0.5 + off}, {-1, 0.75, 0.5}};
    const size_t count = f.count;
    f.count = 1;
    faces_quad(&f, corners[0], corners[1], corners[2], corners[3]);
    f.count = count;
    toi_shape *shape = NULL;
    if (i == 1) {
      refuse(&f, "2e-06 away at the same parameters; the tolerance is 1e-06");
      continue;
    }
    shape = faces_solid(&f);
    // A plane comes down on the corner, which may be anywhere in the gap.
    stage s = {.context = context};
    const double down[3] = {0, 0, -1}, x[3] = {1, 0, 0}, from[3] = {0, 0, 1}, side[3] = {0.6, -0.8, 0};
    (void)enter(&s, shape);
    toi_motion *m = enter_library(&s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, NULL);
    well(&s, toi_motion_turn(m, x, NULL, acos(-1), 0));
    well(&s, toi_motion_turn(m, side, NULL, 0.1, 0));
    well(&s, toi_motion_move(m, from, down));
    const toi_contact_options options = toi_default_contact_options();
    ask(&s, &options, &got);
    assert_int_equal(got.answer.verdict, TOI_HIT);
    assert_true(got.answer.t_hi - got.answer.t_lo < 1.1e-6);
    clear(&s);
  }
}

/* A ball of a ten thousandth of the box on an edge that is 5e-7 wide, from all directions between both faces. */
static void tiny_ball_is_not_lost_in_a_gap(void **state) {
  (void)state;
  const uint64_t count = test_count_from(24, 6);
  for (uint64_t i = 0; i < count; i++) {
    faces f = {.count = 0};
    faces_box(&f, size, 0);
    toi_shape_destroy(f.shape[1]);
    const double off = 5e-7, radius = 2e-4, turn_by = between(0.02, 1.55), y = between(-0.7, 0.7);
    const double corners[4][3] = {{-1, -0.75, 0.5}, {1, -0.75, 0.5}, {1, 0.75, 0.5 + off}, {-1, 0.75, 0.5}};
    const size_t all = f.count;
    f.count = 1;
    faces_quad(&f, corners[0], corners[1], corners[2], corners[3]);
    f.count = all;
    stage s = {.context = context};
    (void)enter(&s, faces_solid(&f));
    toi_motion *m = enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, &radius);
    const double n[3] = {cos(turn_by), 0, sin(turn_by)};
    const double contact[3] = {1 + radius * n[0], y, 0.5 + radius * n[2]};
    approach(&s, m, contact, n, 0.5);
    const toi_contact_options options = toi_default_contact_options();
    ask(&s, &options, &got);
    assert_int_not_equal(got.answer.verdict, TOI_MISS);
    assert_true(got.answer.t_lo <= 0.5 + 1e-12);
    assert_true(got.answer.t_lo >= 0.5 - 2e-6 && got.answer.t_hi >= 0.5 - 2e-6);
    clear(&s);
  }
}

static void refused_memory_leaves_nothing_behind(void **state) {
  (void)state;
  faces f = {.count = 0};
  faces_box(&f, size, 42);
  test_allocator allocator = {0};
  toi_context *strict = test_context_on(&allocator);
  const size_t blocks = allocator.blocks;
  const toi_faces joined = {.count = f.count, .shapes = (const toi_shape *const *)f.shape};
  toi_shape *shape = NULL;
  size_t refused = 0;
  toi_status status;
  do {
    allocator.refuse_at = allocator.calls + refused + 1;
    status = toi_shape_faces(strict, &joined, &shape);
    refused += status != TOI_OK;
    assert_true(status == TOI_OK || (status == TOI_ERROR_MEMORY && shape == NULL && allocator.blocks == blocks));
  } while (status != TOI_OK);
  assert_true(refused > 40);
  toi_shape_destroy(shape);
  toi_context_destroy(strict);
  assert_int_equal(allocator.blocks, 0);
  assert_int_equal(allocator.wrong_sizes, 0);
  faces_clear(&f);
}

int main(void) {
  seed = test_seed(27);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_comes_down_on_joined_faces),      cmocka_unit_test(corner_comes_down_on_joined_faces),
      cmocka_unit_test(edge_comes_down_on_joined_edges),      cmocka_unit_test(ball_leaves_joined_faces),
      cmocka_unit_test(points_of_joined_solids_are_told),     cmocka_unit_test(faces_that_hold_no_solid_are_refused),
      cmocka_unit_test(gaps_are_proved_and_limited),          cmocka_unit_test(tiny_ball_is_not_lost_in_a_gap),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
