/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Status codes, contexts and allocators: the base of every other header.
 *
 * Promise: the library never exits, aborts, prints or reads the environment, and keeps no mutable globals. A call that
 * fails returns a status, and its answer, if it has one, is the safe one (`near` from 0, or nothing). If the call has a
 * context, the context holds one sentence that says what was wrong, where, and what to do.
 *
 * Structs that grow. Every struct of options and every description that the caller fills in begins with `size`, its
 * size for the caller's compiler. The toi_default_...() functions of the headers make options and set it; other
 * languages call the exported toi_..._init(&options, size). Options of size 0 were never set and are refused.
 * Descriptions, such as toi_mesh, may start from zeroes: size 0 means their first layout. Later versions may append
 * fields: the library gives fields that a smaller struct lacks their defaults, and refuses a struct larger than the one
 * it knows. The `size` of the first element is the stride of an array of descriptions. Plain values (toi_interval,
 * toi_pair, ...) never change; answers have reserved room.
 *
 * Freeing. Opaque handles, such as those with a toi_..._create(), are released by toi_..._destroy(handle); everything
 * else that the library allocates by toi_..._free(context, thing). Both ignore NULL. What is not released ends with its
 * context, which must outlive everything made with it.
 *
 * Visitors are functions that the caller passes to receive results. They return TOI_OK to continue; any other status
 * ends the call, which returns it. Progress functions return false to stop the call, which returns TOI_ERROR_CANCELLED.
 *
 * Times. t_max is finite and not negative; a call covers the times [0, t_max], both ends included. Motions between two
 * states, start and end, end at t = 1: there t_max is at most 1.
 *
 * Fork. A child of fork() has its parent's contexts, but not their threads. It may destroy them, leave them alone, or
 * use them: they start new threads when needed. A context that another thread of the parent was using at that moment is
 * interrupted in the middle of its work: calls on it are refused, and destroying it leaves its memory to the end of the
 * process. A callback that forks, such as a visitor, must not return in the child.
 *
 * The host's floating-point state. Every function works with any rounding direction, flush-to-zero mode and traps of
 * the caller, and leaves them and the exception flags unchanged. Visitors and progress functions run in the caller's
 * state if they are called on its thread. Everything on other threads, and callbacks that contribute to an answer
 * (shapes, may_collide, plug-ins, allocators), run in the default state: round to nearest, subnormal numbers kept, no
 * traps. */

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

/* The outcome of the call itself; the answer to the question is a toi_verdict. */
typedef enum toi_status {
  TOI_OK = 0,
  TOI_ERROR_INPUT,       /* a coordinate that is not finite, an index out of range, a null pointer */
  TOI_ERROR_OPTION,      /* an option outside its range, or options not made by toi_default_options() */
  TOI_ERROR_UNSUPPORTED, /* the method does not answer this question */
  TOI_ERROR_MEMORY,      /* out of memory, or the context's budget is too small */
  TOI_ERROR_FILE,        /* a file cannot be opened, read or written */
  TOI_ERROR_FORMAT,      /* a file that was read but is not well formed */
  TOI_ERROR_PLUGIN,      /* a plug-in that cannot be loaded, is of another version, or failed */
  TOI_ERROR_CANCELLED,   /* stopped by a progress function */
  TOI_ERROR_CALLBACK,    /* a callback, such as a shape's function, gave up or broke its contract */
  TOI_ERROR_DEVICE       /* there is no such device, or it cannot be used */
} toi_status;

/* A short phrase for a status, such as "invalid input". Never NULL; static storage. */
TOI_API const char *toi_status_text(toi_status status);

/* The library's version as "major.minor.patch". Static storage. */
TOI_API const char *toi_version(void);

/* The real numbers from lo to hi, both included: lo <= hi. An infinite end means no bound on that side. */
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
  uint32_t threads;        /* worker threads, including the caller's; 0: one for each online CPU */
  uint64_t memory_budget;  /* bytes the context may hold at a time, a hard limit; 0: 1 GiB */
  toi_allocator allocator; /* resize == NULL: malloc and free */
  const char *device;      /* NULL or "cpu": none; "auto", a number, or a part of a name: see toi/device.h; copied */
  uint64_t device_memory;  /* bytes of device memory that may be used at a time; 0: three quarters of it */
  uint64_t device_queue;   /* bytes of each of the two lists of pairs on the device; 0: 16 MiB */
} toi_context_options;

/* A thread pool, scratch memory and the last error. Make one and reuse it: once warmed up, batch calls allocate
 * nothing. One thread at a time may use a context; different contexts are independent. */
typedef struct toi_context toi_context;

/* Sets the defaults, for languages that cannot call inline functions; size: sizeof(toi_context_options). */
TOI_API void toi_context_options_init(toi_context_options *options, size_t size);

/* The defaults of all fields; change the ones you need. */
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

/* The number of threads that the context uses. */
TOI_API uint32_t toi_context_threads(const toi_context *context);

/* Bytes the context holds now: no growth between two batch calls means that nothing was allocated. */
TOI_API uint64_t toi_context_bytes(const toi_context *context);

#ifdef __cplusplus
}
#endif

#endif
