/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Characters of JSON strings. */

#ifndef TOI_IO_CHARACTER_H
#define TOI_IO_CHARACTER_H

#include <stddef.h>

/* The longest character in a file: two escapes of a surrogate pair. */
#define TOI_CHARACTER_BYTES 12

/* Reads one character, escaped or not, that is no control character, and gives it as UTF-8. Returns how many bytes it
 * has in the text, 0 if there is none. The text ends with a newline. */
size_t toi_character_read(const char *text, char to[4], size_t *length);

#endif
