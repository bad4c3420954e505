/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs as JSON. Numbers are formatted here, many millions of them, and leave in blocks. */

#include "pair_file.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 8192
#define PAIR_TEXT 26 /* ",[4294967295,4294967295]" and some */

const char *pair_kind_name(toi_kind kind) {
  static const char *const names[TOI_KIND_COUNT] = {"vf", "ee", "ve", "vv"};
  return names[kind];
}

toi_status pair_file_open(toi_context *context, const char *path, pair_file *file) {
  *file = (pair_file){.kind = -1};
  return toi_output_create(context, path, &file->output);
}

/* Ends the list that is open and opens those up to the given one. */
static toi_status open_list(pair_file *file, int kind) {
  toi_status status = TOI_OK;
  while (status == TOI_OK && file->kind < kind) {
    char text[16];
    const char *opening = file->kind < 0 ? "{" : "],\n";
    int size = snprintf(text, sizeof text, "%s\"%s\":[", opening, pair_kind_name((toi_kind)(file->kind + 1)));
    status = toi_output_append(file->output, text, (size_t)size);
    file->kind++;
    file->any = false;
  }
  return status;
}

static char *put_number(char *at, uint32_t number) {
  char digits[10];
  int count = 0;
  do {
    digits[count++] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  while (count > 0) {
    *at++ = digits[--count];
  }
  return at;
}

toi_status pair_file_append(pair_file *file, toi_kind kind, const toi_pair *pairs, size_t count) {
  assert((int)kind >= file->kind);
  char text[BLOCK];
  char *at = text;
  toi_status status = open_list(file, (int)kind);
  for (size_t i = 0; status == TOI_OK && i < count; i++) {
    if (file->any) {
      *at++ = ',';
    }
    *at++ = '[';
    at = put_number(at, pairs[i].first);
    *at++ = ',';
    at = put_number(at, pairs[i].second);
    *at++ = ']';
    file->any = true;
    if (at > text + BLOCK - PAIR_TEXT) {
      status = toi_output_append(file->output, text, (size_t)(at - text));
      at = text;
    }
  }
  return status == TOI_OK && at > text ? toi_output_append(file->output, text, (size_t)(at - text)) : status;
}

toi_status pair_file_commit(pair_file *file) {
  toi_status status = open_list(file, TOI_KIND_COUNT - 1);
  if (status == TOI_OK) {
    status = toi_output_append(file->output, "]}\n", 3);
  }
  if (status != TOI_OK) {
    pair_file_discard(file);
    return status;
  }
  status = toi_output_commit(file->output);
  file->output = NULL;
  return status;
}

void pair_file_discard(pair_file *file) {
  toi_output_discard(file->output);
  file->output = NULL;
}
