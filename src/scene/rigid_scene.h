/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes of rigid bodies: what is kept of them, and calls on them. */

#ifndef TOI_SCENE_RIGID_SCENE_H
#define TOI_SCENE_RIGID_SCENE_H

#include <toi/rigid.h>
#include <toi/scene.h>

#include "broad/body_tree.h"
#include "broad/swept_table.h"

/* A body's mesh. Its primitives are its faces, then loose edges, then loose points. Every vertex and every edge is
 * owned by one primitive that has it, so that pairs of primitives give each pair of vertices, edges and faces once. */
typedef struct toi_rigid_part {
  double (*vertices)[3];
  uint32_t (*faces)[3];
  uint32_t (*edges)[2];
  uint32_t (*corners)[3]; /* of every primitive; the last vertex repeated */
  uint32_t (*sides)[3];   /* numbers of edges: of a face those from corner i to i + 1; of an edge itself, first */
  uint8_t *owned;         /* of every primitive: bits 0 to 2 corners, 3 to 5 sides */
  size_t vertex_count, face_count, edge_count, loose_count, point_count;
  toi_body_tree tree;
  bool fixed;
} toi_rigid_part;

static inline size_t toi_rigid_primitives(const toi_rigid_part *part) {
  return part->face_count + part->loose_count + part->point_count;
}

struct toi_rigid_scene {
  toi_context *context;
  toi_rigid_part *parts;
  size_t count, room;
  uint64_t *ignored; /* pairs (smaller << 32 | larger), in order */
  size_t ignored_count, ignored_room;
};

/* The mesh, checked and copied, with its tree. */
toi_status toi_rigid_part_make(toi_context *context, const toi_mesh *given, toi_rigid_part *part);
void toi_rigid_part_free(toi_context *context, toi_rigid_part *part);

/* Whether pairs of two bodies are asked about. */
bool toi_rigid_may_collide(const toi_rigid_scene *scene, uint32_t first, uint32_t second);

#endif
