/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The truth of a query file: which queries touch and, where the file says it, when.
 *
 * Two formats, told apart by their first byte: a JSON list of booleans (or of 0 and 1), and CSV with the header
 * `hit,toi_lo,toi_hi`. Both are so small a grammar that reading them here costs less than a parser would: every error
 * has its line, the text passes through the feed's buffer, and memory follows the values that have arrived. Times are
 * read exactly; a time that is no double is refused. */

#include <toi/io.h>

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "io/array.h"
#include "io/feed.h"
#include "io/rational.h"

#define HEADER "hit,toi_lo,toi_hi"

/* Exponents beyond this are beyond any double, whatever the mantissa's 64 bits are. */
#define EXPONENT_LIMIT 10000

/* Of a row, all that is read at once: a digit, two times and the end of the line. */
#define ROW_BYTES 1024

typedef struct truth_reader {
  toi_feed feed;
  const char *text; /* what is read next, in the feed's buffer; a newline stands behind what is there */
  toi_truth *truth; /* its count is what was read so far */
  size_t hit_room, lo_room, hi_room;
} truth_reader;

static toi_status fail_here(const truth_reader *r, const char *sentence) {
  return toi_fail(r->feed.source.context, TOI_ERROR_FORMAT, "%s:%zu: %s", r->feed.source.path, r->feed.line, sentence);
}

/* --- memory --- */

static toi_status reserve_times(toi_context *context, double **times, size_t *room, size_t count) {
  void *array = *times;
  const toi_status status = toi_array_reserve(context, &array, room, sizeof(double), count);
  *times = array;
  return status;
}

/* Room for one value more; the arrays double, so that all growth together costs little. */
static toi_status reserve(truth_reader *r, bool times) {
  toi_truth *truth = r->truth;
  toi_context *context = r->feed.source.context;
  const size_t larger = toi_array_larger(truth->count);
  if (truth->count < r->hit_room)
    return TOI_OK;
  void *hit = truth->hit;
  toi_status status = toi_array_reserve(context, &hit, &r->hit_room, 1, larger);
  truth->hit = hit;
  if (times && status == TOI_OK)
    status = reserve_times(context, &truth->t_lo, &r->lo_room, larger);
  if (times && status == TOI_OK)
    status = reserve_times(context, &truth->t_hi, &r->hi_room, larger);
  return status;
}

/* The arrays at their exact size, from which toi_truth_free() computes it again. */
static toi_status shrink(truth_reader *r) {
  toi_truth *truth = r->truth;
  toi_context *context = r->feed.source.context;
  void *hit = truth->hit, *t_lo = truth->t_lo, *t_hi = truth->t_hi;
  toi_status status = toi_array_shrink(context, &hit, &r->hit_room, 1, truth->count);
  if (status == TOI_OK && t_lo != NULL)
    status = toi_array_shrink(context, &t_lo, &r->lo_room, sizeof(double), truth->count);
  if (status == TOI_OK && t_hi != NULL)
    status = toi_array_shrink(context, &t_hi, &r->hi_room, sizeof(double), truth->count);
  truth->hit = hit;
  truth->t_lo = t_lo;
  truth->t_hi = t_hi;
  return status;
}

static void discard(truth_reader *r) {
  toi_context *context = r->feed.source.context;
  toi_free(context, r->truth->hit, r->hit_room);
  toi_free(context, r->truth->t_lo, r->lo_room * sizeof(double));
  toi_free(context, r->truth->t_hi, r->hi_room * sizeof(double));
  *r->truth = (toi_truth){0};
}

/* --- text --- */

/* Goes on at r->text, and sees to it that the next bytes are there. */
static toi_status look(truth_reader *r, size_t size) {
  toi_feed *feed = &r->feed;
  if (r->text != NULL)
    feed->begin = (size_t)(r->text - feed->bytes);
  // The newline behind the end of the file may have been read as one.
  feed->begin = feed->begin < feed->end ? feed->begin : feed->end;
  const toi_status status = toi_feed_want(feed, size);
  r->text = feed->bytes + feed->begin;
  return status;
}

static bool at_end(const truth_reader *r) {
  return r->text >= r->feed.bytes + r->feed.end;
}

static bool accept(truth_reader *r, const char *word) {
  const size_t length = strlen(word);
  if (strncmp(r->text, word, length) != 0)
    return false;
  r->text += length;
  return true;
}

static toi_status skip_blank(truth_reader *r) {
  toi_status status = look(r, 1);
  while (status == TOI_OK && !at_end(r) && isspace((unsigned char)*r->text)) {
    r->feed.line += *r->text == '\n';
    r->text++;
    status = at_end(r) ? look(r, 1) : TOI_OK;
  }
  return status;
}

/* --- JSON --- */

static toi_status json_value(truth_reader *r) {
  toi_status status = look(r, ROW_BYTES);
  if (status != TOI_OK)
    return status;
  const bool yes = accept(r, "true") || accept(r, "1");
  if (!yes && !accept(r, "false") && !accept(r, "0"))
    return fail_here(r, "neither true nor false; the truth is one JSON list of booleans");
  status = reserve(r, false);
  if (status == TOI_OK)
    r->truth->hit[r->truth->count++] = yes;
  return status;
}

static toi_status json_parse(truth_reader *r) {
  toi_status status = TOI_OK;
  for (bool more = accept(r, "["); more && status == TOI_OK;) {
    status = skip_blank(r);
    if (status == TOI_OK)
      status = json_value(r);
    if (status == TOI_OK)
      status = skip_blank(r);
    if (status != TOI_OK)
      return status;
    more = accept(r, ",");
    if (!more && !accept(r, "]"))
      return fail_here(r, "the JSON list of booleans ends early; restore the file");
  }
  status = skip_blank(r);
  return status != TOI_OK || at_end(r) ? status : fail_here(r, "something follows the JSON list; remove it");
}

/* --- CSV --- */

static int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The exponent behind the p, in decimal; false if there is no digit or there are too many. */
static bool exponent_read(truth_reader *r, int64_t *exponent) {
  bool negative = accept(r, "-");
  if (!negative)
    accept(r, "+");
  int64_t value = 0;
  const char *begin = r->text;
  for (; *r->text >= '0' && *r->text <= '9'; r->text++) {
    value = value * 10 + (*r->text - '0');
    if (value > EXPONENT_LIMIT)
      return false;
  }
  *exponent += negative ? -value : value;
  return r->text > begin;
}

/* A C99 hex float such as 0x1.8p-3. Written out here because strtod follows the locale and rounds. */
static bool hex_float_read(truth_reader *r, double *value) {
  if (!accept(r, "0x") && !accept(r, "0X"))
    return false;
  uint64_t mantissa = 0;
  int64_t exponent = 0;
  bool point = false, digits = false;
  for (;; r->text++) {
    int digit = hex_digit(*r->text);
    if (digit < 0) {
      if (*r->text != '.' || point)
        break;
      point = true;
      continue;
    }
    if (mantissa >> 60 != 0)
      return false;
    mantissa = mantissa << 4 | (unsigned)digit;
    exponent -= point ? 4 : 0;
    digits = true;
    if (exponent < -EXPONENT_LIMIT)
      return false;
  }
  if (!digits || (!accept(r, "p") && !accept(r, "P")) || !exponent_read(r, &exponent))
    return false;
  return toi_double_compose(false, mantissa, exponent, value);
}

static toi_status times_read(truth_reader *r, bool hit, double *t_lo, double *t_hi) {
  if (!hit) {
    *t_lo = *t_hi = (double)INFINITY;
    return accept(r, ",") ? TOI_OK : fail_here(r, "a miss has no times; leave both columns empty, as in 0,,");
  }
  if (!hex_float_read(r, t_lo) || !accept(r, ",") || !hex_float_read(r, t_hi))
    return fail_here(r, "a time that is not a C99 hex float; write both times of a hit as in 0x1.8p-3");
  if (*t_lo > *t_hi)
    return fail_here(r, "toi_lo is above toi_hi; exchange them");
  return TOI_OK;
}

/* The newline behind the buffer ends a line only if the file ends there too; no row is longer than ROW_BYTES. */
static bool accept_line_end(truth_reader *r) {
  accept(r, "\r");
  return (!at_end(r) || r->feed.ended) && accept(r, "\n");
}

static toi_status row_read(truth_reader *r) {
  toi_truth *truth = r->truth;
  const bool hit = accept(r, "1");
  if ((!hit && !accept(r, "0")) || !accept(r, ","))
    return fail_here(r, "a row must begin with 0 or 1 and a comma: its columns are " HEADER);
  toi_status status = reserve(r, true);
  if (status == TOI_OK)
    status = times_read(r, hit, truth->t_lo + truth->count, truth->t_hi + truth->count);
  if (status == TOI_OK && !accept_line_end(r))
    return fail_here(r, "something follows the last column: the columns are " HEADER);
  if (status == TOI_OK)
    truth->hit[truth->count++] = hit;
  return status;
}

/* Whether nothing but blanks is left; else the line stays that of the first of them. */
static toi_status rows_end(truth_reader *r, bool *ended) {
  const size_t line = r->feed.line;
  *ended = at_end(r);
  if (*ended || !isspace((unsigned char)*r->text))
    return TOI_OK;
  const toi_status status = skip_blank(r);
  *ended = status == TOI_OK && at_end(r);
  r->feed.line = line;
  return status != TOI_OK || *ended ? status : fail_here(r, "an empty row; remove it");
}

static toi_status csv_parse(truth_reader *r) {
  toi_status status = look(r, ROW_BYTES);
  if (status == TOI_OK && (!accept(r, HEADER) || !accept_line_end(r)))
    return fail_here(r, "neither a JSON list nor the header " HEADER "; the truth begins with one of them");
  for (bool ended = false; status == TOI_OK;) {
    status = look(r, ROW_BYTES);
    r->feed.line++;
    if (status == TOI_OK)
      status = rows_end(r, &ended);
    if (ended && r->truth->count == 0) {
      r->feed.line = 1;
      return fail_here(r, "no rows after the header; give one per query");
    }
    if (ended)
      break;
    if (status == TOI_OK)
      status = row_read(r);
  }
  return status;
}

/* --- both --- */

static toi_status truth_parse(truth_reader *r) {
  toi_status status = skip_blank(r);
  if (status == TOI_OK && at_end(r)) {
    r->feed.line = 1;
    return fail_here(r, "an empty file; the truth is a JSON list of booleans, or CSV with the header " HEADER);
  }
  if (status == TOI_OK)
    status = *r->text == '[' ? json_parse(r) : csv_parse(r);
  return status == TOI_OK ? shrink(r) : status;
}

static TOI_APART toi_status read_truth(toi_context *context, const char *path, toi_truth *truth) {
  if (context == NULL || path == NULL || truth == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_truth_read needs a context, a path and a truth");
  *truth = (toi_truth){0};
  truth_reader r = {.truth = truth};
  toi_status status = toi_feed_open(&r.feed, context, path);
  if (status != TOI_OK)
    return status;
  status = truth_parse(&r);
  if (status != TOI_OK)
    discard(&r);
  toi_feed_close(&r.feed);
  return status;
}

toi_status toi_truth_read(toi_context *context, const char *path, toi_truth *truth) {
  TOI_CALL(context, read_truth(context, path, truth));
}

static TOI_APART void free_truth(toi_context *context, toi_truth *truth) {
  if (context == NULL || truth == NULL)
    return;
  toi_free(context, truth->hit, truth->count);
  toi_free(context, truth->t_lo, truth->count * sizeof(double));
  toi_free(context, truth->t_hi, truth->count * sizeof(double));
  *truth = (toi_truth){0};
}

void toi_truth_free(toi_context *context, toi_truth *truth) {
  TOI_CALL_VOID(NULL, free_truth(context, truth));
}
