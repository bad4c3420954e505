/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Records streamed in parts, with a broad phase made of a hash: which pairs there are is known beforehand, so that the
 * stream can be compared record for record. */

#include <stdatomic.h>
#include <string.h>

#include "scene/parts.h"
#include "support/support.h"

enum { VERTICES = 300, EDGES = 400, SECONDS = 40 };

typedef struct record {
  uint64_t stamp[20];
  toi_pair pair;
  toi_kind kind;
  uint32_t unused;
} record;

/* A call and what came of it. */
typedef struct job {
  toi_parts parts;
  uint64_t seen, hash;
  record last;
  uint64_t stop_after; /* records; 0: never */
  toi_status stop_with;
  double done;
  uint64_t progress_calls, cancel_at;
} job;

static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t state = a * 0x9e3779b97f4a7c15u ^ b;
  return test_random(&state);
}

static size_t firsts_of(int kind) {
  return kind == TOI_EDGE_EDGE ? EDGES : VERTICES;
}

static bool wanted(int kind, uint32_t first, uint32_t second) {
  return mix((uint64_t)kind << 32 | first, second) % 3 == 0;
}

/* --- the broad phase --- */

typedef struct run {
  const toi_broad_question *question;
  int kind;
  _Atomic uint64_t *given;
} run;

static toi_status give_firsts(void *user, uint32_t thread, size_t begin, size_t end) {
  const run *r = user;
  const toi_broad_question *q = r->question;
  for (size_t i = begin; i < end; i++) {
    // Not in order: numbers are turned around in their range.
    uint32_t first = (uint32_t)(firsts_of(r->kind) - 1 - i);
    if (first < q->first_begin || first >= q->first_end)
      continue;
    toi_pair pairs[SECONDS];
    for (uint32_t k = 0; k < SECONDS; k++)
      pairs[k] = (toi_pair){first, (k * 7 + first) % SECONDS};
    toi_status status = q->consume(q->user, thread, (toi_join_kind)r->kind, pairs, SECONDS);
    atomic_fetch_add(r->given, SECONDS);
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}

static toi_status give_pairs(const void *user, const toi_broad_question *question) {
  toi_context *context = ((const job *)user)->parts.context;
  // As a real one, it needs memory of its own.
  void *own = toi_allocate(context, 4096);
  if (!own)
    return TOI_ERROR_MEMORY;
  toi_status status = TOI_OK;
  for (int kind = 0; kind < TOI_KIND_COUNT && status == TOI_OK; kind++) {
    _Atomic uint64_t given = 0;
    run r = {question, kind, &given};
    if (question->kinds & 1u << kind)
      status = toi_parallel(context, firsts_of(kind), 16, give_firsts, &r);
    question->options->work->candidates[kind] += given;
    double done = question->done_before + question->done_share * (kind + 1) / TOI_KIND_COUNT;
    if (status == TOI_OK && !question->options->progress(question->options->progress_user, done))
      status = TOI_ERROR_CANCELLED;
  }
  question->options->work->passes++;
  toi_free(context, own, 4096);
  return status;
}

/* --- the two ends --- */

static toi_status keep_wanted(void *user, uint32_t thread, toi_join_kind kind, const toi_pair *pairs, size_t count) {
  job *j = user;
  for (size_t i = 0; i < count; i++) {
    if (!wanted((int)kind, pairs[i].first, pairs[i].second))
      continue;
    record *r = toi_parts_add(&j->parts, thread, kind, pairs[i]);
    if (!r)
      return TOI_ERROR_MEMORY;
    *r = (record){.pair = pairs[i], .kind = (toi_kind)kind};
    for (uint64_t k = 0; k < 20; k++)
      r->stamp[k] = mix(pairs[i].first, pairs[i].second + k);
  }
  return TOI_OK;
}

static bool ordered(const record *a, const record *b) {
  if (a->kind != b->kind)
    return a->kind < b->kind;
  return a->pair.first != b->pair.first ? a->pair.first < b->pair.first : a->pair.second < b->pair.second;
}

static toi_status look(void *user, const void *records, size_t count) {
  job *j = user;
  const record *r = records;
  assert_true(count > 0);
  for (size_t i = 0; i < count; i++) {
    assert_true(wanted((int)r[i].kind, r[i].pair.first, r[i].pair.second));
    assert_true(j->seen == 0 || ordered(&j->last, &r[i]));
    assert_true(r[i].stamp[19] == mix(r[i].pair.first, r[i].pair.second + 19u));
    j->last = r[i];
    j->seen++;
    j->hash = mix(j->hash, mix((uint64_t)r[i].kind << 32 | r[i].pair.first, r[i].pair.second));
  }
  return j->stop_after && j->seen >= j->stop_after ? j->stop_with : TOI_OK;
}

static bool watch(void *user, double done) {
  job *j = user;
  assert_true(done >= 0 && done <= 1);
  j->done = done;
  return ++j->progress_calls != j->cancel_at;
}

static toi_status stream_all(toi_context *context, job *j) {
  static const toi_mesh mesh = {.vertex_count = VERTICES, .edge_count = EDGES};
  toi_mesh_options options = toi_default_mesh_options();
  options.progress = watch;
  options.progress_user = j;
  j->parts = (toi_parts){.context = context,
                         .run = give_pairs,
                         .run_user = j,
                         .question = {.mesh = &mesh, .options = &options, .kinds = 15},
                         .record_size = sizeof(record),
                         .visit = look,
                         .visit_user = j};
  j->parts.question.consume = keep_wanted;
  j->parts.question.user = j;
  return toi_parts_run(&j->parts);
}

static toi_context *context_of(uint32_t threads, uint64_t budget, test_allocator *allocator) {
  toi_context_options options = test_context_options(allocator, threads);
  options.memory_budget = budget;
  toi_context *context;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  return context;
}

static uint64_t wanted_count(void) {
  uint64_t count = 0;
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    for (uint32_t first = 0; first < firsts_of(kind); first++)
      for (uint32_t second = 0; second < SECONDS; second++)
        count += wanted(kind, first, second);
  return count;
}

/* --- tests --- */

static void records_come_in_order_for_any_threads_and_budget(void **state) {
  (void)state;
  static const uint64_t budgets[] = {1 << 30, 4 << 20, 1 << 20, 200 << 10, 100 << 10};
  static const uint32_t threads[] = {1, 2, 5};
  uint64_t hash = 0;
  for (size_t i = 0; i < 5; i++)
    for (size_t k = 0; k < 3; k++) {
      test_allocator allocator = {0};
      toi_context *context = context_of(threads[k], budgets[i], &allocator);
      uint64_t before = toi_context_bytes(context);
      job j = {.seen = 0};
      if (stream_all(context, &j) != TOI_OK)
        fail_msg("budget %llu: %s", (unsigned long long)budgets[i], toi_context_error(context));
      assert_int_equal(j.seen, wanted_count());
      assert_true(i == 0 ? j.parts.work.passes == 1 : i < 2 || j.parts.work.passes > 4);
      assert_true(hash == 0 || hash == j.hash);
      hash = j.hash;
      uint64_t candidates = 0, hits = 0;
      for (int kind = 0; kind < TOI_KIND_COUNT; kind++) {
        candidates += j.parts.work.candidates[kind];
        hits += j.parts.work.hits[kind];
      }
      assert_int_equal(candidates, SECONDS * (3 * VERTICES + EDGES));
      assert_int_equal(hits, j.seen);
      assert_true(j.done == 1);
      assert_string_equal(toi_context_error(context), "");
      assert_int_equal(toi_context_bytes(context), before);
      toi_context_destroy(context);
      assert_int_equal(allocator.blocks, 0);
    }
}

static void visitor_stops_the_call(void **state) {
  (void)state;
  static const toi_status reasons[] = {TOI_ERROR_CANCELLED, TOI_ERROR_MEMORY};
  for (size_t i = 0; i < 2; i++) {
    toi_context *context = test_context(2);
    job j = {.stop_after = 1000, .stop_with = reasons[i]};
    assert_int_equal(stream_all(context, &j), reasons[i]);
    assert_true(j.seen >= 1000 && j.seen < 1000 + 16384 / sizeof(record));
    assert_int_equal(j.parts.work.passes, 1);
    toi_context_destroy(context);
  }
}

static void progress_stops_the_call(void **state) {
  (void)state;
  for (uint64_t at = 1; at < 12; at++) {
    test_allocator allocator = {0};
    toi_context *context = context_of(1, 1 << 20, &allocator);
    job j = {.cancel_at = at};
    assert_int_equal(stream_all(context, &j), TOI_ERROR_CANCELLED);
    assert_int_equal(j.progress_calls, at);
    toi_context_destroy(context);
    assert_int_equal(allocator.blocks, 0);
  }
}

/* A dozen records of one first number do not fit into what is left beside the broad phase. */
static void budget_below_one_first_number_fails_with_a_sentence(void **state) {
  (void)state;
  for (uint64_t budget = 1 << 10; budget <= 6 << 10; budget += 1 << 8) {
    test_allocator allocator = {0};
    toi_context_options options = test_context_options(&allocator, 1);
    options.memory_budget = budget;
    toi_context *context;
    if (toi_context_create(&options, &context) != TOI_OK)
      continue;
    job j = {.seen = 0};
    assert_int_equal(stream_all(context, &j), TOI_ERROR_MEMORY);
    assert_non_null(strstr(toi_context_error(context), "memory_budget"));
    toi_context_destroy(context);
    assert_int_equal(allocator.blocks, 0);
  }
}

static void each_allocation_refused_gives_all_records_or_an_error(void **state) {
  (void)state;
  uint64_t whole = wanted_count();
  for (int after = 0; after < 2; after++)
    for (size_t at = 1; at < 60; at++) {
      test_allocator allocator = {.refuse_after = after};
      toi_context *context = context_of(1, 1 << 20, &allocator);
      allocator.refuse_at = allocator.calls + at;
      job j = {.seen = 0};
      toi_status status = stream_all(context, &j);
      assert_true(status == TOI_OK ? j.seen == whole : status == TOI_ERROR_MEMORY);
      toi_context_destroy(context);
      assert_int_equal(allocator.blocks, 0);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(records_come_in_order_for_any_threads_and_budget),
      cmocka_unit_test(visitor_stops_the_call),
      cmocka_unit_test(progress_stops_the_call),
      cmocka_unit_test(budget_below_one_first_number_fails_with_a_sentence),
      cmocka_unit_test(each_allocation_refused_gives_all_records_or_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
