/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Bar, lines and table. */

#include "report.h"

#include <math.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BAR_CELLS 20
#define DRAW_SECONDS 0.1
#define LINE_BYTES 256

/* Shares as they are shown; contact is proximity and CCD together. */
typedef struct summary {
  double total;
  double assembly, factor, proximity, ccd, energy, check, output, rest;
} summary;

static summary sum_up(const sim_report *r, const sim_world *s) {
  const double *seconds = s->shares.seconds;
  summary sum = {.total = clock_seconds() - r->began,
                 .assembly = seconds[SHARE_ASSEMBLY],
                 .factor = seconds[SHARE_FACTOR],
                 .proximity = seconds[SHARE_PROXIMITY],
                 .ccd = seconds[SHARE_CCD],
                 .energy = seconds[SHARE_ENERGY],
                 .check = seconds[SHARE_CHECK],
                 .output = seconds[SHARE_OUTPUT]};
  sum.rest = sum.total;
  for (int i = 0; i < SHARE_COUNT; i++)
    sum.rest -= seconds[i];
  return sum;
}

void report_start(sim_report *r, bool json, long frames) {
  *r = (sim_report){.json = json, .terminal = isatty(STDERR_FILENO) == 1, .frames = frames, .began = clock_seconds()};
}

/* Of the terminal: what is longer would start a new line. */
static int columns(void) {
  struct winsize size;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

void report_iterate(sim_report *r, const sim_world *s, const sim_progress *p) {
  const double now = clock_seconds();
  if (!r->terminal || now - r->drawn < DRAW_SECONDS)
    return;
  r->drawn = now;
  r->shown = true;
  char bar[BAR_CELLS + 1] = {0}, line[LINE_BYTES];
  for (int i = 0; i < BAR_CELLS; i++)
    bar[i] = i < (int)(BAR_CELLS * (double)p->frame / (double)r->frames) ? '#' : '.';
  const summary sum = sum_up(r, s);
  const double part = 100 / sum.total;
  snprintf(line, sizeof line,
           "[%s] frame %ld/%ld, iterate %ld: %.4g J, %zu contacts, step %.2g; contact %.0f %%, assembly %.0f %%, "
           "factor %.0f %%",
           bar, p->frame, r->frames, p->iterations, p->energy, p->contacts, p->step, part * (sum.proximity + sum.ccd),
           part * sum.assembly, part * sum.factor);
  fprintf(stderr, "\r%.*s\033[K", columns() - 1, line);
  fflush(stderr);
}

void report_clear(sim_report *r) {
  if (r->shown)
    fputs("\r\033[K", stderr);
  r->shown = false;
}

void report_frame(sim_report *r, const sim_progress *p, double seconds) {
  if (!r->json)
    return;
  report_clear(r);
  printf("{\"frame\":%ld,\"iterations\":%ld,\"energy\":%.17g,\"contacts\":%zu,\"distance\":", p->frame, p->iterations,
         p->energy, p->contacts);
  if (isfinite(p->distance))
    printf("%.17g", p->distance);
  else
    printf("null");
  printf(",\"smallest_step\":%.17g,\"stalled\":%s,\"ms\":%.3f}\n", p->smallest, p->stalled ? "true" : "false",
         1e3 * seconds);
  fflush(stdout);
}

static void end_json(const sim_world *s, const summary *sum, double mean) {
  printf("{\"frames\":%ld,\"iterations\":%llu,\"line_searches\":%llu,\"ms_per_iteration\":%.3f,\"seconds\":{"
         "\"assembly\":%.6f,\"factorisation\":%.6f,\"proximity\":%.6f,\"ccd\":%.6f,\"energy\":%.6f,\"check\":%.6f,"
         "\"output\":%.6f,\"rest\":%.6f,\"total\":%.6f}}\n",
         s->frame, (unsigned long long)s->iterations, (unsigned long long)s->line_searches, mean, sum->assembly,
         sum->factor, sum->proximity, sum->ccd, sum->energy, sum->check, sum->output, sum->rest, sum->total);
}

void report_end(sim_report *r, const sim_world *s) {
  report_clear(r);
  const summary sum = sum_up(r, s);
  const double mean = s->iterations == 0 ? 0 : 1e3 * s->newton_seconds / (double)s->iterations;
  if (r->json) {
    end_json(s, &sum, mean);
    return;
  }
  const struct {
    const char *name;
    double seconds;
  } rows[] = {{"assembly", sum.assembly},
              {"factorisation", sum.factor},
              {"contact", sum.proximity + sum.ccd},
              {"  proximity", sum.proximity},
              {"  line search", sum.ccd},
              {"energy", sum.energy},
              {"check", sum.check},
              {"output", sum.output},
              {"rest", sum.rest},
              {"total", sum.total}};
  printf("%s: %ld frames, %llu iterations, %llu line searches, %u threads\n", s->scene.title, s->frame,
         (unsigned long long)s->iterations, (unsigned long long)s->line_searches, toi_context_threads(s->context));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    printf("  %-14s %9.3f s  %5.1f %%\n", rows[i].name, rows[i].seconds, 100 * rows[i].seconds / sum.total);
  printf("mean Newton iteration: %.2f ms\n", mean);
}
