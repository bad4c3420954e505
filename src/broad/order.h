/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* An order of boxes in which neighbours lie close together: along a Hilbert curve through their centres. */

#ifndef TOI_BROAD_ORDER_H
#define TOI_BROAD_ORDER_H

#include "broad/boxes.h"

/* The curve as a machine: 24 states, each an entry corner and a direction; two levels (six bits) a step. */
typedef struct toi_curve {
  uint16_t step[24][64]; /* six bits of key, the next state above them */
} toi_curve;

void toi_curve_make(toi_curve *curve);

/* Bytes of memory that sorting `count` boxes takes. */
size_t toi_order_memory(size_t count);

/* Writes the positions 0 .. count - 1 of the set in the order of the curve. */
toi_status toi_order_boxes(toi_context *context, const toi_curve *curve, const toi_box_set *set, void *memory,
                           uint32_t *order);

#endif
