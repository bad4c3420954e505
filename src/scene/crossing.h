/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* One state of a mesh: which of its candidates meet, decided exactly. toi_mesh_intersects() asks for the first pair,
 * toi_mesh_crossings() for all.
 *
 * An edge and a face meet here if the edge crosses the face, two primitives of the kinds of narrow.h if they touch, a
 * vertex and a half-space if the vertex is on the plane or behind it. */

#ifndef TOI_SCENE_CROSSING_H
#define TOI_SCENE_CROSSING_H

#include "broad/broad.h"
#include "broad/edges.h"
#include "number/orientation.h"

#include <toi/scene.h>

typedef struct toi_crossing_search {
  toi_context *context;
  toi_mesh_request asked; /* options without a separation; the mesh with edges, its end the start, nothing thick */
  toi_edge_list found;    /* edges found here */
} toi_crossing_search;

/* Checks what the caller gave, and finds edges. End it whatever it returns. */
toi_status toi_crossing_begin(toi_crossing_search *search, toi_context *context, const toi_mesh_request *request);
void toi_crossing_end(toi_crossing_search *search);

/* The question for all candidates of the kinds of narrow.h, half-spaces and all edges with faces; consume and user are
 * left to the caller. */
toi_status toi_crossing_question(const toi_crossing_search *search, toi_broad_question *question);

/* Gives all candidates to the question's consumer; the search is run_user of toi_parts. */
toi_status toi_crossing_run(const void *search, const toi_broad_question *question);

/* Candidates of one kind that are decided at a time. */
#define TOI_CROSSING_PAIRS TOI_ORIENTATIONS

typedef struct toi_crossing_block {
  uint32_t thread;
  toi_join_kind kind;
  size_t count;
  toi_pair pairs[TOI_CROSSING_PAIRS];
  bool meets[TOI_CROSSING_PAIRS];  /* the answer */
  bool behind[TOI_CROSSING_PAIRS]; /* of half-spaces: the vertex is strictly behind the plane */
} toi_crossing_block;

toi_status toi_crossing_decide(const toi_crossing_search *search, toi_crossing_block *block);

#endif
