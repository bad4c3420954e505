/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the method `interval-queue` shares between threads and devices. */

#ifndef TOI_NARROW_INTERVAL_QUEUE_H
#define TOI_NARROW_INTERVAL_QUEUE_H

#include "narrow/method.h"
#include "narrow/tight_inclusion.h"

/* The answer for a query of which this box is the earliest that is left. */
toi_hit toi_interval_answer(const toi_tight_kernel *kernel, const toi_tight_query *query, const toi_tight_box *found);

#endif
