/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Every collision, on the rank that decides it and, where asked, with all owners of its vertices.
 *
 * Both meshes give theirs in order. Those of the seam are held: they are few. Those of the inner mesh pass through, and
 * the others are merged in where they belong. What goes to other ranks is held as well. */

#include <stdlib.h>
#include <string.h>

#include "cluster/call.h"

#define HANDFUL 64
#define RECORD_WORDS ((sizeof(toi_cluster_collision) + 7) / 8)

typedef struct collecting {
  toi_cluster_call *call;
  toi_cluster_collisions_visitor visit;
  void *user;
  bool to_owners;
  toi_words held; /* records of the seam; with to_owners all */
  size_t next;    /* of those, the first that was not handed on */
  toi_words *out; /* one list of records for each rank; NULL: nothing is sent */
  toi_cluster_collision handful[HANDFUL];
  size_t in_hand;
} collecting;

/* --- order --- */

static bool comes_before(const toi_cluster_collision *a, const toi_cluster_collision *b) {
  if (a->kind != b->kind)
    return a->kind < b->kind;
  return a->pair.first != b->pair.first ? a->pair.first < b->pair.first : a->pair.second < b->pair.second;
}

static int compare(const void *a, const void *b) {
  return comes_before(a, b) ? -1 : comes_before(b, a) ? 1 : 0;
}

/* --- handing on --- */

static toi_status hand_over(collecting *c) {
  const toi_status status = c->in_hand > 0 ? c->visit(c->user, c->handful, c->in_hand) : TOI_OK;
  c->in_hand = 0;
  return status;
}

static toi_status hand_on(collecting *c, const toi_cluster_collision *collision) {
  c->handful[c->in_hand++] = *collision;
  return c->in_hand == HANDFUL ? hand_over(c) : TOI_OK;
}

static size_t held_count(const collecting *c) {
  return c->held.count / RECORD_WORDS;
}

static const toi_cluster_collision *held_at(const collecting *c, size_t i) {
  return (const toi_cluster_collision *)(const void *)(c->held.at + i * RECORD_WORDS);
}

/* Those that are held and come before this one; NULL: all that are left. */
static toi_status hand_on_before(collecting *c, const toi_cluster_collision *limit) {
  toi_status status = TOI_OK;
  while (status == TOI_OK && c->next < held_count(c) && (limit == NULL || comes_before(held_at(c, c->next), limit)))
    status = hand_on(c, held_at(c, c->next++));
  return status;
}

static toi_status hold(collecting *c, toi_words *list, const toi_cluster_collision *collision) {
  uint64_t *words = toi_words_add(list, RECORD_WORDS);
  if (words == NULL)
    return toi_cluster_fail(c->call->cluster, TOI_ERROR_MEMORY, "out of memory for collisions; use more ranks");
  memcpy(words, collision, sizeof *collision);
  return TOI_OK;
}

/* A copy for each other rank that owns a vertex. */
static toi_status post(collecting *c, const toi_cluster_collision *collision, const int owners[4], size_t count) {
  toi_status status = TOI_OK;
  toi_cluster_collision copy = *collision;
  copy.decided = 0;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    bool due = owners[i] != c->call->cluster->rank;
    for (size_t j = 0; j < i; j++)
      due = due && owners[j] != owners[i];
    if (due)
      status = hold(c, &c->out[owners[i]], &copy);
  }
  return status;
}

/* --- the two meshes --- */

static size_t points_of(toi_kind kind) {
  return kind == TOI_VERTEX_HALF_SPACE ? 1 : toi_kind_points(kind);
}

static toi_cluster_collision record_of(const toi_collision *collision, toi_cluster_pair pair) {
  toi_cluster_collision record = {.hit = collision->hit, .kind = collision->kind, .decided = 1, .pair = pair};
  memcpy(record.first, collision->first, sizeof record.first);
  memcpy(record.second, collision->second, sizeof record.second);
  return record;
}

static toi_status take_seam(void *user, const toi_collision *collisions, size_t count) {
  collecting *c = user;
  const toi_seam *s = &c->call->seam;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    const toi_kind kind = collisions[i].kind;
    toi_cluster_collision record = record_of(&collisions[i], toi_seam_pair(s, kind, collisions[i].pair));
    uint32_t vertices[4] = {0};
    int owners[4] = {0};
    toi_seam_vertices(s, kind, collisions[i].pair, vertices);
    for (size_t k = 0; k < points_of(kind); k++) {
      record.vertices[k] = s->vertices[vertices[k]];
      owners[k] = s->owners[vertices[k]];
    }
    status = hold(c, &c->held, &record);
    if (status == TOI_OK && c->out != NULL)
      status = post(c, &record, owners, points_of(kind));
  }
  return status;
}

static toi_status take_inner(void *user, const toi_collision *collisions, size_t count) {
  collecting *c = user;
  const toi_cluster_topology *t = &c->call->cluster->topology;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    const toi_kind kind = collisions[i].kind;
    toi_cluster_collision record =
        record_of(&collisions[i], toi_inner_pair(c->call->cluster, kind, collisions[i].pair));
    uint32_t vertices[4] = {0};
    toi_inner_vertices(t, kind, collisions[i].pair, vertices);
    for (size_t k = 0; k < points_of(kind); k++)
      record.vertices[k] = t->vertices[vertices[k]];
    if (c->to_owners) {
      status = hold(c, &c->held, &record);
    } else {
      status = hand_on_before(c, &record);
      if (status == TOI_OK)
        status = hand_on(c, &record);
    }
  }
  return status;
}

static toi_status ask_both(collecting *c) {
  toi_cluster_call *call = c->call;
  toi_context *context = call->cluster->context;
  toi_status status = TOI_OK;
  const toi_mesh mesh = toi_ask_seam(call, call->t_max, toi_seam_kinds(call));
  if (mesh.vertex_count > 0) {
    status = toi_collisions(context, &mesh, &call->options, take_seam, c);
    toi_add_work(call);
  }
  if (status == TOI_OK && call->cluster->topology.vertex_count > 0) {
    toi_ask_inner(call, call->t_max, TOI_INNER_KINDS);
    status =
        toi_scene_collisions(context, call->cluster->topology.scene, &call->positions, &call->options, take_inner, c);
    toi_add_work(call);
  }
  if (status == TOI_OK && !c->to_owners)
    status = hand_on_before(c, NULL);
  if (status == TOI_OK)
    status = hand_over(c);
  return call->cluster->sentence[0] == '\0' ? toi_cluster_fail_context(call->cluster, status) : status;
}

/* --- to owners --- */

/* What came is held too, and all of it in order. */
static toi_status take_posted(collecting *c, const toi_mail *mail) {
  const size_t words = mail->in_begin[mail->ranks];
  uint64_t *room = toi_words_add(&c->held, words);
  if (room == NULL && words > 0)
    return toi_cluster_fail(c->call->cluster, TOI_ERROR_MEMORY, "out of memory for collisions; use more ranks");
  if (words > 0)
    memcpy(room, mail->in, words * sizeof *room);
  if (held_count(c) > 1)
    qsort(c->held.at, held_count(c), RECORD_WORDS * sizeof(uint64_t), compare);
  const toi_status status = hand_on_before(c, NULL);
  return status == TOI_OK ? hand_over(c) : status;
}

static toi_status collect(collecting *c) {
  toi_cluster *cluster = c->call->cluster;
  toi_status status = toi_seam_make(c->call, c->call->t_max);
  if (status != TOI_OK || !c->to_owners)
    return status == TOI_OK ? toi_agree(cluster, ask_both(c)) : status;
  toi_mail mail;
  status = toi_mail_begin(cluster, &mail);
  c->out = mail.out;
  if (status == TOI_OK)
    status = ask_both(c);
  status = toi_mail_exchange(cluster, &mail, status);
  if (status == TOI_OK)
    status = toi_agree(cluster, take_posted(c, &mail));
  cluster->work.bytes_sent += mail.sent;
  toi_mail_end(&mail);
  return status;
}

toi_status toi_cluster_collisions(toi_cluster *cluster, const toi_positions *positions, const toi_options *options,
                                  bool to_owners, toi_cluster_collisions_visitor visit, void *user) {
  const toi_cluster_question question = {.name = to_owners ? "collisions to owners" : "collisions",
                                         .positions = positions,
                                         .options = options,
                                         .need_end = true};
  toi_cluster_call call;
  toi_status status = toi_cluster_call_begin(&call, cluster, &question);
  if (status != TOI_OK)
    return status;
  collecting c = {.call = &call, .visit = visit, .user = user, .to_owners = to_owners};
  status = collect(&c);
  toi_words_free(&c.held);
  toi_cluster_call_end(&call);
  return status;
}
