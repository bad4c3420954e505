/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What bench/module.py measures of the Python module, in C: the baseline of the same run.
 *   toi-bench-module START.ply END.ply QUERIES.bin SINGLE
 * reads "step", "batch" and "single" from standard input, does that work on one thread, and prints the seconds of CPU
 * time that it took: the first impact of the two frames; all vertex-face queries of the file in one batch; SINGLE
 * single queries, the file's in turn. */

#include <toi/toi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct work {
  toi_context *context;
  toi_frame frames[2];
  toi_query_set queries;
  toi_hit *hits;
  size_t singles;
} work;

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static toi_status step(const work *w) {
  const toi_options options = toi_default_options();
  const toi_mesh mesh = {.start = w->frames[0].vertices,
                         .end = w->frames[1].vertices,
                         .scalar = w->frames[0].scalar,
                         .vertex_count = w->frames[0].vertex_count,
                         .faces = (const uint32_t(*)[3])w->frames[0].faces,
                         .face_count = w->frames[0].face_count};
  toi_impact impact;
  return toi_step(w->context, &mesh, &options, &impact);
}

static toi_status batch(const work *w) {
  const toi_options options = toi_default_options();
  return toi_batch(w->context, TOI_VERTEX_FACE, w->queries.queries, w->queries.count, &options, w->hits);
}

static toi_status single(const work *w) {
  const toi_options options = toi_default_options();
  toi_status status = TOI_OK;
  for (size_t i = 0; i < w->singles && status == TOI_OK; i++) {
    const double(*points)[3] = (const double(*)[3])(w->queries.queries + 24 * (i % w->queries.count));
    status = toi_vertex_face(points, points + 4, &options, &w->hits[0]);
  }
  return status;
}

static toi_status prepare(work *w, char **arguments) {
  toi_context_options options = toi_default_context_options();
  options.threads = 1;
  options.memory_budget = (uint64_t)4 << 30;
  toi_status status = toi_context_create(&options, &w->context);
  for (int i = 0; i < 2 && status == TOI_OK; i++)
    status = toi_frame_read(w->context, arguments[1 + i], &w->frames[i]);
  if (status == TOI_OK)
    status = toi_queries_read(w->context, arguments[3], &w->queries);
  if (status != TOI_OK)
    return status;
  w->singles = strtoul(arguments[4], NULL, 10);
  w->hits = calloc(w->queries.count, sizeof *w->hits);
  return w->hits ? TOI_OK : TOI_ERROR_MEMORY;
}

int main(int count, char **arguments) {
  work w = {.context = NULL};
  if (count != 5) {
    fprintf(stderr, "usage: toi-bench-module START.ply END.ply QUERIES.bin SINGLE\n");
    return 2;
  }
  toi_status status = prepare(&w, arguments);
  char line[64];
  while (status == TOI_OK && fgets(line, sizeof line, stdin)) {
    const double begin = cpu_seconds();
    status = strcmp(line, "step\n") == 0 ? step(&w) : strcmp(line, "batch\n") == 0 ? batch(&w) : single(&w);
    printf("%.9f\n", cpu_seconds() - begin);
    fflush(stdout);
  }
  if (status != TOI_OK)
    fprintf(stderr, "toi-bench-module: %s\n", w.context ? toi_context_error(w.context) : toi_status_text(status));
  free(w.hits);
  toi_context_destroy(w.context);
  return status != TOI_OK;
}
