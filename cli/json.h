/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* JSON as the commands print it: one object on one line, numbers with 17 digits. Trees are made without a look at each
 * call: where memory ran out on the way, the text is refused at the end. Call json_start() first. */

#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <jansson.h>
#include <stdio.h>
#include <toi/narrow.h>

void json_start(void);

/* Whether memory ran out in a call of jansson since this was last asked. */
bool json_failed(void);

/* A file as a tree, within the limit of memory.h; NULL if it is no JSON or, as json_failed() says, too large. */
json_t *json_read(FILE *file, json_error_t *error);

/* A number, or null where it is no JSON number. */
json_t *json_number(double value);

/* A count, or null where it is not known. */
json_t *json_count(uint64_t value, bool known);

/* Any bytes as a string: a text that is not UTF-8 as name_shown() has it. */
json_t *json_text(const char *text);

/* {"box":..., "sign":..., ...} */
json_t *json_levels(const uint64_t levels[TOI_LEVEL_COUNT]);

/* The text of an object, which is released. NULL after its line if memory ran out, for it or on the way to it. Made
 * before files appear, so that none does if there is to be no report; give it to json_say(). */
char *json_finish(json_t *object);

/* Prints and releases the text. */
void json_say(char *text);

/* Both. Returns EXIT_DONE, or EXIT_BAD after its line. */
int json_print(json_t *object);

#endif
