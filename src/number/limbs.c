/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rows of limbs without GMP: what takes one pass. Empty where GMP is used. */

#include "number/limbs.h"

#ifdef TOI_WITHOUT_GMP

#include <assert.h>

/* On x86-64 four limbs at a time, with the carry in its flag: as fast again as through a register. */
#if defined(__x86_64__) && !defined(TOI_LIMB_HALVES)
#include <immintrin.h>
#define CHAIN 4

static inline toi_limb add_chain(toi_limb *r, const toi_limb *a, const toi_limb *b, toi_limb carry) {
  unsigned char flag = (unsigned char)carry;
  unsigned long long first, second, third, fourth;
  flag = _addcarry_u64(flag, a[0], b[0], &first);
  flag = _addcarry_u64(flag, a[1], b[1], &second);
  flag = _addcarry_u64(flag, a[2], b[2], &third);
  flag = _addcarry_u64(flag, a[3], b[3], &fourth);
  r[0] = first;
  r[1] = second;
  r[2] = third;
  r[3] = fourth;
  return flag;
}

static inline toi_limb subtract_chain(toi_limb *r, const toi_limb *a, const toi_limb *b, toi_limb borrow) {
  unsigned char flag = (unsigned char)borrow;
  unsigned long long first, second, third, fourth;
  flag = _subborrow_u64(flag, a[0], b[0], &first);
  flag = _subborrow_u64(flag, a[1], b[1], &second);
  flag = _subborrow_u64(flag, a[2], b[2], &third);
  flag = _subborrow_u64(flag, a[3], b[3], &fourth);
  r[0] = first;
  r[1] = second;
  r[2] = third;
  r[3] = fourth;
  return flag;
}

#else
#define CHAIN 1

static inline toi_limb add_chain(toi_limb *r, const toi_limb *a, const toi_limb *b, toi_limb carry) {
  return toi_limb_add(r, *a, *b, carry);
}

static inline toi_limb subtract_chain(toi_limb *r, const toi_limb *a, const toi_limb *b, toi_limb borrow) {
  return toi_limb_subtract(r, *a, *b, borrow);
}

#endif

int toi_limbs_compare(const toi_limb *a, const toi_limb *b, size_t count) {
  for (size_t i = count; i-- > 0;)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

toi_limb toi_limbs_add(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b, size_t count_b) {
  assert(count_a >= count_b);
  toi_limb carry = 0;
  size_t i = 0;
  for (; i + CHAIN <= count_b; i += CHAIN)
    carry = add_chain(r + i, a + i, b + i, carry);
  for (; i < count_b; i++)
    carry = toi_limb_add(&r[i], a[i], b[i], carry);
  // Above b only as far as the carry goes, if a is there already.
  for (; i < count_a && (carry != 0 || r != a); i++)
    carry = toi_limb_add(&r[i], a[i], 0, carry);
  return carry;
}

toi_limb toi_limbs_subtract(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b, size_t count_b) {
  assert(count_a >= count_b);
  toi_limb borrow = 0;
  size_t i = 0;
  for (; i + CHAIN <= count_b; i += CHAIN)
    borrow = subtract_chain(r + i, a + i, b + i, borrow);
  for (; i < count_b; i++)
    borrow = toi_limb_subtract(&r[i], a[i], b[i], borrow);
  for (; i < count_a && (borrow != 0 || r != a); i++)
    borrow = toi_limb_subtract(&r[i], a[i], 0, borrow);
  return borrow;
}

toi_limb toi_limbs_multiply_limb(toi_limb *r, const toi_limb *a, size_t count, toi_limb b) {
  toi_limb carry = 0;
  for (size_t i = 0; i < count; i++)
    carry = toi_limb_multiply(&r[i], a[i], b, carry, 0);
  return carry;
}

toi_limb toi_limbs_subtract_multiple(toi_limb *r, const toi_limb *a, size_t count, toi_limb b) {
  // The borrow joins the carry, which has room: a carry of 2^64 - 1 comes with a low limb of 0 and no borrow.
  toi_limb carry = 0;
  for (size_t i = 0; i < count; i++) {
    toi_limb low;
    const toi_limb old = r[i];
    carry = toi_limb_multiply(&low, a[i], b, carry, 0);
    r[i] = old - low;
    carry += old < low;
  }
  return carry;
}

toi_limb toi_limbs_shift_left(toi_limb *r, const toi_limb *a, size_t count, unsigned bits) {
  assert(count > 0 && bits > 0 && bits < TOI_LIMB_BITS);
  const toi_limb above = a[count - 1] >> (TOI_LIMB_BITS - bits);
  for (size_t i = count - 1; i > 0; i--)
    r[i] = a[i] << bits | a[i - 1] >> (TOI_LIMB_BITS - bits);
  r[0] = a[0] << bits;
  return above;
}

void toi_limbs_shift_right(toi_limb *r, const toi_limb *a, size_t count, unsigned bits) {
  assert(count > 0 && bits > 0 && bits < TOI_LIMB_BITS);
  for (size_t i = 0; i + 1 < count; i++)
    r[i] = a[i] >> bits | a[i + 1] << (TOI_LIMB_BITS - bits);
  r[count - 1] = a[count - 1] >> bits;
}

#endif
