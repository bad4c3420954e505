/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The context's fields, seen by this room alone.
 *
 * One lock guards everything that tasks may touch at the same time: the allocator, the bytes held, the sentence, and
 * the pool's state. It is never held while a task or the caller's code runs, except the caller's allocator. */

#ifndef TOI_BASE_CONTEXT_H
#define TOI_BASE_CONTEXT_H

#include "base/device.h"
#include "base/internal.h"

#include <pthread.h>
#include <stdatomic.h>

/* Threads beyond this are a slip of the pen, not a machine. */
#define TOI_THREADS_MAX 1024u

/* Precedes every block handed out, so that what its owner forgets ends with the context. */
typedef struct toi_block {
  struct toi_block *next, *previous;
  size_t size; /* as asked for, without this header */
  size_t padding;
} toi_block;

_Static_assert(sizeof(toi_block) % _Alignof(max_align_t) == 0, "a block's header keeps malloc's alignment");

/* One for each thread of the pool; number 0 is the calling thread's and has no handle. */
typedef struct toi_worker {
  toi_context *context;
  void *scratch; /* as allocated, before alignment */
  size_t scratch_size;
  pthread_t handle;
  uint32_t number;
} toi_worker;

/* The work that toi_parallel shares out; it lives on the stack of the calling thread. */
typedef struct toi_job toi_job;

typedef struct toi_pool {
  pthread_cond_t work; /* seats were opened, or the pool ends */
  pthread_cond_t done; /* the last busy worker became idle */
  toi_job *job;
  uint32_t started; /* threads running beside the caller's */
  uint32_t seats;   /* workers that may still join the job */
  uint32_t busy;    /* workers that joined it */
  bool tried;       /* threads are started once */
  bool running;     /* a toi_parallel is under way */
  pthread_t runner; /* on this thread */
  bool stop;
} toi_pool;

/* Whether the context's device is there. */
typedef enum toi_device_state { TOI_DEVICE_UNTRIED = 0, TOI_DEVICE_OPEN, TOI_DEVICE_GIVEN_UP } toi_device_state;

struct toi_context {
  toi_allocator allocator;
  uint64_t budget;
  uint64_t bytes;
  toi_block *blocks;
  toi_worker *workers;
  toi_extension *extensions;
  uint32_t threads;
  pthread_mutex_t lock;
  toi_pool pool;
  atomic_uint calls; /* public calls under way, those of the caller's functions among them */
  toi_call *call;    /* the outermost public call under way; the calling thread's */
  pthread_t caller;  /* that thread */
  int64_t process;   /* that the pool's threads belong to; before they start, that made it */
  bool cut_off;      /* by a fork in the middle of a call: nothing in it can be relied on */
  char error[TOI_ERROR_SIZE];
  char warning[TOI_ERROR_SIZE];
  toi_device_request device_request;
  toi_device *device;
  toi_device_state device_state;
  int64_t device_process; /* that opened it */
};

/* malloc and free as an allocator; and the end of all blocks; memory.c. */
void *toi_allocator_default(void *user, void *pointer, size_t old_size, size_t new_size);
void toi_memory_release(toi_context *context);

/* The lock and the pool; threads.c. stop ends the threads, destroy takes the lock away, so nothing may use it after. */
toi_status toi_pool_create(toi_context *context);
void toi_pool_stop(toi_context *context);
void toi_pool_destroy(toi_context *context);

/* In a child of fork(), before the lock is taken for the first time: the threads and the lock of the parent's are
 * forgotten, whatever state they were in. Elsewhere nothing happens. */
void toi_pool_after_fork(toi_context *context);

/* TOI_ERROR_INPUT and a sentence if the context was cut off. */
toi_status toi_check_whole(toi_context *context);

#endif
