/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* One step of a whole mesh, asked and timed. */

#include "stepping.h"

#include <string.h>

#include "progress.h"
#include "session.h"

static bool show_progress(void *user, double done) {
  const stepping *s = user;
  progress_show(s->done_before + s->part * done, s->doing);
  return !progress_stopped();
}

int stepping_open(stepping *s, const step_options *options) {
  *s = (stepping){.options = options, .asked = options->asked.toi, .doing = "", .part = 1};
  s->on_mesh = toi_default_mesh_options();
  s->on_mesh.broad = options->broad;
  s->on_mesh.progress = show_progress;
  s->on_mesh.progress_user = s;
  s->asked.on_mesh = &s->on_mesh;
  return session_open_on(options->threads, options->memory, &options->device, &s->context);
}

void stepping_close(stepping *s) {
  if (s->edges != NULL)
    toi_mesh_edges_free(s->context, s->edges, s->edge_count);
  toi_context_destroy(s->context);
}

/* --- frames --- */

int stepping_read(stepping *s, const char *path, step_frame *frame) {
  frame->path = path;
  if (platform_ask(path, NULL) == PLATFORM_FOLDER)
    return cli_fail("%s: a directory where a mesh file is expected; toi sequence takes the frames of a directory",
                    path);
  progress_stop_at_once(true);
  toi_status status = toi_frame_read(s->context, path, &frame->mesh);
  progress_stop_at_once(false);
  return status == TOI_OK ? EXIT_DONE : session_fail(s->context, status, status == TOI_ERROR_MEMORY ? path : NULL);
}

void stepping_release(stepping *s, step_frame *frame) {
  if (s->context != NULL)
    toi_frame_free(s->context, &frame->mesh);
  *frame = (step_frame){0};
}

static toi_status find_edges(stepping *s, const toi_frame *mesh) {
  if (s->edges_found)
    return TOI_OK;
  s->edges_found = true;
  return toi_mesh_edges(s->context, (const uint32_t(*)[3])mesh->faces, mesh->face_count,
                        (const uint32_t(*)[2])mesh->loose, mesh->loose_count, &s->edges, &s->edge_count);
}

int stepping_state(stepping *s, const step_frame *frame, toi_mesh *mesh) {
  const toi_frame *a = &frame->mesh;
  toi_status status = find_edges(s, a);
  if (status != TOI_OK)
    return session_fail(s->context, status, NULL);
  *mesh = (toi_mesh){.start = a->vertices,
                     .scalar = a->scalar,
                     .vertex_count = a->vertex_count,
                     .edges = (const uint32_t(*)[2])s->edges,
                     .edge_count = s->edge_count,
                     .faces = (const uint32_t(*)[3])a->faces,
                     .face_count = a->face_count,
                     .half_spaces = s->options->half_spaces,
                     .half_space_count = s->options->half_space_texts.count};
  return EXIT_DONE;
}

int stepping_join(stepping *s, const step_frame *start, const step_frame *end, toi_mesh *mesh) {
  toi_status status = toi_frames_match(s->context, &start->mesh, start->path, &end->mesh, end->path);
  if (status != TOI_OK)
    return session_fail(s->context, status, NULL);
  int result = stepping_state(s, start, mesh);
  mesh->end = end->mesh.vertices;
  return result;
}

/* --- the questions --- */

static toi_status pass_over(void *user, const toi_collision *collisions, size_t count) {
  (void)user;
  (void)collisions;
  (void)count;
  return TOI_OK;
}

static toi_status ask_first(stepping *s, const toi_mesh *mesh, step_answer *answer) {
  toi_work work = {0};
  s->on_mesh.work = &work;
  double begin = clock_seconds();
  toi_status status = toi_step(s->context, mesh, &s->asked, &answer->impact);
  answer->first_ms = 1e3 * (clock_seconds() - begin);
  session_warn(s->context);
  memcpy(answer->candidates, work.candidates, sizeof answer->candidates);
  answer->broad_ms = 1e-6 * (double)work.broad_ns;
  answer->narrow_ms = 1e-6 * (double)work.narrow_ns;
  return status;
}

/* The times are then those of this call. */
static toi_status ask_all(stepping *s, const toi_mesh *mesh, step_answer *answer) {
  toi_work work = {0};
  s->on_mesh.work = &work;
  toi_status status =
      toi_collisions(s->context, mesh, &s->asked, s->visit != NULL ? s->visit : pass_over, s->visit_user);
  session_warn(s->context);
  memcpy(answer->candidates, work.candidates, sizeof answer->candidates);
  memcpy(answer->hits, work.hits, sizeof answer->hits);
  answer->every_candidate = answer->every_hit = true;
  answer->broad_ms = 1e-6 * (double)work.broad_ns;
  answer->narrow_ms = 1e-6 * (double)work.narrow_ns;
  return status;
}

int stepping_ask(stepping *s, const toi_mesh *mesh, const char *place, step_answer *answer) {
  const double before = s->done_before, part = s->part;
  answer->vertices = mesh->vertex_count;
  answer->edges = mesh->edge_count;
  answer->faces = mesh->face_count;
  answer->half_spaces = mesh->half_space_count;
  if (s->options->all)
    s->part = part / 4;
  toi_status status = ask_first(s, mesh, answer);
  if (status == TOI_OK && s->options->all) {
    s->done_before = before + part / 4;
    s->part = part - part / 4;
    status = ask_all(s, mesh, answer);
  }
  s->on_mesh.work = NULL;
  s->done_before = before;
  s->part = part;
  return status == TOI_OK ? EXIT_DONE : session_fail(s->context, status, status == TOI_ERROR_FILE ? NULL : place);
}
