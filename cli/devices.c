/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi devices`: the devices of OpenCL, and whether each passes the self-test; with --report, what a scene takes on
 * each of them beside the CPU, to be sent to us. */

#include <stdio.h>
#include <string.h>
#include <toi/device.h>

#include "commands.h"
#include "device_report.h"
#include "json.h"
#include "options.h"
#include "session.h"

static const char *kind_name(toi_device_kind kind) {
  static const char *const names[] = {"other", "cpu", "gpu", "accelerator"};
  return (unsigned)kind < sizeof names / sizeof names[0] ? names[kind] : "other";
}

/* Shows one device after the other. */
typedef struct showing {
  json_t *list; /* NULL: as text */
  size_t count;
} showing;

static json_t *device_json(const toi_device_info *info) {
  json_t *device = json_object();
  json_object_set_new(device, "number", json_integer(info->number));
  json_object_set_new(device, "name", json_text(info->name));
  json_object_set_new(device, "platform", json_text(info->platform));
  json_object_set_new(device, "vendor", json_text(info->vendor));
  json_object_set_new(device, "version", json_text(info->version));
  json_object_set_new(device, "driver", json_text(info->driver));
  json_object_set_new(device, "kind", json_text(kind_name(info->kind)));
  json_object_set_new(device, "units", json_integer(info->units));
  json_object_set_new(device, "memory", json_integer((json_int_t)info->memory));
  json_object_set_new(device, "largest_buffer", json_integer((json_int_t)info->largest_buffer));
  json_object_set_new(device, "usable", json_boolean(info->usable));
  json_object_set_new(device, "subnormals", info->usable ? json_boolean(info->keeps_subnormals) : json_null());
  json_object_set_new(device, "reason", info->usable ? json_null() : json_text(info->reason));
  return device;
}

static void show(showing *s, const toi_device_info *info) {
  s->count++;
  if (s->list != NULL) {
    json_array_append_new(s->list, device_json(info));
    return;
  }
  printf("%u  %s\n", (unsigned)info->number, info->name);
  printf("   %s, %s, %s %s\n", kind_name(info->kind), info->platform, info->version, info->driver);
  printf("   %u compute units, %.1f GiB, largest buffer %.1f GiB\n", (unsigned)info->units,
         (double)info->memory / 0x1p30, (double)info->largest_buffer / 0x1p30);
  if (info->usable)
    printf("   passed the self-test; numbers below 2^-126 are %s\n", info->keeps_subnormals ? "kept" : "taken as 0");
  else
    printf("   cannot be used: %s\n", info->reason);
}

static int list_devices(toi_context *context, bool json) {
  showing s = {.list = json ? json_array() : NULL};
  size_t count;
  toi_status status = toi_device_count(context, &count);
  char why[1024];
  snprintf(why, sizeof why, "%s", toi_context_warning(context));
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    toi_device_info info;
    status = toi_device_describe(context, i, true, &info);
    if (status == TOI_OK)
      show(&s, &info);
  }
  if (status != TOI_OK) {
    json_decref(s.list);
    return session_fail(context, status, NULL);
  }
  if (json) {
    json_t *object = json_object();
    json_object_set_new(object, "devices", s.list);
    json_object_set_new(object, "reason", s.count == 0 ? json_text(why) : json_null());
    return json_print(object);
  }
  if (s.count == 0)
    printf("no devices: %s\n", why);
  return EXIT_DONE;
}

int command_devices(int argc, char **argv) {
  bool json = false, report = false;
  const cli_option options[] = {
      {"--report", OPTION_FLAG, &report, NULL,
       "times a generated scene on each device and on the CPU, and compares answers"},
      {"--json", OPTION_FLAG, &json, NULL, "prints one JSON object instead of text"},
      {0},
  };
  const cli_command command = {
      "devices", "",
      "Lists the devices of OpenCL for --device, and runs the self-test on each: whether its arithmetic is what the "
      "proofs assume. OpenCL is loaded only when needed; everything else works without it.",
      options, NULL};
  int count;
  parse_result parsed = options_parse(&command, argc, argv, &count);
  if (parsed != PARSE_FINE)
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  if (count > 0)
    return cli_fail("%s: toi devices takes no arguments; leave it out", argv[0]);
  toi_context *context;
  int result = session_open(0, 0, &context);
  if (result == EXIT_DONE)
    result = report ? device_report(context) : list_devices(context, json);
  toi_context_destroy(context);
  return result;
}
