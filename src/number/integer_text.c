/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Decimal text by schoolbook conversion. */

#include "number/integer_text.h"

#include <string.h>

/* 10^19. */
#define BASE UINT64_C(10000000000000000000)

/* Writes 19 digits, zeros in front included. */
static void write_limb(toi_limb value, char *text) {
  for (int i = TOI_LIMB_DIGITS - 1; i >= 0; i--) {
    text[i] = (char)('0' + value % 10);
    value /= 10;
  }
}

size_t toi_limbs_decimal(toi_limb *limbs, size_t count, char *text) {
  assert(count > 0 && limbs[count - 1] != 0);
  const size_t bits = count * 64 - (size_t)__builtin_clzll(limbs[count - 1]);
  char *const end = text + TOI_DECIMAL_BYTES(bits), *first = end;
  // From the lowest digits up, at the end of the room that there is.
  while (count > 0) {
    const toi_limb rest = toi_limbs_divide_limb(limbs, limbs, count, BASE);
    count -= limbs[count - 1] == 0;
    first -= TOI_LIMB_DIGITS;
    assert(first >= text);
    write_limb(rest, first);
  }
  while (*first == '0')
    first++;
  const size_t length = (size_t)(end - first);
  memmove(text, first, length);
  return length;
}

size_t toi_limbs_from_decimal(const char *digits, size_t count, toi_limb *limbs) {
  size_t size = 0;
  // Whole limbs of digits, after what they leave over at the front.
  size_t part = count % TOI_LIMB_DIGITS == 0 ? TOI_LIMB_DIGITS : count % TOI_LIMB_DIGITS;
  for (size_t at = 0; at < count; at += part, part = TOI_LIMB_DIGITS) {
    toi_limb value = 0, carry = 0;
    for (size_t i = 0; i < part; i++)
      value = 10 * value + (toi_limb)(digits[at + i] - '0');
    // limbs = 10^19 limbs + value, where the first round has none.
    if (size > 0) {
      carry = toi_limbs_multiply_limb(limbs, limbs, size, BASE);
      carry += toi_limbs_add(limbs, limbs, size, &value, 1);
    } else {
      carry = value;
    }
    if (carry != 0)
      limbs[size++] = carry;
  }
  return size;
}

size_t toi_integer_decimal_size(toi_integer a) {
  // The digits, a sign and a zero byte.
  return TOI_DECIMAL_BYTES(toi_integer_bits(a)) + 2;
}

size_t toi_integer_decimal(toi_arena *arena, toi_integer a, char *text) {
  char *out = text;
  if (a.size < 0)
    *out++ = '-';
  if (a.size == 0) {
    *out++ = '0';
  } else {
    toi_limb *mark = toi_arena_mark(arena);
    const size_t count = (size_t)toi_integer_absolute(a).size;
    toi_limb *copy = toi_arena_take(arena, count);
    (void)toi_integer_store(copy, a);
    out += toi_limbs_decimal(copy, count, out);
    toi_arena_release(arena, mark);
  }
  *out = '\0';
  return (size_t)(out - text);
}
