/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Meshes, contacts and crossings in a page (page.h). Contacts and crossings are written as they come, in chunks of a
 * fixed size. */

#ifndef CLI_PAGE_MESH_H
#define CLI_PAGE_MESH_H

#include "page.h"
#include "stepping.h"

typedef struct page_mesh {
  page page;
  struct page_rows *rows; /* the chunk that is filled */
  uint32_t step;          /* of the contacts, or the frame of the crossings, that come */
  uint64_t contacts, crossings;
  uint32_t contact_chunks, crossing_chunks;
  bool pairs_suffice; /* contacts beyond the first chunk are written short: the page computes the rest */
  json_t *frames;     /* names of the frames so far */
} page_mesh;

/* As page_open; close it in every case. */
int page_mesh_open(page_mesh *p, const stepping *s, output *out, const char *viewer);
void page_mesh_close(page_mesh *p);

/* Connectivity, once; then frame after frame, each with the one before, NULL for the first. */
TOI_MUST_USE toi_status page_mesh_connect(page_mesh *p, const stepping *s, const step_frame *frame);
TOI_MUST_USE toi_status page_mesh_frame(page_mesh *p, const step_frame *frame, const step_frame *before);

/* Contacts of step p->step, crossings of frame p->step; one sort is flushed before the other, or the step, changes. */
TOI_MUST_USE toi_status page_mesh_contacts(page_mesh *p, const toi_collision *collisions, size_t count);
TOI_MUST_USE toi_status page_mesh_crossings(page_mesh *p, const toi_crossing *crossings, size_t count);
TOI_MUST_USE toi_status page_mesh_flush(page_mesh *p);

/* Of an open page: the header with the mesh and the answer, which is released, and the end. */
int page_mesh_finish(page_mesh *p, const stepping *s, const step_frame *frame, const char *view, json_t *answer);

#endif
