/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Bytes as base64 (RFC 4648, with padding, no line breaks), piece by piece into an output. */

#ifndef CLI_BASE64_H
#define CLI_BASE64_H

#include "output.h"

typedef struct base64 {
  output *out;
  unsigned char rest[3]; /* what waits for a third byte */
  unsigned count;
  char text[4096];
  size_t length;
} base64;

/* Start from {.out = ...}. */
TOI_MUST_USE toi_status base64_append(base64 *b, const void *bytes, size_t size);
TOI_MUST_USE toi_status base64_finish(base64 *b);

#endif
