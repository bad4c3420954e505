/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The command lines of `toi step` and `toi sequence`: tables of options that share most of their rows. */

#include "step_options.h"

#include <math.h>
#include <string.h>
#include <toi/broad.h>

#define MESH_NOTES                                                                                                     \
  "Meshes: .ply (ascii or binary) and .obj, each maybe with .gz behind. Frames have the same faces and loose edges.\n" \
  "Edges are those of the faces and the loose ones, i < j, in the order of j, then of i; all numbers count from 0.\n"  \
  "Pairs that share a vertex are left out. The answer does not depend on --threads, --broad or --memory.\n"

static const char step_notes[] =
    MESH_NOTES "\nFiles of pairs: {\"vf\":[[vertex,face],...],\"ee\":[[edge,edge],...],\"ve\":[[vertex,edge],...],"
               "\"vv\":[[vertex,vertex],...]},\nsorted. Exit code 1: --fail-on-hit was given and something touches.\n";

static const char sequence_notes[] = MESH_NOTES
    "\nA directory stands for the meshes in it, frame2.ply before frame10.ply. Two frames are in memory at a "
    "time.\nExit code 1: --fail-on-hit was given and something touches.\n";

/* The rows that both commands have, for step_options o. */
#define SHARED_OPTIONS(o)                                                                                              \
  {"--all", OPTION_FLAG, &(o)->all, NULL, "finds every colliding pair too, not the first alone"},                      \
      {"--broad", OPTION_TEXT, &(o)->asked.toi.broad, "NAME", "auto, bvh, sweep or brute; auto"},                      \
      {"--memory", OPTION_SIZE, &(o)->memory, "BYTES",                                                                 \
       "budget beyond the mesh itself, such as 64M or 1G; three quarters of the machine's"},                           \
      {"--method", OPTION_TEXT, &(o)->asked.toi.method, "NAME", "as toi methods lists them; certified"},               \
      {"--min-separation", OPTION_REAL, &(o)->asked.toi.min_separation, "D", "contact is distance <= D; 0"},           \
      QUESTION_OPTIONS(&(o)->asked),                                                                                   \
      {"--threads", OPTION_NUMBER, &(o)->threads, "N", "threads that work; 0, the default: one for each processor"},   \
      {"--fail-on-hit", OPTION_FLAG, &(o)->fail_on_hit, NULL, "exit with 1 if it is not proved that nothing touches"}, \
  {                                                                                                                    \
    "--json", OPTION_FLAG, &(o)->json, NULL, "one JSON object instead of a table"                                      \
  }

/* Whether a list of names from 0 has this one. */
static bool is_listed(const char *(*list)(size_t number), const char *name) {
  for (size_t i = 0; list(i) != NULL; i++) {
    if (strcmp(list(i), name) == 0) {
      return true;
    }
  }
  return false;
}

/* Prints what is wrong with the values. */
static bool values_fine(step_options *o) {
  const toi_options *toi = &o->asked.toi;
  const char *sentence = question_fault(&o->asked);
  if (sentence == NULL && (!(toi->min_separation >= 0) || isinf(toi->min_separation))) {
    sentence = "--min-separation must be finite and not negative";
  }
  if (sentence == NULL && !(toi->separation_fraction < 1)) {
    sentence = "--separation-fraction must lie in [0, 1) for whole meshes";
  }
  if (sentence == NULL && toi->min_separation > 0 && toi->separation_fraction > 0) {
    sentence = "--min-separation and --separation-fraction exclude each other; give one";
  }
  if (sentence == NULL && o->candidates != NULL && o->hits != NULL && strcmp(o->candidates, o->hits) == 0) {
    sentence = "--candidates and --hits name the same file; write to two";
  }
  if (sentence != NULL) {
    cli_fail("%s", sentence);
    return false;
  }
  if (toi->method != NULL && !is_listed(toi_method_name, toi->method)) {
    cli_fail("--method %s: no method is called so; toi methods lists them", toi->method);
    return false;
  }
  if (toi->broad != NULL && !is_listed(toi_broad_name, toi->broad)) {
    cli_fail("--broad %s: no broad phase is called so; give auto, bvh, sweep or brute", toi->broad);
    return false;
  }
  return true;
}

static void set_defaults(char **argv, step_options *o) {
  memset(o, 0, sizeof *o);
  o->asked = question_default();
  o->paths = argv;
}

parse_result step_options_parse(int argc, char **argv, step_options *o) {
  set_defaults(argv, o);
  const cli_option options[] = {
      {"--candidates", OPTION_TEXT, &o->candidates, "FILE", "writes every pair whose swept boxes overlap, as JSON"},
      {"--hits", OPTION_TEXT, &o->hits, "FILE", "writes every colliding pair, as JSON; implies --all"},
      SHARED_OPTIONS(o),
      {0},
  };
  const cli_command command = {"step", "START END",
                               "Two meshes of the same connectivity, the start and the end of a step: what touches "
                               "first on the straight way, and when?",
                               options, step_notes};
  parse_result parsed = options_parse(&command, argc, argv, &o->path_count);
  if (parsed != PARSE_FINE) {
    return parsed;
  }
  if (o->path_count != 2) {
    cli_fail("toi step needs two meshes, START and END, and has %d; toi step --help tells more", o->path_count);
    return PARSE_FAILED;
  }
  o->all |= o->hits != NULL;
  return values_fine(o) ? PARSE_FINE : PARSE_FAILED;
}

parse_result sequence_options_parse(int argc, char **argv, step_options *o) {
  set_defaults(argv, o);
  const cli_option options[] = {SHARED_OPTIONS(o), {0}};
  const cli_command command = {"sequence", "FRAME...|DIR...",
                               "An animation, checked step by step: what touches first between each frame and the "
                               "next, and when?",
                               options, sequence_notes};
  parse_result parsed = options_parse(&command, argc, argv, &o->path_count);
  if (parsed != PARSE_FINE) {
    return parsed;
  }
  if (o->path_count == 0) {
    cli_fail("toi sequence needs frames, or a directory of them; toi sequence --help tells more");
    return PARSE_FAILED;
  }
  return values_fine(o) ? PARSE_FINE : PARSE_FAILED;
}
