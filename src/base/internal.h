/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the rooms share of a context: memory, threads, the last error, calls and their floating-point mode, structs that
 * grow, CPU features. */

#ifndef TOI_BASE_INTERNAL_H
#define TOI_BASE_INTERNAL_H

#include <toi/base.h>

#include <float.h>

#if defined(__FAST_MATH__)
#error "libtoi's proofs need IEEE arithmetic: do not build it with -ffast-math"
#endif

/* On 32-bit x86 build with -msse2 -mfpmath=sse, on s390x with -fexcess-precision=fast. */
#if FLT_EVAL_METHOD != 0
#error "libtoi's proofs need arithmetic without excess precision"
#endif

/* Whether the state of floating-point arithmetic can be read and written here, see float_mode.c. */
#if defined(__x86_64__) || defined(__i386__)
#define TOI_FLOAT_MODE_X86
#endif
#if !defined(TOI_FLOAT_MODE_X86) && !defined(__aarch64__) && !defined(__wasm__)
#include <fenv.h>
#endif

/* The compiler checks the arguments of what is like printf: argument number format_ is the format of those from number
 * first_ on. */
#if defined(_WIN32)
#define TOI_PRINTF(format_, first_) __attribute__((format(gnu_printf, format_, first_)))
#else
#define TOI_PRINTF(format_, first_) __attribute__((format(printf, format_, first_)))
#endif

/* --- structs that grow: see "Structs that grow" in toi/base.h --- */

/* Every such struct begins with `size_t size`. `first` is the size of its first layout, `now` of the present one. */
typedef struct toi_layout {
  const char *name; /* of the type */
  size_t first, now;
} toi_layout;

/* The layout of a type whose first version ended with the member `last`. */
#define TOI_LAYOUT(type, last) ((toi_layout){#type, TOI_ROUND_UP(TOI_END_OF(type, last), _Alignof(type)), sizeof(type)})
#define TOI_END_OF(type, member)                                                                                       \
  (offsetof(type, member) + sizeof(((type *)0)->member)) /* NOLINT(bugprone-sizeof-expression) */
#define TOI_ROUND_UP(size, step) (((size) + (step)-1) / (step) * (step))

/* Copies a struct of the caller's, of whatever size it was compiled with, over *taken, which holds the defaults. A size
 * that is no layout of this or an earlier version is refused, and so is NULL. Options of size 0 were never set and are
 * refused; a description of size 0 is of the first layout. taken->size becomes the present size. */
toi_status toi_take_options(toi_context *context, toi_layout layout, const void *given, void *taken);
toi_status toi_take_description(toi_context *context, toi_layout layout, const void *given, void *taken);

/* Bytes from one element of an array of descriptions to the next: its first element's size. The array is not empty. */
size_t toi_description_stride(toi_layout layout, const void *first);

/* What an exported toi_..._init() does: the first `size` bytes of *defaults (NULL: zeroes), and zeroes behind them. */
void toi_init_struct(toi_layout layout, const void *defaults, void *made, size_t size);

/* --- memory: all of it through the context's allocator, within its budget --- */

/* NULL, with the context's error set, if the allocator refuses or the budget would be exceeded; aligned as malloc
 * would. A new size of 0 frees and gives NULL without an error, so ask for one byte at least. Tasks may call these too:
 * the context serialises its allocator. What is never freed goes with the context. */
void *toi_resize(toi_context *context, void *pointer, size_t old_size, size_t new_size);
void *toi_allocate(toi_context *context, size_t size);
void toi_free(toi_context *context, void *pointer, size_t size);

/* An array with room for more than `count` elements of `size` bytes: as it is, or moved to twice its room (`first`, if
 * it has none). NULL: no memory, and nothing has changed. */
void *toi_grow(toi_context *context, void *array, size_t count, size_t *room, size_t size, size_t first);

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
toi_status toi_fail(toi_context *context, toi_status status, const char *format, ...) TOI_PRINTF(3, 4);

/* Forgets the last error; toi_call_begin() does. */
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
#if defined(TOI_FLOAT_MODE_X86) || defined(__aarch64__) || defined(__wasm__)
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

/* Establishes the mode again after a function from outside, which may have left another one. */
void toi_float_mode_establish(void);

/* Keeps what computes out of the function that changes the mode: the compiler may move arithmetic across a call. */
#define TOI_APART __attribute__((noinline))

/* Whether the present mode is the assumed one. */
bool toi_float_mode_is_default(void);

/* --- calls --- */

/* A public call under way on a context. begin forgets the last error and establishes the mode, end restores the
 * caller's. The calls that a public call makes of others nest. context may be NULL. Every exported function that
 * computes is such a frame around a function marked TOI_APART that does the work: see TOI_CALL. */
typedef struct toi_call {
  toi_context *context;
  toi_float_mode caller;
  bool outermost;
} toi_call;

void toi_call_begin(toi_call *call, toi_context *context);

/* For functions that free: the sentence about the last call stays. */
void toi_call_begin_free(toi_call *call, toi_context *context);
void toi_call_end(toi_call *call);

/* All of a public function that returns a status: `work` is a call of the function marked TOI_APART. */
#define TOI_CALL(on_context, work)                                                                                     \
  do {                                                                                                                 \
    toi_call call;                                                                                                     \
    toi_call_begin(&call, on_context);                                                                                 \
    const toi_status status = work;                                                                                    \
    toi_call_end(&call);                                                                                               \
    return status;                                                                                                     \
  } while (0)

/* The same of one that returns nothing. */
#define TOI_CALL_VOID(on_context, work)                                                                                \
  do {                                                                                                                 \
    toi_call call;                                                                                                     \
    toi_call_begin(&call, on_context);                                                                                 \
    work;                                                                                                              \
    toi_call_end(&call);                                                                                               \
  } while (0)

/* TOI_ERROR_INPUT and a sentence if a public call on this context is under way besides the one that asks: it was made
 * by a function of the caller's that the library had called. For calls that use the context's threads and buffers. */
toi_status toi_check_entered_once(toi_context *context);

/* Around a visitor or a progress function: on the calling thread (number 0) it runs in the caller's floating-point
 * state, and what it leaves there, flags included, is the caller's state from then on. On a worker nothing changes.
 * Outside of a public call nothing changes either. */
typedef struct toi_callback {
  toi_context *context;
  struct toi_call *call; /* NULL: nothing was changed */
} toi_callback;

toi_callback toi_callback_begin(toi_context *context, uint32_t thread);
void toi_callback_end(toi_callback callback);

/* Asks a progress function of the caller's, on the calling thread, whether to go on; NULL always goes on. */
bool toi_progress_made(toi_context *context, bool (*progress)(void *user, double done), void *user, double done);

/* --- things that a later room keeps in a context --- */

typedef struct toi_extension toi_extension;

/* One constant for each kind of extension: its address tells them apart. */
typedef struct toi_extension_type {
  const char *name;
  void (*close)(toi_context *context, toi_extension *extension); /* NULL: all it has is memory of the context */
  /* Gives back memory that is kept for speed alone; NULL: there is none. Called from any thread when memory is short.
   */
  void (*trim)(toi_context *context, toi_extension *extension);
} toi_extension_type;

struct toi_extension {
  toi_extension *next;
  const toi_extension_type *type;
};

/* Each is closed by toi_context_destroy, the last one attached first. */
void toi_context_attach(toi_context *context, toi_extension *extension);
toi_extension *toi_context_extensions(const toi_context *context);

/* --- CPU features --- */

typedef enum toi_simd { TOI_SIMD_SCALAR = 0, TOI_SIMD_NATIVE_2, TOI_SIMD_AVX2 } toi_simd;

/* The best kernel this CPU runs: NATIVE_2 is two lanes (SSE2, NEON or SIMD128). */
toi_simd toi_simd_best(void);

#endif
