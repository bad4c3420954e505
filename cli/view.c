/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi view INPUT... --out page.html`: a page for whatever the input is. It runs the command that answers about it,
 * with
 * --view. */

#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "files.h"
#include "json.h"
#include "memory.h"
#include "options.h"

static const char notes[] =
    "One mesh: its self-intersections (toi check). Two meshes: a step from the first to the second (toi step). More "
    "of\n"
    "them, or a directory: an animation (toi sequence). SCENE.json: moving surfaces (toi contact, toi surface)\n"
    "or rigid bodies (toi sweep).\n"
    "FILE.jsonl or two models: patches (toi surface). Those commands have more options, and accept --view too.\n";

typedef struct view_options {
  const char *out, *viewer, *separation, *threads, *memory;
  bool json;
  char **paths;
  int path_count;
} view_options;

static parse_result parse(int argc, char **argv, view_options *o) {
  const cli_option options[] = {
      {"--out", OPTION_TEXT, &o->out, "FILE.html", "the page to write"},
      {"--viewer", OPTION_TEXT, &o->viewer, "FILE",
       "viewer.html to use (default: the installed one, or that of the build tree)"},
      {"--min-separation", OPTION_TEXT, &o->separation, "D", "contact is distance <= D (default 0)"},
      {"--threads", OPTION_TEXT, &o->threads, "N", "number of threads; 0: one per processor (default)"},
      {"--memory", OPTION_TEXT, &o->memory, "BYTES", MEMORY_HELP},
      {"--json", OPTION_FLAG, &o->json, NULL, "prints one JSON object instead of a table"},
      {0},
  };
  const cli_command command = {"view", "INPUT...",
                               "Writes a page that shows the input and what touches in it: open it in a browser. The "
                               "data are inside the page; nothing is loaded from elsewhere.",
                               options, notes};
  *o = (view_options){.paths = argv};
  const parse_result parsed = options_parse(&command, argc, argv, &o->path_count);
  if (parsed != PARSE_FINE)
    return parsed;
  if (o->path_count == 0 || o->out == NULL) {
    cli_fail("toi view needs %s; see toi view --help", o->out == NULL ? "--out FILE.html" : "something to show");
    return PARSE_FAILED;
  }
  return PARSE_FINE;
}

static bool is_mesh(const char *path) {
  return path_ends(path, ".ply") || path_ends(path, ".obj") || path_ends(path, ".ply.gz") || path_ends(path, ".obj.gz");
}

/* Whose scene a file is: of `toi surface` with the field "a", of `toi sweep` with a body that has a "mesh". */
typedef enum scene_sort { SURFACE, CONTACT, SWEEP } scene_sort;

static scene_sort sort_of(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return CONTACT;
  json_error_t error;
  json_t *scene = json_read(file, &error);
  fclose(file);
  scene_sort sort = json_object_get(scene, "a") != NULL ? SURFACE : CONTACT;
  size_t i;
  json_t *body;
  json_array_foreach(json_object_get(scene, "bodies"), i, body) {
    if (json_object_get(body, "mesh") != NULL)
      sort = SWEEP;
  }
  json_decref(scene);
  (void)json_failed(); // whoever reads it next says so
  return sort;
}

/* The command that answers about the input. */
typedef struct answering {
  int (*run)(int argc, char **argv);
  const char *separation; /* its option for one; NULL: it has none */
  bool threads;
} answering;

static answering choose(const view_options *o) {
  static const char separation[] = "--min-separation";
  const char *first = o->paths[0];
  if (is_mesh(first) && o->path_count == 1)
    return (answering){command_check, NULL, true};
  if (is_mesh(first) && o->path_count == 2 && is_mesh(o->paths[1]))
    return (answering){command_step, separation, true};
  if (is_mesh(first) || platform_ask(first, NULL) == PLATFORM_FOLDER)
    return (answering){command_sequence, separation, true};
  const bool scene = path_ends(first, ".json") || path_ends(first, ".json.gz");
  const scene_sort sort = scene && o->path_count == 1 ? sort_of(first) : SURFACE;
  if (sort == SWEEP)
    return (answering){command_sweep, separation, true};
  if (sort == CONTACT)
    return (answering){command_contact, separation, false};
  return (answering){command_surface, separation, true};
}

int command_view(int argc, char **argv) {
  view_options o;
  const parse_result parsed = parse(argc, argv, &o);
  if (parsed != PARSE_FINE)
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  const answering chosen = choose(&o);
  if (o.separation != NULL && chosen.separation == NULL)
    return cli_fail("--min-separation needs a motion, but %s is a single mesh; leave it out", o.paths[0]);
  if (o.threads != NULL && !chosen.threads)
    return cli_fail("--threads has no meaning for a scene of toi contact; leave it out");
  // The words of the other command: at most ten of options, then the paths behind "--".
  const char *given[][2] = {{"--view", o.out},
                            {"--viewer", o.viewer},
                            {"--min-separation", o.separation},
                            {"--threads", o.threads},
                            {"--memory", o.memory}};
  char **words = memory_zeroed((size_t)o.path_count + 16, sizeof *words);
  if (words == NULL)
    return memory_fail("the names of the files", "name fewer files at a time");
  int count = 0;
  for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
    for (int k = 0; given[i][1] != NULL && k < 2; k++)
      words[count++] = (char *)(uintptr_t)given[i][k]; // options_parse moves words, and does not write to them
  if (o.json)
    words[count++] = (char *)(uintptr_t) "--json";
  words[count++] = (char *)(uintptr_t) "--";
  for (int i = 0; i < o.path_count; i++)
    words[count++] = o.paths[i];
  const int result = chosen.run(count, words);
  memory_free(words);
  return result;
}
