/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Files of queries on several ranks: what the others found goes to the first, file by file, in order. */

#ifndef CLI_CONTEST_SHARE_H
#define CLI_CONTEST_SHARE_H

#include "contest.h"

/* Keeps answers for the first rank. */
toi_status contest_hold(contest *c, const toi_hit *hits, size_t count);

/* What each rank found about its file of this round; `file` is beyond the last where a rank has none. result: of what
 * came before, on all ranks. Returns EXIT_DONE on all ranks, or EXIT_BAD on all. All ranks. */
int contest_share(contest *c, size_t file, int result);

#endif
