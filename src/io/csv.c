/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Query files of rationals, read in parallel.
 *
 * Promise: every row is read exactly or refused with its line; the first wrong line is the one reported, whatever the
 * number of threads. Nothing is allocated a row: the text passes through one window of a few megabytes, and row r goes
 * straight to its place, doubles 3r to 3r+2 of the result.
 *
 * A window ends with a whole line; the rest moves to the front of the next. Its text is cut into chunks of equal
 * length; a line belongs to the chunk in which it begins. One pass counts the lines that begin in each chunk, so that
 * each knows the number of its first row; a second one reads them. */

#include "io/csv.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"
#include "io/rational.h"
#include "io/source.h"

#define WINDOW_BYTES ((size_t)4 << 20)
#define CHUNK_BYTES ((size_t)64 << 10)
#define CHUNKS (WINDOW_BYTES / CHUNK_BYTES)

/* Behind the text: a newline where the file has none, and what the number reader may look at. */
#define WINDOW_TAIL (1 + TOI_RATIONAL_PADDING)

#define POINT_BYTES (3 * sizeof(double))
#define COORDINATE_COLUMNS 6
#define TRUTH_COLUMNS 7

/* The longest piece of a file that an error message shows. */
#define SHOWN_BYTES 48

typedef struct chunk {
  size_t first_row; /* in the window */
  const char *bad;  /* its first line that could not be read; NULL: none */
  size_t bad_row;
} chunk;

typedef struct reader {
  toi_context *context;
  const char *path;
  toi_source source;

  char *window;
  size_t window_size; /* allocated, tail included */
  size_t text_size;   /* bytes of the file in the window */
  size_t whole_size;  /* of them, those in whole lines */
  chunk chunks[CHUNKS + 1];

  double *points;                      /* 3 a row */
  uint8_t *truth;                      /* 1 a row; NULL without the truth's column */
  size_t rows, point_rows, truth_rows; /* read, and room for */
  int columns;                         /* 6 or 7; 0 until the first row is seen */
} reader;

/* --- one row --- */

/* Reads one row and returns the next line, or NULL if anything is wrong with it. */
static const char *row_read(const char *line, int columns, double point[3], uint8_t *truth) {
  toi_rational_fault fault;
  for (int axis = 0; axis < 3; axis++) {
    if (axis > 0 && *line++ != ',')
      return NULL;
    line = toi_rational_read(line, &point[axis], &fault);
    if (line == NULL)
      return NULL;
  }
  if (columns == TRUTH_COLUMNS) {
    if (*line++ != ',')
      return NULL;
    line = toi_skip_spaces(line);
    if (*line != '0' && *line != '1')
      return NULL;
    *truth = (uint8_t)(*line++ - '0');
    line = toi_skip_spaces(line);
  }
  line += *line == '\r';
  return *line == '\n' ? line + 1 : NULL;
}

/* The first byte of a line that is `stop`, or its newline. A line may hold any byte, zeros among them. */
static const char *line_find(const char *line, char stop) {
  while (*line != stop && *line != '\n')
    line++;
  return line;
}

static const char *column_begin(const char *line, int column) {
  for (int i = 0; i < column; i++)
    line = line_find(line, ',') + 1;
  return line;
}

static int count_columns(const char *line) {
  int columns = 0;
  do {
    line = line_find(line, ',');
    columns++;
  } while (*line++ != '\n');
  return columns;
}

static bool line_is_blank(const char *line, const char *end) {
  for (; line < end; line++)
    if (*line != ' ' && *line != '\t' && *line != '\r' && *line != '\n')
      return false;
  return true;
}

/* --- what is wrong with a row --- */

/* A column of a line, spaces trimmed, shortened and made printable. */
static void show_column(const char *line, int column, char shown[SHOWN_BYTES]) {
  line = toi_skip_spaces(column_begin(line, column));
  size_t length = (size_t)(line_find(line, ',') - line);
  while (length > 0 && line_is_blank(line + length - 1, line + length))
    length--;
  bool cut = length >= SHOWN_BYTES;
  size_t kept = cut ? SHOWN_BYTES - 4 : length;
  for (size_t i = 0; i < kept; i++) {
    shown[i] = line[i];
    if (line[i] < ' ' || line[i] > '~')
      shown[i] = '?';
  }
  snprintf(shown + kept, SHOWN_BYTES - kept, "%s", cut ? "..." : "");
}

static toi_status explain_rational(const reader *r, size_t row, const char *line, int column) {
  char top[SHOWN_BYTES], bottom[SHOWN_BYTES];
  show_column(line, column, top);
  show_column(line, column + 1, bottom);
  double value;
  toi_rational_fault fault;
  const char *behind = toi_rational_read(column_begin(line, column), &value, &fault);
  switch (fault) {
  case TOI_RATIONAL_NO_NUMERATOR:
    return toi_fail(r->context, TOI_ERROR_FORMAT, "%s:%zu: column %d: \"%s\" is not an integer; write digits only",
                    r->path, row + 1, column + 1, top);
  case TOI_RATIONAL_TOO_LONG:
    return toi_fail(r->context, TOI_ERROR_FORMAT,
                    "%s:%zu: column %d: a number of more than %d digits; reduce the fraction", r->path, row + 1,
                    column + 1, TOI_RATIONAL_DIGITS);
  case TOI_RATIONAL_ZERO:
    return toi_fail(r->context, TOI_ERROR_FORMAT, "%s:%zu: column %d: the denominator is 0; give a finite coordinate",
                    r->path, row + 1, column + 2);
  case TOI_RATIONAL_NO_DOUBLE:
    return toi_fail(r->context, TOI_ERROR_FORMAT,
                    "%s:%zu: column %d: %s/%s is not a double; round the coordinates first", r->path, row + 1,
                    column + 1, top, bottom);
  case TOI_RATIONAL_NO_DENOMINATOR:
  case TOI_RATIONAL_FINE:
    break;
  }
  // A fine pair is wrong only by what follows it.
  if (behind != NULL && (*behind == ',' || *behind == '\n' || (*behind == '\r' && behind[1] == '\n')))
    return TOI_OK;
  return toi_fail(r->context, TOI_ERROR_FORMAT, "%s:%zu: column %d: \"%s\" is not an integer; write digits only",
                  r->path, row + 1, column + 2, bottom);
}

/* Says what row_read() did not like. */
static toi_status explain_row(const reader *r, size_t row, const char *line) {
  if (line_is_blank(line, line_find(line, '\n')))
    return toi_fail(r->context, TOI_ERROR_FORMAT, "%s:%zu: an empty row; remove it", r->path, row + 1);
  int columns = count_columns(line);
  if (columns != COORDINATE_COLUMNS && columns != TRUTH_COLUMNS) {
    return toi_fail(r->context, TOI_ERROR_FORMAT,
                    "%s:%zu: %d column%s; a row has 6 (numerator, denominator of x, y, z) or 7 (and the truth)",
                    r->path, row + 1, columns, columns == 1 ? "" : "s");
  }
  if (columns != r->columns) {
    return toi_fail(r->context, TOI_ERROR_FORMAT,
                    "%s:%zu: %d columns where the first row has %d; give all rows the same", r->path, row + 1, columns,
                    r->columns);
  }
  for (int column = 0; column < COORDINATE_COLUMNS; column += 2) {
    toi_status status = explain_rational(r, row, line, column);
    if (status != TOI_OK)
      return status;
  }
  char shown[SHOWN_BYTES];
  show_column(line, columns - 1, shown);
  return toi_fail(r->context, TOI_ERROR_FORMAT, "%s:%zu: the truth is \"%s\"; write 0 or 1", r->path, row + 1, shown);
}

/* --- one window --- */

/* Where the lines that begin in a chunk start: behind the first newline at or after the byte before it. */
static const char *chunk_begin(const reader *r, size_t number) {
  if (number == 0)
    return r->window;
  size_t offset = number * CHUNK_BYTES - 1;
  if (offset >= r->whole_size)
    return r->window + r->whole_size;
  const char *newline = memchr(r->window + offset, '\n', r->whole_size - offset);
  assert(newline != NULL);
  return newline + 1;
}

static toi_status count_lines(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  reader *r = user;
  for (size_t i = begin; i < end; i++) {
    const char *line = chunk_begin(r, i), *stop = chunk_begin(r, i + 1);
    size_t lines = 0;
    while (line < stop) {
      line = (const char *)memchr(line, '\n', (size_t)(stop - line)) + 1;
      lines++;
    }
    r->chunks[i + 1].first_row = lines;
  }
  return TOI_OK;
}

static toi_status read_lines(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  reader *r = user;
  toi_status status = TOI_OK;
  for (size_t i = begin; i < end && status == TOI_OK; i++) {
    const char *line = chunk_begin(r, i), *stop = chunk_begin(r, i + 1);
    size_t row = r->rows + r->chunks[i].first_row;
    r->chunks[i].bad = NULL;
    while (line < stop) {
      uint8_t unused;
      const char *next = row_read(line, r->columns, r->points + 3 * row, r->truth != NULL ? r->truth + row : &unused);
      if (next == NULL) {
        r->chunks[i].bad = line;
        r->chunks[i].bad_row = row;
        status = TOI_ERROR_FORMAT;
        break;
      }
      line = next;
      row++;
    }
  }
  return status;
}

/* Makes room for `count` rows more; the arrays double, so that all growth together costs little. */
static toi_status rows_reserve(reader *r, size_t count) {
  size_t wanted = r->rows + count;
  if (wanted <= r->point_rows)
    return TOI_OK;
  if (wanted < 2 * r->point_rows)
    wanted = 2 * r->point_rows;
  double *points = toi_resize(r->context, r->points, POINT_BYTES * r->point_rows, POINT_BYTES * wanted);
  if (points == NULL)
    return TOI_ERROR_MEMORY;
  r->points = points;
  r->point_rows = wanted;
  if (r->columns != TRUTH_COLUMNS)
    return TOI_OK;
  uint8_t *truth = toi_resize(r->context, r->truth, r->truth_rows, wanted);
  if (truth == NULL)
    return TOI_ERROR_MEMORY;
  r->truth = truth;
  r->truth_rows = wanted;
  return TOI_OK;
}

static toi_status window_parse(reader *r) {
  size_t chunks = (r->whole_size + CHUNK_BYTES - 1) / CHUNK_BYTES;
  assert(chunks <= CHUNKS);
  if (r->columns == 0) {
    r->columns = count_columns(r->window);
    if (r->columns != COORDINATE_COLUMNS && r->columns != TRUTH_COLUMNS)
      return explain_row(r, 0, r->window);
  }

  toi_status status = toi_parallel(r->context, chunks, 1, count_lines, r);
  if (status != TOI_OK)
    return status;
  r->chunks[0].first_row = 0;
  for (size_t i = 1; i <= chunks; i++)
    r->chunks[i].first_row += r->chunks[i - 1].first_row;
  size_t rows = r->chunks[chunks].first_row;
  status = rows_reserve(r, rows);
  if (status != TOI_OK)
    return status;

  status = toi_parallel(r->context, chunks, 1, read_lines, r);
  for (size_t i = 0; status == TOI_ERROR_FORMAT && i < chunks; i++)
    if (r->chunks[i].bad != NULL)
      return explain_row(r, r->chunks[i].bad_row, r->chunks[i].bad);
  r->rows += rows;
  return status;
}

/* Fills the window; *ended tells whether that was the end of the file. */
static toi_status window_fill(reader *r, bool *ended) {
  size_t room = r->window_size - WINDOW_TAIL - r->text_size, got;
  toi_status status = toi_source_read(&r->source, r->window + r->text_size, room, &got);
  if (status != TOI_OK)
    return status;
  *ended = got < room;
  r->text_size += got;
  if (*ended && r->text_size > 0 && r->window[r->text_size - 1] != '\n')
    r->window[r->text_size++] = '\n';

  // Whole lines up to the last one that is not blank: blank lines are fine at the end of the file only.
  size_t size = r->text_size;
  while (size > 0 && r->window[size - 1] != '\n')
    size--;
  for (size_t line = size; size > 0; size = line) {
    do {
      line--;
    } while (line > 0 && r->window[line - 1] != '\n');
    if (!line_is_blank(r->window + line, r->window + size))
      break;
  }
  r->whole_size = size;
  if (size == 0 && !*ended) {
    return toi_fail(r->context, TOI_ERROR_FORMAT, "%s:%zu: a line of more than %zu bytes; this is not a query file",
                    r->path, r->rows + 1, r->text_size);
  }
  return TOI_OK;
}

/* --- the whole file --- */

static toi_status windows_read(reader *r) {
  bool ended = false;
  while (!ended) {
    toi_status status = window_fill(r, &ended);
    if (status == TOI_OK && r->whole_size > 0)
      status = window_parse(r);
    if (status != TOI_OK)
      return status;
    r->text_size -= r->whole_size;
    memmove(r->window, r->window + r->whole_size, r->text_size);
  }
  if (r->rows == 0)
    return toi_fail(r->context, TOI_ERROR_FORMAT, "%s: an empty file; a query has 8 rows", r->path);
  if (r->rows % TOI_QUERY_ROWS != 0) {
    return toi_fail(r->context, TOI_ERROR_FORMAT,
                    "%s:%zu: the last query has %zu of 8 rows; the file is truncated, restore its end", r->path,
                    r->rows, r->rows % TOI_QUERY_ROWS);
  }
  return TOI_OK;
}

/* One truth a query instead of one a row. */
static toi_status truth_compact(reader *r) {
  for (size_t query = 0; query < r->rows / TOI_QUERY_ROWS; query++) {
    const uint8_t *rows = r->truth + query * TOI_QUERY_ROWS;
    for (size_t i = 1; i < TOI_QUERY_ROWS; i++) {
      if (rows[i] != rows[0]) {
        return toi_fail(r->context, TOI_ERROR_FORMAT,
                        "%s:%zu: the truth is %d where the query's first row has %d; make its 8 rows agree", r->path,
                        query * TOI_QUERY_ROWS + i + 1, rows[i], rows[0]);
      }
    }
    r->truth[query] = rows[0];
  }
  return TOI_OK;
}

/* Hands the arrays over at their exact size, from which toi_queries_free() computes it again. */
static toi_status set_finish(reader *r, toi_query_set *set) {
  size_t count = r->rows / TOI_QUERY_ROWS;
  if (r->truth != NULL) {
    toi_status status = truth_compact(r);
    uint8_t *truth = status == TOI_OK ? toi_resize(r->context, r->truth, r->truth_rows, count) : NULL;
    if (truth == NULL)
      return status == TOI_OK ? TOI_ERROR_MEMORY : status;
    set->truth = truth;
    r->truth = NULL;
  }
  double *points =
      toi_resize(r->context, r->points, POINT_BYTES * r->point_rows, TOI_QUERY_DOUBLES * sizeof(double) * count);
  if (points == NULL) {
    toi_free(r->context, set->truth, count);
    set->truth = NULL;
    return TOI_ERROR_MEMORY;
  }
  set->queries = points;
  r->points = NULL;
  set->count = count;
  return TOI_OK;
}

/* A window for this file: small for a small one. */
static toi_status window_open(reader *r) {
  size_t text = WINDOW_BYTES;
  if (r->source.size > 0 && r->source.size < WINDOW_BYTES)
    text = (size_t)r->source.size + 1; /* one more, so that the end is seen */
  r->window_size = text + WINDOW_TAIL;
  r->window = toi_allocate(r->context, r->window_size);
  if (r->window == NULL)
    return TOI_ERROR_MEMORY;
  memset(r->window + text, 0, WINDOW_TAIL);
  return TOI_OK;
}

static void reader_free(reader *r) {
  if (r->window != NULL)
    toi_free(r->context, r->window, r->window_size);
  if (r->points != NULL)
    toi_free(r->context, r->points, POINT_BYTES * r->point_rows);
  if (r->truth != NULL)
    toi_free(r->context, r->truth, r->truth_rows);
}

toi_status toi_csv_read(toi_context *context, const char *path, toi_query_set *set) {
  reader r = {.context = context, .path = path};
  toi_status status = toi_source_open(&r.source, context, path);
  if (status != TOI_OK)
    return status;
  status = window_open(&r);
  if (status == TOI_OK)
    status = windows_read(&r);
  if (status == TOI_OK)
    status = set_finish(&r, set);
  reader_free(&r);
  toi_source_close(&r.source);
  return status;
}
