/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The search engine on a problem whose answer is known: points in the unit square of time and place, boxes that survive
 * where they hold one, accepted at a depth. The earliest accepted box holds the earliest point. */

#include <stdlib.h>

#include "search/search.h"
#include "support/support.h"

#define POINTS 6
#define DEPTH 12
#define MEMORY 65536

typedef struct square_box {
  double t, u;
  uint32_t depth, splits_time; /* how often split; the first one is in time */
  uint64_t pad;
} square_box;

typedef struct square {
  double points[POINTS][2];
  int count;
  bool uneven;      /* the dimension to split differs from box to box, so that a level has boxes of many sizes */
  bool accept_high; /* boxes at u >= 1/2 are accepted two levels earlier */
  bool wrong_order; /* a box came before one that it must follow */
  uint32_t level;
  double last;
  const toi_search_rules *rules;
} square;

static double width_t(const square_box *box) {
  return ldexp(1, -(int)box->splits_time);
}

static double width_u(const square_box *box) {
  return ldexp(1, -(int)(box->depth - box->splits_time));
}

static bool holds_point(const square *q, const square_box *box) {
  for (int i = 0; i < q->count; i++) {
    double t = q->points[i][0], u = q->points[i][1];
    if (t >= box->t && t <= box->t + width_t(box) && u >= box->u && u <= box->u + width_u(box))
      return true;
  }
  return false;
}

static bool splits_in_time(const square *q, const square_box *box) {
  if (q->uneven && box->u >= 0.5)
    return box->depth % 3 == 1;
  return box->depth % 2 == 0;
}

static toi_search_fate examine(void *user, toi_search *s, const void *item) {
  square *q = user;
  square_box box;
  memcpy(&box, item, sizeof(box));
  bool same = s->by_level ? s->level == q->level : true;
  q->wrong_order |= s->by_level ? s->level < q->level || s->level != box.depth : false;
  q->wrong_order |= same && box.t < q->last;
  q->level = s->level;
  q->last = box.t;
  if (!holds_point(q, &box))
    return TOI_BOX_PRUNED;
  if (box.depth == DEPTH || (q->accept_high && box.u >= 0.5 && box.depth >= DEPTH - 2))
    return TOI_BOX_ACCEPTED;
  square_box first = box, second = box;
  first.depth = second.depth = box.depth + 1;
  if (splits_in_time(q, &box)) {
    first.splits_time = ++second.splits_time;
    second.t += width_t(&second);
    toi_search_push(s, q->rules, &first);
    if (q->uneven)
      toi_search_push(s, q->rules, &second);
    else
      toi_search_push_later(s, q->rules, &second);
  } else {
    second.u += width_u(&second);
    toi_search_push(s, q->rules, &first);
    toi_search_push(s, q->rules, &second);
  }
  return TOI_BOX_SPLIT;
}

static const toi_search_rules best_first = {sizeof(square_box), TOI_SEARCH_BEST_FIRST, examine};
static const toi_search_rules by_level = {sizeof(square_box), TOI_SEARCH_BY_LEVEL, examine};

typedef struct outcome {
  toi_search_end end;
  square_box answer;
  uint64_t checks;
} outcome;

static outcome run(square *q, const toi_search_rules *rules, size_t bytes, uint64_t max_checks) {
  uint64_t *memory = calloc(1, bytes);
  assert_non_null(memory);
  q->rules = rules;
  q->wrong_order = false;
  q->level = 0;
  q->last = -1;
  toi_search s = toi_search_make(rules, memory, bytes);
  s.max_checks = max_checks;
  square_box root = {0};
  toi_search_push(&s, rules, &root);
  outcome o = {.end = toi_search_run(&s, rules, q), .checks = s.checks};
  if (o.end != TOI_SEARCH_EMPTY)
    memcpy(&o.answer, s.answer, sizeof(o.answer));
  free(memory);
  return o;
}

static square random_square(uint64_t *seed) {
  square q = {.count = 1 + (int)(test_random(seed) % POINTS)};
  q.uneven = test_random(seed) % 2;
  q.accept_high = test_random(seed) % 2;
  for (int i = 0; i < q.count; i++)
    for (int j = 0; j < 2; j++)
      // Few different values: points on borders of boxes, and at the same time.
      q.points[i][j] = (double)(test_random(seed) % 65) / 64;
  return q;
}

static double earliest(const square *q) {
  double t = 2;
  for (int i = 0; i < q->count; i++)
    t = fmin(t, q->points[i][0]);
  return t;
}

static void the_answer_holds_the_earliest_point(void **test) {
  (void)test;
  uint64_t seed = test_seed(31);
  uint64_t rounds = test_count(4000);
  for (uint64_t i = 0; i < rounds; i++) {
    square q = random_square(&seed);
    for (int k = 0; k < 2; k++) {
      outcome o = run(&q, k ? &by_level : &best_first, MEMORY, UINT64_MAX);
      double t = earliest(&q);
      assert_int_equal(o.end, TOI_SEARCH_FOUND);
      assert_true(o.answer.t <= t && t <= o.answer.t + width_t(&o.answer));
      assert_false(q.wrong_order);
    }
  }
}

static void nothing_is_left_of_an_empty_square(void **test) {
  (void)test;
  square q = {.count = 0};
  outcome o = run(&q, &best_first, MEMORY, UINT64_MAX);
  assert_true(o.end == TOI_SEARCH_EMPTY && o.checks == 1);
  o = run(&q, &by_level, MEMORY, UINT64_MAX);
  assert_true(o.end == TOI_SEARCH_EMPTY && o.checks == 1);
}

/* Whatever ends it, nothing earlier than the answer is open; and a budget that suffices changes nothing. */
static void a_cut_budget_leaves_an_answer_that_is_not_too_late(void **test) {
  (void)test;
  uint64_t seed = test_seed(32);
  uint64_t rounds = test_count(300);
  for (uint64_t i = 0; i < rounds; i++) {
    square q = random_square(&seed);
    for (int k = 0; k < 2; k++) {
      const toi_search_rules *rules = k ? &by_level : &best_first;
      outcome whole = run(&q, rules, MEMORY, UINT64_MAX);
      for (uint64_t budget = 1; budget <= whole.checks; budget++) {
        outcome o = run(&q, rules, MEMORY, budget);
        assert_true(o.answer.t <= earliest(&q));
        assert_int_equal(o.end, budget < whole.checks ? TOI_SEARCH_SPENT : whole.end);
        assert_int_equal(o.checks, budget);
      }
    }
  }
}

static void a_full_memory_leaves_an_answer_that_is_not_too_late(void **test) {
  (void)test;
  uint64_t seed = test_seed(33);
  uint64_t rounds = test_count(300), full = 0;
  for (uint64_t i = 0; i < rounds; i++) {
    square q = random_square(&seed);
    for (int k = 0; k < 2; k++) {
      const toi_search_rules *rules = k ? &by_level : &best_first;
      outcome whole = run(&q, rules, MEMORY, UINT64_MAX);
      for (size_t boxes = 1; boxes < 40; boxes++) {
        outcome o = run(&q, rules, toi_search_bytes(rules, boxes), UINT64_MAX);
        assert_true(o.answer.t <= earliest(&q));
        full += o.end == TOI_SEARCH_FULL;
        if (o.end != TOI_SEARCH_FULL)
          assert_true(o.end == whole.end && o.checks == whole.checks && o.answer.t == whole.answer.t);
      }
    }
  }
  assert_true(full > 0);
}

static void a_bound_hides_what_is_later(void **test) {
  (void)test;
  square q = {.points = {{0.75, 0.25}}, .count = 1};
  const toi_search_rules *all[] = {&best_first, &by_level};
  for (int k = 0; k < 2; k++) {
    uint64_t memory[MEMORY / 8];
    q.rules = all[k];
    toi_search s = toi_search_make(all[k], memory, sizeof(memory));
    s.bound = 0.5;
    square_box root = {0};
    toi_search_push(&s, all[k], &root);
    assert_int_equal(toi_search_run(&s, all[k], &q), TOI_SEARCH_EMPTY);
  }
}

/* A box that begins at the bound is still looked at; one that begins behind it does not even wait. */
static void a_bound_keeps_what_begins_at_it(void **test) {
  (void)test;
  square q = {.points = {{0.5, 0.25}}, .count = 1};
  const toi_search_rules *all[] = {&best_first, &by_level};
  for (int k = 0; k < 2; k++) {
    uint64_t memory[MEMORY / 8];
    q.rules = all[k];
    toi_search s = toi_search_make(all[k], memory, sizeof(memory));
    s.bound = 0.5;
    square_box late = {.t = 0.5, .depth = 0};
    toi_search_push(&s, all[k], &late);
    assert_int_equal(toi_search_run(&s, all[k], &q), TOI_SEARCH_FOUND);
  }
  uint64_t memory[MEMORY / 8];
  toi_search s = toi_search_make(&by_level, memory, sizeof(memory));
  s.bound = 0.5;
  static const double begins[] = {0.25, 0.5, 0.75};
  for (size_t i = 0; i < 3; i++) {
    square_box box = {.t = begins[i]};
    toi_search_push_later(&s, &by_level, &box);
    assert_int_equal(s.later, i < 2 ? i + 1 : 2);
  }
}

/* Boxes of a script: each is told what becomes of it, and what it leaves. */
typedef struct scripted {
  double t;
  uint32_t number, pad;
} scripted;

static const toi_search_rules script_rules;

/* 0 is split into 1 and 2 at once, and both are open: 1 is split into 4 and 3, in the wrong order, which are pruned,
 * and 2 is accepted behind 1. Nothing is left that is earlier, so that 2 is the answer, after a level that was sorted.
 */
static toi_search_fate play(void *user, toi_search *s, const void *item) {
  (void)user;
  scripted box;
  memcpy(&box, item, sizeof(box));
  static const scripted parts[5] = {{0, 0, 0}, {0, 1, 0}, {0.5, 2, 0}, {0.1, 3, 0}, {0.2, 4, 0}};
  switch (box.number) {
  case 0:
    toi_search_push(s, &script_rules, &parts[1]);
    toi_search_push(s, &script_rules, &parts[2]);
    return TOI_BOX_SPLIT;
  case 1:
    toi_search_push(s, &script_rules, &parts[4]);
    toi_search_push(s, &script_rules, &parts[3]);
    return TOI_BOX_SPLIT;
  case 2:
    return TOI_BOX_ACCEPTED;
  default:
    return TOI_BOX_PRUNED;
  }
}

static const toi_search_rules script_rules = {sizeof(scripted), TOI_SEARCH_BY_LEVEL, play};

static void an_accepted_box_waits_behind_an_open_one(void **test) {
  (void)test;
  uint64_t memory[MEMORY / 8];
  toi_search s = toi_search_make(&script_rules, memory, sizeof(memory));
  scripted root = {0, 0, 0}, answer;
  toi_search_push(&s, &script_rules, &root);
  assert_int_equal(toi_search_run(&s, &script_rules, NULL), TOI_SEARCH_FOUND);
  memcpy(&answer, s.answer, sizeof(answer));
  assert_int_equal(answer.number, 2);
}

static int compare_keys(const void *a, const void *b) {
  return toi_search_before(a, b) ? -1 : toi_search_before(b, a);
}

static void sorting_orders_keys_with_ties(void **test) {
  (void)test;
  uint64_t seed = test_seed(34);
  for (size_t count = 0; count < 200; count++) {
    toi_search_key items[200], expected[200], spare;
    for (size_t i = 0; i < count; i++)
      items[i] = (toi_search_key){(double)(test_random(&seed) % 8), (double)(test_random(&seed) % 8)};
    memcpy(expected, items, sizeof(items));
    qsort(expected, count, sizeof(expected[0]), compare_keys);
    toi_search_sort((unsigned char *)items, sizeof(items[0]), count, (unsigned char *)&spare);
    for (size_t i = 0; i < count; i++)
      assert_true(items[i].first == expected[i].first && items[i].second == expected[i].second);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_answer_holds_the_earliest_point),
      cmocka_unit_test(nothing_is_left_of_an_empty_square),
      cmocka_unit_test(a_cut_budget_leaves_an_answer_that_is_not_too_late),
      cmocka_unit_test(a_full_memory_leaves_an_answer_that_is_not_too_late),
      cmocka_unit_test(a_bound_hides_what_is_later),
      cmocka_unit_test(a_bound_keeps_what_begins_at_it),
      cmocka_unit_test(an_accepted_box_waits_behind_an_open_one),
      cmocka_unit_test(sorting_orders_keys_with_ties),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
