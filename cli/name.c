/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Names as a terminal may see them: a name must not move the cursor, set colours or the title, or end a line. */

#include "name.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ESCAPE_BYTES 4 /* \xNN */

/* The least code point of each length of UTF-8: a longer form of a smaller one is refused. */
static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};

/* The character that text begins with; returns its length, 0 if it is not UTF-8. */
static size_t read_character(const unsigned char *text, uint32_t *code) {
  const unsigned char first = text[0];
  const size_t length = first < 0x80                    ? 1
                        : first >= 0xc2 && first < 0xe0 ? 2
                        : first >= 0xe0 && first < 0xf0 ? 3
                        : first >= 0xf0 && first < 0xf5 ? 4
                                                        : 0;
  *code = length < 2 ? first : first & (0x7fu >> length);
  for (size_t i = 1; i < length; i++) {
    if ((text[i] & 0xc0) != 0x80)
      return 0;
    *code = *code << 6 | (text[i] & 0x3fu);
  }
  const bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
  return length == 0 || *code < least[length] || *code > 0x10ffff || surrogate ? 0 : length;
}

/* C0, delete and C1; the separators of lines and paragraphs; and what turns the direction of writing round. */
static bool is_control(uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

void name_write(const char *name, char *shown, size_t room) {
  size_t used = 0;
  while (*name != '\0') {
    uint32_t code;
    const size_t read = read_character((const unsigned char *)name, &code);
    const bool plain = read > 0 && !is_control(code);
    const size_t length = read > 0 ? read : 1;
    if (used + (plain ? length : ESCAPE_BYTES * length) >= room)
      break;
    for (size_t i = 0; i < length; i++)
      if (plain)
        shown[used++] = name[i];
      else
        used += (size_t)snprintf(shown + used, room - used, "\\x%02x", (unsigned char)name[i]);
    name += length;
  }
  shown[used] = '\0';
}

const char *name_shown(const char *name, char shown[NAME_BYTES]) {
  name_write(name, shown, NAME_BYTES);
  return shown;
}

void name_print(const char *name) {
  char shown[NAME_BYTES];
  fputs(name_shown(name, shown), stdout);
}

static bool begins_character(char c) {
  return ((unsigned char)c & 0xc0) != 0x80;
}

void name_print_column(const char *name, int width) {
  char shown[NAME_BYTES] = "";
  int columns = 0;
  for (const char *c = name_shown(name, shown); *c != '\0'; c++)
    columns += begins_character(*c);
  const bool cut = columns > width;
  const char *end = shown;
  for (int left = cut ? columns - (width - 3) : 0; left > 0; left--)
    do
      end++;
    while (!begins_character(*end));
  printf("%s%s%*s", cut ? "..." : "", end, cut ? 0 : width - columns, "");
}
