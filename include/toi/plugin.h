/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Plug-in methods: a shared object that exports toi_plugin_entry() can be run by `toi query --plugin`,
 * like the built-in methods, on the same data and with the same clock. examples/plugin/ has a complete one. */

#ifndef TOI_PLUGIN_H
#define TOI_PLUGIN_H

#include <toi/narrow.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The structs below have no size of their own: this version stands for all of them. It is raised whenever one changes
 * beyond its reserved room, and a plug-in of another version is refused. */
#define TOI_PLUGIN_VERSION 2u

typedef struct toi_plugin_question {
  toi_kind kind;
  const double (*start)[3]; /* toi_kind_points(kind) points */
  const double (*end)[3];
  double tolerance;
  double t_max;
  double min_separation;
  toi_norm norm;
  uint64_t max_checks;  /* 0: the method's own default */
  uint64_t reserved[4]; /* zero */
} toi_plugin_question;

typedef struct toi_plugin_answer {
  toi_verdict verdict;
  double t_lo, t_hi;    /* of hit and near; a method without a time answers 0 and t_max */
  double u, v;          /* NaN if the method has none */
  uint64_t reserved[4]; /* zero; leave it unchanged */
} toi_plugin_answer;

typedef struct toi_plugin_method {
  uint32_t version; /* TOI_PLUGIN_VERSION: first, in every version */
  const char *name; /* for --method and the tables; must not be a built-in name */
  const char *promise;

  /* State for one thread, made before the first query and freed after the last; both may be NULL. create returns NULL
   * only if it failed. */
  void *(*create)(void);
  void (*destroy)(void *state);

  /* Answers one question; returns 0, or anything else if it could not. Called from several threads, each with its own
   * state. All functions of a plug-in run in the default floating-point state (see base.h). */
  int (*answer)(void *state, const toi_plugin_question *question, toi_plugin_answer *answer);
} toi_plugin_method;

/* The one symbol a plug-in exports. The struct must live as long as the plug-in is loaded. */
TOI_API const toi_plugin_method *toi_plugin_entry(void);
typedef const toi_plugin_method *(*toi_plugin_entry_function)(void);

/* Loads a plug-in into a context; toi_options.method may then name it in toi_batch calls on that context. *name (may be
 * NULL) receives the method's name, which lives as long as the context; NULL on failure. */
TOI_API TOI_MUST_USE toi_status toi_plugin_load(toi_context *context, const char *path, const char **name);

#ifdef __cplusplus
}
#endif

#endif
