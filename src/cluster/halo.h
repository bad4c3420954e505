/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What a rank is sent: primitives of others whose boxes meet boxes of its own vertices and edges.
 *
 * Each rank cuts its vertices, in the order of a curve through space, into CHUNKS rows, and knows a box around each row
 * and the edges that it owns there. Ranks tell each other the box around everything they have; those whose boxes meet
 * tell each other their rows' boxes; then each sends the others the edges it owns and the faces it was given that meet
 * one of them. */

#ifndef TOI_CLUSTER_HALO_H
#define TOI_CLUSTER_HALO_H

#include "cluster/call.h"

/* A message: three counts; then vertices of VERTEX_WORDS words (number, start and end, attributes, thickness), edges
 * of EDGE_WORDS (number and whether it is loose, two places in the list of vertices), faces of FACE_WORDS (number,
 * three places). */
#define TOI_HALO_COUNTS 3
#define TOI_HALO_VERTEX_WORDS 9
#define TOI_HALO_EDGE_WORDS 2
#define TOI_HALO_FACE_WORDS 3

/* Bits of attributes above the body's 32, the owner's rank above them; and a bit of an edge's number. */
#define TOI_HALO_FIXED ((uint64_t)1 << 32)
#define TOI_HALO_LOOSE ((uint64_t)1 << 33)
#define TOI_HALO_OWNER_SHIFT 34
#define TOI_HALO_LOOSE_EDGE ((uint64_t)1 << 63)

/* Boxes of own vertices and ghosts, and what came. */
typedef struct toi_halo {
  toi_box *boxes;
  toi_mail mail;
} toi_halo;

/* Collective. */
toi_status toi_halo_exchange(toi_cluster_call *call, double t, toi_halo *halo);
void toi_halo_free(toi_halo *halo);

/* The message of a rank: its words, NULL if it sent none. */
static inline const uint64_t *toi_halo_message(const toi_halo *halo, int rank) {
  return toi_mail_count(&halo->mail, rank) == 0 ? NULL : halo->mail.in + halo->mail.in_begin[rank];
}

#endif
