/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Text that grows in a context's memory, with the numbers of certificates. */

#ifndef TOI_NARROW_CERTIFICATE_TEXT_H
#define TOI_NARROW_CERTIFICATE_TEXT_H

#include "base/internal.h"
#include "number/integer.h"

/* Make it with zeros and a context; free it with toi_prose_free. Once memory is refused it stays as it is. */
typedef struct toi_prose {
  toi_context *context;
  char *bytes; /* length bytes and a zero byte, or NULL while it is empty */
  size_t length, size;
  bool failed;
} toi_prose;

void toi_prose_free(toi_prose *text);

void toi_prose_add(toi_prose *text, const char *string);

/* " " and a double as a C99 hex float, whatever the locale. */
void toi_prose_add_double(toi_prose *text, double x);

/* " " and an integer in decimal; the arena is used for temporaries. */
void toi_prose_add_integer(toi_prose *text, toi_arena *arena, toi_integer value);

/* " " and m / 2^k, written as an integer and "p-" and the exponent. */
void toi_prose_add_dyadic(toi_prose *text, toi_arena *arena, toi_integer m, uint32_t k);

/* " " and numerator / denominator in lowest terms; the denominator is positive. */
void toi_prose_add_rational(toi_prose *text, toi_arena *arena, toi_integer numerator, toi_integer denominator);

#endif
