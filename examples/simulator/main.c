/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A cloth simulator on the public interface of libtoi: implicit steps by projected Newton, a barrier on contact, lagged
 * friction, and toi_line_search() before the usual backtracking on the energy. docs/simulators.md explains the loop. */

#include <signal.h>
#include <stdio.h>
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "files.h"
#include "options.h"
#include "report.h"

#define EXIT_BAD 2

static volatile sig_atomic_t stop_requested;

static void on_signal(int number) {
  (void)number;
  stop_requested = 1;
}

/* The first signal asks to stop, the second one ends the process. */
static void catch_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

typedef struct run {
  sim_options options;
  sim_scene scene;
  sim_world world;
  sim_report report;
} run;

static bool on_iterate(void *user, const sim_world *s, const sim_progress *p, sim_fault *fault) {
  run *r = user;
  report_iterate(&r->report, s, p);
  if (r->options.iterates != NULL) {
    const double began = clock_seconds();
    const bool written = files_write_iterate(s, r->options.iterates, p, fault);
    share_add(&r->world.shares, SHARE_OUTPUT, began);
    if (!written)
      return false;
  }
  return !stop_requested || refuse(fault, "stopped");
}

/* Directories, and the state to start from. */
static bool prepare(run *r, sim_fault *fault) {
  const sim_options *o = &r->options;
  sim_world *w = &r->world;
  if (o->out != NULL && !o->resume && files_has_state(o->out))
    return refuse(fault, "%s has a state already: --resume goes on from it, another directory starts anew", o->out);
  if ((o->out != NULL && !files_directory(o->out, fault)) ||
      (o->iterates != NULL && !files_directory(o->iterates, fault)))
    return false;
  if (o->resume)
    return files_read_state(w, o->out, fault);
  const sim_progress start = {0};
  return (o->out == NULL || files_write_frame(w, o->out, fault)) &&
         (o->iterates == NULL || files_write_iterate(w, o->iterates, &start, fault));
}

static bool simulate(run *r, sim_fault *fault) {
  sim_world *w = &r->world;
  if (!prepare(r, fault))
    return false;
  while (w->frame < r->report.frames) {
    double began = clock_seconds();
    sim_progress progress;
    sim_fault why;
    if (!newton_frame(w, &progress, &why))
      return refuse(fault, "frame %ld: %.900s; the state of frame %ld is kept", w->frame + 1, why.text, w->frame);
    report_frame(&r->report, &progress, clock_seconds() - began);
    began = clock_seconds();
    if (r->options.out != NULL &&
        (!files_write_frame(w, r->options.out, fault) || !files_write_state(w, r->options.out, fault)))
      return false;
    share_add(&w->shares, SHARE_OUTPUT, began);
  }
  report_end(&r->report, w);
  return true;
}

int main(int count, char **arguments) {
  static run r;
  sim_fault fault = {.text = ""};
#ifdef __GLIBC__
  // The factorisation's large arrays come and go in each iteration: the process keeps their pages.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  catch_signals();
  bool fine = options_read(count, arguments, &r.options, &fault);
  if (fine && r.options.help) {
    fputs(options_help, stdout);
    return 0;
  }
  fine = fine && scene_read(r.options.scene, r.options.resolution, &r.scene, &fault);
  report_start(&r.report, r.options.json, r.options.frames > 0 ? r.options.frames : r.scene.frames);
  fine = fine && simulation_create(&r.world, &r.scene, (uint32_t)r.options.threads, &fault);
  if (fine) {
    r.world.check = r.options.check;
    r.world.visit = on_iterate;
    r.world.user = &r;
    fine = simulate(&r, &fault);
  }
  report_clear(&r.report);
  if (!fine)
    fprintf(stderr, "simulator: %s\n", fault.text);
  simulation_free(&r.world);
  return fine ? 0 : EXIT_BAD;
}
