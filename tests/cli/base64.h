/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Base64 as the command writes it, read again. */

#ifndef TOI_TESTS_BASE64_H
#define TOI_TESTS_BASE64_H

#include "support/support.h"

#include <string.h>

static inline unsigned digit_of(char c) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *at = strchr(digits, c);
  assert_true(at != NULL && c != '\0');
  return (unsigned)(at - digits);
}

static inline size_t from_base64(const char *text, size_t length, unsigned char *out) {
  size_t count = 0;
  assert_int_equal(length % 4, 0);
  for (size_t i = 0; i < length; i += 4) {
    const size_t bytes = text[i + 2] == '=' ? 1 : text[i + 3] == '=' ? 2 : 3;
    uint32_t bits = 0;
    for (size_t k = 0; k < 4; k++)
      bits = bits << 6 | (k <= bytes ? digit_of(text[i + k]) : 0);
    assert_true(bytes == 3 || i + 4 == length);
    for (size_t k = 0; k < bytes; k++)
      out[count++] = (unsigned char)(bits >> (16 - 8 * k));
  }
  return count;
}

/* Takes the base64 of images out of a text: letters that come by chance. */
static inline void drop_images(char *text) {
  char *begin = text;
  while ((begin = strstr(begin, ";base64,")) != NULL) {
    begin += strlen(";base64,");
    const char *end = begin + strcspn(begin, "\"");
    memmove(begin, end, strlen(end) + 1);
  }
}

#endif
