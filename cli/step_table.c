/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "step_table.h"

#include <stdio.h>

#include "name.h"

void print_step(const stepping *s, const step_answer *a, const examination *at_start) {
  const uint32_t threads = toi_context_threads(s->context);
  char peak[32];
  bytes_text(a->peak_bytes, peak, sizeof peak);
  name_print(s->options->paths[0]);
  printf(" -> ");
  name_print(s->options->paths[1]);
  printf(": %zu vertices, %zu edges, %zu faces; %u thread%s\n", a->vertices, a->edges, a->faces, threads,
         threads == 1 ? "" : "s");
  print_separation(&s->asked);
  printf("\n");
  print_start(at_start);
  print_impact(&a->impact);
  printf("\n");
  print_pairs(a);
  printf("\nload %.1f ms", a->load_ms);
  if (at_start->done)
    printf(", start %.1f ms", at_start->ms);
  printf(", first impact %.1f ms", a->first_ms);
  printf("; %s: broad %.1f ms, narrow %.1f ms; total %.1f ms; peak memory %s\n",
         a->every_hit ? "all collisions" : "of this", a->broad_ms, a->narrow_ms, a->total_ms, peak);
}

json_t *step_whole_json(const stepping *s, const step_answer *answer, const examination *at_start) {
  json_t *object = step_json(s, answer);
  json_object_set_new(object, "start", start_json(at_start));
  json_object_set_new(json_object_get(object, "ms"), "start", at_start->done ? json_number(at_start->ms) : json_null());
  return object;
}
