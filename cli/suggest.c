/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Names near a mistyped word, by the number of edits that lead from one to the other. */

#include "suggest.h"

#include <string.h>

/* Longer words are compared with nothing; every command and option is shorter. */
#define LENGTH_MAX 40

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* The fewest insertions, deletions, replacements and exchanges of neighbours that lead from a to b. Row i modulo 3
 * holds those from the first i characters of a to each beginning of b. */
static size_t edits(const char *a, size_t a_length, const char *b, size_t b_length) {
  size_t rows[3][LENGTH_MAX + 1];
  for (size_t j = 0; j <= b_length; j++)
    rows[0][j] = j;
  for (size_t i = 1; i <= a_length; i++) {
    size_t *now = rows[i % 3];
    const size_t *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = least(now[j], before[j - 2] + 1);
    }
  }
  return rows[a_length % 3][b_length];
}

suggestion suggestion_for(const char *word, size_t length) {
  return (suggestion){word, length, NULL, 0};
}

void suggestion_consider(suggestion *s, const char *name) {
  const size_t length = strlen(name);
  if (s->length > LENGTH_MAX || length > LENGTH_MAX)
    return;
  const size_t count = edits(s->word, s->length, name, length);
  if (3 * count > length || (s->nearest != NULL && count >= s->edits))
    return;
  s->nearest = name;
  s->edits = count;
}
