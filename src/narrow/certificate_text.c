/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Growing text, and numbers in it. */

#include "narrow/certificate_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number/integer_text.h"

void toi_prose_free(toi_prose *text) {
  toi_free(text->context, text->bytes, text->size);
  text->bytes = NULL;
  text->length = text->size = 0;
}

/* Room for so many bytes and a zero byte after the text; NULL if memory is refused. */
static char *reserve(toi_prose *text, size_t bytes) {
  const size_t least = text->length + bytes + 1;
  if (!text->failed && least > text->size) {
    const size_t size = 2 * text->size > least ? 2 * text->size : least + 512;
    char *larger = toi_resize(text->context, text->bytes, text->size, size);
    text->failed = larger == NULL;
    if (!text->failed) {
      text->bytes = larger;
      text->size = size;
    }
  }
  return text->failed ? NULL : text->bytes + text->length;
}

void toi_prose_add(toi_prose *text, const char *string) {
  const size_t length = strlen(string);
  char *out = reserve(text, length);
  if (out != NULL) {
    memcpy(out, string, length + 1);
    text->length += length;
  }
}

void toi_prose_add_double(toi_prose *text, double x) {
  char digits[16], written[48];
  int exponent = 0, last = 0;
  const bool zero = x == 0;
  // |x| = 2 fraction 2^(exponent - 1), and 2 fraction = 1.hhhhhhhhhhhhh.
  const double fraction = frexp(fabs(x), &exponent);
  const uint64_t mantissa = zero ? 0 : (uint64_t)ldexp(fraction, 53) - (UINT64_C(1) << 52);
  for (int i = 0; i < 13; i++) {
    digits[i] = "0123456789abcdef"[(mantissa >> (4 * (12 - i))) & 15];
    last = digits[i] != '0' ? i + 1 : last;
  }
  digits[last] = '\0';
  (void)snprintf(written, sizeof written, " %s0x%c%s%sp%+d", signbit(x) ? "-" : "", zero ? '0' : '1',
                 last > 0 ? "." : "", digits, zero ? 0 : exponent - 1);
  toi_prose_add(text, written);
}

static void add_digits(toi_prose *text, toi_arena *arena, toi_integer value) {
  char *out = reserve(text, toi_integer_decimal_size(value));
  if (out != NULL)
    text->length += toi_integer_decimal(arena, value, out);
}

void toi_prose_add_integer(toi_prose *text, toi_arena *arena, toi_integer value) {
  toi_prose_add(text, " ");
  add_digits(text, arena, value);
}

void toi_prose_add_dyadic(toi_prose *text, toi_arena *arena, toi_integer m, uint32_t k) {
  toi_limb *mark = toi_arena_mark(arena);
  if (m.size == 0) {
    k = 0;
  } else {
    const uint32_t zeros = toi_integer_trailing_zeros(m), excess = zeros < k ? zeros : k;
    m = toi_integer_shift_right(arena, m, excess);
    k -= excess;
  }
  toi_prose_add_integer(text, arena, m);
  if (k > 0) {
    char written[16];
    (void)snprintf(written, sizeof written, "p-%" PRIu32, k);
    toi_prose_add(text, written);
  }
  toi_arena_release(arena, mark);
}

void toi_prose_add_rational(toi_prose *text, toi_arena *arena, toi_integer numerator, toi_integer denominator) {
  toi_limb *mark = toi_arena_mark(arena);
  const toi_integer divisor = toi_integer_gcd(arena, numerator, denominator);
  toi_prose_add_integer(text, arena, toi_integer_divide_exact(arena, numerator, divisor));
  const toi_integer rest = toi_integer_divide_exact(arena, denominator, divisor);
  if (toi_integer_bits(rest) > 1) {
    toi_prose_add(text, "/");
    add_digits(text, arena, rest);
  }
  toi_arena_release(arena, mark);
}
