/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The truth of a query file: which queries touch and, where the file says it, when.
 *
 * Two formats, told apart by their first byte: a JSON list of booleans (or of 0 and 1), and CSV with the header
 * `hit,toi_lo,toi_hi`. Both are so small a grammar that reading them here costs less than a parser would: every error
 * has its line, and nothing is allocated but the text and the result, whose size the commas or lines tell beforehand.
 * Times are read exactly; a time that is no double is refused. */

#include <toi/io.h>

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "io/rational.h"
#include "io/source.h"

#define HEADER "hit,toi_lo,toi_hi"

/* Exponents beyond this are beyond any double, whatever the mantissa's 64 bits are. */
#define EXPONENT_LIMIT 10000

typedef struct truth_reader {
  toi_context *context;
  const char *path;
  const char *text; /* what is left to read; ends with a zero byte */
  size_t line;
  toi_truth *truth;
} truth_reader;

static toi_status fail_here(const truth_reader *r, const char *sentence) {
  return toi_fail(r->context, TOI_ERROR_FORMAT, "%s:%zu: %s", r->path, r->line, sentence);
}

static toi_status truth_allocate(truth_reader *r, size_t count, bool times) {
  toi_truth *truth = r->truth;
  truth->count = count;
  truth->hit = toi_allocate(r->context, count);
  if (truth->hit == NULL) {
    return TOI_ERROR_MEMORY;
  }
  if (times) {
    truth->t_lo = toi_allocate(r->context, count * sizeof(double));
    truth->t_hi = truth->t_lo == NULL ? NULL : toi_allocate(r->context, count * sizeof(double));
  }
  return times && truth->t_hi == NULL ? TOI_ERROR_MEMORY : TOI_OK;
}

static size_t count_bytes(const char *text, char byte) {
  size_t count = 0;
  for (; *text != '\0'; text++) {
    count += *text == byte;
  }
  return count;
}

static bool accept(truth_reader *r, const char *word) {
  size_t length = strlen(word);
  if (strncmp(r->text, word, length) != 0) {
    return false;
  }
  r->text += length;
  return true;
}

/* --- JSON --- */

static void skip_blank(truth_reader *r) {
  for (; isspace((unsigned char)*r->text); r->text++) {
    r->line += *r->text == '\n';
  }
}

static toi_status json_parse(truth_reader *r) {
  toi_status status = truth_allocate(r, count_bytes(r->text, ',') + 1, false);
  if (status != TOI_OK) {
    return status;
  }
  accept(r, "[");
  for (size_t i = 0; i < r->truth->count; i++) {
    skip_blank(r);
    bool yes = accept(r, "true") || accept(r, "1");
    if (!yes && !accept(r, "false") && !accept(r, "0")) {
      return fail_here(r, "neither true nor false; the truth is one JSON list of booleans");
    }
    r->truth->hit[i] = yes;
    skip_blank(r);
    if (!accept(r, i + 1 < r->truth->count ? "," : "]")) {
      return fail_here(r, "the JSON list of booleans breaks off; restore the file");
    }
  }
  return *r->text == '\0' ? TOI_OK : fail_here(r, "something follows the JSON list; remove it");
}

/* --- CSV --- */

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The exponent behind the p, in decimal; false if there is no digit or there are too many. */
static bool exponent_read(truth_reader *r, int64_t *exponent) {
  bool negative = accept(r, "-");
  if (!negative) {
    accept(r, "+");
  }
  int64_t value = 0;
  const char *begin = r->text;
  for (; *r->text >= '0' && *r->text <= '9'; r->text++) {
    value = value * 10 + (*r->text - '0');
    if (value > EXPONENT_LIMIT) {
      return false;
    }
  }
  *exponent += negative ? -value : value;
  return r->text > begin;
}

/* A C99 hex float such as 0x1.8p-3. Written out here because strtod follows the locale and rounds. */
static bool hex_float_read(truth_reader *r, double *value) {
  if (!accept(r, "0x") && !accept(r, "0X")) {
    return false;
  }
  uint64_t mantissa = 0;
  int64_t exponent = 0;
  bool point = false, digits = false;
  for (;; r->text++) {
    int digit = hex_digit(*r->text);
    if (digit < 0) {
      if (*r->text != '.' || point) {
        break;
      }
      point = true;
      continue;
    }
    if (mantissa >> 60 != 0) {
      return false;
    }
    mantissa = mantissa << 4 | (unsigned)digit;
    exponent -= point ? 4 : 0;
    digits = true;
    if (exponent < -EXPONENT_LIMIT) {
      return false;
    }
  }
  if (!digits || (!accept(r, "p") && !accept(r, "P")) || !exponent_read(r, &exponent)) {
    return false;
  }
  return toi_double_compose(false, mantissa, exponent, value);
}

static toi_status times_read(truth_reader *r, bool hit, double *t_lo, double *t_hi) {
  if (*r->text == ',' && !hit) {
    /* A miss has no times. */
    r->text++;
    *t_lo = *t_hi = (double)INFINITY;
    return TOI_OK;
  }
  if (!hex_float_read(r, t_lo) || !accept(r, ",") || !hex_float_read(r, t_hi)) {
    return fail_here(r, "a time that is no C99 hex float, as 0x1.8p-3; write both times of a hit so");
  }
  if (*t_lo > *t_hi) {
    return fail_here(r, "toi_lo is above toi_hi; exchange them");
  }
  return TOI_OK;
}

static bool accept_line_end(truth_reader *r) {
  accept(r, "\r");
  return accept(r, "\n") || *r->text == '\0';
}

static toi_status row_read(truth_reader *r, size_t row) {
  bool hit = accept(r, "1");
  if ((!hit && !accept(r, "0")) || !accept(r, ",")) {
    return fail_here(r, "a row must begin with 0 or 1 and a comma: its columns are " HEADER);
  }
  r->truth->hit[row] = hit;
  toi_status status = times_read(r, hit, r->truth->t_lo + row, r->truth->t_hi + row);
  if (status == TOI_OK && !accept_line_end(r)) {
    status = fail_here(r, "something follows the last column: the columns are " HEADER);
  }
  return status;
}

static toi_status csv_parse(truth_reader *r) {
  size_t rows = count_bytes(r->text, '\n');
  if (!accept(r, HEADER) || !accept_line_end(r)) {
    return fail_here(r, "neither a JSON list nor the header " HEADER "; the truth begins with one of them");
  }
  if (rows == 0) {
    return fail_here(r, "no rows behind the header; give one a query");
  }
  toi_status status = truth_allocate(r, rows, true);
  for (size_t row = 0; row < rows && status == TOI_OK; row++) {
    r->line++;
    status = row_read(r, row);
  }
  assert(status != TOI_OK || *r->text == '\0');
  return status;
}

/* --- both --- */

static toi_status truth_parse(truth_reader *r, toi_text *text) {
  /* Without the blank end there is nothing behind the last value. */
  while (text->size > 0 && isspace((unsigned char)text->bytes[text->size - 1])) {
    text->bytes[--text->size] = '\0';
  }
  if (text->size == 0) {
    return fail_here(r, "an empty file; the truth is a JSON list of booleans, or CSV with the header " HEADER);
  }
  if (memchr(text->bytes, '\0', text->size) != NULL) {
    return fail_here(r, "holds zero bytes; the truth is a JSON list of booleans, or CSV with the header " HEADER);
  }
  r->text = text->bytes;
  skip_blank(r);
  return *r->text == '[' ? json_parse(r) : csv_parse(r);
}

toi_status toi_truth_read(toi_context *context, const char *path, toi_truth *truth) {
  if (context == NULL || path == NULL || truth == NULL) {
    return toi_fail(context, TOI_ERROR_INPUT, "toi_truth_read needs a context, a path and a truth");
  }
  toi_clear_error(context);
  *truth = (toi_truth){0};
  toi_text text;
  toi_status status = toi_text_read(context, path, &text);
  if (status != TOI_OK) {
    return status;
  }
  truth_reader r = {.context = context, .path = path, .line = 1, .truth = truth};
  status = truth_parse(&r, &text);
  toi_text_free(context, &text);
  if (status != TOI_OK) {
    toi_truth_free(context, truth);
  }
  return status;
}

void toi_truth_free(toi_context *context, toi_truth *truth) {
  if (context == NULL || truth == NULL) {
    return;
  }
  toi_free(context, truth->hit, truth->count);
  toi_free(context, truth->t_lo, truth->count * sizeof(double));
  toi_free(context, truth->t_hi, truth->count * sizeof(double));
  *truth = (toi_truth){0};
}
