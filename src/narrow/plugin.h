/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Plug-ins as the batch driver sees them: find one by name, then ask it query by query. */

#ifndef TOI_NARROW_PLUGIN_H
#define TOI_NARROW_PLUGIN_H

#include <toi/plugin.h>

typedef struct toi_plugin toi_plugin;

/* The plug-in of this name that toi_plugin_load() put into the context; NULL if there is none. */
toi_plugin *toi_plugin_find(const toi_context *context, const char *name);

/* Answers one question on worker `thread`, below toi_context_threads(). The worker's state is made by its first
 * question and lives as long as the context. On failure (TOI_ERROR_PLUGIN, without toi_fail) the hit is near, from 0.
 */
toi_status toi_plugin_answer_one(toi_plugin *plugin, uint32_t thread, const toi_plugin_question *question,
                                 toi_hit *hit);

#endif
