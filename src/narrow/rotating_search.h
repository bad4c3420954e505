/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The first contact, or the first time within a separation, where no integers decide: by pieces of time. */

#ifndef TOI_NARROW_ROTATING_SEARCH_H
#define TOI_NARROW_ROTATING_SEARCH_H

#include "narrow/rotating_apart.h"
#include "narrow/rotating_kernel.h"

typedef struct toi_turn_found {
  toi_verdict verdict;
  double bracket[2]; /* of a hit; of `near` the first times left open */
  double u, v, n[3]; /* of a hit; n in the frame of the second body and of any length */
  double distance;   /* of a hit within a separation, about that at its upper end */
} toi_turn_found;

/* Over all of the step. The same for every t_max. */
void toi_turn_search(const toi_rotating *query, double separation, toi_turn_found *found);

/* Contacts of rows, roots[i] found on *pieces[i]: zones become as narrow as a few accurate values make them. Of pairs
 * that are not rational. */
void toi_turn_refine(const toi_turn_kernels *kernels, const toi_moving_pair *pair, int corners, const toi_rows *rows,
                     const toi_turn_piece *const pieces[], toi_turn_root *roots);

/* The hit that a refined contact is. */
void toi_turn_found_root(const toi_rotating *query, const toi_turn_piece *piece, const toi_turn_root *root,
                         toi_turn_found *found);

#endif
