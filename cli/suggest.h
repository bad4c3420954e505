/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which name a mistyped word probably stands for. */

#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

typedef struct suggestion {
  const char *word;    /* as typed */
  size_t length;       /* bytes of it that count */
  const char *nearest; /* NULL: no name is close */
  size_t edits;        /* between the two */
} suggestion;

suggestion suggestion_for(const char *word, size_t length);

/* Takes the name if it is close, and closer than those before. Close: at most a third of its characters are inserted,
 * left out, replaced or exchanged with the next one. */
void suggestion_consider(suggestion *s, const char *name);

#endif
