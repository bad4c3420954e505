/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs as JSON. Numbers are formatted here, many millions of them, and leave in blocks. */

#include "pair_file.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 8192
#define PAIR_TEXT 26 /* ",[4294967295,4294967295]" and some */

static const char *const names[1 + PAIR_KINDS] = {"crossings", "vf", "ee", "ve", "vv", "vh"};

const char *pair_kind_name(toi_kind kind) {
  return names[1 + pair_row(kind)];
}

/* Ends the list that is open and opens another one. */
static toi_status open_list(pair_file *file, const char *name) {
  char text[32];
  int size = snprintf(text, sizeof text, "%s\"%s\":[", file->began ? "],\n" : "{", name);
  file->began = true;
  file->any = false;
  return output_append(file->out, text, (size_t)size);
}

/* Opens the lists up to the given one. */
static toi_status open_lists(pair_file *file, int list) {
  toi_status status = TOI_OK;
  while (status == TOI_OK && file->list < list)
    status = open_list(file, names[++file->list]);
  return status;
}

static char *put_number(char *at, uint32_t number) {
  char digits[10];
  int count = 0;
  do {
    digits[count++] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  while (count > 0)
    *at++ = digits[--count];
  return at;
}

static toi_status append_pairs(pair_file *file, int list, const toi_pair *pairs, size_t count) {
  assert(list >= file->list);
  char text[BLOCK];
  char *at = text;
  toi_status status = open_lists(file, list);
  for (size_t i = 0; status == TOI_OK && i < count; i++) {
    if (file->any)
      *at++ = ',';
    *at++ = '[';
    at = put_number(at, pairs[i].first);
    *at++ = ',';
    at = put_number(at, pairs[i].second);
    *at++ = ']';
    file->any = true;
    if (at > text + BLOCK - PAIR_TEXT) {
      status = output_append(file->out, text, (size_t)(at - text));
      at = text;
    }
  }
  return status == TOI_OK && at > text ? output_append(file->out, text, (size_t)(at - text)) : status;
}

toi_status pair_file_append(pair_file *file, toi_kind kind, const toi_pair *pairs, size_t count) {
  return append_pairs(file, 1 + pair_row(kind), pairs, count);
}

toi_status pair_file_append_crossings(pair_file *file, const toi_pair *pairs, size_t count) {
  return append_pairs(file, 0, pairs, count);
}

toi_status pair_file_open_numbers(pair_file *file, const char *name) {
  toi_status status = open_lists(file, file->kinds);
  return status == TOI_OK ? open_list(file, name) : status;
}

toi_status pair_file_append_number(pair_file *file, uint32_t number, size_t times) {
  char text[12];
  toi_status status = TOI_OK;
  for (size_t i = 0; status == TOI_OK && i < times; i++) {
    char *at = text;
    if (file->any)
      *at++ = ',';
    at = put_number(at, number);
    file->any = true;
    status = output_append(file->out, text, (size_t)(at - text));
  }
  return status;
}

toi_status pair_file_end(pair_file *file) {
  const toi_status status = open_lists(file, file->kinds);
  return status == TOI_OK ? output_append_text(file->out, "]}\n") : status;
}
