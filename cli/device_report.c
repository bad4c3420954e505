/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "device_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <toi/scene.h>

#include "options.h"
#include "platform.h"
#include "scenes/drape.h"
#include "session.h"

#define SCENE_SIZE 160
#define SCENE_SEED 1
#define RUNS 3

/* One way to find the collisions, and what came of it. */
typedef struct trial {
  double seconds; /* the least of some runs */
  uint64_t candidates, hits, sum;
} trial;

/* Adds up the bits of everything but the level, in order. */
static toi_status add_up(void *user, const toi_collision *collisions, size_t count) {
  trial *t = user;
  for (size_t i = 0; i < count; i++) {
    const toi_collision *c = &collisions[i];
    uint64_t words[5] = {(uint64_t)c->kind << 32 | c->pair.first, c->pair.second};
    memcpy(&words[2], &c->hit.t_lo, sizeof words[2]);
    memcpy(&words[3], &c->hit.t_hi, sizeof words[3]);
    memcpy(&words[4], &c->hit.u, sizeof words[4]);
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
      t->sum = (t->sum ^ words[k]) * 0x100000001b3u;
    t->hits++;
  }
  return TOI_OK;
}

static int run_trial(const char *device, const toi_mesh *mesh, trial *t) {
  toi_context *context;
  const session_device on = {.name = device};
  int result = session_open_on(0, 0, &on, &context);
  for (int i = 0; i < RUNS && result == EXIT_DONE; i++) {
    toi_options options = toi_default_options();
    toi_mesh_options on_mesh = toi_default_mesh_options();
    toi_work work = {.passes = 0};
    on_mesh.work = &work;
    options.on_mesh = &on_mesh;
    trial next = {.sum = 0xcbf29ce484222325u};
    const double begin = clock_seconds();
    const toi_status status = toi_collisions(context, mesh, &options, add_up, &next);
    next.seconds = clock_seconds() - begin;
    next.candidates = work.candidates[TOI_VERTEX_FACE] + work.candidates[TOI_EDGE_EDGE];
    if (status != TOI_OK)
      result = session_fail(context, status, NULL);
    else
      session_warn(context);
    if (i == 0 || next.seconds < t->seconds)
      *t = next;
  }
  toi_context_destroy(context);
  return result;
}

static void show_trial(const char *what, const trial *t) {
  printf("  %-9s %9.1f ms, %" PRIu64 " candidates, %" PRIu64 " collisions, sum %016" PRIx64 "\n", what,
         1e3 * t->seconds, t->candidates, t->hits, t->sum);
}

/* The devices that can be used, by number. */
typedef struct usable {
  uint32_t numbers[64];
  size_t count;
} usable;

static void note(usable *u, const toi_device_info *info) {
  printf("device %u: %s\n  platform %s\n  vendor %s\n  version %s, driver %s\n  %u units, %" PRIu64
         " bytes, largest buffer %" PRIu64 "\n  self-test: %s\n",
         (unsigned)info->number, info->name, info->platform, info->vendor, info->version, info->driver,
         (unsigned)info->units, info->memory, info->largest_buffer,
         info->usable ? info->keeps_subnormals ? "passed, subnormal numbers kept" : "passed, subnormal numbers flushed"
                      : info->reason);
  if (info->usable && u->count < sizeof u->numbers / sizeof u->numbers[0])
    u->numbers[u->count++] = info->number;
}

static int compare_all(const usable *u, const toi_mesh *mesh) {
  trial cpu;
  int result = run_trial(NULL, mesh, &cpu);
  if (result == EXIT_DONE)
    show_trial("CPU", &cpu);
  for (size_t i = 0; i < u->count && result == EXIT_DONE; i++) {
    char name[16];
    trial own;
    snprintf(name, sizeof name, "%u", (unsigned)u->numbers[i]);
    result = run_trial(name, mesh, &own);
    if (result != EXIT_DONE)
      continue;
    char title[32];
    snprintf(title, sizeof title, "device %s", name);
    show_trial(title, &own);
    if (own.sum != cpu.sum || own.candidates != cpu.candidates)
      result = cli_fail("device %s gives other answers than the CPU; please send us this report", name);
  }
  return result;
}

int device_report(toi_context *context) {
  usable u = {.count = 0};
  printf("libtoi %s\n", toi_version());
  size_t count;
  toi_status status = toi_device_count(context, &count);
  if (status == TOI_OK && count == 0)
    printf("no devices: %s\n", toi_context_warning(context));
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    toi_device_info info;
    status = toi_device_describe(context, i, true, &info);
    if (status == TOI_OK)
      note(&u, &info);
  }
  if (status != TOI_OK)
    return session_fail(context, status, NULL);
  drape scene;
  if (!drape_make(SCENE_SIZE, SCENE_SEED, &scene))
    return cli_fail("out of memory for the scene; close other programs");
  const toi_mesh mesh = {.size = sizeof mesh,
                         .start = scene.start,
                         .end = scene.end,
                         .scalar = TOI_FLOAT32,
                         .vertex_count = scene.vertex_count,
                         .faces = (const uint32_t(*)[3])scene.faces,
                         .face_count = scene.face_count};
  printf("all collisions of a generated scene of %zu faces, least of %d runs\n", scene.face_count, RUNS);
  const int result = compare_all(&u, &mesh);
  drape_free(&scene);
  return result;
}
