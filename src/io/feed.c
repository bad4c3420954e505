/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A file through a buffer.
 *
 * Promise: every byte comes once and in order; memory is the buffer's, however long the file, its lines and its words
 * are. A seekable file is read at places, so that other threads may read other parts of it at the same time. */

#include "io/feed.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"

toi_status toi_feed_open(toi_feed *feed, toi_context *context, const char *path) {
  memset(feed, 0, sizeof *feed);
  feed->line = 1;
  toi_status status = toi_source_open(&feed->source, context, path);
  if (status != TOI_OK)
    return status;
  feed->bytes = toi_allocate(context, TOI_FEED_BYTES + 1);
  if (feed->bytes == NULL) {
    toi_source_close(&feed->source);
    return TOI_ERROR_MEMORY;
  }
  feed->bytes[0] = '\n';
  return TOI_OK;
}

void toi_feed_close(toi_feed *feed) {
  toi_free(feed->source.context, feed->bytes, TOI_FEED_BYTES + 1);
  toi_source_close(&feed->source);
}

toi_status toi_feed_fill(toi_feed *feed) {
  const size_t unread = toi_feed_unread(feed), room = TOI_FEED_BYTES - unread;
  memmove(feed->bytes, feed->bytes + feed->begin, unread);
  feed->begin = 0;
  feed->end = unread;
  feed->bytes[feed->end] = '\n';
  size_t got;
  const toi_status status = toi_feed_seekable(feed)
                                ? toi_source_read_at(&feed->source, feed->offset, feed->bytes + unread, room, &got)
                                : toi_source_read(&feed->source, feed->bytes + unread, room, &got);
  if (status != TOI_OK)
    return status;
  feed->end += got;
  feed->offset += got;
  feed->ended = got < room;
  feed->bytes[feed->end] = '\n';
  return TOI_OK;
}

uint64_t toi_feed_rest(const toi_feed *feed) {
  if (feed->ended)
    return toi_feed_unread(feed);
  const uint64_t place = toi_feed_place(feed);
  if (!toi_feed_seekable(feed))
    return UINT64_MAX;
  return feed->source.size > place ? feed->source.size - place : 0;
}

void toi_feed_seek(toi_feed *feed, uint64_t place) {
  assert(toi_feed_seekable(feed));
  feed->begin = feed->end = 0;
  feed->bytes[0] = '\n';
  feed->offset = place;
  feed->ended = false;
}

toi_status toi_feed_skip(toi_feed *feed, uint64_t size, uint64_t *left) {
  *left = size;
  if (size > toi_feed_unread(feed) && toi_feed_seekable(feed)) {
    const uint64_t rest = toi_feed_rest(feed), skipped = size < rest ? size : rest;
    toi_feed_seek(feed, toi_feed_place(feed) + skipped);
    *left -= skipped;
    return TOI_OK;
  }
  while (*left > 0) {
    const toi_status status = toi_feed_want(feed, 1);
    const size_t unread = toi_feed_unread(feed), skipped = *left < unread ? (size_t)*left : unread;
    if (status != TOI_OK || skipped == 0)
      return status;
    feed->begin += skipped;
    *left -= skipped;
  }
  return TOI_OK;
}

/* --- texts --- */

static toi_status check_line(const toi_feed *feed) {
  if (toi_feed_place(feed) - feed->line_place <= TOI_LINE_BYTES)
    return TOI_OK;
  return toi_fail(feed->source.context, TOI_ERROR_FORMAT,
                  "%s:%zu: a line of more than %" PRIu64 " bytes; split it, or check that this is a mesh",
                  feed->source.path, feed->line, TOI_LINE_BYTES);
}

/* Behind a newline. */
static void next_line(toi_feed *feed) {
  feed->line++;
  feed->line_place = toi_feed_place(feed);
}

/* To the next byte that is no blank within the line; it may be the newline. */
static toi_status skip_spaces(toi_feed *feed) {
  for (;;) {
    toi_status status = check_line(feed);
    if (status == TOI_OK)
      status = toi_feed_want(feed, TOI_WORD_BYTES + 1);
    if (status != TOI_OK)
      return status;
    while (feed->begin < feed->end && toi_is_blank(feed->bytes[feed->begin]) && feed->bytes[feed->begin] != '\n')
      feed->begin++;
    // Enough for a whole word, or all that there is.
    if (toi_feed_unread(feed) > TOI_WORD_BYTES || feed->ended)
      return TOI_OK;
  }
}

toi_status toi_feed_word(toi_feed *feed, toi_word *word) {
  *word = (toi_word){0};
  const toi_status status = skip_spaces(feed);
  if (status != TOI_OK)
    return status;
  const char *text = feed->bytes + feed->begin;
  size_t length = 0;
  while (length < TOI_WORD_BYTES && !toi_is_blank(text[length]))
    length++;
  // A byte of the file that happens to stand at the end of the buffer is a newline too.
  assert(feed->begin + length <= feed->end);
  feed->begin += length;
  *word = (toi_word){length > 0 ? text : NULL, length};
  return TOI_OK;
}

toi_status toi_feed_end_line(toi_feed *feed) {
  for (;;) {
    const char *text = feed->bytes + feed->begin;
    const char *newline = memchr(text, '\n', toi_feed_unread(feed));
    if (newline != NULL) {
      feed->begin += (size_t)(newline - text) + 1;
      next_line(feed);
      return TOI_OK;
    }
    feed->begin = feed->end;
    toi_status status = check_line(feed);
    if (status == TOI_OK)
      status = toi_feed_want(feed, 1);
    if (status != TOI_OK || toi_feed_unread(feed) == 0)
      return status;
  }
}

toi_status toi_feed_skip_blank(toi_feed *feed, bool *found) {
  // What came before may have been no text.
  feed->line_place = toi_feed_place(feed);
  for (;;) {
    const toi_status status = skip_spaces(feed);
    *found = status == TOI_OK && toi_feed_unread(feed) > 0;
    if (!*found || feed->bytes[feed->begin] != '\n')
      return status;
    feed->begin++;
    next_line(feed);
  }
}

void toi_word_show(toi_word word, char shown[TOI_SHOWN_BYTES]) {
  const bool cut = word.length >= TOI_SHOWN_BYTES;
  const size_t kept = cut ? TOI_SHOWN_BYTES - 4 : word.length;
  for (size_t i = 0; i < kept; i++)
    shown[i] = word.text[i] >= ' ' && word.text[i] <= '~' ? word.text[i] : '?';
  snprintf(shown + kept, TOI_SHOWN_BYTES - kept, "%s", cut ? "..." : "");
}
