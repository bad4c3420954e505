/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The first time at which the distance of 0 to the hull in the maximum norm is at most d. */

#include "narrow/exact_apart.h"

void toi_apart_maximum(toi_exact_frame *frame, const toi_exact_span *d, toi_exact_search *search) {
  (void)frame;
  (void)d;
  (void)search;
}
