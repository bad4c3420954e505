/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Names of files and bodies, as a terminal may see them. */

#ifndef CLI_NAME_H
#define CLI_NAME_H

#include <stddef.h>

/* Enough for any path: each byte may take four, and the end is cut otherwise. */
#define NAME_BYTES (4 * 4096 + 1)

/* A name with its control characters, and what is not UTF-8, written as \xNN, byte by byte; other names unchanged.
 * Returns `shown`. */
const char *name_shown(const char *name, char shown[NAME_BYTES]);

/* The same for any room, at least 1 byte: what does not fit is cut behind a whole character. */
void name_write(const char *name, char *shown, size_t room);

/* Prints a name so; in exactly `width` columns, one for each character: the end of a longer one, behind "...". */
void name_print(const char *name);
void name_print_column(const char *name, int width);

#endif
