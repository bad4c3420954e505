/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Batches whose misses are not written: the hits of toi_batch() and toi_batch_indexed(), bit for bit, whatever the room
 * of the list, the number of threads and the precision of the filter; and every failure leaves an empty list. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <toi/toi.h>

#include "support/support.h"

#define VERTICES 96
#define PRIMITIVES 128
#define COUNT 9000 /* several segments on one thread */

/* A mesh of random primitives, and pairs of them. */
typedef struct problem {
  double start[VERTICES][3], end[VERTICES][3];
  uint32_t edges[PRIMITIVES][2], faces[PRIMITIVES][3];
  toi_mesh mesh;
  toi_pair pairs[COUNT];
  double queries[COUNT][24];
  toi_hit expected[COUNT], hits[COUNT];
  size_t numbers[COUNT];
} problem;

/* Three different vertices. */
static void draw_vertices(uint64_t *state, uint32_t *to, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = (uint32_t)((test_random(state) % (VERTICES / 3)) * 3 + i);
}

static void draw_problem(problem *p, toi_kind kind, uint64_t seed) {
  uint64_t state = test_seed(seed);
  for (size_t i = 0; i < VERTICES; i++)
    for (size_t k = 0; k < 3; k++) {
      p->start[i][k] = test_random_unit(&state);
      p->end[i][k] = p->start[i][k] + 0.3 * (test_random_unit(&state) - 0.5);
    }
  for (size_t i = 0; i < PRIMITIVES; i++) {
    draw_vertices(&state, p->edges[i], 2);
    draw_vertices(&state, p->faces[i], 3);
  }
  p->mesh = (toi_mesh){.start = p->start,
                       .end = p->end,
                       .vertex_count = VERTICES,
                       .edges = (const uint32_t(*)[2])p->edges,
                       .edge_count = PRIMITIVES,
                       .faces = (const uint32_t(*)[3])p->faces,
                       .face_count = PRIMITIVES};
  for (size_t i = 0; i < COUNT; i++) {
    const uint64_t firsts = kind == TOI_EDGE_EDGE ? PRIMITIVES : VERTICES;
    p->pairs[i] = (toi_pair){(uint32_t)(test_random(&state) % firsts), (uint32_t)(test_random(&state) % PRIMITIVES)};
    uint32_t v[4] = {p->pairs[i].first};
    if (kind == TOI_EDGE_EDGE) {
      memcpy(v, p->edges[p->pairs[i].first], sizeof p->edges[0]);
      memcpy(v + 2, p->edges[p->pairs[i].second], sizeof p->edges[0]);
    } else
      memcpy(v + 1, p->faces[p->pairs[i].second], sizeof p->faces[0]);
    for (size_t k = 0; k < 4; k++) {
      memcpy(p->queries[i] + 3 * k, p->start[v[k]], sizeof p->start[0]);
      memcpy(p->queries[i] + 12 + 3 * k, p->end[v[k]], sizeof p->end[0]);
    }
  }
}

/* What is asked, in which form. */
typedef struct asked {
  toi_context *context;
  toi_kind kind;
  bool indexed;
  toi_options options;
} asked;

static toi_status ask(const asked *a, problem *p, size_t first, toi_hit_list *list) {
  return a->indexed
             ? toi_batch_indexed_hits(a->context, a->kind, &p->mesh, p->pairs + first, COUNT - first, &a->options, list)
             : toi_batch_hits(a->context, a->kind, p->queries[first], COUNT - first, &a->options, list);
}

/* All hits, in lists of a certain room, against those of toi_batch(). */
static void compare(const asked *a, problem *p, size_t room) {
  size_t first = 0, found = 0, calls = 0;
  while (first < COUNT) {
    toi_hit_list list = {.hits = p->hits, .numbers = p->numbers, .room = room};
    assert_int_equal(ask(a, p, first, &list), TOI_OK);
    assert_true(list.count <= room && list.answered <= COUNT - first);
    // Only a full list ends a call early, and then before the next hit.
    assert_true(first + list.answered == COUNT || (list.count == room && list.answered > 0));
    if (first + list.answered < COUNT)
      assert_int_not_equal(p->expected[first + list.answered].verdict, TOI_MISS);
    size_t next = 0;
    for (size_t i = 0; i < list.answered; i++) {
      toi_hit hit = p->expected[first + i];
      if (hit.verdict == TOI_MISS)
        continue;
      assert_true(next < list.count && list.numbers[next] == i);
      assert_memory_equal(&list.hits[next++], &hit, sizeof hit);
    }
    assert_int_equal(next, list.count);
    first += list.answered;
    found += list.count;
    calls++;
  }
  assert_true(found > COUNT / 100 && found < COUNT / 2);
  assert_true(room < COUNT || calls == 1);
}

static void hits_are_those_of_a_batch(void **unused) {
  (void)unused;
  static const char *const methods[] = {"certified", "exact", "time-inclusion"};
  problem *p = calloc(1, sizeof *p);
  assert_non_null(p);
  for (int way = 0; way < 12; way++) {
    asked a = {.kind = (toi_kind)(way % 2), .options = toi_default_options()};
    draw_problem(p, a.kind, 77 + (uint64_t)(way % 2));
    a.options.method = methods[way / 2 % 3];
    a.options.max_checks = 30;
    a.options.min_separation = way >= 6 && way / 2 % 3 < 2 ? 1e-3 : 0;
    toi_context *one = test_context(1), *three = test_context(3);
    assert_int_equal(toi_batch(one, a.kind, p->queries[0], COUNT, &a.options, p->expected), TOI_OK);
    for (int form = 0; form < 8; form++) {
      toi_counters counters = {0};
      a.context = form % 2 ? three : one;
      a.indexed = form / 2 % 2;
      a.options.filter = form / 4 ? TOI_FILTER_DOUBLE : TOI_FILTER_FLOAT;
      a.options.counters = &counters;
      compare(&a, p, COUNT);
      assert_int_equal(counters.queries, COUNT);
      assert_int_equal(counters.verdicts[0] + counters.verdicts[1] + counters.verdicts[2], COUNT);
    }
    a.options.counters = NULL;
    compare(&a, p, 1 + (size_t)way * 37);
    toi_context_destroy(one);
    toi_context_destroy(three);
  }
  free(p);
}

/* Floats are made of many pairs only: fewer have the same answers. */
static void few_pairs_have_the_same_answers(void **unused) {
  (void)unused;
  problem *p = calloc(1, sizeof *p);
  assert_non_null(p);
  draw_problem(p, TOI_VERTEX_FACE, 81);
  toi_context *context = test_context(1);
  const toi_options options = toi_default_options();
  assert_int_equal(toi_batch(context, TOI_VERTEX_FACE, p->queries[0], COUNT, &options, p->expected), TOI_OK);
  for (size_t count = 0; count < 600; count = 2 * count + 1) {
    toi_hit_list list = {.hits = p->hits, .numbers = p->numbers, .room = COUNT};
    assert_int_equal(toi_batch_indexed_hits(context, TOI_VERTEX_FACE, &p->mesh, p->pairs, count, &options, &list),
                     TOI_OK);
    assert_int_equal(list.answered, count);
    for (size_t i = 0; i < list.count; i++)
      assert_memory_equal(&list.hits[i], &p->expected[list.numbers[i]], sizeof(toi_hit));
  }
  toi_context_destroy(context);
  free(p);
}

/* --- failures --- */

static void expect_failure(const asked *a, problem *p, toi_status status, const char *words) {
  toi_hit_list list = {.hits = p->hits, .numbers = p->numbers, .room = COUNT, .count = 7, .answered = 7};
  assert_int_equal(ask(a, p, 0, &list), status);
  assert_true(list.count == 0 && list.answered == 0);
  if (!strstr(toi_context_error(a->context), words))
    fail_msg("\"%s\" does not say \"%s\"", toi_context_error(a->context), words);
}

static void failures_leave_an_empty_list(void **unused) {
  (void)unused;
  problem *p = calloc(1, sizeof *p);
  assert_non_null(p);
  draw_problem(p, TOI_VERTEX_FACE, 79);
  asked a = {.context = test_context(2), .options = toi_default_options()};
  a.options.method = "guesswork";
  expect_failure(&a, p, TOI_ERROR_UNSUPPORTED, "guesswork");
  a.options.method = NULL;
  p->queries[5000][3] = NAN;
  expect_failure(&a, p, TOI_ERROR_INPUT, "query 5000");
  a.indexed = true;
  p->pairs[6000].second = PRIMITIVES;
  expect_failure(&a, p, TOI_ERROR_INPUT, "pair 6000");
  p->pairs[6000].second = 0;
  const uint32_t vertex = p->faces[p->pairs[0].second][1];
  p->faces[p->pairs[0].second][1] = VERTICES;
  expect_failure(&a, p, TOI_ERROR_INPUT, "names a vertex");
  p->faces[p->pairs[0].second][1] = vertex;
  p->end[vertex][2] = INFINITY;
  expect_failure(&a, p, TOI_ERROR_INPUT, "not finite");
  p->end[vertex][2] = 0;
  p->mesh.faces = NULL;
  expect_failure(&a, p, TOI_ERROR_INPUT, "NULL");
  p->mesh.faces = (const uint32_t(*)[3])p->faces;

  // Lists that are none.
  toi_hit_list list = {.hits = p->hits, .numbers = p->numbers, .room = 0};
  assert_int_equal(ask(&a, p, 0, &list), TOI_ERROR_INPUT);
  list = (toi_hit_list){.hits = NULL, .numbers = p->numbers, .room = 1};
  assert_int_equal(ask(&a, p, 0, &list), TOI_ERROR_INPUT);
  assert_int_equal(ask(&a, p, 0, NULL), TOI_ERROR_INPUT);
  list.hits = p->hits;
  assert_int_equal(toi_batch_hits(a.context, TOI_VERTEX_FACE, NULL, 1, &a.options, &list), TOI_ERROR_INPUT);
  assert_int_equal(toi_batch_hits(NULL, TOI_VERTEX_FACE, p->queries[0], 1, &a.options, &list), TOI_ERROR_INPUT);
  assert_int_equal(toi_batch_indexed_hits(a.context, TOI_VERTEX_FACE, NULL, p->pairs, 1, &a.options, &list),
                   TOI_ERROR_INPUT);
  toi_context_destroy(a.context);
  free(p);
}

/* On one thread: a second one takes its memory when it first finds work. */
static void warm_calls_allocate_nothing(void **unused) {
  (void)unused;
  problem *p = calloc(1, sizeof *p);
  assert_non_null(p);
  draw_problem(p, TOI_EDGE_EDGE, 80);
  asked a = {.context = test_context(1), .kind = TOI_EDGE_EDGE, .indexed = true, .options = toi_default_options()};
  uint64_t bytes = 0;
  for (int round = 0; round < 4; round++) {
    toi_hit_list list = {.hits = p->hits, .numbers = p->numbers, .room = COUNT};
    assert_int_equal(ask(&a, p, 0, &list), TOI_OK);
    if (round > 1)
      assert_int_equal(toi_context_bytes(a.context), bytes);
    bytes = toi_context_bytes(a.context);
  }
  toi_context_destroy(a.context);
  free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hits_are_those_of_a_batch),
      cmocka_unit_test(few_pairs_have_the_same_answers),
      cmocka_unit_test(failures_leave_an_empty_list),
      cmocka_unit_test(warm_calls_allocate_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
