/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Query files in and out. Every failure leaves a sentence with file and line in the context, and no file is left
 * half-written. */

#ifndef TOI_IO_H
#define TOI_IO_H

#include <toi/narrow.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The queries of one file, all vertex-face or all edge-edge; the arrays belong to the context. */
typedef struct toi_query_set {
  double *queries; /* count * 24 doubles, as toi_batch takes them */
  uint8_t *truth;  /* count values 0 or 1; NULL if the file has none */
  size_t count;
} toi_query_set;

/* Reads a query file by its name's ending:
 *   .csv, .csv.gz  8 rows a query; 6 integer columns (numerator, denominator of x, y, z), and maybe a 7th, the truth
 *   .bin           little-endian float64, 24 a query
 * A rational that is no double is refused, as are empty files, zero denominators and anything that is no number. */
TOI_API TOI_MUST_USE toi_status toi_queries_read(toi_context *context, const char *path, toi_query_set *set);

/* Writes a .bin or (rationals, with truth if there is one) a .csv file; the file appears whole or not at all. */
TOI_API TOI_MUST_USE toi_status toi_queries_write(toi_context *context, const char *path, const toi_query_set *set);

TOI_API void toi_queries_free(toi_context *context, toi_query_set *set);

/* The truth of a query file, kept apart from it. */
typedef struct toi_truth {
  uint8_t *hit;        /* count values 0 or 1 */
  double *t_lo, *t_hi; /* the exact time's tightest doubles; NULL if the file has none */
  size_t count;
} toi_truth;

/* Reads a JSON list of booleans, or CSV with the header `hit,toi_lo,toi_hi`; either may be gzipped. */
TOI_API TOI_MUST_USE toi_status toi_truth_read(toi_context *context, const char *path, toi_truth *truth);

TOI_API void toi_truth_free(toi_context *context, toi_truth *truth);

#ifdef __cplusplus
}
#endif

#endif
