/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "scene/sort_keys.h"

#include <assert.h>
#include <string.h>

/* Keys that are sorted by insertion. */
#define FEW_KEYS 64

typedef toi_sort_key key;

static void insert_keys(key *keys, size_t count) {
  for (size_t i = 1; i < count; i++) {
    key own = keys[i];
    size_t j = i;
    for (; j > 0 && toi_sort_before(own, keys[j - 1]); j--)
      keys[j] = keys[j - 1];
    keys[j] = own;
  }
}

/* The bits of a key that are sorted by at a time. */
#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)

/* The bits in which keys differ; those of the index order nothing, as each pair has one key. */
static key differing(const key *keys, size_t count) {
  key differ = {0, 0};
  for (size_t i = 1; i < count; i++) {
    differ.high |= keys[i].high ^ keys[0].high;
    differ.low |= keys[i].low ^ keys[0].low;
  }
  differ.low &= ~(uint64_t)UINT32_MAX;
  return differ;
}

/* Stably by the digit from bit `shift` of one half on. */
static void sort_by_digit(const key *from, key *to, size_t count, bool high, unsigned shift) {
  size_t next[DIGITS] = {0}, sum = 0;
  for (size_t i = 0; i < count; i++)
    next[(high ? from[i].high : from[i].low) >> shift & (DIGITS - 1)]++;
  for (size_t d = 0; d < DIGITS; d++) {
    const size_t own = next[d];
    next[d] = sum;
    sum += own;
  }
  for (size_t i = 0; i < count; i++)
    to[next[(high ? from[i].high : from[i].low) >> shift & (DIGITS - 1)]++] = from[i];
}

/* Digit by digit, the lowest first, between two arrays. */
static void sort_between(key *keys, key *other, size_t count) {
  const key differ = differing(keys, count);
  key *from = keys, *to = other;
  for (int half = 0; half < 2; half++) {
    uint64_t left = half ? differ.high : differ.low;
    while (left) {
      const unsigned shift = (unsigned)__builtin_ctzll(left);
      sort_by_digit(from, to, count, half, shift);
      key *const last = from;
      from = to;
      to = last;
      left = shift + DIGIT_BITS < 64 ? left >> (shift + DIGIT_BITS) << (shift + DIGIT_BITS) : 0;
    }
  }
  if (from != keys)
    memcpy(keys, from, count * sizeof(key));
}

/* In place, where there is no room for a second array: by the highest bit in which they differ, those without it first,
 * then each side; never deeper than a key has bits. */
static void sort_in_place(key *keys, size_t count) {
  if (count <= FEW_KEYS) {
    insert_keys(keys, count);
    return;
  }
  const key differ = differing(keys, count);
  if (!differ.high && !differ.low)
    return;
  uint64_t bit = (uint64_t)1 << 63, word = differ.high ? differ.high : differ.low;
  while (!(bit & word))
    bit >>= 1;
  size_t low = 0, high = count;
  while (low < high) {
    key own = keys[low];
    if (!((differ.high ? own.high : own.low) & bit)) {
      low++;
      continue;
    }
    keys[low] = keys[--high];
    keys[high] = own;
  }
  assert(low > 0 && low < count);
  sort_in_place(keys, low);
  sort_in_place(keys + low, count - low);
}

/* Whether they are in order already, as those of a list that was sorted are. */
static bool in_order(const key *keys, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (toi_sort_before(keys[i], keys[i - 1]))
      return false;
  return true;
}

void toi_sort_keys(toi_context *context, key *keys, size_t count) {
  if (count <= FEW_KEYS) {
    insert_keys(keys, count);
    return;
  }
  if (in_order(keys, count))
    return;
  key *other = toi_allocate(context, count * sizeof(key));
  if (!other) {
    sort_in_place(keys, count);
    return;
  }
  sort_between(keys, other, count);
  toi_free(context, other, count * sizeof(key));
}
