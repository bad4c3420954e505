/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the rooms share of a context: memory, threads, the last error, the floating-point mode, CPU features. */

#ifndef TOI_BASE_INTERNAL_H
#define TOI_BASE_INTERNAL_H

#include <toi/base.h>

#if defined(__FAST_MATH__)
#error "libtoi's proofs need IEEE arithmetic: do not build it with -ffast-math"
#endif

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <fenv.h>
#endif

/* --- marks of options structs made by their toi_default_...() function; raised when the struct changes --- */

#define TOI_CONTEXT_OPTIONS_MAGIC 0x70c00001u
#define TOI_OPTIONS_MAGIC 0x70a00003u
#define TOI_SURFACE_OPTIONS_MAGIC 0x70d00001u
#define TOI_CONTACT_OPTIONS_MAGIC 0x70e00001u

/* --- memory: all of it through the context's allocator, within its budget --- */

/* NULL, with the context's error set, if the allocator refuses or the budget would be exceeded; aligned as malloc
 * would. A new size of 0 frees and gives NULL without an error, so ask for one byte at least. Tasks may call these too:
 * the context serialises its allocator. What is never freed goes with the context. */
void *toi_resize(toi_context *context, void *pointer, size_t old_size, size_t new_size);
void *toi_allocate(toi_context *context, size_t size);
void toi_free(toi_context *context, void *pointer, size_t size);

/* The most bytes that the context may hold. */
uint64_t toi_budget(const toi_context *context);

/* Scratch of worker `thread` (0 is the calling thread): at least `size` bytes, 64-byte aligned, kept for the next call.
 * Contents are not kept when it grows. */
void *toi_scratch(toi_context *context, uint32_t thread, size_t size);

/* The same for calls that may come without a context: then it is memory of its own. Give it back after use. */
void *toi_borrow(toi_context *context, uint32_t thread, size_t size);
void toi_give_back(const toi_context *context, void *scratch);

/* --- the last error --- */

/* Writes the sentence and returns the status, so that `return toi_fail(...)` reads well. context may be NULL, and the
 * arguments may quote the sentence that is there now. Longer ones than TOI_ERROR_SIZE are cut. */
#define TOI_ERROR_SIZE 2048
toi_status toi_fail(toi_context *context, toi_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Forgets the last error: every public call on a context starts with it. */
void toi_clear_error(toi_context *context);

/* --- threads --- */

/* One piece of work: items [begin, end) by worker `thread`. Returns TOI_OK or why it failed (without toi_fail). */
typedef toi_status (*toi_task)(void *user, uint32_t thread, size_t begin, size_t end);

/* Cuts [0, count) into chunks of at most `grain` items, runs them on the pool's threads in the default floating-point
 * mode, and waits. Chunk borders are multiples of grain whatever the number of threads. Of several failing chunks the
 * one with the smallest begin wins, so that errors are deterministic; chunks after a failed one may be skipped, chunks
 * before it are not. A task does not call toi_parallel on its own context. */
toi_status toi_parallel(toi_context *context, size_t count, size_t grain, toi_task task, void *user);

/* --- floating-point mode --- */

/* Assumed by every bound in the library: round to nearest even, no flush to zero, no trap. */
typedef struct toi_float_mode {
#if defined(__x86_64__) || defined(__aarch64__)
  uint64_t saved;
#else
  fenv_t saved;
#endif
  bool changed;
} toi_float_mode;

/* Establishes the mode if the caller runs in another one; leave restores the caller's, its exception flags included.
 * Arithmetic that relies on the mode belongs in functions called between the two, on values read from memory: a
 * compiler may move other arithmetic across either. */
toi_float_mode toi_float_mode_enter(void);
void toi_float_mode_leave(toi_float_mode mode);

/* Whether the present mode is the assumed one. */
bool toi_float_mode_is_default(void);

/* --- plug-ins loaded into a context (owned by it, closed with it) --- */

typedef struct toi_extension {
  struct toi_extension *next;
  void (*close)(toi_context *context, struct toi_extension *extension);
  /* Gives back memory that is kept for speed alone; NULL: there is none. Called from any thread when memory is short.
   */
  void (*trim)(toi_context *context, struct toi_extension *extension);
} toi_extension;

/* A list of things a later room keeps in the context; each is closed by toi_context_destroy. */
void toi_context_attach(toi_context *context, toi_extension *extension);
toi_extension *toi_context_extensions(const toi_context *context);

/* --- CPU features --- */

typedef enum toi_simd { TOI_SIMD_SCALAR = 0, TOI_SIMD_NATIVE_2, TOI_SIMD_AVX2 } toi_simd;

/* The best kernel this CPU runs: NATIVE_2 is two lanes (SSE2 or NEON). */
toi_simd toi_simd_best(void);

#endif
