/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "sweep_show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <toi/broad.h>

#include "memory.h"
#include "session.h"
#include "step_picture.h"

/* --- where a body is --- */

static void rotate(const double q[4], const double v[3], double out[3]) {
  double inner[3];
  for (int i = 0; i < 3; i++) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    inner[i] = q[y + 1] * v[z] - q[z + 1] * v[y] + q[0] * v[i];
  }
  for (int i = 0; i < 3; i++) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    out[i] = v[i] + 2 * (q[y + 1] * inner[z] - q[z + 1] * inner[y]);
  }
}

/* The pose at s, its quaternion of length 1. */
static toi_status pose_at(const toi_moving_body *body, double s, toi_pose *pose) {
  const toi_status status = toi_moving_body_at(body, s, pose);
  double most = 0, square = 0;
  for (int i = 0; i < 4; i++)
    most = fmax(most, fabs(pose->quaternion[i]));
  for (int i = 0; i < 4; i++) {
    pose->quaternion[i] /= most;
    square += pose->quaternion[i] * pose->quaternion[i];
  }
  for (int i = 0; i < 4; i++)
    pose->quaternion[i] /= sqrt(square);
  return status;
}

/* The piece of time, and where in it. */
static size_t piece_of(const toi_sweep_scene *scene, double t, double *s) {
  size_t piece = 0;
  while (piece + 1 < scene->piece_count && scene->times[piece + 1] <= t)
    piece++;
  const double from = scene->times[piece], to = scene->times[piece + 1];
  *s = fmin(1, fmax(0, (t - from) / (to - from)));
  return piece;
}

/* --- the picture --- */

/* All bodies as one mesh, in the world. */
typedef struct joined {
  double (*vertices)[3];
  uint32_t (*faces)[3], (*edges)[2], *groups;
  size_t vertex_count, face_count, edge_count;
  toi_impact impact;
} joined;

/* Edges of a body: those that it lists, or those of its faces. *found: to be freed. */
static toi_status edges_of(toi_context *context, const toi_mesh *mesh, uint32_t (**found)[2], size_t *count) {
  *found = NULL;
  *count = mesh->edge_count;
  return mesh->edge_count > 0 ? TOI_OK : toi_mesh_edges(context, mesh->faces, mesh->face_count, NULL, 0, found, count);
}

static toi_status place(const toi_moving_body *body, double s, const toi_mesh *mesh, double (*to)[3]) {
  toi_pose pose;
  const toi_status status = pose_at(body, s, &pose);
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    rotate(pose.quaternion, ((const double(*)[3])mesh->start)[i], to[i]);
    for (int k = 0; k < 3; k++)
      to[i][k] += pose.position[k];
  }
  return status;
}

/* Appends body number `body`; `rows` has room. The numbers of the contact become those of all. */
static toi_status join_body(toi_context *context, const toi_sweep_scene *scene, size_t body, const double when[2],
                            const toi_rigid_impact *first, joined *all) {
  const toi_mesh *mesh = &scene->meshes[body];
  uint32_t(*found)[2];
  size_t edges;
  const uint32_t base = (uint32_t)all->vertex_count;
  toi_status status =
      place(&scene->motions[(size_t)when[0] * scene->count + body], when[1], mesh, all->vertices + base);
  if (status == TOI_OK)
    status = edges_of(context, mesh, &found, &edges);
  if (status != TOI_OK)
    return status;
  for (size_t i = 0; i < mesh->face_count; i++) {
    for (int k = 0; k < 3; k++)
      all->faces[all->face_count + i][k] = base + mesh->faces[i][k];
    all->groups[all->face_count + i] = (uint32_t)body;
  }
  const uint32_t(*listed)[2] = found != NULL ? (const uint32_t(*)[2])found : mesh->edges;
  for (size_t i = 0; i < edges; i++)
    for (int k = 0; k < 2; k++)
      all->edges[all->edge_count + i][k] = base + listed[i][k];
  const bool vertex[2] = {first->kind != TOI_EDGE_EDGE, first->kind == TOI_VERTEX_VERTEX};
  const bool face = first->kind == TOI_VERTEX_FACE;
  if (first->bodies[0] == body)
    all->impact.pair.first += vertex[0] ? base : (uint32_t)all->edge_count;
  if (first->bodies[1] == body)
    all->impact.pair.second += vertex[1] ? base : (uint32_t)(face ? all->face_count : all->edge_count);
  all->vertex_count += mesh->vertex_count;
  all->face_count += mesh->face_count;
  all->edge_count += edges;
  if (found != NULL)
    toi_mesh_edges_free(context, found, edges);
  return TOI_OK;
}

/* Room for every body: an edge of a face is counted with it. */
static bool make_room(const toi_sweep_scene *scene, joined *all) {
  size_t most[3] = {0, 0, 0};
  for (size_t i = 0; i < scene->count; i++) {
    const toi_mesh *mesh = &scene->meshes[i];
    most[0] += mesh->vertex_count;
    most[1] += mesh->face_count;
    most[2] += mesh->edge_count > 0 ? mesh->edge_count : 3 * mesh->face_count;
  }
  if (most[0] > UINT32_MAX || most[2] > UINT32_MAX)
    return false;
  all->vertices = memory_zeroed(most[0] + 1, sizeof *all->vertices);
  all->faces = memory_zeroed(most[1] + 1, sizeof *all->faces);
  all->groups = memory_zeroed(most[1] + 1, sizeof *all->groups);
  all->edges = memory_zeroed(most[2] + 1, sizeof *all->edges);
  return all->vertices != NULL && all->faces != NULL && all->groups != NULL && all->edges != NULL;
}

static void free_room(const joined *all) {
  memory_free(all->vertices);
  memory_free(all->faces);
  memory_free(all->groups);
  memory_free(all->edges);
}

int sweep_draw(toi_context *context, const sweep_answer *answer, double at, const double from[3], output *out) {
  const toi_sweep_scene *scene = answer->scene;
  const toi_rigid_impact *first = &answer->first.impact;
  const bool miss = first->hit.verdict == TOI_MISS;
  const double t = !isnan(at) ? at : miss ? scene->times[scene->piece_count] : answer->first.t_lo;
  double when[2];
  when[0] = (double)piece_of(scene, t, &when[1]);
  joined all = {.impact = {.hit = first->hit, .kind = first->kind, .pair = first->pair}};
  // At another time than that of the contact nothing is marked.
  if (!isnan(at) && t != answer->first.t_lo)
    all.impact.hit.verdict = TOI_MISS;
  bool made = make_room(scene, &all);
  toi_status status = TOI_OK;
  for (size_t i = 0; i < scene->count && made && status == TOI_OK; i++)
    status = join_body(context, scene, i, when, first, &all);
  const toi_mesh mesh = {.size = sizeof mesh,
                         .start = all.vertices,
                         .end = all.vertices,
                         .vertex_count = all.vertex_count,
                         .faces = (const uint32_t(*)[3])all.faces,
                         .face_count = all.face_count,
                         .edges = (const uint32_t(*)[2])all.edges,
                         .edge_count = all.edge_count};
  char caption[96];
  snprintf(caption, sizeof caption, "%s, t = %.9g", toi_verdict_name((toi_verdict)first->hit.verdict), t);
  const picture of = {.mesh = &mesh, .impact = &all.impact, .caption = caption, .groups = all.groups};
  int result = !made ? memory_fail("the picture", "leave --picture out") : EXIT_DONE;
  if (result == EXIT_DONE && status != TOI_OK)
    result = session_fail(context, status, NULL);
  if (result == EXIT_DONE)
    result = picture_draw(context, &of, from, out);
  free_room(&all);
  return result;
}

/* --- the page --- */

static json_t *numbers_json(const double *numbers, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, json_number(numbers[i]));
  return list;
}

static json_t *counts_json(const uint32_t *numbers, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, json_count(numbers[i], true));
  return list;
}

static json_t *body_json(const toi_sweep_scene *scene, size_t i) {
  const toi_mesh *mesh = &scene->meshes[i];
  json_t *body = json_object();
  json_object_set_new(body, "name", json_text(scene->names[i]));
  json_object_set_new(body, "vertices", numbers_json(mesh->start, 3 * mesh->vertex_count));
  json_object_set_new(body, "faces", counts_json((const uint32_t *)mesh->faces, 3 * mesh->face_count));
  json_object_set_new(body, "edges", counts_json((const uint32_t *)mesh->edges, 2 * mesh->edge_count));
  return body;
}

static json_t *pose_json(const toi_pose *pose) {
  json_t *list = numbers_json(pose->position, 3);
  for (int i = 0; i < 4; i++)
    json_array_append_new(list, json_number(pose->quaternion[i]));
  return list;
}

/* A piece in which a body follows a motion is shown through so many poses. */
#define SHOWN_PARTS 32

static size_t parts_of(const toi_sweep_scene *scene, size_t piece) {
  bool follows = false;
  for (size_t i = 0; i < scene->count; i++)
    follows = follows || scene->motions[piece * scene->count + i].law == TOI_LAW_MOTION;
  return follows ? SHOWN_PARTS : 1;
}

/* Part `number` of `parts` of a piece. Parts of a law are shown by that law, but screws and motions from pose to pose.
 */
static json_t *piece_json(const toi_sweep_scene *scene, size_t piece, size_t number, size_t parts) {
  static const char *const laws[] = {"nlerp", "slerp", "screw", "slerp"};
  json_t *list = json_array();
  for (size_t i = 0; i < scene->count; i++) {
    const toi_moving_body *body = &scene->motions[piece * scene->count + i];
    toi_pose ends[2] = {body->start, body->end};
    for (size_t k = 0; k < 2 && parts > 1; k++)
      if (toi_moving_body_at(body, (double)(number + k) / (double)parts, &ends[k]) != TOI_OK)
        ends[k] = body->start;
    json_t *motion = json_object();
    json_object_set_new(motion, "law", json_text(laws[body->law]));
    json_object_set_new(motion, "start", pose_json(&ends[0]));
    json_object_set_new(motion, "end", pose_json(&ends[1]));
    json_array_append_new(list, motion);
  }
  return list;
}

/* All pieces with their times, divided where a motion is followed. */
static void put_pieces(const toi_sweep_scene *scene, json_t *whole) {
  json_t *pieces = json_array(), *times = json_array();
  for (size_t k = 0; k < scene->piece_count; k++) {
    const size_t parts = parts_of(scene, k);
    for (size_t i = 0; i < parts; i++) {
      const double s = (double)i / (double)parts;
      json_array_append_new(times, json_number((1 - s) * scene->times[k] + s * scene->times[k + 1]));
      json_array_append_new(pieces, piece_json(scene, k, i, parts));
    }
  }
  json_array_append_new(times, json_number(scene->times[scene->piece_count]));
  json_object_set_new(whole, "times", times);
  json_object_set_new(whole, "pieces", pieces);
}

int sweep_page(page_curved *p, const sweep_answer *answer, json_t *report) {
  const toi_sweep_scene *scene = answer->scene;
  json_t *whole = json_object(), *bodies = json_array();
  for (size_t i = 0; i < scene->count; i++)
    json_array_append_new(bodies, body_json(scene, i));
  json_object_set_new(whole, "bodies", bodies);
  put_pieces(scene, whole);
  const char *slash = strrchr(answer->path, '/');
  const char *name = slash != NULL && slash[1] != '\0' ? slash + 1 : answer->path;
  const int result = page_curved_text(p, whole, name, "sweep");
  if (result == EXIT_DONE)
    return page_curved_finish(p, "sweep", report, NULL);
  json_decref(report);
  return result;
}
