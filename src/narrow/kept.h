/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Memory that a context keeps from call to call, since fresh pages would cost more than the work in them. Where memory
 * is short, what is not in use is given back. */

#ifndef TOI_NARROW_KEPT_H
#define TOI_NARROW_KEPT_H

#include "base/internal.h"

/* Each of them has one user at a time. */
typedef enum toi_kept { TOI_KEPT_FLOATS, TOI_KEPT_HITS, TOI_KEPT_COUNT } toi_kept;

/* Makes the context's keeper, where there is none yet: tasks can take memory only from one that is there. False, with
 * the context's error set, if there is no memory. */
bool toi_kept_prepare(toi_context *context);

/* At least `size` bytes, 64-byte aligned, in use until they are given back; NULL, with the context's error set, if
 * there is no memory. Contents are not kept. */
void *toi_kept_take(toi_context *context, toi_kept what, size_t size);
void toi_kept_give(toi_context *context, toi_kept what);

#endif
