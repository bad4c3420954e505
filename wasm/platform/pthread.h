/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* POSIX threads where there is one: locks do nothing, and no thread can be started. A call that wants more than the
 * calling thread does the work there, as the pool promises where the system grants no thread. */

#ifndef TOI_WASM_PTHREAD_H
#define TOI_WASM_PTHREAD_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h> /* the types; a thread is a pointer to nothing */

#define PTHREAD_MUTEX_INITIALIZER                                                                                      \
  { 0 }
#define PTHREAD_COND_INITIALIZER                                                                                       \
  { 0 }

static inline int pthread_mutex_init(pthread_mutex_t *lock, const pthread_mutexattr_t *attributes) {
  (void)lock;
  (void)attributes;
  return 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t *lock) {
  (void)lock;
  return 0;
}

static inline int pthread_mutex_trylock(pthread_mutex_t *lock) {
  (void)lock;
  return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *lock) {
  (void)lock;
  return 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t *lock) {
  (void)lock;
  return 0;
}

static inline int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
  (void)condition;
  (void)attributes;
  return 0;
}

static inline int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock) {
  (void)condition;
  (void)lock;
  return 0;
}

static inline int pthread_cond_signal(pthread_cond_t *condition) {
  (void)condition;
  return 0;
}

static inline int pthread_cond_broadcast(pthread_cond_t *condition) {
  (void)condition;
  return 0;
}

static inline int pthread_cond_destroy(pthread_cond_t *condition) {
  (void)condition;
  return 0;
}

static inline int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *user),
                                 void *user) {
  (void)thread;
  (void)attributes;
  (void)run;
  (void)user;
  return EAGAIN;
}

static inline int pthread_join(pthread_t thread, void **result) {
  (void)thread;
  (void)result;
  return ESRCH;
}

static inline pthread_t pthread_self(void) {
  return NULL;
}

static inline int pthread_equal(pthread_t a, pthread_t b) {
  return a == b;
}

static inline int pthread_sigmask(int how, const sigset_t *set, sigset_t *before) {
  (void)how;
  (void)set;
  (void)before;
  return 0;
}

#endif
