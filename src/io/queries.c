/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Query files by their name's ending: binary ones here, rationals by csv.c.
 *
 * Promise: a set that was read holds finite doubles only, whichever file it came from. */

#include <toi/io.h>

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "base/reserved.h"
#include "io/csv.h"
#include "io/output.h"
#include "io/rational.h"
#include "io/source.h"

#define QUERY_BYTES (TOI_QUERY_DOUBLES * sizeof(double))
#define QUERIES_A_CHUNK 16384

static_assert(sizeof(double) == 8, "files hold IEEE doubles");

/* The file's byte order is little-endian; on a machine that is not, each double is turned round. */
static inline void turn_doubles(double *values, size_t count) {
  for (size_t i = 0; __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ && i < count; i++) {
    uint64_t bits;
    memcpy(&bits, values + i, sizeof bits);
    bits = __builtin_bswap64(bits);
    memcpy(values + i, &bits, sizeof bits);
  }
}

/* --- reading --- */

/* An exponent of all ones, which NaN and infinity have, carries into the top bit; no branch, so that it vectorises. */
static bool all_finite(const double *values, size_t count) {
  const uint64_t exponent = 0x7ff0000000000000, one = 0x0010000000000000;
  uint64_t carry = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, values + i, sizeof bits);
    carry |= (bits & exponent) + one;
  }
  return carry >> 63 == 0;
}

/* The first value that is not finite, where there is one. */
static size_t find_infinite(const double *values) {
  size_t i = 0;
  while (isfinite(values[i]))
    i++;
  return i;
}

static toi_status check_chunk(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  double *values = (double *)user + begin * TOI_QUERY_DOUBLES;
  size_t count = (end - begin) * TOI_QUERY_DOUBLES;
  turn_doubles(values, count);
  return all_finite(values, count) ? TOI_OK : TOI_ERROR_FORMAT;
}

static toi_status check_doubles(toi_context *context, const char *path, double *values, size_t queries) {
  toi_status status = toi_parallel(context, queries, QUERIES_A_CHUNK, check_chunk, values);
  if (status != TOI_ERROR_FORMAT)
    return status;
  // Which one: everything before the chunk that failed has been turned and is finite.
  size_t place = find_infinite(values);
  return toi_fail(context, TOI_ERROR_FORMAT, "%s: query %zu, value %zu (byte %zu) is %s; give finite coordinates", path,
                  place / TOI_QUERY_DOUBLES, place % TOI_QUERY_DOUBLES, place * sizeof(double),
                  isnan(values[place]) ? "not a number" : "infinite");
}

static toi_status bin_read(toi_context *context, const char *path, toi_query_set *set) {
  toi_text text;
  toi_status status = toi_text_read(context, path, &text);
  if (status != TOI_OK)
    return status;
  size_t count = text.size / QUERY_BYTES;
  if (text.size == 0) {
    status = toi_fail(context, TOI_ERROR_FORMAT, "%s: an empty file; a query has %zu bytes", path, QUERY_BYTES);
  } else if (text.size % QUERY_BYTES != 0) {
    status = toi_fail(context, TOI_ERROR_FORMAT,
                      "%s: %zu bytes are not a multiple of %zu, a query's; the file is truncated, restore its end",
                      path, text.size, QUERY_BYTES);
  } else {
    status = check_doubles(context, path, (double *)(void *)text.bytes, count);
  }

  // The text becomes the set, at its exact size.
  double *queries = status == TOI_OK ? toi_resize(context, text.bytes, text.capacity, text.size) : NULL;
  if (queries == NULL) {
    toi_text_free(context, &text);
    return status == TOI_OK ? TOI_ERROR_MEMORY : status;
  }
  set->queries = queries;
  set->count = count;
  return TOI_OK;
}

static TOI_APART toi_status read_queries(toi_context *context, const char *path, toi_query_set *set) {
  if (context == NULL || path == NULL || set == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_queries_read needs a context, a path and a set");
  *set = (toi_query_set){0};
  if (toi_path_ends(path, ".csv") || toi_path_ends(path, ".csv.gz"))
    return toi_csv_read(context, path, set);
  if (toi_path_ends(path, ".bin"))
    return bin_read(context, path, set);
  return toi_fail(context, TOI_ERROR_FORMAT, "%s: not a query file by its name; it must end in .csv, .csv.gz or .bin",
                  path);
}

toi_status toi_queries_read(toi_context *context, const char *path, toi_query_set *set) {
  TOI_CALL(context, read_queries(context, path, set));
}

static TOI_APART void free_queries(toi_context *context, toi_query_set *set) {
  if (context == NULL || set == NULL)
    return;
  toi_free(context, set->queries, set->count * QUERY_BYTES);
  toi_free(context, set->truth, set->count);
  *set = (toi_query_set){0};
}

void toi_queries_free(toi_context *context, toi_query_set *set) {
  TOI_CALL_VOID(NULL, free_queries(context, set));
}

/* --- writing --- */

static toi_status csv_append(toi_output *output, const toi_query_set *set) {
  for (size_t row = 0; row < set->count * TOI_QUERY_ROWS; row++) {
    char *text;
    toi_status status = toi_output_reserve(output, 3 * TOI_RATIONAL_TEXT + 8, &text);
    if (status != TOI_OK)
      return status;
    size_t length = 0;
    for (size_t axis = 0; axis < 3; axis++) {
      length += toi_rational_write(set->queries[3 * row + axis], text + length);
      text[length++] = ',';
    }
    if (set->truth != NULL) {
      text[length++] = set->truth[row / TOI_QUERY_ROWS] != 0 ? '1' : '0';
      text[length++] = '\n';
    } else {
      text[length - 1] = '\n';
    }
    toi_output_advance(output, length);
  }
  return TOI_OK;
}

static toi_status bin_append(toi_output *output, const toi_query_set *set) {
  for (size_t query = 0; query < set->count; query++) {
    double values[TOI_QUERY_DOUBLES];
    memcpy(values, set->queries + query * TOI_QUERY_DOUBLES, sizeof values);
    turn_doubles(values, TOI_QUERY_DOUBLES);
    toi_status status = toi_output_append(output, values, sizeof values);
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}

/* TOI_OK if the set can be written under the output's name. */
static toi_status check_writable(const toi_output *output, const toi_query_set *set) {
  toi_context *context = toi_output_context(output);
  const char *path = toi_output_path(output);
  if (set == NULL || (set->count > 0 && set->queries == NULL))
    return toi_fail(context, TOI_ERROR_INPUT, "%s: the set of queries is NULL; give one", path);
  if (!toi_reserved_is_zero(set->reserved, sizeof set->reserved))
    return toi_fail(context, TOI_ERROR_INPUT, "%s: the set's reserved fields are not zero; start from zeroes", path);
  if (!toi_path_ends(path, ".csv") && !toi_path_ends(path, ".bin"))
    return toi_fail(context, TOI_ERROR_OPTION, "%s: queries are written to .csv or .bin; change the name", path);
  if (!all_finite(set->queries, set->count * TOI_QUERY_DOUBLES)) {
    size_t place = find_infinite(set->queries);
    return toi_fail(context, TOI_ERROR_INPUT, "query %zu, value %zu is not finite; give finite coordinates",
                    place / TOI_QUERY_DOUBLES, place % TOI_QUERY_DOUBLES);
  }
  return TOI_OK;
}

static TOI_APART toi_status append_queries(toi_output *output, const toi_query_set *set) {
  if (output == NULL)
    return TOI_ERROR_INPUT;
  toi_status status = check_writable(output, set);
  if (status != TOI_OK)
    return toi_output_spoil(output, status);
  bool csv = toi_path_ends(toi_output_path(output), ".csv");
  return csv ? csv_append(output, set) : bin_append(output, set);
}

toi_status toi_output_append_queries(toi_output *output, const toi_query_set *set) {
  TOI_CALL(output == NULL ? NULL : toi_output_context(output), append_queries(output, set));
}

static TOI_APART toi_status write_queries(toi_context *context, const char *path, const toi_query_set *set) {
  if (context == NULL || path == NULL || set == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_queries_write needs a context, a path and a set");
  toi_output *output;
  toi_status status = toi_output_create(context, path, &output);
  if (status != TOI_OK)
    return status;
  status = toi_output_append_queries(output, set);
  if (status != TOI_OK) {
    toi_output_destroy(output);
    return status;
  }
  return toi_output_commit(output);
}

toi_status toi_queries_write(toi_context *context, const char *path, const toi_query_set *set) {
  TOI_CALL(context, write_queries(context, path, set));
}
