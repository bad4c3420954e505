/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Three bytes make four digits. */

#include "base64.h"

static toi_status flush(base64 *b) {
  const size_t length = b->length;
  b->length = 0;
  return length > 0 ? output_append(b->out, b->text, length) : TOI_OK;
}

/* The digits of up to three bytes; what is missing is written as =. */
static void put_group(base64 *b) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  uint32_t bits = 0;
  for (unsigned k = 0; k < 3; k++)
    bits = bits << 8 | (k < b->count ? b->rest[k] : 0);
  for (unsigned k = 0; k < 4; k++)
    b->text[b->length++] = k <= b->count ? digits[bits >> (18 - 6 * k) & 63] : '=';
  b->count = 0;
}

toi_status base64_append(base64 *b, const void *bytes, size_t size) {
  const unsigned char *next = bytes;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < size && status == TOI_OK; i++) {
    b->rest[b->count++] = next[i];
    if (b->count == 3)
      put_group(b);
    if (b->length == sizeof b->text)
      status = flush(b);
  }
  return status;
}

toi_status base64_finish(base64 *b) {
  if (b->count > 0)
    put_group(b);
  return flush(b);
}
