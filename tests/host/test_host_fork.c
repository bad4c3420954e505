/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contexts in a child of fork(), which has none of their threads: destroyed, left alone and used, idle, busy, and with
 * the lock held. A child that hangs is ended by its alarm. */

#include "support/support.h"

#include <toi/narrow.h>

#include "base/internal.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define QUERIES 4096
#define THREADS 4
#define PATIENCE 60

/* A sanitizer of threads ends children that start threads of their own. */
#if defined(__SANITIZE_THREAD__)
#define CHILDREN_HAVE_THREADS false
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CHILDREN_HAVE_THREADS false
#endif
#endif
#ifndef CHILDREN_HAVE_THREADS
#define CHILDREN_HAVE_THREADS true
#endif

/* --- children --- */

typedef bool (*child_work)(void *user);

/* Runs the work in a child, which tells by its exit code whether it was content. */
static void in_child(child_work work, void *user) {
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    // The test runner's handlers belong to the parent.
    signal(SIGSEGV, SIG_DFL);
    signal(SIGABRT, SIG_DFL);
    alarm(PATIENCE);
    _exit(work(user) ? 0 : 1);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (WIFSIGNALED(status))
    fail_msg("the child was ended by signal %d%s", WTERMSIG(status), WTERMSIG(status) == SIGALRM ? ": it hung" : "");
  assert_int_equal(WEXITSTATUS(status), 0);
}

/* --- work that takes all threads --- */

/* Vertices that fall through a face, each a little later than the one before. */
static double (*make_queries(void))[24] {
  double(*queries)[24] = calloc(QUERIES, sizeof *queries);
  assert_non_null(queries);
  for (int i = 0; i < QUERIES; i++) {
    const double query[24] = {0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, -1 - i, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    memcpy(queries[i], query, sizeof query);
  }
  return queries;
}

static toi_status answer(toi_context *context, toi_hit *hits) {
  double(*queries)[24] = make_queries();
  const toi_options options = toi_default_options();
  const toi_status status = toi_batch(context, TOI_VERTEX_FACE, queries[0], QUERIES, &options, hits);
  free(queries);
  return status;
}

static toi_hit *make_hits(void) {
  toi_hit *hits = calloc(QUERIES, sizeof *hits);
  assert_non_null(hits);
  return hits;
}

/* --- idle contexts --- */

typedef struct idle {
  test_allocator allocator;
  toi_context *context;
  toi_hit *hits; /* what the parent found */
} idle;

/* Waits until all other threads of the process sleep. A sanitizer's run-time library takes locks of its own when a
 * thread starts, and a child would find them held for ever. */
static void wait_for_sleeping_threads(void) {
  for (unsigned asleep = 0; asleep < THREADS - 1;) {
    asleep = 0;
    DIR *tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    for (const struct dirent *task = readdir(tasks); task != NULL; task = readdir(tasks)) {
      char path[64], state = 0;
      snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", task->d_name);
      FILE *file = fopen(path, "r");
      if (file == NULL)
        continue;
      asleep += fscanf(file, "%*d (%*[^)]) %c", &state) == 1 && state == 'S';
      fclose(file);
    }
    closedir(tasks);
    usleep(1000);
  }
}

static void idle_make(idle *i) {
  const toi_context_options options = test_context_options(&i->allocator, THREADS);
  assert_int_equal(toi_context_create(&options, &i->context), TOI_OK);
  i->hits = make_hits();
  assert_int_equal(answer(i->context, i->hits), TOI_OK);
  wait_for_sleeping_threads();
}

static void idle_end(idle *i) {
  toi_context_destroy(i->context);
  assert_int_equal(i->allocator.blocks, 0);
  free(i->hits);
}

static bool destroy_it(void *user) {
  idle *i = user;
  toi_context_destroy(i->context);
  return i->allocator.blocks == 0;
}

static bool leave_it(void *user) {
  return ((idle *)user)->context != NULL;
}

/* The same bits as the parent's. */
static bool answers_alike(toi_context *context, const idle *i) {
  toi_hit *hits = make_hits();
  const bool alike = answer(context, hits) == TOI_OK && memcmp(hits, i->hits, QUERIES * sizeof *hits) == 0;
  free(hits);
  return alike;
}

static bool make_an_own_one(void *user) {
  toi_context *context = test_context(CHILDREN_HAVE_THREADS ? 3 : 1);
  const bool alike = answers_alike(context, user);
  toi_context_destroy(context);
  return alike;
}

static bool use_it(void *user) {
  idle *i = user;
  const uint64_t bytes = toi_context_bytes(i->context);
  return answers_alike(i->context, i) && toi_context_bytes(i->context) == bytes && destroy_it(i);
}

/* A child of the child finds threads that are not its own either. */
static bool use_it_and_fork(void *user) {
  idle *i = user;
  if (!answers_alike(i->context, i))
    return false;
  wait_for_sleeping_threads();
  in_child(use_it, i);
  return answers_alike(i->context, i) && destroy_it(i);
}

static void child_destroys_or_leaves_a_context_whose_threads_have_run(void **state) {
  (void)state;
  idle i = {0};
  idle_make(&i);
  in_child(destroy_it, &i);
  in_child(leave_it, &i);
  in_child(make_an_own_one, &i);
  assert_true(answers_alike(i.context, &i));
  idle_end(&i);
}

static void child_uses_a_context_with_threads_of_its_own(void **state) {
  (void)state;
  if (!CHILDREN_HAVE_THREADS) {
    test_skip_reason("the thread sanitizer ends children that start threads");
    skip();
  }
  idle i = {0};
  idle_make(&i);
  in_child(use_it, &i);
  in_child(use_it_and_fork, &i);
  assert_true(answers_alike(i.context, &i));
  idle_end(&i);
}

/* --- contexts in use --- */

/* A call under way on another thread. Its tasks allocate and free, in an allocator that can hold them there: it is
 * called under the context's lock. */
typedef struct busy {
  toi_context *context;
  atomic_bool hold, end;
  atomic_uint held; /* a task is held in the allocator */
  atomic_uint running;
} busy;

static void *resize_or_hold(void *user, void *pointer, size_t old_size, size_t new_size) {
  busy *b = user;
  (void)old_size;
  while (atomic_load(&b->hold) && atomic_load(&b->running) > 0) {
    atomic_store(&b->held, 1);
    usleep(100);
  }
  if (new_size > 0)
    return realloc(pointer, new_size);
  free(pointer);
  return NULL;
}

static toi_status allocate_and_free(void *user, uint32_t thread, size_t begin, size_t end) {
  busy *b = user;
  (void)begin;
  (void)end;
  atomic_fetch_add(&b->running, 1);
  while (!atomic_load(&b->end)) {
    const size_t size = 64 + thread;
    void *memory = toi_allocate(b->context, size);
    if (memory == NULL)
      return TOI_ERROR_MEMORY;
    toi_free(b->context, memory, size);
  }
  return TOI_OK;
}

static void *call_for_long(void *user) {
  busy *b = user;
  toi_call call;
  toi_call_begin(&call, b->context);
  toi_parallel(b->context, THREADS, 1, allocate_and_free, b);
  toi_call_end(&call);
  return NULL;
}

/* Nothing of it is touched, and every call on it is refused. */
static bool refused_and_destroyed(void *user) {
  busy *b = user;
  toi_hit *hits = make_hits();
  toi_context_bytes(b->context);
  bool content = answer(b->context, hits) == TOI_ERROR_INPUT && strstr(toi_context_error(b->context), "fork") != NULL;
  content = content && hits[0].verdict == TOI_NEAR && hits[0].t_lo == 0;
  toi_call call;
  toi_call_begin(&call, b->context);
  content = content && toi_allocate(b->context, 1) == NULL && toi_scratch(b->context, 0, 1) == NULL;
  toi_call_end(&call);
  toi_context_destroy(b->context);
  free(hits);
  return content;
}

static bool destroyed_at_once(void *user) {
  toi_context_destroy(((busy *)user)->context);
  return true;
}

static void fork_while_busy(uint32_t threads, bool hold) {
  busy b = {0};
  toi_context_options options = toi_default_context_options();
  options.threads = threads;
  options.allocator = (toi_allocator){resize_or_hold, &b};
  assert_int_equal(toi_context_create(&options, &b.context), TOI_OK);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, call_for_long, &b), 0);
  while (atomic_load(&b.running) < (hold ? 1 : threads))
    usleep(100);
  atomic_store(&b.hold, hold);
  while (hold && !atomic_load(&b.held))
    usleep(100);
  for (int i = 0; i < 20; i++)
    in_child(i % 2 ? refused_and_destroyed : destroyed_at_once, &b);
  atomic_store(&b.hold, false);
  atomic_store(&b.end, true);
  pthread_join(thread, NULL);

  // The parent's goes on as if nothing had been.
  toi_hit *hits = make_hits();
  assert_int_equal(answer(b.context, hits), TOI_OK);
  free(hits);
  toi_context_destroy(b.context);
}

static void child_of_a_process_with_a_call_under_way(void **state) {
  (void)state;
  fork_while_busy(THREADS, false);
  fork_while_busy(1, false);
}

static void child_of_a_process_with_the_lock_held(void **state) {
  (void)state;
  fork_while_busy(THREADS, true);
  fork_while_busy(1, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(child_destroys_or_leaves_a_context_whose_threads_have_run),
      cmocka_unit_test(child_uses_a_context_with_threads_of_its_own),
      cmocka_unit_test(child_of_a_process_with_a_call_under_way),
      cmocka_unit_test(child_of_a_process_with_the_lock_held),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
