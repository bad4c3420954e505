/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Random Boolean shapes that turn and fly into each other, against points that are in both.
 *
 * The oracle: the expressions written down a second time, in doubles; at many times, random points where both bodies
 * may be, and a search downhill from the best of them. A point that is in both by more than 1e-9 proves that they have
 * met by then: it may be believed. That none is found says little, and only how often after a hit is looked at: points
 * of both must be found a little later, except where they graze. */

#include "contact/boolean_shapes.h"

#define PRIMITIVES 4
#define SCENES 120
#define SPOTS 600
#define DOWNHILL 6

typedef enum kind { BALL, SLAB, ROD, KINDS } kind;

typedef struct primitive {
  kind kind;
  double size, at[3];
  bool taken; /* away from those before it */
} primitive;

typedef struct solid {
  primitive of[PRIMITIVES];
  size_t count;
  bool joined; /* a union of two of two */
  double axis[3], angle, rate, from[3], velocity[3];
} solid;

static uint64_t seed;
static answered got;

static double between(double lo, double hi) {
  return lo + (hi - lo) * test_random_unit(&seed);
}

/* --- scenes --- */

static primitive random_primitive(double size) {
  primitive p = {.kind = (kind)(test_random_unit(&seed) * KINDS), .size = between(0.4, 1) * size};
  for (int k = 0; k < 3; k++)
    p.at[k] = between(-0.4, 0.4);
  return p;
}

/* A ball, so that it is bounded, and what is cut out of it, or meets it; or two such, side by side. */
static solid random_solid(void) {
  solid s = {.joined = test_random_unit(&seed) < 0.4};
  s.count = s.joined ? 4 : 2 + (size_t)(test_random_unit(&seed) * 2);
  for (size_t i = 0; i < s.count; i++) {
    s.of[i] = random_primitive(1);
    if (i == 0 || (s.joined && i == 2))
      s.of[i].kind = BALL;
    s.of[i].taken = test_random_unit(&seed) < 0.4;
  }
  s.angle = between(0, 6);
  s.rate = between(-1, 1);
  for (int k = 0; k < 3; k++)
    s.axis[k] = between(-1, 1);
  return s;
}

static void write_primitive(const primitive *p, char text[256]) {
  const double *c = p->at, r = p->size;
  if (p->kind == BALL)
    snprintf(text, 256, "(x - (%.17g))^2 + (y - (%.17g))^2 + (z - (%.17g))^2 - %.17g^2", c[0], c[1], c[2], r);
  else if (p->kind == SLAB)
    snprintf(text, 256, "(z - (%.17g))^2 - %.17g^2", c[2], 0.6 * r);
  else
    snprintf(text, 256, "(x - (%.17g))^2 + (y - (%.17g))^2 - %.17g^2", c[0], c[1], 0.6 * r);
}

/* Primitives from `from` on, up to the next ball that bounds. */
static toi_status make_part(stage *s, const solid *of, size_t from, size_t to, toi_shape **shape) {
  toi_shape *whole = NULL;
  char text[256];
  const double side = 2.5;
  for (size_t i = from; i < to; i++) {
    operands o = {.context = s->context};
    write_primitive(&of->of[i], text);
    if (whole != NULL)
      (void)add_shape(&o, whole, NULL);
    toi_shape *one = formula_shape(s->context, text, of->of[i].kind == BALL ? &side : NULL, true);
    if (whole == NULL) {
      whole = one;
      continue;
    }
    (void)add_shape(&o, one, NULL);
    const toi_status status = join(&o, of->of[i].taken ? TOI_BOOLEAN_DIFFERENCE : TOI_BOOLEAN_INTERSECTION, 0, &whole);
    if (status != TOI_OK)
      return status;
  }
  *shape = whole;
  return TOI_OK;
}

static toi_shape *make_shape(stage *s, const solid *of) {
  toi_shape *first = NULL, *second = NULL;
  const size_t half = of->joined ? 2 : of->count;
  well(s, make_part(s, of, 0, half, &first));
  if (!of->joined)
    return first;
  well(s, make_part(s, of, half, of->count, &second));
  operands o = {.context = s->context};
  (void)add_shape(&o, first, NULL);
  (void)add_shape(&o, second, NULL);
  return joined(&o, TOI_BOOLEAN_UNION, 0);
}

/* --- the oracle --- */

static double value_of(const primitive *p, const double x[3]) {
  const double d[3] = {x[0] - p->at[0], x[1] - p->at[1], x[2] - p->at[2]};
  if (p->kind == BALL)
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - p->size;
  return p->kind == SLAB ? fabs(d[2]) - 0.6 * p->size : hypot(d[0], d[1]) - 0.6 * p->size;
}

static double part_at(const solid *s, size_t from, size_t to, const double own[3]) {
  double value = value_of(&s->of[from], own);
  for (size_t i = from + 1; i < to; i++) {
    const double next = value_of(&s->of[i], own);
    value = fmax(value, s->of[i].taken ? -next : next);
  }
  return value;
}

static double depth_at(const solid *s, const double x[3], double t) {
  double moved[3], own[3];
  for (int k = 0; k < 3; k++)
    moved[k] = x[k] - s->from[k] - t * s->velocity[k];
  turn(s->axis, -(s->angle + t * s->rate), moved, own);
  const size_t half = s->joined ? 2 : s->count;
  const double first = part_at(s, 0, half, own);
  return s->joined ? fmin(first, part_at(s, half, s->count, own)) : first;
}

static double both_at(const solid s[2], const double x[3], double t) {
  return fmax(depth_at(&s[0], x, t), depth_at(&s[1], x, t));
}

/* Downhill with ever smaller random steps. */
static double improve(const solid s[2], double x[3], double t) {
  double best = both_at(s, x, t);
  for (double step = 0.2; step > 1e-9; step *= 0.7) // NOLINT(cert-flp30-c)
    for (int i = 0; i < 12; i++) {
      const double next[3] = {x[0] + step * between(-1, 1), x[1] + step * between(-1, 1), x[2] + step * between(-1, 1)};
      const double value = both_at(s, next, t);
      if (value < best) {
        best = value;
        memcpy(x, next, sizeof next);
      }
    }
  return best;
}

/* The least value of what is positive outside one of them. */
static double deepest(const solid s[2], double t) {
  double spots[DOWNHILL][4], least = INFINITY;
  for (int i = 0; i < DOWNHILL; i++)
    spots[i][3] = INFINITY;
  for (int i = 0; i < SPOTS; i++) {
    double x[4];
    for (int k = 0; k < 3; k++)
      x[k] = s[0].from[k] + t * s[0].velocity[k] + between(-1.5, 1.5);
    x[3] = both_at(s, x, t);
    int at = DOWNHILL;
    for (; at > 0 && x[3] < spots[at - 1][3]; at--)
      if (at < DOWNHILL)
        memcpy(spots[at], spots[at - 1], sizeof x);
    if (at < DOWNHILL)
      memcpy(spots[at], x, sizeof x);
  }
  for (int i = 0; i < DOWNHILL && least >= -1e-9; i++)
    least = fmin(least, improve(s, spots[i], t));
  return least;
}

/* --- both --- */

typedef struct tally {
  size_t hits, misses, nears, empty, unmet;
} tally;

static void fail_scene(const solid s[2], int number, double t, const char *what) {
  tell(what, &(stage){0}, &got);
  for (int i = 0; i < 2; i++)
    for (size_t k = 0; k < s[i].count; k++)
      print_message("  %d: kind %d size %a at %a %a %a taken %d joined %d\n", i, (int)s[i].of[k].kind, s[i].of[k].size,
                    s[i].of[k].at[0], s[i].of[k].at[1], s[i].of[k].at[2], s[i].of[k].taken, s[i].joined);
  fail_msg("scene %d: %s at t = %.17g", number, what, t);
}

/* Contacts lie on both, and nothing is in both before them. */
static void judge(const solid s[2], int number, tally *all) {
  const toi_contact_answer *a = &got.answer;
  all->hits += a->verdict == TOI_HIT;
  all->misses += a->verdict == TOI_MISS;
  all->nears += a->verdict == TOI_NEAR;
  const double end = a->verdict == TOI_MISS ? 1 : a->t_lo - 1e-7;
  for (int i = 0; i <= 12; i++) {
    // Most of them shortly before the end.
    const double t = i < 6 ? end * i / 6 : end - ldexp(0.1, -(i - 6));
    if (t > 0 && t <= end && deepest(s, t) < -1e-9)
      fail_scene(s, number, t, a->verdict == TOI_MISS ? "they meet" : "they met before");
  }
  for (size_t i = 0; i < got.count; i++) {
    const toi_contact_point *c = &got.contacts[i];
    if (!(fabs(depth_at(&s[0], c->point, c->t_hi)) < 2e-6 && fabs(depth_at(&s[1], c->point, c->t_hi)) < 2e-6))
      fail_scene(s, number, c->t_hi, "a contact lies elsewhere");
  }
  if (a->verdict == TOI_HIT && a->t_hi < 0.95 && !(deepest(s, a->t_hi + 0.02) < 0))
    all->unmet++;
}

static void fly(stage *stage_of, const solid s[2], const toi_contact_options *options) {
  for (int i = 0; i < 2; i++) {
    toi_motion *m = enter(stage_of, make_shape(stage_of, &s[i]));
    well(stage_of, toi_motion_turn(m, s[i].axis, NULL, s[i].angle, s[i].rate));
    well(stage_of, toi_motion_move(m, s[i].from, s[i].velocity));
  }
  ask(stage_of, options, &got);
  clear(stage_of);
}

static void random_shapes_meet_when_they_do(void **state) {
  (void)state;
  seed = test_seed(UINT64_C(0x5eedb001));
  stage s = {.context = test_context(1)};
  toi_contact_options options = toi_default_contact_options();
  options.spacing = 0.5;
  tally all = {0};
  const int scenes = (int)test_count_from(SCENES, 3);
  for (int i = 0; i < scenes; i++) {
    solid pair[2] = {random_solid(), random_solid()};
    for (int k = 0; k < 3; k++) {
      pair[1].from[k] = k == 0 ? 4 : between(-0.8, 0.8);
      pair[1].velocity[k] = k == 0 ? -5 : between(-0.5, 0.5);
    }
    // What is taken away may be all there is.
    toi_shape *shape = NULL;
    bool empty = false;
    for (int k = 0; k < 2 && !empty; k++) {
      empty = make_part(&s, &pair[k], 0, pair[k].joined ? 2 : pair[k].count, &shape) != TOI_OK;
      toi_shape_destroy(shape);
      shape = NULL;
    }
    all.empty += empty;
    if (empty)
      continue;
    fly(&s, pair, &options);
    judge(pair, i, &all);
  }
  print_message("%zu hits, %zu misses, %zu near, %zu empty, %zu not met\n", all.hits, all.misses, all.nears, all.empty,
                all.unmet);
  // Where they graze nothing is found later.
  assert_in_range(all.nears, 0, (size_t)(scenes / 100) + 1);
  assert_in_range(all.unmet, 0, (size_t)(scenes / 50) + 1);
  toi_context_destroy(s.context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_shapes_meet_when_they_do),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
