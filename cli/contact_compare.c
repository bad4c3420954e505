/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi contact --compare`: what each technique is worth, as the table of Snyder 1993, figure 10.
 *
 * LEQN shrinks boxes by the linear interval equation, KM by the operator of Krawczyk and Moore; NIN only splits them,
 * down to its tolerance; NTAN leaves the tangency constraint out too. As in the paper these rows order boxes by the
 * upper bound of time, and guess nothing; the first row has all that libtoi does by default. Every row ends: a search
 * that meets its budget is shown with what it knew by then. */

#include <math.h>
#include <stdio.h>

#include "contact.h"
#include "measure.h"
#include "name.h"
#include "progress.h"

#define ROW_SECONDS 60
#define ROW_BOXES 1000000000
#define CELL 24

static const struct {
  const char *name;
  double tolerance; /* 0: the scene's */
  toi_contact_newton newton;
  bool tangency;
  bool as_paper; /* by the upper bound, without guesses and Taylor models */
} techniques[] = {
    {"libtoi", 0, TOI_NEWTON_LINEAR, true, false},     {"LEQN", 0, TOI_NEWTON_LINEAR, true, true},
    {"KM", 0, TOI_NEWTON_KRAWCZYK, true, true},        {"NIN", 1e-3, TOI_NEWTON_NONE, true, true},
    {"NIN", 1e-4, TOI_NEWTON_NONE, true, true},        {"NIN", 1e-5, TOI_NEWTON_NONE, true, true},
    {"NIN", 1e-6, TOI_NEWTON_NONE, true, true},        {"NIN, NTAN", 1e-3, TOI_NEWTON_NONE, false, true},
    {"NIN, NTAN", 1e-4, TOI_NEWTON_NONE, false, true}, {"NIN, NTAN", 1e-5, TOI_NEWTON_NONE, false, true},
};

#define ROWS (sizeof techniques / sizeof techniques[0])

typedef struct comparison {
  contact_scene scene;
  double tolerance[ROWS];
  contact_answer answers[ROWS];
} comparison;

static toi_contact_options row_options(const contact_options *options, const toi_contact_options *scene, size_t row) {
  toi_contact_options asked = *scene;
  asked.newton = techniques[row].newton;
  asked.tangency = techniques[row].tangency;
  if (techniques[row].as_paper) {
    asked.guesses = false;
    asked.clearance = false;
    asked.order = TOI_CONTACT_UPPER;
  }
  asked.tolerance = techniques[row].tolerance > 0 ? techniques[row].tolerance : asked.tolerance;
  asked.max_seconds = isnan(options->max_seconds) ? ROW_SECONDS : options->max_seconds;
  asked.max_boxes = options->max_boxes == 0 ? ROW_BOXES : options->max_boxes;
  return asked;
}

/* One row; its time is the shortest of several calls. */
static int ask_row(comparison *c, const contact_options *options, size_t row) {
  const toi_contact_options asked = row_options(options, &c->scene.asked, row);
  const size_t rows = ROWS;
  const double part = 1 / (double)rows;
  contact_progress progress = {.doing = techniques[row].name, .before = part * (double)row, .part = part};
  contact_answer *answer = &c->answers[row];
  double shortest = (double)INFINITY, spent = 0;
  int result = EXIT_DONE;
  c->tolerance[row] = asked.tolerance;
  for (int i = 0; result == EXIT_DONE && i < SINGLE_CALLS && spent < SINGLE_SECONDS; i++) {
    contact_answer_free(answer);
    result = contact_ask(&c->scene, &asked, &progress, answer);
    shortest = answer->ms < shortest ? answer->ms : shortest;
    spent += 1e-3 * answer->ms;
  }
  answer->ms = shortest;
  return result;
}

/* --- reports --- */

static void print_table(const comparison *c) {
  name_print(c->scene.name);
  printf(": %zu bodies, times from 0 to %g\n\n", c->scene.count, c->scene.asked.t_max);
  printf("%-10s %9s %12s %12s  %-7s %-8s %8s  %-24s %s\n", "method", "tolerance", "boxes", "ms", "verdict", "end",
         "contacts", "not before", "by");
  for (size_t i = 0; i < ROWS; i++) {
    const toi_contact_answer *found = &c->answers[i].found;
    char boxes[CELL];
    snprintf(boxes, sizeof boxes, "%s%llu", found->end == TOI_CONTACT_DONE ? "" : ">",
             (unsigned long long)found->boxes);
    printf("%-10s %9.0e %12s %12.3f  %-7s %-8s %8zu  %-24.17g %.17g\n", techniques[i].name, c->tolerance[i], boxes,
           c->answers[i].ms, toi_verdict_name(found->verdict), toi_contact_end_name(found->end), c->answers[i].count,
           found->t_lo, found->t_hi);
  }
  printf("\nlibtoi: all techniques. LEQN: boxes are shrunk by the linear interval equation, KM: by the operator of "
         "Krawczyk "
         "and Moore;\nNIN: they are only split; NTAN: without the tangency constraint too; these order boxes by their "
         "latest "
         "time, and guess nothing.\nA box count after >: the search reached its limit. ms: the shortest of up to %d "
         "calls.\n",
         SINGLE_CALLS);
}

static json_t *row_json(const comparison *c, size_t row) {
  static const char *const newton[] = {"linear", "krawczyk", "none"};
  const contact_answer *answer = &c->answers[row];
  json_t *object = json_object();
  json_object_set_new(object, "method", json_text(techniques[row].name));
  json_object_set_new(object, "newton", json_text(newton[techniques[row].newton]));
  json_object_set_new(object, "tangency", json_boolean(techniques[row].tangency));
  json_object_set_new(object, "tolerance", json_number(c->tolerance[row]));
  json_object_set_new(object, "boxes", json_count(answer->found.boxes, true));
  json_object_set_new(object, "ms", json_number(answer->ms));
  json_object_set_new(object, "verdict", json_text(toi_verdict_name(answer->found.verdict)));
  json_object_set_new(object, "toi", contact_bracket_json(&answer->found));
  json_object_set_new(object, "contacts", json_count(answer->count, true));
  json_object_set_new(object, "end", json_text(toi_contact_end_name(answer->found.end)));
  return object;
}

static int print_json(const comparison *c) {
  json_t *object = json_object(), *rows = json_array();
  for (size_t i = 0; i < ROWS; i++)
    json_array_append_new(rows, row_json(c, i));
  json_object_set_new(object, "scene", json_text(c->scene.name));
  json_object_set_new(object, "t_max", json_number(c->scene.asked.t_max));
  json_object_set_new(object, "rows", rows);
  return json_print(object);
}

int contact_compare(const contact_options *options) {
  comparison c = {0};
  int result = contact_scene_open(options, &c.scene);
  if (result == EXIT_DONE && contact_needs_patches(&c.scene))
    result = cli_fail("%s: --compare does not support a separation; leave one of them out", c.scene.name);
  for (size_t i = 0; result == EXIT_DONE && i < ROWS; i++)
    result = ask_row(&c, options, i);
  if (result == EXIT_DONE) {
    progress_clear();
    if (options->json)
      result = print_json(&c);
    else
      print_table(&c);
  }
  for (size_t i = 0; i < ROWS; i++)
    contact_answer_free(&c.answers[i]);
  contact_scene_close(&c.scene);
  return result;
}
