/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which of several pairs of different ranks touches first: all ranks get all of them, and ask toi_step() about a mesh
 * that has nothing else. */

#ifndef TOI_CLUSTER_CONTEST_H
#define TOI_CLUSTER_CONTEST_H

#include "cluster/call.h"

typedef struct toi_contest {
  toi_words own; /* this rank's entries */
  toi_words all; /* of all ranks */
} toi_contest;

toi_status toi_contest_begin(toi_cluster *cluster, toi_contest *contest);
void toi_contest_end(toi_contest *contest);

/* A pair of this rank. */
toi_status toi_contest_enter_inner(const toi_cluster_call *call, toi_contest *contest, const toi_impact *impact);
toi_status toi_contest_enter_seam(const toi_cluster_call *call, toi_contest *contest, const toi_impact *impact);

/* status: of what came before. Some rank has entered a pair. Collective. */
toi_status toi_contest_decide(toi_cluster_call *call, toi_contest *contest, toi_status status,
                              toi_cluster_impact *impact);

#endif
