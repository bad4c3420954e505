/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi surface`: which of its parts is meant, and what they share. */

#include "surface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "answers.h"
#include "commands.h"
#include "files.h"
#include "progress.h"
#include "session.h"

#define ROW_BYTES 512

/* --- calls --- */

static bool show_progress(void *user, double done) {
  const surface_progress *p = user;
  progress_show(p->before + p->part * done, p->doing);
  return !progress_stopped();
}

void surface_watch(toi_surface_options *options, surface_progress *progress) {
  options->progress = show_progress;
  options->progress_user = progress;
}

const char *accept_name(toi_accept accept) {
  return accept == TOI_ACCEPT_PARAMETER ? "parameter" : "world";
}

int surface_read_cases(toi_context *context, const surface_options *options, toi_case_set *set) {
  progress_stop_at_once(true);
  toi_status status = toi_cases_read(context, options->paths[0], set);
  progress_stop_at_once(false);
  if (status != TOI_OK)
    return session_fail(context, status, status == TOI_ERROR_MEMORY ? options->paths[0] : NULL);
  for (size_t i = 0; i < set->count && !isnan(options->t_max); i++)
    toi_case_set_case(set, i)->t_max = options->t_max;
  return EXIT_DONE;
}

/* --- answers in a file --- */

/* Opens an output that names none of the files that are read. */
static int open_other(toi_context *context, const surface_options *options, output *out) {
  for (int i = 0; out->path != NULL && i < options->path_count; i++)
    if (files_same(out->path, options->paths[i]))
      return cli_fail("%s: is an input file and would be replaced; write to another file", out->path);
  return output_open(context, out);
}

int surface_open_view(toi_context *context, const surface_options *options, output *view) {
  return open_other(context, options, view);
}

int surface_open_output(toi_context *context, const surface_options *options, bool models, output *out) {
  const int result = open_other(context, options, out);
  if (result != EXIT_DONE || options->out == NULL)
    return result;
  const toi_status status =
      output_append_text(out, models ? "index,verdict,t_lo,t_hi,u1,v1,u2,v2,patch_a,patch_b,x,y,z\n"
                                     : "index,verdict,t_lo,t_hi,u1,v1,u2,v2\n");
  return status == TOI_OK ? EXIT_DONE : session_fail(context, status, NULL);
}

toi_status surface_append(output *out, uint64_t index, const toi_surface_hit *hit, bool models) {
  char t_lo[REAL_BYTES], t_hi[REAL_BYTES], uv[4][REAL_BYTES], row[ROW_BYTES];
  real_text(t_lo, true, hit->t_lo);
  real_text(t_hi, true, hit->t_hi);
  for (int k = 0; k < 2; k++) {
    real_text(uv[k], false, hit->a[k]);
    real_text(uv[2 + k], false, hit->b[k]);
  }
  int length = snprintf(row, sizeof row, "%llu,%s,%s,%s,%s,%s,%s,%s", (unsigned long long)index,
                        toi_verdict_name((toi_verdict)hit->verdict), t_lo, t_hi, uv[0], uv[1], uv[2], uv[3]);
  if (models) {
    const double *x = hit->point;
    length += snprintf(row + length, sizeof row - (size_t)length, ",%u,%u,%.17g,%.17g,%.17g", hit->patch_a,
                       hit->patch_b, x[0], x[1], x[2]);
  }
  row[length++] = '\n';
  return output_append(out, row, (size_t)length);
}

/* --- the command --- */

int command_surface(int argc, char **argv) {
  surface_options options;
  parse_result parsed = surface_options_parse(argc, argv, &options);
  if (parsed != PARSE_FINE)
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  progress_start();
  switch (options.mode) {
  case SURFACE_CASES:
    return surface_cases(&options);
  case SURFACE_CONVERGENCE:
    return surface_convergence(&options);
  case SURFACE_DEMO:
    return surface_demo(&options);
  case SURFACE_MODELS:
  case SURFACE_SCENE:
    break;
  }
  return surface_models(&options);
}
