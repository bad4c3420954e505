/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Status codes, contexts and allocators: what every other header builds on.
 *
 * Promise: the library never exits, aborts, prints or reads the environment, and keeps no mutable globals. A call that
 * fails returns a status; where it was given a context, the context holds one sentence that says what was wrong, where,
 * and what to do. */

#ifndef TOI_BASE_H
#define TOI_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOI_VERSION_MAJOR 0
#define TOI_VERSION_MINOR 1
#define TOI_VERSION_PATCH 0

#if defined(TOI_STATIC)
#define TOI_API
#elif defined(__GNUC__)
#define TOI_API __attribute__((visibility("default")))
#else
#define TOI_API
#endif

#if defined(__GNUC__)
#define TOI_MUST_USE __attribute__((warn_unused_result))
#else
#define TOI_MUST_USE
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What became of the call itself; the answer to the question is a toi_verdict. */
typedef enum toi_status {
  TOI_OK = 0,
  TOI_ERROR_INPUT,       /* a coordinate that is not finite, an index out of range, a null pointer */
  TOI_ERROR_OPTION,      /* an option outside its range, or options not made by toi_default_options() */
  TOI_ERROR_UNSUPPORTED, /* the method does not answer this question */
  TOI_ERROR_MEMORY,      /* out of memory, or the context's budget is too small */
  TOI_ERROR_FILE,        /* a file cannot be opened, read or written */
  TOI_ERROR_FORMAT,      /* a file that was read but is not well formed */
  TOI_ERROR_PLUGIN,      /* a plug-in that cannot be loaded, is of another version, or failed */
  TOI_ERROR_CANCELLED    /* a progress callback asked to stop */
} toi_status;

/* A short phrase for a status, such as "bad input". Never NULL; static storage. */
TOI_API const char *toi_status_text(toi_status status);

/* The library's version as "major.minor.patch". Static storage. */
TOI_API const char *toi_version(void);

/* The real numbers from lo to hi, both among them: lo <= hi. An infinite end means that there is no bound on that side.
 */
typedef struct toi_interval {
  double lo, hi;
} toi_interval;

/* Where memory comes from. resize(user, NULL, 0, n) allocates n bytes aligned as malloc would, resize(user, p, old, n)
 * moves, resize(user, p, old, 0) frees and returns NULL. A failed call returns NULL and leaves p as it was. */
typedef struct toi_allocator {
  void *(*resize)(void *user, void *pointer, size_t old_size, size_t new_size);
  void *user;
} toi_allocator;

typedef struct toi_context_options {
  uint32_t magic;          /* set by toi_default_context_options(), checked by toi_context_create() */
  uint32_t threads;        /* worker threads, the caller's among them; 0: one for each online CPU */
  uint64_t memory_budget;  /* bytes the context may hold at a time; 0: 1 GiB */
  toi_allocator allocator; /* resize == NULL: malloc and free */
} toi_context_options;

/* A thread pool, scratch memory and the last error. Make one and reuse it: once warmed up, batch calls allocate
 * nothing. One thread at a time may use a context; different contexts are independent. */
typedef struct toi_context toi_context;

TOI_API toi_context_options toi_default_context_options(void);

/* options may be NULL for the defaults. On failure *context is NULL. */
TOI_API TOI_MUST_USE toi_status toi_context_create(const toi_context_options *options, toi_context **context);

/* Ends the threads and frees everything; NULL is ignored. */
TOI_API void toi_context_destroy(toi_context *context);

/* One sentence about the last call on this context that failed; "" if none did. Valid until the next call. */
TOI_API const char *toi_context_error(const toi_context *context);

/* The number of threads the context works with. */
TOI_API uint32_t toi_context_threads(const toi_context *context);

/* Bytes the context holds now: 0 growth between two batch calls means that nothing was allocated. */
TOI_API uint64_t toi_context_bytes(const toi_context *context);

#ifdef __cplusplus
}
#endif

#endif
