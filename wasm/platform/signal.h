/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Signals, of which there are none: what the thread pool names of them. */

#ifndef TOI_WASM_SIGNAL_H
#define TOI_WASM_SIGNAL_H

typedef unsigned char sigset_t;
typedef int sig_atomic_t;

#define SIG_SETMASK 2

static inline int sigfillset(sigset_t *set) {
  *set = 0xff;
  return 0;
}

#endif
