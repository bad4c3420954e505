/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi sweep SCENE.json`: rigid bodies that turn, on paths and joints. */

#include "sweep.h"

#include <math.h>
#include <string.h>
#include <toi/broad.h>

#include "commands.h"
#include "files.h"
#include "memory.h"
#include "options.h"
#include "progress.h"
#include "session.h"
#include "step_picture.h"
#include "sweep_show.h"

/* Parts of a joint's range that are asked at a time. */
#define JOINT_PIECE 1.0

/* In toi_sweep_scene.joints. */
enum { PRISMATIC = 2 };

typedef struct sweep_options {
  const char *path, *method, *free_body, *picture, *eye, *view, *viewer;
  double at, from[3]; /* of the picture: NaN: at the contact */
  uint64_t threads, memory;
  double min_separation;
  bool all, clearance, fail_on_hit, json;
} sweep_options;

enum { PICTURE, VIEW, OUTPUTS };

typedef struct sweep {
  sweep_options options;
  output outputs[OUTPUTS];
  page_curved page;
  toi_context *context;
  toi_sweep_scene file;
  toi_rigid_scene *scene;
  toi_options asked;
  toi_mesh_options on_mesh;
  double before, part; /* of the progress bar */
  sweep_answer answer;
  bool refused; /* no memory for a contact */
} sweep;

/* --- options --- */

static parse_result parse(int argc, char **argv, sweep_options *o) {
  *o = (sweep_options){.min_separation = NAN, .at = NAN};
  const cli_option options[] = {
      {"--all", OPTION_FLAG, &o->all, NULL, "lists every pair of bodies that touch, with their first contact"},
      {"--free", OPTION_TEXT, &o->free_body, "BODY",
       "finds the largest interval of the joint of BODY without contact, everything else as at the start"},
      {"--clearance", OPTION_FLAG, &o->clearance, NULL,
       "finds how close bodies come: proved bounds, and when and where"},
      {"--min-separation", OPTION_REAL, &o->min_separation, "D",
       "contact is \"within D\": a miss proves that bodies never come closer (default: the scene's, or 0)"},
      {"--method", OPTION_TEXT, &o->method, "NAME", "certified (default) or exact"},
      {"--memory", OPTION_SIZE, &o->memory, "BYTES", MEMORY_HELP},
      {"--threads", OPTION_NUMBER, &o->threads, "N", "number of threads; 0: one per processor (default)"},
      {"--picture", OPTION_TEXT, &o->picture, "FILE.svg",
       "draws the bodies at their first contact, or at the end if there is none"},
      {"--at", OPTION_REAL, &o->at, "T", "draws them at this time instead"},
      {"--eye", OPTION_TEXT, &o->eye, "X,Y,Z", "direction from which the picture is seen (default 2,-3,1.6)"},
      PAGE_OPTIONS(&o->view, &o->viewer),
      {"--fail-on-hit", OPTION_FLAG, &o->fail_on_hit, NULL, "exits with 1 if something touches"},
      {"--json", OPTION_FLAG, &o->json, NULL, "prints one JSON object instead of a table"},
      {NULL, OPTION_FLAG, NULL, NULL, NULL}};
  const cli_command command = {"sweep", "SCENE.json",
                               "Finds the first contact of rigid bodies that move and turn on paths and joints.",
                               options, "docs/turning.md describes scene files.\n"};
  int count;
  const parse_result parsed = options_parse(&command, argc, argv, &count);
  if (parsed != PARSE_FINE)
    return parsed;
  if (count != 1) {
    cli_fail("toi sweep needs one scene, but got %d files; see toi sweep --help", count);
    return PARSE_FAILED;
  }
  if (!isnan(o->min_separation) && !(o->min_separation >= 0)) {
    cli_fail("--min-separation is %g; it must be 0 or greater", o->min_separation);
    return PARSE_FAILED;
  }
  if (!picture_eye(o->eye != NULL ? o->eye : "2,-3,1.6", o->from)) {
    cli_fail("--eye must be three numbers separated by commas, not all 0, such as 2,-3,1.6");
    return PARSE_FAILED;
  }
  if (o->picture == NULL && (o->eye != NULL || !isnan(o->at))) {
    cli_fail("--eye and --at say how a picture is drawn; give --picture too");
    return PARSE_FAILED;
  }
  o->path = argv[0];
  o->all = o->all || o->view != NULL;
  return PARSE_FINE;
}

/* --- the scene --- */

static bool show_progress(void *user, double done) {
  const sweep *s = user;
  progress_show(s->before + s->part * done, s->options.path);
  return !progress_stopped();
}

static int open_scene(sweep *s) {
  const double begin = clock_seconds();
  const int result = session_open(s->options.threads, s->options.memory, &s->context);
  if (result != EXIT_DONE)
    return result;
  progress_stop_at_once(true);
  toi_status status = toi_sweep_scene_read(s->context, s->options.path, &s->file);
  progress_stop_at_once(false);
  if (status == TOI_OK)
    status = toi_rigid_scene_create(s->context, &s->scene);
  for (size_t i = 0; i < s->file.count && status == TOI_OK; i++) {
    status = toi_rigid_scene_add(s->scene, &s->file.meshes[i], s->file.fixed[i], NULL);
    if (status != TOI_OK && status != TOI_ERROR_MEMORY)
      return session_fail(s->context, status, s->file.names[i]);
  }
  for (size_t i = 0; i < s->file.ignored_count && status == TOI_OK; i++)
    status = toi_rigid_scene_ignore(s->scene, s->file.ignored[i][0], s->file.ignored[i][1]);
  if (status != TOI_OK)
    return session_fail(s->context, status, NULL);
  s->asked = toi_default_options();
  s->asked.method = s->options.method;
  s->asked.min_separation = isnan(s->options.min_separation) ? s->file.min_separation : s->options.min_separation;
  s->on_mesh = toi_default_mesh_options();
  s->on_mesh.progress = show_progress;
  s->on_mesh.progress_user = s;
  s->asked.on_mesh = &s->on_mesh;
  s->answer = (sweep_answer){.path = s->options.path,
                             .scene = &s->file,
                             .min_separation = s->asked.min_separation,
                             .load_ms = 1e3 * (clock_seconds() - begin)};
  return EXIT_DONE;
}

/* --- the search --- */

static toi_rigid_path path_of(const sweep *s) {
  return (toi_rigid_path){.size = sizeof(toi_rigid_path),
                          .times = s->file.times,
                          .bodies = s->file.motions,
                          .count = s->file.count,
                          .piece_count = s->file.piece_count};
}

static int ask_first(sweep *s) {
  const toi_rigid_path path = path_of(s);
  s->part = s->options.all ? 0.5 : 1;
  const toi_status status = toi_rigid_scene_path_step(s->scene, &path, &s->asked, &s->answer.first);
  return status == TOI_OK ? EXIT_DONE : session_fail(s->context, status, NULL);
}

static toi_status keep_contacts(void *user, const toi_rigid_contact *contacts, size_t count) {
  sweep *s = user;
  sweep_answer *a = &s->answer;
  toi_rigid_contact *grown = memory_resize_beyond(a->contacts, a->contact_count + count, sizeof *grown);
  s->refused = grown == NULL;
  if (s->refused)
    return TOI_ERROR_MEMORY;
  a->contacts = grown;
  memcpy(grown + a->contact_count, contacts, count * sizeof *grown);
  a->contact_count += count;
  return TOI_OK;
}

static int ask_all(sweep *s) {
  const toi_rigid_path path = path_of(s);
  s->answer.all = true;
  s->before = s->part = 0.5;
  const toi_status status = toi_rigid_scene_path_contacts(s->scene, &path, &s->asked, keep_contacts, s);
  if (s->refused)
    return memory_fail("the contacts", "close other programs");
  return status == TOI_OK ? EXIT_DONE : session_fail(s->context, status, NULL);
}

/* --- one joint --- */

/* The value that nlerp has reached at t: of an angle, the tangent of its half is rational in time. Rounded towards
 * from.
 */
static double value_at(bool prismatic, double from, double to, double t) {
  const double half = 0.5 * (to - from);
  const double gone = prismatic ? t * (to - from) : 2 * atan2(t * sin(half), 1 - t + t * cos(half));
  const double value = from + gone, slack = 0x1p-48 * (fabs(from) + fabs(to));
  return to > from ? fmax(from, value - slack) : fmin(from, value + slack);
}

/* How far the joint goes from its value at the start towards a limit. */
static int ask_side(sweep *s, size_t body, double start, double limit, int side) {
  sweep_answer *a = &s->answer;
  const double range[2] = {start, limit};
  const size_t pieces = (size_t)ceil(fabs(limit - start) / JOINT_PIECE);
  a->free_range[side] = limit;
  if (pieces == 0)
    return EXIT_DONE;
  toi_moving_body *motions = memory_zeroed(pieces * s->file.count, sizeof *motions);
  if (motions == NULL)
    return memory_fail("the motions of the joint", "give it closer limits");
  toi_status status = toi_sweep_scene_joint(s->context, &s->file, body, range, pieces, motions, NULL, NULL);
  for (size_t k = 0; k < pieces && status == TOI_OK && !a->free_stopped[side]; k++) {
    toi_rigid_impact impact;
    status = toi_rigid_scene_step(s->scene, motions + k * s->file.count, s->file.count, &s->asked, &impact);
    if (status != TOI_OK || impact.hit.verdict == TOI_MISS)
      continue;
    const double from = start + (limit - start) * ((double)k / (double)pieces);
    const double to = start + (limit - start) * ((double)(k + 1) / (double)pieces);
    a->free_stopped[side] = true;
    a->stops[side].impact = impact;
    a->free_range[side] = value_at(s->file.joints[body] == PRISMATIC, from, to, impact.hit.t_safe);
  }
  memory_free(motions);
  return status == TOI_OK ? EXIT_DONE : session_fail(s->context, status, NULL);
}

static int ask_free(sweep *s) {
  size_t body = 0;
  double limits[2], start;
  while (body < s->file.count && strcmp(s->file.names[body], s->options.free_body) != 0)
    body++;
  if (body == s->file.count)
    return cli_fail("--free %s: there is no such body in %s", s->options.free_body, s->options.path);
  const toi_status status = toi_sweep_scene_joint(s->context, &s->file, body, NULL, 0, NULL, limits, &start);
  if (status != TOI_OK)
    return session_fail(s->context, status, "--free");
  if (isinf(limits[0]) || isinf(limits[1]))
    return cli_fail("--free %s: its joint has no limits; give it \"limits\": [from, to]", s->options.free_body);
  s->answer.free_body = s->options.free_body;
  int result = ask_side(s, body, start, limits[0], 0);
  if (result == EXIT_DONE)
    result = ask_side(s, body, start, limits[1], 1);
  return result;
}

/* --- how close --- */

/* At least twice the distance of any two points of the scene's bodies on their way. */
static double extent_of(const toi_sweep_scene *scene) {
  double most = 0;
  for (size_t i = 0; i < scene->count * scene->piece_count; i++) {
    const double *from = scene->motions[i].start.position, *to = scene->motions[i].end.position;
    most = fmax(most, fmax(hypot(hypot(from[0], from[1]), from[2]), hypot(hypot(to[0], to[1]), to[2])));
  }
  double reach = 0;
  for (size_t i = 0; i < scene->count; i++) {
    const double(*vertices)[3] = (const double(*)[3])scene->meshes[i].start;
    for (size_t k = 0; k < scene->meshes[i].vertex_count; k++)
      reach = fmax(reach, hypot(hypot(vertices[k][0], vertices[k][1]), vertices[k][2]));
  }
  return 4 * (2 * most + reach);
}

/* The contact of one piece, as a path of its own. */
static toi_rigid_contact in_piece(const sweep *s, const toi_rigid_impact *impact, size_t piece) {
  const double from = s->file.times[piece], to = s->file.times[piece + 1];
  const double slack = from == 0 && to == 1 ? 0 : 0x1p-51 * (fabs(from) + fabs(to));
  return (toi_rigid_contact){.impact = *impact,
                             .piece = piece,
                             .t_lo = fmax(from, from + impact->hit.t_lo * (to - from) - slack),
                             .t_hi = fmin(to, from + impact->hit.t_hi * (to - from) + slack),
                             .t_safe = fmax(from, from + impact->hit.t_safe * (to - from) - slack),
                             .pairs = 1};
}

/* Piece after piece: each is asked only about what is closer than anything before. */
static int ask_clearance(sweep *s) {
  sweep_answer *a = &s->answer;
  toi_options asked = s->asked;
  asked.min_separation = 0;
  a->clearance = true;
  a->clear_lo = a->clear_hi = fmin(fmax(extent_of(&s->file), 0x1p-1000), 0x1p1000);
  a->closest.impact.hit.verdict = TOI_MISS;
  for (size_t k = 0; k < s->file.piece_count && a->clear_hi > 0; k++) {
    toi_rigid_clearance found;
    const toi_status status = toi_rigid_scene_clearance(s->scene, s->file.motions + k * s->file.count, s->file.count,
                                                        a->clear_hi, &asked, &found);
    if (status != TOI_OK)
      return session_fail(s->context, status, "--clearance");
    a->clear_lo = fmin(a->clear_lo, found.lo);
    if (found.hi < a->clear_hi) {
      a->clear_hi = found.hi;
      a->closest = in_piece(s, &found.closest, k);
    }
  }
  return EXIT_DONE;
}

/* --- the command --- */

static int ask(sweep *s) {
  const double begin = clock_seconds();
  int result = ask_first(s);
  if (result == EXIT_DONE && s->options.all)
    result = ask_all(s);
  if (result == EXIT_DONE && s->options.clearance)
    result = ask_clearance(s);
  if (result == EXIT_DONE && s->options.free_body != NULL)
    result = ask_free(s);
  s->answer.ms = 1e3 * (clock_seconds() - begin);
  return result;
}

static int open_outputs(sweep *s) {
  s->outputs[PICTURE] = (output){.option = "--picture", .path = s->options.picture};
  s->outputs[VIEW] = (output){.option = "--view", .path = s->options.view};
  int result = outputs_check(s->outputs, OUTPUTS, s->options.json);
  for (size_t i = 0; result == EXIT_DONE && i < OUTPUTS; i++) {
    const char *path = s->outputs[i].path;
    if (path != NULL && files_same(path, s->options.path))
      return cli_fail("%s: holds the scene and would be replaced; write to another file", path);
    result = output_open(s->context, &s->outputs[i]);
  }
  return result == EXIT_DONE ? page_curved_open(&s->page, s->context, &s->outputs[VIEW], s->options.viewer) : result;
}

static int finish(sweep *s) {
  bool table = false;
  int result = EXIT_DONE;
  progress_clear();
  if (output_is_open(&s->outputs[PICTURE]))
    result = sweep_draw(s->context, &s->answer, s->options.at, s->options.from, &s->outputs[PICTURE]);
  if (result == EXIT_DONE && page_is_open(&s->page.page))
    result = sweep_page(&s->page, &s->answer, sweep_json(&s->answer));
  if (result == EXIT_DONE)
    result = outputs_finish(s->context, s->outputs, OUTPUTS, s->options.json ? sweep_json(&s->answer) : NULL, &table);
  if (result != EXIT_DONE)
    return result;
  if (table) {
    sweep_print_table(&s->answer);
    page_print(s->options.view);
  }
  return s->options.fail_on_hit && s->answer.first.impact.hit.verdict != TOI_MISS ? EXIT_FINDING : EXIT_DONE;
}

int command_sweep(int argc, char **argv) {
  sweep s = {.context = NULL};
  const parse_result parsed = parse(argc, argv, &s.options);
  if (parsed != PARSE_FINE)
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  progress_start();
  int result = open_scene(&s);
  if (result == EXIT_DONE)
    result = open_outputs(&s);
  if (result == EXIT_DONE)
    result = ask(&s);
  if (result == EXIT_DONE)
    result = finish(&s);
  outputs_discard(s.outputs, OUTPUTS);
  page_curved_close(&s.page);
  memory_free(s.answer.contacts);
  if (s.context != NULL) {
    toi_rigid_scene_destroy(s.scene);
    toi_sweep_scene_free(s.context, &s.file);
    toi_context_destroy(s.context);
  }
  return result;
}
