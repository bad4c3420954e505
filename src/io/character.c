/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Characters of JSON strings: UTF-8 as RFC 3629 has it, and escapes.
 *
 * Promise: what is given out is valid UTF-8 without a zero byte. A byte that is no part of a character ends the
 * reading, so one behind the text is enough. */

#include "io/character.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Four hexadecimal digits; false if they are not there. */
static bool scan_hex(const char *text, uint32_t *value) {
  *value = 0;
  for (int i = 0; i < 4; i++) {
    const char c = text[i], lower = (char)(c | 0x20);
    if (!is_digit(c) && (lower < 'a' || lower > 'f'))
      return false;
    *value = *value << 4 | (uint32_t)(is_digit(c) ? c - '0' : lower - 'a' + 10);
  }
  return true;
}

/* The bytes of a code point. */
static size_t encode(uint32_t code, char to[4]) {
  if (code < 0x80) {
    to[0] = (char)code;
    return 1;
  }
  const size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  static const uint32_t lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t i = length - 1; i > 0; i--, code >>= 6)
    to[i] = (char)(0x80 | (code & 0x3f));
  to[0] = (char)(lead[length] | code);
  return length;
}

/* What stands behind \u: returns how long it is, 0 if it is no character. A pair of surrogates is one. */
static size_t scan_code(const char *text, uint32_t *code) {
  uint32_t low;
  if (!scan_hex(text, code) || *code == 0 || (*code >= 0xdc00 && *code < 0xe000))
    return 0;
  if (*code < 0xd800 || *code >= 0xe000)
    return 4;
  if (text[4] != '\\' || text[5] != 'u' || !scan_hex(text + 6, &low) || low < 0xdc00 || low >= 0xe000)
    return 0;
  *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
  return 10;
}

/* A character in UTF-8: how long it is, 0 if it is none, or longer than it needs to be. */
static size_t scan_utf8(const char *text) {
  const unsigned char first = (unsigned char)text[0];
  if (first < 0x80)
    return 1;
  const size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (size_t i = 1; i < length; i++)
    if (((unsigned char)text[i] & 0xc0) != 0x80)
      return 0;
  const unsigned char second = length > 2 ? (unsigned char)text[1] : 0;
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) || (first == 0xf0 && second < 0x90) ||
      (first == 0xf4 && second >= 0x90))
    return 0;
  return length;
}

/* An escape, `text` behind its backslash: returns how long it is, 0 if it is none. */
static size_t scan_escape(const char *text, char to[4], size_t *length) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  uint32_t code;
  if (*text == 'u') {
    const size_t digits = scan_code(text + 1, &code);
    *length = digits == 0 ? 0 : encode(code, to);
    return digits == 0 ? 0 : 1 + digits;
  }
  const char *letter = *text == '\0' ? NULL : strchr(letters, *text);
  if (letter == NULL)
    return 0;
  to[0] = meanings[letter - letters];
  *length = 1;
  return 1;
}

size_t toi_character_read(const char *text, char to[4], size_t *length) {
  if (*text == '\\') {
    const size_t size = scan_escape(text + 1, to, length);
    return size == 0 ? 0 : 1 + size;
  }
  *length = scan_utf8(text);
  memcpy(to, text, *length);
  return *length;
}
