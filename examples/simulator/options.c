/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Reads the command line. */

#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char options_help[] =
    "usage: simulator SCENE.json [OPTION...]\n"
    "Simulates cloth with contact; every accepted state is certified to be reached without a collision.\n"
    "\n"
    "  --out DIR         write frame-NNNNN.ply, and state.bin to resume from\n"
    "  --iterates DIR    write every accepted iterate in doubles, iterate-FRAME-NUMBER.ply\n"
    "  --frames N        simulate up to frame N (default: what the scene says)\n"
    "  --resolution F    multiply the numbers of cells of all meshes by F (default: 1)\n"
    "  --threads N       threads of libtoi (default: one for each CPU)\n"
    "  --check           prove every accepted state free of intersections\n"
    "  --resume          go on from the state in the directory of --out\n"
    "  --json            one line per frame, and one about the run\n"
    "  --help            print this text\n"
    "\n"
    "Exit status: 0 done, 2 an error, or stopped by a signal; then --resume goes on.\n";

static bool read_count(const char *name, const char *text, long most, long *count, sim_fault *fault) {
  char *end;
  errno = 0;
  *count = strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || errno != 0 || *count < 1 || *count > most)
    return refuse(fault, "%s %s: expected a whole number from 1 to %ld", name, text, most);
  return true;
}

static bool read_factor(const char *name, const char *text, double *factor, sim_fault *fault) {
  char *end;
  *factor = strtod(text, &end);
  if (*text == '\0' || *end != '\0' || !(*factor >= 0.01 && *factor <= 100))
    return refuse(fault, "%s %s: expected a number from 0.01 to 100", name, text);
  return true;
}

/* An option that takes no value; false if the name is none. */
static bool read_switch(const char *name, sim_options *o) {
  const struct {
    const char *name;
    bool *to;
  } switches[] = {{"--check", &o->check}, {"--resume", &o->resume}, {"--json", &o->json}, {"--help", &o->help}};
  for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
    if (strcmp(name, switches[i].name) == 0) {
      *switches[i].to = true;
      return true;
    }
  return false;
}

/* An option with its value. */
static bool read_value(const char *name, const char *value, sim_options *o, sim_fault *fault) {
  const bool known = strcmp(name, "--out") == 0 || strcmp(name, "--iterates") == 0 || strcmp(name, "--frames") == 0 ||
                     strcmp(name, "--resolution") == 0 || strcmp(name, "--threads") == 0;
  if (!known)
    return refuse(fault, "unknown option '%s'; --help lists them", name);
  if (value == NULL)
    return refuse(fault, "%s needs a value", name);
  if (strcmp(name, "--frames") == 0)
    return read_count(name, value, 1000000, &o->frames, fault);
  if (strcmp(name, "--threads") == 0)
    return read_count(name, value, 1024, &o->threads, fault);
  if (strcmp(name, "--resolution") == 0)
    return read_factor(name, value, &o->resolution, fault);
  if (strlen(value) > 3000)
    return refuse(fault, "%s: the name is too long", name);
  *(strcmp(name, "--out") == 0 ? &o->out : &o->iterates) = value;
  return true;
}

bool options_read(int count, char **arguments, sim_options *o, sim_fault *fault) {
  *o = (sim_options){.resolution = 1};
  for (int i = 1; i < count; i++) {
    const char *name = arguments[i];
    if (strncmp(name, "--", 2) == 0) {
      if (read_switch(name, o))
        continue;
      if (!read_value(name, i + 1 < count ? arguments[i + 1] : NULL, o, fault))
        return false;
      i++;
    } else if (o->scene == NULL) {
      o->scene = name;
    } else {
      return refuse(fault, "'%s': one scene at a time; the first is %s", name, o->scene);
    }
  }
  if (o->help)
    return true;
  if (o->scene == NULL)
    return refuse(fault, "a scene file is missing; --help says more");
  if (o->resume && o->out == NULL)
    return refuse(fault, "--resume needs --out: the directory with the state");
  return true;
}
