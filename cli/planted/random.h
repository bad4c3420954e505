/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A small generator of random numbers: a counter passed through a mixing function (SplitMix64). */

#ifndef PLANTED_RANDOM_H
#define PLANTED_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct planted_random {
  uint64_t state;
} planted_random;

static inline uint64_t planted_mix(uint64_t x) {
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static inline uint64_t planted_bits(planted_random *random) {
  random->state += UINT64_C(0x9e3779b97f4a7c15);
  return planted_mix(random->state);
}

/* A generator that depends on all three numbers. */
static inline planted_random planted_seed(uint64_t seed, uint64_t stream, uint64_t index) {
  planted_random random = {seed};
  random.state = planted_bits(&random) ^ stream;
  random.state = planted_bits(&random) ^ index;
  random.state = planted_bits(&random);
  return random;
}

/* An integer in [lo, hi], close enough to uniform for intervals much shorter than 2^64. */
static inline int64_t planted_between(planted_random *random, int64_t lo, int64_t hi) {
  const uint64_t width = (uint64_t)hi - (uint64_t)lo + 1;
  return (int64_t)((uint64_t)lo + planted_bits(random) % width);
}

/* True once in `of` times. */
static inline bool planted_once_in(planted_random *random, uint64_t of) {
  return planted_bits(random) % of == 0;
}

static inline int64_t planted_sign(planted_random *random) {
  return (planted_bits(random) & 1) != 0 ? 1 : -1;
}

/* An integer in [-limit, limit] other than 0. */
static inline int64_t planted_nonzero(planted_random *random, int64_t limit) {
  return planted_sign(random) * planted_between(random, 1, limit);
}

#endif
