/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A file that is read through a buffer, from its beginning to its end: for readers that take it piece by piece. */

#ifndef TOI_IO_FEED_H
#define TOI_IO_FEED_H

#include "io/source.h"

#define TOI_FEED_BYTES ((size_t)256 << 10)

/* The longest word of a text: longer ones are no numbers and no names. */
#define TOI_WORD_BYTES 4096

/* The longest line, or a little less: a polygon of a million corners fits. */
#define TOI_LINE_BYTES ((uint64_t)16 << 20)

typedef struct toi_feed {
  toi_source source;
  char *bytes; /* unread are those from begin to end; a newline stands behind them */
  size_t begin, end;
  uint64_t offset;     /* of the byte behind them in the file, as it is when decompressed */
  bool ended;          /* and the file ends there */
  size_t line;         /* of a text: the line that `begin` lies in, from 1 */
  uint64_t line_place; /* and where that begins, since words are asked for */
} toi_feed;

toi_status toi_feed_open(toi_feed *feed, toi_context *context, const char *path);
void toi_feed_close(toi_feed *feed);

/* Fills the buffer as far as it and the file go. */
toi_status toi_feed_fill(toi_feed *feed);

/* Sees to `size` unread bytes, at most TOI_FEED_BYTES, if the file has that many. */
static inline toi_status toi_feed_want(toi_feed *feed, size_t size) {
  return feed->end - feed->begin >= size || feed->ended ? TOI_OK : toi_feed_fill(feed);
}

static inline size_t toi_feed_unread(const toi_feed *feed) {
  return feed->end - feed->begin;
}

/* Where in the file the next byte is. */
static inline uint64_t toi_feed_place(const toi_feed *feed) {
  return feed->offset - toi_feed_unread(feed);
}

/* Whether the size is known and any part of the file can be read. */
static inline bool toi_feed_seekable(const toi_feed *feed) {
  return feed->source.size > 0;
}

/* Bytes from the next one to the end of the file; UINT64_MAX if that is not known. */
uint64_t toi_feed_rest(const toi_feed *feed);

/* Goes on at a place of a seekable file. */
void toi_feed_seek(toi_feed *feed, uint64_t place);

/* Leaves bytes out; *left counts those that the file does not have. */
toi_status toi_feed_skip(toi_feed *feed, uint64_t size, uint64_t *left);

/* --- texts: words between blanks, lines between newlines --- */

typedef struct toi_word {
  const char *text; /* in the buffer, until the feed is asked again; NULL: the line has no more */
  size_t length;
} toi_word;

/* The next word of this line. A word of TOI_WORD_BYTES is cut there; its reader will not like it. A line that goes on
 * for longer than TOI_LINE_BYTES is refused, here and below. */
toi_status toi_feed_word(toi_feed *feed, toi_word *word);

/* Goes behind the end of this line. */
toi_status toi_feed_end_line(toi_feed *feed);

/* Goes to the first word of the next line that has one, this one included; *found is false at the end of the file. */
toi_status toi_feed_skip_blank(toi_feed *feed, bool *found);

/* A word for a sentence: shortened, and made printable. */
#define TOI_SHOWN_BYTES 48
void toi_word_show(toi_word word, char shown[TOI_SHOWN_BYTES]);

static inline bool toi_is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

#endif
