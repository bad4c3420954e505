/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whole meshes asked about one step: what `toi step`, `toi sequence` and `toi demo` share. */

#ifndef CLI_STEPPING_H
#define CLI_STEPPING_H

#include <toi/io.h>
#include <toi/scene.h>

#include "step_options.h"

/* A frame with its name. */
typedef struct step_frame {
  toi_frame mesh;
  const char *path;
} step_frame;

typedef struct stepping {
  const step_options *options;
  toi_context *context; /* holds the frames and the edges too: one limit for all */
  toi_options asked;    /* with on_mesh, so this stays where it was opened */
  toi_mesh_options on_mesh;
  uint32_t (*edges)[2]; /* of all frames: those of the faces and the loose ones */
  size_t edge_count;
  bool edges_found;

  /* Every collision, where all are asked for; visit may be NULL. */
  toi_collisions_visitor visit;
  void *visit_user;

  const char *doing;        /* as the progress bar says it */
  double done_before, part; /* what is done and what the present work is of the whole, in [0, 1] */
} stepping;

/* What was found out about a step. */
typedef struct step_answer {
  size_t vertices, edges, faces, half_spaces;
  toi_impact impact;
  bool every_candidate; /* candidates counts all; else those that reached the narrow phase */
  bool every_hit;       /* hits are counted */
  uint64_t candidates[TOI_COUNTERS], hits[TOI_COUNTERS]; /* by toi_kind */
  uint64_t peak_bytes;
  double load_ms, first_ms, broad_ms, narrow_ms, total_ms;
} step_answer;

/* Each returns EXIT_DONE, or EXIT_BAD after its line. */

int stepping_open(stepping *s, const step_options *options);
void stepping_close(stepping *s);

/* Reads a frame, or frees it. The error names the file. */
int stepping_read(stepping *s, const char *path, step_frame *frame);
void stepping_release(stepping *s, step_frame *frame);

/* One frame as a mesh of its own, without an end; the edges are found once and kept. */
int stepping_state(stepping *s, const step_frame *frame, toi_mesh *mesh);

/* The mesh that two frames make. They must have the same connectivity; the edges are found once and kept. */
int stepping_join(stepping *s, const step_frame *start, const step_frame *end, toi_mesh *mesh);

/* The first impact and, if the options want them, all collisions. place stands in front of what goes wrong. */
int stepping_ask(stepping *s, const toi_mesh *mesh, const char *place, step_answer *answer);

#endif
