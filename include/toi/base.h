/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Status codes, contexts and allocators: what every other header builds on.
 *
 * Promise: the library never exits, aborts, prints or reads the environment, and keeps no mutable globals. A call that
 * fails returns a status, and its answer, if it has one, is the safe one (`near` from 0, or nothing); where it was
 * given a context, the context holds one sentence that says what was wrong, where, and what to do.
 *
 * Structs that grow. Every struct of options and every description that the caller fills in begins with `size`, the
 * size that the caller's compiler gave it. Options are made by a toi_default_...() function of the header, which sets
 * it; other languages call the exported toi_..._init(&options, size). Options of size 0 were never set and are refused.
 * Descriptions, such as toi_mesh, may start from zeroes: size 0 means their first layout. Fields may be appended in
 * later versions: the library gives those that a smaller struct lacks their defaults, and refuses a larger struct than
 * it knows. An array of descriptions steps by the size of its first element. Plain values (toi_interval, toi_pair, ...)
 * never change; answers have reserved room.
 *
 * Freeing. What has a toi_..._create() or is otherwise an opaque handle ends with toi_..._destroy(handle); everything
 * else that the library allocates ends with toi_..._free(context, thing). Both ignore NULL. What is not freed ends with
 * its context, which outlives everything made with it.
 *
 * Visitors are functions that the caller passes to receive results. They return TOI_OK to go on; any other status ends
 * the call, which returns it. Progress functions return false to stop the call, which returns TOI_ERROR_CANCELLED.
 *
 * Times. t_max is finite and not negative, and the question is about [0, t_max], both ends included. Motions between
 * two states, start and end, end at 1: there t_max is at most 1.
 *
 * Fork. A child of fork() has its parent's contexts, but not their threads. It may destroy them, leave them alone, or
 * use them: they start threads of its own as they need them. A context that another thread of the parent was using at
 * that moment is cut off in the middle of its work: calls on it are refused, and destroying it leaves its memory to the
 * end of the process. A function of the caller's own that forks, such as a visitor, must not return in the child.
 *
 * The host's floating-point state. Every function works whatever the caller's rounding direction, flush-to-zero modes
 * and traps are, and leaves them and the exception flags as they were. Visitors and progress functions run in the
 * caller's state if they are called on its thread. Everything that runs on other threads, and the functions that take
 * part in an answer (shapes, may_collide, plug-ins, allocators), run in the default state: round to nearest, subnormal
 * numbers not flushed, no traps. */

#ifndef TOI_BASE_H
#define TOI_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOI_VERSION_MAJOR 0
#define TOI_VERSION_MINOR 2
#define TOI_VERSION_PATCH 0

#if defined(TOI_STATIC)
#define TOI_API
#elif defined(_WIN32) && defined(TOI_BUILDS_LIBRARY)
#define TOI_API __declspec(dllexport)
#elif defined(_WIN32)
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
  TOI_ERROR_CANCELLED,   /* a progress function asked to stop */
  TOI_ERROR_CALLBACK,    /* a function of the caller's own, such as a shape's, gave up or broke its contract */
  TOI_ERROR_DEVICE       /* there is no such device, or it cannot be used */
} toi_status;

/* A short phrase for a status, such as "invalid input". Never NULL; static storage. */
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
  size_t size;             /* set by toi_default_context_options() */
  uint32_t threads;        /* worker threads, the caller's among them; 0: one for each online CPU */
  uint64_t memory_budget;  /* bytes the context may hold at a time; 0: 1 GiB */
  toi_allocator allocator; /* resize == NULL: malloc and free */
  const char *device;      /* NULL or "cpu": none; "auto", a number, or a part of a name: see toi/device.h; copied */
  uint64_t device_memory;  /* bytes of the device that may be used at a time; 0: three quarters of what it has */
  uint64_t device_queue;   /* bytes of a list of pairs on the device, of which there are two; 0: 16 MiB */
} toi_context_options;

/* A thread pool, scratch memory and the last error. Make one and reuse it: once warmed up, batch calls allocate
 * nothing. One thread at a time may use a context; different contexts are independent. */
typedef struct toi_context toi_context;

/* The same defaults, for languages that cannot call inline functions; size: sizeof(toi_context_options). */
TOI_API void toi_context_options_init(toi_context_options *options, size_t size);

/* Defaults in every field: change what differs. */
static inline toi_context_options toi_default_context_options(void) {
  toi_context_options options;
  toi_context_options_init(&options, sizeof options);
  return options;
}

/* options may be NULL for the defaults. On failure *context is NULL. */
TOI_API TOI_MUST_USE toi_status toi_context_create(const toi_context_options *options, toi_context **context);

/* Ends the threads and frees everything; NULL is ignored. In a child of fork(), see above. */
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
