/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The command lines of commands about whole meshes: tables of options that share most of their rows. */

#include "step_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <toi/broad.h>

#include "files.h"
#include "page.h"
#include "step_picture.h"

#define MESH_NOTES                                                                                                     \
  "Meshes: .ply (ascii or binary) and .obj, optionally with .gz; all with the same faces and loose edges. Edges are\n" \
  "those of the faces and the loose ones, as i < j, sorted by j, then by i; all numbers count from 0. Pairs that\n"    \
  "share a vertex are skipped. The answer does not depend on --threads, --broad or --memory.\n"

static const char step_notes[] =
    MESH_NOTES "\nFiles of pairs: {\"vf\":[[vertex,face],...],\"ee\":[[edge,edge],...],\"ve\":[[vertex,edge],...],"
               "\"vv\":[[vertex,vertex],...]},\nsorted; with "
               "half-spaces, \"vh\":[[vertex,half-space],...] too.\nExit code 1: --fail-on-hit was given, and "
               "something touches or "
               "START intersects itself.\n";

static const char sequence_notes[] = MESH_NOTES
    "\nA directory stands for the meshes in it, frame2.ply before frame10.ply. Two frames are in memory at a "
    "time.\nExit code 1: --fail-on-hit was given, and something touches or the first frame intersects itself.\n";

static const char check_notes[] =
    "MESH: .ply (ascii or binary) or .obj, optionally with .gz. An edge crosses a face if its ends lie strictly on\n"
    "different sides and it passes strictly through the inside; other pairs that meet touch. Pairs that share a "
    "vertex\n"
    "are skipped. Crossings with a common edge or face form a patch. Edges are those of the faces and the loose ones,\n"
    "as i < j, sorted by j, then by i; all numbers count from 0. The answer is exact, and does not depend on\n"
    "--threads, --broad or --memory.\n\n"
    "--out: {\"crossings\":[[edge,face],...],\"vf\":[[vertex,face],...],\"ee\":[[edge,edge],...],\"ve\":[...],\n"
    "\"vv\":[...],\"patch\":[...]}, pairs sorted; patch gives the number of each crossing's patch. With half-spaces,\n"
    "\"vh\":[[vertex,half-space],...] are the vertices that are on the plane or behind it.\n"
    "Exit code 1: --fail-on-hit was given and the mesh intersects itself.\n";

static const char line_search_notes[] = MESH_NOTES
    "\nGuaranteed for the straight motion from START to the positions that --out writes: no pair comes within the\n"
    "fraction F of its initial distance, or within D; with both, within D and the fraction F of its initial distance\n"
    "beyond D. Without either option, nothing touches.\n"
    "A START that intersects itself is not repaired: see toi check.\n";

/* Rows of tables of options, for step_options o. */
#define WORK_OPTIONS(o)                                                                                                \
  {"--broad", OPTION_TEXT, &(o)->broad, "NAME", "broad phase: auto, bvh, sweep or brute (default auto)"}, {            \
    "--memory", OPTION_SIZE, &(o)->memory, "BYTES", MEMORY_HELP                                                        \
  }
#define SEPARATION_OPTION(o)                                                                                           \
  { "--min-separation", OPTION_REAL, &(o)->asked.toi.min_separation, "D", "contact is distance <= D (default 0)" }
#define HALF_SPACE_OPTION(o)                                                                                           \
  {                                                                                                                    \
    "--half-space", OPTION_LIST, &(o)->half_space_texts, "NX,NY,NZ,C",                                                 \
        "an obstacle: vertices must stay where NX x + NY y + NZ z >= C; may be given again"                            \
  }
#define THREADS_OPTION(o)                                                                                              \
  { "--threads", OPTION_NUMBER, &(o)->threads, "N", "number of threads; 0: one per processor (default)" }
#define JSON_OPTION(o)                                                                                                 \
  { "--json", OPTION_FLAG, &(o)->json, NULL, "prints one JSON object instead of a table" }

/* The rows that step and sequence have. */
#define SHARED_OPTIONS(o)                                                                                              \
  {"--all", OPTION_FLAG, &(o)->all, NULL, "finds and counts all colliding pairs, not only the first"},                 \
      {"--no-start-check", OPTION_FLAG, &(o)->no_start_check, NULL,                                                    \
       "does not check whether the first frame intersects itself"},                                                    \
      WORK_OPTIONS(o),                                                                                                 \
      {"--method", OPTION_TEXT, &(o)->asked.toi.method, "NAME",                                                        \
       "a method that toi methods lists (default certified)"},                                                         \
      {"--filter", OPTION_TEXT, &(o)->filter, "float|double",                                                          \
       "precision in which certified proves misses first; affects the time only (default float)"},                     \
      SEPARATION_OPTION(o), HALF_SPACE_OPTION(o), QUESTION_OPTIONS(&(o)->asked), THREADS_OPTION(o),                    \
      DEVICE_OPTIONS(&(o)->device, "affects the time only"),                                                           \
      {"--fail-on-hit", OPTION_FLAG, &(o)->fail_on_hit, NULL,                                                          \
       "exits with 1 unless it is proved that nothing touches, the first frame included"},                             \
      JSON_OPTION(o)

/* Whether a list of names from 0 has this one. */
static bool is_listed(const char *(*list)(size_t number), const char *name) {
  for (size_t i = 0; list(i) != NULL; i++)
    if (strcmp(list(i), name) == 0)
      return true;
  return false;
}

/* Reads four finite numbers, separated by commas, of which the first three are not all 0. */
static bool read_half_space(const char *text, toi_half_space *half_space) {
  double numbers[4];
  const char *at = text;
  for (int i = 0; i < 4; i++) {
    char *end;
    numbers[i] = strtod(at, &end);
    if (end == at || !isfinite(numbers[i]) || *end != (i < 3 ? ',' : '\0'))
      return false;
    at = end + 1;
  }
  memcpy(half_space->normal, numbers, sizeof half_space->normal);
  half_space->offset = numbers[3];
  return numbers[0] != 0 || numbers[1] != 0 || numbers[2] != 0;
}

static bool half_spaces_fine(step_options *o) {
  for (size_t i = 0; i < o->half_space_texts.count; i++)
    if (!read_half_space(o->half_space_texts.items[i], &o->half_spaces[i])) {
      cli_fail("--half-space %s: not a half-space; give four finite numbers, the first three not all 0, such as "
               "0,0,1,0 for z >= 0",
               o->half_space_texts.items[i]);
      return false;
    }
  return true;
}

/* Prints what is wrong with the values. */
static bool values_fine(step_options *o) {
  const toi_options *toi = &o->asked.toi;
  const char *sentence = question_fault(&o->asked);
  if (sentence == NULL && (!(toi->min_separation >= 0) || isinf(toi->min_separation)))
    sentence = "--min-separation must be finite and not negative";
  if (sentence == NULL && !(toi->separation_fraction < 1))
    sentence = "--separation-fraction must lie in [0, 1) for whole meshes";
  if (sentence != NULL) {
    cli_fail("%s", sentence);
    return false;
  }
  if (toi->method != NULL && !is_listed(toi_method_name, toi->method)) {
    cli_fail("--method %s: unknown method; toi methods lists them", toi->method);
    return false;
  }
  if (o->broad != NULL && !is_listed(toi_broad_name, o->broad)) {
    cli_fail("--broad %s: unknown broad phase; give auto, bvh, sweep or brute", o->broad);
    return false;
  }
  if (o->filter != NULL && strcmp(o->filter, "float") != 0 && strcmp(o->filter, "double") != 0) {
    cli_fail("--filter %s: unknown filter; give float or double", o->filter);
    return false;
  }
  if (o->filter != NULL && strcmp(o->filter, "double") == 0)
    o->asked.toi.filter = TOI_FILTER_DOUBLE;
  return half_spaces_fine(o);
}

/* The same where contact has one separation. */
static bool step_values_fine(step_options *o) {
  if (!values_fine(o))
    return false;
  const bool both = o->asked.toi.min_separation > 0 && o->asked.toi.separation_fraction > 0;
  if (both)
    cli_fail("--min-separation and --separation-fraction exclude each other; give one");
  return !both;
}

static void set_defaults(char **argv, step_options *o) {
  memset(o, 0, sizeof *o);
  o->asked = question_default();
  o->paths = argv;
}

/* Parses; then there must be as many meshes as the command takes. */
static parse_result parse_meshes(const cli_command *command, int argc, char **argv, int meshes, step_options *o) {
  parse_result parsed = options_parse(command, argc, argv, &o->path_count);
  if (parsed != PARSE_FINE || o->path_count == meshes)
    return parsed;
  cli_fail("toi %s needs %s but got %d; see toi %s --help", command->name,
           meshes == 1 ? "one mesh" : "two meshes, START and END,", o->path_count, command->name);
  return PARSE_FAILED;
}

parse_result step_options_parse(int argc, char **argv, step_options *o) {
  set_defaults(argv, o);
  const cli_option options[] = {
      {"--candidates", OPTION_TEXT, &o->candidates, "FILE",
       "writes all pairs whose swept boxes overlap, as JSON; -: to standard output, without the table"},
      {"--hits", OPTION_TEXT, &o->hits, "FILE", "writes all colliding pairs, in the same form; implies --all"},
      PAGE_OPTIONS(&o->view, &o->viewer),
      {"--picture", OPTION_TEXT, &o->picture, "FILE.svg",
       "draws the mesh at its first impact; -: to standard output, without the table"},
      {"--eye", OPTION_TEXT, &o->eye, "X,Y,Z", "direction from which the picture is seen (default 2,-3,1.6)"},
      SHARED_OPTIONS(o),
      {0},
  };
  const cli_command command = {"step", "START END",
                               "Two meshes of the same connectivity, the start and the end of a step in which every "
                               "vertex moves straight: what touches first, and when?",
                               options, step_notes};
  parse_result parsed = parse_meshes(&command, argc, argv, 2, o);
  if (parsed != PARSE_FINE)
    return parsed;
  o->all |= o->hits != NULL || o->view != NULL;
  const char *fault = NULL;
  if (!picture_eye(o->eye != NULL ? o->eye : "2,-3,1.6", o->from))
    fault = "--eye must be three numbers separated by commas, not all 0, such as 2,-3,1.6";
  else if (o->eye != NULL && o->picture == NULL)
    fault = "--eye is the direction from which the picture is seen; give --picture too";
  if (fault != NULL) {
    cli_fail("%s", fault);
    return PARSE_FAILED;
  }
  return step_values_fine(o) ? PARSE_FINE : PARSE_FAILED;
}

parse_result sequence_options_parse(int argc, char **argv, step_options *o) {
  set_defaults(argv, o);
  const cli_option options[] = {PAGE_OPTIONS(&o->view, &o->viewer), SHARED_OPTIONS(o), {0}};
  const cli_command command = {"sequence", "FRAME...|DIR...",
                               "Checks an animation step by step: what touches first between each frame and the "
                               "next, and when?",
                               options, sequence_notes};
  parse_result parsed = options_parse(&command, argc, argv, &o->path_count);
  if (parsed != PARSE_FINE)
    return parsed;
  if (o->path_count == 0) {
    cli_fail("toi sequence needs frames, or a directory of them; see toi sequence --help");
    return PARSE_FAILED;
  }
  o->all |= o->view != NULL;
  return step_values_fine(o) ? PARSE_FINE : PARSE_FAILED;
}

/* Whether a name ends like a mesh that can be written. */
static bool is_mesh_name(const char *path) {
  return path_ends(path, ".ply") || path_ends(path, ".obj") || path_ends(path, ".ply.gz") || path_ends(path, ".obj.gz");
}

parse_result check_options_parse(int argc, char **argv, step_options *o) {
  set_defaults(argv, o);
  const cli_option options[] = {
      {"--out", OPTION_TEXT, &o->out, "FILE",
       "writes all crossings and touching pairs, as JSON; -: to standard output, without the table"},
      {"--colour", OPTION_TEXT, &o->colour, "FILE.ply",
       "writes the mesh with one colour per patch, the rest grey; -: to standard output, without the table"},
      PAGE_OPTIONS(&o->view, &o->viewer),
      HALF_SPACE_OPTION(o),
      WORK_OPTIONS(o),
      THREADS_OPTION(o),
      {"--fail-on-hit", OPTION_FLAG, &o->fail_on_hit, NULL, "exits with 1 if the mesh intersects itself"},
      JSON_OPTION(o),
      {0},
  };
  const cli_command command = {
      "check", "MESH",
      "One mesh at rest: does it intersect itself? Finds every edge that passes through a face, "
      "and every pair that touches.",
      options, check_notes};
  parse_result parsed = parse_meshes(&command, argc, argv, 1, o);
  if (parsed != PARSE_FINE)
    return parsed;
  if (o->colour != NULL && o->colour[0] != '\0' && strcmp(o->colour, "-") != 0 && !path_ends(o->colour, ".ply")) {
    cli_fail("--colour %s: coloured meshes are written as .ply; change the name", o->colour);
    return PARSE_FAILED;
  }
  return values_fine(o) ? PARSE_FINE : PARSE_FAILED;
}

parse_result line_search_options_parse(int argc, char **argv, step_options *o) {
  set_defaults(argv, o);
  const cli_option options[] = {
      {"--out", OPTION_TEXT, &o->out, "FILE",
       "writes the mesh at the end of the step: .ply or .obj, optionally with .gz"},
      {"--separation-fraction", OPTION_REAL, &o->asked.toi.separation_fraction, "F",
       "every pair keeps more than F times its initial distance, F in [0, 1) (default 0)"},
      SEPARATION_OPTION(o),
      {"--norm", OPTION_TEXT, &o->asked.norm, "l2|linf", "norm of distances (default l2)"},
      {"--t-max", OPTION_REAL, &o->asked.toi.t_max, "T", "largest step, in [0, 1] (default 1)"},
      HALF_SPACE_OPTION(o),
      WORK_OPTIONS(o),
      THREADS_OPTION(o),
      JSON_OPTION(o),
      {0},
  };
  const cli_command command = {
      "line-search", "START END",
      "Two meshes of the same connectivity: how far can START move towards END before something "
      "comes too close? Writes the rounded positions at the end of that step, which are safe.",
      options, line_search_notes};
  parse_result parsed = parse_meshes(&command, argc, argv, 2, o);
  if (parsed != PARSE_FINE)
    return parsed;
  if (o->out != NULL && !is_mesh_name(o->out)) {
    cli_fail("--out %s: meshes are written as .ply or .obj, optionally with .gz; change the name", o->out);
    return PARSE_FAILED;
  }
  return values_fine(o) ? PARSE_FINE : PARSE_FAILED;
}
