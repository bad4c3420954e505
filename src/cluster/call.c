/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "cluster/call.h"

#include <fenv.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- the beginning --- */

toi_status toi_cluster_question_check(toi_cluster *cluster, const toi_cluster_question *q) {
  if (!cluster->has_mesh)
    return toi_cluster_fail(cluster, TOI_ERROR_INPUT, "the cluster has no mesh; call toi_cluster_mesh() first");
  const size_t vertices = cluster->topology.vertex_count;
  if (q->positions == NULL ||
      (vertices > 0 && (q->positions->start == NULL || (q->need_end && q->positions->end == NULL))))
    return toi_cluster_fail(cluster, TOI_ERROR_INPUT, "positions are NULL; give those of the rank's vertices");
  if (q->positions->vertex_count != vertices)
    return toi_cluster_fail(cluster, TOI_ERROR_INPUT, "positions of %zu vertices, but the rank's part has %zu",
                            q->positions->vertex_count, vertices);
  if (q->options != NULL && q->options->size != sizeof *q->options)
    return toi_cluster_fail(cluster, TOI_ERROR_OPTION, "options have size %zu; use toi_default_options()",
                            q->options->size);
  if (q->options != NULL && q->options->on_mesh != NULL && q->options->on_mesh->size != sizeof(toi_mesh_options))
    return toi_cluster_fail(cluster, TOI_ERROR_OPTION, "on_mesh has size %zu; use toi_default_mesh_options()",
                            q->options->on_mesh->size);
  if (q->options != NULL && q->options->on_mesh != NULL &&
      (q->options->on_mesh->may_collide != NULL || q->options->on_mesh->kinds != 0))
    return toi_cluster_fail(
        cluster, TOI_ERROR_OPTION,
        "on_mesh has may_collide or kinds; pairs have global numbers here: see toi_cluster_options");
  return TOI_OK;
}

static uint64_t digest_question(const toi_cluster_question *q) {
  uint64_t digest = toi_digest_options(q->options, q->name);
  return toi_digest(digest, &q->distance, sizeof q->distance);
}

size_t toi_position_offset(const toi_positions *p, size_t vertex, size_t k) {
  const size_t scalar = p->scalar == TOI_FLOAT32 ? sizeof(float) : sizeof(double);
  const size_t step = p->component_stride != 0 ? p->component_stride : scalar;
  const size_t stride = p->stride != 0 ? p->stride : 3 * scalar;
  return vertex * stride + k * step;
}

double toi_position_coordinate(const toi_positions *p, const void *array, size_t vertex, size_t k) {
  const char *at = (const char *)array + toi_position_offset(p, vertex, k);
  if (p->scalar == TOI_FLOAT32) {
    float number;
    memcpy(&number, at, sizeof number);
    return number;
  }
  double number;
  memcpy(&number, at, sizeof number);
  return number;
}

/* Own positions in the order of vertices. */
static toi_status copy_positions(toi_cluster_call *call, const toi_cluster_question *q) {
  const toi_cluster_topology *t = &call->cluster->topology;
  const toi_positions *p = q->positions;
  for (size_t i = 0; i < t->vertex_count; i++)
    for (size_t k = 0; k < 3; k++) {
      call->at[i][k] = toi_position_coordinate(p, p->start, t->given[i], k);
      call->at[i][3 + k] = q->need_end ? toi_position_coordinate(p, p->end, t->given[i], k) : call->at[i][k];
      if (!isfinite(call->at[i][k]) || !isfinite(call->at[i][3 + k]))
        return toi_cluster_fail(call->cluster, TOI_ERROR_INPUT,
                                "vertex %" PRIu64 ": %c at the %s is not finite; coordinates must be", t->vertices[i],
                                'x' + (int)k, isfinite(call->at[i][k]) ? "end" : "start");
    }
  return TOI_OK;
}

/* Subnormal floats keep their values, whatever mode the caller is in. */
static toi_status take_positions(toi_cluster_call *call, const toi_cluster_question *q) {
  const toi_cluster_topology *t = &call->cluster->topology;
  call->at = toi_cluster_allocate(call->cluster, t->vertex_count + t->ghost_count, sizeof *call->at);
  if (call->at == NULL)
    return TOI_ERROR_MEMORY;
  fenv_t mode;
  toi_plain_mode_enter(&mode);
  const toi_status status = copy_positions(call, q);
  toi_plain_mode_leave(&mode);
  return status;
}

/* Positions of own vertices to those who have them as ghosts. */
static toi_status share_positions(toi_cluster_call *call) {
  const toi_cluster_topology *t = &call->cluster->topology;
  toi_mail mail;
  toi_status status = toi_mail_begin(call->cluster, &mail);
  for (int r = 0; status == TOI_OK && r < call->cluster->ranks; r++) {
    const size_t begin = t->sent_begin[r], count = t->sent_begin[r + 1] - begin;
    uint64_t *words = toi_words_add(&mail.out[r], 6 * count);
    if (words == NULL && count > 0)
      status = toi_cluster_fail(call->cluster, TOI_ERROR_MEMORY, "out of memory for messages; use more ranks");
    for (size_t i = 0; status == TOI_OK && i < count; i++)
      memcpy(words + 6 * i, call->at[t->sent[begin + i]], sizeof call->at[0]);
  }
  size_t *next = toi_cluster_allocate(call->cluster, (size_t)call->cluster->ranks, sizeof *next);
  if (next == NULL)
    status = TOI_ERROR_MEMORY;
  status = toi_mail_exchange_near(call->cluster, &t->graph, &mail, status);
  for (int r = 0; status == TOI_OK && r < call->cluster->ranks; r++)
    next[r] = mail.in_begin[r];
  for (size_t i = 0; status == TOI_OK && i < t->ghost_count; i++) {
    memcpy(call->at[t->vertex_count + i], mail.in + next[t->ghost_owners[i]], sizeof call->at[0]);
    next[t->ghost_owners[i]] += 6;
  }
  call->cluster->work.bytes_sent += mail.sent;
  free(next);
  toi_mail_end(&mail);
  return status;
}

static void take_options(toi_cluster_call *call, const toi_cluster_question *q) {
  call->options = q->options != NULL ? *q->options : toi_default_options();
  call->on_mesh = call->options.on_mesh != NULL ? *call->options.on_mesh : toi_default_mesh_options();
  call->options.on_mesh = &call->on_mesh;
  call->on_mesh.work = &call->work;
  call->t_max = call->options.t_max;
  const double fraction = call->options.separation_fraction;
  call->radius = q->distance > 0 ? q->distance / 2 : call->options.min_separation / 2;
  call->reach = fraction > 0 ? fraction < 1 ? fraction / (1 - fraction) : INFINITY : 0;
}

toi_status toi_cluster_call_begin(toi_cluster_call *call, toi_cluster *cluster, const toi_cluster_question *question) {
  *call = (toi_cluster_call){.cluster = cluster};
  cluster->work = (toi_cluster_work){0};
  toi_status status =
      toi_cluster_meet(cluster, toi_cluster_question_check(cluster, question), digest_question(question));
  if (status != TOI_OK)
    return status;
  take_options(call, question);
  call->positions = (toi_positions){.size = sizeof call->positions,
                                    .scalar = TOI_FLOAT64,
                                    .stride = sizeof call->at[0],
                                    .vertex_count = cluster->topology.vertex_count};
  status = toi_agree(cluster, take_positions(call, question));
  if (status == TOI_OK)
    status = share_positions(call);
  if (status == TOI_OK) {
    call->positions.start = &call->at[0][0];
    call->positions.end = &call->at[0][3];
  } else {
    toi_cluster_call_end(call);
  }
  return status;
}

void toi_cluster_call_end(toi_cluster_call *call) {
  free(call->at);
  call->at = NULL;
  toi_seam_free(&call->seam);
}

/* --- the two meshes --- */

/* The caller's rule, by global numbers. */
static bool allowed(const toi_cluster_call *call, toi_kind kind, toi_cluster_pair pair) {
  const toi_cluster_options *options = &call->cluster->options;
  return options->may_collide == NULL || options->may_collide(options->may_collide_user, kind, pair.first, pair.second);
}

static bool inner_allows(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  const toi_cluster_call *call = user;
  return allowed(call, kind, toi_inner_pair(call->cluster, kind, (toi_pair){first, second}));
}

static bool seam_allows(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  const toi_cluster_call *call = user;
  // Crossings of an edge are left to their visitor: the rule is asked about its ends, which may be another rank's.
  if (!call->crossings && !toi_seam_decides(call, kind, first, second))
    return false;
  return allowed(call, kind, toi_seam_pair(&call->seam, kind, (toi_pair){first, second}));
}

bool toi_seam_decides(const toi_cluster_call *call, toi_kind kind, uint32_t first, uint32_t second) {
  const toi_seam *s = &call->seam;
  switch (kind) {
  case TOI_VERTEX_FACE:
    return (s->vertex_marks[first] & TOI_MARK_OWN) && !(s->face_marks[second] & TOI_MARK_INNER);
  case TOI_EDGE_EDGE:
    // An edge without a number came with a face: what meets it here is in the inner mesh with it, or not this rank's.
    return (s->edge_marks[first] & TOI_MARK_OWN) && s->edge_numbers[second] != TOI_NO_NUMBER &&
           !((s->edge_marks[first] & TOI_MARK_INNER) && (s->edge_marks[second] & TOI_MARK_INNER));
  case TOI_VERTEX_EDGE:
    return (s->vertex_marks[first] & TOI_MARK_OWN) && (s->vertex_marks[first] & TOI_MARK_LOOSE) &&
           (s->edge_marks[second] & TOI_MARK_LOOSE);
  case TOI_VERTEX_VERTEX:
    return (s->vertex_marks[first] & TOI_MARK_OWN) && (s->vertex_marks[first] & TOI_MARK_LOOSE) &&
           (s->vertex_marks[second] & TOI_MARK_LOOSE);
  case TOI_EDGE_FACE:
    return (s->edge_marks[first] & TOI_MARK_OWN) &&
           !((s->edge_marks[first] & TOI_MARK_INNER) && (s->face_marks[second] & TOI_MARK_INNER));
  default:
    return false;
  }
}

void toi_ask_inner(toi_cluster_call *call, double t_max, uint32_t kinds) {
  call->options.t_max = t_max;
  call->on_mesh.kinds = kinds;
  call->on_mesh.may_collide = call->cluster->options.may_collide != NULL ? inner_allows : NULL;
  call->on_mesh.may_collide_user = call;
}

toi_mesh toi_ask_seam(toi_cluster_call *call, double t_max, uint32_t kinds) {
  const toi_cluster_topology *t = &call->cluster->topology;
  const toi_seam *s = &call->seam;
  call->options.t_max = t_max;
  call->on_mesh.kinds = kinds;
  call->on_mesh.may_collide = seam_allows;
  call->on_mesh.may_collide_user = call;
  toi_mesh mesh;
  toi_mesh_init(&mesh, sizeof mesh);
  mesh.start = &s->at[0][0];
  mesh.end = &s->at[0][3];
  mesh.scalar = TOI_FLOAT64;
  mesh.stride = sizeof s->at[0];
  mesh.vertex_count = s->vertex_count;
  mesh.edges = (const uint32_t(*)[2])s->edges;
  mesh.edge_count = s->edge_count;
  mesh.faces = (const uint32_t(*)[3])s->faces;
  mesh.face_count = s->face_count;
  mesh.bodies = s->bodies;
  mesh.fixed = s->fixed;
  mesh.thickness = s->thickness;
  mesh.body_thickness = t->body_thickness;
  mesh.body_count = t->body_count;
  mesh.body_pairs = t->body_pairs;
  return mesh;
}

toi_cluster_pair toi_inner_pair(const toi_cluster *cluster, toi_kind kind, toi_pair pair) {
  const toi_cluster_topology *t = &cluster->topology;
  switch (kind) {
  case TOI_VERTEX_FACE:
    return (toi_cluster_pair){t->vertices[pair.first], t->face_numbers[t->inner_faces[pair.second]]};
  case TOI_EDGE_EDGE:
    return (toi_cluster_pair){t->edge_numbers[t->inner_edges[pair.first]],
                              t->edge_numbers[t->inner_edges[pair.second]]};
  case TOI_EDGE_FACE:
    return (toi_cluster_pair){t->edge_numbers[t->inner_edges[pair.first]],
                              t->face_numbers[t->inner_faces[pair.second]]};
  default:
    return (toi_cluster_pair){t->vertices[pair.first], pair.second};
  }
}

toi_cluster_pair toi_seam_pair(const toi_seam *seam, toi_kind kind, toi_pair pair) {
  switch (kind) {
  case TOI_VERTEX_FACE:
    return (toi_cluster_pair){seam->vertices[pair.first], seam->face_numbers[pair.second]};
  case TOI_EDGE_EDGE:
    return (toi_cluster_pair){seam->edge_numbers[pair.first], seam->edge_numbers[pair.second]};
  case TOI_VERTEX_EDGE:
    return (toi_cluster_pair){seam->vertices[pair.first], seam->edge_numbers[pair.second]};
  case TOI_EDGE_FACE:
    return (toi_cluster_pair){seam->edge_numbers[pair.first], seam->face_numbers[pair.second]};
  default:
    return (toi_cluster_pair){seam->vertices[pair.first], seam->vertices[pair.second]};
  }
}

void toi_add_work(toi_cluster_call *call) {
  toi_cluster_work *work = &call->cluster->work;
  for (int kind = 0; kind < TOI_COUNTERS; kind++) {
    work->candidates[kind] += call->work.candidates[kind];
    work->hits[kind] += call->work.hits[kind];
  }
  work->broad_ns += call->work.broad_ns;
  work->narrow_ns += call->work.narrow_ns;
  work->passes += call->work.passes;
}

void toi_inner_vertices(const toi_cluster_topology *t, toi_kind kind, toi_pair pair, uint32_t vertices[4]) {
  vertices[0] = pair.first;
  if (kind == TOI_VERTEX_FACE) {
    memcpy(vertices + 1, t->faces[t->inner_faces[pair.second]], sizeof t->faces[0]);
  } else if (kind == TOI_EDGE_EDGE) {
    memcpy(vertices, t->edges[t->inner_edges[pair.first]], sizeof t->edges[0]);
    memcpy(vertices + 2, t->edges[t->inner_edges[pair.second]], sizeof t->edges[0]);
  }
}

void toi_seam_vertices(const toi_seam *s, toi_kind kind, toi_pair pair, uint32_t vertices[4]) {
  vertices[0] = pair.first;
  vertices[1] = pair.second;
  if (kind == TOI_VERTEX_FACE)
    memcpy(vertices + 1, s->faces[pair.second], sizeof s->faces[0]);
  if (kind == TOI_VERTEX_EDGE)
    memcpy(vertices + 1, s->edges[pair.second], sizeof s->edges[0]);
  if (kind == TOI_EDGE_EDGE) {
    memcpy(vertices, s->edges[pair.first], sizeof s->edges[0]);
    memcpy(vertices + 2, s->edges[pair.second], sizeof s->edges[0]);
  }
}
