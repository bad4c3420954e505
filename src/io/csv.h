/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Query files of rationals, 8 rows per query. */

#ifndef TOI_IO_CSV_H
#define TOI_IO_CSV_H

#include <toi/io.h>

#define TOI_QUERY_ROWS 8
#define TOI_QUERY_DOUBLES 24

/* Reads a .csv or .csv.gz file into an empty set, which stays empty on failure. */
toi_status toi_csv_read(toi_context *context, const char *path, toi_query_set *set);

#endif
