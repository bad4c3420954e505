/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The thread pool: one job at a time, cut into chunks that the threads draw from a common counter.
 *
 * Promise: chunk borders depend on count and grain only, and so does the status. Why: chunks are drawn in ascending
 * order, and a thread stops only at a chunk behind one that failed; so every chunk before the first failing one runs,
 * and so does that one, and its status wins. With one thread, or one chunk, no thread is started or woken. Where the
 * system grants fewer threads than asked for, those that started do the work, the calling thread always among them. */

#include "base/context.h"

#include <assert.h>
#include <stdatomic.h>

#include "base/platform.h"

#define NO_CHUNK SIZE_MAX

struct toi_job {
  toi_task task;
  void *user;
  size_t count, grain, chunks;
  atomic_size_t next;   /* the first chunk that nobody has drawn */
  atomic_size_t failed; /* the smallest chunk known to have failed, or NO_CHUNK */
  toi_status status;    /* of that chunk; written under the lock */
};

static void note_failure(toi_context *context, toi_job *job, size_t chunk, toi_status status) {
  pthread_mutex_lock(&context->lock);
  if (chunk < atomic_load_explicit(&job->failed, memory_order_relaxed)) {
    job->status = status;
    atomic_store_explicit(&job->failed, chunk, memory_order_relaxed);
  }
  pthread_mutex_unlock(&context->lock);
}

/* Draws chunks until none is left that matters. */
static void run_chunks(toi_context *context, toi_job *job, uint32_t thread) {
  for (;;) {
    const size_t chunk = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
    if (chunk >= job->chunks || chunk > atomic_load_explicit(&job->failed, memory_order_relaxed))
      return;
    const size_t begin = chunk * job->grain;
    const size_t end = job->count - begin < job->grain ? job->count : begin + job->grain;

    // Per chunk, because an outside method may leave another mode behind.
    const toi_float_mode mode = toi_float_mode_enter();
    const toi_status status = job->task(job->user, thread, begin, end);
    toi_float_mode_leave(mode);
    if (status != TOI_OK)
      note_failure(context, job, chunk, status);
  }
}

/* A worker's life: take a seat at the job, work, leave, wait. */
static void *work(void *argument) {
  const toi_worker *const worker = (const toi_worker *)argument;
  toi_context *const context = worker->context;
  toi_pool *const pool = &context->pool;

  pthread_mutex_lock(&context->lock);
  while (!pool->stop) {
    if (pool->seats == 0) {
      pthread_cond_wait(&pool->work, &context->lock);
      continue;
    }
    pool->seats--;
    pool->busy++;
    toi_job *const job = pool->job;
    pthread_mutex_unlock(&context->lock);
    run_chunks(context, job, worker->number);
    pthread_mutex_lock(&context->lock);
    if (--pool->busy == 0)
      pthread_cond_signal(&pool->done);
  }
  pthread_mutex_unlock(&context->lock);
  return NULL;
}

/* Starts the workers, once. */
static void start_workers(toi_context *context) {
  toi_pool *const pool = &context->pool;
  if (pool->tried)
    return;
  pool->tried = true;
  context->process = toi_process_id();

  for (uint32_t i = 1; i < context->threads; i++) {
    if (!toi_thread_start(&context->workers[i].handle, work, &context->workers[i]))
      break;
    pool->started++;
  }
}

/* Opens seats for the workers, takes part, closes the seats nobody took, and waits for those that were taken. */
static void run_shared(toi_context *context, toi_job *job) {
  toi_pool *const pool = &context->pool;
  const uint32_t seats = job->chunks - 1 < pool->started ? (uint32_t)(job->chunks - 1) : pool->started;

  pthread_mutex_lock(&context->lock);
  pool->job = job;
  pool->seats = seats;
  pthread_mutex_unlock(&context->lock);
  if (seats == pool->started)
    pthread_cond_broadcast(&pool->work);
  else
    for (uint32_t i = 0; i < seats; i++)
      pthread_cond_signal(&pool->work);

  run_chunks(context, job, 0);

  pthread_mutex_lock(&context->lock);
  pool->seats = 0;
  while (pool->busy > 0)
    pthread_cond_wait(&pool->done, &context->lock);
  pool->job = NULL;
  pthread_mutex_unlock(&context->lock);
}

toi_status toi_parallel(toi_context *context, size_t count, size_t grain, toi_task task, void *user) {
  assert(context != NULL && task != NULL && grain > 0);
  if (count == 0)
    return TOI_OK;
  if (grain == 0)
    grain = 1;
  const size_t chunks = count / grain + (count % grain != 0);
  if (toi_check_whole(context) != TOI_OK)
    return TOI_ERROR_INPUT;
  toi_job job = {.task = task, .user = user, .count = count, .grain = grain, .chunks = chunks, .status = TOI_OK};
  atomic_init(&job.next, 0);
  atomic_init(&job.failed, NO_CHUNK);

  // A task that starts a job on its own context would wait for itself.
  toi_pool *const pool = &context->pool;
  assert(!pool->running);
  if (pool->running)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "a parallel call inside another on the same context; use a second context");
  pool->running = true;
  pool->runner = pthread_self();
  if (context->threads > 1 && chunks > 1)
    start_workers(context);
  if (pool->started > 0 && chunks > 1)
    run_shared(context, &job);
  else
    run_chunks(context, &job, 0);
  pool->running = false;
  return job.status;
}

toi_status toi_pool_create(toi_context *context) {
  if (pthread_mutex_init(&context->lock, NULL) != 0)
    return TOI_ERROR_MEMORY;
  if (pthread_cond_init(&context->pool.work, NULL) != 0) {
    pthread_mutex_destroy(&context->lock);
    return TOI_ERROR_MEMORY;
  }
  if (pthread_cond_init(&context->pool.done, NULL) != 0) {
    pthread_cond_destroy(&context->pool.work);
    pthread_mutex_destroy(&context->lock);
    return TOI_ERROR_MEMORY;
  }
  return TOI_OK;
}

void toi_pool_after_fork(toi_context *context) {
  // The system is asked only where threads could be missing, or where another thread seems to be inside a call.
  toi_pool *const pool = &context->pool;
  const pthread_t self = pthread_self();
  const bool called = context->call != NULL && !pthread_equal(context->caller, self);
  const bool running = pool->running && !pthread_equal(pool->runner, self);
  if (pool->started == 0 && !called && !running)
    return;
  const int64_t process = toi_process_id();
  if (process == context->process)
    return;

  // Overwritten, not destroyed: a thread that does not exist here may hold the lock or wait for a condition.
  context->process = process;
  context->cut_off = context->cut_off || context->call != NULL || pool->running;
  context->call = NULL;
  context->calls = 0;
  context->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  *pool = (toi_pool){.work = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};
}

toi_status toi_check_whole(toi_context *context) {
  if (!context->cut_off)
    return TOI_OK;
  return toi_fail(context, TOI_ERROR_INPUT,
                  "another thread was using this context when the process forked; make a new one in the child");
}

void toi_pool_stop(toi_context *context) {
  toi_pool *const pool = &context->pool;
  pthread_mutex_lock(&context->lock);
  pool->stop = true;
  pthread_mutex_unlock(&context->lock);
  pthread_cond_broadcast(&pool->work);
  for (uint32_t i = 1; i <= pool->started; i++)
    pthread_join(context->workers[i].handle, NULL);
  pool->started = 0;
}

void toi_pool_destroy(toi_context *context) {
  assert(context->pool.started == 0);
  pthread_cond_destroy(&context->pool.done);
  pthread_cond_destroy(&context->pool.work);
  pthread_mutex_destroy(&context->lock);
}
