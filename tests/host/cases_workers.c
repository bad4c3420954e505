/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* plugin.h, and calls large enough to be shared out among threads: what runs on workers runs in the default state. */

#include "host/cases.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { SIDE = 24, VERTICES = 2 * SIDE * SIDE, FACES = 4 * (SIDE - 1) * (SIDE - 1), COPIES = 60 };

/* Two sheets, the upper one pressed onto the lower one, large enough for several chunks of work. */
typedef struct sheets {
  double vertices[VERTICES][3];
  uint32_t faces[FACES][3];
  toi_mesh mesh;
} sheets;

static void make_sheets(host_run *run, sheets *made) {
  size_t face = 0;
  for (int sheet = 0; sheet < 2; sheet++)
    for (int i = 0; i < SIDE; i++)
      for (int j = 0; j < SIDE; j++) {
        const uint32_t at = (uint32_t)(sheet * SIDE * SIDE + i * SIDE + j);
        const int place[3] = {64 * i + 9 * sheet, 64 * j - 17 * sheet, (i * 37 + j * 53 + sheet * 7) % 23 + 9 * sheet};
        host_point(run->input, place, made->vertices[at]);
        if (i + 1 == SIDE || j + 1 == SIDE)
          continue;
        const uint32_t corners[2][3] = {{at, at + SIDE, at + 1}, {at + 1, at + SIDE, at + SIDE + 1}};
        memcpy(made->faces[face], corners, sizeof corners);
        face += 2;
      }
  made->mesh = (toi_mesh){.start = made->vertices,
                          .end = made->vertices,
                          .vertex_count = VERTICES,
                          .faces = (const uint32_t(*)[3])made->faces,
                          .face_count = FACES};
}

/* What the functions below share. */
typedef struct shared_out {
  host_run *run;
  uint64_t sum;
  size_t count;
  atomic_bool worker_came;
  unsigned waited; /* milliseconds */
  size_t watched;  /* calls of the progress function */
  bool cancels;    /* it stops the call */
} shared_out;

static void wait_a_millisecond(shared_out *shared) {
  shared->waited++;
  nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* The caller's thread leaves work to the others: it waits until one of them has come, for some seconds at most. With
 * one thread it waits until progress is due, which is reported 20 times a second. Only where the host looks at what is
 * called: without memory there may be no other thread. */
static void await_worker(shared_out *shared) {
  if (!pthread_equal(pthread_self(), shared->run->caller)) {
    shared->worker_came = true;
    return;
  }
  if (shared->run->called == NULL)
    return;
  if (shared->run->threads == 1)
    while (shared->waited < 55)
      wait_a_millisecond(shared);
  else
    while (!shared->cancels && !shared->worker_came && shared->waited < 5000)
      wait_a_millisecond(shared);
}

static bool may_collide(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  shared_out *shared = user;
  host_called(shared->run, HOST_TAKES_PART);
  await_worker(shared);
  return (first + second + (uint32_t)kind) % 3 != 0;
}

static bool watch(void *user, double done) {
  shared_out *shared = user;
  shared->watched++;
  return host_progress(shared->run, done) && !shared->cancels;
}

static toi_status receive(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  shared_out *shared = user;
  host_called(shared->run, HOST_RECEIVES);
  for (size_t i = 0; i < count; i++)
    host_sum(&shared->sum, (const uint32_t[]){(uint32_t)kind, pairs[i].first, pairs[i].second}, 3 * sizeof(uint32_t));
  shared->count += count;
  return TOI_OK;
}

static toi_mesh_options on_mesh_of(host_run *run, shared_out *shared) {
  toi_mesh_options on_mesh;
  HOST_DO(run, toi_mesh_options_init, (&on_mesh, sizeof on_mesh));
  on_mesh.broad = "bvh";
  on_mesh.may_collide = may_collide;
  on_mesh.may_collide_user = shared;
  on_mesh.progress = watch;
  on_mesh.progress_user = shared;
  return on_mesh;
}

/* More pairs than the buffers of two threads hold. */
static toi_options options_of(host_run *run, const toi_mesh_options *on_mesh) {
  toi_options options;
  HOST_DO(run, toi_options_init, (&options, sizeof options));
  options.on_mesh = on_mesh;
  options.min_separation = host_number(run->input, 40);
  return options;
}

static void candidates(host_run *run) {
  static sheets made;
  make_sheets(run, &made);
  shared_out shared = {.run = run};
  const toi_mesh_options on_mesh = on_mesh_of(run, &shared);
  const toi_options options = options_of(run, &on_mesh);
  toi_status status;
  HOST_CALL(run, status, toi_candidates, (run->context, &made.mesh, &options, receive, &shared));
  if (!host_context_status(run, status))
    return;
  HOST_CHECK(run, shared.count > 0);
  HOST_CHECK(run, run->called == NULL || (run->threads == 1 ? shared.watched > 0 : shared.worker_came));
  HOST_BITS(run, shared.sum);
  HOST_BITS(run, shared.count);
}

/* Whether progress is due depends on the time: the status does not go into the digest. */
static void step(host_run *run) {
  static sheets made;
  make_sheets(run, &made);
  shared_out shared = {.run = run, .cancels = true};
  const toi_mesh_options on_mesh = on_mesh_of(run, &shared);
  const toi_options options = options_of(run, &on_mesh);
  toi_impact impact;
  HOST_SPOIL(impact);
  toi_status status;
  HOST_CALL(run, status, toi_step, (run->context, &made.mesh, &options, &impact));
  run->short_of_memory = run->short_of_memory || status == TOI_ERROR_MEMORY;
  HOST_CHECK(run, (status == TOI_ERROR_CANCELLED) == (shared.watched > 0));
  HOST_CHECK(run, run->called == NULL || run->threads > 1 || status == TOI_ERROR_CANCELLED);
  if (status != TOI_OK)
    HOST_CHECK(run, impact.hit.verdict == TOI_NEAR && impact.hit.t_lo == 0 && impact.hit.t_safe == 0);
}

/* The plug-in answers only in the default state, and fails in any other. */
static void load_and_ask(host_run *run) {
  static double queries[COPIES][HOST_QUERIES * 24];
  static toi_hit hits[COPIES * HOST_QUERIES];
  for (size_t i = 0; i < COPIES; i++)
    memcpy(queries[i], host_queries(run->input, TOI_EDGE_EDGE), sizeof queries[i]);
  const char *name = host_nowhere();
  toi_status status;
  HOST_CALL(run, status, toi_plugin_load, (run->context, TOI_STATE_PLUGIN, &name));
  // The loader has no word for want of memory.
  run->short_of_memory = run->short_of_memory || status == TOI_ERROR_PLUGIN;
  if (!host_context_status(run, status)) {
    HOST_CHECK(run, name == NULL);
    return;
  }
  host_text(run, "name", name);
  toi_options options;
  HOST_DO(run, toi_options_init, (&options, sizeof options));
  options.method = name;
  HOST_SPOIL(hits);
  HOST_CALL(run, status, toi_batch,
            (run->context, TOI_EDGE_EDGE, &queries[0][0], COPIES * HOST_QUERIES, &options, hits));
  if (!host_context_status(run, status))
    HOST_CHECK(run, hits[0].verdict == TOI_NEAR && hits[0].t_lo == 0 && hits[0].t_safe == 0);
  HOST_BITS(run, hits);
}

/* On a context of its own: a plug-in is loaded once. */
static void plugin_load(host_run *run) {
  toi_context *const context = run->context;
  if (host_run_open(run)) {
    load_and_ask(run);
    host_run_close(run);
  } else
    run->short_of_memory = true;
  run->context = context;
}

const host_case host_worker_cases[] = {{"toi_candidates on workers", candidates, HOST_ONCE},
                                       {"toi_step, cancelled", step, HOST_ONCE},
                                       {"toi_plugin_load", plugin_load, HOST_FIGURES},
                                       {NULL, NULL, 0}};
