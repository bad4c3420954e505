/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The rows of a PLY file one by one: any format, any types, any lists.
 *
 * Promise: every fault of a row is named with its line or its number; memory grows with what was read, whatever a row
 * says about the length of its lists. A row of an ascii file is a line. */

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"
#include "io/decimal.h"
#include "io/ply.h"

/* The row that is being read. */
typedef struct rows {
  toi_ply *ply;
  const toi_ply_element *element;
  uint64_t row;
  double point[3];
  uint32_t ends[2];
} rows;

/* --- what is wrong --- */

TOI_PRINTF(2, 3) static toi_status fail_row(const rows *r, const char *format, ...) {
  char place[TOI_ERROR_SIZE / 2] = "", what[TOI_ERROR_SIZE / 2];
  if (r->ply->format == TOI_PLY_ASCII)
    snprintf(place, sizeof place, ":%zu", r->ply->feed.line);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return toi_fail(r->ply->context, TOI_ERROR_FORMAT, "%s%s: %s %" PRIu64 "%s", r->ply->path, place, r->element->name,
                  r->row, what);
}

static toi_status fail_truncated(const rows *r) {
  return toi_fail(r->ply->context, TOI_ERROR_FORMAT,
                  "%s: the file ends in %s %" PRIu64 " of %" PRIu64 "; it is truncated, restore its end", r->ply->path,
                  r->element->name, r->row, r->element->count);
}

static toi_status fail_word(const rows *r, toi_word word, const char *what) {
  if (word.length == 0)
    return fail_row(r, ": the line ends too soon; a row has a value for each property");
  char shown[TOI_SHOWN_BYTES];
  toi_word_show(word, shown);
  return fail_row(r, ": \"%s\" is not %s", shown, what);
}

/* --- one value --- */

/* Bytes of a binary row; NULL if the file has no more, or cannot be read. */
static const char *take(rows *r, size_t size, toi_status *status) {
  toi_feed *feed = &r->ply->feed;
  *status = toi_feed_want(feed, size);
  if (*status == TOI_OK && toi_feed_unread(feed) < size)
    *status = fail_truncated(r);
  if (*status != TOI_OK)
    return NULL;
  const char *bytes = feed->bytes + feed->begin;
  feed->begin += size;
  return bytes;
}

static toi_status next_integer(rows *r, toi_ply_type type, int64_t *value) {
  toi_status status;
  *value = 0;
  if (r->ply->format != TOI_PLY_ASCII) {
    const char *bytes = take(r, toi_ply_bytes(type), &status);
    if (bytes != NULL)
      *value = toi_ply_load(bytes, type, toi_ply_swapped(r->ply));
    return status;
  }
  toi_word word = {0};
  double number;
  status = toi_feed_word(&r->ply->feed, &word);
  if (status != TOI_OK)
    return status;
  const char *end = word.length > 0 ? toi_decimal_read(word.text, TOI_FLOAT64, &number) : NULL;
  if (end == NULL || end != word.text + word.length || !(fabs(number) <= 0x1p53) || number != trunc(number))
    return fail_word(r, word, "an integer; write digits only");
  *value = (int64_t)number;
  return TOI_OK;
}

static toi_status check_finite(const rows *r, double value, int axis) {
  if (isfinite(value))
    return TOI_OK;
  return fail_row(r, ": %c is %s; coordinates must be finite", 'x' + axis, isnan(value) ? "not a number" : "infinite");
}

static toi_status next_coordinate(rows *r, toi_ply_type type, int axis) {
  double *value = &r->point[axis];
  toi_status status;
  if (type != TOI_PLY_FLOAT32 && type != TOI_PLY_FLOAT64) {
    int64_t integer;
    status = next_integer(r, type, &integer);
    *value = (double)integer;
    return status;
  }
  if (r->ply->format == TOI_PLY_ASCII) {
    toi_word word = {0};
    status = toi_feed_word(&r->ply->feed, &word);
    if (status != TOI_OK)
      return status;
    const toi_scalar scalar = type == TOI_PLY_FLOAT32 ? TOI_FLOAT32 : TOI_FLOAT64;
    const char *end = word.length > 0 ? toi_decimal_read(word.text, scalar, value) : NULL;
    if (end == NULL || end != word.text + word.length)
      return fail_word(r, word, "a finite number; coordinates must be");
    return check_finite(r, *value, axis);
  }
  const char *bytes = take(r, toi_ply_bytes(type), &status);
  if (bytes == NULL)
    return status;
  if (type == TOI_PLY_FLOAT32) {
    const uint32_t bits = toi_load32(bytes, toi_ply_swapped(r->ply));
    float single;
    memcpy(&single, &bits, sizeof single);
    *value = (double)single;
  } else {
    const uint64_t bits = toi_load64(bytes, toi_ply_swapped(r->ply));
    memcpy(value, &bits, sizeof *value);
  }
  return check_finite(r, *value, axis);
}

static toi_status next_vertex(rows *r, toi_ply_type type, uint32_t *vertex) {
  int64_t number;
  const toi_status status = next_integer(r, type, &number);
  if (status != TOI_OK)
    return status;
  if (number < 0 || (uint64_t)number >= r->ply->vertex_count)
    return fail_row(r, " names vertex %" PRId64 ", but there are %" PRIu64 ", numbered from 0", number,
                    r->ply->vertex_count);
  *vertex = (uint32_t)number;
  return TOI_OK;
}

/* --- lists --- */

static toi_status skip_values(rows *r, toi_ply_type type, uint64_t count) {
  if (r->ply->format != TOI_PLY_ASCII) {
    uint64_t left;
    const toi_status status = toi_feed_skip(&r->ply->feed, count * toi_ply_bytes(type), &left);
    return status == TOI_OK && left > 0 ? fail_truncated(r) : status;
  }
  for (uint64_t i = 0; i < count; i++) {
    toi_word word = {0};
    const toi_status status = toi_feed_word(&r->ply->feed, &word);
    if (status != TOI_OK)
      return status;
    if (word.length == 0)
      return fail_word(r, word, "");
  }
  return TOI_OK;
}

/* A fan from the first corner: nothing has to be kept but two corners. */
static toi_status read_corners(rows *r, toi_ply_type type, uint64_t count) {
  if (count < 3)
    return fail_row(r, " has %" PRIu64 " corners; a face has 3 at least", count);
  uint32_t first = 0, last = 0, corner = 0;
  toi_status status = next_vertex(r, type, &first);
  if (status == TOI_OK)
    status = next_vertex(r, type, &last);
  for (uint64_t i = 2; status == TOI_OK && i < count; i++) {
    status = next_vertex(r, type, &corner);
    if (status == TOI_OK) {
      status = toi_maker_add_face(&r->ply->maker, first, last, corner);
      last = corner;
    }
  }
  return status;
}

static toi_status read_list(rows *r, const toi_ply_property *property) {
  int64_t count;
  const toi_ply_type type = (toi_ply_type)property->type;
  const toi_status status = next_integer(r, (toi_ply_type)property->count_type, &count);
  if (status != TOI_OK)
    return status;
  if (count < 0 || count > UINT32_MAX)
    return fail_row(r, ": a list of %" PRId64 " values; restore the file", count);
  if (r->ply->format != TOI_PLY_ASCII && (uint64_t)count > toi_feed_rest(&r->ply->feed) / toi_ply_bytes(type))
    return fail_row(r, ": a list of %" PRId64 " values is longer than the rest of the file; restore it", count);
  return property->role == TOI_PLY_CORNERS ? read_corners(r, type, (uint64_t)count)
                                           : skip_values(r, type, (uint64_t)count);
}

/* --- one row --- */

static toi_status read_property(rows *r, const toi_ply_property *property) {
  const toi_ply_type type = (toi_ply_type)property->type;
  if (property->count_type != TOI_PLY_NO_TYPE)
    return read_list(r, property);
  switch ((toi_ply_role)property->role) {
  case TOI_PLY_X:
  case TOI_PLY_Y:
  case TOI_PLY_Z:
    return next_coordinate(r, type, property->role - TOI_PLY_X);
  case TOI_PLY_VERTEX1:
  case TOI_PLY_VERTEX2:
    return next_vertex(r, type, &r->ends[property->role - TOI_PLY_VERTEX1]);
  case TOI_PLY_SKIPPED:
  case TOI_PLY_CORNERS:
    break;
  }
  return skip_values(r, type, 1);
}

static toi_status begin_line(rows *r) {
  bool found;
  const toi_status status = toi_feed_skip_blank(&r->ply->feed, &found);
  return status == TOI_OK && !found ? fail_truncated(r) : status;
}

static toi_status end_line(rows *r) {
  toi_word word = {0};
  const toi_status status = toi_feed_word(&r->ply->feed, &word);
  if (status != TOI_OK || word.length == 0)
    return status == TOI_OK ? toi_feed_end_line(&r->ply->feed) : status;
  char shown[TOI_SHOWN_BYTES];
  toi_word_show(word, shown);
  return fail_row(r, ": \"%s\" is left over at the end of the line; a row has a value for each property", shown);
}

static toi_status read_row(rows *r) {
  const bool text = r->ply->format == TOI_PLY_ASCII;
  toi_status status = text ? begin_line(r) : TOI_OK;
  for (size_t i = 0; status == TOI_OK && i < r->element->property_count; i++)
    status = read_property(r, &r->element->properties[i]);
  if (status == TOI_OK && text)
    status = end_line(r);
  if (status == TOI_OK && r->element->kind == TOI_PLY_VERTEX)
    return toi_maker_add_vertex(&r->ply->maker, r->point);
  if (status == TOI_OK && r->element->kind == TOI_PLY_EDGE)
    return toi_maker_add_loose(&r->ply->maker, r->ends[0], r->ends[1]);
  return status;
}

toi_status toi_ply_read_rows(toi_ply *ply, const toi_ply_element *element, uint64_t row) {
  // Rows without properties take no place.
  if (element->property_count == 0)
    return TOI_OK;
  rows r = {.ply = ply, .element = element, .row = row};
  for (; r.row < element->count; r.row++) {
    const toi_status status = read_row(&r);
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}
