/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Wavefront OBJ files: `v`, `f` and `l` lines; everything else is skipped.
 *
 * Promise: faces may name vertices that come later, as long as they come; the error names the line. A backslash at the
 * end of a line joins the next one to it, as words of their own. */

#include <inttypes.h>
#include <math.h>

#include "base/internal.h"
#include "io/decimal.h"
#include "io/feed.h"
#include "io/frame.h"

typedef struct obj {
  toi_context *context;
  const char *path;
  toi_feed feed;
  toi_frame_maker maker;
  size_t line;       /* where the present line begins: it may have several */
  bool joined;       /* the last word ended in a backslash at the end of its line */
  uint64_t ahead;    /* the largest number of a vertex that was not there yet, from 1 */
  size_t ahead_line; /* and where it was named */
} obj;

/* --- words --- */

static toi_status fail_line(const obj *o, const char *what) {
  return toi_fail(o->context, TOI_ERROR_FORMAT, "%s:%zu: %s", o->path, o->line, what);
}

/* The next word up to the end of the line, those joined to it and comments considered. */
static toi_status next_word(obj *o, toi_word *word) {
  toi_feed *feed = &o->feed;
  for (;;) {
    toi_status status = o->joined ? toi_feed_end_line(feed) : TOI_OK;
    o->joined = false;
    if (status == TOI_OK)
      status = toi_feed_word(feed, word);
    if (status != TOI_OK || word->length == 0)
      return status;
    if (word->text[0] == '#') {
      *word = (toi_word){0};
      return TOI_OK;
    }
    const char *behind = feed->bytes + feed->begin;
    // Lines that end in these alone would all be one, and most of the file lost.
    if (*behind == '\r' && behind[1] != '\n')
      return fail_line(o, "a carriage return inside a line; end lines with a line feed, or with both");
    const bool last = *behind == '\n' || (*behind == '\r' && behind[1] == '\n');
    o->joined = last && word->text[word->length - 1] == '\\';
    word->length -= o->joined;
    if (word->length > 0)
      return TOI_OK;
  }
}

static bool is(toi_word word, char letter) {
  return word.length == 1 && word.text[0] == letter;
}

static toi_status fail_word(const obj *o, toi_word word, const char *what) {
  char shown[TOI_SHOWN_BYTES];
  toi_word_show(word, shown);
  return toi_fail(o->context, TOI_ERROR_FORMAT, "%s:%zu: \"%s\" %s", o->path, o->line, shown, what);
}

/* --- vertices --- */

static toi_status fail_coordinate(const obj *o, toi_word word, int axis) {
  char shown[TOI_SHOWN_BYTES];
  toi_word_show(word, shown);
  return toi_fail(o->context, TOI_ERROR_FORMAT,
                  "%s:%zu: vertex %zu: %c is \"%s\", which is not a finite number; coordinates must be", o->path,
                  o->line, o->maker.frame.vertex_count + 1, 'x' + axis, shown);
}

static toi_status read_vertex(obj *o) {
  double point[3];
  for (int axis = 0; axis < 3; axis++) {
    toi_word word = {0};
    const toi_status status = next_word(o, &word);
    if (status != TOI_OK)
      return status;
    if (word.length == 0)
      return fail_line(o, "a vertex has three coordinates; add what is missing");
    const char *end = toi_decimal_read(word.text, TOI_FLOAT64, &point[axis]);
    if (end == NULL || end != word.text + word.length || !isfinite(point[axis]))
      return fail_coordinate(o, word, axis);
  }
  return toi_maker_add_vertex(&o->maker, point);
}

/* --- faces and lines --- */

/* Digits up to the end of the word or a slash; what follows a slash is no business of ours, if it is numbers. */
static bool parse_corner(toi_word word, int64_t *number) {
  const char *text = word.text, *end = text + word.length;
  const bool negative = *text == '-';
  text += negative || *text == '+';
  const char *digits = text;
  int64_t value = 0;
  for (; text < end && *text >= '0' && *text <= '9'; text++)
    value = value <= UINT32_MAX ? value * 10 + (*text - '0') : value;
  if (text == digits || (text < end && *text != '/'))
    return false;
  int slashes = 0;
  for (; text < end; text++) {
    slashes += *text == '/';
    if (*text != '/' && *text != '-' && (*text < '0' || *text > '9'))
      return false;
  }
  *number = negative ? -value : value;
  return slashes <= 2;
}

/* *there is false at the end of the line. */
static toi_status next_corner(obj *o, uint32_t *vertex, bool *there) {
  toi_word word = {0};
  const toi_status status = next_word(o, &word);
  *there = status == TOI_OK && word.length > 0;
  if (!*there)
    return status;
  int64_t number;
  if (!parse_corner(word, &number) || number == 0)
    return fail_word(o, word, "is not a vertex; write its number, from 1, or from the end with a minus sign");
  const int64_t count = (int64_t)o->maker.frame.vertex_count;
  if (number < 0)
    number += count + 1;
  if (number <= 0 || number > (int64_t)TOI_FRAME_MOST)
    return fail_word(o, word, "is out of range; there is no such vertex");
  if (number > count && (uint64_t)number > o->ahead) {
    o->ahead = (uint64_t)number;
    o->ahead_line = o->line;
  }
  *vertex = (uint32_t)(number - 1);
  return TOI_OK;
}

/* A fan from the first corner. */
static toi_status read_face(obj *o) {
  uint32_t corners[3] = {0};
  size_t count = 0;
  for (;; count++) {
    bool there;
    const toi_status status = next_corner(o, &corners[count < 2 ? count : 2], &there);
    if (status != TOI_OK)
      return status;
    if (!there)
      break;
    if (count < 2)
      continue;
    const toi_status added = toi_maker_add_face(&o->maker, corners[0], corners[1], corners[2]);
    if (added != TOI_OK)
      return added;
    corners[1] = corners[2];
  }
  return count < 3 ? fail_line(o, "a face has three corners at least; add what is missing") : TOI_OK;
}

static toi_status read_polyline(obj *o) {
  uint32_t last = 0;
  size_t count = 0;
  for (;; count++) {
    uint32_t vertex = 0;
    bool there;
    const toi_status status = next_corner(o, &vertex, &there);
    if (status != TOI_OK)
      return status;
    if (!there)
      break;
    const toi_status added = count == 0 ? TOI_OK : toi_maker_add_loose(&o->maker, last, vertex);
    if (added != TOI_OK)
      return added;
    last = vertex;
  }
  return count < 2 ? fail_line(o, "a line has two vertices at least; add what is missing") : TOI_OK;
}

/* --- the file --- */

static toi_status skip_words(obj *o) {
  toi_word word = {0};
  toi_status status;
  do
    status = next_word(o, &word);
  while (status == TOI_OK && word.length > 0);
  return status;
}

static toi_status read_line(obj *o) {
  toi_word word = {0};
  toi_status status = next_word(o, &word);
  if (status == TOI_OK && is(word, 'v'))
    status = read_vertex(o);
  else if (status == TOI_OK && is(word, 'f'))
    status = read_face(o);
  else if (status == TOI_OK && is(word, 'l'))
    status = read_polyline(o);
  if (status == TOI_OK && word.length > 0)
    status = skip_words(o);
  return status == TOI_OK ? toi_feed_end_line(&o->feed) : status;
}

static toi_status read_file(obj *o, toi_frame *frame) {
  for (;;) {
    bool found;
    toi_status status = toi_feed_skip_blank(&o->feed, &found);
    o->line = o->feed.line;
    if (status == TOI_OK && found)
      status = read_line(o);
    if (status != TOI_OK)
      return status;
    if (!found)
      break;
  }
  const size_t count = o->maker.frame.vertex_count;
  if (count == 0)
    return toi_fail(o->context, TOI_ERROR_FORMAT, "%s: a mesh without vertices; give it some", o->path);
  if (o->ahead > count)
    return toi_fail(o->context, TOI_ERROR_FORMAT, "%s:%zu: vertex %" PRIu64 " is named, but there are %zu", o->path,
                    o->ahead_line, o->ahead, count);
  return toi_maker_finish(&o->maker, frame);
}

toi_status toi_obj_read(toi_context *context, const char *path, toi_frame *frame) {
  obj o = {.context = context, .path = path, .maker = {.context = context, .path = path}};
  toi_status status = toi_feed_open(&o.feed, context, path);
  if (status != TOI_OK)
    return status;
  status = read_file(&o, frame);
  toi_maker_discard(&o.maker);
  toi_feed_close(&o.feed);
  return status;
}
