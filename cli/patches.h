/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Crossings grouped into patches: two crossings with a common edge or a common face belong to the same one.
 *
 * Memory is a few numbers for each vertex, edge and face, however many crossings there are. Patches are numbered from 0
 * in the order of their first crossings. */

#ifndef CLI_PATCHES_H
#define CLI_PATCHES_H

#include <toi/scene.h>

/* Not part of a patch: something else touches it, or nothing meets it. Larger than every number of a patch. */
#define PATCH_TOUCHES (UINT32_MAX - 1)
#define PATCH_NONE UINT32_MAX

/* What is said about a patch. */
typedef struct patch_facts {
  uint64_t crossings;
  uint32_t edges, faces;
  uint32_t first_edge;
} patch_facts;

typedef struct patches {
  const toi_mesh *mesh;
  size_t count; /* once finished */

  uint32_t *parents;   /* edges, then faces: a smaller number of the same patch, or its own */
  uint32_t *crossings; /* of each edge */
  uint32_t *numbers;   /* of each edge: its patch, once finished */
  uint8_t *touched;    /* vertices, edges, faces */
} patches;

/* Returns EXIT_DONE, or EXIT_BAD after its line; free it in both cases. The mesh must stay. */
int patches_make(const toi_mesh *mesh, patches *p);
void patches_free(patches *p);

void patches_add(patches *p, const toi_crossing *crossing);

/* Numbers the patches, once all crossings are there. */
void patches_finish(patches *p);

/* The number of a patch, PATCH_TOUCHES or PATCH_NONE. */
uint32_t patches_of_edge(const patches *p, uint32_t edge);
uint32_t patches_of_face(const patches *p, uint32_t face);

/* The first `most` patches. */
void patches_describe(const patches *p, patch_facts *facts, size_t most);

#endif
