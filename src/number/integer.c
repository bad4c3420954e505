/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Sign-magnitude integers on mpn. One and two limbs, by far the most frequent, are done here in registers. */

#include "number/integer.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(mp_limb_t) == 8 && GMP_NUMB_BITS == 64, "limbs of 64 bits without nails");

__extension__ typedef unsigned __int128 wide;

#define LIMB_BITS 64u

static size_t limbs_of(toi_integer a) {
  return (size_t)(a.size < 0 ? -a.size : a.size);
}

/* The integer in `count` limbs that are already in place, zeros on top dropped. */
static toi_integer normalised(const mp_limb_t *limb, size_t count, bool negative) {
  while (count > 0 && limb[count - 1] == 0)
    count--;
  return (toi_integer){limb, negative ? -(int32_t)count : (int32_t)count};
}

/* The same, on top of the arena: gives back the limbs that are not used. */
static toi_integer settle(toi_arena *arena, mp_limb_t *limb, size_t count, bool negative) {
  toi_integer value = normalised(limb, count, negative);
  arena->next = limb + limbs_of(value);
  return value;
}

toi_integer toi_arena_keep(toi_arena *arena, mp_limb_t *mark, toi_integer value) {
  size_t count = limbs_of(value);
  if (count == 0 || value.limb < mark || value.limb >= arena->next) {
    arena->next = mark;
    return value;
  }
  memmove(mark, value.limb, count * sizeof(mp_limb_t));
  arena->next = mark + count;
  return (toi_integer){mark, value.size};
}

toi_integer toi_integer_from_u64(toi_arena *arena, uint64_t value) {
  if (value == 0)
    return TOI_INTEGER_ZERO;
  mp_limb_t *limb = toi_arena_take(arena, 1);
  limb[0] = value;
  return (toi_integer){limb, 1};
}

toi_integer toi_integer_from_i64(toi_arena *arena, int64_t value) {
  toi_integer a = toi_integer_from_u64(arena, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
  return value < 0 ? toi_integer_negate(a) : a;
}

int64_t toi_double_split(double x, int *exponent) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  int biased = (int)(bits >> 52 & 0x7ff);
  assert(biased != 0x7ff);
  uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
  // Subnormals have the exponent of the smallest normal numbers, without the hidden bit.
  if (biased == 0)
    biased = 1;
  else
    mantissa |= UINT64_C(1) << 52;
  if (mantissa == 0) {
    *exponent = 0;
    return 0;
  }
  int zeros = __builtin_ctzll(mantissa);
  *exponent = biased - 1075 + zeros;
  int64_t odd = (int64_t)(mantissa >> zeros);
  return bits >> 63 ? -odd : odd;
}

toi_integer toi_integer_from_double(toi_arena *arena, double x, int exponent) {
  int own;
  int64_t mantissa = toi_double_split(x, &own);
  if (mantissa == 0)
    return TOI_INTEGER_ZERO;
  assert(own >= exponent);
  mp_limb_t *mark = toi_arena_mark(arena);
  toi_integer a = toi_integer_from_i64(arena, mantissa);
  return toi_arena_keep(arena, mark, toi_integer_shift_left(arena, a, (uint32_t)(own - exponent)));
}

toi_integer toi_integer_store(mp_limb_t *limbs, toi_integer value) {
  size_t count = limbs_of(value);
  if (count > 0)
    memmove(limbs, value.limb, count * sizeof(mp_limb_t));
  return (toi_integer){limbs, value.size};
}

uint32_t toi_integer_bits(toi_integer a) {
  size_t count = limbs_of(a);
  if (count == 0)
    return 0;
  return (uint32_t)count * LIMB_BITS - (uint32_t)__builtin_clzll(a.limb[count - 1]);
}

uint32_t toi_integer_trailing_zeros(toi_integer a) {
  assert(a.size != 0);
  uint32_t zeros = 0;
  const mp_limb_t *limb = a.limb;
  while (*limb == 0) {
    limb++;
    zeros += LIMB_BITS;
  }
  return zeros + (uint32_t)__builtin_ctzll(*limb);
}

double toi_integer_approximate(toi_integer a, int *exponent) {
  size_t count = limbs_of(a);
  if (count == 0) {
    *exponent = 0;
    return 0;
  }
  // The 64 bits from the highest one on hold more than a double does.
  mp_limb_t high = a.limb[count - 1];
  int zeros = __builtin_clzll(high);
  if (zeros > 0) {
    high <<= zeros;
    if (count > 1)
      high |= a.limb[count - 2] >> (64 - zeros);
  }
  *exponent = (int)toi_integer_bits(a);
  double mantissa = (double)high * 0x1p-64;
  return a.size < 0 ? -mantissa : mantissa;
}

static int compare_magnitudes(toi_integer a, toi_integer b) {
  size_t count_a = limbs_of(a), count_b = limbs_of(b);
  if (count_a != count_b)
    return count_a < count_b ? -1 : 1;
  if (count_a == 0)
    return 0;
  int order = mpn_cmp(a.limb, b.limb, (mp_size_t)count_a);
  return (order > 0) - (order < 0);
}

int toi_integer_compare(toi_integer a, toi_integer b) {
  int sign_a = toi_integer_sign(a), sign_b = toi_integer_sign(b);
  if (sign_a != sign_b)
    return sign_a < sign_b ? -1 : 1;
  return sign_a < 0 ? -compare_magnitudes(a, b) : compare_magnitudes(a, b);
}

/* --- magnitudes in place: short ones in registers, long ones by mpn --- */

/* Up to here a loop of our own beats the call. */
#define SHORT 8

/* r = a + b with a the longer one; returns the carry. r may be a. */
static mp_limb_t add_limbs(mp_limb_t *r, const mp_limb_t *a, size_t count_a, const mp_limb_t *b, size_t count_b) {
  if (count_a > SHORT)
    return mpn_add(r, a, (mp_size_t)count_a, b, (mp_size_t)count_b);
  wide carry = 0;
  for (size_t i = 0; i < count_b; i++) {
    carry += (wide)a[i] + b[i];
    r[i] = (mp_limb_t)carry;
    carry >>= 64;
  }
  for (size_t i = count_b; i < count_a; i++) {
    carry += a[i];
    r[i] = (mp_limb_t)carry;
    carry >>= 64;
  }
  return (mp_limb_t)carry;
}

/* r = a - b with a the longer one; returns the borrow. r may be a. */
static mp_limb_t subtract_limbs(mp_limb_t *r, const mp_limb_t *a, size_t count_a, const mp_limb_t *b, size_t count_b) {
  if (count_a > SHORT)
    return mpn_sub(r, a, (mp_size_t)count_a, b, (mp_size_t)count_b);
  mp_limb_t borrow = 0;
  for (size_t i = 0; i < count_b; i++) {
    wide difference = (wide)a[i] - b[i] - borrow;
    r[i] = (mp_limb_t)difference;
    borrow = (mp_limb_t)(difference >> 64) & 1;
  }
  for (size_t i = count_b; i < count_a; i++) {
    wide difference = (wide)a[i] - borrow;
    r[i] = (mp_limb_t)difference;
    borrow = (mp_limb_t)(difference >> 64) & 1;
  }
  return borrow;
}

static void negate_limbs(mp_limb_t *r, size_t count) {
  mp_limb_t carry = 1;
  for (size_t i = 0; i < count; i++) {
    r[i] = ~r[i] + carry;
    carry = carry && r[i] == 0;
  }
}

/* r[0 .. count_a + count_b) = a b for long operands: the products of their pieces. */
static void multiply_pieces(mp_limb_t *r, const mp_limb_t *a, size_t count_a, const mp_limb_t *b, size_t count_b) {
  memset(r, 0, (count_a + count_b) * sizeof *r);
  for (size_t j = 0; j < count_b; j += TOI_INTEGER_LIMBS_MAX) {
    size_t piece_b = count_b - j < TOI_INTEGER_LIMBS_MAX ? count_b - j : TOI_INTEGER_LIMBS_MAX;
    for (size_t i = 0; i < count_a; i += TOI_INTEGER_LIMBS_MAX) {
      mp_limb_t product[2 * TOI_INTEGER_LIMBS_MAX];
      size_t piece_a = count_a - i < TOI_INTEGER_LIMBS_MAX ? count_a - i : TOI_INTEGER_LIMBS_MAX;
      if (piece_a >= piece_b)
        mpn_mul(product, a + i, (mp_size_t)piece_a, b + j, (mp_size_t)piece_b);
      else
        mpn_mul(product, b + j, (mp_size_t)piece_b, a + i, (mp_size_t)piece_a);
      mpn_add(r + i + j, r + i + j, (mp_size_t)(count_a + count_b - i - j), product, (mp_size_t)(piece_a + piece_b));
    }
  }
}

/* r[0 .. count_a + count_b) = a b with a the longer one. */
static void multiply_limbs(mp_limb_t *r, const mp_limb_t *a, size_t count_a, const mp_limb_t *b, size_t count_b) {
  assert(count_a >= count_b && count_b > 0);
  if (count_a > TOI_INTEGER_LIMBS_MAX && count_b > 1) {
    multiply_pieces(r, a, count_a, b, count_b);
    return;
  }
  if (count_a > SHORT && count_b > 1) {
    mpn_mul(r, a, (mp_size_t)count_a, b, (mp_size_t)count_b);
    return;
  }
  if (count_a > SHORT) {
    r[count_a] = mpn_mul_1(r, a, (mp_size_t)count_a, b[0]);
    return;
  }
  wide carry = 0;
  for (size_t i = 0; i < count_a; i++) {
    carry += (wide)a[i] * b[0];
    r[i] = (mp_limb_t)carry;
    carry >>= 64;
  }
  r[count_a] = (mp_limb_t)carry;
  for (size_t j = 1; j < count_b; j++) {
    carry = 0;
    for (size_t i = 0; i < count_a; i++) {
      carry += (wide)a[i] * b[j] + r[i + j];
      r[i + j] = (mp_limb_t)carry;
      carry >>= 64;
    }
    r[count_a + j] = (mp_limb_t)carry;
  }
}

/* r = |a| 2^bits over exactly limbs_of(a) + bits / 64 + 1 limbs. */
static void shift_limbs(mp_limb_t *r, toi_integer a, uint32_t bits) {
  size_t count = limbs_of(a), whole = bits / LIMB_BITS;
  uint32_t rest = bits % LIMB_BITS;
  for (size_t i = 0; i < whole; i++)
    r[i] = 0;
  mp_limb_t below = 0;
  for (size_t i = 0; i < count; i++) {
    r[whole + i] = a.limb[i] << rest | below;
    below = a.limb[i] >> 1 >> (LIMB_BITS - 1 - rest);
  }
  r[whole + count] = below;
}

/* --- arithmetic --- */

toi_integer toi_integer_add(toi_arena *arena, toi_integer a, toi_integer b) {
  if (a.size == 0)
    return b;
  if (b.size == 0)
    return a;
  if (limbs_of(a) < limbs_of(b)) {
    toi_integer swap = a;
    a = b;
    b = swap;
  }
  size_t count = limbs_of(a);
  bool negative = a.size < 0;
  mp_limb_t *limb = toi_arena_take(arena, count + 1);
  if (negative == (b.size < 0)) {
    limb[count] = add_limbs(limb, a.limb, count, b.limb, limbs_of(b));
    return settle(arena, limb, count + 1, negative);
  }
  if (subtract_limbs(limb, a.limb, count, b.limb, limbs_of(b)) != 0) {
    negate_limbs(limb, count);
    negative = !negative;
  }
  return settle(arena, limb, count, negative);
}

toi_integer toi_integer_subtract(toi_arena *arena, toi_integer a, toi_integer b) {
  return toi_integer_add(arena, a, toi_integer_negate(b));
}

toi_integer toi_integer_multiply(toi_arena *arena, toi_integer a, toi_integer b) {
  size_t count_a = limbs_of(a), count_b = limbs_of(b);
  if (count_a == 0 || count_b == 0)
    return TOI_INTEGER_ZERO;
  mp_limb_t *limb = toi_arena_take(arena, count_a + count_b);
  if (count_a >= count_b)
    multiply_limbs(limb, a.limb, count_a, b.limb, count_b);
  else
    multiply_limbs(limb, b.limb, count_b, a.limb, count_a);
  return settle(arena, limb, count_a + count_b, (a.size < 0) != (b.size < 0));
}

/* The same for a single limb m and short operands, in one pass. */
static toi_integer multiply_add_short(toi_arena *arena, toi_integer a, toi_integer m, toi_integer c, uint32_t bits) {
  size_t count_a = limbs_of(a), count_c = limbs_of(c), whole = bits / LIMB_BITS;
  size_t product_count = count_a + 1, shifted_count = whole + count_c + 1;
  size_t count = (product_count > shifted_count ? product_count : shifted_count) + 1;
  uint32_t rest = bits % LIMB_BITS;
  mp_limb_t *limb = toi_arena_take(arena, count);
  mp_limb_t factor = m.limb[0], below = 0;
  bool negative = (a.size < 0) != (m.size < 0);
  // |a m| plus |c| 2^bits, or minus it: plus its complement. The limb on top holds the sign.
  mp_limb_t flip = negative == (c.size < 0) ? 0 : ~(mp_limb_t)0;
  wide product = 0, sum = flip & 1;
  for (size_t i = 0; i < count; i++) {
    product += i < count_a ? (wide)a.limb[i] * factor : 0;
    mp_limb_t digit = i - whole < count_c ? c.limb[i - whole] : 0;
    mp_limb_t shifted = digit << rest | below;
    below = digit >> 1 >> (LIMB_BITS - 1 - rest);
    sum += (wide)(mp_limb_t)product + (shifted ^ flip);
    limb[i] = (mp_limb_t)sum;
    product >>= 64;
    sum >>= 64;
  }
  if (flip != 0 && limb[count - 1] >> 63 != 0) {
    negate_limbs(limb, count);
    negative = !negative;
  }
  return settle(arena, limb, count, negative);
}

toi_integer toi_integer_multiply_add(toi_arena *arena, toi_integer a, toi_integer m, toi_integer c, uint32_t bits) {
  if (a.size == 0 || m.size == 0)
    return toi_integer_shift_left(arena, c, bits);
  size_t count_a = limbs_of(a), count_m = limbs_of(m), product = count_a + count_m;
  size_t shifted = c.size == 0 ? 0 : limbs_of(c) + bits / LIMB_BITS + 1;
  if (count_m == 1 && count_a <= SHORT && shifted <= SHORT)
    return multiply_add_short(arena, a, m, c, bits);
  // The result first, the shifted summand above it for a moment.
  size_t count = (product > shifted ? product : shifted) + 1;
  mp_limb_t *limb = toi_arena_take(arena, count);
  if (count_a >= count_m)
    multiply_limbs(limb, a.limb, count_a, m.limb, count_m);
  else
    multiply_limbs(limb, m.limb, count_m, a.limb, count_a);
  for (size_t i = product; i < count; i++)
    limb[i] = 0;
  bool negative = (a.size < 0) != (m.size < 0);
  if (shifted > 0) {
    mp_limb_t *summand = toi_arena_take(arena, shifted);
    shift_limbs(summand, c, bits);
    if (negative == (c.size < 0)) {
      add_limbs(limb, limb, count, summand, shifted);
    } else if (subtract_limbs(limb, limb, count, summand, shifted) != 0) {
      negate_limbs(limb, count);
      negative = !negative;
    }
  }
  return settle(arena, limb, count, negative);
}

toi_integer toi_integer_multiply_small(toi_arena *arena, toi_integer a, int32_t b) {
  size_t count = limbs_of(a);
  if (count == 0 || b == 0)
    return TOI_INTEGER_ZERO;
  mp_limb_t *limb = toi_arena_take(arena, count + 1);
  uint32_t factor = b < 0 ? 0u - (uint32_t)b : (uint32_t)b;
  limb[count] = mpn_mul_1(limb, a.limb, (mp_size_t)count, factor);
  return settle(arena, limb, count + 1, (a.size < 0) != (b < 0));
}

toi_integer toi_integer_shift_left(toi_arena *arena, toi_integer a, uint32_t bits) {
  if (a.size == 0 || bits == 0)
    return a;
  size_t count = limbs_of(a) + bits / LIMB_BITS + 1;
  mp_limb_t *limb = toi_arena_take(arena, count);
  shift_limbs(limb, a, bits);
  return settle(arena, limb, count, a.size < 0);
}

toi_integer toi_integer_shift_right(toi_arena *arena, toi_integer a, uint32_t bits) {
  size_t count = limbs_of(a), whole = bits / LIMB_BITS;
  uint32_t rest = bits % LIMB_BITS;
  if (count <= whole)
    return TOI_INTEGER_ZERO;
  if (bits == 0)
    return a;
  mp_limb_t *limb = toi_arena_take(arena, count - whole);
  if (rest == 0)
    memcpy(limb, a.limb + whole, (count - whole) * sizeof(mp_limb_t));
  else
    mpn_rshift(limb, a.limb + whole, (mp_size_t)(count - whole), rest);
  return settle(arena, limb, count - whole, a.size < 0);
}

/* acc += or -= |a| b_j 2^(64 j), modulo 2^(64 width), in two's complement. */
static void accumulate(mp_limb_t *acc, size_t width, toi_integer a, mp_limb_t b, bool negative) {
  size_t count = limbs_of(a);
  assert(count < width);
  // What is added is b a, or its complement: ~(b a) + 1, with ones above.
  mp_limb_t flip = negative ? ~(mp_limb_t)0 : 0;
  wide product = 0, sum = flip & 1;
  for (size_t i = 0; i < count; i++) {
    product += (wide)a.limb[i] * b;
    sum += (wide)((mp_limb_t)product ^ flip) + acc[i];
    acc[i] = (mp_limb_t)sum;
    product >>= 64;
    sum >>= 64;
  }
  sum += (wide)((mp_limb_t)product ^ flip) + acc[count];
  acc[count] = (mp_limb_t)sum;
  sum >>= 64;
  for (size_t i = count + 1; i < width; i++) {
    sum += (wide)flip + acc[i];
    acc[i] = (mp_limb_t)sum;
    sum >>= 64;
  }
}

/* The sum of products of single limbs, in 192 bits: low, and high in two's complement. */
static toi_integer dot_single(toi_arena *arena, const toi_integer (*pairs)[2], int count) {
  wide low = 0;
  mp_limb_t high = 0;
  for (int i = 0; i < count; i++) {
    toi_integer a = pairs[i][0], b = pairs[i][1];
    wide product = a.size == 0 || b.size == 0 ? 0 : (wide)a.limb[0] * b.limb[0];
    if ((a.size ^ b.size) < 0) {
      high -= low < product;
      low -= product;
    } else {
      low += product;
      high += low < product;
    }
  }
  bool negative = high >> 63 != 0;
  if (negative) {
    low = 0 - low;
    high = ~high + (low == 0);
  }
  mp_limb_t *limb = toi_arena_take(arena, 3);
  limb[0] = (mp_limb_t)low;
  limb[1] = (mp_limb_t)(low >> 64);
  limb[2] = high;
  return settle(arena, limb, 3, negative);
}

toi_integer toi_integer_dot(toi_arena *arena, const toi_integer (*pairs)[2], int count) {
  // One limb above the longest product holds the carries of a sum, and its sign.
  size_t width = 1;
  for (int i = 0; i < count; i++) {
    size_t own = limbs_of(pairs[i][0]) + limbs_of(pairs[i][1]) + 1;
    width = own > width ? own : width;
  }
  if (width <= 3)
    return dot_single(arena, pairs, count);
  if (width > SHORT) {
    mp_limb_t *mark = toi_arena_mark(arena);
    toi_integer sum = TOI_INTEGER_ZERO;
    for (int i = 0; i < count; i++)
      sum = toi_arena_keep(arena, mark, toi_integer_multiply_add(arena, pairs[i][0], pairs[i][1], sum, 0));
    return sum;
  }
  mp_limb_t *acc = toi_arena_take(arena, width);
  for (size_t i = 0; i < width; i++)
    acc[i] = 0;
  for (int i = 0; i < count; i++) {
    toi_integer a = pairs[i][0], b = pairs[i][1];
    for (size_t j = 0; j < limbs_of(b) && a.size != 0; j++)
      accumulate(acc + j, width - j, a, b.limb[j], (a.size < 0) != (b.size < 0));
  }
  bool negative = acc[width - 1] >> 63 != 0;
  if (negative)
    negate_limbs(acc, width);
  return settle(arena, acc, width, negative);
}

toi_integer toi_integer_determinant(toi_arena *arena, toi_integer a, toi_integer b, toi_integer c, toi_integer d) {
  return toi_integer_dot(arena, (const toi_integer[2][2]){{a, b}, {toi_integer_negate(c), d}}, 2);
}

toi_integer toi_integer_gcd(toi_arena *arena, toi_integer a, toi_integer b) {
  if (a.size == 0 || b.size == 0)
    return toi_integer_absolute(a.size == 0 ? b : a);
  // mpn_gcd wants odd operands, the first not the shorter one, and overwrites both.
  uint32_t zeros_a = toi_integer_trailing_zeros(a), zeros_b = toi_integer_trailing_zeros(b);
  mp_limb_t *mark = toi_arena_mark(arena);
  size_t count_a = limbs_of(a), count_b = limbs_of(b);
  assert(count_a <= TOI_INTEGER_LIMBS_MAX && count_b <= TOI_INTEGER_LIMBS_MAX);
  mp_limb_t *copy_a = toi_arena_take(arena, count_a), *copy_b = toi_arena_take(arena, count_b);
  toi_integer odd_a = toi_integer_store(copy_a, toi_integer_shift_right(arena, toi_integer_absolute(a), zeros_a));
  toi_integer odd_b = toi_integer_store(copy_b, toi_integer_shift_right(arena, toi_integer_absolute(b), zeros_b));
  mp_limb_t *divisor = toi_arena_take(arena, count_a < count_b ? count_a : count_b);
  bool swap = compare_magnitudes(odd_a, odd_b) < 0;
  mp_size_t count = mpn_gcd(divisor, swap ? copy_b : copy_a, (swap ? odd_b : odd_a).size, swap ? copy_a : copy_b,
                            (swap ? odd_a : odd_b).size);
  toi_integer odd = normalised(divisor, (size_t)count, false);
  uint32_t zeros = zeros_a < zeros_b ? zeros_a : zeros_b;
  return toi_arena_keep(arena, mark, toi_integer_shift_left(arena, odd, zeros));
}

uint32_t toi_integer_modulo(toi_integer a, uint32_t m) {
  assert(m > 0);
  if (a.size == 0)
    return 0;
  const uint32_t rest = (uint32_t)mpn_mod_1(a.limb, (mp_size_t)limbs_of(a), m);
  return a.size < 0 && rest != 0 ? m - rest : rest;
}

toi_integer toi_integer_divide(toi_arena *arena, toi_integer a, toi_integer b) {
  size_t count_a = limbs_of(a), count_b = limbs_of(b);
  assert(count_b > 0 && count_a <= TOI_INTEGER_LIMBS_MAX);
  if (count_a < count_b)
    return TOI_INTEGER_ZERO;
  mp_limb_t *quotient = toi_arena_take(arena, count_a - count_b + 1);
  mp_limb_t *rest = toi_arena_take(arena, count_b);
  mpn_tdiv_qr(quotient, rest, 0, a.limb, (mp_size_t)count_a, b.limb, (mp_size_t)count_b);
  return settle(arena, quotient, count_a - count_b + 1, (a.size < 0) != (b.size < 0));
}

toi_integer toi_integer_divide_exact(toi_arena *arena, toi_integer a, toi_integer b) {
  assert(b.size != 0);
  if (a.size == 0)
    return TOI_INTEGER_ZERO;
  // Zeros below b are below a too; then b is odd, and has an inverse modulo 2^64 (each step doubles the right bits).
  uint32_t zeros = toi_integer_trailing_zeros(b);
  mp_limb_t *mark = toi_arena_mark(arena);
  toi_integer odd = toi_integer_shift_right(arena, b, zeros), top = toi_integer_shift_right(arena, a, zeros);
  size_t count_a = limbs_of(top), count_b = limbs_of(odd), count = count_a - count_b + 1;
  assert(count_a >= count_b && count_b > 0);
  if (count_b == 0 || count_a < count_b)
    return TOI_INTEGER_ZERO;
  mp_limb_t inverse = odd.limb[0];
  for (int bits = 3; bits < 64; bits *= 2)
    inverse *= 2 - odd.limb[0] * inverse;
  // From the lowest limb up: a digit of the quotient clears the lowest limb that is left. Higher ones do not matter.
  mp_limb_t *rest = toi_arena_take(arena, count), *quotient = toi_arena_take(arena, count);
  memcpy(rest, top.limb, count * sizeof *rest);
  for (size_t i = 0; i < count; i++) {
    quotient[i] = rest[i] * inverse;
    size_t reach = count - i < count_b ? count - i : count_b;
    mp_limb_t borrow = mpn_submul_1(rest + i, odd.limb, (mp_size_t)reach, quotient[i]);
    for (size_t j = i + reach; borrow != 0 && j < count; j++) {
      mp_limb_t old = rest[j];
      rest[j] = old - borrow;
      borrow = old < borrow;
    }
  }
  return toi_arena_keep(arena, mark, normalised(quotient, count, (a.size < 0) != (b.size < 0)));
}
