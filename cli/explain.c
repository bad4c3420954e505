/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi explain`: one query of a file or of the command line, and why it is answered as it is. */

#include "explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "files.h"
#include "progress.h"
#include "session.h"

enum { PICTURE, OUTPUTS };

static const char notes[] =
    "FILE: a query file as of toi query, with --index; or --kind and --points, x,y,z of each point at the start and "
    "then\n"
    "at the end, with blanks between: v f0 f1 f2 (vf), ea0 ea1 eb0 eb1 (ee), v e0 e1 (ve), a b (vv). Numbers may be\n"
    "decimal or C99 hex floats.\n\n"
    "open: the level proved nothing and passed the query on; skipped: an earlier one had decided; absent: there is "
    "none\n"
    "for this query. docs/learn.md goes through five queries.\n";

parse_result explain_options_parse(int argc, char **argv, explain_options *o) {
  *o = (explain_options){.asked = question_default(), .paths = argv};
  const cli_option options[] = {
      {"--index", OPTION_NUMBER, &o->index, "N", "number of the query in the file, from 0 (default 0)"},
      {"--kind", OPTION_TEXT, &o->kind, "vf|ee|ve|vv", "what the query is about (default: as the path says)"},
      {"--points", OPTION_TEXT, &o->points, "X,Y,Z ...", "the points of the query, instead of a file"},
      {"--method", OPTION_TEXT, &o->asked.toi.method, "NAME", "a method that toi methods lists (default certified)"},
      {"--min-separation", OPTION_REAL, &o->asked.toi.min_separation, "D", "contact is distance <= D (default 0)"},
      QUESTION_OPTIONS(&o->asked),
      {"--picture", OPTION_TEXT, &o->picture, "FILE.svg",
       "draws the cubic with its bounds, and the hull at a root; -: to standard output, without the table"},
      {"--json", OPTION_FLAG, &o->json, NULL, "prints one JSON object instead of a table"},
      {0},
  };
  const cli_command command = {
      "explain", "[FILE]",
      "Why is a query answered as it is? Shows what each level of the cascade concluded, the "
      "coplanarity cubic with its proved error bounds, its roots, and the inside test at each.",
      options, notes};
  const parse_result parsed = options_parse(&command, argc, argv, &o->path_count);
  if (parsed != PARSE_FINE)
    return parsed;
  const char *fault = question_fault(&o->asked);
  if (fault == NULL && !(o->asked.toi.min_separation >= 0 && isfinite(o->asked.toi.min_separation)))
    fault = "--min-separation must be finite and not negative";
  if (fault == NULL && (o->path_count > 1 || (o->path_count == 1) == (o->points != NULL)))
    fault = "toi explain needs one file of queries, or --kind and --points; see toi explain --help";
  if (fault == NULL && o->points != NULL && o->kind == NULL)
    fault = "--points needs --kind vf, ee, ve or vv";
  if (fault == NULL && o->asked.toi.method != NULL && toi_method_promise(o->asked.toi.method) == NULL)
    fault = "--method must be one that toi methods lists";
  if (fault == NULL)
    return PARSE_FINE;
  cli_fail("%s", fault);
  return PARSE_FAILED;
}

/* --- the query --- */

/* A kind by its short or long name; TOI_KIND_COUNT for anything else. */
static toi_kind kind_called(const char *name) {
  static const char *const short_names[TOI_KIND_COUNT] = {"vf", "ee", "ve", "vv"};
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    if (strcmp(name, short_names[kind]) == 0 || strcmp(name, toi_kind_name((toi_kind)kind)) == 0)
      return (toi_kind)kind;
  return TOI_KIND_COUNT;
}

static int read_points(const char *text, explained *query) {
  const size_t points = toi_kind_points(query->kind);
  const char *at = text;
  for (size_t i = 0; i < 6 * points; i++) {
    while (*at == ' ' || *at == ',' || *at == ';' || *at == '\n' || *at == '\t')
      at++;
    char *end;
    query->points[i / (3 * points)][i / 3 % points][i % 3] = strtod(at, &end);
    if (end == at)
      return cli_fail(
          "--points: number %zu of %zu is missing or no number; a %s query has %zu points at each of two times", i + 1,
          6 * points, toi_kind_name(query->kind), points);
    at = end;
  }
  return at[strspn(at, " ,;\n\t")] == '\0' ? EXIT_DONE : cli_fail("--points: more than %zu numbers", 6 * points);
}

static int read_file(toi_context *context, const explain_options *o, explained *query) {
  const char *path = o->paths[0];
  if (o->kind == NULL)
    query->kind = kind_from_path(path);
  if (query->kind != TOI_VERTEX_FACE && query->kind != TOI_EDGE_EDGE)
    return cli_fail("%s: queries of a file are vertex-face or edge-edge; say which by --kind vf or --kind ee", path);
  toi_query_set set;
  const toi_status status = toi_queries_read(context, path, &set);
  if (status != TOI_OK)
    return session_fail(context, status, status == TOI_ERROR_MEMORY ? path : NULL);
  const size_t count = set.count;
  if (o->index < count)
    memcpy(query->points, set.queries + 24 * o->index, sizeof query->points);
  toi_queries_free(context, &set);
  if (o->index >= count)
    return cli_fail("%s: has %zu queries, numbered from 0; there is no --index %llu", path, count,
                    (unsigned long long)o->index);
  return EXIT_DONE;
}

static int find_query(toi_context *context, const explain_options *o, explained *query) {
  query->kind = o->kind != NULL ? kind_called(o->kind) : TOI_KIND_COUNT;
  if (o->kind != NULL && query->kind == TOI_KIND_COUNT)
    return cli_fail("--kind %s: must be vf, ee, ve or vv", o->kind);
  return o->points != NULL ? read_points(o->points, query) : read_file(context, o, query);
}

/* --- the command --- */

static int answer(toi_context *context, const explain_options *o, explained *query) {
  const toi_status status = toi_explain(query->kind, (const double(*)[3])query->points[0],
                                        (const double(*)[3])query->points[1], &o->asked.toi, &query->why);
  if (status == TOI_ERROR_INPUT)
    return cli_fail("a coordinate of the query is not finite; correct it");
  if (status == TOI_ERROR_UNSUPPORTED)
    return cli_fail("the method does not answer this question; see toi methods");
  return status == TOI_OK ? EXIT_DONE : session_fail(context, status, NULL);
}

static int finish(toi_context *context, const explain_options *o, const explained *query, output *outputs) {
  if (output_is_open(&outputs[PICTURE])) {
    const toi_status status = explain_draw(query, &outputs[PICTURE]);
    if (status != TOI_OK)
      return session_fail(context, status, NULL);
  }
  bool table = false;
  const int result = outputs_finish(context, outputs, OUTPUTS, o->json ? explain_json(query) : NULL, &table);
  if (table)
    explain_print(query);
  return result;
}

int command_explain(int argc, char **argv) {
  explain_options o;
  const parse_result parsed = explain_options_parse(argc, argv, &o);
  if (parsed != PARSE_FINE)
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  progress_start();
  toi_context *context = NULL;
  explained query = {.kind = TOI_KIND_COUNT};
  output outputs[OUTPUTS] = {{.option = "--picture", .path = o.picture}};
  int result = outputs_check(outputs, OUTPUTS, o.json);
  if (result == EXIT_DONE)
    result = session_open(1, 0, &context);
  if (result == EXIT_DONE)
    result = find_query(context, &o, &query);
  if (result == EXIT_DONE && o.picture != NULL && o.path_count > 0 && files_same(o.picture, o.paths[0]))
    result = cli_fail("%s: holds the queries and would be replaced; write to another file", o.picture);
  if (result == EXIT_DONE)
    result = output_open(context, &outputs[PICTURE]);
  if (result == EXIT_DONE)
    result = answer(context, &o, &query);
  if (result == EXIT_DONE)
    result = finish(context, &o, &query, outputs);
  outputs_discard(outputs, OUTPUTS);
  toi_context_destroy(context);
  return result;
}
