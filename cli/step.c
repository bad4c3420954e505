/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi step`: two frames of a mesh, the first impact between them and, where asked, every candidate and every
 * collision.
 *
 * Nothing is printed and no file appears before everything has gone well. */

#include <stdio.h>
#include <stdlib.h>
#include <toi/io.h>

#include "commands.h"
#include "files.h"
#include "pair_file.h"
#include "progress.h"
#include "session.h"
#include "step_report.h"
#include "stepping.h"

typedef struct step_command {
  step_options options;
  stepping stepping;
  step_frame start, end;
  toi_mesh mesh;
  pair_file candidates, hits;
  step_answer answer;
  double began;
} step_command;

static int open_file(step_command *c, const char *path, pair_file *file) {
  if (path == NULL) {
    return EXIT_DONE;
  }
  for (int i = 0; i < 2; i++) {
    if (files_same(path, c->options.paths[i])) {
      return cli_fail("%s: holds a mesh and would be replaced; write to another file", path);
    }
  }
  toi_status status = pair_file_open(c->stepping.meshes, path, file);
  return status == TOI_OK ? EXIT_DONE : session_fail(c->stepping.meshes, status, NULL);
}

static int load(step_command *c) {
  stepping *s = &c->stepping;
  int result = stepping_read(s, c->options.paths[0], &c->start);
  if (result == EXIT_DONE) {
    result = stepping_read(s, c->options.paths[1], &c->end);
  }
  if (result == EXIT_DONE) {
    result = stepping_join(s, &c->start, &c->end, &c->mesh);
  }
  c->answer.load_ms = 1e3 * (clock_seconds() - c->began);
  return result;
}

static toi_status write_hits(void *user, const toi_collision *collisions, size_t count) {
  pair_file *file = user;
  toi_status status = TOI_OK;
  for (size_t i = 0; status == TOI_OK && i < count; i++) {
    status = pair_file_append(file, collisions[i].kind, &collisions[i].pair, 1);
  }
  return status;
}

/* Lists the candidates in what the budget leaves. */
static int write_candidates(step_command *c) {
  stepping *s = &c->stepping;
  const uint64_t budget = c->options.memory > 0 ? c->options.memory : session_memory() / 2;
  const uint64_t held = toi_context_bytes(s->work);
  const uint64_t left = budget > held ? budget - held : 0;
  s->doing = "listing the candidates";
  toi_status status = candidates_append(s->work, &c->mesh, &s->asked, left, &c->candidates, c->answer.candidates);
  c->answer.every_candidate = true;
  return status == TOI_OK ? EXIT_DONE : stepping_fail(s, status, NULL);
}

static int ask(step_command *c) {
  stepping *s = &c->stepping;
  const bool lists = c->candidates.output != NULL;
  s->doing = "looking for collisions";
  if (c->hits.output != NULL) {
    s->visit = write_hits;
    s->visit_user = &c->hits;
  }
  s->part = lists ? 0.5 : 1;
  int result = stepping_ask(s, &c->mesh, NULL, &c->answer);
  if (result == EXIT_DONE && lists) {
    s->done_before = 0.5;
    result = write_candidates(c);
  }
  return result;
}

static int commit(step_command *c, pair_file *file) {
  toi_status status = file->output == NULL ? TOI_OK : pair_file_commit(file);
  return status == TOI_OK ? EXIT_DONE : session_fail(c->stepping.meshes, status, NULL);
}

static void print_table(const step_command *c) {
  const step_answer *a = &c->answer;
  const uint32_t threads = toi_context_threads(c->stepping.work);
  char peak[32];
  bytes_text(a->peak_bytes, peak, sizeof peak);
  printf("%s -> %s: %zu vertices, %zu edges, %zu faces; %u thread%s\n", c->options.paths[0], c->options.paths[1],
         a->vertices, a->edges, a->faces, threads, threads == 1 ? "" : "s");
  print_separation(&c->stepping.asked);
  printf("\n");
  print_impact(&a->impact);
  printf("\n");
  print_pairs(a);
  printf("\nload %.1f ms, first impact %.1f ms", a->load_ms, a->first_ms);
  printf("; %s: broad %.1f ms, narrow %.1f ms; total %.1f ms; peak memory %s\n",
         a->every_hit ? "all collisions" : "of this", a->broad_ms, a->narrow_ms, a->total_ms, peak);
}

static int finish(step_command *c) {
  int result = commit(c, &c->candidates);
  if (result == EXIT_DONE) {
    result = commit(c, &c->hits);
  }
  if (result != EXIT_DONE) {
    return result;
  }
  c->answer.peak_bytes = session_peak_bytes();
  c->answer.total_ms = 1e3 * (clock_seconds() - c->began);
  progress_clear();
  if (c->options.json) {
    json_print(step_json(&c->stepping, &c->answer));
  } else {
    print_table(c);
  }
  return c->options.fail_on_hit && c->answer.impact.hit.verdict != TOI_MISS ? EXIT_FINDING : EXIT_DONE;
}

static int run(step_command *c) {
  int result = stepping_open(&c->stepping, &c->options);
  if (result == EXIT_DONE) {
    result = load(c);
  }
  if (result == EXIT_DONE) {
    result = open_file(c, c->options.candidates, &c->candidates);
  }
  if (result == EXIT_DONE) {
    result = open_file(c, c->options.hits, &c->hits);
  }
  if (result == EXIT_DONE) {
    result = ask(c);
  }
  return result == EXIT_DONE ? finish(c) : result;
}

int command_step(int argc, char **argv) {
  step_command c = {.began = clock_seconds()};
  parse_result parsed = step_options_parse(argc, argv, &c.options);
  if (parsed != PARSE_FINE) {
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  }
  progress_start();
  int result = run(&c);
  pair_file_discard(&c.candidates);
  pair_file_discard(&c.hits);
  stepping_release(&c.stepping, &c.start);
  stepping_release(&c.stepping, &c.end);
  stepping_close(&c.stepping);
  return result;
}
