/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The progress bar and the wish to stop. A process has one terminal and one set of signals, so this file keeps state.
 */

#include "progress.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "name.h"
#include "options.h"

#define BAR_CELLS 32
#define WHAT_BYTES 61
#define QUIET_SECONDS 1.0
#define DRAW_SECONDS 0.1

static struct {
  double started, drawn;
  bool terminal, shown;
} bar;

static volatile sig_atomic_t stop_requested, stop_at_once, on_terminal;

static void on_signal(int number) {
  (void)number;
  stop_requested = 1;
  if (!stop_at_once)
    return;
  static const char text[] = "\r\033[Ktoi: stopped; nothing was written\n";
  const size_t skipped = on_terminal ? 0 : 4; /* what clears the line of the bar */
  platform_end(text + skipped, sizeof text - 1 - skipped, EXIT_BAD);
}

void progress_start(void) {
  bar.started = clock_seconds();
  bar.terminal = platform_is_terminal();
  on_terminal = bar.terminal;
  platform_on_stop(on_signal);
}

void progress_show(double done, const char *what) {
  if (!bar.terminal)
    return;
  double now = clock_seconds();
  if (now - bar.started < QUIET_SECONDS || now - bar.drawn < DRAW_SECONDS)
    return;
  bar.drawn = now;
  bar.shown = true;
  int cells = (int)(done * BAR_CELLS);
  char line[BAR_CELLS + 1];
  for (int i = 0; i < BAR_CELLS; i++)
    line[i] = i < cells ? '#' : '.';
  line[BAR_CELLS] = '\0';
  char shown[WHAT_BYTES];
  name_write(what, shown, sizeof shown);
  fprintf(stderr, "\r[%s] %3.0f %% %5.1f s  %s\033[K", line, 100 * done, now - bar.started, shown);
  fflush(stderr);
}

void progress_clear(void) {
  if (bar.shown) {
    fprintf(stderr, "\r\033[K");
    fflush(stderr);
    bar.shown = false;
  }
}

void progress_stop_at_once(bool at_once) {
  stop_at_once = at_once;
}

bool progress_stopped(void) {
  return stop_requested != 0;
}
