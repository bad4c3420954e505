/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi methods`: what each method promises, what it does not, what its tolerance bounds; the same of the methods for
 * curved surfaces, how any moving surfaces are searched, and the broad phases. */

#include <stdio.h>
#include <string.h>
#include <toi/broad.h>
#include <toi/surface.h>

#include "commands.h"
#include "json.h"
#include "options.h"

/* A list of names with promises, the first of which is the default. */
typedef struct catalog {
  const char *key;          /* in JSON */
  const char *introduction; /* above it */
  const char *(*name)(size_t number);
  const char *(*promise)(const char *name);
} catalog;

/* How toi contact shrinks boxes: choices of one search, not methods of their own. */
static const struct {
  const char *name, *promise;
} newtons[] = {
    {"linear",
     "Solves the linear interval equation, row by row and by the interval inverse, also where there are more unknowns "
     "than equations. A miss and a hit are proved; isolated contacts are proved to be unique. The tolerance, a "
     "distance, is the size of pieces of both surfaces at which the search may stop without a proof (near)."},
    {"krawczyk", "Uses the operator of Krawczyk and Moore: the same guarantee, with more boxes."},
    {"none",
     "Only splits boxes: the same guarantee, with many more boxes. What is neither refuted nor crosses at the start "
     "ends at the tolerance (near)."},
};

#define NEWTONS (sizeof newtons / sizeof newtons[0])

static const char *newton_name(size_t number) {
  return number < NEWTONS ? newtons[number].name : NULL;
}

static const char *newton_promise(const char *name) {
  for (size_t i = 0; i < NEWTONS; i++)
    if (strcmp(name, newtons[i].name) == 0)
      return newtons[i].promise;
  return NULL;
}

static const catalog catalogs[] = {
    {"methods", NULL, toi_method_name, toi_method_promise},
    {"surface",
     "Plug-in methods are loaded by toi query --plugin FILE.so; nothing is guaranteed for their answers.\n\n"
     "Methods for curved surfaces (toi surface --method):\n\n",
     toi_surface_method_name, toi_surface_method_promise},
    {"contact", "How toi contact shrinks boxes (--newton):\n\n", newton_name, newton_promise},
    {"broad", "Broad phases (toi step --broad); all give the same pairs, and so the same answers:\n\n", toi_broad_name,
     toi_broad_promise},
};

#define CATALOGS (sizeof catalogs / sizeof catalogs[0])

static json_t *catalog_json(const catalog *c) {
  json_t *list = json_array();
  for (size_t i = 0; c->name(i) != NULL; i++) {
    json_t *method = json_object();
    json_object_set_new(method, "name", json_text(c->name(i)));
    json_object_set_new(method, "promise", json_text(c->promise(c->name(i))));
    json_object_set_new(method, "default", json_boolean(i == 0));
    json_array_append_new(list, method);
  }
  return list;
}

static int print_json(void) {
  json_t *object = json_object();
  for (size_t i = 0; i < CATALOGS; i++)
    json_object_set_new(object, catalogs[i].key, catalog_json(&catalogs[i]));
  return json_print(object);
}

static void print_text(void) {
  for (size_t k = 0; k < CATALOGS; k++) {
    const catalog *c = &catalogs[k];
    printf("%s", c->introduction != NULL ? c->introduction : "");
    for (size_t i = 0; c->name(i) != NULL; i++) {
      printf("%s%s\n  ", c->name(i), i == 0 ? " (the default)" : "");
      print_wrapped(c->promise(c->name(i)), 2, 2);
      printf("\n");
    }
  }
}

int command_methods(int argc, char **argv) {
  bool json = false;
  const cli_option options[] = {
      {"--json", OPTION_FLAG, &json, NULL, "prints one JSON object instead of text"},
      {0},
  };
  const cli_command command = {
      "methods", "",
      "Lists the methods of toi query --method: what each guarantees, what it does not, and what --tolerance bounds; "
      "then the methods of toi surface, how toi contact searches, and the broad phases of toi step --broad.",
      options, NULL};
  int count;
  parse_result parsed = options_parse(&command, argc, argv, &count);
  if (parsed != PARSE_FINE)
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  if (count > 0)
    return cli_fail("%s: toi methods takes no arguments; leave it out", argv[0]);
  if (json)
    return print_json();
  print_text();
  return EXIT_DONE;
}
