/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Sign-magnitude integers on rows of limbs. One and two limbs, by far the most frequent, are done here in registers. */

#include "number/integer.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(toi_limb) * 8 == TOI_LIMB_BITS, "limbs of 64 bits");

static size_t limbs_of(toi_integer a) {
  return (size_t)(a.size < 0 ? -a.size : a.size);
}

/* The integer in `count` limbs that are already in place, zeros on top dropped. */
static toi_integer normalised(const toi_limb *limb, size_t count, bool negative) {
  while (count > 0 && limb[count - 1] == 0)
    count--;
  return (toi_integer){limb, negative ? -(int32_t)count : (int32_t)count};
}

/* The same, on top of the arena: gives back the limbs that are not used. */
static toi_integer settle(toi_arena *arena, toi_limb *limb, size_t count, bool negative) {
  toi_integer value = normalised(limb, count, negative);
  arena->next = limb + limbs_of(value);
  return value;
}

toi_integer toi_arena_keep(toi_arena *arena, toi_limb *mark, toi_integer value) {
  size_t count = limbs_of(value);
  if (count == 0 || value.limb < mark || value.limb >= arena->next) {
    arena->next = mark;
    return value;
  }
  memmove(mark, value.limb, count * sizeof(toi_limb));
  arena->next = mark + count;
  return (toi_integer){mark, value.size};
}

toi_integer toi_integer_from_u64(toi_arena *arena, uint64_t value) {
  if (value == 0)
    return TOI_INTEGER_ZERO;
  toi_limb *limb = toi_arena_take(arena, 1);
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
  toi_limb *mark = toi_arena_mark(arena);
  toi_integer a = toi_integer_from_i64(arena, mantissa);
  return toi_arena_keep(arena, mark, toi_integer_shift_left(arena, a, (uint32_t)(own - exponent)));
}

toi_integer toi_integer_store(toi_limb *limbs, toi_integer value) {
  size_t count = limbs_of(value);
  if (count > 0)
    memmove(limbs, value.limb, count * sizeof(toi_limb));
  return (toi_integer){limbs, value.size};
}

uint32_t toi_integer_bits(toi_integer a) {
  size_t count = limbs_of(a);
  if (count == 0)
    return 0;
  return (uint32_t)count * TOI_LIMB_BITS - (uint32_t)__builtin_clzll(a.limb[count - 1]);
}

uint32_t toi_integer_trailing_zeros(toi_integer a) {
  assert(a.size != 0);
  return (uint32_t)toi_limbs_trailing_zeros(a.limb);
}

double toi_integer_approximate(toi_integer a, int *exponent) {
  size_t count = limbs_of(a);
  if (count == 0) {
    *exponent = 0;
    return 0;
  }
  // The 64 bits from the highest one on hold more than a double does.
  toi_limb high = a.limb[count - 1];
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
  int order = toi_limbs_compare(a.limb, b.limb, count_a);
  return (order > 0) - (order < 0);
}

int toi_integer_compare(toi_integer a, toi_integer b) {
  int sign_a = toi_integer_sign(a), sign_b = toi_integer_sign(b);
  if (sign_a != sign_b)
    return sign_a < sign_b ? -1 : 1;
  return sign_a < 0 ? -compare_magnitudes(a, b) : compare_magnitudes(a, b);
}

/* --- magnitudes in place: short ones in registers, long ones by limbs.h --- */

/* Up to here a loop of our own beats the call. */
#define SHORT 8

/* r = a + b with a the longer one; returns the carry. r may be a. */
static toi_limb add_limbs(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b, size_t count_b) {
  if (count_a > SHORT)
    return toi_limbs_add(r, a, count_a, b, count_b);
  toi_limb carry = 0;
  for (size_t i = 0; i < count_b; i++)
    carry = toi_limb_add(&r[i], a[i], b[i], carry);
  for (size_t i = count_b; i < count_a; i++)
    carry = toi_limb_add(&r[i], a[i], 0, carry);
  return carry;
}

/* r = a - b with a the longer one; returns the borrow. r may be a. */
static toi_limb subtract_limbs(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b, size_t count_b) {
  if (count_a > SHORT)
    return toi_limbs_subtract(r, a, count_a, b, count_b);
  toi_limb borrow = 0;
  for (size_t i = 0; i < count_b; i++)
    borrow = toi_limb_subtract(&r[i], a[i], b[i], borrow);
  for (size_t i = count_b; i < count_a; i++)
    borrow = toi_limb_subtract(&r[i], a[i], 0, borrow);
  return borrow;
}

static void negate_limbs(toi_limb *r, size_t count) {
  toi_limb carry = 1;
  for (size_t i = 0; i < count; i++) {
    r[i] = ~r[i] + carry;
    carry = carry && r[i] == 0;
  }
}

/* Limbs of the next piece of an operand of which so many are left. */
static size_t piece_of(size_t left) {
  return left < TOI_INTEGER_LIMBS_MAX ? left : TOI_INTEGER_LIMBS_MAX;
}

/* r[0 .. count_a + count_b) = a b for long operands: the products of their pieces. */
static void multiply_pieces(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b, size_t count_b) {
  memset(r, 0, (count_a + count_b) * sizeof *r);
  for (size_t j = 0; j < count_b; j += TOI_INTEGER_LIMBS_MAX) {
    size_t piece_b = piece_of(count_b - j);
    for (size_t i = 0; i < count_a; i += TOI_INTEGER_LIMBS_MAX) {
      toi_limb product[2 * TOI_INTEGER_LIMBS_MAX];
      size_t piece_a = piece_of(count_a - i);
      if (piece_a >= piece_b)
        toi_limbs_multiply(product, a + i, piece_a, b + j, piece_b);
      else
        toi_limbs_multiply(product, b + j, piece_b, a + i, piece_a);
      (void)toi_limbs_add(r + i + j, r + i + j, count_a + count_b - i - j, product, piece_a + piece_b);
    }
  }
}

/* r[0 .. count_a + count_b) = a b with a the longer one. */
static void multiply_limbs(toi_limb *r, const toi_limb *a, size_t count_a, const toi_limb *b, size_t count_b) {
  assert(count_a >= count_b && count_b > 0);
  if (count_a > TOI_INTEGER_LIMBS_MAX && count_b > 1) {
    multiply_pieces(r, a, count_a, b, count_b);
    return;
  }
  if (count_a > SHORT && count_b > 1) {
    toi_limbs_multiply(r, a, count_a, b, count_b);
    return;
  }
  if (count_a > SHORT) {
    r[count_a] = toi_limbs_multiply_limb(r, a, count_a, b[0]);
    return;
  }
  toi_limb carry = 0;
  for (size_t i = 0; i < count_a; i++)
    carry = toi_limb_multiply(&r[i], a[i], b[0], carry, 0);
  r[count_a] = carry;
  for (size_t j = 1; j < count_b; j++) {
    carry = 0;
    for (size_t i = 0; i < count_a; i++)
      carry = toi_limb_multiply(&r[i + j], a[i], b[j], r[i + j], carry);
    r[count_a + j] = carry;
  }
}

/* r = |a| 2^bits over exactly limbs_of(a) + bits / 64 + 1 limbs. */
static void shift_limbs(toi_limb *r, toi_integer a, uint32_t bits) {
  size_t count = limbs_of(a), whole = bits / TOI_LIMB_BITS;
  uint32_t rest = bits % TOI_LIMB_BITS;
  for (size_t i = 0; i < whole; i++)
    r[i] = 0;
  toi_limb below = 0;
  for (size_t i = 0; i < count; i++) {
    r[whole + i] = a.limb[i] << rest | below;
    below = a.limb[i] >> 1 >> (TOI_LIMB_BITS - 1 - rest);
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
  toi_limb *limb = toi_arena_take(arena, count + 1);
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
  toi_limb *limb = toi_arena_take(arena, count_a + count_b);
  if (count_a >= count_b)
    multiply_limbs(limb, a.limb, count_a, b.limb, count_b);
  else
    multiply_limbs(limb, b.limb, count_b, a.limb, count_a);
  return settle(arena, limb, count_a + count_b, (a.size < 0) != (b.size < 0));
}

/* The same for a single limb m and short operands, in one pass. */
static toi_integer multiply_add_short(toi_arena *arena, toi_integer a, toi_integer m, toi_integer c, uint32_t bits) {
  size_t count_a = limbs_of(a), count_c = limbs_of(c), whole = bits / TOI_LIMB_BITS;
  size_t product_count = count_a + 1, shifted_count = whole + count_c + 1;
  size_t count = (product_count > shifted_count ? product_count : shifted_count) + 1;
  uint32_t rest = bits % TOI_LIMB_BITS;
  toi_limb *limb = toi_arena_take(arena, count);
  toi_limb factor = m.limb[0], below = 0;
  bool negative = (a.size < 0) != (m.size < 0);
  // |a m| plus |c| 2^bits, or minus it: plus its complement. The limb on top holds the sign.
  toi_limb flip = negative == (c.size < 0) ? 0 : ~(toi_limb)0;
  toi_limb product = 0, carry = flip & 1;
  for (size_t i = 0; i < count; i++) {
    toi_limb low;
    product = toi_limb_multiply(&low, i < count_a ? a.limb[i] : 0, factor, product, 0);
    toi_limb digit = i - whole < count_c ? c.limb[i - whole] : 0;
    toi_limb shifted = digit << rest | below;
    below = digit >> 1 >> (TOI_LIMB_BITS - 1 - rest);
    carry = toi_limb_add(&limb[i], low, shifted ^ flip, carry);
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
  size_t shifted = c.size == 0 ? 0 : limbs_of(c) + bits / TOI_LIMB_BITS + 1;
  if (count_m == 1 && count_a <= SHORT && shifted <= SHORT)
    return multiply_add_short(arena, a, m, c, bits);
  // The result first, the shifted summand above it for a moment.
  size_t count = (product > shifted ? product : shifted) + 1;
  toi_limb *limb = toi_arena_take(arena, count);
  if (count_a >= count_m)
    multiply_limbs(limb, a.limb, count_a, m.limb, count_m);
  else
    multiply_limbs(limb, m.limb, count_m, a.limb, count_a);
  for (size_t i = product; i < count; i++)
    limb[i] = 0;
  bool negative = (a.size < 0) != (m.size < 0);
  if (shifted > 0) {
    toi_limb *summand = toi_arena_take(arena, shifted);
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
  toi_limb *limb = toi_arena_take(arena, count + 1);
  uint32_t factor = b < 0 ? 0u - (uint32_t)b : (uint32_t)b;
  limb[count] = toi_limbs_multiply_limb(limb, a.limb, count, factor);
  return settle(arena, limb, count + 1, (a.size < 0) != (b < 0));
}

toi_integer toi_integer_shift_left(toi_arena *arena, toi_integer a, uint32_t bits) {
  if (a.size == 0 || bits == 0)
    return a;
  size_t count = limbs_of(a) + bits / TOI_LIMB_BITS + 1;
  toi_limb *limb = toi_arena_take(arena, count);
  shift_limbs(limb, a, bits);
  return settle(arena, limb, count, a.size < 0);
}

toi_integer toi_integer_shift_right(toi_arena *arena, toi_integer a, uint32_t bits) {
  size_t count = limbs_of(a), whole = bits / TOI_LIMB_BITS;
  uint32_t rest = bits % TOI_LIMB_BITS;
  if (count <= whole)
    return TOI_INTEGER_ZERO;
  if (bits == 0)
    return a;
  toi_limb *limb = toi_arena_take(arena, count - whole);
  if (rest == 0)
    memcpy(limb, a.limb + whole, (count - whole) * sizeof(toi_limb));
  else
    toi_limbs_shift_right(limb, a.limb + whole, count - whole, rest);
  return settle(arena, limb, count - whole, a.size < 0);
}

/* acc += or -= |a| b_j 2^(64 j), modulo 2^(64 width), in two's complement. */
static void accumulate(toi_limb *acc, size_t width, toi_integer a, toi_limb b, bool negative) {
  size_t count = limbs_of(a);
  assert(count < width);
  // What is added is b a, or its complement: ~(b a) + 1, with ones above.
  toi_limb flip = negative ? ~(toi_limb)0 : 0;
  toi_limb product = 0, carry = flip & 1;
  for (size_t i = 0; i < count; i++) {
    toi_limb low;
    product = toi_limb_multiply(&low, a.limb[i], b, product, 0);
    carry = toi_limb_add(&acc[i], acc[i], low ^ flip, carry);
  }
  carry = toi_limb_add(&acc[count], acc[count], product ^ flip, carry);
  for (size_t i = count + 1; i < width; i++)
    carry = toi_limb_add(&acc[i], acc[i], flip, carry);
}

/* The sum of products of single limbs, in 192 bits: low, and high in two's complement. */
static toi_integer dot_single(toi_arena *arena, const toi_integer (*pairs)[2], int count) {
  toi_limb low = 0, middle = 0, high = 0;
  for (int i = 0; i < count; i++) {
    toi_integer a = pairs[i][0], b = pairs[i][1];
    if (a.size == 0 || b.size == 0)
      continue;
    toi_limb product, above = toi_limb_multiply(&product, a.limb[0], b.limb[0], 0, 0);
    if ((a.size ^ b.size) < 0)
      high -= toi_limb_subtract(&middle, middle, above, toi_limb_subtract(&low, low, product, 0));
    else
      high += toi_limb_add(&middle, middle, above, toi_limb_add(&low, low, product, 0));
  }
  toi_limb *limb = toi_arena_take(arena, 3);
  limb[0] = low;
  limb[1] = middle;
  limb[2] = high;
  bool negative = high >> 63 != 0;
  if (negative)
    negate_limbs(limb, 3);
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
    toi_limb *mark = toi_arena_mark(arena);
    toi_integer sum = TOI_INTEGER_ZERO;
    for (int i = 0; i < count; i++)
      sum = toi_arena_keep(arena, mark, toi_integer_multiply_add(arena, pairs[i][0], pairs[i][1], sum, 0));
    return sum;
  }
  toi_limb *acc = toi_arena_take(arena, width);
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
  // Odd operands, the first not the smaller one; both are overwritten.
  uint32_t zeros_a = toi_integer_trailing_zeros(a), zeros_b = toi_integer_trailing_zeros(b);
  toi_limb *mark = toi_arena_mark(arena);
  size_t count_a = limbs_of(a), count_b = limbs_of(b);
  assert(count_a <= TOI_INTEGER_LIMBS_MAX && count_b <= TOI_INTEGER_LIMBS_MAX);
  toi_limb *copy_a = toi_arena_take(arena, count_a), *copy_b = toi_arena_take(arena, count_b);
  toi_integer odd_a = toi_integer_store(copy_a, toi_integer_shift_right(arena, toi_integer_absolute(a), zeros_a));
  toi_integer odd_b = toi_integer_store(copy_b, toi_integer_shift_right(arena, toi_integer_absolute(b), zeros_b));
  toi_limb *divisor = toi_arena_take(arena, count_a < count_b ? count_a : count_b);
  bool swap = compare_magnitudes(odd_a, odd_b) < 0;
  size_t count = toi_limbs_gcd(divisor, swap ? copy_b : copy_a, limbs_of(swap ? odd_b : odd_a), swap ? copy_a : copy_b,
                               limbs_of(swap ? odd_a : odd_b));
  toi_integer odd = normalised(divisor, count, false);
  uint32_t zeros = zeros_a < zeros_b ? zeros_a : zeros_b;
  return toi_arena_keep(arena, mark, toi_integer_shift_left(arena, odd, zeros));
}

uint32_t toi_integer_modulo(toi_integer a, uint32_t m) {
  assert(m > 0);
  if (a.size == 0)
    return 0;
  const uint32_t rest = (uint32_t)toi_limbs_modulo_limb(a.limb, limbs_of(a), m);
  return a.size < 0 && rest != 0 ? m - rest : rest;
}

toi_integer toi_integer_divide(toi_arena *arena, toi_integer a, toi_integer b) {
  size_t count_a = limbs_of(a), count_b = limbs_of(b);
  assert(count_b > 0 && count_a <= TOI_INTEGER_LIMBS_MAX);
  if (count_a < count_b)
    return TOI_INTEGER_ZERO;
  // The remainder above the quotient.
  toi_limb *quotient = toi_arena_take(arena, count_a + 1);
  toi_limbs_divide(quotient, a.limb, count_a, b.limb, count_b);
  return settle(arena, quotient, count_a - count_b + 1, (a.size < 0) != (b.size < 0));
}

toi_integer toi_integer_divide_exact(toi_arena *arena, toi_integer a, toi_integer b) {
  assert(b.size != 0);
  if (a.size == 0)
    return TOI_INTEGER_ZERO;
  // Zeros below b are below a too; then b is odd, and has an inverse modulo 2^64 (each step doubles the right bits).
  uint32_t zeros = toi_integer_trailing_zeros(b);
  toi_limb *mark = toi_arena_mark(arena);
  toi_integer odd = toi_integer_shift_right(arena, b, zeros), top = toi_integer_shift_right(arena, a, zeros);
  size_t count_a = limbs_of(top), count_b = limbs_of(odd), count = count_a - count_b + 1;
  assert(count_a >= count_b && count_b > 0);
  if (count_b == 0 || count_a < count_b)
    return TOI_INTEGER_ZERO;
  toi_limb inverse = odd.limb[0];
  for (int bits = 3; bits < 64; bits *= 2)
    inverse *= 2 - odd.limb[0] * inverse;
  // From the lowest limb up: a digit of the quotient clears the lowest limb that is left. Higher ones do not matter.
  toi_limb *rest = toi_arena_take(arena, count), *quotient = toi_arena_take(arena, count);
  memcpy(rest, top.limb, count * sizeof *rest);
  for (size_t i = 0; i < count; i++) {
    quotient[i] = rest[i] * inverse;
    size_t reach = count - i < count_b ? count - i : count_b;
    toi_limb borrow = toi_limbs_subtract_multiple(rest + i, odd.limb, reach, quotient[i]);
    for (size_t j = i + reach; borrow != 0 && j < count; j++) {
      toi_limb old = rest[j];
      rest[j] = old - borrow;
      borrow = old < borrow;
    }
  }
  return toi_arena_keep(arena, mark, normalised(quotient, count, (a.size < 0) != (b.size < 0)));
}
