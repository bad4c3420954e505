/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the method `interval-queue` shares between threads and devices. */

#ifndef TOI_NARROW_INTERVAL_QUEUE_H
#define TOI_NARROW_INTERVAL_QUEUE_H

#include "narrow/batch.h"
#include "narrow/tight_inclusion.h"

/* The answer for a query of which this box is the earliest that is left. */
toi_hit toi_interval_answer(const toi_tight_kernel *kernel, const toi_tight_query *query, const toi_tight_box *found);

/* A batch of this method on the context's device, if it has one; *finished: all queries are answered. */
toi_status toi_interval_batch_on_device(toi_batch_job *job, bool *finished);

#endif
