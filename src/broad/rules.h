/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which primitives are loose, and which pairs the mesh's rules leave out. */

#ifndef TOI_BROAD_RULES_H
#define TOI_BROAD_RULES_H

#include "broad/broad.h"

/* Whether the question has rules beyond shared vertices. */
bool toi_has_rules(const toi_broad_question *question);

/* What the caller's function says; true if there is none. */
bool toi_may_collide(const toi_mesh_options *options, toi_kind kind, uint32_t first, uint32_t second);

/* Keeps the pairs that the rules allow, in place; returns how many. */
size_t toi_keep_allowed(const toi_join *join, const toi_broad_question *question, toi_pair *pairs, size_t count);

/* Numbers of loose points (in no edge, and no face but of this vertex alone) and loose edges (of no face), in memory of
 * the context, *count of them; NULL and 0 if there are none. Loose edges matter only beside loose points. */
toi_status toi_loose_points(toi_context *context, const toi_mesh *mesh, uint32_t **numbers, size_t *count);
toi_status toi_loose_edges(toi_context *context, const toi_mesh *mesh, uint32_t **numbers, size_t *count);

#endif
