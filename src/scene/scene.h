/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What calls on whole meshes share: the checked question, with edges, and the narrow phase of its candidates. */

#ifndef TOI_SCENE_SCENE_H
#define TOI_SCENE_SCENE_H

#include <toi/scene.h>

#include "broad/broad.h"
#include "broad/edges.h"
#include "narrow/answer.h"

typedef struct toi_scene {
  toi_context *context;
  toi_mesh_request asked; /* its mesh, where it lists no edges, with those of its faces; vertices as below */
  double (*points)[6];    /* start and end of each vertex side by side: what the narrow phase reads together */
  toi_edge_list found;    /* edges found here */
  toi_answerer answerer;  /* who answers the narrow phase */
  toi_counters *counters; /* one for each thread */
} toi_scene;

/* Checks the mesh, finds edges and method. End it if it succeeded. */
toi_status toi_scene_begin(toi_scene *scene, toi_context *context, const toi_mesh_request *request, bool need_end);

/* Frees what was found, and adds up the counters. */
void toi_scene_end(toi_scene *scene);

/* Answers at most TOI_GATHER_PAIRS candidates on a thread; of misses only the verdict is written. */
toi_status toi_scene_answer(const toi_scene *scene, uint32_t thread, toi_kind kind, const toi_pair *pairs, size_t count,
                            toi_hit *hits);

/* The earliest impact of the request, as toi_step() answers it; step.c. */
toi_status toi_scene_step(toi_context *context, const toi_mesh_request *request, toi_impact *impact);

/* One pair by the method `exact`, over the whole of [0, t_max]. */
toi_status toi_scene_answer_exactly(const toi_scene *scene, uint32_t thread, toi_kind kind, toi_pair pair,
                                    toi_hit *hit);

#endif
