/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi methods`: what each method promises, what it does not, what its tolerance bounds; and the broad phases. */

#include <stdio.h>
#include <toi/broad.h>

#include "commands.h"
#include "json.h"
#include "options.h"

static void print_json(void) {
  json_t *object = json_object(), *methods = json_array(), *phases = json_array();
  for (size_t i = 0; toi_method_name(i) != NULL; i++) {
    json_t *method = json_object();
    json_object_set_new(method, "name", json_text(toi_method_name(i)));
    json_object_set_new(method, "promise", json_text(toi_method_promise(toi_method_name(i))));
    json_object_set_new(method, "default", json_boolean(i == 0));
    json_array_append_new(methods, method);
  }
  for (size_t i = 0; toi_broad_name(i) != NULL; i++) {
    json_t *phase = json_object();
    json_object_set_new(phase, "name", json_text(toi_broad_name(i)));
    json_object_set_new(phase, "promise", json_text(toi_broad_promise(toi_broad_name(i))));
    json_object_set_new(phase, "default", json_boolean(i == 0));
    json_array_append_new(phases, phase);
  }
  json_object_set_new(object, "methods", methods);
  json_object_set_new(object, "broad", phases);
  json_print(object);
}

static void print_text(void) {
  for (size_t i = 0; toi_method_name(i) != NULL; i++) {
    printf("%s%s\n  ", toi_method_name(i), i == 0 ? " (the default)" : "");
    print_wrapped(toi_method_promise(toi_method_name(i)), 2, 2);
    printf("\n");
  }
  printf("Outside methods are loaded by toi query --plugin FILE.so and promise what they promise.\n\n");
  printf("Broad phases, for toi step --broad: all give the same pairs, and so the same answers.\n\n");
  for (size_t i = 0; toi_broad_name(i) != NULL; i++) {
    printf("%s%s\n  ", toi_broad_name(i), i == 0 ? " (the default)" : "");
    print_wrapped(toi_broad_promise(toi_broad_name(i)), 2, 2);
    printf("\n");
  }
}

int command_methods(int argc, char **argv) {
  bool json = false;
  const cli_option options[] = {
      {"--json", OPTION_FLAG, &json, NULL, "one JSON object instead of text"},
      {0},
  };
  const cli_command command = {
      "methods", "",
      "Lists the methods that toi query --method knows: what each promises, what it does not, and what "
      "--tolerance bounds for it. Then the broad phases that toi step --broad knows.",
      options, NULL};
  int count;
  parse_result parsed = options_parse(&command, argc, argv, &count);
  if (parsed != PARSE_FINE) {
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  }
  if (count > 0) {
    return cli_fail("%s: toi methods takes no arguments; leave it out", argv[0]);
  }
  if (json) {
    print_json();
  } else {
    print_text();
  }
  return EXIT_DONE;
}
