/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Parts that nearly fit, given by formulas: a ball in its socket, a shaft in its bore, an elliptic shaft that rocks, as
 * parametric and implicit surfaces in all four pairings. Gaps down to a 1e-5th of the radius are proved to be there in
 * a bounded number of boxes; parts that are pushed too far, by one gap, are a hit; and whatever a box of random
 * surfaces is told apart by, samples of them agree. */

#include "contact/clearance.h"
#include "contact/program.h"

#define PAIRINGS 4

static uint64_t seed;

/* --- parts --- */

typedef struct part {
  const char *text[3]; /* of u and v, a factor in front of x and y as r */
  const char *function;
  double v[2];
  bool pole; /* v ends at poles: no edge */
} part;

static const part ball = {.text = {"r*cos(u)*cos(v)", "r*sin(u)*cos(v)", "r*sin(v)"},
                          .function = "x^2 + y^2 + z^2 - r^2",
                          .v = {-1.5707963267948966, 1.5707963267948966},
                          .pole = true};
static const part shaft = {
    .text = {"r*cos(u)", "r*sin(u)", "v"}, .function = "x^2 + y^2 - r^2", .v = {-1, 1}, .pole = false};
/* Half axes r and r - 0.02. */
static const part oval = {.text = {"r*cos(u)", "(r - 0.02)*sin(u)", "v"},
                          .function = "(x/r)^2 + (y/(r - 0.02))^2 - 1",
                          .v = {-1, 1},
                          .pole = false};

static toi_formula *make_formula(const stage *s, const char *const *names, size_t count, double radius) {
  toi_formula *f;
  well(s, toi_formula_create(s->context, names, count, &f));
  well(s, toi_formula_name(f, "r", toi_formula_constant(f, radius)));
  return f;
}

static toi_shape *make_parametric(const stage *s, const part *p, double radius, double longer) {
  toi_formula *f = make_formula(s, (const char *const[]){"u", "v", "t"}, 3, radius);
  toi_parametric about = {.size = sizeof about, .formula = f};
  for (int k = 0; k < 3; k++)
    about.at[k] = toi_formula_parse(f, p->text[k]);
  about.u = (toi_interval){0, 6.283185307179586};
  about.v = (toi_interval){p->pole ? p->v[0] : longer * p->v[0], p->pole ? p->v[1] : longer * p->v[1]};
  about.edges = p->pole ? 0 : TOI_EDGE_V_LO | TOI_EDGE_V_HI;
  toi_shape *shape = NULL;
  well(s, toi_shape_parametric(s->context, &about, &shape));
  toi_formula_destroy(f);
  return shape;
}

static toi_shape *make_implicit(const stage *s, const part *p, double radius, double longer) {
  toi_formula *f = make_formula(s, (const char *const[]){"x", "y", "z", "t"}, 4, radius);
  double side = 1.125 * radius, height = p->pole ? side : longer;
  toi_implicit about = {.size = sizeof about, .formula = f, .function = toi_formula_parse(f, p->function)};
  about.bounds[0] = about.bounds[1] = (toi_interval){-side, side};
  about.bounds[2] = (toi_interval){-height, height};
  toi_shape *shape = NULL;
  well(s, toi_shape_implicit(s->context, &about, &shape));
  toi_formula_destroy(f);
  return shape;
}

/* The inner part, whose motion is returned, and the outer one, larger by the gap and half as long again. */
static toi_motion *fit_parts(stage *s, const part *p, double gap, int pairing) {
  toi_motion *motion = enter(s, pairing & 1 ? make_implicit(s, p, 1, 1) : make_parametric(s, p, 1, 1));
  (void)enter(s, pairing & 2 ? make_implicit(s, p, 1 + gap, 1.5) : make_parametric(s, p, 1 + gap, 1.5));
  return motion;
}

/* --- what is asked --- */

static const double gaps[] = {1e-2, 1e-3, 1e-4, 1e-5};
#define GAPS (sizeof gaps / sizeof *gaps)

typedef enum move { REST, SLIDE, TURN, ROCK, PUSHED, PUSHING, PUSHING_TURNED, MOVES } move;

static const char *const move_names[MOVES] = {"rest", "slide", "turn", "rock", "pushed", "pushing", "pushing turned"};

static void set_motion(stage *s, toi_motion *motion, const part *p, double gap, move how) {
  char angle[64];
  switch (how) {
  case SLIDE:
    well(s, toi_motion_move(motion, NULL, p->pole ? (double[]){0.3 * gap, 0, 0.4 * gap} : (double[]){0, 0, 0.3}));
    return;
  case TURN:
    well(s, toi_motion_turn(motion, p->pole ? (double[]){1, 2, 3} : (double[]){0, 0, 1}, NULL, 0, 1));
    return;
  case ROCK:
    // It would touch at an angle of about 50 gaps, in the middle not before 35.
    snprintf(angle, sizeof angle, "%.17g*sin(2*pi*t)", 16 * gap);
    well(s, toi_motion_turn_formula(motion, (double[]){0, 0, 1}, angle));
    well(s, toi_motion_move(motion, (double[]){0.3 * gap, 0, 0}, NULL));
    return;
  case PUSHED:
    well(s, toi_motion_move(motion, (double[]){1.2 * gap, 0, p->pole ? 1.6 * gap : 0}, NULL));
    return;
  case PUSHING_TURNED:
    well(s, toi_motion_turn(motion, p->pole ? (double[]){1, 2, 3} : (double[]){0, 0, 1}, NULL, 0, 1));
    well(s, toi_motion_move(motion, NULL, (double[]){2 * gap, 0, 0}));
    return;
  case PUSHING:
    well(s, toi_motion_move(motion, NULL, (double[]){2 * gap, 0, 0}));
    return;
  default:
    return;
  }
}

/* Asks, with a budget of boxes: a search that does not see how they fit needs millions. */
static void run(const part *p, double gap, int pairing, move how, uint64_t boxes) {
  stage s = {.context = context};
  toi_contact_options options = toi_default_contact_options();
  options.incoming = TOI_INCOMING_OFF;
  options.max_boxes = boxes;
  set_motion(&s, fit_parts(&s, p, gap, pairing), p, gap, how);
  ask(&s, &options, &got);
  if (got.answer.end != TOI_CONTACT_DONE)
    print_message("%s, gap %g, pairing %d: %llu boxes were not enough\n", move_names[how], gap, pairing,
                  (unsigned long long)boxes);
  clear(&s);
}

static void parts_that_fit_never_touch(void **state) {
  (void)state;
  static const struct {
    const part *part;
    move how;
  } fits[] = {{&ball, REST},   {&ball, SLIDE}, {&ball, TURN}, {&shaft, REST},
              {&shaft, SLIDE}, {&shaft, TURN}, {&oval, ROCK}};
  for (size_t i = 0; i < sizeof fits / sizeof *fits; i++)
    for (size_t k = 0; k < GAPS; k += TEST_SANITIZED ? GAPS : 1)
      for (int pairing = 0; pairing < PAIRINGS; pairing++) {
        // Two parametric balls that turn are the hardest: every piece of one meets nine of the other's.
        bool hard = pairing == 0 && fits[i].part == &ball;
        if (hard && fits[i].how == TURN && gaps[k] < 1e-3)
          continue;
        run(fits[i].part, gaps[k], pairing, fits[i].how, hard ? 15000 : 6000);
        assert_int_equal(got.answer.end, TOI_CONTACT_DONE);
        assert_int_equal(got.answer.verdict, TOI_MISS);
      }
}

static void parts_that_are_pushed_into_each_other_touch_at_the_start(void **state) {
  (void)state;
  const part *const parts[2] = {&ball, &shaft};
  for (size_t i = 0; i < 2; i++)
    for (size_t k = 0; k < 3; k += TEST_SANITIZED ? 3 : 1)
      for (int pairing = 0; pairing < PAIRINGS; pairing++) {
        run(parts[i], gaps[k], pairing, PUSHED, 200000);
        assert_int_equal(got.answer.verdict, TOI_HIT);
        assert_true(got.answer.touching_at_start);
      }
}

/* A push by twice the gap closes it half-way. */
static void expect_half_way(const part *p, double gap, int pairing, move how) {
  run(p, gap, pairing, how, 40000);
  assert_int_equal(got.answer.verdict, TOI_HIT);
  assert_int_equal(got.answer.end, TOI_CONTACT_DONE);
  // 1 + gap and 2 gap are rounded: the radii differ from the gap by 2^-53, of which the time has 1 / (2 gap).
  double rounding = 0x1p-52 / gap;
  assert_true(got.answer.t_lo <= 0.5 + rounding && got.answer.t_hi >= 0.5 - rounding);
  assert_true(got.answer.t_lo > 0.5 - 2e-6 && got.answer.t_hi < 0.5 + 2e-6);
}

static void parts_that_are_being_pushed_touch_half_way(void **state) {
  (void)state;
  for (size_t k = 0; k < 3; k += TEST_SANITIZED ? 3 : 1)
    for (int pairing = 0; pairing < PAIRINGS; pairing++)
      expect_half_way(&ball, gaps[k], pairing, PUSHING);
  // Two parametric surfaces, also at the smallest gap.
  for (size_t k = 0; k < GAPS; k += TEST_SANITIZED ? GAPS : 1)
    expect_half_way(&shaft, gaps[k], 0, PUSHING);
  expect_half_way(&shaft, gaps[1], 0, PUSHING_TURNED);
  expect_half_way(&ball, gaps[1], 0, PUSHING_TURNED);
}

static void nothing_is_lost_without_it(void **state) {
  (void)state;
  stage s = {.context = context};
  toi_contact_options options = toi_default_contact_options();
  options.incoming = TOI_INCOMING_OFF;
  uint64_t boxes[2];
  for (int without = 0; without < 2; without++) {
    options.clearance = !without;
    (void)fit_parts(&s, &ball, 1e-3, 2);
    ask(&s, &options, &got);
    assert_int_equal(got.answer.verdict, TOI_MISS);
    boxes[without] = got.answer.boxes;
    clear(&s);
  }
  assert_true(10 * boxes[0] < boxes[1]);
}

/* --- boxes one by one --- */

/* Two graphs over one square, in the same motion: z = f(x, y, t), and f + lift + bump (c(x, y) - c(x0, y0)) where
 * c = cos(3 x - 2 y): without a lift they touch at x0, y0, at all times. */
typedef struct graphs {
  stage s;
  double x0, y0;
  toi_body_surface surface[2];
  toi_body_pair pair;
  toi_problem problem;
  toi_clearance clearance;
} graphs;

static toi_shape *make_graph(const stage *s, const char *text, bool implicit) {
  toi_shape *shape = NULL;
  char whole[256];
  toi_formula *f;
  if (implicit) {
    well(s, toi_formula_create(s->context, (const char *const[]){"x", "y", "z", "t"}, 4, &f));
    snprintf(whole, sizeof whole, "z - (%s)", text);
    toi_implicit about = {.size = sizeof about, .formula = f, .function = toi_formula_parse(f, whole)};
    for (int k = 0; k < 3; k++)
      about.bounds[k] = (toi_interval){-4, 4};
    well(s, toi_shape_implicit(s->context, &about, &shape));
  } else {
    well(s, toi_formula_create(s->context, (const char *const[]){"x", "y", "t"}, 3, &f));
    toi_parametric about = {.size = sizeof about, .formula = f, .u = {-1, 1}, .v = {-1, 1}, .edges = TOI_EDGES};
    about.at[0] = toi_formula_variable(f, 0);
    about.at[1] = toi_formula_variable(f, 1);
    about.at[2] = toi_formula_parse(f, text);
    well(s, toi_shape_parametric(s->context, &about, &shape));
  }
  toi_formula_destroy(f);
  return shape;
}

static double unit(void) {
  return 2 * test_random_unit(&seed) - 1;
}

/* Decimals say exactly what they mean, and so do multiples of 1/64. */
static void write_graphs(const graphs *g, double lift, double bump, char texts[2][192]) {
  double a[4] = {unit(), unit(), unit(), 0.5 * unit()};
  for (int i = 0; i < 2; i++)
    snprintf(texts[i], 192,
             "%.6f*x + %.6f*x*y + %.6f*y^2 + %.6f*sin(2*x + t) + %.12f + %.12f*(cos(3*x - 2*y) - cos(3*%.6f - 2*%.6f))",
             a[0], a[1], a[2], a[3], i * lift, i * bump, g->x0, g->y0);
}

static void begin_graphs(graphs *g, toi_body_pair_kind kind, double lift, double bump) {
  char texts[2][192];
  *g = (graphs){.s = {.context = context}, .x0 = floor(48 * unit()) / 64, .y0 = floor(48 * unit()) / 64};
  write_graphs(g, lift, bump, texts);
  for (int i = 0; i < 2; i++) {
    bool implicit = kind == TOI_BODY_PAIR_II || (kind == TOI_BODY_PAIR_PI && i == 1);
    toi_motion *motion = enter(&g->s, make_graph(&g->s, texts[i], implicit));
    well(&g->s, toi_motion_turn(motion, (double[]){1, 1, 1}, NULL, 0, 0.5));
    g->surface[i] = (toi_body_surface){.shape = g->s.shapes[i], .motion = motion};
    well(&g->s, toi_body_surface_begin(context, &g->surface[i]));
  }
  g->pair = (toi_body_pair){.kind = kind, .body = {0, 1}, .surface = {&g->surface[0], &g->surface[1]}};
  well(&g->s, toi_motions_begin(context, &g->pair.motions));
  g->problem = (toi_problem){.pair = &g->pair};
}

static void end_graphs(graphs *g) {
  toi_clearance_end(&g->clearance, context);
  toi_motions_end(context, g->pair.motions);
  for (int i = 0; i < 2; i++)
    toi_body_surface_end(context, &g->surface[i]);
  clear(&g->s);
}

static toi_interval around(double x, double size) {
  return (toi_interval){x - size * test_random_unit(&seed), x + size * test_random_unit(&seed)};
}

/* A box that holds x0, y0, in both surfaces' parameters or in space. */
static void draw_box(const graphs *g, double size, toi_box *box) {
  const double places[4] = {g->x0, g->y0, g->x0, g->y0};
  toi_interval time = {0, fmin(2 * size, 1)};
  size_t t = toi_body_pair_time(&g->pair);
  for (size_t i = 0; i < 4; i++)
    box->x[i] = around(places[i], size);
  if (g->pair.kind == TOI_BODY_PAIR_II) {
    double value, normal[3];
    well(&g->s, toi_shape_value(g->s.shapes[0], (double[]){g->x0, g->y0, 0}, 0.5 * time.hi, &value, normal));
    box->x[2] = (toi_interval){-value - 1e-9 - size * test_random_unit(&seed), -value + 1e-9 + size};
  }
  box->x[t] = time;
}

/* Whether some of the boxes of random graphs are told apart. */
static uint64_t count_apart(toi_body_pair_kind kind, double lift, double bump) {
  graphs g;
  uint64_t apart = 0;
  begin_graphs(&g, kind, lift, bump);
  for (int k = 0; k < 8; k++) {
    toi_box box;
    toi_system system;
    draw_box(&g, ldexp(0.2, -(int)(test_random(&seed) % 8)), &box);
    assert_true(toi_system_at(&g.problem, &box, TOI_SYSTEM_SLOPES, &system));
    g.clearance.credit = 2;
    well(&g.s, toi_clearance_try(&g.clearance, context, &g.problem, &box, &system));
    apart += g.clearance.apart;
  }
  end_graphs(&g);
  return apart;
}

/* Lifted by the smallest gaps they are, unless the bump takes the gap away. */
static void boxes_with_a_contact_are_never_told_apart(void **state) {
  (void)state;
  for (int kind = 0; kind < 3; kind++) {
    uint64_t lifted = 0;
    for (uint64_t n = test_count_from(120, 10); n > 0; n--) {
      double gap = ldexp(0.1, -(int)(test_random(&seed) % 24));
      assert_int_equal(count_apart((toi_body_pair_kind)kind, 0, n % 4 == 0 ? 0 : gap * unit()), 0);
      lifted += count_apart((toi_body_pair_kind)kind, gap, 0.25 * gap * unit());
    }
    print_message("pairing %d: %llu boxes told apart\n", kind, (unsigned long long)lifted);
    assert_true(lifted > 0);
  }
}

/* --- memory --- */

/* Each request refused in turn: an error or a search that ends early, and nothing is kept. */
static void refused_memory_ends_the_search(void **state) {
  (void)state;
  test_allocator allocator = {0};
  stage s = {.context = test_context_on(&allocator)};
  toi_contact_options options = toi_default_contact_options();
  options.incoming = TOI_INCOMING_OFF;
  (void)fit_parts(&s, &shaft, 1e-3, 2);
  size_t blocks = allocator.blocks, before = allocator.calls, ended = 0;
  toi_contact_answer answer;
  well(&s, toi_contact(s.context, s.bodies, s.count, &options, &answer, NULL, NULL));
  assert_int_equal(answer.verdict, TOI_MISS);
  size_t needed = allocator.calls - before;
  for (size_t k = 1; k <= needed; k++) {
    allocator.refuse_at = allocator.calls + k;
    toi_status status = toi_contact(s.context, s.bodies, s.count, &options, &answer, NULL, NULL);
    assert_true(status == TOI_OK || status == TOI_ERROR_MEMORY);
    assert_true(answer.verdict == TOI_NEAR && (status != TOI_OK || answer.end == TOI_CONTACT_MEMORY));
    assert_int_equal(allocator.blocks, blocks);
    ended += status == TOI_OK;
  }
  assert_true(ended > 0);
  allocator.refuse_at = 0;
  clear(&s);
  toi_context_destroy(s.context);
  assert_int_equal(allocator.bytes, 0);
}

/* --- a function of one's own has no formula --- */

static bool plane(void *user, const toi_interval *box, unsigned order, toi_interval *jet) {
  (void)user;
  const toi_interval zero = {0, 0};
  for (size_t i = 0; i < TOI_JET_SIZE(4, order); i++)
    jet[i] = zero;
  jet[0] = box[2];
  if (order >= 1)
    jet[3] = toi_interval_point(1);
  return true;
}

static void functions_of_ones_own_are_left_alone(void **state) {
  (void)state;
  stage s = {.context = context};
  toi_contact_options options = toi_default_contact_options();
  toi_implicit about = {.size = sizeof about, .bounds = {{-2, 2}, {-2, 2}, {-1, 1}}};
  toi_shape *own = NULL;
  well(&s, toi_shape_own(context, plane, NULL, NULL, &about, &own));
  (void)enter(&s, own);
  well(&s, toi_motion_move(enter(&s, make_graph(&s, "0.001*cos(x)*cos(y)", false)), (double[]){0, 0, 0.002}, NULL));
  ask(&s, &options, &got);
  assert_int_equal(got.answer.verdict, TOI_MISS);
  clear(&s);
}

int main(void) {
  seed = test_seed(5);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_that_fit_never_touch),
      cmocka_unit_test(parts_that_are_pushed_into_each_other_touch_at_the_start),
      cmocka_unit_test(parts_that_are_being_pushed_touch_half_way),
      cmocka_unit_test(nothing_is_lost_without_it),
      cmocka_unit_test(boxes_with_a_contact_are_never_told_apart),
      cmocka_unit_test(refused_memory_ends_the_search),
      cmocka_unit_test(functions_of_ones_own_are_left_alone),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
