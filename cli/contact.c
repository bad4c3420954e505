/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi contact SCENE.json`: the first contact of moving surfaces and all its places.
 *
 * Nothing is printed and no file appears before everything has gone well. */

#include "contact.h"

#include <string.h>

#include "commands.h"
#include "files.h"
#include "progress.h"
#include "session.h"

typedef struct contact_run {
  const contact_options *options;
  contact_scene scene;
  contact_progress progress;
  contact_answer answer;
  toi_output *out, *picture;
} contact_run;

/* --- files --- */

static int begin_file(contact_run *r, const char *path, toi_output **output) {
  if (path == NULL) {
    return EXIT_DONE;
  }
  if (files_same(path, r->options->paths[0])) {
    return cli_fail("%s: holds the scene and would be replaced; write to another file", path);
  }
  const toi_status status = toi_output_create(r->scene.context, path, output);
  return status == TOI_OK ? EXIT_DONE : session_fail(r->scene.context, status, NULL);
}

static int begin_files(contact_run *r) {
  const contact_options *o = r->options;
  if (o->out != NULL && o->picture != NULL && (strcmp(o->out, o->picture) == 0 || files_same(o->out, o->picture))) {
    return cli_fail("%s: named by --out and by --picture; write to two files", o->out);
  }
  const int result = begin_file(r, o->out, &r->out);
  return result == EXIT_DONE ? begin_file(r, o->picture, &r->picture) : result;
}

static int commit(const contact_run *r, toi_output **output) {
  if (*output == NULL) {
    return EXIT_DONE;
  }
  const toi_status status = toi_output_commit(*output);
  *output = NULL;
  return status == TOI_OK ? EXIT_DONE : session_fail(r->scene.context, status, NULL);
}

static int write_files(contact_run *r) {
  if (r->out != NULL) {
    const toi_status status = contact_write(&r->scene, &r->answer, r->out);
    if (status != TOI_OK) {
      return session_fail(r->scene.context, status, NULL);
    }
  }
  int result = EXIT_DONE;
  if (r->picture != NULL) {
    result = contact_draw(&r->scene, &r->answer, r->options->from, r->picture);
  }
  if (result == EXIT_DONE) {
    result = commit(r, &r->out);
  }
  return result == EXIT_DONE ? commit(r, &r->picture) : result;
}

/* --- the command --- */

static int ask(contact_run *r) {
  r->progress = (contact_progress){.doing = r->scene.name, .part = 1};
  return contact_ask(&r->scene, &r->scene.asked, &r->progress, &r->answer);
}

static void print(const contact_run *r) {
  progress_clear();
  if (r->options->json) {
    contact_print_json(&r->scene, &r->answer);
  } else {
    contact_print_table(&r->scene, &r->answer);
  }
}

static int answer_scene(const contact_options *options) {
  contact_run r = {.options = options};
  int result = contact_scene_open(options, &r.scene);
  if (result == EXIT_DONE) {
    result = begin_files(&r);
  }
  if (result == EXIT_DONE) {
    result = ask(&r);
  }
  if (result == EXIT_DONE) {
    result = write_files(&r);
  }
  if (result == EXIT_DONE) {
    print(&r);
    result = options->fail_on_hit && r.answer.found.verdict != TOI_MISS ? EXIT_FINDING : EXIT_DONE;
  }
  toi_output_discard(r.out);
  toi_output_discard(r.picture);
  contact_answer_free(&r.answer);
  contact_scene_close(&r.scene);
  return result;
}

int command_contact(int argc, char **argv) {
  contact_options options;
  const parse_result parsed = contact_options_parse(argc, argv, &options);
  if (parsed != PARSE_FINE) {
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  }
  progress_start();
  return options.compare ? contact_compare(&options) : answer_scene(&options);
}
