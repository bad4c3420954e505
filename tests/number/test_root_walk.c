/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The roots of forms of degree up to 6, against the rationals they are made of: simple and multiple ones, close pairs,
 * pairs that just miss the axis, at the ends and outside. */

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number/root_walk.h"
#include "support/support.h"

#define MEMORY (16u << 20)
#define FACTORS 6

static _Alignas(64) unsigned char memory[MEMORY];

typedef struct fraction {
  int64_t m, n;
} fraction;

/* A form made of factors, and its different roots in (0, 1], in order. */
typedef struct sample {
  int count, root_count;
  toi_integer_form factor[FACTORS];
  fraction root[FACTORS];
} sample;

static int compare_fractions(const void *a, const void *b) {
  const fraction *x = a, *y = b;
  __extension__ typedef __int128 wide;
  wide left = (wide)x->m * y->n, right = (wide)y->m * x->n;
  return (left > right) - (left < right);
}

/* n t - m = -m s + (n - m) t. */
static void add_root(toi_arena *arena, sample *s, fraction root, int times) {
  for (int i = 0; i < times && s->count < FACTORS; i++) {
    toi_integer_form linear = {1, {toi_integer_from_i64(arena, -root.m), toi_integer_from_i64(arena, root.n - root.m)}};
    s->factor[s->count++] = linear;
    if (i == 0 && root.m > 0 && root.m <= root.n)
      s->root[s->root_count++] = root;
  }
}

/* (n t - m)^2 + 1: two complex roots beside m / n. */
static void add_miss(toi_arena *arena, sample *s, fraction at) {
  if (s->count + 1 >= FACTORS)
    return;
  int64_t a = -at.m, b = at.n - at.m;
  toi_integer_form square = {2,
                             {toi_integer_from_i64(arena, a * a + 1), toi_integer_from_i64(arena, 2 * a * b + 2),
                              toi_integer_from_i64(arena, b * b + 1)}};
  s->factor[s->count++] = square;
}

static fraction draw_fraction(uint64_t *state) {
  int64_t n = (int64_t)1 << test_random(state) % 30;
  n = test_random(state) % 2 ? n : n + (int64_t)(test_random(state) % 5);
  int64_t m = (int64_t)(test_random(state) % (uint64_t)(n + 1));
  uint64_t place = test_random(state) % 8;
  m = place == 0 ? m - n - 1 : place == 1 ? m + n + 1 : m;
  return (fraction){m, n};
}

/* Factors of one degree or two, six in all at most, in a drawn order. */
static toi_integer_form draw_form(toi_arena *arena, uint64_t *state, sample *s) {
  s->count = s->root_count = 0;
  int degree = 1 + (int)(test_random(state) % 6), used = 0;
  while (used < degree) {
    fraction at = draw_fraction(state);
    uint64_t way = test_random(state) % 5;
    int room = degree - used;
    if (way == 0 && room >= 2) {
      add_miss(arena, s, at);
      used += 2;
    } else if (way == 1 && room >= 2) {
      // Two roots at a distance of a billionth of a billionth, or less than that.
      const int64_t finer = INT64_C(1) << 31;
      fraction close = {at.m * finer, at.n * finer}, next = {at.m * finer + 1, at.n * finer};
      add_root(arena, s, close, 1);
      add_root(arena, s, next, 1);
      used += 2;
    } else {
      int times = 1 + (int)(test_random(state) % (uint64_t)room);
      times = way == 2 ? times : 1;
      add_root(arena, s, at, times);
      used += times;
    }
  }
  // Two products of degree 3 at most, then their product.
  toi_integer_form one = {0, {toi_integer_from_u64(arena, 1)}}, part[2] = {one, one};
  for (int i = 0; i < s->count; i++) {
    int side = part[0].degree + s->factor[i].degree <= 3 ? 0 : 1;
    const toi_integer_form *pair[1][2] = {{&part[side], &s->factor[i]}};
    part[side] = toi_integer_form_dot(arena, (const toi_integer_form *const(*)[2])pair, 1);
  }
  qsort(s->root, (size_t)s->root_count, sizeof s->root[0], compare_fractions);
  int kept = 0;
  for (int i = 0; i < s->root_count; i++)
    if (kept == 0 || compare_fractions(&s->root[kept - 1], &s->root[i]) != 0)
      s->root[kept++] = s->root[i];
  s->root_count = kept;
  const toi_integer_form *pair[1][2] = {{&part[0], &part[1]}};
  return toi_integer_form_dot(arena, (const toi_integer_form *const(*)[2])pair, 1);
}

/* -1, 0, 1 as m / n <, =, > x. */
static int compare_double(fraction f, double x) {
  mpq_t a, b;
  mpq_inits(a, b, NULL);
  mpq_set_si(a, f.m, (unsigned long)f.n);
  mpq_canonicalize(a);
  mpq_set_d(b, x);
  int order = mpq_cmp(a, b);
  mpq_clears(a, b, NULL);
  return (order > 0) - (order < 0);
}

static void expect_bracket(const double bracket[2], fraction root) {
  int lo = compare_double(root, bracket[0]), hi = compare_double(root, bracket[1]);
  bool exact = bracket[0] == bracket[1] && lo == 0;
  bool between = lo > 0 && hi < 0 && nextafter(bracket[0], 2) == bracket[1];
  if (!exact && !between)
    fail_msg("root %lld / %lld, bracket [%a, %a]", (long long)root.m, (long long)root.n, bracket[0], bracket[1]);
}

static void all_planted_roots_are_found_in_order(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1);
  for (uint64_t round = 0; round < test_count(20000); round++) {
    toi_arena arena = toi_arena_make(memory, sizeof memory);
    sample s;
    toi_integer_form form = draw_form(&arena, &state, &s);
    toi_root_walk walk;
    toi_root_walk_start(&walk, &arena, &form, 0, 1);
    int found = 0;
    for (toi_algebraic *root = toi_root_walk_next(&walk); root; root = toi_root_walk_next(&walk)) {
      assert_true(found < s.root_count);
      double bracket[2];
      toi_algebraic_bracket(&arena, root, NAN, bracket);
      expect_bracket(bracket, s.root[found++]);
    }
    assert_int_equal(found, s.root_count);
    toi_root_walk_end(&walk);
  }
}

static void a_window_keeps_the_roots_inside(void **unused) {
  (void)unused;
  uint64_t state = test_seed(2);
  for (uint64_t round = 0; round < test_count(5000); round++) {
    toi_arena arena = toi_arena_make(memory, sizeof memory);
    sample s;
    toi_integer_form form = draw_form(&arena, &state, &s);
    double from = test_random_unit(&state), to = from + (1 - from) * test_random_unit(&state);
    toi_root_walk walk;
    toi_root_walk_start(&walk, &arena, &form, from, to);
    int next = 0;
    for (toi_algebraic *root = toi_root_walk_next(&walk); root; root = toi_root_walk_next(&walk)) {
      double bracket[2];
      toi_algebraic_bracket(&arena, root, 0.5, bracket);
      // Roots that are passed over lie outside.
      while (next < s.root_count && compare_double(s.root[next], bracket[0]) < 0)
        assert_true(compare_double(s.root[next++], from) < 0);
      assert_true(next < s.root_count);
      expect_bracket(bracket, s.root[next++]);
    }
    for (; next < s.root_count; next++)
      assert_true(compare_double(s.root[next], from) < 0 || compare_double(s.root[next], to) > 0);
  }
}

/* Signs of polynomials with a planted root in common, and with none. */
static void signs_at_roots_of_degree_six(void **unused) {
  (void)unused;
  uint64_t state = test_seed(3), zeros = 0;
  for (uint64_t round = 0; round < test_count(5000); round++) {
    toi_arena arena = toi_arena_make(memory, sizeof memory);
    sample s;
    toi_integer_form form = draw_form(&arena, &state, &s);
    fraction other[2] = {draw_fraction(&state), draw_fraction(&state)};
    if (s.root_count > 0 && round % 2)
      other[0] = s.root[test_random(&state) % (uint64_t)s.root_count];
    toi_integer_form one[2] = {
        {1, {toi_integer_from_i64(&arena, -other[0].m), toi_integer_from_i64(&arena, other[0].n - other[0].m)}},
        {1, {toi_integer_from_i64(&arena, -other[1].m), toi_integer_from_i64(&arena, other[1].n - other[1].m)}}};
    const toi_integer_form *pair[1][2] = {{&one[0], &one[1]}};
    toi_integer_form square = toi_integer_form_dot(&arena, (const toi_integer_form *const(*)[2])pair, 1);
    const toi_integer_form *again[1][2] = {{&square, &one[round % 2]}};
    toi_integer_form g = toi_integer_form_dot(&arena, (const toi_integer_form *const(*)[2])again, 1);
    toi_root_walk walk;
    toi_root_walk_start(&walk, &arena, &form, 0, 1);
    int found = 0;
    for (toi_algebraic *root = toi_root_walk_next(&walk); root; root = toi_root_walk_next(&walk)) {
      int a = compare_fractions(&s.root[found], &other[0]), b = compare_fractions(&s.root[found], &other[1]);
      int want = a * b * (round % 2 ? b : a);
      assert_int_equal(toi_algebraic_sign_form(&arena, root, &g), want);
      zeros += want == 0;
      found++;
    }
  }
  assert_true(zeros > 0);
}

static void the_bound_on_its_memory_holds(void **unused) {
  (void)unused;
  uint64_t state = test_seed(4);
  for (uint64_t round = 0; round < test_count(3000); round++) {
    toi_arena arena = toi_arena_make(memory, sizeof memory);
    sample s;
    toi_integer_form form = draw_form(&arena, &state, &s);
    toi_limb *mark = toi_arena_mark(&arena);
    toi_polynomial p = toi_integer_form_power(&arena, &form);
    uint32_t bits = toi_polynomial_bits(&p) + 3;
    toi_arena_release(&arena, mark);
    // A debug build asserts every push.
    size_t limbs = toi_root_walk_limbs(bits);
    arena.end = mark + limbs;
    mark[limbs] = 0xa5;
    toi_root_walk walk;
    toi_root_walk_start(&walk, &arena, &form, 0, 1);
    for (toi_algebraic *root = toi_root_walk_next(&walk); root; root = toi_root_walk_next(&walk)) {
      double bracket[2];
      toi_algebraic_bracket(&arena, root, NAN, bracket);
    }
    assert_true(mark[limbs] == 0xa5);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_planted_roots_are_found_in_order),
      cmocka_unit_test(a_window_keeps_the_roots_inside),
      cmocka_unit_test(signs_at_roots_of_degree_six),
      cmocka_unit_test(the_bound_on_its_memory_holds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
