/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi contact SCENE.json`: the first contact of moving surfaces and all its places.
 *
 * Nothing is printed and no file appears before everything has gone well. */

#include "contact.h"

#include <math.h>

#include "commands.h"
#include "files.h"
#include "page_curved.h"
#include "progress.h"
#include "session.h"

enum { OUT, PICTURE, VIEW, OUTPUTS };

typedef struct contact_run {
  const contact_options *options;
  contact_scene scene;
  contact_progress progress;
  contact_answer answer;
  output outputs[OUTPUTS];
  page_curved page;
} contact_run;

/* --- files --- */

static int begin_files(contact_run *r) {
  int result = EXIT_DONE;
  for (size_t i = 0; result == EXIT_DONE && i < OUTPUTS; i++) {
    const char *path = r->outputs[i].path;
    if (path != NULL && files_same(path, r->options->paths[0]))
      return cli_fail("%s: holds the scene and would be replaced; write to another file", path);
    result = output_open(r->scene.context, &r->outputs[i]);
  }
  if (result == EXIT_DONE)
    result = page_curved_open(&r->page, r->scene.context, &r->outputs[VIEW], r->options->viewer);
  return result == EXIT_DONE ? page_curved_scene(&r->page, r->options->paths[0]) : result;
}

static int write_files(contact_run *r) {
  if (output_is_open(&r->outputs[OUT])) {
    const toi_status status = contact_write(&r->scene, &r->answer, &r->outputs[OUT]);
    if (status != TOI_OK)
      return session_fail(r->scene.context, status, NULL);
  }
  if (!output_is_open(&r->outputs[PICTURE]))
    return EXIT_DONE;
  return contact_draw(&r->scene, &r->answer, r->options->from, &r->outputs[PICTURE]);
}

/* --- the command --- */

static int ask(contact_run *r) {
  r->progress = (contact_progress){.doing = r->scene.name, .part = 1};
  return contact_ask(&r->scene, &r->scene.asked, &r->progress, &r->answer);
}

static int finish(contact_run *r) {
  bool table = false;
  int result = EXIT_DONE;
  if (page_is_open(&r->page.page))
    result = page_curved_finish(&r->page, "contact", contact_json(&r->scene, &r->answer), NULL);
  if (result == EXIT_DONE) {
    json_t *report = r->options->json ? contact_json(&r->scene, &r->answer) : NULL;
    result = outputs_finish(r->scene.context, r->outputs, OUTPUTS, report, &table);
  }
  if (result != EXIT_DONE)
    return result;
  if (table) {
    contact_print_table(&r->scene, &r->answer);
    page_print(r->options->view);
  }
  return r->options->fail_on_hit && r->answer.found.verdict != TOI_MISS ? EXIT_FINDING : EXIT_DONE;
}

static int answer_scene(const contact_options *options) {
  contact_run r = {.options = options};
  r.outputs[OUT] = (output){.option = "--out", .path = options->out};
  r.outputs[PICTURE] = (output){.option = "--picture", .path = options->picture};
  r.outputs[VIEW] = (output){.option = "--view", .path = options->view};
  int result = outputs_check(r.outputs, OUTPUTS, options->json);
  if (result == EXIT_DONE)
    result = contact_scene_open(options, &r.scene);
  if (result == EXIT_DONE)
    result = begin_files(&r);
  if (result == EXIT_DONE)
    result = ask(&r);
  if (result == EXIT_DONE)
    result = write_files(&r);
  if (result == EXIT_DONE)
    result = finish(&r);
  outputs_discard(r.outputs, OUTPUTS);
  page_curved_close(&r.page);
  contact_answer_free(&r.answer);
  contact_scene_close(&r.scene);
  return result;
}

int command_contact(int argc, char **argv) {
  contact_options options;
  const parse_result parsed = contact_options_parse(argc, argv, &options);
  if (parsed != PARSE_FINE)
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  progress_start();
  if (options.convert)
    return contact_convert(&options);
  if (!isnan(options.until))
    return contact_print_until(&options);
  if (options.inside != NULL)
    return contact_print_inside(&options);
  return options.compare ? contact_compare(&options) : answer_scene(&options);
}
