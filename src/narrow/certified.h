/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the two halves of the method `certified` share: contact itself, and a separation. */

#ifndef TOI_NARROW_CERTIFIED_H
#define TOI_NARROW_CERTIFIED_H

#include "narrow/kernel.h"
#include "narrow/method.h"

/* The kernels for a chunk of so many queries. */
const toi_kernels *toi_best_kernels(size_t count);

/* Decides the queries of these numbers at zero separation; the filter is left out. chunk->hits[number] must be a miss
 * for each of them. The numbers are used up; nothing is counted. */
toi_status toi_certified_contacts(const toi_chunk *chunk, uint32_t *numbers, size_t count);

/* The chunk with the separation of its options, which is not 0. */
toi_status toi_certified_separated(const toi_chunk *chunk);

#endif
