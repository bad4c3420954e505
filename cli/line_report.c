/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "line_report.h"

#include <stdio.h>

#include "name.h"
#include "step_report.h"

/* What holds up to the positions of a step. */
static void print_guarantee(double separation, double fraction) {
  if (separation > 0 && fraction > 0)
    printf("every pair keeps more than %.6g, and %.6g of its initial distance beyond that\n", separation, fraction);
  else if (separation > 0)
    printf("every pair stays farther apart than %.6g\n", separation);
  else if (fraction > 0)
    printf("every pair keeps more than %.6g of its initial distance\n", fraction);
  else
    printf("nothing touches\n");
}

void line_search_print(const line_facts *l) {
  const toi_advance *a = &l->advance;
  const toi_options *asked = &l->stepping->asked;
  const uint32_t threads = toi_context_threads(l->stepping->context);
  name_print(l->options->paths[0]);
  printf(" -> ");
  name_print(l->options->paths[1]);
  printf(": %zu vertices, %zu edges, %zu faces; %u thread%s\n", l->vertices, l->edges, l->faces, threads,
         threads == 1 ? "" : "s");
  print_separation(asked);
  printf("\n");
  print_label("step");
  printf("%.17g of the displacement%s\n", a->step, a->step == 0 ? ": something touches already" : "");
  print_label("guaranteed");
  if (a->step == 0)
    printf("nothing moves\n");
  else
    print_guarantee(asked->min_separation, a->fraction);
  if (a->first.hit.verdict != TOI_MISS) {
    char pair[96];
    impact_text(&a->first, pair, sizeof pair);
    print_label("limited by");
    printf("%s, which would be too close from t = %.17g on\n", pair, a->first.hit.t_lo);
  }
  print_label("tries");
  printf("%u\n\n%.1f ms\n", a->tries, l->ms);
}

json_t *line_search_json(const line_facts *l) {
  const toi_advance *a = &l->advance;
  json_t *object = json_object();
  json_object_set_new(object, "step", json_number(a->step));
  json_object_set_new(object, "fraction", json_number(a->fraction));
  json_object_set_new(object, "tries", json_count(a->tries, true));
  json_object_set_new(object, "toi", toi_json(&a->first.hit));
  json_object_set_new(object, "first", first_json(&a->first));
  json_object_set_new(object, "ms", json_number(l->ms));
  return object;
}
