/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Plug-ins: shared objects loaded into a context, kept in its list of extensions and closed with it.
 *
 * Promise: a plug-in is called only if its version is ours and its struct is complete, and what it answers is put into
 * the form every method answers in. Whether it is right is its own affair: we do not correct it. */

#include "narrow/plugin.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "base/platform.h"
#include "narrow/method.h"

/* The extension comes first, so that the context's list can be walked as a list of plug-ins. */
struct toi_plugin {
  toi_extension extension;
  void *library;
  const toi_plugin_method *method;
  uint32_t threads;
  void *states[]; /* one a thread, NULL until its first question */
};

static size_t plugin_size(uint32_t threads) {
  return sizeof(toi_plugin) + threads * sizeof(void *);
}

static void plugin_close(toi_context *context, toi_extension *extension) {
  toi_plugin *plugin = (toi_plugin *)extension;
  for (uint32_t i = 0; i < plugin->threads; i++)
    if (plugin->states[i] != NULL && plugin->method->destroy != NULL) {
      plugin->method->destroy(plugin->states[i]);
      toi_float_mode_establish();
    }
  toi_library_close(plugin->library);
  toi_float_mode_establish();
  toi_free(context, plugin, plugin_size(plugin->threads));
}

static const toi_extension_type plugin_type = {.name = "plug-in", .close = plugin_close, .trim = NULL};

toi_plugin *toi_plugin_find(const toi_context *context, const char *name) {
  for (toi_extension *e = toi_context_extensions(context); e != NULL; e = e->next)
    if (e->type == &plugin_type && strcmp(((toi_plugin *)e)->method->name, name) == 0)
      return (toi_plugin *)e;
  return NULL;
}

/* The safe answer, in the shape of a method that knows nothing. */
static void hit_unknown(const toi_plugin_question *question, toi_hit *hit) {
  *hit = toi_hit_unknown();
  hit->level = TOI_LEVEL_OUTSIDE;
  hit->t_hi = question->t_max;
}

static void hit_from_answer(const toi_plugin_question *question, const toi_plugin_answer *answer, toi_hit *hit) {
  if (answer->verdict == TOI_MISS) {
    *hit = toi_hit_miss(question->t_max, TOI_LEVEL_OUTSIDE);
    return;
  }
  hit_unknown(question, hit);
  hit->verdict = (uint8_t)answer->verdict;

  // A time that is no number becomes the end of the step that it might have been.
  hit->t_lo = isnan(answer->t_lo) ? 0 : answer->t_lo;
  hit->t_hi = isnan(answer->t_hi) ? question->t_max : answer->t_hi;
  hit->t_safe = hit->t_lo > 0 ? nextafter(hit->t_lo, 0) : 0;
  hit->u = answer->u;
  hit->v = answer->v;
  if (answer->verdict == TOI_HIT) {
    hit->tolerance_reached = 0;
    hit->touching_at_start = hit->t_lo == 0 && hit->t_hi == 0;
  }
}

toi_status toi_plugin_answer_one(toi_plugin *plugin, uint32_t thread, const toi_plugin_question *question,
                                 toi_hit *hit) {
  assert(thread < plugin->threads);
  const toi_plugin_method *method = plugin->method;
  hit_unknown(question, hit);

  if (method->create != NULL && plugin->states[thread] == NULL) {
    plugin->states[thread] = method->create();
    toi_float_mode_establish();
    if (plugin->states[thread] == NULL)
      return TOI_ERROR_PLUGIN;
  }

  toi_plugin_answer answer = {.verdict = TOI_NEAR, .t_hi = question->t_max, .u = (double)NAN, .v = (double)NAN};
  const int failed = method->answer(plugin->states[thread], question, &answer);
  toi_float_mode_establish();
  if (failed != 0 || (unsigned)answer.verdict > TOI_NEAR)
    return TOI_ERROR_PLUGIN;
  hit_from_answer(question, &answer, hit);
  return TOI_OK;
}

/* Version first: nothing else of the struct is known before it matches. */
static toi_status method_check(toi_context *context, const char *path, const toi_plugin_method *method) {
  if (method == NULL)
    return toi_fail(context, TOI_ERROR_PLUGIN, "%s: toi_plugin_entry() returned NULL; the plug-in has no method", path);
  if (method->version != TOI_PLUGIN_VERSION) {
    return toi_fail(context, TOI_ERROR_PLUGIN,
                    "%s: made for plug-in version %u, this library supports %u; rebuild it with this toi/plugin.h",
                    path, (unsigned)method->version, TOI_PLUGIN_VERSION);
  }
  if (method->name == NULL || method->name[0] == '\0' || method->answer == NULL)
    return toi_fail(context, TOI_ERROR_PLUGIN, "%s: the plug-in has no name or no answer function; set both", path);
  if (strcmp(method->name, "all") == 0 || toi_method_promise(method->name) != NULL) {
    return toi_fail(context, TOI_ERROR_PLUGIN, "%s: its method is called %s, a name already in use; rename it", path,
                    method->name);
  }
  if (toi_plugin_find(context, method->name) != NULL) {
    return toi_fail(context, TOI_ERROR_PLUGIN, "%s: a plug-in called %s is already loaded; load each once", path,
                    method->name);
  }
  return TOI_OK;
}

static toi_status plugin_attach(toi_context *context, void *library, const toi_plugin_method *method) {
  uint32_t threads = toi_context_threads(context);
  toi_plugin *plugin = toi_allocate(context, plugin_size(threads));
  if (plugin == NULL)
    return TOI_ERROR_MEMORY;
  memset(plugin, 0, plugin_size(threads));
  plugin->extension.type = &plugin_type;
  plugin->library = library;
  plugin->method = method;
  plugin->threads = threads;
  toi_context_attach(context, &plugin->extension);
  return TOI_OK;
}

static TOI_APART toi_status load(toi_context *context, const char *path, const char **name) {
  if (context == NULL || path == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_plugin_load needs a context and a path");

  // An absolute path, so that the loader does not search its own folders for a bare name.
  char absolute[TOI_PATH_MAX];
  if (!toi_path_resolve(path, absolute))
    return toi_fail(context, TOI_ERROR_PLUGIN, "%s: %s; give the plug-in's file", path, strerror(errno));
  void *library = toi_library_open(absolute);
  if (library == NULL) {
    char sentence[TOI_ERROR_SIZE];
    toi_library_error(absolute, sentence, sizeof sentence);
    return toi_fail(context, TOI_ERROR_PLUGIN, "%s; build the plug-in as a shared object", sentence);
  }

  toi_plugin_entry_function entry = NULL;
  if (!toi_library_find(library, "toi_plugin_entry", &entry)) {
    toi_library_close(library);
    return toi_fail(context, TOI_ERROR_PLUGIN, "%s: exports no toi_plugin_entry; see toi/plugin.h", path);
  }

  const toi_plugin_method *method = entry();
  toi_float_mode_establish();
  toi_status status = method_check(context, path, method);
  if (status == TOI_OK)
    status = plugin_attach(context, library, method);
  if (status != TOI_OK) {
    toi_library_close(library);
    return status;
  }
  *name = method->name;
  return TOI_OK;
}

toi_status toi_plugin_load(toi_context *context, const char *path, const char **name) {
  toi_call call;
  toi_call_begin(&call, context);
  const char *found = NULL;
  const toi_status status = load(context, path, &found);
  if (name != NULL)
    *name = found;
  toi_call_end(&call);
  return status;
}
